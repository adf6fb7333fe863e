/* Semantic tokens and inlay hints (methods.def): the kinds of words and names, for colours, and
 * the types that the author left out. */
#include "lsp.h"

#include "grammar/syntax/parse.h"

/* TOKEN(id, the protocol's name) */
#define FZI_TOKEN_TYPES                                                                            \
    TOKEN(KEYWORD, "keyword")                                                                      \
    TOKEN(COMMENT, "comment")                                                                      \
    TOKEN(STRING, "string")                                                                        \
    TOKEN(NUMBER, "number")                                                                        \
    TOKEN(TYPE, "type")                                                                            \
    TOKEN(ENUM, "enum")                                                                            \
    TOKEN(ENUM_MEMBER, "enumMember")                                                               \
    TOKEN(CLASS, "class")                                                                          \
    TOKEN(PROPERTY, "property")                                                                    \
    TOKEN(VARIABLE, "variable")                                                                    \
    TOKEN(PARAMETER, "parameter")                                                                  \
    TOKEN(FUNCTION, "function")                                                                    \
    TOKEN(METHOD, "method")                                                                        \
    TOKEN(NAMESPACE, "namespace")

/* The legend, in its order. */
enum token_type {
#define TOKEN(id, name) TOKEN_##id,
    FZI_TOKEN_TYPES
#undef TOKEN
};
enum token_modifier { MODIFIER_DECLARATION = 1, MODIFIER_READONLY = 2, MODIFIER_LIBRARY = 4,
                      MODIFIER_DOCUMENTATION = 8, MODIFIER_WRITTEN = 16 };

json_t *fzi_lsp_legend(void)
{
    json_t *types = json_array();
#define TOKEN(id, name) json_array_append_new(types, json_string(name));
    FZI_TOKEN_TYPES
#undef TOKEN
    return json_pack("{s:o, s:[s, s, s, s, s]}", "tokenTypes", types, "tokenModifiers",
                     "declaration", "readonly", "defaultLibrary", "documentation", "modification");
}

/* ---- what a name is ---- */

static int type_of(const fzi_mention *m)
{
    const fzi_symbol *s = m->symbol;
    if (!s)
        return m->node->kind == N_NAME ? TOKEN_NAMESPACE : TOKEN_VARIABLE;
    switch (s->kind) {
    case FZI_SYM_TYPE: return TOKEN_TYPE;
    case FZI_SYM_OPTION: case FZI_SYM_ENUM: case FZI_SYM_DIE: return TOKEN_ENUM;
    case FZI_SYM_KIND: return TOKEN_CLASS;
    case FZI_SYM_PROPERTY: return TOKEN_PROPERTY;
    case FZI_SYM_LET: case FZI_SYM_VAR: return TOKEN_VARIABLE;
    case FZI_SYM_FN: case FZI_SYM_EXTERN: case FZI_SYM_PART: return TOKEN_FUNCTION;
    case FZI_SYM_MOVES: case FZI_SYM_PROC: return TOKEN_METHOD;
    case FZI_SYM_LOCAL: return s->local == FZI_LOCAL_PARAM ? TOKEN_PARAMETER : TOKEN_VARIABLE;
    case FZI_SYM_PRIMITIVE: return *fzi_describe_type(s) ? TOKEN_VARIABLE : TOKEN_FUNCTION;
    default: return TOKEN_ENUM_MEMBER;
    }
}

static int modifiers_of(const fzi_mention *m)
{
    const fzi_symbol *s = m->symbol;
    int modifiers = (m->declares ? MODIFIER_DECLARATION : 0) | (m->writes ? MODIFIER_WRITTEN : 0);
    if (!s)
        return modifiers;
    bool changes = s->kind == FZI_SYM_VAR ||
                   (s->kind == FZI_SYM_LOCAL && s->local == FZI_LOCAL_VAR);
    bool is_value = type_of(m) == TOKEN_VARIABLE || type_of(m) == TOKEN_PARAMETER;
    modifiers |= is_value && !changes ? MODIFIER_READONLY : 0;
    modifiers |= !s->span.source ? MODIFIER_LIBRARY : 0;
    return modifiers;
}

/* ---- the list ---- */

typedef struct writer {
    const fzi_lsp *lsp;
    const fzi_source *source;
    uint32_t line, column; /* of the last token */
    json_t *data;
} writer;

static void put(writer *w, uint32_t start, uint32_t end, int type, int modifiers)
{
    uint32_t line = fzi_source_place(w->source, start).line - 1;
    uint32_t begin = w->source->line_starts[line];
    uint32_t column = fzi_lsp_units(w->lsp, w->source->text + begin, start - begin);
    uint32_t length = fzi_lsp_units(w->lsp, w->source->text + start, end - start);
    const uint32_t numbers[] = {line - w->line, line == w->line ? column - w->column : column,
                                length, (uint32_t)type, (uint32_t)modifiers};
    for (size_t i = 0; i < 5; i++)
        json_array_append_new(w->data, json_integer(numbers[i]));
    w->line = line;
    w->column = column;
}

