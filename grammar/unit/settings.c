/* Options and `when`. The options of a file are found first and get their values. Then its
 * declarations are copied, without those whose `when` is false. */
#include "layers.h"

/* ---- options ---- */

static void wrong_value(const fzi_constants *e, const fzi_option *option, const fzi_node *value)
{
    fzi_not_a_value(e->load->diags, value->span, option,
                    fzi_source_text(e->load->sources, value->span));
}

/* The value of an option, as `set` or its declaration says it. False after a complaint: a word that
 * means nothing is no value of this option. */
static bool stated_value(const fzi_constants *e, const fzi_option *option, const fzi_node *value,
                         fzi_known *v)
{
    const fzi_known named = {FZI_NAMED, 0, option};
    const fzi_known *beside = option->kind == FZ_OPTION_NAMED ? &named : NULL;
    fzi_constants asked = *e;

    asked.complain = e->complain && value->kind != N_E_NAME;
    if (fzi_known_beside(&asked, value, beside, v))
        return true;
    if (e->complain && !asked.complain)
        wrong_value(e, option, value);
    return false;
}

/* Finds the values and the default of an option. False after a complaint. */
static bool declared_value(fzi_constants *e, fzi_option *option)
{
    const fzi_node *node = option->node;
    if (!node->declared_type) {
        option->kind = FZ_OPTION_NAMED;
        option->high = (int64_t)fzi_list_length(node->values) - 1;
        option->initial = fzi_named_value(option, node->value->name);
        if (option->initial < 0)
            fzi_not_a_value(e->load->diags, node->value->span, option, node->value->name);
        return option->initial >= 0;
    }
    fzi_known low, high, v;
    const fzi_node *type = node->declared_type;
    option->low = INT32_MIN;
    option->high = INT32_MAX;
    option->kind = FZ_OPTION_NUMBER;
    if (type->kind == N_T_RANGE) {
        if (!fzi_known_value(e, type->low, &low) || !fzi_known_value(e, type->high, &high))
            return false;
        option->low = low.number;
        option->high = high.number;
        if (low.kind != FZI_NUMBER || high.kind != FZI_NUMBER || low.number > high.number) {
            fzi_error(e->load->diags, type->span, FZ_E_OPTION_TYPE);
            return false;
        }
    } else if (strcmp(type->name, "bool") == 0) {
        option->kind = FZ_OPTION_SWITCH;
        option->low = 0;
        option->high = 1;
    } else if (strcmp(type->name, "int") != 0) {
        fzi_error(e->load->diags, type->span, FZ_E_OPTION_TYPE);
        return false;
    }
    if (!stated_value(e, option, node->value, &v))
        return false;
    enum fzi_known_kind wanted = option->kind == FZ_OPTION_SWITCH ? FZI_TRUTH : FZI_NUMBER;
    if (v.kind != wanted || v.number < option->low || v.number > option->high) {
        wrong_value(e, option, node->value);
        return false;
    }
    option->initial = v.number;
    return true;
}

/* The value that `set` gives: a name of the option, or a constant. */
static void set_option(fzi_constants *e, fzi_option *option, const fzi_node *set)
{
    fzi_known v;

    if (!stated_value(e, option, set->value, &v))
        return;
    bool fits = (int)v.kind == (int)option->kind && (v.kind != FZI_NAMED || v.of == option) &&
                v.number >= option->low && v.number <= option->high;
    if (fits)
        option->chosen = v.number;
    else
        wrong_value(e, option, set->value);
}

static bool read_number(const char *text, int64_t *result)
{
    bool minus = *text == '-';
    int64_t n = 0;
    text += minus;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || n > INT32_MAX)
            return false;
        n = 10 * n + (*text - '0');
    }
    *result = minus ? -n : n;
    return true;
}

/* A choice made outside the script. */
static void choose_option(fzi_loader *loader, fzi_option *option, const char *text)
{
    int64_t chosen = -1;
    bool known = false;
    if (option->kind == FZ_OPTION_NAMED) {
        chosen = fzi_named_value(option, text);
        known = chosen >= 0;
    } else if (option->kind == FZ_OPTION_NUMBER) {
        known = read_number(text, &chosen) && chosen >= option->low && chosen <= option->high;
    } else {
        chosen = strcmp(text, "true") == 0;
        known = chosen || strcmp(text, "false") == 0;
    }
    if (known)
        option->chosen = chosen;
    else
        fzi_not_a_value(loader->load->diags, (fzi_span){0}, option, text);
}

/* The highest file with a `set` decides; a choice outside the script overrides all files. */
static void settle_value(fzi_loader *loader, fzi_constants *e, fzi_option *option)
{
    const fzi_node *set = NULL;
    for (size_t i = 0; i < loader->chain_count; i++)
        for (const fzi_node *decl = loader->chain[i]->file->decls; decl; decl = decl->next)
            if (decl->kind == N_D_SET && strcmp(decl->name, option->name) == 0)
                set = decl;
    if (set)
        set_option(e, option, set);
    option->tested = option->chosen;
    for (size_t i = 0; i < loader->load->setting_count; i++) {
        if (strcmp(loader->load->settings[i].name, option->name) != 0)
            continue;
        choose_option(loader, option, loader->load->settings[i].value);
        if (i < loader->load->tested_count)
            option->tested = option->chosen;
    }
}

