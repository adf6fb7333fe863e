/* ferz fmt: scripts as the formatter writes them. */
#include "cli.h"

/* Prints, writes or compares the formatted text. */
static int deliver(const fzi_cli *cli, const char *path, const char *old, const char *formatted)
{
    bool same = strcmp(old, formatted) == 0;

    if (fzi_cli_has(cli, FZ_CLI_CHECK)) {
        if (!same)
            puts(path);
        return same ? FZ_EXIT_OK : FZ_EXIT_WRONG;
    }
    if (fzi_cli_has(cli, FZ_CLI_WRITE) && strcmp(path, "-") != 0)
        return same ? FZ_EXIT_OK : fzi_file_write(cli, path, formatted, strlen(formatted));
    fputs(formatted, stdout);
    return FZ_EXIT_OK;
}

static int format_text(const fzi_cli *cli, fz_context *context, const char *path, const char *text,
                       size_t length)
{
    char *formatted = NULL;
    fz_report *report = NULL;
    fz_status status = fz_format_source(context, path, text, length, &formatted, &report);
    int code;

    if (report)
        fputs(fz_report_text(report, cli->error_colour ? FZ_TEXT_COLOUR : FZ_TEXT), stderr);
    if (status == FZ_OK) {
        code = deliver(cli, path, text, formatted);
        fz_text_free(context, formatted);
    } else {
        if (!report || fz_report_errors(report) == 0)
            fzi_cli_complain(cli, "%s: %s", path, fz_context_message(context));
        code = status == FZ_INVALID ? FZ_EXIT_WRONG : FZ_EXIT_USAGE;
    }
    fz_report_free(report);
    return code;
}

int fzi_cli_fmt(const fzi_cli *cli)
{
    int worst = FZ_EXIT_OK;

    if (fzi_cli_has(cli, FZ_CLI_CHECK) && fzi_cli_has(cli, FZ_CLI_WRITE))
        return fzi_cli_complain(cli, "--write and --check cannot be combined");
    fz_context *context = fzi_session_context(cli);
    if (!context)
        return FZ_EXIT_USAGE;
    for (size_t i = 0; i < cli->words.count; i++) {
        size_t length;
        char *text = fzi_file_read(cli, cli->words.items[i], &length);
        int code = text ? format_text(cli, context, cli->words.items[i], text, length)
                        : FZ_EXIT_USAGE;
        worst = code > worst ? code : worst;
        free(text);
    }
    fz_context_free(context);
    return worst;
}
