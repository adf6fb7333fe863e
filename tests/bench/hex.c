/* Hex. Rules: a rhombus of 11x11 hexagons, no swap; the first player moves first; a move places
 * an own stone on any empty site. The first player wins at once on connecting row 1 with row 11,
 * the second on connecting column 1 with column 11. There are no draws. */
#include "bench.h"

enum { SIDE = 11, SITES = SIDE * SIDE };

typedef struct {
    uint64_t word[2];
} sites;

/* A site is row * 11 + column; its neighbours differ by (0,1), (1,0), (1,-1) and their
 * opposites. */
typedef struct {
    sites near[SITES];
    sites goal[2];              /* the far edge of each player */
} board;

/* `reached` are the stones connected to the player's near edge. `hot` is where a stone would be:
 * the near edge and the neighbours of what is reached. A stone elsewhere connects nothing and
 * costs nothing. */
typedef struct {
    sites own[2], reached[2], hot[2];
    uint8_t free[SITES];        /* the empty sites, in any order */
    uint32_t count;             /* how many */
} position;

static inline void add(sites *set, uint32_t site)
{
    set->word[site >> 6] |= (uint64_t)1 << (site & 63);
}

static inline bool has(const sites *set, uint32_t site)
{
    return set->word[site >> 6] >> (site & 63) & 1;
}

static void setup(board *b, position *pos)
{
    static const int8_t steps[6][2] = {{0, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}};
    memset(b, 0, sizeof *b);
    memset(pos, 0, sizeof *pos);
    for (int site = 0; site < SITES; site++) {
        for (int d = 0; d < 6; d++) {
            int row = site / SIDE + steps[d][0], column = site % SIDE + steps[d][1];
            if (row >= 0 && row < SIDE && column >= 0 && column < SIDE)
                add(&b->near[site], (uint32_t)(row * SIDE + column));
        }
        pos->free[pos->count++] = (uint8_t)site;
    }
    for (uint32_t i = 0; i < SIDE; i++) {
        add(&pos->hot[0], i);
        add(&pos->hot[1], i * SIDE);
        add(&b->goal[0], (SIDE - 1) * SIDE + i);
        add(&b->goal[1], i * SIDE + SIDE - 1);
    }
}

/* The stones joined to `site`, and all they bring with them, are reached now. True: so is the far
 * edge. */
static bool reach(const board *b, position *pos, int mover, uint32_t site)
{
    sites own = pos->own[mover], reached = pos->reached[mover], hot = pos->hot[mover];
    sites next = {{0, 0}};
    add(&next, site);
    do {
        int w = !next.word[0];
        uint32_t at = bench_site(next.word[w]) + 64 * (uint32_t)w;
        next.word[w] &= next.word[w] - 1;
        add(&reached, at);
        for (w = 0; w < 2; w++) {
            hot.word[w] |= b->near[at].word[w];
            next.word[w] |= b->near[at].word[w] & own.word[w] & ~reached.word[w];
        }
    } while (next.word[0] | next.word[1]);
    pos->reached[mover] = reached;
    pos->hot[mover] = hot;
    const sites *goal = &b->goal[mover];
    return (reached.word[0] & goal->word[0]) | (reached.word[1] & goal->word[1]);
}

static inline bool place(const board *b, position *pos, int mover, uint32_t k)
{
    uint32_t site = pos->free[k];
    pos->free[k] = pos->free[--pos->count];
    add(&pos->own[mover], site);
    return has(&pos->hot[mover], site) && reach(b, pos, mover, site);
}

void bench_hex_playouts(bench_rng *rng, uint64_t count, bench_tally *tally)
{
    bench_rng local = *rng;
    board b;
    position first, pos;
    setup(&b, &first);
    while (count--) {
        pos = first;
        int mover = 0;
        while (!place(&b, &pos, mover, bench_below(&local, pos.count)))
            mover ^= 1;
        bench_count(tally, SITES - pos.count, mover);
    }
    *rng = local;
}

static uint64_t perft(const board *b, const position *pos, int mover, int depth)
{
    if (depth == 1)
        return pos->count;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < pos->count; k++) {
        position next = *pos;
        if (!place(b, &next, mover, k))
            sum += perft(b, &next, !mover, depth - 1);
    }
    return sum;
}

uint64_t bench_hex_perft(int depth)
{
    board b;
    position first;
    setup(&b, &first);
    return perft(&b, &first, 0, depth);
}
