/* Random games of a script: rules that never ran, games that do not end, players with unequal
 * chances. They are notes, not errors, because only the author knows the intention.
 * game_check.c calls this. */
#include "checks.h"

#include "interp/lab/sampling.h"

#include <stdio.h>

static const char *rule_note(const fz_check *check, const fz_rule *rule, char *note, size_t size)
{
    char games[64], number[32];

    snprintf(games, sizeof games, "%s random game%s", fzi_grouped(check->tally.playouts, number),
             fzi_plural(check->tally.playouts));
    if (rule->removed)
        snprintf(note, size,
                 "this was removed: its condition is constant, or it can never have a move");
    else if (rule->is_option && !rule->offered)
        snprintf(note, size, "this option had no move in %s", games);
    else if (rule->is_option)
        snprintf(note, size,
                 "this option had moves at %s decision%s, but none was ever legal and played",
                 fzi_grouped(rule->offered, number), fzi_plural(rule->offered));
    else if (rule->tried)
        snprintf(note, size,
                 "this ran %s time%s while moves were tried, but in no played move of %s",
                 fzi_grouped(rule->tried, number), fzi_plural(rule->tried), games);
    else
        snprintf(note, size, "this never ran in %s", games);
    return note;
}

/* "": most games ended by a rule. */
static const char *end_note(const fz_check *check, char *note, size_t size)
{
    const fz_tally *t = &check->tally;
    char number[32];

    *note = '\0';
    if (t->playouts && t->stopped == t->playouts)
        snprintf(note, size, "no rule ended a game: the limit stopped every game");
    else if (t->stopped)
        snprintf(note, size, "the limit stopped %s game%s (%.2f %%)",
                 fzi_grouped(t->stopped, number), fzi_plural(t->stopped),
                 100 * (double)t->stopped / (double)t->playouts);
    return note;
}

/* "": no two players whose shares of games are surely different. */
static const char *balance_note(const fz_check *check, char *note, size_t size)
{
    uint64_t total = fzi_finished(&check->tally);
    int best = 0, worst = 0;
    double low, high, best_low, worst_high;

    *note = '\0';
    for (int p = 1; p < fz_program_players(check->program); p++) {
        best = check->tally.wins[p] > check->tally.wins[best] ? p : best;
        worst = check->tally.wins[p] < check->tally.wins[worst] ? p : worst;
    }
    fzi_interval(check->tally.wins[best], total, &best_low, &high);
    fzi_interval(check->tally.wins[worst], total, &low, &worst_high);
    if (total && best != worst && best_low > worst_high)
        snprintf(note, size, "%s won %.1f %% of the games and %s %.1f %%",
                 fz_program_player_name(check->program, best),
                 100 * (double)check->tally.wins[best] / (double)total,
                 fz_program_player_name(check->program, worst),
                 100 * (double)check->tally.wins[worst] / (double)total);
    return note;
}

static void add_note(fz_check *check, const char *note)
{
    if (*note)
        fzi_check_add(check, note);
}

/* What the options in force remove is no mistake of the script. */
static void add_rules(fz_check *check)
{
    char note[160];

    for (size_t i = 0; i < check->coverage.count; i++) {
        const fz_rule *rule = &check->coverage.rules[i];
        if (rule->ran || rule->inside || (rule->removed && fz_program_options(check->program)))
            continue;
        fzi_finding *finding = fzi_check_add(check, rule_note(check, rule, note, sizeof note));
        if (finding)
            finding->shown = (fz_finding){.path = rule->path, .line = rule->line,
                                          .column = rule->column, .rule = rule->text,
                                          .length = rule->length};
    }
}

fz_status fzi_check_playouts(fz_check *check, const fz_check_options *options)
{
    fz_playout_options sample = {.program = check->program, .limits = options->limits,
                                 .seed = options->seed, .count = options->playouts,
                                 .threads = options->threads ? options->threads : 1,
                                 .watch = options->watch};
    char note[256];
    fz_status status =
        fz_playouts_covered(&sample, &check->tally, check->message, &check->coverage);

    if (status == FZ_NO_MEMORY)
        return status;
    if (check->tally.playouts)
        add_rules(check);
    add_note(check, end_note(check, note, sizeof note));
    add_note(check, balance_note(check, note, sizeof note));
    return status;
}
