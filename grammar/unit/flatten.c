/* One text from the files of a game: the changes of each file are made in the texts of those below
 * it. `when` stays, so a change applies under both conditions: that of the change, and that of the
 * declaration which it changes. See flatten.h. */
#include "flatten_parts.h"

/* The conditions under which a part stands, innermost first. */
typedef struct condition {
    const char *text;
    bool holds;
    const struct condition *outer;
} condition;

enum change_kind { REMOVES, OVERRIDES, EXTENDS };

typedef struct change {
    enum change_kind kind;
    const fzi_part *part;
    const condition *under;
    bool found;
} change;

/* ---- modules ---- */

typedef bool decl_test(const fzi_node *decl, const void *about);

/* Does a file have such a declaration, under any condition? The layers' own lists were merged into
 * the unit's. */
static bool some_decl(const fzi_node *list, decl_test *test, const void *about)
{
    for (; list; list = list->next)
        if (list->kind == N_D_WHEN
                ? some_decl(list->then, test, about) || some_decl(list->otherwise, test, about)
                : test(list, about))
            return true;
    return false;
}

static bool is_change(const fzi_node *decl)
{
    return decl->flags & (FZ_NODE_OVERRIDE | FZ_NODE_EXTEND);
}

static bool declares(const fzi_node *decl, const void *wanted)
{
    return !is_change(decl) && fzi_same_decl(decl, wanted);
}

static bool has_removed(const fzi_node *decl, const void *remove)
{
    return decl->kind != N_D_REMOVE && !is_change(decl) && fzi_is_removed(decl, remove);
}

/* The module that has the declaration, if it stays a module. */
static fzi_layer *module_with(const fzi_merging *m, const fzi_node *decl)
{
    for (size_t i = m->unit->layer_count; i-- > 0;) {
        fzi_layer *layer = m->unit->layers[i];
        if (layer->module && !layer->is_merged && some_decl(layer->file->decls, declares, decl))
            return layer;
    }
    return NULL;
}

static bool is_use_of(const fzi_node *decl, const void *module)
{
    for (const fzi_node *name = decl->kind == N_D_USE ? decl->names : NULL; name;
         name = name->next)
        if (name->name == ((const fzi_layer *)module)->module)
            return true;
    return false;
}

/* Is the module above a game? Then it can change the game, and its pieces and variables follow the
 * game's. */
static bool changes_game(const fzi_node *decl, const void *about)
{
    (void)about;
    return is_change(decl) || decl->kind == N_D_PIECE || decl->kind == N_D_VAR ||
           decl->kind == N_D_SETUP || decl->kind == N_D_END || decl->kind == N_D_ON_CAPTURE;
}

static bool removes_from(const fzi_node *decl, const void *module)
{
    return decl->kind == N_D_REMOVE &&
           some_decl(((const fzi_layer *)module)->file->decls, has_removed, decl);
}

/* Does a file remove what the module declares? */
static bool loses_part(const fzi_merging *m, const fzi_layer *module)
{
    for (size_t i = 0; i < m->unit->layer_count; i++)
        if (some_decl(m->unit->layers[i]->file->decls, removes_from, module))
            return true;
    return false;
}

/* Modules of the standard library stay modules unless the merged text could not express the changes
 * to them. All others become part of the text. */
static void choose_modules(const fzi_merging *m)
{
    const fzi_layer *prelude = NULL;
    bool above = false, again = true;
    for (size_t i = 0; i < m->unit->layer_count; i++) {
        fzi_layer *layer = m->unit->layers[i];
        above |= !layer->module;
        if (layer->module && strcmp(layer->module, "prelude") == 0)
            prelude = layer;
        if (layer->module && layer != prelude)
            layer->is_merged |= !prelude || strcmp(layer->folder, prelude->folder) != 0 ||
                                (above && some_decl(layer->file->decls, changes_game, NULL)) ||
                                loses_part(m, layer);
    }
    while (again) {
        again = false;
        for (size_t i = 0; i < m->unit->layer_count; i++)
            for (size_t k = 0; k < m->unit->layer_count; k++) {
                fzi_layer *user = m->unit->layers[i];
                const fzi_layer *used = m->unit->layers[k];
                if (user->module && !user->is_merged && used->is_merged &&
                    some_decl(user->file->decls, is_use_of, used))
                    user->is_merged = again = true;
            }
    }
}

