/* Chooses what runs a program: the loop, or native code. `auto` begins in the loop, and compiles in
 * the background when that pays; machines go over when they begin their next game or move. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ffi.h"
#include "native.h"

/* An estimate of the cost of compiling, in processor seconds: a constant, and so much for each word
 * of code (docs/performance.md, "Native code"). */
#define COMPILE_SECONDS 0.4
#define COMPILE_SECONDS_A_WORD 0.002
/* Writing the C and looking into the cache cost this part of it. */
#define LOOKING 0.02
/* Machines report their work about so often, in seconds. */
#define SHORTEST_REPORT 0.001
#define LONGEST_REPORT 0.01

/* The stage that `auto` has reached. */
enum stage {
    WORKING,   /* too little work so far for anything */
    LOOKED,    /* the cache does not have it */
    COMPILING, /* in the thread, or in fz_program_set_engine */
    SETTLED    /* native code runs, or there is none */
};

typedef struct choice {
    fzi_compiled compiled;
    const fz_program *program;
    pthread_mutex_t choosing; /* one fz_program_set_engine at a time; taken before `lock` */
    pthread_mutex_t lock;     /* of what follows, but for `job` while COMPILING */
    enum stage stage;
    fzi_native_job job;
    fz_status status;         /* of the job; FZ_OK: there was none */
    double cost, worked;      /* seconds of processors */
    double before, left;      /* worked before this run; left of it, -1: unknown */
    uint64_t done;            /* games of this run */
    uint64_t calls;           /* that have been reported */
    int64_t compile_after;    /* calls ($FERZ_COMPILE_AFTER); -1: what pays */
    bool has_thread;
    pthread_t thread;
    pid_t process;            /* that has the thread: after fork, the child has none */
} choice;

static void publish(choice *c)
{
    __atomic_store_n(&c->compiled.games, c->job.games, __ATOMIC_RELAXED);
    __atomic_store_n(&c->compiled.count, c->job.count, __ATOMIC_RELAXED);
    __atomic_store_n(&c->compiled.run, c->job.run, __ATOMIC_RELEASE);
}

static void settle(choice *c, fz_status status)
{
    c->status = status;
    c->stage = SETTLED;
    if (status == FZ_OK)
        publish(c);
    fzi_buffer_free(&c->job.text);
}

/* ---- the thread ---- */

static void *compile(void *argument)
{
    choice *c = argument;
    fz_status status = fzi_native_load(&c->job, true);
    pthread_mutex_lock(&c->lock);
    settle(c, status);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Signals are for the threads of the program that uses the library. */
static void compile_in_background(choice *c)
{
    sigset_t all, before;
    sigfillset(&all);
    c->job.cancel.outer = NULL;
    c->stage = COMPILING;
    c->process = getpid();
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->has_thread = pthread_create(&c->thread, NULL, compile, c) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!c->has_thread)
        settle(c, FZ_NO_MEMORY);
}

/* Ends the compiler, if it runs, and the thread. Has the lock, but for the wait: the thread takes
 * it at its end, and no other is begun before that. */
