/* mesh: a board with a site for each cell of another board, for each edge and for each vertex. A
 * step goes half as far as on that board: from a cell to one of its edges, and from there to the
 * next cell. Of a graph, the sites are the vertices. */
#include <stdlib.h>

#include "board_builder.h"

/* ---- geometry ---- */

/* Steps in a direction, in units of a drawing. Each direction leads from cells to sites of one
 * sort, and from these on to cells (`across`). Some also lead along edges, from end to end. */
typedef struct heading {
    const char *name;
    uint8_t sort;       /* the sort of site that lies there from a cell */
    int8_t across[2];
    int8_t along[2];    /* 0, 0: it does not */
} heading;

typedef struct grid {
    int scale;          /* units for half a cell of the board's drawing */
    unsigned heading_count;
    heading headings[12]; /* clockwise */
} grid;

enum { EDGE = FZ_SORT_EDGE, VERTEX = FZ_SORT_VERTEX };

static const grid squares = {
    1, 8,
    {{"n", EDGE, {0, 1}, {0, 1}}, {"ne", VERTEX, {1, 1}, {0, 0}},
     {"e", EDGE, {1, 0}, {1, 0}}, {"se", VERTEX, {1, -1}, {0, 0}},
     {"s", EDGE, {0, -1}, {0, -1}}, {"sw", VERTEX, {-1, -1}, {0, 0}},
     {"w", EDGE, {-1, 0}, {-1, 0}}, {"nw", VERTEX, {-1, 1}, {0, 0}}}};

/* Hexagons with vertices to the north and south. */
static const grid hexagons = {
    2, 12,
    {{"n", VERTEX, {0, 3}, {0, 1}}, {"ne", EDGE, {1, 2}, {0, 0}},
     {"ene", VERTEX, {2, 1}, {1, 1}}, {"e", EDGE, {2, 0}, {0, 0}},
     {"ese", VERTEX, {2, -1}, {1, -1}}, {"se", EDGE, {1, -2}, {0, 0}},
     {"s", VERTEX, {0, -3}, {0, -1}}, {"sw", EDGE, {-1, -2}, {0, 0}},
     {"wsw", VERTEX, {-2, -1}, {-1, -1}}, {"w", EDGE, {-2, 0}, {0, 0}},
     {"wnw", VERTEX, {-2, 1}, {-1, 1}}, {"nw", EDGE, {-1, 2}, {0, 0}}}};

/* With vertices to the east and west. */
static const grid upright_hexagons = {
    2, 12,
    {{"n", EDGE, {0, 2}, {0, 0}}, {"nne", VERTEX, {1, 2}, {1, 1}},
     {"ne", EDGE, {2, 1}, {0, 0}}, {"e", VERTEX, {3, 0}, {1, 0}},
     {"se", EDGE, {2, -1}, {0, 0}}, {"sse", VERTEX, {1, -2}, {1, -1}},
     {"s", EDGE, {0, -2}, {0, 0}}, {"ssw", VERTEX, {-1, -2}, {-1, -1}},
     {"sw", EDGE, {-2, -1}, {0, 0}}, {"w", VERTEX, {-3, 0}, {-1, 0}},
     {"nw", EDGE, {-2, 1}, {0, 0}}, {"nnw", VERTEX, {-1, 2}, {-1, 1}}}};

static const grid *grid_of(const fzi_board *board)
{
    switch (board->shape) {
    case FZ_SHAPE_SQUARE: return &squares;
    case FZ_SHAPE_HEX: case FZ_SHAPE_HEX_RHOMBUS: case FZ_SHAPE_HEX_STAR: case FZ_SHAPE_TRIANGLE:
        return &hexagons;
    case FZ_SHAPE_HEX_UPRIGHT: return &upright_hexagons;
    default: return NULL;
    }
}

/* ---- places ---- */

typedef struct place {
    int16_t x, y;
    uint8_t sort;
    int16_t cell;       /* the cell that names it; a cell: itself */
    uint8_t heading;    /* from that cell */
} place;

typedef struct places {
    place *items;
    unsigned count;
} places;

static int find_place(const places *p, int x, int y)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->items[i].x == x && p->items[i].y == y)
            return (int)i;
    return FZ_NOT_THERE;
}

