/* Records of playouts. See playout_records.h. */
#include "playout_records.h"

#include "files.h"
#include "interp/terminal/terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int fzi_record_first(fzi_session *session, const fz_state *from, const fz_lineup *cast,
                     uint64_t stream)
{
    char *text = NULL;
    fz_status status;
    int code;

    status = fzi_session_record_playout(session, from, cast, stream, &text);
    /* A game that ends in an error is reported with the others. */
    if (status != FZ_OK && status != FZ_RUNTIME)
        return fzi_session_failed(session, status);
    if (!text)
        return FZ_EXIT_OK;
    code = fzi_file_write(session->cli, session->cli->values[FZ_CLI_RECORD], text, strlen(text));
    fz_text_free(session->context, text);
    return code;
}

int fzi_wanted_read(const fzi_cli *cli, fzi_wanted *w)
{
    const char *text = cli->values[FZ_CLI_RECORDS], *dots = strstr(text, "..");
    char low[32];

    *w = (fzi_wanted){1, cli->count, strcmp(text, "failed") == 0};
    if (!fzi_cli_has(cli, FZ_CLI_RECORD) && !fzi_cli_has(cli, FZ_CLI_DB))
        return fzi_cli_complain(cli, "--records needs --record FOLDER or --db FILE");
    if (w->failed || strcmp(text, "all") == 0)
        return FZ_EXIT_OK;
    snprintf(low, sizeof low, "%.*s", dots ? (int)(dots - text) : (int)sizeof low - 1, text);
    if (!fzi_cli_number(low, &w->first) || !fzi_cli_number(dots ? dots + 2 : low, &w->last) ||
        w->first < 1 || w->first > w->last)
        return fzi_cli_complain(cli, "--records takes all, failed, N or N..M, not '%s'", text);
    if (w->last > cli->count)
        return fzi_cli_complain(cli, "--records %s: there are only %" PRIu64 " playouts", text,
                                cli->count);
    return FZ_EXIT_OK;
}

/* Plays one of the games again; false, with the exit status, if its record cannot be written. */
static bool record_one(fzi_session *session, const fz_state *from, const fz_lineup *cast,
                       uint64_t number, bool only_failed, int *code)
{
    const char *folder = session->cli->values[FZ_CLI_RECORD];
    size_t size = strlen(folder) + 32;
    char *text = NULL, *path;
    fz_status status = fzi_session_record_playout(session, from, cast, number - 1, &text);

    if (status != FZ_OK && status != FZ_RUNTIME) {
        *code = fzi_session_failed(session, status);
        return false;
    }
    if (!text || (only_failed && status == FZ_OK)) {
        fz_text_free(session->context, text);
        return true;
    }
    path = fzi_cli_allocate(NULL, size);
    snprintf(path, size, "%s/%" PRIu64 ".txt", folder, number);
    *code = fzi_file_write(session->cli, path, text, strlen(text));
    free(path);
    fz_text_free(session->context, text);
    return *code == FZ_EXIT_OK;
}

int fzi_record_wanted(fzi_session *session, const fz_state *from, const fz_lineup *cast,
                      const fzi_wanted *w, uint64_t first, const fz_tally *tally)
{
    const char *folder = session->cli->values[FZ_CLI_RECORD];
    uint64_t last = first + tally->playouts + tally->failed;
    uint64_t begin = w->first > first ? w->first : first + 1;
    int code = FZ_EXIT_OK;

    if (w->failed && !tally->failed)
        return code;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fzi_cli_complain(session->cli, "%s: %s", folder, strerror(errno));
    for (uint64_t n = begin; n <= w->last && n <= last && !fzi_terminal_interrupted(); n++)
        if (!record_one(session, from, cast, n, w->failed, &code))
            break;
    return code;
}
