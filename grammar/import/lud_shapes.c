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
    if (plain && plain->kind == FZ_LUD_WORD)
        return fzi_lud_real(w, plain, value);
    if (!plain || plain->kind != FZ_LUD_LIST || plain->count < 2 || plain->count > 3)
        return false;
    bool good = ++w->depth <= 40 && fzi_lud_real(w, plain->items[1], &a) &&
                (plain->count == 2 || fzi_lud_real(w, plain->items[2], &b));
    w->depth--;
    if (!good)
        return false;
    *value = fzi_lud_is(plain, "+")      ? a + b
             : fzi_lud_is(plain, "-")    ? (plain->count == 2 ? -a : a - b)
             : fzi_lud_is(plain, "*")    ? a * b
             : fzi_lud_is(plain, "/")    ? a / b
             : fzi_lud_is(plain, "^")    ? pow(a, b)
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
    const double middle_x = columns / 2, middle_y = rows / 2;
    bool solid = strcmp(kind, "Solid") == 0, both = strcmp(kind, "SolidNoSplit") == 0;
    bool radiating = strcmp(kind, "Radiating") == 0;

    if (!solid && !both && !radiating && strcmp(kind, "Alternating") != 0)
        return false;
    if (radiating && rows != columns)
        return false;
    for (unsigned r = 0; r + 1 < rows; r++)
        for (unsigned c = 0; c + 1 < columns; c++) {
            double x = c + 0.5 - middle_x, y = r + 0.5 - middle_y;
            if (solid) {
                unsigned middle = fzi_lud_add_point(g, c + 0.5, r + 0.5);
                for (unsigned corner = 0; corner < 4; corner++)
                    fzi_lud_add_edge(g, middle, (r + corner / 2) * columns + c + corner % 2);
                continue;
            }
            if (radiating ? fabs(x - y) < FZ_LUD_SAME : both || (r + c) % 2 == 0)
                fzi_lud_join_points(g, c, r, c + 1, r + 1);
            if (radiating ? fabs(x + y) < FZ_LUD_SAME : both || (r + c) % 2 == 1)
                fzi_lud_join_points(g, c, r + 1, c + 1, r);
        }
    return true;
}

/* (square Diamond 4): squares in rows that grow and shrink. */
static bool diamond(fzi_lud_graph *g, unsigned size)
{
    for (unsigned r = 0; r < 2 * size; r++)
        for (unsigned c = 0; c < 2 * size; c++)
            if (r + c + 1 >= size && c <= r + size && r <= c + size && r + c < 3 * size)
                fzi_lud_add_point(g, c, r);
    fzi_lud_join_near(g, 1);
    return true;
}

/* (square 5 diagonals:Alternating), (rectangle 3 5 …) */
static bool squares(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    const fzi_lud *diagonals = fzi_lud_labelled(shape, "diagonals");
    size_t count = shape->count - (diagonals != NULL);
    unsigned rows, columns, more = !w->board.on_vertices;

    if (shape->count == 3 && fzi_lud_is_word(shape->items[1], "Diamond"))
        return fzi_lud_whole(w, shape->items[2], &rows) && rows < 20 && diamond(g, rows);
    if (count < 2 || count > 3 || shape->items[1]->label ||
        !fzi_lud_whole(w, shape->items[1], &rows))
        return false;
    columns = rows;
    if (count == 3 && (fzi_lud_is(shape, "square") || shape->items[2]->label ||
                       !fzi_lud_whole(w, shape->items[2], &columns)))
        return false;
    rows += more;
    columns += more;
    if (rows == more || columns == more || rows * columns > FZ_LUD_MOST_POINTS)
        return false;
    for (unsigned i = 0; i < rows * columns; i++)
        fzi_lud_add_point(g, i % columns, i / columns);
    for (unsigned i = 0; i < rows * columns; i++) {
        if (i % columns + 1 < columns)
            fzi_lud_add_edge(g, i, i + 1);
        if (i / columns + 1 < rows)
            fzi_lud_add_edge(g, i, i + columns);
    }
    return !diagonals ||
           (diagonals->kind == FZ_LUD_WORD && add_diagonals(g, rows, columns, diagonals->text));
}

/* The places of triangles and hexagons, by row and column: rows are slanted to the right. */
static fzi_lud_point slanted(int row, int column)
{
    return (fzi_lud_point){column - row * 0.5, row * sqrt(3) / 2};
}

enum { MOST_SLANTED = 45 };

