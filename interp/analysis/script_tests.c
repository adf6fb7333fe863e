/* The tests that stand in scripts: each runs its steps on a fresh state of the program, compiled
 * again when the test sets options. Chance is asked for and comes from the test's `chance`
 * statements only. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "interp/ferz_tools.h"
#include "interp/program/values.h"
#include "interp/support/position_form.h"
#include "interp/text/diagram.h"
#include "interp/text/notation.h"
#include "interp/text/position.h"
#include "interp/vm/call.h"

/* A program under options that some test sets. */
typedef struct variant {
    char *settings;          /* "A=B\nC=D\n"; "" for the program as it was asked for */
    fz_program *program;
    struct variant *next;
} variant;

typedef struct suite {
    fz_context *context;
    const char *path, *text;
    size_t length;
    const fz_setting *settings;
    size_t setting_count;
    variant *variants;
} suite;

typedef struct test_case {
    suite *suite;
    const fz_program *program;
    const fz_test_info *test;
    const fz_test_step *step;  /* the current one */
    fz_machine *machine;
    fz_state *state;
    int64_t tape[64];          /* results of chance that are still to come */
    unsigned tape_count;
    bool failed;
    bool caught;               /* the step ended in the error that a `fails` behind it expects */
    fzi_buffer out;            /* what differed */
} test_case;

/* ---- messages ---- */

static void add_indented(fzi_buffer *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        fzi_buffer_text(out, "  ");
        fzi_buffer_add(out, text, length);
        fzi_buffer_char(out, '\n');
        text += length + (text[length] == '\n');
    }
}

/* Notes that the step went wrong, with its place; the caller adds the rest. */
static void fail(test_case *t)
{
    char where[256] = "";

    if (t->step->place < t->program->place_count)
        fzi_place_text(t->program, &t->program->places[t->step->place], where, sizeof where);
    if (*where)
        fzi_buffer_format(&t->out, "%s: ", where);
    t->failed = true;
}

/* The step could not be done; the test ends. */
static bool broken(test_case *t, const char *what)
{
    fail(t);
    fzi_buffer_format(&t->out, "%s\n", what);
    return false;
}

static void add_board(test_case *t)
{
    char *drawing = NULL;

    if (fz_state_draw(t->machine, t->state, 0, &drawing) != FZ_OK)
        return;
    add_indented(&t->out, drawing);
    fzi_release(t->machine->allocator, drawing);
}

/* The `fails` that says how the current step ends, or the game's beginning if there is none;
 * NULL. */
static const fz_test_step *expected_failure(const test_case *t)
{
    const fz_test_step *next = t->program->steps + t->test->first, *end = next + t->test->steps;

    if (t->step)
        next = t->step + 1;
    while (next < end && (next->op == FZ_TEST_TEXT || next->op == FZ_TEST_OUTCOME ||
                          next->op == FZ_TEST_PART))
        next++;
    return next < end && next->op == FZ_TEST_FAILS ? next : NULL;
}

/* An error of the script ends the test, unless it is the one that is expected: then the state is as
 * it was before the step, and the test goes on behind the `fails`. */
static bool broken_by_machine(test_case *t)
{
    char message[512];
    const fz_test_step *expected = expected_failure(t);

    snprintf(message, sizeof message, "%s", fz_machine_message(t->machine));
    t->caught = expected && strstr(message, fzi_text(t->program, expected->text));
    if (t->caught) {
        t->step = expected;
        t->tape_count = 0;
        return false;
    }
    if (t->step)
        fail(t);
    t->failed = true;
    fzi_buffer_format(&t->out, "%s\n", *message ? message : "the step failed");
    if (expected)
        fzi_buffer_format(&t->out, "  expected: an error with '%s'\n",
                          fzi_text(t->program, expected->text));
    return false;
}

static bool do_fails(test_case *t)
{
    fail(t);
    fzi_buffer_format(&t->out, "no error came; expected: one with '%s'\n",
                      fzi_text(t->program, t->step->text));
    add_board(t);
    return true;
}

/* ---- chance ---- */

static void add_outcomes(test_case *t)
{
    const fz_outcome *outcomes;
    size_t count, most;

    fz_state_outcomes(t->machine, t->state, &outcomes, &count);
    most = count < 12 ? count : 12;
    for (size_t i = 0; i < most; i++) {
        fzi_buffer_format(&t->out, "%s%s", i ? ", " : "",
                          fz_chance_text(t->machine, t->state, outcomes[i].value));
        fz_state_outcomes(t->machine, t->state, &outcomes, &count);
    }
    fzi_buffer_text(&t->out, count > most ? ", ...\n" : "\n");
}

/* Gives what `chance` has said to the chance that is waited for. */
static bool feed(test_case *t)
{
    unsigned used = 0;

    while (used < t->tape_count && fz_state_waiting(t->state) == FZ_WAITING_CHANCE) {
        fz_status status = fz_state_set_chance(t->machine, t->state, t->tape[used]);
        if (status == FZ_USAGE) {
            fail(t);
            fzi_buffer_format(&t->out, "chance cannot bring %lld here, but ",
                              (long long)t->tape[used]);
            add_outcomes(t);
            return false;
        }
        if (status != FZ_OK)
            return broken_by_machine(t);
        used++;
    }
    t->tape_count -= used;
    memmove(t->tape, t->tape + used, t->tape_count * sizeof *t->tape);
    return true;
}

/* A step that needs a choice must not meet chance that nothing was said about. */
static bool no_chance(test_case *t)
{
    if (fz_state_waiting(t->state) != FZ_WAITING_CHANCE)
        return true;
    fail(t);
    fzi_buffer_text(&t->out, "chance is waited for: say `chance ...;` before. It may be ");
    add_outcomes(t);
    return false;
}

/* ---- steps ---- */

static unsigned arguments_of(const test_case *t, int32_t function)
{
    return t->program->functions[function].int_params ? 1 : 0;
}

/* Does the text begin with a site's name? Then it is a list of sites and pieces. */
static bool is_list(const fz_program *program, const char *text)
{
    size_t length;

    text += strspn(text, " \t\r\n");
    length = strcspn(text, " \t\r\n");
    return fzi_site_find(program, text, length) >= 0 && !fzi_cell_is_pieces(program, text, length);
}

/* "a1 P, b3 p" or "a1 P b3 p", for boards without rows. */
static bool put_list(const fz_program *program, uint8_t *block, const char *text, char *message,
                     size_t size)
{
    for (;;) {
        size_t length, piece_length;
        int site;
        text += strspn(text, " \t\r\n,;");
        length = strcspn(text, " \t\r\n,;");
        if (!length)
            return true;
        site = fzi_site_find(program, text, length);
        if (site < 0) {
            snprintf(message, size, "no site '%.*s'", (int)length, text);
            return false;
        }
        text += length;
        text += strspn(text, " \t\r\n");
        piece_length = strcspn(text, " \t\r\n,;");
        if (!piece_length ||
            !fzi_cell_put(program, block, (unsigned)site, text, piece_length)) {
            snprintf(message, size, "'%.*s' is no piece", (int)piece_length, text);
            return false;
        }
        text += piece_length;
    }
}

/* A diagram, or a list of sites and pieces. */
static bool do_pieces(test_case *t, const char *text, const fzi_position_extra *extra)
{
    bool blank = text[strspn(text, " \t\r\n")] == '\0', good = true;
    fz_state *built = fzi_position_new(t->state);
    int mover = 0;
    char message[256];

    if (!built)
        return broken(t, "out of memory");
    if (!blank)
        good = is_list(t->program, text)
                 ? put_list(t->program, built->block, text, message, sizeof message)
                 : fzi_diagram_read(t->program, built->block, text, NULL, message, sizeof message);
    if (!good) {
        fz_state_free(built);
        return broken(t, message);
    }
    if (fzi_position_add(t->machine, built, extra, &mover) != FZ_OK) {
        fz_state_free(built);
        return broken_by_machine(t);
    }
    return fzi_position_begin(t->machine, t->state, built, mover, 1 + (uint32_t)mover,
                              (uint32_t)mover) == FZ_OK
               ? feed(t)
               : broken_by_machine(t);
}

static bool do_position(test_case *t)
{
    const char *text = fzi_text(t->program, t->step->text);
    const fzi_position_extra extra = {(int)t->step->a, t->step->function};
    fz_status status;

    switch (fzi_position_form(text)) {
    case FZI_FORM_FEN:
        status = fzi_fen_read(t->machine, t->state, text, &extra);
        break;
    case FZI_FORM_WHOLE:
        status = fzi_position_read(t->machine, t->state, text, &extra);
        break;
    default:
        return do_pieces(t, text, &extra);
    }
    return status == FZ_OK ? feed(t) : broken_by_machine(t);
}

