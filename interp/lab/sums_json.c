/* Sums as JSON. See sums_json.h. */
#include "sums_json.h"

#include "run_key.h"
#include "sampling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_SIZE = 48,
    MAX_LENGTH = FZI_MOST_COUNTED /* plies of a playout */
};

/* The counts by name; all are of 64 bits. */
static const struct {
    const char *name;
    size_t offset;
} counts[] = {
#define COUNT(name) {#name, offsetof(fz_sums, name)}
    COUNT(playouts), COUNT(failed), COUNT(turns), COUNT(plies),
    {"branched", offsetof(fz_sums, legal_move_sum)}, COUNT(draws), COUNT(losses), COUNT(stopped),
    COUNT(shortest), COUNT(longest), COUNT(failed_stream),
#undef COUNT
};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* ---- reasons of ends ---- */

static const char *const endings[] = {[FZ_NOT_ENDED] = "unfinished", [FZ_ENDED_BY_RULE] = "rule",
                                      [FZ_ENDED_WITHOUT_MOVE] = "no move",
                                      [FZ_ENDED_BY_LIMIT] = "limit",
                                      [FZ_ENDED_BY_ERROR] = "error"};
enum { ENDINGS = sizeof endings / sizeof endings[0] };

const char *fzi_ending_name(fz_ending ending)
{
    return endings[ending];
}

fz_ending fzi_ending_called(const char *name)
{
    size_t i = ENDINGS - 1;

    while (i > 0 && strcmp(endings[i], name) != 0)
        i--;
    return (fz_ending)i;
}

static int by_frequency(const void *one, const void *other)
{
    const fz_sums_end *a = one, *b = other;
    int order = strcmp(a->text, b->text);

    if (a->playouts != b->playouts)
        return a->playouts > b->playouts ? -1 : 1;
    return order ? order : (int)a->kind - (int)b->kind;
}

fz_sums_end *fzi_sums_ends(const fz_sums *s, size_t *count)
{
    fz_sums_end *ends = malloc((s->end_count + 1) * sizeof *ends);

    *count = 0;
    for (size_t i = 0; ends && i < s->end_count; i++) {
        size_t k = 0;
        if (s->ends[i].playouts == 0)
            continue;
        while (k < *count && (ends[k].kind != s->ends[i].kind ||
                              strcmp(ends[k].text, s->ends[i].text) != 0))
            k++;
        if (k == *count)
            ends[(*count)++] = s->ends[i];
        else
            ends[k].playouts += s->ends[i].playouts;
    }
    if (*count)
        qsort(ends, *count, sizeof *ends, by_frequency);
    return ends;
}

/* ---- writing ---- */

fz_status fzi_json_text(fz_context *context, json_t *value, char **text)
{
    char *dump = value ? json_dumps(value, JSON_PRESERVE_ORDER | JSON_ENCODE_ANY) : NULL;
    char *copy = dump ? fzi_copy_text(context->allocator, dump, strlen(dump)) : NULL;

    json_decref(value);
    free(dump);
    if (!copy)
        return fzi_context_no_memory(context);
    if (text)
        *text = copy;
    else
        fzi_release(context->allocator, copy);
    return FZ_OK;
}

static json_t *wide_json(fz_uint128 value, bool negative)
{
    char text[NUMBER_SIZE], *at = text + sizeof text - 1;

    *at = '\0';
    do
        *--at = (char)('0' + (int)(value % 10));
    while (value /= 10);
    if (negative)
        *--at = '-';
    return json_string(at);
}

json_t *fzi_wide_json(fz_signed_wide value)
{
    return wide_json(value < 0 ? -(fz_uint128)value : (fz_uint128)value, value < 0);
}

static json_t *lengths_json(const fz_sums *s)
{
    json_t *pairs = json_array();

    for (uint64_t i = 0; s->playouts && i <= s->longest; i++)
        if (s->lengths[i])
            json_array_append_new(pairs, json_pack("[I, I]", (long long)i,
                                                   (long long)s->lengths[i]));
    return pairs;
}

json_t *fzi_ends_json(const fz_sums *s)
{
    json_t *rows = json_array();
    size_t count;
    fz_sums_end *ends = fzi_sums_ends(s, &count);

    for (size_t i = 0; i < count; i++)
        json_array_append_new(rows, json_pack("{s:s, s:s, s:I}", "kind",
                                              fzi_ending_name(ends[i].kind), "place", ends[i].text,
                                              "games", (json_int_t)ends[i].playouts));
    free(ends);
    return rows;
}

