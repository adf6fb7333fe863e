/* Painters: a scene as the bytes of a file, with cairo. Part of the command: libferz needs no
 * cairo. SVG is text, which the library writes (svg.h). */
#ifndef FZ_INTERP_PICTURE_PAINT_H
#define FZ_INTERP_PICTURE_PAINT_H

#include "scene.h"

enum fzi_picture_format { FZI_PICTURE_PNG, FZI_PICTURE_PDF };

/* Can this build paint? Without cairo it cannot. */
bool fzi_paints(void);

/* Paints the scene with `cell` pixels (PNG) or points (PDF) for its unit. The bytes are added
 * to `out`. NULL, or why there are none: a constant text. */
const char *fzi_scene_paint(const fzi_scene *scene, enum fzi_picture_format format,
                            enum fzi_theme theme, double cell, fzi_buffer *out);

#endif
