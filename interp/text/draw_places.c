/* Places the sites of a board for text drawings: in lines, and in half cells across. Called by
 * draw.c. Pictures begin with the same places. */
#include <math.h>
#include <stdlib.h>

#include "draw.h"
#include "interp/program/cells.h"

/* Of a circle, a site without coordinates lies amid those that lines of `view { ... }` join to it,
 * or else amid its neighbours. */
static void place_amid(const fz_program *program, unsigned site, int16_t *x, int16_t *y)
{
    const fz_board *board = &program->board;
    int across = 0, up = 0, count = 0;

    for (uint32_t i = 0; i < program->hint_count; i++) {
        const fz_hint *h = &program->hints[i];
        if (h->row != FZ_HINT_LINE || (h->a != site && h->b != site))
            continue;
        unsigned other = h->a == site ? h->b : h->a;
        across += x[other];
        up += y[other];
        count++;
    }
    for (unsigned dir = 0, lines = (unsigned)count; dir < board->dir_count && !lines; dir++) {
        int other = board->next[dir * board->site_count + site];
        if (other < 0)
            continue;
        across += x[other];
        up += y[other];
        count++;
    }
    if (!count)
        return;
    across /= count;
    up /= count;
    for (unsigned s = 0; s < board->site_count; s++)
        if (x[s] == across && y[s] == up)
            return;
    x[site] = (int16_t)across;
    y[site] = (int16_t)up;
}

/* A graph's names may say it better than the board does. */
bool fzi_sites_where(const fz_program *program, int16_t *x, int16_t *y)
{
    const fz_board *board = &program->board;
    unsigned count = board->site_count;

    memcpy(x, board->x, count * sizeof *x);
    memcpy(y, board->y, count * sizeof *y);
    for (unsigned s = 0; s < count && board->shape == FZ_SHAPE_CIRCLE; s++) {
        if (board->row[s] < 1 || board->column[s] < 1)
            place_amid(program, s, x, y);
    }
    if (board->shape != FZ_SHAPE_GRAPH)
        return false;
    for (unsigned s = 0; s < count; s++) {
        int column, row;
        if (!fzi_name_place(fzi_text(program, board->site_names[s]), &column, &row)) {
            memcpy(x, board->x, count * sizeof *x);
            memcpy(y, board->y, count * sizeof *y);
            return false;
        }
        x[s] = (int16_t)(2 * (column - 1));
        y[s] = (int16_t)(2 * row);
    }
    return true;
}

/* A line for each height that occurs, from the top. */
static int place_lines(fzi_drawing *d)
{
    const fz_board *board = &d->program->board;
    int16_t heights[FZ_MAX_SITES];
    int lines = 0;

    for (unsigned s = 0; s < board->site_count; s++) {
        int at = 0;
        while (at < lines && heights[at] > d->y[s])
            at++;
        if (at < lines && heights[at] == d->y[s])
            continue;
        memmove(heights + at + 1, heights + at, (size_t)(lines - at) * sizeof *heights);
        heights[at] = d->y[s];
        lines++;
    }
    for (unsigned s = 0; s < board->site_count; s++) {
        for (d->line[s] = 0; heights[d->line[s]] != d->y[s];)
            d->line[s]++;
    }
    return lines;
}

/* The least distance of two sites in one line; 0: some share a place, so the board is printed as
 * a list. */
static int nearest_in_line(const fzi_drawing *d)
{
    const fz_board *board = &d->program->board;
    int nearest = INT16_MAX;

    for (unsigned s = 0; s < board->site_count; s++) {
        for (unsigned t = 0; t < s; t++) {
            int apart = abs(d->x[s] - d->x[t]);
            if (d->line[s] == d->line[t] && apart < nearest)
                nearest = apart;
        }
    }
    return nearest;
}

unsigned fzi_line_sites(const fzi_drawing *d, int line, uint16_t *sites)
{
    return fzi_sites_in_order(d->program->board.site_count, d->line, line, d->x, sites);
}

/* In a line, sites keep the width of a cell between them. */
static void part_in_lines(fzi_drawing *d)
{
    uint16_t sites[FZ_MAX_SITES];

    for (int line = 0; line < d->lines; line++) {
        unsigned count = fzi_line_sites(d, line, sites);
        for (unsigned i = 1; i < count; i++) {
            int16_t least = (int16_t)(d->x[sites[i - 1]] + 2);
            d->x[sites[i]] = d->x[sites[i]] < least ? least : d->x[sites[i]];
        }
    }
}

/* Places the sites of a graph by its steps. The small addend keeps halves from being rounded at
 * random. False: memory is short, and the sites stay where the board has them. */
static bool place_loose(fzi_drawing *d)
{
    const double little = 1e-6, half_cells = 2.5, heights = 2;
    unsigned sites = d->program->board.site_count;
    double *x = fzi_allocate(d->machine->allocator, 2 * (size_t)sites * sizeof *x);

    if (!x)
        return false;
    fzi_graph_lay(d->program, d->machine->allocator, x, x + sites);
    for (unsigned s = 0; s < sites; s++) {
        d->x[s] = (int16_t)lround(half_cells * x[s] + little);
        d->y[s] = (int16_t)lround(-heights * x[sites + s] + little);
    }
    fzi_release(d->machine->allocator, x);
    return true;
}

void fzi_sites_place(fzi_drawing *d)
{
    d->named = fzi_sites_where(d->program, d->x, d->y);
    d->loose = fzi_graph_is_loose(d->program, d->named, d->x, d->y);
    bool moved = d->loose && !d->program->board.has_sorts && place_loose(d);
    d->lines = place_lines(d);
    if (moved)
        part_in_lines(d);
    d->nearest = nearest_in_line(d);
    d->left = INT16_MAX;
    d->right = INT16_MIN;
    for (unsigned s = 0; s < d->program->board.site_count; s++) {
        d->left = d->x[s] < d->left ? d->x[s] : d->left;
        d->right = d->x[s] > d->right ? d->x[s] : d->right;
    }
    fzi_headings_find(d);
}
