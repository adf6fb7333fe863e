/* Generates the code of options: their effects, the conditions of their filters, their texts. */
#include "lower_effect.h"

#include <string.h>

#include "constant_tables.h"
#include "elaborate_call.h"
#include "lower_choice.h"
#include "lower_condition.h"
#include "lower_filter.h"
#include "lower_function.h"
#include "lower_place.h"
#include "lower_stmt.h"
#include "lower_stop.h"
#include "lower_together.h"

/* ---- values of the way ---- */

/* The path outermost first. */
static unsigned path_items(const fzi_path *path, const fzi_path **items, unsigned most)
{
    unsigned count = 0;
    for (const fzi_path *p = path; p; p = p->outer)
        count++;
    unsigned kept = count < most ? count : most, i = count;
    for (const fzi_path *p = path; p; p = p->outer) {
        if (--i < kept)
            items[i] = p;
    }
    return kept;
}

enum { MAX_PATH = 256 };

/* What a piece of text needs: values named by it, directly or through other values. */
typedef struct wants {
    const fzi_node *nodes[64];
    unsigned count;
    const fzi_ir *irs[64];
    unsigned ir_count;
} wants;

static void want_node(wants *w, const fzi_node *node)
{
    if (node && w->count < 64)
        w->nodes[w->count++] = node;
}

static void want_ir(wants *w, const fzi_ir *ir)
{
    if (ir && w->ir_count < 64)
        w->irs[w->ir_count++] = ir;
}

static bool tree_wants(const wants *w, const fzi_symbol *symbol)
{
    for (unsigned i = 0; i < w->count; i++) {
        if (fzi_node_mentions(w->nodes[i], symbol))
            return true;
    }
    return false;
}

static bool ir_wants(const wants *w, const fzi_local *local)
{
    for (unsigned i = 0; i < w->ir_count; i++) {
        if (fzi_ir_mentions(w->irs[i], local))
            return true;
    }
    return false;
}

/* Values of the environment that are not on the path (put in place of their names) may need some
 * that are. */
static void want_bound(wants *w, const fzi_way *way)
{
    for (const fzi_env *env = way->view.env; env; env = env->outer) {
        if (tree_wants(w, env->symbol))
            want_ir(w, env->value);
    }
    for (const fzi_closer *c = way->closers; c; c = c->outer) {
        for (const fzi_env *env = c->view.env; env; env = env->outer) {
            if (tree_wants(w, env->symbol))
                want_ir(w, env->value);
        }
        want_ir(w, c->view.me);
    }
    want_ir(w, way->view.me);
}

/* Computes the needed values of the path. Bindings are in their registers already. */
static void gen_path(fzi_codegen *e, const fzi_way *way, wants *w)
{
    const fzi_path *items[MAX_PATH];
    bool needed[MAX_PATH];
    unsigned count = path_items(way->path, items, MAX_PATH);
    want_bound(w, way);
    for (unsigned i = count; i-- > 0;) {
        needed[i] = items[i]->value && (ir_wants(w, items[i]->local) ||
                                        (items[i]->symbol && tree_wants(w, items[i]->symbol)));
        if (needed[i])
            want_ir(w, items[i]->value);
    }
    for (unsigned i = 0; i < count; i++) {
        if (!needed[i])
            continue;
        unsigned ints = e->ints, sets = e->sets;
        if (items[i]->local->is_set)
            fzi_gen_set_to(e, items[i]->value, (unsigned)items[i]->local->reg);
        else
            fzi_gen_int_to(e, items[i]->value, (unsigned)items[i]->local->reg);
        e->ints = ints;
        e->sets = sets;
    }
}

/* ---- names of the way ---- */

static const fzi_env *find_name(fzi_view view, const char *name)
{
    for (const fzi_env *env = view.env; env; env = env->outer) {
        if (env->symbol && strcmp(env->symbol->name, name) == 0)
            return env;
    }
    return NULL;
}

static const fzi_env *find_from(fzi_view view)
{
    const fzi_env *from = find_name(view, "from");
    return from ? from : find_name(view, "here");
}

