/* The rules of a variant as a script: what is said, in which order. See fairy_writer.h. */
#include "fairy_writer.h"

#include <ctype.h>

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

    fzi_fairy_say(w, "variant \"%s\" of \"chess.game\";\n\n", title(w));
    if (hops || drops || repeats)
        fzi_fairy_say(w, "use %s%s%s%s%s;\n", drops ? "drops" : "", drops && hops ? ", " : "",
                      hops ? "fairy" : "", repeats && (drops || hops) ? ", " : "",
                      repeats ? "repetition" : "");
    fzi_fairy_say(w, "info {\nsource \"%s, section %s\";\n",
                  fzi_fairy_plain(w->arena, file_name(w->rules->path)),
                  fzi_fairy_plain(w->arena, w->rules->name));
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
    const char *walls = fzi_squares_list(w->arena, &w->start.walls);
    const char *shape = w->files == w->ranks
                            ? FZ_FAIRY_TEXT(w, "square(%d)", w->files)
                            : FZ_FAIRY_TEXT(w, "square(%d, %d)", w->files, w->ranks);

    if (walls)
        fzi_fairy_say(w, "override board without(%s, %s);\n", shape, walls);
    else if (w->files != 8 || w->ranks != 8)
        fzi_fairy_say(w, "override board %s;\n", shape);
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

/* Another kind than pawns leaps two squares and captures in passing. */
static void say_passer(fzi_fairy_writer *w)
{
    fzi_fairy_moves moves;
    const char *name = fzi_fairy_kind_name(w->passer);

    fzi_fairy_moves_of(w->arena, w->rules->moves[w->passer], &moves);
    fzi_fairy_say(w,
                  "remove pawn_steps, pawn_leaps;\n"
                  "override fn pawn_hits(here: site): sites = %s;\n",
                  moves.capture);
    fzi_fairy_say(w,
                  "override fn passed_pawn(to: site): site = last_to;\n"
                  "override moves passing { for here in pieces(%s, me), to in pawn_hits(here) & "
                  "{en_passant} => pass_by(here, to); }\n",
                  name);
    fzi_fairy_say(w,
                  "override fn passed_over(): site = if kind(last_to) == %s and "
                  "dist(last_from, last_to) == 2 then "
                  "(first s in between(last_from, last_to) : true) else off;\n",
                  name);
}

