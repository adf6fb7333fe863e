/* Builds a program: arrays that grow, interned texts and tables, and the code of functions. The
 * code generator and all stages of lowering call it. */
#include "program_builder.h"

#include "interp/support/text.h"

static void array_init(fzi_array *array, size_t item_size)
{
    memset(array, 0, sizeof *array);
    array->item_size = item_size;
}

uint32_t fzi_array_add(fzi_build *b, fzi_array *array, const void *item)
{
    array->items =
        fzi_arena_grow(b->arena, array->items, array->count, &array->capacity, array->item_size);
    memcpy((char *)array->items + array->count * array->item_size, item, array->item_size);
    return (uint32_t)array->count++;
}

void fzi_build_init(fzi_build *b, fzi_game *game)
{
    static const fz_place nowhere;
    memset(b, 0, sizeof *b);
    b->game = game;
    b->arena = game->arena;
    array_init(&b->text, sizeof(char));
#define ARRAY(field, type, length, what) array_init(&b->field, sizeof(type));
#include "interp/program/program_parts.def"
    array_init(&b->ready, sizeof(uint8_t));
    array_init(&b->callees, sizeof(uint32_t));
    array_init(&b->named, sizeof(fzi_symbol *));
    array_init(&b->texts, sizeof(uint32_t));
    fzi_array_add(b, &b->text, "");
    fzi_array_add(b, &b->places, &nowhere);
    b->program.setup = b->program.turn = b->program.end = b->program.limit = -1;
    b->program.unseen = b->program.invisible = b->program.owned = b->program.payoff = -1;
}

/* ---- texts and places ---- */

static void texts_grow(fzi_build *b)
{
    fzi_array old = b->texts;
    size_t capacity = old.capacity ? old.capacity * 2 : 256;
    b->texts.items = fzi_arena_alloc(b->arena, capacity * sizeof(uint32_t));
    b->texts.capacity = capacity;
    for (size_t i = 0; i < old.capacity; i++) {
        uint32_t offset = *FZI_ITEM(old, uint32_t, i);
        if (!offset)
            continue;
        const char *text = (const char *)b->text.items + offset;
        size_t at = fzi_text_hash(text, strlen(text), FZI_HASH_START) & (capacity - 1);
        while (*FZI_ITEM(b->texts, uint32_t, at))
            at = (at + 1) & (capacity - 1);
        *FZI_ITEM(b->texts, uint32_t, at) = offset;
    }
}

uint32_t fzi_build_text_n(fzi_build *b, const char *text, size_t length)
{
    if (!length)
        return 0;
    if (b->texts.count * 2 >= b->texts.capacity)
        texts_grow(b);
    size_t mask = b->texts.capacity - 1, at = fzi_text_hash(text, length, FZI_HASH_START) & mask;
    for (uint32_t offset; (offset = *FZI_ITEM(b->texts, uint32_t, at)) != 0; at = (at + 1) & mask) {
        const char *there = (const char *)b->text.items + offset;
        if (strncmp(there, text, length) == 0 && there[length] == '\0')
            return offset;
    }
    uint32_t offset = (uint32_t)b->text.count;
    for (size_t i = 0; i < length; i++)
        fzi_array_add(b, &b->text, text + i);
    fzi_array_add(b, &b->text, "");
    *FZI_ITEM(b->texts, uint32_t, at) = offset;
    b->texts.count++;
    return offset;
}

uint32_t fzi_build_text(fzi_build *b, const char *text)
{
    return text ? fzi_build_text_n(b, text, strlen(text)) : 0;
}

uint32_t fzi_build_place(fzi_build *b, fzi_span span)
{
    const fz_place *last = FZI_ITEM(b->places, fz_place, b->places.count - 1);
    fz_place place = {span.source, span.start, span.end};
    if (memcmp(last, &place, sizeof place) == 0)
        return (uint32_t)b->places.count - 1;
    return fzi_array_add(b, &b->places, &place);
}

/* ---- value types ---- */

