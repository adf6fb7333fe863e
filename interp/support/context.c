/* Makes contexts and reports, and reads files. See context.h. */
#include "context.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/ferz_tools.h"
#ifndef FZ_STDLIB_DIR
#define FZ_STDLIB_DIR "/usr/local/share/ferz/stdlib"
#endif
#ifndef FZ_CHECKOUT_STDLIB_DIR
#define FZ_CHECKOUT_STDLIB_DIR FZ_STDLIB_DIR
#endif
#ifndef FZ_GAMES_DIR
#define FZ_GAMES_DIR "/usr/local/share/ferz/games"
#endif
#ifndef FZ_CHECKOUT_GAMES_DIR
#define FZ_CHECKOUT_GAMES_DIR FZ_GAMES_DIR
#endif

static void *resize_default(void *user, void *ptr, size_t size)
{
    (void)user;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, size);
}

fzi_allocator fzi_allocator_default(void)
{
    return (fzi_allocator){resize_default, NULL};
}

void fzi_release_all(fzi_allocator allocator, void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fzi_release(allocator, pointers[i]);
}

char *fzi_copy_text(fzi_allocator allocator, const char *text, size_t length)
{
    char *copy = fzi_allocate(allocator, length + 1);
    if (copy) {
        if (length)
            memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

/* ---- lists of folders ---- */

static void free_list(fzi_allocator allocator, char **list)
{
    for (char **item = list; item && *item; item++)
        fzi_release(allocator, *item);
    fzi_release(allocator, list);
}

/* Appends a copy of text[0 .. length); false when memory is short. */
static bool append(fzi_allocator allocator, char ***list, size_t *count, const char *text,
                   size_t length)
{
    char **grown = allocator.resize(allocator.user, *list, (*count + 2) * sizeof *grown);
    if (!grown)
        return false;
    *list = grown;
    grown[*count] = fzi_copy_text(allocator, text, length);
    grown[*count + 1] = NULL;
    if (!grown[*count])
        return false;
    (*count)++;
    return true;
}

static bool copy_list(fzi_allocator allocator, char ***list, size_t *count,
                      const char *const *given)
{
    *list = fzi_allocate(allocator, sizeof **list);
    if (!*list)
        return false;
    **list = NULL;
    for (; given && *given; given++) {
        if (!append(allocator, list, count, *given, strlen(*given)))
            return false;
    }
    return true;
}

size_t fzi_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
}

static bool is_installed(void)
{
    struct stat info;

    return stat(FZ_STDLIB_DIR, &info) == 0;
}

/* A copy of the library that was moved is named by the environment. */
static const char *library_folder(const char *name, const char *installed, const char *source)
{
    const char *given = getenv(name);

    return given && *given ? given : is_installed() ? installed : source;
}

const char *fz_library_games(void)
{
    return library_folder("FERZ_GAMES", FZ_GAMES_DIR, FZ_CHECKOUT_GAMES_DIR);
}

bool fz_library_path(const char *name, char *path, size_t size)
{
    const char *games = fz_library_games();
    char row[4096], place[4096];
    bool found = false;

    FILE *index = (size_t)snprintf(place, sizeof place, "%s/index.tsv", games) < sizeof place
                      ? fopen(place, "rb")
                      : NULL;
    while (index && !found && fgets(row, sizeof row, index)) {
        row[strcspn(row, "\t\n")] = '\0';
        const char *slash = strchr(row, '/');
        found = (strcmp(row, name) == 0 || (slash && strcmp(slash + 1, name) == 0)) &&
                (size_t)snprintf(path, path ? size : 0, "%s/%s.game", games, row) <
                    (path ? size : SIZE_MAX);
    }
    if (index)
        fclose(index);
    return found;
}

const char *fzi_library_name(const char *path, size_t *length)
{
    static const char ending[] = ".game";
    const char *games = fz_library_games();
    size_t folder = strlen(games), last = sizeof ending - 1;

    *length = strlen(path);
    if (*length <= folder + 1 + last || strncmp(path, games, folder) != 0 || path[folder] != '/' ||
        strcmp(path + *length - last, ending) != 0)
        return path;
    *length -= folder + 1 + last;
    return path + folder + 1;
}

/* The path is the first `length` characters of the text. */
static const char *shown(const char *text, size_t length)
{
    const char *games = fz_library_games();
    size_t library = fzi_folder_length(games), name = length;

    if (strncmp(text, games, library) == 0 && text[library] == '/')
        return text + library + 1;
    while (*text == '/' && text[name - 1] != '/')
        name--;
    return *text == '/' ? text + name : text;
}

const char *fzi_shown_path(const char *path)
{
    return shown(path, strlen(path));
}

const char *fzi_shown_place(const char *text)
{
    size_t length = strcspn(text, ":");

    while (text[length] && !strspn(text + length + 1, "0123456789"))
        length += 1 + strcspn(text + length + 1, ":");
    return shown(text, length);
}

bool fzi_context_default_dirs(fz_context *context)
{
    const char *path = getenv("FERZ_PATH");

    while (path && *path) {
        size_t length = strcspn(path, ":");
        if (length && !append(context->allocator, &context->module_dirs,
                              &context->module_dir_count, path, length))
            return false;
        path += length + (path[length] == ':');
    }
    path = library_folder("FERZ_STDLIB", FZ_STDLIB_DIR, FZ_CHECKOUT_STDLIB_DIR);
    context->library = true;
    return append(context->allocator, &context->module_dirs, &context->module_dir_count, path,
                  strlen(path));
}

/* ---- contexts ---- */

fz_context *fz_context_new(const fz_config *config)
{
    static const fz_config nothing = {0};
    fzi_allocator allocator = fzi_allocator_default();
    fz_context *context;

    if (!config)
        config = &nothing;
    if (config->resize)
        allocator = (fzi_allocator){config->resize, config->user};
    context = fzi_allocate(allocator, sizeof *context);
    if (!context)
        return NULL;
    memset(context, 0, sizeof *context);
    context->allocator = allocator;
    context->confined = config->confined;
    context->allow_native = config->allow_native && !config->confined;
    context->allow_outside = config->allow_outside && !config->confined;
    if (!copy_list(allocator, &context->module_dirs, &context->module_dir_count,
                   config->module_dirs) ||
        !copy_list(allocator, &context->native_dirs, &context->native_dir_count,
                   config->native_dirs) ||
        (!config->module_dirs && !fzi_context_default_dirs(context))) {
        fz_context_free(context);
        return NULL;
    }
    return context;
}

void fz_context_free(fz_context *context)
{
    if (!context)
        return;
    fzi_allocator allocator = context->allocator;
    free_list(allocator, context->module_dirs);
    free_list(allocator, context->native_dirs);
    fzi_release(allocator, context);
}

const char *fz_context_message(const fz_context *context)
{
    return context->message;
}

fz_status fzi_array_grow(fzi_allocator allocator, size_t *memory, size_t most, void **array,
                         size_t *room, size_t count, size_t item)
{
    size_t wanted = *room ? *room : 256;

    if (count <= *room)
        return FZ_OK;
    while (wanted < count)
        wanted *= 2;
    if (*memory + (wanted - *room) * item > most)
        return FZ_RUNTIME;
    void *grown = allocator.resize(allocator.user, *array, wanted * item);
    if (!grown)
        return FZ_NO_MEMORY;
    *memory += (wanted - *room) * item;
    *array = grown;
    *room = wanted;
    return FZ_OK;
}

bool fzi_make_room(fzi_allocator allocator, void *array, size_t *room, size_t count, size_t item)
{
    size_t before = *room, memory = 0;
    void *items;

    memcpy(&items, array, sizeof items);
    if (fzi_array_grow(allocator, &memory, SIZE_MAX, &items, room, count, item) != FZ_OK)
        return false;
    if (*room > before)
        memset((char *)items + before * item, 0, (*room - before) * item);
    memcpy(array, &items, sizeof items);
    return true;
}

fz_status fzi_context_fail(fz_context *context, fz_status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(context->message, sizeof context->message, format, args);
    va_end(args);
    context->failed = status;
    return status;
}

void fzi_context_add_line(fz_context *context, const char *format, ...)
{
    size_t used = strlen(context->message);
    va_list args;

    if (used && used + 1 < sizeof context->message)
        context->message[used++] = '\n';
    va_start(args, format);
    vsnprintf(context->message + used, sizeof context->message - used, format, args);
    va_end(args);
}

fz_status fzi_context_no_memory(fz_context *context)
{
    return fzi_context_fail(context, FZ_NO_MEMORY, "out of memory");
}

void fz_context_enable_coverage(fz_context *context)
{
    context->covers = true;
}

void fz_context_hide_folders(fz_context *context)
{
    context->hides_folders = true;
}

void fz_context_set_limits(fz_context *context, const fz_limits *limits)
{
    context->limits = *limits;
}

void fz_context_set_overlay(fz_context *context, fz_overlay *overlay, void *user)
{
    context->overlay = overlay;
    context->overlay_user = user;
}

void fz_text_free(fz_context *context, char *text)
{
    fzi_release(context->allocator, text);
}

/* After a call that failed. Other errors, such as a lack of permission or of memory, do not say
 * that there is no file. */
static fz_status not_read(fz_context *context, const char *path)
{
    bool absent = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;

    if (errno == ENOMEM)
        return fzi_context_no_memory(context);
    return fzi_context_fail(context, absent ? FZ_NOT_FOUND : FZ_BAD_INPUT, "%s: %s", path,
                            strerror(errno));
}

/* Reads what is left of the file into a text that grows, so that pipes work too. */
static fz_status read_all(fz_context *context, FILE *file, const char *path, char **text,
                          size_t *length)
{
    size_t capacity = 0, used = 0;
    char *data = NULL;

    for (;;) {
        if (used + 1 >= capacity) {
            size_t wanted = capacity ? capacity * 2 : 16384;
            if (used > FZ_MAX_FILE) {
                fzi_release(context->allocator, data);
                return fzi_context_fail(context, FZ_BAD_INPUT, "%s: too large", path);
            }
            char *grown = context->allocator.resize(context->allocator.user, data, wanted);
            if (!grown) {
                fzi_release(context->allocator, data);
                return fzi_context_no_memory(context);
            }
            data = grown;
            capacity = wanted;
        }
        size_t got = fread(data + used, 1, capacity - used - 1, file);
        used += got;
        if (got == 0)
            break;
    }
    if (ferror(file)) {
        fzi_release(context->allocator, data);
        return not_read(context, path);
    }
    data[used] = '\0';
    *text = data;
    *length = used;
    return FZ_OK;
}

/* The text of the overlay, if it has something to say of the path. */
static bool read_overlay(fz_context *context, const char *path, char **text, size_t *length,
                         fz_status *status)
{
    const char *over = context->overlay ? context->overlay(context->overlay_user, path, length)
                                        : NULL;

    if (!over)
        return false;
    if (*length == FZ_NO_FILE) {
        *status = fzi_context_fail(context, FZ_NOT_FOUND, "%s: %s", path, strerror(ENOENT));
        return true;
    }
    *text = fzi_copy_text(context->allocator, over, *length);
    *status = *text ? FZ_OK : fzi_context_no_memory(context);
    return true;
}

fz_status fzi_context_read_file(fz_context *context, const char *path, char **text, size_t *length)
{
    fz_status status;

    if (read_overlay(context, path, text, length, &status))
        return status;
    FILE *file = fopen(path, "rb");
    if (!file)
        return not_read(context, path);
    status = read_all(context, file, path, text, length);
    fclose(file);
    return status;
}

fz_status fzi_context_read_regular(fz_context *context, const char *path, char **text,
                                   size_t *length)
{
    struct stat there;
    fz_status status;

    if (read_overlay(context, path, text, length, &status))
        return status;
    if (stat(path, &there) != 0)
        return not_read(context, path);
    /* The path may lead elsewhere by now: opening does not wait, and the file is checked again. */
    int descriptor = S_ISREG(there.st_mode) ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (S_ISREG(there.st_mode) && descriptor < 0)
        return not_read(context, path);
    bool regular = descriptor >= 0 && fstat(descriptor, &there) == 0 && S_ISREG(there.st_mode);
    FILE *file = regular ? fdopen(descriptor, "rb") : NULL;
    if (file) {
        status = read_all(context, file, path, text, length);
        fclose(file);
        return status;
    }
    status = regular ? not_read(context, path)
                     : fzi_context_fail(context, FZ_BAD_INPUT, "%s: not a regular file", path);
    if (descriptor >= 0)
        close(descriptor);
    return status;
}

/* ---- reports ---- */

void fz_report_free(fz_report *report)
{
    for (int i = 0; report && i < 3; i++)
        fzi_release(report->allocator, report->texts[i]);
    if (report)
        fzi_release(report->allocator, report);
}

unsigned fz_report_errors(const fz_report *report)
{
    return report->errors;
}

unsigned fz_report_warnings(const fz_report *report)
{
    return report->warnings;
}

const char *fz_report_text(fz_report *report, fz_format format)
{
    return report->texts[format];
}
