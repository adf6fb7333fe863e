/* Checks calls of functions, procedures, primitives (primitives.def) and generators. */
#include "expressions.h"

static const char *counted(const fzi_checker *c, unsigned least, unsigned most, const char *noun)
{
    if (most == 0)
        return fzi_arena_printf(c->arena, "no %s", noun);
    if (least == most)
        return fzi_arena_printf(c->arena, "%u %s%s", most, noun, most == 1 ? "" : "s");
    return fzi_arena_printf(c->arena, "%u to %u %ss", least, most, noun);
}

static void count_of(const fzi_symbol *symbol, unsigned *least, unsigned *most)
{
    if (symbol->kind == FZI_SYM_PRIMITIVE && symbol->value < FZI_PIECE_MOVES)
        fzi_primitive_count(fzi_primitive_at(symbol->value)->parameters, least, most);
    else if (symbol->kind == FZI_SYM_PRIMITIVE && symbol->value == FZI_MOVES_OF)
        *least = 1, *most = 2;
    else if (symbol->kind == FZI_SYM_PROPERTY)
        *least = *most = 1;
    else
        *least = *most = symbol->param_count;
}

/* ---- arguments ---- */

static void check_loosely(fzi_checker *c, fzi_node *arguments)
{
    for (; arguments; arguments = arguments->next) {
        if (arguments->kind == N_E_NAME && fzi_needs_context(c, arguments))
            arguments->type = c->game->type_poison;
        else if (arguments->kind == N_E_NAME)
            fzi_check_name(c, arguments, NULL, true);
        else
            fzi_check_expr(c, arguments, NULL);
    }
}

static void wrong_count(fzi_checker *c, const fzi_node *node, fzi_symbol *symbol, unsigned found)
{
    unsigned least, most;
    count_of(symbol, &least, &most);
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_ARGUMENT_COUNT, node->name,
                               counted(c, least, most, "argument"), found);
    fzi_hint_extreme(c, diag, node);
    for (fzi_entry *e = fzi_scope_find(c->scope, node->name, node->span.source); e;
         e = fzi_scope_next(c->scope, e, node->name, node->span.source)) {
        if (e->symbol.kind == symbol->kind || fzi_is_callable(&e->symbol))
            fzi_hint_add(diag, "%s", fzi_signature(c, &e->symbol));
    }
    /* `step(forward)`: in the body of a piece, the place of the piece is missing. */
    const char *letters = symbol->kind == FZI_SYM_PRIMITIVE
                              ? fzi_primitive_at(symbol->value)->parameters : "";
    const char *here = fzi_intern_z(c->arena, "here");
    if (found + 1 == least && found && (*letters == 'S' || *letters == 's') &&
        fzi_locals_find(&c->locals, here) && node->arguments) {
        fzi_span rest = fzi_span_join(node->arguments->span, fzi_list_last(node->arguments)->span);
        fzi_node all = {.span = rest};
        fzi_hint_add(diag, "the place of the piece is missing: %s(here, %s)", node->name,
                     fzi_quote(c, &all));
    }
}

/* The type errors of a call. Only the first is reported: when arguments are missing or exchanged,
 * the others follow from it. */
typedef struct argument_check {
    unsigned type_errors; /* before the call */
    bool muted;
} argument_check;

static argument_check begin_arguments(fzi_checker *c)
{
    return (argument_check){c->diags->type_errors, c->diags->types_muted};
}

static bool argument_fits(const fzi_checker *c, const fzi_symbol *symbol, unsigned at,
                          const fzi_node *argument)
{
    const fzi_type *type = fzi_parameter_type(c->game, symbol, at);
    return type && argument->type && fzi_type_fits(argument->type, type);
}

/* The text of the call with argument `at` and the next one exchanged. */
static const char *exchanged(const fzi_checker *c, const fzi_symbol *symbol,
                             const fzi_node *arguments, unsigned at)
{
    const char *text = fzi_arena_printf(c->arena, "%s(", symbol->name), *separator = "";
    unsigned i = 0;
    for (const fzi_node *a = arguments; a; a = a->next, i++, separator = ", ") {
        if (i == at) {
            text = fzi_arena_printf(c->arena, "%s%s%s, %s", text, separator, fzi_quote(c, a->next),
                                    fzi_quote(c, a));
            a = a->next;
            i++;
        } else {
            text = fzi_arena_printf(c->arena, "%s%s%s", text, separator, fzi_quote(c, a));
        }
    }
    return fzi_arena_printf(c->arena, "%s)", text);
}

