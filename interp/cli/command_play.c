/* ferz play: a person against random players or agents, on the terminal. */
#include "cli.h"

#include "interp/terminal/terminal_game.h"

#include <time.h>

static uint64_t fresh_seed(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return ((uint64_t)now.tv_sec * 1000003 + (uint64_t)now.tv_nsec) % 1000000000;
}

static int run(fzi_table_game *g, fzi_cli *cli)
{
    int code = fzi_session_begin(&g->session, FZ_CHANCE_ASK);

    g->seed = cli->seed;
    if (code == FZ_EXIT_OK)
        code = fzi_table_seat(g);
    if (code != FZ_EXIT_OK)
        return code;
    if (fzi_cli_has(cli, FZ_CLI_LOAD) && !fzi_table_load(g, cli->values[FZ_CLI_LOAD]))
        return FZ_EXIT_USAGE;
    fzi_table_greet(g);
    g->lines = fzi_line_reader_new();
    fzi_line_reader_complete(g->lines, fzi_table_words, g);
    fzi_terminal_catch_interrupt();
    code = fzi_table_play(g);
    fzi_line_reader_free(g->lines);
    if (fzi_terminal_interrupted())
        fputs("interrupted\n", stderr);
    /* However the game ended, what was played is kept. */
    if (fzi_cli_has(cli, FZ_CLI_RECORD)) {
        int saved = fzi_table_save(g, cli->values[FZ_CLI_RECORD]);
        code = code == FZ_EXIT_OK ? saved : code;
    }
    return code;
}

/* The record of --load. */
typedef struct loaded_record {
    fz_context *context; /* NULL: there is none */
    fz_record record;
} loaded_record;

/* The game has the options and the seed of the record of --load. An exit code. */
static int take_options(fzi_cli *cli, loaded_record *loaded)
{
    const char *path = cli->values[FZ_CLI_LOAD];
    size_t length;
    char *text = path ? fzi_file_read(cli, path, &length) : NULL;
    int code = FZ_EXIT_OK;

    if (!path)
        return FZ_EXIT_OK;
    if (fzi_session_begins_elsewhere(cli)) {
        free(text);
        return fzi_cli_complain(cli, "--load does not go with --position, --fen or --play");
    }
    loaded->context = text ? fzi_session_context(cli) : NULL;
    if (!loaded->context) {
        free(text);
        return FZ_EXIT_USAGE;
    }
    if (fz_record_read(loaded->context, text, &loaded->record) != FZ_OK)
        code = fzi_cli_complain(cli, "%s: %s", path, fz_context_message(loaded->context));
    free(text);
    if (code == FZ_EXIT_OK) {
        fzi_session_add_settings(cli, &loaded->record);
        cli->seed = loaded->record.seed;
        return code;
    }
    fz_record_free(loaded->context, &loaded->record);
    fz_context_free(loaded->context);
    loaded->context = NULL;
    return code;
}

int fzi_cli_play(const fzi_cli *cli)
{
    fzi_cli own = *cli;   /* with a seed of its own, if none was asked for */
    fzi_table_game g = {0};
    loaded_record loaded = {0};
    int code;

    if (!fzi_cli_has(cli, FZ_CLI_SEED))
        own.seed = fresh_seed();
    if (!fzi_cli_has(cli, FZ_CLI_LETTERS) && fzi_terminal_is(1) && fzi_terminal_unicode())
        own.drawing |= FZ_DRAW_SYMBOLS;
    code = take_options(&own, &loaded);
    if (code != FZ_EXIT_OK)
        return code;
    g.watched = fzi_watched_new();
    code = fzi_session_open_watched(&g.session, &own, cli->words.items[0], g.watched);
    if (code == FZ_EXIT_OK)
        code = run(&g, &own);
    fzi_table_forget(&g);
    free(g.sealed);
    free(g.told);
    free(g.past);
    fzi_session_clear(&g.session);
    fzi_watched_free(g.watched);
    if (loaded.context) {
        free(own.settings);
        fz_record_free(loaded.context, &loaded.record);
        fz_context_free(loaded.context);
    }
    return code;
}
