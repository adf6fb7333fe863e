/* Places for the sites of graphs that say nothing of them, for text and for pictures. */
#ifndef FZ_INTERP_TEXT_GRAPH_LAYOUT_H
#define FZ_INTERP_TEXT_GRAPH_LAYOUT_H

#include "interp/program/program.h"
#include "interp/support/context.h"

/* Is it a graph whose places neither names ("e4") nor directions of the compass give? `x` and `y`
 * are its places so far; if two sites share one, the compass gave none. */
bool fzi_graph_is_loose(const fz_program *program, bool named, const int16_t *x, const int16_t *y);

/* The two vertices that an edge ends at; false: it has not two. */
bool fzi_graph_edge_ends(const fz_program *program, unsigned edge, unsigned ends[2]);

/* Places each site, x to the right and y down: neighbours are about 1 apart, and others as far as
 * they have steps to go. Large graphs and meshes lie in a circle, as do others without memory. `x`
 * and `y` have room for all sites. */
void fzi_graph_lay(const fz_program *program, fzi_allocator allocator, double *x, double *y);

#endif
