/* ferz export: what an archive has, as tables. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

#ifdef HAVE_SQLITE
#include "interp/lab/archive_rows.h"

typedef struct exporter {
    const fzi_cli *cli;
    fz_archive archive;
    long long run;       /* of --run; 0: all */
    unsigned players;    /* of the run that has most */
    bool payoffs;        /* some run has them */
} exporter;

/* A statement about the runs, or the run, of this number. */
static sqlite3_stmt *query(exporter *e, const char *sql, long long number)
{
    sqlite3_stmt *s = fzi_archive_prepare(&e->archive, sql);

    if (s)
        sqlite3_bind_int64(s, 1, number);
    return s;
}

/* An exit code: the rows must have ended because there are no more. */
static int finish(exporter *e, sqlite3_stmt *s)
{
    sqlite3_finalize(s);
    return e->archive.failed ? FZ_EXIT_USAGE : FZ_EXIT_OK;
}

static const char *text_at(sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);

    return text ? text : "";
}

/* ---- the list of runs ---- */

static const char runs_sql[] =
    "SELECT run, game, options, agents, seed, first, count,\n"
    "  (SELECT count(*) FROM game WHERE game.run = run.run), started, ended\n"
    "FROM run WHERE ?1 = 0 OR run = ?1 ORDER BY run";

static int list_runs(exporter *e)
{
    static const char *const heads[] = {"run", "game", "options", "agents", "seed", "playouts",
                                        "played", "started", "ended"};
    enum { COLUMNS = sizeof heads / sizeof heads[0] };
    sqlite3_stmt *s = query(e, runs_sql, e->run);
    fzi_table table;

    if (!s)
        return FZ_EXIT_USAGE;
    fzi_table_begin(&table, "rlllrlrll");
    for (size_t i = 0; i < COLUMNS; i++)
        fzi_table_cell(&table, "%s", heads[i]);
    while (fzi_archive_next(&e->archive, s)) {
        long long first = sqlite3_column_int64(s, 5), count = sqlite3_column_int64(s, 6);
        fzi_table_cell(&table, "%s", text_at(s, 0));
        fzi_table_cell(&table, "%s", text_at(s, 1));
        fzi_table_cell(&table, "%s", text_at(s, 2));
        fzi_table_cell(&table, "%s", *text_at(s, 3) ? text_at(s, 3) : "random");
        fzi_table_cell(&table, "%s", text_at(s, 4));
        fzi_table_cell(&table, "%lld to %lld", first, first + count - 1);
        for (int column = 7; column < 10; column++)
            fzi_table_cell(&table, "%s", text_at(s, column));
    }
    fzi_table_print(&table, "", true);
    fzi_table_clear(&table);
    return finish(e, s);
}

/* ---- games ---- */

static const char games_sql[] =
    "SELECT run, game, decisions, turns, moves, kind, place, ranks, against, payoffs, record\n"
    "FROM played WHERE ?1 = 0 OR run = ?1 ORDER BY run, game";

/* The numbers of an array, as cells; empty ones where it has none. */
static void print_cells(const char *array, unsigned count)
{
    json_t *values = json_loads(array, 0, NULL);

    for (unsigned i = 0; i < count; i++) {
        const json_t *value = json_array_get(values, i);
        putchar(',');
        if (json_is_integer(value))
            printf("%lld", (long long)json_integer_value(value));
    }
    json_decref(values);
}

static int print_csv(exporter *e)
{
    sqlite3_stmt *s = query(e, games_sql, e->run);

    if (!s)
        return FZ_EXIT_USAGE;
    fputs("run,game,decisions,turns,moves,ending,place,against", stdout);
    for (unsigned p = 1; p <= e->players; p++)
        printf(",rank %u", p);
    for (unsigned p = 1; e->payoffs && p <= e->players; p++)
        printf(",payoff %u", p);
    putchar('\n');
    while (fzi_archive_next(&e->archive, s)) {
        for (int column = 0; column < 9; column++) {
            if (column == 7)
                continue;
            if (column)
                putchar(',');
            fzi_csv_field(text_at(s, column));
        }
        print_cells(text_at(s, 7), e->players);
        if (e->payoffs)
            print_cells(text_at(s, 9), e->players);
        putchar('\n');
    }
    return finish(e, s);
}

/* A column as JSON: a number, a text, or the JSON that it holds. */
static json_t *value_at(sqlite3_stmt *s, int column, bool holds_json)
{
    json_t *value;

    if (sqlite3_column_type(s, column) == SQLITE_NULL)
        return json_null();
    if (sqlite3_column_type(s, column) == SQLITE_INTEGER)
        return json_integer(sqlite3_column_int64(s, column));
    value = holds_json ? json_loads(text_at(s, column), JSON_DECODE_ANY, NULL)
                       : json_string(text_at(s, column));
    return value ? value : json_null();
}

static bool print_object(json_t *object, const char *before)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER);

    json_decref(object);
    if (text)
        printf("%s%s", before, text);
    free(text);
    return text != NULL;
}

