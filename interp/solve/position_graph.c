/* Finds the positions of a game, for solvers. See solve.h. Breadth first, so that each is
 * reached by a shortest way. */
#include "solve.h"

static const uint32_t NONE = UINT32_MAX;

/* ---- memory ---- */

static fz_status said(const fzi_graph *g, fz_status grown)
{
    if (grown == FZ_NO_MEMORY)
        return fzi_machine_no_memory(g->machine);
    return grown == FZ_OK ? FZ_OK
                          : fzi_machine_say(g->machine, FZ_RUNTIME,
                                            "the game is too large: more than %u positions, of "
                                            "which %u are still to be looked at, do not fit in "
                                            "%zu bytes of memory",
                                            g->count, g->count - g->expanded, g->most);
}

/* Room for `count` items in an array of the graph, by the name of its members. */
#define RESERVE(g, array, room, count)                                                            \
    said(g, fzi_array_grow((g)->allocator, &(g)->memory, (g)->most, (void **)&(g)->array,         \
                           &(g)->room, count, sizeof *(g)->array))

/* ---- positions ---- */

/* The number of an end's value. */
static fz_status find_end(fzi_graph *g, double value, uint16_t *kind)
{
    size_t i = 0;

    while (i < g->end_count && g->ends[i] != value)
        i++;
    if (i > UINT16_MAX - FZ_NODE_END)
        return fzi_machine_say(g->machine, FZ_RUNTIME, "the game is too large: it has more than "
                               "%zu results", g->end_count);
    if (i == g->end_count) {
        fz_status status = RESERVE(g, ends, end_room, i + 1);
        if (status != FZ_OK)
            return status;
        g->ends[g->end_count++] = value;
        g->low = fmin(g->low, value);
        g->high = fmax(g->high, value);
    }
    *kind = (uint16_t)(FZ_NODE_END + i);
    return FZ_OK;
}

static fz_status describe(fzi_graph *g, const fz_state *state, uint16_t *kind)
{
    double value;
    fz_status status;

    switch (fz_state_waiting(state)) {
    case FZ_GAME_OVER:
        status = fzi_solve_end(g->machine, state, &value);
        return status == FZ_OK ? find_end(g, value, kind) : status;
    case FZ_WAITING_CHANCE:
        *kind = FZ_NODE_CHANCE;
        g->has_chance = true;
        return FZ_OK;
    case FZ_WAITING_MOVE: case FZ_GAME_FAILED: break;
    }
    *kind = fzi_solve_side(g->machine->program, fz_state_decider(state)) ? FZ_NODE_SECOND
                                                                         : FZ_NODE_FIRST;
    return FZ_OK;
}

/* The row that stands for the state's position, and how many words it has; NULL: memory is
 * short. */
static const uint64_t *row_of(fzi_graph *g, fz_state *state, uint32_t *words)
{
    fzi_position_settle(&g->form, state);
    *words = fzi_position_row(&g->form, state);
    if (!*words)
        return NULL;
    return g->symmetries.count < 2
               ? g->form.row
               : fzi_symmetries_least(&g->symmetries, &g->form, g->form.row, *words);
}

/* The number of the state's position, which is new or not. */
static fz_status add_state(fzi_graph *g, fz_state *state, uint32_t *number)
{
    uint16_t kind = 0;
    fz_status status = FZ_OK;

    if (g->count >= NONE / 2)
        return fzi_machine_say(g->machine, FZ_RUNTIME, "the game is too large: it has more than "
                               "%u positions", g->count);
    /* The value of an end may depend on what the position leaves out. */
    bool over = fz_state_waiting(state) == FZ_GAME_OVER;
    if (over)
        status = describe(g, state, &kind);
    uint32_t words;
    const uint64_t *row = row_of(g, state, &words);
    if (!row)
        return fzi_machine_no_memory(g->machine);
    if (status == FZ_OK)
        status = said(g, fzi_store_add(&g->store, row, words, number));
    if (status != FZ_OK || *number < g->count)
        return status;
    status = RESERVE(g, kinds, kind_room, (size_t)g->count + 1);
    if (status == FZ_OK && !over)
        status = describe(g, state, &kind);
    if (status == FZ_OK)
        g->kinds[g->count++] = kind;
    return status;
}

uint32_t fzi_graph_find(fzi_graph *g, fz_state *state)
{
    uint32_t words;
    const uint64_t *row = row_of(g, state, &words);

    return row ? fzi_store_find(&g->store, row, words) : NONE;
}

/* ---- what follows ---- */

static uint8_t *write_number(uint8_t *at, uint32_t number)
{
    for (; number >= 0x80; number >>= 7)
        *at++ = (uint8_t)(number | 0x80);
    *at++ = (uint8_t)number;
    return at;
}