/* Adds a hint if two neighbours would fit in each other's place. */
static void hint_exchanged(fzi_checker *c, const fzi_symbol *symbol, const fzi_node *arguments)
{
    fzi_diag *diag = c->diags->last;
    unsigned at = 0;
    if (!diag || diag->code != FZ_E_WRONG_TYPE)
        return;
    for (const fzi_node *a = arguments; a && a->next; a = a->next, at++) {
        bool right = argument_fits(c, symbol, at, a) && argument_fits(c, symbol, at + 1, a->next);
        if (right || !argument_fits(c, symbol, at, a->next) ||
            !argument_fits(c, symbol, at + 1, a))
            continue;
        diag->hints = NULL;
        fzi_hint_add(diag, "the arguments stand in another order: %s",
                     exchanged(c, symbol, arguments, at));
        return;
    }
}

/* False: an argument has a wrong type, so the type of the call is unknown. */
static bool end_arguments(fzi_checker *c, const argument_check *check, const fzi_symbol *symbol,
                          const fzi_node *arguments)
{
    bool right = c->diags->type_errors == check->type_errors;
    c->diags->types_muted = check->muted;
    if (!right && !check->muted)
        hint_exchanged(c, symbol, arguments);
    return right;
}

static void check_argument(fzi_checker *c, const argument_check *check, fzi_node *argument,
                           const fzi_type *type, const fzi_symbol *callee)
{
    const fzi_symbol *outer = c->callee;
    c->diags->types_muted = check->muted || c->diags->type_errors > check->type_errors;
    c->callee = NULL;
    fzi_check_expr(c, argument, type);
    c->callee = callee;
    fzi_require_type(c, argument, type);
    c->callee = outer;
}

/* The arguments of a symbol that lists its parameters. */
static bool check_arguments(fzi_checker *c, fzi_node *arguments, const fzi_symbol *symbol)
{
    argument_check check = begin_arguments(c);
    fzi_node *argument = arguments;
    for (unsigned i = 0; i < symbol->param_count && argument; i++, argument = argument->next)
        check_argument(c, &check, argument, symbol->params[i]->type, symbol);
    return end_arguments(c, &check, symbol, arguments);
}

static const fzi_type *check_die(fzi_checker *c, fzi_node *node)
{
    node->type = c->game->type_poison;
    if (node->kind != N_E_NAME) {
        fzi_check_expr(c, node, NULL);
        if (node->type->kind != FZI_TYPE_POISON) {
            fzi_diag *d = fzi_error(c->diags, node->span, FZ_E_WRONG_TYPE, "the name of a die",
                                    node->type->text);
            fzi_hint_add(d, "declare a die, as 'die D6 = 1..6;', or write random(1..6)");
        }
        return c->game->type_poison;
    }
    fzi_symbol *die = fzi_find_global(c, node->name, node->span.source, 1u << FZI_SYM_DIE);
    if (die) {
        fzi_use(c, die, node->span);
        node->symbol = die;
        node->type = fzi_type_set_of(c->game, die->type);
        return die->type;
    }
    fzi_symbol *other = fzi_locals_find(&c->locals, node->name);
    if (!other)
        other = fzi_find_global(c, node->name, node->span.source, ~0u);
    if (other) {
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_WRONG_SORT, node->name,
                                   fzi_symbol_sort(other), "a die");
        fzi_hint_add(diag, "random(%s) is a random member of a set", node->name);
        other->used = true;
        return c->game->type_poison;
    }
    fzi_nearest nearest = {.wanted = node->name};
    fzi_scope_nearest(c->scope, NULL, 1u << FZI_SYM_DIE, &nearest);
    if (fzi_may_come_later(c, node->name, nearest.best))
        return c->game->type_poison;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_UNKNOWN_NAME, node->name);
    fzi_hint_nearest(diag, &nearest);
    return c->game->type_poison;
}

static void check_finite_value(fzi_checker *c, fzi_node *node)
{
    const fzi_type *type = fzi_check_expr(c, node, NULL);
    if (type->kind == FZI_TYPE_SET || type->kind == FZI_TYPE_VOID || type->kind == FZI_TYPE_NOTHING)
        fzi_error(c->diags, node->span, FZ_E_WRONG_TYPE, "a single value", type->text);
}

