/* The numbers of a report as CSV files beside it. See lab.h. */
#include "lab.h"

/* Nothing if it is not known. */
static void add_number(fzi_buffer *csv, double number)
{
    fzi_buffer_char(csv, ',');
    if (!isnan(number))
        fzi_buffer_format(csv, "%.9g", number);
}

static void add_count(fzi_buffer *csv, uint64_t count)
{
    fzi_buffer_format(csv, ",%" PRIu64, count);
}

static void add_estimate(fzi_buffer *csv, fzi_estimate e)
{
    add_number(csv, e.value);
    add_number(csv, e.low);
    add_number(csv, e.high);
    fzi_buffer_char(csv, '\n');
}

/* ---- the tables ---- */

static void add_share(fzi_buffer *csv, const char *name, uint64_t hits, uint64_t total)
{
    fzi_buffer_csv(csv, name);
    add_count(csv, hits);
    add_estimate(csv, fzi_share_estimate(hits, total));
}

static void write_results(const fzi_report *r, fzi_buffer *csv)
{
    const json_t *x = r->run->experiment;
    fz_tally tally;

    fz_sums_tally(&r->run->sums, &tally);
    uint64_t total = fzi_finished(&tally);
    fzi_buffer_text(csv, "result,games,share,low,high\n");
    for (unsigned p = 0; p < fzi_experiment_players(x); p++)
        add_share(csv, fzi_experiment_player(x, p), tally.wins[p], total);
    if (fzi_experiment_is(x, "one_side"))
        add_share(csv, "losses", tally.losses, total);
    add_share(csv, "shared first", tally.shared, total);
    add_share(csv, "draws", tally.draws, total);
    fzi_buffer_csv(csv, "stopped");
    add_count(csv, tally.stopped);
    fzi_buffer_text(csv, ",,,\n");
}

static void write_payoffs(const fzi_report *r, fzi_buffer *csv)
{
    const json_t *x = r->run->experiment;
    fz_tally tally;

    if (!fzi_experiment_is(x, "payoffs"))
        return;
    fz_sums_tally(&r->run->sums, &tally);
    fzi_buffer_text(csv, "player,deviation,mean,low,high\n");
    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        fzi_buffer_csv(csv, fzi_experiment_player(x, p));
        add_number(csv, tally.payoff_deviation[p]);
        add_estimate(csv, fzi_payoff_estimate(&tally, p));
    }
}

static void write_ends(const fzi_report *r, fzi_buffer *csv)
{
    const fz_sums *sums = &r->run->sums;
    fz_sums_end *ends = fzi_arena_alloc(r->page->arena, (sums->end_count + 1) * sizeof *ends);
    size_t count = fzi_sums_ends(sums, ends);

    fzi_buffer_text(csv, "reason,place,games\n");
    for (size_t i = 0; i < count; i++) {
        fzi_buffer_csv(csv, fzi_ending_name(ends[i].kind));
        fzi_buffer_char(csv, ',');
        fzi_buffer_csv(csv, ends[i].text);
        add_count(csv, ends[i].playouts);
        fzi_buffer_char(csv, '\n');
    }
}

static void write_counts(const fzi_report *r, fzi_buffer *csv, unsigned which, const char *name)
{
    const fzi_counts *counts = &r->run->page.measures.counts[which];

    fzi_buffer_format(csv, "%s,games\n", name);
    for (size_t i = 0; i < counts->room; i++)
        if (counts->of[i])
            fzi_buffer_format(csv, "%zu,%" PRIu64 "\n", i, counts->of[i]);
}

static void write_lengths(const fzi_report *r, fzi_buffer *csv)
{
    write_counts(r, csv, FZ_COUNT_DECISIONS, "decisions");
}

static void write_turns(const fzi_report *r, fzi_buffer *csv)
{
    write_counts(r, csv, FZ_COUNT_TURNS, "turns");
}

static void write_measures(const fzi_report *r, fzi_buffer *csv)
{
    const fzi_measures_page *page = &r->run->page;
    fzi_figure figures[FZI_MOST_FIGURES];
    size_t count = fzi_measures_figures(page, figures);

    fzi_buffer_text(csv, "measure,element,value,low,high\n");
    for (size_t i = 0; i < count; i++)
        if (!isnan(figures[i].estimate.value)) {
            fzi_buffer_csv(csv, figures[i].name);
            fzi_buffer_char(csv, ',');
            add_estimate(csv, figures[i].estimate);
        }
    for (unsigned list = 0; list < FZ_LISTS; list++)
        for (uint32_t i = 0; i < page->measures.sizes[list]; i++) {
            fzi_estimate e = fzi_list_value(&page->measures, list, i);
            char name[FZI_ELEMENT_SIZE];
            if (isnan(e.value))
                continue;
            fzi_buffer_csv(csv, fzi_list_infos[list].name);
            fzi_buffer_char(csv, ',');
            fzi_buffer_csv(csv, fzi_element_name(page, list, i, name));
            add_estimate(csv, e);
        }
}

/* ---- files ---- */

static const struct {
    const char *name, *content;
    void (*write)(const fzi_report *r, fzi_buffer *csv); /* nothing: there is no such table */
} tables[] = {
    {"results", "games that each player won alone, and others; shares of the games that a rule "
                "ended", write_results},
    {"payoffs", "mean payoffs of the players", write_payoffs},
    {"ends", "the statements that ended games", write_ends},
    {"decisions", "how many games had so many decisions", write_lengths},
    {"turns", "how many games had so many turns", write_turns},
    {"measures", "all measures; those of sites, lines, turns and players with their `element`",
     write_measures},
};

static void save(fzi_report *r, const char *name, const char *content, const char *csv)
{
    const char *path = fzi_arena_printf(r->page->arena, "%s-%s.csv", r->files, name);
    const char *slash = strrchr(path, '/');

    fzi_report_save(r, path, csv);
    fzi_page_row(r->page, (const char *const[]){
        fzi_arena_printf(r->page->arena, "`%s`", slash ? slash + 1 : path), content}, 2);
}

void fzi_report_tables(fzi_report *r)
{
    fzi_page_add(r->page, FZI_BLOCK_HEADING, "Data");
    fzi_page_text(r->page, "These files have the numbers of the tables and pictures. `low` and "
                           "`high` are the ends of a 95 % interval.");
    fzi_page_row(r->page, (const char *const[]){"file", "content"}, 2);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        fzi_buffer csv = fzi_buffer_in(r->run->setup.context->allocator);
        tables[i].write(r, &csv);
        if (csv.failed)
            fzi_report_fail(r, fzi_context_no_memory(r->run->setup.context));
        else if (csv.length)
            save(r, tables[i].name, tables[i].content, fzi_buffer_get(&csv));
        fzi_buffer_free(&csv);
    }
}
