/* Rules that end a game in a draw, and what only they ask for: clocks, the number of the turn,
 * earlier positions. See solve.h.
 *
 * Each of these is a source. Its values are followed from register to register. A source is left
 * out if its values go nowhere but into itself and into jumps that lead past a draw or to it. The
 * rules without these draws are the same code with the jumps past them. */
#include "solve.h"

#include "interp/program/data_flow.h"

enum { LONGEST = 64 /* instructions up to a draw */ };

typedef struct finder {
    const fz_program *p;
    uint64_t source;          /* that is followed now */
    bool *reached;            /* by function: the game calls it */
    bool *in_turns;           /* by function: so does a turn, also one that a filter tries */
    bool *results;            /* by function: the result comes from the source */
    fzi_live *live, *choosing;
    fzi_live *from_source;    /* by instruction: registers whose values come from the source */
    fz_code *code, *tried;    /* with other jumps: of the sources before, and of this one */
    bool changed;
} finder;

static uint64_t of_variable(const fz_program *p, uint32_t variable)
{
    return variable < FZ_MOST_LEFT_OUT && !p->variables[variable].carried
               ? FZ_LEAVES_VARIABLE << variable : 0;
}

static bool has_variable(unsigned op)
{
    return fzi_opcode_extension(op)[0] == 'A';
}

/* ---- what the game calls ---- */

static bool is_root(const fz_program *p, uint32_t function)
{
    int32_t f = (int32_t)function;

    return f == p->setup || f == p->turn || f == p->end || f == p->limit;
}

/* `end`: also where a turn has ended. */
static void reach(const fz_program *p, bool end, bool *reached)
{
    for (uint32_t i = 0; i < p->function_count; i++)
        reached[i] = is_root(p, i) && (end || (int32_t)i != p->end);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < p->function_count; i++) {
            if (!reached[i])
                continue;
            FZI_FOR_INSTRUCTIONS(pc, p, &p->functions[i]) {
                if (!fzi_opcode_is(FZ_CODE_OP(p->code[pc]), FZ_FLAG_CALLS) ||
                    reached[p->code[pc + 1]])
                    continue;
                reached[p->code[pc + 1]] = changed = true;
            }
        }
    }
}

/* ---- where values come from ---- */

static bool meet(const fzi_live *a, const fzi_live *b)
{
    uint64_t both = 0;

    for (unsigned w = 0; w < FZ_LIVE_WORDS; w++)
        both |= a->w[w] & b->w[w];
    return both != 0;
}

/* Does the instruction ask for the source itself? */
static bool asks(const finder *f, uint32_t pc)
{
    const fz_code *code = f->p->code + pc;
    unsigned op = FZ_CODE_OP(*code);

    switch (op) {
    case FZ_OP_REPETITIONS: case FZ_OP_BOARD_REPETITIONS: case FZ_OP_REPETITIONS_SINCE:
        return f->source == FZ_LEAVES_EARLIER;
    case FZ_OP_TURNS:
        return f->source == FZ_LEAVES_TURNS;
    case FZ_OP_CALL: case FZ_OP_TAILCALL:
        return f->results[code[1]];
    default:
        return has_variable(op) && !fzi_opcode_is(op, FZ_FLAG_WRITE) &&
               of_variable(f->p, code[1]) == f->source;
    }
}

/* Registers that are changed, not replaced. */
static void add_modified(uint32_t code, fzi_live *to)
{
    const char *letters = fzi_opcode_operands(FZ_CODE_OP(code));

    for (unsigned i = 0; i < 3; i++)
        if (letters[i] == 'm' || letters[i] == 'w')
            fzi_live_add(to, letters[i] == 'w', code >> (8 + 8 * i) & 0xff, 1);
}

/* These registers come from the source where the code goes on at `pc`, if it reads them there. */
static void go_on(finder *f, uint32_t pc, const fzi_live *registers)
{
    for (unsigned w = 0; w < FZ_LIVE_WORDS; w++) {
        uint64_t more = registers->w[w] & f->live[pc].w[w] & ~f->from_source[pc].w[w];
        f->changed |= more != 0;
        f->from_source[pc].w[w] |= more;
    }
}

