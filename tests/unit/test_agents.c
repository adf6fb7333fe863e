/* Agents: what they may know, and what they remember. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ferz.h"
#include "ferz_tools.h"
#include "interp/agents/agent.h"
#include "interp/text/determinize.h"
#include "interp/text/notation.h"
#include "rig.h"

/* A race with dice: whoever knew the next throws would choose otherwise. */
static const char game[] =
    "game \"Race\"; players A, B; board track(12); piece Man \"M\";\n"
    "die D { 1, 2, 3 } var steps: int;\n"
    "setup { put Man of A at site_at(1, 1); put Man of B at site_at(2, 1); }\n"
    "turn { choose { \"once\" => steps = roll(D);  \"twice\" => steps = roll(D) + roll(D);\n"
    "  \"stay\" => steps = 2; }\n"
    "  let s = first x in mine : true; let t = walk(s, e, steps);\n"
    "  if t == off lose me;  if t in empty go(s, t);  if column(t) == 12 win me; }\n"
    "limit 60 turns draw;\n";

static const char *const agents[] = {"random", "greedy", "softmax:temperature=0.2",
                                     "flat:60", "mcts:100", "mcts:60:trees=3", "alphabeta:2"};

/* The state's stream of chance decides nothing but the chance of the game. */
static void test_dice_are_not_foreseen(void **given)
{
    rig *r = *given;

    for (size_t i = 0; i < sizeof agents / sizeof *agents; i++) {
        fz_state *state = fz_state_new(r->machine, 1, 0), *other = fz_state_clone(state);
        fz_agent *agent;
        fz_move one, two;
        assert_int_equal(fz_agent_new(r->context, r->program, agents[i], &agent), FZ_OK);
        for (uint64_t key = 1; key < 6; key++) {
            fzi_head_of(other)->key = fzi_chance_key(99, key);
            fz_agent_begin(agent, 7, key);
            assert_int_equal(fz_agent_choose(agent, state, &one), FZ_OK);
            fz_agent_begin(agent, 7, key);
            assert_int_equal(fz_agent_choose(agent, other, &two), FZ_OK);
            assert_int_equal(one.option, two.option);
        }
        fz_agent_free(agent);
        fz_state_free(state);
        fz_state_free(other);
    }
}

/* What a search tells of its moves: it was tried as often as it was asked, most often the move that
 * it chose. Others tell nothing. */
static void test_opinions(void **given)
{
    rig *r = *given;
    fz_state *state = fz_state_new(r->machine, 1, 0);
    fz_moves *moves = fz_moves_new(r->machine);
    uint64_t visits, sum = 0, most = 0;
    double proven;
    fz_agent *agent;
    fz_move chosen;

    assert_int_equal(fz_agent_new(r->context, r->program, "mcts:100", &agent), FZ_OK);
    assert_int_equal(fz_agent_choose(agent, state, &chosen), FZ_OK);
    assert_int_equal(fz_state_moves(r->machine, state, moves), FZ_OK);
    for (size_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move move = fz_moves_at(moves, i);
        assert_true(fz_agent_opinion(agent, state, &move, &visits, &proven));
        assert_true(isnan(proven));
        sum += visits;
        most = visits > most ? visits : most;
    }
    assert_in_range(sum, 95, 100);
    assert_true(fz_agent_opinion(agent, state, &chosen, &visits, &proven));
    assert_int_equal(visits, most);
    fz_agent_free(agent);

    assert_int_equal(fz_agent_new(r->context, r->program, "random", &agent), FZ_OK);
    assert_false(fz_agent_opinion(agent, state, &chosen, &visits, &proven));
    assert_int_equal(visits, 0);
    fz_agent_free(agent);
    fz_moves_free(moves);
    fz_state_free(state);
}

/* Nor does an agent change the state, or its numbers. */
static void test_state_is_not_changed(void **given)
{
    rig *r = *given;
    fz_state *state = fz_state_new(r->machine, 1, 0), *before = fz_state_clone(state);

    for (size_t i = 0; i < sizeof agents / sizeof *agents; i++) {
        fz_agent *agent;
        fz_move move;
        assert_int_equal(fz_agent_new(r->context, r->program, agents[i], &agent), FZ_OK);
        assert_int_equal(fz_agent_choose(agent, state, &move), FZ_OK);
        assert_int_equal(fz_state_size(state), fz_state_size(before));
        assert_memory_equal(state->block, before->block, fzi_state_used(state));
        assert_int_equal(fz_state_play(r->machine, before, &move), FZ_OK);
        assert_int_equal(fz_state_copy(before, state), FZ_OK);
        fz_agent_free(agent);
    }
    fz_state_free(state);
    fz_state_free(before);
}

