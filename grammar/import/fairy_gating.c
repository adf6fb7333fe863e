/* Gates: squares of pieces that have not moved. Pieces in hand enter there, or kings and ferses
 * leap from there. See fairy_writer.h. */
#include "fairy_writer.h"

#include <ctype.h>

bool fzi_fairy_enters(const fzi_fairy_writer *w)
{
    return FZ_FAIRY_NUMBER(w->rules, GATING) && FZ_FAIRY_NUMBER(w->rules, SEIRAWAN);
}

static bool leaps_from_gates(const fzi_fairy_writer *w)
{
    return FZ_FAIRY_NUMBER(w->rules, GATING) && FZ_FAIRY_NUMBER(w->rules, CAMBODIAN);
}

void fzi_fairy_refuse_gates(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool gating = FZ_FAIRY_NUMBER(r, GATING), enters = fzi_fairy_enters(w);

    if ((gating && fzi_fairy_walls(w)) ||
        (enters && (FZ_FAIRY_NUMBER(r, BLAST) || FZ_FAIRY_NUMBER(r, MUST_CAPTURE) ||
                    FZ_FAIRY_NUMBER(r, MUST_DROP) || !FZ_FAIRY_NUMBER(r, CHECKING) ||
                    !fzi_fairy_is_kind(w, FZ_FAIRY_king) || fzi_fairy_pseudo(w))))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_GATING,
                               "with these pieces or duties: not translated yet");
    if (!gating && (FZ_FAIRY_NUMBER(r, SEIRAWAN) || FZ_FAIRY_NUMBER(r, CAMBODIAN)))
        fzi_fairy_refuse_field(
            r, FZ_FAIRY_NUMBER(r, SEIRAWAN) ? FZ_FAIRY_F_SEIRAWAN : FZ_FAIRY_F_CAMBODIAN,
            "without gating");
}

void fzi_fairy_read_gates(fzi_fairy_writer *w, const char *text)
{
    fzi_fairy_start *start = &w->start;
    int rank = (int)FZ_FAIRY_NUMBER(w->rules, CASTLING_RANK);

    if (!FZ_FAIRY_NUMBER(w->rules, GATING) || rank > w->ranks)
        return;
    for (; *text; text++) {
        int colour = isupper((unsigned char)*text) ? 0 : 1,
            file = tolower((unsigned char)*text) - 'a';
        int row = colour == 0 ? rank - 1 : w->ranks - rank;
        bool side = w->castling && (file == 'k' - 'a' || file == 'q' - 'a');
        if (side) {
            fzi_squares_put(&start->gates, start->king_file[colour], row);
            file = start->rook_file[colour][file == 'q' - 'a'];
        }
        if (isalpha((unsigned char)*text) && file < w->files &&
            start->kind[row][file] != FZ_FAIRY_NONE && start->colour[row][file] == colour)
            fzi_squares_put(&start->gates, file, row);
    }
}

/* A piece enters where another one leaves, in castling also where the rook stood. */
static void say_entering(fzi_fairy_writer *w)
{
    fzi_fairy_say(w, "/// {k} enters on {s}\nproc enter(k: kind, s: site) {\nhand[me, k] -= 1;\n"
                     "put k of me at s;\ngates -= s;\n}\n"
                     "moves leaving(k: kind) { moves_of(gates & mine); } "
                     "ensuring not checked and last_from in droppable(k);\n");
    if (w->castling)
        fzi_fairy_say(w,
                      "/// where the rook stood that has just castled\n"
                      "let rook_gate: site = rook_home[me, if last_to > last_from then 0 else 1];\n"
                      "moves castling_for(k: kind) { castles(the(royals)); } "
                      "ensuring rook_gate in droppable(k);\n");
}

const char *fzi_fairy_entering(const fzi_fairy_writer *w)
{
    if (!fzi_fairy_enters(w))
        return "";
    return w->castling ? "for k in kind if hand[me, k] > 0 {\n"
                         "\"{k}/\" leaving(k) then enter(k, last_from);\n"
                         "\"{k}@rook/\" castling_for(k) then enter(k, rook_gate);\n}\n"
                       : "for k in kind if hand[me, k] > 0\n"
                         "\"{k}/\" leaving(k) then enter(k, last_from);\n";
}

const char *fzi_fairy_leap(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    if (!leaps_from_gates(w))
        return "";
    return kind == FZ_FAIRY_king
               ? "moves {\nif here in gates and not checked for to in (step(here + left + left, "
                 "forward) | step(here + right + right, forward)) & empty => go(here, to);\n}\n"
           : kind == FZ_FAIRY_fers ? "move to walk(here, forward, 2) & empty if here in gates;\n"
                                   : "";
}

void fzi_fairy_say_gates(fzi_fairy_writer *w)
{
    if (!FZ_FAIRY_NUMBER(w->rules, GATING))
        return;
    const char *gates = fzi_squares_list(w->arena, &w->start.gates);
    fzi_fairy_say(w,
                  "/// the squares of pieces that have not moved\nclock var gates: sites = %s;\n"
                  "extend turn {\ngates &= occupied - {last_from, last_to};\n%s}\n",
                  gates ? gates : "{}",
                  leaps_from_gates(w) && fzi_fairy_is_kind(w, FZ_FAIRY_rook)
                      ? "// A rook in line with the king takes its leap away.\n"
                        "if kind(last_to) == Rook gates -= pieces(King, foe) & "
                        "slide(last_to, orthogonal, site);\n"
                      : "");
    if (fzi_fairy_enters(w))
        say_entering(w);
}
