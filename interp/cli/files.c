/* Whole files. See cli.h. */
#include "cli.h"

#include <sys/stat.h>
#include <unistd.h>

#include "interp/support/documents.h"

enum { MAX_READ = 64 << 20 }; /* devices that never end are refused, like the library does */

/* The rest of a stream, with a NUL appended. */
static char *read_all(FILE *stream, size_t *length)
{
    size_t used = 0, capacity = 4096;
    char *text = fzi_cli_allocate(NULL, capacity);

    for (size_t got;
         used <= MAX_READ && (got = fread(text + used, 1, capacity - used - 1, stream)) > 0;) {
        used += got;
        if (used + 1 == capacity)
            text = fzi_cli_allocate(text, capacity *= 2);
    }
    text[used] = '\0';
    *length = used;
    return text;
}

const char *fzi_documents(void)
{
    return access(FZ_DOC_DIR "/docs", F_OK) == 0 ? FZ_DOC_DIR "/docs" : FZ_CHECKOUT_DOC_DIR "/docs";
}

char *fzi_file_read(const fzi_cli *cli, const char *path, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");

    if (!file) {
        fzi_cli_complain(cli, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = read_all(file, length);
    if (ferror(file) || *length > MAX_READ) {
        fzi_cli_complain(cli, "%s: %s", path, ferror(file) ? strerror(errno) : "too large");
        free(text);
        text = NULL;
    }
    if (file != stdin)
        fclose(file);
    return text;
}

static bool write_all(FILE *file, const char *bytes, size_t length)
{
    if (!file)
        return false;
    bool good = fwrite(bytes, 1, length, file) == length;
    return (fclose(file) == 0) && good;
}

int fzi_file_write(const fzi_cli *cli, const char *path, const char *bytes, size_t length)
{
    struct stat info;
    mode_t mask;

    if (strcmp(path, "-") == 0)
        return fwrite(bytes, 1, length, stdout) == length ? FZ_EXIT_OK : FZ_EXIT_USAGE;
    /* Devices, pipes and links are written through; a plain file is replaced. */
    if (lstat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        if (write_all(fopen(path, "wb"), bytes, length))
            return FZ_EXIT_OK;
        return fzi_cli_complain(cli, "%s: %s", path, strerror(errno));
    }
    char *beside = fzi_cli_text("%s.XXXXXX", path);
    int descriptor = mkstemp(beside);
    bool good = descriptor >= 0 && write_all(fdopen(descriptor, "wb"), bytes, length);
    umask(mask = umask(0)); /* a temporary file is its owner's only */
    if (good)
        chmod(beside, lstat(path, &info) == 0 ? info.st_mode & 07777 : 0666 & ~mask);
    good = good && rename(beside, path) == 0;
    if (!good) {
        fzi_cli_complain(cli, "%s: %s", path, strerror(errno));
        if (descriptor >= 0)
            remove(beside);
    }
    free(beside);
    return good ? FZ_EXIT_OK : FZ_EXIT_USAGE;
}

char *fzi_file_named(const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return fzi_cli_text("%.*s%s", (int)(dot ? (size_t)(dot - name) : strlen(name)), name, ending);
}

char *fzi_file_beside(const char *beside, const char *name)
{
    const char *slash = strrchr(beside, '/');
    char *path = NULL;

    if (access(name, R_OK) != 0 && *name != '/' && slash)
        path = fzi_cli_text("%.*s/%s", (int)(slash - beside), beside, name);
    if (path && access(path, R_OK) == 0)
        return path;
    free(path);
    return fzi_cli_text("%s", name);
}
