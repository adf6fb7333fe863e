/* The text of a report: an experiment as one page, with all that is needed to repeat it. See
 * report.h. */
#include "lab.h"

#include "grammar/prose/rulebook.h"

#define FORMAT(...) fzi_arena_printf(r->page->arena, __VA_ARGS__)

static void add_row(fzi_report *r, const char *a, const char *b, const char *c, const char *d)
{
    const char *const cells[] = {a, b, c, d};

    fzi_page_row(r->page, cells, d ? 4 : c ? 3 : 2);
}

/* ---- the beginning ---- */

static void add_summary(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    const char *agents = fzi_experiment_text(x, "agents");
    uint64_t games = r->run->sums.playouts, wanted = r->run->wanted;

    fzi_page_add(r->page, FZI_BLOCK_TITLE, fzi_experiment_text(x, "game"));
    fzi_page_text(r->page,
                  FORMAT("%s game%s, seed %" PRIu64 ", %s%s%s.", fzi_report_number(r, games),
                         fzi_plural(games), fzi_experiment_seed(x),
                         *agents ? "played by the agents `" : "random moves",
                         agents, *agents ? "`" : ""));
    if (games + r->run->sums.failed < wanted)
        fzi_page_text(r->page, FORMAT(FZI_STRONG "Interrupted." FZI_STRONG " Of %s games only %s "
                                      "were played. Do not quote this report.",
                                      fzi_report_number(r, wanted), fzi_report_number(r, games)));
    if (r->run->stored)
        fzi_page_text(r->page, "The games were not played again. The page has what the archive "
                               "stores of them; other measures are left out.");
    if (fz_program_hides(r->run->setup.program))
        fzi_page_text(r->page, "This game hides something from its players. The report is for its "
                               "author, and hides nothing.");
}

static void add_rules(fzi_report *r, const fzi_analysis *analysis)
{
    fzi_page_add(r->page, FZI_BLOCK_HEADING, "The game");
    fzi_report_board(r);
    fzi_page_append(r->page, fzi_rulebook(analysis, NULL));
}

/* ---- results ---- */

static const char *percent(fzi_report *r, uint64_t hits, uint64_t total)
{
    return total ? FORMAT("%.2f %%", 100 * (double)hits / (double)total) : "";
}

static void add_share(fzi_report *r, const char *name, uint64_t hits, uint64_t total)
{
    fzi_estimate share = fzi_share_estimate(hits, total);

    add_row(r, name, fzi_report_number(r, hits), percent(r, hits, total),
            total ? FORMAT("%.2f to %.2f %%", 100 * share.low, 100 * share.high) : "");
}

static void add_payoffs(fzi_report *r, const fz_tally *tally)
{
    const json_t *x = r->run->experiment;

    fzi_page_text(r->page, "Payoffs of the same games:");
    add_row(r, "payoff", "mean", "deviation", "95 % interval");
    for (unsigned p = 0; p < fzi_experiment_players(x); p++) {
        fzi_estimate mean = fzi_payoff_estimate(tally, p);
        add_row(r, fzi_experiment_player(x, p), FORMAT("%.4f", mean.value),
                FORMAT("%.4f", tally->payoff_deviation[p]),
                isnan(mean.low) ? "" : FORMAT("%.4f to %.4f", mean.low, mean.high));
    }
}

static void add_results(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    bool alone = fzi_experiment_is(x, "one_side");
    fz_tally tally;

    fz_sums_tally(&r->run->sums, &tally);
    uint64_t total = fzi_finished(&tally);
    fzi_page_add(r->page, FZI_BLOCK_HEADING, "Results");
    fzi_report_shares(r);
    add_row(r, "result", "games", "share", "95 % interval");
    for (unsigned p = 0; p < fzi_experiment_players(x); p++)
        add_share(r, FORMAT("%s won", fzi_experiment_player(x, p)), tally.wins[p], total);
    if (alone)
        add_share(r, "losses", tally.losses, total);
    if (tally.shared)
        add_share(r, "shared first", tally.shared, total);
    if (!alone || tally.draws)
        add_share(r, "draws", tally.draws, total);
    if (tally.stopped)
        fzi_page_text(r->page, FORMAT("`limit` stopped %s game%s (%s of all). They are no draws, "
                                      "and not in the shares.", fzi_report_number(r, tally.stopped),
                                      fzi_plural(tally.stopped),
                                      percent(r, tally.stopped, tally.playouts)));
    if (tally.failed)
        fzi_page_text(r->page, FORMAT("%s game%s ended in an error and %s left out. The first is "
                                      "game %" PRIu64 ": %s", fzi_report_number(r, tally.failed),
                                      fzi_plural(tally.failed),
                                      tally.failed == 1 ? "is" : "are", tally.failed_stream + 1,
                                      fzi_shown_place(r->run->sums.message)));
    if (fzi_experiment_is(x, "payoffs")) {
        add_payoffs(r, &tally);
        fzi_report_payoffs(r);
    }
}

