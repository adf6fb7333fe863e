/* What a click on a board that was printed means. */
#ifndef FZ_INTERP_TERMINAL_CLICKS_H
#define FZ_INTERP_TERMINAL_CLICKS_H

#include "ferz_tools.h"
#include "line_reader.h"
#include "interp/cli/session.h"

/* A board as it stands on the screen, with all that was printed between it and the prompt. */
typedef struct fzi_printed_board {
    char *text;            /* begins with the drawing's first line; NULL: there is none */
    fz_drawn_site *places; /* of each site, in lines of the text */
    size_t sites;
    size_t columns;        /* of the terminal when it was printed */
} fzi_printed_board;

enum { FZI_NO_SITE = -1, FZI_UNKNOWN_PLACE = -2 };
/* The site that is printed in a row, so many above the prompt, and a column from 0, or beside it.
 * FZI_UNKNOWN_PLACE: the terminal has another width now, so nothing stands where it did. */
int fzi_printed_site(const fzi_printed_board *board, long above, long column, size_t columns);
void fzi_printed_clear(fzi_printed_board *board);

/* What was clicked for the move that is being typed. */
typedef struct fzi_clicked_sites {
    char *line;   /* what the line was behind the last click; NULL: nothing was clicked */
    size_t count; /* clicks that the line contains */
    int last;     /* the site of the last */
} fzi_clicked_sites;
void fzi_clicked_clear(fzi_clicked_sites *clicked);

/* What becomes of the line that was typed so far when a site is clicked: the site's name is added
 * as in the texts of the legal moves. If that leaves one move, the line is that move and complete.
 * If no legal move goes on like that, one may begin there instead. */
fzi_click_answer fzi_click_site(const fzi_session *session, int site, const char *line,
                                fzi_clicked_sites *clicked);

#endif
