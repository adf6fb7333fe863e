/* The position of `startFen`, and the set-up of the script. See fairy_writer.h. */
#include "fairy_writer.h"

#include <ctype.h>
#include <stdlib.h>

static void refuse(fzi_fairy_writer *w, const char *why)
{
    fzi_fairy_refuse_field(w->rules, FZ_FAIRY_F_START, why);
}

static enum fzi_fairy_kind kind_of(const fzi_fairy_writer *w, char letter)
{
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        if (isalpha((unsigned char)letter) &&
            w->rules->letters[k] == toupper((unsigned char)letter))
            return (enum fzi_fairy_kind)k;
    return FZ_FAIRY_NONE;
}

/* Puts a piece, or skips empty squares. The end of what was read; NULL: it is wrong. */
static const char *read_square(fzi_fairy_writer *w, const char *at, int rank, int *file)
{
    fzi_fairy_start *start = &w->start;

    if (isdigit((unsigned char)*at)) {
        int skip = *at++ - '0';
        if (isdigit((unsigned char)*at))
            skip = skip * 10 + *at++ - '0';
        *file += skip;
        return skip > 0 && *file <= w->files ? at : NULL;
    }
    bool promoted = *at == '+';
    at += promoted;
    if (*file >= w->files)
        return NULL;
    if (*at == '*') {
        fzi_squares_put(&start->walls, (*file)++, rank);
        return at + 1;
    }
    enum fzi_fairy_kind kind = kind_of(w, *at);
    if (promoted && kind != FZ_FAIRY_NONE) {
        start->was[rank][*file] = kind;
        kind = w->rules->promoted[kind];
    }
    if (kind == FZ_FAIRY_NONE || !fzi_fairy_is_kind(w, kind))
        return NULL;
    int colour = isupper((unsigned char)*at) ? 0 : 1;
    start->kind[rank][*file] = kind;
    start->colour[rank][(*file)++] = colour;
    start->count[kind][colour]++;
    return at + 1;
}

/* The board, from the last rank to the first. */
static bool read_board(fzi_fairy_writer *w, const char *at, const char *end)
{
    int rank = w->ranks - 1, file = 0;

    while (at < end) {
        if (*at == '/') {
            if (file != w->files || rank == 0)
                return false;
            rank--, file = 0, at++;
        } else if (!(at = read_square(w, at, rank, &file)))
            return false;
    }
    return rank == 0 && file == w->files;
}

/* The board as a diagram takes it: one rank as cells, several as a FEN. */
static const char *board_text(fzi_fairy_writer *w)
{
    fzi_growing text = {0};

    for (int r = w->ranks - 1; r >= 0; r--) {
        int skipped = 0;
        for (int f = 0; f <= w->files; f++) {
            bool wall = f < w->files && fzi_squares_has(&w->start.walls, f, r);
            enum fzi_fairy_kind kind = f < w->files ? w->start.kind[r][f] : FZ_FAIRY_NONE;
            if (f < w->files && !wall && kind == FZ_FAIRY_NONE)
                skipped++;
            if (skipped && w->ranks == 1 && kind == FZ_FAIRY_NONE && f < w->files)
                fzi_grow_z(w->arena, &text, f ? " ." : ".");
            else if (skipped && w->ranks > 1 && (kind != FZ_FAIRY_NONE || f == w->files)) {
                fzi_grow_z(w->arena, &text, FZ_FAIRY_TEXT(w, "%d", skipped));
                skipped = 0;
            }
            if (kind != FZ_FAIRY_NONE) {
                char letter = w->rules->letters[kind];
                fzi_grow_z(w->arena, &text,
                           FZ_FAIRY_TEXT(w, "%s%c", f && w->ranks == 1 ? " " : "",
                                         w->start.colour[r][f] ? tolower(letter) : letter));
            }
        }
        fzi_grow_z(w->arena, &text, r ? "/" : "");
    }
    return text.text ? text.text : "";
}

static bool read_hand(fzi_fairy_writer *w, const char *at, const char *end)
{
    for (; at < end; at++) {
        enum fzi_fairy_kind kind = kind_of(w, *at);
        if (kind == FZ_FAIRY_NONE && *at != '-')
            return false;
        if (kind != FZ_FAIRY_NONE)
            w->start.hand[kind][isupper((unsigned char)*at) ? 0 : 1]++;
    }
    return true;
}

/* ---- castling ---- */

