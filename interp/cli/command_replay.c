/* ferz replay: a record played again, move by move, and its result checked. */
#include "cli.h"

#include <unistd.h>

static int draw(fzi_session *session)
{
    char *text = NULL;
    fz_status status = fz_state_draw_for(session->machine, session->state, session->viewer,
                                         session->cli->drawing, &text);

    return fzi_session_write(session, status, text, "-");
}

/* The entry as the viewer sees it: the `shown` text for the moves of others, `?` for chance that
 * the viewer does not see. */
static const char *entry_text(fzi_session *session, const char *entry)
{
    fz_move move;

    if (session->viewer < 0)
        return entry;
    if (*entry == '{')
        return fz_state_sees_chance(session->state, session->viewer) ? entry : "{?}";
    if (fz_move_parse(session->machine, session->state, entry, &move) != FZ_OK)
        return entry;
    return fz_move_text_for(session->machine, session->state, &move, session->viewer);
}

/* Adds a decision of `together` that the viewer has not seen: "Ann Paper, Bob Rock". Free it. */
static char *add_sealed(fzi_session *session, char *sealed, const char *entry)
{
    fz_move move;

    if (fz_move_parse(session->machine, session->state, entry, &move) != FZ_OK)
        return sealed;
    const char *who = fz_program_player_name(session->program, fz_state_decider(session->state));
    const char *text = fz_move_text_shown(session->machine, session->state, &move);
    char *all = fzi_cli_text("%s%s%s %s", sealed ? sealed : "", sealed ? ", " : "", who, text);
    free(sealed);
    return all;
}

/* With --show: the position after so many entries, as text or as a picture. */
static int show_position(fzi_session *session, size_t entries)
{
    const fzi_cli *cli = session->cli;

    if (!fzi_cli_has(cli, FZ_CLI_SHOW) || cli->format != FZ_CLI_TEXT)
        return FZ_EXIT_OK;
    return fzi_picture_asked(cli)
               ? fzi_picture_write_numbered(session, session->viewer, entries)
               : draw(session);
}

static void note_latest(fzi_session *session, const char *entry)
{
    fz_move move;

    if (fzi_picture_asked(session->cli) && *entry != '{' &&
        fz_move_parse(session->machine, session->state, entry, &move) == FZ_OK)
        fzi_session_note(session, &move);
}

static int play_entries(fzi_session *session, const fz_record *record)
{
    char *sealed = NULL;
    const fzi_cli *cli = session->cli;
    bool show = fzi_cli_has(cli, FZ_CLI_SHOW) && cli->format == FZ_CLI_TEXT &&
                !fzi_picture_asked(cli);
    int code = show_position(session, 0);

    for (size_t i = 0; i < record->entry_count && i < cli->at && code == FZ_EXIT_OK; i++) {
        if (show) {
            const char *text = entry_text(session, record->entries[i]);
            printf("\n%zu. %s\n", i + 1, text);
            if (strcmp(text, "?") == 0 && strcmp(record->entries[i], "?") != 0)
                sealed = add_sealed(session, sealed, record->entries[i]);
        }
        note_latest(session, record->entries[i]);
        fz_status status = fz_record_play(session->machine, session->state, record->entries[i]);
        if (status == FZ_BAD_INPUT || status == FZ_NOT_FOUND) {
            fzi_cli_complain(cli, "%s: entry %zu: %s", cli->words.items[0], i + 1,
                             fz_machine_message(session->machine));
            return FZ_EXIT_WRONG;
        }
        if (status != FZ_OK)
            return fzi_session_failed(session, status);
        if (sealed && !fz_state_hidden_decisions(session->state)) {
            printf("Revealed: %s.\n", sealed);
            free(sealed);
            sealed = NULL;
        }
        code = show_position(session, i + 1);
    }
    free(sealed);
    return code;
}

/* The game of the record ended in an error, and no entry has brought it: listing the moves must. */
static int repeat_error(fzi_session *session, const fz_record *record)
{
    fz_moves *moves = fz_moves_new(session->machine);
    fz_status status =
        moves ? fz_state_moves(session->machine, session->state, moves) : FZ_NO_MEMORY;

    fz_moves_free(moves);
    if (status != FZ_OK && status != FZ_USAGE)
        return fzi_session_failed(session, status);
    fzi_cli_complain(session->cli, "%s: the record ends with the error '%s', which did not occur",
                     session->cli->words.items[0], record->error);
    return FZ_EXIT_WRONG;
}

