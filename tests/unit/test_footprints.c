/* Quiet effects and footprints: what says that the filters of most moves need no try. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "interp/support/words.h"
#include "interp/vm/filter.h"
#include "interp/vm/game.h"
#include "rig.h"

/* ---- quiet effects ---- */

/* A choice with one option: `for from in mine, to in empty`, and its effect. */
static const char ONE[] =
    "game \"One\"; players White, Black; board square(4);\n"
    "piece King \"K\"; piece Man \"M\"; piece Rook \"R\";\n"
    "var turns_so_far: 0 .. 9; var other: 0 .. 9; carried var age[site]: 0 .. 9;\n"
    "proc counted() { turns_so_far = min(turns_so_far + 1, 9); }\n"
    "proc taken() { capture a1; }\n"
    "setup { put Man of White at rank(1); put Man of Black at rank(4); }\n"
    "turn {\n"
    "  choose { for from in mine, to in empty => { %s } } ensuring turns_so_far < 9\n"
    "  otherwise lose me;\n"
    "}\n"
    "end { if other == 9 draw; }\n";

typedef struct effect {
    const char *text;
    bool quiet;
} effect;

/* Each quiet effect has a twin beside it that is not. */
static const effect effects[] = {
    {"go(from, to);", true},
    {"go(from, to); capture a1;", false},
    {"counted(); go(from, to);", true},
    {"taken(); go(from, to);", false},
    {"go(from, to); become(to, Rook);", true},
    {"become(from, Rook); go(from, to);", false},
    {"go(from, to); become(a1, Rook);", false},
    {"put Man of me at to;", true},
    {"put Man of White at to;", false},
    {"put Man of me at a2;", false},
    {"go(from, to); put Man of me at from;", false},
    {"go(from, to); go(to, from);", false},
    {"swap(from, to);", false},
    {"go(from, to); other = 1;", true},
    {"go(from, to); stop;", false},
};

static void test_quiet_effects(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        const effect *e = &effects[i];
        char text[2000];
        rig r = {.context = rig_context()};
        snprintf(text, sizeof text, ONE, e->text);
        r.program = compiled(r.context, text);
        assert_non_null(r.program);
        const fz_quiet *q = &r.program->options[0].quiet;
        if (q->is != e->quiet || (q->is && !(q->apart & 1)))
            fail_msg("{ %s }: quiet %d, apart %d", e->text, q->is, q->apart & 1);
        rig_clear(&r);
    }
}

/* A filter that reads what the move sets is not judged before the move. */
static void test_filters_apart(void **unused)
{
    (void)unused;
    static const char form[] =
        "game \"Two\"; players White, Black; board square(4); piece Man \"M\";\n"
        "setup { put Man of White at rank(1); put Man of Black at rank(4); }\n"
        "moves go_from(from: site) { for to in empty => go(from, to); } ensuring %s;\n"
        "turn { choose { for from in mine go_from(from); } otherwise lose me; }\n";
    static const char *const tests[] = {"from != a2", "mine != {}"};
    for (int i = 0; i < 2; i++) {
        rig r;
        char text[1000];
        snprintf(text, sizeof text, form, tests[i]);
        assert_int_equal(rig_open(&r, text, NULL, 0), 0);
        assert_true(r.program->options[0].quiet.is);
        assert_int_equal(r.program->options[0].quiet.apart, i);
        rig_clear(&r);
    }
}

/* ---- footprints ---- */

/* Pieces of all sorts that go anywhere, so that random play makes all kinds of positions. */
static const char FILTERED[] =
    "game \"Filtered\"; players White, Black; board square(6); var bell: 0 .. 3;\n"
    "piece King \"K\" { move to step(here, adjacent); }\n"
    "piece Rook \"R\" { move to slide(here, orthogonal); }\n"
    "piece Bishop \"B\" { move to slide(here, diagonal); }\n"
    "piece Knight \"N\" { move to leap(here, 1, 2); }\n"
    "piece Man \"M\" { move to step(step(here, forward) & empty, forward); }\n"
    "let royal: sites = pieces(King, me);\n"
    "setup {\n"
    "  put Man of White at {a1, c1, e1}; put King of White at b1; put Rook of White at {d1, f2};\n"
    "  put Bishop of White at f1; put Knight of White at a2;\n"
    "  put Man of Black at {a6, c6, e6}; put King of Black at b6; put Rook of Black at {d6, f5};\n"
    "  put Bishop of Black at f6; put Knight of Black at a5;\n"
    "}\n"
    "turn {\n"
    "  choose {\n"
    "    for from in mine, to in empty => go(from, to);\n"
    "    for from in mine, to in step(from, adjacent) & theirs => go(from, to);\n"
    "    for to in rank(3) & empty => { put Man of me at to; bell = min(bell + 1, 3); }\n"
    "    for from in pieces(Man, me), to in step(from, forward) & empty, k in {Rook, Knight}\n"
    "      => { go(from, to); become(to, k); }\n"
    "  } ensuring %s otherwise {}\n"
    "}\n"
    "end { if pieces(King, White) == {} or pieces(King, Black) == {} draw; }\n"
    "limit 40 turns draw;\n";

