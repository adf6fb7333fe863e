/* The operations of topology.h: where steps, slides, leaps, rows and connections lead. Each has
 * a quick way over whole sets or rays, and goes step by step where the board is too irregular
 * for it. The inner functions take the number of words last; FZ_BY_WORDS calls them with
 * constants for small boards, so that the loops over words disappear there. */
#include "topology.h"

#include "interp/support/words.h"
#ifdef FZ_STANDALONE /* one file for one game: its number of words */
#define FZ_BY_WORDS(t, call)                                                                      \
    {                                                                                             \
        enum { words = FZ_STANDALONE };                                                           \
        call;                                                                                     \
    }
#else
#define FZ_BY_WORDS(t, call)                                                                      \
    switch ((t)->words) {                                                                         \
    case 1: {                                                                                     \
        enum { words = 1 };                                                                       \
        call;                                                                                     \
    } break;                                                                                      \
    case 2: {                                                                                     \
        enum { words = 2 };                                                                       \
        call;                                                                                     \
    } break;                                                                                      \
    case 4: {                                                                                     \
        enum { words = 4 };                                                                       \
        call;                                                                                     \
    } break;                                                                                      \
    default: {                                                                                    \
        unsigned words = (t)->words;                                                              \
        call;                                                                                     \
    } break;                                                                                      \
    }
#endif

#define FZ_INLINE static inline __attribute__((always_inline))

static inline int next_site(const fzi_topology *t, unsigned dir, unsigned site)
{
    return t->board->next[dir * t->site_count + site];
}

static inline const uint64_t *ray_of(const fzi_topology *t, unsigned dir, unsigned site,
                                     unsigned words)
{
    return t->rays + ((size_t)site * t->dir_count + (size_t)dir) * words;
}

/* Directions beyond the board's don't exist. */
static inline uint64_t real_dirs(const fzi_topology *t, uint64_t dirs)
{
    return dirs & ((UINT64_C(1) << t->dir_count) - 1);
}

/* A direction of the mask, taken out of it. */
static inline unsigned take_dir(uint64_t *dirs)
{
    unsigned dir = (unsigned)__builtin_ctzll(*dirs);
    *dirs &= *dirs - 1;
    return dir;
}

/* Of a direction and its inverse, when both are asked for, the second adds no new rows. */
static inline bool is_second_of_axis(const fzi_topology *t, unsigned dir, uint64_t dirs)
{
    unsigned inverse = t->inverse[dir];
    return inverse < dir && (dirs >> inverse & 1);
}

/* ---- shifts ---- */

/* out |= set moved by delta bits. Only for sets whose sites all stay on the board, or results that
 * are masked so: one word is rotated, and what comes round the end is not looked at. */
FZ_INLINE void or_moved(const uint64_t *set, int delta, uint64_t *out, unsigned words)
{
    if (words == 1) {
        out[0] |= set[0] << (delta & 63) | set[0] >> (-delta & 63);
        return;
    }
    if (delta >= 0) {
        unsigned whole = (unsigned)delta / 64, bits = (unsigned)delta % 64;
        for (unsigned i = words; i-- > whole;) {
            uint64_t word = set[i - whole] << bits;
            if (bits && i > whole)
                word |= set[i - whole - 1] >> (64 - bits);
            out[i] |= word;
        }
        return;
    }
    unsigned whole = (unsigned)-delta / 64, bits = (unsigned)-delta % 64;
    for (unsigned i = 0; i + whole < words; i++) {
        uint64_t word = set[i + whole] >> bits;
        if (bits && i + whole + 1 < words)
            word |= set[i + whole + 1] << (64 - bits);
        out[i] |= word;
    }
}

FZ_INLINE void or_neighbours(const fzi_topology *t, const uint64_t *set, unsigned dir,
                             uint64_t *out, unsigned words)
{
    FZI_FOR_SITES (site, set, words) {
        int to = next_site(t, dir, site);
        if (to >= 0)
            fzi_words_add(out, (unsigned)to);
    }
}

