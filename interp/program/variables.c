/* Variables of a block: elements, and assignments as texts. See values.h. */
#include "values.h"

#include <stdio.h>

#include "interp/board/topology.h"
#include "interp/support/text.h"
#include "interp/support/words.h"

/* ---- elements ---- */

uint32_t fzi_index_size(const fz_program *program, uint16_t type)
{
    const fz_value_type *t = &program->types[type];

    return t->kind == FZ_VALUE_INT ? (uint32_t)((int64_t)t->high - t->low + 1)
                                   : (uint32_t)fzi_value_count(program, t);
}

static int64_t index_low(const fz_program *program, uint16_t type)
{
    return program->types[type].kind == FZ_VALUE_INT ? program->types[type].low : 0;
}

uint32_t fzi_element_count(const fz_program *program, const fz_variable *variable)
{
    uint32_t count = 1;

    for (unsigned i = 0; i < variable->index_count; i++)
        count *= fzi_index_size(program, variable->index[i]);
    return count;
}

bool fzi_element_count_sound(const fz_program *program, const fz_variable *variable)
{
    uint64_t count = 1;

    for (unsigned i = 0; i < variable->index_count; i++) {
        count *= fzi_index_size(program, variable->index[i]);
        if (count < 1 || count > 1 << 20)
            return false;
    }
    if (variable->is_bits)
        return variable->length == 1 && count == program->board.site_count;
    return variable->hidden || count <= variable->length;
}

static uint64_t *row_of(const fz_program *program, const uint8_t *block,
                        const fz_variable *variable, uint32_t set)
{
    size_t at = ((size_t)variable->offset + set) * program->board.words;

    return fzi_block_sets(block, program->layout.sets) + at;
}

static int32_t *int_at(const fz_program *program, const uint8_t *block, const fz_variable *variable,
                       uint32_t element)
{
    return (int32_t *)(uintptr_t)(block + program->layout.ints) + variable->offset +
           (size_t)element * fzi_variable_slots(program, variable);
}

const uint64_t *fzi_element_sites(const fz_program *program, const uint8_t *block,
                                  const fz_variable *variable, uint32_t element)
{
    return row_of(program, block, variable, element);
}

int64_t fzi_element_get(const fz_program *program, const uint8_t *block,
                        const fz_variable *variable, uint32_t element)
{
    unsigned sites = program->board.site_count;

    if (variable->is_bits)
        return fzi_words_has(row_of(program, block, variable, element / sites), element % sites);
    if (fzi_variable_is_wide(program, variable))
        return fzi_mask_get(int_at(program, block, variable, element));
    if (program->types[variable->type].kind == FZ_VALUE_MASK)
        return (uint32_t)*int_at(program, block, variable, element);
    return *int_at(program, block, variable, element);
}

void fzi_element_put(const fz_program *program, uint8_t *block, const fz_variable *variable,
                     uint32_t element, int64_t value)
{
    unsigned sites = program->board.site_count;

    if (!variable->is_bits && fzi_variable_is_wide(program, variable))
        fzi_mask_put(int_at(program, block, variable, element), value);
    else if (!variable->is_bits)
        *int_at(program, block, variable, element) = (int32_t)value;
    else if (value)
        fzi_words_add(row_of(program, block, variable, element / sites), element % sites);
    else
        fzi_words_drop(row_of(program, block, variable, element / sites), element % sites);
}

void fzi_element_put_sites(const fz_program *program, uint8_t *block, const fz_variable *variable,
                           uint32_t element, const uint64_t *set)
{
    fzi_words_copy(row_of(program, block, variable, element), set, program->board.words);
}

uint8_t *fzi_initial_clear(const fz_program *program, uint8_t *initial)
{
    uint8_t *block = (uint8_t *)((uintptr_t)initial - program->layout.own);

    memset(initial, 0, fzi_layout_initial_length(program));
    for (uint32_t i = 0; i < program->variable_count; i++) {
        const fz_variable *v = &program->variables[i];
        for (uint32_t e = 0; v->initial && !v->is_set && e < v->length; e++)
            fzi_element_put(program, block, v, e, v->initial);
        if (v->initial && v->is_bits)
            fzi_element_put_sites(program, block, v, 0, program->topology->all);
    }
    return block;
}

bool fzi_element_same(const fz_program *program, const uint8_t *a, const uint8_t *b,
                      const fz_variable *variable, uint32_t element)
{
    if (fzi_element_is_set(variable))
        return memcmp(row_of(program, a, variable, element), row_of(program, b, variable, element),
                      8u * program->board.words) == 0;
    return fzi_element_get(program, a, variable, element) ==
           fzi_element_get(program, b, variable, element);
}

