/* The processes of an MPI job: each plays a part of the playouts, and the first one reports. */
#ifndef FZ_CLI_PROCESSES_H
#define FZ_CLI_PROCESSES_H

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

#endif
