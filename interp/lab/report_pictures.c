/* The pictures of a report. See lab.h. */
#include "lab.h"

#include "interp/picture/compose.h"
#include "interp/picture/plot.h"

/* ---- files beside the page ---- */

void fzi_report_fail(fzi_report *r, fz_status status)
{
    r->status = r->status == FZ_OK ? status : r->status;
}

void fzi_report_save(fzi_report *r, const char *path, const char *text)
{
    if (!r->save(r->user, path, text))
        fzi_report_fail(r, fzi_context_fail(r->run->setup.context, FZ_USAGE, "%s", ""));
}

/* ---- adding a picture ---- */

static size_t begins_with(const char *at, const char *word)
{
    size_t length = strlen(word);

    return strncmp(at, word, length) == 0 ? length : 0;
}

/* Pictures name the figures that they use. In a page of several pictures each needs names of its
 * own. */
static const char *with_own_names(fzi_report *r, const char *svg)
{
    static const char *const before[] = {" id=\"", "href=\"#"};
    char *text = fzi_arena_alloc(r->page->arena, 2 * strlen(svg) + 1), *out = text;

    while (*svg) {
        size_t found = 0;
        for (size_t i = 0; i < sizeof before / sizeof *before && !found; i++)
            found = begins_with(svg, before[i]);
        if (found) {
            memcpy(out, svg, found);
            out += found;
            out += sprintf(out, "p%u-", r->pictures);
        } else {
            *out++ = *svg;
        }
        svg += found ? found : 1;
    }
    *out = '\0';
    return text;
}

/* The picture as a file beside the page, which names it without its folder; NULL: it is none. */
static const char *write_picture(fzi_report *r, const char *svg)
{
    if (!*r->files || !(r->markdown || r->data))
        return NULL;
    const char *path = fzi_arena_printf(r->page->arena, "%s-%u.svg", r->files, r->pictures);
    const char *slash = strrchr(path, '/');

    fzi_report_save(r, path, svg);
    return slash ? slash + 1 : path;
}

static void add_scene(fzi_report *r, const fzi_scene *scene, double cell, const char *text)
{
    fzi_buffer svg = fzi_buffer_in(scene->allocator);

    fzi_scene_svg(scene, r->theme, cell, &svg);
    if (scene->failed || svg.failed) {
        fzi_report_fail(r, fzi_context_no_memory(r->run->setup.context));
    } else {
        r->pictures++;
        const char *file = write_picture(r, fzi_buffer_get(&svg));
        if (!r->markdown)
            fzi_page_picture(r->page, with_own_names(r, fzi_buffer_get(&svg)), NULL, text);
        else if (file)
            fzi_page_picture(r->page, "", file, text);
    }
    fzi_buffer_free(&svg);
}

static fzi_scene new_scene(const fzi_report *r)
{
    fzi_scene scene;

    fzi_scene_init(&scene, r->run->setup.context->allocator);
    return scene;
}

static void add_plot(fzi_report *r, fzi_scene *scene, const char *text)
{
    if (scene->shape_count)
        add_scene(r, scene, FZI_PLOT_CELL, text);
    fzi_scene_clear(scene);
}

/* ---- boards ---- */

static void add_state(fzi_report *r, const fz_state *state, const fzi_picture_use *use,
                      const char *text)
{
    const fzi_setup *setup = &r->run->setup;
    fzi_picture_task task = {.player = -1, .from = -1, .use = use};
    fzi_scene scene;
    fz_status status = fzi_picture_compose(setup->machine, state, &task, &scene);

    if (status == FZ_OK)
        add_scene(r, &scene, FZI_PLOT_CELL, text);
    else
        fzi_report_fail(r, fzi_setup_failed(setup, status));
    fzi_scene_clear(&scene);
}

/* The position in which the games begin, if the game has a board. */
static void add_board(fzi_report *r, const fzi_picture_use *use, const char *text)
{
    if (r->run->setup.program->board.site_count > 1)
        add_state(r, r->run->setup.state, use, text);
}

static const char *example_caption(fzi_report *r, size_t played, size_t count)
{
    bool repeatable = fzi_experiment_is(r->run->experiment, "repeatable");

    if (!played)
        return "The position in which the games begin.";
    return repeatable ? fzi_arena_printf(r->page->arena, "Game %" PRIu64 " half-way, after %zu of "
                                         "its %zu moves and results of chance.",
                                         r->run->first + 1, played, count)
                      : "A game of the same players, half-way.";
}

