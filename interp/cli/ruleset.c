/* A game with options of its own. See cli.h. */
#include "cli.h"

static int add_options(fzi_ruleset *r, char *list)
{
    const fzi_cli given = r->cli;

    r->cli.settings = NULL;
    r->cli.setting_count = 0;
    for (size_t i = 0; i < given.setting_count; i++)
        fzi_cli_set(&r->cli, given.settings[i].name, given.settings[i].value);
    for (char *item = list; item;) {
        char *next = strchr(item, ','), *equals = strchr(item, '=');
        if (next)
            *next++ = '\0';
        if (!equals || equals == item)
            return fzi_cli_complain(&r->cli, "expected NAME=VALUE after the colon, not '%s'", item);
        *equals = '\0';
        fzi_cli_set(&r->cli, item, equals + 1);
        item = next;
    }
    return FZ_EXIT_OK;
}

int fzi_ruleset_open(fzi_ruleset *r, const fzi_cli *cli, const char *word)
{
    int code;

    r->cli = *cli;
    r->word = word;
    r->path = fzi_cli_text("%s", word);
    char *colon = strrchr(r->path, ':');
    if (colon)
        *colon++ = '\0';
    code = add_options(r, colon);
    return code == FZ_EXIT_OK ? fzi_session_open(&r->session, &r->cli, r->path) : code;
}

void fzi_ruleset_close(fzi_ruleset *r)
{
    fzi_session_clear(&r->session);
    if (r->cli.command)
        free(r->cli.settings);
    free(r->path);
}
