/* Random games of a script: rules that never ran, games that do not end, players with unequal
 * chances. They are notes, not errors, because only the author knows the intention.
 * game_check.c calls this. */
#include "checks.h"

#include "interp/play/play.h"
#include "interp/support/text.h"

#include <stdio.h>

enum { SURELY = 20 }; /* moves of an item that the other items make, too */

static fzi_finding *add_rule(fz_check *check, const fz_rule *rule)
{
    char games[64], number[32];

    snprintf(games, sizeof games, "%s random game%s", fzi_grouped(check->tally.playouts, number),
             fzi_plural(check->tally.playouts));
    if (rule->removed)
        return fzi_check_add(check, "this was removed: its condition is constant, or it can never "
                             "have a move");
    if (rule->ran && rule->is_item)
        return fzi_check_add(check, "the other items of the piece make all %s moves of this one in "
                             "%s", fzi_grouped(rule->ran, number), games);
    if (rule->ran)
        return fzi_check_add(check, "this ran %s time%s in %s and never changed a piece",
                             fzi_grouped(rule->ran, number), fzi_plural(rule->ran), games);
    if (rule->is_option && !rule->offered)
        return fzi_check_add(check, "this option had no move in %s", games);
    if (rule->is_option)
        return fzi_check_add(check, "this option had moves at %s decision%s, but none was ever "
                             "legal and played", fzi_grouped(rule->offered, number),
                             fzi_plural(rule->offered));
    if (rule->tried)
        return fzi_check_add(check, "this ran %s time%s while moves were tried, but in no played "
                             "move of %s", fzi_grouped(rule->tried, number),
                             fzi_plural(rule->tried), games);
    return fzi_check_add(check, "this never ran in %s", games);
}

/* `otherwise lose me;`: the result for a player without a move, whom a game need not have. */
static bool is_last_resort(const fz_program *program, const fz_rule *rule)
{
    static const char before[] = "otherwise";
    const char *start, *at = rule->text;
    size_t length = sizeof before - 1, whole;

    for (unsigned i = 0; fz_program_source(program, i, NULL, &start, &whole); i++) {
        if (rule->text < start || rule->text >= start + whole)
            continue;
        while (at > start && strchr(" \t\r\n{", at[-1]))
            at--;
        return (size_t)(at - start) >= length && strncmp(at - length, before, length) == 0 &&
               !memchr(rule->text, '{', rule->length);
    }
    return false;
}

/* An item of a piece that has made moves, but none that the other items do not make. */
static bool is_redundant(const fz_rule *rule)
{
    return rule->is_item && rule->ran >= SURELY && !rule->alone;
}

/* Options that the chosen values remove are no mistake of the script. */
static void add_rules(fz_check *check)
{
    for (size_t i = 0; i < check->coverage.count; i++) {
        const fz_rule *rule = &check->coverage.rules[i];
        bool is_idle = !rule->ran || (rule->writes && !rule->changes && !rule->is_option) ||
                       is_redundant(rule);
        if (!is_idle || rule->inside || (rule->removed && fz_program_options(check->program)) ||
            (!rule->ran && is_last_resort(check->program, rule)))
            continue;
        fzi_finding *finding = add_rule(check, rule);
        if (finding)
            finding->shown = (fz_finding){.path = rule->path, .line = rule->line,
                                          .column = rule->column, .rule = rule->text,
                                          .length = rule->length};
    }
}

/* Games that no rule ended. */
static void add_limits(fz_check *check)
{
    const fz_tally *t = &check->tally;
    char number[32];

    if (t->playouts && t->stopped == t->playouts)
        fzi_check_add(check, "no rule ended a game: the limit stopped every game");
    else if (t->stopped)
        fzi_check_add(check, "the limit stopped %s game%s (%.2f %%)",
                      fzi_grouped(t->stopped, number), fzi_plural(t->stopped),
                      100 * (double)t->stopped / (double)t->playouts);
}

/* Two players whose shares of games are surely different. */
static void add_balance(fz_check *check)
{
    const uint64_t *wins = check->tally.wins;
    uint64_t total = fzi_finished(&check->tally);
    int best = 0, worst = 0;

    for (int p = 1; p < fz_program_players(check->program); p++) {
        best = wins[p] > wins[best] ? p : best;
        worst = wins[p] < wins[worst] ? p : worst;
    }
    if (total && best != worst &&
        fzi_share_estimate(wins[best], total).low > fzi_share_estimate(wins[worst], total).high)
        fzi_check_add(check, "%s won %.1f %% of the games and %s %.1f %%",
                      fz_program_player_name(check->program, best),
                      100 * (double)wins[best] / (double)total,
                      fz_program_player_name(check->program, worst),
                      100 * (double)wins[worst] / (double)total);
}

fz_status fzi_check_playouts(fz_check *check, const fz_check_options *options)
{
    fz_playout_options sample = {.program = check->program, .limits = options->limits,
                                 .seed = options->seed, .count = options->playouts,
                                 .threads = options->threads ? options->threads : 1,
                                 .watch = options->watch};
    fz_status status =
        fz_playouts_covered(&sample, &check->tally, check->message, &check->coverage);

    if (status == FZ_NO_MEMORY)
        return status;
    if (check->tally.playouts)
        add_rules(check);
    add_limits(check);
    add_balance(check);
    return status;
}
