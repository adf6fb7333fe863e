/* Many random playouts. Threads take ranges of streams from a common counter; each sums whole
 * numbers, so the tally is the same however the streams were shared out. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "coverage.h"
#include "decided_game.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 swide;

typedef struct sums {
    uint64_t playouts, turns, plies, draws, stopped, failed, branched, shortest, longest;
    wide squares;             /* of plies */
    uint64_t wins[FZ_MAX_PLAYERS], ranks[FZ_MAX_PLAYERS];
    int64_t utilities[FZ_MAX_PLAYERS]; /* numerators */
    uint64_t losses;
    swide payoffs[FZ_MAX_PLAYERS];     /* of games that were not stopped */
    wide payoff_squares[FZ_MAX_PLAYERS];
    uint64_t *lengths;        /* playouts by plies */
    size_t length_capacity;
    fzi_allocator allocator;
} sums;

typedef struct shared {
    fz_sample sample;
    fzi_cover *cover;         /* under the lock; NULL: nobody asks what ran */
    uint64_t chunk;
    uint64_t next, done;      /* streams handed out and played; atomic */
    int stop;                 /* atomic */
    pthread_mutex_t lock;     /* of what follows */
    uint64_t failed_stream;   /* the least stream that failed */
    char message[256];
    bool no_memory, miscast;  /* no deciders: the message says why */
    sums total;
} shared;

static bool lengths_reserve(sums *s, uint64_t plies)
{
    if (plies < s->length_capacity)
        return true;
    size_t size = s->length_capacity ? s->length_capacity : 256;
    while (size <= plies)
        size *= 2;
    uint64_t *lengths = s->allocator.resize(s->allocator.user, s->lengths, size * sizeof *lengths);
    if (!lengths)
        return false;
    memset(lengths + s->length_capacity, 0, (size - s->length_capacity) * sizeof *lengths);
    s->lengths = lengths;
    s->length_capacity = size;
    return true;
}

static void add_payoffs(sums *s, const fz_program *p, const int64_t *payoffs)
{
    for (unsigned i = 0; p->payoff >= 0 && i < p->player_count; i++) {
        s->payoffs[i] += payoffs[i];
        s->payoff_squares[i] += (wide)((swide)payoffs[i] * payoffs[i]);
    }
}

static void add_result(sums *s, const fz_program *p, const fz_state *state, const int64_t *payoffs)
{
    const fzi_head *head = fzi_head_of(state);
    if (head->stopped) {
        s->stopped++;
    } else {
        int first = fzi_state_winner(state);
        bool lost = head->nature == 1 && head->rank[0] > 1;
        s->losses += lost;
        s->draws += first < 0 && !lost;
        add_payoffs(s, p, payoffs);
        for (unsigned i = 0; first >= 0 && i < p->player_count; i++)
            s->wins[i] += head->rank[i] == 1;
    }
    for (unsigned i = 0; i < p->player_count; i++) {
        s->ranks[i] += (uint64_t)head->rank[i];
        s->utilities[i] += fzi_state_utility(state, (int)i);
    }
}

static bool add(sums *s, const shared *h, const fz_state *state, const int64_t *payoffs,
                uint64_t branched)
{
    const fzi_head *head = fzi_head_of(state);
    const fzi_head *from = h->sample.from ? fzi_head_of(h->sample.from) : NULL;
    uint64_t plies = head->plies - (from ? from->plies : 0);
    if (!lengths_reserve(s, plies))
        return false;
    s->lengths[plies]++;
    s->shortest = s->playouts && s->shortest < plies ? s->shortest : plies;
    s->longest = s->longest > plies ? s->longest : plies;
    s->playouts++;
    s->plies += plies;
    s->squares += (wide)plies * plies;
    s->turns += head->turns - (from && from->turns ? from->turns - 1 : 0);
    s->branched += branched;
    add_result(s, h->sample.program, state, payoffs);
    return true;
}

static void note_failure(shared *h, fz_machine *m, uint64_t stream)
{
    pthread_mutex_lock(&h->lock);
    if (stream < h->failed_stream) {
        h->failed_stream = stream;
        snprintf(h->message, sizeof h->message, "%.255s", fz_machine_message(m));
    }
    pthread_mutex_unlock(&h->lock);
}

static bool is_stopped(shared *h, uint64_t done)
{
    const fz_watch *watch = h->sample.watch;
    if (watch && watch->stop && watch->stop(watch->user, done, h->sample.count))
        __atomic_store_n(&h->stop, 1, __ATOMIC_RELAXED);
    return __atomic_load_n(&h->stop, __ATOMIC_RELAXED);
}