static bool is_site(const fzi_env *env)
{
    return env && env->symbol->type->kind == FZI_TYPE_SITE;
}

/* ---- effects as functions ---- */

typedef struct lowered_effect {
    const fzi_node *effect;
    const fzi_symbol
        *first; /* the symbol of the way that was met first: the same text may be reached twice */
    uint32_t function;
} lowered_effect;

enum { MAX_CAPTURED = 32 };

/* What an effect names of the way to it, in the order of the chain. */
static unsigned captured(const fzi_way *way, const fzi_node *effect, const fzi_env **found)
{
    unsigned count = 0;
    for (const fzi_env *env = way->view.env; env && count < MAX_CAPTURED; env = env->outer) {
        bool seen = false;
        for (unsigned i = 0; i < count; i++)
            seen |= found[i]->symbol == env->symbol;
        if (!seen && env->symbol && fzi_node_mentions(effect, env->symbol))
            found[count++] = env;
    }
    return count;
}

static uint32_t effect_function(fzi_lower *lw, const fzi_node *effect, const fzi_env **found,
                                unsigned count)
{
    lw->effects.item_size = sizeof(lowered_effect);
    for (size_t i = 0; i < lw->effects.count; i++) {
        const lowered_effect *known = FZI_ITEM(lw->effects, lowered_effect, i);
        if (known->effect == effect)
            return known->function;
    }
    fzi_codegen e;
    lowered_effect made = {effect, NULL, fzi_build_function(&lw->build, "effect")};
    fzi_array_add(&lw->build, &lw->effects, &made);
    fz_function *f = FZI_ITEM(lw->build.functions, fz_function, made.function);
    f->int_params = 1;
    f->flags = (uint8_t)((effect->effects & FZI_DECIDES ? FZ_FUNCTION_DECIDES : 0) |
                         (effect->effects & FZI_CHANCE ? FZ_FUNCTION_ROLLS : 0));
    unsigned depth = lw->depth;
    lw->depth = 0;
    fzi_emit_begin(lw, &e, made.function);
    fzi_local *me = fzi_me_new(lw);
    me->reg = (int)fzi_new_int(&e);
    fzi_view view = {NULL, fzi_ir_local(&lw->maker, me)};
    for (unsigned i = 0; i < count; i++) {
        fzi_local *local = fzi_local_new(lw, found[i]->symbol->name, found[i]->symbol->type);
        local->reg = (int)(local->is_set ? fzi_new_set(&e) : fzi_new_int(&e));
        *(local->is_set ? &f->set_params : &f->int_params) += 1;
        view = fzi_view_bind(lw, view, found[i]->symbol, fzi_ir_local(&lw->maker, local));
    }
    fzi_lower_stmt(&e, view, effect, true);
    fzi_lower_end_function(&e);
    lw->depth = depth;
    return made.function;
}

static void gen_effect_call(fzi_codegen *e, const fzi_leaf *leaf, bool tail)
{
    const fzi_env *found[MAX_CAPTURED];
    unsigned count = captured(&leaf->way, leaf->effect, found), ints = 1, sets = 0;
    uint32_t function = effect_function(e->lower, leaf->effect, found, count);
    for (unsigned i = 0; i < count; i++)
        *(fzi_is_sites(found[i]->symbol->type) ? &sets : &ints) += 1;
    unsigned first_int = fzi_new_ints(e, ints), first_set = e->sets, n = first_int, s = first_set;
    for (unsigned i = 0; i < sets; i++)
        fzi_new_set(e);
    fzi_gen_int_to(e, leaf->way.view.me, n++);
    for (unsigned i = 0; i < count; i++) {
        if (fzi_is_sites(found[i]->symbol->type))
            fzi_gen_set_to(e, found[i]->value, s++);
        else
            fzi_gen_int_to(e, found[i]->value, n++);
    }
    fzi_gen(e, tail ? FZ_OP_TAILCALL : FZ_OP_CALL, first_int, first_set, 0);
    fzi_gen_word(e, function);
    fzi_array_add(e->b, &e->code.calls, &function);
}

