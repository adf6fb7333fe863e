/* Pieces in the cells of drawings and FENs: letters, numbers of owners, stacks. See cells.h. */
#include "cells.h"

#include <ctype.h>
#include <stdlib.h>

static bool same_letters(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* The players' first letters distinguish them, so that a game with one nameless kind may use
 * them. */
static bool initials_differ(const fz_program *program)
{
    unsigned seen = 0;

    for (uint32_t p = 0; p < program->player_count; p++) {
        int letter = toupper((unsigned char)*fzi_text(program, program->players[p].name)) - 'A';
        if (letter < 0 || letter > 25 || seen >> letter & 1)
            return false;
        seen |= 1u << letter;
    }
    return true;
}

/* There is room for a number behind it. */
static void copy_letter(const char *text, char *letter)
{
    size_t length = strlen(text), most = FZ_CELL_SIZE - 9;

    length = length < most ? length : most;
    memcpy(letter, text, length);
    letter[length] = '\0';
}

/* The letter of a kind that was given none: the first of its name if no other kind begins so. */
static void own_letter(const fz_program *program, int kind, char *letter)
{
    const char *name = fzi_text(program, program->kinds[kind].name);
    char first[2] = {(char)toupper((unsigned char)*name), '\0'};
    bool taken = !isalpha((unsigned char)*name);

    for (int k = 0; k < (int)program->kind_count && !taken; k++) {
        const char *other = fzi_text(program, program->kinds[k].letter);
        char other_first[2] = {*fzi_text(program, program->kinds[k].name), '\0'};
        taken = k != kind && same_letters(*other ? other : other_first, first);
    }
    copy_letter(taken ? name : first, letter);
}

static bool has_case(const char *text)
{
    for (; *text; text++) {
        if (isupper((unsigned char)*text))
            return true;
    }
    return false;
}

static void add_number(char *cell, int owner)
{
    size_t length = strlen(cell);

    _Static_assert(FZ_MAX_PLAYERS < 100, "an owner's number has two digits");
    if (isdigit((unsigned char)*cell))
        cell[length++] = ':';
    if (owner + 1 >= 10)
        cell[length++] = (char)('0' + (owner + 1) / 10);
    cell[length++] = (char)('0' + (owner + 1) % 10);
    cell[length] = '\0';
}

static void letter_of(const fz_program *program, int kind, char *letter)
{
    const char *given = fzi_text(program, program->kinds[kind].letter);

    if (*given)
        copy_letter(given, letter);
    else
        own_letter(program, kind, letter);
}

/* True if the letter without a number means a piece without owner: letters without capitals do,
 * and all letters in games without players' pieces. */
static bool nobodys_alone(const fz_program *program, const char *letter)
{
    return program->unmarked || !has_case(letter);
}

const char *fzi_cell_text(const fz_program *program, int kind, int owner, char *cell)
{
    const char *letter = fzi_text(program, program->kinds[kind].letter);

    if (!*letter && program->kind_count == 1 && owner >= 0 && initials_differ(program)) {
        cell[0] = (char)toupper((unsigned char)*fzi_text(program, program->players[owner].name));
        cell[1] = '\0';
        return cell;
    }
    letter_of(program, kind, cell);
    if (nobodys_alone(program, cell)) {
        if (owner >= 0)
            add_number(cell, owner);
        return cell;
    }
    if (owner < 0 || program->player_count > 2)
        add_number(cell, owner);
    for (char *c = cell; *c && owner == 1 && program->player_count == 2; c++)
        *c = (char)tolower((unsigned char)*c);
    return cell;
}

bool fzi_cell_in_fen(const fz_program *program, int kind, int owner)
{
    char cell[FZ_CELL_SIZE];

    letter_of(program, kind, cell);
    return !isdigit((unsigned char)*cell) && (owner < 0 || !nobodys_alone(program, cell));
}

/* False: no cell with such a piece begins so. */
static bool may_begin(const fz_program *program, int kind, char first)
{
    const char *letter = fzi_text(program, program->kinds[kind].letter);

    if (!*letter && program->kind_count == 1)
        return true; /* the players' initials */
    if (!*letter)
        letter = fzi_text(program, program->kinds[kind].name);
    return !*letter || tolower((unsigned char)*letter) == tolower((unsigned char)first);
}

/* The piece whose cell begins the text, longest first; its length. */
static size_t cell_at(const fz_program *program, const char *text, size_t length, bool in_fen,
                      int *kind, int *owner)
{
    char cell[FZ_CELL_SIZE];
    size_t best = 0;

    for (int k = 0; k < (int)program->kind_count; k++) {
        if (!length || !may_begin(program, k, *text))
            continue;
        for (int p = -1; p < (int)program->player_count; p++) {
            size_t n = strlen(fzi_cell_text(program, k, p, cell));
            if (in_fen && !fzi_cell_in_fen(program, k, p))
                continue;
            if (n > best && n <= length && memcmp(cell, text, n) == 0) {
                best = n;
                *kind = k;
                *owner = p;
            }
        }
    }
    return best;
}

size_t fzi_cell_read(const fz_program *program, const char *text, size_t length, int *kind,
                     int *owner)
{
    return cell_at(program, text, length, true, kind, owner);
}

/* The piece that the whole word says, the owner's number after the letter also where it need not
 * be. */
static bool cell_read_word(const fz_program *program, const char *word, size_t length, int *kind,
                           int *owner)
{
    char cell[FZ_CELL_SIZE];

    if (cell_at(program, word, length, false, kind, owner) == length)
        return true;
    /* The owner's number is accepted where it is not needed. */
    for (*kind = 0; *kind < (int)program->kind_count; ++*kind) {
        if (!may_begin(program, *kind, *word))
            continue;
        for (*owner = -1; *owner < (int)program->player_count; ++*owner) {
            letter_of(program, *kind, cell);
            add_number(cell, *owner);
            if (strlen(cell) == length && memcmp(cell, word, length) == 0)
                return true;
        }
    }
    /* It may be omitted for the first two players, whatever the number of players. */
    for (*kind = 0; *kind < (int)program->kind_count; ++*kind) {
        if (!may_begin(program, *kind, *word))
            continue;
        letter_of(program, *kind, cell);
        for (*owner = 0; *owner < 2 && *owner < (int)program->player_count; ++*owner) {
            if (strlen(cell) == length && memcmp(cell, word, length) == 0)
                return true;
            for (char *c = cell; *c; c++)
                *c = (char)tolower((unsigned char)*c);
        }
    }
    return false;
}

/* ---- stacks ---- */

/* Decided from the end, so that letters with the same beginning are distinguished. False: the word
 * is no stack. */
static bool find_stack(const fz_program *program, const char *word, size_t length,
                       fzi_piece_ends *ends)
{
    int kind, owner;

    memset(ends->at, 0, (length + 1) * sizeof *ends->at);
    for (size_t i = length; i-- > 0;) {
        size_t most = length - i < FZ_CELL_SIZE ? length - i : FZ_CELL_SIZE;
        for (size_t n = most; n > 0 && !ends->at[i]; n--) {
            size_t next = i + n;
            if (next + 1 < length && word[next] == '+' && !ends->at[next])
                next++;
            if ((next == length || ends->at[next]) &&
                cell_read_word(program, word + i, n, &kind, &owner))
                ends->at[i] = (uint16_t)(i + n);
        }
    }
    return ends->at[0] != 0;
}

bool fzi_cell_pieces(const fz_program *program, const char *word, size_t length,
                     fzi_piece_ends *ends)
{
    int kind, owner;

    if (!length || length > FZ_MAX_STACK_TEXT)
        return false;
    ends->at[0] = (uint16_t)length;
    return cell_read_word(program, word, length, &kind, &owner) ||
           (program->stack_limit && find_stack(program, word, length, ends));
}

bool fzi_cell_next(const fz_program *program, const fzi_piece_ends *ends, const char *word,
                   size_t length, size_t *at, int *kind, int *owner)
{
    if (*at < length && *at && word[*at] == '+' && !ends->at[*at])
        ++*at;
    if (*at >= length)
        return false;
    size_t n = ends->at[*at] - *at;
    cell_read_word(program, word + *at, n, kind, owner);
    *at += n;
    return true;
}

bool fzi_cell_is_pieces(const fz_program *program, const char *word, size_t length)
{
    fzi_piece_ends ends;

    return fzi_cell_pieces(program, word, length, &ends);
}

/* ---- diagrams ---- */

bool fzi_name_place(const char *name, int *column, int *row)
{
    if (!islower((unsigned char)name[0]) || !isdigit((unsigned char)name[1]) || strlen(name) > 3 ||
        (name[2] && !isdigit((unsigned char)name[2])))
        return false;
    *column = name[0] - 'a' + 1;
    *row = atoi(name + 1);
    return true;
}

/* True if `a` is drawn before `b`: higher, or as high and further left. */
static bool drawn_before(const fz_board *board, unsigned a, unsigned b)
{
    return board->y[a] > board->y[b] || (board->y[a] == board->y[b] && board->x[a] < board->x[b]);
}

void fzi_diagram_order(const fz_board *board, uint16_t *order)
{
    /* From the last site, because sites are numbered from the lowest row up: then few move. */
    for (unsigned count = 0; count < board->site_count; count++) {
        unsigned site = board->site_count - 1 - count, k = count;
        for (; k > 0 && !drawn_before(board, order[k - 1], site); k--)
            order[k] = order[k - 1];
        order[k] = (uint16_t)site;
    }
}

bool fzi_board_has_rows(const fz_board *board)
{
    uint16_t order[FZ_MAX_SITES];

    if (board->shape == FZ_SHAPE_GRAPH || board->shape == FZ_SHAPE_CIRCLE ||
        board->shape == FZ_SHAPE_NONE)
        return false;
    fzi_diagram_order(board, order);
    for (unsigned i = 1; i < board->site_count; i++) {
        if (!drawn_before(board, order[i - 1], order[i]))
            return false;
    }
    return board->site_count > 0;
}
