/* Ferz: a language for board games. The public interface of libferz.
 *
 * A context holds the allocator and the folders of modules; one thread at a time uses it. A program
 * is a compiled game: immutable, shared by reference count, usable from several threads. A machine
 * runs states of one program: it owns the scratch memory and belongs to one thread. A state is one
 * game in progress; it is flat and cheap to copy. A state is used with a machine of its program.
 * Nothing here prints or exits; every failure is a status and a text.
 *
 * Players, sites, kinds and options are numbers from 0; -1 is "none" (nobody, off). A number out of
 * range gives the result of -1, false or FZ_USAGE.
 *
 * FZ_NO_MEMORY may come from every function that returns a status. A pointer result is NULL after a
 * failure. The caller owns the results of `_new`, `_clone` and `_begin` and frees them with
 * `_free`, and owns a `char **text` and frees it with fz_text_free of the context that made the
 * program. Everything else is borrowed; its comment says until when.
 *
 * Result pointers may be NULL if the caller does not need the result. What the caller would own
 * is then freed. Functions that free accept NULL. */
#ifndef FERZ_H
#define FERZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. */
#define FZ_VERSION "0.1.0"
/* The version of the library that runs, such as "0.1.0". */
const char *fz_version(void);
/* The folder of the shipped games: that of the environment variable FERZ_GAMES, or where Ferz is
 * installed, or of the sources that the library was built from. Records of these games name them
 * without the folder and ".game": "family/name". */
const char *fz_library_games(void);
/* Writes the path of the shipped game of that name: "family/name", or "name" alone. False: there is
 * none, or the path has `size` bytes or more. */
bool fz_library_path(const char *name, char *path, size_t size);

typedef enum fz_status {
    FZ_OK,
    FZ_INVALID,      /* the script is wrong; see the diagnostics */
    FZ_NOT_FOUND,    /* a file cannot be read, a name or move is unknown */
    FZ_NO_MEMORY,
    FZ_RUNTIME,      /* the script failed while playing: an index out of range, a limit exceeded */
    FZ_BAD_INPUT,    /* a position, record or compiled file is damaged */
    FZ_REFUSED,      /* not possible for this program or not allowed, such as native code */
    FZ_USAGE         /* an argument is out of range, or the state does not allow the call */
} fz_status;

/* ---- context ---- */

typedef struct fz_context fz_context;

typedef struct fz_config {
    /* Allocates, resizes and, when `size` is 0, frees; any thread may call it. NULL: realloc. */
    void *(*resize)(void *user, void *ptr, size_t size);
    void *user;
    /* Folders that `use` and `of` search after the script's own folder; NULL-terminated. NULL:
     * those of the environment variable FERZ_PATH, separated by colons, then the standard
     * library: the folder of FERZ_STDLIB, or the installed one. */
    const char *const *module_dirs;
    /* Scripts may load native libraries (`extern fn`). */
    bool allow_native;
    /* Folders that are searched for native libraries; NULL-terminated. */
    const char *const *native_dirs;
    /* Bases and modules may lie anywhere. Otherwise, after links are followed, they must lie in the
     * folder of the script that is compiled, in `module_dirs`, or in the installed library. */
    bool allow_outside;
    /* Scripts come from strangers: nothing of the above is allowed, scripts cannot raise limits
     * above their defaults, and a compile that takes more than 10 seconds or 256 MiB ends with
     * FZ_REFUSED or FZ_NO_MEMORY. */
    bool confined;
} fz_config;

/* Copies the configuration; `config` may be NULL. NULL: out of memory. */
fz_context *fz_context_new(const fz_config *config);
void fz_context_free(fz_context *context);
/* Why the last failed call with this context failed; "" if none did. Valid until its next call. */
const char *fz_context_message(const fz_context *context);

/* Disables optimisations in the programs that the context compiles and loads from now on. `names`:
 * names separated by commas, or "all"; "" enables all. Games, counts and lists of moves stay the
 * same but are slower, so this is for measuring and testing. A compiled file stays without those
 * that it was compiled without; when it is loaded, only optimisations of playing can be disabled.
 * FZ_NOT_FOUND: there is no such optimisation; the message lists them. */
fz_status fz_context_disable_optimisations(fz_context *context, const char *names);
/* The name of an optimisation, for numbers from 0; NULL when there are no more. */
const char *fz_optimisation_name(unsigned number);

/* ---- programs ---- */

typedef struct fz_program fz_program;

typedef struct fz_setting { /* a choice among a game's options, as `-o Name=Value` */
    const char *name, *value;
} fz_setting;

typedef enum fz_format { FZ_TEXT, FZ_TEXT_COLOUR, FZ_JSON } fz_format;

/* The diagnostics of a compile; the caller owns it. */
typedef struct fz_report fz_report;
void fz_report_free(fz_report *report);
unsigned fz_report_errors(const fz_report *report);
unsigned fz_report_warnings(const fz_report *report);
/* All diagnostics as text or as a JSON array; valid as long as the report. */
const char *fz_report_text(fz_report *report, fz_format format);

/* Compiles the file at `path`, or `length` bytes of `text` if it is not NULL; `path` then names
 * the text and says where its modules are. `settings` chooses values of options; the others have
 * their defaults. A file that begins like a compiled program (.gamec) is loaded and verified
 * instead. `*program` is set on success only: the caller releases it. `*report` is set unless
 * memory is short. FZ_INVALID: see the report; FZ_NOT_FOUND: no such file; FZ_BAD_INPUT: a
 * damaged program. */
fz_status fz_compile(fz_context *context, const char *path, const char *text, size_t length,
                     const fz_setting *settings, size_t setting_count, fz_program **program,
                     fz_report **report);
/* The program as C that libferz can load (free with fz_text_free). */
fz_status fz_program_c(fz_context *context, const fz_program *program, char **text, size_t *length);
/* The program as one file of C that needs no libferz; its first comment says how it is used (free
 * with fz_text_free). FZ_REFUSED: it calls native functions. */
fz_status fz_program_c_standalone(fz_context *context, const fz_program *program, char **text,
                                  size_t *length);
/* The engine that runs a program. Games are the same with each. */
typedef enum fz_engine {
    FZ_ENGINE_DEFAULT, /* auto; the loop if the environment has FERZ_ENGINE=loop */
    /* The loop; native code once there is some. When the work is long enough, a thread compiles the
     * text of fz_program_c with the system's compiler ($FERZ_CC, $CC or cc), or loads it from the
     * cache in $XDG_CACHE_HOME/ferz. Machines go over to it at their next game or move. */
    FZ_ENGINE_AUTO,
    FZ_ENGINE_LOOP,
    FZ_ENGINE_NATIVE /* native code at once */
} fz_engine;
/* Chooses what runs the program in machines that are made from now on. FZ_ENGINE_NATIVE compiles
 * and waits. FZ_NOT_FOUND: there is no compiler; FZ_REFUSED: compiling or loading failed. The
 * context's message says why, and the program stays usable, in the loop.
 * FZ_ENGINE_LOOP ends a compiler that runs in the background; so does the release of the program.
 * Machines of other threads may play during the call; those that run native code already stay with
 * it. */
