/* The machine: the tables that the loop reads, scratch memory, caches, and the fault of the latest
 * call. One thread uses a machine at a time. */
#ifndef FZ_INTERP_VM_MACHINE_H
#define FZ_INTERP_VM_MACHINE_H

#include "engine.h"
#include "footprint.h"
#include "interp/board/topology.h"
#include "interp/support/buffer.h"

enum {
    FZ_MAX_TEXT = 4096,   /* of a move, about */
    FZ_MAX_TRIES = 200,   /* nested tries: bounds the C stack */
    FZ_MAX_LISTS = 3 * FZ_MAX_TRIES
};

/* A variable, prepared for the loop. */
typedef struct fzi_cell {
    uint32_t offset;      /* bytes from the block to element 0 */
    uint32_t length;
    int64_t low, high;
    /* the bits of a stored int32 that are the value; of a mask in two of them, all its members */
    int64_t keep;
    int32_t initial;
    uint8_t is_set, is_bits, is_wide;
} fzi_cell;

/* An option, prepared for the loop. */
typedef struct fzi_loop_option {
    uint32_t number, choice, effect;
    uint8_t first, bindings; /* registers of the bindings */
    uint8_t last;         /* the last of them */
    bool plain;           /* no filter */
} fzi_loop_option;

/* Tables, prepared for the loop. */
typedef struct fzi_int_row {
    const int32_t *at;
    uint32_t length;
    int32_t initial;
} fzi_int_row;
typedef struct fzi_set_rows {
    const uint64_t *at;
    uint32_t count;
} fzi_set_rows;

/* The entry of a phase: its code and its first frame. */
typedef struct fzi_phase_entry {
    const fz_code *code;
    uint32_t frame, top;    /* as in the head: its first word, and that behind it */
    uint64_t header[FZ_FRAME_HEADER];
    uint8_t ints, takes_mover;
} fzi_phase_entry;

/* A cache of the latest FLANKING instruction: `end` asks, and the next turn asks the same again. */
typedef struct fzi_memo {
    bool keeps;             /* false: the cache is off */
    uint64_t dirs;          /* 0: nothing has been asked */
    uint64_t end[FZ_MAX_WORDS], row[FZ_MAX_WORDS], start[FZ_MAX_WORDS], answer[FZ_MAX_WORDS];
} fzi_memo;

/* A cache for FLOOD: the groups of a set that grows one site at a time, as a forest over its
 * sites. */
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

/* The texts that several legal moves of a state have in common, by hash (text/notation.c). */
typedef struct fzi_alike {
    uint8_t *state;       /* its pending filters and its block; NULL: nothing is known */
    size_t size;
    uint64_t *hashes;
    uint32_t count;
} fzi_alike;

struct fz_machine {
    const fz_program *program;
    const fz_code *code;       /* the program's, or: */
    fz_code *own_code;         /* the same with superinstructions; NULL */
    fz_layout layout;          /* the program's, or one without variables while it is being made */
    fzi_engine *run;
    fzi_engine *interpret;     /* where `run` has no code */
    fzi_footprint_finder *footprint;
    fzi_games_engine *games;   /* whole games; NULL: `run` plays them one by one */
    fzi_count_engine *count;   /* sequences of turns; NULL: `run` plays them */
    fzi_compiled *awaited;     /* what `run` may become; NULL: it stays */
    fzi_work work;
    fzi_allocator allocator;
    fz_limits limits;
    fz_chance chance;

    int64_t budget;            /* instructions left for this decision */
    fzi_cell *cells;
    fzi_carried *carried;
    uint32_t carried_count;
    bool carries;              /* something belongs to the piece on a site: carried values, or the
                                * pieces under it */
    uint64_t *die_totals;
    fzi_loop_option *options;  /* these three as in the program */
    fzi_int_row *int_rows;
    fzi_set_rows *set_rows;
    fzi_phase_entry setup, turn, end, limit;
    uint32_t last_turn;        /* after which `limit` runs; UINT32_MAX: there is no limit */
    /* by function: set registers to empty in a new frame; none once the program is verified */
    uint8_t *clears;
    uint16_t site_count, player_count, kind_count;
    uint64_t dir_mask;
    int8_t kind_of[256], owner_of[256]; /* of a byte of `at` */
    uint64_t sides[FZ_MAX_PLAYERS];     /* players of a's side */
    uint64_t side_bytes[FZ_MAX_PLAYERS][2], player_bytes[2]; /* a byte is 255 for each of them */
    uint8_t side_count;
    bool one_side;             /* all players are of one */
    bool draws, tries;         /* its limits and optimisations allow this (fzi_run) */

