/* Sums as JSON. See lab.h. */
#include "lab.h"

enum {
    NUMBER_SIZE = 48,
    /* Plies of a playout: each number takes 8 bytes of memory, and a file may hold anything. A
     * playout has at most 10M decisions unless its limits allow more. */
    MAX_LENGTH = 1 << 24
};

/* The numbers of the sums by name, of 8 or 16 bytes. */
typedef struct field {
    const char *name;
    size_t offset, size;
    bool is_signed;
} field;

#define FIELD(name, member, is_signed)                                                            \
    {name, offsetof(fz_sums, member), sizeof((fz_sums *)NULL)->member, is_signed}
static const field numbers[] = {
    FIELD("playouts", playouts, false), FIELD("failed", failed, false),
    FIELD("turns", turns, false),       FIELD("plies", plies, false),
    FIELD("draws", draws, false),       FIELD("losses", losses, false),
    FIELD("stopped", stopped, false),   FIELD("branched", legal_move_sum, false),
    FIELD("shortest", shortest, false), FIELD("longest", longest, false),
    FIELD("squares", squares, false),   FIELD("failed_stream", failed_stream, false),
    FIELD("shared", shared, false),
};
/* Those of the first player; the others follow. */
static const field player_numbers[] = {
    FIELD("wins", wins[0], false),          FIELD("ranks", ranks[0], false),
    FIELD("utilities", utilities[0], true), FIELD("payoffs", payoffs[0], true),
    FIELD("payoff_squares", payoff_squares[0], false), FIELD("shared", shared_by[0], false),
};
#undef FIELD
#define COUNT(table) (sizeof table / sizeof table[0])

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

size_t fzi_sums_ends(const fz_sums *s, fz_sums_end *ends)
{
    size_t count = 0;

    for (size_t i = 0; i < s->end_count; i++) {
        size_t k = 0;
        if (s->ends[i].playouts == 0)
            continue;
        while (k < count && (ends[k].kind != s->ends[i].kind ||
                              strcmp(ends[k].text, s->ends[i].text) != 0))
            k++;
        if (k == count)
            ends[count++] = s->ends[i];
        else
            ends[k].playouts += s->ends[i].playouts;
    }
    if (count)
        qsort(ends, count, sizeof *ends, by_frequency);
    return count;
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

/* A whole number as a text. */
static json_t *wide_json(fz_signed_wide value)
{
    char text[NUMBER_SIZE], *at = text + sizeof text - 1;
    fz_uint128 rest = value < 0 ? -(fz_uint128)value : (fz_uint128)value;

    *at = '\0';
    do
        *--at = (char)('0' + (int)(rest % 10));
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    return json_string(at);
}

static void write_numbers(json_t *object, const fz_sums *s, const field *table, size_t count,
                          unsigned player)
{
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)s + table[i].offset + player * table[i].size;
        uint64_t half;
        memcpy(&half, at, sizeof half);
        fz_signed_wide wide = table[i].is_signed ? (int64_t)half : (fz_signed_wide)half;
        if (table[i].size == sizeof wide)
            memcpy(&wide, at, sizeof wide);
        json_object_set_new(object, table[i].name, wide_json(wide));
    }
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

/* The same as an array of {"kind", "place", "games"}; NULL if memory is short. */
static json_t *ends_json(const fz_sums *s)
{
    json_malloc_t allocate;
    json_free_t release;
    json_get_alloc_funcs(&allocate, &release);
    fz_sums_end *ends = allocate((s->end_count + 1) * sizeof *ends);
    json_t *rows = ends ? json_array() : NULL;
    size_t count = ends ? fzi_sums_ends(s, ends) : 0;

    for (size_t i = 0; i < count; i++)
        json_array_append_new(rows, json_pack("{s:s, s:s, s:I}", "kind",
                                              fzi_ending_name(ends[i].kind), "place", ends[i].text,
                                              "games", (json_int_t)ends[i].playouts));
    release(ends);
    return rows;
}

