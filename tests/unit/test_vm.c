/* The machine, on programs assembled by hand: instructions, calls, decisions, filters, chance,
 * counting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "assemble.h"
#include "ferz_tools.h"
#include "interp/board/geometry.h"
#include "interp/program/verify.h"
#include "interp/state/contents.h"
#include "interp/state/move_list.h"
#include "interp/support/chance.h"
#include "interp/support/words.h"
#include "interp/vm/call.h"
#include "interp/vm/evaluator.h"
#include "interp/vm/game.h"

static assembly a;

/* ---- what many tests do ---- */

typedef struct game {
    fz_program *program;
    fz_machine *machine;
    fz_state *state;
} game;

static game start(void)
{
    game g = {.program = as_finish(&a)};
    g.machine = fz_machine_new(g.program, NULL);
    assert_non_null(g.machine);
    g.state = fz_state_new(g.machine, 7, 0);
    if (!g.state)
        print_error("%s\n", fz_machine_message(g.machine));
    assert_non_null(g.state);
    return g;
}

static void finish(game *g)
{
    fz_state_free(g->state);
    fz_machine_free(g->machine);
    fz_program_release(g->program);
}

static uint64_t perft(game *g, unsigned depth, bool decisions)
{
    uint64_t nodes = 0;
    fz_status status = fz_perft(g->machine, g->state, depth, decisions, NULL, &nodes);
    assert_string_equal(fz_machine_message(g->machine), "");
    assert_int_equal(status, FZ_OK);
    return nodes;
}

/* The parts of a state that a game is made of, frames aside. */
static void assert_same_state(const fz_state *one, const fz_state *other)
{
    const fzi_head *h = fzi_head_of(one), *i = fzi_head_of(other);
    assert_int_equal(h->counter, i->counter);
    assert_int_equal(h->plies, i->plies);
    assert_int_equal(h->turns, i->turns);
    assert_int_equal(h->phase, i->phase);
    assert_int_equal(h->waiting, i->waiting);
    assert_int_equal(h->last_to, i->last_to);
    assert_memory_equal(h->rank, i->rank, sizeof h->rank);
    assert_memory_equal(one->block + one->layout->own, other->block + other->layout->own,
                        one->layout->stack - one->layout->own);
}

/* Games played in the loop, by single random moves, by moves and chances set from outside: the
 * same. */
static void assert_same_ways(game *g, unsigned games)
{
    fz_state *stepped = fz_state_clone(g->state);
    for (unsigned stream = 0; stream < games; stream++) {
        fz_machine_set_chance(g->machine, FZ_CHANCE_SAMPLE);
        assert_int_equal(fz_state_restart(g->machine, g->state, 3, stream), FZ_OK);
        assert_int_equal(fz_state_playout(g->machine, g->state, 0), FZ_OK);

        assert_int_equal(fz_state_restart(g->machine, stepped, 3, stream), FZ_OK);
        while (fz_state_waiting(stepped) == FZ_WAITING_MOVE)
            assert_int_equal(fz_state_play_random(g->machine, stepped), FZ_OK);
        assert_same_state(g->state, stepped);

        fz_machine_set_chance(g->machine, FZ_CHANCE_ASK);
        assert_int_equal(fz_state_restart(g->machine, stepped, 3, stream), FZ_OK);
        while (fz_state_waiting(stepped) != FZ_GAME_OVER) {
            int64_t value;
            if (fz_state_waiting(stepped) == FZ_WAITING_MOVE)
                assert_int_equal(fz_state_play_random(g->machine, stepped), FZ_OK);
            else
                assert_int_equal(fz_state_sample_chance(g->machine, stepped, &value), FZ_OK);
        }
        assert_same_state(g->state, stepped);
    }
    fz_machine_set_chance(g->machine, FZ_CHANCE_SAMPLE);
    fz_state_free(stepped);
}

/* Every listed move can be played, a move that is not listed can't. */
static void assert_moves_playable(game *g)
{
    fz_moves *moves = fz_moves_new(g->machine);
    assert_int_equal(fz_state_moves(g->machine, g->state, moves), FZ_OK);
    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move move = fz_moves_at(moves, i);
        fz_state *copy = fz_state_clone(g->state);
        assert_int_equal(fz_state_play(g->machine, copy, &move), FZ_OK);
        fz_state_free(copy);
    }
    fz_move none = {.option = 0, .count = 1, .values = {10000}};
    assert_int_equal(fz_state_play(g->machine, g->state, &none), FZ_USAGE);
    fz_moves_free(moves);
}

/* ---- three in a row ---- */

/* turn { choose to in empty => put Stone of me at to; } end { line: win; full: draw } */
static void three_in_a_row(int width, int length)
{
    as_begin(&a, width, width);
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 3, 1, 0);
    uint32_t choice = as_choice(&a, true), option = as_option(&a, choice, 1, 1, -1, 0);
    AS1(&a, CHOOSE, 0, 0, 0, choice);
    AS(&a, EMPTY, 0, 0, 0);
    AS1(&a, EMIT_SET, 0, 0, 0, option);
    uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
    a.options[option].effect = as_here(&a);
    AS1(&a, INT, 2, 0, 0, 0);
    AS(&a, PUT1, 1, 2, 0);
    as_patch(&a, none);
    AS(&a, RETURN, 0, 0, 0);
    as_labels(&a);
    as_function_end(&a);
    a.p.end = (int32_t)as_function(&a, "end", 1, 0, 4, 1, 0);
    AS(&a, OWNED, 0, 0, 0);
    AS1(&a, INT, 1, 0, 0, length);
    AS1(&a, INT, 2, 0, 0, 0xff);
    AS1(&a, LINE, 3, 0, 1, 2);
    uint32_t no_line = AS1(&a, JFALSE, 3, 0, 0, 0);
    AS(&a, WIN, 0, 0, 0);
    as_patch(&a, no_line);
    AS(&a, EMPTY, 0, 0, 0);
    uint32_t room = AS1(&a, JSSOME, 0, 0, 0, 0);
    AS(&a, DRAW, 0, 0, 0);
    as_patch(&a, room);
    AS(&a, RETURN, 0, 0, 0);
    as_function_end(&a);
}

static void test_perft(void **unused)
{
    static const uint64_t nodes[] = {1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0};
    (void)unused;
    three_in_a_row(3, 3);
    game g = start();
    for (unsigned depth = 0; depth <= 10; depth++) {
        assert_int_equal(perft(&g, depth, false), nodes[depth]);
        assert_int_equal(perft(&g, depth, true), nodes[depth]);
    }
    assert_moves_playable(&g);
    assert_same_ways(&g, 50);
    finish(&g);
}

/* The loops for more words play the same game on a bigger board. */
static void test_words(void **unused)
{
    (void)unused;
    static const int widths[] = {3, 8, 9, 12, 15, 16};
    for (unsigned i = 0; i < 6; i++) {
        three_in_a_row(widths[i], 3);
        game g = start();
        uint64_t n = (uint64_t)(widths[i] * widths[i]);
        assert_int_equal(perft(&g, 2, false), n * (n - 1));
        assert_same_ways(&g, 20);
        finish(&g);
    }
}

static void test_playouts(void **unused)
{
    (void)unused;
    three_in_a_row(3, 3);
    game g = start();
    fz_tally one, two;
    char message[256];
    assert_int_equal(fz_playouts(g.program, NULL, 1, 0, 20000, 1, true, NULL, &one, message),
                     FZ_OK);
    assert_int_equal(fz_playouts(g.program, NULL, 1, 0, 20000, 3, true, NULL, &two, message),
                     FZ_OK);
    one.seconds = two.seconds = 0;
    assert_memory_equal(&one, &two, sizeof one);
    assert_int_equal(one.playouts, 20000);
    assert_int_equal(one.wins[0] + one.wins[1] + one.draws, 20000);
    assert_true(one.wins[0] > 11400 && one.wins[0] < 12000); /* 0.585 */
    assert_true(one.draws > 2350 && one.draws < 2750);       /* 0.127 */
    assert_true(one.mean > 7.58 && one.mean < 7.67);
    assert_true(one.median == 8 && one.shortest == 5 && one.longest == 9);
    assert_true(one.utility_sum[0] + one.utility_sum[1] == 20000);
    finish(&g);
}

