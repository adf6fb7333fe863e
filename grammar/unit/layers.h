/* The inside of loading a unit: what modules.c (files), settings.c (options, `when`) and variants.c
 * (differences) share. Others use unit.h.
 *
 * A layer is one file's declarations after its `when`s are settled. Layers are merged from the
 * bottom: the prelude, modules (what a module uses comes before it), the game, its variants up to
 * the file that was asked for. */
#ifndef FZ_GRAMMAR_UNIT_LAYERS_H
#define FZ_GRAMMAR_UNIT_LAYERS_H

#include "unit.h"

typedef struct fzi_layer {
    fzi_node *file;        /* N_FILE */
    const char *path;
    const char *folder;    /* with its "/", or "" */
    const char *module;    /* the name of a module; NULL for the game's own files */
    fzi_node *decls;       /* settled: copies, in order */
    bool loading;          /* a module whose own `use`s are being followed */
} fzi_layer;

typedef struct fzi_loader {
    fzi_load *load;
    fzi_unit *unit;
    fzi_layer **chain;     /* the file asked for, its base, the base's base, ... */
    size_t chain_count, chain_capacity;
    fzi_layer **modules;   /* in the order of merging */
    size_t module_count, module_capacity;
    fzi_layer **begun;     /* all modules met so far */
    size_t begun_count, begun_capacity;
    size_t option_capacity;
} fzi_loader;

/* ---- modules.c ---- */

/* Does the layer use the module, itself or through others? */
bool fzi_layer_uses(const fzi_loader *loader, const fzi_layer *layer, const char *module);

/* ---- settings.c ---- */

/* Finds the options of a layer's top level; then settles its `when`s into `decls`. */
void fzi_settle_options(fzi_loader *loader, fzi_layer *layer);
void fzi_settle_layer(fzi_loader *loader, fzi_layer *layer);
/* Removes the options whose declarations were removed: they can't be set and are not listed.
 * After merging. */
void fzi_drop_removed_options(fzi_unit *unit);
/* Complains about settings and `set`s that no option has. */
void fzi_check_settings(fzi_loader *loader);

/* ---- variants.c ---- */

/* Merges the layers, bottom first, into unit->decls and unit->tests. */
void fzi_merge_layers(fzi_loader *loader, fzi_layer **layers, size_t count);

#endif
