/* FEN, for games whose `info` says what its fields mean:
 *
 *   fen "board mover KQkq=castle[White,0],castle[White,1],castle[Black,0],castle[Black,1]
 *        passed quiet turns"
 *
 * Fields are separated by blanks: `board` (ranks from the top, digits for empty cells), `mover`
 * (w, b, or the first letter of a player's name), LETTERS=elements (a letter for each true
 * element, `-` for none), the name of a variable (its value, `-` for off), `turns` (the number
 * of the full move), `-` (a field that means nothing). Without a mapping it is "board mover".
 *
 * What is in hand, a number by player and kind, stands after the board in brackets, a letter
 * for each piece (`board[hand]`), or in a field of its own, a number before letters that are
 * there more than once (`hand`). `board~promoted` marks the pieces whose sites are in a set by
 * `~`; `a+b` are two values with a plus between. A stack stands in parentheses, from the bottom. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "position.h"
#include "interp/program/values.h"
#include "interp/support/text.h"
#include "interp/vm/fault.h"

static const char *mapping_of(const fz_program *program)
{
    for (uint32_t i = 0; i < program->info_count; i++) {
        if (strcmp(fzi_text(program, program->info[i].key), "fen") == 0)
            return fzi_text(program, program->info[i].value);
    }
    return "board mover";
}

/* One- and two-player boards whose every site has a column and a row. */
static bool has_fen(const fz_program *program)
{
    const fz_board *board = &program->board;

    for (unsigned s = 0; s < board->site_count; s++) {
        if (board->column[s] < 1 || board->row[s] < 1)
            return false;
    }
    return program->player_count <= 2 && program->kind_count && board->columns && board->rows;
}

/* The next field of a text of fields; false at its end. */
static bool next_field(const char **text, const char **field, size_t *length)
{
    *text += strspn(*text, " \t\r\n");
    *field = *text;
    *length = strcspn(*text, " \t\r\n");
    *text += *length;
    return *length > 0;
}

static bool field_is(const char *field, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(field, name, length) == 0;
}

/* Splits "KQ=castle[White,0],free" at the `=`; the commas in brackets separate nothing. */
static bool letters_field(const char *field, size_t length, const char **elements,
                          size_t *elements_length)
{
    const char *equals = memchr(field, '=', length);

    if (!equals)
        return false;
    *elements = equals + 1;
    *elements_length = length - (size_t)(equals + 1 - field);
    return true;
}

static bool next_element(const char **text, size_t *left, const char **element, size_t *length)
{
    int depth = 0;
    size_t n = 0;

    if (*left == 0)
        return false;
    while (n < *left && ((*text)[n] != ',' || depth > 0)) {
        depth += ((*text)[n] == '[') - ((*text)[n] == ']');
        n++;
    }
    *element = *text;
    *length = n;
    *text += n + (n < *left);
    *left -= n + (n < *left);
    return true;
}

/* The first field: "board[hand]~promoted". */
typedef struct board_field {
    const fz_variable *hand, *marked; /* NULL: nothing */
} board_field;

static const fz_variable *hand_named(const fz_program *program, const char *name, size_t length);

static bool split_board(const fz_program *program, const char *field, size_t length,
                        board_field *board)
{
    const char *end = field + length, *at = field + 5;

    *board = (board_field){0};
    if (length < 5 || memcmp(field, "board", 5) != 0)
        return false;
    if (at < end && *at == '[') {
        const char *close = memchr(at, ']', (size_t)(end - at));
        if (!close)
            return false;
        board->hand = hand_named(program, at + 1, (size_t)(close - at - 1));
        at = close + 1;
    }
    if (at < end && *at == '~') {
        board->marked = fzi_variable_find(program, at + 1, (size_t)(end - at - 1));
        if (board->marked && fzi_element_count(program, board->marked) != program->board.site_count)
            board->marked = NULL;
        at = end;
    }
    return at == end;
}

/* ---- elements by name: "castle[White,0]" ---- */

