/* How much a board is used: lines as wide as their shares, sites with discs as large as theirs. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <math.h>

#include "compose.h"

static const double widest = 0.22, largest = 0.42;

static void add_lines(fzi_picture *p, const fzi_picture_use *use)
{
    double most = 0;

    for (size_t i = 0; i < use->line_count; i++)
        most = fmax(most, use->lines[i].share);
    for (size_t i = 0; i < use->line_count; i++) {
        const fzi_used_line *line = &use->lines[i];
        if (line->share > 0)
            fzi_picture_way(p, line->low, line->high, FZI_PAINT_RED, widest * line->share / most);
    }
}

static void add_sites(fzi_picture *p, const double *shares)
{
    unsigned count = p->d.program->board.site_count;
    double most = 0;

    for (unsigned s = 0; s < count; s++)
        most = fmax(most, shares[s]);
    for (unsigned s = 0; s < count; s++)
        if (shares[s] > 0)
            fzi_scene_circle(p->scene, p->at[s], largest * sqrt(shares[s] / most), FZI_PAINT_BLUE,
                             FZI_PAINT_NONE, 0);
}

void fzi_picture_used(fzi_picture *p)
{
    const fzi_picture_use *use = p->task->use;

    if (use->line_count)
        add_lines(p, use);
    if (use->sites)
        add_sites(p, use->sites);
}
