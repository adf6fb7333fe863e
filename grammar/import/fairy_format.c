/* The format of Fairy-Stockfish's variants.ini for import.c. */
#include "fairy.h"

static void *read_file(fzi_arena *arena, const char *path, const char *text, size_t length,
                       const char **why)
{
    fzi_fairy_file *file = FZI_NEW(arena, fzi_fairy_file);

    *file = (fzi_fairy_file){.arena = arena, .path = path};
    if (fzi_fairy_read(file, text, length))
        return file;
    *why = "too many variants";
    return NULL;
}

static const char *name(const void *file, size_t number)
{
    const fzi_fairy_file *f = file;
    return number < f->own ? f->sections[number].name : NULL;
}

static const char *find(const void *file, const char *wanted)
{
    const fzi_fairy_section *section = fzi_fairy_find(file, wanted);
    return section ? section->name : NULL;
}

static const char *script(const void *file, const char *wanted, bool partial, fzi_arena *work,
                          fzi_import_refused *refused)
{
    fzi_fairy_rules *rules = FZI_NEW(work, fzi_fairy_rules);
    const char *text = fzi_fairy_apply(file, fzi_fairy_find(file, wanted), work, rules)
                           ? fzi_fairy_script(rules, partial)
                           : NULL;
    *refused = rules->refused;
    return text;
}

const fzi_import_format fzi_format_fairy = {
    ".ini", true, read_file, name, find, script, NULL,
};
