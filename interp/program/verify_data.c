/* Verifies the parts of a program that are not code, for verify.c: texts, the board, types, tables,
 * variables and the initial state. */
#include <stdlib.h>

#include "interp/support/words.h"
#include "values.h"
#include "verify_parts.h"

/* No text of a valid script holds what a terminal may obey: control characters but line breaks and
 * tabs. */
static bool is_harmless(const char *text, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        unsigned char at = (unsigned char)text[i];
        if ((at && at < ' ' && (at < '\t' || at > '\r')) || at == 0x7F ||
            (at == 0xC2 && i + 1 < length && (unsigned char)text[i + 1] < 0xA0))
            return false;
    }
    return true;
}

/* ---- what program_rows.def says ---- */

static void want_word(fzi_verifier *c, uint32_t offset, const char *what, uint32_t number)
{
    fzi_want_text(c, offset, what, number);
    fzi_want(c, fzi_is_word(fzi_text(c->p, offset)), what, number);
}

static bool is_type(const fz_program *p, const fz_value_type *t)
{
    int64_t count = fzi_value_count(p, t);
    bool from = t->low == 0 || (t->kind == FZ_VALUE_NAMED && t->low == FZ_NOT_THERE);
    return t->kind <= FZ_VALUE_MASK && (t->kind >= FZ_VALUE_SITES || t->low <= t->high) &&
           (!count || (from && t->high == count - 1)) &&
           (t->kind != FZ_VALUE_MASK || p->types[t->element].kind < FZ_VALUE_SITES) &&
           (t->kind != FZ_VALUE_NAMED ||
            (t->high >= 0 &&
             fzi_inside(t->names, 2 * ((uint64_t)t->high + 1), p->name_list_length)));
}

/* A set exactly where the type says so. */
static bool is_variable(const fz_program *p, const fz_variable *v)
{
    bool sites = p->types[v->type].kind == FZ_VALUE_SITES;
    bool bits = v->is_bits && p->types[v->type].kind == FZ_VALUE_BOOL && v->index_count == 1 &&
                p->types[v->index[0]].kind == FZ_VALUE_SITE;
    return v->length && v->is_set == (sites || bits) && v->is_bits == bits;
}

/* Shown `let`s have no place in the state; all else is that of variables. */
static bool is_shown(const fz_program *p, const fz_shown *shown)
{
    const fz_variable *v = &shown->like;
    if (v->is_bits || v->hidden || fzi_element_count(p, v) != v->length ||
        shown->function >= p->function_count)
        return false;
    const fz_function *f = &p->functions[shown->function];
    return f->int_params == v->index_count + 1 && !f->set_params &&
           f->result == (v->is_set ? 2 : 1);
}

static bool is_native(const fz_native *n)
{
    unsigned sets = 0;
    for (unsigned k = 0; k < n->params && k < sizeof n->order; k++)
        sets += n->order[k];
    return n->params <= sizeof n->order && n->int_params + n->set_params == n->params &&
           sets == n->set_params && n->low <= n->high;
}

enum subject { NOTHING, SITE, KIND, PLAYER, SHAPE, PATTERN, TYPE, VARIABLE, VALUE, SUIT, NUMBER };

static uint32_t subjects(const fz_program *p, enum subject subject)
{
    switch (subject) {
    case SITE: return p->board.site_count;
    case KIND: return p->kind_count;
    case PLAYER: return p->player_count;
    case SHAPE: return FZ_SHAPES;
    case PATTERN: return FZ_PATTERNS;
    case TYPE: return p->type_count;
    case VARIABLE: return p->variable_count;
    case VALUE: return p->variable_count + p->shown_count;
    case SUIT: return FZ_SUITS;
    case NUMBER: return UINT32_MAX;
    default: return 1;
    }
}

static bool is_hint(const fz_program *p, const fz_hint *h)
{
    static const uint8_t rows[][2] = {
#define ROW(id, a, b, meaning) {a, b},
#include "views.def"
#undef ROW
    };
    return h->row < FZ_HINT_ROWS && h->a < subjects(p, rows[h->row][0]) &&
           h->b < subjects(p, rows[h->row][1]);
}

