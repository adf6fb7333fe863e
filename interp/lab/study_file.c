/* Reading study files. See study_file.h. */
#include "study_file.h"

#include "interp/cli/files.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROW(array, count)                                                                         \
    ((array) = fzi_cli_allocate((array), ((count) + 1) * sizeof *(array)), &(array)[(count)++])

/* ---- words ---- */

static char *trim(char *text)
{
    char *end = text + strlen(text);

    while (isspace((unsigned char)*text))
        text++;
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

/* Cuts at the next comma; NULL: it was the last item. */
static char *cut(char *text, char separator)
{
    char *found = strchr(text, separator);

    if (found)
        *found++ = '\0';
    return found;
}

bool fzi_settings_parse(fzi_settings *settings, char *text, const char **wrong)
{
    for (char *item = text; item;) {
        char *next = cut(item, ','), *value = cut(item, '=');
        *wrong = item = trim(item);
        if (!value || !*item || !*(value = trim(value)))
            return false;
        *GROW(settings->items, settings->count) = (fz_setting){item, value};
        item = next;
    }
    return true;
}

/* "Setup=all, Limit=100,200": a word without `=` is a further value. */
static bool parse_axes(fzi_study_game *game, unsigned line, char *text, const char **wrong)
{
    fzi_axis *axis = NULL;

    for (char *item = text; item;) {
        char *next = cut(item, ','), *value = cut(item, '=');
        *wrong = item = trim(item);
        if (value) {
            axis = GROW(game->axes, game->axis_count);
            *axis = (fzi_axis){.option = item, .line = line};
        }
        value = trim(value ? value : item);
        if (!axis || !*axis->option || !*value || axis->all)
            return false;
        if (strcmp(value, "all") == 0 && axis->count == 0)
            axis->all = true;
        else
            *GROW(axis->values, axis->count) = value;
        item = next;
    }
    return true;
}

/* ---- lines ---- */

typedef struct reader {
    fzi_study_file *study;
    unsigned line;
    const char *start;          /* of the line */
    const char *playouts;       /* a number that no `agents` have used yet; NULL */
    unsigned playouts_line;
} reader;

/* At a place of the line. */
static int wrong_at(const reader *r, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int wrong_at(const reader *r, const char *at, const char *format, ...)
{
    char text[300];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fzi_cli_complain(r->study->cli, "%s:%u:%d: %s", r->study->path, r->line,
                            (int)(at - r->start) + 1, text);
}

static fzi_study_game *last_game(const reader *r)
{
    return r->study->game_count ? &r->study->games[r->study->game_count - 1] : NULL;
}

/* Paths are as seen from the study's folder. */
static int read_game(reader *r, char *rest)
{
    const char *path = r->study->path, *slash = strrchr(path, '/');
    size_t folder = *rest == '/' || !slash ? 0 : (size_t)(slash - path) + 1;
    fzi_study_game *game = GROW(r->study->games, r->study->game_count);

    *game = (fzi_study_game){.line = r->line};
    game->path = fzi_cli_allocate(NULL, folder + strlen(rest) + 1);
    memcpy(game->path, path, folder);
    strcpy(game->path + folder, rest);
    return FZ_EXIT_OK;
}

static int read_settings(reader *r, fzi_settings *settings, char *text)
{
    const char *wrong;

    if (fzi_settings_parse(settings, text, &wrong))
        return FZ_EXIT_OK;
    return wrong_at(r, wrong, "expected NAME=VALUE, not '%s'", wrong);
}

static int read_ruleset(reader *r, char *rest)
{
    fzi_study_game *game = last_game(r);
    char *options = cut(rest, ':');
    fzi_study_ruleset *ruleset;

    rest = trim(rest);
    if (!*rest)
        return wrong_at(r, rest, "a ruleset needs a name: `ruleset NAME: OPTION=VALUE, ...`");
    for (size_t i = 0; i < game->ruleset_count; i++)
        if (strcmp(game->rulesets[i].name, rest) == 0)
            return wrong_at(r, rest, "the game has a ruleset '%s' already", rest);
    ruleset = GROW(game->rulesets, game->ruleset_count);
    *ruleset = (fzi_study_ruleset){.name = rest, .line = r->line};
    options = options ? trim(options) : NULL;
    return options && *options ? read_settings(r, &ruleset->settings, options) : FZ_EXIT_OK;
}

static int read_grid(reader *r, char *rest)
{
    const char *wrong;

    if (parse_axes(last_game(r), r->line, rest, &wrong))
        return FZ_EXIT_OK;
    return wrong_at(r, wrong, "expected OPTION=VALUE,VALUE or OPTION=all, not '%s'", wrong);
}

static int read_number(reader *r, const char *rest, uint64_t *number)
{
    return fzi_cli_number(rest, number) ? FZ_EXIT_OK
                                        : wrong_at(r, rest, "expected a number, not '%s'", rest);
}

static int read_align(reader *r, const char *rest)
{
    static const char *const names[] = {"none", "nearest", "study"};

    for (int i = 0; i < 3; i++)
        if (strcmp(rest, names[i]) == 0) {
            r->study->align = (fzi_align)i;
            return FZ_EXIT_OK;
        }
    return wrong_at(r, rest, "`align` takes none, nearest or study, not '%s'", rest);
}

static int read_entry(reader *r, char *word, char *rest)
{
    static const char *const words[] = {"study", "game", "set", "ruleset", "grid", "agents",
                                        "playouts", "seed", "align"};
    const char *nearest;
    size_t i = 0;

    while (i < sizeof words / sizeof *words && strcmp(words[i], word) != 0)
        i++;
    if (i < sizeof words / sizeof *words && !*rest)
        return wrong_at(r, word, "`%s` needs something behind it", word);
    if (i >= 2 && i <= 4 && !last_game(r))
        return wrong_at(r, word, "`%s` belongs to a game: write `game FILE` first", word);
    switch (i) {
    case 0: r->study->title = rest; return FZ_EXIT_OK;
    case 1: return read_game(r, rest);
    case 2: return read_settings(r, &last_game(r)->settings, rest);
    case 3: return read_ruleset(r, rest);
    case 4: return read_grid(r, rest);
    case 5:
        *GROW(r->study->casts, r->study->cast_count) =
            (fzi_study_cast){rest, r->study->playouts};
        r->playouts = NULL;
        return FZ_EXIT_OK;
    case 6:
        r->playouts = word;
        r->playouts_line = r->line;
        return read_number(r, rest, &r->study->playouts);
    case 7: return read_number(r, rest, &r->study->seed);
    case 8: return read_align(r, rest);
    default:
        nearest = fzi_cli_nearest(word, words, sizeof words / sizeof *words);
        return nearest ? wrong_at(r, word, "unknown word '%s'; did you mean '%s'?", word, nearest)
                       : wrong_at(r, word, "unknown word '%s'", word);
    }
}

/* `#` begins a comment at the beginning of a line or behind a blank. */
static void drop_comment(char *line)
{
    for (char *at = line; *at; at++)
        if (*at == '#' && (at == line || isspace((unsigned char)at[-1]))) {
            *at = '\0';
            return;
        }
}

static int read_lines(fzi_study_file *study)
{
    reader r = {.study = study};
    int code = FZ_EXIT_OK;

    for (char *line = study->text, *next; line && code == FZ_EXIT_OK; line = next) {
        char *word, *rest;
        next = cut(line, '\n');
        r.line++;
        r.start = line;
        drop_comment(line);
        word = trim(line);
        if (!*word)
            continue;
        rest = word + strcspn(word, " \t");
        if (*rest)
            *rest++ = '\0';
        code = read_entry(&r, word, trim(rest));
    }
    if (code == FZ_EXIT_OK && r.playouts && study->cast_count)
        code = fzi_cli_complain(study->cli, "%s:%u: `playouts` stands before the `agents` that it "
                                "is for", study->path, r.playouts_line);
    return code;
}

/* ---- the file ---- */

static int add_grid(fzi_study_file *study, const char *grid)
{
    const char *wrong;

    study->grid = fzi_cli_allocate(NULL, (strlen(grid) + 1) * study->game_count);
    for (size_t i = 0; i < study->game_count; i++) {
        char *copy = study->grid + i * (strlen(grid) + 1);
        strcpy(copy, grid);
        if (!parse_axes(&study->games[i], 0, copy, &wrong))
            return fzi_cli_complain(study->cli, "--grid: expected OPTION=VALUE,VALUE or "
                                    "OPTION=all, not '%s'", wrong);
    }
    return FZ_EXIT_OK;
}

/* --agents stands for all lines of agents. If one of them says the same, it has its games. */
static void replace_casts(fzi_study_file *study, const char *agents)
{
    fzi_study_cast cast = {agents, study->playouts};

    for (size_t i = 0; i < study->cast_count; i++)
        if (strcmp(study->casts[i].agents, agents) == 0)
            cast = study->casts[i];
    study->cast_count = 0;
    *GROW(study->casts, study->cast_count) = cast;
}

int fzi_study_read(fzi_study_file *study, const fzi_cli *cli, const char *path)
{
    size_t length;
    int code;

    *study = (fzi_study_file){.cli = cli, .path = path, .title = "", .playouts = 1000, .seed = 1};
    study->text = fzi_file_read(cli, path, &length);
    if (!study->text)
        return FZ_EXIT_USAGE;
    if (strlen(study->text) != length)
        return fzi_cli_complain(cli, "%s: this is no text", path);
    code = read_lines(study);
    if (code == FZ_EXIT_OK && !study->game_count)
        code = fzi_cli_complain(cli, "%s: the study has no game: write `game FILE`", path);
    if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_GRID))
        code = add_grid(study, cli->values[FZ_CLI_GRID]);
    if (fzi_cli_has(cli, FZ_CLI_AGENTS))
        replace_casts(study, cli->values[FZ_CLI_AGENTS]);
    if (!study->cast_count)
        *GROW(study->casts, study->cast_count) = (fzi_study_cast){"random", study->playouts};
    for (size_t i = 0; fzi_cli_has(cli, FZ_CLI_COUNT) && i < study->cast_count; i++)
        study->casts[i].playouts = cli->count;
    if (fzi_cli_has(cli, FZ_CLI_SEED))
        study->seed = cli->seed;
    return code;
}

static void free_axis(fzi_axis *axis)
{
    for (size_t i = 0; axis->all && i < axis->count; i++)
        free((char *)axis->values[i]);
    free(axis->values);
}

void fzi_study_free(fzi_study_file *study)
{
    for (size_t i = 0; i < study->game_count; i++) {
        fzi_study_game *game = &study->games[i];
        for (size_t k = 0; k < game->ruleset_count; k++)
            free(game->rulesets[k].settings.items);
        for (size_t k = 0; k < game->axis_count; k++)
            free_axis(&game->axes[k]);
        free(game->rulesets);
        free(game->axes);
        free(game->settings.items);
        free(game->path);
    }
    free(study->games);
    free(study->casts);
    free(study->text);
    free(study->grid);
}
