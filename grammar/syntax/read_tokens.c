/* Reads a text into an array of tokens for parse.c: checks the text, calls the lexer (ferz.l),
 * notes lines, removes comments, and decides which reserved words are names. */
#include "parser.h"

#include "grammar/syntax/ferz_parse.h"
#include "interp/support/text.h"

enum { MAX_FILE_MIB = 16 };

/* ---- before the lexer ---- */

/* Control characters except line breaks and tabs; U+0080 to U+009F are included. A terminal may
 * obey them. */
static bool is_control(const unsigned char *at)
{
    if (*at == 0xC2)
        return at[1] < 0xA0;
    return *at == 0x7F || (*at < ' ' && (*at < '\t' || *at > '\r'));
}

/* Is it UTF-8 without NUL and control characters? Otherwise there is one message, and nothing is
 * parsed. */
static bool is_text(fzi_parser *p)
{
    const unsigned char *text = (const unsigned char *)p->text->text;
    const unsigned char *end = text + p->text->length;
    for (const unsigned char *at = text; at < end;) {
        size_t length = fzi_utf8_length((const char *)at, (size_t)(end - at));
        fzi_span here = {p->source, (uint32_t)(at - text), (uint32_t)(at - text) + 1};
        if (length == 0) {
            fzi_error(p->diags, here, FZ_E_BAD_UTF8);
            return false;
        }
        if (*at == 0) {
            fzi_error(p->diags, here, FZ_E_NUL_BYTE);
            return false;
        }
        if (is_control(at)) {
            here.end = here.start + (uint32_t)length;
            fzi_error(p->diags, here, FZ_E_CONTROL_CHARACTER, length > 1 ? at[1] : *at);
            return false;
        }
        at += length;
    }
    return true;
}

/* ---- after the lexer ---- */

static bool has_newline(const fzi_parser *p, uint32_t from, uint32_t to)
{
    return memchr(p->text->text + from, '\n', to - from) != NULL;
}

static void mark_lines(fzi_parser *p)
{
    uint32_t before = 0, line = 0;
    for (size_t i = 0; i < p->tokens.count; i++) {
        fzi_token *token = &p->tokens.items[i];
        if (i == 0 || has_newline(p, before, token->start)) {
            token->flags |= FZ_TOKEN_NEW_LINE;
            line = token->start;
        }
        token->line = line;
        before = token->end;
    }
}

/* There are no syntax errors on a line with a lexical error. */
static void mark_broken_lines(fzi_parser *p)
{
    fzi_token *items = p->tokens.items;
    for (size_t i = 1; i < p->tokens.count; i++)
        if (items[i].line == items[i - 1].line)
            items[i].flags |= items[i - 1].flags & FZ_TOKEN_BROKEN;
    for (size_t i = p->tokens.count; i-- > 1;)
        if (items[i].line == items[i - 1].line)
            items[i - 1].flags |= items[i].flags & FZ_TOKEN_BROKEN;
}

static void add_token(fzi_parser *p, fzi_tokens *tokens, fzi_token token)
{
    *FZI_MORE(p->arena, tokens->items, tokens->count, tokens->capacity) = token;
}

static void add_end(fzi_parser *p)
{
    uint32_t end = (uint32_t)p->text->length;
    add_token(p, &p->tokens, (fzi_token){.start = end, .end = end, .line = end,
                                       .flags = FZ_TOKEN_NEW_LINE});
    p->tokens.count--;
}

/* The next token in that direction that is no comment. */
static size_t beyond(const fzi_parser *p, size_t at, int direction)
{
    do
        at += (size_t)direction;
    while (at < p->tokens.count && p->tokens.items[at].kind <= FZ_TOKEN_DOC);
    return at;
}

/* Beyond the text, a declaration ends. */
static int kind_at(const fzi_parser *p, size_t at)
{
    return at < p->tokens.count ? p->tokens.items[at].kind : FZ_K_SEMICOLON;
}

static int neighbour(const fzi_parser *p, size_t at, int direction)
{
    return kind_at(p, beyond(p, at, direction));
}