static bool is_step(const fz_program *p, const fz_test_step *step)
{
    switch (step->op) {
    case FZ_TEST_POSITION: return step->a >= -1 && step->a < p->player_count;
    case FZ_TEST_PERFT: case FZ_TEST_PERFT_DECISIONS: case FZ_TEST_MOVE_COUNT: return step->a >= 0;
    case FZ_TEST_SEEN_INCLUDE: case FZ_TEST_SEEN_EXCLUDE:
        return step->b >= 0 && step->b < p->player_count;
    case FZ_TEST_OUTCOME: return step->a >= 0 && step->b > 0;
    default: return step->op < FZ_TEST_OP_COUNT;
    }
}

#define N(field)
#define F(field) fzi_want_flag(c, item->field, what, number);
#define TEXT(field) fzi_want_text(c, item->field, what, number);
#define WORD(said, field) want_word(c, item->field, said, number);
#define LINE(said, field) fzi_want_line(c, item->field, "", said, number);
#define QUOTED(said, field) fzi_want_line(c, item->field, fzi_in_quotes, said, number);
#define WANT(said, holds) fzi_want(c, holds, said, number);
#define TYPE(field) fzi_want(c, item->field < c->p->type_count, what, number);
#define PLACE(field) fzi_want(c, item->field < c->p->place_count, what, number);
#define INSIDE(type, field) check_##type(c, &item->field, what, number);
#define LIST(count, most, field)                                                                   \
    fzi_want(c, (count) <= (most), what, number);                                                  \
    for (unsigned i = 0; i < (count); i++) {                                                       \
        field                                                                                      \
    }
#define ROW(type, fields)                                                                          \
    static void check_##type(fzi_verifier *c, const type *item, const char *what, uint32_t number) \
    {                                                                                              \
        const fz_program *p = c->p;                                                                \
        (void)p, (void)item, (void)what, (void)number;                                             \
        fields                                                                                     \
    }
#include "program_rows.def"

static void check_rows(fzi_verifier *c)
{
    const fz_program *p = c->p;
#define ARRAY(field, type, length, what)                                                           \
    for (uint32_t i = 0; i < p->length; i++)                                                       \
        check_##type(c, &p->field[i], what, i);
#define TEXTS(field, length, what)                                                                 \
    for (uint32_t i = 0; i < p->length; i++)                                                       \
        fzi_want_text(c, p->field[i], what, i);
#define NUMBERS(field, type, length)
#include "program_parts.def"
}

/* ---- what they do not say ---- */

static void check_counts(fzi_verifier *c)
{
    const fz_program *p = c->p;
    const fz_board *b = &p->board;
    fzi_want(c,
             p->text && p->text_length && !p->text[0] && !p->text[p->text_length - 1] &&
                 is_harmless(p->text, p->text_length),
             "texts", 0);
    fzi_want(c, fzi_is_width(b->words) && b->site_count && b->site_count <= b->words * 64, "sites",
             b->site_count);
    fzi_want(c, b->dir_count <= FZ_MAX_DIRS, "directions", b->dir_count);
    fzi_want(c, p->player_count >= 1 && p->player_count <= FZ_MAX_PLAYERS, "players",
             p->player_count);
    fzi_want(c, p->kind_count <= FZ_MAX_KINDS, "kinds", p->kind_count);
    fzi_want(c, !p->layout.at || (p->kind_count + 1) * (p->player_count + 1) <= UINT8_MAX, "kinds",
             p->kind_count);
    fzi_want(c, p->place_count >= 1 && p->source_count >= 1, "places", 0);
    fzi_want(c, p->team_count >= 1 && p->team_count <= p->player_count, "teams", p->team_count);
    fzi_want(c, p->has_teams || p->team_count == p->player_count, "teams", p->team_count);
    fzi_want_flag(c, p->has_teams, "teams", p->has_teams);
    fzi_want_flag(c, p->uses_repetitions, "repetitions", p->uses_repetitions);
    fzi_want_flag(c, p->uses_board_repetitions, "repetitions", p->uses_board_repetitions);
    fzi_want_flag(c, p->uses_chance, "chance", p->uses_chance);
    fzi_want_flag(c, p->unmarked, "pieces of nobody", p->unmarked);
    fzi_want(c, p->stack_limit != 1, "stacks up to", p->stack_limit);
    fzi_want(c, p->without < UINT64_C(1) << FZ_OPT_COUNT, "optimisations", p->without);
    fzi_want_line(c, p->title, fzi_in_quotes, "title", 0);
}

