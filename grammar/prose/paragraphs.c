/* Writes statements as paragraphs, and choices as lists. */
#include "prose.h"

#include <string.h>

/* Bodies are said in place of calls until so many of their statements are on the page; since a
 * procedure may call another twice, and so on, they could be endless. */
enum { MOST_INLINED = 2000 };

static void end_paragraph(fzi_prose *p, const char **text)
{
    fzi_page_text(p->page, *text);
    *text = "";
}

static const char *otherwise_sentence(fzi_prose *p, const fzi_node *stmt)
{
    const char *text = fzi_say_statement(p, stmt);
    return fzi_english_is_sentence(text) || !*text ? text
                                                   : fzi_say(p, "If none is possible, %s", text);
}

/* A group of moves under one condition is a list of its own. */
static void write_group(fzi_prose *p, const fzi_node *option, unsigned depth)
{
    const char *me = p->me, *conditions = fzi_say_quantifiers(p, option->quants);
    if (conditions) {
        fzi_page_item(p->page, depth,
                      fzi_english_capital(p, *conditions ? fzi_say(p, "%s:", conditions + 1)
                                                         : "One of these:"));
        fzi_write_options(p, option->effect->options, depth + 1);
    }
    p->me = me;
}

void fzi_write_options(fzi_prose *p, const fzi_node *options, unsigned depth)
{
    for (const fzi_node *o = options; o; o = o->next) {
        fzi_meaning *before = p->meanings;
        bool is_group = o->effect->kind == N_GROUP && !o->then_effect && o->effect->options->next;
        const char *text = "";
        p->in_item = true;
        if (is_group)
            write_group(p, o, depth);
        else
            text = fzi_say_option(p, o);
        p->in_item = false;
        p->meanings = before;
        if (*text)
            fzi_page_item(p->page, depth,
                          fzi_english_sentence(p, fzi_say_readable(p, text, o)));
    }
}

static void write_filters(fzi_prose *p, const fzi_node *filters)
{
    const char *text = fzi_say_filters(p, filters);
    if (*text)
        fzi_page_text(p->page, fzi_say(p, "The move must be made%s.", text));
}

/* What a choice of one option without conditions offers: a group, or a generator that has no words
 * of its own. NULL: the choice is no such one. */
static const fzi_node *single_offer(const fzi_prose *p, const fzi_node *stmt)
{
    const fzi_node *o = stmt->options;
    if (!o || o->next || o->quants || o->label || o->then_effect)
        return NULL;
    if (o->effect->kind == N_GROUP)
        return o->effect;
    const fzi_symbol *symbol = o->effect->kind == N_GENERATOR ? o->effect->symbol : NULL;
    const fzi_node *decl = symbol && symbol->kind == FZI_SYM_MOVES ? symbol->node : NULL;
    if (!decl || fzi_is_being_said(p, decl))
        return NULL;
    fzi_comment c = fzi_comment_of(p, decl);
    return c.phrase || (*c.prose && !fzi_is_library(decl)) ? NULL : o->effect;
}

static const fzi_node *offered(const fzi_node *offer)
{
    return offer->kind == N_GROUP ? offer->options : offer->symbol->node->options;
}

/* Is the statement a choice of several moves, which is a list? */
static bool is_list(const fzi_prose *p, const fzi_node *stmt)
{
    if (stmt->kind == N_S_BLOCK && stmt->stmts && !stmt->stmts->next)
        stmt = stmt->stmts;
    if (stmt->kind != N_S_CHOOSE || !stmt->options)
        return false;
    const fzi_node *offer = single_offer(p, stmt);
    return stmt->options->next || (offer && offered(offer)->next) ||
           (stmt->otherwise && is_list(p, stmt->otherwise));
}

static void write_choice(fzi_prose *p, const fzi_node *stmt)
{
    const char *who =
        stmt->player && !fzi_is_me(stmt->player) ? fzi_say_value(p, stmt->player) : p->me;
    const fzi_node *offer = single_offer(p, stmt);
    bool is_single = !stmt->options->next && !(offer && offered(offer)->next);
    if (is_single) { /* what follows where it is impossible is a list */
        fzi_node alone = *stmt;
        alone.otherwise = NULL;
        fzi_page_text(p->page, fzi_english_sentence(p, fzi_say_statement(p, &alone)));
        fzi_page_text(p->page, "If that is impossible:");
        fzi_write_statements(p, stmt->otherwise);
        return;
    }
    fzi_page_text(p->page, fzi_english_capital(p, fzi_say(p, "%s chooses one of these:", who)));
    if (offer && offer->kind == N_GENERATOR) {
        const fzi_saying saying = fzi_open_body(p, offer);
        p->saying = &saying;
        fzi_write_options(p, offered(offer), 0);
        write_filters(p, offer->symbol->node->filters);
        fzi_close_body(p, &saying);
    } else {
        fzi_write_options(p, offer ? offered(offer) : stmt->options, 0);
    }
    write_filters(p, stmt->filters);
    if (stmt->otherwise && is_list(p, stmt->otherwise)) {
        fzi_page_text(p->page, "If none is possible:");
        fzi_write_statements(p, stmt->otherwise);
    } else if (stmt->otherwise && !fzi_is_no_statement(stmt->otherwise))
        fzi_page_text(p->page, fzi_english_sentence(p, otherwise_sentence(p, stmt->otherwise)));
}

