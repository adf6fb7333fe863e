/* Computes effects over the graph of uses. Tarjan's search, with an explicit stack, finds cycles
 * first; then effects propagate from the used symbols to their users. */
#include "whole_game.h"

enum { FZI_RUNS = FZI_CHANCE | FZI_WRITES | FZI_DECIDES | FZI_ENDS | FZI_STOPS };

static uint32_t walk(fzi_checker *c, fzi_node *node);

static uint32_t walk_list(fzi_checker *c, fzi_node *list)
{
    uint32_t effects = 0;
    for (; list; list = list->next)
        effects |= walk(c, list);
    return effects;
}

/* ---- expressions ---- */

static bool is_secret(const fzi_symbol *symbol)
{
    return symbol && symbol->kind == FZI_SYM_VAR && symbol->node->flags & FZ_NODE_SECRET;
}

static uint32_t of_symbol(const fzi_symbol *symbol)
{
    if (!symbol)
        return 0;
    switch (symbol->kind) {
    case FZI_SYM_VAR:
        return FZI_READS_STATE | (is_secret(symbol) ? FZI_SECRET | FZI_FOREIGN : 0u);
    case FZI_SYM_EXTERN:
        return FZI_READS_STATE;
    case FZI_SYM_LOCAL:
        return symbol->effects & (FZI_SECRET | FZI_UNSEEN_BY_DECIDER | FZI_OF_ME);
    case FZI_SYM_LET: case FZI_SYM_FN: case FZI_SYM_PROC:
        return symbol->effects;
    case FZI_SYM_PRIMITIVE:
        return symbol->value < FZI_PIECE_MOVES ? fzi_primitive_effects(symbol->value) : 0;
    default:
        return 0;
    }
}

/* A change of pieces. */
static uint32_t of_pieces(const fzi_checker *c)
{
    return FZI_WRITES | (c->hides_pieces ? 0u : FZI_PUBLIC);
}

/* A slide or ride without its last argument: it goes over empty sites. */
static bool leaves_out_empty(const fzi_node *call)
{
    unsigned least, most;
    if (call->symbol->value >= FZI_PIECE_MOVES)
        return false;
    const fzi_primitive_row *row = fzi_primitive_at(call->symbol->value);
    fzi_primitive_count(row->parameters, &least, &most);
    return strchr(row->effects, 'E') && fzi_list_length(call->arguments) <= least;
}

static uint32_t of_call(fzi_checker *c, const fzi_node *node)
{
    uint32_t effects = walk_list(c, node->arguments) |
                       fzi_foreign_use(c, node->symbol, of_symbol(node->symbol)) |
                       fzi_foreign_arguments(c, node->symbol, node->arguments);
    if (!node->symbol || node->symbol->kind != FZI_SYM_PRIMITIVE)
        return effects;
    if (node->symbol->value == FZI_PRIM_reveal)
        effects = (effects & ~(uint32_t)(FZI_SECRET | FZI_UNSEEN_BY_DECIDER | FZI_OF_ME)) |
                  FZI_REVEALS;
    if (leaves_out_empty(node))
        effects |= FZI_READS_STATE;
    if (effects & FZI_WRITES)
        effects |= of_pieces(c);
    if (node->symbol->value == FZI_PRIM_go)
        effects |= c->hook->symbol.effects;
    if (node->symbol->value == FZI_PRIM_can && node->arguments && node->arguments->symbol)
        effects |= fzi_foreign_use(c, node->arguments->symbol,
                                   node->arguments->symbol->effects & ~(uint32_t)FZI_RUNS);
    return effects;
}

/* An element of a secret variable is foreign if its player is another one, or if it has none. */
static uint32_t of_index(fzi_checker *c, fzi_node *node)
{
    uint32_t array = walk_list(c, node->primary), indexes = walk_list(c, node->indexes);
    const fzi_symbol *symbol = node->primary->symbol;
    if (is_secret(symbol) && node->indexes->type && node->indexes->type->kind == FZI_TYPE_PLAYER)
        array = (array & ~(uint32_t)FZI_FOREIGN) | fzi_foreign_element(c, node->indexes);
    return array | indexes | fzi_foreign_arguments(c, symbol, node->indexes);
}