/* out |= the neighbours of the set's sites towards `dir`. Groups cost work for each word, sites
 * for each site, so irregular directions and small sets are walked. */
FZ_INLINE void or_shift(const fzi_topology *t, const uint64_t *set, unsigned dir, uint64_t *out,
                        unsigned words)
{
    unsigned first = t->first_shift[dir], last = t->first_shift[dir + 1];
    if (last - first > 2 && !fzi_words_reach(set, (last - first) * words, words)) {
        or_neighbours(t, set, dir, out, words);
        return;
    }
    for (unsigned g = first; g < last; g++) {
        uint64_t moving[FZ_MAX_WORDS];
        for (unsigned i = 0; i < words; i++)
            moving[i] = set[i] & t->shifts[g].from[i];
        or_moved(moving, t->shifts[g].delta, out, words);
    }
}

FZ_INLINE void step_words(const fzi_topology *t, const uint64_t *set, uint64_t dirs, uint64_t *out,
                          unsigned words)
{
    fzi_words_clear(out, words);
    if (!fzi_words_reach(set, 2, words)) {
        int site = fzi_words_lowest(set, words);
        while (site >= 0 && dirs) {
            int to = next_site(t, take_dir(&dirs), (unsigned)site);
            if (to >= 0)
                fzi_words_add(out, (unsigned)to);
        }
        return;
    }
    while (dirs)
        or_shift(t, set, take_dir(&dirs), out, words);
}

void fzi_shift_set(const fzi_topology *t, const uint64_t *set, int dir, uint64_t *out)
{
    FZ_BY_WORDS(t, fzi_words_clear(out, words);
                if (dir >= 0) or_shift(t, set, (unsigned)dir, out, words))
}

void fzi_step(const fzi_topology *t, const uint64_t *set, uint64_t dirs, uint64_t *out)
{
    dirs = real_dirs(t, dirs);
    FZ_BY_WORDS(t, step_words(t, set, dirs, out, words))
}

/* ---- rays ---- */

/* The first site of a set along a ray of a monotone direction; -1. */
FZ_INLINE int first_on_ray(const fzi_topology *t, unsigned dir, const uint64_t *set, unsigned words)
{
    return t->ray_order[dir] > 0 ? fzi_words_lowest(set, words) : fzi_words_highest(set, words);
}

static void slide_by_steps(const fzi_topology *t, unsigned site, unsigned dir,
                           const uint64_t *through, int64_t most, uint64_t *out)
{
    /* More steps than sites only go round a cycle that does not lead back to the start. */
    if (most > t->site_count)
        most = t->site_count;
    unsigned at = site;
    while (most-- > 0) {
        int to = next_site(t, dir, at);
        if (to < 0 || (unsigned)to == site)
            return;
        at = (unsigned)to;
        fzi_words_add(out, at);
        if (!fzi_words_has(through, at))
            return;
    }
}

FZ_INLINE void slide_words(const fzi_topology *t, unsigned site, uint64_t dirs,
                           const uint64_t *through, uint64_t *out, unsigned words)
{
    while (dirs) {
        unsigned dir = take_dir(&dirs);
        if (!t->ray_order[dir]) {
            slide_by_steps(t, site, dir, through, t->site_count, out);
            continue;
        }
        const uint64_t *ray = ray_of(t, dir, site, words);
        uint64_t blockers[FZ_MAX_WORDS];
        for (unsigned i = 0; i < words; i++)
            blockers[i] = ray[i] & ~through[i];
        int first = first_on_ray(t, dir, blockers, words);
        if (first < 0) {
            for (unsigned i = 0; i < words; i++)
                out[i] |= ray[i];
        } else {
            const uint64_t *beyond = ray_of(t, dir, (unsigned)first, words);
            for (unsigned i = 0; i < words; i++)
                out[i] |= ray[i] & ~beyond[i];
        }
    }
}

