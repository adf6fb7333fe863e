/* Boards of .lud files as sites and steps: the points and edges of a graph, or its cells. */
#include <math.h>
#include <stdlib.h>

#include "lud_graph.h"

enum { MOST_STEPS = 6000, MOST_NEIGHBOURS = 32 };

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

/* ---- neighbours ---- */

/* Which steps lead from site to site: the edges of points, or those between faces. */
typedef struct steps {
    const fzi_lud_net *net;
    short *line;   /* of each edge: the edges that go straight on have one number */
    double *angle; /* of each line: from west to east, or from south to north */
    unsigned lines;
    const bool *corner; /* the edge is a step over a corner; NULL: none is */
} steps;

enum { HALF = FZ_LUD_COMPASS / 2 };

static double angle_of(const fzi_lud_net *net, unsigned from, unsigned to)
{
    return atan2(net->y[to] - net->y[from], net->x[to] - net->x[from]);
}

/* The edge at the end of an edge that goes on with the least bend; -1: none goes straight on. */
static long goes_on(const fzi_lud_net *net, size_t edge, unsigned at)
{
    static const double bend = 0.25; /* as far as Ludii lets lines bend */
    unsigned from = net->edges[edge][net->edges[edge][0] == at];
    double least = bend, way = angle_of(net, from, at);
    long found = -1;

    for (size_t i = 0; i < net->edge_count; i++) {
        unsigned a = net->edges[i][0], b = net->edges[i][1];
        if (i == edge || (a != at && b != at))
            continue;
        double turn = fabs(remainder(angle_of(net, at, a == at ? b : a) - way, 2 * acos(-1)));
        if (turn < least) {
            least = turn;
            found = (long)i;
        }
    }
    return found;
}

/* Edges that go on with each other are one line. */
static void find_lines(fzi_lud_writer *w, steps *s)
{
    const fzi_lud_net *net = s->net;

    s->line = fzi_arena_alloc(w->arena, (net->edge_count + 1) * sizeof *s->line);
    for (size_t i = 0; i < net->edge_count; i++)
        s->line[i] = -1;
    for (size_t i = 0; i < net->edge_count; i++) {
        if (s->line[i] >= 0)
            continue;
        s->line[i] = (short)s->lines;
        for (int end = 0; end < 2; end++) {
            size_t edge = i;
            unsigned at = net->edges[i][end];
            for (long next; (next = goes_on(net, edge, at)) >= 0 && s->line[next] < 0 &&
                            goes_on(net, (size_t)next, at) == (long)edge;) {
                s->line[next] = (short)s->lines;
                edge = (size_t)next;
                at = net->edges[edge][net->edges[edge][0] == at];
            }
        }
        s->lines++;
    }
}

/* The direction of fzi_lud_compass that is nearest. */
static unsigned compass(const fzi_lud_net *net, unsigned from, unsigned to)
{
    double turn = angle_of(net, from, to) / (2 * acos(-1)) * FZ_LUD_COMPASS;
    return (unsigned)(lround(turn) + FZ_LUD_COMPASS) % FZ_LUD_COMPASS;
}

/* Gives a line of edges the direction `d` and the opposite, where its points have not had them. */
static bool name_line(fzi_lud_board *b, const steps *s, unsigned line, unsigned d, bool test)
{
    for (size_t i = 0; i < s->net->edge_count; i++) {
        if (s->line[i] != (short)line)
            continue;
        unsigned from = s->net->edges[i][0], to = s->net->edges[i][1];
        double turn =
            remainder(angle_of(s->net, from, to) - d * 2 * acos(-1) / FZ_LUD_COMPASS, 2 * acos(-1));
        unsigned there = fabs(turn) < acos(-1) / 2 ? d : (d + HALF) % FZ_LUD_COMPASS;
        short *on = &b->next[from][there], *back = &b->next[to][(there + HALF) % FZ_LUD_COMPASS];
        if (test && (*on >= 0 || *back >= 0))
            return false;
        if (!test) {
            *on = (short)to;
            *back = (short)from;
        }
    }
    return true;
}

/* Names each line after the direction that is nearest of those that are free at all its points.
 * The directions are names only. */
static bool name_lines(fzi_lud_writer *w, steps *s)
{
    fzi_lud_board *b = &w->board;

    find_lines(w, s);
    memset(b->next, -1, b->count * sizeof *b->next);
    for (unsigned line = 0; line < s->lines; line++) {
        size_t edge = 0;
        while (s->line[edge] != (short)line)
            edge++;
        unsigned nearest = compass(s->net, s->net->edges[edge][0], s->net->edges[edge][1]);
        unsigned tried = 0;
        for (; tried < HALF; tried++) {
            unsigned off = (tried + 1) / 2;
            unsigned d = (nearest + (tried % 2 ? off : FZ_LUD_COMPASS - off)) % FZ_LUD_COMPASS;
            if (name_line(b, s, line, d, true)) {
                name_line(b, s, line, d, false);
                break;
            }
        }
        if (tried == HALF)
            return false;
    }
    b->renamed = true;
    return true;
}

