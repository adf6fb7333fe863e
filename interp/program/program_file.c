/* Writing and reading compiled files. One function for each struct codes its fields in order, in
 * either direction, so that both always agree. See gamec.h. */
#include "program_file.h"

#include <stdio.h>
#include <string.h>

#include "interp/support/buffer.h"
#include "interp/support/text.h"
#include "layout.h"
#include "verify.h"

enum { HEAD_SIZE = FZ_GAMEC_HEAD, MAX_PARTS = 64 };

typedef struct coder {
    bool reading, failed;
    const char *what;           /* is wrong with the bytes */
    fzi_buffer out;
    const uint8_t *in, *end;
    fzi_allocator allocator;
    void *parts[MAX_PARTS];    /* arrays made while reading */
    unsigned part_count;
    fz_program *p;
} coder;

static const char short_memory[] = "out of memory";

static void fail(coder *c, const char *what)
{
    if (!c->failed)
        c->what = what;
    c->failed = true;
}

/* ---- numbers ---- */

/* Not inlined: it would be in hundreds of places, and the compiler would take seconds. */
__attribute__((noinline)) static void code_bytes(coder *c, uint64_t *value, unsigned size)
{
    uint8_t bytes[8];

    if (c->reading) {
        *value = 0;
        if ((size_t)(c->end - c->in) < size) {
            fail(c, "it ends too early");
            return;
        }
        for (unsigned i = 0; i < size; i++)
            *value |= (uint64_t)c->in[i] << 8 * i;
        c->in += size;
        return;
    }
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(*value >> 8 * i);
    fzi_buffer_add(&c->out, bytes, size);
}

#define CODE_NUMBER(name, type, size)                                                              \
    static void name(coder *c, type *value)                                                        \
    {                                                                                              \
        uint64_t wide = (uint64_t)*value;                                                          \
        code_bytes(c, &wide, size);                                                                \
        if (c->reading)                                                                            \
            *value = (type)wide;                                                                   \
    }
CODE_NUMBER(code_u8, uint8_t, 1)
CODE_NUMBER(code_i8, int8_t, 1)
CODE_NUMBER(code_u16, uint16_t, 2)
CODE_NUMBER(code_i16, int16_t, 2)
CODE_NUMBER(code_u32, uint32_t, 4)
CODE_NUMBER(code_i32, int32_t, 4)
CODE_NUMBER(code_u64, uint64_t, 8)
CODE_NUMBER(code_i64, int64_t, 8)
CODE_NUMBER(code_char, char, 1)
#undef CODE_NUMBER

/* A number that must be below a limit, such as an offset into the texts. */
static void code_below(coder *c, uint32_t *value, uint64_t limit)
{
    code_u32(c, value);
    if (c->reading && *value >= limit)
        fail(c, "a number in it is too large");
}

static void code_text(coder *c, uint32_t *offset)
{
    code_below(c, offset, c->p->text_length);
}

static void code_type(coder *c, uint16_t *type)
{
    code_u16(c, type);
    if (c->reading && *type >= c->p->type_count)
        fail(c, "it has a value of an unknown type");
}

static void code_place(coder *c, uint32_t *place)
{
    code_below(c, place, c->p->place_count ? c->p->place_count : 1);
}

/* A function's number, or -1. */
static void code_callee(coder *c, int32_t *function)
{
    code_i32(c, function);
    if (c->reading && (*function < -1 || *function >= (int32_t)c->p->function_count))
        fail(c, "it names a function that is not there");
}

static void code_range(coder *c, uint32_t first, uint64_t count, uint32_t length)
{
    if (c->reading && (first > length || count > length - first))
        fail(c, "a list in it reaches outside its table");
}

/* ---- structs, in the order of program.h ---- */

