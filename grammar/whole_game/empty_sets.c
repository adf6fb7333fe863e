/* Finds sets of sites that are always empty, and warns. Every site is of one sort: it is empty, or
 * has a piece of me, of an ally, of an enemy, or of nobody. A set of sites has bounds: the sorts
 * that its members can have, and the sorts that it contains completely. Sets that do not depend on
 * the position are also computed on the board. */
#include "whole_game.h"

#include "interp/support/words.h"

enum {
    EMPTY = 1, MINE = 2, ALLIED = 4, THEIRS = 8, NEUTRAL = 16,
    OCCUPIED = MINE | ALLIED | THEIRS | NEUTRAL,
    ALL = EMPTY | OCCUPIED
};

/* `MAX_WORK` bounds a question: nested lets may double the work at each level. */
enum { MAX_DEPTH = 30, MAX_WORDS = 16, MAX_WORK = 1000 };

typedef struct sorts {
    unsigned some, every; /* `every` is a part of `some`, but for sites outside of the board */
} sorts;

static const sorts unknown = {ALL, 0};

/* ---- by the position ---- */

/* Names of the prelude keep their meaning unless the game overrides a function that they use. */
static bool is_plain(const fzi_checker *c, const fzi_symbol *symbol)
{
    static const char *const stand_on[] = {"owned", "allied", "mine", "theirs", "friends", "foe"};
    if (symbol->node && symbol->node->flags & FZ_NODE_OVERRIDE)
        return false;
    for (size_t i = 0; i < sizeof stand_on / sizeof *stand_on; i++) {
        const fzi_symbol *found = fzi_game_find(c->game, stand_on[i], -1);
        if (!found || !found->node || found->node->flags & FZ_NODE_OVERRIDE)
            return false;
    }
    return true;
}

/* Is it a name of every game? */
static bool is_named(const fzi_checker *c, const fzi_symbol *symbol, const char *name)
{
    return strcmp(symbol->name, name) == 0 &&
           (!symbol->span.source || fzi_entry_of(symbol)->home == fzi_unit_prelude(c->unit));
}

static sorts of_owner(const fzi_checker *c, const fzi_node *player)
{
    const fzi_symbol *symbol = player->kind == N_E_NAME ? player->symbol : NULL;
    if (fzi_names_primitive(player, FZI_PRIM_me))
        return (sorts){MINE, MINE};
    if (fzi_names_primitive(player, FZI_PRIM_nobody))
        return (sorts){NEUTRAL, NEUTRAL};
    if (symbol && symbol->kind == FZI_SYM_LET && is_named(c, symbol, "foe"))
        return (sorts){THEIRS, 0};
    return (sorts){OCCUPIED, 0};
}

static sorts sorts_of(const fzi_checker *c, const fzi_node *node, int depth);

static sorts of_name(const fzi_checker *c, const fzi_node *node, int depth)
{
    static const struct {
        const char *name;
        sorts sorts;
    } names[] = {
        {"mine", {MINE, MINE}}, {"theirs", {THEIRS, THEIRS}},
        {"friends", {MINE | ALLIED, MINE | ALLIED}}, {"neutral", {NEUTRAL, NEUTRAL}},
    };
    const fzi_symbol *symbol = node->symbol;
    if (!symbol)
        return unknown;
    if (fzi_names_primitive(node, FZI_PRIM_empty))
        return (sorts){EMPTY, EMPTY};
    if (fzi_names_primitive(node, FZI_PRIM_occupied))
        return (sorts){OCCUPIED, OCCUPIED};
    if (symbol->kind == FZI_SYM_LOCAL && symbol->local == FZI_LOCAL_HERE_TO &&
        is_named(c, symbol, "here") && is_plain(c, symbol))
        return (sorts){MINE, 0};
    if (symbol->kind != FZI_SYM_LET || symbol->node->params || !symbol->node->value)
        return unknown;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_named(c, symbol, names[i].name) && is_plain(c, symbol))
            return names[i].sorts;
    return sorts_of(c, symbol->node->value, depth + 1);
}

