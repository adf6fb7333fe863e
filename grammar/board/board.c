/* The common parts of making boards, and the checker's questions about a finished board. */
#include "board_builder.h"

_Static_assert((int)FZ_BOARD_WORDS == (int)FZ_MAX_WORDS, "sets at compile time hold every board");
_Static_assert(sizeof((fzi_board *)0)->opposite == FZ_MAX_DIRS, "one opposite for each direction");

/* ---- making ---- */

/* The arrays of a board and how many items each has. */
#define FOR_ARRAYS(board, count, X)                                                               \
    X(board, column, count) X(board, row, count) X(board, file, count) X(board, rank, count)      \
    X(board, layer, count) X(board, x, count) X(board, y, count) X(board, site_names, count)      \
    X(board, dir_names, FZ_MAX_DIRS) X(board, next, FZ_MAX_DIRS * (count))

fzi_board *fzi_board_new(fzi_board_maker *m, fzi_span span, int shape, int64_t sites)
{
    if (sites > FZ_MAX_SITES) {
        fzi_error(m->diags, span, FZ_E_TOO_MANY_SITES, FZ_MAX_SITES, (long long)sites);
        return NULL;
    }
    if (sites < 1) {
        fzi_error(m->diags, span, FZ_E_EMPTY_BOARD);
        return NULL;
    }
    fzi_board *board = FZI_NEW(m->arena, fzi_board);
    board->shape = shape;
    board->site_count = (unsigned)sites;
#define ALLOCATE(board, array, count)                                                             \
    (board)->array = fzi_arena_alloc(m->arena, (count) * sizeof *(board)->array);
    FOR_ARRAYS(board, (size_t)sites, ALLOCATE)
#undef ALLOCATE
    return board;
}

fzi_board *fzi_board_copy(fzi_board_maker *m, const fzi_board *board)
{
    fzi_board *copy = FZI_NEW(m->arena, fzi_board);
    *copy = *board;
#define COPY(board, array, count)                                                                 \
    copy->array = fzi_arena_copy(m->arena, (board)->array, (count) * sizeof *(board)->array);
    FOR_ARRAYS(board, (size_t)board->site_count, COPY)
#undef COPY
    return copy;
}

int fzi_board_add_dir(fzi_board_maker *m, fzi_board *board, fzi_span span, const char *name)
{
    int known = fzi_board_dir(board, name);
    if (known >= 0)
        return known;
    if (board->dir_count == FZ_MAX_DIRS) {
        fzi_error(m->diags, span, FZ_E_TOO_MANY_DIRECTIONS, FZ_MAX_DIRS);
        return -1;
    }
    unsigned dir = board->dir_count++;
    board->dir_names[dir] = name;
    for (unsigned site = 0; site < board->site_count; site++)
        *fzi_board_edge(board, dir, site) = FZ_NOT_THERE;
    return (int)dir;
}

uint64_t *fzi_board_new_sets(fzi_board_maker *m, unsigned count)
{
    return fzi_arena_alloc(m->arena, (size_t)count * FZ_BOARD_WORDS * sizeof(uint64_t));
}

void fzi_board_place(fzi_board *board)
{
    int16_t least_x = board->x[0], least_y = board->y[0];
    for (unsigned s = 1; s < board->site_count; s++) {
        least_x = board->x[s] < least_x ? board->x[s] : least_x;
        least_y = board->y[s] < least_y ? board->y[s] : least_y;
    }
    for (unsigned s = 0; s < board->site_count; s++) {
        board->x[s] = (int16_t)(board->x[s] - least_x);
        board->y[s] = (int16_t)(board->y[s] - least_y);
    }
}

/* ---- opposites ---- */

