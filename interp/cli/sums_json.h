/* Sums over playouts as JSON: whole numbers of 128 bits are texts, so nothing is rounded. */
#ifndef FZ_CLI_SUMS_JSON_H
#define FZ_CLI_SUMS_JSON_H

#include "json.h"
#include "ferz_tools.h"

json_t *fzi_sums_json(const fz_sums *sums, unsigned players);
/* Begins the sums, also when they are refused: false, the object is not what fzi_sums_json makes,
 * or its numbers contradict each other. */
bool fzi_sums_read(const json_t *object, unsigned players, fz_sums *sums);

#endif
