/* Elaborates names, operators and aggregates: checked tree to IR. elaborate_call.c,
 * elaborate_primitive.c and elaborate_table.c do calls, primitives and what is indexed. */
#include "elaborate.h"

bool fzi_is_sites(const fzi_type *type)
{
    return type->kind == FZI_TYPE_SET && type->element->kind == FZI_TYPE_SITE;
}

/* ---- views and locals ---- */

fzi_view fzi_view_bind(fzi_lower *lw, fzi_view view, const fzi_symbol *symbol, const fzi_ir *value)
{
    fzi_env *env = FZI_NEW(lw->build.arena, fzi_env);
    env->outer = view.env;
    env->symbol = symbol;
    env->value = value;
    view.env = env;
    return view;
}

fzi_view fzi_view_constant(fzi_lower *lw)
{
    return (fzi_view){NULL, fzi_ir_int(&lw->maker, 0)};
}

fzi_view fzi_view_me(fzi_view view, const fzi_ir *me)
{
    view.me = me;
    return view;
}

const fzi_ir *fzi_view_find(fzi_view view, const fzi_symbol *symbol)
{
    for (const fzi_env *env = view.env; env; env = env->outer) {
        if (env->symbol == symbol)
            return env->value;
    }
    return NULL;
}

static bool may_be_absent(const fzi_type *type)
{
    return type->kind == FZI_TYPE_SITE || type->kind == FZI_TYPE_DIR ||
           type->kind == FZI_TYPE_PLAYER || type->kind == FZI_TYPE_KIND ||
           type->kind == FZI_TYPE_OFF || (type->kind == FZI_TYPE_NAMED && type->has_none);
}

/* The least and the largest number of a finite type's values; false for `int` and sets. */
static bool type_bounds(const fzi_lower *lw, const fzi_type *type, int64_t *low, int64_t *high)
{
    *low = 0;
    switch (type->kind) {
    case FZI_TYPE_BOOL: *high = 1; return true;
    case FZI_TYPE_SITE: *high = lw->game->board->site_count - 1; return true;
    case FZI_TYPE_DIR: *high = lw->game->board->dir_count - 1; return true;
    case FZI_TYPE_PLAYER: *high = lw->game->player_count - 1; return true;
    case FZI_TYPE_TEAM: *high = lw->game->team_count - 1; return true;
    case FZI_TYPE_KIND: *high = (int64_t)lw->game->piece_count - 1; return true;
    case FZI_TYPE_NAMED: *low = type->low; *high = type->high; return true;
    case FZI_TYPE_INT:
        *low = type->low;
        *high = type->high;
        return type->low > INT32_MIN || type->high < INT32_MAX;
    default: return false;
    }
}

fzi_local *fzi_local_new(fzi_lower *lw, const char *name, const fzi_type *type)
{
    fzi_local *local = FZI_NEW(lw->build.arena, fzi_local);
    local->name = name;
    local->is_set = fzi_is_sites(type);
    local->reg = -1;
    local->finite = type_bounds(lw, type, &local->low, &local->high);
    local->may_be_absent = may_be_absent(type);
    return local;
}

fzi_local *fzi_present_local(fzi_lower *lw, const char *name, const fzi_type *type)
{
    fzi_local *local = fzi_local_new(lw, name, type);
    local->may_be_absent = false;
    return local;
}

fzi_local *fzi_me_new(fzi_lower *lw)
{
    return fzi_present_local(lw, "me", lw->game->type_player);
}

int64_t fzi_type_low(const fzi_type *type)
{
    return type->kind == FZI_TYPE_INT || type->kind == FZI_TYPE_NAMED ? type->low : 0;
}

int64_t fzi_type_default(const fzi_type *type)
{
    if (may_be_absent(type))
        return FZ_NOT_THERE;
    return type->kind == FZI_TYPE_INT && (type->low > INT32_MIN || type->high < 0) ? type->low : 0;
}

