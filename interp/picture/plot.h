/* Plots as scenes: bars, curves and shares. They have their shapes, paints and fonts from pictures,
 * so a page of both looks like one, and tests compare them as text. The unit is that of boards: 48
 * pixels where FZI_PLOT_CELL is. */
#ifndef FZ_INTERP_PICTURE_PLOT_H
#define FZ_INTERP_PICTURE_PLOT_H

#include "scene.h"

enum { FZI_PLOT_CELL = 48 };

/* A value with its interval; without one, low and high are NAN. */
typedef struct fzi_plot_point {
    double x, value, low, high;
} fzi_plot_point;

/* Bars around whole numbers: how often each number occurred. Bin i counts the `width` numbers from
 * (first + i) * width on. Neighbouring bins share a bar where there are too many. */
typedef struct fzi_plot_bins {
    const uint64_t *of;
    size_t count;
    int64_t first, width;     /* width at least 1 */
} fzi_plot_bins;
void fzi_plot_numbers(fzi_scene *scene, const fzi_plot_bins *bins, const char *x, const char *y);

/* Curves through the values, with their intervals as bands, and a legend if there are several. The
 * points of each are sorted by x. */
typedef struct fzi_plot_series {
    const char *name;
    const fzi_plot_point *points;
    size_t count;
} fzi_plot_series;
void fzi_plot_curves(fzi_scene *scene, const fzi_plot_series *series, size_t count, const char *x,
                     const char *y);

/* Bars that lie below each other, with their intervals. */
typedef struct fzi_plot_bar {
    const char *name;
    enum fzi_paint paint;
    double value, low, high;
} fzi_plot_bar;
/* Plots shares from 0 to 1. */
void fzi_plot_shares(fzi_scene *scene, const fzi_plot_bar *bars, size_t count);
/* Plots any values; `x` names them. */
void fzi_plot_values(fzi_scene *scene, const fzi_plot_bar *bars, size_t count, const char *x);

#endif
