/* Compiles generated C with the system's compiler, keeps the library in the cache, and loads it. */
#ifdef HAVE_CONFIG_H
#include <config.h> /* posix_spawn_file_actions_addfchdir_np is an extension */
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interp/support/text.h"
#include "native.h"
#include "native_cache.h"

extern char **environ;

enum { MAX_PATH = 4096, MAX_WORDS = 160, MAX_LOG = 400,
       MAX_PARTS = FZ_NATIVE_PARTS };

/* Code that was loaded for a program, with what it needs until it is freed. */
typedef struct loaded {
    fzi_compiled compiled;
    fzi_allocator allocator;
    void *handle;
} loaded;

static void loaded_free(fzi_attachment *attachment)
{
    loaded *l = (loaded *)(void *)attachment;
    dlclose(l->handle);
    fzi_release(l->allocator, l);
}

/* ---- names ---- */

static void hash_text(uint64_t hash[2], const char *text, size_t length)
{
    hash[0] = fzi_text_hash(text, length, hash[0]);
    for (size_t i = 0; i < length; i++) {
        hash[1] = (hash[1] + (unsigned char)text[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);
        hash[1] ^= hash[1] >> 29;
    }
}

static void hash_words(uint64_t hash[2], const char *const *words)
{
    for (; *words; words++)
        hash_text(hash, *words, strlen(*words) + 1);
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
/* How parts are compiled. The first holds what every turn does; the others are most of the text
 * of large games, and what takes the compiler long would make them faster by a hundredth. Sets
 * of many words are loops, which -O3 unrolls and -O1 would not even make vectors of. */
enum { MANY_WORDS = 4 };
typedef struct levels {
    const char *first[4], *others[4];
} levels;
/* Games use no floating-point numbers, and sets of one word gain nothing from vectors: gathering
 * neighbours of a structure into one costs more than it saves. */
#if defined __x86_64__ || defined __aarch64__
#define ONLY_GENERAL "-mgeneral-regs-only",
#else
#define ONLY_GENERAL
#endif
static const levels narrow = {{"-O2", "-fno-gcse", ONLY_GENERAL NULL},
                              {"-O1", "-ftree-vrp", ONLY_GENERAL NULL}};
/* A set of two words is better off in general registers than gathered into a vector. */
static const levels pairs = {{"-O2", "-fno-gcse", "-fno-tree-slp-vectorize", NULL},
                             {"-O1", "-ftree-vrp", NULL}};
static const levels wide = {{"-O3", "-fno-gcse", NULL}, {"-O2", "-fno-gcse", NULL}};
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
enum { MAX_NAME = 40, MAX_FILE = MAX_NAME + 64 };
typedef struct work {
    int folder;
    char source[MAX_FILE], result[MAX_FILE], log[MAX_FILE];
    char part[MAX_PARTS][MAX_FILE];
    char define[MAX_PARTS][32];
    const levels *level;
    unsigned playouts;   /* the part that plays whole games; 0: none */
    const char *const *processor;
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
    add_words(c, w->processor);
    add_words(c, own);
    add_text(c, c->more);
}

/* Runs it in the cache's folder; its output goes to the log. -1: it could not be run. */
static pid_t start(const work *w)
{
    const command *c = &w->command;
    posix_spawn_file_actions_t actions;
    pid_t pid;
    if (!c->count || posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    bool started = posix_spawn_file_actions_addfchdir_np(&actions, w->folder) == 0 &&
                   posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
                   posix_spawn_file_actions_addopen(&actions, 1, w->log,
                                                    O_WRONLY | O_CREAT | O_APPEND, 0600) == 0 &&
                   posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0 &&
                   posix_spawnp(&pid, c->words[0], &actions, NULL,
                                (char *const *)(uintptr_t)c->words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return started ? pid : -1;
}

/* The exit code of a process; -1 when there is none. */
static int exit_code(pid_t pid, int status)
{
    return pid >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int wait_for(pid_t pid)
{
    int status = -1;
    while (pid >= 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return exit_code(pid, status);
}

/* Waits until one of several has ended and takes it out. Other children are not ours to wait
 * for, so each is asked by its number. */
static int wait_for_one(pid_t *running, unsigned *count)
{
    const struct timespec nap = {.tv_nsec = 5 * 1000 * 1000};
    for (;; nanosleep(&nap, NULL))
        for (unsigned i = 0; i < *count; i++) {
            int status = -1;
            pid_t pid = running[i];
            if (pid >= 0 && waitpid(pid, &status, WNOHANG) == 0)
                continue;
            running[i] = running[--*count];
            return exit_code(pid, status);
        }
}

static pid_t start_part(work *w, unsigned n)
{
    command *c = &w->command;
    begin_command(w, n && n != w->playouts ? w->level->others : w->level->first);
    add_word(c, "-c");
    add_word(c, w->define[n]);
    add_word(c, "-o");
    add_word(c, w->part[n]);
    add_word(c, w->source);
    return start(w);
}

/* As many at a time as there are processors. */
static int compile_parts(work *w, unsigned parts)
{
    pid_t running[MAX_PARTS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned count = 0, started = 0;
    int code = 0;
    while (count || (started < parts && !code)) {
        if (started < parts && !code && (!count || count < (unsigned long)processors)) {
            running[count++] = start_part(w, started++);
        } else {
            int other = wait_for_one(running, &count);
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
    return wait_for(start(w));
}

static int compile_whole(work *w)
{
    command *c = &w->command;
    begin_command(w, w->level->first);
    add_words(c, link_flags);
    add_word(c, "-o");
    add_word(c, w->result);
    add_word(c, w->source);
    return wait_for(start(w));
}

/* The address tells apart threads of one process that make the same. */
static void name_files(work *w, const char *object)
{
    long pid = (long)getpid();
    uintptr_t own = (uintptr_t)w;
    int stem = (int)strcspn(object, ".");
    snprintf(w->source, sizeof w->source, "%.*s.%ld.%" PRIxPTR ".c", stem, object, pid, own);
    snprintf(w->result, sizeof w->result, "%.*s.%ld.%" PRIxPTR ".so", stem, object, pid, own);
    snprintf(w->log, sizeof w->log, "%.*s.%ld.%" PRIxPTR ".log", stem, object, pid, own);
    for (unsigned n = 0; n < MAX_PARTS; n++) {
        snprintf(w->part[n], sizeof w->part[n], "%.*s.%ld.%" PRIxPTR ".%u.o", stem, object, pid,
                 own, n);
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

static fz_status compile(fz_context *context, work *w, unsigned parts, const char *object)
{
    char why[MAX_LOG];
    int code = parts > 1 ? compile_parts(w, parts) : compile_whole(w);
    if (code == 0 && parts > 1)
        code = link_parts(w, parts);
    complaint(w->folder, w->log, why, sizeof why);
    if (code < 0 || code == 127)
        return fzi_context_fail(context, FZ_NOT_FOUND, "no C compiler: '%s' can't be run",
                                compiler());
    if (code > 0)
        return fzi_context_fail(context, FZ_REFUSED, "'%s' failed: %s", compiler(), why);
    if (!fzi_cache_seal(w->folder, w->result) ||
        renameat(w->folder, w->result, w->folder, object) != 0)
        return fzi_context_fail(context, FZ_REFUSED, "can't write to the cache: %s",
                                strerror(errno));
    return FZ_OK;
}

/* Makes the library of the source text under a name of its own, then gives it the one it is
 * looked for by: others who make the same at the same time do no harm. */
static fz_status make_object(fz_context *context, int folder, const fzi_buffer *text,
                             unsigned parts, unsigned playouts, const levels *level,
                             const char *const *processor, const char *object)
{
    work *w = fzi_allocate(context->allocator, sizeof *w);
    if (!w)
        return fzi_context_no_memory(context);
    fzi_cache_sweep(folder);
    name_files(w, object);
    w->folder = folder;
    w->level = level;
    w->playouts = playouts;
    w->processor = processor;
    fz_status status = fzi_cache_write(folder, w->source, text->data, text->length)
                           ? compile(context, w, parts, object)
                           : fzi_context_fail(context, FZ_REFUSED, "can't write to the cache: %s",
                                              strerror(errno));
    remove_files(w, parts);
    fzi_release(context->allocator, w);
    return status;
}

/* ---- loading ---- */

static fz_status load(fz_context *context, fz_program *program, int folder, const char *object)
{
    char path[MAX_FILE + 32];
    void *handle = fzi_cache_path(folder, object, path, sizeof path)
                       ? dlopen(path, RTLD_NOW | RTLD_LOCAL)
                       : NULL;
    if (!handle)
        return fzi_context_fail(context, FZ_REFUSED, "%s", dlerror());
    const unsigned long *check = dlsym(handle, "ferz_native_check");
    void *bind = dlsym(handle, "ferz_native_bind"), *run = dlsym(handle, "ferz_native_run");
    fzi_allocator a = fzi_program_allocator(program);
    loaded *l = fzi_allocate(a, sizeof *l);
    if (!check || *check != fzi_native_check() || !bind || !run || !l) {
        dlclose(handle);
        fzi_release(a, l);
        return fzi_context_fail(context, FZ_REFUSED, "%s is of another version of Ferz", object);
    }
    ((void (*)(void *const *))(uintptr_t)bind)(fzi_native_api);
    void *games = dlsym(handle, "ferz_native_games");
    *l = (loaded){{{loaded_free}, (fzi_engine *)(uintptr_t)run,
                   (fzi_games_engine *)(uintptr_t)games}, a, handle};
    if (program->compiled)
        program->compiled->free(program->compiled);
    program->compiled = &l->compiled.attachment;
    return FZ_OK;
}

fz_status fz_program_c(fz_context *context, const fz_program *program, char **text, size_t *length)
{
    fzi_buffer out = fzi_buffer_in(context->allocator);
    unsigned parts, playouts;
    if (!fzi_native_generate(program, &out, &parts, &playouts)) {
        fzi_buffer_free(&out);
        return fzi_context_no_memory(context);
    }
    if (length)
        *length = out.length;
    return fzi_buffer_finish(&out, text);
}

fz_status fz_program_native(fz_context *context, fz_program *program)
{
    char object[MAX_NAME];
    fzi_buffer text = fzi_buffer_in(context->allocator);
    uint64_t hash[2] = {FZI_HASH_START, 1};
    unsigned parts, playouts;
    if (!fzi_native_generate(program, &text, &parts, &playouts)) {
        fzi_buffer_free(&text);
        return fzi_context_no_memory(context);
    }
    hash_text(hash, text.data, text.length);
    hash_text(hash, compiler(), strlen(compiler()));
    hash_text(hash, own_flags(), strlen(own_flags()));
    unsigned words = program->board.words;
    const levels *level = words >= MANY_WORDS ? &wide : words > 1 ? &pairs : &narrow;
    const char *const *processor =
        fzi_on(program, FZ_OPT_PROCESSOR) ? this_processor : any_processor;
    hash_words(hash, flags);
    hash_words(hash, processor);
    hash_words(hash, level->first);
    hash_words(hash, level->others);
    fz_status status = FZ_OK;
    int folder = fzi_cache_open();
    if (folder < 0) {
        status = fzi_context_fail(context, FZ_REFUSED,
                                  "no folder for compiled code: set XDG_CACHE_HOME");
    } else {
        snprintf(object, sizeof object, "%016" PRIx64 "%016" PRIx64 ".so", hash[0], hash[1]);
        if (!fzi_cache_has(folder, object))
            status = make_object(context, folder, &text, parts, playouts, level, processor,
                                 object);
        if (status == FZ_OK)
            status = load(context, program, folder, object);
        close(folder);
    }
    fzi_buffer_free(&text);
    return status;
}
