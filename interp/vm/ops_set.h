/* Sets of sites of FZ_W words, passed by value: with a constant W the compiler keeps one-word sets
 * in registers. Included by files that define FZ_W. */
#ifndef FZ_INTERP_VM_OPS_SET_H
#define FZ_INTERP_VM_OPS_SET_H

#include <stdbool.h>
#include <stdint.h>

#ifndef FZ_W
#error "FZ_W is the number of words of a set"
#endif

#ifdef FZ_NATIVE /* there is much code, and it is waited for */
#define FZ_INLINE static inline __attribute__((unused))
#else
#define FZ_INLINE static inline __attribute__((always_inline, unused))
#endif

/* Small sets are numbers, and what is done with them is shorter than a call. */
#if FZ_W <= 2
#define FZ_OF_SETS static inline __attribute__((always_inline, unused))
#else
#define FZ_OF_SETS FZ_INLINE
#endif

/* Bodies with loops of their own: inside the dispatch loop they would take its registers. */
#define FZ_OUT_OF_LINE static __attribute__((noinline, unused))

typedef struct fzi_set {
    uint64_t w[FZ_W];
} fzi_set;

#define FZI_EACH_WORD(i) for (unsigned i = 0; i < FZ_W; i++)

FZ_OF_SETS fzi_set set_none(void)
{
    return (fzi_set){{0}};
}

FZ_OF_SETS fzi_set set_and(fzi_set a, fzi_set b)
{
    FZI_EACH_WORD(i) a.w[i] &= b.w[i];
    return a;
}

FZ_OF_SETS fzi_set set_or(fzi_set a, fzi_set b)
{
    FZI_EACH_WORD(i) a.w[i] |= b.w[i];
    return a;
}

FZ_OF_SETS fzi_set set_sub(fzi_set a, fzi_set b)
{
    FZI_EACH_WORD(i) a.w[i] &= ~b.w[i];
    return a;
}

FZ_OF_SETS bool set_some(fzi_set a)
{
    uint64_t all = 0;
    FZI_EACH_WORD(i) all |= a.w[i];
    return all != 0;
}

FZ_OF_SETS bool set_meets(fzi_set a, fzi_set b)
{
    return set_some(set_and(a, b));
}

FZ_OF_SETS bool set_equal(fzi_set a, fzi_set b)
{
    uint64_t differ = 0;
    FZI_EACH_WORD(i) differ |= a.w[i] ^ b.w[i];
    return !differ;
}

FZ_OF_SETS uint32_t set_count(fzi_set a)
{
    uint32_t count = 0;
    FZI_EACH_WORD(i) count += (uint32_t)__builtin_popcountll(a.w[i]);
    return count;
}

/* -1: empty. */
FZ_OF_SETS int64_t set_first(fzi_set a)
{
    FZI_EACH_WORD(i) if (a.w[i]) return (int64_t)(i * 64) + __builtin_ctzll(a.w[i]);
    return -1;
}

FZ_OF_SETS int64_t set_last(fzi_set a)
{
    for (unsigned i = FZ_W; i-- > 0;)
        if (a.w[i])
            return (int64_t)(i * 64) + 63 - __builtin_clzll(a.w[i]);
    return -1;
}

/* The only site, else -1. */
FZ_OF_SETS int64_t set_only(fzi_set a)
{
    int64_t only = -1;
    FZI_EACH_WORD(i)
    {
        if (!a.w[i])
            continue;
        if (only >= 0 || (a.w[i] & (a.w[i] - 1)))
            return -1;
        only = (int64_t)(i * 64) + __builtin_ctzll(a.w[i]);
    }
    return only;
}

/* The least site, taken out of the set, which is not empty. */
FZ_OF_SETS int64_t set_take(fzi_set *a)
{
#if FZ_W == 2
    bool high = !a->w[0];
    uint64_t word = high ? a->w[1] : a->w[0], rest = word & (word - 1);
    a->w[0] = high ? 0 : rest;
    a->w[1] = high ? rest : a->w[1];
    return high * 64 + __builtin_ctzll(word);
#endif
    unsigned i = 0;
    while (i + 1 < FZ_W && !a->w[i])
        i++;
    int64_t site = (int64_t)(i * 64) + __builtin_ctzll(a->w[i]);
    a->w[i] &= a->w[i] - 1;
    return site;
}

FZ_OF_SETS bool set_has(const fzi_set *a, uint64_t site)
{
    return a->w[FZ_W == 1 ? 0 : site / 64] >> site % 64 & 1;
}

/* A store of one word would delay the next load of the whole set. Processors with AVX2 have
 * registers for up to four words. */
#if defined(FZ_NATIVE_WIDE) || \
    (defined(FZ_FAST) && !defined(FZ_NATIVE) && (FZ_W == 2 || FZ_W == 4))
typedef uint64_t fzi_vector __attribute__((vector_size(8 * FZ_W), aligned(8), may_alias));

FZ_INLINE fzi_vector set_bit(uint64_t site)
{
    fzi_vector numbers, bit = (fzi_vector){0} + (UINT64_C(1) << site % 64);
    FZI_EACH_WORD(i) numbers[i] = i;
    return bit & (fzi_vector)(numbers == (fzi_vector){0} + site / 64);
}

FZ_INLINE void set_add(fzi_set *a, uint64_t site)
{
    *(fzi_vector *)a |= set_bit(site);
}

FZ_INLINE void set_drop(fzi_set *a, uint64_t site)
{
    *(fzi_vector *)a &= ~set_bit(site);
}

