/* Says movements over the board: directions, and the sets of step, slide, leap and similar
 * calls. */
#include "prose.h"

#include <string.h>

/* ---- directions ---- */

static const struct {
    const char *name, *words;
} directions[] = {{"n", "north"},
                  {"ne", "north-east"},
                  {"e", "east"},
                  {"se", "south-east"},
                  {"s", "south"},
                  {"sw", "south-west"},
                  {"w", "west"},
                  {"nw", "north-west"},
                  {"cw", "clockwise"},
                  {"ccw", "counter-clockwise"},
                  {"up", "up"},
                  {"down", "down"},
                  {"in", "inward"},
                  {"out", "outward"},
                  {"forward", "forward"},
                  {"backward", "backward"},
                  {"left", "to the left"},
                  {"right", "to the right"},
                  {"forward_left", "diagonally forward to the left"},
                  {"forward_right", "diagonally forward to the right"},
                  {"backward_left", "diagonally backward to the left"},
                  {"backward_right", "diagonally backward to the right"},
                  {"orthogonal", "orthogonally"},
                  {"diagonal", "diagonally"},
                  {"adjacent", "in any direction"}};

const char *fzi_say_direction(fzi_prose *p, const char *name)
{
    for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
        if (strcmp(directions[i].name, name) == 0)
            return directions[i].words;
    return fzi_say(p, "in direction %s", name);
}

/* The directions that a union names, through names that stand for unions. */
typedef struct ways {
    const fzi_node *items[16];
    unsigned count;
} ways;

static void collect(fzi_prose *p, const fzi_node *node, ways *found)
{
    fzi_meaning *scope;
    node = fzi_resolved(p, node, &scope);
    const fzi_symbol *symbol = node->kind == N_E_NAME ? node->symbol : NULL;
    bool is_let = symbol && symbol->kind == FZI_SYM_LET && !symbol->param_count && symbol->node &&
                  symbol->node->value && !fzi_phrase_of(p, node) && p->depth < FZI_PROSE_DEPTH;
    if (node->kind == N_E_BINARY && node->op == FZ_T_UNITE) {
        collect(p, node->left, found);
        collect(p, node->right, found);
    } else if (is_let) {
        p->depth++;
        collect(p, symbol->node->value, found);
        p->depth--;
    } else if (found->count < 16) {
        found->items[found->count++] = node;
    }
}

static const fzi_node **find(ways *found, int primitive)
{
    for (unsigned i = 0; i < found->count; i++)
        if (found->items[i] && fzi_names_primitive(found->items[i], primitive))
            return &found->items[i];
    return NULL;
}

static const char *united(fzi_prose *p, const fzi_node *node)
{
    static const struct {
        int one, other;
        const char *words;
    } pairs[] = {{FZI_PRIM_forward_left, FZI_PRIM_forward_right, "diagonally forward"},
                 {FZI_PRIM_backward_left, FZI_PRIM_backward_right, "diagonally backward"},
                 {FZI_PRIM_left, FZI_PRIM_right, "sideways"}};
    ways found = {.count = 0};
    fzi_texts words = {.count = 0}, both = {.count = 0};
    collect(p, node, &found);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const fzi_node **one = find(&found, pairs[i].one), **other = find(&found, pairs[i].other);
        if (!one || !other)
            continue;
        *one = *other = NULL;
        fzi_texts_add(&both, pairs[i].words);
    }
    for (unsigned i = 0; i < found.count; i++)
        if (found.items[i])
            fzi_texts_add(&words, fzi_say_ways(p, found.items[i]));
    for (unsigned i = 0; i < both.count; i++)
        fzi_texts_add(&words, both.items[i]);
    return fzi_english_list(p, &words, "or");
}

static const char *by_name(fzi_prose *p, const fzi_node *node)
{
    const fzi_symbol *symbol = fzi_use_symbol(node);
    if (symbol->kind == FZI_SYM_DIR || symbol->kind == FZI_SYM_PRIMITIVE)
        return fzi_say_direction(p, symbol->name);
    const char *text = fzi_say_phrase(p, node);
    if (!text)
        text = fzi_say_meaning(p, node, fzi_say_ways);
    if (text)
        return text;
    return symbol->kind == FZI_SYM_LOCAL
               ? fzi_say(p, "in %s", fzi_say_local(p, symbol))
               : fzi_say(p, "in the direction%s of %s",
                         node->type && node->type->kind == FZI_TYPE_DIR ? "" : "s",
                         fzi_say_name(p, node));
}

