/* Reading study files. See study.h. */
#include "study.h"

#include "grammar/source/diagnostics.h"

#include <limits.h>
#include <unistd.h>

/* ---- settings and axes ---- */

/* Adds "NAME=VALUE, NAME=VALUE" to the settings. False: `*wrong` is no such item. */
static bool parse_settings(fzi_arena *arena, fzi_settings *settings, char *text,
                           const char **wrong)
{
    for (char *item = text; item;) {
        char *next = fzi_study_cut(item, ','), *value = fzi_study_cut(item, '=');
        *wrong = item = fzi_study_trim(item);
        if (!value || !*item || !*(value = fzi_study_trim(value)))
            return false;
        *FZI_MORE(arena, settings->items, settings->count, settings->capacity) =
            (fz_setting){item, value};
        item = next;
    }
    return true;
}

/* "Setup=all, Limit=100,200": a word without `=` is a further value. */
static bool parse_axes(fzi_arena *arena, fzi_study_game *game, unsigned line, char *text,
                       const char **wrong)
{
    fzi_axis *axis = NULL;

    for (char *item = text; item;) {
        char *next = fzi_study_cut(item, ','), *value = fzi_study_cut(item, '=');
        *wrong = item = fzi_study_trim(item);
        if (value) {
            axis = FZI_MORE(arena, game->axes, game->axis_count, game->axis_capacity);
            *axis = (fzi_axis){.option = item, .line = line};
        }
        value = fzi_study_trim(value ? value : item);
        if (!axis || !*axis->option || !*value || axis->all)
            return false;
        if (strcmp(value, "all") == 0 && axis->count == 0)
            axis->all = true;
        else
            *FZI_MORE(arena, axis->values, axis->count, axis->capacity) = value;
        item = next;
    }
    return true;
}

/* ---- lines ---- */

typedef struct reader {
    fzi_study_line at;
    const char *playouts;       /* a number that no `agents` have used yet; NULL */
    unsigned playouts_line;
} reader;

void fzi_study_add_lineup(fzi_study_file *study, fzi_study_lineup lineup)
{
    *FZI_MORE(study->arena, study->lineups, study->lineup_count, study->lineup_capacity) = lineup;
}

static fzi_study_game *last_game(const reader *r)
{
    return r->at.study->game_count ? &r->at.study->games[r->at.study->game_count - 1] : NULL;
}

/* What is no file in the study's folder may be a game of the library. */
static fz_status read_game(reader *r, char *rest)
{
    char found[PATH_MAX];
    fzi_study_game *game = FZI_MORE(r->at.study->arena, r->at.study->games, r->at.study->game_count,
                                r->at.study->game_capacity);

    *game = (fzi_study_game){.line = r->at.line};
    game->path = fzi_study_path(r->at.study, rest);
    if (access(game->path, F_OK) != 0 && fz_library_path(rest, found, sizeof found))
        game->path = fzi_arena_printf(r->at.study->arena, "%s", found);
    return FZ_OK;
}

static fz_status read_settings(reader *r, fzi_settings *settings, char *text)
{
    const char *wrong;

    if (parse_settings(r->at.study->arena, settings, text, &wrong))
        return FZ_OK;
    return fzi_study_wrong(&r->at, wrong, "expected NAME=VALUE, not '%s'", wrong);
}

static fz_status read_ruleset(reader *r, char *rest)
{
    fzi_study_game *game = last_game(r);
    char *options = fzi_study_cut(rest, ':');
    fzi_study_ruleset *ruleset;

    rest = fzi_study_trim(rest);
    if (!*rest)
        return fzi_study_wrong(&r->at, rest,
                               "a ruleset needs a name: `ruleset NAME: OPTION=VALUE, ...`");
    for (size_t i = 0; i < game->ruleset_count; i++)
        if (strcmp(game->rulesets[i].name, rest) == 0)
            return fzi_study_wrong(&r->at, rest, "the game has a ruleset '%s' already", rest);
    ruleset = FZI_MORE(r->at.study->arena, game->rulesets, game->ruleset_count,
                   game->ruleset_capacity);
    *ruleset = (fzi_study_ruleset){.name = rest, .line = r->at.line};
    options = options ? fzi_study_trim(options) : NULL;
    return options && *options ? read_settings(r, &ruleset->settings, options) : FZ_OK;
}

static fz_status read_grid(reader *r, char *rest)
{
    const char *wrong;

    if (parse_axes(r->at.study->arena, last_game(r), r->at.line, rest, &wrong))
        return FZ_OK;
    return fzi_study_wrong(&r->at, wrong, "expected OPTION=VALUE,VALUE or OPTION=all, not '%s'",
                           wrong);
}

static fz_status read_number(reader *r, const char *rest, uint64_t *number)
{
    return fzi_number_read(rest, number)
               ? FZ_OK
               : fzi_study_wrong(&r->at, rest, "expected a number, not '%s'", rest);
}

static fz_status read_align(reader *r, const char *rest)
{
    static const char *const names[] = {"none", "nearest", "study"};

    for (int i = 0; i < 3; i++)
        if (strcmp(rest, names[i]) == 0) {
            r->at.study->align = (fzi_align)i;
            return FZ_OK;
        }
    return fzi_study_wrong(&r->at, rest, "`align` takes none, nearest or study, not '%s'", rest);
}

