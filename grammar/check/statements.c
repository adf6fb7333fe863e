/* Checks statements and choices: options, quantifiers, labels, filters. */
#include "statements.h"

static void check_body(fzi_checker *c, fzi_node *stmt)
{
    if (!stmt)
        return;
    fzi_mark mark = fzi_enter(c);
    fzi_check_stmt(c, stmt);
    fzi_leave(c, mark);
}

/* The word of a statement that changes the game, in quotes; NULL: it changes nothing itself. */
static const char *written(const fzi_checker *c, const fzi_node *node)
{
    bool acts = node->kind == N_S_CHOOSE || node->kind == N_S_AS ||
                (node->kind >= N_S_PUT && node->kind <= N_S_DIAGRAM && node->kind != N_S_RETURN);
    char *word = fzi_arena_printf(c->arena, "'%s'", fzi_node_kind_name(node->kind) + 2);
    for (char *at = word; *at; at++)
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
    return acts ? word : NULL;
}

/* ---- let, var, assignment ---- */

static void check_bindings(fzi_checker *c, fzi_node *list, bool values)
{
    for (fzi_node *bound = list; bound; bound = bound->next) {
        const fzi_type *type =
            bound->declared_type ? fzi_check_type(c, bound->declared_type) : NULL;
        if (values)
            fzi_check_value(c, bound->value, type);
        else if (type)
            fzi_check_as(c, bound->value, type);
        else
            fzi_check_expr(c, bound->value, NULL);
        if (!type)
            type = bound->value->type =
                fzi_inferred_type(c, bound->value, bound->value->type, "name: sites = {}");
        fzi_bind(c, bound, FZI_LOCAL_LET, type);
    }
}

/* The players that see chance in a value. The names of the statement are not visible yet. */
static void check_viewers(fzi_checker *c, fzi_node *viewers)
{
    if (!viewers)
        return;
    const char *no_chance = c->at.no_chance;
    c->at.no_chance = no_chance ? no_chance : "'shown to'";
    const fzi_type *type = fzi_check_expr(c, viewers, NULL);
    c->at.no_chance = no_chance;
    if (type->kind != FZI_TYPE_POISON && type->kind != FZI_TYPE_NOTHING &&
        type->kind != FZI_TYPE_PLAYER && !fzi_type_is_set(type, FZI_TYPE_PLAYER))
        fzi_error(c->diags, viewers->span, FZ_E_WRONG_TYPE, "a player or a set of players",
                  type->text);
}

static void check_var(fzi_checker *c, fzi_node *node)
{
    check_viewers(c, node->viewers);
    const fzi_type *type = node->declared_type ? fzi_check_type(c, node->declared_type) : NULL;
    if (node->value)
        fzi_check_value(c, node->value, type);
    if (!type && node->value) {
        type = fzi_stored_type(c, node->value, node->value->type, "name: sites = {}");
        if (node->value->type->kind == FZI_TYPE_OFF || type->kind == FZI_TYPE_POISON)
            node->value->type = type;
    }
    fzi_bind(c, node, FZI_LOCAL_VAR, type ? type : c->game->type_int);
}

/* `winner = ...;` of an unknown name is a result. */
static bool is_result(fzi_checker *c, const fzi_node *node)
{
    static const char *const words[] = {"winner", "victor", "loser"};
    bool is_word = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is_word = is_word || strcmp(node->name, words[i]) == 0;
    if (!is_word || node->op != FZ_T_ASSIGN || node->indexes ||
        fzi_locals_find(&c->locals, node->name) ||
        fzi_find_global(c, node->name, node->span.source, ~0u))
        return false;
    fzi_hint_result(c, fzi_error(c->diags, node->name_span, FZ_E_UNKNOWN_NAME, node->name), node,
                    node->value);
    return true;
}

