/* Measures of one game under an agent of growing effort. See lab.h. */
#include "interp/agents/agent.h"
#include "lab.h"

/* ---- the agents ---- */

/* The parts of "mcts:25..400:c=0.5": its beginning up to the first effort, the efforts, and the
 * rest. False: it is none. */
static bool read_range(const char *text, int *length, uint64_t *least, uint64_t *most,
                       const char **rest)
{
    const char *dots = strstr(text, ".."), *first = dots;
    char *end;

    while (first && first > text && first[-1] >= '0' && first[-1] <= '9')
        first--;
    if (!dots || first == dots || first == text || first[-1] != ':' || dots[2] < '0' ||
        dots[2] > '9')
        return false;
    *length = (int)(dots - text);
    *least = strtoull(first, NULL, 10);
    *most = strtoull(dots + 2, &end, 10);
    *rest = end;
    return (!*end || *end == ':') && *least > 0;
}

fz_status fzi_skill_read(fzi_skill *skill, fz_context *context, const char *text)
{
    uint64_t least, most;
    const char *rest;
    int length;

    *skill = (fzi_skill){0};
    if (!read_range(text, &length, &least, &most, &rest) ||
        snprintf(skill->agents[0], FZI_SKILL_AGENT, "%.*s%s", length, text, rest) >=
            FZI_SKILL_AGENT)
        return fzi_context_fail(context, FZ_USAGE, "--skill needs an agent with a range of "
                                "efforts, such as mcts:25..400, not '%s'", text);
    while (skill->efforts < FZI_MOST_EFFORTS && least <= most) {
        skill->effort[skill->efforts++] = (double)least;
        least *= 2;
        if (least <= most && skill->efforts < FZI_MOST_EFFORTS &&
            !fzi_agent_doubled(skill->agents[skill->efforts - 1], skill->agents[skill->efforts],
                               FZI_SKILL_AGENT))
            return fzi_context_fail(context, FZ_USAGE, "--skill needs an agent whose effort is a "
                                    "number of playouts or iterations, not '%s'", text);
    }
    if (skill->efforts < 3 || least <= most)
        return fzi_context_fail(context, FZ_USAGE, "--skill doubles the effort from two to %d "
                                "times, so '%s' is too %s", FZI_MOST_EFFORTS - 1, text,
                                least <= most ? "wide" : "narrow");
    return FZ_OK;
}

/* ---- the values ---- */

static void note(fzi_skill *skill, unsigned which, size_t *at, const char *name,
                 const char *element, bool is_part, fzi_estimate value)
{
    fzi_skill_curve *curve = &skill->curves[(*at)++];

    curve->name = name;
    snprintf(curve->element, sizeof curve->element, "%s", element);
    curve->is_part = is_part;
    curve->values[which] = value;
    skill->count = *at;
}

void fzi_skill_note(fzi_skill *skill, unsigned which, const fzi_measures_page *page)
{
    static const unsigned lists[] = {FZ_LIST_WINS, FZ_LIST_SEAT};
    fzi_figure figures[FZI_MOST_FIGURES];
    size_t count = fzi_measures_figures(page, figures), at = 0;
    char name[FZI_ELEMENT_SIZE];

    for (size_t i = 0; i < count; i++)
        note(skill, which, &at, figures[i].name, "", figures[i].is_part, figures[i].estimate);
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (uint32_t i = 0; i < page->measures.sizes[lists[l]]; i++)
            note(skill, which, &at, fzi_list_infos[lists[l]].name,
                 fzi_element_name(page, lists[l], i, name), lists[l] == FZ_LIST_WINS,
                 fzi_list_value(&page->measures, lists[l], i));
}

/* From 0 to 1. A line that leaves these bounds even with its errors is no limit; nor is NAN. */
static fzi_estimate as_part(fzi_estimate e)
{
    if (isnan(e.value) || e.high < 0 || e.low > 1)
        return (fzi_estimate){NAN, NAN, NAN};
    return (fzi_estimate){fmin(fmax(e.value, 0), 1), fmax(e.low, 0), fmin(e.high, 1)};
}

void fzi_skill_extrapolate(fzi_skill *skill)
{
    double x[FZI_MOST_EFFORTS];

    for (unsigned i = 0; i < skill->efforts; i++)
        x[i] = 1 / sqrt(skill->effort[i]);
    for (size_t c = 0; c < skill->count; c++) {
        fzi_skill_curve *curve = &skill->curves[c];
        curve->limit = fzi_limit_estimate(x, curve->values, skill->efforts, &curve->fit);
        if (curve->is_part)
            curve->limit = as_part(curve->limit);
    }
}

bool fzi_skill_is_shown(const fzi_skill *skill, const fzi_skill_curve *curve)
{
    for (unsigned i = 0; i < skill->efforts; i++)
        if (isnan(curve->values[i].low))
            return false;
    return true;
}

/* ---- JSON ---- */

json_t *fzi_skill_json(const fzi_skill *skill)
{
    json_t *all = json_array();

    for (size_t c = 0; c < skill->count; c++) {
        const fzi_skill_curve *curve = &skill->curves[c];
        json_t *points = json_array();
        if (!fzi_skill_is_shown(skill, curve))
            continue;
        for (unsigned i = 0; i < skill->efforts; i++) {
            json_t *point = fzi_estimate_json(curve->values[i]);
            json_object_set_new(point, "agent", json_string(skill->agents[i]));
            json_array_append_new(points, point);
        }
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:o, s:o, s:o}", "measure", curve->name, "element",
                           curve->element, "points", points, "limit",
                           fzi_estimate_json(curve->limit), "fit",
                           isnan(curve->fit) ? json_null() : json_real(curve->fit)));
    }
    return all;
}
