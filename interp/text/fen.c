/* FEN, for games whose `info` says what its fields mean:
 *
 *   fen "board mover KQkq=castle[White,0],castle[White,1],castle[Black,0],castle[Black,1]
 *        passed quiet turns"
 *
 * Fields are separated by blanks: `board` (ranks from the top, digits for empty cells), `mover`
 * (w, b, or the first letter of a player's name; `mover=wb` says which), LETTERS=elements (a
 * letter for each true
 * element, `-` for none), the name of a variable (its value, `-` for off), `turns` (the number
 * of the full move), `-` (a field that means nothing). Without a mapping it is "board mover".
 *
 * What is in hand, a number by player and kind, stands after the board in brackets, a letter
 * for each piece (`board[hand]`), or in a field of its own, a number before letters that are
 * there more than once (`hand`). `board~promoted` marks the pieces whose sites are in a set by
 * `~`; `a+b` are two values with a plus between. A stack stands in parentheses, from the bottom.
 *
 * The element `unmoved[R>h1]` is that of the R nearest to h1 on its rank: letters that depend on
 * the board, such as those of X-FEN, are read and never written. */
#include <stdlib.h>

#include "position.h"

/* A part of a text. */
typedef struct slice {
    const char *at;
    size_t length;
} slice;

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
static bool next_field(const char **text, slice *field)
{
    field->at = *text + strspn(*text, " \t\r\n");
    field->length = strcspn(field->at, " \t\r\n");
    *text = field->at + field->length;
    return field->length > 0;
}

static bool is(slice field, const char *name)
{
    return fzi_slice_is(name, field.at, field.length);
}

/* The parts before and after the first `sign`; false: there is none. */
static bool split(slice all, char sign, slice *before, slice *after)
{
    const char *at = memchr(all.at, sign, all.length);

    if (!at)
        return false;
    *before = (slice){all.at, (size_t)(at - all.at)};
    *after = (slice){at + 1, all.length - before->length - 1};
    return true;
}

/* Takes the next element of "castle[White,0],free": the commas in brackets separate nothing. */
static bool next_element(slice *list, slice *element)
{
    int depth = 0;
    size_t n = 0;

    for (; n < list->length && (list->at[n] != ',' || depth > 0); n++)
        depth += (list->at[n] == '[') - (list->at[n] == ']');
    *element = (slice){list->at, n};
    n += n < list->length;
    *list = (slice){list->at + n, list->length - n};
    return n > 0;
}

/* ---- elements by name: "castle[White,0]" ---- */

/* True if the texts are equal except for blanks. */
static bool alike(const char *a, slice b)
{
    const char *at = b.at, *end = b.at + b.length;

    while (*a || at < end) {
        if (*a == ' ')
            a++;
        else if (at < end && *at == ' ')
            at++;
        else if (at == end || *a++ != *at++)
            return false;
    }
    return true;
}

/* Finds the variable and element that the text names. */
static bool find_element(const fz_program *program, slice text, const fz_variable **variable,
                         uint32_t *element)
{
    const char *open = memchr(text.at, '[', text.length);
    size_t name = open ? (size_t)(open - text.at) : text.length;
    fzi_buffer index = fzi_buffer_in(fzi_program_allocator(program));
    bool found = false;

    *variable = fzi_variable_find(program, text.at, name);
    if (!*variable)
        return false;
    for (uint32_t e = 0; !found && e < fzi_element_count(program, *variable); e++) {
        fzi_buffer_clear(&index);
        fzi_element_index_write(program, *variable, e, &index);
        found = alike(fzi_buffer_get(&index), (slice){text.at + name, text.length - name});
        *element = e;
    }
    fzi_buffer_free(&index);
    return found;
}

/* ---- hands: numbers by player and kind ---- */

/* The variable of this name if it counts pieces in hand by player and kind; else NULL. */
static const fz_variable *hand_named(const fz_program *program, slice name)
{
    const fz_variable *v = fzi_variable_find(program, name.at, name.length);

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
            if (numbers && count > 1) {
                fzi_buffer_format(out, "%lld", (long long)count);
                count = 1;
            }
            for (int64_t i = 0; i < count && !out->failed; i++)
                fzi_buffer_text(out, cell);
        }
    }
}

