/* Compiles generated C with the system's compiler, keeps what comes of it by its contents, and loads it. */
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
#include <unistd.h>

#include "../log.h"
#include "native.h"

extern char **environ;

enum { MOST_PATH = 4096, MOST_NAME = MOST_PATH + 64, MOST_WORDS = 32, MOST_LOG = 400 };

/* The api, in the order of api.def. Function pointers as POSIX's dlsym gives them. */
#define FUNCTION(name) (void *)(uintptr_t)name,
void *const fzi_native_api[] = {
#include "api.def"
};
#undef FUNCTION

/* Generated code includes the headers of the libferz that made it; what it was compiled with must agree
 * with the libferz that loads it. */
unsigned long fzi_native_check(void)
{
    const size_t sizes[] = {sizeof(fz_machine), sizeof(fz_state), sizeof(fzi_head), sizeof(fzi_run),
                            sizeof(fzi_list), sizeof(fzi_segment), sizeof(fz_program),
                            FZ_OP_COUNT, sizeof fzi_native_api};
    unsigned long check = 5381;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check = check * 33 + (unsigned long)sizes[i];
    return check & 0x7fffffff;
}

void fzi_compiled_free(fzi_allocator allocator, fzi_compiled *compiled)
{
    if (!compiled)
        return;
    dlclose(compiled->handle);
    fzi_release(allocator, compiled);
}

/* ---- names ---- */

static void hash_text(uint64_t hash[2], const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        hash[0] = (hash[0] ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
        hash[1] = (hash[1] + (unsigned char)text[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);
        hash[1] ^= hash[1] >> 29;
    }
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

static bool make_folder(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* $XDG_CACHE_HOME/ferz, or ~/.cache/ferz; it must be ours alone to write in. */
static bool cache_folder(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat info;
    int length;
    if (cache && *cache == '/')
        length = snprintf(path, size, "%s/ferz", cache);
    else if (home && *home == '/')
        length = snprintf(path, size, "%s/.cache/ferz", home);
    else
        length = snprintf(path, size, "/tmp/ferz-%ld", (long)getuid());
    return length > 0 && (size_t)length < size && make_folder(path) && stat(path, &info) == 0 &&
           info.st_uid == getuid() && !(info.st_mode & (S_IWGRP | S_IWOTH));
}

/* ---- compiling ---- */

static bool write_file(const char *path, const char *text, size_t length)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = file >= 0;
    while (good && length) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        good = written > 0;
        text += good ? written : 0;
        length -= good ? (size_t)written : 0;
    }
    return file >= 0 && (close(file) == 0) && good;
}

/* The compiler's first complaint, in one line. */
static void complaint(const char *log, char *out, size_t size)
{
    FILE *file = fopen(log, "re");
    *out = '\0';
    char line[MOST_LOG];
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!*out || strstr(line, "error"))
            snprintf(out, size, "%s", line);
        if (strstr(line, "error"))
            break;
    }
    if (file)
        fclose(file);
}

static const char *const flags[] = {"-std=gnu11", "-O2", "-march=native", "-w", "-shared", "-fPIC",
                                    "-fno-gcse"};

/* Splits a text at blanks, in place; how many of MOST_WORDS words there are. */
static size_t split(char *text, const char **words)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *w = strtok_r(text, " ", &rest); w && count < MOST_WORDS; w = strtok_r(NULL, " ", &rest))
        words[count++] = w;
    return count;
}

/* The compiler's exit code; -1 when it could not be run. Words of FERZ_CC or CC, and those of FERZ_CFLAGS
 * after our own, are arguments. */
static int run_compiler(const char *source, const char *object, const char *log)
{
    char words[MOST_PATH], more[MOST_PATH];
    const char *argv[2 * MOST_WORDS + sizeof flags / sizeof *flags + 4];
    snprintf(words, sizeof words, "%s", compiler());
    snprintf(more, sizeof more, "%s", own_flags());
    size_t count = split(words, argv);
    if (!count)
        return -1;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        argv[count++] = flags[i];
    count += split(more, argv + count);
    argv[count++] = "-o";
    argv[count++] = object;
    argv[count++] = source;
    argv[count] = NULL;
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    pid_t pid;
    int status = -1;
    bool started =
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, 1, 2) == 0 &&
        posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    if (!started)
        return -1;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Makes the object of the source text under a name of this process, then gives it its own: others who
 * make the same at the same time do no harm. */