void fzi_slide(const fzi_topology *t, int site, uint64_t dirs, const uint64_t *through,
               int64_t most, uint64_t *out)
{
    if (site < 0)
        return;
    dirs = real_dirs(t, dirs);
    if (most < t->longest_ray) {
        while (dirs)
            slide_by_steps(t, (unsigned)site, take_dir(&dirs), through, most, out);
        return;
    }
    FZ_BY_WORDS(t, slide_words(t, (unsigned)site, dirs, through, out, words))
}

/* Steps from a to b along a direction; 0 if the ray does not lead there. */
static unsigned steps_to(const fzi_topology *t, unsigned dir, unsigned a, unsigned b)
{
    if (!fzi_words_has(ray_of(t, dir, a, t->words), b))
        return 0;
    unsigned steps = 0;
    for (unsigned at = a; at != b; steps++)
        at = (unsigned)next_site(t, dir, at);
    return steps;
}

/* Rows lead from a to b or from b to a; on boards where several do, the shortest counts, and of
 * equal ones the first direction. */
void fzi_between(const fzi_topology *t, int a, int b, uint64_t *out)
{
    fzi_words_clear(out, t->words);
    if (a < 0 || b < 0)
        return;
    unsigned best = 0, best_dir = 0;
    int start = a;
    for (unsigned dir = 0; dir < t->dir_count; dir++) {
        unsigned there = steps_to(t, dir, (unsigned)a, (unsigned)b);
        unsigned back = steps_to(t, dir, (unsigned)b, (unsigned)a);
        bool from_b = !there || (back && back < there);
        unsigned steps = from_b ? back : there;
        if (steps && (!best || steps < best)) {
            best = steps;
            best_dir = dir;
            start = from_b ? b : a;
        }
    }
    unsigned at = (unsigned)start;
    for (; best > 1; best--) {
        at = (unsigned)next_site(t, best_dir, at);
        fzi_words_add(out, at);
    }
}

/* ---- leaps ---- */

/* A leap jumps, so it needs the coordinates of its end only. It has two orientations for each
 * direction of the ring, the second part of the leap being clockwise or anticlockwise of the first.
 * A ring of two has no such turn: leaps go straight. */
static unsigned leap_orientations(const fzi_topology *t)
{
    return t->ring_size * 2u;
}

static int wrapped(int64_t at, int64_t length)
{
    int64_t rest = (at - 1) % length;
    return (int)(rest < 0 ? rest + length : rest) + 1;
}

static int leap_target(const fzi_topology *t, unsigned site, unsigned orientation, int64_t a,
                       int64_t b)
{
    const fz_board *board = t->board;
    unsigned size = t->ring_size, i = orientation / 2;
    unsigned j = (i + (orientation & 1 ? 1 : size - 1)) % size;
    if (size < 3 && a && b)
        return -1;
    const int8_t *first = t->vector[t->ring[i]], *second = t->vector[t->ring[j]];
    int64_t column = board->column[site] + a * first[0] + b * second[0];
    int64_t row = board->row[site] + a * first[1] + b * second[1];
    if (t->wraps_columns)
        column = wrapped(column, board->columns);
    if (t->wraps_rows)
        row = wrapped(row, board->rows);
    if (column < 1 || row < 1 || column > board->columns || row > board->rows)
        return -1;
    int to = t->site_at[(row - 1) * board->columns + column - 1];
    return to == (int)site ? -1 : to;
}

static int walk(const fzi_topology *t, int site, unsigned dir, int64_t steps)
{
    for (; steps > 0 && site >= 0; steps--)
        site = next_site(t, dir, (unsigned)site);
    return site;
}

/* Without coordinates a leap is walked: `a` steps one way and `b` steps another, along two
 * orthogonal directions that are not each other's opposite. `turn` tells which part comes first. */
static int leap_walked(const fzi_topology *t, unsigned site, unsigned first, unsigned second,
                       int64_t a, int64_t b, bool turn)
{
    if (first == second || t->board->opposite[first] == second)
        return -1;
    int64_t bound = t->site_count;
    if (a > bound || b > bound)
        return -1;
    int to = turn ? walk(t, walk(t, (int)site, second, b), first, a)
                  : walk(t, walk(t, (int)site, first, a), second, b);
    return to == (int)site ? -1 : to;
}

