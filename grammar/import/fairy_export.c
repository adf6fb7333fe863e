/* A script as a section of a variants.ini: where it is chess.game, or a variant of it that changes
 * the board, the set-up, pieces by their sets of sites, and what pawns become. Every other
 * declaration is refused by its name: nothing is left out. */
#include "fairy_export.h"
#include "fairy.h"

#include <ctype.h>
#include <stdlib.h>

#include "grammar/compile.h"
#include "grammar/unit/layers.h"
#include "interp/support/context.h"

enum { DEEPEST = 3, CUSTOM = 25 };

typedef struct exporter {
    const fzi_analysis *analysis;
    fzi_arena *arena;
    const fzi_layer *chess; /* the game that others change */
    fzi_growing pieces, keys, refused;
    const char *promotion; /* letters that pawns become; "" */
    int files, ranks, custom;
    bool pawns, leaps, passing, castles;
} exporter;

#define TEXT(e, ...) fzi_arena_printf((e)->arena, __VA_ARGS__)

static void refuse(exporter *e, const fzi_node *node, const char *name, const char *why)
{
    const fzi_source *source = fzi_source_at(e->analysis->sources, node->span.source);

    fzi_grow_z(e->arena, &e->refused,
               TEXT(e, "%s:%u: %s: %s\n", source->path,
                    (unsigned)fzi_source_place(source, node->span.start).line, name, why));
}

static void key(exporter *e, const char *name, const char *value)
{
    fzi_grow_z(e->arena, &e->keys, TEXT(e, "%s = %s\n", name, value));
}

static bool is_name(const fzi_node *node, const char *name)
{
    return node && node->kind == N_E_NAME && strcmp(node->name, name) == 0;
}

static bool is_call(const fzi_node *node, const char *name)
{
    return node && node->kind == N_E_CALL && strcmp(node->name, name) == 0;
}

/* The declaration of this kind and name; NULL. */
static const fzi_node *find(const exporter *e, int kind, const char *name)
{
    for (const fzi_node *d = e->analysis->unit->decls; d; d = d->next)
        if (d->kind == kind && d->name && strcmp(d->name, name) == 0)
            return d;
    return NULL;
}

/* ---- how pieces move, in Betza's notation ---- */

/* Directions as bits: forward, backward, left, right, then the same diagonally. -1: others. */
static int directions(const fzi_node *node)
{
    static const struct {
        const char *name;
        int bits;
    } names[] = {{"forward", 1},        {"backward", 2},         {"left", 4},
                 {"right", 8},          {"forward_left", 16},    {"forward_right", 32},
                 {"backward_left", 64}, {"backward_right", 128}, {"orthogonal", 15},
                 {"diagonal", 240},     {"adjacent", 255}};

    if (node->kind == N_E_BINARY && node->op == FZ_T_UNITE) {
        int left = directions(node->left), right = directions(node->right);
        return left < 0 || right < 0 ? -1 : left | right;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_name(node, names[i].name))
            return names[i].bits;
    return -1;
}

/* Atoms for some directions: `straight` and `slanted` are their letters, `all` is that of both. */
static void add_ways(exporter *e, fzi_growing *text, const char *prefix, int bits,
                     const char letters[3], const char *limit)
{
    static const char *const ways[] = {"f", "b", "l", "r", "fl", "fr", "bl", "br"};

    if (bits == 255) {
        fzi_grow_z(e->arena, text, TEXT(e, "%s%c%s", prefix, letters[2], limit));
        return;
    }
    if ((bits & 15) == 15)
        fzi_grow_z(e->arena, text, TEXT(e, "%s%c%s", prefix, letters[0], limit));
    if ((bits & 240) == 240)
        fzi_grow_z(e->arena, text, TEXT(e, "%s%c%s", prefix, letters[1], limit));
    for (int i = 0; i < 8; i++)
        if (bits >> i & 1 && (i < 4 ? (bits & 15) != 15 : (bits & 240) != 240))
            fzi_grow_z(e->arena, text,
                       TEXT(e, "%s%s%c%s", prefix, ways[i], letters[i >= 4], limit));
}

