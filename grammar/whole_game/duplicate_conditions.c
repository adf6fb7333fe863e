/* Warns about duplicates and code without effect: `a and a`, equal branches, a condition that
 * has just been decided, repeated members, entries, items and options, assignments that change
 * nothing. */
#include "whole_game.h"

#include <stdlib.h>

#include "grammar/check/statements.h"
#include "interp/support/text.h"

enum { MAX_MEANING = 20 };

/* ---- equality ---- */

static bool is_chance(const fzi_node *node)
{
    if (node->kind == N_E_OVER)
        return node->op == FZ_T_RANDOM;
    return (node->kind == N_E_CALL || node->kind == N_S_CALL) && node->symbol &&
           (node->symbol->kind == FZI_SYM_PROC ||
            (node->symbol->kind == FZI_SYM_PRIMITIVE && node->symbol->value < FZI_PIECE_MOVES &&
             fzi_primitive_effects(node->symbol->value) & FZI_CHANCE));
}

static bool has_chance(const fzi_node *node)
{
    if (is_chance(node))
        return true;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        for (const fzi_node *child = node->children[i]; child; child = child->next)
            if (has_chance(child))
                return true;
    return false;
}

bool fzi_same_code(const fzi_node *a, const fzi_node *b)
{
    return fzi_same_tree(a, b) && !has_chance(a);
}

const fzi_node *fzi_let_value(const fzi_node *node)
{
    for (int i = 0; i < MAX_MEANING; i++) {
        const fzi_symbol *symbol = node->kind == N_E_NAME ? node->symbol : NULL;
        if (!symbol || symbol->kind != FZI_SYM_LET || symbol->node->params || !symbol->node->value)
            break;
        node = symbol->node->value;
    }
    return node;
}

static void say(fzi_checker *c, const fzi_node *at, const fzi_node *first, int code)
{
    fzi_diag *diag = fzi_error(c->diags, at->span, code);
    if (first)
        fzi_note_at(diag, first->span, "the same stands here");
}

/* ---- expressions ---- */

static void check_operands(fzi_checker *c, const fzi_node *node)
{
    switch (node->op) {
    case FZ_T_AND: case FZ_T_OR: case FZ_T_UNITE: case FZ_T_MEET: {
        /* `a and b and a` is `(a and b) and a` */
        for (const fzi_node *left = node->left;; left = left->left) {
            bool chain = left->kind == N_E_BINARY && left->op == node->op;
            const fzi_node *other = chain ? left->right : left;
            if (fzi_same_code(other, node->right)) {
                say(c, node->right, other, FZ_W_SAME_OPERANDS);
                return;
            }
            if (!chain)
                return;
        }
    }
    case FZ_T_EQ: case FZ_T_NE: case FZ_T_LT: case FZ_T_LE: case FZ_T_GT: case FZ_T_GE:
    case FZ_T_MINUS:
        if (node->left->kind != N_E_INT && fzi_same_code(node->left, node->right))
            say(c, node->right, node->left, FZ_W_SAME_OPERANDS);
        return;
    default:
        return;
    }
}

bool fzi_is_set_of_sites(const fzi_node *node)
{
    return node->type && (node->type->kind == FZI_TYPE_SITE ||
                          (node->type->kind == FZI_TYPE_SET && node->type->element &&
                           node->type->element->kind == FZI_TYPE_SITE));
}

static const fzi_node *entry_value(const fzi_node *entry)
{
    return entry->kind == N_KEY ? entry->value : entry;
}

/* A table whose entries are all the same sites: its index has no effect. */
static void check_entries(fzi_checker *c, const fzi_node *table)
{
    const fzi_node *first = table->entries;
    if (!first || !first->next || entry_value(first)->kind == N_E_LIST ||
        entry_value(first)->kind == N_E_KEYS || !fzi_is_set_of_sites(entry_value(first)))
        return;
    const fzi_node *value = entry_value(first);
    if (value->kind == N_E_SET && !value->members)
        return;
    for (const fzi_node *entry = first->next; entry; entry = entry->next)
        if (!fzi_same_code(value, entry_value(entry)))
            return;
    say(c, entry_value(first->next), value, FZ_W_SAME_ENTRIES);
}

/* ---- statements ---- */

/* The only statement of a block, through nested blocks. */
static const fzi_node *only(const fzi_node *stmt)
{
    while (stmt->kind == N_S_BLOCK && stmt->stmts && !stmt->stmts->next)
        stmt = stmt->stmts;
    return stmt;
}

static void check_branches(fzi_checker *c, const fzi_node *node)
{
    if (!node->otherwise)
        return;
    if (fzi_same_code(only(node->then), only(node->otherwise))) {
        say(c, node->otherwise, node->then, FZ_W_SAME_BRANCHES);
        return;
    }
    /* `if a ... else if b ... else if a ...` */
    for (const fzi_node *rest = node->otherwise; rest && rest->kind == node->kind;
         rest = rest->otherwise) {
        if (fzi_same_code(node->condition, rest->condition)) {
            say(c, rest->condition, node->condition, FZ_W_DECIDED_BEFORE);
            return;
        }
    }
}

/* `if a win x;  if a win y;`: the second is never true. */
static void check_sequence(fzi_checker *c, const fzi_node *block)
{
    for (const fzi_node *stmt = block->stmts; stmt && stmt->next; stmt = stmt->next) {
        const fzi_node *next = stmt->next;
        if (stmt->kind == N_S_IF && next->kind == N_S_IF && !stmt->otherwise &&
            !fzi_goes_on(c, stmt->then) && fzi_same_code(stmt->condition, next->condition))
            say(c, next->condition, stmt->condition, FZ_W_DECIDED_BEFORE);
    }
}

