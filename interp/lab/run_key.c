/* The key of a run: all that determines its games. See lab.h. */
#include "lab.h"

#include "interp/agents/agent.h"

#include <sys/types.h>

#include <sha2.h>

json_t *fzi_all_options(const fz_program *program)
{
    json_t *options = json_object();
    fz_setting setting;

    for (int i = 0; fz_program_option(program, i, &setting, NULL); i++)
        json_object_set_new(options, setting.name, json_string(setting.value));
    return options;
}

static json_t *all_limits(const fz_limits *limits)
{
    json_t *object = json_object();

#define LIMIT(field, name, usual, most, part)                                                      \
    if (limits->field)                                                                             \
        json_object_set_new(object, name, json_integer((json_int_t)limits->field));
#include "interp/program/limits.def"
    return object;
}

static void read_limits(const json_t *object, fz_limits *limits)
{
#define LIMIT(field, name, usual, most, part)                                                      \
    limits->field = (__typeof__(limits->field))json_integer_value(json_object_get(object, name));
#include "interp/program/limits.def"
}

/* The position with its history, or null. */
static json_t *beginning(const fzi_setup *setup)
{
    char *text = NULL;

    if (!setup->options.from)
        return json_null();
    if (fz_state_write(setup->machine, setup->options.from, true, &text) != FZ_OK)
        return NULL;
    json_t *value = json_string(text);
    fz_text_free(setup->context, text);
    return value;
}

static json_t *given_options(const fz_run_options *options)
{
    json_t *object = json_object();

    for (size_t i = 0; i < options->setting_count; i++)
        json_object_set_new(object, options->settings[i].name,
                            json_string(options->settings[i].value));
    return object;
}

/* The fingerprints of the evaluations and strategies that the agents read, by path; NULL: they read
 * none. */
static json_t *evaluations_of(const fzi_setup *setup)
{
    fzi_allocator allocator = setup->context->allocator;
    const char *at = setup->options.agents;
    json_t *found = NULL;

    while (at) {
        const char *comma = strchr(at, ',');
        char *given = fzi_copy_text(allocator, at, comma ? (size_t)(comma - at) : strlen(at));
        bool strategy;
        char *path = given ? fzi_agent_file(allocator, given, &strategy) : NULL, *text = NULL;
        char fingerprint[FZI_FINGERPRINT_SIZE];
        size_t length;
        if (path && fzi_context_read_file(setup->context, path, &text, &length) == FZ_OK) {
            fzi_fingerprint(text, length, fingerprint);
            found = found ? found : json_object();
            json_object_set_new(found, path, json_string(fingerprint));
        }
        FZI_RELEASE(allocator, given, path, text);
        at = comma ? comma + 1 : NULL;
    }
    return found;
}

json_t *fzi_experiment_of(const fzi_setup *setup, bool repeatable)
{
    const fz_run_options *o = &setup->options;
    const fz_program *program = setup->program;
    char fingerprint[FZI_FINGERPRINT_SIZE], seed[24];
    json_t *players, *position = beginning(setup);

    if (!position) {
        fzi_setup_failed(setup, FZ_RUNTIME);
        return NULL;
    }
    players = json_array();
    fzi_fingerprint_program(program, fingerprint);
    snprintf(seed, sizeof seed, "%" PRIu64, o->seed);
    for (int p = 0; p < fz_program_players(program); p++)
        json_array_append_new(players, json_string(fz_program_player_name(program, p)));
    return json_pack( /* no member for a text that is not UTF-8 */
        "{s:s, s:s, s:o*, s:s, s:o, s:b, s:b, s:o, s:o, s:o*, s:b, s:o, s:o, s:b, s:s, s:I, "
        "s:o*}",
        "ferz", FZ_VERSION, "program", fingerprint, "script",
        json_string(fzi_shown_path(setup->path)),
        "game", fz_program_title(program), "players", players,
        "one_side", fz_program_has_one_side(program),
        "payoffs", fz_program_has_payoffs(program), "options", fzi_all_options(program),
        "given", given_options(o),
        "agents", o->agents ? json_string(o->agents) : json_null(), "repeatable", repeatable,
        "limits", all_limits(fzi_setup_limits(setup)), "position", position,
        "branching", o->branching, "seed", seed, "playouts", (json_int_t)o->count,
        "evaluations", evaluations_of(setup));
}