/* The variable of an assignment; NULL after a complaint. */
static fzi_symbol *find_target(fzi_checker *c, const fzi_node *node)
{
    fzi_probe_note(c, node->name_span, FZI_WANTS_STATEMENT, NULL);
    fzi_symbol *symbol = fzi_locals_find(&c->locals, node->name);
    if (!symbol)
        symbol = fzi_find_global(c, node->name, node->span.source, 1u << FZI_SYM_VAR);
    if (!symbol)
        symbol = fzi_find_global(c, node->name, node->span.source, ~0u);
    if (!symbol && fzi_unknown_path(c, node))
        return NULL;
    if (!symbol) {
        fzi_nearest nearest = {.wanted = node->name};
        fzi_scope_nearest(c->scope, &c->locals, 1u << FZI_SYM_VAR, &nearest);
        if (fzi_may_come_later(c, node->name, nearest.best))
            return NULL;
        fzi_diag *diag = fzi_error(c->diags, node->name_span, FZ_E_UNKNOWN_NAME, node->name);
        fzi_hint_nearest(diag, &nearest);
        fzi_note_elsewhere(c, diag, node->name);
        if (!nearest.best && node->op == FZ_T_ASSIGN && !node->indexes)
            fzi_hint_wrap(diag, node, "var ", "", "a new variable is declared with 'var %s = ...;'",
                          node->name);
        /* Later uses of the name are the same mistake. */
        if (!nearest.best)
            fzi_bind_named(c, node->name, node->name_span, FZI_LOCAL_VAR, c->game->type_poison)
                ->used = true;
        return NULL;
    }
    fzi_check_named(c, symbol, node->span);
    if (symbol->kind == FZI_SYM_VAR || (symbol->kind == FZI_SYM_LOCAL &&
                                        symbol->local == FZI_LOCAL_VAR))
        return symbol;
    symbol->used = true;
    if (c->refused && fzi_diags_name_taken(c->diags, node->name))
        return NULL;
    fzi_diag *diag = fzi_error(c->diags, node->name_span, FZ_E_NOT_ASSIGNABLE, node->name,
                               fzi_symbol_sort(symbol));
    if (symbol->span.source)
        fzi_note_at(diag, symbol->span, "it is declared here");
    if (symbol->kind == FZI_SYM_LET || (symbol->kind == FZI_SYM_LOCAL &&
                                        symbol->local == FZI_LOCAL_LET))
        fzi_hint_add(diag, "use 'var' to declare a value that changes");
    else if (symbol->kind == FZI_SYM_LOCAL && symbol->local == FZI_LOCAL_PARAM)
        fzi_hint_add(diag, "declare a variable that begins with its value: 'var x = %s;'",
                     node->name);
    return NULL;
}

/* `x += d;` of a site or of sites, d being a direction */
static bool is_step(const fzi_node *node, const fzi_type *type)
{
    return node->op == FZ_T_PLUS_ASSIGN &&
           (type->kind == FZI_TYPE_SITE || fzi_type_is_set(type, FZI_TYPE_SITE));
}

/* It becomes `x = x + d;`. Indexes then stand at two places, so they have no chance. */
static void check_indexes(fzi_checker *c, fzi_node *node, const fzi_symbol *symbol)
{
    const char *no_chance = c->at.no_chance;
    if (is_step(node, symbol->type) && !no_chance)
        c->at.no_chance = "an index of a site that moves";
    fzi_check_indexes(c, node->indexes, symbol, node->name_span);
    c->at.no_chance = no_chance;
}

static void make_step(fzi_checker *c, fzi_node *node, const fzi_type *type)
{
    fzi_node *old = fzi_node_new(c->arena, N_E_NAME, node->name_span);
    old->name = node->name;
    if (node->indexes) {
        fzi_node *element = fzi_node_new(c->arena, N_E_INDEX, node->name_span);
        element->primary = old;
        for (fzi_node **end = &element->indexes, *one = node->indexes; one; one = one->next) {
            *end = fzi_node_clone(c->arena, one);
            end = &(*end)->next;
        }
        old = element;
    }
    fzi_node *sum = fzi_node_new(c->arena, N_E_BINARY, node->span);
    sum->op = FZ_T_PLUS;
    sum->left = old;
    sum->right = node->value;
    node->op = FZ_T_ASSIGN;
    node->value = sum;
    fzi_check_value(c, sum, type);
}

