/* The machine: what runs a program's code on states. vm_loop.inc.h is the loop, compiled once for
 * each number of words of a set; filter.c tries moves; machine.c is the public side; this header is
 * what they and the files about texts and positions share. */
#ifndef FZ_INTERP_VM_VM_H
#define FZ_INTERP_VM_VM_H

#include "interp/support/buffer.h"
#include "ferz.h"
#include "interp/state/move_list.h"
#include "interp/program/program.h"
#include "interp/state/state.h"
#include "interp/board/topology.h"

enum {
    FZ_MAX_TEXT = 4096,   /* of a move, about */
    FZ_MAX_TRIES = 200,   /* tries inside each other: bounds the C stack */
    FZ_MAX_LISTS = 3 * FZ_MAX_TRIES,
    FZ_MOST_TURNS = INT32_MAX
};

/* What a run of the loop is for. */
typedef enum fzi_mode {
    FZ_RUN_PLAY,     /* the game itself: choices are drawn while `plies` lasts, else it waits */
    FZ_RUN_GATHER,   /* ends at DECIDE with the list of candidates */
    FZ_RUN_TRY,      /* a candidate on a scratch state: ends when the filter at `base` is judged */
    FZ_RUN_VERDICT,  /* a filter's code */
    FZ_RUN_CALL,     /* one function, which may write but neither choose nor roll */
    FZ_RUN_TEXT,     /* a label's code */
    FZ_RUN_SITES,    /* an effect up to its TOOK */
    FZ_RUN_OUTCOMES  /* a waiting chance: writes down what may come */
} fzi_mode;

/* How it ended. */
typedef enum fzi_end {
    FZ_END_ERROR,    /* machine->fault tells */
    FZ_END_MOVE,     /* waits for a move */
    FZ_END_CHANCE,   /* waits for chance */
    FZ_END_OVER,     /* a result */
    FZ_END_TURN,     /* the turn before `turn_stop` is complete */
    FZ_END_LIST,     /* GATHER: at DECIDE */
    FZ_END_PASS,     /* TRY: the filters say yes, `keys` are the keys of a `keeping` */
    FZ_END_FAIL,     /* TRY: they say no */
    FZ_END_RETURN,   /* CALL, TEXT, SITES */
    FZ_END_VERDICT
} fzi_end;

typedef struct fzi_run {
    fz_state *state;
    fzi_list *list;       /* the list being made; NULL: taken from the pool when needed */
    uint8_t mode;         /* fzi_mode */
    uint8_t judging;      /* TRY: 1 + kind of the filter whose code runs as the last thing */
    int8_t decider;       /* TRY: whose decisions are looked through */
    bool ask;             /* PLAY: stop at chance */
    bool unfiltered;      /* GATHER: groups keep all their moves */
    bool branching;       /* PLAY: add the number of legal moves at each decision to `branched` */
    bool draws;           /* set by the loop: PLAY, nobody is told of the moves, and no set of sites is too many */
    bool notes;           /* set by the loop: there is more to do as a turn begins */
    bool tries;           /* set by the loop: PLAY, and a drawn move may be tried by playing it (trials.c) */
    bool trial;           /* such a move is being played */
    bool refused;         /* the one before was refused: the list, less that move, is drawn from again */
    uint32_t behind;      /* where the JUDGE stands that the verdict is for */
    uint32_t segment;     /* the move's */
    fz_move move;
    uint64_t counter;     /* of the chance stream before the first of the decision's draws */
    uint8_t key_count;
    bool reached;         /* TRY: `keys` are those of a `keeping` and reach its bounds */
    uint8_t seeking;      /* DRAW: fzi_seeking */
    uint32_t base;        /* TRY: index of the pending filter asked about */
    uint32_t floor;       /* the frame whose RETURN ends the run */
    uint32_t turn_stop;   /* PLAY: no turn with a higher number begins; at most FZ_MOST_TURNS */
    int32_t body;         /* PLAY: runs as the next turn, instead of `turn`; -1 */
    uint32_t samples; /* PLAY with `ask`: chances to sample all the same; `number` is the last */
    uint64_t plies;       /* PLAY: decisions still to be drawn */
    uint64_t branched;
    int64_t number;       /* CALL: the result; SITES: from */
    int64_t other;        /* SITES: to */
    uint64_t *set;        /* CALL: where a set goes; may be NULL */
    struct fzi_log *log;  /* PLAY: what is taken and rolled is noted here; NULL */
    int64_t keys[FZ_MAX_KEYS];
    size_t aside;         /* DRAW, while seeking: the first, in key_store, of those that did not reach the bound */
} fzi_run;

