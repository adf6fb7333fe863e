/* Boards of .lud files that are no shape of Ferz: their points, edges and faces are computed, and
 * numbered as Ludii numbers them. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "lud_graph.h"

enum { MOST_NESTED = 20, MOST_GRAPHS = 300 };

/* ---- points and edges ---- */

/* Adds another graph. With `merge`, points at the same place become one, and faces are found anew
 * at the end. */
static void add_graph(fzi_lud_graph *g, const fzi_lud_graph *other, bool merge)
{
    unsigned place[FZ_LUD_MOST_POINTS];

    for (unsigned i = 0; i < other->point_count; i++)
        if (!merge || !fzi_lud_find_near(g, other->points[i], &place[i]))
            place[i] = fzi_lud_add_point(g, other->points[i].x, other->points[i].y);
    for (unsigned i = 0; i < other->edge_count && !g->full; i++)
        fzi_lud_add_edge(g, place[other->edges[i].a], place[other->edges[i].b]);
    for (unsigned i = 0; i < other->face_count && !merge && !g->full; i++) {
        if ((g->full = g->face_count == FZ_LUD_MOST_FACES))
            break;
        fzi_lud_face *face = &g->faces[g->face_count++];
        *face = other->faces[i];
        for (unsigned n = 0; n < face->count; n++)
            face->corners[n] = place[face->corners[n]];
    }
}

/* ---- operators ---- */

static bool evaluate(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g, unsigned depth);

/* `part` is what it may work in. */
static bool evaluate_into(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g,
                          fzi_lud_graph *part, bool merge, unsigned depth)
{
    part->point_count = part->edge_count = part->face_count = 0;
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
    if (merge)
        fzi_lud_make_faces(g);
    return true;
}

/* The ends of an edge by their numbers or places; with `add`, places get a point. */
static bool read_edge(fzi_lud_writer *w, const fzi_lud *e, fzi_lud_graph *g, bool add, unsigned *a,
                      unsigned *b)
{
    double ax, ay, bx, by;

    if (e->kind != FZ_LUD_SET || e->count != 2)
        return false;
    if (!fzi_lud_pair(w, e->items[0], &ax, &ay) || !fzi_lud_pair(w, e->items[1], &bx, &by))
        return fzi_lud_whole(w, e->items[0], a) && fzi_lud_whole(w, e->items[1], b) &&
               *a < g->point_count && *b < g->point_count;
    if (!add)
        return fzi_lud_find_point(g, ax, ay, a) && fzi_lud_find_point(g, bx, by, b);
    *a = fzi_lud_point_at(g, ax, ay);
    *b = fzi_lud_point_at(g, bx, by);
    return true;
}

/* cells:{{8 28 48 …} …} */
static bool add_cell(fzi_lud_writer *w, const fzi_lud *cell, fzi_lud_graph *g)
{
    fzi_lud_face *face = &g->faces[g->face_count];

    if (cell->kind != FZ_LUD_SET || cell->count < 3 || cell->count > FZ_LUD_MOST_CORNERS ||
        g->face_count == FZ_LUD_MOST_FACES)
        return false;
    face->count = (unsigned)cell->count;
    for (size_t i = 0; i < cell->count; i++)
        if (!fzi_lud_whole(w, cell->items[i], &face->corners[i]) ||
            face->corners[i] >= g->point_count)
            return false;
    for (unsigned i = 0; i < face->count; i++)
        fzi_lud_add_edge(g, face->corners[i], face->corners[(i + 1) % face->count]);
    fzi_lud_turn_clockwise(g, face);
    g->face_count++;
    return true;
}

