/* MPI. See cli.h. */
#include "cli.h"

/* Starting MPI takes a while, so only processes that a launcher has started do it. */
static bool is_in_job(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

#ifdef HAVE_MPI
#include <mpi.h>

enum { TAG = 1 };

int fzi_processes_begin(fzi_processes *p, const fzi_cli *cli)
{
    *p = (fzi_processes){.count = 1, .in_job = is_in_job()};
    if (!p->in_job)
        return FZ_EXIT_OK;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS) {
        p->in_job = false;
        return fzi_cli_complain(cli, "MPI does not start");
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->count);
    p->left = p->rank ? 1 : p->count - 1;
    return FZ_EXIT_OK;
}

void fzi_processes_end(fzi_processes *p, int code)
{
    if (p->in_job && code != FZ_EXIT_OK && p->left > 0)
        MPI_Abort(MPI_COMM_WORLD, code);
    if (p->in_job)
        MPI_Finalize();
    p->in_job = false;
}

void fzi_processes_send(fzi_processes *p, const char *text, size_t length)
{
    if (length > INT32_MAX)
        MPI_Abort(MPI_COMM_WORLD, FZ_EXIT_USAGE);
    p->left--;
    MPI_Send(text, (int)length, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
}

char *fzi_processes_receive(fzi_processes *p, int rank, size_t *length)
{
    MPI_Status status;
    int count = 0;

    p->left--;
    MPI_Probe(rank, TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &count);
    char *text = fzi_cli_allocate(NULL, (size_t)count + 1);
    MPI_Recv(text, count, MPI_CHAR, rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    text[count] = '\0';
    *length = (size_t)count;
    return text;
}

#else

int fzi_processes_begin(fzi_processes *p, const fzi_cli *cli)
{
    *p = (fzi_processes){.count = 1};
    if (is_in_job())
        return fzi_cli_complain(cli, "this ferz was built without MPI (./configure --with-mpi); "
                                "started by mpirun, each process would play all games");
    return FZ_EXIT_OK;
}

void fzi_processes_end(fzi_processes *p, int code)
{
    (void)p, (void)code;
}

void fzi_processes_send(fzi_processes *p, const char *text, size_t length)
{
    (void)p, (void)text, (void)length;
}

char *fzi_processes_receive(fzi_processes *p, int rank, size_t *length)
{
    (void)p, (void)rank;
    *length = 0;
    return NULL;
}

#endif

/* Adds a part to the sums unless one before it has a gap. A part is complete if it has `count`
 * playouts. */
static fz_status add_part(fz_context *context, const char *text, size_t length, uint64_t count,
                          fzi_shard *shard, bool *complete)
{
    fzi_shard part = {0};
    fz_status status = fzi_shard_parse(context, "a process of the job", text, length, &part);

    if (status != FZ_OK)
        return status;
    if (*complete) {
        *complete = part.count == count;
        fz_sums_merge(&shard->sums, &part.sums);
    }
    fzi_shard_clear(&part);
    return FZ_OK;
}

int fzi_processes_add_parts(fzi_processes *p, const fzi_cli *cli, fz_context *context,
                            fzi_shard *shard, uint64_t whole)
{
    bool complete = fzi_shard_played(shard) == shard->count;
    fz_status status = FZ_OK;

    for (int rank = 1; rank < p->count; rank++) {
        unsigned count = (unsigned)p->count, number = (unsigned)rank;
        uint64_t first = (uint64_t)((fz_uint128)whole * number / count);
        uint64_t next = (uint64_t)((fz_uint128)whole * (number + 1) / count);
        size_t length;
        char *text = fzi_processes_receive(p, rank, &length);
        if (status == FZ_OK)
            status = add_part(context, text, length, next - first, shard, &complete);
        free(text);
    }
    return fzi_cli_failed(cli, context, status, NULL);
}
