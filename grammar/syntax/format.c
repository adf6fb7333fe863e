/* The formatter works on tokens. It keeps the author's line breaks and writes indentation and
 * blanks itself. The tree shows what tokens do not: which braces are sets, which colons end a
 * quantifier, which signs have one operand.
 *
 * Indentation: a line that begins a statement, item or element stands two columns right of the line
 * that opened the bracket around it. A continuation line keeps its distance to the first line, but
 * at least two columns, so aligned operators stay aligned.
 *
 * Blanks: one between words, two between statements on a line and before a comment after code.
 * Where the author aligned words of adjacent lines, they stay aligned, with no more blanks than
 * that takes. */
#include "parse.h"

#include "parser.h"

#include "grammar/syntax/ferz_parse.h"
#include "interp/support/text.h"

#include <stdlib.h>

enum { FZ_STEP = 2 };

/* Flags of tokens from the tree, in addition to those of the parser. */
enum {
    FZ_OPENS_SET = 1 << 8, /* `{` of a set or table */
    FZ_BEGINS_BODY = 1 << 9, /* the body after the `:` of `any x in a :`, `as p :` */
    FZ_IS_UNARY = 1 << 10, /* an operator with one operand */
    FZ_IS_CLOSE = 1 << 11  /* the `/` of a fraction: no blanks around it */
};

/* An open bracket, or the file around all of them. */
typedef struct level {
    unsigned indent;         /* of the line that opened it */
    bool tight;              /* a set or table in braces: no blanks inside */
    bool at_line_end;        /* its contents begin on a new line */
    bool is_list;            /* of elements with commas between them */
    unsigned begun, author;  /* indentation of the line on which the current statement began, now
                                and in the source */
} level;

/* A token, as it stands on a line of the result. Words of one kind that stand in one column of
 * adjacent lines form a chain if one of them has more blanks before it than it needs, or if they
 * are comments. */
typedef struct word {
    const char *text;
    unsigned gap, pad;       /* blanks before it: those it needs, those that align it */
    unsigned author;         /* its column in the source */
    unsigned blanks;         /* before it in the source */
    int kind;                /* of the token; one for all words of the language */
    struct line *line;
    struct word *next, *up, *down;
} word;

typedef struct line {
    unsigned indent;
    bool blank_before;
    word *words;
    struct line *next;
} line;

typedef struct formatter {
    fzi_parser p;
    const fzi_token *set_end; /* the last `}` of a set */
    level *levels;
    size_t level_count, level_capacity;
    line *first, *last, **end;
    word **heads;           /* of chains */
    size_t head_count, head_capacity;
} formatter;

/* ---- what the tree knows ---- */

/* The first token from the place on. */
static fzi_token *token_from(const formatter *f, uint32_t place)
{
    fzi_token *tokens = f->p.tokens.items;
    size_t low = 0, high = f->p.tokens.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tokens[middle].start < place)
            low = middle + 1;
        else
            high = middle;
    }
    return &tokens[low];
}

/* Marks the first token of the expression inside the parentheses around it. */
static void mark_inside(const formatter *f, const fzi_node *expr, int flag)
{
    fzi_token *token = token_from(f, expr->span.start);
    while (token->kind && (token->kind == FZ_K_LPAREN || token->kind <= FZ_TOKEN_DOC))
        token++;
    token->flags |= (uint16_t)flag;
}

static void look_at(const formatter *f, const fzi_node *node)
{
    for (; node; node = node->next) {
        if (node->kind == N_E_SET || node->kind == N_E_SET_FOR || node->kind == N_E_KEYS)
            mark_inside(f, node, FZ_OPENS_SET);
        if (node->kind == N_E_UNARY && node->op != FZ_T_NOT)
            mark_inside(f, node, FZ_IS_UNARY);
        if (node->kind == N_E_OVER || node->kind == N_E_AS)
            token_from(f, node->body->span.start)->flags |= FZ_BEGINS_BODY;
        if (node->kind == N_OUTCOME && node->denominator)
            token_from(f, node->denominator->span.start)[-1].flags |= FZ_IS_CLOSE;
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            look_at(f, node->children[i]);
    }
}

