/* Tracks brackets, and finds where the parser continues after an error. One mistake should give one
 * message. If the brackets of the text have partners, they show how far the wrong statement or
 * declaration goes. If not, only the layout is reliable: the text is divided into segments at
 * tokens that stand where declarations begin. A segment whose brackets do not have partners is
 * skipped as a whole after its first message. */
#include "parser.h"

#include "grammar/syntax/ferz_parse.h"

enum { MAX_INDENT = 400 };

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

bool fzi_is_opener(int token)
{
    return closer_of(token) != 0;
}

bool fzi_is_closer(int token)
{
    return token == FZ_K_RPAREN || token == FZ_K_RBRACKET || token == FZ_K_RBRACE;
}

const fzi_bracket *fzi_parser_open(const fzi_parser *p)
{
    return p->bracket_count ? &p->brackets[p->bracket_count - 1] : NULL;
}

uint32_t fzi_line_indent(const fzi_parser *p, const fzi_token *token)
{
    const char *text = p->text->text;
    uint32_t start = token->line, indent = 0;
    while (indent < start && indent < MAX_INDENT &&
           (text[start - indent - 1] == ' ' || text[start - indent - 1] == '\t'))
        indent++;
    return indent;
}

/* A closing brace that is first on its line, but not under the line that it closes, shows where one
 * is missing if the text ends too early. */
static void check_indent(fzi_parser *p, const fzi_bracket *opener, const fzi_token *closer)
{
    if (!p->misled && (closer->flags & FZ_TOKEN_NEW_LINE) &&
        fzi_line_indent(p, &p->tokens.items[opener->token]) != fzi_line_indent(p, closer))
        p->misled = opener->token + 1;
}

static void push_bracket(fzi_parser *p, size_t index, int closer)
{
    *FZI_MORE(p->arena, p->brackets, p->bracket_count, p->bracket_capacity) =
        (fzi_bracket){index, closer};
}

