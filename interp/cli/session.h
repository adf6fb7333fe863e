/* What most commands begin with: a compiled game, a machine, and a state at the position that was
 * asked for. */
#ifndef FZ_CLI_SESSION_H
#define FZ_CLI_SESSION_H

#include "json.h"
#include "options.h"
#include "ferz_tools.h"
#include "interp/terminal/file_watch.h"

typedef struct fzi_session {
    const fzi_cli *cli;
    fz_context *context;
    const char *path;
    fz_program *program;
    fz_program *explaining; /* made when a move is asked about (fzi_session_why); may be NULL */
    fz_machine *machine;
    fz_state *state;
    fz_state *before; /* where `latest` was played, if pictures are asked for; NULL */
    fz_move latest;
} fzi_session;

/* A context with the folders and permissions of the command line. */
fz_context *fzi_session_context(const fzi_cli *cli);

/* Compiles the game; its errors go to stderr. An exit code. Clear it in any case. */
int fzi_session_open(fzi_session *session, const fzi_cli *cli, const char *path);
/* The same; its warnings too. */
int fzi_session_open_warned(fzi_session *session, const fzi_cli *cli, const char *path);
/* As fzi_session_open; notes the files that it reads. `watched` must live as long as the
 * session. */
int fzi_session_open_watched(fzi_session *session, const fzi_cli *cli, const char *path,
                             fzi_watched *watched);
/* Makes native code with --native; without it after a complaint. */
void fzi_session_native(const fzi_cli *cli, fz_context *context, fz_program *program);
/* The machine, and the state at --position or --fen, after --play. `mode` holds for what comes
 * next. */
int fzi_session_begin(fzi_session *session, fz_chance mode);
void fzi_session_clear(fzi_session *session);
/* Notes the move that is about to be played, as the latest of a picture. */
void fzi_session_note(fzi_session *session, const fz_move *move);
/* Opens the command's game, begins it, runs the command and clears up. The exit status. */
int fzi_session_run(const fzi_cli *cli, fz_chance chance, int (*run)(fzi_session *session));

/* Puts the record's options before those of the command line, which may change them. Free
 * `cli->settings`; the record must live as long. */
void fzi_session_add_settings(fzi_cli *cli, const fz_record *record);

/* "ferz moves: " and the machine's or the context's message; the exit code that fits the status. */
int fzi_session_failed(const fzi_session *session, fz_status status);

/* What the library needs to know of the command line, and of the session. They borrow. */
fz_run_options fzi_cli_run_options(const fzi_cli *cli);
fzi_setup fzi_session_setup(const fzi_session *session);
/* Prints the context's message, after the report (NULL; it is freed); the exit code that fits the
 * status. */
int fzi_cli_failed(const fzi_cli *cli, const fz_context *context, fz_status status,
                   fz_report *report);

/* The same for playouts: the message of the first that failed, its number and its moves. With
 * --record, writes the record of that game. */
int fzi_session_playouts_failed(fzi_session *session, const fz_tally *tally,
                                const fz_lineup *lineup, const char *message);

/* A playout from the beginning has its set-up drawn anew; does the command line ask for another
 * beginning? */
bool fzi_session_begins_elsewhere(const fzi_cli *cli);

/* Plays one move given as text, or resolves chance given as "{text}". Prints the error, if any. */
int fzi_session_play(fzi_session *session, const char *text);

/* Why a text is a legal move of the state or not; valid until the machine's next call. */
const char *fzi_session_why(fzi_session *session, const fz_state *state, const char *text);

/* The value of the chance that is waited for whose text it is. */
bool fzi_session_chance_value(fzi_session *session, const char *text, int64_t *value);

/* The number of a player given by name (or by number, from 1), or -1 after a complaint. */
int fzi_session_player(const fzi_session *session, const char *name);

/* The "mover", "decider", "waiting", "over", "result" and the texts of the position, as members
 * of `object`: of the session's state, or of another one. */
void fzi_session_describe(fzi_session *session, json_t *object);
void fzi_session_describe_state(fzi_session *session, const fz_state *state, json_t *object);
json_t *fzi_session_options(const fzi_cli *cli);

#endif
