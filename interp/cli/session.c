/* A game opened at a position. See cli.h. */
#include "cli.h"

#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- contexts ---- */

fz_context *fzi_session_context(const fzi_cli *cli)
{
    bool includes = cli->includes.count > 0;
    fz_config config = {
        .resize = fzi_cli_resize,
        .module_dirs = includes ? cli->includes.items : NULL,
        .allow_native = fzi_cli_has(cli, FZ_CLI_ALLOW_NATIVE),
        .allow_outside = fzi_cli_has(cli, FZ_CLI_ALLOW_OUTSIDE),
        .confined = fzi_cli_has(cli, FZ_CLI_CONFINED) ||
                    (cli->command->options >> FZ_CLI_STDIO & 1 && /* the language server */
                     !fzi_cli_has(cli, FZ_CLI_ALLOW_OUTSIDE)),
        .native_dirs = cli->native_paths.items,
    };
    fz_context *context = fz_context_new(&config);

    if (context && includes && !fzi_context_default_dirs(context)) { /* after those of -I */
        fz_context_free(context);
        context = NULL;
    }
    if (!context) {
        fzi_cli_complain(cli, "out of memory");
        return NULL;
    }
    fz_context_set_limits(context, &cli->limits);
    if (cli->covers)
        fz_context_enable_coverage(context);
    if (cli->writes_program)
        fz_context_hide_folders(context);
    if (fzi_cli_has(cli, FZ_CLI_WITHOUT) &&
        fz_context_disable_optimisations(context, cli->values[FZ_CLI_WITHOUT]) != FZ_OK) {
        fzi_cli_complain(cli, "--without: %s", fz_context_message(context));
        fz_context_free(context);
        return NULL;
    }
    return context;
}

/* ---- opening ---- */

int fzi_cli_exit_code(fz_status status)
{
    switch (status) {
    case FZ_OK: return FZ_EXIT_OK;
    case FZ_INVALID: case FZ_RUNTIME: return FZ_EXIT_WRONG;
    case FZ_NOT_FOUND: case FZ_NO_MEMORY: case FZ_BAD_INPUT: case FZ_REFUSED: case FZ_USAGE: break;
    }
    return FZ_EXIT_USAGE;
}

int fzi_session_failed(const fzi_session *session, fz_status status)
{
    const char *message = session->machine ? fz_machine_message(session->machine)
                                           : fz_context_message(session->context);

    if (!message || !*message)
        message = status == FZ_NO_MEMORY ? "out of memory" : "the operation failed";
    fzi_cli_say(session->cli, message);
    return fzi_cli_exit_code(status);
}

int fzi_session_write(const fzi_session *session, fz_status status, char *text, const char *path)
{
    int code = status == FZ_OK ? fzi_file_write(session->cli, path, text, strlen(text))
                               : fzi_session_failed(session, status);

    fz_text_free(session->context, text);
    return code;
}

/* Ctrl-C ends the C compiler too. Its files are removed before the program ends. */
void fzi_session_engine(const fzi_cli *cli, fz_context *context, fz_program *program)
{
    fz_status status = FZ_OK;

    fzi_terminal_catch_interrupt();
    status = fz_program_set_engine(context, program, cli->engine);
    fzi_terminal_release_interrupt();
    if (status != FZ_OK)
        fzi_cli_complain(cli, "--engine native: %s; the loop plays", fz_context_message(context));
}

void fzi_session_say_engine(const fzi_cli *cli, const fz_program *program, const char *script)
{
    char text[256];

    if (!(cli->command->options >> FZ_CLI_ENGINE & 1) || !fzi_terminal_is(STDERR_FILENO))
        return;
    fz_program_engine(program, text);
    fprintf(stderr, "engine%s%s: %s\n", script ? " of " : "", script ? script : "", text);
}