/* All members of a finite type as a mask. */
static int64_t type_mask(const fzi_lower *lw, const fzi_type *type)
{
    int64_t low, high, mask = 0;
    if (!type_bounds(lw, type, &low, &high))
        return 0;
    for (int64_t i = low < 0 ? 0 : low; i <= high && i < 64; i++)
        mask |= (int64_t)((uint64_t)1 << i);
    return mask;
}

static bool fits(const fzi_type *have, const fzi_type *want)
{
    return want->kind != FZI_TYPE_INT || (have->kind == FZI_TYPE_INT && have->low >= want->low &&
                                          have->high <= want->high);
}

bool fzi_is_ranged(const fzi_type *type)
{
    return type->kind == FZI_TYPE_INT && (type->low > INT32_MIN || type->high < INT32_MAX);
}

bool fzi_needs_check(const fzi_type *want, const fzi_type *have)
{
    return fzi_is_ranged(want) && !fits(have, want);
}

/* ---- conversions ---- */

const fzi_ir *fzi_elaborate_sites(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    if (node->type->kind == FZI_TYPE_OFF || node->type->kind == FZI_TYPE_NOTHING)
        return fzi_ir_none(&lw->maker);
    const fzi_ir *ir = fzi_elaborate(lw, view, node);
    return ir->is_set ? ir : fzi_ir_op(&lw->maker, FZ_OP_SBIT, ir, NULL);
}

/* Sets of other types than sites have 64 bits. Reports enums with more members; numbers are checked
 * at run time. */
static bool mask_fits(fzi_lower *lw, const fzi_node *node, const fzi_type *element)
{
    if (element->kind != FZI_TYPE_NAMED || lw->build.failed ||
        fzi_at_most(lw->game, node->span,
                    fzi_arena_printf(lw->build.arena, "a set of '%s'", element->text),
                    (unsigned)fzi_type_size(element), "members", FZI_MASK_BITS))
        return true;
    lw->build.failed = true;
    return false;
}

static const fzi_ir *mask_of_one(fzi_lower *lw, const fzi_node *node, const fzi_ir *ir)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_type *type = node->type;
    mask_fits(lw, node, type);
    bool known = ir->kind == FZI_IR_INT ? fzi_fits_mask(ir->value, ir->value)
                                            : fzi_fits_mask(type->low, type->high);
    if (type->kind == FZI_TYPE_INT && !known)
        ir = fzi_ir_opk(m, FZ_OP_CHECKED, ir, NULL, 0, FZI_MASK_BITS - 1);
    return fzi_ir_op(m, FZ_OP_MBIT, ir, NULL);
}

/* Elaborates both operands, the left one first: the order of diagnostics and tables must not depend
 * on the order in which a C compiler evaluates arguments. */
static const fzi_ir *expr_operands(fzi_lower *lw, fzi_view view, const fzi_node *node,
                                   const fzi_ir **b)
{
    const fzi_ir *a = fzi_elaborate(lw, view, node->left);
    *b = fzi_elaborate(lw, view, node->right);
    return a;
}

static const fzi_ir *expr_mask(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    if (node->type->kind == FZI_TYPE_OFF || node->type->kind == FZI_TYPE_NOTHING)
        return fzi_ir_int(&lw->maker, 0);
    if (node->kind == N_E_BINARY && node->op == FZ_T_RANGE) {
        const fzi_ir *last, *first = expr_operands(lw, view, node, &last);
        return fzi_ir_op(&lw->maker, FZ_OP_MRANGE, first, last);
    }
    const fzi_ir *ir = fzi_elaborate(lw, view, node);
    if (node->type->kind == FZI_TYPE_SET)
        return ir;
    return mask_of_one(lw, node, ir);
}

/* A set of sites, or a mask. */
static const fzi_ir *expr_as_set(fzi_lower *lw, fzi_view view, const fzi_node *node, bool sites)
{
    return sites ? fzi_elaborate_sites(lw, view, node) : expr_mask(lw, view, node);
}

