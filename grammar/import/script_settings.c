/* The settings of a script's options, and conditions about them. See script_settings.h. */
#include "script_settings.h"

#include <ctype.h>

#define ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

fzi_box fzi_all_settings(fzi_script_settings *s)
{
    fzi_box box = {{0}};

    s->count = 1;
    for (size_t k = 0; k < s->option_count; k++) {
        s->count *= s->options[k].count;
        box.values[k] = ~(uint64_t)0 >> (FZ_MOST_VALUES - s->options[k].count);
    }
    return box;
}

static size_t stride(const fzi_script_settings *s, size_t option)
{
    size_t product = 1;

    while (++option < s->option_count)
        product *= s->options[option].count;
    return product;
}

size_t fzi_setting_value(const fzi_script_settings *s, size_t setting, size_t option)
{
    return setting / stride(s, option) % s->options[option].count;
}

static uint64_t bit(size_t value)
{
    return (uint64_t)1 << value;
}

static size_t lowest(uint64_t values)
{
    size_t value = 0;

    while (!(values & bit(value)))
        value++;
    return value;
}

static size_t count_of(uint64_t values)
{
    size_t count = 0;

    for (; values; values &= values - 1)
        count++;
    return count;
}

bool fzi_box_has(const fzi_script_settings *s, const fzi_box *box, size_t setting)
{
    for (size_t k = s->option_count; k-- > 0; setting /= s->options[k].count)
        if (!(box->values[k] & bit(setting % s->options[k].count)))
            return false;
    return true;
}

size_t fzi_box_first(const fzi_script_settings *s, const fzi_box *box)
{
    size_t setting = 0;

    for (size_t k = 0; k < s->option_count; k++)
        setting = setting * s->options[k].count + lowest(box->values[k]);
    return setting;
}

/* The setting with another value of one option. */
static size_t with_value(const fzi_script_settings *s, size_t setting, size_t option, size_t value)
{
    return setting - (fzi_setting_value(s, setting, option) - value) * stride(s, option);
}

bool fzi_depends(const fzi_script_settings *s, const fzi_box *box, const char *const *keys,
                 size_t option)
{
    size_t first = lowest(box->values[option]);

    for (size_t c = 0; c < s->count; c++)
        if (fzi_box_has(s, box, c) && keys[c] != keys[with_value(s, c, option, first)])
            return true;
    return false;
}

/* ---- conditions ---- */

static const char *value_name(const fzi_script_settings *s, const fzi_script_option *o,
                              size_t value)
{
    return o->kind == FZ_VALUES_NUMBERS ? fzi_arena_printf(s->arena, "%ld", o->numbers[value])
           : o->kind == FZ_VALUES_NAMED ? o->names[value]
           : o->numbers[value]          ? "true"
                                        : "false";
}

static long extreme(const fzi_script_option *o, uint64_t values, bool most)
{
    long found = o->numbers[lowest(values)];

    for (size_t v = 0; v < o->count; v++)
        if ((values & bit(v)) && (most ? o->numbers[v] > found : o->numbers[v] < found))
            found = o->numbers[v];
    return found;
}

/* The option has one of these values. `rest`: the others that it may have here. */
static const char *atom(const fzi_script_settings *s, size_t option, uint64_t values, uint64_t rest)
{
    const fzi_script_option *o = &s->options[option];
    const char *text = NULL;

    if (o->kind == FZ_VALUES_BOOL)
        return o->numbers[lowest(values)] ? o->name : fzi_arena_printf(s->arena, "not %s", o->name);
    bool number = o->kind == FZ_VALUES_NUMBERS && count_of(values) > 1 && count_of(rest) > 1;
    if (number && extreme(o, values, true) < extreme(o, rest, false))
        return fzi_arena_printf(s->arena, "%s < %ld", o->name, extreme(o, rest, false));
    if (number && extreme(o, values, false) > extreme(o, rest, true))
        return fzi_arena_printf(s->arena, "%s > %ld", o->name, extreme(o, rest, true));
    bool equal = count_of(values) <= count_of(rest);
    for (size_t v = 0; v < o->count; v++) {
        if (!((equal ? values : rest) & bit(v)))
            continue;
        const char *one = fzi_arena_printf(s->arena, "%s %s %s", o->name,
                                           equal ? "==" : "!=", value_name(s, o, v));
        text =
            !text ? one : fzi_arena_printf(s->arena, "%s %s %s", text, equal ? "or" : "and", one);
    }
    return text;
}

