/* Threads that share a task, and the clock. See threads.h. */
#include "threads.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

unsigned fzi_threads(uint64_t wanted)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return wanted ? (unsigned)wanted : cores > 0 ? (unsigned)cores : 1;
}

void fzi_threads_run(unsigned threads, void *(*work)(void *task), void *task)
{
    enum { MOST = 256 };
    pthread_t handles[MOST];
    unsigned started = 0;

    while (started + 1 < threads && started < MOST &&
           !pthread_create(&handles[started], NULL, work, task))
        started++;
    work(task);
    while (started--)
        pthread_join(handles[started], NULL);
}

double fzi_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