/* Is the token a name, or a word that can be one? */
static bool is_name(const fzi_parser *p, size_t at)
{
    int kind = kind_at(p, at);
    return kind == FZ_K_IDENT || (kind >= FZ_K_TO && kind <= FZ_K_EXCLUDES) ||
           kind == FZ_K_ANY || kind == FZ_K_ALL || kind == FZ_K_COUNT || kind == FZ_K_SUM ||
           kind == FZ_K_FIRST || kind == FZ_K_AT || kind == FZ_K_TURN;
}

/* `turn` is the phase where a declaration can begin, and a name elsewhere. */
static bool is_phase(const fzi_parser *p, size_t at)
{
    const fzi_token *turn = &p->tokens.items[at];
    int before = neighbour(p, at, -1), after = neighbour(p, at, 1);
    if (before == FZ_K_OVERRIDE || before == FZ_K_EXTEND || before == FZ_K_REMOVE)
        return true;
    if (turn->flags & FZ_TOKEN_NEW_LINE && after == FZ_K_LBRACE)
        return true;
    return fzi_is_among(p, before, "; } {") && !fzi_is_among(p, after, "( [ . = += -= |= &=");
}

/* `count x in S : ...`: these words begin a form where a name and `in` follow. Other words after
 * the name are mistakes in the form, unless a statement begins with the name. */
static bool is_over(const fzi_parser *p, size_t at)
{
    size_t name = beyond(p, at, 1), next = beyond(p, name, 1);
    if (kind_at(p, name) == FZ_K_FOR)
        return kind_at(p, at) != FZ_K_ALL;
    return is_name(p, name) && !fzi_is_among(p, kind_at(p, next), "= += -= |= &= ( [ . ;");
}

/* `at` stands after a value (`put Man of me at a1`), or begins a line of a piece. */
static bool is_at(const fzi_parser *p, size_t at)
{
    size_t before = beyond(p, at, -1);
    int kind = kind_at(p, before), next = kind_at(p, beyond(p, at, 1));
    if (kind == FZ_K_OR)
        kind = kind_at(p, beyond(p, before, -1));
    if (fzi_is_among(p, kind, "; } {"))
        return !fzi_is_among(p, next, "[ . = += -= |= &= : ; , == in not and or");
    return fzi_is_among(p, kind, ") ]") || kind == FZ_K_INT || is_name(p, beyond(p, at, -1));
}

static void find_names(fzi_parser *p)
{
    for (size_t i = 0; i < p->tokens.count; i++) {
        bool is_word;
        switch (p->tokens.items[i].kind) {
        case FZ_K_TURN: is_word = is_phase(p, i); break;
        case FZ_K_AT: is_word = is_at(p, i); break;
        case FZ_K_ANY: case FZ_K_ALL: case FZ_K_COUNT: case FZ_K_SUM: case FZ_K_FIRST:
            is_word = is_over(p, i);
            break;
        default: is_word = true; break;
        }
        if (!is_word)
            p->tokens.items[i].kind = FZ_K_IDENT;
    }
}

