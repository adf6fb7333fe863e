/* The text of a .lud file as a tree. Stands before lud_options.c. */
#include <ctype.h>

#include "lud.h"

enum { MOST_NESTED = 150, MOST_PARSED = 400000 };
/* Each option keeps its text, so few may be in others. */
enum { MOST_OPTIONS = 12 };

typedef struct parser {
    fzi_arena *arena;
    const char *at, *end;
    unsigned line;
    size_t depth, *made;
    fzi_lud_fault *fault;
    unsigned options; /* around this place */
} parser;

static void fail(parser *p, const char *why)
{
    if (!p->fault->why)
        *p->fault = (fzi_lud_fault){why, p->line};
    p->at = p->end;
}

static bool follows(const parser *p, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(p->end - p->at) >= length && memcmp(p->at, text, length) == 0;
}

static void skip_blanks(parser *p)
{
    while (p->at < p->end) {
        if (*p->at == '\n')
            p->line++;
        if (isspace((unsigned char)*p->at) || *p->at == '\0')
            p->at++;
        else if (follows(p, "//"))
            while (p->at < p->end && *p->at != '\n')
                p->at++;
        else
            return;
    }
}

static fzi_lud *new_node(parser *p, enum fzi_lud_kind kind)
{
    fzi_lud *node = FZI_NEW(p->arena, fzi_lud);

    node->kind = kind;
    node->line = p->line;
    if (++*p->made > MOST_PARSED)
        fail(p, "too many forms");
    return node;
}

static const char *copy(parser *p, const char *from, const char *to)
{
    char *text = fzi_arena_alloc(p->arena, (size_t)(to - from) + 1);
    memcpy(text, from, (size_t)(to - from));
    return text;
}

static fzi_lud *read_string(parser *p)
{
    fzi_lud *node = new_node(p, FZ_LUD_STRING);
    const char *from = ++p->at;

    while (p->at < p->end && *p->at != '"') {
        p->line += *p->at == '\n';
        p->at += *p->at == '\\' && p->at + 1 < p->end ? 2 : 1;
    }
    if (p->at >= p->end) {
        fail(p, "a string without its end");
        return node;
    }
    node->text = copy(p, from, p->at++);
    return node;
}

/* Where the `>` of the `<` at `at` stands. After a parenthesis, both are operators. */
static const char *closing_angle(const parser *p)
{
    size_t open = 0;
    bool quoted = false;

    for (const char *at = p->at; at < p->end; at++) {
        if (*at == '"')
            quoted = !quoted;
        if (quoted || (at > p->at && at[-1] == '('))
            continue;
        if (*at == '<')
            open++;
        if (*at == '>' && --open == 0)
            return at;
    }
    return NULL;
}

static void read_items(parser *p, fzi_lud *node, char close);

static fzi_lud *read_option(parser *p)
{
    fzi_lud *node = new_node(p, FZ_LUD_OPTION);
    const char *close = closing_angle(p);

    if (!close) {
        fail(p, "'<' without '>'");
        return node;
    }
    node->text = copy(p, p->at + 1, close);
    fzi_lud_fault fault = {0};
    parser inner = *p;
    inner.at = p->at + 1;
    inner.end = close;
    inner.fault = &fault;
    if (++inner.depth > MOST_NESTED || ++inner.options > MOST_OPTIONS)
        fail(p, "nested too deep");
    else
        read_items(&inner, node, '\0');
    /* It may be a part of a form, such as `(dual`: an error only where it is used. */
    node->broken = fault.why != NULL;
    for (const char *at = p->at; at < close; at++)
        p->line += *at == '\n';
    p->at = p->fault->why ? p->end : close + 1;
    return node;
}

static bool in_word(char c)
{
    return c && !isspace((unsigned char)c) && !strchr("(){}\"", c);
}

static fzi_lud *read_word(parser *p)
{
    fzi_lud *node = new_node(p, FZ_LUD_WORD);
    const char *from = p->at;

    while (p->at < p->end && in_word(*p->at) && !follows(p, "//"))
        p->at++;
    if (p->at == from) {
        fail(p, "a character that means nothing here");
        return node;
    }
    node->text = copy(p, from, p->at);
    if (node->text[0] == '#' && isdigit((unsigned char)node->text[1]))
        node->kind = FZ_LUD_PARAM;
    else if (strcmp(node->text, "~") == 0)
        node->kind = FZ_LUD_OMITTED;
    return node;
}

/* The label before a value; NULL: there is none. */
static const char *read_label(parser *p)
{
    const char *at = p->at;

    while (at < p->end && isalnum((unsigned char)*at))
        at++;
    if (at == p->at || at >= p->end || *at != ':')
        return NULL;
    const char *label = copy(p, p->at, at);
    p->at = at + 1;
    skip_blanks(p);
    return label;
}

