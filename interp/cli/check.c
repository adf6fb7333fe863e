/* ferz check: compile, and print what the compiler has to say. */
#include "session.h"

#include <stdio.h>
#include <string.h>

/* The inside of a JSON array, so that the arrays of several files become one. */
static void print_items(const char *array, bool *first)
{
    const char *begin = array + strspn(array, " \n\t["), *end = array + strlen(array);

    while (end > begin && strchr(" \n\t]", end[-1]))
        end--;
    if (end == begin)
        return;
    printf("%s%.*s", *first ? "\n  " : ",\n  ", (int)(end - begin), begin);
    *first = false;
}

static void print_report(const fzi_cli *cli, fz_report *report, const char *path, bool *first)
{
    if (cli->format == FZ_CLI_JSON) {
        print_items(fz_report_text(report, FZ_JSON), first);
        return;
    }
    fputs(fz_report_text(report, cli->colour ? FZ_TEXT_COLOUR : FZ_TEXT), stdout);
    if (fz_report_errors(report) == 0) {
        fflush(stdout);
        fprintf(stderr, "%s: valid", path);
        if (fz_report_warnings(report))
            fprintf(stderr, ", %u warning%s", fz_report_warnings(report),
                    fz_report_warnings(report) == 1 ? "" : "s");
        fputc('\n', stderr);
    }
}

static int check_file(const fzi_cli *cli, const char *path, bool *first)
{
    fz_context *context = fzi_session_context(cli);
    fz_program *program = NULL;
    fz_report *report = NULL;
    fz_status status;

    if (!context)
        return FZ_EXIT_USAGE;
    status = fz_compile(context, path, NULL, 0, cli->settings, cli->setting_count, &program, &report);
    if (report)
        print_report(cli, report, path, first);
    /* A library makes no program, and is valid all the same. */
    if (status == FZ_INVALID && report && fz_report_errors(report) == 0)
        status = FZ_OK;
    if (status != FZ_OK && (!report || fz_report_errors(report) == 0))
        fzi_cli_complain(cli, "%s", fz_context_message(context));
    fz_report_free(report);
    if (program)
        fz_program_release(program);
    fz_context_free(context);
    return status == FZ_OK ? FZ_EXIT_OK : status == FZ_INVALID ? FZ_EXIT_WRONG : FZ_EXIT_USAGE;
}

int fzi_cli_check(const fzi_cli *cli)
{
    int worst = FZ_EXIT_OK;
    bool first = true;

    if (cli->format == FZ_CLI_CSV)
        return fzi_cli_complain(cli, "--format text or json");
    if (cli->format == FZ_CLI_JSON)
        putchar('[');
    for (size_t i = 0; i < cli->words.count; i++) {
        int code = check_file(cli, cli->words.items[i], &first);
        if (code > worst)
            worst = code;
    }
    if (cli->format == FZ_CLI_JSON)
        puts(first ? "]" : "\n]");
    return worst;
}