/* Where a choice goes on after it has waited. Moves bring the values of their option's `for`s. */
static void follow_options(finder *f, const fz_choice *c, const fzi_live *after)
{
    go_on(f, c->start, after);
    for (uint32_t k = 0; k < c->options; k++) {
        const fz_option_info *o = &f->p->options[c->first_option + k];
        fzi_live brought = {{0}}, rest = *after;
        fzi_live_add(&brought, false, o->first, o->bindings);
        for (unsigned w = 0; w < FZ_LIVE_WORDS; w++)
            rest.w[w] &= ~brought.w[w];
        go_on(f, o->effect, &rest);
        go_on(f, o->label, &rest);
        go_on(f, o->shown, &rest);
    }
}

static void follow(finder *f, uint32_t function, uint32_t pc, fzi_live *anywhere)
{
    const fz_code *code = f->p->code + pc;
    fzi_live reads = {{0}}, writes = {{0}}, after = f->from_source[pc];
    unsigned op = FZ_CODE_OP(*code);
    int64_t jump = fzi_opcode_jump(code);

    fzi_live_uses(f->p, pc, &reads, &writes);
    bool given = asks(f, pc) || meet(&reads, &after);
    if (given && (fzi_opcode_is(op, FZ_FLAG_RETURNS) || op == FZ_OP_TAILCALL)) {
        f->changed |= !f->results[function];
        f->results[function] = true;
    }
    if (given)
        add_modified(*code, &writes);
    for (unsigned w = 0; w < FZ_LIVE_WORDS; w++) {
        after.w[w] = given ? after.w[w] | writes.w[w] : after.w[w] & ~writes.w[w];
        anywhere->w[w] |= after.w[w];
    }
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS) &&
        pc + fzi_opcode_length(op) < f->p->functions[function].end)
        go_on(f, pc + fzi_opcode_length(op), &after);
    if (jump != FZ_NO_JUMP)
        go_on(f, (uint32_t)jump, &after);
    if (op == FZ_OP_DECIDE || op == FZ_OP_CAN_TEST || op == FZ_OP_CAN_END)
        follow_options(f, &f->p->choices[code[1]], &after);
    else if (op == FZ_OP_GROUP || op == FZ_OP_END_GROUP)
        follow_options(f, &f->p->choices[f->p->filters[code[1]].choice], &after);
}

static void follow_function(finder *f, uint32_t function)
{
    const fz_program *p = f->p;
    fzi_live anywhere = {{0}}; /* filters run whenever one is pending */

    FZI_FOR_INSTRUCTIONS(pc, p, &p->functions[function])
        follow(f, function, pc, &anywhere);
    for (uint32_t i = 0; i < p->filter_count; i++)
        if (p->choices[p->filters[i].choice].function == function)
            go_on(f, p->filters[i].code, &anywhere);
}

static void follow_source(finder *f)
{
    const fz_program *p = f->p;

    memset(f->from_source, 0, ((size_t)p->code_length + 1) * sizeof *f->from_source);
    memset(f->results, 0, p->function_count * sizeof *f->results);
    do {
        f->changed = false;
        for (uint32_t i = 0; i < p->function_count; i++)
            if (f->reached[i])
                follow_function(f, i);
    } while (f->changed);
}

/* ---- where they go ---- */

static bool is_jump(const fz_code *code)
{
    return fzi_opcode_jump(code) != FZ_NO_JUMP && fzi_opcode_is(FZ_CODE_OP(*code), FZ_FLAG_FLOW) &&
           fzi_opcode_length(FZ_CODE_OP(*code)) == 2 &&
           !fzi_opcode_is(FZ_CODE_OP(*code), FZ_FLAG_DECIDES | FZ_FLAG_LIST);
}

/* Does it only write registers that are not read at `join`? */
static bool is_without_trace(const finder *f, uint32_t pc, uint32_t join)
{
    enum { ACTS = FZ_FLAG_FLOW | FZ_FLAG_WRITE | FZ_FLAG_LIST | FZ_FLAG_CHANCE | FZ_FLAG_TEXT |
                  FZ_FLAG_OUTSIDE | FZ_FLAG_OPENS | FZ_FLAG_CLOSES | FZ_FLAG_RESUMES };
    fzi_live reads = {{0}}, writes = {{0}};
    uint64_t read_later = 0;

    fzi_live_uses(f->p, pc, &reads, &writes);
    for (unsigned w = 0; w < FZ_LIVE_WORDS; w++)
        read_later |= writes.w[w] & f->live[join].w[w];
    return !read_later && !fzi_opcode_is(FZ_CODE_OP(f->p->code[pc]), ACTS);
}

/* Do all ways from `pc` lead to `join` or to a draw, and do nothing else? */
static bool only_draws(const finder *f, uint32_t pc, uint32_t join, unsigned *left)
{
    while (pc != join && *left > 0) {
        const fz_code *code = f->p->code + pc;
        unsigned op = FZ_CODE_OP(*code);
        uint32_t next = pc + fzi_opcode_length(op);
        --*left;
        if (op == FZ_OP_DRAW)
            return true;
        if (op == FZ_OP_JUMP) {
            next = code[1];
        } else if (is_jump(code)) {
            fzi_live reads = {{0}}, writes = {{0}};
            fzi_live_uses(f->p, pc, &reads, &writes);
            for (unsigned w = 0; w < FZ_LIVE_WORDS; w++)
                if (writes.w[w])
                    return false;
            if (!only_draws(f, code[1], join, left))
                return false;
        } else if (!is_without_trace(f, pc, join)) {
            return false;
        }
        pc = next;
    }
    return pc == join;
}

/* Makes the jump go past the draws that it decides about. False: it decides about more. */
static bool jump_past(finder *f, uint32_t pc)
{
    const fz_code *code = f->p->code + pc;
    uint32_t next = pc + fzi_opcode_length(FZ_CODE_OP(*code)), join = code[1];
    unsigned left = LONGEST;

    if (!is_jump(code))
        return false;
    if (!only_draws(f, next, join, &left)) {
        left = LONGEST;
        join = next;
        if (!only_draws(f, code[1], join, &left))
            return false;
    }
    f->tried[pc] = FZ_CODE(FZ_OP_JUMP, 0, 0, 0);
    f->tried[pc + 1] = join;
    return true;
}

/* May the instruction use such values? Jumps are changed. */
static bool may_use(finder *f, uint32_t function, uint32_t pc, bool *draws)
{
    enum { ACTS = FZ_FLAG_FLOW | FZ_FLAG_WRITE | FZ_FLAG_LIST | FZ_FLAG_CHANCE | FZ_FLAG_TEXT |
                  FZ_FLAG_OUTSIDE };
    const fz_code *code = f->p->code + pc;
    unsigned op = FZ_CODE_OP(*code);

    if (!fzi_opcode_is(op, ACTS))
        return true;
    if (fzi_opcode_is(op, FZ_FLAG_WRITE))
        return has_variable(op) && of_variable(f->p, code[1]) == f->source;
    if (fzi_opcode_is(op, FZ_FLAG_RETURNS))
        return !is_root(f->p, function);
    /* A filter may ask what a draw in an effect leaves undone, or whether the game is over. */
    bool past = !(f->p->filter_count && f->in_turns[function]) && jump_past(f, pc);
    *draws |= past;
    return past;
}

/* Do the values of the source only decide about draws? `*draws`: do they? */
static bool is_idle(finder *f, uint64_t source, bool *draws)
{
    const fz_program *p = f->p;
    bool idle = true;

    *draws = false;
    f->source = source;
    follow_source(f);
    memcpy(f->tried, f->code, p->code_length * sizeof *f->code);
    for (uint32_t i = 0; i < p->function_count && idle; i++) {
        if (!f->reached[i])
            continue;
        FZI_FOR_INSTRUCTIONS(pc, p, &p->functions[i]) {
            fzi_live reads = {{0}}, writes = {{0}};
            fzi_live_uses(p, pc, &reads, &writes);
            idle = idle && (!meet(&reads, &f->from_source[pc]) || may_use(f, i, pc, draws));
        }
    }
    if (idle)
        memcpy(f->code, f->tried, p->code_length * sizeof *f->code);
    return idle;
}