/* Does a choice of several moves stand under the condition? */
static bool decides_lists(fzi_prose *p, const fzi_node *stmt)
{
    int64_t value;
    return stmt->kind == N_S_IF && !fzi_prose_constant(p, stmt->condition, &value) &&
           (is_list(p, stmt->then) || (stmt->otherwise && is_list(p, stmt->otherwise)));
}

static void write_branches(fzi_prose *p, const fzi_node *stmt)
{
    const char *condition = fzi_say_condition(p, stmt->condition);
    fzi_page_text(p->page, fzi_english_capital(p, fzi_say(p, "if %s:", condition)));
    fzi_write_statements(p, stmt->then);
    if (stmt->otherwise) {
        fzi_page_text(p->page, "Otherwise:");
        fzi_write_statements(p, stmt->otherwise);
    }
    if (stmt->next)
        fzi_page_text(p->page, "In each case:");
}

/* The declaration that `base;` stands for; NULL: the statement is another. */
static const fzi_node *base_of(const fzi_node *stmt)
{
    const fzi_node *decl = stmt->kind == N_S_CALL && stmt->symbol ? stmt->symbol->node : NULL;
    return decl && decl->name && strchr(decl->name, ' ') ? decl : NULL;
}

/* The body of the extended declaration, or of another procedure without words of its own: it is
 * said as if it stood here. NULL: the statement is no such call. */
static const fzi_node *told_body(const fzi_prose *p, const fzi_node *stmt)
{
    const fzi_node *decl =
        stmt->kind == N_S_CALL && stmt->symbol && stmt->symbol->kind == FZI_SYM_PROC
            ? stmt->symbol->node
            : NULL;
    if (!decl || p->inlined > MOST_INLINED || fzi_is_being_said(p, decl))
        return NULL;
    fzi_comment c = fzi_comment_of(p, decl);
    return c.phrase || (*c.prose && !(*c.cited && base_of(stmt))) ? NULL : decl->body;
}

/* The author's text of the declaration that `base;` calls; NULL: there is none. */
static const char *base_text(fzi_prose *p, const fzi_node *stmt)
{
    const fzi_node *decl = base_of(stmt);
    if (!decl)
        return NULL;
    fzi_comment c = fzi_comment_of(p, decl);
    if (!c.phrase && (!*c.prose || *c.cited))
        return NULL;
    fzi_decls_add(p, &p->described, decl);
    return fzi_fill_text(p, c.phrase ? c.phrase : c.prose);
}

void fzi_write_statements(fzi_prose *p, const fzi_node *body)
{
    const char *text = "";
    fzi_meaning *before = p->meanings;
    const fzi_node *stmts = body->kind == N_S_BLOCK ? body->stmts : body;
    for (const fzi_node *s = stmts; s; s = body->kind == N_S_BLOCK ? s->next : NULL) {
        p->inlined += p->saying != NULL;
        if (s->kind == N_S_CHOOSE && is_list(p, s)) {
            end_paragraph(p, &text);
            write_choice(p, s);
            continue;
        }
        if (decides_lists(p, s)) {
            end_paragraph(p, &text);
            write_branches(p, s);
            continue;
        }
        const fzi_node *inner = told_body(p, s);
        const char *author = base_text(p, s);
        if (author) {
            end_paragraph(p, &text);
            fzi_write_base(p, base_of(s), true);
            if (!fzi_page_says(p->page, author))
                text = fzi_english_sentence(p, author);
            end_paragraph(p, &text);
            fzi_write_base(p, base_of(s), false);
            continue;
        }
        if (inner) {
            const fzi_saying saying = {.decl = s->symbol->node, .outer = p->saying};
            end_paragraph(p, &text);
            fzi_mean_arguments(p, s->symbol, s->arguments);
            p->saying = &saying;
            fzi_write_statements(p, inner);
            p->saying = saying.outer;
            continue;
        }
        const char *said = fzi_say_readable(p, fzi_say_statement(p, s), s);
        text = fzi_english_both(p, text, fzi_english_sentence(p, said));
    }
    end_paragraph(p, &text);
    p->meanings = before;
}

void fzi_write_base(fzi_prose *p, const fzi_node *decl, bool is_first)
{
    const fzi_node *first = decl->body->kind == N_S_BLOCK ? decl->body->stmts : NULL;
    for (const fzi_node *s = first; s && p->inlined <= MOST_INLINED; s = s->next)
        if (base_of(s) && (s == first) == is_first) {
            p->inlined++;
            fzi_node alone = *s;
            alone.next = NULL;
            fzi_write_statements(p, &alone);
        }
}
