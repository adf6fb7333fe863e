/* Connect four. Rules: 7 columns of 6 cells; the first player moves first; a move drops an own
 * disc into any column that is not full; four own discs in a row, upright, level or slanting, win
 * at once; a full board without that is a draw. */
#include "bench.h"

/* Seven bits a column, lowest cell first; the seventh stays empty and keeps the columns apart. */
#define BOTTOM (UINT64_C(0x0000040810204081))
#define BOARD (BOTTOM * 63)

typedef struct {
    uint64_t mine, theirs;      /* of the player to move, and of the other */
} position;

/* Adding 1 at the bottom of each column carries up to its first empty cell. */
static inline uint64_t landings(const position *pos)
{
    return ((pos->mine | pos->theirs) + BOTTOM) & BOARD;
}

static inline uint64_t four(uint64_t discs, int step)
{
    uint64_t pairs = discs & discs >> step;
    return pairs & pairs >> 2 * step;
}

/* Passes the turn; true: the disc won. */
static inline bool drop(position *pos, uint64_t disc)
{
    uint64_t discs = pos->mine | disc;
    pos->mine = pos->theirs;
    pos->theirs = discs;
    return four(discs, 1) | four(discs, 6) | four(discs, 7) | four(discs, 8);
}

void bench_connect_four_playouts(bench_rng *rng, uint64_t count, bench_tally *tally)
{
    bench_rng local = *rng;
    while (count--) {
        position pos = {0, 0};
        uint64_t open = BOTTOM;
        uint32_t plies = 0;
        int result = BENCH_DRAW;
        do {
            plies++;
            if (drop(&pos, bench_kth(open, bench_below(&local, bench_size(open))))) {
                result = plies & 1 ? BENCH_FIRST : BENCH_SECOND;
                break;
            }
            open = landings(&pos);
        } while (open);
        bench_count(tally, plies, result);
    }
    *rng = local;
}

static uint64_t perft(const position *pos, int depth)
{
    uint64_t open = landings(pos), sum = 0;
    if (depth == 1)
        return bench_size(open);
    for (; open; open &= open - 1) {
        position next = *pos;
        if (!drop(&next, open & -open))
            sum += perft(&next, depth - 1);
    }
    return sum;
}

uint64_t bench_connect_four_perft(int depth)
{
    return perft(&(position){0, 0}, depth);
}
