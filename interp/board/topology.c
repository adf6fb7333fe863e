/* Derives from a board what makes its geometry quick: groups of sites that a direction moves by the
 * same distance, rays, inverse directions, cycles, coordinates. Made once when a program is loaded;
 * geometry.c works with it. */
#include "topology.h"

#include <stdatomic.h>

#include "interp/support/words.h"

enum {
    FZ_EAGER_DISTANCE = 128, /* up to so many sites the table of distances is made at once */
    FZ_NO_WAY = 0xffff
};

/* The memory of a topology. */
typedef struct memory {
    fzi_allocator allocator;
    void *parts[16];
    unsigned count;
    _Atomic(uint16_t *) distance;
} memory;

static void *allocate(const memory *owner, size_t count, size_t item)
{
    return fzi_allocate(owner->allocator, count * item);
}

/* A part of the topology, cleared; it may have no items. */
static void *part(memory *owner, size_t count, size_t item)
{
    void *made = allocate(owner, count + 1, item);
    if (made)
        memset(made, 0, count * item);
    return owner->parts[owner->count++] = made;
}

static int next_site(const fz_board *board, unsigned dir, unsigned site)
{
    return board->next[dir * board->site_count + site];
}

/* ---- steps ---- */

/* The sites of a direction grouped by delta; groups are in the order of their least site.
 * `shifts` and `sets` have room for a group for each site. Returns the number of groups. */
static unsigned group_shifts(const fz_board *board, unsigned dir, fzi_shift *shifts, uint64_t *sets)
{
    unsigned words = board->words, count = 0;
    for (unsigned site = 0; site < board->site_count; site++) {
        int to = next_site(board, dir, site);
        if (to < 0)
            continue;
        int delta = to - (int)site;
        unsigned g = 0;
        while (g < count && shifts[g].delta != delta)
            g++;
        if (g == count) {
            fzi_words_clear(sets + g * words, words);
            shifts[count++] = (fzi_shift){.delta = delta};
        }
        fzi_words_add(sets + g * words, site);
    }
    return count;
}

static bool derive_shifts(fzi_topology *t, memory *owner)
{
    const fz_board *board = t->board;
    size_t words = t->words, sites = t->site_count, dirs = t->dir_count;
    fzi_shift *found = allocate(owner, sites + 1, sizeof *found);
    uint64_t *sets = allocate(owner, (sites + 1) * words, sizeof *sets);
    size_t total = 0;
    if (found && sets)
        for (unsigned d = 0; d < dirs; d++)
            total += group_shifts(board, d, found, sets);
    fzi_shift *shifts = part(owner, total, sizeof *shifts);
    uint64_t *from = part(owner, total * words, sizeof *from);
    bool good = found && sets && shifts && from;
    size_t n = 0;
    for (unsigned d = 0; good && d < dirs; d++) {
        unsigned count = group_shifts(board, d, found, sets);
        t->first_shift[d] = (uint16_t)n;
        memcpy(from + n * words, sets, count * words * sizeof *sets);
        for (unsigned g = 0; g < count; g++, n++)
            shifts[n] = (fzi_shift){.delta = found[g].delta, .from = from + n * words};
    }
    t->first_shift[dirs] = (uint16_t)n;
    t->shifts = shifts;
    FZI_RELEASE(owner->allocator, found, sets);
    return good;
}

static bool derive_steps(fzi_topology *t, memory *owner)
{
    int16_t *steps = part(owner, (size_t)t->site_count * t->dir_count, sizeof *steps);
    for (unsigned site = 0; steps && site < t->site_count; site++)
        for (unsigned d = 0; d < t->dir_count; d++)
            steps[site * t->dir_count + d] = (int16_t)next_site(t->board, d, site);
    t->steps = steps;
    return steps != NULL;
}

/* ---- rays ---- */

/* Fills the ray from `site`; a ray ends before a site it has been at. Returns its length, and notes
 * the cycle it closes, if any. */
