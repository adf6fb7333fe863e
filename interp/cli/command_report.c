/* ferz report: writes an experiment as one page, with all that is needed to repeat it. */
#include "cli.h"

/* The beginning of the paths of pictures: the page's file without its ending. "": there are no
 * pictures, because the page goes to standard output. NULL: pictures are in the page. */
static char *picture_files(const fzi_cli *cli)
{
    const char *output = cli->values[FZ_CLI_OUTPUT];

    if (!fzi_cli_has(cli, FZ_CLI_MARKDOWN))
        return NULL;
    char *files = fzi_cli_text("%s", output && strcmp(output, "-") != 0 ? output : "");
    char *dot = strrchr(files, '.');
    if (dot && dot > files && !strchr(dot, '/'))
        *dot = '\0';
    return files;
}

static bool save(void *user, const char *path, const char *svg)
{
    return fzi_file_write(user, path, svg, strlen(svg)) == FZ_EXIT_OK;
}

static int write_report(const fzi_cli *cli, const fzi_measure_run *run)
{
    const char *output = cli->values[FZ_CLI_OUTPUT] ? cli->values[FZ_CLI_OUTPUT] : "-";
    char *files = picture_files(cli), *text = NULL;
    fzi_report r = {.run = run, .command = cli->line, .files = files, .save = save,
                    .user = (void *)cli, .theme = (enum fzi_theme)fzi_picture_theme(cli)};
    fz_status status = fzi_report_text(&r, &text);
    int code = fzi_cli_write(cli, run->setup.context, status, text, output);

    free(files);
    return code;
}

int fzi_cli_report(const fzi_cli *cli)
{
    if (fzi_picture_theme(cli) < 0)
        return FZ_EXIT_USAGE;
    return fzi_measure_games(cli, true, write_report);
}
