/* Joining archives: the runs of shards, in one archive as one run. */
#ifndef FZ_INTERP_LAB_ARCHIVE_JOIN_H
#define FZ_INTERP_LAB_ARCHIVE_JOIN_H

#include "archive.h"

/* Is the file an SQLite database? */
bool fzi_archive_is(const char *path);

/* The first run of the archive behind number `after`, of the experiment if there is one; 0 if there
 * is none, -1 after a complaint. */
long long fzi_archive_find_run(const fzi_cli *cli, const char *path, const json_t *experiment,
                               long long after);

/* Opens the archive of --db as `into` and begins a transaction. An exit code; end it in any
 * case. */
int fzi_archives_join_begin(fzi_archive *into, const fzi_cli *cli);
/* Adds the games of these shards, each of which is run number `run` of the archive `path`, as one
 * run. They are complete and in order (fzi_shards_join). An exit code. */
int fzi_archives_join(fzi_archive *into, const fzi_shard *shards, size_t count);
/* Commits all runs if `code`, what came of it, is FZ_EXIT_OK; otherwise none was added. Closes the
 * archive. An exit code. */
int fzi_archives_join_end(fzi_archive *into, int code);

#endif
