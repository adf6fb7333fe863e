/* Successors of a state, exact probabilities, and every end that chance may bring.
 * See counting.h and ferz_tools.h. */
#include "counting.h"

#include <stdio.h>

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
    fz_uint128 numerator, denominator;

    if (!a.exact || !b.exact || !a.numerator || !b.numerator)
        return a.exact && !a.numerator ? a : b.exact && !b.numerator ? b : result;
    fz_uint128 left = common_divisor(a.numerator, b.denominator);
    fz_uint128 right = common_divisor(b.numerator, a.denominator);
    if (__builtin_mul_overflow(a.numerator / left, b.numerator / right, &numerator) ||
        __builtin_mul_overflow(a.denominator / right, b.denominator / left, &denominator))
        return result;
    return (fz_ratio){true, numerator, denominator, result.value};
}

fz_ratio fz_ratio_add(fz_ratio a, fz_ratio b)
{
    fz_ratio result = {.value = a.value + b.value};
    fz_uint128 left, right, numerator, denominator;

    if (!a.exact || !b.exact)
        return result;
    fz_uint128 divisor = common_divisor(a.denominator, b.denominator);
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

/* ---- successors ---- */

static fz_status find_outcomes(fzi_successors *s, const fz_state *state)
{
    const fz_outcome *found;
    fz_status status = fz_state_outcomes(s->machine, state, &found, &s->count);
    s->outcomes = status == FZ_OK ? fzi_allocate(s->machine->allocator, s->count * sizeof *found)
                                  : NULL;
    if (!s->outcomes) {
        s->count = 0;
        return status == FZ_OK ? fzi_machine_no_memory(s->machine) : status;
    }
    memcpy(s->outcomes, found, s->count * sizeof *found); /* the machine's list is soon another */
    for (size_t i = 0; i < s->count; i++)
        s->total += found[i].weight;
    return FZ_OK;
}

fz_status fzi_successors_find(fzi_successors *s, fz_machine *m, const fz_state *state)
{
    fzi_release(m->allocator, s->outcomes);
    *s = (fzi_successors){.machine = m, .moves = s->moves};
    if (fz_state_waiting(state) == FZ_WAITING_CHANCE)
        return find_outcomes(s, state);
    if (!s->moves && !(s->moves = fz_moves_new(m)))
        return fzi_machine_no_memory(m);
    fz_status status = fz_state_moves(m, state, s->moves);
    s->count = fz_moves_count(s->moves);
    return status;
}

fz_status fzi_successors_play(const fzi_successors *s, size_t i, fz_state *state,
                              uint32_t turn_stop)
{
    fzi_machine_begin(s->machine);
    if (s->outcomes)
        return fzi_state_give_chance(s->machine, state, s->outcomes[i].value, turn_stop, true);
    fz_move move = fz_moves_at(s->moves, i);
    return fzi_state_take(s->machine, state, &move, turn_stop, true);
}

const char *fzi_successors_text(const fzi_successors *s, size_t i, const fz_state *state)
{
    if (s->outcomes)
        return fz_chance_text(s->machine, state, s->outcomes[i].value);
    fz_move move = fz_moves_at(s->moves, i);
    return fz_move_text(s->machine, state, &move);
}

fz_ratio fzi_successors_probability(const fzi_successors *s, size_t i)
{
    return fz_ratio_of(s->outcomes[i].weight, s->total);
}

void fzi_successors_clear(fzi_successors *s)
{
    fz_moves_free(s->moves);
    if (s->machine)
        fzi_release(s->machine->allocator, s->outcomes);
    *s = (fzi_successors){0};
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
                            const fzi_successors *s)
{
    fz_status status = FZ_OK;
    if (s->count > MAX_RESULTS - e->results)
        return fzi_machine_say(e->machine, FZ_RUNTIME, "more than %d chance results to look at",
                               MAX_RESULTS);
    e->results += s->count;
    for (size_t i = 0; i < s->count && status == FZ_OK; i++) {
        fz_state *next = fz_state_clone(state);
        if (!next)
            return fzi_machine_no_memory(e->machine);
        status = fzi_successors_play(s, i, next, UINT32_MAX);
        if (status == FZ_OK)
            status = go_on(e, next,
                           fz_ratio_multiply(probability, fzi_successors_probability(s, i)));
        fz_state_free(next);
    }
    return status;
}

/* Leaves of the outcomes the first that is given, if one is. */
static void leave_given(const enumeration *e, const fz_state *state, fzi_successors *s)
{
    for (const char *const *text = e->given; text && *text; text++)
        for (size_t i = 0; i < s->count; i++)
            if (strcmp(fz_chance_text(e->machine, state, s->outcomes[i].value), *text) == 0) {
                s->outcomes[0] = s->outcomes[i];
                s->total = s->outcomes[0].weight;
                s->count = 1;
                return;
            }
}

static fz_status go_on(enumeration *e, const fz_state *state, fz_ratio probability)
{
    fzi_successors found = {0};
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
    fz_status status = fzi_successors_find(&found, e->machine, state);
    if (status == FZ_OK) {
        leave_given(e, state, &found);
        e->depth++;
        status = each_value(e, state, probability, &found);
        e->depth--;
    }
    fzi_successors_clear(&found);
    return status;
}

fz_status fz_state_each_outcome(fz_machine *machine, const fz_state *state,
                                const char *const *given, fz_outcome_end *end, void *user,
                                double *unfollowed)
{
    enumeration e = {.machine = machine, .turns = fz_state_turns(state), .given = given, .end = end,
                     .user = user};
    fz_chance mode = machine->chance;

    machine->chance = FZ_CHANCE_ASK;
    fz_status status = go_on(&e, state, fz_ratio_of(1, 1));
    machine->chance = mode;
    if (unfollowed)
        *unfollowed = e.unfollowed;
    return status;
}