/* The nodes that name the values of an enum or die. */
static const fzi_node *type_list(const fzi_type *type)
{
    const fzi_node *node = type->symbol->node;
    if (node->kind == N_D_DIE)
        return node->faces;
    return type->has_none && !node->parts ? node->values->next : node->values;
}

/* The texts of the values, and after them their names. */
static uint32_t type_names(fzi_build *b, const fzi_type *type)
{
    uint32_t first = (uint32_t)b->name_lists.count;
    for (int names = 0; names < 2; names++) {
        for (const fzi_node *list = type_list(type); list; list = list->next) {
            const char *name = list->kind == N_FACE ? list->value->name : list->name;
            bool texted = !names && list->kind == N_NAME && list->text;
            uint32_t text = fzi_build_text(b, texted ? list->text : name);
            fzi_array_add(b, &b->name_lists, &text);
        }
    }
    return first;
}

static int value_kind(const fzi_type *type)
{
    switch (type->kind) {
    case FZI_TYPE_BOOL: return FZ_VALUE_BOOL;
    case FZI_TYPE_SITE: case FZI_TYPE_OFF: return FZ_VALUE_SITE;
    case FZI_TYPE_DIR: return FZ_VALUE_DIR;
    case FZI_TYPE_PLAYER: return FZ_VALUE_PLAYER;
    case FZI_TYPE_TEAM: return FZ_VALUE_TEAM;
    case FZI_TYPE_KIND: return FZ_VALUE_KIND;
    case FZI_TYPE_NAMED: return FZ_VALUE_NAMED;
    case FZI_TYPE_NOTHING: return FZ_VALUE_SITES;
    case FZI_TYPE_SET:
        return type->element->kind == FZI_TYPE_SITE ? FZ_VALUE_SITES : FZ_VALUE_MASK;
    default: return FZ_VALUE_INT;
    }
}

/* Types with names are few, as each use of one looks at all. */
uint16_t fzi_build_type(fzi_build *b, const fzi_type *type)
{
    enum { MAX_TYPES = 4096 };
    const fzi_symbol *symbol = type->kind == FZI_TYPE_NAMED ? type->symbol : NULL;
    fz_value_type value = {0};
    value.kind = (uint8_t)value_kind(type);
    value.low = type->low < INT32_MIN ? INT32_MIN : (int32_t)type->low;
    value.high = type->high > INT32_MAX ? INT32_MAX : (int32_t)type->high;
    if (value.kind == FZ_VALUE_BOOL)
        value.low = 0, value.high = 1;
    if (value.kind == FZ_VALUE_SITE)
        value.low = 0, value.high = (int32_t)b->game->board->site_count - 1;
    if (value.kind == FZ_VALUE_NAMED && type->has_none)
        value.low = FZ_NOT_THERE;
    if (value.kind == FZ_VALUE_MASK)
        value.element = fzi_build_type(b, type->element);
    for (uint32_t i = 0; i < b->types.count; i++) {
        fz_value_type *there = FZI_ITEM(b->types, fz_value_type, i);
        bool same = there->kind == value.kind && there->element == value.element &&
                    there->low == value.low && there->high == value.high;
        if (same && *FZI_ITEM(b->named, const fzi_symbol *, i) == symbol)
            return (uint16_t)i;
    }
    if (b->types.count == MAX_TYPES) {
        if (!b->failed)
            fzi_error(b->game->diags, symbol ? symbol->span : (fzi_span){0}, FZ_E_TOO_MANY,
                      "the game", MAX_TYPES + 1u, "types: enums, dice and ranges",
                      (unsigned)MAX_TYPES);
        b->failed = true;
        return 0;
    }
    fzi_array_add(b, &b->named, &symbol);
    if (value.kind == FZ_VALUE_NAMED)
        value.names = type_names(b, type);
    return (uint16_t)fzi_array_add(b, &b->types, &value);
}

/* ---- tables ---- */

