/* The regular boards. Each one is a lattice, the steps from (column, row) to the neighbours, and a
 * predicate for the places of the lattice that are sites. Sites are numbered row by row; row 1 is
 * the lowest. */
#include "board_builder.h"

/* ---- lattices ---- */

typedef struct heading {
    const char *name;
    int8_t column, row;
} heading;

typedef struct lattice {
    unsigned dir_count;
    heading dirs[8]; /* clockwise */
    uint32_t orthogonal, diagonal;
    int lean;        /* half cells that a row is drawn further right than the one below */
    int rise;        /* half cells that a column is drawn higher than the one to its left */
} lattice;

static const lattice square_lattice = {
    8,
    {{"n", 0, 1}, {"ne", 1, 1}, {"e", 1, 0}, {"se", 1, -1},
     {"s", 0, -1}, {"sw", -1, -1}, {"w", -1, 0}, {"nw", -1, 1}},
    0x55, 0xaa, 0, 0};

/* Rows of hexagons run from west to east. Columns lean: to the left, so that the hexagon and the
 * star begin with a1; or to the right, so that the rhombus has the neighbours (c + 1, r - 1) and
 * (c - 1, r + 1) that its players know. */
static const lattice hex_left = {
    6,
    {{"ne", 1, 1}, {"e", 1, 0}, {"se", 0, -1}, {"sw", -1, -1}, {"w", -1, 0}, {"nw", 0, 1}},
    0x3f, 0, -1, 0};
static const lattice hex_right = {
    6,
    {{"ne", 0, 1}, {"e", 1, 0}, {"se", 1, -1}, {"sw", 0, -1}, {"w", -1, 0}, {"nw", -1, 1}},
    0x3f, 0, 1, 0};
/* Columns run from south to north, rows from north-west to south-east. */
static const lattice hex_upright = {
    6,
    {{"n", 0, 1}, {"ne", 1, 1}, {"se", 1, 0}, {"s", 0, -1}, {"sw", -1, -1}, {"nw", -1, 0}},
    0x3f, 0, 0, -1};

/* Rings are rows, the innermost the first, and spokes columns, clockwise. Towards the rim, right is
 * clockwise: so the directions are in clockwise order too. */
static const lattice circle_lattice = {
    4, {{"outward", 0, 1}, {"cw", 1, 0}, {"inward", 0, -1}, {"ccw", -1, 0}}, 0xf, 0, 0, 0};
static const lattice pit_lattice = {
    4, {{"n", 0, 1}, {"e", 1, 0}, {"s", 0, -1}, {"w", -1, 0}}, 0xf, 0, 0, 0};
static const lattice track_lattice = {2, {{"e", 1, 0}, {"w", -1, 0}}, 0x3, 0, 0, 0};

/* ---- laying out ---- */

/* A shape: which places inside columns x rows are sites. `side` means what the shape's rule
 * says. */
typedef struct layout {
    const lattice *lattice;
    int shape;
    int columns, rows;
    int side;
    bool (*inside)(const struct layout *layout, int column, int row);
    bool wraps_columns;
    /* Scripts count the rows of each column from its end: columns after this one begin a row higher
     * than the one before. 0: all begin in row 1. */
    int bend;
} layout;

static bool everywhere(const layout *l, int column, int row)
{
    (void)l, (void)column, (void)row;
    return true;
}

static bool is_site(const layout *l, int column, int row)
{
    return column >= 1 && row >= 1 && column <= l->columns && row <= l->rows
        && l->inside(l, column, row);
}

/* The row of the lattice for row `rank` of a column, as scripts count it. */
static int lattice_row(const layout *l, int column, int rank)
{
    return l->bend && column > l->bend ? rank + column - l->bend : rank;
}

static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz";
/* Letters of the columns of hexagonal boards with vertical columns. */
static const char without_j[] = "abcdefghiklmnopqrstuvwxyz";

/* a, b, ... z, aa, ab, ...: `text` has room for a few letters and a number. */
static char *column_letters(char *text, int column, const char *letters)
{
    int count = (int)strlen(letters);
    if (column > count)
        text = column_letters(text, (column - 1) / count, letters);
    *text++ = letters[(column - 1) % count];
    return text;
}

static const char *grid_name(fzi_board_maker *m, int column, int row, bool upright)
{
    char letters[8];
    *column_letters(letters, column, upright ? without_j : alphabet) = '\0';
    return fzi_intern_z(m->arena, fzi_arena_printf(m->arena, "%s%d", letters, row));
}

