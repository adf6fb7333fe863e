/* Declarations by their names: templates, arguments, what locals stand for. */
#include "prose.h"

#include <string.h>

/* ---- locals ---- */

static fzi_meaning *mean(fzi_prose *p, const fzi_symbol *symbol)
{
    fzi_meaning *m = FZI_NEW(p->arena, fzi_meaning);
    m->symbol = symbol;
    m->outer = p->meanings;
    p->meanings = m;
    return m;
}

void fzi_mean(fzi_prose *p, const fzi_symbol *symbol, const char *first, const char *later)
{
    fzi_meaning *m = mean(p, symbol);
    m->first = first;
    m->later = later;
}

void fzi_mean_value(fzi_prose *p, const fzi_symbol *symbol, const fzi_node *value,
                    fzi_meaning *scope)
{
    fzi_meaning *m = mean(p, symbol);
    m->value = value;
    m->scope = scope;
}

void fzi_mean_arguments(fzi_prose *p, const fzi_symbol *symbol, const fzi_node *argument)
{
    fzi_meaning *scope = p->meanings;
    for (unsigned i = 0; i < symbol->param_count && argument; i++, argument = argument->next)
        fzi_mean_value(p, symbol->params[i], argument, scope);
}

const fzi_meaning *fzi_meaning_of(const fzi_prose *p, const fzi_symbol *symbol)
{
    const fzi_meaning *m = p->meanings;
    while (m && m->symbol != symbol)
        m = m->outer;
    return m;
}

const fzi_node *fzi_resolved(const fzi_prose *p, const fzi_node *node, fzi_meaning **scope)
{
    *scope = p->meanings;
    while (node->kind == N_E_NAME && node->symbol && node->symbol->kind == FZI_SYM_LOCAL) {
        const fzi_meaning *m = *scope;
        while (m && m->symbol != node->symbol)
            m = m->outer;
        if (!m || !m->value)
            break;
        node = m->value;
        *scope = m->scope; /* always an older one, so this ends */
    }
    return node;
}

const fzi_node *fzi_open_local(fzi_prose *p, const fzi_symbol *symbol, fzi_meaning **before)
{
    const fzi_meaning *m = fzi_meaning_of(p, symbol);
    if (!m || !m->value || p->depth >= 2 * FZI_PROSE_DEPTH || p->left == 0)
        return NULL;
    *before = p->meanings;
    p->meanings = m->scope;
    p->depth++;
    p->left--;
    return m->value;
}

/* Is the phrase used for another local already? */
static bool is_taken(const fzi_prose *p, const char *later)
{
    for (const fzi_meaning *m = p->meanings; m; m = m->outer)
        if (m->later && strcmp(m->later, later) == 0)
            return true;
    return false;
}

static const char *noun_of_member(fzi_prose *p, const fzi_node *binder)
{
    const fzi_type *type = binder->type;
    if (type && type->kind == FZI_TYPE_SITE)
        return fzi_say_set(p, binder->set).noun;
    if (type && type->kind == FZI_TYPE_INT)
        return "number";
    if (type && type->kind == FZI_TYPE_KIND)
        return "kind";
    if (type && type->kind == FZI_TYPE_DIR)
        return "direction";
    return type && type->kind == FZI_TYPE_NAMED  ? fzi_english_name(p->arena, type->symbol->name)
           : type && type->kind == FZI_TYPE_TEAM ? "team"
                                                 : "player";
}

/* "a queen, rook or knight". */
static const char *one_kind(fzi_prose *p, const fzi_node *set)
{
    enum { MOST = 32 };
    const char *items[MOST];
    unsigned count = 0;
    fzi_meaning *before = p->meanings;
    const fzi_node *value = set->kind == N_E_SET ? NULL : fzi_open_value(p, set, &before);
    if (value)
        fzi_close_value(p, before);
    const fzi_node *members = set->kind == N_E_SET              ? set->members
                              : value && value->kind == N_E_SET ? value->members
                                                                : NULL;
    for (const fzi_node *m = members; m && count < MOST; m = m->next)
        items[count++] = fzi_say_value(p, m);
    return count ? fzi_english_one(p->arena, fzi_english_list(p->arena, items, count, "or"))
                 : fzi_arena_printf(p->arena, "a piece of %s", fzi_say_value(p, set));
}

static const char *introduced(fzi_prose *p, const fzi_node *binder, const char *determiner)
{
    if (binder->type && binder->type->kind == FZI_TYPE_SITE) {
        fzi_phrase set = fzi_say_set(p, binder->set);
        if (!determiner || (set.whole && set.is_single))
            return fzi_say_one(p, set);
        return fzi_arena_printf(p->arena, "%s %s%s%s%s", determiner, set.adjective,
                                *set.adjective ? " " : "", set.noun, set.place);
    }
    const char *noun = noun_of_member(p, binder);
    if (binder->type && binder->type->kind == FZI_TYPE_KIND && !determiner)
        return one_kind(p, binder->set);
    const fzi_symbol *set = fzi_use_symbol(binder->set);
    bool all = set && (FZI_SYM_TYPE == set->kind || FZI_SYM_ENUM == set->kind);
    const char *one = determiner ? fzi_arena_printf(p->arena, "%s %s", determiner, noun)
                                 : fzi_english_one(p->arena, noun);
    return all ? one : fzi_arena_printf(p->arena, "%s of %s", one, fzi_say_value(p, binder->set));
}

