/* Prints what fz_check_game finds, for `ferz check`. */
#include "cli.h"

enum { MAX_MOVES_SHOWN = 12 };

static void print_moves(fz_context *context, const fz_finding *finding)
{
    fz_record record = {0};
    if (!finding->record || fz_record_read(context, finding->record, &record) != FZ_OK)
        return;
    printf("    after");
    for (size_t i = 0; i < record.entry_count; i++) {
        if (i == MAX_MOVES_SHOWN) {
            printf(" ... (%zu more)", record.entry_count - i);
            break;
        }
        printf("%s %s", i ? "," : "", record.entries[i]);
    }
    puts(record.entry_count ? "" : " the set-up");
    fz_record_free(context, &record);
}

static void print_finding(const fzi_cli *cli, fz_context *context, const char *path,
                          const fz_finding *finding)
{
    char text[FZI_EXCERPT_SIZE];

    fputs(finding->path ? finding->path : path, stdout);
    if (finding->line)
        printf(":%u:%u", finding->line, finding->column);
    printf(": %snote:%s %s\n", cli->colour ? "\033[1;36m" : "", cli->colour ? "\033[0m" : "",
           finding->message);
    if (finding->rule)
        printf("    %s\n", fzi_excerpt(finding->rule, finding->length, 76, text));
    print_moves(context, finding);
}

/* The record of finding number n is FILE, FILE-2, FILE-3, ... */
static void write_record(const fzi_cli *cli, const char *record, unsigned *number)
{
    const char *name = cli->values[FZ_CLI_RECORD];
    char path[4096];
    if (!record || !fzi_cli_has(cli, FZ_CLI_RECORD))
        return;
    if (++*number > 1)
        snprintf(path, sizeof path, "%s-%u", name, *number);
    else
        snprintf(path, sizeof path, "%s", name);
    fzi_file_write(cli, path, record, strlen(record));
    if (cli->format != FZ_CLI_JSON)
        printf("    record: %s\n", path);
}

/* The rule that the finding is about, with the finding's message. */
static json_t *idle_rule(const fz_coverage *coverage, const fz_finding *finding)
{
    size_t i = 0;
    while (coverage->rules[i].text != finding->rule ||
           coverage->rules[i].length != finding->length)
        i++;
    json_t *object = fzi_rule_json(&coverage->rules[i]);
    json_object_set_new(object, "message", json_string(finding->message));
    return object;
}

void fzi_playout_findings_print(const fzi_cli *cli, fz_context *context, const fz_check *check,
                                const char *path)
{
    const fz_tally *t = fz_check_tally(check);
    json_t *notes = json_array(), *never = json_array();
    fz_finding finding;
    char number[32];

    for (size_t i = 0; fz_check_finding(check, i, &finding); i++) {
        if (!finding.is_deep && cli->format != FZ_CLI_JSON)
            print_finding(cli, context, path, &finding);
        else if (!finding.is_deep && !finding.rule)
            json_array_append_new(notes, json_string(finding.message));
        else if (!finding.is_deep)
            json_array_append_new(never, idle_rule(fz_check_coverage(check), &finding));
    }
    if (cli->format == FZ_CLI_JSON) {
        fzi_json_write(json_pack("{s:I, s:f, s:f, s:I, s:I, s:I, s:O, s:O}", "playouts",
                                 (long long)t->playouts, "length", t->mean, "branching",
                                 t->branching, "draws", (long long)t->draws, "stopped",
                                 (long long)t->stopped, "failed", (long long)t->failed, "never",
                                 never, "notes", notes));
    } else if (t->playouts) {
        fflush(stdout);
        fprintf(stderr, "%s: %s random game%s, %.1f decisions each", path,
                fzi_grouped(t->playouts, number), fzi_plural(t->playouts), t->mean);
        if (t->branching > 0)
            fprintf(stderr, " with %.1f moves to choose from", t->branching);
        fprintf(stderr, ", seed %" PRIu64 "\n", cli->seed);
    }
    json_decref(notes);
    json_decref(never);
}

size_t fzi_deep_findings_print(const fzi_cli *cli, fz_context *context, const fz_check *check,
                               const char *path)
{
    json_t *list = json_array();
    fz_finding finding;
    unsigned records = 0;
    size_t count = 0;

    for (size_t i = 0; fz_check_finding(check, i, &finding); i++) {
        if (!finding.is_deep)
            continue;
        count++;
        if (cli->format == FZ_CLI_JSON)
            json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:s?}", "message",
                                                  finding.message, "line", (int)finding.line,
                                                  "column", (int)finding.column, "record",
                                                  finding.record));
        else
            print_finding(cli, context, path, &finding);
        write_record(cli, finding.record, &records);
    }
    if (cli->format == FZ_CLI_JSON) {
        fputs(", \"deep\": ", stdout);
        fzi_json_write(json_incref(list));
    } else {
        fflush(stdout);
        fprintf(stderr, "%s: %" PRIu64 " positions, %zu finding%s\n", path,
                fz_check_positions(check), count, fzi_plural(count));
    }
    json_decref(list);
    return count;
}
