/* Tables of an archive: runs as text, games as CSV, both as JSON. See print_archive.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#ifdef HAVE_SQLITE
#include "print_archive.h"



#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A statement about the runs, or the run, of this number. */
sqlite3_stmt *fzi_export_query(fzi_exporter *e, const char *sql, long long number)
{
    sqlite3_stmt *s = fzi_archive_prepare(&e->archive, sql);

    if (s)
        sqlite3_bind_int64(s, 1, number);
    return s;
}

/* An exit code: the rows must have ended because there are no more. */
int fzi_export_finish(fzi_exporter *e, sqlite3_stmt *s)
{
    sqlite3_finalize(s);
    return e->archive.failed ? FZ_EXIT_USAGE : FZ_EXIT_OK;
}

const char *fzi_export_text(sqlite3_stmt *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s, column);

    return text ? text : "";
}

/* ---- the list of runs ---- */

static const char runs_sql[] =
    "SELECT run, game, options, agents, seed, first, count,\n"
    "  (SELECT count(*) FROM game WHERE game.run = run.run), started, ended\n"
    "FROM run WHERE ?1 = 0 OR run = ?1 ORDER BY run";

static int list_runs(fzi_exporter *e)
{
    static const char *const heads[] = {"run", "game", "options", "agents", "seed", "playouts",
                                        "played", "started", "ended"};
    enum { COLUMNS = sizeof heads / sizeof heads[0] };
    sqlite3_stmt *s = fzi_export_query(e, runs_sql, e->run);
    fzi_table table;

    if (!s)
        return FZ_EXIT_USAGE;
    fzi_table_begin(&table, "rlllrlrll");
    for (size_t i = 0; i < COLUMNS; i++)
        fzi_table_cell(&table, "%s", heads[i]);
    while (fzi_archive_next(&e->archive, s)) {
        long long first = sqlite3_column_int64(s, 5), count = sqlite3_column_int64(s, 6);
        fzi_table_cell(&table, "%s", fzi_export_text(s, 0));
        fzi_table_cell(&table, "%s", fzi_export_text(s, 1));
        fzi_table_cell(&table, "%s", fzi_export_text(s, 2));
        fzi_table_cell(&table, "%s", *fzi_export_text(s, 3) ? fzi_export_text(s, 3) : "random");
        fzi_table_cell(&table, "%s", fzi_export_text(s, 4));
        fzi_table_cell(&table, "%lld to %lld", first, first + count - 1);
        for (int column = 7; column < 10; column++)
            fzi_table_cell(&table, "%s", fzi_export_text(s, column));
    }
    fzi_table_print(&table, "", true);
    fzi_table_clear(&table);
    return fzi_export_finish(e, s);
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

static int print_csv(fzi_exporter *e)
{
    sqlite3_stmt *s = fzi_export_query(e, games_sql, e->run);

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
            fzi_csv_field(fzi_export_text(s, column));
        }
        print_cells(fzi_export_text(s, 7), e->players);
        if (e->payoffs)
            print_cells(fzi_export_text(s, 9), e->players);
        putchar('\n');
    }
    return fzi_export_finish(e, s);
}

/* A column as JSON: a number, a text, or the JSON that it holds. */
static json_t *value_at(sqlite3_stmt *s, int column, bool holds_json)
{
    json_t *value;

    if (sqlite3_column_type(s, column) == SQLITE_NULL)
        return json_null();
    if (sqlite3_column_type(s, column) == SQLITE_INTEGER)
        return json_integer(sqlite3_column_int64(s, column));
    value = holds_json ? json_loads(fzi_export_text(s, column), JSON_DECODE_ANY, NULL)
                       : json_string(fzi_export_text(s, column));
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
static int print_rows(fzi_exporter *e, const char *sql, const char *const *names, int columns,
                      const char *json_columns)
{
    sqlite3_stmt *s = fzi_export_query(e, sql, e->run);
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
    return fzi_export_finish(e, s);
}

static int print_json(fzi_exporter *e)
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

int fzi_export_print(fzi_exporter *e)
{
    return e->cli->format == FZ_CLI_JSON  ? print_json(e)
           : e->cli->format == FZ_CLI_CSV ? print_csv(e)
                                          : list_runs(e);
}

#else
typedef int fzi_no_archives; /* a file of C is not empty */
#endif