/* Each player draws a card that the other does not see, then bets on having the higher one. */
static const char cards[] =
    "game \"Cards\"; players A, B; board track(1);\n"
    "enum Card { none, Two, Three, Four, Five, Six }\n"
    "secret var card[player]: Card; var bet[player]: bool;\n"
    "let pack = {for c in Card if not (any p in player : card[p] == c)};\n"
    "setup { for p in player card[p] = random(pack); }\n"
    "turn { choose { \"bet\" => bet[me] = true; \"pass\" => {} } }\n"
    "end { if turns == 2 { if bet[A] == bet[B] draw;\n"
    "  if reveal(card[A] > card[B]) == bet[A] win A; else win B; } }\n";

/* The state in which A has drawn one card and B the other, and A decides. */
static fz_state *dealt(const rig *r, const fz_program *program, int a, int b, fz_machine **machine)
{
    fz_state *state;

    (void)r;
    *machine = fz_machine_new(program, NULL);
    fz_machine_set_chance(*machine, FZ_CHANCE_ASK);
    state = fz_record_begin(*machine, 1, 0);
    assert_int_equal(fz_state_set_chance(*machine, state, a), FZ_OK);
    assert_int_equal(fz_state_set_chance(*machine, state, b), FZ_OK);
    assert_int_equal(fz_state_waiting(state), FZ_WAITING_MOVE);
    return state;
}

/* Whatever the other player has, an agent searches and chooses the same. */
static void test_hidden_cards_are_not_read(void **given)
{
    static const char *const blind[] = {"random", "mcts:100", "mcts:50:worlds=3",
                                        "mcts:60:trees=2"};
    rig *r = *given;
    fz_program *program;
    bool bets[5] = {false};

    assert_int_equal(fz_compile(r->context, "cards.game", cards, sizeof cards - 1, NULL, 0,
                                &program, NULL), FZ_OK);
    for (size_t i = 0; i < sizeof blind / sizeof *blind; i++) {
        fz_agent *agent;
        assert_int_equal(fz_agent_new(r->context, program, blind[i], &agent), FZ_OK);
        for (int a = 0; a < 5; a++) {
            uint32_t option = UINT32_MAX;
            for (int b = 0; b < 5; b++) {
                fz_machine *machine;
                fz_move move;
                if (a == b)
                    continue;
                fz_state *state = dealt(r, program, a, b, &machine);
                fz_agent_begin(agent, 3, (uint64_t)a);
                assert_int_equal(fz_agent_choose(agent, state, &move), FZ_OK);
                assert_true(option == UINT32_MAX || option == move.option);
                option = move.option;
                bets[a] = strcmp(fz_move_text(machine, state, &move), "bet") == 0;
                fz_state_free(state);
                fz_machine_free(machine);
            }
        }
        fz_agent_free(agent);
    }
    /* The last of them searched: it bets on the best card, not on the worst. */
    assert_true(bets[4] && !bets[0]);
    fz_program_release(program);
}

/* How many worlds are found, of one for each decision of the first player in a random game. Each
 * search begins at the world before it, as an agent's does. */
static unsigned find_worlds(fz_machine *machine, uint64_t seed, unsigned *asked)
{
    fz_state *world = NULL, *state = fz_record_begin(machine, seed, 0);
    fz_machine *own = fz_machine_new(machine->program, NULL);
    unsigned found = 0;
    fzi_worlds worlds;

    fzi_worlds_init(&worlds, own);
    worlds.key = fzi_chance_key(5, 0);
    for (unsigned ply = 0; ply < 60 && fz_state_waiting(state) == FZ_WAITING_MOVE; ply++) {
        if (fz_state_decider(state) == 0) {
            fz_state *next = NULL;
            assert_int_equal(fzi_worlds_look(&worlds, state, 0), FZ_OK);
            if (fzi_worlds_draw(&worlds, world, world ? 0 : 30, &next) != FZ_OK)
                fzi_worlds_draw(&worlds, NULL, 10, &next);
            ++*asked;
            found += next != NULL;
            if (next) {
                fz_state_free(world);
                world = next;
            }
        }
        assert_int_equal(fz_state_play_random(machine, state), FZ_OK);
    }
    fz_state_free(world);
    fz_state_free(state);
    fzi_worlds_free(&worlds);
    fz_machine_free(own);
    return found;
}

/* Random courses of a game in which much has been revealed hardly ever fit. Worlds that fitted
 * before are changed until they do: in Stratego, what moves is no bomb; in whist, who does not
 * follow suit has no card of it, so cards of several hands change places. */