const fzi_ir *fzi_elaborate_as(fzi_lower *lw, fzi_view view, const fzi_node *node,
                               const fzi_type *type)
{
    if (type->kind == FZI_TYPE_SET)
        return expr_as_set(lw, view, node, fzi_is_sites(type));
    if (node->kind == N_E_KEYS || node->kind == N_E_LIST)
        return fzi_ir_int(&lw->maker, 0); /* a table is no value; reported by the checker */
    return fzi_elaborate(lw, view, node);
}

/* ---- names ---- */

static const fzi_ir *all_members(fzi_lower *lw, const fzi_type *element)
{
    if (element->kind == FZI_TYPE_SITE)
        return fzi_ir_all(&lw->maker);
    return fzi_ir_int(&lw->maker, type_mask(lw, element));
}

static const fzi_ir *expr_name(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_symbol *symbol = node->symbol;
    const fzi_ir *bound = fzi_view_find(view, symbol);
    if (bound)
        return bound;
    switch (symbol->kind) {
    case FZI_SYM_VALUE: case FZI_SYM_PLAYER: case FZI_SYM_TEAM: case FZI_SYM_KIND:
    case FZI_SYM_SITE: case FZI_SYM_DIR: case FZI_SYM_OPTION:
        return fzi_ir_int(&lw->maker, symbol->value);
    case FZI_SYM_TYPE: case FZI_SYM_ENUM: case FZI_SYM_DIE:
        mask_fits(lw, node, node->type->kind == FZI_TYPE_SET ? node->type->element : node->type);
        return all_members(lw, node->type->kind == FZI_TYPE_SET ? node->type->element : node->type);
    case FZI_SYM_LET: return fzi_elaborate_let(lw, view, symbol, NULL);
    case FZI_SYM_VAR: {
        fzi_lowered_var *var = symbol->lowered;
        int op = var->is_set ? FZ_OP_SLOAD : var->is_wide ? FZ_OP_MLOAD : FZ_OP_LOAD;
        return fzi_ir_opk(&lw->maker, op, NULL, NULL, (int32_t)var->variable, 0);
    }
    case FZI_SYM_PRIMITIVE: return fzi_elaborate_primitive(lw, view, node);
    default: return fzi_elaborate_bug(lw, node, symbol->name);
    }
}

const fzi_ir *fzi_elaborate_bug(fzi_lower *lw, const fzi_node *node, const char *what)
{
    fzi_give_up(&lw->build, node->span, FZ_E_NO_CODE, what ? what : "?");
    return node->type && fzi_is_sites(node->type) ? fzi_ir_none(&lw->maker)
                                                  : fzi_ir_int(&lw->maker, 0);
}

/* ---- operators ---- */

int64_t fzi_cycle_size(const fzi_lower *lw, const fzi_type *type)
{
    int64_t low, high;
    return type_bounds(lw, type, &low, &high) ? high - low + 1 : 1;
}

static const fzi_ir *expr_plus(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_type *left = node->left->type;
    bool minus = node->op == FZ_T_MINUS;
    const fzi_ir *b = fzi_elaborate(lw, view, node->right);
    if (left->kind == FZI_TYPE_INT || left->kind == FZI_TYPE_POISON)
        return fzi_ir_op(m, minus ? FZ_OP_SUB : FZ_OP_ADD, fzi_elaborate(lw, view, node->left), b);
    if (node->right->type->kind == FZI_TYPE_DIR || node->right->type->kind == FZI_TYPE_OFF) {
        if (fzi_is_sites(left) || left->kind == FZI_TYPE_NOTHING)
            return fzi_ir_op(m, FZ_OP_SHIFT, fzi_elaborate_sites(lw, view, node->left), b);
        return fzi_ir_op(m, FZ_OP_STEP_ON, fzi_elaborate(lw, view, node->left), b);
    }
    if (minus)
        b = fzi_ir_op(m, FZ_OP_NEG, b, NULL);
    const fzi_ir *a = fzi_elaborate(lw, view, node->left);
    if (left->kind == FZI_TYPE_SET)
        return fzi_ir_opk(m, FZ_OP_MTURN, a, b, (int32_t)fzi_cycle_size(lw, left->element), 0);
    return fzi_ir_opk(m, FZ_OP_CYCLE, a, b, (int32_t)fzi_cycle_size(lw, left), 0);
}