    fz_state *before;          /* the state before a trial; NULL until the first trial */
    fz_state *scratch[FZ_MAX_TRIES];
    unsigned scratch_depth;    /* in use */
    fzi_move_list *lists[FZ_MAX_LISTS];
    unsigned list_depth;
    fzi_weight *weights;       /* a stack: WEIGH empties from `weight_base` on */
    uint32_t weight_count, weight_base;
    size_t weight_capacity;
    int64_t *key_store;        /* a stack of keys, while a `keeping` compares */
    size_t key_count, key_capacity;
    /* Superinstructions: the steps of a choice that makes no list; how many words and moves. */
    uint64_t steps[FZ_MAX_STEPS * (1 + FZ_MAX_WORDS)];
    uint32_t step_words, step_moves;
    fzi_memo flanking;
    fzi_groups *groups;        /* used in turn; NULL when the program does not flood */
    unsigned group_count, group_next, group_misses; /* misses in a row */
    int64_t rank_keys[FZ_MAX_PLAYERS][FZ_MAX_KEYS];
    bool rank_keys_used;
    fz_outcome *outcomes;
    size_t outcome_count, outcome_capacity,
        outcome_mark; /* a stack: the latest begin at the mark */
    fzi_buffer text;
    fzi_alike alike;      /* of the state whose moves were last written */

    bool retained;             /* holds a reference to the program */
    size_t memory;             /* bytes taken */
    const char *fault;         /* the error of the run; NULL: memory was short */
    uint32_t fault_pc;         /* where; UINT32_MAX: nowhere */
    char fault_text[160];      /* for faults with arguments */
    char message[512];

    const fz_code *traced;     /* the instructions that TRACE stands for (fzi_traced) */
    void (*trace)(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc);
    void *trace_user;

    uint64_t all[FZ_MAX_WORDS]; /* every site */
    fzi_native_call *native;    /* NULL: there is none */
    void *native_user;
};

/* Begins a public call: a fresh budget, no message. */
void fzi_machine_begin(fz_machine *machine);
/* What of this is needed after a game that was played to its end. */
static inline void fzi_machine_renew(fz_machine *m)
{
    m->budget = (int64_t)m->limits.instructions;
    m->list_depth = 0;
    m->weight_count = m->weight_base = 0;
    m->key_count = 0;
    m->rank_keys_used = false;
}
/* fz_machine_new; without `retain`, for a program that is still being made. */
fz_machine *fzi_machine_make(const fz_program *program, const fz_limits *limits, bool retain);
/* At a TRACE: calls the hook and returns the instruction that TRACE replaces. */
fz_code fzi_traced(fz_machine *machine, const fzi_run *run, const fzi_move_list *list, uint32_t pc);
/* The instruction at `pc`; of a traced copy, the one that TRACE stands for. */
static inline unsigned fzi_machine_op(const fz_machine *machine, uint32_t pc)
{
    return FZ_CODE_OP((machine->traced ? machine->traced : machine->program->code)[pc]);
}

/* Records the position for `repetitions`. False: memory is short, and the fault is set. */
bool fzi_note_turn(fz_machine *machine, fz_state *state);

/* ---- superinstructions.c ---- */

/* Gives the machine its own code, and sets the entries of phases. False: memory is short. */
bool fzi_superinstructions_make(fz_machine *machine);
/* The machine runs the code of the program itself: a traced copy, which changes. */
void fzi_superinstructions_drop(fz_machine *machine);

/* ---- scratch.c: setting scratch_depth or list_depth back pops states and lists ---- */

/* A state that is not on the stack. NULL: memory is short, and the fault is set. */
fz_state *fzi_scratch_new(fz_machine *machine);
void fzi_scratch_free(fz_machine *machine, fz_state *state);
/* NULL: too deep, or memory is short; the fault is set. */
fz_state *fzi_scratch_push(fz_machine *machine);
fzi_move_list *fzi_move_list_push(fz_machine *machine);
/* Pushes a copy of `from`, which borrows its history. */
fz_state *fzi_scratch_copy(fz_machine *machine, const fz_state *from);

#endif