static const char *joined(const fzi_script_settings *s, const char *a, const char *word,
                          const char *b)
{
    if (!a)
        return b;
    bool and = *word == 'a';
    const char *const form = !and                ? "%s %s %s"
                             : strstr(a, " or ") ? strstr(b, " or ") ? "(%s) %s (%s)" : "(%s) %s %s"
                             : strstr(b, " or ") ? "%s %s (%s)"
                                                 : "%s %s %s";
    return fzi_arena_printf(s->arena, form, a, word, b);
}

/* The values of each option in these settings. */
static fzi_box hull(const fzi_script_settings *s, const fzi_box *box, const char *const *keys,
                    const char *key, bool with)
{
    fzi_box h = {{0}};

    for (size_t c = 0; c < s->count; c++)
        for (size_t k = 0;
             fzi_box_has(s, box, c) && (keys[c] == key) == with && k < s->option_count; k++)
            h.values[k] |= bit(fzi_setting_value(s, c, k));
    return h;
}

/* Have all settings in the box `h`, which is a part of `box`, the key, or all not? */
static bool is_whole(const fzi_script_settings *s, const fzi_box *h, const char *const *keys,
                     const char *key, bool with)
{
    for (size_t c = 0; c < s->count; c++)
        if (fzi_box_has(s, h, c) && (keys[c] == key) != with)
            return false;
    return true;
}

/* The settings are a box, or all but a box. NULL: they are neither. */
static const char *as_box(const fzi_script_settings *s, const fzi_box *box, const char *const *keys,
                          const char *key, bool with)
{
    fzi_box h = hull(s, box, keys, key, with);
    const char *text = NULL;

    if (!is_whole(s, &h, keys, key, with))
        return NULL;
    for (size_t k = 0; k < s->option_count; k++) {
        uint64_t rest = box->values[k] & ~h.values[k];
        if (rest)
            text = joined(s, text, with ? "and" : "or",
                          with ? atom(s, k, h.values[k], rest) : atom(s, k, rest, h.values[k]));
    }
    return text ? text : with ? "true" : "false";
}

/* The values of the option with which the keys are those of the value `like`. */
static uint64_t alike(const fzi_script_settings *s, const fzi_box *box, const char *const *keys,
                      size_t option, size_t like)
{
    uint64_t values = box->values[option];

    for (size_t c = 0; c < s->count; c++)
        if (fzi_box_has(s, box, c) && keys[c] != keys[with_value(s, c, option, like)])
            values &= ~bit(fzi_setting_value(s, c, option));
    return values;
}

const char *fzi_settings_where(const fzi_script_settings *s, const fzi_box *box,
                               const char *const *keys, const char *key)
{
    const char *text = NULL;
    size_t k = 0;

    for (int with = 1; with >= 0; with--) {
        bool any = false;
        for (size_t c = 0; c < s->count; c++)
            any = any || (fzi_box_has(s, box, c) && (keys[c] == key) == (with == 1));
        if (!any)
            return with ? "false" : "true";
        if ((text = as_box(s, box, keys, key, with == 1)))
            return text;
    }
    while (!fzi_depends(s, box, keys, k))
        k++;
    for (uint64_t left = box->values[k]; left;) {
        fzi_box part = *box;
        part.values[k] = alike(s, box, keys, k, lowest(left));
        left &= ~part.values[k];
        const char *inner = fzi_settings_where(s, &part, keys, key);
        if (strcmp(inner, "false") == 0)
            continue;
        const char *value = atom(s, k, part.values[k], box->values[k] & ~part.values[k]);
        text = joined(s, text, "or",
                      strcmp(inner, "true") == 0 ? value : joined(s, value, "and", inner));
    }
    return text;
}

/* ---- numbers ---- */

/* By how much the number grows with the option; false: it does not grow evenly. */
static bool find_slope(const fzi_script_settings *s, const fzi_box *box, const long *numbers,
                       size_t option, long *slope)
{
    const fzi_script_option *o = &s->options[option];
    size_t base = fzi_box_first(s, box), first = lowest(box->values[option]);

    *slope = 0;
    for (size_t v = first + 1; v < o->count; v++) {
        long more = (box->values[option] & bit(v))
                        ? numbers[with_value(s, base, option, v)] - numbers[base]
                        : 0;
        if (more == 0)
            continue;
        long step = o->numbers[v] - o->numbers[first];
        if (o->kind != FZ_VALUES_NUMBERS || step == 0 || more % step != 0)
            return false;
        *slope = more / step;
        return true;
    }
    return true;
}

