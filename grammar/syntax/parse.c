/* The entry of the parser: reads the tokens of a text and runs the grammar (ferz.y). Also answers
 * questions of tools about words and names. */
#include "parse.h"

#include "parser.h"

#include "grammar/syntax/ferz_parse.h"

/* ---- entry ---- */

static bool begins_file(const fzi_parser *p)
{
    const fzi_token *first = p->tokens.items;
    return first->kind == FZ_K_GAME || first->kind == FZ_K_LIBRARY || first->kind == FZ_K_VARIANT ||
           (first->kind == FZ_K_FERZ && p->tokens.count > 1 && first[1].kind == FZ_K_INT);
}

/* The start symbol. A file without a header is parsed, too. */
static int entry_of(fzi_parser *p, bool lenient)
{
    const fzi_token *first = p->tokens.items;
    if (begins_file(p))
        return FZ_K_ENTER_FILE;
    if (lenient)
        return FZ_K_ENTER_SNIPPET;
    fzi_diag *diag = fzi_error(p->diags, fzi_token_span(p, 0), FZ_E_NO_HEADER);
    if (first->kind != FZ_K_IDENT)
        return FZ_K_ENTER_SNIPPET;
    fzi_nearest nearest = {.wanted = fzi_token_name(p, fzi_token_span(p, 0))};
    for (int token = FZ_K_GAME; token <= FZ_K_VARIANT; token++)
        fzi_nearest_offer(&nearest, fzi_token_text(p, token));
    fzi_hint_nearest(diag, &nearest);
    p->last_wrong = 1;
    return FZ_K_ENTER_SNIPPET;
}

static fzi_parser *parser_new(fzi_arena *arena, fzi_sources *sources, fzi_diags *diags,
                              uint32_t source)
{
    fzi_parser *p = FZI_NEW(arena, fzi_parser);
    p->arena = arena;
    p->sources = sources;
    p->diags = diags;
    p->source = source;
    p->text = fzi_source_at(sources, source);
    p->tracked = true;
    return p;
}

fzi_node *fzi_parse_file(fzi_arena *arena, fzi_sources *sources, fzi_diags *diags,
                         uint32_t source, bool lenient)
{
    fzi_parser *p = parser_new(arena, sources, diags, source);
    fzi_span whole = {source, 0, (uint32_t)p->text->length};
    if (fzi_tokens_read(p)) {
        fzi_tokens_strip(p);
        fzi_rename_reserved(p);
        fzi_find_segments(p);
        p->entry = entry_of(p, lenient);
        fz_yyparse(p);
    }
    return p->file ? p->file : fzi_node_new(arena, N_FILE, whole);
}

/* ---- words for tools ---- */

static bool is_word(const fzi_parser *p, int kind)
{
    const char *text = kind >= FZ_K_GAME && kind < FZ_K_IDENT ? fzi_token_text(p, kind) : "";
    return *text >= 'a' && *text <= 'z';
}

static enum fzi_lexeme_class class_of(const fzi_parser *p, const fzi_token *token)
{
    switch (token->kind) {
    case FZ_TOKEN_COMMENT: return FZI_LEXEME_COMMENT;
    case FZ_TOKEN_DOC: return FZI_LEXEME_DOC;
    case FZ_K_IDENT: return FZI_LEXEME_NAME;
    case FZ_K_INT: return FZI_LEXEME_NUMBER;
    case FZ_K_STRING: return FZI_LEXEME_STRING;
    case FZ_K_LPAREN: case FZ_K_LBRACKET: case FZ_K_LBRACE: return FZI_LEXEME_OPEN;
    case FZ_K_RPAREN: case FZ_K_RBRACKET: case FZ_K_RBRACE: return FZI_LEXEME_CLOSE;
    default: return is_word(p, token->kind) ? FZI_LEXEME_WORD : FZI_LEXEME_SIGN;
    }
}

fzi_lexeme *fzi_lexemes(fzi_arena *arena, fzi_sources *sources, uint32_t source, size_t *count)
{
    fzi_diags unseen;
    fzi_diags_init(&unseen, arena, sources);
    fzi_parser *p = parser_new(arena, sources, &unseen, source);
    *count = fzi_tokens_read(p) ? p->tokens.count : 0;
    fzi_lexeme *lexemes = fzi_arena_alloc(arena, (*count + 1) * sizeof *lexemes);
    for (size_t i = 0; i < *count; i++) {
        const fzi_token *token = &p->tokens.items[i];
        lexemes[i] = (fzi_lexeme){token->start, token->end, class_of(p, token)};
    }
    return lexemes;
}

const char **fzi_expected_words(fzi_arena *arena, fzi_sources *sources, uint32_t source,
                                bool *takes_name)
{
    bool wanted[FZ_TOKEN_LIMIT] = {false};
    const char **words = fzi_arena_alloc(arena, (FZ_TOKEN_LIMIT + 1) * sizeof *words);
    size_t count = 0;
    fzi_diags unseen;
    fzi_diags_init(&unseen, arena, sources);
    fzi_parser *p = parser_new(arena, sources, &unseen, source);
    p->wanted = wanted;
    *takes_name = false;
    if (!fzi_tokens_read(p))
        return words;
    fzi_tokens_strip(p);
    p->entry = !p->tokens.count || begins_file(p) ? FZ_K_ENTER_FILE : FZ_K_ENTER_SNIPPET;
    fz_yyparse(p);
    *takes_name = wanted[FZ_K_IDENT - FZ_K_GAME];
    for (int kind = FZ_K_GAME; kind < FZ_K_IDENT; kind++)
        if (wanted[kind - FZ_K_GAME] && is_word(p, kind))
            words[count++] = fzi_token_text(p, kind);
    return words;
}

bool fzi_is_name(fzi_arena *arena, const char *text)
{
    fzi_sources sources;
    fzi_diags diags;
    fzi_sources_init(&sources, arena);
    fzi_diags_init(&diags, arena, &sources);
    uint32_t source = fzi_sources_add(&sources, "", text, strlen(text));
    fzi_parser *p = parser_new(arena, &sources, &diags, source);
    if (!fzi_tokens_read(p) || p->tokens.count != 1 || diags.errors)
        return false;
    const char *declaration = fzi_arena_printf(arena, "let %s = 1;", text);
    source = fzi_sources_add(&sources, "", declaration, strlen(declaration));
    fzi_parse_file(arena, &sources, &diags, source, true);
    return diags.errors == 0;
}
