/* Boards of .lud files that are no shape of Ferz: their points and edges are computed and written
 * as `graph { }`. Points are numbered as Ludii numbers them. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "lud_graph.h"

enum { MOST_NESTED = 20 };

/* ---- points and edges ---- */

static void remove_point(fzi_lud_graph *g, unsigned number)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < g->edge_count; i++) {
        fzi_lud_edge e = g->edges[i];
        if (e.a == number || e.b == number)
            continue;
        g->edges[kept++] = (fzi_lud_edge){e.a - (e.a > number), e.b - (e.b > number)};
    }
    g->edge_count = kept;
    g->point_count--;
    memmove(g->points + number, g->points + number + 1,
            (g->point_count - number) * sizeof *g->points);
}

static void remove_edge(fzi_lud_graph *g, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < g->edge_count; i++)
        if ((g->edges[i].a == a && g->edges[i].b == b) ||
            (g->edges[i].a == b && g->edges[i].b == a)) {
            g->edges[i] = g->edges[--g->edge_count];
            return;
        }
}

/* Adds the points and edges of another graph; points at the same place become one. */
static void add_graph(fzi_lud_graph *g, const fzi_lud_graph *other, bool merge)
{
    unsigned place[FZ_LUD_MOST_POINTS];

    for (unsigned i = 0; i < other->point_count; i++)
        place[i] = merge ? fzi_lud_point_at(g, other->points[i].x, other->points[i].y)
                         : fzi_lud_add_point(g, other->points[i].x, other->points[i].y);
    for (unsigned i = 0; i < other->edge_count && !g->full; i++)
        fzi_lud_add_edge(g, place[other->edges[i].a], place[other->edges[i].b]);
}

/* ---- operators ---- */

static bool evaluate(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g, unsigned depth);

/* `part` is what it may work in. */
static bool evaluate_into(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g,
                          fzi_lud_graph *part, bool merge, unsigned depth)
{
    part->point_count = part->edge_count = 0;
    if (!evaluate(w, shape, part, depth + 1))
        return false;
    add_graph(g, part, merge);
    return !g->full;
}

/* (merge {…}) makes one point of points at the same place, (union {…}) does not. */
static bool combine(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g, unsigned depth)
{
    bool merge = fzi_lud_is(shape, "merge");
    fzi_lud_graph *own = FZI_NEW(w->arena, fzi_lud_graph);

    for (size_t i = 1; i < shape->count; i++) {
        const fzi_lud *part = fzi_lud_plain(w, shape->items[i]);
        if (!part || part->label)
            return false;
        if (part->kind == FZ_LUD_SET) {
            for (size_t n = 0; n < part->count; n++)
                if (!evaluate_into(w, part->items[n], g, own, merge, depth))
                    return false;
        } else if (!evaluate_into(w, part, g, own, merge, depth))
            return false;
    }
    return true;
}

static bool add_lists(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    const fzi_lud *points = fzi_lud_labelled(shape, "vertices");
    const fzi_lud *edges = fzi_lud_labelled(shape, "edges");

    for (size_t i = 0; points && i < points->count; i++) {
        double x, y;
        if (!fzi_lud_pair(w, points->items[i], &x, &y))
            return false;
        fzi_lud_point_at(g, x, y);
    }
    for (size_t i = 0; edges && i < edges->count; i++) {
        const fzi_lud *e = edges->items[i];
        double ax, ay, bx, by;
        unsigned a, b;
        if (e->kind != FZ_LUD_SET || e->count != 2)
            return false;
        if (fzi_lud_pair(w, e->items[0], &ax, &ay) && fzi_lud_pair(w, e->items[1], &bx, &by)) {
            a = fzi_lud_point_at(g, ax, ay);
            b = fzi_lud_point_at(g, bx, by);
        } else if (!fzi_lud_whole(w, e->items[0], &a) || !fzi_lud_whole(w, e->items[1], &b) ||
                   a >= g->point_count || b >= g->point_count)
            return false;
        fzi_lud_add_edge(g, a, b);
    }
    return !g->full && shape->count == 2u + (points != NULL) + (edges != NULL);
}

