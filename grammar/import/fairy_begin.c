/* What a variant has, and which combinations of keys no script says. See fairy_writer.h. */
#include "fairy_writer.h"

bool fzi_fairy_leaps_at_first(fzi_fairy_writer *w)
{
    fzi_fairy_moves moves;
    for (int k = FZ_FAIRY_pawn + 1; k < FZ_FAIRY_KINDS; k++)
        if (fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) &&
            !fzi_fairy_moves_of(w->arena, w->rules->moves[k], &moves) && moves.first)
            return true;
    return false;
}

/* A word of a key that scripts say. */
static void require_word(fzi_fairy_writer *w, enum fzi_fairy_field field, const char *words)
{
    const char *word = w->rules->values[field][0].text, *found = strstr(words, word);
    if (!found || !*word)
        fzi_fairy_refuse_field(w->rules, field, "not translated yet");
}

/* The engine judges what gives check without regions, and what is attacked with them. */
static void refuse_checking(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool regions = false;

    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        regions |= fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) &&
                   (!fzi_squares_empty(&r->region[k][0]) || !fzi_squares_empty(&r->region[k][1]));
    if (regions && !FZ_FAIRY_NUMBER(r, CHECKING))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_CHECKING, "with mobilityRegion: not translated yet");
    if (regions && !FZ_FAIRY_NUMBER(r, DROP_CHECKS))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_DROP_CHECKS,
                               "with mobilityRegion: not translated yet");
}

static void refuse_blast(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t royals = FZ_FAIRY_SET_OF(r, EXTINCTION_KINDS, 0);

    if (!FZ_FAIRY_NUMBER(r, BLAST))
        return;
    if (fzi_fairy_is_kind(w, FZ_FAIRY_king) || FZ_FAIRY_NUMBER(r, MUST_DROP) ||
        !FZ_FAIRY_NUMBER(r, CHECKING) ||
        (FZ_FAIRY_NUMBER(r, PSEUDO_ROYAL) &&
         (FZ_FAIRY_NUMBER(r, MUST_CAPTURE) || FZ_FAIRY_NUMBER(r, EXTINCTION_COUNT) ||
          FZ_FAIRY_NUMBER(r, EXTINCTION_OTHERS) || !fzi_fairy_pseudo(w) ||
          (FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 0) | FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 1)) &
              royals ||
          FZ_FAIRY_SET_OF(r, BLAST_IMMUNE, 0))))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_BLAST,
                               "with these royal pieces or duties: "
                               "not translated yet");
}

