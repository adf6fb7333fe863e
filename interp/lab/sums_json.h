/* Sums over playouts as JSON: whole numbers of 128 bits are texts, so nothing is rounded. */
#ifndef FZ_INTERP_LAB_SUMS_JSON_H
#define FZ_INTERP_LAB_SUMS_JSON_H

#include <jansson.h>
#include "ferz_tools.h"
#include "interp/support/context.h"

/* Numbers that are counted one by one, such as the decisions of a game, are below this: each takes
 * 8 bytes of memory, and a file may hold anything. A playout has at most 10M decisions unless
 * --limit allows more. */
enum { FZI_MOST_COUNTED = 1 << 24 };

/* A value, which is given up, as a text to be freed with fz_text_free. FZ_NO_MEMORY. */
fz_status fzi_json_text(fz_context *context, json_t *value, char **text);

/* A whole number as a text. */
json_t *fzi_wide_json(fz_signed_wide value);
/* False: it is none, or has more than 38 digits. */
bool fzi_wide_read(const json_t *value, bool may_be_negative, fz_signed_wide *number);

json_t *fzi_sums_json(const fz_sums *sums, unsigned players);
/* Begins the sums, also when they are refused: false, the object is not what fzi_sums_json makes,
 * or its numbers contradict each other. */
bool fzi_sums_read(const json_t *object, unsigned players, fzi_allocator allocator, fz_sums *sums);

/* The name of a reason of ends, such as "no move", and the reason of that name; FZ_NOT_ENDED. */
const char *fzi_ending_name(fz_ending ending);
fz_ending fzi_ending_called(const char *name);

/* The reasons that some playouts have, each once: the most frequent first, then by place. To be
 * freed with free; the texts stay those of the sums. NULL: memory is short. */
fz_sums_end *fzi_sums_ends(const fz_sums *sums, size_t *count);

/* The results of a run as `ferz playout --format json` prints them. `part`: which playouts these
 * are; NULL: all. */
json_t *fzi_results_json(const json_t *experiment, const char *part, const fz_sums *sums);

#endif