static int descending(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x < y) - (x > y);
}

static bool remove_lists(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    const fzi_lud *points = fzi_lud_labelled(shape, "vertices");
    const fzi_lud *edges = fzi_lud_labelled(shape, "edges");
    unsigned gone[FZ_LUD_MOST_POINTS], count = 0;

    for (size_t i = 0; edges && i < edges->count; i++) {
        const fzi_lud *e = edges->items[i];
        double ax, ay, bx, by;
        unsigned a, b;
        if (e->kind != FZ_LUD_SET || e->count != 2)
            return false;
        bool placed =
            fzi_lud_pair(w, e->items[0], &ax, &ay) && fzi_lud_pair(w, e->items[1], &bx, &by);
        if (placed ? !fzi_lud_find_point(g, ax, ay, &a) || !fzi_lud_find_point(g, bx, by, &b)
                   : !fzi_lud_whole(w, e->items[0], &a) || !fzi_lud_whole(w, e->items[1], &b))
            return false;
        remove_edge(g, a, b);
    }
    for (size_t i = 0; points && i < points->count && count < FZ_LUD_MOST_POINTS; i++) {
        double x, y;
        bool placed = fzi_lud_pair(w, points->items[i], &x, &y);
        if (placed ? !fzi_lud_find_point(g, x, y, &gone[count])
                   : !fzi_lud_whole(w, points->items[i], &gone[count]))
            return false;
        if (gone[count] >= g->point_count)
            return false;
        count++;
    }
    qsort(gone, count, sizeof *gone, descending);
    for (unsigned i = 0; i < count; i++)
        if (i == 0 || gone[i] != gone[i - 1])
            remove_point(g, gone[i]);
    return shape->count == 2u + (points != NULL) + (edges != NULL);
}

/* The middle of the smallest rectangle around the points. */
static fzi_lud_point middle_of(const fzi_lud_graph *g)
{
    fzi_lud_point low = g->points[0], high = low;

    for (unsigned i = 1; i < g->point_count; i++) {
        low = (fzi_lud_point){fmin(low.x, g->points[i].x), fmin(low.y, g->points[i].y)};
        high = (fzi_lud_point){fmax(high.x, g->points[i].x), fmax(high.y, g->points[i].y)};
    }
    return (fzi_lud_point){(low.x + high.x) / 2, (low.y + high.y) / 2};
}

static bool transform(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g, unsigned depth)
{
    double a, b;
    size_t last = shape->count - 1;

    if (shape->count < 3 || !evaluate(w, shape->items[last], g, depth + 1) ||
        !fzi_lud_real(w, shape->items[1], &a))
        return false;
    b = a;
    if (last == 3 && !fzi_lud_real(w, shape->items[2], &b))
        return false;
    if (last > 3 || (fzi_lud_is(shape, "shift") && last != 3) ||
        (fzi_lud_is(shape, "rotate") && last != 2))
        return false;
    fzi_lud_point middle = middle_of(g);
    double angle = a * acos(-1) / 180;
    for (unsigned i = 0; i < g->point_count; i++) {
        fzi_lud_point *p = &g->points[i];
        double x = p->x - middle.x, y = p->y - middle.y;
        if (fzi_lud_is(shape, "shift"))
            *p = (fzi_lud_point){p->x + a, p->y + b};
        else if (fzi_lud_is(shape, "scale"))
            *p = (fzi_lud_point){p->x * a, p->y * b};
        else
            *p = (fzi_lud_point){middle.x + x * cos(angle) - y * sin(angle),
                                 middle.y + x * sin(angle) + y * cos(angle)};
    }
    return true;
}

