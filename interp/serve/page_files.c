/* Files below a folder. See page_server.h. */
#define _GNU_SOURCE /* O_NOFOLLOW and O_DIRECTORY beside _POSIX_C_SOURCE */
#include "page_server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_NAME = 255, MAX_DEPTH = 8, MAX_BYTES = 64 << 20,
    MAX_SCRIPTS = 5000, MAX_ENTRIES = 20000 /* of a list, which others wait for */
};

int fzi_page_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Copies the first part of the path; NULL: it is refused. Else what follows. */
static const char *take_part(const char *path, char part[MAX_NAME + 1])
{
    size_t length = strcspn(path, "/");

    if (length == 0 || length > MAX_NAME || path[0] == '.' || memchr(path, '\\', length))
        return NULL;
    memcpy(part, path, length);
    part[length] = '\0';
    return path + length;
}

/* The folder that holds the last part of the path, which is copied; -1. Closed by the caller. */
static int open_parent(int folder, const char *path, char name[MAX_NAME + 1])
{
    int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);

    for (int depth = 0; at >= 0; depth++) {
        path = depth > MAX_DEPTH ? NULL : take_part(path, name);
        if (path && !*path)
            return at;
        int next = path ? openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        close(at);
        at = next;
        path += path != NULL;
    }
    return -1;
}

int fzi_page_open(int folder, const char *path, size_t *size)
{
    char name[MAX_NAME + 1];
    int parent = open_parent(folder, path, name), file;
    struct stat info;

    if (parent < 0)
        return -1;
    /* A pipe would wait for a writer. */
    file = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    close(parent);
    if (file >= 0 && (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) ||
                      info.st_size > MAX_BYTES)) {
        close(file);
        file = -1;
    }
    if (file >= 0)
        *size = (size_t)info.st_size;
    return file;
}

bool fzi_page_is_script(const char *path)
{
    size_t length = strlen(path);

    return length > 5 && strcmp(path + length - 5, ".game") == 0;
}

/* ---- writing ---- */

static bool write_all(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(file, bytes, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        length -= (size_t)done;
    }
    return fsync(file) == 0;
}

/* May the name be given to a new file: is it free, or a regular file's? */
static bool may_replace(int parent, const char *name, mode_t *mode)
{
    struct stat info;

    *mode = 0644;
    if (fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    *mode = info.st_mode & 0777;
    return S_ISREG(info.st_mode);
}

bool fzi_page_write(int folder, const char *path, const char *bytes, size_t length)
{
    char name[MAX_NAME + 1], temporary[64];
    int parent = open_parent(folder, path, name), file = -1;
    mode_t mode = 0;
    bool good = parent >= 0 && may_replace(parent, name, &mode);

    snprintf(temporary, sizeof temporary, ".ferz-web.%ld", (long)getpid());
    if (good)
        file = openat(parent, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      mode);
    if (file >= 0) {
        good = write_all(file, bytes, length) && renameat(parent, temporary, parent, name) == 0;
        close(file);
        if (!good)
            unlinkat(parent, temporary, 0);
    }
    if (parent >= 0)
        close(parent);
    return good && file >= 0;
}

/* ---- the list ---- */

/* A walk through the folders, those near the top first. */
typedef struct walk {
    int top;
    json_t *folders; /* paths of those that are still to be read, "" for the top */
    json_t *scripts; /* what was found */
    size_t entries;  /* that were looked at */
    bool ends;       /* there is more than the list may have */
} walk;

static void add_path(json_t *paths, const char *path)
{
    json_t *text = json_string(path); /* NULL: not UTF-8 */

    if (text)
        json_array_append_new(paths, text);
}

static void look_at(walk *w, int folder, const char *prefix, const char *name)
{
    struct stat info;
    char path[MAX_DEPTH * (MAX_NAME + 1)];
    int length = snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "/" : "", name);

    if (name[0] == '.' || length < 0 || (size_t)length >= sizeof path ||
        fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return;
    if (S_ISREG(info.st_mode) && fzi_page_is_script(name)) {
        w->ends = json_array_size(w->scripts) == MAX_SCRIPTS;
        if (!w->ends)
            add_path(w->scripts, path);
    } else if (S_ISDIR(info.st_mode)) {
        add_path(w->folders, path);
    }
}

/* Opens a folder below the top; -1. */
static int open_below(int top, const char *path)
{
    char name[MAX_NAME + 1];

    if (!*path)
        return openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int parent = open_parent(top, path, name);
    if (parent < 0)
        return -1;
    int found = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    close(parent);
    return found;
}

static void list_folder(walk *w, const char *path)
{
    int folder = open_below(w->top, path);
    DIR *stream = folder >= 0 ? fdopendir(folder) : NULL;
    struct dirent *entry;

    if (!stream) {
        if (folder >= 0)
            close(folder);
        return;
    }
    while (!w->ends && (entry = readdir(stream))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        w->ends = w->entries == MAX_ENTRIES;
        if (w->ends)
            break;
        w->entries++;
        look_at(w, dirfd(stream), path, entry->d_name);
    }
    closedir(stream);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The texts of the array in their order, in a new one. */
static json_t *sorted_texts(const json_t *found)
{
    json_t *sorted = json_array();
    size_t count = json_array_size(found);
    const char **names = malloc((count + 1) * sizeof *names);

    for (size_t i = 0; names && i < count; i++)
        names[i] = json_string_value(json_array_get(found, i));
    if (names)
        qsort(names, count, sizeof *names, compare);
    for (size_t i = 0; names && i < count; i++)
        json_array_append_new(sorted, json_string(names[i]));
    free(names);
    return sorted;
}

json_t *fzi_page_scripts(int folder, bool *all)
{
    walk w = {.top = folder, .folders = json_array(), .scripts = json_array()};

    add_path(w.folders, "");
    for (size_t i = 0; i < json_array_size(w.folders) && !w.ends; i++)
        list_folder(&w, json_string_value(json_array_get(w.folders, i)));
    *all = !w.ends;
    json_t *sorted = sorted_texts(w.scripts);
    json_decref(w.folders);
    json_decref(w.scripts);
    return sorted;
}
