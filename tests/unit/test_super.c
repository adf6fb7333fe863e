/* Superinstructions: each stands in the code of some game here, and the games are those of the
 * plain instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "interp/state/state.h"
#include "interp/vm/superinstructions.h"
#include "rig.h"

/* Marks on empty sites, a line, and a draw when the board is full. */
static const char ROW[] =
    "game \"Row\"; players White, Black; board square(5); piece Mark \"M\";\n"
    "turn { choose to in empty => put Mark of me at to; }\n"
    "end { if line_at(last_to, mine, 4) win me; if empty == {} draw; }\n";
/* Marks that fall, of three players. */
static const char FALL[] =
    "game \"Fall\"; players White, Black, Red; board square(3);\n"
    "piece Mark \"M\"; piece Wall \"W\";\n"
    "let landings: sites = empty - (empty + n);\n"
    "turn { choose to in landings => put Mark of me at to; }\n"
    "end { if line(mine, 3) win me; if line_at(last_to, mine, 3) win me; \n"
    "      if empty == {} or pieces(Wall) != {} draw; }\n";
/* Men that step, jump nobody and are counted. */
static const char MEN[] =
    "game \"Men\"; players White, Black; board square(5);\n"
    "var steps: 0 .. 99 = 0;\n"
    "piece Man \"M\" { move to step(here, forward | forward_left | forward_right); }\n"
    "setup { put Man of White at rank(1); put Man of Black at rank(5); }\n"
    "turn { choose { piece_moves; } otherwise lose me;\n"
    "       if #(theirs) != 5 steps = min(steps + 1, 99); }\n"
    "end { if steps == 20 draw; if mine & (rank(1) | rank(5)) == rank(5) win me; }\n"
    "limit 60 turns draw;\n";
/* Steps are all that a turn chooses from: of one shape, of shapes that need other sets, and of
 * shapes that need the same. */
static const char WALK[] =
    "game \"Walk\"; players White, Black; board square(4);\n"
    "piece Man \"M\" { move to step(here, orthogonal) & empty; }\n"
    "setup { put Man of White at rank(1); put Man of Black at rank(4); }\n"
    "turn { choose piece_moves otherwise lose me; }\n"
    "end { if mine & (rank(1) | rank(4)) == {} win me; }\n"
    "limit 60 turns draw;\n";
static const char PUSH[] =
    "game \"Push\"; players White, Black; board square(5);\n"
    "piece Man \"M\" {\n"
    "  move to step(here, forward) & empty;\n"
    "  move to step(here, forward_left | forward_right) - mine;\n"
    "  move to step(here, left | right) - theirs - mine;\n"
    "}\n"
    "setup { put Man of White at rank(1); put Man of Black at rank(5); }\n"
    "turn { choose piece_moves otherwise lose me; }\n"
    "limit 60 turns draw;\n";
/* Two sets to choose from, which are a list. */
static const char TAKE[] =
    "game \"Take\"; players White, Black; board square(3); piece Mark \"M\";\n"
    "turn { choose { for to in empty => put Mark of me at to;\n"
    "                for from in theirs => remove from; } }\n"
    "limit 60 turns draw;\n";
/* Marks again, whose turns note nothing; a line through a site that is known. */
static const char PLACE[] =
    "game \"Place\"; players White, Black; board square(3); piece Mark \"M\";\n"
    "turn { choose to in empty => put Mark of me at to; }\n"
    "end { if line(mine, 3) win me; if line_at(b1, mine, 3) lose me; if empty == {} draw; }\n";
/* Two sets of sites for marks, which are a list. */
static const char PASS[] =
    "game \"Pass\"; players White, Black; board square(3); piece Mark \"M\";\n"
    "var taken: 0 .. 99 = 0;\n"
    "turn { choose { for to in empty => put Mark of me at to;\n"
    "                for to in theirs => { put Mark of me at to; taken = taken + 1; } } }\n"
    "end { if line_at(last_to, mine, 3) win me; }\n"
    "limit 60 turns draw;\n";
/* Steps of several kinds of pieces, each an option. */
static const char KINDS[] =
    "game \"Kinds\"; players White, Black; board square(4);\n"
    "piece Fox \"F\" { move to step(here, diagonal) & empty; }\n"
    "piece Hen \"H\" { move to step(here, forward) & empty;\n"
    "                move to step(here, forward_left | forward_right) & theirs; }\n"
    "piece Ox \"O\" { move to step(here, left | right) & empty; }\n"
    "setup { put Fox of White at {a1, d1}; put Hen of White at b1; put Hen of Black at rank(4);\n"
    "        put Ox of Black at {c3}; }\n"
    "turn { choose piece_moves otherwise lose me; }\n"
    "end { if pieces(Fox) & rank(4) != {} win White; }\n"
    "limit 60 turns draw;\n";
