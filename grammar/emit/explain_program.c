/* Adds to an explaining program what `why` walks: the conditions as trees, so it can say which part
 * is false and what its values are. Every node has a function of its value. Its arguments are what
 * the choice binds, and registers of the choice's frame. choose.c calls it. */
#include "emit.h"

enum {
    MAX_REASONS = 20000, /* of a program; further values have none */
    MAX_VISITS = 20000,  /* nodes of one value */
    MAX_DEPTH = 40,
    FIRST_BOUND = FZ_MAX_BINDINGS /* the slot of the first name bound inside an expression */
};

typedef struct reasoning {
    fzi_gathering *g;
    fzi_lower *lw;
    const fzi_bindings *bindings;
    fzi_local *bound[FZ_REASON_SLOTS];
    unsigned bound_count, depth;
} reasoning;

static uint32_t reason_of(reasoning *r, fzi_view view, const fzi_node *node);

/* ---- values ---- */

typedef struct free_locals {
    fzi_local *found[FZ_REASON_SLOTS];
    unsigned count, visits;
    fzi_local *inside[64];
    unsigned inside_count;
} free_locals;

static bool note_free(free_locals *f, fzi_local *local)
{
    for (unsigned i = 0; i < f->inside_count; i++)
        if (f->inside[i] == local)
            return true;
    for (unsigned i = 0; i < f->count; i++)
        if (f->found[i] == local)
            return true;
    if (f->count == FZ_REASON_SLOTS - 1)
        return false;
    f->found[f->count++] = local;
    return true;
}

static bool push_inside(free_locals *f, fzi_local *local)
{
    if (f->inside_count == sizeof f->inside / sizeof *f->inside)
        return false;
    f->inside[f->inside_count++] = local;
    return true;
}

/* Collects the locals that the value does not bind itself; false: there are too many. */
static bool find_free(free_locals *f, const fzi_ir *ir)
{
    unsigned inside = f->inside_count;
    if (!ir)
        return true;
    if (++f->visits > MAX_VISITS)
        return false;
    if (ir->kind == FZI_IR_LOCAL)
        return note_free(f, ir->local);
    bool good = true;
    for (unsigned i = 0; i < ir->binder_count && good; i++)
        good = find_free(f, ir->binders[i].first) && find_free(f, ir->binders[i].last) &&
               push_inside(f, ir->binders[i].local);
    for (unsigned i = 0; i < ir->arg_count && good; i++) {
        if (ir->kind == FZI_IR_LET && i == 1)
            good = push_inside(f, ir->local);
        good = good && find_free(f, ir->args[i]);
    }
    f->inside_count = inside;
    return good;
}

/* Replaces names of `let`s by their values. */
static const fzi_ir *without_lets(reasoning *r, const fzi_ir *ir)
{
    for (const fzi_bindings *p = r->bindings; p; p = p->outer)
        if (p->value)
            ir = fzi_ir_replace(&r->lw->maker, ir, p->local, p->value);
    return ir;
}

/* The number of an input; false: no register holds the local's value. */
static bool input_of(const reasoning *r, const fzi_local *local, uint32_t *input)
{
    for (unsigned i = 0; i < r->bound_count; i++)
        if (r->bound[i] == local)
            return *input = FIRST_BOUND + i, true;
    if (local->is_set || local->reg < 0)
        return false;
    unsigned reg = (unsigned)local->reg;
    *input = reg >= r->g->base && reg < r->g->base + FZ_MAX_BINDINGS ? reg - r->g->base
                                                                      : FZ_REASON_FRAME + reg;
    return true;
}

static uint32_t value_function(fzi_lower *lw, const fzi_ir *ir, free_locals *f, fzi_span span)
{
    fzi_codegen e;
    int saved[FZ_REASON_SLOTS];
    uint32_t index = fzi_build_function(&lw->build, "reason");
    fzi_emit_begin(lw, &e, index, 0);
    e.span = span;
    for (unsigned i = 0; i < f->count; i++) {
        saved[i] = f->found[i]->reg;
        fzi_take_parameter(&e, f->found[i]);
    }
    fzi_return_value(&e, fzi_fold_to_table(lw, ir));
    for (unsigned i = 0; i < f->count; i++)
        f->found[i]->reg = saved[i];
    return index;
}