/* The value of `a += b` is that of `a + b`: the same rules. */
static void check_update(fzi_checker *c, fzi_node *node, const fzi_type *type)
{
    static const uint8_t ops[] = {[FZ_T_PLUS_ASSIGN] = FZ_T_PLUS, [FZ_T_MINUS_ASSIGN] = FZ_T_MINUS,
                                  [FZ_T_OR_ASSIGN] = FZ_T_UNITE, [FZ_T_AND_ASSIGN] = FZ_T_MEET};
    const fzi_game *game = c->game;
    const fzi_type *want = type;
    bool adds = node->op == FZ_T_PLUS_ASSIGN || node->op == FZ_T_MINUS_ASSIGN;
    bool turns = type->kind == FZI_TYPE_PLAYER || type->kind == FZI_TYPE_DIR ||
                 type->kind == FZI_TYPE_NAMED;
    if (adds && (turns || type->kind == FZI_TYPE_INT))
        want = game->type_int; /* the step may be more than the variable can hold */
    if (is_step(node, type)) {
        make_step(c, node, type);
        return;
    }
    if (adds && fzi_type_is_set(type, FZI_TYPE_DIR))
        fzi_check_expr(c, node->value, NULL);
    else
        fzi_check_as(c, node->value, want);
    if (node->value->type->kind == FZI_TYPE_POISON || type->kind == FZI_TYPE_POISON)
        return;
    if (adds ? type->kind == FZI_TYPE_INT || turns ||
                   (type->kind == FZI_TYPE_SET && node->op == FZ_T_MINUS_ASSIGN) ||
                   (fzi_type_is_set(type, FZI_TYPE_DIR) && node->value->type->kind == FZI_TYPE_INT)
             : type->kind == FZI_TYPE_SET)
        return;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_OPERAND_TYPES, fzi_op_text(ops[node->op]),
                               type->text, node->value->type->text);
    if (!adds && type->kind == FZI_TYPE_BOOL)
        fzi_hint_add(diag, "'and' and 'or' combine conditions: %s = %s %s ...", node->name,
                     node->name, node->op == FZ_T_OR_ASSIGN ? "or" : "and");
}

/* ---- `a = b;` of arrays ---- */

/* The array or table that the value names, if it has the indexes of the target; NULL. */
static const fzi_symbol *copied_array(fzi_checker *c, const fzi_node *node, const fzi_symbol *to)
{
    const fzi_node *value = node->value;
    if (node->op != FZ_T_ASSIGN || value->kind != N_E_NAME ||
        fzi_locals_find(&c->locals, value->name))
        return NULL;
    fzi_symbol *from = fzi_find_global(c, value->name, value->span.source,
                                       1u << FZI_SYM_VAR | 1u << FZI_SYM_LET);
    if (from)
        fzi_declare(c, from, value->span);
    if (!from || from->index_count != to->index_count)
        return NULL;
    for (unsigned i = 0; i < to->index_count; i++)
        if (!fzi_type_same(from->index[i], to->index[i]) ||
            fzi_type_size(from->index[i]) != fzi_type_size(to->index[i]))
            return NULL;
    return from;
}

/* All values of an index's type as a set. */
static fzi_node *index_values(const fzi_checker *c, const fzi_node *type)
{
    fzi_node *set = fzi_node_clone(c->arena, type);
    set->kind = N_E_NAME;
    if (type->kind == N_T_RANGE) {
        set->kind = N_E_BINARY;
        set->op = FZ_T_RANGE;
        set->left = fzi_node_clone(c->arena, type->low);
        set->right = fzi_node_clone(c->arena, type->high);
    }
    return set;
}

/* for i in I, j in J  a[i, j] = b[i, j];  The names of the loop contain a blank, which no name of a
 * script can. */