static bool add_dirs(fzi_board_maker *m, fzi_board *board, fzi_span span, const lattice *l)
{
    for (unsigned d = 0; d < l->dir_count; d++) {
        const heading *h = &l->dirs[d];
        if (fzi_board_add_dir(m, board, span, fzi_intern_z(m->arena, h->name)) < 0)
            return false;
        board->vector[d][0] = h->column;
        board->vector[d][1] = h->row;
    }
    board->orthogonal = l->orthogonal;
    board->diagonal = l->diagonal;
    board->adjacent = l->orthogonal | l->diagonal;
    return true;
}

/* Joins neighbours; `at` gives the site of each place, -1 for none. */
static void add_lattice_edges(fzi_board *board, const layout *l, const int16_t *at)
{
    for (unsigned d = 0; d < l->lattice->dir_count; d++)
        for (unsigned site = 0; site < board->site_count; site++) {
            int column = board->column[site] + l->lattice->dirs[d].column;
            int row = board->row[site] + l->lattice->dirs[d].row;
            if (l->wraps_columns)
                column = (column - 1 + l->columns) % l->columns + 1;
            if (is_site(l, column, row))
                *fzi_board_edge(board, d, site) = at[(row - 1) * l->columns + column - 1];
        }
}

static int64_t count_sites(const layout *l)
{
    int64_t count = 0;
    for (int row = 1; row <= l->rows; row++)
        for (int column = 1; column <= l->columns; column++)
            count += l->inside(l, column, row);
    return count;
}

static fzi_board *lay_out(fzi_board_maker *m, fzi_span span, const layout *l)
{
    fzi_board *board = fzi_board_new(m, span, l->shape, count_sites(l));
    if (!board || !add_dirs(m, board, span, l->lattice))
        return NULL;
    size_t places = (size_t)l->columns * (size_t)l->rows;
    int16_t *at = fzi_arena_alloc(m->arena, places * sizeof *at);
    unsigned site = 0;
    board->columns = (unsigned)l->columns;
    board->rows = (unsigned)l->rows;
    board->wraps = l->wraps_columns;
    for (size_t i = 0; i < places; i++)
        at[i] = -1;
    for (int rank = 1; rank <= l->rows; rank++)
        for (int column = 1; column <= l->columns; column++) {
            int row = lattice_row(l, column, rank);
            if (!is_site(l, column, row))
                continue;
            at[(row - 1) * l->columns + column - 1] = (int16_t)site;
            board->site_names[site] = grid_name(m, column, rank, l->bend);
            board->column[site] = board->file[site] = (int16_t)column;
            board->row[site] = (int16_t)row;
            board->rank[site] = (int16_t)rank;
            board->x[site] = (int16_t)(2 * (column - 1) + l->lattice->lean * (row - 1));
            board->y[site] = (int16_t)(2 * (row - 1) + l->lattice->rise * (column - 1));
            site++;
        }
    add_lattice_edges(board, l, at);
    fzi_board_set_opposites(board);
    fzi_board_place(board);
    return board;
}

/* ---- named sets ---- */

/* The sites that lack a neighbour in one of the directions. */
static uint64_t *sites_lacking(fzi_board_maker *m, const fzi_board *board, uint32_t dirs)
{
    uint64_t *out = fzi_board_new_sets(m, 1);
    for (unsigned site = 0; site < board->site_count; site++)
        for (unsigned d = 0; d < board->dir_count; d++)
            if (dirs >> d & 1 && *fzi_board_edge(board, d, site) < 0)
                fzi_board_set_bit(out, site);
    return out;
}

/* The sites drawn nearest to the middle: one, or several where the middle lies between them.
 * Rows of hexagons lie nearer together than columns: their distance is the root of 3 half cells,
 * not 2. */
static uint64_t *middle_sites(fzi_board_maker *m, const fzi_board *board, bool hexagons)
{
    uint64_t *out = fzi_board_new_sets(m, 1);
    int64_t n = board->site_count, sum_x = 0, sum_y = 0, best = -1;
    for (unsigned s = 0; s < board->site_count; s++) {
        sum_x += board->x[s];
        sum_y += board->y[s];
    }
    for (unsigned s = 0; s < board->site_count; s++) {
        int64_t x = n * board->x[s] - sum_x, y = n * board->y[s] - sum_y;
        int64_t distance = hexagons ? 4 * x * x + 3 * y * y : x * x + y * y;
        if (best >= 0 && distance > best)
            continue;
        if (best < 0 || distance < best)
            for (unsigned i = 0; i < FZ_BOARD_WORDS; i++)
                out[i] = 0;
        best = distance;
        fzi_board_set_bit(out, s);
    }
    return out;
}