static void find_places(const fzi_board *cells, const grid *g, places *p)
{
    for (unsigned c = 0; c < cells->site_count; c++)
        p->items[p->count++] = (place){(int16_t)(cells->x[c] * g->scale),
                                       (int16_t)(cells->y[c] * g->scale), FZ_SORT_CELL,
                                       (int16_t)c, 0};
    for (unsigned c = 0; c < cells->site_count; c++)
        for (unsigned h = 0; h < g->heading_count; h++) {
            const heading *to = &g->headings[h];
            int x = p->items[c].x + to->across[0], y = p->items[c].y + to->across[1];
            if (find_place(p, x, y) < 0)
                p->items[p->count++] =
                    (place){(int16_t)x, (int16_t)y, to->sort, (int16_t)c, (uint8_t)h};
        }
}

static int compare_places(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return p->y != q->y ? (p->y > q->y) - (p->y < q->y) : (p->x > q->x) - (p->x < q->x);
}

/* Row by row, as the sites of all boards. */
static void sort_places(places *p)
{
    qsort(p->items, p->count, sizeof *p->items, compare_places);
}

/* The place to which a direction leads; -1: none. */
static int step(const places *p, unsigned from, const heading *h)
{
    const place *at = &p->items[from];
    int to = find_place(p, at->x + h->across[0], at->y + h->across[1]);
    if (to >= 0 && (at->sort == FZ_SORT_CELL ? p->items[to].sort == h->sort
                                             : at->sort == h->sort &&
                                                   p->items[to].sort == FZ_SORT_CELL))
        return to;
    to = h->along[0] || h->along[1] ? find_place(p, at->x + h->along[0], at->y + h->along[1])
                                    : FZ_NOT_THERE;
    bool ends = to >= 0 && at->sort != FZ_SORT_CELL && p->items[to].sort != FZ_SORT_CELL
        && at->sort != p->items[to].sort;
    return ends ? to : FZ_NOT_THERE;
}

/* ---- meshes of cells ---- */

/* Are the board's neighbours also neighbours in its drawing? Not on wrapped boards and boards with
 * other edges. */
static bool is_plane(const fzi_board *cells, const grid *g)
{
    places p = {NULL, 0};
    place items[FZ_MAX_SITES];
    p.items = items;
    for (unsigned c = 0; c < cells->site_count; c++)
        p.items[p.count++] = (place){(int16_t)(cells->x[c] * g->scale),
                                     (int16_t)(cells->y[c] * g->scale), FZ_SORT_CELL, 0, 0};
    for (unsigned d = 0; d < cells->dir_count; d++) {
        const heading *h = NULL;
        for (unsigned i = 0; i < g->heading_count; i++)
            if (!strcmp(g->headings[i].name, cells->dir_names[d]))
                h = &g->headings[i];
        for (unsigned c = 0; c < cells->site_count; c++) {
            int to = h ? find_place(&p, items[c].x + 2 * h->across[0],
                                    items[c].y + 2 * h->across[1])
                       : FZ_NOT_THERE;
            if (*fzi_board_edge(cells, d, c) != to)
                return false;
        }
    }
    return true;
}

static bool add_headings(fzi_board_maker *m, fzi_board *board, fzi_span span, const grid *g)
{
    for (unsigned h = 0; h < g->heading_count; h++) {
        int dir = fzi_board_add_dir(m, board, span, fzi_intern_z(m->arena, g->headings[h].name));
        if (dir < 0)
            return false;
        if (g->headings[h].sort == FZ_SORT_EDGE)
            board->orthogonal |= UINT32_C(1) << dir;
        else
            board->diagonal |= UINT32_C(1) << dir;
    }
    board->adjacent = board->orthogonal | board->diagonal;
    return true;
}

static void fill_site(fzi_board_maker *m, fzi_board *board, unsigned site, const fzi_board *cells,
                      const grid *g, const places *p)
{
    const place *at = &p->items[site];
    bool cell = at->sort == FZ_SORT_CELL;
    const char *name = cells->site_names[at->cell];
    if (!cell)
        name = fzi_intern_z(m->arena, fzi_arena_printf(m->arena, "%s%s", name,
                                                       g->headings[at->heading].name));
    board->site_names[site] = name;
    board->sorts[site] = at->sort;
    board->x[site] = at->x;
    board->y[site] = at->y;
    board->file[site] = cell ? cells->file[at->cell] : 0;
    board->rank[site] = cell ? cells->rank[at->cell] : 0;
    board->layer[site] = cells->layer[at->cell];
    for (unsigned h = 0; h < g->heading_count; h++)
        *fzi_board_edge(board, h, site) = (int16_t)step(p, site, &g->headings[h]);
}

