/* Games of the library by name. See cli.h. */
#include "cli.h"

#include <ctype.h>
#include <limits.h>
#include <sys/stat.h>

#include "grammar/source/diagnostics.h"
#include "interp/support/context.h"

enum { MAX_INDEX = 1 << 20 };

/* The next field of a row, which ends at the tab; the last one at the end of the line. */
static const char *next_field(char **at)
{
    char *field = *at, *end = field + strcspn(field, "\t\n");

    *at = *end ? end + 1 : end;
    *end = '\0';
    return field;
}

char *fzi_library_read(fzi_library_game **games, size_t *count)
{
    char *path = fzi_cli_text("%s/index.tsv", fz_library_games());
    FILE *file = fopen(path, "rb");
    char *text = fzi_cli_allocate(NULL, MAX_INDEX + 1), *at = text;

    text[file ? fread(text, 1, MAX_INDEX, file) : 0] = '\0';
    *games = NULL;
    for (*count = 0; *at; ++*count) {
        *games = fzi_cli_allocate(*games, (*count + 1) * sizeof **games);
        fzi_library_game *game = &(*games)[*count];
        game->family = next_field(&at);
        const char *slash = strchr(game->family, '/');
        game->name = slash ? slash + 1 : game->family;
        for (size_t i = 0; i < FZI_LIBRARY_FIELDS; i++)
            game->fields[i] = next_field(&at);
    }
    if (file)
        fclose(file);
    free(path);
    return text;
}

/* ---- a game by its name ---- */

static bool is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

static const fzi_library_game *find(const fzi_library_game *games, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(games[i].name, name) == 0 || strcmp(games[i].family, name) == 0)
            return &games[i];
    return NULL;
}

char *fzi_library_find(const char *name)
{
    char path[PATH_MAX];

    return fz_library_path(name, path, sizeof path) ? fzi_cli_text("%s", path) : NULL;
}

/* Is the text the title, or one of the other names, which commas separate? */
static bool is_called(const fzi_library_game *game, const char *text)
{
    size_t length = strlen(text);
    const char *names = game->fields[FZI_LIBRARY_NAMES];

    if (strcasecmp(game->fields[FZI_LIBRARY_TITLE], text) == 0)
        return true;
    for (; *names; names += strcspn(names, ","), names += strspn(names, ", "))
        if (strncasecmp(names, text, length) == 0 && (!names[length] || names[length] == ','))
            return true;
    return false;
}

/* The name that was meant; NULL. */
static const char *meant(const fzi_library_game *games, size_t count, const char *text)
{
    fzi_nearest nearest = {.wanted = text};

    for (size_t i = 0; i < count; i++) {
        if (is_called(&games[i], text))
            return games[i].name;
        fzi_nearest_offer(&nearest, games[i].name);
    }
    return nearest.best;
}

static void say_unknown(const fzi_cli *cli, const fzi_library_game *games, size_t count,
                        const char *name)
{
    const char *nearest = meant(games, count, name);

    if (!count)
        fzi_cli_complain(cli, "no file '%s', and there are no games of the library in %s", name,
                         fz_library_games());
    else if (nearest)
        fzi_cli_complain(cli, "no file '%s' and no game of that name; did you mean '%s'?", name,
                         nearest);
    else
        fzi_cli_complain(cli, "no file '%s' and no game of that name (`ferz games` lists them)",
                         name);
}

/* Only commands for several games take the options of each after a colon. For the others, `word` is
 * GAME:NAME=VALUE where -o is meant: says so. */
static bool has_settings(const fzi_cli *cli, const char *word, const char *name)
{
    const char *settings = word + strlen(name);

    if (*settings != ':' || !strchr(settings, '=') || is_file(word) ||
        cli->command->run == fzi_cli_compare || cli->command->run == fzi_cli_match)
        return false;
    size_t length = strcspn(++settings, ",");
    fzi_cli_complain(cli, "'%s': options of %s follow -o, such as `-o %.*s`", word, name,
                     (int)length, settings);
    return true;
}

/* The path of the library's game that the word names, with what follows a colon, to be freed. NULL:
 * the word is a path. A file comes first. `*wrong`: it is neither, or both, which has been said. */
static char *path_of(const fzi_cli *cli, const char *word, bool *wrong)
{
    size_t length = strcspn(word, ":");
    char *name = fzi_cli_text("%.*s", (int)length, word), *path = NULL;
    char *beside = fzi_cli_text("%s.game", name);
    fzi_library_game *games;
    size_t count;

    *wrong = false;
    if (*name && !strpbrk(name, ".\\\n") && !is_file(word) && !is_file(name)) {
        char *text = fzi_library_read(&games, &count);
        const fzi_library_game *game = find(games, count, name);
        bool is_there = is_file(beside);
        *wrong = is_there || (!game && !strchr(name, '/'));
        if (is_there && game)
            fzi_cli_complain(cli, "'%s' may be the file %s or the library's %s: write one of them",
                             name, beside, game->family);
        else if (is_there)
            fzi_cli_complain(cli, "no file '%s'; did you mean '%s'?", name, beside);
        else if (game)
            path = fzi_cli_text("%s/%s.game%s", fz_library_games(), game->family, word + length);
        else if (*wrong)
            say_unknown(cli, games, count, name);
        free(games);
        free(text);
    }
    if ((path || is_file(name)) && has_settings(cli, word, name)) {
        free(path);
        path = NULL;
        *wrong = true;
    }
    free(beside);
    free(name);
    return path;
}

bool fzi_library_words(fzi_cli *cli, int *exit_code)
{
    const char *slot = cli->command->words;
    bool wrong = false;

    cli->found.items = fzi_cli_allocate(NULL, (cli->words.count + 2) * sizeof *cli->found.items);
    for (size_t i = 0; i < cli->words.count && !wrong; i++) {
        char *path = strncmp(slot + (*slot == '['), "GAME", 4) == 0
                         ? path_of(cli, cli->words.items[i], &wrong) : NULL;
        if (path)
            cli->words.items[i] = cli->found.items[cli->found.count++] = path;
        const char *next = strchr(slot, ' ');
        slot = next ? next + 1 : slot;
    }
    const char *base = cli->values[FZ_CLI_VARIANT_OF];
    char *path = base && !wrong ? path_of(cli, base, &wrong) : NULL;
    if (path)
        cli->values[FZ_CLI_VARIANT_OF] = cli->found.items[cli->found.count++] = path;
    if (wrong)
        *exit_code = FZ_EXIT_USAGE;
    return !wrong;
}
