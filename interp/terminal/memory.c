/* Memory of the command: without it the program ends. See memory.h. */
#include "terminal.h"

#include <unistd.h>

/* Any thread may end here, so neither buffers nor exit handlers are used. */
void fzi_cli_no_memory(void)
{
    static const char text[] = "ferz: out of memory\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);

    (void)written; /* nothing more can be said */
    _Exit(2);
}

void *fzi_cli_allocate(void *ptr, size_t size)
{
    void *grown = realloc(ptr, size ? size : 1);

    if (!grown)
        fzi_cli_no_memory();
    return grown;
}

void *fzi_cli_resize(void *user, void *ptr, size_t size)
{
    (void)user;
    if (size)
        return fzi_cli_allocate(ptr, size);
    free(ptr);
    return NULL;
}

char *fzi_cli_text_of(const char *format, va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) < 0)
        fzi_cli_no_memory();
    return text;
}

char *fzi_cli_text(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = fzi_cli_text_of(format, args);
    va_end(args);
    return text;
}
