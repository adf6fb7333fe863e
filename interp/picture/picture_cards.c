/* Draws cards for compose.c: values of the enums and variables that `view { cards ...; }` names,
 * below the board or in its place. What a viewer does not know lies face down; neither how many
 * cards it is nor whether it is one at all can be seen. */
#include "compose.h"

static const double wide = 0.74, high = 1.04, text = 0.34;
/* From one card to the next: suits and ranks stand at the left, other texts in the middle. */
static const double step = 0.56, apart = 0.8;
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

static bool is_set(const fz_program *program, const fz_variable *v)
{
    return program->types[v->type].kind == FZ_VALUE_MASK;
}

/* The type of one card of the variable. */
static uint16_t card_type(const fz_program *program, const fz_variable *v)
{
    return is_set(program, v) ? program->types[v->type].element : v->type;
}

bool fzi_picture_is_cards(const fz_program *program, const fz_variable *v)
{
    uint16_t type = card_type(program, v);

    if (v->hidden || v->index_count > 1 || v < program->variables ||
        v >= program->variables + program->variable_count)
        return false;
    if (program->types[type].kind == FZ_VALUE_NAMED && fzi_hint_find(program, FZ_HINT_CARDS, type))
        return true;
    return fzi_hint_find(program, FZ_HINT_HELD, v - program->variables);
}

bool fzi_picture_draws_type(const fzi_drawing *d, int type)
{
    const fz_program *program = d->program;
    const fz_value_type *given = &program->types[type];

    if (d->draws_dice && given->kind == FZ_VALUE_INT)
        return true;
    for (uint32_t i = 0; i < program->variable_count; i++) {
        const fz_variable *v = &program->variables[i];
        const fz_value_type *held = &program->types[card_type(program, v)];
        if (fzi_picture_is_cards(program, v) && held->kind == given->kind &&
            held->names == given->names && held->high == given->high)
            return true;
    }
    return false;
}

static int suit_of(const fz_program *program, int64_t card)
{
    const fz_hint *hint = fzi_hint_find(program, FZ_HINT_SUIT, card);

    return hint ? hint->b : -1;
}

/* Suits belong to the values of the one enum that has them. */
static bool type_has_suits(const fz_program *program, uint16_t type)
{
    return program->types[type].kind == FZ_VALUE_NAMED &&
           fzi_hint_find(program, FZ_HINT_CARDS, type) && suit_of(program, 0) >= 0;
}

static void card_text(const fz_program *program, uint16_t type, int64_t card, fzi_buffer *out)
{
    fzi_buffer_clear(out);
    fzi_value_text(program, type, card, false, out);
}

/* The length of the common beginning of the texts of all cards of the suit: the name of the
 * suit. */
static size_t suit_length(const fzi_picture *p, uint16_t type, int64_t card, int suit)
{
    fzi_buffer one = fzi_buffer_in(p->d.machine->allocator);
    fzi_buffer other = fzi_buffer_in(p->d.machine->allocator);

    card_text(p->d.program, type, card, &one);
    size_t common = one.length;
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

static fzi_shape *add_paper(fzi_picture *p, fzi_point at)
{
    return fzi_scene_box(p->scene, at, (fzi_point){at.x + wide, at.y + high}, FZI_PAINT_WHITE,
                         FZI_PAINT_EDGE, 0.025);
}

/* The rank and the suit stand at the left, since other cards cover the rest. */
static void add_card(fzi_picture *p, fzi_point at, uint16_t type, int64_t card)
{
    int suit = type_has_suits(p->d.program, type) ? suit_of(p->d.program, card) : -1;
    enum fzi_paint ink = suit >= 0 && suits[suit].red ? FZI_PAINT_RED : FZI_PAINT_BLACK;
    fzi_buffer name = fzi_buffer_in(p->d.machine->allocator);
    size_t skipped = suit < 0 ? 0 : suit_length(p, type, card, suit);

    card_text(p->d.program, type, card, &name);
    fzi_shape *paper = add_paper(p, at);
    paper->role = FZI_ROLE_CARD;
    fzi_scene_name(p->scene, paper, fzi_buffer_get(&name));
    const char *rank = fzi_buffer_get(&name) + (skipped < name.length ? skipped : 0);
    double width = fzi_label_width(rank), room = suit < 0 ? wide - 0.1 : 0.42;
    fzi_point middle = {at.x + (suit < 0 ? wide / 2 : 0.27), at.y + (suit < 0 ? high / 2 : 0.27)};
    fzi_scene_label(p->scene, middle, fmin(0.32, room / (width > 0 ? width : 1)), ink, rank);
    if (suit >= 0)
        fzi_scene_label(p->scene, (fzi_point){middle.x, at.y + 0.7}, 0.34, ink, suits[suit].sign);
    fzi_buffer_free(&name);
}

/* The point of a box at the shares `part` of its width and height. */
static fzi_point inside(fzi_point low, fzi_point end, fzi_point part)
{
    return (fzi_point){low.x + part.x * (end.x - low.x), low.y + part.y * (end.y - low.y)};
}

/* A lattice in a frame. A closed hand is three of them. */
static void add_back(fzi_picture *p, fzi_point at)
{
    const double rim = 0.07;
    fzi_point low = {at.x + rim, at.y + rim}, end = {at.x + wide - rim, at.y + high - rim};

    add_paper(p, at);
    fzi_scene_box(p->scene, low, end, FZI_PAINT_BLUE, FZI_PAINT_NONE, 0);
    for (int i = 1; i < 6; i++) {
        double right = fmin(1, i / 3.0), left = fmax(0, i / 3.0 - 1);
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            fzi_point a = {right, left}, b = {left, right};
            if (mirrored)
                a.x = 1 - a.x, b.x = 1 - b.x;
            fzi_scene_line(p->scene, inside(low, end, a), inside(low, end, b), FZI_PAINT_WHITE,
                           0.02);
        }
    }
}

