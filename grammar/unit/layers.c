/* The files of a unit, as all steps of loading see them: reads and parses one, and knows which file
 * knows which, and the sorts and names of declarations. */
#include "layers.h"

#include "grammar/syntax/parse.h"

/* ---- paths ---- */

static const char *folder_of(fzi_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? fzi_intern(arena, path, (size_t)(slash + 1 - path)) : "";
}

/* `rest` as seen from `folder`, without "." and, as far as that goes, "..". */
const char *fzi_path_join(fzi_arena *arena, const char *folder, const char *rest)
{
    const char *from = *rest == '/' ? rest : fzi_arena_printf(arena, "%s%s", folder, rest);
    char *path = fzi_arena_alloc(arena, strlen(from) + 2);
    size_t length = 0;
    if (*from == '/')
        path[length++] = '/';
    while (*from) {
        size_t count = strcspn(from, "/");
        size_t last = length; /* where the component before this one begins */
        while (last > 0 && path[last - 1] != '/')
            last--;
        bool to_leave = length > last && !(length - last == 2 && memcmp(path + last, "..", 2) == 0);
        if (count == 2 && memcmp(from, "..", 2) == 0 && to_leave) {
            length = last > 1 ? last - 1 : last;
        } else if (count > 0 && !(count == 1 && *from == '.')) {
            if (length > 0 && path[length - 1] != '/')
                path[length++] = '/';
            memcpy(path + length, from, count);
            length += count;
        }
        from += count;
        from += strspn(from, "/");
    }
    path[length] = '\0';
    return path;
}

/* ---- files ---- */

fzi_read fzi_read_text(fzi_loader *loader, const char *path, const char **text, size_t *length)
{
    const fzi_reader *reader = loader->load->reader;
    return reader ? reader->read(reader->user, path, loader->load->arena, text, length)
                  : FZI_READ_ABSENT;
}

fzi_layer *fzi_layer_new(fzi_loader *loader, const char *path, const char *text, size_t length)
{
    fzi_load *load = loader->load;
    fzi_layer *layer = FZI_NEW(load->arena, fzi_layer);
    uint32_t source = fzi_sources_add(load->sources, path, text, length);
    layer->path = fzi_source_at(load->sources, source)->path;
    layer->folder = folder_of(load->arena, path);
    layer->file = fzi_parse_file(load->arena, load->sources, load->diags, source, false);
    return layer;
}

/* ---- who knows whom ---- */

fzi_layer *fzi_module_begun(const fzi_loader *loader, const char *name)
{
    for (size_t i = 0; i < loader->begun_count; i++)
        if (loader->begun[i]->module == name)
            return loader->begun[i];
    return NULL;
}

bool fzi_layer_knows(const fzi_layer *layer, const fzi_layer *other)
{
    for (size_t i = 0; i < layer->base_count; i++)
        if (layer->bases[i] == other || fzi_layer_knows(layer->bases[i], other))
            return true;
    return false;
}

/* ---- what a declaration is called ---- */

/* Declarations of one sort and name replace each other; functions and procedures need the same
 * number of parameters as well, and some sorts have no name. */
int fzi_decl_class(const fzi_node *decl)
{
    return decl->kind == N_D_EXTERN ? N_D_FN : decl->kind;
}

bool fzi_decl_has_name(const fzi_node *decl)
{
    switch (decl->kind) {
    case N_D_OPTION: case N_D_ENUM: case N_D_DIE: case N_D_PROPERTY: case N_D_PIECE: case N_D_LET:
    case N_D_VAR: case N_D_FN: case N_D_EXTERN: case N_D_MOVES: case N_D_PROC:
        return true;
    default:
        return false;
    }
}

const char *fzi_decl_sort(int kind)
{
    static const char *const sorts[FZ_NODE_COUNT] = {
        [N_D_OPTION] = "option", [N_D_PLAYERS] = "players",
        [N_D_TEAMS] = "teams",   [N_D_BOARD] = "board",
        [N_D_STACKS] = "stacks", [N_D_ENUM] = "enum",
        [N_D_DIE] = "die",       [N_D_PROPERTY] = "property",
        [N_D_PIECE] = "piece",   [N_D_LET] = "let",
        [N_D_VAR] = "var",       [N_D_SHOW] = "show",
        [N_D_HIDE] = "hide",     [N_D_VIEW] = "view",
        [N_D_FN] = "fn",         [N_D_EXTERN] = "fn",
        [N_D_MOVES] = "moves",   [N_D_PROC] = "proc",
        [N_D_SETUP] = "setup",   [N_D_TURN] = "turn",
        [N_D_END] = "end",       [N_D_ON_CAPTURE] = "on capture",
        [N_D_LIMIT] = "limit",   [N_D_INFO] = "info",
        [N_D_BOUND] = "limit",   [N_D_TEST] = "test"};
    return kind >= 0 && kind < FZ_NODE_COUNT && sorts[kind] ? sorts[kind] : "declaration";
}

/* Declarations that differ in the number of parameters may have the same name. */
static bool is_overloaded(const fzi_node *decl)
{
    return fzi_decl_class(decl) == N_D_FN || decl->kind == N_D_PROC;
}

static size_t parameter_count(const fzi_node *decl)
{
    return is_overloaded(decl) ? fzi_list_length(decl->params) : 0;
}

const char *fzi_decl_described(fzi_arena *arena, const fzi_node *decl)
{
    if (!fzi_decl_has_name(decl))
        return fzi_arena_printf(arena, "'%s'", fzi_decl_sort(decl->kind));
    const char *sort = fzi_decl_sort(decl->kind);
    if (!is_overloaded(decl))
        return fzi_arena_printf(arena, "%s '%s'", sort, decl->name);
    size_t count = parameter_count(decl);
    return fzi_arena_printf(arena, "%s '%s' with %zu parameter%s", sort, decl->name, count,
                            count == 1 ? "" : "s");
}

bool fzi_same_decl(const fzi_node *a, const fzi_node *b)
{
    if (fzi_decl_class(a) != fzi_decl_class(b))
        return false;
    if (!fzi_decl_has_name(a))
        return a->kind != N_D_SHOW && a->kind != N_D_HIDE && a->kind != N_D_VIEW &&
               a->kind != N_D_INFO && a->kind != N_D_TEST && a->kind != N_D_USE &&
               a->kind != N_D_BOUND;
    return strcmp(a->name, b->name) == 0 && parameter_count(a) == parameter_count(b);
}

/* A name, or a sort of declarations without a name. */
bool fzi_is_removed(const fzi_node *decl, const fzi_node *remove)
{
    return remove->name ? fzi_decl_has_name(decl) && strcmp(decl->name, remove->name) == 0
                        : decl->kind == remove->number;
}

bool fzi_is_phase(const fzi_node *decl)
{
    return decl->kind == N_D_SETUP || decl->kind == N_D_TURN || decl->kind == N_D_END ||
           decl->kind == N_D_ON_CAPTURE;
}

bool fzi_states_property(const fzi_node *items, const char *property)
{
    for (; items; items = items->next)
        if (items->kind == N_I_PROPERTY && items->name == property)
            return true;
    return false;
}

static bool is_binding(const fzi_node *node)
{
    switch (node->kind) {
    case N_BINDER: case N_BOUND: case N_PARAM: case N_S_VAR: case N_E_SET_FOR: case N_S_RANK:
        return true;
    default:
        return false;
    }
}

static bool binds_name(const fzi_node *node, const void *name)
{
    return is_binding(node) && node->name == name;
}

bool fzi_binds_below(const fzi_node *decl, const char *name)
{
    return fzi_below_any(decl, binds_name, name);
}