/* ---- effects ---- */

static unsigned value_register(fzi_codegen *e, const fzi_env *env)
{
    return fzi_gen_int(e, fzi_tabulate(e->lower, env->value));
}

/* SET_LAST_MOVE: what the move's from and to are, before its effect. */
static void gen_took(fzi_codegen *e, const fzi_leaf *leaf)
{
    const fzi_env *from = find_from(leaf->way.view), *to = find_name(leaf->way.view, "to");
    unsigned ints = e->ints, a, b;
    if (!e->lower->reads_last)
        return;
    if (is_site(from)) {
        a = value_register(e, from);
    } else {
        a = fzi_new_int(e);
        fzi_gen(e, FZ_OP_INT, a, 0, 0);
        fzi_gen_word(e, FZ_NOT_THERE);
    }
    if (is_site(to)) {
        b = value_register(e, to);
    } else {
        b = fzi_new_int(e);
        fzi_gen(e, FZ_OP_INT, b, 0, 0);
        fzi_gen_word(e, FZ_NOT_THERE);
    }
    fzi_gen(e, FZ_OP_SET_LAST_MOVE, a, b, 0);
    e->ints = ints;
}

static void gen_filter_op(fzi_codegen *e, int op, uint32_t filter)
{
    fzi_gen(e, op, 0, 0, 0);
    fzi_gen_word(e, filter);
}

/* PEND of all filters, outermost first. */
static void gen_pend(fzi_codegen *e, const fzi_closer *closer)
{
    if (!closer)
        return;
    gen_pend(e, closer->outer);
    if (!closer->then)
        gen_filter_op(e, FZ_OP_PEND, closer->filter);
}

static void gen_body(fzi_codegen *e, const fzi_leaf *leaf, bool tail)
{
    if (!leaf->effect) {
        unsigned ints = e->ints;
        unsigned from = fzi_gen_int(e, fzi_view_find(leaf->way.view, leaf->here));
        unsigned to = fzi_gen_int(e, fzi_view_find(leaf->way.view, leaf->to));
        fzi_lower_go(e, leaf->way.view, from, to);
        e->ints = ints;
    } else if (leaf->way.named && leaf->effect->effects & FZI_DECIDES) {
        gen_effect_call(e, leaf, tail);
    } else {
        fzi_lower_stmt(e, leaf->way.view, leaf->effect, tail);
    }
}

static void wants_of_effect(const fzi_codegen *e, const fzi_leaf *leaf, wants *w)
{
    memset(w, 0, sizeof *w);
    want_node(w, leaf->effect);
    for (const fzi_closer *c = leaf->way.closers; c; c = c->outer) {
        want_node(w, c->then ? c->then : c->condition);
        for (unsigned i = 0; i < c->bound_count; i++)
            want_ir(w, c->bounds[i]);
    }
    if (e->lower->reads_last) {
        const fzi_env *from = find_from(leaf->way.view), *to = find_name(leaf->way.view, "to");
        if (from)
            want_ir(w, from->value);
        if (to)
            want_ir(w, to->value);
    }
}

static void gen_effect(fzi_gather *g, fzi_leaf *leaf, fzi_label *after, bool tail, bool question)
{
    fzi_codegen *e = g->e;
    wants w;
    e->span = leaf->span;
    wants_of_effect(e, leaf, &w);
    gen_path(e, &leaf->way, &w);
    gen_pend(e, leaf->way.closers);
    const fzi_closer *c = leaf->way.closers;
    for (; c && c->first; c = c->outer)
        gen_filter_op(e, FZ_OP_FILTER_BEGIN, c->filter);
    if (!question)
        fzi_stop_at_option(e);
    gen_took(e, leaf);
    gen_body(e, leaf, tail && !c && !question);
    for (; c; c = c->outer) {
        e->span = leaf->span;
        if (!c->then)
            gen_filter_op(e, FZ_OP_FILTER_BEGIN, c->filter);
        else if (c->then->effects & FZI_DECIDES && c->named) {
            fzi_leaf then = *leaf;
            then.effect = c->then;
            then.way.view = c->view;
            gen_effect_call(e, &then, tail && !c->outer && !question);
        } else {
            fzi_lower_stmt(e, c->view, c->then, tail && !c->outer && !question);
        }
    }
    if (tail && !question && e->result == 0)
        fzi_gen(e, FZ_OP_RETURN, 0, 0, 0);
    else
        fzi_gen_jump(e, after);
}

