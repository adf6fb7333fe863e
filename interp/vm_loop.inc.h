/* The dispatch loop, compiled once for each number of words: the includer defines FZ_W and FZ_LOOP, the
 * function's name. The registers are the state's stack, reached through pointers that are set again
 * wherever the frame or the block may have changed (RELOAD). The head is always up to date but for the
 * program counter, which is written down (SYNC) where others look at it. */
#include "chance.h"
#include "log.h"
#include "ops_board.h"
#include "ops_int.h"
#include "ops_list.h"
#include "vm.h"

#ifndef FZ_LOOP_ONCE
#define FZ_LOOP_ONCE
enum {
#define OP(name, operands, extension, effect, meaning) FZ_LENGTH_##name = (int)sizeof(extension),
#include "opcodes.def"
#undef OP
    FZ_LENGTH_NONE
};
#endif

#define A (FZ_CODE_A(word))
#define B (FZ_CODE_B(word))
#define C (FZ_CODE_C(word))
#define X(i) (ip[i])
#define BYTE(i) (ip[1] >> (8 * (i)) & 0xff)

#ifdef FZ_NO_COMPUTED_GOTO
#define CASE(name) case FZ_OP_##name:
#define DISPATCH() goto dispatch
#else
#define CASE(name) do_##name:
#define DISPATCH()                                                                                \
    do {                                                                                          \
        word = *ip;                                                                               \
        goto *labels[FZ_CODE_OP(word)];                                                           \
    } while (0)
#endif
#define NEXT(name)                                                                                \
    do {                                                                                          \
        ip += FZ_LENGTH_##name;                                                                   \
        DISPATCH();                                                                               \
    } while (0)
/* Going back costs as many instructions as it goes back, at least; what lies ahead is bounded. */
#define JUMP(target)                                                                              \
    do {                                                                                          \
        const fz_code *to = code + (target);                                                      \
        if (to <= ip && (m->budget -= ip - to + 1) < 0)                                           \
            goto exhausted;                                                                       \
        ip = to;                                                                                  \
        DISPATCH();                                                                               \
    } while (0)
#define JUMP_IF(name, condition, target)                                                          \
    do {                                                                                          \
        if (condition)                                                                            \
            JUMP(target);                                                                         \
        NEXT(name);                                                                               \
    } while (0)
#define FAULT(text)                                                                               \
    do {                                                                                          \
        m->fault = (text);                                                                        \
        goto faulted;                                                                             \
    } while (0)
#define SYNC() (H->pc = (uint32_t)(ip - code))
#define RELOAD()                                                                                  \
    do {                                                                                          \
        block = state->block;                                                                     \
        H = (fzi_head *)(void *)block;                                                            \
        uint64_t *frame_words = (uint64_t *)(void *)(block + m->layout.stack) + H->frame;        \
        I = (int64_t *)(void *)(frame_words + FZ_FRAME_HEADER);                                   \
        S = (fzi_set *)(void *)(frame_words + FZ_FRAME_HEADER + (frame_words[1] >> 40 & 0xff));   \
    } while (0)
/* A register that must be a site; -1 goes to `none`. */
#define SITE_OR(value, none)                                                                      \
    do {                                                                                          \
        if (__builtin_expect((uint64_t)(value) >= m->site_count, 0)) {                            \
            if ((value) == -1)                                                                    \
                none;                                                                             \
            goto no_site;                                                                         \
        }                                                                                         \
    } while (0)
#define ELSE_NEXT(name) do { NEXT(name); } while (0)
#define GIVE_NEXT(name, value) do { I[A] = (value); NEXT(name); } while (0)
#define GIVE_NONE(name) do { S[A] = set_none(); NEXT(name); } while (0)
#define PLAYER_CHECK(value)                                                                       \
    do {                                                                                          \
        if ((uint64_t)(value) >= m->player_count)                                                 \
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
        int64_t b = I[B], c = I[C];                                                               \
        (void)c;                                                                                  \
        I[A] = (expression);                                                                      \
        NEXT(name);                                                                               \
    }
#define PARTIAL(name, function, text)                                                             \
    CASE(name)                                                                                    \
    {                                                                                             \
        int64_t result;                                                                           \
        if (!function(&result, I[B], I[C]))                                                       \
            FAULT(text);                                                                          \
        I[A] = result;                                                                            \
        NEXT(name);                                                                               \
    }
#define SETS(name, expression)                                                                    \
    CASE(name)                                                                                    \
    {                                                                                             \
        S[A] = (expression);                                                                      \
        NEXT(name);                                                                               \
    }
#define NUMBER(name, expression)                                                                  \
    CASE(name)                                                                                    \
    {                                                                                             \
        I[A] = (expression);                                                                      \
        NEXT(name);                                                                               \
    }
#define OVERFLOW "the result of this sum does not fit 32 bits"

