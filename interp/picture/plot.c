/* Draws plots of numbers as scenes, for reports. See plot.h. */
#include "plot.h"

#include <stdio.h>

static const double width = 12, height = 4.6; /* of what the axes enclose */
static const double text = 0.26, thin = 0.025;

/* One axis: numbers from `from` to `to` lie between two places of the picture. */
typedef struct axis {
    double from, to, step;
    double at_from, at_to;
} axis;

static double place(const axis *a, double number)
{
    return a->at_from + (number - a->from) / (a->to - a->from) * (a->at_to - a->at_from);
}

/* 1, 2 or 5 times a power of ten, so that there are at most `most` steps. */
static double round_step(double range, double most)
{
    double least = range / most, power = pow(10, floor(log10(least)));
    double times = least / power;

    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static axis make_axis(double from, double to, double most, double at_from, double at_to)
{
    axis a = {.from = from, .to = to > from ? to : from + 1, .at_from = at_from, .at_to = at_to};

    a.step = round_step(a.to - a.from, most);
    return a;
}

/* Prints a number with as many decimals as the step has. */
static void number_text(char *out, size_t size, double number, double step)
{
    int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;

    if (fabs(number) >= 1e6)
        snprintf(out, size, "%g", number);
    else
        snprintf(out, size, "%.*f", decimals, fabs(number) < step / 2 ? 0 : number);
}

static void add_label(fzi_scene *scene, double x, double y, const char *label, uint8_t anchor)
{
    fzi_scene_label(scene, (fzi_point){x, y}, text, FZI_PAINT_INK, label)->anchor = anchor;
}

static void add_x_axis(fzi_scene *scene, const axis *x, const char *name)
{
    char label[32];

    for (double n = ceil(x->from / x->step - 1e-9) * x->step; n <= x->to + x->step * 1e-6;
         n += x->step) {
        fzi_point from = {place(x, n), height}, to = {place(x, n), height + 0.1};
        fzi_scene_line(scene, from, to, FZI_PAINT_INK, thin);
        number_text(label, sizeof label, n, x->step);
        add_label(scene, from.x, height + 0.32, label, FZI_ANCHOR_MIDDLE);
    }
    fzi_scene_line(scene, (fzi_point){0, height}, (fzi_point){width, height}, FZI_PAINT_INK, thin);
    add_label(scene, width, height + 0.72, name, FZI_ANCHOR_RIGHT);
}

/* With lines across the plot. Its name stands on top. */
static void add_y_axis(fzi_scene *scene, const axis *y, const char *name)
{
    char label[32];

    for (double n = ceil(y->from / y->step - 1e-9) * y->step; n <= y->to + y->step * 1e-6;
         n += y->step) {
        fzi_point from = {0, place(y, n)}, to = {width, place(y, n)};
        fzi_scene_line(scene, from, to, FZI_PAINT_FAINT, thin / 2)->faded = true;
        number_text(label, sizeof label, n, y->step);
        add_label(scene, -0.15, from.y, label, FZI_ANCHOR_RIGHT);
    }
    add_label(scene, -0.9, -0.45, name, FZI_ANCHOR_LEFT);
}

static void enclose(fzi_scene *scene, double left, double bottom)
{
    scene->low = (fzi_point){left, -0.75};
    scene->high = (fzi_point){width + 0.45, bottom};
}

/* ---- numbers ---- */

/* The first and the last bin that is not empty. False: all are. */
static bool find_ends(const fzi_plot_bins *bins, size_t *first, size_t *last)
{
    bool found = false;

    for (size_t i = 0; i < bins->count; i++)
        if (bins->of[i]) {
            *first = found ? *first : i;
            *last = i;
            found = true;
        }
    return found;
}

/* Of a bar from this bin on; bins may be counted from below 0. */
static uint64_t count_bar(const fzi_plot_bins *bins, int64_t from, int64_t length)
{
    uint64_t sum = 0;

    for (int64_t i = from < 0 ? 0 : from; i < from + length && i < (int64_t)bins->count; i++)
        sum += bins->of[i];
    return sum;
}

void fzi_plot_numbers(fzi_scene *scene, const fzi_plot_bins *bins, const char *x_name,
                      const char *y_name)
{
    enum { MOST = 60 };
    size_t first = 0, last = 0;
    uint64_t most = 0;
    char name[128];

    if (!find_ends(bins, &first, &last))
        return;
    int64_t length = last - first < MOST
                         ? 1 : (int64_t)round_step((double)(last - first + 1), MOST);
    int64_t past = (bins->first + (int64_t)first) % length; /* bars begin at multiples */
    int64_t begin = (int64_t)first - past - (past < 0 ? length : 0), end = (int64_t)last;
    for (int64_t from = begin; from <= end; from += length) {
        uint64_t count = count_bar(bins, from, length);
        most = count > most ? count : most;
    }
    bool steps = length > 1 || bins->width > 1; /* then a bar begins at its first number */
    double wide = (double)length * (double)bins->width, half = steps ? 0 : 0.5;
    double low = (double)(bins->first + begin) * (double)bins->width - half;
    double bars = (double)((end - begin) / length + 1);
    axis y = make_axis(0, (double)most, 5, height, 0);
    axis x = make_axis(low, low + bars * wide, 10, 0, width);
    x.step = x.step < 1 ? 1 : x.step;
    add_y_axis(scene, &y, y_name);
    for (int64_t from = begin; from <= end; from += length) {
        double left = low + (double)(from - begin) * (double)bins->width;
        double top = place(&y, (double)count_bar(bins, from, length));
        double l = place(&x, left + 0.06 * wide), r = place(&x, left + 0.94 * wide);
        fzi_point corners[] = {{l, height}, {l, top}, {r, top}, {r, height}};
        if (top < height)
            fzi_scene_add(scene, FZI_POLYGON, corners, 4)->fill = FZI_PAINT_BLUE;
    }
    snprintf(name, sizeof name, steps ? "%s, in steps of %.0f" : "%s", x_name, wide);
    add_x_axis(scene, &x, name);
    enclose(scene, -1.4, height + 1);
}

/* ---- curves ---- */

/* The paints of a curve and of its band. Every second curve is dashed as well, for black and white
 * print. */
static const uint8_t curve_paints[][2] = {
    {FZI_PAINT_BLUE, FZI_PAINT_CYAN}, {FZI_PAINT_RED, FZI_PAINT_ORANGE},
    {FZI_PAINT_GREEN, FZI_PAINT_GREEN}, {FZI_PAINT_PURPLE, FZI_PAINT_PURPLE},
    {FZI_PAINT_INK, FZI_PAINT_GREY},
};
enum { CURVE_PAINTS = sizeof curve_paints / sizeof *curve_paints };

static void style_curve(fzi_shape *shape, size_t number)
{
    shape->stroke = curve_paints[number % CURVE_PAINTS][0];
    shape->dashed = number % 2;
    shape->width = 2 * thin;
}

/* The points of a band, forwards along the upper ends and back along the lower ones. */
static void add_curve(fzi_scene *scene, const fzi_plot_series *s, size_t number, const axis *x,
                      const axis *y)
{
    size_t count = s->count;
    fzi_point *band = fzi_allocate(scene->allocator, (2 * count + 1) * sizeof *band);

    if (!band) {
        scene->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const fzi_plot_point *p = &s->points[i];
        double low = isfinite(p->low) ? fmax(p->low, y->from) : p->value;
        double high = isfinite(p->high) ? fmin(p->high, y->to) : p->value;
        band[i] = (fzi_point){place(x, p->x), place(y, high)};
        band[2 * count - 1 - i] = (fzi_point){place(x, p->x), place(y, low)};
    }
    fzi_shape *shape = fzi_scene_add(scene, FZI_POLYGON, band, 2 * count);
    shape->fill = curve_paints[number % CURVE_PAINTS][1];
    shape->faded = true;
    for (size_t i = 0; i < count; i++)
        band[i] = (fzi_point){place(x, s->points[i].x), place(y, s->points[i].value)};
    style_curve(fzi_scene_add(scene, FZI_LINES, band, count), number);
    if (count == 1)
        fzi_scene_circle(scene, *band, 0.1, curve_paints[number % CURVE_PAINTS][0], FZI_PAINT_NONE,
                         0);
    fzi_release(scene->allocator, band);
}

/* Below the plot, in as many lines as it needs. Returns where it ends. */
static double add_legend(fzi_scene *scene, const fzi_plot_series *series, size_t count)
{
    const double sample = 0.7, gap = 0.6, line = 0.45;
    double left = 0, y = height + 1.2;

    for (size_t i = 0; i < count; i++) {
        double room = sample + 0.15 + text * fzi_label_width(series[i].name);
        if (left > 0 && left + room > width) {
            left = 0;
            y += line;
        }
        style_curve(fzi_scene_line(scene, (fzi_point){left, y}, (fzi_point){left + sample, y},
                                   FZI_PAINT_INK, thin), i);
        add_label(scene, left + sample + 0.15, y, series[i].name, FZI_ANCHOR_LEFT);
        left += room + gap;
    }
    return y + 0.3;
}

void fzi_plot_curves(fzi_scene *scene, const fzi_plot_series *series, size_t count,
                     const char *x_name, const char *y_name)
{
    double most = 0, first = INFINITY, last = -INFINITY;

    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < series[s].count; i++) {
            const fzi_plot_point *p = &series[s].points[i];
            most = fmax(most, isfinite(p->high) ? p->high : p->value);
            first = fmin(first, p->x);
            last = fmax(last, p->x);
        }
    if (first > last) /* there are no points */
        return;
    axis x = make_axis(first, last, 10, 0, width);
    axis y = make_axis(0, most, 5, height, 0);
    x.step = x.step < 1 ? 1 : x.step;
    add_y_axis(scene, &y, y_name);
    for (size_t s = 0; s < count; s++)
        if (series[s].count)
            add_curve(scene, &series[s], s, &x, &y);
    add_x_axis(scene, &x, x_name);
    enclose(scene, -1.4, count > 1 ? add_legend(scene, series, count) : height + 1);
}

