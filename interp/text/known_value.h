/* Computes what a player knows of the value of a function, for shown `let`s. */
#ifndef FZ_INTERP_TEXT_KNOWN_VALUE_H
#define FZ_INTERP_TEXT_KNOWN_VALUE_H

#include "position.h"
#include "interp/vm/tracer.h"

enum { FZ_KNOWN_CALLS = 64, FZ_KNOWN_TESTS = 64, FZ_KNOWN_RUNS = 1024, FZ_KNOWN_REVEALS = 1024 };
enum { FZ_KNOWN_INTS = 256 }; /* registers of a call */

/* A call: what the viewer does not know of its registers. Values have no wrong bits elsewhere. */
typedef struct fzi_known_call {
    uint64_t *ints; /* of each integer register the unknown bits; of a mask, the members */
    uint64_t *sets; /* of each set register the sites that it has or not */
    unsigned set_words;
    uint8_t into;   /* the caller's register for the result */
} fzi_known_call;

/* What this run supposes: a piece on a site, or an element of a variable. */
typedef struct fzi_guess {
    const fz_variable *variable; /* NULL: the piece */
    uint32_t element;
} fzi_guess;

/* A result of `reveal` in the true state: the way there, and the value. */
typedef struct fzi_revealed {
    uint64_t way;
    int64_t number;
    uint64_t set[FZ_MAX_WORDS];
} fzi_revealed;

typedef struct fzi_knower {
    fzi_tracer tracer;
    const fz_program *program;
    const fz_state *truth;      /* read by `reveal` only */
    const fzi_observed *seen;
    int viewer;
    bool own_seen;              /* the viewer can look at all of its own pieces */
    bool last_hidden;           /* the latest move led where the viewer cannot look */

    fzi_known_call calls[FZ_KNOWN_CALLS];
    unsigned depth;
    uint64_t *memory;           /* of all calls */
    fzi_revealed *revealed;     /* NULL: the program reveals nothing */
    unsigned reveals, reveals_used;
    bool recording;             /* this run is of the true state */
    uint64_t way;               /* a hash of the instructions run so far */
    /* how tests of something unknown come out in this run, and in how many ways they may */
    uint16_t tests[FZ_KNOWN_TESTS], ways[FZ_KNOWN_TESTS];
    unsigned test_count, tests_made;
    bool guessing;              /* hidden values are supposed, in all ways one after the other */
    bool concrete;              /* nothing is unknown any more in this run */
    bool asks_past;             /* the program compares positions with earlier ones */
    fzi_guess guesses[FZ_KNOWN_TESTS];
    unsigned guess_count;
    bool lost;                  /* this run says nothing */
    bool unknown;               /* its result */
} fzi_knower;

/* `seen` is the state as the viewer observes it. Close it, whatever the status. */
fz_status fzi_knower_open(fzi_knower *knower, const fz_machine *machine, const fz_state *state,
                          const fzi_observed *seen, int viewer);
void fzi_knower_close(fzi_knower *knower);
/* The result of a function of the program that changes nothing, as `number` or `set`. False in
 * `*known`: it depends on something that the viewer does not know, or it cannot be computed.
 * What `reveal` gives counts as known. FZ_NO_MEMORY is the only error. */
fz_status fzi_knower_call(fzi_knower *knower, uint32_t function, const int64_t *arguments,
                          unsigned count, int64_t *number, uint64_t *set, bool *known);

#endif