/* Without a board, the first position often shows nothing: no card is dealt, no die is rolled. */
static void add_example(fzi_report *r)
{
    const fzi_setup *setup = &r->run->setup;
    const fz_record *record = &r->run->example;
    size_t count = record->entry_count, end = count / 2;
    fz_state *state;

    while (end < count && *record->entries[end] == '{')
        end++; /* a player is to decide */
    const char *caption = example_caption(r, end, count);
    state = fz_state_clone(setup->state);
    fz_status status = state ? FZ_OK : FZ_NO_MEMORY;
    for (size_t i = 0; i < end && status == FZ_OK; i++)
        status = fz_record_play(setup->machine, state, record->entries[i]);
    if (status == FZ_OK)
        add_state(r, state, NULL, caption);
    else
        fzi_report_fail(r, fzi_setup_failed(setup, status));
    fz_state_free(state);
}

void fzi_report_board(fzi_report *r)
{
    if (r->run->setup.program->board.site_count > 1)
        add_board(r, NULL, "The position in which the games begin.");
    else
        add_example(r);
}

static double share_of(const fzi_report *r, unsigned list, uint32_t element)
{
    double value = fzi_list_value(&r->run->page.measures, list, element).value;

    return isnan(value) ? 0 : value;
}

/* The element with the greatest share. */
static uint32_t most_used(const fzi_report *r, unsigned list, double *share)
{
    uint32_t most = 0;

    *share = 0;
    for (uint32_t i = 0; i < r->run->page.measures.sizes[list]; i++)
        if (share_of(r, list, i) > *share) {
            *share = share_of(r, list, i);
            most = i;
        }
    return most;
}

static void add_used_sites(fzi_report *r)
{
    uint32_t count = r->run->page.measures.sizes[FZ_LIST_SITE];
    double most, *shares;
    uint32_t site = most_used(r, FZ_LIST_SITE, &most);
    char name[FZI_ELEMENT_SIZE];

    if (most <= 0)
        return;
    shares = fzi_arena_alloc(r->page->arena, count * sizeof *shares);
    for (uint32_t s = 0; s < count; s++)
        shares[s] = share_of(r, FZ_LIST_SITE, s);
    add_board(r, &(fzi_picture_use){.sites = shares},
              fzi_arena_printf(r->page->arena, "Visits: the area of a disc shows the share of the "
                               "moves that go to the site. The largest, %s, has %.2f %%.",
                               fzi_element_name(&r->run->page, FZ_LIST_SITE, site, name),
                               100 * most));
}

static void add_used_lines(fzi_report *r)
{
    const fzi_lines *lines = &r->run->lines;
    double most;
    uint32_t line = most_used(r, FZ_LIST_LINE_PAIR, &most);
    char name[FZI_ELEMENT_SIZE];
    fzi_used_line *used;

    if (most <= 0)
        return;
    used = fzi_arena_alloc(r->page->arena, lines->count * sizeof *used);
    for (uint32_t i = 0; i < lines->count; i++)
        used[i] = (fzi_used_line){lines->lines[i].low, lines->lines[i].high,
                                  share_of(r, FZ_LIST_LINE_PAIR, i)};
    add_board(r, &(fzi_picture_use){.lines = used, .line_count = lines->count},
              fzi_arena_printf(r->page->arena, "Lines: the width shows the share of the steps of "
                               "pieces that take the line, in either direction. The widest, %s, "
                               "has %.2f %%.",
                               fzi_element_name(&r->run->page, FZ_LIST_LINE_PAIR, line, name),
                               100 * most));
}

void fzi_report_use(fzi_report *r)
{
    add_used_sites(r);
    add_used_lines(r);
}

/* ---- plots ---- */

static fzi_plot_bar share_row(const char *name, enum fzi_paint paint, uint64_t hits,
                                uint64_t total)
{
    fzi_estimate share = fzi_share_estimate(hits, total);

    return (fzi_plot_bar){.name = name, .paint = paint, .value = share.value, .low = share.low,
                          .high = share.high};
}

void fzi_report_shares(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    fzi_plot_bar shares[FZ_MAX_PLAYERS + 3];
    fz_tally tally;
    size_t count = 0;
    fzi_scene scene = new_scene(r);

    fz_sums_tally(&r->run->sums, &tally);
    uint64_t total = fzi_finished(&tally);
    for (unsigned p = 0; total && p < fzi_experiment_players(x); p++)
        shares[count++] = share_row(fzi_arena_printf(r->page->arena, "%s won",
                                                     fzi_experiment_player(x, p)),
                                    FZI_PAINT_BLUE, tally.wins[p], total);
    if (total && fzi_experiment_is(x, "one_side"))
        shares[count++] = share_row("lost", FZI_PAINT_NOBODY, tally.losses, total);
    if (total && tally.shared)
        shares[count++] = share_row("shared", FZI_PAINT_NOBODY, tally.shared, total);
    if (total && (!fzi_experiment_is(x, "one_side") || tally.draws))
        shares[count++] = share_row("draw", FZI_PAINT_NOBODY, tally.draws, total);
    fzi_plot_shares(&scene, shares, count);
    if (count == 0)
        scene.shape_count = 0;
    add_plot(r, &scene, "How the games that a rule ended came out, with 95 % intervals.");
}