static void test_results(void **unused)
{
    (void)unused;
    three_in_a_row(3, 3);
    game g = start();
    static const int32_t sites[] = {0, 3, 1, 4, 2};
    for (unsigned i = 0; i < 5; i++) {
        fz_move move = {.option = 0, .count = 1, .values = {sites[i]}};
        assert_int_equal(fz_state_waiting(g.state), FZ_WAITING_MOVE);
        assert_int_equal(fz_state_mover(g.state), i % 2);
        assert_int_equal(fz_state_turns(g.state), i + 1);
        assert_true(fz_state_at_turn_start(g.state));
        assert_int_equal(fz_state_play(g.machine, g.state, &move), FZ_OK);
    }
    assert_int_equal(fz_state_waiting(g.state), FZ_GAME_OVER);
    assert_int_equal(fz_state_rank(g.state, 0), 1);
    assert_int_equal(fz_state_rank(g.state, 1), 2);
    assert_true(fz_state_utility(g.state, 0) == 1 && fz_state_utility(g.state, 1) == 0);
    int kind, owner;
    fz_state_piece(g.state, 3, &kind, &owner);
    assert_int_equal(kind, 0);
    assert_int_equal(owner, 1);
    finish(&g);
}

/* ---- a filter ---- */

/* turn { choose to in empty => put … ensuring not (step(mine, adjacent) & mine) otherwise lose me;
 * } */
static void apart(int width, bool keep)
{
    as_begin(&a, width, width);
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 6, 3, 0);
    uint32_t choice = as_choice(&a, true), option = as_option(&a, choice, 1, 1, -1, 0);
    uint32_t filter = as_filter(&a, choice, keep ? FZ_FILTER_KEEP_MAX : FZ_FILTER_ENSURING, 1);
    as_filtered(&a, option, filter);
    a.choices[choice].filter = 0;
    a.choices[choice].filters = 1;
    AS1(&a, CHOOSE, 0, 0, 0, choice);
    AS(&a, EMPTY, 0, 0, 0);
    AS1(&a, EMIT_SET, 0, 0, 0, option);
    uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
    a.options[option].effect = as_here(&a);
    AS1(&a, PEND, 0, 0, 0, filter);
    AS1(&a, INT, 4, 0, 0, -1);
    AS(&a, TOOK, 4, 1, 0);
    AS1(&a, INT, 2, 0, 0, 0);
    AS(&a, PUT1, 1, 2, 0);
    AS1(&a, JUDGE, 0, 0, 0, filter);
    AS(&a, RETURN, 0, 0, 0);
    as_patch(&a, none);
    AS(&a, LOSE, 0, 0, 0);
    a.filters[filter].code = as_here(&a);
    AS(&a, OWNED, 1, 0, 0);
    AS1(&a, INT, 3, 0, 0, 0xff);
    if (keep) { /* as many neighbours of what was put as possible */
        AS(&a, LAST, 4, 5, 0);
        AS(&a, SBIT, 2, 5, 0);
        AS(&a, STEP, 2, 2, 3);
        AS(&a, SAND, 2, 2, 1);
        AS(&a, SCOUNT, 3, 2, 0);
    } else {
        AS(&a, STEP, 2, 1, 3);
        AS(&a, SMEETS, 3, 2, 1);
        AS(&a, NOT, 3, 3, 0);
    }
    AS(&a, VERDICT, 3, 1, 0);
    as_labels(&a);
    as_function_end(&a);
}

static uint64_t neighbours(int width, int site)
{
    uint64_t set = 0;
    for (int r = -1; r <= 1; r++)
        for (int c = -1; c <= 1; c++) {
            int x = site % width + c, y = site / width + r;
            if ((r || c) && x >= 0 && x < width && y >= 0 && y < width)
                set |= UINT64_C(1) << (y * width + x);
        }
    return set;
}

static uint64_t count_apart(int width, uint64_t mine, uint64_t theirs, unsigned depth)
{
    uint64_t nodes = 0;
    if (!depth)
        return 1;
    bool any = false;
    for (int s = 0; s < width * width; s++) {
        uint64_t bit = UINT64_C(1) << s;
        if ((mine | theirs) & bit || neighbours(width, s) & mine)
            continue;
        any = true;
        nodes += count_apart(width, theirs, mine | bit, depth - 1);
    }
    return any ? nodes : depth == 1; /* the turn in which the game is lost */
}

static void test_ensuring(void **unused)
{
    (void)unused;
    apart(4, false);
    game g = start();
    for (unsigned depth = 1; depth <= 4; depth++)
        assert_int_equal(perft(&g, depth, false), count_apart(4, 0, 0, depth));
    assert_moves_playable(&g);
    assert_same_ways(&g, 50);
    finish(&g);
}

/* turn { let lost = 0; choose to in empty => { put …; } ensuring to is not a corner; if lost lose
 * me; }, with a number of a random site rolled before the filter is judged or not; the filter's
 * code writes a register. */
static void judged(bool rolls, unsigned written)
{
    as_begin(&a, 3, 3);
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 7, 2, 0);
    uint32_t choice = as_choice(&a, true), option = as_option(&a, choice, 1, 1, -1, 0);
    uint64_t corners = 1 | 4 | 64 | 256;
    uint32_t sets = as_set_table(&a, &corners, 1);
    uint32_t filter = as_filter(&a, choice, FZ_FILTER_ENSURING, 1);
    as_filtered(&a, option, filter);
    AS1(&a, INT, 5, 0, 0, 0);
    AS1(&a, CHOOSE, 0, 0, 0, choice);
    AS(&a, EMPTY, 0, 0, 0);
    AS1(&a, EMIT_SET, 0, 0, 0, option);
    uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
    a.options[option].effect = as_here(&a);
    AS1(&a, PEND, 0, 0, 0, filter);
    AS1(&a, INT, 4, 0, 0, -1);
    AS(&a, TOOK, 4, 1, 0);
    AS1(&a, INT, 2, 0, 0, 0);
    AS(&a, PUT1, 1, 2, 0);
    if (rolls)
        AS(&a, RANDOM_SITE, 2, 0, 0);
    AS1(&a, JUDGE, 0, 0, 0, filter);
    uint32_t lost = AS1(&a, JTRUE, 5, 0, 0, 0);
    AS(&a, RETURN, 0, 0, 0);
    as_patch(&a, lost);
    as_patch(&a, none);
    AS(&a, LOSE, 0, 0, 0);
    a.filters[filter].code = as_here(&a);
    AS2(&a, SROW, 1, 0, 0, sets, 0);
    AS(&a, SHAS, written, 1, 1);
    AS(&a, NOT, 3, written, 0);
    AS1(&a, INT, written, 0, 0, 1);
    AS(&a, VERDICT, 3, 1, 0);
    as_labels(&a);
    as_function_end(&a);
}

/* A playout tries a drawn move by playing it where that is the same as trying it on a copy
 * first. */
static void test_trials(void **unused)
{
    (void)unused;
    for (unsigned form = 0; form < 3; form++) {
        judged(form == 1, form == 2 ? 5 : 4);
        game g = start();
        assert_int_equal(g.program->options[0].at_once, form == 0);
        assert_int_equal(g.program->choices[0].at_once, form == 0);
        assert_same_ways(&g, 50);
        assert_int_equal(fz_state_restart(g.machine, g.state, 1, 0), FZ_OK);
        assert_int_equal(fz_state_playout(g.machine, g.state, 0), FZ_OK);
        assert_int_equal(fz_state_plies(g.state), 5);
        finish(&g);
    }
}

static uint64_t count_close(int width, uint64_t mine, uint64_t theirs, unsigned depth)
{
    uint64_t nodes = 0;
    int best = -1;
    if (!depth)
        return 1;
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < width * width; s++) {
            uint64_t bit = UINT64_C(1) << s;
            if ((mine | theirs) & bit)
                continue;
            int value = __builtin_popcountll(neighbours(width, s) & mine);
            if (pass && value == best)
                nodes += count_close(width, theirs, mine | bit, depth - 1);
            best = value > best ? value : best;
        }
    return best < 0 ? depth == 1 : nodes;
}

static void test_keeping(void **unused)
{
    (void)unused;
    apart(4, true);
    game g = start();
    for (unsigned depth = 1; depth <= 4; depth++)
        assert_int_equal(perft(&g, depth, false), count_close(4, 0, 0, depth));
    assert_moves_playable(&g);
    assert_same_ways(&g, 50);
    finish(&g);
}

/* ---- looking through ---- */

enum { WALK_WIDTH = 4 };
enum walk_rule { WALK_FREE, WALK_LONGEST, WALK_TO_GOAL, WALK_SHORTEST, WALK_LONGEST_TO_GOAL };
static const uint64_t walk_holes = UINT64_C(1) << 5 | UINT64_C(1) << 10 | UINT64_C(1) << 3 |
                                   UINT64_C(1) << 7;

