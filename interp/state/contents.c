/* Pieces and variables of a state. See state.h. */
#include "state.h"

#include <string.h>

#include "interp/support/words.h"

static const uint64_t *sites_at(const fz_state *state, const fz_variable *v, uint32_t element)
{
    return fzi_sets_at(state, state->layout->sets +
                                  (v->offset + element) * state->program->board.words * 8u);
}

static const int32_t *int_at(const fz_state *state, const fz_variable *v, uint32_t element)
{
    return (const int32_t *)(void *)(state->block + state->layout->ints) + v->offset + element;
}

int64_t fzi_state_get(const fz_state *state, uint32_t variable, uint32_t element)
{
    const fz_variable *v = &state->program->variables[variable];
    if (v->is_bits)
        return element < state->program->board.site_count &&
               fzi_words_has(sites_at(state, v, 0), element);
    if (v->is_set || element >= v->length)
        return 0;
    if (fzi_variable_is_wide(state->program, v))
        return fzi_mask_get(int_at(state, v, 2 * element));
    int32_t value = *int_at(state, v, element);
    return state->program->types[v->type].kind == FZ_VALUE_MASK ? (int64_t)(uint32_t)value : value;
}

void fzi_state_at(const fz_state *state, unsigned site, int *kind, int *owner)
{
    const fz_program *p = state->program;
    const fz_layout *l = state->layout;
    uint32_t o = 0, k = 0, bytes = p->board.words * 8u;
    *kind = *owner = FZ_NOT_THERE;
    while (o <= p->player_count && !fzi_words_has(fzi_sets_at(state, l->own + o * bytes), site))
        o++;
    if (o > p->player_count)
        return;
    *owner = o < p->player_count ? (int)o : FZ_NOT_THERE;
    if (l->at && state->block[l->at + site])
        k = (state->block[l->at + site] - 1u) / (p->player_count + 1);
    else if (l->kinds)
        while (k < p->kind_count && !fzi_words_has(fzi_sets_at(state, l->kinds + k * bytes), site))
            k++;
    *kind = k < p->kind_count ? (int)k : FZ_NOT_THERE;
}

void fz_state_piece(const fz_state *state, int site, int *kind, int *owner)
{
    int unused[2];

    kind = kind ? kind : &unused[0];
    owner = owner ? owner : &unused[1];
    *kind = *owner = FZ_NOT_THERE;
    if (site >= 0 && site < state->program->board.site_count)
        fzi_state_at(state, (unsigned)site, kind, owner);
}

unsigned fz_state_height(const fz_state *state, int site)
{
    int kind, owner;
    fz_state_piece(state, site, &kind, &owner);
    if (kind < 0 || !state->program->stack_limit)
        return kind >= 0;
    return *fzi_stack_of(state->program, state->block, (unsigned)site) + 1u;
}

void fz_state_piece_in(const fz_state *state, int site, unsigned place, int *kind, int *owner)
{
    unsigned height = fz_state_height(state, site), owners = state->program->player_count + 1;
    int unused[2];
    kind = kind ? kind : &unused[0];
    owner = owner ? owner : &unused[1];
    *kind = *owner = FZ_NOT_THERE;
    if (place < 1 || place > height)
        return;
    if (place == height) {
        fz_state_piece(state, site, kind, owner);
        return;
    }
    unsigned code = fzi_stack_of(state->program, state->block, (unsigned)site)[place] - 1u;
    *kind = (int)(code / owners);
    *owner = (int)(code % owners) - 1;
}

bool fz_state_variable(const fz_state *state, int variable, size_t element, int64_t *value)
{
    fz_variable_info info;
    if (!fz_program_variable_info(state->program, variable, &info) || info.is_sites ||
        element >= info.length)
        return false;
    if (value)
        *value = fzi_state_get(state, (uint32_t)variable, (uint32_t)element);
    return true;
}

bool fz_state_variable_has(const fz_state *state, int variable, size_t element, int site)
{
    fz_variable_info info;
    return fz_program_variable_info(state->program, variable, &info) && info.is_sites &&
           element < info.length && site >= 0 && site < state->program->board.site_count &&
           fzi_words_has(sites_at(state, &state->program->variables[variable], (uint32_t)element),
                         (unsigned)site);
}

void fzi_state_set_out(fz_state *state, int player)
{
    fzi_head_of(state)->out |= (uint16_t)(1u << player);
}
