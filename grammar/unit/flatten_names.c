/* Names in a merged text: where files of different meaning become one, `module.name` may lose its
 * module, and a name that another file declares, too, gets a new one. See flatten_parts.h. */
#include "flatten_parts.h"

#include "grammar/syntax/parse.h"

typedef struct renaming {
    fzi_merging *m;
    const fzi_layer *layer; /* the file whose text is changed */
    const fzi_lexeme *lexemes;
    size_t count;
    const char *text;
} renaming;

static bool is_merged(const fzi_layer *layer)
{
    return !layer->module || layer->is_merged;
}

static const fzi_node *declaration(const fzi_node *list, const char *name)
{
    for (; list; list = list->next) {
        const fzi_node *found = NULL;
        if (list->kind == N_D_WHEN) {
            found = declaration(list->then, name);
            found = found ? found : declaration(list->otherwise, name);
        } else if (fzi_decl_has_name(list) && list->name == name &&
                   !(list->flags & (FZ_NODE_OVERRIDE | FZ_NODE_EXTEND))) {
            found = list;
        }
        if (found)
            return found;
    }
    return NULL;
}

/* Does another file of the merged text declare the same? */
static bool is_elsewhere(const renaming *r, const fzi_layer *home, const char *name)
{
    const fzi_unit *unit = r->m->unit;
    const fzi_node *decl = declaration(home->file->decls, name);
    for (size_t i = 0; i < unit->layer_count; i++) {
        const fzi_layer *other = unit->layers[i];
        const fzi_node *same = other != home && is_merged(other)
                                   ? declaration(other->file->decls, name)
                                   : NULL;
        if (same && (fzi_decl_class(same) != N_D_FN || fzi_same_decl(same, decl)))
            return true;
    }
    return false;
}

/* The module whose declaration the name means in this file; NULL: none, or the game's. */
static const fzi_layer *module_of(const renaming *r, const char *name)
{
    const fzi_unit *unit = r->m->unit;
    const fzi_layer *found = NULL;
    int best = FZI_LEFT_OUT;
    for (size_t i = 0; i < unit->layer_count; i++) {
        const fzi_layer *layer = unit->layers[i];
        if (!declaration(layer->file->decls, name))
            continue;
        int near = fzi_unit_nearness(unit, r->layer->file->span.source, layer->file->span.source,
                                     name);
        if (near < best) {
            best = near;
            found = layer;
        }
    }
    return found && found->module ? found : NULL;
}

/* What the merged text calls the module's declaration. */
static const char *merged_name(const renaming *r, const fzi_layer *home, const char *name,
                               bool qualified)
{
    fzi_arena *arena = r->m->load->arena;
    bool clashes = declaration(home->file->decls, name) && is_elsewhere(r, home, name);
    if (is_merged(home))
        return clashes ? fzi_arena_printf(arena, "%s_%s", home->module, name) : name;
    return clashes || qualified ? fzi_arena_printf(arena, "%s.%s", home->module, name) : name;
}

static const char *word(const renaming *r, size_t at)
{
    if (at >= r->count || r->lexemes[at].class != FZI_LEXEME_NAME)
        return NULL;
    const fzi_lexeme *l = &r->lexemes[at];
    return fzi_intern(r->m->load->arena, r->text + l->start, l->end - l->start);
}

static bool is_point(const renaming *r, size_t at)
{
    return at < r->count && r->text[r->lexemes[at].start] == '.' &&
           r->lexemes[at].end - r->lexemes[at].start == 1;
}

static bool begins_use(const renaming *r, size_t at)
{
    const fzi_lexeme *l = &r->lexemes[at];
    return l->class == FZI_LEXEME_WORD && l->end - l->start == strlen("use") &&
           memcmp(r->text + l->start, "use", strlen("use")) == 0;
}

/* The name that takes the place of the lexeme and, if it is a module, of the two after it; NULL: it
 * stays. */
static const char *new_name(const renaming *r, size_t at, size_t *count)
{
    const fzi_unit *unit = r->m->unit;
    const char *name = word(r, at), *member = is_point(r, at + 1) ? word(r, at + 2) : NULL;
    const fzi_layer *home =
        member ? fzi_layer_at(unit, fzi_unit_module(unit, name)) : NULL;
    *count = home ? 3 : 1;
    if (home)
        return merged_name(r, home, member, true);
    home = name && !(at && is_point(r, at - 1)) ? module_of(r, name) : NULL;
    const char *made = home ? merged_name(r, home, name, false) : name;
    return made == name ? NULL : made;
}

uint32_t fzi_part_source(fzi_merging *m, const fzi_layer *layer)
{
    fzi_arena *arena = m->load->arena;
    uint32_t source = layer->file->span.source, from = 0;
    renaming r = {.m = m, .layer = layer, .text = fzi_source_at(m->load->sources, source)->text};
    r.lexemes = fzi_lexemes(arena, m->load->sources, source, &r.count);
    fzi_growing text = {.text = NULL};
    bool in_use = false;
    for (size_t i = 0, count; i < r.count; i += count) {
        in_use = in_use ? r.text[r.lexemes[i].start] != ';' : begins_use(&r, i);
        const char *name = new_name(&r, i, &count);
        if (!name || in_use)
            continue;
        fzi_grow(arena, &text, r.text + from, r.lexemes[i].start - from);
        fzi_grow_z(arena, &text, name);
        from = r.lexemes[i + count - 1].end;
    }
    if (!from)
        return source;
    fzi_grow_z(arena, &text, r.text + from);
    return fzi_sources_add(m->load->sources, layer->path, text.text, strlen(text.text));
}