/* Adds the end of one leap of every orientation; with `through`, leaps on while in it. */
static void ride_by_walking(const fzi_topology *t, unsigned site, int64_t a, int64_t b,
                            const uint64_t *through, uint64_t *out)
{
    uint64_t dirs = t->board->orthogonal;
    for (uint64_t firsts = real_dirs(t, dirs); firsts;) {
        unsigned first = take_dir(&firsts);
        for (uint64_t seconds = real_dirs(t, dirs); seconds;) {
            unsigned second = take_dir(&seconds);
            for (int turn = 0; turn < 2; turn++) {
                unsigned at = site;
                for (unsigned leaps = 0; leaps < t->site_count; leaps++) {
                    int to = leap_walked(t, at, first, second, a, b, turn);
                    if (to < 0 || (unsigned)to == site)
                        break;
                    at = (unsigned)to;
                    fzi_words_add(out, at);
                    if (!through || !fzi_words_has(through, at))
                        break;
                }
            }
        }
    }
}

static bool has_coordinates(const fzi_topology *t, unsigned site)
{
    return t->site_at && t->ring_size && t->board->column[site] > 0 && t->board->row[site] > 0;
}

static void ride(const fzi_topology *t, int site, int64_t a, int64_t b, const uint64_t *through,
                 uint64_t *out)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    if (site < 0 || (!a && !b))
        return;
    if (!has_coordinates(t, (unsigned)site)) {
        ride_by_walking(t, (unsigned)site, a, b, through, out);
        return;
    }
    for (unsigned o = 0; o < leap_orientations(t); o++) {
        unsigned at = (unsigned)site;
        for (;;) {
            int to = leap_target(t, at, o, a, b);
            if (to < 0 || to == site)
                break;
            at = (unsigned)to;
            fzi_words_add(out, at);
            if (!through || !fzi_words_has(through, at))
                break;
        }
    }
}

void fzi_leap(const fzi_topology *t, int site, int64_t a, int64_t b, uint64_t *out)
{
    ride(t, site, a, b, NULL, out);
}

void fzi_ride(const fzi_topology *t, int site, int64_t a, int64_t b, const uint64_t *through,
              uint64_t *out)
{
    ride(t, site, a, b, through, out);
}

/* ---- connections ---- */

/* Adds to `reached` what it leads to within `within`; ends early, with true, once `goal` is met.
 * Every direction goes on from what the ones before it have just reached, so straight ways take
 * few rounds. */
FZ_INLINE bool spread(const fzi_topology *t, const uint64_t *within, uint64_t dirs,
                      const uint64_t *goal, uint64_t *reached, unsigned words)
{
    uint64_t fresh[FZ_MAX_WORDS];
    fzi_words_copy(fresh, reached, words);
    for (;;) {
        uint64_t before[FZ_MAX_WORDS];
        fzi_words_copy(before, reached, words);
        for (uint64_t rest = dirs; rest;) {
            uint64_t moved[FZ_MAX_WORDS];
            fzi_words_clear(moved, words);
            or_shift(t, fresh, take_dir(&rest), moved, words);
            for (unsigned i = 0; i < words; i++) {
                moved[i] &= within[i] & ~reached[i];
                reached[i] |= moved[i];
                fresh[i] |= moved[i];
            }
        }
        if (goal && fzi_words_meet(reached, goal, words))
            return true;
        for (unsigned i = 0; i < words; i++)
            fresh[i] = reached[i] & ~before[i];
        if (fzi_words_empty(fresh, words))
            return false;
    }
}

void fzi_flood(const fzi_topology *t, const uint64_t *start, const uint64_t *within, uint64_t dirs,
               uint64_t *out)
{
    dirs = real_dirs(t, dirs);
    fzi_words_copy(out, start, t->words);
    FZ_BY_WORDS(t, spread(t, within, dirs, NULL, out, words))
}