/* ---- the first field: "board[hand]~promoted" ---- */

typedef struct board_field {
    const fz_variable *hand, *marked; /* NULL: nothing */
} board_field;

static bool split_board(const fz_program *program, slice field, board_field *board)
{
    slice hand, name;

    *board = (board_field){0};
    if (field.length < 5 || memcmp(field.at, "board", 5) != 0)
        return false;
    slice rest = (slice){field.at + 5, field.length - 5};
    if (rest.length && *rest.at == '[') {
        if (!split(rest, ']', &hand, &rest))
            return false;
        board->hand = hand_named(program, (slice){hand.at + 1, hand.length - 1});
    }
    if (rest.length && *rest.at == '~') {
        name = (slice){rest.at + 1, rest.length - 1};
        board->marked = fzi_variable_find(program, name.at, name.length);
        if (board->marked && fzi_element_count(program, board->marked) != program->board.site_count)
            board->marked = NULL;
        return true;
    }
    return rest.length == 0;
}

/* ---- writing ---- */

/* False if a piece has no text in FEN: the number after a letter without capitals would be read
 * as a number of empty cells. */
static bool can_write(const fz_program *program, const uint8_t *block)
{
    for (unsigned site = 0; site < program->board.site_count; site++) {
        int kind, owner;
        for (unsigned n = fzi_stack_height(program, block, site); n > 0; n--) {
            fzi_stack_get(program, block, site, n, &kind, &owner);
            if (!fzi_cell_in_fen(program, kind, owner))
                return false;
        }
    }
    return true;
}

static void write_empty(unsigned *empty, fzi_buffer *out)
{
    if (*empty)
        fzi_buffer_format(out, "%u", *empty);
    *empty = 0;
}

static void write_board(const fz_program *program, const uint8_t *block, board_field field,
                        fzi_buffer *out)
{
    const fz_board *board = &program->board;
    uint16_t sites[FZ_MAX_SITES];

    for (unsigned row = board->rows; row > 0; row--) {
        unsigned count = fzi_row_sites(board, row, sites), empty = 0;
        for (unsigned i = 0; i < count; i++) {
            unsigned height = fzi_stack_height(program, block, sites[i]);
            if (!height) {
                empty++;
                continue;
            }
            write_empty(&empty, out);
            fzi_buffer_text(out, height > 1 ? "(" : "");
            fzi_stack_write(program, block, sites[i], out);
            fzi_buffer_text(out, height > 1 ? ")" : "");
            if (field.marked && fzi_element_get(program, block, field.marked, sites[i]))
                fzi_buffer_char(out, '~');
        }
        write_empty(&empty, out);
        fzi_buffer_text(out, row > 1 ? "/" : "");
    }
    if (field.hand) {
        fzi_buffer_char(out, '[');
        write_hand(program, block, field.hand, false, out);
        fzi_buffer_char(out, ']');
    }
}

static void write_letters(const fz_program *program, const uint8_t *block, slice letters,
                          slice elements, fzi_buffer *out)
{
    size_t before = out->length;
    slice element;

    for (size_t i = 0; i < letters.length && next_element(&elements, &element); i++) {
        const fz_variable *v;
        uint32_t e;
        if (find_element(program, element, &v, &e) && fzi_element_get(program, block, v, e))
            fzi_buffer_char(out, letters.at[i]);
    }
    if (out->length == before)
        fzi_buffer_char(out, '-');
}

static void write_variable(const fz_program *program, const uint8_t *block, slice field,
                           fzi_buffer *out)
{
    const fz_variable *v, *hand = hand_named(program, field);
    slice first, second;
    uint32_t element;
    size_t before = out->length;

    if (hand) {
        write_hand(program, block, hand, true, out);
        if (out->length == before)
            fzi_buffer_char(out, '-');
    } else if (split(field, '+', &first, &second)) {
        write_variable(program, block, first, out);
        fzi_buffer_char(out, '+');
        write_variable(program, block, second, out);
    } else if (!find_element(program, field, &v, &element)) {
        fzi_buffer_add(out, field.at, field.length);
    } else if (!fzi_element_is_set(v) && program->types[v->type].kind != FZ_VALUE_INT &&
               fzi_element_get(program, block, v, element) < 0) {
        fzi_buffer_char(out, '-');
    } else {
        fzi_element_write(program, block, v, element, out);
    }
}

