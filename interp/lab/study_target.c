/* Reads targets, such as "seat advantage 0, length 60..120, draws < 10 %". See study.h. */
#include "study.h"

#include <ctype.h>

static const struct {
    const char *name;
    bool is_part;
} figures[FZI_FIGURES] = {
#define FIGURE(id, name, is_part, meaning) {name, is_part},
#include "interp/lab/preferences.def"
#undef FIGURE
};

const char fzi_figure_names[] = ""
#define FIGURE(id, name, is_part, meaning) name ", "
#include "interp/lab/preferences.def"
#undef FIGURE
    ;

const char *fzi_figure_name(enum fzi_study_figure figure)
{
    return figures[figure].name;
}

bool fzi_figure_is_part(enum fzi_study_figure figure)
{
    return figures[figure].is_part;
}

enum fzi_study_figure fzi_figure_called(const char *text, const char **rest)
{
    enum fzi_study_figure figure = 0;

    for (; figure < FZI_FIGURES; figure++) {
        size_t length = strlen(figures[figure].name);
        if (strncmp(text, figures[figure].name, length) == 0 &&
            !isalpha((unsigned char)text[length])) {
            *rest = text + length;
            break;
        }
    }
    return figure;
}

typedef struct reader {
    fz_study *study;
    const char *start;          /* of the text */
    char *at;
    enum fzi_study_figure figure;
} reader;

static fz_status wrong(const reader *r, const char *at, const char *format, ...)
{
    char text[300];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return fzi_context_fail(r->study->context, FZ_USAGE, "target, column %d: %s",
                            (int)(at - r->start) + 1, text);
}

static bool skip(reader *r, const char *word)
{
    r->at += strspn(r->at, " \t");
    if (strncmp(r->at, word, strlen(word)) != 0)
        return false;
    r->at += strlen(word);
    return true;
}

static fz_status read_number(reader *r, double *number)
{
    bool part = figures[r->figure].is_part;
    char *end;

    r->at += strspn(r->at, " \t");
    char *start = r->at;
    size_t digits = strspn(start, "+-0123456789");
    /* The range 60..120 has no decimal point after 60. */
    bool whole = strncmp(start + digits, "..", 2) == 0;
    *number = whole ? (double)strtoll(start, &end, 10) : strtod(start, &end);
    if (end == start || !isfinite(*number))
        return wrong(r, start, "expected a number, such as `%s`", part ? "draws < 10 %"
                                                                       : "length 60..120");
    r->at = end;
    if (skip(r, "%")) {
        if (!part)
            return wrong(r, start, "%s is no share: write it without %%",
                         figures[r->figure].name);
        *number /= 100;
    }
    if (part && fabs(*number) > 1)
        return wrong(r, start, "%s is from 0 to 1; did you mean `%g %%`?", figures[r->figure].name,
                     *number);
    return FZ_OK;
}

/* "< 10 %", "60..120", "0" */
static fz_status read_range(reader *r, fzi_preference *p)
{
    bool below = skip(r, "<"), above = !below && skip(r, ">");
    fz_status status;

    if (below || above)
        skip(r, "=");
    status = read_number(r, &p->low);
    p->high = p->low;
    if (status == FZ_OK && below)
        p->low = -INFINITY;
    else if (status == FZ_OK && above)
        p->high = INFINITY;
    else if (status == FZ_OK && skip(r, ".."))
        status = read_number(r, &p->high);
    return status;
}

static fz_status read_item(reader *r, fzi_preference *p)
{
    fz_study *study = r->study;
    const char *rest;

    r->at += strspn(r->at, " \t");
    char *start = r->at;
    p->figure = r->figure = fzi_figure_called(start, &rest);
    if (p->figure == FZI_FIGURES)
        return wrong(r, start, "expected one of %sand what it is to be", fzi_figure_names);
    for (size_t i = 0; i < study->target_count; i++)
        if (study->targets[i].figure == p->figure)
            return wrong(r, start, "%s has a target already", figures[p->figure].name);
    r->at += rest - start;
    fz_status status = read_range(r, p);
    if (status == FZ_OK && p->low > p->high)
        return wrong(r, start, "the range of %s is empty: write the smaller number first",
                     figures[p->figure].name);
    if (status == FZ_OK && !skip(r, ",") && *r->at)
        return wrong(r, r->at, "expected a comma, not '%.20s'", r->at);
    return status;
}

fz_status fzi_study_read_target(fz_study *study)
{
    char *text = fzi_arena_printf(study->arena, "%s", study->options.target);
    reader r = {.study = study, .start = text, .at = text};
    fz_status status = FZ_OK;

    do {
        fzi_preference p = {0};
        status = read_item(&r, &p);
        if (status == FZ_OK)
            *FZI_MORE(study->arena, study->targets, study->target_count, study->target_room) = p;
    } while (status == FZ_OK && *r.at);
    return status;
}
