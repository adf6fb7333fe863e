/* What the files that turn a .lud tree into a script share. */
#ifndef FZ_GRAMMAR_IMPORT_LUD_WRITER_H
#define FZ_GRAMMAR_IMPORT_LUD_WRITER_H

#include "importer.h"
#include "lud.h"
#include "lud_sow.h"

enum fzi_lud_type {
#define TYPE(id, letter) FZ_SAY_##id,
#include "lud_types.def"
#undef TYPE
    FZ_SAY_TYPES
};

/* A row of lud_forms.def. */
typedef struct fzi_lud_form {
    enum fzi_lud_type type;
    const fzi_lud *pattern;
    const char *text;
} fzi_lud_form;

/* Names of the moment, as Ferz has them; NULL: there is none. */
typedef struct fzi_lud_names {
    const char *from, *to, *between, *site, *player, *dir, *pips;
    bool played; /* the move has been made: in effects and in `end` */
} fzi_lud_names;

enum fzi_lud_owner {
    FZ_LUD_EACH = -1,
    FZ_LUD_NOBODY = 0,
    FZ_LUD_SHARED = -2
}; /* or a player, from 1 */

typedef struct fzi_lud_piece {
    const char *name; /* as written */
    const char *kind; /* in the script */
    int owner;
    char letter;          /* that no other kind has; 0: there is none */
    const fzi_lud *moves; /* NULL: none */
    bool moves_said;
    unsigned line;
} fzi_lud_piece;

typedef struct fzi_lud_region {
    const char *name; /* "" if it has none */
    int owner;        /* FZ_LUD_NOBODY: everybody's */
    const fzi_lud *sites;
    unsigned line;
    bool own_row; /* that of the player, which the library of mancala knows */
} fzi_lud_region;

enum { FZ_LUD_COMPASS = 16 };
extern const char *const fzi_lud_compass[FZ_LUD_COMPASS];

typedef struct fzi_lud_board {
    const char *text;   /* square(8) */
    const char **names; /* of the sites, by Ludii's numbers */
    size_t count;
    short (*next)[FZ_LUD_COMPASS]; /* of a graph: the neighbours by direction; -1: none */
    unsigned rows, columns;
    bool on_vertices, hexagons, is_graph;
    int turned;   /* a hexagon by so many degrees: its directions have other names */
    bool open;    /* a graph with no more edges than points: it has fewer faces than points */
    bool compass; /* a graph all of whose edges lead in the eight directions of the compass */
    bool renamed; /* a graph whose directions are names only */
    const char *orthogonal, *diagonal; /* of a graph of cells; "": not said; NULL: as it is named */
    bool holes;                        /* squares that are no whole rectangle */
    bool squares; /* such a graph has a square that no edge crosses, but Ludii's steps do */
    const char *top, *bottom, *left, *right; /* NULL: it has no such set */
    const char *outer, *corners, *centre;    /* the same */
    const char *middle;                      /* the first site of the centre; NULL */
} fzi_lud_board;

enum { FZ_LUD_MOST_PHASES = 20, FZ_LUD_MOST_NEXT = 8 };

typedef struct fzi_lud_phase {
    const char *name, *kind; /* as written, in the script */
    int owner;               /* FZ_LUD_EACH, or a player */
    const fzi_lud *play, *end, *node;
    const fzi_lud *next[FZ_LUD_MOST_NEXT];
    size_t next_count;
} fzi_lud_phase;

enum fzi_lud_stored_kind {
    FZ_LUD_VARIABLE,  /* (set Var "Name" …) */
    FZ_LUD_OF_PLAYER, /* (set Value Mover …) */
    FZ_LUD_REMEMBERED /* (remember Value "Name" …) */
};

typedef struct fzi_lud_stored {
    enum fzi_lud_stored_kind kind;
    const char *source, *name; /* as written, or ""; in the script */
    bool sites, numbers;       /* what the rules store in it */
    bool used;
} fzi_lud_stored;

