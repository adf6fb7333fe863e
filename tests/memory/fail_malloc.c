/* Loaded in front of the C library (LD_PRELOAD): lets requests for memory fail, so that tests
 * see what a program does without it.
 *
 *   FERZ_FAIL_AT=N     the N-th request fails, counted from 1
 *   FERZ_FAIL_AFTER=N  the N-th fails and every later one
 *   FERZ_COUNT_IN=FILE the number of requests is written there when the program ends
 *
 * Uses glibc's own names of its allocator, so it needs no look-up that would itself ask for
 * memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);

/* Counted together by a program and the processes that it starts without another program. */
static atomic_long *requests;
static long fail_at, fail_after;

static long number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    fail_at = number("FERZ_FAIL_AT");
    fail_after = number("FERZ_FAIL_AFTER");
    /* What the loader asks for before is the same in every run, but not ours to fail. */
    requests = mmap(NULL, sizeof *requests, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                    0);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FERZ_COUNT_IN");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
    char digits[24];
    size_t at = sizeof digits;
    long n = atomic_load(requests);
    if (file < 0)
        return;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    if (write(file, digits + at, sizeof digits - at) < 0)
        _exit(3);
    close(file);
}

static int refused(void)
{
    long n = requests ? atomic_fetch_add(requests, 1) + 1 : 0;
    if (!n || (n != fail_at && (!fail_after || n < fail_after)))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *ptr, size_t size)
{
    return size && refused() ? NULL : __libc_realloc(ptr, size);
}
