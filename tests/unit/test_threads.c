/* One program, many threads: each has a machine and states of its own, and all do at once
 * whatever reads the program. As races/races, with
 * ThreadSanitizer, it fails on a data race (tests/Makefile.inc). */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ferz.h"
#include "ferz_tools.h"
#include "interp/lab/lab.h"
#include "rig.h"

/* ThreadSanitizer finds a race from which accesses nothing orders, however seldom they meet. */
#ifdef __SANITIZE_THREAD__
enum { THREADS = 3, ROUNDS = 1 };
#define ITERATIONS "4"
#else
enum { THREADS = 4, ROUNDS = 4 };
#define ITERATIONS "20"
#endif

static const char game[] =
    "game \"Small\"; players A, B; board square(4);\n"
    "piece Man \"M\" { move to step(here, adjacent) & empty; }\n"
    "var gold[site]: 0..9; let near[s: site]: sites = step(s, adjacent) & mine;\n"
    "let held = mine; show gold, held; die Coin { HEADS, TAILS }\n"
    "setup { put Man of A at rank(1); put Man of B at rank(4); }\n"
    "turn { if roll(Coin) == HEADS gold[a1] = min(9, gold[a1] + 1);\n"
    "  choose piece_moves ensuring #near[a1] < 3 otherwise draw; }\n"
    "end { if repetitions > 2 draw; } limit 30 turns draw;\n";

typedef struct shared {
    fz_context *context;
    fz_program *program;
    fz_tally tally; /* of 20 playouts by one thread */
} shared;

static bool play_and_look(const shared *s, fz_machine *machine, uint64_t stream)
{
    fz_state *state = fz_state_new(machine, 5, stream), *copy = NULL;
    char *text = NULL;
    bool good = state && fz_state_playout(machine, state, 7) == FZ_OK;

    good = good && fz_state_draw(machine, state, 0, &text) == FZ_OK;
    fz_text_free(s->context, text);
    text = NULL;
    good = good && fz_state_write_for(machine, state, 1, &text) == FZ_OK;
    fz_text_free(s->context, text);
    copy = state ? fz_state_clone_for(machine, state, 0) : NULL;
    good = good && copy;
    fz_state_free(copy);
    fz_state_free(state);
    return good;
}

/* A batch has threads of its own. */
static bool step_all(const shared *s)
{
    fz_batch *batch = NULL;
    int32_t values[6 * 256];
    uint8_t planes[6 * 16 * 16];
    bool good = fz_batch_new(&(fz_batch_task){.program = s->program, .seed = 5, .count = 6,
                                              .threads = 3}, &batch, NULL) == FZ_OK;

    for (unsigned i = 0; good && i < 40; i++)
        good = fz_batch_step(batch, NULL, FZ_BATCH_INDEXES, true) == FZ_OK &&
               fz_batch_observe(batch, -1, planes, values) == FZ_OK;
    fz_batch_free(batch);
    return good;
}

static bool count_all(const shared *s)
{
    fz_tally tally;
    fz_coverage coverage;
    char message[256];
    bool good = fz_playouts(s->program, NULL, 5, 0, 20, 2, true, NULL, &tally, message) == FZ_OK &&
                tally.plies == s->tally.plies && tally.draws == s->tally.draws;

    good = fz_playouts_covered(&(fz_playout_options){.program = s->program, .seed = 5, .count = 10,
                                            .threads = 2}, &tally, message, &coverage) == FZ_OK &&
           good;
    fz_coverage_free(&coverage);
    return good;
}

static void *work(void *given)
{
    const shared *s = given;
    bool good = true;

    for (unsigned i = 0; good && i < ROUNDS; i++) {
        fz_machine *machine = fz_machine_new(s->program, NULL);
        fz_move_trace *story = fz_move_trace_new(s->program, NULL, -1);
        good = machine && story && play_and_look(s, machine, i) && count_all(s) && step_all(s);
        fz_move_trace_free(story);
        fz_machine_free(machine);
        fz_program_retain(s->program);
        fz_program_release(s->program);
    }
    return good ? given : NULL;
}

static void test_all_at_once(void **given)
{
    shared *s = *given;
    pthread_t threads[THREADS];
    char message[256];

    assert_int_equal(fz_playouts(s->program, NULL, 5, 0, 20, 1, true, NULL, &s->tally, message),
                     FZ_OK);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, s), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, s);
    }
}

static char *measured(shared *s, unsigned threads)
{
    const fz_run_options options = {.seed = 3, .count = 4, .threads = threads,
                                    .agents = "mcts:" ITERATIONS ":trees=3,greedy"};
    const fz_measure_options measures = {.rollouts = 1};
    char *text = NULL;

    assert_int_equal(fz_run_measure(s->context, s->program, &options, &measures, &text), FZ_OK);
    return text;
}

/* Agents with search trees in threads of their own, measures and counts: the results are those of
 * one thread. */
static void test_agents_and_counts(void **given)
{
    shared *s = *given;
    fz_machine *machine = fz_machine_new(s->program, NULL);
    fz_state *state = fz_state_new(machine, 1, 0);
    char *one = measured(s, 1), *three = measured(s, 3);
    fz_ratio number;

    assert_string_equal(one, three);
    fz_text_free(s->context, one);
    fz_text_free(s->context, three);
    for (int merge = FZ_MERGE_NOTHING; merge <= FZ_MERGE_POSITIONS; merge++) {
        const fz_count_task task = {.depth = 2, .merge = (fz_merge)merge, .threads = 3};
        assert_int_equal(fz_count(machine, state, &task, NULL, &number), FZ_OK);
    }
    fz_state_free(state);
    fz_machine_free(machine);
}

