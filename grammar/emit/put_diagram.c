/* Reads diagrams: a drawing of the board becomes statements that put its pieces. statement_code.c
 * calls it, and test_steps.c to check a size. */
#include "emit.h"

#include <ctype.h>
#include <stdlib.h>

#include "interp/program/cells.h"
#include "interp/support/position_form.h"
#include "interp/support/words.h"

enum { MAX_CELLS = FZ_MAX_SITES };

typedef struct drawn {
    int64_t kind, owner; /* kind -1: nothing */
    struct drawn *above; /* the piece on it; NULL */
} drawn;

static bool sign_piece(fzi_lower *lw, fzi_view view, const char *cell, const fzi_node *signs,
                       drawn *piece)
{
    for (; signs; signs = signs->next) {
        if (strcmp(signs->text, cell) != 0)
            continue;
        if (!fzi_constant_int(lw, fzi_value_of(lw, view, signs->piece), &piece->kind) ||
            !fzi_constant_int(lw, fzi_value_of(lw, view, signs->owner), &piece->owner))
            fzi_not_constant(lw, signs->span, FZ_E_CONSTANT_WANTED, "what a sign stands for");
        return true;
    }
    return false;
}

/* One kind without a letter: X and O are the players' names' first letters. */
static bool initial_piece(const fzi_game *game, const char *cell, drawn *piece)
{
    if (game->piece_count != 1 || strlen(cell) != 1)
        return false;
    for (unsigned p = 0; p < game->player_count; p++) {
        if (toupper((unsigned char)game->players[p].symbol->name[0]) ==
            toupper((unsigned char)*cell)) {
            piece->kind = 0;
            piece->owner = p;
            return true;
        }
    }
    return false;
}

/* ---- where things stand in the file ---- */

/* The place in the file of character `at` of the string's value. */
static size_t place_in_string(const fzi_source *source, fzi_span span, size_t at)
{
    enum { QUOTES = 3 };
    const char *text = source->text + span.start;
    size_t length = span.end - span.start, place = 1;
    if (length >= QUOTES && memcmp(text, "\"\"\"", QUOTES) == 0)
        return span.start + QUOTES + at;
    for (; at; at--)
        place += text[place] == '\\' ? 2 : 1;
    return span.start + place;
}

static fzi_span part_span(const fzi_lower *lw, fzi_span span, const char *text, const char *from,
                          size_t length)
{
    const fzi_source *source = fzi_source_at(lw->game->sources, span.source);
    size_t start = place_in_string(source, span, (size_t)(from - text));
    return (fzi_span){span.source, (uint32_t)start, (uint32_t)(start + length)};
}

/* ---- the size ---- */

/* The next line that has cells, from `*at` on, blanks around it left out; 0: there is none. */
static size_t next_line(const char **at, unsigned *cells)
{
    *at += strspn(*at, " \t\r\n");
    const char *end = *at;
    *cells = 0;
    for (const char *c = *at; *c && *c != '\n';) {
        size_t length = strcspn(c, " \t\r\n");
        *cells += length > 0;
        c += length;
        if (length)
            end = c;
        c += strspn(c, " \t\r");
    }
    return (size_t)(end - *at);
}

/* How many sites the drawing has in the row that begins with this one. */
static unsigned row_length(const fzi_board *board, const uint16_t *order, unsigned first)
{
    unsigned last = first;
    while (last < board->site_count && board->y[order[last]] == board->y[order[first]])
        last++;
    return last - first;
}

/* Complains at the first row that is not as long as the board's, or is one too many, or is the
 * last. */
