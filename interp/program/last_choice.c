/* Finds the last choices of turns: after a move of theirs nothing is decided or rolled any
 * more, in whatever function they stand and whatever the turn still does. Then perft counts the
 * moves of the last turn without playing them. For each instruction: may a decision or chance come
 * up from here to the end of its function's frame? For each function: may one come up once it has
 * returned? */

#include <string.h>

#include "data_flow.h"

typedef struct ways {
    const fz_program *p;
    uint8_t *more;        /* by instruction */
    uint8_t *after;       /* by function */
    bool changed;
} ways;

static void mark(ways *w, uint8_t *there, bool goes_on)
{
    if (goes_on && !*there) {
        *there = true;
        w->changed = true;
    }
}

static void step(ways *w, uint32_t function, uint32_t at)
{
    const fz_code *code = w->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    const char *more = fzi_opcode_extension(op);
    uint32_t behind = at + fzi_opcode_length(op);
    bool goes_on = fzi_opcode_is(op, FZ_FLAG_CHANCE | FZ_FLAG_DECIDES);
    if (fzi_opcode_is(op, FZ_FLAG_CALLS)) {
        bool returns = !fzi_opcode_is(op, FZ_FLAG_ENDS);
        goes_on = w->more[w->p->functions[code[1]].start];
        mark(w, &w->after[code[1]], (returns && w->more[behind]) || w->after[function]);
    }
    for (uint32_t i = 0; more[i]; i++)
        if (more[i] == 'J')
            goes_on = goes_on || w->more[code[1 + i]];
    if (!fzi_opcode_is(op, FZ_FLAG_ENDS))
        goes_on = goes_on || w->more[behind];
    mark(w, &w->more[at], goes_on);
}

static void spread(ways *w)
{
    const fz_program *p = w->p;
    do {
        w->changed = false;
        for (uint32_t i = 0; i < p->function_count; i++) {
            const fz_function *f = &p->functions[i];
            FZI_FOR_INSTRUCTIONS(at, p, f)
                step(w, i, at);
        }
    } while (w->changed);
}

static bool phase_goes_on(const ways *w, int32_t function)
{
    return function >= 0 && w->more[w->p->functions[function].start];
}

static bool is_last(const ways *w, const fz_choice *choice)
{
    if (w->after[choice->function] || phase_goes_on(w, w->p->end) || phase_goes_on(w, w->p->limit))
        return false;
    for (uint32_t i = 0; i < choice->options; i++)
        if (w->more[w->p->options[choice->first_option + i].effect])
            return false;
    return true;
}

bool fzi_program_find_last_choices(const fz_program *p, fzi_allocator allocator, fz_choice *choices)
{
    ways w = {.p = p, .more = fzi_allocate(allocator, p->code_length + 1),
              .after = fzi_allocate(allocator, p->function_count + 1)};
    bool done = w.more && w.after;
    if (done) {
        memset(w.more, false, p->code_length + 1);
        memset(w.after, false, p->function_count + 1);
        spread(&w);
    }
    for (uint32_t i = 0; done && i < p->choice_count; i++)
        choices[i].last = is_last(&w, &choices[i]);
    fzi_release(allocator, w.more);
    fzi_release(allocator, w.after);
    return done;
}
