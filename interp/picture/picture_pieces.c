/* Draws the pieces of a picture, on the board and in hand, for compose.c. */
#include <stdio.h>

#include "compose.h"

/* In the order of the shapes of program/views.def. */
_Static_assert(FZ_SHAPE_OF_PAWN - FZ_SHAPE_OF_KING == FZI_FIGURE_PAWN &&
                   FZI_FIGURE_COUNT <= 64, "each piece is a shape; figures are members of a word");

static const double rim = 0.035;
static const double hand_pitch = 0.85; /* from one piece in hand to the next */

/* ---- players ---- */

static enum fzi_paint own_paint(const fzi_drawing *d, int player)
{
    const char *colour = fzi_player_colour_name(d, player);

    return fzi_paint_called(colour ? colour
                                   : fzi_text(d->program, d->program->players[player].name));
}

/* Players whose names are no colours get the next free colour. */
void fzi_picture_players(fzi_picture *p)
{
    unsigned players = p->d.program->player_count;
    bool taken[FZI_PAINT_COUNT] = {false};
    int next = players > 2 ? FZI_PAINT_COLOURS + 2 : FZI_PAINT_COLOURS;

    for (unsigned i = 0; i < players; i++) {
        p->paint[i] = (uint8_t)own_paint(&p->d, (int)i);
        taken[p->paint[i]] = true;
    }
    for (unsigned i = 0; i < players; i++) {
        if (p->paint[i] != FZI_PAINT_NONE)
            continue;
        while (next < FZI_PAINT_COUNT && taken[next])
            next++;
        p->paint[i] = (uint8_t)(next < FZI_PAINT_COUNT ? next++ : FZI_PAINT_GREY);
    }
}

enum fzi_paint fzi_owner_paint(const fzi_picture *p, int owner)
{
    if (p->tint)
        return (enum fzi_paint)p->tint;
    return owner >= 0 ? (enum fzi_paint)p->paint[owner] : FZI_PAINT_NOBODY;
}

/* ---- shapes ---- */

