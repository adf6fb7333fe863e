/* Between the array of tokens and bison's parser: delivering tokens, recovering after a mistake,
 * and making nodes. */
#include "parse.h"

#include <string.h>

#include "parser.h"

#include "grammar/syntax/ferz_parse.h"

/* ---- brackets ---- */

static int closer_of(int token)
{
    switch (token) {
    case FZ_K_LPAREN: return FZ_K_RPAREN;
    case FZ_K_LBRACKET: return FZ_K_RBRACKET;
    case FZ_K_LBRACE: return FZ_K_RBRACE;
    default: return 0;
    }
}

static bool is_closer(int token)
{
    return token == FZ_K_RPAREN || token == FZ_K_RBRACKET || token == FZ_K_RBRACE;
}

fzi_span fzi_token_span(const fzi_parser *p, size_t index)
{
    const fzi_token *token = &p->tokens.items[index];
    return (fzi_span){p->source, token->start, token->end};
}

const fzi_bracket *fzi_parser_open(const fzi_parser *p)
{
    return p->bracket_count ? &p->brackets[p->bracket_count - 1] : NULL;
}

uint32_t fzi_line_indent(const fzi_parser *p, uint32_t offset)
{
    const char *text = p->text->text;
    uint32_t start = offset;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    uint32_t at = start;
    while (text[at] == ' ' || text[at] == '\t')
        at++;
    return at - start;
}

/* A closing brace that stands first on its line, but not under the line that it closes, tells where
 * one is missing when the end of the text is reached. */
static void check_indent(fzi_parser *p, const fzi_bracket *opener, const fzi_token *closer)
{
    uint32_t start = p->tokens.items[opener->token].start;
    if (!p->misled && (closer->flags & FZ_TOKEN_NEW_LINE) &&
        fzi_line_indent(p, start) != fzi_line_indent(p, closer->start))
        p->misled = opener->token + 1;
}

/* Pairs the token with what is open above `base`. False: a closer that closes nothing there. */
static bool track(fzi_parser *p, size_t index, size_t base)
{
    const fzi_token *token = &p->tokens.items[index];
    int closer = closer_of(token->kind);
    if (closer) {
        p->brackets = fzi_arena_grow(p->arena, p->brackets, p->bracket_count,
                                     &p->bracket_capacity, sizeof *p->brackets);
        p->brackets[p->bracket_count++] = (fzi_bracket){index, closer};
        return true;
    }
    if (!is_closer(token->kind))
        return true;
    for (size_t i = p->bracket_count; i > base; i--) {
        if (p->brackets[i - 1].closer == token->kind) {
            check_indent(p, &p->brackets[i - 1], token);
            p->bracket_count = i - 1;
            return true;
        }
    }
    return false;
}

/* ---- recovery ---- */

/* Words that stand in declarations' places only. */
bool fzi_only_declares(int token)
{
    switch (token) {
    case FZ_K_USE: case FZ_K_INFO: case FZ_K_OPTION: case FZ_K_WHEN: case FZ_K_PLAYERS:
    case FZ_K_TEAMS: case FZ_K_BOARD: case FZ_K_ENUM: case FZ_K_DIE: case FZ_K_PROPERTY:
    case FZ_K_PIECE: case FZ_K_CARRIED: case FZ_K_CLOCK: case FZ_K_SECRET: case FZ_K_SHOW:
    case FZ_K_FN: case FZ_K_PROC: case FZ_K_SETUP: case FZ_K_TURN: case FZ_K_END:
    case FZ_K_LIMIT: case FZ_K_TEST: case FZ_K_EXTERN: case FZ_K_OVERRIDE:
        return true;
    default:
        return false;
    }
}

/* Words and signs that go on with what stands before them. */
bool fzi_continues(int token)
{
    switch (token) {
    case FZ_K_OF: case FZ_K_ELSE: case FZ_K_FACING: case FZ_K_THEN: case FZ_K_IN: case FZ_K_BY:
    case FZ_K_ENSURING: case FZ_K_KEEPING: case FZ_K_OTHERWISE: case FZ_K_SHOWN: case FZ_K_AT:
    case FZ_K_AND: case FZ_K_OR:
        return true;
    default:
        return token >= FZ_K_ARROW && token <= FZ_K_DOT && token != FZ_K_LBRACE &&
               token != FZ_K_RBRACE;
    }
}

static size_t above(size_t count, size_t less)
{
    return count > less ? count - less : 0;
}

/* Can a declaration begin with token `index`, and not something inside one? What is indented
 * further than the line on which the mistake was made is inside. */
static bool begins_declaration(const fzi_parser *p, size_t index, uint32_t indent)
{
    const fzi_token *token = &p->tokens.items[index];
    if (token->kind == 0 || token->kind == FZ_K_RBRACE || fzi_only_declares(token->kind))
        return true;
    return (token->flags & FZ_TOKEN_NEW_LINE) && !fzi_continues(token->kind) &&
           fzi_line_indent(p, token->start) <= indent;
}

