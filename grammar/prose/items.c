/* Says declarations as items of a list: texts, tables, options, what a variant has replaced. Called
 * by rulebook.c for what a section uses. */
#include "prose.h"

#include <string.h>

const char *fzi_said(fzi_prose *p, const fzi_comment *comment)
{
    return fzi_fill_text(p, comment->prose);
}

/* Does the text define something, so that the name must stand before it? */
static bool is_definition(const fzi_node *decl, const char *prose)
{
    static const char *const words[] = {"Where ", "What ", "How ",   "Whose ",
                                        "Which ", "True ", "Turns ", "On how "};
    bool names_value = decl->kind == N_D_LET || decl->kind == N_D_VAR || decl->kind == N_D_FN ||
                       decl->kind == N_D_ENUM || decl->kind == N_D_DIE ||
                       decl->kind == N_D_PROPERTY;
    if (!names_value || strchr(decl->name, ' ')) /* a declaration that a variant replaces */
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(prose, words[i], strlen(words[i])) == 0)
            return true;
    return fzi_is_noun(prose);
}

const char *fzi_strong(fzi_prose *p, const char *name)
{
    return fzi_say(p, FZI_STRONG "%s" FZI_STRONG,
                   fzi_english_capital(p, fzi_english_name(p, name)));
}

/* Does the text name the declaration's parameters? Then it is for readers of the script. */
static bool names_parameters(fzi_prose *p, const fzi_node *decl, const char *text)
{
    bool has_parameters = decl->kind == N_D_LET || decl->kind == N_D_FN || decl->kind == N_D_PROC ||
                          decl->kind == N_D_MOVES;
    const char *comment = fzi_node_doc(p->analysis->sources, p->arena, decl);
    for (const fzi_node *a = has_parameters ? decl->params : NULL; a; a = a->next) {
        bool is_letter = a->name && strlen(a->name) == 1 && *a->name != 'a';
        if (is_letter && strcmp(fzi_english_replace(p, text, a->name, ""), text) != 0)
            return true;
        if (a->name && comment && strstr(comment, fzi_say(p, "`%s`", a->name)))
            return true;
    }
    return false;
}

/* Does the declaration that replaces it in a variant have a text of its own? */
static bool is_replaced(const fzi_prose *p, const fzi_node *decl)
{
    const char *end = decl->name ? strchr(decl->name, ' ') : NULL;
    if (!end)
        return false;
    const char *name = fzi_intern(p->arena, decl->name, (size_t)(end - decl->name));
    const fzi_symbol *now = fzi_game_find(p->game, name, -1);
    if (!now || !now->node)
        return false;
    fzi_comment c = fzi_comment_of(p, now->node);
    return c.phrase || *c.prose;
}

/* Writes one item about a declaration whose text is for players. */
static void write_declaration(fzi_prose *p, const fzi_node *decl, unsigned depth)
{
    if (decl->kind == N_D_VAR && !decl->doc && !(decl->flags & FZ_NODE_SECRET))
        return; /* a sentence that names it has it described (write_variable) */
    if (!fzi_decls_add(p, &p->described, decl))
        return;
    fzi_comment c = fzi_comment_of(p, decl);
    const char *text = fzi_said(p, &c);
    if (!*text || decl->flags & FZ_NODE_SECRET || is_replaced(p, decl) ||
        text[strlen(text) - 1] == '?' || names_parameters(p, decl, text))
        return;
    if (fzi_page_says(p->page, text) || fzi_page_says(p->page, fzi_english_clause(p, text)))
        return;
    if (is_definition(decl, text))
        text = fzi_say(p, "%s: %s", fzi_strong(p, decl->name),
                       fzi_english_sentence(p, fzi_english_clause(p, text)));
    fzi_page_item(p->page, depth, fzi_english_sentence(p, text));
}

typedef struct changes {
    fzi_prose *prose;
    const fzi_node *decl;
    fzi_texts texts;
} changes;

static void add_change(void *user, fzi_node *node)
{
    changes *c = user;
    if (node->kind != N_S_ASSIGN || !node->symbol || node->symbol->node != c->decl ||
        fzi_decls_has(&c->prose->described, node))
        return;
    const char *code = fzi_say_code(c->prose, node);
    for (unsigned i = 0; i < c->texts.count; i++)
        if (strcmp(c->texts.items[i], code) == 0)
            return;
    fzi_texts_add(&c->texts, code);
}

/* A variable without a text, in a sentence: the code says what it is, where no sentence says how it
 * changes. */
static void write_variable(fzi_prose *p, const fzi_node *decl)
{
    changes c = {.prose = p, .decl = decl};
    if (!fzi_page_says(p->page, fzi_english_name(p, decl->name)))
        return; /* the sentence that named it was not written */
    if (!fzi_decls_add(p, &p->described, decl))
        return;
    for (fzi_node *d = p->game->unit->decls; d; d = d->next)
        fzi_walk_below(d, add_change, &c);
    if (c.texts.count)
        fzi_page_item(p->page, 0,
                      fzi_say(p, "%s changes with %s.", fzi_strong(p, decl->name),
                              fzi_english_list(p, &c.texts, "and")));
}

