/* A run of the loop: its purpose, its parameters and how it ended. */
#ifndef FZ_INTERP_VM_RUN_H
#define FZ_INTERP_VM_RUN_H

#include <string.h>

#include "interp/state/move_list.h"
#include "interp/state/state.h"

enum { FZ_MAX_TURNS = INT32_MAX };

/* The purpose of a run. */
typedef enum fzi_mode {
    FZ_RUN_PLAY,     /* the game itself: choices are drawn while `plies` lasts, else it waits */
    FZ_RUN_GATHER,   /* ends at DECIDE with the list of candidates */
    FZ_RUN_TRY,      /* plays a candidate on a scratch state until the filter at `base` is judged */
    FZ_RUN_VERDICT,  /* a filter's code */
    FZ_RUN_CALL,     /* one function, which may write but neither choose nor roll */
    FZ_RUN_TEXT,     /* a label's code */
    FZ_RUN_SITES,    /* an effect until it notes where the move goes (SET_LAST_MOVE), or wholly */
    FZ_RUN_OUTCOMES  /* at a waiting chance: lists the possible results */
} fzi_mode;

/* How it ended. */
typedef enum fzi_end {
    FZ_END_ERROR,    /* see machine->fault */
    FZ_END_MOVE,     /* waits for a move */
    FZ_END_CHANCE,   /* waits for chance */
    FZ_END_OVER,     /* a result */
    FZ_END_TURN,     /* the turn before `turn_stop` is complete */
    FZ_END_LIST,     /* GATHER: at DECIDE */
    FZ_END_PASS,     /* TRY: the filters accept; `keys` are the keys of a `keeping` */
    FZ_END_FAIL,     /* TRY: a filter rejects */
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
    bool branching;       /* PLAY: add the legal moves of each decision to `legal_move_sum` */
    /* The loop sets these three. `draws`: PLAY, nothing logs the moves, and one set of sites cannot
     * exceed the limit of moves. `notes`: more is to be done when a turn begins. `tries`: PLAY, and
     * a drawn move may be tried on the state itself (in_place_trials.c). */
    bool draws, notes, tries;
    bool trial;           /* a drawn move is being tried on the state itself */
    bool redrawing;       /* the filters rejected that move; DECIDE draws again without it */
    uint32_t behind;      /* the FILTER_BEGIN that the verdict is for */
    uint32_t segment;     /* of the move */
    fz_move move;
    uint64_t counter;     /* of the chance stream before the first of the decision's draws */
    uint8_t key_count;
    bool reached;         /* TRY: `keys` are those of a `keeping` and reach its bounds */
    uint8_t seeking;      /* DRAW: fzi_seeking */
    uint32_t base;        /* TRY: index of the pending filter asked about */
    uint32_t floor;       /* the frame whose RETURN ends the run */
    uint32_t turn_stop;   /* PLAY: no turn with a higher number begins; at most FZ_MAX_TURNS */
    int32_t body;         /* PLAY: runs as the next turn, instead of `turn`; -1 */
    uint32_t samples;     /* PLAY with `ask`: chances to sample anyway; `number` is the last */
    uint64_t plies;       /* PLAY: decisions still to be drawn */
    uint64_t legal_move_sum;
    int64_t number;       /* CALL: the result; SITES: from */
    int64_t other;        /* SITES: to */
    uint64_t *set;        /* CALL: where a set goes; may be NULL */
    struct fzi_log *log;  /* PLAY: logs moves and chance results; may be NULL */
    int64_t keys[FZ_MAX_KEYS];
    size_t aside;         /* DRAW, while seeking: index in key_store of the first move laid aside */
} fzi_run;

/* How a decision draws when its outermost filter is a `keeping` with a bound. A candidate that
 * reaches the bound is among the best, whatever the others are. */
enum fzi_seeking {
    FZ_SEEK_NOTHING,
    FZ_SEEK_BOUND,  /* lays aside candidates that do not reach the bound */
    FZ_SEEK_NO_MORE /* no candidate reaches it: the list holds the best */
};

/* How a game ended. */
typedef struct fzi_result_key {
    uint64_t how;            /* of fzi_head: pc, no_legal_move, stopped, nature */
    uint64_t rank[2];        /* that of each player, in a byte */
} fzi_result_key;

static inline fzi_result_key fzi_result_key_of(const fzi_head *head)
{
    fzi_result_key key = {.how = head->pc | (uint64_t)head->no_legal_move << 32 |
                                 (uint64_t)head->stopped << 40 |
                                 (uint64_t)(uint8_t)head->nature << 48};
    _Static_assert(sizeof key.rank == sizeof head->rank, "a key holds every rank");
    memcpy(key.rank, head->rank, sizeof key.rank);
    return key;
}

static inline bool fzi_result_is(const fzi_result_key *a, const fzi_result_key *b)
{
    return a->how == b->how && a->rank[0] == b->rank[0] && a->rank[1] == b->rank[1];
}

/* Many games in one call. A game that ends in no known result, or that is not played to its end,
 * ends the call and is not counted. */
typedef struct fzi_games {
    uint64_t seed, stream;       /* of the next game's chance */
    uint64_t left;               /* games to play */
    uint64_t *lengths;           /* the decisions of the next game go here */
    uint64_t turns, legal_moves; /* sums */
    unsigned known;              /* results */
    const fzi_result_key *keys;
    uint64_t *counts;            /* how often each has occurred */
    bool unfit;                  /* a game was not played to its end */
} fzi_games;

/* A run with the machine's settings. */
fzi_run fzi_run_of(fz_machine *machine, fz_state *state, fzi_mode mode);
/* The run again, for the next game on the state, with the same settings. */
void fzi_run_renew(fzi_run *run);
/* Runs, alone or inside another run. Restores the depth of lists and weights. */
fzi_end fzi_machine_run(fz_machine *machine, fzi_run *run);
/* The same as a status; on an error the machine's message says why. */
fz_status fzi_run_status(fz_machine *machine, fzi_run *run);
/* Plays games from the run's state, which is at the beginning of one. */
void fzi_machine_games(fz_machine *machine, fzi_run *run, fzi_games *games);

#endif
