/* Lists of moves, made of segments: an option, its outer bindings, and the innermost bindings in a
 * compact form. The order is that of the language: segments as they were added, bindings ascending.
 * Moves are found by index, walked and taken out without writing them out one by one. */
#ifndef FZ_INTERP_STATE_MOVE_LIST_H
#define FZ_INTERP_STATE_MOVE_LIST_H

#if defined(__BMI2__) && defined(__x86_64__) && !defined(FZ_FAST)
#define FZ_FAST 1
#endif

#include "ferz.h"
#include "interp/program/program.h"
#include "interp/support/context.h"

enum fzi_segment_kind {
    FZ_SEGMENT_ONE, /* all bindings are values */
    FZ_SEGMENT_SET, /* values, then a set of sites */
    FZ_SEGMENT_MASK, /* values, then a mask */
    /* values, then for each of `steps`: what it adds to a site's number, ascending, the sites moved
     * from */
    FZ_SEGMENT_SHIFTS
};

typedef struct fzi_segment {
    uint32_t option;
    uint32_t count;    /* moves left */
    uint32_t data;     /* first of its words in the list */
    uint8_t kind;
    uint8_t values;    /* outer bindings */
    uint8_t steps;
    uint8_t checked;   /* filters of the option, innermost first, that all moves left have passed */
} fzi_segment;

enum { FZ_MAX_GROUPS = 16, FZ_MAX_STEPS = 32 }; /* open at one time; of one segment */

typedef struct fzi_move_list {
    fzi_segment *segments;
    uint64_t *words;
    uint32_t segment_count, segment_capacity;
    uint32_t word_count, word_capacity;
    uint32_t total;        /* moves left in all segments */
    uint32_t limit;        /* most moves */
    uint32_t choice;
    uint32_t verified;     /* pending filters from this index on hold for all moves left */
    uint8_t group_count;
    bool full;             /* the limit of moves was exceeded */
    bool over;             /* the limit of memory was exceeded; neither: memory was short */
    bool answered;         /* a question has found a legal move */
    uint32_t groups[FZ_MAX_GROUPS]; /* first segment of each open group */
    struct fzi_move_list *outer; /* the list that a `can` interrupted */
    fzi_allocator allocator;
    const fz_program *program;
    size_t *memory;        /* bytes that the machine has taken, and its limit */
    size_t memory_limit;
} fzi_move_list;

/* A place in a list, for walking it. */
typedef struct fzi_cursor {
    uint32_t segment;
    int32_t major, minor;  /* the last move given: site, member or from; target */
} fzi_cursor;
#define FZI_CURSOR_AT(index) ((fzi_cursor){(index), -1, -1})

struct fz_moves {
    fz_machine *machine;
    fzi_move_list list;
};

void fzi_move_list_init(fzi_move_list *list, fzi_allocator allocator, const fz_program *program,
                   uint32_t limit, size_t *memory, size_t memory_limit);
void fzi_move_list_free(fzi_move_list *list);
/* one segment more, and so many words */
bool fzi_move_list_reserve(fzi_move_list *list, uint32_t words);

static inline void fzi_move_list_clear(fzi_move_list *list, uint32_t choice)
{
    list->segment_count = list->word_count = list->total = 0;
    list->group_count = 0;
    list->answered = false;
    list->choice = choice;
}

/* Is there room for `count` more moves? If not, the list is full. */
static inline __attribute__((always_inline)) bool fzi_move_list_has_room(fzi_move_list *list,
                                                                         uint32_t count)
{
    if (__builtin_expect(count <= list->limit - list->total, 1))
        return true;
    list->full = true;
    return false;
}

