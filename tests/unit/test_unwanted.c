/* Results that the caller does not want: every pointer through which a function of ferz.h or
 * ferz_tools.h returns something may be NULL, and nothing stays allocated for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ferz.h"
#include "ferz_tools.h"

static const char script[] =
    "game \"Small\"; option Size: 2..5 = 3; players A, B; board square(Size); stacks up to 3;\n"
    "piece Man \"M\"; die Coin { HEADS, TAILS }\n"
    "var gold: 0..9; var marked: sites;\n"
    "setup { put Man of A at a1; put Man of B on a1; gold = 7; marked = {b2}; }\n"
    "turn { if roll(Coin) == HEADS gold = 8;\n"
    "  choose to in empty => put Man of me at to; otherwise win me; }\n"
    "override fn payoff(p: player): int { return gold; }\n"
    "limit 4 turns draw;\n"
    "test \"gold\" { expect gold >= 7; }\n";

typedef struct rig {
    atomic_long blocks;     /* that are allocated, by any thread */
    fz_context *context;
    fz_program *program;
    fz_machine *machine;
    fz_state *state, *over;
    fz_move move;
} rig;

static void *counted(void *user, void *block, size_t size)
{
    atomic_long *blocks = user;

    if (!size) {
        *blocks -= block != NULL;
        free(block);
        return NULL;
    }
    *blocks += block == NULL;
    return realloc(block, size);
}

static int begin(void **given)
{
    static rig r;
    static const char *const dirs[] = {FZ_SOURCE_STDLIB_DIR, NULL};
    const fz_config config = {.resize = counted, .user = &r.blocks, .module_dirs = dirs};
    fz_report *report = NULL;

    r.context = fz_context_new(&config);
    if (fz_compile(r.context, "small.game", script, sizeof script - 1, NULL, 0, &r.program,
                   &report) != FZ_OK)
        print_error("%s", report ? fz_report_text(report, FZ_TEXT) : "out of memory");
    fz_report_free(report);
    r.machine = r.program ? fz_machine_new(r.program, NULL) : NULL;
    r.state = r.machine ? fz_record_begin(r.machine, 1, 0) : NULL;
    r.over = r.state ? fz_state_clone(r.state) : NULL;
    *given = &r;
    return r.over && fz_state_playout(r.machine, r.over, 0) == FZ_OK &&
           fz_move_parse(r.machine, r.state, "b2", &r.move) == FZ_OK ? 0 : -1;
}

static int end(void **given)
{
    rig *r = *given;

    fz_state_free(r->state);
    fz_state_free(r->over);
    fz_machine_free(r->machine);
    fz_program_release(r->program);
    fz_context_free(r->context);
    return r->blocks == 0 ? 0 : -1;
}

static void test_programs(void **given)
{
    rig *r = *given;
    fz_context *c = r->context;
    long before = r->blocks;

    assert_int_equal(fz_compile(c, "a.game", script, sizeof script - 1, NULL, 0, NULL, NULL),
                     FZ_OK);
    assert_int_equal(fz_compile_tested(c, "a.game", script, sizeof script - 1, NULL, 0, 0, NULL,
                                       NULL), FZ_OK);
    assert_int_equal(fz_compile(c, "a.game", "turn", 4, NULL, 0, NULL, NULL), FZ_INVALID);
    assert_int_equal(fz_format_source(c, "a.game", script, sizeof script - 1, NULL, NULL), FZ_OK);
    assert_int_equal(fz_program_engine(r->program, NULL), FZ_ENGINE_LOOP);
    assert_int_equal(fz_program_c(c, r->program, NULL, NULL), FZ_OK);
    assert_int_equal(fz_program_c_standalone(c, r->program, NULL, NULL), FZ_OK);
    assert_int_equal(fz_program_save(c, r->program, NULL, NULL), FZ_OK);
    assert_int_equal(fz_program_disassemble(c, r->program, NULL), FZ_OK);
    assert_int_equal(fz_run_tests(c, "a.game", script, sizeof script - 1, NULL, 0, NULL, NULL, NULL,
                                  NULL, NULL), FZ_OK);
    assert_int_equal(r->blocks, before);
}