/* Binds the parameters of a declaration that is described by itself. */
static void mean_parameters(fzi_prose *p, const fzi_node *decl)
{
    const fzi_symbol *symbol =
        fzi_game_find(p->game, decl->name, (int)fzi_list_length(decl->params));
    for (unsigned i = 0; symbol && i < symbol->param_count; i++)
        fzi_mean_parameter(p, symbol->params[i]);
}

/* Moves and actions without a text, which sentences have only named. */
static void write_body(fzi_prose *p, const fzi_node *decl)
{
    if (!fzi_decls_add(p, &p->described, decl))
        return;
    fzi_meaning *before = p->meanings;
    const fzi_saying saying = {.decl = decl, .outer = p->saying};
    const char *name = fzi_strong(p, decl->name);
    mean_parameters(p, decl);
    p->saying = &saying;
    if (decl->kind == N_D_MOVES) {
        const char *filters = fzi_say_filters(p, decl->filters);
        fzi_page_item(p->page, 0,
                      fzi_say(p, "%s: one of these%s%s:", name, *filters ? ", made" : "", filters));
        fzi_write_options(p, decl->options, 1);
    } else {
        const char *text = fzi_say_readable(p, fzi_say_statement(p, decl->body), decl->body);
        fzi_page_item(p->page, 0, fzi_english_sentence(p, fzi_say(p, "%s: %s", name, text)));
    }
    p->saying = saying.outer;
    p->meanings = before;
}

/* Writes the declarations that generated sentences only named: tables and long functions. */
static void write_value(fzi_prose *p, const fzi_node *decl)
{
    fzi_comment c = fzi_comment_of(p, decl);
    if (decl->kind == N_D_VAR && !decl->doc && !(decl->flags & FZ_NODE_SECRET)) {
        write_variable(p, decl);
        return;
    }
    if (!*c.prose && decl->name && (decl->kind == N_D_MOVES || decl->kind == N_D_PROC)) {
        write_body(p, decl);
        return;
    }
    if (*c.prose || !decl->value || decl->kind == N_D_VAR) {
        write_declaration(p, decl, 0);
        return;
    }
    if (!fzi_decls_add(p, &p->described, decl))
        return;
    bool is_table = decl->value->kind == N_E_KEYS;
    if (decl->value->kind == N_E_LIST || decl->value->height > 8)
        return;
    const char *text = "";
    for (const fzi_node *k = is_table ? decl->value->entries : NULL; k; k = k->next)
        if (k->value->kind != N_E_LIST && k->value->kind != N_E_KEYS)
            text = fzi_say(p, "%s%s%s: %s", text, *text ? "; " : "", fzi_say_value(p, k->key),
                           fzi_say_value(p, k->value));
    if (*text)
        fzi_page_item(p->page, 0, fzi_say(p, "%s: %s.", fzi_strong(p, decl->name), text));
}

void fzi_write_pending(fzi_prose *p)
{
    for (size_t i = 0; i < p->pending.count; i++)
        write_value(p, p->pending.items[i]);
}

/* ---- options ---- */

const char *fzi_option_value(fzi_prose *p, const fzi_option *option, int64_t value)
{
    if (option->kind == FZ_OPTION_SWITCH)
        return value ? "true" : "false";
    if (option->kind == FZ_OPTION_NUMBER)
        return fzi_say(p, "%lld", (long long)value);
    const fzi_node *v = option->node->values;
    for (; v && value > 0; value--)
        v = v->next;
    return v ? fzi_say(p, "`%s`", v->name) : "";
}

/* The description of the chosen value, or its name. */
static const char *meaning_of(fzi_prose *p, const fzi_option *option)
{
    const fzi_node *v = option->node->values;
    for (int64_t i = 0; v && i < option->chosen; i++)
        v = v->next;
    return v && v->text ? v->text : v ? fzi_english_name(p, v->name) : "";
}

/* Explains a chosen value where the texts and sentences of its rules do not. */
static void write_choice(fzi_prose *p, const fzi_node *decl, unsigned depth)
{
    const fzi_unit *unit = p->game->unit;
    if (!fzi_decls_add(p, p->told, decl))
        return;
    for (size_t i = 0; i < unit->option_count; i++) {
        const fzi_option *o = &unit->options[i];
        const char *help = decl->text ? decl->text : "", *name = fzi_strong(p, o->name);
        if (strcmp(o->name, decl->name) != 0 ||
            (o->kind == FZ_OPTION_SWITCH && !o->chosen && !o->initial))
            continue;
        if (o->kind == FZ_OPTION_NUMBER)
            help = fzi_say(p, *help ? "%s: %lld (%s)" : "%s: %lld%s", name, (long long)o->chosen,
                           help);
        else if (o->kind == FZ_OPTION_SWITCH && *help)
            help = o->chosen ? help : fzi_say(p, "not in this game: %s", help);
        else
            help = fzi_say(p, "%s: %s", name, meaning_of(p, o));
        fzi_page_item(p->page, depth, fzi_english_sentence(p, help));
        return;
    }
}

