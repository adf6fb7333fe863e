/* Chooses the shapes of pieces, for pictures and for the symbols of text drawings. See draw.h. */
#include "draw.h"

static const struct {
    const char *name, *light, *dark;
} shapes[] = {
#define SHAPE(id, name, light, dark, meaning) {name, light, dark},
#include "interp/program/views.def"
#undef SHAPE
};

const fz_hint *fzi_hint_find(const fz_program *program, enum fz_hint_row row, int64_t a)
{
    for (uint32_t i = 0; i < program->hint_count; i++) {
        if (program->hints[i].row == row && (a < 0 || program->hints[i].a == a))
            return &program->hints[i];
    }
    return NULL;
}

/* The shape that `view { pieces ... }` gives to this one; -1: none. */
static int said_shape(const fz_program *program, enum fz_hint_row row, int which)
{
    const fz_hint *hint = which < 0 ? NULL : fzi_hint_find(program, row, which);

    return hint ? hint->b : -1;
}

/* The figure with the name of a kind, such as "King"; -1: there is none. */
static int figure_called(const char *kind)
{
    for (int shape = FZ_SHAPE_OF_KING; shape <= FZ_SHAPE_OF_PAWN; shape++) {
        const char *name = shapes[shape].name;
        if (kind[0] == toupper((unsigned char)name[0]) && strcmp(kind + 1, name + 1) == 0)
            return shape;
    }
    return -1;
}

/* The shape of a kind by its hint, or by its name; -1: none. */
static int shape_of_kind(const fz_program *program, int kind)
{
    int said = said_shape(program, FZ_HINT_KIND, kind);

    return said >= 0 ? said : figure_called(fzi_text(program, program->kinds[kind].name));
}

bool fzi_has_figures(const fz_program *program)
{
    enum { FIGURES = FZ_SHAPE_OF_PAWN - FZ_SHAPE_OF_KING + 1 };
    int kinds = (int)program->kind_count, with = 0;

    for (int k = 0; k < kinds; k++) {
        int shape = shape_of_kind(program, k);
        with += (shape >= FZ_SHAPE_OF_KING && shape <= FZ_SHAPE_OF_PAWN) ||
                (shape >= FZ_SHAPE_OF_ARCHBISHOP && shape <= FZ_SHAPE_OF_SUPERQUEEN);
    }
    return kinds && (with == kinds || with >= FIGURES || (with >= 3 && 2 * with >= kinds));
}

enum fz_piece_shape fzi_piece_shape(const fz_program *program, bool figures, int kind, int owner)
{
    int shape = said_shape(program, FZ_HINT_KIND, kind);

    if (shape < 0)
        shape = said_shape(program, FZ_HINT_PLAYER, owner);
    const fz_hint *all = fzi_hint_find(program, FZ_HINT_PIECES, -1);
    if (shape < 0 && all)
        shape = all->a;
    if (shape < 0 && figures)
        shape = shape_of_kind(program, kind);
    return shape < 0 ? FZ_SHAPE_OF_DISC : (enum fz_piece_shape)shape;
}

bool fzi_is_plain_disc(const fz_program *program, int kind)
{
    int said = said_shape(program, FZ_HINT_KIND, kind);

    if (said == FZ_SHAPE_OF_DISC || said == FZ_SHAPE_OF_STONE)
        return said == FZ_SHAPE_OF_STONE;
    return program->kind_count == 1 || (program->kind_count == 2 && kind == 0);
}

bool fzi_is_checkered(const fz_program *program)
{
    const fz_board *board = &program->board;
    const fz_hint *hint = fzi_hint_find(program, FZ_HINT_CELLS, -1);

    if (hint)
        return hint->a == FZ_PATTERN_CHECKERED;
    bool figures = fzi_has_figures(program) && !fzi_hint_find(program, FZ_HINT_PIECES, -1);
    bool even = board->columns % 2 == 0 && board->rows % 2 == 0;
    return board->shape == FZ_SHAPE_SQUARE && !board->has_sorts && (figures || even) &&
           board->columns > 2 && board->rows > 2;
}

bool fzi_hint_is_cropped(const fz_program *program)
{
    const fz_hint *hint = fzi_hint_find(program, FZ_HINT_CELLS, -1);

    return hint && hint->a == FZ_PATTERN_CROPPED;
}

/* ---- symbols ---- */

static bool is_called(const fz_program *program, int player, const char *name)
{
    return strcmp(fzi_text(program, program->players[player].name), name) == 0;
}

/* Is the player drawn dark? Of two players: Black, the other of White, or else the second. */
static bool is_dark(const fz_program *program, int player)
{
    int other = 1 - player;

    if (is_called(program, player, "Black") || is_called(program, other, "White"))
        return true;
    return player == 1 && !is_called(program, player, "White") &&
           !is_called(program, other, "Black");
}

const char *fzi_piece_symbol(const fz_program *program, bool coloured, int kind, int owner)
{
    enum fz_piece_shape shape =
        fzi_piece_shape(program, fzi_has_figures(program), kind, owner);
    bool dark = program->player_count != 2 || owner < 0 || is_dark(program, owner);
    const char *symbol = dark ? shapes[shape].dark : shapes[shape].light;

    if (!*symbol || owner < 0 || (program->player_count > 2 && !coloured) ||
        (shape == FZ_SHAPE_OF_DISC && !fzi_is_plain_disc(program, kind)))
        return NULL;
    return symbol;
}
