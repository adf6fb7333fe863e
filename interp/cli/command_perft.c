/* ferz perft: counts of sequences of moves, by depth or below each first move. */
#include "cli.h"

typedef struct perft_run {
    fzi_session *session;
    fz_count_task task;
    fzi_progress progress;
    fz_watch watch;
} perft_run;

static fz_status count(perft_run *run, const fz_state *state, unsigned depth, fz_ratio *number)
{
    fz_count_task task = run->task;

    task.depth = depth;
    return fz_count(run->session->machine, state, &task, &run->watch, number);
}

/* "expected" where chance weighs, as a text, as it may be a fraction. */
static void add_number(const perft_run *run, json_t *object, fz_ratio number)
{
    char text[FZ_RATIO_SIZE];

    if (!run->task.weighed) {
        json_object_set_new(object, "nodes", json_integer((long long)number.numerator));
        return;
    }
    json_object_set_new(object, "expected", json_string(fz_ratio_text(number, false, text)));
    json_object_set_new(object, "value", json_real(number.value));
}

static const char *number_name(const perft_run *run)
{
    return run->task.weighed ? "expected" : "nodes";
}

static void print_depth(const perft_run *run, unsigned depth, fz_ratio number)
{
    char text[FZ_RATIO_SIZE];

    fz_ratio_text(number, false, text);
    if (run->session->cli->format == FZ_CLI_CSV)
        printf("%u,%s\n", depth, text);
    else if (strchr(text, '/'))
        printf("depth %u: %s (%.6g)\n", depth, text, number.value);
    else
        printf("depth %u: %s\n", depth, text);
    fflush(stdout);
}

static int print_depths_json(perft_run *run, json_t *list, double seconds)
{
    static const char *const merges[] = {"nothing", "turns", "positions"};

    return fzi_json_print(json_pack("{s:s, s:b, s:s, s:o, s:f, s:o}", "game",
                                    fz_program_title(run->session->program), "decisions",
                                    (int)run->task.decisions, "merged", merges[run->task.merge],
                                    "depths", list, "seconds", seconds, "run",
                                    fzi_session_trace(run->session)));
}

/* By depth, each line as soon as it is known. */
static int count_depths(perft_run *run)
{
    enum fzi_cli_format format = run->session->cli->format;
    json_t *list = json_array();
    double started = fzi_seconds();

    if (format == FZ_CLI_CSV)
        printf("depth,%s\n", number_name(run));
    for (unsigned depth = 1; depth <= run->task.depth && !fzi_terminal_interrupted(); depth++) {
        fz_ratio number;
        double begun = fzi_seconds();
        fz_status status = count(run, run->session->state, depth, &number);
        if (fzi_terminal_interrupted())
            break;
        if (status != FZ_OK) {
            json_decref(list);
            return fzi_session_failed(run->session, status);
        }
        fzi_progress_end(&run->progress);
        if (format == FZ_CLI_JSON) {
            json_t *item = json_object();
            json_object_set_new(item, "depth", json_integer((int)depth));
            add_number(run, item, number);
            json_object_set_new(item, "seconds", json_real(fzi_seconds() - begun));
            json_array_append_new(list, item);
        } else {
            print_depth(run, depth, number);
        }
        fzi_progress_begin(&run->progress, "nodes");
    }
    fzi_progress_end(&run->progress);
    if (format == FZ_CLI_JSON)
        return print_depths_json(run, list, fzi_seconds() - started);
    json_decref(list);
    return FZ_EXIT_OK;
}

static int print_divided(perft_run *run, fzi_table *table, fz_ratio total, json_t *list)
{
    const fzi_cli *cli = run->session->cli;
    char text[FZ_RATIO_SIZE];
    json_t *object;

    fzi_progress_end(&run->progress);
    if (cli->format == FZ_CLI_JSON) {
        object = json_pack("{s:s, s:i, s:O}", "game", fz_program_title(run->session->program),
                           "depth", (int)run->task.depth, "moves", list);
        add_number(run, object, total);
        json_object_set_new(object, "run", fzi_session_trace(run->session));
        return fzi_json_print(object);
    }
    if (cli->format == FZ_CLI_CSV) {
        fzi_table_print_csv(table);
        return FZ_EXIT_OK;
    }
    fzi_table_print(table, "");
    printf("\n%s in all\n", fz_ratio_text(total, false, text));
    return FZ_EXIT_OK;
}

