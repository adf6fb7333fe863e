/* Allocation failures: whatever the n-th request for memory belongs to, the call that made it says
 * FZ_NO_MEMORY (or NULL), nothing is lost, and the same call works when there is memory again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ferz.h"
#include "ferz_tools.h"

static const char game[] =
    "game \"Small\";\n"
    "info { fen \"board mover turns\"; }\n"
    "players A, B; board square(3);\n"
    "die Coin { HEADS, TAILS }\n"
    "piece Man \"M\" { move to step(here, adjacent) & empty; }\n"
    "var tosses[player]: 0..9; var mark[site]: 0..3;\n"
    "let ways[s: site]: dirs = {for d in adjacent if s + d in empty}; let held = mine; show mark, "
    "ways, held;\n"
    "fn near(s: site): int { var n = 0; for t in step(s, adjacent) & mine n += 1; return n; }\n"
    "setup { put Man of A at rank(1); put Man of B at rank(3); }\n"
    "turn {\n"
    "  choose { piece_moves; if tosses[me] < 9 \"toss\" => { tosses[me] += 1; mark[a1] = 1;\n"
    "    if roll(Coin) == HEADS choose for s in mine if near(s) > 0 \"out {s}\" => remove s; "
    "otherwise {} } }\n"
    "  ensuring #mine > 0 otherwise lose me;\n"
    "}\n"
    "end { if repetitions > 2 draw; if mine == {} lose me; } limit 12 turns draw;\n";

/* ---- memory that runs out ---- */

typedef struct memory {
    long left;     /* requests until one fails; negative: none does */
    long requests; /* seen */
    long blocks;   /* not yet released */
    bool failed;
} memory;

