/* Waiting for changes of files. See file_watch.h. */
#include "file_watch.h"

#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { ROUND_MS = 200, SETTLE_MS = 50 };

/* What a file was like when it was read. */
struct fzi_watched_file {
    char *path;
    bool is_there;
    ino_t inode;
    off_t size;
    struct timespec written;
};

static void look(fzi_watched_file *file)
{
    struct stat info;

    file->is_there = stat(file->path, &info) == 0;
    if (!file->is_there)
        return;
    file->inode = info.st_ino;
    file->size = info.st_size;
    file->written = info.st_mtim;
}

static bool has_changed(const fzi_watched_file *file)
{
    fzi_watched_file now = {.path = file->path};

    look(&now);
    return now.is_there != file->is_there ||
           (now.is_there && (now.inode != file->inode || now.size != file->size ||
                             now.written.tv_sec != file->written.tv_sec ||
                             now.written.tv_nsec != file->written.tv_nsec));
}

static const char *note(void *user, const char *path, size_t *length)
{
    fzi_watched *watched = user;

    (void)length;
    for (size_t i = 0; i < watched->count; i++)
        if (strcmp(watched->items[i].path, path) == 0)
            return NULL;
    if (watched->count == watched->capacity) {
        watched->capacity = 2 * watched->capacity + 8;
        watched->items =
            fzi_cli_allocate(watched->items, watched->capacity * sizeof *watched->items);
    }
    fzi_watched_file *file = &watched->items[watched->count++];
    file->path = fzi_cli_text("%s", path);
    look(file);
    return NULL; /* the file itself is read */
}

void fzi_watched_begin(fzi_watched *watched, fz_context *context)
{
    fz_context_set_overlay(context, note, watched);
}

static void rest(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};

    nanosleep(&time, NULL);
}

bool fzi_watched_changed(const fzi_watched *watched)
{
    for (size_t i = 0; i < watched->count; i++)
        if (has_changed(&watched->items[i]))
            return true;
    return false;
}

void fzi_watched_wait(const fzi_watched *watched)
{
    do
        rest(ROUND_MS);
    while (!fzi_watched_changed(watched));
    rest(SETTLE_MS); /* editors write in several steps */
}

void fzi_watched_clear(fzi_watched *watched)
{
    for (size_t i = 0; i < watched->count; i++)
        free(watched->items[i].path);
    free(watched->items);
    *watched = (fzi_watched){0};
}