static fz_status divide_move(perft_run *run, const fz_move *move, fzi_table *table, json_t *list,
                             fz_ratio *total)
{
    fz_ratio number;
    char text[FZ_RATIO_SIZE];

    run->task.first = move;
    fz_status status = count(run, run->session->state, run->task.depth, &number);
    run->task.first = NULL;
    if (status != FZ_OK || fzi_terminal_interrupted())
        return status;
    const char *label = fz_move_text(run->session->machine, run->session->state, move);
    fzi_table_add(table, "%s\t%s", label, fz_ratio_text(number, false, text));
    json_t *item = json_pack("{s:s}", "move", label);
    add_number(run, item, number);
    json_array_append_new(list, item);
    *total = fz_ratio_add(*total, number);
    return FZ_OK;
}

static int divide(perft_run *run)
{
    fz_moves *moves = fz_moves_new(run->session->machine);
    fz_status status = moves ? fz_state_moves(run->session->machine, run->session->state, moves)
                             : FZ_NO_MEMORY;
    size_t n = status == FZ_OK ? fz_moves_count(moves) : 0;
    json_t *list = json_array();
    fz_ratio total = fz_ratio_of(0, 1);
    fzi_table table;
    int code;

    fzi_table_begin(&table, "lr", NULL);
    if (run->session->cli->format == FZ_CLI_CSV)
        fzi_table_add(&table, "move\t%s", number_name(run));
    for (size_t i = 0; i < n && status == FZ_OK && !fzi_terminal_interrupted(); i++) {
        fz_move move = fz_moves_at(moves, i);
        status = divide_move(run, &move, &table, list, &total);
    }
    code = status == FZ_OK || fzi_terminal_interrupted()
               ? print_divided(run, &table, total, list)
               : fzi_session_failed(run->session, status);
    json_decref(list);
    fzi_table_clear(&table);
    fz_moves_free(moves);
    return code;
}

/* Refuses options that cannot be combined with `option`. */
static int without(const fzi_cli *cli, const char *option, bool merges)
{
    static const enum fzi_cli_option others[] = {FZ_CLI_DECISIONS, FZ_CLI_EXPECTED, FZ_CLI_DIVIDE,
                                                 FZ_CLI_HASH};
    static const char *const names[] = {"decisions", "expected", "divide", "hash"};
    size_t count = sizeof others / sizeof others[0];

    for (size_t i = 0; i < (merges ? count : 2); i++) {
        if (fzi_cli_has(cli, others[i]))
            return fzi_cli_complain(cli, "--%s and --%s cannot be combined", option, names[i]);
    }
    return FZ_EXIT_OK;
}

/* Reads the task from the command line; refuses options that cannot be combined. */
static int read_task(perft_run *run)
{
    const fzi_cli *cli = run->session->cli;
    bool merge = fzi_cli_has(cli, FZ_CLI_MERGE), distinct = fzi_cli_has(cli, FZ_CLI_DISTINCT);
    uint64_t depth;

    if (!fzi_number_read(cli->words.items[1], &depth) || depth < 1 || depth > 1000)
        return fzi_cli_complain(cli, "DEPTH must be a number from 1 to 1000, not '%s'",
                                cli->words.items[1]);
    run->task = (fz_count_task){.depth = (unsigned)depth,
                                .decisions = fzi_cli_has(cli, FZ_CLI_DECISIONS),
                                .weighed = fzi_cli_has(cli, FZ_CLI_EXPECTED),
                                .merge = distinct ? FZ_MERGE_POSITIONS
                                         : merge  ? FZ_MERGE_TURNS : FZ_MERGE_NOTHING,
                                .keep = (size_t)cli->hash,
                                .threads = cli->threads ? (unsigned)cli->threads : 1};
    if (merge && distinct)
        return fzi_cli_complain(cli, "--merge and --distinct cannot be combined");
    if (merge || distinct)
        return without(cli, merge ? "merge" : "distinct", true);
    return fzi_cli_has(cli, FZ_CLI_HASH) ? without(cli, "hash", false) : FZ_EXIT_OK;
}

static int run_perft(fzi_session *session)
{
    perft_run run = {.session = session};
    int code = read_task(&run);

    if (code != FZ_EXIT_OK)
        return code;
    fzi_terminal_catch_interrupt();
    run.watch = fzi_progress_begin(&run.progress, "nodes");
    if (!fzi_cli_has(session->cli, FZ_CLI_DIVIDE))
        return count_depths(&run);
    if (fz_state_waiting(session->state) != FZ_WAITING_MOVE)
        return fzi_cli_complain(session->cli, "--divide needs a position that waits for a move");
    return divide(&run);
}

int fzi_cli_perft(const fzi_cli *cli)
{
    int code = fzi_session_run(cli, FZ_CHANCE_ASK, run_perft);

    if (code == FZ_EXIT_OK && fzi_terminal_interrupted())
        fputs("interrupted\n", stderr);
    return code;
}
