/* Plays matches between agents. See play.h. Threads take games from a common counter; whoever
 * finishes one counts the pairs that are complete, in their order. */
#include "play.h"

#include <pthread.h>
#include <stdio.h>

#include "interp/vm/fault.h"

enum { AHEAD = 1024 };         /* games that may be finished before an earlier pair is */

/* A finished game, for agent 0. */
typedef struct outcome {
    uint32_t plies, turns;
    double payoff;             /* mean of its players minus mean of the others */
    uint8_t result;
    bool done, stopped;
} outcome;

typedef struct shared {
    fzi_match match;
    fzi_match_result *result;
    unsigned side_of[FZ_MAX_PLAYERS];
    pthread_mutex_t lock;      /* of all that follows */
    pthread_cond_t counted_more;
    uint64_t next, counted;    /* games handed out, games counted */
    outcome outcomes[AHEAD];   /* of games from `counted` on, by their number modulo AHEAD */
    bool stop;
    uint64_t failed;           /* the least game that failed; UINT64_MAX */
    fz_status status;          /* why */
    char *message;
} shared;

unsigned fzi_match_agent(const unsigned *side_of, unsigned player, uint64_t game)
{
    return (unsigned)((side_of[player] + game) % 2);
}

fzi_estimate fzi_match_score(const fzi_match_result *result)
{
    const fzi_pairs none = {{0}};

    return fzi_pairs_score(result->games > result->stopped ? &result->pairs : &none);
}

/* ---- one game ---- */

/* The resources of a thread. An agent is made when a seat needs one more. */
typedef struct table {
    shared *shared;
    fz_machine *machine;
    fz_state *state;
    fz_decider deciders[2][FZ_MAX_PLAYERS];
    unsigned made[2];
} table;

/* Games before this one go on: a sequential test may end the match with them. */
static void fail(shared *h, uint64_t game, fz_status status, const char *message)
{
    pthread_mutex_lock(&h->lock);
    if (game < h->failed) {
        h->status = status;
        h->failed = game;
        snprintf(h->message, 256, "%.255s", message);
    }
    pthread_cond_broadcast(&h->counted_more);
    pthread_mutex_unlock(&h->lock);
}

/* Seats the agents of the game. */
static bool seat(table *t, uint64_t game, fz_decider *deciders)
{
    shared *h = t->shared;
    unsigned seated[2] = {0};

    for (unsigned p = 0; p < h->match.program->player_count; p++) {
        unsigned agent = fzi_match_agent(h->side_of, p, game), k = seated[agent]++;
        char message[256] = "";
        fz_status status = FZ_OK;
        if (k == t->made[agent]) {
            pthread_mutex_lock(&h->lock);
            status = h->match.make(h->match.user, agent, &t->deciders[agent][k], message);
            pthread_mutex_unlock(&h->lock);
        }
        if (status != FZ_OK) {
            fail(h, game, status, message);
            return false;
        }
        t->made[agent] = k == t->made[agent] ? k + 1 : t->made[agent];
        deciders[p] = t->deciders[agent][k];
    }
    return true;
}

static bool was_stopped(void *user)
{
    shared *h = user;
    const fz_watch *watch = h->match.watch;
    bool stop;

    pthread_mutex_lock(&h->lock);
    if (fzi_watch_stops(watch, h->match.limits ? h->match.limits->cancel : NULL, h->counted,
                        2 * h->match.pairs))
        h->stop = true;
    stop = h->stop;
    if (stop)
        pthread_cond_broadcast(&h->counted_more);
    pthread_mutex_unlock(&h->lock);
    return stop;
}

/* Compares averages as sums: utilities are whole numbers, so equal averages compare equal. */
static uint8_t result_of(const shared *h, uint64_t game, const fz_state *state)
{
    int64_t sums[2] = {0}, seats[2] = {0};

    for (unsigned p = 0; p < h->match.program->player_count; p++) {
        unsigned agent = fzi_match_agent(h->side_of, p, game);
        sums[agent] += fzi_state_utility(state, (int)p);
        seats[agent]++;
    }
    int64_t lead = sums[0] * seats[1] - sums[1] * seats[0];
    return lead > 0 ? FZ_WON : lead < 0 ? FZ_LOST : FZ_DRAWN;
}

static fz_status payoff_of(const shared *h, fz_machine *m, uint64_t game, const fz_state *state,
                           double *payoff)
{
    double sums[2] = {0}, seats[2] = {0};
    fz_status status = FZ_OK;

    *payoff = 0;
    if (!fz_program_has_payoffs(h->match.program))
        return FZ_OK;
    for (unsigned p = 0; p < h->match.program->player_count && status == FZ_OK; p++) {
        unsigned agent = fzi_match_agent(h->side_of, p, game);
        int64_t value;
        status = fz_state_payoff(m, state, (int)p, &value);
        if (status == FZ_OK)
            sums[agent] += (double)value;
        seats[agent]++;
    }
    *payoff = sums[0] / seats[0] - sums[1] / seats[1];
    return status;
}