/* Adds the function of a value to a reason. */
static void give_value(reasoning *r, fz_reason *reason, const fzi_ir *ir, fzi_span span)
{
    fzi_build *b = &r->lw->build;
    free_locals f = {.count = 0};
    uint32_t inputs[FZ_REASON_SLOTS];
    reason->function = FZ_NOT_THERE;
    ir = without_lets(r, ir);
    reason->is_set = ir->is_set;
    if (ir->chance || !find_free(&f, ir))
        return;
    for (unsigned i = 0; i < f.count; i++)
        if (!input_of(r, f.found[i], &inputs[i]))
            return;
    reason->is_constant = !ir->state && !f.count && !reason->is_option;
    reason->first_input = (uint32_t)b->reason_inputs.count;
    reason->inputs = f.count;
    for (unsigned i = 0; i < f.count; i++)
        fzi_array_add(b, &b->reason_inputs, &inputs[i]);
    reason->function = (int32_t)value_function(r->lw, ir, &f, span);
}

/* ---- nodes ---- */

static fz_reason reason_new(reasoning *r, int kind, const fzi_node *node)
{
    fzi_build *b = &r->lw->build;
    bool option = node->kind == N_E_NAME && node->symbol->kind == FZI_SYM_OPTION;
    return (fz_reason){.kind = (uint8_t)kind, .is_option = option, .function = FZ_NOT_THERE,
                       .type = fzi_build_type(b, node->type),
                       .place = fzi_build_place(b, node->span)};
}

static uint32_t add(reasoning *r, const fz_reason *reason)
{
    return fzi_array_add(&r->lw->build, &r->lw->build.reasons, reason);
}

static bool is_sites(const fzi_node *node)
{
    return fzi_is_sites(node->type) || node->type->kind == FZI_TYPE_NOTHING;
}

/* A set of sites, also where the text names one site. */
static uint32_t reason_of_set(reasoning *r, fzi_view view, const fzi_node *node)
{
    if (is_sites(node))
        return reason_of(r, view, node);
    fz_reason reason = reason_new(r, FZ_REASON_VALUE, node);
    reason.type = fzi_build_type(&r->lw->build, r->lw->game->type_sites);
    give_value(r, &reason, fzi_elaborate_sites(r->lw, view, node), node->span);
    return add(r, &reason);
}

static uint32_t reason_of_value(reasoning *r, fzi_view view, const fzi_node *node)
{
    fz_reason reason = reason_new(r, FZ_REASON_VALUE, node);
    const fzi_ir *ir = node->type->kind == FZI_TYPE_NOTHING
                           ? fzi_elaborate_sites(r->lw, view, node)
                           : fzi_elaborate_as(r->lw, view, node, node->type);
    give_value(r, &reason, ir, node->span);
    return add(r, &reason);
}

static bool binary_kind(const fzi_node *node, int *kind)
{
    bool sets = is_sites(node);
    switch (node->op) {
    case FZ_T_AND: *kind = FZ_REASON_AND; return true;
    case FZ_T_OR: *kind = FZ_REASON_OR; return true;
    case FZ_T_IN: *kind = FZ_REASON_IN; return is_sites(node->right);
    case FZ_T_UNITE: *kind = FZ_REASON_UNITE; return sets;
    case FZ_T_MEET: *kind = FZ_REASON_MEET; return sets;
    case FZ_T_MINUS:
        *kind = FZ_REASON_LESS;
        return sets && node->right->type->kind != FZI_TYPE_INT;
    case FZ_T_EQ: case FZ_T_NE: case FZ_T_LT: case FZ_T_LE: case FZ_T_GT: case FZ_T_GE:
        *kind = FZ_REASON_COMPARE;
        return true;
    default: return false;
    }
}