/* What a combination of keys would need that no script says yet. */
static void refuse_combinations(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;

    if ((FZ_FAIRY_NUMBER(r, FLAG_SAFE) || FZ_FAIRY_NUMBER(r, FLAG_MOVE)) &&
        FZ_FAIRY_VALUE(r, FLAG_KIND, 0)->number != FZ_FAIRY_VALUE(r, FLAG_KIND, 1)->number)
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_FLAG_KIND, "not the same of both players");
    refuse_blast(w);
    refuse_checking(w);
    if (!fzi_squares_empty(&w->start.walls) &&
        fzi_fairy_is_word(w, FZ_FAIRY_F_ENCLOSING_DROP, "reversi"))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_ENCLOSING_DROP, "with walls: not translated yet");
    const fzi_squares *first = &FZ_FAIRY_VALUE(r, ENCLOSING_START, 0)->squares;
    fzi_squares within = fzi_squares_within(first, w->files, w->ranks);
    if (!fzi_squares_equal(&within, first))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_ENCLOSING_START, "beyond the board");
    if (!fzi_fairy_is_word(w, FZ_FAIRY_F_WALLING, "none") && FZ_FAIRY_NUMBER(r, NO_DEAD_END))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_WALLING, "with immobilityIllegal");
    if (!fzi_fairy_is_word(w, FZ_FAIRY_F_WALLING, "none") && FZ_FAIRY_NUMBER(r, DROPS))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_WALLING, "with drops");
    fzi_fairy_refuse_walls(w);
    fzi_fairy_refuse_gates(w);
    require_word(w, FZ_FAIRY_F_ENCLOSING_DROP, "none top snort ataxx reversi anyside");
    require_word(w, FZ_FAIRY_F_FLIP, "none ataxx quadwrangle reversi");
    require_word(w, FZ_FAIRY_F_WALLING, "none past duck static edge arrow");
    require_word(w, FZ_FAIRY_F_MATERIAL, "none blackdrawodds whitedrawodds unweighted");
    if (FZ_FAIRY_VALUE(r, PASS_STALEMATE, 0)->number !=
        FZ_FAIRY_VALUE(r, PASS_STALEMATE, 1)->number)
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_PASS_STALEMATE, "not the same of both players");
    if (!fzi_fairy_is_word(w, FZ_FAIRY_F_FLIP, "none") && fzi_fairy_royal(w))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_FLIP, "with royal pieces");
    if (FZ_FAIRY_NUMBER(r, MUST_DROP) &&
        (FZ_FAIRY_NUMBER(r, MUST_CAPTURE) || !FZ_FAIRY_NUMBER(r, DROPS)))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_MUST_DROP, "without drops or with mustCapture");
    if (FZ_FAIRY_NUMBER(r, PAWN_DROP_MATE) && !fzi_fairy_is_kind(w, FZ_FAIRY_shogiPawn))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_PAWN_DROP_MATE, "without a shogiPawn");
    static const enum fzi_fairy_field results[] = {FZ_FAIRY_F_CHECKMATE, FZ_FAIRY_F_STALEMATE,
                                                   FZ_FAIRY_F_N_FOLD_VALUE,
                                                   FZ_FAIRY_F_CONNECT_VALUE};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (r->values[results[i]][0].number == FZ_FAIRY_NO_RESULT)
            fzi_fairy_refuse_field(r, results[i], "no result");
    if (FZ_FAIRY_NUMBER(r, DROP_PROMOTED) && FZ_FAIRY_NUMBER(r, NO_DEAD_END))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_DROP_PROMOTED, "with immobilityIllegal");
    if (FZ_FAIRY_NUMBER(r, DEMOTION) && FZ_FAIRY_NUMBER(r, DROP_LOOP))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_DEMOTION, "with dropLoop");
    if (FZ_FAIRY_NUMBER(r, CONNECT_NXN) != 0 && FZ_FAIRY_NUMBER(r, CONNECT_NXN) != 2)
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_CONNECT_NXN, "other than 2 is not translated yet");
    bool turns = FZ_FAIRY_NUMBER(r, CAPTURES_TO_HAND) || !FZ_FAIRY_NUMBER(r, MUST_DROP);
    if (FZ_FAIRY_NUMBER(r, CASTLING_DROPPED) && turns)
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_CASTLING_DROPPED,
                               "unless all pieces are dropped first: not translated yet");
    if (FZ_FAIRY_NUMBER(r, OPPOSITE_BISHOPS) && !FZ_FAIRY_NUMBER(r, MUST_DROP))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_OPPOSITE_BISHOPS, "without mustDrop");
    if (FZ_FAIRY_NUMBER(r, MAKPONG) && (FZ_FAIRY_NUMBER(r, DROPS) || FZ_FAIRY_NUMBER(r, BLAST) ||
                                        FZ_FAIRY_NUMBER(r, MUST_CAPTURE) || fzi_fairy_walls(w) ||
                                        fzi_fairy_enters(w) || fzi_fairy_pseudo(w)))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_MAKPONG, "with these duties: not translated yet");
    if (FZ_FAIRY_NUMBER(r, DUPLE_CHECK) &&
        (!FZ_FAIRY_NUMBER(r, PSEUDO_ROYAL) || FZ_FAIRY_NUMBER(r, BLAST) ||
         fzi_fairy_is_kind(w, FZ_FAIRY_king)))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_DUPLE_CHECK, "with these royal pieces");
    if (FZ_FAIRY_NUMBER(r, COLLINEAR) && FZ_FAIRY_NUMBER(r, CONNECT_DIAGONAL))
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_COLLINEAR, "diagonally: not translated yet");
}

/* A piece that makes no move of two squares but its first leap, so that the leap can be told. */
static bool leaps_once(fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    fzi_fairy_moves m;
    const char *why = fzi_fairy_moves_of(w->arena, w->rules->moves[kind], &m);
    const char *sets[] = {m.both, m.quiet};

    for (int i = 0; i < 2; i++)
        if (sets[i] && (strstr(sets[i], "slide") || strstr(sets[i], "leap") ||
                        strstr(sets[i], "walk") || strstr(sets[i], "+") || strstr(sets[i], "lame")))
            return false;
    return !why && m.first && strncmp(m.first, "lame", 4) == 0;
}

/* The kind captures where it does not move: only such a move captures in passing. */
static bool takes_elsewhere(fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    fzi_fairy_moves moves;
    return fzi_fairy_moves_of(w->arena, w->rules->moves[kind], &moves) || moves.capture;
}

/* May pieces of the kind ever stand on the board? */
static bool occurs(const fzi_fairy_writer *w, enum fzi_fairy_kind kind)
{
    const fzi_fairy_rules *r = w->rules;
    bool found = FZ_FAIRY_NUMBER(r, FREE_DROPS) ||
                 fzi_fairy_has(FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 0), kind) ||
                 fzi_fairy_has(FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 1), kind);

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++)
        found |= w->start.count[kind][c] > 0 || w->start.hand[kind][c] > 0;
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        found |= r->promoted[k] == kind;
    for (int rank = 0; rank < w->ranks; rank++)
        for (int file = 0; file < w->files; file++)
            found |= w->start.was[rank][file] == kind;
    return found;
}

