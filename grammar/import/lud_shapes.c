/* The shapes of .lud boards whose points are computed. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "lud_graph.h"

/* ---- numbers of forms ---- */

bool fzi_lud_real(fzi_lud_writer *w, const fzi_lud *node, double *value)
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
    bool good = fzi_lud_real(w, plain->items[1], &a) &&
                (plain->count == 2 || fzi_lud_real(w, plain->items[2], &b));
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

bool fzi_lud_pair(fzi_lud_writer *w, const fzi_lud *node, double *x, double *y)
{
    return node->kind == FZ_LUD_SET && node->count == 2 && fzi_lud_real(w, node->items[0], x) &&
           fzi_lud_real(w, node->items[1], y);
}

bool fzi_lud_whole(fzi_lud_writer *w, const fzi_lud *node, unsigned *value)
{
    double real;
    if (!fzi_lud_real(w, node, &real) || real < 0 || real > FZ_LUD_MOST_POINTS ||
        fabs(real - round(real)) > FZ_LUD_SAME)
        return false;
    *value = (unsigned)lround(real);
    return true;
}

/* ---- shapes ---- */

static bool add_diagonals(fzi_lud_graph *g, unsigned rows, unsigned columns, const char *kind)
{
    if (strcmp(kind, "Alternating") != 0 && strcmp(kind, "Solid") != 0)
        return false;
    for (unsigned r = 0; r + 1 < rows; r++)
        for (unsigned c = 0; c + 1 < columns; c++) {
            if (*kind == 'S') {
                unsigned middle = fzi_lud_add_point(g, c + 0.5, r + 0.5);
                for (unsigned corner = 0; corner < 4; corner++)
                    fzi_lud_add_edge(g, middle, (r + corner / 2) * columns + c + corner % 2);
            } else if ((r + c) % 2 == 0)
                fzi_lud_join_points(g, c, r, c + 1, r + 1);
            else
                fzi_lud_join_points(g, c, r + 1, c + 1, r);
        }
    return true;
}

/* (square 5 diagonals:Alternating), (rectangle 3 5 …) */
static bool squares(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    const fzi_lud *diagonals = fzi_lud_labelled(shape, "diagonals");
    size_t count = shape->count - (diagonals != NULL);
    unsigned rows, columns;

    if (count < 2 || count > 3 || shape->items[1]->label ||
        !fzi_lud_whole(w, shape->items[1], &rows))
        return false;
    columns = rows;
    if (count == 3 && (fzi_lud_is(shape, "square") || shape->items[2]->label ||
                       !fzi_lud_whole(w, shape->items[2], &columns)))
        return false;
    if (!rows || !columns || rows * columns > FZ_LUD_MOST_POINTS)
        return false;
    for (unsigned i = 0; i < rows * columns; i++)
        fzi_lud_add_point(g, i % columns, i / columns);
    for (unsigned i = 0; i < rows * columns; i++) {
        if (i % columns + 1 < columns)
            fzi_lud_add_edge(g, i, i + 1);
        if (i / columns + 1 < rows)
            fzi_lud_add_edge(g, i, i + columns);
    }
    if (diagonals &&
        (diagonals->kind != FZ_LUD_WORD || !add_diagonals(g, rows, columns, diagonals->text)))
        return false;
    fzi_lud_renumber(g);
    return true;
}

/* (tri 4), (tri Hexagon 3): rows of points at unit distance. */
static bool triangles(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    bool hexagon = shape->count == 3 && fzi_lud_is_word(shape->items[1], "Hexagon");
    bool triangle =
        shape->count == 2 || (shape->count == 3 && fzi_lud_is_word(shape->items[1], "Triangle"));
    unsigned size;
    double high = sqrt(3) / 2;

    if ((!hexagon && !triangle) || !fzi_lud_whole(w, shape->items[shape->count - 1], &size) ||
        !size || size > 12)
        return false;
    unsigned rows = hexagon ? 2 * size - 1 : size;
    for (unsigned row = 0; row < rows; row++) {
        unsigned length = !hexagon ? size - row : row < size ? size + row : 3 * size - 2 - row;
        double left = !hexagon ? row * 0.5 : fabs((double)row - size + 1) * 0.5 - (size - 1) * 0.5;
        for (unsigned i = 0; i < length; i++)
            fzi_lud_add_point(g, left + i, row * high);
    }
    for (unsigned a = 0; a < g->point_count; a++)
        for (unsigned b = 0; b < a; b++)
            if (fabs(hypot(g->points[a].x - g->points[b].x, g->points[a].y - g->points[b].y) - 1) <
                FZ_LUD_SAME)
                fzi_lud_add_edge(g, a, b);
    fzi_lud_renumber(g);
    return true;
}

/* A truth value by its label. */
static bool flag(const fzi_lud *node, const char *label, bool preset)
{
    const fzi_lud *value = fzi_lud_labelled(node, label);
    return value ? fzi_lud_is_word(value, "True") : preset;
}

/* (concentric Square rings:3), (concentric sides:6 rings:2), with or without middles. */
static bool rings(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
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
    if (sided && !fzi_lud_whole(w, sided, &sides))
        return false;
    known += 0u + (sided != NULL) + (count != NULL) +
             (fzi_lud_labelled(shape, "midpoints") != NULL) +
             (fzi_lud_labelled(shape, "joinMidpoints") != NULL) +
             (fzi_lud_labelled(shape, "joinCorners") != NULL);
    if (!count || !fzi_lud_whole(w, count, &number) || sides < 3 || sides > 12 || number > 12 ||
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
            fzi_lud_add_point(g, ax, ay);
            if (middles)
                fzi_lud_add_point(g, (ax + bx) / 2, (ay + by) / 2);
        }
        for (unsigned i = 0; i < in_ring; i++)
            fzi_lud_add_edge(g, ring * in_ring + i, ring * in_ring + (i + 1) % in_ring);
    }
    for (unsigned i = 0; i + in_ring < g->point_count; i++)
        if (step == 1 ? corners : i % 2 == 0 ? corners : join_middles)
            fzi_lud_add_edge(g, i, i + in_ring);
    fzi_lud_renumber(g);
    return true;
}

