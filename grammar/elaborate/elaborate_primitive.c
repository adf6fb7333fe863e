/* Elaborates primitives (primitives.def); elaborate.c and elaborate_call.c call it. */
#include "elaborate.h"

#include "interp/support/words.h"

static const fzi_ir *named_set(fzi_lower *lw, const char *name, int64_t n)
{
    uint64_t words[FZ_MAX_WORDS] = {0};
    fzi_board_named_set(lw->game->board, name, n, words);
    return fzi_ir_set(&lw->maker, words);
}

/* A local number from 0 to `most` + 1, for which sets become a table. A number that names no set
 * becomes one of the two ends, which name none either. */
static fzi_local *set_number(fzi_lower *lw, unsigned most, const fzi_ir **n)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_local *local = fzi_local_new(lw, "n", lw->game->type_int);
    local->finite = true;
    local->low = 0;
    local->high = (int64_t)most + 1;
    bool fits = (*n)->kind == FZI_IR_INT ? (*n)->value >= 0 && (*n)->value <= local->high
                                         : (*n)->kind == FZI_IR_LOCAL && (*n)->local->finite &&
                                               (*n)->local->low >= 0 &&
                                               (*n)->local->high <= local->high;
    if (!fits)
        *n = fzi_ir_op(m, FZ_OP_IMIN, fzi_ir_op(m, FZ_OP_IMAX, *n, fzi_ir_int(m, 0)),
                       fzi_ir_int(m, (int32_t)local->high));
    return local;
}

/* rank(n), file(n), side(n), layer(n): a constant for each n that there is. */
static const fzi_ir *named_set_of(fzi_lower *lw, const char *name, const fzi_ir *n)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_board *board = lw->game->board;
    if (n->kind == FZI_IR_INT)
        return named_set(lw, name, n->value);
    unsigned most = strcmp(name, "side") == 0    ? board->sides
                    : strcmp(name, "layer") == 0 ? board->layers
                    : strcmp(name, "file") == 0  ? board->columns
                                                 : board->rows;
    bool replaces = n->kind == FZI_IR_LOCAL;
    const fzi_ir *number = n;
    fzi_local *local = set_number(lw, most, &number);
    const fzi_ir *set = fzi_ir_none(m);
    for (unsigned i = most; i > 0; i--)
        set = fzi_ir_if(m, fzi_ir_op(m, FZ_OP_EQ, fzi_ir_local(m, local), fzi_ir_int(m, i)),
                        named_set(lw, name, i), set);
    return replaces ? fzi_ir_replace(m, set, local, n) : fzi_ir_let(m, local, number, set);
}

/* rank(n, p): a constant for each player. */
static const fzi_ir *rank_seen(fzi_lower *lw, const fzi_ir *n, const fzi_ir *player)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_board *board = lw->game->board;
    const fzi_ir *number = n;
    unsigned most = board->rows > board->columns ? board->rows : board->columns;
    fzi_local *row = set_number(lw, most, &number);
    fzi_local *seer = fzi_local_new(lw, "player", lw->game->type_player);
    const fzi_ir *set = fzi_ir_none(m);
    for (unsigned p = lw->game->player_count; p-- > 0;) {
        const fzi_ir *rows = fzi_ir_none(m);
        for (int64_t i = most; i > 0; i--) {
            uint64_t words[FZ_MAX_WORDS] = {0};
            if ((n->kind != FZI_IR_INT || n->value == i) &&
                fzi_board_rank_seen(board, lw->game->players[p].facing, i, words))
                rows = fzi_ir_if(
                    m, fzi_ir_op(m, FZ_OP_EQ, fzi_ir_local(m, row), fzi_ir_int(m, i)),
                    fzi_ir_set(m, words), rows);
        }
        set = fzi_ir_if(m, fzi_ir_op(m, FZ_OP_EQ, fzi_ir_local(m, seer), fzi_ir_int(m, p)), rows,
                        set);
    }
    return fzi_ir_let(m, row, number, fzi_ir_let(m, seer, player, set));
}

