/* Merges the layers of a unit: `override`, `extend` and `remove` change declarations of lower
 * layers; all other declarations are added. */
#include "layers.h"

#include "grammar/syntax/parse.h"

static fzi_span name_place(const fzi_node *decl)
{
    return decl->name_span.end > decl->name_span.start ? decl->name_span : decl->span;
}

/* ---- merging ---- */

/* Two modules, or two variants, that know nothing of each other override the same thing. */
typedef struct conflict {
    const fzi_node *first, *second;
    const fzi_layer *first_layer, *second_layer;
    bool is_settled; /* a file above both overrides it */
    struct conflict *next;
} conflict;

typedef struct merge {
    fzi_loader *loader;
    conflict *conflicts;
    const fzi_layer *layer; /* the one that is being added */
    bool is_top;            /* the file that was asked for */
    fzi_node *above;        /* the first declaration of this layer; older ones are below it */
    fzi_node **end;
    fzi_node **tests_end;
    fzi_change **changes_end;
    size_t change_count;
    fzi_node *info;
    const char **below; /* hashed: the names of declarations below this layer; NULL: free */
    size_t below_mask;
} merge;

enum { MAX_CHANGES = 2000 }; /* each looks at all declarations and all changes */

/* Where the interned name is among those below the layer, or would be. */
static const char **below_at(const merge *m, const char *name)
{
    size_t at = (size_t)((uintptr_t)name / sizeof(void *) * 0x9e3779b1u);
    while (m->below[at & m->below_mask] && m->below[at & m->below_mask] != name)
        at++;
    return &m->below[at & m->below_mask];
}

static void note_names_below(merge *m)
{
    size_t count = fzi_list_length(m->loader->unit->decls);
    for (m->below_mask = 15; m->below_mask < 2 * count;)
        m->below_mask = 2 * m->below_mask + 1;
    m->below = fzi_arena_alloc(m->loader->load->arena, (m->below_mask + 1) * sizeof *m->below);
    for (const fzi_node *decl = m->loader->unit->decls; decl; decl = decl->next)
        if (fzi_decl_has_name(decl))
            *below_at(m, decl->name) = decl->name;
}

static void record(merge *m, const fzi_node *old, const fzi_node *now, fzi_span span)
{
    fzi_change *change = FZI_NEW(m->loader->load->arena, fzi_change);
    *change = (fzi_change){.old = old, .now = now, .span = span};
    *m->changes_end = change;
    m->changes_end = &change->next;
    m->change_count++;
}

static void append(merge *m, fzi_node *decl)
{
    *m->end = decl;
    m->end = &decl->next;
    if (!m->above)
        m->above = decl;
}

/* Takes a declaration out of the list: `link` is what points to it. */
static void unlink_decl(merge *m, fzi_node **link)
{
    fzi_node *decl = *link;
    if (m->end == &decl->next)
        m->end = link;
    *link = decl->next;
}

static int nearness(const merge *m, const fzi_node *old)
{
    const fzi_unit *unit = m->loader->unit;
    return fzi_unit_nearness(unit, m->layer->file->span.source, fzi_unit_home(unit, old),
                             old->name);
}

/* The link to the declaration below this layer that `decl` would replace or extend: the nearest
 * one. NULL: there is none. `*other`, if not NULL: another module's that is as near. */
static fzi_node **find_below(const merge *m, const fzi_node *decl, const fzi_node **other)
{
    fzi_node **found = NULL;
    int best = FZI_LEFT_OUT + 1;
    if (fzi_decl_has_name(decl) && !*below_at(m, decl->name))
        return NULL;
    for (fzi_node **link = &m->loader->unit->decls; *link && *link != m->above;
         link = &(*link)->next) {
        if (!fzi_same_decl(*link, decl) ||
            (!(decl->flags & FZ_NODE_EXTEND) && (*link)->flags & FZ_NODE_OVERRIDE &&
             (*link)->span.source == decl->span.source))
            continue;
        int near = fzi_decl_has_name(decl) ? nearness(m, *link) : FZI_OWN;
        if (near == best && (near == FZI_LISTED || near == FZI_USED) && other)
            *other = *link;
        if (near >= best)
            continue;
        found = link;
        best = near;
        if (other)
            *other = NULL;
    }
    return found;
}

