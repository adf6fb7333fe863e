/* The processes of an MPI job: each plays a part of the playouts, and the first one reports. */
#ifndef FZ_CLI_PROCESSES_H
#define FZ_CLI_PROCESSES_H

#include "interp/lab/shard_file.h"
#include "options.h"

typedef struct fzi_processes {
    int rank, count;     /* 0 and 1 outside of a job */
    bool in_job;
    int left;            /* texts that are to be sent or received */
} fzi_processes;

/* Joins the job, if ferz was started by one. An exit code. */
int fzi_processes_begin(fzi_processes *processes, const fzi_cli *cli);
/* Leaves it. A process that fails before it has sent its text, or the first one before it has
 * received all, ends the whole job: the others would wait for ever. */
void fzi_processes_end(fzi_processes *processes, int code);

/* Sends a text to the first process. */
void fzi_processes_send(fzi_processes *processes, const char *text, size_t length);
/* In the first process: the next text of that rank; freed with free(). */
char *fzi_processes_receive(fzi_processes *processes, int rank, size_t *length);
/* In the first process: adds the sums of the other processes' parts of `whole` playouts to the
 * shard, which has those of its own part. Only parts without a gap before them count, so the result
 * is that of the first k playouts. All are received, because the others wait. An exit code. */
int fzi_processes_add_parts(fzi_processes *processes, const fzi_cli *cli, fz_context *context,
                            fzi_shard *shard, uint64_t whole);

#endif