typedef bool site_test(const layout *l, int n, int column, int row);

/* Sets of sites by a test of (n, column, row), for n from 1. */
static uint64_t *sites_by(fzi_board_maker *m, const fzi_board *board, const layout *l,
                          unsigned count, site_test *test)
{
    uint64_t *out = fzi_board_new_sets(m, count);
    for (unsigned n = 0; n < count; n++)
        for (unsigned s = 0; s < board->site_count; s++)
            if (test(l, (int)n + 1, board->column[s], board->row[s]))
                fzi_board_set_bit(out + n * FZ_BOARD_WORDS, s);
    return out;
}

/* Corners are where a side meets the next. */
static void add_sides(fzi_board_maker *m, fzi_board *board, const layout *l, unsigned count,
                      site_test *on_side, bool corners)
{
    uint64_t *sides = sites_by(m, board, l, count, on_side);
    board->sides = count;
    board->side_sets = sides;
    if (!corners)
        return;
    uint64_t *both = fzi_board_new_sets(m, 1);
    for (unsigned a = 0; a < count; a++) {
        unsigned b = (a + 1) % count;
        for (unsigned i = 0; i < FZ_BOARD_WORDS; i++)
            both[i] |= sides[a * FZ_BOARD_WORDS + i] & sides[b * FZ_BOARD_WORDS + i];
    }
    board->corners = both;
}

/* Lays out a shape with sides, border and centre. */
static fzi_board *with_sides(fzi_board_maker *m, const fzi_node *call, const layout *l,
                             unsigned sides, site_test *on_side, bool hexagons)
{
    fzi_board *board = lay_out(m, call->span, l);
    if (!board)
        return NULL;
    add_sides(m, board, l, sides, on_side, true);
    board->border = sites_lacking(m, board, board->orthogonal);
    board->centre = middle_sites(m, board, hexagons);
    return board;
}

/* South, east, north, west. */
static bool on_grid_side(const layout *l, int n, int column, int row)
{
    switch (n) {
    case 1: return row == 1;
    case 2: return column == l->columns;
    case 3: return row == l->rows;
    default: return column == 1;
    }
}

/* ---- sizes ---- */

static bool one_size(fzi_board_maker *m, const fzi_node *call, const char *what, int64_t least,
                     int *size)
{
    int64_t value;
    if (!fzi_board_number(m, call, call->arguments, what, least, &value))
        return false;
    *size = (int)value;
    return true;
}

/* A width and a height; the height is the width when it is not said. */
static bool two_sizes(fzi_board_maker *m, const fzi_node *call, const char *first,
                      const char *second, int *one, int *two)
{
    if (!one_size(m, call, first, 1, one))
        return false;
    *two = *one;
    if (!call->arguments->next)
        return true;
    int64_t value;
    if (!fzi_board_number(m, call, call->arguments->next, second, 1, &value))
        return false;
    *two = (int)value;
    return true;
}

/* ---- the shapes ---- */

static fzi_board *grid(fzi_board_maker *m, const fzi_node *call, const lattice *kind, int shape)
{
    layout l = {.lattice = kind, .shape = shape, .inside = everywhere};
    if (!two_sizes(m, call, "the width", "the height", &l.columns, &l.rows))
        return NULL;
    return with_sides(m, call, &l, 4, on_grid_side, kind->lean != 0);
}

fzi_board *fzi_board_square(fzi_board_maker *m, const fzi_node *call)
{
    return grid(m, call, &square_lattice, FZ_SHAPE_SQUARE);
}

fzi_board *fzi_board_hex_rhombus(fzi_board_maker *m, const fzi_node *call)
{
    return grid(m, call, &hex_right, FZ_SHAPE_HEX_RHOMBUS);
}

/* The hexagon of a side has 2 side - 1 rows and columns; column - row says how far east a column
 * lies, and is less than the side on the board. */
static bool in_hexagon(const layout *l, int column, int row)
{
    int lean = column - row;
    return lean < l->side && -lean < l->side;
}

/* From south round to the east: s, se, ne, n, nw, sw. */
static bool on_hexagon_side(const layout *l, int n, int column, int row)
{
    switch (n) {
    case 1: return row == 1;
    case 2: return column - row == l->side - 1;
    case 3: return column == l->columns;
    case 4: return row == l->rows;
    case 5: return row - column == l->side - 1;
    default: return column == 1;
    }
}

