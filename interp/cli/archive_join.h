/* Joining archives: the runs of shards, in one archive as one run. */
#ifndef FZ_CLI_ARCHIVE_JOIN_H
#define FZ_CLI_ARCHIVE_JOIN_H

#include "archive.h"

/* Is the file an SQLite database? */
bool fzi_archive_is(const char *path);

/* The first run of the archive behind number `after`, of the experiment if there is one; 0 if there
 * is none. */
long long fzi_archive_find_run(const fzi_cli *cli, const char *path, const json_t *experiment,
                               long long after);

/* Writes the games of these shards, each of which is run number `run` of the archive `path`, to the
 * archive of --db as one run. They are complete and in order
 * (fzi_shards_join). An exit code; after a complaint nothing was added. */
int fzi_archives_join(const fzi_cli *cli, const fzi_shard *shards, size_t count);

#endif
