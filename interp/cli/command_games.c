/* ferz games: the games of the library that fit some words. */
#include "cli.h"

#include <ctype.h>

/* Does a word of the text begin with this, in any case? A number must be the whole word. */
static bool has_word(const char *text, const char *wanted)
{
    size_t length = strlen(wanted);
    bool number = isdigit((unsigned char)*wanted);

    for (size_t i = 0; text[i]; i++)
        if ((i == 0 || strchr(" ,-/(", text[i - 1])) &&
            strncasecmp(text + i, wanted, length) == 0 &&
            !(number && isdigit((unsigned char)text[i + length])))
            return true;
    return false;
}

static bool fits(const fzi_cli *cli, const fzi_library_game *game)
{
    for (size_t w = 0; w < cli->words.count; w++) {
        bool found = has_word(game->family, cli->words.items[w]);
        for (size_t f = 0; f < FZI_LIBRARY_FIELDS && !found; f++)
            found = has_word(game->fields[f], cli->words.items[w]);
        if (!found)
            return false;
    }
    return true;
}

/* ---- printing ---- */

static size_t family_length(const fzi_library_game *game)
{
    return strcspn(game->family, "/");
}

static void print_family(fzi_table *table, const fzi_library_game *game)
{
    printf("%.*s (%s)\n", (int)family_length(game), game->family,
           game->fields[FZI_LIBRARY_KIND]);
    fzi_table_print(table, "  ");
}

static void print_text(const fzi_library_game *const *games, size_t count)
{
    fzi_table table;

    for (size_t i = 0; i < count; i++) {
        const char *const *fields = games[i]->fields;
        bool same = i > 0 && family_length(games[i]) == family_length(games[i - 1]) &&
                    memcmp(games[i]->family, games[i - 1]->family, family_length(games[i])) == 0;
        if (!same && i > 0)
            print_family(&table, games[i - 1]);
        if (!same)
            fzi_table_begin(&table, "llll", NULL);
        fzi_table_add(&table, "%s\t%s\t%s\t%s%s%s", games[i]->name,
                      fields[FZI_LIBRARY_PLAYERS], fields[FZI_LIBRARY_BOARD],
                      fields[FZI_LIBRARY_TITLE], *fields[FZI_LIBRARY_NAMES] ? ", " : "",
                      fields[FZI_LIBRARY_NAMES]);
    }
    if (count)
        print_family(&table, games[count - 1]);
}

static int print_rows(const fzi_cli *cli, const fzi_library_game *const *games, size_t count)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < count; i++) {
        const fzi_library_game *game = games[i];
        json_array_append_new(rows, json_pack("{s:s, s:s%, s:s, s:s, s:s, s:s, s:s}", "name",
                                              game->name, "family", game->family,
                                              family_length(game), "title",
                                              game->fields[FZI_LIBRARY_TITLE], "names",
                                              game->fields[FZI_LIBRARY_NAMES], "kind",
                                              game->fields[FZI_LIBRARY_KIND], "players",
                                              game->fields[FZI_LIBRARY_PLAYERS], "board",
                                              game->fields[FZI_LIBRARY_BOARD]));
    }
    if (cli->format == FZ_CLI_JSON)
        return fzi_json_print(rows);
    fzi_json_print_rows(rows, true, NULL);
    json_decref(rows);
    return FZ_EXIT_OK;
}

int fzi_cli_games(const fzi_cli *cli)
{
    fzi_library_game *games;
    size_t count, found = 0;
    char *text = fzi_library_read(&games, &count);
    const fzi_library_game **fitting = fzi_cli_allocate(NULL, (count + 1) * sizeof *fitting);
    int code = FZ_EXIT_OK;

    for (size_t i = 0; i < count; i++)
        if (fits(cli, &games[i]))
            fitting[found++] = &games[i];
    if (!count) {
        code = fzi_cli_complain(cli, "there are no games of the library in %s",
                                fz_library_games());
    } else if (!found) {
        fzi_cli_complain(cli, "no game of the library has %s",
                         cli->words.count > 1 ? "all these words" : cli->words.items[0]);
        code = FZ_EXIT_WRONG;
    } else if (cli->format == FZ_CLI_TEXT) {
        print_text(fitting, found);
    } else {
        code = print_rows(cli, fitting, found);
    }
    free(fitting);
    free(games);
    free(text);
    return code;
}
