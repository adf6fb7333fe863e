/* Merges the `info` of a variant and its base. A variant inherits the fields of FENs only; `...` in
 * its own `fen` stands for the inherited fields that it does not name. */
#include "layers.h"

static const char WITHOUT_FEN[] = "board mover"; /* the fields of a game without `fen` */

/* The length of the field, and of the name at its beginning: of `board[hand]~promoted`, "board". */
static size_t field_length(const char *field)
{
    return strcspn(field, " ");
}

static size_t name_length(const char *field)
{
    size_t length = strcspn(field, " [~+=,");
    return length ? length : field_length(field);
}

static const char *next_field(const char *at)
{
    at += field_length(at);
    return at + strspn(at, " ");
}

static bool is_rest(const char *field)
{
    return field_length(field) == 3 && strncmp(field, "...", 3) == 0;
}

static bool names_field(const char *fields, const char *wanted)
{
    size_t length = name_length(wanted);
    for (const char *at = fields + strspn(fields, " "); *at; at = next_field(at))
        if (name_length(at) == length && strncmp(at, wanted, length) == 0)
            return true;
    return false;
}

static const char *with_field(fzi_arena *arena, const char *text, const char *field)
{
    return fzi_arena_printf(arena, "%s%s%.*s", text, *text ? " " : "", (int)field_length(field),
                            field);
}

static const char *merge_fields(fzi_arena *arena, const char *inherited, const char *own)
{
    const char *text = "";
    for (const char *at = own + strspn(own, " "); *at; at = next_field(at)) {
        if (!is_rest(at)) {
            text = with_field(arena, text, at);
            continue;
        }
        for (const char *f = inherited + strspn(inherited, " "); *f; f = next_field(f))
            if (!names_field(own, f))
                text = with_field(arena, text, f);
    }
    return text;
}

static bool is_fen(const fzi_node *entry)
{
    return strcmp(entry->name, "fen") == 0;
}

static bool has_rest(const char *fields)
{
    for (const char *at = fields + strspn(fields, " "); *at; at = next_field(at))
        if (is_rest(at))
            return true;
    return false;
}

static const fzi_node *find_entry(const fzi_node *entries, const char *name)
{
    while (entries && strcmp(entries->name, name) != 0)
        entries = entries->next;
    return entries;
}

fzi_node *fzi_info_merged(fzi_arena *arena, const fzi_node *inherited, const fzi_node *own)
{
    fzi_node *entries = NULL, **end = &entries;
    for (const fzi_node *entry = own; entry; entry = entry->next, end = &(*end)->next) {
        *end = fzi_node_clone(arena, entry);
        if (!is_fen(entry) || !has_rest(entry->text))
            continue;
        const fzi_node *below = find_entry(inherited, entry->name);
        (*end)->text = merge_fields(arena, below ? below->text : WITHOUT_FEN, entry->text);
    }
    for (; inherited; inherited = inherited->next) {
        if (find_entry(own, inherited->name) || (!own && !is_fen(inherited)))
            continue;
        *end = fzi_node_clone(arena, inherited);
        end = &(*end)->next;
    }
    return entries;
}
