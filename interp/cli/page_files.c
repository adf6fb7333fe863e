/* Files below a folder. See page_files.h. */
#define _GNU_SOURCE /* O_NOFOLLOW and O_DIRECTORY beside _POSIX_C_SOURCE */
#include "page_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_NAME = 255, MAX_DEPTH = 8, MAX_SCRIPTS = 5000, MAX_BYTES = 64 << 20 };

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

static void list_folder(int folder, const char *prefix, int depth, json_t *paths)
{
    DIR *stream = fdopendir(folder);

    if (!stream) {
        close(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(stream)) && json_array_size(paths) < MAX_SCRIPTS;) {
        struct stat info;
        char path[MAX_DEPTH * (MAX_NAME + 1)];
        int length = snprintf(path, sizeof path, "%s%s", prefix, entry->d_name);
        if (entry->d_name[0] == '.' || length < 0 || (size_t)length >= sizeof path - 1 ||
            fstatat(dirfd(stream), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (S_ISREG(info.st_mode) && fzi_page_is_script(entry->d_name)) {
            json_t *text = json_string(path); /* NULL: not UTF-8 */
            if (text)
                json_array_append_new(paths, text);
        } else if (S_ISDIR(info.st_mode) && depth < MAX_DEPTH) {
            int inner = openat(dirfd(stream), entry->d_name,
                               O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            strcat(path, "/");
            if (inner >= 0)
                list_folder(inner, path, depth + 1, paths);
        }
    }
    closedir(stream);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

json_t *fzi_page_scripts(int folder)
{
    json_t *found = json_array(), *sorted = json_array();
    int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    size_t count;
    const char **names;

    if (copy >= 0)
        list_folder(copy, "", 0, found);
    count = json_array_size(found);
    names = malloc((count + 1) * sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = json_string_value(json_array_get(found, i));
    if (names)
        qsort(names, count, sizeof *names, compare);
    for (size_t i = 0; names && i < count; i++)
        json_array_append_new(sorted, json_string(names[i]));
    free(names);
    json_decref(found);
    return sorted;
}