/* ---- bars ---- */

/* On a bar of any colour: first as a light line, then as a darker one. */
static void add_interval(fzi_scene *scene, double low, double high, double y, enum fzi_paint paint,
                         double line)
{
    const double ends[] = {low, high}, more = line / 4;

    fzi_scene_line(scene, (fzi_point){low, y}, (fzi_point){high, y}, paint, line);
    for (int i = 0; i < 2; i++)
        fzi_scene_line(scene, (fzi_point){ends[i], y - 0.12 - more},
                       (fzi_point){ends[i], y + 0.12 + more}, paint, line);
}

/* From 0 to the value, with its interval, if it has one, between its two names. */
static void add_bar(fzi_scene *scene, const fzi_plot_bar *b, const axis *x, double top,
                    const char *label)
{
    double bottom = top + 0.5, middle = top + 0.25, zero = place(x, 0), at = place(x, b->value);
    double low = place(x, b->low), high = place(x, b->high);

    fzi_scene_box(scene, (fzi_point){zero, top}, (fzi_point){at, bottom}, b->paint, FZI_PAINT_LINE,
                  thin);
    if (isfinite(low) && isfinite(high)) {
        add_interval(scene, low, high, middle, FZI_PAINT_PAPER, 5 * thin);
        add_interval(scene, low, high, middle, FZI_PAINT_INK, 2 * thin);
    }
    add_label(scene, -0.15, middle, b->name, FZI_ANCHOR_RIGHT);
    add_label(scene, fmax(fmax(zero, at), isfinite(high) ? high : at) + 0.15, middle, label,
              FZI_ANCHOR_LEFT);
}

