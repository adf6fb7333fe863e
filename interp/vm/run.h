/* A run of the loop: what it is for, what it needs, how it ended. */
#ifndef FZ_INTERP_VM_RUN_H
#define FZ_INTERP_VM_RUN_H

#include "interp/state/move_list.h"
#include "interp/state/state.h"

enum { FZ_MAX_TURNS = INT32_MAX };

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
    fzi_move_list *list;       /* the list being made; NULL: taken from the pool when needed */
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
    uint32_t turn_stop;   /* PLAY: no turn with a higher number begins; at most FZ_MAX_TURNS */
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

fzi_run fzi_run_of(fz_machine *machine, fz_state *state, fzi_mode mode);
/* Runs inside another run, or alone: lists and weights are left as they were. */
fzi_end fzi_machine_run(fz_machine *machine, fzi_run *run);
/* The same as a status; on an error the machine's message says why. */
fz_status fzi_run_status(fz_machine *machine, fzi_run *run);

#endif
