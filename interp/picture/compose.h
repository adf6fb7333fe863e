/* Pictures of states: the content of the text drawing (text/draw.h) as a scene. */
#ifndef FZ_INTERP_PICTURE_COMPOSE_H
#define FZ_INTERP_PICTURE_COMPOSE_H

#include "interp/text/draw.h"
#include "scene.h"

/* How much the sites and lines of a board are used, as shares of all use. */
typedef struct fzi_used_line {
    unsigned low, high; /* its two sites */
    double share;
} fzi_used_line;
typedef struct fzi_picture_use {
    const double *sites; /* by site; NULL: not shown */
    const fzi_used_line *lines;
    size_t line_count;   /* 0: not shown */
} fzi_picture_use;

/* Where a move went, as a viewer saw it; -1: nowhere that is known. */
typedef struct fzi_picture_move {
    int from, to;
} fzi_picture_move;

/* Pieces of one kind that a player has lost since the game began. */
typedef struct fzi_picture_lost {
    int owner, kind;
    unsigned number;
} fzi_picture_lost;

/* Additions to the position. */
typedef struct fzi_picture_task {
    int player;     /* what this player may see; -1: everything */
    bool moves;     /* the legal moves, */
    int from;       /* from this site only; -1: all */
    const fzi_picture_move *latest; /* NULL: the move that the state remembers, if it does */
    const fzi_picture_use *use; /* shown on the empty board, instead of the position; NULL */
    const fzi_picture_lost *lost; /* drawn beside the board, unless the game has hands */
    size_t lost_count;
    const char *set; /* the name of the region that is shaded as the set asked for; NULL */
} fzi_picture_task;

/* Makes the picture of a state. FZ_USAGE: there is no such player, or the moves were asked for and
 * another player decides than the one who looks. Clear the scene, whatever the status. */
fz_status fzi_picture_compose(fz_machine *machine, const fz_state *state,
                              const fzi_picture_task *task, fzi_scene *scene);

/* Where a waiting move begins and ends for who points at the board: what its option says, or else
 * the first and the last site that its text names; -1. */
void fzi_picture_move_sites(fz_machine *machine, const fz_state *state, const fz_move *move,
                            int *from, int *to);
/* The same as `player` sees it when it is played (-1: everything). */
fzi_picture_move fzi_picture_move_seen(fz_machine *machine, const fz_state *state,
                                       const fz_move *move, int player);

/* ---- shared by the files of this room ---- */

typedef enum fzi_board_style {
    FZI_STYLE_NONE,    /* there is no board */
    FZI_STYLE_SQUARES,
    FZI_STYLE_HEXES,   /* with a corner on top */
    FZI_STYLE_UPRIGHT, /* hexagons with an edge on top */
    FZI_STYLE_PITS,
    FZI_STYLE_POINTS   /* sites are points on lines */
} fzi_board_style;

typedef struct fzi_picture {
    fzi_drawing d;
    const fzi_picture_task *task;
    fzi_scene *scene;
    fzi_board_style style;
    bool round;         /* a graph laid out here: names stand outside of the points */
    fzi_point *at;      /* of each site */
    fzi_point low, high; /* around the board and what stands beside it so far */
    fzi_point board_low, board_high; /* around the sites */
    bool triangles;     /* cells are long triangles */
    bool figures;       /* kinds that have a figure are drawn as such */
    uint8_t paint[FZ_MAX_PLAYERS]; /* of each player */
    uint16_t men;       /* the kind of the men that are being drawn */
    uint64_t cut[FZ_MAX_WORDS]; /* sites that are not drawn, far from all pieces */
    uint8_t tint;       /* of the piece that is being drawn, instead of its owner's; or none */
} fzi_picture;

/* For triangular cells: the distance of rows, their length, the width of the bar. */
static const double fzi_triangle_rows = 8.6, fzi_triangle = 3.5, fzi_bar = 1;

/* ---- site_layout.c ---- */
/* The point `part` of the way from `a` to `b`. */
fzi_point fzi_point_between(fzi_point a, fzi_point b, double part);
/* True for boards of long triangles with a bar in the middle. */
bool fzi_has_bar(const fzi_picture *p);
/* Chooses the style and the places of the sites; neighbours are 1 apart. `at` has room. */
void fzi_sites_lay(fzi_picture *p);
/* True if the names of both sites have the same prefix: they are on the same board of several. */
bool fzi_same_layer(const fzi_picture *p, unsigned a, unsigned b);
/* The first site of the board that the site is on. */
unsigned fzi_layer_first(const fzi_picture *p, unsigned site);