static fz_status match_agent(void *user, unsigned which, fz_decider *decider, char *message)
{
    return fzi_agent_decide(user, which ? "greedy" : "mcts:" ITERATIONS ":trees=2", decider,
                            message);
}

static fzi_match_result matched(shared *s, unsigned threads)
{
    fzi_setup setup = {.context = s->context, .path = "small.game", .program = s->program};
    const fzi_match match = {.program = s->program, .make = match_agent, .user = &setup, .seed = 3,
                             .pairs = 3, .threads = threads};
    fzi_match_result result;
    uint64_t failed;
    char message[256] = "";

    if (fzi_match_play(&match, &result, &failed, message) != FZ_OK)
        fail_msg("%s", message);
    return result;
}

/* A match is that of one thread. */
static void test_match(void **given)
{
    fzi_match_result one = matched(*given, 1), three = matched(*given, 3);

    assert_int_equal(one.games, 6);
    assert_int_equal(one.plies, three.plies);
    assert_memory_equal(one.results, three.results, sizeof one.results);
}

static const char study_text[] = "study Unit\n"
                                 "game " FZ_SOURCE_STDLIB_DIR "/../tests/cli/walk.game\n"
                                 "ruleset plain\n"
                                 "playouts 12\n"
                                 "agents random\n"
                                 "agents mcts:5:trees=2\n";

/* With an archive, in which all threads store their games. */
static char *studied(shared *s, unsigned threads)
{
    const fz_study_options options = {.run = {.threads = threads, .resume = true},
                                      .archive = fzi_archive_in_memory};
    fz_study *study;
    char *text = NULL;

    if (fz_study_open(s->context, "unit.study", study_text, strlen(study_text), &options, &study) !=
            FZ_OK ||
        fz_study_play(study, NULL) != FZ_OK)
        fail_msg("%s", fz_context_message(s->context));
    assert_int_equal(fz_study_table(study, "results", NULL, &text), FZ_OK);
    fz_study_free(study);
    return text;
}

static void test_study(void **given)
{
    shared *s = *given;
    char *one = studied(s, 1), *three = studied(s, 3);

    assert_string_equal(one, three);
    fz_text_free(s->context, one);
    fz_text_free(s->context, three);
}

/* A cache of its own; machines compile after so many calls. */
static void begin_compiling(shared *s, char *folder, const char *after)
{
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("FERZ_COMPILE_AFTER", after, 1);
    setenv("FERZ_CFLAGS", "-O0", 0); /* the runner of tests knows a faster way */
    s->program = compiled(s->context, game);
    assert_int_equal(fz_program_set_engine(s->context, s->program, FZ_ENGINE_AUTO), FZ_OK);
}

static void end_compiling(shared *s)
{
    fz_program_release(s->program);
    fz_context_free(s->context);
    unsetenv("FERZ_COMPILE_AFTER");
    assert_int_equal(system("rm -r \"$XDG_CACHE_HOME\""), 0);
}

/* One thread compiles in the middle of its work; all go over to native code. */
static void test_all_go_over(void **given)
{
    char folder[] = "/tmp/ferz-threads-XXXXXX";
    shared s = {.context = rig_context()};
    void *all = &s;

    (void)given;
    begin_compiling(&s, folder, "30");
    test_all_at_once(&all);
    assert_int_equal(fz_program_engine(s.program, NULL), FZ_ENGINE_NATIVE);
    end_compiling(&s);
}

static void *choose_engines(void *given)
{
    static const fz_engine engines[] = {FZ_ENGINE_LOOP, FZ_ENGINE_AUTO, FZ_ENGINE_NATIVE};
    shared *s = given;
    fz_context *context = rig_context();
    bool good = true;

    for (unsigned i = 0; good && i < 30; i++)
        good = fz_program_set_engine(context, s->program, engines[i % 3]) == FZ_OK;
    fz_context_free(context);
    return good ? given : NULL;
}

/* Two threads change the engine while others play. */
static void test_engines_change(void **given)
{
    char folder[] = "/tmp/ferz-threads-XXXXXX";
    shared s = {.context = rig_context()};
    void *all = &s;
    pthread_t threads[2];

    (void)given;
    begin_compiling(&s, folder, "5");
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, choose_engines, &s), 0);
    test_all_at_once(&all);
    for (unsigned i = 0; i < 2; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, &s);
    }
    assert_int_equal(fz_program_set_engine(s.context, s.program, FZ_ENGINE_LOOP), FZ_OK);
    assert_int_equal(fz_program_engine(s.program, NULL), FZ_ENGINE_LOOP);
    end_compiling(&s);
}

/* Contexts share nothing: two can compile at the same time. */
static void *compile(void *given)
{
    fz_context *context = rig_context();
    fz_program *program = NULL;

    for (unsigned i = 0; i < 3; i++) {
        if (fz_compile(context, "small.game", game, sizeof game - 1, NULL, 0, &program, NULL) !=
            FZ_OK)
            return NULL;
        fz_program_release(program);
    }
    fz_context_free(context);
    return given;
}

static void test_compile_at_once(void **given)
{
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, compile, *given), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, *given);
    }
}

static int begin(void **given)
{
    static shared s;

    s.context = rig_context();
    s.program = compiled(s.context, game);
    *given = &s;
    /* No compiler in the background, which would read the environment that tests change. */
    return s.program &&
           fz_program_set_engine(s.context, s.program, FZ_ENGINE_LOOP) == FZ_OK ? 0 : -1;
}

static int end(void **given)
{
    shared *s = *given;

    fz_program_release(s->program);
    fz_context_free(s->context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_at_once),
        cmocka_unit_test(test_agents_and_counts),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_study),
        cmocka_unit_test(test_all_go_over),
        cmocka_unit_test(test_engines_change),
        cmocka_unit_test(test_compile_at_once),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
