/* One game in which deciders choose. See play.h. */
#include "play.h"

#include "interp/support/chance.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

bool fzi_decided_begin(const fzi_decided *game, fz_state *state)
{
    uint64_t key = fzi_chance_key(game->seed, game->stream);

    if (!game->from) {
        fzi_state_reset(state, key, 0);
        return true;
    }
    if (!fzi_state_copy(state, game->from))
        return false;
    fzi_head_of(state)->key = key;
    fzi_head_of(state)->counter = 0;
    return true;
}

fz_state *fzi_decided_logged(const fz_program *program, bool whole)
{
    fz_state *state = fzi_state_make(program);

    if (state) {
        state->log->keep = true;
        state->log->whole = whole;
    }
    return state;
}

/* The decider answers with a legal move, so the list of moves is not made a second time. */
static fz_status decide(const fzi_decided *game, fz_state *state, fz_move *move, bool *at_fault)
{
    fz_machine *m = game->machine;
    const fz_decider *d = &game->deciders[fzi_head_of(state)->decider];
    fz_status status = d->choose_move(d->self, state, move);

    if (status != FZ_OK && game->stopped && game->stopped(game->user))
        return FZ_USAGE;
    if (status != FZ_OK) {
        *at_fault = true;
        return fzi_machine_say(m, status == FZ_NO_MEMORY ? status : FZ_RUNTIME, "%s",
                               d->why(d->self));
    }
    fzi_machine_begin(m);
    status = fzi_state_take(m, state, move, FZ_MAX_TURNS, false);
    for (unsigned p = 0; p < m->program->player_count && status == FZ_OK; p++)
        if (game->deciders[p].note_move)
            game->deciders[p].note_move(game->deciders[p].self, move);
    return status;
}

/* The log says which move was drawn. */
static fz_status decide_randomly(const fzi_decided *game, fz_state *state, fz_move *move)
{
    size_t before = state->log ? state->log->count : 0;

    fzi_machine_begin(game->machine);
    fz_status status = fzi_state_go(game->machine, state, 1);
    for (size_t i = before; state->log && i < state->log->count; i++)
        if (!state->log->entries[i].is_chance)
            *move = state->log->entries[i].move;
    return status;
}

static fz_status decide_watched(const fzi_decided *game, fz_state *state, bool *at_fault)
{
    const fzi_watcher *w = game->watcher;
    fz_move move = {0};
    fz_status status;

    if (w && !fzi_state_copy(w->before, state))
        return fzi_machine_no_memory(game->machine);
    status = game->deciders ? decide(game, state, &move, at_fault)
                            : decide_randomly(game, state, &move);
    if (status == FZ_OK && w)
        status = w->decided(w->user, game->machine, w->before, &move, state);
    return status;
}

static fz_status decide_all(const fzi_decided *game, fz_state *state, bool *at_fault)
{
    fz_machine *m = game->machine;
    fz_status status = FZ_OK;

    for (uint32_t ply = 0; status == FZ_OK; ply++) {
        if (fzi_head_of(state)->waiting == FZ_GAME_OVER)
            return FZ_OK;
        if (game->stopped && game->stopped(game->user))
            return FZ_USAGE;
        if (ply == m->limits.playout)
            return fzi_machine_say(m, FZ_RUNTIME, "more than %u decisions in one playout: 'limit' "
                                   "ends such games", m->limits.playout);
        status = decide_watched(game, state, at_fault);
    }
    return status;
}

fz_status fzi_decided_play(const fzi_decided *game, fz_state *state, bool *at_fault)
{
    fz_machine *m = game->machine;
    fz_status status = FZ_OK;

    *at_fault = false;
    fzi_machine_begin(m);
    if (!fzi_decided_begin(game, state))
        return fzi_machine_no_memory(m);
    for (unsigned p = 0; game->deciders && p < m->program->player_count; p++)
        if (game->deciders[p].new_game)
            game->deciders[p].new_game(game->deciders[p].self, game->seed, game->thoughts + p);
    if (!game->from)
        status = fzi_state_go(m, state, 0);
    if (status == FZ_OK && game->watcher &&
        !game->watcher->begun(game->watcher->user, m, state))
        return fzi_machine_no_memory(m);
    return status == FZ_OK ? decide_all(game, state, at_fault) : status;
}