/* Clients that know no tokens of several lines get one for each line. */
static void put_lines(writer *w, uint32_t start, uint32_t end, int type, int modifiers)
{
    const char *text = w->source->text;
    while (!w->lsp->client.multiline_tokens && start < end) {
        const char *newline = memchr(text + start, '\n', end - start);
        if (!newline)
            break;
        uint32_t stop = (uint32_t)(newline - text);
        if (stop > start && text[stop - 1] == '\r')
            stop--;
        if (stop > start)
            put(w, start, stop, type, modifiers);
        start = (uint32_t)(newline - text) + 1;
    }
    if (start < end)
        put(w, start, end, type, modifiers);
}

static void put_lexeme(writer *w, const fzi_lexeme *l, const fzi_mention *m)
{
    if (m) {
        put(w, l->start, l->end, type_of(m), modifiers_of(m));
        return;
    }
    switch (l->class) {
    case FZI_LEXEME_COMMENT: put_lines(w, l->start, l->end, TOKEN_COMMENT, 0); break;
    case FZI_LEXEME_DOC: put(w, l->start, l->end, TOKEN_COMMENT, MODIFIER_DOCUMENTATION); break;
    case FZI_LEXEME_WORD: put(w, l->start, l->end, TOKEN_KEYWORD, 0); break;
    case FZI_LEXEME_NUMBER: put(w, l->start, l->end, TOKEN_NUMBER, 0); break;
    case FZI_LEXEME_STRING: put_lines(w, l->start, l->end, TOKEN_STRING, 0); break;
    default: break;
    }
}

json_t *fzi_lsp_semantic_tokens(const fzi_lsp_place *at)
{
    size_t count, next = 0;
    const fzi_mentions *names = fzi_document_mentions(at->lsp, at->document);
    fzi_lexeme *lexemes =
        fzi_lexemes(at->analysis->arena, at->analysis->sources, FZI_OWN_SOURCE, &count);
    writer w = {.lsp = at->lsp, .source = at->source, .data = json_array()};
    for (size_t i = 0; i < count; i++) {
        while (next < names->count && names->items[next].span.start < lexemes[i].start)
            next++;
        bool is_name = next < names->count && names->items[next].span.start == lexemes[i].start &&
                       names->items[next].span.end == lexemes[i].end;
        put_lexeme(&w, &lexemes[i], is_name ? &names->items[next] : NULL);
    }
    return json_pack("{s:o}", "data", w.data);
}

/* ---- inlay hints ---- */

static bool lacks_type(const fzi_mention *m)
{
    if (!m->declares || !m->symbol || !*fzi_describe_type(m->symbol))
        return false;
    switch (m->node->kind) {
    case N_D_LET: case N_D_VAR: case N_BOUND: case N_S_VAR: return !m->node->declared_type;
    default: return false;
    }
}

/* After the indexes in brackets, if there are any. */
static uint32_t type_place(const fzi_source *source, const fzi_mention *m)
{
    uint32_t at = m->span.end;
    if (m->node->kind == N_BOUND || m->node->kind == N_S_VAR || source->text[at] != '[')
        return at;
    while (at < source->length && source->text[at] != ']')
        at++;
    return at < source->length ? at + 1 : m->span.end;
}

json_t *fzi_lsp_inlay_hints(const fzi_lsp_place *at)
{
    json_t *list = json_array();
    const fzi_mentions *names = fzi_document_mentions(at->lsp, at->document);
    for (size_t i = 0; i < names->count; i++) {
        const fzi_mention *m = &names->items[i];
        if (m->span.start < at->offset || m->span.end > at->end || !lacks_type(m))
            continue;
        uint32_t place = type_place(at->source, m);
        const char *label = fzi_arena_printf(at->analysis->arena, ": %s", m->symbol->type->text);
        json_t *hint = json_pack("{s:o, s:s, s:i}", "position",
                                 fzi_lsp_position(at->lsp, at->source, place), "label", label,
                                 "kind", 1);
        fzi_span span = {FZI_OWN_SOURCE, place, place};
        const fzi_type *type = m->symbol->type, *of = type->element;
        /* The types of other sets have no name in the language. */
        json_t *edit = type->kind != FZI_TYPE_SET || of->kind == FZI_TYPE_SITE ||
                               of->kind == FZI_TYPE_DIR
                           ? fzi_lsp_text_edit(at->lsp, at->analysis, span, label) : NULL;
        if (edit)
            json_object_set_new(hint, "textEdits", json_pack("[o]", edit));
        json_array_append_new(list, hint);
    }
    return list;
}