uint32_t fzi_build_int_table(fzi_build *b, const int32_t *values, uint32_t count, int32_t initial)
{
    for (uint32_t i = 0; i < b->int_tables.count; i++) {
        const fz_int_table *there = FZI_ITEM(b->int_tables, fz_int_table, i);
        if (there->length == count && there->initial == initial &&
            memcmp(FZI_ITEM(b->int_pool, int32_t, there->first), values, sizeof *values * count) ==
                0)
            return i;
    }
    fz_int_table table = {(uint32_t)b->int_pool.count, count, initial};
    for (uint32_t i = 0; i < count; i++)
        fzi_array_add(b, &b->int_pool, &values[i]);
    return fzi_array_add(b, &b->int_tables, &table);
}

uint32_t fzi_build_set_table(fzi_build *b, const uint64_t *words, uint32_t rows)
{
    size_t count = (size_t)rows * b->program.board.words;
    for (uint32_t i = 0; i < b->set_tables.count; i++) {
        const fz_set_table *there = FZI_ITEM(b->set_tables, fz_set_table, i);
        if (there->rows == rows && memcmp(FZI_ITEM(b->set_pool, uint64_t, there->first), words,
                                          count * sizeof *words) == 0)
            return i;
    }
    fz_set_table table = {(uint32_t)b->set_pool.count, rows};
    for (size_t i = 0; i < count; i++)
        fzi_array_add(b, &b->set_pool, &words[i]);
    return fzi_array_add(b, &b->set_tables, &table);
}

fzi_table_mark fzi_tables_mark(const fzi_build *b)
{
    return (fzi_table_mark){b->int_tables.count, b->int_pool.count, b->set_tables.count,
                            b->set_pool.count};
}

void fzi_tables_drop(fzi_build *b, fzi_table_mark mark)
{
    b->int_tables.count = mark.int_tables;
    b->int_pool.count = mark.ints;
    b->set_tables.count = mark.set_tables;
    b->set_pool.count = mark.words;
}

/* ---- functions ---- */

uint32_t fzi_build_function(fzi_build *b, const char *name)
{
    fz_function function = {0};
    uint8_t ready = 0;
    function.name = fzi_build_text(b, name);
    fzi_array_add(b, &b->ready, &ready);
    return fzi_array_add(b, &b->functions, &function);
}

void fzi_function_begin(fzi_build *b, fzi_function_code *f, uint32_t index)
{
    memset(f, 0, sizeof *f);
    f->index = index;
    array_init(&f->code, sizeof(fz_code));
    array_init(&f->fixups, sizeof(uint32_t));
    array_init(&f->lines, sizeof(fz_line));
    array_init(&f->calls, sizeof(uint32_t));
    array_init(&f->stops, sizeof(fz_stop));
    b->depth++;
}

/* Code places in choices, options and filters are relative to their function until its code is
 * complete. Makes those of function `index` absolute. */
static void relocate_choices(fzi_build *b, uint32_t index, uint32_t start)
{
    for (uint32_t i = 0; i < b->choices.count; i++) {
        fz_choice *choice = FZI_ITEM(b->choices, fz_choice, i);
        if (choice->function != index)
            continue;
        choice->start += start;
        for (uint32_t k = 0; k < choice->options; k++) {
            fz_option_info *option = FZI_ITEM(b->options, fz_option_info, choice->first_option + k);
            option->effect += start;
            option->label += start;
            option->shown += start;
        }
    }
    for (uint32_t i = 0; i < b->filters.count; i++) {
        fz_filter *filter = FZI_ITEM(b->filters, fz_filter, i);
        if (FZI_ITEM(b->choices, fz_choice, filter->choice)->function == index)
            filter->code += start;
    }
}

