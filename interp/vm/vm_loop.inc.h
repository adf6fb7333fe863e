/* The dispatch loop. vm_width.c defines FZ_W, the words of a set, and FZ_LOOP, the name of the
 * function.
 *
 * Registers are the words of the state's stack. The loop reaches them through the pointers I and S,
 * which RELOAD sets again wherever the frame or the block may have changed. The head of the state
 * is always up to date except for the program counter; SYNC stores it before other code looks at
 * the state. */
#include "instructions.h"
#include "ops_board.h"
#include "ops_int.h"
#include "ops_list.h"
#include "superinstructions.h"

#ifndef FZ_LOOP_ONCE
#define FZ_LOOP_ONCE
enum {
#define OP(name, operands, extension, flags, meaning) FZ_LENGTH_##name = (int)sizeof(extension),
#include "interp/program/opcodes.def"
#undef OP
    FZ_LENGTH_NONE
};
#endif

/* On little-endian machines an operand is read from its byte in memory: it needs no register. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define A (((const uint8_t *)ip)[1])
#define B (((const uint8_t *)ip)[2])
#define C (((const uint8_t *)ip)[3])
#else
#define A (FZ_CODE_A(*ip))
#define B (FZ_CODE_B(*ip))
#define C (FZ_CODE_C(*ip))
#endif
#define X(i) (ip[i])
#define BYTE(i) (ip[1] >> (8 * (i)) & 0xff)
#define BYTE2(i) (ip[2] >> (8 * (i)) & 0xff)
/* The opcode; at a TRACE or a superinstruction, that of the instruction it replaces. */
#define OPCODE                                                                                    \
    (FZ_CODE_OP(*ip) < FZ_OP_TRACE ? FZ_CODE_OP(*ip)                                              \
                                   : FZ_CODE_OP((m->traced ? m->traced : PROG->code)[PC]))
#define PC ((uint32_t)(ip - CODE))
#define AT PC
#define AFTER(name) (FZ_CODE_OP(ip[FZ_LENGTH_##name]))
#define IR(n) (I[n])
#define SR(n) (S[n])
#define REGISTERS(n) (I + (n))
#define SET_REGISTERS(n) (S + (n))

#ifdef FZ_NO_COMPUTED_GOTO
#define CASE(name) case FZ_OP_##name:
#define DISPATCH() goto dispatch
#else
#define CASE(name) do_##name:
#define DISPATCH()                                                                                \
    do {                                                                                          \
        goto *labels[FZ_CODE_OP(*ip)];                                                            \
    } while (0)
#endif
/* Runs the instruction here as the plain one that the program has, of this name. */
#ifdef FZ_NO_COMPUTED_GOTO
#define PLAIN(name)                                                                               \
    do {                                                                                          \
        op = FZ_OP_##name;                                                                        \
        goto instruction;                                                                         \
    } while (0)
#else
#define PLAIN(name) goto do_##name
#endif
#define NEXT(name)                                                                                \
    do {                                                                                          \
        ip += FZ_LENGTH_##name;                                                                   \
        DISPATCH();                                                                               \
    } while (0)
#define AHEAD(target) GO(target)
/* Jumps back pay for the words they jump over, so every loop uses up the budget; code without them
 * ends anyway. */
#define BACK_TO(target)                                                                           \
    do {                                                                                          \
        const fz_code *to = CODE + (target);                                                      \
        if ((m->budget -= ip - to + 1) < 0)                                                       \
            goto exhausted;                                                                       \
        ip = to;                                                                                  \
        DISPATCH();                                                                               \
    } while (0)
#define JUMP(target)                                                                              \
    do {                                                                                          \
        if (CODE + (target) <= ip)                                                                \
            BACK_TO(target);                                                                      \
        AHEAD(target);                                                                            \
    } while (0)
#define IS_LOWEST() (H->frame <= run->floor)
#define PHASE_END phase_end
#define GO(pc)                                                                                    \
    do {                                                                                          \
        ip = CODE + (pc);                                                                         \
        DISPATCH();                                                                               \
    } while (0)
#define PICK(index, move) fzi_move_list_pick(LIST, index, FZ_W, move)
#define AFTER_FILTER_BEGIN(place) GO((place) + FZ_LENGTH_FILTER_BEGIN)
#define ENTER(pc)                                                                                 \
    do {                                                                                          \
        ip = CODE + (pc);                                                                         \
        RELOAD();                                                                                 \
        DISPATCH();                                                                               \
    } while (0)
#define ENTER_CALLEE(f, frame, sets)                                                              \
    do {                                                                                          \
        ip = CODE + (f)->start;                                                                   \
        I = (int64_t *)(frame) + FZ_FRAME_HEADER;                                                 \
        S = (sets);                                                                               \
        DISPATCH();                                                                               \
    } while (0)