typedef struct fzi_lud_map {
    const char *source, *name;
    const fzi_lud *pairs;
    bool used, numbers; /* by players; by numbers */
} fzi_lud_map;

enum { FZ_LUD_MOST_PLACED = 100 };
enum { FZ_LUD_MOST_STORED = 40, FZ_LUD_MOST_MAPS = 20 };

enum { FZ_LUD_MOST_PIECES = 60, FZ_LUD_MOST_REGIONS = 60, FZ_LUD_MOST_PLAYERS = 16 };

enum { FZ_LUD_MOST_DICE = 8, FZ_LUD_MOST_SIDES = 20 };

/* All dice of a game. `count` is 0: it has none. */
typedef struct fzi_lud_dice {
    int count, least, faces;
    int face[FZ_LUD_MOST_DICE][FZ_LUD_MOST_SIDES]; /* what each side of each die shows */
    size_t lists;                                  /* of faces, if dice have their own; 0 */
    bool odd;                                      /* the faces are no range */
    bool single;                                   /* each die matters, not only the sum */
    bool used;                                     /* there is one die, which can be used up */
    bool equal;                                    /* it matters whether all show the same */
    bool summed; /* the sum of the throw matters beside each die */
    bool shown;  /* what a die shows matters after its use */
} fzi_lud_dice;

/* A track as the script has it: a table by player and place. */
typedef struct fzi_lud_course {
    const char *source, *name; /* as written, in the script */
    size_t length;
    bool ends, loops, twice; /* a site stands twice in it */
} fzi_lud_course;

/* A text that stands at several places: see lud_share.c. */
typedef struct fzi_lud_shared {
    const char *name, *text;
    enum fzi_lud_type type;
    size_t uses;
} fzi_lud_shared;

/* A use of a definition, and how often the rules have it. */
typedef struct fzi_lud_called {
    const char *text;
    unsigned count;
} fzi_lud_called;

enum { FZ_LUD_MOST_SHARED = 60, FZ_LUD_MOST_CALLED = 150 };
enum { FZ_LUD_MOST_FORMS = 40, FZ_LUD_MOST_COURSES = 10 };

typedef struct fzi_lud_writer fzi_lud_writer;

