/* The operations of topology.h: where steps, slides, leaps and rows lead, from site to site on any
 * board. Quick ways for regular boards and whole sets stand in vm/ops_board.h, which calls these
 * for the rest. */
#include "topology.h"

#include "interp/support/words.h"

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

/* Is the direction the inverse of one that is also asked for? It adds no new rows then. */
static inline bool is_second_of_axis(const fzi_topology *t, unsigned dir, uint64_t dirs)
{
    unsigned inverse = t->inverse[dir];
    return inverse < dir && (dirs >> inverse & 1);
}

/* ---- rays ---- */

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

static inline void slide_words(const fzi_topology *t, unsigned site, uint64_t dirs,
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
        int first = t->ray_order[dir] > 0 ? fzi_words_lowest(blockers, words)
                                          : fzi_words_highest(blockers, words);
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
    if (t->words == 1)
        slide_words(t, (unsigned)site, dirs, through, out, 1);
    else
        slide_words(t, (unsigned)site, dirs, through, out, t->words);
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

static int wrapped(int64_t at, int64_t length)
{
    int64_t rest = (at - 1) % length;
    return (int)(rest < 0 ? rest + length : rest) + 1;
}

/* A leap jumps, so it needs the coordinates of its end only. It has two orientations for each
 * direction of the ring, the second part of the leap being clockwise or anticlockwise of the first.
 * A ring of two has no such turn: leaps go straight. */
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

void fzi_ride(const fzi_topology *t, int site, int64_t a, int64_t b, const uint64_t *through,
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
    for (unsigned o = 0; o < t->ring_size * 2u; o++) {
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

/* Is there a row of n, from any start, that holds `wanted`? -1: any row. */
static bool line_along(const fzi_topology *t, const uint64_t *set, int64_t n, unsigned dir,
                       int wanted)
{
    FZI_FOR_SITES (start, set, t->words) {
        bool through = wanted < 0;
        if (walk_inside(t, start, dir, set, t->site_count, (unsigned)wanted, &through) >= n &&
            through)
            return true;
    }
    return false;
}

bool fzi_line(const fzi_topology *t, const uint64_t *set, int64_t n, uint64_t dirs)
{
    for (uint64_t rest = real_dirs(t, dirs); rest;) {
        unsigned dir = take_dir(&rest);
        if (!is_second_of_axis(t, dir, dirs) && line_along(t, set, n, dir, -1))
            return true;
    }
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
        if (inverse >= t->dir_count) { /* nothing undoes it: a row may begin anywhere */
            if (line_along(t, set, n, dir, site))
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

void fzi_flanked(const fzi_topology *t, int site, const uint64_t *row, const uint64_t *end,
                 uint64_t dirs, uint64_t *out)
{
    fzi_words_clear(out, t->words);
    for (dirs = site < 0 ? 0 : real_dirs(t, dirs); dirs;)
        flanked_by_steps(t, (unsigned)site, take_dir(&dirs), row, end, out);
}

void fzi_flanking(const fzi_topology *t, const uint64_t *end, const uint64_t *row,
                  const uint64_t *start, uint64_t dirs, uint64_t *out)
{
    fzi_words_clear(out, t->words);
    FZI_FOR_SITES (site, start, t->words) {
        uint64_t found[FZ_MAX_WORDS];
        fzi_flanked(t, (int)site, row, end, dirs, found);
        if (!fzi_words_empty(found, t->words))
            fzi_words_add(out, site);
    }
}
