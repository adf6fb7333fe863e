/* The steps of a script's test that say what must hold: conditions, legal moves, what a player
 * sees, counts, and how probable an outcome is. */
#include <stdio.h>

#include "script_case.h"
#include "interp/program/values.h"
#include "interp/text/notation.h"
#include "interp/text/position.h"
#include "interp/vm/game.h"

static unsigned arguments_of(const fzi_script_case *t, int32_t function)
{
    return t->program->functions[function].int_params ? 1 : 0;
}

/* The value of a part of an expectation; nothing if it has none here, as after `x != none and`. */
static void add_part(fzi_script_case *t, const fz_test_step *part)
{
    int64_t me = fz_state_mover(t->state), value = 0;
    uint64_t set[FZ_MAX_SITES / 64] = {0};
    uint16_t type = (uint16_t)part->a;
    bool is_set = t->program->types[type].kind == FZ_VALUE_SITES;

    if (fzi_state_call(t->machine, t->state, (uint32_t)part->function, &me,
                       arguments_of(t, part->function), &value, is_set ? set : NULL) != FZ_OK)
        return;
    fzi_buffer_format(&t->out, "  %s is ", fzi_text(t->program, part->text));
    if (is_set)
        fzi_sites_text(t->program, set, &t->out);
    else
        fzi_value_text(t->program, type, value, false, &t->out);
    fzi_buffer_char(&t->out, '\n');
}

static bool do_expect(fzi_script_case *t)
{
    const fz_test_step *end = t->program->steps + t->test->first + t->test->steps;

    int64_t me = fz_state_mover(t->state), truth = 0;

    if (fzi_state_call(t->machine, t->state, (uint32_t)t->step->function, &me,
                       arguments_of(t, t->step->function), &truth, NULL) != FZ_OK)
        return fzi_case_broken_by_machine(t);
    if (truth)
        return true;
    fzi_case_fail(t);
    fzi_buffer_format(&t->out, "expected %s\n", fzi_text(t->program, t->step->text));
    for (const fz_test_step *part = t->step + 1; part < end && part->op == FZ_TEST_PART; part++)
        add_part(t, part);
    fzi_case_add_board(t);
    return true;
}

/* ---- lists of moves ---- */

static bool list_moves(fzi_script_case *t, fz_moves **moves)
{
    if (!fzi_case_no_chance(t))
        return false;
    *moves = fz_moves_new(t->machine);
    if (!*moves)
        return fzi_case_broken(t, "out of memory");
    if (fz_state_waiting(t->state) != FZ_WAITING_MOVE ||
        fz_state_moves(t->machine, t->state, *moves) == FZ_OK)
        return true;
    fz_moves_free(*moves);
    return fzi_case_broken_by_machine(t);
}

/* Is the text among those that the step expects? */
static bool is_expected(const fzi_script_case *t, const char *text)
{
    for (int64_t i = 1; i <= t->step->a; i++) {
        if (fzi_move_text_is(text, fzi_text(t->program, t->step[i].text)))
            return true;
    }
    return false;
}

static void add_word(fzi_buffer *out, const char *before, bool *any, const char *text)
{
    fzi_buffer_format(out, "%s%s", *any ? ", " : before, text);
    *any = true;
}

/* The expected texts that are (or, with `there` false, are not) among the legal ones. */
static void add_expected(fzi_script_case *t, const fz_moves *moves, const char *before, bool there)
{
    bool any = false;

    for (int64_t i = 1; i <= t->step->a; i++) {
        const char *wanted = fzi_text(t->program, t->step[i].text);
        bool found = false;
        for (size_t k = 0; k < fz_moves_count(moves) && !found; k++) {
            fz_move move = fz_moves_at(moves, k);
            found = fzi_move_text_is(fz_move_text(t->machine, t->state, &move), wanted);
        }
        if (found == there)
            add_word(&t->out, before, &any, wanted);
    }
    if (any)
        fzi_buffer_char(&t->out, '\n');
}

static void add_surplus(fzi_script_case *t, const fz_moves *moves)
{
    bool any = false;

    for (size_t k = 0; k < fz_moves_count(moves); k++) {
        fz_move move = fz_moves_at(moves, k);
        const char *text = fz_move_text(t->machine, t->state, &move);
        if (!is_expected(t, text))
            add_word(&t->out, "  legal, but not expected: ", &any, text);
    }
    if (any)
        fzi_buffer_char(&t->out, '\n');
}

