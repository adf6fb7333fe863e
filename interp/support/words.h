/* Sets of sites as arrays of machine words, for code that does not know W. Every function takes the
 * number of words; where a caller passes a constant, the compiler makes the loop disappear. */
#ifndef FZ_INTERP_SUPPORT_WORDS_H
#define FZ_INTERP_SUPPORT_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A mask of 64 bits in two ints, low half first. */
static inline int64_t fzi_mask_get(const int32_t *at)
{
    return (int64_t)((uint64_t)(uint32_t)at[0] | (uint64_t)(uint32_t)at[1] << 32);
}

static inline void fzi_mask_put(int32_t *at, int64_t mask)
{
    at[0] = (int32_t)mask;
    at[1] = (int32_t)((uint64_t)mask >> 32);
}

static inline bool fzi_words_has(const uint64_t *set, unsigned site)
{
    return set[site / 64] >> site % 64 & 1;
}

static inline void fzi_words_remove(uint64_t *set, unsigned site)
{
    set[site / 64] &= ~(UINT64_C(1) << site % 64);
}

static inline void fzi_words_add(uint64_t *set, unsigned site)
{
    set[site / 64] |= UINT64_C(1) << site % 64;
}

static inline void fzi_words_drop(uint64_t *set, unsigned site)
{
    set[site / 64] &= ~(UINT64_C(1) << site % 64);
}

static inline void fzi_words_clear(uint64_t *set, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        set[i] = 0;
}

static inline void fzi_words_copy(uint64_t *out, const uint64_t *set, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        out[i] = set[i];
}

static inline bool fzi_words_empty(const uint64_t *set, unsigned words)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < words; i++)
        all |= set[i];
    return !all;
}

/* -1: the set is empty. */
static inline int fzi_words_lowest(const uint64_t *set, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        if (set[i])
            return (int)(i * 64) + __builtin_ctzll(set[i]);
    return -1;
}

static inline int fzi_words_highest(const uint64_t *set, unsigned words)
{
    for (unsigned i = words; i-- > 0;)
        if (set[i])
            return (int)(i * 64) + 63 - __builtin_clzll(set[i]);
    return -1;
}

/* Loops over the sites of a set, ascending; `site` is declared by the macro. */
#define FZI_FOR_SITES(site, set, words)                                                           \
    for (unsigned site##_word = 0; site##_word < (words); site##_word++)                          \
        for (uint64_t site##_rest = (set)[site##_word]; site##_rest;                              \
             site##_rest &= site##_rest - 1)                                                      \
            for (unsigned site##_once = 1, site = site##_word * 64 +                              \
                     (unsigned)__builtin_ctzll(site##_rest); site##_once; site##_once = 0)

#endif
