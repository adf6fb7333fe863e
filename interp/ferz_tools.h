/* The second interface of the library, for the command ferz, for tests and for the runner of tests
 * in scripts. Its functions are exported, but this header is not installed and may change with
 * every version. Like ferz.h it includes no other header of Ferz, and files of all rooms implement
 * it. As there, pointers through which a function returns something may be NULL; not so structures
 * that the caller clears (fz_coverage, fz_sums). */
#ifndef FZ_INTERP_FERZ_TOOLS_H
#define FZ_INTERP_FERZ_TOOLS_H

#include "ferz.h"

/* Sets the limits of the machines that run tests of scripts. */
void fz_context_set_limits(fz_context *context, const fz_limits *limits);

/* Texts that stand for files, such as those that an editor has not saved. Called before a file is
 * read; returns its text, which the caller copies at once, and sets its length. NULL: the file on
 * the disk is read. FZ_NO_FILE as the length: there is no such file, whatever is on the disk. */
#define FZ_NO_FILE SIZE_MAX
typedef const char *fz_overlay(void *user, const char *path, size_t *length);
void fz_context_set_overlay(fz_context *context, fz_overlay *overlay, void *user);

/* fz_compile for running tests. A test applies to the options that it sets; for all others it
 * applies to the values in the files, or to the first `tested` of these settings. The program
 * leaves out tests that apply to other options. */
fz_status fz_compile_tested(fz_context *context, const char *path, const char *text, size_t length,
                            const fz_setting *settings, size_t setting_count, size_t tested,
                            fz_program **program, fz_report **report);
/* Compiles a script to an explaining program, for fz_move_why_with: the same game, in which the
 * conditions of options are filters. Not for playing, nor for program files. FZ_USAGE: the file is
 * no script. */
fz_status fz_compile_explaining(fz_context *context, const char *path, const fz_setting *settings,
                                size_t setting_count, fz_program **program);
/* fz_move_why, which also names the `if` that excludes a move. In a game with secrets, it says only
 * what `player` knows; -1 knows all. `explaining`: the explaining program of the same game with the
 * same settings; NULL: there is none. */
const char *fz_move_why_with(fz_machine *machine, const fz_state *state, int player,
                             fz_program *explaining, const char *text);

/* An expression for a program for stepping, in the scope of a statement, which is given by its
 * place; with the path NULL, in the scope of the game and for the player to decide. */
typedef struct fz_print {
    const char *path;
    uint32_t start, end;
    const char *expression;
    char *locals; /* receives the names bound there, a blank after each; to be freed with
                     fz_text_free; NULL: there are none */
} fz_print;
/* Compiles a script to a program for fz_stepper: the same game, with stops. `print`: what it
 * prints, or NULL. FZ_USAGE: the file is no script. */
fz_status fz_compile_stepping(fz_context *context, const char *path, const fz_setting *settings,
                              size_t setting_count, fz_print *print, fz_program **program,
                              fz_report **report);

/* A declaration of a game, as ferz diff compares it. `show` and `use` are one for each name; tests
 * and `info` are left out. */
typedef struct fz_declaration {
    const char *sort;      /* "piece", "on capture" */
    const char *key;       /* what no other declaration of this sort has: "King", "reach/2", "" */
    const char *name;      /* "" if it has none */
    const char *text;      /* after the texts of those that it extends or uses as `base` */
    const char *tokens;    /* the text without comments, one blank between two words */
    bool changes_module;   /* it overrides or extends what a module declares */
} fz_declaration;
typedef struct fz_declarations {
    const char *title;
    const char *base;      /* the path of the first base; NULL: it is no variant */
    size_t count;
    fz_declaration *items; /* those of bases and of modules beside the game come before its own */
    struct fzi_analysis *analysis; /* owns all of it */
} fz_declarations;
/* Under the given values of options. FZ_INVALID: the script has errors (then there is a *report) or
 * is a library. FZ_USAGE: the file is no script. Free the list with fz_declarations_free. */
fz_status fz_declarations_read(fz_context *context, const char *path, const fz_setting *settings,
                               size_t setting_count, fz_declarations **declarations,
                               fz_report **report);
void fz_declarations_free(fz_context *context, fz_declarations *declarations);

/* Bytes that `repetitions` stores for each turn; 0 when the program does not use it. */
uint32_t fz_program_history_bytes(const fz_program *program);

/* The value of the awaited chance whose text it is (without braces). FZ_BAD_INPUT: there is none;
 * the machine's message says why. */
fz_status fz_chance_parse(fz_machine *machine, const fz_state *state, const char *text,
                          size_t length, int64_t *value);