/* ---- options ---- */

/* Effects of quantifiers that have been walked. `*mask` loses the use of `me` after an `as`. */
static uint32_t listed_quants(const fzi_node *list, uint32_t *mask)
{
    uint32_t effects = 0;
    for (const fzi_node *quant = list; quant; quant = quant->next) {
        effects |= quant->effects & *mask;
        if (quant->kind == N_Q_AS)
            *mask = ~(uint32_t)(FZI_USES_ME | FZI_OF_ME | FZI_OF_OTHER);
    }
    return effects;
}

static uint32_t of_quants(fzi_checker *c, fzi_node *list, uint32_t *mask)
{
    walk_list(c, list);
    return listed_quants(list, mask);
}

static uint32_t of_option(fzi_checker *c, fzi_node *option)
{
    const fzi_node *outer = c->as;
    const unsigned guards = c->guards;
    uint32_t mask = ~0u, effects = of_quants(c, option->quants, &mask);
    effects |= walk(c, option->effect) & mask;
    if (option->label)
        effects |= walk(c, option->label) & mask;
    if (option->then_effect)
        effects |= walk(c, option->then_effect) & mask;
    c->as = outer;
    c->guards = guards;
    return effects;
}

static uint32_t of_move_item(fzi_checker *c, fzi_node *item)
{
    uint32_t mask = ~0u, effects = walk(c, item->targets);
    effects |= of_quants(c, item->quants, &mask);
    if (item->label)
        effects |= walk(c, item->label) & mask;
    if (item->effect)
        effects |= walk(c, item->effect) & mask;
    if (!item->effect || item->kind == N_I_AT)
        effects |= (FZI_WRITES | c->hook->symbol.effects) & mask;
    return effects;
}

static uint32_t listed(const fzi_node *list);

/* The effects of listing an option's moves, and of running one. Its nodes have been walked. */
static uint32_t listed_one(const fzi_node *option)
{
    uint32_t mask = ~0u, effects = listed_quants(option->quants, &mask);
    const fzi_node *inner = option->effect;
    if (inner->kind == N_GROUP) {
        effects |= listed(inner->options) & mask;
    } else if (inner->kind == N_GENERATOR) {
        for (const fzi_node *argument = inner->arguments; argument; argument = argument->next)
            effects |= argument->effects & mask;
        effects |= (inner->symbol ? inner->symbol->effects : 0) & mask;
    } else {
        effects |= inner->effects & FZI_RUNS;
    }
    return effects | (option->then_effect ? option->then_effect->effects & FZI_RUNS : 0);
}

static uint32_t listed(const fzi_node *list)
{
    uint32_t effects = 0;
    for (; list; list = list->next)
        effects |= listed_one(list);
    return effects;
}

static uint32_t listed_item(const fzi_node *item)
{
    uint32_t mask = ~0u;
    switch (item->kind) {
    case N_I_MOVE: case N_I_AT:
        return item->targets->effects | (item->effects & FZI_RUNS) |
               listed_quants(item->quants, &mask);
    case N_I_MOVES:
        return listed(item->options);
    case N_I_AFTER:
        return item->effects & FZI_RUNS;
    default:
        return 0;
    }
}

/* ---- statements ---- */

/* A local whose value comes from a secret; `viewers` hides the chance in it. */
static void note_secret(fzi_checker *c, const fzi_node *value, fzi_symbol *local,
                        const fzi_node *viewers)
{
    if (!local || local->kind != FZI_SYM_LOCAL || !value)
        return;
    local->effects |= value->effects & (FZI_SECRET | FZI_UNSEEN_BY_DECIDER | FZI_OF_ME);
    if (viewers && value->effects & FZI_CHANCE)
        local->effects |= FZI_SECRET | fzi_foreign_element(c, viewers);
}

/* What everybody sees: not a secret variable, not a value that is hidden with its piece. */
static bool is_public(const fzi_symbol *symbol)
{
    return symbol && symbol->kind == FZI_SYM_VAR &&
           !(symbol->node->flags & (FZ_NODE_SECRET | FZ_NODE_CARRIED));
}

