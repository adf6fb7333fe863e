/* ferz match: agents against each other with seats exchanged, in one or several rulesets. */
#include "match_tables.h"
#include "interp/agents/agent.h"

/* ---- the sequential test ---- */

static int read_sprt(const fzi_cli *cli, const char *text, fzi_sprt *sprt)
{
    const struct {
        const char *name;
        double *value;
    } settings[] = {{"elo0", &sprt->elo0}, {"elo1", &sprt->elo1}, {"alpha", &sprt->alpha},
                    {"beta", &sprt->beta}};
    bool good = true;

    *sprt = (fzi_sprt){0, 20, 0.05, 0.05};
    while (good && *text) {
        size_t length = strcspn(text, "="), i = 0;
        char *end = NULL;
        while (i < 4 && (strlen(settings[i].name) != length ||
                         strncmp(settings[i].name, text, length) != 0))
            i++;
        good = i < 4 && text[length] == '=' && text[length + 1] && text[length + 1] != ',';
        if (good)
            *settings[i].value = strtod(text + length + 1, &end);
        good = good && (!*end || (*end == ',' && end[1]));
        text = good ? end + (*end == ',') : text;
    }
    if (good && fabs(sprt->elo0) <= 1000 && fabs(sprt->elo1) <= 1000 && sprt->elo0 < sprt->elo1 &&
        sprt->alpha > 0 && sprt->alpha < 0.5 && sprt->beta > 0 && sprt->beta < 0.5)
        return FZ_EXIT_OK;
    return fzi_cli_complain(cli, "--sprt takes elo0=E,elo1=E,alpha=P,beta=P with elo0 < elo1 and "
                            "P between 0 and 0.5, such as elo0=0,elo1=20,alpha=0.05,beta=0.05, "
                            "not '%s'", cli->values[FZ_CLI_SPRT]);
}

/* ---- playing ---- */

static fz_status make_agent(void *user, unsigned which, fz_decider *decider, char *message)
{
    const fzi_pairing *p = user;

    return fzi_agent_decide(&p->lineup->setup, fzi_pairing_agent(p, which), decider, message);
}

static fz_status make_seated(void *user, unsigned player, fz_decider *decider, char *message)
{
    const fzi_pairing *p = user;

    return make_agent(user, fzi_match_agent(p->side_of, player, 0), decider, message);
}

/* The deciders of the first game, for its record. */
static fz_status make_first(void *user, fz_decider *deciders, char *message)
{
    const fzi_pairing *p = user;

    return fzi_deciders_make((unsigned)fz_program_players(p->lineup->setup.program), make_seated,
                             user, deciders, message);
}

static int record_first(fzi_match_arena *a)
{
    fzi_session *session = &a->rules.session;
    bool logs = fzi_lineup_needs_log(session->program, session->cli->values[FZ_CLI_AGENTS]);
    fz_lineup lineup = {make_first, &a->pairings[0], logs};

    return fzi_record_first(session, &lineup, 0);
}

static int play_pairing(const fzi_match_event *e, fzi_match_arena *a, fzi_pairing *p,
                        const fz_state *from)
{
    const fzi_cli *cli = e->cli;
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, "games");
    fzi_match match = {.program = a->rules.session.program, .limits = &cli->limits, .from = from,
                       .make = make_agent, .user = p,
                       .logs = fzi_lineup_needs_log(a->rules.session.program,
                                                    cli->values[FZ_CLI_AGENTS]),
                       .seed = cli->seed,
                       .pairs = cli->count / 2 + cli->count % 2,
                       .sprt = e->tests ? &e->sprt : NULL, .threads = fzi_threads(cli->threads),
                       .watch = &watch};
    char message[256];
    uint64_t failed;

    fz_status status = fzi_match_play(&match, &p->result, &failed, message);
    fzi_progress_end(&progress);
    if (status == FZ_OK)
        return FZ_EXIT_OK;
    fzi_cli_complain(cli, "%s%s", message, fzi_cli_hint(cli, message));
    if (status == FZ_RUNTIME)
        fprintf(stderr, "  in game %" PRIu64 " of %s against %s, seed %" PRIu64 "\n", failed + 1,
                fzi_pairing_agent(p, 0), fzi_pairing_agent(p, 1), cli->seed);
    return status == FZ_RUNTIME || status == FZ_REFUSED ? FZ_EXIT_WRONG : FZ_EXIT_USAGE;
}

/* What determines the games that were played. */
static void trace_arena(fzi_match_arena *a)
{
    fzi_setup setup = fzi_session_setup(&a->rules.session);
    json_t *experiment = fzi_experiment_of(&setup, true);
    uint64_t games = 0;

    for (unsigned i = 0; i < a->count; i++)
        if (a->pairings[i].result.games > games)
            games = a->pairings[i].result.games;
    a->run = fzi_experiment_trace(experiment, 0, games);
    json_decref(experiment);
}

