/* Records of playouts. See cli.h. */
#include "cli.h"

#include <sys/stat.h>

/* Plays a game again and writes its record. */
static int write_record(fzi_session *session, const fz_lineup *lineup, uint64_t stream,
                        bool only_failed, const char *path)
{
    const fzi_setup setup = fzi_session_setup(session);
    char *text = NULL;
    fz_status status = fzi_setup_record(&setup, lineup, stream, &text);
    bool failed = status == FZ_RUNTIME; /* which is reported with the others */

    if (failed ? text != NULL : status != FZ_OK || !only_failed)
        return fzi_cli_write(session->cli, session->context, failed ? FZ_OK : status, text, path);
    fz_text_free(session->context, text);
    return FZ_EXIT_OK;
}

int fzi_record_first(fzi_session *session, const fz_lineup *lineup, uint64_t stream)
{
    return write_record(session, lineup, stream, false, session->cli->values[FZ_CLI_RECORD]);
}

int fzi_records_read(const fzi_session *session, fzi_wanted *w)
{
    const fzi_cli *cli = session->cli;
    const fzi_setup setup = fzi_session_setup(session);

    if (!fzi_cli_has(cli, FZ_CLI_RECORD) && !fzi_cli_has(cli, FZ_CLI_DB))
        return fzi_cli_complain(cli, "--records needs --record FOLDER or --db FILE");
    return fzi_cli_failed(cli, session->context, fzi_wanted_read(&setup, w), NULL);
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
    for (uint64_t n = begin; n <= w->last && n <= last && code == FZ_EXIT_OK &&
                             !fzi_terminal_interrupted(); n++) {
        char *path = fzi_cli_text("%s/%" PRIu64 ".txt", folder, n);
        code = write_record(session, lineup, n - 1, w->failed, path);
        free(path);
    }
    return code;
}
