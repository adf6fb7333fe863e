/* Plays playouts whose results go into arrays of the caller (ferz.h, Python). */
#include <stdio.h>

#include "interp/agents/agent.h"

/* Shared by the sink and the lineup. */
typedef struct filling {
    const fz_playout_task *task;
    const fz_playout_arrays *into;
    uint64_t done;
} filling;

static void put_players(const filling *f, const fz_game_row *row, uint64_t place)
{
    const fz_program *program = f->task->program;
    uint32_t players = program->player_count;
    bool ended = row->ending != FZ_ENDED_BY_ERROR;

    for (uint32_t p = 0; p < players; p++) {
        uint64_t at = place * players + p;
        if (f->into->ranks)
            f->into->ranks[at] = row->rank[p];
        if (f->into->payoffs)
            f->into->payoffs[at] = row->payoff[p];
        if (f->into->utilities)
            f->into->utilities[at] =
                ended ? fzi_utility_of(program, row->rank, row->nature, (int)p) : 0;
    }
}

static bool take(void *user, const fz_game_row *rows, size_t count)
{
    filling *f = user;

    for (size_t i = 0; i < count; i++) {
        uint64_t place = rows[i].stream - f->task->first;
        if (f->into->plies)
            f->into->plies[place] = rows[i].plies;
        if (f->into->turns)
            f->into->turns[place] = rows[i].turns;
        if (f->into->endings)
            f->into->endings[place] = (uint8_t)rows[i].ending;
        put_players(f, &rows[i], place);
    }
    f->done += count;
    return true;
}

static fz_status make_agent(void *user, unsigned player, fz_decider *decider, char *message)
{
    const fz_playout_task *task = user;

    fz_agent *agent;
    fz_status status = fzi_agent_describe(task->context, task->program,
                                          task->agents[task->agent_count == 1 ? 0 : player],
                                          (fzi_agent_files){0}, &agent, message);

    if (status == FZ_OK)
        *decider = fz_agent_decider(agent);
    return status;
}

static fz_status make_all(void *user, fz_decider *deciders, char *message)
{
    const fz_playout_task *task = user;

    return fzi_deciders_make(task->program->player_count, make_agent, user, deciders, message);
}

fz_status fz_playouts_into(const fz_playout_task *task, const fz_playout_arrays *into,
                           uint64_t *done, char *message)
{
    filling f = {.task = task, .into = into};
    const fz_sink sink = {.take = take, .user = &f};
    const fz_lineup lineup = {make_all, (void *)task, fz_program_hides(task->program)};
    fz_playout_options sample = {.program = task->program,
                                 .limits = task->limits,
                                 .from = task->from,
                                 .seed = task->seed,
                                 .first = task->first,
                                 .count = task->count,
                                 .threads = task->threads,
                                 .sink = &sink};
    fz_tally tally;

    if (done)
        *done = 0;
    if (task->agent_count && task->agent_count != 1 &&
        task->agent_count != task->program->player_count) {
        if (message)
            snprintf(message, 256, "one agent, or one for each player");
        return FZ_USAGE;
    }
    if (task->agent_count)
        sample.lineup = &lineup;
    fz_status status = fz_playouts_run(&sample, &tally, message);
    if (done)
        *done = f.done;
    return status;
}
