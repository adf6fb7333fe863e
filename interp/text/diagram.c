/* Pieces in blocks, their texts in cells, and diagrams: rows of cells from the top. Called by
 * the files that read and write positions, and by drawings. */
#include "position.h"

#include <stdio.h>

#include "interp/support/words.h"

/* ---- pieces in a block ---- */

void fzi_pieces_settle(const fz_program *program, uint8_t *block)
{
    for (unsigned site = 0; program->layout.at && site < program->board.site_count; site++) {
        fzi_occupant piece = fzi_piece_of_sets(program, &program->layout, block, site);
        fzi_piece_top(program, block, site, piece.kind, piece.owner);
    }
}

/* ---- cells ---- */

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
    snprintf(letter, FZ_CELL_SIZE - 8, "%s", taken ? name : first);
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

    snprintf(cell + length, FZ_CELL_SIZE - length, "%d", owner + 1);
}

static void letter_of(const fz_program *program, int kind, char *letter)
{
    const char *given = fzi_text(program, program->kinds[kind].letter);

    if (*given)
        snprintf(letter, FZ_CELL_SIZE - 8, "%s", given);
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
        snprintf(cell, FZ_CELL_SIZE, "%c",
                 toupper((unsigned char)*fzi_text(program, program->players[owner].name)));
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
    return owner < 0 || !nobodys_alone(program, cell);
}

