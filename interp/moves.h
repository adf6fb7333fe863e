/* Lists of moves as segments: an option, its outer bindings and a compact form of the innermost
 * ones. The order is the language's: segments as they were added, bindings ascending inside. Moves
 * are found by index, walked, and taken out; nothing is written out one by one unless asked for. */
#ifndef FZ_INTERP_MOVES_H
#define FZ_INTERP_MOVES_H

#if defined(__BMI2__) && defined(__x86_64__) && !defined(FZ_FAST)
#define FZ_FAST 1
#endif

#include "context.h"
#include "ferz.h"
#include "program.h"

enum fzi_segment_kind {
    FZ_SEGMENT_ONE, /* all bindings are values */
    FZ_SEGMENT_SET, /* values, then a set of sites */
    FZ_SEGMENT_MASK, /* values, then a mask */
    FZ_SEGMENT_SHIFTS /* values, then for each of `steps`: what it adds to a site's number, the
                         sites moved from */
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

typedef struct fzi_list {
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
    bool over;             /* the limit of memory was; neither: memory was short */
    uint32_t groups[FZ_MAX_GROUPS]; /* first segment of each open group */
    struct fzi_list *outer; /* the list that a `can` interrupted */
    fzi_allocator allocator;
    const fz_program *program;
    size_t *memory;        /* what the machine has taken, and may take */
    size_t memory_limit;
} fzi_list;

/* A place in a list, for walking it. */
typedef struct fzi_cursor {
    uint32_t segment;
    int32_t major, minor;  /* the last move given: site, member or from; target */
} fzi_cursor;
#define FZI_CURSOR_AT(index) ((fzi_cursor){(index), -1, -1})

struct fz_moves {
    fz_machine *machine;
    fzi_list list;
};

void fzi_list_init(fzi_list *list, fzi_allocator allocator, const fz_program *program,
                   uint32_t limit, size_t *memory, size_t memory_limit);
void fzi_list_free(fzi_list *list);
bool fzi_list_reserve(fzi_list *list, uint32_t words); /* one segment more, and so many words */

static inline void fzi_list_clear(fzi_list *list, uint32_t choice)
{
    list->segment_count = list->word_count = list->total = 0;
    list->group_count = 0;
    list->choice = choice;
}

/* The words of a new segment; NULL when there are too many moves or memory is short. */
static inline uint64_t *fzi_list_add(fzi_list *list, unsigned kind, uint32_t option, uint32_t count,
                                     unsigned values, uint32_t words)
{
    if (__builtin_expect(list->segment_count == list->segment_capacity ||
                             list->word_count + words > list->word_capacity, 0) &&
        !fzi_list_reserve(list, words))
        return NULL;
    if (__builtin_expect(count > list->limit - list->total, 0)) {
        list->full = true;
        return NULL;
    }
    fzi_segment *segment = &list->segments[list->segment_count++];
    *segment = (fzi_segment){option, count, list->word_count, (uint8_t)kind, (uint8_t)values, 0, 0};
    list->word_count += words;
    list->total += count;
    return list->words + segment->data;
}

/* ---- bits ---- */

/* The place of the k-th lowest bit of x, which has more than k. */
static inline __attribute__((always_inline)) unsigned fzi_bit_select(uint64_t x, unsigned k)
{
#ifdef FZ_FAST
    /* Without <immintrin.h>, which takes longer to read than a small game to compile. */
    return (unsigned)__builtin_ctzll(__builtin_ia32_pdep_di(UINT64_C(1) << k, x));
#else
    unsigned place = 0;
    for (unsigned half = 32; half; half /= 2) {
        uint64_t low = x >> place & ((UINT64_C(1) << half) - 1);
        unsigned count = (unsigned)__builtin_popcountll(low);
        if (k >= count) {
            k -= count;
            place += half;
        }
    }
    return place;
#endif
}

/* ---- the k-th move ---- */

static inline __attribute__((always_inline)) uint32_t fzi_words_select(const uint64_t *set,
                                                                       uint32_t k, unsigned words)
{
    unsigned i = 0;
    for (; i + 1 < words; i++) {
        unsigned count = (unsigned)__builtin_popcountll(set[i]);
        if (k < count)
            break;
        k -= count;
    }
    return i * 64 + fzi_bit_select(set[i], k);
}

/* The k-th smallest target from `site` in a segment of shifts. */
static inline __attribute__((always_inline)) int32_t fzi_shifts_target(const uint64_t *words,
                                                                       unsigned steps,
                                                                       uint32_t site, uint32_t k,
                                                                       unsigned w)
{
    int32_t targets[FZ_MAX_STEPS];
    unsigned count = 0;
    for (unsigned d = 0; d < steps; d++) {
        const uint64_t *entry = words + d * (1 + w);
        if (entry[1 + site / 64] >> site % 64 & 1)
            targets[count++] = (int32_t)site + (int32_t)entry[0];
    }
    if (count < 2)
        return targets[0];
    for (unsigned i = 0; i < count; i++) {
        uint32_t below = 0;
        for (unsigned j = 0; j < count; j++)
            below += targets[j] < targets[i];
        if (below == k)
            return targets[i];
    }
    return targets[0];
}

/* How many moves begin on each site of a word, as three bit planes: for up to seven steps. */
static inline __attribute__((always_inline)) void
fzi_shifts_planes(const uint64_t *words, unsigned steps, unsigned w, uint64_t *planes)
{
    uint64_t ones = 0, twos = 0, fours = 0;
    for (unsigned d = 0; d < steps; d++) {
        uint64_t set = words[d * (1 + w) + 1], carry = ones & set;
        ones ^= set;
        fours |= twos & carry;
        twos ^= carry;
    }
    planes[0] = ones;
    planes[1] = twos;
    planes[2] = fours;
}

/* The site of a word at which the k-th of its moves begins; `*k` becomes its number there. */
static inline __attribute__((always_inline)) unsigned fzi_shifts_place(const uint64_t *words,
                                                                       unsigned steps, unsigned w,
                                                                       uint32_t *k)
{
    uint64_t planes[3] = {0};
    unsigned place = 0;
    bool few = steps <= 7;
    if (few)
        fzi_shifts_planes(words, steps, w, planes);
    for (unsigned half = 32; half; half /= 2) {
        uint64_t mask = ((UINT64_C(1) << half) - 1) << place;
        uint32_t count = 0;
        if (few)
            count = (uint32_t)__builtin_popcountll(planes[0] & mask) +
                    2 * (uint32_t)__builtin_popcountll(planes[1] & mask) +
                    4 * (uint32_t)__builtin_popcountll(planes[2] & mask);
        for (unsigned d = 0; !few && d < steps; d++)
            count += (uint32_t)__builtin_popcountll(words[d * (1 + w) + 1] & mask);
        if (*k >= count) {
            *k -= count;
            place += half;
        }
    }
    return place;
}

static inline __attribute__((always_inline)) void
fzi_shifts_select(const uint64_t *words, unsigned steps, uint32_t k, unsigned w, int32_t *from,
                  int32_t *to)
{
    unsigned i = 0;
    for (; i + 1 < w; i++) {
        uint32_t count = 0;
        for (unsigned d = 0; d < steps; d++)
            count += (uint32_t)__builtin_popcountll(words[d * (1 + w) + 1 + i]);
        if (k < count)
            break;
        k -= count;
    }
    *from = (int32_t)(i * 64 + fzi_shifts_place(words + i, steps, w, &k));
    *to = fzi_shifts_target(words, steps, (uint32_t)*from, k, w);
}

/* Move number k of a segment of shifts in the order in which they stand in it: for draws, where every
 * order is as good. */
static inline __attribute__((always_inline)) void
fzi_shifts_draw(const uint64_t *words, uint32_t k, unsigned w, int32_t *from, int32_t *to)
{
    for (;; words += 1 + w) {
        uint32_t count = 0;
        for (unsigned i = 1; i <= w; i++)
            count += (uint32_t)__builtin_popcountll(words[i]);
        if (k < count)
            break;
        k -= count;
    }
    *from = (int32_t)fzi_words_select(words + 1, k, w);
    *to = *from + (int32_t)words[0];
}

/* The k-th move of the list, or number k in another order when one is to be drawn, and the segment it
 * is in. */
static inline __attribute__((always_inline)) uint32_t
fzi_list_pick(const fzi_list *list, uint32_t k, unsigned w, bool draw, fz_move *move)
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
    } else if (segment->kind == FZ_SEGMENT_SHIFTS && draw) {
        fzi_shifts_draw(words, k, w, &move->values[n], &move->values[n + 1]);
        n += 2;
    } else if (segment->kind == FZ_SEGMENT_SHIFTS) {
        fzi_shifts_select(words, segment->steps, k, w, &move->values[n], &move->values[n + 1]);
        n += 2;
    } else if (segment->kind == FZ_SEGMENT_MASK) {
        move->values[n++] = (int32_t)fzi_bit_select(*words, k);
    }
    move->count = (uint8_t)n;
    return (uint32_t)(segment - list->segments);
}

/* ---- walking and taking out ---- */

/* The next move; false at the end of the list, or before segment `end`. */
bool fzi_list_next(const fzi_list *list, fzi_cursor *cursor, uint32_t end, fz_move *move);
/* Takes out the move that the cursor has just given. */
void fzi_list_drop(fzi_list *list, const fzi_cursor *cursor);
/* Takes out the move picked from that segment. */
void fzi_list_drop_move(fzi_list *list, uint32_t segment, const fz_move *move);
/* Where the move is; the first segment that has it. UINT32_MAX: nowhere. */
uint32_t fzi_list_find(const fzi_list *list, const fz_move *move);
/* Moves left in the segments first .. end - 1. */
uint32_t fzi_list_count(const fzi_list *list, uint32_t first, uint32_t end);

#endif