/* The square of the king: the only one, or that on its file. -1: there is none. */
static int find_king(fzi_fairy_writer *w, int colour)
{
    enum fzi_fairy_kind king =
        (enum fzi_fairy_kind)FZ_FAIRY_VALUE(w->rules, CASTLING_KING, colour)->number;
    int rank = w->start.castling_rank[colour], found = -1;
    int preset = (int)FZ_FAIRY_NUMBER(w->rules, CASTLING_KING_FILE) - 1;

    for (int f = 0; f < w->files; f++)
        if (w->start.kind[rank][f] == king && w->start.colour[rank][f] == colour)
            found = found < 0 || f == preset ? f : found;
    return king < FZ_FAIRY_KINDS ? found : -1;
}

/* The outermost piece on this side that can castle; -1. */
static int find_rook(fzi_fairy_writer *w, int colour, int side)
{
    uint64_t rooks = FZ_FAIRY_SET_OF(w->rules, CASTLING_ROOKS, colour);
    int rank = w->start.castling_rank[colour], step = side == 0 ? -1 : 1;
    int from = (int)(side == 0 ? FZ_FAIRY_NUMBER(w->rules, CASTLING_ROOK_KINGSIDE)
                               : FZ_FAIRY_NUMBER(w->rules, CASTLING_ROOK_QUEENSIDE)) -
               1;

    for (int f = from < w->files ? from : w->files - 1; f >= 0 && f < w->files; f += step) {
        enum fzi_fairy_kind kind = w->start.kind[rank][f];
        if (kind != FZ_FAIRY_NONE && w->start.colour[rank][f] == colour &&
            fzi_fairy_has(rooks, kind))
            return f;
    }
    return -1;
}

static int castled_file(const fzi_fairy_writer *w, int side)
{
    return (int)(side == 0 ? FZ_FAIRY_NUMBER(w->rules, CASTLING_KINGSIDE)
                           : FZ_FAIRY_NUMBER(w->rules, CASTLING_QUEENSIDE)) -
           1;
}

/* One right of castling. False: it is not of the common form. */
static bool read_right(fzi_fairy_writer *w, char letter)
{
    fzi_fairy_start *start = &w->start;
    int colour = isupper((unsigned char)letter) ? 0 : 1, side;
    char small = (char)tolower((unsigned char)letter);

    start->king_file[colour] = find_king(w, colour);
    if (small == 'k' || small == 'q')
        side = small == 'q';
    else
        side = small - 'a' < start->king_file[colour];
    int king = start->king_file[colour], rook = find_rook(w, colour, side);
    int to = castled_file(w, side);
    if (king < 0 || rook < 0 || (small != 'k' && small != 'q' && rook != small - 'a'))
        return false;
    start->castles[colour][side] = true;
    start->rook_file[colour][side] = rook;
    return side == 0 ? king < to && to < rook : rook < to && to < king;
}

/* Rights that come with dropped kings and rooks. */
static void set_dropped_rights(fzi_fairy_writer *w)
{
    int king = (int)FZ_FAIRY_NUMBER(w->rules, CASTLING_KING_FILE) - 1;

    for (int c = 0; c < FZ_FAIRY_COLOURS; c++) {
        w->start.king_file[c] = king < w->files ? king : w->files - 1;
        w->start.rook_file[c][0] = w->files - 1;
        w->start.castles[c][0] = w->start.castles[c][1] = true;
    }
    w->castling = true;
}

static void read_rights(fzi_fairy_writer *w, const char *text)
{
    long rank = FZ_FAIRY_NUMBER(w->rules, CASTLING_RANK);
    bool dropped = FZ_FAIRY_NUMBER(w->rules, CASTLING_DROPPED);

    if (!FZ_FAIRY_NUMBER(w->rules, CASTLING) || rank > w->ranks ||
        (!dropped && strcmp(text, "-") == 0))
        return;
    w->start.castling_rank[0] = (int)rank - 1;
    w->start.castling_rank[1] = w->ranks - (int)rank;
    if (dropped) {
        set_dropped_rights(w);
        return;
    }
    for (; *text; text++) {
        char small = (char)tolower((unsigned char)*text);
        if (FZ_FAIRY_NUMBER(w->rules, GATING) && small != 'k' && small != 'q')
            continue; /* a gate */
        if (!isalpha((unsigned char)*text) || !read_right(w, *text)) {
            refuse(w, "castling of this form is not translated yet");
            return;
        }
        w->castling = true;
    }
}

/* ---- the whole ---- */

enum { FIELDS = 8, FIELD = 80 };

