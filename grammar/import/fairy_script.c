/* The rules of a variant as a script: what is said, in which order. See fairy_writer.h. */
#include "fairy_writer.h"

#include <ctype.h>

static const char *const results[] = {"", "lose", "draw", "win"};

/* `lose me`, `draw`: a result of `player`. */
static const char *result_text(fzi_fairy_writer *w, long result, const char *player)
{
    return result == FZ_FAIRY_DRAW ? "draw" : FZ_FAIRY_TEXT(w, "%s %s", results[result], player);
}

/* ---- head ---- */

/* "three-check" is "Three check". */
static const char *title(fzi_fairy_writer *w)
{
    char *title = fzi_arena_printf(w->arena, "%s", fzi_fairy_plain(w->arena, w->rules->name));
    for (char *at = title; *at; at++)
        *at = *at == '-' || *at == '_' ? ' ' : *at;
    *title = (char)toupper((unsigned char)*title);
    return title;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool uses_hops(fzi_fairy_writer *w)
{
    fzi_fairy_moves moves;
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) && k != FZ_FAIRY_pawn &&
            !fzi_fairy_moves_of(w->arena, w->rules->moves[k], &moves) && moves.hops)
            return true;
    return false;
}

static void say_head(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool hops = uses_hops(w), drops = FZ_FAIRY_NUMBER(r, DROPS);
    bool repeats = FZ_FAIRY_NUMBER(r, PERPETUAL);

    fzi_fairy_say(w, "variant \"%s\" of \"chess.game\";\n", title(w));
    if (hops || drops || repeats)
        fzi_fairy_say(w, "use %s%s%s%s%s;\n", drops ? "drops" : "", drops && hops ? ", " : "",
                      hops ? "fairy" : "", repeats && (drops || hops) ? ", " : "",
                      repeats ? "repetition" : "");
    fzi_fairy_say(w, "info {\nsource \"%s, section %s\";\n", file_name(w->rules->path),
 w->rules->name);
    if (drops || !w->castling || !w->passing)
        fzi_fairy_say(w, "fen \"board%s mover %s %s quiet turns\";\n", drops ? "[hand]" : "",
                      w->castling ? "KQkq=castle[White,0],castle[White,1],"
                                    "castle[Black,0],castle[Black,1]"
                                  : "-",
                      w->passing ? "en_passant" : "-");
    fzi_fairy_say(w, "}\n");
    if (FZ_FAIRY_NUMBER(r, N_MOVE) != 50)
        fzi_fairy_say(w, "set Quiet = %ld;\n", 2 * FZ_FAIRY_NUMBER(r, N_MOVE));
    if (FZ_FAIRY_NUMBER(r, N_FOLD) != 3)
        fzi_fairy_say(w, "set Repetition = %ld;\n", FZ_FAIRY_NUMBER(r, N_FOLD));
}

/* ---- board, pawns and castling ---- */

static void say_board(fzi_fairy_writer *w)
{
    if (w->files == w->ranks && w->files != 8)
        fzi_fairy_say(w, "override board square(%d);\n", w->files);
    else if (w->files != 8 || w->ranks != 8)
        fzi_fairy_say(w, "override board square(%d, %d);\n", w->files, w->ranks);
}

static void say_removed_kinds(fzi_fairy_writer *w)
{
    static const enum fzi_fairy_kind chess[] = {FZ_FAIRY_king,   FZ_FAIRY_queen,  FZ_FAIRY_rook,
                                                FZ_FAIRY_bishop, FZ_FAIRY_knight, FZ_FAIRY_pawn};
    fzi_growing names = {0};

    for (size_t i = 0; i < sizeof chess / sizeof *chess; i++)
        if (!fzi_fairy_is_kind(w, chess[i])) {
            fzi_grow_z(w->arena, &names, names.length ? ", " : "");
            fzi_grow_z(w->arena, &names, fzi_fairy_kind_name(chess[i]));
        }
    if (names.length)
        fzi_fairy_say(w, "remove %s;\n", names.text);
}

