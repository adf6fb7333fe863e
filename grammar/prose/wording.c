/* See wording.h. */
#include "wording.h"

#include <string.h>

#include "prose.h"

const char *fzi_in_english(const fzi_analysis *analysis, const fzi_node *expression)
{
    if (analysis->diags->errors || !analysis->game || !expression->type)
        return NULL;
    fzi_prose prose = fzi_prose_of(analysis);
    const char *text =
        expression->type->kind == FZI_TYPE_BOOL ? fzi_say_condition(&prose, expression)
        : expression->type->kind == FZI_TYPE_SET && expression->type->element->kind == FZI_TYPE_DIR
            ? fzi_say_ways(&prose, expression)
            : fzi_say_value(&prose, expression);
    if (!*text || strlen(text) > FZI_PROSE_LONGEST)
        return NULL;
    char *plain = fzi_arena_printf(analysis->arena, "%s", text), *end = plain;
    for (const char *at = text; *at; at++)
        if (!strchr(FZI_STRONG FZI_SLANTED, *at))
            *end++ = *at;
    *end = '\0';
    return plain;
}