/* The length of the first of several texts that are separated by commas. A move may contain commas
 * itself: of the texts that end before one of the next commas, the first is the longest one that is
 * a legal move, or else the one up to the first comma. */
size_t fz_move_length(fz_machine *machine, const fz_state *state, const char *texts, size_t length);

/* Writes the present pieces and variables, also in the middle of a turn, as fz_state_write would if
 * a turn began here. The rest of an unfinished turn is not included. */
fz_status fz_state_write_now(fz_machine *machine, const fz_state *state, char **text);

/* Writes the place of an option of the program, "file:line:column", into `text` of so many bytes.
 * */
void fz_option_place(const fz_program *program, uint32_t option, char *text, size_t size);

/* ---- chance ---- */

/* A probability, or an expected number: a fraction in lowest terms while it fits (`exact`); `value`
 * is always set. */
__extension__ typedef unsigned __int128 fz_uint128;
typedef struct fz_ratio {
    bool exact;
    fz_uint128 numerator, denominator;
    double value;
} fz_ratio;
fz_ratio fz_ratio_of(uint64_t numerator, uint64_t denominator);
fz_ratio fz_ratio_add(fz_ratio a, fz_ratio b);
fz_ratio fz_ratio_multiply(fz_ratio a, fz_ratio b);
enum { FZ_RATIO_SIZE = 96 };
/* "3/8"; "5" of a whole number, or "5/1" with `fraction`; the value where it is not exact. Returns
 * `text`, which has room for FZ_RATIO_SIZE. */
const char *fz_ratio_text(fz_ratio ratio, bool fraction, char *text);

/* ---- counting (ferz perft) ---- */

typedef enum fz_merge {
    FZ_MERGE_NOTHING,
    FZ_MERGE_TURNS,     /* turns of one position that lead to the same position are one */
    /* all sequences that lead to the same position are one; their history is left out */
    FZ_MERGE_POSITIONS
} fz_merge;

typedef struct fz_count_task {
    /* whole turns; decisions, with `decisions`. A state inside a turn: its rest is the first */
    unsigned depth;
    bool decisions;
    /* chance results count by their probability, and the count is an expected number */
    bool weighed;
    fz_merge merge;     /* of whole turns, not weighed */
    unsigned threads;   /* the result does not depend on them; merged counts use one */
    /* bytes for positions whose number is known; 0: none. Plain counts of whole turns only, and not
     * of games that ask for repetitions: FZ_USAGE */
    size_t keep;
    const fz_move *first; /* only what begins with this legal move; NULL; not merged */
} fz_count_task;

fz_status fz_count(fz_machine *machine, const fz_state *state, const fz_count_task *task,
                   const fz_watch *watch, fz_ratio *number);

/* Resolves all chance that the state waits for in its turn, in every way, and calls `end` for each
 * end: a choice, the end of the game, or the beginning of the next turn, whose own chance stays
 * open. The machine must ask for chance. Ends are not merged. `given`: texts of chance, up to a
 * NULL, or NULL; where chance can bring one of them it does (the first of them), so that
 * probabilities are conditional on it. Chains of more than eight results are not followed where
 * they are less probable than 1e-12: a throw that gives another throw may go on without end.
 * `unfollowed` gets the probability of all of these; it is 0 if every end was found. */
typedef fz_status fz_outcome_end(void *user, const fz_state *state, fz_ratio probability);
fz_status fz_state_each_outcome(fz_machine *machine, const fz_state *state,
                                const char *const *given, fz_outcome_end *end, void *user,
                                double *unfollowed);

/* ---- playouts ---- */

/* Functions that decide for a player. All but `choose_move` and `why` may be NULL. */
typedef struct fz_decider {
    void (*new_game)(void *self, uint64_t seed, uint64_t stream);  /* a game begins */
    fz_status (*choose_move)(void *self, const fz_state *state, fz_move *move);
    void (*note_move)(void *self, const fz_move *move);            /* by whomever */
    const char *(*why)(void *self);                                /* why there is no move */
    void (*release)(void *self);
    void *self;
} fz_decider;
/* What the last decision of the agent, which was about this state, found of a legal move: how
 * often it tried it, and its proven utility for who decides (NAN: none is proven). False: the
 * agent does not say. */
bool fz_agent_opinion(const fz_agent *agent, const fz_state *state, const fz_move *move,
                      uint64_t *visits, double *proven);
/* The decider that an agent is; closing it frees the agent. */
fz_decider fz_agent_decider(fz_agent *agent);

