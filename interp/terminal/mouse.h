/* Clicks on a terminal: switching their reports on and off, and reading them. The reports are those
 * of xterm: with SGR numbers, or with a byte for each number on terminals that know no others. */
#ifndef FZ_INTERP_TERMINAL_MOUSE_H
#define FZ_INTERP_TERMINAL_MOUSE_H

#include <stdbool.h>

/* Asks the terminal to report clicks, on stdout. A signal that stops or ends the program switches
 * the reports off first. Interrupts are remembered (terminal.h), with the mouse and without it. */
void fzi_mouse_on(void);
void fzi_mouse_off(void);

/* The next character that the terminal sends; -1: none comes. */
typedef long fzi_next_character(void *from);
/* A place on the screen, from 1. */
typedef struct fzi_screen_place {
    long row, column;
} fzi_screen_place;

/* The rest of a report whose beginning, ESC [ <, was read. True: the left button went down there.
 * Of a report that ends early, the character that is no part of it is put into *refused; otherwise
 * that is -1. */
bool fzi_mouse_read(fzi_next_character *next, void *from, fzi_screen_place *place, long *refused);
/* The same of a report with bytes, behind ESC [ M. */
bool fzi_mouse_read_bytes(fzi_next_character *next, void *from, fzi_screen_place *place);

/* What tells the terminal to say where its cursor is. */
#define FZI_ASK_CURSOR "\033[6n"
enum { FZI_MOST_AHEAD = 256 };
/* Reads up to the answer. What a person typed before it came is put into `ahead`, *count
 * characters of at most FZI_MOST_AHEAD. False: there was no answer. */
bool fzi_cursor_read(fzi_next_character *next, void *from, fzi_screen_place *place, long *ahead,
                     int *count);

#endif