json_t *fzi_sums_json(const fz_sums *s, unsigned players)
{
    json_t *object = json_object(), *rows = json_array();

    write_numbers(object, s, numbers, COUNT(numbers), 0);
    json_object_set_new(object, "parts", json_integer(s->parts));
    for (unsigned p = 0; p < players; p++) {
        json_t *row = json_object();
        write_numbers(row, s, player_numbers, COUNT(player_numbers), p);
        json_array_append_new(rows, row);
    }
    json_object_set_new(object, "players", rows);
    json_object_set_new(object, "lengths", lengths_json(s));
    json_object_set_new(object, "endings", ends_json(s));
    json_object_set_new(object, "message", json_string(s->message));
    return object;
}

/* ---- reading ---- */

/* False: it is none, or has more than 38 digits. */
static bool wide_read(const json_t *value, bool may_be_negative, fz_signed_wide *number)
{
    const char *at = json_string_value(value);
    bool negative = at && may_be_negative && *at == '-';
    fz_uint128 result = 0;

    if (!at)
        return false;
    at += negative;
    size_t length = strlen(at);
    if (!length || length > 38 || strspn(at, "0123456789") != length)
        return false;
    for (; *at; at++)
        result = (fz_uint128)10 * result + (unsigned)(*at - 48);
    *number = negative ? -(fz_signed_wide)result : (fz_signed_wide)result;
    return true;
}

static bool read_numbers(const json_t *object, fz_sums *s, const field *table, size_t count,
                         unsigned player)
{
    for (size_t i = 0; i < count; i++) {
        const field *n = &table[i];
        char *at = (char *)s + n->offset + player * n->size;
        fz_signed_wide wide;
        if (!wide_read(json_object_get(object, n->name), n->is_signed, &wide))
            return false;
        uint64_t half = (uint64_t)wide;
        if (n->size == sizeof wide)
            memcpy(at, &wide, sizeof wide);
        else if (wide == (n->is_signed ? (int64_t)half : (fz_signed_wide)half))
            memcpy(at, &half, sizeof half);
        else
            return false;
    }
    return true;
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
        const char *kind, *place;
        json_int_t games;
        if (json_unpack(json_array_get(rows, i), "{s:s, s:s, s:I}", "kind", &kind, "place", &place,
                        "games", &games))
            return false;
        fz_ending ending = fzi_ending_called(kind);
        if (ending == FZ_NOT_ENDED || ending == FZ_ENDED_BY_ERROR || games < 1 ||
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
    bool good = true;

    fz_sums_init(s, allocator.resize, allocator.user);
    if (!read_numbers(object, s, numbers, COUNT(numbers), 0) || !message ||
        json_array_size(rows) != players || s->longest >= MAX_LENGTH ||
        s->stopped > s->playouts || s->draws > s->playouts ||
        s->shared > s->playouts || s->losses > s->playouts)
        return false;
    s->parts = (int)json_integer_value(json_object_get(object, "parts"));
    snprintf(s->message, sizeof s->message, "%s", message);
    for (unsigned p = 0; p < players && good; p++)
        good = read_numbers(json_array_get(rows, p), s, player_numbers, COUNT(player_numbers), p) &&
               s->wins[p] <= s->playouts;
    return good && (!s->playouts || fz_sums_add_length(s, s->longest, 0)) &&
           read_lengths(json_object_get(object, "lengths"), s) &&
           read_ends(json_object_get(object, "endings"), s);
}

/* ---- results ---- */

json_t *fzi_number_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *fzi_estimate_json(fzi_estimate e)
{
    return json_pack("{s:o, s:o}", "value", fzi_number_json(e.value), "interval",
                     isnan(e.low) ? json_null()
                                  : json_pack("[o, o]", fzi_number_json(e.low),
                                              fzi_number_json(e.high)));
}

static json_t *payoffs_json(const json_t *x, const fz_tally *tally)
{
    json_t *payoffs = json_array();

    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        fzi_estimate mean = fzi_payoff_estimate(tally, p);
        json_array_append_new(payoffs,
                              json_pack("{s:o, s:o, s:[o, o]}", "mean",
                                        fzi_number_json(mean.value), "deviation",
                                        fzi_number_json(tally->playouts ? tally->payoff_deviation[p]
                                                                        : NAN), "interval",
                                        fzi_number_json(mean.low), fzi_number_json(mean.high)));
    }
    return payoffs;
}

