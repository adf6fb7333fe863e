/* Counted moves: a player with few pieces is to be mated in a number of moves. See
 * fairy_writer.h. */
#include "fairy_writer.h"

enum { LINES = 6 };

/* How many moves p may count, by what its enemy q has. */
static const struct rule {
    const char *word;
    const char *never; /* when p does not count */
    const char *board; /* before it has a bare king; NULL */
    struct {
        enum fzi_fairy_kind kind;
        int least, moves;
    } lines[LINES];
    int rest; /* if it has none of these */
} rules[] = {
    {"makruk",
     "pieces(Pawn) != {} or #owned(q) == 1",
     "#owned(p) > 1 then 64",
     {{FZ_FAIRY_rook, 2, 8},
      {FZ_FAIRY_rook, 1, 16},
      {FZ_FAIRY_silver, 2, 22},
      {FZ_FAIRY_knight, 2, 32},
      {FZ_FAIRY_silver, 1, 44}},
     64},
    {"cambodian",
     "#owned(p) > 3 or #owned(q) == 1",
     "#owned(p) > 1 then 63 else if pieces(Pawn) != {} then 0",
     {{FZ_FAIRY_rook, 2, 7},
      {FZ_FAIRY_rook, 1, 15},
      {FZ_FAIRY_silver, 2, 21},
      {FZ_FAIRY_knight, 2, 31},
      {FZ_FAIRY_silver, 1, 43}},
     63},
    {"asean",
     "pieces(Pawn) != {} or #owned(p) > 1",
     NULL,
     {{FZ_FAIRY_rook, 1, 16}, {FZ_FAIRY_silver, 1, 44}, {FZ_FAIRY_knight, 1, 64}},
     0},
};

static const struct rule *rule_of(const fzi_fairy_writer *w)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (fzi_fairy_is_word(w, FZ_FAIRY_F_COUNTING, rules[i].word))
            return &rules[i];
    return NULL;
}

bool fzi_fairy_counts(const fzi_fairy_writer *w)
{
    return rule_of(w) != NULL;
}

void fzi_fairy_refuse_count(fzi_fairy_writer *w)
{
    if (!fzi_fairy_is_word(w, FZ_FAIRY_F_COUNTING, "none") && (!rule_of(w) || !w->pawns))
        fzi_fairy_refuse_field(w->rules, FZ_FAIRY_F_COUNTING, "not translated yet");
}

static void say_allowance(fzi_fairy_writer *w, const struct rule *rule)
{
    fzi_fairy_say(w,
                  "/// how many moves {p} counts against {q}; 0: none\n"
                  "fn allowance(p: player, q: player): int =\nif %s then 0\n",
                  rule->never);
    if (rule->board)
        fzi_fairy_say(w, "else if %s\n", rule->board);
    for (int i = 0; i < LINES && rule->lines[i].moves; i++)
        if (fzi_fairy_is_kind(w, rule->lines[i].kind))
            fzi_fairy_say(w, "else if #pieces(%s, q) >= %d then %d\n",
                          fzi_fairy_kind_name(rule->lines[i].kind), rule->lines[i].least,
                          rule->lines[i].moves);
    fzi_fairy_say(w, "else %d;\n", rule->rest);
}

/* Whoever counts begins anew when a capture or promotion leaves a bare king. */
void fzi_fairy_say_count(fzi_fairy_writer *w)
{
    const struct rule *rule = rule_of(w);

    if (!rule)
        return;
    bool pieces = rule->board != NULL; /* the count begins at the number of pieces */
    say_allowance(w, rule);
    fzi_fairy_say(w, "/// the turns that are counted, and how many there may be; 0: nobody counts\n"
                     "clock var counted: int;\nclock var counted_to: int;\n"
                     "/// {p} counts from {n} on\nproc count_from(p: player, n: int) {\n"
                     "let most = allowance(p, if p == White then Black else White);\n"
                     "if most > 0 { counted_to = 2 * most;  counted = n; }\n}\n");
    fzi_fairy_say(
        w,
        "override turn {\nlet men_there = #theirs, pawns_here = #pieces(Pawn, me);\n%sbase;\n"
        "if counted_to > 0 counted += 1;\n%s"
        "if counted_to == 0 or #theirs == 1 and (#theirs < men_there or "
        "#pieces(Pawn, me) < pawns_here)\ncount_from(foe, %s);\n}\n",
        pieces ? "let pawns_there = #pieces(Pawn, foe);\n" : "",
        pieces ? "if #mine == 1 and pieces(Pawn) == {} and #pieces(Pawn, foe) < "
                 "pawns_there\ncount_from(me, 2 * #occupied - 1);\n"
               : "",
        pieces ? "if #theirs > 1 then 0 else 2 * #occupied" : "0");
}

const char *fzi_fairy_count_end(const fzi_fairy_writer *w)
{
    return rule_of(w) ? "if counted_to > 0 and counted > counted_to and not (as upcoming : mated) "
                        "draw;\n"
                      : "";
}
