/* Draws the board of a picture for compose.c: cells or lines, regions, arrows, coordinates. */
#include <stdio.h>

#include "interp/support/words.h"
#include "compose.h"

static const double thin = 0.03, frame = 0.62, full_turn = 6.283185307179586;

static const fz_board *board_of(const fzi_picture *p)
{
    return &p->d.program->board;
}

static int next_of(const fzi_picture *p, unsigned site, unsigned dir)
{
    return board_of(p)->next[dir * board_of(p)->site_count + site];
}

static bool is_cell(const fzi_picture *p, unsigned site)
{
    return p->style != FZI_STYLE_POINTS && !fzi_words_has(p->cut, site) &&
           fzi_sort_of(board_of(p), site) == FZ_SORT_CELL;
}

/* ---- cells ---- */

static fzi_shape *hexagon(const fzi_picture *p, unsigned site, double size, enum fzi_paint fill,
                          enum fzi_paint stroke)
{
    const double sixth = 1.0471975511965976;
    fzi_point corners[6];

    for (int i = 0; i < 6; i++) {
        double angle = sixth * (i + (p->style == FZI_STYLE_HEXES ? 0.5 : 0));
        corners[i] = (fzi_point){p->at[site].x + size * cos(angle) / sqrt(3),
                                 p->at[site].y + size * sin(angle) / sqrt(3)};
    }
    return fzi_scene_path(p->scene, FZI_POLYGON, corners, 6, fill, stroke, thin);
}

fzi_shape *fzi_picture_cell(const fzi_picture *p, unsigned site, double size,
                            enum fzi_paint fill, enum fzi_paint stroke)
{
    if (!is_cell(p, site))
        return fzi_scene_circle(p->scene, p->at[site], 0.44 * size, fill, stroke, thin);
    if (p->style == FZI_STYLE_SQUARES)
        return fzi_scene_square(p->scene, p->at[site], size, fill, stroke, thin);
    if (p->style == FZI_STYLE_PITS)
        return fzi_scene_circle(p->scene, p->at[site], 0.45 * size, fill, stroke, thin);
    return hexagon(p, site, size, fill, stroke);
}

static const char *name_of(const fzi_picture *p, unsigned site)
{
    return fzi_text(p->d.program, board_of(p)->site_names[site]);
}

/* Sites of layers have no columns and rows of their own; a layer's first site is its a1. */
static bool is_dark(const fzi_picture *p, unsigned site)
{
    const fz_board *board = board_of(p);
    unsigned first = fzi_layer_first(p, site);

    if (board->column[site] > 0)
        return (board->column[site] + board->row[site]) % 2 == 0;
    return (lround(p->at[site].x - p->at[first].x) + lround(p->at[site].y - p->at[first].y)) % 2 ==
           0;
}

/* Hexagons that touch have three colours; the number of one. */
static int third_of(const fzi_picture *p, unsigned site)
{
    bool rows = p->style == FZI_STYLE_HEXES;
    fzi_point at = {p->at[site].x - p->at[0].x, p->at[site].y - p->at[0].y};
    double down = (rows ? at.y : at.x) * 2 / sqrt(3), along = (rows ? at.x : at.y) - down / 2;
    long third = (lround(along) - lround(down)) % 3;

    return (int)(third < 0 ? third + 3 : third);
}

static enum fzi_paint cell_paint(const fzi_picture *p, unsigned site)
{
    static const enum fzi_paint thirds[] = {FZI_PAINT_DARK, FZI_PAINT_LIGHT, FZI_PAINT_MIDDLE};

    if (p->style == FZI_STYLE_PITS)
        return FZI_PAINT_DARK;
    if (!fzi_is_checkered(p->d.program))
        return FZI_PAINT_LIGHT;
    if (p->style == FZI_STYLE_HEXES || p->style == FZI_STYLE_UPRIGHT)
        return thirds[third_of(p, site)];
    return is_dark(p, site) ? FZI_PAINT_DARK : FZI_PAINT_LIGHT;
}

/* The site lies inside the triangle, near its base; triangles of odd rows point up. */
static void add_triangle(fzi_picture *p, unsigned site)
{
    double up = board_of(p)->row[site] % 2 ? -1 : 1;
    fzi_point at = p->at[site];
    fzi_point corners[] = {{at.x - 0.5, at.y - up * 0.5}, {at.x + 0.5, at.y - up * 0.5},
                           {at.x, at.y + up * fzi_triangle}};

    fzi_scene_path(p->scene, FZI_POLYGON, corners, 3,
                   is_dark(p, site) ? FZI_PAINT_DARK : FZI_PAINT_PAPER, FZI_PAINT_LINE, thin);
}