static unsigned trace_ray(fzi_topology *t, unsigned dir, unsigned site, uint64_t *ray)
{
    unsigned length = 0;
    unsigned at = site;
    for (;;) {
        int to = next_site(t->board, dir, at);
        if (to < 0)
            break;
        if ((unsigned)to == site) {
            unsigned cycle = length + 1;
            if (!t->shortest_cycle[dir] || cycle < t->shortest_cycle[dir])
                t->shortest_cycle[dir] = (uint16_t)cycle;
            break;
        }
        if (fzi_words_has(ray, (unsigned)to))
            break; /* a cycle beyond; it is noted from one of its own sites */
        at = (unsigned)to;
        fzi_words_add(ray, at);
        length++;
    }
    return length;
}

static int ray_order(const fzi_topology *t, unsigned dir)
{
    bool up = true, down = true;
    for (unsigned g = t->first_shift[dir]; g < t->first_shift[dir + 1]; g++) {
        up = up && t->shifts[g].delta > 0;
        down = down && t->shifts[g].delta < 0;
    }
    return up ? 1 : down ? -1 : 0;
}

static bool derive_rays(fzi_topology *t, memory *owner)
{
    size_t words = t->words, sites = t->site_count;
    uint64_t *rays = part(owner, t->dir_count * sites * words, sizeof *rays);
    if (!rays)
        return false;
    for (unsigned d = 0; d < t->dir_count; d++) {
        t->ray_order[d] = (int8_t)ray_order(t, d);
        for (unsigned site = 0; site < sites; site++) {
            unsigned length = trace_ray(t, d, site, rays + (site * t->dir_count + d) * words);
            if (length > t->longest_rays[d])
                t->longest_rays[d] = (uint16_t)length;
        }
        if (t->longest_rays[d] > t->longest_ray)
            t->longest_ray = t->longest_rays[d];
    }
    t->rays = rays;
    return true;
}

/* ---- directions that undo each other ---- */

static bool undoes(const fz_board *board, unsigned dir, unsigned other)
{
    for (unsigned site = 0; site < board->site_count; site++) {
        int there = next_site(board, dir, site), back = next_site(board, other, site);
        if (there >= 0 && next_site(board, other, (unsigned)there) != (int)site)
            return false;
        if (back >= 0 && next_site(board, dir, (unsigned)back) != (int)site)
            return false;
    }
    return true;
}

static void derive_inverses(fzi_topology *t)
{
    const fz_board *board = t->board;
    unsigned dirs = board->dir_count;
    t->reversible = true;
    for (unsigned d = 0; d < dirs; d++) {
        unsigned named = board->opposite[d], found = dirs;
        if (named < dirs && undoes(board, d, named))
            found = named;
        for (unsigned o = 0; o < dirs && found == dirs; o++)
            if (undoes(board, d, o))
                found = o;
        t->inverse[d] = (uint8_t)found;
        if (named >= dirs || found != named)
            t->reversible = false;
    }
}

static void derive_even(fzi_topology *t)
{
    for (unsigned d = 0; d < t->dir_count; d++) {
        uint32_t bit = UINT32_C(1) << d;
        t->up_dirs |= t->ray_order[d] > 0 ? bit : 0;
        t->down_dirs |= t->ray_order[d] < 0 ? bit : 0;
        if (t->inverse[d] >= t->dir_count || t->shortest_cycle[d] ||
            t->first_shift[d + 1] != t->first_shift[d] + 1)
            continue;
        t->even_dirs |= bit;
        t->even[d] = t->shifts[t->first_shift[d]];
    }
}

static void derive_axes(fzi_topology *t)
{
    for (unsigned d = 0; d < t->dir_count; d++) {
        unsigned back = t->inverse[d];
        if (back <= d || back >= t->dir_count || t->inverse[back] != d || t->shortest_cycle[d])
            continue;
        t->axes[t->axis_count][0] = (uint8_t)d;
        t->axes[t->axis_count][1] = (uint8_t)back;
        t->axis_bits[t->axis_count] = UINT64_C(1) << d | UINT64_C(1) << back;
        t->axis_dirs |= (uint32_t)t->axis_bits[t->axis_count++];
    }
}