/* Members of the set that a loop goes through. */
static uint32_t of_loop(fzi_checker *c, fzi_node *node)
{
    uint32_t effects = walk_list(c, node->binders);
    for (fzi_node *binder = node->binders; binder; binder = binder->next)
        note_secret(c, binder->set, binder->symbol, NULL);
    return effects | walk(c, node->body);
}

static uint32_t of_let(fzi_checker *c, fzi_node *node)
{
    uint32_t effects = walk_list(c, node->bindings) | walk_list(c, node->viewers);
    for (fzi_node *bound = node->bindings; bound; bound = bound->next)
        note_secret(c, bound->value, bound->symbol, node->viewers);
    return effects;
}

static uint32_t of_children(fzi_checker *c, fzi_node *node)
{
    uint32_t effects = 0;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        effects |= walk_list(c, node->children[i]);
    return effects;
}

/* A name that goes through all players; with a condition, it may be one of them. */
static uint32_t of_binder(fzi_checker *c, fzi_node *node)
{
    uint32_t effects = walk(c, node->set);
    if (node->symbol)
        node->symbol->effects |= fzi_players_of(c, node->set);
    return effects;
}

static uint32_t of_over(fzi_checker *c, fzi_node *node)
{
    uint32_t effects = walk_list(c, node->binders);
    for (fzi_node *binder = node->binders; node->condition && binder; binder = binder->next)
        if (binder->symbol)
            binder->symbol->effects = fzi_players_where(binder->symbol->effects, binder->symbol,
                                                        node->condition);
    effects |= walk_list(c, node->condition) | walk_list(c, node->body);
    return effects | (node->op == FZ_T_RANDOM ? (uint32_t)FZI_CHANCE : 0);
}

/* From here on, `me` is another player. One inside of another is not followed. */
static void enter_as(fzi_checker *c, const fzi_node *player)
{
    static const fzi_node nobody = {.kind = N_E_ERROR};
    c->as = c->as ? &nobody : player;
}

/* From here on, `me` is another player than around the choice. */
static uint32_t of_as(fzi_checker *c, fzi_node *quant)
{
    uint32_t effects = walk(c, quant->player);
    enter_as(c, quant->player);
    return effects;
}

static uint32_t of_choose(fzi_checker *c, fzi_node *node)
{
    const fzi_node *outer = c->choice, *as = c->as;
    uint32_t effects = walk_list(c, node->player);
    c->choice = node;
    c->as = NULL;
    effects |= walk_list(c, node->options) | walk_list(c, node->filters);
    c->choice = outer;
    c->as = as;
    return effects | walk_list(c, node->otherwise) | FZI_DECIDES | FZI_READS_STATE;
}

static uint32_t of_generator(fzi_checker *c, fzi_node *node)
{
    uint32_t effects = walk_list(c, node->arguments);
    if (!node->symbol)
        return effects;
    const uint32_t of_players = node->symbol->effects & (FZI_OF_ME | FZI_OF_OTHER);
    const uint32_t own = node->symbol->effects & FZI_OF_ME;
    effects |= fzi_foreign_arguments(c, node->symbol, node->arguments);
    effects |= fzi_foreign_use(c, node->symbol, of_players);
    if (c->choice && fzi_foreign_use(c, node->symbol, own) & FZI_FOREIGN)
        effects |= FZI_GENERATES_FOREIGN;
    return effects | (fzi_entry_of(node->symbol)->full &
                      ~(uint32_t)(FZI_OF_ME | FZI_OF_OTHER | FZI_GENERATES_FOREIGN));
}

/* A condition below which not every player may come. */
static bool is_guard(const fzi_node *node)
{
    return node->kind == N_S_IF || node->kind == N_S_WHILE || node->kind == N_E_IF ||
           (node->kind == N_E_BINARY && (node->op == FZ_T_AND || node->op == FZ_T_OR));
}