static void test_late_worlds_are_found(void **given)
{
    static const fz_setting one_deal = {"Goal", "1"};
    static const struct {
        const char *path;
        size_t settings;
        unsigned games, decisions, percent;
    } rows[] = {
        {FZ_SOURCE_STDLIB_DIR "/../games/hidden/little-stratego.game", 0, 1, 12, 80},
        {FZ_SOURCE_STDLIB_DIR "/../games/cards/whist.game", 1, 2, 24, 90},
    };
    rig *r = *given;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned asked = 0, found = 0;
        fz_program *program;
        assert_int_equal(fz_compile(r->context, rows[i].path, NULL, 0, &one_deal, rows[i].settings,
                                    &program, NULL), FZ_OK);
        fz_machine *machine = fz_machine_new(program, NULL);
        for (unsigned k = 0; k < rows[i].games; k++)
            found += find_worlds(machine, 7 + k, &asked);
        if (asked < rows[i].decisions || found * 100 < asked * rows[i].percent)
            fail_msg("%s: %u worlds of %u were found", rows[i].path, found, asked);
        fz_machine_free(machine);
        fz_program_release(program);
    }
}

/* Where no world was found, the next search goes on from there and gives up sooner: an agent that
 * cannot know a long game of dark chess decides at once. */
static void test_hopeless_searches_are_short(void **given)
{
    rig *r = *given;
    fz_program *program;
    uint64_t tried[2];
    unsigned failed = 0;
    fzi_worlds worlds;

    assert_int_equal(fz_compile(r->context, FZ_SOURCE_STDLIB_DIR "/../games/chess/dark-chess.game",
                                NULL, 0, NULL, 0, &program, NULL), FZ_OK);
    fz_machine *machine = fz_machine_new(program, NULL), *own = fz_machine_new(program, NULL);
    fz_state *state = fz_record_begin(machine, 7, 0);
    fzi_worlds_init(&worlds, own);
    worlds.key = fzi_chance_key(5, 0);
    while (failed < 2 && fz_state_waiting(state) == FZ_WAITING_MOVE) {
        for (unsigned ply = 0; ply < 20; ply++)
            assert_int_equal(fz_state_play_random(machine, state), FZ_OK);
        fz_state *world = NULL;
        uint64_t before = worlds.tried;
        assert_int_equal(fzi_worlds_look(&worlds, state, 0), FZ_OK);
        if (fzi_worlds_draw(&worlds, NULL, 30, &world) == FZ_NOT_FOUND)
            tried[failed++] = worlds.tried - before;
        fz_state_free(world);
    }
    assert_int_equal(failed, 2);
    assert_true(tried[1] * 4 < tried[0]);
    fzi_worlds_free(&worlds);
    fz_state_free(state);
    fz_machine_free(own);
    fz_machine_free(machine);
    fz_program_release(program);
}

/* Before anything has happened there is nothing to vary in the worlds of the last choice. */
static void test_first_choice_twice(void **given)
{
    rig *r = *given;
    fz_program *program;
    fz_agent *agent;

    assert_int_equal(fz_compile(r->context,
                                FZ_SOURCE_STDLIB_DIR "/../games/hidden/phantom-tic-tac-toe.game",
                                NULL, 0, NULL, 0, &program, NULL), FZ_OK);
    fz_machine *machine = fz_machine_new(program, NULL);
    fz_state *state = fz_record_begin(machine, 1, 0);
    assert_int_equal(fz_agent_new(r->context, program, "mcts:20", &agent), FZ_OK);
    fz_agent_begin(agent, 1, 0);
    for (unsigned i = 0; i < 2; i++) {
        fz_move move;
        assert_int_equal(fz_agent_choose(agent, state, &move), FZ_OK);
    }
    fz_agent_free(agent);
    fz_state_free(state);
    fz_machine_free(machine);
    fz_program_release(program);
}

static void test_wrong_descriptions(void **given)
{
    static const char *const wrong[] = {"", ":", "mcts:", "mcts:0", "mcts:-3", "mcts:1e", "mcts:5x",
                                        "mcts:10:10", "mcts:c", "mcts:c=", "mcts:c=101",
                                        "random:3", "flat:c=1", "mcts:trees=0", "Random", "mcts "};
    rig *r = *given;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fz_agent *agent = (fz_agent *)r;
        assert_int_equal(fz_agent_new(r->context, r->program, wrong[i], &agent), FZ_USAGE);
        assert_null(agent);
        assert_true(*fz_context_message(r->context));
    }
}

/* ---- equally good moves ---- */

enum { EQUALS = 7, CHOICES = 700 };

#define BOARD "players A, B; board track(7); piece Man \"M\"; "
#define CHOICE "choose to in empty => put Man of me at to; "

