/* Any text as a position of a shipped game: of what is read, some can be written, read again, and
 * played on from. */
#include "fuzz.h"

enum { CLOSELY = 8 }; /* one of so many */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;

    if (!fuzz_input_begin(&input, data, size))
        return 0;
    fz_status status = fz_state_read(input.machine, input.state, input.text);
    fuzz_want(status == FZ_OK || *fz_machine_message(input.machine), "a failure is told");
    if (fuzz_closely(data, size, CLOSELY)) { /* what was refused has harmed nothing */
        fuzz_write_and_read(input.context, input.machine, input.state);
        fz_state_playout(input.machine, input.state, 4);
    }
    fuzz_input_end(&input);
    return 0;
}