static bool number_of(const fzi_node *node, long *number)
{
    *number = node && node->kind == N_E_INT ? (long)node->number : 0;
    return *number > 0;
}

static bool add_leap(exporter *e, fzi_growing *text, const char *prefix, const fzi_node *call)
{
    static const char letters[4][5] = {"", "WF", "DNA", "HCZG"};
    const fzi_node *here = call->arguments, *first = here ? here->next : NULL;
    const fzi_node *second = first ? first->next : NULL;
    bool numbers = second && first->kind == N_E_INT && second->kind == N_E_INT && !second->next;
    long a = numbers ? (long)first->number : -1, b = numbers ? (long)second->number : -1;
    long far = a > b ? a : b, near = a > b ? b : a;

    if (!numbers || !is_name(here, "here") || near < 0 || far < 1 || far > 3)
        return false;
    char letter = letters[far][near];
    fzi_grow_z(e->arena, text,
               strcmp(call->name, "ride") == 0 ? TEXT(e, "%s%c%c", prefix, letter, letter)
                                               : TEXT(e, "%s%c", prefix, letter));
    return true;
}

/* step, slide, hop and vault along directions. */
static bool add_walk(exporter *e, fzi_growing *text, const char *prefix, const fzi_node *call)
{
    static const struct {
        const char *name, *letters, *modifier;
    } walks[] = {
        {"step", "WFK", ""}, {"slide", "RBQ", ""}, {"hop", "RBQ", "p"}, {"vault", "RBQ", "g"}};
    const fzi_node *here = call->arguments, *where = here ? here->next : NULL;
    const fzi_node *through = where ? where->next : NULL;
    int bits = where && is_name(here, "here") ? directions(where) : -1;
    long most = 0;

    if (bits < 0 || (through && (!is_call(call, "slide") || !is_name(through, "empty") ||
                                 !number_of(through->next, &most) || through->next->next)))
        return false;
    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++)
        if (is_call(call, walks[i].name)) {
            add_ways(e, text, TEXT(e, "%s%s", prefix, walks[i].modifier), bits, walks[i].letters,
                     most ? TEXT(e, "%ld", most) : "");
            return true;
        }
    return false;
}

static bool add_set(exporter *e, fzi_growing *text, const char *prefix, const fzi_node *set)
{
    if (set->kind == N_E_BINARY && set->op == FZ_T_UNITE)
        return add_set(e, text, prefix, set->left) && add_set(e, text, prefix, set->right);
    if (set->kind == N_E_BINARY && set->op == FZ_T_MEET && is_name(set->right, "empty") && !*prefix)
        return add_set(e, text, "m", set->left);
    if (set->kind != N_E_CALL)
        return false;
    return is_call(set, "leap") || is_call(set, "ride") ? add_leap(e, text, prefix, set)
                                                        : add_walk(e, text, prefix, set);
}

/* ---- pieces ---- */

static char letter_of(const fzi_node *piece)
{
    return piece && piece->text && isalpha((unsigned char)piece->text[0]) && !piece->text[1]
               ? (char)tolower((unsigned char)piece->text[0])
               : '\0';
}

/* An item of a pawn as chess.game has it. */
static bool pawn_item(exporter *e, const fzi_node *item)
{
    const fzi_node *to = item->kind == N_I_MOVE || item->kind == N_I_AT ? item->targets : NULL;

    if (item->kind == N_I_AT)
        return item->op == FZ_T_NONE && to->kind == N_E_INDEX &&
               is_name(to->primary, "last_rank") && item->quants && item->effect &&
               item->effect->kind == N_S_CALL && strcmp(item->effect->name, "promote") == 0;
    if (!to)
        return false;
    bool passing = item->effect && item->effect->kind == N_S_CALL &&
                   strcmp(item->effect->name, "pass_by") == 0;
    e->leaps |= is_call(to, "pawn_leaps");
    e->passing |= passing;
    return passing || ((is_call(to, "pawn_steps") || is_call(to, "pawn_leaps") ||
                        (is_call(to, "pawn_hits") && item->op == FZ_T_CAPTURE)) &&
                       !item->quants && !item->effect && !item->label);
}

