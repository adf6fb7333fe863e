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

/* ---- sides ---- */

unsigned fzi_solve_side(const fz_program *p, int player)
{
    unsigned side_of[FZ_MAX_PLAYERS];

    fzi_sides(p, side_of);
    return side_of[player];
}

fz_status fzi_solve_end(fz_machine *machine, const fz_state *state, double *value)
{
    const fz_program *p = machine->program;
    int64_t payoff, sum = 0;
    fz_status status = FZ_OK;

    *value = fz_state_utility(state, 0);
    if (!fz_program_has_payoffs(p))
        return FZ_OK;
    for (int i = (int)p->player_count - 1; i >= 0 && status == FZ_OK; i--) {
        status = fz_state_payoff(machine, state, i, &payoff);
        sum += status == FZ_OK ? payoff : 0;
        *value = status == FZ_OK ? (double)payoff : 0;
    }
    if (status == FZ_OK && sum && p->player_count > 1)
        return fzi_machine_say(machine, FZ_USAGE, "the payoffs of a game do not add up to 0, so "
                               "what is good for one player is not bad for the other");
    return status;
}

/* ---- what makes a position ---- */

static fzi_position_key key_of(const fzi_graph *g, const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    const fz_layout *l = state->layout;
    fzi_position_key k = {1, 2};

    for (uint32_t at = l->own; at + 8 <= l->frames; at += 8) {
        uint64_t word;
        memcpy(&word, state->block + at, 8);
        fzi_key_mix(&k, word);
    }
    fzi_key_mix(&k, (uint64_t)(uint8_t)head->mover | (uint64_t)(uint8_t)head->next_mover << 8 |
                        (uint64_t)head->out << 16 | (uint64_t)head->waiting << 32);
    /* An end keeps only what its value may depend on. */
    if (head->waiting == FZ_GAME_OVER) {
        for (unsigned p = 0; p < state->program->player_count; p++)
            fzi_key_mix(&k,
                        (uint64_t)(uint8_t)head->rank[p] | (uint64_t)(uint8_t)head->nature << 8);
        return k;
    }
    if (state->program->reads_last &&
        !(head->waiting == FZ_WAITING_MOVE && g->forgets_last[head->pc]))
        fzi_key_mix(&k,
                    (uint64_t)(uint16_t)head->last_from | (uint64_t)(uint16_t)head->last_to << 16);
    if (g->reads_turns)
        fzi_key_mix(&k, head->turns);
    fzi_key_mix(&k, (uint64_t)(uint8_t)head->decider | (uint64_t)head->phase << 8);
    /* A filter that is pending may read what an earlier move has brought. */
    bool chooses = head->waiting == FZ_WAITING_MOVE && !head->pendings;
    fzi_key_mix_frames(&k, state, g->live, chooses ? g->choosing : g->live);
    return k;
}

uint32_t fzi_graph_find(const fzi_graph *g, const fz_state *state)
{
    return fzi_keys_find(&g->keys, key_of(g, state));
}

/* ---- states that wait ---- */

static fz_status put_state(fzi_graph *g, const fz_state *state)
{
    size_t pending = fzi_head_of(state)->pendings * sizeof(fzi_pending);
    size_t sizes[2] = {pending, fzi_state_used(state)}, need = sizeof sizes + pending + sizes[1];
    if (g->queue_begin > g->queue_room / 2) { /* the front is free again */
        memmove(g->queue, g->queue + g->queue_begin, g->queue_end - g->queue_begin);
        g->queue_end -= g->queue_begin;
        g->queue_begin = 0;
    }
    fz_status status = RESERVE(g, queue, queue_room, g->queue_end + need);
    if (status != FZ_OK)
        return status;
    memcpy(g->queue + g->queue_end, sizes, sizeof sizes);
    memcpy(g->queue + g->queue_end + sizeof sizes, state->block - pending, pending + sizes[1]);
    g->queue_end += need;
    return FZ_OK;
}

static fz_status take_state(fzi_graph *g, fz_state *state)
{
    size_t sizes[2];
    const uint8_t *at = g->queue + g->queue_begin;

    memcpy(sizes, at, sizeof sizes);
    g->queue_begin += sizeof sizes + sizes[0] + sizes[1];
    if (!fzi_state_grow(state, (uint32_t)((sizes[1] - state->layout->frames) / 8)))
        return fzi_machine_no_memory(g->machine);
    memcpy(state->block - sizes[0], at + sizeof sizes, sizes[0] + sizes[1]);
    return FZ_OK;
}

