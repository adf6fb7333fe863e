/* Draws the values that stand beside no site for compose.c: as small tables by their index, players
 * first, with numbers, men, seeds and dice in them; sets of values as lines. */
#include "compose.h"

static const double size = 0.34, pitch = 0.52, gap = 0.5;

typedef struct values {
    fzi_picture *p;
    const fzi_shown_value *items;
    const fzi_shown_value *aside; /* drawn beside the board; NULL: none */
    unsigned count;
    double scale;
} values;

/* ---- which values ---- */

/* True for what the script keeps for its rules, and nobody asked for: all but what players have.
 * What is true or not of a player in several ways are rights, such as to castle. */
static bool is_counter(const fzi_drawing *d, const fz_variable *v)
{
    unsigned kind = d->program->types[v->type].kind;
    bool by_player =
        v->index_count == 1 && d->program->types[v->index[0]].kind == FZ_VALUE_PLAYER;
    bool place = fzi_element_is_set(v) || kind == FZ_VALUE_SITE || kind == FZ_VALUE_DIR;

    bool rights = kind == FZ_VALUE_BOOL && v->index_count > 1;

    return !v->shown && (rights || (!v->secret && (!by_player || v->clock || place)));
}

static bool is_tokens(const fzi_drawing *d, const fz_variable *v)
{
    return fzi_look_of(d, v) == FZ_HINT_TOKEN;
}

static bool is_listed(const fzi_drawing *d, const fz_variable *v)
{
    if (v->hidden || is_tokens(d, v) || fzi_picture_is_cards(d->program, v) ||
        (fzi_is_hand(d->program, v) && !v->secret))
        return false;
    if (fzi_look_of(d, v) >= 0)
        return !fzi_is_by_site(d->program, v);
    return fzi_is_listed(d, v) && !is_counter(d, v);
}

/* Lists them; `items` has room for all. */
static unsigned find_values(const fzi_drawing *d, fzi_shown_value *items)
{
    const fz_program *program = d->program;
    unsigned count = 0;

    for (uint32_t i = 0; i < program->variable_count; i++) {
        const fz_variable *v = &program->variables[i];
        if (is_listed(d, v))
            items[count++] = (fzi_shown_value){program, d->block, v, NULL, NULL};
    }
    for (unsigned i = 0; i < d->shown_count; i++) {
        const fzi_shown_value *v = &d->shown[i];
        if (v->program == &d->lets.layout && !v->mark && !fzi_is_on_sites(program, v->like) &&
            !is_tokens(d, v->like))
            items[count++] = *v;
    }
    return count;
}

/* ---- texts ---- */

/* A value without the braces of a set. */
static void add_value(const values *x, const fzi_shown_value *v, uint32_t element, fzi_buffer *out)
{
    fzi_buffer value = fzi_buffer_in(out->allocator);

    if (!fzi_shown_known(&x->p->d, v, element)) {
        fzi_buffer_char(out, '?');
        return;
    }
    fzi_element_write(v->program, v->block, v->like, element, &value);
    const char *text = fzi_buffer_get(&value);
    bool braces = *text == '{' && value.length >= 2;
    fzi_buffer_add(out, text + braces, value.length - 2 * braces);
    out->failed |= value.failed;
    fzi_buffer_free(&value);
}

static bool is_default(const values *x, const fzi_shown_value *v, uint32_t element)
{
    if (!fzi_shown_known(&x->p->d, v, element))
        return false;
    if (fzi_element_is_set(v->like)) {
        const uint64_t *set = fzi_element_sites(v->program, v->block, v->like, element);
        for (unsigned i = 0; i < v->program->board.words; i++)
            if (set[i])
                return false;
        return true;
    }
    return fzi_element_get(v->program, v->block, v->like, element) == v->like->initial;
}

