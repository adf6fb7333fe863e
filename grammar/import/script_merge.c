/* Several scripts of a game as one with options: equal parts stay; elsewhere the script asks for
 * the option. In each setting of the options, what remains is the script of that setting. So the
 * script stays right however the parts are compared. See script_merge.h.
 *
 * Where parts differ, one of these stands, the first that is possible:
 *   a number        a sum of options: `square(Size)`
 *   an expression   `(if Rules == Old then A else B)`
 *   statements      `if Rules == Old { … } else { … }`, or the same in options and items
 *   declarations    `when Rules == Old { … } else { … }`
 * Names, sites and functions must be known in what is not taken, too, except under `when`. */
#include "script_merge.h"

#include <stdlib.h>

#include "script_merger.h"

enum { MAX_STEPS = 4000000 };

static bool are_equal(const fzi_merger *m, const fzi_box *box, const char *const *keys)
{
    const char *first = keys[fzi_box_first(m->s, box)];

    FOR_SETTINGS(m, box, c)
        if (keys[c] != first)
            return false;
    return true;
}

/* ---- choices ---- */

/* What stands at a place in the settings that have one key. */
typedef struct alternative {
    const char *key, *text;
    const char *condition;
} alternative;

/* The alternatives in an order in which the last one needs no condition. NULL texts are left out
 * in the others, and come last. */
static size_t find_alternatives(fzi_merger *m, const fzi_box *box, const char *const *keys,
                                const char *const *texts, alternative *found)
{
    size_t count = 0, last = 0;

    FOR_SETTINGS(m, box, c) {
        size_t i = 0;
        while (i < count && found[i].key != keys[c])
            i++;
        if (i < count)
            continue;
        found[count] =
            (alternative){keys[c], texts[c], fzi_settings_where(m->s, box, keys, keys[c])};
        bool longer = strlen(found[count].condition) > strlen(found[last].condition);
        if (!found[count].text || (found[last].text && longer))
            last = count;
        count++;
    }
    alternative end = found[last];
    memmove(found + last, found + last + 1, (count - last - 1) * sizeof *found);
    found[count - 1] = end;
    return count;
}

static const char *chosen_expression(fzi_merger *m, const fzi_box *box, const char *const *keys,
                                     const char *const *texts)
{
    alternative *a = BY_SETTING(m, alternative);
    size_t count = find_alternatives(m, box, keys, texts, a);
    fzi_growing g = {0};

    for (size_t i = 0; i < count; i++)
        fzi_grow_z(m->arena, &g,
                   i + 1 < count ? TEXT(m, "if %s then %s else ", a[i].condition, a[i].text)
                                 : a[i].text);
    return g.text;
}

/* Is it one statement to which an `else` may be added without braces? */
static bool is_simple(const char *text)
{
    size_t length = strcspn(text, ";{}");

    return text[length] == ';' && !text[length + 1 + strspn(text + length + 1, " \n")] &&
           strncmp(text, "if ", 3) != 0 && strncmp(text, "for ", 4) != 0 &&
           strncmp(text, "choose ", 7) != 0 && strncmp(text, "let ", 4) != 0;
}

static const char *chosen_statements(fzi_merger *m, const fzi_box *box, const char *const *keys,
                                     const char *const *texts)
{
    alternative *a = BY_SETTING(m, alternative);
    size_t count = find_alternatives(m, box, keys, texts, a);
    fzi_growing g = {0};
    bool simple = true;

    for (size_t i = 0; i < count; i++)
        simple = simple && (!a[i].text || is_simple(a[i].text));
    for (size_t i = 0; i < count && a[i].text; i++) {
        bool last = i > 0 && i + 1 == count;
        fzi_grow_z(m->arena, &g, i ? " else " : "");
        fzi_grow_z(m->arena, &g, last ? "" : TEXT(m, "if %s ", a[i].condition));
        fzi_grow_z(m->arena, &g, TEXT(m, simple ? "%s" : "{\n%s\n}", a[i].text));
    }
    fzi_grow_z(m->arena, &g, "\n");
    return g.text;
}

