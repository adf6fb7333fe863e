/* ferz solve: the exact value of small games. */
#include "cli.h"

#include "interp/agents/agent.h"
#include "interp/vm/fault.h"

static const size_t MEMORY = (size_t)1 << 30;

size_t fzi_cli_memory(const fzi_cli *cli)
{
    return cli->limits.memory ? cli->limits.memory : MEMORY;
}

static int read_precision(const fzi_cli *cli, double usual, double *precision)
{
    char *end;

    *precision = usual;
    if (!fzi_cli_has(cli, FZ_CLI_PRECISION))
        return FZ_EXIT_OK;
    *precision = strtod(cli->values[FZ_CLI_PRECISION], &end);
    if (!*end && *precision > 0 && *precision <= 1)
        return FZ_EXIT_OK;
    return fzi_cli_complain(cli, "--precision takes a number above 0 and up to 1, not '%s'",
                            cli->values[FZ_CLI_PRECISION]);
}

static int failed(const fzi_session *session, fz_status status)
{
    const char *message = fz_machine_message(session->machine);

    if (status == FZ_NOT_FOUND && fzi_terminal_interrupted()) {
        fzi_cli_complain(session->cli, "interrupted: the game is not solved");
        return FZ_EXIT_WRONG;
    }
    if (strstr(message, "too large")) {
        fzi_cli_complain(session->cli, "%s%s", message,
                         strstr(message, "bytes of memory") ? " (--limit memory=N allows more)"
                                                            : "");
        return FZ_EXIT_WRONG;
    }
    if (status == FZ_USAGE)
        return fzi_cli_complain(session->cli, "%s%s", message,
                                strstr(message, "earlier positions")
                                    ? " (--no-repetition leaves these rules out)" : "");
    return fzi_session_failed(session, status);
}

/* ---- games that hide nothing ---- */

static int run_open(fzi_session *session, const fz_watch *watch, fzi_progress *progress)
{
    const fzi_cli *cli = session->cli;
    fzi_graph_task task = {.machine = session->machine, .from = session->state,
                           .most = fzi_cli_memory(cli),
                           .forget = fzi_cli_has(cli, FZ_CLI_NO_REPETITION),
                           .symmetric = fzi_cli_has(cli, FZ_CLI_SYMMETRY), .watch = watch};
    fzi_solution solution = {.count = 0};
    double precision;
    int code = read_precision(cli, 1e-6, &precision);

    if (code == FZ_EXIT_OK) {
        fz_status status = fzi_solution_make(&solution, &task, precision);
        fzi_progress_end(progress);
        code = status == FZ_OK ? fzi_solution_print(session, &solution) : failed(session, status);
        fzi_solution_clear(&solution);
    }
    fzi_progress_end(progress);
    return code;
}

/* ---- games that hide something ---- */

/* Asks the agents of --agents, and prints what best answers to them gain. */
static int try_agents(fzi_session *session, fzi_hidden *h, const fz_watch *watch,
                      fzi_progress *progress)
{
    const fzi_cli *cli = session->cli;
    fzi_setup setup = fzi_session_setup(session);
    fz_agent *agents[FZ_STRATEGY_PLAYERS] = {NULL};
    fzi_hidden_task task = {agents, cli->count, setup.options.seed, watch};
    fzi_hidden_loss loss;
    fzi_lineup lineup;
    char message[256];
    int code;

    fz_status status = fzi_lineup_read(&lineup, &setup, cli->values[FZ_CLI_AGENTS]);
    if (status != FZ_OK) {
        fzi_progress_end(progress);
        return fzi_cli_failed(cli, session->context, status, NULL);
    }
    for (unsigned p = 0; p < FZ_STRATEGY_PLAYERS && status == FZ_OK; p++) {
        status = fzi_agent_make(&setup, lineup.descriptions[lineup.count == 1 ? 0 : p], &agents[p],
                                message);
        if (status != FZ_OK)
            fzi_machine_say(session->machine, status, "%s", message);
    }
    if (status == FZ_OK)
        status = fzi_hidden_try(h, &task, &loss);
    fzi_progress_end(progress);
    code = status == FZ_OK ? fzi_hidden_loss_print(session, h, &loss, cli->count)
                           : failed(session, status);
    for (unsigned p = 0; p < FZ_STRATEGY_PLAYERS; p++)
        fz_agent_free(agents[p]);
    fzi_lineup_clear(&lineup);
    return code;
}

static int run_hidden(fzi_session *session, const fz_watch *watch, fzi_progress *progress)
{
    const fzi_cli *cli = session->cli;
    fzi_hidden h = {0};
    double precision, exploitability = 0;
    int code = read_precision(cli, 1e-3, &precision);

    if (fzi_session_begins_elsewhere(cli))
        return fzi_cli_complain(cli, "a game that hides something is solved from its beginning");
    if (code != FZ_EXIT_OK)
        return code;
    fz_status status = fzi_hidden_make(&h, session->machine, session->state, fzi_cli_memory(cli),
                                       watch);
    bool tries = status == FZ_OK && fzi_cli_has(cli, FZ_CLI_AGENTS);
    if (status == FZ_OK && !tries)
        exploitability = fzi_hidden_solve(&h, precision, watch);
    if (!tries)
        fzi_progress_end(progress);
    if (status != FZ_OK)
        code = failed(session, status);
    else if (tries)
        code = try_agents(session, &h, watch, progress);
    else if (exploitability < 0)
        code = fzi_cli_complain(cli, "out of memory");
    else
        code = fzi_hidden_print(session, &h, exploitability);
    if (code == FZ_EXIT_OK && exploitability > precision)
        fprintf(stderr, "stopped before the exploitability was at most %g\n", precision);
    fzi_hidden_clear(&h);
    return code;
}

static int run(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    fzi_progress progress;

    if (fzi_cli_has(cli, FZ_CLI_AGENTS) && !fz_program_hides(session->program))
        return fzi_cli_complain(cli, "--agents is for games that hide something");
    if (fzi_cli_has(cli, FZ_CLI_AGENTS) && cli->count < 2)
        return fzi_cli_complain(cli, "--count is 2 at least: the answers are found from one half "
                                "and tried on the other");
    fz_watch watch = fzi_progress_begin(&progress, "positions");

    fzi_terminal_catch_interrupt();
    fzi_terminal_end_slowly();
    return fz_program_hides(session->program) ? run_hidden(session, &watch, &progress)
                                              : run_open(session, &watch, &progress);
}

int fzi_cli_solve(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_ASK, run);
}