static const fzi_layer *loaded_module(const fzi_merging *m, const char *name)
{
    for (size_t i = 0; i < m->unit->layer_count; i++)
        if (m->unit->layers[i]->module == name)
            return m->unit->layers[i];
    return NULL;
}

static const char *with_use(const fzi_merging *m, const char *list, const fzi_node *use)
{
    for (const fzi_node *name = use->names; name; name = name->next) {
        const fzi_layer *module = loaded_module(m, name->name);
        const char *at = strstr(list, name->name);
        size_t length = strlen(name->name);
        bool known = at && (at == list || at[-1] == ' ') && (!at[length] || at[length] == ',');
        if (!known && !(module && module->is_merged))
            list = fzi_arena_printf(m->load->arena, "%s%s%s", list, *list ? ", " : "",
                                    name->name);
    }
    return list;
}

/* ---- conditions ---- */

static const condition *find_condition(const condition *list, const char *text)
{
    while (list && strcmp(list->text, text) != 0)
        list = list->outer;
    return list;
}

static bool contradicts(const condition *a, const condition *b)
{
    for (; a; a = a->outer) {
        const condition *same = find_condition(b, a->text);
        if (same && same->holds != a->holds)
            return true;
    }
    return false;
}

static fzi_part *last_part(fzi_part *list)
{
    while (list && list->next)
        list = list->next;
    return list;
}

/* `then` under those conditions that do not already hold at this place, else `old`. */
static fzi_part *under(fzi_merging *m, const condition *list, const condition *here,
                       fzi_part *then, const fzi_part *old)
{
    for (; list; list = list->outer) {
        if (find_condition(here, list->text))
            continue;
        fzi_part *when = fzi_part_copy(m, old), *other = fzi_part_copy(m, old);
        when->decl = NULL;
        when->word = when->lead = when->trail = "";
        other->heading = "";
        when->condition = list->text;
        when->then = list->holds ? then : other;
        when->otherwise = list->holds ? other : then;
        then = when;
    }
    return then;
}

/* ---- changes ---- */

static fzi_part *changed(fzi_merging *m, const change *c, const fzi_part *old)
{
    if (c->kind == REMOVES)
        return NULL;
    fzi_part *made = c->kind == EXTENDS ? fzi_part_extended(m, c->part, old)
                                        : fzi_part_overriding(m, c->part, old);
    if (!made)
        m->failed = true;
    for (fzi_part *p = made; p; p = p->next)
        p->layer = c->part->layer;
    return made;
}

static bool is_changed(const change *c, const fzi_node *decl)
{
    return c->kind == REMOVES ? fzi_is_removed(decl, c->part->decl)
                              : fzi_same_decl(decl, c->part->decl);
}

static bool group_has(const change *c, const fzi_part *part)
{
    for (const fzi_node *d = part->decl; d; d = d->next)
        if (is_changed(c, d))
            return true;
    return false;
}

/* Removes a part. The heading above it goes to the next part. */
static void leave_heading(fzi_merging *m, const fzi_part *gone, fzi_part *after)
{
    if (!*gone->heading || !after)
        return;
    after->heading = fzi_arena_printf(m->load->arena, "%s%s%s", gone->heading,
                                      *after->heading ? "\n" : "", after->heading);
    after->blank_before = true;
}

static void apply(fzi_merging *m, fzi_part **link, change *c, const condition *here)
{
    while (*link && !m->failed) {
        fzi_part *part = *link;
        if (part->condition) {
            const condition yes = {part->condition, true, here},
                            no = {part->condition, false, here};
            apply(m, &part->then, c, &yes);
            apply(m, &part->otherwise, c, &no);
            link = &part->next;
            continue;
        }
        if (!part->decl || part->layer >= c->part->layer || !group_has(c, part) ||
            contradicts(here, c->under)) {
            link = &part->next;
            continue;
        }
        if (part->decl->next) {
            fzi_parts_split(m, link);
            continue;
        }
        c->found = true;
        fzi_part *next = part->next, *made = changed(m, c, part);
        made = under(m, c->under, here, made, part);
        if (!made)
            leave_heading(m, part, next);
        *link = made ? made : next;
        if (made) {
            fzi_part *last = last_part(made);
            last->next = next;
            link = &last->next;
        }
    }
}