static uint32_t of_node(fzi_checker *c, fzi_node *node)
{
    switch (node->kind) {
    case N_E_NAME: return fzi_foreign_use(c, node->symbol, of_symbol(node->symbol));
    case N_E_MEMBER: return 0;
    case N_E_CALL: case N_S_CALL: return of_call(c, node);
    case N_E_INDEX: return of_index(c, node);
    case N_E_AS: case N_S_AS: case N_OPTION: case N_I_MOVE: case N_I_AT:
        break;
    case N_E_OVER: return of_over(c, node);
    case N_BINDER: return of_binder(c, node);
    case N_E_SET_FOR:
        if (node->symbol)
            node->symbol->effects |= fzi_players_of(c, node);
        return of_children(c, node);
    case N_Q_AS: return of_as(c, node);
    case N_GENERATOR: return of_generator(c, node);
    case N_S_CHOOSE: return of_choose(c, node);
    case N_S_LET: return of_let(c, node);
    case N_S_FOR: return of_loop(c, node);
    case N_S_VAR: case N_BOUND: {
        uint32_t effects = of_children(c, node);
        note_secret(c, node->value, node->symbol, node->kind == N_S_VAR ? node->viewers : NULL);
        if (node->kind == N_BOUND && node->symbol && node->symbol->kind == FZI_SYM_LOCAL)
            node->symbol->effects |= fzi_player_effects(node->value);
        return effects;
    }
    case N_S_ASSIGN: {
        uint32_t effects = of_children(c, node);
        note_secret(c, node->value, node->symbol, node->viewers);
        return effects |
               (node->symbol && node->symbol->kind == FZI_SYM_VAR ? (uint32_t)FZI_WRITES : 0) |
               (is_public(node->symbol) ? (uint32_t)FZI_PUBLIC : 0);
    }
    case N_S_CAPTURE:
        return of_children(c, node) | of_pieces(c) | c->hook->symbol.effects;
    case N_S_PUT: case N_S_GIVE: case N_S_REMOVE: case N_S_DIAGRAM:
        return of_children(c, node) | of_pieces(c);
    case N_S_NEXT: case N_S_AGAIN: case N_S_OUT:
        return of_children(c, node) | FZI_WRITES | FZI_PUBLIC;
    case N_S_STOP: return FZI_STOPS;
    case N_S_WIN: case N_S_LOSE: case N_S_DRAW: case N_S_RANK: return of_children(c, node) |
           FZI_ENDS;
    default: return of_children(c, node);
    }
    if (node->kind == N_OPTION)
        return of_option(c, node);
    if (node->kind == N_I_MOVE || node->kind == N_I_AT)
        return of_move_item(c, node);
    uint32_t player = walk(c, node->player);
    const fzi_node *outer = c->as;
    enter_as(c, node->player);
    uint32_t body = walk(c, node->body);
    c->as = outer;
    return player | (body & ~(uint32_t)FZI_USES_ME);
}

static uint32_t walk(fzi_checker *c, fzi_node *node)
{
    bool expression = node->kind >= N_E_INT && node->kind <= N_E_ERROR && node->kind != N_KEY &&
                      node->kind != N_ROW && node->kind != N_EDGE &&
                      node->kind != N_PART;
    if (expression && !node->type)
        node->type = c->game->type_poison;
    if (expression && node->type->kind == FZI_TYPE_OFF)
        node->type = c->game->type_site;
    c->guards += is_guard(node);
    node->effects = of_node(c, node);
    c->guards -= is_guard(node);
    c->guards += node->kind == N_Q_IF; /* guards what follows; of_option ends it */
    return node->effects;
}

/* ---- symbols ---- */

static void walk_pieces(fzi_checker *c)
{
    uint32_t full = FZI_READS_STATE | FZI_USES_ME, effects = full;
    for (unsigned i = 0; i < c->game->piece_count; i++) {
        for (fzi_node *item = c->game->pieces[i].items; item; item = item->next) {
            full |= walk(c, item);
            effects |= listed_item(item);
        }
    }
    c->piece_moves->full = full;
    c->piece_moves->symbol.effects = effects;
}