/* The text that a place is in: the script, or the base or module that it names; NULL. */
static const char *source_of(const fzi_report *r, const char *place)
{
    const char *path, *text, *colon = strchr(place, ':');
    size_t length;

    if (!colon)
        return NULL;
    for (unsigned i = 0; fz_program_source(r->run->setup.program, i, &path, &text, &length); i++) {
        const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
        if (!strchr(colon + 1, ':'))
            return text;
        if (i > 0 && strlen(name) == (size_t)(colon - place) &&
            strncmp(name, place, strlen(name)) == 0)
            return text;
    }
    return NULL;
}

/* The line of a place, without blanks around it and as code. */
static const char *source_line(fzi_report *r, const char *place)
{
    enum { WIDTH = 60 };
    const char *text = source_of(r, place), *last = strrchr(place, ':');
    size_t line;

    if (!text)
        return "";
    while (last > place && last[-1] != ':')
        last--;
    for (line = strtoul(last, NULL, 10); line > 1 && strchr(text, '\n'); line--)
        text = strchr(text, '\n') + 1;
    text += strspn(text, " \t");
    size_t length = strcspn(text, "\r\n");
    bool cut = length > WIDTH;
    length = cut ? WIDTH : length;
    while (cut && length && fzi_utf8_continues(text[length]))
        length--; /* no half of a letter */
    char *copy = FORMAT("`%.*s%s`", (int)length, text, cut ? " ..." : "");
    for (char *at = copy + 1; at[1]; at++)
        *at = *at == '`' ? '\'' : *at;
    return copy;
}

static void add_ends(fzi_report *r)
{
    const fz_sums *sums = &r->run->sums;
    fz_sums_end *ends = fzi_arena_alloc(r->page->arena, (sums->end_count + 1) * sizeof *ends);
    size_t count = fzi_sums_ends(sums, ends);

    if (count)
        fzi_page_add(r->page, FZI_BLOCK_HEADING, "Why games ended");
    for (size_t i = 0; i < count; i++) {
        if (i == 0)
            add_row(r, "reason", "place", "games", "share");
        add_row(r, fzi_ending_name(ends[i].kind),
                FORMAT("%s %s", ends[i].text, source_line(r, ends[i].text)),
                fzi_report_number(r, ends[i].playouts),
                percent(r, ends[i].playouts, sums->playouts));
    }
}

/* ---- measures ---- */

static void add_estimate(fzi_report *r, const char *name, fzi_estimate e, const char *meaning)
{
    char value[32], low[32], high[32];

    if (isnan(e.value))
        return;
    add_row(r, name, FORMAT("%s", fzi_number_text(e.value, value)),
            isnan(e.low) ? ""
                         : FORMAT("%s to %s", fzi_number_text(e.low, low),
                                  fzi_number_text(e.high, high)), meaning);
}

static void add_measures(fzi_report *r)
{
    fzi_figure figures[FZI_MOST_FIGURES];
    size_t count = fzi_measures_figures(&r->run->page, figures);

    fzi_page_add(r->page, FZI_BLOCK_HEADING, "Measures");
    add_row(r, "measure", "value", "95 % interval", "meaning");
    for (size_t i = 0; i < count; i++)
        add_estimate(r, figures[i].name, figures[i].estimate, figures[i].meaning);
    fzi_page_text(r->page, "The page measures.md of the documentation of Ferz defines the measures "
                           "and their intervals.");
}