fz_status fz_program_set_engine(fz_context *context, fz_program *program, fz_engine engine);
/* What the program's machines run by now: FZ_ENGINE_LOOP or FZ_ENGINE_NATIVE. `text` (256 bytes, or
 * NULL) gets the same in words, and why there is no native code if it could not be made. */
fz_engine fz_program_engine(const fz_program *program, char *text);
/* Another owner of the program; each releases it once. Any thread may call both. */
void fz_program_retain(fz_program *program);
void fz_program_release(fz_program *program);

/* The formatted text of a script (free with fz_text_free), or FZ_INVALID with a report. With the
 * text NULL, the file at the path is read. */
fz_status fz_format_source(fz_context *context, const char *path, const char *text, size_t length,
                           char **formatted, fz_report **report);
void fz_text_free(fz_context *context, char *text);

const char *fz_program_title(const fz_program *program);
int fz_program_players(const fz_program *program);
/* True if all players are on one side, as in a puzzle: such a game is won, lost or neither. */
bool fz_program_has_one_side(const fz_program *program);
bool fz_program_has_payoffs(const fz_program *program); /* see fz_state_payoff */
bool fz_program_has_chance(const fz_program *program);  /* may it roll or draw? */
/* True if the game hides anything from a player. */
bool fz_program_hides(const fz_program *program);
const char *fz_program_player_name(const fz_program *program, int player);
int fz_program_team(const fz_program *program, int player); /* its own number without teams */
int fz_program_sites(const fz_program *program);
const char *fz_program_site_name(const fz_program *program, int site);
/* Piece kinds are numbered from 0 in the order of the script; "none" and "" for other numbers. A
 * kind may have no letter: "". */
int fz_program_kinds(const fz_program *program);
const char *fz_program_kind_name(const fz_program *program, int kind);
const char *fz_program_kind_letter(const fz_program *program, int kind);

/* The options of the game with the values that it was compiled with, by number from 0.
 * `is_default`: the value is the script's default. False: there is no such option. The texts live
 * as long as the program. */
int fz_program_options(const fz_program *program);
bool fz_program_option(const fz_program *program, int option, fz_setting *setting,
                       bool *is_default);

/* An option of the game: what it is and what it may be. The texts live as long as the program. */
typedef enum fz_option_type { FZ_OPTION_NAMED, FZ_OPTION_NUMBER, FZ_OPTION_SWITCH } fz_option_type;
typedef struct fz_setting_info {
    const char *name, *value; /* the value that the game was compiled with */
    const char *initial;      /* the script's own value */
    fz_option_type type;
    int64_t low, high;        /* of a number: the smallest and the largest value */
    const char *values;       /* otherwise: all values, with a blank between two */
    const char *comment;      /* the author's, or ""; of named values "NAME: ...; NAME: ..." */
} fz_setting_info;
/* Describes an option by its number, from 0. False: there is no such option. */
bool fz_program_option_info(const fz_program *program, int option, fz_setting_info *info);

/* The texts that the game was compiled from: the script, its bases, and all modules, by number from
 * 0. False: there is no such text. The texts live as long as the program. */
bool fz_program_source(const fz_program *program, unsigned number, const char **path,
                       const char **text, size_t *length);
/* "file:line:column" of a place in these texts, cut to `size` bytes with the 0 at the end; "" for 0
 * and for unknown places. */
void fz_program_place_text(const fz_program *program, uint32_t place, char *buffer, size_t size);

/* The variables of the game by number from 0, in the order of the script. A variable is an array
 * of `length` elements, 1 without an index; with several indexes the last one runs fastest. */
typedef struct fz_variable_info {
    const char *name; /* lives as long as the program */
    size_t length;
    bool is_sites;    /* elements are sets of sites */
    bool is_secret;   /* declared `secret`: only some players may know the values */
} fz_variable_info;
int fz_program_variables(const fz_program *program);
/* False: there is no such variable, or it is one that the compiler made. */
bool fz_program_variable_info(const fz_program *program, int variable, fz_variable_info *info);
/* The number of the variable called `name`; -1 if there is none. */
int fz_program_variable(const fz_program *program, const char *name);

/* The compiled program as bytes (free with fz_text_free). */
fz_status fz_program_save(fz_context *context, const fz_program *program, char **bytes,
                          size_t *length);
/* The code with its source lines, for reading (free with fz_text_free). */
fz_status fz_program_disassemble(fz_context *context, const fz_program *program, char **text);

/* ---- machines and states ---- */

typedef struct fz_machine fz_machine;
typedef struct fz_state fz_state;

/* Ends long work early. Compiling, searching, counting, playing and waiting for other programs ask
 * it at least every few milliseconds of work, but for one decision of a script, whose bound is
 * `instructions`. What ends early says so where its result is not complete. It must live as long as
 * what asks it. */
typedef struct fz_cancel {
    volatile int now;            /* not 0: stop. Any thread or signal handler may set it. */
    double deadline;             /* of CLOCK_MONOTONIC, in seconds; 0: none */
    const struct fz_cancel *outer; /* asked, too; may be NULL */
} fz_cancel;

/* Limits of what a script may use; 0: what the script states (`limit moves = N;`, unless its
 * context was confined and this is above the default), else the default. */
typedef struct fz_limits {
    uint64_t instructions; /* for a decision, with all that is tried for it (default 100 million) */
    uint32_t frames;       /* nested calls (default 256) */
    uint32_t moves;        /* in one list (default 1 million) */
    size_t memory;         /* bytes of one machine (default 256 MiB) */
    /* turns in a row without a decision; machines that ask for chance count each result too
     * (default 10,000) */
    uint32_t idle_turns;
    uint32_t decisions;    /* in one turn, or in set-up (default 100,000) */
    uint32_t playout;      /* decisions in one playout (default 10 million) */
    const fz_cancel *cancel; /* NULL: nothing ends early */
} fz_limits;

/* The machine retains the program. `limits` may be NULL. NULL: out of memory. */
fz_machine *fz_machine_new(const fz_program *program, const fz_limits *limits);
void fz_machine_free(fz_machine *machine);
/* Why the last failed call failed, with the place in the script: "file:line:column: message". Valid
 * until the machine's next call. */
const char *fz_machine_message(const fz_machine *machine);

/* How chance is resolved. FZ_CHANCE_SAMPLE, the default: a game is a function of seed, stream and
 * the moves. FZ_CHANCE_ASK: every roll stops and waits for fz_state_set_chance. */
typedef enum fz_chance { FZ_CHANCE_SAMPLE, FZ_CHANCE_ASK } fz_chance;
void fz_machine_set_chance(fz_machine *machine, fz_chance mode);