struct fzi_lud_writer {
    fzi_arena *arena;
    const fzi_lud_file *file;
    fzi_lud_expansion expansion;
    fzi_import_refused *refused;
    bool partial; /* goes on without what is not translated */
    fzi_lud_form *forms;
    size_t form_count;
    size_t steps, written; /* how much has been tried: forms, characters of their texts */
    unsigned depth;
    fzi_lud_names names;
    int players;
    const char *facing[FZ_LUD_MOST_PLAYERS]; /* NULL: not stated */
    fzi_lud_board board;
    fzi_lud_piece pieces[FZ_LUD_MOST_PIECES];
    size_t piece_count;
    fzi_lud_region regions[FZ_LUD_MOST_REGIONS];
    size_t region_count;
    fzi_lud_phase phases[FZ_LUD_MOST_PHASES];
    size_t phase_count;
    const char *phase; /* that of who moves: `phase[me]`, or of all: `phase` */
    fzi_lud_sowing sow;
    fzi_lud_stored stored[FZ_LUD_MOST_STORED];
    size_t stored_count;
    fzi_lud_map maps[FZ_LUD_MOST_MAPS];
    size_t map_count;
    const char *region_names[FZ_LUD_MOST_REGIONS]; /* that have a table for each player */
    size_t region_name_count;
    const fzi_lud *unsaid; /* the form that could not be said; NULL */
    const char *unsaid_why;
    fzi_growing lists; /* named generators */
    unsigned list_count;
    bool uses_prev, uses_score, uses_passing, uses_to_clear, uses_mark, uses_hand;
    bool uses_legal, uses_stuck, uses_lines, uses_mating, uses_custodial, uses_squares, uses_groups,
        uses_connection, uses_counter, uses_turns;
    bool always_moves; /* who has no other move after a throw has a pass, which counts as one */
    bool uses_attacked, uses_moves_in_turn, uses_leaps, uses_visited;
    bool ranks;           /* players leave the game one after the other, with a rank */
    bool repeats;         /* players may move several times in a row */
    const char *exchange; /* the effect of that; NULL */
    bool uses_worth;      /* the values of pieces */
    bool uses_owned;      /* a rule means a region of a certain player */
    bool swaps;           /* the second player may take over the first move */
    bool no_repeat;       /* no position may come again */
    bool chains;          /* they do so within a turn: the moves of a row are counted */
    bool at_end;          /* where turns end, and it matters who moves next */
    bool goes_on;         /* passes of all do not end the game */
    bool asks_passes;     /* a rule says what happens when all pass */
    bool counts_passes;   /* the game ends when all pass, or asks whether all have passed */
    bool in_end;          /* after a turn, where games end and phases change */
    struct {
        fzi_growing puts; /* a statement for each kind */
        char *cells;      /* letters by site */
        size_t count;     /* of statements */
        bool unclear;     /* no diagram says it */
    } start;
    struct {
        const char *kind, *sites;
        int owner;
    } placed[FZ_LUD_MOST_PLACED]; /* the pieces on the board at the start */
    size_t placed_count;
    const char *item_kind; /* of the piece whose moves are said; NULL */
    fzi_lud_shared shared[FZ_LUD_MOST_SHARED];
    size_t shared_count;
    fzi_lud_called called[FZ_LUD_MOST_CALLED];
    size_t called_count;
    fzi_lud_dice dice;
    const fzi_lud *track_forms[FZ_LUD_MOST_FORMS];
    size_t track_form_count;
    fzi_lud_course courses[FZ_LUD_MOST_COURSES];
    size_t course_count;
    bool uses_race;
    int hands[FZ_LUD_MOST_PLAYERS]; /* whose they are, in order */
    size_t hand_count;
    bool hand_sites; /* hands are sites beside the board, with stacks */
    bool stacks;
    bool takes_off;  /* some moves remove the piece that moves, and lead nowhere */
    bool mixed;      /* pieces of several players may be in a stack: who is taken goes to no hand */
    bool counted;    /* a site has a piece and its number: what takes it takes all */
    bool levels;     /* each piece of a stack has a state */
    unsigned graphs; /* that the board is made of */
    const char *first;     /* what an option does before what follows it; NULL */
    const char *hand_kind; /* of the pieces in hands; NULL: there are no hands */
    const char *held_kinds[FZ_LUD_MOST_PLAYERS]; /* what each player has in hand first; NULL */
    const char *held_number; /* of the pieces in each hand, or the seeds in each pit; NULL */
    const char *held;        /* the kind that was put into a hand last; NULL */
    const char *made[40];    /* the texts of named generators */
    fzi_growing declared;    /* what fzi_lud_declare has added */
    bool plays_pieces;       /* forEach Piece asks pieces for their moves */
    /* fzi_lud_list, for conditions about moves */
    const char *(*list)(fzi_lud_writer *w, const fzi_lud *node, const char *then,
                        const char *filter);
    const char *(*list_from)(fzi_lud_writer *w, const fzi_lud *node);
    /* what says forms that no row and no function of lud_say.c says, NULL at the end */
    const char *(*const *others)(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);
};

/* ---- lud_names.c: names in the texts of lud_forms.def ---- */

/* The value of `name`, which is `length` long; NULL: there is none. */
const char *fzi_lud_moment(fzi_lud_writer *w, const char *name, size_t length);

/* ---- lud_say.c: forms as texts of Ferz ---- */