/* The same for options of a choice, and under `when`. */
static const char *chosen_under(fzi_merger *m, const fzi_box *box, const char *word,
                                const char *const *keys, const char *const *texts)
{
    alternative *a = BY_SETTING(m, alternative);
    size_t count = find_alternatives(m, box, keys, texts, a);
    fzi_growing g = {0};
    bool with_else = *word == 'w' && count == 2;

    for (size_t i = 0; i < count; i++)
        if (a[i].text)
            fzi_grow_z(m->arena, &g,
                       with_else && i > 0
                           ? TEXT(m, "else {\n%s}\n", a[i].text)
                           : TEXT(m, "%s %s {\n%s}\n", word, a[i].condition, a[i].text));
    return g.text;
}

/* ---- lines ---- */

static const char *merge_line(fzi_merger *m, const fzi_box *box,
                              const fzi_script_line *const *lines, enum fzi_script_place place,
                              bool fixed);
static const char *merge_block(fzi_merger *m, const fzi_box *box, const fzi_part *const *groups,
                               enum fzi_script_place place);

static const char *slice(fzi_merger *m, const fzi_script_line *line, size_t from, size_t to)
{
    if (from >= to)
        return "";
    const fzi_part *last = &line->parts[to - 1];
    return TEXT(m, "%.*s", (int)(last->text + last->length - line->parts[from].text),
                line->parts[from].text);
}

static const char *whole_line(fzi_merger *m, const fzi_script_line *line)
{
    return slice(m, line, 0, line->count);
}

static const char *merge_numbers(fzi_merger *m, const fzi_box *box, const fzi_part *const *parts,
                                 const char *const *keys)
{
    long *numbers = BY_SETTING(m, long);

    FOR_SETTINGS(m, box, c) {
        if (!fzi_part_is_number(parts[c]) || parts[c]->length > 6)
            return NULL;
        numbers[c] = strtol(parts[c]->text, NULL, 10);
    }
    fzi_note_numbers(m, box, keys, numbers);
    return fzi_sum_of_options(m->s, box, numbers);
}

/* What is in round or square brackets, or in those of a set. */
static const char *merge_commas(fzi_merger *m, const fzi_box *box, const fzi_part *const *groups,
                                bool fixed)
{
    const fzi_part *first = groups[fzi_box_first(m->s, box)];
    fzi_growing g = {0};
    const fzi_script_line **lines = BY_SETTING(m, const fzi_script_line *);

    FOR_SETTINGS(m, box, c)
        if (groups[c]->count != first->count)
            return NULL;
    fzi_grow(m->arena, &g, first->text, 1);
    for (size_t i = 0; i < first->count; i++) {
        FOR_SETTINGS(m, box, c)
            lines[c] = &groups[c]->lines[i];
        const char *text = merge_line(m, box, lines, IN_COMMAS, fixed || *first->text == '{');
        if (!text)
            return NULL;
        fzi_grow_z(m->arena, &g, i ? ", " : "");
        fzi_grow_z(m->arena, &g, text);
    }
    fzi_grow(m->arena, &g, first->text + first->length - 1, 1);
    return g.text;
}

/* Where the lines of a block stand that is the part `at` of the line. */
static enum fzi_script_place place_of(const fzi_script_line *line, size_t at,
                                      enum fzi_script_place place)
{
    static const char *const effects[] = {"=>", "then", "otherwise", "else", NULL};

    for (size_t i = at; i-- > 0;) {
        if (fzi_line_has(line, i, "choose") || fzi_line_has(line, i, "moves"))
            return IN_OPTIONS;
        for (const char *const *word = effects; *word; word++)
            if (fzi_line_has(line, i, *word))
                return IN_STATEMENTS;
    }
    return place != IN_SCRIPT ? place : fzi_line_begins(line, "piece") ? IN_ITEMS : IN_STATEMENTS;
}

/* The part at these places of the lines. NULL: they have too little in common. */
static const char *merge_part(fzi_merger *m, const fzi_box *box,
                              const fzi_script_line *const *lines, const size_t *at,
                              enum fzi_script_place place, bool fixed)
{
    const fzi_part **parts = BY_SETTING(m, const fzi_part *);
    const char **keys = BY_SETTING(m, const char *);
    size_t first = fzi_box_first(m->s, box);