static void wrong_size(fzi_lower *lw, const char *text, fzi_span span, const uint16_t *order,
                       unsigned cells)
{
    const fzi_board *board = lw->game->board;
    fzi_diags *diags = lw->game->diags;
    const char *at = text, *row = text;
    unsigned number = 0, done = 0, wanted = 0, found = 0, here;
    size_t length = 0;
    for (size_t next; found == wanted && (next = next_line(&at, &here)) > 0; at += next) {
        row = at;
        length = next;
        number++;
        done += wanted;
        found = here;
        wanted = row_length(board, order, done);
    }
    fzi_diag *diag = fzi_error(diags, length ? part_span(lw, span, text, row, length) : span,
                               FZ_E_DIAGRAM_SIZE, cells, board->site_count);
    if (length && memchr(row, '/', length))
        fzi_hint_add(diag, "this looks like a FEN: a diagram has one line for each row; "
                           "separate cells by blanks");
    else if (found == 1 && wanted > 1 && length > 1)
        fzi_hint_add(diag, "separate cells by blanks, as in 'P . . p'");
    else if (found == wanted)
        fzi_hint_add(diag, "the board has more rows below this one");
    else if (!wanted)
        fzi_hint_add(diag, "the board has no row %u", number);
    else
        fzi_hint_add(diag, "this is row %u, with %u of %u cells", number, found, wanted);
}

/* ---- the cells ---- */

/* Has the same letter been reported for another player? */
static bool other_case_reported(const fzi_diags *diags, const char *cell)
{
    if (strlen(cell) != 1 || !isalpha((unsigned char)*cell))
        return false;
    for (const fzi_diag *d = diags->first; d; d = d->next)
        if (d->code == FZ_E_DIAGRAM_CELL && d->subject && strlen(d->subject) == 1 &&
            *d->subject != *cell &&
            tolower((unsigned char)*d->subject) == tolower((unsigned char)*cell))
            return true;
    return false;
}

/* "K, Q, R"; NULL: no piece has a letter, or there are many. */
static const char *letters_of(const fzi_lower *lw)
{
    enum { MOST = 12 };
    const char *text = NULL;
    if (lw->game->piece_count > MOST)
        return NULL;
    for (unsigned k = 0; k < lw->game->piece_count; k++) {
        const char *letter = lw->game->pieces[k].letter;
        if (*letter)
            text = text ? fzi_arena_printf(lw->build.arena, "%s, \"%s\"", text, letter)
                        : fzi_arena_printf(lw->build.arena, "\"%s\"", letter);
    }
    return text;
}

static void wrong_cell(fzi_lower *lw, const char *cell, fzi_span span)
{
    if (other_case_reported(lw->game->diags, cell))
        return;
    fzi_diag *diag = fzi_error(lw->game->diags, span, FZ_E_DIAGRAM_CELL, cell);
    const char *letters = letters_of(lw);
    if (strcmp(cell, "_") == 0 || strcmp(cell, "-") == 0 || strcmp(cell, "*") == 0 ||
        strcmp(cell, "+") == 0 || strspn(cell, "0.") == strlen(cell))
        fzi_hint_add(diag, "an empty site is written '.'");
    else if (strlen(cell) > 2)
        fzi_hint_add(diag, "separate cells by blanks, as in 'P . . p'");
    else if (letters)
        fzi_hint_add(diag, "the letters are %s", letters);
}

/* Can the cell be valid in a test's position? */
static bool may_be_cell(fzi_lower *lw, const char *cell)
{
    fzi_build_view(&lw->build);
    return strcmp(cell, ".") == 0 || !isalpha((unsigned char)*cell) ||
           fzi_cell_is_pieces(&lw->build.program, cell, strlen(cell));
}

static unsigned stack_height(const drawn *piece)
{
    unsigned height = 0;
    for (; piece && piece->kind != FZ_NOT_THERE; piece = piece->above)
        height++;
    return height;
}

/* The length of the next cell, to which `*at` goes on; 0: there is none. */
static size_t next_cell(const char **at)
{
    *at += strspn(*at, " \t\r\n");
    return strcspn(*at, " \t\r\n");
}

/* The pieces of a cell, in `*piece` and above it. False: it has none, or too many. */
static bool read_pieces(fzi_lower *lw, const char *cell, drawn *piece)
{
    const fz_program *program = &lw->build.program;
    fzi_piece_ends ends;
    size_t length = strlen(cell), at = 0;
    int kind, owner;
    drawn *last = NULL;
    fzi_build_view(&lw->build);
    if (!fzi_cell_pieces(program, cell, length, &ends))
        return false;
    while (fzi_cell_next(program, &ends, cell, length, &at, &kind, &owner)) {
        drawn *made = last ? (last->above = FZI_NEW(lw->build.arena, drawn)) : piece;
        *made = (drawn){kind, owner, NULL};
        last = made;
    }
    return !piece->above || stack_height(piece) <= program->stack_limit;
}

