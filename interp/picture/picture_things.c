/* Draws numbers as things for compose.c: men, seeds and dice, as `view { men ...; seeds ...; }` and
 * so on say, on their sites and in rows elsewhere. */
#include <stdio.h>

#include "interp/support/words.h"
#include "compose.h"

enum { MOST = 100 }; /* things that are drawn; a number stands beside more than a few */

static const double pit = 0.36;        /* the radius in which the seeds of a pit lie */
static const double man = 0.82, step = 0.76; /* men in a row, as parts of their size */

/* ---- which values ---- */

enum fzi_paint fzi_picture_colour(const fz_program *program, const fz_variable *like,
                                  int64_t value)
{
    const char *name = fzi_value_own_name(program, &program->types[like->type], value);

    return name ? fzi_paint_called(name) : FZI_PAINT_NONE;
}

/* True if some of its values are named like paints. */
static bool has_colours(const fz_program *program, const fz_variable *like)
{
    const fz_value_type *type = &program->types[like->type];

    for (int32_t i = 0; type->kind == FZ_VALUE_NAMED && i <= type->high; i++)
        if (fzi_picture_colour(program, like, i))
            return true;
    return false;
}

bool fzi_picture_is_tint(const fzi_drawing *d, const fz_variable *like)
{
    return like->carried && has_colours(d->program, like);
}

/* What lies on the sites themselves, and changes: a `let` is the ground. */
static bool lies_on_sites(const fzi_drawing *d, const fz_variable *like)
{
    return !like->carried && like >= d->program->variables &&
           like < d->program->variables + d->program->variable_count &&
           fzi_is_on_sites(d->program, like);
}

/* Colours, such as pegs. */
static bool is_peg(const fzi_drawing *d, const fz_variable *like)
{
    return lies_on_sites(d, like) && has_colours(d->program, like);
}

/* Whose the sites are. */
static bool is_flag(const fzi_drawing *d, const fz_variable *like)
{
    return lies_on_sites(d, like) && d->program->types[like->type].kind == FZ_VALUE_PLAYER;
}

bool fzi_picture_draws(const fzi_drawing *d, const fz_variable *like)
{
    return fzi_look_of(d, like) >= 0 || fzi_picture_is_tint(d, like) || is_peg(d, like) ||
           is_flag(d, like);
}

/* Chooses the kind of a player's men: as the hint says, or the first kind. */
static void choose_men(fzi_picture *p, const fz_variable *like, int player)
{
    const fz_program *program = p->d.program;
    int64_t number = fzi_view_number(&p->d, like);

    p->men = 0;
    for (uint32_t i = 0; i < program->hint_count && number >= 0; i++) {
        const fz_hint *h = &program->hints[i];
        if (h->row == FZ_HINT_MAN && h->a == number && program->kind_count &&
            (int)(h->b / program->kind_count) == (player < 0 ? 0 : player))
            p->men = (uint16_t)(h->b % program->kind_count);
    }
}

/* ---- things ---- */

static void add_count(fzi_picture *p, fzi_point at, double size, int64_t count, enum fzi_paint on)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", (long long)count);
    fzi_scene_label(p->scene, at, size, FZI_PAINT_INK, text)->on = (uint8_t)on;
}

void fzi_picture_die(fzi_picture *p, fzi_point at, double size, int64_t value)
{
    /* For each of nine places, the values that have a pip there. */
    static const uint8_t pips[9] = {0x7c, 0, 0x70, 0x40, 0x2a, 0x40, 0x70, 0, 0x7c};
    const double part = 0.24 * size;

    if (value == 0)
        return;
    char name[24];
    snprintf(name, sizeof name, "%lld", (long long)value);
    fzi_shape *square = fzi_scene_square(p->scene, at, 0.84 * size, FZI_PAINT_WHITE,
                                         FZI_PAINT_EDGE, 0.05 * size);
    square->role = FZI_ROLE_DIE;
    fzi_scene_name(p->scene, square, name);
    if (value < 0 || value > 6) {
        add_count(p, at, 0.44 * size, value, FZI_PAINT_WHITE);
        return;
    }
    for (int i = 0; i < 9; i++) {
        fzi_point pip = {at.x + part * (i % 3 - 1), at.y + part * (i / 3 - 1)};
        if (pips[i] >> value & 1)
            fzi_scene_circle(p->scene, pip, 0.08 * size, FZI_PAINT_BLACK, FZI_PAINT_NONE, 0);
    }
}

