/* Many random playouts. Threads take chunks of streams; what a chunk adds is committed in the order
 * of the streams. So the playouts that count are always a prefix of those asked for, also when a
 * run ends early, and the result does not depend on the number of threads. */
#include <pthread.h>
#include <stdio.h>

#include "interp/trace/trace.h"
#include "play.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

enum {
    MAX_CHUNK = 256,       /* playouts */
    FIRST_CHUNK = 16,      /* of random games, which are short */
    CHUNKS_A_THREAD = 16,  /* that may be played ahead of the first one that is not ready */
    SHORT_MS = 10, LONG_MS = 50 /* chunks that take less grow, those that take more shrink */
};

/* Consecutive playouts that one thread plays. */
typedef struct chunk {
    uint64_t from;         /* the first, counted from 0 */
    uint64_t size, done;   /* asked for, and played: the first of them */
    bool ready, last;      /* nothing after it counts */
    fz_sums sums;          /* without counts by length */
    uint64_t lengths[MAX_CHUNK]; /* in plies; FAILED */
    fz_game_row *rows;     /* for the sink; NULL */
} chunk;
#define FAILED UINT64_MAX

typedef struct shared {
    fz_playout_options sample;
    fz_cover *cover;          /* under the lock; NULL: nobody asks what ran */
    uint64_t most;            /* playouts in a chunk */
    uint64_t done;            /* played; atomic */
    uint64_t closed;          /* the first playout whose error ends the run; atomic */
    int stop;                 /* atomic */
    pthread_mutex_t watching; /* while the watch is asked */
    pthread_mutex_t lock;     /* of what follows */
    pthread_cond_t room;      /* a chunk was committed */
    chunk *ring;              /* chunk number i is at i % ring_size */
    uint64_t ring_size, first_chunk, next_chunk;
    uint64_t next;            /* the first playout that nobody has taken */
    bool committing, finished;
    char message[256];
    fz_status unseated;       /* not FZ_OK: no deciders, and the message says why */
    bool no_memory;           /* atomic */
    fz_sums *total;           /* of whoever commits */
} shared;

/* Need this playout not be played any more? */
static bool is_over(const shared *h, uint64_t playout)
{
    return __atomic_load_n(&h->stop, __ATOMIC_RELAXED) ||
           playout > __atomic_load_n(&h->closed, __ATOMIC_RELAXED);
}

/* Asks the watch, too. */
static bool is_stopped(shared *h, uint64_t playout)
{
    const fz_watch *watch = h->sample.watch;
    const fz_cancel *stop = h->sample.limits ? h->sample.limits->cancel : NULL;
    if ((watch || stop) && pthread_mutex_trylock(&h->watching) == 0) {
        if (fzi_watch_stops(watch, stop, __atomic_load_n(&h->done, __ATOMIC_RELAXED),
                            h->sample.count))
            __atomic_store_n(&h->stop, 1, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&h->watching);
    }
    return is_over(h, playout);
}