/* Fills `next` of the board; false: two edges of a point have one direction, and rules may name
 * directions, or there is no other name. */
static bool find_neighbours(fzi_lud_writer *w, steps *s)
{
    const fzi_lud_net *net = s->net;
    fzi_lud_board *b = &w->board;

    b->next = fzi_arena_alloc(w->arena, b->count * sizeof *b->next);
    memset(b->next, -1, b->count * sizeof *b->next);
    for (size_t n = 0; n < net->edge_count; n++) {
        unsigned from = net->edges[n][0], to = net->edges[n][1];
        short *there = &b->next[from][compass(net, from, to)],
              *back = &b->next[to][compass(net, to, from)];
        if (*there >= 0 || *back >= 0)
            return name_lines(w, s);
        *there = (short)to;
        *back = (short)from;
    }
    return true;
}

/* What rules ask of the edges. */
static void judge(fzi_lud_writer *w, const fzi_lud_net *net)
{
    fzi_lud_board *b = &w->board;

    b->open = net->edge_count <= net->count;
    b->compass = !b->renamed;
    for (unsigned i = 0; i < b->count; i++)
        for (unsigned d = 1; d < FZ_LUD_COMPASS; d += 2)
            b->compass = b->compass && b->next[i][d] < 0;
}

/* {a1, c3} of the points with the least or greatest column or row. */
static const char *edge_set(fzi_lud_writer *w, unsigned count, const unsigned *rank, bool last)
{
    fzi_growing text = {0};
    unsigned most = 0;

    for (unsigned i = 0; i < count; i++)
        most = rank[i] > most ? rank[i] : most;
    for (unsigned i = 0; i < count; i++)
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

/* Names the sites by their columns and rows; false: two have one name. */
static bool name_sites(fzi_lud_writer *w, const fzi_lud_net *net)
{
    unsigned column[FZ_LUD_MOST_POINTS], row[FZ_LUD_MOST_POINTS];
    fzi_lud_board *b = &w->board;

    fzi_lud_coordinates(net, column, row);
    b->count = net->count;
    for (unsigned i = 0; i < net->count; i++) {
        b->names[i] = fzi_lud_site_name(w, column[i], row[i]);
        for (unsigned n = 0; n < i; n++)
            if (strcmp(b->names[n], b->names[i]) == 0)
                return false;
        b->columns = column[i] + 1 > b->columns ? column[i] + 1 : b->columns;
        b->rows = row[i] + 1 > b->rows ? row[i] + 1 : b->rows;
    }
    fzi_lud_ranks(net->x, net->count, column);
    fzi_lud_ranks(net->y, net->count, row);
    b->top = edge_set(w, net->count, row, true);
    b->bottom = edge_set(w, net->count, row, false);
    b->left = edge_set(w, net->count, column, false);
    b->right = edge_set(w, net->count, column, true);
    return true;
}

/* Boards of cells have steps to cells with a common edge, and to others with a common corner. */
static bool *join_cells(fzi_lud_writer *w, const fzi_lud_graph *g, fzi_lud_net *net)
{
    double *x = fzi_arena_alloc(w->arena, g->face_count * sizeof *x + 1),
           *y = fzi_arena_alloc(w->arena, g->face_count * sizeof *y + 1);
    unsigned(*edges)[2] = fzi_arena_alloc(w->arena, MOST_STEPS * sizeof *edges);
    bool *corner = fzi_arena_alloc(w->arena, MOST_STEPS * sizeof *corner);

    *net = (fzi_lud_net){g->face_count, x, y, 0, (const unsigned(*)[2])edges};
    for (unsigned i = 0; i < g->face_count; i++) {
        x[i] = fzi_lud_middle(g, &g->faces[i]).x;
        y[i] = fzi_lud_middle(g, &g->faces[i]).y;
        for (unsigned n = 0; n < i; n++) {
            enum fzi_lud_contact step = fzi_lud_step_between(g, n, i);
            if (step == FZ_LUD_APART)
                continue;
            if (net->edge_count == MOST_STEPS)
                return NULL;
            corner[net->edge_count] = step == FZ_LUD_BY_CORNER;
            edges[net->edge_count][0] = n;
            edges[net->edge_count++][1] = i;
        }
    }
    return corner;
}

/* How Orthogonal and Diagonal are said where steps lead over edges and over corners. */
static void judge_cells(fzi_lud_writer *w, const steps *s)
{
    fzi_lud_board *b = &w->board;
    unsigned over_edges = 0, over_corners = 0, all = (1u << FZ_LUD_COMPASS) - 1;
    const unsigned straight = 0x1111, slanted = 0x4444;

    for (size_t n = 0; n < s->net->edge_count; n++)
        for (int d = 0; d < FZ_LUD_COMPASS; d++)
            for (int end = 0; end < 2; end++)
                if (b->next[s->net->edges[n][end]][d] == (short)s->net->edges[n][!end])
                    *(s->corner[n] ? &over_corners : &over_edges) |= 1u << d;
    b->orthogonal = !over_corners                                                ? "adjacent"
                    : over_edges == straight && !(over_corners & ~slanted & all) ? "orthogonal"
                                                                                 : "";
    b->diagonal = *b->orthogonal == 'o' ? "diagonal" : "";
}

/* Is it the whole of a rectangle of squares, or one with holes, whose sites have their names? */
static bool is_lattice(fzi_lud_writer *w, const fzi_lud_graph *g, const steps *s)
{
    const fzi_lud_board *b = &w->board;
    double x = s->net->x[0], y = s->net->y[0];
    size_t near = 0;

    if (b->rows * b->columns > FZ_LUD_MOST_POINTS)
        return false; /* nearly all would be holes */
    for (unsigned i = 0; i < s->net->count; i++) {
        x = fmin(x, s->net->x[i]);
        y = fmin(y, s->net->y[i]);
    }
    for (unsigned i = 0; i < s->net->count; i++) {
        long column = lround(s->net->x[i] - x), row = lround(s->net->y[i] - y);
        const fzi_lud_face *f = &g->faces[i];
        if (f->count != 4 || fabs(s->net->x[i] - x - (double)column) > FZ_LUD_SAME ||
            fabs(s->net->y[i] - y - (double)row) > FZ_LUD_SAME ||
            strcmp(fzi_lud_site_name(w, (unsigned)column, (unsigned)row), b->names[i]) != 0)
            return false;
        for (unsigned n = 0; n < 4; n++)
            if (fabs(fabs(g->points[f->corners[n]].x - s->net->x[i]) - 0.5) > FZ_LUD_SAME)
                return false;
        for (unsigned n = 0; n < i; n++)
            near +=
                fabs(s->net->x[i] - s->net->x[n]) < 1.5 && fabs(s->net->y[i] - s->net->y[n]) < 1.5;
    }
    return near == s->net->edge_count;
}

static bool read_cells(fzi_lud_writer *w, const fzi_lud *shape, const fzi_lud_graph *g)
{
    fzi_lud_board *b = &w->board;
    fzi_lud_net net;
    steps s = {.net = &net};

    b->is_graph = true;
    if (!(s.corner = join_cells(w, g, &net)) || !net.count)
        return fzi_lud_unsaid(w, shape, "this board is not translated yet") != NULL;
    if (!name_sites(w, &net))
        return fzi_lud_unsaid(w, shape, "two points at one place") != NULL;
    if (!find_neighbours(w, &s))
        return fzi_lud_unsaid(w, shape, "two edges of a point in one direction") != NULL;
    if (is_lattice(w, g, &s)) {
        fzi_lud_write_holes(w);
        return true;
    }
    judge_cells(w, &s);
    judge(w, &net);
    b->open = true;
    fzi_lud_write_lines(w);
    return true;
}

bool fzi_lud_read_graph(fzi_lud_writer *w, const fzi_lud *shape)
{
    fzi_lud_graph *g = FZI_NEW(w->arena, fzi_lud_graph);
    fzi_lud_board *b = &w->board;

    if (!fzi_lud_evaluate(w, shape, g))
        return false;
    if (!b->on_vertices)
        return read_cells(w, shape, g);
    fzi_lud_net net = net_of(w, g);
    steps s = {.net = &net};
    b->is_graph = true;
    if (!name_sites(w, &net))
        return fzi_lud_unsaid(w, shape, "two points at one place") != NULL;
    fzi_lud_measure(w, &net);
    if (g->point_count == 0 || !find_neighbours(w, &s))
        return fzi_lud_unsaid(w, shape, "two edges of a point in one direction") != NULL;
    fzi_lud_write_lines(w);
    judge(w, &net);
    for (unsigned n = 0; n < g->edge_count && !b->squares && b->compass; n++)
        b->squares = has_open_square(g, g->edges[n]);
    return true;
}
