/* Boards made of a board: without, with_edges, wrap. Also the sets of sites that `without`
 * removes. */
#include "board_builder.h"

/* ---- sets of sites ---- */

static bool not_sites(fzi_board_maker *m, const fzi_node *node)
{
    fzi_error(m->diags, node->span, FZ_E_NOT_SITES);
    return false;
}

static bool named_set(fzi_board_maker *m, const fzi_board *board, const fzi_node *node, int64_t n,
                      const char *shown, uint64_t *out)
{
    if (fzi_board_named_set(board, node->name, n, out))
        return true;
    fzi_error(m->diags, node->span, FZ_E_NO_SUCH_SET, shown);
    return false;
}

static bool set_of_name(fzi_board_maker *m, const fzi_board *board, const fzi_node *node,
                        uint64_t *out)
{
    static const char *const sets[] = {"corners", "border", "centre"};
    fzi_nearest nearest = {.wanted = node->name};
    int site = fzi_board_site(board, node->name);
    if (site >= 0) {
        fzi_board_set_bit(out, (unsigned)site);
        return true;
    }
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (!strcmp(node->name, sets[i]))
            return named_set(m, board, node, 0, node->name, out);
        fzi_nearest_offer(&nearest, sets[i]);
    }
    for (int sort = 0; board->sorts && sort < FZ_SORT_COUNT; sort++) {
        if (!strcmp(node->name, fzi_sort_names[sort]))
            return named_set(m, board, node, 0, node->name, out);
        fzi_nearest_offer(&nearest, fzi_sort_names[sort]);
    }
    fzi_diag *diag = fzi_error(m->diags, node->name_span, FZ_E_UNKNOWN_SITE, node->name);
    for (unsigned s = 0; s < board->site_count; s++)
        fzi_nearest_offer(&nearest, board->site_names[s]);
    if (nearest.best)
        fzi_hint_nearest(diag, &nearest);
    else
        fzi_hint_sites(diag, board, node->name);
    return false;
}

/* A set of sites: site names, named sets and set algebra. False after reporting an error. */
static bool set_of_sites(fzi_board_maker *m, const fzi_board *board, const fzi_node *node,
                         uint64_t *out);

static bool set_of_dirs(fzi_board_maker *m, const fzi_board *board, const fzi_node *node,
                        uint32_t *out)
{
    node = fzi_board_chosen(m, node);
    if (node->kind == N_E_BINARY && node->op == FZ_T_UNITE)
        return set_of_dirs(m, board, node->left, out) && set_of_dirs(m, board, node->right, out);
    if (node->kind != N_E_NAME)
        return node->kind != N_E_ERROR && not_sites(m, node);
    int dir = fzi_board_dir(board, node->name);
    if (dir >= 0)
        *out |= UINT32_C(1) << dir;
    else if (!strcmp(node->name, "orthogonal"))
        *out |= board->orthogonal;
    else if (!strcmp(node->name, "diagonal"))
        *out |= board->diagonal;
    else if (!strcmp(node->name, "adjacent"))
        *out |= board->adjacent;
    else
        return not_sites(m, node);
    return true;
}

/* step(S, D): the sites that one step in a direction of D leads to. */
static bool set_of_steps(fzi_board_maker *m, const fzi_board *board, const fzi_node *arguments,
                         uint64_t *out)
{
    uint64_t from[FZ_BOARD_WORDS];
    uint32_t dirs = 0;
    if (!set_of_sites(m, board, arguments, from) ||
        !set_of_dirs(m, board, arguments->next, &dirs))
        return false;
    for (unsigned d = 0; d < board->dir_count; d++)
        for (unsigned s = 0; s < board->site_count; s++) {
            int next = board->next[d * board->site_count + s];
            if (dirs >> d & 1 && fzi_board_bit(from, s) && next >= 0)
                fzi_board_set_bit(out, (unsigned)next);
        }
    return true;
}

static bool set_of_call(fzi_board_maker *m, const fzi_board *board, const fzi_node *node,
                        uint64_t *out)
{
    int64_t n;
    if (!strcmp(node->name, "step") && fzi_list_length(node->arguments) == 2)
        return set_of_steps(m, board, node->arguments, out);
    bool known = !strcmp(node->name, "rank") || !strcmp(node->name, "file")
        || !strcmp(node->name, "side") || !strcmp(node->name, "layer");
    if (!known || fzi_list_length(node->arguments) != 1)
        return not_sites(m, node);
    if (!fzi_unit_constant(m->load, m->unit, node->arguments, true, &n))
        return false;
    return named_set(m, board, node, n,
                     fzi_arena_printf(m->arena, "%s %lld", node->name, (long long)n), out);
}