static const fzi_ir *expr_in(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_node *set = node->right;
    const fzi_ir *a = fzi_elaborate(lw, view, node->left);
    if (set->kind == N_E_BINARY && set->op == FZ_T_RANGE) {
        fzi_local *local = fzi_local_new(lw, "value", node->left->type);
        const fzi_ir *x = fzi_ir_local(m, local);
        const fzi_ir *low = fzi_ir_op(m, FZ_OP_LE, fzi_elaborate(lw, view, set->left), x);
        const fzi_ir *high = fzi_ir_op(m, FZ_OP_LE, x, fzi_elaborate(lw, view, set->right));
        return fzi_ir_let(m, local, a, fzi_ir_and(m, low, high));
    }
    if (fzi_is_sites(set->type) || set->type->kind == FZI_TYPE_SITE)
        return fzi_ir_op(m, FZ_OP_SHAS, a, fzi_elaborate_sites(lw, view, set));
    if (set->type->kind == FZI_TYPE_NOTHING)
        return fzi_ir_int(m, 0);
    return fzi_ir_op(m, FZ_OP_MHAS, a, expr_mask(lw, view, set));
}

/* The type that decides how two sides are compared: a set where either is one. */
static const fzi_type *common_type(const fzi_node *a, const fzi_node *b)
{
    if (a->type->kind == FZI_TYPE_SET)
        return a->type;
    return b->type->kind == FZI_TYPE_SET || b->type->kind != FZI_TYPE_OFF ? b->type : a->type;
}

static const fzi_ir *compare_sites(fzi_lower *lw, int op, const fzi_ir *a, const fzi_ir *b)
{
    fzi_ir_maker *m = &lw->maker;
    switch (op) {
    case FZ_T_EQ: case FZ_T_NE: {
        const fzi_ir *equal;
        if (fzi_ir_is_none(a, m->words) || fzi_ir_is_none(b, m->words)) {
            const fzi_ir *set = fzi_ir_is_none(a, m->words) ? b : a;
            equal = fzi_ir_not(m, fzi_ir_op(m, FZ_OP_SSOME, set, NULL));
        } else {
            equal = fzi_ir_op(m, FZ_OP_SEQ, a, b);
        }
        return op == FZ_T_EQ ? equal : fzi_ir_not(m, equal);
    }
    case FZ_T_LE: return fzi_ir_op(m, FZ_OP_SLE, a, b);
    default: /* < */
        return fzi_ir_and(m, fzi_ir_op(m, FZ_OP_SLE, a, b),
                          fzi_ir_not(m, fzi_ir_op(m, FZ_OP_SLE, b, a)));
    }
}

static const fzi_ir *compare_masks(fzi_lower *lw, int op, const fzi_ir *a, const fzi_ir *b)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *zero = fzi_ir_int(m, 0);
    switch (op) {
    case FZ_T_EQ: return fzi_ir_op(m, FZ_OP_EQ, a, b);
    case FZ_T_NE: return fzi_ir_op(m, FZ_OP_NE, a, b);
    case FZ_T_LE: return fzi_ir_op(m, FZ_OP_EQ, fzi_ir_op(m, FZ_OP_MSUB, a, b), zero);
    default: /* < */
        return fzi_ir_and(m, compare_masks(lw, FZ_T_LE, a, b), compare_masks(lw, FZ_T_NE, a, b));
    }
}