static bool do_play(test_case *t)
{
    const char *text = fzi_text(t->program, t->step->text);
    fz_status status;
    fz_move move;

    if (!no_chance(t))
        return false;
    if (fz_state_waiting(t->state) == FZ_GAME_OVER) {
        fail(t);
        fzi_buffer_format(&t->out, "'%s' cannot be played: the game is over\n", text);
        add_board(t);
        return false;
    }
    status = fz_move_parse(t->machine, t->state, text, &move);
    if (status == FZ_NOT_FOUND) {
        fail(t);
        fzi_buffer_format(&t->out, "'%s' cannot be played\n", text);
        add_indented(&t->out, fz_move_why(t->machine, t->state, text));
        add_board(t);
        return false;
    }
    if (status == FZ_OK)
        status = fz_state_play(t->machine, t->state, &move);
    return status == FZ_OK ? feed(t) : broken_by_machine(t);
}

static bool do_do(test_case *t)
{
    if (fzi_head_of(t->state)->phase == FZ_PHASE_SETUP)
        return broken(t, "'do' is a turn, and the set-up has not ended: finish it with 'play' or "
                         "'chance', or begin with 'position'");
    fz_state *done = fz_state_clone(t->state); /* what fails leaves nothing behind */
    if (!done)
        return broken(t, "out of memory");
    if (fzi_state_do(t->machine, done, (uint32_t)t->step->function) != FZ_OK) {
        fz_state_free(done);
        return broken_by_machine(t);
    }
    fz_state_free(t->state);
    t->state = done;
    return feed(t);
}

static bool do_chance(test_case *t)
{
    if (t->tape_count == sizeof t->tape / sizeof t->tape[0])
        return broken(t, "too many chance results");
    t->tape[t->tape_count++] = t->step->a;
    return feed(t);
}

/* The value of a part of an expectation; nothing if it has none here, as behind `x != none and`. */
static void add_part(test_case *t, const fz_test_step *part)
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

static bool do_expect(test_case *t)
{
    const fz_test_step *end = t->program->steps + t->test->first + t->test->steps;

    int64_t me = fz_state_mover(t->state), truth = 0;

    if (fzi_state_call(t->machine, t->state, (uint32_t)t->step->function, &me,
                       arguments_of(t, t->step->function), &truth, NULL) != FZ_OK)
        return broken_by_machine(t);
    if (truth)
        return true;
    fail(t);
    fzi_buffer_format(&t->out, "expected %s\n", fzi_text(t->program, t->step->text));
    for (const fz_test_step *part = t->step + 1; part < end && part->op == FZ_TEST_PART; part++)
        add_part(t, part);
    add_board(t);
    return true;
}

/* ---- lists of moves ---- */

static bool list_moves(test_case *t, fz_moves **moves)
{
    if (!no_chance(t))
        return false;
    *moves = fz_moves_new(t->machine);
    if (!*moves)
        return broken(t, "out of memory");
    if (fz_state_waiting(t->state) != FZ_WAITING_MOVE ||
        fz_state_moves(t->machine, t->state, *moves) == FZ_OK)
        return true;
    fz_moves_free(*moves);
    return broken_by_machine(t);
}

/* Is the text among those that the step expects? */
static bool is_expected(const test_case *t, const char *text)
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
static void add_expected(test_case *t, const fz_moves *moves, const char *before, bool there)
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

static void add_surplus(test_case *t, const fz_moves *moves)
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

static bool do_moves(test_case *t)
{
    size_t before;
    fz_moves *moves;

    if (!list_moves(t, &moves))
        return false;
    before = t->out.length;
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
    fail(t);
    fzi_buffer_text(&t->out, "the legal moves are others\n");
    fzi_buffer_text(&t->out, fzi_buffer_get(&found));
    fzi_buffer_free(&found);
    add_board(t);
    return true;
}

/* The lines of the player's observation, which must or must not be there. */
static bool do_seen(test_case *t)
{
    char *text;
    bool wanted = t->step->op == FZ_TEST_SEEN_INCLUDE, good = true;
    const char *player = fz_program_player_name(t->program, (int)t->step->b);

    if (fz_state_observation(t->machine, t->state, (int)t->step->b, &text) != FZ_OK)
        return broken_by_machine(t);
    for (int64_t i = 1; i <= t->step->a; i++) {
        const char *lines = fzi_text(t->program, t->step[i].text);
        if (fzi_has_lines(text, lines) == wanted)
            continue;
        if (good)
            fail(t);
        good = false;
        fzi_buffer_format(&t->out, "%s %s: %s\n", player, wanted ? "does not see" : "sees", lines);
    }
    if (!good)
        fzi_buffer_format(&t->out, "what %s sees:\n%s", player, text);
    fzi_release(t->machine->allocator, text);
    return true;
}

