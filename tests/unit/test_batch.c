/* Moves as numbers, what a player sees as numbers, and batches: a batch that plays random moves
 * plays the playouts of its seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ferz.h"

enum { GAMES = 40, MOST = 64 };

/* Chance that some see, sets, masks, secrets, moves without a place, an end by `limit`. */
static const char game[] =
    "game \"Small\"; players A, B; board square(4);\n"
    "die Coin { HEADS, TAILS }\n"
    "piece Man \"M\" { move to step(here, adjacent) & empty; }\n"
    "var gold[site]: 0..9; var seen: sites; var bag: set of 1..5; secret var luck[player]: 0..1;\n"
    "setup { put Man of A at rank(1); put Man of B at rank(4);\n"
    "  for p in player luck[p] = if roll(Coin) == HEADS then 1 else 0; }\n"
    "turn { if roll(Coin) == HEADS gold[a1] = min(9, gold[a1] + 1);\n"
    "  seen |= mine; bag = {2, 5};\n"
    "  choose { piece_moves; for n in -1..1 \"say {n}\" => gold[b2] = min(9, n + 1); }\n"
    "  ensuring #mine > 0 otherwise draw; }\n"
    "end { if #(mine & rank(3)) > 2 win me; } limit 30 turns draw;\n";

typedef struct rig {
    fz_context *context;
    fz_program *program;
    fz_machine *machine;
} rig;

static fz_program *compiled(fz_context *context, const char *text)
{
    fz_program *program = NULL;
    fz_report *report = NULL;

    if (fz_compile(context, "small.game", text, strlen(text), NULL, 0, &program, &report) != FZ_OK)
        print_error("%s", fz_report_text(report, FZ_TEXT));
    fz_report_free(report);
    return program;
}

/* ---- moves as numbers ---- */

static void test_actions_and_moves(void **given)
{
    const rig *r = *given;
    int64_t count = fz_program_actions(r->program);
    fz_move move, other;

    assert_true(count > 16 * 16);
    for (int64_t i = 0; i < count; i++) {
        assert_true(fz_action_move(r->program, i, &move));
        assert_int_equal(fz_move_action(r->program, &move), i);
    }
    assert_false(fz_action_move(r->program, count, &move));
    assert_false(fz_action_move(r->program, -1, &move));
    assert_true(fz_action_move(r->program, count - 1, &move));
    other = move;
    other.count++;
    assert_int_equal(fz_move_action(r->program, &other), -1);
    other = move;
    other.values[0] = 1000;
    assert_int_equal(fz_move_action(r->program, &other), -1);
    other.option = 1000;
    assert_int_equal(fz_move_action(r->program, &other), -1);
}

static void test_numbers_of_a_list(void **given)
{
    const rig *r = *given;
    fz_state *state = fz_state_new(r->machine, 1, 0);
    fz_moves *moves = fz_moves_new(r->machine);
    int64_t actions[MOST];
    fz_move move;

    assert_int_equal(fz_state_moves(r->machine, state, moves), FZ_OK);
    assert_in_range(fz_moves_count(moves), 4, MOST);
    assert_int_equal(fz_moves_actions(moves, actions), FZ_OK);
    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move listed = fz_moves_at(moves, i);
        assert_true(fz_action_move(r->program, actions[i], &move));
        assert_int_equal(move.option, listed.option);
        assert_memory_equal(move.values, listed.values, sizeof move.values);
    }
    fz_moves_free(moves);
    fz_state_free(state);
}

/* Six numbers of a billion values each are no action. */
static void test_too_many_actions(void **given)
{
    const rig *r = *given;
    fz_program *program = compiled(
        r->context, "game \"Many\"; players A, B; board none; var x: int;\n"
                    "turn { choose for a in 0..99999, b in 0..99999, c in 0..99999, d in 0..99999\n"
                    "  if a + b + c + d == 0 \"on\" => x = a; } limit 3 turns draw;\n");
    fz_move move = {0};

    assert_non_null(program);
    assert_int_equal(fz_program_actions(program), 0);
    assert_int_equal(fz_move_action(program, &move), -1);
    assert_false(fz_action_move(program, 0, &move));
    fz_program_release(program);
}

/* ---- observations ---- */

static fz_feature feature(const fz_program *program, const char *name)
{
    fz_feature found;

    for (unsigned i = 0; fz_program_feature(program, i, &found); i++)
        if (strcmp(found.name, name) == 0)
            return found;
    fail_msg("no feature %s", name);
    return found;
}

