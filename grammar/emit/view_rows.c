/* Makes rows of the program from `view { ... }`: lines and loops are evaluated here, so that
 * pictures run nothing. lower.c calls it. */
#include "emit.h"

#include "interp/support/words.h"

enum { MAX_ROWS = 1 << 13 };

/* False, after a complaint: there are too many. */
static bool add_row(fzi_lower *lw, const fzi_look *hint, enum fz_hint_row row, int64_t a, int64_t b)
{
    const fz_hint made = {.row = (uint8_t)row, .a = (uint16_t)a, .b = (uint16_t)b};
    if (!fzi_at_most(lw->game, hint->node->span, "the view",
                     (unsigned)lw->build.hints.count + 1, "lines", MAX_ROWS))
        return false;
    fzi_array_add(&lw->build, &lw->build.hints, &made);
    return true;
}

/* Adds a line unless it is there, in either direction. False: there are too many. */
static bool add_line(fzi_lower *lw, const fzi_look *hint, enum fz_hint_row row, int64_t a,
                     int64_t b)
{
    const fz_hint *old = lw->build.hints.items;
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    if (low < 0 || low == high)
        return true;
    for (size_t i = 0; i < lw->build.hints.count; i++)
        if (old[i].row == row && old[i].a == low && old[i].b == high)
            return true;
    return add_row(lw, hint, row, low, high);
}

/* `adjacent` as an expression. */
static const fzi_node *name_node(fzi_lower *lw, const fzi_look *hint)
{
    fzi_node *node = FZI_NEW(lw->game->arena, fzi_node);
    node->kind = N_E_NAME;
    node->name = hint->symbol->name;
    node->symbol = hint->symbol;
    node->type = hint->symbol->type;
    node->span = hint->node->span;
    return node;
}

static bool evaluate(fzi_lower *lw, const fzi_look *hint, const fzi_ir **indexes, int64_t *value,
                     uint64_t *words)
{
    fzi_view nothing = fzi_view_constant(lw);
    fzi_symbol *symbol = hint->as ? hint->as : hint->symbol;
    const fzi_ir *ir = symbol->kind == FZI_SYM_LET
                           ? fzi_elaborate_let(lw, nothing, symbol, indexes)
                           : fzi_elaborate(lw, nothing, name_node(lw, hint));
    ir = fzi_fold_to_table(lw, ir);
    if (ir->is_set ? fzi_constant_set(lw, ir, words) : fzi_constant_int(lw, ir, value))
        return true;
    fzi_not_constant(lw, hint->node->span, FZ_E_NOT_CONSTANT, symbol->name);
    return false;
}

/* A line has no direction; ladders and snakes have one. */
static bool add_way(fzi_lower *lw, const fzi_look *hint, enum fz_hint_row row, int64_t from,
                    int64_t to)
{
    if (row == FZ_HINT_LINE)
        return add_line(lw, hint, row, from, to);
    return to < 0 || add_row(lw, hint, row, from, to);
}

/* From each site along its directions, or to the sites that it names. */
static void lower_ways(fzi_lower *lw, const fzi_look *hint, enum fz_hint_row row)
{
    const fzi_board *board = lw->game->board;
    bool dirs = hint->symbol->type == lw->game->type_dirs;
    for (unsigned s = 0; s < board->site_count; s++) {
        const fzi_ir *index = fzi_ir_int(&lw->maker, s);
        uint64_t words[FZ_MAX_WORDS] = {0};
        int64_t mask = 0;
        if (!evaluate(lw, hint, &index, &mask, words))
            return;
        for (unsigned d = 0; dirs && d < board->dir_count; d++)
            if (mask >> d & 1 &&
                !add_way(lw, hint, row, s, board->next[d * board->site_count + s]))
                return;
        for (unsigned t = 0; !dirs && t < board->site_count; t++)
            if (fzi_words_has(words, t) && !add_way(lw, hint, row, s, t))
                return;
    }
}

/* Goes through the elements of a `let`, whose indexes become expressions. False: no more. */
static bool set_indexes(fzi_lower *lw, const fzi_symbol *let, unsigned count, int64_t element,
                        const fzi_ir **indexes)
{
    for (unsigned k = count; k-- > 0;) {
        int64_t size = fzi_type_size(let->index[k]);
        indexes[k] = fzi_ir_int(&lw->maker, let->index[k]->low + element % size);
        element /= size;
    }
    return element == 0;
}

