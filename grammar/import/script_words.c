/* Which words a script may use where: see script_merge.c. */
#include <stdlib.h>

#include "script_merger.h"

static int by_pointer(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    return (x > y) - (x < y);
}

/* Is it a word, a diagram, or arguments such as those of rank(9), which not all boards have? */
static bool may_be_unknown(const fzi_part *part)
{
    if (!part->is_group)
        return fzi_part_is_word(part) || memchr(part->text, '\n', part->length); /* diagrams */
    for (size_t i = 0; i < part->count && *part->text == '('; i++)
        if (part->lines[i].count == 1 && fzi_part_is_number(part->lines[i].parts))
            return true;
    return false;
}

static void add_words(fzi_merger *m, const fzi_part *group, const char ***words, size_t *count,
                      size_t *capacity)
{
    for (size_t i = 0; i < group->count; i++)
        for (size_t n = 0; n < group->lines[i].count; n++) {
            const fzi_part *part = &group->lines[i].parts[n];
            if (part->is_group)
                add_words(m, part, words, count, capacity);
            if (may_be_unknown(part))
                *FZI_MORE(m->arena, *words, *count, *capacity) = part->id;
        }
}

const char *fzi_heading(fzi_merger *m, const fzi_script_line *line)
{
    static const char *const nameless[] = {"game", "board", "players", "limit", "stacks", NULL};
    fzi_growing g = {0};
    size_t i = 0;

    while (i < line->count && *line->parts[i].text == '/')
        i++;
    for (; i < line->count && fzi_part_is_word(&line->parts[i]); i++) {
        fzi_grow_z(m->arena, &g, line->parts[i].id);
        fzi_grow_z(m->arena, &g, " ");
        for (const char *const *word = nameless; *word; word++)
            if (fzi_is_token(&line->parts[i], *word))
                return fzi_intern(m->arena, g.text, g.length);
    }
    return fzi_intern(m->arena, g.text ? g.text : "", g.length);
}

bool fzi_line_begins(const fzi_script_line *line, const char *word)
{
    size_t i = 0;

    while (i < line->count && *line->parts[i].text == '/')
        i++;
    return fzi_line_has(line, i, word);
}

void fzi_find_words(fzi_merger *m)
{
    for (size_t c = 0; c < m->s->count; c++) {
        fzi_growing g = {0};
        for (size_t i = 0; i < m->scripts[c]->count; i++) {
            const fzi_script_line *line = &m->scripts[c]->lines[i];
            bool whole = fzi_line_begins(line, "board") || fzi_line_begins(line, "players") ||
                         fzi_line_begins(line, "enum");
            fzi_grow_z(m->arena, &g, whole ? line->id : fzi_heading(m, line));
            fzi_grow_z(m->arena, &g, ";");
        }
        m->surroundings[c] = fzi_intern(m->arena, g.text ? g.text : "", g.length);
    }
    for (size_t c = 0; c < m->s->count; c++) {
        size_t first = 0, capacity = 0, count = 0;
        while (m->surroundings[first] != m->surroundings[c])
            first++;
        m->words[c] = m->words[first];
        m->word_count[c] = m->word_count[first];
        if (first < c)
            continue;
        for (size_t i = c; i < m->s->count; i++)
            if (m->surroundings[i] == m->surroundings[c] &&
                (i == c || m->scripts[i]->lines_id != m->scripts[i - 1]->lines_id))
                add_words(m, m->scripts[i], &m->words[c], &count, &capacity);
        qsort(m->words[c], count, sizeof *m->words[c], by_pointer);
        for (size_t i = 0; i < count; i++)
            if (i == 0 || m->words[c][i] != m->words[c][i - 1])
                m->words[c][m->word_count[c]++] = m->words[c][i];
    }
}

bool fzi_are_known(const fzi_merger *m, const fzi_box *box, const fzi_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const fzi_part *part = &parts[i];
        for (size_t n = 0; n < part->count; n++)
            if (!fzi_are_known(m, box, part->lines[n].parts, part->lines[n].count))
                return false;
        if (!may_be_unknown(part))
            continue;
        const char *last = NULL;
        FOR_SETTINGS(m, box, c) {
            if (m->surroundings[c] == last)
                continue;
            last = m->surroundings[c];
            if (!bsearch(&part->id, m->words[c], m->word_count[c], sizeof part->id, by_pointer))
                return false;
        }
    }
    return true;
}
