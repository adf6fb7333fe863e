/* Warns about names that are never used, code that is never reached, and choices that may have no
 * move and no `otherwise`. */
#include "whole_game.h"

#include "grammar/check/statements.h"

/* ---- never used ---- */

static void say_local(fzi_checker *c, const fzi_entry *entry)
{
    const fzi_symbol *symbol = &entry->symbol;
    if (symbol->local == FZI_LOCAL_PARAM) {
        fzi_diag *diag = fzi_error(c->diags, symbol->span, FZ_W_UNUSED_PARAMETER, symbol->name);
        fzi_hint_edit(diag, NULL, "_%s", symbol->name);
        return;
    }
    bool set = symbol->local == FZI_LOCAL_VAR && entry->written;
    fzi_error(c->diags, symbol->span, set ? FZ_W_NEVER_READ : FZ_W_UNUSED_DECL, symbol->name);
}

static void mark_global(fzi_checker *c, const char *name)
{
    for (fzi_entry *e = fzi_scope_find(c->scope, name, c->own_source); e;
         e = fzi_scope_next(c->scope, e, name, c->own_source))
        e->symbol.used = true;
}

static void mark_names(void *user, fzi_node *node)
{
    if (node->name)
        mark_global(user, node->name);
}

/* Marks the names in `info { fen "..."; }`, such as variables, as used. */
static void mark_fen(fzi_checker *c, const fzi_node *info)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (const fzi_node *entry = info->entries; entry; entry = entry->next) {
        if (strcmp(entry->name, "fen") != 0)
            continue;
        for (const char *at = entry->text; *(at += strcspn(at, letters)); at += strspn(at, letters))
            mark_global(c, fzi_intern(c->arena, at, strspn(at, letters)));
    }
}

/* Names under `when` and in tests count as used, also for other options. */
static void mark_elsewhere(fzi_checker *c)
{
    for (fzi_node *decl = c->unit->file->decls; decl; decl = decl->next) {
        if (decl->kind == N_D_WHEN || decl->kind == N_D_PLAYERS) {
            fzi_walk_below(decl, mark_names, c);
        } else if (decl->kind == N_D_INFO) {
            mark_fen(c, decl);
        } else if (decl->kind == N_D_BOARD) {
            fzi_walk(decl->board, mark_names, c);
        } else if (decl->kind == N_D_OPTION && decl->declared_type) {
            fzi_walk(decl->declared_type, mark_names, c);
            fzi_walk(decl->value, mark_names, c);
        }
    }
    for (fzi_node *test = c->unit->tests; test; test = test->next)
        if (!fzi_test_applies(c->game, test))
            fzi_walk(test->steps, mark_names, c);
}

static bool some_value_used(const fzi_symbol *symbol)
{
    const fzi_node *values =
        symbol->kind == FZI_SYM_DIE ? symbol->node->faces : symbol->node->values;
    for (const fzi_node *value = values; value; value = value->next) {
        const fzi_symbol *member = value->kind == N_FACE ? value->value->symbol : value->symbol;
        if (member && member->used)
            return true;
    }
    return false;
}

/* Positions are compared if the unit uses one of these names. */
static bool compares_positions(const fzi_checker *c)
{
    static const char *const names[] = {"repetitions", "repetitions_since"};
    for (unsigned i = 0; i < 2; i++) {
        const fzi_symbol *symbol = fzi_game_find(c->game, names[i], -1);
        if (symbol && symbol->used)
            return true;
    }
    return false;
}

static void check_global(fzi_checker *c, const fzi_entry *entry)
{
    const fzi_symbol *symbol = &entry->symbol;
    uint32_t kinds = 1u << FZI_SYM_LET | 1u << FZI_SYM_VAR | 1u << FZI_SYM_FN |
           1u << FZI_SYM_MOVES |
                     1u << FZI_SYM_PROC | 1u << FZI_SYM_EXTERN | 1u << FZI_SYM_PROPERTY |
                     1u << FZI_SYM_ENUM | 1u << FZI_SYM_DIE | 1u << FZI_SYM_OPTION;
    if (!(kinds >> symbol->kind & 1) || symbol->used || symbol->span.source != c->own_source ||
        *symbol->name == '_' ||
        fzi_node_deprecated(c->game->sources, c->arena, symbol->node) ||
        (symbol->node->flags & (FZ_NODE_OVERRIDE | FZ_NODE_MODULE)))
        return;
    bool has_values = symbol->kind == FZI_SYM_ENUM || symbol->kind == FZI_SYM_DIE ||
                      symbol->kind == FZI_SYM_OPTION;
    if (has_values && some_value_used(symbol))
        return;
    bool set = symbol->kind == FZI_SYM_VAR && entry->written;
    const fzi_node *index = set ? symbol->node->index_types : NULL;
    /* An element of a secret variable is there for its player to see. */
    if (index && symbol->node->flags & FZ_NODE_SECRET && index->type &&
        index->type->kind == FZI_TYPE_PLAYER)
        return;
    /* If positions are compared, every variable except a clock matters. */
    if (set && compares_positions(c) && !(symbol->node->flags & FZ_NODE_CLOCK))
        return;
    fzi_error(c->diags, symbol->span, set ? FZ_W_NEVER_READ : FZ_W_UNUSED_DECL, symbol->name);
}

