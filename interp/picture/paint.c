/* Paints scenes with cairo: one routine for PNG and PDF. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "scene.h"

#ifndef HAVE_CAIRO

bool fzi_paints(void)
{
    return false;
}

const char *fzi_scene_paint(const fzi_scene *scene, enum fzi_picture_format format,
                            enum fzi_theme theme, double cell, fzi_buffer *out)
{
    (void)scene, (void)format, (void)theme, (void)cell, (void)out;
    return "this ferz was built without cairo, which paints pictures";
}

#else

#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>

#include "figures.h"

static const double full_turn = 6.283185307179586;

typedef struct painter {
    cairo_t *cr;
    const fzi_scene *scene;
    enum fzi_theme theme;
} painter;

bool fzi_paints(void)
{
    return true;
}

/* ---- colours ---- */

static void set_colour(const painter *p, uint32_t colour, bool faded)
{
    cairo_set_source_rgba(p->cr, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                          (colour & 255) / 255.0, faded ? 0.5 : 1);
}

/* Fills and strokes the path. */
static void finish(const painter *p, const fzi_shape *shape)
{
    if (shape->fill) {
        set_colour(p, fzi_paint_colour(p->theme, shape->fill), shape->faded);
        cairo_fill_preserve(p->cr);
    }
    if (shape->stroke) {
        const double dashes[] = {0.12, 0.08};
        set_colour(p, fzi_paint_colour(p->theme, shape->stroke), shape->faded);
        cairo_set_line_width(p->cr, shape->width);
        cairo_set_dash(p->cr, dashes, shape->dashed ? 2 : 0, 0);
        cairo_stroke_preserve(p->cr);
    }
    cairo_new_path(p->cr);
}

/* ---- figures ---- */

static double number(const char **path)
{
    char *end;
    long value = strtol(*path, &end, 10);

    *path = end;
    return (double)value;
}

static void circle_at(cairo_t *cr, const char **path)
{
    double x = number(path), y = number(path), radius = number(path);

    cairo_new_sub_path(cr);
    cairo_arc(cr, x, y, radius, 0, full_turn);
    cairo_close_path(cr);
}

static void curve_to(cairo_t *cr, const char **path)
{
    double at[6];

    for (int i = 0; i < 6; i++)
        at[i] = number(path);
    cairo_curve_to(cr, at[0], at[1], at[2], at[3], at[4], at[5]);
}

/* A path as figures.h describes it. */
static void add_path(cairo_t *cr, const char *path)
{
    while (*path) {
        char command = *path++;
        double x, y;
        switch (command) {
        case 'M': case 'L':
            x = number(&path);
            y = number(&path);
            (command == 'M' ? cairo_move_to : cairo_line_to)(cr, x, y);
            break;
        case 'C': curve_to(cr, &path); break;
        case 'O': circle_at(cr, &path); break;
        case 'Z': cairo_close_path(cr); break;
        default: break; /* a blank */
        }
    }
}

static void paint_figure(const painter *p, const fzi_shape *shape, fzi_point at)
{
    bool sign = fzi_figure_is_sign(shape->figure);
    uint32_t details = shape->on ? fzi_paint_contrast(p->theme, shape->on)
                                 : fzi_paint_colour(p->theme, shape->fill);

    cairo_save(p->cr);
    cairo_translate(p->cr, at.x - shape->size / 2, at.y - shape->size / 2);
    cairo_scale(p->cr, shape->size / 100, shape->size / 100);
    add_path(p->cr, fzi_figure_outline(shape->figure));
    set_colour(p, fzi_paint_colour(p->theme, shape->fill), false);
    cairo_fill_preserve(p->cr);
    /* The outline of a dark figure would not be seen on a dark site. */
    set_colour(p, details, false);
    cairo_set_line_width(p->cr, 3.5);
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(p->cr);
    add_path(p->cr, fzi_figure_details(shape->figure));
    cairo_set_line_width(p->cr, sign ? 7 : 3);
    cairo_stroke(p->cr);
    cairo_restore(p->cr);
}

/* ---- labels, arrows ---- */

