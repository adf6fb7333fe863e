/* Generates the statements that put pieces on sites, move them and take them off. statement_code.c,
 * functions.c and choose.c call it. */
#include "emit.h"

static void call_capture_hook(fzi_codegen *e, fzi_view view, unsigned site)
{
    uint32_t hook = (uint32_t)e->lower->emission->capture_function;
    unsigned ints = e->used.ints, args = fzi_new_ints(e, 2);
    fzi_gen_to(e, view.me, args);
    fzi_gen(e, FZ_OP_COPY, args + 1, site, 0);
    fzi_gen_call(e, FZ_OP_CALL, args, 0, 0, hook);
    e->used.ints = ints;
}

static void jump_if_absent(fzi_codegen *e, unsigned reg, unsigned zero, fzi_label *to)
{
    fzi_gen_jump_if(e, FZ_OP_JLT, reg, zero, to);
}

void fzi_lower_go(fzi_codegen *e, fzi_view view, unsigned from, unsigned to)
{
    unsigned ints = e->used.ints;
    fzi_label out = FZI_LABEL, free_site = FZI_LABEL;
    if (e->lower->emission->capture_function < 0) {
        fzi_gen(e, FZ_OP_MOVE, from, to, 0);
        return;
    }
    unsigned zero = fzi_new_int(e), kind = fzi_new_int(e);
    fzi_gen_number(e, zero, 0);
    fzi_gen(e, FZ_OP_KIND, kind, to, 0);
    jump_if_absent(e, kind, zero,
                   &free_site); /* the usual case: nothing is captured */
    fzi_gen_jump_if(e, FZ_OP_JEQ, from, to, &out);
    fzi_gen(e, FZ_OP_KIND, kind, from, 0);
    jump_if_absent(e, kind, zero, &out);
    call_capture_hook(e, view, to);
    fzi_label_place(e, &free_site);
    fzi_gen(e, FZ_OP_MOVE, from, to, 0);
    fzi_label_place(e, &out);
    e->used.ints = ints;
}

/* With `on capture`, captures site by site; the hook runs while the piece is still there. */
static void lower_capture(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    fzi_lower *lw = e->lower;
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *sites = fzi_sites_of(lw, view, stmt->sites);
    if (lw->emission->capture_function < 0) {
        fzi_gen(e, FZ_OP_TAKE, fzi_gen_value(e, sites), 0, 0);
        return;
    }
    fzi_local *local = fzi_local_new(lw, "captured", lw->game->type_site);
    fzi_binder binder = {local, FZI_DOMAIN_SITES,
                         fzi_ir_op(m, FZ_OP_SAND, sites, fzi_ir_op(m, FZ_OP_OCCUPIED, NULL, NULL)),
                         NULL};
    fzi_loop loop;
    fzi_loop_begin(e, &loop, &binder, fzi_new_int(e));
    call_capture_hook(e, view, (unsigned)local->reg);
    fzi_gen(e, FZ_OP_TAKE1, (unsigned)local->reg, 0, 0);
    fzi_loop_end(e, &loop);
}

static bool is_one_site(const fzi_node *node)
{
    return node->type->kind == FZI_TYPE_SITE;
}

/* A register with the new owner. Notes owners: a game that only puts nobody's pieces has no marks
 * in its diagrams. */
static unsigned owner_value(fzi_codegen *e, fzi_view view, const fzi_node *node)
{
    const fzi_ir *owner = fzi_value_of(e->lower, view, node);
    int64_t player;
    bool nobodys = fzi_constant_int(e->lower, owner, &player) && player < 0;
    *(nobodys ? &e->lower->emission->puts_neutral : &e->lower->emission->puts_players) = true;
    return fzi_gen_value(e, owner);
}

static void lower_put(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    const fzi_ir *piece = fzi_value_of(e->lower, view, stmt->piece);
    int64_t number;
    if (stmt->flags & FZ_NODE_ON_TOP) {
        unsigned kind = fzi_gen_value(e, piece), owner = owner_value(e, view, stmt->owner);
        const fzi_ir *sites = fzi_sites_of(e->lower, view, stmt->sites);
        fzi_gen(e, FZ_OP_PUT_ON, fzi_gen_value(e, sites), kind, owner);
        return;
    }
    bool given = fzi_uses(e->lower, FZ_OPT_FUSED) && is_one_site(stmt->sites) &&
                 fzi_constant_int(e->lower, piece, &number) && number >= 0;
    unsigned kind = given ? (unsigned)number : fzi_gen_value(e, piece),
             owner = owner_value(e, view, stmt->owner);
    if (is_one_site(stmt->sites))
        fzi_gen(e, given ? FZ_OP_PUT1_GIVEN : FZ_OP_PUT1, fzi_int_value(e, view, stmt->sites), kind,
                owner);
    else
        fzi_gen(e, FZ_OP_PUT, fzi_set_value(e, view, stmt->sites), kind, owner);
}

/* stack, tuck: without a number the whole stack moves. */
static unsigned piece_count(fzi_codegen *e, fzi_view view, const fzi_node *number)
{
    return number ? fzi_int_value(e, view, number)
                  : fzi_gen_value(e, fzi_ir_int(&e->lower->maker, UINT8_MAX));
}

void fzi_lower_primitive_call(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    const fzi_node *third = stmt->arguments->next->next;
    unsigned a = fzi_int_value(e, view, stmt->arguments),
             b = fzi_int_value(e, view, stmt->arguments->next);
    switch (stmt->symbol->value) {
    case FZI_PRIM_go: fzi_lower_go(e, view, a, b); break;
    case FZI_PRIM_swap: fzi_gen(e, FZ_OP_SWAP, a, b, 0); break;
    case FZI_PRIM_stack: fzi_gen(e, FZ_OP_STACK, a, b, piece_count(e, view, third)); break;
    case FZI_PRIM_tuck: fzi_gen(e, FZ_OP_TUCK, a, b, piece_count(e, view, third)); break;
    case FZI_PRIM_pull: fzi_gen(e, FZ_OP_PULL, a, b, 0); break;
    default: fzi_gen(e, FZ_OP_BECOME, a, b, 0); break;
    }
}

static void lower_give(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    unsigned owner = owner_value(e, view, stmt->owner);
    fzi_gen(e, FZ_OP_GIVE, fzi_set_value(e, view, stmt->sites), owner, 0);
}

static void lower_remove(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    if (is_one_site(stmt->sites))
        fzi_gen(e, FZ_OP_TAKE1, fzi_int_value(e, view, stmt->sites), 0, 0);
    else
        fzi_gen(e, FZ_OP_TAKE, fzi_set_value(e, view, stmt->sites), 0, 0);
}

void fzi_lower_place(fzi_codegen *e, fzi_view view, const fzi_node *stmt)
{
    switch (stmt->kind) {
    case N_S_PUT: lower_put(e, view, stmt); break;
    case N_S_GIVE: lower_give(e, view, stmt); break;
    case N_S_REMOVE: lower_remove(e, view, stmt); break;
    default: lower_capture(e, view, stmt); break;
    }
}
