/* Makes and copies trees. */
#include "tree.h"

#include <string.h>

fzi_node *fzi_node_new(fzi_arena *arena, int kind, fzi_span span)
{
    fzi_node *node = FZI_NEW(arena, fzi_node);
    node->kind = (uint8_t)kind;
    node->span = span;
    return node;
}

_Static_assert(FZ_NODE_COUNT <= 256, "a node's kind is one byte");

/* Every row of nodes.def has its fields in their slots. */
enum {
#define CHILD_0(field, meaning) SLOT_##field = 0,
#define CHILD_1(field, meaning) SLOT_##field = 1,
#define CHILD_2(field, meaning) SLOT_##field = 2,
#define CHILD_3(field, meaning) SLOT_##field = 3,
#include "nodes.def"
    SLOT__ = -1
};
#define IS_IN(field, slot) (SLOT_##field == (slot) || SLOT_##field == SLOT__)
#define NODE(kind, child_0, child_1, child_2, child_3, remarks)                                    \
    _Static_assert(IS_IN(child_0, 0) && IS_IN(child_1, 1) && IS_IN(child_2, 2) &&                  \
                       IS_IN(child_3, 3),                                                          \
                   #kind " has a field in the wrong slot");
#include "nodes.def"
#undef IS_IN

const char *fzi_node_kind_name(int kind)
{
    static const char *const names[] = {
#define NODE(kind, child_0, child_1, child_2, child_3, remarks) #kind,
#include "nodes.def"
    };
    return kind >= 0 && kind < FZ_NODE_COUNT ? names[kind] : "?";
}

const char *fzi_op_text(int op)
{
#define OP(name, text) text,
    static const char *const texts[] = {FZI_OPERATORS(OP)};
#undef OP
    return op >= 0 && (size_t)op < sizeof texts / sizeof *texts ? texts[op] : "?";
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool fzi_same_lists(const fzi_node *a, const fzi_node *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (!fzi_same_tree(a, b))
            return false;
    return !a && !b;
}

bool fzi_same_tree(const fzi_node *a, const fzi_node *b)
{
    if (a->kind != b->kind || a->op != b->op || a->number != b->number ||
        !same_text(a->name, b->name) || !same_text(a->text, b->text))
        return false;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        if (!fzi_same_lists(a->children[i], b->children[i]))
            return false;
    return true;
}

static fzi_node *clone_list(fzi_arena *arena, const fzi_node *list)
{
    fzi_node *first = NULL, **end = &first;
    for (; list; list = list->next) {
        *end = fzi_node_clone(arena, list);
        end = &(*end)->next;
    }
    return first;
}

fzi_node *fzi_node_clone(fzi_arena *arena, const fzi_node *node)
{
    if (!node)
        return NULL;
    fzi_node *copy = fzi_arena_copy(arena, node, sizeof *node);
    copy->next = NULL;
    copy->type = NULL;
    copy->symbol = NULL;
    copy->effects = 0;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        copy->children[i] = clone_list(arena, node->children[i]);
    return copy;
}

fzi_node *fzi_list_last(fzi_node *list)
{
    while (list->next)
        list = list->next;
    return list;
}

void fzi_walk(fzi_node *list, fzi_visit *visit, void *user)
{
    for (; list; list = list->next) {
        visit(user, list);
        fzi_walk_below(list, visit, user);
    }
}

void fzi_walk_below(const fzi_node *node, fzi_visit *visit, void *user)
{
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        fzi_walk(node->children[i], visit, user);
}

bool fzi_tree_any(const fzi_node *list, fzi_node_test *test, const void *data)
{
    for (; list; list = list->next)
        if (test(list, data) || fzi_below_any(list, test, data))
            return true;
    return false;
}

bool fzi_below_any(const fzi_node *node, fzi_node_test *test, const void *data)
{
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
        if (fzi_tree_any(node->children[i], test, data))
            return true;
    return false;
}

static bool is_of_kind(const fzi_node *node, const void *kind)
{
    return node->kind == *(const int *)kind;
}

bool fzi_tree_has(const fzi_node *list, int kind)
{
    return fzi_tree_any(list, is_of_kind, &kind);
}

size_t fzi_list_length(const fzi_node *list)
{
    size_t length = 0;
    for (; list; list = list->next)
        length++;
    return length;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

const char *fzi_node_doc(const fzi_sources *sources, fzi_arena *arena, const fzi_node *node)
{
    const fzi_source *source = fzi_source_at(sources, node->span.source);
    if (!node->doc || !source)
        return NULL;
    const char *at = source->text + node->doc - 1, *end = source->text + source->length;
    char *doc = fzi_arena_alloc(arena, (size_t)(source->text + node->span.start - at) + 1);
    size_t length = 0;
    while (end - at >= 3 && memcmp(at, "///", 3) == 0) {
        at = skip_blanks(at + 3, at + 4 < end ? at + 4 : end);
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            stop = end;
        size_t count = (size_t)(stop - at);
        if (count && at[count - 1] == '\r')
            count--;
        if (length)
            doc[length++] = '\n';
        memcpy(doc + length, at, count);
        length += count;
        at = skip_blanks(stop < end ? stop + 1 : end, end);
    }
    doc[length] = '\0';
    return doc;
}

const char *fzi_node_deprecated(const fzi_sources *sources, fzi_arena *arena, const fzi_node *node)
{
    static const char word[] = "Deprecated:";
    const char *doc = fzi_node_doc(sources, arena, node), *at = doc ? strstr(doc, word) : NULL;
    if (!at || (at > doc && at[-1] != '\n'))
        return NULL;
    char *text = fzi_arena_copy(arena, at, strlen(at) + 1);
    for (char *newline = text; (newline = strchr(newline, '\n'));)
        *newline = ' ';
    size_t length = strlen(text);
    if (text[length - 1] == '.')
        text[length - 1] = '\0'; /* messages end without it */
    text += strlen(word);
    return text + strspn(text, " ");
}