/* The words of a new segment; NULL when there are too many moves or memory is short. */
static inline uint64_t *fzi_move_list_add(fzi_move_list *list, unsigned kind, uint32_t option,
                                          uint32_t count, unsigned values, uint32_t words)
{
    if (__builtin_expect(list->segment_count == list->segment_capacity ||
                             list->word_count + words > list->word_capacity, 0) &&
        !fzi_move_list_reserve(list, words))
        return NULL;
    if (!fzi_move_list_has_room(list, count))
        return NULL;
    fzi_segment *segment = &list->segments[list->segment_count++];
    *segment = (fzi_segment){option, count, list->word_count, (uint8_t)kind, (uint8_t)values, 0, 0};
    list->word_count += words;
    list->total += count;
    return list->words + segment->data;
}

/* ---- bits ---- */

/* The drawn numbers that these functions take are random, and a branch that depends on one is
 * mispredicted half of the time. So they count and compare where others would branch. */

/* Of eight numbers, a byte each, ascending: the first that is more than k. They are below 128. */
static inline __attribute__((always_inline)) unsigned fzi_first_above(uint64_t sums, uint32_t k)
{
    const uint64_t high = UINT64_C(0x8080808080808080);
    return (unsigned)__builtin_ctzll(((sums | high) - (k + 1) * UINT64_C(0x0101010101010101)) &
                                     high) /
           8;
}

/* For each byte, the number of bits in it. */
static inline __attribute__((always_inline)) uint64_t fzi_byte_counts(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/* The lowest eight bits, a byte each. */
static inline __attribute__((always_inline)) uint64_t fzi_byte_spread(uint64_t x)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
#ifdef FZ_FAST
    /* Without <immintrin.h>, which takes longer to read than a small game to compile. */
    return __builtin_ia32_pdep_di(x, ones);
#else
    x = (x & 0xff) * ones & UINT64_C(0x8040201008040201);
    return (x + UINT64_C(0x7f7f7f7f7f7f7f7f)) >> 7 & ones;
#endif
}

/* The place of the k-th lowest bit of x, which has more than k. */
static inline __attribute__((always_inline)) unsigned fzi_bit_select(uint64_t x, unsigned k)
{
#ifdef FZ_FAST
    return (unsigned)__builtin_ctzll(__builtin_ia32_pdep_di(UINT64_C(1) << k, x));
#else
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t sums = fzi_byte_counts(x) * ones;
    unsigned shift = 8 * fzi_first_above(sums, k);
    k -= (unsigned)(sums << 8 >> shift & 0xff);
    return shift + fzi_first_above(fzi_byte_spread(x >> shift) * ones, k);
#endif
}

/* ---- the k-th move ---- */

/* The k-th site of the set, which has more than k. */
static inline __attribute__((always_inline)) uint32_t fzi_words_select(const uint64_t *set,
                                                                       uint32_t k, unsigned words)
{
    uint32_t word = 0, sum = 0, below = 0;
    for (unsigned i = 0; i + 1 < words; i++) {
        uint32_t count = (uint32_t)__builtin_popcountll(set[i]);
        sum += count;
        uint32_t past = -(uint32_t)(k >= sum);
        word -= past;
        below += count & past;
    }
    return word * 64 + fzi_bit_select(set[word], k - below);
}

/* The step of move number k of those that begin on `site`: the steps of a segment ascend. */
static inline __attribute__((always_inline)) unsigned fzi_shifts_step(const uint64_t *words,
                                                                      unsigned steps, unsigned site,
                                                                      uint32_t k, unsigned w)
{
    uint64_t leads = 0; /* which of the steps begin on the site */
    for (unsigned d = 0; d < steps; d++)
        leads |= (words[d * (1 + w) + 1 + (w > 1 ? site / 64 : 0)] >> site % 64 & 1) << d;
    return fzi_bit_select(leads, k);
}

/* The site of a word at which the k-th of its moves begins; `*k` becomes its number there. By
 * halves: `planes` bits say how many moves begin on each site. */
