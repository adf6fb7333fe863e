/* Any text as FEN of a shipped game: of what is read, some can be written, read again, and played
 * on from. */
#include "fuzz.h"

enum { CLOSELY = 8 }; /* one of so many */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    char *text = NULL;

    if (!fuzz_input_begin(&input, data, size))
        return 0;
    fz_status status = fz_state_read_fen(input.machine, input.state, input.text);
    fuzz_want(status == FZ_OK || *fz_machine_message(input.machine), "a failure is told");
    if (status == FZ_OK && fuzz_closely(data, size, CLOSELY)) {
        fuzz_write_and_read(input.context, input.machine, input.state);
        if (fz_state_write_fen(input.machine, input.state, &text) == FZ_OK)
            fuzz_want(fz_state_read_fen(input.machine, input.state, text) == FZ_OK,
                      "FEN that was written can be read");
        fz_text_free(input.context, text);
        fz_state_playout(input.machine, input.state, 4);
    }
    fuzz_input_end(&input);
    return 0;
}