/* A walker on `at` steps n or e as long as it can, round holes; the turn is one walk from a1. With
 * the rules, the first choice looks through all the others. After the walk the game is won. */
static void walks(enum walk_rule rule)
{
    as_begin(&a, WALK_WIDTH, WALK_WIDTH);
    uint32_t at = as_variable(&a, "at", 0, 1, false, 0),
             length = as_variable(&a, "length", 1, 1, false, 0);
    uint64_t rows[16] = {0};
    for (int s = 0; s < 16; s++) {
        if (s % 4 < 3)
            rows[s] |= UINT64_C(1) << (s + 1) & ~walk_holes;
        if (s / 4 < 3)
            rows[s] |= UINT64_C(1) << (s + 4) & ~walk_holes;
    }
    uint32_t table = as_set_table(&a, rows, 16);
    uint32_t goal = rule == WALK_LONGEST_TO_GOAL ? 6 : 15; /* c2, a short way; d4 */

    /* turn: ints me, to, at, length, scratch; sets row */
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 6, 1, 0);
    AS1(&a, INT, 4, 0, 0, 0);
    AS1(&a, STORE, 4, 0, 0, length);
    AS1(&a, STORE, 4, 0, 0, at);
    uint32_t choice = as_choice(&a, false), option = as_option(&a, choice, 1, 1, -1, 0);
    bool both = rule == WALK_LONGEST_TO_GOAL;
    uint32_t goal_filter = 0, length_filter = 0;
    if (rule == WALK_TO_GOAL || both)
        as_filtered(&a, option, goal_filter = as_filter(&a, choice, FZ_FILTER_ENSURING, 1));
    if (rule == WALK_LONGEST || rule == WALK_SHORTEST || both)
        as_filtered(
            &a, option,
            length_filter = as_filter(
                &a, choice, rule == WALK_SHORTEST ? FZ_FILTER_KEEP_MIN : FZ_FILTER_KEEP_MAX, 1));
    a.choices[choice].filter = a.options[option].first_filter;
    a.choices[choice].filters = a.options[option].filters;
    AS1(&a, CHOOSE, 0, 0, 0, choice);
    AS1(&a, LOAD, 2, 0, 0, at);
    AS1(&a, STABLE, 0, 2, 0, table);
    AS1(&a, EMIT_SET, 0, 0, 0, option);
    uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
    a.options[option].effect = as_here(&a);
    if (rule == WALK_LONGEST || rule == WALK_SHORTEST || both)
        AS1(&a, PEND, 0, 0, 0, length_filter);
    if (rule == WALK_TO_GOAL || both)
        AS1(&a, PEND, 0, 0, 0, goal_filter);
    AS1(&a, STORE, 1, 0, 0, at);
    AS1(&a, INT, 3, 0, 0, 1);
    AS1(&a, STORE, 3, 0, 0, length);
    uint32_t call = AS1(&a, CALL, 0, 0, 0, 0);
    if (rule == WALK_TO_GOAL || both)
        AS1(&a, JUDGE, 0, 0, 0, goal_filter);
    if (rule == WALK_LONGEST || rule == WALK_SHORTEST || both)
        AS1(&a, JUDGE, 0, 0, 0, length_filter);
    AS(&a, WIN, 0, 0, 0);
    as_patch(&a, none);
    AS(&a, DRAW, 0, 0, 0);
    a.filters[goal_filter].code = as_here(&a);
    AS1(&a, LOAD, 2, 0, 0, at);
    AS1(&a, INT, 1, 0, 0, goal); /* the binding's register: the filter may spoil its frame */
    AS(&a, EQ, 4, 1, 2);
    AS(&a, VERDICT, 4, 1, 0);
    uint32_t length_code = as_here(&a);
    AS1(&a, LOAD, 4, 0, 0, length);
    AS(&a, VERDICT, 4, 1, 0);
    if (rule == WALK_LONGEST || rule == WALK_SHORTEST || both)
        a.filters[length_filter].code = length_code;
    as_labels(&a);
    as_function_end(&a);

    a.code[call] = as_function(&a, "on", 1, 0, 5, 1, 0);
    uint32_t self = a.code[call], more = as_choice(&a, false),
             step = as_option(&a, more, 1, 1, -1, 0);
    AS1(&a, CHOOSE, 0, 0, 0, more);
    AS1(&a, LOAD, 2, 0, 0, at);
    AS1(&a, STABLE, 0, 2, 0, table);
    AS1(&a, EMIT_SET, 0, 0, 0, step);
    none = AS2(&a, DECIDE, 0, 0, 0, more, 0);
    a.options[step].effect = as_here(&a);
    AS1(&a, STORE, 1, 0, 0, at);
    AS1(&a, LOAD, 3, 0, 0, length);
    AS1(&a, ADDK, 3, 3, 0, 1);
    AS1(&a, STORE, 3, 0, 0, length);
    AS1(&a, TAILCALL, 0, 0, 0, self);
    as_patch(&a, none);
    AS(&a, RETURN, 0, 0, 0);
    as_labels(&a);
    as_function_end(&a);
}

typedef struct walk {
    int site, length;
} walk;

static unsigned all_walks(int site, int length, walk *out, unsigned count)
{
    bool stuck = true;
    for (int d = 0; d < 2; d++) {
        if (d ? site / 4 == 3 : site % 4 == 3)
            continue;
        int to = site + (d ? 4 : 1);
        if (walk_holes >> to & 1)
            continue;
        stuck = false;
        count = all_walks(to, length + 1, out, count);
    }
    if (stuck)
        out[count++] = (walk){site, length};
    return count;
}

static void test_looking_through(void **unused)
{
    (void)unused;
    walk found[64];
    unsigned count = all_walks(0, 0, found, 0), expected[5] = {count};
    int most = 0, least = 100;
    for (unsigned i = 0; i < count; i++) {
        most = found[i].length > most ? found[i].length : most;
        least = found[i].length < least ? found[i].length : least;
    }
    for (unsigned i = 0; i < count; i++) {
        expected[WALK_LONGEST] += found[i].length == most;
        expected[WALK_SHORTEST] += found[i].length == least;
        expected[WALK_TO_GOAL] += found[i].site == 15;
        expected[WALK_LONGEST_TO_GOAL] += found[i].site == 6;
    }
    assert_true(least < most && expected[WALK_TO_GOAL] > 1 && expected[WALK_LONGEST_TO_GOAL]);
    for (enum walk_rule rule = WALK_FREE; rule <= WALK_LONGEST_TO_GOAL; rule++) {
        walks(rule);
        game g = start();
        assert_int_equal(perft(&g, 1, false), expected[rule]);
        assert_moves_playable(&g);
        assert_same_ways(&g, 20);
        finish(&g);
    }
}

/* ---- questions ---- */

/* turn { choose to in empty if can(put apart) …: } here: the game ends when `can` says no. */
static void test_can(void **unused)
{
    (void)unused;
    as_begin(&a, 3, 3);
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 6, 3, 0);
    uint32_t asked = as_choice(&a, false), maybe = as_option(&a, asked, 1, 1, -1, 0);
    uint32_t filter = as_filter(&a, asked, FZ_FILTER_ENSURING, 1);
    as_filtered(&a, maybe, filter);
    AS1(&a, CAN, 0, 0, 0, asked);
    AS(&a, EMPTY, 0, 0, 0);
    AS1(&a, EMIT_SET, 0, 0, 0, maybe);
    AS1(&a, CAN_END, 5, 0, 0, asked);
    uint32_t go = AS1(&a, JTRUE, 5, 0, 0, 0);
    AS(&a, LOSE, 0, 0, 0);
    as_patch(&a, go);
    uint32_t choice = as_choice(&a, true), option = as_option(&a, choice, 1, 1, -1, 0);
    AS1(&a, CHOOSE, 0, 0, 0, choice);
    AS(&a, EMPTY, 0, 0, 0);
    AS1(&a, EMIT_SET, 0, 0, 0, option);
    uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
    a.options[option].effect = as_here(&a);
    AS1(&a, INT, 2, 0, 0, 0);
    AS(&a, PUT1, 1, 2, 0);
    as_patch(&a, none);
    AS(&a, RETURN, 0, 0, 0);
    a.options[maybe].effect = as_here(&a);
    AS1(&a, PEND, 0, 0, 0, filter);
    AS1(&a, INT, 2, 0, 0, 0);
    AS(&a, PUT1, 1, 2, 0);
    AS1(&a, JUDGE, 0, 0, 0, filter);
    AS(&a, RETURN, 0, 0, 0);
    a.filters[filter].code = as_here(&a);
    AS(&a, OWNED, 1, 0, 0);
    AS1(&a, INT, 3, 0, 0, 0xff);
    AS(&a, STEP, 2, 1, 3);
    AS(&a, SMEETS, 3, 2, 1);
    AS(&a, NOT, 3, 3, 0);
    AS(&a, VERDICT, 3, 1, 0);
    as_labels(&a);
    as_function_end(&a);
    game g = start();
    assert_int_equal(perft(&g, 2, false), 72);
    assert_same_ways(&g, 30);
    assert_int_equal(fz_state_restart(g.machine, g.state, 1, 1), FZ_OK);
    /* The first has a stone in the middle: no other place is apart from it. */
    fz_move middle = {.option = option, .count = 1, .values = {4}}, corner = {option, 1, {0}};
    assert_int_equal(fz_state_play(g.machine, g.state, &middle), FZ_OK);
    assert_int_equal(fz_state_play(g.machine, g.state, &corner), FZ_OK);
    assert_int_equal(fz_state_waiting(g.state), FZ_GAME_OVER);
    assert_int_equal(fz_state_rank(g.state, 0), 2);
    finish(&g);
}

