/* Any text as the record of a game: read or refused, and played as far as its entries are moves. */
#include "fuzz.h"
#include "ferz_tools.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    fz_record record;
    char *text = NULL;

    if (!fuzz_input_begin(&input, data, size))
        return 0;
    fz_machine_set_chance(input.machine, FZ_CHANCE_ASK);
    fz_status status = fz_record_read(input.context, input.text, &record);
    fz_state *state = status == FZ_OK ? fz_record_start(input.machine, &record) : NULL;
    if (status == FZ_OK && !state)
        fuzz_want(*fz_machine_message(input.machine), "a failure is told");
    if (!state)
        state = fz_record_begin(input.machine, 1, 0);
    if (status != FZ_OK)
        fuzz_want(*fz_context_message(input.context), "a failure is told");
    for (size_t i = 0; status == FZ_OK && state && i < record.entry_count && i < 64; i++) {
        if (fz_record_play(input.machine, state, record.entries[i]) != FZ_OK) {
            fuzz_want(*fz_machine_message(input.machine), "a failure is told");
            break;
        }
    }
    fuzz_want(state && fz_record_write(input.machine, state, "fuzz.game", 1, &text) == FZ_OK,
              "the record of a game can be written");
    fz_text_free(input.context, text);
    fz_record_free(input.context, &record);
    fz_state_free(state);
    fuzz_input_end(&input);
    return 0;
}
