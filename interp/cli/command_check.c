/* ferz check: compiles scripts and prints the diagnostics; with --playouts and --deep also what
 * fz_check_game finds. */
#include "cli.h"

enum { DEEP_PLAYOUTS = 200 };

/* ---- diagnostics ---- */

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

/* `report`: NULL for a program file, which is valid. */
static void print_report(const fzi_cli *cli, fz_report *report, const char *path, bool *first)
{
    unsigned warnings = report ? fz_report_warnings(report) : 0;

    if (cli->format == FZ_CLI_JSON) {
        if (report)
            print_items(fz_report_text(report, FZ_JSON), first);
        return;
    }
    if (report)
        fputs(fz_report_text(report, cli->colour ? FZ_TEXT_COLOUR : FZ_TEXT), stdout);
    if (!report || fz_report_errors(report) == 0) {
        fflush(stdout);
        fprintf(stderr, "%s: valid", path);
        if (warnings)
            fprintf(stderr, ", %u warning%s", warnings, warnings == 1 ? "" : "s");
        fputc('\n', stderr);
    }
}

/* With --playouts or --deep the JSON is an object for each file. */
static void print_json_begin(const char *path, bool *first)
{
    printf("%s\n{\"file\": ", *first ? "" : ",");
    fzi_json_write(json_string(path));
    fputs(", \"diagnostics\": [", stdout);
    *first = false;
}

/* ---- files ---- */

static bool plays(const fzi_cli *cli)
{
    return fzi_cli_has(cli, FZ_CLI_PLAYOUTS) || fzi_cli_has(cli, FZ_CLI_DEEP);
}

/* Of a check that has a program. */
static int print_check(const fzi_cli *cli, fz_context *context, const fz_check *check,
                       const char *path, fz_status status)
{
    fzi_session session = {.cli = cli, .context = context, .path = path,
                           .program = fz_check_program(check)}; /* borrowed */
    int code = FZ_EXIT_OK, deep = FZ_EXIT_OK;

    if (status == FZ_NO_MEMORY)
        return fzi_cli_complain(cli, "%s", fz_context_message(context));
    fzi_playout_findings_print(cli, context, check, path);
    if (status == FZ_RUNTIME)
        code = fzi_session_playouts_failed(&session, fz_check_tally(check), NULL,
                                           fz_check_message(check));
    if (fzi_cli_has(cli, FZ_CLI_DEEP) && fzi_deep_findings_print(cli, context, check, path))
        deep = FZ_EXIT_WRONG;
    if (cli->format == FZ_CLI_JSON) {
        fputs(fzi_cli_has(cli, FZ_CLI_DEEP) ? ", \"run\": " : ", \"deep\": null, \"run\": ",
              stdout);
        fzi_json_write(fzi_session_trace(&session));
    }
    fz_machine_free(session.machine);
    return deep > code ? deep : code;
}

static fz_status run_check(const fzi_cli *cli, fz_context *context, const char *path,
                           fz_check **check)
{
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, "playouts");
    fz_check_options options = {
        .playouts = !plays(cli)                          ? 0
                    : fzi_cli_has(cli, FZ_CLI_PLAYOUTS) ? cli->playouts
                                                        : DEEP_PLAYOUTS,
        .deep = fzi_cli_has(cli, FZ_CLI_DEEP),
        .seed = cli->seed,
        .threads = fzi_threads(cli->threads),
        .limits = &cli->limits,
        .watch = &watch};

    fz_status status = fz_check_game(context, path, NULL, 0, cli->settings, cli->setting_count,
                                     &options, check);
    fzi_progress_end(&progress);
    return status;
}

static int check_file(const fzi_cli *cli, const char *path, bool *first)
{
    bool wrapped = cli->format == FZ_CLI_JSON && plays(cli), first_item = true;
    fz_context *context = fzi_session_context(cli);
    fz_check *check = NULL;

    if (!context)
        return FZ_EXIT_USAGE;
    if (wrapped)
        print_json_begin(path, first);
    fz_status status = run_check(cli, context, path, &check);
    fz_report *report = check ? fz_check_report(check) : NULL;
    bool played = check && fz_check_program(check), valid = played || status == FZ_OK;
    if (report || valid)
        print_report(cli, report, path, wrapped ? &first_item : first);
    if (!valid && (!report || fz_report_errors(report) == 0))
        fzi_cli_complain(cli, "%s", fz_context_message(context));
    int code = valid ? FZ_EXIT_OK : status == FZ_INVALID ? FZ_EXIT_WRONG : FZ_EXIT_USAGE;
    if (wrapped)
        fputs("], \"playouts\": ", stdout);
    if (played && plays(cli))
        code = print_check(cli, context, check, path, status);
    else if (wrapped)
        fputs("null, \"deep\": null, \"run\": null", stdout);
    if (wrapped)
        putchar('}');
    fz_check_free(check);
    fz_context_free(context);
    return code;
}

int fzi_cli_check(const fzi_cli *cli)
{
    int worst = FZ_EXIT_OK;
    bool first = true;

    if (plays(cli))
        fzi_terminal_catch_interrupt();
    if (cli->format == FZ_CLI_JSON)
        putchar('[');
    for (size_t i = 0; i < cli->words.count; i++) {
        int code = check_file(cli, cli->words.items[i], &first);
        if (code > worst)
            worst = code;
    }
    if (fzi_cli_has(cli, FZ_CLI_AGAINST) && worst == FZ_EXIT_OK)
        worst = fzi_rulings_check(cli, cli->values[FZ_CLI_AGAINST], &first);
    if (cli->format == FZ_CLI_JSON)
        puts(first ? "]" : "\n]");
    return worst;
}
