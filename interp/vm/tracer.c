/* Makes traced copies of programs: for coverage, stepping, the story of a move, and for what a
 * player knows of a value. See tracer.h. */
#include "tracer.h"

#include "machine.h"

static void trace_at(fz_code *code, uint32_t at)
{
    code[at] = (code[at] & ~(fz_code)0xff) | FZ_OP_TRACE;
}

/* Where the text's place changes, where jumps lead, where effects and filters begin, where lists
 * begin and end. */
static void trace_all(const fz_program *p, fz_code *code)
{
    for (uint32_t i = 0; i < p->line_count; i++)
        trace_at(code, p->lines[i].code);
    for (uint32_t at = 0; at < p->code_length;) {
        unsigned op = FZ_CODE_OP(p->code[at]);
        const char *more = fzi_opcode_extension(op);
        for (uint32_t i = 0; more[i]; i++)
            if (more[i] == 'J')
                trace_at(code, p->code[at + 1 + i]);
        if (fzi_opcode_is(op, FZ_FLAG_OPENS | FZ_FLAG_CLOSES))
            trace_at(code, at);
        at += fzi_opcode_length(op);
    }
    for (uint32_t i = 0; i < p->option_count; i++)
        trace_at(code, p->options[i].effect);
    for (uint32_t i = 0; i < p->filter_count; i++)
        trace_at(code, p->filters[i].code);
}

bool fzi_tracer_open(fzi_tracer *tracer, const fz_program *program, const fz_limits *limits,
                     fzi_trace_hook *hook, void *user)
{
    *tracer = (fzi_tracer){.original = program};
    tracer->program = fzi_program_make(fzi_program_allocator(program), program);
    if (!tracer->program)
        return false;
    fz_program_retain((fz_program *)program); /* its native functions are the copy's, too */
    tracer->program->native_code = program->native_code;
    tracer->machine = fz_machine_new(tracer->program, limits);
    if (!tracer->machine)
        return false;
#ifndef FZ_STANDALONE /* there machines run the code of the program */
    fzi_superinstructions_drop(tracer->machine);
#endif
    tracer->machine->traced = program->code;
    tracer->machine->trace = hook;
    tracer->machine->trace_user = user;
    return true;
}

void fzi_tracer_at(fzi_tracer *tracer, uint32_t pc)
{
    trace_at((fz_code *)tracer->program->code, pc); /* its own memory */
}

bool fzi_tracer_init(fzi_tracer *tracer, const fz_program *program, const fz_limits *limits,
                     fzi_trace_hook *hook, void *user)
{
    if (!fzi_tracer_open(tracer, program, limits, hook, user))
        return false;
    trace_all(program, (fz_code *)tracer->program->code);
    return true;
}

void fzi_tracer_everywhere(fzi_tracer *tracer)
{
    FZI_FOR_CODE (at, tracer->original, 0, tracer->original->code_length)
        fzi_tracer_at(tracer, at);
}

void fzi_tracer_clear(fzi_tracer *tracer)
{
    fz_machine_free(tracer->machine);
    if (!tracer->program)
        return;
    tracer->program->native_code = NULL;
    fz_program_release(tracer->program);
    fz_program_release((fz_program *)tracer->original);
}
