/* The use of lines: Holm's adjustment and distances of known values, and which mirror image aligns
 * a game, as LC-49 to LC-51 of the rulings of the Ludus Coriovalli say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "interp/measures/measures.h"

static void assert_near(double got, double wanted, double error)
{
    if (fabs(got - wanted) > error || isnan(got))
        fail_msg("%.6f, expected %.6f", got, wanted);
}

static void test_holm(void **given)
{
    double p[] = {0.01, 0.04, 0.03, 0.005}, large[] = {0.9, 0.5};
    const double adjusted[] = {0.03, 0.06, 0.06, 0.02};

    (void)given;
    assert_true(fzi_holm(p, 4, fzi_allocator_default()));
    for (int i = 0; i < 4; i++)
        assert_near(p[i], adjusted[i], 1e-12);
    assert_true(fzi_holm(large, 2, fzi_allocator_default()));
    assert_near(large[0], 1, 0);
    assert_near(large[1], 1, 0);
    assert_true(fzi_holm(NULL, 0, fzi_allocator_default()));
}

static void test_distances(void **given)
{
    double counts[] = {1, 3, 4}, zeros[] = {0, 0};
    const double shares[] = {0.5, 0.25, 0.25}, line[] = {1, 2, 3}, down[] = {3, 1, -1},
                 flat[] = {2, 2, 2};

    (void)given;
    fzi_make_shares(counts, 3);
    fzi_make_shares(zeros, 2);
    assert_near(counts[2], 0.5, 0);
    assert_near(zeros[0], 0, 0);
    assert_near(fzi_shares_distance(counts, shares, 3), 0.375, 1e-12);
    assert_near(fzi_correlation(line, down, 3), -1, 1e-12);
    assert_true(isnan(fzi_correlation(line, flat, 3)));
}

/* Four lines: left-right swaps 0 with 1 and 2 with 3, top-bottom 0 with 2 and 1 with 3. */
static const int32_t across[] = {1, 0, 3, 2}, upwards[] = {2, 3, 0, 1};

static fzi_aligner aligner(fzi_align how, unsigned mirrors, double room[8])
{
    for (int i = 0; i < 8; i++)
        room[i] = 0;
    return (fzi_aligner){.how = how, .mirrors = mirrors, .lines = 4,
                         .image = {across, upwards}, .mean = room, .shares = room + 4};
}

enum { NOTHING = 0, ACROSS = 1, UPWARDS = 2, BOTH = 3 };

static unsigned second_game(fzi_align how, unsigned mirrors, const uint32_t *game)
{
    static const uint32_t first[] = {8, 4, 2, 1};
    double room[8];
    fzi_aligner a = aligner(how, mirrors, room);

    assert_int_equal(fzi_align_game(&a, first), NOTHING);
    return fzi_align_game(&a, game);
}

static void test_alignment(void **given)
{
    const uint32_t as_is[] = {8, 4, 2, 1}, swapped[] = {4, 8, 1, 2}, upside[] = {2, 1, 8, 4},
                   turned[] = {1, 2, 4, 8};

    (void)given;
    assert_int_equal(second_game(FZ_ALIGN_NEAREST, BOTH, as_is), NOTHING);
    assert_int_equal(second_game(FZ_ALIGN_NEAREST, BOTH, swapped), ACROSS);
    assert_int_equal(second_game(FZ_ALIGN_NEAREST, BOTH, upside), UPWARDS);
    assert_int_equal(second_game(FZ_ALIGN_NEAREST, BOTH, turned), BOTH);
    assert_int_equal(second_game(FZ_ALIGN_NEAREST, UPWARDS, upside), UPWARDS);
    assert_int_equal(second_game(FZ_ALIGN_NEAREST, NOTHING, swapped), NOTHING);
    assert_int_equal(second_game(FZ_ALIGN_NONE, BOTH, swapped), NOTHING);
    /* LC-50: top-bottom only where left-right would be nearer, and never both. */
    assert_int_equal(second_game(FZ_ALIGN_STUDY, BOTH, swapped), ACROSS);
    assert_int_equal(second_game(FZ_ALIGN_STUDY, BOTH, upside), NOTHING);
    assert_int_equal(second_game(FZ_ALIGN_STUDY, UPWARDS, upside), NOTHING);
    assert_int_equal(second_game(FZ_ALIGN_STUDY, ACROSS, swapped), ACROSS);
    assert_int_equal(second_game(FZ_ALIGN_STUDY, BOTH, as_is), NOTHING);
}

/* The mean is that of the aligned games, each with the same weight. */
static void test_mean(void **given)
{
    const uint32_t one[] = {3, 1, 0, 0}, other[] = {20, 60, 10, 10}, still[] = {0, 0, 0, 0};
    double room[8];
    fzi_aligner a = aligner(FZ_ALIGN_NEAREST, ACROSS, room);

    (void)given;
    fzi_align_game(&a, one);
    assert_int_equal(fzi_align_game(&a, still), NOTHING);
    assert_int_equal(fzi_align_game(&a, other), ACROSS);
    assert_int_equal(a.games, 2);
    assert_near(a.mean[0], (0.75 + 0.6) / 2, 1e-12);
    assert_near(a.mean[2], 0.05, 1e-12);
    assert_int_equal(fzi_aligned_line(&a, BOTH, 0), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holm), cmocka_unit_test(test_distances),
        cmocka_unit_test(test_alignment), cmocka_unit_test(test_mean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
