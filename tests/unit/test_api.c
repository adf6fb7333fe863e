/* What ferz.h tells of a program and a state: names, options, variables, and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ferz.h"
#include "ferz_tools.h"
#include "rig.h"

static const char game[] =
    "game \"Small\";\n"
    "option Size: 2..5 = 3; option Quick: bool = false \"few turns\";"
    "option Way { Left \"west\", Right } = Right;\n"
    "players A, B; board square(Size); stacks up to 3; piece Man \"M\"; piece Stone;\n"
    "var gold[player]: 0..9; var marked: sites; var seen[site]: bool; "
    "secret var hidden[player]: 0..3;\n"
    "setup { put Man of A at a1; gold[B] = 7; marked = {a1, b2}; seen[c1] = true; "
    "put Stone of nobody on a1; put Stone of B on a1; }\n"
    "turn { choose to in empty => put Stone of me at to; }\n"
    "limit 3 turns draw;\n";

static int begin(void **given)
{
    static rig r;
    const fz_setting settings[] = {{"Quick", "true"}};

    *given = &r;
    return rig_open(&r, game, settings, 1);
}

static void test_version(void **given)
{
    (void)given;
    assert_string_equal(fz_version(), FZ_VERSION);
    assert_string_equal(strrchr(fz_library_games(), '/'), "/games");
}

static void test_shipped_games(void **given)
{
    char path[4096], other[4096], small[16];

    (void)given;
    assert_true(fz_library_path("tic-tac-toe", path, sizeof path));
    assert_true(fz_library_path("classic/tic-tac-toe", other, sizeof other));
    assert_string_equal(path, other);
    assert_string_equal(strrchr(path, '/'), "/tic-tac-toe.game");
    assert_false(fz_library_path("tic-tac-toe", small, sizeof small));
    assert_false(fz_library_path("no-such-game", path, sizeof path));
}

static void test_kinds(void **given)
{
    const fz_program *p = ((rig *)*given)->program;

    assert_int_equal(fz_program_kinds(p), 2);
    assert_string_equal(fz_program_kind_name(p, 0), "Man");
    assert_string_equal(fz_program_kind_letter(p, 0), "M");
    assert_string_equal(fz_program_kind_name(p, 1), "Stone");
    assert_string_equal(fz_program_kind_letter(p, 1), "");
    assert_string_equal(fz_program_kind_name(p, 2), "none");
    assert_string_equal(fz_program_kind_name(p, -1), "none");
    assert_string_equal(fz_program_kind_letter(p, 99), "");
}

static void check_option(const fz_program *p, int number, const char *name, const char *value,
                         bool own)
{
    fz_setting setting;
    bool is_default;

    assert_true(fz_program_option(p, number, &setting, &is_default));
    assert_string_equal(setting.name, name);
    assert_string_equal(setting.value, value);
    assert_int_equal(is_default, own);
}

static void test_options(void **given)
{
    const fz_program *p = ((rig *)*given)->program;
    fz_setting setting;
    fz_setting_info info;

    assert_int_equal(fz_program_options(p), 3);
    check_option(p, 0, "Size", "3", true);
    check_option(p, 1, "Quick", "true", false);
    check_option(p, 2, "Way", "Right", true);
    assert_true(fz_program_option_info(p, 0, &info));
    assert_int_equal(info.type, FZ_OPTION_NUMBER);
    assert_int_equal(info.low, 2);
    assert_int_equal(info.high, 5);
    assert_string_equal(info.values, "");
    assert_true(fz_program_option_info(p, 1, &info));
    assert_int_equal(info.type, FZ_OPTION_SWITCH);
    assert_string_equal(info.initial, "false");
    assert_string_equal(info.comment, "few turns");
    assert_true(fz_program_option_info(p, 2, &info));
    assert_string_equal(info.values, "Left Right");
    assert_string_equal(info.comment, "Left: west");
    assert_true(fz_program_option_info(p, 2, NULL));
    assert_false(fz_program_option_info(p, 3, &info));
    assert_false(fz_program_option(p, 3, &setting, NULL));
    assert_false(fz_program_option(p, -1, &setting, NULL));
}

static void test_variables(void **given)
{
    const rig *r = *given;
    fz_variable_info info;
    int64_t value = 0;
    int gold = fz_program_variable(r->program, "gold"),
        marked = fz_program_variable(r->program, "marked"),
        seen = fz_program_variable(r->program, "seen"),
        hidden = fz_program_variable(r->program, "hidden");

    assert_int_equal(fz_program_variable(r->program, "silver"), -1);
    assert_true(fz_program_variable_info(r->program, gold, &info));
    assert_string_equal(info.name, "gold");
    assert_true(info.length == 2 && !info.is_sites && !info.is_secret);
    assert_true(fz_state_variable(r->state, gold, 1, &value) && value == 7);
    assert_false(fz_state_variable(r->state, gold, 2, &value));
    assert_false(fz_state_variable_has(r->state, gold, 0, 0));

    assert_true(fz_program_variable_info(r->program, marked, &info) && info.is_sites &&
                info.length == 1);
    assert_true(fz_state_variable_has(r->state, marked, 0, 0) &&
                fz_state_variable_has(r->state, marked, 0, 4));
    assert_false(fz_state_variable_has(r->state, marked, 0, 1));
    assert_false(fz_state_variable_has(r->state, marked, 0, 9) ||
                 fz_state_variable_has(r->state, marked, 1, 0));
    assert_false(fz_state_variable(r->state, marked, 0, &value));

    assert_true(fz_program_variable_info(r->program, seen, &info) && !info.is_sites &&
                info.length == 9);
    assert_true(fz_state_variable(r->state, seen, 2, &value) && value == 1);
    assert_true(fz_state_variable(r->state, seen, 3, &value) && value == 0);

    assert_true(fz_program_variable_info(r->program, hidden, &info) && info.is_secret);
    assert_false(fz_program_variable_info(r->program, fz_program_variables(r->program), &info));
    assert_false(fz_state_variable(r->state, -1, 0, &value));
}

/* Players that are not there: nothing is written, drawn or copied for them. */
static void test_stacks(void **given)
{
    rig *r = *given;
    static const int kinds[] = {-1, 0, 1, 1, -1}, owners[] = {-1, 0, -1, 1, -1};
    int kind, owner;

    assert_int_equal(fz_state_height(r->state, 0), 3);
    assert_int_equal(fz_state_height(r->state, 1), 0);
    assert_int_equal(fz_state_height(r->state, -1), 0);
    assert_int_equal(fz_state_height(r->state, 9), 0);
    for (unsigned place = 0; place < 5; place++) {
        fz_state_piece_in(r->state, 0, place, &kind, &owner);
        assert_int_equal(kind, kinds[place]);
        assert_int_equal(owner, owners[place]);
    }
    fz_state_piece(r->state, 0, &kind, &owner);
    assert_int_equal(owner, 1);
}

