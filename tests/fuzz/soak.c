/* Long runs of a fuzz target with seeded random inputs, which mean something to `damage`:
 *
 *     soak COUNT SEED JOBS FOLDER
 *
 * Jobs are processes, so a case that crashes or hangs ends only its own process: the case is
 * written to FOLDER/case-SEED-NUMBER and the job goes on after it. Exit status 1 when there was
 * such a case. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MOST_JOBS = 64,
    CASE_SECONDS = 60,
    HEAD = 2, /* which game */
    CHANGE = 8,
    MOST_SIZE = HEAD + 8 * CHANGE,
    MOST_FOUND = 100,
    MADE_FIRST = 1 << 14
};

typedef struct soak {
    uint64_t count, seed;
    unsigned jobs;
    const char *folder;
    uint64_t *at;             /* of each job: the case it is at; shared with the processes */
    pid_t process[MOST_JOBS]; /* 0: it is done */
    unsigned found;
} soak;

/* ---- inputs ---- */

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Numbers near the bounds of something: those that are refused at once find nothing. */
static uint32_t random_value(uint64_t *state)
{
    uint64_t x = next_random(state);
    uint32_t power = UINT32_C(1) << (x >> 8 & 31);

    switch (x & 7) {
    case 0:
    case 1: return x >> 16 & 7;
    case 2: return x >> 16 & 63;
    case 3: return x >> 16 & 255;
    case 4: return x >> 16 & 0xffff;
    case 5: return -(uint32_t)(1 + (x >> 16 & 3));
    case 6: return power + (uint32_t)(x >> 16 & 3) - 1;
    default: return (uint32_t)(x >> 32);
    }
}

static size_t make_input(uint64_t seed, uint64_t number, uint8_t *data)
{
    uint64_t state = seed * UINT64_C(0xd1342543de82ef95) + number;
    size_t changes = 1;

    uint64_t game = next_random(&state);
    data[0] = (uint8_t)game;
    data[1] = (uint8_t)(game >> 8);
    while (changes < (MOST_SIZE - HEAD) / CHANGE && next_random(&state) & 1)
        changes++;
    for (size_t i = 0; i < changes; i++) {
        uint8_t *change = data + HEAD + i * CHANGE;
        uint64_t x = next_random(&state);
        uint32_t value = random_value(&state);
        for (unsigned k = 0; k < 4; k++) {
            change[k] = (uint8_t)(x >> 8 * k);
            change[4 + k] = (uint8_t)(value >> 8 * k);
        }
    }
    return HEAD + changes * CHANGE;
}

/* ---- jobs ---- */

static uint64_t *shared_numbers(void)
{
    FILE *file = tmpfile();
    size_t size = MOST_JOBS * sizeof(uint64_t);
    void *numbers = MAP_FAILED;

    if (file && ftruncate(fileno(file), (off_t)size) == 0)
        numbers = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    return numbers == MAP_FAILED ? NULL : numbers;
}

/* Ends the process when it has computed for so long; 0: no bound any more. Time spent waiting for a
 * processor does not count. */
static void bound(int seconds)
{
    struct itimerval left = {.it_value.tv_sec = seconds};

    setitimer(ITIMER_PROF, &left, NULL);
}

/* The job's cases from `at` on. Each input is a block of its own, so that reading beyond it is
 * seen. */
static void run_cases(const soak *s, unsigned job)
{
    uint8_t data[MOST_SIZE];

    for (; s->at[job] < s->count; s->at[job] += s->jobs) {
        size_t size = make_input(s->seed, s->at[job], data);
        uint8_t *input = malloc(size);
        if (!input)
            abort();
        memcpy(input, data, size);
        bound(CASE_SECONDS);
        LLVMFuzzerTestOneInput(input, size);
        bound(0);
        free(input);
    }
}

static void begin(soak *s, unsigned job)
{
    fflush(NULL);
    s->process[job] = fork();
    if (s->process[job] < 0) {
        perror("fork");
        exit(2);
    }
    if (s->process[job] == 0) {
        run_cases(s, job);
        _exit(0);
    }
}

static void keep(const soak *s, unsigned job, int status)
{
    uint8_t data[MOST_SIZE];
    char path[4096];
    size_t size = make_input(s->seed, s->at[job], data);

    snprintf(path, sizeof path, "%s/case-%llu-%llu", s->folder, (unsigned long long)s->seed,
             (unsigned long long)s->at[job]);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size)
        perror(path);
    if (file)
        fclose(file);
    printf("%s: %s %d\n", path, WIFSIGNALED(status) ? "signal" : "exit status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    fflush(stdout);
}

static void wait_for_one(soak *s)
{
    int status;
    pid_t ended = wait(&status);

    for (unsigned job = 0; job < s->jobs; job++) {
        if (s->process[job] != ended)
            continue;
        s->process[job] = 0;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return;
        keep(s, job, status);
        s->found++;
        s->at[job] += s->jobs;
        if (s->found < MOST_FOUND)
            begin(s, job);
    }
}

static unsigned running(const soak *s)
{
    unsigned count = 0;

    for (unsigned job = 0; job < s->jobs; job++)
        count += s->process[job] != 0;
    return count;
}

int main(int argc, char **argv)
{
    soak s = {0};

    fuzz_replays = true;
    if (argc != 5) {
        fprintf(stderr, "usage: soak COUNT SEED JOBS FOLDER\n");
        return 2;
    }
    s.count = strtoull(argv[1], NULL, 10);
    s.seed = strtoull(argv[2], NULL, 10);
    s.jobs = (unsigned)strtoul(argv[3], NULL, 10);
    s.folder = argv[4];
    s.at = shared_numbers();
    if (!s.jobs || s.jobs > MOST_JOBS || !s.at)
        return 2;
    for (unsigned game = 0; game < MADE_FIRST; game++) { /* what all jobs need, made once */
        const uint8_t head[HEAD] = {(uint8_t)game, (uint8_t)(game >> 8)};
        LLVMFuzzerTestOneInput(head, HEAD);
    }
    for (unsigned job = 0; job < s.jobs; job++) {
        s.at[job] = job;
        begin(&s, job);
    }
    while (running(&s))
        wait_for_one(&s);
    printf("%llu cases, %u found\n", (unsigned long long)s.count, s.found);
    return s.found > 0;
}