static sorts of_call(const fzi_checker *c, const fzi_node *node, int depth)
{
    const fzi_symbol *symbol = node->symbol;
    if (!symbol || symbol->kind != FZI_SYM_FN || !is_plain(c, symbol))
        return unknown;
    if (is_named(c, symbol, "owned") && node->arguments && !node->arguments->next)
        return of_owner(c, node->arguments);
    if (is_named(c, symbol, "pieces") && node->arguments) {
        sorts found = node->arguments->next ? of_owner(c, node->arguments->next) : unknown;
        return (sorts){found.some & OCCUPIED, 0};
    }
    return symbol->node->value ? sorts_of(c, symbol->node->value, depth + 1) : unknown;
}

static sorts of_binary(const fzi_checker *c, const fzi_node *node, int depth)
{
    sorts a = sorts_of(c, node->left, depth + 1), b = sorts_of(c, node->right, depth + 1);
    switch (node->op) {
    case FZ_T_UNITE: return (sorts){a.some | b.some, a.every | b.every};
    case FZ_T_MEET: return (sorts){a.some & b.some, a.every & b.every};
    case FZ_T_MINUS: return (sorts){a.some & ~b.every, a.every & ~b.some};
    default: return unknown;
    }
}

static sorts sorts_of(const fzi_checker *c, const fzi_node *node, int depth)
{
    if (depth > MAX_DEPTH || !*c->work_left)
        return unknown;
    --*c->work_left;
    switch (node->kind) {
    case N_E_NAME: return of_name(c, node, depth);
    case N_E_CALL: return of_call(c, node, depth);
    case N_E_BINARY: return of_binary(c, node, depth);
    case N_E_UNARY: {
        sorts a = sorts_of(c, node->operand, depth + 1);
        return node->op == FZ_T_TILDE ? (sorts){ALL & ~a.every, ALL & ~a.some} : unknown;
    }
    case N_E_SET: {
        sorts all = {0, 0};
        for (const fzi_node *member = node->members; member; member = member->next)
            all.some |= sorts_of(c, member, depth + 1).some;
        return all;
    }
    case N_E_SET_FOR: return (sorts){sorts_of(c, node->set, depth + 1).some, 0};
    case N_E_IF: {
        sorts a = sorts_of(c, node->then, depth + 1), b = sorts_of(c, node->otherwise, depth + 1);
        return (sorts){a.some | b.some, a.every & b.every};
    }
    default: return unknown;
    }
}

/* ---- on the board ---- */

static bool named_set(const fzi_checker *c, const fzi_node *node, uint64_t *words)
{
    const fzi_symbol *symbol = node->symbol;
    int64_t n = 0;
    if (!symbol || symbol->kind != FZI_SYM_PRIMITIVE || symbol->value >= FZI_PIECE_MOVES)
        return false;
    if (node->kind == N_E_CALL &&
        (symbol->value < FZI_PRIM_rank || symbol->value > FZI_PRIM_side || !node->arguments ||
         node->arguments->next || !fzi_constant(c, node->arguments, &n)))
        return false;
    if (node->kind == N_E_NAME &&
        (symbol->value < FZI_PRIM_corners || symbol->value > FZI_PRIM_centre))
        return false;
    return fzi_board_named_set(c->game->board, symbol->name, n, words);
}

/* The sites of a set that does not depend on the position; false: it may. */
static bool on_board(const fzi_checker *c, const fzi_node *node, uint64_t *words, int depth)
{
    uint64_t right[MAX_WORDS] = {0};
    memset(words, 0, MAX_WORDS * sizeof *words);
    node = fzi_let_value(node);
    if (depth > MAX_DEPTH || !*c->work_left || !c->game->board ||
        c->game->board->site_count > 64 * MAX_WORDS)
        return false;
    --*c->work_left;
    switch (node->kind) {
    case N_E_NAME:
        if (node->symbol && node->symbol->kind == FZI_SYM_SITE) {
            fzi_words_add(words, (unsigned)node->symbol->value);
            return true;
        }
        return named_set(c, node, words);
    case N_E_CALL: return named_set(c, node, words);
    case N_E_SET:
        for (const fzi_node *member = node->members; member; member = member->next) {
            if (!on_board(c, member, right, depth + 1))
                return false;
            for (unsigned i = 0; i < MAX_WORDS; i++)
                words[i] |= right[i];
        }
        return node->members != NULL;
    case N_E_BINARY:
        if ((node->op != FZ_T_UNITE && node->op != FZ_T_MEET && node->op != FZ_T_MINUS) ||
            !on_board(c, node->left, words, depth + 1) ||
            !on_board(c, node->right, right, depth + 1))
            return false;
        for (unsigned i = 0; i < MAX_WORDS; i++)
            words[i] = node->op == FZ_T_UNITE  ? words[i] | right[i]
                       : node->op == FZ_T_MEET ? words[i] & right[i]
                                               : words[i] & ~right[i];
        return true;
    default: return false;
    }
}

