/* Hints of messages: the author's text, edits that tools can carry out, and what an unknown name
 * might be. */
#include "checker.h"

#include <stdlib.h>

fzi_span fzi_first_word(const fzi_checker *c, fzi_span span)
{
    const fzi_source *source = fzi_source_at(c->game->sources, span.source);
    uint32_t end = span.start;
    while (source && end < span.end && source->text[end] >= 'a' && source->text[end] <= 'z')
        end++;
    if (end > span.start)
        span.end = end;
    return span;
}

const char *fzi_quote(const fzi_checker *c, const fzi_node *node)
{
    enum { MAX_QUOTE = 60 };
    const fzi_source *source = fzi_source_at(c->game->sources, node->span.source);
    uint32_t length = node->span.end - node->span.start;
    if (!source || length > MAX_QUOTE || memchr(source->text + node->span.start, '\n', length))
        return "...";
    return fzi_intern(c->arena, source->text + node->span.start, length);
}

/* ---- edits ---- */

#define ADD_HINT(diag, format)                                                                     \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        fzi_hint_add(diag, "%s", fzi_arena_vprintf((diag)->all->arena, format, args));             \
        va_end(args);                                                                              \
    } while (0)

static fzi_span before_of(fzi_span span)
{
    span.end = span.start;
    return span;
}

fzi_span fzi_after(fzi_span span)
{
    span.start = span.end;
    return span;
}

void fzi_hint_wrap(fzi_diag *diag, const fzi_node *node, const char *before, const char *after,
                   const char *format, ...)
{
    ADD_HINT(diag, format);
    fzi_span first = before_of(node->span), last = fzi_after(node->span);
    if (*before)
        fzi_hint_edit(diag, &first, "%s", before);
    if (*after)
        fzi_hint_edit(diag, &last, "%s", after);
}

void fzi_hint_replace(fzi_diag *diag, const fzi_span *span, const char *text, const char *format,
                      ...)
{
    ADD_HINT(diag, format);
    fzi_hint_edit(diag, span, "%s", text);
}

bool fzi_operator_span(const fzi_sources *sources, const fzi_node *node, fzi_span *span)
{
    const fzi_source *source = fzi_source_at(sources, node->span.source);
    const char *word = fzi_op_text(node->op);
    size_t length = strlen(word);
    if (!source)
        return false;
    for (uint32_t at = node->left->span.end; at + length <= node->right->span.start; at++) {
        if (source->text[at] == '/')
            return false; /* a comment, which may contain the word */
        if (memcmp(source->text + at, word, length) == 0) {
            *span = (fzi_span){node->span.source, at, at + (uint32_t)length};
            return true;
        }
    }
    return false;
}

void fzi_hint_operator(fzi_diag *diag, const fzi_node *node, const char *text, const char *format,
                       ...)
{
    fzi_span span;
    ADD_HINT(diag, format);
    if (fzi_operator_span(diag->all->sources, node, &span))
        fzi_hint_edit(diag, &span, "%s", text);
}

void fzi_hint_declaration(fzi_checker *c, fzi_diag *diag, const char *text)
{
    const fzi_source *source = fzi_source_at(c->game->sources, c->own_source);
    if (!source)
        return;
    uint32_t end = (uint32_t)source->length;
    bool is_line = end && source->text[end - 1] == '\n';
    fzi_hint_edit(diag, &(fzi_span){c->own_source, end, end}, "%s%s\n", is_line ? "" : "\n", text);
}

/* ---- unknown names ---- */

/* Games may declare names that a library does not know. A misspelling is reported all the same. */
bool fzi_may_come_later(const fzi_checker *c, const char *name, const char *nearest)
{
    if (c->unsure)
        return true;
    return c->unit->is_library && (!nearest || (*name >= 'A' && *name <= 'Z'));
}

void fzi_not_in_module(fzi_checker *c, fzi_span span, uint32_t module, const char *name)
{
    fzi_probe_note(c, span, FZI_WANTS_MODULE, NULL);
    if (c->load->probe)
        c->load->probe->module = module;
    fzi_diag *diag = fzi_error(c->diags, span, FZ_E_NOT_IN_MODULE,
                               fzi_unit_module_at(c->unit, module), name);
    fzi_nearest nearest = {.wanted = name};
    for (const fzi_entry *e = c->scope->first; e; e = e->following)
        if (e->home == module)
            fzi_nearest_offer(&nearest, e->key);
    fzi_hint_nearest(diag, &nearest);
}

bool fzi_unknown_path(fzi_checker *c, const fzi_node *node)
{
    const char *name = fzi_plain_name(node->name);
    if (name == node->name)
        return false;
    const char *prefix = fzi_intern(c->arena, node->name, (size_t)(name - 1 - node->name));
    uint32_t module = fzi_unit_module(c->unit, prefix);
    fzi_span span = node->span;
    if (c->unsure || fzi_scope_find(c->scope, node->name, span.source))
        return c->unsure; /* it has another meaning */
    span.end = span.start + (uint32_t)strlen(prefix);
    if (module) {
        fzi_not_in_module(c, node->name_span, module, name);
        return true;
    }
    fzi_diag *diag = fzi_error(c->diags, span, FZ_E_UNKNOWN_MODULE, prefix);
    bool value = fzi_locals_find(&c->locals, prefix) ||
                 fzi_find_global(c, prefix, span.source, FZI_KINDS_VALUE);
    const char *declares = fzi_module_of_name(c->load, c->unit, name, prefix);
    const char *arguments = prefix;
    for (const fzi_node *a = node->arguments; a; a = a->next)
        arguments = fzi_arena_printf(c->arena, "%s, %s", arguments, fzi_quote(c, a));
    if (value && node->kind != N_T_NAME)
        fzi_hint_add(diag, "write '%s(%s)'", name, arguments);
    else if (declares && strcmp(declares, prefix) == 0)
        fzi_hint_add(diag, "write 'use %s;' at the beginning", prefix);
    return true;
}

