/* A drawing in progress, shared by the files that draw boards as text. */
#ifndef FZ_INTERP_TEXT_DRAW_H
#define FZ_INTERP_TEXT_DRAW_H

#include "interp/ferz_tools.h"
#include "interp/program/program.h"
#include "interp/state/state.h"
#include "interp/support/buffer.h"
#include "interp/support/context.h"
#include "position.h"
#include "let_values.h"

enum { FZ_MAX_CELL = 24, FZI_THROWS = 8 };

typedef struct fzi_drawn_cell {
    char text[FZ_MAX_CELL * 4]; /* empty: an edge without a piece */
    int owner;          /* -1: a piece without owner, -2: no piece */
    bool latest;        /* the latest move went there */
    bool bare;          /* nothing is known of the site: the text is a dot, a mark or its name */
    uint8_t values;     /* where in the text the shown values begin */
    unsigned under;     /* pieces under the one that the text shows */
} fzi_drawn_cell;

/* A value that `show` names: a variable, or a `let` with a block of its own for its values. */
typedef struct fzi_shown_value {
    const fz_program *program; /* its layout has their places in the block */
    const uint8_t *block;
    const fz_variable *like;
    const char *mark; /* what is drawn on the empty sites that it names; NULL: its values are */
    const uint8_t *unknown; /* of a `let`, by element: 1 if the viewer cannot tell; NULL: it can */
} fzi_shown_value;

/* An arrow between two neighbours; both ways are one. */
typedef struct fzi_arrow {
    int16_t low, high;  /* the sites, low < high; 0, 0: there is none */
    uint8_t ways;       /* 1: from low to high, 2: back */
} fzi_arrow;

typedef struct fzi_drawing {
    const fz_program *program;
    const fz_state *state;
    fz_machine *machine;
    const uint8_t *base;
    int viewer;         /* -1: everything is shown */
    bool colour, palette, ascii, symbols; /* the styles FZ_DRAW_ */
    bool bare;          /* without the lines that say whose turn it is */
    const fz_state *known; /* the state as the viewer knows it, and its block */
    const uint8_t *block;
    uint64_t unseen[FZ_MAX_WORDS];
    const uint64_t *marked; /* sites that get a star; NULL: none */
    fzi_shown_value *shown;
    unsigned shown_count;
    fzi_lets lets;      /* the values of shown `let`s */
    fzi_drawn_cell *cells;
    int16_t *x, *y;     /* of each site, in half cells, y upwards */
    bool named;         /* the sites' names say where they lie: "e4" */
    bool loose;         /* no place is known: a graph laid out by its steps (graph_layout.c) */
    int16_t *line;      /* of each site, from the top */
    int lines;
    int left, right;    /* the least and the greatest x */
    int nearest;        /* half cells between the nearest sites of a line */
    /* where most steps of a direction go on the screen; -1: here and there */
    int8_t heading[FZ_MAX_DIRS];
    const fzi_shown_value *ways; /* what is drawn as arrows between the sites; NULL: nothing */
    const fzi_shown_value *ground; /* the colours of the sites; NULL: they have none */
    fzi_arrow *arrows;  /* [row][column], two rows for a line: its own and what is below it */
    size_t columns;
    size_t margin;
    size_t half;        /* columns for half a cell */
    size_t width;       /* of the widest cell */
    bool wooden;        /* White and Black play in these colours, on a board that has its own */
    bool checkered;     /* of two colours */
    /* a picture draws all of `ways` itself, what stands below the board, */
    bool picture;
    /* and the values on sites for which this is true; NULL: none */
    bool (*draws)(const struct fzi_drawing *d, const fz_variable *like);
    /* of a picture: what was thrown in this turn, unless shown values do; the lines below leave
     * that out then, and results of chance of a type whose values the picture draws */
    fzi_throw throws[FZI_THROWS];
    unsigned throw_count;
    bool draws_dice;
    bool (*draws_type)(const struct fzi_drawing *d, int type);
    fz_state *empty;    /* what `base` and `known` belong to */
    fzi_observed seen;
    fzi_buffer *out;
} fzi_drawing;