    FOR_SETTINGS(m, box, c) {
        if (at[c] >= lines[c]->count)
            return NULL;
        parts[c] = &lines[c]->parts[at[c]];
        keys[c] = parts[c]->id;
    }
    if (are_equal(m, box, keys))
        return slice(m, lines[first], at[first], at[first] + 1);
    FOR_SETTINGS(m, box, c)
        if (parts[c]->is_group != parts[first]->is_group ||
            parts[c]->is_block != parts[first]->is_block ||
            (parts[c]->is_group && *parts[c]->text != *parts[first]->text))
            return NULL;
    if (!parts[first]->is_group) {
        const char *text = merge_numbers(m, box, parts, keys);
        bool alone = place == IN_COMMAS && lines[first]->count == 1;
        return text && !alone && strchr(text, ' ') ? TEXT(m, "(%s)", text) : text;
    }
    if (!parts[first]->is_block)
        return merge_commas(m, box, parts,
                            fixed || fzi_line_has(lines[first], at[first] - 1, "graph"));
    const char *text = merge_block(m, box, parts, place_of(lines[first], at[first], place));
    return text ? TEXT(m, "{\n%s}", text) : NULL;
}

/* What could be chosen from a place in the lines. */
enum extent { NOTHING, OPERAND, EXPRESSION, STATEMENT };

static bool is_behind(const fzi_script_line *line, size_t at, const char *const *words)
{
    while (*words && !fzi_line_has(line, at - 1, *words))
        words++;
    return *words != NULL;
}

/* Does a statement end the line that begins here? */
static bool is_last_statement(const fzi_script_line *line, size_t at, enum fzi_script_place place)
{
    static const char *const more[] = {"else", "otherwise", "then", NULL};

    for (size_t i = at + 1; i < line->count; i++)
        if (is_behind(line, i, more))
            return false;
    return place == IN_STATEMENTS ? fzi_line_has(line, 0, "if") && fzi_expression_end(line, 1) == at
                                  : place != IN_SCRIPT && fzi_line_has(line, at - 1, "=>");
}

/* The largest that may be chosen here; what begins with `not` or `if` is no operand. */
static enum extent extent_at(const fzi_script_line *line, size_t at, enum fzi_script_place place,
                             bool fixed)
{
    static const char *const before[] = {"=",  "+=", "-=",       "|=",     "if",      "by",
                                         "to", "at", "ensuring", "remove", "attacks", NULL};
    static const char *const between[] = {"+", "-",  "*",  "/", "%",  "|",   "&",  "==", "!=",
                                          "<", "<=", ">=", ">", "..", "and", "or", "in", NULL};

    if (at == 0)
        return place == IN_COMMAS && !fixed ? EXPRESSION : NOTHING;
    if (fzi_line_begins(line, "board"))
        return at == 1 ? EXPRESSION : NOTHING;
    if (fixed)
        return NOTHING;
    if (is_last_statement(line, at, place))
        return STATEMENT;
    bool loop = at > 2 && fzi_line_has(line, at - 1, "in") && fzi_line_has(line, at - 3, "for");
    return loop || is_behind(line, at, before) ? EXPRESSION
           : is_behind(line, at, between)      ? OPERAND
                                               : NOTHING;
}

/* A place in all lines from which something could be chosen. */
typedef struct start {
    enum extent extent;
    size_t length; /* of the text before it */
    size_t *at;
} start;

static size_t end_of(const fzi_script_line *line, size_t at, enum extent extent)
{
    return extent == STATEMENT    ? line->count
           : extent == EXPRESSION ? fzi_expression_end(line, at)
                                  : fzi_operand_end(line, at);
}

/* Has the text a table, `{P1: a, P2: b}`? No expression has one. */
static bool has_table(const char *text)
{
    for (; (text = strchr(text, '{')); text++) {
        const char *word = text + 1 + strspn(text + 1, " ");
        size_t length =
            strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (length && word[length + strspn(word + length, " ")] == ':')
            return true;
    }
    return false;
}

/* Is it the value of a new variable and one call? That may be a procedure, which no expression
 * calls. */
static bool is_called_value(const fzi_script_line *line, size_t from, size_t end)
{
    bool declares = fzi_line_begins(line, "let") || fzi_line_begins(line, "var");

    return declares && fzi_line_has(line, from - 1, "=") && end == from + 2 &&
           line->parts[from + 1].is_group && *line->parts[from + 1].text == '(';
}

/* What begins at `from` and reaches at least to `to`, as a choice. Moves `to` behind it. NULL: it
 * cannot be chosen. */
