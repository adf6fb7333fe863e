/* The report of playouts: text, JSON or CSV on standard output. It says nothing about how the
 * playouts were made, so it is the same on any number of threads, shards or processes. */
#ifndef FZ_CLI_PLAYOUT_REPORT_H
#define FZ_CLI_PLAYOUT_REPORT_H

#include "interp/lab/shard_file.h"
#include "options.h"

/* `part`: which playouts these are, such as "shard 3/16, playouts 251 to 375"; NULL: all. An exit
 * code. */
int fzi_report_print(const fzi_cli *cli, const json_t *experiment, const char *part,
                     const fz_sums *sums);

/* Writes the shard to --output. An exit code. */
int fzi_report_shard(const fzi_cli *cli, fz_context *context, const fzi_shard *shard);

/* "1.50 s, 2,000 playouts a second, 16,000 decisions a second" on stderr. */
void fzi_report_rates(uint64_t playouts, uint64_t plies, double seconds);

#endif