/* The same for `override` and `extend`, which name one declaration. */
static fzi_node **find_named(const merge *m, const fzi_node *decl)
{
    const fzi_node *other = NULL;
    fzi_node **link = find_below(m, decl, &other);
    if (!other)
        return link;
    const fzi_unit *unit = m->loader->unit;
    fzi_diags *diags = m->loader->load->diags;
    const char *first = fzi_unit_module_at(unit, fzi_unit_home(unit, *link));
    const char *second = fzi_unit_module_at(unit, fzi_unit_home(unit, other));
    fzi_diag *diag = fzi_error(diags, name_place(decl), FZ_E_TWO_TO_CHANGE, first, second,
                               fzi_decl_described(diags->arena, decl), first, decl->name);
    fzi_note_at(diag, name_place(*link), "one of them");
    fzi_note_at(diag, name_place(other), "the other");
    return link;
}

/* Does it find a declaration of that name, or of one that is nearly the same? */
static bool hint_alike(const merge *m, fzi_diag *diag, const fzi_node *decl)
{
    fzi_diags *diags = m->loader->load->diags;
    fzi_nearest nearest = {.wanted = decl->name};
    for (const fzi_node *d = m->loader->unit->decls; d && d != m->above; d = d->next) {
        if (!fzi_decl_has_name(d) || d->kind == N_D_INFO)
            continue;
        if (strcmp(d->name, decl->name) == 0) {
            fzi_note_at(diag, d->name_span, "there is %s", fzi_decl_described(diags->arena, d));
            if (fzi_decl_class(d) != fzi_decl_class(decl) && decl->kind != N_D_REMOVE)
                fzi_hint_add(diag, "write '%s %s %s'",
                             decl->flags & FZ_NODE_EXTEND ? "extend" : "override",
                             fzi_decl_sort(d->kind), d->name);
            return true;
        }
        if (decl->kind == N_D_REMOVE || fzi_decl_class(d) == fzi_decl_class(decl))
            fzi_nearest_offer(&nearest, d->name);
    }
    fzi_hint_nearest(diag, &nearest);
    return nearest.best != NULL;
}

/* The change that this layer made to what `decl` names, or else the last change; NULL: none. */
static const fzi_change *changed(const merge *m, const fzi_node *decl, bool here)
{
    const fzi_change *found = NULL;
    for (const fzi_change *c = m->loader->unit->changes; c; c = c->next)
        if (fzi_same_decl(c->old, decl) &&
            (!here || (c->now && c->span.source == decl->span.source)))
            found = c;
    return found;
}

static bool may_be_extended(const fzi_node *decl)
{
    return decl->kind == N_D_PIECE || decl->kind == N_D_MOVES || decl->kind == N_D_PROC ||
           fzi_is_phase(decl);
}

static void nothing_below(merge *m, fzi_node *decl)
{
    fzi_diags *diags = m->loader->load->diags;
    bool extends = decl->flags & FZ_NODE_EXTEND;
    const char *what = fzi_decl_described(diags->arena, decl);
    const fzi_change *change = extends ? NULL : changed(m, decl, true);
    if (change) {
        fzi_diag *diag = fzi_error(diags, name_place(decl), FZ_E_OVERRIDDEN_TWICE, what);
        fzi_note_at(diag, change->span, "the first time here");
        return;
    }
    fzi_diag *diag = fzi_error(diags, name_place(decl), extends ? FZ_E_NOTHING_TO_EXTEND
                                                                : FZ_E_NOTHING_TO_OVERRIDE, what);
    change = changed(m, decl, false);
    if (change)
        fzi_note_at(diag, change->span, "%s", fzi_change_text(change));
    else if ((extends && !may_be_extended(decl)) || !fzi_decl_has_name(decl) ||
             !hint_alike(m, diag, decl))
        fzi_hint_add(diag, "without '%s' this declares a new one",
                     extends ? "extend" : "override");
}

static const fzi_layer *layer_of(const merge *m, const fzi_node *decl)
{
    return fzi_layer_at(m->loader->unit, decl->span.source);
}

/* Does this layer know the other one, so that its author expects the other's changes? */
static bool knows(const merge *m, const fzi_layer *other)
{
    if (m->layer->module)
        return !other->module || fzi_layer_uses(m->loader->unit, m->layer, other);
    return other->module || other == m->layer || fzi_layer_knows(m->layer, other);
}

