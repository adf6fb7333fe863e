/* Mirrors diagrams: the rows in reverse order, or all cells (a half turn), and every piece goes to
 * the other player. The deep check calls this at every position. */
#include "checks.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_CELLS = 400, MAX_CELL = 8, HALF_TURN = 1 };
enum { LATE_TURN = 101 }; /* so that rules for the first turns do not matter */

typedef struct diagram {
    char cells[MAX_CELLS][MAX_CELL];
    unsigned count, rows;
    unsigned begins[MAX_CELLS + 1]; /* the first cell of each row */
} diagram;

static bool is_row(const char *line, size_t length)
{
    return length > 0 && !memchr(line, ':', length) && !memchr(line, '=', length) &&
           strncmp(line, "start", 5) != 0;
}

/* The diagram at the beginning of a position's text. */
static bool read_diagram(const char *text, diagram *d)
{
    d->count = d->rows = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        bool option = strncmp(line, "option ", 7) == 0;
        if (!option && !is_row(line, length))
            break;
        if (!option)
            d->begins[d->rows++] = d->count;
        for (const char *at = line; !option && at < line + length;) {
            size_t cell;
            at += strspn(at, " ");
            cell = strcspn(at, " \n");
            if (!cell || at >= line + length)
                break;
            if (cell >= MAX_CELL || d->count >= MAX_CELLS)
                return false;
            memcpy(d->cells[d->count], at, cell);
            d->cells[d->count++][cell] = '\0';
            at += cell;
        }
        line += length + (line[length] == '\n');
    }
    d->begins[d->rows] = d->count;
    return d->count > 0;
}

static void change_owner(char *cell)
{
    size_t length = strlen(cell);
    if (isdigit((unsigned char)cell[length - 1])) {
        cell[length - 1] = cell[length - 1] == '1'   ? '2'
                           : cell[length - 1] == '2' ? '1'
                                                     : cell[length - 1];
        return;
    }
    for (char *c = cell; *c; c++)
        *c = (char)(isupper((unsigned char)*c) ? tolower((unsigned char)*c)
                                               : toupper((unsigned char)*c));
}

static bool mirrored(const diagram *from, int way, diagram *to)
{
    *to = *from;
    for (unsigned row = 0; row < from->rows; row++) {
        unsigned other = from->rows - 1 - row;
        unsigned width = from->begins[row + 1] - from->begins[row];
        if (width != from->begins[other + 1] - from->begins[other])
            return false;
        for (unsigned i = 0; i < width; i++) {
            unsigned at = way == HALF_TURN ? width - 1 - i : i;
            char *cell = to->cells[to->begins[row] + i];
            memcpy(cell, from->cells[from->begins[other] + at], MAX_CELL);
            change_owner(cell);
        }
    }
    return true;
}

static bool same(const diagram *a, const diagram *b)
{
    for (unsigned i = 0; i < a->count; i++)
        if (strcmp(a->cells[i], b->cells[i]) != 0)
            return false;
    return true;
}

/* The position as a text, with all variables as at the beginning. The turn is one in the middle of
 * the game. */
static char *position_of(const fzi_mirror *mirror, const diagram *d, const char *mover,
                         unsigned turns)
{
    size_t size = (size_t)d->count * (MAX_CELL + 1) + 128, used = 0;
    char *text = fzi_allocate(mirror->context->allocator, size);
    if (!text)
        return NULL;
    for (unsigned row = 0; row < d->rows; row++)
        for (unsigned i = d->begins[row]; i < d->begins[row + 1]; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%s", d->cells[i],
                                     i + 1 == d->begins[row + 1] ? "\n" : " ");
    snprintf(text + used, size - used, "mover: %.60s\nturns: %u\n", mover, turns);
    return text;
}

static bool diagram_of(fzi_mirror *mirror, const fz_state *state, diagram *d)
{
    char *text = NULL;
    bool good = fz_state_write(mirror->machine, state, false, &text) == FZ_OK &&
                read_diagram(text, d) &&
                d->count == (unsigned)fz_program_sites(mirror->program);
    fz_text_free(mirror->context, text);
    return good;
}