/* (add GRAPH vertices:{…} edges:{…} cells:{…}) */
static bool add_lists(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    const fzi_lud *points = fzi_lud_labelled(shape, "vertices");
    const fzi_lud *edges = fzi_lud_labelled(shape, "edges");
    const fzi_lud *cells = fzi_lud_labelled(shape, "cells");
    unsigned a, b;

    for (size_t i = 0; points && i < points->count; i++) {
        double x, y;
        if (!fzi_lud_pair(w, points->items[i], &x, &y))
            return false;
        fzi_lud_point_at(g, x, y);
    }
    for (size_t i = 0; edges && i < edges->count; i++) {
        if (!read_edge(w, edges->items[i], g, true, &a, &b))
            return false;
        fzi_lud_add_edge(g, a, b);
    }
    for (size_t i = 0; cells && i < cells->count; i++)
        if (!add_cell(w, cells->items[i], g))
            return false;
    return !g->full && shape->count == 2u + (points != NULL) + (edges != NULL) + (cells != NULL);
}

static int descending(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x < y) - (x > y);
}

/* {0 3..5} and points by their places, from the greatest number down. */
static bool read_numbers(fzi_lud_writer *w, const fzi_lud *set, const fzi_lud_graph *g,
                         unsigned *numbers, unsigned *count)
{
    *count = 0;
    for (size_t i = 0; i < set->count; i++) {
        const fzi_lud *item = set->items[i];
        const char *dots = item->kind == FZ_LUD_WORD ? strstr(item->text, "..") : NULL;
        unsigned first = 0, last;
        double x, y;
        if (dots) {
            first = (unsigned)strtoul(item->text, NULL, 10);
            last = (unsigned)strtoul(dots + 2, NULL, 10);
        } else if (fzi_lud_pair(w, item, &x, &y) ? !fzi_lud_find_point(g, x, y, &first)
                                                 : !fzi_lud_whole(w, item, &first))
            return false;
        else
            last = first;
        for (unsigned n = first; n <= last; n++) {
            if (*count == FZ_LUD_MOST_POINTS)
                return false;
            numbers[(*count)++] = n;
        }
    }
    qsort(numbers, *count, sizeof *numbers, descending);
    return true;
}

/* (remove GRAPH cells:{…} edges:{…} vertices:{…}), in this order */
static bool remove_lists(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    const fzi_lud *points = fzi_lud_labelled(shape, "vertices");
    const fzi_lud *edges = fzi_lud_labelled(shape, "edges");
    const fzi_lud *cells = fzi_lud_labelled(shape, "cells");
    unsigned gone[FZ_LUD_MOST_POINTS], count = 0, a, b, number;

    if (cells && !read_numbers(w, cells, g, gone, &count))
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (gone[i] >= g->face_count)
            return false;
        if (i == 0 || gone[i] != gone[i - 1])
            fzi_lud_remove_face(g, gone[i]);
    }
    for (size_t i = 0; edges && i < edges->count; i++) {
        if (!read_edge(w, edges->items[i], g, false, &a, &b))
            return false;
        if (fzi_lud_find_edge(g, a, b, &number))
            fzi_lud_remove_edge(g, number);
    }
    count = 0;
    if (points && !read_numbers(w, points, g, gone, &count))
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (gone[i] >= g->point_count)
            return false;
        if (i == 0 || gone[i] != gone[i - 1])
            fzi_lud_remove_point(g, gone[i]);
    }
    return shape->count == 2u + (points != NULL) + (edges != NULL) + (cells != NULL);
}

/* (poly {{0 0} {0 4} …}) */
static bool read_polygon(fzi_lud_writer *w, const fzi_lud *written, fzi_lud_point *corners,
                         size_t *count)
{
    const fzi_lud *node = fzi_lud_plain(w, written);

    if (!node || !fzi_lud_is(node, "poly") || node->count != 2 ||
        node->items[1]->kind != FZ_LUD_SET || node->items[1]->count > FZ_LUD_MOST_CORNERS)
        return false;
    *count = node->items[1]->count;
    for (size_t i = 0; i < *count; i++)
        if (!fzi_lud_pair(w, node->items[1]->items[i], &corners[i].x, &corners[i].y))
            return false;
    return *count > 2;
}

/* (keep GRAPH (poly …)) and (clip GRAPH (poly …)): the points inside and outside of a polygon;
 * (hole GRAPH (poly …)): the faces outside. */
