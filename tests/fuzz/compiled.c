/* A damaged compiled file: the verifier refuses it, or it can be played without harm. The first two
 * bytes of the input say where in a good file the rest is written over it. */
#include "fuzz.h"

#include <string.h>

static const char game[] =
    "game \"Fuzz\"; players A, B; board square(4);\n"
    "piece Man \"M\" { move to step(here, adjacent) & empty; }\n"
    "var score[player]: 0..9;\n"
    "setup { put Man of A at rank(1); put Man of B at rank(4); }\n"
    "turn { choose piece_moves otherwise lose me; }\n"
    "end { if mine & rank(2) == {} win me; } limit 50 turns draw;\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_context *context = fuzz_context();
    fz_program *program = NULL, *damaged = NULL;
    char *bytes = NULL;
    size_t length = 0;

    if (fz_compile(context, "good.game", game, sizeof game - 1, NULL, 0, &program, NULL) !=
            FZ_OK ||
        fz_program_save(context, program, &bytes, &length) != FZ_OK)
        abort();
    if (size > 2) {
        size_t at = (data[0] | (size_t)data[1] << 8) % length;
        size_t count = size - 2 < length - at ? size - 2 : length - at;
        memcpy(bytes + at, data + 2, count);
    }
    fz_status status = fz_compile(context, "damaged.gamec", bytes, length, NULL, 0, &damaged, NULL);
    if (status == FZ_OK)
        fuzz_play(context, damaged);
    fz_program_release(damaged);
    fz_program_release(program);
    fz_text_free(context, bytes);
    fz_context_free(context);
    return 0;
}