fzi_end FZ_LOOP(fz_machine *m, fzi_run *run)
{
#ifndef FZ_NO_COMPUTED_GOTO
    static const void *const labels[] = { /* the verifier has seen that there is no other */
#define OP(name, operands, extension, effect, meaning) [FZ_OP_##name] = &&do_##name,
#include "opcodes.def"
#undef OP
    };
#endif
    const fz_program *const p = m->program;
    const fz_code *const code = p->code;
    fz_state *const state = run->state;
    fzi_list *list = run->list;
    uint8_t *block;
    fzi_head *H;
    int64_t *I;
    fzi_set *S;
    const fz_code *ip;
    fz_code word;
    fz_move move;
    uint32_t start;

    RELOAD();
    ip = code + H->pc;
    if (H->phase == FZ_PHASE_READY && run->mode == FZ_RUN_PLAY)
        goto begin_turn;
    if (H->phase == FZ_PHASE_NEW && run->mode == FZ_RUN_PLAY) {
        if (p->setup < 0)
            goto begin_turn;
        H->phase = FZ_PHASE_SETUP;
        if (run->log)
            fzi_log_begin(run->log, block, m->layout.stack);
        start = (uint32_t)p->setup;
        goto start_phase;
    }

#ifdef FZ_NO_COMPUTED_GOTO
dispatch:
    word = *ip;
    switch ((enum fzi_opcode)FZ_CODE_OP(word)) {
#else
    DISPATCH();
#endif

    /* ---- moving values ---- */
    NUMBER(INT, (int32_t)X(1))
    NUMBER(COPY, I[B])
    SETS(SCOPY, S[B])
    SETS(SNONE, set_none())
    SETS(SALL, board_all(m))
    SETS(SROW, set_at(p->set_pool + p->set_tables[X(1)].first + (size_t)X(2) * FZ_W))
    CASE(TABLE)
    {
        const fz_int_table *t = &p->int_tables[X(1)];
        uint64_t index = (uint64_t)I[B];
        if (index >= t->length) {
            if (I[B] != -1)
                goto no_index;
            GIVE_NEXT(TABLE, t->initial);
        }
        I[A] = p->int_pool[t->first + index];
        NEXT(TABLE);
    }
    CASE(TABLE2)
    {
        const fz_int_table *t = &p->int_tables[X(1)];
        uint64_t b = (uint64_t)I[B], c = (uint64_t)I[C], index = b * X(2) + c;
        if (b >= t->length || c >= X(2) || index >= t->length) {
            if (I[B] != -1 && I[C] != -1)
                goto no_index;
            GIVE_NEXT(TABLE2, t->initial);
        }
        I[A] = p->int_pool[t->first + index];
        NEXT(TABLE2);
    }
    CASE(STABLE)
    {
        const fz_set_table *t = &p->set_tables[X(1)];
        uint64_t index = (uint64_t)I[B];
        if (index >= t->rows) {
            if (I[B] != -1)
                goto no_index;
            GIVE_NONE(STABLE);
        }
        S[A] = set_at(p->set_pool + t->first + index * FZ_W);
        NEXT(STABLE);
    }
    CASE(STABLE2)
    {
        const fz_set_table *t = &p->set_tables[X(1)];
        uint64_t b = (uint64_t)I[B], c = (uint64_t)I[C], index = b * X(2) + c;
        if (b >= t->rows || c >= X(2) || index >= t->rows) {
            if (I[B] != -1 && I[C] != -1)
                goto no_index;
            GIVE_NONE(STABLE2);
        }
        S[A] = set_at(p->set_pool + t->first + index * FZ_W);
        NEXT(STABLE2);
    }
    CASE(INDEX)
    {
        uint64_t c = (uint64_t)I[C];
        if (I[B] == -1 || I[C] == -1)
            GIVE_NEXT(INDEX, -1);
        if (c >= X(1) || I[B] < 0 || I[B] > INT32_MAX)
            goto no_index;
        I[A] = I[B] * (int64_t)X(1) + I[C];
        NEXT(INDEX);
    }
    CASE(SUNION_ROWS)
    {
        const fz_set_table *t = &p->set_tables[X(1)];
        fzi_set from = S[B], out = set_none();
        uint64_t c = (uint64_t)I[C];
        if (I[C] != -1 && set_some(from)) {
            if (c > t->rows || c * X(2) + (uint64_t)set_last(from) >= t->rows)
                goto no_index;
            const uint64_t *rows = p->set_pool + t->first + c * X(2) * FZ_W;
            do
                out = set_or(out, set_at(rows + (uint64_t)set_take(&from) * FZ_W));
            while (set_some(from));
        }
        S[A] = out;
        NEXT(SUNION_ROWS);
    }

    /* ---- integers and booleans ---- */
    PARTIAL(ADD, op_add, OVERFLOW)
    PARTIAL(SUB, op_sub, OVERFLOW)
    PARTIAL(MUL, op_mul, OVERFLOW)
    PARTIAL(DIV, op_div, I[C] ? OVERFLOW : "division by zero")
    PARTIAL(MOD, op_mod, "division by zero")
    CASE(NEG)
    {
        int64_t result;
        if (!op_sub(&result, 0, I[B]))
            FAULT(OVERFLOW);
        GIVE_NEXT(NEG, result);
    }
    CASE(ADDK)
    {
        int64_t result;
        if (!op_add(&result, I[B], (int32_t)X(1)))
            FAULT(OVERFLOW);
        GIVE_NEXT(ADDK, result);
    }
    BINARY(IMIN, b < c ? b : c)
    BINARY(IMAX, b > c ? b : c)
    BINARY(EQ, b == c)
    BINARY(NE, b != c)
    BINARY(LT, b < c)
    BINARY(LE, b <= c)
    NUMBER(NOT, !I[B])
    CASE(CHECK)
    CASE(CHECKED)
    {
        bool copy = FZ_CODE_OP(word) == FZ_OP_CHECKED;
        int64_t value = copy ? I[B] : I[A];
        if (value < (int32_t)X(1) || value > (int32_t)X(2)) {
            fzi_fault_format(m, "%lld is outside %d..%d", (long long)value, (int)X(1), (int)X(2));
            goto failed;
        }
        GIVE_NEXT(CHECKED, value);
    }
    NUMBER(CYCLE, op_cycle(I[B], I[C], (int32_t)X(1)))
    CASE(STEP_ON)
    {
        int64_t b = I[B], c = I[C];
        SITE_OR(b, GIVE_NEXT(STEP_ON, -1));
        if ((uint64_t)c >= p->board.dir_count) {
            if (c != -1)
                goto no_direction;
            GIVE_NEXT(STEP_ON, -1);
        }
        I[A] = p->board.next[c * p->board.site_count + b];
        NEXT(STEP_ON);
    }
    CASE(WALK)
    {
        int64_t site = I[B], dir = I[C], n = I[BYTE(0)];
        SITE_OR(site, GIVE_NEXT(WALK, -1));
        if ((uint64_t)dir >= p->board.dir_count) {
            if (dir != -1)
                goto no_direction;
            GIVE_NEXT(WALK, -1);
        }
        if (n < 0)
            GIVE_NEXT(WALK, -1);
        for (; n > 0 && site >= 0; n--) {
            if (--m->budget < 0)
                goto exhausted;
            site = p->board.next[dir * p->board.site_count + site];
        }
        GIVE_NEXT(WALK, site);
    }

    /* ---- masks ---- */
    CASE(MBIT)
    {
        int64_t result;
        if (!op_mbit(&result, I[B]))
            FAULT("a number outside 0..63 in a set");
        GIVE_NEXT(MBIT, result);
    }
    BINARY(MHAS, op_mhas(b, c))
    BINARY(MAND, b & c)
    BINARY(MOR, b | c)
    BINARY(MSUB, b & ~c)
    NUMBER(MCOUNT, __builtin_popcountll((uint64_t)I[B]))
    NUMBER(MFIRST, op_mfirst(I[B]))
    NUMBER(MONLY, op_monly(I[B]))
    NUMBER(MTURN, op_mturn(I[B], I[C], (int32_t)X(1)))
    PARTIAL(MRANGE, op_mrange, "a number outside 0..63 in a set")

    /* ---- jumps and loops ---- */
    CASE(JUMP) { JUMP(X(1)); }
    CASE(JTRUE) { JUMP_IF(JTRUE, I[A], X(1)); }
    CASE(JFALSE) { JUMP_IF(JFALSE, !I[A], X(1)); }
    CASE(JEQ) { JUMP_IF(JEQ, I[A] == I[B], X(1)); }
    CASE(JNE) { JUMP_IF(JNE, I[A] != I[B], X(1)); }
    CASE(JLT) { JUMP_IF(JLT, I[A] < I[B], X(1)); }
    CASE(JLE) { JUMP_IF(JLE, I[A] <= I[B], X(1)); }
    CASE(JSNONE) { JUMP_IF(JSNONE, !set_some(S[A]), X(1)); }
    CASE(JSSOME) { JUMP_IF(JSSOME, set_some(S[A]), X(1)); }
    CASE(JSHAS)
    {
        int64_t site = I[B];
        SITE_OR(site, ELSE_NEXT(JSHAS));
        JUMP_IF(JSHAS, set_has(&S[A], (uint64_t)site), X(1));
    }
    CASE(JSMISS)
    {
        int64_t site = I[B];
        SITE_OR(site, JUMP(X(1)));
        JUMP_IF(JSMISS, !set_has(&S[A], (uint64_t)site), X(1));
    }
    CASE(EACH)
    {
        if (!set_some(S[B]))
            JUMP(X(1));
        I[A] = set_take(&S[B]);
        NEXT(EACH);
    }
    CASE(MEACH)
    {
        if (!I[B])
            JUMP(X(1));
        int64_t mask = I[B], least = op_mtake(&mask);
        I[B] = mask;
        GIVE_NEXT(MEACH, least);
    }
    CASE(COUNT_UP)
    {
        I[A] = (int64_t)((uint64_t)I[A] + 1);
        JUMP_IF(COUNT_UP, I[A] <= I[B], X(1));
    }

    /* ---- calls ---- */
    CASE(CALL)
    CASE(TAILCALL)
    {
        const fz_function *f = &p->functions[X(1)];
        uint32_t size = fzi_frame_size(f, FZ_W);
        if ((m->budget -= 4) < 0)
            goto exhausted;
        if (H->top + size > state->capacity || H->depth >= m->limits.frames) {
            if (H->depth >= m->limits.frames)
                FAULT("too many calls inside each other");
            if (!fzi_state_grow(state, H->top + size)) {
                fzi_fault_stack(m, state, H->top + size);
                goto failed;
            }
            RELOAD();
        }
        uint64_t *callee = (uint64_t *)(void *)(block + m->layout.stack) + H->top;
        for (unsigned i = 0; i < f->int_params; i++)
            callee[FZ_FRAME_HEADER + i] = (uint64_t)I[A + i];
        fzi_set *sets = (fzi_set *)(void *)(callee + FZ_FRAME_HEADER + f->ints);
        for (unsigned i = 0; i < f->set_params; i++)
            sets[i] = S[B + i];
        set_clear_all(sets, f->set_params, m->clears[X(1)]);
        uint64_t *frame = (uint64_t *)(void *)(block + m->layout.stack) + H->frame;
        callee[0] = X(1);
        if (FZ_CODE_OP(word) == FZ_OP_CALL) {
            callee[1] = H->frame | (uint64_t)C << 32 | (uint64_t)f->ints << 40;
            frame[0] = (uint32_t)frame[0] | (uint64_t)(ip + FZ_LENGTH_CALL - code) << 32;
            H->frame = H->top;
            H->depth++;
        } else {
            callee[1] = (frame[1] & UINT64_C(0xffffffffff)) | (uint64_t)f->ints << 40;
            memmove(frame, callee, (size_t)size * 8);
        }
        H->top = H->frame + size;
        RELOAD();
        ip = code + f->start;
        DISPATCH();
    }
    /* Leaves the frame; `give` puts the result where the caller waits for it. */
#define LEAVE(give)                                                                               \
    do {                                                                                          \
        uint64_t *frame = (uint64_t *)(void *)(block + m->layout.stack) + H->frame;               \
        unsigned result = frame[1] >> 32 & 0xff;                                                  \
        H->top = H->frame;                                                                        \
        H->frame = (uint32_t)frame[1];                                                            \
        H->depth--;                                                                               \
        RELOAD();                                                                                 \
        (void)result;                                                                             \
        give;                                                                                     \
        frame = (uint64_t *)(void *)(block + m->layout.stack) + H->frame;                         \
        ip = code + (frame[0] >> 32);                                                             \
        DISPATCH();                                                                               \
    } while (0)
    CASE(RETURN)
    {
        if (H->frame <= run->floor)
            goto bottom;
        LEAVE((void)0);
    }
    CASE(IRETURN)
    {
        int64_t number = I[A];
        if (H->frame <= run->floor) {
            if (run->mode == FZ_RUN_CALL)
                run->number = number;
            goto bottom;
        }
        LEAVE(I[result] = number);
    }
    CASE(SRETURN)
    {
        fzi_set set = S[A];
        if (H->frame <= run->floor) {
            if (run->set)
                set_write(run->set, set);
            goto bottom;
        }
        LEAVE(S[result] = set);
    }
    CASE(NATIVE)
    {
        const fz_native *f = &p->natives[X(1)];
        const char *message = "native functions are not allowed";
        int64_t result = 0;
        if (!m->native || !m->native(m->native_user, X(1), I + B, (const uint64_t *)(S + C), &result,
                                     &message))
            FAULT(message);
        if (result < f->low || result > f->high)
            FAULT("the native function's result is outside its range");
        GIVE_NEXT(NATIVE, result);
    }

    /* ---- variables ---- */
    CASE(LOAD)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        I[A] = *INTVAR(cell) & cell->keep;
        NEXT(LOAD);
    }
    CASE(LOADX)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        uint64_t index = (uint64_t)I[B];
        if (index >= cell->length) {
            if (I[B] != -1)
                goto no_index;
            GIVE_NEXT(LOADX, cell->initial);
        }
        I[A] = INTVAR(cell)[index] & cell->keep;
        NEXT(LOADX);
    }
    CASE(STORE)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        int64_t value = I[A];
        if (value < cell->low || value > cell->high) {
            fzi_fault_store(m, X(1), value);
            goto failed;
        }
        *INTVAR(cell) = (int32_t)value;
        NEXT(STORE);
    }
    CASE(STOREX)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        uint64_t index = (uint64_t)I[B];
        int64_t value = I[A];
        if (index >= cell->length) {
            if (I[B] != -1)
                goto no_index;
            NEXT(STOREX);
        }
        if (value < cell->low || value > cell->high) {
            fzi_fault_store(m, X(1), value);
            goto failed;
        }
        INTVAR(cell)[index] = (int32_t)value;
        NEXT(STOREX);
    }
    CASE(FILL)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        int64_t value = I[A];
        if (cell->is_set) { /* a `bool` array over sites kept as one set */
            *SETVAR(cell) = value ? board_all(m) : set_none();
            NEXT(FILL);
        }
        if (value < cell->low || value > cell->high) {
            fzi_fault_store(m, X(1), value);
            goto failed;
        }
        m->budget -= cell->length / 16;
        for (uint32_t i = 0; i < cell->length; i++)
            INTVAR(cell)[i] = (int32_t)value;
        NEXT(FILL);
    }
    SETS(SLOAD, *SETVAR(&m->cells[X(1)]))
    CASE(SLOADX)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        if ((uint64_t)I[B] >= cell->length) {
            if (I[B] != -1)
                goto no_index;
            GIVE_NONE(SLOADX);
        }
        S[A] = SETVAR(cell)[I[B]];
        NEXT(SLOADX);
    }
    CASE(SSTORE)
    {
        *SETVAR(&m->cells[X(1)]) = S[A];
        NEXT(SSTORE);
    }
    CASE(SSTOREX)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        if ((uint64_t)I[B] < cell->length)
            SETVAR(cell)[I[B]] = S[A];
        else if (I[B] != -1)
            goto no_index;
        NEXT(SSTOREX);
    }
    CASE(SFILL)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        m->budget -= cell->length / 16;
        for (uint32_t i = 0; i < cell->length; i++)
            SETVAR(cell)[i] = S[A];
        NEXT(SFILL);
    }
    CASE(BITLOAD)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        int64_t site = I[B];
        SITE_OR(site, GIVE_NEXT(BITLOAD, cell->initial));
        I[A] = set_has(SETVAR(cell), (uint64_t)site);
        NEXT(BITLOAD);
    }
    CASE(BITSTORE)
    {
        const fzi_cell *cell = &m->cells[X(1)];
        int64_t site = I[B];
        SITE_OR(site, ELSE_NEXT(BITSTORE));
        if (I[A])
            set_add(SETVAR(cell), (uint64_t)site);
        else
            set_drop(SETVAR(cell), (uint64_t)site);
        NEXT(BITSTORE);
    }

    /* ---- sets of sites ---- */
    SETS(SAND, set_and(S[B], S[C]))
    SETS(SOR, set_or(S[B], S[C]))
    SETS(SSUB, set_sub(S[B], S[C]))
    SETS(SNOT, set_sub(board_all(m), S[B]))
    CASE(SBIT)
    {
        int64_t site = I[B];
        SITE_OR(site, GIVE_NONE(SBIT));
        fzi_set set = set_none();
        set_add(&set, (uint64_t)site);
        S[A] = set;
        NEXT(SBIT);
    }
    CASE(SADD)
    {
        int64_t site = I[B];
        SITE_OR(site, ELSE_NEXT(SADD));
        set_add(&S[A], (uint64_t)site);
        NEXT(SADD);
    }
    CASE(SHAS)
    {
        int64_t site = I[B];
        SITE_OR(site, GIVE_NEXT(SHAS, 0));
        I[A] = set_has(&S[C], (uint64_t)site);
        NEXT(SHAS);
    }
    NUMBER(SCOUNT, set_count(S[B]))
    NUMBER(SEQ, set_equal(S[B], S[C]))
    NUMBER(SLE, !set_some(set_sub(S[B], S[C])))
    NUMBER(SSOME, set_some(S[B]))
    NUMBER(SMEETS, set_meets(S[B], S[C]))
    CASE(COVERS)
    {
        const fz_set_table *t = &p->set_tables[X(1)];
        const uint64_t *rows = p->set_pool + t->first;
        fzi_set set = S[B];
        int64_t covers = 0;
        for (uint32_t i = 0; i < t->rows && !covers; i++)
            covers = !set_some(set_sub(set_at(rows + (size_t)i * FZ_W), set));
        m->budget -= t->rows / 16;
        I[A] = covers;
        NEXT(COVERS);
    }
    NUMBER(SFIRST, set_first(S[B]))
    NUMBER(SONLY, set_only(S[B]))

    /* ---- geometry ---- */
    CASE(SHIFT)
    {
        if ((uint64_t)I[C] >= p->board.dir_count) {
            if (I[C] != -1)
                goto no_direction;
            GIVE_NONE(SHIFT);
        }
        S[A] = geo_shift(p->topology, S[B], (uint64_t)I[C]);
        NEXT(SHIFT);
    }
    SETS(STEP, geo_step(p->topology, S[B], (uint64_t)I[C] & m->dir_mask))
    CASE(SLIDE)
    {
        fzi_set from = S[B], through = S[BYTE(0)], out = set_none();
        uint64_t dirs = (uint64_t)I[C] & m->dir_mask;
        int64_t most = I[BYTE(1)];
        while (set_some(from))
            out = set_or(out, geo_slide(p->topology, (uint64_t)set_take(&from), dirs, through, most));
        S[A] = out;
        NEXT(SLIDE);
    }
    CASE(LEAP)
    {
        fzi_set from = S[B], out = set_none();
        while (set_some(from))
            fzi_leap(p->topology, (int)set_take(&from), I[C], I[BYTE(0)], out.w);
        S[A] = out;
        NEXT(LEAP);
    }
    CASE(RIDE)
    {
        fzi_set from = S[B], through = S[BYTE(1)], out = set_none();
        while (set_some(from))
            fzi_ride(p->topology, (int)set_take(&from), I[C], I[BYTE(0)], through.w, out.w);
        S[A] = out;
        NEXT(RIDE);
    }
    CASE(RAY)
    {
        int64_t site = I[B], dir = I[C];
        SITE_OR(site, GIVE_NONE(RAY));
        if ((uint64_t)dir >= p->board.dir_count) {
            if (dir != -1)
                goto no_direction;
            GIVE_NONE(RAY);
        }
        S[A] = set_at(p->topology->rays +
                      ((uint64_t)dir * p->board.site_count + (uint64_t)site) * FZ_W);
        NEXT(RAY);
    }
    CASE(FLOOD)
    {
        m->budget -= p->board.site_count / 16;
        S[A] = geo_flood(p->topology, S[B], S[C], (uint64_t)I[BYTE(0)] & m->dir_mask);
        NEXT(FLOOD);
    }
    CASE(BETWEEN)
    {
        int64_t from = I[B], to = I[C];
        SITE_OR(from, GIVE_NONE(BETWEEN));
        SITE_OR(to, GIVE_NONE(BETWEEN));
        fzi_set out = set_none();
        fzi_between(p->topology, (int)from, (int)to, out.w);
        S[A] = out;
        NEXT(BETWEEN);
    }
    CASE(DISTANCE)
    {
        int64_t from = I[B], to = I[C];
        SITE_OR(from, GIVE_NEXT(DISTANCE, -1));
        SITE_OR(to, GIVE_NEXT(DISTANCE, -1));
        I[A] = fzi_distance(p->topology, (int)from, (int)to);
        NEXT(DISTANCE);
    }
    NUMBER(LINE, geo_line(p->topology, S[B], I[C], (uint64_t)I[BYTE(0)] & m->dir_mask))
    CASE(LINE_AT)
    {
        int64_t site = I[B];
        SITE_OR(site, GIVE_NEXT(LINE_AT, 0));
        I[A] = geo_line_at(p->topology, (uint64_t)site, &S[C], I[BYTE(0)],
                           (uint64_t)I[BYTE(1)] & m->dir_mask);
        NEXT(LINE_AT);
    }
    CASE(CONNECTED)
    {
        m->budget -= p->board.site_count / 16;
        I[A] = fzi_connected(p->topology, S[B].w, S[C].w, S[BYTE(0)].w,
                             (uint64_t)I[BYTE(1)] & m->dir_mask);
        NEXT(CONNECTED);
    }
    CASE(FLANKED)
    {
        int64_t site = I[B];
        SITE_OR(site, GIVE_NONE(FLANKED));
        fzi_set row = S[C], end = S[BYTE(0)], out = set_none();
        fzi_flanked(p->topology, (int)site, row.w, end.w, (uint64_t)I[BYTE(1)] & m->dir_mask, out.w);
        S[A] = out;
        NEXT(FLANKED);
    }
    CASE(FLANKING)
    {
        fzi_set end = S[B], row = S[C], first = S[BYTE(0)], out = set_none();
        fzi_flanking(p->topology, end.w, row.w, first.w, (uint64_t)I[BYTE(1)] & m->dir_mask, out.w);
        S[A] = out;
        NEXT(FLANKING);
    }

    /* ---- the board ---- */
    CASE(OWNED)
    {
        if ((uint64_t)I[B] + 1 > m->player_count)
            FAULT("there is no such player");
        S[A] = *board_own(m, block, I[B]);
        NEXT(OWNED);
    }
    CASE(OF_KIND)
    CASE(OF)
    {
        fzi_set set = set_none();
        if ((uint64_t)I[B] + 1 > m->kind_count)
            FAULT("there is no such kind of piece");
        if (I[B] >= 0)
            set = board_of_kind(m, block, I[B]);
        if (FZ_CODE_OP(word) == FZ_OP_OF) {
            if (I[C] < -1 || I[C] >= m->player_count)
                FAULT("there is no such player");
            set = set_and(set, *board_own(m, block, I[C]));
        }
        S[A] = set;
        NEXT(OF);
    }
    SETS(OCCUPIED, board_occupied(m, block))
    SETS(EMPTY, set_sub(board_all(m), board_occupied(m, block)))
    CASE(KIND)
    CASE(OWNER)
    {
        int64_t site = I[B];
        SITE_OR(site, GIVE_NEXT(KIND, -1));
        int kind, owner;
        if (m->layout.at) {
            uint8_t there = block[m->layout.at + (uint64_t)site];
            kind = m->kind_of[there];
            owner = m->owner_of[there];
        } else {
            fzi_state_at(state, (unsigned)site, &kind, &owner);
        }
        I[A] = FZ_CODE_OP(word) == FZ_OP_KIND ? kind : owner;
        NEXT(KIND);
    }
    CASE(PUT)
    CASE(PUT1)
    {
        if ((uint64_t)I[B] >= m->kind_count)
            FAULT("'put' needs a kind of piece, and there is none");
        if ((uint64_t)I[C] + 1 > m->player_count)
            FAULT("there is no such player");
        if (FZ_CODE_OP(word) == FZ_OP_PUT) {
            fzi_set sites = S[A];
            if (m->carried_count)
                fzi_carried_reset_set(m, state, sites.w);
            board_clear(m, block, sites);
            board_set(m, block, sites, I[B], I[C]);
        } else {
            int64_t site = I[A];
            SITE_OR(site, ELSE_NEXT(PUT));
            if (m->carried_count)
                fzi_carried_reset(m, state, (unsigned)site);
            board_clear1(m, block, (uint64_t)site);
            board_set1(m, block, (uint64_t)site, I[B], I[C]);
        }
        NEXT(PUT);
    }
    CASE(TAKE)
    {
        fzi_set sites = S[A];
        if (m->carried_count)
            fzi_carried_reset_set(m, state, sites.w);
        board_clear(m, block, sites);
        NEXT(TAKE);
    }
    CASE(TAKE1)
    {
        int64_t site = I[A];
        SITE_OR(site, ELSE_NEXT(TAKE1));
        if (m->carried_count)
            fzi_carried_reset(m, state, (unsigned)site);
        board_clear1(m, block, (uint64_t)site);
        NEXT(TAKE1);
    }
    CASE(MOVE)
    {
        int64_t from = I[A], to = I[B];
        SITE_OR(from, ELSE_NEXT(MOVE));
        SITE_OR(to, ELSE_NEXT(MOVE));
        uint8_t there = block[m->layout.at + (uint64_t)from];
        if (there && from != to) {
            board_clear1(m, block, (uint64_t)from);
            board_recode(m, block, (uint64_t)to, there);
            if (m->carried_count)
                fzi_carried_move(m, state, (unsigned)from, (unsigned)to);
        }
        NEXT(MOVE);
    }
    CASE(SWAP)
    {
        int64_t one = I[A], other = I[B];
        SITE_OR(one, ELSE_NEXT(SWAP));
        SITE_OR(other, ELSE_NEXT(SWAP));
        uint8_t *at = block + m->layout.at, first = at[one], second = at[other];
        board_recode(m, block, (uint64_t)one, second);
        board_recode(m, block, (uint64_t)other, first);
        if (m->carried_count)
            fzi_carried_swap(m, state, (unsigned)one, (unsigned)other);
        NEXT(SWAP);
    }
    CASE(BECOME)
    {
        int64_t site = I[A];
        SITE_OR(site, ELSE_NEXT(BECOME));
        if ((uint64_t)I[B] >= m->kind_count)
            FAULT("'become' needs a kind of piece, and there is none");
        uint8_t there = block[m->layout.at + (uint64_t)site];
        if (there)
            board_recode(m, block, (uint64_t)site, board_code(m, I[B], m->owner_of[there]));
        NEXT(BECOME);
    }
    CASE(GIVE)
    {
        fzi_set sites = set_and(S[A], board_occupied(m, block));
        if ((uint64_t)I[B] + 1 > m->player_count)
            FAULT("there is no such player");
        while (set_some(sites)) {
            uint64_t site = (uint64_t)set_take(&sites);
            uint8_t there = block[m->layout.at + site];
            board_recode(m, block, site, there && m->kind_of[there] >= 0
                                             ? board_code(m, m->kind_of[there], I[B]) : 0);
        }
        NEXT(GIVE);
    }
    CASE(PHANTOM)
    {
        int64_t site = I[B];
        SITE_OR(site, GIVE_NEXT(PHANTOM, 0));
        if ((uint64_t)I[C] + 1 > m->player_count)
            FAULT("there is no such player");
        I[A] = board_phantom(m, block, (uint64_t)site, I[C]);
        NEXT(PHANTOM);
    }
    CASE(UNPHANTOM)
    {
        int64_t site = I[B];
        SITE_OR(site, ELSE_NEXT(UNPHANTOM));
        board_unphantom(m, block, (uint64_t)site, I[A]);
        NEXT(UNPHANTOM);
    }

    /* ---- the turn ---- */
    NUMBER(MOVER, H->mover)
    NUMBER(TURNS, H->turns)
    NUMBER(UPCOMING, H->upcoming)
    NUMBER(IS_OUT, (uint64_t)I[B] < m->player_count && H->out >> I[B] & 1)
    NUMBER(STANDING, (uint64_t)I[B] < m->player_count ? H->rank[I[B]] : 0)
    CASE(LAST)
    {
        I[A] = H->last_from;
        I[B] = H->last_to;
        NEXT(LAST);
    }
    NUMBER(REPETITIONS, fzi_history_count(state, false))
    NUMBER(BOARD_REPETITIONS, fzi_history_count(state, true))
    CASE(NEXT)
    {
        PLAYER_CHECK(I[A]);
        H->upcoming = (int8_t)I[A];
        NEXT(NEXT);
    }
    CASE(STOP)
    {
        if (run->mode == FZ_RUN_TRY)
            goto judge_all;
        if (run->mode == FZ_RUN_SITES)
            return FZ_END_RETURN;
        if (run->mode != FZ_RUN_PLAY)
            FAULT("'stop' where there is no turn");
        goto phase_end;
    }
    CASE(OUT)
    {
        PLAYER_CHECK(I[A]);
        H->out |= (uint16_t)(1u << I[A]);
        NEXT(OUT);
    }
    CASE(WIN)
    {
        PLAYER_CHECK(I[A]);
        fzi_result_win(m, state, I[A]);
        goto result;
    }
    CASE(LOSE)
    {
        PLAYER_CHECK(I[A]);
        if (!fzi_result_lose(m, state, I[A]))
            FAULT("'lose' needs two sides");
        goto result;
    }
    CASE(DRAW)
    {
        fzi_result_draw(m, state);
        goto result;
    }
    CASE(RANK_KEY)
    {
        PLAYER_CHECK(I[A]);
        if ((uint64_t)I[B] >= FZ_MAX_KEYS)
            goto no_index;
        if (!m->rank_keys_used)
            memset(m->rank_keys, 0, sizeof m->rank_keys);
        m->rank_keys_used = true;
        m->rank_keys[I[A]][I[B]] = I[C];
        NEXT(RANK_KEY);
    }
    CASE(RANK)
    {
        fzi_result_rank(m, state, A);
        goto result;
    }

    /* ---- decisions ---- */
    CASE(CHOOSE)
    {
        PLAYER_CHECK(I[A]);
        if ((m->budget -= 8) < 0)
            goto exhausted;
        H->decider = (int8_t)I[A];
        if (!list && !(run->list = list = fzi_list_push(m)))
            goto failed;
        fzi_list_clear(list, X(1));
        NEXT(CHOOSE);
    }
    CASE(DECIDE)
    {
        const fz_choice *choice = &p->choices[X(1)];
        if (__builtin_expect(!list || list->choice != X(1), 0))
            FAULT("a choice without a list");
        if (run->mode == FZ_RUN_PLAY && !choice->filtered && !H->pendings) {
            if (!list->total)
                JUMP(X(2));
            if (!run->plies)
                goto wait_move;
            run->branched += list->total;
            uint32_t k = fzi_chance_below(H->key, &H->counter, list->total);
            fzi_list_pick(list, k, FZ_W, &move);
            goto chosen;
        }
        SYNC();
        fzi_decision decision = fzi_decide(m, run, X(1));
        RELOAD();
        switch (decision) {
        case FZ_DECIDE_OTHERWISE: JUMP(X(2));
        case FZ_DECIDE_DRAW: {
            /* When no move is legal, no number has been used up: a machine that waits instead of
             * drawing must find the same stream. */
            uint64_t counter = H->counter;
            while (list->total) {
                uint32_t k = fzi_chance_below(H->key, &H->counter, list->total);
                uint32_t segment = fzi_list_pick(list, k, FZ_W, &move);
                int answer = fzi_drawn(m, run, segment, &move);
                if (answer < 0)
                    goto failed;
                if (answer)
                    goto chosen;
            }
            H->counter = counter;
            JUMP(X(2));
        }
        case FZ_DECIDE_WAIT: goto wait_move;
        case FZ_DECIDE_PASS: return FZ_END_PASS;
        case FZ_DECIDE_FAIL: return FZ_END_FAIL;
        case FZ_DECIDE_ERROR: break;
        }
        if (run->mode == FZ_RUN_GATHER)
            return FZ_END_LIST;
        goto failed;
    wait_move:
        H->pc = p->choices[X(1)].start;
        H->waiting = FZ_WAITING_MOVE;
        return FZ_END_MOVE;
    chosen:;
        if (run->log)
            fzi_log_move(run->log, &move);
        const fz_option_info *option = &p->options[move.option];
        if (__builtin_expect(option->choice != X(1), 0)) /* emitted by damaged code */
            FAULT("a move of another choice");
        for (unsigned i = 0; i < move.count; i++)
            I[option->first + i] = move.values[i];
        H->pending_decider = H->decider;
        if (++H->plies - H->begun > m->limits.decisions)
            FAULT("too many decisions in one turn");
        H->decided = 1;
        H->idle = 0;
        run->plies--;
        m->budget = (int64_t)m->limits.instructions;
        ip = code + option->effect;
        DISPATCH();
    }
    CASE(GROUP)
    {
        if (!list || list->group_count == FZ_MAX_GROUPS)
            FAULT("too many generators with 'keeping' inside each other");
        list->groups[list->group_count++] = list->segment_count;
        NEXT(GROUP);
    }
    CASE(END_GROUP)
    {
        if (!list || !list->group_count)
            FAULT("the end of a group that has not begun");
        SYNC();
        if (!fzi_group_end(m, run, X(1)))
            goto failed;
        RELOAD();
        NEXT(END_GROUP);
    }
    CASE(EMIT)
    {
        LIST_CHECK();
        LIST_DONE(EMIT, op_emit(list, &p->options[X(1)], X(1), I));
    }
    CASE(EMIT_SET)
    {
        LIST_CHECK();
        LIST_DONE(EMIT_SET, op_emit_set(list, &p->options[X(1)], X(1), I, S[A]));
    }
    CASE(EMIT_MASK)
    {
        LIST_CHECK();
        LIST_DONE(EMIT_MASK, op_emit_mask(list, &p->options[X(1)], X(1), I, (uint64_t)I[A]));
    }
    CASE(EMIT_ROWS)
    {
        LIST_CHECK();
        const fz_set_table *t = &p->set_tables[X(2)];
        uint64_t c = (uint64_t)I[C];
        if (I[C] == -1 || !set_some(S[A]))
            NEXT(EMIT_ROWS);
        if (c > t->rows || c * X(3) + (uint64_t)set_last(S[A]) >= t->rows)
            goto no_index;
        LIST_DONE(EMIT_ROWS, op_emit_rows(list, &p->options[X(1)], X(1), I, S[A], S[B],
                                          p->set_pool + t->first + c * X(3) * FZ_W));
    }
    CASE(EMIT_SLIDES)
    {
        LIST_CHECK();
        LIST_DONE(EMIT_SLIDES,
                  op_emit_slides(list, &p->options[X(1)], X(1), I, p->topology, S[A], S[B],
                                 (uint64_t)I[C] & m->dir_mask, S[X(2) & 0xff]));
    }
    CASE(EMIT_SHIFTS)
    CASE(ALSO_SHIFTS)
    {
        LIST_CHECK();
        const fz_int_table *t = &p->int_tables[X(2)];
        uint64_t c = (uint64_t)I[C], k = X(3);
        if (I[C] == -1)
            c = k = 0;
        if (c > t->length || c * k + k > t->length)
            goto no_index;
        LIST_DONE(EMIT_SHIFTS,
                  op_emit_shifts(list, m, &p->options[X(1)], X(1), I, S[A], S[B],
                                 p->int_pool + t->first + c * k, (uint32_t)k,
                                 FZ_CODE_OP(word) == FZ_OP_ALSO_SHIFTS));
    }
    CASE(PEND)
    {
        if (H->pendings == FZ_MAX_PENDING)
            FAULT("too many filters are pending");
        *fzi_pending_at(state, H->pendings++) = (fzi_pending){H->frame, X(1)};
        NEXT(PEND);
    }
    CASE(JUDGE)
    {
        /* Chance or another player's decision may have dropped the filter: then there is nothing to do. */
        if (H->pendings) {
            fzi_pending last = *fzi_pending_at(state, H->pendings - 1u);
            if (last.filter == X(1) && last.frame == H->frame) {
                if (run->mode != FZ_RUN_TRY) {
                    H->pendings--;
                } else if (H->pendings - 1u == run->base) {
                    run->judging = (uint8_t)(1 + p->filters[X(1)].kind);
                    ip = code + p->filters[X(1)].code;
                    DISPATCH();
                } else {
                    SYNC();
                    fzi_end end = fzi_judge(m, run);
                    if (end != FZ_END_RETURN)
                        return end;
                    RELOAD();
                }
            }
        }
        NEXT(JUDGE);
    }
    CASE(VERDICT)
    {
        for (unsigned i = 0; i < B && i < FZ_MAX_KEYS; i++)
            run->keys[i] = I[A + i];
        run->key_count = (uint8_t)B;
        if (run->mode == FZ_RUN_VERDICT)
            return FZ_END_VERDICT;
        if (run->mode != FZ_RUN_TRY || !run->judging)
            FAULT("a verdict that nobody asked for");
        return run->judging - 1 != FZ_FILTER_ENSURING || run->keys[0] ? FZ_END_PASS : FZ_END_FAIL;
    }
    CASE(TOOK)
    {
        if (run->mode == FZ_RUN_SITES) {
            run->number = I[A];
            run->other = I[B];
            return FZ_END_RETURN;
        }
        H->last_from = (int16_t)I[A];
        H->last_to = (int16_t)I[B];
        NEXT(TOOK);
    }
    CASE(CAN)
    {
        fzi_list *inner = fzi_list_push(m);
        if (!inner)
            goto failed;
        inner->outer = list;
        run->list = list = inner;
        fzi_list_clear(list, X(1));
        NEXT(CAN);
    }
    CASE(CAN_END)
    {
        if (!list || list->choice != X(1) || !m->list_depth ||
            m->lists[m->list_depth - 1] != list)
            FAULT("the end of a question that has not begun");
        SYNC();
        int answer = fzi_can(m, run);
        if (answer < 0)
            goto failed;
        RELOAD();
        run->list = list = list->outer;
        m->list_depth--;
        I[A] = answer;
        NEXT(CAN_END);
    }

    /* ---- chance ---- */