/* The letters of `mover=wb`, one for each player. False: the field is another one. */
static bool split_mover(const fz_program *program, slice field, slice *letters)
{
    slice name;

    *letters = (slice){NULL, 0};
    return is(field, "mover") || (split(field, '=', &name, letters) && is(name, "mover") &&
                                  letters->length == program->player_count);
}

static char mover_letter(const fz_program *program, slice letters, int mover)
{
    if (letters.length)
        return letters.at[mover];
    char letter = (char)tolower((unsigned char)*fzi_text(program, program->players[mover].name));
    char first = (char)tolower((unsigned char)*fzi_text(program, program->players[0].name));

    /* If both names begin with the same letter, the second player is the usual b. */
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
    int next = head->waiting == FZ_GAME_OVER && head->decided ? fzi_state_next_mover(state) : -1;

    return next >= 0 ? (fen_turn){next, head->turns + 1} : (fen_turn){head->mover, head->turns};
}

static void write_field(const fz_program *program, const uint8_t *block, fen_turn turn,
                        slice field, fzi_buffer *out)
{
    slice letters, elements;
    board_field board;

    if (split_board(program, field, &board))
        write_board(program, block, board, out);
    else if (split_mover(program, field, &letters))
        fzi_buffer_char(out, mover_letter(program, letters, turn.mover));
    else if (is(field, "turns"))
        fzi_buffer_format(out, "%u",
                          turn.turns ? (turn.turns - 1) / program->player_count + 1 : 1);
    else if (split(field, '=', &letters, &elements))
        write_letters(program, block, letters, elements, out);
    else
        write_variable(program, block, field, out);
}

fz_status fz_state_write_fen(fz_machine *machine, const fz_state *state, char **text)
{
    const fz_program *program = state->program;
    fzi_position position = fzi_position_of(state);
    const char *mapping = mapping_of(program), *between = "";
    fzi_buffer out = fzi_buffer_in(machine->allocator);
    slice field;

    if (!has_fen(program))
        return fzi_machine_say(machine, FZ_USAGE, "the game has no FEN");
    if (!position.block || position.in_setup || position.played_count)
        return fzi_machine_say(machine, FZ_USAGE, "FEN can tell no position inside a turn");
    if (!can_write(program, position.block))
        return fzi_machine_say(machine, FZ_USAGE, "FEN cannot tell whose the pieces are");
    while (next_field(&mapping, &field)) {
        fzi_buffer_text(&out, between);
        write_field(program, position.block, turn_of(state, position.block), field, &out);
        between = " ";
    }
    return fzi_text_finish(machine, FZ_OK, &out, text);
}

/* ---- reading ---- */

typedef struct fen_reader {
    fz_machine *machine;
    const fz_program *program;
    uint8_t *block;
    int mover;
    uint32_t move;      /* the number of the full move */
} fen_reader;

static fz_status bad_field(fen_reader *r, const char *what, slice field)
{
    return fzi_machine_say(r->machine, FZ_BAD_INPUT, "FEN: %s '%.*s'", what, (int)field.length,
                           field.at);
}

/* The letter, or whatever character it is, at `at` in the field is no piece. */
static fz_status bad_piece(fen_reader *r, const char *at, const char *where, slice field)
{
    const char *end = at + 1;

    while (end < field.at + field.length && fzi_utf8_continues(*end))
        end++;
    return fzi_machine_say(r->machine, FZ_BAD_INPUT, "FEN: '%.*s' in the %s '%.*s' is no piece",
                           (int)(end - at), at, where, (int)field.length, field.at);
}

