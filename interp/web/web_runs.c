/* Many games at once, and players that choose, in the WebAssembly engine. See web_engine.h. */
#include "web_engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "interp/text/notation.h"

struct fzi_web_runs {
    fzi_web_game *game;
    uint64_t seed, done;
    bool covers;
    fz_sums sums;
    fz_coverage coverage; /* with the counts of all runs */
};

fzi_web_runs *fzi_web_runs_new(fzi_web_game *game, uint64_t seed, int covers)
{
    fzi_web_runs *runs = calloc(1, sizeof *runs);

    if (!runs) {
        fzi_web_fail(FZ_NO_MEMORY, "out of memory");
        return NULL;
    }
    *runs = (fzi_web_runs){.game = game, .seed = seed, .covers = covers != 0};
    fz_sums_init(&runs->sums, NULL, NULL);
    return runs;
}

void fzi_web_runs_free(fzi_web_runs *runs)
{
    if (!runs)
        return;
    fz_sums_clear(&runs->sums);
    fz_coverage_free(&runs->coverage);
    free(runs);
}

/* ---- the answer ---- */

static void add_players(const fzi_web_runs *runs, const fz_tally *tally, fzi_buffer *out)
{
    int players = fz_program_players(runs->game->program);
    double games = (double)(tally->playouts - tally->failed);

    fzi_buffer_json(out, "wins:[");
    for (int p = 0; p < players; p++)
        fzi_buffer_json(out, "U", tally->wins[p]);
    fzi_buffer_json(out, "], ranks:[");
    for (int p = 0; p < players; p++)
        fzi_buffer_json(out, "r9", tally->rank_sum[p] / games);
    fzi_buffer_json(out, "], utilities:[");
    for (int p = 0; p < players; p++)
        fzi_buffer_json(out, "r9", tally->utility_sum[p] / games);
    fzi_buffer_json(out, "]");
}

static void add_tally(const fzi_web_runs *runs, fzi_buffer *out)
{
    const fz_sums *sums = &runs->sums;
    fz_tally tally;

    fz_sums_tally(sums, &tally);
    fzi_buffer_json(out, "{playouts:U, plies:U, turns:U", tally.playouts, tally.plies, tally.turns);
    add_players(runs, &tally, out);
    fzi_buffer_json(out, "draws:U, shared:U, losses:U, stopped:U, failed:U", tally.draws,
                    tally.shared, tally.losses, tally.stopped, tally.failed);
    if (tally.failed)
        fzi_buffer_json(out, "message:s", sums->message);
    fzi_buffer_json(out, "shortest:U, longest:U, mean:r9, deviation:r9, median:r1, lengths:[",
                    tally.shortest, tally.longest, tally.mean, tally.deviation, tally.median);
    for (uint64_t i = 0; sums->playouts && i <= sums->longest; i++)
        if (sums->lengths[i])
            fzi_buffer_json(out, "[U, U]", i, sums->lengths[i]);
    fzi_buffer_json(out, "]}");
}

/* ---- playing ---- */

/* Adds the counts to those of the runs before, which have the same rules. */
static void add_coverage(fzi_web_runs *runs, fz_coverage *more)
{
    if (!runs->coverage.rules) {
        runs->coverage = *more;
        return;
    }
    for (size_t i = 0; i < more->count && i < runs->coverage.count; i++) {
        fz_rule *rule = &runs->coverage.rules[i];
        rule->ran += more->rules[i].ran;
        rule->tried += more->rules[i].tried;
        rule->offered += more->rules[i].offered;
    }
    fz_coverage_free(more);
}

fz_status fzi_web_runs_more(fzi_web_runs *runs, uint32_t count)
{
    fz_limits limits = {0};
    char message[256] = "";
    fz_tally tally;
    fz_coverage coverage = {0};
    const fz_playout_options sample = {.program = runs->game->program, .limits = &limits,
                              .seed = runs->seed, .first = runs->done, .count = count,
                              .threads = 1, .sums = &runs->sums};
    fz_status status;

    if (runs->covers) {
        status = fz_playouts_covered(&sample, &tally, message, &coverage);
        if (coverage.rules)
            add_coverage(runs, &coverage);
    } else {
        status = fz_playouts_run(&sample, &tally, message);
    }
    runs->done += count;
    if (status != FZ_OK && status != FZ_RUNTIME)
        return fzi_web_fail(status, *message ? message : "the playouts failed");
    add_tally(runs, fzi_web_begin());
    return fzi_web_end(runs->game, FZ_OK);
}