void fzi_mean_each(fzi_prose *p, const fzi_node *binder, const char *determiner)
{
    const char *first = introduced(p, binder, determiner);
    const char *noun = noun_of_member(p, binder);
    const char *later = fzi_arena_printf(p->arena, "%s %s", determiner ? "that" : "the", noun);
    if (is_taken(p, later))
        later = fzi_arena_printf(p->arena, "the other %s", noun);
    if (is_taken(p, later))
        later = fzi_arena_printf(p->arena, "the %s %s%s%s", noun, FZI_SLANTED, binder->name,
                                 FZI_SLANTED);
    fzi_mean(p, binder->symbol, first, later);
}

void fzi_mean_member(fzi_prose *p, const fzi_node *binder)
{
    fzi_mean_each(p, binder, NULL);
}

const char *fzi_say_local(fzi_prose *p, const fzi_symbol *symbol)
{
    fzi_meaning *m = (fzi_meaning *)fzi_meaning_of(p, symbol);
    fzi_meaning *before;
    const fzi_node *value = fzi_open_local(p, symbol, &before);
    const char *text;
    if (value) {
        text = fzi_say_value(p, value);
        fzi_close_value(p, before);
        if (strlen(text) <= FZI_PROSE_LONGEST)
            return text;
    }
    if (!m || m->value)
        return fzi_arena_printf(p->arena, "the %s", fzi_english_name(p->arena, symbol->name));
    text = m->first ? m->first : m->later;
    m->first = NULL;
    return text;
}

/* ---- uses ---- */

const fzi_symbol *fzi_use_symbol(const fzi_node *use)
{
    if (use->kind == N_E_INDEX)
        return use->primary->symbol;
    return use->symbol;
}

const fzi_node *fzi_use_arguments(const fzi_node *use)
{
    switch (use->kind) {
    case N_E_INDEX:
    case N_S_ASSIGN: return use->indexes;
    case N_E_CALL:
    case N_S_CALL:
    case N_GENERATOR: return use->arguments;
    default: return NULL;
    }
}

bool fzi_is_library(const fzi_node *decl)
{
    return decl->flags & FZ_NODE_MODULE;
}

bool fzi_is_told(const fzi_prose *p, const fzi_node *decl)
{
    for (size_t i = 0; i < p->told_count; i++)
        if (p->told[i] == decl)
            return true;
    return false;
}

void fzi_tell(fzi_prose *p, const fzi_node *decl)
{
    if (fzi_is_told(p, decl))
        return;
    p->told = fzi_arena_grow(p->arena, p->told, p->told_count, &p->told_capacity, sizeof *p->told);
    p->told[p->told_count++] = decl;
}

void fzi_owe(fzi_prose *p, const fzi_node *decl)
{
    for (size_t i = 0; i < p->owed_count; i++)
        if (p->owed[i] == decl)
            return;
    p->owed = fzi_arena_grow(p->arena, p->owed, p->owed_count, &p->owed_capacity, sizeof *p->owed);
    p->owed[p->owed_count++] = decl;
}

/* ---- templates ---- */

static const fzi_node *argument_named(const fzi_symbol *symbol, const fzi_node *argument,
                                      const char *name, size_t length)
{
    for (unsigned i = 0; symbol && i < symbol->param_count && argument;
         i++, argument = argument->next)
        if (strlen(symbol->params[i]->name) == length &&
            strncmp(symbol->params[i]->name, name, length) == 0)
            return argument;
    return NULL;
}

static const char *said_argument(fzi_prose *p, const fzi_node *argument)
{
    if (argument->type && fzi_means_sites(argument->type))
        return fzi_say_all(p, fzi_say_set(p, argument));
    if (argument->type && argument->type->kind == FZI_TYPE_SET &&
        argument->type->element->kind == FZI_TYPE_DIR)
        return fzi_say_ways(p, argument);
    return fzi_say_value(p, argument);
}

/* A `let` of the game or of the library, or an option. */
static const fzi_symbol *global(const fzi_prose *p, const char *name, size_t length)
{
    const char *interned = fzi_intern(p->arena, name, length);
    const fzi_symbol *symbol = fzi_game_find(p->game, interned, -1);
    bool is_value = symbol && (symbol->kind == FZI_SYM_LET || symbol->kind == FZI_SYM_OPTION);
    return is_value && !symbol->param_count ? symbol : NULL;
}

