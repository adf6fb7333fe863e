/* Computes a function over what a player knows. Called by let_values.c.
 *
 * The function runs on the state as the player observes it, and known_step.c notes what the player
 * does not know of each register: the bits of a number, the sites of a set. A test of an unknown
 * value runs both ways: the result is known if all ways give the same known one. So
 * `bigger and false` is known, as in logic with three values. What `reveal` gives is read from a
 * run of the true state, as long as both took the same way.
 *
 * If that does not tell, hidden values that are read are guessed (known_guess.c): the function runs
 * once for each. */
#include "known_step.h"

#include "interp/support/words.h"
#include "interp/vm/game.h"

/* ---- runs ---- */

static fz_status run(fzi_knower *k, const fz_state *state, uint32_t function,
                     const int64_t *arguments, unsigned count, int64_t *number, uint64_t *set)
{
    k->way = k->depth = k->tests_made = k->reveals_used = 0;
    k->lost = k->unknown = k->concrete = false;
    k->guess_count = 0;
    fzi_known_clear_call(k, &k->calls[k->depth++], &k->program->functions[function]);
    return fzi_state_call(k->tracer.machine, state, function, arguments, count, number, set);
}

/* The next run takes another way at the last test that has one left; false: there is none. */
static bool next_way(fzi_knower *k)
{
    unsigned *count = &k->test_count;

    while (*count && k->tests[*count - 1] + 1u == k->ways[*count - 1])
        --*count;
    if (*count)
        k->tests[*count - 1]++;
    return *count > 0;
}

/* Runs all ways; known if they give the same result. */
static fz_status try_ways(fzi_knower *k, uint32_t function, const int64_t *arguments,
                          unsigned count, int64_t *number, uint64_t *set, bool *known)
{
    const size_t bytes = k->program->board.words * sizeof *set;
    const bool is_set = k->program->functions[function].result == 2;
    uint64_t other[FZ_MAX_WORDS] = {0};
    int64_t another = 0;

    *known = false;
    k->test_count = 0;
    for (unsigned i = 0; i < FZ_KNOWN_RUNS; i++) {
        fz_status status = run(k, k->seen->state, function, arguments, count,
                               i ? &another : number, i ? other : set);
        bool same = !i || (is_set ? memcmp(set, other, bytes) == 0 : *number == another);
        if (status == FZ_NO_MEMORY)
            return status;
        if (status != FZ_OK || k->lost || k->unknown || !same)
            break;
        *known = !next_way(k);
        if (*known)
            break;
    }
    return FZ_OK;
}

fz_status fzi_knower_call(fzi_knower *k, uint32_t function, const int64_t *arguments,
                          unsigned count, int64_t *number, uint64_t *set, bool *known)
{
    fz_status status = FZ_OK;

    *known = k->guessing = false;
    k->reveals = k->test_count = 0;
    k->recording = k->revealed != NULL;
    if (k->recording)
        status = run(k, k->truth, function, arguments, count, number, set);
    k->recording = false;
    if (status != FZ_NO_MEMORY)
        status = try_ways(k, function, arguments, count, number, set, known);
    k->guessing = true;
    if (status != FZ_NO_MEMORY && !*known)
        status = try_ways(k, function, arguments, count, number, set, known);
    return status == FZ_NO_MEMORY ? status : FZ_OK;
}

/* ---- opening ---- */

static bool runs_one_of(const fz_program *p, const uint8_t *opcodes, size_t count)
{
    FZI_FOR_CODE (at, p, 0, p->code_length)
        if (memchr(opcodes, (int)FZ_CODE_OP(p->code[at]), count))
            return true;
    return false;
}

static bool reveals(const fz_program *p)
{
    static const uint8_t those[] = {FZ_OP_REVEAL, FZ_OP_SREVEAL};

    return runs_one_of(p, those, sizeof those);
}

/* What the viewer does not know would have to be guessed of earlier positions, too. */
static bool asks_past(const fz_program *p)
{
    static const uint8_t those[] = {FZ_OP_REPETITIONS, FZ_OP_BOARD_REPETITIONS,
                                    FZ_OP_REPETITIONS_SINCE, FZ_OP_NATIVE};

    return runs_one_of(p, those, sizeof those);
}

static size_t most_sets(const fz_program *p)
{
    size_t most = 1;

    for (uint32_t i = 0; i < p->function_count; i++)
        most = p->functions[i].sets > most ? p->functions[i].sets : most;
    return most * p->board.words;
}

fz_status fzi_knower_open(fzi_knower *k, const fz_machine *machine, const fz_state *state,
                          const fzi_observed *seen, int viewer)
{
    const fz_program *p = state->program;
    const fzi_head *truth = fzi_head_of(state), *known = fzi_head_of(seen->state);
    size_t words = FZ_KNOWN_INTS + most_sets(p);

    memset(k, 0, sizeof *k);
    k->program = p;
    k->truth = state;
    k->seen = seen;
    k->viewer = viewer;
    k->own_seen = true;
    k->asks_past = asks_past(p);
    FZI_FOR_SITES (site, seen->unseen, p->board.words) {
        int kind, owner;
        fzi_piece_get(p, state->block, site, &kind, &owner);
        k->own_seen &= kind < 0 || owner != viewer;
    }
    k->last_hidden = known->last_to != truth->last_to;
    if (!fzi_tracer_open(&k->tracer, p, &machine->limits, fzi_known_step, k))
        return FZ_NO_MEMORY;
    fzi_tracer_everywhere(&k->tracer);
    fzi_allocator allocator = k->tracer.machine->allocator;
    k->memory = fzi_allocate(allocator, FZ_KNOWN_CALLS * words * sizeof *k->memory);
    if (reveals(p))
        k->revealed = fzi_allocate(allocator, FZ_KNOWN_REVEALS * sizeof *k->revealed);
    for (size_t i = 0; i < FZ_KNOWN_CALLS && k->memory; i++) {
        k->calls[i].ints = k->memory + i * words;
        k->calls[i].sets = k->calls[i].ints + FZ_KNOWN_INTS;
    }
    return k->memory && (k->revealed || !reveals(p)) ? FZ_OK : FZ_NO_MEMORY;
}

void fzi_knower_close(fzi_knower *k)
{
    if (k->tracer.machine) {
        fzi_release(k->tracer.machine->allocator, k->memory);
        fzi_release(k->tracer.machine->allocator, k->revealed);
    }
    fzi_tracer_clear(&k->tracer);
}
