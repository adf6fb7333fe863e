/* Boards of .lud files that are no shape of Ferz: their points and edges are computed and written
 * as `graph { }`. Points are numbered as Ludii numbers them. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "lud_writer.h"

enum { MOST_POINTS = 500, MOST_EDGES = 2500, MOST_NESTED = 20 };

static const double same = 0.001;

typedef struct point {
    double x, y;
} point;

typedef struct edge {
    unsigned a, b;
} edge;

typedef struct graph {
    point points[MOST_POINTS];
    edge edges[MOST_EDGES];
    unsigned point_count, edge_count;
    bool full; /* there were too many of either */
} graph;

/* ---- points and edges ---- */

static unsigned add_point(graph *g, double x, double y)
{
    if (g->point_count == MOST_POINTS) {
        g->full = true;
        return 0;
    }
    g->points[g->point_count] = (point){x, y};
    return g->point_count++;
}

static bool find_point(const graph *g, double x, double y, unsigned *number)
{
    for (unsigned i = 0; i < g->point_count; i++)
        if (fabs(g->points[i].x - x) < same && fabs(g->points[i].y - y) < same) {
            *number = i;
            return true;
        }
    return false;
}

static unsigned find_or_add(graph *g, double x, double y)
{
    unsigned number;
    return find_point(g, x, y, &number) ? number : add_point(g, x, y);
}

static void add_edge(graph *g, unsigned a, unsigned b)
{
    if (a == b)
        return;
    for (unsigned i = 0; i < g->edge_count; i++)
        if ((g->edges[i].a == a && g->edges[i].b == b) ||
            (g->edges[i].a == b && g->edges[i].b == a))
            return;
    if (g->edge_count == MOST_EDGES) {
        g->full = true;
        return;
    }
    g->edges[g->edge_count++] = (edge){a, b};
}

static void join_points(graph *g, double ax, double ay, double bx, double by)
{
    unsigned a, b;
    if (find_point(g, ax, ay, &a) && find_point(g, bx, by, &b))
        add_edge(g, a, b);
}

static void remove_point(graph *g, unsigned number)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < g->edge_count; i++) {
        edge e = g->edges[i];
        if (e.a == number || e.b == number)
            continue;
        g->edges[kept++] = (edge){e.a - (e.a > number), e.b - (e.b > number)};
    }
    g->edge_count = kept;
    g->point_count--;
    memmove(g->points + number, g->points + number + 1,
            (g->point_count - number) * sizeof *g->points);
}

static void remove_edge(graph *g, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < g->edge_count; i++)
        if ((g->edges[i].a == a && g->edges[i].b == b) ||
            (g->edges[i].a == b && g->edges[i].b == a)) {
            g->edges[i] = g->edges[--g->edge_count];
            return;
        }
}