/* Where two edges cross inside of both. */
static bool crossing(const fzi_lud_graph *g, fzi_lud_edge e, fzi_lud_edge f, fzi_lud_point *at)
{
    fzi_lud_point a = g->points[e.a], b = g->points[e.b], c = g->points[f.a], d = g->points[f.b];
    double rx = b.x - a.x, ry = b.y - a.y, sx = d.x - c.x, sy = d.y - c.y;
    double cross = rx * sy - ry * sx;

    if (fabs(cross) < 1e-9)
        return false;
    double t = ((c.x - a.x) * sy - (c.y - a.y) * sx) / cross;
    double u = ((c.x - a.x) * ry - (c.y - a.y) * rx) / cross;
    *at = (fzi_lud_point){a.x + t * rx, a.y + t * ry};
    return t > FZ_LUD_SAME && t < 1 - FZ_LUD_SAME && u > FZ_LUD_SAME && u < 1 - FZ_LUD_SAME;
}

static bool touches(const fzi_lud_graph *g, fzi_lud_edge e, unsigned p)
{
    fzi_lud_point a = g->points[e.a], b = g->points[e.b], c = g->points[p];
    double length = hypot(b.x - a.x, b.y - a.y);
    double off = fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / length;
    double along = ((b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y)) / length;

    return p != e.a && p != e.b && off < FZ_LUD_SAME && along > FZ_LUD_SAME &&
           along < length - FZ_LUD_SAME;
}

static void take_edge(fzi_lud_graph *g, unsigned number)
{
    g->edge_count--;
    memmove(g->edges + number, g->edges + number + 1, (g->edge_count - number) * sizeof *g->edges);
}

/* Splits the first two edges that cross; false: none do. New points come in Ludii's order. */
static bool split_first(fzi_lud_graph *g)
{
    for (unsigned i = 0; i < g->edge_count; i++)
        for (unsigned n = i + 1; n < g->edge_count; n++) {
            fzi_lud_edge e = g->edges[i], f = g->edges[n];
            fzi_lud_point at;
            if (!crossing(g, e, f, &at))
                continue;
            unsigned p = fzi_lud_point_at(g, at.x, at.y);
            take_edge(g, n);
            take_edge(g, i);
            fzi_lud_add_edge(g, e.a, p);
            fzi_lud_add_edge(g, p, e.b);
            fzi_lud_add_edge(g, f.a, p);
            fzi_lud_add_edge(g, p, f.b);
            return true;
        }
    return false;
}

/* A point where edges cross, and edges that end at each point on them. */
static bool split_crossings(fzi_lud_graph *g)
{
    /* Edges that are hardly longer than the distance of points at one place cross again. */
    for (unsigned splits = 0; !g->full && split_first(g); splits++)
        g->full = g->full || splits == FZ_LUD_MOST_EDGES;
    for (unsigned i = 0; i < g->edge_count && !g->full;) {
        fzi_lud_edge e = g->edges[i];
        unsigned p = 0;
        while (p < g->point_count && !touches(g, e, p))
            p++;
        if (p == g->point_count) {
            i++;
            continue;
        }
        take_edge(g, i);
        fzi_lud_add_edge(g, e.a, p);
        fzi_lud_add_edge(g, p, e.b);
    }
    return !g->full;
}

static bool evaluate(fzi_lud_writer *w, const fzi_lud *written, fzi_lud_graph *g, unsigned depth)
{
    const fzi_lud *shape = fzi_lud_plain(w, written);
    bool good = false;

    if (!shape || shape->kind != FZ_LUD_LIST || shape->count < 2 || depth > MOST_NESTED)
        return false;
    if (fzi_lud_is(shape, "merge") || fzi_lud_is(shape, "union"))
        good = combine(w, shape, g, depth);
    else if (fzi_lud_is(shape, "add"))
        good = shape->items[1]->label
                   ? false
                   : evaluate(w, shape->items[1], g, depth + 1) && add_lists(w, shape, g);
    else if (fzi_lud_is(shape, "remove"))
        good = evaluate(w, shape->items[1], g, depth + 1) && remove_lists(w, shape, g);
    else if (fzi_lud_is(shape, "shift") || fzi_lud_is(shape, "scale") ||
             fzi_lud_is(shape, "rotate"))
        good = transform(w, shape, g, depth);
    else if (fzi_lud_is(shape, "splitCrossings"))
        good = evaluate(w, shape->items[1], g, depth + 1) && split_crossings(g);
    else if (fzi_lud_is(shape, "makeFaces"))
        good = evaluate(w, shape->items[1], g, depth + 1);
    else if (fzi_lud_is(shape, "renumber")) {
        good = evaluate(w, shape->items[1], g, depth + 1);
        fzi_lud_renumber(g);
    } else
        good = fzi_lud_shape(w, shape, g);
    return good && !g->full ? true
                            : fzi_lud_unsaid(w, shape, "this board is not translated yet") != NULL;
}