/* How a decision whose outermost filter is a `keeping` with a bound draws: a candidate that reaches the bound is
 * among the best, whatever the others are. */
enum fzi_seeking {
    FZ_SEEK_NOTHING,
    FZ_SEEK_BOUND, /* candidates that do not reach it are laid aside */
    FZ_SEEK_NO_MORE /* none did: the list is of the best */
};

/* Keys of a `keeping`, of the same number: above 0 if `a` is better. */
static inline int fzi_keys_compare(const int64_t *a, const int64_t *b, unsigned keys, bool least)
{
    for (unsigned i = 0; i < keys; i++)
        if (a[i] != b[i])
            return (a[i] < b[i]) != least ? -1 : 1;
    return 0;
}

/* A variable as the loop needs it. */
typedef struct fzi_cell {
    uint32_t offset;      /* bytes from the block to element 0 */
    uint32_t length;
    int64_t low, high;
    int64_t keep;         /* mask: what of a stored int32 is the value */
    int32_t initial;
    uint8_t is_set, is_bits;
} fzi_cell;

/* An option as the loop needs it. */
typedef struct fzi_loop_option {
    uint32_t number, choice, effect;
    uint8_t first, bindings; /* registers of the bindings */
    uint8_t last;         /* the last of them */
    bool plain;           /* no filter */
} fzi_loop_option;

/* Tables, as the loop needs them. */
typedef struct fzi_int_row {
    const int32_t *at;
    uint32_t length;
    int32_t initial;
} fzi_int_row;
typedef struct fzi_set_rows {
    const uint64_t *at;
    uint32_t count;
} fzi_set_rows;

/* How a phase begins: its first frame and its code. */
typedef struct fzi_entry {
    const fz_code *code;
    uint32_t function;
    uint32_t size;          /* of the frame, in words */
    uint8_t ints, takes_mover, clears;
} fzi_entry;

/* The latest question that is worth keeping, with its answer: what `end` asks, the next turn asks again. */
typedef struct fzi_memo {
    bool keeps;             /* false: nothing */
    uint64_t dirs;          /* 0: nothing has been asked */
    uint64_t end[FZ_MAX_WORDS], row[FZ_MAX_WORDS], start[FZ_MAX_WORDS], answer[FZ_MAX_WORDS];
} fzi_memo;

/* The groups of a set that has grown one site at a time: a forest over its sites. */
typedef struct fzi_groups {
    uint64_t dirs;          /* that join sites; 0: nothing is known */
    uint64_t within[FZ_MAX_WORDS];
    uint16_t *parent;       /* by site; a root is its own */
    uint64_t *sites;        /* by root, words each: its group */
} fzi_groups;

typedef struct fzi_carried {
    uint32_t variable, stride; /* elements for each site */
} fzi_carried;

typedef struct fzi_weight {
    int64_t value, weight;
} fzi_weight;

struct fz_machine {
    const fz_program *program;
    const fz_code *code;       /* the program's */
    fz_layout layout;          /* the program's, or one without variables while it is being made */
    fzi_end (*run)(fz_machine *machine, fzi_run *run);
    fzi_end (*interpret)(fz_machine *machine, fzi_run *run); /* where `run` has no code */
    fzi_allocator allocator;
    fz_limits limits;
    fz_chance chance;

