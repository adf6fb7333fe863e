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

bool fzi_lud_find_point(const fzi_lud_graph *g, double x, double y, unsigned *number)
{
    for (unsigned i = 0; i < g->point_count; i++)
        if (fabs(g->points[i].x - x) < FZ_LUD_SAME && fabs(g->points[i].y - y) < FZ_LUD_SAME) {
            *number = i;
            return true;
        }
    return false;
}

unsigned fzi_lud_point_at(fzi_lud_graph *g, double x, double y)
{
    unsigned number;
    return fzi_lud_find_point(g, x, y, &number) ? number : fzi_lud_add_point(g, x, y);
}

void fzi_lud_add_edge(fzi_lud_graph *g, unsigned a, unsigned b)
{
    if (a == b)
        return;
    for (unsigned i = 0; i < g->edge_count; i++)
        if ((g->edges[i].a == a && g->edges[i].b == b) ||
            (g->edges[i].a == b && g->edges[i].b == a))
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

static double height_of(fzi_lud_point p)
{
    return p.y * 100 + p.x;
}

static double middle_height(const fzi_lud_graph *g, fzi_lud_edge e)
{
    return height_of(g->points[e.a]) + height_of(g->points[e.b]);
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
}
