/* The figures and names of a page of measures. See lab.h. */
#include "lab.h"

enum { NAME_SIZE = FZI_ELEMENT_SIZE };

static size_t add_counts(const fzi_measures *m, unsigned counts, const char *const names[4],
                         fzi_figure *figures)
{
    uint64_t least, greatest;
    double median, deviation;

    fzi_counts_describe(&m->counts[counts], &least, &median, &greatest, &deviation);
    figures[0] = (fzi_figure){names[0], "", {median, NAN, NAN}, false};
    figures[1] = (fzi_figure){names[1], "", {deviation, NAN, NAN}, false};
    bool known = !isnan(median);
    figures[2] = (fzi_figure){names[2], "", {known ? (double)least : NAN, NAN, NAN}, false};
    figures[3] = (fzi_figure){names[3], "", {known ? (double)greatest : NAN, NAN, NAN}, false};
    return 4;
}

size_t fzi_measures_figures(const fzi_measures_page *page, fzi_figure figures[FZI_MOST_FIGURES])
{
    static const char *const decisions[] = {"decisions, median", "decisions, deviation",
                                            "decisions, least", "decisions, most"};
    static const char *const turns[] = {"turns, median", "turns, deviation", "turns, least",
                                        "turns, most"};
    static const char *const branching[] = {"branching, median", "branching, deviation",
                                            "branching, least", "branching, most"};
    const fzi_measures *m = &page->measures;
    double positions = round(fzi_measures_positions(m));
    size_t count = 0;

    for (; count < FZ_MEASURES; count++) {
        const fzi_measure_info *info = &fzi_measure_infos[count];
        figures[count] = (fzi_figure){info->name, info->meaning,
                                      fzi_measure_value(m, (unsigned)count),
                                      info->shape == FZ_AS_SHARE || info->shape == FZ_AS_PART};
    }
    figures[count++] = (fzi_figure){"balance", "1 less the greatest difference between two seats",
                                    fzi_measures_balance(m), true};
    count += add_counts(m, FZ_COUNT_DECISIONS, decisions, figures + count);
    count += add_counts(m, FZ_COUNT_TURNS, turns, figures + count);
    count += add_counts(m, FZ_COUNT_BRANCHING, branching, figures + count);
    figures[count++] = (fzi_figure){"positions", "different ones at turn beginnings, within 2 %",
                                {positions > 0 ? positions : NAN, NAN, NAN}, false};
    figures[count++] = (fzi_figure){"state-space complexity",
                                "log10 of the ways to fill the sites with what was there",
                                {fzi_measures_state_space(m), NAN, NAN}, false};
    if (page->has_depth)
        figures[count++] = (fzi_figure){"strategic depth", "Elo that twice the effort is worth",
                                    page->depth, false};
    return count;
}

/* ---- names of elements ---- */

static const char *site(const fzi_measures_page *page, int s)
{
    return fz_program_site_name(page->program, s);
}

static void line_name(const fzi_measures_page *n, uint32_t line, bool down, bool directed,
                      char *text)
{
    const fzi_board_line *l = &n->lines->lines[line];
    int from = down ? l->high : l->low, to = down ? l->low : l->high;

    snprintf(text, NAME_SIZE, "%s%s%s", site(n, from), directed ? ">" : "-", site(n, to));
}

/* All lines of an orbit: "a1-b1 c1-d1". */
static void orbit_name(const fzi_measures_page *n, uint32_t orbit, char *text)
{
    size_t used = 0;

    *text = '\0';
    for (uint32_t i = 0; i < n->lines->count && used + 1 < NAME_SIZE; i++) {
        const fzi_board_line *l = &n->lines->lines[i];
        if (l->orbit == orbit)
            used += (size_t)snprintf(text + used, NAME_SIZE - used, "%s%s-%s", used ? " " : "",
                                     site(n, l->low), site(n, l->high));
    }
}

