/* Looks for a reason why the game ends. One of these is enough:
 *   - `limit`
 *   - a result under a condition on `turns`, on `repetitions`, or on a variable that counts
 *   - a variable with a range, or a set of sites, that only grows or only shrinks
 *   - pieces are put on the board, and none is taken off, so the empty sites run out
 *   - a player has only pieces that move forward
 * These are arguments, not proofs: that the counter goes on in every turn is not examined. */
#include "whole_game.h"

enum { MAX_DEPTH = 40, MAX_WORK = 200000 };

/* How the statements of a game change one variable. */
typedef struct change {
    bool grows, shrinks, set;
    bool marks, unmarks; /* elements are set; elements are reset, or all at once */
    bool prepared; /* assigned in the set-up */
} change;

typedef struct facts {
    fzi_checker *c;
    change *vars;        /* by number in game->vars */
    bool in_setup;
    bool puts;           /* pieces come on the board during the game */
    bool takes;          /* they may leave it, or a diagram replaces them */
    bool becomes;        /* kinds change */
    bool spares;         /* a move may leave all pieces on the board */
    bool loses;          /* a move takes pieces off */
    uint64_t *owners;    /* by kind: players that may have such pieces, as bits */
    unsigned left;       /* nodes that may still be looked at; 0: too many to know */
} facts;

static unsigned number_of(fzi_symbol *const *list, unsigned count, const fzi_symbol *symbol)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == symbol)
            return i;
    return count;
}

static change *change_of(facts *f, const fzi_symbol *symbol)
{
    unsigned at = number_of(f->c->game->vars, f->c->game->var_count, symbol);
    return at < f->c->game->var_count ? &f->vars[at] : NULL;
}

/* ---- collecting ---- */

static void note_assignment(facts *f, const fzi_node *node)
{
    change *found = node->symbol ? change_of(f, node->symbol) : NULL;
    int64_t value;
    if (!found)
        return;
    switch (node->op) {
    case FZ_T_PLUS_ASSIGN: found->grows = true; break;
    case FZ_T_OR_ASSIGN: found->grows = true; break;
    case FZ_T_MINUS_ASSIGN: case FZ_T_AND_ASSIGN: found->shrinks = true; break;
    default:
        found->set |= !f->in_setup;
        if (node->indexes && !(fzi_constant(f->c, node->value, &value) && value == 0))
            found->marks = true;
        else
            found->unmarks |= !f->in_setup;
        found->prepared |= f->in_setup;
        found->grows |= node->value->kind == N_E_BINARY && node->value->op == FZ_T_PLUS;
        break;
    }
    if ((node->op == FZ_T_PLUS_ASSIGN || node->op == FZ_T_MINUS_ASSIGN) &&
        fzi_constant(f->c, node->value, &value) && value < 0)
        found->grows = found->shrinks = true;
}

static uint64_t all_players(const facts *f)
{
    return ((uint64_t)1 << f->c->game->player_count) - 1;
}

static void note_owner(facts *f, const fzi_node *piece, const fzi_node *owner)
{
    const fzi_game *game = f->c->game;
    uint64_t players = all_players(f);
    if (owner && owner->kind == N_E_NAME && owner->symbol &&
        owner->symbol->kind == FZI_SYM_PLAYER)
        players = (uint64_t)1 << owner->symbol->value;
    if (owner && fzi_names_primitive(owner, FZI_PRIM_nobody))
        return;
    bool known = piece && piece->kind == N_E_NAME && piece->symbol &&
                 piece->symbol->kind == FZI_SYM_KIND;
    for (unsigned k = 0; k < game->piece_count; k++)
        if (!known || piece->symbol == game->pieces[k].symbol)
            f->owners[k] |= players;
}

/* An item or option that exists in one turn of the game only. */
static bool is_once(const fzi_node *quant)
{
    const fzi_node *e = quant->condition;
    if (quant->kind != N_Q_IF)
        return false;
    while (e->kind == N_E_BINARY && e->op == FZ_T_AND)
        e = e->right;
    return e->kind == N_E_BINARY && e->op == FZ_T_EQ &&
           fzi_names_primitive(e->left, FZI_PRIM_turns);
}

static void note(facts *f, const fzi_node *list, int depth);

