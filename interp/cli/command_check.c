/* ferz check: compiles scripts and prints the diagnostics; with --playouts also notes about random
 * games. */
#include "interp/checks/deep_check.h"
#include "interp/checks/random_check.h"
#include "session.h"
#include "interp/terminal/terminal.h"

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

/* With --playouts the JSON is an object for each file, in which the diagnostics are one member. */
static void print_json_begin(const char *path, bool *first)
{
    printf("%s\n{\"file\": ", *first ? "" : ",");
    fzi_json_write(json_string(path));
    fputs(", \"diagnostics\": [", stdout);
    *first = false;
}

static bool is_deep(const fzi_cli *cli)
{
    return fzi_cli_has(cli, FZ_CLI_DEEP);
}

static bool plays(const fzi_cli *cli)
{
    return fzi_cli_has(cli, FZ_CLI_PLAYOUTS) || is_deep(cli);
}

static int examine(const fzi_cli *cli, fz_context *context, fz_program *program, const char *path)
{
    bool json = cli->format == FZ_CLI_JSON;
    json_t *findings = json ? json_array() : NULL;
    int code = fzi_deep_check(cli, context, program, path, findings);

    if (json) {
        fputs(", \"deep\": ", stdout);
        fzi_json_write(findings);
    }
    return code;
}

static int play(const fzi_cli *cli, fz_context *context, fz_program *program, const char *path)
{
    fzi_cli deep = *cli;
    int code, examined = FZ_EXIT_OK;

    if (!program) {
        if (cli->format == FZ_CLI_JSON)
            fputs("null", stdout);
        return FZ_EXIT_OK;
    }
    if (!fzi_cli_has(cli, FZ_CLI_PLAYOUTS))
        deep.playouts = FZI_DEEP_PLAYOUTS;
    code = fzi_random_check(&deep, context, program, path);
    if (is_deep(cli) && code != FZ_EXIT_USAGE)
        examined = examine(cli, context, program, path);
    return examined > code ? examined : code;
}

static int check_file(const fzi_cli *cli, const char *path, bool *first)
{
    bool wrapped = cli->format == FZ_CLI_JSON && plays(cli),
         first_item = true;
    fz_context *context = fzi_session_context(cli);
    fz_program *program = NULL;
    fz_report *report = NULL;
    fz_status status;
    int code;

    if (!context)
        return FZ_EXIT_USAGE;
    if (plays(cli))
        fz_context_enable_coverage(context);
    if (wrapped)
        print_json_begin(path, first);
    status =
        fz_compile(context, path, NULL, 0, cli->settings, cli->setting_count, &program, &report);
    if (report)
        print_report(cli, report, path, wrapped ? &first_item : first);
    /* A library makes no program, and is valid all the same. */
    if (status == FZ_INVALID && report && fz_report_errors(report) == 0)
        status = FZ_OK;
    if (status != FZ_OK && (!report || fz_report_errors(report) == 0))
        fzi_cli_complain(cli, "%s", fz_context_message(context));
    code = status == FZ_OK ? FZ_EXIT_OK : status == FZ_INVALID ? FZ_EXIT_WRONG : FZ_EXIT_USAGE;
    if (wrapped)
        fputs("], \"playouts\": ", stdout);
    if (code == FZ_EXIT_OK && plays(cli))
        code = play(cli, context, program, path);
    else if (wrapped)
        fputs("null", stdout);
    if (wrapped)
        putchar('}');
    fz_report_free(report);
    if (program)
        fz_program_release(program);
    fz_context_free(context);
    return code;
}

int fzi_cli_check(const fzi_cli *cli)
{
    int worst = FZ_EXIT_OK;
    bool first = true;

    if (cli->format == FZ_CLI_CSV)
        return fzi_cli_no_csv(cli);
    if (plays(cli))
        fzi_terminal_catch_interrupt();
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