/* ---- choices that can run out of moves ---- */

enum { MAX_LOOK = 20 };

static bool surely_some(const fzi_checker *c, const fzi_node *set, int depth)
{
    int64_t low, high;
    if (depth > MAX_LOOK)
        return false;
    switch (set->kind) {
    case N_E_NAME:
        if (!set->symbol)
            return false;
        if (set->symbol->kind == FZI_SYM_LET && !set->symbol->node->params)
            return surely_some(c, set->symbol->node->value, depth + 1);
        return (FZI_KINDS_TYPE | FZI_KINDS_MEMBER) >> set->symbol->kind & 1 ||
               (set->symbol->kind == FZI_SYM_PRIMITIVE && set->symbol->value >= FZI_PRIM_corners &&
                set->symbol->value <= FZI_PRIM_centre);
    case N_E_SET:
        for (const fzi_node *member = set->members; member; member = member->next)
            if (member->kind == N_E_INT || (member->kind == N_E_NAME &&
                                            surely_some(c, member, depth + 1)) ||
                (member->type && member->type->kind == FZI_TYPE_INT))
                return true;
        return false;
    case N_E_BINARY:
        if (set->op == FZ_T_RANGE)
            return fzi_constant(c, set->left, &low) && fzi_constant(c, set->right, &high) &&
                   low <= high;
        return set->op == FZ_T_UNITE &&
               (surely_some(c, set->left, depth + 1) || surely_some(c, set->right, depth + 1));
    case N_E_CALL: /* rank(2): that there is such a set has been checked */
        return set->symbol && set->symbol->kind == FZI_SYM_PRIMITIVE &&
               set->symbol->value >= FZI_PRIM_rank && set->symbol->value <= FZI_PRIM_layer &&
               fzi_constant(c, set->arguments, &low);
    default:
        return false;
    }
}

typedef struct tested_names {
    fzi_checker *c;
    const char *items[16];
    unsigned count;
} tested_names;

/* `empty == {}` in `end`: the game ends before the set is used. */
static void note_tested(void *user, fzi_node *node)
{
    tested_names *tested = user;
    if (node->kind != N_E_BINARY || node->op != FZ_T_EQ || node->left->kind != N_E_NAME ||
        node->right->kind != N_E_SET || node->right->members || tested->count == 16)
        return;
    tested->items[tested->count++] = node->left->name;
}

static bool depends_on(const fzi_node *list, const tested_names *tested, int depth)
{
    if (depth > MAX_LOOK)
        return false;
    for (const fzi_node *node = list; node; node = node->next) {
        for (unsigned i = 0; node->kind == N_E_NAME && i < tested->count; i++)
            if (node->name == tested->items[i])
                return true;
        if (node->kind == N_E_NAME && node->symbol && node->symbol->kind == FZI_SYM_LET &&
            depends_on(node->symbol->node->value, tested, depth + 1))
            return true;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            if (depends_on(node->children[i], tested, depth + 1))
                return true;
    }
    return false;
}

static bool has_sure_move(const fzi_checker *c, const fzi_node *options, const tested_names *tested,
                          int depth);

static bool is_sure(const fzi_checker *c, const fzi_node *option, const tested_names *tested,
                    int depth)
{
    int64_t value;
    for (const fzi_node *quant = option->quants; quant; quant = quant->next) {
        if (quant->kind == N_Q_IF && !(fzi_constant(c, quant->condition, &value) && value))
            return false;
        if (quant->kind != N_Q_FOR)
            continue;
        for (const fzi_node *binder = quant->binders; binder; binder = binder->next)
            if (!surely_some(c, binder->set, 0) && !depends_on(binder->set, tested, 0))
                return false;
    }
    const fzi_node *inner = option->effect;
    if (inner->kind == N_GROUP)
        return has_sure_move(c, inner->options, tested, depth + 1);
    if (inner->kind != N_GENERATOR)
        return true;
    const fzi_symbol *symbol = inner->symbol;
    return symbol && symbol->kind == FZI_SYM_MOVES &&
           (!symbol->node->filters || symbol->node->filters->op != FZ_T_ENSURING) &&
           has_sure_move(c, symbol->node->options, tested, depth + 1);
}

static bool has_sure_move(const fzi_checker *c, const fzi_node *options, const tested_names *tested,
                          int depth)
{
    if (depth > MAX_LOOK)
        return false;
    for (const fzi_node *option = options; option; option = option->next)
        if (is_sure(c, option, tested, depth))
            return true;
    return false;
}