FZ_INLINE void set_add_if(fzi_set *a, uint64_t site, uint64_t on)
{
    *(fzi_vector *)a |= set_bit(site) & ((fzi_vector){0} - on);
}
#elif FZ_W == 2 /* in registers: words that are indexed would be in memory */
FZ_OF_SETS fzi_set set_bit(uint64_t site)
{
    uint64_t bit = UINT64_C(1) << site % 64, high = -(site / 64);
    return (fzi_set){{bit & ~high, bit & high}};
}

FZ_OF_SETS void set_add(fzi_set *a, uint64_t site)
{
    *a = set_or(*a, set_bit(site));
}

FZ_OF_SETS void set_drop(fzi_set *a, uint64_t site)
{
    *a = set_sub(*a, set_bit(site));
}

FZ_OF_SETS void set_add_if(fzi_set *a, uint64_t site, uint64_t on)
{
    fzi_set bit = set_bit(site);
    *a = set_or(*a, (fzi_set){{bit.w[0] & -on, bit.w[1] & -on}});
}
#else
FZ_OF_SETS void set_add(fzi_set *a, uint64_t site)
{
    a->w[FZ_W == 1 ? 0 : site / 64] |= UINT64_C(1) << site % 64;
}

FZ_OF_SETS void set_drop(fzi_set *a, uint64_t site)
{
    a->w[FZ_W == 1 ? 0 : site / 64] &= ~(UINT64_C(1) << site % 64);
}

/* `on`: 1, or 0 to add nothing. */
FZ_OF_SETS void set_add_if(fzi_set *a, uint64_t site, uint64_t on)
{
    a->w[FZ_W == 1 ? 0 : site / 64] |= on << site % 64;
}
#endif

FZ_OF_SETS fzi_set set_one(uint64_t site)
{
    fzi_set set = set_none();
    set_add(&set, site);
    return set;
}

/* All sites moved up, or down, by `by` numbers; by < 64 * FZ_W. Neighbours are near, so whole words
 * rarely move. */
FZ_OF_SETS fzi_set set_up(fzi_set a, unsigned by)
{
    if (FZ_W == 1) {
        a.w[0] <<= by;
        return a;
    }
    unsigned words = by / 64, bits = by % 64;
    if (__builtin_expect(!words && bits, 1)) {
        for (unsigned i = FZ_W - 1; i > 0; i--)
            a.w[i] = a.w[i] << bits | a.w[i - 1] >> (64 - bits);
        a.w[0] <<= bits;
        return a;
    }
    fzi_set out = set_none();
    for (unsigned i = words; i < FZ_W; i++) {
        out.w[i] = a.w[i - words] << bits;
        if (bits && i > words)
            out.w[i] |= a.w[i - words - 1] >> (64 - bits);
    }
    return out;
}

FZ_OF_SETS fzi_set set_down(fzi_set a, unsigned by)
{
    if (FZ_W == 1) {
        a.w[0] >>= by;
        return a;
    }
    unsigned words = by / 64, bits = by % 64;
    if (__builtin_expect(!words && bits, 1)) {
        for (unsigned i = 0; i + 1 < FZ_W; i++)
            a.w[i] = a.w[i] >> bits | a.w[i + 1] << (64 - bits);
        a.w[FZ_W - 1] >>= bits;
        return a;
    }
    fzi_set out = set_none();
    for (unsigned i = 0; i + words < FZ_W; i++) {
        out.w[i] = a.w[i + words] >> bits;
        if (bits && i + words + 1 < FZ_W)
            out.w[i] |= a.w[i + words + 1] << (64 - bits);
    }
    return out;
}

FZ_OF_SETS fzi_set set_moved(fzi_set a, int32_t by)
{
    return by >= 0 ? set_up(a, (unsigned)by) : set_down(a, (unsigned)-by);
}

/* The sites of `valid` from which a step that adds `delta` leads into the set: what goes round
 * the end of a word comes from no valid site. */
FZ_OF_SETS fzi_set set_stepped_back(fzi_set into, int32_t delta, fzi_set valid)
{
#if FZ_W == 1
    unsigned by = (unsigned)delta & 63;
    into.w[0] = into.w[0] >> by | into.w[0] << (-by & 63);
    return set_and(valid, into);
#else
    return set_and(valid, set_moved(into, -delta));
#endif
}

/* Empties a frame's sets. The barrier keeps the compiler from calling for a few words what it would
 * for a page (`rep stos` takes longer than everything else that begins a turn). */
FZ_OF_SETS void set_clear_all(fzi_set *sets, unsigned from, unsigned count)
{
    for (unsigned i = from; i < count; i++) {
        sets[i] = set_none();
        __asm__ volatile("" : : : "memory");
    }
}

FZ_OF_SETS fzi_set set_at(const uint64_t *words)
{
    fzi_set a;
    FZI_EACH_WORD(i) a.w[i] = words[i];
    return a;
}

FZ_OF_SETS void set_write(uint64_t *words, fzi_set a)
{
    FZI_EACH_WORD(i) words[i] = a.w[i];
}

/* Does the set hold some row of the table? */
FZ_OF_SETS bool set_covers(fzi_set set, const uint64_t *rows, uint32_t count)
{
#pragma GCC unroll 4
    for (const uint64_t *end = rows + (size_t)count * FZ_W; rows < end; rows += FZ_W)
        if (!set_some(set_sub(set_at(rows), set)))
            return true;
    return false;
}

#endif