/* A game settles conflicts of its modules, a variant those of its bases. */
static void settle_conflicts(merge *m, const fzi_node *decl)
{
    for (conflict *c = m->conflicts; c && !m->layer->module; c = c->next)
        c->is_settled |= fzi_same_decl(c->second, decl) && knows(m, c->second_layer);
}

/* Are the texts of the two the same but for blanks and comments? */
static bool same_text(const merge *m, const fzi_node *a, const fzi_node *b)
{
    const fzi_load *load = m->loader->load;
    const fzi_node *both[] = {a, b};
    const char *text[2] = {"", ""};
    for (unsigned i = 0; i < 2; i++) {
        size_t count;
        const char *whole = fzi_source_at(load->sources, both[i]->span.source)->text;
        const fzi_lexeme *l =
            fzi_lexemes(load->arena, load->sources, both[i]->span.source, &count);
        fzi_growing words = {.text = NULL};
        for (; count > 0; count--, l++) {
            if (l->class <= FZI_LEXEME_DOC || l->start < both[i]->span.start ||
                l->end > both[i]->span.end)
                continue;
            fzi_grow(load->arena, &words, whole + l->start, l->end - l->start);
            fzi_grow_z(load->arena, &words, " ");
        }
        text[i] = words.text ? words.text : "";
    }
    return strcmp(text[0], text[1]) == 0;
}

/* `decl` replaces `old` without using it. A layer may override the changes of layers that it knows.
 * Overriding the change of another layer is a conflict. */
static void note_conflict(merge *m, const fzi_node *old, const fzi_node *decl)
{
    const fzi_layer *other = layer_of(m, old);
    if (!(old->flags & (FZ_NODE_OVERRIDE | FZ_NODE_EXTEND)) || !other || knows(m, other) ||
        same_text(m, old, decl))
        return;
    conflict *made = FZI_NEW(m->loader->load->arena, conflict);
    *made = (conflict){.first = old, .second = decl, .first_layer = other,
                       .second_layer = m->layer, .next = m->conflicts};
    m->conflicts = made;
}

static const char *layer_name(const fzi_layer *layer)
{
    return layer->module ? layer->module : layer->file->text;
}

static void report_conflicts(const merge *m)
{
    fzi_diags *diags = m->loader->load->diags;
    for (const conflict *c = m->conflicts; c; c = c->next) {
        if (c->is_settled)
            continue;
        fzi_diag *diag = fzi_error(diags, m->loader->unit->header_span, FZ_E_TWO_OVERRIDES,
                                   c->first_layer->module ? "modules" : "variants",
                                   layer_name(c->first_layer), layer_name(c->second_layer),
                                   fzi_decl_described(diags->arena, c->second));
        fzi_note_at(diag, name_place(c->first), "one of them");
        fzi_note_at(diag, name_place(c->second), "the other");
    }
}

/* Puts `decl` where `*link` points. */
static void replace(merge *m, fzi_node **link, fzi_node *decl)
{
    fzi_node *old = *link;
    decl->next = old->next;
    if (m->end == &old->next)
        m->end = &decl->next;
    *link = decl;
}

/* Puts `decl`, if there is one, before what `*link` points to; the new link to that. */
static fzi_node **insert(fzi_node **link, fzi_node *decl)
{
    if (!decl)
        return link;
    decl->next = *link;
    *link = decl;
    return &decl->next;
}

/* Changing a deprecated declaration would have no effect, since nothing else uses it any more. */
static void check_deprecated(const merge *m, const fzi_node *old, const fzi_node *decl)
{
    const fzi_load *load = m->loader->load;
    const char *text = fzi_node_deprecated(load->sources, load->arena, old);
    if (text)
        fzi_error(load->diags, name_place(decl), FZ_E_CHANGES_DEPRECATED,
                  fzi_decl_described(load->arena, old), text);
}

/* Puts `decl` where the old declaration stands. */
static void override_decl(merge *m, fzi_node *decl)
{
    fzi_node **link = find_named(m, decl);
    if (!link) {
        if (!m->loader->unit->is_library || changed(m, decl, true))
            nothing_below(m, decl); /* a library may be for a game that has it */
        append(m, decl);
        return;
    }
    fzi_node *old = *link;
    fzi_node *below = NULL;
    check_deprecated(m, old, decl);
    settle_conflicts(m, decl);
    if (!fzi_use_base(m->loader, decl, old, &below))
        note_conflict(m, old, decl);
    if (decl->kind == N_D_PIECE && !decl->text)
        decl->text = old->text;
    link = insert(link, below);
    replace(m, link, decl);
    record(m, old, decl, name_place(decl));
}

