/* Positions, FEN, records and compiled files: what is written is read again as what it was. Games
 * are played at random, and every state on the way goes through its texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "interp/program/program_file.h"
#include "interp/state/state.h"
#include "ferz_tools.h"
#include "rig.h"

/* Chance inside a turn, choices of others, secrets, arrays of every sort, pieces of four
 * players. */
static const char everything[] =
    "game \"Everything\";\n"
    "players A, B, C, D;\n"
    "board square(4);\n"
    "piece Stone \"S\"; piece Tower \"T\";\n"
    "enum Colour { None, Red, Green }\n"
    "die Three { One, Two, Three }\n"
    "var paint[site]: Colour; var hands[player, kind]: 0..9; carried var marked[site]: bool;\n"
    "var trail: sites; var ways: dirs; var here_last: site; clock var quiet: int;\n"
    "secret var plan[player]: 0..3;\n"
    "show paint;\n"
    "setup { for p in player hands[p, Stone] = 3 + int(p); put Tower of nobody at b2; }\n"
    "turn {\n"
    "  quiet += 1;\n"
    "  choose {\n"
    "    for k in kind, to in empty if hands[me, k] > 0 => {\n"
    "      hands[me, k] -= 1; put k of me at to; paint[to] = Red; trail |= to; here_last = to;\n"
    "      let r = roll(Three);\n"
    "      if r == One choose { for d in adjacent \"way {d}\" => ways |= d; \"none\" => {} }\n"
    "      if r == Two choose by D { for s in mine \"mark {s}\" => marked[s] = true; \"leave\" => "
    "{} }\n"
    "    }\n"
    "    for n in 1..3 \"plan {n}\" shown \"plan\" => plan[me] = n;\n"
    "    if turns > 12 \"give up\" => out me;\n"
    "  } otherwise {}\n"
    "}\n"
    "end { if #occupied > 10 draw; if repetitions > 2 win me; }\n"
    "limit 40 turns draw;\n";

static const char small_chess[] =
    "game \"Small\";\n"
    "info { fen \"board mover Xx=ready[White],ready[Black] gone quiet turns\"; }\n"
    "players White, Black;\n"
    "board square(5);\n"
    "piece King \"K\" { move to step(here, adjacent); }\n"
    "piece Rook \"R\" { move to slide(here, orthogonal); }\n"
    "var ready[player]: bool = true; var gone: site; clock var quiet: int;\n"
    "on capture(s) { quiet = 0; gone = s; if kind(s) == King win me; }\n"
    "setup { put King of White at c1; put Rook of White at {a1, e1};\n"
    "        put King of Black at c5; put Rook of Black at {a5, e5}; }\n"
    "turn { quiet += 1; choose piece_moves otherwise lose me; ready[me] = false; }\n"
    "end { if quiet > 40 draw; }\n";

static rig open_game(const char *text)
{
    rig r;

    assert_int_equal(rig_open(&r, text, NULL, 0), 0);
    return r;
}

static void must(rig *g, fz_status status)
{
    if (status != FZ_OK)
        print_error("%s\n", fz_machine_message(g->machine));
    assert_int_equal(status, FZ_OK);
}

static void assert_same_state(const fz_state *a, const fz_state *b)
{
    assert_int_equal(fz_state_waiting(a), fz_state_waiting(b));
    assert_int_equal(fz_state_mover(a), fz_state_mover(b));
    assert_int_equal(fz_state_decider(a), fz_state_decider(b));
    assert_int_equal(fz_state_turns(a), fz_state_turns(b));
    assert_int_equal(fz_state_plies(a), fz_state_plies(b));
    assert_memory_equal(a->block + a->layout->own, b->block + b->layout->own,
                        a->layout->frames - a->layout->own);
}

static void check_position(rig *g, const fz_state *state, bool history)
{
    fz_state *other = fz_state_new(g->machine, 99, 0);
    char *text = NULL, *again = NULL;

    assert_non_null(other);
    must(g, fz_state_write(g->machine, state, history, &text));
    must(g, fz_state_read(g->machine, other, text));
    assert_same_state(state, other);
    must(g, fz_state_write(g->machine, other, history, &again));
    assert_string_equal(text, again);
    if (history && fz_state_waiting(state) != FZ_GAME_OVER)
        assert_int_equal(fzi_head_of(state)->history, fzi_head_of(other)->history);
    fz_text_free(g->context, text);
    fz_text_free(g->context, again);
    fz_state_free(other);
}

