/* The state of loading a unit. modules.c is the entry and calls all others: bases.c (files),
 * settings.c (options, `when`), variants.c (merging), base_expansion.c (`base`, `extend`),
 * players.c and info.c. layers.c has what they share. Other rooms use unit.h.
 *
 * A layer is the declarations of one file after its `when`s are resolved. Layers are merged from
 * the bottom up: the prelude, the game, and its variants up to the file that was asked for. The
 * modules that a file uses, each after those that it uses itself, lie directly below the lowest
 * file that needs them. */
#ifndef FZ_GRAMMAR_UNIT_LAYERS_H
#define FZ_GRAMMAR_UNIT_LAYERS_H

#include "unit.h"

typedef struct fzi_layer {
    fzi_node *file;        /* N_FILE */
    const char *path;
    const char *folder;    /* with its "/", or "" */
    const char *module;    /* name of a module; NULL: one of the game's own files */
    fzi_node *decls;       /* copies, in order, without `when` */
    const fzi_node **uses; /* its N_D_USE */
    size_t use_count, use_capacity;
    bool loading;          /* the files that it needs are being loaded */
    struct fzi_layer **bases; /* of a variant: the files that it changes */
    size_t base_count;
    struct fzi_layer *begun_before; /* links the game's files, in the order of finding them */
} fzi_layer;

typedef struct fzi_loader {
    fzi_load *load;
    fzi_unit *unit;
    fzi_layer **chain;     /* the game and its variants, each after its bases; last, the file */
    size_t chain_count, chain_capacity;
    fzi_layer **modules;   /* in the order in which they are merged */
    size_t module_count, module_capacity;
    fzi_layer *games;      /* all of the game's files found so far */
    fzi_layer **begun;     /* all modules found so far */
    size_t begun_count, begun_capacity;
    size_t option_capacity;
} fzi_loader;

/* ---- layers.c ---- */

/* `rest` as seen from `folder`, without "." and, as far as that goes, "..". */
const char *fzi_path_join(fzi_arena *arena, const char *folder, const char *rest);
fzi_read fzi_read_text(fzi_loader *loader, const char *path, const char **text, size_t *length);
/* Parses a text that has been read. */
fzi_layer *fzi_layer_new(fzi_loader *loader, const char *path, const char *text, size_t length);

/* The module, if it has been found; NULL. */
fzi_layer *fzi_module_begun(const fzi_loader *loader, const char *name);
/* Does the layer use the module, itself or through others? (nearness.c) */
bool fzi_layer_uses(const fzi_unit *unit, const fzi_layer *layer, const fzi_layer *module);
const fzi_layer *fzi_layer_at(const fzi_unit *unit, uint32_t source);
/* Is the other file one of the bases of this one, or of their bases? */
bool fzi_layer_knows(const fzi_layer *layer, const fzi_layer *other);

/* The kind of a declaration, where those that replace each other count as one. */
int fzi_decl_class(const fzi_node *decl);
bool fzi_decl_has_name(const fzi_node *decl);
/* Does one declaration replace or extend the other: of one sort and name? */
bool fzi_same_decl(const fzi_node *a, const fzi_node *b);
/* Does this N_D_REMOVE remove the declaration? */
bool fzi_is_removed(const fzi_node *decl, const fzi_node *remove);
/* "fn 'reach' with 2 parameters", "'turn'". */
const char *fzi_decl_described(fzi_arena *arena, const fzi_node *decl);
/* The sort of a declaration, as the author writes it: "fn", "turn". */
const char *fzi_decl_sort(int kind);

/* `setup`, `turn`, `end`, `on capture`. */
bool fzi_is_phase(const fzi_node *decl);
bool fzi_states_property(const fzi_node *items, const char *property);
/* Does the author bind the name in the declaration? Then it is no word of the language there. */
bool fzi_binds_below(const fzi_node *decl, const char *name);

/* ---- bases.c ---- */

/* Appends the files of the layer's bases to the chain, then the layer. False when a base is
 * missing, after a complaint: what it would have declared is not missed again. */
bool fzi_follow_bases(fzi_loader *loader, fzi_layer *layer);

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

/* ---- nearness.c ---- */

/* After merging: `module.name` in expressions becomes a name. */
void fzi_settle_members(fzi_loader *loader);

/* ---- players.c ---- */

/* After merging: leaves out the players whose conditions are false. */
void fzi_settle_players(fzi_loader *loader);

/* ---- variants.c ---- */

/* Merges the layers, bottom first, into unit->decls and unit->tests. */
void fzi_merge_layers(fzi_loader *loader, fzi_layer **layers, size_t count);
/* After merging: takes the names of `hide` out of the `show`s. */
void fzi_settle_shown(fzi_loader *loader);

/* ---- base_expansion.c ---- */

/* `base` in the overriding declaration becomes a use of the declaration that it replaces. False if
 * it does not use it. `*below`: the replaced declaration under another name, if it is needed. */
bool fzi_use_base(fzi_loader *loader, fzi_node *decl, const fzi_node *old, fzi_node **below);
/* The declaration that `old` and its extension make together, or NULL after a complaint. `*below`
 * is as in fzi_use_base. */
fzi_node *fzi_extended(fzi_loader *loader, const fzi_node *old, fzi_node *extension,
                       fzi_node **below);

/* ---- info.c ---- */

/* The entries of an `info`, then those that it inherits. Without `own`: what a variant inherits,
 * which is the fields of FENs. */
fzi_node *fzi_info_merged(fzi_arena *arena, const fzi_node *inherited, const fzi_node *own);

#endif
