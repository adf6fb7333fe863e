/* The terminal: what it can do, interrupts, memory, lines, progress. */
#ifndef FZ_INTERP_TERMINAL_TERMINAL_H
#define FZ_INTERP_TERMINAL_TERMINAL_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "interp/lab/lab.h"

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

/* The cancellation that long work polls, for the limits of the command line. */
const fz_cancel *fzi_terminal_stop(void);
/* Stops the work after so many seconds, then ends the program if it goes on. Uses SIGALRM. */
void fzi_terminal_stop_after(double seconds);
/* From here on SIGINT and SIGTERM stop the work, so that what is done can be printed. If that takes
 * longer than a tenth of a second, or a second signal comes, the program ends as usual. */
void fzi_terminal_catch_interrupt(void);
/* From here on the end may take ten seconds: what was done is written to a file, or large tables
 * cannot be left at once. */
void fzi_terminal_end_slowly(void);
/* Back to the default; a signal that came in between takes effect now. */
void fzi_terminal_release_interrupt(void);
bool fzi_terminal_interrupted(void);

/* ---- memory.c: without memory the program prints an error and ends with exit status 2 ---- */

_Noreturn void fzi_cli_no_memory(void);
/* realloc that never returns NULL. */
void *fzi_cli_allocate(void *ptr, size_t size);
/* The same for a context of the library (fz_config). */
void *fzi_cli_resize(void *user, void *ptr, size_t size);
/* A text as printf writes it, to be freed with free. */
char *fzi_cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *fzi_cli_text_of(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* ---- line_reader.c ---- */

/* Lines typed by a person, with history and editing where stdin is a terminal and libedit is
 * there. */

typedef struct fzi_line_reader fzi_line_reader;
/* The words to which the Tab key completes the beginning of a line. Called at each Tab; the caller
 * frees the words. */
typedef char **fzi_words(void *user, size_t *count);
/* Without words (NULL), Tab completes nothing. */
fzi_line_reader *fzi_line_reader_new(fzi_words *words, void *user);
void fzi_line_reader_free(fzi_line_reader *reader);
/* The next line without its end and the blanks around it, valid until the next call; NULL at the
 * end of the input. */
const char *fzi_line_reader_ask(fzi_line_reader *reader, const char *prompt);

/* ---- progress.c ---- */

/* A progress bar on stderr, if that is a terminal; otherwise nothing is written. */

typedef struct fzi_progress {
    bool visible;
    const char *what;     /* "playouts" */
    double started, shown; /* seconds */
} fzi_progress;

/* A watch that draws the progress of a long run and stops it when the user interrupts. */
fz_watch fzi_progress_begin(fzi_progress *progress, const char *what);
/* Draws at most ten times a second, so it may be called often. total 0: unknown. */
void fzi_progress_update(fzi_progress *progress, uint64_t done, uint64_t total);
void fzi_progress_end(fzi_progress *progress); /* wipes the bar away */

enum { FZI_SEES_ALL = -1 };
/* Why a text is a legal move of the state or not, as far as the viewer knows; valid until the
 * machine's next call. The program `*explaining` is made when it is NULL, and released by the
 * caller. */
const char *fzi_why(const fzi_setup *setup, fz_program **explaining, const fz_state *state,
                    int viewer, const char *text);
/* The number of the player of this name, or of this number from 1; -1: there is none. */
int fzi_player_called(const fz_program *program, const char *name);

#endif