static void check_fen(rig *g, const fz_state *state)
{
    fz_state *other = fz_state_new(g->machine, 99, 0);
    char *text = NULL, *again = NULL;

    must(g, fz_state_write_fen(g->machine, state, &text));
    must(g, fz_state_read_fen(g->machine, other, text));
    must(g, fz_state_write_fen(g->machine, other, &again));
    assert_string_equal(text, again);
    if (fz_state_waiting(state) != FZ_GAME_OVER)
        assert_same_state(state, other);
    fz_text_free(g->context, text);
    fz_text_free(g->context, again);
    fz_state_free(other);
}

/* Plays on at random by one choice or chance. */
static void step(rig *g, fz_state *state)
{
    int64_t value;

    if (fz_state_waiting(state) == FZ_WAITING_CHANCE)
        must(g, fz_state_sample_chance(g->machine, state, &value));
    else
        must(g, fz_state_play_random(g->machine, state));
}

static void play_through(const char *text, fz_chance mode, bool fen)
{
    rig g = open_game(text);

    fz_machine_set_chance(g.machine, mode);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        fz_state *state = fz_state_new(g.machine, seed, 0);
        assert_non_null(state);
        for (unsigned n = 0; n < 120; n++) {
            check_position(&g, state, n % 4 == 0);
            if (fen)
                check_fen(&g, state);
            if (fz_state_waiting(state) == FZ_GAME_OVER)
                break;
            step(&g, state);
        }
        fz_state_free(state);
    }
    rig_clear(&g);
}

static void test_positions_sampled(void **unused)
{
    (void)unused;
    play_through(everything, FZ_CHANCE_SAMPLE, false);
}

static void test_positions_asked(void **unused)
{
    (void)unused;
    play_through(everything, FZ_CHANCE_ASK, false);
}

static void test_fen(void **unused)
{
    (void)unused;
    play_through(small_chess, FZ_CHANCE_SAMPLE, true);
}

static void test_records(void **unused)
{
    rig g = open_game(everything);

    (void)unused;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        char *text = NULL, *result = NULL;
        fz_record record;
        fz_state *state;
        fz_machine_set_chance(g.machine, FZ_CHANCE_SAMPLE);
        must(&g, fz_record_playout(g.machine, NULL, "x.game", seed, 0, NULL, &text));
        assert_int_equal(fz_record_read(g.context, text, &record), FZ_OK);
        assert_int_equal(record.seed, seed);
        fz_machine_set_chance(g.machine, FZ_CHANCE_ASK);
        state = fz_state_new(g.machine, 99, 0);
        for (size_t i = 0; i < record.entry_count; i++)
            must(&g, fz_record_play(g.machine, state, record.entries[i]));
        assert_int_equal(fz_state_waiting(state), FZ_GAME_OVER);
        must(&g, fz_record_result_text(g.machine, state, &result));
        assert_string_equal(result, record.result);
        fz_text_free(g.context, result);
        fz_state_free(state);
        fz_record_free(g.context, &record);
        fz_text_free(g.context, text);
    }
    rig_clear(&g);
}

/* From the middle of a game, wherever it waits: the record begins there, reads back to the same,
 * and written again after it has been replayed it is the same text. */