const char *fzi_say_ways(fzi_prose *p, const fzi_node *node)
{
    int64_t value;
    switch (node->kind) {
    case N_E_NAME:
    case N_E_INDEX:
    case N_E_CALL:
        if (fzi_use_symbol(node))
            return by_name(p, node);
        break;
    case N_E_BINARY:
        if (node->op == FZ_T_UNITE)
            return united(p, node);
        if (node->op == FZ_T_MINUS && fzi_names_primitive(node->left, FZI_PRIM_adjacent))
            return fzi_say(p, "in any direction but %s", fzi_say_ways(p, node->right));
        break;
    case N_E_SET: return fzi_say_each(p, node->members, fzi_say_ways, "or");
    case N_E_IF:
        if (fzi_prose_constant(p, node->condition, &value))
            return fzi_say_ways(p, value ? node->then : node->otherwise);
        return fzi_say(p, "%s (if %s) or %s (if not)", fzi_say_ways(p, node->then),
                       fzi_say_condition(p, node->condition), fzi_say_ways(p, node->otherwise));
    default: break;
    }
    return fzi_say(p, "in the directions %s", fzi_say_code(p, node));
}

/* ---- where a move begins ---- */

/* The piece that moves: rules say "one square forward", not "one square forward from it". */
static bool is_origin(const fzi_prose *p, const fzi_node *node)
{
    fzi_meaning *scope;
    node = fzi_resolved(p, node, &scope);
    const fzi_symbol *symbol = node->kind == N_E_NAME ? node->symbol : NULL;
    if (!symbol || symbol->kind != FZI_SYM_LOCAL)
        return false;
    return strcmp(symbol->name, "here") == 0 || strcmp(symbol->name, "from") == 0;
}

static const char *from(fzi_prose *p, const fzi_node *node)
{
    if (is_origin(p, node))
        return "";
    if (node->kind == N_E_BINARY && node->op == FZ_T_MEET && is_origin(p, node->left)) {
        fzi_phrase where = fzi_say_set(p, node->right);
        return fzi_say(p, " from %s", where.whole ? where.whole : fzi_say_one(p, where));
    }
    return fzi_say(p, " from %s", fzi_say_one(p, fzi_say_set(p, node)));
}

/* ---- the primitives ---- */

static const char *squares(fzi_prose *p, const fzi_node *count)
{
    int64_t number;
    if (fzi_prose_constant(p, count, &number))
        return fzi_say(p, "%s %s", fzi_english_number(p, number),
                       number == 1 ? p->site : fzi_english_plural(p, p->site));
    return fzi_say(p, "as many %s as %s", fzi_english_plural(p, p->site), fzi_say_value(p, count));
}

static const char *step(fzi_prose *p, const fzi_node *arguments)
{
    return fzi_say(p, " one %s %s%s", p->site, fzi_say_ways(p, arguments->next),
                   from(p, arguments));
}

static const char *slide(fzi_prose *p, const fzi_node *arguments)
{
    const fzi_node *dirs = arguments->next, *over = dirs->next, *most = over ? over->next : NULL;
    const char *sites = fzi_english_plural(p, p->site);
    const char *far =
        most ? fzi_say(p, "up to %s", squares(p, most)) : fzi_say(p, "any number of %s", sites);
    const char *way = over && !fzi_names_primitive(over, FZI_PRIM_empty)
                          ? fzi_say_all(p, fzi_say_set(p, over))
                          : fzi_say(p, "empty %s", sites);
    return fzi_say(p, " %s %s over %s%s", far, fzi_say_ways(p, dirs), way, from(p, arguments));
}

