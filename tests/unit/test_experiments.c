/* Experiments through ferz.h alone: archives, shards, measures, reports and studies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "ferz.h"

#define GAME FZ_SOURCE_STDLIB_DIR "/../games/classic/tic-tac-toe.game"

typedef struct lab {
    fz_context *context;
    fz_program *program;
    char path[64];       /* of an archive */
} lab;

static int begin(void **given)
{
    static lab l;
    static const char *const dirs[] = {FZ_SOURCE_STDLIB_DIR, NULL};
    const fz_config config = {.module_dirs = dirs};
    fz_archive *archive;
    int file;

    l.context = fz_context_new(&config);
    strcpy(l.path, "/tmp/ferz-experiments-XXXXXX");
    file = mkstemp(l.path);
    *given = &l;
    if (file < 0 || fz_compile(l.context, GAME, NULL, 0, NULL, 0, &l.program, NULL) != FZ_OK)
        return -1;
    close(file);
    if (fz_archive_open(l.context, l.path, true, &archive) != FZ_OK)
        return -1;
    fz_archive_close(archive);
    return 0;
}

static int end(void **given)
{
    lab *l = *given;
    char beside[80];

    for (int i = 0; i < 3; i++) {
        static const char *const endings[] = {"", "-wal", "-shm"};
        snprintf(beside, sizeof beside, "%s%s", l->path, endings[i]);
        unlink(beside);
    }
    fz_program_release(l->program);
    fz_context_free(l->context);
    return 0;
}

static void assert_has(const char *text, const char *part)
{
    assert_non_null(text);
    if (!strstr(text, part))
        print_error("no %s in %.400s\n", part, text);
    assert_non_null(strstr(text, part));
}

static void test_archive(void **given)
{
    lab *l = *given;
    fz_run_options options = {.seed = 3, .count = 40, .records = "2..3", .command = "unit test"};
    fz_archive *archive;
    fz_tally tally;
    char *text;

    assert_int_equal(fz_archive_open(l->context, l->path, false, &archive), FZ_OK);
    assert_int_equal(fz_archive_play(archive, l->program, &options, &tally), FZ_OK);
    assert_int_equal(tally.playouts, 40);
    assert_int_equal(fz_archive_play(archive, l->program, &options, NULL), FZ_USAGE);
    assert_has(fz_context_message(l->context), "already has this run");
    options.resume = true;
    assert_int_equal(fz_archive_play(archive, l->program, &options, &tally), FZ_OK);
    assert_int_equal(tally.playouts, 40);
    assert_int_equal(fz_archive_runs(archive, &text), FZ_OK);
    assert_has(text, "\"games\":40");
    assert_has(text, "\"seed\":\"3\"");
    fz_text_free(l->context, text);
    assert_int_equal(fz_archive_record(archive, 1, 2, &text), FZ_OK);
    assert_has(text, "ferz record 1");
    fz_text_free(l->context, text);
    assert_int_equal(fz_archive_record(archive, 1, 4, &text), FZ_NOT_FOUND);
    assert_null(text);
    options.records = "many";
    options.seed = 4;
    assert_int_equal(fz_archive_play(archive, l->program, &options, NULL), FZ_USAGE);
    fz_archive_close(archive);
    assert_int_equal(fz_archive_open(l->context, GAME, false, &archive), FZ_BAD_INPUT);
    assert_null(archive);
}

/* Joined shards are the run. */
static void test_shards(void **given)
{
    lab *l = *given;
    fz_run_options options = {.seed = 5, .count = 31, .agents = "greedy,random"};
    char *whole, *parts[3], *joined, *results;
    size_t lengths[3];

    assert_int_equal(fz_run_shard(l->context, l->program, &options, &whole), FZ_OK);
    options.shards = 3;
    for (unsigned i = 0; i < 3; i++) {
        options.shard = 3 - i;
        assert_int_equal(fz_run_shard(l->context, l->program, &options, &parts[i]), FZ_OK);
        lengths[i] = strlen(parts[i]);
    }
    assert_int_equal(fz_shards_join(l->context, (const char *const *)parts, lengths, 2, &joined,
                                    NULL), FZ_BAD_INPUT);
    assert_has(fz_context_message(l->context), "in none of the files");
    assert_int_equal(fz_shards_join(l->context, (const char *const *)parts, lengths, 3, &joined,
                                    &results), FZ_OK);
    assert_string_equal(joined, whole);
    assert_has(results, "\"playouts\": 31");
    fz_text_free(l->context, results);
    fz_text_free(l->context, joined);
    fz_text_free(l->context, whole);
    for (unsigned i = 0; i < 3; i++)
        fz_text_free(l->context, parts[i]);
}

