/* Geometry: the bodies of the instructions. Sites are checked by the caller. */
#ifndef FZ_INTERP_VM_OPS_BOARD_H
#define FZ_INTERP_VM_OPS_BOARD_H

#include "interp/board/topology.h"
#include "ops_pieces.h"

/* Each direction of a set. Where generated C knows them, there is no loop once it is optimised. */
#if defined FZ_NATIVE && defined __OPTIMIZE__
#define FZI_EACH_DIR(d, dirs) _Pragma("GCC unroll 8") FZI_EACH_DIR_OF(d, dirs)
#else
#define FZI_EACH_DIR FZI_EACH_DIR_OF
#endif
#define FZI_EACH_DIR_OF(d, dirs)                                                                   \
    for (uint64_t d##_left = (dirs), d;                                                            \
         d##_left && (d = (uint64_t)__builtin_ctzll(d##_left), true); d##_left &= d##_left - 1)

/* ---- geometry ---- */

FZ_INLINE fzi_set geo_shift(const fzi_topology *t, fzi_set a, uint64_t dir)
{
    fzi_set out = set_none();
    for (unsigned i = t->first_shift[dir]; i < t->first_shift[dir + 1]; i++)
        out = set_or(out, set_moved(set_and(a, set_at(t->shifts[i].from)), t->shifts[i].delta));
    return out;
}

/* The sites from which a step of a shape leads into the set. */
FZ_INLINE fzi_set geo_step_back(fzi_set into, const int32_t *deltas, const uint64_t *valid)
{
    fzi_set out = set_none();
    for (unsigned i = 0; i < FZ_SHAPE_STEPS; i++) {
        fzi_set from = set_at(valid + i * FZ_W);
        if (!set_some(from))
            break;
        out = set_or(out, set_stepped_back(into, deltas[i], from));
    }
    return out;
}

/* The neighbours of each site in these directions, if there is a table of them. */
FZ_INLINE const uint64_t *geo_around(const fzi_topology *t, uint64_t dirs)
{
    return dirs == t->around_dirs[0]   ? t->around[0]
           : dirs == t->around_dirs[1] ? t->around[1]
                                       : NULL;
}

FZ_INLINE fzi_set geo_step(const fzi_topology *t, fzi_set a, uint64_t dirs)
{
    fzi_set out = set_none();
    const uint64_t *around = geo_around(t, dirs);
    if (around && set_some(a)) { /* of one site: a row of the table */
        fzi_set rest = a;
        uint64_t site = (uint64_t)set_take(&rest);
        if (!set_some(rest))
            return set_at(around + site * FZ_W);
    }
    for (; dirs; dirs &= dirs - 1)
        out = set_or(out, geo_shift(t, a, (uint64_t)__builtin_ctzll(dirs)));
    return out;
}

enum { FZ_FEW_SITES = 32 };

/* Goes on from `fresh` to what is left of the sites, one site after the other; what it comes to
 * is fresh and left no more. Ends when nothing is fresh, after a few sites, or, true, at a site
 * of `goal`. */
FZ_INLINE bool geo_walk_few(const uint64_t *around, fzi_set *fresh, fzi_set *left, fzi_set goal)
{
    for (unsigned n = 0; n < FZ_FEW_SITES && set_some(*fresh); n++) {
        fzi_set next = set_and(*left, set_at(around + (uint64_t)set_take(fresh) * FZ_W));
        if (set_meets(next, goal))
            return true;
        *left = set_sub(*left, next);
        *fresh = set_or(*fresh, next);
    }
    return false;
}

/* The neighbours of a few sites of a direction that is many shifts; else geo_shift. */
FZ_INLINE fzi_set geo_neighbours(const fzi_topology *t, fzi_set a, unsigned d)
{
    unsigned shifts = t->first_shift[d + 1] - t->first_shift[d];
    if (shifts <= 2 || set_count(a) >= shifts * FZ_W)
        return geo_shift(t, a, d);
    fzi_set out = set_none();
    while (set_some(a)) {
        int16_t to = t->steps[(uint64_t)set_take(&a) * t->dir_count + d];
        if (to >= 0)
            set_add(&out, (uint64_t)to);
    }
    return out;
}

/* Adds to `reached` what `fresh` of it leads to within. Every direction goes on from what those
 * before it have just reached, so straight ways take few rounds. True, early: it meets the goal. */
FZ_OUT_OF_LINE bool geo_spread(const fzi_topology *t, fzi_set *reached, fzi_set fresh,
                               const fzi_set *within, uint64_t dirs, const fzi_set *goal)
{
    while (set_some(fresh)) {
        fzi_set before = *reached;
        for (uint64_t rest = dirs; rest; rest &= rest - 1) {
            fzi_set moved = geo_neighbours(t, fresh, (unsigned)__builtin_ctzll(rest));
            moved = set_sub(set_and(moved, *within), *reached);
            *reached = set_or(*reached, moved);
            fresh = set_or(fresh, moved);
        }
        if (set_meets(*reached, *goal))
            return true;
        fresh = set_sub(*reached, before);
    }
    return false;
}

/* `start` and all that is connected to it within. What is small is walked site by site. */
FZ_INLINE fzi_set geo_flood(const fzi_topology *t, fzi_set start, fzi_set within, uint64_t dirs)
{
    const fzi_shift *shifts[FZ_MAX_DIRS];
    const uint64_t *around = geo_around(t, dirs);
    fzi_set reached = start, fresh = start;
    if (around) {
        fzi_set left = set_sub(within, start);
        geo_walk_few(around, &fresh, &left, set_none());
        reached = set_or(start, set_sub(within, left));
        if (!set_some(fresh))
            return reached;
    }
    unsigned count = 0;
    for (uint64_t rest = dirs; rest; rest &= rest - 1) {
        unsigned d = (unsigned)__builtin_ctzll(rest);
        if (t->first_shift[d + 1] != t->first_shift[d] + 1) { /* not one shift: the general way */
            fzi_set goal = set_none();
            geo_spread(t, &reached, fresh, &within, dirs, &goal);
            return reached;
        }
        shifts[count++] = &t->shifts[t->first_shift[d]];
    }
    while (set_some(fresh)) {
        fzi_set before = reached;
        for (unsigned i = 0; i < count; i++) {
            fzi_set moved = set_moved(set_and(fresh, set_at(shifts[i]->from)), shifts[i]->delta);
            moved = set_sub(set_and(moved, within), reached);
            reached = set_or(reached, moved);
            fresh = set_or(fresh, moved);
        }
        fresh = set_sub(reached, before);
    }
    return reached;
}

/* The root of the site's group. Ways to it are shortened. */
FZ_INLINE uint64_t groups_root(const fzi_groups *g, uint64_t site)
{
    while (g->parent[site] != site)
        site = g->parent[site] = g->parent[g->parent[site]];
    return site;
}

enum { MAX_MISSES = 500 };

/* The groups of these sites, as far as they are known; none have none. */
FZ_INLINE fzi_groups *groups_of(fz_machine *m, fzi_set sites, uint64_t dirs)
{
    for (unsigned i = 0; i < m->group_count; i++)
        if (m->groups[i].dirs == dirs && set_equal(set_at(m->groups[i].within), sites)) {
            m->group_misses = 0;
            return &m->groups[i];
        }
    if (set_some(sites)) {
        if (++m->group_misses == MAX_MISSES) /* these sets don't grow */
            m->group_count = 0;
        return NULL;
    }
    fzi_groups *groups = &m->groups[m->group_next];
    m->group_next = m->group_next + 1 < m->group_count ? m->group_next + 1 : 0;
    groups->dirs = dirs;
    return groups;
}

/* The site's group when it comes to the others. */
FZ_INLINE fzi_set groups_join(fzi_groups *g, uint64_t site, fzi_set beside)
{
    fzi_set group = set_none();
    uint64_t root = site;
    set_add(&group, site);
    g->parent[site] = (uint16_t)site;
    g->within[site / 64] |= UINT64_C(1) << site % 64;
    while (set_some(beside)) {
        uint64_t other = groups_root(g, (uint64_t)set_take(&beside));
        fzi_set joined = set_at(g->sites + other * FZ_W);
        if (root == site) {
            g->parent[site] = (uint16_t)other;
            root = other;
        } else {
            g->parent[other] = (uint16_t)root;
        }
        group = set_or(group, joined);
        beside = set_sub(beside, joined);
    }
    memcpy(g->sites + root * FZ_W, group.w, sizeof group.w);
    return group;
}

/* The same as geo_flood. A set that grows by the one site that is asked about, as a player's
 * stones do where nothing is captured, has its groups kept. */
FZ_INLINE fzi_set geo_flood_grown(const fzi_topology *t, fz_machine *m, fzi_set start,
                                  fzi_set within, uint64_t dirs)
{
    const uint64_t *around = geo_around(t, dirs);
    fzi_set rest = start;
    if (m->group_count && around && set_meets(start, within)) {
        uint64_t site = (uint64_t)set_take(&rest);
        fzi_set before = set_sub(within, start);
        fzi_groups *groups = set_some(rest) ? NULL : groups_of(m, before, dirs);
        if (groups) {
            memcpy(groups->within, before.w, sizeof before.w);
            return groups_join(groups, site, set_and(set_at(around + site * FZ_W), before));
        }
    }
    return geo_flood(t, start, within, dirs);
}

/* Is there a way from a site of `from` to one of `to`, within? The ends lie within too. */
FZ_OUT_OF_LINE bool geo_connected(const fzi_topology *t, const fzi_set *from, const fzi_set *to,
                                  const fzi_set *within, uint64_t dirs)
{
    const uint64_t *around = geo_around(t, dirs);
    fzi_set fresh = set_and(*from, *within), goal = set_and(*to, *within),
            left = set_sub(*within, fresh);
    if (set_meets(fresh, goal) || (around && geo_walk_few(around, &fresh, &left, goal)))
        return true;
    fzi_set reached = set_sub(*within, left);
    return set_some(goal) && geo_spread(t, &reached, fresh, within, dirs, &goal);
}

#ifdef FZ_FAST
/* The sites of a window that has fewer than 64: those of the set as neighbouring bits. */
FZ_INLINE uint64_t geo_window(const fzi_set *set, const uint64_t *window)
{
    uint64_t bits = 0;
    unsigned before = 0;
    FZI_EACH_WORD(i)
    {
        bits |= __builtin_ia32_pext_di(set->w[i], window[i]) << (before & 63);
        before += (unsigned)__builtin_popcountll(window[i]);
    }
    return bits;
}

/* Where a rider comes to on its line, which is one of `lines`: in both directions at once. */
FZ_INLINE fzi_set geo_along(const fzi_topology *t, uint64_t line, fzi_set through)
{
    const uint64_t *window = t->lines + line * FZ_W;
    uint64_t reach = t->line_reach[t->line_places[line] + geo_window(&through, window)];
    fzi_set out;
    FZI_EACH_WORD(i)
    {
        out.w[i] = __builtin_ia32_pdep_di(reach, window[i]);
        reach >>= __builtin_popcountll(window[i]) & 63;
    }
    return out;
}
#endif

/* How far along a ray, whose sites ascend (or descend) with distance, `through` lets: to the
 * first site outside of it, that one included. */
FZ_INLINE fzi_set geo_reach(fzi_set ray, fzi_set through, bool up)
{
    uint64_t open = UINT64_MAX; /* nothing in the words before */
    FZI_EACH_WORD(n)
    {
        unsigned i = up ? n : FZ_W - 1 - n;
        uint64_t b = ray.w[i] & ~through.w[i];
        uint64_t near = up ? b ^ (b - 1) : (uint64_t)(INT64_MIN >> __builtin_clzll(b | 1));
        ray.w[i] &= near & open;
        open = b ? 0 : open;
    }
    return ray;
}

/* Where a rider on `site` comes to. Rays that do not keep their order go step by step. In place
 * wherever generated C knows the directions: then there is no loop. */
static inline __attribute__((always_inline, unused)) fzi_set
geo_ride(const fzi_topology *t, uint64_t site, uint64_t dirs, fzi_set through)
{
    fzi_set out = set_none();
#ifdef FZ_FAST
    FZI_EACH_DIR(a, t->lined)
    if ((dirs & t->axis_bits[a]) == t->axis_bits[a]) {
        out = set_or(out, geo_along(t, site * t->axis_count + a, through));
        dirs &= ~t->axis_bits[a];
    }
#endif
    const uint64_t *rays = t->rays + site * t->dir_count * FZ_W;
    FZI_EACH_DIR(d, dirs & t->up_dirs)
    out = set_or(out, geo_reach(set_at(rays + d * FZ_W), through, true));
    FZI_EACH_DIR(d, dirs & t->down_dirs)
    out = set_or(out, geo_reach(set_at(rays + d * FZ_W), through, false));
    dirs &= ~((uint64_t)t->up_dirs | t->down_dirs);
    if (__builtin_expect(dirs != 0, 0))
        fzi_slide(t, (int)site, dirs, through.w, INT64_MAX, out.w);
    return out;
}

static inline __attribute__((always_inline, unused)) fzi_set
geo_slide(const fzi_topology *t, uint64_t site, uint64_t dirs, fzi_set through, int64_t most)
{
    if (most >= t->longest_ray)
        return geo_ride(t, site, dirs, through);
    fzi_set out = set_none();
    fzi_slide(t, (int)site, dirs, through.w, most, out.w);
    return out;
}

/* Is there a row of n along the direction? After k rounds `row` holds the sites where a row of k +
 * 1 ends. The direction that counts upwards is taken of the two, if each is one shift. */
FZ_INLINE bool geo_line_along(const fzi_topology *t, fzi_set set, int64_t n, unsigned d)
{
    const fzi_shift *shift = &t->shifts[t->first_shift[d]];
    bool single = t->first_shift[d + 1] == t->first_shift[d] + 1;
    fzi_set row = set;
    if (single && shift->delta < 0 && t->inverse[d] < t->dir_count)
        shift = &t->shifts[t->first_shift[t->inverse[d]]];
    if (single && shift->delta >= 0) {
        fzi_set from = set_at(shift->from);
        for (unsigned delta = (unsigned)shift->delta; n > 1; n--) {
            row = set_and(set_up(set_and(row, from), delta), set);
            if (!set_some(row))
                return false;
        }
        return true;
    }
    for (; n > 1; n--) {
        row = set_and(geo_shift(t, row, d), set);
        if (!set_some(row))
            return false;
    }
    return true;
}

FZ_INLINE bool geo_line(const fzi_topology *t, fzi_set set, int64_t n, uint64_t dirs)
{
    if (n < 2)
        return n < 1 || set_some(set);
    while (dirs) {
        unsigned d = (unsigned)__builtin_ctzll(dirs), inverse = t->inverse[d];
        dirs &= dirs - 1;
        dirs &= ~(
            UINT64_C(1) << inverse); /* the same rows, from their other end; no direction: no bit */
        if (__builtin_expect(t->shortest_cycle[d] && t->shortest_cycle[d] < n, 0)
                ? fzi_line(t, set.w, n, UINT64_C(1) << d)
                : geo_line_along(t, set, n, d))
            return true;
    }
    return false;
}

FZ_OUT_OF_LINE bool geo_line_at(const fzi_topology *t, uint64_t site, const fzi_set *set, int64_t n,
                                uint64_t dirs)
{
    if (n < 2 || !set_has(set, site))
        return set_has(set, site);
    for (unsigned i = 0; i < t->axis_count; i++) {
        if (!(dirs & t->axis_bits[i]))
            continue;
        const uint8_t *axis = t->axes[i];
        int64_t left = n - 1;
        const int16_t *there = t->steps + axis[0], *back = t->steps + axis[1];
        for (int64_t at = there[site * t->dir_count]; at >= 0 && set_has(set, (uint64_t)at);
             at = there[(uint64_t)at * t->dir_count])
            if (!--left)
                return true;
        for (int64_t at = back[site * t->dir_count]; at >= 0 && set_has(set, (uint64_t)at);
             at = back[(uint64_t)at * t->dir_count])
            if (!--left)
                return true;
    }
    dirs &= ~(uint64_t)t->axis_dirs;
    return dirs && fzi_line_at(t, (int)site, set->w, n, dirs);
}

/* Where n neighbouring bits of a word are set, n <= 64: the first of them. */
FZ_INLINE uint64_t geo_run(uint64_t bits, int64_t n)
{
    for (int64_t have = 1, more; have < n; have += more) {
        more = have < n - have ? have : n - have;
        bits &= bits >> more;
    }
    return bits;
}

/* A row of n among sites of one axis, which adds `delta` to a site's number. */
FZ_INLINE bool geo_row_among(fzi_set sites, unsigned delta, int64_t n)
{
    if ((uint64_t)(n - 1) * delta >= 64 * FZ_W)
        return false;
    for (int64_t have = 1, more; have < n; have += more) {
        more = have < n - have ? have : n - have;
        sites = set_and(sites, set_down(sites, (unsigned)more * delta));
    }
    return set_some(sites);
}

/* A row of n in the window, which holds at least n sites of the set; `delta`: see LINE_AT_GIVEN. */
FZ_INLINE bool geo_row_within(const fzi_set *set, const uint64_t *window, uint64_t delta,
                              int64_t n)
{
#ifdef FZ_FAST
    if (FZ_W == 1 || n <= 32)
        return geo_run(geo_window(set, window), n) != 0;
#endif
    if (delta)
        return geo_row_among(set_and(*set, set_at(window)), (unsigned)delta, n);
    fzi_set left = set_at(window);
    int64_t have = 0;
    while (set_some(left) && have < n)
        have = set_has(set, (uint64_t)set_take(&left)) ? have + 1 : 0;
    return have >= n;
}

/* A row of n in one of the windows of a site, which stands in the set. What a window's axis adds to
 * a site's number is `before` words ahead of it. */
FZ_OUT_OF_LINE bool geo_line_among(const fzi_set *set, int64_t n, const uint64_t *window,
                                   const uint64_t *end, uint64_t step, uint64_t before)
{
    for (; window < end; window += step) {
        int64_t count = 0;
        FZI_EACH_WORD(i) count += __builtin_popcountll(set->w[i] & window[i]);
        if (count >= n && geo_row_within(set, window, *(window - before), n))
            return true;
    }
    return false;
}

#if defined(FZ_AVX2) && FZ_W >= 4
#define GEO_SIDE_BY_SIDE
enum { GEO_MOST_AXES = 4, GEO_MOST_ROW = 1024 };
typedef uint64_t geo_four __attribute__((vector_size(32), aligned(8), may_alias));
typedef char geo_bytes __attribute__((vector_size(32)));

/* The members of two sets, counted in each byte. */
FZ_INLINE geo_bytes geo_counts(const uint64_t *set, const uint64_t *other)
{
    const geo_four low = (geo_four){0} + UINT64_C(0x0f0f0f0f0f0f0f0f);
    const geo_four bits = {0x0302020102010100, 0x0403030203020201, 0x0302020102010100,
                           0x0403030203020201}; /* of each number below 16 */
    geo_bytes counts = {0};
    for (unsigned i = 0; i < FZ_W; i += 4) {
        geo_four both = *(const geo_four *)(set + i) & *(const geo_four *)(other + i);
        counts += __builtin_ia32_pshufb256((geo_bytes)bits, (geo_bytes)(both & low)) +
                  __builtin_ia32_pshufb256((geo_bytes)bits, (geo_bytes)(both >> 4 & low));
    }
    return counts;
}

/* Which of up to four windows hold n sites of the set or more? Their counts are found side by side,
 * 16 bits each, so that one branch is left to predict. The highest bit of a lane answers; the last
 * window has the lowest lane. */
FZ_INLINE uint64_t geo_full(const fzi_set *set, const uint64_t *window, const uint64_t *end,
                            uint64_t step, int64_t n)
{
    const uint64_t lanes = UINT64_C(0x0001000100010001);
    geo_four sums = {0};
    for (; window < end; window += step)
        sums = sums << 16 |
               (geo_four)__builtin_ia32_psadbw256(geo_counts(set->w, window), (geo_bytes){0});
    uint64_t all = sums[0] + sums[1] + sums[2] + sums[3];
    return (all + (UINT64_C(0x8000) - (uint64_t)n) * lanes) & lanes << 15;
}

/* The same as geo_line_among in the windows that are full; `window` is the last. */
FZ_OUT_OF_LINE bool geo_line_in_full(const fzi_set *set, int64_t n, const uint64_t *window,
                                     uint64_t step, uint64_t before, uint64_t full)
{
    for (; full; full &= full - 1) {
        const uint64_t *at = window - (uint64_t)__builtin_ctzll(full) / 16 * step;
        if (geo_row_within(set, at, *(at - before), n))
            return true;
    }
    return false;
}
#endif

/* The same as geo_line_at; `windows`: see LINE_AT_GIVEN. */
FZ_OUT_OF_LINE bool geo_line_given(uint64_t site, const fzi_set *set, int64_t n,
                                   const fzi_set_rows *windows, uint64_t sites)
{
    if (!set_has(set, site))
        return false;
    const uint64_t step = (sites + 1) * FZ_W, before = (site + 1) * FZ_W,
                   *window = windows->at + before, *end = windows->at + windows->count * FZ_W;
#ifdef GEO_SIDE_BY_SIDE
    if (__builtin_expect(windows->count <= GEO_MOST_AXES * (sites + 1) && n <= GEO_MOST_ROW, 1)) {
        uint64_t full = geo_full(set, window, end, step, n);
        return full && geo_line_in_full(set, n, end - step + before, step, before, full);
    }
#endif
    return geo_line_among(set, n, window, end, step, before);
}

/* ---- rows between two ends ---- */

/* A row along a ray whose sites ascend, or descend: without a branch, which chance would decide. */
FZ_INLINE fzi_set geo_flanked_on(fzi_set ray, fzi_set row, fzi_set end, bool up)
{
    fzi_set reached = geo_reach(ray, row, up), within = set_and(reached, row);
    uint64_t closed = -(uint64_t)set_meets(set_sub(reached, row), end);
    FZI_EACH_WORD(i) within.w[i] &= closed;
    return within;
}

/* The rows from `site` in the directions, through `row` and ended by `end`; rays that do not
 * keep their order are followed step by step. */
FZ_INLINE fzi_set geo_flanked(const fzi_topology *t, uint64_t site, fzi_set row, fzi_set end,
                              uint64_t dirs)
{
    fzi_set out = set_none();
    const uint64_t *rays = t->rays + site * t->dir_count * FZ_W;
    FZI_EACH_DIR(d, dirs & t->up_dirs)
    out = set_or(out, geo_flanked_on(set_at(rays + d * FZ_W), row, end, true));
    FZI_EACH_DIR(d, dirs & t->down_dirs)
    out = set_or(out, geo_flanked_on(set_at(rays + d * FZ_W), row, end, false));
    dirs &= ~((uint64_t)t->up_dirs | t->down_dirs);
    if (__builtin_expect(dirs != 0, 0)) {
        fzi_set some;
        fzi_flanked(t, (int)site, row.w, end.w, dirs, some.w);
        out = set_or(out, some);
    }
    return out;
}

/* One direction, from the ends backwards, doubling the stride: `open` holds the sites of the row
 * that can be come to by one step, by two, by four … through the row. No ray of it has more than
 * `longest` sites, so that strides shorter than that move no site by the whole set or more. */
static inline __attribute__((always_inline)) fzi_set
geo_flanking_along(fzi_set end, fzi_set row, fzi_set targets, unsigned by, unsigned longest,
                   bool up)
{
#define MOVED(a, by) (up ? set_up(a, by) : set_down(a, by))
    fzi_set open = set_and(row, targets), fill = set_and(MOVED(end, by), open);
    unsigned far = by;
    for (unsigned stride = 1; stride < longest; far += far) {
        fill = set_or(fill, set_and(MOVED(fill, far), open));
        if ((stride += stride) >= longest)
            break;
        open = set_and(open, MOVED(open, far));
        if (FZ_W > 1 && !set_some(open))
            break;
    }
    return set_and(MOVED(fill, by), targets);
#undef MOVED
}

/* The same in a direction of several shifts, or one that comes round to its start. */
FZ_INLINE fzi_set geo_flanking_on(const fzi_topology *t, fzi_set end, fzi_set row, unsigned back)
{
    fzi_set fill = set_and(geo_shift(t, end, back), row), fresh = fill;
    while (set_some(fresh)) {
        fresh = set_sub(set_and(geo_shift(t, fresh, back), row), fill);
        fill = set_or(fill, fresh);
    }
    return geo_shift(t, fill, back);
}

/* The sites of `start` that have such a row beside them. */
FZ_OUT_OF_LINE fzi_set geo_flanking(const fzi_topology *t, fzi_set end, fzi_set row, fzi_set start,
                                    uint64_t dirs)
{
    fzi_set out = set_none(), ends = set_sub(end, row);
    FZI_EACH_DIR(d, dirs & t->even_dirs)
    {
        fzi_set targets = set_at(t->even[d].from); /* of the way back */
        int delta = -t->even[d].delta;
        unsigned longest = t->longest_rays[d];
        out = set_or(
            out, delta > 0
                     ? geo_flanking_along(ends, row, targets, (unsigned)delta, longest, true)
                     : geo_flanking_along(ends, row, targets, (unsigned)-delta, longest, false));
    }
    dirs &= ~(uint64_t)t->even_dirs;
    if (!dirs)
        return set_and(out, start);
    /* Only a row that comes round to its own start is left to the slow way. */
    bool apart = !set_meets(start, row) && !set_meets(start, end);
    for (uint64_t rest = dirs; rest; rest &= rest - 1) {
        unsigned d = (unsigned)__builtin_ctzll(rest), back = t->inverse[d];
        if (back >= t->dir_count || (t->shortest_cycle[d] && !apart))
            continue;
        dirs &= ~(UINT64_C(1) << d);
        out = set_or(out, geo_flanking_on(t, ends, row, back));
    }
    out = set_and(out, start);
    if (dirs) {
        fzi_set some;
        fzi_flanking(t, end.w, row.w, start.w, dirs, some.w);
        out = set_or(out, some);
    }
    return out;
}

/* The same; not worked out again when nothing has changed since. */
FZ_INLINE fzi_set geo_flanking_known(const fzi_topology *t, fzi_memo *memo, fzi_set end,
                                     fzi_set row, fzi_set start, uint64_t dirs)
{
    if (memo->dirs == dirs && set_equal(row, set_at(memo->row)) &&
        set_equal(end, set_at(memo->end)) && set_equal(start, set_at(memo->start)))
        return set_at(memo->answer);
    fzi_set out = geo_flanking(t, end, row, start, dirs);
    if (!memo->keeps)
        return out;
    memo->dirs = dirs;
    memcpy(memo->end, end.w, sizeof end.w);
    memcpy(memo->row, row.w, sizeof row.w);
    memcpy(memo->start, start.w, sizeof start.w);
    memcpy(memo->answer, out.w, sizeof out.w);
    return out;
}

#endif
