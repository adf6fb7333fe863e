/* ferz bench: how fast a game is played on this machine. */
#include "cli.h"

typedef struct rates {
    uint64_t playouts, decisions, nodes;
    double seconds, count_seconds;
    unsigned depth, threads;
} rates;

typedef struct deadline {
    double at;
} deadline;

static bool is_over(void *user, uint64_t done, uint64_t total)
{
    const deadline *d = user;

    (void)done, (void)total;
    return fzi_seconds() >= d->at || fzi_terminal_interrupted();
}

/* Playouts until the time is up. */
static int play(fzi_session *session, double seconds, rates *r)
{
    const fzi_cli *cli = session->cli;
    deadline end = {fzi_seconds() + seconds};
    fz_watch watch = {is_over, &end};
    fz_tally tally = {0};
    char message[256] = "";
    fz_status status = fz_playouts(session->program, &cli->limits, cli->seed, 0, UINT32_MAX,
                                   r->threads, false, &watch, &tally, message);

    r->playouts = tally.playouts;
    r->decisions = tally.plies;
    r->seconds = tally.seconds;
    return status == FZ_OK ? FZ_EXIT_OK
                           : fzi_session_playouts_failed(session, &tally, NULL, message);
}

/* Perft, deeper and deeper, as long as the next depth may fit the time. */
static int count(fzi_session *session, double seconds, rates *r)
{
    deadline end = {fzi_seconds() + seconds};
    fz_watch watch = {is_over, &end};
    uint64_t before = 1;

    for (r->depth = 0; r->depth < 100;) {
        fz_count_task task = {.depth = r->depth + 1, .threads = r->threads};
        fz_ratio number;
        double begun = fzi_seconds(), took;
        fz_status status = fz_count(session->machine, session->state, &task, &watch, &number);
        if (status != FZ_OK)
            return fzi_session_failed(session, status);
        took = fzi_seconds() - begun;
        if ((is_over(&end, 0, 0) && r->depth > 0) || !number.numerator)
            break;
        r->depth++;
        r->nodes = (uint64_t)number.numerator;
        r->count_seconds = took;
        if (fzi_seconds() + took * (double)r->nodes / (double)before > end.at)
            break;
        before = r->nodes;
    }
    return FZ_EXIT_OK;
}

static double per_second(uint64_t number, double seconds)
{
    return seconds > 0 ? (double)number / seconds : 0;
}

static int print_rates(const fzi_session *session, const rates *r)
{
    char number[32];

    if (session->cli->format == FZ_CLI_JSON)
        return fzi_json_print(json_pack(
            "{s:s, s:o, s:i, s:I, s:f, s:f, s:i, s:I, s:f}", "game",
            fz_program_title(session->program), "options", fzi_session_options(session->cli),
            "threads", (int)r->threads, "playouts", (long long)r->playouts, "playouts_per_second",
            per_second(r->playouts, r->seconds), "decisions_per_second",
            per_second(r->decisions, r->seconds), "perft_depth", (int)r->depth, "perft_nodes",
            (long long)r->nodes, "nodes_per_second", per_second(r->nodes, r->count_seconds)));
    printf("%s, %u thread%s\n", fz_program_title(session->program), r->threads,
           r->threads == 1 ? "" : "s");
    printf("  %s playouts a second",
           fzi_grouped((uint64_t)per_second(r->playouts, r->seconds), number));
    printf(", %s decisions a second\n",
           fzi_grouped((uint64_t)per_second(r->decisions, r->seconds), number));
    printf("  %s perft nodes a second",
           fzi_grouped((uint64_t)per_second(r->nodes, r->count_seconds), number));
    printf(" (%s at depth %u)\n", fzi_grouped(r->nodes, number), r->depth);
    return FZ_EXIT_OK;
}

static int run(fzi_session *session)
{
    double seconds =
        (double)(fzi_cli_has(session->cli, FZ_CLI_SECONDS) ? session->cli->seconds : 2);
    rates r = {.threads = session->cli->threads ? (unsigned)session->cli->threads : 1};
    int code;

    fzi_terminal_catch_interrupt();
    code = play(session, seconds, &r);
    if (code == FZ_EXIT_OK)
        code = count(session, seconds, &r);
    return code == FZ_EXIT_OK ? print_rates(session, &r) : code;
}

int fzi_cli_bench(const fzi_cli *cli)
{
    if (cli->format == FZ_CLI_CSV)
        return fzi_cli_no_csv(cli);
    return fzi_session_run(cli, FZ_CHANCE_ASK, run);
}
