/* Boards of .lud files as points and edges, numbered as Ludii numbers them. */
#ifndef FZ_GRAMMAR_IMPORT_LUD_GRAPH_H
#define FZ_GRAMMAR_IMPORT_LUD_GRAPH_H

#include "lud_writer.h"

enum {
    FZ_LUD_MOST_POINTS = 1000,
    FZ_LUD_MOST_EDGES = 3000,
    FZ_LUD_MOST_FACES = 800,
    FZ_LUD_MOST_CORNERS = 32
};

typedef struct fzi_lud_point {
    double x, y;
} fzi_lud_point;

typedef struct fzi_lud_edge {
    unsigned a, b;
} fzi_lud_edge;

typedef struct fzi_lud_face {
    unsigned corners[FZ_LUD_MOST_CORNERS], count;
} fzi_lud_face;

typedef struct fzi_lud_graph {
    fzi_lud_point points[FZ_LUD_MOST_POINTS];
    fzi_lud_edge edges[FZ_LUD_MOST_EDGES];
    fzi_lud_face faces[FZ_LUD_MOST_FACES];
    unsigned point_count, edge_count, face_count;
    bool full; /* there were too many of them */
} fzi_lud_graph;

/* ---- lud_points.c ---- */

unsigned fzi_lud_add_point(fzi_lud_graph *g, double x, double y);
bool fzi_lud_find_point(const fzi_lud_graph *g, double x, double y, unsigned *number);
/* The point there, which is added if there is none. */
unsigned fzi_lud_point_at(fzi_lud_graph *g, double x, double y);
/* Adds an edge unless it is there or leads nowhere. */
void fzi_lud_add_edge(fzi_lud_graph *g, unsigned a, unsigned b);
/* The point there or hardly beside it, as Ludii joins boards. */
bool fzi_lud_find_near(const fzi_lud_graph *g, fzi_lud_point p, unsigned *number);
/* An edge between the points at these places, if they are there. */
void fzi_lud_join_points(fzi_lud_graph *g, double ax, double ay, double bx, double by);
/* The number of an edge; false: there is none. */
bool fzi_lud_find_edge(const fzi_lud_graph *g, unsigned a, unsigned b, unsigned *number);
/* Edges between all points at this distance. */
void fzi_lud_join_near(fzi_lud_graph *g, double distance);
/* These remove the faces at it, too. */
void fzi_lud_remove_point(fzi_lud_graph *g, unsigned number);
void fzi_lud_remove_edge(fzi_lud_graph *g, unsigned number);
fzi_lud_point fzi_lud_middle(const fzi_lud_graph *g, const fzi_lud_face *face);
/* Sorts the points and the faces by rows from the bottom, and in a row from the left. */
void fzi_lud_renumber(fzi_lud_graph *g);

/* ---- lud_faces.c ---- */

void fzi_lud_turn_clockwise(const fzi_lud_graph *g, fzi_lud_face *face);
/* Finds all faces: the polygons of edges with no edge inside. */
void fzi_lud_make_faces(fzi_lud_graph *g);
/* Removes a face, and the edges that are sides of no other one. */
void fzi_lud_remove_face(fzi_lud_graph *g, unsigned number);
/* A point for each face, and edges between faces with a common edge. */
bool fzi_lud_dual(fzi_lud_graph *g);
/* How the step from one face to another one is called; FZ_LUD_APART: there is none. */
enum fzi_lud_contact { FZ_LUD_APART, FZ_LUD_BY_EDGE, FZ_LUD_BY_CORNER };
enum fzi_lud_contact fzi_lud_step_between(const fzi_lud_graph *g, unsigned from, unsigned to);
/* Is the point inside of the polygon, or on its border? */
bool fzi_lud_is_inside(const fzi_lud_point *polygon, size_t count, fzi_lud_point p);

/* ---- lud_graph.c ---- */

/* (merge {…}), (remove …) and so on, or a shape; false: it is not translated. */
bool fzi_lud_evaluate(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g);

/* ---- lud_shapes.c ---- */

/* A form as a number, a pair of numbers, or a whole number from 0; false: it is none. */
bool fzi_lud_real(fzi_lud_writer *w, const fzi_lud *node, double *value);
bool fzi_lud_pair(fzi_lud_writer *w, const fzi_lud *node, double *x, double *y);
bool fzi_lud_whole(fzi_lud_writer *w, const fzi_lud *node, unsigned *value);
/* (square 5 diagonals:Solid), (tri 4), (concentric {1 8}) and so on; false: it is none of them. */
bool fzi_lud_shape(fzi_lud_writer *w, const fzi_lud *shape, fzi_lud_graph *g);

#endif