/* ---- as text ---- */

/* The direction of fzi_lud_compass that is nearest. */
static unsigned compass(fzi_lud_point from, fzi_lud_point to)
{
    double turn = atan2(to.y - from.y, to.x - from.x) / (2 * acos(-1)) * FZ_LUD_COMPASS;
    return (unsigned)(lround(turn) + FZ_LUD_COMPASS) % FZ_LUD_COMPASS;
}

enum { MOST_NEIGHBOURS = 32 };

static unsigned neighbours(const fzi_lud_graph *g, unsigned at, unsigned *found)
{
    unsigned count = 0;

    for (unsigned n = 0; n < g->edge_count && count < MOST_NEIGHBOURS; n++) {
        fzi_lud_edge e = g->edges[n];
        if (e.a == at || e.b == at)
            found[count++] = e.a == at ? e.b : e.a;
    }
    return count;
}

static bool has(const unsigned *points, unsigned count, unsigned at)
{
    while (count > 0 && points[count - 1] != at)
        count--;
    return count > 0;
}

/* Is there no point inside the polygon of these four points? */
static bool is_empty(const fzi_lud_graph *g, const unsigned corners[4])
{
    for (unsigned n = 0; n < g->point_count; n++) {
        unsigned left = 0, right = 0;
        for (int i = 0; i < 4; i++) {
            fzi_lud_point a = g->points[corners[i]], b = g->points[corners[(i + 1) % 4]];
            double turn =
                (b.x - a.x) * (g->points[n].y - a.y) - (b.y - a.y) * (g->points[n].x - a.x);
            left += turn > FZ_LUD_SAME;
            right += turn < -FZ_LUD_SAME;
        }
        if (left == 4 || right == 4)
            return false;
    }
    return true;
}

/* Is this edge a side of a square that no edge crosses, and in which no point lies? */
static bool has_open_square(const fzi_lud_graph *g, fzi_lud_edge side)
{
    unsigned a[MOST_NEIGHBOURS], b[MOST_NEIGHBOURS], c[MOST_NEIGHBOURS];
    unsigned at_a = neighbours(g, side.a, a), at_b = neighbours(g, side.b, b);

    for (unsigned i = 0; i < at_a; i++) {
        unsigned at_c = neighbours(g, a[i], c);
        if (a[i] == side.b || has(b, at_b, a[i]))
            continue;
        for (unsigned k = 0; k < at_b; k++) {
            const unsigned corners[4] = {side.a, side.b, b[k], a[i]};
            if (b[k] != side.a && !has(a, at_a, b[k]) && has(c, at_c, b[k]) && is_empty(g, corners))
                return true;
        }
    }
    return false;
}

/* Fills `next` of the board; false: two edges of a point have one direction. */
static bool find_neighbours(fzi_lud_writer *w, const fzi_lud_graph *g)
{
    fzi_lud_board *b = &w->board;

    b->next = fzi_arena_alloc(w->arena, g->point_count * sizeof *b->next);
    memset(b->next, -1, g->point_count * sizeof *b->next);
    for (unsigned n = 0; n < g->edge_count; n++) {
        fzi_lud_edge e = g->edges[n];
        short *there = &b->next[e.a][compass(g->points[e.a], g->points[e.b])],
              *back = &b->next[e.b][compass(g->points[e.b], g->points[e.a])];
        if (*there >= 0 || *back >= 0)
            return false;
        *there = (short)e.b;
        *back = (short)e.a;
    }
    return true;
}