/* ---- draw.c ---- */
/* Fills the drawing of a state, of which program, state, machine, viewer, colour, ascii, picture
 * and out are set: what the viewer knows, the shown values, and where the sites lie. Close it,
 * whatever the status. */
fz_status fzi_drawing_open(fzi_drawing *d);
void fzi_drawing_close(fzi_drawing *d);
/* Writes the lines below a board: values of variables, what was played in this turn, whose turn it
 * is. A picture shows what is in hand itself, and `dice`, which this sets. */
void fzi_below_write(fzi_drawing *d);
/* True for a variable that stands below the board: it is shown or has changed. */
bool fzi_is_listed(const fzi_drawing *d, const fz_variable *v);
/* Numbers by player and kind of piece, as pieces in hand are counted. */
bool fzi_is_hand(const fz_program *program, const fz_variable *v);

/* ---- draw_shown.c ---- */
/* The text of a piece, of at most FZ_CELL_SIZE bytes, in `cell` or elsewhere. */
const char *fzi_drawn_piece(const fzi_drawing *d, int kind, int owner, char *cell);
/* Finds the shown values and computes the `let`s among them. */
fz_status fzi_shown_find(fzi_drawing *d);
bool fzi_is_by_site(const fz_program *program, const fz_variable *like);
/* True if it is written on the sites. */
bool fzi_is_on_sites(const fz_program *program, const fz_variable *like);
/* True if its values are sets of directions, which are drawn as arrows. */
bool fzi_is_dirs(const fz_program *program, const fz_variable *like);
fz_status fzi_cells_fill(fzi_drawing *d);
/* The first region, a shown value with a mark, that has the site: its index in `shown`; -1. */
int fzi_region_of(const fzi_drawing *d, unsigned site);
/* True if a shown set of sites, site, or `bool` by site contains the site, as the viewer knows. */
bool fzi_shown_names(const fzi_drawing *d, const fzi_shown_value *v, unsigned site);
/* True for boards that are no regular grid: empty sites are labelled with their names. */
bool fzi_names_sites(const fzi_drawing *d);

/* ---- draw_arrows.c ---- */
/* True if the viewer knows the element. */
bool fzi_shown_known(const fzi_drawing *d, const fzi_shown_value *v, uint32_t element);
/* Where each direction leads on the screen. The sites have been placed. */
void fzi_headings_find(fzi_drawing *d);
/* Adds arrows for the directions in `dirs` to the text of a site. */
void fzi_arrows_write(const fzi_drawing *d, uint32_t site, uint32_t dirs, fzi_buffer *out);
/* The directions in `dirs` that cannot be drawn between the site and a neighbour. */
uint32_t fzi_arrows_left(const fzi_drawing *d, uint32_t site, uint32_t dirs);
/* The column of the text at which the site stands. */
size_t fzi_column_of(const fzi_drawing *d, unsigned site);
/* Places the arrows between the sites. False: two need the same place, or a character is
 * missing. */
bool fzi_arrows_place(fzi_drawing *d);
const char *fzi_arrow_text(const fzi_drawing *d, const fzi_arrow *arrow);

/* ---- draw_things.c ---- */
/* What rows of `view` call a shown value; -1: it is none. */
int64_t fzi_view_number(const fzi_drawing *d, const fz_variable *like);
/* How `view` says that a value is drawn: FZ_HINT_MEN, TOKEN, BAR, SEEDS or DICE; -1: as others. */
int fzi_look_of(const fzi_drawing *d, const fz_variable *like);
/* The number of a site in `view { numbers ...; }`, as the viewer or the player who decides counts;
 * -1: none. */
int fzi_site_number(const fzi_drawing *d, unsigned site);
/* The name with blanks between its words. */
void fzi_name_words(const fz_program *program, const fz_variable *like, fzi_buffer *out);
/* True if fzi_things_write can write a line about the value. */
bool fzi_is_thing(const fzi_drawing *d, const fz_variable *like);
void fzi_things_write(const fzi_drawing *d, const fzi_shown_value *value);

/* ---- draw_cards.c ---- */
/* Rewrites the lines from `start` on, which have values of the type: cards with suits become signs
 * of suits, on terminals that have them. */
