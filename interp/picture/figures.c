/* The names and outlines of the figures that pieces are drawn as, by number, for pictures. */
#include "figures.h"

static const struct {
    const char *name, *outline, *details;
} figures[] = {
#define FIGURE(id, kind, outline, details) {kind, outline, details},
#include "figures.def"
#undef FIGURE
};

bool fzi_figure_is_sign(unsigned figure)
{
    return !*figures[figure].outline;
}

const char *fzi_figure_name(unsigned figure)
{
    return figures[figure].name;
}

const char *fzi_figure_outline(unsigned figure)
{
    return figures[figure].outline;
}

const char *fzi_figure_details(unsigned figure)
{
    return figures[figure].details;
}
