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

typedef struct course {
    fzi_learn_run games;
    fzi_learning *y;
    part parts[ROWS];
    unsigned count;
} course;

static void add(part *p, const fzi_learning *y, const fzi_lesson *lesson)
{
    p->last = y->games;
    p->games++;
    p->error += lesson->error;
    p->first += lesson->first;
    p->decisions += (double)lesson->decisions;
}

static fz_status play_game(void *user, uint64_t number, uint64_t total)
{
    course *all = user;
    fzi_lesson lesson;
    unsigned at = (unsigned)((fz_uint128)number * ROWS / total);
    fz_status status = fzi_learning_play(all->y, &lesson);

    all->count = at + 1;
    if (status == FZ_OK)
        add(&all->parts[at], all->y, &lesson);
    return status;
}

static json_t *rows_of(const course *all)
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

static int report(const fzi_session *session, const fzi_learning *y, const course *all,
                  const char *path)
{
    const fzi_learned *l = y->learned;
    json_t *rows = rows_of(all);

    if (session->cli->format == FZ_CLI_JSON)
        return fzi_json_print(json_pack(
            "{s:s, s:s, s:I, s:I, s:I, s:I, s:i, s:b, s:b, s:o, s:o}", "game",
            fz_program_title(session->program), "file", path, "games", (json_int_t)y->games,
            "failed", (json_int_t)all->games.failed, "patterns", (json_int_t)l->pattern_count,
            "weights",
            (json_int_t)(l->tables * (uint64_t)l->weight_count), "symmetries",
            (int)l->symmetry_count + 1, "shared", l->seats != NULL, "stopped", all->games.stopped,
            "course", rows, "run", fzi_session_trace(session)));
    printf("%s: %" PRIu64 " games of seed %" PRIu64, fz_program_title(session->program), y->games,
           y->seed);
    if (all->games.failed)
        printf(" (%" PRIu64 " failed)", all->games.failed);
    printf(", %u patterns, %" PRIu64 " weights, %u symmetr%s, %s\n\n", l->pattern_count,
           l->tables * (uint64_t)l->weight_count, l->symmetry_count + 1,
           l->symmetry_count ? "ies" : "y",
           l->seats ? "the same weights for both players" : "weights for each player");
    fzi_json_print_rows(rows, false, NULL);
    printf("\nwritten to %s%s\n", path,
           all->games.stopped ? "; stopped early, --resume continues" : "");
    json_decref(rows);
    return FZ_EXIT_OK;
}

/* Learns, and writes the file. `there`: it is continued. */
static int learn_into(fzi_session *session, const char *path, bool there)
{
    fzi_setup setup = fzi_session_setup(session);
    fzi_progress progress;
    fzi_learning y;
    course all = {.y = &y};
    char *text = NULL;

    fzi_terminal_catch_interrupt();
    fz_watch watch = fzi_progress_begin(&progress, "games");
    fz_status status = there ? fzi_learning_resume(&y, &setup, path)
                             : fzi_learning_begin(&y, &setup);
    if (status == FZ_OK)
        status = fzi_learn_games(&all.games, session, y.machine, y.games, &watch, play_game, &all);
    fzi_progress_end(&progress);
    fzi_terminal_end_slowly();
    if (status == FZ_OK)
        status = fzi_learning_text(&y, &text);
    int code = fzi_learn_write(session, status, text, path);
    if (code == FZ_EXIT_OK && strcmp(path, "-") != 0)
        code = report(session, &y, &all, path);
    fzi_learning_clear(&y);
    return fzi_learn_end(session, &all.games, code);
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