/* An exit code. --as may also be a list of players, which the terminal reads. */
static int find_viewer(fzi_session *session)
{
    const char *name = session->cli->values[FZ_CLI_PLAYER],
               *side = session->cli->values[FZ_CLI_SIDE];

    session->viewer =
        name || side ? fzi_player_called(session->program, name ? name : side) : FZI_SEES_ALL;
    return name && session->viewer < 0
               ? fzi_cli_complain(session->cli, "no player '%s'", name) : FZ_EXIT_OK;
}

int fzi_session_compile(fzi_session *session, bool warn)
{
    const fzi_cli *cli = session->cli;
    const char *path = session->path;
    fz_report *report = NULL;
    char *script = NULL;
    size_t length = 0;
    fz_status status;

    if (!session->context)
        session->context = fzi_session_context(cli);
    if (!session->context)
        return FZ_EXIT_USAGE;
    if (fzi_cli_has(cli, FZ_CLI_SET)) {
        script = fzi_picture_script(cli, path, &length);
        if (!script)
            return FZ_EXIT_USAGE;
    }
    status = fz_compile(session->context, path, script, length, cli->settings, cli->setting_count,
                        &session->program, &report);
    free(script);
    bool errors = report && fz_report_errors(report);
    if (errors || (report && warn && fz_report_warnings(report)))
        fputs(fz_report_text(report, cli->error_colour ? FZ_TEXT_COLOUR : FZ_TEXT), stderr);
    if (report && status == FZ_INVALID && !errors)
        status = FZ_OK; /* a library, see below */
    else if (status != FZ_OK && !errors)
        fzi_session_failed(session, status);
    fz_report_free(report);
    if (status == FZ_OK && !session->program)
        return fzi_cli_complain(cli, "%s: this is a library, not a game", path);
    if (status != FZ_OK)
        return fzi_cli_exit_code(status);
    fzi_session_engine(cli, session->context, session->program);
    return find_viewer(session);
}

int fzi_session_open(fzi_session *session, const fzi_cli *cli, const char *path)
{
    *session = (fzi_session){.cli = cli, .path = path};
    return fzi_session_compile(session, false);
}

void fzi_session_note(fzi_session *session, const fz_move *move)
{
    if (!fzi_picture_asked(session->cli))
        return;
    if (session->before)
        fz_state_free(session->before);
    session->before = fz_state_clone(session->state);
    session->latest = *move;
}

void fzi_session_clear(fzi_session *session)
{
    if (session->state)
        fzi_session_say_engine(session->cli, session->program,
                               session->of_several ? session->path : NULL);
    fz_state_free(session->before);
    fz_state_free(session->state);
    if (session->cover)
        fz_cover_free(session->cover);
    else
        fz_machine_free(session->machine);
    fz_program_release(session->program);
    fz_context_free(session->context);
}

fz_run_options fzi_cli_run_options(const fzi_cli *cli)
{
    return (fz_run_options){
        .settings = cli->settings,
        .setting_count = cli->setting_count,
        .limits = &cli->limits,
        .agents = cli->values[FZ_CLI_AGENTS],
        .seed = cli->seed,
        .count = cli->count,
        .shard = cli->shard,
        .shards = cli->shards,
        .threads = (unsigned)cli->threads,
        .branching = fzi_cli_has(cli, FZ_CLI_BRANCHING),
        .command = cli->line,
        .records = cli->values[FZ_CLI_RECORDS],
        .resume = fzi_cli_has(cli, FZ_CLI_RESUME),
    };
}

fzi_setup fzi_session_setup(const fzi_session *session)
{
    fzi_setup setup = {.context = session->context, .path = session->path,
                       .program = session->program, .machine = session->machine,
                       .state = session->state, .options = fzi_cli_run_options(session->cli)};

    setup.options.from = fzi_session_begins_elsewhere(session->cli) ? session->state : NULL;
    return setup;
}

fzi_setup fzi_session_give(fzi_session *session)
{
    fzi_setup setup = fzi_session_setup(session);

    setup.options.from = NULL;
    session->program = NULL;
    session->machine = NULL;
    session->state = NULL;
    return setup;
}

