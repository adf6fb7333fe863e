/* Places the sites of graphs without given places. Called by draw_places.c, and by site_layout.c
 * for pictures. */
#include "draw.h"

#include <math.h>

static const double full_turn = 6.283185307179586;

typedef struct layout {
    const fz_program *program;
    const fz_board *board;
    double *x, *y;
} layout;

/* ---- which graphs ---- */

/* A graph without directions of the compass was drawn in any order. */
static bool has_compass(const fz_program *program)
{
    static const char *const names[] = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};

    for (unsigned dir = 0; dir < program->board.dir_count; dir++) {
        const char *name = fzi_text(program, program->board.dir_names[dir]);
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
            if (strcmp(name, names[i]) == 0)
                return true;
        }
    }
    return false;
}

int fzi_sort_of(const fz_board *board, unsigned site)
{
    return board->has_sorts ? board->sorts[site] : FZ_SORT_CELL;
}

/* True if two sites of one sort share a place; edges do not count. */
static bool share_places(const fz_board *board, const int16_t *x, const int16_t *y)
{
    for (unsigned a = 0; a < board->site_count; a++) {
        for (unsigned b = 0; b < a; b++) {
            int sort = fzi_sort_of(board, a);
            if (sort == fzi_sort_of(board, b) && sort != FZ_SORT_EDGE && x[a] == x[b] &&
                y[a] == y[b])
                return true;
        }
    }
    return false;
}

bool fzi_graph_is_loose(const fz_program *program, bool named, const int16_t *x, const int16_t *y)
{
    return program->board.shape == FZ_SHAPE_GRAPH && program->board.site_count > 1 && !named &&
           (!has_compass(program) || share_places(&program->board, x, y));
}

/* ---- in a circle ---- */

bool fzi_graph_edge_ends(const fz_program *program, unsigned edge, unsigned ends[2])
{
    const fz_board *board = &program->board;
    unsigned count = 0;

    for (unsigned dir = 0; dir < board->dir_count && count < 2; dir++) {
        int to = board->next[dir * board->site_count + edge];
        if (to < 0 || fzi_sort_of(board, (unsigned)to) != FZ_SORT_VERTEX ||
            (count && ends[0] == (unsigned)to))
            continue;
        ends[count++] = (unsigned)to;
    }
    return count == 2 && fzi_sort_of(board, edge) == FZ_SORT_EDGE;
}

/* All but edges on one circle, in their order from the top; edges between their ends. */
static void lay_in_circle(const layout *l)
{
    unsigned sites = l->board->site_count, count = 0, n = 0;

    for (unsigned s = 0; s < sites; s++)
        count += fzi_sort_of(l->board, s) != FZ_SORT_EDGE;
    double radius = count < 2 ? 0 : 0.5 / sin(full_turn / 2 / count);
    for (unsigned s = 0; s < sites; s++) {
        if (fzi_sort_of(l->board, s) == FZ_SORT_EDGE)
            continue;
        double angle = full_turn * n++ / count;
        l->x[s] = radius * sin(angle);
        l->y[s] = -radius * cos(angle);
    }
    for (unsigned s = 0; s < sites; s++) {
        unsigned ends[2];
        if (!fzi_graph_edge_ends(l->program, s, ends))
            continue;
        l->x[s] = (l->x[ends[0]] + l->x[ends[1]]) / 2;
        l->y[s] = (l->y[ends[0]] + l->y[ends[1]]) / 2;
    }
}

/* ---- by steps ---- */

/* The number of steps between any two sites of a graph, in both directions; sites + 1: they are
 * not connected. `steps` has room for all pairs. */
static void count_steps(const fz_board *board, uint16_t *steps)
{
    unsigned sites = board->site_count;

    for (unsigned i = 0; i < sites * sites; i++)
        steps[i] = (uint16_t)(sites + 1);
    for (unsigned s = 0; s < sites; s++) {
        steps[s * sites + s] = 0;
        for (unsigned dir = 0; dir < board->dir_count; dir++) {
            int to = board->next[dir * sites + s];
            if (to >= 0)
                steps[s * sites + (unsigned)to] = steps[(unsigned)to * sites + s] = 1;
        }
    }
    for (unsigned k = 0; k < sites; k++) {
        for (unsigned a = 0; a < sites; a++) {
            for (unsigned b = 0; b < sites; b++) {
                unsigned way = steps[a * sites + k] + steps[k * sites + b];
                if (way < steps[a * sites + b])
                    steps[a * sites + b] = (uint16_t)way;
            }
        }
    }
}

/* Moves a site towards where the others want it: as far from each as it has steps to go, near ones
 * above all (stress majorization, one site at a time). */
static void relax(const layout *l, const uint16_t *steps, unsigned site)
{
    unsigned sites = l->board->site_count;
    double x = 0, y = 0, weights = 0;

    for (unsigned s = 0; s < sites; s++) {
        double wanted = steps[site * sites + s];
        double dx = l->x[site] - l->x[s], dy = l->y[site] - l->y[s], apart = hypot(dx, dy);
        if (s == site || wanted > sites || apart < 1e-6)
            continue;
        double weight = 1 / (wanted * wanted);
        x += weight * (l->x[s] + wanted * dx / apart);
        y += weight * (l->y[s] + wanted * dy / apart);
        weights += weight;
    }
    if (weights > 0) {
        l->x[site] = x / weights;
        l->y[site] = y / weights;
    }
}

void fzi_graph_lay(const fz_program *program, fzi_allocator allocator, double *x, double *y)
{
    enum { MOST = 80, ROUNDS = 300 }; /* after which little changes */
    const layout l = {program, &program->board, x, y};
    unsigned sites = program->board.site_count;
    uint16_t *steps;

    lay_in_circle(&l);
    if (sites > MOST || program->board.has_sorts)
        return;
    steps = fzi_allocate(allocator, (size_t)sites * sites * sizeof *steps);
    if (!steps)
        return;
    count_steps(&program->board, steps);
    for (unsigned n = 0; n < ROUNDS; n++) {
        for (unsigned s = 0; s < sites; s++)
            relax(&l, steps, s);
    }
    fzi_release(allocator, steps);
}