    int64_t budget;            /* instructions left for this decision */
    fzi_cell *cells;
    fzi_carried *carried;
    uint32_t carried_count;
    uint64_t *die_totals;
    fzi_loop_option *options;  /* these three as in the program */
    fzi_int_row *int_rows;
    fzi_set_rows *set_rows;
    fzi_entry setup, turn, end, limit;
    uint8_t *clears;           /* by function: set registers to empty in a new frame; see definite_assignment.c */
    uint16_t site_count, player_count, kind_count;
    uint64_t dir_mask;
    int8_t kind_of[256], owner_of[256]; /* of a byte of `at` */
    uint64_t sides[FZ_MAX_PLAYERS];     /* players of a's side */

    fz_state *before;          /* of a trial; NULL until one is made */
    fz_state *scratch[FZ_MAX_TRIES];
    unsigned scratch_depth;    /* in use */
    fzi_list *lists[FZ_MAX_LISTS];
    unsigned list_depth;
    fzi_weight *weights;       /* a stack: WEIGH empties from `weight_base` on */
    uint32_t weight_count, weight_capacity, weight_base;
    int64_t *key_store;        /* a stack of keys, while a `keeping` compares */
    size_t key_count, key_capacity;
    fzi_memo flanking;
    fzi_groups *groups;        /* used by turns; NULL when the program does not flood */
    unsigned group_count, group_next, group_misses; /* misses in a row */
    int64_t rank_keys[FZ_MAX_PLAYERS][FZ_MAX_KEYS];
    bool rank_keys_used;
    fz_outcome *outcomes;
    size_t outcome_count, outcome_capacity,
        outcome_mark; /* a stack: the latest begin at the mark */
    fzi_buffer text;

    bool retained;             /* holds a reference to the program */
    size_t memory;             /* bytes taken */
    const char *fault;         /* what went wrong, NULL when only memory was short */
    uint32_t fault_pc;         /* UINT32_MAX: no place */
    char fault_text[160];      /* for a fault that must be made up */
    char message[512];

    const fz_code *traced;     /* what stands for TRACE (analysis/trace.h) */
    void (*trace)(void *user, const fzi_run *run, const fzi_list *list, uint32_t pc);
    void *trace_user;

    uint64_t all[FZ_MAX_WORDS]; /* every site */
    /* Calls a native function; NULL: there is none. */
    bool (*native)(void *user, uint32_t index, const int64_t *ints, const uint64_t *sets,
                   int64_t *result, const char **message);
    void *native_user;
};

/* ---- the loops: for each width of a set; `_fast` for x86 processors with BMI2 and AVX2 ---- */
#define WIDTH(words)                                                                              \
    fzi_end fzi_run_w##words(fz_machine *machine, fzi_run *run);                                  \
    fzi_end fzi_run_w##words##_fast(fz_machine *machine, fzi_run *run);
#include "interp/program/widths.def"
#undef WIDTH

/* ---- scratch: what is pushed is popped by setting the depth back ---- */
fz_state *fzi_scratch_new(fz_machine *machine);  /* pushed nowhere; NULL, with the fault set: no memory */
fz_state *fzi_scratch_push(fz_machine *machine); /* NULL, with the fault set: too deep, or memory */
fzi_list *fzi_list_push(fz_machine *machine);
/* A scratch state that is `from`, looking at its history. */
fz_state *fzi_scratch_copy(fz_machine *machine, const fz_state *from);

/* At a TRACE: calls the hook; the instruction that stands there. */
fz_code fzi_traced(fz_machine *machine, const fzi_run *run, const fzi_list *list, uint32_t pc);

