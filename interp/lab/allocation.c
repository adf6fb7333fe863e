/* Successive halving. See allocation.h. */
#include "allocation.h"

#include <math.h>

static size_t after(size_t in)
{
    size_t half = in - in / 2;

    return half > FZI_FINALISTS ? half : FZI_FINALISTS;
}

static unsigned rounds_of(size_t count)
{
    unsigned rounds = 1;

    for (size_t in = count; in > FZI_FINALISTS; in = after(in))
        rounds++;
    return rounds;
}

double fzi_allocation_least(size_t count, double cells)
{
    return ceil(rounds_of(count) * (double)count * cells * FZI_LEAST_GAMES);
}

bool fzi_allocation_begin(fzi_allocation *a, fzi_allocator allocator, size_t count, double budget,
                          double full)
{
    *a = (fzi_allocation){.allocator = allocator, .count = count, .in = count, .budget = budget,
                          .full = full, .rounds = rounds_of(count)};
    a->order = fzi_allocate(allocator, count * sizeof *a->order);
    a->left = fzi_allocate_zeroed(allocator, count * sizeof *a->left);
    for (size_t i = 0; a->order && i < count; i++)
        a->order[i] = i;
    return a->order && a->left;
}

void fzi_allocation_clear(fzi_allocation *a)
{
    if (a->allocator.resize)
        FZI_RELEASE(a->allocator, a->order, a->left);
    *a = (fzi_allocation){0};
}

bool fzi_allocation_next(fzi_allocation *a)
{
    if (a->round == a->rounds || a->share >= 1)
        return false;
    size_t stay = a->round && a->in > FZI_FINALISTS ? after(a->in) : a->in;
    for (size_t i = stay; i < a->in; i++)
        a->left[a->order[i]] = a->round;
    a->in = stay;
    a->round++;
    a->share = fmin(1, a->share + a->budget / a->rounds / ((double)a->in * a->full));
    return true;
}