enum { MOST_LINED = 10, MOST_LINED_WORDS = 2 }; /* other sites of a line; words of the board */

/* Where a slide comes to on a line of n other sites, from behind the first `place` of them. */
static uint16_t reach_on_line(unsigned n, unsigned place, unsigned through)
{
    unsigned reach = 0;
    for (unsigned i = place, on = 1; on && i < n; i++) {
        reach |= 1u << i;
        on = through >> i & 1;
    }
    for (unsigned i = place, on = 1; on && i > 0; i--) {
        reach |= 1u << (i - 1);
        on = through >> (i - 1) & 1;
    }
    return (uint16_t)reach;
}

static unsigned count_sites(const uint64_t *set, unsigned words)
{
    unsigned count = 0;
    for (unsigned i = 0; i < words; i++)
        count += (unsigned)__builtin_popcountll(set[i]);
    return count;
}

/* Lines of different axes have rows of the same length. */
static bool derive_lines(fzi_topology *t, memory *owner)
{
    unsigned words = t->words, axes = t->axis_count, most = 0;
    size_t all = (size_t)t->site_count * axes;
    bool few = words <= MOST_LINED_WORDS;
    uint64_t *lines = part(owner, few ? all * words : 0, sizeof *lines);
    uint16_t *places = part(owner, few ? all : 0, sizeof *places);
    if (!lines || !places)
        return false;
    for (unsigned a = 0; few && a < axes; a++) {
        bool ascends = t->ray_order[t->axes[a][0]] > 0;
        unsigned up = t->axes[a][!ascends], down = t->axes[a][ascends];
        if (t->ray_order[up] <= 0 || t->ray_order[down] >= 0)
            continue;
        t->lined |= UINT32_C(1) << a;
        for (size_t site = 0; site < t->site_count; site++) {
            const uint64_t *rays = t->rays + site * t->dir_count * words;
            uint64_t *line = lines + (site * axes + a) * words;
            for (unsigned i = 0; i < words; i++)
                line[i] = rays[up * words + i] | rays[down * words + i];
            places[site * axes + a] = (uint16_t)count_sites(rays + down * words, words);
            unsigned length = count_sites(line, words);
            most = length > most ? length : most;
        }
    }
    t->lined = most <= MOST_LINED ? t->lined : 0;
    t->line_reaches = t->lined ? (most + 1u) << most : 0;
    uint16_t *reach = part(owner, t->line_reaches, sizeof *reach);
    if (!reach)
        return false;
    for (unsigned place = 0; t->lined && place <= most; place++)
        for (unsigned through = 0; through < 1u << most; through++)
            reach[place << most | through] = reach_on_line(most, place, through);
    for (size_t i = 0; t->lined && i < all; i++)
        places[i] = (uint16_t)(places[i] << most);
    t->lines = lines;
    t->line_places = places;
    t->line_reach = reach;
    return true;
}

/* ---- neighbours ---- */

static bool derive_around(fzi_topology *t, memory *owner)
{
    const fz_board *board = t->board;
    size_t words = t->words;
    t->around_dirs[0] = board->orthogonal;
    t->around_dirs[1] = board->adjacent;
    for (unsigned i = 0; i < 2; i++) {
        if (i && t->around_dirs[i] == t->around_dirs[0]) {
            t->around[i] = t->around[0];
            break;
        }
        uint64_t *around = part(owner, t->site_count * words, sizeof *around);
        if (!around)
            return false;
        for (unsigned d = 0; d < t->dir_count; d++)
            for (unsigned site = 0; t->around_dirs[i] >> d & 1 && site < t->site_count; site++) {
                int to = next_site(board, d, site);
                if (to >= 0)
                    fzi_words_add(around + site * words, (unsigned)to);
            }
        t->around[i] = around;
    }
    return true;
}