static void walk_symbol(fzi_checker *c, fzi_entry *entry)
{
    fzi_symbol *symbol = &entry->symbol;
    fzi_node *node = symbol->node;
    if (entry == c->piece_moves) {
        walk_pieces(c);
    } else if (entry == c->moves_of) {
        entry->full = c->piece_moves->full;
        symbol->effects = c->piece_moves->symbol.effects;
    } else if (entry == c->hook) {
        entry->full = symbol->effects =
            c->game->on_capture ? walk(c, c->game->on_capture->body) : 0;
    } else if (symbol->kind == FZI_SYM_MOVES) {
        entry->full = walk_list(c, node->options) | walk_list(c, node->filters);
        symbol->effects = listed(node->options);
        for (const fzi_node *filter = node->filters; filter; filter = filter->next)
            symbol->effects |= filter->effects;
    } else if (symbol->kind == FZI_SYM_LET) {
        entry->full = symbol->effects = walk(c, node->value);
    } else if (symbol->kind == FZI_SYM_FN || symbol->kind == FZI_SYM_PROC) {
        bool is_expression = node->kind == N_D_FN && node->value;
        entry->full = symbol->effects = walk(c, is_expression ? node->value : node->body);
    }
    node = symbol->node;
    if (node)
        node->effects = symbol->effects;
}

/* ---- the graph ---- */

typedef struct search {
    fzi_checker *c;
    bool gathering;       /* along edges that gather only */
    uint32_t count;
    struct frame {
        fzi_entry *entry;
        fzi_edge *edge;
    } *frames;
    size_t frame_count, frame_capacity;
    fzi_entry **stack;
    size_t stack_count, stack_capacity;
    void (*found)(struct search *s, fzi_entry **members, size_t count);
} search;

static void enter(search *s, fzi_entry *entry)
{
    fzi_arena *arena = s->c->arena;
    *FZI_MORE(arena, s->frames, s->frame_count, s->frame_capacity) =
        (struct frame){entry, entry->edges};
    *FZI_MORE(arena, s->stack, s->stack_count, s->stack_capacity) = entry;
    entry->order = entry->low = ++s->count;
    entry->on_stack = true;
}

/* Everything reachable from the entry is done. Is it the first of a cycle? */
static void leave(search *s, fzi_entry *entry)
{
    if (entry->low != entry->order)
        return;
    size_t first = s->stack_count;
    do
        s->stack[--first]->on_stack = false;
    while (s->stack[first] != entry);
    size_t count = s->stack_count - first;
    for (size_t i = 0; i < count; i++)
        s->stack[first + i]->cycle = entry;
    s->stack_count = first;
    s->found(s, s->stack + first, count);
}

static void search_from(search *s, fzi_entry *root)
{
    if (root->order)
        return;
    enter(s, root);
    while (s->frame_count) {
        struct frame *frame = &s->frames[s->frame_count - 1];
        fzi_edge *edge = frame->edge;
        if (!edge) {
            fzi_entry *done = frame->entry;
            s->frame_count--;
            leave(s, done);
            if (s->frame_count && done->low < s->frames[s->frame_count - 1].entry->low)
                s->frames[s->frame_count - 1].entry->low = done->low;
            continue;
        }
        frame->edge = edge->next;
        if (s->gathering && !edge->gathers)
            continue;
        if (!edge->to->order)
            enter(s, edge->to);
        else if (edge->to->on_stack && edge->to->order < frame->entry->low)
            frame->entry->low = edge->to->order;
    }
}

static void search_all(fzi_checker *c, bool gathering,
                       void (*found)(search *s, fzi_entry **members, size_t count))
{
    const fzi_game *game = c->game;
    search s = {.c = c, .gathering = gathering, .found = found};
    for (int round = 0; round < 2; round++) { /* first forgets an earlier search */
        for (unsigned i = 0; i < game->let_count + game->function_count + 3; i++) {
            fzi_entry *entry = i < game->let_count ? fzi_entry_of(game->lets[i])
                               : i < game->let_count + game->function_count
                                   ? fzi_entry_of(game->functions[i - game->let_count])
                               : i == game->let_count + game->function_count     ? c->piece_moves
                               : i == game->let_count + game->function_count + 1 ? c->moves_of
                                                                                 : c->hook;
            if (round == 0)
                entry->order = 0;
            else
                search_from(&s, entry);
        }
    }
}

/* An edge inside a cycle; NULL: the entry is in none. */
static const fzi_edge *edge_inside(const fzi_entry *entry, bool gathering)
{
    for (const fzi_edge *edge = entry->edges; edge; edge = edge->next)
        if (edge->to->cycle == entry->cycle && (edge->gathers || !gathering))
            return edge;
    return NULL;
}

/* The choices of `together` are stored until their effects run, so an effect must not lead back to
 * it. */
