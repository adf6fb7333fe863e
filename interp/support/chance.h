/* Random numbers: a counter-based generator, so that a number is a function of seed, stream and its
 * place in the stream, and a playout can be run again alone. The games of all seeds depend on every
 * line of this file: it does not change (docs/design.md, Chance). */
#ifndef FZ_INTERP_SUPPORT_CHANCE_H
#define FZ_INTERP_SUPPORT_CHANCE_H

#include <stdint.h>

#include "interp/ferz_tools.h"

/* A bijection of 64 bits in which every bit of the result depends on all of `x`. */
static inline uint64_t fzi_chance_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

/* The part of a key that all streams of a seed have in common. */
static inline uint64_t fzi_chance_seed(uint64_t seed)
{
    return fzi_chance_mix(seed + UINT64_C(0x9e3779b97f4a7c15));
}

static inline uint64_t fzi_chance_stream(uint64_t mixed, uint64_t stream)
{
    return fzi_chance_mix(mixed ^ (stream + 1) * UINT64_C(0xa0761d6478bd642f));
}

static inline uint64_t fzi_chance_key(uint64_t seed, uint64_t stream)
{
    return fzi_chance_stream(fzi_chance_seed(seed), stream);
}

/* The 32 bits at place `counter` of the stream: a Weyl sequence, begun at the key, times the same
 * with the key mixed in again, so that streams whose sequences overlap differ. The middle bits of
 * the product depend on all others. */
static inline uint32_t fzi_chance_at(uint64_t key, uint64_t counter)
{
    uint64_t x = key + (counter + 1) * UINT64_C(0x9e3779b97f4a7c15);
    fz_uint128 product = (fz_uint128)x * (x ^ (key >> 32 | key << 32));
    return (uint32_t)((uint64_t)(product >> 64) ^ (uint64_t)product >> 32);
}

/* A number of 0 .. n - 1, each exactly as likely; 0 < n <= 2^32. The low half of the product tells
 * the draws that would favour some results (Lemire's method); they are drawn again. */
static inline uint32_t fzi_chance_below(uint64_t key, uint64_t *counter, uint64_t n)
{
    uint64_t product = n * fzi_chance_at(key, (*counter)++);
    if ((uint32_t)product < n && n <= UINT32_MAX) {
        uint32_t least = (uint32_t)(-(uint32_t)n % (uint32_t)n);
        while ((uint32_t)product < least)
            product = n * fzi_chance_at(key, (*counter)++);
    }
    return (uint32_t)(product >> 32);
}

#endif
