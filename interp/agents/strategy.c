/* Strategies by information set. See strategy.h. */
#include "strategy.h"

#include <string.h>

#include "interp/support/chance.h"
#include "interp/support/text.h"
#include "interp/vm/fault.h"

static const uint32_t NONE = UINT32_MAX;

/* ---- what players have seen ---- */

fz_status fzi_recall_look(fz_machine *machine, const fz_state *state, fzi_recall *recall)
{
    for (int p = 0; p < FZ_STRATEGY_PLAYERS; p++) {
        char *text = NULL;
        fz_status status = fz_state_observation(machine, state, p, &text);
        if (status != FZ_OK)
            return status;
        uint64_t hash = fzi_chance_mix(fzi_text_hash(text, strlen(text), FZI_HASH_START));
        fzi_release(machine->allocator, text);
        if (hash == recall->latest[p])
            continue;
        recall->latest[p] = hash;
        fzi_key_mix(&recall->keys[p], hash);
    }
    return FZ_OK;
}

/* ---- information sets ---- */

void fzi_strategy_clear(fzi_strategy *s)
{
    fzi_keys_clear(&s->keys, s->allocator);
    FZI_RELEASE(s->allocator, s->sets, s->regrets, s->played);
    *s = (fzi_strategy){.allocator = s->allocator};
}

fzi_strategy *fzi_strategy_new(fzi_allocator allocator, size_t most)
{
    fzi_strategy *s = fzi_allocate(allocator, sizeof *s);

    if (s)
        *s = (fzi_strategy){.allocator = allocator, .most = most};
    return s;
}

void fzi_strategy_free(fzi_strategy *s)
{
    if (!s)
        return;
    fzi_strategy_clear(s);
    fzi_release(s->allocator, s);
}

uint32_t fzi_strategy_find(const fzi_strategy *s, fzi_position_key key)
{
    return fzi_keys_find(&s->keys, key);
}

static fz_status reserve(fzi_strategy *s, void **array, size_t *room, size_t count, size_t item)
{
    /* Numbers have 32 bits. */
    return fzi_array_grow(s->allocator, &s->memory, count > NONE / 2 ? 0 : s->most, array, room,
                          count, item);
}

fz_status fzi_strategy_add(fzi_strategy *s, fzi_position_key key, unsigned side, uint32_t depth,
                           size_t moves, uint32_t *set)
{
    size_t end = s->move_count + moves;
    fz_status status = reserve(s, (void **)&s->sets, &s->set_room, s->count + 1, sizeof *s->sets);

    if (status == FZ_OK)
        status = reserve(s, (void **)&s->regrets, &s->regret_room, end, sizeof *s->regrets);
    if (status == FZ_OK)
        status = reserve(s, (void **)&s->played, &s->played_room, end, sizeof *s->played);
    if (status == FZ_OK)
        status = fzi_keys_add(&s->keys, key, s->allocator, &s->memory, s->most);
    if (status != FZ_OK)
        return status;
    *set = (uint32_t)s->count++;
    s->sets[*set] = (fzi_information_set){(uint32_t)s->move_count, (uint32_t)moves, depth,
                                          (uint8_t)side};
    memset(s->regrets + s->move_count, 0, moves * sizeof *s->regrets);
    memset(s->played + s->move_count, 0, moves * sizeof *s->played);
    s->move_count = end;
    return FZ_OK;
}

/* ---- probabilities ---- */

void fzi_strategy_match(const fzi_strategy *s, uint32_t set, double *probabilities)
{
    const fzi_information_set *y = &s->sets[set];
    const double *regrets = s->regrets + y->first;
    double sum = 0;

    for (uint32_t i = 0; i < y->count; i++)
        sum += regrets[i] > 0 ? regrets[i] : 0;
    for (uint32_t i = 0; i < y->count; i++)
        probabilities[i] = !(sum > 0) ? 1.0 / y->count : regrets[i] > 0 ? regrets[i] / sum : 0;
}

double fzi_strategy_probability(const fzi_strategy *s, size_t set, uint32_t move)
{
    const fzi_information_set *y = &s->sets[set];
    double sum = 0;

    for (uint32_t i = 0; i < y->count; i++)
        sum += s->played[y->first + i];
    return sum > 0 ? s->played[y->first + move] / sum : 1.0 / y->count;
}

uint32_t fzi_strategy_draw(const double *probabilities, uint32_t count, double drawn)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < count && drawn >= 0; i++) {
        last = probabilities[i] > 0 ? i : last; /* rounding leaves a little at the end */
        drawn -= probabilities[i];
    }
    return last;
}
