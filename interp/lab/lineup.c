/* Lists of agents. See lab.h. */
#include "learning.h"

#include "interp/agents/agent.h"
#include "strategy_learning.h"

/* Has the library an agent of the name with which the description begins? */
static bool is_known(const char *description)
{
    const char *name;

    for (unsigned i = 0; fz_agent_info(i, &name, NULL, NULL); i++)
        if (strlen(name) == strcspn(description, ":") &&
            strncmp(name, description, strlen(name)) == 0)
            return true;
    return false;
}

fz_status fzi_agent_own(const fzi_setup *setup, const char *description, fz_agent **agent,
                        char *message)
{
    fz_context *context = setup->context;
    bool strategy = false;
    char *path = fzi_agent_file(context->allocator, description, &strategy);
    fzi_agent_files files = {0};
    fz_status status = FZ_OK;

    if (path && strategy)
        status = fzi_strategy_read(context, setup->program, path, SIZE_MAX,
                                   &files.strategy, NULL);
    else if (path)
        status = fzi_evaluation_read(context, setup->program, path, &files.learned, NULL);
    fzi_release(context->allocator, path);
    if (status != FZ_OK) {
        snprintf(message, 256, "%.255s", fz_context_message(setup->context));
        return status;
    }
    return fzi_agent_describe(setup->context, setup->program, description, files, agent,
                              message);
}

fz_status fzi_agent_make(const fzi_setup *setup, const char *description, fz_agent **agent,
                         char *message)
{
    if (strncmp(description, "pipe:", 5) == 0)
        return fzi_pipe_agent_new(setup, description, agent, message);
    fz_status status = fzi_agent_own(setup, description, agent, message);
    /* The library has listed its own agents. */
    if (status == FZ_USAGE && !is_known(description))
        snprintf(message + strlen(message), 256 - strlen(message), ", pipe:COMMAND");
    return status;
}

fz_status fzi_agent_decide(const fzi_setup *setup, const char *description, fz_decider *decider,
                           char *message)
{
    fz_agent *agent;
    fz_status status = fzi_agent_make(setup, description, &agent, message);

    if (status == FZ_OK)
        *decider = fz_agent_decider(agent);
    return status;
}

fz_status fzi_lineup_agent(void *user, unsigned player, fz_decider *decider, char *message)
{
    const fzi_lineup *lineup = user;

    return fzi_agent_decide(&lineup->setup, lineup->descriptions[lineup->count == 1 ? 0 : player],
                            decider, message);
}

static fz_status make_all(void *user, fz_decider *deciders, char *message)
{
    const fzi_lineup *lineup = user;

    return fzi_deciders_make((unsigned)fz_program_players(lineup->setup.program), fzi_lineup_agent,
                             user, deciders, message);
}

/* Makes all agents once, so that errors in descriptions are found before anything runs. */
static fz_status try(fzi_lineup *lineup)
{
    fz_decider deciders[16] = {{0}};
    char message[256] = "";
    int players = fz_program_players(lineup->setup.program);
    fz_status status = make_all(lineup, deciders, message);

    if (status != FZ_OK)
        return fzi_context_fail(lineup->setup.context, status, "%s", message);
    for (int p = 0; p < players; p++)
        lineup->timed = lineup->timed || fz_agent_is_timed(deciders[p].self);
    fzi_deciders_release(deciders, (unsigned)players);
    return FZ_OK;
}

bool fzi_lineup_needs_log(const fz_program *program, const char *list)
{
    return fz_program_hides(program) || strstr(list, "pipe:");
}

fz_status fzi_lineup_split(fzi_lineup *lineup, const fzi_setup *setup, const char *list)
{
    *lineup = (fzi_lineup){.setup = *setup, .list = fzi_copy_text(setup->context->allocator, list,
                                                                strlen(list))};
    lineup->maker = (fz_lineup){make_all, lineup, fzi_lineup_needs_log(setup->program, list)};
    lineup->games = &lineup->maker;
    for (char *at = lineup->list; at; lineup->count++) {
        char *comma = strchr(at, ',');
        if (lineup->count < 16)
            lineup->descriptions[lineup->count] = at;
        if (comma)
            *comma++ = '\0';
        at = comma;
    }
    return lineup->list ? FZ_OK : fzi_context_no_memory(setup->context);
}

fz_status fzi_lineup_read(fzi_lineup *lineup, const fzi_setup *setup, const char *list)
{
    unsigned players = (unsigned)fz_program_players(setup->program);

    *lineup = (fzi_lineup){.setup = *setup};
    if (!list)
        return FZ_OK;
    fz_status status = fzi_lineup_split(lineup, setup, list);
    if (status == FZ_OK && lineup->count != 1 && lineup->count != players)
        status = fzi_context_fail(setup->context, FZ_USAGE, "there are %u agents, but the game "
                                  "has %u players", lineup->count, players);
    if (status == FZ_OK)
        status = try(lineup);
    if (status != FZ_OK)
        fzi_lineup_clear(lineup);
    return status;
}

void fzi_lineup_clear(fzi_lineup *lineup)
{
    if (lineup->list)
        fzi_release(lineup->setup.context->allocator, lineup->list);
    lineup->list = NULL;
}