static void say_pawns(fzi_fairy_writer *w)
{
    static const char *const ranks[] = {"*2", "*7"};
    fzi_squares from[FZ_FAIRY_COLOURS];
    bool leaps = w->leaps || fzi_fairy_leaps_at_first(w), same = w->ranks >= 7;

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
    if (w->passer != FZ_FAIRY_pawn)
        say_passer(w);
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
    bool opposite = FZ_FAIRY_NUMBER(r, OPPOSITE_CASTLING);
    bool plain = w->files == 8 && w->ranks == 8 && s->castling_rank[0] == 0;
    static const int e[2][2] = {{4, 4}, {4, 4}}, ha[2][2] = {{7, 0}, {7, 0}},
                     gc[2][2] = {{6, 2}, {6, 2}};
    if (!plain || memcmp(kings, e, sizeof e) != 0)
        fzi_fairy_say(w, "override let king_home[p: player]: site = %s;\n",
                      castling_squares(w, kings, false));
    if (!plain || memcmp(rooks, ha, sizeof ha) != 0)
        fzi_fairy_say(w, "override let rook_home[p: player, i: 0..1]: site = %s;\n",
                      castling_squares(w, rooks, true));
    if (!plain || memcmp(kings, e, sizeof e) != 0 || memcmp(to, gc, sizeof gc) != 0 || opposite)
        fzi_fairy_say(
            w,
            "/// where the king stands after castling\n"
            "let castled[p: player, i: 0..1]: site = %s;\n"
            "override moves castles(king: site) {\nfor i in 0..1 "
            "if may_castle[me, i] and king == king_home[me] castling(king, castled[me, i], "
            "rook_home[me, i], castled[me, i] + (if i == 0 then w else e))%s;\n}\n",
            castling_squares(w, to, true), opposite ? " then castle[foe, i] = false" : "");
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

/* ---- drops and legal moves ---- */

/* Which drops the pieces on the board allow. */
static const char *enclosing_text(fzi_fairy_writer *w)
{
    const fzi_squares *start = &FZ_FAIRY_VALUE(w->rules, ENCLOSING_START, 0)->squares;
    static const struct {
        const char *word, *set;
    } sets[] = {{"top", "(rank(1) | occupied + n)"},
                {"snort", "~step(theirs, orthogonal)"},
                {"ataxx", "step(mine, adjacent)"},
                {"reversi", "flanking(empty, theirs, mine)"}};
    const char *set = NULL;

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
    const char *enclosing = enclosing_text(w);
    if (!everywhere || text.length || *enclosing)
        fzi_fairy_say(w, "override fn droppable(k: kind): sites = empty%s%s%s;\n", enclosing,
                      everywhere ? "" : " & drop_region[me]", text.length ? text.text : "");
}

static void say_memory(fzi_fairy_writer *w)
{
    if (!w->remembers || !w->promotes)
        return;
    fzi_fairy_say(w, "// What a promoted piece was before, and is again when captured.\n"
                     "carried var was[site]: kind;\n"
                     "override proc promote(s: site, k: kind) {\nlet old = kind(s);\nbase;\n"
                     "was[s] = old;\n}\n");
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

static void say_hands(fzi_fairy_writer *w)
{
    if (!FZ_FAIRY_NUMBER(w->rules, CAPTURES_TO_HAND))
        fzi_fairy_say(w, "/// Captured pieces are gone.\noverride on capture(s) {}\n");
    if (FZ_FAIRY_NUMBER(w->rules, DROP_PROMOTED))
        say_promoted_drops(w);
    say_droppable(w);
    say_drop(w);
}

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

    say_memory(w);
    if (drops)
        say_hands(w);
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

/* ---- the whole ---- */

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

/* The board, and what of the base is not there. */
static void say_base(fzi_fairy_writer *w)
{
    say_board(w);
    say_removed_kinds(w);
    say_castling(w);
    say_pawns(w);
    fzi_fairy_say_promotion(w);
    say_n_move_pawns(w);
}

static void say_play(fzi_fairy_writer *w)
{
    say_royals(w);
    say_legal(w);
}

char *fzi_fairy_script(fzi_fairy_rules *rules, bool partial)
{
    fzi_fairy_writer writer = {.rules = rules, .arena = rules->arena}, *w = &writer;

    w->files = (int)FZ_FAIRY_NUMBER(rules, FILES);
    w->ranks = (int)FZ_FAIRY_NUMBER(rules, RANKS);
    if (w->files > FZ_FAIRY_FILES || w->ranks > FZ_FAIRY_RANKS) {
        fzi_fairy_refuse_field(rules,
                               w->ranks > FZ_FAIRY_RANKS ? FZ_FAIRY_F_RANKS : FZ_FAIRY_F_FILES,
                               "boards have at most 12 files and 10 ranks");
        return NULL;
    }
    fzi_fairy_begin(w);
    fzi_fairy_read_start(w);
    fzi_fairy_refuse_ended(w);
    static void (*const parts[])(fzi_fairy_writer *) = {
        say_head, say_base,           fzi_fairy_say_pieces,
        say_play, fzi_fairy_say_ends, fzi_fairy_say_setup};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t before = w->text.length;
        if (i > 0)
            fzi_fairy_say(w, "\n");
        parts[i](w);
        if (w->text.length == before + 1)
            w->text.length = before;
    }
    say_refused(w);
    return rules->refused_count && !partial ? NULL : w->text.text;
}
