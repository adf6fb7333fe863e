/* The entry of this room: loads a file and its modules, and calls the other steps: bases.c finds
 * the bases, settings.c resolves options, variants.c merges the layers. */
#include "layers.h"
#include "grammar/syntax/parse.h"
#include "interp/support/text.h"

static const fzi_span nowhere = {0, 0, 0};

/* ---- modules ---- */

/* A file that a module's name leads to. */
typedef struct module_file {
    const char *path, *text;
    size_t length;
    bool is_library;
    const char *failure; /* why it cannot be read */
} module_file;

/* A game or variant of the module's name counts only if no library has the name: a game may have
 * the name of the library that it uses. A file that cannot be read may be the module: the search
 * ends there. */
static bool try_file(fzi_loader *loader, const char *folder, const char *name, module_file *found)
{
    const char *text, *path = fzi_path_join(loader->load->arena, folder, name);
    size_t length;
    fzi_read read = fzi_read_text(loader, path, &text, &length);
    if (read == FZI_READ_FAILED)
        *found = (module_file){path, NULL, 0, false, text};
    if (read != FZI_READ_DONE)
        return read == FZI_READ_FAILED;
    bool is_library = fzi_begins_library(text, length);
    if (is_library || !found->path)
        *found = (module_file){path, text, length, is_library, NULL};
    return is_library;
}

/* The user's own folder first, then the reader's. */
static module_file find_module(fzi_loader *loader, const char *name, const char *folder)
{
    fzi_arena *arena = loader->load->arena;
    const fzi_reader *reader = loader->load->reader;
    const char *file = fzi_arena_printf(arena, "%s.game", name);
    module_file found = {.path = NULL};
    if (folder && try_file(loader, folder, file, &found))
        return found;
    for (size_t i = 0; reader && i < reader->module_dir_count; i++)
        if (try_file(loader, fzi_arena_printf(arena, "%s/", reader->module_dirs[i]), file, &found))
            break;
    return found;
}

/* Calls `visit` for each module that the folders of modules list in a file: readers cannot list
 * folders. */