/* The result type; `e` in the table is the type of a member or face. */
static const fzi_type *check_primitive(fzi_checker *c, fzi_node *arguments,
                                       const fzi_symbol *symbol, const fzi_type *want)
{
    const fzi_primitive_row *row = fzi_primitive_at(symbol->value);
    const fzi_type *member = c->game->type_poison;
    fzi_node *argument = arguments;
    argument_check check = begin_arguments(c);
    for (const char *at = row->parameters; *at && argument; at++) {
        switch (*at) {
        case '?':
            continue;
        case 'x':
            check_finite_value(c, argument);
            break;
        case 'y':
            member = fzi_check_expr(c, argument, want);
            break;
        case 'X':
            member = fzi_check_set(c, argument, want ? fzi_type_set_of(c->game, want) : NULL);
            break;
        case 'G':
            fzi_check_generator(c, argument);
            break;
        case 'R':
            member = check_die(c, argument);
            break;
        default:
            check_argument(c, &check, argument, fzi_primitive_type(c->game, *at), symbol);
            break;
        }
        argument = argument->next;
    }
    if (!end_arguments(c, &check, symbol, arguments) && row->result != 'v')
        return c->game->type_poison;
    return strchr("ey", row->result) ? member : fzi_primitive_type(c->game, row->result);
}

static void check_chance(fzi_checker *c, const fzi_node *node)
{
    if (!c->at.no_chance)
        return;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_CHANCE_HERE, c->at.no_chance);
    if (c->at.owner && c->at.owner->symbol.kind == FZI_SYM_FN)
        fzi_hint_add(diag, "make it a 'proc', or roll before and pass the result");
    else if (c->at.no_chance[0] == 'a' && strstr("a quantifier, a filter", c->at.no_chance))
        fzi_hint_add(diag, "roll before the choice, or in the effect after '=>'");
}

/* Checks the arguments of rank, file, side and layer if they are constant. */
static void check_named_set(fzi_checker *c, const fzi_node *node)
{
    int64_t n;
    uint64_t words[16];
    if (!c->game->board || node->span.source != c->own_source || !node->arguments ||
        !fzi_constant(c, node->arguments, &n))
        return;
    const fzi_board *board = c->game->board;
    bool by_player = node->arguments->next != NULL;
    bool found = !by_player && fzi_board_named_set(board, node->name, n, words);
    for (unsigned p = 0; by_player && p < c->game->player_count; p++)
        found |= fzi_board_rank_seen(board, c->game->players[p].facing, n, words);
    if (found)
        return;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_NO_SUCH_SET,
                               fzi_arena_printf(c->arena, "%s %lld", node->name, (long long)n));
    int64_t last = 0;
    while (last < c->game->board->site_count &&
           fzi_board_named_set(c->game->board, node->name, last + 1, words))
        last++;
    if (last)
        fzi_hint_add(diag, "there are %s(1) to %s(%lld)", node->name, node->name, (long long)last);
}

/* ---- finding what is called ---- */

/* The die whose name differs in capitals only; NULL. */
static const char *die_called(fzi_checker *c, const char *name)
{
    fzi_nearest die = {.wanted = name};
    fzi_scope_nearest(c->scope, NULL, 1u << FZI_SYM_DIE, &die);
    return die.best && die.distance == 0 ? die.best : NULL;
}

/* `len(mine)`, `sum(scores)` */
static bool hint_size(fzi_checker *c, fzi_diag *diag, const fzi_node *node)
{
    static const char *const sizes[] = {"length", "size", "len", "cardinality", "count"};
    bool over = strcmp(node->name, "any") == 0 || strcmp(node->name, "all") == 0;
    if (over || strcmp(node->name, "sum") == 0) {
        fzi_hint_add(diag, "write '%s x in S : %s'", node->name, over ? "condition" : "value");
        return true;
    }
    for (size_t i = 0; node->arguments && i < sizeof sizes / sizeof *sizes; i++) {
        if (strcmp(node->name, sizes[i]) == 0) {
            fzi_hint_replace(diag, &node->name_span, "#",
                             "the number of a set's members is written '#%s'",
                             fzi_quote(c, node->arguments));
            return true;
        }
    }
    return false;
}