/* A relative direction, such as `forward`: a constant of the board for each player. */
static const fzi_ir *relative(fzi_lower *lw, fzi_view view, const char *name)
{
    fzi_ir_maker *m = &lw->maker;
    int32_t dirs[FZ_MAX_PLAYERS];
    bool same = true;
    for (unsigned p = 0; p < lw->game->player_count; p++) {
        dirs[p] = fzi_board_relative(lw->game->board, name, lw->game->players[p].facing);
        same &= dirs[p] == dirs[0];
    }
    if (same)
        return fzi_ir_int(m, dirs[0]);
    if (view.me->kind == FZI_IR_INT)
        return fzi_ir_int(m, view.me->value < 0 ? -1 : dirs[view.me->value]);
    uint32_t table = fzi_build_int_table(&lw->build, dirs, lw->game->player_count, -1);
    return fzi_ir_opk(m, FZ_OP_TABLE, view.me, NULL, (int32_t)table, 0);
}

/* column(s), row(s), layer_of(s): a table by site. */
static const fzi_ir *coordinate(fzi_lower *lw, const int16_t *of, const fzi_ir *site)
{
    int32_t values[FZ_MAX_SITES];
    for (unsigned s = 0; s < lw->game->board->site_count; s++)
        values[s] = of ? of[s] : 0;
    uint32_t table = fzi_build_int_table(&lw->build, values, lw->game->board->site_count, 0);
    if (site->kind == FZI_IR_INT)
        return fzi_ir_int(&lw->maker, site->value < 0 ? 0 : values[site->value]);
    return fzi_ir_opk(&lw->maker, FZ_OP_TABLE, site, NULL, (int32_t)table, 0);
}

/* The sites of all layers by column and by row, the first row of a layer after the last of the one
 * before. */
static uint32_t sites_table(fzi_lower *lw)
{
    const fzi_board *board = lw->game->board;
    unsigned columns = board->columns, rows = board->rows;
    unsigned count = columns * rows * (board->layers ? board->layers : 1);
    int32_t *sites = fzi_arena_alloc(lw->build.arena, sizeof *sites * (count + 1));
    for (unsigned i = 0; i < count; i++)
        sites[i] = FZ_NOT_THERE;
    for (unsigned s = 0; s < board->site_count; s++) {
        int layer = board->layer[s] ? board->layer[s] - 1 : 0;
        int row = layer * (int)rows + board->rank[s] - 1;
        if (board->file[s] > 0 && board->rank[s] > 0)
            sites[row * (int)columns + board->file[s] - 1] = (int32_t)s;
    }
    return fzi_build_int_table(&lw->build, sites, count, FZ_NOT_THERE);
}

/* Is 1 <= x <= most? */
static const fzi_ir *within(fzi_ir_maker *m, const fzi_ir *x, unsigned most)
{
    return fzi_ir_and(m, fzi_ir_op(m, FZ_OP_LE, fzi_ir_int(m, 1), x),
                      fzi_ir_op(m, FZ_OP_LE, x, fzi_ir_int(m, most)));
}

/* `layer` is NULL for the first. */
static const fzi_ir *site_at(fzi_lower *lw, const fzi_ir *column, const fzi_ir *row,
                             const fzi_ir *layer)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_board *board = lw->game->board;
    unsigned columns = board->columns, rows = board->rows;
    uint32_t table = sites_table(lw);
    fzi_local *c = fzi_local_new(lw, "column", lw->game->type_int);
    fzi_local *r = fzi_local_new(lw, "row", lw->game->type_int);
    fzi_local *l = layer ? fzi_local_new(lw, "layer", lw->game->type_int) : NULL;
    const fzi_ir *one = fzi_ir_int(m, 1), *x = fzi_ir_local(m, c), *y = fzi_ir_local(m, r);
    const fzi_ir *inside = fzi_ir_and(m, within(m, x, columns), within(m, y, rows));
    const fzi_ir *line = fzi_ir_op(m, FZ_OP_SUB, y, one);
    if (layer) {
        const fzi_ir *z = fzi_ir_local(m, l);
        inside = fzi_ir_and(m, inside, within(m, z, board->layers ? board->layers : 1));
        line = fzi_ir_op(m, FZ_OP_ADD, line,
                         fzi_ir_op(m, FZ_OP_MUL, fzi_ir_op(m, FZ_OP_SUB, z, one),
                                   fzi_ir_int(m, rows)));
    }
    const fzi_ir *value = fzi_ir_opk(m, FZ_OP_TABLE2, line, fzi_ir_op(m, FZ_OP_SUB, x, one),
                                     (int32_t)table, (int32_t)columns);
    const fzi_ir *body = fzi_ir_if(m, inside, value, fzi_ir_int(m, FZ_NOT_THERE));
    body = fzi_ir_let(m, r, row, layer ? fzi_ir_let(m, l, layer, body) : body);
    return fzi_ir_let(m, c, column, body);
}

