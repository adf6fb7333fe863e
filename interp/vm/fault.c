/* Faults and messages. See fault.h. */
#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

fzi_end fzi_fault(fz_machine *m, const char *fault)
{
    m->fault = fault;
    m->fault_pc = UINT32_MAX;
    return FZ_END_ERROR;
}

fzi_end fzi_fault_format(fz_machine *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->fault_text, sizeof m->fault_text, format, arguments);
    va_end(arguments);
    return fzi_fault(m, m->fault_text);
}

fzi_end fzi_fault_store(fz_machine *m, uint32_t variable, int64_t value)
{
    const fzi_cell *cell = &m->cells[variable];
    return fzi_fault_format(m, "'%s' can't become %lld: its range is %lld..%lld",
                            fzi_text(m->program, m->program->variables[variable].name),
                            (long long)value, (long long)cell->low, (long long)cell->high);
}

fzi_end fzi_fault_members(fz_machine *m, uint32_t variable, int64_t mask)
{
    return fzi_fault_format(m, "'%s' can't hold %d: its type has no such member",
                            fzi_text(m->program, m->program->variables[variable].name),
                            __builtin_ctzll((uint64_t)mask));
}

fzi_end fzi_fault_list(fz_machine *m, const fzi_move_list *list)
{
    if (list->full)
        return fzi_fault_format(m, "more than %lu moves in one list", (unsigned long)list->limit);
    return list->over ? fzi_fault_memory(m, SIZE_MAX) : fzi_fault(m, NULL);
}

fzi_end fzi_fault_memory(fz_machine *m, size_t wanted)
{
    if (wanted <= m->limits.memory)
        return fzi_fault(m, NULL);
    return fzi_fault_format(m, "more than %zu bytes of memory", m->limits.memory);
}

bool fzi_machine_grow(fz_machine *m, void **array, size_t *room, size_t count, size_t item)
{
    fz_status status =
        fzi_array_grow(m->allocator, &m->memory, m->limits.memory, array, room, count, item);
    if (status != FZ_OK)
        fzi_fault_memory(m, status == FZ_RUNTIME ? SIZE_MAX : 0);
    return status == FZ_OK;
}

fzi_end fzi_fault_frames(fz_machine *m, const fz_state *state, uint32_t words)
{
    return fzi_fault(m, words > state->layout->frame_words ? "too many calls inside each other"
                                                           : NULL);
}

fz_status fzi_machine_fail(fz_machine *m)
{
    if (!m->fault)
        return fzi_machine_no_memory(m);
    char place[256] = "";
    if (m->fault_pc != UINT32_MAX)
        fzi_place_text(m->program, fzi_program_place(m->program, m->fault_pc), place, sizeof place);
    snprintf(m->message, sizeof m->message, "%s%s%s", place, *place ? ": " : "", m->fault);
    return FZ_RUNTIME;
}

fz_status fzi_machine_no_memory(fz_machine *m)
{
    return fzi_machine_say(m, FZ_NO_MEMORY, "out of memory");
}

fz_status fzi_machine_say(fz_machine *m, fz_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->message, sizeof m->message, format, arguments);
    va_end(arguments);
    return status;
}
