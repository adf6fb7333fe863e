/* ferz solve: the exact value of small games. */
#include "cli.h"

static const size_t MEMORY = (size_t)1 << 30;

static size_t memory_of(const fzi_cli *cli)
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
                           .most = memory_of(cli),
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
    fz_status status = fzi_hidden_make(&h, session->machine, session->state, memory_of(cli), watch);
    if (status == FZ_OK)
        exploitability = fzi_hidden_solve(&h, precision, watch);
    fzi_progress_end(progress);
    if (status != FZ_OK)
        code = failed(session, status);
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
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, "positions");

    fzi_terminal_catch_interrupt();
    return fz_program_hides(session->program) ? run_hidden(session, &watch, &progress)
                                              : run_open(session, &watch, &progress);
}

int fzi_cli_solve(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_ASK, run);
}
