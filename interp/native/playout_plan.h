/* How a program is played as whole games: which functions, which copies, which choices need a list.
 * playout_plan.c finds it, generate_playout.c writes the C. */
#ifndef FZ_INTERP_NATIVE_PLAYOUT_PLAN_H
#define FZ_INTERP_NATIVE_PLAYOUT_PLAN_H

#include "interp/program/data_flow.h"
#include "interp/program/program.h"
#include "interp/support/buffer.h"

enum {
    FZ_MOST_COPIES = 4,      /* of the function of a phase: one for each player */
    FZ_MOST_DECISIONS = 4096, /* of a turn with loops that decide; else another engine plays it */
    FZ_MANY_WORDS = 4,       /* sets of so many words are loops, or vectors */
    FZ_SMALL_PROGRAM = 400   /* instructions of whole games whose code may stand twice */
};

typedef struct fzi_playout_plan {
    const fz_program *p;
    fzi_buffer *out;
    uint8_t *seen;       /* by function: is it played? */
    /* by function; size: with what it calls; order: of the visits */
    uint32_t *callers, *size, *decisions, *depth, *order;
    uint32_t *runs; /* by function: instructions of a call at most, where there is a bound */
    uint32_t visits;
    fzi_live *live;
    uint8_t *writes;     /* by function: may it change the board, itself or by what it calls? */
    uint8_t *loose;      /* by place: the instruction lists moves in locals */
    uint8_t *lists;      /* by choice: some moves are in a list */
    uint32_t *tried;     /* by choice: fzi_tries_sites */
    uint32_t moves;      /* the most that a choice without a list has */
    /* `copies`: the block is a local copy; `tries`: filters; `loops`: turns of any number of
     * decisions; `recurses`: functions call themselves; `fits`: nothing stands against playing the
     * program in this way, as far as it has been visited. */
    bool copies, tries, loops, recurses, fits;
    uint32_t most_depth, turn_decisions;
    uint32_t instructions; /* of the functions that are played */
    uint32_t cost;       /* of the budget, the most that a turn takes; 0: there is no such number */
    bool whole;          /* the game is one function of C, the parts of its block are locals */
    bool counts;         /* it keeps how many sites are empty up to each word */
    uint32_t windows;    /* it keeps the lines that this table is about; UINT32_MAX: none */
    bool carries;        /* pieces carry values */
    bool still;          /* `end` leaves positions as they are */
    bool both_ways;      /* neighbours of sites lead both ways */
    bool counting;       /* the function that is being written counts sequences of turns */
    /* by option: generate_count.c's found_for; by filter: can its footprint be found? */
    uint32_t *found;
    uint8_t *footprint;
    uint32_t now, at;    /* the function that is being written, and a place in it */
} fzi_playout_plan;

/* Makes the plan of a program; `fits` says whether it can be played so. False when memory is short;
 * it is freed all the same. */
bool fzi_playout_plan_make(fzi_playout_plan *g, const fz_machine *machine);
void fzi_playout_plan_free(fzi_playout_plan *g);
/* Adds C that plays whole games: fzi_end ferz_playout(fz_machine *, fzi_run *). False when memory
 * is short. */
bool fzi_native_playout_c(fzi_playout_plan *g, fzi_buffer *out);

/* Looks at a function, if there is one, and all that it calls. */
void fzi_plan_visit(fzi_playout_plan *g, int32_t function);
/* Does `end` leave positions as they are? `runs`: zeros, by place and one more. */
bool fzi_plan_still(const fzi_playout_plan *g, uint8_t *runs);
/* Can the program be played in this way? All functions have been visited. */
bool fzi_plan_fits(const fzi_playout_plan *g);
/* Finds `cost`. */
void fzi_plan_cost(fzi_playout_plan *g);
/* Does the result depend on nothing but the instruction and its player? */
bool fzi_plan_result(const fzi_playout_plan *g, uint32_t at);
/* How many such instructions of all functions stand before the place. */
uint32_t fzi_plan_results(const fzi_playout_plan *g, uint32_t at);
/* May the function call itself, through others too? */
bool fzi_plan_circle(const fzi_playout_plan *g, uint32_t function);
/* Is it the function of a phase? */
bool fzi_plan_phase(const fz_program *p, uint32_t function);
bool fzi_plan_filtered(const fz_program *p, uint32_t choice);
/* Does the instruction ask which positions there have been? */
bool fzi_plan_repeats(unsigned op);
/* Does it put, move or remove pieces? PHANTOM does not: what it changes is changed back. */
bool fzi_plan_changes_board(unsigned op);
/* Is it a question? */
bool fzi_plan_can(const fz_program *p, uint32_t choice);
/* The place of the choice's DECIDE. */
uint32_t fzi_plan_decide(const fzi_playout_plan *g, uint32_t choice);
/* The choice whose moves the instruction lists; UINT32_MAX: none. */
uint32_t fzi_plan_lists_for(const fzi_playout_plan *g, uint32_t at);
/* Finds which instructions of a function list moves in locals. For those of questions without
 * filters a local says whether there is a move. */
