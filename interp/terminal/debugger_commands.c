/* The commands of the debugger, and reading them. */
#include "debugger.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show_help(void)
{
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
         "  board              draws the board\n"
         "  list               the script around this statement\n"
         "  where              the calls that led here\n"
         "  moves              the legal moves, or what chance can bring\n"
         "  why MOVE           explains why a move is legal or illegal\n"
         "  move TEXT          plays a move whose text is a command\n"
         "  quit\n"
         "Commands may be shortened. An empty line repeats the last command.");
}

typedef void (*action)(fzi_debugger *d, const char *rest);

static uint64_t number_of(const char *rest)
{
    uint64_t number;
    return fzi_number_read(rest, &number) && number ? number : 1;
}

static void do_step(fzi_debugger *d, const char *rest) { fzi_debugger_step(d, number_of(rest)); }
static void do_next(fzi_debugger *d, const char *rest) { (void)rest; fzi_debugger_step_over(d, 0); }
static void do_out(fzi_debugger *d, const char *rest) { (void)rest; fzi_debugger_step_over(d, 1); }
static void do_continue(fzi_debugger *d, const char *rest) { (void)rest; fzi_debugger_continue(d); }
static void do_back(fzi_debugger *d, const char *rest) { fzi_debugger_back(d, number_of(rest)); }
static void do_run(fzi_debugger *d, const char *rest) { (void)rest; fzi_debugger_run(d); }
static void do_board(fzi_debugger *d, const char *rest) { (void)rest; fzi_debugger_draw(d, NULL); }
static void do_list(fzi_debugger *d, const char *rest) { (void)rest; fzi_debugger_list(d); }
static void do_moves(fzi_debugger *d, const char *rest) { (void)rest; fzi_debugger_list_moves(d); }
static void do_help(fzi_debugger *d, const char *rest) { (void)d; (void)rest; show_help(); }
static void do_quit(fzi_debugger *d, const char *rest) { (void)rest; d->quit = true; }

static void do_undo(fzi_debugger *d, const char *rest)
{
    (void)rest;
    if (!fzi_debugger_undo(d))
        puts("There is no move to take back.");
    fzi_debugger_show(d);
}

static void do_random(fzi_debugger *d, const char *rest)
{
    (void)rest;
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
        fzi_debugger_print(d, rest);
    else
        puts("print needs an expression.");
}

static void do_where(fzi_debugger *d, const char *rest)
{
    (void)rest;
    if (fzi_debugger_must_run(d))
        fputs(fz_stepper_calls(d->stepper, d->at), stdout);
}

static void do_why(fzi_debugger *d, const char *rest)
{
    fputs(fzi_session_why(&d->session, d->session.state, rest), stdout);
}

static void do_move(fzi_debugger *d, const char *rest)
{
    if (fzi_debugger_play(d, rest))
        fzi_debugger_show(d);
}

/* The first that begins with what is typed is meant. */
static const struct {
    const char *name;
    action run;
    bool takes; /* something may follow */
} commands[] = {
    {"step", do_step, true},    {"next", do_next, false},   {"continue", do_continue, false},
    {"print", do_print, true},  {"break", do_break, true},  {"back", do_back, true},
    {"out", do_out, false},     {"undo", do_undo, false},   {"quit", do_quit, false},
    {"list", do_list, false},   {"where", do_where, false}, {"why", do_why, true},
    {"moves", do_moves, false}, {"move", do_move, true},    {"board", do_board, false},
    {"delete", fzi_debugger_delete_break, true},
    {"random", do_random, false}, {"run", do_run, false},
    {"help", do_help, false},
};

static void obey(fzi_debugger *d, const char *line)
{
    size_t length = strcspn(line, " \t");
    const char *rest = line + length + strspn(line + length, " \t");

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strncmp(commands[i].name, line, length) == 0 && (commands[i].takes || !*rest)) {
            commands[i].run(d, rest);
            return;
        }
    do_move(d, line);
}

void fzi_debugger_talk(fzi_debugger *d)
{
    char *last = NULL;
    const char *typed;

    while (!d->quit && (typed = fzi_line_reader_ask(d->lines, "step> ")) != NULL) {
        typed += strspn(typed, " \t");
        size_t length = strlen(typed);
        while (length && isspace((unsigned char)typed[length - 1]))
            length--;
        if (length) {
            last = fzi_cli_allocate(last, length + 1);
            memcpy(last, typed, length);
            last[length] = '\0';
        }
        if (last)
            obey(d, last);
    }
    free(last);
}