typedef enum fz_waiting {
    FZ_WAITING_MOVE,
    FZ_WAITING_CHANCE,
    FZ_GAME_OVER,
    FZ_GAME_FAILED /* a playout ended here in a runtime error: the state can only be looked at */
} fz_waiting;

/* A game at its beginning: set-up has run until the first decision, or the first roll if the
 * machine asks. The seed and the number of the stream determine its chance. NULL: the machine's
 * message says why. */
fz_state *fz_state_new(fz_machine *machine, uint64_t seed, uint64_t stream);
void fz_state_free(fz_state *state);
/* `into` becomes a copy of `from`, a state of the same program. */
fz_status fz_state_copy(fz_state *into, const fz_state *from);
/* NULL: out of memory. */
fz_state *fz_state_clone(const fz_state *from);
/* The bytes that a copy of the state moves now: board, variables and the waiting turn. The history
 * that `repetitions` counts is not included; it grows with every turn. */
size_t fz_state_size(const fz_state *state);
/* The state begins another game, as fz_state_new does. */
fz_status fz_state_restart(fz_machine *machine, fz_state *state, uint64_t seed, uint64_t stream);

fz_waiting fz_state_waiting(const fz_state *state);
int fz_state_decider(const fz_state *state);    /* who decides; the mover if no move is awaited */
int fz_state_mover(const fz_state *state);      /* whose turn it is */
uint32_t fz_state_turns(const fz_state *state); /* turns begun so far, the current one included */
uint32_t fz_state_plies(const fz_state *state); /* decisions made so far */
/* How many of the latest decisions belong to the same `together` as the awaited one: the other
 * players do not see them yet. */
uint32_t fz_state_hidden_decisions(const fz_state *state);
bool fz_state_at_turn_start(const fz_state *state); /* at the first decision of a turn */

/* The result of a game that is over. Rank 1 is the first; players who share a place have the
 * same rank. Utility is from 0 for the last to 1 for the first, 1/2 for a draw of two sides. If
 * all players are on one side (a puzzle), they have rank 1, or 2 if they have lost, and utility
 * 1, 0, or 1/2 for neither. A game that is not over has rank 0 and utility 0. */
int fz_state_rank(const fz_state *state, int player);
double fz_state_utility(const fz_state *state, int player);
/* The value of the script's function `payoff` for the player. FZ_USAGE: the game is not over or has
 * no payoffs; FZ_RUNTIME: the function failed. */
fz_status fz_state_payoff(fz_machine *machine, const fz_state *state, int player, int64_t *value);
bool fz_state_stopped(const fz_state *state); /* ended by `limit`, not by a rule */
typedef enum fz_ending {
    FZ_NOT_ENDED,
    FZ_ENDED_BY_RULE,      /* a result in `end` or in a turn */
    FZ_ENDED_WITHOUT_MOVE, /* a result in an `otherwise`: a decision had no legal move */
    FZ_ENDED_BY_LIMIT,
    FZ_ENDED_BY_ERROR      /* of playouts only */
} fz_ending;
/* Why the game ended. `*place` is the place of the result in the script, for fz_program_place_text;
 * 0 if it is unknown, as in a position that was loaded. */
fz_ending fz_state_ending(const fz_state *state, uint32_t *place);

/* ---- moves ---- */

typedef struct fz_moves fz_moves;
fz_moves *fz_moves_new(fz_machine *machine);
void fz_moves_free(fz_moves *moves);
/* All legal moves of a waiting state, in the order of the language. */
fz_status fz_state_moves(fz_machine *machine, const fz_state *state, fz_moves *moves);
size_t fz_moves_count(const fz_moves *moves);

typedef struct fz_move {
    uint32_t option;     /* of the program */
    uint8_t count;
    int32_t values[8];   /* of its `for`s, outermost first */
} fz_move;
fz_move fz_moves_at(const fz_moves *moves, size_t index);

/* Plays a move and goes on to the next decision, roll or end. FZ_USAGE: the move is not legal;
 * FZ_RUNTIME: the script failed. The state is then unchanged. */
fz_status fz_state_play(fz_machine *machine, fz_state *state, const fz_move *move);
/* One uniformly random move, drawn from the state's own stream. */
fz_status fz_state_play_random(fz_machine *machine, fz_state *state);
/* Plays random moves to the end of the game, at most `plies` (0: no bound). After FZ_RUNTIME the
 * state is where the game failed (FZ_GAME_FAILED): it may be read, copied and freed; functions that
 * play on return FZ_USAGE. */
fz_status fz_state_playout(fz_machine *machine, fz_state *state, uint64_t plies);

/* The text of a legal move as the decider writes it; "?": it failed. The texts of moves belong to
 * the machine and are valid until its next call. */
const char *fz_move_text(fz_machine *machine, const fz_state *state, const fz_move *move);
/* The text that the others are shown. */
const char *fz_move_text_shown(fz_machine *machine, const fz_state *state, const fz_move *move);
/* The text that `player` sees when it is played: fz_move_text for the decider and for -1, otherwise
 * fz_move_text_shown. A decision of `together` is "?" for others unless the script has a text for
 * them. */
const char *fz_move_text_for(fz_machine *machine, const fz_state *state, const fz_move *move,
                             int player);
/* The sites from which and to which the move leads, -1: none. Where its option does not name them,
 * its effect shows them: the one site where a piece of the decider has come, for example. */
void fz_move_sites(fz_machine *machine, const fz_state *state, const fz_move *move, int *from,
                   int *to);
/* The first legal move with this text; blanks at its ends do not count. FZ_NOT_FOUND: there is
 * none. */
fz_status fz_move_parse(fz_machine *machine, const fz_state *state, const char *text,
                        fz_move *move);

/* Why a text is a legal move or not: the option that makes it and the clause that rejects it, with
 * places in the script, one reason a line. The text belongs to the machine and is valid until its
 * next call. */
const char *fz_move_why(fz_machine *machine, const fz_state *state, const char *text);

/* ---- moves as numbers ---- */

/* A move has a number in its program, its action, which is the same in every state: for policies
 * and tables of moves. Programs of the same script with the same settings have the same numbers.
 * The number encodes the values of the move's `for`s, so in a game that hides something it may
 * reveal more than the text of the move. */

/* The number of actions, which are numbered from 0. 0: there are none, or more than 2^53; moves
 * then have no numbers. */
int64_t fz_program_actions(const fz_program *program);
/* -1: it has no number. */
int64_t fz_move_action(const fz_program *program, const fz_move *move);
/* The move with this number, which need not be legal anywhere. False: there is no such action. */
bool fz_action_move(const fz_program *program, int64_t action, fz_move *move);
/* The actions of all moves of a list, in its order; -1 for one without a number. `actions` has room
 * for fz_moves_count of them. */