/* After a line that describes a game, of which it has only the last moves. */
static void print_repeat(const fzi_cli *cli, const char *line, int length)
{
    const char *cut = strstr(line, "moves: ...");
    unsigned long long game, seed;

    if (!fzi_cli_has(cli, FZ_CLI_RECORD) && cut && cut < line + length &&
        sscanf(line, "  in game %llu of seed %llu, ", &game, &seed) == 2)
        fprintf(stderr, "  to repeat it: ferz playout with --seed %llu --records %llu --record "
                "FOLDER\n", seed, game);
}

/* A line that begins with a blank belongs to the one before. */
void fzi_cli_say(const fzi_cli *cli, const char *message)
{
    const char *hint = fzi_cli_hint(cli, message);

    for (const char *line = message; *line;) {
        int length = (int)strcspn(line, "\n");
        if (*line == ' ')
            fprintf(stderr, "%.*s\n", length, line);
        else
            fzi_cli_complain(cli, "%.*s%s", length, line, hint);
        print_repeat(cli, line, length);
        hint = *line == ' ' ? hint : "";
        line += length + (line[length] == '\n');
    }
}

int fzi_cli_failed(const fzi_cli *cli, const fz_context *context, fz_status status,
                   fz_report *report)
{
    const char *message = fz_context_message(context);

    if (status == FZ_OK)
        return FZ_EXIT_OK;
    if (report) {
        fputs(fz_report_text(report, cli->error_colour ? FZ_TEXT_COLOUR : FZ_TEXT), stderr);
        fz_report_free(report);
        message += strcspn(message, "\n"); /* it says that there are errors */
        message += *message == '\n';
    }
    fzi_cli_say(cli, message);
    return fzi_cli_exit_code(status);
}

int fzi_cli_write(const fzi_cli *cli, fz_context *context, fz_status status, char *text,
                  const char *path)
{
    int code = status == FZ_OK ? fzi_file_write(cli, path, text, strlen(text))
                               : fzi_cli_failed(cli, context, status, NULL);

    fz_text_free(context, text);
    return code;
}

int fzi_session_playouts_failed(fzi_session *session, const fz_tally *tally,
                                const fz_lineup *lineup, const char *message)
{
    const fzi_cli *cli = session->cli;
    bool has_record = fzi_cli_has(cli, FZ_CLI_RECORD);
    char *text = NULL;

    if (!session->machine)
        session->machine = fz_machine_new(session->program, &cli->limits);
    if (!session->machine)
        return fzi_cli_complain(cli, "out of memory");
    fzi_setup setup = fzi_session_setup(session);
    fzi_setup_playouts_failed(&setup, tally, lineup, message, &text);
    fzi_cli_failed(cli, session->context, FZ_RUNTIME, NULL);
    if (text && has_record && !fzi_cli_has(cli, FZ_CLI_RECORDS))
        fzi_file_write(cli, cli->values[FZ_CLI_RECORD], text, strlen(text));
    fz_text_free(session->context, text);
    return FZ_EXIT_WRONG;
}

bool fzi_session_begins_elsewhere(const fzi_cli *cli)
{
    return fzi_cli_has(cli, FZ_CLI_POSITION) || fzi_cli_has(cli, FZ_CLI_FEN) ||
           fzi_cli_has(cli, FZ_CLI_PLAY);
}

/* ---- beginning ---- */

/* The text of --position: of stdin, of a file, or the argument itself. `*from` names the first
 * two; NULL, after a complaint, when the file cannot be read. */
static char *position_text(const fzi_cli *cli, const char *given, const char **from)
{
    struct stat info;
    size_t length;

    *from = strcmp(given, "-") == 0 ? "standard input" : given;
    if (*from != given || (!strchr(given, '\n') && stat(given, &info) == 0))
        return fzi_file_read(cli, given, &length);
    *from = NULL;
    return fzi_cli_text("%s", given);
}

