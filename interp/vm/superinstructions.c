#include "superinstructions.h"

#include <string.h>

/* Instructions that follow each other, and what they may be replaced by. */
typedef struct sequence {
    const fz_machine *machine;
    const fz_code *first, *second, *third;
    bool in_turn, in_end;  /* in a function that only its phase begins */
} sequence;

/* ---- what fits ---- */

/* The first writes the register that the second begins with. Of INT and OWNED it is the second's
 * first operand that is read. */
static bool passes(const sequence *s)
{
    unsigned given = FZ_CODE_A(*s->first);
    return given == (FZ_CODE_OP(*s->second) == FZ_OP_OWNED ? FZ_CODE_B(*s->second)
                                                           : FZ_CODE_A(*s->second));
}

static bool compares(const sequence *s)
{
    return FZ_CODE_A(*s->first) == FZ_CODE_B(*s->second) &&
           FZ_CODE_A(*s->first) != FZ_CODE_A(*s->second);
}

static bool names_kind(const sequence *s)
{
    return FZ_CODE_A(*s->first) == FZ_CODE_B(*s->second) &&
           s->first[1] < s->machine->kind_count;
}

static bool ends_turn(const sequence *s)
{
    return s->in_turn;
}

static bool ends_end(const sequence *s)
{
    return s->in_end;
}

static bool keeps_empty(const sequence *s)
{
    return s->machine->layout.empty != 0;
}

static bool tests_empty(const sequence *s)
{
    return keeps_empty(s) && FZ_CODE_A(*s->first) == FZ_CODE_A(*s->second);
}

static bool puts_mark(const sequence *s)
{
    const fz_layout *l = &s->machine->layout;
    return l->empty && !l->kinds && !l->at && !s->machine->carries;
}

static bool marks_last(const sequence *s)
{
    return puts_mark(s) && passes(s);
}

static const fz_code *next(const fz_code *code)
{
    return code + fzi_opcode_length(FZ_CODE_OP(*code));
}

static bool is_return(const fz_code *code)
{
    return FZ_CODE_OP(*code) == FZ_OP_RETURN;
}

static bool marks_at_end(const sequence *s)
{
    return marks_last(s) && s->in_turn && is_return(next(s->third));
}

/* LINE_AT_GIVEN and JFALSE, the first of which may be `third`, look at the set of the OWNED. */
static bool looks_for_line(const sequence *s)
{
    const fz_code *owned = FZ_CODE_OP(*s->first) == FZ_OP_OWNED ? s->first : s->second;
    const fz_code *line = next(owned), *jump = next(line);
    return FZ_CODE_OP(*jump) == FZ_OP_JFALSE && FZ_CODE_A(*jump) == FZ_CODE_A(*line) &&
           FZ_CODE_C(*line) == FZ_CODE_A(*owned);
}

/* The next instruction that does not only compute sets and numbers. */
static const fz_code *next_act(const fz_code *code)
{
    enum { ACTS = FZ_FLAG_FLOW | FZ_FLAG_WRITE | FZ_FLAG_CHANCE | FZ_FLAG_TEXT | FZ_FLAG_OUTSIDE |
                  FZ_FLAG_LIST };
    do
        code = next(code);
    while (!fzi_opcode_is(FZ_CODE_OP(*code), ACTS));
    return code;
}

/* From CHOOSE on: the EMIT_SET, or the EMIT_SHIFTS with its ALSO_SHIFTS, that lists all moves of
 * the choice, if DECIDE comes right behind, and nothing but sets and numbers before; else NULL. */
static const fz_code *only_list(const fz_machine *m, const fz_code *choose)
{
    const fz_code *emit = next_act(choose), *last = emit, *act;
    unsigned op = FZ_CODE_OP(*emit);
    if (op != FZ_OP_EMIT_SET && op != FZ_OP_EMIT_SHIFTS)
        return NULL;
    while (act = next_act(last), op == FZ_OP_EMIT_SHIFTS &&
           FZ_CODE_OP(*act) == FZ_OP_ALSO_SHIFTS && act[1] == emit[1])
        last = act;
    const fzi_loop_option *option = &m->options[emit[1]];
    bool fits = FZ_CODE_OP(*act) == FZ_OP_DECIDE && act[1] == choose[1] && option->plain &&
                act == next(last) &&
                option->choice == choose[1] && (op == FZ_OP_EMIT_SET || option->bindings == 2);
    return fits ? emit : NULL;
}

/* The list that makes CHOOSE of this option's choice needless. */
static const fz_code *list_of(const sequence *s, uint32_t option)
{
    const fz_program *p = s->machine->program;
    const fz_code *choose = p->code + p->choices[p->options[option].choice].start;
    return FZ_CODE_OP(*choose) == FZ_OP_CHOOSE ? only_list(s->machine, choose) : NULL;
}

static bool draws(const sequence *s)
{
    return list_of(s, s->first[1]) == s->first;
}

/* Is the ALSO_SHIFTS one of those? */
static bool draws_steps(const sequence *s)
{
    const fz_code *emit = list_of(s, s->first[1]);
    while (emit && emit != s->first && FZ_CODE_OP(*emit) != FZ_OP_DECIDE)
        emit = next_act(emit);
    return emit == s->first;
}

static bool chooses_once(const sequence *s)
{
    return passes(s) && only_list(s->machine, s->second);
}

/* Is the MOVER the beginning of a turn that draws an empty site and puts the mover's mark there?
 * `noted`: and notes that as the latest move. */