void fzi_lower_effect(fzi_gather *g, fzi_leaf *leaf, fzi_label *after)
{
    gen_effect(g, leaf, after, false, false);
}

/* ---- texts ---- */

static void gen_text(fzi_codegen *e, const char *text, size_t length)
{
    if (!length)
        return;
    fzi_gen(e, FZ_OP_TEXT, 0, 0, 0);
    fzi_gen_word(e, fzi_build_text_n(e->b, text, length));
}

static void gen_value_text(fzi_codegen *e, const fzi_env *env)
{
    unsigned ints = e->ints, sets = e->sets;
    fzi_gen(e, FZ_OP_TEXT_VALUE, value_register(e, env), 0, 0);
    fzi_gen_word(e, fzi_build_type(e->b, env->symbol->type));
    e->ints = ints;
    e->sets = sets;
}

/* Sites joined by `+`; `-` for none. */
static void gen_sites_text(fzi_codegen *e, const fzi_ir *sites, const fzi_type *site)
{
    fzi_ir_maker *m = &e->lower->maker;
    fzi_label some, first;
    fzi_loop loop;
    fzi_local *local = fzi_local_new(e->lower, "site", site);
    unsigned ints = e->ints, sets = e->sets;
    unsigned set = fzi_gen_set(e, fzi_tabulate(e->lower, sites)), least = fzi_new_int(e);
    fzi_local *all = fzi_local_new(e->lower, "sites", e->lower->game->type_sites);
    all->reg = (int)set;
    fzi_label_init(&some);
    fzi_label_init(&first);
    fzi_gen(e, FZ_OP_JSSOME, set, 0, 0);
    fzi_label_use(e, &some);
    gen_text(e, "-", 1);
    fzi_label_place(e, &some);
    fzi_gen_int_to(e, fzi_ir_op(m, FZ_OP_SFIRST, fzi_ir_local(m, all), NULL), least);
    fzi_local *smallest = fzi_local_new(e->lower, "least", site);
    smallest->reg = (int)least;
    fzi_binder binder = {local, FZI_DOMAIN_SITES, fzi_ir_local(m, all), NULL};
    fzi_loop_begin(e, &loop, &binder, fzi_new_int(e));
    fzi_gen_branch(e, fzi_ir_op(m, FZ_OP_NE, fzi_ir_local(m, local), fzi_ir_local(m, smallest)),
                   false, &first);
    gen_text(e, "+", 1);
    fzi_label_place(e, &first);
    fzi_gen(e, FZ_OP_TEXT_VALUE, (unsigned)local->reg, 0, 0);
    fzi_gen_word(e, fzi_build_type(e->b, site));
    fzi_loop_end(e, &loop);
    e->ints = ints;
    e->sets = sets;
}

/* `{name?yes:no}`, where one of the texts may be missing; `part` begins behind the `?`. */
static void gen_text_if(fzi_codegen *e, const fzi_ir *condition, const char *part, size_t length)
{
    fzi_label otherwise, done;
    const char *colon = memchr(part, ':', length);
    size_t yes = colon ? (size_t)(colon - part) : length;
    fzi_label_init(&otherwise);
    fzi_label_init(&done);
    fzi_gen_branch(e, condition, false, &otherwise);
    gen_text(e, part, yes);
    fzi_gen_jump(e, &done);
    fzi_label_place(e, &otherwise);
    if (colon)
        gen_text(e, colon + 1, length - yes - 1);
    fzi_label_place(e, &done);
}

