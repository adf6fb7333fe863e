/* Directions in text drawings, for draw_board.c and draw_shown.c: an arrow points where its
 * direction leads on the screen. A shown set of directions is drawn between the site and its
 * neighbours; an arrow without a place there is written after the text of the site. */
#include <stdlib.h>

#include "draw.h"

enum { EIGHTHS = 8, NOWHERE = -1 };

/* Eighths of a turn, clockwise from up. */
static const char *const arrow_signs[2][EIGHTHS] = {
    {"\u2191", "\u2197", "\u2192", "\u2198", "\u2193", "\u2199", "\u2190", "\u2196"},
    {"^", NULL, ">", NULL, "v", NULL, "<", NULL}};
static const char *const both_signs[2][EIGHTHS / 2] = {{"\u2195", "\u2571", "\u2194", "\u2572"},
                                                       {"|", "/", "-", "\\"}};

/* ---- where things lie on the screen ---- */

/* The heading from one site to another, in eighths of a turn clockwise from up; nearly upright
 * and nearly level lines count as such. */
static int heading_to(const fzi_drawing *d, unsigned from, unsigned to)
{
    int right = d->x[to] - d->x[from], up = 2 * (d->line[from] - d->line[to]);

    if (right == 0 && up == 0)
        return NOWHERE;
    if (abs(right) * 12 <= abs(up) * 5)
        return up > 0 ? 0 : 4;
    if (abs(up) * 12 <= abs(right) * 5)
        return right > 0 ? 2 : 6;
    return right > 0 ? (up > 0 ? 1 : 3) : (up > 0 ? 7 : 5);
}

static int neighbour(const fzi_drawing *d, unsigned site, unsigned dir)
{
    const fz_board *board = &d->program->board;

    return board->next[dir * board->site_count + site];
}

void fzi_headings_find(fzi_drawing *d)
{
    const fz_board *board = &d->program->board;

    for (unsigned dir = 0; dir < board->dir_count; dir++) {
        unsigned counts[EIGHTHS] = {0}, all = 0;
        d->heading[dir] = NOWHERE;
        for (unsigned s = 0; s < board->site_count; s++) {
            int to = neighbour(d, s, dir);
            int heading = to < 0 ? NOWHERE : heading_to(d, s, (unsigned)to);
            if (heading != NOWHERE)
                counts[heading]++, all++;
        }
        for (int h = 0; h < EIGHTHS; h++) {
            if (2 * counts[h] > all)
                d->heading[dir] = (int8_t)h;
        }
    }
}

/* Over a seam the arrow points out of the board, as most of its direction do. */
static int heading_of(const fzi_drawing *d, unsigned site, unsigned dir)
{
    int to = neighbour(d, site, dir);

    if (d->heading[dir] != NOWHERE || to < 0)
        return d->heading[dir];
    return heading_to(d, site, (unsigned)to);
}

static bool is_next_in_line(const fzi_drawing *d, unsigned a, unsigned b)
{
    int left = d->x[a] < d->x[b] ? d->x[a] : d->x[b], right = d->x[a] + d->x[b] - left;

    for (unsigned s = 0; s < d->program->board.site_count; s++) {
        if (d->line[s] == d->line[a] && d->x[s] > left && d->x[s] < right)
            return false;
    }
    return true;
}

/* The neighbour, if there is nothing on the screen between the two; -1: an arrow would not be
 * understood. */
static int drawn_neighbour(const fzi_drawing *d, unsigned site, unsigned dir)
{
    int to = neighbour(d, site, dir), heading = heading_of(d, site, dir);

    if (to < 0 || heading == NOWHERE || heading_to(d, site, (unsigned)to) != heading)
        return NOWHERE;
    if (d->line[site] == d->line[to])
        return is_next_in_line(d, site, (unsigned)to) ? to : NOWHERE;
    return abs(d->line[site] - d->line[to]) == 1 && abs(d->x[site] - d->x[to]) <= d->nearest
             ? to
             : NOWHERE;
}

/* ---- behind what stands on a site ---- */

static const char *sign_of(const fzi_drawing *d, unsigned site, unsigned dir)
{
    int heading = heading_of(d, site, dir);

    return heading == NOWHERE ? NULL : arrow_signs[d->ascii][heading];
}

