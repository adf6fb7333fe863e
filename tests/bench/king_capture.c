/* King-capture chess. Rules: orthodox board, set-up and moves (a pawn's first step may be
 * double), but no castling, no en passant and no check: the king may stay or go where it is
 * attacked, and who captures the king wins at once. A pawn that reaches the far rank becomes a
 * queen (king_capture) or, each a move of its own, a queen, rook, bishop or knight
 * (king_capture_4). A draw: 100 plies in a row without a capture or a pawn's move, or a player to
 * move without any move. No repetition rule. */
#include "bench.h"

#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_B (FILE_A << 1)
#define FILE_G (FILE_A << 6)
#define FILE_H (FILE_A << 7)
#define RANK_1 UINT64_C(0xff)
#define RANK_3 (RANK_1 << 16)
#define RANK_6 (RANK_1 << 40)
#define RANK_8 (RANK_1 << 56)

enum { QUIET_LIMIT = 100 };

/* A queen is in DIAGONALS and in ORTHOGONALS. */
enum { PAWNS, KNIGHTS, DIAGONALS, ORTHOGONALS, KINGS, ALL, SETS };

typedef struct {
    uint64_t side[2][SETS];
    uint32_t quiet;         /* plies since the last capture or pawn's move */
} position;

/* Moves are kept as sets of targets, one for each way of moving in which the target tells the
 * origin: sliders on one ray direction never share a target, and a leap or a pawn's step has one
 * origin. */
enum {
    SLIDES,                             /* rays as in bench.h; 0, 2, 5, 7 orthogonal */
    LEAPS = SLIDES + BENCH_RAYS,
    KING_STEPS = LEAPS + 8,
    PAWN_STEPS,                         /* straight, double, towards file a, towards file h */
    WAYS = PAWN_STEPS + 4,
    LESSER = WAYS,                      /* the promoting steps again, for rook, bishop and knight */
    WAYS_4 = WAYS + 3 * 3
};
static const uint8_t promoting[3] = {0, 2, 3};      /* which of the pawn's steps can */

typedef struct {
    uint64_t to[WAYS_4];
    uint32_t size[WAYS_4], total;
} moves;

/* Where a step in ray direction d can arrive, and by how much a set turns left for it; the same
 * for leaps, but from where they can depart. */
static const uint64_t arrive[BENCH_RAYS] = {
    ~FILE_A, ~(FILE_H | RANK_1), ~RANK_1, ~(FILE_A | RANK_1),
    ~(FILE_H | RANK_8), ~RANK_8, ~(FILE_A | RANK_8), ~FILE_H,
};
static const uint8_t ray_turn[BENCH_RAYS] = {1, 7, 8, 9, 55, 56, 57, 63};
static const uint64_t depart[8] = {
    ~(FILE_G | FILE_H | RANK_8), ~(FILE_A | FILE_B | RANK_8),
    ~(FILE_H | RANK_8 | RANK_8 >> 8), ~(FILE_A | RANK_8 | RANK_8 >> 8),
    ~(FILE_A | FILE_B | RANK_1), ~(FILE_G | FILE_H | RANK_1),
    ~(FILE_A | RANK_1 | RANK_1 << 8), ~(FILE_H | RANK_1 | RANK_1 << 8),
};
static const uint8_t leap_turn[8] = {10, 6, 17, 15, 54, 58, 47, 49};

static inline uint64_t turn_left(uint64_t set, uint32_t n)
{
    return set << (n & 63) | set >> (-n & 63);
}

static void setup(position *pos)
{
    static const uint64_t back[SETS] = {[KNIGHTS] = 0x42, [DIAGONALS] = 0x2c, [ORTHOGONALS] = 0x89,
                                        [KINGS] = 0x10};
    memset(pos, 0, sizeof *pos);
    for (int i = 0; i < SETS; i++) {
        pos->side[0][i] = back[i];
        pos->side[1][i] = back[i] << 56;
    }
    pos->side[0][PAWNS] = RANK_1 << 8;
    pos->side[1][PAWNS] = RANK_1 << 48;
    pos->side[0][ALL] = RANK_1 | RANK_1 << 8;
    pos->side[1][ALL] = RANK_1 << 48 | RANK_8;
}