static const fzi_ir *expr_random(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_node *set = node->arguments;
    fzi_local *local = fzi_local_new(lw, "value", node->type);
    fzi_binder binder = fzi_binder_make(lw, view, set, local);
    if (binder.domain == FZI_DOMAIN_SITES)
        return fzi_ir_op(m, FZ_OP_RANDOM_SITE, binder.first, NULL);
    int32_t type = fzi_build_type(&lw->build, node->type);
    if (binder.domain == FZI_DOMAIN_RANGE)
        return fzi_ir_opk(m, FZ_OP_RANDOM_RANGE, binder.first, binder.last, type, 0);
    return fzi_ir_opk(m, FZ_OP_RANDOM_MASK, binder.first, NULL,
                      (int32_t)fzi_type_default(node->type), type);
}

/* A member of a set; sets of sites and masks have instructions of their own. */
static const fzi_ir *expr_member(fzi_lower *lw, fzi_view view, const fzi_node *node, int of_sites,
                                 int of_mask)
{
    fzi_ir_maker *m = &lw->maker;
    bool sites = fzi_is_sites(node->arguments->type) || node->type->kind == FZI_TYPE_SITE ||
                 node->type->kind == FZI_TYPE_OFF;
    if (sites)
        return fzi_ir_op(m, of_sites, fzi_elaborate_sites(lw, view, node->arguments), NULL);
    const fzi_type set = {.kind = FZI_TYPE_SET, .element = node->type};
    const fzi_ir *value =
        fzi_ir_op(m, of_mask, fzi_elaborate_as(lw, view, node->arguments, &set), NULL);
    int64_t missing = fzi_type_default(node->type);
    if (missing == FZ_NOT_THERE)
        return value;
    fzi_local *local = fzi_local_new(lw, "value", lw->game->type_int); /* below the type if empty */
    const fzi_ir *x = fzi_ir_local(m, local);
    const fzi_ir *none = fzi_ir_op(m, FZ_OP_LT, x, fzi_ir_int(m, 0));
    return fzi_ir_let(m, local, value, fzi_ir_if(m, none, fzi_ir_int(m, missing), x));
}

enum { MAX_LINES = 32 };

/* Builds "the set covers one of all rows of n sites along the directions". False: there are too
 * many rows. */
static bool all_lines(fzi_lower *lw, int64_t n, uint64_t dirs, const fzi_ir *set,
                      const fzi_ir **covers)
{
    const fzi_board *board = lw->game->board;
    unsigned words = lw->maker.words, count = 0;
    uint64_t rows[MAX_LINES * FZ_MAX_WORDS] = {0};
    for (unsigned d = 0; d < board->dir_count; d++) {
        unsigned back = board->opposite[d];
        bool seen = back < d && dirs >> back & 1;
        for (unsigned s = 0; s < board->site_count && dirs >> d & 1 && !seen; s++) {
            uint64_t line[FZ_MAX_WORDS] = {0};
            int at = (int)s;
            int64_t length = 0;
            for (; at >= 0 && length < n && !fzi_words_has(line, (unsigned)at); length++) {
                fzi_words_add(line, (unsigned)at);
                at = board->next[d * board->site_count + (unsigned)at];
            }
            if (length < n)
                continue;
            if (count == MAX_LINES)
                return false;
            memcpy(rows + count++ * words, line, sizeof *rows * words);
        }
    }
    *covers = count ? fzi_ir_opk(&lw->maker, FZ_OP_COVERS, set, NULL,
                                   (int32_t)fzi_build_set_table(&lw->build, rows, count), 0)
                    : fzi_ir_int(&lw->maker, 0);
    return true;
}

/* A few lines are tried one by one; many are found by shifting the set. */
static const fzi_ir *line_of(fzi_lower *lw, const fzi_ir *set, const fzi_ir *n, const fzi_ir *dirs)
{
    const fzi_ir *covers;
    bool constant = n->kind == FZI_IR_INT && dirs->kind == FZI_IR_INT && n->value >= 2;
    if (constant && all_lines(lw, n->value, (uint64_t)dirs->value, set, &covers))
        return covers;
    return fzi_ir_op4(&lw->maker, FZ_OP_LINE, set, n, dirs, NULL);
}

/* ---- primitives that are one operation ---- */