static bool is_option(const fzi_node *node, const void *unused)
{
    (void)unused;
    return node->kind == N_E_NAME && node->symbol && node->symbol->kind == FZI_SYM_OPTION;
}

/* `rank(1, p) & rank(2, p)`, `S & ~S`. */
static bool are_apart(const fzi_checker *c, const fzi_node *a, const fzi_node *b)
{
    int64_t first, second;
    a = fzi_let_value(a);
    b = fzi_let_value(b);
    if (b->kind == N_E_UNARY && b->op == FZ_T_TILDE &&
        fzi_same_code(fzi_let_value(b->operand), a))
        return true;
    if (a->kind == N_E_UNARY && a->op == FZ_T_TILDE &&
        fzi_same_code(fzi_let_value(a->operand), b))
        return true;
    if (a->kind != N_E_CALL || b->kind != N_E_CALL || a->symbol != b->symbol || !a->symbol ||
        a->symbol->kind != FZI_SYM_PRIMITIVE ||
        (a->symbol->value != FZI_PRIM_rank && a->symbol->value != FZI_PRIM_file) ||
        !a->arguments || !b->arguments || !a->arguments->next != !b->arguments->next)
        return false;
    bool same_view = !a->arguments->next || fzi_same_code(a->arguments->next, b->arguments->next);
    return same_view && fzi_constant(c, a->arguments, &first) &&
           fzi_constant(c, b->arguments, &second) && first != second;
}

/* ---- answers ---- */

/* Is the set of sites empty in every position? Proved, not guessed. */
static bool is_always_empty(const fzi_checker *c, const fzi_node *set)
{
    uint64_t words[MAX_WORDS];
    *c->work_left = MAX_WORK;
    const fzi_node *meaning = fzi_let_value(set);
    if (!fzi_is_set_of_sites(set))
        return false;
    if (!sorts_of(c, set, 0).some)
        return true;
    if (meaning->kind == N_E_BINARY && meaning->op == FZ_T_MEET &&
        are_apart(c, meaning->left, meaning->right))
        return true;
    return !fzi_below_any(meaning, is_option, NULL) && on_board(c, set, words, 0) &&
           fzi_words_empty(words, MAX_WORDS);
}

bool fzi_only_empty(const fzi_checker *c, const fzi_node *set)
{
    *c->work_left = MAX_WORK;
    return (sorts_of(c, set, 0).some & ~(unsigned)EMPTY) == 0;
}

void fzi_check_intersection(fzi_checker *c, const fzi_node *node)
{
    if ((node->op != FZ_T_MEET && node->op != FZ_T_MINUS) || !fzi_is_set_of_sites(node) ||
        (node->left->kind == N_E_SET && !node->left->members) ||
        fzi_same_code(node->left, node->right) || is_always_empty(c, node->left) ||
        is_always_empty(c, node->right) || !is_always_empty(c, node))
        return;
    fzi_diag *diag = fzi_error(c->diags, node->span, FZ_W_EMPTY_SET);
    if (node->op == FZ_T_MEET && fzi_is_set_of_sites(node->right))
        fzi_hint_add(diag, "'&' keeps the sites that are in both sets; '|' unites sets");
}

void fzi_check_targets(fzi_checker *c, const fzi_node *item)
{
    *c->work_left = MAX_WORK;
    sorts targets = sorts_of(c, item->targets, 0);
    unsigned wanted = item->op == FZ_T_CAPTURE ? THEIRS : THEIRS | EMPTY;
    if (!targets.some || targets.some & wanted)
        return; /* an empty set has a warning of its own */
    fzi_diag *diag =
        fzi_error(c->diags, item->targets->span, FZ_W_NO_TARGET,
                  item->op == FZ_T_CAPTURE ? "capture to" : "move to",
                  item->op == FZ_T_CAPTURE ? "'capture to S' goes to 'S & theirs'"
                                           : "'move to S' goes to 'S & (empty | theirs)'");
    if (targets.some & (MINE | ALLIED | NEUTRAL))
        fzi_hint_add(diag, "other moves stand in 'moves { for to in S => ...; }'");
}
