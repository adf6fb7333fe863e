/* Are symmetries of the board symmetries of the rules? What follows a position must be the images
 * of what follows its image. See solve.h. */
#include <stdlib.h>

#include "interp/support/chance.h"
#include "solve.h"

enum {
    WALKS = 32, STEPS = 200,  /* random games, and decisions of each, before positions are listed */
    ALWAYS = 1 << 16, THEN = 16 /* so many positions are tested, then one of so many */
};

static int compare_keys(const void *a, const void *b)
{
    const fzi_position_key *one = a, *other = b;

    if (one->place != other->place)
        return one->place < other->place ? -1 : 1;
    return one->check < other->check ? -1 : one->check > other->check;
}

/* The key of g->after: its image, its value, and how probable it is. */
static fz_status add_key(fzi_graph *g, unsigned image, double probability)
{
    double figures[2] = {probability, 0};
    fz_status status = FZ_OK;

    if (fz_state_waiting(g->after) == FZ_GAME_OVER)
        status = fzi_solve_end(g->machine, g->after, &figures[1]);
    if (status != FZ_OK)
        return status;
    fzi_position_settle(&g->form, g->after);
    uint32_t words = fzi_position_row(&g->form, g->after);
    if (!words || !fzi_symmetries_turn(&g->symmetries, image, &g->form, g->form.row, words) ||
        !fzi_make_room(g->allocator, &g->tested, &g->tested_room, g->tested_count + 1,
                       sizeof *g->tested))
        return fzi_machine_no_memory(g->machine);
    fzi_position_key key = {1, 2};
    for (uint32_t i = 0; i < words; i++)
        fzi_key_mix(&key, g->symmetries.row[i]);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t bits;
        memcpy(&bits, &figures[i], sizeof bits);
        fzi_key_mix(&key, bits);
    }
    g->tested[g->tested_count++] = key;
    return FZ_OK;
}

/* Adds the keys of the images of all that follows the state, in ascending order. */
static fz_status list_keys(fzi_graph *g, const fz_state *state, unsigned image)
{
    size_t first = g->tested_count;
    fz_status status = fzi_successors_find(&g->ways, g->machine, state);

    for (size_t i = 0; i < g->ways.count && status == FZ_OK; i++) {
        if (!fzi_state_copy(g->after, state))
            return fzi_machine_no_memory(g->machine);
        status = fzi_successors_play(&g->ways, i, g->after, FZ_MAX_TURNS);
        if (status == FZ_OK)
            status = add_key(g, image, g->ways.outcomes
                                           ? fzi_successors_probability(&g->ways, i).value : 1);
    }
    if (status == FZ_OK)
        qsort(g->tested + first, g->tested_count - first, sizeof *g->tested, compare_keys);
    return status;
}

/* Makes g->image the image of the settled state. */
static fz_status turn_state(fzi_graph *g, const fz_state *state, unsigned image)
{
    uint32_t words = fzi_position_row(&g->form, state);

    if (!words || !fzi_symmetries_turn(&g->symmetries, image, &g->form, g->form.row, words) ||
        !fzi_position_state(&g->form, g->symmetries.row, g->image))
        return fzi_machine_no_memory(g->machine);
    return FZ_OK;
}

static fz_status test(fzi_graph *g, const fz_state *state, unsigned image, bool *holds)
{
    fz_status status = turn_state(g, state, image);

    g->tested_count = 0;
    if (status == FZ_OK)
        status = list_keys(g, state, image);
    size_t count = g->tested_count;
    if (status == FZ_OK)
        status = list_keys(g, g->image, 0);
    *holds = status == FZ_OK && g->tested_count == 2 * count &&
             memcmp(g->tested, g->tested + count, count * sizeof *g->tested) == 0;
    return status;
}

fz_status fzi_symmetry_test(fzi_graph *g, const fz_state *state, uint32_t number, bool *holds)
{
    fzi_position_key key = {number, 0};

    *holds = true;
    if (g->symmetries.count < 2 || (number >= ALWAYS && number % THEN))
        return FZ_OK;
    fzi_key_mix(&key, number);
    return test(g, state, 1 + (unsigned)(key.place % (g->symmetries.count - 1)), holds);
}

static void leave_out(fzi_symmetries *y, unsigned number)
{
    y->image[number * y->sites] = UINT16_MAX;
}

static bool is_left_out(const fzi_symmetries *y, unsigned number)
{
    return y->image[number * y->sites] == UINT16_MAX;
}

/* Tests all symmetries in the position of g->state. */
static fz_status test_all(fzi_graph *g)
{
    fzi_symmetries *y = &g->symmetries;
    fz_status status = FZ_OK;

    for (unsigned image = 1; image < y->count && status == FZ_OK; image++) {
        bool holds = true;
        if (is_left_out(y, image))
            continue;
        status = test(g, g->state, image, &holds);
        g->tests_left -= g->tested_count < g->tests_left ? g->tested_count : g->tests_left;
        if (status == FZ_OK && !holds)
            leave_out(y, image);
    }
    return status;
}

/* One random game, of which each position is tested. */
static fz_status walk(fzi_graph *g, const fz_state *from, uint64_t key)
{
    uint64_t counter = 0;
    fz_status status = fzi_state_copy(g->state, from) ? FZ_OK : fzi_machine_no_memory(g->machine);

    for (unsigned step = 0; step < STEPS && status == FZ_OK; step++) {
        if (fz_state_waiting(g->state) == FZ_GAME_OVER || !g->tests_left)
            break;
        if (fzi_cancelled(g->machine->limits.cancel))
            return FZ_NOT_FOUND;
        fzi_position_settle(&g->form, g->state);
        status = test_all(g);
        if (status == FZ_OK)
            status = fzi_successors_find(&g->ways, g->machine, g->state);
        if (status == FZ_OK)
            status = fzi_successors_play(&g->ways, fzi_chance_below(key, &counter, g->ways.count),
                                         g->state, FZ_MAX_TURNS);
    }
    return status;
}

fz_status fzi_symmetry_find(fzi_graph *g, const fz_state *from)
{
    fzi_symmetries *y = &g->symmetries;
    fz_status status = FZ_OK;
    unsigned kept = 1;

    for (uint64_t i = 0; i < WALKS && y->count > 1 && status == FZ_OK; i++)
        status = walk(g, from, fzi_chance_key(UINT64_C(0x5e77), i));
    for (unsigned image = 1; image < y->count; image++)
        if (!is_left_out(y, image))
            fzi_symmetries_keep(y, image, kept++);
    y->count = kept;
    return status;
}
