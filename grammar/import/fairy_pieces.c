/* The pieces of the script: their moves and promotions. See fairy_writer.h. */
#include "fairy_writer.h"

#include <ctype.h>

enum { SHORT_BODY = 70 };

/* ---- where a piece may stand ---- */

/* The name of a set of squares of a kind: `rook_region`. */
static const char *square_name(fzi_fairy_writer *w, enum fzi_fairy_kind kind, const char *what)
{
    const char *name = fzi_fairy_kind_name(kind);
    return FZ_FAIRY_TEXT(w, "%c%s_%s", tolower((unsigned char)*name), name + 1, what);
}

static bool has_region(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    return !fzi_squares_empty(&w->rules->region[kind][0]) ||
           !fzi_squares_empty(&w->rules->region[kind][1]);
}

static void say_region(fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    fzi_squares sets[FZ_FAIRY_COLOURS];
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        sets[c] = w->rules->region[kind][c];
        if (fzi_squares_empty(&sets[c]))
            memset(&sets[c], 0xff, sizeof sets[c]);
    }
    fzi_fairy_say(w, "/// where its %s may stand\nlet %s%s;\n",
                  fzi_fairy_kind_name(kind), square_name(w, kind, "region"),
                  fzi_fairy_by_player(w, sets));
}

const char *fzi_fairy_dead_end_name(fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    if (!FZ_FAIRY_NUMBER(w->rules, NO_DEAD_END))
        return NULL;
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        fzi_squares dead = fzi_fairy_dead_ends(w->rules, kind, c);
        if (!fzi_squares_empty(&dead))
            return square_name(w, kind, "end");
    }
    return NULL;
}

/* Soldiers go sideways only beyond some rank. */
static void say_crossed(fzi_fairy_writer *w)
{
    int least = (int)FZ_FAIRY_NUMBER(w->rules, SOLDIER_RANK);
    fzi_squares sets[FZ_FAIRY_COLOURS] = {{{0}}, {{0}}};

    for (int r = 0; r < w->ranks; r++) {
        if (r + 1 >= least)
            sets[0].rank[r] = UINT16_MAX;
        if (w->ranks - r >= least)
            sets[1].rank[r] = UINT16_MAX;
    }
    fzi_fairy_say(w,
                  "/// where its soldiers go sideways, too\n"
                  "let crossed%s;\n",
                  fzi_fairy_by_player(w, sets));
}

static void say_dead_end(fzi_fairy_writer *w, enum fzi_fairy_kind kind, const char *name)
{
    fzi_squares sets[FZ_FAIRY_COLOURS];
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++)
        sets[c] = fzi_fairy_dead_ends(w->rules, kind, c);
    fzi_fairy_say(w, "/// where its %s could never move again\nlet %s%s;\n",
                  fzi_fairy_kind_name(kind), name, fzi_fairy_by_player(w, sets));
}

/* ---- promotion ---- */

static bool like_pawn(const fzi_fairy_writer *w, enum fzi_fairy_kind kind, int colour)
{
    return kind == FZ_FAIRY_pawn ||
           fzi_fairy_has(FZ_FAIRY_SET_OF(w->rules, PROMOTION_PAWNS, colour), kind);
}

/* Also to nothing: then a move there is none, where promotion is a duty. */
static bool promotes_like_pawn(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    bool duty =
        FZ_FAIRY_NUMBER(w->rules, MUST_PROMOTE_PAWN) && w->rules->promoted[kind] == FZ_FAIRY_NONE;

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++)
        if (like_pawn(w, kind, c) && (duty || FZ_FAIRY_SET_OF(w->rules, PROMOTION_KINDS, c)))
            return true;
    return false;
}

/* On the last ranks a pawn becomes one of several kinds. */
static void say_pawn_promotion(fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    if (kind == FZ_FAIRY_pawn && FZ_FAIRY_NUMBER(w->rules, SITTUYIN_PROMOTION)) {
        fzi_fairy_say(w, "moves { promoting(here); }\n");
        return;
    }
    bool must = FZ_FAIRY_NUMBER(w->rules, MUST_PROMOTE_PAWN);
    const char *where = like_pawn(w, kind, 0) == like_pawn(w, kind, 1)
                            ? "last_rank[me]"
                            : FZ_FAIRY_TEXT(w, "(if me == %s then last_rank[me] else {})",
                                            like_pawn(w, kind, 0) ? "White" : "Black");

    if (promotes_like_pawn(w, kind))
        fzi_fairy_say(w, "%sat %s for k in promotable then promote(to, k);\n", must ? "" : "or ",
                      where);
}