static void test_observation(void **given)
{
    const rig *r = *given;
    fz_state *state = fz_state_new(r->machine, 3, 0);
    uint8_t planes[MOST * 16];
    int32_t values[1024];
    fz_feature pieces = feature(r->program, "pieces"), seen = feature(r->program, "seen"),
               bag = feature(r->program, "bag"), sites = feature(r->program, "seen");
    int64_t luck, gold;
    fz_move move;
    fz_feature first;

    for (unsigned i = 0; fz_program_feature(r->program, i, &first); i++)
        if (first.variable >= 0 && strcmp(first.name, "seen") == 0)
            sites = first;
    assert_int_equal(fz_state_observe(r->machine, state, 0, planes, values), FZ_OK);
    assert_int_equal(pieces.rows, 3);
    for (int s = 0; s < 16; s++) {
        assert_int_equal(planes[(pieces.first + 0) * 16 + (size_t)s], s < 4);
        assert_int_equal(planes[(pieces.first + 1) * 16 + (size_t)s], s >= 12);
        assert_int_equal(planes[(pieces.first + 2) * 16 + (size_t)s], 0);
        assert_int_equal(planes[sites.first * 16 + (size_t)s], s < 4);
    }
    assert_int_equal(bag.rows * bag.columns, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(values[bag.first + i], i == 1 || i == 4);
    assert_int_equal(values[feature(r->program, "mover").first], 0);
    assert_int_equal(values[feature(r->program, "decider").first], 0);
    assert_int_equal(values[feature(r->program, "turn").first], 1);
    /* the player's own luck, and the coin of this turn */
    assert_true(fz_state_variable(state, fz_program_variable(r->program, "luck"), 0, &luck));
    assert_int_equal(values[feature(r->program, "luck").first], luck);
    assert_true(fz_state_variable(state, fz_program_variable(r->program, "gold"), 0, &gold));
    assert_int_equal(values[feature(r->program, "gold").first], gold);
    assert_int_equal(values[seen.first], 3);
    assert_int_equal(values[seen.first + 1], gold ? 0 : 1);
    assert_int_equal(fz_move_parse(r->machine, state, "say 1", &move), FZ_OK);
    assert_int_equal(fz_state_play(r->machine, state, &move), FZ_OK);
    assert_int_equal(fz_state_observe(r->machine, state, 0, NULL, values), FZ_OK);
    assert_int_equal(values[feature(r->program, "mover").first], 1);
    assert_int_equal(values[feature(r->program, "choice").first], -1);
    assert_int_equal(fz_state_observe(r->machine, state, 2, planes, values), FZ_USAGE);
    fz_state_free(state);
}

/* Both lucks are drawn; a player sees one of them. */
static void test_secrets_are_left_out(void **given)
{
    const rig *r = *given;
    int luck = fz_program_variable(r->program, "luck");
    size_t place = feature(r->program, "luck").first;
    unsigned ones = 0;

    for (unsigned stream = 0; stream < 20; stream++) {
        fz_state *state = fz_state_new(r->machine, 3, stream);
        int32_t values[1024];
        int64_t own;
        for (int p = 0; p < 2; p++) {
            assert_int_equal(fz_state_observe(r->machine, state, p, NULL, values), FZ_OK);
            assert_true(fz_state_variable(state, luck, (size_t)p, &own));
            assert_int_equal(values[place + (size_t)p], own);
            assert_int_equal(values[place + (size_t)(1 - p)], 0);
            ones += own != 0;
        }
        fz_state_free(state);
    }
    assert_in_range(ones, 5, 35);
}

/* ---- batches ---- */

static fz_batch *batch_of(const fz_program *program, uint64_t seed, size_t count, unsigned threads)
{
    fz_batch *batch;
    char message[256] = "?";
    const fz_batch_task task = {.program = program, .seed = seed, .count = count,
                                .threads = threads};

    assert_int_equal(fz_batch_new(&task, &batch, message), FZ_OK);
    assert_string_equal(message, "");
    return batch;
}

typedef struct results {
    uint64_t plies[GAMES];
    uint8_t endings[GAMES];
    double utilities[GAMES * 2];
} results;

static void play_out(const rig *r, unsigned threads, results *into)
{
    fz_batch *batch;
    int8_t deciders[GAMES];
    uint8_t endings[GAMES];
    uint32_t plies[GAMES];
    double utilities[GAMES * 2];
    const fz_batch_arrays arrays = {.deciders = deciders, .endings = endings, .plies = plies,
                                    .utilities = utilities};
    bool going = true;

    memset(into, 0, sizeof *into);
    batch = batch_of(r->program, 5, GAMES, threads);
    while (going) {
        assert_int_equal(fz_batch_step(batch, NULL, FZ_BATCH_INDEXES, false), FZ_OK);
        fz_batch_look(batch, &arrays);
        going = false;
        for (size_t i = 0; i < GAMES; i++) {
            going = going || deciders[i] >= 0;
            into->plies[i] = plies[i];
            if (endings[i])
                into->endings[i] = endings[i];
            for (size_t p = 0; p < 2; p++)
                into->utilities[2 * i + p] += utilities[2 * i + p];
        }
    }
    fz_batch_free(batch);
}

static void test_random_steps_are_playouts(void **given)
{
    const rig *r = *given;
    static results wanted, got;
    const fz_playout_task task = {.program = r->program, .seed = 5, .count = GAMES};
    const fz_playout_arrays arrays = {.plies = wanted.plies, .endings = wanted.endings,
                                      .utilities = wanted.utilities};
    char message[256];
    uint64_t done;

    assert_int_equal(fz_playouts_into(&task, &arrays, &done, message), FZ_OK);
    assert_int_equal(done, GAMES);
    for (unsigned threads = 1; threads < 5; threads += 3) {
        play_out(r, threads, &got);
        assert_memory_equal(&got, &wanted, sizeof got);
    }
}

/* A list of choices with one that is not legal changes nothing; -1 leaves a game alone. */
static void test_choices(void **given)
{
    const rig *r = *given;
    fz_batch *batch;
    uint32_t plies[3], counts[3];
    const fz_batch_arrays arrays = {.plies = plies, .counts = counts};
    int64_t choices[3] = {0, 1, 1000}, actions[3 * MOST];

    batch = batch_of(r->program, 5, 3, 2);
    for (int kind = 0; kind < 2; kind++) {
        assert_int_equal(fz_batch_step(batch, choices, (fz_batch_choices)kind, true), FZ_USAGE);
        assert_non_null(strstr(fz_batch_message(batch), "game "));
    }
    choices[2] = FZ_BATCH_LEAVE;
    fz_batch_look(batch, &arrays);
    assert_int_equal(plies[0] + plies[1] + plies[2], 0);
    assert_int_equal(fz_batch_actions(batch, actions), FZ_OK);
    choices[0] = actions[1];
    choices[1] = actions[counts[0]];
    assert_int_equal(fz_batch_step(batch, choices, FZ_BATCH_ACTIONS, true), FZ_OK);
    assert_string_equal(fz_batch_message(batch), "");
    fz_batch_look(batch, &arrays);
    assert_int_equal(plies[0], 1);
    assert_int_equal(plies[1], 1);
    assert_int_equal(plies[2], 0);
    assert_null(fz_batch_state(batch, 3));
    fz_batch_free(batch);
}

/* Games that end begin again with streams of their own, on any number of threads. */
static void test_games_begin_again(void **given)
{
    const rig *r = *given;
    uint64_t streams[2][3];
    uint32_t plies[2][3];
    uint64_t ended = 0;

    for (unsigned threads = 1; threads < 3; threads++) {
        fz_batch *batch;
        uint8_t endings[3];
        const fz_batch_arrays arrays = {.streams = streams[threads - 1],
                                        .plies = plies[threads - 1], .endings = endings};
        ended = 0;
        batch = batch_of(r->program, 5, 3, threads);
        for (unsigned i = 0; i < 200; i++) {
            assert_int_equal(fz_batch_step(batch, NULL, FZ_BATCH_INDEXES, true), FZ_OK);
            fz_batch_look(batch, &arrays);
            for (size_t k = 0; k < 3; k++) {
                ended += endings[k] != FZ_NOT_ENDED;
                assert_int_equal(streams[threads - 1][k] % 3, k);
            }
        }
        fz_batch_free(batch);
    }
    assert_true(ended >= 15);
    assert_int_equal(streams[0][0] + streams[0][1] + streams[0][2], 3 * ended + 3);
    assert_memory_equal(streams[0], streams[1], sizeof streams[0]);
    assert_memory_equal(plies[0], plies[1], sizeof plies[0]);
}

/* Games that end in their set-up, about one of two: all of them are told, in their order. */
static const char hasty[] =
    "game \"Hasty\"; players A, B; board none; die Coin { HEADS, TAILS }\n"
    "setup { if roll(Coin) == HEADS win A; }\n"
    "turn { choose \"on\" => win B; otherwise draw; } limit 9 turns draw;\n";

/* The next end of a game, counted by its winner, and whether it is the one of this stream. */
static void count_end(const fz_program *program, uint64_t stream,
                      const double *utilities, unsigned ends[2])
{
    fz_machine *machine = fz_machine_new(program, NULL);
    fz_state *state = fz_state_new(machine, 5, stream);
    bool at_once = fz_state_waiting(state) == FZ_GAME_OVER;

    assert_true(utilities[0] == (at_once ? 1.0 : 0.0));
    assert_true(utilities[1] == (at_once ? 0.0 : 1.0));
    ends[at_once]++;
    fz_state_free(state);
    fz_machine_free(machine);
}

static void test_games_that_end_in_set_up(void **given)
{
    const rig *r = *given;
    fz_program *program = compiled(r->context, hasty);
    fz_batch *batch = batch_of(program, 5, 3, 1);
    uint8_t endings[3];
    double utilities[6];
    uint64_t streams[3], told[3] = {0, 1, 2};
    unsigned ends[2] = {0};
    const fz_batch_arrays arrays = {.endings = endings, .utilities = utilities,
                                    .streams = streams};

    for (unsigned i = 0; i < 60; i++) {
        fz_batch_look(batch, &arrays);
        for (size_t k = 0; k < 3; k++)
            if (endings[k]) {
                count_end(program, told[k], &utilities[2 * k], ends);
                told[k] += 3;
                assert_true(streams[k] <= told[k]);
            }
        assert_int_equal(fz_batch_step(batch, NULL, FZ_BATCH_INDEXES, true), FZ_OK);
    }
    assert_in_range(ends[0], 40, 140);
    assert_in_range(ends[1], 40, 140);
    fz_batch_free(batch);
    fz_program_release(program);
}

/* What is wrong is said, though there is no batch to ask. */
static void test_a_batch_that_is_not_made(void **given)
{
    const rig *r = *given;
    fz_batch *batch = (fz_batch *)given;
    char message[256];
    const fz_batch_task task = {.program = r->program, .count = SIZE_MAX / 512, .threads = 1};

    assert_int_equal(fz_batch_new(&task, &batch, message), FZ_NO_MEMORY);
    assert_null(batch);
    assert_non_null(strstr(message, "there is no room for 36028797018963967 games"));
}

/* A script that fails ends its game; the others go on. */
static void test_a_script_fails(void **given)
{
    const rig *r = *given;
    fz_program *program = compiled(
        r->context, "game \"Fails\"; players A, B; board none; var n[1..3]: int;\n"
                    "turn { choose for i in 1..4 \"{i}\" => n[i] += 1; } limit 9 turns draw;\n");
    fz_batch *batch;
    int64_t choices[3] = {0, 3, 2};
    uint8_t endings[3];
    int8_t deciders[3];
    double utilities[6];
    const fz_batch_arrays arrays = {.endings = endings, .deciders = deciders,
                                    .utilities = utilities};

    assert_non_null(program);
    batch = batch_of(program, 1, 3, 1);
    assert_int_equal(fz_batch_step(batch, choices, FZ_BATCH_INDEXES, false), FZ_OK);
    assert_non_null(strstr(fz_batch_message(batch), "game 1: small.game:2:"));
    fz_batch_look(batch, &arrays);
    assert_int_equal(endings[1], FZ_ENDED_BY_ERROR);
    assert_int_equal(endings[0] + endings[2], FZ_NOT_ENDED);
    assert_int_equal(deciders[1], -1);
    assert_true(utilities[2] + utilities[3] == 0.0);
    assert_null(fz_batch_state(batch, 1));
    assert_int_equal(fz_batch_step(batch, choices, FZ_BATCH_INDEXES, true), FZ_OK);
    fz_batch_look(batch, &arrays);
    assert_int_equal(deciders[1], 0); /* it has begun again */
    fz_batch_free(batch);
    fz_program_release(program);
}

static int begin(void **given)
{
    static rig r;
    static const char *const dirs[] = {FZ_SOURCE_STDLIB_DIR, NULL};
    const fz_config config = {.module_dirs = dirs};

    r.context = fz_context_new(&config);
    r.program = compiled(r.context, game);
    r.machine = r.program ? fz_machine_new(r.program, NULL) : NULL;
    *given = &r;
    return r.machine ? 0 : -1;
}

static int end(void **given)
{
    rig *r = *given;

    fz_machine_free(r->machine);
    fz_program_release(r->program);
    fz_context_free(r->context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_actions_and_moves),
        cmocka_unit_test(test_numbers_of_a_list),
        cmocka_unit_test(test_too_many_actions),
        cmocka_unit_test(test_observation),
        cmocka_unit_test(test_secrets_are_left_out),
        cmocka_unit_test(test_random_steps_are_playouts),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_games_begin_again),
        cmocka_unit_test(test_games_that_end_in_set_up),
        cmocka_unit_test(test_a_batch_that_is_not_made),
        cmocka_unit_test(test_a_script_fails),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
