/* Hints for words of other languages. The words are in foreign.def. */
#include "diagnostics.h"

#include <string.h>

typedef struct foreign_word {
    int place;
    const char *word, *text;
    bool is_like; /* `text` is a word of Ferz */
} foreign_word;

static const foreign_word words[] = {
#define LIKE(place, word, text) {FZI_FOREIGN_##place, word, text, true},
#define TIP(place, word, text) {FZI_FOREIGN_##place, word, text, false},
#include "foreign.def"
#undef LIKE
#undef TIP
};

static const foreign_word *find(int place, const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].place == place && strcmp(words[i].word, word) == 0)
            return &words[i];
    return NULL;
}

bool fzi_is_foreign(int place, const char *word)
{
    return find(place, word) != NULL;
}

bool fzi_hint_foreign(fzi_diags *diags, fzi_diag *diag, int place, const char *word)
{
    const foreign_word *found = find(place, word);
    if (found && found->is_like)
        fzi_hint_add(diags, diag, "did you mean '%s'?", found->text);
    else if (found)
        fzi_hint_add(diags, diag, "%s", found->text);
    return found != NULL;
}
