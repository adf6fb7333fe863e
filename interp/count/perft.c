/* Counting sequences of turns or decisions: the test of all rules at once. Each depth has its own
 * copy of the state and its own list; the history is shared, as a deeper position is noted where
 * its siblings' was. */
#include "interp/vm/filter.h"
#include "counting.h"

static fz_moves *list_at_depth(fzi_counting *c)
{
    if (!fzi_make_room(c->machine->allocator, &c->lists, &c->capacity, c->depth + 1u,
                       sizeof *c->lists))
        return NULL;
    if (!c->lists[c->depth])
        c->lists[c->depth] = fz_moves_new(c->machine);
    return c->lists[c->depth];
}

/* Now and then: has the person who waits had enough? */
static bool watched(fzi_counting *c)
{
    fzi_count_shared *shared = c->shared;
    if (!(++c->visits & 1023)) {
        uint64_t seen = __atomic_add_fetch(&shared->seen, c->fresh, __ATOMIC_RELAXED);
        c->fresh = 0;
        const fz_watch *watch = shared->watch;
        if (!__atomic_exchange_n(&shared->asking, 1, __ATOMIC_ACQUIRE)) {
            if (fzi_watch_stops(watch, c->machine->limits.cancel, seen, 0))
                __atomic_store_n(&shared->stop, 1, __ATOMIC_RELAXED);
            __atomic_store_n(&shared->asking, 0, __ATOMIC_RELEASE);
        }
    }
    return __atomic_load_n(&shared->stop, __ATOMIC_RELAXED);
}

/* A state to go on with. What bounds tries bounds a sequence here: its choices of more than one
 * move, and its chance results. */
static fz_state *copy_for(fzi_counting *c, const fz_state *state)
{
    fz_machine *m = c->machine;
    if (m->scratch_depth < FZ_MAX_TRIES - 2) /* trying and rolling take one more */
        return fzi_scratch_copy(m, state);
    fzi_fault_format(m, "more than %d choices and chance results in one sequence",
                     FZ_MAX_TRIES - 2);
    return NULL;
}

static fz_status count_below(fzi_counting *c, fz_state *state, uint64_t left, bool listed);

/* How many turns at the end the machine counts at once; 0: none. A count that somebody watches
 * must come back now and then. */
static uint32_t at_once(const fzi_counting *c)
{
    return c->machine->count && !c->decisions && !c->leaf && !c->weighed ? 3 : 0;
}

/* The next turn at whose end the count stops: every turn, if positions are kept or turns are
 * counted at once. */
static uint32_t next_stop(const fzi_counting *c, const fz_state *state)
{
    uint32_t turns = fzi_head_of(state)->turns;
    return (c->counted || at_once(c)) && turns < c->turn_stop ? turns : c->turn_stop;
}

static fz_status no_list(fz_machine *m)
{
    fzi_fault(m, NULL);
    return fzi_machine_fail(m);
}

/* The moves of the list, each on a copy; what it waits for then is listed on the way. */
static fz_status count_moves(fzi_counting *c, const fz_state *state, fzi_move_list *list,
                             uint64_t left)
{
    fz_machine *m = c->machine;
    fz_moves *next = list_at_depth(c);
    if (!next)
        return no_list(m);
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    fz_move move;
    fz_status status = FZ_OK;
    unsigned depth = m->scratch_depth;
    while (status == FZ_OK && fzi_move_list_next(list, &cursor, UINT32_MAX, &move)) {
        fz_state *copy = copy_for(c, state);
        if (!copy)
            return fzi_machine_fail(m);
        status = fzi_state_take_listing(m, copy, &move, next_stop(c, copy), true, &next->list);
        if (status == FZ_OK)
            status = count_below(c, copy, left, true);
        m->scratch_depth = depth;
    }
    return status;
}

/* Makes the list of the legal moves; `listed`: its candidates are there already. */
static bool list_moves(fzi_counting *c, fz_state *state, fzi_move_list *list, bool listed)
{
    fz_machine *m = c->machine;
    unsigned depth = m->scratch_depth;
    fzi_run run;
    if (listed) {
        run = fzi_run_of(m, state, FZ_RUN_GATHER);
        run.list = list;
    } else if (!fzi_state_gather(m, state, list, &run)) {
        return false;
    }
    bool done = fzi_move_list_prune(m, &run);
    m->scratch_depth = depth;
    return done;
}

