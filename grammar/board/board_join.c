/* Several boards as one: join puts boards side by side, layers puts copies of one upon each
 * other. */
#include "board_builder.h"

/* ---- the parts ---- */

typedef struct joined {
    const fzi_board *board;
    const char *prefix;      /* of the names of its sites; NULL: none */
    fzi_span span;
} joined;

/* The sites of a part have names that the sites before them don't; `first` is the first part. */
static bool names_are_distinct(fzi_board_maker *m, const fzi_board *board, const joined *part,
                               unsigned before, const joined *first)
{
    for (unsigned s = before; s < before + part->board->site_count; s++)
        for (unsigned o = 0; o < before; o++)
            if (!strcmp(board->site_names[o], board->site_names[s])) {
                fzi_diag *diag =
                    fzi_error(m->diags, part->span, FZ_E_JOINED_TWICE, board->site_names[s]);
                if (first + 1 == part)
                    fzi_note_at(diag, first->span, "the other part is here");
                return false;
            }
    return true;
}

/* Puts the drawing of a part to the right of the parts before it. */
static void draw_beside(fzi_board *board, unsigned before, unsigned count)
{
    int16_t right = -2;
    for (unsigned s = 0; s < before; s++)
        right = board->x[s] > right ? board->x[s] : right;
    for (unsigned s = before; s < before + count; s++)
        board->x[s] = (int16_t)(board->x[s] + right + (before ? 4 : 2));
}

static const uint64_t *united(fzi_board_maker *m, const uint64_t *one, unsigned ones,
                              const uint64_t *other, unsigned others)
{
    if (!one || !other)
        return one ? one : other;
    uint64_t *out = fzi_board_new_sets(m, ones > others ? ones : others);
    memcpy(out, one, ones * FZ_BOARD_WORDS * sizeof *out);
    for (unsigned i = 0; i < others * FZ_BOARD_WORDS; i++)
        out[i] |= other[i];
    return out;
}

/* The named sets of a layer go to those of the layers before it. */
static void add_layer(fzi_board_maker *m, fzi_board *board, const fzi_board *layer,
                      const int16_t *at)
{
    fzi_board sets = {0};
    unsigned more = layer->layers ? layer->layers : 1;
    fzi_board_carry_board(m, &sets, layer, at);
    board->columns = layer->columns > board->columns ? layer->columns : board->columns;
    board->rows = layer->rows > board->rows ? layer->rows : board->rows;
    board->corners = united(m, board->corners, 1, sets.corners, 1);
    board->border = united(m, board->border, 1, sets.border, 1);
    board->centre = united(m, board->centre, 1, sets.centre, 1);
    board->side_sets = united(m, board->side_sets, board->sides, sets.side_sets, sets.sides);
    board->sides = sets.sides > board->sides ? sets.sides : board->sides;
    for (unsigned s = 0; s < layer->site_count; s++) {
        int own = layer->layers ? layer->layer[s] : 1;
        board->layer[at[s]] = (int16_t)(own ? (int)board->layers + own : 0);
    }
    board->layers += more;
}

static void name_sites(fzi_board_maker *m, fzi_board *board, const joined *part, unsigned before)
{
    for (unsigned s = 0; part->prefix && s < part->board->site_count; s++)
        board->site_names[before + s] =
            fzi_intern_z(m->arena, fzi_arena_printf(m->arena, "%s%s", part->prefix,
                                                    part->board->site_names[s]));
}

static bool add_part(fzi_board_maker *m, fzi_board *board, const joined *parts, unsigned n,
                     unsigned before, bool layered)
{
    const joined *part = &parts[n];
    int16_t at[FZ_MAX_SITES];
    if (!fzi_board_carry_dirs(m, board, part->board, part->span))
        return false;
    for (unsigned s = 0; s < part->board->site_count; s++)
        at[s] = (int16_t)(before + s);
    fzi_board_carry_sites(m, board, part->board, at);
    name_sites(m, board, part, before);
    if (!names_are_distinct(m, board, part, before, parts))
        return false;
    draw_beside(board, before, part->board->site_count);
    if (!before)
        fzi_board_carry_board(m, board, part->board, at);
    if (layered && !before)
        board->layers = 0;
    if (layered && (!before || part->prefix)) {
        add_layer(m, board, part->board, at);
    } else if (before) {
        for (unsigned s = before; s < before + part->board->site_count; s++)
            board->file[s] = board->rank[s] = board->layer[s] = 0;
    }
    /* A lattice is one plane: leaps on layers are walked. */
    for (unsigned s = before; (before || layered) && s < before + part->board->site_count; s++)
        board->column[s] = board->row[s] = 0;
    return true;
}

