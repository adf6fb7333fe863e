/* The debugger of rules, at a terminal. The game is a record; the stepper (ferz_tools.h) plays one
 * entry of it at a time. The debugger stands at a stop of that entry, given by its number, or after
 * the last one, where the game waits for the next move. The command `step` calls this. */
#ifndef FZ_INTERP_TERMINAL_DEBUGGER_H
#define FZ_INTERP_TERMINAL_DEBUGGER_H

#include "terminal.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FZI_MAX_BREAKS = 64 };

typedef struct fzi_breakpoint {
    char *file;
    unsigned line;
} fzi_breakpoint;

typedef struct fzi_debugger {
    fzi_setup setup;       /* its own; the state: after the entry, or before it if it fails */
    fz_program *explaining; /* of fzi_why */
    unsigned drawing;      /* FZ_DRAW_...: how boards are drawn */
    fz_program *program;   /* for stepping */
    fz_stepper *stepper;
    fz_record record;      /* up to the entry that is stepped through */
    size_t at;
    bool failed;           /* the entry ends in an error */
    fz_state **past;       /* the states before each move and chance result */
    size_t past_count;
    fz_state *seen;        /* of the stepper's program: the state that was shown last; NULL */
    fzi_breakpoint breaks[FZI_MAX_BREAKS];
    unsigned break_count;
    fzi_line_reader *lines;
    bool quit;
} fzi_debugger;

static inline size_t fzi_debugger_stops(const fzi_debugger *d)
{
    return fz_stepper_stops(d->stepper);
}

/* Is there a statement that runs next? */
static inline bool fzi_debugger_runs(const fzi_debugger *d)
{
    return d->at < fzi_debugger_stops(d);
}

/* ---- debugger_show.c ---- */

/* Changes are shown since this state; NULL: none is. */
void fzi_debugger_remember(fzi_debugger *d, const fz_state *state);
/* Prints the changes since the last stop that was shown, and the current place. */
void fzi_debugger_show(fzi_debugger *d);
void fzi_debugger_draw(fzi_debugger *d, const uint64_t *marked);
/* The lines around the place. */
void fzi_debugger_list(fzi_debugger *d);
/* The legal moves, or the results of chance. */
void fzi_debugger_list_moves(fzi_debugger *d);
/* `draw`: a set of sites is drawn, too. */
void fzi_debugger_print(fzi_debugger *d, const char *expression, bool draw);
/* The names that are bound at the statement, with a blank after each: `me`, and what parameters,
 * `let`, `var` and `for` name, the innermost first. To be freed; "" if nothing runs. */
char *fzi_debugger_locals(fzi_debugger *d);

/* ---- debugger_run.c ---- */

/* Goes to the end of the entry that led to the setup's state. False: it cannot be run. */
bool fzi_debugger_begin(fzi_debugger *d);
void fzi_debugger_list_breaks(const fzi_debugger *d);
/* "53" or "FILE:53". */
void fzi_debugger_break(fzi_debugger *d, const char *where);
void fzi_debugger_delete_break(fzi_debugger *d, const char *which);
/* Complains if nothing runs. */
bool fzi_debugger_must_run(const fzi_debugger *d);
void fzi_debugger_step(fzi_debugger *d, uint64_t count);
/* To the next stop that is not in a call from here; or to the first one after this call; or to the
 * next breakpoint. Breakpoints on the way count. */
void fzi_debugger_next(fzi_debugger *d);
void fzi_debugger_out(fzi_debugger *d);
void fzi_debugger_continue(fzi_debugger *d);
/* To the state before the entry. False: there is none. */
bool fzi_debugger_undo(fzi_debugger *d);
void fzi_debugger_back(fzi_debugger *d, uint64_t count);
/* Plays a move or "{chance}"; false after a complaint. */
bool fzi_debugger_play(fzi_debugger *d, const char *text);
bool fzi_debugger_play_random(fzi_debugger *d);
/* Plays at random until a breakpoint, an error or the end of the game. */
void fzi_debugger_run(fzi_debugger *d);

/* ---- debug_adapter.c ---- */

/* Opens the game that a launch request asks for, whose `program` is a text, and begins it. False,
 * with a message on stderr: it cannot be run, and `d` stays empty. */
typedef bool fzi_debug_open(void *user, const json_t *arguments, fzi_debugger *d);
/* Serves an editor on standard input and output until it leaves, which is true, or is gone. What is
 * printed meanwhile goes to the editor. */
bool fzi_debug_serve(fzi_debug_open *open, void *user);

/* ---- debugger_commands.c ---- */

/* A line is a command, or a move. */
void fzi_debugger_obey(fzi_debugger *d, const char *line);
/* Reads lines and obeys them. */
void fzi_debugger_talk(fzi_debugger *d);
/* Frees all, also its own parts of the setup. */
void fzi_debugger_clear(fzi_debugger *d);

#endif
