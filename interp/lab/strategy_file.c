/* Files of learned strategies. See strategy_learning.h; docs/agents.md describes the format. */
#include "strategy_learning.h"

static const fzi_checked_form form = {"ferz strategy 1", "a", "strategy", "learn"};

/* ---- information sets, a line each: key, player, decisions before, and for each move its regret
 * and how much it was played ---- */

static json_t *write_set(const fzi_strategy *s, size_t number)
{
    const fzi_information_set *y = &s->sets[number];
    const fzi_position_key *key = &s->keys.items[number];
    fzi_buffer text = fzi_buffer_in(s->allocator);

    fzi_buffer_format(&text, "%016" PRIx64 "%016" PRIx64 " %u %" PRIu32, key->place, key->check,
                      y->side + 1u, y->depth);
    for (uint32_t i = y->first; i < y->first + y->count; i++)
        fzi_buffer_format(&text, " %.17g %.17g", s->regrets[i], s->played[i]);
    json_t *line = text.failed ? NULL : json_string(fzi_buffer_get(&text));
    fzi_buffer_free(&text);
    return line;
}

/* A number after a blank. */
static bool read_number(const char **at, double least, double *value)
{
    char *end;

    if (**at != ' ' || strchr(" +", (*at)[1]))
        return false;
    *value = strtod(*at + 1, &end);
    if (end == *at + 1 || !(fabs(*value) <= FZ_MOST_REGRET) || *value < least)
        return false;
    *at = end;
    return true;
}

static bool read_key(const char **at, fzi_position_key *key)
{
    uint64_t *words[] = {&key->place, &key->check};

    if (strspn(*at, "0123456789abcdef") != 32)
        return false;
    for (unsigned w = 0; w < 2; w++, *at += 16) {
        char digits[17] = "";
        memcpy(digits, *at, 16);
        *words[w] = strtoull(digits, NULL, 16);
    }
    return true;
}

/* FZ_BAD_INPUT: it is no line of a strategy. */
static fz_status read_set(fzi_strategy *s, const char *at)
{
    fzi_position_key key;
    double side, depth, number;
    uint32_t set;
    size_t moves = 0;

    if (!at || !read_key(&at, &key) || !read_number(&at, 1, &side) ||
        !read_number(&at, 0, &depth) || side > FZ_STRATEGY_PLAYERS || depth >= UINT32_MAX ||
        fzi_strategy_find(s, key) != UINT32_MAX)
        return FZ_BAD_INPUT;
    for (const char *blank = at; (blank = strchr(blank, ' ')); blank++)
        moves++;
    if (!moves || moves % 2)
        return FZ_BAD_INPUT;
    fz_status status = fzi_strategy_add(s, key, (unsigned)side - 1, (uint32_t)depth, moves / 2,
                                        &set);
    for (size_t i = 0; i < moves && status == FZ_OK; i++) {
        double *numbers = i % 2 ? s->played : s->regrets;
        if (!read_number(&at, i % 2 ? 0 : -INFINITY, &number))
            return FZ_BAD_INPUT;
        numbers[s->sets[set].first + i / 2] = number;
    }
    return status == FZ_OK && *at ? FZ_BAD_INPUT : status;
}

/* ---- files ---- */

fz_status fzi_strategy_text(const fzi_regret_learning *y, char **text)
{
    const fz_program *p = y->setup->program;
    char fingerprint[FZI_FINGERPRINT_SIZE], seed[24];
    json_t *sets = json_array();

    fzi_fingerprint_program(p, fingerprint);
    snprintf(seed, sizeof seed, "%" PRIu64, y->seed);
    for (size_t i = 0; i < y->set_count; i++)
        if (json_array_append_new(sets, write_set(y->strategy, i)) != 0) {
            json_decref(sets);
            return fzi_context_no_memory(y->setup->context);
        }
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:s, s:I, s:s, s:o}", "format", form.format, "ferz",
        FZ_VERSION, "game", fz_program_title(p), "program", fingerprint, "options",
        fzi_all_options(p), "seed", seed, "games", (json_int_t)y->games, "sampling",
        fzi_sampling_names[y->sampling], "sets", sets);
    return object ? fzi_checked_json_text(object, y->setup->context, text)
                  : fzi_context_no_memory(y->setup->context);
}

/* How to go on. */
static fz_status read_course(fzi_regret_learning *y, const char *path, const json_t *object)
{
    const char *sampling = json_string_value(json_object_get(object, "sampling"));
    unsigned at = 0;

    while (sampling && fzi_sampling_names[at] && strcmp(fzi_sampling_names[at], sampling) != 0)
        at++;
    if (!sampling || !fzi_sampling_names[at])
        return fzi_checked_json_damaged(y->setup->context, path, &form, "sampling", 0);
    y->set_count = json_array_size(json_object_get(object, "sets"));
    y->sampling = (fzi_sampling)at;
    return fzi_checked_json_course(y->setup->context, path, &form, object, &y->games, &y->seed);
}

static fz_status read_object(fz_context *context, const char *path, const fz_program *program,
                             const json_t *object, fzi_strategy *s)
{
    const json_t *sets = json_object_get(object, "sets");
    fz_status status = fzi_checked_json_program(context, path, &form, program, object);

    if (status == FZ_OK && !json_is_array(sets))
        return fzi_checked_json_damaged(context, path, &form, "sets", 0);
    for (size_t i = 0; i < json_array_size(sets) && status == FZ_OK; i++) {
        status = read_set(s, json_string_value(json_array_get(sets, i)));
        if (status == FZ_BAD_INPUT)
            return fzi_checked_json_damaged(context, path, &form, "sets", i + 1);
        if (status == FZ_NO_MEMORY)
            return fzi_context_no_memory(context);
        if (status == FZ_RUNTIME)
            return fzi_context_fail(context, status, "%s: more information sets than fit in %zu "
                                    "bytes of memory", path, s->most);
    }
    return status;
}

fz_status fzi_strategy_read(fz_context *context, const fz_program *program, const char *path,
                            size_t most, fzi_strategy **strategy, fzi_regret_learning *y)
{
    json_t *object;
    fz_status status = fzi_checked_json_read(context, path, &form, &object);

    *strategy = NULL;
    if (status != FZ_OK)
        return status;
    *strategy = fzi_strategy_new(context->allocator, most);
    status = *strategy ? read_object(context, path, program, object, *strategy)
                       : fzi_context_no_memory(context);
    if (status == FZ_OK && y)
        status = read_course(y, path, object);
    json_decref(object);
    if (status != FZ_OK) {
        fzi_strategy_free(*strategy);
        *strategy = NULL;
    }
    return status;
}