/* ---- tokens ---- */

static bool is_comment(const fzi_token *token)
{
    return token->kind == FZ_TOKEN_COMMENT || token->kind == FZ_TOKEN_DOC;
}

static bool starts_line(const fzi_token *token)
{
    return token->flags & FZ_TOKEN_NEW_LINE;
}

static bool is_name(int kind)
{
    return kind == FZ_K_IDENT || (kind >= FZ_K_TO && kind <= FZ_K_EXCLUDES);
}

static const fzi_token *token_at(const formatter *f, size_t i)
{
    return &f->p.tokens.items[i];
}

/* The last token before `i` that is no comment; NULL: there is none. */
static const fzi_token *before(const formatter *f, size_t i)
{
    while (i-- > 0)
        if (!is_comment(token_at(f, i)))
            return token_at(f, i);
    return NULL;
}

static bool is_unary(const formatter *f, size_t i)
{
    return token_at(f, i)->flags & FZ_IS_UNARY;
}

/* Does the token stand without blanks on both sides? */
static bool is_close(const formatter *f, size_t i)
{
    return token_at(f, i)->kind == FZ_K_RANGE || token_at(f, i)->flags & FZ_IS_CLOSE;
}

/* Does `(` or `[` belong to the token before it, as a call or an index does? */
static bool is_attached(const formatter *f, size_t i, const fzi_token *left)
{
    int kind = left->kind;
    const fzi_token *further = before(f, (size_t)(left - f->p.tokens.items));
    int beyond = further ? further->kind : 0;
    bool begins = fzi_is_among(&f->p, beyond, "; { }");
    if (token_at(f, i)->kind == FZ_K_LBRACKET)
        return is_name(kind) || kind == FZ_K_RPAREN || kind == FZ_K_RBRACKET ||
               kind == FZ_K_RBRACE;
    if (kind == FZ_K_MAX || kind == FZ_K_MIN)
        return beyond != FZ_K_KEEPING;
    if (kind == FZ_K_CAPTURE)
        return beyond == FZ_K_ON;
    if ((kind == FZ_K_EXPECT || kind == FZ_K_CHANCE) && begins)
        return false;
    if (kind == FZ_K_TO && fzi_is_among(&f->p, beyond, "move capture up down"))
        return false;
    return is_name(kind) || kind == FZ_K_FIRST || kind == FZ_K_RANDOM || kind == FZ_K_RANK;
}

static level *top(const formatter *f)
{
    return &f->levels[f->level_count - 1];
}

/* Does a statement, item or element begin after token `left`? */
static bool begins_after(const formatter *f, const fzi_token *left)
{
    if (!left)
        return true;
    if (left->kind == FZ_K_COMMA)
        return f->level_count > 1 && top(f)->is_list;
    return left != f->set_end && fzi_is_among(&f->p, left->kind, "} ; { ( [");
}

/* A word or sign that, first on a line, always continues the line before. `at` and `or at` also
 * begin items of pieces. */
static bool continues_line(const formatter *f, int kind)
{
    return fzi_continues(&f->p, kind) && !fzi_is_among(&f->p, kind, "( [ { - ~ # => at or");
}

/* The blanks between token i and the one before it on its line. */
static unsigned gap(const formatter *f, size_t i, bool tight)
{
    const fzi_token *left = token_at(f, i - 1), *token = token_at(f, i);
    int a = left->kind, b = token->kind;
    if (is_comment(left) || is_comment(token))
        return 1;
    if (fzi_is_among(&f->p, b, "; , ) ] .") || fzi_is_among(&f->p, a, ". ( ["))
        return 0;
    if (a == FZ_K_LBRACE)
        return tight || b == FZ_K_RBRACE ? 0 : 1;
    if (b == FZ_K_RBRACE)
        return tight ? 0 : 1;
    if (b == FZ_K_COLON)
        return token_at(f, i + 1)->flags & FZ_BEGINS_BODY ? 1 : 0;
    if ((b == FZ_K_LPAREN || b == FZ_K_LBRACKET) && is_attached(f, i, left))
        return 0;
    if (is_unary(f, i - 1) || is_close(f, i) || is_close(f, i - 1))
        return 0;
    if (fzi_is_among(&f->p, a, "; }") && begins_after(f, left) && b != FZ_K_ARROW && b != FZ_K_ON)
        return continues_line(f, b) ? 1 : 2;
    return 1;
}