void fzi_element_index_write(const fz_program *program, const fz_variable *variable,
                             uint32_t element, fzi_buffer *out)
{
    uint32_t below = fzi_element_count(program, variable);

    for (unsigned i = 0; i < variable->index_count; i++) {
        below /= fzi_index_size(program, variable->index[i]);
        fzi_buffer_text(out, i ? ", " : "[");
        fzi_value_text(program, variable->index[i],
                       index_low(program, variable->index[i]) + element / below, false, out);
        element %= below;
    }
    if (variable->index_count)
        fzi_buffer_char(out, ']');
}

void fzi_element_write(const fz_program *program, const uint8_t *block, const fz_variable *variable,
                       uint32_t element, fzi_buffer *out)
{
    if (fzi_element_is_set(variable))
        fzi_sites_text(program, fzi_element_sites(program, block, variable, element), out);
    else
        fzi_value_text(program, variable->type,
                       fzi_element_get(program, block, variable, element), false, out);
}

/* ---- assignments ---- */

const fz_variable *fzi_variable_find(const fz_program *program, const char *name, size_t length)
{
    for (uint32_t i = 0; i < program->variable_count; i++) {
        if (!program->variables[i].hidden &&
            fzi_slice_is(fzi_text(program, program->variables[i].name), name, length))
            return &program->variables[i];
    }
    return NULL;
}

typedef struct assignment {
    const fz_program *program;
    uint8_t *block;
    const fz_variable *variable;
    const char *value;
    size_t value_length;
} assignment;

static bool set_element(const assignment *a, uint32_t element)
{
    int64_t value;

    if (fzi_element_is_set(a->variable)) {
        uint64_t set[FZ_MAX_WORDS];
        if (!fzi_sites_read(a->program, a->value, a->value_length, set))
            return false;
        fzi_element_put_sites(a->program, a->block, a->variable, element, set);
        return true;
    }
    if (!fzi_value_read(a->program, a->variable->type, a->value, a->value_length, &value))
        return false;
    fzi_element_put(a->program, a->block, a->variable, element, value);
    return true;
}

/* Sets the elements of the indexes in text, "White, a1|b1"; says in `*bad_index` what was wrong. */
static bool set_elements(const assignment *a, const char *text, size_t length, bool *bad_index)
{
    const fz_variable *variable = a->variable;
    uint32_t element = 0;
    const char *item, *one;
    size_t item_length, one_length;

    *bad_index = true;
    for (unsigned i = 0; i < variable->index_count; i++) {
        uint16_t type = variable->index[i];
        uint32_t size = fzi_index_size(a->program, type);
        bool last = i + 1u == variable->index_count;
        if (!fzi_slice_next(&text, &length, ',', &item, &item_length))
            return false;
        while (fzi_slice_next(&item, &item_length, last ? '|' : '\1', &one, &one_length)) {
            int64_t place;
            if (!fzi_value_read(a->program, type, one, one_length, &place))
                return false;
            place -= index_low(a->program, type);
            if (place < 0 || place >= size)
                return false;
            if (!last) {
                element = element * size + (uint32_t)place;
            } else if (!set_element(a, element * size + (uint32_t)place)) {
                *bad_index = false;
                return false;
            }
        }
    }
    *bad_index = length != 0;
    return length == 0;
}

bool fzi_assignment_read(const fz_program *program, uint8_t *block, const char *text, size_t length,
                         char *message, size_t size)
{
    const char *equals = memchr(text, '=', length), *name = text, *open, *close;
    size_t name_length = equals ? (size_t)(equals - text) : 0;
    assignment a = {.program = program, .block = block};
    bool bad_index = false, good;

    if (!equals) {
        snprintf(message, size, "'%.*s' is no assignment", (int)length, text);
        return false;
    }
    a.value = equals + 1;
    a.value_length = length - name_length - 1;
    fzi_slice_strip(&a.value, &a.value_length);
    fzi_slice_strip(&name, &name_length);
    open = memchr(name, '[', name_length);
    close = open ? memchr(open, ']', name_length - (size_t)(open - name)) : NULL;
    if (close)
        name_length = (size_t)(open - name);
    fzi_slice_strip(&name, &name_length);
    a.variable = fzi_variable_find(program, name, name_length);
    if (!a.variable) {
        snprintf(message, size, "no variable '%.*s'", (int)name_length, name);
        return false;
    }
    if (a.value_length == 1 && *a.value == '?')
        return true; /* what a player does not know stays as it is */
    if (a.variable->index_count == 0 && !close)
        good = set_element(&a, 0);
    else
        good = close && a.variable->index_count
                   ? set_elements(&a, open + 1, (size_t)(close - open - 1), &bad_index)
                   : (bad_index = true, false);
    if (!good)
        snprintf(message, size, bad_index ? "'%.*s': no such element of '%.*s'"
                                          : "'%.*s': no such value of '%.*s'",
                 (int)length, text, (int)name_length, name);
    return good;
}