/* Which places a board has: those of a polygon, or of a named shape. */
typedef struct places {
    fzi_lud_point polygon[FZ_LUD_MOST_CORNERS];
    size_t sides; /* 0: a named shape */
    char kind;    /* its first letter; `H` of Hexagon */
    int size, other;
    int low[2], high[2]; /* of a polygon: the columns and rows that Ludii looks at */
} places;

static bool has_place(const places *p, int row, int column)
{
    int n = p->size;

    if (p->sides)
        return column >= p->low[0] && column <= p->high[0] && row >= p->low[1] &&
               row <= p->high[1] && fzi_lud_is_inside(p->polygon, p->sides, slanted(row, column));
    switch (p->kind) {
    case 'H':
        return row >= 0 && column >= 0 && row < 2 * n - 1 && column < 2 * n - 1 &&
               column - row < n && row - column < n;
    case 'T': return row >= 0 && row <= column && column < n;
    case 'D': return row >= 0 && column >= 0 && row < n && column < n;
    case 'P':
        return row >= 0 && column >= 0 && row < n + p->other - 1 && column < n + p->other - 1 &&
               abs(row - column) < n;
    case 'R': return row >= 0 && row < n && column >= (row + 1) / 2 && column < p->other + row / 2;
    case 'S':
        if (row < 0 || row > 4 * n || column < 0 || column > 4 * n)
            return false;
        return row < n || (row > 2 * n && row <= 3 * n) ? column >= n && column - row <= n
                                                        : column <= 3 * n && row - column <= n;
    default: return false;
    }
}

/* Ludii looks for places in a rectangle around the polygon, whose corners it moves outwards before.
 * Slanted boards can lie partly beside it, and then lack these places. */
static void find_range(places *p, double unit, int margin)
{
    static const double outwards = 0.1;
    double low[2] = {0}, high[2] = {0};

    for (size_t i = 0; i < p->sides; i++) {
        fzi_lud_point a = p->polygon[(i + p->sides - 1) % p->sides], b = p->polygon[i],
                      c = p->polygon[(i + 1) % p->sides];
        double in = fmax(hypot(b.x - a.x, b.y - a.y), FZ_LUD_SAME),
               out = fmax(hypot(b.x - c.x, b.y - c.y), FZ_LUD_SAME);
        bool right = (b.x - a.x) * (c.y - b.y) < (b.y - a.y) * (c.x - b.x);
        double by = (right ? 0.5 : -0.5) * outwards;
        double at[2] = {b.x * unit + by * ((b.x - a.x) / in + (b.x - c.x) / out),
                        b.y * unit + by * ((b.y - a.y) / in + (b.y - c.y) / out)};
        for (int n = 0; n < 2; n++) {
            low[n] = i ? fmin(low[n], at[n]) : at[n];
            high[n] = i ? fmax(high[n], at[n]) : at[n];
        }
    }
    for (int n = 0; n < 2; n++) {
        p->low[n] = (int)low[n] - margin;
        p->high[n] = (int)high[n] + margin;
    }
}

