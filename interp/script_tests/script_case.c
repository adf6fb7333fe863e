/* One test of a script: its state, how a step ends, chance, and the steps that change the state.
 * Chance is asked for and comes from the test's `chance` statements only. */
#include <stdio.h>

#include "script_case.h"
#include "interp/program/values.h"
#include "interp/support/position_form.h"
#include "interp/text/position.h"
#include "interp/text/notation.h"
#include "interp/vm/game.h"

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

void fzi_case_fail(fzi_script_case *t)
{
    char where[256] = "";

    if (t->step->place < t->program->place_count)
        fzi_place_text(t->program, &t->program->places[t->step->place], where, sizeof where);
    if (*where)
        fzi_buffer_format(&t->out, "%s: ", where);
    t->failed = true;
}

bool fzi_case_broken(fzi_script_case *t, const char *what)
{
    fzi_case_fail(t);
    fzi_buffer_format(&t->out, "%s\n", what);
    return false;
}

void fzi_case_add_board(fzi_script_case *t)
{
    char *drawing = NULL;

    if (fz_state_draw(t->machine, t->state, 0, &drawing) != FZ_OK)
        return;
    add_indented(&t->out, drawing);
    fzi_release(t->machine->allocator, drawing);
}

/* The `fails` that says how the current step ends, or the game's beginning if there is none;
 * NULL. */
static const fz_test_step *expected_failure(const fzi_script_case *t)
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
 * it was before the step, and the test goes on after the `fails`. */
bool fzi_case_broken_by_machine(fzi_script_case *t)
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
        fzi_case_fail(t);
    t->failed = true;
    fzi_buffer_format(&t->out, "%s\n", *message ? message : "the step failed");
    if (expected)
        fzi_buffer_format(&t->out, "  expected: an error with '%s'\n",
                          fzi_text(t->program, expected->text));
    return false;
}

static bool do_fails(fzi_script_case *t)
{
    fzi_case_fail(t);
    fzi_buffer_format(&t->out, "no error came; expected: one with '%s'\n",
                      fzi_text(t->program, t->step->text));
    fzi_case_add_board(t);
    return true;
}

/* ---- chance ---- */

static void add_outcomes(fzi_script_case *t)
{
    const fz_outcome *outcomes;
    size_t count;

    fz_state_outcomes(t->machine, t->state, &outcomes, &count);
    size_t most = count < 12 ? count : 12;
    for (size_t i = 0; i < most; i++) {
        fzi_buffer_format(&t->out, "%s%s", i ? ", " : "",
                          fz_chance_text(t->machine, t->state, outcomes[i].value));
        fz_state_outcomes(t->machine, t->state, &outcomes, &count);
    }
    fzi_buffer_text(&t->out, count > most ? ", ...\n" : "\n");
}

/* Gives what `chance` has said to the chance that is waited for. */
static bool feed(fzi_script_case *t)
{
    unsigned used = 0;

    while (used < t->tape_count && fz_state_waiting(t->state) == FZ_WAITING_CHANCE) {
        fz_status status = fz_state_set_chance(t->machine, t->state, t->tape[used]);
        if (status == FZ_USAGE) {
            fzi_case_fail(t);
            fzi_buffer_format(&t->out, "chance cannot bring %lld here, but ",
                              (long long)t->tape[used]);
            add_outcomes(t);
            return false;
        }
        if (status != FZ_OK)
            return fzi_case_broken_by_machine(t);
        used++;
    }
    t->tape_count -= used;
    memmove(t->tape, t->tape + used, t->tape_count * sizeof *t->tape);
    return true;
}

bool fzi_case_no_chance(fzi_script_case *t)
{
    if (fz_state_waiting(t->state) != FZ_WAITING_CHANCE)
        return true;
    fzi_case_fail(t);
    fzi_buffer_text(&t->out, "chance is waited for: say `chance ...;` before. It may be ");
    add_outcomes(t);
    return false;
}

/* ---- steps ---- */

/* Does the text begin with a site's name? Then it is a list of sites and pieces. */
static bool is_list(const fz_program *program, const char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strcspn(text, " \t\r\n");
    return fzi_site_find(program, text, length) >= 0 && !fzi_cell_is_pieces(program, text, length);
}

