/* What the files of the command share: the command line, a session (a compiled game, a machine and
 * a state), and what is printed. The lists of commands and options are commands.def and
 * options.def; parsing, --help and the hints for mistyped names all come from them. Functions that
 * return an exit code have said what was wrong. */
#ifndef FZ_CLI_CLI_H
#define FZ_CLI_CLI_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "ferz_tools.h"
#include "interp/lab/lab.h"
#include "interp/solve/solve.h"
#include "interp/terminal/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- main.c ---- */

/* Runs a whole command line; the exit code. */
int fzi_cli_main(int argc, char **argv);

/* ---- options.c: the command line ---- */

enum { FZ_EXIT_OK, FZ_EXIT_WRONG, FZ_EXIT_USAGE };

enum fzi_cli_option {
#define OPTION(id, letter, name, argument, meaning) FZ_CLI_##id,
#include "options.def"
#undef OPTION
    FZ_CLI_OPTION_COUNT
};

/* A set of options: a bit for each. */
__extension__ typedef unsigned __int128 fzi_cli_options;
_Static_assert(FZ_CLI_OPTION_COUNT <= 128, "a set of options has a bit for each");

enum fzi_cli_format { FZ_CLI_TEXT, FZ_CLI_JSON, FZ_CLI_CSV };

typedef struct fzi_cli_list { /* NULL-terminated */
    const char **items;
    size_t count;
} fzi_cli_list;

typedef struct fzi_cli {
    const struct fzi_cli_command *command;
    fzi_cli_list words;             /* what is no option; names of games as paths */
    fzi_cli_list found;             /* paths among them, which are owned */
    fzi_cli_options given;
    const char *values[FZ_CLI_OPTION_COUNT]; /* the last one given; NULL */
    fz_setting *settings;           /* of -o */
    size_t setting_count;
    fzi_cli_list includes, native_paths, chance_given;
    enum fzi_cli_format format;
    int grammar_format;             /* a number of fzi_cli_values_of */
    fz_engine engine;               /* of --engine */
    bool covers;                    /* the game is compiled for coverage */
    bool writes_program;            /* the program becomes a file */
    const char *line;               /* the whole command line, as for a shell */
    uint64_t run, game;             /* of an archive; 0: not given */
    uint64_t seed, count, threads, at, playouts, hash, rollouts, perft;
    uint64_t depth;                 /* of --depth */
    uint64_t budget, variants;      /* of --budget and --variants; 0: not given */
    unsigned shard, shards;         /* of --shard: 3 of 16; 0: all */
    fz_limits limits;               /* of --limit */
    bool colour, error_colour;      /* on stdout, on stderr */
    unsigned drawing;               /* FZ_DRAW_...: how boards are drawn on stdout */
} fzi_cli;

typedef struct fzi_cli_command {
    const char *name, *words;
    size_t least, most;
    fzi_cli_options options;
    const char *summary, *help;
    int (*run)(const fzi_cli *cli);
} fzi_cli_command;

#define COMMAND(name, words, least, most, options, summary, help)                                  \
    int fzi_cli_##name(const fzi_cli *cli);
#include "commands.def"
#undef COMMAND

/* The commands by number from 0; NULL when there are no more. */
const fzi_cli_command *fzi_cli_command_at(size_t number);
typedef struct fzi_cli_option_row {
    char letter;                         /* 0: none */
    const char *name, *argument, *meaning; /* argument: NULL for a switch */
} fzi_cli_option_row;
fzi_cli_option_row fzi_cli_option_at(size_t option);
/* The words that the option's argument can be, such as "text json"; NULL: any text. */
const char *fzi_cli_values_of(size_t option);

/* Parses argv[1 ..]. True: run cli->command. False: *exit_code, everything is said. */
bool fzi_cli_parse(fzi_cli *cli, int argc, char **argv, int *exit_code);
void fzi_cli_clear(fzi_cli *cli);
/* Adds an option of the game. The texts are borrowed. */
void fzi_cli_set(fzi_cli *cli, const char *name, const char *value);

static inline bool fzi_cli_has(const fzi_cli *cli, enum fzi_cli_option option)
{
    return cli->given >> option & 1;
}