const char *fzi_element_name(const fzi_measures_page *n, unsigned list, uint32_t element,
                             char text[FZI_ELEMENT_SIZE])
{
    const fz_program *p = n->program;
    uint32_t lines = n->lines->count ? n->lines->count : 1;
    int first = 0, last;

    switch (list) {
    case FZ_LIST_WINS:
    case FZ_LIST_SEAT:
        return fz_program_player_name(p, (int)element);
    case FZ_LIST_RIVALS:
        while ((int)element >= fz_program_players(p) - 1 - first)
            element -= (uint32_t)(fz_program_players(p) - 1 - first++);
        last = first + 1 + (int)element;
        snprintf(text, NAME_SIZE, "%s, %s", fz_program_player_name(p, first),
                 fz_program_player_name(p, last));
        return text;
    case FZ_LIST_TURN_BRANCHING:
    case FZ_LIST_TURN_LEAD:
        snprintf(text, NAME_SIZE, "%" PRIu32, element + 1);
        return text;
    case FZ_LIST_TURN_PROSPECT:
        snprintf(text, NAME_SIZE, "%s, turn %" PRIu32,
                 fz_program_player_name(p, (int)(element / FZ_MEASURED_TURNS)),
                 element % FZ_MEASURED_TURNS + 1);
        return text;
    case FZ_LIST_LINE:
        line_name(n, element / 2, element % 2, true, text);
        return text;
    case FZ_LIST_LINE_PAIR:
        line_name(n, element, false, false, text);
        return text;
    case FZ_LIST_LINE_MIRRORED:
        orbit_name(n, element, text);
        return text;
    case FZ_LIST_LINE_DIFFERENCE:
        line_name(n, element % lines, false, false, text);
        strncat(text, element < lines ? " left-right" : " top-bottom",
                NAME_SIZE - strlen(text) - 1);
        return text;
    default:
        return site(n, (int)element);
    }
}

const char *fzi_number_text(double value, char text[32])
{
    double size = fabs(value);

    if (isnan(value) || isinf(value))
        snprintf(text, 32, "%s", isnan(value) ? "" : value > 0 ? "inf" : "-inf");
    else
        snprintf(text, 32, size >= 1000 ? "%.0f" : size >= 100 ? "%.1f" : size >= 10 ? "%.2f"
                                                                                      : "%.4f",
                 value);
    return text;
}

/* ---- JSON ---- */

static json_t *list_json(const fzi_measures_page *page, unsigned list)
{
    json_t *values = json_array();

    for (uint32_t i = 0; i < page->measures.sizes[list]; i++) {
        fzi_estimate e = fzi_list_value(&page->measures, list, i);
        char name[FZI_ELEMENT_SIZE];
        json_t *value;
        if (isnan(e.value))
            continue;
        value = fzi_estimate_json(e);
        json_object_set_new(value, "name", json_string(fzi_element_name(page, list, i, name)));
        json_array_append_new(values, value);
    }
    return values;
}

json_t *fzi_measures_page_json(const fzi_measures_page *page)
{
    const json_t *x = page->experiment;
    json_t *measures = json_object(), *lists = json_object();
    fzi_figure figures[FZI_MOST_FIGURES];
    size_t count = fzi_measures_figures(page, figures);

    for (size_t i = 0; i < count; i++)
        json_object_set_new(measures, figures[i].name, fzi_estimate_json(figures[i].estimate));
    for (unsigned i = 0; i < FZ_LISTS; i++)
        json_object_set_new(lists, fzi_list_infos[i].name, list_json(page, i));
    return json_pack(
        "{s:s, s:I, s:O, s:I, s:o, s:o, s:o}", "game", fzi_experiment_text(x, "game"), "games",
        (json_int_t)page->measures.games, "agents", json_object_get(x, "agents"), "rollouts",
        (json_int_t)page->rollouts, "measures", measures, "lists", lists, "run",
        fzi_experiment_trace(x, 0, page->measures.games));
}