/* ---- the rules without draws ---- */

/* Only turns that have ended ask for `repetitions`, and these compare all that a position is. */
static bool compares_positions(finder *f, uint64_t left_out)
{
    const fz_program *p = f->p;
    bool all = !p->uses_board_repetitions && !p->reads_last;

    f->source = FZ_LEAVES_EARLIER;
    for (uint32_t i = 0; i < p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(pc, p, &p->functions[i]) {
            unsigned op = FZ_CODE_OP(p->code[pc]);
            all = all && op != FZ_OP_OUT && (op != FZ_OP_TURNS || left_out & FZ_LEAVES_TURNS) &&
                  (!f->in_turns[i] || fzi_opcode_is(op, FZ_FLAG_CALLS) || !asks(f, pc));
        }
    for (uint32_t i = 0; i < p->variable_count; i++)
        all = all && (!p->variables[i].clock || of_variable(p, i) & left_out);
    return all;
}

static void try_source(fzi_rules *r, finder *f, uint64_t source)
{
    bool draws;

    if (!source || !is_idle(f, source, &draws))
        return;
    r->left_out |= source;
    r->drawing |= draws ? source : 0;
}

static fz_status make_rules(fzi_rules *r, finder *f, fz_machine *machine, bool forget)
{
    fz_program view = fzi_program_view(f->p);

    fzi_live_all(f->p, f->live, f->choosing);
    reach(f->p, true, f->reached);
    reach(f->p, false, f->in_turns);
    memcpy(f->code, f->p->code, f->p->code_length * sizeof *f->code);
    if (!forget)
        try_source(r, f, FZ_LEAVES_EARLIER);
    try_source(r, f, FZ_LEAVES_TURNS);
    for (uint32_t i = 0; i < f->p->variable_count; i++)
        try_source(r, f, of_variable(f->p, i));
    if (!r->drawing)
        return FZ_OK;
    r->proves = !(r->drawing & FZ_LEAVES_EARLIER) || compares_positions(f, r->left_out);
    view.code = f->code;
    r->program = fzi_program_make(machine->allocator, &view);
    r->machine = r->program ? fz_machine_new(r->program, &machine->limits) : NULL;
    return r->machine ? FZ_OK : fzi_machine_no_memory(machine);
}

fz_status fzi_rules_make(fzi_rules *r, fz_machine *machine, bool forget)
{
    const fz_program *p = machine->program;
    size_t functions = p->function_count, length = (size_t)p->code_length + 1;
    fzi_allocator a = machine->allocator;
    finder f = {.p = p};

    *r = (fzi_rules){.program = NULL};
    if (p->uses_chance || fz_program_has_payoffs(p))
        return FZ_OK;
    f.results = fzi_allocate(a, functions * sizeof *f.results);
    f.reached = fzi_allocate(a, functions * sizeof *f.reached);
    f.in_turns = fzi_allocate(a, functions * sizeof *f.in_turns);
    f.code = fzi_allocate(a, length * sizeof *f.code);
    f.tried = fzi_allocate(a, length * sizeof *f.tried);
    f.live = fzi_allocate_zeroed(a, length * sizeof *f.live);
    f.choosing = fzi_allocate(a, length * sizeof *f.choosing);
    f.from_source = fzi_allocate(a, length * sizeof *f.from_source);
    fz_status status = f.results && f.reached && f.in_turns && f.code && f.tried && f.live &&
                               f.choosing && f.from_source
                           ? make_rules(r, &f, machine, forget) : fzi_machine_no_memory(machine);
    FZI_RELEASE(a, f.results, f.reached, f.in_turns, f.code, f.tried, f.live, f.choosing,
                f.from_source);
    return status;
}

void fzi_rules_clear(fzi_rules *r)
{
    fz_machine_free(r->machine);
    fz_program_release(r->program);
    *r = (fzi_rules){.program = NULL};
}