/* Finds the variable and element that the text names. */
static bool find_element(const fz_program *program, const char *text, size_t length,
                         const fz_variable **variable, uint32_t *element)
{
    const char *open = memchr(text, '[', length);
    size_t name = open ? (size_t)(open - text) : length;
    fzi_buffer index = fzi_buffer_in(fzi_program_allocator(program));
    bool found = false;

    *variable = fzi_variable_find(program, text, name);
    if (!*variable)
        return false;
    for (*element = 0; !found && *element < fzi_element_count(program, *variable); ++*element) {
        const char *a, *b = text + name, *end = text + length;
        fzi_buffer_clear(&index);
        fzi_element_index_write(program, *variable, *element, &index);
        /* Alike but for blanks. */
        for (a = fzi_buffer_get(&index); *a || b < end;) {
            if (*a == ' ')
                a++;
            else if (b < end && *b == ' ')
                b++;
            else if (b < end && *a == *b)
                a++, b++;
            else
                break;
        }
        found = !*a && b == end;
        if (found)
            break;
    }
    fzi_buffer_free(&index);
    return found;
}

/* ---- hands: numbers by player and kind ---- */

/* A variable that says how many pieces of a kind a player has beside the board; NULL: it is
 * none. */
static const fz_variable *hand_named(const fz_program *program, const char *name, size_t length)
{
    const fz_variable *v = fzi_variable_find(program, name, length);

    if (!v || v->index_count != 2 || fzi_element_is_set(v) ||
        program->types[v->type].kind != FZ_VALUE_INT)
        return NULL;
    uint8_t a = program->types[v->index[0]].kind, b = program->types[v->index[1]].kind;
    bool fits = (a == FZ_VALUE_PLAYER && b == FZ_VALUE_KIND) ||
                (a == FZ_VALUE_KIND && b == FZ_VALUE_PLAYER);
    return fits && fzi_element_count(program, v) == program->player_count * program->kind_count
             ? v
             : NULL;
}

static uint32_t hand_element(const fz_program *program, const fz_variable *v, unsigned player,
                             unsigned kind)
{
    bool player_first = program->types[v->index[0]].kind == FZ_VALUE_PLAYER;

    return player_first ? player * program->kind_count + kind
                        : kind * program->player_count + player;
}

/* In the order of the players, then of the kinds as declared. */
static void write_hand(const fz_program *program, const uint8_t *block, const fz_variable *hand,
                       bool numbers, fzi_buffer *out)
{
    char cell[FZ_CELL_SIZE];

    for (unsigned p = 0; p < program->player_count; p++) {
        for (unsigned k = 0; k < program->kind_count; k++) {
            int64_t count =
                fzi_element_get(program, block, hand, hand_element(program, hand, p, k));
            fzi_cell_text(program, (int)k, (int)p, cell);
            if (numbers && count > 1)
                fzi_buffer_format(out, "%lld", (long long)count);
            if (numbers && count > 1)
                count = 1;
            for (int64_t i = 0; i < count && !out->failed; i++)
                fzi_buffer_text(out, cell);
        }
    }
}

/* ---- writing ---- */

/* A number after the letter of a piece that is nobody's without one would be a number of empty
 * cells. */
static bool can_tell(const fz_program *program, const uint8_t *block)
{
    for (unsigned site = 0; site < program->board.site_count; site++) {
        int kind, owner;
        for (unsigned n = fzi_pile_height(program, block, site); n > 0; n--) {
            fzi_pile_get(program, block, site, n, &kind, &owner);
            if (!fzi_cell_in_fen(program, kind, owner))
                return false;
        }
    }
    return true;
}