static fzi_lud *read_bracketed(parser *p)
{
    bool list = *p->at == '(';
    fzi_lud *node = new_node(p, list ? FZ_LUD_LIST : FZ_LUD_SET);

    p->at++;
    if (++p->depth > MOST_NESTED)
        fail(p, "nested too deep");
    read_items(p, node, list ? ')' : '}');
    p->depth--;
    return node;
}

static fzi_lud *read_node(parser *p, bool first)
{
    const char *label = read_label(p);
    fzi_lud *node = NULL;

    if (p->at >= p->end)
        fail(p, "a label without a value");
    if (p->fault->why)
        return NULL;
    if (*p->at == '"')
        node = read_string(p);
    else if (*p->at == '(' || *p->at == '{')
        node = read_bracketed(p);
    else if (*p->at == '<' && !first)
        node = read_option(p);
    else
        node = read_word(p);
    node->label = label;
    return node;
}

/* `container:"Board"` says what holds without it, except where pieces may leave hands. */
static bool is_default(const fzi_lud *item)
{
    return fzi_lud_has_label(item, "container") && item->kind == FZ_LUD_STRING &&
           strcmp(item->text, "Board") == 0;
}

static void read_items(parser *p, fzi_lud *node, char close)
{
    for (bool first = node->kind == FZ_LUD_LIST;; first = false) {
        skip_blanks(p);
        if (p->at >= p->end) {
            if (close)
                fail(p, close == ')' ? "'(' without ')'" : "'{' without '}'");
            return;
        }
        if (*p->at == ')' || *p->at == '}') {
            if (*p->at != close)
                fail(p, *p->at == ')' ? "')' without '('" : "'}' without '{'");
            else
                p->at++;
            return;
        }
        fzi_lud *item = read_node(p, first);
        if (!item || p->fault->why)
            return;
        if (is_default(item))
            node->on_board = true;
        else
            *FZI_MORE(p->arena, node->items, node->count, node->capacity) = item;
    }
}

fzi_lud *fzi_lud_parse(fzi_arena *arena, const char *text, size_t length, fzi_lud_fault *fault)
{
    size_t made = 0;
    parser p = {arena, text, text + length, 1, 0, &made, fault, 0};

    *fault = (fzi_lud_fault){0};
    if (follows(&p, "\xef\xbb\xbf"))
        p.at += 3;
    fzi_lud *node = new_node(&p, FZ_LUD_SET);
    for (skip_blanks(&p); p.at < p.end && !fault->why; skip_blanks(&p)) {
        bool metadata = follows(&p, "(metadata");
        fzi_lud *item = read_node(&p, false);
        if (metadata && fault->why) {
            *fault = (fzi_lud_fault){0}; /* Ludii does not read its brackets */
            break;
        }
        if (item)
            *FZI_MORE(arena, node->items, node->count, node->capacity) = item;
    }
    return fault->why ? NULL : node;
}

bool fzi_lud_is_word(const fzi_lud *node, const char *word)
{
    return node && node->kind == FZ_LUD_WORD && strcmp(node->text, word) == 0;
}

bool fzi_lud_is(const fzi_lud *node, const char *head)
{
    return node && node->kind == FZ_LUD_LIST && node->count &&
           fzi_lud_is_word(node->items[0], head);
}

bool fzi_lud_has_label(const fzi_lud *node, const char *label)
{
    return node->label && strcmp(node->label, label) == 0;
}

fzi_lud *fzi_lud_labelled(const fzi_lud *node, const char *label)
{
    for (size_t i = 0; i < node->count; i++)
        if (fzi_lud_has_label(node->items[i], label))
            return node->items[i];
    return NULL;
}

static void print(fzi_arena *arena, fzi_growing *g, const fzi_lud *node, size_t most)
{
    static const char *const open[] = {"", "\"", "(", "{", "<", "", "~"};
    static const char *const close[] = {"", "\"", ")", "}", ">", "", ""};

    if (g->length > most)
        return;
    if (node->label) {
        fzi_grow_z(arena, g, node->label);
        fzi_grow_z(arena, g, ":");
    }
    fzi_grow_z(arena, g, open[node->kind]);
    if (node->text)
        fzi_grow(arena, g, node->text, strnlen(node->text, most + 1));
    for (size_t i = 0; i < node->count && !node->text; i++) {
        if (i)
            fzi_grow_z(arena, g, " ");
        print(arena, g, node->items[i], most);
    }
    fzi_grow_z(arena, g, close[node->kind]);
}

const char *fzi_lud_text(fzi_arena *arena, const fzi_lud *node, size_t most)
{
    fzi_growing g = {0};

    print(arena, &g, node, most);
    if (g.length <= most)
        return g.text ? g.text : "";
    return fzi_arena_printf(arena, "%.*s ...", (int)most, g.text);
}