/* ---- the declarations that a rule uses ---- */

typedef struct uses {
    const fzi_prose *prose;
    fzi_decls decls;
} uses;

static bool has_text(const fzi_node *decl)
{
    switch (decl->kind) {
    case N_D_LET:
    case N_D_VAR:
    case N_D_FN:
    case N_D_MOVES:
    case N_D_PROC:
    case N_D_ENUM:
    case N_D_DIE:
    case N_D_OPTION:
    case N_D_PROPERTY: return true;
    default: return false;
    }
}

static void use(void *user, fzi_node *node)
{
    uses *u = user;
    const fzi_node *decl = node->symbol ? node->symbol->node : NULL;
    if (decl && decl != node && has_text(decl))
        fzi_decls_add(u->prose, &u->decls, decl);
}

/* Describes a procedure of the library, unless the page does so where it is called. */
static void write_action(fzi_prose *p, const fzi_node *decl, unsigned depth)
{
    const char *phrase = decl->kind == N_D_PROC ? fzi_comment_of(p, decl).phrase : NULL;
    const char *text = phrase ? fzi_fill_text(p, phrase) : "{";
    bool is_long = strlen(text) > 20; /* "Play a card." says nothing */
    if (!strchr(text, '{') && is_long && !fzi_page_says(p->page, text) &&
        fzi_decls_add(p, &p->described, decl))
        fzi_page_item(p->page, depth, fzi_english_sentence(p, text));
}

/* The declaration with a text that this one replaces without a text of its own; NULL. */
static const fzi_node *replaced(const fzi_prose *p, const fzi_node *decl)
{
    const fzi_change *c = decl->doc ? NULL : p->game->unit->changes;
    while (c && c->now != decl)
        c = c->next;
    if (!c || !c->old->doc || (fzi_is_library(c->old) && !fzi_comment_of(p, c->old).phrase))
        return NULL;
    return c->old;
}

/* Says a rule whose text a variant has replaced without a new one, in the words of its code. */
static void write_replacement(fzi_prose *p, const fzi_node *decl, unsigned depth)
{
    bool is_value = decl->kind == N_D_LET || decl->kind == N_D_FN;
    int64_t value;
    if (!fzi_decls_add(p, &p->described, decl) ||
        (decl->value && fzi_prose_constant(p, decl->value, &value)))
        return;
    fzi_meaning *before = p->meanings;
    mean_parameters(p, decl);
    const char *text = decl->body           ? fzi_say_statement(p, decl->body)
                       : !is_value          ? ""
                       : !decl->value->type ? fzi_say_code(p, decl->value)
                       : decl->value->type->kind == FZI_TYPE_BOOL
                           ? fzi_say_condition(p, decl->value)
                           : fzi_say_value(p, decl->value);
    if (strlen(text) > FZI_PROSE_LONGEST)
        text = fzi_say_code(p, decl->value ? decl->value : decl->body);
    p->meanings = before;
    if (*text && !fzi_page_says(p->page, text))
        fzi_page_item(
            p->page, depth,
            fzi_english_sentence(p, fzi_say(p, "%s: %s", fzi_strong(p, decl->name), text)));
}

void fzi_note_used(fzi_prose *p, const fzi_node *rule, const fzi_decls *before)
{
    uses u = {.prose = p};
    fzi_walk_below(rule, use, &u);
    for (size_t i = 0; i < u.decls.count; i++) {
        fzi_walk_below(u.decls.items[i], use, &u);
        fzi_decls_add(p, fzi_decls_has(before, u.decls.items[i]) ? &p->shared : &p->used,
                      u.decls.items[i]);
    }
}

void fzi_write_used(fzi_prose *p, const fzi_node *rule, unsigned depth)
{
    uses u = {.prose = p};
    fzi_walk_below(rule, use, &u);
    const size_t direct = u.decls.count;
    for (size_t i = 0; i < u.decls.count; i++) {
        const fzi_node *decl = u.decls.items[i];
        fzi_walk_below(decl, use, &u);
        if (depth && fzi_decls_has(&p->shared, decl))
            continue;
        if (decl->kind == N_D_OPTION)
            write_choice(p, decl, depth);
        else if (replaced(p, decl))
            write_replacement(p, decl, depth);
        else if (!fzi_is_library(decl))
            write_declaration(p, decl, depth);
        else if (i < direct)
            write_action(p, decl, depth);
    }
}