bool fzi_is_left_out(fzi_checker *c, const char *name, fzi_span span)
{
    for (const fzi_entry *e = fzi_scope_all(c->scope, name); e; e = e->namesake) {
        const char *module = fzi_unit_module_at(c->unit, e->home);
        if (!module || !fzi_leaves_out(c->scope, e, span.source))
            continue;
        fzi_diag *diag = fzi_error(c->diags, span, FZ_E_UNKNOWN_NAME, name);
        fzi_hint_replace(diag, NULL, fzi_arena_printf(c->arena, "%s.%s", module, name),
                         "'use %s only ...' leaves it out: write '%s.%s', or add it there", module,
                         module, name);
        return true;
    }
    return false;
}

bool fzi_lacks_module(fzi_checker *c, const fzi_node *node, fzi_span span,
                      const fzi_nearest *nearest)
{
    if (fzi_is_left_out(c, node->name, span))
        return true;
    if (nearest->best && nearest->distance <= 1 && !c->missing_module)
        return false;
    if (c->unit->is_library || fzi_diags_full(c->diags) ||
        fzi_unit_removed(c->unit, node->name))
        return false;
    const char *module = fzi_module_of_name(c->load, c->unit, node->name, c->missing_module);
    if (!module)
        return false;
    if (c->missing_module && strcmp(c->missing_module, module) == 0) {
        fzi_diag_at_earlier(c->missing_diag, span, node->name);
        return true;
    }
    c->missing_module = module;
    fzi_diag *diag = fzi_error(c->diags, span, FZ_E_UNKNOWN_NAME, node->name);
    c->missing_diag = diag;
    fzi_hint_add(diag, "the module '%s' declares it: write 'use %s;' at the beginning", module,
                 module);
    return true;
}

void fzi_hint_players(const fzi_checker *c, fzi_diag *diag)
{
    const char *names = "";

    for (unsigned i = 0; i < c->game->player_count; i++)
        names = fzi_arena_printf(c->arena, "%s%s%s", names, i ? ", " : "",
                                 c->game->players[i].symbol->name);
    fzi_hint_add(diag, "the players of this game: %s", names);
    /* `player1` is the first one. */
    const char *digits = diag->subject ? strpbrk(diag->subject, "0123456789") : NULL;
    unsigned long number = digits ? strtoul(digits, NULL, 10) : 0;
    if (number && number <= c->game->player_count)
        fzi_hint_edit(diag, NULL, "%s", c->game->players[number - 1].symbol->name);
}

static void note_players(fzi_diag *diag, const fzi_node *players, const char *name)
{
    for (const fzi_node *player = players; player; player = player->next)
        if (player->name == name && player->condition)
            fzi_note_at(diag, player->span, "it does not play under these options");
}

static void note_under_when(fzi_diag *diag, const fzi_node *decls, const char *name)
{
    for (const fzi_node *decl = decls; decl; decl = decl->next) {
        if (decl->kind == N_D_WHEN) {
            note_under_when(diag, decl->then, name);
            note_under_when(diag, decl->otherwise, name);
        } else if (decl->kind == N_D_PLAYERS) {
            note_players(diag, decl->players, name);
        } else if (decl->name == name) {
            fzi_note_at(diag, decl->name_span, "it is declared here for other options");
        }
    }
}

void fzi_note_elsewhere(fzi_checker *c, fzi_diag *diag, const char *name)
{
    if (fzi_diags_full(c->diags))
        return;
    for (const fzi_node *decl = c->unit->file->decls; decl; decl = decl->next) {
        if (decl->kind == N_D_PLAYERS)
            note_players(diag, decl->players, name);
        if (decl->kind != N_D_WHEN)
            continue;
        note_under_when(diag, decl->then, name);
        note_under_when(diag, decl->otherwise, name);
    }
}

/* A name that is nearly right is a misspelling. Other words may belong to another language. */
void fzi_hint_name(fzi_diag *diag, const fzi_nearest *nearest)
{
    bool slip = nearest->best && nearest->distance <= 1 && strlen(nearest->wanted) > 4;
    if (slip || !fzi_hint_foreign(diag, FZI_FOREIGN_NAME, nearest->wanted))
        fzi_hint_nearest(diag, nearest);
}

void fzi_hint_hidden(fzi_checker *c, fzi_diag *diag, const fzi_node *node)
{
    if (node->kind != N_E_NAME || !node->symbol || node->symbol->kind != FZI_SYM_LOCAL)
        return;
    const fzi_symbol *hidden =
        fzi_find_global(c, node->name, node->span.source, 1u << FZI_SYM_DIR | 1u << FZI_SYM_SITE);
    if (hidden)
        fzi_hint_add(diag, "'%s' is %s here, which hides %s '%s' of the board", node->name,
                     fzi_symbol_sort(node->symbol),
                     hidden->kind == FZI_SYM_DIR ? "the direction" : "the site", node->name);
}

void fzi_hint_stacks(fzi_diag *diag)
{
    fzi_hint_add(diag, "'stacks up to 8;' declares that 8 pieces can stand on a site");
}