/* The middle of the capitals lies at the height of the point. */
static void paint_label(const painter *p, const fzi_shape *shape, fzi_point at)
{
    const char *text = fzi_shape_text(p->scene, shape);
    cairo_text_extents_t all, capital;
    double x;

    cairo_set_font_size(p->cr, shape->size * 1.25);
    cairo_text_extents(p->cr, text, &all);
    cairo_text_extents(p->cr, "H", &capital);
    x = shape->anchor == FZI_ANCHOR_LEFT    ? at.x
        : shape->anchor == FZI_ANCHOR_RIGHT ? at.x - all.x_advance
                                            : at.x - all.x_bearing - all.width / 2;
    if (shape->on)
        set_colour(p, fzi_paint_contrast(p->theme, shape->on), false);
    else
        set_colour(p, fzi_paint_colour(p->theme, shape->fill), shape->faded);
    cairo_move_to(p->cr, x, at.y + capital.height / 2);
    cairo_show_text(p->cr, text);
    cairo_new_path(p->cr);
}

/* One outline: cairo's SVG keeps the memory of each group that would let a line and a head be faded
 * together. */
static void paint_arrow(const painter *p, const fzi_shape *shape, const fzi_point *at)
{
    double dx = at[1].x - at[0].x, dy = at[1].y - at[0].y, length = hypot(dx, dy);
    double head = 3 * shape->width, half = shape->width / 2, wing = head / 1.8;
    double along[] = {0, length - head, length - head, length, length - head, length - head, 0};
    double aside[] = {half, half, wing, 0, -wing, -half, -half};

    if (length <= 0)
        return;
    for (unsigned i = 0; i < sizeof along / sizeof *along; i++)
        cairo_line_to(p->cr, at[0].x + (along[i] * dx - aside[i] * dy) / length,
                      at[0].y + (along[i] * dy + aside[i] * dx) / length);
    cairo_close_path(p->cr);
    set_colour(p, fzi_paint_colour(p->theme, shape->stroke), shape->faded);
    cairo_fill(p->cr);
}

/* ---- the whole ---- */

static void paint_shape(const painter *p, const fzi_shape *shape)
{
    const fzi_point *at = fzi_shape_points(p->scene, shape);

    switch ((enum fzi_shape_kind)shape->kind) {
    case FZI_POLYGON: case FZI_LINES:
        for (uint32_t i = 0; i < shape->count; i++)
            cairo_line_to(p->cr, at[i].x, at[i].y);
        if (shape->kind == FZI_POLYGON)
            cairo_close_path(p->cr);
        finish(p, shape);
        break;
    case FZI_CIRCLE:
        cairo_arc(p->cr, at->x, at->y, shape->size, 0, full_turn);
        cairo_close_path(p->cr);
        finish(p, shape);
        break;
    case FZI_ARROW: paint_arrow(p, shape, at); break;
    case FZI_FIGURE: paint_figure(p, shape, *at); break;
    case FZI_LABEL: paint_label(p, shape, *at); break;
    }
}

static void paint_all(painter *p, double cell)
{
    const fzi_scene *scene = p->scene;

    set_colour(p, fzi_paint_colour(p->theme, FZI_PAINT_PAPER), false);
    cairo_paint(p->cr);
    cairo_scale(p->cr, cell, cell);
    cairo_translate(p->cr, -scene->low.x, -scene->low.y);
    cairo_select_font_face(p->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    for (size_t i = 0; i < scene->shape_count; i++)
        paint_shape(p, &scene->shapes[i]);
}

static cairo_status_t add_bytes(void *buffer, const unsigned char *bytes, unsigned length)
{
    fzi_buffer *out = buffer;

    fzi_buffer_add(out, bytes, length);
    return out->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *surface_of(enum fzi_picture_format format, double width, double height,
                                   fzi_buffer *out)
{
    cairo_surface_t *surface;

    if (format == FZI_PICTURE_PNG)
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    /* The same picture is the same file, whenever it is made. */
    surface = cairo_pdf_surface_create_for_stream(add_bytes, out, width, height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                   "2000-01-01T00:00:00Z");
    return surface;
}

const char *fzi_scene_paint(const fzi_scene *scene, enum fzi_picture_format format,
                            enum fzi_theme theme, double cell, fzi_buffer *out)
{
    double width = ceil((scene->high.x - scene->low.x) * cell);
    double height = ceil((scene->high.y - scene->low.y) * cell);
    cairo_surface_t *surface = surface_of(format, width, height, out);
    painter p = {.cr = cairo_create(surface), .scene = scene, .theme = theme};
    cairo_status_t status;

    paint_all(&p, cell);
    status = cairo_status(p.cr);
    cairo_destroy(p.cr);
    if (status == CAIRO_STATUS_SUCCESS && format == FZI_PICTURE_PNG)
        status = cairo_surface_write_to_png_stream(surface, add_bytes, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? NULL : cairo_status_to_string(status);
}

#endif