/* Lots with their mark up are light. The number stands behind them. */
static double add_lots(fzi_picture *p, fzi_point at, double size, fzi_throw thrown)
{
    const double wide = 0.3 * size, high = 0.42 * size;
    char name[24];

    for (int i = 0; i < thrown.lots; i++) {
        fzi_point low = {at.x + wide * (i + 0.12), at.y - high};
        bool up = i < thrown.up;
        fzi_scene_box(p->scene, low, (fzi_point){low.x + 0.76 * wide, at.y + high},
                      up ? FZI_PAINT_WHITE : FZI_PAINT_LINE, FZI_PAINT_EDGE, 0.05 * size);
    }
    snprintf(name, sizeof name, "%d", (int)thrown.value);
    fzi_point end = {at.x + wide * (thrown.lots + 0.5), at.y};
    fzi_scene_label(p->scene, end, 0.6 * size, FZI_PAINT_INK, name)->anchor = FZI_ANCHOR_LEFT;
    fzi_shape *around = fzi_scene_box(p->scene, (fzi_point){at.x, at.y - high},
                                      (fzi_point){end.x + 0.6 * size, at.y + high}, FZI_PAINT_NONE,
                                      FZI_PAINT_NONE, 0);
    around->role = FZI_ROLE_DIE;
    fzi_scene_name(p->scene, around, name);
    return end.x - at.x + 0.6 * size * fzi_label_width(name);
}

double fzi_picture_throw(fzi_picture *p, fzi_point at, double size, fzi_throw thrown)
{
    if (thrown.lots)
        return add_lots(p, at, size, thrown);
    fzi_picture_die(p, (fzi_point){at.x + size / 2, at.y}, size, thrown.value);
    return size;
}

/* Seeds in a spiral, from the middle outward, as close as their number needs. */
static void add_seeds(fzi_picture *p, fzi_point at, double radius, int64_t count)
{
    const double golden = 2.399963229728653;
    double size = fmin(0.24, 0.8 / sqrt((double)count + 1)) * radius;

    for (int i = 0; i < count && i < MOST; i++) {
        double away = count == 1 ? 0 : (radius - size) * sqrt((i + 0.5) / (double)count);
        fzi_point seed = {at.x + away * cos(i * golden), at.y + away * sin(i * golden)};
        fzi_scene_circle(p->scene, seed, size, FZI_PAINT_LINE, FZI_PAINT_NONE, 0);
    }
}

/* The number of an element; 0 if the viewer does not know it. */
static int64_t count_of(const fzi_picture *p, const fzi_shown_value *v, uint32_t element)
{
    return fzi_shown_known(&p->d, v, element)
               ? fzi_element_get(v->program, v->block, v->like, element)
               : 0;
}

/* ---- rows ---- */

static double dice_row(fzi_picture *p, fzi_point at, double size, const fzi_shown_value *v,
                       uint32_t first, uint32_t end, bool draw)
{
    bool counts = end > first + 1;
    int low = counts ? p->d.program->types[v->like->index[v->like->index_count - 1]].low : 0;
    double x = 0;

    for (uint32_t e = first; e < end; e++) {
        int64_t number = count_of(p, v, e);
        for (int64_t i = 0; i < (counts ? number : number != 0) && i < MOST; i++, x += size)
            if (draw)
                fzi_picture_die(p, (fzi_point){at.x + x + size / 2, at.y}, size,
                        counts ? low + (int64_t)(e - first) : number);
    }
    return x;
}

double fzi_things_row(fzi_picture *p, fzi_point at, double size, const fzi_shown_value *v,
                      uint32_t first, uint32_t end, int owner, bool draw)
{
    enum { FEW = 5 };
    int look = fzi_look_of(&p->d, v->like);
    char text[32];

    if (look == FZ_HINT_DICE)
        return dice_row(p, at, size, v, first, end, draw);
    int64_t count = count_of(p, v, first);
    choose_men(p, v->like, owner);
    double part = look == FZ_HINT_SEEDS ? 0.4 * size : step * size;
    double room = fmax(FEW, floor((fmax(p->high.x, p->low.x + 6) - at.x) / part - 1));
    double drawn = fmin((double)count, fmin(room, 20));
    for (int i = 0; draw && i < drawn; i++) {
        fzi_point thing = {at.x + part * (i + 0.5), at.y};
        if (look == FZ_HINT_SEEDS)
            fzi_scene_circle(p->scene, thing, 0.17 * size, FZI_PAINT_LINE, FZI_PAINT_NONE, 0);
        else
            fzi_picture_man(p, thing, man * size, owner);
    }
    if (count > 0 && count <= FEW)
        return part * drawn;
    snprintf(text, sizeof text, count ? "\u2009%lld" : "%lld", (long long)count);
    if (draw)
        fzi_scene_label(p->scene, (fzi_point){at.x + part * drawn, at.y}, 0.7 * size, FZI_PAINT_INK,
                        text)->anchor = FZI_ANCHOR_LEFT;
    return part * drawn + 0.7 * size * fzi_label_width(text);
}

