/* Gomoku, free style. Rules: 15x15; the first player moves first; a move places an own stone on
 * any empty site; five or more own stones in a row, in any of the four directions, win at once; a
 * full board without that is a draw. */
#include "bench.h"

enum { SIDE = 15, SITES = SIDE * SIDE };

/* Where the lines of each direction begin among the lines of a player: rows, columns, both
 * slants. */
enum { ROWS, COLUMNS = SIDE, SLANTS = 2 * SIDE, COUNTER_SLANTS = 4 * SIDE, LINES = 6 * SIDE };

/* A site is row * 16 + column. A line is a word with one bit for each of its sites. */
typedef struct {
    uint16_t lines[2][LINES];
    uint8_t free[SITES];        /* the empty sites, in any order */
    uint32_t count;             /* how many */
} position;

static void setup(position *pos)
{
    memset(pos, 0, sizeof *pos);
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            pos->free[pos->count++] = (uint8_t)(row * 16 + column);
}

static inline uint64_t mark(uint16_t *line, uint32_t at)
{
    return *line = (uint16_t)(*line | 1u << at);
}

/* Only the four lines through the stone are looked at, side by side in one word: bit 15 of each is
 * empty, so no run crosses from one to the next. */
static inline bool place(position *pos, int mover, uint32_t k)
{
    uint32_t site = pos->free[k], row = site >> 4, column = site & 15;
    pos->free[k] = pos->free[--pos->count];
    uint16_t *lines = pos->lines[mover];
    uint64_t run = mark(lines + ROWS + row, column) | mark(lines + COLUMNS + column, row) << 16 |
                   mark(lines + SLANTS + SIDE - 1 + row - column, column) << 32 |
                   mark(lines + COUNTER_SLANTS + row + column, column) << 48;
    uint64_t two = run & run >> 1, four = two & two >> 2;
    return four & run >> 4;
}

void bench_gomoku_playouts(bench_rng *rng, uint64_t count, bench_tally *tally)
{
    bench_rng local = *rng;
    position first, pos;
    setup(&first);
    while (count--) {
        pos = first;
        int result = BENCH_DRAW;
        for (int mover = 0; pos.count; mover ^= 1)
            if (place(&pos, mover, bench_below(&local, pos.count))) {
                result = mover;
                break;
            }
        bench_count(tally, SITES - pos.count, result);
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
        if (!place(&next, mover, k))
            sum += perft(&next, !mover, depth - 1);
    }
    return sum;
}

uint64_t bench_gomoku_perft(int depth)
{
    position first;
    setup(&first);
    return perft(&first, 0, depth);
}
