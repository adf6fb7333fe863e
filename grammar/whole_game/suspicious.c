/* Warns about code that is allowed but hardly intended: loops over nothing, conditions that never
 * change, calls that never end, variables that never change, pieces that never appear. */
#include "whole_game.h"

#include <limits.h>

/* ---- constants ---- */

/* Options, names of values and sizes of types can be changed by the author. Names in the expression
 * of a board have no symbols; in conditions they are options. */
static bool is_authors_choice(const fzi_node *node, const void *unused)
{
    (void)unused;
    bool named = node->symbol && (node->symbol->kind == FZI_SYM_OPTION ||
                                  node->symbol->kind == FZI_SYM_LET);
    return named || (node->kind == N_E_NAME && !node->symbol) ||
           (node->kind == N_E_UNARY && node->op == FZ_T_HASH);
}

static bool is_fixed(const fzi_checker *c, const fzi_node *node, int64_t *value)
{
    return !is_authors_choice(node, NULL) && !fzi_below_any(node, is_authors_choice, NULL) &&
           fzi_constant(c, node, value);
}

static void check_condition(fzi_checker *c, const fzi_node *condition, bool loops)
{
    int64_t value;
    if (is_fixed(c, condition, &value) && !(loops && value))
        fzi_error(c->diags, condition->span, FZ_W_CONSTANT_CONDITION, value ? "true" : "false");
}

/* ---- sets and lines ---- */

static void check_members(fzi_checker *c, const fzi_node *set)
{
    int64_t low, high;
    bool range = set->kind == N_E_BINARY && set->op == FZ_T_RANGE && is_fixed(c, set->left, &low) &&
                 is_fixed(c, set->right, &high) && low > high;
    if (range)
        fzi_error(c->diags, set->span, FZ_W_EMPTY_LOOP);
}

/* The length of the longest straight line; INT_MAX if one leads back to itself. */
static int64_t longest_line(const fzi_board *board)
{
    int64_t longest = 1;
    for (unsigned d = 0; d < board->dir_count; d++) {
        for (unsigned s = 0; s < board->site_count; s++) {
            int64_t length = 1;
            int at = board->next[d * board->site_count + s];
            for (; at >= 0; at = board->next[d * board->site_count + (unsigned)at])
                if (++length > board->site_count)
                    return INT_MAX;
            longest = length > longest ? length : longest;
        }
    }
    return longest;
}

static void check_line(fzi_checker *c, const fzi_node *call)
{
    const fzi_board *board = c->game->board;
    int64_t wanted, longest;
    bool at = fzi_calls_primitive(call, FZI_PRIM_line_at);
    if (!board || !(at || fzi_calls_primitive(call, FZI_PRIM_line)))
        return;
    fzi_node *length = call->arguments->next;
    if (at)
        length = length->next;
    if (is_fixed(c, length, &wanted) && wanted > (longest = longest_line(board)))
        fzi_error(c->diags, length->span, FZ_W_NO_SUCH_LINE, (long long)wanted, (long long)longest);
}

/* ---- players ---- */

static void check_player(fzi_checker *c, const fzi_node *stmt)
{
    const fzi_node *player = stmt->player;
    if (!fzi_names_primitive(player, FZI_PRIM_nobody))
        return;
    const char *word = stmt->kind == N_S_WIN    ? "win"
                       : stmt->kind == N_S_LOSE ? "lose"
                       : stmt->kind == N_S_OUT  ? "out"
                                                : "next";
    fzi_diag *diag = fzi_error(c->diags, player->span, FZ_W_NO_PLAYER, word);
    if (stmt->kind == N_S_WIN || stmt->kind == N_S_LOSE)
        fzi_hint_add(diag, "a game without a winner ends with 'draw;'");
}

/* ---- generators ---- */

static bool some_piece_moves(const fzi_game *game)
{
    for (unsigned i = 0; i < game->piece_count; i++)
        for (const fzi_node *item = game->pieces[i].items; item; item = item->next)
            if (item->kind == N_I_MOVE || item->kind == N_I_MOVES)
                return true;
    return false;
}

