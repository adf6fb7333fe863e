/* Points and edges of boards of .lud files, and the order in which Ludii numbers them. */
#include <math.h>

#include "lud_graph.h"

unsigned fzi_lud_add_point(fzi_lud_graph *g, double x, double y)
{
    if (g->point_count == FZ_LUD_MOST_POINTS) {
        g->full = true;
        return 0;
    }
    g->points[g->point_count] = (fzi_lud_point){x, y};
    return g->point_count++;
}

static bool find_within(const fzi_lud_graph *g, fzi_lud_point p, double margin, unsigned *number)
{
    for (unsigned i = 0; i < g->point_count; i++)
        if (fabs(g->points[i].x - p.x) < margin && fabs(g->points[i].y - p.y) < margin) {
            *number = i;
            return true;
        }
    return false;
}

bool fzi_lud_find_point(const fzi_lud_graph *g, double x, double y, unsigned *number)
{
    return find_within(g, (fzi_lud_point){x, y}, FZ_LUD_SAME, number);
}

bool fzi_lud_find_near(const fzi_lud_graph *g, fzi_lud_point p, unsigned *number)
{
    return find_within(g, p, 0.01, number);
}

unsigned fzi_lud_point_at(fzi_lud_graph *g, double x, double y)
{
    unsigned number;
    return fzi_lud_find_point(g, x, y, &number) ? number : fzi_lud_add_point(g, x, y);
}

void fzi_lud_add_edge(fzi_lud_graph *g, unsigned a, unsigned b)
{
    unsigned known;

    if (a == b || fzi_lud_find_edge(g, a, b, &known))
        return;
    if (g->edge_count == FZ_LUD_MOST_EDGES) {
        g->full = true;
        return;
    }
    g->edges[g->edge_count++] = (fzi_lud_edge){a, b};
}

void fzi_lud_join_points(fzi_lud_graph *g, double ax, double ay, double bx, double by)
{
    unsigned a, b;
    if (fzi_lud_find_point(g, ax, ay, &a) && fzi_lud_find_point(g, bx, by, &b))
        fzi_lud_add_edge(g, a, b);
}

fzi_lud_point fzi_lud_middle(const fzi_lud_graph *g, const fzi_lud_face *face)
{
    fzi_lud_point sum = {0, 0};

    for (unsigned i = 0; i < face->count; i++) {
        sum.x += g->points[face->corners[i]].x;
        sum.y += g->points[face->corners[i]].y;
    }
    return (fzi_lud_point){sum.x / face->count, sum.y / face->count};
}

static double height_of(fzi_lud_point p)
{
    return p.y * 100 + p.x;
}

static double middle_height(const fzi_lud_graph *g, fzi_lud_edge e)
{
    return height_of(g->points[e.a]) + height_of(g->points[e.b]);
}

bool fzi_lud_find_edge(const fzi_lud_graph *g, unsigned a, unsigned b, unsigned *number)
{
    for (unsigned i = 0; i < g->edge_count; i++)
        if ((g->edges[i].a == a && g->edges[i].b == b) ||
            (g->edges[i].a == b && g->edges[i].b == a)) {
            *number = i;
            return true;
        }
    return false;
}

void fzi_lud_join_near(fzi_lud_graph *g, double distance)
{
    for (unsigned a = 0; a < g->point_count; a++)
        for (unsigned b = 0; b < a; b++)
            if (fabs(hypot(g->points[a].x - g->points[b].x, g->points[a].y - g->points[b].y) -
                     distance) < 0.01)
                fzi_lud_add_edge(g, a, b);
}

static bool has_corner(const fzi_lud_face *face, unsigned point)
{
    for (unsigned i = 0; i < face->count; i++)
        if (face->corners[i] == point)
            return true;
    return false;
}

void fzi_lud_remove_edge(fzi_lud_graph *g, unsigned number)
{
    fzi_lud_edge e = g->edges[number];
    unsigned kept = 0;

    for (unsigned i = 0; i < g->face_count; i++) {
        fzi_lud_face *f = &g->faces[i];
        bool side = false;
        for (unsigned n = 0; n < f->count; n++) {
            unsigned a = f->corners[n], b = f->corners[(n + 1) % f->count];
            side = side || (a == e.a && b == e.b) || (a == e.b && b == e.a);
        }
        if (!side)
            g->faces[kept++] = *f;
    }
    g->face_count = kept;
    g->edge_count--;
    memmove(g->edges + number, g->edges + number + 1, (g->edge_count - number) * sizeof *g->edges);
}

void fzi_lud_remove_point(fzi_lud_graph *g, unsigned number)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < g->edge_count; i++) {
        fzi_lud_edge e = g->edges[i];
        if (e.a == number || e.b == number)
            continue;
        g->edges[kept++] = (fzi_lud_edge){e.a - (e.a > number), e.b - (e.b > number)};
    }
    g->edge_count = kept;
    kept = 0;
    for (unsigned i = 0; i < g->face_count; i++) {
        if (has_corner(&g->faces[i], number))
            continue;
        g->faces[kept] = g->faces[i];
        for (unsigned n = 0; n < g->faces[kept].count; n++)
            g->faces[kept].corners[n] -= g->faces[kept].corners[n] > number;
        kept++;
    }
    g->face_count = kept;
    g->point_count--;
    memmove(g->points + number, g->points + number + 1,
            (g->point_count - number) * sizeof *g->points);
}

static void sort_faces(fzi_lud_graph *g)
{
    for (unsigned i = 1; i < g->face_count; i++) {
        fzi_lud_face f = g->faces[i];
        double score = height_of(fzi_lud_middle(g, &f));
        unsigned at = i;
        while (at > 0 && height_of(fzi_lud_middle(g, &g->faces[at - 1])) > score) {
            g->faces[at] = g->faces[at - 1];
            at--;
        }
        g->faces[at] = f;
    }
}

void fzi_lud_renumber(fzi_lud_graph *g)
{
    unsigned order[FZ_LUD_MOST_POINTS], place[FZ_LUD_MOST_POINTS];
    fzi_lud_point old[FZ_LUD_MOST_POINTS];

    for (unsigned i = 0; i < g->point_count; i++) {
        unsigned at = i;
        double score = height_of(g->points[i]);
        while (at > 0 && height_of(g->points[order[at - 1]]) > score) {
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
    for (unsigned i = 0; i < g->edge_count; i++) {
        fzi_lud_edge e = {place[g->edges[i].a], place[g->edges[i].b]};
        unsigned at = i;
        double score = middle_height(g, e);
        while (at > 0 && middle_height(g, g->edges[at - 1]) > score + 1e-9) {
            g->edges[at] = g->edges[at - 1];
            at--;
        }
        g->edges[at] = e;
    }
    for (unsigned i = 0; i < g->face_count; i++)
        for (unsigned n = 0; n < g->faces[i].count; n++)
            g->faces[i].corners[n] = place[g->faces[i].corners[n]];
    sort_faces(g);
}
