/* Values and variables by name. See element.h; pieces and diagrams are in diagram.c. */
#include "element.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "interp/support/words.h"

/* ---- names ---- */

static bool is(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

int fzi_site_find(const fz_program *program, const char *name, size_t length)
{
    for (int s = 0; s < program->board.site_count; s++) {
        if (is(fzi_text(program, program->board.site_names[s]), name, length))
            return s;
    }
    return -1;
}

int fzi_player_find(const fz_program *program, const char *name, size_t length)
{
    for (uint32_t p = 0; p < program->player_count; p++) {
        if (is(fzi_text(program, program->players[p].name), name, length))
            return (int)p;
    }
    return -1;
}

const fz_variable *fzi_variable_find(const fz_program *program, const char *name, size_t length)
{
    for (uint32_t i = 0; i < program->variable_count; i++) {
        if (!program->variables[i].hidden &&
            is(fzi_text(program, program->variables[i].name), name, length))
            return &program->variables[i];
    }
    return NULL;
}

/* The name of a value of a type that has names; NULL: it is written as a number. */
static const char *name_of(const fz_program *program, const fz_value_type *type, int64_t value)
{
    size_t v = (size_t)value;
    bool there = value >= 0;

    switch (type->kind) {
    case FZ_VALUE_BOOL:
        return value ? "true" : "false";
    case FZ_VALUE_SITE:
        return there && v < program->board.site_count
                   ? fzi_text(program, program->board.site_names[v]) : "off";
    case FZ_VALUE_DIR:
        return there && v < program->board.dir_count
                   ? fzi_text(program, program->board.dir_names[v]) : "off";
    case FZ_VALUE_PLAYER:
        return there && v < program->player_count ? fzi_text(program, program->players[v].name)
                                                  : "nobody";
    case FZ_VALUE_TEAM:
        if (!program->has_teams)
            return there && v < program->player_count ? fzi_text(program, program->players[v].name)
                                                      : "nobody";
        return there && v < program->team_count ? fzi_text(program, program->team_names[v])
                                                : "nobody";
    case FZ_VALUE_KIND:
        return there && v < program->kind_count ? fzi_text(program, program->kinds[v].name) : "none";
    case FZ_VALUE_NAMED:
        return there && value <= type->high
                   ? fzi_text(program, program->name_lists[type->names + v]) : "none";
    default:
        return NULL;
    }
}

static void mask_write(const fz_program *program, uint16_t element, int64_t mask, fzi_buffer *out)
{
    const char *between = "";

    fzi_buffer_char(out, '{');
    for (unsigned i = 0; i < 64; i++) {
        if (!((uint64_t)mask >> i & 1))
            continue;
        fzi_buffer_text(out, between);
        fzi_value_write(program, element, i, out);
        between = ", ";
    }
    fzi_buffer_char(out, '}');
}

void fzi_value_write(const fz_program *program, uint16_t type, int64_t value, fzi_buffer *out)
{
    const fz_value_type *t = &program->types[type];
    const char *name = name_of(program, t, value);

    if (t->kind == FZ_VALUE_MASK)
        mask_write(program, t->element, value, out);
    else if (name)
        fzi_buffer_text(out, name);
    else
        fzi_buffer_format(out, "%lld", (long long)value);
}

void fzi_sites_write(const fz_program *program, const uint64_t *set, fzi_buffer *out)
{
    const char *between = "";

    fzi_buffer_char(out, '{');
    FZI_FOR_SITES(site, set, program->board.words) {
        fzi_buffer_text(out, between);
        fzi_buffer_text(out, fzi_text(program, program->board.site_names[site]));
        between = ", ";
    }
    fzi_buffer_char(out, '}');
}

/* ---- texts as values ---- */

static void strip(const char **text, size_t *length)
{
    while (*length && isspace((unsigned char)**text)) {
        (*text)++;
        (*length)--;
    }
    while (*length && isspace((unsigned char)(*text)[*length - 1]))
        (*length)--;
}

/* Takes the next item of a list separated by `between`; false at the end. */
static bool next_item(const char **text, size_t *length, char between, const char **item,
                      size_t *item_length)
{
    const char *found;

    if (*length == 0)
        return false;
    found = memchr(*text, between, *length);
    *item = *text;
    *item_length = found ? (size_t)(found - *text) : *length;
    *text += *item_length + (found != NULL);
    *length -= *item_length + (found != NULL);
    strip(item, item_length);
    return true;
}

static bool braced(const char **text, size_t *length)
{
    strip(text, length);
    if (*length < 2 || **text != '{' || (*text)[*length - 1] != '}')
        return false;
    (*text)++;
    *length -= 2;
    strip(text, length);
    return true;
}

static bool number_read(const char *text, size_t length, int64_t *value)
{
    bool negative = length && *text == '-';
    size_t i = negative;

    if (i == length || length > 12)
        return false;
    *value = 0;
    for (; i < length; i++) {
        if (!isdigit((unsigned char)text[i]))
            return false;
        *value = *value * 10 + (text[i] - '0');
    }
    if (negative)
        *value = -*value;
    return true;
}

static bool mask_read(const fz_program *program, uint16_t element, const char *text, size_t length,
                      int64_t *value)
{
    const char *item;
    size_t item_length;
    uint64_t mask = 0;

    if (!braced(&text, &length))
        return false;
    while (next_item(&text, &length, ',', &item, &item_length)) {
        int64_t member;
        if (!fzi_value_read(program, element, item, item_length, &member) || member < 0 ||
            member > 63)
            return false;
        mask |= UINT64_C(1) << member;
    }
    *value = (int64_t)mask;
    return true;
}

bool fzi_value_read(const fz_program *program, uint16_t type, const char *text, size_t length,
                    int64_t *value)
{
    const fz_value_type *t = &program->types[type];
    int64_t least = t->kind == FZ_VALUE_BOOL ? 0 : -1;
    int64_t most = t->kind == FZ_VALUE_BOOL ? 1 : t->high;

    strip(&text, &length);
    if (t->kind == FZ_VALUE_MASK)
        return mask_read(program, t->element, text, length, value);
    if (t->kind == FZ_VALUE_INT || t->kind == FZ_VALUE_SITES)
        return t->kind == FZ_VALUE_INT && number_read(text, length, value) && *value >= t->low &&
               *value <= t->high;
    if (t->kind == FZ_VALUE_NAMED && least < t->low)
        least = t->low;
    for (int64_t v = least; v <= most; v++) {
        const char *name = name_of(program, t, v);
        if (name && is(name, text, length)) {
            *value = v;
            return true;
        }
    }
    return false;
}

bool fzi_sites_read(const fz_program *program, const char *text, size_t length, uint64_t *set)
{
    const char *item;
    size_t item_length;

    fzi_words_clear(set, program->board.words);
    if (!braced(&text, &length))
        return false;
    while (next_item(&text, &length, ',', &item, &item_length)) {
        int site = fzi_site_find(program, item, item_length);
        if (site < 0)
            return false;
        fzi_words_add(set, (unsigned)site);
    }
    return true;
}

/* ---- elements ---- */

static uint32_t index_size(const fz_program *program, uint16_t type)
{
    const fz_value_type *t = &program->types[type];

    switch (t->kind) {
    case FZ_VALUE_BOOL: return 2;
    case FZ_VALUE_SITE: return program->board.site_count;
    default: return (uint32_t)(t->high - t->low + 1);
    }
}

static int64_t index_low(const fz_program *program, uint16_t type)
{
    return program->types[type].kind == FZ_VALUE_INT ? program->types[type].low : 0;
}

uint32_t fzi_element_count(const fz_program *program, const fz_variable *variable)
{
    uint32_t count = 1;

    for (unsigned i = 0; i < variable->index_count; i++)
        count *= index_size(program, variable->index[i]);
    return count;
}

bool fzi_element_count_sound(const fz_program *program, const fz_variable *variable)
{
    uint64_t count = 1;

    for (unsigned i = 0; i < variable->index_count; i++) {
        const fz_value_type *t = &program->types[variable->index[i]];
        bool by_type = t->kind != FZ_VALUE_BOOL && t->kind != FZ_VALUE_SITE;
        int64_t size = (int64_t)t->high - t->low + 1;
        if (by_type && (size < 1 || size > 1 << 20))
            return false;
        count *= index_size(program, variable->index[i]);
        if (count < 1 || count > 1 << 20)
            return false;
    }
    if (variable->is_bits)
        return variable->length == 1 && count == program->board.site_count;
    return variable->hidden || count <= variable->length;
}

static uint64_t *set_at(const fz_program *program, const uint8_t *block, const fz_variable *variable,
                        uint32_t set)
{
    size_t at = ((size_t)variable->offset + set) * program->board.words;

    return fzi_block_sets(block, program->layout.sets) + at;
}

static int32_t *int_at(const fz_program *program, const uint8_t *block, const fz_variable *variable,
                       uint32_t element)
{
    return (int32_t *)(uintptr_t)(block + program->layout.ints) + variable->offset + element;
}

const uint64_t *fzi_element_sites(const fz_program *program, const uint8_t *block,
                                  const fz_variable *variable, uint32_t element)
{
    return set_at(program, block, variable, element);
}

int64_t fzi_element_get(const fz_program *program, const uint8_t *block, const fz_variable *variable,
                        uint32_t element)
{
    unsigned sites = program->board.site_count;

    if (variable->is_bits)
        return fzi_words_has(set_at(program, block, variable, element / sites), element % sites);
    if (program->types[variable->type].kind == FZ_VALUE_MASK)
        return (uint32_t)*int_at(program, block, variable, element);
    return *int_at(program, block, variable, element);
}

void fzi_element_put(const fz_program *program, uint8_t *block, const fz_variable *variable,
                     uint32_t element, int64_t value)
{
    unsigned sites = program->board.site_count;

    if (!variable->is_bits)
        *int_at(program, block, variable, element) = (int32_t)value;
    else if (value)
        fzi_words_add(set_at(program, block, variable, element / sites), element % sites);
    else
        fzi_words_drop(set_at(program, block, variable, element / sites), element % sites);
}

void fzi_element_put_sites(const fz_program *program, uint8_t *block, const fz_variable *variable,
                           uint32_t element, const uint64_t *set)
{
    fzi_words_copy(set_at(program, block, variable, element), set, program->board.words);
}

bool fzi_element_same(const fz_program *program, const uint8_t *a, const uint8_t *b,
                      const fz_variable *variable, uint32_t element)
{
    if (fzi_element_is_set(variable))
        return memcmp(set_at(program, a, variable, element), set_at(program, b, variable, element),
                      8u * program->board.words) == 0;
    return fzi_element_get(program, a, variable, element) ==
           fzi_element_get(program, b, variable, element);
}

void fzi_element_index_write(const fz_program *program, const fz_variable *variable,
                             uint32_t element, fzi_buffer *out)
{
    uint32_t below = fzi_element_count(program, variable);

    for (unsigned i = 0; i < variable->index_count; i++) {
        below /= index_size(program, variable->index[i]);
        fzi_buffer_text(out, i ? ", " : "[");
        fzi_value_write(program, variable->index[i],
                        index_low(program, variable->index[i]) + element / below, out);
        element %= below;
    }
    if (variable->index_count)
        fzi_buffer_char(out, ']');
}

void fzi_element_write(const fz_program *program, const uint8_t *block, const fz_variable *variable,
                       uint32_t element, fzi_buffer *out)
{
    if (fzi_element_is_set(variable))
        fzi_sites_write(program, fzi_element_sites(program, block, variable, element), out);
    else
        fzi_value_write(program, variable->type,
                        fzi_element_get(program, block, variable, element), out);
}

/* ---- assignments ---- */

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
        uint32_t size = index_size(a->program, type);
        bool last = i + 1u == variable->index_count;
        if (!next_item(&text, &length, ',', &item, &item_length))
            return false;
        while (next_item(&item, &item_length, last ? '|' : '\1', &one, &one_length)) {
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
    strip(&a.value, &a.value_length);
    strip(&name, &name_length);
    open = memchr(name, '[', name_length);
    close = open ? memchr(open, ']', name_length - (size_t)(open - name)) : NULL;
    if (close)
        name_length = (size_t)(open - name);
    strip(&name, &name_length);
    a.variable = fzi_variable_find(program, name, name_length);
    if (!a.variable) {
        snprintf(message, size, "no variable '%.*s'", (int)name_length, name);
        return false;
    }
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
