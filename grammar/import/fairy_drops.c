/* Pieces in hand. See fairy_writer.h. */
#include "fairy_writer.h"

#include <ctype.h>

/* From an empty square of the border, a piece goes to the first square with something behind it, as
 * the engine counts squares: from the first file, or from the first rank. */
static void say_row_ends(fzi_fairy_writer *w)
{
    static const char *const ways[][2] = {{"e", "w"}, {"n", "s"}};
    const char *sides[2] = {"rank(i)", "file(i)"}, *union_word = "";
    const int lengths[2] = {w->ranks, w->files}, far[2] = {w->files, w->ranks};

    fzi_fairy_say(w,
                  "/// where pieces come to rest that enter from the border\nlet ends: sites = ");
    for (int way = 0; way < 2; way++)
        for (int end = 0; end < 2; end++, union_word = " | ") {
            const char *from = end ? FZ_FAIRY_TEXT(w, "%d", far[way]) : "1";
            fzi_fairy_say(w,
                          "%s(union i in 1..%d if site_at(%s, %s) in empty : "
                          "{first t in %s & empty : t + %s not in empty})",
                          union_word, lengths[way], way ? "i" : from, way ? from : "i", sides[way],
                          ways[way][end]);
        }
    fzi_fairy_say(w, ";\n");
}

/* Which drops the pieces on the board allow. */
static const char *enclosing_text(fzi_fairy_writer *w)
{
    const fzi_squares *start = &FZ_FAIRY_VALUE(w->rules, ENCLOSING_START, 0)->squares;
    static const struct {
        const char *word, *set;
    } sets[] = {{"top", "(rank(1) | occupied + n)"},
                {"snort", "~step(theirs, orthogonal)"},
                {"ataxx", "step(mine, adjacent)"},
                {"reversi", "flanking(empty, theirs, mine)"},
                {"anyside", "ends"}};
    const char *set = NULL;

    if (fzi_fairy_is_word(w, FZ_FAIRY_F_ENCLOSING_DROP, "anyside"))
        say_row_ends(w);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (fzi_fairy_is_word(w, FZ_FAIRY_F_ENCLOSING_DROP, sets[i].word))
            set = sets[i].set;
    if (!set || fzi_squares_empty(start))
        return set ? FZ_FAIRY_TEXT(w, " & %s", set) : "";
    const char *text = fzi_squares_text(w->arena, start, w->files, w->ranks);
    fzi_fairy_say(w, "/// where the first pieces are dropped\nlet first_squares: sites = %s;\n",
                  text);
    return FZ_FAIRY_TEXT(w, " & (if first_squares & empty != {} then first_squares else %s)", set);
}

/* Enemies that a drop encloses change sides; drops without a hand. */
static void say_drop(fzi_fairy_writer *w)
{
    bool unlimited = FZ_FAIRY_NUMBER(w->rules, FREE_DROPS);
    const char *flips = fzi_fairy_flips(w, "to", true);

    if (unlimited) {
        uint64_t all = ~(uint64_t)0;
        fzi_fairy_say(w,
                      "/// There is no end of pieces.\noverride moves drops { for k in {%s} "
                      "for to in droppable(k) \"{k}@{to}\" => drop(k, to); }\n",
                      fzi_fairy_kind_list(w, all));
    }
    if (unlimited || flips)
        fzi_fairy_say(w, "override proc drop(k: kind, to: site) {\n%s%s\n}\n",
                      flips ? FZ_FAIRY_TEXT(w, "%s;\n", flips) : "",
                      unlimited ? "put k of me at to;" : "base;");
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++)
        for (int k = 0; k < FZ_FAIRY_KINDS; k++)
            if (w->start.hand[k][c] > 40) {
                fzi_fairy_say(w, "override var hand[player, kind]: 0..%d;\n", w->files * w->ranks);
                return;
            }
}