/* A phase of a machine that plays: its program is verified, so no set has to be emptied. */
#define START(phase)                                                                              \
    do {                                                                                          \
        uint64_t *only = (uint64_t *)(void *)(block + FIXED->layout.frames);                      \
        /* And top. A compiler takes it for an overflow of &H->frame. */                          \
        memcpy(block + offsetof(fzi_head, frame), &FIXED->phase.frame, 2 * sizeof H->frame);      \
        H->depth = 1;                                                                             \
        memcpy(only, FIXED->phase.header, sizeof FIXED->phase.header);                            \
        if (__builtin_expect(FIXED->phase.takes_mover, 1))                                        \
            only[FZ_FRAME_HEADER] = (uint64_t)(int64_t)H->mover;                                  \
        I = (int64_t *)(void *)(only + FZ_FRAME_HEADER);                                          \
        S = (fzi_set *)(void *)(I + FIXED->phase.ints);                                           \
        ip = FIXED->phase.code;                                                                   \
        DISPATCH();                                                                               \
    } while (0)
/* The same at the end of another phase, whose frame is the lowest too. */
#define START_NEXT(phase)                                                                         \
    do {                                                                                          \
        memcpy(block + offsetof(fzi_head, frame), &FIXED->phase.frame, 2 * sizeof H->frame);      \
        memcpy(I - FZ_FRAME_HEADER, FIXED->phase.header, sizeof FIXED->phase.header);             \
        if (__builtin_expect(FIXED->phase.takes_mover, 1))                                        \
            IR(0) = H->mover;                                                                     \
        S = (fzi_set *)(void *)(I + FIXED->phase.ints);                                           \
        ip = FIXED->phase.code;                                                                   \
        DISPATCH();                                                                               \
    } while (0)
#define SPILL() ((void)0)
#define SYNC() (H->pc = PC)
#define RELOAD()                                                                                  \
    do {                                                                                          \
        RELOAD_HEAD();                                                                            \
        uint64_t *frame_words = (uint64_t *)(void *)(block + FIXED->layout.frames) + H->frame;    \
        I = (int64_t *)(void *)(frame_words + FZ_FRAME_HEADER);                                   \
        S = (fzi_set *)(void *)(frame_words + FZ_FRAME_HEADER + (frame_words[1] >> 40 & 0xff));   \
    } while (0)
#define BOUND() (I + FIXED->options[X(1)].first)
#define BIND(option, value)                                                                       \
    do {                                                                                          \
        I[(option)->last] = (int64_t)(value);                                                     \
        GO((option)->effect);                                                                     \
    } while (0)
#define TAKE(option, move)                                                                        \
    do {                                                                                          \
        for (unsigned i = 0; i < (move)->count; i++)                                              \
            I[(option)->first + i] = (move)->values[i];                                           \
        GO((option)->effect);                                                                     \
    } while (0)
#define PASS(f, ints, sets)                                                                       \
    do {                                                                                          \
        for (unsigned i = 0; i < (f)->int_params; i++)                                            \
            (ints)[i] = (uint64_t)I[A + i];                                                       \
        for (unsigned i = 0; i < (f)->set_params; i++)                                            \
            (sets)[i] = S[B + i];                                                                 \
    } while (0)
#define KEYS(keys, count)                                                                         \
    do {                                                                                          \
        for (unsigned i = 0; i < (count); i++)                                                    \
            (keys)[i] = I[A + i];                                                                 \
    } while (0)
#define RELOAD_HEAD() (block = STATE->block)
#define SET_LIST(to) (LIST = (to))
#include "vm_macros.inc.h"

/* These are macros and not locals: each is one load away, and the processor's registers are needed
 * for ip, I, S, block, m and run. */
#define CODE (m->code)
#define H ((fzi_head *)(void *)block)
#define PROG (m->program)
#define FIXED m
#define STATE (run->state)
#define LIST (run->list)

fzi_end FZ_LOOP(fz_machine *m, fzi_run *run)
{
#ifndef FZ_NO_COMPUTED_GOTO
    static const void *const labels[] = { /* the verifier has seen that there is no other */
#define OP(name, operands, extension, flags, meaning) [FZ_OP_##name] = &&do_##name,
#include "interp/program/opcodes.def"
#undef OP
#define SUPER(name, first, second, third, fits, meaning) [FZ_OP_##name] = &&do_##name,
#include "superinstructions.def"
#undef SUPER
    };
#endif
    uint8_t *block;
    int64_t *I;
    fzi_set *S;
    const fz_code *ip;
    unsigned op;
    fz_move move;
    uint32_t start;

    RELOAD();
    ip = CODE + H->pc;
#include "vm_begin.inc.h"

#ifdef FZ_NO_COMPUTED_GOTO
dispatch:
    op = FZ_CODE_OP(*ip);
instruction:
    switch (op) {
#else
    DISPATCH();
#endif

    CASE(TRACE)
    {
        SYNC();
        op = FZ_CODE_OP(fzi_traced(m, run, LIST, PC));
#ifdef FZ_NO_COMPUTED_GOTO
        goto instruction;
#else
        goto *labels[op];
#endif
    }

#include "vm_values.inc.h"
#include "vm_sites.inc.h"
#include "vm_turn.inc.h"
#include "vm_chance.inc.h"
#include "vm_super.inc.h"
#ifdef FZ_NO_COMPUTED_GOTO
    default:
        break;
    }
    FAULT("damaged code");
#endif
#include "vm_phases.inc.h"
}

#undef H
#undef PROG
#undef FIXED
#undef STATE
#undef LIST
#undef A
#undef B
#undef C
#undef X