/* Counts the moves after which nothing is left of the last turn, and takes them out: no need to
 * play them. */
static void count_last(fzi_counting *c, const fz_state *state, fzi_move_list *list, uint64_t left)
{
    const fz_program *p = c->machine->program;
    const fzi_head *head = fzi_head_of(state);
    bool all = c->decisions && left == 1;
    bool ends = !c->decisions && fzi_on(p, FZ_OPT_LAST) && head->turns == c->turn_stop &&
                head->phase == FZ_PHASE_TURN;
    uint32_t kept = 0, before = list->total;
    if (c->leaf || (!all && !ends))
        return;
    for (uint32_t i = 0; i < list->segment_count; i++) {
        if (all || p->options[list->segments[i].option].last)
            list->total -= list->segments[i].count;
        else
            list->segments[kept++] = list->segments[i];
    }
    list->segment_count = kept;
    c->nodes += before - list->total;
    c->fresh += before - list->total;
}

/* A list of one move needs neither a copy nor a deeper call: `*only` says that it has been played.
 * So a turn may have any number of forced decisions. */
static fz_status count_choice(fzi_counting *c, fz_state *state, uint64_t left, bool listed,
                              bool *only)
{
    fz_machine *m = c->machine;
    fz_moves *moves = list_at_depth(c);
    if (!moves)
        return no_list(m);
    if (!list_moves(c, state, &moves->list, listed))
        return fzi_machine_fail(m);
    count_last(c, state, &moves->list, left);
    if (!moves->list.total)
        return FZ_OK;
    if (moves->list.total == 1) {
        fzi_cursor cursor = FZI_CURSOR_AT(0);
        fz_move move;
        *only = fzi_move_list_next(&moves->list, &cursor, UINT32_MAX, &move);
        return fzi_state_take_listing(m, state, &move, next_stop(c, state), true, &moves->list);
    }
    c->depth++;
    fz_status status = count_moves(c, state, &moves->list, left - 1);
    c->depth--;
    return status;
}

static fz_ratio whole(uint64_t number)
{
    return fz_ratio_of(number, 1);
}

fz_ratio fzi_count_number(const fzi_counting *c)
{
    return fz_ratio_add(c->expected, whole(c->nodes));
}

/* One chance result. Weighed, what lies below it is counted apart and comes into `sum`. */
static fz_status count_result(fzi_counting *c, const fz_state *state, fz_outcome outcome,
                              uint64_t total, uint64_t left, fz_ratio *sum)
{
    fz_machine *m = c->machine;
    unsigned depth = m->scratch_depth;
    fz_state *copy = copy_for(c, state);
    if (!copy)
        return fzi_machine_fail(m);
    if (c->weighed) {
        c->nodes = 0;
        c->expected = whole(0);
    }
    fz_status status = fzi_state_give_chance(m, copy, outcome.value, next_stop(c, copy), true);
    if (status == FZ_OK)
        status = fzi_count(c, copy, left);
    m->scratch_depth = depth;
    if (c->weighed)
        *sum = fz_ratio_add(*sum, fz_ratio_multiply(fz_ratio_of(outcome.weight, total),
                                                    fzi_count_number(c)));
    return status;
}

static fz_status count_chance(fzi_counting *c, fz_state *state, uint64_t left)
{
    fz_machine *m = c->machine;
    fz_status status = fzi_state_ask_outcomes(m, state);
    size_t first = m->outcome_mark, end = m->outcome_count;
    uint64_t total = 0, nodes = c->nodes;
    fz_ratio sum = c->expected;
    uint32_t rolled = c->rolled;
    m->outcome_mark = end; /* deeper lists come after it */
    c->rolled = fzi_head_of(state)->turns;
    for (size_t i = first; i < end; i++)
        total += m->outcomes[i].weight;
    for (size_t i = first; status == FZ_OK && i < end; i++)
        status = count_result(c, state, m->outcomes[i], total, left, &sum);
    if (c->weighed) {
        c->nodes = nodes;
        c->expected = sum;
    }
    m->outcome_count = m->outcome_mark = first;
    c->rolled = rolled;
    return status;
}

/* A game that ends as a turn begins, before anything is decided or rolled, ended with the turn
 * before. */
static bool ends_in_last_turn(const fzi_counting *c, const fzi_head *head)
{
    return head->turns == c->turn_stop && (head->decided || c->rolled == head->turns);
}