static bool set_of_binary(fzi_board_maker *m, const fzi_board *board, const fzi_node *node,
                          uint64_t *out)
{
    uint64_t right[FZ_BOARD_WORDS];
    if (node->op != FZ_T_UNITE && node->op != FZ_T_MEET && node->op != FZ_T_MINUS)
        return not_sites(m, node);
    if (!set_of_sites(m, board, node->left, out) ||
        !set_of_sites(m, board, node->right, right))
        return false;
    for (unsigned i = 0; i < FZ_BOARD_WORDS; i++)
        out[i] = node->op == FZ_T_UNITE ? out[i] | right[i]
            : node->op == FZ_T_MEET     ? out[i] & right[i]
                                        : out[i] & ~right[i];
    return true;
}

static bool set_of_list(fzi_board_maker *m, const fzi_board *board, const fzi_node *members,
                        uint64_t *out)
{
    uint64_t member[FZ_BOARD_WORDS];
    for (; members; members = members->next) {
        if (!set_of_sites(m, board, members, member))
            return false;
        for (unsigned i = 0; i < FZ_BOARD_WORDS; i++)
            out[i] |= member[i];
    }
    return true;
}

static bool set_of_sites(fzi_board_maker *m, const fzi_board *board, const fzi_node *node,
                         uint64_t *out)
{
    memset(out, 0, FZ_BOARD_WORDS * sizeof *out);
    node = fzi_board_chosen(m, node);
    switch (node->kind) {
    case N_E_NAME:
        return set_of_name(m, board, node, out);
    case N_E_CALL:
        return set_of_call(m, board, node, out);
    case N_E_SET:
        return set_of_list(m, board, node->members, out);
    case N_E_BINARY:
        return set_of_binary(m, board, node, out);
    case N_E_UNARY: {
        uint64_t inner[FZ_BOARD_WORDS];
        if (node->op != FZ_T_TILDE)
            return not_sites(m, node);
        if (!set_of_sites(m, board, node->operand, inner))
            return false;
        for (unsigned s = 0; s < board->site_count; s++)
            if (!fzi_board_bit(inner, s))
                fzi_board_set_bit(out, s);
        return true;
    }
    case N_E_ERROR:
        return false;
    default:
        return not_sites(m, node);
    }
}

/* ---- without, with_edges ---- */

fzi_board *fzi_board_without(fzi_board_maker *m, const fzi_node *call)
{
    uint64_t gone[FZ_BOARD_WORDS];
    int16_t at[FZ_MAX_SITES], left = 0;
    fzi_board *board = fzi_board_expression(m, call->arguments);
    if (!board || !set_of_sites(m, board, call->arguments->next, gone))
        return NULL;
    for (unsigned s = 0; s < board->site_count; s++)
        at[s] = (int16_t)(fzi_board_bit(gone, s) ? FZ_NOT_THERE : left++);
    fzi_board *result = fzi_board_new(m, call->span, board->shape, left);
    if (!result || !fzi_board_carry_dirs(m, result, board, call->span))
        return NULL;
    fzi_board_carry_board(m, result, board, at);
    fzi_board_carry_sites(m, result, board, at);
    fzi_board_set_opposites(result);
    fzi_board_place(result);
    return result;
}

fzi_board *fzi_board_with_edges(fzi_board_maker *m, const fzi_node *call)
{
    const fzi_node *graph = fzi_board_chosen(m, call->arguments->next);
    fzi_board *board = fzi_board_expression(m, call->arguments);
    if (!board || graph->kind == N_E_ERROR)
        return NULL;
    if (graph->kind != N_E_GRAPH) {
        fzi_diag *diag = fzi_error(m->diags, graph->span, FZ_E_NOT_A_BOARD);
        fzi_hint_add(diag,
                     "'with_edges' takes its edges as 'graph { site: neighbour direction; }'");
        return NULL;
    }
    return fzi_board_add_edges(m, board, graph);
}

/* ---- wrapping ---- */

static const char *list_of_dirs(fzi_board_maker *m, const fzi_board *board)
{
    const char *list = board->dir_names[0];
    for (unsigned d = 1; d < board->dir_count; d++)
        list = fzi_arena_printf(m->arena, "%s %s", list, board->dir_names[d]);
    return list;
}

