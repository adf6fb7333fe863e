/* The rules of a variant as a script: what is said, in which order. See fairy_writer.h. */
#include "fairy_writer.h"

#include <ctype.h>

/* ---- head ---- */

/* "three-check" is "Three check". */
static const char *title(fzi_fairy_writer *w)
{
    char *title = fzi_arena_printf(w->arena, "%s", fzi_import_plain(w->arena, w->rules->name));
    for (char *at = title; *at; at++)
        *at = *at == '-' || *at == '_' ? ' ' : *at;
    *title = (char)toupper((unsigned char)*title);
    return title;
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
    bool hops = uses_hops(w), drops = fzi_fairy_hands(w);
    bool repeats = FZ_FAIRY_NUMBER(r, PERPETUAL);

    fzi_fairy_say(w, "variant \"%s\" of \"chess.game\";\n\n", title(w));
    if (hops || drops || repeats)
        fzi_fairy_say(w, "use %s%s%s%s%s;\n", drops ? "drops" : "", drops && hops ? ", " : "",
                      hops ? "fairy" : "", repeats && (drops || hops) ? ", " : "",
                      repeats ? "repetition" : "");
    fzi_fairy_say(w, "info {\nsource \"%s, section %s\";\n",
                  fzi_import_plain(w->arena, fzi_import_file_name(w->rules->path)),
                  fzi_import_plain(w->arena, w->rules->name));
    if (drops || !w->castling || !w->passing || w->passes_own)
        fzi_fairy_say(w, "fen \"board%s mover %s %s quiet turns\";\n", drops ? "[hand]" : "",
                      w->castling ? "KQkq=castle[White,0],castle[White,1],"
                                    "castle[Black,0],castle[Black,1]"
                                  : "-",
                      w->passing && !w->passes_own ? "en_passant" : "-");
    fzi_fairy_say(w, "}\n");
    if (FZ_FAIRY_NUMBER(r, N_MOVE) != 50)
        fzi_fairy_say(w, "set Quiet = %ld;\n", 2 * FZ_FAIRY_NUMBER(r, N_MOVE));
    if (FZ_FAIRY_NUMBER(r, N_FOLD) != 3)
        fzi_fairy_say(w, "set Repetition = %ld;\n", FZ_FAIRY_NUMBER(r, N_FOLD));
}

/* ---- board ---- */

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

/* ---- the whole ---- */

/* The board, and what of the base is not there. */
static void say_base(fzi_fairy_writer *w)
{
    say_board(w);
    say_removed_kinds(w);
    fzi_fairy_say_castling(w);
    fzi_fairy_say_pawns(w);
    fzi_fairy_say_promotion(w);
    fzi_fairy_say_quiet(w);
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
    fzi_fairy_read_start(w);
    fzi_fairy_begin(w);
    fzi_fairy_refuse_ended(w);
    static void (*const parts[])(fzi_fairy_writer *) = {
        say_head,           say_base,           fzi_fairy_say_pieces,
        fzi_fairy_say_play, fzi_fairy_say_ends, fzi_fairy_say_setup};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t before = w->text.length;
        if (i > 0)
            fzi_fairy_say(w, "\n");
        parts[i](w);
        if (w->text.length == before + 1)
            w->text.length = before;
    }
    fzi_fairy_say(w, "%s", fzi_import_refused_text(w->arena, &rules->refused));
    return rules->refused.count && !partial ? NULL : w->text.text;
}