static const uint8_t *read_number(const uint8_t *at, uint32_t *number)
{
    unsigned shift = 0;

    for (*number = 0; *at & 0x80; shift += 7)
        *number |= (uint32_t)(*at++ & 0x7f) << shift;
    *number |= (uint32_t)*at++ << shift;
    return at;
}

/* Numbers of positions are written as differences: 0, -1, 1, -2, ... are 0, 1, 2, 3, ... */
static uint32_t folded(uint32_t from, uint32_t to)
{
    uint32_t difference = to - from;

    return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0);
}

static uint32_t unfolded(uint32_t from, uint32_t folded_number)
{
    return from + (folded_number >> 1 ^ (folded_number & 1 ? UINT32_MAX : 0));
}

/* The place of these probabilities among those of the graph. A game has few different rows. */
static fz_status find_weights(fzi_graph *g, uint32_t *place)
{
    uint32_t count = (uint32_t)g->ways.count;
    fz_status status = RESERVE(g, weights, weight_room, (size_t)g->weight_count + count + 1);

    if (status != FZ_OK)
        return status;
    double *row = g->weights + g->weight_count;
    row[0] = count;
    for (uint32_t i = 0; i < count; i++)
        row[1 + i] = fzi_successors_probability(&g->ways, i).value;
    for (*place = 0; memcmp(g->weights + *place, row, (count + 1) * sizeof *row) != 0;)
        *place += (uint32_t)g->weights[*place] + 1;
    if (*place == g->weight_count)
        g->weight_count += count + 1;
    return FZ_OK;
}

/* Room for a number more in what is written of the block. */
static fz_status put_number(fzi_graph *g, uint32_t number)
{
    enum { LONGEST = 5 };
    fz_status status = RESERVE(g, bytes, byte_room, g->byte_count + LONGEST);

    if (status == FZ_OK)
        g->byte_count = (size_t)(write_number(g->bytes + g->byte_count, number) - g->bytes);
    return status;
}

/* Plays all moves or results of g->state, which is position `number`. */
static fz_status expand(fzi_graph *g, uint32_t number)
{
    fz_status status = fzi_successors_find(&g->ways, g->machine, g->state);
    uint32_t last = number, place;

    if (status == FZ_OK)
        status = put_number(g, (uint32_t)g->ways.count);
    if (status == FZ_OK && g->ways.outcomes) {
        status = find_weights(g, &place);
        if (status == FZ_OK)
            status = put_number(g, place);
    }
    for (size_t i = 0; i < g->ways.count && status == FZ_OK; i++) {
        uint32_t child = 0;
        if (!fzi_state_copy(g->after, g->state))
            return fzi_machine_no_memory(g->machine);
        status = fzi_successors_play(&g->ways, i, g->after, FZ_MAX_TURNS);
        if (status == FZ_OK)
            status = add_state(g, g->after, &child);
        if (status == FZ_OK)
            status = put_number(g, folded(last, child));
        last = child;
    }
    return status;
}

/* `holds`: what follows the position is symmetric, as far as is tested. */
static fz_status expand_next(fzi_graph *g, bool *holds)
{
    fz_status status;

    if (fzi_graph_is_end(g, g->expanded))
        return put_number(g, 0);
    status = RESERVE(g, row, row_room, g->store.words);
    if (status != FZ_OK)
        return status;
    fzi_store_get(&g->store, g->expanded, g->row);
    if (!fzi_position_state(&g->form, g->row, g->state))
        return fzi_machine_no_memory(g->machine);
    status = fzi_symmetry_test(g, g->state, g->expanded, holds);
    return status == FZ_OK && *holds ? expand(g, g->expanded) : status;
}

/* The block is complete: it gets memory of its own. */
static fz_status end_block(fzi_graph *g)
{
    fz_status status = RESERVE(g, streams, stream_room, g->stream_count + 1);

    if (status != FZ_OK)
        return status;
    if (g->memory + g->byte_count > g->most)
        return said(g, FZ_RUNTIME);
    uint8_t *stream = fzi_allocate(g->allocator, g->byte_count);
    if (!stream)
        return fzi_machine_no_memory(g->machine);
    memcpy(stream, g->bytes, g->byte_count);
    g->memory += g->byte_count;
    g->streams[g->stream_count++] = stream;
    g->byte_count = 0;
    return FZ_OK;
}

