/* ferz step: a debugger for rules. The game is a record; the stepper (ferz_tools.h) plays one entry
 * of it at a time. Where the debugger stands is the number of a stop of that entry, or the number
 * of its stops: then the game waits for the next move. */
#include "interp/support/text.h"
#include "interp/terminal/line_reader.h"
#include "session.h"
#include "interp/terminal/terminal.h"
#include "ferz_tools.h"
#include "interp/board/board_data.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BREAKS = 64, LISTED = 4 };

typedef struct breakpoint {
    char *file;
    unsigned line;
} breakpoint;

typedef struct debugger {
    fzi_session session;   /* the state: after the entry, or before it if it fails */
    fz_program *program;   /* for stepping */
    fz_stepper *stepper;
    fz_record record;      /* up to the entry that is stepped through */
    size_t at;
    bool failed;           /* the entry ends in an error */
    fz_state **past;       /* the states before each move and chance result */
    size_t past_count;
    fz_state *seen;        /* of the stepper's program: the state that was shown last; NULL */
    breakpoint breaks[MAX_BREAKS];
    unsigned break_count;
    fzi_line_reader *lines;
    bool quit;
} debugger;

/* ---- entries ---- */

static size_t stops(const debugger *d)
{
    return fz_stepper_stops(d->stepper);
}

static bool is_running(const debugger *d)
{
    return d->at < stops(d);
}

static void remember_seen(debugger *d, const fz_state *state)
{
    fz_state_free(d->seen);
    d->seen = state ? fz_state_clone(state) : NULL;
}

/* Runs the last entry of a record. False: it fails, or cannot be run. */
static bool run_record(debugger *d, const char *text)
{
    fz_record_free(d->session.context, &d->record);
    if (fz_record_read(d->session.context, text, &d->record) != FZ_OK)
        return false;
    /* A position begins a record without a set-up, so there may be nothing to run. */
    return fz_stepper_run(d->stepper, &d->record, d->record.entry_count) == FZ_OK;
}

/* The record of the game, with another entry (may be ""); to be freed. NULL after a complaint. */
static char *record_with(debugger *d, const char *entry)
{
    fzi_session *s = &d->session;
    char *text = NULL, *whole;
    fz_status status = fz_record_write(s->machine, s->state, s->path, s->cli->seed, &text);
    size_t size;

    if (status != FZ_OK) {
        fzi_session_failed(s, status);
        return NULL;
    }
    size = strlen(text) + strlen(entry) + 16;
    whole = fzi_cli_allocate(NULL, size);
    snprintf(whole, size, *entry ? "%s        %s\n" : "%s", text, entry);
    fz_text_free(s->context, text);
    return whole;
}

/* Goes to the end of the entry that led to the session's state. */
static bool go_to_state(debugger *d)
{
    char *text = record_with(d, "");
    bool done = text && run_record(d, text);

    free(text);
    d->failed = false;
    d->at = stops(d);
    remember_seen(d, done ? fz_stepper_state(d->stepper, d->at) : NULL);
    return done;
}

/* ---- showing ---- */

/* A statement on one line, cut. */
static void print_text(const fz_step_place *place)
{
    enum { WIDTH = 64 };
    size_t used = 0;
    bool blank = false;

    for (uint32_t i = place->start; i < place->end; i++) {
        unsigned char c = (unsigned char)place->text[i];
        if (isspace(c)) {
            blank = true;
            continue;
        }
        if (used >= WIDTH && !fzi_utf8_continues((char)c)) {
            fputs(" ...", stdout);
            break;
        }
        if (blank)
            putchar(' ');
        used += 1u + blank;
        blank = false;
        putchar(c);
    }
    putchar('\n');
}

static void show_stop(const debugger *d)
{
    fz_step_place place = fz_stepper_place(d->stepper, d->at);
    const char *slash = strrchr(place.path, '/');

    printf("%*s%s:%u  ", place.depth > 1 ? 2 * (int)(place.depth - 1) : 0, "",
           slash ? slash + 1 : place.path, place.line);
    print_text(&place);
}