void fzi_lud_read_forms(fzi_lud_writer *w);
/* What the form says as this type; NULL: nothing, and `w->unsaid` is the clause. */
const char *fzi_lud_say(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);
/* The same, in parentheses if it is not a name, a call or a set. */
const char *fzi_lud_operand(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);
const char *fzi_lud_in_brackets(fzi_lud_writer *w, const char *text);
/* The items from `first` on, each said, with `between` between them; NULL. */
const char *fzi_lud_joined(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node,
                           size_t first, const char *between, bool brackets);
/* The node and the item from which the operands of `(and {…})` and of `(and a b)` stand. */
const fzi_lud *fzi_lud_operands(const fzi_lud *node, size_t *first);
/* Says a form in which (site) is a name. */
const char *fzi_lud_with_site(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node,
                              const char *site);
/* A condition; one that the script lacks is `true`. */
const char *fzi_lud_test_of(fzi_lud_writer *w, const fzi_lud *node);
/* The opposite of a condition. */
const char *fzi_lud_not(fzi_lud_writer *w, const char *text);
/* A condition as a part of `and` or `or`. */
const char *fzi_lud_term(fzi_lud_writer *w, const char *text);
/* Stands in texts between the condition of a statement `if` and what follows. */
enum { FZ_LUD_THEN = 1 };
/* In `for ORIGIN in SET TARGET`: `for to in SET`, or `for from in SET let to = from` where rules
 * ask for the origin of the latest move. */
enum { FZ_LUD_ORIGIN = 2, FZ_LUD_TARGET = 3, FZ_LUD_LABEL = 6 /* "{to}", for two names */ };
/* The effect of a swap. */
enum { FZ_LUD_EXCHANGE = 7 };
/* Statements as one: `{…}` unless there is one that an `else` may follow. */
const char *fzi_lud_block(fzi_lud_writer *w, const char *text);
/* A form whose head is no definition, however it is written; NULL: its definition expands to
 * something else than one form. */
const fzi_lud *fzi_lud_plain(fzi_lud_writer *w, const fzi_lud *node);
/* The directions of Adjacent on this board. */
const char *fzi_lud_adjacent(const fzi_lud_writer *w);
/* The clause is not translated: NULL. Keeps the first one. */
const char *fzi_lud_unsaid(fzi_lud_writer *w, const fzi_lud *node, const char *why);
/* With `partial`, notes the clause that could not be said, which the script then lacks. False: the
 * game is refused. */
bool fzi_lud_go_on(fzi_lud_writer *w);
/* The same for functions that say whether all went well. */
bool fzi_lud_refuse(fzi_lud_writer *w, const fzi_lud *node);
/* A name for a script: letters, digits and _, a capital letter first. */
const char *fzi_lud_name_of(fzi_lud_writer *w, const char *text);
/* Has the player this region? `name` is a part of the region's name. */
bool fzi_lud_is_region(const fzi_lud_region *r, const char *name, int owner);
/* Are the regions of this name the rows of the players (fzi_lud_find_own_rows)? */
bool fzi_lud_is_own_row(const fzi_lud_writer *w, const char *name);
/* The name that the table of such regions has in the script. */
const char *fzi_lud_region_table(fzi_lud_writer *w, const char *name);
#define FZ_LUD_TEXT(w, ...) fzi_arena_printf((w)->arena, __VA_ARGS__)

/* The script needs this declaration. The same text is declared once. */
void fzi_lud_declare(fzi_lud_writer *w, const char *text);

/* The number of a role such as P2 or Each; false: it is none of these. */
bool fzi_lud_role(const char *word, int *owner);
/* The kind and, unless FZ_LUD_EACH, the owner that a name such as "Pawn1" stands for. */
const fzi_lud_piece *fzi_lud_piece_named(const fzi_lud_writer *w, const char *name, int *owner);

/* ---- lud_share.c ---- */

/* The text, or what stands for it until it is known how often it is used. It gets the name. */
const char *fzi_lud_share(fzi_lud_writer *w, enum fzi_lud_type type, const char *name,
                          const char *text);
