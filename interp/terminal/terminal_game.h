/* A game at the terminal. Every choice of the person is remembered with its state, so `undo` goes
 * back to one. The files call each other upwards from terminal_game.c to play_loop.c. */
#ifndef FZ_INTERP_TERMINAL_TERMINAL_GAME_H
#define FZ_INTERP_TERMINAL_TERMINAL_GAME_H

#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions of the command that runs the game. They print their errors. */
typedef struct fzi_terminal_command {
    const void *user;
    void (*complain)(const void *user, const char *message);
    /* A text, freed with free, or NULL. */
    char *(*read)(const void *user, const char *path, size_t *length);
    bool (*write)(const void *user, const char *path, const char *text);
} fzi_terminal_command;

typedef struct fzi_terminal_game {
    fzi_terminal_command command;
    fzi_setup setup;      /* its program, machine and state are the game's */
    fz_program *explaining; /* of fzi_why */
    unsigned drawing;     /* FZ_DRAW_...: how boards are drawn */
    const char *players;  /* of --as; NULL: the first one */
    fzi_line_reader *lines;
    uint32_t seats;       /* the players that are played from here, a bit for each */
    int viewer;           /* the one that sits here alone, or FZI_SEES_ALL */
    uint64_t seed;
    struct moment {       /* when the person chose, oldest first */
        fz_state *state;
        size_t told;
    } *past;
    size_t past_count;
    char **told;          /* what was played, as the person was told: "White e2-e4", "{3}" */
    size_t told_count;
    char **sealed;        /* decisions of `together` that the person has not seen, as for told */
    size_t sealed_count;
    fz_move_trace *story;      /* of --trace; NULL: nothing is told */
    bool traces;          /* the person wants one */
    fzi_lineup lineup;        /* of --agents */
    fz_decider deciders[16]; /* the same; none: the other players are random */
    fz_agent *adviser;    /* made for the first hint, and for one by another name */
    bool failed;          /* an agent did not choose; it was said */
    bool greeted;         /* the title has been printed */
    bool quit, shown;     /* the board has been drawn since the last change */
} fzi_terminal_game;

/* ---- terminal_game.c ---- */

static inline bool fzi_terminal_has_agents(const fzi_terminal_game *game)
{
    return game->deciders[0].choose_move != NULL;
}
/* Prints the move of another player, as the person sees it; what is sealed is remembered. */
void fzi_terminal_note_move(fzi_terminal_game *game, const fz_state *before, const fz_move *move);
/* Remembers the state for `undo`. */
void fzi_terminal_remember(fzi_terminal_game *game);
/* Adds "White e2-e4" to the moves that the person has seen. */
void fzi_terminal_note(fzi_terminal_game *game, const char *who, const char *text);
/* Forgets all that the game remembers beside its setup: states, texts, agents, the trace. */
void fzi_terminal_forget(fzi_terminal_game *game);
/* The same, and frees its own parts of the setup. */
void fzi_terminal_leave(fzi_terminal_game *game);
/* Finds the seats of `players`, and makes the agents and the trace that are asked for. Not FZ_OK:
 * it was said why. */
fz_status fzi_terminal_seat(fzi_terminal_game *game);

/* Draws the board as the person sees it. */
fz_status fzi_terminal_show(fzi_terminal_game *game);
/* Prints the machine's message, and returns the status. */
fz_status fzi_terminal_failed(const fzi_terminal_game *game, fz_status status);
/* With --trace, explains the move, or the chance result if `move` is NULL. */
void fzi_terminal_tell(fzi_terminal_game *game, const fz_state *before, const fz_move *move,
                       int64_t chance);
/* Once all have decided: prints the decisions of `together` that the person has not seen. */
void fzi_terminal_unseal(fzi_terminal_game *game);
/* Back to the person's last decision; false: there is none. */
bool fzi_terminal_undo(fzi_terminal_game *game);
/* The agents learn of a new game, or of a move. */
void fzi_terminal_begin_agents(fzi_terminal_game *game);
void fzi_terminal_tell_agents(fzi_terminal_game *game, const fz_move *move);

/* ---- play_greeting.c ---- */

/* Prints the title and what a person has to know first, unless it has been printed. */
void fzi_terminal_greet(fzi_terminal_game *game);

/* ---- play_commands.c ---- */

/* A line that is not empty: a command, or a move. */
void fzi_terminal_obey(fzi_terminal_game *game, const char *line);
/* Prints the legal moves, or their number, and those whose texts read like commands. */
void fzi_terminal_show_expected(fzi_terminal_game *game);
/* The words that a line may begin with: legal moves and commands. For fzi_line_reader_new. */
char **fzi_terminal_words(void *game, size_t *count);
/* Writes a record of the game. Not FZ_OK: it was said why. */
fz_status fzi_terminal_save(fzi_terminal_game *game, const char *path);

/* ---- play_load.c ---- */

/* Goes on with the game of the record in the file, which must be of this game with these options.
 * If it is not, the game stays as it is; what is wrong is printed, and the answer is false. Before
 * the title is printed this is a mistake of the command line. */
bool fzi_terminal_load(fzi_terminal_game *game, const char *path);

/* ---- play_loop.c ---- */

/* Plays until the game ends or the person leaves. Not FZ_OK: it was said why. */
fz_status fzi_terminal_play(fzi_terminal_game *game);

#endif