/* The signs on discs: of the first player and of the others, and the first one's ink on white. */
static const struct {
    uint8_t first, other, ink;
} signs[FZ_SHAPES] = {
    [FZ_SHAPE_OF_SHUAI] = {FZI_FIGURE_SHUAI, FZI_FIGURE_JIANG, FZI_PAINT_RED},
    [FZ_SHAPE_OF_SHI] = {FZI_FIGURE_SHI_RED, FZI_FIGURE_SHI, FZI_PAINT_RED},
    [FZ_SHAPE_OF_XIANG] = {FZI_FIGURE_XIANG_RED, FZI_FIGURE_XIANG, FZI_PAINT_RED},
    [FZ_SHAPE_OF_JU] = {FZI_FIGURE_JU_RED, FZI_FIGURE_JU, FZI_PAINT_RED},
    [FZ_SHAPE_OF_MA] = {FZI_FIGURE_MA_RED, FZI_FIGURE_MA, FZI_PAINT_RED},
    [FZ_SHAPE_OF_PAO] = {FZI_FIGURE_PAO_RED, FZI_FIGURE_PAO, FZI_PAINT_RED},
    [FZ_SHAPE_OF_BING] = {FZI_FIGURE_BING, FZI_FIGURE_ZU, FZI_PAINT_RED},
    [FZ_SHAPE_OF_WANG] = {FZI_FIGURE_CHU, FZI_FIGURE_HAN, FZI_PAINT_GREEN},
    [FZ_SHAPE_OF_SA] = {FZI_FIGURE_SHI, FZI_FIGURE_SHI, FZI_PAINT_GREEN},
    [FZ_SHAPE_OF_SANG] = {FZI_FIGURE_XIANG, FZI_FIGURE_XIANG, FZI_PAINT_GREEN},
    [FZ_SHAPE_OF_CHA] = {FZI_FIGURE_JU, FZI_FIGURE_JU, FZI_PAINT_GREEN},
    [FZ_SHAPE_OF_MAL] = {FZI_FIGURE_MA, FZI_FIGURE_MA, FZI_PAINT_GREEN},
    [FZ_SHAPE_OF_PO] = {FZI_FIGURE_BAO, FZI_FIGURE_BAO, FZI_PAINT_GREEN},
    [FZ_SHAPE_OF_JOL] = {FZI_FIGURE_ZU, FZI_FIGURE_BING, FZI_PAINT_GREEN},
    [FZ_SHAPE_OF_OSHO] = {FZI_FIGURE_OSHO, FZI_FIGURE_OSHO, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_HISHA] = {FZI_FIGURE_HISHA, FZI_FIGURE_HISHA, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_KAKU] = {FZI_FIGURE_KAKU, FZI_FIGURE_KAKU, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_KIN] = {FZI_FIGURE_KIN, FZI_FIGURE_KIN, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_GIN] = {FZI_FIGURE_GIN, FZI_FIGURE_GIN, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_KEI] = {FZI_FIGURE_KEI, FZI_FIGURE_KEI, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_KYO] = {FZI_FIGURE_KYO, FZI_FIGURE_KYO, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_FU] = {FZI_FIGURE_FU, FZI_FIGURE_FU, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_RYU] = {FZI_FIGURE_RYU, FZI_FIGURE_RYU, FZI_PAINT_RED},
    [FZ_SHAPE_OF_UMA] = {FZI_FIGURE_MA, FZI_FIGURE_MA, FZI_PAINT_RED},
    [FZ_SHAPE_OF_NARIGIN] = {FZI_FIGURE_ZEN, FZI_FIGURE_ZEN, FZI_PAINT_RED},
    [FZ_SHAPE_OF_NARIKEI] = {FZI_FIGURE_KE, FZI_FIGURE_KE, FZI_PAINT_RED},
    [FZ_SHAPE_OF_NARIKYO] = {FZI_FIGURE_AN, FZI_FIGURE_AN, FZI_PAINT_RED},
    [FZ_SHAPE_OF_TOKIN] = {FZI_FIGURE_TO, FZI_FIGURE_TO, FZI_PAINT_RED},
    [FZ_SHAPE_OF_OTORI] = {FZI_FIGURE_OTORI, FZI_FIGURE_OTORI, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_TAKA] = {FZI_FIGURE_TAKA, FZI_FIGURE_TAKA, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_TSURU] = {FZI_FIGURE_TSURU, FZI_FIGURE_TSURU, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_KIJI] = {FZI_FIGURE_KIJI, FZI_FIGURE_KIJI, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_UZURA_LEFT] = {FZI_FIGURE_UZURA_LEFT, FZI_FIGURE_UZURA_LEFT, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_UZURA_RIGHT] = {FZI_FIGURE_UZURA_RIGHT, FZI_FIGURE_UZURA_RIGHT, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_TSUBAME] = {FZI_FIGURE_TSUBAME, FZI_FIGURE_TSUBAME, FZI_PAINT_BLACK},
    [FZ_SHAPE_OF_KUMATAKA] = {FZI_FIGURE_KUMATAKA, FZI_FIGURE_KUMATAKA, FZI_PAINT_RED},
    [FZ_SHAPE_OF_KARI] = {FZI_FIGURE_KARI, FZI_FIGURE_KARI, FZI_PAINT_RED},
};

/* ---- a piece ---- */

/* The letter of a kind, as the script gives it, without the case that distinguishes players. */
static void kind_text(const fzi_picture *p, int kind, char *text, size_t size)
{
    const fz_kind_info *info = &p->d.program->kinds[kind];
    const char *letter = fzi_text(p->d.program, info->letter);

    if (*letter)
        snprintf(text, size, "%s", letter);
    else
        snprintf(text, size, "%.1s", fzi_text(p->d.program, info->name));
}

static void add_letter(fzi_picture *p, fzi_point at, double size, enum fzi_paint on,
                       const char *text)
{
    double width = fzi_label_width(text);
    double height = fmin(0.42, 0.62 / (width > 0 ? width : 1)) * size;

    fzi_scene_label(p->scene, at, height, FZI_PAINT_NONE, text)->on = (uint8_t)on;
}

static void add_figure(fzi_picture *p, fzi_point at, double size, int figure, enum fzi_paint paint)
{
    fzi_shape *shape = fzi_scene_add(p->scene, FZI_FIGURE, &at, 1);

    shape->figure = (uint8_t)figure;
    shape->fill = (uint8_t)paint;
    shape->stroke = FZI_PAINT_EDGE;
    shape->on = (uint8_t)paint;
    shape->width = rim * size;
    shape->size = 1.08 * size;
}

/* The paint of a piece's rim: the rims of black pieces in a stack would not be seen. */
static enum fzi_paint edge_of(enum fzi_paint paint)
{
    return paint == FZI_PAINT_BLACK ? FZI_PAINT_FAINT : FZI_PAINT_EDGE;
}

void fzi_picture_body(fzi_picture *p, fzi_point at, double size, int owner)
{
    enum fzi_paint paint = fzi_owner_paint(p, owner);

    if (owner < 0 && !p->d.program->unmarked)
        fzi_scene_square(p->scene, at, 0.66 * size, paint, edge_of(paint), rim * size);
    else
        fzi_scene_circle(p->scene, at, 0.39 * size, paint, edge_of(paint), rim * size);
}

