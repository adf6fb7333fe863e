/* Writes scenes as SVG, for the command, the page and reports. Files are small: neighbouring
 * shapes that look alike are one path, and a figure is defined once. Lengths are hundredths of
 * the scene's unit. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct writer {
    const fzi_scene *scene;
    enum fzi_theme theme;
    fzi_buffer *out;
} writer;

/* ---- numbers, colours, texts ---- */

/* With one decimal; a blank before it where one is needed. */
static void add_number(fzi_buffer *out, double value, bool first)
{
    long tenths = lround(value * 1000);

    if (!first && tenths >= 0)
        fzi_buffer_char(out, ' ');
    if (tenths < 0)
        fzi_buffer_char(out, '-');
    tenths = labs(tenths);
    fzi_buffer_format(out, "%ld", tenths / 10);
    if (tenths % 10)
        fzi_buffer_format(out, ".%ld", tenths % 10);
}

static void add_attribute(fzi_buffer *out, const char *name, double value)
{
    fzi_buffer_format(out, " %s=\"", name);
    add_number(out, value, true);
    fzi_buffer_char(out, '"');
}

static void add_colour(fzi_buffer *out, const char *name, uint32_t colour)
{
    uint32_t red = colour >> 16 & 255, green = colour >> 8 & 255, blue = colour & 255;

    if (red % 17 == 0 && green % 17 == 0 && blue % 17 == 0)
        fzi_buffer_format(out, " %s=\"#%x%x%x\"", name, red / 17, green / 17, blue / 17);
    else
        fzi_buffer_format(out, " %s=\"#%06x\"", name, (unsigned)(colour & 0xffffff));
}

static void add_text(fzi_buffer *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fzi_buffer_text(out, "&lt;");
        else if (*text == '>')
            fzi_buffer_text(out, "&gt;");
        else if (*text == '&')
            fzi_buffer_text(out, "&amp;");
        else
            fzi_buffer_char(out, *text);
    }
}

/* ---- paths ---- */

static void add_point(fzi_buffer *out, char command, fzi_point at)
{
    fzi_buffer_char(out, command);
    add_number(out, at.x, true);
    add_number(out, at.y, false);
}

/* Two halves, relative to the point at the left. */
static void add_circle(fzi_buffer *out, fzi_point at, double radius)
{
    add_point(out, 'M', (fzi_point){at.x - radius, at.y});
    for (int half = 0; half < 2; half++) {
        fzi_buffer_char(out, 'a');
        add_number(out, radius, true);
        add_number(out, radius, false);
        fzi_buffer_text(out, " 0 1 0");
        add_number(out, half ? -2 * radius : 2 * radius, false);
        fzi_buffer_text(out, " 0");
    }
    fzi_buffer_char(out, 'z');
}

/* Steps along a row or column are shorter to write. */
static void add_corners(fzi_buffer *out, const fzi_point *at, uint32_t count, bool closed)
{
    add_point(out, 'M', at[0]);
    for (uint32_t i = 1; i < count; i++) {
        bool level = lround(at[i].y * 1000) == lround(at[i - 1].y * 1000);
        bool upright = lround(at[i].x * 1000) == lround(at[i - 1].x * 1000);
        if (level || upright) {
            fzi_buffer_char(out, level ? 'H' : 'V');
            add_number(out, level ? at[i].x : at[i].y, true);
        } else {
            add_point(out, 'L', at[i]);
        }
    }
    if (closed)
        fzi_buffer_char(out, 'z');
}

/* ---- runs of shapes that look alike ---- */

typedef struct box { fzi_point low, high; } box;

static box box_of(const fzi_scene *scene, const fzi_shape *shape)
{
    const fzi_point *at = fzi_shape_points(scene, shape);
    double radius = shape->kind == FZI_CIRCLE ? shape->size : 0;
    box b = {{at->x - radius, at->y - radius}, {at->x + radius, at->y + radius}};

    for (uint32_t i = 1; i < shape->count; i++) {
        b.low = (fzi_point){fmin(b.low.x, at[i].x), fmin(b.low.y, at[i].y)};
        b.high = (fzi_point){fmax(b.high.x, at[i].x), fmax(b.high.y, at[i].y)};
    }
    return b;
}

/* Neighbouring hexagons have boxes that overlap a little. */
static bool overlap(box a, box b)
{
    const double little = 0.3;

    return a.low.x + little < b.high.x && b.low.x + little < a.high.x &&
           a.low.y + little < b.high.y && b.low.y + little < a.high.y;
}

static bool alike(const fzi_shape *a, const fzi_shape *b)
{
    return a->fill == b->fill && a->stroke == b->stroke && a->dashed == b->dashed &&
           a->faded == b->faded && (!a->stroke || fabs(a->width - b->width) < 0.0005);
}

/* The number of shapes from this one on that can be one path: they look alike, and none hides
 * another. */
