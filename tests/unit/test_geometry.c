/* The geometry of the loop's instructions (interp/vm/ops_board.h) against plain walks: boards of
 * every shape that fits FZ_W words, random sets. Under UndefinedBehaviorSanitizer no board may make
 * it shift by a word or more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef FZ_W
#define FZ_W 1
#endif
#include "interp/vm/ops_board.h"

enum { WORDS = FZ_W, SITES = 64 * FZ_W };
#include "plain_geometry.h"

static uint64_t draw(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* ---- boards ---- */

typedef struct sample {
    int columns, rows;
    unsigned kind; /* bits: 1 hexes, 2 columns come round, 4 rows come round */
    fz_board board;
    int16_t next[8 * SITES], column[SITES], row[SITES];
} sample;

static void make_board(sample *s, int columns, int rows, unsigned kind)
{
    static const int8_t squares[8][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                         {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    static const int8_t hexes[6][2] = {{0, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}};
    unsigned dirs = kind & 1 ? 6 : 8, sites = (unsigned)(columns * rows);

    memset(s, 0, sizeof *s);
    s->columns = columns;
    s->rows = rows;
    s->kind = kind;
    for (unsigned i = 0; i < sites; i++) {
        s->column[i] = (int16_t)((int)i % columns + 1);
        s->row[i] = (int16_t)((int)i / columns + 1);
    }
    for (unsigned d = 0; d < dirs; d++)
        for (unsigned i = 0; i < sites; i++) {
            const int8_t *step = kind & 1 ? hexes[d] : squares[d];
            int x = s->column[i] - 1 + step[0], y = s->row[i] - 1 + step[1];
            x = kind & 2 ? (x + columns) % columns : x;
            y = kind & 4 ? (y + rows) % rows : y;
            bool out = x < 0 || y < 0 || x >= columns || y >= rows;
            s->next[d * sites + i] = (int16_t)(out ? -1 : y * columns + x);
        }
    s->board = (fz_board){
        .words = FZ_W,
        .dir_count = (uint8_t)dirs,
        .site_count = (uint16_t)sites,
        .columns = (uint16_t)columns,
        .rows = (uint16_t)rows,
        .next = s->next,
        .column = s->column,
        .row = s->row,
        .orthogonal = kind & 1 ? 0x3f : 0x55,
        .adjacent = (1u << dirs) - 1,
    };
    for (unsigned d = 0; d < dirs; d++)
        s->board.opposite[d] = (uint8_t)((d + dirs / 2) % dirs);
}

/* ---- one case ---- */

typedef struct questions {
    const sample *s;
    const fzi_topology *t;
    uint64_t random;
} questions;

static fzi_set random_set(questions *q)
{
    unsigned density = (unsigned)(draw(&q->random) % 3);
    fzi_set set = set_at(q->t->all);

    for (unsigned n = 0; n <= density; n++)
        FZI_EACH_WORD(i)
        set.w[i] &=
            n == 2 ? ~draw(&q->random) : draw(&q->random) | (density == 2 ? draw(&q->random) : 0);
    return set;
}

static void same(const questions *q, const char *what, fzi_set got, fzi_set want)
{
    if (!set_equal(got, want))
        fail_msg("%s on %d x %d, kind %u", what, q->s->columns, q->s->rows, q->s->kind);
}

static void agree(const questions *q, const char *what, bool got, bool want)
{
    if (got != want)
        fail_msg("%s on %d x %d, kind %u", what, q->s->columns, q->s->rows, q->s->kind);
}

static void ask_about_sets(questions *q, uint64_t dirs)
{
    const fzi_topology *t = q->t;
    fzi_set a = random_set(q), b = random_set(q), c = random_set(q), want = set_none();
    int64_t n = 1 + (int64_t)(draw(&q->random) % 6);

    plain_flanking(t, a.w, b.w, c.w, dirs, want.w);
    same(q, "flanking", geo_flanking(t, a, b, c, dirs), want);
    plain_step(t, a.w, dirs, want.w);
    same(q, "step", geo_step(t, a, dirs), want);
    for (uint64_t rest = dirs; rest; rest &= rest - 1) {
        int d = __builtin_ctzll(rest);
        plain_step(t, a.w, UINT64_C(1) << d, want.w);
        same(q, "shift", geo_shift(t, a, (uint64_t)d), want);
    }
    plain_flood(t, a.w, b.w, dirs, want.w);
    same(q, "flood", geo_flood(t, a, b, dirs), want);
    plain_flood(t, set_and(a, c).w, c.w, dirs, want.w);
    agree(q, "connected", geo_connected(t, &a, &b, &c, dirs), set_meets(set_and(b, c), want));
    agree(q, "line", geo_line(t, a, n, dirs),
          n == 1 ? set_some(a) : plain_line(t, -1, a.w, n, dirs));
}

static void ask_about_a_site(questions *q, uint64_t dirs)
{
    const fzi_topology *t = q->t;
    fzi_set a = random_set(q), b = random_set(q), want = set_none(), rows = set_none();
    uint64_t site = draw(&q->random) % t->site_count;
    int64_t n = 1 + (int64_t)(draw(&q->random) % 6),
            most = (int64_t)(draw(&q->random) % (t->longest_ray + 2u));

    for (unsigned d = 0; d < t->dir_count; d++)
        if (dirs >> d & 1) {
            plain_slide(t, (int)site, d, a.w, most, want.w);
            plain_flanked(t, (int)site, a.w, b.w, d, rows.w);
        }
    same(q, "slide", geo_slide(t, site, dirs, a, most), want);
    same(q, "flanked", geo_flanked(t, site, a, b, dirs), rows);
    agree(q, "line_at", geo_line_at(t, site, &a, n, dirs),
          set_has(&a, site) && (n == 1 || plain_line(t, (int)site, a.w, n, dirs)));
}

static void ask(int columns, int rows, unsigned kind, unsigned cases)
{
    sample *s = malloc(sizeof *s);
    assert_non_null(s);
    make_board(s, columns, rows, kind);
    fzi_topology *t = fzi_topology_new(&s->board, fzi_allocator_default());
    assert_non_null(t);
    questions q = {.s = s, .t = t, .random = (uint64_t)columns * 4096 + (uint64_t)rows * 8 + kind};
    for (unsigned i = 0; i < cases; i++) {
        uint64_t all = (UINT64_C(1) << t->dir_count) - 1,
                 dirs = i % 2 ? all : draw(&q.random) & all;
        ask_about_sets(&q, dirs);
        ask_about_a_site(&q, dirs);
    }
    fzi_topology_free(t);
    free(s);
}

/* ---- tests ---- */

/* Every rectangle that fits; of larger sets those near the edge and some of the others. */
static void every_rectangle(void **state)
{
    (void)state;
    for (int columns = 1; columns <= SITES; columns++)
        for (int rows = 1; columns * rows <= SITES; rows++) {
            bool near = columns * (rows + 1) > SITES;
            if (FZ_W == 1 || near || (columns * 7 + rows * 3) % 32 == 0)
                for (unsigned kind = 0; kind < 8; kind++)
                    ask(columns, rows, kind, near ? (FZ_W == 1 ? 12 : 6) : 4);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_rectangle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
