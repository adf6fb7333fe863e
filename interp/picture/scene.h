/* A picture as a list of shapes, in the order in which they are painted. compose.c makes it of a
 * state; painters outside of the library make a file of it. A scene says nothing of colours and
 * fonts: shapes have paints (paints.def), which a theme makes into colours.
 *
 * The unit of length is the distance of neighbouring sites. x leads right, y leads down. */
#ifndef FZ_INTERP_PICTURE_SCENE_H
#define FZ_INTERP_PICTURE_SCENE_H

#include <math.h>

#include "interp/support/buffer.h"

enum fzi_paint {
#define PAINT(id, name, wood, plain, night) FZI_PAINT_##id,
#include "paints.def"
#undef PAINT
    FZI_PAINT_COUNT,
    FZI_PAINT_COLOURS = FZI_PAINT_WHITE
};

enum fzi_theme {
#define THEME(name, meaning) FZI_THEME_##name,
#include "themes.def"
#undef THEME
    FZI_THEME_COUNT
};

enum fzi_shape_kind {
    FZI_POLYGON,  /* of its points */
    FZI_CIRCLE,   /* around its point; `size` is the radius */
    FZI_LINES,    /* along its points */
    FZI_ARROW,    /* from its first point to its second */
    FZI_FIGURE,   /* a figure of figures.def, in a square of `size` around its point */
    FZI_LABEL     /* `text`, of the height `size`; its point is the middle of the line */
};

/* Figures of pieces, drawn for Ferz: those that Unicode has symbols for, U+2654 to U+265F, and
 * signs on pieces. */
enum fzi_piece_figure {
#define FIGURE(id, kind, outline, details) FZI_FIGURE_##id,
#include "figures.def"
#undef FIGURE
    FZI_FIGURE_COUNT
};

/* Paths lie in a square of 100 by 100, y downwards: M x y, L x y, C x1 y1 x2 y2 x y, O x y radius
 * (a circle), Z. Numbers are whole, and blanks lie between all parts. */
typedef struct fzi_outline {
    const char *outline; /* "": it is a sign, of strokes only */
    const char *details; /* lines inside, in the colour that contrasts with its own */
} fzi_outline;
extern const fzi_outline fzi_figures[FZI_FIGURE_COUNT];

/* What a named shape is for who points at it. */
enum fzi_role { FZI_ROLE_NONE, FZI_ROLE_CARD, FZI_ROLE_DIE, FZI_ROLE_HAND, FZI_ROLE_SWATCH };

/* Where the point of a label lies. */
enum fzi_anchor { FZI_ANCHOR_MIDDLE, FZI_ANCHOR_LEFT, FZI_ANCHOR_RIGHT };

typedef struct fzi_shape {
    uint8_t kind;
    uint8_t fill;         /* FZI_PAINT_NONE: it is not filled */
    uint8_t stroke;       /* the outline; FZI_PAINT_NONE: there is none */
    uint8_t anchor;       /* of a label */
    uint8_t figure;
    uint8_t role;         /* of a named shape */
    uint8_t on;           /* a label or figure stands on this paint and takes a contrasting one;
                             FZI_PAINT_NONE: it has its own */
    bool dashed, faded;   /* a dashed outline; half transparent */
    double width;         /* of the outline */
    double size;
    uint32_t first, count; /* points */
    uint32_t text;        /* offset in texts: a label's; of another shape its name; 0: none */
} fzi_shape;

typedef struct fzi_point { double x, y; } fzi_point;

typedef struct fzi_scene {
    fzi_allocator allocator;
    fzi_shape *shapes;
    size_t shape_count, shape_room;
    fzi_point *points;
    size_t point_count, point_room;
    fzi_buffer texts;     /* each ends in NUL */
    fzi_point low, high;  /* the corners of the picture */
    fzi_point *sites;     /* the middle of each site, for who points at them; NULL: no board */
    size_t site_count;
    size_t below;         /* the first shape of the lines of text below the board; */
    double below_y;       /* where they begin; */
    size_t below_text;    /* and their text before it was cut into lines: offset in texts */
    fzi_shape lost;       /* what there was no memory for */
    bool failed;          /* memory was short: something is missing */
} fzi_scene;