/* The message begins with "position, line 3: "; where it came from says more than "position". */
static int position_failed(fzi_session *session, fz_status status, const char *from)
{
    static const char prefix[] = "position, ";
    const char *message = fz_machine_message(session->machine);
    const char *given = session->cli->values[FZ_CLI_POSITION];

    if (strncmp(message, prefix, sizeof prefix - 1) != 0)
        return fzi_session_failed(session, status);
    if (from)
        return fzi_cli_complain(session->cli, "%s, %s", from, message + sizeof prefix - 1);
    if (!strchr(given, '\n'))
        return fzi_cli_complain(session->cli, "no file '%s'; read as position text, %s", given,
                                message + sizeof prefix - 1);
    return fzi_session_failed(session, status);
}

/* An exit code. */
static int set_position(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    fz_status status = FZ_OK;

    if (fzi_cli_has(cli, FZ_CLI_FEN)) {
        status = fz_state_read_fen(session->machine, session->state, cli->values[FZ_CLI_FEN]);
    } else if (fzi_cli_has(cli, FZ_CLI_POSITION)) {
        const char *from;
        char *text = position_text(cli, cli->values[FZ_CLI_POSITION], &from);
        if (!text)
            return FZ_EXIT_USAGE;
        status = fz_state_read(session->machine, session->state, text);
        free(text);
        if (status != FZ_OK)
            return position_failed(session, status, from);
    }
    return status == FZ_OK ? FZ_EXIT_OK : fzi_session_failed(session, status);
}

static int play_chance(fzi_session *session, const char *text)
{
    int length = (int)strcspn(text, "}");
    int64_t value;

    if (fz_state_waiting(session->state) != FZ_WAITING_CHANCE) {
        fzi_cli_complain(session->cli, "{%.*s}: the position does not wait for a chance result",
                         length, text);
        return FZ_EXIT_WRONG;
    }
    if (fz_chance_parse(session->machine, session->state, text, (size_t)length, &value) != FZ_OK) {
        fzi_cli_complain(session->cli, "'%.*s' is not a possible chance result here", length, text);
        return FZ_EXIT_WRONG;
    }
    fz_status status = fz_state_set_chance(session->machine, session->state, value);
    return status == FZ_OK ? FZ_EXIT_OK : fzi_session_failed(session, status);
}

/* Chance that nobody names comes as the seed has it. */
static fz_status sample_pending(fzi_session *session)
{
    fz_status status = FZ_OK;
    int64_t value;

    while (status == FZ_OK && fz_state_waiting(session->state) == FZ_WAITING_CHANCE)
        status = fz_state_sample_chance(session->machine, session->state, &value);
    return status;
}

bool fzi_session_sees_moves(const fzi_session *session)
{
    return session->viewer == FZI_SEES_ALL ||
           session->viewer == fz_state_decider(session->state) ||
           !fz_program_hides(session->program);
}

/* Says why a text is no legal move. */
static void explain(const fzi_session *session, const char *text)
{
    const fzi_setup setup = fzi_session_setup(session);
    fz_program *explaining = NULL;

    fzi_cli_complain(session->cli, "'%s' is not a legal move", text);
    if (fzi_session_sees_moves(session))
        fputs(fzi_why(&setup, &explaining, session->state, session->viewer, text), stderr);
    fz_program_release(explaining);
}

static int play_move(fzi_session *session, const char *text)
{
    fz_move move;
    fz_status status = sample_pending(session);

    if (status != FZ_OK)
        return fzi_session_failed(session, status);
    if (fz_state_waiting(session->state) == FZ_GAME_OVER) {
        fzi_cli_complain(session->cli, "cannot play '%s': the game is over", text);
        return FZ_EXIT_WRONG;
    }
    status = fz_move_parse(session->machine, session->state, text, &move);
    if (status == FZ_NOT_FOUND || status == FZ_USAGE) {
        explain(session, text);
        return FZ_EXIT_WRONG;
    }
    if (status == FZ_OK) {
        fzi_session_note(session, &move);
        status = fz_state_play(session->machine, session->state, &move);
    }
    return status == FZ_OK ? FZ_EXIT_OK : fzi_session_failed(session, status);
}

