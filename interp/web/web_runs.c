/* Many games at once, and players that choose, in the WebAssembly engine. See web_engine.h. */
#include "web_engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    static const char *const keys[] = {"wins", "ranks", "utilities"};
    int players = fz_program_players(runs->game->program);
    double games = (double)(tally->playouts - tally->failed);

    for (int k = 0; k < 3; k++) {
        fzi_web_open(out, keys[k], '[');
        for (int p = 0; p < players; p++) {
            if (k == 0)
                fzi_web_integer(out, NULL, (int64_t)tally->wins[p]);
            else
                fzi_web_real(out, NULL,
                             (k == 1 ? tally->rank_sum : tally->utility_sum)[p] / games, 9);
        }
        fzi_web_close(out, ']');
    }
}

static void add_lengths(const fz_sums *sums, fzi_buffer *out)
{
    fzi_web_open(out, "lengths", '[');
    for (uint64_t i = 0; sums->playouts && i <= sums->longest; i++) {
        if (!sums->lengths[i])
            continue;
        fzi_web_open(out, NULL, '[');
        fzi_web_integer(out, NULL, (int64_t)i);
        fzi_web_integer(out, NULL, (int64_t)sums->lengths[i]);
        fzi_web_close(out, ']');
    }
    fzi_web_close(out, ']');
}

static void add_tally(const fzi_web_runs *runs, fzi_buffer *out)
{
    fz_tally tally;

    fz_sums_tally(&runs->sums, &tally);
    fzi_web_open(out, NULL, '{');
    fzi_web_integer(out, "playouts", (int64_t)tally.playouts);
    fzi_web_integer(out, "plies", (int64_t)tally.plies);
    fzi_web_integer(out, "turns", (int64_t)tally.turns);
    add_players(runs, &tally, out);
    fzi_web_integer(out, "draws", (int64_t)tally.draws);
    fzi_web_integer(out, "losses", (int64_t)tally.losses);
    fzi_web_integer(out, "stopped", (int64_t)tally.stopped);
    fzi_web_integer(out, "failed", (int64_t)tally.failed);
    if (tally.failed)
        fzi_web_string(out, "message", runs->sums.message);
    fzi_web_integer(out, "shortest", (int64_t)tally.shortest);
    fzi_web_integer(out, "longest", (int64_t)tally.longest);
    fzi_web_real(out, "mean", tally.mean, 9);
    fzi_web_real(out, "deviation", tally.deviation, 9);
    fzi_web_real(out, "median", tally.median, 1);
    add_lengths(&runs->sums, out);
    fzi_web_close(out, '}');
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

    fzi_web_open(out, NULL, '[');
    for (size_t i = 0; i < runs->coverage.count; i++) {
        const fz_rule *rule = &runs->coverage.rules[i];
        fzi_web_open(out, NULL, '{');
        fzi_web_string(out, "path", rule->path);
        fzi_web_integer(out, "line", rule->line);
        fzi_web_integer(out, "column", rule->column);
        fzi_web_string_part(out, "text", rule->text, rule->length);
        fzi_web_integer(out, "ran", (int64_t)rule->ran);
        fzi_web_integer(out, "tried", (int64_t)rule->tried);
        fzi_web_bool(out, "isOption", rule->is_option);
        fzi_web_bool(out, "inside", rule->inside);
        fzi_web_bool(out, "removed", rule->removed);
        if (rule->is_option)
            fzi_web_integer(out, "offered", (int64_t)rule->offered);
        fzi_web_close(out, '}');
    }
    fzi_web_close(out, ']');
    return fzi_web_end(runs->game, FZ_OK);
}

/* ---- counting ---- */

fz_status fzi_web_perft(fzi_web_state *state, unsigned depth)
{
    uint64_t nodes = 0;
    char text[32];
    fz_status status = fz_perft(fzi_web_machine(state), state->state, depth, false, NULL, &nodes);
    fzi_buffer *out = fzi_web_begin();

    snprintf(text, sizeof text, "%" PRIu64, nodes);
    fzi_web_open(out, NULL, '{');
    fzi_web_string(out, "nodes", text);
    fzi_web_close(out, '}');
    return fzi_web_end(state->game, status);
}

/* ---- agents ---- */

static bool same_move(const fz_move *a, const fz_move *b)
{
    return a->option == b->option && a->count == b->count &&
           memcmp(a->values, b->values, a->count * sizeof *a->values) == 0;
}

/* The place of a legal move in the list. */
static size_t place_of(const fz_moves *moves, const fz_move *move)
{
    size_t i = 0;

    for (; i < fz_moves_count(moves); i++) {
        fz_move other = fz_moves_at(moves, i);
        if (same_move(&other, move))
            break;
    }
    return i;
}

static fz_status answer_choice(fzi_web_state *state, const fz_move *move)
{
    fz_status status = fzi_web_list(state);
    fzi_buffer *out;

    if (status != FZ_OK)
        return fzi_web_end(state->game, status);
    out = fzi_web_begin();
    fzi_web_open(out, NULL, '{');
    fzi_web_integer(out, "index", (int64_t)place_of(state->game->moves, move));
    fzi_web_string(out, "text", fz_move_text(fzi_web_machine(state), state->state, move));
    fzi_web_close(out, '}');
    return fzi_web_end(state->game, FZ_OK);
}

fz_status fzi_web_choose(fzi_web_state *state, const char *description, uint64_t seed)
{
    fz_agent *agent = NULL;
    fz_move move;
    fz_status status;

    fzi_web_begin();
    if (fz_state_waiting(state->state) != FZ_WAITING_MOVE)
        return fzi_web_fail(FZ_USAGE, "the game does not wait for a move");
    status = fz_agent_new(state->game->context, state->game->program, description, &agent);
    if (status != FZ_OK)
        return fzi_web_fail(status, fz_context_message(state->game->context));
    fz_agent_begin(agent, seed, fz_state_plies(state->state));
    status = fz_agent_choose(agent, state->state, &move);
    status = status == FZ_OK ? answer_choice(state, &move)
                             : fzi_web_fail(status, fz_agent_message(agent));
    fz_agent_free(agent);
    return status;
}
