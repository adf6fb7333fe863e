/* Weighed values and outcomes. See outcomes.h. */
#include "instructions.h"

#include <string.h>

#include "fault.h"

bool fzi_weigh(fz_machine *m, int64_t value, int64_t weight)
{
    if (!fzi_machine_grow(m, (void **)&m->weights, &m->weight_capacity, m->weight_count + 1u,
                          sizeof *m->weights))
        return false;
    m->weights[m->weight_count++] = (fzi_weight){value, weight};
    return true;
}

int64_t fzi_weigh_total(const fz_machine *m)
{
    int64_t total = 0;
    for (uint32_t i = m->weight_base; i < m->weight_count; i++) {
        if (m->weights[i].weight > UINT32_MAX)
            return -1;
        total += m->weights[i].weight;
        if (total > UINT32_MAX)
            return -1;
    }
    return total;
}

int64_t fzi_weigh_pick(const fz_machine *m, uint64_t number)
{
    uint32_t i = m->weight_base;
    while (i + 1 < m->weight_count && number >= (uint64_t)m->weights[i].weight)
        number -= (uint64_t)m->weights[i++].weight;
    return m->weights[i].value;
}

/* Keeps the outcomes ascending, with equal values as one. */
bool fzi_outcome_add(fz_machine *m, int64_t value, uint64_t weight)
{
    if (!weight)
        return true;
    size_t i = m->outcome_count, mark = m->outcome_mark;
    while (i > mark && m->outcomes[i - 1].value > value)
        i--;
    if (i > mark && m->outcomes[i - 1].value == value) {
        m->outcomes[i - 1].weight += weight;
        return true;
    }
    if (!fzi_machine_grow(m, (void **)&m->outcomes, &m->outcome_capacity, m->outcome_count + 1,
                          sizeof *m->outcomes))
        return false;
    memmove(m->outcomes + i + 1, m->outcomes + i, (m->outcome_count - i) * sizeof *m->outcomes);
    m->outcomes[i] = (fz_outcome){value, weight};
    m->outcome_count++;
    return true;
}

bool fzi_outcomes_of_die(fz_machine *m, uint32_t index)
{
    const fz_die *die = &m->program->dice[index];
    for (uint32_t f = 0; f < die->faces; f++) {
        const fz_face *face = &m->program->faces[die->first + f];
        if (!fzi_outcome_add(m, face->value, face->weight))
            return false;
    }
    return true;
}