static void test_files(void **given)
{
    rig *r = *given;
    const char *path = FZ_SOURCE_STDLIB_DIR "/../games/chess/los-alamos.game";
    long before = r->blocks;

    assert_int_equal(fz_compile_explaining(r->context, path, NULL, 0, NULL), FZ_OK);
    assert_int_equal(fz_format_source(r->context, path, NULL, 0, NULL, NULL), FZ_OK);
    assert_int_equal(fz_format_source(r->context, "absent.game", NULL, 0, NULL, NULL),
                     FZ_NOT_FOUND);
    assert_int_equal(fz_compile_stepping(r->context, path, NULL, 0, NULL, NULL, NULL), FZ_OK);
    assert_int_equal(r->blocks, before);
}

static void test_facts_of_a_program(void **given)
{
    const rig *r = *given;

    assert_true(fz_program_option(r->program, 0, NULL, NULL));
    assert_true(fz_program_option_info(r->program, 0, NULL));
    assert_true(fz_program_source(r->program, 0, NULL, NULL, NULL));
    assert_true(fz_program_variable_info(r->program, 0, NULL));
    assert_true(fz_program_feature(r->program, 0, NULL));
    assert_true(fz_action_move(r->program, 0, NULL));
    assert_int_equal(fz_own_sites(r->program, 1, NULL), FZ_OK);
    assert_int_equal(fz_own_actions(r->program, 1, false, NULL, 3), FZ_OK);
    assert_true(fz_agent_info(0, NULL, NULL, NULL));
    assert_true(fz_library_path("tic-tac-toe", NULL, 0));
    fz_program_place_text(r->program, 1, NULL, 0);
    fz_option_place(r->program, 0, NULL, 0);
}

static void test_facts_of_a_state(void **given)
{
    const rig *r = *given;

    assert_int_equal(fz_state_ending(r->state, NULL), FZ_NOT_ENDED);
    assert_int_not_equal(fz_state_ending(r->over, NULL), FZ_NOT_ENDED);
    assert_int_equal(fz_state_payoff(r->machine, r->over, 0, NULL), FZ_OK);
    fz_state_piece(r->state, 0, NULL, NULL);
    fz_state_piece_in(r->state, 0, 1, NULL, NULL);
    fz_state_piece_in(r->state, 0, 2, NULL, NULL);
    assert_true(fz_state_variable(r->state, fz_program_variable(r->program, "gold"), 0, NULL));
    assert_true(fz_state_last_move(r->state, r->over, NULL));
    assert_int_equal(fz_state_observe(r->machine, r->state, 0, true, NULL, NULL), FZ_OK);
}

static void test_texts(void **given)
{
    rig *r = *given;
    fz_machine *m = r->machine;
    long before;

    for (unsigned again = 0; again < 2; again++) { /* what a machine keeps is there after once */
        before = r->blocks;
        assert_int_equal(fz_state_write(m, r->state, true, NULL), FZ_OK);
        assert_int_equal(fz_state_write_for(m, r->state, 0, NULL), FZ_OK);
        assert_int_equal(fz_state_write_now(m, r->state, NULL), FZ_OK);
        assert_int_equal(fz_state_observation(m, r->state, 0, NULL), FZ_OK);
        assert_int_equal(fz_state_json(m, r->state, 0, true, NULL), FZ_OK);
        assert_int_equal(fz_state_draw(m, r->state, 0, NULL), FZ_OK);
        assert_int_equal(fz_state_draw_for(m, r->state, 0, 0, NULL), FZ_OK);
        assert_int_equal(fz_state_draw_marked(m, r->state, NULL, 0, NULL), FZ_OK);
        assert_int_equal(fz_state_svg(m, r->state, 0, NULL, NULL), FZ_OK);
        assert_int_equal(fz_record_write(m, r->over, "small.game", 1, NULL), FZ_OK);
        assert_int_equal(fz_record_result_text(m, r->over, NULL), FZ_OK);
        assert_int_equal(fz_record_read(r->context, "ferz record 1\ngame: a.game\n", NULL), FZ_OK);
        assert_int_equal(fz_record_playout(m, NULL, "small.game", 1, 0, NULL, NULL), FZ_OK);
    }
    assert_int_equal(r->blocks, before);
}

static void test_fen(void **given)
{
    const rig *r = *given;
    static const char text[] =
        "game \"Plain\"; info { fen \"board mover\"; } players A, B; board square(3);\n"
        "piece Man \"M\"; turn { choose to in empty => put Man of me at to; }\n"
        "limit 4 turns draw;\n";
    fz_program *program;

    assert_int_equal(fz_compile(r->context, "a.game", text, sizeof text - 1, NULL, 0, &program,
                                NULL), FZ_OK);
    fz_machine *machine = fz_machine_new(program, NULL);
    fz_state *state = fz_state_new(machine, 1, 0);
    assert_int_equal(fz_state_write_fen(machine, state, NULL), FZ_OK);
    fz_state_free(state);
    fz_machine_free(machine);
    fz_program_release(program);
}

