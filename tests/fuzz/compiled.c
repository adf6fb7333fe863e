/* A damaged compiled file: it is refused, or it can be played without harm, as some are. The head
 * is made to fit the bytes after it, or nothing would come further than the checksum. */
#include "fuzz.h"
#include "interp/program/program_file.h"

#include <stdlib.h>
#include <string.h>

enum { PLAYED = 32 }; /* one of so many */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_context *context = fuzz_context();
    fz_program *program = NULL;
    char *bytes = malloc(size + 1), *code = NULL;

    fuzz_want(bytes != NULL, "there is memory");
    if (size)
        memcpy(bytes, data, size);
    if (size < 4 || memcmp(bytes, FZ_GAMEC_MAGIC, 4) == 0)
        fzi_gamec_seal(bytes, size);
    if (fzi_gamec_load(context, "fuzz.gamec", bytes, size, &program) == FZ_OK &&
        fuzz_closely(data, size, PLAYED)) {
        /* Here, as fz_compile would refuse it: natives need a permission. */
        if (program->native_count == 0) {
            fuzz_play(context, program, 24, false);
            fuzz_tour(context, program);
            fuzz_run_tests(context, program, bytes, size);
        }
        if (fz_program_disassemble(context, program, &code) == FZ_OK)
            fz_text_free(context, code);
    }
    fz_program_release(program);
    fz_context_free(context);
    free(bytes);
    return 0;
}
