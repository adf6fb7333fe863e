/* Long runs of games and what they give: archives, shards, measures, studies, reports. The public
 * functions of ferz.h, and the parts that the command `ferz` also uses to show progress. */
#ifndef FZ_INTERP_LAB_LAB_H
#define FZ_INTERP_LAB_LAB_H


#include "grammar/prose/page.h"
#include "grammar/source/arena.h"
#include "interp/measures/measures.h"
#include "interp/picture/scene.h"
#include "interp/support/text.h"
#include "interp/support/threads.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- setup.c ---- */

/* A game that is ready to be played many times. Archives, measures, studies and agents take it from
 * the command line's session, from the public functions, or make it themselves. */
typedef struct fzi_setup {
    fz_context *context;      /* has the message of what failed */
    const char *path;         /* of the script, as records and archives name it */
    fz_program *program;
    fz_machine *machine;
    fz_state *state;          /* the beginning; `options.from` is this state or NULL */
    fz_run_options options;
} fzi_setup;

/* Compiles the script at setup->path with the settings of the options. On failure `*report`, which
 * may be NULL, gets the diagnostics, and the message is "PATH: the script has errors". */
fz_status fzi_setup_compile(fzi_setup *setup, fz_report **report);
/* Makes the machine, which asks for chance, and the state: at the beginning or, not NULL, at the
 * position of the text. */
fz_status fzi_setup_begin(fzi_setup *setup, const char *position);
/* For a program of the caller: retains it, takes its path unless the options have one, begins. */
fz_status fzi_setup_program(fzi_setup *setup, fz_context *context, fz_program *program,
                            const fz_run_options *options);
/* Frees the program, the machine and the state. */
void fzi_setup_clear(fzi_setup *setup);

/* The script's name without folders and ending, as protocols write it: '-' for what separates names
 * there, cut to what fits. */
enum { FZI_SCRIPT_NAME = 96 };
void fzi_script_name(const char *path, char name[FZI_SCRIPT_NAME]);

/* Copies the machine's message into the context; returns the status. */
fz_status fzi_setup_failed(const fzi_setup *setup, fz_status status);

/* The limits of the options, or the defaults. */
const fz_limits *fzi_setup_limits(const fzi_setup *setup);
/* The playouts of the options' shard: of the streams of the seed, from 0. */
void fzi_setup_range(const fzi_setup *setup, uint64_t *first, uint64_t *count);

/* The record of a playout of the run (fz_record_playout); freed with fz_text_free. */
fz_status fzi_setup_record(const fzi_setup *setup, const fz_lineup *lineup, uint64_t stream,
                           char **text);
/* Sets the message of playouts that failed: `message`, or a general one if it is "", and the moves
 * of the first game that failed. `text` (NULL, or freed with fz_text_free) gets its record.
 * FZ_RUNTIME. */
fz_status fzi_setup_playouts_failed(const fzi_setup *setup, const fz_tally *tally,
                                    const fz_lineup *lineup, const char *message, char **text);

/* The games whose records are stored: numbers from 1. */
typedef struct fzi_wanted {
    uint64_t first, last;
    bool failed;              /* only those that fail */
} fzi_wanted;
/* Reads options.records; NULL wants none. FZ_USAGE: it is none of "all", "failed", "N" and
 * "N..M". */
fz_status fzi_wanted_read(const fzi_setup *setup, fzi_wanted *wanted);

/* Reads digits with optional `_` and a suffix k, M or G. False: the text is not a number. */
bool fzi_number_read(const char *text, uint64_t *number);
/* Reads a seed as results state it: nothing but digits, no 0 before others. False: it is none, or
 * NULL. */
bool fzi_seed_read(const char *text, uint64_t *seed);

/* ---- lineup.c ---- */

/* The agents that play a game: one for each player, made for each thread. Commands and runs make
 * them from descriptions. */
typedef struct fzi_lineup {
    fzi_setup setup;             /* what it points to must live as long */
    char *list;                  /* the descriptions, each ended by a NUL */
    const char *descriptions[16];
    unsigned count;
    bool timed;                  /* an agent's time is limited: games need not repeat */
    fz_lineup maker;             /* makes them for fz_sample */
    const fz_lineup *games;      /* this maker; NULL: moves are random */
} fzi_lineup;