static const fzi_ir *expr_compare(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_type *type = common_type(node->left, node->right);
    const fzi_ir *a = fzi_elaborate_as(lw, view, node->left, type);
    const fzi_ir *b = fzi_elaborate_as(lw, view, node->right, type);
    int op = node->op;
    if (op == FZ_T_GT || op == FZ_T_GE) {
        const fzi_ir *left = a;
        a = b;
        b = left;
        op = op == FZ_T_GT ? FZ_T_LT : FZ_T_LE;
    }
    if (fzi_is_sites(type))
        return compare_sites(lw, op, a, b);
    if (type->kind == FZI_TYPE_SET)
        return compare_masks(lw, op, a, b);
    return fzi_ir_op(m,
                     op == FZ_T_EQ   ? FZ_OP_EQ
                     : op == FZ_T_NE ? FZ_OP_NE
                     : op == FZ_T_LT ? FZ_OP_LT
                                     : FZ_OP_LE,
                     a, b);
}

/* | & - of sets. */
static const fzi_ir *expr_set_operator(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    bool sites = fzi_is_sites(node->type) || node->type->kind == FZI_TYPE_NOTHING;
    const fzi_ir *a = expr_as_set(lw, view, node->left, sites);
    const fzi_ir *b = expr_as_set(lw, view, node->right, sites);
    switch (node->op) {
    case FZ_T_UNITE: return fzi_ir_op(&lw->maker, sites ? FZ_OP_SOR : FZ_OP_MOR, a, b);
    case FZ_T_MEET: return fzi_ir_op(&lw->maker, sites ? FZ_OP_SAND : FZ_OP_MAND, a, b);
    default: return fzi_ir_op(&lw->maker, sites ? FZ_OP_SSUB : FZ_OP_MSUB, a, b);
    }
}

static const fzi_ir *expr_binary(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *a, *b;
    switch (node->op) {
    case FZ_T_AND:
        a = expr_operands(lw, view, node, &b);
        return fzi_ir_and(m, a, b);
    case FZ_T_OR:
        a = expr_operands(lw, view, node, &b);
        return fzi_ir_or(m, a, b);
    case FZ_T_IN:
        return expr_in(lw, view, node);
    case FZ_T_UNITE: case FZ_T_MEET:
        return expr_set_operator(lw, view, node);
    case FZ_T_MINUS: {
        bool turn = node->right->type->kind == FZI_TYPE_INT;
        bool set = node->type->kind == FZI_TYPE_SET || node->type->kind == FZI_TYPE_NOTHING;
        return set && !turn ? expr_set_operator(lw, view, node) : expr_plus(lw, view, node);
    }
    case FZ_T_PLUS:
        return expr_plus(lw, view, node);
    case FZ_T_TIMES: case FZ_T_DIVIDE: case FZ_T_MODULO:
        a = expr_operands(lw, view, node, &b);
        return fzi_ir_op(m,
                         node->op == FZ_T_TIMES    ? FZ_OP_MUL
                         : node->op == FZ_T_DIVIDE ? FZ_OP_DIV
                                                   : FZ_OP_MOD,
                         a, b);
    case FZ_T_RANGE:
        return expr_mask(lw, view, node);
    default:
        return expr_compare(lw, view, node);
    }
}

static const fzi_ir *expr_size(fzi_lower *lw, fzi_view view, const fzi_node *set)
{
    fzi_ir_maker *m = &lw->maker;
    if (set->kind == N_E_BINARY && set->op == FZ_T_RANGE) {
        const fzi_ir *last, *first = expr_operands(lw, view, set, &last);
        const fzi_ir *span = fzi_ir_op(m, FZ_OP_SUB, last, first);
        const fzi_ir *count = fzi_ir_op(m, FZ_OP_ADD, span, fzi_ir_int(m, 1));
        return fzi_ir_op(m, FZ_OP_IMAX, count, fzi_ir_int(m, 0));
    }
    bool names_type = set->kind == N_E_NAME &&
                      (set->symbol->kind == FZI_SYM_TYPE || set->symbol->kind == FZI_SYM_ENUM ||
                       set->symbol->kind == FZI_SYM_DIE);
    if (names_type && set->type->kind == FZI_TYPE_SET)
        return fzi_ir_int(m, fzi_type_size(set->type->element));
    if (fzi_is_sites(set->type) || set->type->kind == FZI_TYPE_SITE)
        return fzi_ir_op(m, FZ_OP_SCOUNT, fzi_elaborate_sites(lw, view, set), NULL);
    return fzi_ir_op(m, FZ_OP_MCOUNT, expr_mask(lw, view, set), NULL);
}