/* Literal text and {names}; the checker has hung the names on the label, in order. */
static void gen_template(fzi_codegen *e, fzi_view view, const char *text, const fzi_node *name)
{
    for (const char *open; name && (open = strchr(text, '{')) != NULL; name = name->next) {
        const char *close = strchr(open, '}');
        if (!close)
            break;
        unsigned ints = e->ints, sets = e->sets;
        gen_text(e, text, (size_t)(open - text));
        const char *question = memchr(open, '?', (size_t)(close - open));
        const fzi_ir *value = fzi_is_sites(name->type)
                                  ? fzi_expr_sites(e->lower, view, name)
                                  : fzi_tabulate(e->lower, fzi_expr(e->lower, view, name));
        if (question) {
            gen_text_if(e, value, question + 1, (size_t)(close - question) - 1);
        } else if (fzi_is_sites(name->type)) {
            gen_sites_text(e, value, e->lower->game->type_site);
        } else {
            fzi_gen(e, FZ_OP_TEXT_VALUE, fzi_gen_int(e, value), 0, 0);
            fzi_gen_word(e, fzi_build_type(e->b, name->type));
        }
        e->ints = ints;
        e->sets = sets;
        text = close + 1;
    }
    gen_text(e, text, strlen(text));
}

/* `x` where an enemy stands on `to`, by the script's own idea of enemies. */
static void gen_dash_or_x(fzi_codegen *e, fzi_view view, const fzi_ir *to)
{
    fzi_lower *lw = e->lower;
    fzi_label quiet, done;
    const fzi_ir *theirs = fzi_prelude(lw, view, "theirs", NULL);
    fzi_label_init(&quiet);
    fzi_label_init(&done);
    fzi_gen_branch(e, fzi_tabulate(lw, fzi_ir_op(&lw->maker, FZ_OP_SHAS, to, theirs)), false,
                   &quiet);
    gen_text(e, "x", 1);
    fzi_gen_jump(e, &done);
    fzi_label_place(e, &quiet);
    gen_text(e, "-", 1);
    fzi_label_place(e, &done);
}

/* The set of `for S subset of X`, of which the way binds "S's number"; NULL for other bindings. */
static const fzi_env *find_subset(const fzi_codegen *e, fzi_view view, const fzi_env *number)
{
    const char *blank = strstr(number->symbol->name, "'s number");
    return blank ? find_name(view, fzi_arena_printf(e->b->arena, "%.*s",
                                                    (int)(blank - number->symbol->name),
                                                    number->symbol->name))
                 : NULL;
}

/* The text of a move without a label. */
static void gen_default_text(fzi_codegen *e, const fzi_leaf *leaf)
{
    const fzi_env *from = find_from(leaf->way.view), *to = find_name(leaf->way.view, "to");
    unsigned ints = e->ints;
    from = is_site(from) ? from : NULL;
    to = is_site(to) ? to : NULL;
    if (from && to) {
        gen_value_text(e, from);
        gen_dash_or_x(e, leaf->way.view, to->value);
        gen_value_text(e, to);
    } else if (from || to) {
        gen_value_text(e, from ? from : to);
    }
    e->ints = ints;
    const fzi_path *items[MAX_PATH];
    unsigned count = path_items(leaf->way.path, items, MAX_PATH);
    bool any = from || to;
    for (unsigned i = 0; i < count; i++) {
        const fzi_env *env =
            items[i]->symbol ? find_name(leaf->way.view, items[i]->symbol->name) : NULL;
        const fzi_env *subset = env ? find_subset(e, leaf->way.view, env) : NULL;
        if (subset && !items[i]->value) {
            gen_text(e, any ? "=" : "", any ? 1 : 0);
            gen_sites_text(e, subset->value, e->lower->game->type_site);
            any = true;
            continue;
        }
        if (items[i]->value || !env || env == from || env == to || env->symbol != items[i]->symbol)
            continue;
        gen_text(e, any ? "=" : "", any ? 1 : 0);
        gen_value_text(e, env);
        any = true;
    }
    if (!any)
        gen_text(e, "*", 1);
}