static void check_board(fzi_verifier *c)
{
    const fz_board *b = &c->p->board;
    uint64_t dirs = (UINT64_C(1) << b->dir_count) - 1;
    enum { FARTHEST = 4 * FZ_MAX_SITES }; /* a drawing has blanks up to there */
    fzi_want(c, b->shape < FZ_SHAPE_NONE || (b->shape == FZ_SHAPE_NONE && b->site_count == 1),
             "shape", b->shape);
    fzi_want_flag(c, b->on_vertices, "shape", b->on_vertices);
    fzi_want_flag(c, b->has_sorts, "sorts", b->has_sorts);
    fzi_want(c, (uint32_t)b->columns * b->rows <= 1 << 16, "columns", b->columns);
    fzi_want(c, !((b->orthogonal | b->diagonal | b->adjacent) & ~dirs), "kinds of directions", 0);
    for (uint32_t i = 0; i < (uint32_t)b->dir_count * b->site_count; i++)
        fzi_want(c, b->next[i] >= -1 && b->next[i] < b->site_count, "neighbour", i);
    for (uint32_t i = 0; i < b->site_count; i++) {
        fzi_want_text(c, b->site_names[i], "name of site", i);
        fzi_want(c, b->column[i] >= 0 && b->column[i] <= b->columns, "column of site", i);
        fzi_want(c, b->row[i] >= 0 && b->row[i] <= b->rows, "row of site", i);
        fzi_want(c, !b->column[i] == !b->row[i], "row of site", i);
        fzi_want(c, !b->has_sorts || b->sorts[i] < FZ_SORT_COUNT, "sort of site", i);
        fzi_want(c, abs(b->x[i]) <= FARTHEST && abs(b->y[i]) <= FARTHEST, "place of site", i);
    }
    for (uint32_t i = 0; i < b->dir_count; i++) {
        fzi_want_text(c, b->dir_names[i], "name of direction", i);
        fzi_want(c, b->opposite[i] <= b->dir_count, "opposite of direction", i);
    }
}

/* No bits beyond the last site. */
static bool clean(const fz_program *p, const uint64_t *set)
{
    for (unsigned i = 0; i < p->board.words; i++) {
        unsigned sites = p->board.site_count <= i * 64 ? 0 : p->board.site_count - i * 64u;
        if (sites < 64 && set[i] >> sites)
            return false;
    }
    return true;
}

static void check_tables(fzi_verifier *c)
{
    const fz_program *p = c->p;
    unsigned w = p->board.words;
    /* bounded: many tables of the same rows would be looked at for ever */
    uint64_t rows = 0, faces = 0;
    for (uint32_t i = 0; i < p->set_table_count; i++) {
        const fz_set_table *t = &p->set_tables[i];
        fzi_want(c, (rows += t->rows) <= 1 << 24, "rows of table", i);
        for (uint32_t row = 0; row < t->rows; row++)
            fzi_want(c, clean(p, p->set_pool + t->first + (size_t)row * w), "row of table", i);
    }
    for (uint32_t i = 0; i < p->die_count; i++) {
        const fz_die *die = &p->dice[i];
        uint64_t total = 0;
        fzi_want(c, (faces += die->faces) <= 1 << 24, "faces of die", i);
        for (uint32_t f = 0; f < die->faces; f++) {
            const fz_face *face = &p->faces[die->first + f];
            fzi_want(c,
                     face->value >= p->types[die->type].low &&
                         face->value <= p->types[die->type].high,
                     "die", i);
            total += face->weight;
        }
        fzi_want(c, total && total <= UINT32_MAX, "weights of die", i);
    }
}

/* ---- variables and layout ---- */