/* ---- chance ---- */

/* A race on a track of 20: roll two dice, one of them by weights, choose one; first at the end
 * wins. */
static void race(void)
{
    static const fz_face d3[] = {{1, 1}, {2, 2}, {3, 1}};
    as_begin(&a, 20, 1);
    uint32_t place = as_variable(&a, "place", 1, 2, false, 0);
    uint32_t die = as_die(&a, 1, d3, 3);
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 8, 1, 0);
    AS1(&a, ROLL, 1, 0, 0, die);
    uint32_t weigh = as_here(&a);
    AS1(&a, WEIGH, 0, 0, 0, 1);
    AS1(&a, INT, 3, 0, 0, 4);
    AS1(&a, INT, 4, 0, 0, 3);
    AS(&a, WEIGHT, 3, 4, 0);
    AS1(&a, INT, 3, 0, 0, 0);
    AS(&a, WEIGHT, 3, 1, 0);
    AS2(&a, RANDOM_WEIGHED, 2, 0, 0, 0, weigh);
    uint32_t choice = as_choice(&a, false);
    uint32_t one = as_option(&a, choice, 5, 1, -1, -1), two = as_option(&a, choice, 5, 1, -1, -1);
    AS1(&a, CHOOSE, 0, 0, 0, choice);
    AS(&a, COPY, 5, 1, 0);
    AS1(&a, EMIT, 0, 0, 0, one);
    uint32_t skip = AS1(&a, JFALSE, 2, 0, 0, 0);
    AS(&a, COPY, 5, 2, 0);
    AS1(&a, EMIT, 0, 0, 0, two);
    as_patch(&a, skip);
    uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
    a.options[one].effect = a.options[two].effect = as_here(&a);
    AS1(&a, LOADX, 6, 0, 0, place);
    AS(&a, ADD, 6, 6, 5);
    AS1(&a, INT, 3, 0, 0, 1);
    AS1(&a, INT, 4, 0, 0, 2);
    AS1(&a, RANDOM_RANGE, 3, 3, 4, 1);
    AS(&a, ADD, 6, 6, 3);
    AS1(&a, STOREX, 6, 0, 0, place);
    as_patch(&a, none);
    AS(&a, RETURN, 0, 0, 0);
    as_labels(&a);
    as_function_end(&a);
    a.p.end = (int32_t)as_function(&a, "end", 1, 0, 3, 0, 0);
    AS1(&a, LOADX, 1, 0, 0, place);
    AS1(&a, INT, 2, 0, 0, 20);
    uint32_t on = AS1(&a, JLT, 1, 2, 0, 0);
    AS(&a, WIN, 0, 0, 0);
    as_patch(&a, on);
    AS(&a, RETURN, 0, 0, 0);
    as_function_end(&a);
}

static void test_chance(void **unused)
{
    (void)unused;
    race();
    game g = start();
    assert_same_ways(&g, 100);
    fz_machine_set_chance(g.machine, FZ_CHANCE_ASK);
    assert_int_equal(fz_state_restart(g.machine, g.state, 1, 1), FZ_OK);
    const fz_outcome *outcomes;
    size_t count;
    assert_int_equal(fz_state_waiting(g.state), FZ_WAITING_CHANCE);
    assert_int_equal(fz_state_outcomes(g.machine, g.state, &outcomes, &count), FZ_OK);
    assert_int_equal(count, 3);
    assert_int_equal(outcomes[1].value, 2);
    assert_int_equal(outcomes[1].weight, 2);
    assert_int_equal(fz_state_set_chance(g.machine, g.state, 4), FZ_USAGE);
    assert_int_equal(fz_state_set_chance(g.machine, g.state, 3), FZ_OK);
    assert_int_equal(fz_state_outcomes(g.machine, g.state, &outcomes, &count), FZ_OK);
    assert_int_equal(count, 2);
    assert_int_equal(outcomes[0].value, 0);
    assert_int_equal(outcomes[0].weight, 3);
    assert_int_equal(outcomes[1].value, 4);
    assert_int_equal(outcomes[1].weight, 3);
    assert_int_equal(fz_state_set_chance(g.machine, g.state, 0), FZ_OK);
    assert_int_equal(fz_state_waiting(g.state), FZ_WAITING_MOVE);
    fz_move move = {.option = 0, .count = 1, .values = {3}};
    assert_int_equal(fz_state_play(g.machine, g.state, &move), FZ_OK);
    assert_int_equal(fz_state_set_chance(g.machine, g.state, 2), FZ_OK);
    assert_int_equal(fzi_state_get(g.state, 0, 0), 5);
    assert_int_equal(fz_state_mover(g.state), 1);
    /* A turn: 3 faces, then (1 of 0 | 2 of 4) moves, then 2 numbers: 3 * (1 + 2) * 2. */
    assert_int_equal(fz_state_restart(g.machine, g.state, 1, 1), FZ_OK);
    assert_int_equal(perft(&g, 1, false), 18);
    assert_int_equal(perft(&g, 2, false), 18 * 18);
    assert_int_equal(perft(&g, 1, true), 9);
    finish(&g);
}

/* The bounded draw is uniform enough that a mistake in it would show. */
static void test_generator(void **unused)
{
    (void)unused;
    unsigned seen[6] = {0};
    uint64_t counter = 0, key = fzi_chance_key(1, 2);
    for (unsigned i = 0; i < 60000; i++)
        seen[fzi_chance_below(key, &counter, 6)]++;
    for (unsigned i = 0; i < 6; i++)
        assert_true(seen[i] > 9600 && seen[i] < 10400);
    assert_true(counter >= 60000);
    assert_int_equal(fzi_chance_below(key, &counter, 1), 0);
    uint64_t high = 0;
    for (unsigned i = 0; i < 1000; i++)
        high |= fzi_chance_below(key, &counter, UINT64_C(1) << 32);
    assert_int_equal(high, UINT32_MAX);
}

/* ---- single instructions ---- */

static int64_t evaluate(fz_program *p, uint32_t function, int64_t x, int64_t y,
                        const char **message)
{
    int64_t number = 0, arguments[] = {x, y};
    uint32_t place;
    *message = NULL;
    uint64_t budget = 10000;
    fzi_evaluator *evaluator = fzi_evaluator_new(p);
    fzi_evaluate(evaluator, function, arguments, &budget, &number, NULL, message, &place);
    fzi_evaluator_free(evaluator);
    return number;
}