static bool castling_item(const fzi_node *item)
{
    const fzi_node *option = item->kind == N_I_MOVES ? item->options : NULL;
    return option && !option->next && option->effect && option->effect->kind == N_GENERATOR &&
           strcmp(option->effect->name, "castles") == 0 && !option->quants && !option->then_effect;
}

static bool add_items(exporter *e, fzi_growing *text, const fzi_node *piece, int depth)
{
    for (const fzi_node *item = piece->items; item; item = item->next) {
        bool plain = item->kind == N_I_MOVE && !item->quants && !item->effect && !item->label;
        const fzi_node *as =
            item->kind == N_I_AS && !item->quants && item->value && item->value->kind == N_E_NAME
                ? find(e, N_D_PIECE, item->value->name)
                : NULL;
        bool good =
            castling_item(item) ||
            (plain && add_set(e, text, item->op == FZ_T_CAPTURE ? "c" : "", item->targets)) ||
            (as && depth < DEEPEST && add_items(e, text, as, depth + 1));
        e->castles |= castling_item(item);
        if (!good) {
            refuse(e, item, TEXT(e, "piece %s", piece->name), "no key says these moves");
            return false;
        }
    }
    return true;
}

/* The key of a kind that moves so: of the common ones, or `customPiece3`. */
static const char *key_of(exporter *e, const char *moves)
{
    static const struct {
        const char *key, *moves;
    } common[] = {{"knight", "N"}, {"bishop", "B"}, {"rook", "R"}, {"queen", "Q"}};

    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (strcmp(common[i].moves, moves) == 0)
            return common[i].key;
    return TEXT(e, "customPiece%d", ++e->custom);
}

static void add_piece(exporter *e, const fzi_node *piece)
{
    fzi_growing moves = {0};
    char letter = letter_of(piece);
    bool pawn = strcmp(piece->name, "Pawn") == 0, king = strcmp(piece->name, "King") == 0;

    if (!letter) {
        refuse(e, piece, TEXT(e, "piece %s", piece->name), "it has no letter");
        return;
    }
    for (const fzi_node *item = piece->items; item && pawn; item = item->next)
        if (!pawn_item(e, item))
            refuse(e, item, "piece Pawn", "no key says these moves");
    e->pawns |= pawn;
    if (pawn) {
        fzi_grow_z(e->arena, &e->pieces, TEXT(e, "pawn = %c\n", letter));
        return;
    }
    if (!add_items(e, &moves, piece, 0))
        return;
    const char *betza = moves.text ? moves.text : "";
    const char *name = king ? "king" : key_of(e, betza);
    bool plain = king ? strcmp(betza, "K") == 0 : strncmp(name, "custom", 6) != 0;
    if (e->custom > CUSTOM)
        refuse(e, piece, TEXT(e, "piece %s", piece->name), "there are too many kinds");
    fzi_grow_z(e->arena, &e->pieces,
               TEXT(e, "%s = %c%s%s\n", name, letter, plain ? "" : ":", plain ? "" : betza));
}

/* ---- squares, and other declarations ---- */

