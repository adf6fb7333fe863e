/* Whole files. See files.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *fzi_stream_read(void *stream, size_t *length)
{
    size_t used = 0, capacity = 4096;
    char *text = fzi_cli_allocate(NULL, capacity);

    for (size_t got; (got = fread(text + used, 1, capacity - used - 1, stream)) > 0;) {
        used += got;
        if (used + 1 == capacity)
            text = fzi_cli_allocate(text, capacity *= 2);
    }
    text[used] = '\0';
    *length = used;
    return text;
}

char *fzi_file_read(const fzi_cli *cli, const char *path, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char *text;

    if (!file) {
        fzi_cli_complain(cli, "%s: %s", path, strerror(errno));
        return NULL;
    }
    text = fzi_stream_read(file, length);
    if (ferror(file)) {
        fzi_cli_complain(cli, "%s: %s", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (file != stdin)
        fclose(file);
    return text;
}

static bool write_all(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    bool good;

    if (!file)
        return false;
    good = fwrite(bytes, 1, length, file) == length;
    return (fclose(file) == 0) && good;
}

int fzi_file_write(const fzi_cli *cli, const char *path, const char *bytes, size_t length)
{
    struct stat info;
    size_t size = strlen(path) + 8;
    char *beside;
    bool good;

    if (strcmp(path, "-") == 0)
        return fwrite(bytes, 1, length, stdout) == length ? FZ_EXIT_OK : FZ_EXIT_USAGE;
    /* Devices, pipes and links are written through; a plain file is replaced. */
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        if (write_all(path, bytes, length))
            return FZ_EXIT_OK;
        return fzi_cli_complain(cli, "%s: %s", path, strerror(errno));
    }
    beside = fzi_cli_allocate(NULL, size);
    snprintf(beside, size, "%s.new", path);
    good = write_all(beside, bytes, length);
    if (good && lstat(path, &info) == 0)
        chmod(beside, info.st_mode & 07777);
    good = good && rename(beside, path) == 0;
    if (!good) {
        fzi_cli_complain(cli, "%s: %s", path, strerror(errno));
        remove(beside);
    }
    free(beside);
    return good ? FZ_EXIT_OK : FZ_EXIT_USAGE;
}