static void show_waiting(debugger *d)
{
    fzi_session *s = &d->session;
    const fz_state *state = s->state;
    char *result = NULL;

    switch (fz_state_waiting(state)) {
    case FZ_WAITING_MOVE:
        printf("%s to decide, turn %u.\n",
               fz_program_player_name(s->program, fz_state_decider(state)), fz_state_turns(state));
        break;
    case FZ_WAITING_CHANCE:
        printf("Chance, turn %u.\n", fz_state_turns(state));
        break;
    default:
        if (fz_record_result_text(s->machine, state, &result) == FZ_OK)
            printf("The game is over: %s.\n", result);
        fz_text_free(s->context, result);
    }
}

/* What has changed since the last stop that was shown, and where the debugger stands. */
static void show_place(debugger *d)
{
    const fz_state *state = fz_stepper_state(d->stepper, d->at);

    if (state && d->seen)
        fputs(fz_stepper_changes(d->stepper, d->seen, state), stdout);
    remember_seen(d, state);
    if (is_running(d))
        show_stop(d);
    else if (d->failed)
        printf("error: %s\n", fz_stepper_message(d->stepper));
    else
        show_waiting(d);
}

static void draw(debugger *d, const uint64_t *marked)
{
    const fz_state *state = fz_stepper_state(d->stepper, d->at);
    char *text = NULL;

    if (state && fz_state_draw_marked(fz_stepper_machine(d->stepper), state, marked,
                                      d->session.cli->drawing, &text) == FZ_OK)
        fputs(text, stdout);
    fz_text_free(d->session.context, text);
}

