/* Any text as a move of a shipped game: it is played, or refused with a reason. */
#include "fuzz.h"

enum { CLOSELY = 8 }; /* one of so many is explained */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    fz_move move;

    if (!fuzz_input_begin(&input, data, size))
        return 0;
    bool closely = fuzz_closely(data, size, CLOSELY);
    if (closely) {
        const char *why = fz_move_why(input.machine, input.state, input.text);
        fuzz_want(why && *why, "there is a reason");
    }
    fz_status status = fz_move_parse(input.machine, input.state, input.text, &move);
    fuzz_want(status == FZ_OK || *fz_machine_message(input.machine), "a failure is told");
    if (status == FZ_OK) {
        fuzz_want(fz_state_play(input.machine, input.state, &move) == FZ_OK,
                  "what is found is legal");
        if (closely)
            fuzz_write_and_read(input.context, input.machine, input.state);
    }
    fuzz_input_end(&input);
    return 0;
}