/* ---- coordinates ---- */

static bool has_place(const fz_board *board, unsigned site)
{
    return board->column[site] > 0 && board->row[site] > 0;
}

/* How most steps of a direction change the coordinates: wrapped rows and edges that lead
 * elsewhere are fewer. Directions whose steps agree on nothing (none between two places) have no
 * vector. */
static bool find_vector(const fz_board *board, unsigned dir, int8_t vector[2])
{
    unsigned best = 0;
    for (unsigned site = 0; site < board->site_count; site++) {
        int to = next_site(board, dir, site);
        if (to < 0 || !has_place(board, site) || !has_place(board, (unsigned)to))
            continue;
        int x = board->column[to] - board->column[site], y = board->row[to] - board->row[site];
        if (x < -1 || x > 1 || y < -1 || y > 1 || (x == 0 && y == 0))
            continue;
        unsigned count = 0;
        for (unsigned s = 0; s < board->site_count; s++) {
            int n = next_site(board, dir, s);
            count += n >= 0 && board->column[n] - board->column[s] == x
                && board->row[n] - board->row[s] == y;
        }
        if (count > best) {
            best = count;
            vector[0] = (int8_t)x;
            vector[1] = (int8_t)y;
        }
        if (count * 2 > board->site_count)
            break;
    }
    return best > 0;
}

static int site_at(const fzi_topology *t, int column, int row)
{
    if (column < 1 || row < 1 || column > t->board->columns || row > t->board->rows)
        return -1;
    return t->site_at[(row - 1) * t->board->columns + column - 1];
}

/* Does every last site of a line (in columns: of a row) have the first as its neighbour towards
 * `dir`? `across` says that lines are rows. Lines that lack either end don't speak. */
static bool joins_ends(const fzi_topology *t, unsigned dir, bool across)
{
    int length = across ? t->board->columns : t->board->rows;
    int lines = across ? t->board->rows : t->board->columns;
    int joined = 0;
    for (int line = 1; line <= lines; line++) {
        int first = across ? site_at(t, 1, line) : site_at(t, line, 1);
        int last = across ? site_at(t, length, line) : site_at(t, line, length);
        if (first < 0 || last < 0)
            continue;
        if (next_site(t->board, dir, (unsigned)last) != first)
            return false;
        joined++;
    }
    return joined > 0;
}

static bool derive_coordinates(fzi_topology *t, memory *owner)
{
    const fz_board *board = t->board;
    if (!board->columns || !board->rows || !board->column || !board->row)
        return true;
    size_t cells = (size_t)board->columns * board->rows;
    int16_t *places = part(owner, cells, sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < cells; i++)
        places[i] = -1;
    for (unsigned site = 0; site < board->site_count; site++)
        if (has_place(board, site) && board->column[site] <= board->columns
            && board->row[site] <= board->rows)
            places[(board->row[site] - 1) * board->columns + board->column[site] - 1] =
                (int16_t)site;
    t->site_at = places;
    for (unsigned d = 0; d < t->dir_count; d++) {
        if (!find_vector(board, d, t->vector[d]))
            continue;
        if (board->orthogonal >> d & 1)
            t->ring[t->ring_size++] = (uint8_t)d;
        if (t->vector[d][0] == 1 && t->vector[d][1] == 0 && joins_ends(t, d, true))
            t->wraps_columns = true;
        if (t->vector[d][0] == 0 && t->vector[d][1] == 1 && joins_ends(t, d, false))
            t->wraps_rows = true;
    }
    return true;
}

/* ---- distances ---- */

static void distances_from(const fz_board *board, unsigned start, uint16_t *out, uint16_t *queue)
{
    unsigned sites = board->site_count, head = 0, tail = 0;
    for (unsigned s = 0; s < sites; s++)
        out[s] = FZ_NO_WAY;
    out[start] = 0;
    queue[tail++] = (uint16_t)start;
    while (head < tail) {
        unsigned at = queue[head++];
        for (unsigned d = 0; d < board->dir_count; d++) {
            int to = next_site(board, d, at);
            if (to < 0 || out[to] != FZ_NO_WAY)
                continue;
            out[to] = (uint16_t)(out[at] + 1);
            queue[tail++] = (uint16_t)to;
        }
    }
}

