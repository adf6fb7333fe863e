/* Types as values: making, comparing and joining them. */
#ifndef FZ_GRAMMAR_CHECK_TYPES_H
#define FZ_GRAMMAR_CHECK_TYPES_H

#include "check.h"

/* Fills the types that every game has. Sizes of finite ones are set when they are known. */
void fzi_types_init(fzi_game *game);
void fzi_type_set_size(const fzi_type *type, int64_t size);

const fzi_type *fzi_type_named(fzi_arena *arena, const fzi_symbol *symbol, int64_t count);
/* `lo..hi`; the type int when it is all that fits into 32 bits. */
const fzi_type *fzi_type_range(const fzi_game *game, int64_t low, int64_t high);
const fzi_type *fzi_type_set_of(const fzi_game *game, const fzi_type *element);

bool fzi_type_is(const fzi_type *type, int kind);
bool fzi_type_is_set(const fzi_type *type, int element_kind);
/* The same type; ranges of int are. */
bool fzi_type_same(const fzi_type *a, const fzi_type *b);
/* May a value of type `from` stand where `to` is wanted? */
bool fzi_type_fits(const fzi_type *from, const fzi_type *to);
/* The least type that both fit; NULL when there is none. */
const fzi_type *fzi_type_common(const fzi_game *game, const fzi_type *a, const fzi_type *b);

/* The set type of what can be used as a set (site, direction, `off`, `{}`, set); else NULL. */
const fzi_type *fzi_type_as_set(const fzi_game *game, const fzi_type *type);
/* The members' type of what can be used as a set; else NULL. */
const fzi_type *fzi_type_member(const fzi_game *game, const fzi_type *type);
/* The type without bounds that a variable of unsaid type gets. */
const fzi_type *fzi_type_widened(const fzi_game *game, const fzi_type *type);

#endif
