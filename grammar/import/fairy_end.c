/* How games end. See fairy_writer.h. */
#include "fairy_writer.h"

static const char *const results[] = {"", "lose", "draw", "win"};

/* A draw may count as a loss of one player, or the pieces are counted. */
static const char *draw_text(const fzi_fairy_writer *w)
{
    return fzi_fairy_is_word(w, FZ_FAIRY_F_MATERIAL, "blackdrawodds")   ? "lose White"
           : fzi_fairy_is_word(w, FZ_FAIRY_F_MATERIAL, "whitedrawodds") ? "lose Black"
           : fzi_fairy_is_word(w, FZ_FAIRY_F_MATERIAL, "unweighted")    ? "rank p by #owned(p)"
                                                                        : "draw";
}

/* `lose me`, `draw`: a result of `player`. */
static const char *result_text(fzi_fairy_writer *w, long result, const char *player)
{
    return result == FZ_FAIRY_DRAW || result == FZ_FAIRY_NO_RESULT
               ? draw_text(w)
               : FZ_FAIRY_TEXT(w, "%s %s", results[result], player);
}

static bool passes(const fzi_fairy_writer *w)
{
    return FZ_FAIRY_NUMBER(w->rules, PASS_STALEMATE);
}

/* Who cannot move passes. */
static void say_pass(fzi_fairy_writer *w)
{
    const char *mated = result_text(w, FZ_FAIRY_NUMBER(w->rules, CHECKMATE), "me");

    fzi_fairy_say(w,
                  "var passing_now: bool;\n/// the number of players who have passed, one after "
                  "the other\nvar passes: 0..2;\noverride proc no_move() {\n%s"
                  "if mine == {} %s;\nelse choose \"pass\" => passing_now = true;\n}\n"
                  "extend turn {\npasses = if passing_now then passes + 1 else 0;\n"
                  "passing_now = false;\n}\n",
                  fzi_fairy_royal(w) ? FZ_FAIRY_TEXT(w, "if checked %s;\nelse ", mated) : "",
                  result_text(w, FZ_FAIRY_NUMBER(w->rules, STALEMATE), "me"));
}

/* Mates need a check by rook, bers or knight before, and not by knights alone. */
static void say_shatar(fzi_fairy_writer *w)
{
    const uint64_t shak = (uint64_t)1 << FZ_FAIRY_knight | (uint64_t)1 << FZ_FAIRY_rook |
                          (uint64_t)1 << FZ_FAIRY_bers;

    fzi_fairy_say(w,
                  "// A series of checks holds one by a strong piece.\n"
                  "clock var shaken[player]: bool;\n"
                  "extend turn {\nshaken[me] = (as foe : checked) and (shaken[me] or "
                  "(as foe : attackers(royals) & (%s) != {}));\n}\n"
                  "override proc no_move() {\nif not checked %s;\n"
                  "else if attackers(royals) <= %s win me;\nelse if shaken[foe] %s;\n"
                  "else draw;\n}\n",
                  fzi_fairy_pieces_text(w, shak, ""),
                  result_text(w, FZ_FAIRY_NUMBER(w->rules, STALEMATE), "me"),
                  fzi_fairy_pieces_text(w, (uint64_t)1 << FZ_FAIRY_knight, ""),
                  result_text(w, FZ_FAIRY_NUMBER(w->rules, CHECKMATE), "me"));
}

