/* The script of a .lud file with its options as options of the script: one script for each setting,
 * and all of them as one (script_merge.c). Values with which a clause is not translated are left
 * out; a comment says so. */
#include "lud_writer.h"
#include "script_merge.h"

#include <ctype.h>

/* How many bytes all scripts may take while they are made. */
enum { MOST_BYTES = 1 << 30 };

typedef struct maker {
    const fzi_lud_file *file;
    const fzi_lud_ruleset *ruleset; /* the presets, and options that are chosen here */
    fzi_arena *arena;
    fzi_script_settings settings;
    const fzi_lud *options[FZ_MOST_OPTIONS]; /* of the settings */
    const char **texts;                      /* by setting; NULL: refused */
    fzi_growing notes;                       /* comments */
    size_t taken;
} maker;

static const char *heading(const fzi_lud *option)
{
    return option->items[1]->text;
}

/* ---- the script of a setting ---- */

/* A ruleset with other values than `ruleset` has. */
static fzi_lud_ruleset with_values(maker *m, const char *const *titles)
{
    const char *items[FZ_MOST_OPTIONS];

    for (size_t k = 0; k < m->settings.option_count; k++)
        items[k] = fzi_arena_printf(m->arena, "%s/%s", heading(m->options[k]), titles[k]);
    return fzi_lud_with_items(m->arena, m->ruleset, "", items, m->settings.option_count);
}

/* NULL: it is refused, and `why` has the first clause. */
static const char *script_of(maker *m, const fzi_lud_ruleset *ruleset, const char **why)
{
    fzi_import_refused refused = {0};
    fzi_arena *own = fzi_arena_child(m->arena);
    const char *text =
        m->taken > MOST_BYTES ? NULL : fzi_lud_script(own, m->file, ruleset, false, &refused);

    text = text ? fzi_arena_printf(m->arena, "%s", text) : NULL;
    if (!text && why)
        *why = refused.count ? fzi_arena_printf(m->arena, "%s: %s", refused.items[0].clause,
                                                refused.items[0].why)
                             : "too much to translate";
    m->taken += fzi_arena_taken(own);
    fzi_arena_free(own);
    return text;
}

static const char *script_of_setting(maker *m, size_t setting, const char **why)
{
    const char *titles[FZ_MOST_OPTIONS];

    for (size_t k = 0; k < m->settings.option_count; k++)
        titles[k] = m->settings.options[k].titles[fzi_setting_value(&m->settings, setting, k)];
    fzi_lud_ruleset ruleset = with_values(m, titles);
    return script_of(m, &ruleset, why);
}

/* ---- options and values ---- */

static void note(maker *m, const char *heading, const char *title, const char *why)
{
    fzi_grow_z(m->arena, &m->notes,
               fzi_arena_printf(m->arena, "// %s/%s: %s\n", fzi_import_printable(m->arena, heading),
                                fzi_import_printable(m->arena, title),
                                fzi_import_printable(m->arena, why)));
}

/* Is it the only option with this heading? */
static bool is_single(const fzi_lud_file *file, const fzi_lud *option)
{
    size_t count = 0;

    for (size_t i = 0; i < file->option_count; i++)
        count += fzi_lud_item_title(file->options[i], 0) &&
                 strcmp(heading(file->options[i]), heading(option)) == 0;
    return count == 1;
}

static void drop_value(fzi_script_option *o, size_t value)
{
    memmove(o->titles + value, o->titles + value + 1, (o->count - value - 1) * sizeof *o->titles);
    o->count--;
    o->preset -= o->preset > value;
}

static void drop_option(maker *m, size_t option)
{
    fzi_script_settings *s = &m->settings;
    size_t behind = s->option_count - option - 1;

    memmove(s->options + option, s->options + option + 1, behind * sizeof *s->options);
    memmove(m->options + option, m->options + option + 1, behind * sizeof *m->options);
    s->option_count--;
}

