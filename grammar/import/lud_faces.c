/* Faces of boards of .lud files, whose sites are cells: found, removed, joined as Ludii does. */
#include <math.h>

#include "lud_graph.h"

/* ---- all faces ---- */

static double angle_of(const fzi_lud_graph *g, unsigned from, unsigned to)
{
    return atan2(g->points[to].y - g->points[from].y, g->points[to].x - g->points[from].x);
}

/* The neighbours of each point by angle, from the west counterclockwise. */
typedef struct fans {
    unsigned begin[FZ_LUD_MOST_POINTS + 1], to[2 * FZ_LUD_MOST_EDGES];
} fans;

static void sort_fans(const fzi_lud_graph *g, fans *f)
{
    unsigned filled[FZ_LUD_MOST_POINTS];

    memset(f->begin, 0, sizeof f->begin);
    for (unsigned i = 0; i < g->edge_count; i++) {
        f->begin[g->edges[i].a + 1]++;
        f->begin[g->edges[i].b + 1]++;
    }
    for (unsigned p = 0; p < g->point_count; p++) {
        f->begin[p + 1] += f->begin[p];
        filled[p] = f->begin[p];
    }
    for (unsigned i = 0; i < 2 * g->edge_count; i++) {
        fzi_lud_edge e = g->edges[i / 2];
        unsigned from = i % 2 ? e.b : e.a, to = i % 2 ? e.a : e.b, at = filled[from]++;
        while (at > f->begin[from] && angle_of(g, from, f->to[at - 1]) > angle_of(g, from, to)) {
            f->to[at] = f->to[at - 1];
            at--;
        }
        f->to[at] = to;
    }
}

/* Walks clockwise from an edge until the first point comes again; false: there is no such way. */
static bool walk_face(const fans *f, unsigned from, unsigned to, fzi_lud_face *face)
{
    const unsigned first = from;

    *face = (fzi_lud_face){.corners = {first}, .count = 1};
    while (to != first) {
        unsigned count = f->begin[to + 1] - f->begin[to], back = 0;
        for (unsigned i = 0; i < face->count; i++)
            if (face->corners[i] == to)
                return false;
        if (face->count == FZ_LUD_MOST_CORNERS || count < 2)
            return false;
        face->corners[face->count++] = to;
        while (f->to[f->begin[to] + back] != from)
            back++;
        from = to;
        to = f->to[f->begin[to] + (back + 1) % count];
    }
    return face->count > 2;
}

static bool is_clockwise(const fzi_lud_graph *g, const fzi_lud_face *face)
{
    double area = 0;

    for (unsigned i = 0; i < face->count; i++) {
        fzi_lud_point a = g->points[face->corners[i]],
                      b = g->points[face->corners[(i + 1) % face->count]];
        area += a.x * b.y - b.x * a.y;
    }
    return area < 0;
}

void fzi_lud_turn_clockwise(const fzi_lud_graph *g, fzi_lud_face *face)
{
    if (is_clockwise(g, face))
        return;
    for (unsigned i = 0; i < face->count / 2; i++) {
        unsigned corner = face->corners[i];
        face->corners[i] = face->corners[face->count - 1 - i];
        face->corners[face->count - 1 - i] = corner;
    }
}

/* Is the face known? Then its walk was the same one, from another corner. */
static bool is_known(const fzi_lud_graph *g, const fzi_lud_face *face)
{
    for (unsigned i = 0; i < g->face_count; i++) {
        const fzi_lud_face *f = &g->faces[i];
        for (unsigned n = 0; n < f->count; n++)
            if (f->corners[n] == face->corners[0] &&
                f->corners[(n + 1) % f->count] == face->corners[1])
                return true;
    }
    return false;
}

void fzi_lud_make_faces(fzi_lud_graph *g)
{
    fans f;
    fzi_lud_face face;

    g->face_count = 0;
    if (g->full)
        return;
    sort_fans(g, &f);
    for (unsigned p = 0; p < g->point_count; p++)
        for (unsigned i = f.begin[p]; i < f.begin[p + 1]; i++) {
            if (!walk_face(&f, p, f.to[i], &face) || !is_clockwise(g, &face) || is_known(g, &face))
                continue;
            if (g->face_count == FZ_LUD_MOST_FACES) {
                g->full = true;
                return;
            }
            g->faces[g->face_count++] = face;
        }
}