static void test_numbers(void **unused)
{
    (void)unused;
    const struct {
        int op;
        int64_t x, y, result;
        const char *message;
    } cases[] = {
        {FZ_OP_ADD, 2, 3, 5, NULL},
        {FZ_OP_ADD, INT32_MAX, 1, 0, "the result of this sum does not fit 32 bits"},
        {FZ_OP_SUB, INT32_MIN, 1, 0, "the result of this sum does not fit 32 bits"},
        {FZ_OP_MUL, -7, 3, -21, NULL},
        {FZ_OP_MUL, 65536, 32768, 0, "the result of this sum does not fit 32 bits"},
        {FZ_OP_DIV, 7, 2, 3, NULL}, {FZ_OP_DIV, -7, 2, -4, NULL}, {FZ_OP_DIV, 7, -2, -4, NULL},
        {FZ_OP_DIV, INT32_MIN, -1, 0, "the result of this sum does not fit 32 bits"},
        {FZ_OP_DIV, 1, 0, 0, "division by zero"},
        {FZ_OP_MOD, 7, 3, 1, NULL}, {FZ_OP_MOD, -7, 3, 2, NULL}, {FZ_OP_MOD, -7, -3, -1, NULL},
        {FZ_OP_MOD, 7, 0, 0, "division by zero"},
        {FZ_OP_IMIN, 3, -4, -4, NULL}, {FZ_OP_IMAX, 3, -4, 3, NULL},
        {FZ_OP_MHAS, 3, 8, 1, NULL}, {FZ_OP_MHAS, 64, 8, 0, NULL}, {FZ_OP_MHAS, -1, -1, 0, NULL},
        {FZ_OP_MRANGE, 1, 3, 14, NULL}, {FZ_OP_MRANGE, 3, 1, 0, NULL},
        {FZ_OP_MRANGE, 0, 64, 0, "a number outside 0..63 in a set"},
        {FZ_OP_MRANGE, 0, 63, -1, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        as_begin(&a, 3, 3);
        uint32_t f = as_function(&a, "f", 2, 0, 3, 0, 1);
        as_word(&a, FZ_CODE(cases[i].op, 2, 0, 1));
        AS(&a, IRETURN, 2, 0, 0);
        as_function_end(&a);
        a.p.turn = (int32_t)f;
        fz_program *p = as_finish(&a);
        const char *message;
        int64_t result = evaluate(p, f, cases[i].x, cases[i].y, &message);
        if (cases[i].message) {
            assert_non_null(message);
            assert_string_equal(message, cases[i].message);
        } else {
            assert_null(message);
            assert_int_equal(result, cases[i].result);
        }
        fz_program_release(p);
    }
}

/* fn f(n) = if n == 0 then 0 else n + f(n - 1): calls inside each other, and too many of them. */
static void test_calls(void **unused)
{
    (void)unused;
    as_begin(&a, 3, 3);
    uint32_t f = as_function(&a, "f", 1, 0, 3, 1, 1);
    uint32_t on = AS1(&a, JTRUE, 0, 0, 0, 0);
    AS(&a, IRETURN, 0, 0, 0);
    as_patch(&a, on);
    AS1(&a, ADDK, 1, 0, 0, -1);
    AS1(&a, CALL, 1, 0, 2, f);
    AS(&a, ADD, 2, 2, 0);
    AS(&a, IRETURN, 2, 0, 0);
    as_function_end(&a);
    uint32_t loop = as_function(&a, "loop", 2, 0, 3, 0, 1);
    uint32_t again = as_here(&a);
    AS1(&a, JUMP, 0, 0, 0, again);
    as_function_end(&a);
    a.p.turn = (int32_t)f;
    fz_program *p = as_finish(&a);
    const char *message;
    assert_int_equal(evaluate(p, f, 100, 0, &message), 5050);
    assert_null(message);
    evaluate(p, f, 1000, 0, &message);
    assert_string_equal(message, "too many calls inside each other");
    evaluate(p, loop, 0, 0, &message);
    assert_string_equal(message, "this decision takes too many instructions");
    fz_program_release(p);
}

/* ---- lists ---- */

/* Steps in some directions, as EMIT_SHIFTS has them; what they add ascends. */
static void shape(const int32_t *dirs, unsigned count, uint32_t *ints, uint32_t *sets)
{
    int32_t deltas[FZ_SHAPE_STEPS] = {0};
    uint64_t valid[FZ_SHAPE_STEPS] = {0};
    for (unsigned i = 0; i < count; i++)
        for (unsigned s = 0; s < 25; s++) {
            int to = a.next[(unsigned)dirs[i] * 25 + s];
            if (to >= 0) {
                deltas[i] = to - (int)s;
                valid[i] |= UINT64_C(1) << s;
            }
        }
    *ints = as_int_table(&a, deltas, FZ_SHAPE_STEPS, 0);
    *sets = as_set_table(&a, valid, FZ_SHAPE_STEPS);
}

/* Lists of shifts are those of rows: the same moves, the same order, the same draws. */
static void test_shifts(void **unused)
{
    (void)unused;
    static const int32_t dirs[] = {2, 7, 0, 1}; /* e, nw, n, ne */
    for (int form = 0; form < 3; form++) {
        as_begin(&a, 5, 5);
        uint64_t rows[25] = {0};
        for (unsigned d = 0; d < 4; d++)
            for (unsigned s = 0; s < 25; s++)
                if (a.next[(unsigned)dirs[d] * 25 + s] >= 0)
                    rows[s] |= UINT64_C(1) << a.next[(unsigned)dirs[d] * 25 + s];
        uint32_t sets = as_set_table(&a, rows, 25), ints[3], valid[3];
        shape(dirs, 4, &ints[0], &valid[0]);
        shape(dirs, 3, &ints[1], &valid[1]);
        shape(dirs + 2, 2, &ints[2], &valid[2]);
        a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 5, 2, 0);
        uint32_t choice = as_choice(&a, true), option = as_option(&a, choice, 1, 2, 0, 1);
        AS1(&a, CHOOSE, 0, 0, 0, choice);
        AS(&a, SALL, 0, 0, 0);
        AS(&a, EMPTY, 1, 0, 0);
        AS1(&a, INT, 3, 0, 0, 0);
        if (form == 0) {
            AS3(&a, EMIT_ROWS, 0, 1, 3, option, sets, 25);
        } else if (form == 1) {
            AS3(&a, EMIT_SHIFTS, 0, 1, 3, option, ints[0], valid[0]);
        } else { /* in two parts that overlap */
            AS3(&a, EMIT_SHIFTS, 0, 1, 3, option, ints[1], valid[1]);
            AS3(&a, ALSO_SHIFTS, 0, 1, 3, option, ints[2], valid[2]);
        }
        uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
        a.options[option].effect = as_here(&a);
        AS1(&a, INT, 4, 0, 0, 0);
        AS(&a, PUT1, 2, 4, 0);
        AS(&a, RETURN, 0, 0, 0);
        as_patch(&a, none);
        AS(&a, LOSE, 0, 0, 0);
        as_labels(&a);
        as_function_end(&a);
        game g = start();
        static uint64_t counts[3], counters[3];
        assert_same_ways(&g, 10);
        fz_state_restart(g.machine, g.state, 5, 5);
        fz_moves *moves = fz_moves_new(g.machine);
        uint64_t hash = 0;
        while (fz_state_waiting(g.state) == FZ_WAITING_MOVE) {
            assert_int_equal(fz_state_moves(g.machine, g.state, moves), FZ_OK);
            fz_move walked;
            fzi_cursor cursor = FZI_CURSOR_AT(0);
            for (size_t i = 0; i < fz_moves_count(moves); i++) {
                fz_move move = fz_moves_at(moves, i);
                assert_true(fzi_move_list_next(&moves->list, &cursor, UINT32_MAX, &walked));
                assert_int_equal(move.values[0], walked.values[0]);
                assert_int_equal(move.values[1], walked.values[1]);
                hash = hash * 31 + (uint64_t)(move.values[0] * 25 + move.values[1]);
            }
            assert_false(fzi_move_list_next(&moves->list, &cursor, UINT32_MAX, &walked));
            assert_int_equal(fz_state_play_random(g.machine, g.state), FZ_OK);
        }
        counts[form] = hash;
        counters[form] = fzi_head_of(g.state)->counter;
        assert_int_equal(counts[form], counts[0]);
        assert_int_equal(counters[form], counters[0]);
        fz_moves_free(moves);
        finish(&g);
    }
}

/* ---- geometry ---- */

enum { GEO_ROWS = 12 };

/* A function of (row, row, number) with one geometric instruction; its result is a set or a number.
 */
