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

/* ---- what the game asks ---- */

static void complain(const void *cli, const char *message)
{
    fzi_cli_say(cli, message);
}

static char *read_file(const void *cli, const char *path, size_t *length)
{
    return fzi_file_read(cli, path, length);
}

static bool write_file(const void *cli, const char *path, const char *text)
{
    return fzi_file_write(cli, path, text, strlen(text)) == FZ_EXIT_OK;
}

/* ---- the game ---- */

static int play(fzi_terminal_game *g, const fzi_cli *cli)
{
    fz_status status = fzi_terminal_seat(g);

    if (status != FZ_OK)
        return fzi_cli_exit_code(status);
    if (fzi_cli_has(cli, FZ_CLI_LOAD) && !fzi_terminal_load(g, cli->values[FZ_CLI_LOAD]))
        return FZ_EXIT_USAGE;
    fzi_terminal_greet(g);
    g->lines = fzi_line_reader_new(fzi_terminal_words, g);
    fzi_terminal_catch_interrupt();
    status = fzi_terminal_play(g);
    fzi_line_reader_free(g->lines);
    if (fzi_terminal_interrupted())
        fputs("interrupted\n", stderr);
    /* However the game ended, what was played is kept. */
    if (fzi_cli_has(cli, FZ_CLI_RECORD)) {
        fz_status saved = fzi_terminal_save(g, cli->values[FZ_CLI_RECORD]);
        status = status == FZ_OK ? saved : status;
    }
    return fzi_cli_exit_code(status);
}

static int run(const fzi_cli *cli, fzi_session *session)
{
    fzi_terminal_game g = {.command = {cli, complain, read_file, write_file},
                           .drawing = cli->drawing, .players = cli->values[FZ_CLI_SIDE],
                           .seed = cli->seed, .traces = fzi_cli_has(cli, FZ_CLI_TRACE)};
    int code = fzi_session_compile(session, false);

    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK) {
        g.setup = fzi_session_give(session);
        code = play(&g, cli);
    }
    fzi_terminal_leave(&g);
    return code;
}

/* The game has the options and the seed of the record of --load. An exit code. */
static int take_options(fzi_cli *cli, fz_context *context, fz_record *record)
{
    const char *path = cli->values[FZ_CLI_LOAD];
    size_t length;
    int code = FZ_EXIT_OK;

    if (fzi_session_begins_elsewhere(cli))
        return fzi_cli_complain(cli, "--load does not go with --position, --fen or --play");
    char *text = fzi_file_read(cli, path, &length);
    if (!text)
        return FZ_EXIT_USAGE;
    if (fz_record_read(context, text, record) != FZ_OK)
        code = fzi_cli_complain(cli, "%s: %s", path, fz_context_message(context));
    free(text);
    if (code == FZ_EXIT_OK) {
        fzi_session_add_settings(cli, record);
        cli->seed = record->seed;
    }
    return code;
}

int fzi_cli_play(const fzi_cli *cli)
{
    fzi_cli own = *cli;   /* with a seed of its own, if none was asked for */
    fzi_session session = {.cli = &own, .path = cli->words.items[0],
                           .context = fzi_session_context(cli)};
    fz_record record = {0};
    int code = session.context ? FZ_EXIT_OK : FZ_EXIT_USAGE;

    if (!fzi_cli_has(cli, FZ_CLI_SEED))
        own.seed = fresh_seed();
    if (!fzi_cli_has(cli, FZ_CLI_LETTERS) && fzi_terminal_is(1) && fzi_terminal_unicode())
        own.drawing |= FZ_DRAW_SYMBOLS;
    if (code == FZ_EXIT_OK && fzi_cli_has(cli, FZ_CLI_LOAD))
        code = take_options(&own, session.context, &record);
    if (code == FZ_EXIT_OK)
        code = run(&own, &session);
    if (own.settings != cli->settings)
        free(own.settings);
    if (session.context)
        fz_record_free(session.context, &record);
    fzi_session_clear(&session);
    return code;
}