/* The lines around the place. */
static void list(const debugger *d)
{
    if (!is_running(d)) {
        puts("Nothing runs. Play a move first.");
        return;
    }
    fz_step_place place = fz_stepper_place(d->stepper, d->at);
    unsigned line = 1;
    for (const char *text = place.text; *text && line <= place.line + LISTED; line++) {
        size_t length = strcspn(text, "\n");
        if (line + LISTED >= place.line)
            printf("%s%5u  %.*s\n", line == place.line ? ">" : " ", line, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void show_moves(debugger *d)
{
    fzi_session *s = &d->session;
    fz_moves *moves = fz_moves_new(s->machine);
    const fz_outcome *outcomes;
    size_t count = 0;

    if (fz_state_waiting(s->state) == FZ_WAITING_MOVE) {
        if (moves && fz_state_moves(s->machine, s->state, moves) == FZ_OK)
            count = fz_moves_count(moves);
        for (size_t i = 0; i < count; i++) {
            fz_move move = fz_moves_at(moves, i);
            puts(fz_move_text(s->machine, s->state, &move));
        }
    } else if (fz_state_waiting(s->state) == FZ_WAITING_CHANCE) {
        for (size_t i = 0; fz_state_outcomes(s->machine, s->state, &outcomes, &count) == FZ_OK &&
                           i < count; i++)
            printf("{%s}\n", fz_chance_text(s->machine, s->state, outcomes[i].value));
    }
    fz_moves_free(moves);
}

/* ---- expressions ---- */

/* A program for stepping that also computes the expression; NULL after its errors. */
static fz_program *compile_print(debugger *d, const char *expression)
{
    fzi_session *s = &d->session;
    fz_print print = {.expression = expression};
    fz_program *program = NULL;
    fz_report *report = NULL;

    if (is_running(d)) {
        fz_step_place place = fz_stepper_place(d->stepper, d->at);
        print = (fz_print){place.path, place.start, place.end, expression};
    }
    fz_status status = fz_compile_stepping(s->context, s->path, s->cli->settings,
                                           s->cli->setting_count, &print, &program, &report);
    if (status != FZ_OK)
        fputs(report ? fz_report_text(report, FZ_TEXT) : fz_context_message(s->context), stdout);
    fz_report_free(report);
    return program;
}

static void print_value(debugger *d, const char *expression)
{
    fz_program *program = compile_print(d, expression);
    fz_stepper *printer = program ? fz_stepper_new(program, &d->session.cli->limits) : NULL;
    uint64_t set[FZ_MAX_WORDS] = {0};
    const char *text = "";
    bool is_set = false;

    if (printer) {
        fz_stepper_run(printer, &d->record, d->record.entry_count);
        if (fz_stepper_print(printer, d->at, &text, set, &is_set) == FZ_OK) {
            printf("%s\n", text);
            if (is_set)
                draw(d, set);
        } else {
            const char *why = fz_stepper_message(printer);
            printf("%s\n", *why ? why : "This cannot be evaluated here.");
        }
    }
    fz_stepper_free(printer);
    if (program)
        fz_program_release(program);
}

/* ---- breakpoints ---- */

static void list_breaks(const debugger *d)
{
    for (unsigned i = 0; i < d->break_count; i++)
        printf("%u  %s:%u\n", i + 1, d->breaks[i].file, d->breaks[i].line);
    if (!d->break_count)
        puts("There are no breakpoints.");
}

/* "53" or "FILE:53". */
static void add_break(debugger *d, const char *where)
{
    const char *colon = strrchr(where, ':'), *number = colon ? colon + 1 : where;
    const char *file = colon ? where : d->session.path;
    size_t length = colon ? (size_t)(colon - where) : strlen(file);
    char *name = fzi_cli_allocate(NULL, length + 1);
    uint64_t line;

    memcpy(name, file, length);
    name[length] = '\0';
    unsigned found = fzi_number_read(number, &line) && line <= INT32_MAX
                         ? fz_stepper_line(d->stepper, name, (unsigned)line) : 0;
    if (!found || d->break_count == MAX_BREAKS) {
        if (found)
            puts("There are too many breakpoints.");
        else
            printf("No statement begins at %s or below.\n", where);
        free(name);
        return;
    }
    d->breaks[d->break_count++] = (breakpoint){name, found};
    printf("Breakpoint %u at %s:%u.\n", d->break_count, name, found);
}

static void delete_break(debugger *d, const char *which)
{
    uint64_t number;

    if (!fzi_number_read(which, &number) || number < 1 || number > d->break_count) {
        printf("There is no breakpoint %s.\n", which);
        return;
    }
    free(d->breaks[number - 1].file);
    memmove(&d->breaks[number - 1], &d->breaks[number],
            (d->break_count - number) * sizeof *d->breaks);
    d->break_count--;
}

static bool breaks_at(const debugger *d, size_t stop)
{
    for (unsigned i = 0; i < d->break_count; i++)
        if (fz_stepper_is_at(d->stepper, stop, d->breaks[i].file, d->breaks[i].line))
            return true;
    return false;
}

/* ---- going ---- */

static unsigned depth_at(const debugger *d, size_t stop)
{
    return fz_stepper_place(d->stepper, stop).depth;
}

static bool must_run(const debugger *d)
{
    if (!is_running(d))
        puts("Nothing runs. Type a move, or `random`.");
    return is_running(d);
}

static void step(debugger *d, uint64_t count)
{
    if (!must_run(d))
        return;
    d->at = count < stops(d) - d->at ? d->at + (size_t)count : stops(d);
    show_place(d);
}

/* On to the next stop whose depth of calls is at most that of this one, less `out`; breakpoints on
 * the way count. */
static void step_over(debugger *d, unsigned out)
{
    if (!must_run(d))
        return;
    unsigned depth = depth_at(d, d->at);
    do
        d->at++;
    while (is_running(d) && depth_at(d, d->at) + out > depth && !breaks_at(d, d->at));
    show_place(d);
}

static void go_on(debugger *d)
{
    if (!must_run(d))
        return;
    do
        d->at++;
    while (is_running(d) && !breaks_at(d, d->at));
    show_place(d);
}

/* To the state before the entry. False: there is none. */
static bool undo(debugger *d)
{
    fzi_session *s = &d->session;

    if (d->failed) /* the state is still the one before */
        return go_to_state(d);
    if (!d->past_count)
        return false;
    fz_state_free(s->state);
    s->state = d->past[--d->past_count];
    return go_to_state(d);
}

/* Before the first statement of an entry, the game waits. */
static void back(debugger *d, uint64_t count)
{
    uint64_t moved = 0;

    for (; moved < count; moved++) {
        if (d->at > 0)
            d->at--;
        else if (!undo(d))
            break;
    }
    if (!moved)
        puts("This is the beginning.");
    show_place(d);
}

/* Plays an entry, up to its first statement. */
static void play_entry(debugger *d, const char *entry, const fz_move *move, int64_t chance)
{
    fzi_session *s = &d->session;
    char *text = record_with(d, entry);
    fz_state *before = text ? fz_state_clone(s->state) : NULL;

    if (!before) {
        free(text);
        return;
    }
    run_record(d, text);
    free(text);
    d->at = 0;
    d->failed = (move ? fz_state_play(s->machine, s->state, move)
                      : fz_state_set_chance(s->machine, s->state, chance)) != FZ_OK;
    if (d->failed) {
        fz_state_free(s->state);
        s->state = before;
        return;
    }
    d->past = fzi_cli_allocate(d->past, (d->past_count + 1) * sizeof *d->past);
    d->past[d->past_count++] = before;
}

/* Plays a move or "{chance}"; false after a complaint. */
static bool play_text(debugger *d, const char *text)
{
    fzi_session *s = &d->session;
    int64_t value = 0;
    fz_move move = {0};
    char entry[256];

    if (is_running(d) || d->failed) {
        puts("The rules still run: `continue` first, or go `back`.");
        return false;
    }
    if (*text == '{' && fz_state_waiting(s->state) == FZ_WAITING_CHANCE) {
        char result[128];
        snprintf(result, sizeof result, "%.*s", (int)strcspn(text + 1, "}"), text + 1);
        if (fzi_session_chance_value(s, result, &value)) {
            snprintf(entry, sizeof entry, "{%s}", result);
            play_entry(d, entry, NULL, value);
            return true;
        }
        printf("'%s' is not a possible chance result here.\n", result);
        return false;
    }
    if (fz_state_waiting(s->state) == FZ_WAITING_MOVE &&
        fz_move_parse(s->machine, s->state, text, &move) == FZ_OK) {
        snprintf(entry, sizeof entry, "%s", fz_move_text(s->machine, s->state, &move));
        play_entry(d, entry, &move, 0);
        return true;
    }
    if (fz_state_waiting(s->state) == FZ_WAITING_CHANCE)
        puts("Chance is waited for: type {RESULT}, or `random`.");
    else
        fputs(fzi_session_why(s, s->state, text), stdout);
    return false;
}

/* A number below `most`: always the same for the seed and the length of the game. */
static uint64_t draw_number(const debugger *d, uint64_t most)
{
    uint64_t x = d->session.cli->seed * UINT64_C(0x9e3779b97f4a7c15) + d->past_count;

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) % most;
}

static void draw_move(debugger *d, char *entry, size_t size)
{
    fzi_session *s = &d->session;
    fz_moves *moves = fz_moves_new(s->machine);

    if (moves && fz_state_moves(s->machine, s->state, moves) == FZ_OK) {
        fz_move move = fz_moves_at(moves, draw_number(d, fz_moves_count(moves)));
        snprintf(entry, size, "%s", fz_move_text(s->machine, s->state, &move));
    }
    fz_moves_free(moves);
}

static void draw_chance(debugger *d, char *entry, size_t size)
{
    fzi_session *s = &d->session;
    const fz_outcome *outcomes;
    size_t count, i = 0;
    uint64_t total = 0;

    if (fz_state_outcomes(s->machine, s->state, &outcomes, &count) != FZ_OK)
        return;
    for (size_t k = 0; k < count; k++)
        total += outcomes[k].weight;
    for (uint64_t number = draw_number(d, total); number >= outcomes[i].weight; i++)
        number -= outcomes[i].weight;
    snprintf(entry, size, "{%s}", fz_chance_text(s->machine, s->state, outcomes[i].value));
}

/* Plays a random move, or lets chance decide. The state's own stream is not used: if the rules fail
 * behind the move, it is still known which one it was. */
static bool play_random(debugger *d)
{
    fzi_session *s = &d->session;
    char entry[256] = "";

    if (is_running(d) || d->failed) {
        puts("The rules still run: `continue` first, or go `back`.");
        return false;
    }
    switch (fz_state_waiting(s->state)) {
    case FZ_WAITING_MOVE: draw_move(d, entry, sizeof entry); break;
    case FZ_WAITING_CHANCE: draw_chance(d, entry, sizeof entry); break;
    default: puts("The game is over."); return false;
    }
    puts(*entry ? entry : fz_machine_message(s->machine));
    return *entry && play_text(d, entry);
}

/* Plays at random until a breakpoint, an error or the end of the game. */
static void run_on(debugger *d)
{
    if (is_running(d))
        d->at++;
    while (!fzi_terminal_interrupted()) {
        while (is_running(d) && !breaks_at(d, d->at))
            d->at++;
        if (is_running(d) || d->failed || fz_state_waiting(d->session.state) == FZ_GAME_OVER ||
            !play_random(d))
            break;
        remember_seen(d, NULL);
    }
    show_place(d);
}

/* ---- commands ---- */

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

typedef void (*action)(debugger *d, const char *rest);

static uint64_t number_of(const char *rest)
{
    uint64_t number;
    return fzi_number_read(rest, &number) && number ? number : 1;
}

static void do_step(debugger *d, const char *rest) { step(d, number_of(rest)); }
static void do_next(debugger *d, const char *rest) { (void)rest; step_over(d, 0); }
static void do_out(debugger *d, const char *rest) { (void)rest; step_over(d, 1); }
static void do_continue(debugger *d, const char *rest) { (void)rest; go_on(d); }
static void do_back(debugger *d, const char *rest) { back(d, number_of(rest)); }
static void do_run(debugger *d, const char *rest) { (void)rest; run_on(d); }
static void do_board(debugger *d, const char *rest) { (void)rest; draw(d, NULL); }
static void do_list(debugger *d, const char *rest) { (void)rest; list(d); }
static void do_moves(debugger *d, const char *rest) { (void)rest; show_moves(d); }
static void do_help(debugger *d, const char *rest) { (void)d; (void)rest; show_help(); }
static void do_quit(debugger *d, const char *rest) { (void)rest; d->quit = true; }

static void do_undo(debugger *d, const char *rest)
{
    (void)rest;
    if (!undo(d))
        puts("There is no move to take back.");
    show_place(d);
}

static void do_random(debugger *d, const char *rest)
{
    (void)rest;
    if (play_random(d))
        show_place(d);
}

static void do_break(debugger *d, const char *rest)
{
    if (*rest)
        add_break(d, rest);
    else
        list_breaks(d);
}

static void do_print(debugger *d, const char *rest)
{
    if (*rest)
        print_value(d, rest);
    else
        puts("print needs an expression.");
}

static void do_where(debugger *d, const char *rest)
{
    (void)rest;
    if (must_run(d))
        fputs(fz_stepper_calls(d->stepper, d->at), stdout);
}

static void do_why(debugger *d, const char *rest)
{
    fputs(fzi_session_why(&d->session, d->session.state, rest), stdout);
}

static void do_move(debugger *d, const char *rest)
{
    if (play_text(d, rest))
        show_place(d);
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
    {"delete", delete_break, true}, {"random", do_random, false}, {"run", do_run, false},
    {"help", do_help, false},
};

static void obey(debugger *d, const char *line)
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

static void talk(debugger *d)
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

/* ---- the command ---- */

static int begin(debugger *d)
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
    return go_to_state(d) ? FZ_EXIT_OK : fzi_cli_complain(cli, "%s",
                                                          fz_stepper_message(d->stepper));
}

int fzi_cli_step(const fzi_cli *cli)
{
    debugger d = {0};
    int code = fzi_session_open(&d.session, cli, cli->words.items[0]);

    if (code == FZ_EXIT_OK)
        code = fzi_session_begin(&d.session, FZ_CHANCE_ASK);
    if (code == FZ_EXIT_OK)
        code = begin(&d);
    if (code == FZ_EXIT_OK) {
        d.lines = fzi_line_reader_new();
        fzi_terminal_catch_interrupt();
        show_place(&d);
        talk(&d);
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