/* The squares of a player, as variants.ini has them: `*8`, `e4 d4`; "-"; NULL: not understood. */
static const char *squares(exporter *e, const fzi_node *set, int player)
{
    if (set->kind == N_E_KEYS) {
        const fzi_node *entry = set->entries;
        while (entry && !is_name(entry->key, player == 0 ? "White" : "Black"))
            entry = entry->next;
        return entry ? squares(e, entry->value, player) : "-";
    }
    if (set->kind == N_E_BINARY && set->op == FZ_T_UNITE) {
        const char *left = squares(e, set->left, player), *right = squares(e, set->right, player);
        return left && right ? TEXT(e, "%s %s", left, right) : NULL;
    }
    if (set->kind == N_E_SET) {
        fzi_growing text = {0};
        for (const fzi_node *m = set->members; m; m = m->next) {
            if (m->kind != N_E_NAME)
                return NULL;
            fzi_grow_z(e->arena, &text, TEXT(e, "%s%s", text.length ? " " : "", m->name));
        }
        return text.text ? text.text : "-";
    }
    long number;
    if (!is_call(set, "rank") || !number_of(set->arguments, &number))
        return NULL;
    if (set->arguments->next && player == 1)
        number = e->ranks + 1 - number;
    return TEXT(e, "*%ld", number);
}

static void add_squares(exporter *e, const fzi_node *let, const char *name)
{
    const char *white = squares(e, let->value, 0), *black = squares(e, let->value, 1);

    if (!white || !black) {
        refuse(e, let, let->name, "these squares are not written out");
        return;
    }
    key(e, TEXT(e, "%sWhite", name), white);
    key(e, TEXT(e, "%sBlack", name), black);
}

static void add_promotion(exporter *e, const fzi_node *let)
{
    fzi_growing letters = {0};
    const fzi_node *set = let->value;

    for (const fzi_node *m = set->kind == N_E_SET ? set->members : NULL; m; m = m->next) {
        char letter = m->kind == N_E_NAME ? letter_of(find(e, N_D_PIECE, m->name)) : '\0';
        if (!letter)
            refuse(e, let, let->name, "these kinds are not written out");
        fzi_grow(e->arena, &letters, &letter, 1);
    }
    if (set->kind != N_E_SET)
        refuse(e, let, let->name, "these kinds are not written out");
    e->promotion = letters.text ? letters.text : "";
}

static void read_board(exporter *e, const fzi_node *decl)
{
    const fzi_node *board = decl->board;
    const fzi_node *first = is_call(board, "square") ? board->arguments : NULL;
    long files, ranks;

    if (!first || !number_of(first, &files) || (first->next && !number_of(first->next, &ranks))) {
        refuse(e, decl, "board", "boards are squares without holes");
        return;
    }
    e->files = (int)files;
    e->ranks = (int)(first->next ? ranks : files);
    if (files > FZ_FAIRY_FILES || e->ranks > FZ_FAIRY_RANKS)
        refuse(e, decl, "board", "boards have at most 12 files and 10 ranks");
}

/* Does a set-up state nothing but a diagram? The position is that of the start. */
static bool only_diagram(const fzi_node *setup)
{
    const fzi_node *first = setup->body ? setup->body->stmts : NULL;
    return first && !first->next && first->kind == N_S_DIAGRAM;
}

static bool is_empty(const fzi_node *proc)
{
    return proc->kind == N_D_PROC && proc->body && !proc->body->stmts;
}

/* A declaration of a variant. */
static void add_own(exporter *e, const fzi_node *d)
{
    const char *name = d->name                ? d->name
                       : d->kind == N_D_SETUP ? "setup"
                       : d->kind == N_D_TURN  ? "turn"
                       : d->kind == N_D_END   ? "end"
                       : d->kind == N_D_LIMIT ? "limit"
                                              : "this declaration";

    switch (d->kind) {
    case N_D_PIECE:
    case N_D_BOARD:
    case N_D_INFO:
    case N_D_VIEW:
    case N_D_SHOW:
    case N_D_HIDE:
    case N_D_OPTION: return;
    case N_D_SETUP:
        if (only_diagram(d))
            return;
        break;
    case N_D_PROC:
        if (is_empty(d) &&
            (strcmp(name, "record_castling") == 0 || strcmp(name, "record_passing") == 0))
            return;
        break;
    case N_D_LET:
        if (strcmp(name, "last_rank") == 0 || strcmp(name, "pawn_rank") == 0 ||
            strcmp(name, "promotable") == 0 || strcmp(name, "dead_position") == 0)
            return;
        if (strcmp(name, "pawns") == 0 && d->value->kind == N_E_SET && !d->value->members) {
            key(e, "nMoveRuleTypes", "-");
            return;
        }
        break;
    default: break;
    }
    refuse(e, d, name, "no key says it");
}