static size_t run_length(const writer *w, size_t first)
{
    const fzi_shape *shapes = w->scene->shapes;
    size_t end = first + 1;

    for (; end < w->scene->shape_count; end++) {
        const fzi_shape *shape = &shapes[end];
        bool path = shape->kind == FZI_POLYGON || shape->kind == FZI_LINES ||
                    shape->kind == FZI_CIRCLE;
        if (!path || !alike(shape, &shapes[first]))
            break;
        bool hides = false;
        for (size_t i = first; i < end && (shape->fill || shape->faded) && !hides; i++)
            hides = overlap(box_of(w->scene, shape), box_of(w->scene, &shapes[i]));
        if (hides)
            break;
    }
    return end - first;
}

static size_t add_run(const writer *w, size_t first)
{
    const fzi_shape *shape = &w->scene->shapes[first];
    size_t count = run_length(w, first);

    fzi_buffer_text(w->out, "<path");
    if (shape->fill)
        add_colour(w->out, "fill", fzi_paint_colour(w->theme, shape->fill));
    else
        fzi_buffer_text(w->out, " fill=\"none\"");
    if (shape->stroke) {
        add_colour(w->out, "stroke", fzi_paint_colour(w->theme, shape->stroke));
        add_attribute(w->out, "stroke-width", shape->width);
    }
    fzi_buffer_text(w->out, shape->stroke && shape->dashed ? " stroke-dasharray=\"12 8\"" : "");
    fzi_buffer_text(w->out, shape->faded ? " opacity=\".5\"" : "");
    fzi_buffer_text(w->out, " d=\"");
    for (size_t i = first; i < first + count; i++, shape++) {
        const fzi_point *at = fzi_shape_points(w->scene, shape);
        if (shape->kind == FZI_CIRCLE)
            add_circle(w->out, *at, shape->size);
        else
            add_corners(w->out, at, shape->count, shape->kind == FZI_POLYGON);
    }
    fzi_buffer_text(w->out, "\"/>\n");
    return count;
}

/* ---- arrows, labels ---- */

static void add_arrow(const writer *w, const fzi_shape *shape)
{
    const fzi_point *at = fzi_shape_points(w->scene, shape);
    double angle = atan2(at[1].y - at[0].y, at[1].x - at[0].x), head = 3 * shape->width;
    fzi_point neck = {at[1].x - head * cos(angle), at[1].y - head * sin(angle)};
    fzi_point wing = {head / 1.8 * sin(angle), head / 1.8 * cos(angle)};

    fzi_buffer_text(w->out, "<g");
    add_colour(w->out, "fill", fzi_paint_colour(w->theme, shape->stroke));
    add_colour(w->out, "stroke", fzi_paint_colour(w->theme, shape->stroke));
    fzi_buffer_text(w->out, shape->faded ? " opacity=\".5\"><path" : "><path");
    add_attribute(w->out, "stroke-width", shape->width);
    fzi_buffer_text(w->out, " d=\"");
    add_point(w->out, 'M', at[0]);
    add_point(w->out, 'L', neck);
    fzi_buffer_text(w->out, "\"/><path stroke=\"none\" d=\"");
    add_point(w->out, 'M', at[1]);
    add_point(w->out, 'L', (fzi_point){neck.x - wing.x, neck.y + wing.y});
    add_point(w->out, 'L', (fzi_point){neck.x + wing.x, neck.y - wing.y});
    fzi_buffer_text(w->out, "z\"/></g>\n");
}

static bool same_letters(const writer *w, const fzi_shape *a, const fzi_shape *b)
{
    return b->kind == FZI_LABEL && a->anchor == b->anchor && a->faded == b->faded &&
           fabs(a->size - b->size) < 0.0005 &&
           fzi_shape_ink(w->theme, a) == fzi_shape_ink(w->theme, b);
}

/* The point is the middle of the capitals, which are about 0.73 of the size of a font. */
static size_t add_labels(const writer *w, size_t first)
{
    const fzi_shape *label = &w->scene->shapes[first];
    const double font = 1.25, capital = 0.73;
    size_t count = 0;

    fzi_buffer_text(w->out, "<g");
    add_colour(w->out, "fill", fzi_shape_ink(w->theme, label));
    add_attribute(w->out, "font-size", label->size * font);
    fzi_buffer_text(w->out, label->anchor == FZI_ANCHOR_LEFT    ? ""
                            : label->anchor == FZI_ANCHOR_RIGHT ? " text-anchor=\"end\""
                                                                : " text-anchor=\"middle\"");
    fzi_buffer_text(w->out, label->faded ? " opacity=\".5\">" : ">");
    for (; first + count < w->scene->shape_count; count++) {
        const fzi_shape *next = &w->scene->shapes[first + count];
        if (!same_letters(w, label, next))
            break;
        const fzi_point *at = fzi_shape_points(w->scene, next);
        fzi_buffer_text(w->out, "<text");
        add_attribute(w->out, "x", at->x);
        add_attribute(w->out, "y", at->y + next->size * font * capital / 2);
        fzi_buffer_char(w->out, '>');
        add_text(w->out, fzi_shape_text(w->scene, next));
        fzi_buffer_text(w->out, "</text>");
    }
    fzi_buffer_text(w->out, "</g>\n");
    return count;
}

/* ---- figures ---- */