/* ---- faults ---- */
fzi_end fzi_fault(fz_machine *machine, const char *fault); /* FZ_END_ERROR */
fzi_end fzi_fault_format(fz_machine *machine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
fzi_end fzi_fault_store(fz_machine *machine, uint32_t variable, int64_t value);
/* A request for memory failed: `wanted` bytes are more than the limit, or the allocator has none.
 */
fzi_end fzi_fault_memory(fz_machine *machine, size_t wanted);
/* A stack of so many words could not be had: it is too deep, or memory is short. */
fzi_end fzi_fault_stack(fz_machine *machine, const fz_state *state, uint32_t words);
fzi_end fzi_fault_list(fz_machine *machine, const fzi_list *list);
/* Makes machine->message of the fault; the status it means. */
fz_status fzi_machine_fail(fz_machine *machine);
/* Sets the message; for misuse and bad input. Returns the status. */
fz_status fzi_machine_say(fz_machine *machine, fz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills `clears`; false when memory is short. The program has been verified. */
bool fzi_find_clears(const fz_program *program, fzi_allocator allocator, uint8_t *clears);

/* ---- tries (filter.c) ---- */
typedef enum fzi_decision {
    FZ_DECIDE_ERROR,
    FZ_DECIDE_OTHERWISE, /* no legal move: go on there */
    FZ_DECIDE_DRAW,      /* draw candidates of the list until one is legal */
    FZ_DECIDE_WAIT,      /* there is a legal move; none is to be drawn */
    FZ_DECIDE_PASS, FZ_DECIDE_FAIL /* TRY: the run is over */
} fzi_decision;
/* At DECIDE, whenever the plain way in the loop does not do. */
fzi_decision fzi_decide(fz_machine *machine, fzi_run *run, uint32_t choice);
/* Is the move just drawn legal? -1: error. If it is not, or not known to be, it is taken out of the list. */
int fzi_drawn(fz_machine *machine, fzi_run *run, uint32_t segment, const fz_move *move);
/* Before a drawn move is played on the state itself to try it: keeps a copy. False: the fault is set. */
bool fzi_trial_begin(fz_machine *machine, const fzi_run *run);
/* Its filters refuse it: the state is again as it was, and the move is taken out of the list. */
void fzi_trial_refuse(fz_machine *machine, fzi_run *run);
/* When the list is empty: are there moves all the same, of those laid aside? Then they are in it. */
bool fzi_draw_again(fz_machine *machine, fzi_run *run);
/* The chance, result, end of turn or foreign decision that judges all pending filters of a try. */
fzi_end fzi_judge_all(fz_machine *machine, fzi_run *run);
/* JUDGE of the newest pending filter in a try: FZ_END_RETURN means go on. */
fzi_end fzi_judge(fz_machine *machine, fzi_run *run);
/* May the filter's code run in its frame? */
bool fzi_pending_sound(const fz_machine *machine, const fz_state *state, fzi_pending pending);
bool fzi_group_end(fz_machine *machine, fzi_run *run, uint32_t filter);
/* Is some move of the list legal? -1: error. */
int fzi_can(fz_machine *machine, fzi_run *run);
/* The same before the list is complete; when none is, it is emptied. */
int fzi_can_yet(fz_machine *machine, fzi_run *run);
/* Leaves only the legal moves. The state is at its DECIDE; false: error. */
bool fzi_list_prune(fz_machine *machine, fzi_run *run);
/* Is this candidate of the list, in that segment, legal? -1: error. Keepings have been pruned. */
int fzi_move_legal(fz_machine *machine, fzi_run *run, uint32_t segment, const fz_move *move);
/* Does the filter, an `ensuring`, say yes as things stand, and still whatever piece of the decider goes from a
 * site outside of `sites` to another? The state is at the DECIDE; `option` is the one whose bindings move.
 * False: it says no, or it is not known (footprint.inc.h). */
bool fzi_footprint(const fz_machine *machine, const fz_state *state, const fz_option_info *option,
                   uint32_t filter, uint64_t *sites);
bool fzi_footprint_w1(const fz_machine *machine, const fz_state *state, const fz_option_info *option,
                      uint32_t filter, uint64_t *sites);
/* Is this one of the legal moves of the list, which may be pruned on the way? -1: error. */
int fzi_list_allows(fz_machine *machine, fzi_run *run, const fz_move *move);
/* Prunes by the keepings only. */
bool fzi_list_keep(fz_machine *machine, fzi_run *run);

/* ---- chance, in the loop's cold part (machine.c) ---- */
bool fzi_weigh(fz_machine *machine, int64_t value, int64_t weight);
/* The total of the weighed values; -1: too large. */
int64_t fzi_weigh_total(const fz_machine *machine);
int64_t fzi_weigh_pick(const fz_machine *machine, uint64_t number);
bool fzi_outcome_add(fz_machine *machine, int64_t value, uint64_t weight);
bool fzi_outcomes_of_die(fz_machine *machine, uint32_t die);

/* ---- carried values and texts: the loop's cold part (machine.c, value_text.c) ---- */
void fzi_carried_reset(const fz_machine *machine, fz_state *state, unsigned site);
void fzi_carried_reset_set(const fz_machine *machine, fz_state *state, const uint64_t *sites);
void fzi_carried_move(const fz_machine *machine, fz_state *state, unsigned from, unsigned to);
void fzi_carried_swap(const fz_machine *machine, fz_state *state, unsigned one, unsigned other);

/* ---- repetitions: notes the position; false, with the fault set, when there is no memory for it ---- */
bool fzi_note_turn(fz_machine *machine, fz_state *state);

/* ---- results ---- */
void fzi_result_win(fz_machine *machine, fz_state *state, int64_t player);
bool fzi_result_lose(fz_machine *machine, fz_state *state,
                     int64_t player); /* false: not two sides */
void fzi_result_draw(fz_machine *machine, fz_state *state);
void fzi_result_rank(fz_machine *machine, fz_state *state, unsigned keys);

/* ---- for machine.c's clients: positions, records, tests, analysis ---- */

/* Begins a public call: a fresh budget, no message. */
void fzi_machine_begin(fz_machine *machine);
fzi_run fzi_run_of(fz_machine *machine, fz_state *state, fzi_mode mode);
/* Runs inside another run, or alone: lists and weights are left as they were. */
fzi_end fzi_machine_run(fz_machine *machine, fzi_run *run);
/* A machine for a program that is still being made: it does not retain it. */
fz_machine *fzi_machine_make(const fz_program *program, const fz_limits *limits, bool retain);
/* Goes on until the state waits or is over; `state` may be left in the middle when it fails. */
fz_status fzi_state_go(fz_machine *machine, fz_state *state, uint64_t plies);
/* Gathers the candidates of a waiting state into `list`, on the scratch state that is returned
 * (popped by the caller); NULL: failed. */
fz_state *fzi_state_gather(fz_machine *machine, const fz_state *state, fzi_list *list,
                           fzi_run *run);
/* Writes the move's bindings into the waiting state's frame and goes to its effect. */
void fzi_move_apply(fz_machine *machine, fz_state *state, const fz_move *move);

/* Takes a move that is known to be legal, on the state itself, and goes on until it waits, is over,
 * or a turn with a number above `turn_stop` would begin. The same for a chance that is waited for.
 */
fz_status fzi_state_take(fz_machine *machine, fz_state *state, const fz_move *move,
                         uint32_t turn_stop, bool ask);
/* The same; where it then waits for a move, the list holds the candidates, as gathering it there makes it. */
fz_status fzi_state_take_listing(fz_machine *machine, fz_state *state, const fz_move *move,
                                 uint32_t turn_stop, bool ask, fzi_list *list);
fz_status fzi_state_give_chance(fz_machine *machine, fz_state *state, int64_t value,
                                uint32_t turn_stop, bool ask);
/* Adds what may come to machine->outcomes, from outcome_mark on. */
fz_status fzi_state_ask_outcomes(fz_machine *machine, const fz_state *state);
/* A player's utility in parts of fzi_utility_denominator. */
int fzi_state_utility(const fz_state *state, int player);
int fzi_utility_denominator(const fz_program *program);
/* A state that nothing has run on yet; freed with fz_state_free. */
fz_state *fzi_state_make(const fz_program *program);

/* The text of a move into `buffer`; `shown`: as the others see it. */
fz_status fzi_vm_run_label(fz_machine *machine, const fz_state *state, const fz_move *move,
                           bool shown, fzi_buffer *buffer);
/* A pure function on a copy of the state (test conditions, `unseen`). `set` receives W words;
 * either may be NULL. A function that depends on `me` takes it as its first argument. */
fz_status fzi_state_call(fz_machine *machine, const fz_state *state, uint32_t function,
                         const int64_t *arguments, unsigned count, int64_t *number, uint64_t *set);
/* A function that writes (settings of a position), on the state itself; no decisions, no chance. */
fz_status fzi_state_effect(fz_machine *machine, fz_state *state, uint32_t function,
                           const int64_t *arguments, unsigned count);
/* The state as it is when turn number `turns` of `mover` is about to begin: nothing runs yet,
 * variables and board are untouched. fzi_state_go then begins the turn. */
void fzi_state_prepare(fz_state *state, int mover, uint32_t turns);
/* Runs a function as the body of the mover's turn: of the turn about to begin in a prepared state,
 * instead of what is left of it in a waiting one; then `end` and so on. */
fz_status fzi_state_do(fz_machine *machine, fz_state *state, uint32_t function);

/* The parts of a state, by variable and element; out of range is 0 and nothing. */
int64_t fzi_state_get(const fz_state *state, uint32_t variable, uint32_t element);
bool fzi_state_put(fz_state *state, uint32_t variable, uint32_t element, int64_t value);
uint64_t *fzi_state_sites(const fz_state *state, uint32_t variable, uint32_t element);
/* kind -1: takes off; carried values are left alone. */
void fzi_state_place(fz_state *state, unsigned site, int kind, int owner);
void fzi_state_at(const fz_state *state, unsigned site, int *kind, int *owner);
void fzi_state_take_all(fz_state *state); /* an empty board, variables at their initial values */
bool fzi_state_is_out(const fz_state *state, int player);
void fzi_state_set_out(fz_state *state, int player);

/* ---- values as texts (value_text.c) ---- */
/* Sites, players, named values by name, kinds by letter (by name if they have none, or unless
 * `letters`), numbers; a mask as {a, b}. */
void fzi_value_text(const fz_program *program, uint16_t type, int64_t value, bool letters,
                    fzi_buffer *buffer);
void fzi_sites_text(const fz_program *program, const uint64_t *set, fzi_buffer *buffer);

/* ---- programs (program.c) ---- */
/* One block with copies of all that `view` points to; derives the topology. NULL: memory is short.
 */
fz_program *fzi_program_make(fzi_allocator allocator, const fz_program *view);
/* Does it read last_from or last_to of an earlier turn (last_move.c)? Then they are part of a position. The
 * program has been verified. False: memory is short. */
bool fzi_program_find_last(const fz_program *program, fzi_allocator allocator, uint8_t *reads);
/* Fills `last` of the program's choices (last_choice.c). The same holds. */
bool fzi_program_find_last_choices(const fz_program *program, fzi_allocator allocator,
                                   fz_choice *choices);
/* Fills `at_once` of the program's choices and options (trials.c). The same holds. */
bool fzi_program_find_trials(const fz_program *program, fzi_allocator allocator, fz_choice *choices,
                             fz_option_info *options);
/* Where the memory of a program comes from; the default while it is being made. */
fzi_allocator fzi_program_allocator(const fz_program *program);
/* The index in places of the instruction; 0 when unknown. */
uint32_t fzi_program_place_index(const fz_program *program, uint32_t code);
/* "file:line:column" of a place, into `buffer`; "" when unknown. */
void fzi_place_text(const fz_program *program, const fz_place *place, char *buffer, size_t size);

#endif
