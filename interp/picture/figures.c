/* The outlines of pieces. */
#include "figures.h"

#include <string.h>

static const struct {
    const char *name, *outline, *details;
} figures[] = {
#define FIGURE(id, kind, outline, details) {kind, outline, details},
#include "figures.def"
#undef FIGURE
};

const char *fzi_figure_name(unsigned figure)
{
    return figures[figure].name;
}

int fzi_figure_of(const char *kind)
{
    for (int f = 0; f < FZI_FIGURE_COUNT; f++) {
        if (strcmp(figures[f].name, kind) == 0)
            return f;
    }
    return -1;
}

const char *fzi_figure_outline(unsigned figure)
{
    return figures[figure].outline;
}

const char *fzi_figure_details(unsigned figure)
{
    return figures[figure].details;
}