/* kind(s, i), owner(s, i) */
static void check_inside(fzi_checker *c, const fzi_node *node, const fzi_symbol *symbol)
{
    bool inside = (symbol->value == FZI_PRIM_kind || symbol->value == FZI_PRIM_owner) &&
                  node->arguments && node->arguments->next;
    if (inside && !c->game->stacks && !c->unit->is_library)
        fzi_hint_stacks(fzi_error(c->diags, node->span, FZ_E_NO_STACKS,
                                  fzi_arena_printf(c->arena, "'%s' of two arguments", node->name)));
}

static const fzi_type *nothing_to_call(fzi_checker *c, fzi_node *node)
{
    if (fzi_unknown_path(c, node)) {
        check_loosely(c, node->arguments);
        return c->game->type_poison;
    }
    fzi_symbol *other = fzi_locals_find(&c->locals, node->name);
    if (!other)
        other = fzi_find_global(c, node->name, node->span.source, ~0u);
    check_loosely(c, node->arguments);
    if (other) {
        other->used = true;
        fzi_diag *diag = fzi_error(c->diags, node->name_span, FZ_E_NOT_CALLABLE, node->name,
                                   fzi_symbol_sort(other));
        if (other->index_count)
            fzi_hint_add(diag, "its elements are written %s", fzi_signature(c, other));
        else if (fzi_is_generator(other))
            fzi_hint_add(diag,
                         node->kind == N_S_CALL ? "'choose %s otherwise ...' lets a player choose"
                                                : "can(%s) is true if it has a legal move",
                         node->name);
        else if (other->kind == FZI_SYM_DIE)
            fzi_hint_replace(diag, &node->span, fzi_arena_printf(c->arena, "roll(%s)", node->name),
                             "a die is rolled by roll(%s)", node->name);
        else if (!node->arguments && other->kind != FZI_SYM_TYPE)
            fzi_hint_replace(diag, &node->span, node->name, "it is written without parentheses: %s",
                             node->name);
        return c->game->type_poison;
    }
    fzi_nearest nearest = {.wanted = node->name};
    fzi_scope_nearest(c->scope, NULL, FZI_KINDS_CALL, &nearest);
    if (fzi_may_come_later(c, node->name, nearest.best))
        return c->game->type_poison;
    if (fzi_lacks_module(c, node, node->name_span, &nearest))
        return c->game->type_poison;
    const char *die = die_called(c, node->name);
    fzi_diag *diag = fzi_error(c->diags, node->name_span, FZ_E_UNKNOWN_NAME, node->name);
    fzi_note_elsewhere(c, diag, node->name);
    bool of_stacks = false;
    for (int i = 0; i < FZI_PRIM_COUNT; i++)
        of_stacks |= fzi_is_of_stacks(fzi_primitive_at(i)) &&
                     strcmp(fzi_primitive_at(i)->name, node->name) == 0;
    if (of_stacks)
        fzi_hint_stacks(diag);
    else if (die)
        fzi_hint_add(diag, "a die is rolled by roll(%s)", die);
    else if (!hint_size(c, diag, node))
        fzi_hint_name(diag, &nearest);
    return c->game->type_poison;
}

/* ---- subsets of sets that are not of sites ---- */

static void give_type(void *user, fzi_node *node)
{
    if (node->kind == N_T_NAME && strcmp(node->name, "sites") == 0)
        node->type = user;
}

/* The prelude's function for sets of sites, copied for sets of this type. */
static fzi_symbol *for_sets_of(fzi_checker *c, const fzi_symbol *function, const fzi_type *type)
{
    const char *name = fzi_intern_z(c->arena, fzi_arena_printf(c->arena, "%s of %s", function->name,
                                                               type->element->text));
    fzi_entry *entry = fzi_scope_all(c->scope, name);
    if (entry)
        return &entry->symbol;
    entry = fzi_entry_new(c->arena, FZI_SYM_FN, name, function->span);
    entry->home = fzi_entry_of(function)->home;
    entry->symbol.node = fzi_node_clone(c->arena, function->node);
    entry->symbol.node->symbol = &entry->symbol;
    entry->symbol.param_count = function->param_count;
    fzi_walk_below(entry->symbol.node, give_type, (void *)type);
    fzi_scope_add(c->scope, entry);
    fzi_function_add(c, &entry->symbol);
    return &entry->symbol;
}

