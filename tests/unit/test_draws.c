/* The k-th move of sets and of shifts, against lists that are written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "interp/state/move_list.h"
#include "interp/support/chance.h"
#include "interp/support/words.h"

enum { ROUNDS = 40 };

/* A word with few or many bits, none or all of them. */
static uint64_t some_word(uint64_t *counter)
{
    uint64_t a = fzi_chance_mix((*counter)++), b = fzi_chance_mix((*counter)++);
    switch (*counter / 2 % 5) {
    case 0: return a;
    case 1: return a & b & b >> 7;
    case 2: return a | b;
    case 3: return 0;
    default: return UINT64_MAX;
    }
}

static void test_sets(void **given)
{
    uint64_t counter = 0;

    (void)given;
    for (unsigned words = 1; words <= FZ_MAX_WORDS; words++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint64_t set[FZ_MAX_WORDS];
            uint32_t k = 0;
            for (unsigned i = 0; i < words; i++)
                set[i] = some_word(&counter);
            FZI_FOR_SITES(site, set, words)
                assert_int_equal(fzi_words_select(set, k++, words), site);
        }
}

/* The moves ascend by site, then by step. */
static void test_shifts(void **given)
{
    uint64_t counter = 1;

    (void)given;
    for (unsigned words = 1; words <= 4; words++)
        for (unsigned round = 0; round < 8 * ROUNDS; round++) {
            uint64_t entries[FZ_MAX_STEPS * 5];
            unsigned steps = 1 + round % FZ_MAX_STEPS;
            uint32_t count = 0, k = 0;
            uint64_t mask = some_word(&counter) & some_word(&counter); /* often of few sites */
            for (unsigned d = 0; d < steps; d++) {
                uint64_t *entry = entries + d * (1 + words);
                *entry = (uint64_t)(int64_t)((int)d - 5);
                for (unsigned i = 1; i <= words; i++) {
                    entry[i] = some_word(&counter) & some_word(&counter) & mask;
                    count += (uint32_t)__builtin_popcountll(entry[i]);
                }
            }
            for (unsigned site = 0; site < 64 * words; site++)
                for (unsigned d = 0; d < steps; d++) {
                    int32_t from, to;
                    if (!fzi_words_has(entries + d * (1 + words) + 1, site))
                        continue;
                    fzi_shifts_select(entries, steps, count, k++, words, &from, &to);
                    assert_int_equal(from, site);
                    assert_int_equal(to, (int)site + (int)d - 5);
                }
            assert_int_equal(k, count);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_shifts),
    };

    return cmocka_run_group_tests_name("draws", tests, NULL, NULL);
}