#define CHANCE_CHECK()                                                                            \
    do {                                                                                          \
        if (__builtin_expect(run->mode != FZ_RUN_PLAY, 0)) {                                      \
            if (run->mode == FZ_RUN_TRY)                                                          \
                goto judge_all;                                                                   \
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
    CASE(ROLL)
    {
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            if (!fzi_outcomes_of_die(m, X(1)))
                goto failed;
            return FZ_END_CHANCE;
        }
        CHANCE(ROLL, ip - code,
               op_roll(p->faces + p->dice[X(1)].first,
                       fzi_chance_below(H->key, &H->counter, m->die_totals[X(1)])));
    }
    CASE(RANDOM_SITE)
    {
        fzi_set set = S[B];
        uint32_t count = set_count(set);
        if (!count)
            GIVE_NEXT(RANDOM_SITE, -1);
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            while (set_some(set))
                OUTCOME(set_take(&set), 1);
            return FZ_END_CHANCE;
        }
        CHANCE(RANDOM_SITE, ip - code,
               fzi_words_select(set.w, fzi_chance_below(H->key, &H->counter, count), FZ_W));
    }
    CASE(RANDOM_MASK)
    {
        int64_t mask = I[B];
        if (!mask)
            GIVE_NEXT(RANDOM_MASK, (int32_t)X(1));
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            while (mask)
                OUTCOME(op_mtake(&mask), 1);
            return FZ_END_CHANCE;
        }
        uint32_t count = (uint32_t)__builtin_popcountll((uint64_t)mask);
        CHANCE(RANDOM_MASK, ip - code,
               fzi_bit_select((uint64_t)mask, fzi_chance_below(H->key, &H->counter, count)));
    }
    CASE(RANDOM_RANGE)
    {
        int64_t low = I[B], high = I[C];
        if (high < low)
            GIVE_NEXT(RANDOM_RANGE, low);
        if (!int_fits(low) || !int_fits(high))
            FAULT("a random number of more than 32 bits");
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            if (high - low >= 1 << 20)
                FAULT("too many outcomes to list");
            for (; low <= high; low++)
                OUTCOME(low, 1);
            return FZ_END_CHANCE;
        }
        CHANCE(RANDOM_RANGE, ip - code,
               low + fzi_chance_below(H->key, &H->counter, (uint64_t)(high - low + 1)));
    }
    CASE(WEIGH)
    {
        m->weight_count = m->weight_base;
        NEXT(WEIGH);
    }
    CASE(WEIGHT)
    {
        if (I[B] < 0)
            FAULT("a weight below 0");
        if (I[B] && !fzi_weigh(m, I[A], I[B]))
            goto failed;
        NEXT(WEIGHT);
    }
    CASE(RANDOM_WEIGHED)
    {
        int64_t total = fzi_weigh_total(m);
        if (!total)
            GIVE_NEXT(RANDOM_WEIGHED, (int32_t)X(1));
        if (total < 0)
            FAULT("the sum of the weights has more than 32 bits");
        CHANCE_CHECK();
        if (run->mode == FZ_RUN_OUTCOMES) {
            for (uint32_t i = m->weight_base; i < m->weight_count; i++)
                OUTCOME(m->weights[i].value, (uint64_t)m->weights[i].weight);
            return FZ_END_CHANCE;
        }
        CHANCE(RANDOM_WEIGHED, X(2),
               fzi_weigh_pick(m, fzi_chance_below(H->key, &H->counter, (uint64_t)total)));
    }

    /* ---- texts of moves ---- */
    CASE(TEXT)
    {
        if (m->text.length > FZ_MAX_TEXT)
            FAULT("the text of a move is too long");
        fzi_buffer_text(&m->text, fzi_text(p, X(1)));
        NEXT(TEXT);
    }
    CASE(TEXT_VALUE)
    {
        if (m->text.length > FZ_MAX_TEXT)
            FAULT("the text of a move is too long");
        fzi_value_text(p, (uint16_t)X(1), I[A], true, &m->text);
        NEXT(TEXT_VALUE);
    }
    CASE(TEXT_END)
    {
        if (run->mode != FZ_RUN_TEXT)
            FAULT("the end of a text where there is none");
        return FZ_END_RETURN;
    }