fz_status fz_moves_actions(const fz_moves *moves, int64_t *actions);

/* ---- chance ---- */

typedef struct fz_outcome { int64_t value; uint64_t weight; } fz_outcome;
/* The possible results of the awaited roll, ascending, with their weights: the probability of
 * one is its weight divided by the sum. The array belongs to the machine and is valid until its
 * next call. FZ_USAGE: the state does not wait for chance. */
fz_status fz_state_outcomes(fz_machine *machine, const fz_state *state, const fz_outcome **outcomes,
                            size_t *count);
/* Gives the awaited roll this result and goes on to the next decision, roll or end. FZ_USAGE: the
 * value is impossible, or the state does not wait for chance. */
fz_status fz_state_set_chance(fz_machine *machine, fz_state *state, int64_t value);
/* For a machine that asks for chance: samples the awaited roll from the state's own stream, so the
 * game stays that of its seed. `*value` is the result. */
fz_status fz_state_sample_chance(fz_machine *machine, fz_state *state, int64_t *value);
/* The text of a value of the awaited roll, such as "3", "Bowser" or "e4". It belongs to the machine
 * and is valid until its next call. */
const char *fz_chance_text(fz_machine *machine, const fz_state *state, int64_t value);
/* The same for a player: "?" if the player does not see the result. -1 sees everything. */
const char *fz_chance_text_for(fz_machine *machine, const fz_state *state, int64_t value,
                               int player);
/* True if the player sees the result of the awaited roll. */
bool fz_state_sees_chance(const fz_state *state, int player);

/* ---- positions, drawings, records ---- */

/* The text of a position (docs/positions.md); free with fz_text_free. `history`: with the earlier
 * positions that `repetitions` counts. */
fz_status fz_state_write(fz_machine *machine, const fz_state *state, bool history, char **text);
/* The state becomes the position of the text. FZ_BAD_INPUT: the machine's message says why, and the
 * state is unchanged. */
fz_status fz_state_read(fz_machine *machine, fz_state *state, const char *text);
/* The position as `player` knows it, also in the middle of a turn: `?` on sites that are hidden
 * from the player and for secret variables of others, nothing on sites that look empty to the
 * player. FZ_USAGE: there is no such player. */
fz_status fz_state_write_for(fz_machine *machine, const fz_state *state, int player, char **text);
/* The player's observation: the text of fz_state_write_for, and after `seen:` a line for each move
 * and roll since the turn began, as the player saw it. States that differ only in what the player
 * may not see have the same observation. */
fz_status fz_state_observation(fz_machine *machine, const fz_state *state, int player,
                               char **text);
/* A copy that holds only what the player knows: unknown sites are empty, and the secrets of others
 * have their initial values. It has no record, and after a move or roll of this turn that others
 * made, its position cannot be written (fz_state_write: FZ_USAGE). NULL on failure. */
fz_state *fz_state_clone_for(fz_machine *machine, const fz_state *state, int player);
/* The state as a JSON object (docs/data.md): mover, result, pieces, variables and shown values by
 * name, as `player` knows them; -1: everything. `moves`: with the legal moves, unless they tell the
 * player something. Free with fz_text_free. FZ_USAGE: there is no such player. */
fz_status fz_state_json(fz_machine *machine, const fz_state *state, int player, bool moves,
                        char **json);
/* The position in FEN, for games whose `info` names a mapping. */
fz_status fz_state_write_fen(fz_machine *machine, const fz_state *state, char **text);
fz_status fz_state_read_fen(fz_machine *machine, fz_state *state, const char *text);
/* How a board is drawn: the sum of some of these; 0: UTF-8 without colours. */
enum {
    FZ_DRAW_COLOUR = 1, /* with escape sequences for colours */
    FZ_DRAW_ASCII = 2,  /* arrows and lines in ASCII; names of the script stay as they are */
    FZ_DRAW_SYMBOLS = 4, /* pieces as symbols, such as figures and discs, where they have some; with
                           colours, regions that `show ... as` marks are shaded */
    FZ_DRAW_PALETTE = 8 /* colours of a palette of 256 that can be read on dark and light
                           backgrounds; otherwise the 16 whose shades the terminal chooses */
};
/* The board drawn in text, with coordinates, what the script shows and whose turn it is. */
fz_status fz_state_draw(fz_machine *machine, const fz_state *state, unsigned style, char **text);
/* Draws the board as `player` sees it: `?` for hidden sites and the secret variables of others. */
fz_status fz_state_draw_for(fz_machine *machine, const fz_state *state, int player, unsigned style,
                            char **text);

/* The board as an SVG document, as `player` sees it; -1: with everything. `theme`: "wood", "plain"
 * or "night"; NULL: the first. FZ_USAGE when there is no such theme or player. */
fz_status fz_state_svg(fz_machine *machine, const fz_state *state, int player, const char *theme,
                       char **text);

/* The kind and the owner of the piece on a site; -1: none. Of a stack, the top piece. */
void fz_state_piece(const fz_state *state, int site, int *kind, int *owner);

/* The number of pieces on a site; more than 1 only in games with stacks. */
unsigned fz_state_height(const fz_state *state, int site);
/* A piece of the stack on a site, counted from 1 at the bottom. */
void fz_state_piece_in(const fz_state *state, int site, unsigned place, int *kind, int *owner);

/* An element of a variable that does not hold sites: a number, or the number of a value of its
 * type; false and true are 0 and 1, `off`, `nobody` and `none` -1. Secret variables can be read
 * too. False: there is no such element. */
bool fz_state_variable(const fz_state *state, int variable, size_t element, int64_t *value);
/* True if the site is in this element of a variable that holds sites. False: it is not, or there is
 * no such element. */
bool fz_state_variable_has(const fz_state *state, int variable, size_t element, int site);

/* ---- records ---- */

/* Like fz_state_new, for a game that can be recorded: the state stores all moves and rolls from
 * before set-up. In games that hide something, agents need such a state. */
fz_state *fz_record_begin(fz_machine *machine, uint64_t seed, uint64_t stream);
/* From now on the state stores all moves and rolls; a record of it begins at this position. */
fz_status fz_record_from_here(fz_machine *machine, fz_state *state);
/* The record of a game from fz_record_begin or fz_record_from_here on; free with fz_text_free.
 * `path`: the script that the record names. */
fz_status fz_record_write(fz_machine *machine, const fz_state *state, const char *path,
                          uint64_t seed, char **text);
/* The result, such as "White 1, Black 2" or "White 1, Black 1 (stopped)"; "" while the game goes
 * on. Free with fz_text_free. */
fz_status fz_record_result_text(fz_machine *machine, const fz_state *state, char **text);