/* Pieces of this kind are promoted ones, and turn back when they move. */
static bool demotes(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    for (int k = 0; k < FZ_FAIRY_KINDS && FZ_FAIRY_NUMBER(w->rules, DEMOTION); k++)
        if (fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) && w->rules->promoted[k] == kind)
            return true;
    return false;
}

static void say_demotion(fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    bool must = FZ_FAIRY_NUMBER(w->rules, MUST_PROMOTE_PIECE);
    long own = w->start.hand[kind][0] + w->start.hand[kind][1];

    for (int r = 0; r < w->ranks; r++)
        for (int f = 0; f < w->files; f++)
            own += w->start.kind[r][f] == kind && w->start.was[r][f] == FZ_FAIRY_NONE;
    if (own || w->rules->promoted[kind] != FZ_FAIRY_NONE || !w->remembers)
        fzi_fairy_refuse_field(w->rules, FZ_FAIRY_F_DEMOTION,
                               "of kinds that also begin unpromoted: not translated yet");
    fzi_fairy_say(w, "%sat promoting(here)%s%s then demote(to);\n", must ? "" : "or ",
                  FZ_FAIRY_NUMBER(w->rules, PROMOTE_CAPTURING) ? " & theirs" : "",
                  must ? "" : " \"{here}-{to}~\"");
}

/* A piece becomes the other side of it, as in shogi. */
static void say_piece_promotion(fzi_fairy_writer *w, enum fzi_fairy_kind kind, const char *dead)
{
    fzi_fairy_rules *rules = w->rules;
    enum fzi_fairy_kind to = rules->promoted[kind];
    bool pawn = kind == FZ_FAIRY_pawn;
    bool must = pawn ? FZ_FAIRY_NUMBER(rules, MUST_PROMOTE_PAWN)
                     : FZ_FAIRY_NUMBER(rules, MUST_PROMOTE_PIECE);
    const char *where = FZ_FAIRY_TEXT(w, "%s%s", pawn ? "last_rank[me]" : "promoting(here)",
                                      FZ_FAIRY_NUMBER(rules, PROMOTE_CAPTURING) ? " & theirs" : "");
    const char *name = fzi_fairy_kind_name(to);
    const char *effect = fzi_fairy_crowns(w, kind)
                             ? FZ_FAIRY_TEXT(w, "{ promote(to, %s);  crowned = to; }", name)
                             : FZ_FAIRY_TEXT(w, "promote(to, %s);", name);

    if (!fzi_fairy_is_kind(w, to)) {
        fzi_fairy_refuse_field(rules, FZ_FAIRY_F_PROMOTED_KIND, "to a kind that is not there");
        return;
    }
    if (!pawn && FZ_FAIRY_NUMBER(rules, MUST_PROMOTE_PAWN) &&
        (like_pawn(w, kind, 0) || like_pawn(w, kind, 1)))
        fzi_fairy_refuse_field(rules, FZ_FAIRY_F_PROMOTION_PAWNS,
                               "of kinds with a promotedPieceType: not translated yet");
    if (rules->limit[to] && must)
        fzi_fairy_refuse_field(rules, FZ_FAIRY_F_PROMOTION_LIMIT,
                               "with promotion that a player must make: not translated yet");
    if (must && (!FZ_FAIRY_NUMBER(rules, PROMOTE_CAPTURING) || !pawn)) {
        fzi_fairy_say(w, "at %s then %s\n", where, effect);
        return;
    }
    const char *limit = rules->limit[to]
                            ? FZ_FAIRY_TEXT(w, " if #pieces(%s, me) < %ld", name, rules->limit[to])
                            : "";
    if (dead)
        fzi_fairy_say(w, "at %s & %s[me]%s then %s\n", where, dead, limit, effect);
    fzi_fairy_say(w, "or at %s%s%s%s%s \"{here}-{to}+\" then %s\n", where, dead ? " - " : "",
                  dead ? dead : "", dead ? "[me]" : "", limit, effect);
}