static const char *const filters[] = {
    "not attacked(royal, foe)",
    "step(royal, adjacent) & theirs == {}",
    "step(royal, adjacent) - occupied != {}",
    "(pieces(Rook) | pieces(Bishop)) & step(mine, orthogonal) != {}",
    "(c3 in empty or d4 in mine)",
    "slide(c3, orthogonal) & pieces(Rook, foe) == {}",
    "slide(c3, adjacent) & mine != {}",
    "step(step(royal, e) & empty, e) & theirs == {}",
    "step(step(royal, n) - empty, n) & empty == {}",
    "mine - step(theirs, adjacent) != {}",
    "(any s in pieces(Rook, me) : slide(s, n | e) & pieces(Man, foe) == {})",
    "(any s in royal : leap(s, 1, 2) & pieces(Knight, foe) == {})",
    "(bell < 3 or a1 in occupied)",
    "theirs - (mine | royal) & rank(3) == {}",
    "pieces(Knight) & (rank(3) | rank(4)) != {}",
    "last_to not in rank(3)",
    "(last_from in rank(1) or last_to in rank(5) | rank(6))",
    "last_to not in (if kind(last_to) == Man then rank(3) else rank(4))",
    "(kind(last_to) != Rook or not attacked(royal, foe))",
};
enum { FILTERS = sizeof filters / sizeof *filters, GAMES = 12, PLIES = 40 };

static bool is_in(const uint64_t *set, int32_t site)
{
    return fzi_words_has(set, (unsigned)site);
}

/* What a filter may ask about the move. */
static fzi_moved moved_by(const fz_state *state, const fz_machine *m, const fz_move *move)
{
    const fz_quiet *q = &m->program->options[move->option].quiet;
    int owner;
    fzi_moved moved = {q->last, q->from >= 0, q->piece};
    if (q->piece == FZ_PIECE_BOUND)
        moved.piece = move->values[q->kind];
    if (q->piece == FZ_PIECE_SAME)
        fz_state_piece(state, move->values[q->from], &moved.piece, &owner);
    return moved;
}

/* Does the move touch what the verdict depends on? */
static bool touches(const fz_state *state, const fz_machine *m, const fzi_footprint *found,
                    const fz_move *move)
{
    const fz_quiet *q = &m->program->options[move->option].quiet;
    const uint64_t *own = fzi_sets_at(state, m->layout.own) +
                          (unsigned)fzi_head_of(state)->decider * m->program->board.words;
    if (found->loads & q->stores || found->kinds & q->kinds)
        return true;
    if (q->kind >= 0 && found->kinds >> move->values[q->kind] & 1)
        return true;
    if (q->from >= 0 && is_in(found->left, move->values[q->from]))
        return true;
    return is_in(found->filled, move->values[q->to]) || is_in(own, move->values[q->to]);
}

/* Tries every move: one that touches nothing has the verdict of the position before it. */
static unsigned judge_all(rig *r, fz_moves *moves, const char *filter)
{
    fz_machine *m = r->machine;
    fzi_footprint found;
    fzi_run run;
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    fz_move move;
    unsigned judged = 0, depth = m->scratch_depth;
    fzi_machine_begin(m);
    assert_non_null(fzi_state_gather(m, r->state, &moves->list, &run));
    while (fzi_move_list_next(&moves->list, &cursor, UINT32_MAX, &move)) {
        assert_true(m->program->options[move.option].quiet.is);
        fzi_moved moved = moved_by(run.state, m, &move);
        assert_true(m->footprint(m, run.state, 0, &moved, &found));
        if (touches(run.state, m, &found, &move))
            continue;
        m->budget = 100000;
        judged++;
        if (fzi_move_legal(m, &run, cursor.segment, &move) != found.verdict)
            fail_msg("ensuring %s: option %u, %d to %d: the footprint says %d", filter, move.option,
                     (int)move.values[0], (int)move.values[1], found.verdict);
    }
    m->scratch_depth = depth;
    return judged;
}

static void test_footprints(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < FILTERS; i++) {
        rig r;
        char text[4000];
        unsigned judged = 0;
        snprintf(text, sizeof text, FILTERED, filters[i]);
        assert_int_equal(rig_open(&r, text, NULL, 0), 0);
        fz_moves *moves = fz_moves_new(r.machine);
        for (unsigned game = 0; game < GAMES; game++) {
            assert_int_equal(fz_state_restart(r.machine, r.state, 1, game), FZ_OK);
            for (unsigned ply = 0;
                 ply < PLIES && fz_state_waiting(r.state) == FZ_WAITING_MOVE; ply++) {
                judged += judge_all(&r, moves, filters[i]);
                assert_int_equal(fz_state_play_random(r.machine, r.state), FZ_OK);
            }
        }
        if (judged < 500) /* else most footprints would be whole boards */
            fail_msg("ensuring %s: %u moves touch nothing", filters[i], judged);
        fz_moves_free(moves);
        rig_clear(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quiet_effects),
        cmocka_unit_test(test_filters_apart),
        cmocka_unit_test(test_footprints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
