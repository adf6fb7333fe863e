/* ferz dap: the debugger of rules for editors. */
#include "cli.h"

#include <unistd.h>

#include "interp/terminal/debugger.h"

typedef struct launched {
    const fzi_cli *line;  /* the command line */
    fzi_cli cli;          /* the same with what the launch request says */
    char *path;           /* of a game of the library; NULL */
    fzi_session session;
} launched;

static void take_value(fzi_cli *cli, const json_t *arguments, const char *name,
                       enum fzi_cli_option option)
{
    const char *value = json_string_value(json_object_get(arguments, name));

    if (!value)
        return;
    cli->values[option] = value;
    cli->given |= (fzi_cli_options)1 << option;
}

static void take_settings(fzi_cli *cli, json_t *options)
{
    const char *name;
    json_t *value;

    json_object_foreach(options, name, value) {
        char *text = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);
        fzi_cli_set(cli, fzi_cli_text("%s", name),
                    fzi_cli_text("%s", text ? text : json_string_value(value)));
        free(text);
    }
}

/* What a launch leaves, and the command line again. */
static void forget(launched *l)
{
    fzi_session_clear(&l->session);
    for (size_t i = 0; i < l->cli.setting_count; i++) {
        free((char *)(uintptr_t)l->cli.settings[i].name);
        free((char *)(uintptr_t)l->cli.settings[i].value);
    }
    free(l->cli.settings);
    free(l->path);
    *l = (launched){.line = l->line, .cli = *l->line};
}

static bool open_game(launched *l, const char *path, fzi_debugger *d)
{
    if (fzi_session_open(&l->session, &l->cli, path) != FZ_EXIT_OK ||
        fzi_session_begin(&l->session, FZ_CHANCE_ASK) != FZ_EXIT_OK)
        return false;
    *d = (fzi_debugger){.setup = fzi_session_give(&l->session), .drawing = l->cli.drawing};
    if (fz_compile_stepping(l->session.context, path, l->cli.settings, l->cli.setting_count, NULL,
                            &d->program, NULL) == FZ_OK)
        d->stepper = fz_stepper_new(d->program, &l->cli.limits);
    if (d->stepper && fzi_debugger_begin(d))
        return true;
    if (d->stepper)
        fzi_cli_complain(&l->cli, "%s", fz_stepper_message(d->stepper));
    fzi_debugger_clear(d);
    *d = (fzi_debugger){0};
    return false;
}

static bool launch(void *user, const json_t *arguments, fzi_debugger *d)
{
    launched *l = user;
    const char *program = json_string_value(json_object_get(arguments, "program"));
    const json_t *seed = json_object_get(arguments, "seed");

    l->path = access(program, F_OK) == 0 ? NULL : fzi_library_find(program);
    l->cli.seed = json_is_integer(seed) ? (uint64_t)json_integer_value(seed) : l->cli.seed;
    take_value(&l->cli, arguments, "play", FZ_CLI_PLAY);
    take_value(&l->cli, arguments, "position", FZ_CLI_POSITION);
    take_value(&l->cli, arguments, "fen", FZ_CLI_FEN);
    take_settings(&l->cli, json_object_get(arguments, "options"));
    if (open_game(l, l->path ? l->path : program, d))
        return true;
    forget(l);
    return false;
}

int fzi_cli_dap(const fzi_cli *cli)
{
    launched l = {.line = cli, .cli = *cli};
    bool ended = fzi_debug_serve(launch, &l);

    forget(&l);
    return ended ? FZ_EXIT_OK : FZ_EXIT_WRONG;
}