/* Paths of figures.def are those of SVG, but for circles. */
static void add_figure_path(fzi_buffer *out, const char *path)
{
    while (*path) {
        const char *circle = strchr(path, 'O');
        size_t length = circle ? (size_t)(circle - path) : strlen(path);
        int x, y, radius, used = 0;
        fzi_buffer_add(out, path, length);
        path += length;
        if (!circle || sscanf(path, "O %d %d %d%n", &x, &y, &radius, &used) != 3)
            return;
        fzi_buffer_format(out, "M%d %da%d %d 0 1 0 %d 0a%d %d 0 1 0 %d 0z", x - radius, y, radius,
                          radius, 2 * radius, radius, radius, -2 * radius);
        path += used;
    }
}

/* Shapes with the colours of the piece that uses them. */
static void define_figure(const writer *w, unsigned figure)
{
    fzi_buffer_format(w->out, "<g id=\"figure-%u\" stroke-linejoin=\"round\">", figure);
    if (!*fzi_figures[figure].outline) {
        fzi_buffer_text(w->out, "<path fill=\"none\" stroke-width=\"7\" d=\"");
    } else {
        fzi_buffer_text(w->out, "<path stroke-width=\"3.5\" d=\"");
        add_figure_path(w->out, fzi_figures[figure].outline);
        fzi_buffer_text(w->out, "\"/><path fill=\"none\" stroke-width=\"3\" d=\"");
    }
    add_figure_path(w->out, fzi_figures[figure].details);
    fzi_buffer_text(w->out, "\"/></g>\n");
}

static void define_figures(const writer *w)
{
    uint64_t used = 0;

    for (size_t i = 0; i < w->scene->shape_count; i++)
        if (w->scene->shapes[i].kind == FZI_FIGURE)
            used |= UINT64_C(1) << w->scene->shapes[i].figure;
    if (!used)
        return;
    fzi_buffer_text(w->out, "<defs>\n");
    for (unsigned f = 0; f < FZI_FIGURE_COUNT; f++)
        if (used >> f & 1)
            define_figure(w, f);
    fzi_buffer_text(w->out, "</defs>\n");
}

static size_t add_figures(const writer *w, size_t first)
{
    const fzi_shape *figure = &w->scene->shapes[first];
    size_t count = 0;

    fzi_buffer_text(w->out, "<g");
    add_colour(w->out, "fill", fzi_paint_colour(w->theme, figure->fill));
    add_colour(w->out, "stroke", fzi_shape_ink(w->theme, figure));
    fzi_buffer_text(w->out, ">\n");
    for (; first + count < w->scene->shape_count; count++) {
        const fzi_shape *next = &w->scene->shapes[first + count];
        if (next->kind != FZI_FIGURE || next->fill != figure->fill || next->on != figure->on)
            break;
        const fzi_point *at = fzi_shape_points(w->scene, next);
        fzi_buffer_format(w->out, "<use href=\"#figure-%u\" transform=\"translate(", next->figure);
        add_number(w->out, at->x - next->size / 2, true);
        add_number(w->out, at->y - next->size / 2, false);
        long scale = lround(next->size * 100); /* no comma, whatever the locale */
        fzi_buffer_format(w->out, ")scale(%ld.%02ld)\"/>", scale / 100, scale % 100);
    }
    fzi_buffer_text(w->out, "</g>\n");
    return count;
}

/* ---- the whole ---- */

static size_t add_shapes(const writer *w, size_t first)
{
    const fzi_shape *shape = &w->scene->shapes[first];

    if (shape->kind == FZI_POLYGON && !shape->fill && !shape->stroke)
        return 1; /* it only says where something is */
    switch ((enum fzi_shape_kind)shape->kind) {
    case FZI_ARROW: add_arrow(w, shape); return 1;
    case FZI_FIGURE: return add_figures(w, first);
    case FZI_LABEL: return add_labels(w, first);
    default: return add_run(w, first);
    }
}

void fzi_scene_svg(const fzi_scene *scene, enum fzi_theme theme, double cell, fzi_buffer *out)
{
    const writer w = {scene, theme, out};
    fzi_point low = scene->low, high = scene->high, size = {high.x - low.x, high.y - low.y};
    const fzi_point paper[] = {low, {high.x, low.y}, high, {low.x, high.y}};

    fzi_buffer_format(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%ld\" height=\"%ld\" "
                           "viewBox=\"", lround(ceil(size.x * cell)), lround(ceil(size.y * cell)));
    add_number(out, low.x, true);
    fzi_buffer_char(out, ' '); /* Firefox wants a blank before a minus here, other than in paths */
    add_number(out, low.y, true);
    add_number(out, size.x, false);
    add_number(out, size.y, false);
    fzi_buffer_text(out, "\" font-family=\"DejaVu Sans,Verdana,sans-serif\">\n<path");
    add_colour(out, "fill", fzi_paint_colour(theme, FZI_PAINT_PAPER));
    fzi_buffer_text(out, " d=\"");
    add_corners(out, paper, 4, true);
    fzi_buffer_text(out, "\"/>\n");
    define_figures(&w);
    for (size_t i = 0; i < scene->shape_count;)
        i += add_shapes(&w, i);
    fzi_buffer_text(out, "</svg>\n");
}
