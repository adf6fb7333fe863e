/* Compiles generated C with the system's compiler, keeps the library in the cache, and loads it. */
#ifdef HAVE_CONFIG_H
#include <config.h> /* posix_spawn_file_actions_addfchdir_np is an extension */
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#elif defined __linux__
#include <sys/auxv.h>
#endif

#include "interp/support/cancel.h"
#include "interp/support/text.h"
#include "native.h"
#include "native_cache.h"
#include "playout_plan.h"

extern char **environ;

enum { MAX_PATH = 4096, MAX_WORDS = 160, MAX_LOG = 400,
       MAX_PARTS = FZ_NATIVE_PARTS };

static fz_status fail(fzi_native_job *job, fz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static fz_status fail(fzi_native_job *job, fz_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(job->why, sizeof job->why, format, args);
    va_end(args);
    return status;
}

/* ---- names ---- */

/* Eight bytes at a time: the text of a game has a million. */
static void hash_text(uint64_t hash[2], const char *text, size_t length)
{
    for (size_t i = 0; i <= length; i += 8) {
        uint64_t word = length; /* the last word ends with it, and may be nothing else */
        memcpy(&word, text + i, length - i < 8 ? length - i : 8);
        hash[0] = (hash[0] ^ word) * UINT64_C(0xff51afd7ed558ccd);
        hash[0] ^= hash[0] >> 32;
        hash[1] = (hash[1] + word + 1) * UINT64_C(0x9e3779b97f4a7c15);
        hash[1] ^= hash[1] >> 29;
    }
}

static void hash_words(uint64_t hash[2], const char *const *words)
{
    for (; *words; words++)
        hash_text(hash, *words, strlen(*words) + 1);
}

/* What -march=native depends on: a cache that several machines share has code for each. */
static void hash_processor(uint64_t hash[2])
{
    unsigned long known[16] = {0};
#if defined __x86_64__ || defined __i386__
    const unsigned leaves[] = {0, 1, 7, 0x80000001};
    for (unsigned i = 0; i < 4; i++) {
        unsigned of[4] = {0};
        __get_cpuid_count(leaves[i], 0, &of[0], &of[1], &of[2], &of[3]);
        of[1] &= leaves[i] == 1 ? 0xffff : ~0u; /* not the number of this core */
        for (unsigned k = 0; k < 4; k++)
            known[4 * i + k] = of[k];
    }
#elif defined __linux__
    known[0] = getauxval(AT_HWCAP);
    known[1] = getauxval(AT_HWCAP2);
#endif
    hash_text(hash, (const char *)known, sizeof known);
}

static const char *compiler(void)
{
    const char *given = getenv("FERZ_CC");
    if (!given || !*given)
        given = getenv("CC");
    return given && *given ? given : "cc";
}

static const char *own_flags(void)
{
    const char *given = getenv("FERZ_CFLAGS");
    return given ? given : "";
}

/* ---- compiling ---- */

/* The compiler's first complaint, in one line. */
static void complaint(int folder, const char *log, char *out, size_t size)
{
    int descriptor = openat(folder, log, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    *out = '\0';
    char line[MAX_LOG];
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!*out || strstr(line, "error"))
            snprintf(out, size, "%s", line);
        if (strstr(line, "error"))
            break;
    }
    if (file)
        fclose(file);
    else if (descriptor >= 0)
        close(descriptor);
}

static const char *const flags[] = {"-std=gnu11", "-w", "-fPIC", NULL};
static const char *const this_processor[] = {"-march=native", NULL}, *const any_processor[] = {
                                                                         NULL};
/* How parts are compiled. `first` is for what most turns run: the part that plays whole games, or
 * the first one where there is none. The others are most of the text of large games, and what takes
 * the compiler long would make them faster by a hundredth. Sets of many words are loops, which -O3
 * unrolls and -O1 would not even make vectors of. `games` is for the part that plays whole games of
 * a small program: up to an eighth faster than with `first`, and half a second of the compiler at
 * most. */
typedef struct fzi_levels {
    const char *first[5], *others[5], *games[5];
} levels;
/* Games use no floating-point numbers, and sets of one word gain nothing from vectors: gathering
 * neighbours of a structure into one costs more than it saves. */
#if defined __x86_64__ || defined __aarch64__
#define ONLY_GENERAL "-mgeneral-regs-only",
#else
#define ONLY_GENERAL
#endif
/* Where turns, their ends and their results meet, gcc copies a few more statements than by itself:
 * paths stay apart that would otherwise set flags and test them again. Sets of two words lose by
 * it. */
#define THREADS_JUMPS(statements) "--param=max-jump-thread-duplication-stmts=" #statements
static const levels narrow = {{"-O2", "-fno-gcse", "-fpeel-loops", ONLY_GENERAL NULL},
                              {"-O1", "-ftree-vrp", ONLY_GENERAL NULL},
                              {"-O3", "-fno-gcse", THREADS_JUMPS(20), ONLY_GENERAL NULL}};
