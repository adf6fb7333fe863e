#include "lineup.h"

#include "pipe_agent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/agents/agent.h"

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

fz_status fzi_agent_make(const fzi_session *session, const char *description, fz_agent **agent,
                         char *message)
{
    fz_status status;

    if (strncmp(description, "pipe:", 5) == 0)
        return fzi_pipe_agent_new(session, description, agent, message);
    status = fzi_agent_describe(session->context, session->program, description, agent, message);
    /* The library has listed its own agents. */
    if (status == FZ_USAGE && !is_known(description))
        snprintf(message + strlen(message), 256 - strlen(message), ", pipe:COMMAND");
    return status;
}

fz_status fzi_agent_decide(const fzi_session *session, const char *description, fz_decider *decider,
                           char *message)
{
    fz_agent *agent;
    fz_status status = fzi_agent_make(session, description, &agent, message);

    if (status == FZ_OK)
        *decider = fz_agent_decider(agent);
    return status;
}

static fz_status make_agent(void *user, unsigned player, fz_decider *decider, char *message)
{
    const fzi_lineup *cast = user;

    return fzi_agent_decide(cast->session, cast->descriptions[cast->count == 1 ? 0 : player],
                            decider, message);
}

static fz_status make_all(void *user, fz_decider *deciders, char *message)
{
    const fzi_lineup *cast = user;

    return fzi_deciders_make((unsigned)fz_program_players(cast->session->program), make_agent, user,
                             deciders, message);
}

/* Makes all agents once, so that what is wrong is said before anything runs. */
static int try(fzi_lineup *cast)
{
    fz_decider deciders[16] = {{0}};
    char message[256] = "";
    int players = fz_program_players(cast->session->program);
    fz_status status = make_all((void *)cast, deciders, message);

    for (int p = 0; status == FZ_OK && p < players; p++)
        cast->timed = cast->timed || fz_agent_is_timed(deciders[p].self);
    if (status == FZ_OK)
        fzi_deciders_release(deciders, (unsigned)players);
    return status == FZ_OK ? FZ_EXIT_OK : fzi_cli_complain(cast->session->cli, "%s", message);
}

void fzi_lineup_split(fzi_lineup *cast, const fzi_session *session, const char *list)
{
    *cast = (fzi_lineup){.session = session, .list = fzi_cli_allocate(NULL, strlen(list) + 1)};
    strcpy(cast->list, list);
    cast->cast = (fz_lineup){make_all, cast, fz_program_hides(session->program)};
    for (char *at = cast->list; at; cast->count++) {
        char *comma = strchr(at, ',');
        if (cast->count < 16)
            cast->descriptions[cast->count] = at;
        if (comma)
            *comma++ = '\0';
        at = comma;
    }
}

int fzi_lineup_read(fzi_lineup *cast, const fzi_session *session, const char *list)
{
    unsigned players = (unsigned)fz_program_players(session->program);
    int code = FZ_EXIT_OK;

    fzi_lineup_split(cast, session, list);
    if (cast->count != 1 && cast->count != players)
        code = fzi_cli_complain(session->cli, "--agents has %u agents, but the game has %u players",
                                cast->count, players);
    if (code == FZ_EXIT_OK)
        code = try(cast);
    if (code != FZ_EXIT_OK)
        fzi_lineup_clear(cast);
    return code;
}

void fzi_lineup_clear(fzi_lineup *cast)
{
    free(cast->list);
    cast->list = NULL;
}