static void check_piece_moves(fzi_checker *c, const fzi_node *node)
{
    if (!c->unit->is_library && node->span.source == c->own_source && node->symbol &&
        node->symbol->kind == FZI_SYM_PRIMITIVE &&
        node->symbol->value >= FZI_PIECE_MOVES && !some_piece_moves(c->game))
        fzi_error(c->diags, node->span, FZ_W_NO_PIECE_MOVES, node->name);
}

/* ---- calls that never end ---- */

static bool always_calls(const fzi_node *node, const fzi_symbol *symbol);

static bool one_always_calls(const fzi_node *list, const fzi_symbol *symbol)
{
    for (; list; list = list->next)
        if (always_calls(list, symbol))
            return true;
    return false;
}

/* Is the function called whenever the expression or statement is evaluated? */
static bool always_calls(const fzi_node *node, const fzi_symbol *symbol)
{
    switch (node->kind) {
    case N_E_CALL: case N_S_CALL:
        return node->symbol == symbol || one_always_calls(node->arguments, symbol);
    case N_E_IF:
        return always_calls(node->condition, symbol);
    case N_E_BINARY:
        if (node->op == FZ_T_AND || node->op == FZ_T_OR)
            return always_calls(node->left, symbol);
        return always_calls(node->left, symbol) || always_calls(node->right, symbol);
    case N_E_UNARY:
        return always_calls(node->operand, symbol);
    case N_S_RETURN:
        return node->value && always_calls(node->value, symbol);
    case N_S_LET:
        for (const fzi_node *bound = node->bindings; bound; bound = bound->next)
            if (always_calls(bound->value, symbol))
                return true;
        return false;
    case N_S_BLOCK: /* up to a statement that may leave it */
        for (const fzi_node *stmt = node->stmts; stmt; stmt = stmt->next) {
            if (always_calls(stmt, symbol))
                return true;
            if (stmt->kind != N_S_LET && stmt->kind != N_S_CALL && stmt->kind != N_S_ASSIGN)
                return false;
        }
        return false;
    default:
        return false;
    }
}

static void check_recursion(fzi_checker *c, const fzi_node *decl)
{
    bool has_body = decl->kind == N_D_FN || decl->kind == N_D_PROC;
    if (has_body && decl->symbol &&
        always_calls(decl->kind == N_D_FN && decl->value ? decl->value : decl->body, decl->symbol))
        fzi_error(c->diags, decl->name_span, FZ_W_ENDLESS_CALL, decl->name);
}

/* ---- walking ---- */

static bool is_comparison(const fzi_node *node)
{
    return node->kind == N_E_BINARY && node->op >= FZ_T_EQ && node->op <= FZ_T_GE;
}

/* A declaration that is walked. */
typedef struct place {
    fzi_checker *c;
    bool in_turn; /* it is `turn`, `end` or `limit` */
} place;

static void check_node(void *user, fzi_node *node)
{
    const place *at = user;
    fzi_checker *c = at->c;
    if (node->span.source != c->own_source)
        return;
    fzi_check_duplicates(c, node);
    if (is_comparison(node))
        fzi_check_comparison(c, node, at->in_turn);
    switch (node->kind) {
    case N_E_BINARY: fzi_check_intersection(c, node); break;
    case N_I_MOVE: fzi_check_targets(c, node); break;
    case N_S_IF: case N_E_IF: check_condition(c, node->condition, false); break;
    case N_S_WHILE: check_condition(c, node->condition, true); break;
    case N_BINDER: check_members(c, node->set); break;
    case N_E_CALL:
        check_line(c, node);
        check_piece_moves(c, node);
        break;
    case N_GENERATOR: check_piece_moves(c, node); break;
    case N_S_WIN: case N_S_LOSE: case N_S_OUT: case N_S_NEXT: check_player(c, node); break;
    default: break;
    }
}

