/* Makes lists of shapes, and knows their paints and figures. Called by the other files of this
 * room. */
#include "scene.h"

#include <strings.h>

#include "interp/support/text.h"

static const struct {
    const char *name;
    uint32_t colours[FZI_THEME_COUNT];
} paints[] = {
#define PAINT(id, name, wood, plain, night) {name, {wood, plain, night}},
#include "paints.def"
#undef PAINT
};

static const char *const theme_names[] = {
#define THEME(name, meaning) #name,
#include "themes.def"
#undef THEME
};

const fzi_outline fzi_figures[] = {
#define FIGURE(id, kind, outline, details) {outline, details},
#include "figures.def"
#undef FIGURE
};

/* ---- shapes ---- */

void fzi_scene_init(fzi_scene *scene, fzi_allocator allocator)
{
    memset(scene, 0, sizeof *scene);
    scene->allocator = allocator;
    scene->texts = fzi_buffer_in(allocator);
}

void fzi_scene_clear(fzi_scene *scene)
{
    FZI_RELEASE(scene->allocator, scene->shapes, scene->points, scene->sites);
    fzi_buffer_free(&scene->texts);
}

/* Makes room for `count` items. False: memory is short, and the array stays. */
static bool grow(fzi_scene *scene, void **array, size_t *room, size_t count, size_t item)
{
    size_t memory = 0;
    bool done = fzi_array_grow(scene->allocator, &memory, SIZE_MAX, array, room, count, item) ==
                FZ_OK;

    scene->failed |= !done;
    return done;
}

fzi_shape *fzi_scene_add(fzi_scene *scene, enum fzi_shape_kind kind, const fzi_point *points,
                         size_t count)
{
    void *shapes = scene->shapes, *all = scene->points;
    bool room = grow(scene, &shapes, &scene->shape_room, scene->shape_count + 1,
                     sizeof *scene->shapes) &&
                grow(scene, &all, &scene->point_room, scene->point_count + count,
                     sizeof *scene->points);

    scene->lost = (fzi_shape){.kind = (uint8_t)kind};
    scene->shapes = shapes;
    scene->points = all;
    if (!room)
        return &scene->lost;
    fzi_shape *shape = &scene->shapes[scene->shape_count++];
    *shape = (fzi_shape){.kind = (uint8_t)kind,
                         .first = (uint32_t)scene->point_count,
                         .count = (uint32_t)count};
    memcpy(scene->points + scene->point_count, points, count * sizeof *points);
    scene->point_count += count;
    return shape;
}

fzi_shape *fzi_scene_path(fzi_scene *scene, enum fzi_shape_kind kind, const fzi_point *points,
                          size_t count, enum fzi_paint fill, enum fzi_paint stroke, double width)
{
    fzi_shape *shape = fzi_scene_add(scene, kind, points, count);

    shape->fill = (uint8_t)fill;
    shape->stroke = (uint8_t)stroke;
    shape->width = width;
    return shape;
}

fzi_shape *fzi_scene_line(fzi_scene *scene, fzi_point from, fzi_point to, enum fzi_paint paint,
                          double width)
{
    return fzi_scene_path(scene, FZI_LINES, (fzi_point[]){from, to}, 2, FZI_PAINT_NONE, paint,
                          width);
}

fzi_shape *fzi_scene_arrow(fzi_scene *scene, fzi_point from, fzi_point to, enum fzi_paint paint,
                           double width)
{
    return fzi_scene_path(scene, FZI_ARROW, (fzi_point[]){from, to}, 2, FZI_PAINT_NONE, paint,
                          width);
}

fzi_shape *fzi_scene_circle(fzi_scene *scene, fzi_point at, double radius, enum fzi_paint fill,
                            enum fzi_paint stroke, double width)
{
    fzi_shape *shape = fzi_scene_path(scene, FZI_CIRCLE, &at, 1, fill, stroke, width);

    shape->size = radius;
    return shape;
}

