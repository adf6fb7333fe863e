/* Counts, with any number of threads: the first decisions and chance results are played until there
 * are enough states to share out, and each thread counts below one after the other. See
 * ferz_tools.h. */
#include "counting.h"

#include <stdio.h>

#include "interp/support/threads.h"

typedef struct item {
    fz_state *state;
    uint64_t left;
    uint32_t rolled;
    fz_ratio weight;      /* how probable it is that chance leads here */
    fz_ratio number;      /* what lies below it */
    fz_status status;
    char message[256];
} item;

typedef struct sharing {
    const fz_program *program;
    const fz_limits *limits;
    fzi_allocator allocator;
    fzi_count_shared shared;
    bool decisions, weighed;
    uint32_t turn_stop;
    fzi_counted *counted; /* NULL: not asked for */
    item *items;
    size_t count, capacity;
    size_t next;          /* item to be taken; atomic */
    fz_machine *machine;  /* of the caller, for one of the threads; atomic */
} sharing;

static fzi_counting counting_of(sharing *s, fz_machine *machine)
{
    return (fzi_counting){.machine = machine, .shared = &s->shared, .decisions = s->decisions,
                          .weighed = s->weighed, .turn_stop = s->turn_stop,
                          .counted = s->counted, .expected = fz_ratio_of(0, 1)};
}

/* ---- sharing out ---- */

static item *add_item(sharing *s, const fz_state *from, const item *above)
{
    if (!fzi_make_room(s->allocator, &s->items, &s->capacity, s->count + 1, sizeof *s->items))
        return NULL;
    item *it = &s->items[s->count];
    *it = *above;
    it->state = fz_state_clone(from);
    if (!it->state)
        return NULL;
    fzi_state_forget(it->state);
    s->count++;
    return it;
}

/* Each move or result of chance of the item's state becomes an item. */
static fz_status expand(sharing *s, fz_machine *m, item above)
{
    fzi_successors found = {0};
    fz_status status = fzi_successors_find(&found, m, above.state);
    fz_ratio weight = above.weight;
    if (found.outcomes)
        above.rolled = fz_state_turns(above.state);
    else
        above.left--;
    for (size_t i = 0; i < found.count && status == FZ_OK; i++) {
        if (found.outcomes && s->weighed)
            above.weight = fz_ratio_multiply(weight, fzi_successors_probability(&found, i));
        const item *it = add_item(s, above.state, &above);
        status = it ? fzi_successors_play(&found, i, it->state, s->turn_stop)
                    : fzi_machine_no_memory(m);
    }
    fzi_successors_clear(&found);
    return status;
}

/* Is there so much below that it is worth dividing? */
static bool is_large(const sharing *s, const item *it)
{
    const fzi_head *head = fzi_head_of(it->state);
    return s->decisions ? it->left > 2 : head->turns < s->turn_stop;
}

/* Every large item becomes the items below it; what is an end already stays one. `*grew`: there was
 * one. */
static fz_status divide(sharing *s, fz_machine *m, bool *grew)
{
    size_t before = s->count, kept = 0;
    fz_status status = FZ_OK;
    *grew = false;
    for (size_t i = 0; i < before && status == FZ_OK; i++) {
        item it = s->items[i];
        fz_waiting waiting = fz_state_waiting(it.state);
        if (!is_large(s, &it) || waiting == FZ_GAME_OVER ||
            fzi_head_of(it.state)->phase == FZ_PHASE_READY)
            continue;
        status = expand(s, m, it);
        fz_state_free(it.state);
        s->items[i].state = NULL;
        *grew = true;
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->items[i].state)
            s->items[kept++] = s->items[i];
    }
    s->count = kept;
    return status;
}

/* ---- counting ---- */

static void count_item(sharing *s, fz_machine *m, item *it)
{
    fzi_counting c = counting_of(s, m);
    c.rolled = it->rolled;
    fzi_machine_begin(m);
    it->status = fzi_count(&c, it->state, it->left);
    it->number = fz_ratio_multiply(it->weight, fzi_count_number(&c));
    fzi_count_clear(&c);
    if (it->status != FZ_OK)
        snprintf(it->message, sizeof it->message, "%.255s", fz_machine_message(m));
}

static void count_items(sharing *s, fz_machine *m)
{
    while (!__atomic_load_n(&s->shared.stop, __ATOMIC_RELAXED)) {
        size_t next = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED);
        if (next >= s->count)
            return;
        count_item(s, m, &s->items[next]);
    }
}

/* The first thread has the caller's machine. */
static void *work(void *user)
{
    sharing *s = user;
    fz_machine *own = NULL, *m = __atomic_exchange_n(&s->machine, NULL, __ATOMIC_RELAXED);
    if (!m)
        m = own = fz_machine_new(s->program, s->limits);
    if (m) /* without memory for another machine the others do its work */
        count_items(s, m);
    fz_machine_free(own);
    return NULL;
}

