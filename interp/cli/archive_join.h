/* Joining archives: the runs of shards, in one archive as one run. */
#ifndef FZ_CLI_ARCHIVE_JOIN_H
#define FZ_CLI_ARCHIVE_JOIN_H

#include "archive.h"

/* Is the file an SQLite database? */
bool fzi_archive_is(const char *path);

/* Writes the games of these shards, each of which `path` is an archive with one run or with run
 * number --run, to the archive of --db as one run. They are complete and in order
 * (fzi_shards_join). An exit code; after a complaint nothing was added. */
int fzi_archives_join(const fzi_cli *cli, const fzi_shard *shards, size_t count);

#endif