static inline __attribute__((always_inline)) unsigned fzi_planes_place(uint64_t *plane,
                                                                       unsigned planes, uint32_t *k)
{
    unsigned place = 0;
    for (unsigned half = 32; half; half /= 2) {
        uint64_t mask = (UINT64_C(1) << half) - 1;
        uint32_t count = 0;
        for (unsigned i = 0; i < planes; i++)
            count += (uint32_t)__builtin_popcountll(plane[i] & mask) << i;
        uint32_t above = -(uint32_t)(*k >= count);
        *k -= count & above;
        place += half & above;
        for (unsigned i = 0; i < planes; i++)
            plane[i] >>= half & above;
    }
    return place;
}

/* The same by eights, for at most three planes and fewer than 128 moves. */
static inline __attribute__((always_inline)) unsigned fzi_eights_place(const uint64_t *plane,
                                                                       unsigned planes, uint32_t *k)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t sums = 0;
    for (unsigned i = 0; i < planes; i++)
        sums += fzi_byte_counts(plane[i]) << i;
    sums *= ones;
    unsigned shift = 8 * fzi_first_above(sums, *k);
    uint32_t left = *k - (uint32_t)(sums << 8 >> shift & 0xff);
    sums = 0;
    for (unsigned i = 0; i < planes; i++)
        sums += fzi_byte_spread(plane[i] >> shift) << i;
    sums *= ones;
    unsigned site = fzi_first_above(sums, left);
    *k = left - (uint32_t)(sums << 8 >> 8 * site & 0xff);
    return shift + site;
}

/* With so many planes, a number that the compiler knows. `count`: moves of the segment. */
static inline __attribute__((always_inline)) unsigned fzi_place_among(const uint64_t *words,
                                                                      unsigned steps, unsigned w,
                                                                      unsigned planes,
                                                                      uint32_t count, uint32_t *k)
{
    uint64_t plane[6] = {words[1]};
    for (unsigned d = 1; d < steps; d++) {
        uint64_t carry = words[d * (1 + w) + 1];
        for (unsigned i = 0; i < planes; i++) {
            uint64_t sum = plane[i] ^ carry;
            carry &= plane[i];
            plane[i] = sum;
        }
    }
    return planes < 4 && count < 128 ? fzi_eights_place(plane, planes, k)
                                     : fzi_planes_place(plane, planes, k);
}

static inline __attribute__((always_inline)) unsigned fzi_shifts_place(const uint64_t *words,
                                                                       unsigned steps, unsigned w,
                                                                       uint32_t count, uint32_t *k)
{
    return steps < 4   ? fzi_place_among(words, steps, w, 2, count, k)
           : steps < 8 ? fzi_place_among(words, steps, w, 3, count, k)
                       : fzi_place_among(words, steps, w, 6, count, k);
}

#ifdef FZ_FAST
/* Finds the k-th of the moves that begin in a word of the board. All of them are bits of one
 * number: 1 << `lane` bits for each site that begins a move, one for each step. False: too many. */
static inline __attribute__((always_inline)) bool fzi_lanes_select(const uint64_t *words,
                                                                   unsigned steps, unsigned w,
                                                                   unsigned word, uint32_t k,
                                                                   unsigned *from, unsigned *step)
{
    static const uint64_t lowest[] = {UINT64_MAX, UINT64_C(0x5555555555555555),
                                      UINT64_C(0x1111111111111111), UINT64_C(0x0101010101010101)};
    const uint64_t *movers = words + 1 + word;
    unsigned lane = (unsigned)(steps > 1) + (steps > 2) + (steps > 4);
    uint64_t starts = 0, moves = 0;
    for (unsigned d = 0; d < steps; d++)
        starts |= movers[d * (1 + w)];
    if (steps > 8 || (unsigned)__builtin_popcountll(starts) << lane > 64)
        return false;
    for (unsigned d = 0; d < steps; d++)
        moves |= __builtin_ia32_pdep_di(__builtin_ia32_pext_di(movers[d * (1 + w)], starts),
                                        lowest[lane])
                 << d;
    unsigned bit = fzi_bit_select(moves, k);
    *from = word * 64 + fzi_bit_select(starts, bit >> lane);
    *step = bit & ((1u << lane) - 1);
    return true;
}
#endif

