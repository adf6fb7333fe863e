/* Sums over playouts, and sinks: what counts is the beginning of a run, on any number of
 * threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ferz_tools.h"

enum { PLAYOUTS = 3000 };

static const char text[] =
    "game \"Coins\";\n"
    "players A, B;\n"
    "board track(7);\n"
    "piece Man \"M\";\n"
    "var roll: 0..9;\n"
    "override fn payoff(p: player): int = if standing(p) == 1 then 5 - turns else -3;\n"
    "turn {\n"
    "  roll = random(1..9);\n"
    "  choose for to in empty if roll > 2 => {\n"
    "    put Man of me at to;\n"
    "    if roll == 3 { if 1 / (roll - 3) > 0 draw; }\n"
    "  }\n"
    "  otherwise lose me;\n"
    "}\n"
    "end { if #mine == 2 and roll == 7 win me; }\n"
    "limit 4 turns draw;\n";

typedef struct run {
    fz_context *context;
    fz_program *program;
    uint64_t next, stop_at, endings[FZ_ENDED_BY_ERROR + 1];
    fz_sums rows;
} run;

static bool take(void *user, const fz_game_row *rows, size_t count)
{
    run *r = user;

    if (r->next + count > r->stop_at)
        return false;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].stream, r->next++);
        assert_int_equal(rows[i].error != NULL, rows[i].ending == FZ_ENDED_BY_ERROR);
        assert_true(fz_sums_add(&r->rows, r->program, &rows[i]));
        r->endings[rows[i].ending]++;
    }
    return true;
}

static void start(run *r)
{
    fz_config config = {0};
    fz_report *report = NULL;

    *r = (run){.context = fz_context_new(&config), .stop_at = UINT64_MAX};
    assert_int_equal(fz_compile(r->context, "coins.game", text, sizeof text - 1, NULL, 0,
                                &r->program, &report),
                     FZ_OK);
    fz_report_free(report);
    fz_sums_init(&r->rows, NULL, NULL);
}

static void finish(run *r)
{
    fz_sums_clear(&r->rows);
    fz_program_release(r->program);
    fz_context_free(r->context);
}

static void assert_same(const fz_sums *one, const fz_sums *other)
{
    fz_tally a, b;

    fz_sums_tally(one, &a);
    fz_sums_tally(other, &b);
    assert_memory_equal(&a, &b, sizeof a);
    assert_string_equal(one->message, other->message);
    for (int p = 0; p < 2; p++) {
        assert_true(one->payoffs[p] == other->payoffs[p]);
        assert_true(one->payoff_squares[p] == other->payoff_squares[p]);
    }
    for (uint64_t i = 0; one->playouts && i <= one->longest; i++)
        assert_int_equal(one->lengths[i], other->lengths[i]);
}

static void play(run *r, uint64_t first, uint64_t count, unsigned threads, fz_sink *sink,
                 fz_sums *sums)
{
    char message[256];
    fz_tally tally;

    fz_sums_init(sums, NULL, NULL);
    fz_playouts_run(&(fz_playout_options){.program = r->program,
                                          .seed = 5,
                                          .first = first,
                                          .count = count,
                                          .threads = threads,
                                          .branching = true,
                                          .sink = sink,
                                          .sums = sums},
                    &tally, message);
    assert_int_equal(tally.playouts + tally.failed, sums->playouts + sums->failed);
}

/* The rows add up to the sums, and come in order, on any number of threads. */
static void test_rows(void **unused)
{
    run r;
    fz_sums alone, sums;

    (void)unused;
    start(&r);
    play(&r, 0, PLAYOUTS, 1, NULL, &alone);
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        fz_sink sink = {.take = take, .user = &r};
        play(&r, 0, PLAYOUTS, threads, &sink, &sums);
        assert_int_equal(r.next, PLAYOUTS);
        assert_same(&sums, &alone);
        assert_same(&r.rows, &alone);
        fz_sums_clear(&sums);
        fz_sums_clear(&r.rows);
        fz_sums_init(&r.rows, NULL, NULL);
        r.next = 0;
    }
    assert_true(r.endings[FZ_ENDED_BY_RULE] && r.endings[FZ_ENDED_WITHOUT_MOVE]);
    assert_true(r.endings[FZ_ENDED_BY_LIMIT] && r.endings[FZ_ENDED_BY_ERROR]);
    assert_int_equal(r.endings[FZ_NOT_ENDED], 0);
    fz_sums_clear(&alone);
    finish(&r);
}

/* A sink that stops: the run is that of the playouts that it took. */
static void test_beginning(void **unused)
{
    static const uint64_t stops[] = {0, 1, 17, 500, 2999};
    run r;
    fz_sums sums, wanted;

    (void)unused;
    start(&r);
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        fz_sink sink = {.take = take, .user = &r};
        r.next = 0;
        r.stop_at = stops[i];
        play(&r, 0, PLAYOUTS, 3, &sink, &sums);
        assert_true(r.next <= stops[i]);
        play(&r, 0, r.next, 1, NULL, &wanted);
        assert_same(&sums, &wanted);
        fz_sums_clear(&sums);
        fz_sums_clear(&wanted);
    }
    finish(&r);
}

/* Parts add up to the whole, in any order, also to sums that have some already. */
static void test_merge(void **unused)
{
    static const uint64_t cuts[] = {0, 1, 700, 700, 1999, PLAYOUTS};
    enum { PARTS = sizeof cuts / sizeof cuts[0] - 1 };
    run r;
    fz_sums whole, parts[PARTS], sum;

    (void)unused;
    start(&r);
    play(&r, 0, PLAYOUTS, 2, NULL, &whole);
    assert_true(whole.failed > 0 && whole.stopped > 0 && whole.payoffs[0] != 0);
    fz_sums_init(&sum, NULL, NULL);
    for (size_t i = PARTS; i-- > 0;) {
        play(&r, cuts[i], cuts[i + 1] - cuts[i], 2, NULL, &parts[i]);
        assert_true(fz_sums_merge(&sum, &parts[i]));
        fz_sums_clear(&parts[i]);
    }
    assert_same(&sum, &whole);
    fz_sums_clear(&sum);
    fz_sums_clear(&whole);
    finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_beginning),
        cmocka_unit_test(test_merge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