/* `3+3` among the fields. */
static long read_checks(fzi_fairy_writer *w, char fields[FIELDS][FIELD], int count)
{
    long white, black;

    for (int i = 0; i < count; i++)
        if (sscanf(fields[i], "%ld+%ld", &white, &black) == 2) {
            if (white != black || white < 1 || white > 100)
                refuse(w, "checks of this form are not translated yet");
            return white;
        }
    return 1;
}

void fzi_fairy_read_start(fzi_fairy_writer *w)
{
    const char *text = FZ_FAIRY_VALUE(w->rules, START, 0)->text;
    size_t length = strcspn(text, " "), board = strcspn(text, " [");
    const char *hand = text[board] == '[' ? text + board + 1 : NULL;
    const char *close = hand ? memchr(hand, ']', (size_t)(text + length - hand)) : NULL;
    char fields[FIELDS][FIELD] = {{0}};
    int count = sscanf(text + length, " %79s %79s %79s %79s %79s %79s", fields[0], fields[1],
                       fields[2], fields[3], fields[4], fields[5]);

    for (int r = 0; r < FZ_FAIRY_RANKS; r++)
        for (int f = 0; f < FZ_FAIRY_FILES; f++)
            w->start.kind[r][f] = w->start.was[r][f] = FZ_FAIRY_NONE;
    if (!read_board(w, text, text + board) || (hand && (!close || !read_hand(w, hand, close)))) {
        refuse(w, "a position of this form is not translated yet");
        return;
    }
    w->start.board = board_text(w);
    size_t pieces = 0;
    for (int k = 0; k < FZ_FAIRY_KINDS; k++)
        pieces += (size_t)(w->start.count[k][0] + w->start.count[k][1]);
    if (FZ_FAIRY_NUMBER(w->rules, FULL_BOARD) &&
        pieces + fzi_squares_count(&w->start.walls) == (size_t)(w->files * w->ranks))
        refuse(w, "the board is full: the game would end before it begins");
    w->start.black = strcmp(fields[0], "b") == 0;
    if (isalpha((unsigned char)fields[1][0]) || FZ_FAIRY_NUMBER(w->rules, CASTLING_DROPPED))
        read_rights(w, fields[1]);
    fzi_fairy_read_gates(w, fields[1]);
    if (!fzi_squares_empty(&w->start.walls) && FZ_FAIRY_NUMBER(w->rules, NO_DEAD_END))
        refuse(w, "walls with immobilityIllegal are not translated yet");
    w->start.checks = read_checks(w, fields, count);
}

static const char *const players[] = {"White", "Black"};

/* What pieces were that stand promoted on the board. */
static void say_promoted(fzi_fairy_writer *w, fzi_growing *text)
{
    for (int r = 0; r < w->ranks; r++)
        for (int f = 0; f < w->files; f++)
            if (w->start.was[r][f] != FZ_FAIRY_NONE && w->remembers)
                fzi_grow_z(w->arena, text,
                           FZ_FAIRY_TEXT(w, "was[%c%d] = %s;\n", 'a' + f, r + 1,
                                         fzi_fairy_kind_name(w->start.was[r][f])));
}

void fzi_fairy_say_setup(fzi_fairy_writer *w)
{
    static const char chess[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    fzi_growing hands = {0};

    for (int colour = 0; colour < FZ_FAIRY_COLOURS; colour++) {
        for (int k = 0; k < FZ_FAIRY_KINDS; k++)
            if (w->start.hand[k][colour])
                fzi_grow_z(w->arena, &hands,
                           FZ_FAIRY_TEXT(w, "hand[%s, %s] = %ld;\n", players[colour],
                                         fzi_fairy_kind_name((enum fzi_fairy_kind)k),
                                         w->start.hand[k][colour]));
        for (int side = 0; side < FZ_FAIRY_SIDES && w->castling; side++)
            if (!w->start.castles[colour][side])
                fzi_grow_z(w->arena, &hands,
                           FZ_FAIRY_TEXT(w, "castle[%s, %d] = false;\n", players[colour], side));
    }
    say_promoted(w, &hands);
    if (w->start.black)
        fzi_grow_z(w->arena, &hands, "next Black;\n");
    if (!w->start.board)
        return;
    bool same = strcmp(w->start.board, chess) == 0;
    if (same && !hands.length)
        return;
    fzi_fairy_say(w, "%s setup {\n", same ? "extend" : "override");
    if (!same)
        fzi_fairy_say(w, "diagram \"%s\";\n", w->start.board);
    fzi_fairy_say(w, "%s}\n", hands.length ? hands.text : "");
}