enum { MAX_OPTIONS = 1000 };

/* An option that overrides an earlier one takes its place. */
static void add_option(fzi_loader *loader, fzi_constants *e, const fzi_node *node)
{
    fzi_unit *unit = loader->unit;
    for (size_t i = 0; i < unit->option_count; i++)
        if (unit->options[i].node == node)
            return;
    fzi_option option = {.name = node->name, .node = node};
    if (!declared_value(e, &option)) {
        option.low = option.low > option.high ? option.high : option.low;
        option.initial = option.low;
    }
    option.chosen = option.initial;
    fzi_option *old = node->flags & FZ_NODE_OVERRIDE ? fzi_find_option(unit, node->name) : NULL;
    if (!old && unit->option_count == MAX_OPTIONS) {
        fzi_error(loader->load->diags, node->span, FZ_E_TOO_MANY, "the game",
                  (unsigned)unit->option_count + 1, "options", (unsigned)MAX_OPTIONS);
        return;
    }
    if (!old)
        old = FZI_MORE(loader->load->arena, unit->options, unit->option_count,
                       loader->option_capacity);
    *old = option;
    settle_value(loader, e, old);
}

void fzi_settle_options(fzi_loader *loader, fzi_layer *layer)
{
    fzi_constants e = {loader->load, loader->unit, layer->file, .complain = true};
    for (const fzi_node *decl = layer->file->decls; decl; decl = decl->next)
        if (decl->kind == N_D_OPTION)
            add_option(loader, &e, decl);
}

static bool is_declared(const fzi_unit *unit, const fzi_option *option)
{
    for (const fzi_node *decl = unit->decls; decl; decl = decl->next)
        if (decl->kind == N_D_OPTION && decl->span.source == option->node->span.source &&
            decl->span.start == option->node->span.start)
            return true;
    return false;
}

void fzi_drop_removed_options(fzi_unit *unit)
{
    size_t kept = 0;
    for (size_t i = 0; i < unit->option_count; i++)
        if (is_declared(unit, &unit->options[i]))
            unit->options[kept++] = unit->options[i];
    unit->option_count = kept;
}

void fzi_check_settings(fzi_loader *loader)
{
    fzi_load *load = loader->load;
    fzi_unit *unit = loader->unit;
    for (size_t i = 0; i < load->setting_count; i++)
        if (!fzi_find_option(unit, load->settings[i].name))
            fzi_unknown_option(load->diags, unit, (fzi_span){0}, load->settings[i].name);
    for (size_t i = 0; i < loader->chain_count; i++)
        for (const fzi_node *decl = loader->chain[i]->file->decls; decl; decl = decl->next)
            if (decl->kind == N_D_SET && loader->chain[i]->file->op == FZ_T_VARIANT &&
                !fzi_find_option(unit, decl->name))
                fzi_unknown_option(load->diags, unit, decl->name_span, decl->name);
}

/* ---- when ---- */

typedef struct settling {
    fzi_loader *loader;
    fzi_layer *layer;
    fzi_constants e;
    fzi_node **end; /* of layer->decls */
} settling;

static bool is_variant(const fzi_layer *layer)
{
    return layer->file->op == FZ_T_VARIANT;
}

static void settle_list(settling *s, const fzi_node *list, bool under_when);

static void settle_when(settling *s, const fzi_node *when)
{
    bool holds;
    if (fzi_condition(&s->e, when->condition, &holds))
        settle_list(s, holds ? when->then : when->otherwise, true);
}

static void settle_decl(settling *s, const fzi_node *decl, bool under_when)
{
    fzi_diags *diags = s->loader->load->diags;
    if ((decl->kind == N_D_SET || decl->kind == N_D_REMOVE) && !is_variant(s->layer)) {
        fzi_error(diags, decl->span, FZ_E_ONLY_IN_VARIANT,
                  decl->kind == N_D_SET ? "set an option" : "remove a declaration");
        return;
    }
    if (decl->kind == N_D_SET) {
        if (under_when)
            fzi_error(diags, decl->span, FZ_E_SET_UNDER_WHEN);
        return;
    }
    if (decl->kind == N_D_OPTION && under_when)
        add_option(s->loader, &s->e, decl);
    fzi_node *copy = fzi_arena_copy(s->loader->load->arena, decl, sizeof *decl);
    copy->next = NULL;
    if (s->layer->module)
        copy->flags |= FZ_NODE_MODULE;
    *s->end = copy;
    s->end = &copy->next;
}

static void settle_list(settling *s, const fzi_node *list, bool under_when)
{
    for (; list; list = list->next) {
        if (list->kind == N_D_WHEN)
            settle_when(s, list);
        else
            settle_decl(s, list, under_when);
    }
}

void fzi_settle_layer(fzi_loader *loader, fzi_layer *layer)
{
    settling s = {
        .loader = loader,
        .layer = layer,
        .e = {.load = loader->load, .unit = loader->unit, .file = layer->file, .complain = true},
        .end = &layer->decls,
    };
    settle_list(&s, layer->file->decls, false);
}
