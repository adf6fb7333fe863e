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
    if (FZ_FAIRY_NUMBER(r, DUPLE_CHECK))
        fzi_fairy_say(w,
                      "/// also all pieces that may be royal at once\n"
                      "override let checked: bool = base or (%s) != {} and "
                      "(all s in %s : not safe({s}));\n",
                      fzi_fairy_pieces_text(w, kinds, "me"), fzi_fairy_pieces_text(w, kinds, "me"));
}

/* ---- legal moves ---- */

/* A capture removes all pieces around it but pawns. */
static void say_blast(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    const char *immune = fzi_fairy_pieces_text(w, FZ_FAIRY_SET_OF(r, BLAST_IMMUNE, 0), "");
    bool hands = FZ_FAIRY_NUMBER(r, DROPS) && FZ_FAIRY_NUMBER(r, CAPTURES_TO_HAND);
    uint64_t stones = FZ_FAIRY_SET_OF(r, PETRIFY, 0);

    fzi_fairy_say(w,
                  "/// the pieces that a capture on s removes\nfn blasted(s: site): sites = "
                  "((s | step(s, adjacent) & occupied%s%s) & occupied)%s%s%s;\n",
                  w->pawns ? " - pieces(Pawn)" : "", fzi_fairy_walls(w) ? " - neutral" : "",
                  strcmp(immune, "{}") ? " - (" : "", strcmp(immune, "{}") ? immune : "",
                  strcmp(immune, "{}") ? ")" : "");
    fzi_fairy_say(
        w, "proc explode(s: site) {\n%s%sremove blasted(s);\n%s}\n",
        stones ? FZ_FAIRY_TEXT(w, "if kind(s) in {%s} stone = s;\n", fzi_fairy_kind_list(w, stones))
               : "",
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

/* What happens after a move of a piece: ` then ...`. */
static const char *after_move(fzi_fairy_writer *w)
{
    bool blast = FZ_FAIRY_NUMBER(w->rules, BLAST);
    bool wall = fzi_fairy_walls_chosen(w) && fzi_fairy_royal(w);

    return blast && wall ? " then {\nlet free = empty;\nif #occupied < men explode(last_to);\n"
                           "note_move();\nwall_off(free);\n}"
           : blast       ? " then if #occupied < men explode(last_to);"
           : wall        ? " then { note_move();  wall_off(empty); }"
                         : ";";
}

/* The moves but drops. */
static const char *say_moves(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool makpong = FZ_FAIRY_NUMBER(r, MAKPONG) && fzi_fairy_is_kind(w, FZ_FAIRY_king);

    if (makpong || FZ_FAIRY_NUMBER(r, SHATAR_MATE))
        fzi_fairy_say(w, "/// the enemies that attack {S}\nfn attackers(S: sites): sites = "
                         "{for s in theirs if (as foe : can(moves_of({s}, S)))};\n");
    if (makpong) {
        fzi_fairy_say(w,
                      "// A king in check must not move away; it may capture.\nmoves stepping {\n"
                      "if not checked moves_of(mine);\nif checked moves_of(mine - royals);\n"
                      "if #attackers(royals) == 1 moves_of(royals, attackers(royals));\n}\n");
        return "stepping;\n";
    }
    return FZ_FAIRY_TEXT(w, "%spiece_moves%s\n%s%s",
                         FZ_FAIRY_NUMBER(r, BLAST) ? "let men = #occupied " : "", after_move(w),
                         fzi_fairy_entering(w), fzi_fairy_wall_moves(w));
}

/* How drops are named, after what says that they must not do something. */
static const char *say_dropping(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool checks = FZ_FAIRY_NUMBER(r, CHECKING) && !FZ_FAIRY_NUMBER(r, DROP_CHECKS);
    const char *bishops = fzi_fairy_bishops(w);

    if (!FZ_FAIRY_NUMBER(r, DROPS))
        return "";
    if (!checks && !bishops)
        return "drops;\n";
    fzi_fairy_say(w, "moves right_drops { drops; } ensuring %s%s%s;\n",
                  checks ? "not (as foe : checked)" : "", checks && bishops ? " and " : "",
                  bishops ? bishops : "");
    return "right_drops;\n";
}

/* What a move must not bring about: ` ensuring ...`. */
static const char *say_filter(fzi_fairy_writer *w)
{
    if (!fzi_fairy_royal(w))
        return fzi_fairy_wall_filter(w);
    if (FZ_FAIRY_NUMBER(w->rules, BLAST) && FZ_FAIRY_NUMBER(w->rules, PSEUDO_ROYAL))
        return say_blast_royals(w);
    return FZ_FAIRY_NUMBER(w->rules, CHECKING) ? " ensuring not checked"
                                               : " ensuring not checked and not (as foe : checked)";
}

/* Which moves there are, and what they must not bring about. */
static void say_legal(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool must_drop = FZ_FAIRY_NUMBER(r, MUST_DROP), must_take = FZ_FAIRY_NUMBER(r, MUST_CAPTURE);
    bool blast = FZ_FAIRY_NUMBER(r, BLAST);

    fzi_fairy_say_memory(w);
    if (fzi_fairy_hands(w))
        fzi_fairy_say_hands(w);
    fzi_fairy_say_gates(w);
    if (blast)
        say_blast(w);
    fzi_fairy_say_walls(w);
    const char *dropping = say_dropping(w), *moving = say_moves(w), *filter = say_filter(w);
    const char *stop = *filter ? ";" : "", *checked = " ensuring not checked";
    const char *first = must_drop ? "dropping" : "taking";
    if (must_drop)
        fzi_fairy_say(w, "// Whoever can drop a piece must.\nmoves dropping {\n%s}%s%s\n", dropping,
                      filter, stop);
    else if (must_take)
        fzi_fairy_say(w, "// Whoever can capture must.\nmoves taking {\ncaptures;\n%s}%s%s\n",
                      w->passing ? "passing;\n" : "", blast ? "" : filter, blast ? "" : stop);
    if (must_drop || must_take)
        fzi_fairy_say(w, "override moves legal {\n%s%s\nif not can(%s) %s%s%s}%s%s\n", first,
                      blast ? " then explode(last_to);" : ";", first,
                      must_take && blast ? "piece_moves;\n" : moving,
                      must_take && *dropping ? "if not can(taking) " : "",
                      must_take ? dropping : "", filter, stop);
    else if (strcmp(moving, "piece_moves;\n") != 0 || (*filter && strcmp(filter, checked) != 0))
        fzi_fairy_say(w, "override moves legal {\n%s%s}%s%s\n", moving, dropping, filter, stop);
    else if (*dropping)
        fzi_fairy_say(w, "extend moves legal {\n%s}\n", dropping);
}

void fzi_fairy_say_play(fzi_fairy_writer *w)
{
    say_royals(w);
    say_legal(w);
}