static void judge_together(search *s, fzi_entry **members, size_t count)
{
    fzi_checker *c = s->c;
    for (size_t i = 0; i < count; i++)
        for (const fzi_edge *edge = members[i]->edges; edge; edge = edge->next) {
            if (!edge->together || edge->to->cycle != members[i]->cycle ||
                fzi_diags_error_at(c->diags, edge->span))
                continue;
            fzi_diag *diag = fzi_error(c->diags, edge->span, FZ_E_TOGETHER_AGAIN);
            fzi_note_at(diag, edge->together->span, "of this 'together'");
        }
}

static void effects_of(search *s, fzi_entry **members, size_t count)
{
    bool cycle = edge_inside(members[0], false) != NULL, changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < count; i++) {
            uint32_t full = members[i]->full, effects = members[i]->symbol.effects;
            uint32_t params = members[i]->secret_params;
            s->c->walked = members[i];
            walk_symbol(s->c, members[i]);
            s->c->walked = NULL;
            changed |= cycle && (full != members[i]->full || params != members[i]->secret_params ||
                                 effects != members[i]->symbol.effects);
        }
    }
    judge_together(s, members, count);
    for (size_t i = 0; i < count && cycle; i++)
        members[i]->symbol.recursive = members[i]->symbol.kind == FZI_SYM_FN ||
                                       members[i]->symbol.kind == FZI_SYM_PROC;
}

/* A cycle of symbols that are evaluated at once. Functions may be recursive, a `let` or a generator
 * may not. */
static void judge_cycle(search *s, fzi_entry **members, size_t count)
{
    fzi_checker *c = s->c;
    fzi_entry *let = NULL, *generator = NULL;
    if (!edge_inside(members[0], true))
        return;
    for (size_t i = 0; i < count; i++) {
        int kind = members[i]->symbol.kind;
        if (members[i]->reported)
            return;
        if (kind == FZI_SYM_LET && (!let || members[i]->symbol.span.start < let->symbol.span.start))
            let = members[i];
        if (kind == FZI_SYM_MOVES && !generator)
            generator = members[i];
        if (kind == FZI_SYM_PRIMITIVE && !generator)
            generator = members[i];
    }
    fzi_entry *culprit = let ? let : generator;
    if (!culprit)
        return;
    const fzi_edge *edge = edge_inside(culprit, true);
    culprit->reported = true;
    fzi_span span = culprit->symbol.span.source ? culprit->symbol.span : edge->span;
    fzi_diag *diag = let ? fzi_error(c->diags, span, FZ_E_LET_CYCLE, culprit->symbol.name)
                         : fzi_error(c->diags, span, FZ_E_GENERATOR_IN_ITSELF,
                                     culprit->symbol.name);
    if (edge->to == culprit)
        fzi_note_at(diag, edge->span, "it is used here");
    else
        fzi_note_at(diag, edge->span, "it uses '%s' here, which leads back to it",
                    edge->to->symbol.name);
}

/* ---- what only effects can tell ---- */

static void check_items(fzi_checker *c)
{
    for (unsigned i = 0; i < c->game->piece_count; i++) {
        for (const fzi_node *item = c->game->pieces[i].items; item; item = item->next) {
            const fzi_node *wrong = NULL;
            if (item->kind == N_I_PROPERTY && item->symbol && item->value->effects)
                fzi_error(c->diags, item->value->span, FZ_E_CONSTANT_WANTED, "a property");
            if (item->kind != N_I_MOVE && item->kind != N_I_ATTACKS)
                continue;
            if (item->targets->effects & FZI_ATTACKS)
                wrong = item->targets;
            const fzi_node *quants = item->kind == N_I_MOVE ? item->quants : NULL;
            for (const fzi_node *quant = quants; quant && !wrong; quant = quant->next)
                wrong = quant->effects & FZI_ATTACKS ? quant : NULL;
            if (!wrong)
                continue;
            fzi_diag *diag = fzi_error(c->diags, wrong->span, FZ_E_ATTACKED_ITEM);
            if (item->kind == N_I_MOVE)
                fzi_hint_add(diag, "write 'moves { for to in ... => go(here, to); }'");
        }
    }
}

