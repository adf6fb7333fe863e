/* Macros for the text of the instructions (vm_values, vm_sites, vm_turn, vm_chance, vm_phases,
 * vm_begin). Two engines run this text: the loop (vm_loop.inc.h) and the C that native/generate_c.c
 * writes. Each engine defines
 *
 *   A B C, X(i), BYTE(i), BYTE2(i)   operands, extension words, bytes of the first and second
 *                                    extension word
 *   IR(n), SR(n)                     integer and set registers
 *   REGISTERS(n), SET_REGISTERS(n)   pointers to the registers from n on
 *   OPCODE, PC, AT                   opcode and place of the instruction; the place that a fault
 *                                    names
 *   AFTER(name)                      the opcode of the next instruction
 *   CASE(name), NEXT(name)           the label of an instruction; continues with the next one
 *   JUMP(target)                     jumps; AHEAD and BACK_TO where the verifier has checked the
 *                                    direction
 *   GO(pc)                           jumps to a computed place in this frame
 *   ENTER(pc)                        continues in the frame that the head names now
 *   ENTER_CALLEE(f, frame, sets)     starts the function in its new frame
 *   PICK(index, move)                finds the list's move with that index; returns its segment
 *   AFTER_FILTER_BEGIN(place)              continues after the FILTER_BEGIN at the place, in this
 * frame
 *   START(phase)                     starts the phase: setup, turn, end or limit
 *   IS_LOWEST(), PHASE_END           whether this is the lowest frame of the run; the label where
 *                                    its phase ends
 *   RELOAD_HEAD(), SET_LIST(to)      sets `block` again; replaces the current list
 *   SYNC(), SPILL(), RELOAD()        stores program counter and registers, or registers only, in
 *                                    the state; reads them again after the block may have moved
 *   BOUND(), BIND(option, value), TAKE(option, move), PASS(f, ints, sets), KEYS(keys, count)
 *                                    ranges of registers: bindings, parameters, keys
 *   PROG, FIXED                      the program; the parts of the machine that depend on the
 *                                    program only
 *   STATE, LIST, H                   the state of the run, its current list, the head of its block
 *
 * and has the variables m, run, block, move and start. */
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
/* Fails unless the value is a site; runs `none` if it is -1. */
#define SITE_OR(value, none)                                                                      \
    do {                                                                                          \
        if (__builtin_expect((uint64_t)(value) >= FIXED->site_count, 0)) {                        \
            if ((value) == -1)                                                                    \
                none;                                                                             \
            goto no_site;                                                                         \
        }                                                                                         \
    } while (0)
#define DIRECTION_OR(value, none)                                                                 \
    do {                                                                                          \
        if ((uint64_t)(value) >= PROG->board.dir_count) {                                         \
            if ((value) == -1)                                                                    \
                none;                                                                             \
            goto no_direction;                                                                    \
        }                                                                                         \
    } while (0)
#define ELSE_NEXT(name) do { NEXT(name); } while (0)
#define GIVE_NEXT(name, value) do { IR(A) = (value); NEXT(name); } while (0)
#define GIVE_NONE(name) do { SR(A) = set_none(); NEXT(name); } while (0)
#define PLAYER_CHECK(value)                                                                       \
    do {                                                                                          \
        if ((uint64_t)(value) >= FIXED->player_count)                                             \
            FAULT("a player is needed here, and there is none");                                  \
    } while (0)
/* A player, or -1 for nobody. */
#define OWNER_CHECK(value)                                                                        \
    do {                                                                                          \
        if ((uint64_t)(value) + 1 > FIXED->player_count)                                          \
            FAULT("there is no such player");                                                     \
    } while (0)
#define KIND_CHECK(word, value)                                                                   \
    do {                                                                                          \
        if ((uint64_t)(value) >= FIXED->kind_count)                                               \
            FAULT("'" word "' needs a kind of piece, and there is none");                         \
    } while (0)
#define RANGE_CHECK(cell, value)                                                                  \
    do {                                                                                          \
        if ((value) < (cell)->low || (value) > (cell)->high) {                                    \
            fzi_fault_store(m, X(1), value);                                                      \
            goto failed;                                                                          \
        }                                                                                         \
    } while (0)
#define MEMBERS_CHECK(cell, value)                                                                \
    do {                                                                                          \
        if ((value) & ~(cell)->keep) {                                                            \
            fzi_fault_members(m, X(1), (value) & ~(cell)->keep);                                  \
            goto failed;                                                                          \
        }                                                                                         \
    } while (0)