static fz_status read_entry(reader *r, char *word, char *rest)
{
    static const char *const words[] = {"study", "game", "set", "ruleset", "grid", "agents",
                                        "playouts", "seed", "align", "prior", "prefer", "wear",
                                        "error"};
    fzi_nearest nearest = {.wanted = word};
    size_t i = 0;

    while (i < sizeof words / sizeof *words && strcmp(words[i], word) != 0)
        i++;
    if (i < sizeof words / sizeof *words && !*rest)
        return fzi_study_wrong(&r->at, word, "`%s` needs something after it", word);
    if (i >= 2 && i <= 4 && !last_game(r))
        return fzi_study_wrong(&r->at, word, "`%s` belongs to a game: write `game FILE` first",
                               word);
    switch (i) {
    case 0: r->at.study->title = rest; return FZ_OK;
    case 1: return read_game(r, rest);
    case 2: return read_settings(r, &last_game(r)->settings, rest);
    case 3: return read_ruleset(r, rest);
    case 4: return read_grid(r, rest);
    case 5:
        fzi_study_add_lineup(r->at.study,
                             (fzi_study_lineup){rest, r->at.line, r->at.study->playouts});
        r->playouts = NULL;
        return FZ_OK;
    case 6:
        r->playouts = word;
        r->playouts_line = r->at.line;
        return read_number(r, rest, &r->at.study->playouts);
    case 7: return read_number(r, rest, &r->at.study->seed);
    case 8: return read_align(r, rest);
    case 9: return fzi_study_read_prior(&r->at, rest);
    case 10: return fzi_study_read_preference(&r->at, rest);
    case 11:
        r->at.study->evidence.wear = fzi_study_path(r->at.study, rest);
        return FZ_OK;
    case 12: return fzi_study_read_error(&r->at, rest);
    default:
        for (i = 0; i < sizeof words / sizeof *words; i++)
            fzi_nearest_offer(&nearest, words[i]);
        return nearest.best ? fzi_study_wrong(&r->at, word,
                                              "unknown word '%s'; did you mean '%s'?", word,
                                              nearest.best)
                            : fzi_study_wrong(&r->at, word, "unknown word '%s'", word);
    }
}

/* `#` begins a comment at the beginning of a line or after a blank. */
static void drop_comment(char *line)
{
    for (char *at = line; *at; at++)
        if (*at == '#' && (at == line || strchr(" \t\r", at[-1]))) {
            *at = '\0';
            return;
        }
}

static fz_status read_lines(fzi_study_file *study, char *text)
{
    reader r = {.at = {.study = study}};
    fz_status status = FZ_OK;

    for (char *line = text, *next; line && status == FZ_OK; line = next) {
        next = fzi_study_cut(line, '\n');
        r.at.line++;
        r.at.start = line;
        drop_comment(line);
        char *word = fzi_study_trim(line);
        if (!*word)
            continue;
        char *rest = word + strcspn(word, " \t");
        if (*rest)
            *rest++ = '\0';
        status = read_entry(&r, word, fzi_study_trim(rest));
    }
    if (status == FZ_OK && r.playouts && study->lineup_count)
        status = fzi_context_fail(study->context, FZ_BAD_INPUT, "%s:%u: `playouts` stands before "
                                  "the `agents` that it is for", study->path, r.playouts_line);
    return status;
}

/* ---- the file ---- */

fz_status fzi_study_add_grid(fzi_study_file *study, const char *grid)
{
    const char *wrong;

    for (size_t i = 0; i < study->game_count; i++) {
        char *copy = fzi_arena_printf(study->arena, "%s", grid);
        if (!parse_axes(study->arena, &study->games[i], 0, copy, &wrong))
            return fzi_context_fail(study->context, FZ_USAGE, "grid: expected OPTION=VALUE,VALUE "
                                    "or OPTION=all, not '%s'", wrong);
    }
    return FZ_OK;
}

/* These agents replace all lines of agents. If one of the lines has the same, its games stay. */
static void replace_lineups(fzi_study_file *study, const char *agents)
{
    fzi_study_lineup lineup = {agents, 0, study->playouts};

    for (size_t i = 0; i < study->lineup_count; i++)
        if (strcmp(study->lineups[i].agents, agents) == 0)
            lineup.playouts = study->lineups[i].playouts;
    study->lineup_count = 0;
    fzi_study_add_lineup(study, lineup);
}

/* A file may come from anywhere: of it, no program runs without being allowed. */
static fz_status check_pipes(const fzi_study_file *study)
{
    for (size_t i = 0; i < study->lineup_count; i++) {
        const fzi_study_lineup *lineup = &study->lineups[i];
        if (lineup->line && strstr(lineup->agents, "pipe:"))
            return fzi_context_fail(study->context, FZ_REFUSED, "%s:%u: the study wants to run a "
                                    "program: %s", study->path, lineup->line, lineup->agents);
    }
    return FZ_OK;
}

fz_status fzi_study_file_read(fzi_study_file *study, const char *text, size_t length,
                              const fz_study_options *options)
{
    char *copy = fzi_arena_copy(study->arena, text, length + 1);

    study->title = "";
    study->playouts = 1000;
    study->seed = 1;
    if (strlen(copy) != length)
        return fzi_context_fail(study->context, FZ_BAD_INPUT, "%s: this is no text", study->path);
    fz_status status = read_lines(study, copy);
    if (status == FZ_OK && !study->game_count)
        status = fzi_context_fail(study->context, FZ_BAD_INPUT,
                                  "%s: the study has no game: write `game FILE`", study->path);
    if (status == FZ_OK && options->grid)
        status = fzi_study_add_grid(study, options->grid);
    if (options->run.agents)
        replace_lineups(study, fzi_arena_printf(study->arena, "%s", options->run.agents));
    if (!study->lineup_count)
        fzi_study_add_lineup(study, (fzi_study_lineup){"random", 0, study->playouts});
    if (status == FZ_OK && !options->allow_pipe)
        status = check_pipes(study);
    for (size_t i = 0; options->sets_count && i < study->lineup_count; i++)
        study->lineups[i].playouts = options->run.count;
    if (options->sets_seed)
        study->seed = options->run.seed;
    return status;
}
