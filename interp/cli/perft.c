/* ferz perft: counts of sequences of moves, by depth or below each first move. */
#include "progress.h"
#include "session.h"
#include "table.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>

static bool watch_stop(void *user, uint64_t done, uint64_t total)
{
    fzi_progress_update(user, done, total);
    return fzi_terminal_interrupted();
}

typedef struct perft_run {
    fzi_session session;
    unsigned depth;
    bool decisions;
    fzi_progress progress;
    fz_watch watch;
} perft_run;

static fz_status count(perft_run *run, const fz_state *state, unsigned depth, uint64_t *nodes)
{
    return fz_perft(run->session.machine, state, depth, run->decisions, &run->watch, nodes);
}

/* By depth, each line as soon as it is known. */
static int count_depths(perft_run *run)
{
    enum fzi_cli_format format = run->session.cli->format;
    json_t *list = json_array();
    double started = fzi_seconds();

    if (format == FZ_CLI_CSV)
        puts("depth,nodes");
    for (unsigned depth = 1; depth <= run->depth && !fzi_terminal_interrupted(); depth++) {
        uint64_t nodes = 0;
        double begun = fzi_seconds();
        fz_status status = count(run, run->session.state, depth, &nodes);
        if (fzi_terminal_interrupted())
            break;
        if (status != FZ_OK) {
            json_decref(list);
            return fzi_session_failed(&run->session, status);
        }
        fzi_progress_end(&run->progress);
        if (format == FZ_CLI_JSON)
            json_array_append_new(list, json_pack("{s:i, s:I, s:f}", "depth", (int)depth, "nodes",
                                                  (long long)nodes, "seconds", fzi_seconds() - begun));
        else if (format == FZ_CLI_CSV)
            printf("%u,%" PRIu64 "\n", depth, nodes);
        else
            printf("depth %u: %" PRIu64 "\n", depth, nodes);
        fflush(stdout);
        fzi_progress_begin(&run->progress, "nodes");
    }
    fzi_progress_end(&run->progress);
    if (format != FZ_CLI_JSON) {
        json_decref(list);
        return FZ_EXIT_OK;
    }
    return fzi_json_print(json_pack("{s:s, s:o, s:b, s:o, s:f}", "game",
                                    fz_program_title(run->session.program), "options",
                                    fzi_session_options(run->session.cli), "decisions",
                                    (int)run->decisions, "depths", list, "seconds",
                                    fzi_seconds() - started));
}

/* What lies below one first move: with whole turns, the rest of its turn does not count, which perft of
 * a state inside a turn sees to. */
static fz_status count_below(perft_run *run, const fz_move *move, uint64_t *nodes)
{
    fz_state *after = fz_state_clone(run->session.state);
    unsigned rest = run->depth - 1;
    fz_status status;

    if (!after)
        return FZ_NO_MEMORY;
    status = fz_state_play(run->session.machine, after, move);
    if (status == FZ_OK && !run->decisions && fz_state_waiting(after) != FZ_GAME_OVER &&
        !fz_state_at_turn_start(after))
        rest = run->depth;
    *nodes = 1;
    if (status == FZ_OK && rest > 0)
        status = count(run, after, rest, nodes);
    fz_state_free(after);
    return status;
}

static int print_divided(perft_run *run, fzi_table *table, uint64_t total, json_t *list)
{
    const fzi_cli *cli = run->session.cli;

    fzi_progress_end(&run->progress);
    if (cli->format == FZ_CLI_JSON)
        return fzi_json_print(json_pack("{s:s, s:i, s:o, s:I}", "game",
                                        fz_program_title(run->session.program), "depth",
                                        (int)run->depth, "moves", json_incref(list), "nodes", (long long)total));
    if (cli->format == FZ_CLI_CSV) {
        fzi_table_print_csv(table);
        return FZ_EXIT_OK;
    }
    fzi_table_print(table, "", false);
    printf("\n%" PRIu64 " in all\n", total);
    return FZ_EXIT_OK;
}

static int divide(perft_run *run)
{
    fz_moves *moves = fz_moves_new(run->session.machine);
    fz_status status = moves ? fz_state_moves(run->session.machine, run->session.state, moves)
                             : FZ_NO_MEMORY;
    size_t n = status == FZ_OK ? fz_moves_count(moves) : 0;
    json_t *list = json_array();
    uint64_t total = 0;
    fzi_table table;
    int code;

    fzi_table_begin(&table, "lr");
    fzi_table_cell(&table, "move");
    fzi_table_cell(&table, "nodes");
    for (size_t i = 0; i < n && status == FZ_OK && !fzi_terminal_interrupted(); i++) {
        fz_move move = fz_moves_at(moves, i);
        uint64_t nodes = 0;
        status = count_below(run, &move, &nodes);
        if (status != FZ_OK || fzi_terminal_interrupted())
            break;
        const char *text = fz_move_text(run->session.machine, run->session.state, &move);
        fzi_table_cell(&table, "%s", text);
        fzi_table_cell(&table, "%" PRIu64, nodes);
        json_array_append_new(list, json_pack("{s:s, s:I}", "move", text, "nodes", (long long)nodes));
        total += nodes;
    }
    code = status == FZ_OK || fzi_terminal_interrupted()
               ? print_divided(run, &table, total, list)
               : fzi_session_failed(&run->session, status);
    json_decref(list);
    fzi_table_clear(&table);
    fz_moves_free(moves);
    return code;
}

static int run_perft(perft_run *run)
{
    const fzi_cli *cli = run->session.cli;
    uint64_t depth;

    if (!fzi_cli_number(cli->words.items[1], &depth) || depth < 1 || depth > 1000)
        return fzi_cli_complain(cli, "DEPTH is a number from 1, not '%s'", cli->words.items[1]);
    run->depth = (unsigned)depth;
    run->decisions = fzi_cli_has(cli, FZ_CLI_DECISIONS);
    run->watch = (fz_watch){watch_stop, &run->progress};
    fzi_terminal_catch_interrupt();
    fzi_progress_begin(&run->progress, "nodes");
    if (fzi_cli_has(cli, FZ_CLI_DIVIDE)) {
        if (fz_state_waiting(run->session.state) != FZ_WAITING_MOVE)
            return fzi_cli_complain(cli, "--divide needs a position with a choice of moves");
        return divide(run);
    }
    return count_depths(run);
}

int fzi_cli_perft(const fzi_cli *cli)
{
    perft_run run = {0};
    int code = fzi_session_open(&run.session, cli, cli->words.items[0]);

    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&run.session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK)
        code = run_perft(&run);
    fzi_session_clear(&run.session);
    if (code == FZ_EXIT_OK && fzi_terminal_interrupted())
        fputs("interrupted\n", stderr);
    return code;
}