/* In each of them the first player has seven moves of equal value. */
static const char *const equal_games[] = {
    "game \"End\"; " BOARD "turn { " CHOICE "} end { draw; }",      /* proven at once */
    "game \"Lost\"; " BOARD "turn { " CHOICE "} end { win B; }",
    "game \"Long\"; " BOARD "turn { " CHOICE "} limit 7 turns draw;", /* proven later */
    "game \"Dice\"; " BOARD "die D { 1, 2 } turn { " CHOICE         /* an open loop */
    "if roll(D) == 1 win A; else win B; }",
    "game \"Paid\"; " BOARD "turn { " CHOICE "} end { if turns == 3 draw; }"
    "override fn payoff(p: player): int = 3;",                      /* never proven */
    "game \"Hidden\"; " BOARD "turn { " CHOICE "} end { if turns == 3 draw; }"
    "secret var coin[player]: bool; setup { coin[B] = random({false, true}); }",
};

/* Chi-square of the choices of one agent at the beginning of many games. */
static double spread_of(const rig *r, fz_machine *machine, const fz_program *program,
                        const char *description)
{
    unsigned counts[EQUALS] = {0};
    fz_state *state = fz_record_begin(machine, 1, 0);
    double sum = 0;
    fz_agent *agent;

    assert_int_equal(fz_agent_new(r->context, program, description, &agent), FZ_OK);
    while (fz_state_waiting(state) == FZ_WAITING_CHANCE)
        assert_int_equal(fz_state_set_chance(machine, state, 1), FZ_OK);
    for (uint64_t i = 0; i < CHOICES; i++) {
        fz_move one, two;
        int from, to, again;
        fz_agent_begin(agent, 11, i);
        assert_int_equal(fz_agent_choose(agent, state, &one), FZ_OK);
        fz_move_sites(machine, state, &one, &from, &to);
        assert_in_range(to, 0, EQUALS - 1);
        counts[to]++;
        if (i >= 20)
            continue;
        fz_agent_begin(agent, 11, i); /* a fixed seed, a fixed choice */
        assert_int_equal(fz_agent_choose(agent, state, &two), FZ_OK);
        fz_move_sites(machine, state, &two, &from, &again);
        assert_int_equal(to, again);
    }
    for (int k = 0; k < EQUALS; k++) {
        double more = counts[k] - (double)CHOICES / EQUALS;
        sum += more * more * EQUALS / CHOICES;
    }
    fz_agent_free(agent);
    fz_state_free(state);
    return sum;
}

/* Chance decides among equals, not the order of the list. */
static void test_equals_are_drawn_evenly(void **given)
{
    /* With 3 iterations some moves have none, with 10 or 23 some have one more than others. */
    static const char *const all[] = {"random", "mcts:1", "mcts:3", "mcts:10", "mcts:23",
                                      "mcts:23:c=0", "mcts:24:trees=3", "greedy", "softmax",
                                      "flat:7", "flat:20", "alphabeta:1", "alphabeta:3"};
    rig *r = *given;

    for (size_t g = 0; g < sizeof equal_games / sizeof *equal_games; g++) {
        fz_program *program;
        assert_int_equal(fz_compile(r->context, "equal.game", equal_games[g],
                                    strlen(equal_games[g]), NULL, 0, &program, NULL), FZ_OK);
        fz_machine *machine = fz_machine_new(program, NULL);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            if (fz_program_hides(program) && strncmp(all[i], "mcts", 4) != 0)
                continue;
            double spread = spread_of(r, machine, program, all[i]);
            /* With 6 degrees of freedom, fair draws exceed this once in 25000 times. */
            if (spread > 30)
                fail_msg("%s in game %zu: chi-square %.1f", all[i], g, spread);
        }
        fz_machine_free(machine);
        fz_program_release(program);
    }
}

/* A loses at once, or wins if B chooses one of ten moves. Both moves have lost in most samples. */
static const char last_hope[] =
    "game \"Hope\"; players A, B; board track(1); var given: bool; var lucky: bool;\n"
    "turn { if me == A choose { \"give up\" => given = true; \"go on\" => {} }\n"
    "  else choose n in 1..10 => lucky = n == 10; }\n"
    "end { if given win B; if turns == 2 { if lucky win A; else win B; } }\n";

/* Counts how often the agent plays the move at the beginning of `games` games. */
static unsigned times_played(rig *r, const char *text, const char *description, const char *played,
                             unsigned games)
{
    unsigned times = 0;
    fz_program *program;
    fz_agent *agent;

    assert_int_equal(fz_compile(r->context, "small.game", text, strlen(text), NULL, 0, &program,
                                NULL), FZ_OK);
    fz_machine *machine = fz_machine_new(program, NULL);
    fz_state *state = fz_state_new(machine, 1, 0);
    assert_int_equal(fz_agent_new(r->context, program, description, &agent), FZ_OK);
    for (uint64_t i = 0; i < games; i++) {
        fz_move move;
        fz_agent_begin(agent, 1, i);
        assert_int_equal(fz_agent_choose(agent, state, &move), FZ_OK);
        times += strcmp(fz_move_text(machine, state, &move), played) == 0;
    }
    fz_agent_free(agent);
    fz_state_free(state);
    fz_machine_free(machine);
    fz_program_release(program);
    return times;
}