static bool is_of_prelude(const reasoning *r, const fzi_symbol *symbol)
{
    const char *bindings = fzi_source_at(r->lw->game->sources, symbol->node->span.source)->path;
    const char *end = strstr(bindings, "prelude.game");
    return end && end[strlen("prelude.game")] == '\0';
}

/* The expression that a name stands for: that of a `let` or function. NULL: `why` shows only the
 * value. */
static const fzi_node *meaning(const reasoning *r, fzi_view view, const fzi_node *node,
                               fzi_view *inner)
{
    const fzi_symbol *symbol = node->kind == N_E_INDEX ? node->primary->symbol : node->symbol;
    const fzi_node *arguments = node->kind == N_E_INDEX  ? node->indexes
                                : node->kind == N_E_CALL ? node->arguments
                                                         : NULL;
    bool named = symbol && symbol->node && symbol->node->value && !symbol->recursive &&
                 (symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_FN);
    if (!named || fzi_view_find(view, symbol) || is_of_prelude(r, symbol) ||
        fzi_list_length(arguments) != symbol->param_count ||
        symbol->node->value->kind == N_E_KEYS || symbol->node->value->kind == N_E_LIST)
        return NULL;
    *inner = (fzi_view){NULL, view.me};
    for (unsigned i = 0; i < symbol->param_count; i++, arguments = arguments->next)
        *inner = fzi_view_bind(r->lw, *inner, symbol->params[i],
                               fzi_elaborate_as(r->lw, view, arguments, symbol->params[i]->type));
    return symbol->node->value;
}

/* All values of a binder as a set of sites or a mask. NULL: they are neither. */
static const fzi_ir *domain_of(reasoning *r, fzi_view view, const fzi_node *set, fzi_local *local)
{
    fzi_ir_maker *m = &r->lw->maker;
    fzi_binder binder = fzi_binder_make(r->lw, view, set, local);
    if (binder.domain != FZI_DOMAIN_RANGE)
        return binder.first;
    bool known = binder.first->kind == FZI_IR_INT && binder.last->kind == FZI_IR_INT &&
                 fzi_fits_mask(binder.first->value, binder.last->value);
    return known ? fzi_ir_op(m, FZ_OP_MRANGE, binder.first, binder.last) : NULL;
}

/* any x in A, y in B if C : D */
static uint32_t reason_of_over(reasoning *r, fzi_view view, const fzi_node *over,
                               const fzi_node *binder)
{
    if (!binder || r->bound_count == FZ_REASON_SLOTS - FIRST_BOUND)
        return 0;
    fzi_local *local = fzi_present_local(r->lw, binder->symbol->name, binder->symbol->type);
    const fzi_ir *domain = domain_of(r, view, binder->set, local);
    if (!domain)
        return 0;
    fz_reason reason = reason_new(r, over->op == FZ_T_ANY ? FZ_REASON_ANY : FZ_REASON_ALL, over);
    fz_reason values = reason_new(r, FZ_REASON_VALUE, binder->set);
    give_value(r, &values, domain, binder->set->span);
    give_value(r, &reason, fzi_elaborate(r->lw, view, over), over->span);
    reason.parts[2] = add(r, &values);
    reason.type = fzi_build_type(&r->lw->build, binder->symbol->type);
    reason.slot = (uint8_t)(FIRST_BOUND + r->bound_count);
    r->bound[r->bound_count++] = local;
    view = fzi_view_bind(r->lw, view, binder->symbol, fzi_ir_local(&r->lw->maker, local));
    if (binder->next) {
        reason.parts[1] = reason_of_over(r, view, over, binder->next);
        reason.function = FZ_NOT_THERE; /* its value is that of all binders */
    } else {
        reason.parts[0] = over->condition ? reason_of(r, view, over->condition) : 0;
        reason.parts[1] = reason_of(r, view, over->body);
    }
    r->bound_count--;
    return reason.parts[1] ? add(r, &reason) : 0;
}

