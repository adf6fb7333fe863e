/* Integers and masks: the bodies of the instructions. Functions that return a bool return
 * false for an error. */
#ifndef FZ_INTERP_VM_OPS_INT_H
#define FZ_INTERP_VM_OPS_INT_H

#include "ops_set.h"
#include "interp/program/program.h"
#include "interp/support/words.h"

/* Results keep to 32 bits. Register values of damaged code may be anything, hence the unsigned
 * sums. */
FZ_INLINE bool int_fits(int64_t value)
{
    return value == (int32_t)value;
}

FZ_INLINE bool op_add(int64_t *a, int64_t b, int64_t c)
{
    *a = (int64_t)((uint64_t)b + (uint64_t)c);
    return int_fits(*a);
}

FZ_INLINE bool op_sub(int64_t *a, int64_t b, int64_t c)
{
    *a = (int64_t)((uint64_t)b - (uint64_t)c);
    return int_fits(*a);
}

FZ_INLINE bool op_mul(int64_t *a, int64_t b, int64_t c)
{
    *a = (int64_t)((uint64_t)b * (uint64_t)c);
    return int_fits(*a);
}

/* Rounded down. c is not 0; -1 has a case of its own, as the least number has no opposite. */
FZ_INLINE int64_t int_div(int64_t b, int64_t c)
{
    if (c == -1)
        return (int64_t)(0 - (uint64_t)b);
    int64_t q = b / c;
    return q - (b % c != 0 && (b < 0) != (c < 0));
}

FZ_INLINE int64_t int_mod(int64_t b, int64_t c)
{
    if (c == -1)
        return 0;
    int64_t r = b % c;
    return r && (r < 0) != (c < 0) ? r + c : r;
}

FZ_INLINE bool op_div(int64_t *a, int64_t b, int64_t c)
{
    if (!c)
        return false;
    *a = int_div(b, c);
    return int_fits(*a);
}

FZ_INLINE bool op_mod(int64_t *a, int64_t b, int64_t c)
{
    if (!c)
        return false;
    *a = int_mod(b, c);
    return true;
}

/* K is at least 1: the verifier sees to it. */
FZ_INLINE int64_t op_cycle(int64_t b, int64_t c, int32_t k)
{
    return b == -1 ? -1 : int_mod(int_mod(b, k) + int_mod(c, k), k);
}

FZ_INLINE bool op_mbit(int64_t *a, int64_t b)
{
    *a = b == -1 ? 0 : (int64_t)(UINT64_C(1) << (b & 63));
    return (uint64_t)(b + 1) <= 64;
}

FZ_INLINE int64_t op_mhas(int64_t b, int64_t c)
{
    return (uint64_t)b < 64 && (uint64_t)c >> b & 1;
}

FZ_INLINE int64_t op_mfirst(int64_t b)
{
    return b ? __builtin_ctzll((uint64_t)b) : -1;
}

FZ_INLINE int64_t op_mlast(int64_t b)
{
    return b ? 63 - __builtin_clzll((uint64_t)b) : -1;
}

FZ_INLINE int64_t op_monly(int64_t b)
{
    uint64_t m = (uint64_t)b;
    return m && !(m & (m - 1)) ? __builtin_ctzll(m) : -1;
}

/* K is 1 .. 64. */
FZ_INLINE int64_t op_mturn(int64_t b, int64_t c, int32_t k)
{
    uint64_t all = k == 64 ? UINT64_MAX : (UINT64_C(1) << k) - 1, m = (uint64_t)b & all;
    unsigned n = (unsigned)int_mod(c, k);
    return (int64_t)(n ? (m << n | m >> ((unsigned)k - n)) & all : m);
}

FZ_INLINE bool op_mrange(int64_t *a, int64_t b, int64_t c)
{
    *a = 0;
    if (c < b)
        return true;
    if (b < 0 || c > 63)
        return false;
    *a = (int64_t)(UINT64_MAX >> (63 - c) & UINT64_MAX << b);
    return true;
}

FZ_INLINE int64_t op_mtake(int64_t *mask)
{
    int64_t least = __builtin_ctzll((uint64_t)*mask);
    *mask = (int64_t)((uint64_t)*mask & ((uint64_t)*mask - 1));
    return least;
}

/* The face that draw `k`, below the sum of the weights, falls on. */
FZ_INLINE int64_t op_roll(const fz_face *face, uint64_t k)
{
    while (k >= face->weight)
        k -= face++->weight;
    return face->value;
}

#endif
