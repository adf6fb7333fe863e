/* Pieces and variables of a state. See state.h. */
#include "state.h"

#include "interp/program/values.h"
#include "interp/support/words.h"

int64_t fzi_state_get(const fz_state *state, uint32_t variable, uint32_t element)
{
    const fz_program *p = state->program;
    const fz_variable *v = &p->variables[variable];
    uint32_t count = v->is_bits ? p->board.site_count : v->is_set ? 0 : v->length;
    return element < count ? fzi_element_get(p, state->block, v, element) : 0;
}

void fz_state_piece(const fz_state *state, int site, int *kind, int *owner)
{
    fz_state_piece_in(state, site, fz_state_height(state, site), kind, owner);
}

unsigned fz_state_height(const fz_state *state, int site)
{
    bool there = site >= 0 && site < state->program->board.site_count;
    return there ? fzi_stack_height(state->program, state->block, (unsigned)site) : 0;
}

void fz_state_piece_in(const fz_state *state, int site, unsigned place, int *kind, int *owner)
{
    int unused[2];
    kind = kind ? kind : &unused[0];
    owner = owner ? owner : &unused[1];
    *kind = *owner = FZ_NOT_THERE;
    if (place >= 1 && place <= fz_state_height(state, site))
        fzi_stack_get(state->program, state->block, (unsigned)site, place, kind, owner);
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
    const fz_program *p = state->program;
    fz_variable_info info;
    return fz_program_variable_info(p, variable, &info) && info.is_sites &&
           element < info.length && site >= 0 && site < p->board.site_count &&
           fzi_words_has(fzi_element_sites(p, state->block, &p->variables[variable],
                                           (uint32_t)element), (unsigned)site);
}

void fzi_state_set_out(fz_state *state, int player)
{
    fzi_head_of(state)->out |= (uint16_t)(1u << player);
}