static uint32_t reason_of_attacked(reasoning *r, fzi_view view, const fzi_node *call)
{
    fzi_ir_maker *m = &r->lw->maker;
    if (r->bound_count == FZ_REASON_SLOTS - FIRST_BOUND)
        return 0;
    fz_reason reason = reason_new(r, FZ_REASON_ATTACKED, call);
    reason.parts[0] = reason_of_set(r, view, call->arguments);
    reason.parts[1] = reason_of_value(r, view, call->arguments->next);
    give_value(r, &reason, fzi_elaborate(r->lw, view, call), call->span);
    fzi_local *target = fzi_present_local(r->lw, "target", r->lw->game->type_site);
    fz_reason one = reason_new(r, FZ_REASON_VALUE, call);
    reason.slot = (uint8_t)(FIRST_BOUND + r->bound_count);
    r->bound[r->bound_count++] = target;
    const fzi_ir *arguments[] = {fzi_elaborate(r->lw, view, call->arguments->next),
                                 fzi_ir_op(m, FZ_OP_SBIT, fzi_ir_local(m, target), NULL)};
    give_value(r, &one,
               fzi_ir_call(m, fzi_lower_attacked(r->lw), arguments, 2, false, true, false),
               call->span);
    reason.parts[2] = add(r, &one);
    r->bound_count--;
    return add(r, &reason);
}

static uint32_t reason_of_walk(reasoning *r, fzi_view view, const fzi_node *call, int kind)
{
    const fzi_node *from = call->arguments, *dirs = from->next, *rest = dirs->next;
    fz_reason reason = reason_new(r, kind, call);
    reason.parts[0] = reason_of_set(r, view, from);
    fz_reason mask = reason_new(r, FZ_REASON_VALUE, dirs);
    mask.type = fzi_build_type(&r->lw->build, r->lw->game->type_dirs);
    give_value(r, &mask, fzi_elaborate_as(r->lw, view, dirs, r->lw->game->type_dirs), dirs->span);
    reason.parts[1] = add(r, &mask);
    for (; rest; rest = rest->next) {
        if (rest->type->kind == FZI_TYPE_INT)
            reason.parts[3] = reason_of_value(r, view, rest);
        else
            reason.parts[2] = reason_of_set(r, view, rest);
    }
    give_value(r, &reason, fzi_elaborate_sites(r->lw, view, call), call->span);
    return add(r, &reason);
}

static int primitive_of(const fzi_node *node)
{
    bool names = (node->kind == N_E_CALL || node->kind == N_E_NAME) && node->symbol &&
                 node->symbol->kind == FZI_SYM_PRIMITIVE;
    return names ? (int)node->symbol->value : FZ_NOT_THERE;
}

/* A node of several parts, in the same scope or (`inner`) in another one. */
static uint32_t reason_of_parts(reasoning *r, fzi_view view, const fzi_node *node, int kind,
                                fzi_view inner, const fzi_node *first, const fzi_node *second)
{
    fz_reason reason = reason_new(r, kind, node);
    bool sets = kind == FZ_REASON_MEET || kind == FZ_REASON_UNITE || kind == FZ_REASON_LESS;
    bool values = kind == FZ_REASON_COMPARE;
    if (first)
        reason.parts[0] = sets                             ? reason_of_set(r, inner, first)
                          : values || kind == FZ_REASON_IN ? reason_of_value(r, inner, first)
                                                           : reason_of(r, inner, first);
    if (second)
        reason.parts[1] = sets || kind == FZ_REASON_IN ? reason_of_set(r, inner, second)
                          : values                     ? reason_of_value(r, inner, second)
                                                       : reason_of(r, inner, second);
    const fzi_ir *ir =
        is_sites(node) ? fzi_elaborate_sites(r->lw, view, node) : fzi_elaborate(r->lw, view, node);
    give_value(r, &reason, ir, node->span);
    return add(r, &reason);
}

static uint32_t reason_of_named(reasoning *r, fzi_view view, const fzi_node *node)
{
    fzi_view inner;
    const fzi_node *value = meaning(r, view, node, &inner);
    return value ? reason_of_parts(r, view, node, FZ_REASON_SAME, inner, value, NULL) : 0;
}