size_t fzi_cell_read(const fz_program *program, const char *text, size_t length, int *kind,
                     int *owner)
{
    char cell[FZ_CELL_SIZE];
    size_t best = 0;

    for (int k = 0; k < (int)program->kind_count; k++) {
        for (int p = -1; p < (int)program->player_count; p++) {
            size_t n = strlen(fzi_cell_text(program, k, p, cell));
            if (!fzi_cell_in_fen(program, k, p))
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

/* The piece that the whole word says, the owner's number after the letter also where it need not
 * be. */
static bool cell_read_word(const fz_program *program, const char *word, size_t length, int *kind,
                           int *owner)
{
    char cell[FZ_CELL_SIZE];

    if (fzi_cell_read(program, word, length, kind, owner) == length)
        return true;
    /* The owner's number is accepted where it is not needed. */
    for (*kind = 0; *kind < (int)program->kind_count; ++*kind) {
        for (*owner = -1; *owner < (int)program->player_count; ++*owner) {
            letter_of(program, *kind, cell);
            add_number(cell, *owner);
            if (strlen(cell) == length && memcmp(cell, word, length) == 0)
                return true;
        }
    }
    /* It may be omitted for the first two players, whatever the number of players. */
    for (*kind = 0; *kind < (int)program->kind_count; ++*kind) {
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

enum { MAX_STACK_TEXT = 4096 };

/* The pieces of a word: at[i] is the end of the piece that begins at i; 0: none begins there. */
typedef struct piece_ends {
    uint16_t at[MAX_STACK_TEXT + 1];
} piece_ends;

/* Decided from the end, so that letters with the same beginning are distinguished. False: the word
 * is no stack. */
static bool find_pieces(const fz_program *program, const char *word, size_t length,
                        piece_ends *ends)
{
    int kind, owner;

    if (!program->stack_limit || !length || length > MAX_STACK_TEXT)
        return false;
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

/* The next piece of the word from `*at` on. */
static bool next_piece(const fz_program *program, const piece_ends *ends, const char *word,
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
    int kind, owner;

    if (cell_read_word(program, word, length, &kind, &owner))
        return true;
    piece_ends ends;
    return find_pieces(program, word, length, &ends);
}

bool fzi_cell_put(const fz_program *program, uint8_t *block, unsigned site, const char *word,
                  size_t length)
{
    int kind, owner;

    if (cell_read_word(program, word, length, &kind, &owner)) {
        fzi_piece_put(program, block, site, kind, owner);
        return true;
    }
    piece_ends ends;
    bool good = find_pieces(program, word, length, &ends);
    fzi_piece_put(program, block, site, -1, -1);
    for (size_t at = 0; good && next_piece(program, &ends, word, length, &at, &kind, &owner);)
        good = fzi_piece_add(program, block, site, kind, owner);
    return good;
}

/* True if the text reads back as the pieces of the site. */
static bool reads_as(const fz_program *program, const uint8_t *block, unsigned site,
                     const char *text)
{
    size_t length = strlen(text), at = 0;
    piece_ends ends;
    unsigned height = fzi_stack_height(program, block, site), place = 1;
    int kind, owner, wanted_kind, wanted_owner;
    bool same = find_pieces(program, text, length, &ends);

    while (same && next_piece(program, &ends, text, length, &at, &kind, &owner)) {
        fzi_stack_get(program, block, site, place, &wanted_kind, &wanted_owner);
        same = place++ <= height && kind == wanted_kind && owner == wanted_owner;
    }
    return same && place == height + 1;
}

static void join_pieces(const fz_program *program, const uint8_t *block, unsigned site,
                        const char *between, fzi_buffer *out)
{
    unsigned height = fzi_stack_height(program, block, site);
    char cell[FZ_CELL_SIZE];
    int kind, owner;

    for (unsigned place = 1; place <= height; place++) {
        fzi_stack_get(program, block, site, place, &kind, &owner);
        fzi_buffer_text(out, place > 1 ? between : "");
        fzi_buffer_text(out, fzi_cell_text(program, kind, owner, cell));
    }
}

void fzi_stack_write(const fz_program *program, const uint8_t *block, unsigned site,
                    fzi_buffer *out)
{
    fzi_buffer text = fzi_buffer_in(out->allocator);

    join_pieces(program, block, site, "", &text);
    if (fzi_stack_height(program, block, site) > 1 &&
        !reads_as(program, block, site, fzi_buffer_get(&text))) {
        out->failed |= text.failed;
        fzi_buffer_clear(&text);
        join_pieces(program, block, site, "+", &text);
    }
    fzi_buffer_text(out, fzi_buffer_get(&text));
    out->failed |= text.failed;
    fzi_buffer_free(&text);
}

/* ---- rows ---- */

unsigned fzi_sites_in_order(unsigned site_count, const int16_t *row, int number,
                            const int16_t *across, uint16_t *sites)
{
    unsigned count = 0;

    for (unsigned s = 0; s < site_count; s++) {
        unsigned at = count;
        if (row[s] != number)
            continue;
        for (; at > 0 && across[sites[at - 1]] > across[s]; at--)
            sites[at] = sites[at - 1];
        sites[at] = (uint16_t)s;
        count++;
    }
    return count;
}

unsigned fzi_row_sites(const fz_board *board, unsigned row, uint16_t *sites)
{
    return fzi_sites_in_order(board->site_count, board->row, (int)row, board->column, sites);
}

/* ---- diagrams ---- */

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

/* The text of a cell, into `cell`; its length. */
static size_t write_cell(const fz_program *program, const uint8_t *block, const uint64_t *unseen,
                         unsigned site, fzi_buffer *cell)
{
    fzi_buffer_clear(cell);
    if (unseen && fzi_words_has(unseen, site))
        fzi_buffer_char(cell, '?');
    else
        fzi_stack_write(program, block, site, cell);
    if (!cell->length)
        fzi_buffer_char(cell, '.');
    return cell->length;
}

void fzi_diagram_write(const fz_program *program, const uint8_t *block, const uint64_t *unseen,
                       fzi_buffer *out)
{
    const fz_board *board = &program->board;
    uint16_t order[FZ_MAX_SITES];
    fzi_buffer cell = fzi_buffer_in(out->allocator);
    size_t width = 1;

    fzi_diagram_order(board, order);
    for (unsigned s = 0; s < board->site_count; s++) {
        size_t n = write_cell(program, block, unseen, s, &cell);
        width = n > width ? n : width;
        out->failed |= cell.failed;
    }
    for (unsigned i = 0; i < board->site_count; i++) {
        bool last = i + 1u == board->site_count || board->y[order[i + 1]] != board->y[order[i]];
        size_t n = write_cell(program, block, unseen, order[i], &cell);
        fzi_buffer_text(out, fzi_buffer_get(&cell));
        out->failed |= cell.failed;
        if (last)
            fzi_buffer_char(out, '\n');
        else
            fzi_buffer_repeat(out, ' ', width + 1 - n);
    }
    fzi_buffer_free(&cell);
}

bool fzi_diagram_read(const fz_program *program, uint8_t *block, const char *text,
                      const char **rest, char *message, size_t size)
{
    uint16_t order[FZ_MAX_SITES];
    unsigned sites = program->board.site_count, cells = 0;

    fzi_diagram_order(&program->board, order);
    while (cells < sites || !rest) {
        text += strspn(text, " \t\r\n");
        size_t length = strcspn(text, " \t\r\n");
        if (!length)
            break;
        if (length != 1 || *text != '.') {
            bool known = cells < sites
                             ? fzi_cell_put(program, block, order[cells], text, length)
                             : fzi_cell_is_pieces(program, text, length);
            if (!known && !(length == 1 && *text == '?')) {
                snprintf(message, size, "'%.*s' is no piece", (int)length, text);
                return false;
            }
        }
        cells++;
        text += length;
    }
    if (cells != sites) {
        snprintf(message, size, "the diagram has %u cells, the board %u", cells, sites);
        return false;
    }
    if (rest)
        *rest = text + strspn(text, " \t\r");
    return true;
}