/* Does the game end as the record says? */
static int check_result(fzi_session *session, const fz_record *record)
{
    char *result = NULL;
    int code = FZ_EXIT_OK;

    if (session->cli->at < record->entry_count)
        return FZ_EXIT_OK;
    if (*record->error)
        return repeat_error(session, record);
    if (fz_record_result_text(session->machine, session->state, &result) != FZ_OK)
        return fzi_session_failed(session, FZ_NO_MEMORY);
    if (strcmp(result, record->result) != 0) {
        fzi_cli_complain(session->cli,
                         "%s: the record's result is '%s', but the replay's result is '%s'",
                         session->cli->words.items[0], *record->result ? record->result : "none",
                         *result ? result : "none");
        code = FZ_EXIT_WRONG;
    }
    fz_text_free(session->context, result);
    return code;
}

static int print_end(fzi_session *session, const fz_record *record)
{
    json_t *object;

    if (session->cli->format != FZ_CLI_JSON && fzi_cli_has(session->cli, FZ_CLI_SHOW))
        return FZ_EXIT_OK;
    if (fzi_picture_asked(session->cli))
        return fzi_picture_write(session, session->viewer);
    if (session->cli->format != FZ_CLI_JSON)
        return draw(session);
    object = json_pack("{s:s, s:I}", "game", fz_program_title(session->program), "entries",
                       (json_int_t)record->entry_count);
    int code = fzi_session_describe(session, session->state, false, object);
    if (code == FZ_EXIT_OK)
        return fzi_json_print(object);
    json_decref(object);
    return code;
}

static int replay(fzi_session *session, const fz_record *record)
{
    session->machine = fz_machine_new(session->program, &session->cli->limits);
    if (!session->machine)
        return fzi_session_failed(session, FZ_NO_MEMORY);
    fz_machine_set_chance(session->machine, FZ_CHANCE_ASK);
    session->state = fz_record_start(session->machine, record);
    if (!session->state)
        return fzi_session_failed(session, record->position ? FZ_BAD_INPUT : FZ_RUNTIME);
    int code = play_entries(session, record);
    if (code == FZ_EXIT_OK)
        code = check_result(session, record);
    if (code == FZ_EXIT_OK)
        code = print_end(session, record);
    return code;
}

/* The script that the record names: the file, or a game of the library of its name. To be freed. */
static char *script_of(const fzi_cli *cli, const fz_record *record)
{
    const char *file = strrchr(record->game, '/');
    char *path = fzi_file_beside(cli->words.items[0], record->game), *found;

    if (access(path, F_OK) == 0)
        return path;
    found = fzi_library_find(record->game);
    if (!found) {
        file = file ? file + 1 : record->game;
        char *name = fzi_cli_text("%.*s", (int)strcspn(file, "."), file);
        found = fzi_library_find(name);
        if (found)
            fzi_cli_complain(cli, "%s: no file '%s'; this is the library's %s",
                             cli->words.items[0], record->game, name);
        free(name);
    }
    if (found)
        free(path);
    return found ? found : path;
}

static int replay_text(const fzi_cli *cli, fz_context *context, const char *text)
{
    fzi_cli own = *cli;
    fz_record record;
    fzi_session session;
    char *path;
    int code;

    if (fz_record_read(context, text, &record) != FZ_OK) {
        code = fzi_cli_complain(cli, "%s: %s", cli->words.items[0], fz_context_message(context));
        fz_record_free(context, &record);
        return code;
    }
    fzi_session_add_settings(&own, &record);
    path = cli->words.count > 1 ? fzi_file_beside("", cli->words.items[1])
                                : script_of(cli, &record);
    code = fzi_session_open(&session, &own, path);
    if (code == FZ_EXIT_OK)
        code = replay(&session, &record);
    fzi_session_clear(&session);
    free(path);
    free(own.settings);
    fz_record_free(context, &record);
    return code;
}

static int check_pictures(const fzi_cli *cli)
{
    const char *file = cli->values[FZ_CLI_OUTPUT];

    if (file && !fzi_picture_asked(cli))
        return fzi_cli_complain(cli, "--output is for pictures: --svg, --png or --pdf");
    if (fzi_picture_asked(cli) && fzi_cli_has(cli, FZ_CLI_SHOW) &&
        (!file || strcmp(file, "-") == 0))
        return fzi_cli_complain(cli, "--show writes a picture of each position: name the file "
                                     "with --output, such as -O game.svg");
    return fzi_picture_check(cli);
}

int fzi_cli_replay(const fzi_cli *cli)
{
    int code = check_pictures(cli);
    fz_context *context = code == FZ_EXIT_OK ? fzi_session_context(cli) : NULL;
    size_t length;

    if (!context)
        return code == FZ_EXIT_OK ? FZ_EXIT_USAGE : code;
    char *text = fzi_file_read(cli, cli->words.items[0], &length);
    code = text ? replay_text(cli, context, text) : FZ_EXIT_USAGE;
    free(text);
    fz_context_free(context);
    return code;
}