/* ---- positions ---- */

/* The kind of the position; FZ_USAGE: it belongs to no side that can be solved for. */
static fz_status describe(fzi_graph *g, const fz_state *state, fzi_graph_position *position)
{
    switch (fz_state_waiting(state)) {
    case FZ_GAME_OVER:
        position->kind = FZ_NODE_END;
        return fzi_solve_end(g->machine, state, &position->value);
    case FZ_WAITING_CHANCE:
        position->kind = FZ_NODE_CHANCE;
        g->has_chance = true;
        return FZ_OK;
    case FZ_WAITING_MOVE: case FZ_GAME_FAILED: break;
    }
    position->kind = fzi_solve_side(g->machine->program, fz_state_decider(state)) ? FZ_NODE_SECOND
                                                                                : FZ_NODE_FIRST;
    return FZ_OK;
}

/* Bounds and `limit` do not end a way that is looked at once. */
void fzi_graph_settle(const fzi_graph *g, fz_state *state)
{
    fzi_head *head = fzi_head_of(state);

    head->idle = head->plies = head->begun = head->history = 0;
    if (!g->reads_turns)
        head->turns = 0;
}

/* The number of the state's position, which is new or not. */
static fz_status add_state(fzi_graph *g, fz_state *state, uint32_t *number)
{
    fzi_graph_settle(g, state);
    fzi_position_key key = key_of(g, state);
    *number = fzi_keys_find(&g->keys, key);
    if (*number != NONE)
        return FZ_OK;
    if (g->count >= NONE / 4)
        return fzi_machine_say(g->machine, FZ_RUNTIME, "the game is too large: it has more than "
                               "%u positions", g->count);
    fz_status status = RESERVE(g, positions, room, (size_t)g->count + 1);
    if (status == FZ_OK)
        status = said(g, fzi_keys_add(&g->keys, key, g->allocator, &g->memory, g->most));
    if (status != FZ_OK)
        return status;
    *number = g->count++;
    fzi_graph_position *position = &g->positions[*number];
    *position = (fzi_graph_position){0};
    status = describe(g, state, position);
    if (status != FZ_OK || position->kind != FZ_NODE_END)
        return status == FZ_OK ? put_state(g, state) : status;
    g->low = fmin(g->low, position->value);
    g->high = fmax(g->high, position->value);
    return FZ_OK;
}

/* Room for what follows a position. */
static fz_status add_next(fzi_graph *g, fzi_graph_position *position, size_t count, bool weighed)
{
    fz_status status = RESERVE(g, next, next_room, g->next_count + count);
    if (status == FZ_OK && (weighed || g->weights))
        status = RESERVE(g, weights, weight_room, g->next_count + count);
    if (status != FZ_OK)
        return status;
    position->first = g->next_count;
    position->count = (uint32_t)count;
    g->next_count += (uint32_t)count;
    return FZ_OK;
}

static fz_status expand(fzi_graph *g, uint32_t number)
{
    fz_status status = fzi_successors_find(&g->ways, g->machine, g->state);
    bool weighed = g->ways.outcomes != NULL;
    if (status == FZ_OK)
        status = add_next(g, &g->positions[number], g->ways.count, weighed);
    for (size_t i = 0; i < g->ways.count && status == FZ_OK; i++) {
        size_t at = g->positions[number].first + i;
        uint32_t child = 0;
        if (!fzi_state_copy(g->after, g->state))
            return fzi_machine_no_memory(g->machine);
        status = fzi_successors_play(&g->ways, i, g->after, FZ_MAX_TURNS);
        if (status == FZ_OK)
            status = add_state(g, g->after, &child);
        g->next[at] = child;
        if (weighed)
            g->weights[at] = fzi_successors_probability(&g->ways, i).value;
    }
    return status;
}

/* ---- all of it ---- */