void fzi_arrows_write(const fzi_drawing *d, uint32_t site, uint32_t dirs, fzi_buffer *out)
{
    bool signs = true, first = true;

    for (unsigned dir = 0; dir < d->program->board.dir_count; dir++)
        signs &= !(dirs >> dir & 1) || sign_of(d, site, dir);
    for (unsigned dir = 0; dir < d->program->board.dir_count; dir++) {
        if (!(dirs >> dir & 1))
            continue;
        if (!signs)
            fzi_buffer_text(out, first ? ":" : ",");
        fzi_buffer_text(out, signs ? sign_of(d, site, dir)
                                   : fzi_text(d->program, d->program->board.dir_names[dir]));
        first = false;
    }
}

uint32_t fzi_arrows_left(const fzi_drawing *d, uint32_t site, uint32_t dirs)
{
    for (unsigned dir = 0; dir < d->program->board.dir_count; dir++) {
        if (dirs >> dir & 1 && drawn_neighbour(d, site, dir) != NOWHERE)
            dirs &= ~(UINT32_C(1) << dir);
    }
    return dirs;
}

/* ---- between the sites ---- */

size_t fzi_column_of(const fzi_drawing *d, unsigned site)
{
    return d->margin + (size_t)(d->x[site] - d->left) * d->half;
}

/* The place of the arrow between two sites. Where slanting ones cross, there is room for both. */
static fzi_arrow *place_of(const fzi_drawing *d, unsigned a, unsigned b)
{
    unsigned left = d->x[a] < d->x[b] ? a : b, upper = d->line[a] < d->line[b] ? a : b;
    size_t from = fzi_column_of(d, left), to = fzi_column_of(d, a + b - left), row, column;
    size_t apart = to - from;

    if (d->line[a] == d->line[b]) {
        row = 2 * (size_t)d->line[a];
        column = from + d->width + (apart - d->width - 1) / 2;
    } else {
        bool crossed = abs(d->x[a] - d->x[b]) == d->nearest;
        size_t part = !crossed ? apart : left == upper ? apart + 2 : apart - 1;
        row = 2 * (size_t)d->line[upper] + 1;
        column = from + part / 2;
    }
    return &d->arrows[row * d->columns + column];
}

static bool place_arrow(fzi_drawing *d, unsigned from, unsigned to)
{
    fzi_arrow *arrow = place_of(d, from, to);
    int16_t low = (int16_t)(from < to ? from : to), high = (int16_t)(from < to ? to : from);

    if (arrow->ways && (arrow->low != low || arrow->high != high))
        return false;
    arrow->low = low;
    arrow->high = high;
    arrow->ways |= from < to ? 1 : 2;
    return true;
}

bool fzi_shown_known(const fzi_drawing *d, const fzi_shown_value *v, uint32_t element)
{
    return v->unknown ? !v->unknown[element]
                      : fzi_element_visible(d->program, v->like, element, d->viewer);
}

bool fzi_arrows_place(fzi_drawing *d)
{
    const fz_board *board = &d->program->board;
    const fzi_shown_value *ways = d->ways;

    for (unsigned s = 0; s < board->site_count; s++) {
        bool seen = fzi_shown_known(d, ways, s);
        int64_t dirs = seen ? fzi_element_get(ways->program, ways->block, ways->like, s) : 0;
        for (unsigned dir = 0; dir < board->dir_count; dir++) {
            int to = dirs >> dir & 1 ? drawn_neighbour(d, s, dir) : NOWHERE;
            if (to != NOWHERE && !place_arrow(d, s, (unsigned)to))
                return false;
        }
    }
    for (size_t i = 0; i < 2 * (size_t)d->lines * d->columns; i++) {
        if (d->arrows[i].ways && !fzi_arrow_text(d, &d->arrows[i]))
            return false;
    }
    return true;
}

const char *fzi_arrow_text(const fzi_drawing *d, const fzi_arrow *arrow)
{
    bool back = arrow->ways == 2;
    unsigned low = (unsigned)arrow->low, high = (unsigned)arrow->high;
    int heading = heading_to(d, back ? high : low, back ? low : high);

    if (arrow->ways == 3)
        return both_signs[d->ascii][heading % (EIGHTHS / 2)];
    return arrow_signs[d->ascii][heading];
}