static const char *choose_from(fzi_merger *m, const fzi_box *box,
                               const fzi_script_line *const *lines, const start *s, size_t *to)
{
    const char **keys = BY_SETTING(m, const char *);
    const char **texts = BY_SETTING(m, const char *);
    size_t *ends = BY_SETTING(m, size_t), first = fzi_box_first(m->s, box);
    bool board = fzi_line_begins(lines[first], "board"), further = false, alone = true;

    FOR_SETTINGS(m, box, c) {
        size_t from = s->at[c];
        ends[c] = end_of(lines[c], from, s->extent);
        if (ends[c] <= from || ends[c] < to[c] || ends[c] > lines[c]->count)
            return NULL;
        further = further || ends[c] > to[c];
        alone = alone && from == 0 && ends[c] == lines[c]->count;
        if (!board && !fzi_are_known(m, box, lines[c]->parts + from, ends[c] - from))
            return NULL;
        fzi_growing key = {0};
        for (size_t i = from; i < ends[c]; i++) {
            fzi_grow_z(m->arena, &key, lines[c]->parts[i].id);
            fzi_grow_z(m->arena, &key, " ");
        }
        keys[c] = fzi_intern(m->arena, key.text, key.length);
        texts[c] = slice(m, lines[c], from, ends[c]);
        bool value = s->extent != STATEMENT && !board;
        if (value && (has_table(texts[c]) || is_called_value(lines[c], from, ends[c])))
            return NULL;
    }
    if (!further || are_equal(m, box, keys))
        return NULL;
    FOR_SETTINGS(m, box, c)
        to[c] = ends[c];
    if (s->extent == STATEMENT)
        return TEXT(m, "{\n%s}", chosen_statements(m, box, keys, texts));
    const char *text = chosen_expression(m, box, keys, texts);
    return board || alone ? text : TEXT(m, "(%s)", text);
}

/* `fixed`: only numbers may depend on options here. */
static const char *merge_line(fzi_merger *m, const fzi_box *box,
                              const fzi_script_line *const *lines, enum fzi_script_place place,
                              bool fixed)
{
    size_t *at = BY_SETTING(m, size_t), first = fzi_box_first(m->s, box);
    start *starts = NULL;
    size_t count = 0, capacity = 0;
    fzi_growing g = {0};
    const fzi_script_line *line = lines[first];
    const char **keys = BY_SETTING(m, const char *);

    m->steps += m->s->count;
    if (m->steps > MAX_STEPS)
        return NULL;
    FOR_SETTINGS(m, box, c)
        keys[c] = lines[c]->id;
    if (are_equal(m, box, keys))
        return whole_line(m, line);
    for (;;) {
        bool ended = true, value = place != IN_SCRIPT || fzi_line_begins(line, "board");
        FOR_SETTINGS(m, box, c)
            ended = ended && at[c] == lines[c]->count;
        if (ended)
            return g.text;
        for (size_t i = 0; i < at[first] && place == IN_SCRIPT; i++)
            value = value || fzi_line_has(line, i, "=") || line->parts[i].is_block;
        enum extent extent = extent_at(line, at[first], place, fixed || !value);
        size_t *from = extent ? fzi_arena_copy(m->arena, at, m->s->count * sizeof *at) : NULL;
        if (extent)
            *FZI_MORE(m->arena, starts, count, capacity) = (start){extent, g.length, from};
        if (extent == EXPRESSION)
            *FZI_MORE(m->arena, starts, count, capacity) = (start){OPERAND, g.length, from};
        bool inside = fixed || !value || fzi_line_begins(line, "board");
        const char *text = merge_part(m, box, lines, at, place, inside);
        FOR_SETTINGS(m, box, c)
            at[c] += text != NULL;
        while (!text && count > 0) {
            g.length = starts[--count].length;
            text = choose_from(m, box, lines, &starts[count], at);
        }
        if (!text)
            return NULL;
        fzi_grow_z(m->arena, &g, text);
        fzi_grow_z(m->arena, &g, *text == '/' ? "\n" : " "); /* behind a comment */
    }
}

/* ---- blocks ---- */

/* The keys of the line in all settings: NULL where it is missing. */
static const char **line_keys(fzi_merger *m, const fzi_box *box, const fzi_script_entry *e)
{
    const char **keys = BY_SETTING(m, const char *);

    FOR_SETTINGS(m, box, c)
        keys[c] = e->lines[c] ? e->lines[c]->id : NULL;
    return keys;
}