/* ---- variables and pieces ---- */

static void mark_assigned(void *user, fzi_node *node)
{
    const fzi_checker *c = user;
    if (node->kind != N_S_ASSIGN)
        return;
    for (fzi_entry *e = fzi_scope_find(c->scope, node->name, node->span.source); e;
         e = fzi_scope_next(c->scope, e, node->name, node->span.source))
        e->written = true;
}

/* Assignments under other options, and in tests for other options, count. */
static void mark_elsewhere(fzi_checker *c)
{
    for (fzi_node *decl = c->unit->file->decls; decl; decl = decl->next)
        if (decl->kind == N_D_WHEN)
            fzi_walk_below(decl, mark_assigned, c);
    for (fzi_node *test = c->unit->tests; test; test = test->next)
        if (!fzi_test_applies(c->game, test))
            fzi_walk_below(test, mark_assigned, c);
}

static void check_variable(fzi_checker *c, const fzi_entry *entry)
{
    const fzi_symbol *symbol = &entry->symbol;
    if (symbol->kind != FZI_SYM_VAR || !symbol->used || entry->written ||
        symbol->span.source != c->own_source || *symbol->name == '_')
        return;
    fzi_error(c->diags, symbol->span, FZ_W_NEVER_SET, symbol->name);
}

/* The ways in which kinds come on the board without being named. */
typedef struct kinds_seen {
    const fzi_type *kind; /* the type */
    bool all;           /* `for k in kind`, a kind and a number added */
    bool letters[256];  /* first letters of cells in diagrams */
} kinds_seen;

static void note_kinds(void *user, fzi_node *node)
{
    kinds_seen *seen = user;
    if (node->kind == N_E_NAME && node->symbol && node->symbol->kind == FZI_SYM_TYPE &&
        node->symbol->type == seen->kind)
        seen->all = true;
    if (node->kind == N_E_BINARY && node->type == seen->kind)
        seen->all = true;
    if (node->kind == N_S_DIAGRAM || node->kind == N_X_POSITION)
        for (const char *at = node->text; at && *at; at++)
            seen->letters[(unsigned char)*at] = true;
}

static bool in_diagrams(const kinds_seen *seen, const fzi_piece *piece)
{
    const char *letter = *piece->letter ? piece->letter : piece->symbol->name;
    unsigned char first = (unsigned char)*letter;
    bool capital = first >= 'A' && first <= 'Z';
    return seen->letters[first] || (capital && seen->letters[first - 'A' + 'a']);
}

static void check_piece(fzi_checker *c, const fzi_piece *piece, const kinds_seen *seen)
{
    const fzi_symbol *symbol = piece->symbol;
    if (!seen->all && !symbol->used && symbol->span.source == c->own_source &&
        *symbol->name != '_' && !in_diagrams(seen, piece))
        fzi_error(c->diags, symbol->span, FZ_W_NEVER_PUT, symbol->name);
}

static void check_pieces(fzi_checker *c)
{
    kinds_seen seen = {.kind = c->game->type_kind};
    fzi_walk(c->unit->decls, note_kinds, &seen);
    fzi_walk(c->unit->tests, note_kinds, &seen);
    for (unsigned i = 0; i < c->game->piece_count; i++)
        check_piece(c, &c->game->pieces[i], &seen);
}

/* ---- values that never occur ---- */

/* Is the type a set of values, or are values computed from others? */
static void note_whole(void *user, fzi_node *node)
{
    (void)user;
    bool named = node->kind == N_E_NAME || node->kind == N_NAME; /* a part of another enum */
    if (named && node->symbol && node->symbol->kind == FZI_SYM_ENUM)
        fzi_entry_of(node->symbol)->whole = true;
    if ((node->kind == N_E_BINARY || node->kind == N_S_ASSIGN) && node->op != FZ_T_ASSIGN &&
        node->type && node->type->kind == FZI_TYPE_NAMED)
        fzi_entry_of(node->type->symbol)->whole = true;
}

