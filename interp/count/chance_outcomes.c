/* Chance for tools: exact probabilities, and every end that chance may bring. See ferz_tools.h. */
#include <stdio.h>
#include <string.h>

#include "interp/ferz_tools.h"
#include "interp/vm/fault.h"

/* ---- probabilities ---- */

static fz_uint128 common_divisor(fz_uint128 a, fz_uint128 b)
{
    while (b) {
        fz_uint128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static fz_ratio ratio_of(fz_uint128 numerator, fz_uint128 denominator)
{
    fz_uint128 divisor = common_divisor(numerator, denominator);
    fz_ratio ratio = {.value = (double)numerator / (double)denominator};

    ratio.exact = true;
    ratio.numerator = numerator / divisor;
    ratio.denominator = denominator / divisor;
    return ratio;
}

fz_ratio fz_ratio_of(uint64_t numerator, uint64_t denominator)
{
    return ratio_of(numerator, denominator);
}

fz_ratio fz_ratio_multiply(fz_ratio a, fz_ratio b)
{
    fz_ratio result = {.value = a.value * b.value};
    fz_uint128 left, right, numerator, denominator;

    if (!a.exact || !b.exact || !a.numerator || !b.numerator)
        return a.exact && !a.numerator ? a : b.exact && !b.numerator ? b : result;
    left = common_divisor(a.numerator, b.denominator);
    right = common_divisor(b.numerator, a.denominator);
    if (__builtin_mul_overflow(a.numerator / left, b.numerator / right, &numerator) ||
        __builtin_mul_overflow(a.denominator / right, b.denominator / left, &denominator))
        return result;
    return (fz_ratio){true, numerator, denominator, result.value};
}

fz_ratio fz_ratio_add(fz_ratio a, fz_ratio b)
{
    fz_ratio result = {.value = a.value + b.value};
    fz_uint128 divisor, left, right, numerator, denominator;

    if (!a.exact || !b.exact)
        return result;
    divisor = common_divisor(a.denominator, b.denominator);
    if (__builtin_mul_overflow(a.numerator, b.denominator / divisor, &left) ||
        __builtin_mul_overflow(b.numerator, a.denominator / divisor, &right) ||
        __builtin_add_overflow(left, right, &numerator) ||
        __builtin_mul_overflow(a.denominator, b.denominator / divisor, &denominator))
        return result;
    return ratio_of(numerator, denominator);
}

/* Digits of a number, from the end of `digits` backwards. */
static const char *digits_of(fz_uint128 number, char digits[40])
{
    char *at = digits + 39;
    *at = '\0';
    do {
        *--at = (char)('0' + (int)(number % 10));
        number /= 10;
    } while (number);
    return at;
}

const char *fz_ratio_text(fz_ratio ratio, bool fraction, char *text)
{
    char numerator[40], denominator[40];
    if (!ratio.exact)
        snprintf(text, FZ_RATIO_SIZE, "%.12g", ratio.value);
    else if (ratio.denominator == 1 && !fraction)
        snprintf(text, FZ_RATIO_SIZE, "%s", digits_of(ratio.numerator, numerator));
    else
        snprintf(text, FZ_RATIO_SIZE, "%s/%s", digits_of(ratio.numerator, numerator),
                 digits_of(ratio.denominator, denominator));
    return text;
}

/* ---- every end ---- */

typedef struct enumeration {
    fz_machine *machine;
    uint32_t turns;       /* of the state that it began with */
    unsigned depth;
    const char *const *given;
    fz_outcome_end *end;
    void *user;
    size_t results;       /* looked at so far */
    double unfollowed;    /* probability of the chains that were given up */
} enumeration;

enum {
    DEEPEST = 400,        /* chance results one after the other, each a C frame */
    MAX_RESULTS = 20000000, /* in all: nobody waits for more */
    LONG_CHAIN = 8        /* a throw that gives another may go on for ever: give up from here on */
};

/* A long chain that is less probable than this is not followed. */
static const double NEGLIGIBLE = 1e-12;

static fz_status go_on(enumeration *e, const fz_state *state, fz_ratio probability);

static fz_status each_value(enumeration *e, const fz_state *state, fz_ratio probability,
                            const fz_outcome *outcomes, size_t count)
{
    fz_status status = FZ_OK;
    uint64_t total = 0;

    if (count > MAX_RESULTS - e->results)
        return fzi_machine_say(e->machine, FZ_RUNTIME, "more than %d chance results to look at",
                               MAX_RESULTS);
    e->results += count;
    for (size_t i = 0; i < count; i++)
        total += outcomes[i].weight;
    for (size_t i = 0; i < count && status == FZ_OK; i++) {
        fz_state *next = fz_state_clone(state);
        fz_ratio part = fz_ratio_of(outcomes[i].weight, total);
        if (!next)
            return fzi_machine_no_memory(e->machine);
        status = fz_state_set_chance(e->machine, next, outcomes[i].value);
        if (status == FZ_OK)
            status = go_on(e, next, fz_ratio_multiply(probability, part));
        fz_state_free(next);
    }
    return status;
}

/* Leaves of the outcomes the first that is given, if one is; returns how many are left. */
static size_t leave_given(const enumeration *e, const fz_state *state, fz_outcome *outcomes,
                          size_t count)
{
    for (const char *const *text = e->given; text && *text; text++) {
        for (size_t i = 0; i < count; i++) {
            if (strcmp(fz_chance_text(e->machine, state, outcomes[i].value), *text) == 0) {
                outcomes[0] = outcomes[i];
                return 1;
            }
        }
    }
    return count;
}

static fz_status go_on(enumeration *e, const fz_state *state, fz_ratio probability)
{
    const fz_outcome *found;
    fz_outcome *outcomes;
    size_t count;
    fz_status status;

    /* Chance of the next turn is no outcome of this one. */
    if (fz_state_waiting(state) != FZ_WAITING_CHANCE || fz_state_turns(state) != e->turns)
        return e->end(e->user, state, probability);
    if (e->depth >= LONG_CHAIN && probability.value < NEGLIGIBLE) {
        e->unfollowed += probability.value;
        return FZ_OK;
    }
    if (e->depth == DEEPEST)
        return fzi_machine_say(e->machine, FZ_RUNTIME, "more than %d chance results in a row",
                               DEEPEST);
    status = fz_state_outcomes(e->machine, state, &found, &count);
    if (status != FZ_OK)
        return status;
    outcomes = fzi_allocate(e->machine->allocator, count * sizeof *outcomes);
    if (!outcomes)
        return fzi_machine_no_memory(e->machine);
    memcpy(outcomes, found, count * sizeof *outcomes);
    count = leave_given(e, state, outcomes, count);
    e->depth++;
    status = each_value(e, state, probability, outcomes, count);
    e->depth--;
    fzi_release(e->machine->allocator, outcomes);
    return status;
}

fz_status fz_state_each_outcome(fz_machine *machine, const fz_state *state,
                                const char *const *given, fz_outcome_end *end, void *user,
                                double *unfollowed)
{
    enumeration e = {.machine = machine, .turns = fz_state_turns(state), .given = given, .end = end,
                     .user = user};
    fz_chance mode = machine->chance;
    fz_status status;

    machine->chance = FZ_CHANCE_ASK;
    status = go_on(&e, state, fz_ratio_of(1, 1));
    machine->chance = mode;
    if (unfollowed)
        *unfollowed = e.unfollowed;
    return status;
}