/* ---- picture_board.c ---- */
void fzi_picture_board(fzi_picture *p);
/* The line that the board has between two sites; NULL: it is not drawn as one. */
fzi_shape *fzi_picture_way(const fzi_picture *p, unsigned a, unsigned b, enum fzi_paint paint,
                           double width);
/* The outline of a site's cell, `size` times as large. */
fzi_shape *fzi_picture_cell(const fzi_picture *p, unsigned site, double size,
                            enum fzi_paint fill, enum fzi_paint stroke);

/* ---- picture_pieces.c ---- */
void fzi_picture_players(fzi_picture *p);
/* The paint of a player's things, or the tint; of nobody's, if `owner` is negative. */
enum fzi_paint fzi_owner_paint(const fzi_picture *p, int owner);
/* A piece; a disc; a piece of the kind `men`, if there is one. `size` 1 fits into a cell. */
void fzi_picture_piece(fzi_picture *p, fzi_point at, double size, int kind, int owner);
void fzi_picture_body(fzi_picture *p, fzi_point at, double size, int owner);
void fzi_picture_man(fzi_picture *p, fzi_point at, double size, int owner);
/* A piece of no kind, with a shape of views.def. */
void fzi_picture_shape(fzi_picture *p, fzi_point at, double size, enum fz_piece_shape shape,
                       int owner);
/* The pieces in hand, beside the board. */
void fzi_picture_hands(fzi_picture *p);
/* The pieces that were lost, beside these. */
void fzi_picture_losses(fzi_picture *p);

/* ---- picture_cards.c ---- */
/* True if the variable is drawn as cards. */
bool fzi_picture_is_cards(const fz_program *program, const fz_variable *v);
void fzi_picture_cards(fzi_picture *p);
/* Are values of the type drawn as cards, or numbers as dice? */
bool fzi_picture_draws_type(const fzi_drawing *d, int type);

/* ---- picture_things.c ---- */
/* A die with its upper side, unless it is 0. */
void fzi_picture_die(fzi_picture *p, fzi_point at, double size, int64_t value);
/* A die, or lots beside each other, from `at` on; returns its width. */
double fzi_picture_throw(fzi_picture *p, fzi_point at, double size, fzi_throw thrown);
/* The paint that a value of an enum is called by; FZI_PAINT_NONE. */
enum fzi_paint fzi_picture_colour(const fz_program *program, const fz_variable *like,
                                  int64_t value);
/* Says where a colour is that can be clicked. */
void fzi_picture_swatch(fzi_picture *p, fzi_point at, double size, const char *name);
/* Draws the tokens of all sites. */
void fzi_picture_tokens(fzi_picture *p);
/* True for the colour that a piece carries: a shown variable whose values are named like paints. */
bool fzi_picture_is_tint(const fzi_drawing *d, const fz_variable *like);
/* True if it is drawn as something. */
bool fzi_picture_draws(const fzi_drawing *d, const fz_variable *like);
/* Draws the numbers of a site as things; `owner`: of the piece there, -2: there is none. True:
 * these are men, who stand for the piece too. */
bool fzi_picture_things(fzi_picture *p, unsigned site, int owner);
/* The elements of a value as things in a row from `at` on; returns its width. */
double fzi_things_row(fzi_picture *p, fzi_point at, double size, const fzi_shown_value *v,
                      uint32_t first, uint32_t end, int owner, bool draw);
/* Draws the men on the bar or the seeds in stores beside the pits; returns the value, or NULL. */
const fzi_shown_value *fzi_picture_aside(fzi_picture *p, const fzi_shown_value *values,
                                         unsigned count);

/* ---- picture_sites.c ---- */
void fzi_picture_sites(fzi_picture *p);

/* ---- picture_values.c ---- */
/* The values that are on no site. */
fz_status fzi_picture_values(fzi_picture *p);

/* ---- picture_text.c ---- */
/* The first index of an element, or all others. */
void fzi_picture_index(const fzi_picture *p, const fz_variable *like, uint32_t element, bool first,
                       fzi_buffer *out);
/* Adds lines below, as wide as the board, but not narrower than a short sentence. */
void fzi_picture_lines(fzi_picture *p, const char *text);
/* How much larger than usual the text below is, so that it can be read under a large board. */
double fzi_picture_scale(const fzi_picture *p);

/* ---- picture_marks.c ---- */
/* Under the pieces: the latest move. */
void fzi_picture_marks(fzi_picture *p);
/* Above the pieces: legal moves. */
fz_status fzi_picture_moves(fzi_picture *p);
/* How much the board is used. */
void fzi_picture_used(fzi_picture *p);

#endif
