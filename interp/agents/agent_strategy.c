/* The agent that plays a strategy which was found before. */
#include "agent.h"
#include "interp/text/position.h"
#include "interp/vm/fault.h"

/* The game from its beginning, so that the agent knows what it has seen. */
typedef struct replay {
    fz_machine *machine;
    fz_state *state;
    fz_moves *moves;
    fzi_recall recall;
} replay;

static fz_status step(replay *r, const fzi_log_entry *entry)
{
    fz_status status = fzi_recall_look(r->machine, r->state, &r->recall);

    if (status == FZ_OK && !entry->is_chance) {
        int player = fz_state_decider(r->state);
        status = fz_state_moves(r->machine, r->state, r->moves);
        if (status == FZ_OK)
            fzi_recall_choice(&r->recall, player,
                              fzi_move_list_find(&r->moves->list, &entry->move));
    }
    return status == FZ_OK ? fzi_log_entry_play(r->machine, r->state, entry) : status;
}

/* What the player who decides has seen and done. */
static fz_status recall(fz_agent *agent, const fz_state *state, fzi_position_key *key)
{
    fz_machine *m = agent->machine;
    const fzi_log *log = state->log;
    fz_chance mode = m->chance;
    fz_status status = FZ_OK;

    if (!log || !log->whole || log->lost)
        return fzi_machine_say(m, FZ_USAGE, "the state does not know its game from the beginning");
    m->chance = FZ_CHANCE_ASK;
    replay r = {m, fz_record_begin(m, 0, 0), fz_moves_new(m), FZI_RECALL_START};
    if (!r.state || !r.moves)
        status = fzi_machine_no_memory(m);
    for (size_t i = 0; i < log->count && status == FZ_OK; i++)
        status = step(&r, &log->entries[i]);
    if (status == FZ_OK)
        status = fzi_recall_look(m, r.state, &r.recall);
    fz_moves_free(r.moves);
    fz_state_free(r.state);
    m->chance = mode;
    *key = r.recall.keys[fz_state_decider(state)];
    return status;
}

/* Where the strategy has nothing to say, all moves are equally likely. */
static fz_status probabilities(fz_agent *agent, const fz_state *state, const fzi_move_list *list,
                               double *chances)
{
    const fzi_strategy *s = agent->files.strategy;
    fzi_position_key key;
    fz_status status = recall(agent, state, &key);
    uint32_t set = status == FZ_OK ? fzi_strategy_find(s, key) : UINT32_MAX;
    bool known = set != UINT32_MAX && s->sets[set].count == list->total;

    for (uint32_t i = 0; i < list->total; i++)
        chances[i] = known ? fzi_strategy_probability(s, set, i) : 1.0 / list->total;
    return status;
}

static fz_status choose(fz_agent *agent, const fz_state *state, fzi_move_list *list, fz_move *move)
{
    double *chances = fzi_allocate(agent->allocator, list->total * sizeof *chances);
    fz_status status = chances ? probabilities(agent, state, list, chances)
                               : fzi_machine_no_memory(agent->machine);

    if (status == FZ_OK)
        *move = fzi_agent_move_at(agent, list, fzi_strategy_draw(chances, list->total,
                                                                 fzi_agent_uniform(agent)));
    fzi_release(agent->allocator, chances);
    return status;
}

const fzi_agent_class fzi_agent_cfr = {.choose = choose, .probabilities = probabilities};
