/* The possible events of a turn, before and after each instruction: two analyses over all functions
 * that a game runs. Numbers by instruction and by function only grow, until none does. */
#include "data_flow.h"

typedef struct turn_flow {
    const fz_program *p;
    uint8_t *at;          /* by instruction */
    uint8_t *behind;      /* by function: where it ends, or once it has returned */
    uint8_t turn_ends;    /* at every STOP, and where the turn's function ends */
    bool changed;
} turn_flow;

static void raise_to(turn_flow *f, uint8_t *there, uint8_t number)
{
    if (number > *there) {
        *there = number;
        f->changed = true;
    }
}

/* False: memory is short. */
static bool begin(turn_flow *f, const fz_program *p, fzi_allocator allocator)
{
    *f = (turn_flow){.p = p, .at = fzi_allocate_zeroed(allocator, p->code_length + 1u),
                     .behind = fzi_allocate_zeroed(allocator, p->function_count + 1u)};
    return f->at && f->behind;
}

static void end(turn_flow *f, fzi_allocator allocator)
{
    FZI_RELEASE(allocator, f->at, f->behind);
}

static void pass(turn_flow *f, void (*step)(turn_flow *f, uint32_t function, uint32_t at))
{
    f->changed = false;
    for (uint32_t i = 0; i < f->p->function_count; i++) {
        const fz_function *function = &f->p->functions[i];
        FZI_FOR_INSTRUCTIONS(at, f->p, function)
            step(f, i, at);
    }
}

/* Each function from its last instruction: for a step that depends on what follows. `starts` has
 * room for all instructions. */
static void pass_back(turn_flow *f, uint32_t *starts,
                      void (*step)(turn_flow *f, uint32_t function, uint32_t at))
{
    f->changed = false;
    for (uint32_t i = f->p->function_count; i-- > 0;) {
        const fz_function *function = &f->p->functions[i];
        uint32_t count = 0;
        FZI_FOR_INSTRUCTIONS(at, f->p, function)
            starts[count++] = at;
        while (count > 0)
            step(f, i, starts[--count]);
    }
}

/* ---- does a program remember the latest move beyond its turn? ---- */

/* Only then are last_from and last_to part of a position. At each instruction, has the turn's own
 * latest move been noted (SET_LAST_MOVE) on every way to it? Where LAST stands elsewhere, it reads
 * an earlier turn's. */
enum { UNKNOWN, FRESH, OLD }; /* of ways that meet, the greater holds */

static void enter(turn_flow *f, int32_t function, uint8_t age)
{
    if (function >= 0)
        raise_to(f, &f->at[f->p->functions[function].start], age);
}

/* A choice leads to the effects and labels of its options; a filter's code runs when a move is
 * tried. */
static void further_ways(turn_flow *f, const fz_code *code, uint8_t age)
{
    const fz_program *p = f->p;
    unsigned op = FZ_CODE_OP(*code);
    if (fzi_opcode_is(op, FZ_FLAG_JUDGES))
        raise_to(f, &f->at[p->filters[code[1]].code], FRESH);
    if (!fzi_opcode_is(op, FZ_FLAG_OPENS))
        return;
    for (uint32_t i = 0; i < p->choices[code[1]].options; i++) {
        const fz_option_info *option = &p->options[p->choices[code[1]].first_option + i];
        raise_to(f, &f->at[option->effect], age);
        raise_to(f, &f->at[option->label], age);
        raise_to(f, &f->at[option->shown], age);
    }
}

static void step_age(turn_flow *f, uint32_t function, uint32_t at)
{
    const fz_code *code = f->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    int64_t jump = fzi_opcode_jump(code);
    uint8_t age = f->at[at];
    if (!age)
        return;
    if (fzi_opcode_is(op, FZ_FLAG_CALLS)) {
        enter(f, (int32_t)code[1], age);
        uint8_t after = f->behind[code[1]]; /* UNKNOWN: no way back is known yet */
        if (after && age == FRESH)
            after = FRESH; /* whatever it is elsewhere: no call forgets a move */
        if (op == FZ_OP_TAILCALL)
            raise_to(f, &f->behind[function], after);
        else if (after)
            raise_to(f, &f->at[at + fzi_opcode_length(op)], after);
        return;
    }
    if (op == FZ_OP_SET_LAST_MOVE)
        age = FRESH;
    if (fzi_opcode_is(op, FZ_FLAG_RETURNS))
        raise_to(f, &f->behind[function], age);
    if (op == FZ_OP_STOP)
        raise_to(f, &f->turn_ends, age);
    if (jump != FZ_NO_JUMP)
        raise_to(f, &f->at[jump], age);
    further_ways(f, code, age);
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS))
        raise_to(f, &f->at[at + fzi_opcode_length(op)], age);
}

