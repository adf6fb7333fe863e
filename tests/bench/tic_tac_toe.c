/* Tic-tac-toe. Rules: 3x3 cells; the first player moves first; a move places an own mark on any
 * empty cell; three own marks in a row, column or diagonal win at once; a full board without that
 * is a draw. */
#include "bench.h"

/* Each cell counts in up to four of the eight lines, which have four bits each: rows, columns,
 * diagonals from the lowest. A player's marks add up, and a line of 3 shows as bit 2 once 1 is
 * added everywhere. */
static const uint32_t lines_of[9] = {
    0x01001001, 0x00010001, 0x10100001,
    0x00001010, 0x11010010, 0x00100010,
    0x10001100, 0x00010100, 0x01100100,
};

typedef struct {
    uint64_t free;          /* the empty cells, four bits each, in any order */
    uint32_t count;         /* how many */
    uint32_t marks[2];
} position;

static const position start = {0x876543210, 9, {0, 0}};

/* Takes the k-th entry of the list of empty cells; the last one fills the gap. True: that won. */
static inline bool play(position *pos, int mover, uint32_t k)
{
    uint64_t cell = pos->free >> 4 * k & 15, last = pos->free >> 4 * --pos->count & 15;
    pos->free ^= (cell ^ last) << 4 * k;
    pos->marks[mover] += lines_of[cell];
    return (pos->marks[mover] + 0x11111111) & 0x44444444;
}

void bench_tic_tac_toe_playouts(bench_rng *rng, uint64_t count, bench_tally *tally)
{
    bench_rng local = *rng;
    while (count--) {
        position pos = start;
        int result = BENCH_DRAW;
        for (int mover = 0; pos.count; mover ^= 1)
            if (play(&pos, mover, bench_below(&local, pos.count))) {
                result = mover;
                break;
            }
        bench_count(tally, 9 - pos.count, result);
    }
    *rng = local;
}

static uint64_t perft(const position *pos, int mover, int depth)
{
    if (depth == 1)
        return pos->count;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < pos->count; k++) {
        position next = *pos;
        if (!play(&next, mover, k))
            sum += perft(&next, !mover, depth - 1);
    }
    return sum;
}

uint64_t bench_tic_tac_toe_perft(int depth)
{
    return perft(&start, 0, depth);
}