static bool do_moves(fzi_script_case *t)
{
    fz_moves *moves;

    if (!list_moves(t, &moves))
        return false;
    size_t before = t->out.length;
    if (t->step->op == FZ_TEST_MOVES_EXCLUDE) {
        add_expected(t, moves, "  legal, but not to be: ", true);
    } else {
        add_expected(t, moves, "  expected, but not legal: ", false);
        if (t->step->op == FZ_TEST_MOVES_ARE)
            add_surplus(t, moves);
    }
    fz_moves_free(moves);
    if (t->out.length == before)
        return true;
    /* The place and headline belong before what was found. */
    fzi_buffer found = fzi_buffer_in(t->out.allocator);
    fzi_buffer_text(&found, fzi_buffer_get(&t->out) + before);
    t->out.length = before;
    t->out.data[before] = '\0';
    fzi_case_fail(t);
    fzi_buffer_text(&t->out, "the legal moves are others\n");
    fzi_buffer_text(&t->out, fzi_buffer_get(&found));
    fzi_buffer_free(&found);
    fzi_case_add_board(t);
    return true;
}

/* The lines of the player's observation, which must or must not be there. */
static bool do_seen(fzi_script_case *t)
{
    char *text;
    bool wanted = t->step->op == FZ_TEST_SEEN_INCLUDE, good = true;
    const char *player = fz_program_player_name(t->program, (int)t->step->b);

    if (fz_state_observation(t->machine, t->state, (int)t->step->b, &text) != FZ_OK)
        return fzi_case_broken_by_machine(t);
    for (int64_t i = 1; i <= t->step->a; i++) {
        const char *lines = fzi_text(t->program, t->step[i].text);
        if (fzi_has_lines(text, lines) == wanted)
            continue;
        if (good)
            fzi_case_fail(t);
        good = false;
        fzi_buffer_format(&t->out, "%s %s: %s\n", player, wanted ? "does not see" : "sees", lines);
    }
    if (!good)
        fzi_buffer_format(&t->out, "what %s sees:\n%s", player, text);
    fzi_release(t->machine->allocator, text);
    return true;
}

static bool do_count(fzi_script_case *t)
{
    fz_moves *moves;

    if (!list_moves(t, &moves))
        return false;
    size_t count = fz_moves_count(moves);
    if (count != (size_t)t->step->a) {
        fzi_case_fail(t);
        fzi_buffer_format(&t->out, "expected %lld move%s, got %zu\n", (long long)t->step->a,
                          t->step->a == 1 ? "" : "s", count);
        for (size_t k = 0; k < count && k < 60; k++) {
            fz_move move = fz_moves_at(moves, k);
            fzi_buffer_format(&t->out, "%s%s", k ? ", " : "  ",
                              fz_move_text(t->machine, t->state, &move));
        }
        fzi_buffer_text(&t->out, count > 60 ? ", ...\n" : count ? "\n" : "");
        fzi_case_add_board(t);
    }
    fz_moves_free(moves);
    return true;
}

/* The positions that perft may visit in a test: a tenth as many positions as a decision may have
 * instructions. */
typedef struct patience {
    uint64_t positions, most;
} patience;

static bool too_long(void *user, uint64_t done, uint64_t total)
{
    enum { ASKED_EVERY = 1024 };
    patience *left = user;

    (void)done, (void)total;
    left->positions += ASKED_EVERY;
    return left->positions > left->most;
}

static bool do_perft(fzi_script_case *t)
{
    uint64_t nodes = 0;
    bool decisions = t->step->op == FZ_TEST_PERFT_DECISIONS;
    patience used = {0, t->machine->limits.instructions / 10};
    fz_watch watch = {too_long, &used};

    if (fz_perft(t->machine, t->state, (unsigned)t->step->a, decisions, &watch, &nodes) != FZ_OK)
        return fzi_case_broken_by_machine(t);
    if (used.positions > used.most) {
        fzi_case_fail(t);
        fzi_buffer_format(
            &t->out,
            "perft goes through more than %llu positions ('--limit instructions=N' allows "
            "N / 10, 'ferz perft' any number)\n",
            (unsigned long long)used.most);
        return false;
    }
    if (nodes == (uint64_t)t->step->b)
        return true;
    fzi_case_fail(t);
    fzi_buffer_format(&t->out, "perft %lld%s: expected %lld, got %llu\n", (long long)t->step->a,
                      decisions ? " decisions" : "", (long long)t->step->b,
                      (unsigned long long)nodes);
    fzi_case_add_board(t);
    return true;
}