/* The eight ray directions side by side: `run` grows over empty sites by 1, 2 and 4. Rotating
 * instead of shifting makes all eight the same code, and `arrive` stops what would go round the
 * board's edge. Unrolled here and below, constants take the place of the tables also at -O2. */
static inline void slides(const uint64_t *own, uint64_t empty, uint64_t *to)
{
#pragma GCC unroll 8
    for (int d = 0; d < BENCH_RAYS; d++) {
        bool orthogonal = d == 0 || d == 2 || d == 5 || d == 7;
        uint64_t run = own[orthogonal ? ORTHOGONALS : DIAGONALS];
        uint64_t open = empty & arrive[d];
        uint32_t n = ray_turn[d];
        run |= open & turn_left(run, n);
        open &= turn_left(open, n);
        run |= open & turn_left(run, 2 * n);
        open &= turn_left(open, 2 * n);
        run |= open & turn_left(run, 4 * n);
        to[d] = turn_left(run, n) & arrive[d] & ~own[ALL];
    }
}

static inline void leaps(const uint64_t *own, uint64_t *to)
{
#pragma GCC unroll 8
    for (int d = 0; d < 8; d++)
        to[d] = turn_left(own[KNIGHTS] & depart[d], leap_turn[d]) & ~own[ALL];
}

static inline uint64_t king_steps(uint64_t king)
{
    uint64_t row = king | (king << 1 & ~FILE_A) | (king >> 1 & ~FILE_H);
    return row | row << 8 | row >> 8;
}

static inline void pawn_steps(const position *pos, int mover, uint64_t *to)
{
    uint64_t pawns = pos->side[mover][PAWNS], theirs = pos->side[!mover][ALL];
    uint64_t empty = ~(pos->side[mover][ALL] | theirs);
    uint64_t west = pawns & ~FILE_A, east = pawns & ~FILE_H;
    to[0] = (mover ? pawns >> 8 : pawns << 8) & empty;
    to[1] = (mover ? (to[0] & RANK_6) >> 8 : (to[0] & RANK_3) << 8) & empty;
    to[2] = (mover ? west >> 9 : west << 7) & theirs;
    to[3] = (mover ? east >> 7 : east << 9) & theirs;
}

static inline void generate(const position *pos, int mover, bool lesser, moves *m)
{
    const uint64_t *own = pos->side[mover];
    slides(own, ~(own[ALL] | pos->side[!mover][ALL]), m->to + SLIDES);
    leaps(own, m->to + LEAPS);
    m->to[KING_STEPS] = king_steps(own[KINGS]) & ~own[ALL];
    pawn_steps(pos, mover, m->to + PAWN_STEPS);
    m->total = 0;
#pragma GCC unroll 32
    for (int i = 0; i < WAYS; i++) {
        m->size[i] = bench_size(m->to[i]);
        m->total += m->size[i];
    }
    if (lesser && own[PAWNS] & (mover ? RANK_1 << 8 : RANK_8 >> 8))
        for (int i = 0; i < 9; i++) {
            m->to[LESSER + i] = m->to[PAWN_STEPS + promoting[i % 3]] & (mover ? RANK_1 : RANK_8);
            m->size[LESSER + i] = bench_size(m->to[LESSER + i]);
            m->total += m->size[LESSER + i];
        }
}

/* A slider came from the first occupied site behind its target. */
static inline uint64_t slider_behind(const bench_rays *rays, const position *pos, int d,
                                     uint64_t to)
{
    uint64_t met = rays->from[bench_site(to)][BENCH_RAYS - 1 - d] &
                   (pos->side[0][ALL] | pos->side[1][ALL]);
    return d < BENCH_RISING ? UINT64_C(1) << 63 >> __builtin_clzll(met) : met & -met;
}

/* Pawn's step `way` (0..3), backwards. */
static inline uint64_t pawn_behind(int mover, int way, uint64_t to)
{
    static const uint8_t steps[4] = {8, 16, 7, 9}, steps_down[4] = {8, 16, 9, 7};
    return mover ? to << steps_down[way] : to >> steps[way];
}