/* The only kind that pawns become; FZ_FAIRY_NONE. */
static enum fzi_fairy_kind only_promotion(const fzi_fairy_writer *w)
{
    uint64_t kinds = FZ_FAIRY_SET_OF(w->rules, PROMOTION_KINDS, 0);

    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (kinds == (uint64_t)1 << k && fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) &&
            kinds == FZ_FAIRY_SET_OF(w->rules, PROMOTION_KINDS, 1))
            return (enum fzi_fairy_kind)k;
    return FZ_FAIRY_NONE;
}

/* Pawns promote in place, or as they make a move of the new piece. */
static void say_promoting(fzi_fairy_writer *w)
{
    enum fzi_fairy_kind to = only_promotion(w);
    fzi_fairy_moves moves;

    if (to == FZ_FAIRY_NONE || !w->pawns ||
        fzi_fairy_moves_of(w->arena, w->rules->moves[to], &moves) || !moves.both || moves.quiet ||
        moves.capture || moves.first || !FZ_FAIRY_NUMBER(w->rules, CHECKING) ||
        FZ_FAIRY_NUMBER(w->rules, BLAST)) {
        fzi_fairy_refuse_field(w->rules, FZ_FAIRY_F_SITTUYIN_PROMOTION,
                               "to these pieces: not translated yet");
        return;
    }
    fzi_fairy_say(
        w,
        "/// where the new piece goes and captures\nfn new_moves(here: site): sites = %s;\n"
        "// The move must not check, nor attack with the new piece.\n"
        "moves promoting(here: site) {\n"
        "if here in last_rank[me] or #pieces(Pawn, me) == 1 for k in promotable,\n"
        "to in new_moves(here) & empty | here if new_moves(to) & theirs == {}\n"
        "\"{here}-{to}={k}\" => { go(here, to);  promote(to, k); }\n"
        "} ensuring not (as foe : checked);\n"
        "// All other moves.\nmoves advancing {\nmoves_of(mine - pieces(Pawn));\n"
        "for here in pieces(Pawn, me), to in pawn_steps(here) | pawn_hits(here) & theirs => "
        "go(here, to);\n} ensuring not checked;\n",
        moves.both);
}

void fzi_fairy_say_promotion(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    static const fzi_squares none;
    fzi_squares zones[FZ_FAIRY_COLOURS], eighth = none, first = none;
    uint64_t white = FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 0),
             black = FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 1);
    bool limited = false, pieces = false, pawns = false;

    for (int k = 0; k < FZ_FAIRY_KINDS; k++) {
        enum fzi_fairy_kind kind = (enum fzi_fairy_kind)k;
        if (!fzi_fairy_is_kind(w, kind))
            continue;
        limited |= fzi_fairy_has(white | black, kind) && r->limit[k];
        pieces |= r->promoted[k] != FZ_FAIRY_NONE && kind != FZ_FAIRY_pawn;
        pawns |= promotes_like_pawn(w, kind);
        w->promotes |= promotes_like_pawn(w, kind) || r->promoted[k] != FZ_FAIRY_NONE;
    }
    if (!w->promotes && !w->pawns) {
        fzi_fairy_say(w, "remove promotable, last_rank, promote;\n");
        return;
    }
    fzi_squares_read("*8", &eighth);
    fzi_squares_read("*1", &first);
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++)
        zones[c] = FZ_FAIRY_VALUE(r, PROMOTION_REGION, c)->squares;
    if (!fzi_squares_equal(&zones[0], &eighth) || !fzi_squares_equal(&zones[1], &first) ||
        w->ranks < 8)
        fzi_fairy_say(w, "override let last_rank%s;\n",
                      fzi_fairy_by_player(w, zones));
    const char *kinds = white == black ? FZ_FAIRY_TEXT(w, "{%s}", fzi_fairy_kind_list(w, white))
                                       : FZ_FAIRY_TEXT(w, "(if me == White then {%s} else {%s})",
                                                       fzi_fairy_kind_list(w, white),
                                                       fzi_fairy_kind_list(w, black));
    if (limited) {
        fzi_growing counts = {0};
        for (int k = 0; k < FZ_FAIRY_KINDS; k++)
            if (r->limit[k] && fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k))
                fzi_grow_z(w->arena, &counts,
                           FZ_FAIRY_TEXT(w, "%s%s: %ld", counts.length ? ", " : "",
                                         fzi_fairy_kind_name((enum fzi_fairy_kind)k), r->limit[k]));
        fzi_fairy_say(w,
                      "/// how many of a kind a player may have for another to come by promotion;"
                      " 0: any number\nlet most[k: kind] = {%s};\n"
                      "override let promotable: set of kind = "
                      "{for k in %s if most[k] == 0 or #pieces(k, me) < most[k]};\n",
                      counts.text, kinds);
    } else if (!pawns)
        fzi_fairy_say(w, "remove promotable;\n");
    else if (strcmp(kinds, "{Knight, Bishop, Rook, Queen}") != 0)
        fzi_fairy_say(w, "override let promotable: set of kind = %s;\n", kinds);
    if (pieces)
        fzi_fairy_say(w, "/// where a move from s may promote: into the zone, out of it or inside\n"
                         "fn promoting(s: site): sites = "
                         "if s in last_rank[me] then site else last_rank[me];\n");
    if (FZ_FAIRY_NUMBER(r, SITTUYIN_PROMOTION))
        say_promoting(w);
}