void fzi_function_end(fzi_build *b, fzi_function_code *f, unsigned ints, unsigned sets)
{
    fz_function *function = FZI_ITEM(b->functions, fz_function, f->index);
    uint32_t start = (uint32_t)b->code.count;
    for (size_t i = 0; i < f->fixups.count; i++)
        *FZI_ITEM(f->code, fz_code, *FZI_ITEM(f->fixups, uint32_t, i)) += start;
    for (size_t i = 0; i < f->code.count; i++)
        fzi_array_add(b, &b->code, FZI_ITEM(f->code, fz_code, i));
    for (size_t i = 0; i < f->lines.count; i++) {
        fz_line line = *FZI_ITEM(f->lines, fz_line, i);
        line.code += start;
        fzi_array_add(b, &b->lines, &line);
    }
    for (size_t i = 0; i < f->stops.count; i++) {
        fz_stop stop = *FZI_ITEM(f->stops, fz_stop, i);
        stop.code += start;
        fzi_array_add(b, &b->stops, &stop);
    }
    for (size_t i = 0; i < f->calls.count; i++) {
        fzi_array_add(b, &b->callees, &f->index);
        fzi_array_add(b, &b->callees, FZI_ITEM(f->calls, uint32_t, i));
    }
    relocate_choices(b, f->index, start);
    function->start = start;
    function->end = (uint32_t)b->code.count;
    function->ints = (uint8_t)ints;
    function->sets = (uint8_t)sets;
    *FZI_ITEM(b->ready, uint8_t, f->index) = 1;
    b->depth--;
}

void fzi_function_drop(fzi_build *b, uint32_t index, size_t code_count)
{
    while (b->lines.count && FZI_ITEM(b->lines, fz_line, b->lines.count - 1)->code >= code_count)
        b->lines.count--;
    while (b->callees.count >= 2 && *FZI_ITEM(b->callees, uint32_t, b->callees.count - 2) == index)
        b->callees.count -= 2;
    b->code.count = code_count;
    b->functions.count = index;
    b->ready.count = index;
}

static bool function_ready(fzi_build *b, uint32_t index, uint8_t *seen)
{
    if (seen[index])
        return true;
    seen[index] = 1;
    if (!*FZI_ITEM(b->ready, uint8_t, index))
        return false;
    for (size_t i = 0; i + 1 < b->callees.count; i += 2) {
        if (*FZI_ITEM(b->callees, uint32_t, i) == index &&
            !function_ready(b, *FZI_ITEM(b->callees, uint32_t, i + 1), seen))
            return false;
    }
    return true;
}

bool fzi_function_ready(fzi_build *b, uint32_t index)
{
    return function_ready(b, index, fzi_arena_alloc(b->arena, b->functions.count));
}

uint32_t fzi_code_here(const fzi_function_code *f)
{
    return (uint32_t)f->code.count;
}

void fzi_code_add(fzi_build *b, fzi_function_code *f, fzi_span span, int op, unsigned a, unsigned x,
                  unsigned c)
{
    if (span.source) {
        uint32_t place = fzi_build_place(b, span);
        if (place != f->last_place) {
            fz_line line = {fzi_code_here(f), place};
            fzi_array_add(b, &f->lines, &line);
            f->last_place = place;
        }
    }
    fzi_code_word(b, f, FZ_CODE(op, a, x, c));
}

void fzi_code_begins(fzi_build *b, fzi_function_code *f, fzi_span span, fzi_code_start start)
{
    fz_line line = {start.code, fzi_build_place(b, span)};
    if (!span.source || fzi_code_here(f) == start.code)
        return;
    fzi_array_add(b, &f->lines, &line);
    for (size_t i = f->lines.count - 1; i > start.line; i--)
        *FZI_ITEM(f->lines, fz_line, i) = *FZI_ITEM(f->lines, fz_line, i - 1);
    *FZI_ITEM(f->lines, fz_line, start.line) = line;
}

void fzi_code_word(fzi_build *b, fzi_function_code *f, uint32_t word)
{
    fzi_array_add(b, &f->code, &word);
}

uint32_t fzi_code_target(fzi_build *b, fzi_function_code *f, uint32_t target)
{
    uint32_t where = fzi_code_here(f);
    fzi_code_word(b, f, target);
    fzi_array_add(b, &f->fixups, &where);
    return where;
}

void fzi_code_patch(fzi_function_code *f, uint32_t where, uint32_t target)
{
    *FZI_ITEM(f->code, fz_code, where) = target;
}

void fzi_build_view(fzi_build *b)
{
    fz_program *p = &b->program;
    p->text = b->text.items;
    p->text_length = (uint32_t)b->text.count;
#define ARRAY(field, type, length, what) \
    p->field = b->field.items; \
    p->length = (uint32_t)b->field.count;
#include "interp/program/program_parts.def"
}