int fzi_session_play(fzi_session *session, const char *text)
{
    static const char blanks[] = " \n\t\r";
    char *copy = fzi_cli_text("%s", text + strspn(text, blanks));
    size_t length = strlen(copy);

    while (length && strchr(blanks, copy[length - 1]))
        copy[--length] = '\0';
    int code = *copy == '{' ? play_chance(session, copy + 1) : play_move(session, copy);
    free(copy);
    return code;
}

/* The texts of --play are separated by commas; blanks around them do not count. An empty list plays
 * nothing. */
static int play_list(fzi_session *session, const char *list)
{
    static const char blanks[] = " \n\t\r";
    bool more = list[strspn(list, blanks)];
    int code = FZ_EXIT_OK;

    for (int number = 1; more && code == FZ_EXIT_OK; number++) {
        size_t length = fz_move_length(session->machine, session->state, list, strlen(list));
        char *text = fzi_cli_text("%.*s", (int)length, list);
        code = text[strspn(text, blanks)]
                   ? fzi_session_play(session, text)
                   : fzi_cli_complain(session->cli, "--play: move %d is empty", number);
        free(text);
        more = list[length] == ',';
        list += length + more;
    }
    return code;
}

int fzi_session_begin(fzi_session *session, fz_chance mode)
{
    const fzi_cli *cli = session->cli;
    const char *list = fzi_cli_has(cli, FZ_CLI_PLAY) ? cli->values[FZ_CLI_PLAY] : "";

    if (fzi_cli_has(cli, FZ_CLI_FEN) && fzi_cli_has(cli, FZ_CLI_POSITION))
        return fzi_cli_complain(cli, "--fen and --position cannot be combined");
    if (cli->perft) {
        session->cover = fz_cover_begin(session->program, &cli->limits);
        session->machine = session->cover ? fz_cover_machine(session->cover) : NULL;
    } else {
        session->machine = fz_machine_new(session->program, &cli->limits);
    }
    if (!session->machine)
        return fzi_cli_complain(cli, "out of memory");
    fz_machine_set_chance(session->machine, strchr(list, '{') ? FZ_CHANCE_ASK : mode);
    session->state = fz_record_begin(session->machine, cli->seed, 0);
    if (!session->state)
        return fzi_session_failed(session, FZ_RUNTIME);
    int code = set_position(session);
    if (code != FZ_EXIT_OK)
        return code;
    fz_status status = FZ_OK;
    if (fzi_cli_has(cli, FZ_CLI_FEN) || fzi_cli_has(cli, FZ_CLI_POSITION))
        status = fz_record_from_here(session->machine, session->state);
    if (status != FZ_OK)
        return fzi_session_failed(session, status);
    code = play_list(session, list);
    fz_machine_set_chance(session->machine, mode);
    /* Chance that the list does not name comes from the seed. */
    if (code == FZ_EXIT_OK && mode == FZ_CHANCE_SAMPLE) {
        status = sample_pending(session);
        if (status != FZ_OK)
            return fzi_session_failed(session, status);
    }
    return code;
}

void fzi_session_add_settings(fzi_cli *cli, const fz_record *record)
{
    const fzi_cli given = *cli;

    cli->settings = NULL;
    cli->setting_count = 0;
    for (size_t i = 0; i < record->setting_count; i++) {
        bool changed = false;
        for (size_t k = 0; k < given.setting_count; k++)
            changed |= strcmp(given.settings[k].name, record->settings[i].name) == 0;
        if (!changed)
            fzi_cli_set(cli, record->settings[i].name, record->settings[i].value);
    }
    for (size_t k = 0; k < given.setting_count; k++)
        fzi_cli_set(cli, given.settings[k].name, given.settings[k].value);
}