/* Sorts the points by rows from the bottom, and in a row from the left. */
static void renumber(graph *g)
{
    unsigned order[MOST_POINTS], place[MOST_POINTS];
    point old[MOST_POINTS];

    for (unsigned i = 0; i < g->point_count; i++) {
        unsigned at = i;
        double score = g->points[i].y * 100 + g->points[i].x;
        while (at > 0 && g->points[order[at - 1]].y * 100 + g->points[order[at - 1]].x > score) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
    memcpy(old, g->points, sizeof old);
    for (unsigned i = 0; i < g->point_count; i++) {
        g->points[i] = old[order[i]];
        place[order[i]] = i;
    }
    for (unsigned i = 0; i < g->edge_count; i++)
        g->edges[i] = (edge){place[g->edges[i].a], place[g->edges[i].b]};
}

/* Adds the points and edges of another graph; points at the same place become one. */
static void add_graph(graph *g, const graph *other, bool merge)
{
    unsigned place[MOST_POINTS];

    for (unsigned i = 0; i < other->point_count; i++)
        place[i] = merge ? find_or_add(g, other->points[i].x, other->points[i].y)
                         : add_point(g, other->points[i].x, other->points[i].y);
    for (unsigned i = 0; i < other->edge_count && !g->full; i++)
        add_edge(g, place[other->edges[i].a], place[other->edges[i].b]);
}

/* ---- numbers of forms ---- */

static bool real_of(fzi_lud_writer *w, const fzi_lud *node, double *value)
{
    double a, b = 0;

    if (node->kind == FZ_LUD_WORD) {
        char *end;
        *value = strtod(node->text, &end);
        return end != node->text && !*end && fabs(*value) < 10000;
    }
    const fzi_lud *plain = fzi_lud_plain(w, node);
    if (!plain || plain->kind != FZ_LUD_LIST || plain->count < 2 || plain->count > 3 ||
        ++w->depth > 40)
        return false;
    bool good =
        real_of(w, plain->items[1], &a) && (plain->count == 2 || real_of(w, plain->items[2], &b));
    w->depth--;
    if (!good)
        return false;
    *value = fzi_lud_is(plain, "+")      ? a + b
             : fzi_lud_is(plain, "-")    ? (plain->count == 2 ? -a : a - b)
             : fzi_lud_is(plain, "*")    ? a * b
             : fzi_lud_is(plain, "/")    ? a / b
             : fzi_lud_is(plain, "sqrt") ? sqrt(a)
                                         : NAN;
    return isfinite(*value) && fabs(*value) < 10000;
}

static bool point_of(fzi_lud_writer *w, const fzi_lud *node, double *x, double *y)
{
    return node->kind == FZ_LUD_SET && node->count == 2 && real_of(w, node->items[0], x) &&
           real_of(w, node->items[1], y);
}

static bool whole_of(fzi_lud_writer *w, const fzi_lud *node, unsigned *value)
{
    double real;
    if (!real_of(w, node, &real) || real < 0 || real > MOST_POINTS ||
        fabs(real - round(real)) > same)
        return false;
    *value = (unsigned)lround(real);
    return true;
}

/* ---- shapes ---- */

static bool add_diagonals(graph *g, unsigned rows, unsigned columns, const char *kind)
{
    if (strcmp(kind, "Alternating") != 0 && strcmp(kind, "Solid") != 0)
        return false;
    for (unsigned r = 0; r + 1 < rows; r++)
        for (unsigned c = 0; c + 1 < columns; c++) {
            if (*kind == 'S') {
                unsigned middle = add_point(g, c + 0.5, r + 0.5);
                for (unsigned corner = 0; corner < 4; corner++)
                    add_edge(g, middle, (r + corner / 2) * columns + c + corner % 2);
            } else if ((r + c) % 2 == 0)
                join_points(g, c, r, c + 1, r + 1);
            else
                join_points(g, c, r + 1, c + 1, r);
        }
    return true;
}

/* (square 5 diagonals:Alternating), (rectangle 3 5 …) */
static bool squares(fzi_lud_writer *w, const fzi_lud *shape, graph *g)
{
    const fzi_lud *diagonals = fzi_lud_labelled(shape, "diagonals");
    size_t count = shape->count - (diagonals != NULL);
    unsigned rows, columns;

    if (count < 2 || count > 3 || shape->items[1]->label || !whole_of(w, shape->items[1], &rows))
        return false;
    columns = rows;
    if (count == 3 && (fzi_lud_is(shape, "square") || shape->items[2]->label ||
                       !whole_of(w, shape->items[2], &columns)))
        return false;
    if (!rows || !columns || rows * columns > MOST_POINTS)
        return false;
    for (unsigned i = 0; i < rows * columns; i++)
        add_point(g, i % columns, i / columns);
    for (unsigned i = 0; i < rows * columns; i++) {
        if (i % columns + 1 < columns)
            add_edge(g, i, i + 1);
        if (i / columns + 1 < rows)
            add_edge(g, i, i + columns);
    }
    if (diagonals &&
        (diagonals->kind != FZ_LUD_WORD || !add_diagonals(g, rows, columns, diagonals->text)))
        return false;
    renumber(g);
    return true;
}

/* (tri 4), (tri Hexagon 3): rows of points at unit distance. */
static bool triangles(fzi_lud_writer *w, const fzi_lud *shape, graph *g)
{
    bool hexagon = shape->count == 3 && fzi_lud_is_word(shape->items[1], "Hexagon");
    bool triangle =
        shape->count == 2 || (shape->count == 3 && fzi_lud_is_word(shape->items[1], "Triangle"));
    unsigned size;
    double high = sqrt(3) / 2;

    if ((!hexagon && !triangle) || !whole_of(w, shape->items[shape->count - 1], &size) || !size ||
        size > 12)
        return false;
    unsigned rows = hexagon ? 2 * size - 1 : size;
    for (unsigned row = 0; row < rows; row++) {
        unsigned length = !hexagon ? size - row : row < size ? size + row : 3 * size - 2 - row;
        double left = !hexagon ? row * 0.5 : fabs((double)row - size + 1) * 0.5 - (size - 1) * 0.5;
        for (unsigned i = 0; i < length; i++)
            add_point(g, left + i, row * high);
    }
    for (unsigned a = 0; a < g->point_count; a++)
        for (unsigned b = 0; b < a; b++)
            if (fabs(hypot(g->points[a].x - g->points[b].x, g->points[a].y - g->points[b].y) - 1) <
                same)
                add_edge(g, a, b);
    renumber(g);
    return true;
}

/* A truth value by its label. */
static bool flag(const fzi_lud *node, const char *label, bool preset)
{
    const fzi_lud *value = fzi_lud_labelled(node, label);
    return value ? fzi_lud_is_word(value, "True") : preset;
}

/* (concentric Square rings:3), (concentric sides:6 rings:2), with or without middles. */
static bool rings(fzi_lud_writer *w, const fzi_lud *shape, graph *g)
{
    static const struct {
        const char *word;
        unsigned sides;
    } shapes[] = {{"Triangle", 3}, {"Square", 4}, {"Hexagon", 6}};
    const fzi_lud *count = fzi_lud_labelled(shape, "rings");
    const fzi_lud *sided = fzi_lud_labelled(shape, "sides");
    unsigned sides = 0, number, known = 1;

    for (size_t i = 0; shape->count > 1 && i < sizeof shapes / sizeof *shapes; i++)
        if (fzi_lud_is_word(shape->items[1], shapes[i].word) && !shape->items[1]->label)
            sides = shapes[i].sides;
    known += sides > 0;
    if (sided && !whole_of(w, sided, &sides))
        return false;
    known += 0u + (sided != NULL) + (count != NULL) +
             (fzi_lud_labelled(shape, "midpoints") != NULL) +
             (fzi_lud_labelled(shape, "joinMidpoints") != NULL) +
             (fzi_lud_labelled(shape, "joinCorners") != NULL);
    if (!count || !whole_of(w, count, &number) || sides < 3 || sides > 12 || number > 12 ||
        shape->count != known)
        return false;
    bool middles = flag(shape, "midpoints", true);
    bool join_middles = middles && flag(shape, "joinMidpoints", true);
    bool corners = flag(shape, "joinCorners", false);
    double arc = 2 * acos(-1) / sides, start = acos(-1) / 2 + (sides % 2 == 0 ? arc / 2 : 0);
    unsigned step = middles ? 2 : 1, in_ring = sides * step;
    for (unsigned ring = 0; ring < number; ring++) {
        double radius = 1 + ring * (sides == 3 ? 2.0 : 1.0);
        for (unsigned side = 0; side < sides; side++) {
            double ax = radius * cos(start + arc * side), ay = radius * sin(start + arc * side);
            double bx = radius * cos(start + arc * (side + 1));
            double by = radius * sin(start + arc * (side + 1));
            add_point(g, ax, ay);
            if (middles)
                add_point(g, (ax + bx) / 2, (ay + by) / 2);
        }
        for (unsigned i = 0; i < in_ring; i++)
            add_edge(g, ring * in_ring + i, ring * in_ring + (i + 1) % in_ring);
    }
    for (unsigned i = 0; i + in_ring < g->point_count; i++)
        if (step == 1 ? corners : i % 2 == 0 ? corners : join_middles)
            add_edge(g, i, i + in_ring);
    renumber(g);
    return true;
}

/* (wedge 3), (wedge 3 3): an apex above widening rows. */
static bool wedge(fzi_lud_writer *w, const fzi_lud *shape, graph *g)
{
    unsigned rows, columns = 3;

    if (shape->count < 2 || shape->count > 3 || !whole_of(w, shape->items[1], &rows) ||
        (shape->count == 3 && !whole_of(w, shape->items[2], &columns)) || rows < 2 || rows > 15 ||
        columns < 2 || columns > 15)
        return false;
    double middle = rows - 1;
    add_point(g, middle, middle);
    for (unsigned r = 1; r < rows; r++)
        for (unsigned c = 0; c < columns; c++)
            add_point(g, middle - r + 2.0 * r * c / (columns - 1), middle - r);
    for (unsigned c = 0; c < columns; c++)
        add_edge(g, 0, c + 1);
    for (unsigned i = 1; i < g->point_count; i++) {
        if ((i - 1) % columns + 1 < columns)
            add_edge(g, i, i + 1);
        if (i + columns < g->point_count)
            add_edge(g, i, i + columns);
    }
    return true;
}

/* (graph vertices:{{0 0} …} edges:{{0 1} …}) */
static bool own_graph(fzi_lud_writer *w, const fzi_lud *shape, graph *g)
{
    const fzi_lud *points = fzi_lud_labelled(shape, "vertices");
    const fzi_lud *edges = fzi_lud_labelled(shape, "edges");

    if (!points || shape->count != 2u + (edges != NULL))
        return false;
    for (size_t i = 0; i < points->count; i++) {
        double x, y;
        if (!point_of(w, points->items[i], &x, &y))
            return false;
        add_point(g, x, y);
    }
    for (size_t i = 0; edges && i < edges->count; i++) {
        const fzi_lud *e = edges->items[i];
        unsigned a, b;
        if (e->kind != FZ_LUD_SET || e->count != 2 || !whole_of(w, e->items[0], &a) ||
            !whole_of(w, e->items[1], &b) || a >= g->point_count || b >= g->point_count)
            return false;
        add_edge(g, a, b);
    }
    return true;
}

/* ---- operators ---- */

static bool evaluate(fzi_lud_writer *w, const fzi_lud *shape, graph *g, unsigned depth);

static bool evaluate_into(fzi_lud_writer *w, const fzi_lud *shape, graph *g, bool merge,
                          unsigned depth)
{
    graph *part = FZI_NEW(w->arena, graph);

    if (!evaluate(w, shape, part, depth + 1))
        return false;
    add_graph(g, part, merge);
    return !g->full;
}

/* (merge {…}) makes one point of points at the same place, (union {…}) does not. */
static bool combine(fzi_lud_writer *w, const fzi_lud *shape, graph *g, unsigned depth)
{
    bool merge = fzi_lud_is(shape, "merge");

    for (size_t i = 1; i < shape->count; i++) {
        const fzi_lud *part = fzi_lud_plain(w, shape->items[i]);
        if (!part || part->label)
            return false;
        if (part->kind == FZ_LUD_SET) {
            for (size_t n = 0; n < part->count; n++)
                if (!evaluate_into(w, part->items[n], g, merge, depth))
                    return false;
        } else if (!evaluate_into(w, part, g, merge, depth))
            return false;
    }
    return true;
}

static bool add_lists(fzi_lud_writer *w, const fzi_lud *shape, graph *g)
{
    const fzi_lud *points = fzi_lud_labelled(shape, "vertices");
    const fzi_lud *edges = fzi_lud_labelled(shape, "edges");

    for (size_t i = 0; points && i < points->count; i++) {
        double x, y;
        if (!point_of(w, points->items[i], &x, &y))
            return false;
        find_or_add(g, x, y);
    }
    for (size_t i = 0; edges && i < edges->count; i++) {
        const fzi_lud *e = edges->items[i];
        double ax, ay, bx, by;
        unsigned a, b;
        if (e->kind != FZ_LUD_SET || e->count != 2)
            return false;
        if (point_of(w, e->items[0], &ax, &ay) && point_of(w, e->items[1], &bx, &by)) {
            a = find_or_add(g, ax, ay);
            b = find_or_add(g, bx, by);
        } else if (!whole_of(w, e->items[0], &a) || !whole_of(w, e->items[1], &b) ||
                   a >= g->point_count || b >= g->point_count)
            return false;
        add_edge(g, a, b);
    }
    return !g->full && shape->count == 2u + (points != NULL) + (edges != NULL);
}

static int descending(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x < y) - (x > y);
}

