/* ferz test: runs the tests in scripts and prints the failures. */
#include "cli.h"

typedef struct test_run {
    const fzi_cli *cli;
    const char *path;
    json_t *list;         /* with --format json */
    unsigned failed_files; /* that could not be compiled */
} test_run;

static void print_indented(const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length)
            printf("    %.*s\n", (int)length, text);
        else
            putchar('\n');
        text += length + (text[length] == '\n');
    }
}

static void test_ended(void *user, const char *title, bool passed, const char *message)
{
    test_run *run = user;
    const char *mark = passed ? "ok  " : "FAIL";

    if (run->cli->format == FZ_CLI_JSON) {
        json_array_append_new(run->list, json_pack("{s:s, s:s, s:b, s:s}", "file", run->path,
                                                   "title", title, "passed", (int)passed,
                                                   "message", message));
        return;
    }
    if (passed && !fzi_cli_has(run->cli, FZ_CLI_VERBOSE))
        return;
    if (run->cli->colour)
        printf("\033[%sm%s\033[0m %s: %s\n", passed ? "32" : "1;31", mark, run->path, title);
    else
        printf("%s %s: %s\n", mark, run->path, title);
    if (!passed)
        print_indented(message);
}

/* Adds to passed and failed; the exit code of a file that could not be tested at all. */
static int test_file(test_run *run, fz_context *context, unsigned *passed, unsigned *failed)
{
    const fzi_cli *cli = run->cli;
    fz_test_sink sink = {.ended = test_ended, .user = run};
    fz_report *report = NULL;
    unsigned good = 0, bad = 0;
    fz_status status = fz_run_tests(context, run->path, NULL, 0, cli->settings, cli->setting_count,
                                    cli->values[FZ_CLI_FILTER], &sink, &report, &good, &bad);

    fflush(stdout);
    if (status == FZ_INVALID && report && fz_report_errors(report) == 0)
        status = FZ_OK; /* a library without tests of its own */
    else if (status != FZ_OK && !(report && fz_report_errors(report)))
        fzi_cli_complain(cli, "%s", fz_context_message(context));
    if (report && (fz_report_errors(report) || fz_report_warnings(report)))
        fputs(fz_report_text(report, cli->error_colour ? FZ_TEXT_COLOUR : FZ_TEXT), stderr);
    fz_report_free(report);
    *passed += good;
    *failed += bad;
    if (status == FZ_OK)
        return bad ? FZ_EXIT_WRONG : FZ_EXIT_OK;
    return status == FZ_INVALID || status == FZ_RUNTIME ? FZ_EXIT_WRONG : FZ_EXIT_USAGE;
}

int fzi_cli_test(const fzi_cli *cli)
{
    test_run run = {.cli = cli};
    unsigned passed = 0, failed = 0;
    int worst = FZ_EXIT_OK;

    if (cli->format == FZ_CLI_JSON)
        run.list = json_array();
    for (size_t i = 0; i < cli->words.count; i++) {
        fz_context *context = fzi_session_context(cli);
        if (!context)
            return FZ_EXIT_USAGE;
        run.path = cli->words.items[i];
        int code = test_file(&run, context, &passed, &failed);
        worst = code > worst ? code : worst;
        fz_context_free(context);
    }
    if (cli->format == FZ_CLI_JSON) {
        fzi_json_print(json_pack("{s:o, s:I, s:I}", "tests", run.list, "passed", (long long)passed,
                                 "failed", (long long)failed));
        return worst;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return worst;
}