static void add_triangles(fzi_picture *p)
{
    double middle = (p->low.x + p->high.x) / 2;

    fzi_scene_box(p->scene, p->low, p->high, FZI_PAINT_LIGHT, FZI_PAINT_LINE, thin);
    if (fzi_has_bar(p))
        fzi_scene_box(p->scene, (fzi_point){middle - fzi_bar / 2, p->low.y},
                      (fzi_point){middle + fzi_bar / 2, p->high.y}, FZI_PAINT_DARK, FZI_PAINT_LINE,
                      thin);
    for (unsigned s = 0; s < board_of(p)->site_count; s++)
        add_triangle(p, s);
}

/* Cells of one colour follow each other, so that a painter can join them. */
static void add_cells(fzi_picture *p)
{
    enum fzi_paint edge = board_of(p)->has_sorts ? FZI_PAINT_NONE : FZI_PAINT_LINE;

    for (enum fzi_paint paint = FZI_PAINT_LIGHT; paint <= FZI_PAINT_DARK; paint++) {
        for (unsigned s = 0; s < board_of(p)->site_count; s++) {
            if (is_cell(p, s) && cell_paint(p, s) == paint)
                fzi_picture_cell(p, s, 1, paint, edge);
        }
    }
}

/* ---- lines ---- */

/* True if a straight line between the two sites would run through another one. */
static bool is_blocked(const fzi_picture *p, unsigned a, unsigned b)
{
    double dx = p->at[b].x - p->at[a].x, dy = p->at[b].y - p->at[a].y, length = hypot(dx, dy);

    for (unsigned s = 0; s < board_of(p)->site_count; s++) {
        double ox = p->at[s].x - p->at[a].x, oy = p->at[s].y - p->at[a].y;
        double along = (ox * dx + oy * dy) / length;
        if (s != a && s != b && fzi_sort_of(board_of(p), s) == fzi_sort_of(board_of(p), a) &&
            along > 0.01 && along < length - 0.01 && fabs(ox * dy - oy * dx) / length < 0.2)
            return true;
    }
    return false;
}

static bool is_said(const fzi_picture *p, unsigned a, unsigned b)
{
    const fz_program *program = p->d.program;

    for (uint32_t i = 0; i < program->hint_count; i++) {
        const fz_hint *h = &program->hints[i];
        if (h->row == FZ_HINT_LINE && ((h->a == a && h->b == b) || (h->a == b && h->b == a)))
            return true;
    }
    return false;
}

/* Over a seam, lines of a lattice end at its border. */
static bool over_seam(const fzi_picture *p, unsigned a, unsigned b)
{
    return board_of(p)->shape != FZ_SHAPE_GRAPH && board_of(p)->columns &&
           hypot(p->at[a].x - p->at[b].x, p->at[a].y - p->at[b].y) > 2.3 && !is_said(p, a, b);
}

/* A line that would run through another site goes around it. */
fzi_shape *fzi_picture_way(const fzi_picture *p, unsigned a, unsigned b, enum fzi_paint paint,
                           double width)
{
    enum { PARTS = 16 };
    fzi_point from = p->at[a], to = p->at[b], way[PARTS + 1];

    if (over_seam(p, a, b) || hypot(from.x - to.x, from.y - to.y) < 0.01)
        return NULL;
    if (!is_blocked(p, a, b))
        return fzi_scene_line(p->scene, from, to, paint, width);
    for (int i = 0; i <= PARTS; i++) {
        double part = (double)i / PARTS, bow = 4 * part * (1 - part) * 0.35;
        way[i] = fzi_point_between(from, to, part);
        way[i].x += bow * (to.y - from.y) / hypot(to.x - from.x, to.y - from.y);
        way[i].y -= bow * (to.x - from.x) / hypot(to.x - from.x, to.y - from.y);
    }
    return fzi_scene_path(p->scene, FZI_LINES, way, PARTS + 1, FZI_PAINT_NONE, paint, width);
}