/* The elements with the greatest values of a list. */
static void add_list(fzi_report *r, unsigned list, const char *head, uint32_t most)
{
    const fzi_measures_page *page = &r->run->page;
    uint32_t size = page->measures.sizes[list];
    bool *shown = fzi_arena_alloc(r->page->arena, size + 1);
    char name[FZI_ELEMENT_SIZE];

    for (uint32_t row = 0; row < size && row < most; row++) {
        uint32_t best = size;
        fzi_estimate found = {0, 0, 0};
        for (uint32_t i = 0; i < size; i++) {
            fzi_estimate e = fzi_list_value(&page->measures, list, i);
            if (!shown[i] && e.value > 0 && (best == size || e.value > found.value)) {
                best = i;
                found = e;
            }
        }
        if (best == size)
            break;
        shown[best] = true;
        if (row == 0)
            add_row(r, head, "share", "95 % interval", NULL);
        add_row(r, FORMAT("%s", fzi_element_name(page, list, best, name)),
                FORMAT("%.2f %%", 100 * found.value),
                isnan(found.low) ? "" : FORMAT("%.2f to %.2f %%", 100 * found.low,
                                               100 * found.high), NULL);
    }
}

static bool is_used(const fzi_measures *measures)
{
    bool used = false;

    for (uint32_t i = 0; i < measures->sizes[FZ_LIST_SITE]; i++)
        used |= fzi_list_value(measures, FZ_LIST_SITE, i).value > 0;
    return used;
}

static void add_use(fzi_report *r)
{
    enum { MOST = 24 };

    fzi_page_add(r->page, FZI_BLOCK_HEADING, "Use of the board");
    if (!is_used(&r->run->page.measures)) {
        fzi_page_text(r->page, "The moves of this game tell no sites.");
        return;
    }
    fzi_report_use(r);
    fzi_page_add(r->page, FZI_BLOCK_SUBHEADING, "Lines that are used most");
    add_list(r, FZ_LIST_LINE_PAIR, "line", MOST);
    if (r->run->lines.symmetries) {
        fzi_page_add(r->page, FZI_BLOCK_SUBHEADING, "Lines, with their mirror images");
        add_list(r, FZ_LIST_LINE_MIRRORED, "lines", MOST);
    }
    fzi_page_add(r->page, FZI_BLOCK_SUBHEADING, "Sites that are visited most");
    add_list(r, FZ_LIST_SITE, "site", MOST);
}

/* ---- how to repeat it ---- */

/* Adds a fact as code: a column of numbers and texts is no column of numbers. */
static void add_fact(fzi_report *r, const char *name, const char *value)
{
    add_row(r, name, FORMAT("`%s`", value), NULL, NULL);
}

static void add_options(fzi_report *r)
{
    json_t *options = json_object_get(r->run->experiment, "options"), *value;
    const char *name;

    json_object_foreach(options, name, value)
        add_fact(r, FORMAT("option %s", name), fzi_report_value(r, value));
}

/* The agent of each player. */
static void add_agents(fzi_report *r, const char *agents)
{
    bool each = strchr(agents, ',');

    if (!*agents)
        add_fact(r, "agents", "random moves");
    else if (!each)
        add_fact(r, "agent of all players", fzi_report_agent(r, agents, strlen(agents)));
    for (unsigned p = 0; each && p < fzi_experiment_players(r->run->experiment); p++) {
        size_t length = strcspn(agents, ",");
        add_fact(r, FORMAT("agent of %s", fzi_experiment_player(r->run->experiment, p)),
                 fzi_report_agent(r, agents, length));
        agents += length + (agents[length] == ',');
    }
}

static void add_facts(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    const json_t *limits = json_object_get(x, "limits");

    add_row(r, "what", "value", NULL, NULL);
    add_fact(r, "Ferz", fzi_experiment_text(x, "ferz"));
    add_fact(r, "script", fzi_experiment_text(x, "script"));
    add_fact(r, "SHA-256 of the texts", fzi_experiment_text(x, "program"));
    add_options(r);
    add_agents(r, fzi_experiment_text(x, "agents"));
    add_fact(r, "seed", fzi_experiment_text(x, "seed"));
    add_fact(r, "games", FORMAT("1 to %s", fzi_report_number(r, fzi_experiment_playouts(x))));
    if (json_object_size(limits))
        add_fact(r, "limits", fzi_report_value(r, limits));
    if (r->run->options.rollouts)
        add_fact(r, "rollouts from each turn", fzi_report_number(r, r->run->options.rollouts));
}

/* A drawing ends with a line. */
static void add_lines(fzi_report *r, const char *lines)
{
    size_t length = strlen(lines);

    bool ends = length && lines[length - 1] == '\n';
    fzi_page_add(r->page, FZI_BLOCK_DRAWING, FORMAT("%s%s", lines, ends ? "" : "\n"));
}