/* A number at text.at[*i], at most about `most`; 0: there is none. */
static int64_t read_number(slice text, size_t *i, int64_t most)
{
    int64_t number = 0;

    while (*i < text.length && isdigit((unsigned char)text.at[*i]) && number < most)
        number = number * 10 + (text.at[(*i)++] - '0');
    return number;
}

/* Pieces in hand: letters, before each perhaps how many. */
static fz_status read_hand(fen_reader *r, const fz_variable *hand, slice text)
{
    const fz_program *p = r->program;
    const fz_value_type *type = &p->types[hand->type];

    for (uint32_t e = 0; e < fzi_element_count(p, hand); e++)
        fzi_element_put(p, r->block, hand, e, type->low > 0 ? type->low : 0);
    if (is(text, "-"))
        return FZ_OK;
    for (size_t i = 0; i < text.length;) {
        size_t digits = i;
        int64_t number = read_number(text, &i, INT32_MAX), count = i == digits ? 1 : number;
        int kind, owner;
        size_t n = fzi_cell_read(p, text.at + i, text.length - i, &kind, &owner);
        if (i == text.length)
            return bad_field(r, "a number without a piece in the hand", text);
        if (!n || owner < 0)
            return bad_piece(r, text.at + i, "hand", text);
        uint32_t e = hand_element(p, hand, (unsigned)owner, (unsigned)kind);
        count += fzi_element_get(p, r->block, hand, e);
        if (count > type->high)
            return bad_field(r, "too many pieces in hand:", text);
        fzi_element_put(p, r->block, hand, e, count);
        i += n;
    }
    return FZ_OK;
}

/* A stack in parentheses at the beginning of the text, onto the site (-1: nowhere). Its length with
 * the parentheses; 0: it is none. */
static size_t read_stack(const fen_reader *r, int site, slice text)
{
    slice inside, rest;

    if (*text.at != '(' || !split(text, ')', &inside, &rest) || inside.length < 2)
        return 0;
    bool good = site < 0 ? fzi_cell_is_pieces(r->program, inside.at + 1, inside.length - 1)
                         : fzi_cell_put(r->program, r->block, (unsigned)site, inside.at + 1,
                                        inside.length - 1);
    return good ? inside.length + 1 : 0;
}

static fz_status read_row(fen_reader *r, unsigned row, const fz_variable *marked, slice text)
{
    uint16_t sites[FZ_MAX_SITES];
    unsigned count = fzi_row_sites(&r->program->board, row, sites), at = 0;

    for (size_t i = 0, n; i < text.length; i += n) {
        slice rest = {text.at + i, text.length - i};
        int kind, owner, site = at < count ? (int)sites[at] : -1;
        n = 0;
        if (isdigit((unsigned char)*rest.at)) {
            at += (unsigned)read_number(rest, &n, FZ_MAX_SITES);
            continue;
        }
        if (r->program->stack_limit)
            n = read_stack(r, site, rest);
        if (!n) {
            n = fzi_cell_read(r->program, rest.at, rest.length, &kind, &owner);
            if (!n)
                return bad_piece(r, rest.at, "rank", text);
            if (site >= 0)
                fzi_piece_put(r->program, r->block, (unsigned)site, kind, owner);
        }
        if (marked && n < rest.length && rest.at[n] == '~') {
            if (site >= 0)
                fzi_element_put(r->program, r->block, marked, (uint32_t)site, 1);
            n++;
        }
        at++;
    }
    return at == count ? FZ_OK : bad_field(r, "the wrong number of cells in the rank", text);
}

/* The length of the ranks. After them, pieces in hand stand in brackets or, as some programs write
 * them, after a slash. */
static size_t length_of_ranks(const fen_reader *r, slice field)
{
    unsigned slashes = 0;
    slice ranks, hand;

    if (split(field, '[', &ranks, &hand))
        return ranks.length;
    for (size_t i = 0; i < field.length; i++) {
        slashes += field.at[i] == '/';
        if (slashes == r->program->board.rows)
            return i;
    }
    return field.length;
}