/* The option with all values that the script can have if the other options keep theirs. */
static void add_option(maker *m, const fzi_lud *option)
{
    fzi_script_settings *s = &m->settings;
    fzi_script_option *o = &s->options[s->option_count];
    const fzi_lud *before = m->options[0];
    const char *preset = fzi_lud_chosen_title(option, m->ruleset), *title;
    size_t product = 1, own = s->option_count;

    *o = (fzi_script_option){.name = ""};
    for (size_t i = 0; (title = fzi_lud_item_title(option, i)); i++) {
        bool again = false;
        for (size_t n = 0; n < o->count; n++)
            again = again || strcmp(o->titles[n], title) == 0;
        if (again || o->count == FZ_MOST_VALUES)
            continue;
        const char *why = NULL;
        m->options[0] = option;
        s->option_count = 1;
        fzi_lud_ruleset ruleset = with_values(m, &title);
        bool is_preset = strcmp(title, preset) == 0;
        bool good = is_preset || script_of(m, &ruleset, &why);
        m->options[0] = own ? before : option;
        s->option_count = own;
        if (is_preset)
            o->preset = o->count;
        if (good)
            o->titles[o->count++] = title;
        else
            note(m, heading(option), title, why);
    }
    for (size_t k = 0; k < own; k++)
        product *= s->options[k].count;
    if (o->count < 2 || product * o->count > FZ_MOST_SETTINGS) {
        note(m, heading(option), preset, "chosen at import");
        return;
    }
    m->options[own] = option;
    s->option_count++;
}

/* The value with which most settings are refused; false: none is refused. */
static bool find_refused(maker *m, size_t *option, size_t *value)
{
    size_t most = 0;

    for (size_t k = 0; k < m->settings.option_count; k++)
        for (size_t v = 0; v < m->settings.options[k].count; v++) {
            size_t count = 0;
            for (size_t c = 0; c < m->settings.count; c++)
                count += !m->texts[c] && fzi_setting_value(&m->settings, c, k) == v;
            if (count <= most || v == m->settings.options[k].preset)
                continue;
            most = count;
            *option = k;
            *value = v;
        }
    return most > 0;
}

/* Leaves out the texts of settings with this value, or with all others. */
static void keep_texts(maker *m, size_t option, size_t value, bool with)
{
    size_t kept = 0;

    for (size_t c = 0; c < m->settings.count; c++)
        if ((fzi_setting_value(&m->settings, c, option) == value) == with)
            m->texts[kept++] = m->texts[c];
}

/* Does the script depend on the option? */
static bool matters(const maker *m, const fzi_box *all, size_t option)
{
    return fzi_depends(&m->settings, all, m->texts, option);
}

/* The scripts of all settings. Values with which one is refused are left out. */
static void make_texts(maker *m)
{
    fzi_script_settings *s = &m->settings;
    size_t option, value;
    fzi_box all = fzi_all_settings(s);

    m->texts = fzi_arena_alloc(m->arena, s->count * sizeof *m->texts);
    for (size_t c = 0; c < s->count; c++) {
        const char *text = script_of_setting(m, c, NULL);
        m->texts[c] = text ? fzi_intern_z(m->arena, text) : NULL;
    }
    while (find_refused(m, &option, &value)) {
        note(m, heading(m->options[option]), s->options[option].titles[value],
             "not translated yet with all values of the other options");
        keep_texts(m, option, value, false);
        drop_value(&s->options[option], value);
        all = fzi_all_settings(s);
    }
    for (size_t k = s->option_count; k-- > 0;)
        if (s->options[k].count < 2 || !matters(m, &all, k)) {
            keep_texts(m, k, s->options[k].preset, true);
            drop_option(m, k);
            all = fzi_all_settings(s);
        }
}

/* ---- names ---- */

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
            !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    return false;
}

static bool is_taken(const maker *m, const char *name)
{
    const fzi_script_settings *s = &m->settings;
    bool taken = false;

    for (size_t c = 0; c < s->count && !taken; c++)
        taken = (c == 0 || m->texts[c] != m->texts[c - 1]) && has_word(m->texts[c], name);
    for (size_t k = 0; k < s->option_count; k++) {
        taken = taken || strcmp(s->options[k].name, name) == 0;
        for (size_t v = 0; v < s->options[k].count; v++)
            taken = taken || (s->options[k].names[v] && strcmp(s->options[k].names[v], name) == 0);
    }
    return taken;
}

/* The name, or with a number behind it. */
static const char *free_name(maker *m, const char *name)
{
    const char *found = name;

    for (int i = 2; is_taken(m, found); i++)
        found = fzi_arena_printf(m->arena, "%s%d", name, i);
    return found;
}

