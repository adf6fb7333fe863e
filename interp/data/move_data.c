/* Moves as JSON. See data.h. */
#include "data.h"

static const char *site_name(const fz_program *p, int site)
{
    return site < 0 ? NULL : fz_program_site_name(p, site);
}

static void add_move(fz_machine *machine, const fz_program *p, const fz_state *state,
                     const fz_move *move, fzi_buffer *out)
{
    const fz_option_info *option = &p->options[move->option];
    int from, to;

    fzi_buffer_json(out, "{text:s", fz_move_text(machine, state, move));
    fzi_buffer_json(out, "shown:s", fz_move_text_shown(machine, state, move));
    fz_move_sites(machine, state, move, &from, &to);
    fzi_buffer_json(out, "from:s, to:s, option:u", site_name(p, from), site_name(p, to),
                    move->option);
    int64_t action = fz_move_action(p, move);
    if (action >= 0)
        fzi_buffer_json(out, "action:I", action);
    fzi_buffer_json(out, "values:{");
    for (unsigned i = 0; i < move->count && i < option->bindings; i++) {
        fzi_key_data(fzi_text(p, option->names[i]), out);
        fzi_value_data(p, option->types[i], move->values[i], out);
    }
    fzi_buffer_json(out, "}}");
}

fz_status fzi_moves_data(fz_machine *machine, const fz_state *state, fzi_buffer *out)
{
    fz_moves *moves = fz_moves_new(machine);
    const fz_program *p = machine->program;

    if (!moves)
        return fzi_machine_no_memory(machine);
    fz_status status = fz_state_moves(machine, state, moves);
    fzi_buffer_json(out, "[");
    for (size_t i = 0; status == FZ_OK && i < fz_moves_count(moves) && !out->failed; i++) {
        fz_move move = fz_moves_at(moves, i);
        add_move(machine, p, state, &move, out);
    }
    fzi_buffer_json(out, "]");
    fz_moves_free(moves);
    return status;
}
