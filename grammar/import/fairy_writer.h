/* What the writers of a script share; fairy_script.c calls them in the order of the script. Every
 * script is a variant of chess.game and says the differences. */
#ifndef FZ_GRAMMAR_IMPORT_FAIRY_WRITER_H
#define FZ_GRAMMAR_IMPORT_FAIRY_WRITER_H

#include "fairy.h"

enum { FZ_FAIRY_SIDES = 2 }; /* of castling: towards the last file (0), the first (1) */

/* The position that `startFen` states. */
typedef struct fzi_fairy_start {
    const char *board; /* as a diagram takes it */
    enum fzi_fairy_kind kind[FZ_FAIRY_RANKS][FZ_FAIRY_FILES];
    int colour[FZ_FAIRY_RANKS][FZ_FAIRY_FILES];
    enum fzi_fairy_kind was[FZ_FAIRY_RANKS][FZ_FAIRY_FILES]; /* of a promoted piece */
    fzi_squares walls, gates; /* gates: of pieces that have not moved */
    bool black;               /* Black begins */
    long count[FZ_FAIRY_KINDS][FZ_FAIRY_COLOURS], hand[FZ_FAIRY_KINDS][FZ_FAIRY_COLOURS];
    bool castles[FZ_FAIRY_COLOURS][FZ_FAIRY_SIDES];
    int king_file[FZ_FAIRY_COLOURS], rook_file[FZ_FAIRY_COLOURS][FZ_FAIRY_SIDES]; /* from 0 */
    int castling_rank[FZ_FAIRY_COLOURS];
    long checks; /* that win */
} fzi_fairy_start;

typedef struct fzi_fairy_writer {
    fzi_fairy_rules *rules;
    fzi_arena *arena;
    fzi_growing text;
    fzi_fairy_start start;
    int files, ranks;
    bool pawns, leaps, triple; /* it has chess pawns; they leap two squares, three */
    bool passing, passes_own;  /* pieces capture in passing; not only as the pawns of chess */
    uint64_t passers, leapers; /* kinds that capture in passing; that are captured so */
    bool castling, promotes;
    bool remembers; /* a captured piece loses its promotion */
} fzi_fairy_writer;

/* ---- fairy_text.c ---- */

