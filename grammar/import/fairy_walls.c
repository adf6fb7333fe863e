/* Walls: pieces of nobody, on which nothing goes. See fairy_writer.h. */
#include "fairy_writer.h"

static bool is_rule(const fzi_fairy_writer *w, const char *rule)
{
    return fzi_fairy_is_word(w, FZ_FAIRY_F_WALLING, rule);
}

static bool petrifies(const fzi_fairy_writer *w)
{
    return FZ_FAIRY_SET_OF(w->rules, PETRIFY, 0) != 0;
}

bool fzi_fairy_walls(const fzi_fairy_writer *w)
{
    return !is_rule(w, "none") || petrifies(w);
}

bool fzi_fairy_walls_chosen(const fzi_fairy_writer *w)
{
    return !is_rule(w, "none") && !is_rule(w, "past") && !FZ_FAIRY_NUMBER(w->rules, WALL_OR_MOVE);
}

/* The only kind of the variant, whose moves arrows make, too; FZ_FAIRY_NONE. */
static enum fzi_fairy_kind only_kind(const fzi_fairy_writer *w)
{
    enum fzi_fairy_kind found = FZ_FAIRY_NONE;

    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k)) {
            if (found != FZ_FAIRY_NONE)
                return FZ_FAIRY_NONE;
            found = (enum fzi_fairy_kind)k;
        }
    return found;
}

void fzi_fairy_refuse_walls(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool or_move = FZ_FAIRY_NUMBER(r, WALL_OR_MOVE), chosen = fzi_fairy_walls_chosen(w);

    if ((or_move && !is_rule(w, "edge")) || (chosen && FZ_FAIRY_NUMBER(r, MUST_CAPTURE)) ||
        (chosen && fzi_fairy_royal(w) && !is_rule(w, "duck")) ||
        (chosen && fzi_fairy_is_kind(w, FZ_FAIRY_king)) ||
        (chosen && fzi_fairy_royal(w) && !FZ_FAIRY_NUMBER(r, CHECKING)) ||
        (is_rule(w, "arrow") && only_kind(w) == FZ_FAIRY_NONE))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_WALLING,
                               "with these pieces or duties: not translated yet");
    if (!petrifies(w))
        return;
    uint64_t promoted =
        FZ_FAIRY_SET_OF(r, PROMOTION_PAWNS, 0) | FZ_FAIRY_SET_OF(r, PROMOTION_PAWNS, 1);
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (r->promoted[k] != FZ_FAIRY_NONE)
            promoted |= (uint64_t)1 << k;
    if (fzi_fairy_is_kind(w, FZ_FAIRY_king) || FZ_FAIRY_NUMBER(r, DROPS) || chosen ||
        FZ_FAIRY_NUMBER(r, EXTINCTION_COUNT) || FZ_FAIRY_NUMBER(r, PETRIFY_BLAST) ||
        (!FZ_FAIRY_NUMBER(r, BLAST) && (FZ_FAIRY_SET_OF(r, PETRIFY, 0) & promoted)) ||
        (FZ_FAIRY_SET_OF(r, PETRIFY, 0) & FZ_FAIRY_SET_OF(r, EXTINCTION_KINDS, 0) &
         (FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 0) | FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 1))))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_PETRIFY,
                               "with these pieces or duties: not translated yet");
}

bool fzi_fairy_petrified(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    return fzi_fairy_has(FZ_FAIRY_SET_OF(w->rules, PETRIFY, 0), kind) &&
           !FZ_FAIRY_NUMBER(w->rules, BLAST);
}

