/* The outlines of the pieces that Unicode has symbols for, U+2654 to U+265F, and the strokes of
 * signs that pieces bear, drawn for Ferz. */
#ifndef FZ_INTERP_PICTURE_FIGURES_H
#define FZ_INTERP_PICTURE_FIGURES_H

#include "interp/program/program.h"

enum fzi_piece_figure {
#define FIGURE(id, kind, outline, details) FZI_FIGURE_##id,
#include "figures.def"
#undef FIGURE
    FZI_FIGURE_COUNT
};

/* In the order of the shapes of program/views.def. */
_Static_assert(FZ_SHAPE_OF_PAWN - FZ_SHAPE_OF_KING == FZI_FIGURE_PAWN &&
                   FZI_FIGURE_COUNT <= 64, "each piece is a shape; figures are members of a word");

/* Paths lie in a square of 100 by 100, y downwards: M x y, L x y, C x1 y1 x2 y2 x y, O x y radius
 * (a circle), Z. Numbers are whole, and blanks lie between all parts. */
typedef struct fzi_outline {
    const char *name;    /* of the kind of piece that it shows, or the sign */
    const char *outline; /* "": it is a sign, of strokes only */
    const char *details; /* lines inside, in the colour that contrasts with its own */
} fzi_outline;
extern const fzi_outline fzi_figures[FZI_FIGURE_COUNT];

#endif