static int direction_of(fzi_board_maker *m, const fzi_board *board, const fzi_node *node)
{
    int dir = node->kind == N_E_NAME ? fzi_board_dir(board, node->name) : FZ_NOT_THERE;
    if (dir >= 0 || node->kind == N_E_ERROR)
        return dir;
    fzi_nearest nearest = {.wanted = node->kind == N_E_NAME ? node->name : ""};
    const fzi_source *source = fzi_source_at(m->load->sources, node->span.source);
    const char *text = node->kind == N_E_NAME
        ? node->name
        : fzi_arena_printf(m->arena, "%.*s", (int)(node->span.end - node->span.start),
                           source->text + node->span.start);
    fzi_diag *diag = fzi_error(m->diags, node->span, FZ_E_UNKNOWN_DIRECTION, text);
    for (unsigned d = 0; d < board->dir_count; d++)
        fzi_nearest_offer(&nearest, board->dir_names[d]);
    fzi_hint_nearest(diag, &nearest);
    if (!nearest.best)
        fzi_hint_add(diag, "its directions are %s", list_of_dirs(m, board));
    return dir;
}

static int site_at(const fzi_board *board, int column, int row)
{
    for (unsigned s = 0; s < board->site_count; s++)
        if (board->column[s] == column && board->row[s] == row)
            return (int)s;
    return FZ_NOT_THERE;
}

static bool along_one(const fzi_board *board, int dir, bool rows)
{
    int straight = board->vector[dir][rows ? 1 : 0], across = board->vector[dir][rows ? 0 : 1];
    return straight && !across;
}

/* A place beyond the joined ends is the place at the other end. */
static int folded(int at, int length, bool joined)
{
    if (joined && at < 1)
        return at + length;
    return joined && at > length ? at - length : at;
}

static void add_wrapped_edges(fzi_board *board, bool rows)
{
    for (unsigned d = 0; d < board->dir_count; d++)
        for (unsigned s = 0; s < board->site_count; s++) {
            if (*fzi_board_edge(board, d, s) >= 0 || board->column[s] < 1)
                continue;
            int column = board->column[s] + board->vector[d][0];
            int row = board->row[s] + board->vector[d][1];
            bool beyond = rows ? row < 1 || row > (int)board->rows
                               : column < 1 || column > (int)board->columns;
            if (!beyond)
                continue; /* a hole, or the end of the other axis */
            column = folded(column, (int)board->columns, board->wraps & 1);
            row = folded(row, (int)board->rows, board->wraps & 2);
            *fzi_board_edge(board, d, s) = (int16_t)site_at(board, column, row);
        }
}

/* Sites along the joined ends only are no border any more; such a board has no corners. */
static void unborder(fzi_board_maker *m, fzi_board *board)
{
    uint64_t *border = fzi_board_new_sets(m, 1);
    for (unsigned s = 0; s < board->site_count; s++) {
        bool row_end = board->row[s] == 1 || board->row[s] == (int)board->rows;
        bool column_end = board->column[s] == 1 || board->column[s] == (int)board->columns;
        if ((row_end && !(board->wraps & 2)) || (column_end && !(board->wraps & 1)))
            fzi_board_set_bit(border, s);
    }
    for (unsigned i = 0; board->border && i < FZ_BOARD_WORDS; i++)
        border[i] &= board->border[i];
    if (board->border)
        board->border = border;
    board->corners = NULL;
}

fzi_board *fzi_board_wrap(fzi_board_maker *m, const fzi_node *call)
{
    const fzi_node *one = call->arguments->next, *other = one->next;
    fzi_board *inner = fzi_board_expression(m, call->arguments);
    if (!inner)
        return NULL;
    int dir = direction_of(m, inner, one), back = direction_of(m, inner, other);
    if (dir < 0 || back < 0)
        return NULL;
    bool full = (inner->shape == FZ_SHAPE_SQUARE || inner->shape == FZ_SHAPE_HEX_RHOMBUS
                 || inner->shape == FZ_SHAPE_PITS || inner->shape == FZ_SHAPE_TRACK)
        && !inner->layers && !inner->sorts;
    bool rows = along_one(inner, dir, true);
    if (!full || inner->opposite[dir] != back || (!rows && !along_one(inner, dir, false))) {
        fzi_error(m->diags, fzi_span_join(one->span, other->span), FZ_E_CANNOT_WRAP, one->name,
                  other->name);
        return NULL;
    }
    fzi_board *board = fzi_board_copy(m, inner);
    board->wraps = (uint8_t)(board->wraps | (rows ? 2 : 1));
    add_wrapped_edges(board, rows);
    unborder(m, board);
    return board;
}