static bool do_count(test_case *t)
{
    fz_moves *moves;
    size_t count;

    if (!list_moves(t, &moves))
        return false;
    count = fz_moves_count(moves);
    if (count != (size_t)t->step->a) {
        fail(t);
        fzi_buffer_format(&t->out, "expected %lld move%s, got %zu\n", (long long)t->step->a,
                          t->step->a == 1 ? "" : "s", count);
        for (size_t k = 0; k < count && k < 60; k++) {
            fz_move move = fz_moves_at(moves, k);
            fzi_buffer_format(&t->out, "%s%s", k ? ", " : "  ",
                              fz_move_text(t->machine, t->state, &move));
        }
        fzi_buffer_text(&t->out, count > 60 ? ", ...\n" : count ? "\n" : "");
        add_board(t);
    }
    fz_moves_free(moves);
    return true;
}

/* What perft may go through in a test: a tenth as many positions as a decision may have
 * instructions. */
typedef struct patience {
    uint64_t positions, most;
} patience;

static bool too_long(void *user, uint64_t done, uint64_t total)
{
    enum { ASKED_EVERY = 1024 };
    patience *left = user;

    (void)done;
    (void)total;
    left->positions += ASKED_EVERY;
    return left->positions > left->most;
}

static bool do_perft(test_case *t)
{
    uint64_t nodes = 0;
    bool decisions = t->step->op == FZ_TEST_PERFT_DECISIONS;
    patience used = {0, t->machine->limits.instructions / 10};
    fz_watch watch = {too_long, &used};

    if (fz_perft(t->machine, t->state, (unsigned)t->step->a, decisions, &watch, &nodes) != FZ_OK)
        return broken_by_machine(t);
    if (used.positions > used.most) {
        fail(t);
        fzi_buffer_format(
            &t->out,
            "perft goes through more than %llu positions ('--limit instructions=N' allows "
            "N / 10, 'ferz perft' any number)\n",
            (unsigned long long)used.most);
        return false;
    }
    if (nodes == (uint64_t)t->step->b)
        return true;
    fail(t);
    fzi_buffer_format(&t->out, "perft %lld%s: expected %lld, got %llu\n", (long long)t->step->a,
                      decisions ? " decisions" : "", (long long)t->step->b,
                      (unsigned long long)nodes);
    add_board(t);
    return true;
}

/* ---- outcomes ---- */

typedef struct outcome_sums {
    test_case *test;
    fz_ratio *sums;          /* for each condition: how probable it is */
} outcome_sums;

