/* The commands of the debugger, and reading them. */
#include "debugger.h"

static void show_help(fzi_debugger *d)
{
    (void)d;
    puts("Type a move or {a chance result}, then:\n"
         "  step [N]           to the next statement (N times), into calls\n"
         "  next               to the next statement, over calls\n"
         "  out                to the statement after this call\n"
         "  continue           to the next breakpoint, or to the next decision\n"
         "  back [N]           to the statement before; before the first, takes the move back\n"
         "  undo               takes the move back\n"
         "  random             plays a random move, or lets chance decide\n"
         "  run                plays at random until a breakpoint or an error\n"
         "  break [[FILE:]LINE]  sets a breakpoint; lists them\n"
         "  delete N           deletes breakpoint N\n"
         "  print EXPRESSION   evaluates an expression; draws a set of sites\n"
         "  names              the names that are bound here, with their values\n"
         "  board              draws the board\n"
         "  list               the script around this statement\n"
         "  where              the calls that led here\n"
         "  moves              the legal moves, or what chance can bring\n"
         "  why MOVE           explains why a move is legal or illegal\n"
         "  move TEXT          plays a move whose text is a command\n"
         "  quit\n"
         "Commands may be shortened. An empty line repeats the last command.");
}

static uint64_t number_of(const char *rest)
{
    uint64_t number;
    return fzi_number_read(rest, &number) && number ? number : 1;
}

static void do_step(fzi_debugger *d, const char *rest) { fzi_debugger_step(d, number_of(rest)); }
static void do_back(fzi_debugger *d, const char *rest) { fzi_debugger_back(d, number_of(rest)); }
static void do_board(fzi_debugger *d) { fzi_debugger_draw(d, NULL); }
static void do_quit(fzi_debugger *d) { d->quit = true; }

static void do_undo(fzi_debugger *d)
{
    if (!fzi_debugger_undo(d))
        puts("There is no move to take back.");
    fzi_debugger_show(d);
}

static void do_random(fzi_debugger *d)
{
    if (fzi_debugger_play_random(d))
        fzi_debugger_show(d);
}

static void do_break(fzi_debugger *d, const char *rest)
{
    if (*rest)
        fzi_debugger_break(d, rest);
    else
        fzi_debugger_list_breaks(d);
}

static void do_print(fzi_debugger *d, const char *rest)
{
    if (*rest)
        fzi_debugger_print(d, rest, true);
    else
        puts("print needs an expression.");
}

static void do_names(fzi_debugger *d)
{
    char *names = fzi_debugger_must_run(d) ? fzi_debugger_locals(d) : NULL;

    for (char *name = names, *end; name && *name; name = end + 1) {
        end = strchr(name, ' ');
        *end = '\0';
        printf("%s = ", name);
        fzi_debugger_print(d, name, false);
    }
    free(names);
}

static void do_where(fzi_debugger *d)
{
    if (fzi_debugger_must_run(d))
        fputs(fz_stepper_calls(d->stepper, d->at), stdout);
}

static void do_why(fzi_debugger *d, const char *rest)
{
    fputs(fzi_why(&d->setup, &d->explaining, d->setup.state, FZI_SEES_ALL, rest), stdout);
}

static void do_move(fzi_debugger *d, const char *rest)
{
    if (fzi_debugger_play(d, rest))
        fzi_debugger_show(d);
}

/* The first that begins with what is typed is meant. Nothing may follow a `plain` one. */
static const struct {
    const char *name;
    void (*plain)(fzi_debugger *d);
    void (*with_rest)(fzi_debugger *d, const char *rest);
} commands[] = {
    {"step", NULL, do_step},            {"next", fzi_debugger_next, NULL},
    {"continue", fzi_debugger_continue, NULL}, {"print", NULL, do_print},
    {"break", NULL, do_break},          {"back", NULL, do_back},
    {"out", fzi_debugger_out, NULL},    {"undo", do_undo, NULL},
    {"quit", do_quit, NULL},            {"list", fzi_debugger_list, NULL},
    {"where", do_where, NULL},          {"why", NULL, do_why},
    {"moves", fzi_debugger_list_moves, NULL}, {"move", NULL, do_move},
    {"board", do_board, NULL},          {"delete", NULL, fzi_debugger_delete_break},
    {"names", do_names, NULL},          {"random", do_random, NULL},
    {"run", fzi_debugger_run, NULL},
    {"help", show_help, NULL},
};

void fzi_debugger_obey(fzi_debugger *d, const char *line)
{
    size_t length = strcspn(line, " \t");
    const char *rest = line + length + strspn(line + length, " \t");

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strncmp(commands[i].name, line, length) != 0 || (commands[i].plain && *rest))
            continue;
        if (commands[i].plain)
            commands[i].plain(d);
        else
            commands[i].with_rest(d, rest);
        return;
    }
    do_move(d, line);
}

void fzi_debugger_talk(fzi_debugger *d)
{
    char *last = NULL;
    const char *typed;

    while (!d->quit && (typed = fzi_line_reader_ask(d->lines, "step> ")) != NULL) {
        if (*typed) {
            free(last);
            last = fzi_cli_text("%s", typed);
        }
        if (last)
            fzi_debugger_obey(d, last);
    }
    free(last);
}

void fzi_debugger_clear(fzi_debugger *d)
{
    for (size_t i = 0; i < d->past_count; i++)
        fz_state_free(d->past[i]);
    free(d->past);
    while (d->break_count)
        free(d->breaks[--d->break_count].file);
    fz_state_free(d->seen);
    fz_stepper_free(d->stepper);
    fz_record_free(d->setup.context, &d->record);
    fz_program_release(d->program);
    fz_program_release(d->explaining);
    fzi_setup_clear(&d->setup);
}
