/* FEN, for games whose `info` says what its fields mean:
 *
 *   fen "board mover KQkq=castle[White,0],castle[White,1],castle[Black,0],castle[Black,1] passed quiet turns"
 *
 * Fields are separated by blanks: `board` (ranks from the top, digits for empty cells), `mover` (w, b, or the
 * first letter of a player's name), LETTERS=elements (a letter for each true element, `-` for none), the
 * name of a variable (its value, `-` for off), `turns` (the number of the full move), `-` (a field that means
 * nothing). Without a mapping it is "board mover". */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "position.h"

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

/* ---- writing ---- */

/* A number behind the letter of a piece that is nobody's without one would be a number of empty cells. */
static bool can_tell(const fz_program *program, const uint8_t *block)
{
    for (unsigned site = 0; site < program->board.site_count; site++) {
        int kind, owner;
        fzi_piece_get(program, block, site, &kind, &owner);
        if (kind >= 0 && !fzi_cell_in_fen(program, kind, owner))
            return false;
    }
    return true;
}

static void write_board(const fz_program *program, const uint8_t *block, fzi_buffer *out)
{
    const fz_board *board = &program->board;
    uint16_t sites[FZ_MAX_SITES];
    char cell[FZ_CELL_SIZE];

    for (unsigned row = board->rows; row > 0; row--) {
        unsigned count = fzi_row_sites(board, row, sites), empty = 0;
        for (unsigned i = 0; i < count; i++) {
            int kind, owner;
            fzi_piece_get(program, block, sites[i], &kind, &owner);
            if (kind < 0) {
                empty++;
                continue;
            }
            if (empty)
                fzi_buffer_format(out, "%u", empty);
            empty = 0;
            fzi_buffer_text(out, fzi_cell_text(program, kind, owner, cell));
        }
        if (empty)
            fzi_buffer_format(out, "%u", empty);
        if (row > 1)
            fzi_buffer_char(out, '/');
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
    const fz_variable *v;
    uint32_t element;

    if (!find_element(program, field, length, &v, &element))
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

    /* Where two names begin alike, the usual w and b tell them apart. */
    if (mover > 0 && letter == first)
        return 'b';
    return letter;
}

/* Whose move it is, and in which turn. FEN shows a finished game as it is after the move that ended it. */
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

    if (field_is(field, length, "board"))
        write_board(program, block, out);
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
        return fzi_machine_say(machine, FZ_NO_MEMORY, "out of memory");
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

static fz_status read_row(fen_reader *r, unsigned row, const char *text, size_t length)
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
        n = fzi_cell_read(r->program, text + i, length - i, &kind, &owner);
        if (!n)
            return bad_field(r, "no piece is written", text + i, length - i);
        if (at < count)
            fzi_piece_put(r->program, r->block, sites[at], kind, owner);
        at++;
        i += n;
    }
    return at == count ? FZ_OK : bad_field(r, "the wrong number of cells in the rank", text, length);
}

static fz_status read_board(fen_reader *r, const char *field, size_t length)
{
    const char *at = field, *end = field + length;

    for (unsigned row = r->program->board.rows; row > 0; row--) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        size_t n = slash ? (size_t)(slash - at) : (size_t)(end - at);
        fz_status status;
        if ((row > 1) != (slash != NULL))
            return bad_field(r, "the wrong number of ranks in", field, length);
        status = read_row(r, row, at, n);
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

    for (; next_element(&elements, &left, &element, &element_length) && *letters != '='; letters++) {
        const fz_variable *v;
        uint32_t e;
        bool on = given && memchr(field, *letters, given);
        known += on;
        if (!find_element(r->program, element, element_length, &v, &e))
            return bad_field(r, "the game's mapping names no variable", element, element_length);
        fzi_element_put(r->program, r->block, v, e, on);
    }
    return known == given ? FZ_OK : bad_field(r, "the meaning of some letter is not known in", field,
                                              length);
}

static fz_status read_variable(fen_reader *r, const char *name, size_t name_length,
                               const char *field, size_t length)
{
    const fz_variable *v;
    uint32_t element;
    int64_t value;

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

    if (field_is(name, name_length, "board"))
        return read_board(r, field, length);
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
        return fzi_machine_say(machine, FZ_NO_MEMORY, "out of memory");
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
    turns = (r.move - 1) * program->player_count + 1 + (uint32_t)r.mover;
    return fzi_position_begin(machine, state, built, r.mover, turns, turns - 1);
}