static void say_no_move(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    long mate = FZ_FAIRY_NUMBER(r, CHECKMATE), stalemate = FZ_FAIRY_NUMBER(r, STALEMATE);
    bool drop = FZ_FAIRY_NUMBER(r, PAWN_DROP_MATE) && fzi_fairy_is_kind(w, FZ_FAIRY_shogiPawn);

    bool counts = FZ_FAIRY_NUMBER(r, STALEMATE_COUNT) && stalemate != FZ_FAIRY_DRAW;

    if (passes(w)) {
        say_pass(w);
        return;
    }
    if (FZ_FAIRY_NUMBER(r, SHATAR_MATE)) {
        say_shatar(w);
        return;
    }
    if (mate == FZ_FAIRY_LOSS && stalemate == FZ_FAIRY_DRAW && !drop &&
        strcmp(draw_text(w), "draw") == 0)
        return;
    fzi_fairy_say(w, "override proc no_move() {\n");
    if (drop)
        fzi_fairy_say(
            w, "// A pawn that is dropped must not mate.\n"
               "if checked and last_from == off and kind(last_to) == ShogiPawn win me;\nelse ");
    if (counts)
        fzi_fairy_say(
            w, "%s%sif #mine == #theirs %s;\nelse if #mine < #theirs %s;\nelse %s;\n}\n",
            fzi_fairy_royal(w) ? "if checked " : "",
            fzi_fairy_royal(w) ? FZ_FAIRY_TEXT(w, "%s;\nelse ", result_text(w, mate, "me")) : "",
            draw_text(w), result_text(w, stalemate, "me"), result_text(w, stalemate, "foe"));
    else if (mate == stalemate || !fzi_fairy_royal(w))
        fzi_fairy_say(w, "%s;\n}\n", result_text(w, stalemate, "me"));
    else
        fzi_fairy_say(w, "if checked %s;\nelse %s;\n}\n", result_text(w, mate, "me"),
                      result_text(w, stalemate, "me"));
}

/* How many pieces of a kind p has, in hand too. */
static const char *count_text(fzi_fairy_writer *w, const char *pieces, const char *hand)
{
    return FZ_FAIRY_NUMBER(w->rules, DROPS) ? FZ_FAIRY_TEXT(w, "%s + %s", pieces, hand) : pieces;
}

static void say_extinction_rule(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t kinds = FZ_FAIRY_SET_OF(r, EXTINCTION_KINDS, 0);
    bool all = fzi_fairy_has(kinds, FZ_FAIRY_ANY);
    long least = FZ_FAIRY_NUMBER(r, EXTINCTION_COUNT),
         others = FZ_FAIRY_NUMBER(r, EXTINCTION_OTHERS);
    const char *mine = all ? count_text(w, "#owned(p)", "(sum k in kind : hand[p, k])")
                           : count_text(w, "#pieces(k, p)", "hand[p, k]");
    const char *theirs = all ? count_text(w, "#owned(q)", "(sum k in kind : hand[q, k])")
                             : count_text(w, "#pieces(k, q)", "hand[q, k]");
    bool claim = FZ_FAIRY_NUMBER(r, EXTINCTION_CLAIM);

    fzi_fairy_say(w, "/// {p} has %s%s\nfn extinct(p: player%s): bool = %s%s",
                  least ? FZ_FAIRY_TEXT(w, "at most %ld pieces", least) : "no piece",
                  all ? "" : " of some kind", claim ? ", least: int" : "",
                  all ? "" : FZ_FAIRY_TEXT(w, "any k in {%s} : ", fzi_fairy_kind_list(w, kinds)),
                  FZ_FAIRY_TEXT(w, "%s <= %ld", mine, least));
    if (claim)
        fzi_fairy_say(w, " and (any q in player if q != p : %s >= least)", theirs);
    else if (others)
        fzi_fairy_say(w, " and (any q in player if q != p : %s >= %ld)", theirs, others);
    fzi_fairy_say(w, ";\n");
}

static bool goes_extinct(const fzi_fairy_writer *w)
{
    return FZ_FAIRY_NUMBER(w->rules, EXTINCTION) != FZ_FAIRY_NO_RESULT &&
           (!FZ_FAIRY_NUMBER(w->rules, PSEUDO_ROYAL) || FZ_FAIRY_NUMBER(w->rules, BLAST)) &&
           FZ_FAIRY_SET_OF(w->rules, EXTINCTION_KINDS, 0);
}

