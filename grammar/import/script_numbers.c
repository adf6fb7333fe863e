/* Options whose values are numbers: see script_merge.c. */
#include <stdlib.h>

#include "script_merger.h"

void fzi_note_numbers(fzi_merger *m, const fzi_box *box, const char *const *keys,
                      const long *numbers)
{
    size_t only = 0, count = 0, i = 0;

    for (size_t k = 0; k < m->s->option_count; k++)
        if (fzi_depends(m->s, box, keys, k)) {
            only = k;
            count++;
        }
    fzi_vector v = {.uses = 1};
    size_t known = 0;
    FOR_SETTINGS(m, box, c) {
        size_t value = fzi_setting_value(m->s, c, only);
        known |= value == 0;
        v.numbers[value] = numbers[c];
        i = value > i ? value : i;
    }
    if (count != 1 || !known || i + 1 < m->s->options[only].count)
        return;
    fzi_vector *all = m->vectors[only];
    for (i = 0; i < m->vector_count[only]; i++)
        if (memcmp(all[i].numbers, v.numbers, sizeof v.numbers) == 0) {
            all[i].uses++;
            return;
        }
    if (m->vector_count[only] < FZ_MOST_VECTORS)
        all[m->vector_count[only]++] = v;
}

/* Has the text this number? */
static bool names_number(const char *text, long number)
{
    for (const char *at = text; *at;) {
        size_t digits = strspn(at, "0123456789");
        if (digits && strtol(at, NULL, 10) == number)
            return true;
        at += digits ? digits : 1;
    }
    return false;
}

bool fzi_find_numbers(fzi_merger *m)
{
    bool found = false;

    for (size_t k = 0; k < m->s->option_count; k++) {
        fzi_script_option *o = &m->s->options[k];
        size_t most = 0;
        for (size_t i = 0; o->kind == FZ_VALUES_NAMED && i < m->vector_count[k]; i++) {
            const fzi_vector *v = &m->vectors[k][i];
            bool good = v->uses > most;
            for (size_t n = 0; n < o->count && good; n++) {
                good = names_number(o->titles[n], v->numbers[n]);
                for (size_t j = 0; j < n; j++)
                    good = good && v->numbers[j] != v->numbers[n];
            }
            if (!good)
                continue;
            most = v->uses;
            memcpy(o->numbers, v->numbers, sizeof o->numbers);
        }
        o->kind = most ? FZ_VALUES_NUMBERS : o->kind;
        found = found || most;
    }
    return found;
}

bool fzi_undo_numbers(fzi_merger *m, const char *text)
{
    bool undone = false;

    for (size_t k = 0; k < m->s->option_count; k++) {
        fzi_script_option *o = &m->s->options[k];
        long least = o->numbers[0], most = o->numbers[0];
        for (size_t v = 1; v < o->count; v++) {
            least = o->numbers[v] < least ? o->numbers[v] : least;
            most = o->numbers[v] > most ? o->numbers[v] : most;
        }
        if (o->kind != FZ_VALUES_NUMBERS || most - least + 1 == (long)o->count)
            continue;
        static const char *const asks[] = {"==", "!=", "<", ">"};
        for (size_t i = 0; i < sizeof asks / sizeof *asks && o->kind == FZ_VALUES_NUMBERS; i++)
            if (strstr(text, TEXT(m, " %s %s", o->name, asks[i])) ||
                strstr(text, TEXT(m, "(%s %s", o->name, asks[i]))) {
                o->kind = FZ_VALUES_NAMED;
                undone = true;
            }
    }
    return undone;
}