static bool is_global(const fzi_prose *p, const char *name, size_t length)
{
    return global(p, name, length) != NULL;
}

/* One of a set, or the value. */
static const char *said_global(fzi_prose *p, const char *name, size_t length)
{
    const fzi_symbol *symbol = global(p, name, length);
    fzi_node *use = FZI_NEW(p->arena, fzi_node);
    use->kind = N_E_NAME;
    use->name = symbol->name;
    use->symbol = (fzi_symbol *)symbol;
    use->type = symbol->type;
    return fzi_means_sites(symbol->type) ? fzi_say_one(p, fzi_say_set(p, use))
                                         : fzi_say_value(p, use);
}

/* {s} is the argument of that parameter, {royals} what the `let` of that name stands for; {site}
 * and {sites} are the game's words, {player} is `me`. Holes that name nothing stay. */
static const char *filled(fzi_prose *p, const char *text, const fzi_symbol *symbol,
                          const fzi_node *arguments)
{
    const char *made = "";
    for (;;) {
        const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
        if (!close)
            return fzi_arena_printf(p->arena, "%s%s", made, text);
        size_t length = (size_t)(close - open) - 1;
        const fzi_node *argument = argument_named(symbol, arguments, open + 1, length);
        const char *shown = argument ? said_argument(p, argument)
                            : length == 4 && memcmp(open + 1, "site", 4) == 0 ? p->site
                            : length == 5 && memcmp(open + 1, "sites", 5) == 0
                                ? fzi_english_plural(p->arena, p->site)
                            : is_global(p, open + 1, length) ? said_global(p, open + 1, length)
                            : length == 6 && memcmp(open + 1, "player", 6) == 0
                                ? p->me
                                : fzi_arena_printf(p->arena, "%.*s", (int)length + 2, open);
        made = fzi_arena_printf(p->arena, "%s%.*s%s", made, (int)(open - text), text, shown);
        text = close + 1;
    }
}

const char *fzi_fill(fzi_prose *p, const fzi_node *use, const char *text)
{
    return filled(p, text, fzi_use_symbol(use), fzi_use_arguments(use));
}

const char *fzi_fill_text(fzi_prose *p, const char *text)
{
    return filled(p, text, NULL, NULL);
}

const char *fzi_template_of(const fzi_prose *p, const fzi_node *use)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    if (!symbol || !symbol->node || symbol->kind == FZI_SYM_LOCAL)
        return NULL;
    return fzi_comment_of(p->analysis, symbol->node).rule;
}

const char *fzi_say_template(fzi_prose *p, const fzi_node *use)
{
    const char *rule = fzi_template_of(p, use);
    p->met_bookkeeping = p->met_bookkeeping || (rule && !*rule);
    return rule ? fzi_fill(p, use, rule) : NULL;
}

/* ---- what stands in place of a name ---- */

static const fzi_node *value_of(const fzi_node *decl)
{
    if (decl->kind != N_D_LET && decl->kind != N_D_FN)
        return NULL;
    const fzi_node *value = decl->value;
    /* Tables, and long texts, are better called by their names. */
    return value && value->kind != N_E_KEYS && value->kind != N_E_LIST && value->height <= 8 ? value
                                                                                             : NULL;
}

const fzi_node *fzi_open_value(fzi_prose *p, const fzi_node *use, fzi_meaning **before)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    const fzi_node *decl = symbol && symbol->kind != FZI_SYM_LOCAL ? symbol->node : NULL;
    const fzi_node *value = decl && !symbol->recursive ? value_of(decl) : NULL;
    if (!value || p->depth >= FZI_PROSE_DEPTH || p->left == 0)
        return NULL;
    *before = p->meanings;
    fzi_mean_arguments(p, symbol, fzi_use_arguments(use));
    p->depth++;
    p->left--;
    return value;
}

void fzi_close_value(fzi_prose *p, fzi_meaning *before)
{
    p->meanings = before;
    p->depth--;
}

/* ---- names ---- */

const char *fzi_say_name(fzi_prose *p, const fzi_node *use)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    const char *name = fzi_english_name(p->arena, symbol ? symbol->name : use->name);
    const char *owner = NULL, *rest = "";
    for (const fzi_node *a = fzi_use_arguments(use); a; a = a->next) {
        bool is_player = a->type && a->type->kind == FZI_TYPE_PLAYER;
        if (is_player && !owner)
            owner = fzi_say_owner(p, a);
        else if (!*rest)
            rest = fzi_arena_printf(p->arena, " of %s", said_argument(p, a));
        else
            rest = fzi_arena_printf(p->arena, "%s and %s", rest, said_argument(p, a));
    }
    if (symbol && symbol->node && symbol->kind != FZI_SYM_LOCAL && !fzi_is_library(symbol->node))
        fzi_owe(p, symbol->node);
    return owner ? fzi_arena_printf(p->arena, "%s %s%s", owner, name, rest)
                 : fzi_arena_printf(p->arena, "the %s%s", name, rest);
}
