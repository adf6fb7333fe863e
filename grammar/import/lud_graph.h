/* Boards of .lud files as points and edges, numbered as Ludii numbers them. */
#ifndef FZ_GRAMMAR_IMPORT_LUD_GRAPH_H
#define FZ_GRAMMAR_IMPORT_LUD_GRAPH_H

#include "lud_writer.h"

enum { FZ_LUD_MOST_POINTS = 500, FZ_LUD_MOST_EDGES = 2500 };

typedef struct fzi_lud_point {
    double x, y;
} fzi_lud_point;

typedef struct fzi_lud_edge {
    unsigned a, b;
} fzi_lud_edge;

typedef struct fzi_lud_graph {
    fzi_lud_point points[FZ_LUD_MOST_POINTS];
    fzi_lud_edge edges[FZ_LUD_MOST_EDGES];
    unsigned point_count, edge_count;
    bool full; /* there were too many of either */
} fzi_lud_graph;

/* ---- lud_points.c ---- */

unsigned fzi_lud_add_point(fzi_lud_graph *g, double x, double y);
bool fzi_lud_find_point(const fzi_lud_graph *g, double x, double y, unsigned *number);
/* The point there, which is added if there is none. */
unsigned fzi_lud_point_at(fzi_lud_graph *g, double x, double y);
/* Adds an edge unless it is there or leads nowhere. */
void fzi_lud_add_edge(fzi_lud_graph *g, unsigned a, unsigned b);
/* An edge between the points at these places, if they are there. */
void fzi_lud_join_points(fzi_lud_graph *g, double ax, double ay, double bx, double by);
/* Sorts the points by rows from the bottom, and in a row from the left. */
void fzi_lud_renumber(fzi_lud_graph *g);

/* ---- lud_shapes.c ---- */

/* A form as a number, a pair of numbers, or a whole number from 0; false: it is none. */
bool fzi_lud_real(fzi_lud_writer *w, const fzi_lud *node, double *value);
bool fzi_lud_pair(fzi_lud_writer *w, const fzi_lud *node, double *x, double *y);
bool fzi_lud_whole(fzi_lud_writer *w, const fzi_lud *node, unsigned *value);
/* (square 5 diagonals:Solid), (tri 4), (concentric {1 8}) and so on; false: it is none of them. */
bool fzi_lud_shape(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g);

#endif
