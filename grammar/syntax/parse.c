/* Delivers tokens to bison's parser, and makes nodes. */
#include "parse.h"

#include <string.h>

#include "parser.h"

#include "grammar/syntax/ferz_parse.h"

fzi_span fzi_token_span(const fzi_parser *p, size_t index)
{
    const fzi_token *token = &p->tokens.items[index];
    return (fzi_span){p->source, token->start, token->end};
}

/* ---- delivering tokens ---- */

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
        fzi_skip_mistake(p);
        p->stay = p->ended = p->give_up = p->skip_block = false;
        return deliver_empty(p, FZ_K_RECOVER, span);
    }
    if (!p->tracked)
        fzi_track_bracket(p, p->now, 0);
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
    if (p->bracket_count && p->stopped != p->now + 1 && fzi_begins_segment(p, p->now))
        return FZ_K_ENTER_SNIPPET; /* a bracket is not closed: a mistake, and right nowhere */
    if (p->now < p->tokens.count) {
        p->next++;
        p->tracked = false;
        return p->tokens.items[p->now].kind;
    }
    if (p->wanted && !p->has_wanted)
        return FZ_K_ENTER_SNIPPET; /* likewise: what would be right here is asked for */
    bool ended = p->ended || p->hopeless;
    p->ended = true;
    return ended ? 0 : FZ_K_FINISH;
}

/* ---- nodes ---- */

static uint32_t list_height(const fzi_node *list, uint32_t height)
{
    for (; list; list = list->next)
        if (list->height > height)
            height = list->height;
    return height;
}

/* A tree that is too deep is cut, and grows from there: one message, and no more levels. */
static void set_height(fzi_parser *p, fzi_node *node)
{
    uint32_t below = 0;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        below = list_height(node->children[i], below);
    node->height = 1 + below;
    if (node->height < FZ_MAX_DEPTH)
        return;
    fzi_too_deep(p, node->span);
    memset(node->children, 0, sizeof node->children);
    node->height = 1;
    if (node->kind >= N_E_INT && node->kind <= N_E_AS)
        node->kind = N_E_ERROR;
}

fzi_node *fzi_make(fzi_parser *p, int kind, fzi_span span, const fzi_node *children)
{
    fzi_node *node = fzi_node_new(p->arena, kind, span);
    if (children)
        memcpy(node->children, children->children, sizeof node->children);
    set_height(p, node);
    return node;
}

fzi_node *fzi_make_named(fzi_parser *p, int kind, fzi_span span, const char *name,
                         fzi_span name_span, const fzi_node *children)
{
    fzi_node *node = fzi_make(p, kind, span, children);
    node->name = name;
    node->name_span = name_span;
    return node;
}

fzi_node *fzi_make_text(fzi_parser *p, int kind, fzi_span span, const char *text,
                        fzi_span text_span, const fzi_node *children)
{
    fzi_node *node = fzi_make(p, kind, span, children);
    node->text = text;
    node->name_span = text_span;
    return node;
}

fzi_node *fzi_make_op(fzi_parser *p, int kind, fzi_span span, int op, const fzi_node *children)
{
    fzi_node *node = fzi_make(p, kind, span, children);
    node->op = (uint8_t)op;
    return node;
}

/* let S's set = X  for S's number in 1..subsets(S's set)  let S = subset(S's set, S's number)
 * The two names contain a blank, which no name of a script can. */
fzi_list fzi_make_subset(fzi_parser *p, fzi_span span, const char *name, fzi_span name_span,
                         fzi_node *set)
{
    const char *whole = fzi_intern_z(p->arena, fzi_arena_printf(p->arena, "%s's set", name));
    const char *number = fzi_intern_z(p->arena, fzi_arena_printf(p->arena, "%s's number", name));
    const char *sites = fzi_intern_z(p->arena, "sites");
    fzi_span at = set->span;
#define NAME(text) fzi_make_named(p, N_E_NAME, at, text, at, NULL)
#define CALL(text, first) fzi_make_named(p, N_E_CALL, at, fzi_intern_z(p->arena, text), at, \
                                         &(fzi_node){.arguments = (first)})
#define TYPE() fzi_make_named(p, N_T_NAME, at, sites, at, NULL)
    fzi_node *bound = fzi_make_named(p, N_BOUND, at, whole, at,
                                     &(fzi_node){.declared_type = TYPE(), .value = set});
    fzi_node *range = fzi_make_op(p, N_E_BINARY, at, FZ_T_RANGE,
                                  &(fzi_node){.left = fzi_make(p, N_E_INT, at, NULL),
                                              .right = CALL("subsets", NAME(whole))});
    range->left->number = 1;
    fzi_node *binder =
        fzi_make_named(p, N_BINDER, at, number, at, &(fzi_node){.set = range});
    fzi_node *arguments = fzi_list_add(fzi_list_of(NAME(whole)), NAME(number)).first;
    fzi_node *subset = fzi_make_named(p, N_BOUND, span, name, name_span,
                                      &(fzi_node){.declared_type = TYPE(),
                                                  .value = CALL("subset", arguments)});
    fzi_list quants = fzi_list_of(fzi_make(p, N_Q_LET, at, &(fzi_node){.bindings = bound}));
    quants = fzi_list_add(quants, fzi_make(p, N_Q_FOR, at, &(fzi_node){.binders = binder}));
#undef NAME
#undef CALL
#undef TYPE
    return fzi_list_add(quants, fzi_make(p, N_Q_LET, span, &(fzi_node){.bindings = subset}));
}

void fzi_set_items(fzi_parser *p, fzi_node *piece, fzi_node *items)
{
    piece->items = items;
    set_height(p, piece);
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

static bool is_word(int kind)
{
    const char *text = kind >= FZ_K_GAME && kind < FZ_K_IDENT ? fzi_token_text(kind) : "";
    return *text >= 'a' && *text <= 'z';
}

static enum fzi_lexeme_class class_of(const fzi_token *token)
{
    switch (token->kind) {
    case FZ_TOKEN_COMMENT: return FZI_LEXEME_COMMENT;
    case FZ_TOKEN_DOC: return FZI_LEXEME_DOC;
    case FZ_K_IDENT: return FZI_LEXEME_NAME;
    case FZ_K_INT: return FZI_LEXEME_NUMBER;
    case FZ_K_STRING: return FZI_LEXEME_STRING;
    case FZ_K_LPAREN: case FZ_K_LBRACKET: case FZ_K_LBRACE: return FZI_LEXEME_OPEN;
    case FZ_K_RPAREN: case FZ_K_RBRACKET: case FZ_K_RBRACE: return FZI_LEXEME_CLOSE;
    default: return is_word(token->kind) ? FZI_LEXEME_WORD : FZI_LEXEME_SIGN;
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
        lexemes[i] = (fzi_lexeme){token->start, token->end, class_of(token)};
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
    p->entry = !p->tokens.count || begins_file(p->tokens.items->kind) ? FZ_K_ENTER_FILE
                                                                      : FZ_K_ENTER_SNIPPET;
    fz_yyparse(p);
    *takes_name = wanted[FZ_K_IDENT - FZ_K_GAME];
    for (int kind = FZ_K_GAME; kind < FZ_K_IDENT; kind++)
        if (wanted[kind - FZ_K_GAME] && is_word(kind))
            words[count++] = fzi_token_text(kind);
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