/* Some piece uses the squares from which pawns leap. */
static bool leaps_at_first(fzi_fairy_writer *w)
{
    fzi_fairy_moves moves;
    for (int k = FZ_FAIRY_pawn + 1; k < FZ_FAIRY_KINDS; k++)
        if (fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) &&
            !fzi_fairy_moves_of(w->arena, w->rules->moves[k], &moves) && moves.first)
            return true;
    return false;
}

static void say_pawns(fzi_fairy_writer *w)
{
    static const char *const ranks[] = {"*2", "*7"};
    fzi_squares from[FZ_FAIRY_COLOURS];
    bool leaps = w->leaps || leaps_at_first(w), same = w->ranks >= 7;

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        fzi_squares preset = {{0}};
        fzi_squares_read(ranks[c], &preset);
        from[c] = FZ_FAIRY_VALUE(w->rules, DOUBLE_STEP_REGION, c)->squares;
        if (!FZ_FAIRY_NUMBER(w->rules, DOUBLE_STEP))
            from[c] = (fzi_squares){{0}};
        same &= fzi_squares_equal(&from[c], &preset);
    }
    if (leaps && !same)
        fzi_fairy_say(w, "override let pawn_rank[p: player]: sites = %s;\n",
                      fzi_fairy_by_player(w, from));
    if (!w->passing) {
        fzi_fairy_say(w,
                      "remove %s%s%sen_passant, pass_by, passed_pawn, passing, legal_passing, "
                      "passed_over;\noverride proc record_passing() {}\n",
                      leaps ? "" : "pawn_rank, ", w->leaps ? "" : "pawn_leaps, ",
                      w->pawns ? "" : "pawn_steps, pawn_hits, ");
        return;
    }
    fzi_squares whole[FZ_FAIRY_COLOURS];
    memset(whole, 0xff, sizeof whole);
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        fzi_squares region = FZ_FAIRY_VALUE(w->rules, EN_PASSANT_REGION, c)->squares;
        whole[c] = fzi_squares_within(&whole[c], w->files, w->ranks);
        region = fzi_squares_within(&region, w->files, w->ranks);
        if (!fzi_squares_equal(&region, &whole[c])) {
            fzi_squares regions[] = {FZ_FAIRY_VALUE(w->rules, EN_PASSANT_REGION, 0)->squares,
                                     FZ_FAIRY_VALUE(w->rules, EN_PASSANT_REGION, 1)->squares};
            fzi_fairy_say(w,
                          "/// where its pawns capture in passing\n"
                          "let passing_region[p: player]: sites = %s;\n"
                          "override fn passed_over(): site = "
                          "if base in passing_region[foe] then base else off;\n",
                          fzi_fairy_by_player(w, regions));
            return;
        }
    }
}

static const char *square_text(fzi_fairy_writer *w, int file, int colour)
{
    return FZ_FAIRY_TEXT(w, "%c%d", 'a' + file, w->start.castling_rank[colour] + 1);
}

