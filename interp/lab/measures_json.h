/* Sums of measures as JSON, for shard files: whole numbers of 128 bits are texts, so nothing is
 * rounded. */
#ifndef FZ_INTERP_LAB_MEASURES_JSON_H
#define FZ_INTERP_LAB_MEASURES_JSON_H

#include <jansson.h>
#include "interp/measures/measures.h"

json_t *fzi_measures_json(const fzi_measures *measures);
/* Begins the measures in any case; `names` (fzi_measures_names) says how many elements the lists
 * have. False: these are not what fzi_measures_json and fzi_measures_names make. */
bool fzi_measures_read(const json_t *object, const json_t *names, fzi_allocator allocator,
                       fzi_measures *measures);

#endif