fzi_board *fzi_board_hex(fzi_board_maker *m, const fzi_node *call)
{
    layout l = {.lattice = &hex_left, .shape = FZ_SHAPE_HEX, .inside = in_hexagon};
    if (!one_size(m, call, "the side", 1, &l.side))
        return NULL;
    l.columns = l.rows = 2 * l.side - 1;
    return with_sides(m, call, &l, 6, on_hexagon_side, true);
}

/* From south-east round to the south-west: se, e, ne, nw, w, sw. */
static bool on_upright_side(const layout *l, int n, int column, int row)
{
    switch (n) {
    case 1: return column - row == l->side - 1;
    case 2: return column == l->columns;
    case 3: return row == l->rows;
    case 4: return row - column == l->side - 1;
    case 5: return column == 1;
    default: return row == 1;
    }
}

fzi_board *fzi_board_hex_upright(fzi_board_maker *m, const fzi_node *call)
{
    layout l = {.lattice = &hex_upright, .shape = FZ_SHAPE_HEX_UPRIGHT, .inside = in_hexagon};
    if (!one_size(m, call, "the side", 1, &l.side))
        return NULL;
    l.columns = l.rows = 2 * l.side - 1;
    l.bend = l.side;
    return with_sides(m, call, &l, 6, on_upright_side, true);
}

/* Seen from the centre of a star, a place is `u` columns, `v` rows and `u - v` east of it:
 * inside the hexagon all three are below the side, and beyond one of its sides the point is a
 * triangle. */
static bool in_star(const layout *l, int column, int row)
{
    int reach = l->side - 1, centre = 2 * l->side - 1;
    int u = column - centre, v = row - centre, w = v - u;
    bool up = u <= reach && -v <= reach && w <= reach;  /* a large triangle */
    bool down = -u <= reach && v <= reach && -w <= reach; /* the other */
    return up || down;
}

/* The points of a star, without the side of the hexagon they stand on: s, se, ne, n, nw, sw. */
static bool in_point(const layout *l, int n, int column, int row)
{
    int reach = l->side - 1, centre = 2 * l->side - 1;
    int u = column - centre, v = row - centre, w = v - u;
    switch (n) {
    case 1: return -v > reach;
    case 2: return -w > reach;
    case 3: return u > reach;
    case 4: return v > reach;
    case 5: return w > reach;
    default: return -u > reach;
    }
}

static bool is_tip(const layout *l, int n, int column, int row)
{
    (void)n;
    int most = 2 * (l->side - 1), centre = 2 * l->side - 1;
    int u = column - centre, v = row - centre, w = v - u;
    return u == most || -u == most || v == most || -v == most || w == most || -w == most;
}

fzi_board *fzi_board_hex_star(fzi_board_maker *m, const fzi_node *call)
{
    layout l = {.lattice = &hex_left, .shape = FZ_SHAPE_HEX_STAR, .inside = in_star};
    if (!one_size(m, call, "the side", 2, &l.side))
        return NULL;
    l.columns = l.rows = 4 * l.side - 3;
    fzi_board *board = with_sides(m, call, &l, 6, in_point, true);
    if (board)
        board->corners = sites_by(m, board, &l, 1, is_tip);
    return board;
}

static bool in_triangle(const layout *l, int column, int row)
{
    return column + row <= l->side + 1;
}

/* South, east, west. */
static bool on_triangle_side(const layout *l, int n, int column, int row)
{
    return n == 1 ? row == 1 : n == 2 ? column + row == l->side + 1 : column == 1;
}

fzi_board *fzi_board_triangle(fzi_board_maker *m, const fzi_node *call)
{
    layout l = {.lattice = &hex_right, .shape = FZ_SHAPE_TRIANGLE, .inside = in_triangle};
    if (!one_size(m, call, "the side", 1, &l.side))
        return NULL;
    l.columns = l.rows = l.side;
    return with_sides(m, call, &l, 3, on_triangle_side, true);
}

/* The sine of an angle between -pi and pi, by its series: good enough to draw with. */
static double sine(double angle)
{
    double term = angle, sum = angle;
    for (int i = 1; i < 12; i++) {
        term *= -angle * angle / ((2 * i) * (2 * i + 1));
        sum += term;
    }
    return sum;
}

static int16_t rounded(double value)
{
    return (int16_t)(value < 0 ? value - 0.5 : value + 0.5);
}