static void say_judged_before(fzi_checker *c, const fzi_node *filter)
{
    fzi_error(c->diags, filter->span, FZ_W_FILTER_CHANCE,
              filter->op == FZ_T_ENSURING ? "ensuring" : "keeping");
}

static void check_choose(fzi_checker *c, const fzi_node *node, const tested_names *tested)
{
    static const tested_names none = {.count = 0};
    uint32_t effects = 0;
    for (const fzi_node *option = node->options; option; option = option->next)
        effects |= option->effects;
    for (const fzi_node *filter = node->filters; filter; filter = filter->next)
        if (effects & FZI_CHANCE)
            say_judged_before(c, filter);
    bool ensures = node->filters && node->filters->op == FZ_T_ENSURING;
    if (node->otherwise && !ensures && has_sure_move(c, node->options, &none, 0)) {
        fzi_diag *diag =
            fzi_error(c->diags, fzi_first_word(c, node->otherwise->span), FZ_W_UNREACHABLE);
        fzi_note_at(diag, fzi_first_word(c, node->span), "there is always a move here");
    }
    if (node->otherwise || (!ensures && has_sure_move(c, node->options, tested, 0)))
        return;
    fzi_diag *diag = fzi_error(c->diags, fzi_first_word(c, node->span), FZ_W_MISSING_OTHERWISE,
                               c->game->team_count > 2 ? "out" : "lose",
                               node->player ? fzi_quote(c, node->player) : "me");
    /* The semicolon of `choose x;` goes: the statement after `otherwise` has its own. That of an
     * effect stays. */
    const fzi_source *source = fzi_source_at(c->game->sources, node->span.source);
    const fzi_node *last = node->options;
    while (last && last->next)
        last = last->next;
    bool own = node->filters || (last && last->effect->kind == N_GENERATOR && !last->then_effect);
    fzi_span end = fzi_after(node->span);
    end.start -= own && source && end.end && source->text[end.end - 1] == ';';
    fzi_hint_edit(diag, &end, " otherwise {}");
}

/* ---- never reached ---- */

static void check_block(fzi_checker *c, const fzi_node *block)
{
    for (const fzi_node *stmt = block->stmts; stmt && stmt->next; stmt = stmt->next) {
        if (fzi_goes_on(c, stmt))
            continue;
        fzi_diag *diag = fzi_error(c->diags, stmt->next->span, FZ_W_UNREACHABLE);
        fzi_note_at(diag, stmt->span, "nothing runs after this");
        return;
    }
}

static bool is_choice(const fzi_node *node, const void *unused)
{
    (void)unused;
    return node->symbol &&
           (node->symbol->kind == FZI_SYM_OPTION || node->symbol->kind == FZI_SYM_LET);
}

/* An option whose condition never holds, whatever the options of the game are. */
static void check_option(fzi_checker *c, const fzi_node *option)
{
    for (fzi_node *quant = option->quants; quant; quant = quant->next) {
        int64_t value;
        if (quant->kind == N_Q_IF && fzi_constant(c, quant->condition, &value) && !value &&
            !fzi_tree_any(quant->condition, is_choice, NULL))
            fzi_error(c->diags, quant->span, FZ_W_EMPTY_OPTION);
    }
}

static void check_node(void *user, fzi_node *node)
{
    const tested_names *tested = user;
    fzi_checker *c = tested->c;
    if (node->span.source != c->own_source)
        return;
    if (node->kind == N_S_CHOOSE)
        check_choose(c, node, tested);
    else if (node->kind == N_S_BLOCK)
        check_block(c, node);
    else if (node->kind == N_OPTION)
        check_option(c, node);
}

static void check_generator(fzi_checker *c, const fzi_node *decl)
{
    uint32_t effects = 0;
    for (const fzi_node *option = decl->options; option; option = option->next)
        effects |= option->effects;
    for (const fzi_node *filter = decl->filters; filter && (effects & FZI_CHANCE);
         filter = filter->next)
        say_judged_before(c, filter);
}

void fzi_check_unused(fzi_checker *c)
{
    tested_names tested = {.c = c};
    if (c->diags->errors)
        return; /* the wrong code may be the one that uses them */
    if (c->game->end)
        fzi_walk(c->game->end->body, note_tested, &tested);
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next) {
        if (decl->span.source != c->own_source)
            continue;
        if (decl->kind == N_D_MOVES)
            check_generator(c, decl);
        fzi_walk_below(decl, check_node, &tested);
    }
    for (const fzi_entry *e = c->unused; e; e = e->following)
        say_local(c, e);
    if (c->unit->is_library)
        return;
    mark_elsewhere(c);
    for (const fzi_entry *e = c->scope->first; e; e = e->following)
        check_global(c, e);
}
