/* Beginning a run, and running it. See run.h. */
#include "run.h"

#include "fault.h"
#include "interp/support/chance.h"

fzi_run fzi_run_of(fz_machine *m, fz_state *state, fzi_mode mode)
{
    return (fzi_run){.state = state, .mode = (uint8_t)mode, .ask = m->chance == FZ_CHANCE_ASK,
                     .turn_stop = FZ_MAX_TURNS, .body = FZ_NOT_THERE,
                     .log = state ? state->log : NULL};
}

void fzi_run_renew(fzi_run *run)
{
    run->list = NULL;
    run->log = run->state->log;
    run->trial = run->redrawing = false;
    run->judging = 0;
    run->seeking = FZ_SEEK_NOTHING;
    run->body = FZ_NOT_THERE;
    run->legal_move_sum = 0;
}

fzi_end fzi_machine_run(fz_machine *m, fzi_run *run)
{
    unsigned lists = m->list_depth;
    uint32_t base = m->weight_base, count = m->weight_count;
    m->weight_base = m->weight_count;
    fzi_end end = m->run(m, run);
    m->list_depth = lists;
    m->weight_base = base;
    m->weight_count = count;
    return end;
}

/* Counts a game that is over. False: its result is not known. */
static bool count_game(const fzi_run *run, fzi_games *games)
{
    const fzi_head *head = fzi_head_of(run->state);
    fzi_result_key key = fzi_result_key_of(head);
    unsigned i = 0;
    while (i < games->known && !fzi_result_is(&key, &games->keys[i]))
        i++;
    if (i == games->known)
        return false;
    games->counts[i]++;
    *games->lengths++ = head->plies;
    games->turns += head->turns;
    games->legal_moves += run->legal_move_sum;
    games->stream++;
    games->left--;
    return true;
}

/* An engine that knows one game only plays one after the other. A small state begins again as a
 * copy. */
static void play_games(fz_machine *m, fzi_run *run, fzi_games *games)
{
    _Alignas(32) uint8_t fresh[1024];
    fz_state *state = run->state;
    size_t size = state->layout->frames;
    bool copies = size <= sizeof fresh;
    uint64_t plies = run->plies, mixed = fzi_chance_seed(games->seed);
    fzi_state_reset(state, 0, 0);
    if (copies)
        memcpy(fresh, state->block, size);
    while (games->left) {
        uint64_t key = fzi_chance_stream(mixed, games->stream);
        if (m->awaited)
            fzi_machine_begin(m);
        else
            fzi_machine_renew(m);
        fzi_run_renew(run);
        run->plies = plies;
        if (copies)
            memcpy(state->block, fresh, size);
        else
            fzi_state_reset(state, 0, 0);
        fzi_head_of(state)->key = key;
        games->unfit = m->run(m, run) != FZ_END_OVER;
        if (games->unfit || !count_game(run, games))
            break;
    }
}

void fzi_machine_games(fz_machine *m, fzi_run *run, fzi_games *games)
{
    unsigned lists = m->list_depth;
    uint32_t base = m->weight_base, count = m->weight_count;
    m->weight_base = m->weight_count;
    (m->games ? m->games : play_games)(m, run, games);
    m->list_depth = lists;
    m->weight_base = base;
    m->weight_count = count;
}

fz_status fzi_run_status(fz_machine *m, fzi_run *run)
{
    return fzi_machine_run(m, run) == FZ_END_ERROR ? fzi_machine_fail(m) : FZ_OK;
}
