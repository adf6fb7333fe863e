/* The sections of a variants.ini: names, bases, keys and values with their lines. See fairy.h. */
#include "fairy.h"

#include <ctype.h>

enum { MAX_SECTIONS = 2000, MAX_KEYS = 1000 };

static const struct built_in {
    const char *name, *base, *keys;
} built_in[] = {
#define VARIANT(name, base, keys) {name, base, keys},
#include "fairy_builtin.def"
#undef VARIANT
};

/* A copy of the text between two places, without blanks at its ends. */
static char *trimmed(fzi_arena *arena, const char *from, const char *end)
{
    while (from < end && isspace((unsigned char)*from))
        from++;
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    char *copy = fzi_arena_alloc(arena, (size_t)(end - from) + 1);
    memcpy(copy, from, (size_t)(end - from));
    return copy;
}

/* The same of a name, which is printed. */
static const char *printable(fzi_arena *arena, const char *from, const char *end)
{
    char *name = trimmed(arena, from, end);

    for (char *at = name; *at; at++)
        *at = iscntrl((unsigned char)*at) ? '?' : *at;
    return name;
}

static fzi_fairy_section *add_section(fzi_fairy_file *file, const char *name, const char *base,
                                      unsigned line)
{
    fzi_fairy_section *section = FZI_MORE(file->arena, file->sections, file->count, file->capacity);
    *section = (fzi_fairy_section){.name = name, .base = base, .line = line};
    return section;
}

/* A later line of the same key replaces an earlier one. */
static void add_entry(fzi_arena *arena, fzi_fairy_section *section, fzi_fairy_entry entry)
{
    for (size_t i = 0; i < section->count; i++)
        if (strcmp(section->entries[i].key, entry.key) == 0) {
            section->entries[i] = entry;
            return;
        }
    if (section->count > MAX_KEYS)
        return;
    if (section->count == MAX_KEYS)
        entry.key = "more than 1000 keys"; /* refused, as no such key */
    *FZI_MORE(arena, section->entries, section->count, section->capacity) = entry;
}

/* `[name:base]`. */
static void read_header(fzi_fairy_file *file, const char *at, const char *end, unsigned line)
{
    const char *close = memchr(at, ']', (size_t)(end - at));
    close = close ? close : end;
    const char *colon = memchr(at, ':', (size_t)(close - at));
    const char *name = printable(file->arena, at + 1, colon ? colon : close);
    bool again = file->count <= MAX_SECTIONS && fzi_fairy_find(file, name);
    add_section(file, again ? fzi_arena_printf(file->arena, "%s (line %u)", name, line) : name,
                colon ? printable(file->arena, colon + 1, close) : "", line)
        ->again = again;
}

/* What is neither a comment nor `key = value` becomes a key without a meaning. */
static void read_entry(fzi_fairy_file *file, const char *at, const char *end, unsigned line)
{
    const char *equals = memchr(at, '=', (size_t)(end - at));
    const char *key = trimmed(file->arena, at, equals ? equals : end);

    if (*key == '\0' || *key == ';' || *key == '#')
        return;
    add_entry(file->arena, &file->sections[file->count - 1],
              (fzi_fairy_entry){key, equals ? trimmed(file->arena, equals + 1, end) : "", line});
}

static void read_lines(fzi_fairy_file *file, const char *text, size_t length, bool own)
{
    const char *end = text + length;
    unsigned line = 1;

    for (const char *at = text; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (*at == '[' && own)
            read_header(file, at, stop, line);
        else if (file->count > 0)
            read_entry(file, at, stop, own ? line : 0);
        at = stop < end ? stop + 1 : end;
    }
}

bool fzi_fairy_read(fzi_fairy_file *file, const char *text, size_t length)
{
    read_lines(file, text, length, true);
    file->own = file->count;
    if (file->own > MAX_SECTIONS)
        return false;
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) {
        add_section(file, built_in[i].name, built_in[i].base, 0);
        read_lines(file, built_in[i].keys, strlen(built_in[i].keys), false);
    }
    return true;
}

const fzi_fairy_section *fzi_fairy_find(const fzi_fairy_file *file, const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->sections[i].name, name) == 0)
            return &file->sections[i];
    return NULL;
}

/* A section builds on an earlier one, so bases form no circle; a built-in one on built-in ones. */
const fzi_fairy_section *fzi_fairy_base(const fzi_fairy_file *file,
                                        const fzi_fairy_section *section)
{
    size_t place = (size_t)(section - file->sections);
    for (size_t i = place < file->own ? 0 : file->own; i < file->count; i++)
        if ((i < place || i >= file->own) && i != place &&
            strcmp(file->sections[i].name, section->base) == 0)
            return &file->sections[i];
    return NULL;
}