/* ---- indentation ---- */

static void push(formatter *f, level l)
{
    *FZI_MORE(f->p.arena, f->levels, f->level_count, f->level_capacity) = l;
}

/* The column of a token in the source, tabs counted as two. */
static unsigned author_indent(const formatter *f, const fzi_token *token)
{
    const char *text = f->p.text->text;
    uint32_t start = token->start;
    while (start > 0 && text[start - 1] != '\n')
        start--;
    unsigned column = 0;
    for (; start < token->start; start++)
        column += text[start] == '\t' ? 2 : !fzi_utf8_continues(text[start]);
    return column;
}

/* The indentation of a statement or element at this level. */
static unsigned base_of(const formatter *f)
{
    return f->level_count > 1 ? top(f)->indent + FZ_STEP : 0;
}

/* The indentation of a continuation line: it keeps the author's distance to the first line of the
 * statement, but at least `least` columns from where statements begin. */
static unsigned going_on(const formatter *f, unsigned author, unsigned least)
{
    long wanted = (long)top(f)->begun + (long)author - (long)top(f)->author;
    unsigned floor = base_of(f) + least;
    return wanted > (long)floor ? (unsigned)wanted : floor;
}

/* The indentation of the line that begins with token i. */
static unsigned indent_of(formatter *f, size_t i)
{
    const fzi_token *token = token_at(f, i), *left = before(f, i);
    level *around = top(f);
    unsigned author = author_indent(f, token);
    if (fzi_is_closer(token->kind))
        return around->indent;
    bool begins = begins_after(f, left);
    if (token->kind == FZ_K_ELSE || (token->kind == FZ_K_LBRACE && !begins))
        return going_on(f, author, 0);
    bool goes_on = !begins || continues_line(f, token->kind);
    if (goes_on || (around->is_list && !around->at_line_end))
        return going_on(f, author, FZ_STEP);
    around->begun = base_of(f);
    around->author = author;
    return around->begun;
}

/* `{` of `enum`, `die`, `option`, `expect moves`: a list of elements, with blanks inside. */
static bool is_listing(const formatter *f, size_t i)
{
    const fzi_token *left = before(f, i);
    const fzi_token *beyond = left ? before(f, (size_t)(left - f->p.tokens.items)) : NULL;
    int a = left ? left->kind : 0, b = beyond ? beyond->kind : 0;
    return fzi_is_among(&f->p, b, "enum die option") || (a == FZ_K_MOVES && b == FZ_K_EXPECT) ||
           (fzi_is_among(&f->p, a, "includes excludes") &&
            (is_name(b) || fzi_is_among(&f->p, b, "moves ) ]")));
}

static void open_level(formatter *f, size_t i, unsigned indent, unsigned author)
{
    const fzi_token *token = token_at(f, i);
    bool tight = token->flags & FZ_OPENS_SET;
    push(f, (level){
                .indent = indent,
                .tight = tight,
                .at_line_end = starts_line(token_at(f, i + 1)),
                .is_list = tight || token->kind != FZ_K_LBRACE || is_listing(f, i),
                .begun = indent,
                .author = author,
            });
}

/* Brackets and statements that token i opens, closes or ends, on a line with this indentation. */
static void account(formatter *f, size_t i, unsigned indent, unsigned author)
{
    const fzi_token *token = token_at(f, i);
    if (fzi_is_opener(token->kind)) {
        open_level(f, i, indent, author);
        return;
    }
    bool ends = token->kind == FZ_K_SEMICOLON;
    if (fzi_is_closer(token->kind) && f->level_count > 1) {
        bool set = top(f)->tight;
        if (set)
            f->set_end = token;
        f->level_count--;
        ends = token->kind == FZ_K_RBRACE && !set;
    }
    if (ends) {
        top(f)->begun = indent;
        top(f)->author = author;
    }
}

