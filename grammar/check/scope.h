/* Symbol tables: the globals of a game, and the locals of the place that is being checked. Several
 * globals may share a name: overloads, a type and a function, values of different types. The
 * checker chooses among them. */
#ifndef FZ_GRAMMAR_CHECK_SCOPE_H
#define FZ_GRAMMAR_CHECK_SCOPE_H

#include "check.h"

/* A use of one symbol in the body of another. */
typedef struct fzi_edge {
    struct fzi_entry *to;
    fzi_span span;
    bool gathers; /* evaluated when the user is evaluated or its moves are listed; false: only in
                     the effect of a move */
    const fzi_node *together; /* the statement among whose options it is; NULL: none */
    struct fzi_edge *next;
} fzi_edge;

enum fzi_checking { FZI_UNSEEN, FZI_BUSY, FZI_DONE };

/* The checker's data about a symbol. Every symbol is the first member of an entry, so pointers to
 * them convert (fzi_entry_of). */
typedef struct fzi_entry {
    fzi_symbol symbol;
    struct fzi_entry *namesake;  /* the next global of the same name */
    struct fzi_entry *following; /* the next global, in order of declaration */
    uint8_t progress;            /* enum fzi_checking: of checking the declaration */
    bool written;                /* assigned somewhere */
    bool reported;               /* its cycle has been reported */
    fzi_edge *edges;
    struct fzi_entry *last_user; /* the owner of the latest edge to this entry */
    bool last_gathers;           /* and whether it gathers, and where it is */
    const fzi_node *last_together;
    uint32_t full; /* effects; of a generator: including those of running its moves */
    uint32_t order, low; /* of the search for cycles; 0: not reached */
    bool on_stack;
    struct fzi_entry *cycle; /* representative of its cycle; the entry itself if it is in none */
} fzi_entry;

struct fzi_scope {
    fzi_arena *arena;
    const fzi_diags *diags;
    fzi_entry **buckets; /* hashed by the address of the interned name; the first of each name */
    size_t bucket_count, count;
    fzi_entry *first, *last;
};
typedef struct fzi_scope fzi_scope;

fzi_scope *fzi_scope_new(fzi_arena *arena);
fzi_entry *fzi_entry_new(fzi_arena *arena, int kind, const char *name, fzi_span span);
void fzi_scope_add(fzi_scope *scope, fzi_entry *entry);

/* The first global of an interned name, or NULL. The others are linked by `namesake`. */
fzi_entry *fzi_scope_find(const fzi_scope *scope, const char *name);

/* Locals, innermost last. */
typedef struct fzi_locals {
    fzi_symbol **items;
    size_t count, capacity;
} fzi_locals;

void fzi_locals_add(fzi_locals *locals, fzi_arena *arena, fzi_symbol *symbol);
fzi_symbol *fzi_locals_find(const fzi_locals *locals, const char *name);

/* Offers every local, and every global whose kind is in `kinds` (bits 1 << FZI_SYM_...), as the
 * nearest name. Offers nothing if the message will not be shown: the search takes time for each
 * name. */
void fzi_scope_nearest(const fzi_scope *scope, const fzi_locals *locals, uint32_t kinds,
                       fzi_nearest *nearest);

#endif