static void make_loop(fzi_checker *c, fzi_node *node, const fzi_symbol *to)
{
    fzi_node *binders = NULL, *indexes[2] = {NULL, NULL};
    fzi_node **binder_end = &binders, **ends[2] = {&indexes[0], &indexes[1]};
    unsigned number = 1;
    for (const fzi_node *type = to->node->index_types; type; type = type->next, number++) {
        const char *name = fzi_intern_z(c->arena, fzi_arena_printf(c->arena, "index %u", number));
        fzi_node *binder = fzi_node_new(c->arena, N_BINDER, node->span);
        binder->name = name;
        binder->set = index_values(c, type);
        *binder_end = binder;
        binder_end = &binder->next;
        for (unsigned k = 0; k < 2; k++) {
            *ends[k] = fzi_node_new(c->arena, N_E_NAME, node->span);
            (*ends[k])->name = name;
            ends[k] = &(*ends[k])->next;
        }
    }
    fzi_node *element = fzi_node_new(c->arena, N_E_INDEX, node->value->span);
    element->primary = node->value;
    element->indexes = indexes[1];
    fzi_node *body = fzi_arena_copy(c->arena, node, sizeof *node);
    body->next = NULL;
    body->indexes = indexes[0];
    body->value = element;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        node->children[i] = NULL;
    node->kind = N_S_FOR;
    node->binders = binders;
    node->body = body;
}

/* An array without index is assigned as a whole. A bool array over sites is also a set of sites. */
static void check_whole(fzi_checker *c, fzi_node *node, const fzi_symbol *symbol)
{
    bool as_set = symbol->type->kind == FZI_TYPE_BOOL && symbol->index_count == 1 &&
                  symbol->index[0]->kind == FZI_TYPE_SITE;
    if (node->op != FZ_T_ASSIGN && !as_set) {
        fzi_error(c->diags, node->name_span, FZ_E_NEEDS_INDEX, node->name,
                  fzi_signature(c, symbol));
        fzi_check_value(c, node->value, NULL);
    } else if (node->op != FZ_T_ASSIGN) {
        check_update(c, node, c->game->type_sites);
    } else if (as_set) {
        fzi_check_value(c, node->value, NULL);
        bool is_set = fzi_type_as_set(c->game, node->value->type) != NULL;
        fzi_require_type(c, node->value, is_set ? c->game->type_sites : c->game->type_bool);
    } else {
        fzi_check_value(c, node->value, symbol->type);
    }
}

static void check_assign(fzi_checker *c, fzi_node *node)
{
    check_viewers(c, node->viewers);
    if (is_result(c, node))
        return;
    fzi_symbol *symbol = find_target(c, node);
    if (!symbol) {
        fzi_check_list(c, node->indexes, NULL);
        fzi_check_value(c, node->value, NULL);
        return;
    }
    fzi_entry_of(symbol)->written = true;
    node->symbol = symbol;
    if (symbol->kind == FZI_SYM_VAR) {
        fzi_declare(c, symbol, node->name_span);
        if (c->at.pure)
            fzi_error(c->diags, node->span, FZ_E_PURE_PLACE,
                      fzi_arena_printf(c->arena, "setting the variable '%s'",
                                       node->name), c->at.pure);
    }
    if (!node->indexes && symbol->index_count && copied_array(c, node, symbol)) {
        make_loop(c, node, symbol);
        fzi_check_stmt(c, node);
        return;
    }
    node->type = symbol->type;
    if (node->indexes && !symbol->index_count) {
        fzi_error(c->diags, node->name_span, FZ_E_NOT_INDEXED, node->name, fzi_symbol_sort(symbol));
        fzi_check_list(c, node->indexes, NULL);
    } else if (node->indexes) {
        check_indexes(c, node, symbol);
    }
    if (!node->indexes && symbol->index_count)
        check_whole(c, node, symbol);
    else if (node->op == FZ_T_ASSIGN)
        fzi_check_value(c, node->value, symbol->type);
    else
        check_update(c, node, symbol->type);
}

/* ---- results, return ---- */

static void check_rank(fzi_checker *c, fzi_node *node)
{
    fzi_mark mark = fzi_enter(c);
    fzi_bind(c, node, FZI_LOCAL_FOR, c->game->type_player);
    fzi_check_list(c, node->keys, c->game->type_int);
    fzi_leave(c, mark);
}

static void check_lose(fzi_checker *c, fzi_node *node)
{
    unsigned sides = c->game->team_count;
    fzi_check_as(c, node->player, c->game->type_player);
    if (sides <= 2)
        return;
    fzi_error(c->diags, node->span, FZ_E_LOSE_SIDES, sides,
              fzi_source_text(c->game->sources, node->player->span));
}

