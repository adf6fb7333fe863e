/* Pieces in blocks, and diagrams: rows of cells from the top. Called by the files that read and
 * write positions, and by drawings. */
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

/* ---- what stands on a site ---- */

bool fzi_cell_put(const fz_program *program, uint8_t *block, unsigned site, const char *word,
                  size_t length)
{
    fzi_piece_ends ends;
    size_t at = 0;
    int kind, owner;
    bool good = fzi_cell_pieces(program, word, length, &ends);

    fzi_piece_put(program, block, site, -1, -1);
    if (good && fzi_cell_next(program, &ends, word, length, &at, &kind, &owner))
        fzi_piece_put(program, block, site, kind, owner);
    while (good && fzi_cell_next(program, &ends, word, length, &at, &kind, &owner))
        good = fzi_piece_add(program, block, site, kind, owner);
    return good;
}

/* True if the text reads back as the pieces of the site. */
static bool reads_as(const fz_program *program, const uint8_t *block, unsigned site,
                     const char *text)
{
    size_t length = strlen(text), at = 0;
    fzi_piece_ends ends;
    unsigned height = fzi_stack_height(program, block, site), place = 1;
    int kind, owner, wanted_kind, wanted_owner;
    bool same = fzi_cell_pieces(program, text, length, &ends);

    while (same && fzi_cell_next(program, &ends, text, length, &at, &kind, &owner)) {
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
