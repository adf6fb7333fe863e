/* The layout of the block of a state: the head, then the parts that fz_layout places. state.h adds
 * what changes from state to state. */
#ifndef FZ_INTERP_PROGRAM_LAYOUT_H
#define FZ_INTERP_PROGRAM_LAYOUT_H

#include "program.h"

typedef struct fzi_head {
    uint64_t key, counter;    /* of the stream of chance */
    int64_t chance;           /* the value given for the chance that is waited for */
    uint32_t turns, plies;
    uint32_t frame, top;      /* the current frame and the first free word of the stack */
    uint32_t pc;              /* the instruction to go on at; of a game that is over, the one that
                               * gave the result */
    uint32_t depth;           /* frames on the stack */
    uint32_t idle;            /* turns, and chance results asked for, in a row without a decision */
    uint32_t history;         /* turn beginnings noted */
    uint32_t begun;           /* plies when the turn began */
    uint16_t out;             /* players who play no more turns */
    int16_t last_from, last_to;
    int8_t mover, next_mover, decider, pending_decider;
    uint8_t phase;            /* fzi_phase */
    uint8_t waiting;          /* fz_waiting */
    uint8_t pendings;
    uint8_t chance_given;
    uint8_t decided;          /* a decision was taken in this turn */
    uint8_t no_legal_move;    /* and the next had no legal move. Beside it: one store for both */
    uint8_t stopped;          /* ended by `limit` */
    int8_t rank[FZ_MAX_PLAYERS]; /* 0: not decided */
    int8_t nature;            /* the rank of what a game of one side is played against; else 0 */
    uint16_t blind;           /* players who do not see the results of chance */
} fzi_head;
_Static_assert(sizeof(fzi_head) % 8 == 0, "sets follow the head");

enum {
    FZ_FRAME_HEADER = 2,      /* words: function | pc << 32; caller | result << 32 | ints << 40 */
    FZ_MAX_FRAME_WORDS = 1 << 20    /* words */
};

/* Words of a frame. */
static inline uint32_t fzi_frame_size(const fz_function *function, unsigned words)
{
    return FZ_FRAME_HEADER + function->ints + function->sets * words;
}

/* A variable that holds sets of a finite type other than sites and directions: a mask of 64 bits in
 * two ints, low half first. */
static inline bool fzi_variable_is_wide(const fz_program *program, const fz_variable *variable)
{
    const fz_value_type *type = &program->types[variable->type];
    return type->kind == FZ_VALUE_MASK && program->types[type->element].kind != FZ_VALUE_DIR;
}

/* Ints that an element takes; only of variables that are no sets of sites. */
static inline uint32_t fzi_variable_slots(const fz_program *program, const fz_variable *variable)
{
    return fzi_variable_is_wide(program, variable) ? 2 : 1;
}

/* How many values there are, from 0 on; 0: numbers or sets. */
int64_t fzi_value_count(const fz_program *program, const fz_value_type *type);
/* The mask with all members that a mask of the type may have. */
uint64_t fzi_mask_all(const fz_program *program, const fz_value_type *type);

static inline uint64_t *fzi_block_sets(const uint8_t *block, uint32_t offset)
{
    return (uint64_t *)(uintptr_t)(block + offset);
}

/* The room that all variables take in a state. */
uint64_t fzi_variable_bytes(const fz_program *program);
/* Does the instruction need the byte board? */
bool fzi_needs_at(const fz_program *program, unsigned op);
/* Fills program->layout, and the `offset` of each of `variables` (which are the program's), from
 * the counts and from what the code reads. */
void fzi_layout_make(fz_program *program, fz_variable *variables);
/* Bytes of program->initial. */
uint32_t fzi_layout_initial_length(const fz_program *program);

/* ---- pieces of a block ---- */

/* Takes what stands there off, then puts the piece (kind -1: none; owner -1: nobody's). */
void fzi_piece_put(const fz_program *program, uint8_t *block, unsigned site, int kind, int owner);
/* The same for the top alone: what lies under it stays. */
void fzi_piece_top(const fz_program *program, uint8_t *block, unsigned site, int kind, int owner);
/* Puts the piece on what stands there, or in its place if pieces do not stack. False: the site is
 * full. */
bool fzi_piece_add(const fz_program *program, uint8_t *block, unsigned site, int kind, int owner);

/* The piece on a site, or on top of it; kind -1: none. The second asks the sets, not `at`. */
void fzi_piece_get(const fz_program *program, const uint8_t *block, unsigned site, int *kind,
                   int *owner);
typedef struct fzi_occupant { int kind, owner; } fzi_occupant;
fzi_occupant fzi_piece_of_sets(const fz_program *program, const fz_layout *layout,
                            const uint8_t *block, unsigned site);
/* The pieces on a site, and one of them, counted from 1 at the bottom. */
unsigned fzi_stack_height(const fz_program *program, const uint8_t *block, unsigned site);
void fzi_stack_get(const fz_program *program, const uint8_t *block, unsigned site, unsigned place,
                   int *kind, int *owner);

/* The bytes of a site in layout.stacks; program->stack_limit is not 0. */
static inline uint8_t *fzi_stack_of(const fz_program *program, const uint8_t *block, unsigned site)
{
    return (uint8_t *)(uintptr_t)block + program->layout.stacks +
           (size_t)site * program->stack_limit;
}
/* Makes `empty`, where there is one, from the sets of owners. */
void fzi_empty_settle(const fz_program *program, const fz_layout *layout, uint8_t *block);

#endif