/* True if a direction that is drawn as a line leads from one site to the other. */
static bool leads(const fzi_picture *p, unsigned from, unsigned to)
{
    const fz_board *board = board_of(p);

    for (unsigned dir = 0; dir < board->dir_count; dir++) {
        bool drawn = board->shape != FZ_SHAPE_SQUARE || !(board->diagonal >> dir & 1);
        if (drawn && next_of(p, from, dir) == (int)to)
            return true;
    }
    return false;
}

/* ---- lines that the script says ---- */

/* True if the points are neither in one row nor in one column. */
static bool turns(fzi_point a, fzi_point b)
{
    return fabs(a.x - b.x) > 0.01 && fabs(a.y - b.y) > 0.01;
}

/* Three quarters of a circle around the corner that the lines through both ends would form. */
static void add_loop(fzi_picture *p, fzi_point from, fzi_point to)
{
    enum { PARTS = 36 };
    const double quarter = 1.5707963267948966;
    fzi_point middle = fzi_point_between(p->board_low, p->board_high, 0.5), way[PARTS + 1];
    fzi_point one = {from.x, to.y}, other = {to.x, from.y};
    bool first = hypot(one.x - middle.x, one.y - middle.y) >
                 hypot(other.x - middle.x, other.y - middle.y);
    fzi_point corner = first ? one : other;
    double radius = hypot(from.x - corner.x, from.y - corner.y);
    double begin = atan2(from.y - corner.y, from.x - corner.x);
    double end = atan2(to.y - corner.y, to.x - corner.x);
    double turn = sin(end - begin) > 0 ? -3 * quarter : 3 * quarter;

    for (int i = 0; i <= PARTS; i++)
        way[i] = (fzi_point){corner.x + radius * cos(begin + turn * i / PARTS),
                             corner.y + radius * sin(begin + turn * i / PARTS)};
    fzi_scene_path(p->scene, FZI_LINES, way, PARTS + 1, FZI_PAINT_NONE, FZI_PAINT_LINE, thin);
}

/* How far loops reach beyond the board. */
static double reach_of_loops(const fzi_picture *p)
{
    const fz_program *program = p->d.program;
    double reach = 0;

    for (uint32_t i = 0; i < program->hint_count; i++) {
        const fz_hint *h = &program->hints[i];
        if (h->row != FZ_HINT_LOOP) /* others need not name sites */
            continue;
        fzi_point a = p->at[h->a], b = p->at[h->b];
        if (turns(a, b))
            reach = fmax(reach, fmax(fabs(a.x - b.x), fabs(a.y - b.y)));
    }
    return reach;
}

/* Two rails and rungs. */
static void add_ladder(fzi_picture *p, fzi_point from, fzi_point to)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy), half = 0.13;
    fzi_point aside = {half * dy / length, -half * dx / length};
    int rungs = (int)(length / 0.3);

    for (int side = -1; side <= 1; side += 2)
        fzi_scene_line(p->scene, (fzi_point){from.x + side * aside.x, from.y + side * aside.y},
                       (fzi_point){to.x + side * aside.x, to.y + side * aside.y}, FZI_PAINT_LINE,
                       0.06);
    for (int i = 1; i < rungs; i++) {
        fzi_point at = fzi_point_between(from, to, (double)i / rungs);
        fzi_scene_line(p->scene, (fzi_point){at.x - aside.x, at.y - aside.y},
                       (fzi_point){at.x + aside.x, at.y + aside.y}, FZI_PAINT_LINE, 0.05);
    }
}

/* A wave that narrows to nothing at the ends, with a head. */
static void add_snake(fzi_picture *p, fzi_point from, fzi_point to)
{
    enum { PARTS = 48 };
    fzi_point way[PARTS + 1];
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    double waves = fmax(1, floor(length / 1.4 + 0.5));

    for (int i = 0; i <= PARTS; i++) {
        double part = (double)i / PARTS;
        double away = 0.2 * sin(full_turn * waves * part) * fmin(1, 4 * fmin(part, 1 - part));
        way[i] = fzi_point_between(from, to, part);
        way[i].x += away * dy / length;
        way[i].y -= away * dx / length;
    }
    fzi_scene_path(p->scene, FZI_LINES, way, PARTS + 1, FZI_PAINT_NONE, FZI_PAINT_EDGE, 0.17);
    fzi_scene_path(p->scene, FZI_LINES, way, PARTS + 1, FZI_PAINT_NONE, FZI_PAINT_GREEN, 0.12);
    fzi_scene_circle(p->scene, from, 0.16, FZI_PAINT_GREEN, FZI_PAINT_EDGE, 0.03);
    for (int side = -1; side <= 1; side += 2)
        fzi_scene_circle(p->scene, (fzi_point){from.x + side * 0.06, from.y - 0.04}, 0.03,
                         FZI_PAINT_EDGE, FZI_PAINT_NONE, 0);
}