static unsigned neighbours_of_sort(const fzi_board *board, unsigned site, int sort)
{
    unsigned count = 0;
    for (unsigned d = 0; d < board->dir_count; d++) {
        int to = *fzi_board_edge(board, d, site);
        count += to >= 0 && board->sorts[to] == sort;
    }
    return count;
}

/* Edges of one cell, and their ends, belong to the border, besides the cells that did. */
static void add_border(fzi_board_maker *m, fzi_board *board)
{
    uint64_t *border = fzi_board_new_sets(m, 1);
    if (board->border)
        memcpy(border, board->border, FZ_BOARD_WORDS * sizeof *border);
    for (unsigned s = 0; s < board->site_count; s++) {
        if (board->sorts[s] != FZ_SORT_EDGE || neighbours_of_sort(board, s, FZ_SORT_CELL) > 1)
            continue;
        fzi_board_set_bit(border, s);
        for (unsigned d = 0; d < board->dir_count; d++) {
            int to = *fzi_board_edge(board, d, s);
            if (to >= 0 && board->sorts[to] == FZ_SORT_VERTEX)
                fzi_board_set_bit(border, (unsigned)to);
        }
    }
    board->border = border;
}

static fzi_board *refuse(fzi_board_maker *m, const fzi_node *call, const char *why)
{
    fzi_error(m->diags, call->arguments->span, FZ_E_CANNOT_MESH, why);
    return NULL;
}

static bool too_many(fzi_board_maker *m, const fzi_node *call, unsigned count)
{
    if (count <= FZ_MAX_SITES)
        return false;
    fzi_diag *diag =
        fzi_error(m->diags, call->span, FZ_E_TOO_MANY_SITES, FZ_MAX_SITES, (long long)count);
    fzi_hint_add(diag, "a mesh has a site for each cell, each edge and each vertex");
    return true;
}

static fzi_board *mesh_of_cells(fzi_board_maker *m, const fzi_node *call, const fzi_board *cells)
{
    const grid *g = grid_of(cells);
    if (!g || cells->sorts)
        return refuse(m, call, "only of square, hexagonal and triangle boards, and of graphs");
    if (!is_plane(cells, g))
        return refuse(m, call, "some of its neighbours do not lie side by side");
    int16_t at[FZ_MAX_SITES];
    places p = {NULL, 0};
    p.items = fzi_arena_alloc(m->arena,
                              (size_t)cells->site_count * (1 + g->heading_count) * sizeof *p.items);
    find_places(cells, g, &p);
    if (too_many(m, call, p.count))
        return NULL;
    fzi_board *board = fzi_board_new(m, call->span, cells->shape, p.count);
    if (!board || !add_headings(m, board, call->span, g))
        return NULL;
    sort_places(&p);
    board->sorts = fzi_arena_alloc(m->arena, p.count);
    for (unsigned s = 0; s < p.count; s++) {
        if (p.items[s].sort == FZ_SORT_CELL)
            at[p.items[s].cell] = (int16_t)s;
        fill_site(m, board, s, cells, g, &p);
    }
    fzi_board_carry_board(m, board, cells, at);
    for (unsigned h = 0; h < g->heading_count; h++) {
        int dir = fzi_board_dir(cells, g->headings[h].name);
        board->vector[h][0] = dir < 0 ? 0 : cells->vector[dir][0];
        board->vector[h][1] = dir < 0 ? 0 : cells->vector[dir][1];
    }
    add_border(m, board);
    fzi_board_set_opposites(board);
    fzi_board_place(board);
    return board;
}

/* ---- meshes of graphs ---- */

static int direction_between(const fzi_board *graph, unsigned from, unsigned to)
{
    for (unsigned d = 0; d < graph->dir_count; d++)
        if (*fzi_board_edge(graph, d, from) == (int)to)
            return (int)d;
    return FZ_NOT_THERE;
}