/* "ferz perft: " and the text on stderr, with a newline; returns FZ_EXIT_USAGE. */
int fzi_cli_complain(const fzi_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A hint such as " (--limit frames=N allows more)" if the message reports a limit, otherwise "". */
const char *fzi_cli_hint(const fzi_cli *cli, const char *message);

/* The nearest of the names to `wanted`, near enough to be meant; NULL. */
const char *fzi_cli_nearest(const char *wanted, const char *const *names, size_t count);

/* ---- session.c: a game opened at a position ---- */

typedef struct fzi_session {
    const fzi_cli *cli;
    fz_context *context;
    const char *path;
    fz_program *program;
    fz_machine *machine;
    fz_cover *cover;  /* whose machine it is, with --perft of coverage; NULL */
    fz_state *state;
    fz_state *before; /* where `latest` was played, if pictures are asked for; NULL */
    fz_move latest;
    int viewer;       /* the player of --for, or the only one of --as; FZI_SEES_ALL */
    bool of_several;  /* the command has other scripts, too */
} fzi_session;

/* A context with the folders and permissions of the command line. */
fz_context *fzi_session_context(const fzi_cli *cli);

/* Compiles the game; its errors go to stderr. An exit code. Clear it in any case. */
int fzi_session_open(fzi_session *session, const fzi_cli *cli, const char *path);
/* The same, for a session that has a command line and a path, and perhaps a context. `warn`: its
 * warnings go to stderr, too. */
int fzi_session_compile(fzi_session *session, bool warn);
/* Chooses the engine of --engine. After a complaint it is the loop. */
void fzi_session_engine(const fzi_cli *cli, fz_context *context, fz_program *program);
/* Says on a terminal, where nobody reads what follows, which engine played. `script`: of which
 * script, or NULL. */
void fzi_session_say_engine(const fzi_cli *cli, const fz_program *program, const char *script);
/* The machine, and the state at --position or --fen, after --play. `mode` holds for what comes
 * next. */
int fzi_session_begin(fzi_session *session, fz_chance mode);
void fzi_session_clear(fzi_session *session);
/* Notes the move that is about to be played, as the latest of a picture. */
void fzi_session_note(fzi_session *session, const fz_move *move);
/* Opens the command's game, begins it, runs the command and clears up. The exit status. */
int fzi_session_run(const fzi_cli *cli, fz_chance chance, int (*run)(fzi_session *session));
/* The same for a command that needs neither machine nor state. */
int fzi_session_run_compiled(const fzi_cli *cli, int (*run)(fzi_session *session));

/* Puts the record's options before those of the command line, which may change them. Free
 * `cli->settings`; the record must live as long. */
void fzi_session_add_settings(fzi_cli *cli, const fz_record *record);

/* "ferz moves: " and the machine's or the context's message; the exit code that fits the status. */
int fzi_session_failed(const fzi_session *session, fz_status status);

/* Writes a text that the library has made to the file ("-": prints it), or says why it has not;
 * frees it. */
int fzi_session_write(const fzi_session *session, fz_status status, char *text, const char *path);

/* The command line and the session as structs of the library. They borrow. */
fz_run_options fzi_cli_run_options(const fzi_cli *cli);
fzi_setup fzi_session_setup(const fzi_session *session);
/* The same setup, which owns the session's program, machine and state now. */
fzi_setup fzi_session_give(fzi_session *session);
int fzi_cli_exit_code(fz_status status);
/* "ferz perft: " and a message of the library, which may have several lines, with a hint. */
void fzi_cli_say(const fzi_cli *cli, const char *message);
/* Unless the status is FZ_OK: prints the context's message, after the report (NULL; it is freed).
 * The exit code that fits the status. */
int fzi_cli_failed(const fzi_cli *cli, const fz_context *context, fz_status status,
                   fz_report *report);
/* As fzi_session_write; the context has the message. */
int fzi_cli_write(const fzi_cli *cli, fz_context *context, fz_status status, char *text,
                  const char *path);

/* The same for playouts: the message of the first that failed, its number and its moves. With
 * --record, writes the record of that game. */
int fzi_session_playouts_failed(fzi_session *session, const fz_tally *tally,
                                const fz_lineup *lineup, const char *message);

/* A playout from the beginning has its set-up drawn anew; does the command line ask for another
 * beginning? */
bool fzi_session_begins_elsewhere(const fzi_cli *cli);

/* Is the viewer shown the legal moves? Those of others may tell what the viewer does not know. */
bool fzi_session_sees_moves(const fzi_session *session);
/* Plays one move given as text, or resolves chance given as "{text}". Prints the error, if any. */
int fzi_session_play(fzi_session *session, const char *text);

/* What determines an answer: version, program, script, options, limits, the position in which it
 * begins (null: at the beginning), and seed. */
json_t *fzi_session_trace(const fzi_session *session);
/* `run`, the members of fz_state_json, and the texts of the position, as members of `object`.
 * `moves`: with the legal moves. An exit code; prints the error, if any. */
int fzi_session_describe(fzi_session *session, const fz_state *state, bool moves, json_t *object);

/* ---- export_game.c ---- */

/* ferz export --to fairy GAME. */
int fzi_cli_export_game(const fzi_cli *cli);

/* ---- files.c: whole files ---- */

/* A text from the file (stdin for "-"), to be freed with free; NULL after a complaint. */
char *fzi_file_read(const fzi_cli *cli, const char *path, size_t *length);
/* Writes the bytes (to stdout for "-"); a file is replaced only when all is written. An exit
 * code. */
int fzi_file_write(const fzi_cli *cli, const char *path, const char *bytes, size_t length);
/* The folder of the manual's pages: the installed one, or that of the sources. */
const char *fzi_documents(void);
/* The script's name with another ending, in the current folder; to be freed. */
char *fzi_file_named(const char *path, const char *ending);
/* The path of the file `name`: as given if it is there, otherwise beside another file if it is
 * there. To be freed. */
char *fzi_file_beside(const char *beside, const char *name);

/* ---- library.c: the games of the library ---- */

enum fzi_library_field {
    FZI_LIBRARY_TITLE,
    FZI_LIBRARY_NAMES, /* others, with commas between them */
    FZI_LIBRARY_KIND,  /* of the family: "mancala" */
    FZI_LIBRARY_PLAYERS, FZI_LIBRARY_BOARD, FZI_LIBRARY_FIELDS
};
typedef struct fzi_library_game {
    const char *family; /* "classic/hex" */
    const char *name;   /* its end, "hex" */
    const char *fields[FZI_LIBRARY_FIELDS];
} fzi_library_game;

/* Reads games/index.tsv. Free the games, and the text, in which they are; none: it is not there. */
char *fzi_library_read(fzi_library_game **games, size_t *count);
/* The path of the library's game of that name, with or without its family; to be freed. NULL: there
 * is none. */
char *fzi_library_find(const char *name);
/* Makes paths of the words that the usage line calls GAME and that name games of the library. A
 * file comes first. False: a word is neither, or both, which has been said. */
bool fzi_library_words(fzi_cli *cli, int *exit_code);

/* ---- rulings.c ---- */

/* Compares the scripts of the command line with the text in the file, and prints what they lack; in
 * JSON as a member of an array, `*first` of which is none yet. Exit code. */
int fzi_rulings_check(const fzi_cli *cli, const char *path, bool *first);

/* ---- json.c: JSON values, also as tables ---- */

/* Before the first value: without memory the program ends, so that no value is left out. */
void fzi_json_begin(void);
/* Prints it and gives it up. */
int fzi_json_write(json_t *value);
/* Prints it with a newline and gives it up; returns FZ_EXIT_OK, or FZ_EXIT_USAGE when writing
 * fails. */
int fzi_json_print(json_t *value);
/* Prints an array of objects as a table: the members of the first one are the columns. `only`: rows
 * in which this is true; NULL: all. CSV has all rows. */
void fzi_json_print_rows(json_t *rows, bool csv, const char *only);

/* ---- command_study.c ---- */

/* How a study is printed: what its tables are, and how a person or a program reads them. */
typedef struct fzi_cli_study_report {
    bool (*gather)(const fzi_cli *cli, fz_context *context, fz_study *study, json_t *all);
    void (*print_text)(const fzi_cli *cli, const json_t *all);
    int (*print_csv)(const fzi_cli *cli, const json_t *all); /* an exit code */
} fzi_cli_study_report;

/* Plays the study of the command line, with the options of `ferz study`, and prints it; an exit
 * code. */
int fzi_cli_with_study(const fzi_cli *cli, const fzi_cli_study_report *report);
/* Adds a table of the study to `all`; without a key it is an object, whose members are added.
 * False: it was complained about. */
bool fzi_cli_study_table(json_t *all, const fzi_cli *cli, fz_context *context, fz_study *study,
                         const char *key, const char *table, const char *argument);

/* ---- table.c: aligned columns for people, comma-separated values for programs ---- */

typedef struct fzi_table {
    size_t columns;
    const char *alignment; /* a letter by column: l left, r right */
    char **cells;          /* row by row, copies */
    size_t count;
} fzi_table;

/* `header`: the names of the columns, with tabs between them; NULL: there are none. */
void fzi_table_begin(fzi_table *table, const char *alignment, const char *header);
/* Adds cells: tabs of the format stand between them. */
void fzi_table_add(fzi_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Columns two blanks apart, each line after `indent`. This function and the next one clear the
 * table. */
void fzi_table_print(fzi_table *table, const char *indent);
void fzi_table_print_csv(fzi_table *table);
void fzi_table_clear(fzi_table *table);

/* A field of comma-separated values, quoted if it must be. */
void fzi_csv_field(const char *text);
/* A comma and the number; nothing after the comma for one that is not known. */
void fzi_csv_number(double value, int digits);
/* Columns with the members of a run (fzi_experiment_trace), each after a comma: their names, or
 * their values. Names begin with `prefix`. */
void fzi_csv_run_names(const json_t *run, const char *prefix);
void fzi_csv_run(const json_t *run);
/* Adds them to a row of a table, as "run NAME". */
void fzi_json_add_run(json_t *row, const json_t *run, const char *prefix);

/* ---- picture_options.c: --svg, --png, --pdf, --theme, --set ---- */

/* Was a picture asked for? */
bool fzi_picture_asked(const fzi_cli *cli);
/* Are the options of pictures right? They are complained about before the game is compiled. */
int fzi_picture_check(const fzi_cli *cli);
/* The number of --theme, or of the first one; -1 after a complaint. */
int fzi_picture_theme(const fzi_cli *cli);
/* The name of the `let` that --set becomes (fzi_picture_script). */
#define FZ_PICTURE_SET "set_to_shade"
/* The script with the set of --set as a shown `let` after it, so that it is checked and evaluated
 * as any other, and for a player from what that player knows. To be freed; NULL after a
 * complaint. */
char *fzi_picture_script(const fzi_cli *cli, const char *path, size_t *length);

/* ---- picture_file.c: a position painted into a file ---- */

/* Writes the picture of the session's state for a player (-1: everything). An exit code. */
int fzi_picture_write(fzi_session *session, int player);
/* The same, to a file of its own: with --output game.svg and number 7, game-007.svg. */
int fzi_picture_write_numbered(fzi_session *session, int player, size_t number);

/* ---- rules.c: rules of a script ---- */

/* An array of objects. `never` keeps only the rules that never ran and are not inside another such
 * rule. */
json_t *fzi_rule_json(const fz_rule *rule);
json_t *fzi_rules_json(const fz_coverage *coverage, bool never);

/* ---- ruleset.c: a game with options of its own, "a.game:Size=7,Swap=true" ---- */

typedef struct fzi_ruleset {
    fzi_cli cli;          /* with its own options after those of the command line */
    const char *word;     /* as it was given */
    char *path;
    fzi_session session;
} fzi_ruleset;

/* Compiles the game; its errors go to stderr. An exit code. Close it in any case. */
int fzi_ruleset_open(fzi_ruleset *ruleset, const fzi_cli *cli, const char *word);
void fzi_ruleset_close(fzi_ruleset *ruleset);

/* ---- playout_records.c: --record and --records of playouts ---- */

/* Reads --records. An exit code. */
int fzi_records_read(const fzi_session *session, fzi_wanted *wanted);

/* Plays the game again, move by move, for --record without --records. An exit code. */
int fzi_record_first(fzi_session *session, const fz_lineup *lineup, uint64_t stream);
/* Writes the records of --records, of the playouts that begin with number `first` (from 0) and are
 * counted in the tally. An exit code. */
int fzi_record_wanted(fzi_session *session, const fz_lineup *lineup, const fzi_wanted *wanted,
                      uint64_t first, const fz_tally *tally);

/* ---- playout_report.c: the report of playouts ---- */

/* The report says nothing about how the playouts were made, so it is the same on any number of
 * threads, shards or processes. `part`: which playouts these are, such as "shard 3/16, playouts 251
 * to 375"; NULL: all. An exit code. */
int fzi_report_print(const fzi_cli *cli, const fzi_shard *shard, const char *part);

/* Writes the shard to --output. An exit code. */
int fzi_report_shard(const fzi_cli *cli, fz_context *context, const fzi_shard *shard);

/* "1.50 s, 2,000 playouts a second, 16,000 decisions a second" on stderr. */
void fzi_report_rates(uint64_t playouts, uint64_t plies, double seconds);

/* ---- processes.c: the processes of an MPI job ---- */

/* Each plays a part of the playouts, and the first one reports. */
typedef struct fzi_processes {
    int rank, count;     /* 0 and 1 outside of a job */
    bool in_job;
    int left;            /* texts that are to be sent or received */
} fzi_processes;

/* Joins the job, if ferz was started by one. An exit code. */
int fzi_processes_begin(fzi_processes *processes, const fzi_cli *cli);
/* Leaves it. A process that fails before it has sent its text, or the first one before it has
 * received all, ends the whole job: the others would wait for ever. */
void fzi_processes_end(fzi_processes *processes, int code);

/* Sends a text to the first process. */
void fzi_processes_send(fzi_processes *processes, const char *text, size_t length);
/* In the first process: the next text of that rank; freed with free(). */
char *fzi_processes_receive(fzi_processes *processes, int rank, size_t *length);
/* In the first process: adds the sums of the other processes' parts of `whole` playouts to the
 * shard, which has those of its own part. Only parts without a gap before them count, so the result
 * is that of the first k playouts. All are received, because the others wait. An exit code. */
int fzi_processes_add_parts(fzi_processes *processes, const fzi_cli *cli, fz_context *context,
                            fzi_shard *shard, uint64_t whole);

/* ---- measuring.c: the games of `ferz measure` and `ferz report` ---- */

/* Opens the script or the archive of the command line, plays and measures the games, and calls
 * `print` if some were measured, also after an interrupt or an error. `example`: a game without a
 * board has its first game as an example. An exit code. */
int fzi_measure_games(const fzi_cli *cli, bool example,
                      int (*print)(const fzi_cli *cli, const fzi_measure_run *run));

/* ---- print_measures.c: measures of games ---- */

/* In the format of the command line; an exit code. */
int fzi_measures_print(const fzi_cli *cli, const fzi_measures_page *page);

/* ---- print_findings.c: what fz_check_game finds, as text or as a value of JSON ---- */

void fzi_playout_findings_print(const fzi_cli *cli, fz_context *context, const fz_check *check,
                                const char *path);
/* With --record, also writes a record of each finding that has moves. The number of findings. */
size_t fzi_deep_findings_print(const fzi_cli *cli, fz_context *context, const fz_check *check,
                               const char *path);

/* ---- command_solve.c ---- */

/* What solutions and strategies may take: the limit, or 1 GiB. */
size_t fzi_cli_memory(const fzi_cli *cli);

/* ---- learn_run.c ---- */

/* Games that are learned from. All zero before the first. */
typedef struct fzi_learn_run {
    bool stopped;
    uint64_t failed;          /* games */
    char *why;                /* of the first that failed */
} fzi_learn_run;

/* Plays game `number` of `total`. Statuses as of fzi_learning_play. */
typedef fz_status fzi_learn_game(void *user, uint64_t number, uint64_t total);

/* Plays up to the number of --count, of which `begun` have been played. */
fz_status fzi_learn_games(fzi_learn_run *run, const fzi_session *session, fz_machine *machine,
                          uint64_t begun, const fz_watch *watch, fzi_learn_game *play, void *user);
/* Writes what was learned, if the status is FZ_OK. The exit code. */
int fzi_learn_write(const fzi_session *session, fz_status status, char *text, const char *path);
/* Names the first game that failed, and forgets the run. The exit code, which was `code`. */
int fzi_learn_end(const fzi_session *session, fzi_learn_run *run, int code);

/* ---- learn_strategy.c ---- */

/* Learns the strategy of the file. `there`: it is continued. */
int fzi_cli_learn_strategy(fzi_session *session, const char *path, bool there);

/* ---- print_solution.c: a solved game ---- */

int fzi_solution_print(const fzi_session *session, const fzi_solution *solution);
int fzi_hidden_print(const fzi_session *session, const fzi_hidden *hidden, double exploitability);
int fzi_hidden_loss_print(const fzi_session *session, const fzi_hidden *hidden,
                          const fzi_hidden_loss *loss, uint64_t samples);

/* ---- print_game.c: a game described ---- */

void fzi_game_print(const fz_program *program);
json_t *fzi_game_json(const fz_program *program);

/* ---- print_diff.c: the differences of two games ---- */

typedef struct fzi_diff_texts {
    const fzi_cli *cli;
    const char *paths[2];
    fz_declarations *lists[2];
} fzi_diff_texts;

/* An exit code: 0 if the games declare the same. */
int fzi_diff_print_rules(const fzi_diff_texts *texts);
/* Of the games of two sessions. */
int fzi_diff_print_behaviour(const fzi_session sessions[2], const fz_diff *found);

/* ---- new_script.c: texts of new scripts ---- */

/* The texts of skeletons.txt; a row without a name is the last one. */
typedef struct fzi_skeleton {
    const char *name, *text;
} fzi_skeleton;
extern const fzi_skeleton fzi_skeletons[];

typedef struct fzi_new_script {
    fz_context *context;
    const char *path;
    fz_report *report; /* of the latest text that was compiled; the caller frees it */
} fzi_new_script;

/* A script that is valid and passes its test, to be freed with free; NULL if no skeleton fits:
 * `report` may say why. Without a board or players (NULL), the usual ones. */
char *fzi_new_game(fzi_new_script *script, const char *board, const char *players);
char *fzi_new_variant(fzi_new_script *script, const char *base);

#endif