void fzi_fairy_say(fzi_fairy_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A text in the writer's arena. */
#define FZ_FAIRY_TEXT(w, ...) fzi_arena_printf((w)->arena, __VA_ARGS__)
/* The variant has this kind. */
bool fzi_fairy_is_kind(const fzi_fairy_writer *w, enum fzi_fairy_kind kind);
/* What follows the name of a `let` for the squares of each player: `[p: player]: sites = {White:
 * rank(8), Black: rank(1)}`. */
const char *fzi_fairy_by_player(fzi_fairy_writer *w, const fzi_squares sets[FZ_FAIRY_COLOURS]);
/* `Queen, Rook`, the kinds of a set that the variant has. */
const char *fzi_fairy_kind_list(fzi_fairy_writer *w, uint64_t kinds);
/* `pieces(Queen, p) | pieces(Rook, p)`; `{}`. */
const char *fzi_fairy_pieces_text(fzi_fairy_writer *w, uint64_t kinds, const char *player);

/* The value of a key that has words. */
bool fzi_fairy_is_word(const fzi_fairy_writer *w, enum fzi_fairy_field field, const char *word);
/* Other pieces than kings are royal. */
bool fzi_fairy_pseudo(const fzi_fairy_writer *w);
/* There are hands. */
bool fzi_fairy_hands(const fzi_fairy_writer *w);
/* There is check. */
bool fzi_fairy_royal(const fzi_fairy_writer *w);
/* Pieces of the kind become royal by promotion. The new piece is royal from the next turn
 * on. */
bool fzi_fairy_crowns(const fzi_fairy_writer *w, enum fzi_fairy_kind kind);
/* The statement after which enemies change sides that a move to a site, or a drop, encloses; NULL:
 * they do not. */
const char *fzi_fairy_flips(fzi_fairy_writer *w, const char *to, bool drop);

/* ---- fairy_begin.c ---- */

/* Refuses combinations of keys that no script says, and finds out who leaps and who captures in
 * passing. */
void fzi_fairy_begin(fzi_fairy_writer *w);
/* Another piece than pawns uses the squares from which these leap. */
bool fzi_fairy_leaps_at_first(fzi_fairy_writer *w);

/* ---- fairy_start.c ---- */

/* Reads the position, and refuses what no script says of it. */
void fzi_fairy_read_start(fzi_fairy_writer *w);
void fzi_fairy_say_setup(fzi_fairy_writer *w);

/* ---- fairy_early.c ---- */

/* Refuses a game that is over as it begins: scripts judge positions after a turn. */
void fzi_fairy_refuse_ended(fzi_fairy_writer *w);

/* ---- fairy_castling.c ---- */

void fzi_fairy_say_castling(fzi_fairy_writer *w);

/* ---- fairy_pawns.c ---- */

/* Where a piece of the kind on `here` captures. */
const char *fzi_fairy_hits(fzi_fairy_writer *w, enum fzi_fairy_kind kind);
/* First steps, and capture in passing. */
void fzi_fairy_say_pawns(fzi_fairy_writer *w);
void fzi_fairy_say_quiet(fzi_fairy_writer *w);
/* Pieces promote, not as pawns, and such a turn is not quiet. */
bool fzi_fairy_noisy_promotion(const fzi_fairy_writer *w);

/* ---- fairy_drops.c ---- */

void fzi_fairy_say_memory(fzi_fairy_writer *w);
void fzi_fairy_say_hands(fzi_fairy_writer *w);
/* Bishops are dropped on squares of both colours: a condition of drops; NULL. */
const char *fzi_fairy_bishops(fzi_fairy_writer *w);

/* ---- fairy_legal.c ---- */

/* Royal pieces, and which moves there are. */
void fzi_fairy_say_play(fzi_fairy_writer *w);

/* ---- fairy_gating.c ---- */

/* Pieces in hand enter where others leave. */
bool fzi_fairy_enters(const fzi_fairy_writer *w);
void fzi_fairy_refuse_gates(fzi_fairy_writer *w);
/* Reads the gates from the field of castling. */
void fzi_fairy_read_gates(fzi_fairy_writer *w, const char *text);
void fzi_fairy_say_gates(fzi_fairy_writer *w);
/* Moves with which pieces enter; "". */
const char *fzi_fairy_entering(const fzi_fairy_writer *w);
/* The leap of the kind from a gate, an item of its body; "". */
const char *fzi_fairy_leap(const fzi_fairy_writer *w, enum fzi_fairy_kind kind);

/* ---- fairy_count.c ---- */

/* Moves are counted, as against a bare king. */
bool fzi_fairy_counts(const fzi_fairy_writer *w);
void fzi_fairy_refuse_count(fzi_fairy_writer *w);
void fzi_fairy_say_count(fzi_fairy_writer *w);
/* The draw when all moves are counted, a statement of `end`; "". */
const char *fzi_fairy_count_end(const fzi_fairy_writer *w);

/* ---- fairy_walls.c ---- */

/* There are walls that come during the game. */
bool fzi_fairy_walls(const fzi_fairy_writer *w);
/* After each move, the player chooses where a wall goes. */
bool fzi_fairy_walls_chosen(const fzi_fairy_writer *w);
void fzi_fairy_refuse_walls(fzi_fairy_writer *w);
/* Pieces of the kind turn to walls when they capture, and nothing else happens. */
bool fzi_fairy_petrified(const fzi_fairy_writer *w, enum fzi_fairy_kind kind);
void fzi_fairy_say_walls(fzi_fairy_writer *w);
/* Walls in place of moves; "". */
const char *fzi_fairy_wall_moves(fzi_fairy_writer *w);
/* ` ensuring ...`: a move must leave a square for the wall; "". */
const char *fzi_fairy_wall_filter(fzi_fairy_writer *w);

/* ---- fairy_pieces.c ---- */

/* The name of the squares that the kind never leaves, if it may not go there; NULL. */
const char *fzi_fairy_dead_end_name(fzi_fairy_writer *w, enum fzi_fairy_kind kind);
void fzi_fairy_say_pieces(fzi_fairy_writer *w);
/* What pawns and others become. */
void fzi_fairy_say_promotion(fzi_fairy_writer *w);

/* ---- fairy_end.c ---- */

/* How the game ends: without a move, and by all other rules. */
void fzi_fairy_say_ends(fzi_fairy_writer *w);

#endif
