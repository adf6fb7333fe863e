/* The declarations in which two texts of rules differ. The command `diff` calls this. */
#include "interp/support/context.h"

#include <string.h>

static bool same_key(const fz_declaration *a, const fz_declaration *b)
{
    return strcmp(a->sort, b->sort) == 0 && strcmp(a->key, b->key) == 0;
}

/* The declaration of the second text that belongs to this one of the first. First under the same
 * conditions, then under others. */
static const fz_declaration *partner(const fz_declarations *other, bool *matched,
                                     const fz_declaration *of, bool other_conditions)
{
    for (size_t i = 0; i < other->count; i++) {
        const fz_declaration *found = &other->items[i];
        if (matched[i] || !same_key(found, of) ||
            (!other_conditions && strcmp(found->condition, of->condition) != 0))
            continue;
        matched[i] = true;
        return found;
    }
    return NULL;
}

static void add(fz_declaration_change *changes, size_t *count, const fz_declaration *one,
                const fz_declaration *other)
{
    if (one && other && strcmp(one->tokens, other->tokens) == 0 &&
        strcmp(one->condition, other->condition) == 0)
        return;
    changes[(*count)++] = (fz_declaration_change){{one, other}};
}

fz_status fz_declarations_compare(fz_context *context, const fz_declarations *one,
                                  const fz_declarations *other, fz_declaration_change **result,
                                  size_t *count)
{
    fzi_allocator allocator = context->allocator;
    const fz_declaration **found = fzi_allocate(allocator, (one->count + 1) * sizeof *found);
    bool *matched = fzi_allocate(allocator, other->count + 1);
    fz_declaration_change *changes =
        fzi_allocate(allocator, (one->count + other->count + 1) * sizeof *changes);
    bool good = found && matched && changes;

    *result = good ? changes : NULL;
    *count = 0;
    if (good) {
        memset(matched, 0, other->count + 1);
        for (size_t i = 0; i < one->count; i++)
            found[i] = partner(other, matched, &one->items[i], false);
        for (size_t i = 0; i < one->count; i++) {
            if (!found[i])
                found[i] = partner(other, matched, &one->items[i], true);
            add(changes, count, &one->items[i], found[i]);
        }
        for (size_t i = 0; i < other->count; i++)
            if (!matched[i])
                add(changes, count, NULL, &other->items[i]);
    } else {
        fzi_release(allocator, changes);
    }
    FZI_RELEASE(allocator, found, matched);
    return good ? FZ_OK : fzi_context_no_memory(context);
}

void fz_declaration_changes_free(fz_context *context, fz_declaration_change *changes)
{
    fzi_release(context->allocator, changes);
}
