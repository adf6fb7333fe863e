/* Counting sequences of turns or decisions: the test of all rules at once. Each depth has its own
 * copy of the state and its own list; the history is shared, as a deeper position is noted where
 * its siblings' was. */
#include "../vm.h"

typedef struct counting {
    fz_machine *machine;
    const fz_watch *watch;
    uint32_t turn_stop;   /* turns: no turn with a higher number begins */
    uint32_t rolled;      /* the turn in which chance was resolved, further up */
    bool decisions;
    bool stopped;
    uint64_t nodes, visits;
    fz_moves **lists;
    unsigned depth, capacity;
} counting;

static fz_status count(counting *c, fz_state *state, uint64_t left);

static fz_moves *list_at_depth(counting *c)
{
    if (c->depth == c->capacity) {
        unsigned capacity = c->capacity ? c->capacity * 2 : 16;
        fzi_allocator a = c->machine->allocator;
        fz_moves **lists = a.resize(a.user, c->lists, capacity * sizeof *lists);
        if (!lists)
            return NULL;
        for (unsigned i = c->capacity; i < capacity; i++)
            lists[i] = NULL;
        c->lists = lists;
        c->capacity = capacity;
    }
    if (!c->lists[c->depth])
        c->lists[c->depth] = fz_moves_new(c->machine);
    return c->lists[c->depth];
}

static bool watched(counting *c)
{
    if (c->watch && c->watch->stop && !(++c->visits & 1023))
        c->stopped = c->stopped || c->watch->stop(c->watch->user, c->nodes, 0);
    return c->stopped;
}

/* The moves of the list, each on a copy. */
static fz_status count_moves(counting *c, const fz_state *state, fzi_list *list, uint64_t left)
{
    fz_machine *m = c->machine;
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    fz_move move;
    fz_status status = FZ_OK;
    unsigned depth = m->scratch_depth;
    while (status == FZ_OK && fzi_list_next(list, &cursor, UINT32_MAX, &move)) {
        fz_state *copy = fzi_scratch_copy(m, state);
        if (!copy)
            return fzi_machine_fail(m);
        status = fzi_state_take(m, copy, &move, c->turn_stop, true);
        if (status == FZ_OK)
            status = count(c, copy, left);
        m->scratch_depth = depth;
    }
    return status;
}

/* A list of one move needs neither a copy nor a deeper call: `*only` says that it has been played.
 * So a turn may have any number of forced decisions. */
static fz_status count_choice(counting *c, fz_state *state, uint64_t left, bool *only)
{
    fz_machine *m = c->machine;
    fz_moves *moves = list_at_depth(c);
    if (!moves) {
        fzi_fault(m, NULL);
        return fzi_machine_fail(m);
    }
    unsigned depth = m->scratch_depth;
    fzi_run run;
    fz_state *gathered = fzi_state_gather(m, state, &moves->list, &run);
    if (!gathered || !fzi_list_prune(m, &run))
        return fzi_machine_fail(m);
    m->scratch_depth = depth;
    /* Nothing but the move is left of the last turn: no need to play it. */
    const fz_choice *choice = &m->program->choices[moves->list.choice];
    bool last = c->decisions ? left == 1
                             : choice->last && fzi_head_of(state)->turns == c->turn_stop &&
                                   fzi_head_of(state)->phase == FZ_PHASE_TURN;
    if (last) {
        c->nodes += moves->list.total;
        return FZ_OK;
    }
    if (moves->list.total == 1) {
        fzi_cursor cursor = FZI_CURSOR_AT(0);
        fz_move move;
        *only = fzi_list_next(&moves->list, &cursor, UINT32_MAX, &move);
        return fzi_state_take(m, state, &move, c->turn_stop, true);
    }
    c->depth++;
    fz_status status = count_moves(c, state, &moves->list, left - 1);
    c->depth--;
    return status;
}

static fz_status count_chance(counting *c, fz_state *state, uint64_t left)
{
    fz_machine *m = c->machine;
    fz_status status = fzi_state_ask_outcomes(m, state);
    size_t first = m->outcome_mark, end = m->outcome_count;
    m->outcome_mark = end; /* deeper lists come behind */
    uint32_t rolled = c->rolled;
    c->rolled = fzi_head_of(state)->turns;
    unsigned depth = m->scratch_depth;
    for (size_t i = first; status == FZ_OK && i < end; i++) {
        fz_state *copy = fzi_scratch_copy(m, state);
        if (!copy)
            return fzi_machine_fail(m);
        status = fzi_state_give_chance(m, copy, m->outcomes[i].value, c->turn_stop, true);
        if (status == FZ_OK)
            status = count(c, copy, left);
        m->scratch_depth = depth;
    }
    m->outcome_count = m->outcome_mark = first;
    c->rolled = rolled;
    return status;
}

/* A game that ends as a turn begins, before anything is decided or rolled, ended with the turn
 * before. */
static bool ends_in_last_turn(const counting *c, const fzi_head *head)
{
    return head->turns == c->turn_stop && (head->decided || c->rolled == head->turns);
}

/* Counts a state with which nothing is to be done any more; false: it waits for a choice or chance.
 */
static bool count_end(counting *c, const fzi_head *head, uint64_t left)
{
    if (c->decisions && !left)
        c->nodes++;
    else if (head->phase == FZ_PHASE_OVER)
        c->nodes += !c->decisions && ends_in_last_turn(c, head);
    else if (head->phase == FZ_PHASE_READY)
        c->nodes++;
    else
        return false;
    return true;
}

/* `left` decisions; of turns, those up to turn_stop. */
static fz_status count(counting *c, fz_state *state, uint64_t left)
{
    for (bool only = true; only; left--) {
        if (watched(c) || count_end(c, fzi_head_of(state), left))
            return FZ_OK;
        if (fzi_head_of(state)->waiting == FZ_WAITING_CHANCE)
            return count_chance(c, state, left);
        only = false;
        fz_status status = count_choice(c, state, left, &only);
        if (status != FZ_OK || !only)
            return status;
    }
    return FZ_OK;
}

fz_status fz_perft(fz_machine *m, const fz_state *state, unsigned depth, bool decisions,
                   const fz_watch *watch, uint64_t *nodes)
{
    const fzi_head *head = fzi_head_of(state);
    counting c = {.machine = m, .watch = watch, .decisions = decisions};
    fzi_machine_begin(m);
    *nodes = 0;
    if (!depth) {
        *nodes = 1;
        return FZ_OK;
    }
    if (head->phase == FZ_PHASE_OVER)
        return FZ_OK;
    c.turn_stop = decisions ? UINT32_MAX : head->turns + depth - (head->turns > 0);
    fz_state *copy = fz_state_clone(state); /* whose history grows below */
    fz_status status = FZ_NO_MEMORY;
    if (copy) {
        fzi_state_forget(copy);
        status = count(&c, copy, depth);
        *nodes = c.nodes;
    } else {
        fzi_fault(m, NULL);
        fzi_machine_fail(m);
    }
    for (unsigned i = 0; i < c.capacity; i++)
        fz_moves_free(c.lists[i]);
    fzi_release(m->allocator, c.lists);
    fz_state_free(copy);
    if (status == FZ_OK) /* else the message stays */
        fzi_machine_begin(m);
    return status;
}