static bool stop_at_once(void *user, uint64_t done, uint64_t total)
{
    (void)user, (void)done, (void)total;
    return true;
}

static void test_measures_and_pages(void **given)
{
    lab *l = *given;
    const fz_watch watch = {stop_at_once, NULL};
    fz_run_options options = {.seed = 1, .count = 20};
    fz_measure_options measures = {.rollouts = 2};
    char *text;

    assert_int_equal(fz_run_measure(l->context, l->program, &options, &measures, &text), FZ_OK);
    assert_has(text, "\"games\": 20");
    assert_has(text, "\"rollouts\": 2");
    fz_text_free(l->context, text);
    assert_int_equal(fz_run_page(l->context, l->program, &options, NULL, &text), FZ_OK);
    assert_has(text, "<svg");
    fz_text_free(l->context, text);
    options.agents = "nobody";
    assert_int_equal(fz_run_measure(l->context, l->program, &options, NULL, &text), FZ_USAGE);
    assert_null(text);
    measures.rollouts = 1000000;
    options.agents = NULL;
    assert_int_equal(fz_run_measure(l->context, l->program, &options, &measures, NULL), FZ_USAGE);
    options.watch = &watch;
    options.count = 100000;
    assert_int_equal(fz_run_measure(l->context, l->program, &options, NULL, NULL), FZ_OK);
}

static const char study_text[] =
    "study Unit\n"
    "game " GAME "\n"
    "ruleset plain\n"
    "ruleset again\n"
    "playouts 30\n"
    "agents random\n"
    "agents greedy\n";

static void test_study(void **given)
{
    lab *l = *given;
    const fz_study_options options = {.run = {.threads = 1, .resume = true},
                                      .archive = l->path};
    static const char *const tables[] = {"study", "results", "use", "lines", "differences",
                                         "line differences", "distances", "recovery"};
    fz_study *study;
    char *first, *second;

    assert_int_equal(fz_study_open(l->context, "unit.study", study_text, strlen(study_text),
                                   &options, &study), FZ_OK);
    assert_int_equal(fz_study_table(study, "results", NULL, &first), FZ_USAGE);
    assert_int_equal(fz_study_play(study, NULL), FZ_OK);
    assert_int_equal(fz_study_play(study, NULL), FZ_USAGE);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        assert_int_equal(fz_study_table(study, tables[i], NULL, &first), FZ_OK);
        fz_text_free(l->context, first);
    }
    assert_int_equal(fz_study_table(study, "differences", "nothing", &first), FZ_USAGE);
    assert_int_equal(fz_study_table(study, "wear", "/no/such/file", &first), FZ_NOT_FOUND);
    assert_int_equal(fz_study_table(study, "chairs", NULL, &first), FZ_USAGE);
    assert_int_equal(fz_study_table(study, "results", NULL, &first), FZ_OK);
    assert_has(first, "\"ruleset\": \"again\"");
    fz_study_free(study);
    /* From the archive: nothing is played, and the results are the same. */
    assert_int_equal(fz_study_open(l->context, "unit.study", study_text, strlen(study_text),
                                   &options, &study), FZ_OK);
    assert_int_equal(fz_study_play(study, NULL), FZ_OK);
    assert_int_equal(fz_study_table(study, "results", NULL, &second), FZ_OK);
    assert_string_equal(first, second);
    fz_text_free(l->context, first);
    fz_text_free(l->context, second);
    fz_study_free(study);
}

static void test_wrong_studies(void **given)
{
    lab *l = *given;
    static const char wrong[] = "study Wrong\ngme x.game\n";
    static const char errors[] = "game /dev/null\nagents random\n";
    fz_report *report = NULL;
    fz_study *study;

    assert_int_equal(fz_study_open(l->context, "a.study", wrong, strlen(wrong), NULL, &study),
                     FZ_BAD_INPUT);
    assert_null(study);
    assert_has(fz_context_message(l->context), "a.study:2:1: unknown word 'gme'");
    assert_int_equal(fz_study_open(l->context, "/no/such.study", NULL, 0, NULL, &study),
                     FZ_NOT_FOUND);
    assert_int_equal(fz_study_open(l->context, "a.study", errors, strlen(errors), NULL, &study),
                     FZ_OK);
    assert_int_equal(fz_study_play(study, &report), FZ_INVALID);
    assert_non_null(report);
    assert_has(fz_context_message(l->context), "/dev/null: the script has errors\n  in ");
    fz_report_free(report);
    fz_study_free(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_archive),
        cmocka_unit_test(test_shards),
        cmocka_unit_test(test_measures_and_pages),
        cmocka_unit_test(test_study),
        cmocka_unit_test(test_wrong_studies),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