static bool is_in_all(const fzi_merger *m, const fzi_box *box, const fzi_script_entry *e)
{
    FOR_SETTINGS(m, box, c)
        if (!e->lines[c])
            return false;
    return true;
}

static bool have_same_settings(const fzi_merger *m, const fzi_box *box, const fzi_script_entry *a,
                               const fzi_script_entry *b)
{
    FOR_SETTINGS(m, box, c)
        if (!a->lines[c] != !b->lines[c])
            return false;
    return true;
}

/* An item of a piece that exists under a condition; NULL: this cannot be said. */
static const char *item_if(fzi_merger *m, const fzi_script_line *line, const char *condition)
{
    if (fzi_line_has(line, 0, "moves") && line->count == 2)
        return TEXT(m, "moves {\nif %s {\n%.*s}\n}\n", condition, (int)line->parts[1].length - 2,
                    line->parts[1].text + 1);
    bool plain = fzi_line_has(line, 1, "to") && fzi_line_has(line, line->count - 1, ";");
    for (size_t i = 0; i < line->count; i++)
        plain = plain && !line->parts[i].is_block && *line->parts[i].text != '"' &&
                !fzi_is_token(&line->parts[i], "=>");
    return plain ? TEXT(m, "%s if %s;\n", slice(m, line, 0, line->count - 1), condition) : NULL;
}

/* Lines of a block of which each setting has some: `from` to `to` of the entries. */
typedef struct run {
    const fzi_script_entry *entries;
    size_t from, to;
} run;

static bool starts_with_let(const fzi_merger *m, const fzi_script_entry *e)
{
    for (size_t c = 0; c < m->s->count; c++)
        if (e->lines[c])
            return fzi_line_has(e->lines[c], 0, "let");
    return false;
}

/* All lines of a run, for each setting its own. */
static const char *choose_run(fzi_merger *m, const fzi_box *box, const run *r,
                              enum fzi_script_place place)
{
    const char **keys = BY_SETTING(m, const char *), **texts = BY_SETTING(m, const char *);

    FOR_SETTINGS(m, box, c) {
        fzi_growing key = {0}, text = {0};
        for (size_t i = r->from; i < r->to; i++) {
            const fzi_script_line *line = r->entries[i].lines[c];
            if (!line)
                continue;
            if (!fzi_are_known(m, box, line->parts, line->count))
                return NULL;
            fzi_grow_z(m->arena, &key, line->id);
            fzi_grow_z(m->arena, &text, whole_line(m, line));
            fzi_grow_z(m->arena, &text, "\n");
        }
        keys[c] = key.text ? fzi_intern(m->arena, key.text, key.length) : NULL;
        texts[c] = text.text;
    }
    if (place == IN_STATEMENTS)
        return chosen_statements(m, box, keys, texts);
    if (place == IN_OPTIONS)
        return chosen_under(m, box, "if", keys, texts);
    fzi_growing g = {0};
    for (size_t i = r->from; i < r->to; i++) {
        const char **own = line_keys(m, box, &r->entries[i]);
        size_t c = 0;
        while (!r->entries[i].lines[c])
            c++;
        const char *item =
            item_if(m, r->entries[i].lines[c], fzi_settings_where(m->s, box, own, own[c]));
        if (!item)
            return NULL;
        fzi_grow_z(m->arena, &g, item);
    }
    return g.text;
}

/* Line by line, if all settings have equally many. */
static const char *merge_run(fzi_merger *m, const fzi_box *box, const run *r,
                             enum fzi_script_place place)
{
    size_t count = 0, first = fzi_box_first(m->s, box);
    const fzi_script_line ***lists = BY_SETTING(m, const fzi_script_line **);
    const fzi_script_line **lines = BY_SETTING(m, const fzi_script_line *);
    fzi_growing g = {0};

    FOR_SETTINGS(m, box, c) {
        size_t own = 0;
        lists[c] = fzi_arena_alloc(m->arena, (r->to - r->from) * sizeof **lists);
        for (size_t i = r->from; i < r->to; i++)
            if (r->entries[i].lines[c])
                lists[c][own++] = r->entries[i].lines[c];
        count = c == first ? own : count;
        if (own != count)
            return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        FOR_SETTINGS(m, box, c)
            lines[c] = lists[c][i];
        const char *text = merge_line(m, box, lines, place, false);
        if (!text)
            return NULL;
        fzi_grow_z(m->arena, &g, text);
        fzi_grow_z(m->arena, &g, "\n");
    }
    return g.text;
}

