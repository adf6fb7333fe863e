/* Shorter statements, moves and declarations. See shorter.c. */
#include "shorter.h"

static const fzi_node *lone_statement(const fzi_node *node)
{
    return node->kind == N_S_BLOCK && node->stmts && !node->stmts->next ? node->stmts : node;
}

/* `if A { if B again; }` is `if A and B again;`. */
written fzi_shorter_nested_ifs(shortening *s, const fzi_node *node)
{
    const fzi_node *inner = lone_statement(node->then);

    if (node->otherwise || inner->kind != N_S_IF || inner->otherwise ||
        has_comment(s, node->then->span))
        return (written){0};
    return (written){TEXT("if %s and %s %s", s->say(s, node->condition, ANY_AND),
                          s->say(s, inner->condition, ANY_NOT), s->say(s, inner->then, LOOSE)),
                     WHOLE};
}

/* `union d in D if s + d in A : {s + d}`: it is empty if no s + d is in A. */
static bool is_union_of_tested(const fzi_node *node)
{
    condition parts[FZ_SHORTER_PARTS];

    if (node->kind != N_E_OVER || node->op != FZ_T_UNION || node->binders->next ||
        !node->condition || node->body->kind != N_E_SET ||
        fzi_list_length(node->body->members) != 1)
        return false;
    size_t count = fzi_shorter_parts_of(node->condition, FZ_T_AND, parts, 0);
    for (size_t i = 0; i < count && count <= FZ_SHORTER_PARTS; i++)
        if (parts[i].set && !parts[i].denied &&
            fzi_same_tree(parts[i].subject, node->body->members))
            return true;
    return false;
}

/* `state[x] = 1` in a loop over x: the order of the sites does not matter. */
static bool marks_each(const fzi_node *loop)
{
    const fzi_node *stmt = loop->kind == N_S_FOR ? loop->body : loop;

    return loop->kind == N_S_FOR && !loop->binders->next && stmt->kind == N_S_ASSIGN &&
           stmt->op == FZ_T_ASSIGN && !stmt->viewers && stmt->indexes && !stmt->indexes->next &&
           is_name(stmt->indexes, loop->binders->name) && stmt->value->kind == N_E_INT;
}

/* Do both loops mark sites alike? */
bool fzi_shorter_mark_alike(const fzi_node *a, const fzi_node *b)
{
    return a && b && marks_each(a) && marks_each(b) &&
           strcmp(a->binders->name, b->binders->name) == 0 && fzi_same_tree(a->body, b->body);
}

bool fzi_shorter_is_marked_before(const fzi_node *block, const fzi_node *part)
{
    const fzi_node *before = block->kind == N_S_BLOCK ? block->stmts : NULL;

    while (before && before->next != part)
        before = before->next;
    return before && fzi_shorter_mark_alike(before, part);
}

static bool is_site(const fzi_node *node)
{
    return node->kind == N_E_NAME && node->name[strcspn(node->name, "0123456789")];
}

/* `for s in a1 state[s] = 1; for s in h1 state[s] = 1;` is `for s in {a1, h1} state[s] = 1;`. */
written fzi_shorter_marks(shortening *s, const fzi_node *node)
{
    fzi_growing sets = {0};
    bool sites = true;

    for (const fzi_node *loop = node; loop && fzi_shorter_mark_alike(node, loop); loop = loop->next)
        sites = sites && is_site(loop->binders->set);
    for (const fzi_node *loop = node; loop && fzi_shorter_mark_alike(node, loop); loop = loop->next)
        fzi_grow_z(s->arena, &sets,
                   TEXT("%s%s",
                        !sets.length ? ""
                        : sites      ? ", "
                                     : " | ",
                        s->say(s, loop->binders->set, SIGNED)));
    return (written){TEXT(sites ? "for %s in {%s} %s" : "for %s in %s %s", node->binders->name,
                          sets.text, s->say(s, node->body, LOOSE)),
                     WHOLE};
}

/* `for x in S { done = true; }` is `if S != {} done = true;`. */
written fzi_shorter_once(shortening *s, const fzi_node *node)
{
    const fzi_node *binder = node->binders, *stmt = lone_statement(node->body);
    const fzi_node *set = binder->set;
    bool some = is_union_of_tested(set);
    if (s->has_else || binder->next || (!some && !fzi_shorter_is_set(set)) ||
        stmt->kind != N_S_ASSIGN || stmt->op != FZ_T_ASSIGN || stmt->viewers ||
        fzi_shorter_mentions(stmt->indexes, binder->name) ||
        fzi_shorter_mentions(stmt->value, binder->name) ||
        fzi_shorter_mentions(stmt->value, stmt->name))
        return (written){0};
    const char *text = s->say(s, stmt, LOOSE);
    if (some)
        text = TEXT("if (any %s in %s : %s) %s", set->binders->name,
                    s->say(s, set->binders->set, ANY_OR), s->say(s, set->condition, LOOSE), text);
    else
        text = TEXT("if %s != {} %s", s->say(s, set, ANY_RANGE), text);
    return (written){text, WHOLE};
}

/* `moves { for to in A & empty => go(here, to); }` is `move to A & empty;`. */
written fzi_shorter_moves(shortening *s, const fzi_node *node)
{
    const fzi_node *option = node->options, *quant = option ? option->quants : NULL;

    if (!quant || option->next || quant->next || quant->kind != N_Q_FOR || option->label ||
        option->then_effect || quant->binders->next || strcmp(quant->binders->name, "to") != 0)
        return (written){0};
    const fzi_node *set = quant->binders->set, *call = option->effect;
    bool empty =
        is_name(set, "empty") || (is_binary(set, FZ_T_MEET) && is_name(set->right, "empty"));
    if (!empty || call->kind != N_S_CALL || strcmp(call->name, "go") != 0 ||
        fzi_list_length(call->arguments) != 2 || !is_name(call->arguments, "here") ||
        !is_name(call->arguments->next, "to"))
        return (written){0};
    return (written){TEXT("move to %s;", s->say(s, set, LOOSE)), WHOLE};
}

/* ---- generators that one choice uses ---- */

static bool has_name(const fzi_node *node, const void *name)
{
    return node->name && strcmp(node->name, name) == 0;
}

static unsigned uses(const fzi_node *list, const char *name)
{
    unsigned count = 0;

    for (; list; list = list->next) {
        count += has_name(list, name);
        for (int i = 0; i < FZ_NODE_CHILDREN; i++)
            count += uses(list->children[i], name);
    }
    return count;
}

/* `moves legal { … } turn { choose legal; }` is `turn { choose { … } }`: the choice takes the place
 * of its generator. */
static const fzi_node *generator_of(const shortening *s, const fzi_node *choice)
{
    const fzi_node *option = choice->options, *named = option ? option->effect : NULL;

    if (!named || option->next || option->quants || option->label || option->then_effect ||
        named->kind != N_GENERATOR || named->arguments || choice->filters || choice->player)
        return NULL;
    const fzi_node *found = NULL;
    for (const fzi_node *decl = s->file->decls; decl; decl = decl->next)
        if (decl->kind == N_D_MOVES && has_name(decl, named->name))
            found = decl;
    return found && !found->params && !found->flags && !found->doc &&
                   !has_comment(s, found->span) && uses(s->file->decls, named->name) == 2
               ? found
               : NULL;
}

/* The generator that this one is another name for: `moves legal { piece_moves; }`; NULL. */
static const char *other_generator(const fzi_node *moves)
{
    const fzi_node *only = moves->options;

    if (moves->filters || !only || only->next || only->quants || only->label || only->then_effect ||
        only->effect->kind != N_GENERATOR || only->effect->arguments)
        return NULL;
    return only->effect->name;
}

/* A table with the same entries; NULL. */
static const char *other_table(const shortening *s, const fzi_node *table)
{
    for (const fzi_node *decl = s->file->decls; decl && table->params; decl = decl->next)
        if (decl->kind == N_D_LET && decl != table && decl->params &&
            fzi_same_lists(decl->params, table->params) &&
            fzi_same_lists(decl->value, table->value))
            return decl->name;
    return NULL;
}

/* What else has this meaning. */
const char *fzi_shorter_other_name(const shortening *s, const fzi_node *decl)
{
    return decl->flags || decl->doc                   ? NULL
           : decl->kind == N_D_MOVES && !decl->params ? other_generator(decl)
           : decl->kind == N_D_LET                    ? other_table(s, decl)
                                                      : NULL;
}

void fzi_shorter_find_alias(shortening *s)
{
    for (const fzi_node *decl = s->file->decls; decl && !s->alias; decl = decl->next) {
        const char *name = fzi_shorter_other_name(s, decl);
        if (name && !has_comment(s, decl->span) && strcmp(name, decl->name) != 0)
            s->alias = decl;
    }
}

/* `let mark[p: player]: kind = {P1: Disc, P2: Cross};` needs no type. */
written fzi_shorter_table(shortening *s, const fzi_node *node)
{
    const fzi_node *type = node->declared_type, *value = node->value;

    if (!type || type->kind != N_T_NAME || value->kind != N_E_KEYS)
        return (written){0};
    bool sets = strcmp(type->name, "sites") == 0,
         names = strcmp(type->name, "site") == 0 || strcmp(type->name, "kind") == 0;
    for (const fzi_node *key = value->entries; key; key = key->next) {
        const fzi_node *v = key->value;
        sets = sets && v->kind != N_E_NAME && fzi_shorter_is_set(v) &&
               (v->kind != N_E_SET || v->members);
        names = names && v->kind == N_E_NAME && !is_name(v, "off") && !is_name(v, "none");
    }
    if (!sets && !names)
        return (written){0};
    const char *text = s->copy(s, node), *colon = strstr(text, "]:"), *equal = strstr(text, " =");
    return colon && equal > colon
               ? (written){TEXT("%.*s%s", (int)(colon + 1 - text), text, equal), WHOLE}
               : (written){0};
}

void fzi_shorter_find_generator(void *user, fzi_node *node)
{
    shortening *s = user;

    if (!s->choice && node->kind == N_S_CHOOSE && (s->generator = generator_of(s, node)))
        s->choice = node;
}

written fzi_shorter_choice(shortening *s, const fzi_node *node)
{
    const char *moves = strchr(s->copy(s, s->generator), '{');
    size_t length = strlen(moves) - (moves[strlen(moves) - 1] == ';');
    const char *rest = node->otherwise ? TEXT(" otherwise %s", s->say(s, node->otherwise, LOOSE))
                       : s->generator->filters ? ";"
                                               : "";

    return (written){TEXT("choose %.*s%s", (int)length, moves, rest), WHOLE};
}