/* The lines of `view { lines ...; loops ...; }`; false: it has no lines. */
static bool add_said_lines(fzi_picture *p)
{
    const fz_program *program = p->d.program;
    bool lines = false;

    for (uint32_t i = 0; i < program->hint_count; i++) {
        const fz_hint *h = &program->hints[i];
        if (h->row == FZ_HINT_LINE) {
            fzi_picture_way(p, h->a, h->b, FZI_PAINT_LINE,
                            is_cell(p, h->a) && !board_of(p)->has_sorts ? 0.07 : thin);
            lines = true;
        } else if (h->row == FZ_HINT_LADDER && h->a != h->b) {
            add_ladder(p, p->at[h->a], p->at[h->b]);
        } else if (h->row == FZ_HINT_SNAKE && h->a != h->b) {
            add_snake(p, p->at[h->a], p->at[h->b]);
        } else if (h->row == FZ_HINT_LOOP && turns(p->at[h->a], p->at[h->b])) {
            add_loop(p, p->at[h->a], p->at[h->b]);
        }
    }
    return lines;
}

static void add_ways(fzi_picture *p)
{
    unsigned sites = board_of(p)->site_count;

    for (unsigned a = 0; a < sites; a++) {
        for (unsigned b = a + 1; b < sites; b++) {
            if (leads(p, a, b) || leads(p, b, a))
                fzi_picture_way(p, a, b, FZI_PAINT_LINE, thin);
        }
    }
}

/* The edges and vertices of a mesh. */
static void add_mesh(fzi_picture *p)
{
    bool lines = add_said_lines(p);

    for (unsigned s = 0; s < board_of(p)->site_count && !lines; s++) {
        unsigned ends[2];
        if (fzi_graph_edge_ends(p->d.program, s, ends))
            fzi_scene_line(p->scene, p->at[ends[0]], p->at[ends[1]], FZI_PAINT_FAINT, thin);
    }
    for (unsigned s = 0; s < board_of(p)->site_count; s++) {
        if (fzi_sort_of(board_of(p), s) == FZ_SORT_VERTEX)
            fzi_scene_circle(p->scene, p->at[s], 0.07, FZI_PAINT_LINE, FZI_PAINT_NONE, 0);
    }
}

/* Every crossing of a whole grid is a point; elsewhere dots say which are. */
static bool is_grid(const fzi_picture *p)
{
    const fz_board *board = board_of(p);

    return board->shape == FZ_SHAPE_SQUARE &&
           board->site_count == (unsigned)board->columns * board->rows;
}

/* On boards of go: in the middle, and three or four lines from the edges. */
static void add_stars(fzi_picture *p)
{
    int size = board_of(p)->columns, line = size > 9 ? 4 : 3;

    if (!is_grid(p) || board_of(p)->rows != size ||
        (size != 9 && size != 13 && size != 15 && size != 19))
        return;
    for (unsigned s = 0; s < board_of(p)->site_count; s++) {
        int column = board_of(p)->column[s], row = board_of(p)->row[s], middle = (size + 1) / 2;
        bool across = column == line || column == size + 1 - line;
        bool down = row == line || row == size + 1 - line;
        bool mid = (column == middle || across) && (row == middle || down);
        if ((across && down) || (mid && (size == 19 || (column == middle && row == middle))))
            fzi_scene_circle(p->scene, p->at[s], 0.09, FZI_PAINT_LINE, FZI_PAINT_NONE, 0);
    }
}

static void add_points(fzi_picture *p)
{
    fzi_scene_box(p->scene, p->low, p->high, FZI_PAINT_LIGHT, FZI_PAINT_NONE, 0);
    if (board_of(p)->has_sorts)
        return;
    if (!add_said_lines(p)) {
        add_ways(p);
        add_stars(p);
    }
    for (unsigned s = 0; s < board_of(p)->site_count && !is_grid(p); s++)
        fzi_scene_circle(p->scene, p->at[s], 0.06, FZI_PAINT_LINE, FZI_PAINT_NONE, 0);
}