/* Boards side by side. If one has a prefix, the first and those with one are layers. */
static fzi_board *side_by_side(fzi_board_maker *m, fzi_span span, const joined *parts,
                               unsigned count)
{
    int64_t sites = 0;
    bool layered = false;
    for (unsigned n = 0; n < count; n++) {
        sites += parts[n].board->site_count;
        layered = layered || parts[n].prefix;
    }
    fzi_board *board = fzi_board_new(m, span, parts[0].board->shape, sites);
    unsigned before = 0;
    for (unsigned n = 0; board && n < count; n++) {
        if (!add_part(m, board, parts, n, before, layered))
            return NULL;
        before += parts[n].board->site_count;
    }
    if (!board)
        return NULL;
    fzi_board_set_opposites(board);
    fzi_board_place(board);
    return board;
}

/* ---- the operators ---- */

fzi_board *fzi_board_join(fzi_board_maker *m, const fzi_node *call)
{
    unsigned count = (unsigned)fzi_list_length(call->arguments), n = 0;
    joined *parts = fzi_arena_alloc(m->arena, count * sizeof *parts);
    bool good = true;
    for (const fzi_node *node = call->arguments; node; node = node->next, n++) {
        bool prefixed = node->kind == N_PART;
        parts[n].span = node->span;
        parts[n].prefix = prefixed ? node->name : NULL;
        parts[n].board = fzi_board_expression(m, prefixed ? node->value : node);
        good = good && parts[n].board;
    }
    return good ? side_by_side(m, call->span, parts, count) : NULL;
}

/* Adds a direction that leads from each layer to the next (by 1) or the one before (by -1), and in
 * the plane as direction `dir` does (-1: not at all). */
static bool add_rise(fzi_board_maker *m, fzi_board *board, fzi_span span, const fzi_board *base,
                     int by, int dir)
{
    const char *way = by > 0 ? "up" : "down";
    const char *name = dir < 0 ? way
                               : fzi_arena_printf(m->arena, "%s_%s", way, base->dir_names[dir]);
    int rise = fzi_board_add_dir(m, board, span, fzi_intern_z(m->arena, name));
    unsigned sites = base->site_count, layers = board->layers;
    if (rise < 0)
        return false;
    for (unsigned s = 0; s < board->site_count; s++) {
        int layer = (int)(s / sites) + by, at = (int)(s % sites);
        int to = dir < 0 ? at : *fzi_board_edge(base, (unsigned)dir, (unsigned)at);
        if (layer >= 0 && layer < (int)layers && to >= 0)
            *fzi_board_edge(board, (unsigned)rise, s) = (int16_t)(layer * (int)sites + to);
    }
    uint32_t bit = UINT32_C(1) << rise;
    board->adjacent |= bit;
    board->orthogonal |= dir < 0 ? bit : 0;
    board->diagonal |= dir >= 0 && base->orthogonal >> dir & 1 ? bit : 0;
    return true;
}

/* "A", "B", ... "Z", "AA", ... */
static const char *layer_prefix(fzi_board_maker *m, unsigned n)
{
    const char *more = n >= 26 ? layer_prefix(m, n / 26 - 1) : "";
    return fzi_intern_z(m->arena, fzi_arena_printf(m->arena, "%s%c", more, 'A' + (int)(n % 26)));
}

fzi_board *fzi_board_layers(fzi_board_maker *m, const fzi_node *call)
{
    fzi_board *base = fzi_board_expression(m, call->arguments);
    int64_t count;
    if (!base || !fzi_board_number(m, call, call->arguments->next, "the number of layers", 1,
                                   &count))
        return NULL;
    joined *parts = fzi_arena_alloc(m->arena, (size_t)count * sizeof *parts);
    for (unsigned n = 0; n < (unsigned)count; n++)
        parts[n] = (joined){base, layer_prefix(m, n), call->span};
    fzi_board *board = side_by_side(m, call->span, parts, (unsigned)count);
    for (int by = 1; board && by >= -1; by -= 2)
        for (int dir = -1; dir < (int)base->dir_count; dir++)
            if (!add_rise(m, board, call->span, base, by, dir))
                return NULL;
    if (board)
        fzi_board_set_opposites(board);
    return board;
}