/* Who leaps at first, and so may be captured in passing. */
static void find_leapers(fzi_fairy_writer *w)
{
    fzi_fairy_moves moves;

    w->leapers = w->leaps || w->triple ? (uint64_t)1 << FZ_FAIRY_pawn : 0;
    for (int k = FZ_FAIRY_pawn + 1; k < FZ_FAIRY_KINDS; k++)
        if (fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) &&
            !fzi_fairy_moves_of(w->arena, w->rules->moves[k], &moves) && moves.first)
            w->leapers |= (uint64_t)1 << k;
}

/* Who captures in passing, and whether anybody does. */
static void find_passers(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    uint64_t sets[] = {FZ_FAIRY_SET_OF(r, EN_PASSANT_PAWNS, 0),
                       FZ_FAIRY_SET_OF(r, EN_PASSANT_PAWNS, 1)};
    const uint64_t pawn = (uint64_t)1 << FZ_FAIRY_pawn;
    bool over = false, told = true;

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        fzi_squares region = fzi_squares_within(&FZ_FAIRY_VALUE(r, EN_PASSANT_REGION, c)->squares,
                                                w->files, w->ranks);
        over |= !fzi_squares_empty(&region);
    }
    for (int k = 0; k < FZ_FAIRY_KINDS; k++) {
        enum fzi_fairy_kind kind = (enum fzi_fairy_kind)k;
        if (fzi_fairy_is_kind(w, kind) && fzi_fairy_has(sets[0] | sets[1], kind) &&
            occurs(w, kind) && takes_elsewhere(w, kind))
            w->passers |= (uint64_t)1 << k;
        told &= !fzi_fairy_has(w->leapers & ~pawn, kind) || leaps_once(w, kind);
    }
    w->passing = w->passers && over && w->leapers;
    w->passes_own = w->passers != pawn || w->leapers != pawn || w->triple;
    if (w->passing && (!told || (sets[0] & w->passers) != (sets[1] & w->passers))) {
        fzi_fairy_refuse_field(r, FZ_FAIRY_F_EN_PASSANT_PAWNS,
                               "capture in passing of this form is not translated yet");
        w->passing = false;
    }
}

/* Only kings are checked: what says so of other royal pieces says nothing. */
static void check_kings_only(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;
    bool king = fzi_fairy_is_kind(w, FZ_FAIRY_king), both = king && fzi_fairy_pseudo(w);
    static const enum fzi_fairy_field fields[] = {FZ_FAIRY_F_CHECKING, FZ_FAIRY_F_DROP_CHECKS,
                                                  FZ_FAIRY_F_PERPETUAL, FZ_FAIRY_F_CHECK_COUNTING};

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        long *value = &r->values[fields[i]][0].number, none = i < 2;
        if (*value != none && both)
            fzi_fairy_refuse_field(r, fields[i], "with extinctionPseudoRoyal: not translated yet");
        if (!king)
            *value = none;
    }
}

void fzi_fairy_begin(fzi_fairy_writer *w)
{
    fzi_fairy_rules *r = w->rules;

    refuse_combinations(w);
    check_kings_only(w);

    w->pawns = fzi_fairy_is_kind(w, FZ_FAIRY_pawn);
    bool pawns = w->pawns && occurs(w, FZ_FAIRY_pawn);
    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        fzi_squares from = fzi_squares_within(&FZ_FAIRY_VALUE(r, DOUBLE_STEP_REGION, c)->squares,
                                              w->files, w->ranks);
        fzi_squares far = fzi_squares_within(&FZ_FAIRY_VALUE(r, TRIPLE_STEP_REGION, c)->squares,
                                             w->files, w->ranks);
        w->leaps |= pawns && FZ_FAIRY_NUMBER(r, DOUBLE_STEP) && !fzi_squares_empty(&from);
        w->triple |= pawns && !fzi_squares_empty(&far);
    }
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        w->remembers |=
            fzi_fairy_is_kind(w, (enum fzi_fairy_kind)k) && r->promoted[k] != FZ_FAIRY_NONE;
    w->remembers |=
        FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 0) || FZ_FAIRY_SET_OF(r, PROMOTION_KINDS, 1);
    w->remembers &= FZ_FAIRY_NUMBER(r, DEMOTION) ||
                    (FZ_FAIRY_NUMBER(r, DROPS) && FZ_FAIRY_NUMBER(r, CAPTURES_TO_HAND) &&
                     !FZ_FAIRY_NUMBER(r, DROP_LOOP));
    fzi_fairy_refuse_count(w);
    w->leaps |= w->triple;
    find_leapers(w);
    find_passers(w);
}