void fzi_cards_write(const fzi_drawing *d, uint16_t type, size_t start);

/* ---- draw_places.c ---- */
/* Places the sites: lines, and half cells in them. */
void fzi_sites_place(fzi_drawing *d);
/* The sites of a line by x; returns how many. */
unsigned fzi_line_sites(const fzi_drawing *d, int line, uint16_t *sites);
/* Where a drawing shows each site, in half cells, y upwards. True: the names of a graph's sites say
 * it ("e4"). */
bool fzi_sites_where(const fz_program *program, int16_t *x, int16_t *y);

/* ---- draw_board.c ---- */
/* The number of the escape sequence for the colour of a player. */
const char *fzi_player_colour(const fzi_drawing *d, int player);
/* The name of the colour that a player is called by, or that a shown value gives it; NULL. */
const char *fzi_player_colour_name(const fzi_drawing *d, int player);
/* The name of the colour of a site itself, or the player whose it is; NULL and -1. */
const char *fzi_ground_name(const fzi_drawing *d, unsigned site, int *player);
/* "e4" is column name "e" and row number 4; an upper-case beginning is the prefix of a layer. */
size_t fzi_name_letters(const char *name);
size_t fzi_name_prefix(const char *name);
/* True if letters and numbers of names can be written at the edges: sites with the same letters
 * are in one column, those with the same number in one line. */
bool fzi_has_edges(const fzi_drawing *d);
/* Chooses the shown values that are arrows and colours of the sites. */
void fzi_shown_choose(fzi_drawing *d);
/* Draws the board; place the sites before. */
fz_status fzi_board_draw(fzi_drawing *d);

/* ---- graph_layout.c ---- */

/* Places for the sites of graphs that say nothing of them, for text and for pictures. */

/* The sort of a site (enum fz_site_sort); all are cells where they do not differ. */
int fzi_sort_of(const fz_board *board, unsigned site);

/* True for a graph whose sites have no places by their names ("e4") or by directions of the
 * compass. `x` and `y` are the places so far; if two sites share one, the compass gave none. */
bool fzi_graph_is_loose(const fz_program *program, bool named, const int16_t *x, const int16_t *y);

/* The two vertices that an edge ends at; false: it is no edge, or it has not two. */
bool fzi_graph_edge_ends(const fz_program *program, unsigned edge, unsigned ends[2]);

/* Places each site, x to the right and y down: neighbours are about 1 apart, and others as far as
 * they have steps to go. Large graphs and meshes lie in a circle, as do others without memory. `x`
 * and `y` have room for all sites. */
void fzi_graph_lay(const fz_program *program, fzi_allocator allocator, double *x, double *y);

/* ---- piece_shape.c ---- */

/* The first row of `view { ... }` of this sort with this `a`; -1: with any. NULL: there is none. */
const fz_hint *fzi_hint_find(const fz_program *program, enum fz_hint_row row, int64_t a);

/* The looks of pieces, as `view { pieces ... }` and the names of the kinds say. */

/* True if kinds are drawn as the figures that they are named after: if all kinds have one, or
 * half of them and at least three, or if all six figures occur. A king among men has none. */
bool fzi_has_figures(const fz_program *program);
/* The shape by the hint for the kind, for its owner (-1: none) or for all pieces; else a figure
 * or a disc. */
enum fz_piece_shape fzi_piece_shape(const fz_program *program, bool figures, int kind, int owner);
/* Follows `view { cells ... }`. By default boards are checkered that have an even number of columns
 * and of rows, or figures that only their names tell. */
bool fzi_is_checkered(const fz_program *program);
/* True if `view { cells cropped; }` leaves out cells far from all pieces. */
bool fzi_hint_is_cropped(const fz_program *program);
/* True if the disc of the kind has no letter: by a hint, or for the only kind, or the first of
 * two. */
bool fzi_is_plain_disc(const fz_program *program, int kind);

/* The symbol of a piece for drawings in text; NULL: it has none, or the symbol would not show
 * the owner. `coloured`: the colour shows it. */
const char *fzi_piece_symbol(const fz_program *program, bool coloured, int kind, int owner);

#endif
