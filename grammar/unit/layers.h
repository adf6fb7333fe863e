/* The state of loading a unit, shared by modules.c (files), settings.c (options, `when`) and
 * variants.c (merging). Other rooms use unit.h.
 *
 * A layer is the declarations of one file after its `when`s are resolved. Layers are merged from
 * the bottom up: the prelude, the modules (each after those that it uses), the game, and its
 * variants up to the file that was asked for. */
#ifndef FZ_GRAMMAR_UNIT_LAYERS_H
#define FZ_GRAMMAR_UNIT_LAYERS_H

#include "unit.h"

typedef struct fzi_layer {
    fzi_node *file;        /* N_FILE */
    const char *path;
    const char *folder;    /* with its "/", or "" */
    const char *module;    /* name of a module; NULL: one of the game's own files */
    fzi_node *decls;       /* copies, in order, without `when` */
    bool loading;          /* the modules that it uses are being loaded */
} fzi_layer;

typedef struct fzi_loader {
    fzi_load *load;
    fzi_unit *unit;
    fzi_layer **chain;     /* the file asked for, its base, the base's base, ... */
    size_t chain_count, chain_capacity;
    fzi_layer **modules;   /* in the order in which they are merged */
    size_t module_count, module_capacity;
    fzi_layer **begun;     /* all modules found so far */
    size_t begun_count, begun_capacity;
    size_t option_capacity;
} fzi_loader;

/* ---- modules.c ---- */

/* Does the layer use the module, itself or through others? */
bool fzi_layer_uses(const fzi_loader *loader, const fzi_layer *layer, const char *module);

/* ---- settings.c ---- */

/* Finds the options of a layer's top level. */
void fzi_settle_options(fzi_loader *loader, fzi_layer *layer);
/* Resolves the layer's `when`s; the result is its `decls`. */
void fzi_settle_layer(fzi_loader *loader, fzi_layer *layer);
/* After merging: drops the options whose declarations were removed, which cannot be set and are not
 * listed. */
void fzi_drop_removed_options(fzi_unit *unit);
/* Reports settings and `set`s of unknown options. */
void fzi_check_settings(fzi_loader *loader);

/* ---- variants.c ---- */

/* Merges the layers, bottom first, into unit->decls and unit->tests. */
void fzi_merge_layers(fzi_loader *loader, fzi_layer **layers, size_t count);

#endif
