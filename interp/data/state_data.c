/* States as JSON (fz_state_json). See data.h. */
#include "data.h"

#include "interp/state/state.h"
#include "interp/support/words.h"
#include "interp/text/let_values.h"

/* A state as a viewer knows it. */
typedef struct view {
    fz_machine *machine;
    const fz_program *program;
    const fz_state *state;
    const fz_state *known;    /* what the viewer knows of it; for -1 the state itself */
    const fzi_observed *seen; /* NULL: all is known */
    int viewer;
    fzi_buffer *out;
} view;

static fzi_elements elements_of(const view *v)
{
    return (fzi_elements){v->program, v->known->block, v->viewer, NULL};
}

/* ---- sites ---- */

static void add_piece(const view *v, int kind, int owner)
{
    fzi_buffer_json(v->out, "kind:s, owner:s", fz_program_kind_name(v->program, kind),
                    owner < 0 ? NULL : fz_program_player_name(v->program, owner));
}

static void add_stack(const view *v, int site)
{
    unsigned height = fz_state_height(v->known, site);
    int kind, owner;

    fzi_buffer_json(v->out, "pieces:[");
    for (unsigned place = 1; place <= height; place++) {
        fz_state_piece_in(v->known, site, place, &kind, &owner);
        fzi_buffer_json(v->out, "{");
        add_piece(v, kind, owner);
        fzi_buffer_json(v->out, "}");
    }
    fzi_buffer_json(v->out, "]");
}

/* What the piece carries. */
static void add_carried(const view *v, int site)
{
    const fz_program *p = v->program;
    fzi_elements from = elements_of(v);
    bool any = false;

    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *variable = &p->variables[i];
        if (!variable->carried || variable->hidden)
            continue;
        if (!any)
            fzi_buffer_json(v->out, "values:{");
        any = true;
        fzi_key_data(fzi_text(p, variable->name), v->out);
        fzi_element_data(&from, variable, (uint32_t)site, v->out);
    }
    if (any)
        fzi_buffer_json(v->out, "}");
}

static void add_site(const view *v, int site)
{
    const fz_program *p = v->program;
    bool unknown = v->seen && fzi_words_has(v->seen->unseen, (unsigned)site);
    int kind, owner;

    fz_state_piece(v->known, site, &kind, &owner);
    if (kind < 0 && !unknown)
        return;
    fzi_buffer_json(v->out, "{site:s", fz_program_site_name(p, site));
    if (p->board.row && p->board.row[site] > 0)
        fzi_buffer_json(v->out, "column:i, row:i", p->board.column[site], p->board.row[site]);
    if (unknown) {
        fzi_buffer_json(v->out, "unknown:b", true);
    } else {
        add_piece(v, kind, owner);
        if (p->stack_limit)
            add_stack(v, site);
        add_carried(v, site);
    }
    fzi_buffer_json(v->out, "}");
}

static void add_sites(const view *v)
{
    fzi_buffer_json(v->out, "sites:[");
    for (int s = 0; s < v->program->board.site_count && !v->out->failed; s++)
        add_site(v, s);
    fzi_buffer_json(v->out, "]");
}

/* ---- variables ---- */

static void add_variables(const view *v)
{
    const fz_program *p = v->program;
    fzi_elements from = elements_of(v);

    fzi_buffer_json(v->out, "variables:{");
    for (uint32_t i = 0; i < p->variable_count && !v->out->failed; i++) {
        const fz_variable *variable = &p->variables[i];
        if (variable->hidden || variable->carried)
            continue;
        fzi_key_data(fzi_text(p, variable->name), v->out);
        fzi_variable_data(&from, variable, v->out);
    }
    fzi_buffer_json(v->out, "}");
}

/* The `let`s that the script shows. */
static fz_status add_shown(const view *v)
{
    const fzi_lets_of of = {v->state, v->known, v->seen, v->viewer};
    fzi_lets lets;
    fz_status status = fzi_lets_find(&lets, v->machine, &of, false);

    fzi_buffer_json(v->out, "shown:{");
    for (uint32_t i = 0; status == FZ_OK && i < v->program->shown_count; i++) {
        const fz_variable *like = &lets.likes[i];
        fzi_elements from = {&lets.layout, lets.block, v->viewer, fzi_let_unknown(&lets, i)};
        fzi_key_data(fzi_text(v->program, like->name), v->out);
        fzi_variable_data(&from, like, v->out);
    }
    fzi_buffer_json(v->out, "}");
    fzi_release(v->machine->allocator, lets.memory);
    return status;
}

/* ---- the head ---- */

