/* Breakthrough. Rules: 8x8; the first player has all sites of ranks 1 and 2, the second those of
 * ranks 7 and 8; the first player moves first. A pawn moves one site straight ahead to an empty
 * site, or one diagonally ahead to an empty site or onto an opponent's pawn, which is captured.
 * Who brings a pawn to the far rank, or captures the last pawn, wins at once. There are no draws:
 * the foremost pawn can always move diagonally. */
#include "bench.h"

#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H (FILE_A << 7)
#define RANK_1 UINT64_C(0xff)

typedef struct {
    uint64_t pawns[2];
} position;

/* Where the mover's pawns can go: straight, towards file a, towards file h. A pawn's `from`
 * follows. */
typedef struct {
    uint64_t to[3];
    uint32_t size[2], total;
} moves;

static const position start = {{UINT64_C(0xffff), UINT64_C(0xffff) << 48}};

static inline void generate(const position *pos, int mover, moves *m)
{
    uint64_t own = pos->pawns[mover], free = ~(own | pos->pawns[!mover]);
    uint64_t west = own & ~FILE_A, east = own & ~FILE_H;
    m->to[0] = (mover ? own >> 8 : own << 8) & free;
    m->to[1] = (mover ? west >> 9 : west << 7) & ~own;
    m->to[2] = (mover ? east >> 7 : east << 9) & ~own;
    m->size[0] = bench_size(m->to[0]);
    m->size[1] = bench_size(m->to[1]);
    m->total = m->size[0] + m->size[1] + bench_size(m->to[2]);
}

/* Plays the k-th move; true: it won. Which of the three sets holds it is as good as random, so the
 * choice is arithmetic and not a branch. */
static inline bool play(position *pos, int mover, const moves *m, uint32_t k)
{
    uint32_t past0 = 0 - (uint32_t)(k >= m->size[0]);
    uint32_t past1 = 0 - (uint32_t)(k >= m->size[0] + m->size[1]);
    k -= (m->size[0] & past0) + (m->size[1] & past1);
    uint64_t wide0 = (uint64_t)(int32_t)past0, wide1 = (uint64_t)(int32_t)past1;
    uint64_t set = m->to[0] ^ ((m->to[0] ^ m->to[1]) & wide0) ^ ((m->to[1] ^ m->to[2]) & wide1);
    uint64_t to = bench_kth(set, k);
    uint32_t back = mover ? 8 + (past0 & 1) - (past1 & 2) : 8 - (past0 & 1) + (past1 & 2);
    pos->pawns[mover] ^= to | (mover ? to << back : to >> back);
    pos->pawns[!mover] &= ~to;
    return (to & (mover ? RANK_1 : RANK_1 << 56)) || !pos->pawns[!mover];
}

static inline bool turn(position *pos, int mover, bench_rng *rng)
{
    moves m;
    generate(pos, mover, &m);
    return play(pos, mover, &m, bench_below(rng, m.total));
}

void bench_breakthrough_playouts(bench_rng *rng, uint64_t count, bench_tally *tally)
{
    bench_rng local = *rng;
    while (count--) {
        position pos = start;
        for (uint32_t plies = 1;; plies += 2) {
            if (turn(&pos, 0, &local)) {
                bench_count(tally, plies, BENCH_FIRST);
                break;
            }
            if (turn(&pos, 1, &local)) {
                bench_count(tally, plies + 1, BENCH_SECOND);
                break;
            }
        }
    }
    *rng = local;
}

static uint64_t perft(const position *pos, int mover, int depth)
{
    moves m;
    generate(pos, mover, &m);
    if (depth == 1)
        return m.total;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < m.total; k++) {
        position next = *pos;
        if (!play(&next, mover, &m, k))
            sum += perft(&next, !mover, depth - 1);
    }
    return sum;
}

uint64_t bench_breakthrough_perft(int depth)
{
    return perft(&start, 0, depth);
}