static void note_called(facts *f, const fzi_node *node, int depth)
{
    const fzi_symbol *symbol = node->symbol;
    bool code = symbol && (symbol->kind == FZI_SYM_PROC || symbol->kind == FZI_SYM_MOVES);
    if (code && depth < MAX_DEPTH && !symbol->recursive)
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            note(f, symbol->node->children[i], depth + 1);
}

/* Does a move of this option always take a piece off the board? */
static bool takes_off(const fzi_node *stmt)
{
    if (stmt->kind == N_S_REMOVE || stmt->kind == N_S_CAPTURE)
        return true;
    for (const fzi_node *s = stmt->kind == N_S_BLOCK ? stmt->stmts : NULL; s; s = s->next)
        if (takes_off(s))
            return true;
    return false;
}

static void note_option(facts *f, const fzi_node *option)
{
    if (option->effect->kind == N_GENERATOR || option->effect->kind == N_GROUP)
        return;
    *(takes_off(option->effect) ? &f->loses : &f->spares) = true;
}

static void note(facts *f, const fzi_node *list, int depth)
{
    for (const fzi_node *node = list; node && f->left; node = node->next) {
        f->left--;
        bool taken = f->takes;
        bool once = false;
        for (const fzi_node *q = node->kind == N_OPTION ? node->quants : NULL; q; q = q->next)
            once |= is_once(q);
        switch (node->kind) {
        case N_S_ASSIGN: note_assignment(f, node); break;
        case N_S_REMOVE: case N_S_CAPTURE: f->takes |= !f->in_setup; break;
        case N_S_DIAGRAM:
            f->takes |= !f->in_setup;
            note_owner(f, NULL, NULL);
            break;
        case N_S_PUT:
            f->puts |= !f->in_setup;
            note_owner(f, node->piece, node->owner);
            break;
        case N_S_GIVE: note_owner(f, NULL, NULL); break;
        case N_OPTION: note_option(f, node); break;
        default: break;
        }
        f->becomes |= fzi_calls_primitive(node, FZI_PRIM_become);
        f->takes |= fzi_calls_primitive(node, FZI_PRIM_go) && !f->in_setup;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            note(f, node->children[i], depth);
        note_called(f, node, depth);
        f->takes = once ? taken : f->takes;
    }
}

static bool uses_piece_moves(const fzi_game *game)
{
    const fzi_symbol *moves = fzi_game_find(game, "piece_moves", -1);
    return !moves || moves->used;
}

static void note_pieces(facts *f)
{
    const fzi_game *game = f->c->game;
    for (unsigned k = 0; k < game->piece_count && uses_piece_moves(game); k++)
        for (const fzi_node *item = game->pieces[k].items; item; item = item->next) {
            f->spares |= item->kind == N_I_MOVE && item->op != FZ_T_CAPTURE;
            if (item->kind == N_I_MOVE && !item->effect && !fzi_only_empty(f->c, item->targets))
                f->takes = true;
            for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
                note(f, item->children[i], 0);
        }
}

static void collect(facts *f)
{
    for (fzi_node *decl = f->c->unit->decls; decl; decl = decl->next) {
        if (decl->kind == N_D_TEST || decl->kind == N_D_PIECE || decl->kind == N_D_INFO)
            continue;
        bool code = decl->kind == N_D_FN || decl->kind == N_D_PROC || decl->kind == N_D_MOVES;
        /* Procs and generators count where they are called. */
        if (code && (!decl->symbol || !decl->symbol->recursive))
            continue;
        f->in_setup = decl->kind == N_D_SETUP;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            note(f, decl->children[i], 0);
    }
    f->in_setup = false;
    note_pieces(f);
}

/* ---- counters in results ---- */

/* Does a node of the list, or below it, pass the test? */
typedef bool node_test(facts *f, const fzi_node *node, int depth);
static bool some(facts *f, const fzi_node *list, int depth, node_test *test)
{
    for (const fzi_node *node = list; node && f->left; node = node->next) {
        f->left--;
        if (test(f, node, depth))
            return true;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            if (some(f, node->children[i], depth, test))
                return true;
    }
    return false;
}

static bool counts(facts *f, const fzi_node *node, int depth);

