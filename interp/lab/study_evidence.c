/* Reads what a study file says for reconstructions: priors, preferences, the wear. See study.h. */
#include "study.h"

/* A number of which sums are finite. False: it is none. */
static bool read_number(const char *text, double *number)
{
    char *end;

    *number = strtod(text, &end);
    return end > text && !*end && fabs(*number) <= 1e100;
}

static bool read_weight(const char *text, double *number)
{
    return read_number(text, number) && *number >= 0;
}

/* "0.1..0.4"; "0.1" is a range of one number. */
static bool read_range(char *text, double range[2])
{
    char *dots = strstr(text, "..");

    if (!dots)
        return read_number(fzi_study_trim(text), &range[0]) && (range[1] = range[0], true);
    *dots = '\0';
    return read_number(fzi_study_trim(text), &range[0]) &&
           read_number(fzi_study_trim(dots + 2), &range[1]) && range[0] <= range[1];
}

/* ---- prior OPTION: VALUE WEIGHT, ... ---- */

/* "VALUE WEIGHT"; the name of a value has no blanks. */
static fz_status add_value(const fzi_study_line *line, fzi_prior *prior, char *item)
{
    char *value = fzi_study_trim(item), *weight = value + strcspn(value, " \t");
    double number;

    if (*weight)
        *weight++ = '\0';
    weight = fzi_study_trim(weight);
    if (!*value || !read_weight(weight, &number))
        return fzi_study_wrong(line, value, "expected a value and its weight, such as `%s 1`",
                               *value ? value : "Apart");
    for (size_t i = 0; i < prior->count; i++)
        if (strcmp(prior->values[i].value, value) == 0)
            return fzi_study_wrong(line, value, "value %s has a weight already", value);
    *FZI_MORE(line->study->arena, prior->values, prior->count, prior->capacity) =
        (fzi_weighted){value, number};
    return FZ_OK;
}

fz_status fzi_study_read_prior(const fzi_study_line *line, char *rest)
{
    fzi_evidence *evidence = &line->study->evidence;
    char *values = fzi_study_cut(rest, ':'), *option = fzi_study_trim(rest);
    fz_status status = FZ_OK;

    if (!values || !*option)
        return fzi_study_wrong(line, rest, "a prior is `prior OPTION: VALUE WEIGHT, ...`");
    for (size_t i = 0; i < evidence->prior_count; i++)
        if (strcmp(evidence->priors[i].option, option) == 0)
            return fzi_study_wrong(line, option, "option %s has a prior already", option);
    fzi_prior *prior = FZI_MORE(line->study->arena, evidence->priors, evidence->prior_count,
                                evidence->prior_capacity);
    *prior = (fzi_prior){.option = option, .line = line->line};
    for (char *item = values, *next; item && status == FZ_OK; item = next) {
        next = fzi_study_cut(item, ',');
        status = add_value(line, prior, item);
    }
    return status;
}

/* ---- prefer FIGURE LOW..HIGH weight WEIGHT ---- */

fz_status fzi_study_read_preference(const fzi_study_line *line, char *rest)
{
    fzi_evidence *evidence = &line->study->evidence;
    char *weight = strstr(rest, "weight");
    fzi_preference made = {.weight = 1};
    const char *after = rest;
    double bounds[2];

    if (weight) {
        char *number = fzi_study_trim(weight + strlen("weight"));
        if (!read_weight(number, &made.weight))
            return fzi_study_wrong(line, weight, "expected a number after `weight`");
        *weight = '\0';
    }
    made.figure = fzi_figure_called(rest, &after);
    if (made.figure == FZI_FIGURES)
        return fzi_study_wrong(line, rest, "expected one of %sand its range", fzi_figure_names);
    char *range = rest + (after - rest);
    if (!read_range(range, bounds) || bounds[0] >= bounds[1] ||
        (bounds[0] < 0 && made.figure != FZI_FIGURE_SEAT))
        return fzi_study_wrong(line, range, "expected a range, such as `prefer %s 0..0.2`",
                               fzi_figure_name(made.figure));
    made.low = bounds[0];
    made.high = bounds[1];
    *FZI_MORE(line->study->arena, evidence->preferences, evidence->preference_count,
              evidence->preference_capacity) = made;
    return FZ_OK;
}

/* ---- error DEVIATION ---- */

fz_status fzi_study_read_error(const fzi_study_line *line, char *rest)
{
    double *error = line->study->evidence.error;
    char *place = rest;

    if (read_range(rest, error) && error[0] > 0 && error[1] <= 10)
        return FZ_OK;
    return fzi_study_wrong(line, place, "expected a deviation above 0 or a range of them, such as "
                           "`error 0.1` or `error 0.05..0.4`");
}
