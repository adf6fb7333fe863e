/* Memory of the command ferz: no command goes on with part of an answer, so without memory the
 * program prints an error and ends with exit status 2. */
#ifndef FZ_INTERP_TERMINAL_MEMORY_H
#define FZ_INTERP_TERMINAL_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/* realloc that never returns NULL. */
void *fzi_cli_allocate(void *ptr, size_t size);
/* The same for a context of the library (fz_config). */
void *fzi_cli_resize(void *user, void *ptr, size_t size);
/* A text as printf writes it, to be freed with free. */
char *fzi_cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *fzi_cli_text_of(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif
