/* Games that are played to be measured. See measures.h. Threads take games from a counter;
 * each has sums of its own, which are added at the end. */
#include "measures.h"

#include <pthread.h>
#include <stdio.h>

#include "interp/agents/agent.h"
#include "interp/support/chance.h"

typedef struct shared {
    fzi_measuring task;
    const fzi_lines *lines;
    uint64_t next, done;       /* atomic */
    int stop;                  /* atomic */
    pthread_mutex_t lock;      /* of what follows */
    fzi_measures *total;
    fz_status status;
    uint64_t failed;
    char *message;
} shared;

typedef struct player {
    shared *shared;
    fz_machine *machine;
    fzi_measures measures;
    fz_sums sums;
    fzi_measured_game game;
    fz_decider deciders[FZ_MAX_PLAYERS], others[FZ_MAX_PLAYERS];
} player;

/* The failure of the least game stays. */
static void fail(shared *h, uint64_t stream, fz_status status, const char *message)
{
    pthread_mutex_lock(&h->lock);
    if (h->status == FZ_OK || stream < h->failed) {
        h->status = status;
        h->failed = stream;
        snprintf(h->message, 256, "%.255s", message);
    }
    pthread_mutex_unlock(&h->lock);
}

static bool lineup_make(shared *h, const fz_lineup *lineup, fz_decider *deciders)
{
    char message[256] = "";

    if (!lineup)
        return true;
    pthread_mutex_lock(&h->lock);
    fz_status status = lineup->make(lineup->user, deciders, message);
    pthread_mutex_unlock(&h->lock);
    if (status == FZ_OK)
        return true;
    memset(deciders, 0, FZ_MAX_PLAYERS * sizeof *deciders);
    fail(h, 0, status, message);
    return false;
}

static bool was_stopped(void *user)
{
    shared *h = user;
    const fz_watch *watch = h->task.sample.watch;

    if (fzi_watch_stops(watch, h->task.sample.limits ? h->task.sample.limits->cancel : NULL,
                        __atomic_load_n(&h->done, __ATOMIC_RELAXED), h->task.sample.count))
        __atomic_store_n(&h->stop, 1, __ATOMIC_RELAXED);
    return __atomic_load_n(&h->stop, __ATOMIC_RELAXED);
}

static fz_status play(player *self, fzi_decided *game, fz_state *state)
{
    bool at_fault;

    game->machine = self->machine;
    game->stopped = was_stopped;
    game->user = self->shared;
    fz_status status = fzi_decided_play(game, state, &at_fault);
    if (at_fault)
        __atomic_store_n(&self->shared->stop, 1, __ATOMIC_RELAXED); /* others would fail as well */
    return status;
}

/* The row of a game that is over or has failed. */
static fz_status add_row(player *self, uint64_t stream, const fz_state *state, fz_status status)
{
    const fz_playout_options *s = &self->shared->task.sample;
    fz_game_row row = {.stream = stream};
    char message[256];

    if (!s->sums || status == FZ_USAGE || status == FZ_NO_MEMORY)
        return status;
    status = fzi_row_fill(self->machine, s->from, state, status, &row);
    row.legal_move_sum = self->game.legal;
    snprintf(message, sizeof message, "%s", fz_machine_message(self->machine));
    row.error = message;
    return fz_sums_add(&self->sums, s->program, &row) ? status : FZ_NO_MEMORY;
}

static fz_status measure_one(player *self, uint64_t stream)
{
    const fz_playout_options *s = &self->shared->task.sample;
    uint64_t key = fzi_chance_key(fzi_chance_mix(s->seed ^ UINT64_C(0x6d656173)), stream);
    fzi_watcher watcher = fzi_measured_watcher(&self->game, key);
    fzi_decided game = {.deciders = s->lineup ? self->deciders : NULL, .from = s->from,
                        .seed = s->seed, .stream = stream,
                        .thoughts = stream * s->program->player_count, .watcher = &watcher};
    fz_state *state = fzi_decided_logged(s->program, !s->from);
    fz_status status = state ? play(self, &game, state) : FZ_NO_MEMORY;

    if (state)
        status = add_row(self, stream, state, status);
    if (status == FZ_OK && !fzi_measured_add(&self->game, state))
        status = FZ_NO_MEMORY;
    fz_state_free(state);
    return status;
}

/* ---- the influence of chance ---- */

/* The utilities of a game with these rolls and these choices. */
static fz_status play_companion(player *self, uint64_t rolls, uint64_t choices, int64_t *utilities)
{
    const fz_playout_options *s = &self->shared->task.sample;
    fzi_decided game = {.deciders = self->others, .from = s->from, .seed = s->seed,
                        .stream = rolls, .thoughts = choices * s->program->player_count};
    fz_state *state = fzi_decided_logged(s->program, !s->from);
    fz_status status = state ? play(self, &game, state) : FZ_NO_MEMORY;

    for (unsigned p = 0; status == FZ_OK && p < s->program->player_count; p++)
        utilities[p] = fzi_state_utility(state, (int)p);
    fz_state_free(state);
    return status;
}