/* The value of a row, or with more indexes, those that are not the default. */
static void row_text(const values *x, const fzi_shown_value *v, uint32_t first, uint32_t end,
                     fzi_buffer *out)
{
    bool truth = x->p->d.program->types[v->like->type].kind == FZ_VALUE_BOOL;

    fzi_buffer_clear(out);
    if (end == first + 1) {
        add_value(x, v, first, out);
        return;
    }
    for (uint32_t e = first; e < end; e++) {
        if (is_default(x, v, e))
            continue;
        fzi_buffer_text(out, out->length ? ", " : "");
        fzi_picture_index(x->p, v->like, e, false, out);
        if (!truth || !fzi_shown_known(&x->p->d, v, e)) {
            fzi_buffer_text(out, ": ");
            add_value(x, v, e, out);
        }
    }
}

/* ---- one value ---- */

static bool is_mask(const values *x, const fzi_shown_value *v)
{
    return x->p->d.program->types[v->like->type].kind == FZ_VALUE_MASK;
}

/* A table of its own, with a column for each player: values by player and something else, or sets
 * by player of few members. */
static bool is_grid(const values *x, const fzi_shown_value *v)
{
    enum { FEW = 24 };
    const fz_program *program = x->p->d.program;
    unsigned indexes = v->like->index_count;

    if (indexes == 0 || program->types[v->like->index[0]].kind != FZ_VALUE_PLAYER ||
        fzi_element_is_set(v->like) || fzi_look_of(&x->p->d, v->like) >= 0)
        return false;
    if (is_mask(x, v)) {
        const fz_value_type *member =
            &program->types[program->types[v->like->type].element];
        return indexes == 1 && member->kind == FZ_VALUE_NAMED && member->high < FEW;
    }
    return indexes == 2;
}

/* Other sets are written as lines. */
static bool is_line(const values *x, const fzi_shown_value *v)
{
    return fzi_element_is_set(v->like) || (is_mask(x, v) && !is_grid(x, v));
}

/* Dice by number are one value. */
static bool is_alone(const values *x, const fzi_shown_value *v)
{
    return v->like->index_count == 0 ||
           (fzi_look_of(&x->p->d, v->like) == FZ_HINT_DICE && v->like->index_count == 1 &&
            x->p->d.program->types[v->like->index[0]].kind == FZ_VALUE_INT);
}

static uint32_t rows_of(const values *x, const fzi_shown_value *v)
{
    return is_alone(x, v) ? 1 : fzi_index_size(v->program, v->like->index[0]);
}

static double add_label(const values *x, fzi_point at, enum fzi_paint paint, const char *label,
                        bool draw)
{
    if (draw)
        fzi_scene_label(x->p->scene, at, size * x->scale, paint, label)->anchor = FZI_ANCHOR_LEFT;
    return size * x->scale * fzi_label_width(label);
}

static double add_disc(const values *x, fzi_point at, enum fzi_paint paint, bool draw)
{
    if (draw)
        fzi_scene_circle(x->p->scene, (fzi_point){at.x + 0.15 * x->scale, at.y}, 0.13 * x->scale,
                         paint, FZI_PAINT_EDGE, 0.03 * x->scale);
    return 0.45 * x->scale;
}

/* A value that is a colour has a disc of it. */
static double add_swatch(const values *x, const fzi_shown_value *v, uint32_t element, fzi_point at,
                         bool draw)
{
    enum fzi_paint paint = FZI_PAINT_NONE;

    if (fzi_shown_known(&x->p->d, v, element))
        paint = fzi_picture_colour(x->p->d.program, v->like,
                                   fzi_element_get(v->program, v->block, v->like, element));
    if (paint && draw) {
        fzi_buffer name = fzi_buffer_in(x->p->d.machine->allocator);
        add_value(x, v, element, &name);
        fzi_picture_swatch(x->p, (fzi_point){at.x + 0.15 * x->scale, at.y}, 0.3 * x->scale,
                           fzi_buffer_get(&name));
        x->p->scene->failed |= name.failed;
        fzi_buffer_free(&name);
    }
    return paint ? add_disc(x, at, paint, draw) : 0;
}