static void code_value_type(coder *c, fz_value_type *t)
{
    code_u8(c, &t->kind);
    code_u16(c, &t->element);
    code_i32(c, &t->low);
    code_i32(c, &t->high);
    code_u32(c, &t->names);
    if (!c->reading)
        return;
    if (t->kind > FZ_VALUE_MASK || t->element >= c->p->type_count ||
        (t->kind < FZ_VALUE_SITES && t->low > t->high))
        fail(c, "a type in it means nothing");
    if (t->kind == FZ_VALUE_NAMED)
        code_range(c, t->names, (uint64_t)(t->high < 0 ? 0 : t->high) + 1, c->p->name_list_length);
}

static void code_variable(coder *c, fz_variable *v)
{
    code_text(c, &v->name);
    code_u32(c, &v->offset);
    code_u32(c, &v->length);
    code_type(c, &v->type);
    code_u8(c, &v->is_set);
    code_u8(c, &v->is_bits);
    code_u8(c, &v->carried);
    code_u8(c, &v->clock);
    code_u8(c, &v->secret);
    code_u8(c, &v->shown);
    code_u8(c, &v->hidden);
    code_u8(c, &v->index_count);
    if (c->reading && (v->index_count > 4 || v->length > 1u << 20))
        fail(c, "a variable in it is too large");
    for (unsigned i = 0; i < 4; i++) {
        if (i < v->index_count)
            code_type(c, &v->index[i]);
    }
    code_i32(c, &v->initial);
}

static void code_shown(coder *c, fz_shown *s)
{
    code_variable(c, &s->like);
    code_below(c, &s->function, c->p->function_count);
    code_text(c, &s->mark);
}

static void code_hint(coder *c, fz_hint *h)
{
    code_u8(c, &h->row);
    code_u16(c, &h->a);
    code_u16(c, &h->b);
}

static void code_function(coder *c, fz_function *f)
{
    code_text(c, &f->name);
    code_u32(c, &f->start);
    code_u32(c, &f->end);
    code_u8(c, &f->int_params);
    code_u8(c, &f->set_params);
    code_u8(c, &f->ints);
    code_u8(c, &f->sets);
    code_u8(c, &f->result);
    code_u8(c, &f->flags);
}

static void code_filter(coder *c, fz_filter *f)
{
    code_u32(c, &f->code);
    code_u32(c, &f->choice);
    code_u8(c, &f->kind);
    code_u8(c, &f->keys);
    code_u8(c, &f->bounded);
}

static void code_option(coder *c, fz_option_info *o)
{
    code_u32(c, &o->choice);
    code_u32(c, &o->effect);
    code_u32(c, &o->label);
    code_u32(c, &o->shown);
    code_u8(c, &o->first);
    code_u8(c, &o->bindings);
    code_i8(c, &o->from);
    code_i8(c, &o->to);
    if (c->reading && o->bindings > FZ_MAX_BINDINGS)
        fail(c, "an option in it binds too much");
    for (unsigned i = 0; i < o->bindings && i < FZ_MAX_BINDINGS; i++) {
        code_type(c, &o->types[i]);
        code_text(c, &o->names[i]);
    }
    code_u32(c, &o->first_filter);
    code_u8(c, &o->filters);
    code_place(c, &o->place);
    code_range(c, o->first_filter, o->filters, c->p->filter_list_length);
}

static void code_choice(coder *c, fz_choice *x)
{
    code_u32(c, &x->function);
    code_u32(c, &x->start);
    code_u32(c, &x->first_option);
    code_u32(c, &x->options);
    code_u32(c, &x->filter);
    code_u8(c, &x->filters);
    code_u8(c, &x->filtered);
    code_u8(c, &x->last);
    code_place(c, &x->place);
    code_u32(c, &x->sealed);
    code_range(c, x->filter, x->filters, c->p->filter_list_length);
}

static void code_die(coder *c, fz_die *d)
{
    code_text(c, &d->name);
    code_type(c, &d->type);
    code_u32(c, &d->first);
    code_u32(c, &d->faces);
    code_range(c, d->first, d->faces, c->p->face_count);
}