bool fzi_connected(const fzi_topology *t, const uint64_t *from, const uint64_t *to,
                   const uint64_t *within, uint64_t dirs)
{
    uint64_t reached[FZ_MAX_WORDS], goal[FZ_MAX_WORDS];
    for (unsigned i = 0; i < t->words; i++) {
        reached[i] = from[i] & within[i];
        goal[i] = to[i] & within[i];
    }
    if (fzi_words_empty(reached, t->words) || fzi_words_empty(goal, t->words))
        return false;
    if (fzi_words_meet(reached, goal, t->words))
        return true;
    dirs = real_dirs(t, dirs);
    FZ_BY_WORDS(t, return spread(t, within, dirs, goal, reached, words))
    return false;
}

/* ---- lines ---- */

/* The walk from `site` along `dir` inside the set: its length in sites, `site` included and no site
 * twice, at most `most`. `*through` becomes true when it comes by `wanted`. */
static int64_t walk_inside(const fzi_topology *t, unsigned site, unsigned dir, const uint64_t *set,
                           int64_t most, unsigned wanted, bool *through)
{
    uint64_t seen[FZ_MAX_WORDS] = {0};
    int64_t length = 0;
    for (int at = (int)site; at >= 0 && length < most; at = next_site(t, dir, (unsigned)at)) {
        if (!fzi_words_has(set, (unsigned)at) || fzi_words_has(seen, (unsigned)at))
            break;
        fzi_words_add(seen, (unsigned)at);
        *through = *through || (unsigned)at == wanted;
        length++;
    }
    return length;
}

/* Are there n sites in a row that begin anywhere? For directions with cycles shorter than n. */
static bool line_by_walking(const fzi_topology *t, const uint64_t *set, int64_t n, unsigned dir)
{
    bool through = false;
    FZI_FOR_SITES (site, set, t->words)
        if (walk_inside(t, site, dir, set, n, site, &through) >= n)
            return true;
    return false;
}

/* After k rounds `row` holds the sites where a row of k + 1 ends. */
FZ_INLINE bool line_words(const fzi_topology *t, const uint64_t *set, int64_t n, uint64_t dirs,
                          unsigned words)
{
    for (uint64_t rest = dirs; rest;) {
        unsigned dir = take_dir(&rest);
        if (is_second_of_axis(t, dir, dirs))
            continue;
        if (t->shortest_cycle[dir] && t->shortest_cycle[dir] < n) {
            if (line_by_walking(t, set, n, dir))
                return true;
            continue;
        }
        uint64_t row[FZ_MAX_WORDS];
        fzi_words_copy(row, set, words);
        int64_t length = 1;
        for (; length < n; length++) {
            uint64_t moved[FZ_MAX_WORDS];
            fzi_words_clear(moved, words);
            or_shift(t, row, dir, moved, words);
            for (unsigned i = 0; i < words; i++)
                row[i] = moved[i] & set[i];
            if (fzi_words_empty(row, words))
                break;
        }
        if (length >= n)
            return true;
    }
    return false;
}

bool fzi_line(const fzi_topology *t, const uint64_t *set, int64_t n, uint64_t dirs)
{
    if (n <= 0)
        return true;
    if (n > t->site_count || fzi_words_empty(set, t->words))
        return false;
    if (n == 1)
        return true;
    dirs = real_dirs(t, dirs);
    FZ_BY_WORDS(t, return line_words(t, set, n, dirs, words))
    return false;
}

/* Sites in a row on from `site`, itself not counted, at most `most`; back at `site` ends it. */
static inline int64_t run_length(const fzi_topology *t, unsigned site, unsigned dir,
                                 const uint64_t *set, int64_t most)
{
    int64_t length = 0;
    for (int at = (int)site; length < most; length++) {
        at = next_site(t, dir, (unsigned)at);
        if (at < 0 || (unsigned)at == site || !fzi_words_has(set, (unsigned)at))
            break;
    }
    return length;
}