static void gen_label_text(fzi_codegen *e, fzi_view view, const fzi_node *label, bool shown)
{
    const fzi_node *node = shown && label->shown ? label->shown : label;
    if (node->text)
        gen_template(e, view, node->text, node->names);
}

/* `shown "…"` without a text for the decider stands for all that follows; the outermost such
 * prefix. */
static const fzi_prefix *covering(const fzi_prefix *prefix)
{
    const fzi_prefix *found = NULL;
    for (; prefix; prefix = prefix->outer)
        found = prefix->label->text ? found : prefix;
    return found;
}

static void gen_prefixes(fzi_codegen *e, const fzi_prefix *prefix, bool shown)
{
    if (!prefix)
        return;
    gen_prefixes(e, prefix->outer, shown);
    gen_label_text(e, prefix->view, prefix->label, shown);
}

static void want_label(wants *w, const fzi_node *label)
{
    if (!label)
        return;
    for (const fzi_node *name = label->names; name; name = name->next)
        want_node(w, name);
    for (const fzi_node *name = label->shown ? label->shown->names : NULL; name; name = name->next)
        want_node(w, name);
}

/* What the text names; a move without a label, its `from` (or `here`) and `to`. */
static void wants_of_label(const fzi_codegen *e, const fzi_leaf *leaf, wants *w)
{
    static const char *const usual[] = {"from", "here", "to"};
    memset(w, 0, sizeof *w);
    want_label(w, leaf->label);
    for (const fzi_prefix *p = leaf->way.prefix; p; p = p->outer)
        want_label(w, p->label);
    bool has_text = leaf->label && leaf->label->text;
    for (const fzi_env *env = leaf->way.view.env; !has_text && env; env = env->outer) {
        const fzi_env *subset = env->symbol ? find_subset(e, leaf->way.view, env) : NULL;
        if (subset)
            want_ir(w, subset->value);
    }
    for (unsigned i = 0; !has_text && i < 3; i++) {
        const fzi_env *env = find_name(leaf->way.view, usual[i]);
        if (env)
            want_ir(w, env->value);
    }
}

static void gen_label(fzi_codegen *e, fzi_leaf *leaf, bool shown)
{
    wants w;
    unsigned ints = e->ints, sets = e->sets;
    wants_of_label(e, leaf, &w);
    gen_path(e, &leaf->way, &w);
    const fzi_prefix *cover = shown ? covering(leaf->way.prefix) : NULL;
    gen_prefixes(e, cover ? cover : leaf->way.prefix, shown);
    if (!cover && leaf->label && (shown || leaf->label->text))
        gen_label_text(e, leaf->way.view, leaf->label, shown);
    else if (!cover)
        gen_default_text(e, leaf);
    fzi_gen(e, FZ_OP_TEXT_END, 0, 0, 0);
    e->ints = ints;
    e->sets = sets;
}

static bool hides(const fzi_leaf *leaf)
{
    if (leaf->label && leaf->label->shown)
        return true;
    for (const fzi_prefix *p = leaf->way.prefix; p; p = p->outer) {
        if (p->label->shown)
            return true;
    }
    return false;
}

/* ---- filters ---- */

static void gen_filter(fzi_gather *g, const fzi_closer *closer)
{
    fzi_codegen *e = g->e;
    fzi_lower *lw = e->lower;
    unsigned ints = e->ints, sets = e->sets, count = 0;
    const fzi_node *filter = closer->condition;
    FZI_ITEM(e->b->filters, fz_filter, closer->filter)->code = fzi_code_here(&e->code);
    e->span = filter->span;
    const fzi_node *values = fzi_filter_values(filter);
    unsigned first = fzi_new_ints(e, (unsigned)fzi_list_length(values) + closer->bound_count);
    for (const fzi_node *value = values; value; value = value->next, count++)
        fzi_gen_int_to(e, fzi_tabulate(lw, fzi_expr(lw, closer->view, value)), first + count);
    for (unsigned i = 0; i < closer->bound_count; i++)
        fzi_gen_int_to(e, closer->bounds[i], first + count + i);
    if (closer->bound_count) {
        fzi_gen(e, FZ_OP_CHECK_BOUND, first, count, 0);
        fzi_gen_word(e, closer->filter);
    }
    if (closer->first)
        e->span = filter->span;
    fzi_gen(e, FZ_OP_FILTER_END, first, count, 0);
    e->ints = ints;
    e->sets = sets;
}