void fzi_scene_init(fzi_scene *scene, fzi_allocator allocator);
void fzi_scene_clear(fzi_scene *scene);

/* Adds a shape with its points; returns it, to be changed before the next one is added. Never NULL:
 * without memory it is one that nobody sees, and the scene has failed. */
fzi_shape *fzi_scene_add(fzi_scene *scene, enum fzi_shape_kind kind, const fzi_point *points,
                         size_t count);
/* FZI_POLYGON or FZI_LINES with a fill and an outline. */
fzi_shape *fzi_scene_path(fzi_scene *scene, enum fzi_shape_kind kind, const fzi_point *points,
                          size_t count, enum fzi_paint fill, enum fzi_paint stroke, double width);
fzi_shape *fzi_scene_line(fzi_scene *scene, fzi_point from, fzi_point to, enum fzi_paint paint,
                          double width);
fzi_shape *fzi_scene_circle(fzi_scene *scene, fzi_point at, double radius, enum fzi_paint fill,
                            enum fzi_paint stroke, double width);
fzi_shape *fzi_scene_label(fzi_scene *scene, fzi_point at, double size, enum fzi_paint paint,
                           const char *text);
/* Names what the shape is, as moves name it: who points at the card means its moves. */
void fzi_scene_name(fzi_scene *scene, fzi_shape *shape, const char *text);
/* A rectangle between two corners; a square with the middle `at`, `size` wide. */
fzi_shape *fzi_scene_box(fzi_scene *scene, fzi_point low, fzi_point high, enum fzi_paint fill,
                         enum fzi_paint stroke, double width);
fzi_shape *fzi_scene_square(fzi_scene *scene, fzi_point at, double size, enum fzi_paint fill,
                            enum fzi_paint stroke, double width);
fzi_shape *fzi_scene_arrow(fzi_scene *scene, fzi_point from, fzi_point to, enum fzi_paint paint,
                           double width);

static inline const fzi_point *fzi_shape_points(const fzi_scene *scene, const fzi_shape *shape)
{
    return scene->points + shape->first;
}

static inline const char *fzi_shape_text(const fzi_scene *scene, const fzi_shape *shape)
{
    return fzi_buffer_get(&scene->texts) + shape->text;
}

/* The width of a text of height 1, at most and estimated: scenes know no fonts. */
double fzi_label_width(const char *text);

/* The paint called `name`, in any case, among those of players; FZI_PAINT_NONE. */
enum fzi_paint fzi_paint_called(const char *name);
/* The colour of a paint as 0xRRGGBB. */
uint32_t fzi_paint_colour(enum fzi_theme theme, enum fzi_paint paint);
/* The colour of a label, or of the lines of a figure: its own, or nearly black or white, which can
 * be read on the paint below it. */
uint32_t fzi_shape_ink(enum fzi_theme theme, const fzi_shape *shape);
/* The theme's number; -1: there is none of that name. */
int fzi_theme_called(const char *name);
/* From 0; NULL when there are no more. */
const char *fzi_theme_name(unsigned number);

/* ---- svg.c ---- */

/* Adds the scene as an SVG document, with `cell` pixels for its unit: text in UTF-8, the same bytes
 * on every machine. Letters are text, so the reader's fonts draw them. Without memory `out` has
 * failed. */
void fzi_scene_svg(const fzi_scene *scene, enum fzi_theme theme, double cell, fzi_buffer *out);

/* ---- paint.c ---- */

/* Painters: a scene as the bytes of a file, with cairo. Part of the command: libferz needs no
 * cairo. SVG is text, which the library writes. */
enum fzi_picture_format { FZI_PICTURE_PNG, FZI_PICTURE_PDF };

/* True if this build can paint: it has cairo. */
bool fzi_paints(void);

/* Paints the scene with `cell` pixels (PNG) or points (PDF) for its unit. The bytes are added
 * to `out`. NULL, or why there are none: a constant text. */
const char *fzi_scene_paint(const fzi_scene *scene, enum fzi_picture_format format,
                            enum fzi_theme theme, double cell, fzi_buffer *out);

#endif