static const char *leap(fzi_prose *p, const fzi_node *arguments, bool repeats)
{
    int64_t a, b;
    const char *way;
    if (!fzi_prose_constant(p, arguments->next, &a) ||
        !fzi_prose_constant(p, arguments->next->next, &b))
        return " a leap away";
    if (a == b)
        way = fzi_say(p, "exactly %s diagonally", squares(p, arguments->next));
    else if (a == 0 || b == 0)
        way = fzi_say(p, "exactly %s orthogonally",
                      squares(p, a ? arguments->next : arguments->next->next));
    else
        way = fzi_say(p, "%s %s in one direction and %s at a right angle to it",
                      fzi_english_number(p, a > b ? a : b), fzi_english_plural(p, p->site),
                      fzi_english_number(p, a > b ? b : a));
    return repeats ? fzi_say(p, " by any number of leaps, each %s%s", way, from(p, arguments))
                   : fzi_say(p, " %s, over anything%s", way, from(p, arguments));
}

static const char *numbered(fzi_prose *p, const char *word, const fzi_node *number)
{
    int64_t n;
    return fzi_prose_constant(p, number, &n) ? fzi_say(p, "%s %lld", word, (long long)n)
                                             : fzi_say(p, "%s %s", word, fzi_say_value(p, number));
}

static const char *rank(fzi_prose *p, const fzi_node *arguments)
{
    static const char *const ordinals[] = {"nearest", "second",  "third",  "fourth", "fifth",
                                           "sixth",   "seventh", "eighth", "ninth",  "tenth"};
    const int64_t last = sizeof ordinals / sizeof *ordinals;
    int64_t number = 0, rows = p->game->board ? p->game->board->rows : 0;
    bool known = fzi_prose_constant(p, arguments, &number);
    if (!arguments->next)
        return numbered(p, "rank", arguments);
    const char *words = known && number > 1 && number == rows ? "farthest rank"
                        : known && number >= 1 && number <= last
                            ? fzi_say(p, "%s rank", ordinals[number - 1])
                            : fzi_say(p, "rank %s", fzi_say_value(p, arguments));
    return fzi_say(p, "%s %s", fzi_say_owner(p, arguments->next), words);
}

static const char *group(fzi_prose *p, const fzi_node *a)
{
    const char *start = fzi_say_one(p, fzi_say_set(p, a));
    const char *through = fzi_say_all(p, fzi_say_set(p, a->next));
    return a->next->next ? fzi_say(p, " connected %s with %s through %s",
                                   fzi_say_ways(p, a->next->next), start, through)
                         : fzi_say(p, " connected with %s through %s", start, through);
}

bool fzi_say_way(fzi_prose *p, const fzi_node *call, fzi_phrase *phrase)
{
    const fzi_node *a = call->arguments;
    const char *place = NULL, *whole = NULL;
    if (!call->symbol || call->symbol->kind != FZI_SYM_PRIMITIVE)
        return false;
    switch (call->symbol->value) {
    case FZI_PRIM_step: place = step(p, a); break;
    case FZI_PRIM_slide: place = slide(p, a); break;
    case FZI_PRIM_leap: place = leap(p, a, false); break;
    case FZI_PRIM_ride: place = leap(p, a, true); break;
    case FZI_PRIM_ray:
        place = fzi_say(p, " anywhere %s%s", fzi_say_ways(p, a->next), from(p, a));
        break;
    case FZI_PRIM_flood: place = group(p, a); break;
    case FZI_PRIM_between: place = fzi_fill(p, call, " between {1} and {2}"); break;
    case FZI_PRIM_flanked:
    case FZI_PRIM_flanking:
        place = fzi_say(p, " in unbroken rows between %s and %s", fzi_say_one(p, fzi_say_set(p, a)),
                        fzi_say_all(p, fzi_say_set(p, a->next->next)));
        break;
    case FZI_PRIM_rank: whole = rank(p, a); break;
    case FZI_PRIM_file: whole = numbered(p, "file", a); break;
    case FZI_PRIM_side: whole = numbered(p, "side", a); break;
    case FZI_PRIM_layer: whole = numbered(p, "layer", a); break;
    default: return false;
    }
    phrase->whole = whole;
    phrase->place = whole ? fzi_say(p, " on %s", whole) : place;
    return true;
}