static bool is_module(const fzi_layer *layer, const char *name)
{
    return layer->module && strcmp(layer->module, name) == 0;
}

static void add_declarations(exporter *e)
{
    const fzi_layer *refused = NULL;

    for (const fzi_node *d = e->analysis->unit->decls; d; d = d->next)
        if (d->kind == N_D_BOARD)
            read_board(e, d);
    for (const fzi_node *d = e->analysis->unit->decls; d; d = d->next) {
        const fzi_layer *layer = fzi_layer_at(e->analysis->unit, d->span.source);
        if (d->kind == N_D_PIECE)
            add_piece(e, d);
        if (!layer || layer == e->chess || layer == refused || is_module(layer, "chess") ||
            is_module(layer, "fairy") || is_module(layer, "prelude") ||
            is_module(layer, "squares"))
            continue;
        if (!layer->module)
            add_own(e, d);
        else {
            refuse(e, d, TEXT(e, "use %s", layer->module), "no key says what it declares");
            refused = layer;
        }
    }
}

/* ---- the section ---- */

static void add_rules(exporter *e)
{
    const fzi_node *last = find(e, N_D_LET, "last_rank"), *from = find(e, N_D_LET, "pawn_rank");
    const fzi_node *kinds = find(e, N_D_LET, "promotable");

    if (e->pawns && kinds)
        add_promotion(e, kinds);
    key(e, "promotionPieceTypes", e->promotion && *e->promotion ? e->promotion : "-");
    if (e->pawns && last)
        add_squares(e, last, "promotionRegion");
    key(e, "doubleStep", e->pawns && e->leaps && from ? "true" : "false");
    if (e->pawns && e->leaps && from)
        add_squares(e, from, "doubleStepRegion");
    if (!e->passing)
        key(e, "enPassantRegion", "-");
    key(e, "castling", e->castles ? "true" : "false");
    const fzi_node *rook = find(e, N_D_PIECE, "Rook");
    if (e->castles && letter_of(rook))
        key(e, "castlingRookPieces", TEXT(e, "%c", letter_of(rook)));
    if (e->castles && (e->files != 8 || e->ranks != 8))
        refuse(e, find(e, N_D_MOVES, "castles"), "castles", "castling needs a board of 8 by 8");
}

static void add_options(exporter *e)
{
    const fzi_unit *unit = e->analysis->unit;

    for (size_t i = 0; i < unit->option_count; i++) {
        const fzi_option *o = &unit->options[i];
        if (strcmp(o->name, "Quiet") == 0)
            key(e, "nMoveRule", TEXT(e, "%lld", (long long)o->chosen / 2));
        else if (strcmp(o->name, "Repetition") == 0)
            key(e, "nFoldRule", TEXT(e, "%lld", o->chosen > 1 ? (long long)o->chosen : 0));
        else
            refuse(e, o->node, o->name, "options have no key");
    }
}

/* The game without bases, if it is that of chess. */
static const fzi_layer *find_chess(const fzi_unit *unit)
{
    for (size_t i = 0; i < unit->layer_count; i++)
        if (!unit->layers[i]->module)
            return strcmp(fzi_import_file_name(unit->layers[i]->path), "chess.game") == 0
                       ? unit->layers[i]
                       : NULL;
    return NULL;
}

static const char *section_name(exporter *e, const char *path)
{
    char *name = TEXT(e, "%s", fzi_import_file_name(path)), *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    return name;
}