static bool reads_turns(const fz_program *p)
{
    for (uint32_t i = 0; i < p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(pc, p, &p->functions[i])
            if (FZ_CODE_OP(p->code[pc]) == FZ_OP_TURNS)
                return true;
    return false;
}

/* Does the code go straight on to the instruction `end`, without asking for the latest move? */
static bool is_plain(const fz_program *p, uint32_t pc, unsigned end)
{
    for (; pc < p->code_length; pc += fzi_opcode_length(FZ_CODE_OP(p->code[pc]))) {
        unsigned op = FZ_CODE_OP(p->code[pc]);
        if (op == end)
            return true;
        if (op == FZ_OP_LAST || fzi_opcode_is(op, FZ_FLAG_CALLS) ||
            (end == FZ_OP_SET_LAST_MOVE && fzi_opcode_is(op, FZ_FLAG_FLOW)))
            return false;
    }
    return false;
}

/* A state that waits has a move, so the way without one need not be looked at. */
static void find_forgetting(fzi_graph *g)
{
    const fz_program *p = g->machine->program;

    for (uint32_t i = 0; i < p->choice_count; i++) {
        const fz_choice *c = &p->choices[i];
        bool forgets = is_plain(p, c->start, FZ_OP_DECIDE);
        for (uint32_t k = 0; k < c->options && forgets; k++)
            forgets = is_plain(p, p->options[c->first_option + k].effect, FZ_OP_SET_LAST_MOVE);
        g->forgets_last[c->start] = forgets;
    }
}

static fz_status check(fzi_graph *g, const fzi_graph_task *task)
{
    const fz_program *p = g->machine->program;

    for (int i = 0; i < (int)p->player_count; i++)
        if (fzi_solve_side(p, i) > 1)
            return fzi_machine_say(g->machine, FZ_USAGE, "only games of one or two sides can be "
                                   "solved");
    if (!task->forget && (p->uses_repetitions || p->uses_board_repetitions))
        return fzi_machine_say(g->machine, FZ_USAGE, "the rules ask for earlier positions, so a "
                               "position alone has no value");
    return FZ_OK;
}

static fz_status begin(fzi_graph *g, const fz_state *from)
{
    const fz_program *p = g->machine->program;
    size_t size = ((size_t)p->code_length + 1) * sizeof(fzi_live);
    uint32_t number;

    g->live = fzi_allocate_zeroed(g->allocator, size);
    g->choosing = fzi_allocate(g->allocator, size);
    g->forgets_last = fzi_allocate_zeroed(g->allocator, p->code_length + 1);
    g->state = fzi_state_make(p);
    g->after = fzi_state_make(p);
    if (!g->live || !g->choosing || !g->forgets_last || !g->state || !g->after ||
        !fzi_state_copy(g->after, from))
        return fzi_machine_no_memory(g->machine);
    fzi_state_forget(g->state);
    fzi_state_forget(g->after);
    fzi_live_all(p, g->live, g->choosing);
    find_forgetting(g);
    return add_state(g, g->after, &number);
}

fz_status fzi_graph_make(fzi_graph *g, const fzi_graph_task *task)
{
    fz_machine *machine = task->machine;
    const fz_watch *watch = task->watch;

    *g = (fzi_graph){.machine = machine, .allocator = machine->allocator, .most = task->most,
                     .low = INFINITY, .high = -INFINITY,
                     .reads_turns = reads_turns(machine->program),
                     .has_limit = machine->program->limit >= 0};
    g->has_limit = g->has_limit && !g->reads_turns;
    fz_status status = check(g, task);
    if (status == FZ_OK)
        status = begin(g, task->from);
    for (; status == FZ_OK && g->expanded < g->count; g->expanded++) {
        uint8_t kind = g->positions[g->expanded].kind;
        if (g->expanded % 64 == 0 &&
            fzi_watch_stops(watch, machine->limits.cancel, g->expanded, 0))
            return FZ_NOT_FOUND;
        if (kind == FZ_NODE_END)
            continue;
        status = take_state(g, g->state);
        if (status == FZ_OK)
            status = expand(g, g->expanded);
    }
    return status;
}

void fzi_graph_clear(fzi_graph *g)
{
    fzi_release(g->allocator, g->positions);
    fzi_keys_clear(&g->keys, g->allocator);
    FZI_RELEASE(g->allocator, g->next, g->weights, g->queue, g->live, g->choosing, g->forgets_last);
    fz_state_free(g->state);
    fz_state_free(g->after);
    fzi_successors_clear(&g->ways);
    *g = (fzi_graph){.allocator = g->allocator};
}
