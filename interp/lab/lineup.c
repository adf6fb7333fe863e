/* Lists of agents. See lineup.h. */
#include "lineup.h"

#include "pipe_agent.h"

#include "interp/agents/agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

fz_status fzi_agent_make(const fzi_setup *setup, const char *description, fz_agent **agent,
                         char *message)
{
    fz_status status;

    if (strncmp(description, "pipe:", 5) == 0)
        return fzi_pipe_agent_new(setup, description, agent, message);
    status = fzi_agent_describe(setup->context, setup->program, description, agent, message);
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

static fz_status make_agent(void *user, unsigned player, fz_decider *decider, char *message)
{
    const fzi_lineup *cast = user;

    return fzi_agent_decide(&cast->setup, cast->descriptions[cast->count == 1 ? 0 : player],
                            decider, message);
}

static fz_status make_all(void *user, fz_decider *deciders, char *message)
{
    const fzi_lineup *cast = user;

    return fzi_deciders_make((unsigned)fz_program_players(cast->setup.program), make_agent, user,
                             deciders, message);
}

/* Makes all agents once, so that errors in descriptions are found before anything runs. */
static fz_status try(fzi_lineup *cast)
{
    fz_decider deciders[16] = {{0}};
    char message[256] = "";
    int players = fz_program_players(cast->setup.program);
    fz_status status = make_all(cast, deciders, message);

    if (status != FZ_OK)
        return fzi_context_fail(cast->setup.context, status, "%s", message);
    for (int p = 0; p < players; p++)
        cast->timed = cast->timed || fz_agent_is_timed(deciders[p].self);
    fzi_deciders_release(deciders, (unsigned)players);
    return FZ_OK;
}

fz_status fzi_lineup_split(fzi_lineup *cast, const fzi_setup *setup, const char *list)
{
    *cast = (fzi_lineup){.setup = *setup, .list = fzi_copy_text(setup->context->allocator, list,
                                                                strlen(list))};
    cast->cast = (fz_lineup){make_all, cast, fz_program_hides(setup->program)};
    for (char *at = cast->list; at; cast->count++) {
        char *comma = strchr(at, ',');
        if (cast->count < 16)
            cast->descriptions[cast->count] = at;
        if (comma)
            *comma++ = '\0';
        at = comma;
    }
    return cast->list ? FZ_OK : fzi_context_no_memory(setup->context);
}

fz_status fzi_lineup_read(fzi_lineup *cast, const fzi_setup *setup, const char *list)
{
    unsigned players = (unsigned)fz_program_players(setup->program);
    fz_status status = fzi_lineup_split(cast, setup, list);

    if (status == FZ_OK && cast->count != 1 && cast->count != players)
        status = fzi_context_fail(setup->context, FZ_USAGE, "--agents has %u agents, but the game "
                                  "has %u players", cast->count, players);
    if (status == FZ_OK)
        status = try(cast);
    if (status != FZ_OK)
        fzi_lineup_clear(cast);
    return status;
}

void fzi_lineup_clear(fzi_lineup *cast)
{
    if (cast->list)
        fzi_release(cast->setup.context->allocator, cast->list);
    cast->list = NULL;
}
