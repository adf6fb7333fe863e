/* What importers share: clauses that no script says, and texts. See importer.h. */
#include "importer.h"

/* A text in printable ASCII and without `unwanted`; "?" stands for everything else. */
static const char *printable(fzi_arena *arena, const char *text, const char *unwanted)
{
    char *plain = fzi_arena_printf(arena, "%s", text);

    for (char *at = plain; *at; at++)
        *at = *at < ' ' || *at > '~' || strchr(unwanted, *at) ? '?' : *at;
    return plain;
}

void fzi_import_refuse(fzi_arena *arena, fzi_import_refused *refused, unsigned line,
                       const char *clause, const char *why)
{
    FZI_MORE(arena, refused->items, refused->count, refused->capacity);
    size_t at = refused->count - 1;
    for (; at > 0 && refused->items[at - 1].line > line; at--)
        refused->items[at] = refused->items[at - 1];
    refused->items[at] = (fz_import_clause){line, fzi_import_printable(arena, clause), why};
}

const char *fzi_import_refused_text(fzi_arena *arena, const fzi_import_refused *refused)
{
    fzi_growing text = {0};

    for (size_t i = 0; i < refused->count; i++) {
        const fz_import_clause *c = &refused->items[i];
        fzi_grow_z(arena, &text,
                   fzi_arena_printf(arena, "// Line %u: %s: %s\n", c->line, c->clause, c->why));
    }
    if (!refused->count)
        return "";
    fzi_grow_z(arena, &text,
               fzi_arena_printf(arena, "override let not_translated = %zu;\n", refused->count));
    return text.text;
}

const char *fzi_import_printable(fzi_arena *arena, const char *text)
{
    return printable(arena, text, "");
}

const char *fzi_import_plain(fzi_arena *arena, const char *text)
{
    return printable(arena, text, "\"\\{}");
}

const char *fzi_import_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
