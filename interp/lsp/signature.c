/* Signature help (methods.def): the parameters of the call that is being written. */
#include "lsp.h"

#include "grammar/syntax/parse.h"

enum { MAX_CALLS = 400 };

typedef struct call {
    const char *name;   /* NULL: brackets that are no call */
    unsigned argument;
} call;

/* The innermost call before the offset. */
static call find_call(const fzi_lsp_place *at, const fzi_lexeme *lexemes, size_t count)
{
    call open[MAX_CALLS];
    size_t depth = 0;
    const char *text = at->source->text;
    for (size_t i = 0; i < count && lexemes[i].end <= at->offset; i++) {
        const fzi_lexeme *l = &lexemes[i], *last = i ? l - 1 : NULL;
        if (l->class == FZI_LEXEME_OPEN && depth < MAX_CALLS) {
            bool is_call = text[l->start] == '(' && last && last->end == l->start &&
                           (last->class == FZI_LEXEME_NAME || last->class == FZI_LEXEME_WORD);
            open[depth++] = (call){
                is_call ? fzi_arena_printf(at->analysis->arena, "%.*s",
                                           (int)(last->end - last->start), text + last->start)
                        : NULL, 0};
        } else if (l->class == FZI_LEXEME_CLOSE && depth) {
            depth--;
        } else if (text[l->start] == ',' && depth) {
            open[depth - 1].argument++;
        } else if (text[l->start] == ';') {
            depth = 0; /* a statement has no open brackets; those around it hold statements */
        }
    }
    return depth ? open[depth - 1] : (call){NULL, 0};
}

static json_t *signature_of(const fzi_lsp_place *at, const fzi_symbol *symbol,
                            const fzi_signature_text *s)
{
    json_t *parameters = json_array();
    for (unsigned i = 0; i < s->count; i++)
        json_array_append_new(
            parameters, json_pack("{s:[i, i]}", "label",
                                  (int)fzi_lsp_units(at->lsp, s->text, s->start[i]),
                                  (int)fzi_lsp_units(at->lsp, s->text, s->end[i])));
    json_t *object = json_pack("{s:s, s:o}", "label", s->text, "parameters", parameters);
    const char *purpose = fzi_describe_purpose(at->analysis, symbol);
    if (purpose)
        json_object_set_new(object, "documentation", fzi_lsp_string(purpose));
    return object;
}

json_t *fzi_lsp_signature(const fzi_lsp_place *at)
{
    size_t count;
    fzi_lexeme *lexemes =
        fzi_lexemes(at->analysis->arena, at->analysis->sources, FZI_OWN_SOURCE, &count);
    call found = find_call(at, lexemes, count);
    if (!found.name)
        return NULL;
    fzi_candidates named = fzi_globals_named(at->analysis, found.name);
    json_t *list = json_array();
    int active = -1;
    for (size_t i = 0; i < named.count; i++) {
        fzi_signature_text s;
        if (!fzi_describe_signature(at->analysis, named.items[i].symbol, &s))
            continue;
        if (active < 0 && found.argument < s.count)
            active = (int)json_array_size(list);
        json_array_append_new(list, signature_of(at, named.items[i].symbol, &s));
    }
    if (json_array_size(list) == 0) {
        json_decref(list);
        return NULL;
    }
    return json_pack("{s:o, s:i, s:i}", "signatures", list, "activeSignature",
                     active < 0 ? 0 : active, "activeParameter", (int)found.argument);
}