static uint32_t geometry(int op, uint32_t sets, bool number)
{
    uint32_t f = as_function(&a, "f", 3, 0, 6, 3, number ? 1 : 2);
    AS1(&a, STABLE, 0, 0, 0, sets);
    AS1(&a, STABLE, 1, 1, 0, sets);
    AS1(&a, INT, 3, 0, 0, 0xff);
    AS(&a, SOR, 1, 1, 0);
    switch (op) {
    case FZ_OP_FLOOD: AS1(&a, FLOOD, 2, 0, 1, 3); break;
    case FZ_OP_STEP: AS(&a, STEP, 2, 0, 3); break;
    case FZ_OP_SHIFT: AS(&a, SHIFT, 2, 0, 2); break;
    case FZ_OP_SLIDE: AS1(&a, SLIDE, 2, 0, 3, 1 | 2 << 8); break;
    case FZ_OP_LINE: AS1(&a, LINE, 4, 1, 2, 3); break;
    default: AS1(&a, LINE_AT, 4, 0, 1, 2 | 3 << 8); break; /* site: the row's number */
    }
    if (number)
        AS(&a, IRETURN, 4, 0, 0);
    else
        AS(&a, SRETURN, 2, 0, 0);
    as_function_end(&a);
    return f;
}

static void expected_set(const fzi_topology *t, int op, const uint64_t *one, const uint64_t *both,
                         int n, uint64_t *out)
{
    unsigned w = t->words;
    memset(out, 0, w * sizeof *out);
    if (op == FZ_OP_FLOOD) {
        fzi_flood(t, one, both, 0xff, out);
    } else if (op == FZ_OP_STEP) {
        fzi_step(t, one, 0xff, out);
    } else if (op == FZ_OP_SHIFT) {
        fzi_shift_set(t, one, n % 8, out);
    } else {
        FZI_FOR_SITES (site, one, w)
            fzi_slide(t, (int)site, 0xff, both, n, out);
    }
}

/* The loop's own forms of geometric instructions do what the topology's functions do, for every W.
 */
static void test_geometry(void **unused)
{
    (void)unused;
    static const int widths[] = {5, 8, 11, 15, 22, 31};
    static const int ops[] = {FZ_OP_FLOOD, FZ_OP_STEP, FZ_OP_SHIFT,
                              FZ_OP_SLIDE, FZ_OP_LINE, FZ_OP_LINE_AT};
    uint64_t counter = 0, key = fzi_chance_key(5, 5);
    for (unsigned b = 0; b < 6; b++) {
        as_begin(&a, widths[b], widths[b]);
        unsigned w = a.p.board.words, sites = a.p.board.site_count;
        uint64_t rows[GEO_ROWS * 16] = {0};
        for (unsigned r = 0; r < GEO_ROWS; r++)
            for (unsigned s = 0; s < sites; s++)
                if (fzi_chance_below(key, &counter, 12) <= r)
                    fzi_words_add(rows + r * w, s);
        uint32_t sets = as_set_table(&a, rows, GEO_ROWS), functions[6];
        for (unsigned i = 0; i < 6; i++)
            functions[i] = geometry(ops[i], sets, i >= 4);
        a.p.turn = 0;
        fz_program *p = as_finish(&a);
        fzi_evaluator *evaluator = fzi_evaluator_new(p);
        for (unsigned i = 0; i < 6; i++)
            for (unsigned n = 0; n < 300; n++) {
                uint64_t both[16], out[16], expected[16], budget = 1000000;
                uint32_t x = fzi_chance_below(key, &counter, GEO_ROWS), place;
                uint32_t y = fzi_chance_below(key, &counter, GEO_ROWS);
                int64_t number = 0,
                        arguments[] = {x, y, 1 + fzi_chance_below(key, &counter, i == 3 ? 40 : 7)};
                const char *message;
                for (unsigned k = 0; k < w; k++)
                    both[k] = rows[x * w + k] | rows[y * w + k];
                assert_true(fzi_evaluate(evaluator, functions[i], arguments, &budget, &number, out,
                                         &message, &place));
                if (i < 4) {
                    expected_set(p->topology, ops[i], rows + x * w, both, (int)arguments[2],
                                 expected);
                    assert_memory_equal(out, expected, w * sizeof *out);
                } else if (i == 4) {
                    assert_int_equal(number, fzi_line(p->topology, both, arguments[2], 0xff));
                } else {
                    assert_int_equal(number,
                                     fzi_line_at(p->topology, (int)x, both, arguments[2], 0xff));
                }
            }
        fzi_evaluator_free(evaluator);
        fz_program_release(p);
    }
}

/* ---- turns and results ---- */

/* turn { x = 1 - x, by the only move; seen += 1 } end { if repetitions >= 3 draw; } */
static void test_repetitions(void **unused)
{
    (void)unused;
    for (int board_only = 0; board_only < 2; board_only++) {
        as_begin(&a, 3, 3);
        a.p.uses_repetitions = !board_only;
        a.p.uses_board_repetitions = (uint8_t)board_only;
        uint32_t x = as_variable(&a, "x", 1, 1, false, 0),
                 seen = as_variable(&a, "seen", 1, 1, false, 0);
        a.variables[seen].clock = 1;
        a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 3, 0, 0);
        uint32_t choice = as_choice(&a, true), option = as_option(&a, choice, 1, 0, -1, -1);
        AS1(&a, CHOOSE, 0, 0, 0, choice);
        AS1(&a, EMIT, 0, 0, 0, option);
        uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
        a.options[option].effect = as_here(&a);
        AS1(&a, INT, 1, 0, 0, 1);
        AS1(&a, LOAD, 2, 0, 0, x);
        AS(&a, SUB, 2, 1, 2);
        AS1(&a, STORE, 2, 0, 0, x);
        AS1(&a, LOAD, 2, 0, 0, seen);
        AS1(&a, ADDK, 2, 2, 0, 1);
        AS1(&a, STORE, 2, 0, 0, seen);
        as_patch(&a, none);
        AS(&a, RETURN, 0, 0, 0);
        as_labels(&a);
        as_function_end(&a);
        a.p.end = (int32_t)as_function(&a, "end", 1, 0, 3, 0, 0);
        if (board_only)
            AS(&a, BOARD_REPETITIONS, 1, 0, 0);
        else
            AS(&a, REPETITIONS, 1, 0, 0);
        AS1(&a, INT, 2, 0, 0, 3);
        uint32_t on = AS1(&a, JLT, 1, 2, 0, 0);
        AS(&a, DRAW, 0, 0, 0);
        as_patch(&a, on);
        AS(&a, RETURN, 0, 0, 0);
        as_function_end(&a);
        game g = start();
        fz_state *copy = fz_state_clone(g.state);
        assert_int_equal(fz_state_playout(g.machine, g.state, 0), FZ_OK);
        assert_int_equal(fz_state_rank(g.state, 0), 1);
        assert_int_equal(fz_state_rank(g.state, 1), 1);
        assert_true(fz_state_utility(g.state, 0) == 0.5);
        /* Turns 1, 3 and 5 began with x = 0 and the first to move; so would turn 7. */
        assert_int_equal(fz_state_turns(g.state), board_only ? 3 : 6);
        assert_int_equal(fz_state_playout(g.machine, copy, 0), FZ_OK);
        assert_same_state(g.state, copy);
        fz_state_free(copy);
        assert_same_ways(&g, 2);
        finish(&g);
    }
}

/* A turn that takes the only move and does nothing, or (without a move) nothing at all. */
static void idle_turns(bool decides)
{
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 3, 0, 0);
    if (decides) {
        uint32_t choice = as_choice(&a, true), option = as_option(&a, choice, 1, 0, -1, -1);
        AS1(&a, CHOOSE, 0, 0, 0, choice);
        AS1(&a, EMIT, 0, 0, 0, option);
        uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
        a.options[option].effect = as_here(&a);
        as_patch(&a, none);
    }
    AS(&a, RETURN, 0, 0, 0);
    as_labels(&a);
    as_function_end(&a);
}

static void test_limit(void **unused)
{
    (void)unused;
    as_begin(&a, 3, 3);
    idle_turns(true);
    a.p.limit = (int32_t)as_function(&a, "limit", 1, 0, 1, 0, 0);
    a.p.limit_turns = 5;
    AS(&a, WIN, 0, 0, 0);
    as_function_end(&a);
    game g = start();
    assert_int_equal(fz_state_playout(g.machine, g.state, 0), FZ_OK);
    assert_int_equal(fz_state_turns(g.state), 5);
    assert_true(fz_state_stopped(g.state));
    assert_int_equal(fz_state_rank(g.state, 0), 1);
    fz_tally tally;
    char message[256];
    assert_int_equal(fz_playouts(g.program, NULL, 1, 0, 10, 1, false, NULL, &tally, message),
                     FZ_OK);
    assert_int_equal(tally.stopped, 10);
    assert_int_equal(tally.wins[0], 0);
    finish(&g);
}