static bool has_flag(const fzi_fairy_writer *w)
{
    return !fzi_squares_empty(&FZ_FAIRY_VALUE(w->rules, FLAG_REGION, 0)->squares) ||
           !fzi_squares_empty(&FZ_FAIRY_VALUE(w->rules, FLAG_REGION, 1)->squares);
}

static void say_flag_rule(fzi_fairy_writer *w)
{
    fzi_squares regions[] = {FZ_FAIRY_VALUE(w->rules, FLAG_REGION, 0)->squares,
                             FZ_FAIRY_VALUE(w->rules, FLAG_REGION, 1)->squares};
    fzi_fairy_say(w, "/// where its pieces win\nlet goal%s;\n",
                  fzi_fairy_by_player(w, regions));
}

static const char *flag_pieces(fzi_fairy_writer *w, int colour, const char *player)
{
    long kind = FZ_FAIRY_VALUE(w->rules, FLAG_KIND, colour)->number;
    return kind == FZ_FAIRY_ANY ? FZ_FAIRY_TEXT(w, "owned(%s)", player)
                                : fzi_fairy_pieces_text(w, (uint64_t)1 << kind, player);
}

/* `#(pieces(King, p) & goal[p]) >= 1`. */
static const char *arrival_text(fzi_fairy_writer *w)
{
    long count = FZ_FAIRY_NUMBER(w->rules, FLAG_COUNT);
    const char *white = flag_pieces(w, 0, "p"), *black = flag_pieces(w, 1, "p");
    const char *pieces = strcmp(white, black) == 0
                             ? white
                             : FZ_FAIRY_TEXT(w, "(if p == White then %s else %s)", white, black);

    if (FZ_FAIRY_NUMBER(w->rules, FLAG_BLOCKED))
        return FZ_FAIRY_TEXT(w,
                             "%s & goal[p] != {} and (#(%s & goal[p]) >= %ld or "
                             "goal[p] <= occupied)",
                             pieces, pieces, count);
    return count == 1 ? FZ_FAIRY_TEXT(w, "%s & goal[p] != {}", pieces)
                      : FZ_FAIRY_TEXT(w, "#(%s & goal[p]) >= %ld", pieces, count);
}

static void say_arrival(fzi_fairy_writer *w)
{
    long count = FZ_FAIRY_NUMBER(w->rules, FLAG_COUNT);
    const char *pieces = flag_pieces(w, 0, "p");

    fzi_fairy_say(w, "/// {p} has reached its goal\nfn arrived(p: player): bool = %s",
                  arrival_text(w));
    if (FZ_FAIRY_NUMBER(w->rules, FLAG_SAFE) && FZ_FAIRY_NUMBER(w->rules, FLAG_MOVE))
        fzi_fairy_say(w, ";\n/// {p} has reached its goal and is not attacked there\n"
                         "fn settled(p: player): bool = arrived(p)");
    if (FZ_FAIRY_NUMBER(w->rules, FLAG_SAFE))
        fzi_fairy_say(w,
                      " and (#(%s & goal[p]) > %ld or not (any q in player if q != p : "
                      "attacked(%s & goal[p], q)))",
                      pieces, count, pieces);
    fzi_fairy_say(w, ";\n");
    if (FZ_FAIRY_NUMBER(w->rules, FLAG_MOVE))
        fzi_fairy_say(w, "moves arrivals { legal; } ensuring arrived(me);\n");
}

/* Who arrives wins at once; with flagMove the other side may still do the same. */
static void say_flag(fzi_fairy_writer *w)
{
    bool again = FZ_FAIRY_NUMBER(w->rules, FLAG_MOVE), safe = FZ_FAIRY_NUMBER(w->rules, FLAG_SAFE);
    bool king = FZ_FAIRY_VALUE(w->rules, FLAG_KIND, 0)->number == FZ_FAIRY_king;

    if (safe && again)
        fzi_fairy_say(w, "if arrived(foe) win foe;\nif settled(me) win me;\n");
    else if (safe)
        fzi_fairy_say(w, "if arrived(foe) { if arrived(me) draw; else win foe; }\n");
    else if (again && king)
        fzi_fairy_say(w,
                      "if arrived(foe) { if foe == White and arrived(me) draw; else win foe; }\n");
    else if (again)
        fzi_fairy_say(w, "if arrived(foe) win foe;\n");
    if (!again)
        fzi_fairy_say(w, "if arrived(me) win me;\n");
    else if (king && !safe)
        fzi_fairy_say(w, "if arrived(me) and not (foe == Black and not (as foe : checked) and "
                         "(as foe : can(arrivals))) win me;\n");
}