static fz_status count_leaf(fzi_counting *c, const fz_state *state)
{
    if (c->leaf && !c->leaf(c->user, state)) {
        fzi_fault(c->machine, NULL);
        return fzi_machine_fail(c->machine);
    }
    c->nodes++;
    c->fresh++;
    return FZ_OK;
}

/* Counts a state with which nothing is to be done any more; false: it waits for a choice or
 * chance. */
static bool count_end(fzi_counting *c, const fz_state *state, uint64_t left, fz_status *status)
{
    const fzi_head *head = fzi_head_of(state);
    bool leaf = true;
    *status = FZ_OK;
    if (c->decisions && !left)
        leaf = true;
    else if (head->phase == FZ_PHASE_OVER)
        leaf = !c->decisions && ends_in_last_turn(c, head);
    else if (head->phase != FZ_PHASE_READY)
        return false;
    if (leaf)
        *status = count_leaf(c, state);
    return true;
}

/* ---- positions between two turns ---- */

/* Begins the next turn, and counts below it. */
static fz_status count_turn(fzi_counting *c, fz_state *state, uint64_t left)
{
    fz_machine *m = c->machine;
    fz_moves *moves = list_at_depth(c);
    if (!moves)
        return no_list(m);
    fzi_run run = fzi_run_of(m, state, FZ_RUN_PLAY);
    run.turn_stop = fzi_head_of(state)->turns + 1;
    run.ask = true;
    run.list = &moves->list;
    m->budget = (int64_t)m->limits.instructions;
    if (fzi_machine_run(m, &run) == FZ_END_ERROR)
        return fzi_machine_fail(m);
    return count_below(c, state, left, true);
}

/* Counts what follows without this engine; false: not possible. */
static bool count_at_once(fzi_counting *c, const fz_state *state, uint32_t turns)
{
    fz_machine *m = c->machine;
    unsigned depth = m->scratch_depth;
    uint64_t nodes = 0;
    fz_state *copy = copy_for(c, state);
    bool counted = copy && m->count(m, copy, turns, &nodes);
    m->scratch_depth = depth;
    if (counted) {
        c->nodes += nodes;
        c->fresh += nodes;
    }
    return counted;
}

/* The state is between two turns, and more are to come. The last one is counted as fast as it is
 * looked up. */
static fz_status count_position(fzi_counting *c, fz_state *state, uint64_t left)
{
    uint32_t turns = c->turn_stop - fzi_head_of(state)->turns;
    uint32_t most = c->counted && at_once(c) ? 1 : at_once(c);
    if (turns <= most && count_at_once(c, state, turns))
        return FZ_OK;
    if (turns == 1 || !c->counted)
        return count_turn(c, state, left);
    uint64_t number, before = c->nodes;
    fzi_position_key key = fzi_position_key_of(state, turns);
    if (fzi_counted_find(c->counted, key, &number)) {
        c->nodes += number;
        c->fresh += number;
        return FZ_OK;
    }
    fz_status status = count_turn(c, state, left);
    if (status == FZ_OK && c->nodes > before &&
        !__atomic_load_n(&c->shared->stop, __ATOMIC_RELAXED))
        fzi_counted_note(c->counted, key, c->nodes - before);
    return status;
}

/* `listed`: if the state waits for a move, the list of this depth holds the candidates. */
static fz_status count_below(fzi_counting *c, fz_state *state, uint64_t left, bool listed)
{
    fz_status status = FZ_OK;
    for (bool only = true; only && status == FZ_OK; left--) {
        if (watched(c))
            return status;
        if ((c->counted || at_once(c)) && fzi_head_of(state)->phase == FZ_PHASE_READY &&
            fzi_head_of(state)->turns < c->turn_stop)
            return count_position(c, state, left);
        if (count_end(c, state, left, &status))
            return status;
        if (fzi_head_of(state)->waiting == FZ_WAITING_CHANCE)
            return count_chance(c, state, left);
        only = false;
        status = count_choice(c, state, left, listed, &only);
        listed = true;
    }
    return status;
}

fz_status fzi_count(fzi_counting *c, fz_state *state, uint64_t left)
{
    return count_below(c, state, left, false);
}

void fzi_count_clear(fzi_counting *c)
{
    for (size_t i = 0; i < c->capacity; i++)
        fz_moves_free(c->lists[i]);
    fzi_release(c->machine->allocator, c->lists);
    c->lists = NULL;
    c->capacity = 0;
}
