/* Hover (methods.def): the meaning of a name, the type of an expression, and a picture of a set
 * of sites. */
#include "lsp.h"

#include "grammar/prose/rulebook.h"
#include "grammar/syntax/parse.h"

/* Text in a block of code, for clients that know of such. */
static const char *block(const fzi_lsp_place *at, const char *language, const char *text)
{
    return at->lsp->client.markdown
               ? fzi_arena_printf(at->analysis->arena, "```%s\n%s\n```", language, text) : text;
}

/* The file of a library or base; NULL: the text itself, or built in. */
static const char *origin_of(const fzi_analysis *a, const fzi_symbol *symbol)
{
    const fzi_source *source = fzi_source_at(a->sources, symbol->span.source);
    if (!source || symbol->span.source == FZI_OWN_SOURCE)
        return NULL;
    const char *slash = strrchr(source->path, '/');
    return slash ? slash + 1 : source->path;
}

static const char *about_symbol(const fzi_lsp_place *at, const fzi_symbol *symbol)
{
    const fzi_analysis *a = at->analysis;
    const char *text = block(at, "ferz", fzi_describe_symbol(a, symbol));
    const char *purpose = fzi_describe_purpose(a, symbol), *origin = origin_of(a, symbol);
    const char *link = NULL, *meaning;
    if (!symbol->span.source)
        link = fzi_manual_link(at->lsp, a->arena, fzi_plain_name(symbol->name), &meaning);
    if (purpose)
        text = fzi_arena_printf(a->arena, "%s\n\n%s", text, purpose);
    if (link)
        text = fzi_arena_printf(a->arena, "%s\n\n%s", text, link);
    if (origin)
        text = fzi_arena_printf(a->arena, "%s\n\nfrom %s", text, origin);
    return text;
}

/* The expression to draw: a `let` without indexes stands for its value. */
static const fzi_node *drawn_expression(const fzi_lsp_place *at)
{
    const fzi_node *node = fzi_expression_at(at->analysis, at->offset);
    const fzi_mention *m = at->mention;
    if (!node && m && m->declares && m->node->kind == N_D_LET && !m->node->params)
        node = m->node->value;
    bool drawn = node && node->type && node->type->kind == FZI_TYPE_SET &&
                 node->type->element->kind == FZI_TYPE_SITE;
    return drawn ? node : NULL;
}

/* Calls and operators in English, as `ferz rules` would say them. */
static const char *in_words(const fzi_analysis *a, const fzi_node *node)
{
    if (!node || node->kind == N_E_NAME || node->kind == N_E_INT || node->kind == N_E_STRING ||
        node->kind == N_E_MEMBER)
        return NULL;
    return fzi_in_english(a, node);
}

/* ---- words of `view { ... }` ---- */

static const char *meaning_of(const char *word)
{
    static const struct { const char *word, *meaning; } rows[] = {
#define HINT(id, word, meaning) {word, meaning},
#include "interp/program/views.def"
#undef HINT
#define SHAPE(id, name, light, dark, meaning) {name, meaning},
#include "interp/program/views.def"
#undef SHAPE
#define PATTERN(id, name, meaning) {name, meaning},
#include "interp/program/views.def"
#undef PATTERN
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].word, word) == 0)
            return rows[i].meaning;
    return NULL;
}

typedef struct view_word {
    uint32_t offset;
    const fzi_node *found; /* a node with the word at the offset as its name; NULL */
} view_word;

/* Hints, and shapes and patterns: names without a symbol. */
static void find_view_word(void *user, fzi_node *node)
{
    view_word *w = user;
    bool is_word = node->kind == N_HINT || node->kind == N_SUBJECTS ||
                   (node->kind == N_NAME && !node->symbol);
    if (is_word && node->name && node->name_span.source == FZI_OWN_SOURCE &&
        node->name_span.start <= w->offset && w->offset <= node->name_span.end)
        w->found = node;
}

static const fzi_node *view_word_at(const fzi_lsp_place *at)
{
    view_word w = {.offset = at->offset};
    if (at->analysis->unit)
        for (fzi_node *d = at->analysis->unit->decls; d; d = d->next)
            if (d->kind == N_D_VIEW)
                fzi_walk(d->entries, find_view_word, &w);
    return w.found;
}

/* ---- words of the language ---- */

/* The word of the grammar at the place, with what the manual says; NULL: there is none. */
static const char *about_word(const fzi_lsp_place *at, fzi_span *span)
{
    fzi_arena *arena = at->analysis->arena;
    size_t count;
    const fzi_lexeme *all = fzi_lexemes(arena, at->analysis->sources, FZI_OWN_SOURCE, &count);
    for (size_t i = 0; i < count; i++) {
        bool is_word = all[i].class == FZI_LEXEME_WORD || all[i].class == FZI_LEXEME_NAME;
        if (!is_word || at->offset < all[i].start || at->offset > all[i].end)
            continue;
        const char *meaning, *word = fzi_arena_printf(arena, "%.*s",
                                                      (int)(all[i].end - all[i].start),
                                                      at->source->text + all[i].start);
        const char *link = fzi_manual_link(at->lsp, arena, word, &meaning);
        *span = (fzi_span){FZI_OWN_SOURCE, all[i].start, all[i].end};
        return link ? fzi_arena_printf(arena, "%s\n\n%s%s%s", block(at, "ferz", word),
                                       meaning ? meaning : "", meaning ? "\n\n" : "", link)
                    : NULL;
    }
    return NULL;
}

json_t *fzi_lsp_hover(const fzi_lsp_place *at)
{
    fzi_arena *arena = at->analysis->arena;
    const fzi_node *node = fzi_expression_at(at->analysis, at->offset);
    const fzi_node *word = view_word_at(at);
    const char *text = NULL;
    fzi_span span;
    if (at->mention && at->mention->symbol) {
        text = about_symbol(at, at->mention->symbol);
        span = at->mention->span;
    } else if (word && (text = meaning_of(word->name))) {
        span = word->name_span;
    } else if ((text = about_word(at, &span))) {
        node = NULL;
    } else if (node && node->type->kind != FZI_TYPE_POISON && node->type->kind != FZI_TYPE_VOID) {
        text = block(at, "ferz", node->type->text);
        span = node->span;
    }
    if (!text)
        return NULL;
    const char *words = in_words(at->analysis, node);
    if (words)
        text = fzi_arena_printf(arena, "%s\n\nIn words: %s.", text, words);
    const fzi_node *drawn = drawn_expression(at);
    const char *picture = drawn ? fzi_set_picture(at, drawn) : NULL;
    if (picture)
        text = fzi_arena_printf(arena, "%s\n\n%s", text, block(at, "text", picture));
    return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind",
                     at->lsp->client.markdown ? "markdown" : "plaintext", "value",
                     fzi_lsp_string(text), "range",
                     fzi_lsp_span_range(at->lsp, at->analysis, span));
}