static const char *player_name(const view *v, int player)
{
    return player < 0 ? NULL : fz_program_player_name(v->program, player);
}

static void add_payoffs(const view *v)
{
    fzi_buffer_json(v->out, "payoffs:[");
    for (int p = 0; p < fz_program_players(v->program); p++) {
        int64_t value;
        if (fz_state_payoff(v->machine, v->state, p, &value) == FZ_OK)
            fzi_buffer_json(v->out, "I", value);
        else
            fzi_buffer_json(v->out, "n");
    }
    fzi_buffer_json(v->out, "]");
}

static void add_result(const view *v)
{
    int players = fz_program_players(v->program);

    if (fz_state_waiting(v->state) != FZ_GAME_OVER) {
        fzi_buffer_json(v->out, "result:n");
        return;
    }
    fzi_buffer_json(v->out, "result:{ranks:[");
    for (int p = 0; p < players; p++)
        fzi_buffer_json(v->out, "i", fz_state_rank(v->state, p));
    fzi_buffer_json(v->out, "], utilities:[");
    for (int p = 0; p < players; p++)
        fzi_buffer_json(v->out, "r6", fz_state_utility(v->state, p));
    fzi_buffer_json(v->out, "]");
    if (fz_program_has_payoffs(v->program))
        add_payoffs(v);
    fzi_buffer_json(v->out, "stopped:b}", fz_state_stopped(v->state));
}

static void add_head(const view *v)
{
    static const char *const names[] = {"move", "chance", "over", "failed"};
    fz_waiting waiting = fz_state_waiting(v->state);

    fzi_buffer_json(v->out, "player:s, players:[", player_name(v, v->viewer));
    for (int p = 0; p < fz_program_players(v->program); p++)
        fzi_buffer_json(v->out, "s", fz_program_player_name(v->program, p));
    fzi_buffer_json(v->out, "], mover:s", player_name(v, fz_state_mover(v->state)));
    fzi_buffer_json(v->out, "decider:s, waiting:s, over:b",
                    waiting == FZ_WAITING_MOVE ? player_name(v, fz_state_decider(v->state)) : NULL,
                    names[waiting], waiting == FZ_GAME_OVER);
    add_result(v);
    fzi_buffer_json(v->out, "turns:u, plies:u", fz_state_turns(v->state),
                    fz_state_plies(v->state));
}

/* ---- the whole ---- */

/* The moves of others may tell what the viewer does not know. */
static fz_status add_moves(const view *v)
{
    int decider = fz_state_decider(v->state);

    if (fz_state_waiting(v->state) != FZ_WAITING_MOVE)
        fzi_buffer_json(v->out, "moves:[]");
    else if (v->viewer >= 0 && v->viewer != decider && fz_program_hides(v->program))
        fzi_buffer_json(v->out, "moves:n");
    else {
        fzi_buffer_text(v->out, ", \"moves\": ");
        return fzi_moves_data(v->machine, v->state, v->out);
    }
    return FZ_OK;
}

static fz_status add_observation(const view *v)
{
    char *text = NULL;
    fz_status status = fz_state_observation(v->machine, v->state, v->viewer, &text);

    if (status == FZ_OK)
        fzi_buffer_json(v->out, "observation:s", text);
    fzi_release(v->machine->allocator, text);
    return status;
}

static fz_status add_all(const view *v, bool moves)
{
    fzi_buffer_json(v->out, "{");
    add_head(v);
    add_sites(v);
    add_variables(v);
    fz_status status = add_shown(v);
    if (status == FZ_OK && v->viewer >= 0)
        status = add_observation(v);
    if (status == FZ_OK && moves)
        status = add_moves(v);
    fzi_buffer_json(v->out, "}");
    return status;
}

fz_status fz_state_json(fz_machine *machine, const fz_state *state, int player, bool moves,
                        char **json)
{
    fzi_buffer out = fzi_buffer_in(machine->allocator);
    view v = {machine, state->program, state, state, NULL, player, &out};
    fzi_observed seen = {0};
    fz_state *base = NULL;
    fz_status status = FZ_OK;

    if (player != -1)
        status = fzi_observe_begin(machine, state, player, &base);
    if (status == FZ_OK && player != -1)
        status = fzi_observe(machine, state, player, base->block, &seen);
    if (status == FZ_OK && player != -1) {
        v.known = seen.state;
        v.seen = &seen;
    }
    if (status == FZ_OK)
        status = add_all(&v, moves);
    fzi_observed_clear(&seen);
    fz_state_free(base);
    return fzi_text_finish(machine, status, &out, json);
}