static int play_arena(const fzi_match_event *e, fzi_match_arena *a)
{
    const fz_state *from = fzi_session_begins_elsewhere(e->cli) ? a->rules.session.state : NULL;
    int code = FZ_EXIT_OK;

    if (from && fz_state_waiting(from) == FZ_GAME_OVER)
        return fzi_cli_complain(e->cli, "the game is over in this position");
    if (a == e->arenas[0] && fzi_cli_has(e->cli, FZ_CLI_RECORD))
        code = record_first(a);
    for (unsigned i = 0; i < a->count && code == FZ_EXIT_OK; i++)
        code = play_pairing(e, a, &a->pairings[i], from);
    trace_arena(a);
    return code;
}

/* Makes each agent once, so that what is wrong is said before anything runs. */
static int try_agents(const fzi_cli *cli, const fzi_match_arena *a)
{
    for (unsigned i = 0; i < a->lineup.count; i++) {
        fz_agent *agent;
        char message[256] = "";
        if (fzi_agent_make(&a->lineup.setup, a->lineup.descriptions[i], &agent, message) != FZ_OK)
            return fzi_cli_complain(cli, "%s", message);
        fz_agent_free(agent);
    }
    return FZ_EXIT_OK;
}

static void pair_agents(fzi_match_arena *a)
{
    for (unsigned i = 0; i < a->lineup.count; i++)
        for (unsigned j = i + 1; j < a->lineup.count; j++)
            a->pairings[a->count++] =
                (fzi_pairing){.lineup = &a->lineup, .agents = {i, j}, .side_of = a->side_of};
}

static int open_arena(fzi_match_event *e, fzi_match_arena *a, const char *word)
{
    const fzi_cli *cli = e->cli;
    int code = fzi_ruleset_open(&a->rules, cli, word);

    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&a->rules.session, FZ_CHANCE_ASK);
    if (code != FZ_EXIT_OK)
        return code;
    if (fzi_sides(a->rules.session.program, a->side_of) < 2)
        return fzi_cli_complain(cli, "%s: all players are on one side; `ferz playout --agents` "
                                "shows how well an agent does", a->rules.path);
    fzi_setup setup = fzi_session_setup(&a->rules.session);
    if (fzi_lineup_split(&a->lineup, &setup, setup.options.agents) != FZ_OK)
        return fzi_cli_complain(cli, "out of memory");
    if (a->lineup.count < 2 || a->lineup.count > FZ_MAX_RATED)
        return fzi_cli_complain(cli, "--agents takes 2 to %d agents here, such as mcts:1000,random",
                                FZ_MAX_RATED);
    if (e->tests && a->lineup.count > 2)
        return fzi_cli_complain(cli, "--sprt tests two agents, not %u", a->lineup.count);
    pair_agents(a);
    return try_agents(cli, a);
}

static int run(fzi_match_event *e)
{
    const fzi_cli *cli = e->cli;
    int code = FZ_EXIT_OK;

    if (!fzi_cli_has(cli, FZ_CLI_AGENTS))
        return fzi_cli_complain(cli, "--agents is required, such as --agents mcts:1000,random");
    e->tests = fzi_cli_has(cli, FZ_CLI_SPRT);
    if (e->tests)
        code = read_sprt(cli, cli->values[FZ_CLI_SPRT], &e->sprt);
    for (size_t i = 0; i < cli->words.count && code == FZ_EXIT_OK; i++) {
        fzi_match_arena *a = fzi_cli_allocate(NULL, sizeof *a);
        memset(a, 0, sizeof *a);
        e->arenas[e->count++] = a;
        code = open_arena(e, a, cli->words.items[i]);
        a->rules.session.of_several = cli->words.count > 1;
    }
    if (code == FZ_EXIT_OK)
        fzi_terminal_catch_interrupt();
    for (unsigned i = 0; i < e->count && code == FZ_EXIT_OK; i++)
        code = play_arena(e, e->arenas[i]);
    if (code != FZ_EXIT_OK)
        return code;
    if (fzi_terminal_interrupted())
        fputs("interrupted: the results so far\n", stderr);
    return fzi_match_print(e);
}

int fzi_cli_match(const fzi_cli *cli)
{
    fzi_match_event e = {.cli = cli};
    int code = run(&e);

    for (unsigned i = 0; i < e.count; i++) {
        json_decref(e.arenas[i]->run);
        fzi_lineup_clear(&e.arenas[i]->lineup);
        fzi_ruleset_close(&e.arenas[i]->rules);
        free(e.arenas[i]);
    }
    return code;
}