/* A part of a run, up to where other settings begin; all of it, if no setting has lines of two
 * parts, or if one names values for what follows. */
static size_t part_end(const fzi_merger *m, const fzi_box *box, const run *r)
{
    size_t end = r->from + 1;

    while (end < r->to && have_same_settings(m, box, &r->entries[r->from], &r->entries[end]))
        end++;
    return end;
}

static bool is_whole(const fzi_merger *m, const fzi_box *box, const run *r)
{
    for (size_t i = r->from; i < r->to; i++)
        if (starts_with_let(m, &r->entries[i]))
            return true;
    for (size_t end, i = r->from; i < r->to; i = end) {
        run part = {r->entries, i, r->to};
        end = part_end(m, box, &part);
        for (size_t n = end; n < r->to; n++)
            FOR_SETTINGS(m, box, c)
                if (r->entries[i].lines[c] && r->entries[n].lines[c])
                    return false;
    }
    return true;
}

static const char *shorter(const char *a, const char *b)
{
    return !a ? b : !b ? a : fzi_script_tokens(b) < fzi_script_tokens(a) ? b : a;
}

static const char *run_text(fzi_merger *m, const fzi_box *box, const run *r,
                            enum fzi_script_place place)
{
    const char *merged = merge_run(m, box, r, place);
    fzi_growing g = {0};

    if (is_whole(m, box, r))
        return shorter(merged, choose_run(m, box, r, place));
    for (run part = *r; part.from < r->to; part.from = part.to) {
        part.to = r->to;
        part.to = part_end(m, box, &part);
        const char *text = choose_run(m, box, &part, place);
        if (!text)
            return merged;
        fzi_grow_z(m->arena, &g, text);
    }
    return shorter(merged, g.text);
}

/* ---- declarations ---- */

/* The declaration, which all settings of the box have. */
static const char *merge_declaration(fzi_merger *m, const fzi_box *box, const fzi_script_entry *e)
{
    const char **keys = line_keys(m, box, e), **texts = BY_SETTING(m, const char *);
    size_t options = 0;
    const char *best = merge_line(m, box, e->lines, IN_SCRIPT, false);

    if (are_equal(m, box, keys))
        return best;
    FOR_SETTINGS(m, box, c)
        texts[c] = TEXT(m, "%s\n", whole_line(m, e->lines[c]));
    for (size_t k = 0; k < m->s->option_count; k++)
        options += fzi_depends(m->s, box, keys, k);
    bool whole = best != NULL;
    best = shorter(best, chosen_under(m, box, "when", keys, texts));
    for (size_t k = 0; !whole && options > 1 && k < m->s->option_count; k++) {
        const char **values = BY_SETTING(m, const char *);
        if (!fzi_depends(m->s, box, keys, k))
            continue;
        fzi_box part = *box;
        for (size_t v = 0; v < m->s->options[k].count; v++) {
            part.values[k] = box->values[k] & ((uint64_t)1 << v);
            const char *text = part.values[k] ? merge_declaration(m, &part, e) : NULL;
            if (part.values[k])
                FOR_SETTINGS(m, &part, c) {
                    values[c] = fzi_intern_z(m->arena, text);
                    texts[c] = TEXT(m, "%s\n", text);
                }
        }
        best = shorter(best, chosen_under(m, box, "when", values, texts));
    }
    return best;
}

/* The settings that have the line, if they are a box. */
static bool find_box(const fzi_merger *m, const fzi_box *box, const fzi_script_entry *e,
                     fzi_box *found)
{
    *found = (fzi_box){{0}};
    FOR_SETTINGS(m, box, c)
        for (size_t k = 0; e->lines[c] && k < m->s->option_count; k++)
            found->values[k] |= (uint64_t)1 << fzi_setting_value(m->s, c, k);
    FOR_SETTINGS(m, found, c)
        if (!e->lines[c])
            return false;
    return true;
}

