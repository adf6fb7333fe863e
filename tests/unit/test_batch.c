/* Moves as numbers, what a player sees as numbers, and batches: a batch that plays random moves
 * plays the playouts of its seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

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

/* Four numbers that may each have 100,000 values are no action. */
static void test_too_many_actions(void **given)
{
    const rig *r = *given;
    fz_program *program = compiled(
        r->context, "game \"Many\"; players A, B; board none; var x: 0..99999;\n"
                    "turn { choose for a in 0..x, b in 0..x, c in 0..x, d in 0..x\n"
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
    assert_int_equal(fz_state_observe(r->machine, state, 0, false, planes, values), FZ_OK);
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
    assert_int_equal(fz_state_observe(r->machine, state, 0, false, NULL, values), FZ_OK);
    assert_int_equal(values[feature(r->program, "mover").first], 1);
    assert_int_equal(values[feature(r->program, "choice").first], -1);
    assert_int_equal(fz_state_observe(r->machine, state, 2, false, planes, values), FZ_USAGE);
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
            assert_int_equal(fz_state_observe(r->machine, state, p, false, NULL, values), FZ_OK);
            assert_true(fz_state_variable(state, luck, (size_t)p, &own));
            assert_int_equal(values[place + (size_t)p], own);
            assert_int_equal(values[place + (size_t)(1 - p)], 0);
            ones += own != 0;
        }
        fz_state_free(state);
    }
    assert_in_range(ones, 5, 35);
}

/* ---- own views ---- */

/* A game that the second player sees as the first one does after a half turn, with a variable for
 * each sort of value. */
static const char turned[] =
    "game \"Turned\"; players A, B; board square(3); stacks up to 3;\n"
    "piece Man \"M\"; piece King \"K\";\n"
    "var home[player]: site; var held[player, kind]: 0..9; var ahead: dir; var who: player;\n"
    "var paint[site]: 0..9; var marked: sites; var field[player]: sites; var some: set of player;\n"
    "var flag[site]: bool;\n"
    "setup { put Man of A at a1; put Man of B at c3; put King of A at b1; put King of B at b3; }\n"
    "turn { choose { for s in site, d in adjacent, p in player \"go {s} {d} {p}\" => {\n"
    "    home[me] = s; held[me, King] = 3; held[p, Man] += 1; ahead = d; who = p; paint[s] = 7;\n"
    "    marked |= s; field[p] = {s}; some = {p}; flag[s] = true; put Man of me on s; }\n"
    "  \"pass\" => {} } }\n"
    "limit 30 turns draw;\n";

/* The parts of an observation that the number of turns does not change. */
typedef struct sight {
    uint8_t planes[64 * 9];
    int32_t values[512];
} sight;

static void look_as(const fz_program *program, fz_machine *machine, const fz_state *state,
                    int player, sight *seen)
{
    static const char *const others[] = {"player", "mover", "decider", "choice", "turn", "plies",
                                         "seen"};
    fz_feature f;

    memset(seen, 0, sizeof *seen);
    assert_int_equal(fz_state_observe(machine, state, player, true, seen->planes, seen->values),
                     FZ_OK);
    for (unsigned i = 0; fz_program_feature(program, i, &f); i++)
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            if (f.variable < 0 && strcmp(f.name, others[k]) == 0)
                memset(&seen->values[f.first], 0, f.rows * f.columns * sizeof *seen->values);
}

static fz_state *played(fz_machine *machine, const fz_move *moves, unsigned count)
{
    fz_state *state = fz_state_new(machine, 1, 0);

    for (unsigned i = 0; i < count; i++)
        assert_int_equal(fz_state_play(machine, state, &moves[i]), FZ_OK);
    return state;
}