/* `{White: e1, Black: e8}`, or with both sides `{White: [h1, a1], ...}`. */
static const char *castling_squares(fzi_fairy_writer *w, const int files[FZ_FAIRY_COLOURS][2],
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

/* A side without a right gets squares, too, which do no harm. */
static void say_castling(fzi_fairy_writer *w)
{
    fzi_fairy_start *s = &w->start;
    fzi_fairy_rules *r = w->rules;
    int kings[2][2], rooks[2][2], to[2][2];

    if (!w->castling) {
        fzi_fairy_say(w, "remove castles, castle, king_home, unmoved, rook_home, may_castle;\n"
                         "override proc record_castling() {}\n");
        return;
    }
    for (int c = 0; c < 2; c++)
        for (int side = 0; side < 2; side++) {
            bool has = s->castles[c][0] || s->castles[c][1];
            kings[c][side] = has ? s->king_file[c] : s->king_file[!c];
            rooks[c][side] = s->castles[c][side] ? s->rook_file[c][side]
                             : side == 0         ? w->files - 1
                                                 : 0;
            to[c][side] = (int)(side == 0 ? FZ_FAIRY_NUMBER(r, CASTLING_KINGSIDE)
                                          : FZ_FAIRY_NUMBER(r, CASTLING_QUEENSIDE)) -
                          1;
            to[c][side] = to[c][side] < w->files ? to[c][side] : w->files - 1;
        }
    for (int c = 0; c < 2; c++)
        if (s->castling_rank[1] == s->castling_rank[0])
            fzi_fairy_refuse_field(r, FZ_FAIRY_F_CASTLING_RANK, "not translated yet");
    bool plain = w->files == 8 && w->ranks == 8 && s->castling_rank[0] == 0;
    static const int e[2][2] = {{4, 4}, {4, 4}}, ha[2][2] = {{7, 0}, {7, 0}},
                     gc[2][2] = {{6, 2}, {6, 2}};
    if (!plain || memcmp(kings, e, sizeof e) != 0)
        fzi_fairy_say(w, "override let king_home[p: player]: site = %s;\n",
                      castling_squares(w, kings, false));
    if (!plain || memcmp(rooks, ha, sizeof ha) != 0)
        fzi_fairy_say(w, "override let rook_home[p: player, i: 0..1]: site = %s;\n",
                      castling_squares(w, rooks, true));
    if (!plain || memcmp(kings, e, sizeof e) != 0 || memcmp(to, gc, sizeof gc) != 0)
        fzi_fairy_say(
            w,
            "/// where the king stands after castling\n"
            "let castled[p: player, i: 0..1]: site = %s;\n"
            "override moves castles(king: site) {\nfor i in 0..1 "
            "if may_castle[me, i] and king == king_home[me] castling(king, castled[me, i], "
            "rook_home[me, i], castled[me, i] + (if i == 0 then w else e));\n}\n",
            castling_squares(w, to, true));
    uint64_t white = FZ_FAIRY_SET_OF(r, CASTLING_ROOKS, 0),
             black = FZ_FAIRY_SET_OF(r, CASTLING_ROOKS, 1);
    if (white != black)
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_CASTLING_ROOKS, "not translated yet");
    if (white != (uint64_t)1 << FZ_FAIRY_rook)
        fzi_fairy_say(w,
                      "override let may_castle[p: player, i: 0..1]: bool = "
                      "castle[p, i] and rook_home[p, i] in (%s);\n",
                      fzi_fairy_pieces_text(w, white, "p"));
}

/* ---- royal pieces ---- */

static bool royal(const fzi_fairy_writer *w)
{
    return fzi_fairy_is_kind(w, FZ_FAIRY_king) || FZ_FAIRY_NUMBER(w->rules, PSEUDO_ROYAL);
}

/* Kinds of which the last pieces are royal. */
static void say_royals(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t kinds = FZ_FAIRY_SET_OF(r, EXTINCTION_KINDS, 0);
    long last = FZ_FAIRY_NUMBER(r, EXTINCTION_COUNT) + 1;
    bool king = fzi_fairy_is_kind(w, FZ_FAIRY_king);

    if (!royal(w))
        fzi_fairy_say(
            w, "override let royals: sites = {};\noverride fn safe(S: sites): bool = true;\n");
    if (!FZ_FAIRY_NUMBER(r, PSEUDO_ROYAL))
        return;
    if (fzi_fairy_has(kinds, FZ_FAIRY_ANY)) {
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_EXTINCTION_KINDS,
                               "all kinds royal: not translated yet");
        return;
    }
    const char *list = fzi_fairy_kind_list(w, kinds);
    const char *also = king ? "pieces(King, me) | " : "";
    if (FZ_FAIRY_NUMBER(r, CAPTURES_TO_HAND) || w->promotes || last > 1 || strchr(list, ',') ||
        FZ_FAIRY_NUMBER(r, DROPS))
        fzi_fairy_say(w,
                      "/// the last %ld of a kind\noverride let royals: sites = %s"
                      "(union k in {%s} if #pieces(k, me) <= %ld : pieces(k, me));\n",
                      last, also, list, last);
    else
        fzi_fairy_say(w, "override let royals: sites = %s%s;\n", also,
                      fzi_fairy_pieces_text(w, kinds, "me"));
}

/* ---- drops and legal moves ---- */

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
        fzi_fairy_say(w, "/// where it drops its pieces\nlet drop_region[p: player]: sites = %s;\n",
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
    if (!everywhere || text.length)
        fzi_fairy_say(w, "override fn droppable(k: kind): sites = empty%s%s;\n",
                      everywhere ? "" : " & drop_region[me]", text.length ? text.text : "");
}

