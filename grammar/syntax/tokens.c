/* Converts single tokens to names, strings and numbers, and reports what is no token. The lexer
 * (ferz.l) and the parser call it. */
#include <stdio.h>

#include "parser.h"

#include "grammar/syntax/ferz_parse.h"
#include "interp/support/text.h"

fzi_span fzi_token_span(const fzi_parser *p, size_t index)
{
    const fzi_token *token = &p->tokens.items[index];
    return (fzi_span){p->source, token->start, token->end};
}

const char *fzi_token_text(const fzi_parser *p, int token)
{
    return p->texts[token - FZ_K_GAME];
}

bool fzi_is_among(const fzi_parser *p, int token, const char *list)
{
    return token >= FZ_K_GAME && fzi_is_in_list(list, fzi_token_text(p, token));
}

/* ---- words ---- */

uint16_t *fzi_word_slot(fzi_parser *p, const char *text)
{
    size_t slot = 0;
    for (const char *at = text; *at; at++)
        slot = 31 * slot + (unsigned char)*at;
    slot %= FZ_WORD_SLOTS;
    while (p->words[slot] && strcmp(fzi_token_text(p, p->words[slot]), text) != 0)
        slot = (slot + 1) % FZ_WORD_SLOTS;
    return &p->words[slot];
}

int fzi_lex_word(fzi_parser *p, const char *text)
{
    int kind = *fzi_word_slot(p, text);
    return kind ? kind : FZ_K_IDENT;
}

/* ---- single tokens ---- */

static const char *token_start(const fzi_parser *p, fzi_span span)
{
    return p->text->text + span.start;
}

const char *fzi_token_name(fzi_parser *p, fzi_span span)
{
    return fzi_intern(p->arena, token_start(p, span), span.end - span.start);
}

int64_t fzi_token_number(fzi_parser *p, fzi_span span)
{
    int64_t value = 0;
    for (uint32_t i = 0; i < span.end - span.start; i++) {
        char c = token_start(p, span)[i];
        if (c < '0' || c > '9')
            break; /* a fraction, which the lexer has reported */
        if (value > (INT64_MAX - (c - '0')) / 10) {
            fzi_error(p->diags, span, FZ_E_NUMBER_TOO_LARGE, "9223372036854775807");
            return 0;
        }
        value = 10 * value + (c - '0');
    }
    return value;
}

/* The character that `\c` stands for; 0: none. */
static char escaped(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case '"': return '"';
    case '\\': return '\\';
    default: return '\0';
    }
}

void fzi_lex_check_escapes(fzi_parser *p, fzi_span span)
{
    const char *text = p->text->text;
    for (uint32_t i = span.start + 1; i + 1 < span.end; i++) {
        if (text[i] != '\\')
            continue;
        i++;
        if (escaped(text[i]))
            continue;
        size_t length = fzi_utf8_length(text + i, p->text->length - i);
        char shown[8] = "";
        memcpy(shown, text + i, length);
        fzi_error(p->diags, (fzi_span){p->source, i - 1, i + (uint32_t)length}, FZ_E_BAD_ESCAPE,
                  shown);
    }
}

/* The contents: of a string in three quotes as they stand, of another with its escapes resolved. */
const char *fzi_token_string(fzi_parser *p, fzi_span span)
{
    const char *at = token_start(p, span), *end = p->text->text + span.end;
    if (end - at >= 6 && memcmp(at, "\"\"\"", 3) == 0) {
        size_t length = (size_t)(end - at) - 6;
        char *raw = fzi_arena_alloc(p->arena, length + 1);
        memcpy(raw, at + 3, length);
        return raw;
    }
    char *text = fzi_arena_alloc(p->arena, (size_t)(end - at) + 1);
    size_t length = 0;
    for (at++; at < end && *at != '"'; at++) {
        char c = *at == '\\' && at + 1 < end ? escaped(at[1]) : '\0';
        if (c)
            at++;
        text[length++] = c ? c : *at;
    }
    return text;
}

/* ---- characters that are no tokens ---- */

/* 'A text' becomes "a text". */
static void edit_quotes(fzi_parser *p, fzi_diag *d, uint32_t start)
{
    const char *rest = p->text->text + start + 1;
    const uint32_t end = start + 1 + (uint32_t)strcspn(rest, "'\n");
    if (p->text->text[end] != '\'')
        return;
    fzi_hint_edit(d, &(fzi_span){p->source, start, start + 1}, "\"");
    fzi_hint_edit(d, &(fzi_span){p->source, end, end + 1}, "\"");
}