static void check_return(fzi_checker *c, fzi_node *node)
{
    const fzi_type *result = c->at.result;
    if (!c->at.returns) {
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_RETURN_HERE);
        if (node->value)
            fzi_hint_add(diag, "a result is stated by 'win %s;', 'draw;' or 'rank p by ...;'",
                         fzi_quote(c, node->value));
        else
            fzi_hint_replace(diag, NULL, "stop;", "'stop;' ends the turn's body");
        if (node->value)
            fzi_check_expr(c, node->value, NULL);
    } else if (node->value && result) {
        fzi_check_as(c, node->value, result);
    } else if (node->value) {
        fzi_check_expr(c, node->value, NULL);
        fzi_error(c->diags, node->value->span, FZ_E_RETURN_VALUE,
                  "this proc has no result to return");
    } else if (result && result->kind != FZI_TYPE_POISON) {
        fzi_error(c->diags, node->span, FZ_E_RETURN_VALUE,
                  fzi_arena_printf(c->arena, "'return' needs a value of type %s", result->text));
    }
}

/* ---- statements that act on pieces ---- */

static void check_put(fzi_checker *c, fzi_node *node)
{
    if (node->flags & FZ_NODE_ON_TOP && !c->game->stacks && !c->unit->is_library) {
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_NO_STACKS, "'put ... on'");
        fzi_hint_add(diag, "write 'at' before the sites: 'put %s of %s at %s;'",
                     fzi_quote(c, node->piece), fzi_quote(c, node->owner),
                     fzi_quote(c, node->sites));
        fzi_hint_stacks(diag);
    }
    fzi_check_as(c, node->piece, c->game->type_kind);
    fzi_check_as(c, node->owner, c->game->type_player);
    fzi_check_as(c, node->sites, c->game->type_sites);
}

static void check_signs(fzi_checker *c, fzi_node *list)
{
    for (fzi_node *sign = list; sign; sign = sign->next) {
        fzi_check_as(c, sign->piece, c->game->type_kind);
        fzi_check_as(c, sign->owner, c->game->type_player);
    }
}

static void check_block(fzi_checker *c, fzi_node *node)
{
    fzi_mark mark = fzi_enter(c);
    for (fzi_node *stmt = node->stmts; stmt; stmt = stmt->next)
        fzi_check_stmt(c, stmt);
    fzi_leave(c, mark);
}

static void check_for(fzi_checker *c, fzi_node *node)
{
    fzi_mark mark = fzi_enter(c);
    fzi_check_binders(c, node->binders);
    check_body(c, node->body);
    fzi_leave(c, mark);
}

/* The values of the loop index the stored choices, so their types are finite. */
static void check_together(fzi_checker *c, fzi_node *node)
{
    const fzi_node *outer = c->at.together;
    fzi_mark mark = fzi_enter(c);
    fzi_check_binders(c, node->binders);
    for (const fzi_node *binder = node->binders; binder; binder = binder->next) {
        const fzi_type *type = binder->symbol ? binder->symbol->type : NULL;
        if (type && type->kind != FZI_TYPE_POISON && !fzi_type_size(type))
            fzi_error(c->diags, binder->set->span, FZ_E_NOT_FINITE, type->text);
    }
    c->at.together = node;
    check_body(c, node->body);
    c->at.together = outer;
    fzi_leave(c, mark);
}

/* ---- quantifiers ---- */

void fzi_check_quants(fzi_checker *c, fzi_node *list)
{
    fzi_region region = c->at;
    c->at.no_chance = "a quantifier";
    for (fzi_node *quant = list; quant; quant = quant->next) {
        switch (quant->kind) {
        case N_Q_FOR: fzi_check_binders(c, quant->binders); break;
        case N_Q_LET: check_bindings(c, quant->bindings, false); break;
        case N_Q_IF: fzi_check_as(c, quant->condition, c->game->type_bool); break;
        default: fzi_check_as(c, quant->player, c->game->type_player); break;
        }
    }
    c->at = region;
}

/* ---- labels ---- */

/* A part of a string literal; the whole of it if it contains escapes. */
static fzi_span part_of(const fzi_checker *c, fzi_span whole, const char *text, size_t at,
                        size_t length)
{
    const fzi_source *source = fzi_source_at(c->game->sources, whole.source);
    size_t start = whole.start + 1 + at;
    if (!source || start + length > source->length || strlen(text) + 2 != whole.end - whole.start ||
        memcmp(source->text + start, text + at, length) != 0)
        return whole;
    return (fzi_span){whole.source, (uint32_t)start, (uint32_t)(start + length)};
}