/* (wedge 3), (wedge 3 3): an apex above widening rows. */
static bool wedge(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    unsigned rows, columns = 3;

    if (shape->count < 2 || shape->count > 3 || !fzi_lud_whole(w, shape->items[1], &rows) ||
        (shape->count == 3 && !fzi_lud_whole(w, shape->items[2], &columns)) || rows < 2 ||
        rows > 15 || columns < 2 || columns > 15)
        return false;
    double middle = rows - 1;
    fzi_lud_add_point(g, middle, middle);
    for (unsigned r = 1; r < rows; r++)
        for (unsigned c = 0; c < columns; c++)
            fzi_lud_add_point(g, middle - r + 2.0 * r * c / (columns - 1), middle - r);
    for (unsigned c = 0; c < columns; c++)
        fzi_lud_add_edge(g, 0, c + 1);
    for (unsigned i = 1; i < g->point_count; i++) {
        if ((i - 1) % columns + 1 < columns)
            fzi_lud_add_edge(g, i, i + 1);
        if (i + columns < g->point_count)
            fzi_lud_add_edge(g, i, i + columns);
    }
    return true;
}

/* (graph vertices:{{0 0} …} edges:{{0 1} …}) */
static bool own_graph(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    const fzi_lud *points = fzi_lud_labelled(shape, "vertices");
    const fzi_lud *edges = fzi_lud_labelled(shape, "edges");

    if (!points || shape->count != 2u + (edges != NULL))
        return false;
    for (size_t i = 0; i < points->count; i++) {
        double x, y;
        if (!fzi_lud_pair(w, points->items[i], &x, &y))
            return false;
        fzi_lud_add_point(g, x, y);
    }
    for (size_t i = 0; edges && i < edges->count; i++) {
        const fzi_lud *e = edges->items[i];
        unsigned a, b;
        if (e->kind != FZ_LUD_SET || e->count != 2 || !fzi_lud_whole(w, e->items[0], &a) ||
            !fzi_lud_whole(w, e->items[1], &b) || a >= g->point_count || b >= g->point_count)
            return false;
        fzi_lud_add_edge(g, a, b);
    }
    return true;
}

/* (regular Star 5), (concentric {24}): a polygon, or a star of its longest diagonals. */
static bool polygon(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    bool star = shape->count == 3 && fzi_lud_is_word(shape->items[1], "Star");
    const fzi_lud *size = shape->items[shape->count - 1];
    unsigned sides;

    if (size->kind == FZ_LUD_SET && size->count == 1 && fzi_lud_is(shape, "concentric"))
        size = size->items[0];
    if (shape->count != 2u + star || !fzi_lud_whole(w, size, &sides) || sides < 3 || sides > 60)
        return false;
    double full = 2 * acos(-1), radius = sides / full, start = sides == 4 ? full / 8 : full / 4;
    for (unsigned i = 0; i < sides; i++)
        fzi_lud_add_point(g, radius * cos(start + full * i / sides),
                          radius * sin(start + full * i / sides));
    for (unsigned i = 0; i < sides; i++)
        fzi_lud_add_edge(g, i, (i + (star ? (sides - 1) / 2 : 1)) % sides);
    fzi_lud_renumber(g);
    return true;
}

/* The points of a ring, counterclockwise, as Ludii sorts them; the last is at the top. */
static void add_ring(fzi_lud_graph *g, unsigned radius, unsigned count)
{
    double full = 2 * acos(-1);

    for (unsigned i = 1; i <= count; i++) {
        double angle = full / 4 + full * i / count;
        fzi_lud_add_point(g, radius * cos(angle), radius * sin(angle));
    }
}

/* (concentric {1 4 8}): rings of so many points around a middle of 1 or 0. */
static bool circles(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    const fzi_lud *list =
        shape->count == 2 && shape->items[1]->kind == FZ_LUD_SET ? shape->items[1] : NULL;
    unsigned count, first, ring = 1;

    if (!list || list->count < 2 || !fzi_lud_whole(w, list->items[0], &first))
        return false;
    if (first == 1)
        fzi_lud_add_point(g, 0, 0);
    for (size_t i = first < 2; i < list->count; i++, ring++) {
        unsigned begin = g->point_count;
        if (!fzi_lud_whole(w, list->items[i], &count))
            return false;
        add_ring(g, ring, count);
        for (unsigned n = 0; n < count && count > 1; n++)
            fzi_lud_add_edge(g, begin + n, begin + (n + 1) % count);
        for (unsigned n = begin; n < g->point_count && !g->full; n++) {
            fzi_lud_point p = g->points[n];
            if (ring > 1)
                fzi_lud_join_points(g, p.x, p.y, p.x * (ring - 1) / ring, p.y * (ring - 1) / ring);
            else if (first == 1)
                fzi_lud_add_edge(g, 0, n);
        }
    }
    return true;
}

bool fzi_lud_shape(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    static const struct {
        const char *head;
        bool (*add)(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g);
    } shapes[] = {{"square", squares},     {"rectangle", squares},  {"tri", triangles},
                  {"concentric", rings},   {"wedge", wedge},        {"graph", own_graph},
                  {"concentric", circles}, {"concentric", polygon}, {"regular", polygon}};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (fzi_lud_is(shape, shapes[i].head) && shapes[i].add(w, shape, g))
            return true;
    return false;
}
