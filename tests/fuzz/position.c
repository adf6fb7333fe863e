/* Any text as a position of a shipped game: what is read can be written, read again, and played on
 * from. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;

    if (!fuzz_input_begin(&input, data, size))
        return 0;
    if (fz_state_read(input.machine, input.state, input.text) == FZ_OK) {
        fuzz_write_and_read(input.context, input.machine, input.state);
        fz_state_playout(input.machine, input.state, 4);
    } else {
        fuzz_want(*fz_machine_message(input.machine), "a failure is told");
        if (size % 8 == 0) /* what was refused has harmed nothing: of some, as it takes long */
            fuzz_write_and_read(input.context, input.machine, input.state);
    }
    fuzz_input_end(&input);
    return 0;
}
