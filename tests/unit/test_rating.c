/* Elo differences, sequential tests and ratings: known values, and what simulated matches show. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "interp/play/play.h"
#include "interp/support/chance.h"

static void assert_near(double got, double wanted, double error)
{
    if (fabs(got - wanted) > error || isnan(got))
        fail_msg("%.6f, expected %.6f", got, wanted);
}

static void test_elo(void **given)
{
    (void)given;
    assert_near(fzi_elo_of_score(0.75), 190.848502, 1e-5); /* odds of 3 to 1 */
    assert_near(fzi_score_of_elo(400), 10.0 / 11, 1e-12);
    assert_true(isinf(fzi_elo_of_score(1)) && fzi_elo_of_score(0) < -1e300);
}

static void test_intervals(void **given)
{
    fzi_pairs all = {{0, 0, 0, 0, 10}}, none = {{0}};
    const uint64_t results[3] = {5, 0, 15};
    fzi_estimate e = fzi_pairs_score(&all);

    (void)given;
    /* Wilson's interval of 10 of 10; of 15 of 20 with the variance of a sample, and Student's. */
    assert_near(e.low, 0.722467, 1e-5);
    assert_near(e.high, 1, 1e-12);
    assert_true(isnan(fzi_pairs_score(&none).value));
    e = fzi_results_score(results);
    assert_near(e.value, 0.75, 1e-12);
    assert_true(e.low > 0.50 && e.low < 0.52 && e.high > 0.88 && e.high < 0.91);
}

/* A pair of games that two players win, draw and lose with these probabilities. */
static void add_pair(fzi_pairs *pairs, double win, double draw, uint64_t key, uint64_t *counter)
{
    unsigned half_points = 0;

    for (unsigned game = 0; game < 2; game++) {
        double drawn = fzi_chance_at(key, (*counter)++) / 4294967296.0;
        half_points += drawn < win ? 2 : drawn < win + draw ? 1 : 0;
    }
    pairs->counts[half_points]++;
}

/* The interval contains the true score about as often as it says. */
static void test_coverage(void **given)
{
    static const double cases[][2] = {{0.5, 0}, {0.2, 0.6}, {0.8, 0.1}, {0.95, 0.03}};
    enum { MATCHES = 2000, PAIRS = 60 };
    uint64_t counter = 0;

    (void)given;
    for (unsigned c = 0; c < 4; c++) {
        double truth = cases[c][0] + cases[c][1] / 2;
        unsigned inside = 0;
        for (unsigned m = 0; m < MATCHES; m++) {
            fzi_pairs pairs = {{0}};
            for (unsigned i = 0; i < PAIRS; i++)
                add_pair(&pairs, cases[c][0], cases[c][1], fzi_chance_key(1, c), &counter);
            fzi_estimate e = fzi_pairs_score(&pairs);
            inside += e.low <= truth && truth <= e.high;
        }
        if (inside < 0.93 * MATCHES || inside > 0.985 * MATCHES)
            fail_msg("case %u: %u of %u intervals contain the score", c, inside, MATCHES);
    }
}

/* The same of few pairs whose games depend on each other: the same agent wins both. The probability
 * of all results of which the interval contains the score. */
static void test_few_pairs(void **given)
{
    static const struct { unsigned pairs; double truth; } cases[] = {
        {3, 0.5}, {4, 0.6}, {5, 0.7}, {6, 0.7}};

    (void)given;
    for (unsigned c = 0; c < 4; c++) {
        unsigned n = cases[c].pairs;
        double truth = cases[c].truth, inside = 0;
        for (unsigned won = 0; won <= n; won++) {
            fzi_pairs pairs = {{n - won, 0, 0, 0, won}};
            fzi_estimate e = fzi_pairs_score(&pairs);
            if (e.low <= truth && truth <= e.high)
                inside += tgamma(n + 1) / tgamma(won + 1) / tgamma(n - won + 1) *
                          pow(truth, won) * pow(1 - truth, n - won);
        }
        if (inside < 0.95)
            fail_msg("%u pairs: %.4f of the intervals contain the score", n, inside);
    }
}