/* A set of two words is better off in general registers than gathered into a vector. */
static const levels pairs = {{"-O2", "-fno-gcse", "-fpeel-loops", "-fno-tree-slp-vectorize", NULL},
                             {"-O1", "-ftree-vrp", NULL},
                             {"-O3", "-fno-gcse", "-fno-tree-slp-vectorize", NULL}};
static const levels wide = {{"-O3", "-fno-gcse", NULL}, {"-O2", "-fno-gcse", NULL},
                            {"-O3", "-fno-gcse", THREADS_JUMPS(30), NULL}};
static const char *const link_flags[] = {"-shared", NULL};

/* The words of a command line; texts are split at blanks, in place. */
typedef struct command {
    char compiler[MAX_PATH], more[MAX_PATH];
    const char *words[MAX_WORDS];
    size_t count;
} command;

static void add_word(command *c, const char *word)
{
    if (c->count < MAX_WORDS - 1)
        c->words[c->count++] = word;
    c->words[c->count] = NULL;
}

static void add_words(command *c, const char *const *words)
{
    for (; *words; words++)
        add_word(c, *words);
}

static void add_text(command *c, char *text)
{
    char *rest = NULL;
    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
        add_word(c, w);
}

/* What is being made: names in the cache's folder, where the compiler works; nobody else uses
 * them. */
enum { MAX_STEM = FZ_MAX_OBJECT + 48, MAX_FILE = MAX_STEM + 16 };
typedef struct work {
    const fzi_native_job *job;
    int folder;
    pid_t guard;             /* 0: there is none */
    int held;                /* the guard waits until this is closed */
    char stem[MAX_STEM];     /* names begin so */
    char source[MAX_FILE], result[MAX_FILE], log[MAX_FILE];
    char part[MAX_PARTS][MAX_FILE];
    char define[MAX_PARTS][32];
    char program[MAX_PATH]; /* the compiler's own path: it is run in another folder */
    command command;
} work;

/* Words of FERZ_CC or CC, and those of FERZ_CFLAGS after our own, are arguments. */
static void begin_command(work *w, const char *const *own)
{
    command *c = &w->command;
    c->count = 0;
    snprintf(c->compiler, sizeof c->compiler, "%s", compiler());
    snprintf(c->more, sizeof c->more, "%s", own_flags());
    add_text(c, c->compiler);
    if (c->count && strchr(c->words[0], '/') && realpath(c->words[0], w->program))
        c->words[0] = w->program;
    add_words(c, flags);
    add_words(c, w->job->processor);
    add_words(c, own);
    add_text(c, c->more);
}

/* Compilers belong to the group of the guard. */
static bool begin_attributes(const work *w, posix_spawnattr_t *attributes)
{
    sigset_t none;
    sigemptyset(&none);
    return posix_spawnattr_init(attributes) == 0 &&
           posix_spawnattr_setsigmask(attributes, &none) == 0 &&
           posix_spawnattr_setpgroup(attributes, w->guard) == 0 &&
           posix_spawnattr_setflags(attributes,
                                    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP) == 0;
}

/* Runs it in the cache's folder; its output goes to the log. -1: it could not be run. */
static pid_t start(const work *w, const char *const *words, int input)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t pid;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    bool started = begin_attributes(w, &attributes) &&
                   posix_spawn_file_actions_addfchdir_np(&actions, w->folder) == 0 &&
                   posix_spawn_file_actions_adddup2(&actions, input, 0) == 0 &&
                   posix_spawn_file_actions_addopen(&actions, 1, w->log,
                                                    O_WRONLY | O_CREAT | O_APPEND, 0600) == 0 &&
                   posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0 &&
                   posix_spawnp(&pid, words[0], &actions, &attributes,
                                (char *const *)(uintptr_t)words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return started ? pid : -1;
}

/* Compilers end with this process, however it ends: their group has a guard that waits for the end
 * of a pipe, then ends the group and removes its files. */
static bool begin_guard(work *w)
{
    static const char script[] = "trap '' TERM; read x; kill -TERM 0; sleep 1; rm -f \"$0\".*; "
                                 "kill -KILL 0";
    const char *words[] = {"sh", "-c", script, w->stem, NULL};
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = start(w, words, ends[0]);
    close(ends[0]);
    w->guard = pid > 0 ? pid : 0;
    w->held = ends[1];
    return pid > 0;
}