static void code_face(coder *c, fz_face *f)
{
    code_i32(c, &f->value);
    code_u32(c, &f->weight);
}

static void code_int_table(coder *c, fz_int_table *t)
{
    code_u32(c, &t->first);
    code_u32(c, &t->length);
    code_i32(c, &t->initial);
    code_range(c, t->first, t->length, c->p->int_pool_length);
}

static void code_set_table(coder *c, fz_set_table *t)
{
    code_u32(c, &t->first);
    code_u32(c, &t->rows);
    code_range(c, t->first, (uint64_t)t->rows * c->p->board.words, c->p->set_pool_length);
}

static void code_place_info(coder *c, fz_place *p)
{
    code_below(c, &p->source, c->p->source_count ? c->p->source_count : 1);
    code_u32(c, &p->start);
    code_u32(c, &p->end);
}

static void code_line(coder *c, fz_line *l)
{
    code_u32(c, &l->code);
    code_place(c, &l->place);
}

static void code_removed(coder *c, fz_removed_rule *r)
{
    code_place(c, &r->place);
    code_u8(c, &r->is_option);
}

static void code_source(coder *c, fz_source_info *s)
{
    code_text(c, &s->path);
    code_text(c, &s->text);
    code_u32(c, &s->text_length);
    code_range(c, s->text, s->text_length, c->p->text_length);
}

static void code_kind(coder *c, fz_kind_info *k)
{
    code_text(c, &k->name);
    code_text(c, &k->letter);
}

static void code_player(coder *c, fz_player_info *p)
{
    code_text(c, &p->name);
    code_i8(c, &p->team);
    code_i8(c, &p->facing);
    if (c->reading && (p->team < 0 || (uint32_t)p->team >= c->p->team_count))
        fail(c, "a player in it has no team");
}

static void code_setting(coder *c, fz_option_choice *o)
{
    code_text(c, &o->name);
    code_text(c, &o->value);
    code_text(c, &o->initial);
    code_text(c, &o->values);
    code_text(c, &o->comment);
    code_i64(c, &o->low);
    code_i64(c, &o->high);
    code_u8(c, &o->type);
    code_u8(c, &o->is_default);
}

static void code_info(coder *c, fz_info_entry *i)
{
    code_text(c, &i->key);
    code_text(c, &i->value);
}

static void code_native(coder *c, fz_native *n)
{
    code_text(c, &n->name);
    code_text(c, &n->library);
    code_text(c, &n->symbol);
    code_u8(c, &n->int_params);
    code_u8(c, &n->set_params);
    for (unsigned i = 0; i < sizeof n->order; i++)
        code_u8(c, &n->order[i]);
    code_u8(c, &n->params);
    code_i32(c, &n->low);
    code_i32(c, &n->high);
    if (c->reading && (n->params > sizeof n->order || n->int_params + n->set_params != n->params))
        fail(c, "a native function in it has too many parameters");
}

static void code_test(coder *c, fz_test_info *t)
{
    code_text(c, &t->title);
    code_u32(c, &t->first);
    code_u32(c, &t->steps);
    code_place(c, &t->place);
    code_range(c, t->first, t->steps, c->p->step_count);
}

static bool has_function(const fz_test_step *s)
{
    return s->op == FZ_TEST_DO || s->op == FZ_TEST_EXPECT || s->op == FZ_TEST_OUTCOME ||
           s->op == FZ_TEST_PART;
}

static void code_step(coder *c, fz_test_step *s)
{
    code_u8(c, &s->op);
    code_text(c, &s->text);
    code_callee(c, &s->function);
    code_i64(c, &s->a);
    code_i64(c, &s->b);
    code_place(c, &s->place);
    if (!c->reading)
        return;
    if (s->op >= FZ_TEST_OP_COUNT || (has_function(s) && s->function < 0) ||
        (s->op == FZ_TEST_POSITION && (s->a < -1 || s->a >= c->p->player_count)))
        fail(c, "a test in it means nothing");
}