/* Splits a list of descriptions at its commas; the first 16 are kept. FZ_NO_MEMORY. */
fz_status fzi_lineup_split(fzi_lineup *lineup, const fzi_setup *setup, const char *list);
/* Reads a list of descriptions with commas between them: one for each player, or one for all; NULL:
 * moves are random. After a failure there is nothing to clear. */
fz_status fzi_lineup_read(fzi_lineup *lineup, const fzi_setup *setup, const char *list);
void fzi_lineup_clear(fzi_lineup *lineup);
/* The agent of a player, or of a number, of the lineup `user`. */
fz_status fzi_lineup_agent(void *user, unsigned player, fz_decider *decider, char *message);

/* Do agents of the list need the game from its beginning? So do programs, and all where something
 * is hidden. */
bool fzi_lineup_needs_log(const fz_program *program, const char *list);
/* An agent of Ferz, which may read an evaluation. The context has the message, too. */
fz_status fzi_agent_own(const fzi_setup *setup, const char *description, fz_agent **agent,
                        char *message);
/* An agent, also `pipe:COMMAND`. On failure `message` (256 bytes) says why. */
fz_status fzi_agent_make(const fzi_setup *setup, const char *description, fz_agent **agent,
                         char *message);
/* The same as a decider. */
fz_status fzi_agent_decide(const fzi_setup *setup, const char *description, fz_decider *decider,
                           char *message);

/* ---- pipe_agent.c ---- */

/* Agents that are programs: `pipe:COMMAND` or `pipe:timeout=5s:COMMAND` runs the command in a
 * shell, once for each agent, and talks with it in JSON lines (docs/agents.md). On failure
 * `message` (256 bytes) says why. */
fz_status fzi_pipe_agent_new(const fzi_setup *setup, const char *description, fz_agent **agent,
                             char *message);

/* ---- run_key.c: SHA-256 ---- */

enum { FZI_FINGERPRINT_SIZE = 65 }; /* hexadecimal, with the NUL */

/* The fingerprint of bytes. */
void fzi_fingerprint(const char *bytes, size_t length, char text[FZI_FINGERPRINT_SIZE]);
/* The fingerprint of all texts that the program was compiled from, each with its length before it;
 * the paths do not count. */
void fzi_fingerprint_program(const fz_program *program, char text[FZI_FINGERPRINT_SIZE]);

/* ---- run_key.c ---- */

/* An experiment: all that determines the games of a run, and the names that its report needs. It is
 * a JSON object, so that shard files and archives hold it as it is:
 *
 *   ferz          the version
 *   program       the fingerprint of its texts
 *   game, players, one_side, payoffs    as the program says
 *   options       all options of the game with their values
 *   agents        descriptions; null: random moves
 *   evaluations   the fingerprint of each that they read, by path; missing: none
 *   limits        those that are set
 *   position      where the games begin; null: at the beginning
 *   branching     whether legal moves are counted
 *   seed          as text: a number of 64 bits
 *   playouts      how many there are in all
 *   script, given, repeatable           for reports only: where the script lay, the options that
 *                 were set, and whether no agent's time is limited */

/* All options of the program with their values, as texts. */
json_t *fzi_all_options(const fz_program *program);
/* `repeatable`: no agent's time is limited. NULL: the context's message says why. */
json_t *fzi_experiment_of(const fzi_setup *setup, bool repeatable);
/* What a reader needs to play these games again: version, program, script, all options, agents with
 * all settings, limits, the position in which they begin (or null), seed, and the numbers of the
 * first and the last one (from 1). */
json_t *fzi_experiment_trace(const json_t *experiment, uint64_t first, uint64_t count);

/* Compares what determines the games. NULL: nothing differs; otherwise what does, such as "other
 * options: {} and {\"Size\": \"5\"}", into `text`. */
enum { FZI_DIFFERENCE_SIZE = 400 };
const char *fzi_experiment_difference(const json_t *one, const json_t *other,
                                      char text[FZI_DIFFERENCE_SIZE]);
