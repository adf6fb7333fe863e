/* ferz compare: random games of two scripts, or of one under different options, side by side. */
#include "cli.h"

typedef struct contender {
    fzi_ruleset rules;
    json_t *run;
    fz_tally tally;
    char message[256];
} contender;

/* ---- printing ---- */

static void print_table(const fzi_contrast *figures, size_t count)
{
    fzi_table table;

    fzi_table_begin(&table, "lrrrlrl", "\tfirst\tsecond\tdifference\t95 % interval\tp\t");
    for (size_t i = 0; i < count; i++) {
        const fzi_contrast *f = &figures[i];
        const char *unit = f->share ? " %" : "";
        double scale = f->share ? 100 : 1;
        char interval[64] = "";
        if (!isnan(f->low)) /* of one game it is not known */
            snprintf(interval, sizeof interval, "%+.2f to %+.2f", scale * f->low, scale * f->high);
        fzi_table_add(&table, "%s\t%.2f%s\t%.2f%s\t%+.2f\t%s\t%.3f\t%s", f->name,
                      scale * f->one, unit, scale * f->other, unit, scale * (f->other - f->one),
                      interval, f->p, fzi_contrast_differs(f) ? "differs" : "");
    }
    fzi_table_print(&table, "  ");
}

static void print_csv(const contender *sides, const fzi_contrast *figures, size_t count)
{
    fputs("figure,first,second,difference,low,high,p,differs", stdout);
    fzi_csv_run_names(sides[0].run, "first run ");
    fzi_csv_run_names(sides[1].run, "second run ");
    putchar('\n');
    for (size_t i = 0; i < count; i++) {
        const fzi_contrast *f = &figures[i];
        fzi_csv_field(f->name);
        printf(",%.6f,%.6f,%.6f", f->one, f->other, f->other - f->one);
        fzi_csv_number(f->low, 6);
        fzi_csv_number(f->high, 6);
        printf(",%.6f,%s", f->p, fzi_contrast_differs(f) ? "true" : "false");
        fzi_csv_run(sides[0].run);
        fzi_csv_run(sides[1].run);
        putchar('\n');
    }
}

static json_t *side_json(const contender *c)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:O}", "file", c->rules.path, "game",
                     fz_program_title(c->rules.session.program), "playouts",
                     (long long)c->tally.playouts, "stopped", (long long)c->tally.stopped,
                     "failed", (long long)c->tally.failed, "run", c->run);
}

static int print_json(const contender *sides, const fzi_contrast *figures, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:f, s:f, s:f, s:[o, o], s:f, s:b}", "name", figures[i].name,
                            "first", figures[i].one, "second", figures[i].other, "difference",
                            figures[i].other - figures[i].one, "interval",
                            fzi_number_json(figures[i].low), fzi_number_json(figures[i].high),
                            "p", figures[i].p, "differs", fzi_contrast_differs(&figures[i])));
    return fzi_json_print(json_pack("{s:o, s:o, s:o}", "first", side_json(&sides[0]), "second",
                                    side_json(&sides[1]), "figures", list));
}

/* A game of the library as it may be written: from its family on. */
static const char *shown_word(const char *word)
{
    const char *games = fz_library_games();
    size_t length = strlen(games);

    return strncmp(word, games, length) == 0 && word[length] == '/' ? word + length + 1 : word;
}

static int print_all(const fzi_cli *cli, const contender *sides)
{
    fzi_contrast figures[FZI_MOST_CONTRASTS];
    char number[32];
    const fzi_contrast_side both[2] = {
        {.tally = &sides[0].tally, .program = sides[0].rules.session.program},
        {.tally = &sides[1].tally, .program = sides[1].rules.session.program}};
    size_t count = fzi_contrasts_make(&both[0], &both[1], figures);

    fzi_contrasts_adjust(figures, count, (fzi_allocator){fzi_cli_resize, NULL});
    if (cli->format == FZ_CLI_JSON)
        return print_json(sides, figures, count);
    if (cli->format == FZ_CLI_CSV) {
        print_csv(sides, figures, count);
        return FZ_EXIT_OK;
    }
    printf("first:  %s\nsecond: %s\n%s playout%s of each, seed %" PRIu64 "\n\n",
           shown_word(cli->words.items[0]), shown_word(cli->words.items[1]),
           fzi_grouped(sides[0].tally.playouts, number),
           fzi_plural(sides[0].tally.playouts), cli->seed);
    print_table(figures, count);
    return FZ_EXIT_OK;
}

/* Both have the seed; the playouts of the second follow those of the first, so that no game of one
 * has the random numbers of a game of the other. */
static int play(contender *c, uint64_t first)
{
    const fzi_setup setup = fzi_session_setup(&c->rules.session);
    const fzi_cli *cli = &c->rules.cli;
    fzi_progress progress;
    fz_watch watch = fzi_progress_begin(&progress, "playouts");
    fz_status status;

    status = fz_playouts(c->rules.session.program, &cli->limits, cli->seed, first, cli->count,
                         fzi_threads(cli->threads), false, &watch, &c->tally, c->message);
    fzi_progress_end(&progress);
    json_t *experiment = fzi_experiment_of(&setup, true);
    c->run = fzi_experiment_trace(experiment, first, c->tally.playouts);
    json_decref(experiment);
    return status == FZ_OK          ? FZ_EXIT_OK
           : status == FZ_NO_MEMORY ? fzi_cli_complain(cli, "out of memory")
                                    : fzi_session_playouts_failed(&c->rules.session, &c->tally,
                                                                  NULL, c->message);
}

int fzi_cli_compare(const fzi_cli *cli)
{
    contender sides[2] = {0};
    int code = FZ_EXIT_OK;

    for (size_t i = 0; i < 2 && code == FZ_EXIT_OK; i++)
        code = fzi_ruleset_open(&sides[i].rules, cli, cli->words.items[i]);
    fzi_terminal_catch_interrupt();
    for (size_t i = 0; i < 2 && code == FZ_EXIT_OK; i++)
        code = play(&sides[i], i * cli->count);
    if (code == FZ_EXIT_OK)
        code = print_all(cli, sides);
    for (size_t i = 0; i < 2; i++) {
        if (code == FZ_EXIT_OK)
            fzi_session_say_engine(cli, sides[i].rules.session.program,
                                   shown_word(cli->words.items[i]));
        json_decref(sides[i].run);
        fzi_ruleset_close(&sides[i].rules);
    }
    return code;
}