/* One game, in the loop from beginning to end: but for one that has no end, which is left when the
 * run is stopped. FZ_USAGE: it was. */
static fz_status play(shared *h, fz_machine *m, fz_state *state, uint64_t stream,
                      uint64_t *branched)
{
    enum { LONG = 1 << 16 };
    fzi_decided beginning = {.from = h->sample.from, .seed = h->sample.seed, .stream = stream};
    *branched = 0;
    fzi_machine_begin(m);
    if (!fzi_decided_begin(&beginning, state)) {
        fzi_fault(m, NULL);
        return fzi_machine_fail(m);
    }
    fzi_run run = fzi_run_of(m, state, FZ_RUN_PLAY);
    run.ask = false;
    run.branching = h->sample.branching;
    fzi_end end;
    uint64_t left = m->limits.playout;
    do {
        if (left == 0) {
            __atomic_store_n(&h->stop, 1, __ATOMIC_RELAXED); /* others would take as long */
            fzi_fault_format(m, "more than %u decisions in one playout: 'limit' ends such games",
                             m->limits.playout);
            return fzi_machine_fail(m);
        }
        fzi_machine_begin(m);
        run.plies = left < LONG ? (unsigned)left : LONG;
        left -= run.plies;
        end = fzi_machine_run(m, &run);
        if (end == FZ_END_MOVE && is_stopped(h, __atomic_load_n(&h->done, __ATOMIC_RELAXED)))
            return FZ_USAGE;
    } while (end == FZ_END_MOVE);
    *branched = run.branched;
    return end == FZ_END_OVER ? FZ_OK : fzi_machine_fail(m);
}

static bool was_stopped(void *user)
{
    shared *h = user;
    return is_stopped(h, __atomic_load_n(&h->done, __ATOMIC_RELAXED));
}

/* One game in which the deciders choose. FZ_USAGE: the run was stopped. */
static fz_status play_cast(shared *h, fz_machine *m, fz_state *state, const fz_decider *deciders,
                           uint64_t stream)
{
    fzi_decided game = {.machine = m, .deciders = deciders, .from = h->sample.from,
                        .seed = h->sample.seed, .stream = stream,
                        .thoughts = stream * h->sample.program->player_count,
                        .stopped = was_stopped, .user = h};
    bool at_fault;
    fz_status status = fzi_decided_play(&game, state, &at_fault);
    if (at_fault)
        __atomic_store_n(&h->stop, 1, __ATOMIC_RELAXED); /* others would fail as well */
    return status;
}

/* What the players have gained in a game that is over, if the game has payoffs. */
static fz_status find_payoffs(fz_machine *m, const fz_state *state, int64_t *payoffs)
{
    const fz_program *p = m->program;
    fz_status status = FZ_OK;
    for (unsigned i = 0; p->payoff >= 0 && i < p->player_count && status == FZ_OK; i++)
        status = fz_state_payoff(m, state, (int)i, &payoffs[i]);
    return status;
}

/* All of a thread's sums or, when memory is short, none: the total stays consistent. */
static void merge(shared *h, const sums *s)
{
    sums *t = &h->total;
    t->failed += s->failed;
    if (!s->playouts)
        return;
    if (!lengths_reserve(t, s->longest)) {
        h->no_memory = true;
        return;
    }
    t->shortest = t->playouts && t->shortest < s->shortest ? t->shortest : s->shortest;
    t->longest = t->longest > s->longest ? t->longest : s->longest;
    t->playouts += s->playouts;
    t->turns += s->turns;
    t->plies += s->plies;
    t->draws += s->draws;
    t->losses += s->losses;
    t->stopped += s->stopped;
    t->branched += s->branched;
    t->squares += s->squares;
    for (unsigned i = 0; i < FZ_MAX_PLAYERS; i++) {
        t->wins[i] += s->wins[i];
        t->ranks[i] += s->ranks[i];
        t->utilities[i] += s->utilities[i];
        t->payoffs[i] += s->payoffs[i];
        t->payoff_squares[i] += s->payoff_squares[i];
    }
    for (uint64_t i = 0; i <= s->longest; i++)
        t->lengths[i] += s->lengths[i];
}

/* What a thread plays with. With a cover to fill, the machine is one of a traced copy. */
typedef struct player {
    fz_machine *machine;
    fz_state *state;
    fzi_tracer tracer;
    fzi_cover cover;
    fz_decider deciders[FZ_MAX_PLAYERS]; /* with a cast */
} player;

/* Deciders that are not made have no way to close them. */
static bool cast_make(player *p, shared *h)
{
    char message[256] = "";
    fz_status status;
    pthread_mutex_lock(&h->lock);
    status = h->sample.cast->make(h->sample.cast->user, p->deciders, message);
    if (status != FZ_OK) {
        h->miscast = true;
        snprintf(h->message, sizeof h->message, "%s", message);
        memset(p->deciders, 0, sizeof p->deciders);
    }
    pthread_mutex_unlock(&h->lock);
    return status == FZ_OK;
}