#define SETVAR(cell) (&FZ_BLOCK_SET(FIXED, block, cell, 0))
#define INTVAR(cell) (&FZ_BLOCK_INT(FIXED, block, cell, 0))
#define LIST_CHECK()                                                                              \
    do {                                                                                          \
        if (__builtin_expect(!LIST, 0))                                                           \
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
/* A number, or a set, of the site in b; `none` and {} if that is -1. */
#define AT_SITE(name, none, expression)                                                           \
    CASE(name)                                                                                    \
    {                                                                                             \
        int64_t site = IR(B);                                                                     \
        SITE_OR(site, GIVE_NEXT(name, none));                                                     \
        IR(A) = (expression);                                                                     \
        NEXT(name);                                                                               \
    }
#define SETS_AT(name, expression)                                                                 \
    CASE(name)                                                                                    \
    {                                                                                             \
        int64_t site = IR(B);                                                                     \
        SITE_OR(site, GIVE_NONE(name));                                                           \
        SR(A) = (expression);                                                                     \
        NEXT(name);                                                                               \
    }
/* A piece of this kind on the site in a; `check` looks at the kind. */
#define PUT_AT(name, check, kind)                                                                 \
    CASE(name)                                                                                    \
    {                                                                                             \
        int64_t site = IR(A);                                                                     \
        check;                                                                                    \
        OWNER_CHECK(IR(C));                                                                       \
        SITE_OR(site, ELSE_NEXT(name));                                                           \
        if (FIXED->carries)                                                                       \
            fzi_carried_reset(m, STATE, (unsigned)site);                                          \
        board_put1(FIXED, block, (uint64_t)site, kind, IR(C));                                    \
        NEXT(name);                                                                               \
    }
#define MOVE_STACK(name, under)                                                                   \
    CASE(name)                                                                                    \
    {                                                                                             \
        int64_t from = IR(A), to = IR(B);                                                         \
        SITE_OR(from, ELSE_NEXT(name));                                                           \
        SITE_OR(to, ELSE_NEXT(name));                                                             \
        if (!fzi_stack_move(m, STATE, (unsigned)from, (unsigned)to, IR(C), under))                \
            FAULT("more pieces on a site than 'stacks up to' allows");                            \
        NEXT(name);                                                                               \
    }
/* Variables: a number or a mask, which `put` stores in element 0 or in element b. */
#define STORE_IN(name, check, put)                                                                \
    CASE(name)                                                                                    \
    {                                                                                             \
        const fzi_cell *cell = &FIXED->cells[X(1)];                                               \
        int64_t value = IR(A);                                                                    \
        check(cell, value);                                                                       \
        put;                                                                                      \
        NEXT(name);                                                                               \
    }
#define STORE_AT(name, check, put)                                                                \
    CASE(name)                                                                                    \
    {                                                                                             \
        const fzi_cell *cell = &FIXED->cells[X(1)];                                               \
        uint64_t index = (uint64_t)IR(B);                                                         \
        int64_t value = IR(A);                                                                    \
        if (index >= cell->length) {                                                              \
            if (IR(B) != -1)                                                                      \
                goto no_index;                                                                    \
            NEXT(name);                                                                           \
        }                                                                                         \
        check(cell, value);                                                                       \
        put;                                                                                      \
        NEXT(name);                                                                               \
    }
/* Entry b of a table, or (b, c) of one that is X(2) wide; `absent` runs if either is -1. */
#define LOOK_UP(name, tables, length, absent, found)                                              \
    CASE(name)                                                                                    \
    {                                                                                             \
        const __typeof__(*FIXED->tables) *t = &FIXED->tables[X(1)];                               \
        uint64_t index = (uint64_t)IR(B);                                                         \
        if (index >= (length)) {                                                                  \
            if (IR(B) != -1)                                                                      \
                goto no_index;                                                                    \
            absent;                                                                               \
        }                                                                                         \
        found;                                                                                    \
        NEXT(name);                                                                               \
    }
#define LOOK_UP2(name, tables, length, absent, found)                                             \
    CASE(name)                                                                                    \
    {                                                                                             \
        const __typeof__(*FIXED->tables) *t = &FIXED->tables[X(1)];                               \
        uint64_t b = (uint64_t)IR(B), c = (uint64_t)IR(C), index = b * X(2) + c;                  \
        if (b >= (length) || c >= X(2) || index >= (length)) {                                    \
            if (IR(B) != -1 && IR(C) != -1)                                                       \
                goto no_index;                                                                    \
            absent;                                                                               \
        }                                                                                         \
        found;                                                                                    \
        NEXT(name);                                                                               \
    }
#define OVERFLOW "the result of this sum does not fit 32 bits"
/* Makes the lowest frame: `size` words, `ints` integer registers, and `clears` set registers to
 * empty. Every state has room for it. */
#define ONLY_FRAME(number, size, ints, takes_mover, clears)                                       \
    do {                                                                                          \
        uint64_t *only = (uint64_t *)(void *)(block + FIXED->layout.frames);                      \
        H->frame = 0;                                                                             \
        H->top = (size);                                                                          \
        H->depth = 1;                                                                             \
        only[0] = (number);                                                                       \
        only[1] = (uint64_t)(ints) << 40;                                                         \
        if (takes_mover)                                                                          \
            only[FZ_FRAME_HEADER] = (uint64_t)(int64_t)H->mover;                                  \
        set_clear_all((fzi_set *)(void *)(only + FZ_FRAME_HEADER + (ints)), 0, (clears));         \
    } while (0)
/* The lowest frame for a function; its first parameter, if it has one, is `me`. */
#define FIRST_FRAME(number)                                                                       \
    do {                                                                                          \
        const fz_function *f = &PROG->functions[number];                                          \
        ONLY_FRAME(number, fzi_frame_size(f, FZ_W), f->ints, f->int_params,                       \
                   FIXED->clears[number]);                                                        \
    } while (0)
/* Makes room for a frame on top of the stack; fails at the limit of frames. */
#define FRAME_ROOM(size)                                                                          \
    do {                                                                                          \
        if (__builtin_expect(H->top + (size) > STATE->capacity ||                                 \
                             H->depth >= m->limits.frames, 0)) {                                  \
            if (H->depth >= m->limits.frames)                                                     \
                FAULT("too many calls inside each other");                                        \
            if (!fzi_state_grow(STATE, H->top + (size))) {                                        \
                fzi_fault_frames(m, STATE, H->top + (size));                                      \
                goto failed;                                                                      \
            }                                                                                     \
            RELOAD();                                                                             \
        }                                                                                         \
    } while (0)
/* Leaves the frame; `give` stores the result in the register that the caller waits with. */
#define LEAVE(give)                                                                               \
    do {                                                                                          \
        uint64_t *frame = (uint64_t *)(void *)(block + FIXED->layout.frames) + H->frame;          \
        unsigned result = frame[1] >> 32 & 0xff;                                                  \
        H->top = H->frame;                                                                        \
        H->frame = (uint32_t)frame[1];                                                            \
        H->depth--;                                                                               \
        frame = (uint64_t *)(void *)(block + FIXED->layout.frames) + H->frame;                    \
        int64_t *ints = (int64_t *)(void *)(frame + FZ_FRAME_HEADER);                             \
        fzi_set *sets = (fzi_set *)(void *)(ints + (frame[1] >> 40 & 0xff));                      \
        (void)result, (void)ints, (void)sets;                                                     \
        give;                                                                                     \
        ENTER(frame[0] >> 32);                                                                    \
    } while (0)
/* Takes instructions from the decision's budget; what is left. */
#define SPEND(instructions) (m->budget -= (instructions))
/* How often the position was there before. */
#define REPEATED(board_only, from_turn) fzi_history_count(STATE, board_only, from_turn)
/* Counts a drawn move in the run. */
#define DRAWN() (run->redrawing = false, run->plies--)
/* Counts a move that has been chosen. */
#define DECIDED()                                                                                 \
    do {                                                                                          \
        H->pending_decider = H->decider;                                                          \
        if (++H->plies - H->begun > m->limits.decisions)                                          \
            FAULT("too many decisions in one turn");                                              \
        H->decided = 1;                                                                           \
        H->no_legal_move = 0;                                                                     \
        H->idle = 0;                                                                              \
        DRAWN();                                                                                  \
        m->budget = (int64_t)m->limits.instructions;                                              \
    } while (0)
/* May players be out? */
#define MAY_BE_OUT true
/* The head at the beginning of a turn of the mover, of so many players. */
#define TURN_BEGINS(players)                                                                      \
    do {                                                                                          \
        H->next_mover = (int8_t)(H->mover + 1 < (players) ? H->mover + 1 : 0);                    \
        if (MAY_BE_OUT && __builtin_expect(H->out, 0))                                            \
            H->next_mover = (int8_t)fzi_state_next_mover(STATE);                                  \
        H->turns++;                                                                               \
        H->begun = H->plies;                                                                      \
        H->decided = 0;                                                                           \
        H->no_legal_move = 0;                                                                     \
        H->blind = 0; /* `stop` may have left a value that was `shown to` few */                  \
    } while (0)
/* In a try, the end of an effect judges all pending filters. Their code reads the registers in the
 * state. */
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
        H->pc = PC;                                                                               \
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
/* Takes the given value, stops to ask for one, or samples one. The caller has handled
 * FZ_RUN_OUTCOMES. */
#define CHANCE(name, back, sample)                                                                \
    do {                                                                                          \
        H->pendings = 0;                                                                          \
        if (H->chance_given) {                                                                    \
            H->chance_given = 0;                                                                  \
            if (run->log)                                                                         \
                fzi_log_chance(run->log, H->chance, H->blind);                                    \
            GIVE_NEXT(name, H->chance);                                                           \
        }                                                                                         \
        if (run->ask && !run->samples) {                                                          \
            if (++H->idle > m->limits.idle_turns)                                                 \
                FAULT("too many chance results in a row without a decision");                     \
            SPILL();                                                                              \
            H->pc = (uint32_t)(back);                                                             \
            H->waiting = FZ_WAITING_CHANCE;                                                       \
            return FZ_END_CHANCE;                                                                 \
        }                                                                                         \
        int64_t sampled = (sample);                                                               \
        if (run->log)                                                                             \
            fzi_log_chance(run->log, sampled, H->blind);                                          \
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
