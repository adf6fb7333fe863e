/* Says sets as nouns. */
#include "prose.h"

#include <string.h>

#include "grammar/whole_game/whole_game.h"

/* ---- phrases ---- */

static const char *with_adjective(fzi_prose *p, fzi_phrase ph, const char *noun)
{
    if (ph.is_piece && strcmp(ph.adjective, "own") == 0)
        return fzi_say(p, "%s of %s%s", noun, p->me, ph.place);
    return fzi_say(p, "%s%s%s%s", ph.adjective, *ph.adjective ? " " : "", noun, ph.place);
}

const char *fzi_say_one(fzi_prose *p, fzi_phrase ph)
{
    if (ph.whole && ph.is_single)
        return ph.whole;
    return fzi_english_one(p, with_adjective(p, ph, ph.noun));
}

const char *fzi_say_all(fzi_prose *p, fzi_phrase ph)
{
    if (ph.whole && !*ph.adjective && !ph.is_piece)
        return ph.whole;
    return with_adjective(p, ph, fzi_english_plural(p, ph.noun));
}

const char *fzi_say_is(fzi_prose *p, fzi_phrase ph)
{
    if (ph.whole && ph.is_single)
        return fzi_say(p, "is %s", ph.whole);
    if (ph.is_piece)
        return fzi_say(p, "is %s", fzi_say_one(p, ph));
    if (*ph.adjective && *ph.place)
        return fzi_say(p, "is %s%s%s", ph.adjective, *ph.place == ',' ? "" : " and", ph.place);
    if (!*ph.adjective && !*ph.place)
        return ph.whole ? fzi_say(p, "is on %s", ph.whole) : "is on the board";
    return fzi_say(p, "is%s%s%s", *ph.adjective ? " " : "", ph.adjective, ph.place);
}

static fzi_phrase sites(fzi_prose *p)
{
    return (fzi_phrase){.adjective = "", .noun = p->site, .place = ""};
}

static fzi_phrase named(fzi_prose *p, const char *whole, bool is_single)
{
    return (fzi_phrase){.adjective = "",
                        .noun = p->site,
                        .whole = whole,
                        .is_single = is_single,
                        .place = fzi_say(p, " on %s", whole)};
}

static fzi_phrase pieces(const char *adjective, const char *noun, const char *place)
{
    return (fzi_phrase){.adjective = adjective, .noun = noun, .place = place, .is_piece = true};
}

/* ---- operators ---- */

static const char *joined(fzi_prose *p, const char *a, const char *b)
{
    return *a && *b && strcmp(a, b) != 0 ? fzi_say(p, "%s, %s", a, b) : *a ? a : b;
}

static fzi_phrase meet(fzi_prose *p, fzi_phrase a, fzi_phrase b)
{
    if (b.is_piece && !a.is_piece) { /* the noun is that of the pieces; places follow it */
        fzi_phrase swapped = a;
        a = b;
        b = swapped;
    }
    fzi_phrase both = a;
    both.whole = NULL;
    both.is_single = false;
    both.adjective = joined(p, b.adjective, a.adjective);
    if (a.is_piece && b.is_piece && strcmp(a.noun, "piece") == 0)
        both.noun = b.noun;
    else if (!a.is_piece && strcmp(a.noun, p->site) == 0)
        both.noun = b.noun;
    if (*a.place && *b.place)
        both.place = fzi_say(p, "%s%s%s", a.place, *b.place == ',' ? "" : " and", b.place);
    else
        both.place = *a.place ? a.place : b.place;
    return both;
}