static void check_record_from(rig *g, const fz_state *from, uint64_t seed)
{
    char *text = NULL, *again = NULL, message[256] = "";
    fz_tally tally = {0};
    fz_record record;
    fz_state *state;

    fz_machine_set_chance(g->machine, FZ_CHANCE_SAMPLE);
    must(g, fz_record_playout(g->machine, from, "x.game", seed, 0, NULL, &text));
    assert_int_equal(
        fz_playouts_run(
            &(fz_playout_options){
                .program = g->program, .from = from, .seed = seed, .count = 1, .threads = 1},
            &tally, message),
        FZ_OK);
    fz_machine_set_chance(g->machine, FZ_CHANCE_ASK);
    assert_int_equal(fz_record_read(g->context, text, &record), FZ_OK);
    assert_non_null(record.position);
    state = fz_record_start(g->machine, &record);
    assert_non_null(state);
    for (size_t i = 0; i < record.entry_count; i++)
        must(g, fz_record_play(g->machine, state, record.entries[i]));
    assert_int_equal(fz_state_waiting(state), FZ_GAME_OVER);
    assert_int_equal(fz_state_plies(state) - fz_state_plies(from), tally.plies);
    must(g, fz_record_write(g->machine, state, "x.game", seed, &again));
    assert_string_equal(text, again);
    fz_state_free(state);
    fz_record_free(g->context, &record);
    fz_text_free(g->context, text);
    fz_text_free(g->context, again);
}

static void test_records_from_positions(void **unused)
{
    rig g = open_game(everything);
    fz_machine *m = g.machine;
    fz_state *state;

    (void)unused;
    fz_machine_set_chance(m, FZ_CHANCE_ASK);
    state = fz_state_new(m, 7, 0);
    for (unsigned i = 0; i < 12 && fz_state_waiting(state) != FZ_GAME_OVER; i++) {
        int64_t value;
        check_record_from(&g, state, i + 1);
        if (fz_state_waiting(state) == FZ_WAITING_CHANCE)
            must(&g, fz_state_sample_chance(m, state, &value));
        else
            must(&g, fz_state_play_random(m, state));
    }
    fz_state_free(state);
    rig_clear(&g);
}

/* What is recorded is the game of its seed and stream that playouts play. */
static void test_record_is_the_playout(void **unused)
{
    rig g = open_game(everything);
    fz_tally tally = {0};
    char *text = NULL, message[256] = "";
    fz_record record;
    size_t moves = 0;

    (void)unused;
    assert_int_equal(fz_playouts(g.program, NULL, 5, 3, 1, 1, false, NULL, &tally, message), FZ_OK);
    must(&g, fz_record_playout(g.machine, NULL, "x.game", 5, 3, NULL, &text));
    assert_int_equal(fz_record_read(g.context, text, &record), FZ_OK);
    for (size_t i = 0; i < record.entry_count; i++)
        moves += record.entries[i][0] != '{';
    assert_int_equal(moves, tally.plies);
    fz_record_free(g.context, &record);
    fz_text_free(g.context, text);
    rig_clear(&g);
}

static void test_bad_positions_change_nothing(void **unused)
{
    static const char *const bad[] = {
        ". . . .\n", "x", "mover: E\n", "hands[A, Stone] = 10\n", "hands[A] = 1\n", "nothing = 1\n",
        "paint[e5] = Red\n", "trail = {a1, z9}\n", "turns: x\n", "over: 1\n", "played:\n  S@z9\n",
        "option Size = 3\n", "last: a1\n", ". . . .\n. . . .\n. . . .\n. . . .\n. . . .\n",
        "played:\n  {One}\n", "out: X\n",
    };
    rig g = open_game(everything);
    fz_state *state = fz_state_new(g.machine, 1, 0), *before;

    (void)unused;
    step(&g, state);
    before = fz_state_clone(state);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(fz_state_read(g.machine, state, bad[i]), FZ_BAD_INPUT);
        assert_true(fz_machine_message(g.machine)[0] != '\0');
        assert_same_state(before, state);
    }
    fz_state_free(before);
    fz_state_free(state);
    rig_clear(&g);
}

static void test_compiled_files(void **unused)
{
    rig g = open_game(everything);
    fz_program *loaded = NULL;
    char *bytes = NULL, *again = NULL, message[256] = "";
    size_t length = 0, again_length = 0;
    fz_tally one = {0}, other = {0};

    (void)unused;
    assert_int_equal(fz_program_save(g.context, g.program, &bytes, &length), FZ_OK);
    if (fzi_gamec_load(g.context, "x", bytes, length, &loaded) != FZ_OK)
        fail_msg("%s", fz_context_message(g.context));
    assert_int_equal(fz_program_save(g.context, loaded, &again, &again_length), FZ_OK);
    assert_int_equal(length, again_length);
    assert_memory_equal(bytes, again, length);
    fz_playouts(g.program, NULL, 1, 0, 20, 1, false, NULL, &one, message);
    fz_playouts(loaded, NULL, 1, 0, 20, 1, false, NULL, &other, message);
    assert_int_equal(one.plies, other.plies);
    fz_program_release(loaded);
    fz_text_free(g.context, bytes);
    fz_text_free(g.context, again);
    rig_clear(&g);
}

