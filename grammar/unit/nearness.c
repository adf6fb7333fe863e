/* Finds the declaration that a name means in a file when several files declare it: the nearest. */
#include "layers.h"

const fzi_layer *fzi_layer_at(const fzi_unit *unit, uint32_t source)
{
    for (size_t i = 0; i < unit->layer_count; i++)
        if (unit->layers[i]->file->span.source == source)
            return unit->layers[i];
    return NULL;
}

static const fzi_layer *module_named(const fzi_unit *unit, const char *name)
{
    for (size_t i = 0; i < unit->layer_count; i++)
        if (unit->layers[i]->module == name)
            return unit->layers[i];
    return NULL;
}

/* The source of the module of that name, 0: it is not loaded. */
uint32_t fzi_unit_module(const fzi_unit *unit, const char *name)
{
    const fzi_layer *layer = module_named(unit, name);
    return layer ? layer->file->span.source : 0;
}

uint32_t fzi_unit_prelude(const fzi_unit *unit)
{
    for (size_t i = 0; i < unit->layer_count; i++) {
        const fzi_node *file = unit->layers[i]->file;
        if (file->op == FZ_T_LIBRARY && strcmp(file->text, "prelude") == 0)
            return file->name_span.source;
    }
    return 0;
}

const char *fzi_unit_module_at(const fzi_unit *unit, uint32_t source)
{
    const fzi_layer *layer = fzi_layer_at(unit, source);
    return layer ? layer->module : NULL;
}

static bool lists(const fzi_node *use, const char *name)
{
    const fzi_node *only = use->only;
    while (only && only->name != name)
        only = only->next;
    return only != NULL;
}

bool fzi_layer_uses(const fzi_unit *unit, const fzi_layer *layer, const fzi_layer *module)
{
    for (size_t i = 0; i < layer->use_count; i++)
        for (const fzi_node *n = layer->uses[i]->names; n; n = n->next) {
            const fzi_layer *used = module_named(unit, n->name);
            if (used && used != layer && (used == module || fzi_layer_uses(unit, used, module)))
                return true;
        }
    return false;
}

/* By one `use`. Names of modules that are used by the module are left out with the module's. */
static int by_one_use(const fzi_unit *unit, const fzi_node *use, const fzi_layer *module,
                      const char *name)
{
    int found = FZI_ELSEWHERE;
    for (const fzi_node *n = use->names; n; n = n->next) {
        const fzi_layer *used = module_named(unit, n->name);
        if (used == module)
            return !use->only ? FZI_USED : lists(use, name) ? FZI_LISTED : FZI_LEFT_OUT;
        if (used && fzi_layer_uses(unit, used, module))
            found = use->only ? FZI_LEFT_OUT : FZI_USED_BY_USED;
    }
    return found;
}

/* By all that a layer and its bases use: what one leaves out, another can make known. */
static int by_use(const fzi_unit *unit, const fzi_layer *layer, const fzi_layer *module,
                  const char *name)
{
    int found = FZI_ELSEWHERE;
    for (size_t i = 0; i < layer->use_count + layer->base_count; i++) {
        int way = i < layer->use_count
                      ? by_one_use(unit, layer->uses[i], module, name)
                      : by_use(unit, layer->bases[i - layer->use_count], module, name);
        if (way != FZI_ELSEWHERE && (found == FZI_ELSEWHERE || way < found))
            found = way;
    }
    return found;
}

int fzi_unit_nearness(const fzi_unit *unit, uint32_t from, uint32_t home, const char *name)
{
    const fzi_layer *asks = fzi_layer_at(unit, from), *declares = fzi_layer_at(unit, home);
    if (from == home || !asks || !declares)
        return FZI_OWN;
    if (!asks->module && !declares->module)
        return fzi_layer_knows(asks, declares) ? FZI_OWN : FZI_GAME;
    if (home == fzi_unit_prelude(unit))
        return FZI_PRELUDE;
    return declares->module ? by_use(unit, asks, declares, name) : FZI_GAME;
}

uint32_t fzi_unit_home(const fzi_unit *unit, const fzi_node *decl)
{
    for (const fzi_change *c = unit->changes; c; c = c->next)
        if (c->now == decl)
            return fzi_unit_home(unit, c->old);
    return decl->name_span.source;
}

/* `Suit.Clubs` is a value of a type. If the first part is a module, the whole is a name of that. */
static void settle_member(void *user, fzi_node *node)
{
    fzi_loader *loader = user;
    const fzi_node *module = node->kind == N_E_MEMBER ? node->type_name : NULL;
    if (!module || !fzi_unit_module(loader->unit, module->name))
        return;
    fzi_arena *arena = loader->load->arena;
    node->kind = N_E_NAME;
    node->name = fzi_intern_z(arena, fzi_arena_printf(arena, "%s.%s", module->name, node->name));
    node->type_name = NULL;
}

void fzi_settle_members(fzi_loader *loader)
{
    fzi_walk(loader->unit->decls, settle_member, loader);
    fzi_walk(loader->unit->tests, settle_member, loader);
}
