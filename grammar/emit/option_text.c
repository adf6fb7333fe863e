/* Generates the code that writes the text of a move. choose.c calls it for every option. */
#include "emit.h"

/* ---- texts ---- */

static void gen_text(fzi_codegen *e, const char *text, size_t length)
{
    if (!length)
        return;
    fzi_gen_with(e, FZ_OP_TEXT, 0, 0, 0, fzi_build_text_n(e->b, text, length));
}

static void gen_value_text(fzi_codegen *e, const fzi_env *env)
{
    fzi_registers used = e->used;
    fzi_gen_with(e, FZ_OP_TEXT_VALUE, fzi_value_register(e, env), 0, 0,
                 fzi_build_type(e->b, env->symbol->type));
    e->used = used;
}

/* The members of a set joined by `+`; `-` for none. */
static void gen_set_text(fzi_codegen *e, const fzi_ir *value, const fzi_type *type)
{
    fzi_ir_maker *m = &e->lower->maker;
    fzi_label some = FZI_LABEL, first = FZI_LABEL;
    fzi_loop loop;
    bool of_sites = fzi_is_sites(type);
    fzi_local *local = fzi_local_new(e->lower, "member", type->element);
    fzi_local *all = fzi_local_new(e->lower, "members", type);
    fzi_local *smallest = fzi_local_new(e->lower, "least", type->element);
    fzi_registers used = e->used;
    all->reg = (int)fzi_gen_value(e, fzi_fold_to_table(e->lower, value));
    unsigned least = fzi_new_int(e);
    smallest->reg = (int)least;
    fzi_gen_to(e, fzi_ir_op(m, of_sites ? FZ_OP_SFIRST : FZ_OP_MFIRST, fzi_ir_local(m, all), NULL),
               least);
    fzi_gen_branch(e, fzi_ir_op(m, FZ_OP_LT, fzi_ir_local(m, smallest), fzi_ir_int(m, 0)), false,
                   &some);
    gen_text(e, "-", 1);
    fzi_label_place(e, &some);
    fzi_binder binder = {local, of_sites ? FZI_DOMAIN_SITES : FZI_DOMAIN_MASK,
                         fzi_ir_local(m, all), NULL};
    fzi_loop_begin(e, &loop, &binder, fzi_new_int(e));
    fzi_gen_branch(e, fzi_ir_op(m, FZ_OP_NE, fzi_ir_local(m, local), fzi_ir_local(m, smallest)),
                   false, &first);
    gen_text(e, "+", 1);
    fzi_label_place(e, &first);
    fzi_gen_with(e, FZ_OP_TEXT_VALUE, (unsigned)local->reg, 0, 0,
                 fzi_build_type(e->b, type->element));
    fzi_loop_end(e, &loop);
    e->used = used;
}

/* `{name?yes:no}`, where one of the texts may be missing; `part` begins after the `?`. */
static void gen_text_if(fzi_codegen *e, const fzi_ir *condition, const char *part, size_t length)
{
    fzi_label otherwise = FZI_LABEL, done = FZI_LABEL;
    const char *colon = memchr(part, ':', length);
    size_t yes = colon ? (size_t)(colon - part) : length;
    fzi_gen_branch(e, condition, false, &otherwise);
    gen_text(e, part, yes);
    fzi_gen_jump(e, &done);
    fzi_label_place(e, &otherwise);
    if (colon)
        gen_text(e, colon + 1, length - yes - 1);
    fzi_label_place(e, &done);
}

/* Literal text and {names}. The checker has added the names to the label, in order. */
static void gen_template(fzi_codegen *e, fzi_view view, const char *text, const fzi_node *name)
{
    for (const char *open; name && (open = strchr(text, '{')) != NULL; name = name->next) {
        const char *close = strchr(open, '}');
        if (!close)
            break;
        fzi_registers used = e->used;
        gen_text(e, text, (size_t)(open - text));
        const char *question = memchr(open, '?', (size_t)(close - open));
        const fzi_ir *value = fzi_is_sites(name->type) ? fzi_elaborate_sites(e->lower, view, name)
                                                       : fzi_value_of(e->lower, view, name);
        if (question) {
            gen_text_if(e, value, question + 1, (size_t)(close - question) - 1);
        } else if (name->type->kind == FZI_TYPE_SET) {
            gen_set_text(e, value, name->type);
        } else {
            fzi_gen_with(e, FZ_OP_TEXT_VALUE, fzi_gen_value(e, value), 0, 0,
                         fzi_build_type(e->b, name->type));
        }
        e->used = used;
        text = close + 1;
    }
    gen_text(e, text, strlen(text));
}

