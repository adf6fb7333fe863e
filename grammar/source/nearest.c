/* Finds the name that a misspelled one may mean, and what Ferz has for words of other languages
 * (foreign.def). */
#include <strings.h>

#include "diagnostics.h"
#include "interp/support/text.h"

void fzi_nearest_offer(fzi_nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->wanted), other = strlen(candidate);
    size_t shorter = length < other ? length : other;
    unsigned allowed = shorter < 3 ? 0 : 1 + (unsigned)shorter / 4;
    if (length + other - 2 * shorter > allowed)
        return;
    unsigned distance = strcasecmp(nearest->wanted, candidate) == 0
                            ? 0
                            : fzi_letters_apart(nearest->wanted, candidate, true);
    /* A guess with two mistakes has at least the first letter in common. */
    if (distance > 1 && strncasecmp(nearest->wanted, candidate, 1) != 0)
        return;
    if (distance <= allowed && (!nearest->best || distance < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

void fzi_hint_nearest(fzi_diag *diag, const fzi_nearest *nearest)
{
    if (nearest->best)
        fzi_hint_add(diag, "did you mean '%s'?", nearest->best);
}

/* ---- words of other languages ---- */

typedef struct foreign_word {
    int place;
    const char *words, *text;
    bool is_like; /* `text` is a word of Ferz */
} foreign_word;

static const foreign_word words[] = {
#define LIKE(place, words, text) {FZI_FOREIGN_##place, words, text, true},
#define TIP(place, words, text) {FZI_FOREIGN_##place, words, text, false},
#include "foreign.def"
#undef LIKE
#undef TIP
};

bool fzi_is_in_list(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, word, length) == 0 && (!at[length] || at[length] == ' '))
            return true;
    }
    return false;
}

static const foreign_word *find(int place, const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].place == place && fzi_is_in_list(words[i].words, word))
            return &words[i];
    return NULL;
}

bool fzi_is_foreign(int place, const char *word)
{
    return find(place, word) != NULL;
}

bool fzi_hint_foreign(fzi_diag *diag, int place, const char *word)
{
    const foreign_word *found = find(place, word);
    if (found && found->is_like)
        fzi_hint_add(diag, "did you mean '%s'?", found->text);
    else if (found)
        fzi_hint_add(diag, "%s", found->text);
    return found != NULL;
}