/* Sites by player, and by more indexes. */
static void lower_edges(fzi_lower *lw, const fzi_look *hint)
{
    const fzi_symbol *let = hint->symbol;
    const fzi_ir *indexes[FZ_MAX_BINDINGS];
    int64_t players = fzi_type_size(let->index[0]), each = 1;
    for (unsigned k = 1; k < let->index_count && each <= MAX_ROWS; k++)
        each *= fzi_type_size(let->index[k]);
    for (int64_t e = 0; set_indexes(lw, let, let->index_count, e, indexes); e++) {
        uint64_t words[FZ_MAX_WORDS] = {0};
        int64_t unused;
        if (!evaluate(lw, hint, indexes, &unused, words))
            return;
        for (unsigned s = 0; s < lw->game->board->site_count; s++)
            if (fzi_words_has(words, s) &&
                !add_row(lw, hint, FZ_HINT_EDGE, s, e / each % players))
                return;
    }
}

/* Site after site, for each player if there are two indexes. */
static void lower_numbers(fzi_lower *lw, const fzi_look *hint)
{
    const fzi_ir *indexes[FZ_MAX_BINDINGS];
    const fzi_symbol *let = hint->symbol;
    for (int64_t e = 0; set_indexes(lw, let, let->index_count, e, indexes); e++) {
        int64_t number = 0;
        if (!evaluate(lw, hint, indexes, &number, NULL) ||
            (number > 0 && !add_row(lw, hint, FZ_HINT_NUMBER, e, number)))
            return;
    }
}

/* The last index runs along the way, whose end is joined to its beginning. */
static void lower_loops(fzi_lower *lw, const fzi_look *hint)
{
    const fzi_symbol *let = hint->symbol;
    const fzi_type *last = let->index[let->index_count - 1];
    int64_t around = fzi_type_size(last), ways = 1;
    for (unsigned k = 0; k + 1 < let->index_count && ways <= MAX_ROWS; k++)
        ways *= fzi_type_size(let->index[k]);
    if (ways > MAX_ROWS || around > MAX_ROWS || ways * around > MAX_ROWS) {
        fzi_at_most(lw->game, hint->node->span, "the loop", MAX_ROWS + 1, "sites", MAX_ROWS);
        return;
    }
    for (int64_t context = 0; context < ways; context++) {
        int64_t first = -1, before = -1, site = -1;
        for (int64_t i = 0; i < around; i++, before = site) {
            const fzi_ir *indexes[FZ_MAX_BINDINGS];
            uint64_t words[FZ_MAX_WORDS];
            set_indexes(lw, let, let->index_count - 1, context, indexes);
            indexes[let->index_count - 1] = fzi_ir_int(&lw->maker, last->low + i);
            if (!evaluate(lw, hint, indexes, &site, words))
                return;
            first = i ? first : site;
            if (!add_line(lw, hint, FZ_HINT_LOOP, before, site))
                return;
        }
        if (!add_line(lw, hint, FZ_HINT_LOOP, site, first))
            return;
    }
}

static void lower_pieces(fzi_lower *lw, const fzi_look *hint)
{
    if (!hint->symbol)
        add_row(lw, hint, FZ_HINT_PIECES, hint->value, 0);
    else
        add_row(lw, hint, hint->symbol->kind == FZI_SYM_KIND ? FZ_HINT_KIND : FZ_HINT_PLAYER,
                hint->symbol->value, hint->value);
}