/* Spoke 1 points north; the innermost ring is wide enough for its sites. */
static void draw_round(fzi_board *board)
{
    const double pi = 3.14159265358979323846;
    double spokes = board->columns;
    double inner = spokes / pi < 2 ? 2 : spokes / pi;
    for (unsigned s = 0; s < board->site_count; s++) {
        double radius = inner + 2 * (board->row[s] - 1);
        double angle = 2 * pi * (board->column[s] - 1) / spokes;
        double east = angle > pi ? angle - 2 * pi : angle;
        double north = pi / 2 - (angle > pi ? 2 * pi - angle : angle);
        board->x[s] = rounded(radius * sine(east));
        board->y[s] = rounded(radius * sine(north));
    }
    fzi_board_place(board);
}

static bool in_ring(const layout *l, int n, int column, int row)
{
    (void)column;
    return row == (n == 1 ? 1 : l->rows);
}

fzi_board *fzi_board_circle(fzi_board_maker *m, const fzi_node *call)
{
    layout l = {.lattice = &circle_lattice, .shape = FZ_SHAPE_CIRCLE, .inside = everywhere,
                .wraps_columns = true};
    int64_t spokes;
    if (!one_size(m, call, "the number of rings", 1, &l.rows)
        || !fzi_board_number(m, call, call->arguments->next, "the number of spokes", 3, &spokes))
        return NULL;
    l.columns = (int)spokes;
    fzi_board *board = lay_out(m, call->span, &l);
    if (!board)
        return NULL;
    for (unsigned s = 0; s < board->site_count; s++)
        board->site_names[s] = grid_name(m, board->row[s], board->column[s], false);
    uint64_t *rings = sites_by(m, board, &l, 2, in_ring);
    board->centre = rings;
    board->border = rings + FZ_BOARD_WORDS;
    draw_round(board);
    return board;
}

/* Rows `low` and `high` as one circuit: east along the lower, west along the upper. */
static void add_circuit(fzi_board *board, unsigned ccw, unsigned cw, unsigned low, unsigned high)
{
    unsigned columns = board->columns;
    unsigned length = 2 * columns;
    for (unsigned i = 0; i < length; i++) {
        unsigned next = (i + 1) % length;
        unsigned from = i < columns ? low * columns + i : high * columns + length - 1 - i;
        unsigned to = next < columns ? low * columns + next : high * columns + length - 1 - next;
        *fzi_board_edge(board, ccw, from) = (int16_t)to;
        *fzi_board_edge(board, cw, to) = (int16_t)from;
    }
}

/* A player's half of the rows, the first player's the lower. */
static bool in_half(const layout *l, int n, int column, int row)
{
    (void)column;
    return (row > l->rows / 2) == (n == 2);
}

fzi_board *fzi_board_pits(fzi_board_maker *m, const fzi_node *call)
{
    layout l = {.lattice = &pit_lattice, .shape = FZ_SHAPE_PITS, .inside = everywhere};
    if (!two_sizes(m, call, "the number of rows", "the number of columns", &l.rows, &l.columns))
        return NULL;
    fzi_board *board = lay_out(m, call->span, &l);
    if (!board)
        return NULL;
    if (l.rows == 2 || l.rows == 4) {
        int ccw = fzi_board_add_dir(m, board, call->span, fzi_intern_z(m->arena, "ccw"));
        int cw = fzi_board_add_dir(m, board, call->span, fzi_intern_z(m->arena, "cw"));
        if (ccw < 0 || cw < 0)
            return NULL;
        for (unsigned row = 0; row < (unsigned)l.rows; row += 2)
            add_circuit(board, (unsigned)ccw, (unsigned)cw, row, row + 1);
        fzi_board_set_opposites(board);
    }
    if (l.rows % 2 == 0)
        add_sides(m, board, &l, 2, in_half, false);
    return board;
}

fzi_board *fzi_board_track(fzi_board_maker *m, const fzi_node *call)
{
    layout l = {.lattice = &track_lattice, .shape = FZ_SHAPE_TRACK, .rows = 1,
                .inside = everywhere};
    if (!one_size(m, call, "the length", 1, &l.columns))
        return NULL;
    fzi_board *board = lay_out(m, call->span, &l);
    if (!board)
        return NULL;
    for (unsigned s = 0; s < board->site_count; s++)
        board->site_names[s] =
            fzi_intern_z(m->arena, fzi_arena_printf(m->arena, "t%d", board->column[s]));
    return board;
}