static fz_status take_first(void *user, const fz_state *state, const fz_moves *moves,
                            fz_move *move)
{
    (void)user;
    (void)state;
    *move = fz_moves_at(moves, 0);
    return FZ_OK;
}

static const char *no_message(void *user)
{
    (void)user;
    return "";
}

static void test_moves_and_chance(void **given)
{
    rig *r = *given;
    fz_moves *moves = fz_moves_new(r->machine);
    fz_machine *asking = fz_machine_new(r->program, NULL);

    fz_machine_set_chance(asking, FZ_CHANCE_ASK);
    fz_state *rolling = fz_state_new(asking, 1, 0);
    assert_int_equal(fz_state_waiting(rolling), FZ_WAITING_CHANCE);
    assert_int_equal(fz_state_outcomes(asking, rolling, NULL, NULL), FZ_OK);
    assert_int_equal(fz_state_sample_chance(asking, rolling, NULL), FZ_OK);
    assert_int_equal(fz_state_moves(r->machine, r->state, moves), FZ_OK);
    assert_int_equal(fz_moves_actions(moves, NULL), FZ_OK);
    fz_move_sites(r->machine, r->state, &r->move, NULL, NULL);
    assert_int_equal(fz_move_parse(r->machine, r->state, "b2", NULL), FZ_OK);
    assert_int_equal(fz_move_parse(r->machine, r->state, "b9", NULL), FZ_NOT_FOUND);
    fz_state_free(rolling);
    fz_machine_free(asking);
    fz_moves_free(moves);
}

static void test_agents_and_counts(void **given)
{
    rig *r = *given;
    fz_agent *agent;
    const fz_playout_task task = {.program = r->program, .count = 3};
    const fz_batch_task games = {.program = r->program, .count = 3};
    const fz_playout_options sample = {.program = r->program, .count = 3};
    const fz_count_task counting = {.depth = 1};
    const fz_agent_host host = {.choose = take_first, .message = no_message};
    fz_coverage coverage;
    long before = r->blocks;

    assert_int_equal(fz_agent_new(r->context, r->program, "random", NULL), FZ_OK);
    assert_int_equal(fz_agent_new(r->context, r->program, "nobody", NULL), FZ_USAGE);
    assert_int_equal(fz_agent_from_callbacks(r->context, r->program, "host", &host, NULL), FZ_OK);
    assert_int_equal(fz_playouts(r->program, NULL, 1, 0, 3, 1, false, NULL, NULL, NULL), FZ_OK);
    assert_int_equal(fz_playouts_into(&task, &(fz_playout_arrays){0}, NULL, NULL), FZ_OK);
    assert_int_equal(fz_playouts_run(&sample, NULL, NULL), FZ_OK);
    assert_int_equal(fz_playouts_covered(&sample, NULL, NULL, &coverage), FZ_OK);
    fz_coverage_free(&coverage);
    assert_int_equal(fz_batch_new(&games, NULL, NULL), FZ_OK);
    assert_int_equal(r->blocks, before);
    assert_int_equal(fz_agent_new(r->context, r->program, "random", &agent), FZ_OK);
    assert_int_equal(fz_agent_choose(agent, r->state, NULL), FZ_OK);
    fz_agent_free(agent);
    assert_int_equal(fz_perft(r->machine, r->state, 1, false, NULL, NULL), FZ_OK);
    assert_int_equal(fz_count(r->machine, r->state, &counting, NULL, NULL), FZ_OK);
}

static void test_batches(void **given)
{
    const rig *r = *given;
    const fz_batch_task task = {.program = r->program, .count = 3};
    fz_batch *batch;

    assert_int_equal(fz_batch_new(&task, &batch, NULL), FZ_OK);
    fz_batch_look(batch, &(fz_batch_arrays){0});
    assert_int_equal(fz_batch_actions(batch, NULL), FZ_OK);
    assert_int_equal(fz_batch_mask(batch, NULL), FZ_OK);
    assert_int_equal(fz_batch_observe(batch, -1, NULL, NULL), FZ_OK);
    fz_batch_free(batch);
}