static fzi_phrase unite(fzi_prose *p, fzi_phrase a, fzi_phrase b)
{
    fzi_phrase either = a;
    if (a.whole && b.whole && !a.is_piece)
        return named(p, fzi_say(p, "%s and %s", a.whole, b.whole), false);
    if (a.is_piece && b.is_piece && !a.whole && !b.whole && strcmp(a.place, b.place) == 0 &&
        strcmp(a.adjective, b.adjective) == 0 && strcmp(a.noun, b.noun) != 0) {
        either.noun = fzi_say(p, "%s or %s", a.noun, b.noun);
        return either;
    }
    bool alike = strcmp(a.adjective, b.adjective) == 0 && strcmp(a.noun, b.noun) == 0;
    if (alike && *a.place && *b.place) {
        either.place = fzi_say(p, "%s or%s", a.place, b.place);
    } else if (alike && strcmp(a.place, b.place) == 0) {
        return a;
    } else if (strcmp(a.place, b.place) == 0 && strcmp(a.noun, b.noun) == 0 && *a.adjective &&
               *b.adjective) {
        either.adjective = fzi_say(p, "%s or %s", a.adjective, b.adjective);
    } else {
        either =
            pieces("", fzi_say(p, "%s or %s", with_adjective(p, a, a.noun), fzi_say_one(p, b)), "");
        either.is_piece = a.is_piece;
    }
    either.whole = NULL;
    either.is_single = false;
    return either;
}

static fzi_phrase without(fzi_prose *p, fzi_phrase a, fzi_phrase b)
{
    fzi_phrase rest = a;
    rest.whole = NULL;
    rest.is_single = false;
    const char *out = b.whole ? b.whole : fzi_say_all(p, b);
    rest.place = a.whole && !a.is_piece ? fzi_say(p, " on %s, but not on %s", a.whole, out)
                                        : fzi_say(p, "%s, except %s", a.place, out);
    return rest;
}

/* "the square two squares forward from the piece" */
static fzi_phrase stepped(fzi_prose *p, const fzi_node *node)
{
    fzi_meaning *before = p->meanings, *scope = before;
    const fzi_node *start = fzi_resolved(p, node->left, &scope);
    int64_t steps = 1;
    while (start->kind == N_E_BINARY && start->op == FZ_T_PLUS && node->op == FZ_T_PLUS &&
           fzi_same_code(start->right, node->right)) {
        p->meanings = scope;
        start = fzi_resolved(p, start->left, &scope);
        steps++;
    }
    p->meanings = scope;
    const char *from = fzi_say_value(p, start);
    p->meanings = before;
    const char *back = node->op == FZ_T_MINUS ? "opposite to " : "";
    const char *far = steps == 1 ? fzi_say(p, "one %s", p->site)
                                 : fzi_say(p, "%s %s", fzi_english_number(p, steps),
                                           fzi_english_plural(p, p->site));
    return named(p,
                 fzi_say(p, "the %s %s %s%s from %s", p->site, far, back,
                         fzi_say_ways(p, node->right), from),
                 true);
}

static fzi_phrase binary(fzi_prose *p, const fzi_node *node)
{
    switch (node->op) {
    case FZ_T_MEET: return meet(p, fzi_say_set(p, node->left), fzi_say_set(p, node->right));
    case FZ_T_UNITE: return unite(p, fzi_say_set(p, node->left), fzi_say_set(p, node->right));
    case FZ_T_MINUS: return without(p, fzi_say_set(p, node->left), fzi_say_set(p, node->right));
    default: break;
    }
    if (node->type && node->type->kind == FZI_TYPE_SITE)
        return stepped(p, node);
    fzi_phrase moved = sites(p);
    moved.place = fzi_say(p, " one %s %s from %s", p->site, fzi_say_ways(p, node->right),
                          fzi_say_one(p, fzi_say_set(p, node->left)));
    return moved;
}

/* ---- members listed or chosen ---- */

static fzi_phrase listed(fzi_prose *p, const fzi_node *members)
{
    if (!members)
        return (fzi_phrase){.adjective = "", .noun = p->site, .whole = "nothing", .place = ""};
    fzi_texts texts = {.count = 0};
    for (const fzi_node *m = members; m; m = m->next)
        fzi_texts_add(&texts, fzi_say_value(p, m));
    fzi_phrase set = named(p, fzi_english_list(p, &texts, "and"), !members->next);
    set.place = fzi_say(p, " on %s", fzi_english_list(p, &texts, "or"));
    return set;
}

