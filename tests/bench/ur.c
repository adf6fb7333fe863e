/* The Royal Game of Ur. Rules: each player takes seven pieces along a course of fourteen squares,
 * of which the fifth to the twelfth are the same for both. A turn is a throw of four lots, each 0
 * or 1; its sum is how far one piece must go, or enter: to a square without an own piece, and not
 * onto an enemy on the eighth. An enemy that is met starts again. A piece leaves by exactly one
 * step more than is left. A throw of 0, or one that no piece can use, passes. Whoever comes to the
 * fourth, eighth or fourteenth square has the next turn too. Whoever has brought all pieces home
 * first wins. All turns count, also those without a move. */
#include "bench.h"

enum { PIECES = 7, MAX_TURNS = 5000 };

/* Bit n is the n-th square; bit 0 is set where there is a piece to enter, bit 15 is home. */
#define SQUARE(n) ((uint64_t)1 << (n))
static const uint64_t ahead = 0xfffe, rosettes = SQUARE(4) | SQUARE(8) | SQUARE(14),
                      safe = SQUARE(8), shared = 0x1fe0, home = SQUARE(15);
static const uint8_t throws[16] = {0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4};

typedef struct {
    uint64_t men;           /* on the course; bit 0 is never set */
    uint32_t waiting, left; /* to enter; to bring home */
} side;

/* Where the side's pieces may go by that throw. */
static inline uint64_t targets(const side *mine, const side *theirs, unsigned thrown)
{
    uint64_t from = mine->men | (mine->waiting != 0);
    return (from << thrown) & ahead & ~mine->men & ~(theirs->men & safe);
}

/* True: the same player has the next turn too. */
static inline bool play(side *mine, side *theirs, unsigned thrown, uint64_t to)
{
    uint64_t from = to >> thrown, met = theirs->men & to & shared;
    mine->waiting -= from & 1;
    mine->left -= to == home;
    mine->men = (mine->men & ~from) | (to & ~home);
    theirs->men &= ~met;
    theirs->waiting += met != 0;
    return to & rosettes;
}

void bench_ur_playouts(bench_rng *rng, uint64_t count, bench_tally *tally)
{
    bench_rng local = *rng;
    while (count--) {
        side sides[2] = {{0, PIECES, PIECES}, {0, PIECES, PIECES}};
        uint32_t turns = 0;
        int mover = 0, result = BENCH_DRAW;
        while (turns < MAX_TURNS) {
            side *mine = &sides[mover], *theirs = &sides[!mover];
            unsigned thrown = throws[bench_next(&local) >> 60];
            uint64_t to = thrown ? targets(mine, theirs, thrown) : 0;
            bool again = false;
            turns++;
            if (to) {
                if (to & (to - 1))
                    to = bench_kth(to, bench_below(&local, bench_size(to)));
                again = play(mine, theirs, thrown, to);
                if (!mine->left) {
                    result = mover;
                    break;
                }
            }
            mover ^= !again;
        }
        bench_count(tally, turns, result);
    }
    *rng = local;
}

static uint64_t perft(const side *mine, const side *theirs, int depth);

static uint64_t perft_throw(const side *mine, const side *theirs, unsigned thrown, int depth)
{
    uint64_t to = thrown ? targets(mine, theirs, thrown) : 0, sum = 0;
    if (!to)
        return perft(theirs, mine, depth - 1);
    for (; to; to &= to - 1) {
        side me = *mine, other = *theirs;
        bool again = play(&me, &other, thrown, to & -to);
        if (!me.left)
            sum += depth == 1;
        else
            sum += again ? perft(&me, &other, depth - 1) : perft(&other, &me, depth - 1);
    }
    return sum;
}

static uint64_t perft(const side *mine, const side *theirs, int depth)
{
    uint64_t sum = 0;
    if (!depth)
        return 1;
    for (unsigned thrown = 0; thrown <= 4; thrown++)
        sum += perft_throw(mine, theirs, thrown, depth);
    return sum;
}

uint64_t bench_ur_perft(int depth)
{
    side white = {0, PIECES, PIECES}, black = white;
    return perft(&white, &black, depth);
}