/* NULL when memory is short. */
static uint16_t *make_distances(const memory *owner, const fz_board *board)
{
    size_t sites = board->site_count;
    uint16_t *table = allocate(owner, sites * sites + 1, sizeof *table);
    uint16_t queue[FZ_MAX_SITES];
    for (unsigned s = 0; table && s < sites; s++)
        distances_from(board, s, table + s * sites, queue);
    return table;
}

/* The table of a big board is made when it is first asked for; several threads may ask at a
 * time, and only one table is kept. */
static const uint16_t *lazy_distances(const fzi_topology *t)
{
    memory *owner = t->owner;
    uint16_t *table = atomic_load_explicit(&owner->distance, memory_order_acquire);
    if (table)
        return table;
    uint16_t *made = make_distances(owner, t->board);
    if (!made)
        return NULL;
    if (atomic_compare_exchange_strong_explicit(&owner->distance, &table, made,
                                                memory_order_acq_rel, memory_order_acquire))
        return made;
    fzi_release(owner->allocator, made);
    return table;
}

int64_t fzi_distance(const fzi_topology *t, int a, int b)
{
    if (a < 0 || b < 0)
        return -1;
    const uint16_t *table = t->distance ? t->distance : lazy_distances(t);
    uint16_t found;
    if (table) {
        found = table[(size_t)a * t->site_count + (size_t)b];
    } else {
        uint16_t row[FZ_MAX_SITES], queue[FZ_MAX_SITES];
        distances_from(t->board, (unsigned)a, row, queue);
        found = row[b];
    }
    return found == FZ_NO_WAY ? -1 : found;
}

/* ---- all of it ---- */

static bool derive_all(fzi_topology *t, memory *owner)
{
    uint64_t *all = part(owner, t->words, sizeof *all);
    if (!all)
        return false;
    for (unsigned site = 0; site < t->site_count; site++)
        fzi_words_add(all, site);
    t->all = all;
    if (!derive_shifts(t, owner) || !derive_rays(t, owner)
        || !derive_steps(t, owner) || !derive_around(t, owner) || !derive_coordinates(t, owner))
        return false;
    derive_inverses(t);
    derive_axes(t);
    derive_even(t);
    if (!derive_lines(t, owner))
        return false;
    if (t->site_count <= FZ_EAGER_DISTANCE) {
        uint16_t *table = make_distances(owner, t->board);
        atomic_store(&owner->distance, table);
        t->distance = table;
        return table != NULL;
    }
    return true;
}

fzi_topology *fzi_topology_new(const fz_board *board, fzi_allocator allocator)
{
    fzi_topology *t = fzi_allocate(allocator, sizeof *t);
    memory *owner = fzi_allocate(allocator, sizeof *owner);
    if (!t || !owner) {
        FZI_RELEASE(allocator, t, owner);
        return NULL;
    }
    memset(t, 0, sizeof *t);
    memset(owner, 0, sizeof *owner);
    owner->allocator = allocator;
    t->board = board;
    t->words = board->words;
    t->site_count = board->site_count;
    t->dir_count = board->dir_count;
    t->owner = owner;
    atomic_init(&owner->distance, NULL);
    if (!derive_all(t, owner)) {
        fzi_topology_free(t);
        return NULL;
    }
    return t;
}

void fzi_topology_free(fzi_topology *t)
{
    if (!t)
        return;
    memory *owner = t->owner;
    fzi_allocator allocator = owner->allocator;
    while (owner->count)
        fzi_release(allocator, owner->parts[--owner->count]);
    FZI_RELEASE(allocator, atomic_load(&owner->distance), owner, t);
}
