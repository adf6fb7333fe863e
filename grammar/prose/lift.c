/* Puts a condition inside an expression or statement before it, so that sentences say "if A, put a
 * man on a1; otherwise put a king on a1". Calls no other file of the room but meanings.c. */
#include "prose.h"

#include "grammar/whole_game/whole_game.h"

/* Conditions are put first at most that often in one sentence. */
enum { MOST_LIFTED = 2 };

/* Has the node operands that are evaluated once, in its own scope? */
static bool is_open(const fzi_node *node)
{
    switch (node->kind) {
    case N_E_NAME:
    case N_E_INDEX:
    case N_E_CALL:
    case N_E_BINARY:
    case N_E_UNARY:
    case N_E_IF:
    case N_E_SET: return true;
    default: return false;
    }
}

/* The first condition that the chosen options leave open; NULL: there is none. */
static const fzi_node *find(fzi_prose *p, const fzi_node *node)
{
    int64_t value;
    if (!is_open(node))
        return NULL;
    if (node->kind == N_E_IF) {
        if (!fzi_prose_constant(p, node->condition, &value))
            return node;
        return find(p, value ? node->then : node->otherwise);
    }
    const fzi_node *found = NULL;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        for (const fzi_node *child = node->children[i]; child && !found; child = child->next)
            found = find(p, child);
    return found;
}

/* A copy in which all conditions of these words are decided. */
static fzi_node *decided(fzi_prose *p, const fzi_node *node, const fzi_node *condition, bool holds)
{
    if (node->kind == N_E_IF &&
        (node->condition == condition || fzi_same_code(node->condition, condition))) {
        fzi_node *taken = decided(p, holds ? node->then : node->otherwise, condition, holds);
        taken->next = NULL;
        return taken;
    }
    fzi_node *copy = FZI_NEW(p->arena, fzi_node);
    *copy = *node;
    copy->next = NULL;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++) {
        fzi_node **end = &copy->children[i];
        for (const fzi_node *child = node->children[i]; child; child = child->next) {
            *end = decided(p, child, condition, holds);
            end = &(*end)->next;
        }
    }
    return copy;
}

static const fzi_node *lifted(fzi_prose *p, const fzi_node *node, const fzi_node *found, int kind)
{
    if (!found || p->lifted >= MOST_LIFTED)
        return NULL;
    fzi_node *made = FZI_NEW(p->arena, fzi_node);
    made->kind = (uint8_t)kind;
    made->span = node->span;
    made->type = node->type;
    made->effects = node->effects;
    made->condition = found->condition;
    made->then = decided(p, node, found->condition, true);
    made->otherwise = decided(p, node, found->condition, false);
    return made;
}

const fzi_node *fzi_lifted_value(fzi_prose *p, const fzi_node *node)
{
    return node->kind == N_E_IF ? NULL : lifted(p, node, find(p, node), N_E_IF);
}

const fzi_node *fzi_lifted_statement(fzi_prose *p, const fzi_node *stmt)
{
    const fzi_node *found = NULL;
    switch (stmt->kind) {
    case N_S_ASSIGN:
    case N_S_CALL:
    case N_S_PUT:
    case N_S_GIVE:
    case N_S_REMOVE:
    case N_S_CAPTURE:
    case N_S_NEXT:
    case N_S_WIN:
    case N_S_LOSE:
    case N_S_OUT: break;
    default: return NULL;
    }
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        for (const fzi_node *child = stmt->children[i]; child && !found; child = child->next)
            if (stmt->kind != N_S_ASSIGN || child != stmt->value || child->kind != N_E_IF)
                found = find(p, child);
    return lifted(p, stmt, found, N_S_IF);
}
