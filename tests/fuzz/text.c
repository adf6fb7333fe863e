/* What a player types: moves, positions and FEN are parsed or refused, and a position that was read
 * can be written and read again. */
#include "fuzz.h"

#include <string.h>

static const char game[] =
    "game \"Fuzz\"; info { fen \"board mover turns\"; }\n"
    "players A, B; board square(4);\n"
    "piece Man \"M\" { move to step(here, adjacent) & empty; }\n"
    "var score[player]: 0..9; var mark[site]: 0..3; show mark;\n"
    "setup { put Man of A at rank(1); put Man of B at rank(4); }\n"
    "turn { choose piece_moves otherwise lose me; } limit 50 turns draw;\n";

static void again(fz_context *context, fz_machine *machine, fz_state *state)
{
    char *text = NULL;

    if (fz_state_write(machine, state, true, &text) != FZ_OK)
        abort();
    if (fz_state_read(machine, state, text) != FZ_OK)
        abort();
    fz_text_free(context, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fz_context *context = fuzz_context();
    fz_program *program = NULL;
    fz_move move;
    char *text = malloc(size + 1);

    if (!text || fz_compile(context, "good.game", game, sizeof game - 1, NULL, 0, &program, NULL) !=
                     FZ_OK)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    fz_machine *machine = fz_machine_new(program, &fuzz_limits);
    fz_state *state = fz_state_new(machine, 1, 0);
    if (fz_move_parse(machine, state, text, &move) == FZ_OK)
        fz_state_play(machine, state, &move);
    fz_move_why(machine, state, text);
    if (fz_state_read(machine, state, text) == FZ_OK)
        again(context, machine, state);
    if (fz_state_read_fen(machine, state, text) == FZ_OK)
        again(context, machine, state);
    fz_state_free(state);
    fz_machine_free(machine);
    fz_program_release(program);
    fz_context_free(context);
    free(text);
    return 0;
}