/* ---- outcomes ---- */

typedef struct outcome_sums {
    fzi_script_case *test;
    fz_ratio *sums;          /* for each condition: how probable it is */
} outcome_sums;

static fz_status note_end(void *user, const fz_state *state, fz_ratio probability)
{
    outcome_sums *o = user;
    fzi_script_case *t = o->test;

    for (int64_t i = 1; i <= t->step->a; i++) {
        const fz_test_step *condition = &t->step[i];
        int64_t me = fz_state_mover(state), truth = 0;
        fz_status status = fzi_state_call(t->machine, state, (uint32_t)condition->function, &me,
                                          arguments_of(t, condition->function), &truth, NULL);
        if (status != FZ_OK)
            return status;
        if (truth)
            o->sums[i - 1] = fz_ratio_add(o->sums[i - 1], probability);
    }
    return FZ_OK;
}

/* `unfollowed` is the probability of what the sums leave out. */
static bool same_ratio(fz_ratio a, fz_ratio b, double unfollowed)
{
    double apart = a.value - b.value, bound = 1e-9 + unfollowed;

    if (a.exact && b.exact && unfollowed == 0)
        return a.numerator == b.numerator && a.denominator == b.denominator;
    return apart < bound && apart > -bound;
}

static void compare_outcome(fzi_script_case *t, const fz_test_step *condition, fz_ratio got,
                            double unfollowed)
{
    uint64_t below = condition->b > 0 ? (uint64_t)condition->b : 1;
    fz_ratio expected = fz_ratio_of((uint64_t)condition->a, below);
    char text[FZ_RATIO_SIZE];

    if (same_ratio(expected, got, unfollowed))
        return;
    got.exact = got.exact && unfollowed == 0;
    if (!t->failed || t->out.length == 0 || t->out.data[t->out.length - 1] == '\n') {
        fzi_case_fail(t);
        fzi_buffer_text(&t->out, "other probabilities\n");
    }
    fzi_buffer_format(&t->out, "  %s: expected %llu/%llu, got %s\n",
                      fzi_text(t->program, condition->text), (unsigned long long)condition->a,
                      (unsigned long long)below, fz_ratio_text(got, true, text));
}

static bool do_outcomes(fzi_script_case *t)
{
    size_t count = (size_t)t->step->a;
    outcome_sums o = {.test = t};
    double unfollowed = 0;
    bool good;

    o.sums = fzi_allocate(t->machine->allocator, count * sizeof *o.sums);
    if (!o.sums)
        return fzi_case_broken(t, "out of memory");
    for (size_t i = 0; i < count; i++)
        o.sums[i] = fz_ratio_of(0, 1);
    good = fz_state_each_outcome(t->machine, t->state, NULL, note_end, &o, &unfollowed) == FZ_OK;
    for (size_t i = 0; i < count && good; i++)
        compare_outcome(t, &t->step[i + 1], o.sums[i], unfollowed);
    fzi_release(t->machine->allocator, o.sums);
    return good || fzi_case_broken_by_machine(t);
}

bool fzi_case_expect(fzi_script_case *t)
{
    switch ((enum fz_test_op)t->step->op) {
    case FZ_TEST_EXPECT: return do_expect(t);
    case FZ_TEST_MOVES_ARE: case FZ_TEST_MOVES_INCLUDE: case FZ_TEST_MOVES_EXCLUDE:
        return do_moves(t);
    case FZ_TEST_MOVE_COUNT: return do_count(t);
    case FZ_TEST_SEEN_INCLUDE: case FZ_TEST_SEEN_EXCLUDE: return do_seen(t);
    case FZ_TEST_PERFT: case FZ_TEST_PERFT_DECISIONS: return do_perft(t);
    case FZ_TEST_OUTCOMES: return do_outcomes(t);
    default: return true; /* script_case.c does the others */
    }
}
