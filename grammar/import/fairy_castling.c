/* Castling. See fairy_writer.h. */
#include "fairy_writer.h"

enum { E_FILE = 4 }; /* from 0 */

/* Files by player and side. A side without a right gets some, too, which do no harm. */
typedef struct castling {
    int kings[FZ_FAIRY_COLOURS][FZ_FAIRY_SIDES], rooks[FZ_FAIRY_COLOURS][FZ_FAIRY_SIDES],
        to[FZ_FAIRY_COLOURS][FZ_FAIRY_SIDES]; /* to: of the king */
} castling;

static castling castling_of(const fzi_fairy_writer *w)
{
    const fzi_fairy_start *s = &w->start;
    castling files;

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++)
        for (int side = 0; side < FZ_FAIRY_SIDES; side++) {
            bool has = s->castles[c][0] || s->castles[c][1];
            long to = side == 0 ? FZ_FAIRY_NUMBER(w->rules, CASTLING_KINGSIDE)
                                : FZ_FAIRY_NUMBER(w->rules, CASTLING_QUEENSIDE);
            files.kings[c][side] = has ? s->king_file[c] : s->king_file[!c];
            files.rooks[c][side] = s->castles[c][side] ? s->rook_file[c][side]
                                   : side == 0         ? w->files - 1
                                                       : 0;
            files.to[c][side] = (int)(to <= w->files ? to : w->files) - 1;
        }
    return files;
}

static bool all_are(const int files[FZ_FAIRY_COLOURS][FZ_FAIRY_SIDES], int kingside, int queenside)
{
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++)
        if (files[c][0] != kingside || files[c][1] != queenside)
            return false;
    return true;
}

static const char *square_text(fzi_fairy_writer *w, int file, int colour)
{
    return FZ_FAIRY_TEXT(w, "%c%d", 'a' + file, w->start.castling_rank[colour] + 1);
}

/* `{White: e1, Black: e8}`, or with both sides `{White: [h1, a1], ...}`. */
static const char *squares(fzi_fairy_writer *w, const int files[FZ_FAIRY_COLOURS][FZ_FAIRY_SIDES],
                           bool sides)
{
    fzi_growing text = {0};
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        const char *first = square_text(w, files[c][0], c);
        fzi_grow_z(w->arena, &text, c ? ", Black: " : "{White: ");
        fzi_grow_z(w->arena, &text,
                   sides ? FZ_FAIRY_TEXT(w, "[%s, %s]", first, square_text(w, files[c][1], c))
                         : first);
    }
    return FZ_FAIRY_TEXT(w, "%s}", text.text);
}

/* Where kings and rooks stand, and where the king goes, as far as it is not as in chess. */
static void say_squares(fzi_fairy_writer *w)
{
    castling files = castling_of(w);
    bool opposite = FZ_FAIRY_NUMBER(w->rules, OPPOSITE_CASTLING);
    bool plain = w->files == 8 && w->ranks == 8 && w->start.castling_rank[0] == 0;
    bool king = plain && all_are(files.kings, E_FILE, E_FILE);

    if (!king)
        fzi_fairy_say(w, "override let king_home[p: player]: site = %s;\n",
                      squares(w, files.kings, false));
    if (!plain || !all_are(files.rooks, 7, 0))
        fzi_fairy_say(w, "override let rook_home[p: player, i: 0..1]: site = %s;\n",
                      squares(w, files.rooks, true));
    if (!king || !all_are(files.to, E_FILE + 2, E_FILE - 2) || opposite)
        fzi_fairy_say(
            w,
            "/// where the king stands after castling\n"
            "let castled[p: player, i: 0..1]: site = %s;\n"
            "override moves castles(king: site) {\nfor i in 0..1 "
            "if may_castle[me, i] and king == king_home[me] castling(king, castled[me, i], "
            "rook_home[me, i], castled[me, i] + (if i == 0 then w else e))%s;\n}\n",
            squares(w, files.to, true), opposite ? " then castle[foe, i] = false" : "");
}

/* Kings and rooks are dropped where they can castle. */
static void say_dropped(fzi_fairy_writer *w)
{
    long king = FZ_FAIRY_VALUE(w->rules, CASTLING_KING, 0)->number;

    fzi_fairy_say(w,
                  "override var castle[player, 0..1]: bool = false;\n"
                  "override proc record_castling() {\nbase;\n"
                  "if last_from == off for i in 0..1\n"
                  "castle[me, i] = king_home[me] in %s and rook_home[me, i] in (%s);\n}\n",
                  fzi_fairy_pieces_text(w, (uint64_t)1 << king, "me"),
                  fzi_fairy_pieces_text(w, FZ_FAIRY_SET_OF(w->rules, CASTLING_ROOKS, 0), "me"));
}

void fzi_fairy_say_castling(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t white = FZ_FAIRY_SET_OF(r, CASTLING_ROOKS, 0);

    if (!w->castling) {
        fzi_fairy_say(w, "remove castles, castle, king_home, unmoved, rook_home, may_castle;\n"
                         "override proc record_castling() {}\n");
        return;
    }
    if (w->start.castling_rank[1] == w->start.castling_rank[0])
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_CASTLING_RANK, "not translated yet");
    say_squares(w);
    if (white != FZ_FAIRY_SET_OF(r, CASTLING_ROOKS, 1))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_CASTLING_ROOKS, "not translated yet");
    if (white != (uint64_t)1 << FZ_FAIRY_rook)
        fzi_fairy_say(w,
                      "override let may_castle[p: player, i: 0..1]: bool = "
                      "castle[p, i] and rook_home[p, i] in (%s);\n",
                      fzi_fairy_pieces_text(w, white, "p"));
    if (FZ_FAIRY_NUMBER(r, CASTLING_DROPPED))
        say_dropped(w);
}
