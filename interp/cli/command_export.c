/* ferz export: what an archive has, as tables. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#ifdef HAVE_SQLITE
#include "print_archive.h"

/* ---- one record ---- */

static int print_record(fzi_exporter *e, uint64_t game)
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
    s = fzi_export_query(e, "SELECT record FROM game WHERE run = ?1 AND game = ?2", e->run);
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
        code = fputs(fzi_export_text(s, 0), stdout) < 0 ? FZ_EXIT_USAGE : FZ_EXIT_OK;
    sqlite3_finalize(s);
    return code;
}

/* ---- the command ---- */

/* How wide the tables of the chosen runs are. An exit code. */
static int measure(fzi_exporter *e)
{
    sqlite3_stmt *s = fzi_export_query(e,
                                       "SELECT max(json_array_length(experiment, '$.players')),\n"
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
    code = fzi_export_finish(e, s);
    return none ? fzi_cli_complain(e->cli, "%s: there is no run %lld", e->archive.path,
                                   e->run)
                : code;
}

static int export_all(fzi_exporter *e)
{
    const fzi_cli *cli = e->cli;
    int code = measure(e);

    if (code != FZ_EXIT_OK)
        return code;
    if (fzi_cli_has(cli, FZ_CLI_GAME))
        return print_record(e, cli->game);
    return fzi_export_print(e);
}

/* The archive itself has failed: its message is printed once. */
static int export_archive(fzi_exporter *e)
{
    int code = export_all(e);

    return e->archive.failed ? fzi_cli_failed(e->cli, e->archive.context, FZ_BAD_INPUT, NULL)
                             : code;
}

int fzi_cli_export(const fzi_cli *cli)
{
    fzi_exporter e = {.cli = cli, .run = (long long)cli->run};
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