/* The piece on a square of the FEN, with ranks from the top; 0: none. */
static char piece_at(const char *fen, int from_top, int file)
{
    for (; from_top > 0 && *fen; fen++)
        from_top -= *fen == '/';
    for (; *fen && *fen != '/' && *fen != ' '; fen++) {
        int skip = isdigit((unsigned char)*fen) ? *fen - '0' : 1;
        if (file < skip)
            return isdigit((unsigned char)*fen) ? '\0' : *fen;
        file -= skip;
    }
    return '\0';
}

/* Rights of castling without king or rook in its place are none. */
static const char *rights(exporter *e, const char *fen, const char *text, size_t length)
{
    char king = letter_of(find(e, N_D_PIECE, "King")), rook = letter_of(find(e, N_D_PIECE, "Rook"));
    fzi_growing kept = {0};

    for (size_t i = 0; i < length && e->castles; i++) {
        bool white = isupper((unsigned char)text[i]);
        int row = white ? e->ranks - 1 : 0, side = tolower((unsigned char)text[i]) == 'k' ? 7 : 0;
        char k = piece_at(fen, row, 4), r = piece_at(fen, row, side);
        if (tolower((unsigned char)k) == king && tolower((unsigned char)r) == rook &&
            !isupper((unsigned char)k) == !white && !isupper((unsigned char)r) == !white)
            fzi_grow(e->arena, &kept, &text[i], 1);
    }
    return kept.text ? kept.text : "-";
}

/* The fields of the start position up to castling. */
static const char *start_text(exporter *e, const char *fen)
{
    size_t board = strcspn(fen, " "), mover = board + strspn(fen + board, " ");
    size_t field = mover + strcspn(fen + mover, " ");

    field += strspn(fen + field, " ");
    return TEXT(e, "%.*s%s - 0 1", (int)field, fen,
                rights(e, fen, fen + field, strcspn(fen + field, " ")));
}

static const char *section(exporter *e, const char *path, const char *fen)
{
    e->chess = find_chess(e->analysis->unit);
    if (!e->chess) {
        refuse(e, e->analysis->unit->file, "the game", "it is no variant of chess.game");
        return NULL;
    }
    e->files = e->ranks = 8;
    add_declarations(e);
    add_rules(e);
    add_options(e);
    if (e->refused.length)
        return NULL;
    return TEXT(e, "%s[%s]\nmaxRank = %d\nmaxFile = %d\n%sstartFen = %s\n%s",
                find(e, N_D_LET, "dead_position")->value->kind == N_E_NAME
                    ? ""
                    : "# Not said: a position in which nobody can mate is drawn.\n",
                section_name(e, path), e->ranks, e->files, e->pieces.text ? e->pieces.text : "",
                start_text(e, fen), e->keys.text);
}

fz_status fzi_fairy_export(fz_context *context, const char *path, const fz_setting *settings,
                           size_t setting_count, const char *fen, char **text, char **refused)
{
    fzi_analysis *analysis = fzi_analyse_game(context, path, settings, setting_count);
    fz_status status = FZ_OK;

    *text = *refused = NULL;
    if (!analysis)
        return FZ_NO_MEMORY;
    if (!analysis->game || analysis->diags->errors)
        status = fzi_context_fail(context, FZ_INVALID, "%s: not a script", path);
    else if (setjmp(*fzi_arena_handler(analysis->arena)))
        status = fzi_context_fail(context, FZ_NO_MEMORY, "%s: out of memory", path);
    else {
        exporter e = {.analysis = analysis, .arena = analysis->arena};
        const char *made = section(&e, path, fen);
        const char *result = made ? made : e.refused.text;
        char *copy = fzi_copy_text(context->allocator, result, strlen(result));
        *(made ? text : refused) = copy;
        status = copy ? FZ_OK : FZ_NO_MEMORY;
    }
    fzi_analysis_free(analysis);
    return status;
}