/* (hex {4 3 4 3}): the lengths of the sides, by turns of 60 degrees. */
static bool read_sides(fzi_lud_writer *w, const fzi_lud *list, size_t first, bool hexagons,
                       places *p)
{
    static const int steps[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
    size_t count = list->count - first;
    int row = 0, column = 0, way = 1;
    double length, shorter, longer;

    if (count < 1 || count >= FZ_LUD_MOST_CORNERS)
        return false;
    p->polygon[p->sides++] = slanted(0, 0);
    for (size_t i = 0; i < (count < 5 ? 5 : count); i++) {
        if (!fzi_lud_real(w, list->items[first + i % count], &length) || fabs(length) > 20)
            return false;
        int step = (int)lround(length);
        step += step < 0 ? 1 : -1;
        way = (way + (step < 0 ? 5 : 1)) % 6;
        if (step <= 0)
            continue;
        row += step * steps[way][0];
        column += step * steps[way][1];
        if (abs(row) > MOST_SLANTED || abs(column) > MOST_SLANTED)
            return false;
        p->polygon[p->sides++] = slanted(row, column);
    }
    bool limping = count == 2 && fzi_lud_real(w, list->items[first], &shorter) &&
                   fzi_lud_real(w, list->items[first + 1], &longer) && shorter == longer - 1;
    find_range(p, hexagons ? sqrt(3) : 1, hexagons ? 3 : limping ? (int)shorter : 2);
    return p->sides > 2;
}

/* (hex 5), (hex Rectangle 7 14), (hex Limping 3), (tri {4 6 4 6}) … */
static bool read_places(fzi_lud_writer *w, const fzi_lud *shape, bool hexagons, places *p)
{
    const fzi_lud *word = shape->items[1];
    bool named = word->kind == FZ_LUD_WORD && isalpha((unsigned char)word->text[0]);
    size_t first = 1u + named, count = shape->count - first;
    unsigned size, other;

    if (!named && shape->count == 2 && word->kind == FZ_LUD_SET)
        return read_sides(w, word, 0, hexagons, p);
    if (count < 1 || count > 2 || !fzi_lud_whole(w, shape->items[first], &size))
        return false;
    other = size;
    if (count == 2 && !fzi_lud_whole(w, shape->items[first + 1], &other))
        return false;
    if (size > 20 || other > 20 || !size || !other)
        return false;
    p->kind = named ? word->text[0] : hexagons ? 'H' : 'T';
    if (named && strcmp(word->text, "Square") == 0)
        p->kind = 'R';
    p->size = (int)size;
    p->other = (int)other;
    if (p->kind != 'L' && (p->kind != 'H' || count == 1))
        return count == 1 || p->kind == 'P' || p->kind == 'R';
    fzi_lud sides = {.kind = FZ_LUD_SET, .count = 2};
    char text[2][12];
    fzi_lud ends[2], *items[2] = {&ends[0], &ends[1]};
    for (int i = 0; i < 2; i++) {
        snprintf(text[i], sizeof text[i], "%u", i == 0 ? size : p->kind == 'L' ? size + 1 : other);
        ends[i] = (fzi_lud){.kind = FZ_LUD_WORD, .text = text[i]};
    }
    sides.items = items;
    return read_sides(w, &sides, 0, hexagons, p);
}

static bool hexagons(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    places p = {0};
    double third = acos(-1) / 3;

    if (!read_places(w, shape, true, &p))
        return false;
    bool flat = !p.sides && (p.kind == 'D' || p.kind == 'P'); /* a corner in the east */
    for (int row = -MOST_SLANTED; row <= MOST_SLANTED; row++)
        for (int column = -MOST_SLANTED; column <= MOST_SLANTED && !g->full; column++) {
            fzi_lud_point at = slanted(row, column);
            if (!has_place(&p, row, column))
                continue;
            at = flat ? (fzi_lud_point){1.5 * (column - row), sqrt(3) / 2 * (row + column)}
                      : (fzi_lud_point){at.x * sqrt(3), at.y * sqrt(3)};
            for (int corner = 0; corner < 6; corner++) {
                double angle = (corner + (flat ? 0 : 0.5)) * third;
                fzi_lud_point_at(g, at.x + cos(angle), at.y + sin(angle));
            }
        }
    fzi_lud_join_near(g, 1);
    return true;
}

/* (tri 4), (tri Hexagon 3), (tri Limping 4): rows of points at unit distance. */
static bool triangles(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g)
{
    places p = {0};

    if (!read_places(w, shape, false, &p))
        return false;
    if (!p.sides && p.kind != 'H' && p.kind != 'T')
        return false;
    p.size += !w->board.on_vertices;
    for (int row = -MOST_SLANTED; row <= MOST_SLANTED; row++)
        for (int column = -MOST_SLANTED; column <= MOST_SLANTED && !g->full; column++)
            if (has_place(&p, row, column))
                fzi_lud_add_point(g, slanted(row, column).x, slanted(row, column).y);
    fzi_lud_join_near(g, 1);
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
        bool sorted; /* Ludii numbers its points by rows */
        bool points; /* only boards of points are known */
    } shapes[] = {{"square", squares, true, false},    {"rectangle", squares, true, false},
                  {"hex", hexagons, true, false},      {"tri", triangles, true, false},
                  {"graph", own_graph, false, false},  {"concentric", rings, true, true},
                  {"wedge", wedge, false, true},       {"concentric", circles, false, true},
                  {"concentric", polygon, true, true}, {"regular", polygon, true, true}};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (!fzi_lud_is(shape, shapes[i].head) || (shapes[i].points && !w->board.on_vertices) ||
            !shapes[i].add(w, shape, g))
            continue;
        fzi_lud_make_faces(g);
        if (shapes[i].sorted)
            fzi_lud_renumber(g);
        return true;
    }
    return false;
}