static bool remove_lists(fzi_lud_writer *w, const fzi_lud *shape, graph *g)
{
    const fzi_lud *points = fzi_lud_labelled(shape, "vertices");
    const fzi_lud *edges = fzi_lud_labelled(shape, "edges");
    unsigned gone[MOST_POINTS], count = 0;

    for (size_t i = 0; edges && i < edges->count; i++) {
        const fzi_lud *e = edges->items[i];
        double ax, ay, bx, by;
        unsigned a, b;
        if (e->kind != FZ_LUD_SET || e->count != 2)
            return false;
        bool placed = point_of(w, e->items[0], &ax, &ay) && point_of(w, e->items[1], &bx, &by);
        if (placed ? !find_point(g, ax, ay, &a) || !find_point(g, bx, by, &b)
                   : !whole_of(w, e->items[0], &a) || !whole_of(w, e->items[1], &b))
            return false;
        remove_edge(g, a, b);
    }
    for (size_t i = 0; points && i < points->count && count < MOST_POINTS; i++) {
        double x, y;
        bool placed = point_of(w, points->items[i], &x, &y);
        if (placed ? !find_point(g, x, y, &gone[count])
                   : !whole_of(w, points->items[i], &gone[count]))
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
static point middle_of(const graph *g)
{
    point low = g->points[0], high = low;

    for (unsigned i = 1; i < g->point_count; i++) {
        low = (point){fmin(low.x, g->points[i].x), fmin(low.y, g->points[i].y)};
        high = (point){fmax(high.x, g->points[i].x), fmax(high.y, g->points[i].y)};
    }
    return (point){(low.x + high.x) / 2, (low.y + high.y) / 2};
}

static bool transform(fzi_lud_writer *w, const fzi_lud *shape, graph *g, unsigned depth)
{
    double a, b;
    size_t last = shape->count - 1;

    if (shape->count < 3 || !evaluate(w, shape->items[last], g, depth + 1) ||
        !real_of(w, shape->items[1], &a))
        return false;
    b = a;
    if (last == 3 && !real_of(w, shape->items[2], &b))
        return false;
    if (last > 3 || (fzi_lud_is(shape, "shift") && last != 3) ||
        (fzi_lud_is(shape, "rotate") && last != 2))
        return false;
    point middle = middle_of(g);
    double angle = a * acos(-1) / 180;
    for (unsigned i = 0; i < g->point_count; i++) {
        point *p = &g->points[i];
        double x = p->x - middle.x, y = p->y - middle.y;
        if (fzi_lud_is(shape, "shift"))
            *p = (point){p->x + a, p->y + b};
        else if (fzi_lud_is(shape, "scale"))
            *p = (point){p->x * a, p->y * b};
        else
            *p = (point){middle.x + x * cos(angle) - y * sin(angle),
                         middle.y + x * sin(angle) + y * cos(angle)};
    }
    return true;
}

/* Where two edges cross inside of both. */
static bool crossing(const graph *g, edge e, edge f, point *at)
{
    point a = g->points[e.a], b = g->points[e.b], c = g->points[f.a], d = g->points[f.b];
    double rx = b.x - a.x, ry = b.y - a.y, sx = d.x - c.x, sy = d.y - c.y;
    double cross = rx * sy - ry * sx;

    if (fabs(cross) < 1e-9)
        return false;
    double t = ((c.x - a.x) * sy - (c.y - a.y) * sx) / cross;
    double u = ((c.x - a.x) * ry - (c.y - a.y) * rx) / cross;
    *at = (point){a.x + t * rx, a.y + t * ry};
    return t > same && t < 1 - same && u > same && u < 1 - same;
}

static bool touches(const graph *g, edge e, unsigned p)
{
    point a = g->points[e.a], b = g->points[e.b], c = g->points[p];
    double length = hypot(b.x - a.x, b.y - a.y);
    double off = fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / length;
    double along = ((b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y)) / length;

    return p != e.a && p != e.b && off < same && along > same && along < length - same;
}

/* A point where edges cross, and edges that end at each point on them. */
static bool split_crossings(graph *g)
{
    for (unsigned i = 0; i < g->edge_count; i++)
        for (unsigned n = 0; n < i; n++) {
            point at;
            if (crossing(g, g->edges[i], g->edges[n], &at))
                find_or_add(g, at.x, at.y);
        }
    for (unsigned i = 0; i < g->edge_count && !g->full;) {
        edge e = g->edges[i];
        unsigned p = 0;
        while (p < g->point_count && !touches(g, e, p))
            p++;
        if (p == g->point_count) {
            i++;
            continue;
        }
        g->edges[i] = g->edges[--g->edge_count];
        add_edge(g, e.a, p);
        add_edge(g, p, e.b);
    }
    return !g->full;
}

static bool evaluate(fzi_lud_writer *w, const fzi_lud *written, graph *g, unsigned depth)
{
    const fzi_lud *shape = fzi_lud_plain(w, written);
    bool good = false;

    if (!shape || shape->kind != FZ_LUD_LIST || shape->count < 2 || depth > MOST_NESTED)
        return false;
    if (fzi_lud_is(shape, "square") || fzi_lud_is(shape, "rectangle"))
        good = squares(w, shape, g);
    else if (fzi_lud_is(shape, "tri"))
        good = triangles(w, shape, g);
    else if (fzi_lud_is(shape, "concentric"))
        good = rings(w, shape, g);
    else if (fzi_lud_is(shape, "wedge"))
        good = wedge(w, shape, g);
    else if (fzi_lud_is(shape, "graph"))
        good = own_graph(w, shape, g);
    else if (fzi_lud_is(shape, "merge") || fzi_lud_is(shape, "union"))
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
        renumber(g);
    }
    return good && !g->full ? true
                            : fzi_lud_unsaid(w, shape, "this board is not translated yet") != NULL;
}

/* ---- as text ---- */

/* The numbers of values that differ, from the smallest. */
static void ranks(const graph *g, bool columns, unsigned *rank)
{
    for (unsigned i = 0; i < g->point_count; i++) {
        double value = columns ? g->points[i].x : g->points[i].y;
        rank[i] = 0;
        for (unsigned n = 0; n < g->point_count; n++) {
            double other = columns ? g->points[n].x : g->points[n].y;
            bool first = other < value - same;
            for (unsigned m = 0; m < n && first; m++)
                first = fabs((columns ? g->points[m].x : g->points[m].y) - other) >= same;
            rank[i] += first;
        }
    }
}

/* The direction of fzi_lud_compass that is nearest. */
static unsigned compass(point from, point to)
{
    double turn = atan2(to.y - from.y, to.x - from.x) / (2 * acos(-1)) * FZ_LUD_COMPASS;
    return (unsigned)(lround(turn) + FZ_LUD_COMPASS) % FZ_LUD_COMPASS;
}

enum { MOST_NEIGHBOURS = 32 };

static unsigned neighbours(const graph *g, unsigned at, unsigned *found)
{
    unsigned count = 0;

    for (unsigned n = 0; n < g->edge_count && count < MOST_NEIGHBOURS; n++) {
        edge e = g->edges[n];
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
static bool is_empty(const graph *g, const unsigned corners[4])
{
    for (unsigned n = 0; n < g->point_count; n++) {
        unsigned left = 0, right = 0;
        for (int i = 0; i < 4; i++) {
            point a = g->points[corners[i]], b = g->points[corners[(i + 1) % 4]];
            double turn =
                (b.x - a.x) * (g->points[n].y - a.y) - (b.y - a.y) * (g->points[n].x - a.x);
            left += turn > same;
            right += turn < -same;
        }
        if (left == 4 || right == 4)
            return false;
    }
    return true;
}

/* Is this edge a side of a square that no edge crosses, and in which no point lies? */
static bool has_open_square(const graph *g, edge side)
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
static bool find_neighbours(fzi_lud_writer *w, const graph *g)
{
    fzi_lud_board *b = &w->board;

    b->next = fzi_arena_alloc(w->arena, g->point_count * sizeof *b->next);
    memset(b->next, -1, g->point_count * sizeof *b->next);
    for (unsigned n = 0; n < g->edge_count; n++) {
        edge e = g->edges[n];
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
static void judge(fzi_lud_writer *w, const graph *g)
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
static const char *edge_set(fzi_lud_writer *w, const graph *g, const unsigned *rank, bool last)
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

static void measure(fzi_lud_writer *w, const graph *g)
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
    fzi_lud_measure(
        w, &(fzi_lud_net){g->point_count, x, y, g->edge_count, (const unsigned(*)[2])edges});
}

bool fzi_lud_read_graph(fzi_lud_writer *w, const fzi_lud *shape)
{
    graph *g = FZI_NEW(w->arena, graph);
    unsigned column[MOST_POINTS], row[MOST_POINTS];
    fzi_lud_board *b = &w->board;

    if (!evaluate(w, shape, g, 0))
        return false;
    ranks(g, true, column);
    ranks(g, false, row);
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
    b->top = edge_set(w, g, row, true);
    b->bottom = edge_set(w, g, row, false);
    b->left = edge_set(w, g, column, false);
    b->right = edge_set(w, g, column, true);
    measure(w, g);
    if (g->point_count == 0 || !find_neighbours(w, g))
        return fzi_lud_unsaid(w, shape, "two edges of a point in one direction") != NULL;
    fzi_lud_write_lines(w);
    judge(w, g);
    return true;
}