static bool both_have_pieces(const fz_program *program, const fz_state *state)
{
    bool has[2] = {false, false};
    for (int s = 0; s < fz_program_sites(program); s++) {
        int kind, owner;
        fz_state_piece(state, s, &kind, &owner);
        if (owner == 0 || owner == 1)
            has[owner] = true;
    }
    return has[0] && has[1];
}

void fzi_mirror_begin(fzi_mirror *mirror, fz_context *context, const fz_program *program,
                      fz_machine *machine, const fz_state *start)
{
    diagram d, image;
    *mirror = (fzi_mirror){.context = context, .program = program, .machine = machine};
    if (fz_program_players(program) != 2 || fz_program_has_one_side(program) ||
        !both_have_pieces(program, start) || !diagram_of(mirror, start, &d))
        return;
    for (int way = 0; way < 2; way++)
        mirror->fits[way] = mirrored(&d, way, &image) && same(&d, &image);
    mirror->ours = fz_state_new(machine, 1, 0);
    mirror->theirs = fz_state_new(machine, 1, 0);
    mirror->moves = fz_moves_new(machine);
    if (!mirror->ours || !mirror->theirs || !mirror->moves)
        mirror->fits[0] = mirror->fits[1] = false;
}

/* The number of moves of the player to move; -1: the game is over; -2: unknown. */
static long moves_in(fzi_mirror *mirror, fz_state *state, const diagram *d, int player)
{
    char *text = position_of(mirror, d, fz_program_player_name(mirror->program, player),
                             LATE_TURN + (unsigned)player);
    bool good = text && fz_state_read(mirror->machine, state, text) == FZ_OK;
    fz_text_free(mirror->context, text);
    if (!good)
        return -2;
    if (fz_state_waiting(state) == FZ_GAME_OVER)
        return -1;
    if (fz_state_waiting(state) != FZ_WAITING_MOVE ||
        fz_state_moves(mirror->machine, state, mirror->moves) != FZ_OK)
        return -2;
    return (long)fz_moves_count(mirror->moves);
}

static void describe(char *text, size_t size, const fzi_mirror *mirror, int player, long moves)
{
    if (moves == -1)
        snprintf(text, size, "the game is over with %s to move",
                 fz_program_player_name(mirror->program, player));
    else
        snprintf(text, size, "%s has %ld move%s", fz_program_player_name(mirror->program, player),
                 moves, moves == 1 ? "" : "s");
}

bool fzi_mirror_compare(fzi_mirror *mirror, const fz_state *state)
{
    diagram d, image;
    bool fits = mirror->fits[0] || mirror->fits[1];
    if (!fits || !fz_state_at_turn_start(state) || !diagram_of(mirror, state, &d))
        return false;
    int player = fz_state_mover(state);
    for (int way = 0; way < 2; way++) {
        char ours[80], theirs[80];
        if (!mirror->fits[way] || mirror->differs[way] || !mirrored(&d, way, &image))
            continue;
        long a = moves_in(mirror, mirror->ours, &d, player);
        long b = moves_in(mirror, mirror->theirs, &image, 1 - player);
        if (a == -2 || b == -2 || a == b)
            continue;
        mirror->differs[way] = true;
        describe(ours, sizeof ours, mirror, player, a);
        describe(theirs, sizeof theirs, mirror, 1 - player, b);
        snprintf(mirror->note, sizeof mirror->note, "%s here, but in the mirrored position %s",
                 ours, theirs);
    }
    for (int way = 0; way < 2; way++)
        if (mirror->fits[way] && !mirror->differs[way])
            return false;
    mirror->fits[0] = mirror->fits[1] = false; /* it has been said */
    return true;
}

void fzi_mirror_end(fzi_mirror *mirror)
{
    fz_moves_free(mirror->moves);
    fz_state_free(mirror->ours);
    fz_state_free(mirror->theirs);
}
