/* How often the 95 % intervals of measures contain the true value: games are drawn from a pool of
 * games of six kinds, of which the values are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ferz.h"
#include "ferz_tools.h"
#include "interp/measures/measures.h"
#include "interp/support/chance.h"
#include "rig.h"

/* FZ_TRIALS in the environment: as many samples of each size instead. */
enum { POOL = 400, TRIALS = 200, COLUMNS = FZ_MEASURES + FZ_LISTS };

static const char *const games[] = {"classic/tic-tac-toe", "classic/connect-four", "race/ur",
                                    "hunt/fox-and-hounds", "sow/oware", "classic/breakthrough"};

typedef struct pool {
    int64_t a[COLUMNS][POOL], b[COLUMNS][POOL];
} pool;

static fz_program *compiled_game(fz_context *context, const char *name)
{
    char path[512], text[1 << 16];
    fz_program *program = NULL;

    snprintf(path, sizeof path, "%s/../games/%s.game", FZ_SOURCE_STDLIB_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_int_equal(fz_compile(context, path, text, length, NULL, 0, &program, NULL), FZ_OK);
    return program;
}

/* What single games add to each measure, and to the middle one of each list. */
static void fill(pool *into, const fz_program *program, unsigned rollouts)
{
    fzi_lines lines;

    assert_true(fzi_lines_init(&lines, program, fzi_allocator_default()));
    for (unsigned i = 0; i < POOL; i++) {
        fzi_measuring task = {.sample = {.program = program, .seed = 3, .first = i, .count = 1,
                                         .threads = 1},
                               .rollouts = rollouts};
        fzi_measures m;
        uint64_t failed;
        char message[256];
        assert_true(fzi_measures_init(&m, program, &lines, rollouts, fzi_allocator_default()));
        assert_int_equal(fzi_measure(&task, &lines, &m, &failed, message), FZ_OK);
        for (unsigned c = 0; c < COLUMNS; c++) {
            unsigned list = c - FZ_MEASURES;
            const fzi_sum *s = c < FZ_MEASURES ? &m.sums[c]
                               : m.sizes[list] ? &m.lists[list][m.sizes[list] / 2] : NULL;
            into->a[c][i] = s ? (int64_t)s->a : 0;
            into->b[c][i] = s ? (int64_t)s->b : 0;
        }
        fzi_measures_clear(&m);
    }
    fzi_lines_clear(&lines);
}

static const fzi_measure_info *info_of(unsigned column)
{
    return column < FZ_MEASURES ? &fzi_measure_infos[column]
                                : &fzi_list_infos[column - FZ_MEASURES];
}

/* Samples of n games whose intervals lie below, above, and at all; and those that are all alike. */
typedef struct held {
    unsigned below, above, trials, alike;
} held;

static held try(const pool *from, unsigned column, unsigned n, unsigned trials)
{
    const fzi_measure_shape shape = info_of(column)->shape;
    uint64_t counter = 0, key = fzi_chance_key(n, column);
    held h = {.trials = trials};
    fzi_sum all = {0};

    for (unsigned i = 0; i < POOL; i++)
        fzi_sum_add(&all, from->a[column][i], from->b[column][i]);
    double truth = fzi_sum_estimate(&all, shape).value, slack = 1e-9 * fabs(truth);
    if (all.games < POOL / 2)
        return (held){0};
    for (unsigned t = 0; t < trials; t++) {
        fzi_sum sum = {0};
        while (sum.games < n) {
            unsigned i = fzi_chance_at(key, counter++) % POOL;
            fzi_sum_add(&sum, from->a[column][i], from->b[column][i]);
        }
        fzi_estimate e = fzi_sum_estimate(&sum, shape);
        h.below += e.high < truth - slack;
        h.above += e.low > truth + slack;
        h.alike += sum.a == 0 || sum.a == sum.b;
    }
    return h;
}

/* Shares of few games are coarse: no interval holds in 95 % for each of them. Where nothing may
 * happen in all games, intervals hold more often. Drama is skewed: few turns of few games. */
static void judge(const char *game, unsigned column, unsigned n, held h)
{
    double trials = h.trials, slack = 3 * sqrt(0.05 * 0.95 / fmax(1, trials));
    double share = 1 - (h.below + h.above) / fmax(1, trials);
    bool coarse = info_of(column)->shape == FZ_AS_SHARE;
    double least = column == FZ_MEASURE_DRAMA ? 0.88 : 0.91;

    if (h.trials && (share < least - slack ||
                     (share > 0.98 + slack && !coarse && h.alike < 0.05 * trials)))
        fail_msg("%s, %s: of %u intervals of %u games %u lie below the true value, %u above", game,
                 info_of(column)->name, h.trials, n, h.below, h.above);
}

static void test_coverage(void **given)
{
    static const unsigned sizes[] = {20, 30, 100};
    const char *wanted = getenv("FZ_TRIALS");
    unsigned trials = wanted ? (unsigned)atoi(wanted) : TRIALS;
    pool *p = malloc(sizeof *p);

    (void)given;
    for (unsigned g = 0; g < sizeof games / sizeof *games; g++) {
        fz_context *context = rig_context();
        fz_program *program = compiled_game(context, games[g]);
        fill(p, program, wanted ? 4 : 0);
        for (unsigned c = 0; c < COLUMNS; c++)
            for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
                judge(games[g], c, sizes[k], try(p, c, sizes[k], trials));
        fz_program_release(program);
        fz_context_free(context);
    }
    free(p);
}

/* Known values of Student's distribution, and of Wilson's intervals. */
static void test_values(void **given)
{
    static const double known[][2] = {{1, 12.7062}, {2, 4.30265}, {3, 3.18245}, {5, 2.57058},
                                      {19, 2.09302}, {99, 1.98422}};

    (void)given;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (fabs(fzi_student_95(known[i][0]) - known[i][1]) > 2e-3 * known[i][1])
            fail_msg("%g: %g", known[i][0], fzi_student_95(known[i][0]));
    /* No hit of 20, and one. */
    assert_true(fabs(fzi_share_estimate(0, 20).high - 0.161125) < 1e-5);
    assert_true(fabs(fzi_share_estimate(1, 20).low - 0.0253178 / 20) < 1e-6);
    assert_true(fabs(fzi_share_estimate(19, 20).high - 1 + 0.0253178 / 20) < 1e-6);
}

/* Of two shares: sums of all tables that are no more probable. */
static void test_p_values(void **given)
{
    (void)given;
    assert_true(fabs(fzi_exact_p(3, 10, 8, 10) - 0.06977852) < 1e-7);
    assert_true(fabs(fzi_exact_p(0, 20, 5, 20) - 0.04712405) < 1e-7);
    assert_true(fabs(fzi_exact_p(7, 7, 0, 9) - 1 / 11440.0) < 1e-10);
    assert_true(fzi_exact_p(0, 50, 0, 50) == 1 && fzi_exact_p(0, 0, 3, 5) == 1);
    assert_true(fabs(fzi_student_p(2.0, 10) - 0.07338803) < 1e-7);
    assert_true(fabs(fzi_student_p(-2.5, 4.5) - 0.05990569) < 1e-7);
    assert_true(fabs(fzi_student_p(1.96, 1e6) - 0.0499958) < 1e-5);
    assert_true(fzi_student_p(0, 5) == 1 && fzi_student_p(3, 0) == 1);
}

/* How often p is below 0.05 where there is no difference: shares, and means of skewed numbers. */
static void test_false_alarms(void **given)
{
    enum { PAIRS = 4000, SIZE = 20 };
    uint64_t key = fzi_chance_key(5, 8), counter = 0;
    unsigned shares = 0, means = 0;

    (void)given;
    for (unsigned t = 0; t < PAIRS; t++) {
        uint64_t hits[2] = {0, 0};
        double mean[2] = {0, 0}, square[2] = {0, 0}, error[2];
        for (unsigned i = 0; i < 2 * SIZE; i++) {
            double x = fzi_chance_at(key, counter++) / 4294967296.0, y = -log(1 - x);
            hits[i % 2] += x < 0.3;
            mean[i % 2] += y / SIZE;
            square[i % 2] += y * y / SIZE;
        }
        for (unsigned i = 0; i < 2; i++)
            error[i] = sqrt((square[i] - mean[i] * mean[i]) / (SIZE - 1));
        shares += fzi_exact_p(hits[0], SIZE, hits[1], SIZE) < 0.05;
        means += fzi_student_p((mean[0] - mean[1]) / hypot(error[0], error[1]),
                               fzi_welch_freedom(error[0], SIZE, error[1], SIZE)) < 0.05;
    }
    if (shares > 0.05 * PAIRS || means > 0.06 * PAIRS || shares < 0.01 * PAIRS ||
        means < 0.03 * PAIRS)
        fail_msg("of %d comparisons, shares differ in %u and means in %u", PAIRS, shares, means);
}

/* A sum of twelve uniform numbers is nearly normal. */
static double normal(uint64_t key, uint64_t *counter)
{
    double sum = -6;

    for (unsigned i = 0; i < 12; i++)
        sum += fzi_chance_at(key, (*counter)++) / 4294967296.0;
    return sum;
}

/* How often the intervals of limits hold: of shares, and of means, which go from 0.2 and 10 more to
 * their limits. Where they follow no line, there is no limit. */
static void test_limits(void **given)
{
    enum { TIMES = 2000, SIZE = 100, EFFORTS = 5 };
    uint64_t key = fzi_chance_key(9, 3), counter = 0;
    unsigned holds[2] = {0, 0}, known[2] = {0, 0}, bent = 0;
    double x[EFFORTS], fit;

    (void)given;
    for (unsigned i = 0; i < EFFORTS; i++)
        x[i] = 1 / sqrt(25 << i);
    for (unsigned t = 0; t < TIMES; t++) {
        fzi_estimate y[3][EFFORTS];
        for (unsigned i = 0; i < EFFORTS; i++) {
            uint64_t hits = 0, bent_hits = 0;
            for (unsigned g = 0; g < SIZE; g++) {
                hits += fzi_chance_at(key, counter++) / 4294967296.0 < 0.6 - x[i];
                bent_hits += fzi_chance_at(key, counter++) / 4294967296.0 < (i == 2 ? 0.2 : 0.6);
            }
            y[0][i] = fzi_share_estimate(hits, SIZE);
            y[1][i] = fzi_mean_estimate(30 + 50 * x[i] + normal(key, &counter) * 8 / sqrt(SIZE), 8,
                                        SIZE);
            y[2][i] = fzi_share_estimate(bent_hits, SIZE);
        }
        for (unsigned k = 0; k < 2; k++) {
            fzi_estimate limit = fzi_limit_estimate(x, y[k], EFFORTS, &fit);
            double truth = k ? 30 : 0.6;
            known[k] += isnan(limit.value) ? 0 : 1;
            holds[k] += limit.low <= truth && truth <= limit.high;
        }
        bent += isnan(fzi_limit_estimate(x, y[2], EFFORTS, &fit).value) && fit < 0.01;
    }
    for (unsigned k = 0; k < 2; k++)
        if (known[k] < 0.98 * TIMES || holds[k] < 0.93 * known[k] || holds[k] > 0.97 * known[k])
            fail_msg("%s: %u of %u limits hold, of %d", k ? "means" : "shares", holds[k], known[k],
                     TIMES);
    assert_true(bent > 0.95 * TIMES);
}

/* A line without errors, known by hand, and values of which nothing can be said. */
static void test_limit_values(void **given)
{
    const double x[] = {0.4, 0.2, 0.1};
    const fzi_estimate line[] = {{5, 4, 6}, {3, 2, 4}, {2, 1, 3}};
    const fzi_estimate narrow[] = {{5, 4, 6}, {3, 3 - 1e-8, 3 + 1e-8}, {2, 1, 3}};
    const fzi_estimate bent[] = {{5, 4.9, 5.1}, {9, 8.9, 9.1}, {2, 1.9, 2.1}};
    const fzi_estimate flat[] = {{5, 5, 5}, {5, 5, 5}, {5, 5, 5}};
    double fit;

    (void)given;
    fzi_estimate limit = fzi_limit_estimate(x, line, 3, &fit);
    assert_true(fabs(limit.value - 1) < 1e-12 && fabs(fit - 1) < 1e-12);
    /* Of three equal weights: sqrt(sum of squares of x / (3 times it - square of their sum)). */
    assert_true(fabs(limit.high - 1 - sqrt(0.21 / (3 * 0.21 - 0.49))) < 1e-12);
    limit = fzi_limit_estimate(x, narrow, 3, &fit);
    assert_true(fabs(limit.value - 1) < 1e-6 && fabs(limit.high - 1.8943) < 1e-3);
    assert_true(isnan(fzi_limit_estimate(x, bent, 3, &fit).value) && fit < 1e-6);
    assert_true(isnan(fzi_limit_estimate(x, flat, 3, &fit).value) && isnan(fit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_p_values),
                                       cmocka_unit_test(test_false_alarms),
                                       cmocka_unit_test(test_limit_values),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_coverage)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
