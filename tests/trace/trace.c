/* Prints every instruction that runs, with its source lines: what `./dev trace GAME [MOVE ...]`
 * calls.
 *
 * Plays the moves from the beginning with seed 1 and traces the last one, up to the next
 * decision; then traces how the legal moves are listed there. Without a move it traces the
 * set-up. The lines are those of `ferz disasm`; what runs on copies of the state, to try a move
 * or to ask a question, stands further right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/trace/trace.h"
#include "interp/ferz_tools.h"
#include "interp/program/program.h"
#include "interp/vm/machine.h"

typedef struct tracing {
    char **instructions; /* by place of the code: its line of the listing */
    char **sources;      /* by place: source lines that the listing has before it; NULL: none */
    bool on;
} tracing;

static void die(const char *what, const char *message)
{
    fprintf(stderr, "trace: %s%s%s\n", what, message && *message ? ": " : "",
            message ? message : "");
    exit(2);
}

static void *must(void *pointer)
{
    if (!pointer)
        die("memory is short", NULL);
    return pointer;
}

/* Cuts the listing into lines. Instructions begin with their place; lines of source with `;`. */
static void read_listing(tracing *t, char *listing, uint32_t code_length)
{
    char *source = NULL, *end;
    t->instructions = must(calloc(code_length + 1, sizeof *t->instructions));
    t->sources = must(calloc(code_length + 1, sizeof *t->sources));
    for (char *line = strtok(listing, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned long at = strtoul(line, &end, 10);
        if (line[strspn(line, " ")] == ';') {
            source = line;
        } else if (end > line && at < code_length) {
            t->instructions[at] = line;
            t->sources[at] = source;
            source = NULL;
        }
    }
}

static void show(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc)
{
    const tracing *t = user;
    int indent = run->mode == FZ_RUN_PLAY ? 0 : 8;
    (void)list;
    if (!t->on)
        return;
    if (t->sources[pc])
        printf("%*s%s\n", indent, "", t->sources[pc]);
    printf("%*s%s\n", indent, "", t->instructions[pc] ? t->instructions[pc] : "?");
}

static fz_program *compiled(fz_context *context, const char *path)
{
    fz_program *program = NULL;
    fz_report *report = NULL;
    if (fz_compile(context, path, NULL, 0, NULL, 0, &program, &report) != FZ_OK)
        die(fz_context_message(context), report ? fz_report_text(report, FZ_TEXT) : NULL);
    fz_report_free(report);
    return program;
}

static void play(tracing *t, fz_machine *machine, int count, char **words)
{
    fz_move move;
    t->on = !count;
    fz_state *state = fz_state_new(machine, 1, 0);
    for (int i = 0; state && i < count; i++) {
        if (fz_move_parse(machine, state, words[i], &move) != FZ_OK)
            die(words[i], fz_machine_message(machine));
        t->on = i == count - 1;
        if (t->on)
            printf("---- %s\n", words[i]);
        if (fz_state_play(machine, state, &move) != FZ_OK)
            die(words[i], fz_machine_message(machine));
    }
    if (!state)
        die("no game", fz_machine_message(machine));
    fz_moves *moves = must(fz_moves_new(machine));
    t->on = true;
    if (fz_state_waiting(state) == FZ_WAITING_MOVE) {
        printf("---- the legal moves\n");
        if (fz_state_moves(machine, state, moves) != FZ_OK)
            die("no list of moves", fz_machine_message(machine));
    }
    fz_moves_free(moves);
    fz_state_free(state);
}

int main(int count, char **words)
{
    tracing t = {0};
    fzi_tracer tracer;
    char *listing;
    if (count < 2)
        die("usage: trace GAME [MOVE ...]", NULL);
    fz_context *context = must(fz_context_new(NULL));
    fz_program *program = compiled(context, words[1]);
    if (fz_program_disassemble(context, program, &listing) != FZ_OK ||
        !fzi_tracer_init(&tracer, program, NULL, show, &t))
        die("memory is short", NULL);
    read_listing(&t, listing, program->code_length);
    fzi_tracer_everywhere(&tracer); /* not only where the source changes */
    play(&t, tracer.machine, count - 2, words + 2);
    fzi_tracer_clear(&tracer);
    free(t.instructions);
    free(t.sources);
    fz_text_free(context, listing);
    fz_program_release(program);
    fz_context_free(context);
    return 0;
}
