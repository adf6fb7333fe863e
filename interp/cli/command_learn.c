/* ferz learn: an evaluation of a game, learned by self-play. */
#include "cli.h"

#include <unistd.h>

#include "interp/lab/learning.h"

enum { ROWS = 10 };           /* of the report */

/* What some games in a row told. */
typedef struct part {
    uint64_t last, games;
    double error, first, decisions;
} part;

typedef struct run {
    part parts[ROWS];
    unsigned count;
    bool stopped;
    uint64_t failed;          /* games */
    char *why;                /* of the first that failed; to be freed */
} run;

static void add(part *p, const fzi_learning *y, const fzi_lesson *lesson)
{
    p->last = y->games;
    p->games++;
    p->error += lesson->error;
    p->first += lesson->first;
    p->decisions += (double)lesson->decisions;
}

/* A search for the rule that fails begins with the first game in which it does. */
static fz_status note_failed(const fzi_learning *y, run *all)
{
    if (!all->failed++)
        all->why = fzi_cli_text("%s", fz_context_message(y->setup->context));
    return FZ_OK;
}

/* Plays up to the number of --count, earlier games included. */
static fz_status play(fzi_learning *y, uint64_t count, const fz_watch *watch, run *all)
{
    uint64_t begun = y->games, total = count > begun ? count - begun : 0;
    fz_status status = FZ_OK;

    for (uint64_t i = 0; i < total && status == FZ_OK; i++) {
        fzi_lesson lesson;
        unsigned at = (unsigned)((fz_uint128)i * ROWS / total);
        all->stopped = fzi_watch_stops(watch, y->machine->limits.cancel, i, total);
        if (all->stopped)
            break;
        status = fzi_learning_play(y, &lesson);
        all->count = at + 1;
        if (status == FZ_OK)
            add(&all->parts[at], y, &lesson);
        else if (status == FZ_RUNTIME)
            status = note_failed(y, all);
    }
    if (status != FZ_NOT_FOUND)
        return status;
    all->stopped = true; /* in the middle of a game, which does not count */
    return FZ_OK;
}

static json_t *rows_of(const run *all)
{
    json_t *rows = json_array();

    for (unsigned i = 0; i < all->count; i++) {
        const part *p = &all->parts[i];
        double games = (double)p->games;
        if (!p->games)
            continue;
        json_array_append_new(rows, json_pack("{s:I, s:f, s:f, s:f}", "games", (json_int_t)p->last,
                                              "error", sqrt(p->error / games), "first",
                                              p->first / games, "decisions",
                                              p->decisions / games));
    }
    return rows;
}

static int report(const fzi_session *session, const fzi_learning *y, const run *all,
                  const char *path)
{
    const fzi_learned *l = y->learned;
    json_t *rows = rows_of(all);

    if (session->cli->format == FZ_CLI_JSON)
        return fzi_json_print(json_pack(
            "{s:s, s:s, s:I, s:I, s:I, s:I, s:i, s:b, s:b, s:o, s:o}", "game",
            fz_program_title(session->program), "file", path, "games", (json_int_t)y->games,
            "failed", (json_int_t)all->failed, "patterns", (json_int_t)l->pattern_count, "weights",
            (json_int_t)(l->tables * (uint64_t)l->weight_count), "symmetries",
            (int)l->symmetry_count + 1, "shared", l->seats != NULL, "stopped", all->stopped,
            "course", rows, "run", fzi_session_trace(session)));
    printf("%s: %" PRIu64 " games of seed %" PRIu64, fz_program_title(session->program), y->games,
           y->seed);
    if (all->failed)
        printf(" (%" PRIu64 " failed)", all->failed);
    printf(", %u patterns, %" PRIu64 " weights, %u symmetr%s, %s\n\n", l->pattern_count,
           l->tables * (uint64_t)l->weight_count, l->symmetry_count + 1,
           l->symmetry_count ? "ies" : "y",
           l->seats ? "the same weights for both players" : "weights for each player");
    fzi_json_print_rows(rows, false, NULL);
    printf("\nwritten to %s%s\n", path,
           all->stopped ? "; stopped early, --resume continues" : "");
    json_decref(rows);
    return FZ_EXIT_OK;
}

/* Names the first game that failed. */
static int say_failed(const fzi_cli *cli, const run *all)
{
    if (!all->failed)
        return FZ_EXIT_OK;
    fzi_cli_say(cli, all->why);
    return FZ_EXIT_WRONG;
}

/* Learns, and writes the file. `there`: it is continued. */
static int learn_into(fzi_session *session, const char *path, bool there)
{
    const fzi_cli *cli = session->cli;
    fzi_setup setup = fzi_session_setup(session);
    fzi_progress progress;
    fzi_learning y;
    run all = {.count = 0};
    char *text = NULL;

    fzi_terminal_catch_interrupt();
    fz_watch watch = fzi_progress_begin(&progress, "games");
    fz_status status = there ? fzi_learning_resume(&y, &setup, path)
                             : fzi_learning_begin(&y, &setup);
    if (status == FZ_OK)
        status = play(&y, cli->count, &watch, &all);
    fzi_progress_end(&progress);
    fzi_terminal_begin_saving();
    if (status == FZ_OK)
        status = fzi_learning_text(&y, &text);
    int code = status == FZ_NOT_FOUND && fzi_terminal_interrupted()
                   ? fzi_cli_complain(cli, "interrupted: nothing is learned")
                   : fzi_cli_write(cli, session->context, status, text, path);
    if (code == FZ_EXIT_OK && strcmp(path, "-") != 0)
        code = report(session, &y, &all, path);
    if (code == FZ_EXIT_OK)
        code = say_failed(cli, &all);
    fzi_learning_clear(&y);
    free(all.why);
    return code;
}

/* With --resume, a file that is there is continued. Without, it stays as it is. */
static int learn(fzi_session *session)
{
    const fzi_cli *cli = session->cli;
    const char *given = cli->values[FZ_CLI_OUTPUT];
    bool hides = fz_program_hides(session->program);
    if (!hides && fzi_cli_has(cli, FZ_CLI_SAMPLING))
        return fzi_cli_complain(cli, "--sampling is for games that hide something");
    char *path = given ? fzi_cli_text("%s", given)
                       : fzi_file_named(session->path, hides ? ".strategy" : ".eval");
    bool there = strcmp(path, "-") != 0 && access(path, F_OK) == 0;
    int code = there && !fzi_cli_has(cli, FZ_CLI_RESUME)
                   ? fzi_cli_complain(cli, "%s is there already: --resume continues it", path)
                   : hides ? fzi_cli_learn_strategy(session, path, there)
                           : learn_into(session, path, there);

    free(path);
    return code;
}

int fzi_cli_learn(const fzi_cli *cli)
{
    return fzi_session_run(cli, FZ_CHANCE_ASK, learn);
}