/* Has the text this word, also in what is shared? */
bool fzi_lud_mentions(const fzi_lud_writer *w, const char *text, const char *word);
/* Does the text ask what is attacked? */
bool fzi_lud_asks_attacks(const fzi_lud_writer *w, const char *text);
/* The text with what is shared in its place, while it is not yet known what is declared. */
const char *fzi_lud_in_place(fzi_lud_writer *w, const char *text);
/* The script with these texts in their places, or with their names and declarations. */
const char *fzi_lud_unshared(fzi_lud_writer *w, const char *text);

/* ---- lud_board.c ---- */

/* A number that the form states, also by arithmetic; -1: none. */
int fzi_lud_number(fzi_lud_writer *w, const fzi_lud *node);
bool fzi_lud_read_board(fzi_lud_writer *w, const fzi_lud *node);
/* (sites Side NE) of a board of hexagons; NULL: there is none. */
const char *fzi_lud_hex_side(fzi_lud_writer *w, const char *name);
/* ---- lud_sites.c: any other board of points and edges ---- */
bool fzi_lud_read_graph(fzi_lud_writer *w, const fzi_lud *shape);
/* The module of the library with this board; NULL. */
const char *fzi_lud_board_module(const char *text);

/* ---- lud_lines.c ---- */

/* The name of a site by its column and row, from 0. */
const char *fzi_lud_site_name(fzi_lud_writer *w, unsigned column, unsigned row);
/* Makes a board of squares, some of which may be missing, from its names. */
void fzi_lud_write_holes(fzi_lud_writer *w);
/* Makes the text of a board from its `next`. */
void fzi_lud_write_lines(fzi_lud_writer *w);
/* The site that a number or a coordinate names; NULL. */
const char *fzi_lud_site(const fzi_lud_writer *w, const char *text);

/* ---- lud_measure.c: the outer points, the corners and the centre of a graph ---- */

typedef struct fzi_lud_net {
    unsigned count; /* of points */
    const double *x, *y;
    size_t edge_count;
    const unsigned (*edges)[2];
} fzi_lud_net;

/* Points at most this far from each other are at one place. */
#define FZ_LUD_SAME 0.001

/* The numbers of values that differ, from the smallest. */
void fzi_lud_ranks(const double *values, unsigned count, unsigned *rank);
/* Each point's column and row, from 0: those of Ludii's names of the points. */
void fzi_lud_coordinates(const fzi_lud_net *net, unsigned *column, unsigned *row);
/* Sets `outer`, `corners`, `centre` and `middle` of the board, whose sites have their names. */
void fzi_lud_measure(fzi_lud_writer *w, const fzi_lud_net *net);

/* ---- lud_static.c ---- */

/* The sites of a form that does not change during a game; NULL, or false: it may change. `set` has
 * an element for each site. */
bool fzi_lud_static_set(fzi_lud_writer *w, const fzi_lud *node, bool *set);
const char *fzi_lud_static_sites(fzi_lud_writer *w, const fzi_lud *node);
/* The set as a union of rows, if its text consists of rows; else the same text. */
const char *fzi_lud_plain_rows(fzi_lud_writer *w, const char *set);

/* ---- lud_captures.c ---- */

/* (custodial …), (intervene …), (surround …), (enclose …) as statements, and (can Move …) of them;
 * NULL: not said. */
const char *fzi_lud_capture(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);
static inline bool fzi_lud_is_capture(const fzi_lud *node)
{
    return fzi_lud_is(node, "custodial") || fzi_lud_is(node, "intervene") ||
           fzi_lud_is(node, "surround") || fzi_lud_is(node, "enclose");
}

/* ---- lud_tracks.c ---- */

/* Sites on tracks and conditions about them; NULL: not said. */
const char *fzi_lud_on_track(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);

/* ---- lud_dice.c ---- */

