/* Notes about random games of a script. See random_check.h. */
#include "random_check.h"

#include "interp/cli/rules.h"
#include "interp/lab/sampling.h"
#include "interp/cli/session.h"
#include "interp/cli/table.h"
#include "interp/terminal/progress.h"
#include "interp/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct findings {
    const fzi_cli *cli;
    const fz_program *program;
    const char *path;
    fz_tally tally;
    fz_coverage coverage;
    char message[256];
} findings;

/* ---- notes ---- */

static const char *rule_note(const findings *f, const fz_rule *rule, char *note, size_t size)
{
    char games[64], number[32];

    snprintf(games, sizeof games, "%s random game%s", fzi_grouped(f->tally.playouts, number),
             fzi_cli_plural(f->tally.playouts));
    if (rule->removed)
        snprintf(note, size,
                 "this was removed: its condition is constant, or it can never have a move");
    else if (rule->is_option && !rule->offered)
        snprintf(note, size, "this option had no move in %s", games);
    else if (rule->is_option)
        snprintf(note, size,
                 "this option had moves at %s decision%s, but none was ever legal and played",
                 fzi_grouped(rule->offered, number), fzi_cli_plural(rule->offered));
    else if (rule->tried)
        snprintf(note, size,
                 "this ran %s time%s while moves were tried, but in no played move of %s",
                 fzi_grouped(rule->tried, number), fzi_cli_plural(rule->tried), games);
    else
        snprintf(note, size, "this never ran in %s", games);
    return note;
}

/* "": most games ended by a rule. */
static const char *end_note(const findings *f, char *note, size_t size)
{
    const fz_tally *t = &f->tally;
    char number[32];

    *note = '\0';
    if (t->playouts && t->stopped == t->playouts)
        snprintf(note, size, "no rule ended a game: the limit stopped every game");
    else if (t->stopped)
        snprintf(note, size, "the limit stopped %s game%s (%.2f %%)",
                 fzi_grouped(t->stopped, number), fzi_cli_plural(t->stopped),
                 100 * (double)t->stopped / (double)t->playouts);
    return note;
}

/* "": no two players whose shares of games are surely different. */
static const char *balance_note(const findings *f, char *note, size_t size)
{
    uint64_t total = fzi_finished(&f->tally);
    int best = 0, worst = 0;
    double low, high, best_low, worst_high;

    *note = '\0';
    for (int p = 1; p < fz_program_players(f->program); p++) {
        best = f->tally.wins[p] > f->tally.wins[best] ? p : best;
        worst = f->tally.wins[p] < f->tally.wins[worst] ? p : worst;
    }
    fzi_interval(f->tally.wins[best], total, &best_low, &high);
    fzi_interval(f->tally.wins[worst], total, &low, &worst_high);
    if (total && best != worst && best_low > worst_high)
        snprintf(note, size, "%s won %.1f %% of the games and %s %.1f %%",
                 fz_program_player_name(f->program, best),
                 100 * (double)f->tally.wins[best] / (double)total,
                 fz_program_player_name(f->program, worst),
                 100 * (double)f->tally.wins[worst] / (double)total);
    return note;
}

/* ---- printing ---- */

static void print_note(const findings *f, const char *where, const char *note)
{
    bool colour = f->cli->colour;

    if (*note)
        printf("%s: %snote:%s %s\n", where, colour ? "\033[1;36m" : "", colour ? "\033[0m" : "",
               note);
}

/* What the options in force remove is no mistake of the script. */
static void print_rules(const findings *f)
{
    char note[160], where[512], text[FZI_EXCERPT_SIZE];

    for (size_t i = 0; i < f->coverage.count; i++) {
        const fz_rule *rule = &f->coverage.rules[i];
        if (rule->ran || rule->inside || (rule->removed && fz_program_options(f->program)))
            continue;
        snprintf(where, sizeof where, "%s:%u:%u", rule->path, rule->line, rule->column);
        print_note(f, where, rule_note(f, rule, note, sizeof note));
        printf("    %s\n", fzi_rule_excerpt(rule, 76, text));
    }
}

static void print_text(const findings *f)
{
    const fz_tally *t = &f->tally;
    char note[256], number[32];

    if (t->playouts)
        print_rules(f);
    print_note(f, f->path, end_note(f, note, sizeof note));
    print_note(f, f->path, balance_note(f, note, sizeof note));
    fflush(stdout);
    if (!t->playouts)
        return;
    fprintf(stderr, "%s: %s random game%s, %.1f decisions each", f->path,
            fzi_grouped(t->playouts, number), fzi_cli_plural(t->playouts), t->mean);
    if (t->branching > 0)
        fprintf(stderr, " with %.1f moves to choose from", t->branching);
    fprintf(stderr, ", seed %" PRIu64 "\n", f->cli->seed);
}

static void print_json(const findings *f)
{
    const fz_tally *t = &f->tally;
    json_t *notes = json_array(), *object;
    char note[256];

    if (*end_note(f, note, sizeof note))
        json_array_append_new(notes, json_string(note));
    if (*balance_note(f, note, sizeof note))
        json_array_append_new(notes, json_string(note));
    object = json_pack("{s:I, s:I, s:f, s:f, s:I, s:I, s:I, s:o, s:o}", "playouts",
                       (long long)t->playouts, "seed", (long long)f->cli->seed, "length", t->mean,
                       "branching", t->branching, "draws", (long long)t->draws, "stopped",
                       (long long)t->stopped, "failed", (long long)t->failed, "never",
                       fzi_rules_json(&f->coverage, true), "notes", notes);
    fzi_json_write(object);
}

/* Reports the failed game; the session borrows the program. */
static int playouts_failed(const findings *f, fz_context *context, fz_program *program)
{
    fzi_session session = {.cli = f->cli, .context = context, .path = f->path, .program = program};
    int code = fzi_session_playouts_failed(&session, &f->tally, NULL, f->message);

    fz_machine_free(session.machine);
    return code;
}

int fzi_random_check(const fzi_cli *cli, fz_context *context, fz_program *program, const char *path)
{
    findings f = {.cli = cli, .program = program, .path = path};
    fzi_progress progress;
    fz_watch watch = fzi_watch(&progress);
    fz_status status;

    fzi_progress_begin(&progress, "playouts");
    fz_playout_options sample = {.program = program, .limits = &cli->limits, .seed = cli->seed,
                        .count = cli->playouts, .threads = fzi_threads(cli->threads),
                        .watch = &watch};
    status = fz_playouts_covered(&sample, &f.tally, f.message, &f.coverage);
    fzi_progress_end(&progress);
    if (status == FZ_NO_MEMORY) {
        fz_coverage_free(&f.coverage);
        return fzi_cli_complain(cli, "%s", f.message);
    }
    if (cli->format == FZ_CLI_JSON)
        print_json(&f);
    else
        print_text(&f);
    fz_coverage_free(&f.coverage);
    return status == FZ_OK ? FZ_EXIT_OK : playouts_failed(&f, context, program);
}