static void write_board(const fz_program *program, const uint8_t *block, board_field field,
                        fzi_buffer *out)
{
    const fz_board *board = &program->board;
    uint16_t sites[FZ_MAX_SITES];

    for (unsigned row = board->rows; row > 0; row--) {
        unsigned count = fzi_row_sites(board, row, sites), empty = 0;
        for (unsigned i = 0; i < count; i++) {
            unsigned height = fzi_pile_height(program, block, sites[i]);
            if (!height) {
                empty++;
                continue;
            }
            if (empty)
                fzi_buffer_format(out, "%u", empty);
            empty = 0;
            fzi_buffer_text(out, height > 1 ? "(" : "");
            fzi_pile_write(program, block, sites[i], out);
            fzi_buffer_text(out, height > 1 ? ")" : "");
            if (field.marked && fzi_element_get(program, block, field.marked, sites[i]))
                fzi_buffer_char(out, '~');
        }
        if (empty)
            fzi_buffer_format(out, "%u", empty);
        if (row > 1)
            fzi_buffer_char(out, '/');
    }
    if (field.hand) {
        fzi_buffer_char(out, '[');
        write_hand(program, block, field.hand, false, out);
        fzi_buffer_char(out, ']');
    }
}

static void write_letters(const fz_program *program, const uint8_t *block, const char *letters,
                          const char *elements, size_t left, fzi_buffer *out)
{
    const char *element;
    size_t length, written = 0;

    for (; next_element(&elements, &left, &element, &length) && *letters != '='; letters++) {
        const fz_variable *v;
        uint32_t e;
        if (find_element(program, element, length, &v, &e) &&
            fzi_element_get(program, block, v, e)) {
            fzi_buffer_char(out, *letters);
            written++;
        }
    }
    if (!written)
        fzi_buffer_char(out, '-');
}

static void write_variable(const fz_program *program, const uint8_t *block, const char *field,
                           size_t length, fzi_buffer *out)
{
    const fz_variable *v, *hand = hand_named(program, field, length);
    const char *plus = memchr(field, '+', length);
    uint32_t element;
    size_t before = out->length;

    if (hand) {
        write_hand(program, block, hand, true, out);
        if (out->length == before)
            fzi_buffer_char(out, '-');
    } else if (plus) {
        write_variable(program, block, field, (size_t)(plus - field), out);
        fzi_buffer_char(out, '+');
        write_variable(program, block, plus + 1, length - (size_t)(plus + 1 - field), out);
    } else if (!find_element(program, field, length, &v, &element))
        fzi_buffer_add(out, field, length);
    else if (!fzi_element_is_set(v) && program->types[v->type].kind != FZ_VALUE_INT &&
             fzi_element_get(program, block, v, element) < 0)
        fzi_buffer_char(out, '-');
    else
        fzi_element_write(program, block, v, element, out);
}

static char mover_letter(const fz_program *program, int mover)
{
    char letter = (char)tolower((unsigned char)*fzi_text(program, program->players[mover].name));
    char first = (char)tolower((unsigned char)*fzi_text(program, program->players[0].name));

    /* Where two names begin alike, the usual w and b distinguish them. */
    if (mover > 0 && letter == first)
        return 'b';
    return letter;
}

/* The player to move and the turn. FEN shows a finished game as it is after the move that ended
 * it. */
typedef struct fen_turn {
    int mover;
    uint32_t turns;
} fen_turn;

static fen_turn turn_of(const fz_state *state, const uint8_t *block)
{
    const fzi_head *head = (const fzi_head *)(const void *)block;
    fen_turn turn = {head->mover, head->turns};
    int next = head->waiting == FZ_GAME_OVER && head->decided ? fzi_state_next_mover(state) : -1;

    if (next >= 0)
        turn = (fen_turn){next, head->turns + 1};
    return turn;
}

static void write_field(const fz_program *program, const uint8_t *block, fen_turn turn,
                        const char *field, size_t length, fzi_buffer *out)
{
    const char *elements;
    size_t elements_length;
    board_field board;

    if (split_board(program, field, length, &board))
        write_board(program, block, board, out);
    else if (field_is(field, length, "mover"))
        fzi_buffer_char(out, mover_letter(program, turn.mover));
    else if (field_is(field, length, "turns"))
        fzi_buffer_format(out, "%u",
                          turn.turns ? (turn.turns - 1) / program->player_count + 1 : 1);
    else if (letters_field(field, length, &elements, &elements_length))
        write_letters(program, block, field, elements, elements_length, out);
    else
        write_variable(program, block, field, length, out);
}