/* Does the game have such a form, as (HEAD WORD …) or, without a word, as (HEAD …)? */
bool fzi_lud_uses(fzi_lud_writer *w, const char *head, const char *word);
/* The same below a node. */
bool fzi_lud_has_form(fzi_lud_writer *w, const fzi_lud *node, const char *head, const char *word);
/* (= (trackSite …) Off): no row of the table knows where a track ends, which is not Off. */
bool fzi_lud_asks_track(fzi_lud_writer *w, const fzi_lud *node);
/* Do only the pieces on top of stacks move? Then (level) is that of the top. */
bool fzi_lud_moves_tops(fzi_lud_writer *w);
bool fzi_lud_read_dice(fzi_lud_writer *w, const fzi_lud *node);
void fzi_lud_declare_dice(fzi_lud_writer *w, fzi_growing *to);
/* (roll), (count Pips), (pips), (all DiceUsed) …; NULL: not said. */
const char *fzi_lud_die(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);

/* ---- lud_state.c ---- */

/* What games keep besides pieces: triggers, the counter, scores; NULL: not said. */
const char *fzi_lud_state(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);

/* ---- lud_tests.c ---- */

/* Conditions with many parts, such as (is Line …) and (is Connected …); NULL: not said. */
const char *fzi_lud_test(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);

/* ---- lud_stacks.c ---- */

/* Are the pieces in hands counted, by players? */
bool fzi_lud_counts_hands(const fzi_lud_writer *w);
/* Sites beside the board for hands; after the whole game has been read. */
void fzi_lud_add_hand_sites(fzi_lud_writer *w);
/* The piece on top goes from a site to another one: a statement. */
const char *fzi_lud_goes(fzi_lud_writer *w, const char *from, const char *to);
/* The piece on top of a site goes: a statement. */
const char *fzi_lud_taken(fzi_lud_writer *w, const char *site);
/* The kind of piece that a player adds who names none: the piece with the number of the player. */
const char *fzi_lud_mark(fzi_lud_writer *w, const fzi_lud *node);
/* The states of the pieces of stacks, and procedures for pieces that move, and that leave. */
const char *fzi_lud_levels(fzi_lud_writer *w, bool moves, bool leaves);
/* (place Stack "Disc1" 7 count:5) and pieces in hands that are sites */
bool fzi_lud_place_stack(fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to);

/* ---- lud_moves.c, lud_choice.c ---- */

/* Adds the moves as options of a `choose`. `then`: statements after each, or "". */
bool fzi_lud_options(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to);
/* Adds the moves of a kind as items of its body. */
bool fzi_lud_items(fzi_lud_writer *w, const fzi_lud *node, const char *condition, fzi_growing *to);
/* A generator of its own for some moves, with a filter such as "ensuring C", or NULL. Its name;
 * NULL: they are not said. */
const char *fzi_lud_list(fzi_lud_writer *w, const fzi_lud *node, const char *then,
                         const char *filter);
/* The same for the moves of a piece, with its site as the argument. */
const char *fzi_lud_list_from(fzi_lud_writer *w, const fzi_lud *node);
/* The whole choice. `stuck`: what happens if there is no move; NULL: a pass. */
bool fzi_lud_choice(fzi_lud_writer *w, const fzi_lud *node, const char *then, const char *stuck,
                    fzi_growing *to);
/* A choice as a branch of `if … else`: in braces if something stands before it. */
const char *fzi_lud_branch(fzi_lud_writer *w, const fzi_growing *text, bool last);
/* The option of a pass, and what follows. */
const char *fzi_lud_pass(fzi_lud_writer *w, const char *then);
/* Who swaps takes over the pieces of the first player, and all that the rules say of that player.
 * Where these texts say what differs between the players, variables have whose side is which.
 * False: it is not clear. */