/* A row through `site` may begin anywhere: for directions that nothing undoes. */
static bool line_through(const fzi_topology *t, unsigned site, const uint64_t *set, int64_t n,
                         unsigned dir)
{
    FZI_FOR_SITES (start, set, t->words) {
        bool through = false;
        if (walk_inside(t, start, dir, set, t->site_count, site, &through) >= n && through)
            return true;
    }
    return false;
}

bool fzi_line_at(const fzi_topology *t, int site, const uint64_t *set, int64_t n, uint64_t dirs)
{
    if (site < 0 || !fzi_words_has(set, (unsigned)site))
        return false;
    if (n <= 1)
        return true;
    if (n > t->site_count)
        return false;
    dirs = real_dirs(t, dirs);
    for (uint64_t rest = dirs; rest;) {
        unsigned dir = take_dir(&rest), inverse = t->inverse[dir];
        if (is_second_of_axis(t, dir, dirs))
            continue;
        if (inverse >= t->dir_count) {
            if (line_through(t, (unsigned)site, set, n, dir))
                return true;
            continue;
        }
        int64_t length = 1 + run_length(t, (unsigned)site, dir, set, n - 1);
        /* A whole cycle inside the set has been counted already. */
        if (length < n && !(t->shortest_cycle[dir] && length >= t->shortest_cycle[dir]))
            length += run_length(t, (unsigned)site, inverse, set, n - length);
        if (length >= n)
            return true;
    }
    return false;
}

/* ---- rows between two ends ---- */

static void flanked_by_steps(const fzi_topology *t, unsigned site, unsigned dir,
                             const uint64_t *row, const uint64_t *end, uint64_t *out)
{
    uint64_t found[FZ_MAX_WORDS] = {0};
    int at = (int)site;
    for (unsigned steps = 0; steps < t->site_count; steps++) {
        at = next_site(t, dir, (unsigned)at);
        if (at < 0 || (unsigned)at == site)
            return;
        if (!fzi_words_has(row, (unsigned)at)) {
            if (fzi_words_has(end, (unsigned)at))
                for (unsigned i = 0; i < t->words; i++)
                    out[i] |= found[i];
            return;
        }
        fzi_words_add(found, (unsigned)at);
    }
}

FZ_INLINE void flanked_words(const fzi_topology *t, unsigned site, const uint64_t *row,
                             const uint64_t *end, uint64_t dirs, uint64_t *out, unsigned words)
{
    fzi_words_clear(out, words);
    while (dirs) {
        unsigned dir = take_dir(&dirs);
        if (!t->ray_order[dir]) {
            flanked_by_steps(t, site, dir, row, end, out);
            continue;
        }
        const uint64_t *ray = ray_of(t, dir, site, words);
        uint64_t others[FZ_MAX_WORDS];
        for (unsigned i = 0; i < words; i++)
            others[i] = ray[i] & ~row[i];
        int first = first_on_ray(t, dir, others, words);
        if (first < 0 || !fzi_words_has(end, (unsigned)first))
            continue;
        const uint64_t *beyond = ray_of(t, dir, (unsigned)first, words);
        for (unsigned i = 0; i < words; i++)
            out[i] |= ray[i] & ~beyond[i] & row[i];
    }
}

void fzi_flanked(const fzi_topology *t, int site, const uint64_t *row, const uint64_t *end,
                 uint64_t dirs, uint64_t *out)
{
    dirs = site < 0 ? 0 : real_dirs(t, dirs);
    FZ_BY_WORDS(t, flanked_words(t, (unsigned)site, row, end, dirs, out, words))
}

/* Fills `fill` on through `row` by a direction that is one shift, doubling the stride: `open`
 * holds the sites whose last `stride` sites before them, and the steps between, are all inside.
 * Those sites have somewhere to come from, so that the plain moves below can't come round an
 * edge. */