enum { MOST_ARGUMENTS = 4 };

/* The value of an argument, by its letter in primitives.def; NULL: it is missing. */
static const fzi_ir *argument_of(fzi_lower *lw, fzi_view view, const fzi_node *node, char letter)
{
    fzi_ir_maker *m = &lw->maker;
    if (letter == 'D')
        return node ? fzi_elaborate_as(lw, view, node, lw->game->type_dirs)
                    : fzi_ir_int(m, lw->game->board->adjacent);
    if (letter == 'S')
        return node ? fzi_elaborate_sites(lw, view, node) : fzi_ir_op(m, FZ_OP_EMPTY, NULL, NULL);
    return node ? fzi_elaborate(lw, view, node) : NULL;
}

/* The values of a call's arguments, which begin at x[1]. Tables are numbered in the order in which
 * the arguments are elaborated, so the order is stated: it must not depend on the C compiler. */
static void arguments_of(fzi_lower *lw, fzi_view view, const fzi_node *call, bool last_first,
                         const fzi_ir **x)
{
    const char *letters = fzi_primitive_at(call->symbol->value)->parameters;
    const fzi_node *given[MOST_ARGUMENTS + 1] = {NULL};
    char sorts[MOST_ARGUMENTS + 1];
    unsigned count = 0, sort = 0;
    for (const fzi_node *a = call->arguments; a; a = a->next)
        given[++count] = a;
    for (; *letters; letters++)
        if (*letters != '?')
            sorts[++sort] = *letters;
    if (count && count < sort && sorts[count] == 'S' &&
        given[count]->type->kind == FZI_TYPE_INT) { /* slide(S, D, n) */
        given[count + 1] = given[count];
        given[count] = NULL;
    }
    for (unsigned i = 1; i <= sort; i++) {
        unsigned at = last_first ? sort + 1 - i : i;
        x[at] = argument_of(lw, view, given[at], sorts[at]);
    }
}

/* Primitives that walk on the board. */
static const fzi_ir *expr_walk(fzi_lower *lw, fzi_view view, const fzi_node *node, int primitive)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *x[MOST_ARGUMENTS + 1];
    arguments_of(lw, view, node, true, x);
    switch (primitive) {
    case FZI_PRIM_step: return fzi_ir_op(m, FZ_OP_STEP, x[1], x[2]);
    case FZI_PRIM_slide:
        return fzi_ir_op4(m, FZ_OP_SLIDE, x[1], x[2], x[3],
                          x[4] ? x[4] : fzi_ir_int(m, FZ_MAX_SITES));
    case FZI_PRIM_leap: return fzi_ir_op4(m, FZ_OP_LEAP, x[1], x[2], x[3], NULL);
    case FZI_PRIM_ride: return fzi_ir_op4(m, FZ_OP_RIDE, x[1], x[2], x[3], x[4]);
    case FZI_PRIM_ray: return fzi_ir_op(m, FZ_OP_RAY, x[1], x[2]);
    case FZI_PRIM_walk: return fzi_ir_op4(m, FZ_OP_WALK, x[1], x[2], x[3], NULL);
    case FZI_PRIM_flood: return fzi_ir_op4(m, FZ_OP_FLOOD, x[1], x[2], x[3], NULL);
    case FZI_PRIM_between: return fzi_ir_op(m, FZ_OP_BETWEEN, x[1], x[2]);
    case FZI_PRIM_dist: return fzi_ir_op(m, FZ_OP_DISTANCE, x[1], x[2]);
    case FZI_PRIM_line: return line_of(lw, x[1], x[2], x[3]);
    case FZI_PRIM_line_at: return fzi_ir_op4(m, FZ_OP_LINE_AT, x[1], x[2], x[3], x[4]);
    case FZI_PRIM_connected: return fzi_ir_op4(m, FZ_OP_CONNECTED, x[2], x[3], x[1], x[4]);
    case FZI_PRIM_flanked: return fzi_ir_op4(m, FZ_OP_FLANKED, x[1], x[2], x[3], x[4]);
    default: /* flanking(start, row, end) */
        return fzi_ir_op4(m, FZ_OP_FLANKING, x[3], x[2], x[1], x[4]);
    }
}

static const fzi_ir *expr_attacked(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    const fzi_ir *x[MOST_ARGUMENTS + 1];
    arguments_of(lw, view, node, true, x);
    const fzi_ir *args[] = {x[2], x[1]};
    return fzi_ir_call(&lw->maker, lw->makers->attacked(lw), args, 2, false, true, false);
}