static uint32_t reason_inside(reasoning *r, fzi_view view, const fzi_node *node)
{
    int kind;
    switch (primitive_of(node)) {
    case FZI_PRIM_attacked: return reason_of_attacked(r, view, node);
    case FZI_PRIM_step: return reason_of_walk(r, view, node, FZ_REASON_STEP);
    case FZI_PRIM_slide: return reason_of_walk(r, view, node, FZ_REASON_SLIDE);
    case FZI_PRIM_empty:
        return reason_of_parts(r, view, node, FZ_REASON_EMPTY, view, NULL, NULL);
    default: break;
    }
    switch (node->kind) {
    case N_E_BINARY:
        return binary_kind(node, &kind)
                   ? reason_of_parts(r, view, node, kind, view, node->left, node->right) : 0;
    case N_E_UNARY:
        return node->op == FZ_T_NOT
                   ? reason_of_parts(r, view, node, FZ_REASON_NOT, view, node->operand, NULL) : 0;
    case N_E_OVER:
        return node->op == FZ_T_ANY || node->op == FZ_T_ALL
                   ? reason_of_over(r, view, node, node->binders) : 0;
    case N_E_AS:
        return reason_of_parts(r, view, node, FZ_REASON_SAME,
                               fzi_view_me(view, fzi_elaborate(r->lw, view, node->player)),
                               node->body, NULL);
    case N_E_NAME: case N_E_INDEX: case N_E_CALL: return reason_of_named(r, view, node);
    default: return 0;
    }
}

static uint32_t reason_of(reasoning *r, fzi_view view, const fzi_node *node)
{
    uint32_t made = 0;
    if (r->depth < MAX_DEPTH && r->lw->build.reasons.count < MAX_REASONS) {
        r->depth++;
        made = reason_inside(r, view, node);
        r->depth--;
    }
    return made ? made : reason_of_value(r, view, node);
}

/* ---- options ---- */

static void add_reach(reasoning *r, const fzi_leaf *leaf, const fzi_bindings *bindings)
{
    fzi_build *b = &r->lw->build;
    if (!bindings->domain || bindings->local->is_set ||
        !(is_sites(bindings->domain) || bindings->domain->type->kind == FZI_TYPE_SITE))
        return;
    fz_reach reach = {leaf->option, (uint8_t)((unsigned)bindings->local->reg - r->g->base),
                      bindings->onto, bindings->kind, 0};
    reach.reason = reason_of_set(r, bindings->domain_view, bindings->domain);
    fzi_array_add(b, &b->reaches, &reach);
}

static void add_bindings(reasoning *r, const fzi_leaf *leaf, const fzi_bindings *bindings)
{
    if (!bindings)
        return;
    add_bindings(r, leaf, bindings->outer);
    if (!bindings->value)
        add_reach(r, leaf, bindings);
}

static void add_filters(reasoning *r, const fzi_continuation *continuations)
{
    fzi_build *b = &r->lw->build;
    for (const fzi_continuation *c = continuations; c; c = c->outer) {
        if (c->then || c->condition->op != FZ_T_ENSURING ||
            FZI_ITEM(b->filters, fz_filter, c->filter)->reason)
            continue;
        uint32_t reason = reason_of(r, c->view, c->condition->condition);
        FZI_ITEM(b->filters, fz_filter, c->filter)->reason = reason;
    }
}

void fzi_explain_leaf(fzi_gathering *g, const fzi_leaf *leaf)
{
    fzi_build *b = &g->e->lower->build;
    reasoning r = {.g = g, .lw = g->e->lower, .bindings = leaf->context.bindings};
    fz_reason none = {.function = FZ_NOT_THERE};
    if (!b->reasons.count)
        fzi_array_add(b, &b->reasons, &none);
    add_bindings(&r, leaf, leaf->context.bindings);
    add_filters(&r, leaf->context.conditions);
    add_filters(&r, leaf->context.continuations);
}