/* The number of a suit by its name; -1: it is none. */
static int suit_called(const char *name)
{
    static const char *const names[] = {
#define SUIT(id, name, red, sign) name,
#include "interp/program/views.def"
#undef SUIT
    };
    for (int i = 0; i < FZ_SUITS; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* The suit of each value of an enum whose first part has the names of suits. The first part changes
 * slowest. */
static void lower_cards(fzi_lower *lw, const fzi_look *hint)
{
    const fzi_node *decl = hint->symbol->node;
    if (hint->symbol->kind == FZI_SYM_VAR) {
        const fzi_lowered_var *lowered = hint->symbol->lowered;
        add_row(lw, hint, FZ_HINT_HELD, lowered->variable, 0);
        return;
    }
    add_row(lw, hint, FZ_HINT_CARDS, fzi_build_type(&lw->build, hint->symbol->type), 0);
    const fzi_symbol *part = decl->parts ? decl->parts->symbol : NULL;
    const fzi_node *suit = part && part->kind == FZI_SYM_ENUM ? part->node->values : NULL;
    int64_t size = fzi_type_size(hint->symbol->type), suits = (int64_t)fzi_list_length(suit);
    for (int64_t n = 0; suit && suits && size % suits == 0; suit = suit->next, n++) {
        int number = suit_called(suit->name);
        for (int64_t v = n * (size / suits); number >= 0 && v < (n + 1) * (size / suits); v++)
            if (!add_row(lw, hint, FZ_HINT_SUIT, v, number))
                return;
    }
}

/* The number of the shown `let`; those of variables follow. -1: a variant hides it. */
static int64_t value_number(fzi_lower *lw, const fzi_look *hint)
{
    const fz_shown *shown = lw->build.shown.items;
    if (hint->symbol->kind == FZI_SYM_VAR) {
        const fzi_lowered_var *lowered = hint->symbol->lowered;
        return (int64_t)lw->build.shown.count + lowered->variable;
    }
    uint32_t name = fzi_build_text(&lw->build, hint->symbol->name);
    for (size_t i = 0; i < lw->build.shown.count; i++)
        if (shown[i].like.name == name)
            return (int64_t)i;
    return -1;
}

static void lower_value(fzi_lower *lw, const fzi_look *hint, enum fz_hint_row row)
{
    int64_t number = value_number(lw, hint);
    if (number >= 0)
        add_row(lw, hint, row, number, hint->value);
}

/* The kind of each player's men. */
static void lower_men(fzi_lower *lw, const fzi_look *hint)
{
    int64_t number = value_number(lw, hint), kind = 0;
    lower_value(lw, hint, FZ_HINT_MEN);
    for (unsigned p = 0; hint->as && number >= 0 && p < lw->game->player_count; p++) {
        const fzi_ir *index = fzi_ir_int(&lw->maker, p);
        if (hint->as->kind == FZI_SYM_KIND)
            kind = hint->as->value;
        else if (!evaluate(lw, hint, &index, &kind, NULL))
            return;
        if (kind >= 0)
            add_row(lw, hint, FZ_HINT_MAN, number, p * lw->game->piece_count + kind);
    }
}

void fzi_lower_hints(fzi_lower *lw)
{
    for (unsigned i = 0; i < lw->game->look_count && !lw->build.failed; i++) {
        const fzi_look *hint = &lw->game->looks[i];
        switch ((enum fzi_hint_word)hint->word) {
        case FZI_HINT_LINES: lower_ways(lw, hint, FZ_HINT_LINE); break;
        case FZI_HINT_LADDERS: lower_ways(lw, hint, FZ_HINT_LADDER); break;
        case FZI_HINT_SNAKES: lower_ways(lw, hint, FZ_HINT_SNAKE); break;
        case FZI_HINT_NUMBERS: lower_numbers(lw, hint); break;
        case FZI_HINT_LOOPS: lower_loops(lw, hint); break;
        case FZI_HINT_CELLS: add_row(lw, hint, FZ_HINT_CELLS, hint->value, 0); break;
        case FZI_HINT_PIECES: lower_pieces(lw, hint); break;
        case FZI_HINT_CARDS: lower_cards(lw, hint); break;
        case FZI_HINT_MEN: lower_men(lw, hint); break;
        case FZI_HINT_TOKENS: lower_value(lw, hint, FZ_HINT_TOKEN); break;
        case FZI_HINT_BAR: lower_value(lw, hint, FZ_HINT_BAR); break;
        case FZI_HINT_SEEDS: lower_value(lw, hint, FZ_HINT_SEEDS); break;
        case FZI_HINT_DICE: lower_value(lw, hint, FZ_HINT_DICE); break;
        case FZI_HINT_EDGES: lower_edges(lw, hint); break;
        }
    }
}
