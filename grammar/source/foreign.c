/* Hints for words of other languages. The words are in foreign.def. */
#include "diagnostics.h"

#include <string.h>

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

/* Is it one of the words, which have blanks between them? */
static bool is_among(const char *list, const char *word)
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
        if (words[i].place == place && is_among(words[i].words, word))
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