static const fzi_ir *expr_can(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    const fzi_node *question = node->arguments; /* GENERATOR, or E_NAME or E_CALL of a generator */
    const fzi_symbol *moves = question->symbol;
    const fzi_ir *args[16] = {view.me};
    unsigned count = 1;
    const fzi_node *argument = question->kind == N_E_NAME ? NULL : question->arguments;
    if (moves->kind == FZI_SYM_MOVES) {
        for (unsigned i = 0; argument && i < moves->param_count && count < 16;
             i++, argument = argument->next)
            args[count++] = fzi_elaborate_as(lw, view, argument, moves->params[i]->type);
    } else {
        for (; argument; argument = argument->next)
            args[count++] = fzi_elaborate_sites(lw, view, argument);
    }
    return fzi_ir_call(&lw->maker, lw->makers->can(lw, question), args, count, false, true, false);
}

static const fzi_ir *expr_value(fzi_lower *lw, fzi_view view, int primitive, const char *name)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_board *board = lw->game->board;
    switch (primitive) {
    case FZI_PRIM_true: return fzi_ir_int(m, 1);
    case FZI_PRIM_false: return fzi_ir_int(m, 0);
    case FZI_PRIM_off: case FZI_PRIM_nobody: case FZI_PRIM_none:
        return fzi_ir_int(m, FZ_NOT_THERE);
    case FZI_PRIM_me: return view.me;
    case FZI_PRIM_mover: return fzi_ir_op(m, FZ_OP_MOVER, NULL, NULL);
    case FZI_PRIM_upcoming: return fzi_ir_op(m, FZ_OP_UPCOMING, NULL, NULL);
    case FZI_PRIM_turns: return fzi_ir_op(m, FZ_OP_TURNS, NULL, NULL);
    case FZI_PRIM_last_from: case FZI_PRIM_last_to:
        lw->reads_last = true;
        return fzi_ir_opk(m, FZ_OP_LAST, NULL, NULL, primitive == FZI_PRIM_last_to, 0);
    case FZI_PRIM_repetitions: return fzi_ir_op(m, FZ_OP_REPETITIONS, NULL, NULL);
    case FZI_PRIM_board_repetitions: return fzi_ir_op(m, FZ_OP_BOARD_REPETITIONS, NULL, NULL);
    case FZI_PRIM_occupied: return fzi_ir_op(m, FZ_OP_OCCUPIED, NULL, NULL);
    case FZI_PRIM_empty: return fzi_ir_op(m, FZ_OP_EMPTY, NULL, NULL);
    case FZI_PRIM_orthogonal: return fzi_ir_int(m, board->orthogonal);
    case FZI_PRIM_diagonal: return fzi_ir_int(m, board->diagonal);
    case FZI_PRIM_adjacent: return fzi_ir_int(m, board->adjacent);
    case FZI_PRIM_corners: case FZI_PRIM_border: case FZI_PRIM_centre:
    case FZI_PRIM_cells: case FZI_PRIM_edges: case FZI_PRIM_vertices:
        return named_set(lw, name, 0);
    default:
        return relative(lw, view, name);
    }
}