/* `x` if an enemy stands on `to`, as the script defines `theirs`; else `-`. */
static void gen_dash_or_x(fzi_codegen *e, fzi_view view, const fzi_ir *to)
{
    fzi_lower *lw = e->lower;
    fzi_label quiet = FZI_LABEL, done = FZI_LABEL;
    const fzi_ir *theirs = fzi_prelude(lw, view, "theirs", NULL);
    fzi_gen_branch(e, fzi_fold_to_table(lw, fzi_ir_op(&lw->maker, FZ_OP_SHAS, to, theirs)), false,
                   &quiet);
    gen_text(e, "x", 1);
    fzi_gen_jump(e, &done);
    fzi_label_place(e, &quiet);
    gen_text(e, "-", 1);
    fzi_label_place(e, &done);
}

/* The set of `for S subset of X`, whose binding is called "S's number"; NULL for other bindings. */
static const fzi_env *find_subset(const fzi_codegen *e, fzi_view view, const fzi_env *number)
{
    const char *blank = strstr(number->symbol->name, "'s number");
    return blank ? fzi_find_name(view, fzi_arena_printf(e->b->arena, "%.*s",
                                                        (int)(blank - number->symbol->name),
                                                        number->symbol->name))
                 : NULL;
}

/* The text of a move without a label. */
static void gen_default_text(fzi_codegen *e, const fzi_leaf *leaf)
{
    const fzi_env *from = fzi_find_from(leaf->context.view),
                  *to = fzi_find_name(leaf->context.view, "to");
    unsigned ints = e->used.ints;
    from = fzi_is_site(from) ? from : NULL;
    to = fzi_is_site(to) ? to : NULL;
    if (from && to) {
        gen_value_text(e, from);
        gen_dash_or_x(e, leaf->context.view, to->value);
        gen_value_text(e, to);
    } else if (from || to) {
        gen_value_text(e, from ? from : to);
    }
    e->used.ints = ints;
    const fzi_bindings *items[FZI_MAX_LISTED];
    unsigned count = fzi_bindings_list(leaf->context.bindings, items, FZI_MAX_LISTED);
    bool any = from || to;
    for (unsigned i = 0; i < count; i++) {
        const fzi_env *env =
            items[i]->symbol ? fzi_find_name(leaf->context.view, items[i]->symbol->name) : NULL;
        const fzi_env *subset = env ? find_subset(e, leaf->context.view, env) : NULL;
        if (subset && !items[i]->value) {
            gen_text(e, any ? "=" : "", any ? 1 : 0);
            gen_set_text(e, subset->value, subset->symbol->type);
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

/* The outermost prefix with `shown "…"` and no text for the decider: it replaces all that follows.
 * */
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

static void want_label(fzi_wants *w, const fzi_node *label)
{
    if (!label)
        return;
    for (const fzi_node *name = label->names; name; name = name->next)
        fzi_want_node(w, name);
    for (const fzi_node *name = label->shown ? label->shown->names : NULL; name; name = name->next)
        fzi_want_node(w, name);
}

/* The values that the text needs; without a label `from` (or `here`) and `to`. */
static void wants_of_label(const fzi_codegen *e, const fzi_leaf *leaf, fzi_wants *w)
{
    static const char *const usual[] = {"from", "here", "to"};
    memset(w, 0, sizeof *w);
    want_label(w, leaf->label);
    for (const fzi_prefix *p = leaf->context.prefix; p; p = p->outer)
        want_label(w, p->label);
    bool has_text = leaf->label && leaf->label->text;
    for (const fzi_env *env = leaf->context.view.env; !has_text && env; env = env->outer) {
        const fzi_env *subset = env->symbol ? find_subset(e, leaf->context.view, env) : NULL;
        if (subset)
            fzi_want_ir(w, subset->value);
    }
    for (unsigned i = 0; !has_text && i < 3; i++) {
        const fzi_env *env = fzi_find_name(leaf->context.view, usual[i]);
        if (env)
            fzi_want_ir(w, env->value);
    }
}

void fzi_gen_label(fzi_codegen *e, fzi_leaf *leaf, bool shown)
{
    fzi_wants w;
    fzi_registers used = e->used;
    wants_of_label(e, leaf, &w);
    fzi_gen_bindings(e, &leaf->context, &w);
    const fzi_prefix *cover = shown ? covering(leaf->context.prefix) : NULL;
    gen_prefixes(e, cover ? cover : leaf->context.prefix, shown);
    if (!cover && leaf->label && (shown || leaf->label->text))
        gen_label_text(e, leaf->context.view, leaf->label, shown);
    else if (!cover)
        gen_default_text(e, leaf);
    fzi_gen(e, FZ_OP_TEXT_END, 0, 0, 0);
    e->used = used;
}

bool fzi_hides(const fzi_leaf *leaf)
{
    if (leaf->label && leaf->label->shown)
        return true;
    for (const fzi_prefix *p = leaf->context.prefix; p; p = p->outer) {
        if (p->label->shown)
            return true;
    }
    return false;
}
