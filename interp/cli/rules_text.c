/* The merged text of a script. See cli.h. */
#include <jansson.h>
#include <limits.h>

#include "cli.h"

typedef struct rules_text {
    const fzi_cli *cli;
    fz_context *context;
    const char *path;
    fz_merged *merged;
    size_t others; /* tests of bases: the first ones */
    bool *keep;    /* by test */
    bool *unfit;   /* by test: the script is not valid under the options that it sets */
    bool *named;   /* by test of the run: reports about options name it */
    long *lines;   /* by test: where it begins in the text, 0 if it is left out */
    size_t ended;  /* tests up to the one of the run that ended last */
    bool any_unfit, any_failed; /* tests of the run */
} rules_text;

/* ---- texts ---- */

static long count_lines(const char *text)
{
    long lines = 0;
    while ((text = strchr(text, '\n')) != NULL) {
        text++;
        lines++;
    }
    return lines;
}

/* The rules and the kept tests before `end`; to be freed. */
static char *compose(rules_text *r, size_t end)
{
    size_t size = strlen(r->merged->text) + 1, used;
    char *text;
    long line = 1 + count_lines(r->merged->text);
    for (size_t i = 0; i < end; i++)
        size += strlen(r->merged->tests[i].text) + 1;
    text = fzi_cli_allocate(NULL, size);
    used = (size_t)snprintf(text, size, "%s", r->merged->text);
    for (size_t i = 0; i < end; i++) {
        r->lines[i] = 0;
        if (!r->keep[i])
            continue;
        r->lines[i] = line + 1;
        line += 1 + count_lines(r->merged->tests[i].text);
        used += (size_t)snprintf(text + used, size - used, "\n%s", r->merged->tests[i].text);
    }
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

/* In the message of a test that could not run because of the options that it sets. */
static const char under_options[] = "under its options";

/* The test in which the line is; `others` if it is in none. */
static size_t test_at(const rules_text *r, long line)
{
    for (size_t i = r->others; i-- > 0;) {
        if (r->lines[i] && r->lines[i] <= line)
            return i;
    }
    return r->others;
}

/* The test in which the line of a report finds a mistake; `others` if in none. */
static size_t mistaken(const rules_text *r, const char *line)
{
    size_t length = strlen(r->path);
    const char *error = strstr(line, ": error["), *end = strchr(line, '\n');
    bool is_error = strncmp(line, r->path, length) == 0 && line[length] == ':' && error &&
                    (!end || error < end);
    return is_error ? test_at(r, strtol(line + length + 1, NULL, 10)) : r->others;
}

/* Whether the script is invalid under the options of the test, but not because of the test. The
 * first test that sets these options gets the report, for the others of them as well. */
static bool is_unfit(rules_text *r, size_t test, const char *message)
{
    if (!strstr(message, under_options))
        return false;
    for (const char *line = message; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        r->named[mistaken(r, line)] = true;
    }
    return !r->named[test];
}

/* Tests end in their order. One that failed is left out. One that is unfit may be so because of
 * another that is left out, so it is kept for the next run. */
static void ended(void *user, const char *title, bool passed, const char *message)
{
    rules_text *r = user;
    (void)title;
    while (!r->keep[r->ended])
        r->ended++;
    bool unfit = is_unfit(r, r->ended, message);
    r->any_unfit |= unfit;
    r->any_failed |= !passed && !unfit;
    r->keep[r->ended] = passed || unfit;
    r->unfit[r->ended++] = unfit;
}

/* Leaves out the test in which the line is; false: it is in none that was kept. */
static bool leave_out(rules_text *r, long line)
{
    size_t test = test_at(r, line);
    bool kept = test < r->others && r->keep[test];
    if (kept)
        r->keep[test] = false;
    return kept;
}

/* Leaves out the tests that the report finds mistakes in; false: there are none. */
static bool leave_out_invalid(rules_text *r, fz_report *report)
{
    const char *text = report ? fz_report_text(report, FZ_JSON) : NULL;
    json_t *list = text ? json_loads(text, 0, NULL) : NULL, *one;
    size_t index;
    bool found = false;
    json_array_foreach(list, index, one) {
        const char *severity = json_string_value(json_object_get(one, "severity"));
        const char *file = json_string_value(json_object_get(one, "file"));
        if (severity && strcmp(severity, "error") == 0 && file && strcmp(file, r->path) == 0)
            found |= leave_out(r, (long)json_integer_value(json_object_get(one, "line")));
    }
    json_decref(list);
    return found;
}

/* Keeps those tests of bases that the merged game passes. */
static void select_tests(rules_text *r)
{
    const fz_test_sink sink = {.ended = ended, .user = r, .hasty = true};
    bool again = r->others > 0;
    while (again) {
        fz_report *report = NULL;
        char *text = compose(r, r->others);
        r->ended = 0;
        memset(r->named, false, r->others + 1);
        r->any_unfit = r->any_failed = false;
        fz_status status = fz_run_tests(r->context, r->path, text, strlen(text), NULL, 0, NULL,
                                        &sink, &report, NULL, NULL);
        if (status == FZ_OK)
            again = r->any_unfit && r->any_failed;
        else
            again = leave_out_invalid(r, report) || leave_out(r, LONG_MAX);
        fz_report_free(report);
        free(text);
    }
    for (size_t i = 0; i < r->others; i++)
        r->keep[i] = r->keep[i] && !r->unfit[i];
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

/* The merged script. */
static int merge(rules_text *r)
{
    fz_report *report = NULL, *own = NULL;
    fz_status status = fz_merge_source(r->context, r->path, r->cli->settings,
                                       r->cli->setting_count, &r->merged, &report);
    int code = status == FZ_OK ? FZ_EXIT_OK : failed(r, status, report);
    fz_report_free(report);
    if (code != FZ_EXIT_OK || !(report = mistakes(r, r->merged->text)))
        return code;
    own = mistakes(r, NULL);
    if (!own)
        fzi_cli_complain(r->cli, "%s: the script cannot be one file", r->path);
    code = failed(r, FZ_INVALID, own ? own : report);
    fz_report_free(own);
    fz_report_free(report);
    fz_merged_free(r->merged);
    return code;
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
    size_t count;
    *code = merge(&r);
    if (*code != FZ_EXIT_OK)
        return NULL;
    count = r.merged->test_count;
    r.keep = fzi_cli_allocate(NULL, count + 1);
    r.unfit = fzi_cli_allocate(NULL, count + 1);
    r.named = fzi_cli_allocate(NULL, count + 1);
    r.lines = fzi_cli_allocate(NULL, (count + 1) * sizeof *r.lines);
    memset(r.keep, tests, count + 1);
    memset(r.unfit, false, count + 1);
    while (r.others < count && !r.merged->tests[r.others].is_own)
        r.others++;
    if (tests)
        select_tests(&r);
    text = compose(&r, count);
    made = formatted(&r, text, code);
    free(text);
    free(r.keep);
    free(r.unfit);
    free(r.named);
    free(r.lines);
    fz_merged_free(r.merged);
    return made;
}
