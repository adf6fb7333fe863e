/* See native_cache.h. */
#include "native_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "interp/support/text.h"

enum { MAX_PATH = 4096, CHUNK = 1 << 16, STALE_SECONDS = 600, DAY = 24 * 60 * 60,
       UNUSED_SECONDS = 60 * DAY, MOST_BYTES = 256 << 20, NAME_DIGITS = 32 };

/* ---- the folder ---- */

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

static bool is_private(const struct stat *info)
{
    return info->st_uid == getuid() && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

int fzi_cache_open(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char path[MAX_PATH];
    struct stat info;
    int length;
    if (cache && *cache == '/')
        length = snprintf(path, sizeof path, "%s/ferz", cache);
    else if (home && *home == '/')
        length = snprintf(path, sizeof path, "%s/.cache/ferz", home);
    else
        length = snprintf(path, sizeof path, "/tmp/ferz-%ld", (long)getuid());
    if (length < 0 || (size_t)length >= sizeof path || !make_folder(path))
        return -1;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && (fstat(folder, &info) != 0 || !is_private(&info))) {
        close(folder);
        folder = -1;
    }
    return folder;
}

/* ---- files ---- */

static bool write_all(int file, const char *text, size_t length)
{
    while (length) {
        ssize_t written = write(file, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return true;
}

bool fzi_cache_write(int folder, const char *name, const char *text, size_t length)
{
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool good = file >= 0 && write_all(file, text, length);
    return file >= 0 && close(file) == 0 && good;
}

/* The end of a complete library. A loader ignores it. */
typedef struct seal {
    char word[8];
    uint64_t length, sum;
} seal;
static const char seal_word[8] = "ferzseal";

/* Reads `length` bytes from the beginning; false: there are fewer. */
static bool checksum(int file, uint64_t length, uint64_t *sum)
{
    unsigned char chunk[CHUNK];
    uint64_t hash = FZI_HASH_START;
    for (uint64_t at = 0; at < length;) {
        size_t wanted = length - at < CHUNK ? (size_t)(length - at) : CHUNK;
        ssize_t got = pread(file, chunk, wanted, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        hash = fzi_text_hash((const char *)chunk, (size_t)got, hash);
        at += (uint64_t)got;
    }
    *sum = hash;
    return true;
}

bool fzi_cache_seal(int folder, const char *name)
{
    int file = openat(folder, name, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    struct stat info;
    seal s = {.length = 0};
    memcpy(s.word, seal_word, sizeof s.word);
    bool good = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    if (good) {
        s.length = (uint64_t)info.st_size;
        good = checksum(file, s.length, &s.sum) && write_all(file, (const char *)&s, sizeof s);
    }
    return file >= 0 && close(file) == 0 && good;
}

static bool is_sealed(int file)
{
    struct stat info;
    seal s;
    uint64_t sum;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || !is_private(&info) ||
        info.st_size < (off_t)sizeof s)
        return false;
    uint64_t length = (uint64_t)info.st_size - sizeof s;
    return pread(file, &s, sizeof s, (off_t)length) == (ssize_t)sizeof s &&
           memcmp(s.word, seal_word, sizeof s.word) == 0 && s.length == length &&
           checksum(file, length, &sum) && s.sum == sum;
}

/* A library's time is that of its latest use, to a day. */
static void note_use(int file)
{
    struct stat info;
    if (fstat(file, &info) == 0 && info.st_mtime + DAY < time(NULL))
        futimens(file, NULL);
}

bool fzi_cache_has(int folder, const char *name)
{
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool sealed = file >= 0 && is_sealed(file);
    if (sealed)
        note_use(file);
    if (file >= 0)
        close(file);
    return sealed;
}

bool fzi_cache_path(int folder, const char *name, char *path, size_t size)
{
    int length = snprintf(path, size, "/proc/self/fd/%d/%s", folder, name);
    return length > 0 && (size_t)length < size;
}

/* ---- what is too old or too much ---- */

static bool is_library(const char *name)
{
    return strspn(name, "0123456789abcdef") == NAME_DIGITS &&
           strcmp(name + NAME_DIGITS, ".so") == 0;
}

/* Removes libraries that were last used before `since`. Returns the size of the others; `oldest` is
 * the earliest use of one of them. */
static uint64_t remove_unused(int folder, DIR *entries, time_t since, time_t *oldest)
{
    uint64_t size = 0;
    struct stat info;
    *oldest = time(NULL);
    rewinddir(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (!is_library(entry->d_name) ||
            fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (info.st_mtime < since && unlinkat(folder, entry->d_name, 0) == 0)
            continue;
        size += (uint64_t)info.st_size;
        *oldest = info.st_mtime < *oldest ? info.st_mtime : *oldest;
    }
    return size;
}

/* A loaded library that is removed stays loaded. */
static void prune(int folder, DIR *entries)
{
    time_t now = time(NULL), since = now - UNUSED_SECONDS;
    while (remove_unused(folder, entries, since, &since) > MOST_BYTES && since++ < now)
        ;
}

/* ---- what killed compiles left ---- */

/* The process in NAME.PID.…; 0 if the name is not of that form. */
static long process_in(const char *name)
{
    const char *dot = strchr(name, '.');
    char *end;
    long pid = dot ? strtol(dot + 1, &end, 10) : 0;
    return dot && end > dot + 1 && *end == '.' && pid > 0 ? pid : 0;
}

static bool is_stale(int folder, const char *name)
{
    struct stat info;
    long pid = process_in(name);
    return pid && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
           fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
           info.st_mtime + STALE_SECONDS < time(NULL);
}

void fzi_cache_sweep(int folder)
{
    int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = own >= 0 ? fdopendir(own) : NULL;
    if (!entries) {
        if (own >= 0)
            close(own);
        return;
    }
    for (struct dirent *entry; (entry = readdir(entries));)
        if (is_stale(folder, entry->d_name))
            unlinkat(folder, entry->d_name, 0);
    prune(folder, entries);
    closedir(entries);
}