static bool marks_site(const sequence *s, bool noted)
{
    const fz_machine *m = s->machine;
    const fz_code *emit = next(s->third);
    if (!chooses_once(s) || !keeps_empty(s) || only_list(m, s->second) != emit ||
        FZ_CODE_OP(*emit) != FZ_OP_EMIT_SET || FZ_CODE_A(*emit) != FZ_CODE_A(*s->third))
        return false;
    const fzi_loop_option *option = &m->options[emit[1]];
    const fz_program *p = m->program;
    const fz_code *put = p->code + option->effect;
    if (noted) {
        if (FZ_CODE_OP(*put) != FZ_OP_INT)
            return false;
        const fz_code *last = next(put);
        if (FZ_CODE_OP(*last) != FZ_OP_SET_LAST_MOVE ||
            FZ_CODE_A(*last) != FZ_CODE_A(*put) || FZ_CODE_B(*last) != option->last)
            return false;
        put = next(last);
    }
    return FZ_CODE_OP(*put) == FZ_OP_PUT1_GIVEN && puts_mark(s) && s->in_turn &&
           FZ_CODE_A(*put) == option->last && FZ_CODE_C(*put) == 0 &&
           p->functions[p->turn].int_params && is_return(next(put));
}

static bool is_mark_turn(const sequence *s)
{
    return marks_site(s, false);
}

static bool is_last_mark_turn(const sequence *s)
{
    return marks_site(s, true);
}

/* The steps of an option in a list; not of one that an ALSO_SHIFTS adds to. */
static bool lists(const sequence *s)
{
    return FZ_CODE_OP(*next(s->first)) != FZ_OP_ALSO_SHIFTS;
}

static bool is_plain(const sequence *s)
{
    return !s->machine->program->choices[s->first[1]].filtered;
}

/* ---- the machine's code ---- */

enum { FZ_OP__ = FZ_OP_COUNT };

typedef struct superinstruction {
    uint8_t first, second, third;
    bool (*fits)(const sequence *s);
} superinstruction;

static const superinstruction table[] = {
#define SUPER(name, first, second, third, fits, meaning)                                          \
    {FZ_OP_##first, FZ_OP_##second, FZ_OP_##third, fits},
#include "superinstructions.def"
#undef SUPER
};
enum { ROWS = sizeof table / sizeof *table };

static bool is_there(const fz_code *code, const fz_code *end, unsigned op)
{
    return op == FZ_OP__ || (code < end && FZ_CODE_OP(*code) == op);
}

static bool stands_for(const sequence *s, const superinstruction *super, const fz_code *end)
{
    return FZ_CODE_OP(*s->first) == super->first && is_there(s->second, end, super->second) &&
           is_there(s->third, end, super->third) && super->fits(s);
}

/* Is the function that of one phase, and of nothing else? */
static bool is_phase_only(const fz_program *p, uint32_t function, int32_t phase)
{
    int32_t f = (int32_t)function;
    if (f != phase || (f == p->turn) + (f == p->end) + (f == p->setup) + (f == p->limit) != 1)
        return false;
    FZI_FOR_CODE (at, p, 0, p->code_length)
        if (fzi_opcode_is(FZ_CODE_OP(p->code[at]), FZ_FLAG_CALLS) && p->code[at + 1] == function)
            return false;
    return true;
}

static const fz_code *behind(const fz_code *code, const fz_code *end)
{
    return code < end ? next(code) : end;
}

static void replace(const fz_machine *m, uint32_t function, fz_code *code, const bool *begins)
{
    const fz_program *p = m->program;
    const fz_function *f = &p->functions[function];
    const fz_code *end = p->code + f->end;
    sequence s = {.machine = m,
                  .in_turn = is_phase_only(p, function, p->turn),
                  .in_end = is_phase_only(p, function, p->end)};
    FZI_FOR_INSTRUCTIONS (at, p, f) {
        if (!begins[FZ_CODE_OP(p->code[at])])
            continue;
        s.first = p->code + at;
        s.second = behind(s.first, end);
        s.third = behind(s.second, end);
        for (unsigned i = 0; i < ROWS; i++)
            if (stands_for(&s, &table[i], end))
                code[at] = (code[at] & ~(fz_code)0xff) | (FZ_OP_COUNT + i);
    }
}

static fzi_phase_entry entry_of(const fz_machine *m, int32_t function)
{
    if (function < 0)
        return (fzi_phase_entry){0};
    const fz_function *f = &m->program->functions[function];
    return (fzi_phase_entry){.code = m->code + f->start,
                             .top = fzi_frame_size(f, m->program->board.words),
                             .header = {(uint32_t)function, (uint64_t)f->ints << 40},
                             .ints = f->ints, .takes_mover = f->int_params > 0};
}

static void enter_phases(fz_machine *m)
{
    m->setup = entry_of(m, m->program->setup);
    m->turn = entry_of(m, m->program->turn);
    m->end = entry_of(m, m->program->end);
    m->limit = entry_of(m, m->program->limit);
}

bool fzi_superinstructions_make(fz_machine *m)
{
    const fz_program *p = m->program;
    bool begins[256] = {false};
    size_t bytes = p->code_length * sizeof *m->own_code;
    if (fzi_on(p, FZ_OPT_SUPER) && !(m->own_code = fzi_allocate(m->allocator, bytes)))
        return false;
    if (m->own_code) {
        memcpy(m->own_code, p->code, bytes);
        for (unsigned i = 0; i < ROWS; i++)
            begins[table[i].first] = true;
        for (uint32_t i = 0; i < p->function_count; i++)
            replace(m, i, m->own_code, begins);
        m->code = m->own_code;
    }
    enter_phases(m);
    return true;
}

void fzi_superinstructions_drop(fz_machine *m)
{
    m->code = m->program->code;
    enter_phases(m);
}
