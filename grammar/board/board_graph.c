/* Boards of listed edges: graph { a: b n, c e; ... }. The rows are the sites, in their order. Each
 * edge says which site a direction leads to. The neighbour `off` means no edge: it removes an edge
 * that a board had, and allows a row without edges. An edge without a direction leads both ways. A
 * line `e w: a b c;` is a row for each of its sites, and a site may have several such rows. */
#include "board_builder.h"
#include "interp/program/cells.h"

/* ---- directions ---- */

static bool graph_uses(const fzi_node *graph, const char *name)
{
    for (const fzi_node *row = graph->rows; row; row = row->next)
        for (const fzi_node *edge = row->edges; edge; edge = edge->next)
            if (edge->direction && !strcmp(edge->direction->name, name))
                return true;
    return false;
}

/* Directions of the compass come first, clockwise, so that they turn as on other boards; the rest
 * follow as the text names them. */
static bool add_dirs(fzi_board_maker *m, fzi_board *board, const fzi_node *graph)
{
    for (int i = 0; i < 8; i++)
        if (graph_uses(graph, fzi_compass[i]) &&
            fzi_board_add_dir(m, board, graph->span, fzi_intern_z(m->arena, fzi_compass[i])) < 0)
            return false;
    for (const fzi_node *row = graph->rows; row; row = row->next)
        for (const fzi_node *edge = row->edges; edge; edge = edge->next)
            if (edge->direction &&
                fzi_board_add_dir(m, board, edge->direction->span, edge->direction->name) < 0)
                return false;
    return true;
}

/* Slanted directions are diagonals only where all four straight ones are used. */
static void set_masks(fzi_board *board)
{
    bool straight = true;
    for (int i = 0; i < 8; i += 2)
        straight = straight && fzi_board_dir(board, fzi_compass[i]) >= 0;
    for (int i = 1; straight && i < 8; i += 2) {
        int dir = fzi_board_dir(board, fzi_compass[i]);
        if (dir >= 0)
            board->diagonal |= UINT32_C(1) << dir;
    }
    board->adjacent = (uint32_t)((UINT64_C(1) << board->dir_count) - 1);
    board->orthogonal = board->adjacent & ~board->diagonal;
}

/* ---- edges ---- */

static const fzi_node *edge_before(const fzi_node *row, const fzi_node *edge)
{
    for (const fzi_node *e = row->edges; edge->direction && e != edge; e = e->next)
        if (e->direction && !strcmp(e->direction->name, edge->direction->name))
            return e;
    return NULL;
}

/* The first of the directions way1, way2, ..., except `other`, in which a site has no neighbour. */
static int free_way(fzi_board_maker *m, fzi_board *board, fzi_span span, unsigned site, int other)
{
    for (int n = 1;; n++) {
        const char *name = fzi_intern_z(m->arena, fzi_arena_printf(m->arena, "way%d", n));
        int dir = fzi_board_add_dir(m, board, span, name);
        if (dir < 0 || (dir != other && *fzi_board_edge(board, (unsigned)dir, site) < 0))
            return dir;
    }
}

static bool has_way(const fzi_board *board, unsigned from, unsigned to)
{
    for (unsigned d = 0; d < board->dir_count; d++)
        if (!strncmp(board->dir_names[d], "way", 3) && *fzi_board_edge(board, d, from) == (int)to)
            return true;
    return false;
}

/* Adds an edge without a direction. The directions there and back differ, so no direction is its
 * own opposite. Both rows may name the edge. */
static bool add_plain_edge(fzi_board_maker *m, fzi_board *board, fzi_span span, unsigned from,
                           unsigned to)
{
    if (has_way(board, from, to))
        return true;
    int there = free_way(m, board, span, from, FZ_NOT_THERE);
    int back = there < 0 ? FZ_NOT_THERE : free_way(m, board, span, to, there);
    if (back < 0)
        return false;
    *fzi_board_edge(board, (unsigned)there, from) = (int16_t)to;
    *fzi_board_edge(board, (unsigned)back, to) = (int16_t)from;
    return true;
}

