/* Sums of measures: intervals, parts that are added, counts, and the lines of boards. */
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

static void assert_near(double got, double wanted, double error)
{
    if (fabs(got - wanted) > error || isnan(got))
        fail_msg("%.9f, expected %.9f", got, wanted);
}

static void test_sums(void **given)
{
    static const int64_t a[] = {3, 5, 0, 7}, b[] = {10, 8, 4, 9};
    fzi_sum sum = {0}, alike = {0}, large = {0};
    double r = 15.0 / 31, spread = 0, cubes = 0, error;
    fzi_estimate e, f;

    (void)given;
    assert_true(isnan(fzi_sum_estimate(&sum, FZ_AS_RATIO).value));
    for (unsigned i = 0; i < 4; i++) {
        fzi_sum_add(&sum, a[i], b[i]);
        spread += ((double)a[i] - r * (double)b[i]) * ((double)a[i] - r * (double)b[i]);
    }
    fzi_sum_add(&sum, 99, 0); /* does not count */
    /* The same by single numbers. */
    error = sqrt(spread * 4 / 3) / 31;
    for (unsigned i = 0; i < 4; i++)
        cubes += pow(((double)a[i] - r * (double)b[i]) / sqrt(spread / 4), 3);
    f = fzi_skewed_estimate(r, 2 * error, cubes / 4, 4);
    e = fzi_sum_estimate(&sum, FZ_AS_RATIO);
    assert_near(e.value, r, 1e-12);
    assert_near(e.low, f.low, 1e-9);
    assert_near(e.high, f.high, 1e-9);
    e = fzi_sum_estimate(&sum, FZ_AS_SHARE);
    assert_near(e.low, 0.319703, 1e-5); /* Wilson's interval of 15 of 31 */
    for (unsigned i = 0; i < 1000; i++) {
        fzi_sum_add(&alike, 1, 3);
        fzi_sum_add(&large, INT64_C(1) << 58, (INT64_C(1) << 58) + i);
    }
    e = fzi_sum_estimate(&alike, FZ_AS_RATIO);
    assert_true(e.low == e.value && e.high == e.value);
    assert_near(fzi_sum_estimate(&large, FZ_AS_PART).value, 1, 1e-9);
}

static void test_counts(void **given)
{
    fzi_counts counts = {0};
    uint64_t least, greatest;
    double median, deviation;

    (void)given;
    fzi_counts_add(&counts, fzi_allocator_default(), 3, 2);
    fzi_counts_add(&counts, fzi_allocator_default(), 700, 1);
    fzi_counts_add(&counts, fzi_allocator_default(), 10, 1);
    fzi_counts_describe(&counts, &least, &median, &greatest, &deviation);
    assert_int_equal(least, 3);
    assert_int_equal(greatest, 700);
    assert_near(median, 6.5, 0);
    fzi_counts_add(&counts, fzi_allocator_default(), 10, 1);
    fzi_counts_describe(&counts, &least, &median, &greatest, &deviation);
    assert_near(median, 10, 0);
    assert_near(deviation, 310.162, 0.01);
    free(counts.of);
}

static void test_sketch(void **given)
{
    static const unsigned numbers[] = {0, 10, 3000, 200000};

    (void)given;
    for (unsigned i = 0; i < 4; i++) {
        fzi_measures m = {0};
        for (unsigned n = 0; n < 3 * numbers[i]; n++) /* each three times */
            fzi_sketch_add(m.sketch, fzi_chance_mix(n % numbers[i] + 1));
        assert_near(fzi_measures_positions(&m), numbers[i], 0.05 * numbers[i]);
    }
}

static void measure(const fz_program *program, const fzi_lines *lines, uint64_t first,
                    uint64_t count, unsigned threads, fzi_measures *m)
{
    fzi_measuring task = {.sample = {.program = program, .seed = 5, .first = first,
                                     .count = count, .threads = threads}, .rollouts = 3};
    uint64_t failed;
    char message[256];

    assert_true(fzi_measures_init(m, program, lines, true, fzi_allocator_default()));
    assert_int_equal(fzi_measure(&task, lines, m, &failed, message), FZ_OK);
}