fz_status fzi_web_runs_rules(fzi_web_runs *runs)
{
    fzi_buffer *out = fzi_web_begin();

    fzi_buffer_json(out, "[");
    for (size_t i = 0; i < runs->coverage.count; i++) {
        const fz_rule *rule = &runs->coverage.rules[i];
        fzi_buffer_json(out, "{path:s, line:u, column:u, text:p, ran:U, tried:U, isOption:b, "
                             "inside:b, removed:b", rule->path, rule->line, rule->column,
                        rule->text, (size_t)rule->length, rule->ran, rule->tried, rule->is_option,
                        rule->inside, rule->removed);
        if (rule->is_option)
            fzi_buffer_json(out, "offered:U", rule->offered);
        fzi_buffer_json(out, "}");
    }
    fzi_buffer_json(out, "]");
    return fzi_web_end(runs->game, FZ_OK);
}

/* ---- counting ---- */

fz_status fzi_web_perft(fzi_web_state *state, unsigned depth)
{
    uint64_t nodes = 0;
    char text[32];
    fz_status status = fz_perft(fzi_web_machine(state), state->state, depth, false, NULL, &nodes);

    snprintf(text, sizeof text, "%" PRIu64, nodes);
    fzi_buffer_json(fzi_web_begin(), "{nodes:s}", text);
    return fzi_web_end(state->game, status);
}

/* ---- agents ---- */

/* The place of a legal move in the list. */
static size_t place_of(const fz_moves *moves, const fz_move *move)
{
    size_t i = 0;

    for (; i < fz_moves_count(moves); i++) {
        fz_move other = fz_moves_at(moves, i);
        if (fzi_move_same(&other, move))
            break;
    }
    return i;
}

static fz_status answer_choice(fzi_web_state *state, const fz_agent *agent, const fz_move *move)
{
    fz_status status = fzi_web_list(state);
    uint64_t visits;
    double proven;

    if (status != FZ_OK)
        return fzi_web_end(state->game, status);
    fzi_buffer *out = fzi_web_begin();
    fz_agent_opinion(agent, state->state, move, &visits, &proven);
    fzi_buffer_json(out, "{index:U, text:s, wins:b, visits:[",
                    (uint64_t)place_of(state->game->moves, move),
                    fz_move_text(fzi_web_machine(state), state->state, move), proven >= 1);
    for (size_t i = 0; i < fz_moves_count(state->game->moves); i++) {
        fz_move one = fz_moves_at(state->game->moves, i);
        if (fz_agent_opinion(agent, state->state, &one, &visits, &proven))
            fzi_buffer_json(out, "U", visits);
    }
    fzi_buffer_json(out, "]}");
    return fzi_web_end(state->game, FZ_OK);
}

fz_status fzi_web_choose(fzi_web_state *state, const char *description, uint64_t seed)
{
    fz_agent *agent = NULL;
    fz_move move;

    fzi_web_begin();
    if (fz_state_waiting(state->state) != FZ_WAITING_MOVE)
        return fzi_web_fail(FZ_USAGE, "the game does not wait for a move");
    fz_status status =
        fz_agent_new(state->game->context, state->game->program, description, &agent);
    if (status != FZ_OK)
        return fzi_web_fail(status, fz_context_message(state->game->context));
    fz_agent_begin(agent, seed, fz_state_plies(state->state));
    status = fz_agent_choose(agent, state->state, &move);
    status = status == FZ_OK ? answer_choice(state, agent, &move)
                             : fzi_web_fail(status, fz_agent_message(agent));
    fz_agent_free(agent);
    return status;
}