static void test_checks(void **given)
{
    rig *r = *given;
    const fz_check_options options = {.playouts = 2, .deep = true, .seed = 1};
    fz_program *other = NULL;
    fz_diff diff;
    fz_check *check;

    assert_int_equal(fz_check_game(r->context, "small.game", script, sizeof script - 1, NULL, 0,
                                   &options, NULL), FZ_OK);
    assert_int_equal(fz_check_game(r->context, "small.game", script, sizeof script - 1, NULL, 0,
                                   NULL, &check), FZ_OK);
    assert_false(fz_check_finding(check, 0, NULL));
    assert_int_equal(fz_report_errors(fz_check_report(check)), 0);
    assert_non_null(fz_check_program(check));
    assert_int_equal(fz_check_tally(check)->playouts, 0);
    assert_string_equal(fz_check_message(check), "");
    assert_int_equal(fz_check_positions(check), 0);
    fz_check_free(check);

    const fz_setting larger = {"Size", "4"};
    assert_int_equal(fz_compile(r->context, "small.game", script, sizeof script - 1, &larger, 1,
                                &other, NULL), FZ_OK);
    const fz_diff_task task = {.programs = {r->program, other}, .path = "small.game", .seed = 1,
                               .depth = 1, .games = 1};
    assert_int_equal(fz_games_diff(r->context, &task, &diff), FZ_OK);
    assert_true(diff.differs);
    assert_non_null(diff.why);
    fz_diff_free(r->context, &diff);
    fz_program_release(other);
}

static void test_experiments(void **given)
{
    rig *r = *given;
    const fz_run_options options = {.count = 2};
    static const char study[] = "game " FZ_SOURCE_STDLIB_DIR "/../games/classic/tic-tac-toe.game\n"
                                "playouts 2\nagents random\n";
    fz_context *c = r->context;
    long before = r->blocks;
    char *shard;
    size_t length;
    fz_archive *archive;
    fz_study *played;

    assert_int_equal(fz_run_measure(c, r->program, &options, NULL, NULL), FZ_OK);
    assert_int_equal(fz_run_page(c, r->program, &options, NULL, NULL), FZ_USAGE);
    if (fz_run_shard(c, r->program, &options, NULL) == FZ_OK) {
        assert_int_equal(fz_run_shard(c, r->program, &options, &shard), FZ_OK);
        length = strlen(shard);
        assert_int_equal(fz_shards_join(c, (const char *const *)&shard, &length, 1, NULL, NULL),
                         FZ_OK);
        fz_text_free(c, shard);
    }
    assert_int_equal(fz_archive_open(c, "/no/such/folder/file", true, NULL),
                     fz_archive_open(c, "/no/such/folder/file", true, &archive));
    if (fz_archive_open(c, "/tmp/ferz-unwanted", true, &archive) == FZ_OK) {
        fz_archive_play(archive, r->program, &options, NULL);
        assert_int_equal(fz_archive_runs(archive, NULL), FZ_OK);
        assert_int_equal(fz_archive_record(archive, 1, 1, NULL), FZ_NOT_FOUND);
        assert_int_equal(fz_archives_join(archive, NULL, 0, NULL), FZ_USAGE);
        assert_int_equal(fz_archive_measure(c, "/tmp/ferz-unwanted", 1, true, NULL, NULL), FZ_OK);
        fz_archive_close(archive);
        remove("/tmp/ferz-unwanted");
    }
    assert_int_equal(fz_study_open(c, "a.study", study, sizeof study - 1, NULL, NULL), FZ_OK);
    assert_int_equal(fz_study_open(c, "a.study", study, sizeof study - 1, NULL, &played), FZ_OK);
    if (fz_study_play(played, NULL) == FZ_OK)
        assert_int_equal(fz_study_table(played, "results", NULL, NULL), FZ_OK);
    fz_study_free(played);
    assert_int_equal(r->blocks, before);
}

/* There is nothing to free. */
static void test_nothing_is_freed(void **given)
{
    const rig *r = *given;

    fz_agent_free(NULL);
    fz_archive_close(NULL);
    fz_batch_free(NULL);
    fz_context_free(NULL);
    fz_declarations_free(r->context, NULL);
    fz_machine_free(NULL);
    fz_moves_free(NULL);
    fz_program_release(NULL);
    fz_record_free(r->context, NULL);
    fz_report_free(NULL);
    fz_state_free(NULL);
    fz_stepper_free(NULL);
    fz_move_trace_free(NULL);
    fz_study_free(NULL);
    fz_text_free(r->context, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_facts_of_a_program),
        cmocka_unit_test(test_facts_of_a_state),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_fen),
        cmocka_unit_test(test_moves_and_chance),
        cmocka_unit_test(test_agents_and_counts),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_experiments),
        cmocka_unit_test(test_nothing_is_freed),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