/* `for S subset of X` calls functions of the prelude; what X is decides which. NULL: another call,
 * or X is a set of sites. */
static fzi_symbol *subset_function(fzi_checker *c, const fzi_node *node)
{
    const fzi_node *set = node->arguments;
    const fzi_symbol *local = set && set->kind == N_E_NAME && strchr(set->name, ' ')
                                  ? fzi_locals_find(&c->locals, set->name) : NULL;
    const fzi_type *type = local ? local->type : NULL;
    if (!type || type->kind != FZI_TYPE_SET || fzi_type_is_set(type, FZI_TYPE_SITE) ||
        !fzi_set_fits(type->element))
        return NULL;
    const fzi_symbol *function =
        fzi_game_find(c->game, node->name, set->next ? 2 : 1);
    return function && function->kind == FZI_SYM_FN ? for_sets_of(c, function, type) : NULL;
}

/* The callee, by name and number of arguments; NULL after a complaint. */
static fzi_symbol *find_callee(fzi_checker *c, fzi_node *node)
{
    fzi_probe_note(c, node->name_span,
                   node->kind == N_S_CALL ? FZI_WANTS_STATEMENT : FZI_WANTS_VALUE, NULL);
    unsigned count = (unsigned)fzi_list_length(node->arguments);
    fzi_symbol *other = NULL, *subsets = subset_function(c, node);
    if (subsets)
        fzi_declare(c, subsets, node->span);
    if (subsets)
        return subsets;
    for (fzi_entry *e = fzi_scope_find(c->scope, node->name, node->span.source); e;
         e = fzi_scope_next(c->scope, e, node->name, node->span.source)) {
        unsigned least, most;
        if (!fzi_is_callable(&e->symbol))
            continue;
        fzi_declare(c, &e->symbol, node->span);
        count_of(&e->symbol, &least, &most);
        if (count >= least && count <= most)
            return &e->symbol;
        other = &e->symbol;
    }
    if (!other) {
        nothing_to_call(c, node);
        return NULL;
    }
    wrong_count(c, node, other, count);
    other->used = true;
    fzi_probe_arguments(c, other, node->arguments);
    check_loosely(c, node->arguments);
    return NULL;
}

/* The type of a call of `symbol`, whose number of arguments is right. */
static const fzi_type *check_callee(fzi_checker *c, fzi_node *node, fzi_symbol *symbol,
                                    const fzi_type *want)
{
    node->symbol = symbol;
    fzi_use(c, symbol, node->span);
    if (symbol->kind == FZI_SYM_PROPERTY) {
        fzi_check_as(c, node->arguments, c->game->type_kind);
        return symbol->type;
    }
    if (symbol->kind != FZI_SYM_PRIMITIVE) {
        bool right = check_arguments(c, node->arguments, symbol);
        return !symbol->type ? c->game->type_void : right ? symbol->type : c->game->type_poison;
    }
    const fzi_primitive_row *row = fzi_primitive_at(symbol->value);
    const fzi_type *type = check_primitive(c, node->arguments, symbol, want);
    if (strchr(row->effects, 'C'))
        check_chance(c, node);
    if (symbol->value >= FZI_PRIM_rank && symbol->value <= FZI_PRIM_layer)
        check_named_set(c, node);
    check_inside(c, node, symbol);
    if (symbol->value == FZI_PRIM_go)
        fzi_use(c, &c->hook->symbol, node->span);
    return type;
}

const fzi_type *fzi_check_call(fzi_checker *c, fzi_node *node, const fzi_type *want, bool whole)
{
    node->type = c->game->type_poison;
    fzi_symbol *symbol = find_callee(c, node);
    if (!symbol)
        return node->type;
    node->type = check_callee(c, node, symbol, want);
    bool acts = symbol->kind == FZI_SYM_PROC ||
                (symbol->kind == FZI_SYM_PRIMITIVE && node->type->kind == FZI_TYPE_VOID);
    if (!acts)
        return node->type;
    if (!whole || c->at.pure) {
        fzi_diag *diag = fzi_error(c->diags, node->span, FZ_E_PROC_IN_EXPRESSION, node->name);
        if (!c->at.pure && node->type->kind != FZI_TYPE_VOID)
            fzi_hint_add(diag, "write 'let result = %s(...);' before, and use 'result' here",
                         node->name);
        return node->type = c->game->type_poison;
    }
    if (node->type->kind == FZI_TYPE_VOID) {
        fzi_error(c->diags, node->span, FZ_E_NO_VALUE, node->name);
        node->type = c->game->type_poison;
    }
    return node->type;
}

