/* Scenes as SVG. */
#ifndef FZ_INTERP_PICTURE_SVG_H
#define FZ_INTERP_PICTURE_SVG_H

#include "scene.h"

/* Adds the scene as an SVG document, with `cell` pixels for its unit: text in UTF-8, the same bytes
 * on every machine. Letters are text, so the reader's fonts draw them. Without memory `out` has
 * failed. */
void fzi_scene_svg(const fzi_scene *scene, enum fzi_theme theme, double cell, fzi_buffer *out);

#endif