static bool add_edge(fzi_board_maker *m, fzi_board *board, const fzi_node *row,
                     const fzi_node *edge, unsigned site)
{
    const fzi_node *before = edge_before(row, edge);
    if (before) {
        fzi_diag *diag =
            fzi_error(m->diags, edge->span, FZ_E_EDGE_TWICE, row->name, edge->direction->name);
        fzi_note_at(diag, before->span, "the first one is here");
        return false;
    }
    int to = fzi_board_site(board, edge->name);
    if (to < 0 && strcmp(edge->name, "off")) {
        fzi_nearest nearest = {.wanted = edge->name};
        fzi_diag *diag = fzi_error(m->diags, edge->name_span, FZ_E_EDGE_TO_NOWHERE, edge->name);
        for (unsigned s = 0; s < board->site_count; s++)
            fzi_nearest_offer(&nearest, board->site_names[s]);
        fzi_hint_nearest(diag, &nearest);
        return false;
    }
    if (!edge->direction)
        return to < 0 || add_plain_edge(m, board, edge->span, site, (unsigned)to);
    unsigned dir = (unsigned)fzi_board_dir(board, edge->direction->name);
    *fzi_board_edge(board, dir, site) = (int16_t)to;
    return true;
}

/* Does another line lead elsewhere in a direction of this one? */
static bool lines_differ(fzi_board_maker *m, const fzi_board *board, const fzi_board *former,
                         const fzi_node *row, unsigned site)
{
    for (const fzi_node *edge = row->edges; edge; edge = edge->next) {
        int dir = fzi_board_dir(board, edge->direction->name);
        int old = *fzi_board_edge(board, (unsigned)dir, site);
        bool had = former && (unsigned)dir < former->dir_count;
        if (old >= 0 && old != fzi_board_site(board, edge->name) &&
            !(had && old == *fzi_board_edge(former, (unsigned)dir, site))) {
            fzi_error(m->diags, edge->name_span, FZ_E_EDGE_TWICE, row->name, edge->direction->name);
            return true;
        }
    }
    return false;
}

/* Every row's site must be one of the board. All mistakes are reported. */
static bool add_rows(fzi_board_maker *m, fzi_board *board, const fzi_board *former,
                     const fzi_node *graph)
{
    bool good = true;
    for (const fzi_node *row = graph->rows; row; row = row->next) {
        int site = fzi_board_site(board, row->name);
        if ((row->flags & FZ_NODE_ON_LINE) && lines_differ(m, board, former, row, (unsigned)site))
            return false;
        for (const fzi_node *edge = row->edges; edge; edge = edge->next) {
            if (add_edge(m, board, row, edge, (unsigned)site))
                continue;
            if (board->dir_count == FZ_MAX_DIRS && !edge->direction)
                return false; /* and so are all edges that follow */
            good = false;
        }
    }
    return good;
}

static bool rows_are_distinct(fzi_board_maker *m, const fzi_node *graph)
{
    bool good = true;
    for (const fzi_node *row = graph->rows; row; row = row->next)
        for (const fzi_node *first = graph->rows; first != row && !(row->flags & FZ_NODE_ON_LINE);
             first = first->next)
            if (!strcmp(first->name, row->name)) {
                fzi_diag *diag = fzi_error(m->diags, row->name_span, FZ_E_SITE_TWICE, row->name);
                fzi_note_at(diag, first->name_span, "the first one is here");
                good = false;
                break;
            }
    return good;
}

/* ---- drawing ---- */

/* The place of a neighbour in a direction of the compass, in half cells; false for other
 * directions. */
static bool drawn_towards(const fzi_board *board, unsigned dir, int *x, int *y)
{
    static const int8_t square[8][2] = {{0, 2},  {2, 2},   {2, 0},  {2, -2},
                                        {0, -2}, {-2, -2}, {-2, 0}, {-2, 2}};
    for (int i = 0; i < 8; i++)
        if (!strcmp(board->dir_names[dir], fzi_compass[i])) {
            *y = square[i][1];
            *x = *y && !fzi_board_upright(board) ? square[i][0] / 2 : square[i][0];
            return true;
        }
    return false;
}

static bool is_free(const fzi_board *board, const bool *drawn, int x, int y)
{
    for (unsigned s = 0; s < board->site_count; s++)
        if (drawn[s] && board->x[s] == x && board->y[s] == y)
            return false;
    return true;
}