/* Steps beside a set: a list. */
static const char DROP[] =
    "game \"Drop\"; players White, Black; board square(4);\n"
    "piece Man \"M\" { move to step(here, forward) & empty; }\n"
    "setup { put Man of White at rank(1); put Man of Black at rank(4); }\n"
    "turn { choose { piece_moves; for to in empty & rank(1, me) => put Man of me at to; }\n"
    "       otherwise lose me; }\n"
    "limit 60 turns draw;\n";
static const char *const texts[] = {ROW, FALL, MEN, WALK, PUSH, TAKE, PLACE, PASS, KINDS, DROP};
enum { TEXTS = sizeof texts / sizeof *texts, GAMES = 60 };

typedef struct pair {
    rig with, without;
} pair;

static void pair_open(pair *p, const char *text, const fz_limits *limits)
{
    assert_int_equal(rig_open(&p->with, text, NULL, 0), 0);
    p->without.context = rig_context();
    assert_int_equal(fz_context_disable_optimisations(p->without.context, "super"), FZ_OK);
    p->without.program = compiled(p->without.context, text);
    assert_non_null(p->without.program);
    p->without.machine = fz_machine_new(p->without.program, limits);
    p->without.state = fzi_state_make(p->without.program);
    assert_non_null(p->without.state);
    fz_machine_free(p->with.machine);
    p->with.machine = fz_machine_new(p->with.program, limits);
    assert_non_null(p->with.machine);
}

static void pair_clear(pair *p)
{
    rig_clear(&p->with);
    rig_clear(&p->without);
}

static void test_all_stand_somewhere(void **unused)
{
    bool found[256] = {false};

    (void)unused;
    for (unsigned i = 0; i < TEXTS; i++) {
        pair p;
        pair_open(&p, texts[i], NULL);
        const fz_program *program = p.with.program;
        assert_ptr_equal(p.without.machine->code, p.without.program->code);
        FZI_FOR_CODE (at, program, 0, program->code_length)
            found[FZ_CODE_OP(p.with.machine->code[at])] = true;
        pair_clear(&p);
    }
    for (unsigned op = FZ_SUPER_BEFORE + 1; op < FZ_SUPER_PAST; op++)
        if (!found[op])
            fail_msg("superinstruction %u of the list stands nowhere", op - FZ_SUPER_BEFORE);
}

/* One random game; what came of it. */
static fz_status play(rig *r, uint64_t stream, uint64_t plies)
{
    fz_status status = fz_state_restart(r->machine, r->state, 7, stream);

    while (status == FZ_OK && fz_state_waiting(r->state) == FZ_WAITING_MOVE)
        status = fz_state_playout(r->machine, r->state, plies);
    return status;
}

static void compare(const char *text, const fz_limits *limits, uint64_t plies, bool logs,
                    bool failing)
{
    pair p;
    bool failed = false;

    pair_open(&p, text, limits);
    if (!logs) {
        fzi_state_forget(p.with.state);
        fzi_state_forget(p.without.state);
    }
    for (uint64_t stream = 0; stream < GAMES; stream++) {
        fz_status status = play(&p.with, stream, plies);
        assert_int_equal(status, play(&p.without, stream, plies));
        assert_string_equal(fz_machine_message(p.with.machine),
                            fz_machine_message(p.without.machine));
        const fzi_head *a = fzi_head_of(p.with.state), *b = fzi_head_of(p.without.state);
        assert_int_equal(a->top, b->top);
        if (status == FZ_OK) /* what a turn leaves in its registers is read by nobody */
            assert_memory_equal(a, b, p.with.machine->layout.frames);
        failed |= status != FZ_OK;
    }
    assert_int_equal(failed, failing);
    pair_clear(&p);
}

static void test_same_games(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < TEXTS; i++) {
        compare(texts[i], NULL, UINT64_MAX, false, false);
        compare(texts[i], NULL, UINT64_MAX, true, false);
        compare(texts[i], NULL, 1, false, false); /* waits at each decision */
    }
}

/* The budget ends at the same instruction, and the message names its place. */
static void test_same_faults(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < TEXTS; i++) {
        compare(texts[i], &(fz_limits){.instructions = 7}, UINT64_MAX, false, true);
        compare(texts[i], &(fz_limits){.moves = 2}, UINT64_MAX, false, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_stand_somewhere),
        cmocka_unit_test(test_same_games),
        cmocka_unit_test(test_same_faults),
    };

    return cmocka_run_group_tests_name("super", tests, NULL, NULL);
}