static void *resize(void *user, void *ptr, size_t size)
{
    memory *m = user;

    if (size == 0) {
        m->blocks -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    m->requests++;
    if (m->left >= 0 && m->left-- == 0) {
        m->failed = true;
        return NULL;
    }
    void *grown = realloc(ptr, size);
    m->blocks += grown && !ptr;
    return grown;
}

/* ---- what is tried: each makes all it needs, as far as there is memory ---- */

typedef struct rig {
    memory memory;
    fz_context *context;
    fz_program *program;
    fz_machine *machine;
    fz_state *state;
    char said[256]; /* by the machine of the call, when that is its own */
    char *texts[3]; /* with all the memory */
} rig;

/* One call, repeated with ever more memory. */
typedef fz_status attempt(rig *r);

static fz_status compile(rig *r)
{
    fz_report *report = NULL;
    fz_program *program = NULL;

    fz_status status =
        fz_compile(r->context, "small.game", game, sizeof game - 1, NULL, 0, &program, &report);
    if (status == FZ_INVALID)
        print_error("%s", fz_report_text(report, FZ_TEXT));
    fz_report_free(report);
    fz_program_release(program);
    return status;
}

static fz_status refuse(rig *r)
{
    static const char wrong[] =
        "game \"Wrong\"; players A, B; board square(3); turn { choos; } setup { put x; }";
    fz_report *report = NULL;
    fz_program *program = NULL;

    fz_status status =
        fz_compile(r->context, "wrong.game", wrong, sizeof wrong - 1, NULL, 0, &program, &report);
    fz_report_free(report);
    return status == FZ_INVALID ? FZ_OK : status;
}

static fz_status format(rig *r)
{
    fz_report *report = NULL;
    char *text = NULL;

    fz_status status =
        fz_format_source(r->context, "small.game", game, sizeof game - 1, &text, &report);
    fz_report_free(report);
    fz_text_free(r->context, text);
    return status;
}

static fz_status context(rig *r)
{
    static const char *const dirs[] = {"a", "b", NULL};
    const fz_config config = {
        .resize = resize, .user = &r->memory, .module_dirs = dirs, .native_dirs = dirs};
    fz_context *made = fz_context_new(&config);

    fz_context_free(made);
    return made ? FZ_OK : FZ_NO_MEMORY;
}

static fz_status machine(rig *r)
{
    fz_machine *made = fz_machine_new(r->program, NULL);
    fz_moves *moves = made ? fz_moves_new(made) : NULL;
    bool good = moves != NULL;

    fz_moves_free(moves);
    fz_machine_free(made);
    return good ? FZ_OK : FZ_NO_MEMORY;
}

static fz_status state(rig *r)
{
    fz_state *made = fz_state_new(r->machine, 7, 0), *clone = made ? fz_state_clone(made) : NULL;
    bool good = clone && fz_state_copy(clone, made) == FZ_OK;

    fz_state_free(made);
    fz_state_free(clone);
    return good ? FZ_OK : FZ_NO_MEMORY;
}

static void finish(rig *r, fz_machine *machine)
{
    snprintf(r->said, sizeof r->said, "%s", machine ? fz_machine_message(machine) : "no machine");
    fz_machine_free(machine);
}

/* In a machine of its own, so that its scratch memory is asked for again. */
static fz_status playout(rig *r)
{
    fz_machine *made = fz_machine_new(r->program, NULL);
    fz_state *begun = made ? fz_state_new(made, 3, 0) : NULL;
    fz_status status = begun ? fz_state_playout(made, begun, 0) : FZ_NO_MEMORY;

    fz_state_free(begun);
    finish(r, made);
    return status;
}

/* A batch that steps, lists and observes; and playouts into arrays. */
static fz_status batch(rig *r)
{
    uint8_t planes[9 * 16 * 4];
    int32_t values[4 * 256];
    int64_t actions[4 * 64];
    uint64_t plies[4], done;
    const fz_playout_task task = {.program = r->program, .seed = 1, .count = 4, .threads = 1};
    const fz_playout_arrays arrays = {.plies = plies};
    const fz_batch_task begun = {.program = r->program, .seed = 3, .count = 4, .threads = 1};
    fz_batch *made;
    fz_status status = fz_batch_new(&begun, &made, r->said);

    for (unsigned i = 0; status == FZ_OK && i < 15; i++)
        status = fz_batch_step(made, NULL, FZ_BATCH_INDEXES, true);
    if (status == FZ_OK)
        status = fz_batch_actions(made, actions);
    if (status == FZ_OK)
        status = fz_batch_step(made, (int64_t[]){0, 0, 0, 0}, FZ_BATCH_INDEXES, true);
    if (status == FZ_OK)
        status = fz_batch_observe(made, -1, planes, values);
    if (made)
        snprintf(r->said, sizeof r->said, "%.200s", fz_batch_message(made));
    fz_batch_free(made);
    return status == FZ_OK ? fz_playouts_into(&task, &arrays, &done, r->said) : status;
}

/* Moves, texts, reasons, outcomes, counts. */
static fz_status look(rig *r)
{
    fz_machine *made = fz_machine_new(r->program, NULL);
    fz_state *begun = made ? fz_state_new(made, 3, 0) : NULL;
    fz_moves *moves = begun ? fz_moves_new(made) : NULL;
    fz_status status = moves ? fz_state_moves(made, begun, moves) : FZ_NO_MEMORY;
    fz_move move = {0};
    uint64_t nodes;

    if (status == FZ_OK) {
        move = fz_moves_at(moves, 0);
        status = fz_move_text(made, begun, &move) ? FZ_OK : FZ_NO_MEMORY;
    }
    if (status == FZ_OK)
        status = fz_move_parse(made, begun, "toss", &move);
    if (status == FZ_OK)
        status = fz_move_why(made, begun, "a1-b1") ? FZ_OK : FZ_NO_MEMORY;
    if (status == FZ_OK)
        status = fz_perft(made, begun, 2, false, NULL, &nodes);
    fz_moves_free(moves);
    fz_state_free(begun);
    finish(r, made);
    return status;
}

static fz_status chance(rig *r)
{
    fz_machine *made = fz_machine_new(r->program, NULL);
    fz_status status = FZ_NO_MEMORY;
    const fz_outcome *outcomes;
    size_t count;
    fz_move move;

    if (made)
        fz_machine_set_chance(made, FZ_CHANCE_ASK);
    fz_state *begun = made ? fz_state_new(made, 3, 0) : NULL;
    if (begun)
        status = fz_move_parse(made, begun, "toss", &move);
    if (status == FZ_OK)
        status = fz_state_play(made, begun, &move);
    if (status == FZ_OK)
        status = fz_state_outcomes(made, begun, &outcomes, &count);
    if (status == FZ_OK)
        status = fz_chance_text(made, begun, 0) ? FZ_OK : FZ_NO_MEMORY;
    if (status == FZ_OK)
        status = fz_state_set_chance(made, begun, 0);
    fz_state_free(begun);
    finish(r, made);
    return status;
}

/* A call that says OK has made the same text, whatever memory there was. */
static void same_text(rig *r, unsigned number, const char *text)
{
    if (!r->texts[number])
        r->texts[number] = strdup(text);
    assert_string_equal(r->texts[number], text);
}

static fz_status texts(rig *r)
{
    char *text = NULL;

    fz_status status = fz_state_write(r->machine, r->state, true, &text);
    if (status == FZ_OK)
        status = fz_state_read(r->machine, r->state, text);
    fz_text_free(r->context, text);
    text = NULL;
    if (status == FZ_OK)
        status = fz_state_draw(r->machine, r->state, FZ_DRAW_COLOUR, &text);
    if (status == FZ_OK)
        same_text(r, 0, text);
    fz_text_free(r->context, text);
    text = NULL;
    if (status == FZ_OK)
        status = fz_state_write_fen(r->machine, r->state, &text);
    if (status == FZ_OK)
        same_text(r, 1, text);
    if (status == FZ_OK) {
        fz_state *other = fz_state_clone(r->state);
        status = other ? fz_state_read_fen(r->machine, other, text) : FZ_NO_MEMORY;
        fz_state_free(other);
    }
    fz_text_free(r->context, text);
    return status;
}

static fz_status playouts(rig *r)
{
    fz_tally tally;
    char message[256] = "";
    fz_status status = fz_playouts(r->program, NULL, 1, 0, 20, 1, true, NULL, &tally, message);

    if (status == FZ_OK)
        assert_int_equal(tally.playouts, 20);
    return status;
}

static fz_status coverage(rig *r)
{
    fz_tally tally;
    fz_coverage covered;
    char message[256] = "";
    fz_status status =
        fz_playouts_covered(&(fz_playout_options){.program = r->program, .seed = 1, .count = 20,
                                         .threads = 1}, &tally, message, &covered);

    if (status == FZ_OK)
        assert_true(tally.playouts == 20 && covered.count > 5);
    fz_coverage_free(&covered);
    return status;
}

static fz_status record(rig *r)
{
    fz_record read = {0};
    char *text = NULL;

    fz_status status = fz_record_playout(r->machine, NULL, "small.game", 1, 0, NULL, &text);
    if (status == FZ_OK) {
        status = fz_record_read(r->context, text, &read);
        fz_record_free(r->context, &read);
    }
    fz_text_free(r->context, text);
    return status;
}

static fz_status save_and_load(rig *r)
{
    fz_program *loaded = NULL;
    char *bytes = NULL, *code = NULL;
    size_t length = 0;

    fz_status status = fz_program_save(r->context, r->program, &bytes, &length);
    if (status == FZ_OK)
        status = fz_compile(r->context, "small.gamec", bytes, length, NULL, 0, &loaded, NULL);
    if (status == FZ_OK)
        status = fz_program_disassemble(r->context, loaded, &code);
    fz_program_release(loaded);
    fz_text_free(r->context, bytes);
    fz_text_free(r->context, code);
    return status;
}

static fz_status script_tests(rig *r)
{
    static const char tested[] =
        "game \"Tested\"; players A, B; board square(2); piece Man \"M\"; turn { choose to in "
        "empty => put Man of me at to; }\n"
        "end { if empty == {} draw; } test \"a\" { moves 4; play \"a1\"; expect empty != {}; }";
    fz_report *report = NULL;
    unsigned passed = 0, failed = 0;

    fz_status status = fz_run_tests(r->context, "tested.game", tested, sizeof tested - 1, NULL, 0,
                                    NULL, NULL, &report, &passed, &failed);
    fz_report_free(report);
    if (status == FZ_OK && failed)
        return FZ_NO_MEMORY; /* a test that had no memory has failed */
    assert_true(status != FZ_OK || passed == 1);
    return status;
}

/* ---- all of them, for all n ---- */

static int begin(void **given)
{
    static rig r;
    static const char *const dirs[] = {FZ_SOURCE_STDLIB_DIR, NULL};
    const fz_config config = {.resize = resize, .user = &r.memory, .module_dirs = dirs};

    memset(&r, 0, sizeof r);
    r.memory.left = -1;
    r.context = fz_context_new(&config);
    if (r.context && fz_compile(r.context, "small.game", game, sizeof game - 1, NULL, 0, &r.program,
                                NULL) != FZ_OK)
        print_error("%s\n", fz_context_message(r.context));
    if (r.program)
        r.machine = fz_machine_new(r.program, NULL);
    if (r.machine)
        r.state = fz_state_new(r.machine, 7, 0);
    *given = &r;
    return r.state && fz_state_playout(r.machine, r.state, 3) == FZ_OK ? 0 : -1;
}

static int end(void **given)
{
    rig *r = *given;

    fz_state_free(r->state);
    fz_machine_free(r->machine);
    fz_program_release(r->program);
    fz_context_free(r->context);
    for (size_t i = 0; i < sizeof r->texts / sizeof *r->texts; i++)
        free(r->texts[i]);
    return r->memory.blocks == 0 ? 0 : -1;
}

/* What a call keeps for the next one (in a state, a machine, a context) is no loss. The log of a
 * state may be lost without the game noticing. */
enum { KEEPS = 1, MAY_WORK = 2 };

static void fail_each(rig *r, attempt *try_it, unsigned flags)
{
    long all;

    assert_int_equal(try_it(r), FZ_OK);
    r->memory.requests = 0;
    assert_int_equal(try_it(r), FZ_OK);
    all = r->memory.requests;
    for (long n = 0; n <= all; n++) {
        long before = r->memory.blocks;
        r->memory.left = n;
        r->memory.failed = false;
        fz_status status = try_it(r);
        r->memory.left = -1;
        if (status != FZ_NO_MEMORY &&
            (status != FZ_OK || (r->memory.failed && !(flags & MAY_WORK)))) {
            print_error("request %ld of %ld: status %d, '%s', '%s'\n", n, all, status, r->said,
                        fz_context_message(r->context));
            fail();
        }
        if (r->memory.blocks > before && !(flags & KEEPS)) {
            print_error("request %ld of %ld: %ld blocks lost\n", n, all, r->memory.blocks - before);
            fail();
        }
        assert_int_equal(try_it(r), FZ_OK);
    }
}

#define TRY(name, flags) static void test_##name(void **given) { fail_each(*given, name, flags); }
TRY(context, 0)
TRY(compile, 0)
TRY(refuse, 0)
TRY(format, 0)
TRY(machine, 0)
TRY(state, KEEPS | MAY_WORK)
TRY(playout, MAY_WORK)
TRY(look, MAY_WORK)
TRY(chance, MAY_WORK)
TRY(texts, KEEPS | MAY_WORK)
TRY(record, KEEPS | MAY_WORK)
TRY(playouts, 0)
TRY(batch, MAY_WORK)
TRY(coverage, 0)
TRY(save_and_load, 0)
TRY(script_tests, MAY_WORK)
#undef TRY

int main(void)
{
#define TRY(name) cmocka_unit_test_setup_teardown(test_##name, begin, end)
    const struct CMUnitTest tests[] = {
        TRY(context), TRY(compile), TRY(refuse), TRY(format), TRY(machine), TRY(state),
        TRY(playout), TRY(look), TRY(chance), TRY(texts), TRY(record), TRY(playouts), TRY(batch),
        TRY(coverage), TRY(save_and_load), TRY(script_tests),
    };
    /* A compiler of native code in the background would ask for memory at any time. */
    setenv("FERZ_ENGINE", "loop", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
