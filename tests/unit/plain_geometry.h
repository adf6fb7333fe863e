/* Geometry by plain walks from neighbour to neighbour: what the quick ways must agree with. The
 * includer defines WORDS and SITES, the most of a board. */
#ifndef FZ_TESTS_PLAIN_GEOMETRY_H
#define FZ_TESTS_PLAIN_GEOMETRY_H

#include <string.h>

#include "interp/board/topology.h"
#include "interp/support/words.h"

static inline int plain_next(const fzi_topology *t, unsigned dir, int site)
{
    return t->board->next[dir * t->site_count + (unsigned)site];
}

static inline bool has(const uint64_t *set, int site)
{
    return fzi_words_has(set, (unsigned)site);
}

/* The walk from a site along a direction, itself left out: it ends off the board, before a site it
 * has been at, or with the first site that is not in `through`
 * (NULL: all are). */
static inline int plain_walk(const fzi_topology *t, int site, unsigned dir,
                             const uint64_t *through, int *out)
{
    bool seen[SITES] = {false};
    int length = 0;
    seen[site] = true;
    for (int at = plain_next(t, dir, site); at >= 0 && !seen[at]; at = plain_next(t, dir, at)) {
        seen[at] = true;
        out[length++] = at;
        if (through && !has(through, at))
            break;
    }
    return length;
}

static inline void plain_slide(const fzi_topology *t, int site, unsigned dir,
                               const uint64_t *through, int64_t most, uint64_t *out)
{
    int walk[SITES], length = plain_walk(t, site, dir, through, walk);
    for (int i = 0; i < length && i < most; i++)
        fzi_words_add(out, (unsigned)walk[i]);
}

static inline void plain_step(const fzi_topology *t, const uint64_t *set, uint64_t dirs,
                              uint64_t *out)
{
    memset(out, 0, WORDS * sizeof *out);
    for (unsigned d = 0; d < t->dir_count; d++)
        for (int s = 0; dirs >> d & 1 && s < t->site_count; s++)
            if (has(set, s) && plain_next(t, d, s) >= 0)
                fzi_words_add(out, (unsigned)plain_next(t, d, s));
}

static inline void plain_flood(const fzi_topology *t, const uint64_t *start,
                               const uint64_t *within, uint64_t dirs, uint64_t *out)
{
    int stack[SITES], depth = 0;
    memset(out, 0, WORDS * sizeof *out);
    for (int s = 0; s < t->site_count; s++)
        if (has(start, s)) {
            fzi_words_add(out, (unsigned)s);
            stack[depth++] = s;
        }
    while (depth) {
        int s = stack[--depth];
        for (unsigned d = 0; d < t->dir_count; d++) {
            int to = dirs >> d & 1 ? plain_next(t, d, s) : -1;
            if (to < 0 || has(out, to) || !has(within, to))
                continue;
            fzi_words_add(out, (unsigned)to);
            stack[depth++] = to;
        }
    }
}

/* Is there a row of n, from any start, that holds `wanted` (any if -1)? A walk through `wanted`
 * may be cut to n around it unless `wanted` comes too early or too late, so walks are followed as
 * far as the set goes. */
static inline bool plain_line(const fzi_topology *t, int wanted, const uint64_t *set, int64_t n,
                              uint64_t dirs)
{
    for (unsigned d = 0; d < t->dir_count; d++)
        for (int s = 0; dirs >> d & 1 && s < t->site_count; s++) {
            if (!has(set, s))
                continue;
            int walk[SITES], length = plain_walk(t, s, d, set, walk), inside = 0;
            bool holds = wanted < 0 || s == wanted;
            while (inside < length && has(set, walk[inside])) {
                holds = holds || walk[inside] == wanted;
                inside++;
            }
            if (holds && inside + 1 >= n)
                return true;
        }
    return false;
}

static inline void plain_flanked(const fzi_topology *t, int site, const uint64_t *row,
                                 const uint64_t *end, unsigned dir, uint64_t *out)
{
    int walk[SITES], length = plain_walk(t, site, dir, row, walk), inside = 0;
    while (inside < length && has(row, walk[inside]))
        inside++;
    if (inside < length && has(end, walk[inside]))
        for (int i = 0; i < inside; i++)
            fzi_words_add(out, (unsigned)walk[i]);
}

/* The sites of `start` from which such a row leads to an end. */
static inline void plain_flanking(const fzi_topology *t, const uint64_t *end, const uint64_t *row,
                                  const uint64_t *start, uint64_t dirs, uint64_t *out)
{
    for (int site = 0; site < t->site_count; site++) {
        uint64_t found[WORDS] = {0};
        for (unsigned d = 0; d < t->dir_count; d++)
            if (has(start, site) && dirs >> d & 1)
                plain_flanked(t, site, row, end, d, found);
        if (!fzi_words_empty(found, WORDS))
            fzi_words_add(out, (unsigned)site);
    }
}

#endif