/* ---- tracing ---- */

/* Each agent with all its settings; null: random moves without agents. */
static json_t *settled_agents(const json_t *x)
{
    const char *at = json_string_value(json_object_get(x, "agents"));
    json_t *list = at ? json_array() : json_null();

    while (at) {
        const char *comma = strchr(at, ',');
        int length = comma ? (int)(comma - at) : (int)strlen(at);
        char given[1024], settled[1024];
        snprintf(given, sizeof given, "%.*s", length, at);
        json_array_append_new(list, json_string(fzi_agent_settled(given, settled, sizeof settled)
                                                    ? settled : given));
        at = comma ? comma + 1 : NULL;
    }
    return list;
}

json_t *fzi_experiment_trace(const json_t *x, uint64_t first, uint64_t count)
{
    return json_pack("{s:O, s:O, s:O?, s:O, s:o, s:O*, s:O, s:O, s:O, s:I, s:I}", "ferz",
                     json_object_get(x, "ferz"), "program", json_object_get(x, "program"),
                     "script", json_object_get(x, "script"), "options",
                     json_object_get(x, "options"), "agents", settled_agents(x),
                     "evaluations", json_object_get(x, "evaluations"), "limits",
                     json_object_get(x, "limits"), "position", json_object_get(x, "position"),
                     "seed", json_object_get(x, "seed"), "first", (json_int_t)first + 1, "last",
                     (json_int_t)(first + count));
}

/* ---- comparing ---- */

/* In the order of reports: the first difference explains the others best. */
static const struct {
    const char *member, *what;
    bool has_values; /* the report names both */
} compared[] = {
    {"ferz", "versions of Ferz", true},    {"game", "games", true},
    {"program", "program texts", false},   {"players", "players", true},
    {"options", "options", true},          {"agents", "agents", true},
    {"evaluations", "evaluations", true},
    {"limits", "limits", true},            {"position", "positions", false},
    {"branching", "uses of --branching", true}, {"seed", "seeds", true},
    {"playouts", "numbers of playouts", true}, {"one_side", "programs", false},
    {"payoffs", "programs", false},
};
enum { COMPARED = sizeof compared / sizeof compared[0] };

static const char *value_text(const json_t *value, char text[128])
{
    char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);

    if (json_is_string(value))
        snprintf(text, 128, "%.120s", json_string_value(value));
    else
        snprintf(text, 128, "%.120s", dump ? dump : "?");
    free(dump);
    return text;
}

const char *fzi_experiment_difference(const json_t *one, const json_t *other,
                                      char text[FZI_DIFFERENCE_SIZE])
{
    char a[128], b[128];

    for (size_t i = 0; i < COMPARED; i++) {
        const json_t *left = json_object_get(one, compared[i].member);
        const json_t *right = json_object_get(other, compared[i].member);
        if (left == right || json_equal(left, right)) /* both may be missing */
            continue;
        if (compared[i].has_values)
            snprintf(text, FZI_DIFFERENCE_SIZE, "different %s: %s and %s", compared[i].what,
                     !left || json_is_null(left) ? "none" : value_text(left, a),
                     !right || json_is_null(right) ? "none" : value_text(right, b));
        else
            snprintf(text, FZI_DIFFERENCE_SIZE, "different %s", compared[i].what);
        return text;
    }
    return NULL;
}

bool fzi_experiment_is_same(const json_t *one, const json_t *other)
{
    char text[FZI_DIFFERENCE_SIZE];

    return !fzi_experiment_difference(one, other, text);
}

/* ---- reading ---- */

static bool is_text_or_null(const json_t *value)
{
    return json_is_string(value) || json_is_null(value);
}

static bool are_texts(const json_t *array, size_t least, size_t most)
{
    size_t count = json_array_size(array);

    for (size_t i = 0; i < count; i++)
        if (!json_is_string(json_array_get(array, i)))
            return false;
    return json_is_array(array) && count >= least && count <= most;
}

bool fzi_experiment_has_use(const json_t *x)
{
    return json_is_array(json_object_get(x, "lines"));
}

void fzi_experiment_forget_use(json_t *x)
{
    json_object_del(x, "lines");
    json_object_del(x, "sites");
}