static void test_idle(void **unused)
{
    (void)unused;
    as_begin(&a, 3, 3);
    idle_turns(false);
    fz_program *p = as_finish(&a);
    fz_machine *machine = fz_machine_new(p, NULL);
    assert_null(fz_state_new(machine, 1, 1));
    assert_string_equal(fz_machine_message(machine), "too many turns in a row without a decision");
    fz_tally tally;
    char message[256];
    assert_int_equal(fz_playouts(p, NULL, 1, 0, 10, 2, false, NULL, &tally, message), FZ_RUNTIME);
    assert_int_equal(tally.failed, 10);
    assert_string_equal(message, "too many turns in a row without a decision");
    fz_machine_free(machine);
    fz_program_release(p);
}

/* Four players with one key each; ranked at the end of the first turn. */
static void test_ranks(void **unused)
{
    static const int32_t keys[] = {5, 7, 5, 1};
    static const int ranks[2][4] = {{2, 1, 2, 4}, {1, 2, 1, 2}}; /* alone; 10 against 8 */
    static const double utilities[2][4] = {{0.5, 1, 0.5, 0}, {1, 0, 1, 0}};
    (void)unused;
    for (int teams = 0; teams < 2; teams++) {
        as_begin(&a, 3, 3);
        a.p.player_count = 4;
        a.p.has_teams = (uint8_t)teams;
        a.p.team_count = teams ? 2 : 4;
        for (int i = 0; i < 4; i++)
            a.players[i] = (fz_player_info){0, (int8_t)(teams ? i % 2 : i), 0};
        idle_turns(true);
        a.p.end = (int32_t)as_function(&a, "end", 1, 0, 4, 0, 0);
        for (int i = 0; i < 4; i++) {
            AS1(&a, INT, 1, 0, 0, i);
            AS1(&a, INT, 2, 0, 0, 0);
            AS1(&a, INT, 3, 0, 0, keys[i]);
            AS(&a, RANK_KEY, 1, 2, 3);
        }
        AS(&a, RANK, 1, 0, 0);
        as_function_end(&a);
        game g = start();
        assert_int_equal(fz_state_playout(g.machine, g.state, 0), FZ_OK);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(fz_state_rank(g.state, i), ranks[teams][i]);
            assert_true(fz_state_utility(g.state, i) == utilities[teams][i]);
        }
        finish(&g);
    }
}

/* In the first turn the second of three players is out; the others go on in order. */
static void test_out(void **unused)
{
    (void)unused;
    as_begin(&a, 3, 3);
    a.p.player_count = 3;
    a.p.team_count = 3;
    a.players[2] = a.players[1];
    idle_turns(true);
    a.p.end = (int32_t)as_function(&a, "end", 1, 0, 3, 0, 0);
    AS1(&a, INT, 1, 0, 0, 1);
    AS(&a, OUT, 1, 0, 0);
    AS(&a, RETURN, 0, 0, 0);
    as_function_end(&a);
    game g = start();
    static const int movers[] = {0, 2, 0, 2};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(fz_state_mover(g.state), movers[i]);
        assert_int_equal(fz_state_play_random(g.machine, g.state), FZ_OK);
    }
    finish(&g);
}

/* ---- groups, and what ends a judgement ---- */

/* Two options: a generator's, of which only the moves with the largest key stay, and a plain one.
 */
static void test_groups(void **unused)
{
    static const int32_t keys[] = {5, 7, 7, 1, 0, 0, 0, 0, 0};
    (void)unused;
    as_begin(&a, 3, 3);
    uint64_t rows[] = {7, 8 | 1};
    uint32_t sets = as_set_table(&a, rows, 2), table = as_int_table(&a, keys, 9, 0);
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 5, 1, 0);
    uint32_t choice = as_choice(&a, true);
    uint32_t best = as_option(&a, choice, 1, 1, -1, 0), plain = as_option(&a, choice, 1, 1, -1, 0);
    uint32_t filter = as_filter(&a, choice, FZ_FILTER_KEEP_MAX, 1);
    a.options[best].first_filter = a.p.filter_list_length;
    as_filtered(&a, best, filter);
    AS1(&a, CHOOSE, 0, 0, 0, choice);
    AS1(&a, GROUP, 0, 0, 0, filter);
    AS2(&a, SROW, 0, 0, 0, sets, 0);
    AS1(&a, EMIT_SET, 0, 0, 0, best);
    AS1(&a, END_GROUP, 0, 0, 0, filter);
    AS2(&a, SROW, 0, 0, 0, sets, 1);
    AS1(&a, EMIT_SET, 0, 0, 0, plain);
    uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
    a.options[best].effect = as_here(&a);
    AS1(&a, PEND, 0, 0, 0, filter);
    AS1(&a, INT, 2, 0, 0, -1);
    AS(&a, TOOK, 2, 1, 0);
    AS1(&a, JUDGE, 0, 0, 0, filter);
    a.options[plain].effect = as_here(&a);
    as_patch(&a, none);
    AS(&a, WIN, 0, 0, 0);
    a.filters[filter].code = as_here(&a);
    AS(&a, LAST, 2, 3, 0);
    AS1(&a, TABLE, 3, 3, 0, table);
    AS(&a, VERDICT, 3, 1, 0);
    as_labels(&a);
    as_function_end(&a);
    game g = start();
    fz_moves *moves = fz_moves_new(g.machine);
    assert_int_equal(fz_state_moves(g.machine, g.state, moves), FZ_OK);
    static const int32_t expected[][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 3}};
    assert_int_equal(fz_moves_count(moves), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(fz_moves_at(moves, i).option, expected[i][0]);
        assert_int_equal(fz_moves_at(moves, i).values[0], expected[i][1]);
    }
    assert_moves_playable(&g);
    fz_moves_free(moves);
    finish(&g);
}

/* choose to => { x = to; <something that ends the judgement>; x = 1; } ensuring x is even */
static void test_judgements(void **unused)
{
    (void)unused;
    static const fz_face coin[] = {{0, 1}, {1, 1}};
    for (int ending = 0; ending < 4; ending++) {
        as_begin(&a, 3, 3);
        uint32_t x = as_variable(&a, "x", 1, 1, false, 0), die = as_die(&a, 1, coin, 2);
        a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 5, 1, 0);
        uint32_t choice = as_choice(&a, false), option = as_option(&a, choice, 1, 1, -1, 0);
        uint32_t filter = as_filter(&a, choice, FZ_FILTER_ENSURING, 1);
        as_filtered(&a, option, filter);
        a.choices[choice].filters = 1;
        AS1(&a, CHOOSE, 0, 0, 0, choice);
        AS(&a, SALL, 0, 0, 0);
        AS1(&a, EMIT_SET, 0, 0, 0, option);
        uint32_t none = AS2(&a, DECIDE, 0, 0, 0, choice, 0);
        a.options[option].effect = as_here(&a);
        AS1(&a, PEND, 0, 0, 0, filter);
        AS1(&a, STORE, 1, 0, 0, x);
        if (ending == 0) {
            AS(&a, STOP, 0, 0, 0);
        } else if (ending == 1) {
            AS1(&a, ROLL, 2, 0, 0, die);
        } else if (ending == 2) {
            AS(&a, WIN, 0, 0, 0);
        } else { /* the other player's choice among two */
            AS1(&a, INT, 2, 0, 0, 1);
            AS(&a, SUB, 2, 2, 0);
            uint32_t other = as_choice(&a, false), reply = as_option(&a, other, 3, 1, -1, 0);
            AS1(&a, CHOOSE, 2, 0, 0, other);
            AS1(&a, INT, 4, 0, 0, 3);
            AS1(&a, EMIT_MASK, 4, 0, 0, reply);
            uint32_t nothing = AS2(&a, DECIDE, 0, 0, 0, other, 0);
            a.options[reply].effect = as_here(&a);
            as_patch(&a, nothing);
        }
        AS1(&a, INT, 3, 0, 0, 1);
        AS1(&a, STORE, 3, 0, 0, x);
        AS1(&a, JUDGE, 0, 0, 0, filter);
        as_patch(&a, none);
        AS(&a, DRAW, 0, 0, 0);
        a.filters[filter].code = as_here(&a);
        AS1(&a, LOAD, 3, 0, 0, x);
        AS1(&a, INT, 4, 0, 0, 2);
        AS(&a, MOD, 3, 3, 4);
        AS(&a, NOT, 3, 3, 0);
        AS(&a, VERDICT, 3, 1, 0);
        as_labels(&a);
        as_function_end(&a);
        a.p.end = (int32_t)as_function(&a, "end", 1, 0, 1, 0, 0);
        AS(&a, DRAW, 0, 0, 0);
        as_function_end(&a);
        game g = start();
        assert_int_equal(perft(&g, 1, false), ending == 1 || ending == 3 ? 10 : 5);
        assert_moves_playable(&g);
        assert_same_ways(&g, 20);
        finish(&g);
    }
}