static void say_hands(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;

    if (!FZ_FAIRY_NUMBER(r, CAPTURES_TO_HAND)) {
        fzi_fairy_say(w, "/// Captured pieces are gone.\noverride on capture(s) {}\n");
    } else if (w->promotes && !FZ_FAIRY_NUMBER(r, DROP_LOOP)) {
        fzi_fairy_say(w, "// What a promoted piece was before, and is again when captured.\n"
                         "carried var was[site]: kind;\n"
                         "override proc promote(s: site, k: kind) {\nlet old = kind(s);\nbase;\n"
                         "was[s] = old;\n}\n"
                         "override fn held_as(s: site): kind = "
                         "if was[s] == none then kind(s) else was[s];\n");
    }
    say_droppable(w);
}

/* Which moves there are, and what they must not bring about. */
static void say_legal(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool drops = FZ_FAIRY_NUMBER(r, DROPS), checking = FZ_FAIRY_NUMBER(r, CHECKING);
    const char *dropping = drops ? "drops;\n" : "";
    const char *filter =
        checking ? " ensuring not checked" : " ensuring not checked and not (as foe : checked)";

    if (drops)
        say_hands(w);
    if (drops && checking && !FZ_FAIRY_NUMBER(r, DROP_CHECKS)) {
        fzi_fairy_say(w, "moves quiet_drops { drops; } ensuring not (as foe : checked);\n");
        dropping = "quiet_drops;\n";
    }
    if (!royal(w))
        filter = "";
    if (FZ_FAIRY_NUMBER(r, MUST_CAPTURE))
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
        fzi_fairy_say(w, "extend moves legal { %s }\n", dropping);
}

/* ---- the end ---- */

static void say_no_move(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    long mate = FZ_FAIRY_NUMBER(r, CHECKMATE), stalemate = FZ_FAIRY_NUMBER(r, STALEMATE);
    bool drop = FZ_FAIRY_NUMBER(r, PAWN_DROP_MATE) && fzi_fairy_is_kind(w, FZ_FAIRY_shogiPawn);

    if (mate == FZ_FAIRY_LOSS && stalemate == FZ_FAIRY_DRAW && !drop)
        return;
    fzi_fairy_say(w, "override proc no_move() {\n");
    if (drop)
        fzi_fairy_say(
            w, "// A pawn that is dropped must not mate.\n"
               "if checked and last_from == off and kind(last_to) == ShogiPawn win me;\nelse ");
    if (mate == stalemate || !royal(w))
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

    fzi_fairy_say(w, "/// {p} has %s %ld pieces%s\nfn extinct(p: player): bool = %s%s",
                  least ? "at most" : "only", least, all ? "" : " of some kind",
                  all ? "" : FZ_FAIRY_TEXT(w, "any k in {%s} : ", fzi_fairy_kind_list(w, kinds)),
                  FZ_FAIRY_TEXT(w, "%s <= %ld", mine, least));
    if (others)
        fzi_fairy_say(w, " and (any q in player if q != p : %s >= %ld)", theirs, others);
    fzi_fairy_say(w, ";\n");
}

static bool goes_extinct(const fzi_fairy_writer *w)
{
    return FZ_FAIRY_NUMBER(w->rules, EXTINCTION) != FZ_FAIRY_NO_RESULT &&
           !FZ_FAIRY_NUMBER(w->rules, PSEUDO_ROYAL) &&
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
    fzi_fairy_say(w, "/// where its pieces win\nlet goal[p: player]: sites = %s;\n",
                  fzi_fairy_by_player(w, regions));
}

static const char *flag_pieces(fzi_fairy_writer *w, int colour)
{
    long kind = FZ_FAIRY_VALUE(w->rules, FLAG_KIND, colour)->number;
    return kind == FZ_FAIRY_ANY ? "mine" : fzi_fairy_pieces_text(w, (uint64_t)1 << kind, "me");
}

