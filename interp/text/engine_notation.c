/* Moves as protocols of engines write them. See notation.h. */
#include "notation.h"

#include <ctype.h>

#include "interp/program/values.h"

/* XBoard numbers ranks from 0 where there are more than nine. */
static bool counts_from_0(fzi_protocol protocol, const fz_board *board)
{
    return protocol == FZI_PROTOCOL_ucci || (protocol == FZI_PROTOCOL_xboard && board->rows > 9);
}

static void write_site(fzi_protocol protocol, const fz_program *p, int site, fzi_buffer *out)
{
    const fz_board *board = &p->board;
    int column = board->column[site], row = board->row[site];

    if (protocol == FZI_PROTOCOL_usi && column > 0 && row > 0)
        fzi_buffer_format(out, "%d%c", board->columns - column + 1, 'a' + board->rows - row);
    else if (counts_from_0(protocol, board) && column > 0 && row > 0)
        fzi_buffer_format(out, "%c%d", 'a' + column - 1, row - 1);
    else
        fzi_buffer_text(out, fzi_text(p, board->site_names[site]));
}

/* The length of the site's name at the beginning of the text; 0: there is none. */
static size_t site_at(const fz_program *p, const char *text, int *site)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");

    if (!length || !isdigit((unsigned char)text[length]))
        return 0;
    length += strspn(text + length, "0123456789");
    *site = fzi_site_find(p, text, length);
    return *site >= 0 ? length : 0;
}

/* The letter of the kind that a piece becomes by the way, in small letters; NULL: it stays what it
 * was. Protocols always say it, scripts only where there is a choice. */
static const char *promoted(fz_machine *machine, const fz_state *state, const fz_move *move)
{
    int from, to, kind, owner, becomes = FZ_NOT_THERE;

    fz_move_sites(machine, state, move, &from, &to);
    if (from < 0 || to < 0 || from == to)
        return NULL;
    fz_state_piece(state, from, &kind, &owner);
    fz_state *after = fz_state_clone(state);
    if (after && kind >= 0 && fz_state_play(machine, after, move) == FZ_OK)
        fz_state_piece(after, to, &becomes, &owner);
    fz_state_free(after);
    return becomes >= 0 && becomes != kind ? fz_program_kind_letter(machine->program, becomes)
                                           : NULL;
}

void fzi_engine_move_write(fzi_protocol protocol, fz_machine *machine, const fz_state *state,
                           const fz_move *move, fzi_buffer *out)
{
    const char *letter = promoted(machine, state, move);
    const char *text = fz_move_text(machine, state, move);
    const fz_program *p = machine->program;
    bool after_site = false, promotes = false, plus = *text == '+';
    int site;

    text += plus; /* a promotion, which protocols write at the end */
    while (*text) {
        size_t length = site_at(p, text, &site);
        if (!length && after_site && *text == 'x' && site_at(p, text + 1, &site)) {
            text++; /* e4xd5 */
            continue;
        }
        after_site = length > 0;
        if (length)
            write_site(protocol, p, site, out);
        else if (*text == '@' && protocol == FZI_PROTOCOL_usi)
            fzi_buffer_char(out, '*');
        else if (!strchr("-= ", *text)) {
            letter = NULL; /* the text says it */
            fzi_buffer_char(out, promotes ? (char)tolower((unsigned char)*text) : *text);
        }
        promotes = *text == '=';
        text += length ? length : 1;
    }
    if (plus || (letter && protocol == FZI_PROTOCOL_usi))
        fzi_buffer_char(out, '+');
    else if (letter && isalpha((unsigned char)*letter))
        fzi_buffer_char(out, (char)tolower((unsigned char)*letter));
}

bool fzi_engine_move_read(fzi_protocol protocol, fz_machine *machine, const fz_state *state,
                          const char *word, fz_move *move)
{
    fz_moves *moves = fz_moves_new(machine);
    bool found = false;

    if (moves && fz_state_waiting(state) == FZ_WAITING_MOVE)
        fz_state_moves(machine, state, moves);
    for (size_t i = 0; moves && i < fz_moves_count(moves) && !found; i++) {
        fzi_buffer text = fzi_buffer_in(machine->allocator);
        *move = fz_moves_at(moves, i);
        fzi_engine_move_write(protocol, machine, state, move, &text);
        found = strcmp(fzi_buffer_get(&text), word) == 0;
        fzi_buffer_free(&text);
    }
    fz_moves_free(moves);
    return found;
}