static fzi_phrase chosen(fzi_prose *p, const fzi_node *node)
{
    fzi_phrase set = fzi_say_set(p, node->set);
    fzi_meaning *before = p->meanings;
    if (!node->condition)
        return set;
    fzi_mean(p, node->symbol, NULL, fzi_say(p, "the %s", set.noun));
    const char *condition = fzi_say_condition(p, node->condition);
    p->meanings = before;
    set.place = fzi_say(p, "%s where %s", set.place, condition);
    set.whole = NULL;
    set.is_single = false;
    return set;
}

static fzi_phrase either(fzi_prose *p, const fzi_node *node)
{
    int64_t value;
    if (fzi_prose_constant(p, node->condition, &value))
        return fzi_say_set(p, value ? node->then : node->otherwise);
    const char *condition = fzi_say_condition(p, node->condition);
    fzi_phrase set = sites(p);
    fzi_phrase a = fzi_say_set(p, node->then), b = fzi_say_set(p, node->otherwise);
    set.place = fzi_say(p, "%s if %s, otherwise%s%s", a.place, condition, *b.place ? "" : " ",
                        *b.place ? b.place : fzi_say_all(p, b));
    return set;
}

static fzi_phrase of_each(fzi_prose *p, const fzi_node *node)
{
    fzi_meaning *before = p->meanings;
    for (const fzi_node *b = node->binders; b; b = b->next)
        fzi_mean_each(p, b, "each");
    fzi_phrase set = node->op == FZ_T_UNION ? fzi_say_set(p, node->body) : sites(p);
    if (node->op != FZ_T_UNION)
        set = named(p, fzi_say_value(p, node), true);
    else if (node->condition)
        set.place = fzi_say(p, "%s, if %s", set.place, fzi_say_condition(p, node->condition));
    p->meanings = before;
    return set;
}

/* ---- names ---- */

static fzi_phrase primitive(fzi_prose *p, const fzi_node *node)
{
    fzi_phrase set = sites(p);
    switch (node->symbol->value) {
    case FZI_PRIM_empty: set.adjective = "empty"; return set;
    case FZI_PRIM_occupied: return pieces("", "piece", "");
    case FZI_PRIM_corners:
        set.whole = "the corners";
        set.place = " in a corner";
        return set;
    case FZI_PRIM_border:
        set.whole = "the edge of the board";
        set.place = " at the edge";
        return set;
    case FZI_PRIM_centre:
        set.whole = "the centre";
        set.place = " in the centre";
        return set;
    case FZI_PRIM_reveal: return fzi_say_set(p, node->arguments);
    case FZI_PRIM_cells: set.noun = "cell"; return set;
    case FZI_PRIM_edges: set.noun = "edge"; return set;
    case FZI_PRIM_vertices: set.noun = "vertex"; return set;
    default: break;
    }
    if (node->kind == N_E_CALL && fzi_say_way(p, node, &set))
        return set;
    return named(p, fzi_say_primitive(p, node), true);
}

/* Of a kind that has an article: "pawn" of "a pawn", "piece of that kind". */
static const char *bare_noun(fzi_prose *p, const char *noun)
{
    bool is_kind = strcmp(noun, "a kind") == 0 || strncmp(noun, "a kind of ", 10) == 0;
    if (!is_kind && strncmp(noun, "a ", 2) == 0)
        return noun + 2;
    if (strncmp(noun, "an ", 3) == 0)
        return noun + 3;
    bool is_known = strncmp(noun, "the ", 4) == 0 || strncmp(noun, "that ", 5) == 0;
    return is_kind || is_known ? fzi_say(p, "piece of %s", noun) : noun;
}

/* A template of a set has its noun in braces, as {piece}, {site} or a parameter that is a kind, or
 * names the whole set. */