/* What B does after a pass of A is in B's own view what A does at once in A's. */
static void compare_views(const fz_program *program, fz_machine *machine, const char *text,
                          const char *as_b)
{
    fz_state *state = fz_state_new(machine, 1, 0), *other;
    fz_move moves[2], own;
    sight first, second;
    int64_t action;

    assert_int_equal(fz_move_parse(machine, state, "pass", &moves[0]), FZ_OK);
    assert_int_equal(fz_move_parse(machine, state, text, &own), FZ_OK);
    assert_int_equal(fz_move_parse(machine, state, as_b, &moves[1]), FZ_OK);
    action = fz_move_action(program, &own);
    assert_int_equal(fz_own_actions(program, 1, true, &action, 1), FZ_OK);
    assert_int_equal(action, fz_move_action(program, &moves[1]));
    assert_int_equal(fz_own_actions(program, 1, false, &action, 1), FZ_OK);
    assert_int_equal(action, fz_move_action(program, &own));
    fz_state_free(state);
    state = played(machine, &own, 1);
    other = played(machine, moves, 2);
    look_as(program, machine, state, 0, &first);
    look_as(program, machine, other, 1, &second);
    assert_memory_equal(first.planes, second.planes, sizeof first.planes);
    assert_memory_equal(first.values, second.values, sizeof first.values);
    look_as(program, machine, other, 0, &second);
    assert_memory_not_equal(first.values, second.values, sizeof first.values);
    fz_state_free(state);
    fz_state_free(other);
}

static void test_own_view(void **given)
{
    const rig *r = *given;
    fz_program *program = compiled(r->context, turned);
    fz_machine *machine = fz_machine_new(program, NULL);
    int64_t none = -1;
    int sites[9];

    assert_int_equal(fz_own_sites(program, 1, sites), FZ_OK);
    for (int s = 0; s < 9; s++)
        assert_int_equal(sites[s], 8 - s);
    assert_int_equal(fz_own_sites(program, 0, sites), FZ_OK);
    for (int s = 0; s < 9; s++)
        assert_int_equal(sites[s], s);
    assert_int_equal(fz_own_sites(program, 2, sites), FZ_USAGE);
    assert_int_equal(fz_own_actions(program, 1, false, &none, 1), FZ_OK);
    assert_int_equal(none, -1);
    compare_views(program, machine, "go a2 n A", "go c2 s B");
    compare_views(program, machine, "go a1 e A", "go c3 w B"); /* onto an own piece */
    compare_views(program, machine, "go b3 e B", "go b1 w A"); /* onto one of the other's */
    fz_machine_free(machine);
    fz_program_release(program);
}

/* A half turn; a mirror, if the game begins alike after that only. */
static void test_which_way_the_board_is_turned(void **given)
{
    static const char script[] =
        "game \"G\"; players A, B; board square(4, 2); piece Man \"M\"; piece King \"K\";\n"
        "setup { put Man of A at a1; put King of A at d1; put %s of B at a2; put %s of B at d2; }\n"
        "turn { choose \"pass\" => {} } limit 30 turns draw;\n";
    static const struct { const char *left, *right; int first; } cases[] = {
        {"Man", "King", 4}, {"King", "Man", 7}, {"King", "King", 7}};
    const rig *r = *given;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        int sites[8];
        snprintf(text, sizeof text, script, cases[i].left, cases[i].right);
        fz_program *program = compiled(r->context, text);
        assert_int_equal(fz_own_sites(program, 1, sites), FZ_OK);
        assert_int_equal(sites[0], cases[i].first);
        assert_int_equal(sites[4], cases[i].first - 4);
        fz_program_release(program);
    }
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

/* ---- agents ---- */

static fz_batch *batch_against(const rig *r, const fz_program *program, const char *const *agents,
                               unsigned threads)
{
    const fz_batch_task task = {.program = program, .seed = 5, .count = 9, .threads = threads,
                                .agents = agents, .context = r->context};
    fz_batch *batch;
    char message[256];

    assert_int_equal(fz_batch_new(&task, &batch, message), FZ_OK);
    assert_string_equal(message, "");
    return batch;
}

/* Random moves against agents: the games are the same on any number of threads, and the caller
 * chooses for the other players only. */
