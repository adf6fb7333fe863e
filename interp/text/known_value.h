/* Computes what a player knows of the value of a function, for shown `let`s. */
#ifndef FZ_INTERP_TEXT_KNOWN_VALUE_H
#define FZ_INTERP_TEXT_KNOWN_VALUE_H

#include "position.h"
#include "interp/vm/tracer.h"

enum { FZ_KNOWN_CALLS = 64, FZ_KNOWN_TESTS = 64, FZ_KNOWN_RUNS = 1024, FZ_KNOWN_REVEALS = 1024 };

/* A call: which integer registers hold something that the viewer does not know, as bits, and
 * where the sites begin of which it does not know whether a set register has them. */
typedef struct fzi_known_call {
    uint64_t ints[4];
    uint64_t *sets;
    uint8_t into;   /* the caller's register for the result */
} fzi_known_call;

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
    uint64_t *sets;             /* of all calls */
    fzi_revealed *revealed;     /* NULL: the program reveals nothing */
    unsigned reveals, reveals_used;
    bool recording;             /* this run is of the true state */
    uint64_t way;               /* a hash of the instructions run so far */
    bool tests[FZ_KNOWN_TESTS]; /* how tests of something unknown come out in this run */
    unsigned test_count, tests_made;
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