/* Pieces in a square of two by two, and on one line with others between. */
static void say_patterns(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t kinds = FZ_FAIRY_SET_OF(r, CONNECT_KINDS, 0);
    const char *m =
        fzi_fairy_has(kinds, FZ_FAIRY_ANY) ? "mine" : fzi_fairy_pieces_text(w, kinds, "me");
    const char *result = result_text(w, FZ_FAIRY_NUMBER(r, CONNECT_VALUE), "me");
    long n = FZ_FAIRY_NUMBER(r, COLLINEAR);

    if (FZ_FAIRY_NUMBER(r, CONNECT_NXN) == 2)
        fzi_fairy_say(w, "let m = %s;\nif m & m + e & m + n & m + ne != {} %s;\n", m, result);
    if (n && FZ_FAIRY_NUMBER(r, CONNECT_HORIZONTAL))
        fzi_fairy_say(w, "if any s in %s : #(rank(row(s)) & %s) >= %ld %s;\n", m, m, n, result);
    if (n && FZ_FAIRY_NUMBER(r, CONNECT_VERTICAL))
        fzi_fairy_say(w, "if any s in %s : #(file(column(s)) & %s) >= %ld %s;\n", m, m, n, result);
}

static void say_connected(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    fzi_growing dirs = {0};
    bool h = FZ_FAIRY_NUMBER(r, CONNECT_HORIZONTAL), v = FZ_FAIRY_NUMBER(r, CONNECT_VERTICAL);

    if (h)
        fzi_grow_z(w->arena, &dirs, "e");
    if (v)
        fzi_grow_z(w->arena, &dirs, dirs.length ? " | n" : "n");
    if (FZ_FAIRY_NUMBER(r, CONNECT_DIAGONAL))
        fzi_grow_z(w->arena, &dirs, h && v ? "" : dirs.length ? " | diagonal" : "diagonal");
    bool all = h && v && FZ_FAIRY_NUMBER(r, CONNECT_DIAGONAL);
    uint64_t kinds = FZ_FAIRY_SET_OF(r, CONNECT_KINDS, 0);
    fzi_fairy_say(w, "if line(%s, %ld%s%s) %s;\n",
                  fzi_fairy_has(kinds, FZ_FAIRY_ANY) ? "mine"
                                                     : fzi_fairy_pieces_text(w, kinds, "me"),
                  FZ_FAIRY_NUMBER(r, CONNECT_N), all ? "" : ", ",
                  all           ? ""
                  : dirs.length ? dirs.text
                                : "{}",
                  result_text(w, FZ_FAIRY_NUMBER(r, CONNECT_VALUE), "me"));
}

/* A chain of pieces joins two regions. The engine follows it eastwards and northwards only. */
static bool joins(const fzi_fairy_writer *w)
{
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++)
        if (!fzi_squares_empty(&FZ_FAIRY_VALUE(w->rules, CONNECT_REGION1, c)->squares))
            return true;
    return false;
}

static void say_regions(fzi_fairy_writer *w)
{
    fzi_squares one[FZ_FAIRY_COLOURS], two[FZ_FAIRY_COLOURS];

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        one[c] = FZ_FAIRY_VALUE(w->rules, CONNECT_REGION1, c)->squares;
        two[c] = FZ_FAIRY_VALUE(w->rules, CONNECT_REGION2, c)->squares;
    }
    fzi_fairy_say(w, "/// the sides that its pieces join\nlet from_side%s;\n",
                  fzi_fairy_by_player(w, one));
    fzi_fairy_say(w, "let to_side%s;\n", fzi_fairy_by_player(w, two));
}

