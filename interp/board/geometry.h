/* Questions about a board: steps, slides, leaps, lines, regions. A set is an array of board->words
 * words; bit 0 of word 0 is the first site. Results have no bits beyond the last site. `out` must
 * not overlap an input. */
#ifndef FZ_INTERP_BOARD_GEOMETRY_H
#define FZ_INTERP_BOARD_GEOMETRY_H

#include "topology.h"

void fzi_shift_set(const fzi_topology *t, const uint64_t *set, int dir, uint64_t *out);
void fzi_step(const fzi_topology *t, const uint64_t *set, uint64_t dirs, uint64_t *out);
void fzi_slide(const fzi_topology *t, int site, uint64_t dirs, const uint64_t *through,
               int64_t most, uint64_t *out); /* adds to `out` */
/* adds to `out` */
void fzi_leap(const fzi_topology *t, int site, int64_t a, int64_t b, uint64_t *out);
void fzi_ride(const fzi_topology *t, int site, int64_t a, int64_t b, const uint64_t *through,
              uint64_t *out);                         /* adds to `out` */
void fzi_ray(const fzi_topology *t, int site, int dir, uint64_t *out);
void fzi_flood(const fzi_topology *t, const uint64_t *start, const uint64_t *within, uint64_t dirs,
               uint64_t *out);
void fzi_between(const fzi_topology *t, int a, int b, uint64_t *out);
bool fzi_line(const fzi_topology *t, const uint64_t *set, int64_t n, uint64_t dirs);
bool fzi_line_at(const fzi_topology *t, int site, const uint64_t *set, int64_t n, uint64_t dirs);
bool fzi_connected(const fzi_topology *t, const uint64_t *from, const uint64_t *to,
                   const uint64_t *within, uint64_t dirs);
void fzi_flanked(const fzi_topology *t, int site, const uint64_t *row, const uint64_t *end,
                 uint64_t dirs, uint64_t *out);
void fzi_flanking(const fzi_topology *t, const uint64_t *end, const uint64_t *row,
                  const uint64_t *start, uint64_t dirs, uint64_t *out);
int fzi_neighbour(const fzi_topology *t, int site, int dir); /* -1: none; -1 for site or dir -1 */

#endif