/* The other primitives whose arguments are numbers. */
static const fzi_ir *expr_number(fzi_lower *lw, fzi_view view, const fzi_node *node, int primitive)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *x[MOST_ARGUMENTS + 1];
    arguments_of(lw, view, node, false, x);
    switch (primitive) {
    case FZI_PRIM_kind: return fzi_ir_op(m, x[2] ? FZ_OP_KIND_IN : FZ_OP_KIND, x[1], x[2]);
    case FZI_PRIM_owner: return fzi_ir_op(m, x[2] ? FZ_OP_OWNER_IN : FZ_OP_OWNER, x[1], x[2]);
    case FZI_PRIM_height: return fzi_ir_op(m, FZ_OP_HEIGHT, x[1], NULL);
    case FZI_PRIM_is_out: return fzi_ir_op(m, FZ_OP_IS_OUT, x[1], NULL);
    case FZI_PRIM_standing: return fzi_ir_op(m, FZ_OP_STANDING, x[1], NULL);
    case FZI_PRIM_repetitions_since: return fzi_ir_op(m, FZ_OP_REPETITIONS_SINCE, x[1], NULL);
    case FZI_PRIM_max: return fzi_ir_op(m, FZ_OP_IMAX, x[1], x[2]);
    case FZI_PRIM_min: return fzi_ir_op(m, FZ_OP_IMIN, x[1], x[2]);
    case FZI_PRIM_rank:
    case FZI_PRIM_file:
    case FZI_PRIM_side:
    case FZI_PRIM_layer:
        return node->arguments->next ? rank_seen(lw, x[1], x[2])
                                     : named_set_of(lw, node->symbol->name, x[1]);
    case FZI_PRIM_column: return coordinate(lw, lw->game->board->file, x[1]);
    case FZI_PRIM_layer_of: return coordinate(lw, lw->game->board->layer, x[1]);
    case FZI_PRIM_row: return coordinate(lw, lw->game->board->rank, x[1]);
    case FZI_PRIM_site_at: return site_at(lw, x[1], x[2], x[3]);
    default: { /* team */
        int32_t teams[FZ_MAX_PLAYERS];
        for (unsigned p = 0; p < lw->game->player_count; p++)
            teams[p] = lw->game->players[p].team;
        uint32_t table = fzi_build_int_table(&lw->build, teams, lw->game->player_count, -1);
        return fzi_ir_opk(m, FZ_OP_TABLE, x[1], NULL, (int32_t)table, 0);
    }
    }
}

const fzi_ir *fzi_elaborate_primitive(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    int primitive = (int)node->symbol->value;
    const char *name = node->symbol->name;
    if (node->kind == N_E_NAME)
        return expr_value(lw, view, primitive, name);
    switch (primitive) {
    case FZI_PRIM_rank: case FZI_PRIM_file: case FZI_PRIM_side: case FZI_PRIM_layer:
    case FZI_PRIM_column:
    case FZI_PRIM_layer_of:
    case FZI_PRIM_row:
    case FZI_PRIM_site_at:
    case FZI_PRIM_kind: case FZI_PRIM_owner:
    case FZI_PRIM_team: case FZI_PRIM_is_out: case FZI_PRIM_standing: case FZI_PRIM_height:
    case FZI_PRIM_repetitions_since: case FZI_PRIM_max:
    case FZI_PRIM_min: return expr_number(lw, view, node, primitive);
    case FZI_PRIM_attacked: return expr_attacked(lw, view, node);
    case FZI_PRIM_can: return expr_can(lw, view, node);
    case FZI_PRIM_int: {
        const fzi_ir *x = fzi_elaborate(lw, view, node->arguments);
        int64_t low =
            node->arguments->type->kind == FZI_TYPE_NAMED ? node->arguments->type->low : 0;
        return low ? fzi_ir_op(m, FZ_OP_SUB, x, fzi_ir_int(m, low)) : x;
    }
    case FZI_PRIM_reveal: {
        const fzi_ir *x = fzi_elaborate(lw, view, node->arguments);
        return fzi_ir_op(m, x->is_set ? FZ_OP_SREVEAL : FZ_OP_REVEAL, x, NULL);
    }
    case FZI_PRIM_the: return expr_member(lw, view, node, FZ_OP_SONLY, FZ_OP_MONLY);
    case FZI_PRIM_first: return expr_member(lw, view, node, FZ_OP_SFIRST, FZ_OP_MFIRST);
    case FZI_PRIM_last: return expr_member(lw, view, node, FZ_OP_SLAST, FZ_OP_MLAST);
    case FZI_PRIM_roll: {
        const uint32_t *die = node->arguments->symbol->lowered;
        lw->build.program.uses_chance = 1;
        return fzi_ir_opk(m, FZ_OP_ROLL, NULL, NULL, (int32_t)*die, 0);
    }
    case FZI_PRIM_random:
        lw->build.program.uses_chance = 1;
        return expr_random(lw, view, node);
    case FZI_PRIM_step: case FZI_PRIM_slide: case FZI_PRIM_leap: case FZI_PRIM_ride:
    case FZI_PRIM_ray: case FZI_PRIM_walk: case FZI_PRIM_flood: case FZI_PRIM_between:
    case FZI_PRIM_dist: case FZI_PRIM_line: case FZI_PRIM_line_at: case FZI_PRIM_connected:
    case FZI_PRIM_flanked: case FZI_PRIM_flanking:
        return expr_walk(lw, view, node, primitive);
    default: return fzi_elaborate_bug(lw, node, name);
    }
}