void fzi_plan_find_loose(fzi_playout_plan *g, uint32_t function);
bool fzi_plan_loose(const fzi_playout_plan *g, uint32_t at);
/* Does the instruction count moves of the choice in locals? An ALSO_SHIFTS adds to another's. */
bool fzi_plan_counts(const fzi_playout_plan *g, uint32_t at, uint32_t choice);
/* Where the effect of the option stands, or an equal one of an earlier option. */
uint32_t fzi_plan_effect(const fzi_playout_plan *g, uint32_t option);
/* Instructions with rows that stand one after the other, with equal effects, share their rows: the
 * place of the first. UINT32_MAX: the instruction has no rows. */
uint32_t fzi_plan_leader(const fzi_playout_plan *g, uint32_t at);
/* Does the instruction begin a run of those that count moves of one choice, one after the other?
 * Between them no move gets into a list. */
bool fzi_plan_leads_run(const fzi_playout_plan *g, uint32_t at);
/* The same of a run that shares its rows: what begins it, and does this instruction? */
uint32_t fzi_plan_rows_of(const fzi_playout_plan *g, uint32_t place);
bool fzi_plan_leads_rows(const fzi_playout_plan *g, uint32_t at);
/* Does an instruction of the choice put moves in a list? */
bool fzi_plan_needs_list(const fzi_playout_plan *g, uint32_t choice);
/* The most moves that the instruction lists. */
uint32_t fzi_plan_most_moves(const fzi_playout_plan *g, uint32_t at);

/* The place of the instruction that has always just run before this one; UINT32_MAX: there may be
 * others. */
uint32_t fzi_plan_before(const fzi_playout_plan *g, uint32_t place);
/* Does the instruction jump to a place from `first` to `last`: by itself, or to the effect of a
 * move or the code of a filter? */
bool fzi_plan_jumps(const fzi_playout_plan *g, uint32_t at, uint32_t first, uint32_t last);
/* Does it write an integer register? A DECIDE writes those of its moves' bindings. */
bool fzi_plan_writes(const fzi_playout_plan *g, uint32_t at, unsigned reg);
/* May a jump lead to a place of the function after `from`, up to `to`? */
bool fzi_plan_is_entered(const fzi_playout_plan *g, uint32_t from, uint32_t to);
/* Is register 0 `me` at the place, in the function of a phase? */
bool fzi_plan_me(const fzi_playout_plan *g, uint32_t place);

/* ---- EMIT_SHIFTS and ALSO_SHIFTS ---- */

bool fzi_plan_shifts(unsigned op);
/* How many bindings of a move an instruction supplies itself: the last ones. */
unsigned fzi_plan_own_bindings(unsigned op);
/* EMIT_ROWS and EMIT_SLIDES: for each site moved from, a set of sites moved to. */
bool fzi_plan_rows(unsigned op);
/* The place of the next ALSO_SHIFTS that adds to the same moves; the end of the function: none. */
uint32_t fzi_plan_also(const fzi_playout_plan *g, const fz_function *f, uint32_t place);
/* How many texts an instruction has that depends on `me`: one for each player where register 0 is
 * `me`, else one. */
unsigned fzi_plan_texts(const fzi_playout_plan *g, uint32_t place);
/* Do the steps of the instruction stand in the program, for every player? And those of all that add
 * to the same moves? */
bool fzi_plan_known_steps(const fzi_playout_plan *g, uint32_t at);
bool fzi_plan_known_moves(const fzi_playout_plan *g, const fz_function *f, uint32_t place);
/* Known steps of a player: how many; what they add to a site, and where their sets of sites begin
 * in the program's pool. */
unsigned fzi_plan_steps(const fzi_playout_plan *g, uint32_t at, unsigned player,
                        const int32_t **deltas, uint32_t *first);

#endif