/* ---- arrays ---- */

/* Room for an array while reading; the limit is what the bytes that are left can hold. */
static void *begin_array(coder *c, const void *array, uint64_t count, size_t item)
{
    void *made;

    if (!c->reading)
        return (void *)(uintptr_t)array;
    if (count > (uint64_t)(c->end - c->in)) {
        fail(c, "it ends too early");
        return NULL;
    }
    made = c->part_count < MAX_PARTS ? fzi_allocate(c->allocator, (size_t)count * item) : NULL;
    if (!made) {
        fail(c, short_memory);
        return NULL;
    }
    memset(made, 0, (size_t)count * item);
    c->parts[c->part_count++] = made;
    return made;
}

#define ITEMS(field, type, count, function)                                                        \
    do {                                                                                           \
        type *items = begin_array(c, c->p->field, (count), sizeof(type));                          \
        for (uint64_t i = 0; items && i < (uint64_t)(count) && !c->failed; i++)                    \
            function(c, &items[i]);                                                                \
        c->p->field = items;                                                                       \
    } while (0)

static void code_counts(coder *c)
{
    fz_program *p = c->p;
    uint32_t *counts[] = {
        &p->text_length, &p->code_length, &p->function_count, &p->variable_count, &p->shown_count,
        &p->hint_count, &p->type_count,
        &p->name_list_length, &p->int_table_count, &p->int_pool_length, &p->set_table_count,
        &p->set_pool_length, &p->choice_count, &p->option_count, &p->filter_count,
        &p->filter_list_length, &p->die_count, &p->face_count, &p->native_count, &p->place_count,
        &p->line_count, &p->removed_count, &p->source_count, &p->player_count, &p->team_count,
        &p->kind_count,
        &p->setting_count, &p->info_count, &p->test_count, &p->step_count,
    };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        code_u32(c, counts[i]);
    if (c->reading &&
        (p->text_length == 0 || p->player_count < 1 || p->player_count > FZ_MAX_PLAYERS ||
         p->kind_count > FZ_MAX_KINDS || p->team_count < 1 || p->team_count > FZ_MAX_PLAYERS ||
         p->type_count > 65535))
        fail(c, "its counts are none of a program");
}

static void code_texts(coder *c)
{
    fz_program *p = c->p;

    ITEMS(text, char, p->text_length, code_char);
    if (c->reading && !c->failed && (p->text[0] || p->text[p->text_length - 1]))
        fail(c, "its texts have no end");
    code_text(c, &p->title);
}

static void code_site(coder *c, int16_t *site)
{
    code_i16(c, site);
    if (c->reading && (*site < -1 || *site >= c->p->board.site_count))
        fail(c, "its board leads to a site that is not there");
}

static void code_sort(coder *c, uint8_t *sort)
{
    code_u8(c, sort);
    if (c->reading && *sort >= FZ_SORT_COUNT)
        fail(c, "its board has a site of no sort");
}

