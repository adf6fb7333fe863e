/* A board as the compiler makes it and a program file stores it. topology.h holds what is derived
 * from it. */
#ifndef FZ_INTERP_BOARD_BOARD_DATA_H
#define FZ_INTERP_BOARD_BOARD_DATA_H

#include <stdint.h>

enum {
    FZ_MAX_WORDS = 16,    /* W: words of a set */
    FZ_MAX_SITES = FZ_MAX_WORDS * 64,
    FZ_MAX_DIRS = 32,
    FZ_NOT_THERE = -1     /* off, nobody, none */
};

enum fz_board_shape {
    FZ_SHAPE_SQUARE, FZ_SHAPE_HEX, FZ_SHAPE_HEX_RHOMBUS, FZ_SHAPE_HEX_STAR, FZ_SHAPE_TRIANGLE,
    FZ_SHAPE_CIRCLE, FZ_SHAPE_PITS, FZ_SHAPE_TRACK, FZ_SHAPE_HEX_UPRIGHT, FZ_SHAPE_GRAPH,
    FZ_SHAPE_NONE /* `board none`: one site, which scripts cannot name and drawings leave out */
};

/* On boards with sites of several sorts. */
enum fz_site_sort { FZ_SORT_CELL, FZ_SORT_EDGE, FZ_SORT_VERTEX, FZ_SORT_COUNT };

/* The sites and how directions lead from one to another. fzi_topology_new derives everything
 * else. */
typedef struct fz_board {
    uint8_t shape;
    uint8_t on_vertices;
    uint8_t words;            /* W */
    uint8_t dir_count;
    uint16_t site_count;
    uint16_t columns, rows;   /* 0 where the board has none */
    const int16_t *next;      /* [dir * site_count + site]; -1 */
    const int16_t *column, *row; /* of each site, from 1; 0: none */
    const int16_t *x, *y;     /* where a drawing shows the site, in half cells, y upwards */
    uint8_t has_sorts;
    const uint8_t *sorts;     /* enum fz_site_sort of each site, if it has sorts */
    const uint32_t *site_names; /* text offsets */
    const uint32_t *dir_names;
    uint32_t orthogonal, diagonal, adjacent; /* masks of directions */
    uint8_t opposite[FZ_MAX_DIRS];           /* dir_count when there is none */
} fz_board;

#endif