static fzi_phrase from_template(fzi_prose *p, const fzi_node *use, const char *rule)
{
    static const char *const nouns[] = {"{piece}", "{site}", "{k}"};
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
        const char *at = strstr(rule, nouns[i]);
        if (!at || (at > rule && at[-1] != ' '))
            continue;
        const char *noun = i == 0 ? "piece" : bare_noun(p, fzi_fill(p, use, nouns[i]));
        const char *before = fzi_say(p, "%.*s", (int)(at - rule - (at > rule)), rule);
        const char *place = fzi_fill(p, use, at + strlen(nouns[i]));
        const char *mine = fzi_say(p, " of %s", p->me);
        fzi_phrase set = pieces(fzi_fill(p, use, before), noun, place);
        set.is_piece = i != 1;
        if (strcmp(place, mine) == 0) {
            set.adjective = "own";
            set.place = "";
        }
        return set;
    }
    return named(p, fzi_fill(p, use, rule), false);
}

static fzi_phrase by_name(fzi_prose *p, const fzi_node *use)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    if (symbol->kind == FZI_SYM_PRIMITIVE)
        return primitive(p, use);
    if (symbol->kind == FZI_SYM_TYPE)
        return sites(p);
    fzi_meaning *before;
    const fzi_node *local =
        symbol->kind == FZI_SYM_LOCAL ? fzi_open_local(p, symbol, &before) : NULL;
    if (local) {
        fzi_phrase set = fzi_say_set(p, local);
        fzi_close_value(p, before);
        return set;
    }
    if (symbol->kind == FZI_SYM_LOCAL || symbol->kind == FZI_SYM_SITE)
        return named(p, symbol->kind == FZI_SYM_SITE ? symbol->name : fzi_say_local(p, symbol),
                     true);
    const char *rule = fzi_phrase_of(p, use);
    const char *noun = rule || !symbol->node || fzi_is_library(symbol->node) || symbol->param_count
                           ? NULL
                           : fzi_comment_noun(p, symbol->node);
    bool is_single = symbol->type && symbol->type->kind == FZI_TYPE_SITE;
    if (rule)
        return from_template(p, use, rule);
    if (noun)
        return named(p, noun, is_single);
    const fzi_node *value = symbol->kind == FZI_SYM_VAR ? NULL : fzi_open_value(p, use, &before);
    if (!value)
        return named(p, fzi_say_name(p, use), is_single);
    fzi_phrase set = fzi_say_set(p, value);
    fzi_close_value(p, before);
    if (strlen(set.place) > FZI_PROSE_LONGEST || strlen(set.noun) > FZI_PROSE_LONGEST)
        return named(p, fzi_say_name(p, use), is_single);
    return set;
}

fzi_phrase fzi_say_set(fzi_prose *p, const fzi_node *node)
{
    const fzi_node *lifted =
        node->kind == N_E_CALL || node->kind == N_E_INDEX ? fzi_lifted_value(p, node) : NULL;
    if (lifted) {
        p->lifted++;
        fzi_phrase set = either(p, lifted);
        p->lifted--;
        return set;
    }
    switch (node->kind) {
    case N_E_BINARY: return binary(p, node);
    case N_E_SET: return listed(p, node->members);
    case N_E_SET_FOR: return chosen(p, node);
    case N_E_IF: return either(p, node);
    case N_E_OVER: return of_each(p, node);
    case N_E_AS: return fzi_say_set(p, node->body);
    case N_E_UNARY:
        if (node->op == FZ_T_TILDE) {
            fzi_phrase set = sites(p);
            set.place = fzi_say(p, " outside %s", fzi_say_all(p, fzi_say_set(p, node->operand)));
            return set;
        }
        break;
    case N_E_NAME:
    case N_E_INDEX:
    case N_E_CALL:
        if (fzi_use_symbol(node))
            return by_name(p, node);
        break;
    default: break;
    }
    /* fzi_say_value asks here about all other values that mean sites, such as tables of sets. */
    bool is_value = node->kind == N_E_MEMBER || !node->type || !fzi_means_sites(node->type);
    return named(p, is_value ? fzi_say_value(p, node) : fzi_say_code(p, node), true);
}