/* Reports calls in `end` and `limit` that roll or ask a player. */
static void check_quiet(fzi_checker *c, const fzi_node *node, const char *place)
{
    for (; node; node = node->next) {
        bool proc = (node->kind == N_S_CALL || node->kind == N_E_CALL) && node->symbol &&
                    (node->symbol->kind == FZI_SYM_PROC || node->symbol->value == FZI_PRIM_go);
        if (proc || node->kind == N_S_CAPTURE) {
            if (node->effects & FZI_CHANCE)
                fzi_error(c->diags, node->span, FZ_E_CHANCE_HERE, place);
            if (node->effects & FZI_DECIDES)
                fzi_error(c->diags, node->span, FZ_E_CHOICE_HERE, place);
        }
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            check_quiet(c, node->children[i], place);
    }
}

static void check_ends(fzi_checker *c)
{
    const fzi_game *game = c->game;
    uint32_t effects = 0;
    fzi_node *parts[] = {game->setup, game->turn, game->end, game->limit};
    for (size_t i = 0; i < 4; i++)
        effects |= parts[i] ? parts[i]->body->effects : 0;
    if (game->end)
        check_quiet(c, game->end->body, "'end'");
    if (game->limit) {
        check_quiet(c, game->limit->body, "'limit'");
        if (!(game->limit->body->effects & FZI_ENDS))
            fzi_error(c->diags, game->limit->body->span, FZ_E_LIMIT_RESULT);
    } else if (!(effects & FZI_ENDS) && !c->unit->is_library && game->turn && !c->diags->errors) {
        fzi_diag *diag = fzi_error(c->diags, c->unit->header_span, FZ_E_NO_END);
        fzi_hint_declaration(c, diag, "limit 400 turns draw;");
    }
}

/* May a turn be followed by one of another player than the next? */
static bool changes_order(const fzi_node *decls)
{
    return fzi_tree_has(decls, N_S_NEXT) || fzi_tree_has(decls, N_S_AGAIN) ||
           fzi_tree_has(decls, N_S_OUT) || fzi_tree_has(decls, N_S_STOP);
}

static void walk_roots(fzi_checker *c)
{
    const fzi_game *game = c->game;
    fzi_node *parts[] = {game->setup, game->turn, game->end, game->limit};
    c->guards = 0;
    c->alternates = game->player_count > 1 && !changes_order(c->unit->decls);
    for (size_t i = 0; i < 4; i++)
        if (parts[i]) {
            c->in_turn = parts[i] == game->turn;
            parts[i]->effects = walk(c, parts[i]->body);
        }
    c->in_turn = false;
    if (game->limit)
        walk(c, game->limit->turns);
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        if (decl->kind == N_D_BOUND)
            walk(c, decl->value);
    if (game->stacks && walk(c, game->stacks->high) &&
        !fzi_diags_error_at(c->diags, game->stacks->high->span))
        fzi_error(c->diags, game->stacks->high->span, FZ_E_CONSTANT_WANTED, "the height of stacks");
    for (unsigned i = 0; i < game->var_count; i++) {
        fzi_node *value = game->vars[i]->node->value;
        if (value && walk(c, value) && !fzi_diags_error_at(c->diags, value->span))
            fzi_error(c->diags, value->span, FZ_E_NOT_CONSTANT, game->vars[i]->name);
    }
    for (unsigned i = 0; i < game->property_count; i++) {
        fzi_node *value = game->properties[i]->node->value;
        if (value && walk(c, value))
            fzi_error(c->diags, value->span, FZ_E_CONSTANT_WANTED, "a property");
    }
    for (fzi_node *test = game->tests; test; test = test->next)
        walk_list(c, test->steps);
}

static bool replaces(const fzi_checker *c, const char *name)
{
    const fzi_symbol *symbol = fzi_game_find(c->game, name, 1);
    return symbol && symbol->node && !(symbol->node->flags & FZ_NODE_MODULE);
}

void fzi_check_effects(fzi_checker *c)
{
    c->hides_pieces = replaces(c, "unseen") || replaces(c, "invisible");
    search_all(c, true, judge_cycle);
    search_all(c, false, effects_of);
    walk_roots(c);
    check_items(c);
    check_ends(c);
}
