/* A context: where memory comes from, where modules and native libraries may lie, and the text of
 * what failed last. And the report of a compile, which diagnostics.c makes. */
#ifndef FZ_INTERP_SUPPORT_CONTEXT_H
#define FZ_INTERP_SUPPORT_CONTEXT_H

#include <string.h>

#include "ferz.h"
#include "ferz_tools.h"

#include <string.h>

typedef struct fzi_allocator {
    void *(*resize)(void *user, void *ptr, size_t size); /* never NULL; frees when size is 0 */
    void *user;
} fzi_allocator;

struct fz_context {
    fzi_allocator allocator;
    char **module_dirs; /* copies, NULL-terminated, in the order of search */
    size_t module_dir_count;
    bool allow_native, allow_outside, confined;
    bool library;       /* all scripts may read its modules and games */
    char **native_dirs; /* copies, NULL-terminated */
    size_t native_dir_count;
    fz_limits limits;   /* of the machines that fz_run_tests makes */
    uint32_t without;   /* bits of optimisations that programs do without */
    bool covers;        /* programs count items of pieces (fz_context_enable_coverage) */
    bool hides_folders; /* fz_context_hide_folders */
    fz_overlay *overlay; /* NULL: all texts are those of the files */
    void *overlay_user;
    char message[4096];
    fz_status failed;   /* the status with the message */
};

/* The C library's allocator, for callers that give none. */
fzi_allocator fzi_allocator_default(void);

static inline void *fzi_allocate(fzi_allocator allocator, size_t size)
{
    return allocator.resize(allocator.user, NULL, size ? size : 1);
}

static inline void *fzi_allocate_zeroed(fzi_allocator allocator, size_t size)
{
    void *block = fzi_allocate(allocator, size);
    return block ? memset(block, 0, size) : NULL;
}

static inline void fzi_release(fzi_allocator allocator, void *ptr)
{
    if (ptr)
        allocator.resize(allocator.user, ptr, 0);
}

/* Releases several pointers, which may be NULL. */
void fzi_release_all(fzi_allocator allocator, void *const *pointers, size_t count);
#define FZI_RELEASE(allocator, ...)                                                               \
    fzi_release_all(allocator, (void *[]){__VA_ARGS__},                                           \
                    sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

/* A copy of `length` bytes, with a NUL after them; NULL when memory is short. */
char *fzi_copy_text(fzi_allocator allocator, const char *text, size_t length);

/* Makes room for `count` items of `item` bytes in an array that has room for `*room`. `*memory`
 * counts what such arrays have in all, `most` bytes at the most. FZ_RUNTIME: that is too few. */
fz_status fzi_array_grow(fzi_allocator allocator, size_t *memory, size_t most, void **array,
                         size_t *room, size_t count, size_t item);

/* The same without a bound, of the array that the pointer at `array` points to; new items are 0.
 * False: memory is short. */
bool fzi_make_room(fzi_allocator allocator, void *array, size_t *room, size_t count, size_t item);

/* Sets the message and returns the status, so that a failing call is one line. */
fz_status fzi_context_fail(fz_context *context, fz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a line to the message of what failed. */
void fzi_context_add_line(fz_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* fzi_context_fail with FZ_NO_MEMORY. */
fz_status fzi_context_no_memory(fz_context *context);

/* Adds the folders in which modules are by default: FERZ_PATH, then the installed library. A build
 * that was never installed finds its own sources. False: memory is short. */
bool fzi_context_default_dirs(fz_context *context);
/* Of a path below that folder the game's name: "family/name", without the ending. Otherwise the
 * path. */
const char *fzi_library_name(const char *path, size_t *length);
/* The end of a path that says nothing of the machine: below the library's folder, or the name of
 * the file; a relative path whole. */
const char *fzi_shown_path(const char *path);
/* The same of a text that begins with "PATH:LINE". */
const char *fzi_shown_place(const char *text);

/* No script or compiled file is larger: a device that never ends is refused, and offsets fit 32
 * bits. */
enum { FZ_MAX_FILE = 64 << 20 };

/* The whole file with a NUL after it; freed with fzi_release. FZ_NOT_FOUND: there is none;
 * FZ_BAD_INPUT: it cannot be read; the message has the system's reason. */
fz_status fzi_context_read_file(fz_context *context, const char *path, char **text, size_t *length);
/* The same for a path that a script or a folder names: never waits, and reads regular files
 * only. */
fz_status fzi_context_read_regular(fz_context *context, const char *path, char **text,
                                   size_t *length);
/* The length of the path without its last part and the slash before it. */
size_t fzi_folder_length(const char *path);
/* The same for a base or module of the script `script` (fz_config.allow_outside). */
fz_status fzi_context_read_part(fz_context *context, const char *script, const char *path,
                                char **text, size_t *length);

struct fz_report {
    fzi_allocator allocator;
    unsigned errors, warnings;
    char *texts[3]; /* by fz_format */
};

#endif