/* ---- a piece ---- */

static const char *all_of(fzi_fairy_writer *w, const char *set)
{
    return strstr(set, " | ") ? FZ_FAIRY_TEXT(w, "(%s)", set) : set;
}

static bool flies(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    return kind == FZ_FAIRY_king && FZ_FAIRY_NUMBER(w->rules, FLYING);
}

static bool castles(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    return w->castling && (FZ_FAIRY_VALUE(w->rules, CASTLING_KING, 0)->number == (long)kind ||
                           FZ_FAIRY_VALUE(w->rules, CASTLING_KING, 1)->number == (long)kind);
}

static void say_moves(fzi_fairy_writer *w, enum fzi_fairy_kind kind, const char *within)
{
    fzi_fairy_moves moves;
    const char *why = fzi_fairy_moves_of(w->arena, w->rules->moves[kind], &moves);

    if (why)
        fzi_fairy_refuse_kind(w->rules, kind, why);
    if (kind == FZ_FAIRY_soldier && FZ_FAIRY_NUMBER(w->rules, SOLDIER_RANK) > 1)
        moves.both = "step(here, forward) | step(here & crossed[me], left | right)";
    if (kind == FZ_FAIRY_janggiCannon)
        moves.both =
            "hop(here, orthogonal, occupied - pieces(JanggiCannon)) - pieces(JanggiCannon)";
    const char *stone =
        fzi_fairy_petrified(w, kind) ? " => { go(here, to);  put Wall of nobody at to; }" : "";
    if (moves.both && *stone) {
        fzi_fairy_say(w, "move to %s & empty%s;\n", all_of(w, moves.both), within);
        moves.capture =
            moves.capture ? FZ_FAIRY_TEXT(w, "%s | %s", moves.both, moves.capture) : moves.both;
    } else if (moves.both)
        fzi_fairy_say(w, "move to %s%s;\n", *within ? all_of(w, moves.both) : moves.both, within);
    if (moves.quiet)
        fzi_fairy_say(w, "move to %s & empty%s;\n", all_of(w, moves.quiet), within);
    if (moves.first)
        fzi_fairy_say(w, "move to %s & empty%s if here in pawn_rank[me];\n", all_of(w, moves.first),
                      within);
    bool dies = *stone && fzi_fairy_pseudo(w) && FZ_FAIRY_NUMBER(w->rules, PSEUDO_ROYAL) &&
                fzi_fairy_has(FZ_FAIRY_SET_OF(w->rules, EXTINCTION_KINDS, 0), kind);
    if (moves.capture && !dies) /* a royal piece must not turn to stone */
        fzi_fairy_say(w, "capture to %s%s%s\n", *within ? all_of(w, moves.capture) : moves.capture,
                      within, *stone ? stone : ";");
}

static void say_pawn_moves(fzi_fairy_writer *w, const char *within)
{
    fzi_fairy_say(w, "move to pawn_steps(here)%s;\n", within);
    if (w->leaps)
        fzi_fairy_say(w, "move to pawn_leaps(here)%s;\n", within);
    fzi_fairy_say(w, "capture to pawn_hits(here)%s;\n", within);
}