fz_status fz_state_write_fen(fz_machine *machine, const fz_state *state, char **text)
{
    const fz_program *program = state->program;
    fzi_position position = fzi_position_of(state);
    const char *mapping = mapping_of(program), *field, *between = "";
    fzi_buffer out = fzi_buffer_in(machine->allocator);
    size_t length;

    if (!has_fen(program))
        return fzi_machine_say(machine, FZ_USAGE, "the game has no FEN");
    if (!position.block || position.in_setup || position.played_count)
        return fzi_machine_say(machine, FZ_USAGE, "FEN can tell no position inside a turn");
    if (!can_tell(program, position.block))
        return fzi_machine_say(machine, FZ_USAGE, "FEN cannot tell whose the pieces are");
    while (next_field(&mapping, &field, &length)) {
        fzi_buffer_text(&out, between);
        write_field(program, position.block, turn_of(state, position.block), field, length, &out);
        between = " ";
    }
    if (fzi_buffer_finish(&out, text) != FZ_OK)
        return fzi_machine_no_memory(machine);
    return FZ_OK;
}

/* ---- reading ---- */

typedef struct fen_reader {
    fz_machine *machine;
    const fz_program *program;
    uint8_t *block;
    int mover;
    uint32_t move;      /* the number of the full move */
} fen_reader;

static fz_status bad_field(fen_reader *r, const char *what, const char *field, size_t length)
{
    return fzi_machine_say(r->machine, FZ_BAD_INPUT, "FEN: %s '%.*s'", what, (int)length, field);
}

/* The letter, or whatever character it is, at `at` in the field is no piece. */
static fz_status bad_piece(fen_reader *r, const char *at, const char *where, const char *field,
                           size_t length)
{
    const char *end = at + 1;

    while (end < field + length && fzi_utf8_continues(*end))
        end++;
    return fzi_machine_say(r->machine, FZ_BAD_INPUT, "FEN: '%.*s' in the %s '%.*s' is no piece",
                           (int)(end - at), at, where, (int)length, field);
}

/* Pieces in hand: letters, before each perhaps how many. */
static fz_status read_hand(fen_reader *r, const fz_variable *hand, const char *text, size_t length)
{
    const fz_program *p = r->program;
    const fz_value_type *type = &p->types[hand->type];

    for (uint32_t e = 0; e < fzi_element_count(p, hand); e++)
        fzi_element_put(p, r->block, hand, e, type->low > 0 ? type->low : 0);
    if (field_is(text, length, "-"))
        return FZ_OK;
    for (size_t i = 0; i < length;) {
        int64_t count = 0;
        int kind, owner;
        size_t n, digits = i;
        while (i < length && isdigit((unsigned char)text[i]) && count < INT32_MAX)
            count = count * 10 + (text[i++] - '0');
        if (i == digits)
            count = 1;
        n = fzi_cell_read(p, text + i, length - i, &kind, &owner);
        if (i == length)
            return bad_field(r, "a number without a piece in the hand", text, length);
        if (!n || owner < 0)
            return bad_piece(r, text + i, "hand", text, length);
        uint32_t e = hand_element(p, hand, (unsigned)owner, (unsigned)kind);
        count += fzi_element_get(p, r->block, hand, e);
        if (count > type->high)
            return bad_field(r, "too many pieces in hand:", text, length);
        fzi_element_put(p, r->block, hand, e, count);
        i += n;
    }
    return FZ_OK;
}

/* A stack in parentheses at the beginning of the text, onto the site (-1: nowhere). Its length with
 * the parentheses; 0: it is none. */
static size_t read_stack(const fen_reader *r, int site, const char *text, size_t length)
{
    const char *close = *text == '(' ? memchr(text, ')', length) : NULL;
    size_t inside = close ? (size_t)(close - text - 1) : 0;
    bool good = inside && (site < 0 ? fzi_cell_is_pieces(r->program, text + 1, inside)
                                    : fzi_cell_put(r->program, r->block, (unsigned)site, text + 1,
                                                   inside));

    return good ? inside + 2 : 0;
}

