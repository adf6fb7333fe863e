/* The pieces of a block: the bodies of the instructions that ask about them, put, move and remove
 * them. Sites are checked by the caller. */
#ifndef FZ_INTERP_VM_OPS_PIECES_H
#define FZ_INTERP_VM_OPS_PIECES_H

#include "machine.h"
#include "ops_set.h"

/* The parts of a block. Generated C knows where they lie, and gives a local block a type by which
 * the compiler sees that they lie apart. */
#ifdef FZ_BLOCK_PARTS
FZ_BLOCK_PARTS
#else
#define FZ_BLOCK_OWN(m, block, index) (((fzi_set *)(void *)((block) + (m)->layout.own))[index])
#define FZ_BLOCK_KIND(m, block, index) (((fzi_set *)(void *)((block) + (m)->layout.kinds))[index])
#define FZ_BLOCK_EMPTY(m, block) (*(fzi_set *)(void *)((block) + (m)->layout.empty))
#define FZ_BLOCK_AT(m, block, site) ((block)[(m)->layout.at + (site)])
#define FZ_BLOCK_SET(m, block, cell, index)                                                        \
    (((fzi_set *)(void *)((block) + (cell)->offset))[index])
#define FZ_BLOCK_INT(m, block, cell, index)                                                        \
    (((int32_t *)(void *)((block) + (cell)->offset))[index])
#endif

FZ_INLINE fzi_set *board_own(const fz_machine *m, uint8_t *block, int64_t owner)
{
    uint64_t index = owner < 0 ? m->player_count : (uint64_t)owner;
    return &FZ_BLOCK_OWN(m, block, index);
}

FZ_INLINE fzi_set *board_kind(const fz_machine *m, uint8_t *block, int64_t kind)
{
    return &FZ_BLOCK_KIND(m, block, kind);
}

FZ_INLINE fzi_set board_all(const fz_machine *m)
{
    return set_at(m->all);
}

FZ_INLINE fzi_set board_occupied(const fz_machine *m, uint8_t *block)
{
    if (__builtin_expect(m->player_count == 2, 1))
        return set_or(set_or(*board_own(m, block, 0), *board_own(m, block, 1)),
                      *board_own(m, block, 2));
    fzi_set all = *board_own(m, block, m->player_count);
    for (unsigned p = 0; p < m->player_count; p++)
        all = set_or(all, *board_own(m, block, p));
    return all;
}

FZ_INLINE fzi_set board_of_kind(const fz_machine *m, uint8_t *block, int64_t kind)
{
    return m->layout.kinds ? *board_kind(m, block, kind) : board_occupied(m, block);
}

FZ_INLINE uint8_t board_code(const fz_machine *m, int64_t kind, int64_t owner)
{
    return (uint8_t)(1 + kind * (m->player_count + 1) + owner + 1);
}

FZ_INLINE fzi_set *board_empty(const fz_machine *m, uint8_t *block)
{
    return &FZ_BLOCK_EMPTY(m, block);
}

/* The sites without a piece. */
FZ_INLINE fzi_set board_free(const fz_machine *m, uint8_t *block)
{
    if (__builtin_expect(m->layout.empty != 0, 1))
        return *board_empty(m, block);
    return set_sub(board_all(m), board_occupied(m, block));
}

/* The owner of a site's piece; -1: nobody's, or none. */
FZ_INLINE int64_t board_owner_at(const fz_machine *m, uint8_t *block, uint64_t site)
{
    if (m->layout.at)
        return m->owner_of[FZ_BLOCK_AT(m, block, site)];
    int64_t owner = -1;
    for (unsigned p = 0; p < m->player_count; p++)
        owner += (p + 1) * (int64_t)set_has(board_own(m, block, p), site);
    return owner;
}

/* The kind of a site's piece; -1: there is none. */
FZ_INLINE int64_t board_kind_at(const fz_machine *m, uint8_t *block, uint64_t site)
{
    if (m->layout.at)
        return m->kind_of[FZ_BLOCK_AT(m, block, site)];
    bool some = false;
    for (unsigned p = 0; p <= m->player_count; p++)
        some |= set_has(board_own(m, block, p), site);
    if (!m->layout.kinds)
        return some - 1;
    int64_t kind = -1;
    for (unsigned k = m->kind_count; some && k--;)
        kind = set_has(board_kind(m, block, k), site) ? (int64_t)k : kind;
    return kind;
}