/* Of decisive pairs the ratio is that of Wald's test of a probability. */
static void test_ratio(void **given)
{
    const fzi_sprt test = {0, 100, 0.05, 0.05};
    fzi_pairs pairs = {{40, 0, 0, 0, 60}};
    double s0 = 0.5, s1 = fzi_score_of_elo(100), lower, upper;

    (void)given;
    assert_near(fzi_sprt_ratio(&test, &pairs), 60 * log(s1 / s0) + 40 * log((1 - s1) / (1 - s0)),
                0.01);
    fzi_sprt_bounds(&test, &lower, &upper);
    assert_near(lower, -2.944439, 1e-5);
    assert_near(upper, 2.944439, 1e-5);
    pairs = (fzi_pairs){{0}};
    assert_near(fzi_sprt_ratio(&test, &pairs), 0, 0);
    assert_int_equal(fzi_sprt_verdict(&test, &pairs), 0);
}

/* How many of `matches` tests accept elo1 when the players are `elo` apart and draw often. */
static unsigned accepted(const fzi_sprt *test, double elo, unsigned matches, uint64_t stream)
{
    double draw = 0.4, win = fzi_score_of_elo(elo) - draw / 2;
    uint64_t counter = 0;
    unsigned count = 0;

    for (unsigned m = 0; m < matches; m++) {
        fzi_pairs pairs = {{0}};
        int verdict = 0;
        for (unsigned i = 0; i < 100000 && !verdict; i++) {
            add_pair(&pairs, win, draw, fzi_chance_key(2, stream), &counter);
            verdict = fzi_sprt_verdict(test, &pairs);
        }
        assert_int_not_equal(verdict, 0);
        count += verdict > 0;
    }
    return count;
}

/* The test errs about as often as it says: 5 % and 10 %. */
static void test_errors(void **given)
{
    const fzi_sprt test = {0, 40, 0.05, 0.1};
    enum { MATCHES = 200 };
    unsigned wrong0 = accepted(&test, 0, MATCHES, 1);
    unsigned wrong1 = MATCHES - accepted(&test, 40, MATCHES, 2);

    (void)given;
    if (wrong0 > 0.085 * MATCHES || wrong1 > 0.15 * MATCHES || wrong0 < 2 || wrong1 < 4)
        fail_msg("%u and %u of %u tests are wrong", wrong0, wrong1, MATCHES);
}

static void test_ratings(void **given)
{
    double points[FZ_MAX_RATED][FZ_MAX_RATED] = {{0}}, games[FZ_MAX_RATED][FZ_MAX_RATED] = {{0}};
    static const double strengths[] = {10, 3, 1};
    fzi_estimate ratings[3];
    double sum = 0;

    (void)given;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++)
            if (i != j) {
                games[i][j] = 100000;
                points[i][j] = games[i][j] * strengths[i] / (strengths[i] + strengths[j]);
            }
    fzi_ratings(3, points, games, ratings);
    for (unsigned i = 0; i < 3; i++)
        sum += ratings[i].value;
    assert_near(sum, 0, 1e-6);
    assert_near(ratings[0].value - ratings[2].value, 400, 0.1);
    assert_near(ratings[1].value - ratings[2].value, 400 * log10(3), 0.1);

    /* Of two, the interval of the difference is that of the score's logarithm of odds. */
    games[0][1] = games[1][0] = 999;
    points[0][1] = points[1][0] = 499.5;
    fzi_ratings(2, points, games, ratings);
    assert_near(2 * (ratings[0].high - ratings[0].value),
                1.959964 * 400 / log(10) / sqrt(1000 * 0.25), 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elo),     cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_coverage), cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_few_pairs),
        cmocka_unit_test(test_errors),  cmocka_unit_test(test_ratings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