/* Where a wall may go, besides on an empty square: ` & ...`. */
static const char *say_places(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    fzi_squares regions[FZ_FAIRY_COLOURS];
    bool everywhere = true;

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        regions[c] = FZ_FAIRY_VALUE(r, WALLING_REGION, c)->squares;
        everywhere &=
            strcmp(fzi_squares_text(w->arena, &regions[c], w->files, w->ranks), "site") == 0;
    }
    if (!everywhere)
        fzi_fairy_say(w, "/// where it builds walls\nlet wall_region%s;\n",
                      fzi_fairy_by_player(w, regions));
    if (is_rule(w, "arrow")) {
        enum fzi_fairy_kind kind = only_kind(w);
        fzi_fairy_moves moves = {0};
        if (kind != FZ_FAIRY_NONE) /* else the key is refused, and the script a part */
            fzi_fairy_moves_of(w->arena, r->moves[kind], &moves);
        fzi_fairy_say(w,
                      "/// the squares that a wall flies to from here\nfn flights(here: site): "
                      "sites = %s;\n",
                      moves.quiet  ? moves.quiet
                      : moves.both ? moves.both
                                   : "{}");
    }
    return FZ_FAIRY_TEXT(w, "%s%s%s", everywhere ? "" : " & wall_region[me]",
                         is_rule(w, "arrow")  ? " & flights(last_to)"
                         : is_rule(w, "edge") ? " & (border | step(neutral, orthogonal))"
                                              : "",
                         "");
}

/* Records of the turn, before the wall is a move of its own. */
static void say_notes(fzi_fairy_writer *w)
{
    fzi_fairy_say(w, "proc note_move() {\nrecord_castling();\n%s}\n",
                  w->passing ? "en_passant = passed_over();\nif en_passant != off and not "
                               "(as foe : can(legal_passing)) en_passant = off;\n"
                             : "");
    if (w->passing)
        fzi_fairy_say(w, "override proc record_passing() {}\n");
}

void fzi_fairy_say_walls(fzi_fairy_writer *w)
{
    bool duck = is_rule(w, "duck");

    if (!fzi_fairy_walls(w))
        return;
    fzi_fairy_say(w, "/// Nothing goes there.\npiece Wall \"#\";\n"
                     "override let men: int = #(occupied - neutral);\n");
    if (is_rule(w, "past"))
        fzi_fairy_say(w, "// No piece goes where one has left.\n"
                         "extend turn { if last_from != off put Wall of nobody at last_from; }\n");
    if (petrifies(w) && FZ_FAIRY_NUMBER(w->rules, BLAST))
        fzi_fairy_say(w, "// Where a capturing piece turns to stone.\nvar stone: site;\n"
                         "extend turn {\nif stone != off put Wall of nobody at stone;\n"
                         "stone = off;\n}\n");
    if (!fzi_fairy_walls_chosen(w))
        return;
    const char *places = say_places(w);
    fzi_fairy_say(w,
                  "/// put %s wall on an empty square\nproc wall_off(free: sites) {\n"
                  "choose s in free%s \"wall {s}\" => { %sput Wall of nobody at s; }\n"
                  "otherwise {}\n}\n",
                  duck ? "the" : "a", places, duck ? "remove pieces(Wall);  " : "");
    if (fzi_fairy_royal(w))
        say_notes(w);
    else
        fzi_fairy_say(w, "extend turn { wall_off(empty); }\n");
}

const char *fzi_fairy_wall_moves(fzi_fairy_writer *w)
{
    return FZ_FAIRY_NUMBER(w->rules, WALL_OR_MOVE)
               ? FZ_FAIRY_TEXT(w,
                               "if not checked for s in empty%s \"wall {s}\" => "
                               "put Wall of nobody at s;\n",
                               say_places(w))
               : "";
}

const char *fzi_fairy_wall_filter(fzi_fairy_writer *w)
{
    if (!fzi_fairy_walls_chosen(w) || is_rule(w, "duck") || is_rule(w, "arrow"))
        return "";
    return FZ_FAIRY_TEXT(w, " ensuring empty%s != {}",
                         is_rule(w, "edge") ? " & (border | step(neutral, orthogonal))"
                                            : " & wall_region[me]");
}