/* Does what was given up end before token `index`, after a closing brace? */
static bool ends_after_brace(const fzi_parser *p, size_t index, uint32_t indent)
{
    const fzi_token *token = &p->tokens.items[index];
    if (p->in_decls)
        return begins_declaration(p, index, indent);
    return token->kind == FZ_K_RBRACE ||
           ((token->flags & FZ_TOKEN_NEW_LINE) && !fzi_continues(token->kind));
}

/* From the wrong token to where the text makes sense again: behind the `;` or `}` that ends the
 * construct, before a `}` that ends what it stands in, or before a new declaration. A token that is
 * wrong for the second time is passed over; at the end of the text, that is the end of it all. */
static void skip(fzi_parser *p)
{
    size_t base = above(p->bracket_count, p->skip_depth);
    size_t at = p->now;
    uint32_t indent = fzi_line_indent(p, p->tokens.items[at ? at - 1 : 0].start);
    bool wrong = true; /* `at` is the wrong token itself */
    if (p->stopped == p->now + 1) {
        p->hopeless = p->tokens.items[at].kind == 0;
        track(p, at, 0);
        at += !p->hopeless;
        wrong = false;
    }
    for (;; wrong = false, at++) {
        const fzi_token *token = &p->tokens.items[at];
        if (token->kind == 0 || (wrong && p->stay))
            break;
        if (!wrong && (token->flags & FZ_TOKEN_NEW_LINE) && fzi_only_declares(token->kind))
            break;
        if (token->kind == FZ_K_SEMICOLON) {
            while (p->bracket_count > base && fzi_parser_open(p)->closer != FZ_K_RBRACE)
                p->bracket_count--;
            if (p->bracket_count <= base &&
                (!p->in_decls || begins_declaration(p, at + 1, indent))) {
                at++;
                break;
            }
        } else if (!track(p, at, base) && token->kind == FZ_K_RBRACE) {
            if (base > 0 || !p->in_decls)
                break;
        } else if (token->kind == FZ_K_RBRACE && p->bracket_count <= base &&
                   ends_after_brace(p, at + 1, indent)) {
            at++;
            break;
        }
    }
    if (p->bracket_count > base)
        p->bracket_count = base;
    p->stopped = at == p->now ? at + 1 : 0;
    p->next = at;
    p->tracked = true;
}

/* A token that is not in the text, before the one delivered next. */
static int deliver_empty(const fzi_parser *p, int kind, fzi_span *span)
{
    uint32_t place = p->next ? p->tokens.items[p->next - 1].end : 0;
    *span = (fzi_span){p->source, place, place};
    return kind;
}

int fzi_parser_feed(fzi_parser *p, fzi_span *span)
{
    if (p->entry) {
        int entry = p->entry;
        p->entry = 0;
        return deliver_empty(p, entry, span);
    }
    if (p->skipping) {
        p->skipping = false;
        skip(p);
        p->stay = p->ended = false;
        return deliver_empty(p, FZ_K_RECOVER, span);
    }
    if (!p->tracked)
        track(p, p->now, 0);
    p->tracked = true;
    if (p->again_closed) {
        p->again_closed--;
        return deliver_empty(p, FZ_K_RBRACE, span);
    }
    if (p->closers) {
        p->closers--;
        if (p->bracket_count)
            p->bracket_count--;
        return deliver_empty(p, FZ_K_RBRACE, span);
    }
    p->now = p->next;
    *span = fzi_token_span(p, p->now);
    if (p->now < p->tokens.count) {
        p->next++;
        p->tracked = false;
        return p->tokens.items[p->now].kind;
    }
    bool ended = p->ended || p->hopeless;
    p->ended = true;
    return ended ? 0 : FZ_K_FINISH;
}

/* ---- nodes ---- */

static uint32_t list_depth(const fzi_node *list, uint32_t depth)
{
    for (; list; list = list->next)
        if (list->depth > depth)
            depth = list->depth;
    return depth;
}

/* A tree that is too deep is cut, and grows from there: one message, and no more levels. */
static void set_depth(fzi_parser *p, fzi_node *node)
{
    uint32_t depth = list_depth(node->a, list_depth(node->b, 0));
    node->depth = 1 + list_depth(node->c, list_depth(node->d, depth));
    if (node->depth < FZ_MAX_DEPTH)
        return;
    fzi_too_deep(p, node->span);
    node->a = node->b = node->c = node->d = NULL;
    node->depth = 1;
    if (node->kind >= N_E_INT && node->kind <= N_E_AS)
        node->kind = N_E_ERROR;
}

fzi_node *fzi_make(fzi_parser *p, int kind, fzi_span span, fzi_parts parts)
{
    fzi_node *node = fzi_node_new(p->arena, kind, span);
    node->a = parts.a;
    node->b = parts.b;
    node->c = parts.c;
    node->d = parts.d;
    set_depth(p, node);
    return node;
}