/* A polygon with the corners `shape`, turned by quarters from up. */
static void add_polygon(fzi_picture *p, fzi_point at, double size, const fzi_point *corners,
                        unsigned count, int quarters, enum fzi_paint fill)
{
    enum { MOST = 12 };
    fzi_point points[MOST];

    for (unsigned i = 0; i < count; i++) {
        fzi_point c = corners[i];
        for (int q = 0; q < quarters; q++)
            c = (fzi_point){-c.y, c.x};
        points[i] = (fzi_point){at.x + size * c.x, at.y + size * c.y};
    }
    fzi_scene_path(p->scene, FZI_POLYGON, points, count, fill, edge_of(fill), rim * size);
}

/* Quarters of a turn from up to where the player faces. */
static int quarters_of(const fzi_picture *p, int owner)
{
    int facing = owner >= 0 ? p->d.program->players[owner].facing : -1;
    int heading = facing >= 0 ? p->d.heading[facing] : -1;

    return heading < 0 ? 0 : heading / 2;
}

static const fzi_point wedge[] = {
    {0, -0.43}, {0.27, -0.33}, {0.36, 0.40}, {-0.36, 0.40}, {-0.27, -0.33}};

static void add_wedge(fzi_picture *p, fzi_point at, double size, int owner)
{
    add_polygon(p, at, size, wedge, 5, quarters_of(p, owner), fzi_owner_paint(p, owner));
}

/* The first player's in colour, as on the table. */
static void add_sign(fzi_picture *p, fzi_point at, double size, enum fz_piece_shape which,
                     int owner)
{
    enum fzi_paint paint = fzi_owner_paint(p, owner);
    bool white = owner == 0 && (paint == FZI_PAINT_WHITE || paint == signs[which].ink);
    uint8_t tint = p->tint;

    p->tint = white ? FZI_PAINT_WHITE : tint;
    if (which >= FZ_SHAPE_OF_OSHO)
        add_wedge(p, at, size, owner);
    else
        fzi_picture_body(p, at, size, owner);
    p->tint = tint;
    fzi_shape *shape = fzi_scene_add(p->scene, FZI_FIGURE, &at, 1);
    shape->figure = owner ? signs[which].other : signs[which].first;
    shape->fill = white ? signs[which].ink : (uint8_t)FZI_PAINT_NONE;
    shape->on = white ? FZI_PAINT_NONE : (uint8_t)paint;
    shape->size = 0.54 * size;
}

static const fzi_point cross[] = {
    {0, -0.1},   {0.26, -0.36}, {0.36, -0.26}, {0.1, 0},    {0.36, 0.26},   {0.26, 0.36},
    {0, 0.1},    {-0.26, 0.36}, {-0.36, 0.26}, {-0.1, 0},   {-0.36, -0.26}, {-0.26, -0.36}};

static void add_ring(fzi_picture *p, fzi_point at, double size, int owner)
{
    enum fzi_paint paint = fzi_owner_paint(p, owner);

    fzi_scene_circle(p->scene, at, 0.29 * size, FZI_PAINT_NONE, edge_of(paint), 0.16 * size);
    fzi_scene_circle(p->scene, at, 0.29 * size, FZI_PAINT_NONE, paint, 0.11 * size);
}

/* Four sides that meet in the top. */
static void add_pyramid(fzi_picture *p, fzi_point at, double half, int owner)
{
    enum fzi_paint paint = fzi_owner_paint(p, owner), edge = edge_of(paint);
    fzi_point low = {at.x - half, at.y - half}, high = {at.x + half, at.y + half};

    fzi_scene_square(p->scene, at, 2 * half, paint, edge, rim);
    fzi_scene_line(p->scene, low, high, edge, rim * 0.7);
    fzi_scene_line(p->scene, (fzi_point){low.x, high.y}, (fzi_point){high.x, low.y}, edge,
                   rim * 0.7);
}

static void add_double(fzi_picture *p, fzi_point at, double size, int owner)
{
    fzi_picture_body(p, (fzi_point){at.x, at.y + 0.08 * size}, 0.9 * size, owner);
    fzi_picture_body(p, (fzi_point){at.x, at.y - 0.08 * size}, 0.9 * size, owner);
}

/* A piece that moves as another one and as a knight: the other one, and a knight in front of it. */
static void add_compound(fzi_picture *p, fzi_point at, double size, int back, int owner)
{
    enum fzi_paint paint = fzi_owner_paint(p, owner);
    fzi_point behind = {at.x - 0.16 * size, at.y - 0.1 * size};
    fzi_point before = {at.x + 0.13 * size, at.y + 0.1 * size};

    add_figure(p, behind, 0.76 * size, back, paint);
    add_figure(p, before, 0.76 * size, FZI_FIGURE_KNIGHT, paint);
}

