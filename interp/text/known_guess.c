/* Sets hidden values to all that they may be, one after the other. See known_guess.h.
 *
 * The values are those of the types, and each piece may stand on a site that the viewer cannot look
 * at: more than can be, so what all of them agree on is certain. */
#include "known_guess.h"

#include "interp/support/words.h"
#include "interp/vm/game.h"

enum { MOST_VALUES = 512 };

void fzi_known_give_up(fzi_knower *k)
{
    k->lost = true;
    k->tracer.machine->budget = 0;
}

unsigned fzi_known_choose(fzi_knower *k, unsigned ways)
{
    if (k->tests_made == k->test_count) {
        if (k->test_count == FZ_KNOWN_TESTS || ways > MOST_VALUES) {
            fzi_known_give_up(k);
            return 0;
        }
        k->ways[k->test_count] = (uint16_t)ways;
        k->tests[k->test_count++] = 0;
    }
    return k->tests[k->tests_made++];
}

bool fzi_known_unseen(const fzi_knower *k, int64_t site)
{
    return site >= 0 && site < k->program->board.site_count &&
           fzi_words_has(k->seen->unseen, (unsigned)site);
}

bool fzi_known_hides(const fzi_knower *k, const fz_variable *v, int64_t element)
{
    if (v->carried && fzi_known_unseen(k, element))
        return true;
    return element >= 0 && !fzi_element_visible(k->program, v, (uint32_t)element, k->viewer);
}

uint64_t fzi_known_bits(const fz_program *p, const fz_variable *v)
{
    const fz_value_type *type = &p->types[v->type];

    if (type->kind == FZ_VALUE_BOOL)
        return 1;
    if (type->kind != FZ_VALUE_MASK)
        return UINT64_MAX;
    const fz_value_type *member = &p->types[type->element];
    unsigned low = member->low > 0 ? (unsigned)member->low : 0, high = (unsigned)member->high;
    return (UINT64_MAX >> (63 - (high & 63))) & (UINT64_MAX << (low & 63));
}

/* ---- the values that something may have ---- */

/* 1 << bits, or 0: too many. */
static unsigned subsets(unsigned bits)
{
    return bits < 10 ? 1u << bits : 0;
}

static unsigned value_count(const fz_program *p, const fz_variable *v)
{
    const fz_value_type *type = &p->types[v->type];
    int64_t count = (int64_t)type->high - type->low + 1;

    if (v->clock)
        return 0;
    if (fzi_element_is_set(v))
        return subsets(p->board.site_count);
    if (v->is_bits || type->kind == FZ_VALUE_BOOL)
        return 2;
    if (type->kind == FZ_VALUE_MASK)
        return subsets((unsigned)__builtin_popcountll(fzi_known_bits(p, v)));
    return count > 0 && count <= MOST_VALUES ? (unsigned)count : 0;
}

static void put_value(const fz_program *p, uint8_t *block, const fz_variable *v, uint32_t element,
                      unsigned number)
{
    const fz_value_type *type = &p->types[v->type];

    if (fzi_element_is_set(v)) {
        uint64_t set[FZ_MAX_WORDS] = {number};
        fzi_element_put_sites(p, block, v, element, set);
    } else if (type->kind == FZ_VALUE_MASK) {
        uint64_t bits = fzi_known_bits(p, v);
        fzi_element_put(p, block, v, element, (int64_t)((bits & (0 - bits)) * number));
    } else {
        bool is_bool = v->is_bits || type->kind == FZ_VALUE_BOOL;
        fzi_element_put(p, block, v, element, is_bool ? number : number + (int64_t)type->low);
    }
}

/* Nothing, or a piece of each kind and each owner, nobody as well. */
static unsigned piece_count(const fz_program *p)
{
    return p->stack_limit ? 0 : 1 + p->kind_count * (p->player_count + 1u);
}

/* ---- guesses ---- */

bool fzi_guessed(const fzi_knower *k, const fz_variable *variable, uint32_t element)
{
    for (unsigned i = 0; i < k->guess_count; i++)
        if (k->guesses[i].variable == variable && k->guesses[i].element == element)
            return true;
    return false;
}

/* One of the ways; SIZE_MAX: there are too many. */
static size_t guess(fzi_knower *k, const fz_variable *variable, uint32_t element, unsigned ways)
{
    if (!ways || ways > MOST_VALUES || k->guess_count == FZ_KNOWN_TESTS)
        return SIZE_MAX;
    unsigned way = fzi_known_choose(k, ways);
    k->guesses[k->guess_count++] = (fzi_guess){variable, element};
    return way;
}

bool fzi_guess_element(fzi_knower *k, uint8_t *block, const fz_variable *v, uint32_t element)
{
    if (fzi_guessed(k, v, element))
        return true;
    size_t number = guess(k, v, element, value_count(k->program, v));
    if (number != SIZE_MAX)
        put_value(k->program, block, v, element, (unsigned)number);
    return number != SIZE_MAX;
}

bool fzi_guess_piece(fzi_knower *k, uint8_t *block, unsigned site)
{
    const fz_program *p = k->program;

    if (fzi_guessed(k, NULL, site))
        return true;
    size_t number = guess(k, NULL, site, piece_count(p));
    if (number == SIZE_MAX)
        return false;
    unsigned owners = p->player_count + 1u;
    int kind = number ? (int)((number - 1) / owners) : -1;
    int owner = number ? (int)((number - 1) % owners) - 1 : -1;
    if (k->own_seen && owner == k->viewer) /* it would see the piece: as good as none */
        kind = owner = -1;
    fzi_piece_put(p, block, site, kind, owner);
    return true;
}

/* ---- everything ---- */

static bool notes_unknown(const fzi_knower *k)
{
    for (unsigned d = 0; d < k->depth; d++) {
        const fzi_known_call *call = &k->calls[d];
        for (unsigned i = 0; i < FZ_KNOWN_INTS; i++)
            if (call->ints[i])
                return true;
        if (fzi_words_lowest(call->sets, call->set_words) >= 0)
            return true;
    }
    return false;
}

/* Does not begin a walk through more ways than there may be runs. */
static bool multiply(uint64_t *ways, unsigned by)
{
    *ways *= by;
    return *ways > 0 && *ways <= FZ_KNOWN_RUNS;
}

static bool are_few_ways(const fzi_knower *k)
{
    const fz_program *p = k->program;
    uint64_t ways = 1;

    FZI_FOR_SITES (site, k->seen->unseen, p->board.words)
        if (site < p->board.site_count && !multiply(&ways, piece_count(p)))
            return false;
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        for (uint32_t e = 0; e < fzi_element_count(p, v); e++)
            if (fzi_known_hides(k, v, e) && !multiply(&ways, value_count(p, v)))
                return false;
    }
    return true;
}

void fzi_guess_everything(fzi_knower *k, uint8_t *block)
{
    const fz_program *p = k->program;

    if (k->asks_past || k->last_hidden || notes_unknown(k) || !are_few_ways(k)) {
        fzi_known_give_up(k);
        return;
    }
    k->concrete = true;
    FZI_FOR_SITES (site, k->seen->unseen, p->board.words)
        k->concrete &= fzi_guess_piece(k, block, site);
    for (uint32_t i = 0; i < p->variable_count && k->concrete; i++) {
        const fz_variable *v = &p->variables[i];
        for (uint32_t e = 0; e < fzi_element_count(p, v); e++)
            if (fzi_known_hides(k, v, e))
                k->concrete &= fzi_guess_element(k, block, v, e);
    }
    if (!k->concrete)
        fzi_known_give_up(k);
}