bool fzi_program_find_last(const fz_program *p, fzi_allocator allocator, uint8_t *reads)
{
    const int32_t others[] = {p->setup, p->turn, p->unseen, p->invisible, p->owned, p->payoff};
    turn_flow f;
    bool done = begin(&f, p, allocator);
    *reads = 0;
    for (unsigned i = 0; done && i < sizeof others / sizeof *others; i++)
        enter(&f, others[i], OLD);
    for (uint32_t i = 0; done && i < p->shown_count; i++)
        enter(&f, (int32_t)p->shown[i].function, OLD);
    for (f.changed = done; f.changed;) {
        pass(&f, step_age);
        if (p->turn >= 0)
            raise_to(&f, &f.turn_ends, f.behind[p->turn]);
        enter(&f, p->end, f.turn_ends);
        enter(&f, p->limit, f.turn_ends);
    }
    for (uint32_t i = 0; done && i < p->function_count; i++) {
        const fz_function *function = &p->functions[i];
        FZI_FOR_INSTRUCTIONS(at, p, function)
            *reads |= FZ_CODE_OP(p->code[at]) == FZ_OP_LAST && f.at[at] == OLD;
    }
    end(&f, allocator);
    return done;
}

/* ---- the last moves of turns ---- */

/* After them nothing is decided or rolled any more, in whatever function they stand and
 * whatever the turn still does. Then perft counts the moves of the last turn without playing them.
 * For each instruction: may a decision or chance come up from here to the end of its function's
 * frame? For each function: may one come up once it has returned? */
static void step_more(turn_flow *f, uint32_t function, uint32_t at)
{
    const fz_code *code = f->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    int64_t jump = fzi_opcode_jump(code);
    uint32_t next = at + fzi_opcode_length(op);
    bool goes_on = fzi_opcode_is(op, FZ_FLAG_CHANCE | FZ_FLAG_DECIDES);
    if (fzi_opcode_is(op, FZ_FLAG_CALLS)) {
        bool returns = !fzi_opcode_is(op, FZ_FLAG_ENDS);
        goes_on = f->at[f->p->functions[code[1]].start];
        raise_to(f, &f->behind[code[1]], (returns && f->at[next]) || f->behind[function]);
    }
    goes_on = goes_on || (jump != FZ_NO_JUMP && f->at[jump]);
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS))
        goes_on = goes_on || f->at[next];
    raise_to(f, &f->at[at], goes_on);
}

static bool phase_goes_on(const turn_flow *f, int32_t function)
{
    return function >= 0 && f->at[f->p->functions[function].start];
}

/* Nothing comes after any move of the choice but what the move itself does. */
static bool ends_turn(const turn_flow *f, const fz_choice *choice)
{
    return !f->behind[choice->function] && !phase_goes_on(f, f->p->end) &&
           !phase_goes_on(f, f->p->limit);
}

bool fzi_program_find_last_moves(const fz_program *p, fzi_allocator allocator,
                                 fz_option_info *options)
{
    turn_flow f;
    uint32_t *starts = fzi_allocate(allocator, (p->code_length + 1u) * sizeof *starts);
    bool done = begin(&f, p, allocator) && starts;
    for (f.changed = done; f.changed;)
        pass_back(&f, starts, step_more);
    for (uint32_t i = 0; done && i < p->option_count; i++)
        options[i].last = ends_turn(&f, &p->choices[options[i].choice]) &&
                          !f.at[options[i].effect];
    fzi_release(allocator, starts);
    end(&f, allocator);
    return done;
}