/* ---- operators ---- */

/* The face on the other side of the edge from corner `n` on; false: there is none. */
static bool beyond(const fzi_lud_graph *g, unsigned number, unsigned n, unsigned *other)
{
    const fzi_lud_face *f = &g->faces[number];
    unsigned a = f->corners[n], b = f->corners[(n + 1) % f->count];

    for (*other = 0; *other < g->face_count; ++*other) {
        const fzi_lud_face *o = &g->faces[*other];
        for (unsigned i = 0; i < o->count && *other != number; i++)
            if (o->corners[i] == b && o->corners[(i + 1) % o->count] == a)
                return true;
    }
    return false;
}

void fzi_lud_remove_face(fzi_lud_graph *g, unsigned number)
{
    const fzi_lud_face f = g->faces[number];
    unsigned other, edge;
    bool shared[FZ_LUD_MOST_CORNERS];

    for (unsigned i = 0; i < f.count; i++)
        shared[i] = beyond(g, number, i, &other);
    g->face_count--;
    memmove(g->faces + number, g->faces + number + 1, (g->face_count - number) * sizeof *g->faces);
    for (unsigned i = 0; i < f.count; i++)
        if (!shared[i] && fzi_lud_find_edge(g, f.corners[i], f.corners[(i + 1) % f.count], &edge))
            fzi_lud_remove_edge(g, edge);
}

bool fzi_lud_dual(fzi_lud_graph *g)
{
    fzi_lud_point middles[FZ_LUD_MOST_FACES];
    fzi_lud_edge edges[FZ_LUD_MOST_EDGES];
    unsigned count = 0, other;

    for (unsigned i = 0; i < g->face_count; i++) {
        middles[i] = fzi_lud_middle(g, &g->faces[i]);
        for (unsigned n = 0; n < g->faces[i].count; n++)
            if (beyond(g, i, n, &other) && other > i && count < FZ_LUD_MOST_EDGES)
                edges[count++] = (fzi_lud_edge){i, other};
    }
    g->point_count = g->face_count;
    g->edge_count = 0;
    memcpy(g->points, middles, g->face_count * sizeof *middles);
    for (unsigned i = 0; i < count; i++)
        fzi_lud_add_edge(g, edges[i].a, edges[i].b);
    fzi_lud_make_faces(g);
    fzi_lud_renumber(g);
    return g->point_count > 0;
}

enum fzi_lud_contact fzi_lud_step_between(const fzi_lud_graph *g, unsigned from, unsigned to)
{
    const fzi_lud_face *a = &g->faces[from], *b = &g->faces[to];
    enum fzi_lud_contact step = FZ_LUD_APART;

    for (unsigned i = 0; i < a->count && from != to; i++)
        for (unsigned n = 0; n < b->count; n++)
            if (a->corners[i] == b->corners[n]) {
                if (a->corners[(i + 1) % a->count] == b->corners[(n + b->count - 1) % b->count])
                    return FZ_LUD_BY_EDGE;
                step = FZ_LUD_BY_CORNER;
            }
    return step;
}

bool fzi_lud_is_inside(const fzi_lud_point *polygon, size_t count, fzi_lud_point p)
{
    static const double margin = 0.1;
    bool inside = false;

    for (size_t i = 0; i < count; i++) {
        fzi_lud_point a = polygon[i], b = polygon[(i + 1) % count];
        double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
        double along = length > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0;
        along = fmin(fmax(along, 0), length);
        double off = length > 0
                         ? hypot(p.x - a.x - dx * along / length, p.y - a.y - dy * along / length)
                         : hypot(p.x - a.x, p.y - a.y);
        if (off < margin)
            return true;
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + dx * (p.y - a.y) / dy)
            inside = !inside;
    }
    return inside;
}