/* Castling to some sides wins, and whoever loses the last right to it has lost. */
static bool castling_wins(const fzi_fairy_writer *w)
{
    return w->castling && !fzi_fairy_is_word(w, FZ_FAIRY_F_CASTLING_WINS, "-");
}

static void say_castling_wins(fzi_fairy_writer *w)
{
    const char *text = FZ_FAIRY_VALUE(w->rules, CASTLING_WINS, 0)->text;
    const char *const sides[] = {strchr(text, 'K')   ? strchr(text, 'Q') ? "0, 1" : "0"
                                 : strchr(text, 'Q') ? "1"
                                                     : "",
                                 strchr(text, 'k')   ? strchr(text, 'q') ? "0, 1" : "0"
                                 : strchr(text, 'q') ? "1"
                                                     : ""};

    fzi_fairy_say(w,
                  "/// the sides to which castling wins\n"
                  "let winning_sides[p: player]: set of 0..1 = {White: {%s}, Black: {%s}};\n"
                  "/// {p} cannot castle to win any more\n"
                  "fn too_late(p: player): bool = winning_sides[p] != {} and "
                  "not (any i in winning_sides[p] : castle[p, i]);\n",
                  sides[0], sides[1]);
}

static void say_end_rules(fzi_fairy_writer *w)
{
    fzi_fairy_say_count(w);
    if (joins(w))
        say_regions(w);
    if (castling_wins(w))
        say_castling_wins(w);
    if (goes_extinct(w))
        say_extinction_rule(w);
    if (has_flag(w)) {
        say_flag_rule(w);
        say_arrival(w);
    }
    if (FZ_FAIRY_NUMBER(w->rules, CHECK_COUNTING))
        fzi_fairy_say(w,
                      "/// the number of checks that {player} has yet to give\n"
                      "var checks_left[player]: 0..%ld = %ld;\nshow checks_left;\n"
                      "extend turn { if as foe : checked checks_left[me] -= 1; }\n",
                      w->start.checks, w->start.checks);
}

/* A repeated position, where it is not a draw. */
static void say_repetition(fzi_fairy_writer *w)
{
    long value = FZ_FAIRY_NUMBER(w->rules, N_FOLD_VALUE);
    const char *whose = FZ_FAIRY_NUMBER(w->rules, N_FOLD_ABSOLUTE) ? "White" : "foe";

    if (FZ_FAIRY_NUMBER(w->rules, PERPETUAL))
        fzi_fairy_say(w,
                      "if Repetition > 1 note_check();\nif repeated(Repetition) {\n"
                      "if always_checked(me, Repetition) or always_checked(foe, Repetition) "
                      "rank p by if always_checked(p, Repetition) then 0 else 1;\nelse %s;\n}\n",
                      result_text(w, value, whose));
    else
        fzi_fairy_say(w, "if repeated(Repetition) %s;\n", result_text(w, value, whose));
    fzi_fairy_say(w, "if quiet_too_long %s;\n", draw_text(w));
}

/* What makes a chain: directions of one sense only, as the engine has them. */
static void say_joined(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t kinds = FZ_FAIRY_SET_OF(r, CONNECT_KINDS, 0);
    fzi_growing dirs = {0};
    const char *m =
        fzi_fairy_has(kinds, FZ_FAIRY_ANY) ? "mine" : fzi_fairy_pieces_text(w, kinds, "me");

    if (FZ_FAIRY_NUMBER(r, CONNECT_HORIZONTAL))
        fzi_grow_z(w->arena, &dirs, "e");
    if (FZ_FAIRY_NUMBER(r, CONNECT_VERTICAL))
        fzi_grow_z(w->arena, &dirs, dirs.length ? " | n" : "n");
    if (FZ_FAIRY_NUMBER(r, CONNECT_DIAGONAL))
        fzi_grow_z(w->arena, &dirs, dirs.length ? " | ne | se" : "ne | se");
    fzi_fairy_say(w,
                  "// Chains lead eastwards and northwards.\n"
                  "let chain = %s;\nif flood(chain & from_side[me], chain, %s) & to_side[me] "
                  "!= {} %s;\n",
                  m, dirs.length ? dirs.text : "{}",
                  result_text(w, FZ_FAIRY_NUMBER(r, CONNECT_VALUE), "me"));
}