static void test_hope_is_better_than_a_proven_loss(void **given)
{
    assert_int_equal(times_played(*given, last_hope, "mcts:2", "go on", 50), 50);
}

/* All moves of A lose against good replies. After "trap", most replies of B go wrong; after "open",
 * none does. */
static const char traps[] =
    "game \"Traps\"; players A, B; board track(1);\n"
    "var trap: bool; var found: bool;\n"
    "turn { if me == A choose { \"open\" => {}  \"trap\" => trap = true; }\n"
    "  else choose n in 1..10 => found = n == 10; }\n"
    "end { if turns == 2 { if trap and not found win A; else win B; } }\n";

/* Among moves that are proven equal, the samples decide. */
static void test_proven_equals_have_means(void **given)
{
    assert_in_range(times_played(*given, traps, "mcts:200", "trap", 50), 48, 50);
    assert_in_range(times_played(*given, traps, "mcts:200:trees=2", "trap", 50), 48, 50);
}

/* After "risk", B can make A the first or C: B gains the same by both. "safe" gives A half of what
 * lies between the best and the mean. */
static const char whims[] =
    "game \"Whims\"; players A, B, C; board track(1); var risky: bool;\n"
    "turn { if me == A choose { \"risk\" => risky = true;  \"safe\" => {} }\n"
    "  else choose { \"for A\" => win A;  \"for C\" => win C; } }\n"
    "end { if not risky rank p by if p == C then 0 else 1; }\n";

/* What another player has no reason to do is not proven. */
static void test_whims_are_not_proven(void **given)
{
    assert_int_equal(times_played(*given, whims, "mcts:100", "safe", 50), 50);
}

/* ---- teams ---- */

#define TEAMS "players A, B, C, D; teams { X: A, C; Y: B, D; } "

/* A gains most by "mine", and A and C together by "ours". */
static const char purse[] =
    "game \"Purse\"; " TEAMS "board track(1); var shared: bool;\n"
    "override fn payoff(p: player): int =\n"
    "  if team(p) == Y then 0 else if shared then 2 else if p == A then 3 else 0;\n"
    "turn { choose { \"mine\" => {}  \"ours\" => shared = true; } }\n"
    "end { draw; }\n";

static void test_teams_share_payoffs(void **given)
{
    assert_int_equal(times_played(*given, purse, "mcts:50", "ours", 20), 20);
    assert_int_equal(times_played(*given, purse, "flat:50", "ours", 20), 20);
}

#define MEN "piece Man \"M\" { move to step(here, orthogonal) & empty; } " \
    "setup { for p in player put Man of p at site_at(int(p) + 1, 1); } " \
    "turn { choose piece_moves otherwise draw; } limit 9 turns draw;"

/* As many men for each player, whether in teams or not: nobody is ahead. */
static void test_equal_material_is_worth_nothing(void **given)
{
    static const char *const games[] = {
        "game \"Two\"; players A, B; board square(4, 2); " MEN,
        "game \"Three\"; players A, B, C; board square(4, 2); " MEN,
        "game \"Teams\"; " TEAMS "board square(4, 2); " MEN,
        "game \"Four\"; players A, B, C, D; board square(4, 2); " MEN,
    };
    rig *r = *given;

    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        fz_program *program;
        fz_agent *agent;
        assert_int_equal(fz_compile(r->context, "men.game", games[g], strlen(games[g]), NULL, 0,
                                    &program, NULL), FZ_OK);
        fz_machine *machine = fz_machine_new(program, NULL);
        fz_state *state = fz_state_new(machine, 1, 0);
        assert_int_equal(fz_agent_new(r->context, program, "greedy", &agent), FZ_OK);
        for (int p = 0; p < fz_program_players(program); p++)
            if (fabs(fzi_evaluation_material(agent->own, state, p)) > 1e-9)
                fail_msg("game %zu: player %d has %f", g, p,
                         fzi_evaluation_material(agent->own, state, p));
        fz_agent_free(agent);
        fz_state_free(state);
        fz_machine_free(machine);
        fz_program_release(program);
    }
}

/* ---- the tree ---- */

/* All children of the node, with the moves `option`, `option` + 1, …; the first. */
static uint32_t add(fzi_tree *tree, uint32_t node, uint32_t option, uint32_t count)
{
    tree->now.nodes[node].total = count & FZ_MAX_LISTED;
    for (uint32_t i = 0; i < count; i++)
        assert_true(fzi_tree_add_move(tree, node, &(fz_move){.option = option + i}));
    return tree->now.nodes[node].first;
}