static void check_assignment(fzi_checker *c, const fzi_node *node)
{
    const fzi_node *value = node->value;
    int64_t number;
    bool itself = node->op == FZ_T_ASSIGN &&
                  (value->kind == N_E_INDEX
                       ? node->indexes && value->primary->kind == N_E_NAME &&
                             value->primary->name == node->name &&
                             fzi_same_lists(value->indexes, node->indexes) && !has_chance(value)
                       : value->kind == N_E_NAME && value->name == node->name && !node->indexes);
    bool adds = node->op == FZ_T_PLUS_ASSIGN || node->op == FZ_T_MINUS_ASSIGN;
    bool zero = adds && value->kind == N_E_INT && fzi_constant(c, value, &number) && number == 0;
    bool none = node->op == FZ_T_OR_ASSIGN && value->kind == N_E_SET && !value->members;
    if (itself || zero || none)
        fzi_error(c->diags, node->span, FZ_W_NO_EFFECT);
}

/* ---- items and options ---- */

/* Of a list that is searched for duplicates: equal ones have equal hashes. */
typedef struct listed {
    uint64_t hash;
    size_t place;
    const fzi_node *node;
} listed;

static int by_hash(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash)
                              : (x->place > y->place) - (x->place < y->place);
}

/* The list sorted by hash, then by place. */
static listed *sorted(fzi_checker *c, const fzi_node *list, uint64_t (*hash)(const fzi_node *),
                      size_t *count)
{
    *count = fzi_list_length(list);
    listed *all = fzi_arena_alloc(c->arena, (*count + 1) * sizeof *all);
    for (size_t i = 0; i < *count; i++, list = list->next)
        all[i] = (listed){hash(list), i, list};
    qsort(all, *count, sizeof *all, by_hash);
    return all;
}

static uint64_t hash_text(const char *text, uint64_t hash)
{
    return text ? fzi_text_hash(text, strlen(text), hash) : hash;
}

static uint64_t hash_code(const fzi_node *node)
{
    const uint64_t own[] = {(uint64_t)node->kind, (uint64_t)node->op, (uint64_t)node->number};
    uint64_t hash = fzi_text_hash((const char *)own, sizeof own, FZI_HASH_START);
    hash = hash_text(node->text, hash_text(node->name, hash));
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        for (const fzi_node *child = node->children[i]; child; child = child->next)
            hash = (hash ^ (hash_code(child) + i)) * FZI_HASH_START;
    return hash;
}

static void check_list(fzi_checker *c, const fzi_node *list, int code)
{
    size_t count;
    const listed *all = sorted(c, list, hash_code, &count), *found = NULL, *first = NULL;
    for (size_t i = 1; i < count; i++)
        if (all[i].hash == all[i - 1].hash && fzi_same_code(all[i - 1].node, all[i].node) &&
            (!found || all[i].place < found->place)) {
            found = &all[i];
            first = &all[i - 1];
        }
    if (found)
        say(c, found->node, first->node, code);
}

static const fzi_node *condition_of(const fzi_node *option)
{
    const fzi_node *found = NULL;
    for (const fzi_node *quant = option->quants; quant; quant = quant->next)
        if (quant->kind == N_Q_IF)
            found = quant->condition;
    return found;
}

/* We cannot prove conditions exclusive, so two options that both have conditions get no warning. */
static uint64_t hash_label(const fzi_node *option)
{
    const fzi_node *label = option->label;
    bool plain = label && label->text && !strchr(label->text, '{') &&
                 option->effect->kind != N_GENERATOR && option->effect->kind != N_GROUP;
    return plain ? hash_text(label->text, FZI_HASH_START) : 0;
}

static void check_texts(fzi_checker *c, const fzi_node *options)
{
    size_t count;
    const listed *all = sorted(c, options, hash_label, &count), *found = NULL, *first = NULL;
    const listed *any = all, *unconditional = NULL;
    for (const listed *at = all; at < all + count; at++) {
        if (at == all || at->hash != any->hash) {
            any = at;
            unconditional = NULL;
        }
        const listed *other = condition_of(at->node) ? unconditional : any;
        if (at->hash && other && other != at && (!found || at->place < found->place) &&
            strcmp(other->node->label->text, at->node->label->text) == 0) {
            found = at;
            first = other;
        }
        if (!unconditional && !condition_of(at->node))
            unconditional = at;
    }
    if (!found)
        return;
    fzi_diag *diag = fzi_error(c->diags, found->node->label->span, FZ_W_SAME_LABEL,
                               found->node->label->text);
    fzi_note_at(diag, first->node->label->span, "the other one");
}

void fzi_check_duplicates(fzi_checker *c, fzi_node *node)
{
    switch (node->kind) {
    case N_E_BINARY: check_operands(c, node); break;
    case N_E_SET: check_list(c, node->members, FZ_W_MEMBER_TWICE); break;
    case N_E_KEYS: case N_E_LIST: check_entries(c, node); break;
    case N_E_IF: case N_S_IF: check_branches(c, node); break;
    case N_S_BLOCK: check_sequence(c, node); break;
    case N_S_ASSIGN: check_assignment(c, node); break;
    case N_D_PIECE: check_list(c, node->items, FZ_W_OPTION_TWICE); break;
    case N_D_MOVES: case N_S_CHOOSE: case N_GROUP: case N_I_MOVES:
        check_list(c, node->options, FZ_W_OPTION_TWICE);
        check_texts(c, node->options);
        break;
    default: break;
    }
}
