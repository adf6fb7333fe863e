/* Lines typed by a person, with history, editing and clicks where stdin is a terminal and libedit
 * is there. */
#ifndef FZ_INTERP_TERMINAL_LINE_READER_H
#define FZ_INTERP_TERMINAL_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct fzi_line_reader fzi_line_reader;
fzi_line_reader *fzi_line_reader_new(void);
void fzi_line_reader_free(fzi_line_reader *reader);
/* What the Tab key completes, on a terminal: the line's beginning to one of the words. `words`
 * gives them anew at each Tab, freshly allocated, and the caller frees them. */
typedef char **fzi_words(void *user, size_t *count);
void fzi_line_reader_complete(fzi_line_reader *reader, fzi_words *words, void *user);
/* A click while a line is typed: so many rows above the prompt, in this column from 0, with this
 * line so far. What becomes of the line is the answer, whose texts the caller frees. */
typedef struct fzi_click_answer {
    char *line;     /* NULL: it stays */
    bool enters;    /* the line is complete */
    char **words;   /* listed below the line, `count` of them */
    size_t count;
} fzi_click_answer;
typedef fzi_click_answer fzi_clicked(void *user, long above, long column, const char *line);
/* From now on clicks on the terminal call `clicked`; NULL: no longer. False: the terminal reports
 * no clicks, or libedit is missing. */
bool fzi_line_reader_click(fzi_line_reader *reader, fzi_clicked *clicked, void *user);
/* The next line without its end, valid until the next call; NULL at the end of the input. */
const char *fzi_line_reader_ask(fzi_line_reader *reader, const char *prompt);

#endif
