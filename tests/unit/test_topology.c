/* interp/board/geometry.c, and the geometry of the loop's instructions (interp/vm/ops_board.h),
 * against plain walks from neighbour to neighbour, on boards of every kind and on random sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FZ_W 16
#include "interp/vm/ops_board.h"

enum { WORDS = FZ_W, SITES = FZ_MAX_SITES };
#include "plain_geometry.h"

static uint64_t rng_state;

static uint64_t draw(void)
{
    rng_state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = rng_state;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static unsigned below(unsigned n)
{
    return (unsigned)(draw() % n);
}

/* ---- boards ---- */

typedef struct sample {
    const char *name;
    fz_board board;
    int16_t next[FZ_MAX_DIRS * SITES], column[SITES], row[SITES];
    int16_t at[SITES]; /* by place, while it is made */
} sample;

typedef struct heading { int x, y; } heading;

static const heading square_dirs[8] = {{0, 1}, {1, 1}, {1, 0}, {1, -1},
                                       {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
static const heading hex_dirs[6] = {{0, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}};

static void finish(sample *s, unsigned sites, unsigned dirs, unsigned words)
{
    s->board.site_count = (uint16_t)sites;
    s->board.dir_count = (uint8_t)dirs;
    unsigned least = (sites + 63) / 64;
    s->board.words = (uint8_t)(words > least ? words : least);
    s->board.next = s->next;
    s->board.column = s->column;
    s->board.row = s->row;
    for (unsigned d = 0; d < dirs; d++)
        s->board.opposite[d] = (uint8_t)(dirs % 2 ? dirs : (d + dirs / 2) % dirs);
}

/* A grid of any lattice; `holes` in a hundred places have no site; the ends of rows or columns
 * may be joined. */
static sample *grid(const char *name, int columns, int rows, const heading *dirs,
                    unsigned dir_count, unsigned holes, bool wrap_columns, bool wrap_rows,
                    unsigned words)
{
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->name = name;
    unsigned sites = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            bool hole = below(100) < holes;
            s->at[y * columns + x] = (int16_t)(hole ? -1 : (int)sites);
            if (hole)
                continue;
            s->column[sites] = (int16_t)(x + 1);
            s->row[sites] = (int16_t)(y + 1);
            sites++;
        }
    for (unsigned d = 0; d < dir_count; d++)
        for (unsigned i = 0; i < sites; i++) {
            int x = s->column[i] - 1 + dirs[d].x, y = s->row[i] - 1 + dirs[d].y;
            if (wrap_columns)
                x = (x + columns) % columns;
            if (wrap_rows)
                y = (y + rows) % rows;
            bool out = x < 0 || y < 0 || x >= columns || y >= rows;
            s->next[d * sites + i] = (int16_t)(out ? -1 : s->at[y * columns + x]);
        }
    s->board.columns = (uint16_t)columns;
    s->board.rows = (uint16_t)rows;
    s->board.orthogonal = dir_count == 8 ? 0x55 : (1u << dir_count) - 1;
    s->board.adjacent = (1u << dir_count) - 1;
    finish(s, sites, dir_count, words);
    return s;
}

/* Any edges: of each direction, with the given share (in a hundred) of sites that have a neighbour.
 * `one_to_one`: no two sites have the same neighbour in a direction, so that it has cycles. */
static sample *graph(const char *name, unsigned sites, unsigned dirs, unsigned share,
                     bool one_to_one)
{
    sample *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->name = name;
    for (unsigned d = 0; d < dirs; d++) {
        int16_t order[SITES];
        for (unsigned i = 0; i < sites; i++) {
            unsigned j = below(i + 1);
            order[i] = order[j];
            order[j] = (int16_t)i;
        }
        for (unsigned i = 0; i < sites; i++) {
            int to = one_to_one ? order[i] : (int)below(sites);
            s->next[d * sites + i] = (int16_t)(below(100) < share ? to : -1);
        }
    }
    s->board.orthogonal = s->board.adjacent = (1u << dirs) - 1;
    finish(s, sites, dirs, 0);
    for (unsigned d = 0; d < dirs; d++)
        s->board.opposite[d] = (uint8_t)dirs;
    return s;
}

enum { SAMPLES = 22 };

static sample *make_sample(int number)
{
    const heading *q = square_dirs, *h = hex_dirs;
    switch (number) {
    case 0: return grid("3x3", 3, 3, q, 8, 0, false, false, 0);
    case 1: return grid("8x8", 8, 8, q, 8, 0, false, false, 0);
    case 2: return grid("8x8, three words", 8, 8, q, 8, 0, false, false, 3);
    case 3: return grid("9x10", 9, 10, q, 8, 0, false, false, 0);
    case 4: return grid("15x15", 15, 15, q, 8, 0, false, false, 0);
    case 5: return grid("19x19", 19, 19, q, 8, 0, false, false, 0);
    case 6: return grid("32x32", 32, 32, q, 8, 0, false, false, 0);
    case 7: return grid("8x8 with holes", 8, 8, q, 8, 15, false, false, 0);
    case 8: return grid("14x14 with holes", 14, 14, q, 8, 20, false, false, 0);
    case 9: return grid("hex 11", 11, 11, h, 6, 0, false, false, 0);
    case 10: return grid("hex with holes", 9, 7, h, 6, 10, false, false, 1);
    case 11: return grid("cylinder", 8, 8, q, 8, 0, true, false, 0);
    case 12: return grid("torus", 9, 9, q, 8, 0, true, true, 0);
    case 13: return grid("torus with holes", 7, 6, q, 8, 20, true, true, 0);
    case 14: return grid("ring", 12, 1, q, 8, 0, true, false, 0);
    case 15: return grid("strip", 30, 1, q, 8, 0, false, false, 0);
    case 16: return grid("narrow torus", 2, 3, q, 8, 0, true, true, 0);
    case 17: return grid("four directions", 12, 7, (const heading[]){q[0], q[2], q[4], q[6]}, 4, 0,
                         false, false, 16);
    case 18: return graph("graph", 40, 5, 60, false);
    case 19: return graph("big graph", 300, 3, 90, false);
    case 20: return graph("cycles", 50, 4, 100, true);
    default: return graph("paths", 130, 3, 80, true);
    }
}

/* ---- the comparison ---- */

typedef struct sets {
    uint64_t a[WORDS], b[WORDS], c[WORDS], got[WORDS], want[WORDS];
    uint64_t dirs;
    int site, other;
} sets;

static void random_set(const fzi_topology *t, uint64_t *set)
{
    static const unsigned shares[] = {0, 3, 15, 50, 85, 100};
    unsigned share = shares[below(6)];
    memset(set, 0, WORDS * sizeof *set);
    for (unsigned s = 0; s < t->site_count; s++)
        if (below(100) < share)
            fzi_words_add(set, s);
}

static void random_case(const fzi_topology *t, sets *x)
{
    memset(x, 0, sizeof *x);
    random_set(t, x->a);
    random_set(t, x->b);
    random_set(t, x->c);
    x->dirs = below(3) ? draw() & ((UINT64_C(1) << t->dir_count) - 1) : t->board->adjacent;
    x->site = (int)below(t->site_count);
    x->other = (int)below(t->site_count);
}

static void check_equal(const fzi_topology *t, const sample *s, const char *what, const sets *x)
{
    if (memcmp(x->got, x->want, WORDS * sizeof *x->got)) {
        for (unsigned site = 0; site < t->site_count; site++)
            if (has(x->got, (int)site) != has(x->want, (int)site))
                print_error("%s, %s: site %u %s\n", s->name, what, site,
                            has(x->got, (int)site) ? "too much" : "missing");
        fail();
    }
}

static void check_truth(const sample *s, const char *what, bool got, bool want)
{
    if (got != want) {
        print_error("%s, %s: %d\n", s->name, what, got);
        fail();
    }
}

static void clear_results(sets *x)
{
    memset(x->got, 0, sizeof x->got);
    memset(x->want, 0, sizeof x->want);
}

static void compare_shifts(const sample *s, const fzi_topology *t, sets *x)
{
    unsigned dir = below(t->dir_count);
    set_write(x->got, geo_shift(t, set_at(x->a), dir));
    plain_step(t, x->a, UINT64_C(1) << dir, x->want);
    check_equal(t, s, "shift", x);
    set_write(x->got, geo_step(t, set_at(x->a), x->dirs));
    plain_step(t, x->a, x->dirs, x->want);
    check_equal(t, s, "steps", x);
    clear_results(x);
    set_write(x->got, geo_slide(t, (uint64_t)x->site, x->dirs, set_at(x->a), INT64_MAX));
    for (unsigned d = 0; d < t->dir_count; d++)
        if (x->dirs >> d & 1)
            plain_slide(t, x->site, d, x->a, INT64_MAX, x->want);
    check_equal(t, s, "rides", x);
}

static void compare_slides(const sample *s, const fzi_topology *t, sets *x)
{
    int64_t most = below(2) ? INT64_MAX : below(6);
    clear_results(x);
    fzi_words_add(x->got, (unsigned)x->other); /* results are added */
    fzi_words_add(x->want, (unsigned)x->other);
    fzi_slide(t, x->site, x->dirs, x->a, most, x->got);
    for (unsigned d = 0; d < t->dir_count; d++)
        if (x->dirs >> d & 1)
            plain_slide(t, x->site, d, x->a, most, x->want);
    check_equal(t, s, "slide", x);
}

static void compare_between(const sample *s, const fzi_topology *t, sets *x)
{
    int best = 0, walk[SITES], row[SITES];
    clear_results(x);
    fzi_between(t, x->site, x->other, x->got);
    for (unsigned d = 0; d < t->dir_count; d++)
        for (int back = 0; back < 2; back++) {
            int from = back ? x->other : x->site, to = back ? x->site : x->other;
            int length = plain_walk(t, from, d, NULL, walk);
            for (int i = 0; i < length; i++)
                if (walk[i] == to && (!best || i + 1 < best)) {
                    best = i + 1;
                    memcpy(row, walk, sizeof row);
                }
        }
    for (int i = 0; i + 1 < best; i++)
        fzi_words_add(x->want, (unsigned)row[i]);
    check_equal(t, s, "between", x);
}

static void compare_floods(const sample *s, const fzi_topology *t, sets *x)
{
    uint64_t start[WORDS];
    clear_results(x);
    set_write(x->got, geo_flood(t, set_at(x->a), set_at(x->b), x->dirs));
    plain_flood(t, x->a, x->b, x->dirs, x->want);
    check_equal(t, s, "flood", x);
    bool want = false;
    for (unsigned i = 0; i < WORDS; i++)
        start[i] = x->a[i] & x->b[i];
    plain_flood(t, start, x->b, x->dirs, x->want);
    for (unsigned i = 0; i < WORDS; i++)
        want = want || (x->want[i] & x->b[i] & x->c[i]);
    fzi_set a = set_at(x->a), b = set_at(x->b), c = set_at(x->c);
    check_truth(s, "connected", geo_connected(t, &a, &c, &b, x->dirs), want);
    clear_results(x);
    fzi_words_add(x->want, (unsigned)x->site);
    int64_t steps = 0;
    while (!has(x->want, x->other)) {
        memcpy(x->got, x->want, sizeof x->got);
        plain_step(t, x->got, ~UINT64_C(0), start);
        for (unsigned i = 0; i < WORDS; i++)
            x->want[i] |= start[i];
        steps++;
        if (!memcmp(x->got, x->want, sizeof x->got)) {
            steps = -1;
            break;
        }
    }
    assert_int_equal(fzi_distance(t, x->site, x->other), steps);
}

static void compare_lines(const sample *s, const fzi_topology *t, sets *x)
{
    int64_t n = (int64_t)below(8) - 1;
    bool want = n <= 0 || plain_line(t, -1, x->a, n, x->dirs);
    if (n == 1)
        want = !fzi_words_empty(x->a, WORDS);
    fzi_set a = set_at(x->a);
    check_truth(s, "line", geo_line(t, a, n, x->dirs), want);
    want = has(x->a, x->site) && (n <= 1 || plain_line(t, x->site, x->a, n, x->dirs));
    check_truth(s, "line_at", geo_line_at(t, (uint64_t)x->site, &a, n, x->dirs), want);
}

static void compare_flanks(const sample *s, const fzi_topology *t, sets *x)
{
    if (below(2)) /* as in games: a site is in one of the sets */
        for (unsigned i = 0; i < WORDS; i++) {
            x->b[i] &= ~x->a[i];
            x->c[i] &= ~(x->a[i] | x->b[i]);
        }
    clear_results(x);
    set_write(x->got, geo_flanked(t, (uint64_t)x->site, set_at(x->a), set_at(x->b), x->dirs));
    for (unsigned d = 0; d < t->dir_count; d++)
        if (x->dirs >> d & 1)
            plain_flanked(t, x->site, x->a, x->b, d, x->want);
    check_equal(t, s, "flanked", x);
    clear_results(x);
    set_write(x->got,
              geo_flanking(t, set_at(x->b), set_at(x->a), set_at(x->c), x->dirs));
    plain_flanking(t, x->b, x->a, x->c, x->dirs, x->want);
    check_equal(t, s, "flanking", x);
}

static void compare_with_plain_walks(void **state)
{
    (void)state;
    rng_state = 1;
    for (int number = 0; number < 2 * SAMPLES; number++) {
        bool wide = number >= SAMPLES; /* as the loop for boards of WORDS words sees it */
        sample *s = make_sample(number % SAMPLES);
        s->board.words = wide ? WORDS : s->board.words;
        fzi_topology *t = fzi_topology_new(&s->board, fzi_allocator_default());
        assert_non_null(t);
        int rounds = t->site_count > 200 ? 40 : 300;
        for (int i = 0; i < rounds; i++) {
            sets x;
            random_case(t, &x);
            compare_slides(s, t, &x);
            compare_between(s, t, &x);
            if (!wide)
                continue;
            compare_shifts(s, t, &x);
            compare_floods(s, t, &x);
            compare_lines(s, t, &x);
            compare_flanks(s, t, &x);
        }
        fzi_topology_free(t);
        free(s);
    }
}

/* ---- leaps ---- */

static int place(const sample *s, int x, int y, bool wrap)
{
    int columns = s->board.columns, rows = s->board.rows;
    if (wrap) {
        x = (x % columns + columns) % columns;
        y = (y % rows + rows) % rows;
    }
    return x < 0 || y < 0 || x >= columns || y >= rows ? -1 : s->at[y * columns + x];
}

static void square_leaps(const sample *s, const fzi_topology *t, bool wrap)
{
    static const int signs[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    for (int site = 0; site < t->site_count; site++)
        for (int a = 0; a < 5; a++)
            for (int b = 0; b < 5; b++) {
                sets x = {.site = site};
                uint64_t through[WORDS];
                random_set(t, through);
                uint64_t ridden[WORDS] = {0}, want[WORDS] = {0};
                fzi_ride(t, site, a, b, NULL, x.got);
                fzi_ride(t, site, a, b, through, ridden);
                for (int o = 0; o < 8; o++) {
                    int dx = signs[o / 2][0] * (o & 1 ? b : a);
                    int dy = signs[o / 2][1] * (o & 1 ? a : b);
                    int at = site;
                    for (int i = 1; at >= 0; i++) {
                        at = place(s, s->column[site] - 1 + i * dx, s->row[site] - 1 + i * dy,
                                   wrap);
                        if (at < 0 || at == site)
                            break;
                        if (i == 1)
                            fzi_words_add(x.want, (unsigned)at);
                        fzi_words_add(want, (unsigned)at);
                        if (!has(through, at))
                            break;
                    }
                }
                check_equal(t, s, "leap", &x);
                memcpy(x.got, ridden, sizeof x.got);
                memcpy(x.want, want, sizeof x.want);
                check_equal(t, s, "ride", &x);
            }
}

static void leaps_on_squares(void **state)
{
    (void)state;
    static const int numbers[] = {0, 1, 2, 7, 8, 12, 13};
    rng_state = 2;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sample *s = make_sample(numbers[i]);
        fzi_topology *t = fzi_topology_new(&s->board, fzi_allocator_default());
        assert_non_null(t);
        square_leaps(s, t, numbers[i] >= 12);
        fzi_topology_free(t);
        free(s);
    }
}

static unsigned count(const uint64_t *set)
{
    unsigned n = 0;
    for (unsigned i = 0; i < WORDS; i++)
        n += (unsigned)__builtin_popcountll(set[i]);
    return n;
}

/* In the middle of a hex board a leap has twelve ends, or six when its parts are equal or one is 0;
 * the leap (1, 1) goes across the corners of a cell. */
static void leaps_on_hexes(void **state)
{
    (void)state;
    sample *s = make_sample(9);
    fzi_topology *t = fzi_topology_new(&s->board, fzi_allocator_default());
    assert_non_null(t);
    int middle = 5 * 11 + 5;
    uint64_t out[WORDS] = {0}, want[WORDS] = {0};
    fzi_ride(t, middle, 1, 2, NULL, out);
    assert_int_equal(count(out), 12);
    memset(out, 0, sizeof out);
    fzi_ride(t, middle, 3, 0, NULL, out);
    assert_int_equal(count(out), 6);
    memset(out, 0, sizeof out);
    fzi_ride(t, middle, 1, 1, NULL, out);
    static const heading corners[6] = {{1, 1}, {2, -1}, {1, -2}, {-1, -1}, {-2, 1}, {-1, 2}};
    for (int i = 0; i < 6; i++)
        fzi_words_add(want, (unsigned)place(s, 5 + corners[i].x, 5 + corners[i].y, false));
    assert_memory_equal(out, want, sizeof out);
    fzi_topology_free(t);
    free(s);
}

/* A graph without coordinates that is a square grid: its leaps are walked, and are those of the
 * grid wherever a way is on the board. */
static void leaps_on_graphs(void **state)
{
    (void)state;
    sample *s = make_sample(17), *bare = make_sample(17);
    bare->board.columns = bare->board.rows = 0;
    fzi_topology *t = fzi_topology_new(&s->board, fzi_allocator_default()),
                 *u = fzi_topology_new(&bare->board, fzi_allocator_default());
    assert_non_null(t);
    assert_non_null(u);
    for (int site = 0; site < t->site_count; site++) {
        sets x = {.site = site};
        fzi_ride(t, site, 2, 1, NULL, x.want);
        fzi_ride(u, site, 2, 1, NULL, x.got);
        check_equal(t, s, "walked leap", &x);
    }
    fzi_topology_free(t);
    fzi_topology_free(u);
    free(s);
    free(bare);
}

static void what_is_derived(void **state)
{
    (void)state;
    sample *s = make_sample(1);
    fzi_topology *t = fzi_topology_new(&s->board, fzi_allocator_default());
    assert_non_null(t);
    assert_true(t->reversible);
    assert_false(t->wraps_columns || t->wraps_rows);
    assert_int_equal(t->ray_order[0], 1);
    assert_int_equal(t->ray_order[4], -1);
    assert_int_equal(t->first_shift[8], 8); /* one group for each direction */
    assert_int_equal(t->longest_ray, 7);
    assert_int_equal(t->ring_size, 4);
    fzi_topology_free(t);
    free(s);
    s = make_sample(11);
    t = fzi_topology_new(&s->board, fzi_allocator_default());
    assert_non_null(t);
    assert_true(t->wraps_columns && !t->wraps_rows && t->reversible);
    assert_int_equal(t->shortest_cycle[2], 8);
    assert_int_equal(t->shortest_cycle[0], 0);
    fzi_topology_free(t);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_derived),  cmocka_unit_test(compare_with_plain_walks),
        cmocka_unit_test(leaps_on_squares), cmocka_unit_test(leaps_on_hexes),
        cmocka_unit_test(leaps_on_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