void fzi_check_call_statement(fzi_checker *c, fzi_node *node)
{
    fzi_symbol *symbol = find_callee(c, node);
    node->type = c->game->type_void;
    if (!symbol)
        return;
    const fzi_type *type = check_callee(c, node, symbol, NULL);
    bool acts = symbol->kind == FZI_SYM_PROC || type->kind == FZI_TYPE_VOID;
    if (!acts)
        fzi_error(c->diags, node->span, FZ_E_VALUE_UNUSED, node->name);
    else if (c->at.pure)
        fzi_error(c->diags, node->span, FZ_E_PURE_PLACE,
                  fzi_arena_printf(c->arena, "the call of '%s'", node->name), c->at.pure);
}

/* ---- generators ---- */

static fzi_symbol *find_generator(fzi_checker *c, const fzi_node *node)
{
    fzi_probe_note(c, node->name_span, FZI_WANTS_GENERATOR, NULL);
    for (fzi_entry *e = fzi_scope_find(c->scope, node->name, node->span.source); e;
         e = fzi_scope_next(c->scope, e, node->name, node->span.source)) {
        fzi_symbol *symbol = &e->symbol;
        if (fzi_is_generator(symbol))
            return symbol;
    }
    fzi_symbol *other = fzi_find_global(c, node->name, node->span.source, ~0u);
    if (other && c->not_a_generator && node->kind == N_GENERATOR) {
        other->used = true; /* reported already: all of them are statements */
        return NULL;
    }
    if (other) {
        c->not_a_generator = node->kind == N_GENERATOR;
        fzi_diag *diag = fzi_error(c->diags, node->name_span, FZ_E_WRONG_SORT, node->name,
                                   fzi_symbol_sort(other), "a generator of moves");
        if (other->kind == FZI_SYM_PROC || (fzi_is_callable(other) &&
                                            other->kind == FZI_SYM_PRIMITIVE))
            fzi_hint_wrap(diag, node, "=> ", "", "write the effect of an option after '=>'");
        other->used = true;
        return NULL;
    }
    if (fzi_unknown_path(c, node))
        return NULL;
    fzi_nearest nearest = {.wanted = node->name};
    fzi_nearest_offer(&nearest, "piece_moves");
    fzi_scope_nearest(c->scope, NULL, 1u << FZI_SYM_MOVES, &nearest);
    if (!fzi_may_come_later(c, node->name, nearest.best) &&
        !fzi_lacks_module(c, node, node->name_span, &nearest)) {
        fzi_diag *diag = fzi_error(c->diags, node->name_span, FZ_E_UNKNOWN_NAME, node->name);
        fzi_note_elsewhere(c, diag, node->name);
        fzi_hint_nearest(diag, &nearest);
    }
    return NULL;
}

void fzi_check_generator(fzi_checker *c, fzi_node *node)
{
    node->type = c->game->type_void;
    if (node->kind != N_GENERATOR && node->kind != N_E_CALL && node->kind != N_E_NAME) {
        fzi_check_expr(c, node, NULL);
        if (node->type->kind != FZI_TYPE_POISON)
            fzi_error(c->diags, node->span, FZ_E_WRONG_TYPE, "a generator of moves",
                      node->type->text);
        return;
    }
    fzi_node *arguments = node->kind == N_E_NAME ? NULL : node->arguments;
    fzi_symbol *symbol = find_generator(c, node);
    if (!symbol) {
        check_loosely(c, arguments);
        return;
    }
    fzi_declare(c, symbol, node->span);
    node->symbol = symbol;
    fzi_use(c, symbol, node->span);
    unsigned found = (unsigned)fzi_list_length(arguments), least, most;
    count_of(symbol, &least, &most);
    if (found < least || found > most) {
        wrong_count(c, node, symbol, found);
        check_loosely(c, arguments);
    } else if (symbol->kind == FZI_SYM_MOVES) {
        check_arguments(c, arguments, symbol);
    } else {
        for (; arguments; arguments = arguments->next)
            fzi_check_as(c, arguments, c->game->type_sites);
    }
}