/* The first value is the default, so it occurs without being named. */
static void check_enums(fzi_checker *c)
{
    fzi_walk(c->unit->decls, note_whole, NULL);
    for (unsigned i = 0; i < c->game->enum_count; i++) {
        const fzi_symbol *symbol = c->game->enums[i];
        if (symbol->span.source != c->own_source || !symbol->used || !symbol->node->values ||
            fzi_entry_of(symbol)->whole)
            continue;
        for (const fzi_node *value = symbol->node->values->next; value; value = value->next)
            if (value->symbol && !value->symbol->used && *value->name != '_')
                fzi_error(c->diags, value->span, FZ_W_NEVER_VALUE, value->name, symbol->name);
    }
}

/* How the values of a die are used. */
typedef struct die_use {
    const fzi_type *type;
    unsigned named, rolled; /* how often the die is named, and how often to roll it */
    bool whole;             /* a function or a table has an entry for each face */
} die_use;

static void note_die(void *user, fzi_node *node)
{
    die_use *use = user;
    bool is_call = node->kind == N_E_CALL && node->arguments;
    bool rolls = is_call && fzi_calls_primitive(node, FZI_PRIM_roll);
    const fzi_node *argument = is_call ? node->arguments : NULL;
    if (node->kind == N_E_NAME && node->symbol && node->symbol->kind == FZI_SYM_DIE &&
        node->symbol->type == use->type)
        use->named++;
    if (rolls && argument->symbol && argument->symbol->kind == FZI_SYM_DIE &&
        argument->symbol->type == use->type)
        use->rolled++;
    for (; argument; argument = argument->next)
        use->whole |= !rolls && argument->type == use->type;
    if (node->kind == N_PARAM)
        use->whole |= node->declared_type && node->declared_type->type == use->type;
    for (const fzi_node *index = node->kind == N_D_VAR ? node->index_types : NULL; index;
         index = index->next)
        use->whole |= index->type == use->type;
    if (node->kind == N_E_BINARY || node->kind == N_S_ASSIGN)
        use->whole |= node->type == use->type && node->op != FZ_T_ASSIGN;
    if (node->kind == N_LABEL)
        for (const fzi_node *name = node->names; name; name = name->next)
            use->whole |= name->type == use->type;
}

/* Faces that no rule names are equivalent. One such face is allowed: it means none of the
 * others. */
static void check_die(fzi_checker *c, const fzi_symbol *die)
{
    die_use use = {.type = die->type};
    const fzi_node *face = die->node->faces, *first = NULL, *second = NULL;
    unsigned known = 0;
    for (; face; face = face->next) {
        const fzi_symbol *value = face->value->symbol;
        if (!value || value->kind != FZI_SYM_VALUE)
            return;
        known += value->used;
        if (value->used || *value->name == '_')
            continue;
        second = first && !second ? face : second;
        first = first ? first : face;
    }
    if (!known || !second)
        return;
    fzi_walk(c->unit->decls, note_die, &use);
    if (use.whole || use.named > use.rolled)
        return;
    fzi_diag *diag = fzi_error(c->diags, second->span, FZ_W_FACES_ALIKE,
                               first->value->name, second->value->name, die->name);
    fzi_note_at(diag, first->span, "the other face");
}

static void check_dice(fzi_checker *c)
{
    for (unsigned i = 0; i < c->game->die_count; i++)
        if (c->game->dice[i]->span.source == c->own_source && c->game->dice[i]->used)
            check_die(c, c->game->dice[i]);
}

/* Is the declaration a table by player, written with keys, without one for this player? */
static bool leaves_out(const fzi_checker *c, const fzi_node *decl, const fzi_symbol *player)
{
    const fzi_node *first = decl->kind == N_D_LET ? decl->params : NULL;
    if (!first || !first->symbol || first->symbol->type != c->game->type_player ||
        decl->value->kind != N_E_KEYS)
        return false;
    for (const fzi_node *entry = decl->value->entries; entry; entry = entry->next)
        if (entry->key->symbol == player || !entry->key->symbol)
            return false;
    return true;
}

