/* Decisions of the machine, on programs assembled by hand: lists of moves, filters, questions,
 * chance, and counting. */
#include "assembled_games.h"
#include "interp/state/state.h"
#include "interp/support/chance.h"

/* ---- three in a row ---- */

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
    uint32_t choice = as_choice(&a), option = as_option(&a, choice, 1, 1, -1, 0);
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
    AS(&a, SET_LAST_MOVE, 4, 1, 0);
    AS1(&a, INT, 2, 0, 0, 0);
    AS(&a, PUT1, 1, 2, 0);
    if (rolls)
        AS(&a, RANDOM_SITE, 2, 0, 0);
    AS1(&a, FILTER_BEGIN, 0, 0, 0, filter);
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
    AS(&a, FILTER_END, 3, 1, 0);
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
    uint32_t asked = as_choice(&a), maybe = as_option(&a, asked, 1, 1, -1, 0);
    uint32_t filter = as_filter(&a, asked, FZ_FILTER_ENSURING, 1);
    as_filtered(&a, maybe, filter);
    AS1(&a, CAN, 0, 0, 0, asked);
    AS(&a, EMPTY, 0, 0, 0);
    AS1(&a, EMIT_SET, 0, 0, 0, maybe);
    AS1(&a, CAN_END, 5, 0, 0, asked);
    uint32_t go = AS1(&a, JTRUE, 5, 0, 0, 0);
    AS(&a, LOSE, 0, 0, 0);
    as_patch(&a, go);
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
    a.options[maybe].effect = as_here(&a);
    AS1(&a, PEND, 0, 0, 0, filter);
    AS1(&a, INT, 2, 0, 0, 0);
    AS(&a, PUT1, 1, 2, 0);
    AS1(&a, FILTER_BEGIN, 0, 0, 0, filter);
    AS(&a, RETURN, 0, 0, 0);
    a.filters[filter].code = as_here(&a);
    AS(&a, OWNED, 1, 0, 0);
    AS1(&a, INT, 3, 0, 0, 0xff);
    AS(&a, STEP, 2, 1, 3);
    AS(&a, SMEETS, 3, 2, 1);
    AS(&a, NOT, 3, 3, 0);
    AS(&a, FILTER_END, 3, 1, 0);
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
    uint32_t choice = as_choice(&a);
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
    AS(&a, SET_LAST_MOVE, 2, 1, 0);
    AS1(&a, FILTER_BEGIN, 0, 0, 0, filter);
    a.options[plain].effect = as_here(&a);
    as_patch(&a, none);
    AS(&a, WIN, 0, 0, 0);
    a.filters[filter].code = as_here(&a);
    AS(&a, LAST, 2, 3, 0);
    AS1(&a, TABLE, 3, 3, 0, table);
    AS(&a, FILTER_END, 3, 1, 0);
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
        uint32_t choice = as_choice(&a), option = as_option(&a, choice, 1, 1, -1, 0);
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
            uint32_t other = as_choice(&a), reply = as_option(&a, other, 3, 1, -1, 0);
            AS1(&a, CHOOSE, 2, 0, 0, other);
            AS1(&a, INT, 4, 0, 0, 3);
            AS1(&a, EMIT_MASK, 4, 0, 0, reply);
            uint32_t nothing = AS2(&a, DECIDE, 0, 0, 0, other, 0);
            a.options[reply].effect = as_here(&a);
            as_patch(&a, nothing);
        }
        AS1(&a, INT, 3, 0, 0, 1);
        AS1(&a, STORE, 3, 0, 0, x);
        AS1(&a, FILTER_BEGIN, 0, 0, 0, filter);
        as_patch(&a, none);
        AS(&a, DRAW, 0, 0, 0);
        a.filters[filter].code = as_here(&a);
        AS1(&a, LOAD, 3, 0, 0, x);
        AS1(&a, INT, 4, 0, 0, 2);
        AS(&a, MOD, 3, 3, 4);
        AS(&a, NOT, 3, 3, 0);
        AS(&a, FILTER_END, 3, 1, 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generator),
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
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_judgements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