/* ---- on sites ---- */

/* Whose men stand on a site: members of a set, or as many as the number says of the player whose
 * piece or site it is. */
static int owners_of(const fzi_picture *p, const fzi_shown_value *v, unsigned site, int owner,
                     int *owners)
{
    int64_t value = fzi_element_get(v->program, v->block, v->like, site);
    bool players = p->d.program->types[v->like->type].kind == FZ_VALUE_MASK;
    int count = 0, ground;

    if (owner == -2 && !fzi_ground_name(&p->d, site, &ground))
        owner = ground;
    for (int i = 0; i < (players ? p->d.program->player_count : value) && count < MOST; i++)
        if (!players || value >> i & 1)
            owners[count++] = players ? i : owner;
    return count;
}

/* Along the triangle, five with room; more lie on each other. */
static void add_column(fzi_picture *p, fzi_point at, double up, const int *owners, int count)
{
    double pitch = fmin(0.8, 3.2 / (count > 1 ? count - 1 : 1));

    for (int i = 0; i < count; i++)
        fzi_picture_man(p, (fzi_point){at.x, at.y + up * pitch * i}, 1, owners[i]);
    if (count > 5)
        add_count(p, (fzi_point){at.x, at.y + up * pitch * (count - 1)}, 0.4, count,
                  fzi_owner_paint(p, owners[0]));
}

/* In rows of two, three, ... in a cell. */
static void add_crowd(fzi_picture *p, fzi_point at, const int *owners, int count)
{
    int across = 1;

    while (across * across < count)
        across++;
    int down = (count + across - 1) / across;
    double pitch = 0.9 / across;
    for (int i = 0; i < count; i++) {
        double x = i % across - (across - 1) / 2.0, y = i / across - (down - 1) / 2.0;
        fzi_picture_man(p, (fzi_point){at.x + pitch * x, at.y + pitch * y},
                        across > 1 ? 1.1 * pitch : 1, owners[i]);
    }
}

static bool add_men(fzi_picture *p, const fzi_shown_value *v, unsigned site, int owner)
{
    int owners[MOST], count = owners_of(p, v, site, owner, owners);

    if (count == 0)
        return false;
    choose_men(p, v->like, owners[0]);
    if (p->triangles)
        add_column(p, p->at[site], p->d.program->board.row[site] % 2 ? -1 : 1, owners, count);
    else
        add_crowd(p, p->at[site], owners, count);
    return true;
}

static void add_site_seeds(fzi_picture *p, fzi_point at, int64_t count)
{
    add_seeds(p, at, pit, count);
    if (count > 3)
        fzi_scene_circle(p->scene, (fzi_point){at.x + 0.36, at.y - 0.36}, 0.17, FZI_PAINT_PAPER,
                         FZI_PAINT_LINE, 0.02);
    if (count > 3)
        add_count(p, (fzi_point){at.x + 0.36, at.y - 0.36}, 0.22, count, FZI_PAINT_PAPER);
}

void fzi_picture_swatch(fzi_picture *p, fzi_point at, double size, const char *name)
{
    fzi_shape *around = fzi_scene_square(p->scene, at, size, FZI_PAINT_NONE, FZI_PAINT_NONE, 0);

    around->role = FZI_ROLE_SWATCH;
    fzi_scene_name(p->scene, around, name);
}

/* A disc of the colour that the value names, with its letter. */
static void add_peg(fzi_picture *p, const fzi_shown_value *v, unsigned site)
{
    int64_t value = fzi_element_get(v->program, v->block, v->like, site);
    enum fzi_paint paint = fzi_picture_colour(p->d.program, v->like, value);

    if (paint == FZI_PAINT_NONE)
        return;
    fzi_buffer text = fzi_buffer_in(p->d.machine->allocator);
    fzi_value_text(p->d.program, v->like->type, value, false, &text);
    fzi_scene_circle(p->scene, p->at[site], 0.36, paint, FZI_PAINT_EDGE, 0.035);
    fzi_picture_swatch(p, p->at[site], 0.72, fzi_buffer_get(&text));
    double width = fzi_label_width(fzi_buffer_get(&text));
    fzi_scene_label(p->scene, p->at[site], fmin(0.36, 0.6 / fmax(1, width)), FZI_PAINT_NONE,
                    fzi_buffer_get(&text))->on = (uint8_t)paint;
    p->scene->failed |= text.failed;
    fzi_buffer_free(&text);
}