bool fzi_track_bracket(fzi_parser *p, size_t index, size_t base)
{
    const fzi_token *token = &p->tokens.items[index];
    int closer = closer_of(token->kind);
    if (closer) {
        push_bracket(p, index, closer);
        return true;
    }
    if (!fzi_is_closer(token->kind))
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

/* ---- segments ---- */

/* Words that only begin declarations. */
bool fzi_only_declares(const fzi_parser *p, int token)
{
    return fzi_is_among(p, token,
                        "use info option when players teams board enum die property "
                        "piece carried clock secret show view fn proc setup turn end "
                        "limit test extern override extend");
}

/* Words and signs that continue the construct before them. */
bool fzi_continues(const fzi_parser *p, int token)
{
    return fzi_is_among(p, token,
                        "of else facing then in by ensuring keeping otherwise shown at "
                        "and or") ||
           (token >= FZ_K_ARROW && token <= FZ_K_DOT && token != FZ_K_LBRACE &&
            token != FZ_K_RBRACE);
}

static uint32_t line_of(const fzi_parser *p, size_t index)
{
    return p->tokens.items[index].line;
}

/* Does the token stand where declarations of the file begin? */
static bool stands_outside(const fzi_parser *p, const fzi_token *token, uint32_t indent)
{
    return (token->flags & FZ_TOKEN_NEW_LINE) && !fzi_is_closer(token->kind) &&
           token->kind != FZ_K_LBRACE && token->kind != FZ_K_STRING &&
           !fzi_continues(p, token->kind) && fzi_line_indent(p, token) <= indent;
}

static uint32_t earlier(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The innermost open bracket that waits for this closer, counted from 1; 0: none does. */
static size_t opener_of(const fzi_parser *p, int closer)
{
    size_t at = p->bracket_count;
    while (at > 0 && p->brackets[at - 1].closer != closer)
        at--;
    return at;
}

/* The line on which the brackets of tokens [from, to) first fail to pair; FZ_UNTORN if they pair.
 * A brace that closes nothing may belong anywhere before it, so it counts from the beginning. */
static uint32_t tear_of(fzi_parser *p, size_t from, size_t to)
{
    uint32_t tear = FZ_UNTORN;
    p->bracket_count = 0;
    for (size_t i = from; i < to; i++) {
        int kind = p->tokens.items[i].kind, closer = closer_of(kind);
        if (closer)
            push_bracket(p, i, closer);
        if (!fzi_is_closer(kind))
            continue;
        size_t opener = opener_of(p, kind);
        if (!opener)
            tear = earlier(tear, line_of(p, kind == FZ_K_RBRACE ? from : i));
        else if (opener < p->bracket_count)
            tear = earlier(tear, line_of(p, p->brackets[opener].token));
        p->bracket_count = opener ? opener - 1 : p->bracket_count;
    }
    if (p->bracket_count)
        tear = earlier(tear, line_of(p, p->brackets[0].token));
    p->bracket_count = 0;
    return tear;
}

static void add_segment(fzi_parser *p, size_t start, size_t end)
{
    *FZI_MORE(p->arena, p->segments, p->segment_count, p->segment_capacity) =
        (fzi_text_segment){start, tear_of(p, start, end)};
}

void fzi_find_segments(fzi_parser *p)
{
    size_t count = p->tokens.count, start = 0;
    if (count == 0 || tear_of(p, 0, count) == FZ_UNTORN)
        return;
    uint32_t indent = fzi_line_indent(p, &p->tokens.items[0]);
    for (size_t i = 1; i < count; i++) {
        if (!stands_outside(p, &p->tokens.items[i], indent))
            continue;
        add_segment(p, start, i);
        start = i;
    }
    add_segment(p, start, count);
}

/* The segment that the token belongs to; NULL where all brackets pair. */
static const fzi_text_segment *segment_of(const fzi_parser *p, size_t index)
{
    size_t low = 0, high = p->segment_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->segments[middle].start <= index)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &p->segments[low - 1] : NULL;
}

bool fzi_begins_segment(const fzi_parser *p, size_t index)
{
    const fzi_text_segment *segment = segment_of(p, index);
    return segment && segment->start == index;
}

bool fzi_is_torn(const fzi_parser *p, size_t index)
{
    const fzi_text_segment *segment = segment_of(p, index);
    return segment && segment->tear <= line_of(p, index);
}

/* ---- going on ---- */

static size_t above(size_t count, size_t less)
{
    return count > less ? count - less : 0;
}

/* Skips the rest of the segment: its braces are closed, and the next segment has its own
 * messages. */
static void leave_segment(fzi_parser *p)
{
    const fzi_text_segment *segment = segment_of(p, p->now);
    size_t last = (size_t)(segment - p->segments) + 1;
    size_t base = above(p->bracket_count, p->skip_depth);
    for (size_t i = 0; i < base; i++)
        p->closers += p->brackets[i].closer == FZ_K_RBRACE;
    p->bracket_count = p->closers;
    p->next = last < p->segment_count ? p->segments[last].start : p->tokens.count;
    p->excused = p->next + 1;
    p->stopped = 0;
    p->tracked = true;
}

/* Can a declaration begin with token `index`? A token that is indented further than the line of the
 * mistake is inside a declaration. */
static bool begins_declaration(const fzi_parser *p, size_t index, uint32_t indent)
{
    const fzi_token *token = &p->tokens.items[index];
    if (token->kind == 0 || token->kind == FZ_K_RBRACE || fzi_only_declares(p, token->kind))
        return true;
    return (token->flags & FZ_TOKEN_NEW_LINE) && !fzi_continues(p, token->kind) &&
           fzi_line_indent(p, token) <= indent;
}

/* Does the skipped construct end before token `index`, after a closing brace? */
static bool ends_after_brace(const fzi_parser *p, size_t index, uint32_t indent)
{
    const fzi_token *token = &p->tokens.items[index];
    if (p->in_decls)
        return begins_declaration(p, index, indent);
    return token->kind == FZ_K_RBRACE ||
           ((token->flags & FZ_TOKEN_NEW_LINE) && !fzi_continues(p, token->kind));
}

/* Does the skipped construct end before token `index`, after a `;`? */
static bool ends_after_semicolon(const fzi_parser *p, size_t index, uint32_t indent)
{
    int next = p->tokens.items[index].kind;
    if (p->in_decls)
        return begins_declaration(p, index, indent);
    return next != FZ_K_ELSE && next != FZ_K_OTHERWISE;
}

/* Skips from the wrong token to the place where parsing can continue: after the `;` or `}` that
 * ends the construct, before a `}` that ends the enclosing one, or before a new declaration. */
static size_t end_of_mistake(fzi_parser *p, size_t at, size_t base, bool wrong)
{
    uint32_t indent = fzi_line_indent(p, &p->tokens.items[p->now ? p->now - 1 : 0]);
    bool paired = !fzi_is_torn(p, p->now);
    for (;; wrong = false, at++) {
        const fzi_token *token = &p->tokens.items[at];
        if (token->kind == 0 || (wrong && p->stay))
            return at;
        if (!wrong && (token->flags & FZ_TOKEN_NEW_LINE) && fzi_only_declares(p, token->kind) &&
            (!paired || p->bracket_count <= base))
            return at;
        if (token->kind == FZ_K_SEMICOLON) {
            while (!paired && p->bracket_count > base && fzi_parser_open(p)->closer != FZ_K_RBRACE)
                p->bracket_count--;
            if (p->bracket_count <= base && !p->skip_block &&
                ends_after_semicolon(p, at + 1, indent))
                return at + 1;
        } else if (!fzi_track_bracket(p, at, base) && token->kind == FZ_K_RBRACE) {
            if (base > 0 || !p->in_decls)
                return at;
        } else if (token->kind == FZ_K_RBRACE && p->bracket_count <= base && !p->skip_block &&
                   ends_after_brace(p, at + 1, indent)) {
            return at + 1;
        }
    }
}

/* A token that is wrong for the second time is skipped; at the end of the text, parsing ends. */
void fzi_skip_mistake(fzi_parser *p)
{
    if (p->give_up && p->stopped != p->now + 1) {
        leave_segment(p);
        p->stopped = p->next == p->now ? p->now + 1 : 0; /* at the end of the text */
        return;
    }
    size_t base = above(p->bracket_count, p->skip_depth);
    size_t at = p->now;
    bool again = p->stopped == p->now + 1;
    if (again) {
        p->hopeless = p->tokens.items[at].kind == 0;
        fzi_track_bracket(p, at, 0);
        at += !p->hopeless;
    }
    at = end_of_mistake(p, at, base, !again);
    if (p->skip_block && p->tokens.items[at].kind == FZ_K_RBRACE &&
        p->tokens.items[at + 1].kind == FZ_K_OTHERWISE)
        p->excused = at + 2;
    if (p->bracket_count > base)
        p->bracket_count = base;
    p->stopped = at == p->now ? at + 1 : 0;
    p->next = at;
    p->tracked = true;
}