bool fzi_lud_exchange(fzi_lud_writer *w, fzi_growing *const *texts, size_t count);
/* The choice among all moves of the generator `legal`. */
const char *fzi_lud_legal_choice(fzi_lud_writer *w, const char *stuck);

/* ---- lud_phases.c ---- */

/* {(phase …) …} */
bool fzi_lud_read_phases(fzi_lud_writer *w, const fzi_lud *set);
/* The phases in which players begin, where that is not the first one. */
bool fzi_lud_begin_phases(fzi_lud_writer *w, fzi_growing *setup);
void fzi_lud_declare_phases(fzi_lud_writer *w, fzi_growing *to);
/* Who is in which phase after a turn: statements of `end`. */
bool fzi_lud_next_phases(fzi_lud_writer *w, fzi_growing *to);
/* The choice and the options of all phases. */
bool fzi_lud_phased_choice(fzi_lud_writer *w, const char *stuck, fzi_growing *to);
/* Writes the turn without phases if the hands tell them. `others` are the other texts of rules. */
void fzi_lud_phases_by_hand(fzi_lud_writer *w, fzi_growing *turn, fzi_growing *next,
                            const fzi_growing *const *others, size_t count);
bool fzi_lud_phased_options(fzi_lud_writer *w, fzi_growing *to);

/* ---- lud_effects.c ---- */

/* Effects of `and`, `seq`, `forEach` and the like as statements; NULL. For `others`. */
const char *fzi_lud_effects(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);

/* ---- lud_sow.c ---- */

/* Sowing, seeds that are carried, and sites of tracks; NULL. For `others`. */
const char *fzi_lud_say_seeds(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);

/* ---- lud_values.c ---- */

/* Does this use of a definition stand at several places? */
bool fzi_lud_is_repeated(fzi_lud_writer *w, const fzi_lud *node);
/* A word of a script that is no reserved word: the source's name, small at first. */
const char *fzi_lud_variable(fzi_lud_writer *w, const char *source);
/* Finds all that the rules store. */
void fzi_lud_find_stored(fzi_lud_writer *w);
/* Stored numbers, sites and sets, and statements that store them; NULL. For `others`. */
const char *fzi_lud_say_values(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node);
/* (set Var …), (set Value …), (remember …), (forget …); NULL. */
const char *fzi_lud_say_store(fzi_lud_writer *w, const fzi_lud *node);
bool fzi_lud_read_map(fzi_lud_writer *w, const fzi_lud *node);
bool fzi_lud_declare_stored(fzi_lud_writer *w, fzi_growing *to);
/* The tables of regions that the rules use. */
/* Finds the regions that are the rows of their players. */
void fzi_lud_find_own_rows(fzi_lud_writer *w);
bool fzi_lud_declare_regions(fzi_lud_writer *w, fzi_growing *to);

/* ---- lud_equipment.c ---- */

/* (players 2), (players {(player N) (player S)}) */
bool fzi_lud_read_players(fzi_lud_writer *w, const fzi_lud *node);
/* {(board …) (piece …) …} */
bool fzi_lud_read_equipment(fzi_lud_writer *w, const fzi_lud *list);

/* ---- lud_start.c ---- */

/* The sites on which pieces of the kind whose moves are said, and of the mover, have started: a
 * table that is declared; NULL: not known. */
const char *fzi_lud_starts(fzi_lud_writer *w);
/* (start …) as statements of `setup`. */
bool fzi_lud_add_start(fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to);

/* ---- lud_script.c ---- */

const char *fzi_lud_script(fzi_arena *arena, const fzi_lud_file *file,
                           const fzi_lud_ruleset *ruleset, bool partial,
                           fzi_import_refused *refused);

/* ---- lud_settings.c ---- */

/* The same with the options of the file as options of the script. */
const char *fzi_lud_script_with_options(fzi_arena *arena, const fzi_lud_file *file,
                                        const fzi_lud_ruleset *ruleset,
                                        fzi_import_refused *refused);

#endif