static void compare_threads(const rig *r, const char *const *agents, int caller)
{
    fz_batch *one = batch_against(r, r->program, agents, 1),
             *four = batch_against(r, r->program, agents, 4);
    struct { int8_t deciders[9]; uint32_t plies[9]; uint64_t streams[9]; double utilities[18]; }
        a, b;
    unsigned ended = 0;

    for (unsigned i = 0; i < 40; i++) {
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        fz_batch_look(one, &(fz_batch_arrays){.deciders = a.deciders, .plies = a.plies,
                                              .streams = a.streams, .utilities = a.utilities});
        fz_batch_look(four, &(fz_batch_arrays){.deciders = b.deciders, .plies = b.plies,
                                               .streams = b.streams, .utilities = b.utilities});
        assert_memory_equal(&a, &b, sizeof a);
        for (size_t k = 0; k < 9; k++) {
            assert_int_equal(a.deciders[k], caller);
            ended += a.utilities[2 * k] + a.utilities[2 * k + 1] > 0;
        }
        assert_int_equal(fz_batch_step(one, NULL, FZ_BATCH_INDEXES, true), FZ_OK);
        assert_int_equal(fz_batch_step(four, NULL, FZ_BATCH_INDEXES, true), FZ_OK);
    }
    assert_in_range(ended, 9, 200);
    fz_batch_free(one);
    fz_batch_free(four);
}

static void test_agents_on_any_number_of_threads(void **given)
{
    compare_threads(*given, (const char *const[]){"mcts:3", NULL}, 1); /* of a game with secrets */
    compare_threads(*given, (const char *const[]){NULL, "random"}, 0);
}

/* The agents of all players: games end at once, and each step tells one end of each. */
static void test_agents_of_all_players(void **given)
{
    const rig *r = *given;
    fz_batch *batch = batch_against(r, r->program, (const char *const[]){"random", "random"}, 2);
    uint8_t endings[9];

    for (unsigned i = 0; i < 4; i++) {
        fz_batch_look(batch, &(fz_batch_arrays){.endings = endings});
        for (size_t k = 0; k < 9; k++)
            assert_int_not_equal(endings[k], FZ_NOT_ENDED);
        assert_int_equal(fz_batch_step(batch, NULL, FZ_BATCH_INDEXES, true), FZ_OK);
    }
    fz_batch_free(batch);
}

static void test_agents_that_cannot_play(void **given)
{
    const rig *r = *given;
    static const struct { const char *agent, *message; fz_status status; } cases[] = {
        {"nobody", "nobody", FZ_USAGE},
        {"greedy", "plays only games that hide nothing", FZ_REFUSED},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const agents[] = {"random", cases[i].agent};
        const fz_batch_task task = {.program = r->program, .count = 2, .agents = agents,
                                    .context = r->context};
        fz_batch *batch;
        char message[256] = "";
        assert_int_equal(fz_batch_new(&task, &batch, message), cases[i].status);
        assert_null(batch);
        assert_non_null(strstr(message, cases[i].message));
    }
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

    *given = &r;
    return rig_open(&r, game, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_actions_and_moves),
        cmocka_unit_test(test_numbers_of_a_list),
        cmocka_unit_test(test_too_many_actions),
        cmocka_unit_test(test_observation),
        cmocka_unit_test(test_secrets_are_left_out),
        cmocka_unit_test(test_own_view),
        cmocka_unit_test(test_which_way_the_board_is_turned),
        cmocka_unit_test(test_random_steps_are_playouts),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_games_begin_again),
        cmocka_unit_test(test_games_that_end_in_set_up),
        cmocka_unit_test(test_a_batch_that_is_not_made),
        cmocka_unit_test(test_agents_on_any_number_of_threads),
        cmocka_unit_test(test_agents_of_all_players),
        cmocka_unit_test(test_agents_that_cannot_play),
        cmocka_unit_test(test_a_script_fails),
    };

    return cmocka_run_group_tests(tests, begin, rig_close);
}