/* Measures the value of a row, or draws it from `at` on. Returns its width. */
static double add_cell(const values *x, const fzi_shown_value *v, uint32_t row, fzi_point at,
                       bool draw)
{
    uint32_t each = fzi_element_count(v->program, v->like) / rows_of(x, v), first = row * each;
    bool players = !is_alone(x, v) &&
                   x->p->d.program->types[v->like->index[0]].kind == FZ_VALUE_PLAYER;

    if (fzi_look_of(&x->p->d, v->like) >= 0 && fzi_shown_known(&x->p->d, v, first))
        return fzi_things_row(x->p, at, 0.5 * x->scale, v, first, first + each,
                              players ? (int)row : -1, draw);
    fzi_buffer value = fzi_buffer_in(x->p->d.machine->allocator);
    row_text(x, v, first, first + each, &value);
    double swatch = each == 1 ? add_swatch(x, v, first, at, draw) : 0;
    double width = swatch + add_label(x, (fzi_point){at.x + swatch, at.y}, FZI_PAINT_INK,
                                      fzi_buffer_get(&value), draw);
    x->p->scene->failed |= value.failed;
    fzi_buffer_free(&value);
    return width;
}

static double add_header(const values *x, const fzi_shown_value *v, fzi_point at, bool draw)
{
    fzi_buffer name = fzi_buffer_in(x->p->d.machine->allocator);

    fzi_name_words(x->p->d.program, v->like, &name);
    double width = add_label(x, at, FZI_PAINT_FAINT, fzi_buffer_get(&name), draw);
    x->p->scene->failed |= name.failed;
    fzi_buffer_free(&name);
    return width;
}

/* ---- values without an index ---- */

/* From left to right, in as many lines as they need. */
static void add_alone(const values *x)
{
    fzi_picture *p = x->p;
    double least = 6, right = fmax(p->high.x, p->low.x + least), line = pitch * x->scale;
    fzi_point at = {p->low.x, p->high.y + line / 2};
    bool any = false;

    for (unsigned i = 0; !p->d.draws_dice && i < p->d.throw_count; i++) {
        at.x += fzi_picture_throw(p, at, line, p->d.throws[i]) +
                (i + 1 == p->d.throw_count ? gap * x->scale : 0);
        any = true;
    }
    for (unsigned i = 0; i < x->count; i++) {
        const fzi_shown_value *v = &x->items[i];
        bool dice = fzi_look_of(&p->d, v->like) == FZ_HINT_DICE;
        if (!is_alone(x, v) || is_line(x, v))
            continue;
        double name = dice ? 0 : add_header(x, v, at, false) + 0.2 * x->scale;
        double width = name + add_cell(x, v, 0, at, false);
        if (width <= 0)
            continue;
        if (at.x > p->low.x && at.x + width > right)
            at = (fzi_point){p->low.x, at.y + line};
        if (!dice)
            add_header(x, v, at, true);
        add_cell(x, v, 0, (fzi_point){at.x + name, at.y}, true);
        p->high.x = fmax(p->high.x, at.x + width);
        at.x += width + gap * x->scale;
        any = true;
    }
    if (any)
        p->high.y = at.y + line / 2;
}

/* ---- tables ---- */

static bool is_column(const values *x, const fzi_shown_value *v, uint16_t index)
{
    return v != x->aside && !is_alone(x, v) && !is_line(x, v) && !is_grid(x, v) &&
           v->like->index[0] == index;
}

/* Of long tables, and of values that are no numbers, rows of defaults are left out. */
static bool has_row(const values *x, uint16_t index, uint32_t row)
{
    enum { LONG = 12 };
    const fz_program *program = x->p->d.program;

    if (program->types[index].kind == FZ_VALUE_PLAYER)
        return true;
    for (unsigned i = 0; i < x->count; i++) {
        const fzi_shown_value *v = &x->items[i];
        if (!is_column(x, v, index))
            continue;
        uint32_t each = fzi_element_count(v->program, v->like) / rows_of(x, v);
        if (program->types[v->like->type].kind == FZ_VALUE_INT && rows_of(x, v) <= LONG)
            return true;
        for (uint32_t e = row * each; e < (row + 1) * each; e++)
            if (!is_default(x, v, e))
                return true;
    }
    return false;
}