static bool cut(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    fzi_lud_point corners[FZ_LUD_MOST_CORNERS];
    size_t count;
    bool kept = fzi_lud_is(shape, "keep");

    if (shape->count != 3 || !read_polygon(w, shape->items[2], corners, &count))
        return false;
    if (fzi_lud_is(shape, "hole")) {
        for (unsigned i = g->face_count; i-- > 0;) /* faces of the same corners go together */
            if (i < g->face_count &&
                fzi_lud_is_inside(corners, count, fzi_lud_middle(g, &g->faces[i])))
                fzi_lud_remove_face(g, i);
        return true;
    }
    for (unsigned i = g->point_count; i-- > 0;)
        if (fzi_lud_is_inside(corners, count, g->points[i]) != kept)
            fzi_lud_remove_point(g, i);
    fzi_lud_make_faces(g);
    return true;
}

/* (intersect {A B}): the points and edges of A that are those of B, too. */
static bool intersect(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g, unsigned depth)
{
    fzi_lud_graph *other = FZI_NEW(w->arena, fzi_lud_graph);
    const fzi_lud *set = shape->items[1]->kind == FZ_LUD_SET ? shape->items[1] : shape;
    size_t first = set == shape;

    if (set->count != first + 2 || !evaluate(w, set->items[first], g, depth + 1) ||
        !evaluate(w, set->items[first + 1], other, depth + 1))
        return false;
    for (unsigned i = g->edge_count; i-- > 0;) {
        fzi_lud_point a = g->points[g->edges[i].a], b = g->points[g->edges[i].b];
        unsigned at, to, number;
        if (!fzi_lud_find_near(other, a, &at) || !fzi_lud_find_near(other, b, &to) ||
            !fzi_lud_find_edge(other, at, to, &number))
            fzi_lud_remove_edge(g, i);
    }
    for (unsigned i = g->point_count; i-- > 0;) {
        unsigned at;
        if (!fzi_lud_find_near(other, g->points[i], &at))
            fzi_lud_remove_point(g, i);
    }
    fzi_lud_make_faces(g);
    return true;
}

/* (repeat 2 3 step:{{1 0} {0 1}} (poly …)): copies of polygons. */
static bool repeat(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    const fzi_lud *step = fzi_lud_labelled(shape, "step");
    fzi_lud_point corners[FZ_LUD_MOST_CORNERS];
    unsigned rows, columns;
    double dx, dy, rx, ry;
    size_t count;

    if (shape->count != 5 || !step || step->kind != FZ_LUD_SET || step->count != 2 ||
        !fzi_lud_pair(w, step->items[0], &dx, &dy) || !fzi_lud_pair(w, step->items[1], &rx, &ry) ||
        !fzi_lud_whole(w, shape->items[1], &rows) || !fzi_lud_whole(w, shape->items[2], &columns) ||
        rows * columns > FZ_LUD_MOST_FACES)
        return false;
    const fzi_lud *last = shape->items[4], *set = last->kind == FZ_LUD_SET ? last : shape;
    for (size_t n = set == last ? 0 : 4; n < set->count; n++) {
        if (!read_polygon(w, set->items[n], corners, &count))
            return false;
        for (unsigned copy = 0; copy < rows * columns && !g->full; copy++) {
            double x = copy % columns * dx + copy / columns * rx,
                   y = copy % columns * dy + copy / columns * ry;
            for (size_t i = 0; i < count; i++) {
                fzi_lud_point a = corners[i], b = corners[(i + 1) % count];
                unsigned from = fzi_lud_point_at(g, x + a.x, y + a.y);
                fzi_lud_add_edge(g, from, fzi_lud_point_at(g, x + b.x, y + b.y));
            }
        }
    }
    fzi_lud_make_faces(g);
    fzi_lud_renumber(g);
    return true;
}