static void test_unknown_players(void **given)
{
    const rig *r = *given;
    char *text = NULL;
    const int players[] = {-1, 2, 99};

    for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
        assert_int_equal(fz_state_write_for(r->machine, r->state, players[i], &text), FZ_USAGE);
        assert_null(fz_state_clone_for(r->machine, r->state, players[i]));
    }
    assert_int_equal(fz_state_draw_for(r->machine, r->state, 2, 0, &text), FZ_USAGE);
    assert_int_equal(fz_state_json(r->machine, r->state, 2, true, &text), FZ_USAGE);
    assert_int_equal(fz_state_json(r->machine, r->state, -2, true, &text), FZ_USAGE);
    assert_int_equal(fz_state_write_for(r->machine, r->state, 1, &text), FZ_OK);
    fz_text_free(r->context, text);
}

/* A playout that failed between two turns leaves a state that can be read and counted from. */
static void test_a_failed_playout(void **given)
{
    static const char script[] =
        "game \"Out\"; players A, B; board square(2); piece Man;\n"
        "turn { choose to in empty => { put Man of me at to; out A; out B; } }\n"
        "limit 9 turns draw;\n";
    const rig *r = *given;
    fz_program *program = NULL;
    char *text = NULL;
    fz_ratio number;

    assert_int_equal(fz_compile(r->context, "out.game", script, sizeof script - 1, NULL, 0,
                                &program, NULL),
                     FZ_OK);
    fz_machine *machine = fz_machine_new(program, NULL);
    fz_state *state = fz_state_new(machine, 1, 0);
    assert_int_equal(fz_state_playout(machine, state, 0), FZ_RUNTIME);
    assert_non_null(strstr(fz_machine_message(machine), "every player is out"));
    for (int merge = FZ_MERGE_NOTHING; merge <= FZ_MERGE_POSITIONS; merge++) {
        fz_count_task task = {.depth = 1, .merge = (fz_merge)merge, .threads = 1};
        assert_int_equal(fz_count(machine, state, &task, NULL, &number), FZ_USAGE);
    }
    fz_moves *moves = fz_moves_new(machine);
    assert_int_equal(fz_state_waiting(state), FZ_GAME_FAILED);
    assert_int_equal(fz_state_moves(machine, state, moves), FZ_USAGE);
    assert_int_equal(fz_state_play_random(machine, state), FZ_USAGE);
    assert_int_equal(fz_state_playout(machine, state, 0), FZ_USAGE);
    assert_int_equal(fz_state_draw(machine, state, 0, &text), FZ_OK);
    assert_non_null(strstr(text, "The script failed in the turn of "));
    fz_text_free(r->context, text);
    fz_moves_free(moves);
    fz_state_free(state);
    fz_machine_free(machine);
    fz_program_release(program);
}