/* Damage after a checksum that fits: it is refused, or it is a sound program that can be
 * played. */
static void test_damaged_files(void **unused)
{
    enum { HEAD = 32 };
    rig g = open_game(small_chess);
    char *bytes = NULL;
    size_t length = 0;
    uint64_t random = 12345;

    (void)unused;
    assert_int_equal(fz_program_save(g.context, g.program, &bytes, &length), FZ_OK);
    for (unsigned n = 0; n < 1500; n++) {
        fz_program *loaded = NULL;
        char kept;
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        size_t at = HEAD + (size_t)(random >> 33) % (length - HEAD);
        kept = bytes[at];
        bytes[at] = (char)(random >> 20);
        fzi_gamec_seal(bytes, length);
        if (fzi_gamec_load(g.context, "x", bytes, length, &loaded) == FZ_OK) {
            fz_limits limits = {.instructions = 20000, .moves = 10000, .memory = 1 << 22};
            fz_machine *machine = fz_machine_new(loaded, &limits);
            fz_state *state = machine ? fz_state_new(machine, n, 0) : NULL;
            if (state)
                fz_state_playout(machine, state, 50);
            fz_state_free(state);
            fz_machine_free(machine);
            fz_program_release(loaded);
        }
        bytes[at] = kept;
    }
    fz_text_free(g.context, bytes);
    rig_clear(&g);
}

static void test_moves_parse_back(void **unused)
{
    rig g = open_game(everything);
    fz_state *state = fz_state_new(g.machine, 4, 0);
    fz_moves *moves = fz_moves_new(g.machine);

    (void)unused;
    for (unsigned n = 0; n < 20 && fz_state_waiting(state) == FZ_WAITING_MOVE; n++) {
        must(&g, fz_state_moves(g.machine, state, moves));
        for (size_t i = 0; i < fz_moves_count(moves); i++) {
            fz_move move = fz_moves_at(moves, i), parsed;
            char text[100];
            snprintf(text, sizeof text, " %s  ", fz_move_text(g.machine, state, &move));
            must(&g, fz_move_parse(g.machine, state, text, &parsed));
            assert_int_equal(parsed.option, move.option);
            assert_memory_equal(parsed.values, move.values, move.count * sizeof move.values[0]);
        }
        assert_int_equal(fz_move_parse(g.machine, state, "nothing", &(fz_move){0}), FZ_NOT_FOUND);
        step(&g, state);
    }
    fz_moves_free(moves);
    fz_state_free(state);
    rig_clear(&g);
}

static fz_status play_text(rig *g, fz_state *state, const char *text)
{
    fz_move move;
    fz_status status = fz_move_parse(g->machine, state, text, &move);
    return status == FZ_OK ? fz_state_play(g->machine, state, &move) : status;
}

/* Payoffs are known when the game is over; a game of one side is won, lost or neither. */
static void test_payoffs(void **unused)
{
    rig g = open_game(
        "game \"Puzzle\"; players Ann; board track(1); var n: int;\n"
        "override fn payoff(p: player): int = 10 / (n - 1) - standing(p);\n"
        "turn { choose { \"win\" => { n = 3;  win me; }  \"lose\" => { n = 6;  lose me; }\n"
        "  \"draw\" => { n = 2;  draw; }  \"bad\" => { n = 1;  draw; } } }\n");
    static const struct {
        const char *move;
        int rank;
        double utility;
        fz_status status;
        int64_t payoff;
    } ends[] = {{"win", 1, 1, FZ_OK, 4},
                {"lose", 2, 0, FZ_OK, 0},
                {"draw", 1, 0.5, FZ_OK, 9},
                {"bad", 1, 0.5, FZ_RUNTIME, 0}};
    int64_t value = 7;

    (void)unused;
    assert_true(fz_program_has_payoffs(g.program) && fz_program_has_one_side(g.program));
    assert_false(fz_program_has_chance(g.program));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        fz_state *state = fz_state_new(g.machine, 1, 0);
        assert_int_equal(fz_state_payoff(g.machine, state, 0, &value), FZ_USAGE);
        must(&g, play_text(&g, state, ends[i].move));
        assert_int_equal(fz_state_rank(state, 0), ends[i].rank);
        assert_true(fz_state_utility(state, 0) == ends[i].utility);
        assert_int_equal(fz_state_payoff(g.machine, state, 0, &value), ends[i].status);
        if (ends[i].status == FZ_OK)
            assert_int_equal(value, ends[i].payoff);
        assert_int_equal(fz_state_payoff(g.machine, state, 1, &value), FZ_USAGE);
        fz_state_free(state);
    }
    rig_clear(&g);
}