/* By the names of the sites, if all of them say a place. */
static bool draw_by_names(fzi_board *board)
{
    for (unsigned s = 0; s < board->site_count; s++) {
        int column, row;
        if (!fzi_name_place(board->site_names[s], &column, &row))
            return false;
        board->x[s] = (int16_t)(2 * column);
        board->y[s] = (int16_t)(2 * row);
    }
    return true;
}

/* Draws neighbours in their direction of the compass if that place is free. Sites that cannot be
 * drawn so begin to the right of all others. */
static void draw(fzi_board *board)
{
    bool drawn[FZ_MAX_SITES] = {false};
    uint16_t queue[FZ_MAX_SITES];
    int right = 0;
    for (unsigned first = 0; first < board->site_count; first++) {
        unsigned head = 0, tail = 0;
        if (drawn[first])
            continue;
        board->x[first] = (int16_t)right;
        board->y[first] = 0;
        drawn[first] = true;
        queue[tail++] = (uint16_t)first;
        while (head < tail) {
            unsigned site = queue[head++];
            right = board->x[site] + 2 > right ? board->x[site] + 2 : right;
            for (unsigned d = 0; d < board->dir_count; d++) {
                int to = *fzi_board_edge(board, d, site), x, y;
                if (to < 0 || drawn[to] || !drawn_towards(board, d, &x, &y) ||
                    !is_free(board, drawn, board->x[site] + x, board->y[site] + y))
                    continue;
                board->x[to] = (int16_t)(board->x[site] + x);
                board->y[to] = (int16_t)(board->y[site] + y);
                drawn[to] = true;
                queue[tail++] = (uint16_t)to;
            }
        }
    }
}

/* ---- the boards ---- */

/* The names of the sites: at most FZ_MAX_SITES, of the number that is returned. A site of several
 * lines counts once. */
static size_t list_sites(const fzi_node *graph, const char **names)
{
    size_t count = 0;
    for (const fzi_node *row = graph->rows; row; row = row->next) {
        size_t at = row->flags & FZ_NODE_ON_LINE ? 0 : count;
        while (at < count && at < FZ_MAX_SITES && strcmp(names[at], row->name))
            at++;
        if (at < count && at < FZ_MAX_SITES)
            continue;
        if (count < FZ_MAX_SITES)
            names[count] = row->name;
        count++;
    }
    return count;
}

fzi_board *fzi_board_graph(fzi_board_maker *m, const fzi_node *graph)
{
    const char *names[FZ_MAX_SITES];
    size_t count = list_sites(graph, names);
    fzi_board *board = fzi_board_new(m, graph->span, FZ_SHAPE_GRAPH, (int64_t)count);
    if (!board || !rows_are_distinct(m, graph))
        return NULL;
    memcpy(board->site_names, names, count * sizeof *names);
    if (!add_dirs(m, board, graph) || !add_rows(m, board, NULL, graph))
        return NULL;
    set_masks(board);
    fzi_board_set_opposites(board);
    if (!draw_by_names(board))
        draw(board);
    fzi_board_place(board);
    return board;
}

static bool rows_are_sites(fzi_board_maker *m, const fzi_board *board, const fzi_node *graph)
{
    bool good = true;
    for (const fzi_node *row = graph->rows; row; row = row->next) {
        if (fzi_board_site(board, row->name) >= 0)
            continue;
        fzi_nearest nearest = {.wanted = row->name};
        fzi_diag *diag = fzi_error(m->diags, row->name_span, FZ_E_UNKNOWN_SITE, row->name);
        for (unsigned s = 0; s < board->site_count; s++)
            fzi_nearest_offer(&nearest, board->site_names[s]);
        fzi_hint_nearest(diag, &nearest);
        good = false;
    }
    return good;
}

fzi_board *fzi_board_add_edges(fzi_board_maker *m, const fzi_board *board, const fzi_node *graph)
{
    if (!rows_are_distinct(m, graph) || !rows_are_sites(m, board, graph))
        return NULL;
    fzi_board *result = fzi_board_copy(m, board);
    if (!add_dirs(m, result, graph) || !add_rows(m, result, board, graph))
        return NULL;
    for (unsigned d = board->dir_count; d < result->dir_count; d++)
        result->adjacent |= UINT32_C(1) << d;
    fzi_board_set_opposites(result);
    return result;
}
