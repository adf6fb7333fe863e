/* ferz report: writes an experiment as one page, with all that is needed to repeat it. */
#include "cli.h"

static bool has_file(const fzi_cli *cli)
{
    const char *output = cli->values[FZ_CLI_OUTPUT];

    return output && strcmp(output, "-") != 0;
}

/* The beginning of the paths of files beside the page: its file without its ending. "": there are
 * none, because the page goes to standard output. */
static char *files_beside(const fzi_cli *cli)
{
    char *files = fzi_cli_text("%s", has_file(cli) ? cli->values[FZ_CLI_OUTPUT] : "");
    char *dot = strrchr(files, '.');
    if (dot && dot > files && !strchr(dot, '/'))
        *dot = '\0';
    return files;
}

static bool save(void *user, const char *path, const char *text)
{
    return fzi_file_write(user, path, text, strlen(text)) == FZ_EXIT_OK;
}

static int write_report(const fzi_cli *cli, const fzi_measure_run *run)
{
    const char *output = cli->values[FZ_CLI_OUTPUT] ? cli->values[FZ_CLI_OUTPUT] : "-";
    char *files = files_beside(cli), *text = NULL;
    fzi_report r = {.run = run, .command = cli->line, .files = files, .save = save,
                    .markdown = fzi_cli_has(cli, FZ_CLI_MARKDOWN),
                    .data = fzi_cli_has(cli, FZ_CLI_DATA), .user = (void *)cli,
                    .theme = (enum fzi_theme)fzi_picture_theme(cli)};
    fz_status status = fzi_report_text(&r, &text);
    int code = fzi_cli_write(cli, run->setup.context, status, text, output);

    free(files);
    return code;
}

int fzi_cli_report(const fzi_cli *cli)
{
    if (fzi_picture_theme(cli) < 0)
        return FZ_EXIT_USAGE;
    if (fzi_cli_has(cli, FZ_CLI_DATA) && !has_file(cli))
        return fzi_cli_complain(cli, "--data needs --output FILE: it writes files beside that one");
    return fzi_measure_games(cli, true, write_report);
}