static const fzi_ir *expr_unary(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    switch (node->op) {
    case FZ_T_NOT: return fzi_ir_not(m, fzi_elaborate(lw, view, node->operand));
    case FZ_T_MINUS: return fzi_ir_op(m, FZ_OP_NEG, fzi_elaborate(lw, view, node->operand), NULL);
    case FZ_T_HASH: return expr_size(lw, view, node->operand);
    default:
        if (fzi_is_sites(node->type) || node->type->kind == FZI_TYPE_NOTHING)
            return fzi_ir_op(m, FZ_OP_SNOT, fzi_elaborate_sites(lw, view, node->operand), NULL);
        return fzi_ir_op(m, FZ_OP_MSUB, fzi_ir_int(m, type_mask(lw, node->type->element)),
                         expr_mask(lw, view, node->operand));
    }
}

/* ---- sets and aggregates ---- */

static const fzi_ir *expr_set(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    bool sites = node->type->kind == FZI_TYPE_NOTHING || fzi_is_sites(node->type);
    const fzi_ir *all = sites ? fzi_ir_none(m) : fzi_ir_int(m, 0);
    for (const fzi_node *member = node->members; member; member = member->next)
        all =
            fzi_ir_op(m, sites ? FZ_OP_SOR : FZ_OP_MOR, all, expr_as_set(lw, view, member, sites));
    return all;
}

static bool names_a_type(const fzi_node *node)
{
    if (node->kind != N_E_NAME || !node->symbol)
        return false;
    int kind = node->symbol->kind;
    return kind == FZI_SYM_TYPE || kind == FZI_SYM_ENUM || kind == FZI_SYM_DIE ||
           (kind == FZI_SYM_OPTION && node->type->kind == FZI_TYPE_SET);
}

fzi_binder fzi_binder_make(fzi_lower *lw, fzi_view view, const fzi_node *domain, fzi_local *local)
{
    fzi_binder binder = {local, FZI_DOMAIN_MASK, NULL, NULL};
    int64_t low, high;
    if (domain->kind == N_E_BINARY && domain->op == FZ_T_RANGE) {
        binder.domain = FZI_DOMAIN_RANGE;
        binder.first = fzi_elaborate(lw, view, domain->left);
        binder.last = fzi_elaborate(lw, view, domain->right);
        if (binder.first->kind == FZI_IR_INT && binder.last->kind == FZI_IR_INT) {
            local->finite = true;
            local->low = binder.first->value;
            local->high = binder.last->value;
        }
        return binder;
    }
    const fzi_type *type = domain->type;
    const fzi_type *element = type->kind == FZI_TYPE_SET ? type->element : type;
    if (names_a_type(domain) && element->kind != FZI_TYPE_SITE &&
        type_bounds(lw, element, &low, &high)) {
        binder.domain = FZI_DOMAIN_RANGE;
        binder.first = fzi_ir_int(&lw->maker, low);
        binder.last = fzi_ir_int(&lw->maker, high);
    } else if (element->kind == FZI_TYPE_SITE || type->kind == FZI_TYPE_NOTHING ||
               type->kind == FZI_TYPE_OFF) {
        binder.domain = FZI_DOMAIN_SITES;
        binder.first = fzi_elaborate_sites(lw, view, domain);
    } else {
        binder.first = expr_mask(lw, view, domain);
    }
    return binder;
}

static bool is_primitive(const fzi_node *node, int primitive)
{
    return node->symbol && node->symbol->kind == FZI_SYM_PRIMITIVE &&
           node->symbol->value == primitive;
}

/* `{for s in occupied if owner(s) == p}`, and the same with kind(s), is one instruction. NULL: the
 * loop asks for something else. */
