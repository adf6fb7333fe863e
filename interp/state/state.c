/* States: memory, copies, and what ferz.h says about them. See state.h. */
#include "state.h"

#include <string.h>

#include "history.h"
#include "interp/board/topology.h"
#include "interp/support/words.h"
#include "move_log.h"

static size_t block_size(const fz_state *state, uint32_t words)
{
    return FZ_PENDING_BYTES + state->layout->stack + (size_t)words * 8;
}

bool fzi_state_init(fz_state *state, const fz_program *program, const fz_layout *layout,
                    fzi_allocator allocator, bool scratch)
{
    *state = (fz_state){.program = program, .layout = layout, .allocator = allocator,
                        .scratch = scratch, .capacity = 64};
    const int32_t phases[] = {program->setup, program->turn, program->end, program->limit};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        uint32_t frame = phases[i] < 0
                           ? 0
                           : fzi_frame_size(&program->functions[phases[i]], program->board.words);
        state->capacity = frame > state->capacity ? frame : state->capacity;
    }
    state->memory = fzi_allocate(allocator, block_size(state, state->capacity));
    if (!state->memory)
        return false;
    memset(state->memory, 0, block_size(state, state->capacity));
    state->block = state->memory + FZ_PENDING_BYTES;
    if (scratch || (!program->uses_repetitions && !program->uses_board_repetitions))
        return true;
    state->history = fzi_history_new(program, layout, allocator);
    return state->history != NULL;
}

void fzi_state_clear(fz_state *state)
{
    fzi_log_free(state->log);
    state->log = NULL;
    fzi_release(state->allocator, state->memory);
    if (!state->scratch)
        fzi_history_free(state->history);
    state->memory = state->block = NULL;
    state->history = NULL;
}

bool fzi_state_grow(fz_state *state, uint32_t words)
{
    if (words <= state->capacity)
        return true;
    if (words > state->layout->stack_words)
        return false;
    uint32_t size = state->capacity * 2;
    while (size < words)
        size *= 2;
    size_t old = block_size(state, state->capacity), new = block_size(state, size);
    uint8_t *memory = state->allocator.resize(state->allocator.user, state->memory, new);
    if (!memory)
        return false;
    memset(memory + old, 0, new - old);
    state->memory = memory;
    state->block = memory + FZ_PENDING_BYTES;
    state->capacity = size;
    return true;
}

bool fzi_state_copy(fz_state *into, const fz_state *from)
{
    uint32_t count = fzi_head_of(from)->history;
    if (into->log && from->log && !fzi_log_copy(into->log, from->log))
        return false;
    if (into->history && from->history && into->history != from->history &&
        !fzi_history_copy(into->history, from->history, count))
        return false;
    return fzi_state_assign(into, from);
}

void fzi_state_forget(fz_state *state)
{
    fzi_log_free(state->log);
    state->log = NULL;
}

void fzi_state_reset(fz_state *state, uint64_t key, uint64_t counter)
{
    fzi_head *head = fzi_head_of(state);
    memset(head, 0, sizeof *head);
    head->key = key;
    head->counter = counter;
    head->last_from = head->last_to = FZ_NOT_THERE;
    if (!state->program->initial) {
        fzi_empty_settle(state->program, state->layout, state->block);
        return;
    }
    memcpy(state->block + state->layout->own, state->program->initial,
           state->layout->stack - state->layout->own);
    if (state->layout->empty) /* no piece is there before the set-up */
        fzi_words_copy(fzi_block_sets(state->block, state->layout->empty),
                       state->program->topology->all, state->program->board.words);
}

int fzi_state_next_mover(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    unsigned count = state->program->player_count, next = (unsigned)head->next_mover;
    for (unsigned i = 0; i < count; i++, next = next + 1 < count ? next + 1 : 0)
        if (!(head->out >> next & 1))
            return (int)next;
    return FZ_NOT_THERE;
}

void fzi_state_prepare(fz_state *state, int mover, uint32_t turns)
{
    fzi_head *head = fzi_head_of(state);
    head->phase = FZ_PHASE_READY;
    head->waiting = FZ_WAITING_MOVE;
    head->next_mover = head->mover = (int8_t)mover;
    head->turns = turns ? turns - 1 : 0;
    head->frame = head->top = head->depth = 0;
    head->pendings = head->chance_given = head->stopped = head->decided = head->no_legal_move = 0;
    head->idle = 0;
    memset(head->rank, 0, sizeof head->rank);
    head->nature = 0;
}

/* ---- states of callers ---- */

fz_state *fzi_state_make(const fz_program *program)
{
    fzi_allocator allocator = fzi_program_allocator(program);
    fz_state *state = fzi_allocate(allocator, sizeof *state);
    if (!state)
        return NULL;
    bool done = fzi_state_init(state, program, &program->layout, allocator, false);
    state->log = fzi_log_new(allocator);
    if (!done || !state->log) {
        fzi_state_clear(state);
        fzi_release(allocator, state);
        return NULL;
    }
    fz_program_retain((fz_program *)program);
    return state;
}

