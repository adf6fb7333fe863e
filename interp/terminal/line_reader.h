/* Lines typed by a person, with history and editing where stdin is a terminal and libedit is
 * there. */
#ifndef FZ_INTERP_TERMINAL_LINE_READER_H
#define FZ_INTERP_TERMINAL_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fzi_line_reader fzi_line_reader;
/* What the Tab key completes, on a terminal: the line's beginning to one of the words. It gives
 * them anew at each Tab, freshly allocated, and the caller frees them. */
typedef char **fzi_words(void *user, size_t *count);
/* Without words (NULL), Tab completes nothing. */
fzi_line_reader *fzi_line_reader_new(fzi_words *words, void *user);
void fzi_line_reader_free(fzi_line_reader *reader);
/* The next line without its end and the blanks around it, valid until the next call; NULL at the
 * end of the input. */
const char *fzi_line_reader_ask(fzi_line_reader *reader, const char *prompt);

#endif