static const fzi_ir *pieces_alike(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    const fzi_node *asked = node->condition ? node->condition->left : NULL;
    if (!asked || node->condition->kind != N_E_BINARY || node->condition->op != FZ_T_EQ ||
        asked->kind != N_E_CALL || asked->arguments->next ||
        asked->arguments->symbol != node->symbol || !is_primitive(node->set, FZI_PRIM_occupied))
        return NULL;
    const fzi_node *given = node->condition->right;
    bool kind = is_primitive(asked, FZI_PRIM_kind);
    if ((!kind && !is_primitive(asked, FZI_PRIM_owner)) || given->kind != N_E_NAME ||
        given->symbol == node->symbol)
        return NULL;
    return fzi_ir_op(&lw->maker, kind ? FZ_OP_OF_KIND : FZ_OP_OWNED,
                     fzi_elaborate(lw, view, given), NULL);
}

static const fzi_ir *expr_set_for(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *pieces = pieces_alike(lw, view, node);
    if (pieces)
        return pieces;
    fzi_local *local = fzi_present_local(lw, node->symbol->name, node->symbol->type);
    fzi_binder binder = fzi_binder_make(lw, view, node->set, local);
    fzi_view inner = fzi_view_bind(lw, view, node->symbol, fzi_ir_local(m, local));
    mask_fits(lw, node, node->symbol->type);
    const fzi_ir *condition = node->condition ? fzi_elaborate(lw, inner, node->condition) : NULL;
    return fzi_ir_aggregate(m, FZI_AGG_FILTER, &binder, 1, condition, NULL,
                            fzi_is_sites(node->type), 0);
}

static int aggregate_kind(int op)
{
    switch (op) {
    case FZ_T_ANY: return FZI_AGG_ANY;
    case FZ_T_ALL: return FZI_AGG_ALL;
    case FZ_T_COUNT: return FZI_AGG_COUNT;
    case FZ_T_SUM: return FZI_AGG_SUM;
    case FZ_T_MAX: return FZI_AGG_MAX;
    case FZ_T_MIN: return FZI_AGG_MIN;
    case FZ_T_UNION: return FZI_AGG_UNION;
    case FZ_T_FIRST: return FZI_AGG_FIRST;
    default: return FZI_AGG_RANDOM;
    }
}

static const fzi_ir *expr_aggregate(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_binder binders[FZ_MAX_BINDINGS];
    unsigned count = 0;
    if (!fzi_at_most(lw->game, node->span, "this", (unsigned)fzi_list_length(node->binders),
                     "loops", FZ_MAX_BINDINGS))
        lw->build.failed = true;
    for (const fzi_node *b = node->binders; b && count < FZ_MAX_BINDINGS; b = b->next) {
        fzi_local *local = fzi_present_local(lw, b->symbol->name, b->symbol->type);
        binders[count++] = fzi_binder_make(lw, view, b->set, local);
        view = fzi_view_bind(lw, view, b->symbol, fzi_ir_local(m, local));
    }
    int over = aggregate_kind(node->op);
    if (over == FZI_AGG_RANDOM) {
        lw->build.program.uses_chance = 1;
        binders[0].local->type = fzi_build_type(&lw->build, node->binders->symbol->type);
    }
    const fzi_ir *condition = node->condition ? fzi_elaborate(lw, view, node->condition) : NULL;
    bool is_set = over == FZI_AGG_UNION && fzi_is_sites(node->type);
    const fzi_ir *body = over == FZI_AGG_UNION ? expr_as_set(lw, view, node->body, is_set)
                                               : fzi_elaborate(lw, view, node->body);
    int32_t initial = (int32_t)fzi_type_default(node->type);
    if (over == FZI_AGG_COUNT || over == FZI_AGG_FIRST) {
        condition = condition ? fzi_ir_and(m, condition, body) : body;
        body = over == FZI_AGG_FIRST ? fzi_ir_int(m, initial) : NULL;
    }
    if (over == FZI_AGG_RANDOM)
        return fzi_ir_draw(m, binders, count, condition, body, initial,
                           fzi_build_type(&lw->build, node->type));
    return fzi_ir_aggregate(m, over, binders, count, condition, body, is_set, initial);
}

