/* Any text as the record of a game: read or refused, and played as far as its entries are moves. Of
 * some, the record of the game that was played is written. */
#include "fuzz.h"
#include "ferz_tools.h"

enum { CLOSELY = 8 }; /* one of so many */

/* The state after as many entries as can be played; NULL: the record has no beginning. */
static fz_state *play(fz_machine *machine, const fz_record *record)
{
    fz_state *state = fz_record_start(machine, record);

    fuzz_want(state || *fz_machine_message(machine), "a failure is told");
    for (size_t i = 0; state && i < record->entry_count && i < 64; i++) {
        if (fz_record_play(machine, state, record->entries[i]) != FZ_OK) {
            fuzz_want(*fz_machine_message(machine), "a failure is told");
            break;
        }
    }
    return state;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input;
    fz_record record;
    fz_state *state = NULL;
    char *text = NULL;

    if (!fuzz_input_begin(&input, data, size))
        return 0;
    fz_machine_set_chance(input.machine, FZ_CHANCE_ASK);
    if (fz_record_read(input.context, input.text, &record) == FZ_OK)
        state = play(input.machine, &record);
    else
        fuzz_want(*fz_context_message(input.context), "a failure is told");
    if (state && fuzz_closely(data, size, CLOSELY)) {
        fuzz_want(fz_record_write(input.machine, state, "fuzz.game", 1, &text) == FZ_OK,
                  "the record of a game can be written");
        fz_text_free(input.context, text);
    }
    fz_record_free(input.context, &record);
    fz_state_free(state);
    fuzz_input_end(&input);
    return 0;
}
