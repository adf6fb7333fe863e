/* Shard files: the exact sums of consecutive playouts of an experiment, and of their measures if
 * `ferz measure` has written them, as JSON with a checksum. Joined, they give what one run
 * gives. */
#ifndef FZ_INTERP_LAB_SHARD_FILE_H
#define FZ_INTERP_LAB_SHARD_FILE_H

#include "measures_page.h"
#include "run_key.h"

typedef struct fzi_shard {
    const char *path;
    json_t *experiment;
    uint64_t first, count; /* the playouts, from 0 */
    long long run;         /* of an archive: which of its runs it is; else 0 */
    fz_sums sums;
    fzi_measures *measures; /* NULL: there are none */
    json_t *names;         /* of the measures (fzi_measures_names) */
} fzi_shard;

/* The text of the file; freed with fz_text_free. */
fz_status fzi_shard_text(const fzi_shard *shard, fz_context *context, char **text);
/* Reads the text of a file; `path` is for messages. After a failure there is nothing to clear. */
fz_status fzi_shard_parse(fz_context *context, const char *path, const char *text, size_t length,
                          fzi_shard *shard);
void fzi_shard_clear(fzi_shard *shard);

/* Joins shards, which are sorted by their playouts: all of one experiment, without gaps and
 * overlaps. `all` becomes the shard that has all playouts; clear it in any case. */
fz_status fzi_shards_join(fz_context *context, fzi_shard *shards, size_t count, fzi_shard *all);

#endif