/* One object a line: archives are larger than the memory. */
static int print_rows(exporter *e, const char *sql, const char *const *names, int columns,
                      const char *json_columns)
{
    sqlite3_stmt *s = query(e, sql, e->run);
    const char *before = "\n";

    if (!s)
        return FZ_EXIT_USAGE;
    while (fzi_archive_next(&e->archive, s)) {
        json_t *object = json_object();
        for (int i = 0; i < columns; i++)
            json_object_set_new(object, names[i], value_at(s, i, json_columns[i] == 'j'));
        print_object(object, before);
        before = ",\n";
    }
    return finish(e, s);
}

static int print_json(exporter *e)
{
    static const char *const run_names[] = {"run", "experiment", "first", "count", "records",
                                            "command", "started", "ended"};
    static const char *const game_names[] = {"run", "game", "decisions", "turns", "moves", "ending",
                                             "place", "ranks", "against", "payoffs", "record"};
    int code;

    fputs("{\"runs\": [", stdout);
    code = print_rows(e, "SELECT run, experiment, first, count, records, command, started, ended "
                      "FROM run WHERE ?1 = 0 OR run = ?1 ORDER BY run", run_names, 8, "-j------");
    if (code == FZ_EXIT_OK) {
        fputs("],\n\"games\": [", stdout);
        code = print_rows(e, games_sql, game_names, 11, "-------j-j-");
    }
    puts("]}");
    return code;
}

/* ---- one record ---- */

static int print_record(exporter *e, uint64_t game)
{
    sqlite3_stmt *s;
    int code = FZ_EXIT_USAGE;
    bool found;

    if (e->run == 0 && fzi_archive_number(&e->archive, "SELECT count(*) FROM run", 0) == 1)
        e->run = fzi_archive_number(&e->archive, "SELECT run FROM run", 0);
    if (e->archive.failed)
        return FZ_EXIT_USAGE;
    if (e->run == 0)
        return fzi_cli_complain(e->cli, "--game needs --run: there are several runs");
    s = query(e, "SELECT record FROM game WHERE run = ?1 AND game = ?2", e->run);
    if (!s)
        return FZ_EXIT_USAGE;
    sqlite3_bind_int64(s, 2, (long long)game);
    found = fzi_archive_next(&e->archive, s);
    if (!found && !e->archive.failed)
        fzi_cli_complain(e->cli, "%s: run %lld has no game %" PRIu64, e->archive.path,
                         e->run, game);
    else if (found && sqlite3_column_type(s, 0) == SQLITE_NULL)
        fzi_cli_complain(e->cli, "%s: run %lld has no record of game %" PRIu64 "; `ferz "
                         "playout --records` stores them", e->archive.path, e->run, game);
    else if (found)
        code = fputs(text_at(s, 0), stdout) < 0 ? FZ_EXIT_USAGE : FZ_EXIT_OK;
    sqlite3_finalize(s);
    return code;
}

/* ---- the command ---- */

/* How wide the tables of the chosen runs are. An exit code. */
static int measure(exporter *e)
{
    sqlite3_stmt *s = query(e, "SELECT max(json_array_length(experiment, '$.players')),\n"
                            "  max(json_extract(experiment, '$.payoffs')), count(*)\n"
                            "FROM run WHERE ?1 = 0 OR run = ?1", e->run);
    bool none = false;
    int code;

    if (!s)
        return FZ_EXIT_USAGE;
    if (fzi_archive_next(&e->archive, s)) {
        e->players = (unsigned)sqlite3_column_int(s, 0) & 31;
        e->payoffs = sqlite3_column_int(s, 1) != 0;
        none = e->run && sqlite3_column_int(s, 2) == 0;
    }
    code = finish(e, s);
    return none ? fzi_cli_complain(e->cli, "%s: there is no run %lld", e->archive.path,
                                   e->run)
                : code;
}

static int export_all(exporter *e)
{
    const fzi_cli *cli = e->cli;
    int code = measure(e);

    if (code != FZ_EXIT_OK)
        return code;
    if (fzi_cli_has(cli, FZ_CLI_GAME))
        return print_record(e, cli->game);
    return cli->format == FZ_CLI_JSON ? print_json(e)
           : cli->format == FZ_CLI_CSV ? print_csv(e) : list_runs(e);
}

/* The archive itself has failed: its message is printed once. */
static int export_archive(exporter *e)
{
    int code = export_all(e);

    return e->archive.failed ? fzi_cli_failed(e->cli, e->archive.context, FZ_BAD_INPUT, NULL)
                             : code;
}

int fzi_cli_export(const fzi_cli *cli)
{
    exporter e = {.cli = cli, .run = (long long)cli->run};
    fz_context *context = fzi_session_context(cli);
    fz_status status;
    int code;

    if (!context)
        return FZ_EXIT_USAGE;
    status = fzi_archive_open(&e.archive, context, cli->words.items[0], false);
    code = status == FZ_OK ? export_archive(&e) : fzi_cli_failed(cli, context, status, NULL);
    fzi_archive_clear(&e.archive);
    fz_context_free(context);
    return code;
}

#else
#include "interp/lab/archive.h"

int fzi_cli_export(const fzi_cli *cli)
{
    fz_context *context = fzi_session_context(cli);
    fz_archive archive;
    int code = FZ_EXIT_USAGE;

    if (context)
        code = fzi_cli_failed(cli, context, fzi_archive_open(&archive, context,
                                                             cli->words.items[0], false), NULL);
    fz_context_free(context);
    return code;
}

#endif