/* No playout after this one counts. */
static void close_behind(shared *h, uint64_t playout)
{
    uint64_t closed = __atomic_load_n(&h->closed, __ATOMIC_RELAXED);
    while (playout < closed &&
           !__atomic_compare_exchange_n(&h->closed, &closed, playout, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        continue;
}

/* A playout that a lineup plays. */
typedef struct lineup_playout {
    shared *h;
    uint64_t playout;
} lineup_playout;

static bool was_stopped(void *user)
{
    const lineup_playout *c = user;
    return is_stopped(c->h, c->playout);
}

/* One game in which the deciders choose. FZ_USAGE: the run was stopped. */
static fz_status play_lineup(shared *h, fz_machine *m, fz_state *state, const fz_decider *deciders,
                           uint64_t playout)
{
    uint64_t stream = h->sample.first + playout;
    lineup_playout c = {h, playout};
    fzi_decided game = {.machine = m, .deciders = deciders, .from = h->sample.from,
                        .seed = h->sample.seed, .stream = stream,
                        .thoughts = stream * h->sample.program->player_count,
                        .stopped = was_stopped, .user = &c};
    bool at_fault;
    fz_status status = fzi_decided_play(&game, state, &at_fault);
    if (at_fault)
        close_behind(h, playout); /* others would fail as well */
    return status;
}

/* The resources of a thread. With a cover to fill, the machine is one of a traced copy. */
typedef struct player {
    fz_machine *machine;
    fz_state *state;
    fzi_run run;           /* of the games that no lineup plays */
    bool summed;           /* games are counted by their results; nobody asks for rows */
    bool many;             /* the machine may play them, many in a call */
    fzi_results results;
    fz_cover *cover;       /* whose machine it is; NULL */
    fz_decider deciders[FZ_MAX_PLAYERS]; /* with a lineup */
} player;

/* Deciders that are not made have no way to close them. */
static bool lineup_make(player *p, shared *h)
{
    char message[256] = "";
    pthread_mutex_lock(&h->lock);
    fz_status status = h->sample.lineup->make(h->sample.lineup->user, p->deciders, message);
    if (status != FZ_OK) {
        h->unseated = status;
        snprintf(h->message, sizeof h->message, "%s", message);
        memset(p->deciders, 0, sizeof p->deciders);
        __atomic_store_n(&h->stop, 1, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&h->lock);
    return status == FZ_OK;
}

static bool player_init(player *p, shared *h)
{
    *p = (player){0};
    if (h->cover) {
        p->cover = fz_cover_begin(h->sample.program, h->sample.limits);
        p->machine = p->cover ? fz_cover_machine(p->cover) : NULL;
    } else {
        p->machine = fz_machine_new(h->sample.program, h->sample.limits);
    }
    p->state = p->machine ? fzi_state_make(p->machine->program) : NULL;
    if (p->state)
        fzi_state_forget(p->state);
    p->summed = !h->sample.lineup && !h->sample.sink && !fz_program_has_payoffs(h->sample.program);
    p->many = p->summed && !h->sample.from && !h->cover;
    return p->state && (!h->sample.lineup || lineup_make(p, h));
}

static void player_clear(player *p, const shared *h)
{
    fz_state_free(p->state);
    for (unsigned i = 0; i < FZ_MAX_PLAYERS; i++)
        if (p->deciders[i].release)
            p->deciders[i].release(p->deciders[i].self);
    if (h->cover)
        fz_cover_free(p->cover);
    else
        fz_machine_free(p->machine);
}

/* ---- one playout ---- */

/* Decisions after which the run may be stopped: more than native code wants to have left. */
enum { LONG = 1 << 13 };

/* Prepares the state, the machine and the run for a game. */
static bool begin(const shared *h, player *self, fz_state *state, uint64_t playout)
{
    fzi_decided beginning = {.from = h->sample.from, .seed = h->sample.seed,
                             .stream = h->sample.first + playout};
    fz_machine *m = self->machine;
    fzi_machine_begin(m);
    if (!fzi_decided_begin(&beginning, state))
        return fzi_fault(m, NULL), false;
    if (self->run.state == state) {
        fzi_run_renew(&self->run);
    } else {
        self->run = fzi_run_of(m, state, FZ_RUN_PLAY);
        self->run.ask = false;
        self->run.branching = h->sample.branching;
    }
    return true;
}

/* One game, in the loop from beginning to end: but for one that has no end, which is left when the
 * run is stopped. FZ_USAGE: it was. */
static fz_status play(shared *h, player *self, fz_state *state, uint64_t playout,
                      uint64_t *legal_move_sum)
{
    fz_machine *m = self->machine;
    fzi_run *run = &self->run;
    *legal_move_sum = 0;
    if (!begin(h, self, state, playout))
        return fzi_machine_fail(m);
    fzi_end end;
    for (uint64_t left = m->limits.playout;; fzi_machine_begin(m)) {
        run->plies = left < LONG ? left : LONG;
        left -= run->plies;
        end = fzi_machine_run(m, run);
        if (end != FZ_END_MOVE)
            break;
        if (is_stopped(h, playout))
            return FZ_USAGE;
        if (left == 0) {
            close_behind(h, playout); /* others would take as long */
            fzi_fault_format(m, "more than %u decisions in one playout: 'limit' ends such games",
                             m->limits.playout);
            return fzi_machine_fail(m);
        }
    }
    *legal_move_sum = run->legal_move_sum;
    if (end == FZ_END_OVER)
        return FZ_OK;
    run->state = NULL; /* the next game begins with a run of its own */
    return fzi_machine_fail(m);
}

static char *copy_of(const shared *h, const char *text)
{
    return fzi_copy_text(fzi_program_allocator(h->sample.program), text, strlen(text));
}

static void row_clear(const shared *h, fz_game_row *row)
{
    fzi_allocator allocator = fzi_program_allocator(h->sample.program);
    FZI_RELEASE(allocator, row->error, row->record, row->use);
    row->error = row->record = row->use = NULL;
}

/* Adds to the sums. FZ_OK: the row is complete, also that of a playout that failed; it has only
 * ending and lengths where nobody asks for rows. */
static fz_status play_one(shared *h, player *self, uint64_t playout, fz_sums *sums,
                          fz_game_row *row)
{
    const fz_playout_options *s = &h->sample;
    bool logs = (s->lineup && s->lineup->logs) || (s->sink && s->sink->logs);
    fz_state *state = logs ? fzi_decided_logged(s->program, !s->from) : self->state;
    uint64_t legal_move_sum = 0;
    fz_status status;
    row->error = row->record = row->use = NULL;
    row->stream = s->first + playout;
    if (!state)
        return FZ_NO_MEMORY;
    status = s->lineup ? play_lineup(h, self->machine, state, self->deciders, playout)
                     : play(h, self, state, playout, &legal_move_sum);
    row->legal_move_sum = s->branching ? legal_move_sum : 0;
    if (status == FZ_OK && self->summed)
        return fzi_results_count(&self->results, sums, self->machine, s->from, state, row)
                   ? FZ_OK : FZ_NO_MEMORY;
    if (status != FZ_USAGE && status != FZ_NO_MEMORY)
        status = fzi_row_fill(self->machine, s->from, state, status, row);
    if (status != FZ_USAGE && status != FZ_NO_MEMORY) {
        if (status != FZ_OK && !(row->error = copy_of(h, fz_machine_message(self->machine))))
            status = FZ_NO_MEMORY;
        else
            status = s->sink && s->sink->annotate
                         ? s->sink->annotate(s->sink->user, self->machine, state, row) : FZ_OK;
    }
    if (status == FZ_OK && !fzi_sums_count(sums, s->program, row))
        status = FZ_NO_MEMORY;
    if (logs)
        fz_state_free(state);
    return status;
}

/* ---- chunks ---- */

/* NULL: there is nothing left to play. */
static chunk *take_chunk(shared *h, uint64_t size)
{
    chunk *c = NULL;
    pthread_mutex_lock(&h->lock);
    while (!h->finished && h->next_chunk - h->first_chunk == h->ring_size)
        pthread_cond_wait(&h->room, &h->lock);
    if (!h->finished && h->next < h->sample.count && !is_over(h, h->next)) {
        uint64_t left = h->sample.count - h->next;
        c = &h->ring[h->next_chunk++ % h->ring_size];
        c->from = h->next;
        c->size = size < left ? size : left;
        c->done = 0;
        c->ready = c->last = false;
        h->next += c->size;
    }
    pthread_mutex_unlock(&h->lock);
    return c;
}

/* Plays the next games of the chunk in one call, as far as their results are known. */
static void play_many(const shared *h, player *self, chunk *c)
{
    fz_machine *m = self->machine;
    fzi_results *r = &self->results;
    uint64_t most = m->limits.playout;
    fzi_games games = {.seed = h->sample.seed, .stream = h->sample.first + c->from + c->done,
                       .left = c->size - c->done, .lengths = c->lengths + c->done,
                       .known = r->count, .keys = r->keys, .counts = r->playouts};
    if (!begin(h, self, self->state, c->from + c->done))
        return;
    self->run.plies = most < LONG ? most : LONG;
    fzi_machine_games(m, &self->run, &games);
    uint64_t played = (uint64_t)(games.lengths - (c->lengths + c->done));
    if (!h->sample.branching)
        games.legal_moves = 0;
    fzi_sums_add_games(&c->sums, c->lengths + c->done, played, &games);
    c->done += played;
    self->many = !games.unfit;
    if (!games.unfit && games.left && !m->games) { /* the result of the game in the state is new */
        fz_game_row row = {.legal_move_sum = h->sample.branching ? self->run.legal_move_sum : 0};
        if (fzi_results_count(r, &c->sums, m, NULL, self->state, &row))
            c->lengths[c->done++] = row.plies;
    }
}

static void play_chunk(shared *h, player *self, chunk *c)
{
    fz_game_row scratch;
    while (c->done < c->size && !c->last) {
        if (self->many && self->results.count)
            play_many(h, self, c);
        if (c->done == c->size)
            break;
        uint64_t playout = c->from + c->done;
        fz_game_row *row = c->rows ? &c->rows[c->done] : &scratch;
        fz_status status = play_one(h, self, playout, &c->sums, row);
        if (status != FZ_OK) {
            c->last = true;
            if (status != FZ_USAGE)
                __atomic_store_n(&h->no_memory, true, __ATOMIC_RELAXED);
            row_clear(h, row);
            break;
        }
        if (row->ending == FZ_ENDED_BY_ERROR && h->cover) /* one error is what a check wants */
            close_behind(h, playout);
        c->last = playout >= __atomic_load_n(&h->closed, __ATOMIC_RELAXED);
        c->lengths[c->done++] = row->ending == FZ_ENDED_BY_ERROR ? FAILED : row->plies;
        if (!c->rows && row->error)
            row_clear(h, row);
    }
    if (!fzi_results_close(&self->results, &c->sums, h->sample.program)) {
        c->last = true;
        __atomic_store_n(&h->no_memory, true, __ATOMIC_RELAXED);
    }
    __atomic_add_fetch(&h->done, c->done, __ATOMIC_RELAXED);
}

/* Adds the chunk to the total. False: it could not be added, and nothing was. */
static bool commit(shared *h, chunk *c)
{
    const fz_sink *sink = h->sample.sink;
    uint64_t longest = c->sums.playouts ? c->sums.longest : 0;
    if (!fz_sums_add_length(h->total, longest, 0) ||
        !fzi_sums_expect_ends(h->total, &c->sums, h->sample.program)) {
        __atomic_store_n(&h->no_memory, true, __ATOMIC_RELAXED);
        return false;
    }
    if (sink && c->done && !sink->take(sink->user, c->rows, c->done))
        return false;
    for (uint64_t i = 0; i < c->done; i++)
        if (c->lengths[i] != FAILED)
            h->total->lengths[c->lengths[i]]++;
    fz_sums_merge(h->total, &c->sums);
    return true;
}

static void clear_chunk(const shared *h, chunk *c)
{
    for (uint64_t i = 0; c->rows && i < c->done; i++)
        row_clear(h, &c->rows[i]);
    c->done = 0;
    fzi_sums_renew(&c->sums);
}

/* One thread commits at a time, and what others finish meanwhile too. */
static void finish_chunk(shared *h, chunk *c)
{
    pthread_mutex_lock(&h->lock);
    c->ready = true;
    while (!h->committing && !h->finished && h->first_chunk < h->next_chunk &&
           h->ring[h->first_chunk % h->ring_size].ready) {
        chunk *first = &h->ring[h->first_chunk % h->ring_size];
        h->committing = true;
        pthread_mutex_unlock(&h->lock);
        bool added = commit(h, first);
        clear_chunk(h, first);
        pthread_mutex_lock(&h->lock);
        h->committing = false;
        h->first_chunk++;
        if (!added || first->last) {
            h->finished = true;
            __atomic_store_n(&h->stop, 1, __ATOMIC_RELAXED);
        }
        pthread_cond_broadcast(&h->room);
    }
    pthread_mutex_unlock(&h->lock);
}

static void *work(void *argument)
{
    shared *h = argument;
    uint64_t size = h->sample.lineup || h->most < FIRST_CHUNK ? 1 : FIRST_CHUNK;
    player self;
    chunk *c;
    bool ready = player_init(&self, h);
    while (ready && (c = take_chunk(h, size))) {
        double begun = fzi_seconds(), took;
        play_chunk(h, &self, c);
        took = (fzi_seconds() - begun) * 1e3;
        finish_chunk(h, c);
        fzi_note_progress(h->sample.program, __atomic_load_n(&h->done, __ATOMIC_RELAXED),
                          h->sample.count);
        is_stopped(h, 0);
        size = took > LONG_MS ? (size + 1) / 2 : took < SHORT_MS ? 2 * size : size;
        size = size < h->most ? size : h->most;
    }
    pthread_mutex_lock(&h->lock);
    if (!ready)
        __atomic_store_n(&h->no_memory, true, __ATOMIC_RELAXED);
    if (h->cover && self.state)
        fzi_cover_add(h->cover, self.cover);
    pthread_mutex_unlock(&h->lock);
    player_clear(&self, h);
    return NULL;
}

static bool make_ring(shared *h)
{
    uint64_t threads = h->sample.threads ? h->sample.threads : 1;
    uint64_t share = h->sample.count / threads / 16;
    fzi_allocator allocator = fzi_program_allocator(h->sample.program);
    h->most = share < 1 ? 1 : share > MAX_CHUNK ? MAX_CHUNK : share;
    h->ring_size = threads * CHUNKS_A_THREAD;
    h->ring = fzi_allocate(allocator, h->ring_size * sizeof *h->ring);
    if (!h->ring)
        return false;
    memset(h->ring, 0, h->ring_size * sizeof *h->ring);
    for (uint64_t i = 0; i < h->ring_size; i++)
        fz_sums_init(&h->ring[i].sums, NULL, NULL);
    for (uint64_t i = 0; h->sample.sink && i < h->ring_size; i++)
        if (!(h->ring[i].rows = fzi_allocate(allocator, h->most * sizeof *h->ring[i].rows)))
            return false;
    return true;
}

static void clear_ring(shared *h)
{
    fzi_allocator allocator = fzi_program_allocator(h->sample.program);
    for (uint64_t i = 0; h->ring && i < h->ring_size; i++) {
        clear_chunk(h, &h->ring[i]);
        fz_sums_clear(&h->ring[i].sums);
        fzi_release(allocator, h->ring[i].rows);
    }
    fzi_release(allocator, h->ring);
}

static fz_status play_all(shared h, fz_tally *tally, char *message)
{
    fz_tally unused;
    fzi_allocator allocator = fzi_program_allocator(h.sample.program);
    double begun = fzi_seconds();
    fz_sums own;
    fz_sums_init(&own, allocator.resize, allocator.user);
    h.total = h.sample.sums ? h.sample.sums : &own;
    h.closed = UINT64_MAX;
    tally = tally ? tally : &unused;
    if (make_ring(&h)) {
        pthread_mutex_init(&h.lock, NULL);
        pthread_mutex_init(&h.watching, NULL);
        pthread_cond_init(&h.room, NULL);
        fzi_threads_run(h.sample.threads, work, &h);
        pthread_cond_destroy(&h.room);
        pthread_mutex_destroy(&h.watching);
        pthread_mutex_destroy(&h.lock);
    } else {
        h.no_memory = true;
    }
    fzi_note_progress(h.sample.program, h.sample.count, h.sample.count);
    clear_ring(&h);
    fz_sums_tally(h.total, tally);
    tally->seconds = fzi_seconds() - begun;
    if (message)
        snprintf(message, 256, "%.255s", h.unseated ? h.message : tally->failed ? h.total->message
                                       : h.no_memory ? "out of memory" : "");
    fz_sums_clear(&own);
    return h.unseated    ? h.unseated
           : tally->failed ? FZ_RUNTIME
           : h.no_memory   ? FZ_NO_MEMORY
                           : FZ_OK;
}

fz_status fz_playouts(const fz_program *program, const fz_limits *limits, uint64_t seed,
                      uint64_t first, uint64_t count, unsigned threads, bool branching,
                      const fz_watch *watch, fz_tally *tally, char *message)
{
    fz_playout_options sample = {.program = program, .limits = limits, .seed = seed, .first = first,
                        .count = count, .threads = threads, .branching = branching, .watch = watch};
    return fz_playouts_run(&sample, tally, message);
}

fz_status fz_playouts_run(const fz_playout_options *sample, fz_tally *tally, char *message)
{
    return play_all((shared){.sample = *sample}, tally, message);
}

fz_status fz_playouts_covered(const fz_playout_options *sample, fz_tally *tally, char *message,
                              fz_coverage *coverage)
{
    fz_cover *cover = fz_cover_begin(sample->program, sample->limits);
    shared h = {.sample = *sample, .cover = cover};
    fz_status status = FZ_NO_MEMORY;
    h.sample.branching = true;
    *coverage = (fz_coverage){0};
    if (tally)
        *tally = (fz_tally){0};
    if (cover) {
        status = play_all(h, tally, message);
        cover->without_setup = sample->from != NULL;
    }
    if (status != FZ_NO_MEMORY && fz_cover_rules(cover, coverage) != FZ_OK)
        status = FZ_NO_MEMORY;
    if (status == FZ_NO_MEMORY && message)
        snprintf(message, 256, "out of memory");
    fz_cover_free(cover);
    return status;
}
