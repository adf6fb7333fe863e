/* The output of the debugger: places, changes, boards, moves, values of expressions. */
#include "debugger.h"

enum { LISTED = 4 }; /* lines before and after the place */

void fzi_debugger_remember(fzi_debugger *d, const fz_state *state)
{
    fz_state_free(d->seen);
    d->seen = state ? fz_state_clone(state) : NULL;
}

/* A statement on one line, cut after a whole character. */
static void print_text(const fz_step_place *place)
{
    enum { WIDTH = 64 };
    char text[FZI_EXCERPT_SIZE];
    size_t end;

    fzi_excerpt(place->text + place->start, place->end - place->start, sizeof text, text);
    end = strnlen(text, WIDTH);

    while (text[end] && (fzi_utf8_continues(text[end]) || text[end - 1] == ' '))
        end++;
    printf("%.*s%s\n", (int)end, text, text[end] ? " ..." : "");
}

static void show_stop(const fzi_debugger *d)
{
    fz_step_place place = fz_stepper_place(d->stepper, d->at);
    const char *slash = strrchr(place.path, '/');

    printf("%*s%s:%u  ", place.depth > 1 ? 2 * (int)(place.depth - 1) : 0, "",
           slash ? slash + 1 : place.path, place.line);
    print_text(&place);
}

static void show_waiting(fzi_debugger *d)
{
    fzi_setup *s = &d->setup;
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

/* Prints the changes since the last stop that was shown, and the current place. */
void fzi_debugger_show(fzi_debugger *d)
{
    const fz_state *state = fz_stepper_state(d->stepper, d->at);

    if (state && d->seen)
        fputs(fz_stepper_changes(d->stepper, d->seen, state), stdout);
    fzi_debugger_remember(d, state);
    if (fzi_debugger_runs(d))
        show_stop(d);
    else if (d->failed)
        printf("error: %s\n", fz_stepper_message(d->stepper));
    else
        show_waiting(d);
}

void fzi_debugger_draw(fzi_debugger *d, const uint64_t *marked)
{
    const fz_state *state = fz_stepper_state(d->stepper, d->at);
    char *text = NULL;

    if (state && fz_state_draw_marked(fz_stepper_machine(d->stepper), state, marked,
                                      d->drawing, &text) == FZ_OK)
        fputs(text, stdout);
    fz_text_free(d->setup.context, text);
}

/* The lines around the place. */
void fzi_debugger_list(fzi_debugger *d)
{
    if (!fzi_debugger_runs(d)) {
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

void fzi_debugger_list_moves(fzi_debugger *d)
{
    const fz_state *state = d->setup.state;
    fzi_successors found = {0};

    if (fz_state_waiting(state) == FZ_WAITING_MOVE || fz_state_waiting(state) == FZ_WAITING_CHANCE)
        if (fzi_successors_find(&found, d->setup.machine, state) == FZ_OK)
            for (size_t i = 0; i < found.count; i++)
                printf(found.outcomes ? "{%s}\n" : "%s\n",
                       fzi_successors_text(&found, i, state));
    fzi_successors_clear(&found);
}

/* ---- expressions ---- */

/* A program for stepping that also computes the expression; NULL after its errors. `locals`, unless
 * it is NULL, gets the names that are bound here (to be freed). */
static fz_program *compile_print(fzi_debugger *d, const char *expression, char **locals)
{
    fzi_setup *s = &d->setup;
    fz_print print = {.expression = expression};
    fz_program *program = NULL;
    fz_report *report = NULL;

    if (fzi_debugger_runs(d)) {
        fz_step_place place = fz_stepper_place(d->stepper, d->at);
        print = (fz_print){place.path, place.start, place.end, expression, NULL};
    }
    fz_status status = fz_compile_stepping(s->context, s->path, s->options.settings,
                                           s->options.setting_count, &print, &program, &report);
    if (status == FZ_NO_MEMORY)
        fzi_cli_no_memory();
    if (status != FZ_OK)
        fputs(report ? fz_report_text(report, FZ_TEXT) : fz_context_message(s->context), stdout);
    fz_report_free(report);
    if (locals)
        *locals = fzi_cli_text("%s", print.locals ? print.locals : "");
    fz_text_free(s->context, print.locals);
    return program;
}

void fzi_debugger_print(fzi_debugger *d, const char *expression, bool draw)
{
    fz_program *program = compile_print(d, expression, NULL);
    fz_stepper *printer = program ? fz_stepper_new(program, d->setup.options.limits) : NULL;
    uint64_t set[FZ_MAX_WORDS] = {0};
    const char *text = "";
    bool is_set = false;

    if (program && !printer)
        fzi_cli_no_memory();
    if (printer) {
        fz_stepper_run(printer, &d->record, d->record.entry_count);
        if (fz_stepper_print(printer, d->at, &text, set, &is_set) == FZ_OK) {
            printf("%s\n", text);
            if (is_set && draw)
                fzi_debugger_draw(d, set);
        } else {
            const char *why = fz_stepper_message(printer);
            printf("%s\n", *why ? why : "This cannot be evaluated here.");
        }
    }
    fz_stepper_free(printer);
    fz_program_release(program);
}

char *fzi_debugger_locals(fzi_debugger *d)
{
    char *locals = NULL;

    if (!fzi_debugger_runs(d))
        return fzi_cli_text("%s", "");
    fz_program_release(compile_print(d, "me", &locals));
    char *names = fzi_cli_text("me %s", locals);
    free(locals);
    return names;
}
