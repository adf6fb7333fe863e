/* The store of positions: every row gets its number, whatever bits come to differ later, and comes
 * back as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "interp/solve/solve.h"
#include "interp/support/chance.h"

enum { ROWS = 9000, WORDS = 12 };

typedef struct rows {
    uint64_t words[ROWS][WORDS];
    uint32_t lengths[ROWS];
} rows;

/* Rows differ in more bits the later they come, and some are longer. Row 4000 differs in all. */
static void fill(rows *r)
{
    uint64_t key = fzi_chance_key(9, 9), counter = 0;

    for (uint32_t i = 0; i < ROWS; i++) {
        r->lengths[i] = i < 100 ? 4 : 4 + fzi_chance_below(key, &counter, WORDS - 3);
        for (uint32_t w = 0; w < r->lengths[i]; w++) {
            uint64_t word = UINT64_C(0x0123456789abcdef) * (w + 1);
            unsigned bits = 1 + i / 600;
            word ^= (fzi_chance_at(key, counter++) & ((UINT64_C(1) << bits) - 1)) << 7 * w % 40;
            r->words[i][w] = i == 4000 ? ~word : word;
        }
        r->words[i][0] ^= (uint64_t)i << 20; /* no two are equal */
    }
}

static void test_store(void **given)
{
    rows *r = calloc(1, sizeof *r);
    size_t memory = 0;
    fzi_store store;
    uint32_t number;
    uint64_t row[WORDS];

    (void)given;
    fill(r);
    fzi_store_init(&store, fzi_allocator_default(), &memory, SIZE_MAX);
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_int_equal(fzi_store_find(&store, r->words[i], r->lengths[i]), UINT32_MAX);
        assert_int_equal(fzi_store_add(&store, r->words[i], r->lengths[i], &number), FZ_OK);
        assert_int_equal(number, i);
        assert_int_equal(fzi_store_add(&store, r->words[i / 2], r->lengths[i / 2], &number),
                         FZ_OK);
        assert_int_equal(number, i / 2);
    }
    assert_int_equal(store.words, WORDS);
    for (uint32_t i = 0; i < ROWS; i++) {
        assert_int_equal(fzi_store_find(&store, r->words[i], r->lengths[i]), i);
        fzi_store_get(&store, i, row);
        assert_memory_equal(row, r->words[i], sizeof row);
    }
    assert_true(memory > 0);
    fzi_store_clear(&store);
    free(r);
}

/* Rows that differ in few bits take few bytes; memory ends with a status. */
static void test_memory(void **given)
{
    size_t memory = 0;
    fzi_store store;
    uint32_t number;
    uint64_t row[WORDS] = {0};
    fz_status status = FZ_OK;

    (void)given;
    fzi_store_init(&store, fzi_allocator_default(), &memory, 1 << 20);
    for (row[3] = 0; row[3] < 1 << 20 && status == FZ_OK; row[3]++)
        status = fzi_store_add(&store, row, WORDS, &number);
    assert_int_equal(status, FZ_RUNTIME);
    assert_true(memory <= 1 << 20);
    assert_true(store.count > 90000); /* 17 bits and a slot of 4 bytes */
    fzi_store_clear(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_store),
                                       cmocka_unit_test(test_memory)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
