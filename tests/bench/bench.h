/* What the hand-written reference playouts share: random numbers, bit tricks, the tally of
 * results.
 *
 * Every reference plays one game at a time by the same discipline, so that the figures bound what
 * an engine with a step by step interface can reach: the legal moves are known, one exact draw
 * picks one of them, the move is made, the end is tested; only then the next draw. Nothing is
 * allocated. bench.c holds the command line and the clock; refs.def lists the games. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

__extension__ typedef unsigned __int128 bench_wide;

/* A counter whose square-like product is folded: 64 good bits per multiplication (the wyrand
 * idea). */
typedef struct {
    uint64_t state;
} bench_rng;

/* Who won, as an index into bench_tally.results. */
enum { BENCH_FIRST, BENCH_SECOND, BENCH_DRAW, BENCH_RESULTS };

typedef struct {
    uint64_t playouts, plies;
    uint64_t plies_squared;             /* sum of squares of the lengths, for their deviation */
    uint64_t results[BENCH_RESULTS];
} bench_tally;

/* `playouts` adds that many playouts to the tally; `perft` counts sequences of `depth` plies.
 * Both use the same generator, so a right count speaks for the playouts too. */
typedef struct {
    const char *name, *title;
    void (*playouts)(bench_rng *rng, uint64_t count, bench_tally *tally);
    uint64_t (*perft)(int depth);
} bench_game;

#define REF(id, name, title)                                                                      \
    void bench_##id##_playouts(bench_rng *rng, uint64_t count, bench_tally *tally);               \
    uint64_t bench_##id##_perft(int depth);
#include "refs.def"
#undef REF

static inline uint64_t bench_next(bench_rng *rng)
{
    rng->state += 0x9e3779b97f4a7c15;
    bench_wide p = (bench_wide)rng->state * (rng->state ^ 0x6a09e667f3bcc909);
    return (uint64_t)(p >> 64) ^ (uint64_t)p;
}

/* Uniform in 0 .. n-1, exactly: the low half of the product tells the few draws that would favour
 * some results (Lemire's method); the division is paid only there. */
static inline uint32_t bench_below(bench_rng *rng, uint32_t n)
{
    bench_wide p = (bench_wide)bench_next(rng) * n;
    if (__builtin_expect((uint64_t)p < n, 0)) {
        uint64_t uneven = -(uint64_t)n % n;
        while ((uint64_t)p < uneven)
            p = (bench_wide)bench_next(rng) * n;
    }
    return (uint32_t)(p >> 64);
}

static inline uint32_t bench_size(uint64_t set)
{
#ifdef __POPCNT__
    return (uint32_t)__builtin_popcountll(set);
#else
    set -= set >> 1 & 0x5555555555555555;
    set = (set & 0x3333333333333333) + (set >> 2 & 0x3333333333333333);
    return (uint32_t)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
#endif
}

/* The site of a set of one site, and the lowest of a larger one. */
static inline uint32_t bench_site(uint64_t set)
{
    return (uint32_t)__builtin_ctzll(set);
}

/* The k-th member, counted from 0, as a set of one site. The set has more than k members. */
static inline uint64_t bench_kth(uint64_t set, uint32_t k)
{
#ifdef __BMI2__
    return _pdep_u64((uint64_t)1 << k, set);
#else
    const uint64_t ones = 0x0101010101010101;
    uint64_t upto = set - (set >> 1 & 0x5555555555555555);
    upto = (upto & 0x3333333333333333) + (upto >> 2 & 0x3333333333333333);
    upto = ((upto + (upto >> 4)) & 0x0f0f0f0f0f0f0f0f) * ones;  /* byte i: members in bytes 0..i */
    uint64_t below = ((k * ones | ones << 7) - upto) >> 7 & ones;   /* byte i: is upto[i] <= k? */
    uint32_t shift = (uint32_t)(below * ones >> 56) * 8;
    k -= (uint32_t)(upto << 8 >> shift & 0xff);
    uint64_t rest = set >> shift << shift;
    while (k--)
        rest &= rest - 1;
    return rest & -rest;
#endif
}

static inline void bench_count(bench_tally *tally, uint32_t plies, int result)
{
    tally->playouts++;
    tally->plies += plies;
    tally->plies_squared += (uint64_t)plies * plies;
    tally->results[result]++;
}

/* The eight rays from each site of an 8x8 board (site = 8 * rank + file), without the site itself.
 * A step adds 1, 7, 8, 9, -9, -8, -7, -1 to the site; so along the first four rays site numbers
 * rise, along the last four they fall, and ray d and ray 7 - d are opposite. */
enum { BENCH_RISING = 4, BENCH_RAYS = 8 };
typedef struct {
    uint64_t from[64][BENCH_RAYS];
} bench_rays;
void bench_rays_init(bench_rays *rays);

#endif