/* ---- telling about it ---- */

/* A text of the library, or null when it cannot be made. */
static json_t *text_or_null(fzi_session *session, fz_status status, char *text)
{
    if (status != FZ_OK)
        return json_null();
    json_t *value = json_string(text);
    fz_text_free(session->context, text);
    return value;
}

/* The position as the player of --for knows it. This text need not read back to the state. */
static void describe_for(fzi_session *session, const fz_state *state, json_t *object)
{
    char *text = NULL;
    fz_status status = fz_state_write_for(session->machine, state, session->viewer, &text);

    json_object_set_new(object, "fen", json_null());
    json_object_set_new(object, "position", json_null());
    json_object_set_new(object, "now", text_or_null(session, status, text));
}

json_t *fzi_session_trace(const fzi_session *session)
{
    static const char *const members[] = {"ferz", "program", "script", "options", "limits",
                                          "position", "seed"};
    fzi_setup setup = fzi_session_setup(session);
    json_t *x = fzi_experiment_of(&setup, true), *trace = x ? json_object() : json_null();

    for (size_t i = 0; x && i < sizeof members / sizeof *members; i++)
        json_object_set(trace, members[i], json_object_get(x, members[i]));
    json_decref(x);
    return trace;
}

/* Of a state, which says itself where it is: without what the player must not know. */
static json_t *state_trace(const fzi_session *session)
{
    json_t *trace = fzi_session_trace(session);

    json_object_del(trace, "position");
    if (session->cli->values[FZ_CLI_PLAYER] && fz_program_hides(session->program))
        json_object_set_new(trace, "seed", json_null()); /* it determines what is hidden */
    return trace;
}

static void describe_texts(fzi_session *session, const fz_state *state, json_t *object)
{
    bool history = fzi_cli_has(session->cli, FZ_CLI_HISTORY);
    char *text = NULL;
    fz_status status = fz_state_write_fen(session->machine, state, &text);

    json_object_set_new(object, "fen", text_or_null(session, status, text));
    status = fz_state_write(session->machine, state, history, &text);
    json_object_set_new(object, "position", text_or_null(session, status, text));
    status = fz_state_write_now(session->machine, state, &text);
    json_object_set_new(object, "now", text_or_null(session, status, text));
}

int fzi_session_describe(fzi_session *session, const fz_state *state, bool moves, json_t *object)
{
    char *text = NULL;
    fz_status status = fz_state_json(session->machine, state, session->viewer, moves, &text);
    json_t *data = status == FZ_OK ? json_loads(text, 0, NULL) : NULL;

    fz_text_free(session->context, text);
    if (!data)
        return fzi_session_failed(session, status == FZ_OK ? FZ_NO_MEMORY : status);
    json_object_set_new(object, "run", state_trace(session));
    json_object_update(object, data);
    json_decref(data);
    if (session->cli->values[FZ_CLI_PLAYER])
        describe_for(session, state, object);
    else
        describe_texts(session, state, object);
    return FZ_EXIT_OK;
}

static int run_with(const fzi_cli *cli, const fz_chance *chance, int (*run)(fzi_session *session))
{
    fzi_session session;
    int code = fzi_session_open(&session, cli, cli->words.items[0]);

    if (code == FZ_EXIT_OK && chance)
        code = fzi_session_begin(&session, *chance);
    if (code == FZ_EXIT_OK)
        code = run(&session);
    fzi_session_clear(&session);
    return code;
}

int fzi_session_run(const fzi_cli *cli, fz_chance chance, int (*run)(fzi_session *session))
{
    return run_with(cli, &chance, run);
}

int fzi_session_run_compiled(const fzi_cli *cli, int (*run)(fzi_session *session))
{
    return run_with(cli, NULL, run);
}