/* Root (decided by 0) with two moves; after each, player 1 has two replies. */
static void test_proofs(void **given)
{
    const double won[] = {1, 0}, lost[] = {0, 1}, drawn[] = {0.5, 0.5};
    fzi_tree tree;
    uint32_t a, b, replies[4];

    assert_true(fzi_tree_init(&tree, fzi_allocator_default(), ((rig *)*given)->program, 1 << 20,
                              false));
    assert_true(fzi_tree_reset(&tree));
    a = add(&tree, 1, 1, 2);
    b = a + 1;
    replies[0] = add(&tree, a, 0, 2);
    replies[2] = add(&tree, b, 2, 2);
    replies[1] = replies[0] + 1;
    tree.now.nodes[1].decider = 0;
    tree.now.nodes[a].decider = tree.now.nodes[b].decider = 1;
    /* One reply that loses for player 1 proves nothing while there is another. */
    assert_true(fzi_tree_prove(&tree, (uint32_t[]){1, a, replies[0]}, 3, won));
    assert_false(tree.now.nodes[a].proof);
    /* A reply that wins for player 1 settles the move, whatever the others are. */
    assert_true(fzi_tree_prove(&tree, (uint32_t[]){1, b, replies[2]}, 3, lost));
    assert_true(tree.now.nodes[b].proof);
    assert_true(fzi_tree_proven(&tree, b, 0) == 0);
    assert_false(tree.now.nodes[1].proof);
    /* With all replies known, the best of them counts; then the root takes its best move. */
    assert_true(fzi_tree_prove(&tree, (uint32_t[]){1, a, replies[1]}, 3, drawn));
    assert_true(fzi_tree_proven(&tree, a, 0) == 0.5);
    assert_true(fzi_tree_proven(&tree, 1, 0) == 0.5);
    /* Going on with a move keeps what is known after it. */
    assert_true(fzi_tree_advance(&tree, &(fz_move){.option = 1}));
    assert_int_equal(tree.now.count, 4);
    assert_true(fzi_tree_proven(&tree, 1, 0) == 0.5);
    assert_int_equal(fzi_tree_find(&tree, 1, &(fz_move){.option = 1}, 0), 3);
    /* An unknown move forgets all. */
    assert_true(fzi_tree_advance(&tree, &(fz_move){.option = 77}));
    assert_int_equal(tree.now.count, 2);
    fzi_tree_free(&tree);
}

/* Player 1 decides at the root, player 0 after the first move; player 0 gains the same by both
 * replies, but the others do not. */
static void test_proofs_of_three_players(void **given)
{
    static const char three[] = "game \"T\"; players A, B, C; board track(1); turn { win A; }";
    const double for_1[] = {0.5, 1, 0}, for_2[] = {0.5, 0, 1}, drawn[] = {0.5, 0.5, 0.5};
    rig *r = *given;
    fz_program *program;
    fzi_tree tree;
    uint32_t whim, other, replies[3];

    assert_int_equal(fz_compile(r->context, "three.game", three, sizeof three - 1, NULL, 0,
                                &program, NULL), FZ_OK);
    for (int swapped = 0; swapped < 2; swapped++) {
        assert_true(fzi_tree_init(&tree, fzi_allocator_default(), program, 1 << 20, false));
        assert_true(fzi_tree_reset(&tree));
        whim = add(&tree, 1, 1, 2);
        other = whim + 1;
        for (uint32_t i = 0; i < 3; i++)
            replies[i] = i ? replies[0] + i : add(&tree, whim, 0, 3);
        tree.now.nodes[1].decider = 1;
        tree.now.nodes[whim].decider = 0;
        assert_true(fzi_tree_prove(&tree, (uint32_t[]){1, other}, 2, drawn));
        assert_true(fzi_tree_prove(&tree, (uint32_t[]){1, whim, replies[0]}, 3,
                                   swapped ? for_2 : for_1));
        assert_true(fzi_tree_prove(&tree, (uint32_t[]){1, whim, replies[1]}, 3,
                                   swapped ? for_1 : for_2));
        assert_true(isnan(fzi_tree_proven(&tree, whim, 0))); /* a reply is open */
        assert_true(fzi_tree_prove(&tree, (uint32_t[]){1, whim, replies[2]}, 3,
                                   (double[]){0, 0.75, 0.75}));
        assert_true(fzi_tree_proven(&tree, whim, 0) == 0.5);
        assert_true(isnan(fzi_tree_proven(&tree, whim, 1)));
        assert_true(isnan(fzi_tree_proven(&tree, whim, 2)));
        assert_false(fzi_tree_settled(&tree, whim));
        assert_true(isnan(fzi_tree_proven(&tree, 1, 1)));
        fzi_tree_free(&tree);
    }
    fz_program_release(program);
}