bool fzi_experiment_is_same(const json_t *one, const json_t *other);
/* Is this an experiment, all of whose members have the right types? Files may hold anything. */
bool fzi_experiment_is_whole(const json_t *experiment);
/* Has an archive the use of the board of its games? That of a study has. */
bool fzi_experiment_has_use(const json_t *experiment);
/* From now on it has not. */
void fzi_experiment_forget_use(json_t *experiment);

/* The options of a run of the experiment; `run` points to the others and into the experiment. */
typedef struct fzi_experiment_options {
    fz_setting *settings; /* from the context's allocator */
    fz_limits limits;
    fz_run_options run;
} fzi_experiment_options;
fz_status fzi_experiment_run(const json_t *experiment, fz_context *context,
                             fzi_experiment_options *into);

uint64_t fzi_experiment_seed(const json_t *experiment);
uint64_t fzi_experiment_playouts(const json_t *experiment);
unsigned fzi_experiment_players(const json_t *experiment);
const char *fzi_experiment_player(const json_t *experiment, unsigned player);
/* A member that is a text; "" if it is null. */
const char *fzi_experiment_text(const json_t *experiment, const char *member);
bool fzi_experiment_is(const json_t *experiment, const char *member);

/* ---- sums_json.c ---- */

/* Sums over playouts as JSON: whole numbers of 128 bits are texts, so nothing is rounded. */

/* A value, which is given up, as a text to be freed with fz_text_free. FZ_NO_MEMORY. */
fz_status fzi_json_text(fz_context *context, json_t *value, char **text);

json_t *fzi_sums_json(const fz_sums *sums, unsigned players);
/* Begins the sums, also when they are refused: false, the object is not what fzi_sums_json makes,
 * or its numbers contradict each other. */
bool fzi_sums_read(const json_t *object, unsigned players, fzi_allocator allocator, fz_sums *sums);

/* The name of a reason of ends, such as "no move", and the reason of that name; FZ_NOT_ENDED. */
const char *fzi_ending_name(fz_ending ending);
fz_ending fzi_ending_called(const char *name);

/* The reasons that some playouts have, each once: the most frequent first, then by place. `ends`
 * has room for sums->end_count; the texts stay those of the sums. Returns how many there are. */
size_t fzi_sums_ends(const fz_sums *sums, fz_sums_end *ends);

/* ---- sums_json.c ---- */

/* A number, null if it is not finite; an estimate, whose interval may not be known. */
json_t *fzi_number_json(double value);
json_t *fzi_estimate_json(fzi_estimate estimate);

/* ---- checked_json.c ---- */

/* Files of one JSON object whose member `format` names its kind and version, with a checksum. */
typedef struct fzi_checked_form {
    const char *format;      /* "ferz shard 2": the last digit is the version */
    const char *article, *what, *command; /* "this is not ARTICLE WHAT of ferz COMMAND" */
} fzi_checked_form;

/* Adds the checksum and writes the object, which is released; to be freed with fz_text_free. */
fz_status fzi_checked_json_text(json_t *object, fz_context *context, char **text);
/* Reads an object of the form, without its checksum, to be released. FZ_BAD_INPUT: it is another,
 * or damaged; `path` is for the message. */
fz_status fzi_checked_json_parse(fz_context *context, const char *path,
                                 const fzi_checked_form *form, const char *text, size_t length,
                                 json_t **object);
/* The same of a file. */
fz_status fzi_checked_json_read(fz_context *context, const char *path, const fzi_checked_form *form,
                                json_t **object);
/* Says that a member, or row `row` of it from 1, is none of an object of this form. FZ_BAD_INPUT.
 * */
fz_status fzi_checked_json_damaged(fz_context *context, const char *path,
                                   const fzi_checked_form *form, const char *member, size_t row);
/* Is the object of this program, with these options? FZ_REFUSED: it is of others. */
fz_status fzi_checked_json_program(fz_context *context, const char *path,
                                   const fzi_checked_form *form, const fz_program *program,
                                   const json_t *object);
/* Reads how far a learning has come, and its seed. */
fz_status fzi_checked_json_course(fz_context *context, const char *path,
                                  const fzi_checked_form *form, const json_t *object,
                                  uint64_t *games, uint64_t *seed);