static void visit_modules(fzi_loader *loader, void *user,
                          void (*visit)(fzi_loader *loader, const char *module, void *user))
{
    fzi_arena *arena = loader->load->arena;
    const fzi_reader *reader = loader->load->reader;
    for (size_t i = 0; reader && i < reader->module_dir_count; i++) {
        const char *text, *path = fzi_arena_printf(arena, "%s/modules.list",
                                                   reader->module_dirs[i]);
        size_t length;
        if (fzi_read_text(loader, path, &text, &length) != FZI_READ_DONE)
            continue;
        for (const char *at = text + strspn(text, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
            size_t count = strcspn(at, " \t\r\n");
            visit(loader, fzi_intern(arena, at, count), user);
            at += count;
        }
    }
}

/* Also `go` for `go_rules`. */
static void offer_module(fzi_loader *loader, const char *module, void *user)
{
    fzi_nearest *nearest = user;
    size_t length = strlen(module);
    (void)loader;
    fzi_nearest_offer(nearest, module);
    if (!nearest->best && strncmp(nearest->wanted, module, length) == 0 &&
        nearest->wanted[length] == '_')
        *nearest = (fzi_nearest){nearest->wanted, module, (unsigned)strlen(nearest->wanted)};
}

static void hint_places(fzi_loader *loader, fzi_diag *diag, const module_file *found,
                        const char *name)
{
    fzi_nearest nearest = {.wanted = name};
    if (!found->path)
        visit_modules(loader, &nearest, offer_module);
    if (found->path)
        fzi_hint_add(diag, "'%s' does not begin with 'library'", found->path);
    else if (nearest.best)
        fzi_hint_nearest(diag, &nearest);
    else
        fzi_hint_add(diag, "Ferz looks for modules in the folder of the file, "
                           "those given with -I and in FERZ_PATH, and the standard library");
}

static void use_all(fzi_loader *loader, fzi_layer *layer);

static void load_module(fzi_loader *loader, const char *name, const char *folder, fzi_span span)
{
    fzi_load *load = loader->load;
    module_file found = find_module(loader, name, folder);
    if (found.failure) {
        fzi_error(load->diags, span, FZ_E_CANNOT_READ, found.path, found.failure);
        return;
    }
    if (!found.is_library) {
        int code = found.path ? FZ_E_NOT_A_LIBRARY : FZ_E_UNKNOWN_MODULE;
        fzi_diag *diag = fzi_error(load->diags, span, code, name);
        hint_places(loader, diag, &found, name);
        return;
    }
    fzi_layer *layer = fzi_layer_new(loader, found.path, found.text, found.length);
    layer->module = name;
    layer->loading = true;
    *FZI_MORE(load->arena, loader->begun, loader->begun_count, loader->begun_capacity) = layer;
    fzi_settle_options(loader, layer);
    fzi_settle_layer(loader, layer);
    use_all(loader, layer);
    layer->loading = false;
    *FZI_MORE(load->arena, loader->modules, loader->module_count, loader->module_capacity) = layer;
}

/* False after reporting a circle. */
static bool use_module(fzi_loader *loader, const fzi_node *name, const fzi_layer *user)
{
    const fzi_layer *begun = fzi_module_begun(loader, name->name);
    if (!begun)
        load_module(loader, name->name, user->folder, name->span);
    else if (begun->loading)
        fzi_error(loader->load->diags, name->span, FZ_E_MODULE_CYCLE, name->name);
    return !begun || !begun->loading;
}

static void use_all(fzi_loader *loader, fzi_layer *layer)
{
    for (const fzi_node *decl = layer->decls; decl; decl = decl->next) {
        if (decl->kind != N_D_USE)
            continue;
        bool ends = true;
        for (const fzi_node *name = decl->names; name; name = name->next)
            ends &= use_module(loader, name, layer);
        if (ends)
            *FZI_MORE(loader->load->arena, layer->uses, layer->use_count, layer->use_capacity) =
                decl;
    }
}

/* ---- names of modules that are not used ---- */

struct fzi_unused {
    const char *module;
    module_file found;
    const fzi_node *file;      /* NULL: not parsed yet */
    struct fzi_unused *next;
};

static void add_unused(fzi_loader *loader, const char *module, void *unused)
{
    (void)unused;
    struct fzi_unused **end = &loader->unit->unused;
    module_file found = find_module(loader, module, NULL);
    if (!found.is_library)
        return;
    while (*end)
        end = &(*end)->next;
    *end = FZI_NEW(loader->load->arena, struct fzi_unused);
    **end = (struct fzi_unused){module, found, NULL, NULL};
}

/* Most modules do not have the word at all, and are not parsed. */
static bool declares(fzi_load *load, struct fzi_unused *module, const char *name)
{
    if (!strstr(module->found.text, name))
        return false;
    if (!module->file) {
        fzi_diags unseen;
        fzi_diags_init(&unseen, load->arena, load->sources);
        uint32_t source = fzi_sources_add(load->sources, module->found.path, module->found.text,
                                          module->found.length);
        module->file = fzi_parse_file(load->arena, load->sources, &unseen, source, false);
    }
    for (const fzi_node *decl = module->file->decls; decl; decl = decl->next)
        if (decl->name && decl->kind != N_D_TEST && !(decl->flags & FZ_NODE_OVERRIDE) &&
            strcmp(decl->name, name) == 0)
            return true;
    return false;
}

const char *fzi_module_of_name(fzi_load *load, fzi_unit *unit, const char *name,
                               const char *preferred)
{
    const char *found = NULL;
    if (!unit->unused_known)
        visit_modules(&(fzi_loader){.load = load, .unit = unit}, NULL, add_unused);
    unit->unused_known = true;
    for (struct fzi_unused *module = unit->unused; module; module = module->next)
        if ((!found || (preferred && strcmp(module->module, preferred) == 0)) &&
            declares(load, module, name))
            found = module->module;
    return found;
}

/* ---- the whole ---- */

/* All layers, bottom first. Modules that only a variant uses lie between its base and the variant,
 * so they can change the base. */
static fzi_layer **layered(fzi_loader *loader)
{
    fzi_layer **layers = NULL;
    size_t count = 0, capacity = 0, taken = 0;
    for (size_t i = 0; i < loader->chain_count; i++) {
        use_all(loader, loader->chain[i]);
        for (; taken < loader->module_count; taken++) {
            *FZI_MORE(loader->load->arena, layers, count, capacity) = loader->modules[taken];
        }
        *FZI_MORE(loader->load->arena, layers, count, capacity) = loader->chain[i];
    }
    return layers;
}

static void load_all(fzi_loader *loader)
{
    for (size_t i = 0; i < loader->chain_count; i++)
        fzi_settle_options(loader, loader->chain[i]);
    for (size_t i = 0; i < loader->chain_count; i++)
        fzi_settle_layer(loader, loader->chain[i]);
    fzi_layer *own = loader->chain[loader->chain_count - 1];
    const char *prelude = fzi_intern_z(loader->load->arena, "prelude");
    bool is_prelude = own->file->op == FZ_T_LIBRARY && own->file->text == prelude;
    if (!loader->load->without_prelude && !is_prelude)
        load_module(loader, prelude, NULL, nowhere);
    fzi_layer **layers = layered(loader);
    size_t count = loader->module_count + loader->chain_count;
    loader->unit->layers = layers;
    loader->unit->layer_count = count;
    fzi_merge_layers(loader, layers, count);
    fzi_settle_members(loader);
    fzi_drop_removed_options(loader->unit);
    fzi_settle_players(loader);
    fzi_settle_shown(loader);
    fzi_check_settings(loader);
}

fzi_unit *fzi_unit_load(fzi_load *load, const char *path, const char *text, size_t length)
{
    fzi_loader *loader = FZI_NEW(load->arena, fzi_loader);
    loader->load = load;
    loader->unit = FZI_NEW(load->arena, fzi_unit);
    if (!text && fzi_read_text(loader, path, &text, &length) != FZI_READ_DONE) {
        fzi_error(load->diags, nowhere, FZ_E_CANNOT_READ, path, "");
        return NULL;
    }
    unsigned errors = load->diags->errors;
    fzi_layer *own = fzi_layer_new(loader, path, text, length);
    if (own->file->op == FZ_T_NONE)
        return NULL;
    fzi_unit *unit = loader->unit;
    unit->file = own->file;
    unit->title = own->file->text;
    unit->header_span = own->file->name_span;
    unit->is_library = own->file->op == FZ_T_LIBRARY;
    if (unit->title && strpbrk(unit->title, "\n\r\t\v\f"))
        fzi_error(load->diags, unit->header_span, FZ_E_TITLE_LINES);
    if (fzi_follow_bases(loader, own))
        load_all(loader);
    unit->is_broken = load->diags->errors > errors;
    return unit;
}
