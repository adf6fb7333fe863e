/* `///` texts, which `ferz rules` prints: the names and conditions in their braces. After the
 * checks of expressions, since a condition asks for the values of options and constants. */
#include "whole_game.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- conditions ---- */

typedef struct reading {
    const fzi_game *game;
    const char *at, *end;
    fzi_text_fault *fault; /* of the first mistake; then `wrong` is set */
    bool wrong;
} reading;

static bool refuse(reading *r, int code, const char *from, const char *to, const char *name)
{
    if (!r->wrong)
        *r->fault = (fzi_text_fault){code, from, (size_t)(to - from), name,
                                     fzi_intern(r->game->arena, from, (size_t)(to - from))};
    r->wrong = true;
    return false;
}

static void skip(reading *r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at))
        r->at++;
}

/* The next word, or NULL. */
static const char *word(reading *r)
{
    skip(r);
    const char *from = r->at;
    while (r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_'))
        r->at++;
    return r->at > from ? fzi_intern(r->game->arena, from, (size_t)(r->at - from)) : NULL;
}

/* Is it the next word? Then it is skipped. */
static bool accept(reading *r, const char *wanted)
{
    const char *from = r->at, *found = word(r);
    if (found && strcmp(found, wanted) == 0)
        return true;
    r->at = from;
    return false;
}

static bool number_of(const fzi_game *game, const fzi_type *type, const char *text, int64_t *number)
{
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        *number = *text == 't';
        return true;
    }
    if (isdigit((unsigned char)*text)) {
        *number = strtoll(text, NULL, 10);
        return true;
    }
    for (fzi_entry *e = game->globals->first; e; e = e->following)
        if (e->symbol.kind == FZI_SYM_VALUE && e->symbol.type == type && e->symbol.name == text) {
            *number = e->symbol.value;
            return true;
        }
    return false;
}

const fzi_symbol *fzi_text_constant(const fzi_game *game, const char *name, int64_t *value)
{
    const fzi_checker checker = {.game = (fzi_game *)game, .scope = game->globals};
    const fzi_symbol *symbol = fzi_game_find(game, name, -1);
    if (symbol && symbol->kind == FZI_SYM_OPTION) {
        *value = symbol->value;
        return symbol;
    }
    bool is_let = symbol && symbol->kind == FZI_SYM_LET && !symbol->param_count && symbol->node;
    return is_let && symbol->node->value && fzi_constant(&checker, symbol->node->value, value)
               ? symbol
               : NULL;
}

/* [not] NAME [= VALUE | < VALUE | > VALUE] */
static bool term(reading *r)
{
    int64_t left = 0, right = 0;
    bool is_negated = accept(r, "not");
    skip(r);
    const char *from = r->at, *name = word(r);
    const fzi_symbol *symbol = name ? fzi_text_constant(r->game, name, &left) : NULL;
    if (!symbol)
        return refuse(r, FZ_E_TEXT_NAME, from, r->at, NULL);
    skip(r);
    char op = r->at < r->end && strchr("=<>", *r->at) ? *r->at : 0;
    if (!op)
        return (left != 0) != is_negated;
    r->at++;
    skip(r);
    from = r->at;
    const char *value = word(r);
    if (!value || !number_of(r->game, symbol->type, value, &right))
        return refuse(r, FZ_E_NO_SUCH_VALUE, from, r->at, name);
    bool holds = op == '=' ? left == right : op == '<' ? left < right : left > right;
    return holds != is_negated;
}

bool fzi_text_condition(const fzi_game *game, const char *text, size_t length,
                        fzi_text_fault *fault)
{
    reading r = {.game = game, .at = text, .end = text + length, .fault = fault};
    *fault = (fzi_text_fault){0};
    bool holds = term(&r);
    while (accept(&r, "and"))
        holds = term(&r) && holds;
    skip(&r);
    if (r.at < r.end)
        refuse(&r, FZ_E_TEXT_FORM, r.at, r.end, NULL);
    return holds && !r.wrong;
}

/* ---- the texts of declarations ---- */

typedef struct text {
    fzi_checker *c;
    const fzi_node *decl;
    const fzi_source *source;
    const char *open; /* the outermost `{if` that is open; NULL */
    unsigned depth;
} text;

