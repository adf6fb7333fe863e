/* The merged text of a script. See cli.h. */
#include "cli.h"

typedef struct rules_text {
    const fzi_cli *cli;
    fz_context *context;
    const char *path;
    fz_merged *merged;
    bool *keep; /* by test */
    bool *passed; /* by test of the run, in order */
    size_t ended;
} rules_text;

/* ---- texts ---- */

/* The rules and the kept tests from `first` up to `end`; to be freed. */
static char *compose(const rules_text *r, size_t first, size_t end)
{
    size_t size = strlen(r->merged->text) + 1, used;
    char *text;
    for (size_t i = first; i < end; i++)
        size += strlen(r->merged->tests[i].text) + 1;
    text = fzi_cli_allocate(NULL, size);
    used = (size_t)snprintf(text, size, "%s", r->merged->text);
    for (size_t i = first; i < end; i++)
        if (r->keep[i])
            used += (size_t)snprintf(text + used, size - used, "\n%s", r->merged->tests[i].text);
    return text;
}

/* The report, if the text has mistakes; otherwise NULL. Without a text: of the script itself. */
static fz_report *mistakes(const rules_text *r, const char *text)
{
    fz_program *program = NULL;
    fz_report *report = NULL;
    fz_status status =
        text ? fz_compile(r->context, r->path, text, strlen(text), NULL, 0, &program, &report)
             : fz_compile(r->context, r->path, NULL, 0, r->cli->settings, r->cli->setting_count,
                          &program, &report);
    fz_program_release(program);
    if (status != FZ_OK)
        return report;
    fz_report_free(report);
    return NULL;
}

/* ---- tests of bases ---- */

static void ended(void *user, const char *title, bool passed, const char *message)
{
    rules_text *r = user;
    (void)title;
    (void)message;
    if (r->ended < r->merged->test_count)
        r->passed[r->ended++] = passed;
}

/* Keeps those of the tests that the merged game passes. Where one of several does not even fit the
 * game, each half is tried alone. */
static void select_tests(rules_text *r, size_t first, size_t end)
{
    const fz_test_sink sink = {.ended = ended, .user = r, .hasty = true};
    fz_report *report = NULL;
    unsigned passed, failed;
    if (first == end)
        return;
    char *text = compose(r, first, end);
    r->ended = 0;
    fz_status status = fz_run_tests(r->context, r->path, text, strlen(text), NULL, 0, NULL, &sink,
                                    &report, &passed, &failed);
    fz_report_free(report);
    free(text);
    if (status == FZ_OK && r->ended == end - first) {
        for (size_t i = first; i < end; i++)
            r->keep[i] = r->passed[i - first];
    } else if (end - first == 1) {
        r->keep[first] = false;
    } else {
        select_tests(r, first, first + (end - first) / 2);
        select_tests(r, first + (end - first) / 2, end);
    }
}

/* ---- the whole ---- */

static int failed(const rules_text *r, fz_status status, fz_report *report)
{
    if (report && fz_report_errors(report))
        fputs(fz_report_text(report, r->cli->error_colour ? FZ_TEXT_COLOUR : FZ_TEXT), stderr);
    else
        fzi_cli_complain(r->cli, "%s", fz_context_message(r->context));
    return status == FZ_INVALID ? FZ_EXIT_WRONG : FZ_EXIT_USAGE;
}

/* The merged script. What was written in place of `base` may lack what only its own declaration
 * gave it, such as a type: then it stays a declaration. */
static int merge(rules_text *r)
{
    for (int plain = 0;; plain++) {
        fz_report *report = NULL;
        fz_status status = fz_merge_source(r->context, r->path, r->cli->settings,
                                           r->cli->setting_count, !plain, &r->merged, &report);
        int code = status == FZ_OK ? FZ_EXIT_OK : failed(r, status, report);
        fz_report_free(report);
        if (code != FZ_EXIT_OK)
            return code;
        report = mistakes(r, r->merged->text);
        if (!report)
            return FZ_EXIT_OK;
        if (plain) {
            fz_report *own = mistakes(r, NULL);
            if (!own)
                fzi_cli_complain(r->cli, "%s: the script cannot be one file", r->path);
            code = failed(r, FZ_INVALID, own ? own : report);
            fz_report_free(own);
        }
        fz_report_free(report);
        fz_merged_free(r->merged);
        r->merged = NULL;
        if (plain)
            return code;
    }
}

static char *formatted(rules_text *r, const char *text, int *code)
{
    fz_report *report = NULL;
    char *made = NULL, *copy = NULL;
    fz_status status = fz_format_source(r->context, r->path, text, strlen(text), &made, &report);
    if (status == FZ_OK) {
        copy = fzi_cli_text("%s", made);
        fz_text_free(r->context, made);
    } else {
        *code = failed(r, status, report);
    }
    fz_report_free(report);
    return copy;
}

char *fzi_rules_text(const fzi_cli *cli, fz_context *context, const char *path, bool tests,
                     int *code)
{
    rules_text r = {.cli = cli, .context = context, .path = path};
    char *text, *made;
    size_t others = 0, count;
    *code = merge(&r);
    if (*code != FZ_EXIT_OK)
        return NULL;
    count = r.merged->test_count;
    r.keep = fzi_cli_allocate(NULL, count + 1);
    r.passed = fzi_cli_allocate(NULL, count + 1);
    memset(r.keep, tests, count + 1);
    while (others < count && !r.merged->tests[others].is_own)
        others++;
    if (tests)
        select_tests(&r, 0, others);
    text = compose(&r, 0, count);
    made = formatted(&r, text, code);
    free(text);
    free(r.keep);
    free(r.passed);
    fz_merged_free(r.merged);
    return made;
}