static void stray_ascii(fzi_parser *p, fzi_span span, char c)
{
    char shown[24];
    if (c > 0x20 && c < 0x7F)
        snprintf(shown, sizeof shown, "'%.*s'", (int)(span.end - span.start), token_start(p, span));
    else
        snprintf(shown, sizeof shown, "control character %d", c);
    fzi_diag *d = fzi_error(p->diags, span, FZ_E_STRAY_CHARACTER, shown);
    const char *hint = c == '&'    ? "write 'and', or '&' for sets"
                       : c == '|'  ? "write 'or', or '|' for sets"
                       : c == '!'  ? "write 'not'"
                       : c == '\'' ? "a string stands in double quotes"
                       : c == '?'  ? "write 'if a then b else c'"
                       : c == '^'  ? "there are no powers; sets are combined with '|', '&' and '-'"
                                   : NULL;
    if (!hint)
        return;
    fzi_hint_add(d, "%s", hint);
    if (c == '\'')
        edit_quotes(p, d, span.start);
    if (c == '&' || c == '|' || c == '!')
        fzi_hint_edit(d, NULL, "%s", c == '&' ? "and" : c == '|' ? "or" : "not ");
}

/* Does a `for` stand before this place, on its line? */
static bool is_in_for(const fzi_parser *p, fzi_span span)
{
    const char *text = p->text->text;
    uint32_t at = span.start;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    const char *loop = strstr(text + at, "for");
    return loop && loop < text + span.start &&
           memchr(loop, ';', (size_t)(text + span.start - loop));
}

int fzi_lex_foreign(fzi_parser *p, fzi_span span, int token)
{
    const char *found = fzi_token_name(p, span);
    fzi_diag *d = fzi_error(p->diags, span, FZ_E_STRAY_CHARACTER,
                            fzi_arena_printf(p->arena, "'%s'", found));
    const char *hint = fzi_arena_printf(p->arena, "write '%s'", fzi_token_text(p, token));
    if (token == FZ_K_ARROW)
        hint = "an option's effect stands after '=>', the type of a 'fn' after ':'";
    else if (token == FZ_K_PLUS_ASSIGN && is_in_for(p, span))
        hint = "a loop is written 'for i in 1..n'";
    else if (token == FZ_K_PLUS_ASSIGN)
        hint = "to add 1, write 'name += 1;'";
    fzi_hint_add(d, "%s", hint);
    if (token != FZ_K_ARROW && token != FZ_K_PLUS_ASSIGN)
        fzi_hint_edit(d, NULL, "%s", fzi_token_text(p, token));
    return token;
}

void fzi_lex_hint_number(fzi_diag *diag, const char *text)
{
    int a = 0, b = 0, end = 0;
    if (sscanf(text, "%3dx%3d%n", &a, &b, &end) == 2 && !text[end] && a == b)
        fzi_hint_add(diag, "a board of %d by %d squares is square(%d)", a, a, a);
    else if (end && !text[end])
        fzi_hint_add(diag, "a board of %d by %d squares is square(%d, %d)", a, b, a, b);
    else if (sscanf(text, "%3dd%3d%n", &a, &b, &end) == 2 && !text[end])
        fzi_hint_add(diag,
                     "a die is declared, as 'die D%d = 1..%d;', and rolled by "
                     "roll(D%d)",
                     b, b, b);
    else
        fzi_hint_add(diag, "a name begins with a letter or '_'");
}

/* A sign that is no token, or a word with letters that names do not have. */
int fzi_lex_stray(fzi_parser *p, fzi_span span)
{
    const char *text = p->text->text;
    if ((unsigned char)text[span.start] < 0x80 && span.end - span.start <= 2 &&
        !strchr("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", text[span.start])) {
        stray_ascii(p, span, text[span.start]);
        return FZ_K_IDENT;
    }
    uint32_t at = span.start;
    while ((unsigned char)text[at] < 0x80)
        at++;
    size_t length = fzi_utf8_length(text + at, p->text->length - at);
    char shown[8] = "'";
    memcpy(shown + 1, text + at, length);
    shown[length + 1] = '\'';
    fzi_diag *d = fzi_error(p->diags, (fzi_span){p->source, at, at + (uint32_t)length},
                            FZ_E_STRAY_CHARACTER, shown);
    fzi_hint_add(d, "names are made of the letters a to z, digits and '_'");
    return FZ_K_IDENT;
}
