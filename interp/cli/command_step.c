/* ferz step: a debugger for rules. */
#include "cli.h"

#include "interp/terminal/debugger.h"

static int begin(fzi_debugger *d)
{
    fzi_session *s = &d->session;
    const fzi_cli *cli = s->cli;
    fz_status status = fz_compile_stepping(s->context, s->path, cli->settings, cli->setting_count,
                                           NULL, &d->program, NULL);

    if (status == FZ_OK)
        d->stepper = fz_stepper_new(d->program, &cli->limits);
    if (!d->stepper) {
        fzi_cli_complain(cli, "%s", status == FZ_OK ? "out of memory"
                                                    : fz_context_message(s->context));
        return FZ_EXIT_USAGE;
    }
    return fzi_debugger_begin(d) ? FZ_EXIT_OK : fzi_cli_complain(cli, "%s",
                                                          fz_stepper_message(d->stepper));
}

int fzi_cli_step(const fzi_cli *cli)
{
    fzi_debugger d = {0};
    int code = fzi_session_open(&d.session, cli, cli->words.items[0]);

    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&d.session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK)
        code = begin(&d);
    if (code == FZ_EXIT_OK) {
        d.lines = fzi_line_reader_new();
        fzi_terminal_catch_interrupt();
        fzi_debugger_show(&d);
        fzi_debugger_talk(&d);
        fzi_line_reader_free(d.lines);
    }
    for (size_t i = 0; i < d.past_count; i++)
        fz_state_free(d.past[i]);
    free(d.past);
    while (d.break_count)
        free(d.breaks[--d.break_count].file);
    fz_state_free(d.seen);
    fz_stepper_free(d.stepper);
    fz_record_free(d.session.context, &d.record);
    if (d.program)
        fz_program_release(d.program);
    fzi_session_clear(&d.session);
    return code;
}