/* An edge between two vertices, and steps from one over it to the other. */
static void add_graph_edge(fzi_board_maker *m, fzi_board *board, const fzi_board *graph,
                           unsigned a, unsigned b, unsigned edge)
{
    board->site_names[edge] =
        fzi_intern_z(m->arena, fzi_arena_printf(m->arena, "%s_%s", graph->site_names[a],
                                                graph->site_names[b]));
    board->sorts[edge] = FZ_SORT_EDGE;
    board->x[edge] = (int16_t)(graph->x[a] + graph->x[b]);
    board->y[edge] = (int16_t)(graph->y[a] + graph->y[b]);
    for (unsigned d = 0; d < graph->dir_count; d++) {
        if (*fzi_board_edge(graph, d, a) == (int)b) {
            *fzi_board_edge(board, d, a) = (int16_t)edge;
            *fzi_board_edge(board, d, edge) = (int16_t)b;
        }
        if (*fzi_board_edge(graph, d, b) == (int)a) {
            *fzi_board_edge(board, d, b) = (int16_t)edge;
            *fzi_board_edge(board, d, edge) = (int16_t)a;
        }
    }
}

static bool joined(const fzi_board *graph, unsigned a, unsigned b)
{
    return direction_between(graph, a, b) >= 0 || direction_between(graph, b, a) >= 0;
}

/* Would a direction lead from an edge to both of its ends? */
static bool is_ambiguous(const fzi_board *graph)
{
    for (unsigned d = 0; d < graph->dir_count; d++)
        for (unsigned a = 0; a < graph->site_count; a++) {
            int b = *fzi_board_edge(graph, d, a);
            if (b >= 0 && *fzi_board_edge(graph, d, (unsigned)b) == (int)a)
                return true;
        }
    return false;
}

/* The name of an edge may be that of a vertex. NULL: all names differ. */
static const char *name_twice(const fzi_board *board)
{
    for (unsigned s = 0; s < board->site_count; s++)
        for (unsigned t = 0; t < s; t++)
            if (!strcmp(board->site_names[s], board->site_names[t]))
                return board->site_names[s];
    return NULL;
}

static fzi_board *mesh_of_graph(fzi_board_maker *m, const fzi_node *call, const fzi_board *graph)
{
    int16_t at[FZ_MAX_SITES];
    unsigned count = graph->site_count, edge = count;
    if (graph->sorts)
        return refuse(m, call, "it is one already");
    if (is_ambiguous(graph))
        return refuse(m, call, "one direction leads from a site to another and back");
    for (unsigned a = 0; a < graph->site_count; a++)
        for (unsigned b = a + 1; b < graph->site_count; b++)
            count += joined(graph, a, b);
    if (too_many(m, call, count))
        return NULL;
    fzi_board *board = fzi_board_new(m, call->span, FZ_SHAPE_GRAPH, count);
    if (!board || !fzi_board_carry_dirs(m, board, graph, call->span))
        return NULL;
    board->sorts = fzi_arena_alloc(m->arena, count);
    for (unsigned s = 0; s < graph->site_count; s++)
        at[s] = (int16_t)s;
    fzi_board_carry_board(m, board, graph, at);
    for (unsigned a = 0; a < graph->site_count; a++) {
        board->site_names[a] = graph->site_names[a];
        board->sorts[a] = FZ_SORT_VERTEX;
        board->layer[a] = graph->layer[a];
        board->x[a] = (int16_t)(2 * graph->x[a]);
        board->y[a] = (int16_t)(2 * graph->y[a]);
        for (unsigned b = a + 1; b < graph->site_count; b++)
            if (joined(graph, a, b))
                add_graph_edge(m, board, graph, a, b, edge++);
    }
    const char *twice = name_twice(board);
    if (twice)
        return refuse(m, call, fzi_arena_printf(m->arena, "two of its sites would be '%s'", twice));
    fzi_board_set_opposites(board);
    fzi_board_place(board);
    return board;
}

fzi_board *fzi_board_mesh(fzi_board_maker *m, const fzi_node *call)
{
    fzi_board *board = fzi_board_expression(m, call->arguments);
    if (!board)
        return NULL;
    return board->shape == FZ_SHAPE_GRAPH ? mesh_of_graph(m, call, board)
                                          : mesh_of_cells(m, call, board);
}