static const fzi_ir *expr_as_player(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *player = fzi_elaborate(lw, view, node->player);
    if (player->cost <= 1 && !player->state)
        return fzi_elaborate(lw, fzi_view_me(view, player), node->body);
    fzi_local *local = fzi_me_new(lw);
    const fzi_ir *body = fzi_elaborate(lw, fzi_view_me(view, fzi_ir_local(m, local)), node->body);
    return fzi_ir_let(m, local, player, body);
}

static const fzi_ir *expr_if(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    const fzi_ir *condition = fzi_elaborate(lw, view, node->condition);
    const fzi_ir *yes = fzi_elaborate_as(lw, view, node->then, node->type);
    return fzi_ir_if(&lw->maker, condition, yes,
                     fzi_elaborate_as(lw, view, node->otherwise, node->type));
}

const fzi_ir *fzi_elaborate(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    fzi_ir_maker *m = &lw->maker;
    fzi_span outer = m->span;
    const fzi_ir *ir;
    if (!fzi_lower_enter(lw, node->span))
        return fzi_elaborate_bug(lw, node, NULL);
    lw->depth++;
    m->span = node->span;
    switch (node->kind) {
    case N_E_INT: ir = fzi_ir_int(m, node->number); break;
    case N_E_NAME: ir = expr_name(lw, view, node); break;
    case N_E_MEMBER: /* or kind.none */
        ir = fzi_ir_int(m, node->symbol->kind == FZI_SYM_PRIMITIVE ? FZ_NOT_THERE
                                                                   : node->symbol->value);
        break;
    case N_E_INDEX: ir = fzi_elaborate_index(lw, view, node); break;
    case N_E_CALL: ir = fzi_elaborate_call(lw, view, node); break;
    case N_E_SET: ir = expr_set(lw, view, node); break;
    case N_E_SET_FOR: ir = expr_set_for(lw, view, node); break;
    case N_E_BINARY: ir = expr_binary(lw, view, node); break;
    case N_E_UNARY: ir = expr_unary(lw, view, node); break;
    case N_E_IF: ir = expr_if(lw, view, node); break;
    case N_E_OVER: ir = expr_aggregate(lw, view, node); break;
    case N_E_AS: ir = expr_as_player(lw, view, node); break;
    default: ir = fzi_elaborate_bug(lw, node, fzi_node_kind_name(node->kind)); break;
    }
    m->span = outer;
    lw->depth--;
    fzi_lower_leave(lw);
    return fzi_ir_fits(lw, ir, node->span) ? ir : fzi_elaborate_bug(lw, node, NULL);
}

/* ---- ready for code generation ---- */

const fzi_ir *fzi_value_of(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    return fzi_fold_to_table(lw, fzi_elaborate(lw, view, node));
}

const fzi_ir *fzi_sites_of(fzi_lower *lw, fzi_view view, const fzi_node *node)
{
    return fzi_fold_to_table(lw, fzi_elaborate_sites(lw, view, node));
}

const fzi_ir *fzi_value_as(fzi_lower *lw, fzi_view view, const fzi_node *node, const fzi_type *type)
{
    return fzi_fold_to_table(lw, fzi_elaborate_as(lw, view, node, type));
}

bool fzi_constant_of(fzi_lower *lw, fzi_view view, const fzi_node *node, const char *what,
                     int64_t *value)
{
    if (fzi_constant_int(lw, fzi_value_of(lw, view, node), value))
        return true;
    fzi_not_constant(lw, node->span, FZ_E_CONSTANT_WANTED, what);
    return false;
}

fzi_binder fzi_binder_of(fzi_lower *lw, fzi_view view, const fzi_node *domain, fzi_local *local)
{
    fzi_binder binder = fzi_binder_make(lw, view, domain, local);
    binder.first = fzi_fold_to_table(lw, binder.first);
    if (binder.last)
        binder.last = fzi_fold_to_table(lw, binder.last);
    return binder;
}
