/* A test of a script while it runs: script_case.c changes the state, script_expect.c looks at
 * it. */
#ifndef FZ_INTERP_SCRIPT_TESTS_SCRIPT_CASE_H
#define FZ_INTERP_SCRIPT_TESTS_SCRIPT_CASE_H

#include "interp/program/program.h"
#include "interp/support/buffer.h"

typedef struct fzi_script_case {
    const fz_program *program;
    const fz_test_info *test;
    const fz_test_step *step;  /* the current one */
    fz_machine *machine;
    fz_state *state;
    int64_t tape[64];          /* results of chance that are still to come */
    unsigned tape_count;
    bool failed;
    bool caught;               /* the step ended in the error that a `fails` after it expects */
    fzi_buffer out;            /* what differed */
} fzi_script_case;

/* Does a step that changes the state, or that expects something; true for the steps of the other
 * sort. False: the test cannot go on. */
bool fzi_case_do(fzi_script_case *t);
bool fzi_case_expect(fzi_script_case *t);

/* Notes that the step went wrong, with its place; the caller adds the rest. */
void fzi_case_fail(fzi_script_case *t);
/* The step could not be done, for this reason; false. */
bool fzi_case_broken(fzi_script_case *t, const char *what);
/* The machine has failed: false, and the test ends, unless a `fails` expects the error. */
bool fzi_case_broken_by_machine(fzi_script_case *t);
/* A step that needs a choice must not meet chance that nothing was said about. */
bool fzi_case_no_chance(fzi_script_case *t);
void fzi_case_add_board(fzi_script_case *t);

#endif