/* A won move proves what the others get only if no other move may be won too. */
static void test_wins_of_three_players(void **given)
{
    static const char three[] = "game \"T\"; players A, B, C; board track(1); turn { win A; }";
    rig *r = *given;
    fz_program *program;
    fzi_tree tree;
    uint32_t a, b;

    assert_int_equal(fz_compile(r->context, "three.game", three, sizeof three - 1, NULL, 0,
                                &program, NULL), FZ_OK);
    assert_true(fzi_tree_init(&tree, fzi_allocator_default(), program, 1 << 20, false));
    assert_true(fzi_tree_reset(&tree));
    a = add(&tree, 1, 1, 2);
    b = a + 1;
    tree.now.nodes[1].decider = 0;
    assert_true(fzi_tree_prove(&tree, (uint32_t[]){1, a}, 2, (double[]){1, 0.5, 0}));
    assert_true(fzi_tree_proven(&tree, 1, 0) == 1);
    assert_true(isnan(fzi_tree_proven(&tree, 1, 1)));
    /* What is found out later is added. */
    assert_true(fzi_tree_prove(&tree, (uint32_t[]){1, b}, 2, (double[]){0.5, 1, 0}));
    assert_true(fzi_tree_proven(&tree, 1, 0) == 1);
    assert_true(fzi_tree_proven(&tree, 1, 1) == 0.5);
    assert_true(fzi_tree_settled(&tree, 1));
    fzi_tree_free(&tree);
    fz_program_release(program);
}

/* Room for 17 nodes: the root, blocks of 1, 2 and 4 that children leave, and one of 8. */
static void test_full_tree(void **given)
{
    fzi_tree tree;
    uint32_t child;

    const size_t node = sizeof(fzi_search_node) + sizeof(fzi_search_arm) + sizeof(fzi_search_link) +
                        sizeof(fz_move);

    assert_true(fzi_tree_init(&tree, fzi_allocator_default(), ((rig *)*given)->program,
                              17 * node + 8, false));
    assert_true(fzi_tree_reset(&tree));
    child = add(&tree, 1, 0, 8);
    assert_int_equal(fzi_tree_add_move(&tree, 1, &(fz_move){.option = 8}), FZ_NO_NODE);
    assert_int_equal(tree.now.nodes[1].count, 8);
    add(&tree, child, 0, 4); /* in what the root's children have left */
    assert_int_equal(fzi_tree_add_move(&tree, child, &(fz_move){.option = 4}), FZ_NO_NODE);
    assert_int_equal(tree.now.nodes[child].count, 4);
    assert_int_equal(fzi_tree_find(&tree, 1, &(fz_move){.option = 7}, 0), child + 7);
    fzi_tree_free(&tree);
}

/* A node keeps its list of moves, and its position while half of the memory is free. */
static void test_kept_positions(void **given)
{
    rig *r = *given;
    fz_state *state = fz_state_new(r->machine, 1, 0), *loaded = fz_state_new(r->machine, 2, 0);
    fz_moves *moves = fz_moves_new(r->machine);
    size_t positions = 0, lists = 0;
    fzi_tree tree;

    assert_int_equal(fz_state_moves(r->machine, state, moves), FZ_OK);
    assert_true(fzi_tree_init(&tree, fzi_allocator_default(), r->program, 1 << 14, true));
    assert_true(fzi_tree_reset(&tree));
    assert_false(fzi_tree_has_position(&tree, 1));
    assert_true(fzi_tree_keep(&tree, 1, state, &moves->list));
    assert_true(fzi_tree_has_position(&tree, 1));
    /* Registers that nothing reads are not kept. */
    memset(fzi_frames_of(loaded), 0xa5, loaded->capacity * sizeof(uint64_t));
    assert_true(fzi_tree_load_position(&tree, 1, loaded));
    assert_memory_equal(loaded->block, state->block, state->layout->frames);
    assert_memory_not_equal(loaded->block, state->block, fzi_state_used(state));
    assert_int_equal(fz_state_playout(r->machine, state, 3), FZ_OK);
    assert_int_equal(fz_state_playout(r->machine, loaded, 3), FZ_OK);
    assert_memory_equal(loaded->block, state->block, state->layout->frames);
    assert_true(fzi_tree_load_position(&tree, 1, state));
    assert_true(fzi_tree_load_position(&tree, 1, loaded));
    assert_true(fzi_tree_same_position(&tree, 1, state));
    fzi_head_of(loaded)->turns++;
    assert_false(fzi_tree_same_position(&tree, 1, loaded));
    for (; fzi_tree_keep(&tree, 1, state, &moves->list); lists++)
        positions += fzi_tree_has_position(&tree, 1);
    assert_in_range(positions, 1, lists - 1);
    for (uint32_t i = 0; i < fz_moves_count(moves); i++) {
        fz_move a = fz_moves_at(moves, i), b;
        fzi_tree_move(&tree, 1, i, &b);
        assert_true(fzi_move_same(&a, &b));
    }
    fzi_tree_free(&tree);
    fz_moves_free(moves);
    fz_state_free(loaded);
    fz_state_free(state);
}

