/* Royal pieces, and the legal moves. See fairy_writer.h. */
#include "fairy_writer.h"

/* ---- royal pieces ---- */

/* Kinds of which the last pieces are royal. */
static void say_royals(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t kinds = FZ_FAIRY_SET_OF(r, EXTINCTION_KINDS, 0);
    long last = FZ_FAIRY_NUMBER(r, EXTINCTION_COUNT) + 1;
    bool king = fzi_fairy_is_kind(w, FZ_FAIRY_king);

    if (!fzi_fairy_royal(w))
        fzi_fairy_say(
            w, "override let royals: sites = {};\noverride fn safe(S: sites): bool = true;\n");
    if (!fzi_fairy_pseudo(w))
        return;
    if (fzi_fairy_has(kinds, FZ_FAIRY_ANY)) {
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_EXTINCTION_KINDS,
                               "all kinds royal: not translated yet");
        return;
    }
    const char *list = fzi_fairy_kind_list(w, kinds);
    const char *also = king ? "pieces(King, me) | " : "";
    bool many = FZ_FAIRY_NUMBER(r, DROPS) || w->promotes || last > 1 || strchr(list, ',');
    bool crowned = false;
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        crowned |= fzi_fairy_crowns(w, (enum fzi_fairy_kind)k);
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        many |= fzi_fairy_has(kinds, (enum fzi_fairy_kind)k) &&
                (w->start.count[k][0] > last || w->start.count[k][1] > last);
    const char *set = "pieces(k, me)";
    if (crowned) {
        fzi_fairy_say(w, "// A new royal piece is royal from the next turn on.\n"
                         "var crowned: site;\nextend turn { crowned = off; }\n");
        set = "(pieces(k, me) - crowned)";
    }
    if (many)
        fzi_fairy_say(w,
                      "/// the last %sof a kind\noverride let royals: sites = %s"
                      "(union k in {%s} if #%s <= %ld : %s);\n",
                      last > 1 ? FZ_FAIRY_TEXT(w, "%ld ", last) : "", also, list, set, last, set);
    else
        fzi_fairy_say(w, "override let royals: sites = %s%s;\n", also,
                      fzi_fairy_pieces_text(w, kinds, "me"));
}

/* ---- legal moves ---- */

/* A capture removes all pieces around it but pawns. */
static void say_blast(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    const char *immune = fzi_fairy_pieces_text(w, FZ_FAIRY_SET_OF(r, BLAST_IMMUNE, 0), "");
    bool hands = FZ_FAIRY_NUMBER(r, DROPS) && FZ_FAIRY_NUMBER(r, CAPTURES_TO_HAND);

    fzi_fairy_say(w,
                  "/// the pieces that a capture on s removes\nfn blasted(s: site): sites = "
                  "((s | step(s, adjacent) & occupied%s) & occupied)%s%s%s;\n",
                  w->pawns ? " - pieces(Pawn)" : "", strcmp(immune, "{}") ? " - (" : "",
                  strcmp(immune, "{}") ? immune : "", strcmp(immune, "{}") ? ")" : "");
    fzi_fairy_say(w, "proc explode(s: site) {\n%sremove blasted(s);\n%s}\n",
                  hands ? "for t in blasted(s) "
                          "hand[if owner(t) == White then Black else White, held_as(t)] += 1;\n"
                        : "",
                  w->castling ? "for p in player, i in 0..1 "
                                "if not may_castle[p, i] castle[p, i] = false;\n"
                              : "");
}

/* Royal pieces must survive. Next to an enemy's royal piece they are safe. */
static const char *say_blast_royals(fzi_fairy_writer *w)
{
    const char *foe =
        fzi_fairy_pieces_text(w, FZ_FAIRY_SET_OF(w->rules, EXTINCTION_KINDS, 0), "foe");

    fzi_fairy_say(w,
                  "override fn safe(S: sites): bool = base(S - step(%s, adjacent));\n"
                  "override let checked: bool = not safe(royals);\n",
                  foe);
    if (w->passing)
        fzi_fairy_say(w, "override moves legal_passing { passing; }\n");
    return FZ_FAIRY_TEXT(w, " ensuring royals != {} and (%s == {} or not checked)", foe);
}

static void say_blasting(fzi_fairy_writer *w, const char *dropping, const char *filter)
{
    const char *stop = *filter ? ";" : "";

    if (FZ_FAIRY_NUMBER(w->rules, MUST_CAPTURE))
        fzi_fairy_say(w,
                      "// Whoever can capture must.\nmoves taking {\ncaptures;\n%s}\n"
                      "override moves legal {\ntaking then explode(last_to);\n"
                      "if not can(taking) piece_moves;\n%s%s}%s%s\n",
                      w->passing ? "passing;\n" : "", *dropping ? "if not can(taking) " : "",
                      dropping, filter, stop);
    else
        fzi_fairy_say(w,
                      "override moves legal {\nlet men = #occupied piece_moves then "
                      "if #occupied < men explode(last_to);\n%s}%s%s\n",
                      dropping, filter, stop);
}

/* Which moves there are, and what they must not bring about. */
static void say_legal(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool drops = FZ_FAIRY_NUMBER(r, DROPS), checking = FZ_FAIRY_NUMBER(r, CHECKING);
    const char *dropping = drops ? "drops;\n" : "";
    const char *filter =
        checking ? " ensuring not checked" : " ensuring not checked and not (as foe : checked)";

    fzi_fairy_say_memory(w);
    if (drops)
        fzi_fairy_say_hands(w);
    if (drops && checking && !FZ_FAIRY_NUMBER(r, DROP_CHECKS)) {
        fzi_fairy_say(w, "moves quiet_drops { drops; } ensuring not (as foe : checked);\n");
        dropping = "quiet_drops;\n";
    }
    if (!fzi_fairy_royal(w))
        filter = "";
    if (FZ_FAIRY_NUMBER(r, BLAST)) {
        say_blast(w);
        filter = FZ_FAIRY_NUMBER(r, PSEUDO_ROYAL) ? say_blast_royals(w) : filter;
        say_blasting(w, dropping, filter);
    } else if (FZ_FAIRY_NUMBER(r, MUST_DROP))
        fzi_fairy_say(
            w,
            "// Whoever can drop a piece must.\nmoves dropping {\n%s}%s%s\n"
            "override moves legal {\ndropping;\nif not can(dropping) piece_moves;\n}%s%s\n",
            dropping, filter, *filter ? ";" : "", filter, *filter ? ";" : "");
    else if (FZ_FAIRY_NUMBER(r, MUST_CAPTURE))
        fzi_fairy_say(
            w,
            "// Whoever can capture must.\nmoves taking {\ncaptures;\n%s}%s%s\n"
            "override moves legal {\ntaking;\nif not can(taking) piece_moves;\n%s%s}%s%s\n",
            w->passing ? "passing;\n" : "", filter, *filter ? ";" : "",
            drops ? "if not can(taking) " : "", dropping, filter, *filter ? ";" : "");
    else if (!checking)
        fzi_fairy_say(w, "override moves legal {\npiece_moves;\n%s}%s%s\n", dropping, filter,
                      *filter ? ";" : "");
    else if (drops)
        fzi_fairy_say(w, "extend moves legal {\n%s}\n", dropping);
}

void fzi_fairy_say_play(fzi_fairy_writer *w)
{
    say_royals(w);
    say_legal(w);
}
