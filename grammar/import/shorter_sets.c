/* Memberships as sets. See shorter.c. */
#include "shorter.h"

/* Types and kinds of pieces are words with a capital letter; those of the language have none. */
static bool is_type(const char *name)
{
    static const char *const types[] = {"site", "player", "kind", "dir", "int", "bool"};
    bool found = *name >= 'A' && *name <= 'Z' && name[1] >= 'a' && name[1] <= 'z';

    for (size_t i = 0; i < sizeof types / sizeof *types && !found; i++)
        found = strcmp(types[i], name) == 0;
    return found;
}

bool fzi_shorter_is_set(const fzi_node *node)
{
    switch (node->kind) {
    case N_E_NAME: return !is_type(node->name);
    case N_E_CALL:
    case N_E_SET:
    case N_E_SET_FOR:
    case N_E_INDEX: return true;
    case N_E_BINARY:
        return (node->op == FZ_T_UNITE || node->op == FZ_T_MEET || node->op == FZ_T_MINUS) &&
               fzi_shorter_is_set(node->left);
    default: return false;
    }
}

size_t fzi_shorter_parts_of(const fzi_node *node, int op, condition *parts, size_t count)
{
    if (is_binary(node, op)) {
        count = fzi_shorter_parts_of(node->left, op, parts, count);
        return fzi_shorter_parts_of(node->right, op, parts, count);
    }
    const fzi_node *denied = denied_membership(node), *in = denied ? denied : node;
    bool belongs = is_binary(in, FZ_T_IN) && fzi_shorter_is_set(in->right);
    if (count < FZ_SHORTER_PARTS)
        parts[count] = (condition){.whole = node,
                                   .subject = belongs ? in->left : NULL,
                                   .set = belongs ? in->right : NULL,
                                   .denied = denied,
                                   .joined = count};
    return count + 1;
}

/* A set, or all that is outside of it. */
typedef struct some_sites {
    written text;
    bool denied;
} some_sites;

static some_sites sites_of(shortening *s, const condition *p)
{
    written own = s->rule(s, p->set);

    if (!own.text)
        own = (written){s->copy(s, p->set), tightness_of(p->set)};
    return (some_sites){own, p->denied};
}

/* What is in both, or in either. `A & B - C` is A & (B - C), and so what is in both A and B but not
 * in C. */
static some_sites join(shortening *s, some_sites a, some_sites b, bool either)
{
    bool minus = a.denied != b.denied;
    enum tightness tight = minus ? ADDED : either != a.denied ? UNITED : MET;

    if (minus && a.denied) {
        some_sites swapped = a;
        a = b;
        b = swapped;
    }
    enum tightness left = minus ? MET : tight, right = minus ? SIGNED : tight;
    bool apart = tight == UNITED && a.text.tight != UNITED,
         other = tight == UNITED && b.text.tight != UNITED;
    const char *text = TEXT("%s %s %s", within(s, a.text, apart ? SIGNED : left),
                            minus             ? "-"
                            : tight == UNITED ? "|"
                                              : "&",
                            within(s, b.text, other ? SIGNED : right));
    tight = minus && a.text.tight == MET ? MET : tight;
    return (some_sites){{text, tight}, a.denied && b.denied};
}

/* Finds memberships of one subject; false: there are none that can become one. */
static bool join_parts(condition *parts, size_t count, bool either)
{
    bool any = false;

    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < i && parts[i].joined == i; n++)
            if (parts[i].set && parts[n].set && (!either || parts[i].denied == parts[n].denied) &&
                fzi_same_tree(parts[n].subject, parts[i].subject)) {
                parts[i].joined = parts[n].joined;
                any = true;
            }
    return any;
}

/* `x in A or x in B` is `x in A | B`, `x in A and x not in B` is `x in A - B`. */
written fzi_shorter_joined_memberships(shortening *s, const fzi_node *node)
{
    condition parts[FZ_SHORTER_PARTS];
    fzi_growing text = {0};
    bool either = node->op == FZ_T_OR;
    size_t count = fzi_shorter_parts_of(node, node->op, parts, 0), left = 0;

    if (count > FZ_SHORTER_PARTS || !join_parts(parts, count, either))
        return (written){0};
    for (size_t i = 0; i < count; i++) {
        if (parts[i].joined != i)
            continue;
        some_sites all = {0};
        for (size_t n = i + 1; n < count; n++)
            if (parts[n].joined == i)
                all = join(s, all.text.text ? all : sites_of(s, &parts[i]), sites_of(s, &parts[n]),
                           either);
        fzi_grow_z(s->arena, &text, left++ == 0 ? "" : either ? " or " : " and ");
        fzi_grow_z(s->arena, &text,
                   !all.text.text ? s->say(s, parts[i].whole, either ? ANY_AND : ANY_NOT)
                                  : TEXT("%s %s %s", s->say(s, parts[i].subject, ANY_RANGE),
                                         all.denied ? "not in" : "in", all.text.text));
    }
    return (written){text.text, left > 1 ? tightness_of(node) : COMPARED};
}

static bool is_its_name(const fzi_node *node, const void *name)
{
    return node->kind == N_E_NAME && strcmp(node->name, name) == 0;
}

bool fzi_shorter_mentions(const fzi_node *list, const char *name)
{
    return fzi_tree_any(list, is_its_name, name);
}

/* Does the condition only say where the member of a set is? */
static bool is_of_member(const condition *p, const char *name)
{
    return p->set && is_name(p->subject, name) && !fzi_shorter_mentions(p->set, name);
}