static fz_status play_game(table *t, uint64_t game, outcome *found)
{
    shared *h = t->shared;
    const fz_program *p = h->match.program;
    fz_state *state = h->match.logs ? fzi_decided_logged(p, !h->match.from) : t->state;
    fz_decider deciders[FZ_MAX_PLAYERS];
    fzi_decided task = {.machine = t->machine, .deciders = deciders, .from = h->match.from,
                        .seed = h->match.seed, .stream = game / 2,
                        .thoughts = game * p->player_count, .stopped = was_stopped, .user = h};
    bool at_fault;
    fz_status status;

    if (!state)
        return FZ_NO_MEMORY;
    status = seat(t, game, deciders) ? fzi_decided_play(&task, state, &at_fault) : FZ_USAGE;
    if (status == FZ_OK) {
        *found = (outcome){.plies = fz_state_plies(state), .turns = fz_state_turns(state),
                           .result = result_of(h, game, state),
                           .stopped = fz_state_stopped(state), .done = true};
        status = payoff_of(h, t->machine, game, state, &found->payoff);
    }
    if (h->match.logs)
        fz_state_free(state);
    return status;
}

/* ---- counting ---- */

static void count_pair(fzi_match_result *r, const outcome *pair)
{
    double payoff = (pair[0].payoff + pair[1].payoff) / 2;

    r->pairs.counts[pair[0].result + pair[1].result]++;
    r->games += 2;
    for (unsigned seat = 0; seat < 2; seat++) {
        r->plies += pair[seat].plies;
        r->turns += pair[seat].turns;
        r->stopped += pair[seat].stopped;
        r->results[seat][pair[seat].result]++;
    }
    r->payoff += payoff;
    r->payoff_squares += payoff * payoff;
}

/* Counts what is complete. Under the lock. */
static void count_on(shared *h)
{
    for (;;) {
        outcome *pair = &h->outcomes[h->counted % AHEAD];
        if (h->stop || !pair[0].done || !pair[1].done)
            return;
        count_pair(h->result, pair);
        pair[0].done = pair[1].done = false;
        h->counted += 2;
        if (h->match.sprt) {
            h->result->ratio = fzi_sprt_ratio(h->match.sprt, &h->result->pairs);
            h->result->verdict = fzi_sprt_verdict(h->match.sprt, &h->result->pairs);
        }
        if (h->result->verdict)
            h->stop = true;
        pthread_cond_broadcast(&h->counted_more);
    }
}

static bool is_more(const shared *h)
{
    return !h->stop && h->next < 2 * h->match.pairs && h->next / 2 <= h->failed / 2;
}

/* The next game to play; false: there is none. Waits while a much earlier game is unfinished. */
static bool take(shared *h, uint64_t *game)
{
    pthread_mutex_lock(&h->lock);
    while (is_more(h) && h->next >= h->counted + AHEAD)
        pthread_cond_wait(&h->counted_more, &h->lock);
    bool more = is_more(h);
    if (more)
        *game = h->next++;
    pthread_mutex_unlock(&h->lock);
    return more;
}

static void *work(void *argument)
{
    shared *h = argument;
    table t = {.shared = h};
    uint64_t game = 0;

    t.machine = fz_machine_new(h->match.program, h->match.limits);
    t.state = t.machine ? fzi_state_make(h->match.program) : NULL;
    if (t.state)
        fzi_state_forget(t.state);
    else
        fail(h, 0, FZ_NO_MEMORY, "out of memory");
    while (t.state && take(h, &game)) {
        outcome found;
        fz_status status = play_game(&t, game, &found);
        if (status == FZ_USAGE)
            break;
        if (status != FZ_OK) {
            fail(h, game, status, fz_machine_message(t.machine));
            break;
        }
        pthread_mutex_lock(&h->lock);
        h->outcomes[game % AHEAD] = found;
        count_on(h);
        fzi_note_progress(h->match.program, h->counted, 2 * h->match.pairs);
        pthread_mutex_unlock(&h->lock);
    }
    for (unsigned agent = 0; agent < 2; agent++)
        while (t.made[agent]--) {
            fz_decider *d = &t.deciders[agent][t.made[agent]];
            d->release(d->self);
        }
    fz_state_free(t.state);
    fz_machine_free(t.machine);
    return NULL;
}

fz_status fzi_match_play(const fzi_match *match, fzi_match_result *result, uint64_t *failed,
                         char *message)
{
    fzi_allocator a = fzi_program_allocator(match->program);
    shared *h = fzi_allocate(a, sizeof *h);
    fz_status status;

    *result = (fzi_match_result){0};
    snprintf(message, 256, "out of memory");
    if (!h)
        return FZ_NO_MEMORY;
    *h = (shared){.match = *match, .result = result, .failed = UINT64_MAX,
                  .message = message};
    if (fzi_sides(match->program, h->side_of) < 2) {
        fzi_release(a, h);
        snprintf(message, 256, "all players of this game are on one side");
        return FZ_USAGE;
    }
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->counted_more, NULL);
    fzi_threads_run(match->threads, work, h);
    fzi_note_progress(match->program, 2 * match->pairs, 2 * match->pairs);
    pthread_cond_destroy(&h->counted_more);
    pthread_mutex_destroy(&h->lock);
    *failed = h->failed;
    status = result->verdict ? FZ_OK : h->status;
    fzi_release(a, h);
    return status;
}
