/* ferz export --to: a game in the format of another system. See cli.h. */
#include "cli.h"

#include "grammar/import/fairy_export.h"

static int export_game(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    const char *output = cli->values[FZ_CLI_OUTPUT] ? cli->values[FZ_CLI_OUTPUT] : "-";
    char *fen = NULL, *text = NULL, *refused = NULL;
    int code = FZ_EXIT_OK;

    fz_status status = fz_state_write_fen(session->machine, session->state, &fen);
    if (status != FZ_OK)
        return fzi_session_failed(session, status);
    status = fzi_fairy_export(session->context, session->path, cli->settings, cli->setting_count,
                              fen, &text, &refused);
    if (status != FZ_OK)
        code = fzi_cli_failed(cli, session->context, status, NULL);
    else if (text)
        code = fzi_file_write(cli, output, text, strlen(text));
    else {
        fputs(refused, stderr);
        code = FZ_EXIT_WRONG;
    }
    fz_text_free(session->context, fen);
    fz_text_free(session->context, text);
    fz_text_free(session->context, refused);
    return code;
}

int fzi_cli_export_game(const fzi_cli *cli)
{
    fzi_cli with_path = *cli;
    const char *word = cli->words.items[0];

    if (strcmp(cli->values[FZ_CLI_TO], "fairy") != 0)
        return fzi_cli_complain(cli, "--to: the only format is fairy");
    char *path = strpbrk(word, ".\\\n") ? NULL : fzi_library_find(word);
    const char *words[] = {path ? path : word, NULL};
    with_path.words.items = words;
    int code = fzi_session_run(&with_path, FZ_CHANCE_SAMPLE, export_game);
    free(path);
    return code;
}
