/* What the parts of the loop are written in, whichever engine runs them: vm_loop.inc.h or the C that
 * native/generate.c makes. The engine defines
 *   A B C, X(i), BYTE(i), BYTE2(i)   operands, extension words, their bytes (of the second: BYTE2)
 *   IR(n), SR(n)                     registers; REGISTERS(n), SET_REGISTERS(n) from n on
 *   OPCODE, PC, AT                   of the instruction; AT also where a fault is told
 *   AFTER(name)                      the opcode behind this instruction
 *   CASE(name), NEXT(name), JUMP(target), AHEAD(target), BACK_TO(target), GO(pc)    the verifier has seen
 *                                    that AHEAD does not go back, and BACK_TO does; GO: to a place that is
 *                                    worked out, in this frame
 *   ENTER(pc)                        goes on in the frame that the head names now
 *   ENTER_CALLEE(f, frame, sets)     begins the function in its frame, which has just been made
 *   PICK(index, move)                the list's move of that number; its segment
 *   BEHIND_JUDGE(place)              goes on, in this frame, behind the JUDGE at the place
 *   START(phase)                     begins the phase: setup, turn, end or limit
 *   IS_LOWEST(), PHASE_END           is this the lowest frame of the run; the label where its phase has ended
 *   RELOAD_HEAD(), SET_LIST(to)      `block` and what hangs on it; the list that is being made
 *   SYNC(), SPILL(), RELOAD()        program counter and registers, or these alone, into the state;
 *                                    after what may have moved the block
 *   BOUND(), BIND(option, value), TAKE(option, move), PASS(f, ints, sets), KEYS(keys, count)    ranges of registers
 * and the variables m, k (what the program decides of m), p, run, state, list, block, H, move, start. */
#define AHEAD_IF(name, condition, target)                                                         \
    do {                                                                                          \
        if (condition)                                                                            \
            AHEAD(target);                                                                        \
        NEXT(name);                                                                               \
    } while (0)
#define FAULT(text)                                                                               \
    do {                                                                                          \
        m->fault = (text);                                                                        \
        goto faulted;                                                                             \
    } while (0)
/* A register that must be a site; -1 goes to `none`. */
#define SITE_OR(value, none)                                                                      \
    do {                                                                                          \
        if (__builtin_expect((uint64_t)(value) >= k->site_count, 0)) {                            \
            if ((value) == -1)                                                                    \
                none;                                                                             \
            goto no_site;                                                                         \
        }                                                                                         \
    } while (0)
#define ELSE_NEXT(name) do { NEXT(name); } while (0)
#define GIVE_NEXT(name, value) do { IR(A) = (value); NEXT(name); } while (0)
#define GIVE_NONE(name) do { SR(A) = set_none(); NEXT(name); } while (0)
#define PLAYER_CHECK(value)                                                                       \
    do {                                                                                          \
        if ((uint64_t)(value) >= k->player_count)                                                 \
            FAULT("a player is needed here, and there is none");                                  \
    } while (0)
#define SETVAR(cell) ((fzi_set *)(void *)(block + (cell)->offset))
#define INTVAR(cell) ((int32_t *)(void *)(block + (cell)->offset))
#define LIST_CHECK()                                                                              \
    do {                                                                                          \
        if (__builtin_expect(!list, 0))                                                           \
            FAULT("a move outside of a choice");                                                  \
    } while (0)
#define LIST_DONE(name, done)                                                                     \
    do {                                                                                          \
        if (__builtin_expect(!(done), 0))                                                         \
            goto list_full;                                                                       \
        NEXT(name);                                                                               \
    } while (0)
#define BINARY(name, expression)                                                                  \
    CASE(name)                                                                                    \
    {                                                                                             \
        int64_t b = IR(B), c = IR(C);                                                             \
        (void)c;                                                                                  \
        IR(A) = (expression);                                                                     \
        NEXT(name);                                                                               \
    }
#define PARTIAL(name, function, text)                                                             \
    CASE(name)                                                                                    \
    {                                                                                             \
        int64_t result;                                                                           \
        if (!function(&result, IR(B), IR(C)))                                                     \
            FAULT(text);                                                                          \
        IR(A) = result;                                                                           \
        NEXT(name);                                                                               \
    }
#define SETS(name, expression)                                                                    \
    CASE(name)                                                                                    \
    {                                                                                             \
        SR(A) = (expression);                                                                     \
        NEXT(name);                                                                               \
    }
#define NUMBER(name, expression)                                                                  \
    CASE(name)                                                                                    \
    {                                                                                             \
        IR(A) = (expression);                                                                     \
        NEXT(name);                                                                               \
    }
#define OVERFLOW "the result of this sum does not fit 32 bits"
/* The only frame: so many words, integer registers, and set registers to empty. Every state has room for it
 * (fzi_state_init, fzi_state_do). */
#define ONLY_FRAME(number, size, ints, takes_mover, clears)                                       \
    do {                                                                                          \
        uint64_t *only = (uint64_t *)(void *)(block + k->layout.stack);                           \
        H->frame = 0;                                                                             \
        H->top = (size);                                                                          \
        H->depth = 1;                                                                             \
        only[0] = (number);                                                                       \
        only[1] = (uint64_t)(ints) << 40;                                                         \
        if (takes_mover)                                                                          \
            only[FZ_FRAME_HEADER] = (uint64_t)(int64_t)H->mover;                                  \
        set_clear_all((fzi_set *)(void *)(only + FZ_FRAME_HEADER + (ints)), 0, (clears));         \
    } while (0)