/* The deciders of playouts. */
typedef struct fz_lineup {
    /* Makes a decider for each player, for the use of one thread; calls do not overlap. The
     * playouts close them. On failure `message` (256 bytes) says why, and there is none. */
    fz_status (*make)(void *user, fz_decider *deciders, char *message);
    void *user;
    bool logs; /* the states that the deciders see have a log since before set-up */
} fz_lineup;

/* One playout, as a sink gets it. What is counted, is counted from where the playout began. */
typedef struct fz_game_row {
    uint64_t stream;
    uint64_t plies, turns;
    uint64_t legal_move_sum; /* legal moves, summed over all decisions; 0 unless asked for */
    fz_ending ending;
    uint32_t place;        /* of the result, for fz_program_place_text; 0: not known */
    int8_t rank[16];       /* of each player; 0 after an error */
    int8_t nature;         /* the rank of what a game of one side is played against; else 0 */
    int64_t payoff[16];    /* 0 in games without payoffs */
    char *error;           /* the message; NULL. Valid during the call, as is the record */
    char *record;          /* as `annotate` of the sink adds it; else NULL */
    char *use;             /* the same: the use of the board */
} fz_game_row;

/* A receiver of the results of each playout. */
typedef struct fz_sink {
    /* Receives the playouts in the order of their streams, some at a time; calls do not overlap.
     * False: these rows were not taken; the run ends, and its result is that of the rows before. */
    bool (*take)(void *user, const fz_game_row *rows, size_t count);
    /* Adds to the row what else the final state says, such as a record (from the allocator of the
     * context). Several threads call it at once. Not FZ_OK: memory is short, and the run ends. May
     * be NULL. */
    fz_status (*annotate)(void *user, fz_machine *machine, const fz_state *state, fz_game_row *row);
    void *user;
    bool logs;             /* the states that it sees have a log since before set-up */
} fz_sink;

/* Exact sums over playouts: they do not depend on the order in which playouts or other sums are
 * added. Memory grows with the length of the longest playout only. */
__extension__ typedef __int128 fz_signed_wide;
/* A reason for which playouts ended. */
typedef struct fz_sums_end {
    fz_ending kind;           /* not by an error */
    uint32_t place;           /* as in fz_game_row; FZ_NO_PLACE: only its text is known */
    uint64_t playouts;        /* may be 0 */
    char *text;               /* "line:column" in the script, "file:line:column" elsewhere; NULL in
                                 sums of one thread only */
} fz_sums_end;
#define FZ_NO_PLACE UINT32_MAX

typedef struct fz_sums {
    uint64_t playouts;        /* without those that failed; and all counts but these two */
    uint64_t failed;
    uint64_t turns, plies, legal_move_sum, draws, shared, losses, stopped, shortest, longest;
    fz_uint128 squares;          /* of plies */
    uint64_t wins[16], shared_by[16], ranks[16];
    int64_t utilities[16];    /* in parts: of `parts` */
    int parts;                /* 0: no playout was added yet */
    fz_signed_wide payoffs[16]; /* of playouts that were not stopped */
    fz_uint128 payoff_squares[16];
    uint64_t *lengths;        /* playouts by plies */
    size_t length_capacity;
    fz_sums_end *ends;        /* in any order */
    size_t end_count, end_capacity;
    uint64_t failed_stream;   /* the first that failed */
    char message[256];        /* and why */
    void *(*resize)(void *user, void *ptr, size_t size); /* as in fz_config */
    void *user;
} fz_sums;
/* `resize` may be NULL. */
void fz_sums_init(fz_sums *sums, void *(*resize)(void *user, void *ptr, size_t size), void *user);
void fz_sums_clear(fz_sums *sums);
/* False: memory is short, and nothing was added. */
bool fz_sums_add(fz_sums *sums, const fz_program *program, const fz_game_row *row);
bool fz_sums_merge(fz_sums *sums, const fz_sums *others);
/* Adds to the counts by length only. */
bool fz_sums_add_length(fz_sums *sums, uint64_t plies, uint64_t playouts);
/* Adds to the counts by reason only. */
bool fz_sums_add_end(fz_sums *sums, fz_ending kind, const char *place, uint64_t playouts);
void fz_sums_tally(const fz_sums *sums, fz_tally *tally);

/* The playouts to be made. All but the program may be 0. */
typedef struct fz_playout_options {
    const fz_program *program;
    const fz_limits *limits;
    const fz_state *from;     /* where they begin, and from where lengths are counted */
    const fz_lineup *lineup;      /* NULL: uniformly random moves */
    uint64_t seed, first, count;
    unsigned threads;
    bool branching;
    const fz_watch *watch;
    const fz_sink *sink;
    fz_sums *sums;            /* where the playouts are added; NULL: nobody needs them */
} fz_playout_options;

