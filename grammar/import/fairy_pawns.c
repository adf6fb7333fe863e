/* Pawns: their first steps, capture in passing, and the moves that are not quiet. See
 * fairy_writer.h. */
#include "fairy_writer.h"

#include <ctype.h>

/* Two squares ahead, and three, from where pawns may. */
static void say_leaps(fzi_fairy_writer *w)
{
    static const char *const ranks[] = {"*2", "*7"};
    fzi_squares from[FZ_FAIRY_COLOURS], far[FZ_FAIRY_COLOURS];
    bool same = w->ranks >= 7;

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        fzi_squares preset = {{0}};
        fzi_squares_read(ranks[c], &preset);
        from[c] = FZ_FAIRY_VALUE(w->rules, DOUBLE_STEP_REGION, c)->squares;
        far[c] = FZ_FAIRY_VALUE(w->rules, TRIPLE_STEP_REGION, c)->squares;
        if (!FZ_FAIRY_NUMBER(w->rules, DOUBLE_STEP))
            from[c] = (fzi_squares){{0}};
        same &= fzi_squares_equal(&from[c], &preset);
    }
    if (!same)
        fzi_fairy_say(w, "override let pawn_rank%s;\n",
                      fzi_fairy_by_player(w, from));
    if (w->triple)
        fzi_fairy_say(
            w,
            "/// from where pawns may go three squares\nlet far_rank%s;\n"
            "override fn pawn_leaps(s: site): sites = base(s) | step(step(step(s & far_rank[me], "
            "forward) & empty, forward) & empty, forward) & empty;\n",
            fzi_fairy_by_player(w, far));
}

/* Where the enemy captures in passing; NULL: everywhere. */
static const char *region_name(fzi_fairy_writer *w)
{
    fzi_squares whole, regions[FZ_FAIRY_COLOURS];
    bool everywhere = true;

    memset(&whole, 0xff, sizeof whole);
    whole = fzi_squares_within(&whole, w->files, w->ranks);
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        regions[c] = fzi_squares_within(&FZ_FAIRY_VALUE(w->rules, EN_PASSANT_REGION, c)->squares,
                                        w->files, w->ranks);
        everywhere &= fzi_squares_equal(&regions[c], &whole);
    }
    if (everywhere)
        return NULL;
    fzi_fairy_say(w,
                  "/// where its pieces capture in passing\n"
                  "let passing_region%s;\n",
                  fzi_fairy_by_player(w, regions));
    return "passing_region[foe]";
}

const char *fzi_fairy_hits(fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    fzi_fairy_moves moves;

    if (kind == FZ_FAIRY_pawn)
        return "pawn_hits(here)";
    fzi_fairy_moves_of(w->arena, w->rules->moves[kind], &moves);
    return moves.capture ? FZ_FAIRY_TEXT(w, "(%s)", moves.capture) : "{}";
}

/* Other kinds than pawns leap or capture in passing, or pawns leap three squares. */
static void say_passing(fzi_fairy_writer *w)
{
    const char *region = region_name(w);

    fzi_fairy_say(w,
                  "remove en_passant, passed_over%s;\n"
                  "// The squares that a piece has just leapt over, and where it stands.\n"
                  "var passed: sites;\nvar passer: site;\n"
                  "override fn passed_pawn(to: site): site = passer;\n"
                  "override moves passing {\n",
                  !w->pawns   ? ", pawn_steps, pawn_leaps, pawn_hits"
                  : !w->leaps ? ", pawn_leaps"
                              : "");
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (fzi_fairy_has(w->passers, (enum fzi_fairy_kind)k))
            fzi_fairy_say(w,
                          "for here in pieces(%s, me), to in %s & passed => pass_by(here, to);\n",
                          fzi_fairy_kind_name((enum fzi_fairy_kind)k),
                          fzi_fairy_hits(w, (enum fzi_fairy_kind)k));
    fzi_fairy_say(w,
                  "}\noverride proc record_passing() {\n"
                  "passed = if kind(last_to) in {%s} and dist(last_from, last_to) > 1 "
                  "then between(last_from, last_to)%s%s else {};\n"
                  "if passed != {} and not (as foe : can(legal_passing)) passed = {};\n"
                  "passer = if passed == {} then off else last_to;\n}\n",
                  fzi_fairy_kind_list(w, w->leapers), region ? " & " : "", region ? region : "");
}