/* A little hunt, with everything that measures look at. */
static const char game[] =
    "game \"Hunt\"; players A, B; board square(4, 3); piece Man \"M\"; die D { 1, 2, 3 }\n"
    "setup { put Man of A at {a1, b1, c1}; put Man of B at {a3, d3}; }\n"
    "turn { let far = roll(D); choose for from in mine\n"
    "  for to in slide(from, orthogonal, empty, far) - mine => go(from, to); otherwise {} }\n"
    "end { if theirs == {} win me; } limit 40 turns draw;\n";

static void test_parts(void **given)
{
    fz_context *context = rig_context();
    fz_program *program = compiled(context, game);
    fzi_measures whole, parts, part;
    fzi_lines lines;

    (void)given;
    assert_true(fzi_lines_init(&lines, program, fzi_allocator_default()));
    measure(program, &lines, 0, 60, 3, &whole);
    measure(program, &lines, 40, 20, 1, &parts);
    measure(program, &lines, 0, 40, 2, &part);
    assert_true(fzi_measures_merge(&parts, &part));
    assert_int_equal(parts.games, 60);
    assert_memory_equal(parts.sums, whole.sums, sizeof whole.sums);
    for (unsigned i = 0; i < FZ_LISTS; i++)
        assert_memory_equal(parts.lists[i], whole.lists[i],
                            whole.sizes[i] * sizeof *whole.lists[i]);
    assert_memory_equal(parts.sketch, whole.sketch, sizeof whole.sketch);
    assert_memory_equal(parts.contents, whole.contents, whole.sites * sizeof *whole.contents);
    for (unsigned i = 0; i < FZ_COUNTS; i++)
        for (size_t n = 0; n < whole.counts[i].room && n < parts.counts[i].room; n++)
            assert_int_equal(parts.counts[i].of[n], whole.counts[i].of[n]);
    fzi_measures_clear(&whole);
    fzi_measures_clear(&parts);
    fzi_measures_clear(&part);
    fzi_lines_clear(&lines);
    fz_program_release(program);
    fz_context_free(context);
}

static void count_lines(const char *board, uint32_t lines, uint32_t orbits, unsigned symmetries)
{
    fz_context *context = rig_context();
    char text[400];
    fz_program *program;
    fzi_lines l;

    snprintf(text, sizeof text, "game \"Board\"; players A, B; board %s; piece Man \"M\";\n"
             "turn { choose to in empty => put Man of me at to; otherwise draw; }\n", board);
    program = compiled(context, text);
    assert_true(fzi_lines_init(&l, program, fzi_allocator_default()));
    assert_int_equal(l.count, lines);
    assert_int_equal(l.orbits, orbits);
    assert_int_equal(l.symmetries, symmetries);
    fzi_lines_clear(&l);
    fz_program_release(program);
    fz_context_free(context);
}

static void test_lines(void **given)
{
    (void)given;
    count_lines("square(3)", 20, 4, 7);
    count_lines("square(3, 2)", 11, 4, 3);
    count_lines("graph { a1: b1, a2;  b1: c1, b2;  c1: c2;  a2: b2;  b2: c2;  c2: off; }", 7, 3, 3);
    count_lines("graph { a1: b1;  b1: c1, b2;  b2: off;  c1: off; }", 3, 2, 1);
}

/* Slides take all lines on their way, leaps none. */
static void test_ways(void **given)
{
    fz_context *context = rig_context();
    fz_program *program = compiled(context, game);
    uint32_t steps[FZ_MAX_SITES];
    fzi_lines l;

    (void)given;
    assert_true(fzi_lines_init(&l, program, fzi_allocator_default()));
    assert_int_equal(fzi_lines_between(&l, 0, 3, steps), 3); /* a1-d1 */
    assert_int_equal(l.lines[steps[0] / 2].low, 0);
    assert_int_equal(l.lines[steps[2] / 2].high, 3);
    assert_int_equal(steps[0] % 2, 0);
    assert_int_equal(fzi_lines_between(&l, 10, 0, steps), 2); /* c3-a1 */
    assert_int_equal(steps[0] % 2, 1);
    assert_int_equal(l.lines[steps[0] / 2].low, 5);
    assert_int_equal(fzi_lines_between(&l, 0, 9, steps), 0);  /* a1-b3 */
    fzi_lines_clear(&l);
    fz_program_release(program);
    fz_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),  cmocka_unit_test(test_counts), cmocka_unit_test(test_sketch),
        cmocka_unit_test(test_parts), cmocka_unit_test(test_lines),  cmocka_unit_test(test_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
