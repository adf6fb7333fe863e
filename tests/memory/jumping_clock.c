/* Stands before the C library and gives another time of day at each call: years back, years ahead,
 * 1970, and after 2038 and 2106. The clocks that measure time are left alone, as the system does
 * when somebody sets the date. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t jump(time_t now)
{
    static atomic_uint calls;
    const time_t times[] = {now, now - 400000000, 0, now + 3, (time_t)1 << 31, now - 1,
                            ((time_t)1 << 32) + 5, now + 86400 * 60, 1, now};

    return times[atomic_fetch_add(&calls, 1) % (sizeof times / sizeof times[0])];
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);

    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec = jump(now->tv_sec);
    return result;
}

time_t time(time_t *result)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (result)
        *result = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;

    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}