/* The least card of a variable's value that is not below `from`; -1: there is none. A number that
 * may be 0 is no card then. */
static int64_t next_card(const fz_program *program, const fz_variable *v, int64_t value,
                         int64_t from)
{
    if (!is_set(program, v) && value == 0 && program->types[v->type].kind == FZ_VALUE_INT)
        return -1;
    if (!is_set(program, v))
        return value >= from ? value : -1;
    while (from < 64 && !((uint64_t)value >> from & 1))
        from++;
    return from < 64 ? from : -1;
}

/* Rows of cards, the first beside the label; the height of all. */
static double add_cards(fzi_picture *p, fzi_point at, const fz_variable *v, int64_t value)
{
    const fz_program *program = p->d.program;
    uint16_t type = card_type(program, v);
    double pitch = type_has_suits(program, type) ? step : apart;
    unsigned count = 0;

    for (int64_t c = -1; (c = next_card(program, v, value, c + 1)) >= 0;) {
        unsigned column = count % MOST_IN_ROW, row = count / MOST_IN_ROW;
        add_card(p, (fzi_point){at.x + column * pitch, at.y + row * (high + 0.1)}, type, c);
        p->high.x = fmax(p->high.x, at.x + column * pitch + wide);
        count++;
    }
    return (count + MOST_IN_ROW - 1) / MOST_IN_ROW * (high + 0.1);
}

/* True if no player sees the variable when it is hidden: then all elements share one card. */
static bool is_nobodys(const fz_program *program, const fz_variable *v)
{
    return !v->index_count || program->types[v->index[0]].kind != FZ_VALUE_PLAYER;
}

/* The cards of an element, from `at` on; their height. */
static double add_element(fzi_picture *p, fzi_point at, const fz_variable *v, uint32_t element)
{
    const double shift = 0.16;
    int backs = is_set(p->d.program, v) ? 3 : 1;

    if (fzi_element_visible(p->d.program, v, element, p->d.viewer))
        return add_cards(p, at, v, fzi_element_get(p->d.program, p->d.block, v, element));
    for (int i = 0; i < backs; i++)
        add_back(p, (fzi_point){at.x + i * shift, at.y});
    p->high.x = fmax(p->high.x, at.x + wide + (backs - 1) * shift);
    return high + 0.1;
}

/* False for elements without cards, and for hidden ones that share the card of the first. */
static bool has_row(const fzi_picture *p, const fz_variable *v, uint32_t element)
{
    const fz_program *program = p->d.program;

    if (!fzi_element_visible(program, v, element, p->d.viewer))
        return element == 0 || !is_nobodys(program, v);
    return next_card(program, v, fzi_element_get(program, p->d.block, v, element), 0) >= 0;
}

static void add_row_label(fzi_picture *p, fzi_buffer *label, const fz_variable *v, uint32_t element)
{
    bool together = is_nobodys(p->d.program, v) &&
                    !fzi_element_visible(p->d.program, v, element, p->d.viewer);

    fzi_buffer_clear(label);
    fzi_name_words(p->d.program, v, label);
    if (!together && v->index_count) {
        fzi_buffer_text(label, ", ");
        fzi_picture_index(p, v, element, true, label);
    }
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
        for (uint32_t e = 0; fzi_picture_is_cards(program, v) && e < fzi_element_count(program, v);
             e++) {
            if (!has_row(p, v, e))
                continue;
            add_row_label(p, &label, v, e);
            width = fmax(width, text * fzi_label_width(fzi_buffer_get(&label)));
            if (!left)
                continue;
            fzi_point at = {p->low.x, p->high.y + 0.1};
            fzi_scene_label(p->scene, (fzi_point){at.x, at.y + high / 2}, text, FZI_PAINT_INK,
                            fzi_buffer_get(&label))->anchor = FZI_ANCHOR_LEFT;
            p->high.y += add_element(p, (fzi_point){at.x + *left, at.y}, v, e);
        }
    }
    fzi_buffer_free(&label);
    return width;
}

void fzi_picture_cards(fzi_picture *p)
{
    double left = each_element(p, NULL) + 0.3, top = p->high.y;

    if (left > 0.3)
        each_element(p, &left);
    p->high.y += p->high.y > top ? 0.2 : 0;
}
