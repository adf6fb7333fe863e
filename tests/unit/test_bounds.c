/* Bounds of `keeping`: they change nothing about what is legal, nor how likely each legal move is
 * to be drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "interp/state/state.h"
#include "interp/vm/machine.h"
#include "rig.h"

/* Fills a room with 3, 4 and 7: in some rooms every way to begin leads to the bound, in others
 * some do, or none, or nothing fits. A move may be more than one way to the same total. %s: the
 * bound. */
static const char chains[] =
    "game \"Bounds\";\n"
    "players A, B;\n"
    "board square(3);\n"
    "var room: int; var total: int; var steps: int; var last: int;\n"
    "die Room = 1..16;\n"
    "moves fills(most: int) {\n"
    "  for i in {3, 4, 7} if total + i <= room and i <= most \"{i}\" => add(i, i, most);\n"
    "  if total + 8 <= room and most == 7 for s in rank(2), k in 1..2 \"{s} {k}\" => add(8, 10 * "
    "column(s) + k, most);\n"
    "}\n"
    "proc add(i: int, code: int, most: int) {\n"
    "  total += i; steps += 1; last = code; choose fills(most) otherwise {}\n"
    "}\n"
    "turn { room = roll(Room); total = 0; steps = 0; choose fills(%s) %s otherwise {} }\n"
    "end { if turns > 12 { if last == 3 win A; if last == 4 win B; draw; } }\n";

static const char *const filters[][3] = {
    /* argument, the filter, its bound */
    {"7", "keeping max total", "up to room"},
    {"7", "keeping max total", "up to 16"},
    {"4", "keeping min room - total, steps", "down to 0, 0"},
    {"7", "keeping min room - total, steps", "down to 0, 1"},
    {"7", "ensuring steps < 3 keeping max total", "up to room"},
    {"7", "ensuring last != 3 keeping max total, steps", "up to room, 5"},
    {"3", "keeping max total", "up to room - room % 3"},
};
enum { FILTERS = sizeof filters / sizeof *filters };

typedef struct game {
    rig rig;
    fz_moves *moves;
} game;

static game open_game(unsigned filter, bool bounded)
{
    game g;
    char clause[160], text[2048];

    snprintf(clause, sizeof clause, "%s %s", filters[filter][1], bounded ? filters[filter][2] : "");
    snprintf(text, sizeof text, chains, filters[filter][0], clause);
    assert_int_equal(rig_open(&g.rig, text, NULL, 0), 0);
    g.moves = fz_moves_new(g.rig.machine);
    assert_non_null(g.moves);
    return g;
}

static void close_game(game *g)
{
    fz_moves_free(g->moves);
    rig_clear(&g->rig);
}

static bool same(fz_move a, fz_move b)
{
    return a.option == b.option && a.count == b.count &&
           !memcmp(a.values, b.values, a.count * sizeof *a.values);
}

/* Of all that could be a move, only what is in the list can be played. */
static void check_plays(const game *g, const fz_state *from)
{
    size_t count = fz_moves_count(g->moves);
    const fz_program *p = g->rig.program;
    uint32_t first = p->choices[p->options[fz_moves_at(g->moves, 0).option].choice].first_option;
    fz_state *played = fz_state_clone(from);
    for (int32_t i = 0; i < 9; i++) {
        fz_move move = i < 3 ? (fz_move){first, 1, {i == 2 ? 7 : 3 + i}}
                             : (fz_move){first + 1, 2, {i / 2 + 2, i % 2 + 1}};
        size_t k = 0;
        while (k < count && !same(move, fz_moves_at(g->moves, k)))
            k++;
        assert_int_equal(fz_state_copy(played, from), FZ_OK);
        assert_int_equal(fz_state_play(g->rig.machine, played, &move),
                         k < count ? FZ_OK : FZ_USAGE);
    }
    fz_state_free(played);
}

/* With and without the bound, all the way through games whose moves are the same. */
static void test_lists_are_equal(void **unused)
{
    (void)unused;
    for (unsigned f = 0; f < FILTERS; f++) {
        game with = open_game(f, true), without = open_game(f, false);
        uint64_t number = 1;
        for (uint64_t seed = 1; seed <= 40; seed++) {
            fz_state *a = fz_state_new(with.rig.machine, seed, 0),
                     *b = fz_state_new(without.rig.machine, seed, 0);
            while (fz_state_waiting(a) == FZ_WAITING_MOVE) {
                assert_int_equal(fz_state_waiting(b), FZ_WAITING_MOVE);
                assert_int_equal(fz_state_moves(with.rig.machine, a, with.moves), FZ_OK);
                assert_int_equal(fz_state_moves(without.rig.machine, b, without.moves), FZ_OK);
                size_t count = fz_moves_count(with.moves);
                assert_int_equal(count, fz_moves_count(without.moves));
                for (size_t i = 0; i < count; i++)
                    assert_true(same(fz_moves_at(with.moves, i), fz_moves_at(without.moves, i)));
                check_plays(&with, a);
                number = number * UINT64_C(6364136223846793005) + 1;
                fz_move move = fz_moves_at(with.moves, (size_t)(number >> 33) % count);
                assert_int_equal(fz_state_play(with.rig.machine, a, &move), FZ_OK);
                assert_int_equal(fz_state_play(without.rig.machine, b, &move), FZ_OK);
            }
            assert_int_equal(fz_state_waiting(b), FZ_GAME_OVER);
            fz_state_free(a);
            fz_state_free(b);
        }
        close_game(&with);
        close_game(&without);
    }
}

