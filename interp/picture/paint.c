/* Paints scenes with cairo, as PNG or PDF, for the command. A process of its own paints: without
 * memory, libraries below cairo crash or wait for ever. */
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
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/support/on_demand.h"

#define CAIRO_FUNCTIONS(F)                                                                        \
    F(arc) F(close_path) F(create) F(curve_to) F(destroy) F(fill) F(fill_preserve)                \
    F(image_surface_create) F(line_to) F(move_to) F(new_path) F(new_sub_path) F(paint)            \
    F(pdf_surface_create_for_stream) F(pdf_surface_set_metadata) F(restore) F(save) F(scale)      \
    F(select_font_face) F(set_dash) F(set_font_size) F(set_line_join) F(set_line_width)           \
    F(set_source_rgba) F(show_text) F(status) F(status_to_string) F(stroke) F(stroke_preserve)    \
    F(surface_destroy) F(surface_finish) F(surface_status) F(surface_write_to_png_stream)         \
    F(text_extents) F(translate)

typedef struct cairo_library {
#define POINTER(name) FZI_POINTER(cairo_, name)
    CAIRO_FUNCTIONS(POINTER)
#undef POINTER
} cairo_library;

enum { PATIENCE = 60 }; /* seconds */

static const double full_turn = 6.283185307179586;

typedef struct painter {
    const cairo_library *cairo;
    cairo_t *cr;
    const fzi_scene *scene;
    enum fzi_theme theme;
} painter;

/* ---- colours ---- */

static void set_colour(const painter *p, uint32_t colour, bool faded)
{
    p->cairo->set_source_rgba(p->cr, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                              (colour & 255) / 255.0, faded ? 0.5 : 1);
}

/* Fills and strokes the path. */
static void finish(const painter *p, const fzi_shape *shape)
{
    if (shape->fill) {
        set_colour(p, fzi_paint_colour(p->theme, shape->fill), shape->faded);
        p->cairo->fill_preserve(p->cr);
    }
    if (shape->stroke) {
        const double dashes[] = {0.12, 0.08};
        set_colour(p, fzi_paint_colour(p->theme, shape->stroke), shape->faded);
        p->cairo->set_line_width(p->cr, shape->width);
        p->cairo->set_dash(p->cr, dashes, shape->dashed ? 2 : 0, 0);
        p->cairo->stroke_preserve(p->cr);
    }
    p->cairo->new_path(p->cr);
}

/* ---- figures ---- */

static double number(const char **path)
{
    char *end;
    long value = strtol(*path, &end, 10);

    *path = end;
    return (double)value;
}

static void circle_at(const painter *p, const char **path)
{
    double x = number(path), y = number(path), radius = number(path);

    p->cairo->new_sub_path(p->cr);
    p->cairo->arc(p->cr, x, y, radius, 0, full_turn);
    p->cairo->close_path(p->cr);
}

static void curve_to(const painter *p, const char **path)
{
    double at[6];

    for (int i = 0; i < 6; i++)
        at[i] = number(path);
    p->cairo->curve_to(p->cr, at[0], at[1], at[2], at[3], at[4], at[5]);
}

/* A path as scene.h describes it. */
static void add_path(const painter *p, const char *path)
{
    while (*path) {
        char command = *path++;
        double x, y;
        switch (command) {
        case 'M': case 'L':
            x = number(&path);
            y = number(&path);
            (command == 'M' ? p->cairo->move_to : p->cairo->line_to)(p->cr, x, y);
            break;
        case 'C': curve_to(p, &path); break;
        case 'O': circle_at(p, &path); break;
        case 'Z': p->cairo->close_path(p->cr); break;
        default: break; /* a blank */
        }
    }
}

static void paint_figure(const painter *p, const fzi_shape *shape, fzi_point at)
{
    const fzi_outline *figure = &fzi_figures[shape->figure];

    p->cairo->save(p->cr);
    p->cairo->translate(p->cr, at.x - shape->size / 2, at.y - shape->size / 2);
    p->cairo->scale(p->cr, shape->size / 100, shape->size / 100);
    add_path(p, figure->outline);
    set_colour(p, fzi_paint_colour(p->theme, shape->fill), false);
    p->cairo->fill_preserve(p->cr);
    /* The outline of a dark figure would not be seen on a dark site. */
    set_colour(p, fzi_shape_ink(p->theme, shape), false);
    p->cairo->set_line_width(p->cr, 3.5);
    p->cairo->set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    p->cairo->stroke(p->cr);
    add_path(p, figure->details);
    p->cairo->set_line_width(p->cr, *figure->outline ? 3 : 7);
    p->cairo->stroke(p->cr);
    p->cairo->restore(p->cr);
}

/* ---- labels, arrows ---- */

/* The middle of the capitals lies at the height of the point. */
static void paint_label(const painter *p, const fzi_shape *shape, fzi_point at)
{
    const char *text = fzi_shape_text(p->scene, shape);
    cairo_text_extents_t all, capital;

    p->cairo->set_font_size(p->cr, shape->size * 1.25);
    p->cairo->text_extents(p->cr, text, &all);
    p->cairo->text_extents(p->cr, "H", &capital);
    double x = shape->anchor == FZI_ANCHOR_LEFT    ? at.x
        : shape->anchor == FZI_ANCHOR_RIGHT ? at.x - all.x_advance
                                            : at.x - all.x_bearing - all.width / 2;
    set_colour(p, fzi_shape_ink(p->theme, shape), shape->faded && !shape->on);
    p->cairo->move_to(p->cr, x, at.y + capital.height / 2);
    p->cairo->show_text(p->cr, text);
    p->cairo->new_path(p->cr);
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
        p->cairo->line_to(p->cr, at[0].x + (along[i] * dx - aside[i] * dy) / length,
                          at[0].y + (along[i] * dy + aside[i] * dx) / length);
    p->cairo->close_path(p->cr);
    set_colour(p, fzi_paint_colour(p->theme, shape->stroke), shape->faded);
    p->cairo->fill(p->cr);
}