static void check_label_name(fzi_checker *c, fzi_node *node, bool is_condition)
{
    fzi_probe_note(c, node->span, FZI_WANTS_LABEL, NULL);
    fzi_symbol *global = fzi_find_global(c, node->name, node->span.source, FZI_KINDS_VALUE);
    if (!fzi_locals_find(&c->locals, node->name) && (!global || fzi_is_callable(global))) {
        fzi_nearest nearest = {.wanted = node->name};
        for (size_t i = c->locals.count; i > 0; i--)
            fzi_nearest_offer(&nearest, c->locals.items[i - 1]->name);
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_LABEL_NAME, node->name);
        fzi_hint_nearest(diag, &nearest);
        if (!nearest.best)
            fzi_hint_add(diag, "a label shows values of 'for', 'let' and parameters");
        node->type = c->game->type_poison;
        return;
    }
    const fzi_type *type = fzi_check_name(c, node, NULL, false);
    if (is_condition)
        fzi_require_type(c, node, c->game->type_bool);
    else if (type->kind == FZI_TYPE_NOTHING ||
             (type->kind == FZI_TYPE_SET && !fzi_set_fits(type->element)))
        fzi_error(c->diags, node->span, FZ_E_LABEL_TYPE, type->text);
}

/* The names in a template become expressions: `names` of the label, in their order. In
 * `{taken?x:-}` the name is a condition. */
static void check_template(fzi_checker *c, fzi_node *label)
{
    const char *text = label->text ? label->text : "";
    fzi_span span = label->name_span;
    fzi_node **end = &label->names;
    label->names = NULL;
    for (const char *open = strchr(text, '{'); open; open = strchr(open + 1, '{')) {
        const char *close = strchr(open, '}');
        size_t at = (size_t)(open - text);
        if (!close) {
            fzi_error(c->diags, part_of(c, span, text, at, 1), FZ_E_LABEL_BRACE);
            return;
        }
        size_t length = strcspn(open + 1, "?}");
        fzi_node *name = fzi_node_new(c->arena, N_E_NAME, part_of(c, span, text, at + 1, length));
        name->name = fzi_intern(c->arena, open + 1, length);
        name->name_span = name->span;
        check_label_name(c, name, open[1 + length] == '?');
        *end = name;
        end = &name->next;
    }
}

/* Labels are typed at a prompt and written to records, so they are one line. */
static void check_typed(fzi_checker *c, const fzi_node *label)
{
    if (label->text && strpbrk(label->text, "\n\r\t\v\f"))
        fzi_error(c->diags, label->name_span, FZ_E_LABEL_TEXT);
}

void fzi_check_label(fzi_checker *c, fzi_node *label)
{
    if (!label)
        return;
    check_typed(c, label);
    check_template(c, label);
    if (label->shown) {
        check_typed(c, label->shown);
        check_template(c, label->shown);
    }
}

/* ---- options ---- */

void fzi_check_effect(fzi_checker *c, fzi_node *stmt)
{
    bool gathers = c->at.gathers;
    fzi_mark mark = fzi_enter(c);
    c->at.gathers = false;
    fzi_check_stmt(c, stmt);
    c->at.gathers = gathers;
    fzi_leave(c, mark);
}

static void check_generator_option(fzi_checker *c, fzi_node *generator)
{
    fzi_region region = c->at;
    c->at.no_chance = "the arguments of a generator";
    fzi_check_generator(c, generator);
    c->at = region;
}

void fzi_check_options(fzi_checker *c, fzi_node *list)
{
    bool outer = c->not_a_generator;
    c->not_a_generator = false;
    for (fzi_node *option = list; option; option = option->next) {
        fzi_mark mark = fzi_enter(c);
        fzi_check_quants(c, option->quants);
        fzi_check_label(c, option->label);
        if (option->effect->kind == N_GENERATOR)
            check_generator_option(c, option->effect);
        else if (option->effect->kind == N_GROUP)
            fzi_check_options(c, option->effect->options);
        else
            fzi_check_effect(c, option->effect);
        if (option->then_effect)
            fzi_check_effect(c, option->then_effect);
        fzi_leave(c, mark);
    }
    c->not_a_generator = outer;
}