static fz_status note_end(void *user, const fz_state *state, fz_ratio probability)
{
    outcome_sums *o = user;
    test_case *t = o->test;

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

static bool same_ratio(fz_ratio a, fz_ratio b)
{
    double apart = a.value - b.value;

    if (a.exact && b.exact)
        return a.above == b.above && a.below == b.below;
    return apart < 1e-9 && apart > -1e-9;
}

static void compare_outcome(test_case *t, const fz_test_step *condition, fz_ratio got)
{
    uint64_t below = condition->b > 0 ? (uint64_t)condition->b : 1;
    fz_ratio expected = fz_ratio_of((uint64_t)condition->a, below);
    char text[FZ_RATIO_SIZE];

    if (same_ratio(expected, got))
        return;
    if (!t->failed || t->out.length == 0 || t->out.data[t->out.length - 1] == '\n') {
        fail(t);
        fzi_buffer_text(&t->out, "other probabilities\n");
    }
    fzi_buffer_format(&t->out, "  %s: expected %llu/%llu, got %s\n",
                      fzi_text(t->program, condition->text), (unsigned long long)condition->a,
                      (unsigned long long)below, fz_ratio_text(got, true, text));
}

static bool do_outcomes(test_case *t)
{
    size_t count = (size_t)t->step->a;
    outcome_sums o = {.test = t};
    bool good;

    o.sums = fzi_allocate(t->machine->allocator, count * sizeof *o.sums);
    if (!o.sums)
        return broken(t, "out of memory");
    for (size_t i = 0; i < count; i++)
        o.sums[i] = fz_ratio_of(0, 1);
    good = fz_state_each_outcome(t->machine, t->state, NULL, note_end, &o) == FZ_OK;
    for (size_t i = 0; i < count && good; i++)
        compare_outcome(t, &t->step[i + 1], o.sums[i]);
    fzi_release(t->machine->allocator, o.sums);
    return good || broken_by_machine(t);
}

/* ---- a test ---- */

/* False: the test cannot go on. */
static bool do_step(test_case *t)
{
    switch ((enum fz_test_op)t->step->op) {
    case FZ_TEST_POSITION: return do_position(t);
    case FZ_TEST_AFTER: case FZ_TEST_PLAY: return do_play(t);
    case FZ_TEST_DO: return do_do(t);
    case FZ_TEST_CHANCE: return do_chance(t);
    case FZ_TEST_EXPECT: return do_expect(t);
    case FZ_TEST_MOVES_ARE: case FZ_TEST_MOVES_INCLUDE: case FZ_TEST_MOVES_EXCLUDE:
        return do_moves(t);
    case FZ_TEST_MOVE_COUNT: return do_count(t);
    case FZ_TEST_SEEN_INCLUDE: case FZ_TEST_SEEN_EXCLUDE: return do_seen(t);
    case FZ_TEST_PERFT: case FZ_TEST_PERFT_DECISIONS: return do_perft(t);
    case FZ_TEST_OUTCOMES: return do_outcomes(t);
    case FZ_TEST_FAILS: return do_fails(t);
    case FZ_TEST_SET: case FZ_TEST_TEXT: case FZ_TEST_OUTCOME: case FZ_TEST_PART:
    case FZ_TEST_OP_COUNT:
        break; /* seen to elsewhere */
    }
    return true;
}

/* False: there is no game; that is no failure if a `fails` says so. */
static bool begin_case(test_case *t)
{
    t->machine = fz_machine_new(t->program, &t->suite->context->limits);
    if (!t->machine) {
        fzi_buffer_text(&t->out, "out of memory\n");
        t->failed = true;
        return false;
    }
    fz_machine_set_chance(t->machine, FZ_CHANCE_ASK);
    t->state = fz_state_new(t->machine, 1, 0);
    return t->state || broken_by_machine(t);
}

/* Runs a test of the program; false when something differed, which `out` tells. */
static bool run_case(suite *s, const fz_program *program, const fz_test_info *test, fzi_buffer *out)
{
    test_case t = {.suite = s, .program = program, .test = test,
                   .out = fzi_buffer_in(s->context->allocator)};

    if (!begin_case(&t) && t.caught && t.step + 1 < program->steps + test->first + test->steps) {
        t.step++;
        broken(&t, "there is no game here: set-up failed");
    }
    for (uint32_t i = 0; i < test->steps && t.state; i++) {
        t.step = &program->steps[test->first + i];
        t.caught = false;
        if (!do_step(&t) && !t.caught)
            break;
        i = (uint32_t)(t.step - program->steps) - test->first;
    }
    if (t.state)
        fz_state_free(t.state);
    fz_machine_free(t.machine);
    *out = t.out;
    return !t.failed;
}

/* ---- options that tests set ---- */

static void add_settings(const fz_program *program, const fz_test_info *test, fzi_buffer *out)
{
    for (uint32_t i = 0; i < test->steps; i++) {
        const fz_test_step *step = &program->steps[test->first + i];
        if (step->op == FZ_TEST_SET)
            fzi_buffer_format(out, "%s\n", fzi_text(program, step->text));
    }
}

/* Compiles with the lines "Name=Value" added to the options that were asked for; the later ones
 * hold. */
static fz_status compile_with(suite *s, char *lines, fz_program **program, fz_report **report)
{
    fzi_allocator allocator = s->context->allocator;
    size_t count = s->setting_count, room = count + 1;
    fz_setting *settings;
    fz_status status;

    for (const char *c = lines; *c; c++)
        room += *c == '\n';
    settings = fzi_allocate(allocator, room * sizeof *settings);
    if (!settings)
        return FZ_NO_MEMORY;
    if (count)
        memcpy(settings, s->settings, count * sizeof *settings);
    while (*lines) {
        char *end = lines + strcspn(lines, "\n"), *equals = strchr(lines, '=');
        *end = '\0';
        if (!equals)
            break;
        *equals = '\0';
        settings[count++] = (fz_setting){lines, equals + 1};
        lines = end + 1;
    }
    status = fz_compile_tested(s->context, s->path, s->text, s->length, settings, count,
                               s->setting_count, program, report);
    fzi_release(allocator, settings);
    return status;
}

/* The program for the test's options; NULL, with the reason in `out`. */
static const fz_program *program_for(suite *s, const fz_program *program, const fz_test_info *test,
                                     fzi_buffer *out)
{
    fzi_buffer lines = fzi_buffer_in(s->context->allocator);
    fz_report *report = NULL;
    variant *made, **at = &s->variants;

    add_settings(program, test, &lines);
    for (; *at; at = &(*at)->next) {
        if (strcmp((*at)->settings, fzi_buffer_get(&lines)) == 0) {
            fzi_buffer_free(&lines);
            return (*at)->program;
        }
    }
    made = fzi_allocate(s->context->allocator, sizeof *made);
    if (!made) {
        fzi_buffer_free(&lines);
        return NULL;
    }
    *made = (variant){.settings = fzi_copy_text(s->context->allocator, fzi_buffer_get(&lines),
                                                lines.length)};
    *at = made;
    if (compile_with(s, lines.data, &made->program, &report) != FZ_OK)
        fzi_buffer_format(out, "under its options the script is not valid:\n%s",
                          report && fz_report_errors(report) ? fz_report_text(report, FZ_TEXT)
                                                             : fz_context_message(s->context));
    fz_report_free(report);
    fzi_buffer_free(&lines);
    return made->program;
}

static void free_variants(suite *s)
{
    while (s->variants) {
        variant *v = s->variants;
        s->variants = v->next;
        if (v->program)
            fz_program_release(v->program);
        fzi_release(s->context->allocator, v->settings);
        fzi_release(s->context->allocator, v);
    }
}

/* The test of the same title in another program; of equal titles, the one in the same place among
 * them. */
static const fz_test_info *same_test(const fz_program *program, const fz_test_info *test,
                                     const fz_program *other)
{
    const char *title = fzi_text(program, test->title);
    unsigned before = 0;

    for (const fz_test_info *t = program->tests; t < test; t++)
        before += strcmp(fzi_text(program, t->title), title) == 0;
    for (uint32_t i = 0; i < other->test_count; i++) {
        if (strcmp(fzi_text(other, other->tests[i].title), title) == 0 && before-- == 0)
            return &other->tests[i];
    }
    return NULL;
}

static bool sets_options(const fz_program *program, const fz_test_info *test)
{
    for (uint32_t i = 0; i < test->steps; i++) {
        if (program->steps[test->first + i].op == FZ_TEST_SET)
            return true;
    }
    return false;
}

static bool run_test(suite *s, const fz_program *program, const fz_test_info *test, fzi_buffer *out)
{
    const fz_program *other;
    const fz_test_info *found;

    *out = fzi_buffer_in(s->context->allocator);
    if (!sets_options(program, test))
        return run_case(s, program, test, out);
    other = program_for(s, program, test, out);
    if (!other) {
        if (!out->length)
            fzi_buffer_text(out, "the script cannot be compiled under its options\n");
        return false;
    }
    found = same_test(program, test, other);
    if (found)
        return run_case(s, other, found, out);
    fzi_buffer_text(out, "under its options the test does not exist\n");
    return false;
}

fz_status fz_run_tests(fz_context *context, const char *path, const char *text, size_t length,
                       const fz_setting *settings, size_t setting_count, const char *filter,
                       const fz_test_sink *sink, fz_report **report, unsigned *passed,
                       unsigned *failed)
{
    suite s = {.context = context, .path = path, .text = text, .length = length,
               .settings = settings, .setting_count = setting_count};
    fz_program *program = NULL;
    fz_status status = fz_compile_tested(context, path, text, length, settings, setting_count,
                                         setting_count, &program, report);

    *passed = *failed = 0;
    for (uint32_t i = 0; status == FZ_OK && program && i < program->test_count; i++) {
        const char *title = fzi_text(program, program->tests[i].title);
        fzi_buffer out;
        bool good;
        if (filter && !strstr(title, filter))
            continue;
        good = run_test(&s, program, &program->tests[i], &out);
        ++*(good ? passed : failed);
        if (sink && sink->ended)
            sink->ended(sink->user, title, good, good ? "" : fzi_buffer_get(&out));
        fzi_buffer_free(&out);
    }
    free_variants(&s);
    if (program)
        fz_program_release(program);
    return status;
}
