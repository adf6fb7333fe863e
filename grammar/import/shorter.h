/* Inside of shorter.c, which makes scripts shorter: the texts of trees, and rules that say a node
 * in fewer words. */
#ifndef FZ_GRAMMAR_IMPORT_SHORTER_H
#define FZ_GRAMMAR_IMPORT_SHORTER_H

#include "grammar/syntax/parse.h"
#include "importer.h"

/* How tight a text holds together: what stands beside an operator is in parentheses unless it holds
 * at least as tight as the operator asks. In the order of ferz.y. */
enum tightness {
    LOOSE, /* `if … then … else …`, `any … : …`, as they extend to the right */
    ANY_OR,
    ANY_AND,
    ANY_NOT,
    COMPARED,
    ANY_RANGE,
    UNITED,
    MET,
    ADDED,
    MULTIPLIED,
    SIGNED,
    WHOLE /* names, calls, brackets */
};

enum { FZ_SHORTER_PARTS = 16 };

typedef struct written {
    const char *text; /* NULL: as the script has it */
    enum tightness tight;
} written;

typedef struct shortening shortening;
struct shortening {
    /* Functions of shorter.c, which no other file calls: what a rule makes of a node, without a
     * text if none fits; the node as the script has it, its parts shortened, without parentheses;
     * and the node shortened, in parentheses unless it holds together as needed. */
    written (*rule)(shortening *s, const fzi_node *node);
    const char *(*copy)(shortening *s, const fzi_node *node);
    const char *(*say)(shortening *s, const fzi_node *node, enum tightness needed);

    fzi_arena *arena;
    const char *text;
    const fzi_node *file;
    const fzi_node *choice, *generator; /* which takes the place of which; NULL */
    const fzi_node *alias;              /* a generator that is another name; NULL */
    const char *foe;                    /* stands for a site of the only opponent; NULL */
    const char *mover, *other;          /* players whose names are `me` and `foe` for now; NULL */
    bool has_else;                      /* an `else` follows that belongs to a statement around */
    bool changed;
};

/* `subject in set`, or not; another condition if `set` is NULL. */
typedef struct condition {
    const fzi_node *whole, *subject, *set;
    bool denied;
    size_t joined; /* the number of the first part with which it becomes one */
} condition;

#define TEXT(...) fzi_arena_printf(s->arena, __VA_ARGS__)

static inline bool is_binary(const fzi_node *node, int op)
{
    return node->kind == N_E_BINARY && node->op == op;
}

static inline bool is_name(const fzi_node *node, const char *name)
{
    return node->kind == N_E_NAME && strcmp(node->name, name) == 0;
}

static inline bool is_number(const fzi_node *node, int64_t number)
{
    return node->kind == N_E_INT && node->number == number;
}

/* `x not in S` is written without the sign of its node. */
static inline const fzi_node *denied_membership(const fzi_node *node)
{
    const fzi_node *inner = node->kind == N_E_UNARY && node->op == FZ_T_NOT ? node->operand : NULL;

    return inner && is_binary(inner, FZ_T_IN) ? inner : NULL;
}

static inline enum tightness tightness_of_operator(int op)
{
    switch (op) {
    case FZ_T_OR: return ANY_OR;
    case FZ_T_AND: return ANY_AND;
    case FZ_T_RANGE: return ANY_RANGE;
    case FZ_T_UNITE: return UNITED;
    case FZ_T_MEET: return MET;
    case FZ_T_PLUS:
    case FZ_T_MINUS: return ADDED;
    case FZ_T_TIMES:
    case FZ_T_DIVIDE:
    case FZ_T_MODULO: return MULTIPLIED;
    default: return COMPARED;
    }
}

static inline enum tightness tightness_of(const fzi_node *node)
{
    switch (node->kind) {
    case N_E_BINARY: return tightness_of_operator(node->op);
    case N_E_UNARY:
        return node->op != FZ_T_NOT ? SIGNED : denied_membership(node) ? COMPARED : ANY_NOT;
    case N_E_IF:
    case N_E_OVER:
    case N_E_AS: return LOOSE;
    default: return WHOLE;
    }
}

static inline bool is_call(const fzi_node *node, const char *name, size_t arguments)
{
    return node->kind == N_E_CALL && strcmp(node->name, name) == 0 &&
           fzi_list_length(node->arguments) == arguments;
}

/* The text in parentheses unless it holds together as needed. */
static inline const char *within(shortening *s, written text, enum tightness needed)
{
    return text.tight < needed ? TEXT("(%s)", text.text) : text.text;
}

/* Is there a comment in this place? */
static inline bool has_comment(const shortening *s, fzi_span span)
{
    const char *comment = strstr(s->text + span.start, "//");

    return comment && comment < s->text + span.end;
}

/* ---- shorter_sets.c ---- */

/* Is it surely a set, by its form? */
bool fzi_shorter_is_set(const fzi_node *node);
/* Adds the conditions between which the operator stands; returns how many there are, which may be
 * more than FZ_SHORTER_PARTS. */
size_t fzi_shorter_parts_of(const fzi_node *node, int op, condition *parts, size_t count);
written fzi_shorter_joined_memberships(shortening *s, const fzi_node *node);
/* Does a node of the list, or below it, have the name? */
bool fzi_shorter_mentions(const fzi_node *list, const char *name);
/* The parts of the condition of `{for x in S if …}`, and how many say where x is. */
size_t fzi_shorter_filters_of(const fzi_node *node, condition *parts, size_t *count);
written fzi_shorter_narrowed(shortening *s, const fzi_node *loop);
/* What is left of an `if` behind a loop that has taken parts of it; NULL: all. */
const char *fzi_shorter_rest_of_condition(shortening *s, const fzi_node *option,
                                          const fzi_node *part);
written fzi_shorter_set_for(shortening *s, const fzi_node *node);

/* ---- shorter_values.c ---- */

written fzi_shorter_told_of_members(shortening *s, const fzi_node *node);
written fzi_shorter_count(shortening *s, const fzi_node *node);
written fzi_shorter_denied(shortening *s, const fzi_node *node);
written fzi_shorter_binary(shortening *s, const fzi_node *node);
written fzi_shorter_of_both(shortening *s, const fzi_node *node);
/* The name that stands for a site of the only opponent within this node; NULL. */
const char *fzi_shorter_name_of_foe(const shortening *s, const fzi_node *node);
written fzi_shorter_of_foe(shortening *s, const fzi_node *node);
written fzi_shorter_renamed(shortening *s, const fzi_node *node);

/* ---- shorter_moves.c ---- */

written fzi_shorter_nested_ifs(shortening *s, const fzi_node *node);
/* Do both loops set the same variable to the same number at their sites? */
bool fzi_shorter_mark_alike(const fzi_node *a, const fzi_node *b);
/* Has the statement before this one in the block taken it over? */
bool fzi_shorter_is_marked_before(const fzi_node *block, const fzi_node *part);
written fzi_shorter_marks(shortening *s, const fzi_node *node);
written fzi_shorter_once(shortening *s, const fzi_node *node);
written fzi_shorter_moves(shortening *s, const fzi_node *node);
/* Another declaration that means the same; NULL. */
const char *fzi_shorter_other_name(const shortening *s, const fzi_node *decl);
/* Finds a declaration that is another name of something else. */
void fzi_shorter_find_alias(shortening *s);
written fzi_shorter_table(shortening *s, const fzi_node *node);
/* Finds a choice that takes the place of its generator. */
void fzi_shorter_find_generator(void *user, fzi_node *node);
written fzi_shorter_choice(shortening *s, const fzi_node *node);

#endif