static inline void promote(uint64_t *own, uint64_t to, int lesser)
{
    static const uint8_t kinds[4][2] = {
        {DIAGONALS, ORTHOGONALS}, {ORTHOGONALS, ORTHOGONALS}, {DIAGONALS, DIAGONALS},
        {KNIGHTS, KNIGHTS},
    };
    own[PAWNS] ^= to;
    own[kinds[lesser][0]] |= to;
    own[kinds[lesser][1]] |= to;
}

/* Plays the k-th move. True: it captured the king. */
static inline bool play(const bench_rays *rays, position *pos, int mover, const moves *m,
                        uint32_t k)
{
    uint64_t *own = pos->side[mover], *other = pos->side[!mover];
    int way = 0, lesser = 0;
    while (k >= m->size[way])
        k -= m->size[way++];
    uint64_t to = bench_kth(m->to[way], k), from;
    if (way < LEAPS) {
        from = slider_behind(rays, pos, way, to);
    } else if (way < KING_STEPS) {
        from = turn_left(to, 64u - leap_turn[way - LEAPS]);
    } else if (way == KING_STEPS) {
        from = own[KINGS];
    } else {
        if (way >= LESSER) {
            lesser = 1 + (way - LESSER) / 3;
            way = PAWN_STEPS + promoting[(way - LESSER) % 3];
        }
        from = pawn_behind(mover, way - PAWN_STEPS, to);
    }
    bool kept = !(to & other[ALL]) && way < PAWN_STEPS;
    pos->quiet = kept ? pos->quiet + 1 : 0;
#pragma GCC unroll 6
    for (int i = 0; i < SETS; i++)
        own[i] ^= own[i] & from ? from | to : 0;
#pragma GCC unroll 6
    for (int i = 0; i < SETS; i++)
        other[i] &= ~to;
    if (own[PAWNS] & to & (mover ? RANK_1 : RANK_8))
        promote(own, to, lesser);
    return !other[KINGS];
}

/* One ply; the result, or BENCH_RESULTS while the game goes on. */
static inline int turn(const bench_rays *rays, position *pos, int mover, bool lesser,
                       bench_rng *rng)
{
    moves m;
    generate(pos, mover, lesser, &m);
    if (__builtin_expect(!m.total, 0))
        return BENCH_DRAW;
    if (play(rays, pos, mover, &m, bench_below(rng, m.total)))
        return mover;
    return pos->quiet == QUIET_LIMIT ? BENCH_DRAW : BENCH_RESULTS;
}

static inline void playouts(bench_rng *rng, uint64_t count, bool lesser, bench_tally *tally)
{
    bench_rng local = *rng;
    bench_rays rays;
    position start, pos;
    bench_rays_init(&rays);
    setup(&start);
    while (count--) {
        pos = start;
        for (uint32_t plies = 1;; plies += 2) {
            int result = turn(&rays, &pos, 0, lesser, &local);
            if (result != BENCH_RESULTS) {
                bench_count(tally, plies, result);
                break;
            }
            result = turn(&rays, &pos, 1, lesser, &local);
            if (result != BENCH_RESULTS) {
                bench_count(tally, plies + 1, result);
                break;
            }
        }
    }
    *rng = local;
}

void bench_king_capture_playouts(bench_rng *rng, uint64_t count, bench_tally *tally)
{
    playouts(rng, count, false, tally);
}

void bench_king_capture_4_playouts(bench_rng *rng, uint64_t count, bench_tally *tally)
{
    playouts(rng, count, true, tally);
}

static uint64_t count_moves(const bench_rays *rays, const position *pos, int mover, bool lesser,
                            int depth)
{
    moves m;
    generate(pos, mover, lesser, &m);
    if (depth == 1)
        return m.total;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < m.total; k++) {
        position next = *pos;
        if (!play(rays, &next, mover, &m, k) && next.quiet < QUIET_LIMIT)
            sum += count_moves(rays, &next, !mover, lesser, depth - 1);
    }
    return sum;
}

static uint64_t perft(bool lesser, int depth)
{
    bench_rays rays;
    position start;
    bench_rays_init(&rays);
    setup(&start);
    return count_moves(&rays, &start, 0, lesser, depth);
}

uint64_t bench_king_capture_perft(int depth)
{
    return perft(false, depth);
}

uint64_t bench_king_capture_4_perft(int depth)
{
    return perft(true, depth);
}