/* An inner ring near the rim. */
static void add_crowned(fzi_picture *p, fzi_point at, double size, int owner)
{
    enum fzi_paint paint = fzi_owner_paint(p, owner);
    enum fzi_paint ring = paint == FZI_PAINT_BLACK ? FZI_PAINT_WHITE : FZI_PAINT_BLACK;

    fzi_picture_body(p, at, size, owner);
    fzi_scene_circle(p->scene, at, 0.31 * size, FZI_PAINT_NONE, ring, 0.05 * size);
}

void fzi_picture_shape(fzi_picture *p, fzi_point at, double size, enum fz_piece_shape shape,
                       int owner)
{
    if (shape >= FZ_SHAPE_OF_KING && shape <= FZ_SHAPE_OF_PAWN) {
        add_figure(p, at, size, (int)shape - FZ_SHAPE_OF_KING, fzi_owner_paint(p, owner));
        return;
    }
    if (shape >= FZ_SHAPE_OF_SHUAI) {
        add_sign(p, at, size, shape, owner);
        return;
    }
    switch (shape) {
    case FZ_SHAPE_OF_PYRAMID1: add_pyramid(p, at, 0.18 * size, owner); return;
    case FZ_SHAPE_OF_PYRAMID2: add_pyramid(p, at, 0.28 * size, owner); return;
    case FZ_SHAPE_OF_PYRAMID3: add_pyramid(p, at, 0.38 * size, owner); return;
    case FZ_SHAPE_OF_BLOCK:
        fzi_scene_square(p->scene, at, 0.66 * size, fzi_owner_paint(p, owner), FZI_PAINT_EDGE,
                         rim * size);
        return;
    case FZ_SHAPE_OF_CROWNED: add_crowned(p, at, size, owner); return;
    case FZ_SHAPE_OF_DOUBLE: add_double(p, at, size, owner); return;
    case FZ_SHAPE_OF_DUCK:
        add_figure(p, at, size, FZI_FIGURE_DUCK,
                   owner < 0 ? FZI_PAINT_YELLOW : fzi_owner_paint(p, owner));
        return;
    case FZ_SHAPE_OF_CROSS:
        add_polygon(p, at, size, cross, 12, 0, fzi_owner_paint(p, owner));
        return;
    case FZ_SHAPE_OF_RING: add_ring(p, at, size, owner); return;
    case FZ_SHAPE_OF_ARCHBISHOP: add_compound(p, at, size, FZI_FIGURE_BISHOP, owner); return;
    case FZ_SHAPE_OF_CHANCELLOR: add_compound(p, at, size, FZI_FIGURE_ROOK, owner); return;
    case FZ_SHAPE_OF_SUPERQUEEN: add_compound(p, at, size, FZI_FIGURE_QUEEN, owner); return;
    case FZ_SHAPE_OF_WEDGE: add_wedge(p, at, size, owner); return;
    default: fzi_picture_body(p, at, size, owner); return;
    }
}

void fzi_picture_piece(fzi_picture *p, fzi_point at, double size, int kind, int owner)
{
    enum fz_piece_shape shape = fzi_piece_shape(p->d.program, p->figures, kind, owner);
    char text[64];

    fzi_picture_shape(p, at, size, shape, owner);
    if ((shape != FZ_SHAPE_OF_DISC && shape != FZ_SHAPE_OF_WEDGE) ||
        fzi_is_plain_disc(p->d.program, kind))
        return;
    kind_text(p, kind, text, sizeof text);
    add_letter(p, at, shape == FZ_SHAPE_OF_WEDGE ? 0.85 * size : size, fzi_owner_paint(p, owner),
               text);
}

void fzi_picture_man(fzi_picture *p, fzi_point at, double size, int owner)
{
    if (p->d.program->kind_count)
        fzi_picture_piece(p, at, size, p->men, owner);
    else
        fzi_picture_body(p, at, size, owner);
}

/* ---- hands ---- */

/* The number of pieces of the kind in the player's hand; 0 if the viewer does not see it. */
static int64_t held(const fzi_picture *p, const fz_variable *v, int player, uint32_t kind)
{
    uint32_t element = (uint32_t)player * p->d.program->kind_count + kind;

    if (player >= (int)p->d.program->player_count ||
        element >= fzi_element_count(p->d.program, v) ||
        !fzi_element_visible(p->d.program, v, element, p->d.viewer))
        return 0;
    return fzi_element_get(p->d.program, p->d.block, v, element);
}