static const char *named_opposite(const char *name)
{
    static const char *const pairs[][2] = {{"n", "s"},   {"ne", "sw"},  {"e", "w"},
                                           {"se", "nw"}, {"cw", "ccw"}, {"inward", "outward"},
                                           {"nne", "ssw"}, {"ene", "wsw"}, {"ese", "wnw"},
                                           {"sse", "nnw"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int side = 0; side < 2; side++)
            if (!strcmp(name, pairs[i][side]))
                return pairs[i][!side];
    return NULL;
}

/* Does every edge of `dir` have one of `other` that leads back? */
static bool leads_back(const fzi_board *board, unsigned dir, unsigned other)
{
    bool any = false;
    for (unsigned site = 0; site < board->site_count; site++) {
        int to = *fzi_board_edge(board, dir, site);
        if (to >= 0 && *fzi_board_edge(board, other, (unsigned)to) != (int)site)
            return false;
        any = any || to >= 0;
    }
    return any;
}

void fzi_board_set_opposites(fzi_board *board)
{
    for (unsigned d = 0; d < board->dir_count; d++)
        board->opposite[d] = (uint8_t)board->dir_count;
    for (unsigned d = 0; d < board->dir_count; d++) {
        const char *name = named_opposite(board->dir_names[d]);
        int named = name ? fzi_board_dir(board, name) : -1;
        if (named >= 0)
            board->opposite[d] = (uint8_t)named;
        for (unsigned o = 0; !name && o < board->dir_count; o++)
            if (board->opposite[d] == board->dir_count && !named_opposite(board->dir_names[o])
                && leads_back(board, d, o) && leads_back(board, o, d))
                board->opposite[d] = (uint8_t)o;
    }
}

/* ---- what is asked of a board ---- */

bool fzi_board_is_none(const fzi_board *board)
{
    return board && board->shape == FZ_SHAPE_NONE;
}

const char *const fzi_sort_names[FZ_SORT_COUNT] = {
    [FZ_SORT_CELL] = "cells", [FZ_SORT_EDGE] = "edges", [FZ_SORT_VERTEX] = "vertices"};

static int find_name(const char *const *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return (int)i;
    return FZ_NOT_THERE;
}

int fzi_board_site(const fzi_board *board, const char *name)
{
    return find_name(board->site_names, board->site_count, name);
}

int fzi_board_dir(const fzi_board *board, const char *name)
{
    return find_name(board->dir_names, board->dir_count, name);
}

static bool copy_set(const uint64_t *set, uint64_t *out)
{
    if (set)
        memcpy(out, set, FZ_BOARD_WORDS * sizeof *out);
    return set != NULL;
}

static bool sites_in_line(const fzi_board *board, const int16_t *place, unsigned most, int64_t n,
                          uint64_t *out)
{
    if (n < 1 || n > most)
        return false;
    for (unsigned s = 0; s < board->site_count; s++)
        if (place[s] == n)
            fzi_board_set_bit(out, s);
    return true;
}

bool fzi_board_named_set(const fzi_board *board, const char *name, int64_t n, uint64_t *out)
{
    memset(out, 0, FZ_BOARD_WORDS * sizeof *out);
    if (!strcmp(name, "rank"))
        return sites_in_line(board, board->rank, board->rows, n, out);
    if (!strcmp(name, "file"))
        return sites_in_line(board, board->file, board->columns, n, out);
    if (!strcmp(name, "layer"))
        return sites_in_line(board, board->layer, board->layers, n, out);
    if (!strcmp(name, "side"))
        return n >= 1 && n <= board->sides
            && copy_set(board->side_sets + (n - 1) * FZ_BOARD_WORDS, out);
    if (!strcmp(name, "corners"))
        return copy_set(board->corners, out);
    if (!strcmp(name, "border"))
        return copy_set(board->border, out);
    if (!strcmp(name, "centre"))
        return copy_set(board->centre, out);
    for (int sort = 0; board->sorts && sort < FZ_SORT_COUNT; sort++)
        if (!strcmp(name, fzi_sort_names[sort])) {
            for (unsigned s = 0; s < board->site_count; s++)
                if (board->sorts[s] == sort)
                    fzi_board_set_bit(out, s);
            return true;
        }
    return false;
}

bool fzi_board_rank_seen(const fzi_board *board, int facing, int64_t n, uint64_t *out)
{
    const int8_t *ahead = board->vector[facing < 0 ? 0 : facing];
    bool along_rows = ahead[1] == 0 && ahead[0] != 0;
    int lines = (int)(along_rows ? board->columns : board->rows);
    bool backward = along_rows ? ahead[0] < 0 : ahead[1] < 0;
    return fzi_board_named_set(board, along_rows ? "file" : "rank",
                               backward ? lines + 1 - n : n, out);
}

/* ---- relative directions ---- */

/* Directions of a full turn, clockwise. The names of a board's directions show which ring it
 * has. */
const char *const fzi_compass[8] = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};
static const char *const hexagon[] = {"ne", "e", "se", "sw", "w", "nw"};
static const char *const upright_hexagon[] = {"n", "ne", "se", "s", "sw", "nw"};
static const char *const ring[] = {"outward", "cw", "inward", "ccw"};

typedef struct turn {
    const char *name;
    int eighths, sixths, quarters; /* clockwise; FZ_NO_TURN: there is no such direction */
} turn;

enum { FZ_NO_TURN = 99 };

static const turn turns[] = {
    {"forward", 0, 0, 0},
    {"forward_right", 1, 1, FZ_NO_TURN},
    {"right", 2, 2, 1},
    {"backward_right", 3, 2, FZ_NO_TURN},
    {"backward", 4, 3, 2},
    {"backward_left", 5, 4, FZ_NO_TURN},
    {"left", 6, 4, 3},
    {"forward_left", 7, 5, FZ_NO_TURN},
};

static int turned(const fzi_board *board, const char *const *names, int count, const char *facing,
                  int by)
{
    for (int i = 0; i < count && by != FZ_NO_TURN; i++)
        if (!strcmp(names[i], facing))
            return fzi_board_dir(board, names[(i + by) % count]);
    return FZ_NOT_THERE;
}

static bool in_names(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

bool fzi_board_upright(const fzi_board *board)
{
    return fzi_board_dir(board, "n") >= 0 || fzi_board_dir(board, "s") >= 0;
}

int fzi_board_relative(const fzi_board *board, const char *name, int facing)
{
    const turn *t = NULL;
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        if (!strcmp(turns[i].name, name))
            t = &turns[i];
    if (!t || facing < 0)
        return FZ_NOT_THERE;
    const char *front = board->dir_names[facing];
    bool slanted = fzi_board_dir(board, "ne") >= 0 || fzi_board_dir(board, "nw") >= 0
        || fzi_board_dir(board, "se") >= 0 || fzi_board_dir(board, "sw") >= 0;
    if (in_names(ring, 4, front) && fzi_board_dir(board, "outward") >= 0)
        return turned(board, ring, 4, front, t->quarters);
    if (board->shape == FZ_SHAPE_HEX_UPRIGHT && in_names(upright_hexagon, 6, front))
        return turned(board, upright_hexagon, 6, front, t->sixths);
    if (!fzi_board_upright(board) && slanted && in_names(hexagon, 6, front))
        return turned(board, hexagon, 6, front, t->sixths);
    if (in_names(fzi_compass, 8, front))
        return turned(board, fzi_compass, 8, front, t->eighths);
    if (t->eighths == 0)
        return facing;
    if (t->eighths == 4 && board->opposite[facing] < board->dir_count)
        return board->opposite[facing];
    return FZ_NOT_THERE;
}
