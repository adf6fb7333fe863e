/* Making, comparing and joining types. */
#ifndef FZ_GRAMMAR_CHECK_TYPES_H
#define FZ_GRAMMAR_CHECK_TYPES_H

#include "check.h"

/* Makes the types that every game has. Sizes of finite types are set when they are known. */
void fzi_types_init(fzi_game *game);
void fzi_type_set_size(const fzi_type *type, int64_t size);

const fzi_type *fzi_type_named(fzi_arena *arena, const fzi_symbol *symbol, int64_t count);
/* The type `low..high`; int if that is the full range of 32 bits. */
const fzi_type *fzi_type_range(const fzi_game *game, int64_t low, int64_t high);
const fzi_type *fzi_type_set_of(const fzi_game *game, const fzi_type *element);

bool fzi_type_is(const fzi_type *type, int kind);
bool fzi_type_is_set(const fzi_type *type, int element_kind);
/* Are the types equal? All ranges of int are. */
bool fzi_type_same(const fzi_type *a, const fzi_type *b);
/* Is a value of type `from` accepted where `to` is expected? */
bool fzi_type_fits(const fzi_type *from, const fzi_type *to);
/* The smallest type that both fit; NULL if there is none. */
const fzi_type *fzi_type_common(const fzi_game *game, const fzi_type *a, const fzi_type *b);

/* The set type of a type that can be used as a set (site, direction, `off`, `{}`, set); else
 * NULL. */
const fzi_type *fzi_type_as_set(const fzi_game *game, const fzi_type *type);
/* The element type of a type that can be used as a set; else NULL. */
const fzi_type *fzi_type_member(const fzi_game *game, const fzi_type *type);
/* Is there room for the members in a set that is stored? */
enum { FZI_SET_MEMBERS = 64 };
bool fzi_set_fits(const fzi_type *element);
/* The type without bounds, which a variable without a declared type gets. */
const fzi_type *fzi_type_widened(const fzi_game *game, const fzi_type *type);

#endif
