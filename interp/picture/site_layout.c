/* Places the sites of a board in a picture, for compose.c. Boards have places for text
 * (board_data.h), rounded to half cells; pictures use exact ones where they are known. */
#include "interp/support/words.h"
#include "compose.h"

static const double full_turn = 6.283185307179586;
static const double hexagon_rows = 0.8660254037844386; /* the height of a triangle */

fzi_point fzi_point_between(fzi_point a, fzi_point b, double part)
{
    return (fzi_point){a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

bool fzi_has_bar(const fzi_picture *p)
{
    return p->triangles && p->d.program->board.columns % 2 == 0;
}

static fzi_board_style style_of(const fzi_drawing *d)
{
    const fz_board *board = &d->program->board;

    /* Games from before `board none` have one site. */
    if (board->shape == FZ_SHAPE_NONE || board->site_count == 1)
        return FZI_STYLE_NONE;
    if (board->on_vertices)
        return FZI_STYLE_POINTS;
    switch ((enum fz_board_shape)board->shape) {
    case FZ_SHAPE_SQUARE: case FZ_SHAPE_TRACK: return FZI_STYLE_SQUARES;
    case FZ_SHAPE_PITS: return FZI_STYLE_PITS;
    case FZ_SHAPE_HEX: case FZ_SHAPE_HEX_RHOMBUS: case FZ_SHAPE_HEX_STAR: case FZ_SHAPE_TRIANGLE:
        return FZI_STYLE_HEXES;
    case FZ_SHAPE_HEX_UPRIGHT: return FZI_STYLE_UPRIGHT;
    default: return FZI_STYLE_POINTS;
    }
}

static bool is_hexagonal(const fz_board *board)
{
    return board->shape == FZ_SHAPE_HEX || board->shape == FZ_SHAPE_HEX_RHOMBUS ||
           board->shape == FZ_SHAPE_HEX_STAR || board->shape == FZ_SHAPE_TRIANGLE ||
           board->shape == FZ_SHAPE_HEX_UPRIGHT;
}

/* ---- places ---- */

/* Of hexagons, columns or rows are nearer to each other than the sites in them. */
static void lay_as_drawn(fzi_picture *p)
{
    const fz_board *board = &p->d.program->board;
    double right = 0.5, down = -0.5;

    if (board->shape == FZ_SHAPE_HEX_UPRIGHT)
        right *= hexagon_rows;
    else if (is_hexagonal(board))
        down *= hexagon_rows;
    for (unsigned s = 0; s < board->site_count; s++)
        p->at[s] = (fzi_point){p->d.x[s] * right, p->d.y[s] * down};
}

/* In the middle of the sites that `view { lines ...; }` joins it to; false: there are none. */
static bool lay_amid(fzi_picture *p, unsigned site)
{
    fzi_point sum = {0, 0};
    unsigned count = 0;

    for (uint32_t i = 0; i < p->d.program->hint_count; i++) {
        const fz_hint *h = &p->d.program->hints[i];
        if (h->row != FZ_HINT_LINE || (h->a != site && h->b != site))
            continue;
        fzi_point other = p->at[h->a == site ? h->b : h->a];
        sum = (fzi_point){sum.x + other.x, sum.y + other.y};
        count++;
    }
    if (count)
        p->at[site] = (fzi_point){sum.x / count, sum.y / count};
    return count > 0;
}

static bool is_round(const fz_board *board, unsigned site)
{
    return board->row[site] >= 1 && board->column[site] >= 1;
}

/* Rings and spokes; false: some site has no place. */
static bool lay_round(fzi_picture *p)
{
    const fz_board *board = &p->d.program->board;
    double spokes = board->columns, inner = spokes / full_turn;

    inner = inner < 1 ? 1 : inner;
    for (unsigned s = 0; s < board->site_count; s++) {
        if (!is_round(board, s))
            continue;
        double angle = full_turn * (board->column[s] - 1) / spokes;
        double radius = inner + board->row[s] - 1;
        p->at[s] = (fzi_point){radius * sin(angle), -radius * cos(angle)};
    }
    for (unsigned s = 0; s < board->site_count; s++) {
        if (!is_round(board, s) && !lay_amid(p, s))
            return false;
    }
    return true;
}

static double distance(fzi_point a, fzi_point b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/* Between the nearest two sites of one sort that are no edges. */
static double nearest(const fzi_picture *p)
{
    const fz_board *board = &p->d.program->board;
    unsigned sites = board->site_count;
    double least = INFINITY;

    for (unsigned a = 0; a < sites; a++) {
        for (unsigned b = 0; b < a; b++) {
            int sort = fzi_sort_of(board, a);
            if (sort != FZ_SORT_EDGE && sort == fzi_sort_of(board, b))
                least = fmin(least, distance(p->at[a], p->at[b]));
        }
    }
    return isinf(least) ? 1 : least;
}

/* Places the sites of a graph by its steps. False: memory is short. */
static bool lay_loose(fzi_picture *p)
{
    unsigned sites = p->d.program->board.site_count;
    double *x = fzi_allocate(p->d.machine->allocator, 2 * (size_t)sites * sizeof *x);

    if (!x)
        return false;
    fzi_graph_lay(p->d.program, p->d.machine->allocator, x, x + sites);
    for (unsigned s = 0; s < sites; s++)
        p->at[s] = (fzi_point){x[s], x[sites + s]};
    fzi_release(p->d.machine->allocator, x);
    return true;
}

/* ---- several boards ---- */

static const char *name_of(const fzi_picture *p, unsigned site)
{
    return fzi_text(p->d.program, p->d.program->board.site_names[site]);
}

bool fzi_same_layer(const fzi_picture *p, unsigned a, unsigned b)
{
    size_t prefix = fzi_name_prefix(name_of(p, a));

    return prefix == fzi_name_prefix(name_of(p, b)) &&
           strncmp(name_of(p, a), name_of(p, b), prefix) == 0;
}

unsigned fzi_layer_first(const fzi_picture *p, unsigned site)
{
    unsigned first = 0;

    while (!fzi_same_layer(p, first, site))
        first++;
    return first;
}

/* More than three boards in one row are put into several rows, from below, if they are equal:
 * each has the same sites, one after the other. */
static void spread_layers(fzi_picture *p)
{
    unsigned sites = p->d.program->board.site_count, size = 1, across = 1;
    double width = 0, height = 0;

    while (size < sites && fzi_same_layer(p, 0, size))
        size++;
    unsigned count = sites / size;
    if (count < 4 || sites % size || fzi_name_prefix(name_of(p, sites - 1)) == 0)
        return;
    for (unsigned s = 0; s < sites; s++) {
        fzi_point at = p->at[s], first = p->at[fzi_layer_first(p, s)], like = p->at[s % size];
        if (fzi_layer_first(p, s) != s / size * size ||
            distance((fzi_point){at.x - first.x, at.y - first.y},
                     (fzi_point){like.x - p->at[0].x, like.y - p->at[0].y}) > 0.01)
            return;
        width = fmax(width, fabs(at.x - first.x));
        height = fmax(height, fabs(at.y - first.y));
    }
    while (across * across < count)
        across++;
    for (unsigned s = sites; s-- > 0;) {
        unsigned layer = s / size;
        p->at[s] = (fzi_point){p->at[s % size].x + layer % across * (width + 2),
                               p->at[s % size].y - layer / across * (height + 2)};
    }
}

static void lay(fzi_picture *p)
{
    const fz_board *board = &p->d.program->board;

    if (board->shape == FZ_SHAPE_CIRCLE && lay_round(p))
        return;
    lay_as_drawn(p);
    spread_layers(p);
    p->round = p->d.loose && lay_loose(p);
}

static bool has_triangles(const fzi_picture *p)
{
    const fz_hint *hint = fzi_hint_find(p->d.program, FZ_HINT_CELLS, -1);
    const fz_board *board = &p->d.program->board;

    return hint && hint->a == FZ_PATTERN_TRIANGLES && p->style == FZI_STYLE_SQUARES &&
           board->shape == FZ_SHAPE_SQUARE && !board->has_sorts;
}

/* Cuts the sites away that are far from all pieces, or of an empty board, from its middle. */
static void crop(fzi_picture *p)
{
    const double near = 2.4;
    unsigned sites = p->d.program->board.site_count, used[FZ_MAX_SITES], count = 0;
    fzi_point sum = {0, 0};

    for (unsigned s = 0; s < sites; s++) {
        sum = (fzi_point){sum.x + p->at[s].x / sites, sum.y + p->at[s].y / sites};
        if (p->d.cells[s].owner != -2)
            used[count++] = s;
    }
    for (unsigned s = 0; s < sites; s++) {
        double least = count ? INFINITY : distance(p->at[s], sum);
        for (unsigned i = 0; i < count; i++)
            least = fmin(least, distance(p->at[s], p->at[used[i]]));
        if (least > near)
            fzi_words_add(p->cut, s);
    }
}

void fzi_sites_lay(fzi_picture *p)
{
    unsigned sites = p->d.program->board.site_count;

    p->style = style_of(&p->d);
    if (p->style == FZI_STYLE_NONE)
        return;
    lay(p);
    double unit = nearest(p);
    for (unsigned s = 0; s < sites; s++) {
        p->at[s].x /= unit > 0.01 ? unit : 1;
        p->at[s].y /= unit > 0.01 ? unit : 1;
    }
    p->triangles = has_triangles(p);
    for (unsigned s = 0; p->triangles && s < sites; s++) {
        bool beyond = p->d.program->board.column[s] > p->d.program->board.columns / 2;
        p->at[s].x += fzi_has_bar(p) && beyond ? fzi_bar : 0;
        p->at[s].y *= fzi_triangle_rows;
    }
    if (fzi_hint_is_cropped(p->d.program) && p->style != FZI_STYLE_NONE)
        crop(p);
    p->board_low = (fzi_point){INFINITY, INFINITY};
    p->board_high = (fzi_point){-INFINITY, -INFINITY};
    for (unsigned s = 0; s < sites; s++) {
        if (fzi_words_has(p->cut, s))
            continue;
        p->board_low.x = fmin(p->board_low.x, p->at[s].x);
        p->board_low.y = fmin(p->board_low.y, p->at[s].y);
        p->board_high.x = fmax(p->board_high.x, p->at[s].x);
        p->board_high.y = fmax(p->board_high.y, p->at[s].y);
    }
}