/* Values such as On and Off. */
static bool is_bool(fzi_arena *arena, fzi_script_option *o)
{
    static const char *const pairs[][2] = {
        {"On", "Off"}, {"Yes", "No"}, {"True", "False"}, {"Enabled", "Disabled"}};

    for (size_t i = 0; o->count == 2 && i < sizeof pairs / sizeof *pairs; i++)
        for (size_t yes = 0; yes < 2; yes++) {
            if (strcmp(fzi_option_name(arena, o->titles[yes]), pairs[i][0]) != 0 ||
                strcmp(fzi_option_name(arena, o->titles[!yes]), pairs[i][1]) != 0)
                continue;
            o->numbers[yes] = 1;
            return true;
        }
    return false;
}

static void find_names(maker *m)
{
    for (size_t k = 0; k < m->settings.option_count; k++) {
        fzi_script_option *o = &m->settings.options[k];
        o->name = free_name(m, fzi_option_name(m->arena, heading(m->options[k])));
        o->kind = is_bool(m->arena, o) ? FZ_VALUES_BOOL : FZ_VALUES_NAMED;
        for (size_t v = 0; v < o->count; v++) {
            const char *name = fzi_option_name(m->arena, o->titles[v]);
            if (o->kind == FZ_VALUES_NAMED)
                o->names[v] = free_name(m, is_taken(m, name)
                                               ? fzi_arena_printf(m->arena, "%s%s", o->name, name)
                                               : name);
        }
    }
}

/* ---- the whole ---- */

/* The settings of the file's rulesets, as comments. */
static void note_rulesets(maker *m)
{
    for (size_t i = 0; i < m->file->ruleset_count && m->file->ruleset_count > 1; i++) {
        const fzi_lud_ruleset *r = &m->file->rulesets[i];
        fzi_growing g = {0};
        bool known = true;
        for (size_t n = 0; n < m->file->option_count; n++) {
            const fzi_lud *option = m->file->options[n];
            size_t k = 0, v = 0;
            if (!fzi_lud_item_title(option, 0))
                continue;
            const char *title = fzi_lud_chosen_title(option, r);
            while (k < m->settings.option_count && m->options[k] != option)
                k++;
            bool is_option = k < m->settings.option_count;
            const fzi_script_option *o = &m->settings.options[k];
            while (is_option && v < o->count && strcmp(o->titles[v], title) != 0)
                v++;
            known =
                known && (is_option ? v < o->count
                                    : strcmp(title, fzi_lud_chosen_title(option, m->ruleset)) == 0);
            if (is_option && known && v != o->preset)
                fzi_grow_z(m->arena, &g,
                           fzi_arena_printf(m->arena, "%s%s", g.length ? ", " : "",
                                            fzi_option_setting(&m->settings, k, v)));
        }
        if (known && g.length)
            fzi_grow_z(m->arena, &m->notes,
                       fzi_arena_printf(m->arena, "// %s: %s\n",
                                        fzi_import_printable(m->arena, r->name), g.text));
    }
}

/* The script with declarations in their place. */
static const char *with_options(maker *m, const char *text, const char *options)
{
    const char *here = strstr(text, FZ_OPTIONS_HERE);

    return here
               ? fzi_arena_printf(m->arena, "%.*s%s%s", (int)(here - text), text, options, here + 1)
               : text;
}

const char *fzi_lud_script_with_options(fzi_arena *arena, const fzi_lud_file *file,
                                        const fzi_lud_ruleset *ruleset, fzi_import_refused *refused)
{
    const char *alone = fzi_lud_script(arena, file, ruleset, false, refused);
    maker m = {.file = file, .ruleset = ruleset, .arena = arena};
    const char *text = NULL;

    if (!alone)
        return NULL;
    m.settings.arena = arena;
    for (size_t i = 0; i < file->option_count; i++) {
        const fzi_lud *option = file->options[i];
        if (m.settings.option_count < FZ_MOST_OPTIONS && fzi_lud_item_title(option, 1) &&
            is_single(file, option))
            add_option(&m, option);
    }
    if (m.settings.option_count)
        make_texts(&m);
    find_names(&m);
    if (m.settings.option_count)
        text = fzi_merge_scripts(arena, &m.settings, m.texts);
    if (text)
        note_rulesets(&m);
    for (size_t k = 0; k < m.settings.option_count && !text; k++)
        note(&m, heading(m.options[k]), m.settings.options[k].titles[m.settings.options[k].preset],
             "chosen at import");
    refused->options =
        fzi_arena_printf(arena, "%s%s", text ? fzi_declared_options(&m.settings) : "",
                         m.notes.text ? m.notes.text : "");
    return text ? with_options(&m, text, refused->options) : alone;
}
