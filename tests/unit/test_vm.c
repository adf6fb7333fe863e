/* The machine, on programs assembled by hand: instructions, calls, turns, results, pieces. */
#include "assembled_games.h"
#include "interp/board/topology.h"
#include "interp/state/state.h"
#include "interp/support/chance.h"
#include "interp/vm/game.h"
#include "interp/vm/evaluator.h"

enum { WORDS = FZ_MAX_WORDS, SITES = FZ_MAX_SITES };
#include "plain_geometry.h"

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
        uint32_t choice = as_choice(&a), option = as_option(&a, choice, 1, 2, 0, 1);
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
    memset(out, 0, WORDS * sizeof *out);
    if (op == FZ_OP_FLOOD) {
        plain_flood(t, one, both, 0xff, out);
    } else if (op == FZ_OP_STEP || op == FZ_OP_SHIFT) {
        plain_step(t, one, op == FZ_OP_STEP ? 0xff : UINT64_C(1) << n % 8, out);
    } else {
        FZI_FOR_SITES (site, one, t->words)
            for (unsigned d = 0; d < 8; d++)
                plain_slide(t, (int)site, d, both, n, out);
    }
}

/* The geometric instructions do what plain walks do, for every W. */
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
            for (unsigned n = 0; n < 150; n++) {
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
                    int64_t length = arguments[2];
                    assert_int_equal(number, length == 1
                                                 ? !fzi_words_empty(both, w)
                                                 : plain_line(p->topology, -1, both, length, 0xff));
                } else {
                    bool row = arguments[2] == 1 ||
                               plain_line(p->topology, (int)x, both, arguments[2], 0xff);
                    assert_int_equal(number, has(both, (int)x) && row);
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
        uint32_t choice = as_choice(&a), option = as_option(&a, choice, 1, 0, -1, -1);
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
        uint32_t choice = as_choice(&a), option = as_option(&a, choice, 1, 0, -1, -1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_shifts),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_repetitions),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_out),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
