/* Any text as a script: compiled, or refused with diagnostics. Some of what compiles is played, is
 * the same game when it was saved and loaded, and some of what parses can be formatted, once and
 * for all. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { PLAYED = 32, FORMATTED = 4 }; /* one of so many */

static void format(fz_context *context, const char *text, size_t size)
{
    char *once = NULL, *twice = NULL;

    fz_status status = fz_format_source(context, "fuzz.game", text, size, &once, NULL);
    if (status == FZ_OK) {
        status = fz_format_source(context, "fuzz.game", once, strlen(once), &twice, NULL);
        fuzz_want(status == FZ_OK || status == FZ_NO_MEMORY, "a formatted text parses");
        fuzz_want(status != FZ_OK || !strcmp(once, twice), "a formatted text stays as it is");
    }
    fz_text_free(context, once);
    fz_text_free(context, twice);
}

static void save_and_load(fz_context *context, const fz_program *program)
{
    fz_program *loaded = NULL;
    char *bytes = NULL, *again = NULL;
    size_t length, length_again;

    if (fz_program_save(context, program, &bytes, &length) == FZ_OK) {
        fz_status status = fz_compile(context, "fuzz.gamec", bytes, length, NULL, 0, &loaded, NULL);
        fuzz_want(status == FZ_OK || status == FZ_NO_MEMORY, fz_context_message(context));
        if (status == FZ_OK && fz_program_save(context, loaded, &again, &length_again) == FZ_OK)
            fuzz_want(length == length_again && !memcmp(bytes, again, length),
                      "it is saved as it was loaded");
    }
    fz_text_free(context, bytes);
    fz_text_free(context, again);
    fz_program_release(loaded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_context *context = fuzz_context();
    fz_program *program = NULL;
    fz_report *report = NULL;
    const char *text = (const char *)data;
    char *code = NULL;

    fz_status status = fz_compile(context, "fuzz.game", text, size, NULL, 0, &program, &report);
    if (status == FZ_INVALID && !strstr(fz_context_message(context), "library"))
        fuzz_want(report && fz_report_errors(report) && *fz_report_text(report, FZ_TEXT),
                  "who is refused is told why");
    if ((size < 4 || memcmp(text, "FZGC", 4)) && fuzz_closely(data, size, FORMATTED))
        format(context, text, size);
    if (status == FZ_OK && fuzz_closely(data, size, PLAYED)) {
        save_and_load(context, program);
        if (fz_program_disassemble(context, program, &code) == FZ_OK)
            fz_text_free(context, code);
        fuzz_play(context, program, 24, true);
        if (program->native_count == 0)
            fuzz_tour(context, program);
    }
    fz_program_release(program);
    fz_report_free(report);
    fz_context_free(context);
    return 0;
}