/* ---- shard_file.c ---- */

/* Shard files: the exact sums of consecutive playouts of an experiment, as JSON with a checksum.
 * Joined, they give what one run gives. */

typedef struct fzi_shard {
    const char *path;
    json_t *experiment;
    uint64_t first, count; /* the playouts, from 0 */
    long long run;         /* of an archive: which of its runs it is; else 0 */
    fz_sums sums;
} fzi_shard;

/* How many of the playouts were played: not all if the run was interrupted. */
static inline uint64_t fzi_shard_played(const fzi_shard *shard)
{
    return shard->sums.playouts + shard->sums.failed;
}
/* fzi_experiment_trace of those that were played. */
json_t *fzi_shard_trace(const fzi_shard *shard);
/* The results of a run as `ferz playout --format json` prints them. `part`: which playouts these
 * are; NULL: all. */
json_t *fzi_results_json(const fzi_shard *shard, const char *part);

/* The text of the file; freed with fz_text_free. */
fz_status fzi_shard_text(const fzi_shard *shard, fz_context *context, char **text);
/* Reads the text of a file; `path` is for messages. After a failure there is nothing to clear. */
fz_status fzi_shard_parse(fz_context *context, const char *path, const char *text, size_t length,
                          fzi_shard *shard);
void fzi_shard_clear(fzi_shard *shard);

/* Joins shards, which are sorted by their playouts: all of one experiment, without gaps and
 * overlaps. `all` becomes the shard that has all playouts; clear it in any case. */
fz_status fzi_shards_join(fz_context *context, fzi_shard *shards, size_t count, fzi_shard *all);

/* ---- archive.c ---- */

/* Archives of playouts: SQLite databases with a row for each game. docs/archive.md describes the
 * tables. The public functions, studies, measures and the command `ferz` use them.
 * What reads and writes them includes sqlite.h as well, which is large. */

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

/* A reason for which games of the run ended. */
typedef struct fzi_archived_end {
    fz_ending kind;
    uint32_t place;     /* of the program */
    char *text;         /* the place, or the message of an error */
} fzi_archived_end;

struct fz_archive {
    fz_context *context;      /* has the message of what failed */
    char *path;               /* of the context's allocator */
    sqlite3 *database;        /* NULL: not open */
    sqlite3_stmt *insert;     /* adds a game */
    fzi_setup setup;          /* of the run */
    const fz_program *program; /* the same program; also for reading only */
    fzi_wanted wanted;        /* games whose records are stored */
    const struct fzi_lines *lines; /* with these the use of the board is stored; NULL */
    sqlite3_stmt *insert_use; /* adds it */
    long long run;
    uint64_t first, count, done; /* the run's playouts, and how many the archive has */
    uint64_t pending;         /* of these in the open transaction */
    bool open;                /* a transaction is */
    bool failed;              /* the context has the message */
    bool changed;             /* by another program, under our hands */
    double committed;         /* when, in seconds */
    fzi_archived_end *ends;   /* the reasons of ends that the run has so far */
    size_t end_count;
};