/* A phase or hook that nothing below has is the extension alone. */
static void extend_decl(merge *m, fzi_node *decl)
{
    fzi_node **link = find_named(m, decl);
    bool may_begin = decl->kind == N_D_SETUP || decl->kind == N_D_END ||
                     decl->kind == N_D_ON_CAPTURE || m->loader->unit->is_library;
    if (!link) {
        if (!may_begin)
            nothing_below(m, decl);
        append(m, decl);
        return;
    }
    check_deprecated(m, *link, decl);
    fzi_node *old = *link, *below = NULL, *made = fzi_extended(m->loader, old, decl, &below);
    if (!made)
        return;
    link = insert(link, below);
    replace(m, link, made);
    record(m, old, made, name_place(decl));
}

static bool is_of_module(const merge *m, const fzi_node *decl)
{
    const fzi_unit *unit = m->loader->unit;
    return fzi_unit_module_at(unit, fzi_unit_home(unit, decl)) != NULL;
}

/* Has the game itself something to remove? Then modules keep what they call so. */
static bool has_own(const merge *m, const fzi_node *remove)
{
    for (const fzi_node *d = m->loader->unit->decls; d && d != m->above; d = d->next)
        if (fzi_is_removed(d, remove) && !is_of_module(m, d))
            return true;
    return false;
}

static void remove_decl(merge *m, const fzi_node *remove)
{
    bool found = false, own = remove->name && has_own(m, remove);
    for (conflict *c = m->conflicts; c; c = c->next)
        c->is_settled |= fzi_is_removed(c->second, remove);
    for (fzi_node **link = &m->loader->unit->decls; *link && *link != m->above;) {
        if (fzi_is_removed(*link, remove) && !(own && is_of_module(m, *link))) {
            record(m, *link, NULL, remove->span);
            unlink_decl(m, link);
            found = true;
        } else {
            link = &(*link)->next;
        }
    }
    if (found)
        return;
    fzi_diags *diags = m->loader->load->diags;
    fzi_diag *diag = fzi_error(diags, remove->name_span, FZ_E_NOTHING_TO_REMOVE,
                               remove->name ? remove->name : fzi_decl_sort((int)remove->number));
    const fzi_change *gone = NULL;
    for (const fzi_change *c = m->loader->unit->changes; c; c = c->next)
        if (!c->now && fzi_is_removed(c->old, remove))
            gone = c;
    if (gone)
        fzi_note_at(diag, gone->span, "removed here");
    else if (remove->name)
        hint_alike(m, diag, remove);
}

/* A variant states its own facts. It inherits only the fields of FENs. */
static void inherit_info(merge *m)
{
    if (m->info && !m->layer->module)
        m->info->entries = fzi_info_merged(m->loader->load->arena, m->info->entries, NULL);
}

/* A module's information is its own. */
static void merge_info(merge *m, fzi_node *decl)
{
    if (m->layer->module)
        return;
    fzi_node *inherited = m->info ? m->info->entries : NULL;
    decl->entries = fzi_info_merged(m->loader->load->arena, inherited, decl->entries);
    if (m->info) {
        m->info->entries = decl->entries;
        return;
    }
    m->info = decl;
    append(m, decl);
}

/* Must the names of the two differ? Those of modules and of their users need not. */
static bool clash(const merge *m, const fzi_node *decl, const fzi_node *old)
{
    return !fzi_decl_has_name(decl) || decl->kind == N_D_OPTION ||
           (!m->layer->module && !is_of_module(m, old));
}

static void declare(merge *m, fzi_node *decl)
{
    fzi_diags *diags = m->loader->load->diags;
    fzi_node **link = find_below(m, decl, NULL);
    if (link && clash(m, decl, *link)) {
        fzi_diag *diag = fzi_error(diags, name_place(decl), FZ_E_DECLARED_BEFORE,
                                   fzi_decl_described(diags->arena, decl));
        fzi_note_at(diag, name_place(*link), "the other declaration");
        const fzi_span before = {decl->span.source, decl->span.start, decl->span.start};
        fzi_hint_edit(diag, &before, "override ");
        decl->flags |= FZ_NODE_OVERRIDE; /* as if it were there, so that the rest is checked */
        override_decl(m, decl);
        return;
    }
    append(m, decl);
}