void fzi_fairy_say_pawns(fzi_fairy_writer *w)
{
    bool leaps = w->leaps || fzi_fairy_leaps_at_first(w);

    if (leaps)
        say_leaps(w);
    if (!w->passing) {
        fzi_fairy_say(w,
                      "remove %s%s%sen_passant, pass_by, passed_pawn, passing, legal_passing, "
                      "passed_over;\noverride proc record_passing() {}\n",
                      leaps ? "" : "pawn_rank, ", w->leaps ? "" : "pawn_leaps, ",
                      w->pawns ? "" : "pawn_steps, pawn_hits, ");
        return;
    }
    if (w->passes_own) {
        say_passing(w);
        return;
    }
    const char *region = region_name(w);
    if (region)
        fzi_fairy_say(w,
                      "override fn passed_over(): site = "
                      "if base in %s then base else off;\n",
                      region);
}

/* ` and not ...`: pawns that go back and forth move quietly; "". */
static const char *back_text(fzi_fairy_writer *w, uint64_t pawns)
{
    fzi_growing text = {0};

    for (int k = FZ_FAIRY_pawn + 1; k < FZ_FAIRY_KINDS; k++) {
        fzi_fairy_moves moves;
        enum fzi_fairy_kind kind = (enum fzi_fairy_kind)k;
        if (!fzi_fairy_is_kind(w, kind) || !fzi_fairy_has(pawns, kind) ||
            !fzi_fairy_returns(w->rules, kind) ||
            fzi_fairy_moves_of(w->arena, w->rules->moves[kind], &moves))
            continue;
        const char *name = fzi_fairy_kind_name(kind);
        fzi_fairy_say(w,
                      "/// where a %s goes from here, captures aside\nfn %c%s_steps(here: site): "
                      "sites = %s%s%s;\n",
                      name, tolower((unsigned char)*name), name + 1, moves.both ? moves.both : "",
                      moves.both && moves.quiet ? " | " : "", moves.quiet ? moves.quiet : "");
        fzi_grow_z(
            w->arena, &text,
            FZ_FAIRY_TEXT(w, " and not (kind(last_to) == %s and last_from in %c%s_steps(last_to))",
                          name, tolower((unsigned char)*name), name + 1));
    }
    return text.text ? text.text : "";
}

bool fzi_fairy_noisy_promotion(const fzi_fairy_writer *w)
{
    const fzi_fairy_rules *r = w->rules;
    bool found = false;

    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        found |= fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) && r->promoted[k] != FZ_FAIRY_NONE;
    return found && FZ_FAIRY_NUMBER(r, N_MOVE) && !FZ_FAIRY_NUMBER(r, DEMOTION);
}

/* What is no quiet turn: captures, drops, and moves of pawns that they cannot take back. */
void fzi_fairy_say_quiet(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t white = FZ_FAIRY_SET_OF(r, N_MOVE_PAWNS, 0),
             black = FZ_FAIRY_SET_OF(r, N_MOVE_PAWNS, 1);
    bool chess = w->pawns && white == (uint64_t)1 << FZ_FAIRY_pawn && white == black;
    bool drops = FZ_FAIRY_NUMBER(r, DROPS);

    if (!chess)
        fzi_fairy_say(w, "override let pawns: sites = %s;\n",
                      white == black
                          ? fzi_fairy_pieces_text(w, white, "")
                          : FZ_FAIRY_TEXT(w, "%s | %s", fzi_fairy_pieces_text(w, white, "White"),
                                          fzi_fairy_pieces_text(w, black, "Black")));
    if (fzi_fairy_enters(w))
        fzi_fairy_say(w, "override let men: int = #theirs;\n");
    if (!FZ_FAIRY_NUMBER(r, N_MOVE))
        return;
    const char *back = back_text(w, white | black);
    if (drops || *back)
        fzi_fairy_say(
            w,
            "override proc record_quiet(men_before: int, pawns_before: sites) {\n"
            "if Quiet > 0 {\nif men < men_before%s or pawns != pawns_before%s quiet = 0;\n"
            "else quiet += 1;\n}\n}\n",
            drops ? " or last_from == off and last_to != off" : "", back);
    if (fzi_fairy_noisy_promotion(w) && !w->remembers)
        fzi_fairy_say(w, "// A promotion is no quiet turn: its end makes this 0.\n"
                         "extend proc promote(s: site, k: kind) { if Quiet > 0 quiet = -1; }\n");
}