/* ---- lines ---- */

/* The text of a token; a comment loses the blanks at its end, and carriage returns. */
static const char *text_of(const formatter *f, const fzi_token *token)
{
    const char *text = f->p.text->text + token->start;
    size_t length = token->end - token->start;
    fzi_growing g = {.text = NULL};
    if (is_comment(token))
        while (length > 0 && strchr(" \t\r", text[length - 1]))
            length--;
    fzi_grow(f->p.arena, &g, "", 0);
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\r')
            fzi_grow(f->p.arena, &g, text + i, 1);
    return g.text;
}

static bool blank_line_before(const formatter *f, size_t i)
{
    const fzi_token *left = token_at(f, i - 1), *token = token_at(f, i);
    unsigned newlines = 0;
    for (uint32_t at = left->end; at < token->start; at++)
        newlines += f->p.text->text[at] == '\n';
    const fzi_token *opened = is_comment(left) ? NULL : left;
    return newlines > 1 && !(opened && fzi_is_opener(opened->kind)) && !fzi_is_closer(token->kind);
}

/* Is the token a comment at the end of a line of code? */
static bool is_trailing(const formatter *f, size_t i)
{
    const fzi_token *token = token_at(f, i);
    return is_comment(token) && !starts_line(token) && f->p.text->text[token->start + 1] == '/';
}

static word *add_word(formatter *f, line *l, word **last, size_t i, unsigned blanks)
{
    const fzi_token *token = token_at(f, i);
    word *made = FZI_NEW(f->p.arena, word);
    *made = (word){
        .text = text_of(f, token),
        .gap = blanks,
        .author = author_indent(f, token),
        .blanks = i > 0 ? token->start - token_at(f, i - 1)->end : 0,
        .kind = is_comment(token) ? FZ_TOKEN_COMMENT
                : token->kind >= FZ_K_GAME && token->kind <= FZ_K_AFTER ? FZ_K_GAME
                                                                         : token->kind,
        .line = l,
    };
    *(*last ? &(*last)->next : &l->words) = made;
    return *last = made;
}

/* Is the token a comment on a line of its own that continues the one above it? */
static bool goes_on_above(const formatter *f, size_t i)
{
    const word *above = f->last ? f->last->words : NULL;
    while (above && above->next)
        above = above->next;
    return is_comment(token_at(f, i)) && above && above->kind == FZ_TOKEN_COMMENT &&
           (above != f->last->words || above->gap) &&
           above->author == author_indent(f, token_at(f, i)) && !blank_line_before(f, i);
}

/* Makes the line that begins with token i; returns the token that begins the next one. */
static size_t make_line(formatter *f, size_t i)
{
    line *made = FZI_NEW(f->p.arena, line);
    word *last = NULL;
    unsigned author = author_indent(f, token_at(f, i));
    bool above = goes_on_above(f, i);
    made->blank_before = i > 0 && blank_line_before(f, i);
    if (above)
        add_word(f, made, &last, i++, FZ_STEP);
    else
        made->indent = indent_of(f, i);
    for (size_t start = i; !above && i < f->p.tokens.count; i++) {
        if (i > start && starts_line(token_at(f, i)))
            break;
        unsigned blanks = i == start ? 0 : is_trailing(f, i) ? FZ_STEP : gap(f, i, top(f)->tight);
        add_word(f, made, &last, i, blanks);
        if (!is_trailing(f, i))
            account(f, i, made->indent, author);
    }
    *f->end = f->last = made;
    f->end = &made->next;
    return i;
}

/* ---- alignment ---- */

/* Does the text end on another line than it begins? */
static bool is_broken(const word *w)
{
    return strchr(w->text, '\n');
}

/* The column after the text if it begins in this one, tabs counted as two. */
static unsigned column_after(const word *w, unsigned column)
{
    const char *newline = strrchr(w->text, '\n');
    unsigned width = newline ? 0 : column;
    for (const char *at = newline ? newline + 1 : w->text; *at; at++)
        width += *at == '\t' ? 2 : !fzi_utf8_continues(*at);
    return width;
}

