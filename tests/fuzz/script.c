/* Any text as a script: compiled, or refused with diagnostics, and played if it is a game. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_context *context = fuzz_context();
    fz_program *program = NULL;
    fz_report *report = NULL;

    fz_status status = fz_compile(context, "fuzz.game", (const char *)data, size, NULL, 0,
                                  &program, &report);
    if (status == FZ_INVALID && report && fz_report_errors(report) == 0)
        abort(); /* refused, and nobody is told why */
    if (report)
        fz_report_text(report, FZ_TEXT);
    if (status == FZ_OK)
        fuzz_play(context, program);
    fz_program_release(program);
    fz_report_free(report);
    fz_context_free(context);
    return 0;
}