/* A rim of the player's colour, which is seen around a piece. */
static void add_flag(fzi_picture *p, const fzi_shown_value *v, unsigned site)
{
    int64_t player = fzi_element_get(v->program, v->block, v->like, site);
    bool point = p->style == FZI_STYLE_POINTS;

    if (player < 0 || player >= p->d.program->player_count)
        return;
    double size = point ? 1.05 : 0.86;
    fzi_picture_cell(p, site, size, FZI_PAINT_NONE, FZI_PAINT_EDGE)->width = 0.15;
    fzi_shape *rim =
        fzi_picture_cell(p, site, size, FZI_PAINT_NONE, fzi_owner_paint(p, (int)player));
    rim->width = 0.1;
    fzi_scene_name(p->scene, rim, fzi_text(p->d.program, p->d.program->players[player].name));
}

/* The shape of the tokens of a shown value. */
static enum fz_piece_shape token_shape(const fzi_picture *p, const fzi_shown_value *v)
{
    return (enum fz_piece_shape)fzi_hint_find(p->d.program, FZ_HINT_TOKEN,
                                              fzi_view_number(&p->d, v->like))->b;
}

/* Is the site one of the element, as far as the viewer knows? */
static bool has_token(const fzi_picture *p, const fzi_shown_value *v, uint32_t element,
                      unsigned site)
{
    if (!fzi_shown_known(&p->d, v, element))
        return false;
    if (fzi_element_is_set(v->like))
        return fzi_words_has(fzi_element_sites(v->program, v->block, v->like, element), site);
    int64_t value = fzi_element_get(v->program, v->block, v->like, element);
    return fzi_is_on_sites(p->d.program, v->like) ? value != 0 : value == (int64_t)site;
}

/* Those of later players are smaller, so that both are seen. Truths by site are those of the player
 * who looks, or decides. */
static void add_tokens(fzi_picture *p, const fzi_shown_value *v)
{
    bool by_site = fzi_is_on_sites(p->d.program, v->like);
    int who = p->d.viewer >= 0 ? p->d.viewer : fz_state_decider(p->d.state);
    uint32_t count = by_site ? 1 : fzi_element_count(v->program, v->like);

    for (uint32_t e = 0; e < count; e++) {
        int owner = by_site ? who : v->like->index_count ? (int)e : -1;
        double size = fmax(0.5, 1 - 0.25 * (owner > 0 ? owner : 0));
        for (unsigned s = 0; s < p->d.program->board.site_count; s++)
            if (has_token(p, v, by_site ? s : e, s))
                fzi_picture_shape(p, p->at[s], size, token_shape(p, v), owner);
    }
}

void fzi_picture_tokens(fzi_picture *p)
{
    const fz_program *program = p->d.program;

    for (uint32_t i = 0; i < program->hint_count; i++) {
        const fz_hint *h = &program->hints[i];
        if (h->row != FZ_HINT_TOKEN)
            continue;
        fzi_shown_value variable = {program, p->d.block, NULL, NULL, NULL};
        if (h->a >= program->shown_count) {
            variable.like = &program->variables[h->a - program->shown_count];
            add_tokens(p, &variable);
        }
        for (unsigned k = 0; h->a < program->shown_count && k < p->d.shown_count; k++)
            if (p->d.shown[k].like == &p->d.lets.likes[h->a])
                add_tokens(p, &p->d.shown[k]);
    }
}

bool fzi_picture_things(fzi_picture *p, unsigned site, int owner)
{
    bool drawn = false;

    for (unsigned i = 0; i < p->d.shown_count; i++) {
        const fzi_shown_value *v = &p->d.shown[i];
        int look = fzi_is_on_sites(p->d.program, v->like) ? fzi_look_of(&p->d, v->like) : -1;
        bool peg = look < 0 && is_peg(&p->d, v->like), flag = look < 0 && is_flag(&p->d, v->like);
        if ((look < 0 && !peg && !flag) || look == FZ_HINT_TOKEN ||
            !fzi_shown_known(&p->d, v, site))
            continue;
        if (peg || flag) {
            (peg ? add_peg : add_flag)(p, v, site);
            continue;
        }
        if (look == FZ_HINT_MEN)
            drawn |= add_men(p, v, site, owner);
        else if (look == FZ_HINT_SEEDS)
            add_site_seeds(p, p->at[site], count_of(p, v, site));
        else
            fzi_picture_die(p, p->at[site], 1, count_of(p, v, site));
    }
    return drawn;
}

