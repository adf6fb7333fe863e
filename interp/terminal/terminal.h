/* What the terminal can do, and interrupts. */
#ifndef FZ_INTERP_TERMINAL_TERMINAL_H
#define FZ_INTERP_TERMINAL_TERMINAL_H


#include <stdbool.h>
#include <stddef.h>
#include <stdarg.h>

/* Is the stream with this descriptor a terminal that shall see colours? NO_COLOR and TERM=dumb
 * say no. */
bool fzi_terminal_colour(int descriptor);
/* Has a terminal that shows colours a palette of 256, going by TERM and COLORTERM? */
bool fzi_terminal_palette(void);
/* Does the locale write UTF-8? */
bool fzi_terminal_unicode(void);
bool fzi_terminal_is(int descriptor);
size_t fzi_terminal_width(int descriptor); /* 80 when it is not known */

enum { FZI_EXCERPT_SIZE = 512 };
/* A piece of a script on one line, cut after `width` bytes, into `text`, which is returned. */
const char *fzi_excerpt(const char *from, size_t length, size_t width, char *text);

/* From here on SIGINT is only remembered; a second one ends the program as usual. */
void fzi_terminal_catch_interrupt(void);
/* Back to the default; a signal that came in between takes effect now. */
void fzi_terminal_release_interrupt(void);
bool fzi_terminal_interrupted(void);
/* Around the reading of a line: between them, an interrupt also ends a reading that begins just
 * after the signal, within two seconds. They use SIGALRM. */
void fzi_terminal_begin_reading(void);
void fzi_terminal_end_reading(void);

/* ---- memory.c: without memory the program prints an error and ends with exit status 2 ---- */

/* realloc that never returns NULL. */
void *fzi_cli_allocate(void *ptr, size_t size);
/* The same for a context of the library (fz_config). */
void *fzi_cli_resize(void *user, void *ptr, size_t size);
/* A text as printf writes it, to be freed with free. */
char *fzi_cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *fzi_cli_text_of(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif
