/* Verifies the code of a program for verify.c: instructions and operands, choices, options,
 * registers. */
#include "data_flow.h"
#include "values.h"
#include "verify.h"
#include "verify_parts.h"

/* ---- code ---- */

static void find_instructions(fzi_verifier *c, uint32_t function)
{
    const fz_program *p = c->p;
    const fz_function *f = &p->functions[function];
    uint32_t at = f->start, last = at;
    while (at < f->end) {
        unsigned op = FZ_CODE_OP(p->code[at]);
        fzi_want(c, op < FZ_OP_COUNT && op != FZ_OP_TRACE && !c->owner[at], "instruction at", at);
        c->owner[at] = function + 1;
        last = at;
        at += fzi_opcode_length(op);
    }
    fzi_want(c, at == f->end && fzi_opcode_is(FZ_CODE_OP(p->code[last]), FZ_FLAG_ENDS),
             "end of function", function);
}

static bool begins(const fzi_verifier *c, uint32_t at, uint32_t function)
{
    return at < c->p->code_length && c->owner[at] == function + 1;
}

static void operand(fzi_verifier *c, char letter, unsigned value, const fz_function *f, uint32_t at)
{
    switch (letter) {
    case 'I': case 'i':
    case 'm': fzi_want(c, value < f->ints, "register at", at); break;
    case 'S': case 's':
    case 'w': fzi_want(c, value < f->sets, "register at", at); break;
    case 'U':
        break;
    default: fzi_want(c, !value, "operand at", at); break;
    }
}

static void bytes(fzi_verifier *c, unsigned op, fz_code word, const fz_function *f, uint32_t at)
{
    const char *letters = fzi_opcode_bytes(op);
    for (unsigned i = 0; i < 4; i++)
        if (letters[i] != '_')
            operand(c, letters[i], word >> (8 * i) & 0xff, f, at);
}

static uint32_t function_of_filter(const fz_program *p, uint32_t filter)
{
    return p->choices[p->filters[filter].choice].function;
}

static void extension(fzi_verifier *c, char letter, uint32_t function, unsigned op, fz_code word,
                      uint32_t at)
{
    const fz_program *p = c->p;
    bool good = true;
    switch (letter) {
    case 'J':
        good = begins(c, word, function);
        if (op == FZ_OP_COUNT_UP || op == FZ_OP_EACH_ON || op == FZ_OP_MEACH_ON)
            good = good && word <= at;
        else if (op != FZ_OP_JUMP && op != FZ_OP_RANDOM_WEIGHED)
            good = good && word > at;
        break;
    case 'V': good = word < p->int_table_count; break;
    case 'T': good = word < p->set_table_count; break;
    case 'A': good = word < p->variable_count; break;
    case 'F': good = word < p->function_count; break;
    case 'C': good = word < p->choice_count && p->choices[word].function == function; break;
    case 'O': good = word < p->option_count &&
                     p->choices[p->options[word].choice].function == function; break;
    case 'L': good = word < p->filter_count && function_of_filter(p, word) == function; break;
    case 'D': good = word < p->die_count; break;
    case 'X': fzi_want_line(c, word, fzi_in_quotes, "text at", at); break;
    case 'Y': good = word < p->type_count; break;
    case 'N': good = word < p->native_count; break;
    case '4': bytes(c, op, word, &p->functions[function], at); break;
    default: break; /* K: below */
    }
    fzi_want(c, good, "instruction at", at);
}

static void check_call(fzi_verifier *c, const fz_function *f, fz_code word, uint32_t at)
{
    const fz_function *to = &c->p->functions[c->p->code[at + 1]];
    bool tail = FZ_CODE_OP(word) == FZ_OP_TAILCALL;
    fzi_want(c, FZ_CODE_A(word) + to->int_params <= f->ints || !to->int_params, "call at", at);
    fzi_want(c, FZ_CODE_B(word) + to->set_params <= f->sets || !to->set_params, "call at", at);
    if (tail) /* its result goes where this function's would have gone */
        fzi_want(c, !to->result || to->result == f->result, "call at", at);
    else if (to->result)
        fzi_want(c, FZ_CODE_C(word) < (to->result == 1 ? f->ints : f->sets), "call at", at);
}

static void check_variable_use(fzi_verifier *c, unsigned op, const fz_variable *v, uint32_t at)
{
    bool good, wide = fzi_variable_is_wide(c->p, v);
    switch (op) {
    case FZ_OP_SUM_OF: case FZ_OP_SABOVE:
        good = !v->is_set && !wide && v->length >= c->p->board.site_count;
        break;
    case FZ_OP_LOAD: case FZ_OP_LOADX: case FZ_OP_STORE: case FZ_OP_STOREX:
        good = !v->is_set && !wide;
        break;
    case FZ_OP_FILL:
        good = (!v->is_set && !wide) || v->is_bits;
        break;
    case FZ_OP_MLOAD: case FZ_OP_MLOADX: case FZ_OP_MSTORE: case FZ_OP_MSTOREX: case FZ_OP_MFILL:
        good = wide;
        break;
    case FZ_OP_BITLOAD: case FZ_OP_BITSTORE: case FZ_OP_SLOAD: case FZ_OP_SSTORE:
        good = v->is_set;
        break;
    default:
        good = v->is_set && !v->is_bits;
        break;
    }
    fzi_want(c, good, "variable at", at);
}

/* Every step stays on the board, and those of a shape ascend. */
static bool is_shape(const fz_program *p, uint32_t ints, uint32_t sets)
{
    const fz_int_table *deltas = &p->int_tables[ints];
    const fz_set_table *valid = &p->set_tables[sets];
    unsigned words = p->board.words;
    if (deltas->length != valid->rows || deltas->length % FZ_SHAPE_STEPS)
        return false;
    for (uint32_t i = 0; i < valid->rows; i++) {
        const uint64_t *row = p->set_pool + valid->first + i * words;
        int64_t delta = p->int_pool[deltas->first + i];
        bool first = i % FZ_SHAPE_STEPS == 0;
        for (int64_t s = 0; s < p->board.site_count; s++) {
            bool has = row[s / 64] >> s % 64 & 1;
            if (has && (s + delta < 0 || s + delta >= p->board.site_count ||
                        (!first && delta <= p->int_pool[deltas->first + i - 1])))
                return false;
        }
        if (delta <= -FZ_MAX_SITES || delta >= FZ_MAX_SITES)
            return false;
    }
    return true;
}

/* For each axis what it adds to a site's number, then a row for each site. */
static bool is_windows(const fz_program *p, int32_t n, uint32_t table)
{
    const fz_set_table *t = &p->set_tables[table];
    unsigned words = p->board.words, rows = p->board.site_count + 1u;
    if (n < 2 || t->rows % rows)
        return false;
    for (uint32_t axis = 0; axis < t->rows; axis += rows) {
        const uint64_t *delta = p->set_pool + t->first + (size_t)axis * words;
        if (*delta >= p->board.site_count)
            return false;
        for (unsigned i = 1; i < words; i++)
            if (delta[i])
                return false;
    }
    return true;
}

/* Checks operands that the letters of opcodes.def do not describe. */
static void check_special(fzi_verifier *c, const fz_function *f, uint32_t at)
{
    const fz_program *p = c->p;
    const fz_code *code = p->code + at;
    unsigned op = FZ_CODE_OP(*code), x = FZ_CODE_A(*code), y = FZ_CODE_B(*code),
             z = FZ_CODE_C(*code);
    bool good = true;
    switch (op) {
    case FZ_OP_SROW: good = code[2] < p->set_tables[code[1]].rows; break;
    case FZ_OP_TABLE2: case FZ_OP_STABLE2: case FZ_OP_MTABLE2: case FZ_OP_SUNION_ROWS:
        good = (int32_t)code[2] > 0;
        break;
    case FZ_OP_INDEX: case FZ_OP_CYCLE: good = (int32_t)code[1] > 0; break;
    case FZ_OP_MTURN: good = (int32_t)code[1] > 0 && code[1] <= 64; break;
    case FZ_OP_CALL: case FZ_OP_TAILCALL: check_call(c, f, *code, at); break;
    case FZ_OP_IRETURN: good = f->result == 1; break;
    case FZ_OP_SRETURN: good = f->result == 2; break;
    case FZ_OP_NATIVE:
        good = (!p->natives[code[1]].int_params || y + p->natives[code[1]].int_params <= f->ints) &&
               (!p->natives[code[1]].set_params || z + p->natives[code[1]].set_params <= f->sets);
        break;
    case FZ_OP_OF_GIVEN: case FZ_OP_PUT1_GIVEN: good = y < p->kind_count; break;
    case FZ_OP_SHIFT_GIVEN: good = z < p->board.dir_count; break;
    case FZ_OP_RANK: good = x <= FZ_MAX_KEYS; break;
    case FZ_OP_CHOOSE: case FZ_OP_CAN: good = p->choices[code[1]].start == at; break;
    case FZ_OP_DECIDE:
        good = FZ_CODE_OP(p->code[p->choices[code[1]].start]) == FZ_OP_CHOOSE;
        break;
    case FZ_OP_CAN_TEST:
        good = FZ_CODE_OP(p->code[p->choices[code[1]].start]) == FZ_OP_CAN &&
               FZ_CODE_OP(p->code[code[2]]) == FZ_OP_CAN_END && p->code[code[2] + 1] == code[1];
        break;
    case FZ_OP_CAN_END:
        good = FZ_CODE_OP(p->code[p->choices[code[1]].start]) == FZ_OP_CAN;
        break;
    case FZ_OP_GROUP: case FZ_OP_END_GROUP:
        good = p->filters[code[1]].kind != FZ_FILTER_ENSURING;
        break;
    case FZ_OP_EMIT_ROWS:
        good = (int32_t)code[3] > 0 && code[3] <= 1 << 16;
        break;
    case FZ_OP_EMIT_SHIFTS: case FZ_OP_ALSO_SHIFTS:
        good = is_shape(p, code[2], code[3]);
        break;
    case FZ_OP_STEP_BACK: good = is_shape(p, code[1], code[2]); break;
    case FZ_OP_CHECK_BOUND:
        good = p->filters[code[1]].bounded && y == p->filters[code[1]].keys &&
               x + 2 * y <= f->ints;
        break;
    case FZ_OP_LINE_AT_GIVEN: good = is_windows(p, (int32_t)code[1], code[2]); break;
    case FZ_OP_FILTER_END: good = y >= 1 && y <= FZ_MAX_KEYS && x + y <= f->ints; break;
    case FZ_OP_RANDOM_WEIGHED: good = FZ_CODE_OP(p->code[code[2]]) == FZ_OP_WEIGH; break;
    default: break;
    }
    good = good && (p->layout.at || !fzi_needs_at(p, op));
    good = good && (p->layout.stacks || !fzi_opcode_is(op, FZ_FLAG_STACKS));
    if (fzi_opcode_binds(op))
        good = good && p->options[code[1]].bindings >= fzi_opcode_binds(op);
    fzi_want(c, good, "instruction at", at);
}

static void check_code(fzi_verifier *c, uint32_t function)
{
    const fz_program *p = c->p;
    const fz_function *f = &p->functions[function];
    FZI_FOR_INSTRUCTIONS(at, p, f) {
        fz_code word = p->code[at];
        unsigned op = FZ_CODE_OP(word);
        const char *letters = fzi_opcode_operands(op), *more = fzi_opcode_extension(op);
        operand(c, letters[0], FZ_CODE_A(word), f, at);
        operand(c, letters[1], FZ_CODE_B(word), f, at);
        operand(c, letters[2], FZ_CODE_C(word), f, at);
        for (uint32_t i = 0; more[i]; i++) {
            extension(c, more[i], function, op, p->code[at + 1 + i], at);
            if (more[i] == 'A')
                check_variable_use(c, op, &p->variables[p->code[at + 1 + i]], at);
        }
        check_special(c, f, at);
    }
}

/* ---- choices ---- */

static void check_filter_list(fzi_verifier *c, uint32_t first, unsigned count, uint32_t function,
                              const char *what, uint32_t number)
{
    const fz_program *p = c->p;
    fzi_want(c, count <= FZ_MAX_PENDING && fzi_inside(first, count, p->filter_list_length), what,
             number);
    for (unsigned i = 0; i < count; i++)
        fzi_want(c,
                 p->filter_lists[first + i] < p->filter_count &&
                     function_of_filter(p, p->filter_lists[first + i]) == function,
                 what, number);
}

/* The code of a filter judges nothing itself and jumps nowhere but up to its FILTER_END, or judging
 * might never end. */
static bool stays_inside(const fz_program *p, const fz_filter *filter, uint32_t verdict)
{
    FZI_FOR_CODE (at, p, filter->code, verdict) {
        int64_t jump = fzi_opcode_jump(&p->code[at]);
        if (FZ_CODE_OP(p->code[at]) == FZ_OP_FILTER_BEGIN ||
            (jump != FZ_NO_JUMP && (jump < filter->code || jump > verdict)))
            return false;
    }
    return verdict < p->functions[p->choices[filter->choice].function].end;
}

/* The FILTER_END has the filter's keys, and its code says CHECK_BOUND if they are bounded. */
static void check_filter(fzi_verifier *c, uint32_t number)
{
    const fz_program *p = c->p;
    const fz_filter *filter = &p->filters[number];
    fzi_want(c, begins(c, filter->code, function_of_filter(p, number)), "filter", number);
    uint32_t verdict = fzi_filter_verdict(p, number);
    fzi_want(c, stays_inside(p, filter, verdict), "filter", number);
    fzi_want(c, FZ_CODE_B(p->code[verdict]) == filter->keys, "filter", number);
    bool within = false;
    FZI_FOR_CODE (at, p, filter->code, verdict)
        within |= FZ_CODE_OP(p->code[at]) == FZ_OP_CHECK_BOUND && p->code[at + 1] == number;
    fzi_want(c, within == filter->bounded, "filter", number);
}

static void check_choices(fzi_verifier *c)
{
    const fz_program *p = c->p;
    uint64_t options = 0;
    for (uint32_t i = 0; i < p->choice_count; i++) {
        const fz_choice *choice = &p->choices[i];
        for (uint32_t o = 0; o < choice->options; o++)
            fzi_want(c, p->options[choice->first_option + o].choice == i, "choice", i);
        options += choice->options;
        fzi_want(c, begins(c, choice->start, choice->function), "choice", i);
        unsigned op = FZ_CODE_OP(p->code[choice->start]);
        fzi_want(c, fzi_opcode_is(op, FZ_FLAG_OPENS), "choice", i);
        fzi_want(c, p->code[choice->start + 1] == i, "choice", i);
    }
    fzi_want(c, options == p->option_count, "options:", p->option_count);
    for (uint32_t i = 0; i < p->filter_count; i++)
        check_filter(c, i);
    for (uint32_t i = 0; i < p->choice_count; i++) {
        const fz_choice *choice = &p->choices[i];
        check_filter_list(c, choice->filter, choice->filters, choice->function, "choice", i);
    }
}

static void check_options(fzi_verifier *c)
{
    const fz_program *p = c->p;
    for (uint32_t i = 0; i < p->option_count; i++) {
        const fz_option_info *o = &p->options[i];
        uint32_t function = p->choices[o->choice].function;
        fzi_want(c, o->first + o->bindings <= p->functions[function].ints || !o->bindings, "option",
                 i);
        fzi_want(c,
                 begins(c, o->effect, function) && begins(c, o->label, function) &&
                     begins(c, o->shown, function),
                 "option", i);
        check_filter_list(c, o->first_filter, o->filters, function, "option", i);
    }
}

/* Checks that the flags fit the code, and that registers are written before they are read. */
static void check_flow(fzi_verifier *c)
{
    const fz_program *p = c->p;
    bool whole = false, board = false;
    uint32_t at;
    for (uint32_t i = 0; i < p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(code, p, &p->functions[i]) {
            whole |= FZ_CODE_OP(p->code[code]) == FZ_OP_REPETITIONS ||
                     FZ_CODE_OP(p->code[code]) == FZ_OP_REPETITIONS_SINCE;
            board |= FZ_CODE_OP(p->code[code]) == FZ_OP_BOARD_REPETITIONS;
        }
    for (uint32_t i = 0; i < p->line_count; i++) /* traced programs have other instructions there */
        fzi_want(c, c->owner[p->lines[i].code], "line", i);
    fzi_want(c, p->uses_repetitions == whole && p->uses_board_repetitions == board, "repetitions",
             0);
    if (!fzi_registers_assigned(p, c->allocator, &at)) {
        fzi_want(c, at == UINT32_MAX, "a register is read before it is written at", at);
        longjmp(c->give_up, 1); /* memory is short */
    }
}

void fzi_verify_instructions(fzi_verifier *c)
{
    for (uint32_t i = 0; i < c->p->function_count; i++)
        find_instructions(c, i);
}

void fzi_verify_code(fzi_verifier *c)
{
    check_choices(c);
    check_options(c);
    for (uint32_t i = 0; i < c->p->function_count; i++)
        check_code(c, i);
    check_flow(c);
}
