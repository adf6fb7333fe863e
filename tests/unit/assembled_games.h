/* Games assembled by hand, and what many tests of the machine do with a game. */
#ifndef FZ_TESTS_ASSEMBLED_GAMES_H
#define FZ_TESTS_ASSEMBLED_GAMES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assemble.h"
#include "ferz_tools.h"
#include "interp/state/move_list.h"
#include "interp/support/words.h"
#include "interp/vm/game.h"

static assembly a;

/* ---- what many tests do ---- */

typedef struct game {
    fz_program *program;
    fz_machine *machine;
    fz_state *state;
} game;

static inline game start(void)
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

static inline void finish(game *g)
{
    fz_state_free(g->state);
    fz_machine_free(g->machine);
    fz_program_release(g->program);
}

static inline uint64_t perft(game *g, unsigned depth, bool decisions)
{
    uint64_t nodes = 0;
    fz_status status = fz_perft(g->machine, g->state, depth, decisions, NULL, &nodes);
    assert_string_equal(fz_machine_message(g->machine), "");
    assert_int_equal(status, FZ_OK);
    return nodes;
}

/* The parts of a state that a game is made of, frames aside. */
static inline void assert_same_state(const fz_state *one, const fz_state *other)
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
                        one->layout->frames - one->layout->own);
}

/* Games played in the loop, by single random moves, by moves and chances set from outside: the
 * same. */
static inline void assert_same_ways(game *g, unsigned games)
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
static inline void assert_moves_playable(game *g)
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

/* ---- the games ---- */

/* turn { choose to in empty => put Stone of me at to; } end { line: win; full: draw } */
static inline void three_in_a_row(int width, int length)
{
    as_begin(&a, width, width);
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 3, 1, 0);
    uint32_t choice = as_choice(&a), option = as_option(&a, choice, 1, 1, -1, 0);
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

/* turn { choose to in empty => put … ensuring not (step(mine, adjacent) & mine) otherwise lose me;
 * } */
static inline void apart(int width, bool keep)
{
    as_begin(&a, width, width);
    a.p.turn = (int32_t)as_function(&a, "turn", 1, 0, 6, 3, 0);
    uint32_t choice = as_choice(&a), option = as_option(&a, choice, 1, 1, -1, 0);
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
    AS(&a, SET_LAST_MOVE, 4, 1, 0);
    AS1(&a, INT, 2, 0, 0, 0);
    AS(&a, PUT1, 1, 2, 0);
    AS1(&a, FILTER_BEGIN, 0, 0, 0, filter);
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
    AS(&a, FILTER_END, 3, 1, 0);
    as_labels(&a);
    as_function_end(&a);
}

enum { WALK_WIDTH = 4 };
enum walk_rule { WALK_FREE, WALK_LONGEST, WALK_TO_GOAL, WALK_SHORTEST, WALK_LONGEST_TO_GOAL };
static const uint64_t walk_holes = UINT64_C(1) << 5 | UINT64_C(1) << 10 | UINT64_C(1) << 3 |
                                   UINT64_C(1) << 7;

/* A walker on `at` steps n or e as long as it can, round holes; the turn is one walk from a1. With
 * the rules, the first choice looks through all the others. After the walk the game is won. */
static inline void walks(enum walk_rule rule)
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
    uint32_t choice = as_choice(&a), option = as_option(&a, choice, 1, 1, -1, 0);
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
        AS1(&a, FILTER_BEGIN, 0, 0, 0, goal_filter);
    if (rule == WALK_LONGEST || rule == WALK_SHORTEST || both)
        AS1(&a, FILTER_BEGIN, 0, 0, 0, length_filter);
    AS(&a, WIN, 0, 0, 0);
    as_patch(&a, none);
    AS(&a, DRAW, 0, 0, 0);
    a.filters[goal_filter].code = as_here(&a);
    AS1(&a, LOAD, 2, 0, 0, at);
    AS1(&a, INT, 1, 0, 0, goal); /* the binding's register: the filter may spoil its frame */
    AS(&a, EQ, 4, 1, 2);
    AS(&a, FILTER_END, 4, 1, 0);
    uint32_t length_code = as_here(&a);
    AS1(&a, LOAD, 4, 0, 0, length);
    AS(&a, FILTER_END, 4, 1, 0);
    if (rule == WALK_LONGEST || rule == WALK_SHORTEST || both)
        a.filters[length_filter].code = length_code;
    as_labels(&a);
    as_function_end(&a);

    a.code[call] = as_function(&a, "on", 1, 0, 5, 1, 0);
    uint32_t self = a.code[call], more = as_choice(&a),
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

/* A race on a track of 20: roll two dice, one of them by weights, choose one; first at the end
 * wins. */
static inline void race(void)
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
    uint32_t choice = as_choice(&a);
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

#endif