/* ---- the bar and the stores ---- */

/* The value by player with this look; NULL. */
static const fzi_shown_value *by_player(const fzi_picture *p, const fzi_shown_value *values,
                                        unsigned count, enum fz_hint_row look)
{
    for (unsigned i = 0; i < count; i++) {
        const fz_variable *like = values[i].like;
        if (fzi_look_of(&p->d, like) == (int)look && like->index_count == 1 &&
            p->d.program->types[like->index[0]].kind == FZ_VALUE_PLAYER)
            return &values[i];
    }
    return NULL;
}

static void add_unknown(fzi_picture *p, fzi_point at)
{
    fzi_scene_label(p->scene, at, 0.32, FZI_PAINT_INK, "?");
}

/* The first player's from the middle downward, the others' upward. */
static void add_bar(fzi_picture *p, const fzi_shown_value *v)
{
    fzi_point middle = fzi_point_between(p->board_low, p->board_high, 0.5);

    for (int player = 0; player < 2; player++) {
        int owners[MOST], count = 0;
        int64_t men = count_of(p, v, (uint32_t)player);
        double up = player ? -1 : 1;
        if (!fzi_shown_known(&p->d, v, (uint32_t)player))
            add_unknown(p, (fzi_point){middle.x, middle.y + 0.5 * up});
        while (count < men && count < MOST)
            owners[count++] = player;
        add_column(p, (fzi_point){middle.x, middle.y + 0.5 * up}, up, owners, count);
    }
}

/* A pit at the right of the first player's row, and at the left for the second. */
static void add_stores(fzi_picture *p, const fzi_shown_value *v)
{
    enum { PARTS = 12 };
    const double half = 1.5707963267948966, radius = 0.5;
    double reach = fmax(0, (p->board_high.y - p->board_low.y) / 2 + 0.45 - radius);
    double left = p->low.x - 0.1 - radius, right = p->high.x + 0.1 + radius;

    for (int player = 0; player < 2; player++) {
        fzi_point at = {player ? left : right, (p->board_low.y + p->board_high.y) / 2};
        fzi_point around[2 * PARTS + 2];
        for (int i = 0; i <= 2 * PARTS + 1; i++) {
            double angle = half * 2 * (i > PARTS ? i - 1 : i) / PARTS;
            around[i] = (fzi_point){at.x + radius * cos(angle),
                                    at.y + radius * sin(angle) + (i > PARTS ? -reach : reach)};
        }
        int64_t count = count_of(p, v, (uint32_t)player);
        fzi_scene_path(p->scene, FZI_POLYGON, around, 2 * PARTS + 2, FZI_PAINT_DARK, FZI_PAINT_LINE,
                       0.03);
        add_seeds(p, at, radius - 0.06, count);
        double beside = (player ? -1 : 1) * (reach + radius + 0.25);
        if (fzi_shown_known(&p->d, v, (uint32_t)player))
            add_count(p, (fzi_point){at.x, at.y + beside}, 0.32, count, FZI_PAINT_NONE);
        else
            add_unknown(p, (fzi_point){at.x, at.y + beside});
        fzi_scene_label(p->scene, (fzi_point){at.x, at.y - beside}, 0.26, FZI_PAINT_FAINT,
                        fzi_text(p->d.program, p->d.program->players[player].name));
    }
    p->low.x = left - radius;
    p->high.x = right + radius;
}

const fzi_shown_value *fzi_picture_aside(fzi_picture *p, const fzi_shown_value *values,
                                         unsigned count)
{
    bool two = p->d.program->player_count == 2;
    const fzi_shown_value *bar = by_player(p, values, count, FZ_HINT_BAR);
    const fzi_shown_value *store = by_player(p, values, count, FZ_HINT_SEEDS);

    if (two && bar && fzi_has_bar(p)) {
        add_bar(p, bar);
        return bar;
    }
    if (two && store && p->style == FZI_STYLE_PITS) {
        add_stores(p, store);
        return store;
    }
    return NULL;
}