/* A record that was read: its header, and its moves and rolls in order. */
typedef struct fz_record {
    char *text;           /* the other fields point into it */
    const char *game, *title;
    char *position;       /* where it begins; NULL: at the beginning */
    uint64_t seed;
    fz_setting *settings;
    size_t setting_count;
    const char **entries; /* "e2-e4", "{3}" */
    size_t entry_count;
    const char *result;   /* as fz_record_result_text writes it, "" when the game goes on */
    const char *error;    /* the message of the error that ended the game, "" when there was none */
} fz_record;
/* FZ_BAD_INPUT: it is no record; the context's message says why. Free `record` in any case. */
fz_status fz_record_read(fz_context *context, const char *text, fz_record *record);
void fz_record_free(fz_context *context, fz_record *record);
/* The state in which the record begins; a record of it can be written again. NULL: the machine's
 * message says why. */
fz_state *fz_record_start(fz_machine *machine, const fz_record *record);
/* Plays one entry: a move, or a roll in a machine that asks for chance. */
fz_status fz_record_play(fz_machine *machine, fz_state *state, const char *entry);

/* ---- agents ---- */

/* A player that chooses moves. It has a machine and a stream of chance of its own, so it cannot
 * foresee the chance of the game. One thread uses an agent at a time. */
typedef struct fz_agent fz_agent;

/* Makes an agent from a description: its name, then settings after colons, such as `random`,
 * `mcts:2000:c=0.5` or `alphabeta:1.5s` (docs/agents.md). FZ_USAGE: there is no such agent or
 * setting; FZ_REFUSED: the agent cannot play this game; the context's message says why. */
fz_status fz_agent_new(fz_context *context, const fz_program *program, const char *description,
                       fz_agent **agent);
/* An agent of the host program. All calls but `choose` and `message` may be NULL. */
typedef struct fz_agent_host {
    /* Sets `*move` to one of the legal moves; there are at least two. */
    fz_status (*choose)(void *user, const fz_state *state, const fz_moves *moves, fz_move *move);
    const char *(*message)(void *user); /* why `choose` failed */
    void (*begin)(void *user);          /* a new game begins */
    void (*close)(void *user);          /* the agent is freed */
    void *user;
} fz_agent_host;
fz_status fz_agent_from_callbacks(fz_context *context, const fz_program *program,
                                  const char *description, const fz_agent_host *host,
                                  fz_agent **agent);
void fz_agent_free(fz_agent *agent);

/* Begins a game and forgets the previous one. From now on the agent's choices are a function of
 * seed, stream and the game, unless its time is limited instead of its work. */
void fz_agent_begin(fz_agent *agent, uint64_t seed, uint64_t stream);
/* The move of the player who decides in the waiting state. Moves that the agent thinks equally good
 * are equally likely, unless the host program chooses. The state is not changed. On failure
 * fz_agent_message says why. */
fz_status fz_agent_choose(fz_agent *agent, const fz_state *state, fz_move *move);
/* Tells the agent which move was played, by any player; it may keep what it knows. */
void fz_agent_played(fz_agent *agent, const fz_move *move);
/* True if the agent's time is limited: it may then choose differently in the same game. */
bool fz_agent_is_timed(const fz_agent *agent);
const char *fz_agent_message(const fz_agent *agent);

/* The kinds of agents, by number from 0. `argument`: what may follow the name; "": nothing. False:
 * there are no more. The texts are constant. */
bool fz_agent_info(unsigned number, const char **name, const char **argument, const char **meaning);

/* ---- counting and sampling ---- */

/* Watches a long run; may be NULL. `stop` is called now and then with how much of the work is done;
 * when it returns true, the run ends early. */
typedef struct fz_watch {
    bool (*stop)(void *user, uint64_t done, uint64_t total);
    void *user;
} fz_watch;

/* Counts the sequences of `depth` whole turns, or of decisions with `decisions`. */
fz_status fz_perft(fz_machine *machine, const fz_state *state, unsigned depth, bool decisions,
                   const fz_watch *watch, uint64_t *nodes);

typedef struct fz_tally {
    uint64_t playouts, plies, turns;
    uint64_t wins[16];       /* by player: games in which the player or the team alone came first */
    /* games in which some sides came first together, and not all; by player: those of its side */
    uint64_t shared, shared_by[16];
    uint64_t draws, stopped; /* all came first; stopped by limit: counted here only */
    uint64_t shortest, longest; /* in plies */
    double mean, deviation;  /* of plies */
    double median;
    double branching;        /* mean number of legal moves; 0 unless `branching` was true */
    double rank_sum[16], utility_sum[16];
    double seconds;
    uint64_t failed;         /* playouts that ended in a runtime error; no other count has them */
    uint64_t failed_stream;  /* the stream of the first of these */
    uint64_t losses;         /* games lost by the only side of the game */
    /* of the payoffs, over the games that were not stopped; 0 in games without payoffs */
    double payoff_mean[16], payoff_deviation[16];
} fz_tally;

/* Plays `count` random playouts with streams first .. first + count - 1 on `threads` threads. The
 * tally does not depend on the number of threads. On FZ_RUNTIME `message` (256 bytes) describes the
 * first failed playout. */
fz_status fz_playouts(const fz_program *program, const fz_limits *limits, uint64_t seed,
                      uint64_t first, uint64_t count, unsigned threads, bool branching,
                      const fz_watch *watch, fz_tally *tally, char *message);

/* The task of fz_playouts_into. All fields but the program may be 0. */
typedef struct fz_playout_task {
    const fz_program *program;
    const fz_limits *limits;
    const fz_state *from;        /* where they begin; NULL: at the beginning */
    uint64_t seed, first, count; /* streams first .. first + count - 1 */
    unsigned threads;
    /* descriptions of the agents that choose: one, or one for each player. 0: random moves */
    const char *const *agents;
    size_t agent_count;
    fz_context *context;         /* with agents only */
} fz_playout_task;

/* Output arrays of the caller, with an element for each playout in the order of the streams, or `by
 * player` with an element for each player of each playout. Those that are NULL are not filled. */
typedef struct fz_playout_arrays {
    uint64_t *plies, *turns;     /* counted from where the playout began */
    uint8_t *endings;            /* enum fz_ending */
    int8_t *ranks;               /* by player; 0 if the playout ended in an error */
    double *utilities;           /* by player; 0 after an error */
    int64_t *payoffs;            /* by player; 0 in games without payoffs */
} fz_playout_arrays;

/* Plays playouts and stores their results in arrays. They do not depend on the number of
 * threads, and are those of fz_playouts with the same seed. `*done`: how many of them the arrays
 * have, from the first on; fewer than asked for after an error that would happen again. On
 * FZ_RUNTIME `message` (256 bytes) describes the first failure; the arrays have the playouts
 * that did not fail. If an agent cannot be made, the status is that of fz_agent_new, and
 * `message` says why. */
fz_status fz_playouts_into(const fz_playout_task *task, const fz_playout_arrays *into,
                           uint64_t *done, char *message);

/* ---- what a player sees, as numbers ---- */

