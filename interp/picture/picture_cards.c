/* Cards: values of the enum that `view { cards ...; }` names, below the board or in its place. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <math.h>
#include <string.h>

#include "interp/program/values.h"
#include "interp/program/variables.h"
#include "interp/vm/machine.h"
#include "compose.h"

static const double wide = 0.74, high = 1.04, step = 0.56, text = 0.34;
enum { MOST_IN_ROW = 13 };

static const struct {
    bool red;
    const char *sign;
} suits[] = {
#define SUIT(id, name, red, sign) {red, sign},
#include "interp/program/views.def"
#undef SUIT
};

/* ---- which values are cards ---- */

static bool is_card_type(const fz_program *program, uint16_t type)
{
    for (uint32_t i = 0; i < program->hint_count; i++) {
        if (program->hints[i].row == FZ_HINT_CARDS && program->hints[i].a == type)
            return program->types[type].kind == FZ_VALUE_NAMED;
    }
    return false;
}

static bool is_card_set(const fz_program *program, uint16_t type)
{
    return program->types[type].kind == FZ_VALUE_MASK &&
           is_card_type(program, program->types[type].element);
}

bool fzi_picture_draws(const fz_program *program, const fz_variable *v)
{
    return !v->hidden && v->index_count <= 1 &&
           (is_card_type(program, v->type) || is_card_set(program, v->type));
}

static int suit_of(const fz_program *program, int64_t card)
{
    for (uint32_t i = 0; i < program->hint_count; i++) {
        if (program->hints[i].row == FZ_HINT_SUIT && program->hints[i].a == card)
            return program->hints[i].b;
    }
    return -1;
}

static void card_text(const fz_program *program, uint16_t type, int64_t card, fzi_buffer *out)
{
    fzi_buffer_clear(out);
    fzi_value_write(program, type, card, out);
}

/* How much of its text all cards of the suit have: the text of the suit. */
static size_t suit_length(const fzi_picture *p, uint16_t type, int64_t card, int suit)
{
    fzi_buffer one = fzi_buffer_in(p->d.machine->allocator);
    fzi_buffer other = fzi_buffer_in(p->d.machine->allocator);
    size_t common;

    card_text(p->d.program, type, card, &one);
    common = one.length;
    for (int64_t c = 0; c <= p->d.program->types[type].high; c++) {
        size_t same = 0;
        if (c == card || suit_of(p->d.program, c) != suit)
            continue;
        card_text(p->d.program, type, c, &other);
        while (same < common && fzi_buffer_get(&one)[same] == fzi_buffer_get(&other)[same])
            same++;
        common = same;
    }
    fzi_buffer_free(&one);
    fzi_buffer_free(&other);
    return common;
}

/* ---- drawing ---- */

/* The rank and the suit stand at the left, which other cards do not cover. */
static void add_card(fzi_picture *p, fzi_point at, uint16_t type, int64_t card)
{
    fzi_point corners[] = {{at.x, at.y}, {at.x + wide, at.y}, {at.x + wide, at.y + high},
                           {at.x, at.y + high}};
    int suit = suit_of(p->d.program, card);
    enum fzi_paint ink = suit >= 0 && suits[suit].red ? FZI_PAINT_RED : FZI_PAINT_BLACK;
    fzi_buffer name = fzi_buffer_in(p->d.machine->allocator);
    size_t skipped = suit < 0 ? 0 : suit_length(p, type, card, suit);
    fzi_shape *shape = fzi_scene_add(p->scene, FZI_POLYGON, corners, 4);

    shape->fill = FZI_PAINT_WHITE;
    shape->stroke = FZI_PAINT_EDGE;
    shape->width = 0.025;
    card_text(p->d.program, type, card, &name);
    const char *rank = fzi_buffer_get(&name) + (skipped < name.length ? skipped : 0);
    double width = fzi_label_width(rank), room = suit < 0 ? wide - 0.1 : 0.42;
    fzi_point middle = {at.x + (suit < 0 ? wide / 2 : 0.27), at.y + (suit < 0 ? high / 2 : 0.27)};
    fzi_scene_label(p->scene, middle, fmin(0.32, room / (width > 0 ? width : 1)), ink, rank);
    if (suit >= 0)
        fzi_scene_label(p->scene, (fzi_point){middle.x, at.y + 0.7}, 0.34, ink, suits[suit].sign);
    fzi_buffer_free(&name);
}

/* The least card of a variable's value that is not below `from`; -1: there is none. */
static int64_t next_card(const fz_program *program, const fz_variable *v, int64_t value,
                         int64_t from)
{
    if (program->types[v->type].kind != FZ_VALUE_MASK)
        return value >= from ? value : -1;
    while (from < 64 && !((uint64_t)value >> from & 1))
        from++;
    return from < 64 ? from : -1;
}

/* Rows of cards, the first beside the label; the height of all. */
static double add_cards(fzi_picture *p, fzi_point at, const fz_variable *v, int64_t value)
{
    const fz_program *program = p->d.program;
    uint16_t type = is_card_set(program, v->type) ? program->types[v->type].element : v->type;
    unsigned count = 0;

    for (int64_t c = -1; (c = next_card(program, v, value, c + 1)) >= 0;) {
        unsigned column = count % MOST_IN_ROW, row = count / MOST_IN_ROW;
        add_card(p, (fzi_point){at.x + column * step, at.y + row * (high + 0.1)}, type, c);
        p->high.x = fmax(p->high.x, at.x + column * step + wide);
        count++;
    }
    return (count + MOST_IN_ROW - 1) / MOST_IN_ROW * (high + 0.1);
}

/* For each element that has cards: measures its label, or with `left`, where the cards begin, draws
 * label and cards. The width of the widest label. */
static double each_element(fzi_picture *p, const double *left)
{
    const fz_program *program = p->d.program;
    fzi_buffer label = fzi_buffer_in(p->d.machine->allocator);
    double width = 0;

    for (uint32_t i = 0; i < program->variable_count; i++) {
        const fz_variable *v = &program->variables[i];
        for (uint32_t e = 0; fzi_picture_draws(program, v) && e < fzi_element_count(program, v);
             e++) {
            int64_t value = fzi_element_get(program, p->d.block, v, e);
            if (next_card(program, v, value, 0) < 0 ||
                !fzi_element_visible(program, v, e, p->d.viewer))
                continue;
            fzi_buffer_clear(&label);
            fzi_buffer_text(&label, fzi_text(program, v->name));
            fzi_element_index_write(program, v, e, &label);
            width = fmax(width, text * fzi_label_width(fzi_buffer_get(&label)));
            if (!left)
                continue;
            fzi_point at = {p->low.x, p->high.y + 0.1};
            fzi_scene_label(p->scene, (fzi_point){at.x, at.y + high / 2}, text, FZI_PAINT_INK,
                            fzi_buffer_get(&label))->anchor = FZI_ANCHOR_LEFT;
            p->high.y += add_cards(p, (fzi_point){at.x + *left, at.y}, v, value);
        }
    }
    fzi_buffer_free(&label);
    return width;
}

void fzi_picture_cards(fzi_picture *p)
{
    double left = 1.2 * each_element(p, NULL) + 0.2, top = p->high.y;

    if (left > 0.2)
        each_element(p, &left);
    p->high.y += p->high.y > top ? 0.2 : 0;
}
