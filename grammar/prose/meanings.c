/* The meaning of names while a rule is said: the words or values of locals, the uses of
 * declarations, and which declarations the page has described. Calls no other file of the room. */
#include "prose.h"

#include <string.h>

#include "grammar/check/checker.h"
#include "interp/board/board_data.h"

static const char *site_word(const fzi_board *board)
{
    if (!board)
        return "place";
    if (board->on_vertices || board->shape == FZ_SHAPE_GRAPH)
        return "point";
    if (board->sorts)
        return "place";
    switch (board->shape) {
    case FZ_SHAPE_SQUARE: return board->layers > 1 ? "cell" : "square";
    case FZ_SHAPE_PITS: return "pit";
    case FZ_SHAPE_TRACK:
    case FZ_SHAPE_CIRCLE: return "space";
    default: return "cell";
    }
}

fzi_prose fzi_prose_of(const fzi_analysis *analysis)
{
    return (fzi_prose){.analysis = analysis,
                       .arena = analysis->arena,
                       .game = analysis->game,
                       .site = site_word(analysis->game->board),
                       .me = "the player",
                       .told = FZI_NEW(analysis->arena, fzi_decls),
                       .left = FZI_PROSE_WORK};
}

/* ---- expressions ---- */

bool fzi_means_sites(const fzi_type *type)
{
    return type->kind == FZI_TYPE_SET && type->element->kind == FZI_TYPE_SITE;
}

bool fzi_is_me(const fzi_node *node)
{
    return fzi_names_primitive(node, FZI_PRIM_me) || fzi_names_primitive(node, FZI_PRIM_mover);
}

static void tell_used(void *user, fzi_node *node)
{
    const fzi_prose *p = user;
    /* Options of `board` and `players` are read before there are symbols. */
    const fzi_symbol *symbol = node->symbol || node->kind != N_E_NAME || !node->name
                                   ? node->symbol
                                   : fzi_game_find(p->game, node->name, -1);
    if (symbol)
        fzi_tell(p, symbol);
}

void fzi_tell(const fzi_prose *p, const fzi_symbol *symbol)
{
    bool is_let = symbol->kind == FZI_SYM_LET && !symbol->param_count;
    if ((symbol->kind == FZI_SYM_OPTION || is_let) && symbol->node &&
        fzi_decls_add(p, p->told, symbol->node) && is_let)
        fzi_walk_below(symbol->node, tell_used, (void *)p);
}

void fzi_tell_used(const fzi_prose *p, const fzi_node *node)
{
    tell_used((void *)p, (fzi_node *)node);
    fzi_walk_below(node, tell_used, (void *)p);
}

bool fzi_prose_constant(const fzi_prose *p, const fzi_node *node, int64_t *value)
{
    const fzi_checker checker = {.game = (fzi_game *)p->game, .scope = p->game->globals};
    fzi_meaning *scope;
    node = fzi_resolved(p, node, &scope);
    if (!fzi_constant(&checker, node, value))
        return false;
    fzi_tell_used(p, node);
    return true;
}

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

/* Code on one line, without comments. */
static const char *on_one_line(const fzi_prose *p, const char *code, size_t length)
{
    char *line = fzi_say(p, "%.*s", (int)length, code), *end = line;
    bool quoted = false;
    for (const char *at = line; *at; at++) {
        quoted = quoted != (*at == '"' && (at == line || at[-1] != '\\'));
        if (!quoted && at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n");
        bool is_space = *at == ' ' || *at == '\n' || *at == '\0';
        if (!is_space || (end > line && end[-1] != ' '))
            *end++ = is_space ? ' ' : *at;
        if (!*at)
            break;
    }
    *end = '\0';
    return line;
}

const char *fzi_say_code(const fzi_prose *p, const fzi_node *node)
{
    const fzi_source *source = fzi_source_at(p->analysis->sources, node->span.source);
    if (!source)
        return "it";
    return fzi_say(p, "`%s`", on_one_line(p, source->text + node->span.start,
                                          node->span.end - node->span.start));
}

const char *fzi_say_readable(const fzi_prose *p, const char *text, const fzi_node *node)
{
    size_t longest = 0, length;
    for (const char *at = text, *stop; at; at = stop ? stop + 2 : NULL) {
        stop = strstr(at, ". ");
        length = stop ? (size_t)(stop - at) : strlen(at);
        longest = length > longest ? length : longest;
    }
    return longest > 2 * FZI_PROSE_LONGEST ? fzi_say_code(p, node) : text;
}

bool fzi_decls_has(const fzi_decls *decls, const fzi_node *decl)
{
    for (size_t i = 0; i < decls->count; i++)
        if (decls->items[i] == decl)
            return true;
    return false;
}

bool fzi_decls_add(const fzi_prose *p, fzi_decls *decls, const fzi_node *decl)
{
    if (fzi_decls_has(decls, decl))
        return false;
    *FZI_MORE(p->arena, decls->items, decls->count, decls->capacity) = decl;
    return true;
}

/* ---- the value in place of a name ---- */

static const fzi_node *value_of(const fzi_node *decl)
{
    if (decl->kind != N_D_LET && decl->kind != N_D_FN)
        return NULL;
    const fzi_node *value = decl->value;
    /* Tables and long texts are called by their names. */
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