/* Chi-square with `count` - 1 degrees of freedom, far out: below in all but one of some thousand
 * cases. */
static double most_of(size_t count)
{
    double n = (double)count - 1;
    return n + 4.5 * (n < 2 ? 2 : n);
}

/* What `last` is after the move; the sites of rank 2 are 3, 4 and 5. */
static int64_t code_of(fz_move move)
{
    return move.count == 1 ? move.values[0] : 10 * (move.values[0] - 2) + move.values[1];
}

static int64_t last_of(const game *g, const fz_state *state)
{
    for (uint32_t i = 0; i < g->rig.program->variable_count; i++)
        if (!strcmp(fzi_text(g->rig.program, g->rig.program->variables[i].name), "last"))
            return fzi_state_get(state, i, 0);
    return -1;
}

/* From each position on the way, moves drawn with other numbers: only those of the list, all as
 * often. */
static void check_draws(const game *g, const fz_state *from)
{
    enum { DRAWS = 30 };
    uint32_t seen[64] = {0};
    size_t count = fz_moves_count(g->moves);
    fz_state *drawn = fz_state_clone(from);
    assert_true(count <= 64);
    for (uint64_t i = 0; i < DRAWS * count; i++) {
        assert_int_equal(fz_state_copy(drawn, from), FZ_OK);
        fzi_head_of(drawn)->counter += 100 * (i + 1);
        size_t plies = fz_state_plies(drawn), k = 0;
        assert_int_equal(fz_state_play_random(g->rig.machine, drawn), FZ_OK);
        assert_int_equal(fz_state_plies(drawn), plies + 1);
        while (k < count && code_of(fz_moves_at(g->moves, k)) != last_of(g, drawn))
            k++;
        assert_true(k < count);
        seen[k]++;
    }
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += ((double)seen[k] - DRAWS) * ((double)seen[k] - DRAWS) / DRAWS;
    assert_true(sum < most_of(count));
    fz_state_free(drawn);
}

static void test_draws_are_uniform(void **unused)
{
    (void)unused;
    for (unsigned f = 0; f < FILTERS; f++) {
        game g = open_game(f, true);
        for (uint64_t seed = 1; seed <= 6; seed++) {
            fz_state *state = fz_state_new(g.rig.machine, seed, 1);
            while (fz_state_waiting(state) == FZ_WAITING_MOVE) {
                assert_int_equal(fz_state_moves(g.rig.machine, state, g.moves), FZ_OK);
                check_draws(&g, state);
                assert_int_equal(fz_state_play_random(g.rig.machine, state), FZ_OK);
            }
            fz_state_free(state);
        }
        close_game(&g);
    }
}

/* A playout is what its moves are one at a time, and when their number is counted too. */
static void test_draws_are_the_playout(void **unused)
{
    (void)unused;
    for (unsigned f = 0; f < FILTERS; f++) {
        game g = open_game(f, true);
        for (uint64_t seed = 1; seed <= 20; seed++) {
            fz_state *one = fz_state_new(g.rig.machine, seed, 2), *all = fz_state_clone(one),
                     *counted = fz_state_clone(one);
            uint64_t branched = 0;
            while (fz_state_waiting(one) == FZ_WAITING_MOVE) {
                assert_int_equal(fz_state_moves(g.rig.machine, one, g.moves), FZ_OK);
                branched += fz_moves_count(g.moves);
                assert_int_equal(fz_state_play_random(g.rig.machine, one), FZ_OK);
            }
            assert_int_equal(fz_state_playout(g.rig.machine, all, 0), FZ_OK);
            fzi_run run = fzi_run_of(g.rig.machine, counted, FZ_RUN_PLAY);
            fzi_machine_begin(g.rig.machine);
            run.plies = UINT64_MAX;
            run.branching = true;
            assert_int_equal(fzi_machine_run(g.rig.machine, &run), FZ_END_OVER);
            assert_int_equal(run.legal_move_sum, branched);
            assert_int_equal(fz_state_plies(one), fz_state_plies(all));
            assert_int_equal(last_of(&g, one), last_of(&g, all));
            assert_int_equal(last_of(&g, one), last_of(&g, counted));
            assert_int_equal(fzi_head_of(one)->counter, fzi_head_of(all)->counter);
            assert_int_equal(fzi_head_of(one)->counter, fzi_head_of(counted)->counter);
            fz_state_free(one);
            fz_state_free(all);
            fz_state_free(counted);
        }
        close_game(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists_are_equal),
        cmocka_unit_test(test_draws_are_uniform),
        cmocka_unit_test(test_draws_are_the_playout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