/* ---- edges of players ---- */

/* True if the view says that the edge of the site belongs to the player. */
static bool is_edge(const fzi_picture *p, unsigned site, int player)
{
    for (uint32_t i = 0; i < p->d.program->hint_count; i++) {
        const fz_hint *h = &p->d.program->hints[i];
        if (h->row == FZ_HINT_EDGE && h->a == site && h->b == player)
            return true;
    }
    return false;
}

/* The site with its middle at the point; -1: there is none. */
static int site_at(const fzi_picture *p, fzi_point at)
{
    for (unsigned s = 0; s < board_of(p)->site_count; s++)
        if (hypot(p->at[s].x - at.x, p->at[s].y - at.y) < 0.2)
            return (int)s;
    return -1;
}

/* Where the neighbour over a side of the cell is or would be; the corners of the side. */
static fzi_point beyond(const fzi_picture *p, unsigned site, unsigned side, fzi_point *ends)
{
    bool square = p->style == FZI_STYLE_SQUARES;
    unsigned sides = square ? 4 : 6;
    double turned = p->style == FZI_STYLE_UPRIGHT ? 0.5 : 0;
    double away = square ? sqrt(0.5) : 1 / sqrt(3);

    for (int i = 0; i < 2; i++) {
        double angle = full_turn * (side + turned + i - 0.5) / sides;
        ends[i] = (fzi_point){p->at[site].x + away * cos(angle), p->at[site].y + away * sin(angle)};
    }
    double angle = full_turn * (side + turned) / sides;
    return (fzi_point){p->at[site].x + cos(angle), p->at[site].y + sin(angle)};
}

/* Of a corner cell, the player has the sides that go on in the player's next cell. */
static bool goes_on(const fzi_picture *p, unsigned site, unsigned side, int player)
{
    fzi_point ends[2];

    for (unsigned s = 0; s < board_of(p)->site_count; s++)
        if (s != site && is_edge(p, s, player) && site_at(p, beyond(p, s, side, ends)) < 0 &&
            hypot(p->at[s].x - p->at[site].x, p->at[s].y - p->at[site].y) < 1.1)
            return true;
    return false;
}

static void add_edges(fzi_picture *p)
{
    unsigned sides = p->style == FZI_STYLE_SQUARES ? 4 : 6;

    for (uint32_t i = 0; i < p->d.program->hint_count; i++) {
        const fz_hint *h = &p->d.program->hints[i];
        if (h->row != FZ_HINT_EDGE || !is_cell(p, h->a))
            continue;
        for (unsigned side = 0; side < sides; side++) {
            fzi_point ends[2], to = beyond(p, h->a, side, ends);
            if (site_at(p, to) < 0 && goes_on(p, h->a, side, h->b))
                fzi_scene_line(p->scene, ends[0], ends[1], (enum fzi_paint)p->paint[h->b], 0.14);
        }
    }
}

/* ---- regions, grounds, arrows ---- */

static bool is_the_set(const fzi_picture *p, int shown)
{
    return p->task->set && shown >= 0 && p->d.shown[shown].mark &&
           strcmp(fzi_text(p->d.program, p->d.shown[shown].like->name), p->task->set) == 0;
}

/* Shades the set of the task, over the regions of the script. */
static void add_set(fzi_picture *p)
{
    for (int i = 0; i < (int)p->d.shown_count; i++) {
        if (!is_the_set(p, i))
            continue;
        for (unsigned s = 0; s < board_of(p)->site_count; s++) {
            if (fzi_shown_names(&p->d, &p->d.shown[i], s))
                fzi_picture_cell(p, s, 0.96, FZI_PAINT_SET, FZI_PAINT_NONE)->faded = true;
        }
    }
}

/* The number of the region among those with marks. */
static int region_number(const fzi_picture *p, unsigned site)
{
    int region = fzi_region_of(&p->d, site), number = 0;

    for (int i = 0; i < region; i++)
        number += p->d.shown[i].mark != NULL;
    return region < 0 || is_the_set(p, region) ? -1 : number;
}

