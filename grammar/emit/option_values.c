/* The values that an option's effect and text need: bindings, `let`s and points of view on the way
 * to the option. choose.c and option_text.c call it. */
#include "emit.h"

/* ---- values of the way ---- */

unsigned fzi_bindings_list(const fzi_bindings *bindings, const fzi_bindings **items, unsigned most)
{
    unsigned count = 0;
    for (const fzi_bindings *p = bindings; p; p = p->outer)
        count++;
    unsigned kept = count < most ? count : most, i = count;
    for (const fzi_bindings *p = bindings; p; p = p->outer) {
        if (--i < kept)
            items[i] = p;
    }
    return kept;
}

void fzi_want_node(fzi_wants *w, const fzi_node *node)
{
    if (node && w->count < 64)
        w->nodes[w->count++] = node;
}

void fzi_want_ir(fzi_wants *w, const fzi_ir *ir)
{
    if (ir && w->ir_count < 64)
        w->irs[w->ir_count++] = ir;
}

static bool tree_wants(const fzi_wants *w, const fzi_symbol *symbol)
{
    for (unsigned i = 0; i < w->count; i++) {
        if (fzi_node_mentions(w->nodes[i], symbol))
            return true;
    }
    return false;
}

static bool ir_wants(const fzi_wants *w, const fzi_local *local)
{
    for (unsigned i = 0; i < w->ir_count; i++) {
        if (fzi_ir_mentions(w->irs[i], local))
            return true;
    }
    return false;
}

/* Inlined values of the environment may need values that the context binds. */
static void want_bound(fzi_wants *w, const fzi_option_context *context)
{
    for (const fzi_env *env = context->view.env; env; env = env->outer) {
        if (tree_wants(w, env->symbol))
            fzi_want_ir(w, env->value);
    }
    for (const fzi_continuation *c = context->continuations; c; c = c->outer) {
        for (const fzi_env *env = c->view.env; env; env = env->outer) {
            if (tree_wants(w, env->symbol))
                fzi_want_ir(w, env->value);
        }
        fzi_want_ir(w, c->view.me);
    }
    fzi_want_ir(w, context->view.me);
}

void fzi_gen_bindings(fzi_codegen *e, const fzi_option_context *context, fzi_wants *w)
{
    const fzi_bindings *items[FZI_MAX_LISTED];
    bool needed[FZI_MAX_LISTED];
    unsigned count = fzi_bindings_list(context->bindings, items, FZI_MAX_LISTED);
    want_bound(w, context);
    for (unsigned i = count; i-- > 0;) {
        needed[i] = items[i]->value && (ir_wants(w, items[i]->local) ||
                                        (items[i]->symbol && tree_wants(w, items[i]->symbol)));
        if (needed[i])
            fzi_want_ir(w, items[i]->value);
    }
    for (unsigned i = 0; i < count; i++) {
        if (!needed[i])
            continue;
        fzi_registers used = e->used;
        fzi_gen_to(e, items[i]->value, (unsigned)items[i]->local->reg);
        e->used = used;
    }
}

/* ---- names of the way ---- */

const fzi_env *fzi_find_name(fzi_view view, const char *name)
{
    for (const fzi_env *env = view.env; env; env = env->outer) {
        if (env->symbol && strcmp(env->symbol->name, name) == 0)
            return env;
    }
    return NULL;
}

const fzi_env *fzi_find_from(fzi_view view)
{
    const fzi_env *from = fzi_find_name(view, "from");
    return from ? from : fzi_find_name(view, "here");
}

bool fzi_is_site(const fzi_env *env)
{
    return env && env->symbol->type->kind == FZI_TYPE_SITE;
}

unsigned fzi_value_register(fzi_codegen *e, const fzi_env *env)
{
    return fzi_gen_value(e, fzi_fold_to_table(e->lower, env->value));
}
