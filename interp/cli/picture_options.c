/* The options of pictures: checked before a game is compiled, and the script that --set makes. */
#include "cli.h"

#include <unistd.h>

static const enum fzi_cli_option formats[] = {FZ_CLI_SVG, FZ_CLI_PNG, FZ_CLI_PDF};
enum { FORMATS = sizeof formats / sizeof *formats };

static unsigned count_formats(const fzi_cli *cli)
{
    unsigned count = 0;

    for (unsigned i = 0; i < FORMATS; i++)
        count += fzi_cli_has(cli, formats[i]);
    return count;
}

bool fzi_picture_asked(const fzi_cli *cli)
{
    return count_formats(cli) > 0;
}

int fzi_picture_theme(const fzi_cli *cli)
{
    const char *name = cli->values[FZ_CLI_THEME], *names[FZI_THEME_COUNT];
    int theme = name ? fzi_theme_called(name) : 0;

    if (theme >= 0)
        return theme;

    for (unsigned i = 0; i < FZI_THEME_COUNT; i++)
        names[i] = fzi_theme_name(i);
    const char *near = fzi_cli_nearest(name, names, FZI_THEME_COUNT);
    fzi_cli_complain(cli, "there is no theme '%s'%s%s%s", name,
                     near ? "; did you mean '" : "; there are wood, plain and night",
                     near ? near : "", near ? "'?" : "");
    return -1;
}

int fzi_picture_check(const fzi_cli *cli)
{
    static const enum fzi_cli_option only[] = {FZ_CLI_THEME, FZ_CLI_MOVES, FZ_CLI_SET};

    for (unsigned i = 0; i < sizeof only / sizeof *only; i++) {
        if (fzi_cli_has(cli, only[i]) && !fzi_picture_asked(cli))
            return fzi_cli_complain(cli, "--%s is for pictures: --svg, --png or --pdf",
                                    fzi_cli_option_at(only[i]).name);
    }
    if (!fzi_picture_asked(cli))
        return FZ_EXIT_OK;
    if (count_formats(cli) > 1)
        return fzi_cli_complain(cli, "choose one of --svg, --png and --pdf");
    if (cli->format != FZ_CLI_TEXT)
        return fzi_cli_complain(cli, "--format does not go with pictures");
    if (fzi_picture_theme(cli) < 0)
        return FZ_EXIT_USAGE;
    if ((fzi_cli_has(cli, FZ_CLI_PNG) || fzi_cli_has(cli, FZ_CLI_PDF)) && !fzi_paints())
        return fzi_cli_complain(cli, "this ferz was built without cairo, which paints these, or "
                                     "cannot load it; install it (Debian: libcairo2-dev) and "
                                     "build again, or use --svg");
    if (!fzi_cli_has(cli, FZ_CLI_SVG) && !fzi_cli_has(cli, FZ_CLI_OUTPUT) && isatty(STDOUT_FILENO))
        return fzi_cli_complain(cli, "the picture is not text: name a file with --output");
    return FZ_EXIT_OK;
}

char *fzi_picture_script(const fzi_cli *cli, const char *path, size_t *length)
{
    const char *set = cli->values[FZ_CLI_SET], *ending = strrchr(path, '.');
    char *script;

    if (ending && strcmp(ending, ".gamec") == 0) {
        fzi_cli_complain(cli, "--set needs the script; %s is a compiled program", path);
        return NULL;
    }
    char *text = fzi_file_read(cli, path, length);
    if (!text)
        return NULL;
    script = fzi_cli_text("%s\nlet " FZ_PICTURE_SET ": sites = %s;\nshow " FZ_PICTURE_SET
                          " as \"*\";\n", text, set);
    *length = strlen(script);
    free(text);
    return script;
}