static fz_status read_row(fen_reader *r, unsigned row, const fz_variable *marked, const char *text,
                          size_t length)
{
    uint16_t sites[FZ_MAX_SITES];
    unsigned count = fzi_row_sites(&r->program->board, row, sites), at = 0;

    for (size_t i = 0; i < length;) {
        int kind, owner;
        size_t n;
        if (isdigit((unsigned char)text[i])) {
            unsigned empty = 0;
            while (i < length && isdigit((unsigned char)text[i]) && empty < FZ_MAX_SITES)
                empty = empty * 10 + (unsigned)(text[i++] - '0');
            at += empty;
            continue;
        }
        n = 0;
        if (r->program->pile_limit)
            n = read_stack(r, at < count ? (int)sites[at] : -1, text + i, length - i);
        if (!n) {
            n = fzi_cell_read(r->program, text + i, length - i, &kind, &owner);
            if (!n)
                return bad_piece(r, text + i, "rank", text, length);
            if (at < count)
                fzi_piece_put(r->program, r->block, sites[at], kind, owner);
        }
        i += n;
        if (marked && i < length && text[i] == '~') {
            if (at < count)
                fzi_element_put(r->program, r->block, marked, sites[at], 1);
            i++;
        }
        at++;
    }
    return at == count ? FZ_OK
                       : bad_field(r, "the wrong number of cells in the rank", text, length);
}

/* After the ranks, pieces in hand stand in brackets or, as some programs write them, behind a
 * slash. */
static const char *end_of_ranks(const fen_reader *r, const char *field, size_t length)
{
    const char *at = memchr(field, '[', length), *end = field + length;
    unsigned slashes = 0;

    if (at)
        return at;
    for (at = field; at < end; at++) {
        slashes += *at == '/';
        if (slashes == r->program->board.rows)
            return at;
    }
    return end;
}

static fz_status read_board(fen_reader *r, board_field board, const char *field, size_t length)
{
    const char *at = field, *all = field + length;
    const char *end = board.hand ? end_of_ranks(r, field, length) : all;

    if (end < all && (*end == '/' || all[-1] == ']')) {
        fz_status status =
            read_hand(r, board.hand, end + 1, (size_t)(all - end) - 1 - (*end == '['));
        if (status != FZ_OK)
            return status;
    }
    for (unsigned row = r->program->board.rows; row > 0; row--) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        size_t n = slash ? (size_t)(slash - at) : (size_t)(end - at);
        fz_status status;
        if ((row > 1) != (slash != NULL))
            return bad_field(r, "the wrong number of ranks in", field, length);
        status = read_row(r, row, board.marked, at, n);
        if (status != FZ_OK)
            return status;
        at += n + (slash != NULL);
    }
    return FZ_OK;
}

static fz_status read_mover(fen_reader *r, const char *field, size_t length)
{
    char letter = (char)tolower((unsigned char)*field);

    if (length == 1) {
        for (int p = (int)r->program->player_count - 1; p >= 0; p--) {
            if (letter == mover_letter(r->program, p)) {
                r->mover = p;
                return FZ_OK;
            }
        }
        if (letter == 'w' || (letter == 'b' && r->program->player_count > 1)) {
            r->mover = letter == 'b';
            return FZ_OK;
        }
    }
    return bad_field(r, "whose move is", field, length);
}

static fz_status read_letters(fen_reader *r, const char *letters, const char *elements, size_t left,
                              const char *field, size_t length)
{
    const char *element;
    size_t element_length, known = 0, given = field_is(field, length, "-") ? 0 : length;

    for (; next_element(&elements, &left, &element, &element_length) && *letters != '=';
         letters++) {
        const fz_variable *v;
        uint32_t e;
        bool on = given && memchr(field, *letters, given);
        known += on;
        if (!find_element(r->program, element, element_length, &v, &e))
            return bad_field(r, "the game's mapping names no variable", element, element_length);
        fzi_element_put(r->program, r->block, v, e, on);
    }
    return known == given
             ? FZ_OK
             : bad_field(r, "the meaning of some letter is not known in", field, length);
}