static int64_t squares(const int64_t *a, const int64_t *b, unsigned players)
{
    int64_t sum = 0;

    for (unsigned p = 0; p < players; p++)
        sum += (a[p] - b[p]) * (a[p] - b[p]);
    return sum;
}

/* Two courses of the dice, each with two of the choices: what differs when only one of them
 * changes, compared with games that have nothing in common (Sobol' 1993; Jansen 1999). */
static fz_status measure_influence(player *self, uint64_t stream)
{
    fzi_sum *sums = self->measures.sums;
    unsigned players = self->shared->task.sample.program->player_count;
    int64_t u[4][FZ_MAX_PLAYERS] = {{0}};
    fz_status status = FZ_OK;

    for (unsigned i = 0; i < 4 && status == FZ_OK; i++)
        status = play_companion(self, 2 * stream + i / 2, 2 * stream + i % 2, u[i]);
    if (status != FZ_OK)
        return status;
    int64_t other_rolls = squares(u[0], u[2], players) + squares(u[1], u[3], players);
    int64_t other_choices = squares(u[0], u[1], players) + squares(u[2], u[3], players);
    int64_t both = squares(u[0], u[3], players) + squares(u[1], u[2], players);
    fzi_sum_add_all(&sums[FZ_MEASURE_CHANCE_TOTAL], other_rolls, both);
    fzi_sum_add_all(&sums[FZ_MEASURE_CHANCE_ALONE], other_choices, both);
    return FZ_OK;
}

/* ---- threads ---- */

/* Under the lock. False: memory is short. */
static bool add_to_total(const player *self)
{
    const shared *h = self->shared;
    const fz_playout_options *s = &h->task.sample;

    return fzi_measures_merge(h->total, &self->measures) &&
           (!s->sums || fz_sums_merge(s->sums, &self->sums));
}

static void *work(void *argument)
{
    shared *h = argument;
    const fz_playout_options *s = &h->task.sample;
    player self = {.shared = h, .measures = {.allocator = h->total->allocator},
                   .game = {.allocator = h->total->allocator}};
    bool ready;

    fz_sums_init(&self.sums, h->total->allocator.resize, h->total->allocator.user);
    self.machine = fz_machine_new(s->program, s->limits);
    ready = self.machine &&
            fzi_measures_init(&self.measures, s->program, h->lines, h->task.rollouts > 0,
                              h->total->allocator) &&
            fzi_measured_init(&self.game, self.machine, s->from, h->lines, &self.measures,
                              h->task.rollouts);
    if (!ready)
        fail(h, 0, FZ_NO_MEMORY, "out of memory");
    ready = ready && lineup_make(h, s->lineup, self.deciders) &&
            lineup_make(h, h->task.influence, self.others);
    while (ready && !__atomic_load_n(&h->stop, __ATOMIC_RELAXED)) {
        uint64_t i = __atomic_fetch_add(&h->next, 1, __ATOMIC_RELAXED);
        if (i >= s->count)
            break;
        fz_status status = measure_one(&self, s->first + i);
        if (status == FZ_OK && h->task.influence)
            status = measure_influence(&self, s->first + i);
        if (status == FZ_USAGE)
            break;
        if (status != FZ_OK)
            fail(h, s->first + i, status, fz_machine_message(self.machine));
        fzi_note_progress(s->program, __atomic_add_fetch(&h->done, 1, __ATOMIC_RELAXED), s->count);
        was_stopped(h);
    }
    pthread_mutex_lock(&h->lock);
    if (ready && !add_to_total(&self) && h->status == FZ_OK) {
        h->status = FZ_NO_MEMORY;
        snprintf(h->message, 256, "out of memory");
    }
    pthread_mutex_unlock(&h->lock);
    fzi_deciders_release(self.deciders, FZ_MAX_PLAYERS);
    fzi_deciders_release(self.others, FZ_MAX_PLAYERS);
    fz_sums_clear(&self.sums);
    fzi_measured_clear(&self.game);
    fzi_measures_clear(&self.measures);
    fz_machine_free(self.machine);
    return NULL;
}

fz_status fzi_measure(const fzi_measuring *task, const fzi_lines *lines, fzi_measures *measures,
                      uint64_t *failed, char *message)
{
    shared h = {.task = *task, .lines = lines, .total = measures, .message = message};

    *message = '\0';
    pthread_mutex_init(&h.lock, NULL);
    fzi_threads_run(task->sample.threads, work, &h);
    pthread_mutex_destroy(&h.lock);
    fzi_note_progress(task->sample.program, task->sample.count, task->sample.count);
    *failed = h.failed;
    return h.status;
}