json_t *fzi_sums_json(const fz_sums *s, unsigned players)
{
    json_t *object = json_object(), *rows = json_array();

    for (size_t i = 0; i < COUNTS; i++) {
        uint64_t value;
        memcpy(&value, (const char *)s + counts[i].offset, sizeof value);
        json_object_set_new(object, counts[i].name, wide_json(value, false));
    }
    json_object_set_new(object, "squares", wide_json(s->squares, false));
    json_object_set_new(object, "parts", json_integer(s->parts));
    for (unsigned p = 0; p < players; p++) {
        json_t *row = json_object();
        json_object_set_new(row, "wins", wide_json(s->wins[p], false));
        json_object_set_new(row, "ranks", wide_json(s->ranks[p], false));
        json_object_set_new(row, "utilities", fzi_wide_json(s->utilities[p]));
        json_object_set_new(row, "payoffs", fzi_wide_json(s->payoffs[p]));
        json_object_set_new(row, "payoff_squares", wide_json(s->payoff_squares[p], false));
        json_array_append_new(rows, row);
    }
    json_object_set_new(object, "players", rows);
    json_object_set_new(object, "lengths", lengths_json(s));
    json_object_set_new(object, "endings", fzi_ends_json(s));
    json_object_set_new(object, "message", json_string(s->message));
    return object;
}

/* ---- reading ---- */

bool fzi_wide_read(const json_t *value, bool may_be_negative, fz_signed_wide *number)
{
    const char *at = json_string_value(value);
    bool negative = at && may_be_negative && *at == '-';
    size_t length;
    fz_uint128 result = 0;

    if (!at)
        return false;
    at += negative;
    length = strlen(at);
    if (!length || length > 38 || strspn(at, "0123456789") != length)
        return false;
    for (; *at; at++)
        result = (fz_uint128)10 * result + (unsigned)(*at - 48);
    *number = negative ? -(fz_signed_wide)result : (fz_signed_wide)result;
    return true;
}

static bool read_count(const json_t *value, uint64_t *number)
{
    fz_signed_wide wide;

    if (!fzi_wide_read(value, false, &wide) || wide > (fz_signed_wide)UINT64_MAX)
        return false;
    *number = (uint64_t)wide;
    return true;
}

static bool read_player(const json_t *row, unsigned p, fz_sums *s)
{
    fz_signed_wide squares, utilities;
    bool good = read_count(json_object_get(row, "wins"), &s->wins[p]) &&
                read_count(json_object_get(row, "ranks"), &s->ranks[p]) &&
                fzi_wide_read(json_object_get(row, "utilities"), true, &utilities) &&
                fzi_wide_read(json_object_get(row, "payoffs"), true, &s->payoffs[p]) &&
                fzi_wide_read(json_object_get(row, "payoff_squares"), false, &squares) &&
                utilities >= INT64_MIN && utilities <= INT64_MAX;

    if (!good)
        return false;
    s->utilities[p] = (int64_t)utilities;
    s->payoff_squares[p] = (fz_uint128)squares;
    return s->wins[p] <= s->playouts;
}

/* The counts by length add up to the playouts. */
static bool read_lengths(const json_t *pairs, fz_sums *s)
{
    uint64_t playouts = 0;

    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        long long plies = json_integer_value(json_array_get(pair, 0));
        long long count = json_integer_value(json_array_get(pair, 1));
        if (json_array_size(pair) != 2 || plies < 0 || (uint64_t)plies > s->longest ||
            count < 1 || (uint64_t)count > s->playouts - playouts)
            return false;
        playouts += (uint64_t)count;
        if (!fz_sums_add_length(s, (uint64_t)plies, (uint64_t)count))
            return false;
    }
    return json_is_array(pairs) && playouts == s->playouts;
}

/* The counts by reason add up to the playouts, too. */
static bool read_ends(const json_t *rows, fz_sums *s)
{
    uint64_t playouts = 0;

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *kind = json_string_value(json_object_get(row, "kind"));
        const char *place = json_string_value(json_object_get(row, "place"));
        long long games = json_integer_value(json_object_get(row, "games"));
        fz_ending ending = kind ? fzi_ending_called(kind) : FZ_NOT_ENDED;
        if (!place || ending == FZ_NOT_ENDED || ending == FZ_ENDED_BY_ERROR || games < 1 ||
            (uint64_t)games > s->playouts - playouts ||
            !fz_sums_add_end(s, ending, place, (uint64_t)games))
            return false;
        playouts += (uint64_t)games;
    }
    return json_is_array(rows) && playouts == s->playouts;
}