/* Declarations of the same settings, but not of all. */
static const char *some_declarations(fzi_merger *m, const fzi_box *box, const run *r)
{
    const char **keys = BY_SETTING(m, const char *), **texts = BY_SETTING(m, const char *);
    fzi_growing g = {0};
    fzi_box part;
    bool is_box = find_box(m, box, &r->entries[r->from], &part);

    for (size_t i = r->from; i < r->to && is_box; i++) {
        fzi_grow_z(m->arena, &g, merge_declaration(m, &part, &r->entries[i]));
        fzi_grow_z(m->arena, &g, "\n");
    }
    FOR_SETTINGS(m, box, c) {
        fzi_growing own = {0};
        for (size_t i = r->from; i < r->to && !is_box && r->entries[i].lines[c]; i++) {
            fzi_grow_z(m->arena, &own, whole_line(m, r->entries[i].lines[c]));
            fzi_grow_z(m->arena, &own, "\n");
        }
        texts[c] = !r->entries[r->from].lines[c] ? NULL : is_box ? g.text : own.text;
        keys[c] = texts[c] ? fzi_intern_z(m->arena, texts[c]) : NULL;
    }
    return chosen_under(m, box, "when", keys, texts);
}

static const char *merge_declarations(fzi_merger *m, const fzi_box *box,
                                      const fzi_script_entry *entries, size_t count)
{
    fzi_growing g = {0};
    bool declared = false;

    for (size_t i = 0; i < count;) {
        run r = {entries, i, count};
        bool all = is_in_all(m, box, &entries[i]), head = false;
        r.to = all ? i + 1 : part_end(m, box, &r);
        const char *text =
            all ? merge_declaration(m, box, &entries[i]) : some_declarations(m, box, &r);
        head = strcmp(entries[i].key, "game ") == 0 || strcmp(entries[i].key, "info ") == 0;
        if (!head && !declared)
            fzi_grow_z(m->arena, &g, "\n" FZ_OPTIONS_HERE "\n");
        declared = declared || !head;
        fzi_grow_z(m->arena, &g, text);
        fzi_grow_z(m->arena, &g, "\n");
        i = r.to;
    }
    return g.text;
}

static const char *merge_block(fzi_merger *m, const fzi_box *box, const fzi_part *const *groups,
                               enum fzi_script_place place)
{
    size_t count;
    fzi_script_entry *entries = fzi_aligned(m, box, groups, place, &count);
    fzi_growing g = {0};

    if (!entries || place == IN_SCRIPT)
        return entries ? merge_declarations(m, box, entries, count) : NULL;
    for (size_t i = 0; i < count;) {
        run r = {entries, i, i + 1};
        bool all = is_in_all(m, box, &entries[i]), names = false;
        while (!all && r.to < count && !is_in_all(m, box, &entries[r.to]))
            r.to++;
        for (size_t n = r.from; n < r.to && !all; n++)
            names = names || starts_with_let(m, &entries[n]);
        if (names)
            r.to = count;
        const char *text = all ? whole_line(m, entries[i].lines[fzi_box_first(m->s, box)])
                               : run_text(m, box, &r, place);
        if (!text)
            return NULL;
        fzi_grow_z(m->arena, &g, text);
        fzi_grow_z(m->arena, &g, "\n");
        i = r.to;
    }
    return g.text ? g.text : "";
}

const char *fzi_merge_scripts(fzi_arena *arena, fzi_script_settings *settings,
                              const char *const *texts)
{
    fzi_merger m = {.arena = arena, .s = settings};
    fzi_box all = fzi_all_settings(settings);

    m.scripts = BY_SETTING(&m, const fzi_part *);
    m.surroundings = BY_SETTING(&m, const char *);
    m.words = BY_SETTING(&m, const char **);
    m.word_count = BY_SETTING(&m, size_t);
    for (size_t c = 0; c < settings->count; c++) {
        size_t like = 0;
        while (like < c && strcmp(texts[like], texts[c]) != 0)
            like++;
        m.scripts[c] = like < c ? m.scripts[like] : fzi_script_tree(arena, texts[c]);
        if (!m.scripts[c])
            return NULL;
    }
    fzi_find_words(&m);
    const char *text = merge_block(&m, &all, m.scripts, IN_SCRIPT);
    if (text && fzi_find_numbers(&m))
        text = merge_block(&m, &all, m.scripts, IN_SCRIPT);
    if (text && fzi_undo_numbers(&m, text))
        text = merge_block(&m, &all, m.scripts, IN_SCRIPT);
    return m.steps > MAX_STEPS ? NULL : text;
}