bool fzi_graph_read(fzi_graph *g, uint32_t block)
{
    fzi_graph_block *b = &g->block;
    uint32_t first = block * FZ_GRAPH_BLOCK, used = 0;
    const uint8_t *at = g->streams[block];

    for (uint32_t i = 0; i < FZ_GRAPH_BLOCK && first + i < g->count; i++) {
        uint32_t count, number, to = first + i;
        at = read_number(at, &count);
        b->first[i] = used;
        b->first[i + 1] = used + count;
        if (g->kinds[first + i] == FZ_NODE_CHANCE) {
            at = read_number(at, &number);
            b->weights[i] = number + 1;
        }
        if (used + count > b->room &&
            !fzi_make_room(g->allocator, &b->next, &b->room, used + count, sizeof *b->next))
            return false;
        for (; count > 0; count--) {
            at = read_number(at, &number);
            b->next[used++] = to = unfolded(to, number);
        }
    }
    return true;
}

/* ---- all of it ---- */

static fz_status check(fzi_graph *g, const fzi_graph_task *task)
{
    const fz_program *p = g->machine->program;

    for (int i = 0; i < (int)p->player_count; i++)
        if (fzi_solve_side(p, i) > 1)
            return fzi_machine_say(g->machine, FZ_USAGE, "only games of one or two sides can be "
                                   "solved");
    if (!task->forget && !(task->left_out & FZ_LEAVES_EARLIER) &&
        (p->uses_repetitions || p->uses_board_repetitions))
        return fzi_machine_say(g->machine, FZ_USAGE, "the rules ask for earlier positions, so a "
                               "position alone has no value");
    return FZ_OK;
}

static fz_status begin(fzi_graph *g, const fzi_graph_task *task)
{
    const fz_program *p = g->machine->program;
    uint32_t number;
    fz_status status = FZ_OK;

    g->state = fzi_state_make(p);
    g->after = fzi_state_make(p);
    g->image = fzi_state_make(p);
    if (!fzi_position_shape_init(&g->form, p, task->left_out, g->allocator) || !g->state ||
        !g->after || !g->image ||
        (task->symmetric && !fzi_symmetries_init(&g->symmetries, p, g->allocator)))
        return fzi_machine_no_memory(g->machine);
    g->has_limit = p->limit >= 0 && !g->form.reads_turns;
    fzi_state_forget(g->state);
    fzi_state_forget(g->after);
    fzi_state_forget(g->image);
    if (task->symmetric)
        status = fzi_symmetry_find(g, task->from);
    if (status == FZ_OK && !fzi_state_copy(g->after, task->from))
        return fzi_machine_no_memory(g->machine);
    return status == FZ_OK ? add_state(g, g->after, &number) : status;
}

fz_status fzi_graph_symmetries(fzi_graph *g, const fzi_graph_task *task)
{
    fz_machine *machine = task->machine;

    *g = (fzi_graph){.machine = machine, .allocator = machine->allocator, .most = task->most,
                     .low = INFINITY, .high = -INFINITY,
                     .tests_left = task->tests ? task->tests : UINT64_MAX};
    fzi_store_init(&g->store, g->allocator, &g->memory, g->most);
    fz_status status = check(g, task);
    return status == FZ_OK ? begin(g, task) : status;
}

/* `holds` as of expand_next. */
static fz_status find_all(fzi_graph *g, const fzi_graph_task *task, bool *holds)
{
    fz_machine *machine = task->machine;
    const fz_watch *watch = task->watch;
    fz_status status = fzi_graph_symmetries(g, task);

    while (status == FZ_OK && *holds && g->expanded < g->count) {
        if (g->expanded % 64 == 0 &&
            fzi_watch_stops(watch, machine->limits.cancel, g->expanded, 0))
            return FZ_NOT_FOUND;
        status = expand_next(g, holds);
        g->expanded++;
        if (status == FZ_OK && (g->expanded % FZ_GRAPH_BLOCK == 0 || g->expanded == g->count))
            status = end_block(g);
    }
    return status;
}

fz_status fzi_graph_make(fzi_graph *g, const fzi_graph_task *task)
{
    fzi_graph_task plain = *task;
    bool holds = true;
    fz_status status = find_all(g, task, &holds);

    if (holds)
        return status;
    /* Rules that seldom matter are not symmetric. */
    plain.symmetric = false;
    holds = true;
    fzi_graph_clear(g);
    return find_all(g, &plain, &holds);
}

void fzi_graph_clear(fzi_graph *g)
{
    for (size_t i = 0; i < g->stream_count; i++)
        fzi_release(g->allocator, g->streams[i]);
    fzi_store_clear(&g->store);
    fzi_position_shape_clear(&g->form);
    fzi_symmetries_clear(&g->symmetries);
    FZI_RELEASE(g->allocator, g->kinds, g->ends, g->streams, g->bytes, g->weights, g->block.next,
                g->row, g->tested);
    fz_state_free(g->image);
    fz_state_free(g->state);
    fz_state_free(g->after);
    fzi_successors_clear(&g->ways);
    *g = (fzi_graph){.allocator = g->allocator};
}
