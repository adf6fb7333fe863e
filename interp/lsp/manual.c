/* What the manual says of a word: the rows of docs/language/index.md, installed or in the
 * sources. */
#include "lsp.h"

#include <stdlib.h>
#include <unistd.h>

#include "interp/support/documents.h"

static const char folder[] = "/docs/language/";

/* The text of the index, "" where it is not installed. */
static const char *index_of(fzi_lsp *lsp)
{
    static const char *const roots[] = {FZ_DOC_DIR, FZ_CHECKOUT_DOC_DIR};
    char path[4096], *text = NULL;
    size_t length;

    for (int i = 0; i < 2 && !lsp->manual; i++) {
        snprintf(path, sizeof path, "%s%sindex.md", roots[i], folder);
        if (access(path, R_OK) != 0 ||
            fzi_context_read_regular(lsp->context, path, &text, &length) != FZ_OK)
            continue;
        lsp->manual = fzi_lsp_copy(text, length);
        lsp->manual_root = roots[i];
        fz_text_free(lsp->context, text);
    }
    if (!lsp->manual)
        lsp->manual = fzi_lsp_copy("", 0);
    return lsp->manual;
}

/* "[Title](page.md#part)" as a link to the file, or in words. */
static const char *link_of(const fzi_lsp *lsp, fzi_arena *arena, const char *text)
{
    const char *title = text + 1, *middle = strstr(text, "]("), *end;

    if (*text != '[' || !middle || !(end = strchr(middle, ')')))
        return NULL;
    int letters = (int)(middle - title), rest = (int)(end - middle - 2);
    if (!lsp->client.markdown)
        return fzi_arena_printf(arena, "manual: %.*s", letters, title);
    return fzi_arena_printf(arena, "[%.*s](file://%s%s%.*s)", letters, title, lsp->manual_root,
                            folder, rest, middle + 2);
}

const char *fzi_manual_link(fzi_lsp *lsp, fzi_arena *arena, const char *word, const char **meaning)
{
    const char *row = strstr(index_of(lsp), fzi_arena_printf(arena, "\n| `%s` | ", word));
    const char *places = row ? row + strlen("\n| `` | ") + strlen(word) : NULL;
    const char *cell = places ? strstr(places, ") | ") : NULL;

    *meaning = NULL;
    if (!cell)
        return NULL;
    cell += strlen(") | ");
    const char *end = cell + strcspn(cell, "\n");
    if (end - cell > (long)strlen(" |") && end[-1] == '|')
        *meaning = fzi_arena_printf(arena, "%.*s", (int)(end - cell - 2), cell);
    return link_of(lsp, arena, places);
}