/* ---- files ---- */

typedef struct file {
    fzi_merging *m;
    const char *uses;
} file;

/* Changes a declaration of a module. If nobody declares it, the extension is the whole
 * declaration. */
static void keep_change(fzi_merging *m, fzi_part *part)
{
    if (module_with(m, part->decl))
        part->word = part->decl->flags & FZ_NODE_EXTEND ? "extend " : "override ";
}

static void add_change(file *f, const fzi_part *part, const condition *under, fzi_part ***end)
{
    bool extends = part->decl->flags & FZ_NODE_EXTEND;
    for (const fzi_node *d = part->decl; d; d = d->next) {
        fzi_part *one = fzi_part_copy(f->m, part);
        if (part->decl->next) { /* `override piece A, B { ... }` */
            fzi_parts_split(f->m, &one);
            for (const fzi_node *e = part->decl; one && e != d; e = e->next)
                one = one->next;
            if (!one)
                return;
            one->next = NULL;
        }
        change c = {extends ? EXTENDS : OVERRIDES, one, under, false};
        apply(f->m, &f->m->parts, &c, NULL);
        if (c.found)
            continue;
        keep_change(f->m, one);
        **end = one;
        *end = &one->next;
    }
}

static void take_shown(fzi_merging *m, fzi_part *list, const char *name);

static void add_parts(file *f, fzi_part *list, const condition *under, fzi_part ***end)
{
    for (fzi_part *part = list, *next; part; part = next) {
        next = part->next;
        part->next = NULL;
        if (part->condition) {
            const condition yes = {part->condition, true, under},
                            no = {part->condition, false, under};
            fzi_part *then = NULL, *otherwise = NULL, **then_end = &then, **else_end = &otherwise;
            add_parts(f, part->then, &yes, &then_end);
            add_parts(f, part->otherwise, &no, &else_end);
            part->then = then;
            part->otherwise = otherwise;
            if (!then && !otherwise)
                continue;
        } else if (!part->decl || part->decl->kind == N_D_REMOVE || part->decl->kind == N_D_SET ||
                   part->decl->kind == N_D_INFO) {
            if (part->decl || !*part->heading)
                continue;
        } else if (part->decl->kind == N_D_USE && part->decl->only) {
            const fzi_layer *module = loaded_module(f->m, part->decl->names->name);
            if (!module || module->is_merged)
                continue;
        } else if (part->decl->kind == N_D_USE && !under) {
            f->uses = with_use(f->m, f->uses, part->decl);
            continue;
        } else if (part->decl->kind == N_D_HIDE && !under) {
            for (const fzi_node *name = part->decl->names; name; name = name->next)
                take_shown(f->m, f->m->parts, name->name);
            continue;
        } else if (part->decl->flags & (FZ_NODE_OVERRIDE | FZ_NODE_EXTEND)) {
            add_change(f, part, under, end);
            continue;
        }
        **end = part;
        *end = &part->next;
    }
}

static void remove_parts(fzi_merging *m, const fzi_part *list, const condition *under)
{
    for (; list; list = list->next) {
        if (list->condition) {
            const condition yes = {list->condition, true, under},
                            no = {list->condition, false, under};
            remove_parts(m, list->then, &yes);
            remove_parts(m, list->otherwise, &no);
            continue;
        }
        if (!list->decl || list->decl->kind != N_D_REMOVE)
            continue;
        for (const fzi_node *d = list->decl; d; d = d->next) {
            fzi_part one = *list;
            fzi_node alone = *d;
            alone.next = NULL;
            one.decl = &alone;
            change c = {REMOVES, &one, under, false};
            apply(m, &m->parts, &c, NULL);
        }
    }
}

static void append(fzi_merging *m, fzi_part *parts)
{
    fzi_part **end = &m->parts;
    while (*end)
        end = &(*end)->next;
    if (*end == NULL && m->parts && parts)
        parts->blank_before = true;
    *end = parts;
}

/* ---- what `set` and `hide` change in the texts ---- */

static void each(fzi_merging *m, fzi_part **link, const char *name, const fzi_option *option);