static void say_end(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool extinct = goes_extinct(w), flag = has_flag(w), checks = FZ_FAIRY_NUMBER(r, CHECK_COUNTING);
    bool patterns = FZ_FAIRY_NUMBER(r, CONNECT_NXN) || FZ_FAIRY_NUMBER(r, COLLINEAR);
    bool connects = FZ_FAIRY_NUMBER(r, CONNECT_N) > 0;
    bool repeats = FZ_FAIRY_NUMBER(r, PERPETUAL) ||
                   FZ_FAIRY_NUMBER(r, N_FOLD_VALUE) != FZ_FAIRY_DRAW ||
                   strcmp(draw_text(w), "draw") != 0;
    bool full = FZ_FAIRY_NUMBER(r, FULL_BOARD);

    fzi_fairy_say(w, "override let dead_position = false;\n");
    if (!extinct && !flag && !checks && !connects && !repeats && !passes(w) && !full && !patterns &&
        !fzi_fairy_counts(w) && !joins(w) && !castling_wins(w) &&
        !FZ_FAIRY_NUMBER(r, SITTUYIN_PROMOTION))
        return;
    fzi_fairy_say(w, "override end {\n");
    if (extinct) {
        long value = FZ_FAIRY_NUMBER(r, EXTINCTION);
        long others = FZ_FAIRY_NUMBER(r, EXTINCTION_OTHERS);
        bool claim = FZ_FAIRY_NUMBER(r, EXTINCTION_CLAIM);
        fzi_fairy_say(w, "if extinct(me%s) %s;\nif extinct(foe%s) %s;\n",
                      claim ? FZ_FAIRY_TEXT(w, ", %ld", others) : "", result_text(w, value, "me"),
                      claim ? FZ_FAIRY_TEXT(w, ", %ld", others + 1) : "",
                      result_text(w, value, "foe"));
    }
    if (flag)
        say_flag(w);
    if (castling_wins(w))
        fzi_fairy_say(w, "if kind(last_to) == King and dist(last_from, last_to) > 1 and "
                         "(if last_to > last_from then 0 else 1) in winning_sides[me] win me;\n"
                         "if too_late(me) lose me;\nif too_late(foe) lose foe;\n");
    if (checks)
        fzi_fairy_say(w, "if checks_left[me] == 0 win me;\n");
    if (connects)
        say_connected(w);
    if (joins(w))
        say_joined(w);
    if (patterns)
        say_patterns(w);
    if (passes(w) || full)
        fzi_fairy_say(w, "if %s%s%s %s;\n", passes(w) ? "passes == 2" : "",
                      passes(w) && full ? " or " : "", full ? "empty == {}" : "", draw_text(w));
    if (repeats)
        say_repetition(w);
    else
        fzi_fairy_say(w, "base;\n");
    fzi_fairy_say(w, "%s", fzi_fairy_count_end(w));
    if (FZ_FAIRY_NUMBER(r, SITTUYIN_PROMOTION))
        fzi_fairy_say(w, "if as foe : #mine == 2 and #pieces(Pawn, me) == 1 and not checked and "
                         "not can(advancing) draw;\n");
    fzi_fairy_say(w, "}\n");
}

void fzi_fairy_say_ends(fzi_fairy_writer *w)
{
    say_no_move(w);
    say_end_rules(w);
    say_end(w);
}