static fz_status read_board(fen_reader *r, board_field board, slice field)
{
    slice left = field, rank;
    fz_status status = FZ_OK;

    if (board.hand)
        left.length = length_of_ranks(r, field);
    slice hand = {field.at + left.length + 1, field.length - left.length - 1};
    if (left.length < field.length && (hand.at[-1] == '/' || field.at[field.length - 1] == ']')) {
        hand.length -= hand.at[-1] == '[';
        status = read_hand(r, board.hand, hand);
    }
    for (unsigned row = r->program->board.rows; row > 0 && status == FZ_OK; row--) {
        bool more = split(left, '/', &rank, &left);
        if ((row > 1) != more)
            return bad_field(r, "the wrong number of ranks in", field);
        status = read_row(r, row, board.marked, more ? rank : left);
    }
    return status;
}

static fz_status read_mover(fen_reader *r, slice letters, slice field)
{
    char letter = (char)tolower((unsigned char)*field.at);
    int players = (int)r->program->player_count, p = players - 1;

    while (p >= 0 && letter != mover_letter(r->program, letters, p))
        p--;
    if (p < 0 && (letter == 'w' || (letter == 'b' && players > 1)))
        p = letter == 'b';
    if (p < 0 || field.length != 1)
        return bad_field(r, "whose move is", field);
    r->mover = p;
    return FZ_OK;
}

/* Finds the element of "unmoved[R>h1]": of the R on the rank of h1 that is nearest to h1. False if
 * the text names none; the element is -1 if there is no such piece. */
static bool find_nearest(const fen_reader *r, slice text, const fz_variable **variable,
                         int *element)
{
    const fz_board *board = &r->program->board;
    slice name, index, piece, place;
    uint16_t sites[FZ_MAX_SITES];
    int kind, owner, there, least = FZ_MAX_SITES;

    if (!split(text, '[', &name, &index) || !split(index, '>', &piece, &place) || !place.length)
        return false;
    *variable = fzi_variable_find(r->program, name.at, name.length);
    int from = fzi_site_find(r->program, place.at, place.length - 1);
    if (!*variable || fzi_element_count(r->program, *variable) != board->site_count || from < 0 ||
        fzi_cell_read(r->program, piece.at, piece.length, &kind, &owner) != piece.length)
        return false;
    *element = -1;
    for (unsigned i = 0, n = fzi_row_sites(board, (unsigned)board->row[from], sites); i < n; i++) {
        int steps = abs(board->column[sites[i]] - board->column[from]), whose;
        fzi_stack_get(r->program, r->block, sites[i],
                      fzi_stack_height(r->program, r->block, sites[i]), &there, &whose);
        if (there == kind && whose == owner && steps < least) {
            *element = sites[i];
            least = steps;
        }
    }
    return true;
}

static fz_status read_letters(fen_reader *r, slice letters, slice elements, slice field)
{
    slice element, given = {field.at, is(field, "-") ? 0 : field.length};
    size_t known = 0;

    for (size_t i = 0; i < letters.length && next_element(&elements, &element); i++) {
        const fz_variable *v;
        uint32_t e;
        int nearest;
        bool on = given.length && memchr(given.at, letters.at[i], given.length);
        known += on;
        if (find_element(r->program, element, &v, &e))
            fzi_element_put(r->program, r->block, v, e, on);
        else if (!find_nearest(r, element, &v, &nearest))
            return bad_field(r, "the game's mapping names no variable", element);
        else if (on && nearest < 0)
            return bad_field(r, "no piece is there for some letter of", field);
        else if (on)
            fzi_element_put(r->program, r->block, v, (uint32_t)nearest, 1);
    }
    return known == given.length
             ? FZ_OK : bad_field(r, "the meaning of some letter is not known in", field);
}