static bool name_counts(facts *f, const fzi_symbol *symbol, int depth)
{
    if (!symbol || depth > MAX_DEPTH)
        return false;
    if (symbol->kind == FZI_SYM_PRIMITIVE)
        return symbol->value == FZI_PRIM_turns || symbol->value == FZI_PRIM_repetitions ||
               symbol->value == FZI_PRIM_board_repetitions ||
               symbol->value == FZI_PRIM_repetitions_since;
    if (symbol->kind == FZI_SYM_VAR) {
        const change *found = change_of(f, symbol);
        return found && (found->grows || found->shrinks);
    }
    if ((symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_FN) && !symbol->recursive)
        return some(f, symbol->node->value, depth + 1, counts) ||
               (symbol->kind == FZI_SYM_FN && some(f, symbol->node->body, depth + 1, counts));
    return false;
}

/* Does the expression depend on something that counts? */
static bool counts(facts *f, const fzi_node *node, int depth)
{
    return (node->kind == N_E_NAME || node->kind == N_E_CALL) &&
           name_counts(f, node->symbol, depth);
}

static bool ends(facts *f, const fzi_node *node, int depth)
{
    switch (node->kind) {
    case N_S_WIN: case N_S_LOSE: case N_S_DRAW: case N_S_RANK: case N_S_OUT: return true;
    case N_S_CALL:
        return node->symbol && node->symbol->kind == FZI_SYM_PROC && depth < MAX_DEPTH &&
               some(f, node->symbol->node->body, depth + 1, ends);
    default: return false;
    }
}

/* `if me == last(player)`: the result comes in the turn of one player. */
static bool is_turn_of(const fzi_node *condition)
{
    const fzi_node *side = condition->left;
    if (condition->kind != N_E_BINARY || condition->op != FZ_T_EQ ||
        !(fzi_names_primitive(side, FZI_PRIM_me) || fzi_names_primitive(side, FZI_PRIM_mover)))
        return false;
    const fzi_symbol *other = condition->right->symbol;
    return other && (other->kind == FZI_SYM_PLAYER ||
                     (other->kind == FZI_SYM_PRIMITIVE && (other->value == FZI_PRIM_last ||
                                                           other->value == FZI_PRIM_first)));
}

/* A result under a condition that counts. */
static bool ends_counted(facts *f, const fzi_node *node, int depth)
{
    if (node->kind == N_S_IF && some(f, node->then, 0, ends) &&
        (is_turn_of(node->condition) || some(f, node->condition, 0, counts)))
        return true;
    return node->kind == N_S_CALL && node->symbol && node->symbol->kind == FZI_SYM_PROC &&
           depth < MAX_DEPTH && some(f, node->symbol->node->body, depth + 1, ends_counted);
}

/* ---- sets and counters that go one way ---- */

static bool goes_one_way(const facts *f, unsigned at)
{
    const fzi_symbol *symbol = f->c->game->vars[at];
    const change *found = &f->vars[at];
    bool bounded = symbol->type && (symbol->type->kind == FZI_TYPE_SET ||
                                    (symbol->type->kind == FZI_TYPE_INT &&
                                     symbol->type != f->c->game->type_int));
    bool of_sites = symbol->index_count == 1 && symbol->index[0]->kind == FZI_TYPE_SITE &&
                    !(symbol->node->flags & FZ_NODE_CARRIED);
    if (of_sites && found->marks && !found->unmarks && !found->grows && !found->shrinks)
        return true; /* sites that have been visited */
    return bounded && !found->set && found->grows != found->shrinks;
}

/* ---- pieces that only go forward ---- */

typedef struct ways {
    bool forward, other;
    unsigned left;
} ways;

static void note_ways(ways *w, const fzi_node *list, int depth)
{
    for (const fzi_node *node = list; node && w->left; node = node->next) {
        w->left--;
        const fzi_symbol *symbol = node->kind == N_E_NAME || node->kind == N_E_CALL ? node->symbol
                                                                                   : NULL;
        if (symbol && symbol->kind == FZI_SYM_PRIMITIVE) {
            int64_t p = symbol->value;
            w->forward |= p == FZI_PRIM_forward || p == FZI_PRIM_forward_left ||
                          p == FZI_PRIM_forward_right;
            w->other |= p == FZI_PRIM_orthogonal || p == FZI_PRIM_diagonal ||
                        p == FZI_PRIM_adjacent || p == FZI_PRIM_backward ||
                        p == FZI_PRIM_backward_left || p == FZI_PRIM_backward_right ||
                        p == FZI_PRIM_leap || p == FZI_PRIM_ride || p == FZI_PRIM_flood;
        }
        w->other |= symbol && symbol->kind == FZI_SYM_DIR;
        bool follows = symbol && (symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_FN) &&
                       symbol->span.source && symbol->type &&
                       (symbol->type->kind == FZI_TYPE_DIR || symbol->type->kind == FZI_TYPE_SET);
        if (follows && depth < MAX_DEPTH)
            note_ways(w, symbol->node->value, depth + 1);
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            note_ways(w, node->children[i], depth);
    }
}