/* ---- pieces ---- */

/* A carried value travels with its piece, and is the default again where it was. */
static void test_pieces(void **unused)
{
    (void)unused;
    as_begin(&a, 3, 3);
    a.p.kind_count = 2;
    a.kinds[1] = a.kinds[0];
    uint32_t tint = as_variable(&a, "tint", 1, 9, false, 4);
    a.variables[tint].carried = 1;
    idle_turns(true);
    uint32_t act = as_function(&a, "act", 1, 0, 6, 1, 0);
    AS1(&a, INT, 1, 0, 0, 0);
    AS1(&a, INT, 2, 0, 0, 1);
    AS1(&a, INT, 3, 0, 0, 8);
    AS1(&a, INT, 4, 0, 0, 9);
    AS(&a, PUT1, 1, 2, 1);             /* a1: kind 1 of player 0 */
    AS(&a, PUT1, 2, 1, 2);             /* b1: kind 0 of player 1 */
    AS1(&a, STOREX, 4, 1, 0, tint);
    AS(&a, MOVE, 1, 2, 0);             /* a1 takes b1 */
    AS(&a, SWAP, 2, 3, 0);             /* b1 and c3 change places */
    AS(&a, BECOME, 3, 1, 0);
    AS(&a, PHANTOM, 5, 3, 2);          /* as if it were player 1's */
    AS(&a, UNPHANTOM, 5, 3, 0);
    AS(&a, RETURN, 0, 0, 0);
    as_function_end(&a);
    uint32_t ask = as_function(&a, "ask", 2, 0, 3, 1, 1);
    AS(&a, OF, 0, 0, 1);
    AS(&a, SCOUNT, 2, 0, 0);
    AS(&a, IRETURN, 2, 0, 0);
    as_function_end(&a);
    game g = start();
    int64_t me = 0, number;
    assert_int_equal(fzi_state_effect(g.machine, g.state, act, &me, 1), FZ_OK);
    int kind, owner;
    for (int site = 0; site < 9; site++) {
        fz_state_piece(g.state, site, &kind, &owner);
        assert_int_equal(kind, site == 8 ? 0 : -1);
        assert_int_equal(owner, site == 8 ? 0 : -1);
        assert_int_equal(fzi_state_get(g.state, tint, (uint32_t)site), site == 8 ? 9 : 4);
    }
    for (int64_t k = 0; k < 2; k++)
        for (int64_t p = -1; p < 2; p++) {
            int64_t arguments[] = {k, p};
            assert_int_equal(fzi_state_call(g.machine, g.state, ask, arguments, 2, &number, NULL),
                             FZ_OK);
            assert_int_equal(number, k == 0 && p == 0);
        }
    finish(&g);
}

/* ---- damaged programs ---- */

typedef struct region {
    void *at;
    size_t size;
} region;

/* Runs a program that the verifier has let pass, within tight bounds; only that it ends matters. */
static void run_damaged(const fz_program *program, unsigned seed)
{
    fz_limits limits = {.instructions = 5000, .frames = 20, .moves = 500, .memory = 1 << 20,
                        .idle_turns = 50};
    fz_machine *machine = fz_machine_new(program, &limits);
    fz_state *state = fz_state_new(machine, seed, 1);
    fz_moves *moves = fz_moves_new(machine);
    for (unsigned i = 0; state && i < 5 && fz_state_waiting(state) == FZ_WAITING_MOVE; i++) {
        if (fz_state_moves(machine, state, moves) == FZ_OK && fz_moves_count(moves)) {
            fz_move move = fz_moves_at(moves, seed % fz_moves_count(moves));
            fzi_buffer text = fzi_buffer_in(fzi_allocator_default());
            int from, to;
            fzi_move_write(machine, state, &move, i & 1, &text);
            fzi_buffer_free(&text);
            fz_move_sites(machine, state, &move, &from, &to);
            fz_state_play(machine, state, &move);
        } else {
            fz_state_play_random(machine, state);
        }
    }
    if (state)
        fz_state_playout(machine, state, 20);
    fz_machine_set_chance(machine, FZ_CHANCE_ASK);
    if (state && fz_state_restart(machine, state, seed, 2) == FZ_OK &&
        fz_state_waiting(state) == FZ_WAITING_CHANCE) {
        const fz_outcome *outcomes;
        size_t count;
        if (fz_state_outcomes(machine, state, &outcomes, &count) == FZ_OK && count)
            fz_state_set_chance(machine, state, outcomes[0].value);
    }
    fz_moves_free(moves);
    fz_state_free(state);
    fz_machine_free(machine);
}

static unsigned damage(fz_program *p, unsigned rounds)
{
#define REGION(field, type, count) {(void *)(uintptr_t)p->field, (count) * sizeof(type)}
    const region regions[] = {
        REGION(code, fz_code, p->code_length),
        REGION(code, fz_code, p->code_length),
        REGION(code, fz_code, p->code_length),
        REGION(functions, fz_function, p->function_count),
        REGION(variables, fz_variable, p->variable_count),
        REGION(types, fz_value_type, p->type_count),
        REGION(choices, fz_choice, p->choice_count),
        REGION(options, fz_option_info, p->option_count),
        REGION(filters, fz_filter, p->filter_count),
        REGION(filter_lists, uint32_t, p->filter_list_length),
        REGION(int_tables, fz_int_table, p->int_table_count),
        REGION(int_pool, int32_t, p->int_pool_length),
        REGION(set_tables, fz_set_table, p->set_table_count),
        REGION(set_pool, uint64_t, p->set_pool_length),
        REGION(dice, fz_die, p->die_count),
        REGION(faces, fz_face, p->face_count),
        REGION(initial, uint8_t, p->initial_length),
        REGION(board.next, int16_t, (size_t)p->board.dir_count * p->board.site_count),
        {&p->layout, sizeof p->layout},
    };
#undef REGION
    unsigned passed = 0;
    uint64_t counter = 0, key = fzi_chance_key(p->code_length, rounds);
    for (unsigned i = 0; i < rounds; i++) {
        uint8_t *where[3], was[3];
        unsigned changes = 1 + fzi_chance_below(key, &counter, 3);
        for (unsigned n = 0; n < changes; n++) {
            const region *r;
            do
                r = &regions[fzi_chance_below(key, &counter, sizeof regions / sizeof *regions)];
            while (!r->size);
            where[n] = (uint8_t *)r->at + fzi_chance_below(key, &counter, r->size);
            was[n] = *where[n];
            *where[n] = (uint8_t)(fzi_chance_below(key, &counter, 2)
                                      ? fzi_chance_below(key, &counter, 256)
                                      : was[n] + fzi_chance_below(key, &counter, 5) - 2);
        }
        char message[128];
        if (fzi_verify(p, fzi_allocator_default(), message, sizeof message)) {
            passed++;
            run_damaged(p, i);
        } else {
            assert_true(*message);
        }
        for (unsigned n = changes; n-- > 0;)
            *where[n] = was[n];
    }
    return passed;
}

static void test_damage(void **unused)
{
    (void)unused;
    const char *times = getenv("FZ_DAMAGE_ROUNDS");
    unsigned rounds = times ? (unsigned)atoi(times) : 400;
    for (int i = 0; i < 7; i++) {
        switch (i) {
        case 0: three_in_a_row(3, 3); break;
        case 1: apart(4, false); break;
        case 2: apart(4, true); break;
        case 3: race(); break;
        default: walks((enum walk_rule)(i - 3)); break;
        }
        fz_program *p = as_finish(&a);
        char message[128];
        bool good = fzi_verify(p, fzi_allocator_default(), message, sizeof message);
        assert_string_equal(message, "");
        assert_true(good);
        assert_true(damage(p, rounds) > 0);
        fz_program_release(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generator),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_playouts),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_ensuring),
        cmocka_unit_test(test_trials),
        cmocka_unit_test(test_keeping),
        cmocka_unit_test(test_looking_through),
        cmocka_unit_test(test_can),
        cmocka_unit_test(test_chance),
        cmocka_unit_test(test_shifts),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_repetitions),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_out),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_judgements),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