/* "a1 P, b3 p" or "a1 P b3 p", for boards without rows. */
static bool put_list(const fz_program *program, uint8_t *block, const char *text, char *message,
                     size_t size)
{
    for (;;) {
        size_t length, piece_length;
        text += strspn(text, " \t\r\n,;");
        length = strcspn(text, " \t\r\n,;");
        if (!length)
            return true;
        int site = fzi_site_find(program, text, length);
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
static bool do_pieces(fzi_script_case *t, const char *text, const fzi_position_extra *extra)
{
    bool blank = text[strspn(text, " \t\r\n")] == '\0', good = true;
    fz_state *built = fzi_position_new(t->state);
    int mover = 0;
    char message[256];

    if (!built)
        return fzi_case_broken(t, "out of memory");
    if (!blank)
        good = is_list(t->program, text)
                 ? put_list(t->program, built->block, text, message, sizeof message)
                 : fzi_diagram_read(t->program, built->block, text, NULL, message, sizeof message);
    if (!good) {
        fz_state_free(built);
        return fzi_case_broken(t, message);
    }
    if (fzi_position_add(t->machine, built, extra, &mover) != FZ_OK) {
        fz_state_free(built);
        return fzi_case_broken_by_machine(t);
    }
    return fzi_position_begin(t->machine, t->state, built, mover, 1 + (uint32_t)mover,
                              (uint32_t)mover) == FZ_OK
               ? feed(t)
               : fzi_case_broken_by_machine(t);
}

static bool do_position(fzi_script_case *t)
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
    return status == FZ_OK ? feed(t) : fzi_case_broken_by_machine(t);
}

static bool do_play(fzi_script_case *t)
{
    const char *text = fzi_text(t->program, t->step->text);
    fz_move move;

    if (!fzi_case_no_chance(t))
        return false;
    if (fz_state_waiting(t->state) == FZ_GAME_OVER) {
        fzi_case_fail(t);
        fzi_buffer_format(&t->out, "'%s' cannot be played: the game is over\n", text);
        fzi_case_add_board(t);
        return false;
    }
    fz_status status = fz_move_parse(t->machine, t->state, text, &move);
    if (status == FZ_NOT_FOUND) {
        fzi_case_fail(t);
        fzi_buffer_format(&t->out, "'%s' cannot be played\n", text);
        add_indented(&t->out, fz_move_why(t->machine, t->state, text));
        fzi_case_add_board(t);
        return false;
    }
    if (status == FZ_OK)
        status = fz_state_play(t->machine, t->state, &move);
    return status == FZ_OK ? feed(t) : fzi_case_broken_by_machine(t);
}

static bool do_do(fzi_script_case *t)
{
    if (fzi_head_of(t->state)->phase == FZ_PHASE_SETUP)
        return fzi_case_broken(t, "'do' is a turn, and the set-up has not ended: finish it with "
                                  "'play' or 'chance', or begin with 'position'");
    fz_state *done = fz_state_clone(t->state); /* what fails leaves nothing behind */
    if (!done)
        return fzi_case_broken(t, "out of memory");
    if (fzi_state_do(t->machine, done, (uint32_t)t->step->function) != FZ_OK) {
        fz_state_free(done);
        return fzi_case_broken_by_machine(t);
    }
    fz_state_free(t->state);
    t->state = done;
    return feed(t);
}

static bool do_chance(fzi_script_case *t)
{
    if (t->tape_count == sizeof t->tape / sizeof t->tape[0])
        return fzi_case_broken(t, "too many chance results");
    t->tape[t->tape_count++] = t->step->a;
    return feed(t);
}

bool fzi_case_do(fzi_script_case *t)
{
    switch ((enum fz_test_op)t->step->op) {
    case FZ_TEST_POSITION: return do_position(t);
    case FZ_TEST_AFTER: case FZ_TEST_PLAY: return do_play(t);
    case FZ_TEST_DO: return do_do(t);
    case FZ_TEST_CHANCE: return do_chance(t);
    case FZ_TEST_FAILS: return do_fails(t);
    default: return true; /* script_expect.c does the others */
    }
}