static void report(text *t, int code, const char *from, size_t length, const char *first,
                   const char *second)
{
    uint32_t start = (uint32_t)(from - t->source->text);
    fzi_span span = {t->decl->span.source, start, start + (uint32_t)(length ? length : 1)};
    fzi_diag *diag = first ? fzi_error(t->c->diags, span, code, first, second)
                           : fzi_error(t->c->diags, span, code, second);
    if (code != FZ_E_TEXT_NAME)
        return;
    fzi_nearest nearest = {.wanted = second};
    fzi_scope_nearest(t->c->scope, &t->c->locals, 1u << FZI_SYM_OPTION | 1u << FZI_SYM_LET,
                      &nearest);
    fzi_hint_nearest(diag, &nearest);
}

/* {p}: a parameter, a constant, or one of the words for the board and the player. */
static bool is_slot(const text *t, const char *name)
{
    static const char *const words[] = {"site", "sites", "piece", "pieces", "player"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    for (const fzi_node *p = t->decl->params; p; p = p->next)
        if (p->name && strcmp(p->name, name) == 0)
            return true;
    const fzi_symbol *symbol = fzi_game_find(t->c->game, name, -1);
    return symbol && (symbol->kind == FZI_SYM_OPTION || symbol->kind == FZI_SYM_LET);
}

/* Reads what follows an opening brace; returns the place after it. */
static const char *braces(text *t, const char *at, const char *end)
{
    const char *brace = at - 1;
    if (end - at > 3 && memcmp(at, "if ", 3) == 0) {
        fzi_text_fault fault;
        const char *colon = memchr(at, ':', (size_t)(end - at));
        if (!colon) {
            report(t, FZ_E_TEXT_FORM, brace, (size_t)(end - brace), NULL, "{if");
            return end;
        }
        t->open = t->depth++ ? t->open : brace;
        fzi_text_condition(t->c->game, at + 3, (size_t)(colon - at) - 3, &fault);
        if (fault.code)
            report(t, fault.code, fault.from, fault.length, fault.name, fault.text);
        return colon + 1;
    }
    const char *close = memchr(at, '}', (size_t)(end - at));
    const char *name = close ? fzi_intern(t->c->arena, at, (size_t)(close - at)) : NULL;
    if (close == at)
        return close + 1; /* the empty set */
    if (!name || !is_slot(t, name))
        report(t, name ? FZ_E_TEXT_NAME : FZ_E_TEXT_FORM, at,
               (size_t)((close ? close : end) - at), NULL, name ? name : "{");
    return close ? close + 1 : end;
}

static void check_line(text *t, const char *at, const char *end)
{
    bool is_code = false;
    while (at < end) {
        char c = *at++;
        is_code ^= c == '`';
        if (c == '{' && !is_code)
            at = braces(t, at, end);
        else if (c == '}' && !is_code && t->depth)
            t->depth--;
    }
}

static void check_text(void *user, fzi_node *node)
{
    fzi_checker *c = user;
    const fzi_source *source = fzi_source_at(c->game->sources, node->span.source);
    if (!node->doc || !source || fzi_node_deprecated(c->game->sources, c->arena, node))
        return;
    text t = {.c = c, .decl = node, .source = source};
    const char *at = source->text + node->doc - 1, *stop = source->text + source->length;
    while (stop - at >= 3 && memcmp(at, "///", 3) == 0) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        end = end ? end : stop;
        for (at += 3; at < end && *at == ' ';)
            at++;
        if (end - at >= 5 && memcmp(at, "rule:", 5) == 0)
            report(&t, FZ_E_TEXT_RULE, at, 5, NULL, "rule:");
        check_line(&t, at, end);
        for (at = end; at < stop && isspace((unsigned char)*at);)
            at++;
    }
    if (t.depth)
        report(&t, FZ_E_TEXT_FORM, t.open, 3, NULL, "{if");
}

void fzi_check_texts(fzi_checker *c)
{
    for (fzi_node *decl = c->unit->decls; decl; decl = decl->next)
        if (!(decl->flags & FZ_NODE_MODULE)) {
            check_text(c, decl);
            fzi_walk_below(decl, check_text, c);
        }
}