#ifdef FZ_NO_COMPUTED_GOTO
    case FZ_OP_COUNT:
        break;
    }
    goto no_instruction;
#endif

    /* ---- phases ---- */
bottom: /* the lowest frame of the run has returned */
    if (__builtin_expect(run->mode != FZ_RUN_PLAY, 0)) {
        if (run->mode == FZ_RUN_CALL || run->mode == FZ_RUN_SITES)
            return FZ_END_RETURN;
        if (run->mode == FZ_RUN_TRY)
            goto judge_all;
        FAULT("the end of a function where there is none");
    }
phase_end:
    H->pendings = 0;
    switch ((enum fzi_phase)H->phase) {
    case FZ_PHASE_SETUP:
        goto begin_turn;
    case FZ_PHASE_TURN:
        H->phase = FZ_PHASE_END;
        if (p->end >= 0) {
            start = (uint32_t)p->end;
            goto start_phase;
        }
        /* fall through */
    case FZ_PHASE_END:
        if (p->limit < 0 || H->turns < (uint32_t)p->limit_turns)
            goto begin_turn;
        H->phase = FZ_PHASE_LIMIT;
        H->stopped = 1;
        start = (uint32_t)p->limit;
        goto start_phase;
    default:
        FAULT("the game goes on after its limit");
    }