fzi_node *fzi_make_named(fzi_parser *p, int kind, fzi_span span, const char *name,
                         fzi_span name_span, fzi_parts parts)
{
    fzi_node *node = fzi_make(p, kind, span, parts);
    node->name = name;
    node->name_span = name_span;
    return node;
}

fzi_node *fzi_make_text(fzi_parser *p, int kind, fzi_span span, const char *text,
                        fzi_span text_span, fzi_parts parts)
{
    fzi_node *node = fzi_make(p, kind, span, parts);
    node->text = text;
    node->name_span = text_span;
    return node;
}

fzi_node *fzi_make_op(fzi_parser *p, int kind, fzi_span span, int op, fzi_parts parts)
{
    fzi_node *node = fzi_make(p, kind, span, parts);
    node->op = (uint8_t)op;
    return node;
}

void fzi_adopt(fzi_parser *p, fzi_node *node, fzi_node *list)
{
    node->a = list;
    set_depth(p, node);
}

int64_t fzi_small_number(fzi_parser *p, fzi_span span, int64_t value)
{
    if (value <= INT32_MAX)
        return value;
    fzi_error(p->diags, span, FZ_E_NUMBER_TOO_LARGE, "2147483647");
    return INT32_MAX;
}

void fzi_attach_doc(fzi_parser *p, fzi_span span, fzi_node *node)
{
    size_t low = 0, high = p->docs.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->docs.items[middle].start < span.start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < p->docs.count && p->docs.items[low].start == span.start)
        node->doc = p->docs.items[low].end + 1;
}

fzi_list fzi_list_of(fzi_node *node)
{
    return (fzi_list){node, node};
}

fzi_list fzi_list_add(fzi_list list, fzi_node *node)
{
    return fzi_list_join(list, fzi_list_of(node));
}

fzi_list fzi_list_join(fzi_list list, fzi_list more)
{
    if (!list.first)
        return more;
    if (!more.first)
        return list;
    list.last->next = more.first;
    list.last = more.last;
    return list;
}

/* ---- entry ---- */

static bool begins_file(int token)
{
    return token == FZ_K_GAME || token == FZ_K_LIBRARY || token == FZ_K_VARIANT;
}

/* What to parse as. A file without a header is read all the same. */
static int entry_of(fzi_parser *p, bool lenient)
{
    const fzi_token *first = p->tokens.items;
    if (begins_file(first->kind))
        return FZ_K_ENTER_FILE;
    if (lenient)
        return FZ_K_ENTER_SNIPPET;
    fzi_diag *diag = fzi_error(p->diags, fzi_token_span(p, 0), FZ_E_NO_HEADER);
    if (first->kind != FZ_K_IDENT)
        return FZ_K_ENTER_SNIPPET;
    fzi_nearest nearest = {.wanted = fzi_token_name(p, fzi_token_span(p, 0))};
    for (int token = FZ_K_GAME; token <= FZ_K_VARIANT; token++)
        fzi_nearest_offer(&nearest, fzi_token_text(token));
    fzi_hint_nearest(p->diags, diag, &nearest);
    p->last_wrong = 1;
    return FZ_K_ENTER_SNIPPET;
}

fzi_node *fzi_parse_file(fzi_arena *arena, fzi_sources *sources, fzi_diags *diags,
                         uint32_t source, bool lenient)
{
    fzi_parser *p = FZI_NEW(arena, fzi_parser);
    p->arena = arena;
    p->sources = sources;
    p->diags = diags;
    p->source = source;
    p->text = fzi_source_at(sources, source);
    p->tracked = true;
    fzi_span whole = {source, 0, (uint32_t)p->text->length};
    if (fzi_tokens_read(p)) {
        fzi_tokens_strip(p);
        p->entry = entry_of(p, lenient);
        fz_yyparse(p);
    }
    return p->file ? p->file : fzi_node_new(arena, N_FILE, whole);
}

/* Behind blanks and comments. */
static const char *skip_space(const char *at, const char *end)
{
    for (;;) {
        while (at < end && strchr(" \t\r\n", *at))
            at++;
        if (end - at < 2 || at[0] != '/' || (at[1] != '/' && at[1] != '*'))
            return at;
        bool line = at[1] == '/';
        for (at += 2; at < end; at++)
            if (line ? *at == '\n' : (at[0] == '*' && at[1] == '/'))
                break;
        at += line || at >= end ? 0 : 2;
    }
}

bool fzi_begins_library(const char *text, size_t length)
{
    const char *end = text + length;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    text = skip_space(text, end);
    return end - text >= 8 && memcmp(text, "library", 7) == 0 && strchr(" \t\r\n/", text[7]);
}

bool fzi_is_reserved(const char *word)
{
    for (int token = FZ_K_GAME; token <= FZ_K_AFTER; token++)
        if (strcmp(word, fzi_token_text(token)) == 0)
            return true;
    return false;
}