/* Where the k-th move begins, and by which step. What a step adds is not read: generated C that
 * knows it keeps the words in registers. */
static inline __attribute__((always_inline)) unsigned fzi_shifts_find(const uint64_t *words,
                                                                      unsigned steps,
                                                                      uint32_t count, uint32_t k,
                                                                      unsigned w, unsigned *step)
{
    uint32_t word = 0, sum = 0, below = 0;
    for (unsigned i = 0; i + 1 < w; i++) {
        uint32_t here = 0;
        for (unsigned d = 0; d < steps; d++)
            here += (uint32_t)__builtin_popcountll(words[d * (1 + w) + 1 + i]);
        sum += here;
        uint32_t past = -(uint32_t)(k >= sum);
        word -= past;
        below += here & past;
    }
    k -= below;
#ifdef FZ_FAST
    unsigned site;
    if (__builtin_expect(fzi_lanes_select(words, steps, w, word, k, &site, step), 1))
        return site;
#endif
    unsigned from = word * 64 + fzi_shifts_place(words + word, steps, w, count, &k);
    *step = fzi_shifts_step(words, steps, from, k, w);
    return from;
}

static inline __attribute__((always_inline)) void
fzi_shifts_select(const uint64_t *words, unsigned steps, uint32_t count, uint32_t k, unsigned w,
                  int32_t *from, int32_t *to)
{
    unsigned step;
    *from = (int32_t)fzi_shifts_find(words, steps, count, k, w, &step);
    *to = *from + (int32_t)words[step * (1 + w)];
}

/* The k-th move of the list, and the segment it is in. */
static inline __attribute__((always_inline)) uint32_t
fzi_move_list_pick(const fzi_move_list *list, uint32_t k, unsigned w, fz_move *move)
{
    const fzi_segment *segment = list->segments;
    while (k >= segment->count)
        k -= segment++->count;
    const uint64_t *words = list->words + segment->data;
    unsigned n = segment->values;
    move->option = segment->option;
    for (unsigned i = 0; i < n; i++)
        move->values[i] = (int32_t)words[i];
    words += n;
    if (segment->kind == FZ_SEGMENT_SET) {
        move->values[n++] = (int32_t)fzi_words_select(words, k, w);
    } else if (segment->kind == FZ_SEGMENT_SHIFTS) {
        fzi_shifts_select(words, segment->steps, segment->count, k, w, &move->values[n],
                          &move->values[n + 1]);
        n += 2;
    } else if (segment->kind == FZ_SEGMENT_MASK) {
        move->values[n++] = (int32_t)fzi_bit_select(*words, k);
    }
    move->count = (uint8_t)n;
    return (uint32_t)(segment - list->segments);
}

/* ---- walking and taking out ---- */

/* The next move; false at the end of the list, or before segment `end`. */
bool fzi_move_list_next(const fzi_move_list *list, fzi_cursor *cursor, uint32_t end, fz_move *move);
/* Where the cursor stands when it has just given the move picked from that segment. */
fzi_cursor fzi_move_list_cursor(const fzi_move_list *list, uint32_t segment, const fz_move *move);
/* Takes out the move that the cursor has just given; puts it back. */
void fzi_move_list_drop(fzi_move_list *list, const fzi_cursor *cursor);
void fzi_move_list_put_back(fzi_move_list *list, const fzi_cursor *cursor);
/* Where the move is; the first segment that has it. UINT32_MAX: nowhere. */
uint32_t fzi_move_list_find(const fzi_move_list *list, const fz_move *move);
/* Moves left in the segments first .. end - 1. */
uint32_t fzi_move_list_count(const fzi_move_list *list, uint32_t first, uint32_t end);

#endif
