/* The findings of a check. The checks add them, and callers of fz_check_game read them. */
#include "checks.h"

#include <stdarg.h>
#include <stdio.h>

fzi_finding *fzi_check_add(fz_check *check, const char *format, ...)
{
    va_list arguments;

    if (!fzi_make_room(check->context->allocator, &check->findings, &check->room, check->count + 1,
                       sizeof *check->findings)) {
        check->no_memory = true;
        return NULL;
    }
    fzi_finding *finding = &check->findings[check->count++];
    va_start(arguments, format);
    vsnprintf(finding->note, sizeof finding->note, format, arguments);
    va_end(arguments);
    return finding;
}

fz_report *fz_check_report(const fz_check *check)
{
    return check->report;
}

fz_program *fz_check_program(const fz_check *check)
{
    return check->program;
}

const fz_tally *fz_check_tally(const fz_check *check)
{
    return &check->tally;
}

const fz_coverage *fz_check_coverage(const fz_check *check)
{
    return &check->coverage;
}

const char *fz_check_message(const fz_check *check)
{
    return check->message;
}

uint64_t fz_check_positions(const fz_check *check)
{
    return check->positions;
}

bool fz_check_finding(const fz_check *check, size_t number, fz_finding *finding)
{
    const fzi_finding *found = number < check->count ? &check->findings[number] : NULL;

    if (found && finding) {
        *finding = found->shown;
        finding->message = found->note;
        finding->record = found->record;
    }
    return found;
}
