/* Reversi. Rules: 8x8; d5 and e4 belong to the first player, d4 and e5 to the second; the first
 * player moves first. A move places an own disc on an empty site so that at least one straight
 * line of the opponent's discs is enclosed between it and another own disc; all so enclosed are
 * turned. A player without such a move passes if the opponent has one (a pass counts as a ply);
 * if neither has one the game is over. More discs win; as many is a draw. */
#include "bench.h"

#define FILE_A UINT64_C(0x0101010101010101)
#define INNER (~(FILE_A | FILE_A << 7))

typedef struct {
    uint64_t mine, theirs;      /* of the player to move, and of the other */
} position;

static const position start = {UINT64_C(0x0000000810000000), UINT64_C(0x0000001008000000)};

/* Runs of opponent's discs beginning beside an own disc, both ways along one axis, then one step
 * more. A run has at most six discs: one, doubled to two, then two more twice. `across` are the
 * opponent's discs that a run along this axis may hold without leaving the board. */
static inline uint64_t ends(uint64_t mine, uint64_t across, int step)
{
    uint64_t up = across & mine << step, down = across & mine >> step;
    up |= across & up << step;
    down |= across & down >> step;
    uint64_t up2 = across & across << step, down2 = across & across >> step;
    up |= up2 & up << 2 * step;
    down |= down2 & down >> 2 * step;
    up |= up2 & up << 2 * step;
    down |= down2 & down >> 2 * step;
    return up << step | down >> step;
}

static inline uint64_t placements(const position *pos)
{
    uint64_t inner = pos->theirs & INNER;
    uint64_t all = ends(pos->mine, inner, 1) | ends(pos->mine, inner, 7) |
                   ends(pos->mine, pos->theirs, 8) | ends(pos->mine, inner, 9);
    return all & ~(pos->mine | pos->theirs);
}

/* On each ray the first site that is not the opponent's decides: if it is mine, what lies before
 * it turns. */
static inline uint64_t turned(const bench_rays *rays, const position *pos, uint32_t site)
{
    const uint64_t *ray = rays->from[site];
    uint64_t all = 0;
#pragma GCC unroll 8
    for (int d = 0; d < BENCH_RISING; d++) {
        uint64_t stop = ray[d] & ~pos->theirs;
        uint64_t close = stop & -stop & pos->mine;
        all |= ray[d] & (close - (close != 0));
    }
#pragma GCC unroll 8
    for (int d = BENCH_RISING; d < BENCH_RAYS; d++) {
        uint64_t stop = ray[d] & ~pos->theirs;
        uint64_t close = UINT64_C(1) << 63 >> __builtin_clzll(stop | 1) & stop & pos->mine;
        all |= ray[d] & -(close << 1);
    }
    return all;
}

static inline void pass(position *pos)
{
    uint64_t mine = pos->mine;
    pos->mine = pos->theirs;
    pos->theirs = mine;
}

static inline void place(const bench_rays *rays, position *pos, uint64_t disc)
{
    uint64_t turn = turned(rays, pos, bench_site(disc));
    pos->mine |= disc | turn;
    pos->theirs &= ~turn;
    pass(pos);
}

static int result_of(const position *pos, uint32_t plies)
{
    uint32_t mine = bench_size(pos->mine), theirs = bench_size(pos->theirs);
    if (mine == theirs)
        return BENCH_DRAW;
    return (mine > theirs) == !(plies & 1) ? BENCH_FIRST : BENCH_SECOND;
}

void bench_reversi_playouts(bench_rng *rng, uint64_t count, bench_tally *tally)
{
    bench_rng local = *rng;
    bench_rays rays;
    bench_rays_init(&rays);
    while (count--) {
        position pos = start;
        uint32_t plies = 0;
        for (;;) {
            uint64_t all = placements(&pos);
            if (!all) {
                pass(&pos);
                all = placements(&pos);
                if (!all) {
                    pass(&pos);
                    break;
                }
                plies++;
            }
            place(&rays, &pos, bench_kth(all, bench_below(&local, bench_size(all))));
            plies++;
        }
        bench_count(tally, plies, result_of(&pos, plies));
    }
    *rng = local;
}

static uint64_t perft(const bench_rays *rays, const position *pos, int depth)
{
    uint64_t all = placements(pos), sum = 0;
    if (!all) {
        position next = *pos;
        pass(&next);
        if (!placements(&next))
            return 0;
        return depth == 1 ? 1 : perft(rays, &next, depth - 1);
    }
    if (depth == 1)
        return bench_size(all);
    for (; all; all &= all - 1) {
        position next = *pos;
        place(rays, &next, all & -all);
        sum += perft(rays, &next, depth - 1);
    }
    return sum;
}

uint64_t bench_reversi_perft(int depth)
{
    bench_rays rays;
    bench_rays_init(&rays);
    return perft(&rays, &start, depth);
}