/* Each filter once, above all registers that a leaf's way may use. */
static void gen_filters(fzi_gather *g)
{
    fzi_codegen *e = g->e;
    fzi_build *b = e->b;
    uint8_t *done = fzi_arena_alloc(b->arena, b->filters.count + 1);
    unsigned ints = e->ints, sets = e->sets;
    for (const fzi_leaf *leaf = g->first; leaf; leaf = leaf->next) {
        e->ints = leaf->ints > e->ints ? leaf->ints : e->ints;
        e->sets = leaf->sets > e->sets ? leaf->sets : e->sets;
    }
    for (const fzi_leaf *leaf = g->first; leaf; leaf = leaf->next) {
        for (const fzi_closer *c = leaf->way.closers; c; c = c->outer) {
            if (c->then || done[c->filter])
                continue;
            done[c->filter] = 1;
            gen_filter(g, c);
        }
    }
    e->ints = ints;
    e->sets = sets;
}

/* ---- the option's record ---- */

static void record_bindings(fzi_gather *g, const fzi_leaf *leaf, fz_option_info *info)
{
    const fzi_path *items[MAX_PATH];
    unsigned count = path_items(leaf->way.path, items, MAX_PATH);
    info->from = info->to = -1;
    const fzi_env *from = find_from(leaf->way.view), *to = find_name(leaf->way.view, "to");
    for (unsigned i = 0; i < count; i++) {
        if (items[i]->value || info->bindings == FZ_MAX_BINDINGS)
            continue;
        uint8_t n = info->bindings++;
        info->types[n] = fzi_build_type(g->e->b, items[i]->symbol->type);
        info->names[n] = fzi_build_text(g->e->b, items[i]->symbol->name);
        if (is_site(from) && from->symbol == items[i]->symbol)
            info->from = (int8_t)n;
        if (is_site(to) && to->symbol == items[i]->symbol)
            info->to = (int8_t)n;
    }
}

static void record_filters(fzi_build *b, const fzi_leaf *leaf, fz_option_info *info)
{
    info->first_filter = (uint32_t)b->filter_lists.count;
    for (const fzi_closer *c = leaf->way.closers; c; c = c->outer) {
        if (c->then)
            continue;
        fzi_array_add(b, &b->filter_lists, &c->filter);
        info->filters++;
    }
}

void fzi_lower_leaves(fzi_gather *g, fzi_label *after, bool tail, bool question)
{
    fzi_codegen *e = g->e;
    fzi_build *b = e->b;
    unsigned ints = e->ints, sets = e->sets;
    for (fzi_leaf *leaf = g->first; leaf && !b->failed; leaf = leaf->next) {
        fz_option_info info = {0};
        leaf->way.closers = fzi_with_conditions(g, &leaf->way);
        info.choice = g->choice;
        info.first = (uint8_t)g->base;
        info.place = fzi_build_place(b, leaf->span);
        record_bindings(g, leaf, &info);
        record_filters(b, leaf, &info);
        e->ints = leaf->ints;
        e->sets = leaf->sets;
        info.label = info.shown = fzi_code_here(&e->code);
        gen_label(e, leaf, false);
        if (hides(leaf)) {
            info.shown = fzi_code_here(&e->code);
            gen_label(e, leaf, true);
        }
        info.effect = fzi_code_here(&e->code);
        if (g->sealed)
            fzi_gen_sealed(g, leaf, after);
        else
            gen_effect(g, leaf, after, tail, question);
        *FZI_ITEM(b->options, fz_option_info, leaf->option) = info;
    }
    e->ints = ints;
    e->sets = sets;
    if (!b->failed)
        gen_filters(g);
}
