/* The format of Ludii's .lud files for import.c. */
#include "lud_writer.h"

static void *read_file(fzi_arena *arena, const char *path, const char *text, size_t length,
                       const char **why)
{
    fzi_lud_file *file = FZI_NEW(arena, fzi_lud_file);
    fzi_lud_fault fault;

    *file = (fzi_lud_file){.arena = arena, .path = path};
    if (fzi_lud_read(file, text, length, &fault))
        return file;
    *why = fzi_arena_printf(arena, "line %u: %s", fault.line, fault.why);
    return NULL;
}

static const char *name(const void *file, size_t number)
{
    const fzi_lud_file *f = file;

    if (number >= f->ruleset_count)
        return NULL;
    return *f->rulesets[number].name ? f->rulesets[number].name : f->name;
}

static const char *find(const void *file, const char *wanted)
{
    const char *found;

    for (size_t i = 0; (found = name(file, i)); i++)
        if (strcmp(found, wanted) == 0)
            return found;
    const char *at = wanted;
    while (*at && fzi_lud_read_choice(file, &at))
        ;
    return *at ? NULL : wanted;
}

/* "Heading/Item, Heading/Item": the file's first ruleset with other values. */
static fzi_lud_ruleset with_choices(const fzi_lud_file *file, const char *wanted, fzi_arena *work)
{
    const char **items = NULL;
    size_t count = 0, capacity = 0;

    for (const char *at = wanted; *at;) {
        const char *from = at;
        size_t length = fzi_lud_read_choice(file, &at);
        *FZI_MORE(work, items, count, capacity) =
            fzi_arena_printf(work, "%.*s", (int)length, from);
    }
    return fzi_lud_with_items(work, &file->rulesets[0], wanted, items, count);
}

static const char *script(const void *file, const char *wanted, bool partial, fzi_arena *work,
                          fzi_import_refused *refused)
{
    const fzi_lud_file *f = file;
    size_t number = 0;

    if (!wanted && !partial)
        return fzi_lud_script_with_options(work, f, &f->rulesets[0], refused);
    const char *known = wanted;
    while (wanted && (known = name(file, number)) && strcmp(known, wanted) != 0)
        number++;
    if (known || !wanted)
        return fzi_lud_script(work, f, &f->rulesets[number], partial, refused);
    fzi_lud_ruleset ruleset = with_choices(f, wanted, work);
    return fzi_lud_script(work, f, &ruleset, partial, refused);
}

static bool define(void *file, const char *text, size_t length, const char **why)
{
    fzi_lud_file *f = file;
    fzi_lud_fault fault;

    if (fzi_lud_add_defines(f, text, length, &fault))
        return true;
    *why = fzi_arena_printf(f->arena, "line %u: %s", fault.line, fault.why);
    return false;
}

const fzi_import_format fzi_format_lud = {
    ".lud", false, read_file, name, find, script, define,
};