bool fzi_sums_read(const json_t *object, unsigned players, fzi_allocator allocator, fz_sums *s)
{
    const json_t *rows = json_object_get(object, "players");
    const char *message = json_string_value(json_object_get(object, "message"));
    fz_signed_wide squares;
    bool good = true;

    fz_sums_init(s, allocator.resize, allocator.user);
    for (size_t i = 0; i < COUNTS && good; i++) {
        uint64_t value = 0;
        good = read_count(json_object_get(object, counts[i].name), &value);
        memcpy((char *)s + counts[i].offset, &value, sizeof value);
    }
    if (!good || !fzi_wide_read(json_object_get(object, "squares"), false, &squares) || !message ||
        json_array_size(rows) != players || s->longest >= MAX_LENGTH ||
        s->stopped > s->playouts || s->draws > s->playouts || s->losses > s->playouts)
        return false;
    s->squares = (fz_uint128)squares;
    s->parts = (int)json_integer_value(json_object_get(object, "parts"));
    snprintf(s->message, sizeof s->message, "%s", message);
    for (unsigned p = 0; p < players && good; p++)
        good = read_player(json_array_get(rows, p), p, s);
    return good && (!s->playouts || fz_sums_add_length(s, s->longest, 0)) &&
           read_lengths(json_object_get(object, "lengths"), s) &&
           read_ends(json_object_get(object, "endings"), s);
}

/* ---- results ---- */

static json_t *payoffs_json(const json_t *x, const fz_tally *tally)
{
    json_t *payoffs = json_array();

    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        double low, high, mean = tally->payoff_mean[p], deviation = tally->payoff_deviation[p];
        fzi_mean_interval(mean, deviation, fzi_finished(tally), &low, &high);
        json_array_append_new(payoffs, json_pack("{s:f, s:f, s:[f, f]}", "mean", mean, "deviation",
                                                 deviation, "interval", low, high));
    }
    return payoffs;
}

json_t *fzi_results_json(const json_t *x, const char *part, const fz_sums *sums)
{
    fz_tally totals;
    const fz_tally *tally = &totals;
    json_t *wins = json_array(), *players = json_array(), *intervals = json_array();
    json_t *ranks = json_array(), *utilities = json_array(), *object = json_object();
    double n;

    fz_sums_tally(sums, &totals);
    n = tally->playouts ? (double)tally->playouts : 1;
    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        double low, high;
        fzi_interval(tally->wins[p], fzi_finished(tally), &low, &high);
        json_array_append_new(wins, json_integer((long long)tally->wins[p]));
        json_array_append_new(players, json_string(fzi_experiment_player(x, p)));
        json_array_append_new(intervals, json_pack("[f, f]", low, high));
        json_array_append_new(ranks, json_real(tally->rank_sum[p] / n));
        json_array_append_new(utilities, json_real(tally->utility_sum[p] / n));
    }
    json_object_set_new(object, "game", json_string(fzi_experiment_text(x, "game")));
    json_object_set(object, "options", json_object_get(x, "given"));
    json_object_set_new(object, "playouts", json_integer((long long)tally->playouts));
    json_object_set_new(object, "plies", json_integer((long long)tally->plies));
    json_object_set_new(object, "turns", json_integer((long long)tally->turns));
    json_object_set_new(object, "wins", wins);
    json_object_set_new(object, "intervals", intervals);
    json_object_set_new(object, "players", players);
    json_object_set_new(object, "ranks", ranks);
    json_object_set_new(object, "utilities", utilities);
    if (fzi_experiment_is(x, "payoffs"))
        json_object_set_new(object, "payoffs", payoffs_json(x, tally));
    if (fzi_experiment_is(x, "one_side"))
        json_object_set_new(object, "losses", json_integer((long long)tally->losses));
    json_object_set_new(object, "draws", json_integer((long long)tally->draws));
    json_object_set_new(object, "stopped", json_integer((long long)tally->stopped));
    json_object_set_new(object, "failed", json_integer((long long)tally->failed));
    json_object_set_new(object, "endings", fzi_ends_json(sums));
    json_object_set_new(object, "length",
                        json_pack("{s:f, s:f, s:f, s:I, s:I}", "mean", tally->mean, "deviation",
                                  tally->deviation, "median", tally->median, "min",
                                  (long long)tally->shortest, "max", (long long)tally->longest));
    json_object_set_new(object, "branching", tally->branching > 0 ? json_real(tally->branching)
                                                                  : json_null());
    if (json_is_string(json_object_get(x, "agents")))
        json_object_set(object, "agents", json_object_get(x, "agents"));
    if (!fzi_experiment_is(x, "repeatable"))
        json_object_set_new(object, "repeatable", json_false());
    if (part)
        json_object_set_new(object, "part", json_string(part));
    json_object_set_new(object, "seed", json_integer((long long)fzi_experiment_seed(x)));
    return object;
}