/* The parts of the condition of `{for x in S if …}`, and how many say where x is. */
size_t fzi_shorter_filters_of(const fzi_node *node, condition *parts, size_t *count)
{
    size_t found = 0;

    if (!fzi_shorter_is_set(node->set) && !is_name(node->set, "site"))
        return 0;
    *count = fzi_shorter_parts_of(node->condition, FZ_T_AND, parts, 0);
    for (size_t i = 0; *count <= FZ_SHORTER_PARTS && i < *count; i++)
        found += is_of_member(&parts[i], node->name);
    return found;
}

/* The members of the set of a loop; without text: all sites. */
static some_sites members_of(shortening *s, const fzi_node *set)
{
    return is_name(set, "site") ? (some_sites){0} : sites_of(s, &(condition){.set = set});
}

/* Those of the set that the condition keeps. */
static some_sites narrow(shortening *s, some_sites set, const condition *part)
{
    return set.text.text ? join(s, set, sites_of(s, part), false) : sites_of(s, part);
}

static written without_denial(shortening *s, some_sites set)
{
    return set.denied ? (written){TEXT("~%s", within(s, set.text, SIGNED)), SIGNED} : set.text;
}

/* `{for x in S if x in A and C}` is `{for x in S & A if C}`. */
static written filtered(shortening *s, const fzi_node *node)
{
    condition parts[FZ_SHORTER_PARTS];
    some_sites set;
    fzi_growing rest = {0};
    size_t count;

    if (!fzi_shorter_filters_of(node, parts, &count))
        return (written){0};
    set = members_of(s, node->set);
    for (size_t i = 0; i < count; i++)
        if (is_of_member(&parts[i], node->name))
            set = narrow(s, set, &parts[i]);
        else
            fzi_grow_z(
                s->arena, &rest,
                TEXT("%s%s", rest.length ? " and " : "", s->say(s, parts[i].whole, ANY_NOT)));
    return rest.length ? (written){TEXT("{for %s in %s if %s}", node->name,
                                        without_denial(s, set).text, rest.text),
                                   WHOLE}
                       : without_denial(s, set);
}

/* The name in `for x in S, y in T` of which the condition only says where it is; NULL. */
static const fzi_node *narrowed_by(const fzi_node *loop, const condition *c)
{
    const fzi_node *found = NULL;

    for (const fzi_node *b = loop->binders; b && c->set; b = b->next)
        if (found && fzi_shorter_mentions(c->set, b->name))
            return NULL; /* it is not known there */
        else if (is_of_member(c, b->name) &&
                 (fzi_shorter_is_set(b->set) || is_name(b->set, "site")))
            found = b;
    return found;
}

/* The parts of the condition that follows such a loop, and how many narrow a set of it. */
static size_t filters_behind(const fzi_node *loop, condition *parts, size_t *count)
{
    const fzi_node *quant = loop->kind == N_Q_FOR ? loop->next : NULL;
    size_t found = 0;

    if (!quant || quant->kind != N_Q_IF)
        return 0;
    *count = fzi_shorter_parts_of(quant->condition, FZ_T_AND, parts, 0);
    for (size_t i = 0; *count <= FZ_SHORTER_PARTS && i < *count; i++)
        found += narrowed_by(loop, &parts[i]) != NULL;
    return found;
}

/* `for x in S if x in A and C` is `for x in S & A if C`: here is what comes before the `if`. */
written fzi_shorter_narrowed(shortening *s, const fzi_node *loop)
{
    condition parts[FZ_SHORTER_PARTS];
    size_t count;
    fzi_growing text = {0};

    if (!filters_behind(loop, parts, &count))
        return (written){0};
    for (const fzi_node *b = loop->binders; b; b = b->next) {
        some_sites set = members_of(s, b->set);
        for (size_t i = 0; i < count; i++)
            if (narrowed_by(loop, &parts[i]) == b)
                set = narrow(s, set, &parts[i]);
        const char *all = set.text.text ? without_denial(s, set).text : "site";
        fzi_grow_z(s->arena, &text, TEXT("%s%s in %s", text.length ? ", " : "for ", b->name, all));
    }
    return (written){text.text, WHOLE};
}

/* What is left of the `if` behind such a loop; NULL: all. */
const char *fzi_shorter_rest_of_condition(shortening *s, const fzi_node *option,
                                          const fzi_node *part)
{
    condition parts[FZ_SHORTER_PARTS];
    fzi_growing rest = {0};
    const fzi_node *loop = option->kind == N_OPTION ? option->quants : NULL;
    size_t count;

    while (loop && loop->next != part)
        loop = loop->next;
    if (!loop || !filters_behind(loop, parts, &count))
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (!narrowed_by(loop, &parts[i]))
            fzi_grow_z(
                s->arena, &rest,
                TEXT("%s%s", rest.length ? " and " : "if ", s->say(s, parts[i].whole, ANY_NOT)));
    return rest.text ? rest.text : "";
}

/* Sets of a set: `{for x in {for x in S if A} if B}` is `{for x in S if A and B}`. */
written fzi_shorter_set_for(shortening *s, const fzi_node *node)
{
    const fzi_node *inner = node->set;

    if (!node->condition)
        return (written){0};
    if (inner->kind != N_E_SET_FOR || !inner->condition || strcmp(inner->name, node->name) != 0)
        return filtered(s, node);
    const char *set = s->say(s, inner->set, LOOSE);
    const char *first = s->say(s, inner->condition, ANY_AND);
    return (written){TEXT("{for %s in %s if %s and %s}", node->name, set, first,
                          s->say(s, node->condition, ANY_NOT)),
                     WHOLE};
}