static void say_flag(fzi_fairy_writer *w)
{
    long count = FZ_FAIRY_NUMBER(w->rules, FLAG_COUNT);
    const char *white = flag_pieces(w, 0), *black = flag_pieces(w, 1);
    const char *pieces = strcmp(white, black) == 0
                             ? white
                             : FZ_FAIRY_TEXT(w, "(if me == White then %s else %s)", white, black);

    if (count == 1)
        fzi_fairy_say(w, "if %s & goal[me] != {} win me;\n", pieces);
    else
        fzi_fairy_say(w, "if #(%s & goal[me]) >= %ld win me;\n", pieces, count);
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
    fzi_fairy_say(w, "if line(mine, %ld%s%s) %s;\n", FZ_FAIRY_NUMBER(r, CONNECT_N), all ? "" : ", ",
                  all           ? ""
                  : dirs.length ? dirs.text
                                : "{}",
                  result_text(w, FZ_FAIRY_NUMBER(r, CONNECT_VALUE), "me"));
}

static void say_end_rules(fzi_fairy_writer *w)
{
    if (goes_extinct(w))
        say_extinction_rule(w);
    if (has_flag(w))
        say_flag_rule(w);
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

    if (FZ_FAIRY_NUMBER(w->rules, PERPETUAL))
        fzi_fairy_say(w,
                      "if Repetition > 1 note_check();\nif repeated(Repetition) {\n"
                      "if always_checked(me, Repetition) or always_checked(foe, Repetition) "
                      "rank p by if always_checked(p, Repetition) then 0 else 1;\nelse %s;\n}\n",
                      result_text(w, value, "foe"));
    else
        fzi_fairy_say(w, "if repeated(Repetition) %s;\n", result_text(w, value, "foe"));
    fzi_fairy_say(w, "if quiet_too_long draw;\n");
}

static void say_end(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool extinct = goes_extinct(w), flag = has_flag(w), checks = FZ_FAIRY_NUMBER(r, CHECK_COUNTING);
    bool connects = FZ_FAIRY_NUMBER(r, CONNECT_N) > 0;
    bool repeats =
        FZ_FAIRY_NUMBER(r, PERPETUAL) || FZ_FAIRY_NUMBER(r, N_FOLD_VALUE) != FZ_FAIRY_DRAW;

    fzi_fairy_say(w, "override let dead_position = false;\n");
    if (!extinct && !flag && !checks && !connects && !repeats)
        return;
    fzi_fairy_say(w, "override end {\n");
    if (extinct) {
        long value = FZ_FAIRY_NUMBER(r, EXTINCTION);
        fzi_fairy_say(w, "if extinct(me) %s;\nif extinct(foe) %s;\n", result_text(w, value, "me"),
                      result_text(w, value, "foe"));
    }
    if (flag)
        say_flag(w);
    if (checks)
        fzi_fairy_say(w, "if checks_left[me] == 0 win me;\n");
    if (connects)
        say_connected(w);
    if (repeats)
        say_repetition(w);
    else
        fzi_fairy_say(w, "base;\n");
    fzi_fairy_say(w, "}\n");
}

/* ---- the whole ---- */

/* What a combination of keys would need that no script says yet. */
static void refuse_combinations(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;

    if (w->leaps && (!fzi_fairy_has(FZ_FAIRY_SET_OF(r, EN_PASSANT_PAWNS, 0), FZ_FAIRY_pawn) !=
                     !fzi_fairy_has(FZ_FAIRY_SET_OF(r, EN_PASSANT_PAWNS, 1), FZ_FAIRY_pawn)))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_EN_PASSANT_PAWNS, "not the same of both players");
    for (int k = FZ_FAIRY_pawn + 1; k < FZ_FAIRY_KINDS; k++) {
        uint64_t passes =
            FZ_FAIRY_SET_OF(r, EN_PASSANT_PAWNS, 0) | FZ_FAIRY_SET_OF(r, EN_PASSANT_PAWNS, 1);
        if (fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) &&
            fzi_fairy_has(passes, (enum fzi_fairy_kind)k) && (w->leaps || leaps_at_first(w)))
            fzi_fairy_refuse_field(
                r, FZ_FAIRY_F_EN_PASSANT_PAWNS,
                "capture in passing by other pieces than pawns is not translated yet");
    }
    if (FZ_FAIRY_NUMBER(r, PAWN_DROP_MATE) && !fzi_fairy_is_kind(w, FZ_FAIRY_shogiPawn))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_PAWN_DROP_MATE, "without a shogiPawn");
    if (FZ_FAIRY_NUMBER(r, CHECKMATE) == FZ_FAIRY_NO_RESULT)
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_CHECKMATE, "no result");
    if (FZ_FAIRY_NUMBER(r, STALEMATE) == FZ_FAIRY_NO_RESULT)
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_STALEMATE, "no result");
    if (fzi_fairy_is_kind(w, FZ_FAIRY_janggiCannon))
        fzi_fairy_refuse_kind(r, FZ_FAIRY_janggiCannon, "not translated yet");
    if (w->files > FZ_FAIRY_FILES || w->ranks > FZ_FAIRY_RANKS)
        fzi_fairy_refuse_field(r, w->ranks > FZ_FAIRY_RANKS ? FZ_FAIRY_F_RANKS : FZ_FAIRY_F_FILES,
                               "boards have at most 12 files and 10 ranks");
}