/* What belongs to players: teams, throws and decisions that only one of them sees. */
static void test_views(void **given)
{
    static const char script[] =
        "game \"Views\"; players A, B, C, D; teams { Odd: A, C; Even: B, D; }\n"
        "board square(2); piece Man; enum Coin { Heads, Tails } secret var coin[player]: Coin;\n"
        "turn { coin[B] = random(Coin);\n"
        "  together p in {A, B} choose by p for s in empty \"{s}\" => put Man of p at s; }\n"
        "limit 2 turns draw;\n";
    const rig *r = *given;
    fz_program *program = NULL;
    fz_report *report = NULL;
    fz_move move;
    fz_record record;
    char *text = NULL;

    assert_int_equal(fz_compile(r->context, "views.game", script, sizeof script - 1, NULL, 0,
                                &program, &report),
                     FZ_OK);
    assert_int_equal(fz_report_warnings(report), 1);
    assert_string_equal(fz_program_title(program), "Views");
    assert_string_equal(fz_program_player_name(program, 2), "C");
    assert_string_equal(fz_program_site_name(program, 3), "b2");
    assert_int_equal(fz_program_team(program, 0), fz_program_team(program, 2));
    assert_int_not_equal(fz_program_team(program, 0), fz_program_team(program, 1));
    assert_int_equal(fz_program_team(r->program, 1), 1);

    fz_machine *machine = fz_machine_new(program, NULL);
    fz_machine_set_chance(machine, FZ_CHANCE_ASK);
    fz_state *state = fz_state_new(machine, 1, 0);
    assert_int_equal(fz_state_waiting(state), FZ_WAITING_CHANCE);
    assert_true(fz_state_sees_chance(state, 1) && fz_state_sees_chance(state, -1));
    assert_false(fz_state_sees_chance(state, 0));
    assert_string_equal(fz_chance_text_for(machine, state, 1, 1), "Tails");
    assert_string_equal(fz_chance_text_for(machine, state, 1, -1), "Tails");
    assert_string_equal(fz_chance_text_for(machine, state, 1, 0), "?");
    assert_int_equal(fz_record_from_here(machine, state), FZ_OK);
    assert_int_equal(fz_state_set_chance(machine, state, 1), FZ_OK);

    assert_int_equal(fz_state_hidden_decisions(state), 0);
    assert_int_equal(fz_move_parse(machine, state, "a1", &move), FZ_OK);
    assert_string_equal(fz_move_text_for(machine, state, &move, 0), "a1");
    assert_string_equal(fz_move_text_for(machine, state, &move, -1), "a1");
    assert_string_equal(fz_move_text_for(machine, state, &move, 1), "?");
    assert_int_equal(fz_state_play(machine, state, &move), FZ_OK);
    assert_int_equal(fz_state_hidden_decisions(state), 1);

    assert_int_equal(fz_record_write(machine, state, "views.game", 1, &text), FZ_OK);
    assert_int_equal(fz_record_read(r->context, text, &record), FZ_OK);
    assert_non_null(record.position);
    assert_int_equal(record.entry_count, 2);
    assert_string_equal(record.entries[0], "{Tails}");
    assert_string_equal(record.entries[1], "a1");
    fz_record_free(r->context, &record);
    fz_text_free(r->context, text);
    fz_state_free(state);
    fz_machine_free(machine);
    fz_program_release(program);
    fz_report_free(report);
}

static fz_status refuse(void *user, const fz_state *state, const fz_moves *moves, fz_move *move)
{
    (void)user, (void)state, (void)moves, (void)move;
    return FZ_REFUSED;
}

static const char *reason(void *user)
{
    return user;
}

static void test_agents_tell(void **given)
{
    static const fz_agent_host host = {.choose = refuse, .message = reason, .user = "not today"};
    const rig *r = *given;
    fz_agent *agent;
    fz_move move;

    assert_int_equal(fz_agent_from_callbacks(r->context, r->program, "host", &host, &agent), FZ_OK);
    assert_int_equal(fz_agent_choose(agent, r->state, &move), FZ_REFUSED);
    assert_string_equal(fz_agent_message(agent), "not today");
    assert_false(fz_agent_is_timed(agent));
    fz_agent_free(agent);
    assert_int_equal(fz_agent_new(r->context, r->program, "mcts:0.01s", &agent), FZ_OK);
    assert_true(fz_agent_is_timed(agent));
    fz_agent_free(agent);
}

/* An agent that keeps its tree chooses legal moves in the position after the moves it was told. */
static void test_agents_hear(void **given)
{
    const rig *r = *given;
    fz_agent *agent;
    fz_move move;
    fz_state *state = fz_record_begin(r->machine, 1, 0);

    assert_int_equal(fz_agent_new(r->context, r->program, "mcts:200", &agent), FZ_OK);
    fz_agent_begin(agent, 1, 1);
    while (fz_state_waiting(state) == FZ_WAITING_MOVE) {
        assert_int_equal(fz_agent_choose(agent, state, &move), FZ_OK);
        fz_agent_played(agent, &move);
        assert_int_equal(fz_state_play(r->machine, state, &move), FZ_OK);
    }
    fz_agent_free(agent);
    fz_state_free(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_shipped_games),   cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_options),   cmocka_unit_test(test_variables),
        cmocka_unit_test(test_stacks),    cmocka_unit_test(test_unknown_players),
        cmocka_unit_test(test_a_failed_playout), cmocka_unit_test(test_views),
        cmocka_unit_test(test_agents_tell), cmocka_unit_test(test_agents_hear),
    };
    return cmocka_run_group_tests(tests, begin, rig_close);
}