static void add_grounds(fzi_picture *p)
{
    for (unsigned s = 0; s < board_of(p)->site_count; s++) {
        int player, region = region_number(p, s);
        const char *name = fzi_ground_name(&p->d, s, &player);
        enum fzi_paint paint = name ? fzi_paint_called(name)
                               : player >= 0 ? (enum fzi_paint)p->paint[player]
                                             : FZI_PAINT_NONE;
        if (region >= 0)
            fzi_picture_cell(p, s, 0.96, FZI_PAINT_REGION_1 + (enum fzi_paint)region % 4,
                             FZI_PAINT_NONE);
        if (paint != FZI_PAINT_NONE)
            fzi_picture_cell(p, s, 0.96, paint, FZI_PAINT_NONE)->faded = true;
    }
}

/* Eighths of a turn, clockwise from up. */
static fzi_point eighth(int heading)
{
    const double angle = 0.7853981633974483 * heading;

    return (fzi_point){sin(angle), -cos(angle)};
}

/* True if the shown value has a direction that leads from one site to the other. */
static bool shows_way(const fzi_picture *p, unsigned from, unsigned to)
{
    const fzi_shown_value *ways = p->d.ways;
    bool seen = fzi_shown_known(&p->d, ways, from);
    int64_t dirs = seen ? fzi_element_get(ways->program, ways->block, ways->like, from) : 0;

    for (unsigned dir = 0; dir < board_of(p)->dir_count; dir++) {
        if (dirs >> dir & 1 && next_of(p, from, dir) == (int)to)
            return true;
    }
    return false;
}

/* Of points, ways to each other are a line, which the lower site draws; but two pieces that look at
 * each other show where they may go. */
static bool add_joint(fzi_picture *p, unsigned site, unsigned to)
{
    bool pieces = p->d.cells[site].owner != -2 && p->d.cells[to].owner != -2;

    if (p->style != FZI_STYLE_POINTS || pieces || !shows_way(p, to, site))
        return false;
    if (site < to)
        fzi_scene_line(p->scene, p->at[site], p->at[to], FZI_PAINT_INK, 0.09);
    return true;
}

static void add_arrow(fzi_picture *p, unsigned site, unsigned dir)
{
    int to = next_of(p, site, dir), heading = p->d.heading[dir];
    fzi_point from = p->at[site];

    if (to < 0 || add_joint(p, site, (unsigned)to))
        return;
    fzi_point way = (fzi_point){p->at[to].x - from.x, p->at[to].y - from.y};
    double length = hypot(way.x, way.y);
    if ((length > 1.6 || length < 0.01) && heading >= 0)
        way = eighth(heading);
    else if (length > 0.01)
        way = (fzi_point){way.x / length, way.y / length};
    fzi_scene_arrow(p->scene, (fzi_point){from.x + way.x * 0.30, from.y + way.y * 0.30},
                    (fzi_point){from.x + way.x * 0.49, from.y + way.y * 0.49}, FZI_PAINT_INK, 0.05);
}

static void add_arrows(fzi_picture *p)
{
    const fzi_shown_value *ways = p->d.ways;

    for (unsigned s = 0; ways && s < board_of(p)->site_count; s++) {
        bool seen = fzi_shown_known(&p->d, ways, s);
        int64_t dirs = seen ? fzi_element_get(ways->program, ways->block, ways->like, s) : 0;
        for (unsigned dir = 0; dir < board_of(p)->dir_count; dir++) {
            if (dirs >> dir & 1)
                add_arrow(p, s, dir);
        }
    }
}

/* ---- coordinates ---- */

static void widen(fzi_picture *p, double left, double top, double right, double bottom)
{
    p->low.x = fmin(p->low.x, left);
    p->low.y = fmin(p->low.y, top);
    p->high.x = fmax(p->high.x, right);
    p->high.y = fmax(p->high.y, bottom);
}

/* True for the first labelled site of its column or of its line. */
static bool is_first(const fzi_picture *p, unsigned site, bool in_column)
{
    for (unsigned s = 0; s < site; s++) {
        bool same = in_column ? fabs(p->at[s].x - p->at[site].x) < 0.01
                              : fabs(p->at[s].y - p->at[site].y) < 0.01;
        if (same && fzi_sort_of(board_of(p), s) == FZ_SORT_CELL)
            return false;
    }
    return true;
}

/* The top of the board that the site is on. */
static double top_of(const fzi_picture *p, unsigned site)
{
    double top = p->at[site].y;

    for (unsigned s = 0; s < board_of(p)->site_count; s++) {
        if (fzi_same_layer(p, s, site))
            top = fmin(top, p->at[s].y);
    }
    return top;
}