bool fzi_tokens_read(fzi_parser *p)
{
    if (p->text->length > MAX_FILE_MIB * 1024u * 1024u) {
        fzi_error(p->diags, (fzi_span){p->source, 0, 0}, FZ_E_FILE_TOO_LARGE, MAX_FILE_MIB);
        return false;
    }
    if (!is_text(p))
        return false;
    p->offset = strncmp(p->text->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* a byte order mark */
    fzi_tokens_scan(p);
    mark_lines(p);
    mark_broken_lines(p);
    find_names(p);
    add_end(p);
    return true;
}

/* A block of `///` lines begins at its first line; a blank line or another comment ends it. */
void fzi_tokens_strip(fzi_parser *p)
{
    const char *text = p->text->text;
    size_t kept = 0;
    uint32_t doc = 0, doc_end = 0; /* start + 1 of the block, end of its last line */
    for (size_t i = 0; i < p->tokens.count; i++) {
        fzi_token *token = &p->tokens.items[i];
        bool starts_line = token->flags & FZ_TOKEN_NEW_LINE;
        if (token->kind == FZ_TOKEN_DOC && starts_line) {
            const char *newline = doc ? memchr(text + doc_end, '\n', token->start - doc_end) : NULL;
            size_t rest = newline ? (size_t)(text + token->start - newline - 1) : 0;
            if (!newline || memchr(newline + 1, '\n', rest))
                doc = token->start + 1;
            doc_end = token->end;
        } else if (token->kind == FZ_TOKEN_COMMENT || token->kind == FZ_TOKEN_DOC) {
            doc = 0;
        } else {
            if (doc)
                add_token(p, &p->docs, (fzi_token){.start = token->start, .end = doc - 1});
            doc = 0;
            p->tokens.items[kept++] = *token;
        }
        /* A token after a comment is the first on its line if the comment is. */
        if (token->kind <= FZ_TOKEN_DOC && starts_line && i + 1 < p->tokens.count)
            p->tokens.items[i + 1].flags |= FZ_TOKEN_NEW_LINE;
    }
    p->tokens.items[kept] = p->tokens.items[p->tokens.count];
    p->tokens.count = kept;
}

/* ---- reserved words that are declared as names ----
 *
 * `var sum: int;` has one message, at the declaration. Then the word is a name wherever it is used
 * as one, so that its uses are no further mistakes. */

/* Is a name declared by token `at`, a reserved word? */
static bool is_declared(const fzi_parser *p, size_t at)
{
    int before = kind_at(p, at - 1), next = kind_at(p, at + 1);
    if (fzi_is_among(p, before, "( ,"))
        return next == FZ_K_COLON && kind_at(p, at + 2) == FZ_K_IDENT;
    return fzi_is_among(p, next,
                        before == FZ_K_VAR                               ? ": = ; ["
                        : fzi_is_among(p, before, "let property option") ? ": = ["
                        : fzi_is_among(p, before, "fn proc")             ? "("
                        : before == FZ_K_FOR                             ? "in"
                                                                         : "");
}

/* Does token `at`, a reserved word that has been declared as a name, stand for the name? */
static bool is_use(const fzi_parser *p, size_t at, int declared_by)
{
    int before = kind_at(p, at - 1), next = kind_at(p, at + 1);
    if (next == FZ_K_SEMICOLON) /* `draw;` is a statement wherever no value is missing before it */
        return fzi_is_among(p, kind_at(p, at), "again stop return draw")
                   ? fzi_is_among(p, before, "= += -= |= &= == != < <= > >= + - * / % | & ~ # .. "
                                             "and or not in at to of return")
                   : !fzi_is_among(p, before, "; { } )");
    if (fzi_is_among(p, next, "( ["))
        return fzi_is_among(p, declared_by, next == FZ_K_LPAREN ? "fn proc" : "var let");
    return fzi_is_among(p, next,
                        "= += -= |= &= ) ] , .. + * / % == != < <= > >= and or then else "
                        "| & } in");
}

static void rename_uses(fzi_parser *p, size_t declared)
{
    int word = kind_at(p, declared), declared_by = kind_at(p, declared - 1);
    p->tokens.items[declared].kind = FZ_K_IDENT;
    for (size_t i = 1; i < p->tokens.count; i++)
        if (kind_at(p, i) == word && (is_declared(p, i) || is_use(p, i, declared_by)))
            p->tokens.items[i].kind = FZ_K_IDENT;
}

void fzi_rename_reserved(fzi_parser *p)
{
    for (size_t i = 1; i < p->tokens.count; i++) {
        int word = kind_at(p, i);
        if (word < FZ_K_GAME || word > FZ_K_AFTER || !is_declared(p, i))
            continue;
        fzi_diag *diag = fzi_error(p->diags, fzi_token_span(p, i), FZ_E_RESERVED_WORD,
                                   fzi_token_text(p, word));
        fzi_hint_add(diag, "choose another name, such as '%s_'", fzi_token_text(p, word));
        rename_uses(p, i);
    }
}