static void code_board(coder *c)
{
    fz_board *b = &c->p->board;

    code_u8(c, &b->shape);
    code_u8(c, &b->on_vertices);
    code_u8(c, &b->has_sorts);
    code_u8(c, &b->words);
    code_u8(c, &b->dir_count);
    code_u16(c, &b->site_count);
    code_u16(c, &b->columns);
    code_u16(c, &b->rows);
    code_u32(c, &b->orthogonal);
    code_u32(c, &b->diagonal);
    code_u32(c, &b->adjacent);
    for (unsigned i = 0; i < FZ_MAX_DIRS; i++)
        code_u8(c, &b->opposite[i]);
    if (c->reading &&
        (b->shape > FZ_SHAPE_NONE || !fzi_is_width(b->words) || b->dir_count > FZ_MAX_DIRS ||
         b->site_count < 1 || b->site_count > b->words * 64)) {
        fail(c, "its board is none");
        return;
    }
    for (unsigned i = 0; i < b->dir_count; i++) {
        if (c->reading && b->opposite[i] > b->dir_count)
            fail(c, "its board is none");
    }
    ITEMS(board.next, int16_t, (uint64_t)b->dir_count * b->site_count, code_site);
    ITEMS(board.column, int16_t, b->site_count, code_i16);
    ITEMS(board.row, int16_t, b->site_count, code_i16);
    ITEMS(board.x, int16_t, b->site_count, code_i16);
    ITEMS(board.y, int16_t, b->site_count, code_i16);
    ITEMS(board.sorts, uint8_t, b->has_sorts ? b->site_count : 0u, code_sort);
    ITEMS(board.site_names, uint32_t, b->site_count, code_text);
    ITEMS(board.dir_names, uint32_t, b->dir_count, code_text);
}

/* Later parts are checked against earlier ones. */
static void code_tables(coder *c)
{
    fz_program *p = c->p;

    ITEMS(types, fz_value_type, p->type_count, code_value_type);
    ITEMS(name_lists, uint32_t, p->name_list_length, code_text);
    ITEMS(sources, fz_source_info, p->source_count, code_source);
    ITEMS(places, fz_place, p->place_count, code_place_info);
    ITEMS(lines, fz_line, p->line_count, code_line);
    ITEMS(removed, fz_removed_rule, p->removed_count, code_removed);
    ITEMS(team_names, uint32_t, p->team_count, code_text);
    ITEMS(players, fz_player_info, p->player_count, code_player);
    ITEMS(kinds, fz_kind_info, p->kind_count, code_kind);
    ITEMS(settings, fz_option_choice, p->setting_count, code_setting);
    ITEMS(info, fz_info_entry, p->info_count, code_info);
    ITEMS(int_tables, fz_int_table, p->int_table_count, code_int_table);
    ITEMS(int_pool, int32_t, p->int_pool_length, code_i32);
    ITEMS(set_tables, fz_set_table, p->set_table_count, code_set_table);
    ITEMS(set_pool, uint64_t, p->set_pool_length, code_u64);
    ITEMS(dice, fz_die, p->die_count, code_die);
    ITEMS(faces, fz_face, p->face_count, code_face);
    ITEMS(natives, fz_native, p->native_count, code_native);
}

static void code_rules(coder *c)
{
    fz_program *p = c->p;

    ITEMS(code, fz_code, p->code_length, code_u32);
    ITEMS(functions, fz_function, p->function_count, code_function);
    ITEMS(variables, fz_variable, p->variable_count, code_variable);
    ITEMS(shown, fz_shown, p->shown_count, code_shown);
    ITEMS(hints, fz_hint, p->hint_count, code_hint);
    ITEMS(filter_lists, uint32_t, p->filter_list_length, code_u32);
    ITEMS(filters, fz_filter, p->filter_count, code_filter);
    ITEMS(choices, fz_choice, p->choice_count, code_choice);
    ITEMS(options, fz_option_info, p->option_count, code_option);
    ITEMS(tests, fz_test_info, p->test_count, code_test);
    ITEMS(steps, fz_test_step, p->step_count, code_step);
    code_callee(c, &p->setup);
    code_callee(c, &p->turn);
    code_callee(c, &p->end);
    code_callee(c, &p->limit);
    code_callee(c, &p->unseen);
    code_callee(c, &p->invisible);
    code_callee(c, &p->owned);
    code_callee(c, &p->payoff);
    code_i32(c, &p->limit_turns);
    code_u8(c, &p->has_teams);
    code_u8(c, &p->uses_repetitions);
    code_u8(c, &p->uses_board_repetitions);
    code_u8(c, &p->uses_chance);
    code_u8(c, &p->unmarked);
    code_u8(c, &p->pile_limit);
    code_below(c, &p->without, UINT64_C(1) << FZ_OPT_COUNT);
    if (c->reading && p->turn < 0)
        fail(c, "it has no turns");
}