static fz_status read_variable(fen_reader *r, const char *name, size_t name_length,
                               const char *field, size_t length)
{
    const fz_variable *v, *hand = hand_named(r->program, name, name_length);
    const char *names = memchr(name, '+', name_length), *values = memchr(field, '+', length);
    uint32_t element;
    int64_t value;

    if (hand)
        return read_hand(r, hand, field, length);
    if (names && !values)
        return bad_field(r, "two values with + between are expected, not", field, length);
    if (names) {
        fz_status status =
            read_variable(r, name, (size_t)(names - name), field, (size_t)(values - field));
        return status != FZ_OK
                 ? status
                 : read_variable(r, names + 1, name_length - (size_t)(names + 1 - name), values + 1,
                                 length - (size_t)(values + 1 - field));
    }
    if (!find_element(r->program, name, name_length, &v, &element) || fzi_element_is_set(v))
        return FZ_OK; /* a field that means nothing */
    if (field_is(field, length, "-"))
        value = r->program->types[v->type].kind == FZ_VALUE_INT ? v->initial : -1;
    else if (!fzi_value_read(r->program, v->type, field, length, &value))
        return bad_field(r, "no value of a variable is", field, length);
    fzi_element_put(r->program, r->block, v, element, value);
    return FZ_OK;
}

static fz_status read_turns(fen_reader *r, const char *field, size_t length)
{
    char digits[12];
    char *end;

    snprintf(digits, sizeof digits, "%.*s", (int)(length < 10 ? length : 10), field);
    r->move = (uint32_t)strtoul(digits, &end, 10);
    if (*end || length > 9 || !isdigit((unsigned char)*digits)) /* strtoul takes -1 */
        return bad_field(r, "no number of a move is", field, length);
    r->move = r->move ? r->move : 1; /* some programs count from 0 */
    return FZ_OK;
}

static fz_status read_field(fen_reader *r, const char *name, size_t name_length, const char *field,
                            size_t length)
{
    const char *elements;
    size_t elements_length;
    board_field board;

    if (split_board(r->program, name, name_length, &board))
        return read_board(r, board, field, length);
    if (field_is(name, name_length, "mover"))
        return read_mover(r, field, length);
    if (field_is(name, name_length, "turns"))
        return read_turns(r, field, length);
    if (letters_field(name, name_length, &elements, &elements_length))
        return read_letters(r, name, elements, elements_length, field, length);
    return read_variable(r, name, name_length, field, length);
}

fz_status fz_state_read_fen(fz_machine *machine, fz_state *state, const char *text)
{
    return fzi_fen_read(machine, state, text, &(fzi_position_extra){-1, -1});
}

fz_status fzi_fen_read(fz_machine *machine, fz_state *state, const char *text,
                       const fzi_position_extra *extra)
{
    const fz_program *program = state->program;
    const char *mapping = mapping_of(program), *name, *field;
    fen_reader r = {.machine = machine, .program = program, .move = 1};
    fz_state *built;
    size_t name_length, length;
    uint32_t turns;

    fzi_machine_begin(machine);
    if (!has_fen(program))
        return fzi_machine_say(machine, FZ_USAGE, "the game has no FEN");
    built = fzi_position_new(state);
    if (!built)
        return fzi_machine_no_memory(machine);
    r.block = built->block;
    if (text[strspn(text, " \t\r\n")] == '\0') {
        fz_state_free(built);
        return fzi_machine_say(machine, FZ_BAD_INPUT, "FEN: the text is empty");
    }
    /* Fields that are left out at the end keep their defaults; what is too much means nothing. */
    while (next_field(&mapping, &name, &name_length) && next_field(&text, &field, &length)) {
        fz_status status = read_field(&r, name, name_length, field, length);
        if (status != FZ_OK) {
            fz_state_free(built);
            return status;
        }
    }
    fz_status status = fzi_position_add(machine, built, extra, &r.mover);
    if (status != FZ_OK) {
        fz_state_free(built);
        return status;
    }
    turns = (r.move - 1) * program->player_count + 1 + (uint32_t)r.mover;
    return fzi_position_begin(machine, state, built, r.mover, turns, turns - 1);
}