/* (trim GRAPH): without edges that end nowhere, and points without edges. */
static void trim(fzi_lud_graph *g)
{
    unsigned degree[FZ_LUD_MOST_POINTS] = {0};

    for (unsigned i = 0; i < g->edge_count; i++) {
        degree[g->edges[i].a]++;
        degree[g->edges[i].b]++;
    }
    for (unsigned i = g->edge_count; i-- > 0;) {
        fzi_lud_edge e = g->edges[i];
        if (degree[e.a] > 1 && degree[e.b] > 1)
            continue;
        degree[e.a]--;
        degree[e.b]--;
        fzi_lud_remove_edge(g, i);
    }
    for (unsigned i = g->point_count; i-- > 0;)
        if (!degree[i])
            fzi_lud_remove_point(g, i);
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

/* Splits the first two edges that cross; false: none do. New points come in Ludii's order. The
 * first `*apart` edges cross none but maybe those from `*fresh` on, which the last split has
 * made. */
static bool split_first(fzi_lud_graph *g, unsigned *apart, unsigned *fresh)
{
    for (unsigned i = 0; i < g->edge_count; i++)
        for (unsigned n = i < *apart ? *fresh : i + 1; n < g->edge_count; n++) {
            fzi_lud_edge e = g->edges[i], f = g->edges[n];
            fzi_lud_point at;
            if (!crossing(g, e, f, &at))
                continue;
            unsigned p = fzi_lud_point_at(g, at.x, at.y);
            fzi_lud_remove_edge(g, n);
            fzi_lud_remove_edge(g, i);
            *apart = i;
            *fresh = g->edge_count;
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
    unsigned apart = 0, fresh = 0;
    for (unsigned splits = 0; !g->full && split_first(g, &apart, &fresh); splits++)
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
        fzi_lud_remove_edge(g, i);
        fzi_lud_add_edge(g, e.a, p);
        fzi_lud_add_edge(g, p, e.b);
    }
    return !g->full;
}

/* What changes the graph of the first item. */
static bool operate(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    bool alone = shape->count == 2;

    if (fzi_lud_is(shape, "add"))
        return add_lists(w, shape, g);
    if (fzi_lud_is(shape, "remove"))
        return remove_lists(w, shape, g);
    if (fzi_lud_is(shape, "keep") || fzi_lud_is(shape, "clip") || fzi_lud_is(shape, "hole"))
        return cut(w, shape, g);
    if (fzi_lud_is(shape, "splitCrossings"))
        return alone && split_crossings(g);
    if (fzi_lud_is(shape, "dual"))
        return alone && fzi_lud_dual(g);
    if (fzi_lud_is(shape, "trim"))
        trim(g);
    else if (fzi_lud_is(shape, "makeFaces"))
        fzi_lud_make_faces(g);
    else if (fzi_lud_is(shape, "renumber"))
        fzi_lud_renumber(g);
    else
        return false;
    return alone;
}

static bool evaluate(fzi_lud_writer *w, const fzi_lud *written, fzi_lud_graph *g, unsigned depth)
{
    static const char *const operators[] = {"add",       "remove",  "keep", "clip",
                                            "hole",      "dual",    "trim", "splitCrossings",
                                            "makeFaces", "renumber"};
    const fzi_lud *shape = fzi_lud_plain(w, written);
    bool good, known = false;

    if (!shape || shape->kind != FZ_LUD_LIST || shape->count < 2 || depth > MOST_NESTED)
        return false;
    if (++w->graphs > MOST_GRAPHS)
        return fzi_lud_unsaid(w, shape, "a board of too many parts") != NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        known = known || fzi_lud_is(shape, operators[i]);
    if (known)
        good = !shape->items[1]->label && evaluate(w, shape->items[1], g, depth + 1) &&
               operate(w, shape, g);
    else if (fzi_lud_is(shape, "merge") || fzi_lud_is(shape, "union"))
        good = combine(w, shape, g, depth);
    else if (fzi_lud_is(shape, "intersect"))
        good = intersect(w, shape, g, depth);
    else if (fzi_lud_is(shape, "repeat"))
        good = repeat(w, shape, g);
    else if (fzi_lud_is(shape, "shift") || fzi_lud_is(shape, "scale") ||
             fzi_lud_is(shape, "rotate"))
        good = transform(w, shape, g, depth);
    else
        good = fzi_lud_shape(w, shape, g);
    return good && !g->full ? true
                            : fzi_lud_unsaid(w, shape, "this board is not translated yet") != NULL;
}

bool fzi_lud_evaluate(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    return evaluate(w, shape, g, 0);
}
