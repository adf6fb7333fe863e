/* ferz rules: the rules of a game in English. */
#include "cli.h"

#include "grammar/prose/rulebook.h"

/* Without the last line, which says whose turn it is. */
static void drop_last_line(char *drawing)
{
    size_t length = strlen(drawing);

    if (length)
        drawing[--length] = '\0';
    while (length && drawing[length - 1] != '\n')
        drawing[--length] = '\0';
}

/* The start position; of games that hide something, as the first player sees it. */
static fz_status draw(fzi_session *session, char **drawing)
{
    const fz_program *program = session->program;
    fz_status status = FZ_OK;

    *drawing = NULL;
    if (program->board.shape == FZ_SHAPE_NONE)
        return FZ_OK;
    status = fz_state_draw_for(session->machine, session->state, 0, 0, drawing);
    if (status == FZ_OK)
        drop_last_line(*drawing);
    return status;
}

/* The text of the page, to be freed with free; NULL after a complaint. */
static const char *rulebook(fzi_session *session, fzi_analysis *analysis, const char *drawing)
{
    jmp_buf *handler = fzi_arena_handler(analysis->arena);

    if (setjmp(*handler)) {
        fzi_cli_complain(session->cli, "out of memory");
        return NULL;
    }
    const fzi_page *page = fzi_rulebook(analysis, drawing);
    return fzi_cli_has(session->cli, FZ_CLI_HTML) ? fzi_page_html(page) : fzi_page_markdown(page);
}

static int write_rules(fzi_session *session, const char *drawing)
{
    const fzi_cli *cli = session->cli;
    const char *output = cli->values[FZ_CLI_OUTPUT] ? cli->values[FZ_CLI_OUTPUT] : "-";
    fzi_analysis *analysis =
        fzi_analyse_game(session->context, session->path, cli->settings, cli->setting_count);
    int code = FZ_EXIT_USAGE;

    if (!analysis)
        return fzi_cli_complain(cli, "out of memory");
    if (!analysis->game || analysis->diags->errors) {
        /* Its files have been read before. */
        const fzi_diag *first = analysis->diags->first;
        bool unread = first && first->code == FZ_E_CANNOT_READ;
        code = fzi_cli_complain(cli, "%s: %s", session->path,
                                unread ? "no memory to read it again" : "not a script");
    } else {
        const char *text = rulebook(session, analysis, drawing);
        if (text)
            code = fzi_file_write(cli, output, text, strlen(text));
    }
    fzi_analysis_free(analysis);
    return code;
}

static int rules(fzi_session *session)
{
    char *drawing = NULL;
    fz_status status = draw(session, &drawing);
    int code =
        status == FZ_OK ? write_rules(session, drawing) : fzi_session_failed(session, status);

    fz_text_free(session->context, drawing);
    return code;
}

int fzi_cli_rules(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_SAMPLE, rules);
}