static void begin(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t passes = FZ_FAIRY_SET_OF(r, EN_PASSANT_PAWNS, 0);

    w->pawns = fzi_fairy_is_kind(w, FZ_FAIRY_pawn);
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        fzi_squares from = fzi_squares_within(&FZ_FAIRY_VALUE(r, DOUBLE_STEP_REGION, c)->squares,
                                              w->files, w->ranks);
        fzi_squares over = fzi_squares_within(&FZ_FAIRY_VALUE(r, EN_PASSANT_REGION, c)->squares,
                                              w->files, w->ranks);
        w->leaps |= w->pawns && FZ_FAIRY_NUMBER(r, DOUBLE_STEP) && !fzi_squares_empty(&from);
        w->passing |= fzi_fairy_has(passes, FZ_FAIRY_pawn) && !fzi_squares_empty(&over);
    }
    w->passing &= w->leaps;
}

static void say_n_move_pawns(fzi_fairy_writer *w)
{
    uint64_t white = FZ_FAIRY_SET_OF(w->rules, N_MOVE_PAWNS, 0),
             black = FZ_FAIRY_SET_OF(w->rules, N_MOVE_PAWNS, 1);
    bool chess = w->pawns && white == (uint64_t)1 << FZ_FAIRY_pawn && white == black;

    if (!chess)
        fzi_fairy_say(w, "override let pawns: sites = %s;\n",
                      white == black
                          ? fzi_fairy_pieces_text(w, white, "")
                          : FZ_FAIRY_TEXT(w, "%s | %s", fzi_fairy_pieces_text(w, white, "White"),
                                          fzi_fairy_pieces_text(w, black, "Black")));
}

static void say_refused(fzi_fairy_writer *w)
{
    if (!w->rules->refused_count)
        return;
    for (size_t i = 0; i < w->rules->refused_count; i++) {
        const fz_import_clause *c = &w->rules->refused[i];
        fzi_fairy_say(w, "// Line %u: %s: %s\n", c->line, c->clause, c->why);
    }
    fzi_fairy_say(w, "override let not_translated = %zu;\n", w->rules->refused_count);
}

char *fzi_fairy_script(fzi_fairy_rules *rules, bool partial)
{
    fzi_fairy_writer writer = {.rules = rules, .arena = rules->arena}, *w = &writer;

    w->files = (int)FZ_FAIRY_NUMBER(rules, FILES);
    w->ranks = (int)FZ_FAIRY_NUMBER(rules, RANKS);
    refuse_combinations(w);
    if (w->files > FZ_FAIRY_FILES || w->ranks > FZ_FAIRY_RANKS)
        return NULL;
    begin(w);
    fzi_fairy_read_start(w);
    say_head(w);
    say_board(w);
    say_removed_kinds(w);
    say_castling(w);
    say_pawns(w);
    fzi_fairy_say_promotion(w);
    say_n_move_pawns(w);
    fzi_fairy_say_pieces(w);
    say_royals(w);
    say_legal(w);
    say_no_move(w);
    say_end_rules(w);
    say_end(w);
    fzi_fairy_say_setup(w);
    say_refused(w);
    return rules->refused_count && !partial ? NULL : w->text.text;
}
