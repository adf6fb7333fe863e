/* Moves as texts and back. A text is what the option's label makes of the move's bindings; to
 * read one, the legal moves are written until one reads alike, so every text parses that a list
 * shows. */
#include "notation.h"

#include <ctype.h>
#include <string.h>

#include "interp/ferz_tools.h"
#include "interp/program/values.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

/* The text of the move, in the machine's own buffer. */
static const char *text_of(fz_machine *machine, const fz_state *state, const fz_move *move,
                           bool shown)
{
    fzi_buffer text = fzi_buffer_in(machine->allocator);
    fz_status status = fzi_move_write(machine, state, move, shown, &text);

    fzi_buffer_clear(&machine->text);
    fzi_buffer_text(&machine->text, status == FZ_OK ? fzi_buffer_get(&text) : "?");
    fzi_buffer_free(&text);
    return fzi_buffer_get(&machine->text);
}

const char *fz_move_text(fz_machine *machine, const fz_state *state, const fz_move *move)
{
    return text_of(machine, state, move, false);
}

const char *fz_move_text_shown(fz_machine *machine, const fz_state *state, const fz_move *move)
{
    return text_of(machine, state, move, true);
}

const char *fz_value_text(fz_machine *machine, uint16_t type, int64_t value)
{
    fzi_buffer_clear(&machine->text);
    fzi_value_text(machine->program, type, value, true, &machine->text);
    return fzi_buffer_get(&machine->text);
}

bool fzi_move_text_is(const char *text, const char *wanted)
{
    size_t length;

    while (isspace((unsigned char)*wanted))
        wanted++;
    length = strlen(wanted);
    while (length && isspace((unsigned char)wanted[length - 1]))
        length--;
    return strlen(text) == length && memcmp(text, wanted, length) == 0;
}

/* The first move of the list that reads like the text. */
static fz_status find(fz_machine *machine, const fz_state *state, const fzi_move_list *list,
                      const char *text, fzi_buffer *label, fz_move *move)
{
    fzi_cursor cursor = FZI_CURSOR_AT(0);

    while (fzi_move_list_next(list, &cursor, list->segment_count, move)) {
        fz_status status;
        fzi_buffer_clear(label);
        status = fzi_move_write(machine, state, move, false, label);
        if (status != FZ_OK)
            return status;
        if (fzi_move_text_is(fzi_buffer_get(label), text))
            return FZ_OK;
    }
    return fzi_machine_say(machine, FZ_NOT_FOUND, "'%s' is not a legal move", text);
}

fz_status fz_move_parse(fz_machine *machine, const fz_state *state, const char *text, fz_move *move)
{
    fzi_buffer label = fzi_buffer_in(machine->allocator);
    fz_moves *moves = fz_moves_new(machine);
    fz_status status;

    if (!moves)
        return fzi_machine_say(machine, FZ_NO_MEMORY, "out of memory");
    status = fz_state_moves(machine, state, moves);
    if (status == FZ_OK)
        status = find(machine, state, &moves->list, text, &label, move);
    fzi_buffer_free(&label);
    fz_moves_free(moves);
    return status;
}