/* Pieces are coloured by what the game says of `owned`, also where that depends on `me`. */
static void test_colours_by_owner(void **unused)
{
    rig g = open_game(
        "game \"Territory\"; players South, North; board square(2); piece Drone \"D\";\n"
        "override fn owned(p: player): sites =\n"
        "  occupied & (if me == South then rank(1) else if p == me then rank(2) else {});\n"
        "setup { put Drone of nobody at {a1, b2}; }\n"
        "turn { choose to in empty => put Drone of nobody at to; otherwise draw; }\n");
    fz_state *state = fz_state_new(g.machine, 1, 0);
    char *text = NULL;

    (void)unused;
    must(&g, fz_state_draw(g.machine, state, FZ_DRAW_COLOUR, &text));
    assert_non_null(strstr(text, "\033[1;94mD\033[0m \033[2m.")); /* a1: the first player's */
    assert_non_null(strstr(text, "\033[1;31mD\033[0m\n"));        /* b2: the second's */
    fz_text_free(g.context, text);
    fz_state_free(state);
    rig_clear(&g);
}

/* A shown value of each player that is called by a colour is the colour of the player's name and
 * pieces; of a `let` by site it is that of the site's dot and arrows. */
static void test_colours_by_name(void **unused)
{
    rig g = open_game("game \"Coloured\"; players A, B; board square(2); piece Man \"M\"; enum "
                       "Tint { Blue, Green }\n"
                       "var coat[player]: Tint = [Green, Blue];\n"
                       "let ground[x: site]: Tint = if row(x) == 1 then Green else Blue;\n"
                       "let ways[x: site]: dirs = if row(x) == 1 then {n, e} else {s};\n"
                       "show coat, ground, ways;\n"
                       "setup { put Man of B at a2; }\n"
                       "turn { choose to in empty => put Man of me at to; otherwise draw; }\n");
    fz_state *state = fz_state_new(g.machine, 1, 0);
    char *text = NULL;

    (void)unused;
    must(&g, fz_state_draw(g.machine, state, FZ_DRAW_COLOUR, &text));
    assert_non_null(strstr(text, "\033[1;94mm\033[0m   \033[94m.\033[0m\n")); /* a2, b2 */
    assert_non_null(strstr(text, "\033[32m.\033[0m \033[32m\u2192\033[0m \033[32m.\033[0m\n"));
    assert_non_null(strstr(text, "    \u2195   \u2195\n")); /* between two grounds: of no colour */
    assert_non_null(strstr(text, "\033[1;32mA\033[0m to move"));
    fz_text_free(g.context, text);
    fz_state_free(state);
    rig_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_sampled), cmocka_unit_test(test_positions_asked),
        cmocka_unit_test(test_fen), cmocka_unit_test(test_records),
        cmocka_unit_test(test_records_from_positions),
        cmocka_unit_test(test_record_is_the_playout),
        cmocka_unit_test(test_bad_positions_change_nothing), cmocka_unit_test(test_compiled_files),
        cmocka_unit_test(test_damaged_files), cmocka_unit_test(test_moves_parse_back),
        cmocka_unit_test(test_payoffs), cmocka_unit_test(test_colours_by_owner),
        cmocka_unit_test(test_colours_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
