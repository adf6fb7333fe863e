/* Hints that tools can carry out. See hint_edits.h. */
#include "hint_edits.h"

#include <string.h>

#define ADD_HINT(c, diag, format)                                                                  \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        fzi_hint_add((c)->diags, diag, "%s", fzi_arena_vprintf((c)->arena, format, args));         \
        va_end(args);                                                                              \
    } while (0)

fzi_span fzi_before(fzi_span span)
{
    span.end = span.start;
    return span;
}

fzi_span fzi_behind(fzi_span span)
{
    span.start = span.end;
    return span;
}

void fzi_hint_wrap(fzi_checker *c, fzi_diag *diag, const fzi_node *node, const char *before,
                   const char *after, const char *format, ...)
{
    ADD_HINT(c, diag, format);
    fzi_span first = fzi_before(node->span), last = fzi_behind(node->span);
    if (*before)
        fzi_hint_edit(c->diags, diag, &first, "%s", before);
    if (*after)
        fzi_hint_edit(c->diags, diag, &last, "%s", after);
}

void fzi_hint_replace(fzi_checker *c, fzi_diag *diag, const fzi_span *span, const char *text,
                      const char *format, ...)
{
    ADD_HINT(c, diag, format);
    fzi_hint_edit(c->diags, diag, span, "%s", text);
}

bool fzi_operator_span(const fzi_checker *c, const fzi_node *node, fzi_span *span)
{
    const fzi_source *source = fzi_source_at(c->game->sources, node->span.source);
    const char *word = fzi_op_text(node->op);
    size_t length = strlen(word);
    if (!source)
        return false;
    for (uint32_t at = node->left->span.end; at + length <= node->right->span.start; at++) {
        if (source->text[at] == '/')
            return false; /* a comment, which may contain the word */
        if (memcmp(source->text + at, word, length) == 0) {
            *span = (fzi_span){node->span.source, at, at + (uint32_t)length};
            return true;
        }
    }
    return false;
}

void fzi_hint_operator(fzi_checker *c, fzi_diag *diag, const fzi_node *node, const char *text,
                       const char *format, ...)
{
    fzi_span span;
    ADD_HINT(c, diag, format);
    if (fzi_operator_span(c, node, &span))
        fzi_hint_edit(c->diags, diag, &span, "%s", text);
}

void fzi_hint_declaration(fzi_checker *c, fzi_diag *diag, const char *text)
{
    const fzi_source *source = fzi_source_at(c->game->sources, c->own_source);
    if (!source)
        return;
    uint32_t end = (uint32_t)source->length;
    bool is_line = end && source->text[end - 1] == '\n';
    fzi_hint_edit(c->diags, diag, &(fzi_span){c->own_source, end, end}, "%s%s\n",
                  is_line ? "" : "\n", text);
}
