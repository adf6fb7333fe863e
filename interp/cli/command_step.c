/* ferz step: a debugger for rules. */
#include "cli.h"

#include "interp/terminal/debugger.h"

static int begin(fzi_debugger *d, const fzi_cli *cli)
{
    const fzi_setup *s = &d->setup;
    fz_status status = fz_compile_stepping(s->context, s->path, cli->settings, cli->setting_count,
                                           NULL, &d->program, NULL);

    if (status == FZ_OK)
        d->stepper = fz_stepper_new(d->program, &cli->limits);
    if (!d->stepper)
        return fzi_cli_complain(cli, "%s", status == FZ_OK ? "out of memory"
                                                           : fz_context_message(s->context));
    return fzi_debugger_begin(d) ? FZ_EXIT_OK
                                 : fzi_cli_complain(cli, "%s", fz_stepper_message(d->stepper));
}

static int run(fzi_session *session)
{
    fzi_debugger d = {.setup = fzi_session_give(session), .drawing = session->cli->drawing};
    int code = begin(&d, session->cli);

    if (code == FZ_EXIT_OK) {
        d.lines = fzi_line_reader_new(NULL, NULL);
        fzi_terminal_catch_interrupt();
        fzi_debugger_show(&d);
        fzi_debugger_talk(&d);
        fzi_line_reader_free(d.lines);
    }
    fzi_debugger_clear(&d);
    return code;
}

int fzi_cli_step(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_ASK, run);
}