static void stop(choice *c)
{
    if (!c->has_thread || c->process != getpid())
        return;
    __atomic_store_n(&c->job.cancel.now, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    pthread_mutex_lock(&c->lock);
    c->has_thread = false;
    c->job.cancel.now = 0;
    if (!c->job.run) {
        c->stage = WORKING;
        c->status = FZ_OK;
    }
}

/* ---- when it pays ---- */

/* A run that says how much is left must have more left than the compiler takes: native code saves
 * about half of it. Otherwise as much is expected to come as there was. */
static bool pays(const choice *c)
{
    if (c->compile_after >= 0)
        return true;
    return c->left >= 0 ? c->worked >= c->cost / 8 && c->left >= 2 * c->cost
                        : c->worked >= c->cost;
}

static bool is_worth_a_look(const choice *c)
{
    return c->compile_after >= 0 ? c->calls >= (uint64_t)c->compile_after
                                 : c->worked >= LOOKING * c->cost;
}

static void look_into_cache(choice *c)
{
    fz_status status = fzi_native_prepare(&c->job, c->program);
    if (status == FZ_OK)
        status = fzi_native_load(&c->job, false);
    if (status == FZ_NOT_FOUND)
        c->stage = LOOKED;
    else
        settle(c, status);
}

static void go_on(choice *c)
{
    if (!c->compiled.awaited) /* the loop was chosen after the machine was made */
        return;
    if (c->stage == WORKING && is_worth_a_look(c))
        look_into_cache(c);
    if (c->stage == LOOKED && pays(c)) {
        if (c->compile_after >= 0)
            settle(c, fzi_native_load(&c->job, true));
        else
            compile_in_background(c);
    }
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The work since the last report of the machine. One that another thread uses now begins anew. */
static double work_of(const choice *c, fzi_work *work)
{
    double now = seconds(), since = work->reported > 0 ? now - work->reported : 0;
    work->reported = now;
    if (c->compile_after < 0 && since < SHORTEST_REPORT && work->step < UINT32_MAX / 2)
        work->step *= 2;
    else if (since > LONGEST_REPORT && work->step > 1)
        work->step /= 2;
    return since > 0 ? since : 0;
}

static void report(fzi_compiled *compiled, fzi_work *work)
{
    choice *c = (choice *)(void *)compiled;
    uint32_t calls = work->step;
    double more = work_of(c, work);
    work->calls_left = work->step;
    pthread_mutex_lock(&c->lock);
    c->worked += more;
    c->calls += calls;
    go_on(c);
    if (c->stage == SETTLED)
        work->calls_left = UINT32_MAX;
    pthread_mutex_unlock(&c->lock);
}

/* Assumes that the rest takes as long as what was done in this run. Threads may come in another
 * order. */
static void note_progress(fzi_compiled *compiled, uint64_t done, uint64_t total)
{
    choice *c = (choice *)(void *)compiled;
    pthread_mutex_lock(&c->lock);
    if (done >= total) { /* the end */
        c->before = c->worked;
        c->left = -1;
        c->done = 0;
    } else if (done > c->done) {
        c->done = done;
        c->left = (c->worked - c->before) / (double)done * (double)(total - done);
    }
    pthread_mutex_unlock(&c->lock);
}

/* ---- for programs ---- */

static void choice_free(fzi_attachment *attachment)
{
    choice *c = (choice *)(void *)attachment;
    fzi_allocator allocator = c->job.text.allocator;
    if (c->has_thread && c->process != getpid())
        return; /* the thread holds the lock or will: both are the parent's */
    pthread_mutex_lock(&c->lock);
    stop(c);
    pthread_mutex_unlock(&c->lock);
    fzi_native_job_clear(&c->job);
    pthread_mutex_destroy(&c->lock);
    pthread_mutex_destroy(&c->choosing);
    fzi_release(allocator, c);
}

static int64_t calls_to_wait(void)
{
    const char *given = getenv("FERZ_COMPILE_AFTER");
    return given && *given ? strtoll(given, NULL, 10) : -1;
}

static bool is_auto(fz_engine engine)
{
    const char *given = getenv("FERZ_ENGINE");
    return engine == FZ_ENGINE_AUTO ||
           (engine == FZ_ENGINE_DEFAULT && (!given || strcmp(given, "loop") != 0));
}

fz_status fzi_engine_attach(fz_context *context, fz_program *program)
{
    fzi_allocator allocator = fzi_program_allocator(program);
    choice *c = fzi_allocate_zeroed(allocator, sizeof *c);
    if (!c)
        return fzi_context_no_memory(context);
    c->compiled = (fzi_compiled){.attachment = {choice_free}, .report = report,
                                 .progress = note_progress};
    c->program = program;
    c->job.text = fzi_buffer_in(allocator);
    c->cost = COMPILE_SECONDS + COMPILE_SECONDS_A_WORD * program->code_length;
    c->left = -1;
    c->compile_after = calls_to_wait();
    c->compiled.awaited = is_auto(FZ_ENGINE_DEFAULT);
    pthread_mutex_init(&c->choosing, NULL);
    pthread_mutex_init(&c->lock, NULL);
    program->compiled = &c->compiled.attachment;
    return FZ_OK;
}

/* Compiles and waits, without the lock: machines may play meanwhile. */
static void make_native(const fz_context *context, choice *c)
{
    c->job.cancel.outer = context->limits.cancel;
    c->stage = COMPILING;
    pthread_mutex_unlock(&c->lock);
    fz_status status = fzi_native_prepare(&c->job, c->program);
    if (status == FZ_OK)
        status = fzi_native_load(&c->job, true);
    pthread_mutex_lock(&c->lock);
    settle(c, status);
}

static fz_status choose_native(fz_context *context, choice *c)
{
    stop(c);
    if (!c->job.handle)
        make_native(context, c);
    if (c->status != FZ_OK)
        return fzi_context_fail(context, c->status, "%s", c->job.why);
    publish(c);
    return FZ_OK;
}

static void choose_loop(choice *c)
{
    stop(c);
    __atomic_store_n(&c->compiled.run, NULL, __ATOMIC_RELEASE);
}

static fz_status choose(fz_context *context, choice *c, fz_engine engine)
{
    bool awaited = is_auto(engine);
    __atomic_store_n(&c->compiled.awaited, awaited, __ATOMIC_RELAXED);
    if (engine == FZ_ENGINE_NATIVE)
        return choose_native(context, c);
    if (!awaited)
        choose_loop(c);
    else if (c->stage == SETTLED && c->job.run)
        publish(c);
    return FZ_OK;
}

fz_status fz_program_set_engine(fz_context *context, fz_program *program, fz_engine engine)
{
    if (!program->compiled && fzi_engine_attach(context, program) != FZ_OK)
        return FZ_NO_MEMORY;
    choice *c = (choice *)(void *)program->compiled;
    pthread_mutex_lock(&c->choosing);
    pthread_mutex_lock(&c->lock);
    fz_status status = choose(context, c, engine);
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_unlock(&c->choosing);
    return status;
}

fz_engine fz_program_engine(const fz_program *program, char *text)
{
    choice *c = (choice *)(void *)program->compiled;
    pthread_mutex_lock(&c->lock);
    bool native = __atomic_load_n(&c->compiled.run, __ATOMIC_RELAXED) != NULL;
    if (text && native)
        snprintf(text, 256, "%s", c->worked > 0 ? "the loop, then native code" : "native code");
    else if (text && c->status != FZ_OK)
        snprintf(text, 256, "the loop; no native code: %.200s", c->job.why);
    else if (text)
        snprintf(text, 256, "the loop");
    pthread_mutex_unlock(&c->lock);
    return native ? FZ_ENGINE_NATIVE : FZ_ENGINE_LOOP;
}