/* The name of a row; a player's has a disc of the player's colour before it. */
static double add_row_name(const values *x, const fzi_shown_value *v, uint32_t row, fzi_point at,
                           bool draw)
{
    bool player = x->p->d.program->types[v->like->index[0]].kind == FZ_VALUE_PLAYER;
    fzi_buffer name = fzi_buffer_in(x->p->d.machine->allocator);
    double disc = player ? add_disc(x, at, fzi_owner_paint(x->p, (int)row), draw) : 0;
    uint32_t each = fzi_element_count(v->program, v->like) / rows_of(x, v);

    fzi_picture_index(x->p, v->like, row * each, true, &name);
    double width = disc + add_label(x, (fzi_point){at.x + disc, at.y}, FZI_PAINT_INK,
                                    fzi_buffer_get(&name), draw);
    x->p->scene->failed |= name.failed;
    fzi_buffer_free(&name);
    return width;
}

/* A column of the table of an index: the names of its rows, or a value if `v` is one. Returns where
 * the next column begins. */
static double add_column(const values *x, const fzi_shown_value *rows, const fzi_shown_value *v,
                         double left, double *bottom)
{
    fzi_picture *p = x->p;
    uint16_t index = rows->like->index[0];
    double line = pitch * x->scale, width = 0;
    fzi_point at = {left, p->high.y + line / 2};

    if (v)
        width = add_header(x, v, at, true);
    for (uint32_t row = 0; row < rows_of(x, rows); row++) {
        if (!has_row(x, index, row))
            continue;
        at.y += line;
        double wide = v ? add_cell(x, v, row, at, true) : add_row_name(x, rows, row, at, true);
        width = fmax(width, wide);
    }
    *bottom = at.y + line / 2;
    p->high.x = fmax(p->high.x, left + width);
    return left + width + gap * x->scale;
}

/* True if an earlier value is in the same table. */
static bool is_told(const values *x, unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        if (is_column(x, &x->items[i], x->items[number].like->index[0]))
            return true;
    return false;
}

static void add_tables(const values *x)
{
    for (unsigned i = 0; i < x->count; i++) {
        const fzi_shown_value *rows = &x->items[i];
        if (is_alone(x, rows) || !is_column(x, rows, rows->like->index[0]) || is_told(x, i))
            continue;
        double bottom, left = add_column(x, rows, NULL, x->p->low.x, &bottom);
        for (unsigned k = i; k < x->count; k++)
            if (is_column(x, &x->items[k], rows->like->index[0]))
                left = add_column(x, rows, &x->items[k], left, &bottom);
        x->p->high.y = bottom;
    }
}

/* ---- tables with a column for each player ---- */

/* The number of rows: values of the second index, or members of the set. */
static uint32_t grid_rows(const values *x, const fzi_shown_value *v)
{
    const fz_program *program = x->p->d.program;

    return is_mask(x, v)
               ? (uint32_t)program->types[program->types[v->like->type].element].high + 1
               : fzi_index_size(v->program, v->like->index[1]);
}

static void add_grid_name(const values *x, const fzi_shown_value *v, uint32_t row, fzi_buffer *out)
{
    const fz_program *program = x->p->d.program;

    fzi_buffer_clear(out);
    if (is_mask(x, v))
        fzi_value_text(program, program->types[v->like->type].element, row, false, out);
    else
        fzi_picture_index(x->p, v->like, row, false, out);
}

/* A member of a player's set is a dot. */
static double add_grid_cell(const values *x, const fzi_shown_value *v, uint32_t player,
                            uint32_t row, fzi_point at, bool draw)
{
    uint32_t element = is_mask(x, v) ? player : player * grid_rows(x, v) + row;
    fzi_buffer text = fzi_buffer_in(x->p->d.machine->allocator);
    double width;

    if (is_mask(x, v) && fzi_shown_known(&x->p->d, v, element)) {
        bool in = fzi_element_get(v->program, v->block, v->like, element) >> row & 1;
        fzi_buffer_free(&text);
        return in ? add_disc(x, at, FZI_PAINT_INK, draw) : 0;
    }
    if (!is_default(x, v, element))
        add_value(x, v, element, &text);
    width = is_mask(x, v) ? 0 : add_swatch(x, v, element, at, draw);
    width += add_label(x, (fzi_point){at.x + width, at.y}, FZI_PAINT_INK, fzi_buffer_get(&text),
                       draw);
    x->p->scene->failed |= text.failed;
    fzi_buffer_free(&text);
    return width;
}