/* For programs that learn: a state as a player knows it, as two blocks of numbers. Planes have a
 * byte for each site, 0 or 1. Values are int32; numbers that do not fit become the nearest that
 * does. Both contain what fz_state_observation contains: hidden pieces and values are as at the
 * beginning of the game, so states that differ only in what the player may not see have the same
 * numbers.
 *
 * Planes: `pieces` (by owner, nobody last, and kind: the top piece of a stack), `unseen` (sites
 * that are hidden from the player), `last_move` (from, to, where the rules ask for them), and
 * the variables that hold sites. Values: `player`, who observes, with the number in the game;
 * `mover`; `decider`, -1 if no move is waited for; `choice`, which decision of the script the
 * player has to take, -1 if it has none; `turn`; `plies`; `out`, by player; `seen`, the latest 8
 * events of this turn, the latest first, two numbers each: 1 and the action of the player's own
 * move, 2 and 0 for a move of another, 3 and the value of chance, 4 and 0 for chance that the
 * player did not see, 0 and 0 for none; `heights` and `below`, by site: the pieces on it and the
 * codes of those under the top from the bottom (1 + kind * (players + 1) + owner + 1); and the
 * other variables: numbers as they are, of sets a 0 or 1 for each member. */
typedef struct fz_feature {
    const char *name;     /* lives as long as the program */
    int variable;         /* the variable that it contains; -1: none */
    bool is_planes;       /* false: values */
    size_t first;         /* its first plane or value */
    size_t rows, columns; /* it has rows * columns planes or values, row by row */
} fz_feature;
/* By number from 0, planes and values each in ascending order. False: there is no such feature. */
bool fz_program_feature(const fz_program *program, unsigned number, fz_feature *feature);
/* Fills the blocks: planes * sites bytes and values, counted from the features. `own`: in the
 * player's own view, see below. */
fz_status fz_state_observe(fz_machine *machine, const fz_state *state, int player, bool own,
                           uint8_t *planes, int32_t *values);

/* A player's own view of the game, so that one policy can play all seats. The player is number 0,
 * and the others follow in the order of turns: player q is (q - player) modulo the number of
 * players, and likewise for teams. The board is turned or mirrored so that the player sits where
 * the first player does: what is `forward` for the player becomes what is forward for the first
 * one, neighbours stay neighbours, and if possible the game begins as it does for the first player.
 * The board stays as it is if no such turn exists, and for players who face as the first one does.
 * Sites, directions, players, teams and sets of these in observations and actions are those of that
 * view; numbers, kinds of pieces and results of chance stay as they are. */

/* The number of each site in the player's view: `sites` has room for fz_program_sites of them.
 * FZ_USAGE: there is no such player. */
fz_status fz_own_sites(const fz_program *program, int player, int *sites);
/* Replaces actions by those of the player's view; with `back`, actions of the view by those of the
 * game. Other values are unchanged. FZ_USAGE: there is no such player. */
fz_status fz_own_actions(const fz_program *program, int player, bool back, int64_t *actions,
                         size_t count);

/* ---- batches: many games at once ---- */

/* Games of one program that are stepped together. A batch has machines and threads of its own; one
 * thread at a time calls its functions. Chance is sampled: game i begins as that of stream i of the
 * seed. */
typedef struct fz_batch fz_batch;

/* The games of a batch. All fields but the program may be 0. */
typedef struct fz_batch_task {
    const fz_program *program;
    const fz_limits *limits;
    uint64_t seed;
    size_t count;
    unsigned threads;            /* the most that play the games; 0: one */
    /* descriptions of agents, one for each player; NULL for a player: the caller chooses. NULL: the
     * caller chooses for all. */
    const char *const *agents;
    fz_context *context;         /* with agents only */
    bool own;                    /* see fz_own_sites: actions are those of the decider's view, and
                                  * each observation is in the view of its player */
} fz_batch_task;
/* The games at their beginnings, or at the first decision of the caller. Agents choose as soon as
 * they have to decide, on all threads; their choice is a function of the seed, the stream and the
 * position alone. A game whose set-up fails is over, see fz_batch_look. On failure `*batch` is NULL
 * and `message` (256 bytes) says why: FZ_NO_MEMORY, or the status of fz_agent_new. */
fz_status fz_batch_new(const fz_batch_task *task, fz_batch **batch, char *message);
void fz_batch_free(fz_batch *batch);
/* Why the last call or the first failed game failed; "": nothing did. Valid until the next call. */
const char *fz_batch_message(const fz_batch *batch);

/* The games as they are now: output arrays of the caller with an element for each game, or `by
 * player` with one for each player of each game. Those that are NULL are not filled. */
typedef struct fz_batch_arrays {
    int8_t *deciders;    /* whose choice it is; -1: the game is over */
    uint32_t *counts;    /* legal moves; 0: the game is over */
    uint32_t *plies;     /* decisions so far */
    uint64_t *streams;   /* of chance */
    /* The results of games that the last step ended, also if another game has begun in their place;
     * before the first step, of games that ended in their set-up. Other games have FZ_NOT_ENDED and
     * 0. */
    uint8_t *endings;    /* enum fz_ending; by an error: utilities and payoffs are 0 */
    double *utilities;   /* by player */
    int64_t *payoffs;    /* by player; 0 in games without payoffs */
} fz_batch_arrays;
void fz_batch_look(const fz_batch *batch, const fz_batch_arrays *into);

typedef enum fz_batch_choices {
    FZ_BATCH_INDEXES,    /* places in the list of legal moves, from 0 */
    FZ_BATCH_ACTIONS     /* numbers of moves, see fz_move_action */
} fz_batch_choices;
/* A choice that leaves the game as it is. */
#define FZ_BATCH_LEAVE (-1)

/* Plays a move in each game: `choices` has one for each. NULL: random moves, which are those of
 * fz_playouts. Games that are over ignore theirs. With `again`, a game that ends or was over
 * begins again with the stream number its stream + count. If the new game ends in its set-up,
 * the next step reports it. FZ_USAGE: one of the choices is not legal, and no game was changed.
 * A game whose script fails is over, see fz_batch_look; the message describes the first of them. */
fz_status fz_batch_step(fz_batch *batch, const int64_t *choices, fz_batch_choices kind, bool again);
/* The actions of all legal moves, game by game: as many as the sum of the counts. */
fz_status fz_batch_actions(fz_batch *batch, int64_t *actions);
/* For each game fz_program_actions bytes: 1 for a legal move. FZ_USAGE when moves have no
 * numbers. */
fz_status fz_batch_mask(fz_batch *batch, uint8_t *mask);
/* fz_state_observe of all games, one after the other. `player` -1: the player who decides in each
 * game; games that are over then have zeros. */
fz_status fz_batch_observe(fz_batch *batch, int player, uint8_t *planes, int32_t *values);
/* A copy of a game's state. NULL: its script failed, there is no such game, or memory is short. */
fz_state *fz_batch_state(const fz_batch *batch, size_t game);