void fzi_report_payoffs(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    fzi_plot_bar bars[FZ_MAX_PLAYERS];
    unsigned players = fzi_experiment_players(x);
    fzi_scene scene = new_scene(r);
    fz_tally tally;

    fz_sums_tally(&r->run->sums, &tally);
    for (unsigned p = 0; p < players; p++) {
        fzi_estimate mean = fzi_payoff_estimate(&tally, p);
        bars[p] = (fzi_plot_bar){.name = fzi_experiment_player(x, p), .paint = FZI_PAINT_BLUE,
                                 .value = mean.value, .low = mean.low, .high = mean.high};
    }
    if (fzi_finished(&tally))
        fzi_plot_values(&scene, bars, players, "payoff");
    add_plot(r, &scene, "The mean payoff of each player, with 95 % intervals.");
}

static void add_counts(fzi_report *r, unsigned which, const char *name, const char *text)
{
    const fzi_counts *counts = &r->run->page.measures.counts[which];
    fzi_scene scene = new_scene(r);

    fzi_plot_numbers(&scene, &(fzi_plot_bins){counts->of, counts->room, 0, 1}, name, "games");
    add_plot(r, &scene, text);
}

void fzi_report_lengths(fzi_report *r)
{
    add_counts(r, FZ_COUNT_DECISIONS, "decisions of a game",
               "How long the games were, also those that `limit` stopped.");
}

static bool same_counts(const fzi_counts *a, const fzi_counts *b)
{
    size_t room = a->room > b->room ? a->room : b->room;

    for (size_t i = 0; i < room; i++)
        if ((i < a->room ? a->of[i] : 0) != (i < b->room ? b->of[i] : 0))
            return false;
    return true;
}

/* Nothing more where each turn is one decision. */
void fzi_report_turns(fzi_report *r)
{
    const fzi_counts *counts = r->run->page.measures.counts;

    if (!same_counts(&counts[FZ_COUNT_TURNS], &counts[FZ_COUNT_DECISIONS]))
        add_counts(r, FZ_COUNT_TURNS, "turns of a game", "How many turns the games had.");
}

/* The values of a list for the turns, up to the last one that enough games reach: turns that few
 * games reach say more about these games than about the turn. */
static size_t turn_points(const fzi_report *r, unsigned list, uint32_t first,
                          fzi_plot_point *points)
{
    const fzi_measures *m = &r->run->page.measures;
    size_t count = 0;

    for (uint32_t turn = 0; turn < FZ_MEASURED_TURNS; turn++) {
        const fzi_sum *sum = &m->lists[list][first + turn];
        fzi_estimate e = fzi_list_value(m, list, first + turn);
        if (sum->games * 20 >= m->games && sum->games >= 2 && !isnan(e.value))
            points[count++] = (fzi_plot_point){turn + 1, e.value, e.low, e.high};
    }
    return count;
}

/* A value for each turn. */
static void add_turns(fzi_report *r, unsigned list, const char *name, const char *text)
{
    fzi_plot_point points[FZ_MEASURED_TURNS];
    fzi_plot_series series = {.points = points, .count = turn_points(r, list, 0, points)};
    fzi_scene scene = new_scene(r);

    fzi_plot_curves(&scene, &series, 1, "turn", name);
    add_plot(r, &scene, text);
}

void fzi_report_branching(fzi_report *r)
{
    add_turns(r, FZ_LIST_TURN_BRANCHING, "legal moves of a decision",
              "Branching: the mean number of legal moves of a decision in each turn that at least "
              "5 % of the games reach, with 95 % intervals.");
}

void fzi_report_prospects(fzi_report *r)
{
    const json_t *x = r->run->experiment;
    unsigned players = fzi_experiment_players(x);
    fzi_plot_point *points =
        fzi_arena_alloc(r->page->arena, players * FZ_MEASURED_TURNS * sizeof *points);
    fzi_plot_series series[FZ_MAX_PLAYERS];
    fzi_scene scene = new_scene(r);

    for (unsigned p = 0; p < players; p++) {
        fzi_plot_point *own = points + p * FZ_MEASURED_TURNS;
        series[p] = (fzi_plot_series){fzi_experiment_player(x, p), own,
                                      turn_points(r, FZ_LIST_TURN_PROSPECT,
                                                  p * FZ_MEASURED_TURNS, own)};
    }
    fzi_plot_curves(&scene, series, players, "turn", "mean utility");
    add_plot(r, &scene, "Prospects: the mean utility of each player in random games from the "
             "beginning of each turn on that at least 5 % of the games reach, with 95 % "
             "intervals.");
    add_turns(r, FZ_LIST_TURN_LEAD, "lead",
              "Leads: how far the side that leads in a turn is ahead of the next, whoever it is. "
              "Errors of the estimates make leads greater; compare only pages with the same "
              "number of rollouts.");
}