static fz_status sum_items(const sharing *s, fz_machine *m, fz_ratio *number)
{
    for (size_t i = 0; i < s->count; i++) {
        const item *it = &s->items[i];
        if (it->status != FZ_OK)
            return fzi_machine_say(m, it->status, "%s", it->message);
        *number = fz_ratio_add(*number, it->number);
    }
    return FZ_OK;
}

/* The first item: the state, or the state after the first move. */
static fz_status begin(sharing *s, fz_machine *m, const fz_state *state, const fz_count_task *task)
{
    item above = {.left = task->depth - (task->first != NULL), .weight = fz_ratio_of(1, 1),
                  .number = fz_ratio_of(0, 1)};
    item *it = add_item(s, state, &above);
    if (!it)
        return fzi_machine_no_memory(m);
    return task->first ? fzi_state_take(m, it->state, task->first, s->turn_stop, true) : FZ_OK;
}

static fz_status share_out(sharing *s, fz_machine *m, const fz_state *state,
                           const fz_count_task *task, fz_ratio *number)
{
    fz_status status = begin(s, m, state, task);
    bool grew = task->threads > 1;
    *number = fz_ratio_of(0, 1);
    while (grew && status == FZ_OK && s->count < 16u * task->threads)
        status = divide(s, m, &grew);
    if (status == FZ_OK) {
        s->machine = m;
        fzi_threads_run(task->threads, work, s);
        status = sum_items(s, m, number);
    }
    for (size_t i = 0; i < s->count; i++)
        fz_state_free(s->items[i].state);
    fzi_release(s->allocator, s->items);
    return status;
}

static fz_status count_merged(sharing *s, fz_machine *m, const fz_state *state,
                              const fz_count_task *task, fz_ratio *number)
{
    fzi_counting c = counting_of(s, m);
    fz_state *copy = fz_state_clone(state);
    if (!copy)
        return fzi_machine_no_memory(m);
    fzi_state_forget(copy);
    fz_status status = fzi_count_merged(&c, copy, task->depth, task->merge == FZ_MERGE_POSITIONS);
    *number = fzi_count_number(&c);
    fzi_count_clear(&c);
    fz_state_free(copy);
    return status;
}

/* Is it so that equal positions between turns have the same number of sequences? Not where chance
 * weighs and sums are fractions, nor where the rules ask which positions there have been. */
static fz_status may_keep_positions(fz_machine *m, const fz_count_task *task)
{
    if (task->decisions || task->weighed || task->merge != FZ_MERGE_NOTHING)
        return fzi_machine_say(m, FZ_USAGE, "only plain counts of whole turns can keep positions");
    if (m->program->uses_repetitions || m->program->uses_board_repetitions)
        return fzi_machine_say(m, FZ_USAGE,
                               "positions cannot be kept: the rules ask for repetitions, so "
                               "what can follow depends on how a position came about");
    return FZ_OK;
}

fz_status fz_count(fz_machine *m, const fz_state *state, const fz_count_task *task,
                   const fz_watch *watch, fz_ratio *number)
{
    const fzi_head *head = fzi_head_of(state);
    sharing s = {.program = m->program,
                 .limits = &m->limits,
                 .allocator = m->allocator,
                 .shared = {.watch = watch},
                 .decisions = task->decisions,
                 .weighed = task->weighed};
    fz_ratio unused;
    fz_status status;

    number = number ? number : &unused;
    fzi_machine_begin(m);
    *number = fz_ratio_of(task->depth == 0, 1);
    if (head->waiting == FZ_GAME_FAILED)
        return fzi_machine_say(m, FZ_USAGE, "the game failed before this count");
    if (!task->depth || head->phase == FZ_PHASE_OVER)
        return FZ_OK;
    if (task->merge != FZ_MERGE_NOTHING && (task->decisions || task->weighed || task->first))
        return fzi_machine_say(m, FZ_USAGE, "only whole turns that are not weighed can be merged");
    s.turn_stop = task->decisions ? FZ_MAX_TURNS : head->turns + task->depth - (head->turns > 0);
    if (task->merge != FZ_MERGE_NOTHING)
        status = count_merged(&s, m, state, task, number);
    else if (task->keep && (status = may_keep_positions(m, task)) != FZ_OK)
        return status;
    else if (task->keep && !(s.counted = fzi_counted_new(s.allocator, task->keep)))
        status = fzi_machine_no_memory(m);
    else
        status = share_out(&s, m, state, task, number);
    fzi_counted_free(s.counted);
    if (status == FZ_OK) /* else the message stays */
        fzi_machine_begin(m);
    return status;
}

fz_status fz_perft(fz_machine *m, const fz_state *state, unsigned depth, bool decisions,
                   const fz_watch *watch, uint64_t *nodes)
{
    fz_count_task task = {.depth = depth, .decisions = decisions, .threads = 1};
    fz_ratio number;
    fz_status status = fz_count(m, state, &task, watch, &number);

    if (nodes)
        *nodes = (uint64_t)number.numerator;
    return status;
}
