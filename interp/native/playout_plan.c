/* How a program is played as whole games: which programs can be, and which choices need a list. For
 * generate_playout.c. */
#include "playout_plan.h"

#include <string.h>

enum { SEEN = 1, OPEN = 2, CIRCLE = 4 /* it may call itself */ };

/* ---- where control goes, what instructions write ---- */

/* Does the instruction make a move of a choice, which gives registers the values of its bindings?
 */
static bool makes_move(unsigned op)
{
    return op == FZ_OP_DECIDE || op == FZ_OP_CAN_TEST || op == FZ_OP_CAN_END;
}

bool fzi_plan_jumps(const fzi_playout_plan *g, uint32_t at, uint32_t first, uint32_t last)
{
    const fz_program *p = g->p;
    const fz_code *code = p->code + at;
    int64_t jump = fzi_opcode_jump(code);
    const fz_choice *c = makes_move(FZ_CODE_OP(*code)) ? &p->choices[code[1]] : NULL;
    int64_t judge = FZ_CODE_OP(*code) == FZ_OP_FILTER_BEGIN ? p->filters[code[1]].code : jump;
    bool jumps = (jump >= first && jump <= last) || (judge >= first && judge <= last);
    for (uint32_t i = 0; c && i < c->options; i++) {
        uint32_t effect = p->options[c->first_option + i].effect;
        jumps = jumps || (effect >= first && effect <= last);
    }
    return jumps;
}

bool fzi_plan_writes(const fzi_playout_plan *g, uint32_t at, unsigned reg)
{
    const fz_program *p = g->p;
    const fz_code *code = p->code + at;
    const fz_choice *c = makes_move(FZ_CODE_OP(*code)) ? &p->choices[code[1]] : NULL;
    fzi_live read = {0}, written = {0};
    fzi_live_uses(p, at, &read, &written);
    for (uint32_t i = 0; c && i < c->options; i++)
        fzi_live_add(&written, false, p->options[c->first_option + i].first,
                     p->options[c->first_option + i].bindings);
    return fzi_live_int(&written, reg);
}

/* Is it the end of a loop that contains the place? */
static bool ends_loop(const fzi_playout_plan *g, const fz_function *f, uint32_t at, uint32_t place)
{
    return place <= at && fzi_plan_jumps(g, at, f->start, place);
}

/* Is the instruction inside a loop of its function? */
static bool in_loop(const fzi_playout_plan *g, const fz_function *f, uint32_t place)
{
    bool in = false;
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        in = in || ends_loop(g, f, at, place);
    return in;
}

/* ---- which programs ---- */

bool fzi_plan_filtered(const fz_program *p, uint32_t choice)
{
    return p->choices[choice].filtered;
}

bool fzi_plan_can(const fz_program *p, uint32_t choice)
{
    return FZ_CODE_OP(p->code[p->choices[choice].start]) == FZ_OP_CAN;
}

/* All filters are tried by playing the move. A function that may call itself has no place for what
 * tries keep. */
static bool tries_in_place(const fzi_playout_plan *g, uint32_t choice)
{
    const fz_program *p = g->p;
    const fz_choice *c = &p->choices[choice];
    bool good = c->at_once && !(g->seen[c->function] & CIRCLE);
    for (uint32_t i = c->first_option; i < c->first_option + c->options; i++)
        good = good && (!p->options[i].filters || p->options[i].at_once);
    return good;
}

bool fzi_plan_repeats(unsigned op)
{
    return op == FZ_OP_REPETITIONS || op == FZ_OP_BOARD_REPETITIONS ||
           op == FZ_OP_REPETITIONS_SINCE;
}

bool fzi_plan_changes_board(unsigned op)
{
    switch (op) {
    case FZ_OP_PUT: case FZ_OP_PUT1: case FZ_OP_PUT1_GIVEN: case FZ_OP_TAKE: case FZ_OP_TAKE1:
    case FZ_OP_MOVE: case FZ_OP_SWAP: case FZ_OP_BECOME: case FZ_OP_GIVE:
        return true;
    default:
        return fzi_opcode_is(op, FZ_FLAG_STACKS) && fzi_opcode_is(op, FZ_FLAG_WRITE);
    }
}

static void look_at(fzi_playout_plan *g, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    switch (FZ_CODE_OP(*code)) {
    case FZ_OP_GROUP: case FZ_OP_END_GROUP: case FZ_OP_CHECK_BOUND: case FZ_OP_NATIVE:
        g->fits = false;
        break;
    case FZ_OP_DECIDE:
        g->tries = g->tries || fzi_plan_filtered(g->p, code[1]);
        break;
    default:
        if (fzi_plan_repeats(FZ_CODE_OP(*code)) ||
            fzi_opcode_is(FZ_CODE_OP(*code), FZ_FLAG_STACKS))
            g->copies = false;
        break;
    }
}

/* The functions that are being visited and lead to this one lead to themselves. */
static void close_circle(fzi_playout_plan *g, uint32_t function)
{
    g->recurses = true;
    for (uint32_t i = 0; i < g->p->function_count; i++)
        if (g->seen[i] & OPEN && g->order[i] >= g->order[function])
            g->seen[i] |= CIRCLE;
}

static void visit_callee(fzi_playout_plan *g, uint32_t function, uint32_t callee)
{
    if (g->seen[callee] & OPEN) {
        g->writes[function] = 1;
        g->callers[callee]++;
        close_circle(g, callee);
        return;
    }
    fzi_plan_visit(g, (int32_t)callee);
    g->size[function] += g->size[callee];
    g->writes[function] |= g->writes[callee];
    if (g->depth[callee] + 1 > g->depth[function])
        g->depth[function] = g->depth[callee] + 1;
}

void fzi_plan_visit(fzi_playout_plan *g, int32_t function)
{
    if (function < 0 || !g->fits)
        return;
    g->callers[function]++;
    if (g->seen[function])
        return;
    const fz_function *f = &g->p->functions[function];
    g->seen[function] = SEEN | OPEN;
    g->order[function] = g->visits++;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        unsigned op = FZ_CODE_OP(g->p->code[at]);
        uint32_t own = op == FZ_OP_DECIDE;
        look_at(g, at);
        g->size[function]++;
        g->instructions++;
        g->writes[function] |= fzi_plan_changes_board(op);
        if (fzi_opcode_is(op, FZ_FLAG_CALLS)) {
            visit_callee(g, (uint32_t)function, g->p->code[at + 1]);
            own = g->decisions[g->p->code[at + 1]];
        }
        g->decisions[function] += own && in_loop(g, f, at) ? FZ_MOST_DECISIONS : own;
    }
    if (g->seen[function] & CIRCLE && g->decisions[function])
        g->decisions[function] = FZ_MOST_DECISIONS;
    g->seen[function] &= (uint8_t)~OPEN;
}

bool fzi_plan_circle(const fzi_playout_plan *g, uint32_t function)
{
    return g->seen[function] & CIRCLE;
}

/* A tail call inside a circle would be a call of C that does not end before the circle does; only
 * that of a function by itself is a jump. */
static bool circles_end(const fzi_playout_plan *g, uint32_t function)
{
    FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[function]) {
        uint32_t callee = g->p->code[at + 1];
        if (FZ_CODE_OP(g->p->code[at]) == FZ_OP_TAILCALL && callee != function &&
            fzi_plan_circle(g, function) && fzi_plan_circle(g, callee))
            return false;
    }
    return true;
}

bool fzi_plan_fits(const fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    bool fits = g->fits;
    for (uint32_t i = 0; fits && i < p->function_count; i++)
        fits = !g->seen[i] || circles_end(g, i);
    for (uint32_t i = 0; fits && i < p->choice_count; i++)
        fits = !g->seen[p->choices[i].function] || !fzi_plan_filtered(p, i) || tries_in_place(g, i);
    return fits;
}

/* ---- budgets ---- */

enum {
    MOST_RUNS = 1 << 20, /* of an instruction, that are counted */
    MOST_COST = 5000     /* of a turn: the usual limit is 10,000 for each turn without a decision */
};

/* The instruction's share of the budget (SPEND), without what it calls. */
static uint32_t cost_of(const fzi_playout_plan *g, uint32_t at)
{
    const fz_program *p = g->p;
    const fz_code *code = p->code + at;
    switch (FZ_CODE_OP(*code)) {
    case FZ_OP_CHOOSE:
        return 8;
    case FZ_OP_CALL: case FZ_OP_TAILCALL:
        return 4;
    case FZ_OP_COVERS:
        return p->set_tables[code[1]].rows / 16;
    case FZ_OP_FILL: case FZ_OP_MFILL: case FZ_OP_SFILL:
        return p->variables[code[1]].length / 16;
    case FZ_OP_FLOOD: case FZ_OP_CONNECTED:
        return p->board.site_count / 16;
    case FZ_OP_EACH_ON: case FZ_OP_COUNT_UP: /* a jump back spends what it jumps over */
        return at + 1 - code[1];
    default:
        return 0;
    }
}

/* Is the loop entered once from what surrounds it? No jump from behind it leads into it, and none
 * of its own to before it, so it lies inside of the loops that contain a part of it. */
static bool is_nested(const fzi_playout_plan *g, const fz_function *f, uint32_t end)
{
    uint32_t first = g->p->code[end + 1];
    bool nested = true;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        if (at > end && first < end)
            nested = nested && !fzi_plan_jumps(g, at, first + 1, end);
        else if (at >= first && first > f->start)
            nested = nested && !fzi_plan_jumps(g, at, f->start, first - 1);
    }
    return nested;
}

/* Do INT instructions alone give the register its value? `end` is that of a loop that may count it
 * up, but not set it; 0: nothing may. `least` and `greatest` are the values. */
static bool constants_of(const fzi_playout_plan *g, const fz_function *f, uint32_t end,
                         unsigned reg, int32_t *least, int32_t *greatest)
{
    *least = INT32_MAX;
    *greatest = INT32_MIN;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        const fz_code *code = g->p->code + at;
        if (!fzi_plan_writes(g, at, reg) || (end && FZ_CODE_OP(*code) == FZ_OP_COUNT_UP))
            continue;
        if (FZ_CODE_OP(*code) != FZ_OP_INT || (end && at >= g->p->code[end + 1] && at < end))
            return false;
        *least = (int32_t)code[1] < *least ? (int32_t)code[1] : *least;
        *greatest = (int32_t)code[1] > *greatest ? (int32_t)code[1] : *greatest;
    }
    return reg >= f->int_params;
}

/* The rounds of a loop that counts up, whose counter is set to constants before it. */
static uint32_t most_counted(const fzi_playout_plan *g, const fz_function *f, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    int32_t from, to, unused;
    if (!constants_of(g, f, at, FZ_CODE_A(*code), &from, &unused) ||
        !constants_of(g, f, 0, FZ_CODE_B(*code), &unused, &to) ||
        (int64_t)to - from >= MOST_RUNS)
        return UINT32_MAX;
    return to < from ? 1 : (uint32_t)(to - from) + 1;
}

/* Is the set of a loop only taken from inside of it? */
static bool only_shrinks(const fzi_playout_plan *g, const fz_function *f, uint32_t end)
{
    unsigned reg = FZ_CODE_B(g->p->code[end]);
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        unsigned op = FZ_CODE_OP(g->p->code[at]);
        fzi_live read = {0}, written = {0};
        fzi_live_uses(g->p, at, &read, &written);
        if (at >= g->p->code[end + 1] && at < end && fzi_live_set(&written, reg) &&
            op != FZ_OP_EACH && op != FZ_OP_EACH_ON)
            return false;
    }
    return true;
}

/* How often an instruction that jumps back may do so, at most; UINT32_MAX: nobody knows. */
static uint32_t most_rounds(const fzi_playout_plan *g, const fz_function *f, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    if ((op != FZ_OP_EACH_ON && op != FZ_OP_COUNT_UP) || !is_nested(g, f, at))
        return UINT32_MAX;
    return op == FZ_OP_COUNT_UP ? most_counted(g, f, at)
           : only_shrinks(g, f, at) ? g->p->board.site_count : UINT32_MAX;
}

/* How often the instruction runs in a call of its function, at most; MOST_RUNS: as often or more.
 */
static uint64_t most_runs(const fzi_playout_plan *g, const fz_function *f, uint32_t place)
{
    uint64_t runs = FZ_CODE_OP(g->p->code[place]) == FZ_OP_WALK ? MOST_RUNS : 1;
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (runs < MOST_RUNS && ends_loop(g, f, at, place))
            runs *= 1 + (uint64_t)most_rounds(g, f, at);
    return runs < MOST_RUNS ? runs : MOST_RUNS;
}

/* The instructions of a call, with what it calls, whose costs are known already. */
static uint32_t most_instructions(const fzi_playout_plan *g, uint32_t function)
{
    const fz_function *f = &g->p->functions[function];
    uint64_t sum = 0;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        const fz_code *code = g->p->code + at;
        uint64_t calls = fzi_opcode_is(FZ_CODE_OP(*code), FZ_FLAG_CALLS) ? g->runs[code[1]] : 0;
        sum += most_runs(g, f, at) * (1 + calls);
    }
    return sum < MOST_RUNS && !fzi_plan_circle(g, function) ? (uint32_t)sum : MOST_RUNS;
}

void fzi_plan_cost(fzi_playout_plan *g)
{
    const fz_program *p = g->p;
    const int32_t entry[] = {p->setup, p->turn, p->end, p->limit};
    uint32_t most = 0;
    uint64_t instructions = g->tries || g->loops ? MOST_RUNS : 0;
    for (uint32_t depth = 0; depth <= g->most_depth && instructions < MOST_RUNS; depth++)
        for (uint32_t i = 0; i < p->function_count; i++)
            if (g->seen[i] && g->depth[i] == depth)
                g->runs[i] = most_instructions(g, i);
    for (uint32_t i = 0; i < p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(at, p, &p->functions[i])
            most = g->seen[i] && cost_of(g, at) > most ? cost_of(g, at) : most;
    for (unsigned i = 0; i < sizeof entry / sizeof *entry; i++)
        instructions += entry[i] >= 0 ? g->runs[entry[i]] : 0;
    uint64_t cost = instructions * most + 1;
    g->cost = instructions < MOST_RUNS && cost < MOST_COST ? (uint32_t)cost : 0;
}

/* ---- results ---- */

bool fzi_plan_result(const fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    return op == FZ_OP_WIN || op == FZ_OP_DRAW || (op == FZ_OP_LOSE && g->p->player_count <= 2);
}

uint32_t fzi_plan_results(const fzi_playout_plan *g, uint32_t place)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[i])
            count += at < place && fzi_plan_result(g, at);
    return count;
}

/* ---- choices without a list ---- */

bool fzi_plan_phase(const fz_program *p, uint32_t function)
{
    int32_t n = (int32_t)function;
    return n == p->setup || n == p->turn || n == p->end || n == p->limit;
}

uint32_t fzi_plan_decide(const fzi_playout_plan *g, uint32_t choice)
{
    const fz_function *f = &g->p->functions[g->p->choices[choice].function];
    uint32_t found = f->end;
    FZI_FOR_INSTRUCTIONS(at, g->p, f)
        if (FZ_CODE_OP(g->p->code[at]) == FZ_OP_DECIDE && g->p->code[at + 1] == choice)
            found = at;
    return found;
}

/* The choice whose moves an instruction lists; UINT32_MAX: none. */
uint32_t fzi_plan_lists_for(const fzi_playout_plan *g, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    bool lists = *fzi_opcode_extension(FZ_CODE_OP(*code)) == 'O';
    return lists ? g->p->options[code[1]].choice : UINT32_MAX;
}

bool fzi_plan_is_entered(const fzi_playout_plan *g, uint32_t from, uint32_t to)
{
    bool entered = false;
    FZI_FOR_INSTRUCTIONS(at, g->p, fzi_program_function_at(g->p, to))
        entered = entered || fzi_plan_jumps(g, at, from + 1, to);
    return entered;
}

uint32_t fzi_plan_before(const fzi_playout_plan *g, uint32_t place)
{
    const fz_function *f = fzi_program_function_at(g->p, place);
    uint32_t before = UINT32_MAX;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        if (at == place)
            break;
        before = at;
    }
    return before != UINT32_MAX && fzi_plan_is_entered(g, before, place) ? UINT32_MAX : before;
}

/* The value of an integer register at an instruction, where the compiler can tell it: of `me` in
 * the function of a phase, or of a constant just before. */
static bool known(const fzi_playout_plan *g, uint32_t place, unsigned reg, int64_t me,
                  int64_t *value)
{
    const fz_function *f = fzi_program_function_at(g->p, place);
    uint32_t number = (uint32_t)(f - g->p->functions), last = UINT32_MAX;
    bool written = false;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        if (!fzi_plan_writes(g, at, reg))
            continue;
        written = true;
        if (at < place)
            last = at;
    }
    *value = me;
    if (!written)
        return reg == 0 && f->int_params && fzi_plan_phase(g->p, number);
    if (last == UINT32_MAX || FZ_CODE_OP(g->p->code[last]) != FZ_OP_INT ||
        fzi_plan_is_entered(g, last, place))
        return false;
    *value = (int32_t)g->p->code[last + 1];
    return true;
}

bool fzi_plan_me(const fzi_playout_plan *g, uint32_t place)
{
    int64_t first = 0, second = 0;
    return known(g, place, 0, 0, &first) && known(g, place, 0, 1, &second) && first != second;
}

/* How many texts an instruction has that depends on `me`: one for each player where register 0 is
 * `me`. */
unsigned fzi_plan_texts(const fzi_playout_plan *g, uint32_t place)
{
    return fzi_plan_me(g, place) ? g->p->player_count : 1;
}

/* Do the steps of the instruction stand in the program, for every player? */
bool fzi_plan_known_steps(const fzi_playout_plan *g, uint32_t at)
{
    const fz_code *code = g->p->code + at;
    int64_t row;
    unsigned texts = fzi_plan_texts(g, at);
    for (unsigned q = 0; q < texts; q++)
        if (!known(g, at, FZ_CODE_C(*code), q, &row) || row < 0 ||
            (uint64_t)row * FZ_SHAPE_STEPS >= g->p->set_tables[code[3]].rows)
            return false;
    return texts <= FZ_MOST_COPIES;
}

bool fzi_plan_shifts(unsigned op)
{
    return op == FZ_OP_EMIT_SHIFTS || op == FZ_OP_ALSO_SHIFTS;
}

/* The place of the next instruction if it adds to the same moves; else the end of the function. */
uint32_t fzi_plan_also(const fzi_playout_plan *g, const fz_function *f, uint32_t place)
{
    bool passed = false;
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        if (passed && fzi_plan_shifts(FZ_CODE_OP(g->p->code[at])))
            return FZ_CODE_OP(g->p->code[at]) == FZ_OP_ALSO_SHIFTS ? at : f->end;
        passed = passed || at == place;
    }
    return f->end;
}

/* The same for every step: whether all that add to the same moves have steps that are known. */
bool fzi_plan_known_moves(const fzi_playout_plan *g, const fz_function *f, uint32_t place)
{
    for (uint32_t at = place; at < f->end; at = fzi_plan_also(g, f, at))
        if (!fzi_plan_known_steps(g, at) || in_loop(g, f, at))
            return false;
    return true;
}

unsigned fzi_plan_own_bindings(unsigned op)
{
    return op == FZ_OP_EMIT ? 0 : op == FZ_OP_EMIT_SET || op == FZ_OP_EMIT_MASK ? 1 : 2;
}

bool fzi_plan_rows(unsigned op)
{
    return op == FZ_OP_EMIT_ROWS || op == FZ_OP_EMIT_SLIDES;
}

enum { MOST_WORDS = 4096 }; /* of the locals of an instruction */

/* Rows of a function that may call itself would be many at a time. */
static bool has_room(const fzi_playout_plan *g, uint32_t function, unsigned op)
{
    const fz_board *b = &g->p->board;
    return !fzi_plan_rows(op) ||
           (b->site_count * (b->words + 1u) <= MOST_WORDS && !fzi_plan_circle(g, function));
}

/* Does it run at most once, so that locals can hold its moves? A question only wants to know
 * whether there is a move, but its filters try those of a list. */
static bool is_loose(const fzi_playout_plan *g, const fz_function *f, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    uint32_t choice = fzi_plan_lists_for(g, at);
    if (fzi_plan_can(g->p, choice))
        return !fzi_plan_filtered(g->p, choice);
    if (op == FZ_OP_EMIT_SHIFTS && fzi_plan_also(g, f, at) < f->end)
        return fzi_plan_known_moves(g, f, at);
    return !in_loop(g, f, at) && has_room(g, g->p->choices[choice].function, op);
}

void fzi_plan_find_loose(fzi_playout_plan *g, uint32_t function)
{
    const fz_function *f = &g->p->functions[function];
    uint8_t first = 0; /* ALSO_SHIFTS is as the EMIT_SHIFTS that it adds to */
    FZI_FOR_INSTRUCTIONS(at, g->p, f) {
        unsigned op = FZ_CODE_OP(g->p->code[at]);
        uint32_t choice = fzi_plan_lists_for(g, at);
        if (choice == UINT32_MAX)
            continue;
        bool same = op == FZ_OP_ALSO_SHIFTS && !fzi_plan_can(g->p, choice);
        g->loose[at] = same ? first : is_loose(g, f, at);
        first = g->loose[at];
        if (!g->loose[at])
            g->lists[choice] = 1;
    }
}

bool fzi_plan_loose(const fzi_playout_plan *g, uint32_t at)
{
    return g->loose[at];
}

bool fzi_plan_counts(const fzi_playout_plan *g, uint32_t at, uint32_t choice)
{
    return g->loose[at] && fzi_plan_lists_for(g, at) == choice &&
           FZ_CODE_OP(g->p->code[at]) != FZ_OP_ALSO_SHIFTS;
}

/* Cannot fail, so nobody asks for its place. */
static bool is_plain(unsigned op)
{
    return op == FZ_OP_PEND || op == FZ_OP_FILTER_BEGIN || op == FZ_OP_SET_LAST_MOVE ||
           op == FZ_OP_MOVE || op == FZ_OP_JUMP;
}

static bool same_effect(const fz_program *p, const fz_option_info *a, const fz_option_info *b)
{
    if (a->first != b->first || a->bindings != b->bindings || a->filters != b->filters)
        return false;
    for (uint32_t i = 0;;) {
        const fz_code *one = p->code + a->effect + i, *other = p->code + b->effect + i;
        unsigned op = FZ_CODE_OP(*one), length = fzi_opcode_length(op);
        if (op != FZ_CODE_OP(*other) || !is_plain(op) ||
            memcmp(one, other, length * sizeof *one) != 0)
            return false;
        if (op == FZ_OP_JUMP)
            return true;
        i += length;
    }
}

uint32_t fzi_plan_effect(const fzi_playout_plan *g, uint32_t option)
{
    const fz_option_info *o = &g->p->options[option];
    for (uint32_t i = g->p->choices[o->choice].first_option; i < option; i++)
        if (same_effect(g->p, &g->p->options[i], o))
            return g->p->options[i].effect;
    return o->effect;
}

uint32_t fzi_plan_leader(const fzi_playout_plan *g, uint32_t place)
{
    const fz_program *p = g->p;
    uint32_t choice = fzi_plan_lists_for(g, place), leader = UINT32_MAX, effect = 0, joined = 0;
    uint32_t most = MOST_WORDS / (p->board.site_count * (p->board.words + 1u));
    FZI_FOR_INSTRUCTIONS(at, p, fzi_program_function_at(p, place)) {
        if (!fzi_plan_counts(g, at, choice))
            continue;
        uint32_t option = p->code[at + 1], own = fzi_plan_effect(g, option);
        bool rows = fzi_plan_rows(FZ_CODE_OP(p->code[at]));
        if (leader == UINT32_MAX || !rows || own != effect || joined >= most ||
            p->options[option].bindings != 2) {
            leader = rows ? at : UINT32_MAX;
            effect = own;
            joined = 0;
        }
        joined++;
        if (at == place)
            break;
    }
    return leader;
}

/* What begins the run of an instruction. */
static uint32_t run_of(const fzi_playout_plan *g, uint32_t place)
{
    uint32_t choice = fzi_plan_lists_for(g, place), first = UINT32_MAX, last = UINT32_MAX;
    bool listed = false;
    FZI_FOR_INSTRUCTIONS(at, g->p, fzi_program_function_at(g->p, place)) {
        listed |= fzi_plan_lists_for(g, at) == choice && !fzi_plan_loose(g, at);
        if (at > place || !fzi_plan_counts(g, at, choice))
            continue;
        if (first == UINT32_MAX || listed || fzi_plan_is_entered(g, last, at))
            first = at;
        last = at;
        listed = false;
    }
    return first;
}

bool fzi_plan_leads_run(const fzi_playout_plan *g, uint32_t at)
{
    return run_of(g, at) == at;
}

uint32_t fzi_plan_rows_of(const fzi_playout_plan *g, uint32_t place)
{
    uint32_t run = run_of(g, place), leader = fzi_plan_leader(g, place);
    return run > leader ? run : leader;
}

bool fzi_plan_leads_rows(const fzi_playout_plan *g, uint32_t at)
{
    return fzi_plan_leader(g, at) != UINT32_MAX && fzi_plan_rows_of(g, at) == at;
}

bool fzi_plan_needs_list(const fzi_playout_plan *g, uint32_t choice)
{
    return g->lists[choice];
}

/* The most moves of the instruction. */
uint32_t fzi_plan_most_moves(const fzi_playout_plan *g, uint32_t at)
{
    unsigned op = FZ_CODE_OP(g->p->code[at]);
    uint32_t sites = g->p->board.site_count;
    return op == FZ_OP_EMIT ? 1 : op == FZ_OP_EMIT_MASK ? 64
           : op == FZ_OP_EMIT_SET ? sites
           : fzi_plan_rows(op) ? sites * sites : sites * FZ_SHAPE_STEPS;
}

/* The steps of a shape for a player: how many there are; what they add, and where their sets of
 * sites stand in the table. */
unsigned fzi_plan_steps(const fzi_playout_plan *g, uint32_t at, unsigned player,
                        const int32_t **deltas, uint32_t *first)
{
    const fz_program *p = g->p;
    const fz_code *code = p->code + at;
    unsigned words = p->board.words, count = 0;
    int64_t row = 0;
    known(g, at, FZ_CODE_C(*code), player, &row);
    *deltas = p->int_pool + p->int_tables[code[2]].first + row * FZ_SHAPE_STEPS;
    *first = p->set_tables[code[3]].first + (uint32_t)row * FZ_SHAPE_STEPS * words;
    for (; count < FZ_SHAPE_STEPS; count++) {
        uint64_t any = 0;
        for (unsigned i = 0; i < words; i++)
            any |= p->set_pool[*first + count * words + i];
        if (!any)
            break;
    }
    return count;
}

/* ---- what `end` changes ---- */

/* Marks what may run after the instruction, without the effects of moves that are tried. */
static void mark_next(const fzi_playout_plan *g, uint32_t at, uint8_t *runs)
{
    const fz_code *code = g->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    const char *more = fzi_opcode_extension(op);
    for (unsigned i = 0; more[i]; i++)
        if (more[i] == 'J')
            runs[code[1 + i]] = 1;
    if (fzi_opcode_is(op, FZ_FLAG_CALLS))
        runs[g->p->functions[code[1]].start] = 1;
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS))
        runs[at + fzi_opcode_length(op)] = 1;
}

/* May a move that is tried in `end` count positions? What `turn` does itself is not tried there. */
static bool counts_in_tries(const fzi_playout_plan *g, const uint8_t *runs)
{
    bool counts = false;
    for (uint32_t i = 0; i < g->p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(at, g->p, &g->p->functions[i])
            counts = counts || (g->seen[i] && (int32_t)i != g->p->turn && !runs[at] &&
                                fzi_plan_repeats(FZ_CODE_OP(g->p->code[at])));
    return counts;
}

bool fzi_plan_still(const fzi_playout_plan *g, uint8_t *runs)
{
    const fz_program *p = g->p;
    bool still = true;
    uint32_t count = 1;
    if (p->end >= 0)
        runs[p->functions[p->end].start] = 1;
    for (uint32_t before = 0; count != before;) {
        before = count;
        count = 0;
        for (uint32_t i = 0; i < p->function_count; i++)
            FZI_FOR_INSTRUCTIONS(at, p, &p->functions[i]) {
                unsigned op = FZ_CODE_OP(p->code[at]);
                if (!runs[at])
                    continue;
                count++;
                mark_next(g, at, runs);
                still = still && (!fzi_opcode_is(op, FZ_FLAG_WRITE | FZ_FLAG_CHANCE) ||
                                  op == FZ_OP_PHANTOM || op == FZ_OP_UNPHANTOM) &&
                        op != FZ_OP_DECIDE && op != FZ_OP_NATIVE;
            }
    }
    return still && !counts_in_tries(g, runs);
}