/* ---- the whole ---- */

static void paint_shape(const painter *p, const fzi_shape *shape)
{
    const fzi_point *at = fzi_shape_points(p->scene, shape);

    switch ((enum fzi_shape_kind)shape->kind) {
    case FZI_POLYGON: case FZI_LINES:
        for (uint32_t i = 0; i < shape->count; i++)
            p->cairo->line_to(p->cr, at[i].x, at[i].y);
        if (shape->kind == FZI_POLYGON)
            p->cairo->close_path(p->cr);
        finish(p, shape);
        break;
    case FZI_CIRCLE:
        p->cairo->arc(p->cr, at->x, at->y, shape->size, 0, full_turn);
        p->cairo->close_path(p->cr);
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
    p->cairo->paint(p->cr);
    p->cairo->scale(p->cr, cell, cell);
    p->cairo->translate(p->cr, -scene->low.x, -scene->low.y);
    p->cairo->select_font_face(p->cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                               CAIRO_FONT_WEIGHT_NORMAL);
    for (size_t i = 0; i < scene->shape_count; i++)
        paint_shape(p, &scene->shapes[i]);
}

static cairo_status_t send_bytes(void *to, const unsigned char *bytes, unsigned length)
{
    const int *descriptor = to;

    while (length > 0) {
        ssize_t sent = write(*descriptor, bytes, length);
        if (sent < 0 && errno != EINTR)
            return CAIRO_STATUS_WRITE_ERROR;
        bytes += sent > 0 ? sent : 0;
        length -= sent > 0 ? (unsigned)sent : 0;
    }
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *surface_of(const cairo_library *cairo, enum fzi_picture_format format,
                                   double width, double height, int *to)
{
    if (format == FZI_PICTURE_PNG)
        return cairo->image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    /* The same picture is the same file, whenever it is made. */
    cairo_surface_t *surface = cairo->pdf_surface_create_for_stream(send_bytes, to, width, height);
    cairo->pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                    "2000-01-01T00:00:00Z");
    return surface;
}

static bool load(cairo_library *cairo)
{
#ifdef CAIRO_SONAME
    FZI_LOAD(CAIRO_SONAME);
#define FIND(name) FZI_LOOK_UP(cairo, cairo_, name)
#else
#define FIND(name) FZI_LINKED(cairo, cairo_, name)
#endif
    CAIRO_FUNCTIONS(FIND)
#undef FIND
    return true;
}

bool fzi_paints(void)
{
    cairo_library cairo;

    return load(&cairo);
}

static cairo_status_t paint_to(const cairo_library *cairo, const fzi_scene *scene,
                               enum fzi_picture_format format, enum fzi_theme theme, double cell,
                               int to)
{
    double width = ceil((scene->high.x - scene->low.x) * cell);
    double height = ceil((scene->high.y - scene->low.y) * cell);

    cairo_surface_t *surface = surface_of(cairo, format, width, height, &to);
    painter p = {.cairo = cairo, .cr = cairo->create(surface), .scene = scene, .theme = theme};
    paint_all(&p, cell);
    cairo_status_t status = cairo->status(p.cr);
    cairo->destroy(p.cr);
    if (status == CAIRO_STATUS_SUCCESS && format == FZI_PICTURE_PNG)
        status = cairo->surface_write_to_png_stream(surface, send_bytes, &to);
    if (status == CAIRO_STATUS_PNG_ERROR) /* libpng knows no other reason here */
        status = CAIRO_STATUS_NO_MEMORY;
    cairo->surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo->surface_status(surface);
    cairo->surface_destroy(surface);
    return status;
}

/* What comes until the painter ends; NULL: all of a picture. */
static const char *receive(const cairo_library *cairo, pid_t process, int from, fzi_buffer *out)
{
    char bytes[4096];
    ssize_t got;
    int status;

    while ((got = read(from, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        fzi_buffer_add(out, bytes, got > 0 ? (size_t)got : 0);
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == CAIRO_STATUS_SUCCESS
                   ? NULL
                   : cairo->status_to_string((cairo_status_t)WEXITSTATUS(status));
    return WTERMSIG(status) == SIGALRM ? "out of memory, or painting takes more than a minute"
                                       : "out of memory, or cairo has crashed";
}

const char *fzi_scene_paint(const fzi_scene *scene, enum fzi_picture_format format,
                            enum fzi_theme theme, double cell, fzi_buffer *out)
{
    const char *problem = "cannot start the process that paints";
    cairo_library cairo;
    int ends[2];

    if (!load(&cairo))
        return "cannot load cairo, which paints pictures";
    if (pipe(ends) != 0)
        return problem;
    pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        signal(SIGALRM, SIG_DFL);
        alarm(PATIENCE);
        _exit((int)paint_to(&cairo, scene, format, theme, cell, ends[1]));
    }
    close(ends[1]);
    if (process > 0)
        problem = receive(&cairo, process, ends[0], out);
    close(ends[0]);
    return problem;
}

#endif
