/* Records of playouts. See cli.h. */
#include "cli.h"

#include <sys/stat.h>

int fzi_record_first(fzi_session *session, const fz_lineup *lineup, uint64_t stream)
{
    const fzi_setup setup = fzi_session_setup(session);
    char *text = NULL;
    fz_status status = fzi_setup_record(&setup, lineup, stream, &text);
    int code;

    /* A game that ends in an error is reported with the others. */
    if (status != FZ_OK && status != FZ_RUNTIME)
        return fzi_cli_failed(session->cli, session->context, status, NULL);
    if (!text)
        return FZ_EXIT_OK;
    code = fzi_file_write(session->cli, session->cli->values[FZ_CLI_RECORD], text, strlen(text));
    fz_text_free(session->context, text);
    return code;
}

int fzi_records_read(const fzi_session *session, fzi_wanted *w)
{
    const fzi_cli *cli = session->cli;
    const fzi_setup setup = fzi_session_setup(session);
    fz_status status;

    if (!fzi_cli_has(cli, FZ_CLI_RECORD) && !fzi_cli_has(cli, FZ_CLI_DB))
        return fzi_cli_complain(cli, "--records needs --record FOLDER or --db FILE");
    status = fzi_wanted_read(&setup, w);
    return status == FZ_OK ? FZ_EXIT_OK : fzi_cli_failed(cli, session->context, status, NULL);
}

/* Plays one of the games again; false, with the exit status, if its record cannot be written. */
static bool record_one(fzi_session *session, const fz_lineup *lineup, uint64_t number,
                       bool only_failed, int *code)
{
    char *text = NULL, *path;
    const fzi_setup setup = fzi_session_setup(session);
    fz_status status = fzi_setup_record(&setup, lineup, number - 1, &text);

    if (status != FZ_OK && status != FZ_RUNTIME) {
        *code = fzi_cli_failed(session->cli, session->context, status, NULL);
        return false;
    }
    if (!text || (only_failed && status == FZ_OK)) {
        fz_text_free(session->context, text);
        return true;
    }
    path = fzi_cli_text("%s/%" PRIu64 ".txt", session->cli->values[FZ_CLI_RECORD], number);
    *code = fzi_file_write(session->cli, path, text, strlen(text));
    free(path);
    fz_text_free(session->context, text);
    return *code == FZ_EXIT_OK;
}

int fzi_record_wanted(fzi_session *session, const fz_lineup *lineup, const fzi_wanted *w,
                      uint64_t first, const fz_tally *tally)
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
        if (!record_one(session, lineup, n, w->failed, &code))
            break;
    return code;
}