static void end_guard(const work *w)
{
    if (w->guard) {
        kill(-w->guard, SIGKILL);
        while (waitpid(w->guard, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (w->held >= 0)
        close(w->held);
}

static pid_t start_compiler(const work *w)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    pid_t pid = w->command.count && nothing >= 0 ? start(w, w->command.words, nothing) : -1;
    if (nothing >= 0)
        close(nothing);
    return pid;
}

/* The exit code of a process; -1 when there is none. */
static int exit_code(pid_t pid, int status)
{
    return pid >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Waits until one of several has ended and takes it out. Other children are not ours to wait
 * for, so each is asked by its number. */
static int wait_for_one(const work *w, pid_t *running, unsigned *count)
{
    enum { PATIENCE = 10 }; /* naps, for a compiler that was told to end */
    const struct timespec nap = {.tv_nsec = 5 * 1000 * 1000};
    for (unsigned naps = 0;; nanosleep(&nap, NULL)) {
        bool stop = fzi_cancelled(&w->job->cancel);
        for (unsigned i = 0; i < *count; i++) {
            int status = -1;
            pid_t pid = running[i];
            if (pid >= 0 && waitpid(pid, &status, WNOHANG) == 0)
                continue;
            running[i] = running[--*count];
            return exit_code(pid, status);
        }
        if (stop)
            kill(-w->guard, naps++ < PATIENCE ? SIGTERM : SIGKILL);
    }
}

static int run(const work *w)
{
    pid_t pid = start_compiler(w);
    unsigned count = 1;
    return wait_for_one(w, &pid, &count);
}

static pid_t start_part(work *w, unsigned n)
{
    command *c = &w->command;
    const fzi_native_job *job = w->job;
    const levels *level = job->level;
    unsigned often = job->playouts; /* the part that most turns run in */
    begin_command(w, n != often ? level->others : n && job->small ? level->games : level->first);
    add_word(c, "-c");
    add_word(c, w->define[n]);
    add_word(c, "-o");
    add_word(c, w->part[n]);
    add_word(c, w->source);
    return start_compiler(w);
}

/* Compiles as many parts at a time as there are processors; the last, which takes the longest,
 * begins. */
static int compile_parts(work *w, unsigned parts)
{
    pid_t running[MAX_PARTS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned count = 0, started = 0;
    int code = 0;
    while (count || (started < parts && !code)) {
        if (started < parts && !code && (!count || count < (unsigned long)processors)) {
            running[count++] = start_part(w, (parts - 1 + started++) % parts);
        } else {
            int other = wait_for_one(w, running, &count);
            code = code ? code : other;
        }
    }
    return code;
}

static int link_parts(work *w, unsigned parts)
{
    command *c = &w->command;
    begin_command(w, link_flags);
    add_word(c, "-o");
    add_word(c, w->result);
    for (unsigned n = 0; n < parts; n++)
        add_word(c, w->part[n]);
    return run(w);
}

static int compile_whole(work *w)
{
    command *c = &w->command;
    begin_command(w, w->job->level->first);
    add_words(c, link_flags);
    add_word(c, "-o");
    add_word(c, w->result);
    add_word(c, w->source);
    return run(w);
}

/* The address tells apart threads of one process that make the same. */
static void name_files(work *w, const char *object)
{
    snprintf(w->stem, sizeof w->stem, "%.*s.%ld.%" PRIxPTR, (int)strcspn(object, "."), object,
             (long)getpid(), (uintptr_t)w);
    snprintf(w->source, sizeof w->source, "%s.c", w->stem);
    snprintf(w->result, sizeof w->result, "%s.so", w->stem);
    snprintf(w->log, sizeof w->log, "%s.log", w->stem);
    for (unsigned n = 0; n < MAX_PARTS; n++) {
        snprintf(w->part[n], sizeof w->part[n], "%s.%u.o", w->stem, n);
        snprintf(w->define[n], sizeof w->define[n], "-DFERZ_PART=%u", n);
    }
}

static void remove_files(const work *w, unsigned parts)
{
    unlinkat(w->folder, w->source, 0);
    unlinkat(w->folder, w->result, 0);
    unlinkat(w->folder, w->log, 0);
    for (unsigned n = 0; n < parts && parts > 1; n++)
        unlinkat(w->folder, w->part[n], 0);
}

static fz_status compile(fzi_native_job *job, work *w)
{
    char why[MAX_LOG];
    unsigned parts = job->parts;
    int code = !begin_guard(w) ? -1 : parts > 1 ? compile_parts(w, parts) : compile_whole(w);
    if (code == 0 && parts > 1)
        code = link_parts(w, parts);
    end_guard(w);
    complaint(w->folder, w->log, why, sizeof why);
    if (fzi_cancelled(&job->cancel))
        return fail(job, FZ_REFUSED, "stopped");
    if (code < 0 || code == 127)
        return fail(job, FZ_NOT_FOUND, "no C compiler: '%s' can't be run", compiler());
    if (code > 0)
        return fail(job, FZ_REFUSED, "'%s' failed: %s", compiler(), why);
    if (!fzi_cache_seal(w->folder, w->result) ||
        renameat(w->folder, w->result, w->folder, job->object) != 0)
        return fail(job, FZ_REFUSED, "can't write to the cache: %s", strerror(errno));
    return FZ_OK;
}

/* Makes the library of the source text under a name of its own, then gives it the one it is
 * looked for by: others who make the same at the same time do no harm. */
static fz_status make_object(fzi_native_job *job, int folder)
{
    fzi_allocator allocator = job->text.allocator;
    work *w = fzi_allocate(allocator, sizeof *w);
    if (!w)
        return fail(job, FZ_NO_MEMORY, "out of memory");
    fzi_cache_sweep(folder);
    name_files(w, job->object);
    w->folder = folder;
    w->job = job;
    w->guard = 0;
    w->held = -1;
    fz_status status = fzi_cache_write(folder, w->source, job->text.data, job->text.length)
                           ? compile(job, w)
                           : fail(job, FZ_REFUSED, "can't write to the cache: %s",
                                  strerror(errno));
    remove_files(w, job->parts);
    fzi_release(allocator, w);
    return status;
}

/* ---- loading ---- */

static fz_status load(fzi_native_job *job, int folder)
{
    char path[MAX_FILE + 32];
    void *handle = fzi_cache_path(folder, job->object, path, sizeof path)
                       ? dlopen(path, RTLD_NOW | RTLD_LOCAL)
                       : NULL;
    if (!handle)
        return fail(job, FZ_REFUSED, "%s", dlerror());
    const unsigned long *check = dlsym(handle, "ferz_native_check");
    void *bind = dlsym(handle, "ferz_native_bind"), *engine = dlsym(handle, "ferz_native_run");
    if (!check || *check != fzi_native_check() || !bind || !engine) {
        dlclose(handle);
        return fail(job, FZ_REFUSED, "%s is of another version of Ferz", job->object);
    }
    ((void (*)(void *const *))(uintptr_t)bind)(fzi_native_api);
    job->handle = handle;
    job->run = (fzi_engine *)(uintptr_t)engine;
    job->games = (fzi_games_engine *)(uintptr_t)dlsym(handle, "ferz_native_games");
    job->count = (fzi_count_engine *)(uintptr_t)dlsym(handle, "ferz_native_count");
    return FZ_OK;
}

/* ---- jobs ---- */

fz_status fzi_native_prepare(fzi_native_job *job, const fz_program *program)
{
    uint64_t hash[2] = {FZI_HASH_START, 1};
    unsigned words = program->board.words;
    if (job->text.length)
        return FZ_OK;
    if (!fzi_native_generate(program, &job->text, &job->parts, &job->playouts, &job->small)) {
        fzi_buffer_free(&job->text);
        return fail(job, FZ_NO_MEMORY, "out of memory");
    }
    job->level = words >= FZ_MANY_WORDS ? &wide : words > 1 ? &pairs : &narrow;
    job->processor = fzi_on(program, FZ_OPT_PROCESSOR) ? this_processor : any_processor;
    hash_text(hash, job->text.data, job->text.length);
    hash_text(hash, compiler(), strlen(compiler()));
    hash_text(hash, own_flags(), strlen(own_flags()));
    hash_words(hash, flags);
    hash_words(hash, job->processor);
    if (job->processor == this_processor)
        hash_processor(hash);
    hash_words(hash, job->level->first);
    hash_words(hash, job->level->others);
    hash_words(hash, job->level->games);
    snprintf(job->object, sizeof job->object, "%016" PRIx64 "%016" PRIx64 ".so", hash[0],
             hash[1]);
    return FZ_OK;
}

fz_status fzi_native_load(fzi_native_job *job, bool make)
{
    fz_status status = FZ_OK;
    int folder = fzi_cache_open();
    if (folder < 0)
        return fail(job, FZ_REFUSED, "no folder for compiled code: set XDG_CACHE_HOME");
    bool has = fzi_cache_has(folder, job->object);
    if (!has)
        status = make ? make_object(job, folder) : fail(job, FZ_NOT_FOUND, "not compiled yet");
    if (status == FZ_OK)
        status = load(job, folder);
    close(folder);
    return status;
}

void fzi_native_job_clear(fzi_native_job *job)
{
    fzi_buffer_free(&job->text);
    if (job->handle)
        dlclose(job->handle);
}

fz_status fz_program_c(fz_context *context, const fz_program *program, char **text, size_t *length)
{
    fzi_buffer out = fzi_buffer_in(context->allocator);
    unsigned parts, playouts;
    bool small;
    if (!fzi_native_generate(program, &out, &parts, &playouts, &small)) {
        fzi_buffer_free(&out);
        return fzi_context_no_memory(context);
    }
    if (length)
        *length = out.length;
    return fzi_buffer_finish(&out, text);
}