/* ---- experiments ---- */

/* The games of a run, for archives, shards, measures and reports. All fields may be 0. */
typedef struct fz_run_options {
    /* the settings with which the program was compiled, which reports name */
    const fz_setting *settings;
    size_t setting_count;
    const fz_limits *limits;     /* NULL: the defaults */
    const fz_state *from;        /* where the games begin; NULL: at the beginning */
    const char *agents;          /* descriptions with commas between them, one for each player or
                                  * one for all; NULL: random moves */
    uint64_t seed, count;        /* the games are the streams 0 .. count - 1 of the seed */
    unsigned shard, shards;      /* 3 of 16: only that part of them; 0: all */
    unsigned threads;            /* 0: one for each core */
    bool branching;              /* counts the legal moves */
    const char *script;          /* what records and archives name as the script; NULL: the path
                                  * of the program's text */
    const char *command;         /* what archives and reports name as the way to repeat the run;
                                  * NULL: nothing */
    /* Archives: which games are stored with their record: "all", "failed", "7" or "2..9"; NULL:
     * none. */
    const char *records;
    bool resume;                 /* archives: continues a run that the archive has already */
    const fz_watch *watch;       /* may be NULL */
} fz_run_options;

/* Measures that need more games than those of the run. All fields may be 0. */
typedef struct fz_measure_options {
    unsigned rollouts;           /* random games from each turn on, for prospects; at most 100000 */
    bool influence;              /* the influence of chance: four more games for each */
    const char *strategic_depth; /* an agent whose effort can be doubled, such as "mcts:100" */
} fz_measure_options;

/* Plays the games of a run and measures them (docs/measures.md). `json` gets all measures as `ferz
 * measure --format json` prints them; free it with fz_text_free. FZ_USAGE: the options make no
 * sense; FZ_RUNTIME: games failed, and `json` has the measures of the others. */
fz_status fz_run_measure(fz_context *context, fz_program *program, const fz_run_options *options,
                         const fz_measure_options *measures, char **json);
/* The same games as a page in HTML, with pictures and all that is needed to repeat the run
 * (docs/reports.md). The program comes from a script that can be read at its path. */
fz_status fz_run_page(fz_context *context, fz_program *program, const fz_run_options *options,
                      const fz_measure_options *measures, char **html);
/* Plays the games of a run, or of a shard of it, and writes a shard file: exact sums, which can be
 * joined. Free it with fz_text_free. */
fz_status fz_run_shard(fz_context *context, fz_program *program, const fz_run_options *options,
                       char **shard);
/* Joins shard files, texts of so many bytes, in any order. `joined` (a shard file) and `results`
 * (JSON as `ferz playout --format json` prints it) are to be freed with fz_text_free; one file
 * alone is a join, too, if it has all games. FZ_BAD_INPUT: a file is damaged, they are of different
 * runs, or games are missing or there twice. */
fz_status fz_shards_join(fz_context *context, const char *const *shards, const size_t *lengths,
                         size_t count, char **joined, char **results);

/* An archive: an SQLite database with a row for each game of its runs (docs/archive.md). Functions
 * set the message of the context. */
typedef struct fz_archive fz_archive;

/* Opens an archive; with `create`, makes the file if there is none. Close it with
 * fz_archive_close. FZ_BAD_INPUT: the file is no archive, is damaged, or belongs to a later
 * version. */
fz_status fz_archive_open(fz_context *context, const char *path, bool create,
                          fz_archive **archive);
void fz_archive_close(fz_archive *archive);
/* Plays the games of a run, stores each as it ends, and counts how they ended. FZ_USAGE: the
 * archive has this run already, or the options contradict each other. With options->resume the run
 * continues, and the tally includes the stored games. FZ_RUNTIME: games failed; the others are
 * stored. */
fz_status fz_archive_play(fz_archive *archive, fz_program *program, const fz_run_options *options,
                          fz_tally *tally);
/* The runs as JSON, an array of {"run", "experiment", "first", "count", "games", "started",
 * "ended"}: the experiment is all that determines the games, `first` and `count` are the games of
 * the run, from 1, `games` says how many the archive has. Free it with fz_text_free. */
fz_status fz_archive_runs(fz_archive *archive, char **json);
/* The record of a game, both numbered from 1; to be freed with fz_text_free. FZ_NOT_FOUND: there is
 * no such game, or it was stored without its record. */
fz_status fz_archive_record(fz_archive *archive, uint64_t run, uint64_t game, char **record);

/* Plays the games of a run of an archive again (0: its only run) and measures them, as
 * fz_run_measure does. `stored`: plays nothing, and measures what the archive has of each game.
 * FZ_REFUSED: the games cannot be repeated; FZ_RUNTIME: they differ from those in the archive. */
fz_status fz_archive_measure(fz_context *context, const char *path, uint64_t run, bool stored,
                             const fz_measure_options *measures, char **json);
/* Joins archives, all or nothing: each run of the first one, with its parts in the others, such as
 * shards, becomes one run of `into`. `command`: what the runs name as the way to repeat them, or
 * NULL. FZ_OK: the message is empty, or says why the use of the board was left out. FZ_USAGE: the
 * parts do not belong together, `into` has such a run, or another archive has runs that the first
 * one does not have. */
fz_status fz_archives_join(fz_archive *into, const char *const *paths, size_t count,
                           const char *command);

/* A study: many games, rulesets and agents from one file (docs/studies.md). Its functions set the
 * message of the context. */
typedef struct fz_study fz_study;

typedef struct fz_study_options {
    /* Of each cell: limits, shard, threads, records, resume, command and watch. If they are set,
     * `agents` replaces those of the study, `count` (sets_count) its numbers of playouts and `seed`
     * (sets_seed) its seed. */
    fz_run_options run;
    bool sets_count, sets_seed;
    bool allow_pipe;             /* the study's `agents` may be programs: "pipe:COMMAND" */
    const char *grid;            /* further axes, "OPTION=VALUE,VALUE" or "OPTION=all"; NULL */
    const char *archive;         /* the archive of the games; NULL: they are not kept */
    /* Not 0: so many playouts in all. Rulesets that turn out to be implausible, or far from the
     * target, get few of them (docs/reconstruct.md). With a target: 0 is 100 for each variant. */
    uint64_t budget;
    /* Not NULL: the path is that of a game whose variants are searched for those that meet this
     * target, such as "draws < 10 %" (docs/commands.md, tune). They are `variants` at most, drawn
     * from the grid, or from all options of the game if there is none; 0 is 1000. */
    const char *target;
    uint64_t variants;
    fz_engine engine;            /* what plays */
    /* Without native code, the loop plays. May be NULL. */
    void (*native_failed)(void *user, const char *message);
    /* Told after each cell that played games which engine did, in words of fz_program_engine. May
     * be NULL. */
    void (*played)(void *user, const char *engine);
    /* Gets a picture (SVG) of the board for each cell, with the lines as wide as their use; false:
     * the study ends. NULL: there are no pictures. */
    bool (*picture)(void *user, const char *name, const char *svg);
    const char *theme;           /* of pictures, as of fz_state_svg; NULL: the first */
    void *user;
} fz_study_options;

