/* ferz export: what an archive has, as tables; or a game (export_game.c). */
#include "cli.h"

typedef struct exporter {
    const fzi_cli *cli;
    fz_archive *archive;
    json_t *runs;        /* those of the command line */
    unsigned players;    /* of the run that has most */
    bool payoffs;        /* some run has them */
    const char *before;  /* the next row of JSON */
} exporter;

static void take_run(void *user, json_t *row)
{
    exporter *e = user;
    const json_t *x = json_object_get(row, "experiment");
    unsigned players = fzi_experiment_players(x);

    json_array_append(e->runs, row);
    e->players = players > e->players ? players : e->players;
    e->payoffs |= fzi_experiment_is(x, "payoffs");
}

/* ---- text ---- */

static long long number_of(const json_t *row, const char *member)
{
    return json_integer_value(json_object_get(row, member));
}

static void print_runs(const exporter *e)
{
    fzi_table table;
    size_t i;
    json_t *run;

    fzi_table_begin(&table, "rlllrlrll",
                    "run\tgame\toptions\tagents\tseed\tplayouts\tplayed\tstarted\tended");
    json_array_foreach(e->runs, i, run) {
        const json_t *x = json_object_get(run, "experiment");
        char *options = json_dumps(json_object_get(x, "options"), JSON_COMPACT | JSON_ENCODE_ANY);
        const char *agents = fzi_experiment_text(x, "agents");
        long long first = number_of(run, "first"), count = number_of(run, "count");
        fzi_table_add(&table, "%lld\t%s\t%s\t%s\t%s\t%lld to %lld\t%lld\t%s\t%s",
                      number_of(run, "run"), fzi_experiment_text(x, "game"), options,
                      *agents ? agents : "random", fzi_experiment_text(x, "seed"), first,
                      first + count - 1, number_of(run, "played"),
                      fzi_experiment_text(run, "started"), fzi_experiment_text(run, "ended"));
        free(options);
    }
    fzi_table_print(&table, "");
}

/* ---- CSV ---- */

static void print_number(const json_t *value)
{
    putchar(',');
    if (json_is_integer(value))
        printf("%lld", (long long)json_integer_value(value));
}

static void print_game(void *user, json_t *row)
{
    static const char *const columns[] = {"game", "decisions", "turns", "moves"};
    static const char *const lists[] = {"ranks", "payoffs"};
    const exporter *e = user;

    printf("%lld", number_of(row, "run"));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        print_number(json_object_get(row, columns[i]));
    putchar(',');
    fzi_csv_field(fzi_experiment_text(row, "ending"));
    putchar(',');
    fzi_csv_field(fzi_experiment_text(row, "place"));
    print_number(json_object_get(row, "against"));
    for (int list = 0; list < 1 + e->payoffs; list++)
        for (unsigned p = 0; p < e->players; p++)
            print_number(json_array_get(json_object_get(row, lists[list]), p));
    putchar('\n');
}

static void print_header(const exporter *e)
{
    fputs("run,game,decisions,turns,moves,ending,place,against", stdout);
    for (unsigned p = 1; p <= e->players; p++)
        printf(",rank %u", p);
    for (unsigned p = 1; e->payoffs && p <= e->players; p++)
        printf(",payoff %u", p);
    putchar('\n');
}

/* ---- JSON ---- */

/* One object a line: archives are larger than the memory. */
static void print_object(void *user, json_t *row)
{
    exporter *e = user;

    fputs(e->before, stdout);
    json_dumpf(row, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    e->before = ",\n";
}

static fz_status print_json(exporter *e)
{
    size_t i;
    json_t *run;

    fputs("{\"runs\": [", stdout);
    json_array_foreach(e->runs, i, run) {
        json_object_del(run, "played");
        print_object(e, run);
    }
    fputs("],\n\"games\": [", stdout);
    e->before = "\n";
    fz_status status = fzi_archive_list(e->archive, true, e->cli->run, print_object, e);
    puts("]}");
    return status;
}

/* ---- the command ---- */

static int print_record(const exporter *e)
{
    uint64_t run = (uint64_t)number_of(json_array_get(e->runs, 0), "run");
    char *record = NULL;
    fz_status status = fz_archive_record(e->archive, run, e->cli->game, &record);

    return fzi_cli_write(e->cli, e->archive->context, status, record, "-");
}

static fz_status print_all(exporter *e)
{
    switch (e->cli->format) {
    case FZ_CLI_JSON: return print_json(e);
    case FZ_CLI_CSV:
        print_header(e);
        return fzi_archive_list(e->archive, true, e->cli->run, print_game, e);
    default: print_runs(e); return fzi_archive_complete(e->archive, e->cli->run);
    }
}

static int export_archive(exporter *e)
{
    const fzi_cli *cli = e->cli;
    bool one_game = fzi_cli_has(cli, FZ_CLI_GAME);
    fz_status status = fzi_archive_list(e->archive, false, cli->run, take_run, e);
    size_t runs = json_array_size(e->runs);

    if (status == FZ_OK && cli->run && !runs)
        return fzi_cli_complain(cli, "%s: there is no run %" PRIu64, e->archive->path, cli->run);
    if (status == FZ_OK && one_game && runs != 1)
        return fzi_cli_complain(cli, "--game needs --run: there are several runs");
    if (status == FZ_OK && one_game)
        return print_record(e);
    if (status == FZ_OK)
        status = print_all(e);
    return fzi_cli_failed(cli, e->archive->context, status, NULL);
}

int fzi_cli_export(const fzi_cli *cli)
{
    if (fzi_cli_has(cli, FZ_CLI_TO))
        return fzi_cli_export_game(cli);
    exporter e = {.cli = cli, .runs = json_array(), .before = "\n"};
    fz_context *context = fzi_session_context(cli);
    fz_status status;
    int code = FZ_EXIT_USAGE;

    if (context) {
        status = fz_archive_open(context, cli->words.items[0], false, &e.archive);
        code = status == FZ_OK ? export_archive(&e) : fzi_cli_failed(cli, context, status, NULL);
        fz_archive_close(e.archive);
        fz_context_free(context);
    }
    json_decref(e.runs);
    return code;
}