fzi_shape *fzi_scene_box(fzi_scene *scene, fzi_point low, fzi_point high, enum fzi_paint fill,
                         enum fzi_paint stroke, double width)
{
    fzi_point corners[] = {low, {high.x, low.y}, high, {low.x, high.y}};

    return fzi_scene_path(scene, FZI_POLYGON, corners, 4, fill, stroke, width);
}

fzi_shape *fzi_scene_square(fzi_scene *scene, fzi_point at, double size, enum fzi_paint fill,
                            enum fzi_paint stroke, double width)
{
    double half = size / 2;

    return fzi_scene_box(scene, (fzi_point){at.x - half, at.y - half},
                         (fzi_point){at.x + half, at.y + half}, fill, stroke, width);
}

fzi_shape *fzi_scene_label(fzi_scene *scene, fzi_point at, double size, enum fzi_paint paint,
                           const char *text)
{
    fzi_shape *shape = fzi_scene_add(scene, FZI_LABEL, &at, 1);

    shape->size = size;
    shape->fill = (uint8_t)paint;
    fzi_scene_name(scene, shape, text);
    return shape;
}

void fzi_scene_name(fzi_scene *scene, fzi_shape *shape, const char *text)
{
    if (!scene->texts.length)
        fzi_buffer_add(&scene->texts, "", 1); /* 0 is no name */
    shape->text = (uint32_t)scene->texts.length;
    fzi_buffer_add(&scene->texts, text, strlen(text) + 1);
    scene->failed |= scene->texts.failed;
}

/* Of common sans-serif fonts the widest, in hundredths of the size of the font. */
static int letter_width(char letter)
{
    static const struct { const char *letters; int width; } groups[] = {
        {"Iijl|", 34}, {" .,:;!'()[]frt-/", 40}, {"\"{}szcJ", 56}, {"mMW%@", 99}, {"wGOQDNHU", 82},
        {"=+<>~^#_", 84}};

    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (letter && strchr(groups[i].letters, letter))
            return groups[i].width;
    }
    return letter >= 'A' && letter <= 'Z' ? 70 : 64;
}

double fzi_label_width(const char *text)
{
    const double font = 1.25; /* the size of a font is that of its labels times this */
    bool plain = true;
    int width = 0;

    for (const char *c = text; *c; c++) {
        plain = plain && (unsigned char)*c < 128;
        width += letter_width(*c);
    }
    return plain ? font * width / 100 : 0.8 * (double)fzi_text_width(text);
}

/* ---- paints ---- */

enum fzi_paint fzi_paint_called(const char *name)
{
    for (int p = FZI_PAINT_COLOURS; p < FZI_PAINT_COUNT; p++) {
        if (strcasecmp(paints[p].name, name) == 0)
            return (enum fzi_paint)p;
    }
    return FZI_PAINT_NONE;
}

uint32_t fzi_paint_colour(enum fzi_theme theme, enum fzi_paint paint)
{
    return paints[paint].colours[theme];
}

/* The lightness of a colour from 0 to 255 (ITU-R BT.601). */
static unsigned lightness(uint32_t colour)
{
    return (299 * (colour >> 16 & 255) + 587 * (colour >> 8 & 255) + 114 * (colour & 255)) / 1000;
}

uint32_t fzi_shape_ink(enum fzi_theme theme, const fzi_shape *shape)
{
    if (!shape->on)
        return paints[shape->fill].colours[theme];
    return lightness(paints[shape->on].colours[theme]) > 125 ? 0x1c1a17 : 0xffffff;
}

int fzi_theme_called(const char *name)
{
    for (int t = 0; t < FZI_THEME_COUNT; t++) {
        if (strcmp(theme_names[t], name) == 0)
            return t;
    }
    return -1;
}

const char *fzi_theme_name(unsigned number)
{
    return number < FZI_THEME_COUNT ? theme_names[number] : NULL;
}