/* The initial contents of a state: sets, then ints, then the byte board; where they lie follows
 * from the program, so the layout itself is not in the file. */
static void code_initial(coder *c)
{
    const fz_layout *l = &c->p->layout;
    uint8_t *initial = begin_array(c, c->p->initial, c->p->initial_length, 1);
    uint32_t sets = (l->ints - l->own) / 8, rest = l->ints + l->int_count * 4;

    for (uint32_t i = 0; initial && i < sets; i++)
        code_u64(c, (uint64_t *)(void *)(initial + 8 * (size_t)i));
    for (uint32_t i = 0; initial && i < l->int_count; i++)
        code_i32(c, (int32_t *)(void *)(initial + (l->ints - l->own) + 4 * (size_t)i));
    for (uint32_t at = rest; initial && at < l->stack; at++)
        code_u8(c, initial + (at - l->own));
    c->p->initial = initial;
}

/* Rejects variables whose elements do not fit their indexes, or that would not fit a state. */
static void check_variables(coder *c)
{
    uint64_t words = 0;

    for (uint32_t i = 0; i < c->p->variable_count; i++) {
        const fz_variable *v = &c->p->variables[i];
        uint64_t elements = 1;
        for (unsigned k = 0; k < v->index_count; k++) {
            const fz_value_type *t = &c->p->types[v->index[k]];
            int64_t low = t->kind == FZ_VALUE_NAMED ? 0 : t->low;
            int64_t size = t->kind == FZ_VALUE_SITE ? c->p->board.site_count
                                                    : (int64_t)t->high - low + 1;
            elements *= (uint64_t)size;
            if (size < 1 || elements > 1u << 20)
                fail(c, "a variable in it is too large");
        }
        /* A bool array over sites is one set. */
        if (v->is_bits && (!v->is_set || elements != c->p->board.site_count))
            fail(c, "a variable in it has another size than its indexes");
        if (!v->is_bits && !v->hidden && elements != v->length)
            fail(c, "a variable in it has another size than its indexes");
        words += (uint64_t)v->length *
                 (v->is_set ? c->p->board.words * 2u : fzi_variable_slots(c->p, v));
    }
    if (words > 1u << 24)
        fail(c, "its variables are too large");
}

/* Everything; the program points into the bytes' arrays when reading. */
static void code_program(coder *c)
{
    code_counts(c);
    if (!c->failed)
        code_texts(c);
    if (!c->failed)
        code_board(c);
    if (!c->failed)
        code_tables(c);
    if (!c->failed)
        code_rules(c);
    if (c->failed)
        return;
    if (c->reading) {
        check_variables(c);
        if (c->failed)
            return;
        fzi_layout_make(c->p, (fz_variable *)(uintptr_t)c->p->variables);
        c->p->initial_length = fzi_layout_initial_length(c->p);
    }
    code_initial(c);
}

/* ---- the head ---- */

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return fzi_text_hash(text, strlen(text) + 1, hash);
}

/* Changes whenever an instruction does, so that the head of a file shows which machine it is for.
 * */