static bool goes_forward(const fzi_piece *piece)
{
    for (const fzi_node *item = piece->items; item; item = item->next) {
        ways found = {.left = MAX_WORK / 100};
        if (item->kind == N_I_MOVES)
            return false;
        if (item->kind != N_I_MOVE)
            continue;
        note_ways(&found, item->targets, 0);
        if (!found.forward || found.other || !found.left)
            return false;
    }
    return piece->items != NULL;
}

static bool some_player_runs_out(const facts *f)
{
    const fzi_game *game = f->c->game;
    for (unsigned p = 0; p < game->player_count && !f->becomes; p++) {
        bool some = false, all = true;
        for (unsigned k = 0; k < game->piece_count; k++) {
            if (!(f->owners[k] >> p & 1))
                continue;
            some = true;
            all &= goes_forward(&game->pieces[k]);
        }
        if (some && all)
            return true;
    }
    return false;
}

/* ---- the warnings ---- */

static bool has_reason(facts *f)
{
    const fzi_game *game = f->c->game;
    if (game->limit || (f->puts && !f->takes) || (f->loses && !f->spares && !f->puts) ||
        some_player_runs_out(f))
        return true;
    for (unsigned i = 0; i < game->var_count; i++)
        if (goes_one_way(f, i))
            return true;
    return (game->end && some(f, game->end->body, 0, ends_counted)) ||
           (game->turn && some(f, game->turn->body, 0, ends_counted));
}

static void check_ending(facts *f)
{
    const fzi_game *game = f->c->game;
    if (!game->turn || has_reason(f) || !f->left)
        return;
    const fzi_node *at = game->end ? game->end : game->turn;
    fzi_span place = at->span.source == f->c->own_source ? fzi_first_word(f->c, at->span)
                                                         : f->c->unit->header_span;
    fzi_diag *diag = fzi_error(f->c->diags, place, FZ_W_NO_LIMIT);
    fzi_hint_declaration(f->c, diag, "limit 1000 turns draw;");
}

/* `var hand: 0..9;` and nothing but `hand -= 1;`. */
static void check_falling(facts *f, unsigned at)
{
    fzi_checker *c = f->c;
    const fzi_symbol *symbol = c->game->vars[at];
    const change *found = &f->vars[at];
    const fzi_node *node = symbol->node;
    int64_t first = symbol->type ? symbol->type->low : 0;
    if (!symbol->type || symbol->type->kind != FZI_TYPE_INT || symbol->type == c->game->type_int ||
        symbol->span.source != c->own_source || found->set || found->prepared ||
        found->grows == found->shrinks)
        return;
    if (node->value && (node->value->kind == N_E_LIST || node->value->kind == N_E_KEYS ||
                        !fzi_constant(c, node->value, &first)))
        return;
    if (first != (found->shrinks ? symbol->type->low : symbol->type->high))
        return;
    fzi_error(c->diags, symbol->span, FZ_W_BEYOND_RANGE, symbol->name,
              found->shrinks ? "lowest" : "highest", found->shrinks ? "decreased" : "increased",
              fzi_signature(c, symbol), (long long)symbol->type->low, (long long)symbol->type->high,
              (long long)(found->shrinks ? symbol->type->high : symbol->type->low));
}

void fzi_check_termination(fzi_checker *c)
{
    const fzi_game *game = c->game;
    facts f = {.c = c, .left = MAX_WORK};
    if (game->player_count > 63)
        return;
    f.vars = fzi_arena_alloc(c->arena, sizeof *f.vars * (game->var_count + 1));
    f.owners = fzi_arena_alloc(c->arena, sizeof *f.owners * (game->piece_count + 1));
    collect(&f);
    check_ending(&f);
    for (unsigned i = 0; i < game->var_count && f.left; i++)
        check_falling(&f, i);
}