static bool player_init(player *p, shared *h)
{
    *p = (player){0};
    if (!h->cover) {
        p->machine = fz_machine_new(h->sample.program, h->sample.limits);
        p->state = p->machine ? fzi_state_make(h->sample.program) : NULL;
    } else if (fzi_cover_init(&p->cover, h->sample.program) &&
               fzi_tracer_init(&p->tracer, h->sample.program, h->sample.limits, fzi_cover_note,
                               &p->cover)) {
        p->machine = p->tracer.machine;
        p->state = fzi_state_make(p->tracer.program);
    }
    if (p->state)
        fzi_state_forget(p->state);
    return p->state && (!h->sample.cast || cast_make(p, h));
}

static void player_clear(player *p, const shared *h)
{
    fz_state_free(p->state);
    for (unsigned i = 0; i < FZ_MAX_PLAYERS; i++)
        if (p->deciders[i].release)
            p->deciders[i].release(p->deciders[i].self);
    if (!h->cover) {
        fz_machine_free(p->machine);
        return;
    }
    fzi_tracer_clear(&p->tracer);
    fzi_cover_clear(&p->cover);
}

/* One game, and what it adds to the sums. */
static fz_status play_one(shared *h, player *self, uint64_t stream, sums *s)
{
    bool logs = h->sample.cast && h->sample.cast->logs;
    fz_state *state = logs ? fzi_decided_logged(h->sample.program, !h->sample.from) : self->state;
    uint64_t branched = 0;
    int64_t payoffs[FZ_MAX_PLAYERS] = {0};
    fz_status status;
    if (!state)
        return FZ_NO_MEMORY;
    status = h->sample.cast ? play_cast(h, self->machine, state, self->deciders, stream)
                            : play(h, self->machine, state, stream, &branched);
    if (status == FZ_OK)
        status = find_payoffs(self->machine, state, payoffs);
    if (status == FZ_OK && !add(s, h, state, payoffs, branched))
        status = FZ_NO_MEMORY;
    if (logs)
        fz_state_free(state);
    return status;
}

static void *work(void *argument)
{
    shared *h = argument;
    sums s = {.allocator = fzi_program_allocator(h->sample.program)};
    player self;
    bool short_of_memory = !player_init(&self, h);
    while (!short_of_memory && !__atomic_load_n(&h->stop, __ATOMIC_RELAXED)) {
        uint64_t from = __atomic_fetch_add(&h->next, h->chunk, __ATOMIC_RELAXED);
        if (from >= h->sample.count)
            break;
        uint64_t end = from + h->chunk < h->sample.count ? from + h->chunk : h->sample.count;
        for (uint64_t i = from; i < end && !short_of_memory; i++) {
            fz_status status = play_one(h, &self, h->sample.first + i, &s);
            if (status == FZ_USAGE)
                break;
            if (status == FZ_NO_MEMORY) {
                short_of_memory = true;
            } else if (status != FZ_OK) {
                s.failed++;
                note_failure(h, self.machine, h->sample.first + i);
                if (h->cover) { /* one error is what a check wants to know */
                    __atomic_store_n(&h->stop, 1, __ATOMIC_RELAXED);
                    break;
                }
            }
        }
        is_stopped(h, __atomic_add_fetch(&h->done, end - from, __ATOMIC_RELAXED));
    }
    pthread_mutex_lock(&h->lock);
    h->no_memory = h->no_memory || short_of_memory;
    merge(h, &s);
    if (h->cover && self.state)
        fzi_cover_add(h->cover, &self.cover);
    pthread_mutex_unlock(&h->lock);
    fzi_release(s.allocator, s.lengths);
    player_clear(&self, h);
    return NULL;
}

static double median(const sums *s)
{
    uint64_t seen = 0, low = 0, high = 0, half = s->playouts / 2;
    bool found_low = false;
    for (uint64_t i = 0; i <= s->longest; i++) {
        seen += s->lengths[i];
        if (!found_low && seen >= half + s->playouts % 2) {
            low = i;
            found_low = true;
        }
        if (seen > half) {
            high = i;
            break;
        }
    }
    return ((double)low + (double)high) / 2;
}