static fz_status make_object(fz_context *context, const fzi_buffer *text, const char *object)
{
    char source[MOST_NAME + 32], temporary[MOST_NAME + 32], log[MOST_NAME + 32], why[MOST_LOG];
    snprintf(source, sizeof source, "%s.%ld.c", object, (long)getpid());
    snprintf(temporary, sizeof temporary, "%s.%ld", object, (long)getpid());
    snprintf(log, sizeof log, "%s.%ld.log", object, (long)getpid());
    if (!write_file(source, text->data, text->length))
        return fzi_context_fail(context, FZ_REFUSED, "can't write %s: %s", source, strerror(errno));
    int code = run_compiler(source, temporary, log);
    complaint(log, why, sizeof why);
    unlink(source);
    unlink(log);
    if (code == 0 && rename(temporary, object) == 0)
        return FZ_OK;
    unlink(temporary);
    if (code < 0 || code == 127)
        return fzi_context_fail(context, FZ_NOT_FOUND, "no C compiler: '%s' can't be run", compiler());
    return fzi_context_fail(context, FZ_REFUSED, "'%s' failed: %s", compiler(), why);
}

/* ---- loading ---- */

static fz_status load(fz_context *context, fz_program *program, const char *object)
{
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return fzi_context_fail(context, FZ_REFUSED, "%s", dlerror());
    const unsigned long *check = dlsym(handle, "ferz_native_check");
    void *bind = dlsym(handle, "ferz_native_bind"), *run = dlsym(handle, "ferz_native_run");
    fzi_allocator a = fzi_program_allocator(program);
    fzi_compiled *compiled = fzi_allocate(a, sizeof *compiled);
    if (!check || *check != fzi_native_check() || !bind || !run || !compiled) {
        dlclose(handle);
        fzi_release(a, compiled);
        return fzi_context_fail(context, FZ_REFUSED, "%s is of another version of Ferz", object);
    }
    ((void (*)(void *const *))(uintptr_t)bind)(fzi_native_api);
    *compiled = (fzi_compiled){handle, (fzi_native_run)(uintptr_t)run};
    fzi_compiled_free(a, program->compiled);
    program->compiled = compiled;
    return FZ_OK;
}

fz_status fz_program_c(fz_context *context, const fz_program *program, char **text, size_t *length)
{
    fzi_buffer out = fzi_buffer_in(context->allocator);
    if (!fzi_native_generate(program, &out)) {
        fzi_buffer_free(&out);
        return fzi_context_fail(context, FZ_NO_MEMORY, "memory is short");
    }
    *length = out.length;
    return fzi_buffer_finish(&out, text);
}

fz_status fz_program_native(fz_context *context, fz_program *program)
{
    char folder[MOST_PATH], object[MOST_NAME];
    fzi_buffer text = fzi_buffer_in(context->allocator);
    uint64_t hash[2] = {UINT64_C(0xcbf29ce484222325), 1};
    if (!fzi_native_generate(program, &text)) {
        fzi_buffer_free(&text);
        return fzi_context_fail(context, FZ_NO_MEMORY, "memory is short");
    }
    hash_text(hash, text.data, text.length);
    hash_text(hash, compiler(), strlen(compiler()));
    hash_text(hash, own_flags(), strlen(own_flags()));
    fz_status status = FZ_OK;
    if (!cache_folder(folder, sizeof folder - 80)) {
        status = fzi_context_fail(context, FZ_REFUSED, "no folder for compiled code: set XDG_CACHE_HOME");
    } else {
        snprintf(object, sizeof object, "%s/%016" PRIx64 "%016" PRIx64 ".so", folder, hash[0], hash[1]);
        if (access(object, R_OK) != 0)
            status = make_object(context, &text, object);
        if (status == FZ_OK)
            status = load(context, program, object);
    }
    fzi_buffer_free(&text);
    return status;
}