/* What rules ask of the edges. */
static void judge(fzi_lud_writer *w, const fzi_lud_graph *g)
{
    fzi_lud_board *b = &w->board;

    b->open = g->edge_count <= g->point_count;
    b->compass = true;
    for (unsigned i = 0; i < b->count; i++)
        for (unsigned d = 1; d < FZ_LUD_COMPASS; d += 2)
            b->compass = b->compass && b->next[i][d] < 0;
    for (unsigned n = 0; n < g->edge_count && !b->squares && b->compass; n++)
        b->squares = has_open_square(g, g->edges[n]);
}

/* {a1, c3} of the points with the least or greatest column or row. */
static const char *edge_set(fzi_lud_writer *w, const fzi_lud_graph *g, const unsigned *rank,
                            bool last)
{
    fzi_growing text = {0};
    unsigned most = 0;

    for (unsigned i = 0; i < g->point_count; i++)
        most = rank[i] > most ? rank[i] : most;
    for (unsigned i = 0; i < g->point_count; i++)
        if (rank[i] == (last ? most : 0)) {
            fzi_grow_z(w->arena, &text, text.length ? ", " : "{");
            fzi_grow_z(w->arena, &text, w->board.names[i]);
        }
    fzi_grow_z(w->arena, &text, "}");
    return text.text;
}

static fzi_lud_net net_of(fzi_lud_writer *w, const fzi_lud_graph *g)
{
    double *x = fzi_arena_alloc(w->arena, g->point_count * sizeof *x + 1),
           *y = fzi_arena_alloc(w->arena, g->point_count * sizeof *y + 1);
    unsigned(*edges)[2] = fzi_arena_alloc(w->arena, g->edge_count * sizeof *edges + 1);

    for (unsigned i = 0; i < g->point_count; i++) {
        x[i] = g->points[i].x;
        y[i] = g->points[i].y;
    }
    for (unsigned i = 0; i < g->edge_count; i++) {
        edges[i][0] = g->edges[i].a;
        edges[i][1] = g->edges[i].b;
    }
    return (fzi_lud_net){g->point_count, x, y, g->edge_count, (const unsigned(*)[2])edges};
}

bool fzi_lud_read_graph(fzi_lud_writer *w, const fzi_lud *shape)
{
    fzi_lud_graph *g = FZI_NEW(w->arena, fzi_lud_graph);
    unsigned column[FZ_LUD_MOST_POINTS], row[FZ_LUD_MOST_POINTS];
    fzi_lud_board *b = &w->board;

    if (!evaluate(w, shape, g, 0))
        return false;
    fzi_lud_net net = net_of(w, g);
    fzi_lud_coordinates(&net, column, row);
    b->is_graph = true;
    b->count = g->point_count;
    for (unsigned i = 0; i < g->point_count; i++) {
        const char *name = column[i] < 26 ? FZ_LUD_TEXT(w, "%c%u", 'a' + (int)column[i], row[i] + 1)
                                          : FZ_LUD_TEXT(w, "%c%c%u", 'a' + (int)column[i] / 26 - 1,
                                                        'a' + (int)column[i] % 26, row[i] + 1);
        for (unsigned n = 0; n < i; n++)
            if (strcmp(b->names[n], name) == 0)
                return fzi_lud_unsaid(w, shape, "two points at one place") != NULL;
        b->names[i] = name;
        b->columns = column[i] + 1 > b->columns ? column[i] + 1 : b->columns;
        b->rows = row[i] + 1 > b->rows ? row[i] + 1 : b->rows;
    }
    fzi_lud_ranks(net.x, net.count, column);
    fzi_lud_ranks(net.y, net.count, row);
    b->top = edge_set(w, g, row, true);
    b->bottom = edge_set(w, g, row, false);
    b->left = edge_set(w, g, column, false);
    b->right = edge_set(w, g, column, true);
    fzi_lud_measure(w, &net);
    if (g->point_count == 0 || !find_neighbours(w, g))
        return fzi_lud_unsaid(w, shape, "two edges of a point in one direction") != NULL;
    fzi_lud_write_lines(w);
    judge(w, g);
    return true;
}