static void say_droppable(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    fzi_squares regions[] = {FZ_FAIRY_VALUE(r, DROP_REGION, 0)->squares,
                             FZ_FAIRY_VALUE(r, DROP_REGION, 1)->squares};
    bool everywhere =
        strcmp(fzi_squares_text(w->arena, &regions[0], w->files, w->ranks), "site") == 0 &&
        strcmp(fzi_squares_text(w->arena, &regions[1], w->files, w->ranks), "site") == 0;
    fzi_growing text = {0};

    if (!everywhere)
        fzi_fairy_say(w, "/// where it drops its pieces\nlet drop_region%s;\n",
                      fzi_fairy_by_player(w, regions));
    bool zone = !FZ_FAIRY_NUMBER(r, ZONE_DROPS), first = !FZ_FAIRY_NUMBER(r, FIRST_RANK_DROPS);
    if (w->pawns && (zone || first))
        fzi_grow_z(
            w->arena, &text,
            FZ_FAIRY_TEXT(w, " - (if k == Pawn then %s%s%s else {})", zone ? "last_rank[me]" : "",
                          zone && first ? " | " : "",
                          first ? FZ_FAIRY_TEXT(w, "rank(if me == White then 1 else %d)", w->ranks)
                                : ""));
    for (int k = 0; k < FZ_FAIRY_KINDS; k++) {
        enum fzi_fairy_kind kind = (enum fzi_fairy_kind)k;
        if (!fzi_fairy_is_kind(w, kind))
            continue;
        const char *dead = fzi_fairy_dead_end_name(w, kind), *name = fzi_fairy_kind_name(kind);
        bool region = !fzi_squares_empty(&r->region[k][0]) || !fzi_squares_empty(&r->region[k][1]);
        if (dead)
            fzi_grow_z(w->arena, &text,
                       FZ_FAIRY_TEXT(w, " - (if k == %s then %s[me] else {})", name, dead));
        if (region)
            fzi_grow_z(w->arena, &text,
                       FZ_FAIRY_TEXT(w, " - (if k == %s then ~%c%s_region[me] else {})", name,
                                     tolower((unsigned char)*name), name + 1));
    }
    if (FZ_FAIRY_NUMBER(r, SITTUYIN_ROOK) && fzi_fairy_is_kind(w, FZ_FAIRY_rook))
        fzi_grow_z(w->arena, &text, " - (if k == Rook then ~rank(1, me) else {})");
    long doubled = FZ_FAIRY_NUMBER(r, NO_DOUBLED), count = FZ_FAIRY_NUMBER(r, NO_DOUBLED_COUNT);
    if (doubled < FZ_FAIRY_KINDS && fzi_fairy_is_kind(w, (enum fzi_fairy_kind)doubled)) {
        const char *name = fzi_fairy_kind_name((enum fzi_fairy_kind)doubled);
        fzi_grow_z(w->arena, &text,
                   count == 0
                       ? FZ_FAIRY_TEXT(w, " - (if k == %s then site else {})", name)
                       : FZ_FAIRY_TEXT(
                             w,
                             " - (if k == %s then union s in pieces(%s, me)%s : "
                             "file(column(s)) else {})",
                             name, name,
                             count == 1 ? ""
                                        : FZ_FAIRY_TEXT(
                                              w, " if #(file(column(s)) & pieces(%s, me)) >= %ld",
                                              name, count)));
    }
    const char *enclosing = enclosing_text(w);
    if (!everywhere || text.length || *enclosing)
        fzi_fairy_say(w, "override fn droppable(k: kind): sites = empty%s%s%s;\n", enclosing,
                      everywhere ? "" : " & drop_region[me]", text.length ? text.text : "");
}

void fzi_fairy_say_memory(fzi_fairy_writer *w)
{
    if (!w->remembers || !w->promotes)
        return;
    fzi_fairy_say(w,
                  "// What a promoted piece was before, and is again when captured.\n"
                  "carried var was[site]: kind;\n"
                  "override proc promote(s: site, k: kind) {\nlet old = kind(s);\nbase;\n"
                  "was[s] = old;\n%s}\n",
                  fzi_fairy_noisy_promotion(w)
                      ? "if Quiet > 0 quiet = -1;  // no quiet turn: its end makes this 0\n"
                      : "");
    if (FZ_FAIRY_NUMBER(w->rules, DEMOTION))
        fzi_fairy_say(w, "proc demote(s: site) {\nlet old = was[s];\nbecome(s, old);\n"
                         "was[s] = none;\n}\n");
    if (FZ_FAIRY_NUMBER(w->rules, DROPS) && !FZ_FAIRY_NUMBER(w->rules, DROP_LOOP))
        fzi_fairy_say(w, "override fn held_as(s: site): kind = "
                         "if was[s] == none then kind(s) else was[s];\n");
}

/* Pieces may be dropped with the other side up. */
static void say_promoted_drops(fzi_fairy_writer *w)
{
    fzi_growing sides = {0};

    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) && w->rules->promoted[k] != FZ_FAIRY_NONE)
            fzi_grow_z(w->arena, &sides,
                       FZ_FAIRY_TEXT(w, "%s%s: %s", sides.length ? ", " : "",
                                     fzi_fairy_kind_name((enum fzi_fairy_kind)k),
                                     fzi_fairy_kind_name(w->rules->promoted[k])));
    if (sides.length)
        fzi_fairy_say(
            w,
            "/// the other side of a piece\nlet other[k: kind]: kind = {%s};\n"
            "override moves drops {\nbase;\n"
            "for k in kind if hand[me, k] > 0 and other[k] != none for to in droppable(k) "
            "\"+{k}@{to}\" => { drop(k, to);  promote(to, other[k]); }\n}\n",
            sides.text);
}

void fzi_fairy_say_hands(fzi_fairy_writer *w)
{
    if (!FZ_FAIRY_NUMBER(w->rules, CAPTURES_TO_HAND))
        fzi_fairy_say(w, "/// Captured pieces are gone.\noverride on capture(s) {}\n");
    if (FZ_FAIRY_NUMBER(w->rules, DROP_PROMOTED))
        say_promoted_drops(w);
    say_droppable(w);
    say_drop(w);
}

const char *fzi_fairy_bishops(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;

    if (!FZ_FAIRY_NUMBER(r, OPPOSITE_BISHOPS) || !fzi_fairy_is_kind(w, FZ_FAIRY_bishop))
        return NULL;
    fzi_fairy_say(
        w, "/// the squares of S have no more than half of the bishops, and room for half "
           "of them\nfn fits(S: sites): bool = #(S & pieces(Bishop, me)) <= (bishops + 1) / 2 "
           "and #(S & (pieces(Bishop, me) | droppable(Bishop))) >= bishops / 2;\n"
           "/// the number of bishops, in hand too\n"
           "let bishops: int = #pieces(Bishop, me) + hand[me, Bishop];\n");
    return "fits(dark) and fits(light)";
}
