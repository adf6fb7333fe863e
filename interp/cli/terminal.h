/* What the terminal can do, interrupts, and asking for a line. */
#ifndef FZ_CLI_TERMINAL_H
#define FZ_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Is the stream with this descriptor a terminal that shall see colours? NO_COLOR and TERM=dumb
 * say no. */
bool fzi_terminal_colour(int descriptor);
/* Does the locale write UTF-8? */
bool fzi_terminal_unicode(void);
bool fzi_terminal_is(int descriptor);
size_t fzi_terminal_width(int descriptor); /* 80 when it is not known */

/* From here on SIGINT is only remembered; a second one ends the program as usual. */
void fzi_terminal_catch_interrupt(void);
/* Back to the default; a signal that came in between takes effect now. */
void fzi_terminal_release_interrupt(void);
bool fzi_terminal_interrupted(void);

/* Lines typed by a person, with history and editing where stdin is a terminal and libedit is
 * there. */
typedef struct fzi_line_reader fzi_line_reader;
fzi_line_reader *fzi_line_reader_new(void);
void fzi_line_reader_free(fzi_line_reader *reader);
/* What the Tab key completes, on a terminal: the line's beginning to one of the words. `words`
 * gives them anew at each Tab, freshly allocated, and the caller frees them. */
typedef char **fzi_words(void *user, size_t *count);
void fzi_line_reader_complete(fzi_line_reader *reader, fzi_words *words, void *user);
/* The next line without its end, valid until the next call; NULL at the end of the input. */
const char *fzi_line_reader_ask(fzi_line_reader *reader, const char *prompt);

#endif