static void add_texts(fzi_report *r)
{
    const char *path, *text;
    size_t length;

    fzi_page_add(r->page, FZI_BLOCK_HEADING, "Texts");
    fzi_page_text(r->page, "The script, its bases and the modules that it uses, without the "
                           "prelude.");
    for (unsigned i = 0; fz_program_source(r->run->setup.program, i, &path, &text, &length); i++) {
        path = fzi_shown_path(path);
        if (strcmp(path, "stdlib/prelude.game") == 0)
            continue; /* the version says which it is */
        fzi_page_add(r->page, FZI_BLOCK_SUBHEADING, FORMAT("%s", path));
        add_lines(r, text);
    }
}

/* A command line without the folders of absolute paths. */
static const char *without_folders(const fzi_report *r, const char *line)
{
    char *text = fzi_arena_alloc(r->page->arena, strlen(line) + 1), *to = text;

    while (*line) {
        size_t length = strcspn(line, " =':,"), from = length;
        while (*line == '/' && from && line[from - 1] != '/')
            from--;
        from = *line == '/' ? from : 0;
        memcpy(to, line + from, length - from);
        to += length - from;
        line += length;
        if (*line)
            *to++ = *line++;
    }
    *to = '\0';
    return text;
}

static void add_repeat(fzi_report *r)
{
    const json_t *x = r->run->experiment;

    fzi_page_add(r->page, FZI_BLOCK_HEADING, "How to repeat this");
    add_facts(r);
    fzi_page_text(r->page, fzi_experiment_is(x, "repeatable")
                               ? "With the same version of Ferz, the same texts and this command "
                                 "line, the report is the same on every machine and with any "
                                 "number of threads:"
                               : FZI_STRONG "Not repeatable:" FZI_STRONG " an agent's time is "
                                 "limited, so it chooses differently on another machine. The "
                                 "command line was:");
    if (r->run->command)
        add_lines(r, FORMAT("%s\n%s", without_folders(r, r->run->command),
                            without_folders(r, r->command)));
    else
        add_lines(r, without_folders(r, r->command));
    if (json_is_string(json_object_get(x, "position"))) {
        fzi_page_add(r->page, FZI_BLOCK_SUBHEADING, "The position in which the games began");
        add_lines(r, fzi_experiment_text(x, "position"));
    }
}

/* ---- the page ---- */

static void fill(fzi_report *r, const fzi_analysis *analysis)
{
    add_summary(r);
    add_rules(r, analysis);
    add_results(r);
    add_ends(r);
    fzi_page_add(r->page, FZI_BLOCK_HEADING, "Lengths and choices");
    fzi_report_lengths(r);
    fzi_report_turns(r);
    fzi_report_branching(r);
    if (r->run->options.rollouts) {
        fzi_page_add(r->page, FZI_BLOCK_HEADING, "Prospects");
        fzi_report_prospects(r);
    }
    if (r->run->setup.program->board.site_count > 1)
        add_use(r);
    add_measures(r);
    if (r->data)
        fzi_report_tables(r);
    fzi_report_methods(r);
    fzi_report_citation(r);
    add_repeat(r);
    add_texts(r);
}

/* Everything the arena holds may be cut short by a longjmp when memory is out. */
static fz_status write_page(fzi_report *r, const fzi_analysis *analysis, char **text)
{
    fz_context *context = r->run->setup.context;
    jmp_buf *handler = fzi_arena_handler(analysis->arena);
    const char *page;

    if (setjmp(*handler))
        return fzi_context_no_memory(context);
    r->page = fzi_page_new(analysis->arena);
    fill(r, analysis);
    if (r->status != FZ_OK)
        return r->status;
    page = r->markdown ? fzi_page_markdown(r->page) : fzi_page_html(r->page);
    *text = fzi_copy_text(context->allocator, page, strlen(page));
    return *text ? FZ_OK : fzi_context_no_memory(context);
}

fz_status fzi_report_text(fzi_report *r, char **text)
{
    const fzi_setup *setup = &r->run->setup;
    const fz_cancel *cancel = setup->context->limits.cancel;
    setup->context->limits.cancel = NULL; /* what a stopped run has played is written, too */
    fzi_analysis *analysis = fzi_analyse_game(setup->context, setup->path,
                                              setup->options.settings,
                                              setup->options.setting_count);
    fz_status status;

    setup->context->limits.cancel = cancel;
    if (!analysis)
        return fzi_context_no_memory(setup->context);
    if (!analysis->game || analysis->diags->errors)
        status = fzi_context_fail(setup->context, FZ_USAGE, "%s: not a script", setup->path);
    else
        status = write_page(r, analysis, text);
    fzi_analysis_free(analysis);
    return status;
}