static void check_cells(fzi_lower *lw, const char *text, fzi_span span)
{
    const char *at = text;
    for (size_t length; (length = next_cell(&at)) > 0; at += length) {
        const char *cell = fzi_arena_printf(lw->build.arena, "%.*s", (int)length, at);
        if (!may_be_cell(lw, cell))
            wrong_cell(lw, cell, part_span(lw, span, text, at, length));
    }
}

static drawn read_cell(fzi_lower *lw, fzi_view view, const char *cell, const fzi_node *signs,
                       fzi_span span)
{
    drawn piece = {FZ_NOT_THERE, FZ_NOT_THERE, NULL};
    if (sign_piece(lw, view, cell, signs, &piece) || strcmp(cell, ".") == 0)
        return piece;
    bool is_nameless = lw->game->piece_count == 1 && !*lw->game->pieces[0].letter;
    if ((is_nameless && initial_piece(lw->game, cell, &piece)) || read_pieces(lw, cell, &piece) ||
        initial_piece(lw->game, cell, &piece))
        return piece;
    wrong_cell(lw, cell, span);
    return (drawn){FZ_NOT_THERE, FZ_NOT_THERE, NULL};
}

/* The piece of the cell with `under` pieces below it; NULL. */
static const drawn *piece_on(const drawn *piece, unsigned under)
{
    for (; piece && under; under--)
        piece = piece->above;
    return piece;
}

static void put_drawn(fzi_codegen *e, const drawn *pieces, unsigned under, int64_t kind,
                      int64_t owner)
{
    fzi_ir_maker *m = &e->lower->maker;
    uint64_t words[FZ_MAX_WORDS] = {0};
    fzi_registers used = e->used;
    bool any = false;
    for (unsigned s = 0; s < e->lower->game->board->site_count; s++) {
        const drawn *piece = piece_on(&pieces[s], under);
        if (!piece || piece->kind != kind || piece->owner != owner)
            continue;
        fzi_words_add(words, s);
        any = true;
    }
    if (any) {
        unsigned set = fzi_gen_value(e, fzi_ir_set(m, words));
        unsigned k = fzi_gen_value(e, fzi_ir_int(m, kind));
        fzi_gen(e, under ? FZ_OP_PUT_ON : FZ_OP_PUT, set, k,
                fzi_gen_value(e, fzi_ir_int(m, owner)));
        *(owner < 0 ? &e->lower->emission->puts_neutral : &e->lower->emission->puts_players) = true;
    }
    e->used = used;
}

static unsigned count_cells(const char *text)
{
    unsigned cells = 0;
    for (size_t length; (length = next_cell(&text)) > 0; text += length)
        cells++;
    return cells;
}

/* The pieces by site, of a diagram or of a FEN that has been spread; false when it has too many
 * cells or too few. What is wrong is reported. */
static bool read_diagram(fzi_lower *lw, fzi_view view, const char *text, const fzi_node *signs,
                         fzi_span span, bool is_fen, drawn *pieces)
{
    uint16_t order[FZ_MAX_SITES];
    unsigned sites = lw->game->board->site_count, cells = 0;
    fzi_diagram_order(&lw->build.program.board, order);
    if (count_cells(text) != sites && is_fen) {
        fzi_error(lw->game->diags, span, FZ_E_DIAGRAM_SIZE, count_cells(text), sites);
        return false;
    }
    if (count_cells(text) != sites) {
        wrong_size(lw, text, span, order, count_cells(text));
        return false;
    }
    const char *at = text;
    for (size_t length; (length = next_cell(&at)) > 0; at += length) {
        const char *cell = fzi_arena_printf(lw->build.arena, "%.*s", (int)length, at);
        pieces[order[cells++]] =
            read_cell(lw, view, cell, signs, is_fen ? span : part_span(lw, span, text, at, length));
    }
    return true;
}