/* One below the other, from `at` on in steps of `down`. */
static void add_hand(fzi_picture *p, const fz_variable *v, int player, fzi_point at, double down)
{
    double size = fabs(down) / hand_pitch;

    for (uint32_t k = 0; k < p->d.program->kind_count; k++) {
        char count[32];
        int64_t number = held(p, v, player, k);
        if (number <= 0)
            continue;
        fzi_picture_piece(p, at, 0.8 * size, (int)k, player);
        fzi_shape *around = fzi_scene_square(p->scene, at, 0.85 * size, FZI_PAINT_NONE,
                                             FZI_PAINT_NONE, 0);
        around->role = FZI_ROLE_HAND;
        fzi_scene_name(p->scene, around, fzi_text(p->d.program, p->d.program->kinds[k].name));
        if (number > 1) {
            snprintf(count, sizeof count, "%lld", (long long)number);
            fzi_scene_label(p->scene, (fzi_point){at.x + 0.45 * size, at.y}, 0.32 * size,
                            FZI_PAINT_INK, count)
                ->anchor = FZI_ANCHOR_LEFT;
        }
        p->high.x = fmax(p->high.x, at.x + 1);
        p->low.y = fmin(p->low.y, at.y - 0.5);
        p->high.y = fmax(p->high.y, at.y + 0.5);
        at.y += down;
    }
}

/* Two hands share a column: their steps are shorter where they would meet. */
static double hand_step(const fzi_picture *p, const fz_variable *v, int first)
{
    unsigned entries = 0;

    for (uint32_t k = 0; k < p->d.program->kind_count; k++)
        entries += (held(p, v, first, k) > 0 ? 1U : 0) + (held(p, v, first + 1, k) > 0 ? 1U : 0);
    double room = (p->board_high.y - p->board_low.y) / (entries > 1 ? entries - 1 : 1);
    return fmax(fmin(hand_pitch, room), hand_pitch / 4);
}

/* The first player's from the bottom, the second's from the top, the others' beside these. */
void fzi_picture_hands(fzi_picture *p)
{
    const fz_program *program = p->d.program;
    double right = p->high.x + 0.6;

    for (uint32_t i = 0; i < program->variable_count; i++) {
        const fz_variable *v = &program->variables[i];
        if (!fzi_is_hand(program, v) || v->secret)
            continue;
        for (int player = 0; player < (int)program->player_count; player++) {
            bool top = player % 2;
            double step = hand_step(p, v, player - top);
            fzi_point at = {right + player / 2 * 1.2,
                            top ? p->board_low.y : p->board_high.y};
            add_hand(p, v, player, at, top ? step : -step);
        }
        return;
    }
}

/* ---- lost pieces ---- */

static bool has_hands(const fz_program *program)
{
    for (uint32_t i = 0; i < program->variable_count; i++)
        if (fzi_is_hand(program, &program->variables[i]))
            return true;
    return false;
}

static unsigned lost_kinds(const fzi_picture *p, int owner)
{
    unsigned count = 0;

    for (size_t i = 0; i < p->task->lost_count; i++)
        count += p->task->lost[i].owner == owner;
    return count;
}

/* Small, beside the board: the first player's from the top, the second's from the bottom. */
void fzi_picture_losses(fzi_picture *p)
{
    const double right = p->high.x + 0.35;

    if (has_hands(p->d.program))
        return;
    for (int player = 0; player < (int)p->d.program->player_count; player++) {
        unsigned first = lost_kinds(p, player - player % 2), both = first;
        both += lost_kinds(p, player - player % 2 + 1);
        double room = (p->board_high.y - p->board_low.y) / (both > 1 ? both - 1 : 1);
        double step = fmin(0.6, room), down = player % 2 ? -step : step;
        fzi_point at = {right + player / 2 * 0.9,
                        player % 2 ? p->board_high.y : p->board_low.y};
        for (size_t i = 0; i < p->task->lost_count; i++) {
            const fzi_picture_lost *lost = &p->task->lost[i];
            char count[16];
            if (lost->owner != player)
                continue;
            fzi_picture_piece(p, at, step, lost->kind, player);
            snprintf(count, sizeof count, "%u", lost->number);
            if (lost->number > 1)
                fzi_scene_label(p->scene, (fzi_point){at.x + 0.55 * step, at.y}, 0.4 * step,
                                FZI_PAINT_INK, count)->anchor = FZI_ANCHOR_LEFT;
            p->high.x = fmax(p->high.x, at.x + 0.7);
            at.y += down;
        }
    }
}
