/* ferz new: a commented skeleton of a game, or of a variant of one. */
#include "cli.h"

/* Never overwrites a file, even one that appeared meanwhile. */
static int write_new(const fzi_cli *cli, const char *path, const char *text)
{
    FILE *file = fopen(path, "wx");
    if (!file)
        return fzi_cli_complain(cli, "%s: %s", path, strerror(errno));
    bool good = fputs(text, file) >= 0;
    good = fclose(file) == 0 && good;
    if (!good) {
        remove(path);
        return fzi_cli_complain(cli, "%s: cannot write", path);
    }
    printf("%s: a %s that is valid and passes its test\n", path,
           fzi_cli_has(cli, FZ_CLI_VARIANT_OF) ? "variant" : "game");
    return FZ_EXIT_OK;
}

static int report_failure(const fzi_cli *cli, fz_report *report)
{
    if (report && fz_report_errors(report)) {
        fputs(fz_report_text(report, cli->error_colour ? FZ_TEXT_COLOUR : FZ_TEXT), stderr);
        return FZ_EXIT_WRONG;
    }
    return fzi_cli_complain(cli, "no skeleton fits this board and these players");
}

/* Names begin with other characters, and their mistakes are those of the script. */
static bool is_wrong_count(const char *players)
{
    uint64_t count;

    return fzi_number_read(players, &count) ? count < 1 || count > FZ_MAX_PLAYERS
                                            : strchr("+-.0123456789", *players) != NULL;
}

int fzi_cli_new(const fzi_cli *cli)
{
    fzi_new_script a = {.path = cli->words.items[0]};
    size_t length = strlen(a.path);
    const char *players = cli->values[FZ_CLI_PLAYERS];
    bool is_variant = fzi_cli_has(cli, FZ_CLI_VARIANT_OF);
    if (length < 6 || strcmp(a.path + length - 5, ".game") != 0 || a.path[length - 6] == '/')
        return fzi_cli_complain(cli, "%s: the name must end in .game", a.path);
    if (is_variant && (fzi_cli_has(cli, FZ_CLI_BOARD) || fzi_cli_has(cli, FZ_CLI_PLAYERS)))
        return fzi_cli_complain(cli, "a variant has the board and the players of its base");
    if (players && is_wrong_count(players))
        return fzi_cli_complain(cli, "--players takes a number from 1 to %d, or names, not '%s'",
                                FZ_MAX_PLAYERS, players);
    FILE *there = fopen(a.path, "r");
    if (there) {
        fclose(there);
        return fzi_cli_complain(cli, "%s: the file exists", a.path);
    }
    a.context = fzi_session_context(cli);
    if (!a.context)
        return FZ_EXIT_USAGE;
    char *text = is_variant ? fzi_new_variant(&a, cli->values[FZ_CLI_VARIANT_OF])
                            : fzi_new_game(&a, cli->values[FZ_CLI_BOARD], players);
    int code = text ? write_new(cli, a.path, text) : report_failure(cli, a.report);
    free(text);
    fz_report_free(a.report);
    fz_context_free(a.context);
    return code;
}