bool fzi_experiment_is_whole(const json_t *x)
{
    static const char form[] =
        "{s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:b, s:{}, s:{}, s:{}, s:I}";
    uint64_t seed;
    const char *name;
    json_t *value;
    bool good = json_unpack_ex((json_t *)x, NULL, JSON_VALIDATE_ONLY, form, "ferz", "program",
                               "script", "game", "seed", "one_side", "payoffs", "repeatable",
                               "branching", "options", "given", "limits", "playouts") ==
                    0 &&
                is_text_or_null(json_object_get(x, "agents")) &&
                is_text_or_null(json_object_get(x, "position")) &&
                are_texts(json_object_get(x, "players"), 1, 16) &&
                fzi_seed_read(fzi_experiment_text(x, "seed"), &seed) &&
                json_integer_value(json_object_get(x, "playouts")) >= 0;

    json_object_foreach(json_object_get(x, "given"), name, value)
        good = good && json_is_string(value);
    json_object_foreach(json_object_get(x, "limits"), name, value)
        good = good && json_is_integer(value) && json_integer_value(value) >= 0;
    return good;
}

fz_status fzi_experiment_run(const json_t *x, fz_context *context, fzi_experiment_options *into)
{
    json_t *given = json_object_get(x, "given"), *value;
    const char *name, *agents = fzi_experiment_text(x, "agents");
    size_t count = 0;

    *into = (fzi_experiment_options){0};
    into->settings = fzi_allocate(context->allocator,
                                  json_object_size(given) * sizeof *into->settings);
    if (!into->settings)
        return fzi_context_no_memory(context);
    json_object_foreach(given, name, value)
        into->settings[count++] = (fz_setting){name, json_string_value(value)};
    read_limits(json_object_get(x, "limits"), &into->limits);
    into->run = (fz_run_options){
        .settings = into->settings,
        .setting_count = count,
        .limits = &into->limits,
        .agents = *agents ? agents : NULL,
        .seed = fzi_experiment_seed(x),
        .count = fzi_experiment_playouts(x),
        .branching = fzi_experiment_is(x, "branching"),
    };
    return FZ_OK;
}

uint64_t fzi_experiment_seed(const json_t *experiment)
{
    uint64_t seed = 0;

    fzi_seed_read(fzi_experiment_text(experiment, "seed"), &seed);
    return seed;
}

uint64_t fzi_experiment_playouts(const json_t *experiment)
{
    return (uint64_t)json_integer_value(json_object_get(experiment, "playouts"));
}

unsigned fzi_experiment_players(const json_t *experiment)
{
    return (unsigned)json_array_size(json_object_get(experiment, "players"));
}

const char *fzi_experiment_player(const json_t *experiment, unsigned player)
{
    return json_string_value(json_array_get(json_object_get(experiment, "players"), player));
}

const char *fzi_experiment_text(const json_t *experiment, const char *member)
{
    const char *text = json_string_value(json_object_get(experiment, member));

    return text ? text : "";
}

bool fzi_experiment_is(const json_t *experiment, const char *member)
{
    return json_is_true(json_object_get(experiment, member));
}

/* ---- SHA-256, by libmd ---- */

static void finish(SHA2_CTX *hash, char text[FZI_FINGERPRINT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t sum[SHA256_DIGEST_LENGTH];

    SHA256Final(sum, hash);
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i++) {
        text[2 * i] = digits[sum[i] >> 4];
        text[2 * i + 1] = digits[sum[i] & 15];
    }
    text[2 * SHA256_DIGEST_LENGTH] = '\0';
}

void fzi_fingerprint(const char *bytes, size_t length, char text[FZI_FINGERPRINT_SIZE])
{
    SHA2_CTX hash;

    SHA256Init(&hash);
    SHA256Update(&hash, (const uint8_t *)bytes, length);
    finish(&hash, text);
}

void fzi_fingerprint_program(const fz_program *program, char text[FZI_FINGERPRINT_SIZE])
{
    const char *path, *source;
    size_t length;
    SHA2_CTX hash;

    SHA256Init(&hash);
    for (unsigned i = 0; fz_program_source(program, i, &path, &source, &length); i++) {
        uint8_t size[8];
        for (unsigned k = 0; k < 8; k++)
            size[k] = (uint8_t)((uint64_t)length >> 8 * k);
        SHA256Update(&hash, size, sizeof size);
        SHA256Update(&hash, (const uint8_t *)source, length);
    }
    finish(&hash, text);
}