/* Reports a filter in which only some keys have bounds. */
static void check_bounds(fzi_checker *c, const fzi_node *filter)
{
    unsigned keys = (unsigned)fzi_list_length(filter->keys);
    unsigned bounds = (unsigned)fzi_list_length(filter->limits);
    if (bounds && bounds != keys)
        fzi_error(c->diags, filter->limits->span, FZ_E_BOUND_COUNT, bounds,
                  bounds == 1 ? "bound" : "bounds", keys, keys == 1 ? "key" : "keys");
}

void fzi_check_filters(fzi_checker *c, fzi_node *list)
{
    fzi_region region = c->at;
    c->at.no_chance = "a filter";
    for (fzi_node *filter = list; filter; filter = filter->next) {
        if (filter->op == FZ_T_ENSURING)
            fzi_check_as(c, filter->condition, c->game->type_bool);
        fzi_check_list(c, filter->keys, c->game->type_int);
        fzi_check_list(c, filter->limits, c->game->type_int);
        check_bounds(c, filter);
    }
    c->at = region;
}

/* A statement of `end` becomes the last one of `turn`, if both stand in one file. */
static void hint_move_to_turn(fzi_checker *c, fzi_diag *diag, const fzi_node *node)
{
    const fzi_node *turn = c->game->turn, *end = c->game->end;
    const fzi_node *at = end ? end->body->stmts : NULL;

    while (at && at != node)
        at = at->next;
    if (!at || !turn || turn->span.source != node->span.source)
        return;
    fzi_span last = {turn->body->span.source, turn->body->span.end - 1, turn->body->span.end - 1};
    fzi_fix_add(diag, "move it to the end of 'turn'");
    fzi_hint_edit(diag, NULL, "%s", "");
    fzi_hint_edit(diag, &last, " %s ", fzi_source_text(c->game->sources, node->span));
}

static void check_choose(fzi_checker *c, fzi_node *node)
{
    if (c->at.no_choice && !c->at.pure)
        hint_move_to_turn(c, fzi_error(c->diags, node->span, FZ_E_CHOICE_HERE, c->at.no_choice),
                          node);
    if (node->player)
        fzi_check_as(c, node->player, c->game->type_player);
    fzi_check_options(c, node->options);
    fzi_check_filters(c, node->filters);
    check_body(c, node->otherwise);
}

/* ---- the expression of `print`, where the debugger stands ---- */

static void check_printed(fzi_checker *c)
{
    fzi_print *print = c->load->print;
    fzi_region outer = c->at;
    c->at = (fzi_region){.owner = outer.owner, .pure = "print", .no_chance = "print",
                         .no_choice = "print"};
    const fzi_type *type = fzi_check_expr(c, print->node, NULL);
    if (type->kind == FZI_TYPE_VOID)
        fzi_error(c->diags, print->node->span, FZ_E_WRONG_TYPE, "a value", "none");
    c->at = outer;
}

/* Without those that an inner name hides. */
static const char *names_of_locals(fzi_checker *c)
{
    const char *names = "";

    for (size_t i = c->locals.count; i > 0; i--) {
        const fzi_symbol *local = c->locals.items[i - 1];
        if (fzi_locals_find(&c->locals, local->name) == local)
            names = fzi_arena_printf(c->arena, "%s%s ", names, local->name);
    }
    return names;
}

static void check_print_at(fzi_checker *c, const fzi_node *stmt)
{
    fzi_print *print = c->load->print;
    if (!print->node || print->stmt || !print->path || stmt->span.start != print->start ||
        stmt->span.end != print->end || stmt->kind == N_S_BLOCK ||
        strcmp(fzi_source_at(c->game->sources, stmt->span.source)->path, print->path) != 0)
        return;
    print->stmt = stmt;
    print->locals = names_of_locals(c);
    check_printed(c);
}

/* ---- any statement ---- */