/* Like fz_playouts. The tally is that of the sample's sums, if it has some. A run that ends early,
 * by its watch, its sink or an error that would come again and again, is the run of the streams
 * before that one, with any number of threads. */
fz_status fz_playouts_run(const fz_playout_options *sample, fz_tally *tally, char *message);

/* ---- coverage: which rules of a script play a part ---- */

/* The programs that the context compiles from now on play the same games and are for coverage: it
 * counts the items of a piece apart. With other programs it counts the items without label,
 * statement and `for` together, as the first of them. */
void fz_context_enable_coverage(fz_context *context);

/* ---- programs that are files ---- */

/* The programs that the context compiles from now on name scripts without the folders in which they
 * lie: the same script gives the same bytes everywhere, and a file says nothing about the machine
 * that made it. */
void fz_context_hide_folders(fz_context *context);

/* A rule: an option, a statement or a condition of a script. */
typedef struct fz_rule {
    const char *path, *text; /* of the program, as long as it */
    uint32_t length;         /* of the text */
    unsigned line, column;
    bool is_option;
    bool is_item;            /* an option that is an item of a piece and leads to a set of sites */
    bool inside;             /* of another one that never ran */
    bool removed;            /* has no code: a condition is constant, or its moves are none */
    uint64_t ran;            /* how often; of an option: how often it was played */
    uint64_t tried;          /* how often when a move was only tried */
    uint64_t alone;          /* of an item: how often it was played and no other made the move */
    uint64_t offered;        /* of an option: at how many decisions it had moves, legal or not */
    uint64_t writes;         /* how often its own instructions wrote pieces */
    uint64_t changes;        /* how often that changed something */
} fz_rule;

typedef struct fz_coverage {
    fz_rule *rules;          /* in the order of the text; those of libraries are left out */
    size_t count;
    const fz_program *program; /* whose memory it is; it must live as long */
} fz_coverage;
void fz_coverage_free(fz_coverage *coverage);

/* fz_playouts_run, slower, and what ran in them. `coverage` is to be freed in any case. */
fz_status fz_playouts_covered(const fz_playout_options *sample, fz_tally *tally, char *message,
                              fz_coverage *coverage);

/* A machine that counts what runs in it: perft, positions, moves that are played. Free its states
 * before the cover, which frees the machine. NULL: memory is short. */
typedef struct fz_cover fz_cover;
fz_cover *fz_cover_begin(const fz_program *program, const fz_limits *limits);
fz_machine *fz_cover_machine(fz_cover *cover);
/* Lists the rules that ran until now; of the last moves of a count it is only seen that they are
 * legal. Else FZ_NO_MEMORY. `coverage` is to be freed in any case. */
fz_status fz_cover_rules(const fz_cover *cover, fz_coverage *coverage);
void fz_cover_free(fz_cover *cover);
/* The coverage of the playouts of a check; lives as long as the check. */
const fz_coverage *fz_check_coverage(const fz_check *check);

/* ---- stories: explanations of a move ---- */

typedef struct fz_move_trace fz_move_trace;
/* Traces moves as a player sees the game; -1: as all do. NULL: out of memory. */
fz_move_trace *fz_move_trace_new(const fz_program *program, const fz_limits *limits, int player);
void fz_move_trace_free(fz_move_trace *story);
/* Explains a legal move of `before`, or with NULL a value of the awaited chance: the statements
 * that run and the changes that each makes, up to the next choice and its options. For a player of
 * a game with secrets, only the changes that the player sees: which statements run may depend on a
 * secret. The lines are valid until the next call of the story. */
const char *fz_move_trace_tell(fz_move_trace *story, const fz_state *before, const fz_move *move,
                          int64_t chance);

/* ---- logs and records (move_log.h, record.c) ---- */

/* The first move played between `before` and `after`. False: unknown. */
bool fz_state_last_move(const fz_state *before, const fz_state *after, fz_move *move);

/* The record of a playout, from its beginning or, not NULL, from the position `from`: that of
 * fz_playouts or fz_playouts_run with the same seed, stream and deciders (one for each player;
 * NULL: random moves). If the game ends in an error, returns FZ_RUNTIME; `*text` is then the
 * record up to and including what failed, or NULL if set-up failed. */
fz_status fz_record_playout(fz_machine *machine, const fz_state *from, const char *path,
                            uint64_t seed, uint64_t stream, const fz_decider *deciders,
                            char **text);

/* ---- steps: a debugger ---- */

/* Plays the entries of a record on a program for stepping (fz_compile_stepping), one at a time, and
 * remembers where it could stop. Everything happens again in the same way, so going to a stop means
 * playing the entry again up to there. */
