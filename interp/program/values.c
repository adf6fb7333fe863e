/* Reads values by name. See values.h. */
#include "values.h"

#include <ctype.h>

#include "interp/support/text.h"
#include "interp/support/words.h"

/* ---- names ---- */

int fzi_site_find(const fz_program *program, const char *name, size_t length)
{
    for (int s = 0; s < program->board.site_count; s++) {
        if (fzi_slice_is(fzi_text(program, program->board.site_names[s]), name, length))
            return s;
    }
    return -1;
}

int fzi_player_find(const fz_program *program, const char *name, size_t length)
{
    for (uint32_t p = 0; p < program->player_count; p++) {
        if (fzi_slice_is(fzi_text(program, program->players[p].name), name, length))
            return (int)p;
    }
    return -1;
}

/* ---- texts as values ---- */

static bool braced(const char **text, size_t *length)
{
    fzi_slice_strip(text, length);
    if (*length < 2 || **text != '{' || (*text)[*length - 1] != '}')
        return false;
    (*text)++;
    *length -= 2;
    fzi_slice_strip(text, length);
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
    while (fzi_slice_next(&text, &length, ',', &item, &item_length)) {
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

    fzi_slice_strip(&text, &length);
    if (t->kind == FZ_VALUE_MASK)
        return mask_read(program, t->element, text, length, value);
    if (t->kind == FZ_VALUE_INT || t->kind == FZ_VALUE_SITES)
        return t->kind == FZ_VALUE_INT && number_read(text, length, value) && *value >= t->low &&
               *value <= t->high;
    if (t->kind == FZ_VALUE_NAMED && least < t->low)
        least = t->low;
    for (int64_t v = least; v <= most; v++) {
        const char *name = fzi_value_name(program, t, v);
        if (name && fzi_slice_is(name, text, length)) {
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
    while (fzi_slice_next(&text, &length, ',', &item, &item_length)) {
        int site = fzi_site_find(program, item, item_length);
        if (site < 0)
            return false;
        fzi_words_add(set, (unsigned)site);
    }
    return true;
}
