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

/* "3/16": which playouts of so many those are. An exit code. */
int fzi_shard_range(const fzi_cli *cli, uint64_t total, uint64_t *first, uint64_t *count);

/* The text of the file; freed with free(). */
char *fzi_shard_text(const fzi_shard *shard);
/* Reads the text of a file; `path` is for messages. An exit code; after a complaint there is
 * nothing to clear. */
int fzi_shard_parse(const fzi_cli *cli, const char *path, const char *text, size_t length,
                    fzi_shard *shard);
int fzi_shard_read(const fzi_cli *cli, const char *path, fzi_shard *shard);
void fzi_shard_clear(fzi_shard *shard);

/* Joins shards, which are sorted by their playouts: all of one experiment, without gaps and
 * overlaps. `all` becomes the shard that has all playouts; clear it in any case. An exit code. */
int fzi_shards_join(const fzi_cli *cli, fzi_shard *shards, size_t count, fzi_shard *all);

#endif
