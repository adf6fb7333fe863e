/* ferz show: a position drawn, described, or written to a file. */
#include "cli.h"

static fz_status draw(fzi_session *session, unsigned style, char **text)
{
    return fz_state_draw_for(session->machine, session->state, session->viewer, style, text);
}

static int print_json(fzi_session *session)
{
    char *text = NULL;
    fz_status status = draw(session, 0, &text);

    if (status != FZ_OK)
        return fzi_session_failed(session, status);
    json_t *object = json_object();
    int code = fzi_session_describe(session, session->state, false, object);
    json_object_set_new(object, "board", json_string(text));
    fz_text_free(session->context, text);
    if (code == FZ_EXIT_OK)
        return fzi_json_print(object);
    json_decref(object);
    return code;
}

static int write_position(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    char *text = NULL;
    fz_status status =
        session->viewer < 0
            ? fz_state_write(session->machine, session->state, fzi_cli_has(cli, FZ_CLI_HISTORY),
                             &text)
            : fz_state_write_for(session->machine, session->state, session->viewer, &text);

    return fzi_session_write(session, status, text, cli->values[FZ_CLI_OUTPUT]);
}

static int show(fzi_session *session)
{
    char *text = NULL;

    if (fzi_picture_asked(session->cli))
        return fzi_picture_write(session, session->viewer);
    if (fzi_cli_has(session->cli, FZ_CLI_OUTPUT))
        return write_position(session);
    if (session->cli->format == FZ_CLI_JSON)
        return print_json(session);
    fz_status status = draw(session, session->cli->drawing, &text);
    return fzi_session_write(session, status, text, "-");
}

int fzi_cli_show(const fzi_cli *cli)
{
    int code = fzi_picture_check(cli);

    if (code != FZ_EXIT_OK)
        return code;
    return fzi_session_run(cli, FZ_CHANCE_SAMPLE, show);
}
