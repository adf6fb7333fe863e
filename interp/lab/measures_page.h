/* A page of measures: their values and the names of what they are about. It needs no program, so
 * joined shards can be reported where the script is missing. */
#ifndef FZ_INTERP_LAB_MEASURES_PAGE_H
#define FZ_INTERP_LAB_MEASURES_PAGE_H

#include "interp/measures/measures.h"

#include <jansson.h>

typedef struct fzi_measures_page {
    const json_t *experiment; /* with fzi_experiment_measures */
    const char *part;         /* which games these are; NULL: all */
    json_t *names;            /* fzi_measures_names; of the page */
    fzi_measures measures;
    bool has_depth;
    fzi_estimate depth;       /* strategic depth, in Elo */
} fzi_measures_page;

/* The names of the elements of all lists: an object with an array for each list, and the member
 * "symmetric": whether the board has symmetries. */
json_t *fzi_measures_names(const fz_program *program, const fzi_lines *lines, bool rollouts);
const char *fzi_element_name(const fzi_measures_page *page, unsigned list, uint32_t element);

/* A measure as it is printed. */
typedef struct fzi_figure {
    const char *name, *meaning;
    fzi_estimate estimate;    /* NAN: `low` and `high` without an interval, `value` if unknown */
} fzi_figure;
enum { FZI_MOST_FIGURES = FZ_MEASURES + 16 };
/* All that are no lists; how many. */
size_t fzi_measures_figures(const fzi_measures_page *page, fzi_figure figures[FZI_MOST_FIGURES]);
/* The whole page, as `ferz measure --format json` prints it. */
json_t *fzi_measures_page_json(const fzi_measures_page *page);
/* With four digits that count; "" for NAN. */
const char *fzi_number_text(double value, char text[32]);

#endif