/* The length of the cell of a FEN that `at` begins with, at least 1. */
static size_t cell_length(fzi_lower *lw, const char *at)
{
    int kind, owner;
    fzi_build_view(&lw->build);
    size_t length = fzi_cell_read(&lw->build.program, at, strlen(at), &kind, &owner);
    return length ? length : 1;
}

/* The board of a FEN as a diagram: "rn1" is "r n . ". */
static const char *spread_fen(fzi_lower *lw, const char *fen)
{
    fzi_arena *arena = lw->build.arena;
    char *text = fzi_arena_alloc(arena, 2 * strlen(fen) + 2 * MAX_CELLS + 2), *end = text;
    size_t dots = 0;
    for (const char *at = fen; *at;) {
        if (isdigit((unsigned char)*at)) {
            char *behind;
            unsigned long count = strtoul(at, &behind, 10);
            for (at = behind; count && dots < MAX_CELLS; count--, dots++) {
                *end++ = '.';
                *end++ = ' ';
            }
            continue;
        }
        size_t length = *at == '/' ? 0 : cell_length(lw, at);
        memcpy(end, at, length);
        end += length;
        *end++ = length ? ' ' : '\n';
        at += length ? length : 1;
    }
    *end = '\0';
    return text;
}

void fzi_check_diagram_size(fzi_lower *lw, const char *text, fzi_span span)
{
    uint16_t order[FZ_MAX_SITES];
    unsigned sites = lw->game->board->site_count, cells = 0, here;
    fzi_diagram_order(&lw->build.program.board, order);
    size_t length;
    for (const char *at = text; (length = next_line(&at, &here)) > 0; at += length)
        cells += here;
    if (cells && cells != sites) /* none: an empty board */
        wrong_size(lw, text, span, order, cells);
    else
        check_cells(lw, text, span);
}

/* Is the board the first field of the game's FENs? */
static bool begins_with_board(const fzi_game *game)
{
    for (const fzi_node *decl = game->unit->decls; decl; decl = decl->next)
        for (const fzi_node *e = decl->kind == N_D_INFO ? decl->entries : NULL; e; e = e->next)
            if (strcmp(e->name, "fen") == 0)
                return strncmp(e->text + strspn(e->text, " \t\r\n"), "board", 5) == 0;
    return true;
}

void fzi_check_fen(fzi_lower *lw, const char *text, fzi_span span)
{
    const char *at = text + strspn(text, " \t\r\n"), *end = at + strcspn(at, " \t\r\n");
    if (!begins_with_board(lw->game))
        return;
    while (at < end) {
        size_t length = cell_length(lw, at);
        const char *cell = fzi_arena_printf(lw->build.arena, "%.*s", (int)length, at);
        if (!may_be_cell(lw, cell) && !strchr("0123456789/[]()~-", *at)) {
            wrong_cell(lw, cell, span);
            return;
        }
        at += length;
    }
}

void fzi_lower_diagram(fzi_codegen *e, fzi_view view, const char *text, const fzi_node *signs,
                       fzi_span span)
{
    fzi_lower *lw = e->lower;
    drawn pieces[FZ_MAX_SITES];
    bool is_fen = fzi_position_form(text) == FZI_FORM_FEN;
    if (is_fen)
        text = spread_fen(lw, text);
    if (!read_diagram(lw, view, text, signs, span, is_fen, pieces))
        return;
    fzi_registers used = e->used;
    fzi_gen(e, FZ_OP_TAKE, fzi_gen_value(e, fzi_ir_all(&lw->maker)), 0, 0);
    e->used = used;
    unsigned height = 1;
    for (unsigned s = 0; s < lw->game->board->site_count; s++)
        height = stack_height(&pieces[s]) > height ? stack_height(&pieces[s]) : height;
    for (unsigned under = 0; under < height; under++)
        for (int64_t k = 0; k < (int64_t)lw->game->piece_count; k++)
            for (int64_t p = FZ_NOT_THERE; p < (int64_t)lw->game->player_count; p++)
                put_drawn(e, pieces, under, k, p);
}