/* Warns about a table of players that leaves one out: its value is the default of the type. Of
 * other files it warns at the player whom the game adds. */
static void check_keys(fzi_checker *c, const fzi_symbol *player)
{
    fzi_diag *added = NULL;
    for (const fzi_node *decl = c->unit->decls; decl; decl = decl->next) {
        bool own = decl->span.source == c->own_source;
        if (!(own || player->span.source == c->own_source) || !leaves_out(c, decl, player))
            continue;
        if (own) {
            fzi_error(c->diags, decl->value->span, FZ_W_NO_KEY, player->name);
            continue;
        }
        if (!added)
            added = fzi_error(c->diags, player->span, FZ_W_NO_KEY, player->name);
        fzi_note_at(added, decl->value->span, "the table '%s'", decl->name);
    }
}

/* Which ends moves have, and where the game's own text reads those of the latest move. */
typedef struct last_use {
    const fzi_checker *c;
    bool has[2];             /* `from` or `here`, `to` */
    const fzi_node *read[2]; /* the first last_from, last_to */
} last_use;

static void note_last(void *user, fzi_node *node)
{
    last_use *use = user;
    bool is_move = node->kind == N_I_MOVE || node->kind == N_I_AT;
    bool binds = node->kind == N_BINDER || node->kind == N_BOUND || node->kind == N_PARAM;
    use->has[0] |= is_move || node->kind == N_I_MOVES ||
                   (binds && (strcmp(node->name, "from") == 0 || strcmp(node->name, "here") == 0));
    use->has[1] |= is_move || (binds && strcmp(node->name, "to") == 0);
    for (unsigned end = 0; end < 2; end++)
        if (!use->read[end] && node->span.source == use->c->own_source &&
            fzi_names_primitive(node, end ? FZI_PRIM_last_to : FZI_PRIM_last_from))
            use->read[end] = node;
}

/* Warns about last_from and last_to where no move has such an end. */
static void check_last(fzi_checker *c)
{
    last_use use = {.c = c};
    fzi_walk(c->unit->decls, note_last, &use);
    for (unsigned end = 0; end < 2; end++)
        if (use.read[end] && !use.has[end])
            fzi_error(c->diags, use.read[end]->span, FZ_W_NO_LAST, end ? "to" : "from",
                      end ? "last_to" : "last_from", end ? "to" : "from", end ? "to" : "from");
}

/* Warns about a turn without choice and chance: it does the same each time. */
static void check_turn(fzi_checker *c)
{
    const fzi_node *turn = c->game->turn;
    if (!turn || turn->span.source != c->own_source ||
        turn->body->effects & (FZI_DECIDES | FZI_CHANCE))
        return;
    fzi_error(c->diags, fzi_first_word(c, turn->span), FZ_W_NO_DECISION);
}

static void check_all(fzi_checker *c)
{
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next) {
        if (decl->span.source != c->own_source)
            continue;
        check_recursion(c, decl);
        fzi_check_duplicates(c, decl);
        place at = {c, decl->kind == N_D_TURN || decl->kind == N_D_END || decl->kind == N_D_LIMIT};
        fzi_walk_below(decl, check_node, &at);
    }
    for (unsigned p = 0; p < c->game->player_count; p++)
        check_keys(c, c->game->players[p].symbol);
    if (c->unit->is_library)
        return;
    mark_elsewhere(c);
    for (const fzi_entry *e = c->scope->first; e; e = e->following)
        check_variable(c, e);
    check_pieces(c);
    check_turn(c);
    check_last(c);
    check_enums(c);
    check_dice(c);
    fzi_check_termination(c);
}

void fzi_check_suspicious(fzi_checker *c)
{
    unsigned left = 0;
    if (c->diags->errors)
        return;
    c->work_left = &left;
    check_all(c);
    c->work_left = NULL;
}