/* Whether a piece of chess.game is as the variant has it. */
static bool as_in_chess(fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    static const char own[] = "PNBRQ";
    fzi_fairy_rules *r = w->rules;
    bool plain = !has_region(w, kind) &&
                 !fzi_fairy_has(FZ_FAIRY_SET_OF(r, MUTUALLY_IMMUNE, 0), kind) &&
                 r->promoted[kind] == FZ_FAIRY_NONE;

    if (kind == FZ_FAIRY_pawn)
        return plain && r->letters[kind] == 'P' && w->leaps && w->passing && !w->passes_own &&
               FZ_FAIRY_NUMBER(r, MUST_PROMOTE_PAWN) && !fzi_fairy_dead_end_name(w, kind);
    if (kind == FZ_FAIRY_king)
        return plain && !*fzi_fairy_leap(w, kind) && r->letters[kind] == 'K' && castles(w, kind) &&
               !flies(w, kind) && strcmp(r->moves[kind], "K") == 0;
    return kind <= FZ_FAIRY_queen && plain && !fzi_fairy_petrified(w, kind) && !demotes(w, kind) &&
           r->letters[kind] == own[kind] && !castles(w, kind) && !promotes_like_pawn(w, kind);
}

static bool in_chess(enum fzi_fairy_kind kind)
{
    return kind <= FZ_FAIRY_queen || kind == FZ_FAIRY_king;
}

static bool immune(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    return fzi_fairy_has(FZ_FAIRY_SET_OF(w->rules, MUTUALLY_IMMUNE, 0), kind);
}

static void say_body(fzi_fairy_writer *w, enum fzi_fairy_kind kind, const char *dead)
{
    bool promotes = w->rules->promoted[kind] != FZ_FAIRY_NONE;
    const char *within = FZ_FAIRY_TEXT(
        w, "%s%s%s%s", has_region(w, kind) ? " & " : "",
        has_region(w, kind) ? FZ_FAIRY_TEXT(w, "%s[me]", square_name(w, kind, "region")) : "",
        dead && !promotes && !promotes_like_pawn(w, kind) ? " - " : "",
        dead && !promotes && !promotes_like_pawn(w, kind) ? FZ_FAIRY_TEXT(w, "%s[me]", dead) : "");

    if (immune(w, kind))
        within = FZ_FAIRY_TEXT(w, "%s - pieces(%s, foe)", within, fzi_fairy_kind_name(kind));
    if (kind == FZ_FAIRY_pawn)
        say_pawn_moves(w, within);
    else
        say_moves(w, kind, within);
    const char *flips = fzi_fairy_flips(w, "last_to", false);
    if (flips && *w->rules->moves[kind])
        fzi_fairy_say(w, "after %s;\n", flips);
    if (flies(w, kind))
        fzi_fairy_say(w, "attacks slide(here, orthogonal) & pieces(King, foe);\n");
    if (castles(w, kind))
        fzi_fairy_say(w, "moves { castles(here); }\n");
    fzi_fairy_say(w, "%s", fzi_fairy_leap(w, kind));
    if (promotes)
        say_piece_promotion(w, kind, dead);
    if (demotes(w, kind))
        say_demotion(w, kind);
    if (like_pawn(w, kind, 0) || like_pawn(w, kind, 1))
        say_pawn_promotion(w, kind);
    if (w->passing && fzi_fairy_has(w->passers, kind))
        fzi_fairy_say(w, "move to %s & empty & %s => pass_by(here, to);\n", fzi_fairy_hits(w, kind),
                      w->passes_own ? "passed" : "{en_passant}");
}

static void say_piece(fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    const char *dead = fzi_fairy_dead_end_name(w, kind);

    if (has_region(w, kind))
        say_region(w, kind);
    if (dead)
        say_dead_end(w, kind, dead);
    if (kind == FZ_FAIRY_soldier && FZ_FAIRY_NUMBER(w->rules, SOLDIER_RANK) > 1)
        say_crossed(w);
    if (as_in_chess(w, kind))
        return;
    fzi_fairy_say(w, "%spiece %s \"%c\" {\n", in_chess(kind) ? "override " : "",
                  fzi_fairy_kind_name(kind), w->rules->letters[kind]);
    size_t before = w->text.length;
    say_body(w, kind, dead);
    char *body = w->text.text + before, *line = strchr(body, '\n');
    if (line && line[1] == '\0' &&
        line - body < SHORT_BODY) /* a short line stands between braces */
        body[-1] = *line = ' ';
    fzi_fairy_say(w, "}\n");
}

void fzi_fairy_say_pieces(fzi_fairy_writer *w)
{
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k))
            say_piece(w, (enum fzi_fairy_kind)k);
}
