/* The merged text of a script. See cli.h. */
#include "cli.h"

/* The report, if the text has mistakes; otherwise NULL. Without a text: of the script itself. */
static fz_report *mistakes(const fzi_cli *cli, fz_context *context, const char *path,
                           const char *text)
{
    fz_program *program = NULL;
    fz_report *report = NULL;
    fz_status status = fz_compile(context, path, text, text ? strlen(text) : 0,
                                  text ? NULL : cli->settings, text ? 0 : cli->setting_count,
                                  &program, &report);
    fz_program_release(program);
    if (status != FZ_OK)
        return report;
    fz_report_free(report);
    return NULL;
}

static int failed(const fzi_cli *cli, const fz_context *context, fz_status status,
                  fz_report *report)
{
    if (report && fz_report_errors(report))
        fputs(fz_report_text(report, cli->error_colour ? FZ_TEXT_COLOUR : FZ_TEXT), stderr);
    else
        fzi_cli_complain(cli, "%s", fz_context_message(context));
    return status == FZ_INVALID ? FZ_EXIT_WRONG : FZ_EXIT_USAGE;
}

/* The merged script, to be freed with fz_text_free. */
static int merge(const fzi_cli *cli, fz_context *context, const char *path, char **merged)
{
    fz_report *report = NULL, *own = NULL;
    fz_status status = fz_merge_source(context, path, cli->settings, cli->setting_count, merged,
                                       &report);
    int code = status == FZ_OK ? FZ_EXIT_OK : failed(cli, context, status, report);
    fz_report_free(report);
    if (code != FZ_EXIT_OK || !(report = mistakes(cli, context, path, *merged)))
        return code;
    own = mistakes(cli, context, path, NULL);
    if (!own)
        fzi_cli_complain(cli, "%s: the script cannot be one file", path);
    code = failed(cli, context, FZ_INVALID, own ? own : report);
    fz_report_free(own);
    fz_report_free(report);
    return code;
}

char *fzi_rules_text(const fzi_cli *cli, fz_context *context, const char *path, int *code)
{
    char *merged = NULL, *formatted = NULL, *text = NULL;
    *code = merge(cli, context, path, &merged);
    if (*code == FZ_EXIT_OK) {
        fz_report *report = NULL;
        fz_status status = fz_format_source(context, path, merged, strlen(merged), &formatted,
                                            &report);
        if (status == FZ_OK)
            text = fzi_cli_text("%s", formatted);
        else
            *code = failed(cli, context, status, report);
        fz_report_free(report);
    }
    fz_text_free(context, merged);
    fz_text_free(context, formatted);
    return text;
}
