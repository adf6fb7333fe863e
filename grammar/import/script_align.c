/* Lines of several scripts in one order: see script_merge.c. */
#include "script_merger.h"

enum { MAX_ALIGNED = 1 << 20 };

static fzi_script_entry *new_entry(fzi_merger *m, fzi_script_entry *e, const char *key)
{
    *e = (fzi_script_entry){key, BY_SETTING(m, const fzi_script_line *)};
    return e;
}

static const char *key_of(fzi_merger *m, const fzi_script_line *line, enum fzi_script_place place)
{
    return place == IN_SCRIPT ? fzi_heading(m, line) : line->id;
}

/* The entries with the lines of one more setting, in an order that fits all: the longest common
 * subsequence stays together. NULL: they are too many. */
static fzi_script_entry *add_lines(fzi_merger *m, fzi_script_entry *old, size_t *count,
                                   const fzi_part *group, size_t setting,
                                   enum fzi_script_place place)
{
    size_t width = group->count + 1, made = 0;
    const char **keys = fzi_arena_alloc(m->arena, width * sizeof *keys);

    if ((*count + 1) * width > MAX_ALIGNED)
        return NULL;
    uint16_t *common = fzi_arena_alloc(m->arena, (*count + 1) * width * sizeof *common);
    fzi_script_entry *all = fzi_arena_alloc(m->arena, (*count + width) * sizeof *all);
    for (size_t n = 0; n < group->count; n++)
        keys[n] = key_of(m, &group->lines[n], place);
    for (size_t i = *count; i-- > 0;)
        for (size_t n = group->count; n-- > 0;) {
            uint16_t down = common[(i + 1) * width + n], right = common[i * width + n + 1];
            common[i * width + n] = old[i].key == keys[n]
                                        ? (uint16_t)(common[(i + 1) * width + n + 1] + 1)
                                    : down > right ? down
                                                   : right;
        }
    for (size_t i = 0, n = 0; i < *count || n < group->count;) {
        bool both = i < *count && n < group->count && old[i].key == keys[n];
        bool mine = i < *count && (both || n == group->count ||
                                   common[(i + 1) * width + n] >= common[i * width + n + 1]);
        fzi_script_entry *e = &all[made++];
        *e = mine ? old[i++] : *new_entry(m, e, keys[n]);
        if (both || !mine)
            e->lines[setting] = &group->lines[n++];
    }
    *count = made;
    return all;
}

fzi_script_entry *fzi_aligned(fzi_merger *m, const fzi_box *box, const fzi_part *const *groups,
                              enum fzi_script_place place, size_t *count)
{
    fzi_script_entry *all = FZI_NEW(m->arena, fzi_script_entry);

    *count = 0;
    FOR_SETTINGS(m, box, c) {
        size_t like = fzi_box_first(m->s, box);
        while (like < c &&
               (!fzi_box_has(m->s, box, like) || groups[like]->lines_id != groups[c]->lines_id))
            like++;
        if (like == c && !(all = add_lines(m, all, count, groups[c], c, place)))
            return NULL;
        for (size_t i = 0; like < c && i < *count; i++)
            all[i].lines[c] = all[i].lines[like];
    }
    return all;
}