typedef struct fz_stepper fz_stepper;
/* NULL: memory is short. The program must live as long. */
fz_stepper *fz_stepper_new(const fz_program *program, const fz_limits *limits);
void fz_stepper_free(fz_stepper *stepper);

/* Plays the record's entries before number `entry` (counted from 1), then this one with stops; 0:
 * the set-up, of a record without a position. FZ_RUNTIME: the rules failed in the entry; the stops
 * up to there remain, and fz_stepper_message says how. */
fz_status fz_stepper_run(fz_stepper *stepper, const fz_record *record, size_t entry);
const char *fz_stepper_message(const fz_stepper *stepper);
size_t fz_stepper_stops(const fz_stepper *stepper);

/* The place of a stop. */
typedef struct fz_step_place {
    const char *path, *text; /* of the file; its text */
    uint32_t start, end;     /* bytes of the text */
    unsigned line, column;
    unsigned depth;          /* of calls */
    const char *function;    /* in which it is */
} fz_step_place;
fz_step_place fz_stepper_place(const fz_stepper *stepper, size_t stop);
/* The first line from `line` on in which one can stop, 0: there is none. `file`: the path of a
 * file, or the last parts of it. */
unsigned fz_stepper_line(const fz_stepper *stepper, const char *file, unsigned line);
bool fz_stepper_is_at(const fz_stepper *stepper, size_t stop, const char *file, unsigned line);
/* The state as it is before the statement at a stop; after the entry, for the number of stops.
 * Valid until the next call for another stop. NULL: there is none, as after an error. */
const fz_state *fz_stepper_state(fz_stepper *stepper, size_t stop);
/* Lists the changes between two states of the stepper's program, a line for each sort; valid until
 * the next call. */
const char *fz_stepper_changes(fz_stepper *stepper, const fz_state *before, const fz_state *after);
/* The calls that lead to a stop, innermost first, each on a line; valid until the next call. */
const char *fz_stepper_calls(fz_stepper *stepper, size_t stop);

/* In a program that prints an expression (fz_print): its value at a stop of the entry that is run.
 * `set` (FZ_MAX_SITES bits) receives a set of sites; *is_set tells whether it is one. The text is
 * valid until the next call. */
fz_status fz_stepper_print(fz_stepper *stepper, size_t stop, const char **text, uint64_t *set,
                           bool *is_set);

/* The board and the variables of a state, with a star on each site of the set (may be NULL). */
fz_status fz_state_draw_marked(fz_machine *machine, const fz_state *state, const uint64_t *marked,
                               unsigned style, char **text);
fz_machine *fz_stepper_machine(fz_stepper *stepper);

/* ---- rules in other formats (grammar/import) ---- */

/* A clause that no script says: its line (0: of a built-in variant), its text, why. */
typedef struct fz_import_clause {
    unsigned line;
    const char *clause, *why;
} fz_import_clause;

/* A file of games in one of the formats. */
typedef struct fz_import fz_import;
/* Does the path have an ending of the formats? */
bool fz_import_knows(const char *path);
/* Reads the text. `path`: how scripts name their source; its ending says the format (variants.ini
 * if it is none of them). Free it; its context lives as long. */
fz_status fz_import_open(fz_context *context, const char *path, const char *text, size_t length,
                         fz_import **import);
/* Adds the definitions of another text that the games of the file may use; those of the file come
 * first. Formats without such texts ignore it. */
fz_status fz_import_define(fz_import *import, const char *path, const char *text, size_t length);
void fz_import_free(fz_import *import);
/* A file of its format has several games. Otherwise, its first script is the game, and others are
 * the game with other rules. */
bool fz_import_has_many(const fz_import *import);
/* The scripts of the file by number from 0; NULL when there are no more. A variant that has the
 * name of an earlier one is `x (line 30)`, and refused. */
const char *fz_import_name(const fz_import *import, size_t number);
/* A script of the file, or of a variant that its format knows; the import's until the next call.
 * `name` NULL: the script of a file that has one game, with the options of the file.
 * NULL: it is refused for these clauses, which are the import's, too. With `partial` a text is made
 * all the same, which does not compile. FZ_NOT_FOUND: there is no such variant. FZ_INVALID: what
 * was made is no script, which is our mistake. */
fz_status fz_import_script(fz_import *import, const char *name, bool partial, const char **script,
                           const fz_import_clause **refused, size_t *refused_count);
/* The options of the latest script, as it declares them, and comments on values and options of the
 * file that it lacks. */
const char *fz_import_options(const fz_import *import);

#endif