void fzi_check_stmt(fzi_checker *c, fzi_node *node)
{
    const fzi_game *game = c->game;
    if (c->load->print)
        check_print_at(c, node);
    const char *changes = c->at.pure ? written(c, node) : NULL;
    if (changes)
        fzi_error(c->diags, node->span, FZ_E_PURE_PLACE, changes, c->at.pure);
    switch (node->kind) {
    case N_S_BLOCK: check_block(c, node); break;
    case N_S_CHOOSE: check_choose(c, node); break;
    case N_S_ASSIGN: check_assign(c, node); break;
    case N_S_CALL: fzi_check_call_statement(c, node); break;
    case N_S_LET:
        check_viewers(c, node->viewers);
        check_bindings(c, node->bindings, true);
        break;
    case N_S_VAR: check_var(c, node); break;
    case N_S_IF:
        fzi_check_as(c, node->condition, game->type_bool);
        check_body(c, node->then);
        check_body(c, node->otherwise);
        break;
    case N_S_FOR: check_for(c, node); break;
    case N_S_TOGETHER: check_together(c, node); break;
    case N_S_WHILE:
        fzi_check_as(c, node->condition, game->type_bool);
        check_body(c, node->body);
        break;
    case N_S_AS:
        fzi_check_as(c, node->player, game->type_player);
        check_body(c, node->body);
        break;
    case N_S_PUT: check_put(c, node); break;
    case N_S_GIVE:
        fzi_check_as(c, node->sites, game->type_sites);
        fzi_check_as(c, node->owner, game->type_player);
        break;
    case N_S_CAPTURE:
        fzi_use(c, &c->hook->symbol, node->span);
        fzi_check_as(c, node->sites, game->type_sites);
        break;
    case N_S_REMOVE: fzi_check_as(c, node->sites, game->type_sites); break;
    case N_S_NEXT:
    case N_S_WIN:
        if (fzi_hint_result(c, NULL, node, node->player))
            break;
        fzi_check_as(c, node->player, game->type_player);
        break;
    case N_S_OUT: fzi_check_as(c, node->player, game->type_player); break;
    case N_S_LOSE: check_lose(c, node); break;
    case N_S_RANK: check_rank(c, node); break;
    case N_S_RETURN: check_return(c, node); break;
    case N_S_DIAGRAM: check_signs(c, node->signs); break;
    default: break;
    }
}

void fzi_check_print(fzi_checker *c)
{
    if (c->load->print->node && !c->load->print->stmt)
        check_printed(c);
}

/* ---- does control go on? ---- */

static bool options_go_on(const fzi_checker *c, const fzi_node *list);

static bool option_goes_on(const fzi_checker *c, const fzi_node *option)
{
    const fzi_node *effect = option->effect;
    if (option->then_effect && !fzi_goes_on(c, option->then_effect))
        return false;
    if (effect->kind == N_GROUP)
        return options_go_on(c, effect->options);
    return effect->kind == N_GENERATOR || fzi_goes_on(c, effect);
}

static bool options_go_on(const fzi_checker *c, const fzi_node *list)
{
    for (const fzi_node *option = list; option; option = option->next)
        if (option_goes_on(c, option))
            return true;
    return false;
}

static bool block_goes_on(const fzi_checker *c, const fzi_node *block)
{
    for (const fzi_node *stmt = block->stmts; stmt; stmt = stmt->next)
        if (!fzi_goes_on(c, stmt))
            return false;
    return true;
}

bool fzi_goes_on(const fzi_checker *c, const fzi_node *stmt)
{
    int64_t value;
    switch (stmt->kind) {
    case N_S_BLOCK:
        return block_goes_on(c, stmt);
    case N_S_IF:
        return !stmt->otherwise || fzi_goes_on(c, stmt->then) || fzi_goes_on(c, stmt->otherwise);
    case N_S_AS:
        return fzi_goes_on(c, stmt->body);
    case N_S_WHILE:
        return !fzi_constant(c, stmt->condition, &value) || !value;
    case N_S_CHOOSE:
        return !stmt->otherwise || fzi_goes_on(c, stmt->otherwise) ||
               options_go_on(c, stmt->options);
    case N_S_STOP: case N_S_RETURN: case N_S_WIN: case N_S_LOSE: case N_S_DRAW: case N_S_RANK:
        return false;
    default:
        return true;
    }
}