static fz_status read_variable(fen_reader *r, slice name, slice field)
{
    const fz_variable *v, *hand = hand_named(r->program, name);
    slice names[2], values[2];
    uint32_t element;
    int64_t value;

    if (hand)
        return read_hand(r, hand, field);
    if (split(name, '+', &names[0], &names[1])) {
        if (!split(field, '+', &values[0], &values[1]))
            return bad_field(r, "two values with + between are expected, not", field);
        fz_status status = read_variable(r, names[0], values[0]);
        return status == FZ_OK ? read_variable(r, names[1], values[1]) : status;
    }
    if (!find_element(r->program, name, &v, &element) || fzi_element_is_set(v))
        return FZ_OK; /* a field that means nothing */
    if (is(field, "-"))
        value = r->program->types[v->type].kind == FZ_VALUE_INT ? v->initial : -1;
    else if (!fzi_value_read(r->program, v->type, field.at, field.length, &value))
        return bad_field(r, "no value of a variable is", field);
    fzi_element_put(r->program, r->block, v, element, value);
    return FZ_OK;
}

static fz_status read_turns(fen_reader *r, slice field)
{
    size_t digits = 0;
    int64_t move = read_number(field, &digits, INT32_MAX);

    if (digits != field.length || digits > 9)
        return bad_field(r, "no number of a move is", field);
    r->move = move ? (uint32_t)move : 1; /* some programs count from 0 */
    return FZ_OK;
}

static fz_status read_field(fen_reader *r, slice name, slice field)
{
    slice letters, elements;
    board_field board;

    if (split_board(r->program, name, &board))
        return read_board(r, board, field);
    if (split_mover(r->program, name, &letters))
        return read_mover(r, letters, field);
    if (is(name, "turns"))
        return read_turns(r, field);
    if (split(name, '=', &letters, &elements))
        return read_letters(r, letters, elements, field);
    return read_variable(r, name, field);
}

/* Fields that are left out at the end keep their defaults; what is too much means nothing. */
static fz_status read_fields(fen_reader *r, const char *mapping, const char *text)
{
    fz_status status = FZ_OK;
    slice name, field;

    if (text[strspn(text, " \t\r\n")] == '\0')
        return fzi_machine_say(r->machine, FZ_BAD_INPUT, "FEN: the text is empty");
    while (status == FZ_OK && next_field(&mapping, &name) && next_field(&text, &field))
        status = read_field(r, name, field);
    return status;
}

void fzi_fen_of_sfen(const fz_program *program, const char *sfen, fzi_buffer *out)
{
    const char *mapping = mapping_of(program);
    slice name, ranks, mover, hand, letters = {NULL, 0};

    if (!next_field(&sfen, &ranks))
        return;
    fzi_buffer_add(out, ranks.at, ranks.length);
    if (!next_field(&sfen, &mover))
        return;
    if (next_field(&sfen, &hand) && !is(hand, "-"))
        fzi_buffer_format(out, "[%.*s]", (int)hand.length, hand.at);
    while (next_field(&mapping, &name) && !split_mover(program, name, &letters))
        continue;
    if (program->player_count > 1 && (is(mover, "b") || is(mover, "w")))
        fzi_buffer_format(out, " %c", mover_letter(program, letters, is(mover, "w")));
    else
        fzi_buffer_format(out, " %.*s", (int)mover.length, mover.at);
}

fz_status fz_state_read_fen(fz_machine *machine, fz_state *state, const char *text)
{
    return fzi_fen_read(machine, state, text, &(fzi_position_extra){-1, -1});
}

fz_status fzi_fen_read(fz_machine *machine, fz_state *state, const char *text,
                       const fzi_position_extra *extra)
{
    const fz_program *program = state->program;
    fen_reader r = {.machine = machine, .program = program, .move = 1};

    fzi_machine_begin(machine);
    if (!has_fen(program))
        return fzi_machine_say(machine, FZ_USAGE, "the game has no FEN");
    fz_state *built = fzi_position_new(state);
    if (!built)
        return fzi_machine_no_memory(machine);
    r.block = built->block;
    fz_status status = read_fields(&r, mapping_of(program), text);
    if (status == FZ_OK)
        status = fzi_position_add(machine, built, extra, &r.mover);
    if (status != FZ_OK) {
        fz_state_free(built);
        return status;
    }
    uint32_t turns = (r.move - 1) * program->player_count + 1 + (uint32_t)r.mover;
    return fzi_position_begin(machine, state, built, r.mover, turns, turns - 1);
}