/* Reads a study. `text`: of the file, or NULL: the file at `path` is read. The options and what
 * they point to must live as long as the study; NULL: none. FZ_BAD_INPUT: the text is no study, and
 * the message names the line. */
fz_status fz_study_open(fz_context *context, const char *path, const char *text, size_t length,
                        const fz_study_options *options, fz_study **study);
void fz_study_free(fz_study *study);
/* Plays the games that the archive does not have; once. FZ_INVALID: a game has errors, and
 * `*report` (NULL otherwise) has them; free it. FZ_RUNTIME: a game failed, or the watch stopped the
 * study. */
fz_status fz_study_play(fz_study *study, fz_report **report);
/* A table of a study that was played, as JSON: an array of objects with the same members. Free it
 * with fz_text_free. The tables, and their arguments:
 *
 *   results            how the games of each ruleset ended
 *   lines              how much each line of the board was used
 *   differences        a ruleset, or "all" (NULL): which differences from it are real
 *   line differences   the same, with the use of each line
 *   distances          how far rulesets are from each other
 *   wear               a file of wear: which rulesets fit
 *   recovery           noises such as "0,0.1": an object with two tables, how often a ruleset is
 *                      found from its own wear, and the same by groups
 *   reconstruction     a number of trials ("200"): an object with tables, what the evidence of the
 *                      file says about the rulesets (docs/reconstruct.md)
 *   tuning             an object with tables: the variants by how well they meet the target, and
 *                      what kept others from being played
 *   use                a row for each ruleset: its seed and the use of its lines
 *   runs               a row for each ruleset: version, program, options, agents, seed, first and
 *                      last playout
 *   study              an object: title, seed and number of cells
 *
 * FZ_USAGE: there is no such table or no such argument, or the study was not played.
 * FZ_NOT_FOUND: a file of evidence cannot be read; FZ_BAD_INPUT: it is wrong. FZ_REFUSED: it was
 * stopped. */
fz_status fz_study_table(fz_study *study, const char *table, const char *argument, char **json);

/* ---- tests of a script ---- */

typedef struct fz_test_sink {
    /* Called for each test as it ends. `message`: "" if it passed, otherwise what differed; valid
     * during the call. */
    void (*ended)(void *user, const char *title, bool passed, const char *message);
    void *user;
} fz_test_sink;
/* Runs the tests of a script whose title contains `filter` (NULL: all), each in a game of its own.
 * Path, text, settings and report are those of fz_compile. FZ_OK: all tests ran, also if some
 * failed; `*passed` and `*failed` count them. FZ_REFUSED: the rest was cancelled (fz_limits). */
fz_status fz_run_tests(fz_context *context, const char *path, const char *text, size_t length,
                       const fz_setting *settings, size_t setting_count, const char *filter,
                       const fz_test_sink *sink, fz_report **report, unsigned *passed,
                       unsigned *failed);

/* ---- checks of a script ---- */

/* The options of fz_check_game. All fields may be 0. */
typedef struct fz_check_options {
    uint64_t playouts;       /* random games; 0: none */
    bool deep;               /* tests what must hold in every position */
    uint64_t seed;
    unsigned threads;        /* of the playouts; 0: one */
    const fz_limits *limits;
    const fz_watch *watch;   /* stops the playouts */
} fz_check_options;

/* Something suspicious. The texts live as long as the check. */
typedef struct fz_finding {
    const char *message;
    const char *path;        /* of the script or module where the finding is; NULL: no place */
    unsigned line, column;   /* from 1; 0: no place */
    const char *rule;        /* the text of a rule that played no part, `length` bytes; NULL */
    size_t length;
    const char *record;      /* of a game that shows it; NULL: none does */
    bool is_deep;            /* found by the deep check */
} fz_finding;

typedef struct fz_check fz_check;
/* Compiles a script as fz_compile does, and checks the game: rules that never run, games without an
 * end, unequal chances; texts of moves and positions, symmetry, attacks, unused pieces. `options`
 * may be NULL. `*check` is set unless memory is short. FZ_INVALID: the script has errors;
 * FZ_RUNTIME: a random game failed, see fz_check_message. A library is valid. */
fz_status fz_check_game(fz_context *context, const char *path, const char *text, size_t length,
                        const fz_setting *settings, size_t setting_count,
                        const fz_check_options *options, fz_check **check);
void fz_check_free(fz_check *check);
/* The findings by number from 0. False: there are no more. */
bool fz_check_finding(const fz_check *check, size_t number, fz_finding *finding);
/* They live as long as the check. Without errors or playouts the report may be NULL and the tally
 * is 0; the program is NULL if the script is a library or has errors. */
fz_report *fz_check_report(const fz_check *check);
fz_program *fz_check_program(const fz_check *check);
const fz_tally *fz_check_tally(const fz_check *check);
const char *fz_check_message(const fz_check *check);
uint64_t fz_check_positions(const fz_check *check); /* that the deep check has tested */

/* ---- differences of two games ---- */

/* All lines of play of up to `depth` moves, as far as memory and work allow, then random ones. */
typedef struct fz_diff_task {
    const fz_program *programs[2];
    const char *path;        /* of the first script, for the record */
    const fz_limits *limits;
    uint64_t seed;
    unsigned depth;
    uint64_t games;          /* random ones */
    const fz_watch *watch;
} fz_diff_task;
typedef struct fz_diff {
    bool differs;
    bool is_shortest;        /* no shorter line of play shows a difference */
    char *why;               /* "the legal moves differ"; NULL: no difference was found */
    char *each[2];           /* what each of the games does instead; NULL: `only` has it */
    char *record;            /* of the moves before the difference, in the first game; NULL */
    char *moves;             /* these moves, separated by commas; NULL */
    size_t plies;            /* how many they are, chance included */
    char **only[2];          /* moves, or results of chance, that one of the games alone has */
    size_t only_count[2];
    size_t positions;        /* pairs that were compared */
    unsigned depth;          /* to which all lines of play were compared */
    bool is_whole;           /* there are no longer lines of play */
    uint64_t games;          /* random ones that were played after that */
    bool is_cut;             /* a bound of memory or work ended the search before `depth` */
    bool is_stopped;         /* by the watch */
} fz_diff;
/* Compares how two games play. On failure the context's message says why. Free the result with
 * fz_diff_free in any case. */
fz_status fz_games_diff(fz_context *context, const fz_diff_task *task, fz_diff *diff);
void fz_diff_free(fz_context *context, fz_diff *diff);

#ifdef __cplusplus
}
#endif
#endif