void fz_state_free(fz_state *state)
{
    if (!state)
        return;
    const fz_program *program = state->program;
    fzi_allocator allocator = state->allocator;
    fzi_state_clear(state);
    fzi_release(allocator, state);
    fz_program_release((fz_program *)program);
}

fz_status fz_state_copy(fz_state *into, const fz_state *from)
{
    if (into->program != from->program)
        return FZ_USAGE;
    return into == from || fzi_state_copy(into, from) ? FZ_OK : FZ_NO_MEMORY;
}

size_t fz_state_size(const fz_state *state)
{
    return fzi_head_of(state)->pendings * sizeof(fzi_pending) + fzi_state_used(state);
}

fz_state *fz_state_clone(const fz_state *from)
{
    fz_state *state = fzi_state_make(from->program);
    if (state && !fzi_state_copy(state, from)) {
        fz_state_free(state);
        return NULL;
    }
    return state;
}

/* ---- looking ---- */

fz_waiting fz_state_waiting(const fz_state *state)
{
    return (fz_waiting)fzi_head_of(state)->waiting;
}

int fz_state_decider(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    return head->waiting == FZ_WAITING_MOVE ? head->decider : head->mover;
}

int fz_state_mover(const fz_state *state)
{
    return fzi_head_of(state)->mover;
}

uint32_t fz_state_turns(const fz_state *state)
{
    return fzi_head_of(state)->turns;
}

uint32_t fz_state_plies(const fz_state *state)
{
    return fzi_head_of(state)->plies;
}

bool fz_state_at_turn_start(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    return head->waiting == FZ_WAITING_MOVE && !head->decided;
}

int fz_state_rank(const fz_state *state, int player)
{
    bool known = player >= 0 && (uint32_t)player < state->program->player_count;
    return known ? fzi_head_of(state)->rank[player] : 0;
}

/* Is the player the first of its side? */
static bool leads(const fz_program *p, unsigned player)
{
    for (unsigned q = 0; p->has_teams && q < player; q++)
        if (p->players[q].team == p->players[player].team)
            return false;
    return true;
}

static int side_count(const fz_program *p)
{
    int sides = 0;
    for (unsigned q = 0; q < p->player_count; q++)
        sides += leads(p, q);
    return sides;
}

bool fz_program_has_one_side(const fz_program *p)
{
    return p->player_count == 1 || (p->has_teams && side_count(p) == 1);
}

int fzi_utility_denominator(const fz_program *p)
{
    int sides = side_count(p);
    return sides > 1 ? 2 * (sides - 1) : 2;
}

int fzi_rank_utility(const fz_program *p, const int8_t *rank, int nature, int player)
{
    if (p->player_count == 2 && !p->has_teams)
        return rank[player] == rank[1 - player] ? 1 : rank[player] == 1 ? 2 : 0;
    int sides = side_count(p), shared = 0;
    if (sides < 2)
        return rank[player] == nature ? 1 : rank[player] < nature ? 2 : 0;
    for (unsigned q = 0; q < p->player_count; q++)
        shared += leads(p, q) && rank[q] == rank[player];
    /* Ranks r .. r + shared - 1 in the mean, doubled. */
    return 2 * sides - (2 * rank[player] + shared - 1);
}

int fzi_state_utility(const fz_state *state, int player)
{
    const fzi_head *head = fzi_head_of(state);
    return fzi_rank_utility(state->program, head->rank, head->nature, player);
}

double fzi_utility_of(const fz_program *p, const int8_t *rank, int nature, int player)
{
    return (double)fzi_rank_utility(p, rank, nature, player) / fzi_utility_denominator(p);
}

double fz_state_utility(const fz_state *state, int player)
{
    const fzi_head *head = fzi_head_of(state);
    if (!fz_state_rank(state, player))
        return 0;
    return fzi_utility_of(state->program, head->rank, head->nature, player);
}

int fzi_rank_winner(const fz_program *p, const int8_t *rank, int nature)
{
    int first = -1;

    if (nature == 1)
        return -1;
    for (unsigned i = 0; i < p->player_count; i++) {
        if (rank[i] != 1)
            continue;
        if (first >= 0 && !(p->has_teams && p->players[i].team == p->players[first].team))
            return -1;
        first = first < 0 ? (int)i : first;
    }
    return first;
}

int fzi_state_winner(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);

    return fzi_rank_winner(state->program, head->rank, head->nature);
}

bool fz_state_stopped(const fz_state *state)
{
    return fzi_head_of(state)->stopped;
}

fz_ending fz_state_ending(const fz_state *state, uint32_t *place)
{
    const fzi_head *head = fzi_head_of(state);
    if (place)
        *place = 0;
    if (head->waiting != FZ_GAME_OVER)
        return FZ_NOT_ENDED;
    if (place)
        *place = fzi_program_place_index(state->program, head->pc);
    return head->stopped ? FZ_ENDED_BY_LIMIT : head->no_legal_move ? FZ_ENDED_WITHOUT_MOVE
                                                           : FZ_ENDED_BY_RULE;
}