/* Of the function with that number; its first parameter, if there is one, is `me`. */
#define FIRST_FRAME(number)                                                                       \
    do {                                                                                          \
        const fz_function *f = &p->functions[number];                                             \
        ONLY_FRAME(number, fzi_frame_size(f, FZ_W), f->ints, f->int_params, k->clears[number]);   \
    } while (0)
/* Room for a frame on top; a state whose depth is at its limit gets none. */
#define FRAME_ROOM(size)                                                                          \
    do {                                                                                          \
        if (__builtin_expect(H->top + (size) > state->capacity || H->depth >= m->limits.frames, 0)) { \
            if (H->depth >= m->limits.frames)                                                     \
                FAULT("too many calls inside each other");                                        \
            if (!fzi_state_grow(state, H->top + (size))) {                                        \
                fzi_fault_stack(m, state, H->top + (size));                                       \
                goto failed;                                                                      \
            }                                                                                     \
            RELOAD();                                                                             \
        }                                                                                         \
    } while (0)
/* Leaves the frame; `give` puts the result where the caller waits for it. */
#define LEAVE(give)                                                                               \
    do {                                                                                          \
        uint64_t *frame = (uint64_t *)(void *)(block + k->layout.stack) + H->frame;               \
        unsigned result = frame[1] >> 32 & 0xff;                                                  \
        H->top = H->frame;                                                                        \
        H->frame = (uint32_t)frame[1];                                                            \
        H->depth--;                                                                               \
        frame = (uint64_t *)(void *)(block + k->layout.stack) + H->frame;                         \
        int64_t *ints = (int64_t *)(void *)(frame + FZ_FRAME_HEADER);                             \
        fzi_set *sets = (fzi_set *)(void *)(ints + (frame[1] >> 40 & 0xff));                      \
        (void)result, (void)ints, (void)sets;                                                     \
        give;                                                                                     \
        ENTER(frame[0] >> 32);                                                                    \
    } while (0)
/* A move is chosen: what is counted. */
#define DECIDED()                                                                                 \
    do {                                                                                          \
        H->pending_decider = H->decider;                                                          \
        if (++H->plies - H->begun > m->limits.decisions)                                          \
            FAULT("too many decisions in one turn");                                              \
        H->decided = 1;                                                                           \
        H->idle = 0;                                                                              \
        run->refused = false;                                                                     \
        run->plies--;                                                                             \
        m->budget = (int64_t)m->limits.instructions;                                              \
    } while (0)
/* What ends a part of an effect judges, in a try, all filters that are pending: their code reads the
 * registers where the state keeps them. */
#define IF_TRY_JUDGE()                                                                            \
    do {                                                                                          \
        if (__builtin_expect(run->mode == FZ_RUN_TRY, 0)) {                                       \
            SYNC();                                                                               \
            goto judge_all;                                                                       \
        }                                                                                         \
    } while (0)
#define RESULT()                                                                                  \
    do {                                                                                          \
        IF_TRY_JUDGE();                                                                           \
        goto result;                                                                              \
    } while (0)
#define BOTTOM()                                                                                  \
    do {                                                                                          \
        if (__builtin_expect(run->mode != FZ_RUN_PLAY, 0)) {                                      \
            IF_TRY_JUDGE();                                                                       \
            goto bottom;                                                                          \
        }                                                                                         \
        goto PHASE_END;                                                                           \
    } while (0)
#define CHANCE_CHECK()                                                                            \
    do {                                                                                          \
        if (__builtin_expect(run->mode != FZ_RUN_PLAY, 0)) {                                      \
            IF_TRY_JUDGE();                                                                       \
            if (run->mode == FZ_RUN_SITES)                                                        \
                return FZ_END_RETURN;                                                             \
            if (run->mode != FZ_RUN_OUTCOMES)                                                     \
                FAULT("chance where it may not be");                                              \
        }                                                                                         \
    } while (0)
/* Takes the value given, stops to ask for one, or samples it; OUTCOMES have been seen to. */
#define CHANCE(name, back, sample)                                                                \
    do {                                                                                          \
        H->pendings = 0;                                                                          \
        if (H->chance_given) {                                                                    \
            H->chance_given = 0;                                                                  \
            if (run->log)                                                                         \
                fzi_log_chance(run->log, H->chance);                                              \
            GIVE_NEXT(name, H->chance);                                                           \
        }                                                                                         \
        if (run->ask && !run->samples) {                                                          \
            SPILL();                                                                              \
            H->pc = (uint32_t)(back);                                                             \
            H->waiting = FZ_WAITING_CHANCE;                                                       \
            return FZ_END_CHANCE;                                                                 \
        }                                                                                         \
        int64_t sampled = (sample);                                                               \
        if (run->log)                                                                             \
            fzi_log_chance(run->log, sampled);                                                    \
        if (run->samples) {                                                                       \
            run->samples--;                                                                       \
            run->number = sampled;                                                                \
        }                                                                                         \
        GIVE_NEXT(name, sampled);                                                                 \
    } while (0)
#define OUTCOME(value, weight)                                                                    \
    do {                                                                                          \
        if (!fzi_outcome_add(m, value, weight))                                                   \
            goto failed;                                                                          \
    } while (0)