extern const char fzi_archive_in_memory[]; /* a path: the archive is gone when it is closed */
/* Is the file an SQLite database? */
bool fzi_archive_is(const char *path);
/* Opens the archive of a file, or makes one with `create`. Close it in any case. */
fz_status fzi_archive_open(fz_archive *archive, fz_context *context, const char *path, bool create);
/* Sets the message to the database's; returns FZ_BAD_INPUT. */
fz_status fzi_archive_failed(fz_archive *archive);
/* Sets the message, which begins with the path; returns the status. */
fz_status fzi_archive_say(fz_archive *archive, fz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Forgets the run; the archive stays open for another one. */
void fzi_archive_end_run(fz_archive *archive);
void fzi_archive_forget(fz_archive *archive); /* frees the reasons of ends only */
void fzi_archive_clear(fz_archive *archive);

/* Prepares a statement and binds its parameters, the first of which `types` has a letter for: 'i' a
 * long long, 'n' a const int64_t * or NULL, 't' a text or NULL. NULL after a failure. */
sqlite3_stmt *fzi_archive_query(fz_archive *archive, const char *sql, const char *types, ...);
/* Goes to the next row. False: there is none, or, after a failure, the archive has failed
 * (`archive->failed`). `statement` may be NULL: preparing it has failed. */
bool fzi_archive_next(fz_archive *archive, sqlite3_stmt *statement);
/* Runs a statement that gives no rows. False after a failure. */
bool fzi_archive_run(fz_archive *archive, const char *sql, const char *types, ...);
/* The same of a statement that is prepared, which can be run again. */
bool fzi_archive_rerun(fz_archive *archive, sqlite3_stmt *statement, const char *types, ...);
/* Runs statements without parameters. False after a failure. */
bool fzi_archive_do(fz_archive *archive, const char *sql);
/* Ends a transaction: commits if `status` is FZ_OK, otherwise rolls back. */
fz_status fzi_archive_commit(fz_archive *archive, fz_status status);
/* A statement with its first column as a number; `fallback` if there is no row, or after a failure
 * (then the archive has failed). */
long long fzi_archive_number(fz_archive *archive, const char *sql, long long fallback);
/* Computes the checksum of the run anew after it has changed. */
bool fzi_archive_seal_run(fz_archive *archive);
/* Is there nothing of the run, whose row has just been made? False after a failure, too. */
bool fzi_archive_begins(fz_archive *archive);
/* The columns of a row: a text, "" if it is NULL; JSON, which the caller releases, or NULL. */
const char *fzi_archive_text(sqlite3_stmt *row, int column);
json_t *fzi_archive_json(sqlite3_stmt *row, int column);

/* The first run after number `after` that is one of the experiment, unless that is NULL, and of
 * `count` games from number `first` on, unless that is 0. 0: there is none, -1 after a failure. */
long long fzi_archive_find(fz_archive *archive, const json_t *experiment, long long after,
                           uint64_t first, uint64_t count);

/* ---- archive_checksums.c ---- */

/* The columns that the checksum of a row covers, which stands in its column `checksum`. In SQL,
 * row_checksum(COLUMNS) computes it, and row_is_whole(CHECKSUM, COLUMNS) fails if it is another:
 * then the archive is damaged. */
#define FZI_SOURCE_ROW "program, number, path, text"
#define FZI_RUN_ROW "run, experiment, first, count, records, command, started, ended"
#define FZI_ENDING_ROW "run, ending, kind, place"
#define FZI_GAME_ROW(t)                                                                           \
    t "run, " t "game, " t "decisions, " t "turns, " t "moves, " t "ending, " t "ranks, "          \
    t "against, " t "payoffs, " t "record"
#define FZI_USE_ROW(t) t "run, " t "game, " t "use"

/* Adds these functions to the database. A code of SQLite. */
int fzi_checksums_add(sqlite3 *database);

/* ---- archive_write.c ---- */

/* Begins the run of the shard's playouts, or continues it with options.resume: then the shard's
 * sums get the playouts that the archive has, and `done` is their number. */
fz_status fzi_archive_begin(fz_archive *archive, const fzi_setup *setup, fzi_shard *shard);
/* Takes the playouts of the run. */
fz_sink fzi_archive_sink(fz_archive *archive);
/* Commits what was taken. */
fz_status fzi_archive_end(fz_archive *archive);
/* Plays the shard's games that the archive does not have, or all if that is NULL, adds them to its
 * sums, and commits. FZ_RUNTIME: games failed. */
fz_status fzi_shard_play(const fzi_setup *setup, const fz_lineup *lineup, fz_archive *archive,
                         fzi_shard *shard, fz_tally *tally);

/* ---- archive_read.c ---- */

/* Adds a reason to those of the run. False: memory is short. */
bool fzi_archive_add_end(fz_archive *archive, fz_ending kind, uint32_t place, const char *text);
/* The place of the program that this text of an archive means; -1: none. Several scripts may have
 * one name: the same in full comes first, then the same without folders of this machine, then the
 * same name. */
long long fzi_archive_place(const fz_program *program, const char *wanted);

/* Takes a game that did not fail, and what it did with the board: counts by line and by site. They
 * are NULL if `lines` of the archive is. False: memory is short. */
typedef bool fzi_take_row(void *user, const fz_game_row *row, const uint32_t *line_steps,
                          const uint32_t *site_moves);
/* Adds the games that the archive has of `run` to the sums, and gives each to `take`, unless it is
 * NULL; `program`, `first` and `count` are those of the run, and `done`, which is 0, becomes their
 * number. */
fz_status fzi_archive_load(fz_archive *archive, fz_sums *sums, fzi_take_row *take, void *user);
/* Adds the first `count` games of all runs of the experiment, such as those of all shards, to the
 * sums, and gives each of them to `take`, in the order of the games; `program` and `lines` are
 * set. */
fz_status fzi_archive_read(fz_archive *archive, const json_t *experiment, uint64_t count,
                           fz_sums *sums, fzi_take_row *take, void *user);
/* FZ_BAD_INPUT: games of the run, or of any run if it is 0, are missing, or belong to no run. */
fz_status fzi_archive_complete(fz_archive *archive, uint64_t run);
/* Gives each run of the archive, or with `games` each game, to `take` as an object with the columns
 * of the table; only those of the run, unless it is 0. */
fz_status fzi_archive_list(fz_archive *archive, bool games, uint64_t run,
                           void (*take)(void *user, json_t *row), void *user);

/* ---- archive_replay.c: a run, opened to be played again ---- */

typedef struct fzi_archived_text {
    char *path, *text;
} fzi_archived_text;

/* Its game is compiled from the texts that the archive has, and no file is read. */
typedef struct fzi_archived_run {
    fz_archive archive;
    fzi_experiment_options options; /* with which the run began */
    fzi_setup setup;          /* of this run, without machine and state */
    json_t *experiment;
    char *command;            /* that began it */
    fzi_archived_text *texts;
    size_t text_count;
    bool recorded;            /* all its games have records */
    bool ended;               /* it has had all its games */
    fz_sums sums;             /* of its games */
    fz_report *report;        /* why the texts cannot be compiled; NULL */
    /* What the context had before; it reads the archive's texts while the run is open. */
    bool lends;
    fz_overlay *overlay;
    void *overlay_user;
    fz_limits limits;
    pthread_mutex_t lock;     /* of the players of fzi_archived_lineup */
} fzi_archived_run;

/* Opens run number `number` of the archive; 0: its only run. Close it in any case. */
fz_status fzi_archived_open(fzi_archived_run *run, fz_context *context, const char *path,
                            uint64_t number);
void fzi_archived_close(fzi_archived_run *run);
/* Players that play the games of the run from their records; `run->recorded`. */
fz_lineup fzi_archived_lineup(fzi_archived_run *run);

/* ---- archive_join.c: fz_archives_join, and its parts ---- */

/* The number of runs; -1 after a failure. */
long long fzi_archive_count(fz_context *context, const char *path);
/* The games of run number `number` that the archive has, as a shard; 0: its only run. `*report`:
 * as fzi_setup_compile. */
fz_status fzi_archive_shard(fz_context *context, const char *path, uint64_t number,
                            fzi_shard *shard, fz_report **report);
/* Adds the games of these shards, each of which is a run of an archive, as one run. They are
 * complete and in order (fzi_shards_join). As fz_archives_join. */
fz_status fzi_archive_join(fz_archive *into, const fzi_shard *shards, size_t count,
                           const char *command);

/* ---- measures_page.c ---- */

/* A page of measures: their values and the names of what they are about. */

struct fzi_skill;

typedef struct fzi_measures_page {
    const json_t *experiment;
    const fz_program *program;  /* NULL: there is no page */
    const fzi_lines *lines;
    unsigned rollouts;
    fzi_measures measures;
    bool has_depth;
    fzi_estimate depth;       /* strategic depth, in Elo */
    const struct fzi_skill *skill; /* the same measures with other efforts; NULL */
} fzi_measures_page;

/* The name of an element of a list; in `text`, unless it is one of the program. */
enum { FZI_ELEMENT_SIZE = 160 };
const char *fzi_element_name(const fzi_measures_page *page, unsigned list, uint32_t element,
                             char text[FZI_ELEMENT_SIZE]);

/* A measure as it is printed. */
typedef struct fzi_figure {
    const char *name, *meaning;
    fzi_estimate estimate;    /* NAN: `low` and `high` without an interval, `value` if unknown */
    bool is_part;             /* it is from 0 to 1 */
} fzi_figure;
enum { FZI_MOST_FIGURES = FZ_MEASURES + 16 };
/* All that are no lists; how many. */
size_t fzi_measures_figures(const fzi_measures_page *page, fzi_figure figures[FZI_MOST_FIGURES]);

/* ---- skill_curve.c ---- */

/* Measures with an agent whose effort doubles, and their limits. Errors of searches by playouts are
 * about proportional to 1 / sqrt(effort), so the limits are those of lines over it. */

enum { FZI_MOST_EFFORTS = 16, FZI_SKILL_AGENT = 256,
       FZI_MOST_CURVES = FZI_MOST_FIGURES + 2 * FZ_MAX_PLAYERS };

typedef struct fzi_skill_curve {
    const char *name;         /* of the measure */
    char element[FZI_ELEMENT_SIZE]; /* a player; "" */
    bool is_part;             /* it is from 0 to 1 */
    fzi_estimate values[FZI_MOST_EFFORTS], limit; /* limit: NAN if it is not known */
    double fit;               /* of the values to the line, from 0 to 1; NAN */
} fzi_skill_curve;

typedef struct fzi_skill {
    unsigned efforts;
    char agents[FZI_MOST_EFFORTS][FZI_SKILL_AGENT];
    double effort[FZI_MOST_EFFORTS];
    size_t count;
    fzi_skill_curve curves[FZI_MOST_CURVES];
} fzi_skill;

/* Reads an agent with a range of efforts, such as "mcts:25..400:c=0.5". FZ_USAGE: it is none. */
fz_status fzi_skill_read(fzi_skill *skill, fz_context *context, const char *text);
/* Takes the measures of games that agent number `which` played. */
void fzi_skill_note(fzi_skill *skill, unsigned which, const fzi_measures_page *page);
/* Sets the limits, when all are there. */
void fzi_skill_extrapolate(fzi_skill *skill);
/* Has the measure an interval with every agent? Others are not worth a row. */
bool fzi_skill_is_shown(const fzi_skill *skill, const fzi_skill_curve *curve);
json_t *fzi_skill_json(const fzi_skill *skill);

/* ---- measures_page.c ---- */

/* The whole page, as `ferz measure --format json` prints it. */
json_t *fzi_measures_page_json(const fzi_measures_page *page);
/* With four digits that count; "" for NAN. */
const char *fzi_number_text(double value, char text[32]);

/* ---- measure_run.c ---- */

/* Games that are played and measured: those of a setup, or those of a run in an archive, which are
 * played again. `ferz measure`, `ferz report` and fz_measure call it. */

typedef struct fzi_measure_run {
    fz_measure_options options; /* set these before the games are played */
    bool wants_example;
    fzi_setup setup;          /* borrowed */
    fzi_archived_run *archived; /* NULL: the games of a script */
    const char *command;      /* that began the run of the archive; NULL */
    json_t *experiment;
    fzi_lines lines;
    fzi_measures_page page;
    fz_sums sums;             /* of the same games */
    uint64_t first, count;    /* the games that were to be measured, from 0 */
    uint64_t wanted;          /* how many the run is to have */
    bool stored;              /* the games were not played: an archive had their rows */
    bool stopped;             /* by the watch */
    /* The first of the games, if it is wanted: the board of other games says more. Else empty. */
    fz_record example;
} fzi_measure_run;

/* Plays and measures the games of the setup, which has begun. Clear the run in any case: also after
 * a failure some games may be measured. */
fz_status fzi_measure_play(fzi_measure_run *run, const fzi_setup *setup);
/* Plays the games of the archive again; makes machine and state of `archived->setup`. With
 * `run->stored` set, measures their rows instead. */
fz_status fzi_measure_archived(fzi_measure_run *run, fzi_archived_run *archived);
/* Are there measures to report? */
bool fzi_measure_has_page(const fzi_measure_run *run, fz_status status);
void fzi_measure_clear(fzi_measure_run *run);

/* ---- comparisons.c ---- */

/* Figures of two samples of games side by side, with what their differences are worth. */

enum { FZI_CONTRAST_NAME = 128, FZI_MOST_CONTRASTS = 37 };

typedef struct fzi_contrast {
    char name[FZI_CONTRAST_NAME];
    bool share;                   /* 0 to 1 */
    double one, other, low, high; /* low, high: 95 % interval of other - one */
    double p;                     /* of no difference; after fzi_contrasts_adjust of the family */
    const void *of[2];            /* whose figures they are, for the caller */
} fzi_contrast;

/* One of the samples. */
typedef struct fzi_contrast_side {
    const fz_tally *tally;
    const fz_program *program;   /* for the names of players; NULL: `experiment` has them */
    const json_t *experiment;
} fzi_contrast_side;

/* Wins of each seat, draws, length, ... into `figures`; returns how many. */
size_t fzi_contrasts_make(const fzi_contrast_side *one, const fzi_contrast_side *other,
                        fzi_contrast figures[FZI_MOST_CONTRASTS]);
/* The contrast of two independent estimates with their standard errors, each of so many games. */
fzi_contrast fzi_contrast_of(const char *name, double one, double error, uint64_t count,
                             double other, double other_error, uint64_t other_count);
/* Holm's adjustment of the p values of all figures: one family. False: memory is short. */
bool fzi_contrasts_adjust(fzi_contrast *figures, size_t count, fzi_allocator allocator);
/* Is there a difference, at the level of 5 % for the family? */
static inline bool fzi_contrast_differs(const fzi_contrast *figure)
{
    return figure->p < 0.05;
}

/* ---- report: an experiment as one page ---- */

/* A report: an experiment as one page, with pictures. `ferz report` writes it. */

typedef struct fzi_report {
    const fzi_measure_run *run;
    fzi_page *page;
    enum fzi_theme theme;
    const char *command;      /* that makes the report */
    bool markdown;            /* else HTML with pictures inside */
    bool data;                /* write CSV files, and pictures also for HTML */
    /* The beginning of the paths of files beside the page; "": there are none. `save` writes one;
     * false: it has complained. */
    const char *files;
    bool (*save)(void *user, const char *path, const char *text);
    void *user;
    unsigned pictures;        /* so far */
    fz_status status;         /* of the first failure */
} fzi_report;

/* ---- report_page.c ---- */

/* The page of the games that were measured; freed with fz_text_free. */
fz_status fzi_report_text(fzi_report *report, char **text);

/* ---- report_methods.c ---- */

/* Texts that live as long as the page: a number with commas, and an agent with all settings. */
const char *fzi_report_number(const fzi_report *report, uint64_t number);
const char *fzi_report_agent(const fzi_report *report, const char *agent, size_t length);
/* A text without its quotes, or other JSON in one line. */
const char *fzi_report_value(const fzi_report *report, const json_t *value);
/* The paragraphs of a publication about how the games were played and counted. */
void fzi_report_methods(fzi_report *report);
/* The program and the games as entries of BibTeX. */
void fzi_report_citation(fzi_report *report);

/* ---- report_tables.c ---- */

/* Writes the numbers as CSV files beside the page, and lists these in it. */
void fzi_report_tables(fzi_report *report);

/* ---- report_pictures.c ---- */

/* Keeps the first failure. */
void fzi_report_fail(fzi_report *report, fz_status status);
/* Writes a file beside the page. */
void fzi_report_save(fzi_report *report, const char *path, const char *text);
/* Each adds its pictures to the page, or nothing. */
void fzi_report_board(fzi_report *report);
void fzi_report_shares(fzi_report *report);
void fzi_report_payoffs(fzi_report *report);
void fzi_report_lengths(fzi_report *report);
void fzi_report_turns(fzi_report *report);
void fzi_report_branching(fzi_report *report);
void fzi_report_prospects(fzi_report *report);
void fzi_report_use(fzi_report *report);

#endif