/* Is the value one of the type's, or what reading at `off` gives? */
static bool fits(const fz_program *p, const fz_variable *v, int64_t value)
{
    const fz_value_type *t = &p->types[v->type];
    if (t->kind == FZ_VALUE_MASK) {
        int64_t members = fzi_value_count(p, &p->types[t->element]);
        uint64_t high = (uint64_t)p->types[t->element].high;
        uint64_t most = members ? (uint64_t)members - 1 : high < 63 ? high : 63;
        return most >= 31 || !((uint64_t)(uint32_t)value >> (most + 1));
    }
    bool absent = t->kind != FZ_VALUE_INT && t->kind != FZ_VALUE_BOOL && value == FZ_NOT_THERE;
    return absent || value == v->initial || (value >= t->low && value <= t->high);
}

static void check_initial(fzi_verifier *c)
{
    const fz_program *p = c->p;
    const fz_layout *l = &p->layout;
    unsigned w = p->board.words;
    uint32_t sets = (l->sets - l->own) / 8 / w + l->set_count;
    fzi_want(c, p->initial && p->initial_length == l->frames - l->own, "initial state", 0);
    for (uint32_t i = 0; i < sets; i++) {
        uint64_t set[FZ_MAX_WORDS];
        memcpy(set, p->initial + (size_t)i * w * 8, w * 8u);
        fzi_want(c, clean(p, set), "initial set", i);
    }
    const int32_t *ints = (const int32_t *)(const void *)(p->initial + (l->ints - l->own));
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        bool wide = fzi_variable_is_wide(p, v);
        for (uint32_t e = 0; !v->is_set && !wide && e < v->length; e++)
            fzi_want(c, fits(p, v, ints[v->offset + e]), "initial value of variable", i);
        for (uint32_t e = 0; wide && e < v->length; e++) {
            uint64_t mask = (uint64_t)fzi_mask_get(ints + v->offset + 2 * (size_t)e);
            fzi_want(c, !(mask & ~fzi_mask_all(p, &p->types[v->type])), "initial value of variable",
                     i);
        }
    }
    /* Set-up puts the pieces: before it, sets of owners and kinds and the byte board agree in being
     * empty. */
    for (uint32_t i = 0; i < l->sets - l->own; i++)
        fzi_want(c, !p->initial[i], "pieces before set-up", i);
    for (uint32_t i = 0; l->at && i < p->board.site_count; i++)
        fzi_want(c, !p->initial[l->at - l->own + i], "pieces before set-up", i);
}

/* The layout is what the counts and the code make it: nothing else would fit the loop. */
void fzi_verify_layout(fzi_verifier *c)
{
    const fz_program *p = c->p;
    fz_program again = fzi_program_view(p);
    fz_variable *variables = fzi_allocate(c->allocator, p->variable_count * sizeof *variables);
    if (!variables)
        longjmp(c->give_up, 1);
    if (p->variable_count)
        memcpy(variables, p->variables, p->variable_count * sizeof *variables);
    again.variables = variables;
    memset(&again.layout, 0, sizeof again.layout);
    fzi_layout_make(&again, variables);
    bool same = !memcmp(&again.layout, &p->layout, sizeof again.layout);
    for (uint32_t i = 0; same && i < p->variable_count; i++)
        same = variables[i].offset == p->variables[i].offset;
    fzi_release(c->allocator, variables);
    fzi_want(c, same, "layout", 0);
    check_initial(c);
}

void fzi_verify_data(fzi_verifier *c)
{
    const fz_program *p = c->p;
    uint64_t elements = 0;
    check_counts(c);
    check_board(c);
    check_rows(c);
    for (uint32_t i = 0; i < p->name_list_length; i++)
        want_word(c, p->name_lists[i], "name of value", i);
    check_tables(c);
    for (uint32_t i = 0; i < p->shown_count; i++)
        elements += p->shown[i].like.length;
    fzi_want(c, elements <= 1 << 20, "shown values:", p->shown_count);
    fzi_want(c, fzi_variable_bytes(p) <= FZ_MAX_VARIABLE_BYTES, "variables:", p->variable_count);
}