/* Is there anything to see in the row? */
static bool has_grid_row(const values *x, const fzi_shown_value *v, uint32_t row)
{
    for (uint32_t p = 0; p < x->p->d.program->player_count; p++)
        if (add_grid_cell(x, v, p, row, (fzi_point){0, 0}, false) > 0)
            return true;
    return false;
}

/* The names of the rows (`player` is -1), or the values of a player below the player's name.
 * Returns the width. */
static double add_grid_column(const values *x, const fzi_shown_value *v, int player, fzi_point at)
{
    fzi_buffer name = fzi_buffer_in(x->p->d.machine->allocator);
    double disc = 0;

    if (player >= 0)
        disc = add_disc(x, at, fzi_owner_paint(x->p, player), true);
    double width = player < 0 ? add_header(x, v, at, true)
                              : disc + add_label(x, (fzi_point){at.x + disc, at.y}, FZI_PAINT_INK,
                                                 fzi_text(x->p->d.program,
                                                          x->p->d.program->players[player].name),
                                                 true);
    for (uint32_t row = 0; row < grid_rows(x, v); row++) {
        if (!has_grid_row(x, v, row))
            continue;
        at.y += pitch * x->scale;
        if (player < 0)
            add_grid_name(x, v, row, &name);
        double wide = player < 0
                          ? add_label(x, at, FZI_PAINT_INK, fzi_buffer_get(&name), true)
                          : add_grid_cell(x, v, (uint32_t)player, row, at, true);
        width = fmax(width, wide);
    }
    x->p->scene->failed |= name.failed;
    fzi_buffer_free(&name);
    return width;
}

static void add_grids(const values *x)
{
    fzi_picture *p = x->p;
    double line = pitch * x->scale;

    for (unsigned i = 0; i < x->count; i++) {
        const fzi_shown_value *v = &x->items[i];
        unsigned rows = 0;
        for (uint32_t row = 0; is_grid(x, v) && row < grid_rows(x, v); row++)
            rows += has_grid_row(x, v, row);
        if (rows == 0)
            continue;
        fzi_point at = {p->low.x, p->high.y + line / 2};
        for (int player = -1; player < (int)p->d.program->player_count; player++) {
            at.x += add_grid_column(x, v, player, at) + gap * x->scale;
            p->high.x = fmax(p->high.x, at.x - gap * x->scale);
        }
        p->high.y += (rows + 1) * line;
    }
}

/* ---- sets ---- */

static void add_lines(const values *x)
{
    fzi_buffer line = fzi_buffer_in(x->p->d.machine->allocator);

    for (unsigned i = 0; i < x->count; i++) {
        const fzi_shown_value *v = &x->items[i];
        for (uint32_t e = 0; is_line(x, v) && e < fzi_element_count(v->program, v->like); e++) {
            if (is_default(x, v, e))
                continue;
            fzi_buffer_clear(&line);
            fzi_name_words(x->p->d.program, v->like, &line);
            if (v->like->index_count) {
                fzi_buffer_text(&line, ", ");
                fzi_picture_index(x->p, v->like, e, true, &line);
            }
            fzi_buffer_text(&line, ": ");
            add_value(x, v, e, &line);
            fzi_buffer_char(&line, '\n');
            fzi_picture_lines(x->p, fzi_buffer_get(&line));
        }
    }
    x->p->scene->failed |= line.failed;
    fzi_buffer_free(&line);
}

fz_status fzi_picture_values(fzi_picture *p)
{
    size_t most = (size_t)p->d.program->variable_count + p->d.shown_count + 1;
    fzi_shown_value *items = fzi_allocate(p->d.machine->allocator, most * sizeof *items);

    if (!items)
        return fzi_machine_no_memory(p->d.machine);
    values x = {.p = p, .items = items, .scale = fzi_picture_scale(p)};
    x.count = find_values(&p->d, items);
    x.aside = fzi_picture_aside(p, items, x.count);
    add_alone(&x);
    add_tables(&x);
    add_grids(&x);
    add_lines(&x);
    fzi_release(p->d.machine->allocator, items);
    return FZ_OK;
}