/* Has the unit few changes so far? Complains at the first one that is too many. */
static bool may_change(merge *m, const fzi_node *decl)
{
    if (m->change_count < MAX_CHANGES)
        return true;
    if (m->change_count++ == MAX_CHANGES)
        fzi_error(m->loader->load->diags, decl->span, FZ_E_TOO_MANY, "the game", MAX_CHANGES + 1u,
                  "declarations that override, extend or remove others", (unsigned)MAX_CHANGES);
    return false;
}

static void add_decl(merge *m, fzi_node *decl)
{
    decl->next = NULL;
    if (decl->kind == N_D_USE || decl->kind == N_D_REMOVE ||
        (decl->flags & (FZ_NODE_OVERRIDE | FZ_NODE_EXTEND) && !may_change(m, decl)))
        return;
    /* with the file it is in */
    bool stays = decl->kind == N_D_INFO || decl->kind == N_D_TEST || decl->kind == N_D_BOUND;
    if (stays && decl->flags & (FZ_NODE_OVERRIDE | FZ_NODE_EXTEND))
        nothing_below(m, decl);
    if (decl->kind == N_D_INFO) {
        merge_info(m, decl);
    } else if (decl->kind == N_D_TEST) {
        if (!m->is_top)
            return;
        *m->tests_end = decl;
        m->tests_end = &decl->next;
    } else if (decl->flags & FZ_NODE_OVERRIDE) {
        override_decl(m, decl);
    } else if (decl->flags & FZ_NODE_EXTEND) {
        extend_decl(m, decl);
    } else {
        declare(m, decl);
    }
}

void fzi_merge_layers(fzi_loader *loader, fzi_layer **layers, size_t count)
{
    fzi_unit *unit = loader->unit;
    merge m = {
        .loader = loader,
        .end = &unit->decls,
        .tests_end = &unit->tests,
        .changes_end = &unit->changes,
    };
    for (size_t i = 0; i < count; i++) {
        m.layer = layers[i];
        m.is_top = i + 1 == count;
        m.above = NULL;
        note_names_below(&m);
        inherit_info(&m);
        for (const fzi_node *decl = layers[i]->decls; decl; decl = decl->next)
            if (decl->kind == N_D_REMOVE && may_change(&m, decl))
                remove_decl(&m, decl); /* first, so that their names can be declared again */
        for (fzi_node *decl = layers[i]->decls, *next; decl; decl = next) {
            next = decl->next;
            add_decl(&m, decl);
        }
    }
    report_conflicts(&m);
}

/* ---- `hide x;` takes names out of the `show`s of bases and modules ---- */

/* Takes the name out of all `show`s, which become copies, as children are shared with the files'
 * trees. */
static bool hide_name(fzi_loader *loader, const char *name)
{
    bool found = false;
    for (fzi_node *decl = loader->unit->decls; decl; decl = decl->next) {
        if (decl->kind != N_D_SHOW)
            continue;
        fzi_node *names = fzi_node_clone(loader->load->arena, decl)->names, **link = &names;
        while (*link) {
            bool hidden = (*link)->name == name;
            found |= hidden;
            if (hidden)
                *link = (*link)->next;
            else
                link = &(*link)->next;
        }
        decl->names = names;
    }
    return found;
}

void fzi_settle_shown(fzi_loader *loader)
{
    for (const fzi_node *decl = loader->unit->decls; decl; decl = decl->next)
        if (decl->kind == N_D_HIDE)
            for (const fzi_node *name = decl->names; name; name = name->next)
                if (!hide_name(loader, name->name))
                    fzi_error(loader->load->diags, name->span, FZ_E_NOT_SHOWN, name->name);
    for (fzi_node **link = &loader->unit->decls; *link;) {
        bool done = (*link)->kind == N_D_HIDE || ((*link)->kind == N_D_SHOW && !(*link)->names);
        if (done)
            *link = (*link)->next;
        else
            link = &(*link)->next;
    }
}
