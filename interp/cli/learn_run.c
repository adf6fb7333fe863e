/* What ferz learn does for evaluations and for strategies. See cli.h. */
#include "cli.h"

fz_status fzi_learn_games(fzi_learn_run *run, const fzi_session *session, fz_machine *machine,
                          uint64_t begun, const fz_watch *watch, fzi_learn_game *play, void *user)
{
    uint64_t count = session->cli->count, total = count > begun ? count - begun : 0;
    fz_status status = FZ_OK;

    for (uint64_t i = 0; i < total && status == FZ_OK; i++) {
        run->stopped = fzi_watch_stops(watch, machine->limits.cancel, i, total);
        if (run->stopped)
            break;
        status = play(user, i, total);
        if (status != FZ_RUNTIME)
            continue;
        /* A search for the rule that fails begins with the first game in which it does. */
        if (!run->failed++)
            run->why = fzi_cli_text("%s", fz_context_message(session->context));
        status = FZ_OK;
    }
    if (status != FZ_NOT_FOUND)
        return status;
    run->stopped = true; /* in the middle of a game, which does not count */
    return FZ_OK;
}

int fzi_learn_write(const fzi_session *session, fz_status status, char *text, const char *path)
{
    return status == FZ_NOT_FOUND && fzi_terminal_interrupted()
               ? fzi_cli_complain(session->cli, "interrupted: nothing is learned")
               : fzi_cli_write(session->cli, session->context, status, text, path);
}

int fzi_learn_end(const fzi_session *session, fzi_learn_run *run, int code)
{
    if (code == FZ_EXIT_OK && run->failed) {
        fzi_cli_say(session->cli, run->why);
        code = FZ_EXIT_WRONG;
    }
    free(run->why);
    return code;
}