static void add_edge_names(fzi_picture *p)
{
    double scale = fmin(1.6, fzi_picture_scale(p)), size = 0.26 * scale;
    double bottom = p->high.y + 0.25 * scale, left = p->low.x - 0.12;
    bool prefixed = false;

    for (unsigned s = 0; s < board_of(p)->site_count; s++) {
        const char *name = name_of(p, s);
        size_t prefix = fzi_name_prefix(name), letters = fzi_name_letters(name);
        char column[16], layer[16];
        if (fzi_sort_of(board_of(p), s) != FZ_SORT_CELL)
            continue;
        snprintf(column, sizeof column, "%.*s", (int)(letters - prefix), name + prefix);
        snprintf(layer, sizeof layer, "%.*s", (int)prefix, name);
        if (is_first(p, s, true))
            fzi_scene_label(p->scene, (fzi_point){p->at[s].x, bottom}, size, FZI_PAINT_FAINT,
                            column);
        if (is_first(p, s, false))
            fzi_scene_label(p->scene, (fzi_point){left, p->at[s].y}, size, FZI_PAINT_FAINT,
                            name + letters)->anchor = FZI_ANCHOR_RIGHT;
        if (prefix && strncmp(name + letters, "1", 2) == 0 && letters - prefix == 1 &&
            name[prefix] == 'a')
            prefixed = fzi_scene_label(p->scene, (fzi_point){p->at[s].x, top_of(p, s) - 0.75}, 0.32,
                                       FZI_PAINT_FAINT, layer) != NULL;
    }
    widen(p, left - 0.4 * scale, p->low.y - (prefixed ? 0.5 : 0.1), p->high.x + 0.1,
          bottom + 0.25 * scale);
}

/* The distance of a point from the line between two sites. */
static double from_line(fzi_point at, fzi_point a, fzi_point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    double part = square > 0 ? ((at.x - a.x) * dx + (at.y - a.y) * dy) / square : 0;
    fzi_point near = fzi_point_between(a, b, fmax(0, fmin(1, part)));

    return hypot(at.x - near.x, at.y - near.y);
}

/* The room around a name: how far the next line is, and the next piece. */
static double room_at(const fzi_picture *p, unsigned site, fzi_point at)
{
    double room = 1;

    for (unsigned a = 0; a < board_of(p)->site_count; a++) {
        if (a != site)
            room = fmin(room, hypot(at.x - p->at[a].x, at.y - p->at[a].y) - 0.5);
        for (unsigned b = a + 1; b < board_of(p)->site_count; b++)
            if (leads(p, a, b) || leads(p, b, a))
                room = fmin(room, from_line(at, p->at[a], p->at[b]));
    }
    return room;
}

/* Above a point; of small graphs, on the side that has the most room, beyond a piece with a rim. */
static fzi_point free_side(const fzi_picture *p, unsigned site)
{
    enum { SIDES = 16, SMALL = 64 };
    bool small = board_of(p)->site_count <= SMALL;
    double up = small ? 0.74 : 0.5, aside = 0.64 + 0.1 * fzi_label_width(name_of(p, site));
    fzi_point best = {p->at[site].x, p->at[site].y - up};
    double most = room_at(p, site, best);

    for (int i = 1; i < SIDES && small; i++) {
        double angle = full_turn * i / SIDES;
        fzi_point at = {p->at[site].x + aside * sin(angle), p->at[site].y - up * cos(angle)};
        double room = room_at(p, site, at);
        if (room > most + 0.05) {
            most = room;
            best = at;
        }
    }
    return best;
}

static bool is_circle(const fzi_picture *p)
{
    return board_of(p)->shape == FZ_SHAPE_CIRCLE;
}

/* Beside a point: of a circle or mesh, whose vertices lie on a circle, outside of it. */
static fzi_point outside(const fzi_picture *p, unsigned site)
{
    fzi_point middle = fzi_point_between(p->board_low, p->board_high, 0.5), at = p->at[site];
    double x = at.x - middle.x, y = at.y - middle.y, length = hypot(x, y);

    if (is_circle(p) && length < 0.01)
        return (fzi_point){at.x + 0.3, at.y + 0.5};
    if ((!board_of(p)->has_sorts && !is_circle(p)) || length < 0.01)
        return free_side(p, site);
    double away = is_circle(p) ? 0.62 : 0.52;
    return (fzi_point){at.x + away * x / length, at.y + away * y / length};
}

