/* POSIX threads for one thread: no thread can be made, and the caller does all the work itself. */
#ifndef FZ_INTERP_WEB_PTHREAD_H
#define FZ_INTERP_WEB_PTHREAD_H

#include <errno.h>
#include <stddef.h>

typedef int pthread_t, pthread_mutex_t, pthread_cond_t;

#define pthread_create(thread, attributes, start, user)                                           \
    ((void)(thread), (void)(start), (void)(user), EAGAIN)
#define pthread_join(thread, result) ((void)(thread))
#define pthread_mutex_init(mutex, attributes) (*(mutex) = 0)
#define pthread_mutex_destroy(mutex) ((void)(mutex))
#define pthread_mutex_lock(mutex) ((void)(mutex))
#define pthread_mutex_trylock(mutex) ((void)(mutex), 0)
#define pthread_mutex_unlock(mutex) ((void)(mutex))
#define pthread_cond_init(condition, attributes) (*(condition) = 0)
#define pthread_cond_destroy(condition) ((void)(condition))
#define pthread_cond_wait(condition, mutex) ((void)(condition), (void)(mutex))
#define pthread_cond_broadcast(condition) ((void)(condition))

#endif