const char *fzi_sum_of_options(const fzi_script_settings *s, const fzi_box *box,
                               const long *numbers)
{
    size_t base = fzi_box_first(s, box);
    long rest = numbers[base], slopes[FZ_MOST_OPTIONS];
    const char *text = NULL;

    for (size_t k = 0; k < s->option_count; k++) {
        if (!find_slope(s, box, numbers, k, &slopes[k]))
            return NULL;
        rest -= slopes[k] * s->options[k].numbers[lowest(box->values[k])];
    }
    for (size_t c = 0; c < s->count; c++) {
        long sum = rest;
        for (size_t k = 0; k < s->option_count; k++)
            sum += slopes[k] * s->options[k].numbers[fzi_setting_value(s, c, k)];
        if (fzi_box_has(s, box, c) && sum != numbers[c])
            return NULL;
    }
    for (size_t k = 0; k < s->option_count; k++) {
        const char *name = s->options[k].name;
        if (slopes[k] < 0 || slopes[k] > 9) /* no text that a person would write */
            return NULL;
        const char *term =
            slopes[k] > 1 ? fzi_arena_printf(s->arena, "%ld * %s", slopes[k], name) : name;
        if (slopes[k])
            text = text ? fzi_arena_printf(s->arena, "%s + %s", text, term) : term;
    }
    if (!text || rest == 0)
        return text;
    return fzi_arena_printf(s->arena, "%s %c %ld", text, rest > 0 ? '+' : '-',
                            rest > 0 ? rest : -rest);
}

/* ---- declarations ---- */

const char *fzi_option_name(fzi_arena *arena, const char *title)
{
    char *name = fzi_arena_printf(arena, "%s%s", isalpha((unsigned char)*title) ? "" : "Of", title);
    size_t length = 0;
    bool first = true;

    for (const char *at = name; *at && length < 40; at++) {
        bool kept = isalnum((unsigned char)*at);
        if (kept)
            name[length++] = (char)(first ? toupper((unsigned char)*at) : *at);
        first = !kept;
    }
    name[length] = '\0';
    return name;
}

/* The title, unless the name says the same. */
static const char *text_of(const fzi_script_settings *s, const fzi_script_option *o, size_t value)
{
    const char *title = o->titles[value];
    bool same = strlen(title) == strspn(title, ALNUM " ") &&
                strcmp(fzi_option_name(s->arena, title), o->names[value]) == 0;

    return same ? "" : fzi_arena_printf(s->arena, " \"%s\"", fzi_import_plain(s->arena, title));
}

/* The numbers of the file, if the range has others between them. */
static const char *known_numbers(const fzi_script_settings *s, const fzi_script_option *o,
                                 uint64_t all)
{
    fzi_growing g = {0};
    long least = extreme(o, all, false), most = extreme(o, all, true);

    if (most - least + 1 == (long)o->count)
        return "";
    for (long n = least; n <= most; n++)
        for (size_t v = 0; v < o->count; v++)
            if (o->numbers[v] == n)
                fzi_grow_z(s->arena, &g,
                           fzi_arena_printf(s->arena, "%s%ld", g.length ? ", " : "", n));
    return fzi_arena_printf(s->arena, " \"%s in the source\"", g.text);
}

const char *fzi_option_setting(const fzi_script_settings *s, size_t option, size_t value)
{
    const fzi_script_option *o = &s->options[option];

    return fzi_arena_printf(s->arena, "%s=%s", o->name, value_name(s, o, value));
}

const char *fzi_declared_options(const fzi_script_settings *s)
{
    fzi_growing g = {0};

    for (size_t k = 0; k < s->option_count; k++) {
        const fzi_script_option *o = &s->options[k];
        uint64_t all = ~(uint64_t)0 >> (FZ_MOST_VALUES - o->count);
        if (o->kind == FZ_VALUES_BOOL)
            fzi_grow_z(s->arena, &g,
                       fzi_arena_printf(s->arena, "option %s: bool = %s;\n", o->name,
                                        o->numbers[o->preset] ? "true" : "false"));
        if (o->kind == FZ_VALUES_NUMBERS)
            fzi_grow_z(s->arena, &g,
                       fzi_arena_printf(s->arena, "option %s: %ld..%ld = %ld%s;\n", o->name,
                                        extreme(o, all, false), extreme(o, all, true),
                                        o->numbers[o->preset], known_numbers(s, o, all)));
        if (o->kind != FZ_VALUES_NAMED)
            continue;
        fzi_grow_z(s->arena, &g, fzi_arena_printf(s->arena, "option %s { ", o->name));
        for (size_t v = 0; v < o->count; v++)
            fzi_grow_z(
                s->arena, &g,
                fzi_arena_printf(s->arena, "%s%s%s", v ? ", " : "", o->names[v], text_of(s, o, v)));
        fzi_grow_z(s->arena, &g, fzi_arena_printf(s->arena, " } = %s;\n", o->names[o->preset]));
    }
    return g.text ? g.text : "";
}