/* Off the sets and `at`, a piece that is there; carried values are the caller's business, and
 * what is said of empty sites. */
FZ_INLINE void board_clear_sets1(const fz_machine *m, uint8_t *block, uint64_t site)
{
    if (m->layout.at) {
        uint8_t code = FZ_BLOCK_AT(m, block, site);
        if (!code)
            return;
        FZ_BLOCK_AT(m, block, site) = 0;
        set_drop(board_own(m, block, m->owner_of[code]), site);
        if (m->layout.kinds && m->kind_of[code] >= 0)
            set_drop(board_kind(m, block, m->kind_of[code]), site);
        return;
    }
    for (unsigned p = 0; p <= m->player_count; p++)
        set_drop(board_own(m, block, p), site);
    if (m->layout.kinds)
        for (unsigned k = 0; k < m->kind_count; k++)
            set_drop(board_kind(m, block, k), site);
}

FZ_INLINE void board_set_sets1(const fz_machine *m, uint8_t *block, uint64_t site, int64_t kind,
                               int64_t owner)
{
    set_add(board_own(m, block, owner), site);
    if (m->layout.kinds)
        set_add(board_kind(m, block, kind), site);
    if (m->layout.at)
        FZ_BLOCK_AT(m, block, site) = board_code(m, kind, owner);
}

FZ_INLINE void board_clear1(const fz_machine *m, uint8_t *block, uint64_t site)
{
    if (m->layout.empty)
        set_add(board_empty(m, block), site);
    board_clear_sets1(m, block, site);
}

/* A piece on a site, instead of what is there. */
FZ_INLINE void board_put1(const fz_machine *m, uint8_t *block, uint64_t site, int64_t kind,
                          int64_t owner)
{
    if (m->layout.empty && set_has(board_empty(m, block), site))
        set_drop(board_empty(m, block), site);
    else
        board_clear_sets1(m, block, site);
    board_set_sets1(m, block, site, kind, owner);
}

FZ_INLINE void board_clear(const fz_machine *m, uint8_t *block, fzi_set sites)
{
    for (unsigned p = 0; p <= m->player_count; p++) {
        fzi_set *own = board_own(m, block, p);
        *own = set_sub(*own, sites);
    }
    if (m->layout.empty)
        *board_empty(m, block) = set_or(*board_empty(m, block), sites);
    if (m->layout.kinds)
        for (unsigned k = 0; k < m->kind_count; k++) {
            fzi_set *of = board_kind(m, block, k);
            *of = set_sub(*of, sites);
        }
    if (m->layout.at)
        while (set_some(sites))
            FZ_BLOCK_AT(m, block, (uint64_t)set_take(&sites)) = 0;
}

FZ_INLINE void board_set(const fz_machine *m, uint8_t *block, fzi_set sites, int64_t kind,
                         int64_t owner)
{
    fzi_set *own = board_own(m, block, owner);
    *own = set_or(*own, sites);
    if (m->layout.empty)
        *board_empty(m, block) = set_sub(*board_empty(m, block), sites);
    if (m->layout.kinds) {
        fzi_set *of = board_kind(m, block, kind);
        *of = set_or(*of, sites);
    }
    if (m->layout.at) {
        uint8_t code = board_code(m, kind, owner);
        while (set_some(sites))
            FZ_BLOCK_AT(m, block, (uint64_t)set_take(&sites)) = code;
    }
}

/* ---- stacks: see stacks.c ---- */

FZ_INLINE const uint8_t *stack_at(const fz_machine *m, const uint8_t *block, uint64_t site)
{
    return block + m->layout.stacks + site * m->layout.stack_size;
}

FZ_INLINE int64_t stack_height(const fz_machine *m, const uint8_t *block, uint64_t site)
{
    return FZ_BLOCK_AT(m, block, site) ? *stack_at(m, block, site) + 1 : 0;
}

/* The code of the piece at a place of a stack, counted from the bottom; 0: there is none. */
FZ_INLINE uint8_t stack_code(const fz_machine *m, const uint8_t *block, uint64_t site,
                            int64_t place)
{
    const uint8_t *under = stack_at(m, block, site);
    if (place < 1 || place > *under + 1)
        return 0;
    return place == *under + 1 ? FZ_BLOCK_AT(m, block, site) : under[place];
}