static unsigned column_of(const word *w)
{
    unsigned column = w->line->indent;
    for (const word *each = w->line->words;; each = each->next) {
        column += each->gap + each->pad;
        if (each == w)
            return column;
        column = column_after(each, column);
    }
}

static bool is_aligned(const word *w, const word *v)
{
    return w->author == v->author && w->kind == v->kind && w->gap && v->gap && w->blanks &&
           v->blanks &&
           (w->blanks > w->gap || v->blanks > v->gap || w->kind == FZ_TOKEN_COMMENT);
}

/* Joins the words of two adjacent lines that stand in one column of the source. */
static void join_lines(word *upper, word *lower)
{
    for (word *w = upper; w; w = w->next)
        if (is_broken(w))
            upper = w->next;
    while (upper && lower && !is_broken(lower)) {
        if (is_aligned(upper, lower)) {
            upper->down = lower;
            lower->up = upper;
        }
        bool passed = upper->author >= lower->author;
        if (upper->author <= lower->author)
            upper = upper->next;
        if (passed)
            lower = lower->next;
    }
}

static int by_column(const void *a, const void *b)
{
    unsigned x = (*(word *const *)a)->author, y = (*(word *const *)b)->author;
    return (x > y) - (x < y);
}

/* Is the line a comment that stands above code? */
static bool is_comment_line(const line *l)
{
    return l->words->kind == FZ_TOKEN_COMMENT && !l->words->gap;
}

/* From the left: what stands before a word on its line has its column by then. Comments between
 * lines of code do not part them. */
static void align(formatter *f)
{
    for (line *l = f->first; l; l = l->next) {
        const line *below = l->next;
        while (below && !below->blank_before && is_comment_line(below))
            below = below->next;
        if (below && !below->blank_before)
            join_lines(l->words, below->words);
    }
    for (line *l = f->first; l; l = l->next)
        for (word *w = l->words; w; w = w->next)
            if (w->down && !w->up)
                *FZI_MORE(f->p.arena, f->heads, f->head_count, f->head_capacity) = w;
    if (f->head_count)
        qsort(f->heads, f->head_count, sizeof *f->heads, by_column);
    for (size_t i = 0; i < f->head_count; i++) {
        unsigned column = 0;
        for (word *w = f->heads[i]; w; w = w->down)
            if (column_of(w) > column)
                column = column_of(w);
        for (word *w = f->heads[i]; w; w = w->down)
            w->pad = column - column_of(w);
    }
}

/* ---- the result ---- */

static const char *joined(formatter *f)
{
    fzi_arena *arena = f->p.arena;
    fzi_growing g = {.text = NULL};
    fzi_grow(arena, &g, "", 0);
    for (const line *l = f->first; l; l = l->next) {
        if (l->blank_before)
            fzi_grow(arena, &g, "\n", 1);
        unsigned blanks = l->indent;
        for (const word *w = l->words; w; w = w->next) {
            for (blanks += w->gap + w->pad; blanks > 0; blanks--)
                fzi_grow(arena, &g, " ", 1);
            fzi_grow(arena, &g, w->text, strlen(w->text));
        }
        fzi_grow(arena, &g, "\n", 1);
    }
    return g.text;
}

const char *fzi_format(fzi_arena *arena, const fzi_sources *sources, uint32_t source,
                       const fzi_node *file)
{
    formatter *f = FZI_NEW(arena, formatter);
    fzi_diags unheard;
    fzi_sources copy = *sources;
    fzi_diags_init(&unheard, arena, &copy);
    f->p = (fzi_parser){
        .arena = arena,
        .sources = &copy,
        .diags = &unheard,
        .text = fzi_source_at(sources, source),
        .source = source,
    };
    if (!fzi_tokens_read(&f->p))
        return f->p.text->text;
    look_at(f, file);
    f->end = &f->first;
    push(f, (level){.at_line_end = true});
    for (size_t i = 0; i < f->p.tokens.count;)
        i = make_line(f, i);
    align(f);
    return joined(f);
}
