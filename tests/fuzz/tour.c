/* All texts and counts that a program can be asked for, each once, with small bounds. */
#include "fuzz.h"
#include "ferz_tools.h"

#include <string.h>

enum { PLIES = 6, LARGEST_CODE = 2000, LONGEST_COUNT = 20000 };

typedef struct tour {
    fz_context *context;
    fz_program *program;
    fz_machine *machine;
    fz_state *state;
} tour;

/* `text` is where the call that gave the status put its text. */
static void done(const tour *t, fz_status status, char **text)
{
    if (status == FZ_OK)
        fz_text_free(t->context, *text);
    else
        fuzz_want(*fz_machine_message(t->machine), "a failure is told");
}

/* As everybody and as each player sees it. */
static void see_all(const tour *t)
{
    char *text = NULL;

    for (unsigned style = 0; style < 4; style++)
        done(t, fz_state_draw(t->machine, t->state, style, &text), &text);
    done(t, fz_state_write_now(t->machine, t->state, &text), &text);
    for (int player = 0; player < fz_program_players(t->program); player++) {
        unsigned style = (unsigned)player % 4;
        done(t, fz_state_draw_for(t->machine, t->state, player, style, &text), &text);
        done(t, fz_state_write_for(t->machine, t->state, player, &text), &text);
        fz_state_free(fz_state_clone_for(t->machine, t->state, player));
    }
}

/* A record is read as it was written, and its moves can be tried; damaged programs may have two
 * moves of one text. */
static void record(const tour *t)
{
    char *text = NULL, *result = NULL;
    fz_record read;

    done(t, fz_record_result_text(t->machine, t->state, &result), &result);
    fz_status status = fz_record_write(t->machine, t->state, "fuzz.game", 1, &text);
    if (status == FZ_OK && fz_record_read(t->context, text, &read) == FZ_OK) {
        fz_state *again = fz_record_start(t->machine, &read);
        for (size_t i = 0; again && i < read.entry_count; i++)
            if (fz_record_play(t->machine, again, read.entries[i]) != FZ_OK)
                break;
        fz_state_free(again);
        fz_record_free(t->context, &read);
    }
    done(t, status, &text);
}

/* A damaged turn may branch without an end. */
static bool enough(void *user, uint64_t done, uint64_t total)
{
    uint64_t *asked = user;

    (void)done;
    (void)total;
    return ++*asked > LONGEST_COUNT / 1024; /* asked every 1,024 nodes */
}

static void count(const tour *t)
{
    fz_ratio number;
    uint64_t asked = 0;
    const fz_watch watch = {enough, &asked};

    for (int merge = FZ_MERGE_NOTHING; merge <= FZ_MERGE_POSITIONS; merge++) {
        fz_count_task task = {.depth = 1, .merge = (fz_merge)merge, .threads = 1};
        fz_count(t->machine, t->state, &task, &watch, &number);
    }
    fz_count_task weighed = {.depth = 1, .decisions = true, .weighed = true, .threads = 1};
    fz_count(t->machine, t->state, &weighed, &watch, &number);
    fz_count_task kept = {.depth = 2, .keep = 1 << 12, .threads = 1};
    fz_count(t->machine, t->state, &kept, &watch, &number);
}

static void tell(const tour *t)
{
    fz_moves *moves = fz_moves_new(t->machine);
    fz_move_trace *story = fz_move_trace_new(t->program, &fuzz_limits, -1);

    if (moves && story && fz_state_waiting(t->state) == FZ_WAITING_MOVE &&
        fz_state_moves(t->machine, t->state, moves) == FZ_OK && fz_moves_count(moves)) {
        fz_move move = fz_moves_at(moves, 0);
        fz_move_trace_tell(story, t->state, &move, 0);
    }
    fz_move_trace_free(story);
    fz_moves_free(moves);
}

static void generate_c(const tour *t)
{
    size_t length;
    char *text = NULL;

    if (t->program->code_length > LARGEST_CODE)
        return;
    if (fz_program_c(t->context, t->program, &text, &length) == FZ_OK)
        fz_text_free(t->context, text);
    if (fz_program_c_standalone(t->context, t->program, &text, &length) == FZ_OK)
        fz_text_free(t->context, text);
}

void fuzz_tour(fz_context *context, fz_program *program)
{
    tour t = {
        .context = context, .program = program, .machine = fz_machine_new(program, &fuzz_limits)};

    if (t.machine)
        t.state = fz_record_begin(t.machine, 1, 0);
    for (int ply = 0; t.state && ply < PLIES; ply++) {
        if (ply % 3 == 0) {
            see_all(&t);
            tell(&t);
        }
        if (fz_state_playout(t.machine, t.state, 1) != FZ_OK)
            break;
    }
    if (t.state) {
        record(&t);
        count(&t);
    }
    generate_c(&t);
    fz_state_free(t.state);
    fz_machine_free(t.machine);
}