/* Sets the entry of a site in `at`, which is there, to `code` (0: empty). */
FZ_INLINE void board_recode(const fz_machine *m, uint8_t *block, uint64_t site, uint8_t code)
{
    if (code && m->kind_of[code] >= 0)
        board_put1(m, block, site, m->kind_of[code], m->owner_of[code]);
    else
        board_clear1(m, block, site);
}

/* A move with `at`, whose code on `from` this is. */
FZ_INLINE void board_move_code(const fz_machine *m, uint8_t *block, uint64_t from, uint64_t to,
                               uint8_t code)
{
    int64_t kind = m->kind_of[code];
    if (__builtin_expect(kind < 0, 0)) { /* a phantom, which is no piece */
        board_clear1(m, block, from);
        board_clear1(m, block, to);
        return;
    }
    board_clear_sets1(m, block, to);
    FZ_BLOCK_AT(m, block, from) = 0;
    FZ_BLOCK_AT(m, block, to) = code;
    fzi_set *own = board_own(m, block, m->owner_of[code]);
    set_drop(own, from);
    set_add(own, to);
    if (m->layout.kinds) {
        fzi_set *of = board_kind(m, block, kind);
        set_drop(of, from);
        set_add(of, to);
    }
    if (m->layout.empty) {
        set_add(board_empty(m, block), from);
        set_drop(board_empty(m, block), to);
    }
}

/* The piece on `from` goes to another site and replaces what is there. False: there is none, or it
 * is the same site.
 * Without `at` there is one kind; no branch asks whose piece moves and whether one is captured. */
FZ_INLINE bool board_move(const fz_machine *m, uint8_t *block, uint64_t from, uint64_t to)
{
    if (m->layout.at) {
        uint8_t code = FZ_BLOCK_AT(m, block, from);
        if (!code || from == to)
            return false;
        board_move_code(m, block, from, to, code);
        return true;
    }
    if (from == to || board_kind_at(m, block, from) < 0)
        return false;
    for (unsigned p = 0; p <= m->player_count; p++) {
        fzi_set *own = board_own(m, block, p);
        uint64_t moves = set_has(own, from);
        set_drop(own, from);
        set_drop(own, to);
        set_add_if(own, to, moves);
    }
    if (m->layout.empty) {
        set_add(board_empty(m, block), from);
        set_drop(board_empty(m, block), to);
    }
    return true;
}

/* Returns the number for UNPHANTOM: 0, nothing changed; else 1 + the code (without `at`: 1 +
 * owner's index) before. */
FZ_INLINE int64_t board_phantom(const fz_machine *m, uint8_t *block, uint64_t site, int64_t owner)
{
    fzi_set *own = board_own(m, block, owner);
    if (set_has(own, site))
        return 0;
    set_add(own, site);
    if (m->layout.empty)
        set_drop(board_empty(m, block), site);
    if (m->layout.at) {
        uint8_t old = FZ_BLOCK_AT(m, block, site);
        int64_t kind = old && m->kind_of[old] >= 0 ? m->kind_of[old] : m->kind_count;
        if (old)
            set_drop(board_own(m, block, m->owner_of[old]), site);
        FZ_BLOCK_AT(m, block, site) = board_code(m, kind, owner);
        return 1 + old;
    }
    for (unsigned p = 0; p <= m->player_count; p++)
        if (board_own(m, block, p) != own && set_has(board_own(m, block, p), site)) {
            set_drop(board_own(m, block, p), site);
            return 2 + (int64_t)p;
        }
    return 1;
}

FZ_INLINE void board_unphantom(const fz_machine *m, uint8_t *block, uint64_t site, int64_t was)
{
    if (!was)
        return;
    for (unsigned p = 0; p <= m->player_count; p++)
        set_drop(board_own(m, block, p), site);
    if (m->layout.at) {
        uint8_t old = (uint8_t)(was - 1);
        FZ_BLOCK_AT(m, block, site) = old;
        if (old)
            set_add(board_own(m, block, m->owner_of[old]), site);
        else if (m->layout.empty)
            set_add(board_empty(m, block), site);
    } else if (was >= 2 && was <= 2 + (int64_t)m->player_count) {
        set_add(board_own(m, block, was - 2), site);
    } else if (m->layout.empty) {
        set_add(board_empty(m, block), site);
    }
}

#endif