static void finish_payoffs(const sums *s, fz_tally *tally)
{
    uint64_t count = s->playouts - s->stopped;
    double n = (double)count;
    for (unsigned i = 0; count && i < FZ_MAX_PLAYERS; i++) {
        /* n * sum of squares - square of sum, exactly. */
        wide spread = s->payoff_squares[i] * count - (wide)(s->payoffs[i] * s->payoffs[i]);
        tally->payoff_mean[i] = (double)s->payoffs[i] / n;
        tally->payoff_deviation[i] = count > 1 ? sqrt((double)spread / n / (n - 1)) : 0;
    }
}

static void finish(const shared *h, fz_tally *tally)
{
    const sums *s = &h->total;
    const fz_program *p = h->sample.program;
    *tally = (fz_tally){.playouts = s->playouts, .plies = s->plies, .turns = s->turns,
                        .draws = s->draws, .losses = s->losses, .stopped = s->stopped,
                        .shortest = s->shortest, .longest = s->longest, .failed = s->failed,
                        .failed_stream = s->failed ? h->failed_stream : 0};
    if (!s->playouts)
        return;
    double n = (double)s->playouts;
    tally->mean = (double)s->plies / n;
    /* n * sum of squares - square of sum, exactly. */
    wide spread = s->squares * s->playouts - (wide)s->plies * s->plies;
    tally->deviation = s->playouts > 1 ? sqrt((double)spread / n / (n - 1)) : 0;
    tally->median = median(s);
    if (h->sample.branching && s->plies)
        tally->branching = (double)s->branched / (double)s->plies;
    for (unsigned i = 0; i < p->player_count; i++) {
        int denominator = fzi_utility_denominator(p);
        tally->wins[i] = s->wins[i];
        tally->rank_sum[i] = (double)s->ranks[i];
        tally->utility_sum[i] = (double)s->utilities[i] / denominator;
    }
    finish_payoffs(s, tally);
}

/* This thread works too; those that can't be had are done without. */
static void run_threads(shared *h, unsigned threads)
{
    enum { MOST = 256 };
    pthread_t handles[MOST];
    unsigned started = 0;
    while (started + 1 < threads && started < MOST &&
           !pthread_create(&handles[started], NULL, work, h))
        started++;
    work(h);
    for (unsigned i = 0; i < started; i++)
        pthread_join(handles[i], NULL);
}

static fz_status play_all(shared h, fz_tally *tally, char *message)
{
    unsigned threads = h.sample.threads;
    struct timespec start, end;
    uint64_t share = h.sample.count / (threads ? threads : 1) / 16;
    h.total.allocator = fzi_program_allocator(h.sample.program);
    h.failed_stream = UINT64_MAX;
    h.chunk = share < 1 ? 1 : share > 256 ? 256 : share;
    pthread_mutex_init(&h.lock, NULL);
    clock_gettime(CLOCK_MONOTONIC, &start);
    run_threads(&h, threads);
    clock_gettime(CLOCK_MONOTONIC, &end);
    pthread_mutex_destroy(&h.lock);
    finish(&h, tally);
    tally->seconds =
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    fzi_release(h.total.allocator, h.total.lengths);
    if (message)
        snprintf(message, 256, "%.255s",
                 h.no_memory && !h.total.failed && !h.miscast ? "memory is short" : h.message);
    return h.miscast ? FZ_REFUSED : h.total.failed ? FZ_RUNTIME : h.no_memory ? FZ_NO_MEMORY
                                                                              : FZ_OK;
}

fz_status fz_playouts(const fz_program *program, const fz_limits *limits, uint64_t seed,
                      uint64_t first, uint64_t count, unsigned threads, bool branching,
                      const fz_watch *watch, fz_tally *tally, char *message)
{
    fz_sample sample = {.program = program, .limits = limits, .seed = seed, .first = first,
                        .count = count, .threads = threads, .branching = branching, .watch = watch};
    return fz_playouts_of(&sample, tally, message);
}

fz_status fz_playouts_of(const fz_sample *sample, fz_tally *tally, char *message)
{
    return play_all((shared){.sample = *sample}, tally, message);
}

fz_status fz_playouts_covered(const fz_sample *sample, fz_tally *tally, char *message,
                              fz_coverage *coverage)
{
    fzi_cover cover;
    shared h = {.sample = *sample, .cover = &cover};
    fz_status status = FZ_NO_MEMORY;
    h.sample.branching = true;
    *coverage = (fz_coverage){0};
    *tally = (fz_tally){0};
    if (fzi_cover_init(&cover, sample->program))
        status = play_all(h, tally, message);
    cover.without_setup = sample->from != NULL;
    if (status != FZ_NO_MEMORY && !fzi_cover_rules(&cover, coverage))
        status = FZ_NO_MEMORY;
    if (status == FZ_NO_MEMORY && message)
        snprintf(message, 256, "memory is short");
    fzi_cover_clear(&cover);
    return status;
}