/* The line from which they go, and the corners of the picture, which ends `below` them. */
static void end_bars(fzi_scene *scene, const fzi_plot_bar *bars, size_t count, const axis *x,
                     double below)
{
    double widest = 0, zero = place(x, 0), bottom = 0.75 * (double)count - 0.13;

    for (size_t i = 0; i < count; i++)
        widest = fmax(widest, text * fzi_label_width(bars[i].name));
    fzi_scene_line(scene, (fzi_point){zero, -0.12}, (fzi_point){zero, bottom}, FZI_PAINT_INK,
                   thin);
    scene->low = (fzi_point){-0.4 - widest, -0.3};
    scene->high = (fzi_point){width - 1.2, 0.75 * (double)count + below};
}

void fzi_plot_shares(fzi_scene *scene, const fzi_plot_bar *bars, size_t count)
{
    axis x = make_axis(0, 1, 5, 0, width - 3);
    char label[32];

    for (size_t i = 0; i < count; i++) {
        snprintf(label, sizeof label, "%.1f %%", 100 * bars[i].value);
        add_bar(scene, &bars[i], &x, (double)i * 0.75, label);
    }
    end_bars(scene, bars, count, &x, 0);
}

void fzi_plot_values(fzi_scene *scene, const fzi_plot_bar *bars, size_t count, const char *name)
{
    double from = 0, to = 0, bottom = 0.75 * (double)count;
    char label[32];

    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        from = fmin(from, fmin(bars[i].value, isfinite(bars[i].low) ? bars[i].low : 0));
        to = fmax(to, fmax(bars[i].value, isfinite(bars[i].high) ? bars[i].high : 0));
    }
    axis x = make_axis(from, to > from ? to : from + 1, 6, 0, width - 3);
    for (double n = ceil(x.from / x.step - 1e-9) * x.step; n <= x.to + x.step * 1e-6; n += x.step) {
        fzi_point top = {place(&x, n), -0.12}, foot = {place(&x, n), bottom};
        fzi_scene_line(scene, top, foot, FZI_PAINT_FAINT, thin / 2)->faded = true;
        number_text(label, sizeof label, n, x.step);
        add_label(scene, foot.x, bottom + 0.25, label, FZI_ANCHOR_MIDDLE);
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(label, sizeof label, "%.3g", bars[i].value);
        add_bar(scene, &bars[i], &x, (double)i * 0.75, label);
    }
    add_label(scene, width - 3, bottom + 0.65, name, FZI_ANCHOR_RIGHT);
    end_bars(scene, bars, count, &x, 0.9);
}