/* Games in which the player's side came first with others, and not all did; NULL: there are
 * none. */
static json_t *shared_json(const json_t *x, const fz_tally *tally)
{
    json_t *shared = tally->shared ? json_array() : NULL;

    for (unsigned p = 0; shared && p < fzi_experiment_players(x); p++)
        json_array_append_new(shared, json_integer((json_int_t)tally->shared_by[p]));
    return shared ? json_pack("{s:I, s:o}", "games", (json_int_t)tally->shared, "players", shared)
                  : NULL;
}

/* null without playouts. */
static json_t *length_json(const fz_tally *tally)
{
    return tally->playouts
               ? json_pack("{s:f, s:f, s:f, s:I, s:I}", "mean", tally->mean, "deviation",
                           tally->deviation, "median", tally->median, "min",
                           (json_int_t)tally->shortest, "max", (json_int_t)tally->longest)
               : json_null();
}

json_t *fzi_shard_trace(const fzi_shard *shard)
{
    return fzi_experiment_trace(shard->experiment, shard->first, fzi_shard_played(shard));
}

json_t *fzi_results_json(const fzi_shard *shard, const char *part)
{
    const json_t *x = shard->experiment;
    const fz_sums *sums = &shard->sums;
    fz_tally totals;
    const fz_tally *tally = &totals;
    json_t *wins = json_array(), *players = json_array(), *intervals = json_array();
    json_t *ranks = json_array(), *utilities = json_array(), *agents = json_object_get(x, "agents");

    fz_sums_tally(sums, &totals);
    double n = tally->playouts ? (double)tally->playouts : NAN;
    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        uint64_t total = fzi_finished(tally);
        fzi_estimate share = fzi_share_estimate(tally->wins[p], total);
        json_array_append_new(wins, json_integer((long long)tally->wins[p]));
        json_array_append_new(players, json_string(fzi_experiment_player(x, p)));
        json_array_append_new(intervals, total ? json_pack("[f, f]", share.low, share.high)
                                               : json_null());
        json_array_append_new(ranks, fzi_number_json(tally->rank_sum[p] / n));
        json_array_append_new(utilities, fzi_number_json(tally->utility_sum[p] / n));
    }
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o*, s:o*, s:I, s:o*, s:I, s:I, s:o,"
        " s:o, s:o?, s:O*, s:o*, s:s*, s:o}",
        "game", fzi_experiment_text(x, "game"), "playouts", (json_int_t)tally->playouts,
        "plies", (json_int_t)tally->plies, "turns", (json_int_t)tally->turns,
        "wins", wins, "intervals", intervals, "players", players, "ranks", ranks,
        "utilities", utilities,
        "payoffs", fzi_experiment_is(x, "payoffs") ? payoffs_json(x, tally) : NULL,
        "losses",
        fzi_experiment_is(x, "one_side") ? json_integer((json_int_t)tally->losses) : NULL,
        "draws", (json_int_t)tally->draws, "shared", shared_json(x, tally),
        "stopped", (json_int_t)tally->stopped,
        "failed", (json_int_t)tally->failed, "endings", ends_json(sums),
        "length", length_json(tally),
        "branching", tally->branching > 0 ? json_real(tally->branching) : NULL,
        "agents", json_is_string(agents) ? agents : NULL,
        "repeatable", fzi_experiment_is(x, "repeatable") ? NULL : json_false(),
        "part", part, "run", fzi_shard_trace(shard));
}