/* Children that come one by one take with them what is below them. */
static void test_added_children(void **given)
{
    fzi_tree tree;

    assert_true(fzi_tree_init(&tree, fzi_allocator_default(), ((rig *)*given)->program, 1 << 20,
                              false));
    assert_true(fzi_tree_reset(&tree));
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t child = fzi_tree_add_move(&tree, 1, &(fz_move){.option = i});
        assert_int_equal(child, tree.now.nodes[1].first + i);
        tree.now.nodes[child].visits = i;
        child = fzi_tree_add_move(&tree, child, &(fz_move){.option = 10 + i});
        tree.now.nodes[child].visits = 10 + i;
    }
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t child = tree.now.nodes[1].first + i;
        assert_int_equal(fzi_tree_find(&tree, 1, &(fz_move){.option = i}, 6), child);
        assert_int_equal(tree.now.nodes[child].visits, i);
        assert_int_equal(tree.now.nodes[tree.now.nodes[child].first].visits, 10 + i);
    }
    fzi_tree_free(&tree);
}

/* In a closed loop each move is tried once, whatever is drawn.
 * 150 moves are three words of bits. */
static void test_untried_moves(void **given)
{
    static const char wide[] =
        "game \"W\"; players A, B; board track(150); piece Man \"M\"; "
        "turn { choose to in empty => put Man of me at to; } end { draw; }";
    rig *r = *given;
    fz_program *program;
    fzi_tree tree;
    bool seen[150] = {false};

    assert_int_equal(fz_compile(r->context, "wide.game", wide, sizeof wide - 1, NULL, 0, &program,
                                NULL), FZ_OK);
    fz_machine *machine = fz_machine_new(program, NULL);
    fz_state *state = fz_state_new(machine, 1, 0);
    fz_moves *moves = fz_moves_new(machine);
    assert_int_equal(fz_state_moves(machine, state, moves), FZ_OK);
    assert_true(fzi_tree_init(&tree, fzi_allocator_default(), program, 1 << 20, true));
    assert_true(fzi_tree_reset(&tree));
    assert_true(fzi_tree_keep(&tree, 1, state, &moves->list));
    for (uint32_t left = 150; left > 0; left--) {
        uint32_t child = fzi_tree_add_untried(&tree, 1, left * left / 3 % left), number;
        fz_move known, move;
        assert_int_equal(child, tree.now.nodes[1].first + 150 - left);
        number = tree.now.links[child].number;
        assert_in_range(number, 0, 149);
        assert_false(seen[number]);
        seen[number] = true;
        fzi_tree_move_to(&tree, 1, child, &known);
        move = fz_moves_at(moves, number);
        assert_true(fzi_move_same(&known, &move));
    }
    fzi_tree_free(&tree);
    fz_moves_free(moves);
    fz_state_free(state);
    fz_machine_free(machine);
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
        cmocka_unit_test(test_dice_are_not_foreseen),
        cmocka_unit_test(test_state_is_not_changed),
        cmocka_unit_test(test_hidden_cards_are_not_read),
        cmocka_unit_test(test_late_worlds_are_found),
        cmocka_unit_test(test_hopeless_searches_are_short),
        cmocka_unit_test(test_first_choice_twice),
        cmocka_unit_test(test_wrong_descriptions),
        cmocka_unit_test(test_equals_are_drawn_evenly),
        cmocka_unit_test(test_hope_is_better_than_a_proven_loss),
        cmocka_unit_test(test_proven_equals_have_means),
        cmocka_unit_test(test_whims_are_not_proven),
        cmocka_unit_test(test_teams_share_payoffs),
        cmocka_unit_test(test_equal_material_is_worth_nothing),
        cmocka_unit_test(test_proofs),
        cmocka_unit_test(test_proofs_of_three_players),
        cmocka_unit_test(test_wins_of_three_players),
        cmocka_unit_test(test_full_tree),
        cmocka_unit_test(test_opinions),
        cmocka_unit_test(test_kept_positions),
        cmocka_unit_test(test_added_children),
        cmocka_unit_test(test_untried_moves),
    };

    return cmocka_run_group_tests_name("agents", tests, begin, rig_close);
}
