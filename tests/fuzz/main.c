/* Runs a fuzz target on files, for finds, for gcc and for AFL: each argument is a file or a folder
 * of files. Without arguments, as `make check` runs it, those of the target's finds. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 20, size;
    uint8_t *data = malloc(capacity), *exact;

    if (!file || !data) {
        perror(path);
        free(data);
        return 1;
    }
    size = fread(data, 1, capacity, file);
    fclose(file);
    exact = malloc(size ? size : 1); /* so that reading beyond it is seen */
    if (exact) {
        memcpy(exact, data, size);
        printf("%s", path);
        fflush(stdout);
        LLVMFuzzerTestOneInput(exact, size);
        printf(": ok\n");
    }
    free(exact);
    free(data);
    return 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int run(const char *path)
{
    struct dirent **entries;
    struct stat info;
    char inner[4096];
    int wrong = 0;

    if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
        return run_file(path);
    int count = scandir(path, &entries, NULL, by_name);
    if (count < 0) {
        perror(path);
        return 1;
    }
    for (int i = 0; i < count; i++) {
        snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            wrong |= run(inner);
        free(entries[i]);
    }
    free(entries);
    return wrong;
}

int main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/');
    char finds[4096];
    int wrong = 0;

    fuzz_replays = true;
    for (int i = 1; i < argc; i++)
        wrong |= run(argv[i]);
    if (argc == 1) {
        name = name ? name + 1 : argv[0];
        if (strncmp(name, "lt-", 3) == 0) /* libtool runs a program under this name */
            name += 3;
        snprintf(finds, sizeof finds, "%s/../tests/fuzz/finds/%s", FZ_SOURCE_STDLIB_DIR, name);
        wrong = run(finds);
    }
    return wrong;
}