begin_turn:
    H->phase = FZ_PHASE_READY;
    if (H->turns >= run->turn_stop)
        return FZ_END_TURN;
    {
        int next = H->out ? fzi_state_next_mover(state) : H->upcoming;
        if (next < 0)
            FAULT("every player is out");
        H->mover = (int8_t)next;
        H->upcoming = (int8_t)(next + 1 < m->player_count ? next + 1 : 0);
        if (H->out)
            H->upcoming = (int8_t)fzi_state_next_mover(state);
    }
    H->turns++;
    H->begun = H->plies;
    H->decided = 0;
    if (++H->idle > m->limits.idle_turns)
        FAULT("too many turns in a row without a decision");
    if (H->turns > INT32_MAX)
        FAULT("more turns than can be counted");
    H->phase = FZ_PHASE_TURN;
    start = (uint32_t)p->turn;
    if (run->log || state->history || run->body >= 0) {
        if (run->log)
            fzi_log_begin(run->log, block, m->layout.stack);
        if (state->history && !fzi_note_turn(m, state))
            goto failed;
        if (run->body >= 0)
            start = (uint32_t)run->body;
        run->body = FZ_NOT_THERE;
    }
start_phase: {
    const fz_function *f = &p->functions[start];
    uint32_t size = fzi_frame_size(f, FZ_W);
    if (__builtin_expect(size > state->capacity, 0)) {
        if (!fzi_state_grow(state, size)) {
            m->fault = NULL;
            goto failed;
        }
        block = state->block;
        H = (fzi_head *)(void *)block;
    }
    H->frame = 0;
    H->top = size;
    H->depth = 1;
    H->pendings = 0;
    uint64_t *frame = (uint64_t *)(void *)(block + m->layout.stack);
    frame[0] = start;
    frame[1] = (uint64_t)f->ints << 40;
    I = (int64_t *)(void *)(frame + FZ_FRAME_HEADER);
    S = (fzi_set *)(void *)(I + f->ints);
    if (f->int_params)
        I[0] = H->mover;
    set_clear_all(S, 0, m->clears[start]);
    ip = code + f->start;
    DISPATCH();
}
result:
    if (run->mode == FZ_RUN_TRY)
        goto judge_all;
    if (run->mode == FZ_RUN_SITES)
        return FZ_END_RETURN;
    if (run->mode != FZ_RUN_PLAY)
        FAULT("a result where none may be");
    H->phase = FZ_PHASE_OVER;
    H->waiting = FZ_GAME_OVER;
    H->pendings = 0;
    return FZ_END_OVER;
judge_all:
    SYNC();
    return fzi_judge_all(m, run);

    /* ---- faults ---- */
no_site:
    FAULT("a site that is not on the board");
no_index:
    FAULT("an index outside of its table");
no_direction:
    FAULT("there is no such direction");
#ifdef FZ_NO_COMPUTED_GOTO
no_instruction:
    FAULT("damaged code");
#endif
exhausted:
    FAULT("this decision takes too many instructions");
list_full:
    fzi_fault_list(m, list);
    goto failed;
faulted:
    m->fault_pc = UINT32_MAX;
failed:
    if (m->fault_pc == UINT32_MAX)
        m->fault_pc = (uint32_t)(ip - code);
    return FZ_END_ERROR;
}

#undef A
#undef B
#undef C
#undef X