FZ_INLINE void fill_doubling(const fzi_topology *t, unsigned dir, const uint64_t *row,
                             uint64_t *fill, unsigned words)
{
    const uint64_t *targets = t->targets + dir * words;
    int delta = t->shifts[t->first_shift[dir]].delta;
    uint64_t open[FZ_MAX_WORDS];
    for (unsigned i = 0; i < words; i++)
        open[i] = row[i] & targets[i];
    for (int stride = 1; stride < t->longest_ray; stride *= 2) {
        uint64_t moved[FZ_MAX_WORDS], opened[FZ_MAX_WORDS];
        fzi_words_clear(moved, words);
        fzi_words_clear(opened, words);
        or_moved(fill, delta * stride, moved, words);
        or_moved(open, delta * stride, opened, words);
        for (unsigned i = 0; i < words; i++) {
            fill[i] |= moved[i] & open[i];
            open[i] &= opened[i];
        }
        if (words > 1 && fzi_words_empty(open, words))
            break;
    }
}

FZ_INLINE void fill_by_steps(const fzi_topology *t, unsigned dir, const uint64_t *row,
                             uint64_t *fill, unsigned words)
{
    uint64_t fresh[FZ_MAX_WORDS];
    fzi_words_copy(fresh, fill, words);
    while (!fzi_words_empty(fresh, words)) {
        uint64_t moved[FZ_MAX_WORDS];
        fzi_words_clear(moved, words);
        or_shift(t, fresh, dir, moved, words);
        for (unsigned i = 0; i < words; i++) {
            fresh[i] = moved[i] & row[i] & ~fill[i];
            fill[i] |= fresh[i];
        }
    }
}

static void flanking_by_steps(const fzi_topology *t, const uint64_t *end, const uint64_t *row,
                              const uint64_t *start, unsigned dir, uint64_t *out)
{
    FZI_FOR_SITES (site, start, t->words) {
        uint64_t found[FZ_MAX_WORDS] = {0};
        flanked_by_steps(t, site, dir, row, end, found);
        if (!fzi_words_empty(found, t->words))
            fzi_words_add(out, site);
    }
}

/* From the ends backwards: first the sites of a row beside an end, then the whole rows, then
 * what lies at their other end. A row that would come round to its own start is only possible on
 * a cycle, and is left to the slow way. */
FZ_INLINE void flanking_words(const fzi_topology *t, const uint64_t *end, const uint64_t *row,
                              const uint64_t *start, uint64_t dirs, uint64_t *out, unsigned words)
{
    fzi_words_clear(out, words);
    bool apart = !fzi_words_meet(start, row, words) && !fzi_words_meet(start, end, words);
    uint64_t ends[FZ_MAX_WORDS];
    for (unsigned i = 0; i < words; i++)
        ends[i] = end[i] & ~row[i]; /* a row goes on as long as it can */
    while (dirs) {
        unsigned dir = take_dir(&dirs), back = t->inverse[dir];
        if (back >= t->dir_count || (t->shortest_cycle[dir] && !apart)) {
            flanking_by_steps(t, end, row, start, dir, out);
            continue;
        }
        uint64_t fill[FZ_MAX_WORDS], before[FZ_MAX_WORDS];
        fzi_words_clear(fill, words);
        fzi_words_clear(before, words);
        or_shift(t, ends, back, fill, words);
        for (unsigned i = 0; i < words; i++)
            fill[i] &= row[i];
        if (t->first_shift[back + 1] - t->first_shift[back] == 1 && !t->shortest_cycle[back])
            fill_doubling(t, back, row, fill, words);
        else
            fill_by_steps(t, back, row, fill, words);
        or_shift(t, fill, back, before, words);
        for (unsigned i = 0; i < words; i++)
            out[i] |= before[i] & start[i];
    }
}

void fzi_flanking(const fzi_topology *t, const uint64_t *end, const uint64_t *row,
                  const uint64_t *start, uint64_t dirs, uint64_t *out)
{
    dirs = real_dirs(t, dirs);
    FZ_BY_WORDS(t, flanking_words(t, end, row, start, dirs, out, words))
}