static uint64_t fingerprint(void)
{
    uint64_t hash = FZI_HASH_START;

#define OP(name, operands, extension, flags, meaning)                                             \
    hash = mix_text(mix_text(mix_text(hash, #name), operands), extension);
#include "opcodes.def"
#undef OP
    return hash;
}

static uint64_t checksum(const uint8_t *bytes, size_t length)
{
    uint64_t hash = fzi_text_hash((const char *)bytes, length, FZI_HASH_START);

    return hash ^ hash >> 32;
}

static void put_number(uint8_t *at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get_number(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

void fzi_gamec_seal(char *bytes, size_t length)
{
    uint8_t *head = (uint8_t *)bytes;

    if (length < HEAD_SIZE)
        return;
    memcpy(head, FZ_GAMEC_MAGIC, 4);
    put_number(head + 4, FZ_GAMEC_VERSION, 4);
    put_number(head + 8, fingerprint(), 8);
    put_number(head + 16, length - HEAD_SIZE, 8);
    put_number(head + 24, checksum(head + HEAD_SIZE, length - HEAD_SIZE), 8);
}

fz_status fz_program_save(fz_context *context, const fz_program *program, char **bytes,
                          size_t *length)
{
    fz_program copy = fzi_program_view(program);
    coder c = {.out = fzi_buffer_in(context->allocator), .p = &copy};
    uint8_t head[HEAD_SIZE] = {0};
    char *saved;
    size_t size;

    fzi_buffer_add(&c.out, head, sizeof head);
    code_program(&c);
    size = c.out.length;
    if (fzi_buffer_finish(&c.out, &saved) != FZ_OK)
        return fzi_context_no_memory(context);
    fzi_gamec_seal(saved, size);
    if (length)
        *length = size;
    if (bytes)
        *bytes = saved;
    else
        fz_text_free(context, saved);
    return FZ_OK;
}

/* NULL when the head fits the bytes after it. */
static const char *check_head(const uint8_t *bytes, size_t length)
{
    if (length < HEAD_SIZE || memcmp(bytes, FZ_GAMEC_MAGIC, 4) != 0)
        return "it is no compiled game";
    if (get_number(bytes + 4, 4) != FZ_GAMEC_VERSION || get_number(bytes + 8, 8) != fingerprint())
        return "it was made by another version of ferz";
    if (get_number(bytes + 16, 8) != length - HEAD_SIZE)
        return "its length is not what it says";
    if (get_number(bytes + 24, 8) != checksum(bytes + HEAD_SIZE, length - HEAD_SIZE))
        return "its checksum is wrong";
    return NULL;
}

static fz_status refuse(fz_context *context, const char *path, const char *what)
{
    return fzi_context_fail(context, FZ_BAD_INPUT, "%s: this compiled file cannot be used: %s",
                            path, what);
}

/* Optimisations of how a program is played, which can be switched off in one that is made. */
enum { COMPILED = 0, PLAYED = 1 };
static const uint32_t played =
#define OPTIMISATION(id, name, part, meaning) (uint32_t)part << FZ_OPT_##id |
#include "optimisations.def"
#undef OPTIMISATION
    0;

fz_status fzi_gamec_load(fz_context *context, const char *path, const char *bytes, size_t length,
                         fz_program **program)
{
    fz_program view = {0};
    coder c = {.reading = true, .allocator = context->allocator, .p = &view};
    const char *what = check_head((const uint8_t *)bytes, length);
    char message[256];
    fz_program *made = NULL;

    if (what)
        return refuse(context, path, what);
    c.in = (const uint8_t *)bytes + HEAD_SIZE;
    c.end = (const uint8_t *)bytes + length;
    code_program(&c);
    if (!c.failed && c.in != c.end)
        fail(&c, "there is more in it than a program");
    if (!c.failed && !fzi_verify(&view, context->allocator, message, sizeof message))
        fail(&c, *message ? message : short_memory);
    if (!c.failed) {
        view.without |= context->without & played;
        made = fzi_program_make(context->allocator, &view);
        if (!made)
            fail(&c, short_memory);
    }
    for (unsigned i = 0; i < c.part_count; i++)
        fzi_release(context->allocator, c.parts[i]);
    if (c.failed)
        return c.what == short_memory
                 ? fzi_context_fail(context, FZ_NO_MEMORY, "%s: %s", path, c.what)
                 : refuse(context, path, c.what);
    *program = made;
    return FZ_OK;
}