/* Small names in the cells, or beside the points, where the edges cannot say them. */
static void add_site_names(fzi_picture *p)
{
    for (unsigned s = 0; s < board_of(p)->site_count; s++) {
        fzi_point at = {p->at[s].x, p->at[s].y + 0.36};
        double size = 0.15;
        if (fzi_sort_of(board_of(p), s) == FZ_SORT_EDGE || fzi_words_has(p->cut, s))
            continue;
        if (p->round || is_circle(p)) {
            at = outside(p, s);
            size = 0.2;
        } else if (p->style == FZI_STYLE_POINTS) {
            at = (fzi_point){p->at[s].x + 0.36, p->at[s].y + 0.42};
            size = 0.2;
        } else if (p->style == FZI_STYLE_SQUARES) {
            at.y = p->at[s].y + 0.68;
            size = 0.2;
        }
        bool shaded = is_cell(p, s) && cell_paint(p, s) != FZI_PAINT_LIGHT;
        fzi_scene_label(p->scene, at, size, shaded ? FZI_PAINT_LINE : FZI_PAINT_FAINT,
                        name_of(p, s));
        double half = size * fzi_label_width(name_of(p, s)) / 2;
        if (p->round)
            widen(p, at.x - half, at.y - size / 2, at.x + half, at.y + size / 2);
    }
    if (p->style == FZI_STYLE_SQUARES)
        widen(p, p->low.x, p->low.y, p->high.x, p->high.y + 0.3);
}

/* The numbers of `view { numbers ...; }`, as the viewer or the player who decides counts; false:
 * there are none. At the edge of the board beside triangles, else in the cells. */
static bool add_numbers(fzi_picture *p)
{
    bool any = false;

    for (unsigned site = 0; site < board_of(p)->site_count; site++) {
        int told = fzi_site_number(&p->d, site);
        char number[16];
        if (told < 0)
            continue;
        snprintf(number, sizeof number, "%d", told);
        double down = board_of(p)->row[site] % 2 ? 0.72 : -0.72;
        if (p->triangles)
            fzi_scene_label(p->scene, (fzi_point){p->at[site].x, p->at[site].y + down}, 0.34,
                            FZI_PAINT_FAINT, number);
        else
            fzi_scene_label(p->scene, (fzi_point){p->at[site].x - 0.42, p->at[site].y - 0.36}, 0.2,
                            FZI_PAINT_LINE, number)->anchor = FZI_ANCHOR_LEFT;
        any = true;
    }
    if (any && p->triangles)
        widen(p, p->low.x, p->low.y - 0.5, p->high.x, p->high.y + 0.5);
    return any;
}

static void add_names(fzi_picture *p)
{
    if (add_numbers(p))
        return;
    if (fzi_has_edges(&p->d))
        add_edge_names(p);
    else
        add_site_names(p);
}

/* True if players' pieces stand on the vertices of a mesh, and reach beyond them. */
static bool has_vertex_pieces(const fzi_picture *p)
{
    for (unsigned s = 0; board_of(p)->has_sorts && s < board_of(p)->site_count; s++)
        if (fzi_sort_of(board_of(p), s) == FZ_SORT_VERTEX && p->d.cells[s].owner >= 0)
            return true;
    return false;
}

void fzi_picture_board(fzi_picture *p)
{
    double loops = reach_of_loops(p);
    double beside = loops > 0                     ? loops + 0.2
                    : is_circle(p)                ? frame + 0.26
                    : p->style == FZI_STYLE_POINTS ? frame
                    : has_vertex_pieces(p)        ? 0.5
                    : board_of(p)->has_sorts      ? 0.12
                    : p->style == FZI_STYLE_HEXES ? 0.58
                                                  : 0.5;

    p->low = (fzi_point){p->board_low.x - beside, p->board_low.y - beside};
    p->high = (fzi_point){p->board_high.x + beside, p->board_high.y + beside};
    if (p->style == FZI_STYLE_POINTS)
        add_points(p);
    else if (p->triangles)
        add_triangles(p);
    else
        add_cells(p);
    add_edges(p);
    add_grounds(p);
    add_set(p);
    if (board_of(p)->has_sorts)
        add_mesh(p);
    else if (p->style != FZI_STYLE_POINTS)
        add_said_lines(p);
    add_arrows(p);
    add_names(p);
}
