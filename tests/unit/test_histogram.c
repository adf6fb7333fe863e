/* Histograms: the same bins in whatever order the numbers and the parts are added. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "interp/measures/histogram.h"
#include "interp/support/chance.h"

enum { NUMBERS = 500 };

static int64_t down(int64_t number, int64_t by)
{
    return number / by - (number % by < 0);
}

/* By the definition: the least width for which there are enough bins. */
static void assert_bins(const fzi_histogram *h, const int64_t *numbers, size_t count)
{
    int64_t low = numbers[0], high = numbers[0], width = 1;
    uint64_t total = 0;

    for (size_t i = 0; i < count; i++) {
        low = numbers[i] < low ? numbers[i] : low;
        high = numbers[i] > high ? numbers[i] : high;
    }
    while ((uint64_t)down(high, width) - (uint64_t)down(low, width) >= FZI_BINS)
        width *= 10;
    assert_true(h->width == width);
    assert_true(h->first == down(low, width));
    assert_true((uint64_t)h->count == (uint64_t)(down(high, width) - down(low, width)) + 1);
    for (size_t bin = 0; bin < h->count; bin++) {
        uint64_t times = 0;
        for (size_t i = 0; i < count; i++)
            times += down(numbers[i], width) == h->first + (int64_t)bin;
        assert_true(h->bins[bin] == times);
        total += times;
    }
    assert_int_equal(total, count);
}

/* Numbers of `bits` bits around `middle`. */
static void draw(int64_t *numbers, uint64_t seed, unsigned bits, int64_t middle)
{
    uint64_t counter = 0;

    for (size_t i = 0; i < NUMBERS; i++) {
        uint64_t high = fzi_chance_at(seed, counter++), low = fzi_chance_at(seed, counter++);
        uint64_t number = (high << 32 | low) >> (64 - bits);
        numbers[i] = (int64_t)(number + (uint64_t)middle - ((uint64_t)1 << (bits - 1)));
    }
}

static void test_order_and_parts(void **given)
{
    static const struct {
        unsigned bits;
        int64_t middle;
    } rows[] = {{1, 0}, {4, 0}, {11, -3}, {12, 0}, {13, 2000}, {13, -7}, {20, 0}, {40, 12345},
                {50, -1}, {64, 0}};
    static fzi_histogram whole, back, parts[3], joined;
    int64_t numbers[NUMBERS];

    (void)given;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        memset(&whole, 0, sizeof whole);
        back = joined = whole;
        memset(parts, 0, sizeof parts);
        draw(numbers, r + 1, rows[r].bits, rows[r].middle);
        for (size_t i = 0; i < NUMBERS; i++) {
            fzi_histogram_add(&whole, numbers[i], 1);
            fzi_histogram_add(&back, numbers[NUMBERS - 1 - i], 1);
            fzi_histogram_add(&parts[i < 3 ? 0 : 1], numbers[i], 1); /* the third has none */
        }
        assert_bins(&whole, numbers, NUMBERS);
        assert_memory_equal(&whole, &back, sizeof whole);
        for (unsigned k = 0; k < 3; k++)
            fzi_histogram_merge(&joined, &parts[k]);
        assert_memory_equal(&whole, &joined, sizeof whole);
        fzi_histogram_merge(&parts[2], &parts[1]);
        fzi_histogram_merge(&parts[2], &parts[0]);
        assert_memory_equal(&whole, &parts[2], sizeof whole);
    }
}

static void test_extremes(void **given)
{
    static fzi_histogram one, other, both;
    const int64_t numbers[] = {INT64_MIN, INT64_MAX, 0, -1, INT64_MIN + 9, INT64_MAX - 9};

    (void)given;
    for (size_t i = 0; i < 6; i++) {
        fzi_histogram_add(&both, numbers[i], 1);
        fzi_histogram_add(i < 3 ? &one : &other, numbers[i], 1);
    }
    assert_bins(&both, numbers, 6);
    fzi_histogram_merge(&one, &other);
    assert_memory_equal(&one, &both, sizeof one);
    fzi_histogram_add(&both, 5, 0);
    assert_memory_equal(&one, &both, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_parts),
        cmocka_unit_test(test_extremes),
    };

    return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