static const char *with_value(const fzi_merging *m, const fzi_node *node, const fzi_option *option)
{
    uint32_t source = node->span.source, start = node->span.start;
    const char *text = fzi_part_slice(m, source, start, node->value->span.start);
    if (strncmp(text, "override", 8) == 0)
        text += 8 + strspn(text + 8, " \t\r\n");
    return fzi_arena_printf(m->load->arena, "%s%s%s", text,
                            fzi_option_text(m->load->arena, option, option->chosen),
                            fzi_part_slice(m, source, node->value->span.end, node->span.end));
}

/* The text of a `show` without this name; NULL: no name is left. */
static const char *without_shown(const fzi_merging *m, const fzi_node *show, const char *hidden)
{
    const char *text = NULL;
    for (const fzi_node *name = show->names; name; name = name->next)
        if (name->name != hidden)
            text = fzi_arena_printf(m->load->arena, "%s%s%s", text ? text : "show ",
                                    text ? ", " : "", fzi_part_text_of(m, name));
    return text ? fzi_arena_printf(m->load->arena, "%s;", text) : NULL;
}

/* Changes the `show`s of a name, or the values of an option. */
static void each(fzi_merging *m, fzi_part **link, const char *name, const fzi_option *option)
{
    for (; *link; link = &(*link)->next) {
        fzi_part *part = *link;
        int kind = part->decl ? part->decl->kind : -1;
        const char *text = part->text;
        each(m, &part->then, name, option);
        each(m, &part->otherwise, name, option);
        if (kind == N_D_OPTION && option && strcmp(part->decl->name, option->name) == 0)
            text = with_value(m, part->decl, option);
        else if (kind == N_D_SHOW && !option)
            text = without_shown(m, part->decl, name);
        if (text == part->text)
            continue;
        fzi_part *made = text ? fzi_part_made(m, text, part) : NULL;
        if (made)
            made->next = part->next;
        *link = made ? made : part->next;
        if (!*link)
            return;
    }
}

static void take_shown(fzi_merging *m, fzi_part *list, const char *name)
{
    fzi_part *head = list;
    each(m, &head, name, NULL);
    if (list == m->parts)
        m->parts = head;
}

static bool has_option(const fzi_part *list, const char *name)
{
    for (; list; list = list->next)
        if ((list->decl && list->decl->kind == N_D_OPTION &&
             strcmp(list->decl->name, name) == 0) ||
            has_option(list->then, name) || has_option(list->otherwise, name))
            return true;
    return false;
}

/* An option of a module is declared again, with its value. */
static void set_options(fzi_merging *m)
{
    for (size_t i = 0; i < m->unit->option_count; i++) {
        const fzi_option *option = &m->unit->options[i];
        if (option->chosen == option->initial)
            continue;
        if (has_option(m->parts, option->name)) {
            each(m, &m->parts, NULL, option);
            continue;
        }
        const fzi_part like = {.word = "override ", .indent = "", .heading = "", .lead = "",
                               .trail = "", .blank_before = true};
        fzi_part *made = fzi_part_made(m, with_value(m, option->node, option), &like);
        if (!made)
            return;
        made->next = m->parts;
        m->parts = made;
    }
}

/* ---- the whole ---- */

static const char *merge(fzi_merging *m)
{
    file f = {.m = m, .uses = ""};
    choose_modules(m);
    for (size_t i = 0; i < m->unit->layer_count && !m->failed; i++) {
        const fzi_layer *layer = m->unit->layers[i];
        if (layer->module && !layer->is_merged)
            continue;
        fzi_part *parts = fzi_parts_read(m, layer, i + 1), *added = NULL, **end = &added;
        remove_parts(m, parts, NULL);
        add_parts(&f, parts, NULL, &end);
        append(m, added);
    }
    if (!m->failed)
        set_options(m);
    if (m->parts)
        m->parts->blank_before = true;
    return m->failed ? NULL : fzi_parts_print(m, f.uses);
}

const char *fzi_merged_text(fzi_load *load, const fzi_unit *unit)
{
    for (;;) {
        fzi_merging *m = FZI_NEW(load->arena, fzi_merging);
        *m = (fzi_merging){.load = load, .unit = unit};
        const char *merged = merge(m);
        fzi_layer *module = m->wanted ? module_with(m, m->wanted) : NULL;
        if (merged || !module || strcmp(module->module, "prelude") == 0)
            return merged;
        module->is_merged = true;
    }
}
