/* Many games of one program, stepped at once. Each worker has a machine and a fixed share of the
 * games, so what a game does depends on nothing but its seed, its stream and its moves. */
#include <stdio.h>

#include "features.h"
#include "interp/agents/agent.h"
#include "interp/play/play.h"
#include "interp/support/threads.h"
#include "interp/text/position.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"
#include "interp/vm/filter.h"

enum { MOST_WORKERS = 256 };

/* How a game ended. */
typedef struct outcome {
    uint8_t ending;        /* enum fz_ending; FZ_NOT_ENDED: there is nothing to report */
    int8_t rank[FZ_MAX_PLAYERS], nature;
    int64_t payoff[FZ_MAX_PLAYERS];
} outcome;

typedef struct slot {
    fz_state *state;
    fz_moves *moves;       /* the legal ones, while a move is waited for */
    uint64_t stream;
    bool failed;           /* the script failed: the state is not to be used */
    bool chosen;           /* `move` is to be played in this step */
    fz_move move;
    outcome end;           /* as the latest step reports it */
    outcome untold;        /* of the game in `state`, until a step reports it */
} slot;

typedef struct worker {
    struct fz_batch *batch;
    fz_machine *machine;
    fz_decider deciders[FZ_MAX_PLAYERS]; /* agents; of players for whom the caller chooses: none */
    size_t first, end;     /* its games */
    fz_status status;
    size_t failed;         /* the game that the message is about */
    char message[512];     /* of the first game that failed; "" */
} worker;

/* The task of the workers. */
typedef struct errand {
    fz_status (*each)(worker *w, size_t game, const struct errand *job);
    const int64_t *choices;
    fz_batch_choices kind;
    bool again;
    int player;
    uint8_t *planes;
    int32_t *values;
    uint8_t *mask;
    int64_t *actions;
} errand;

struct fz_batch {
    const fz_program *program;
    fzi_allocator allocator;
    fzi_features features;
    fzi_own_view own;
    bool logs;             /* the agents need to know the whole game */
    bool is_own;           /* actions and observations are in own views */
    fz_state *base;        /* a state without anything */
    uint64_t seed;
    size_t count;
    slot *slots;
    worker *workers;
    unsigned worker_count;
    unsigned next;         /* worker whose thread is to begin; atomic */
    const errand *job;     /* under way */
    size_t *offsets;       /* of each game, the moves of those before it; scratch */
    char message[512];
};

/* ---- one game ---- */

static bool waits(const slot *s)
{
    return !s->failed && fzi_head_of(s->state)->waiting == FZ_WAITING_MOVE;
}

/* Keeps what is asked of a game that is over. */
static fz_status note_end(worker *w, slot *s)
{
    const fz_program *program = w->batch->program;
    const fzi_head *head = fzi_head_of(s->state);

    s->untold.ending = (uint8_t)fz_state_ending(s->state, NULL);
    memcpy(s->untold.rank, head->rank, sizeof s->untold.rank);
    s->untold.nature = head->nature;
    for (int p = 0; p < (int)program->player_count && program->payoff >= 0; p++) {
        fz_status status = fz_state_payoff(w->machine, s->state, p, &s->untold.payoff[p]);
        if (status != FZ_OK)
            return status;
    }
    return FZ_OK;
}

/* A step reports the end of one game. The next may end in its set-up: then the next step reports
 * that. */
static void tell_end(slot *s)
{
    if (s->end.ending != FZ_NOT_ENDED || s->untold.ending == FZ_NOT_ENDED)
        return;
    s->end = s->untold;
    s->untold.ending = FZ_NOT_ENDED;
}

/* The script failed, or memory is short: then the whole step ends. */
static fz_status fail(worker *w, slot *s, fz_status status)
{
    if (status == FZ_OK)
        return status;
    if (!w->message[0]) {
        w->failed = (size_t)(s - w->batch->slots);
        snprintf(w->message, sizeof w->message, "%.500s", fz_machine_message(w->machine));
    }
    s->failed = true;
    s->untold = (outcome){.ending = FZ_ENDED_BY_ERROR};
    return status == FZ_NO_MEMORY ? status : FZ_OK;
}

/* Plays on the state itself: after a failure nobody uses it. */
static fz_status take(fz_machine *m, slot *s, const fz_move *move)
{
    fzi_move_list *list = &s->moves->list;
    unsigned depth = m->scratch_depth;

    fzi_machine_begin(m);
    fz_status status = fzi_state_take_listing(m, s->state, move, FZ_MAX_TURNS, false, list);
    if (status == FZ_OK && waits(s)) { /* with its candidates in the list */
        fzi_run run = fzi_run_of(m, s->state, FZ_RUN_GATHER);
        run.list = list;
        if (!fzi_move_list_prune(m, &run))
            status = fzi_machine_fail(m);
    }
    m->scratch_depth = depth;
    return status;
}

static fz_status take_random(fz_machine *m, slot *s)
{
    fz_status status = fz_state_play_random(m, s->state);

    if (status == FZ_OK && waits(s))
        status = fz_state_moves(m, s->state, s->moves);
    return status;
}

/* The agent that decides; NULL: the caller does. */
static const fz_decider *agent_of(const worker *w, const slot *s)
{
    const fz_decider *d = waits(s) ? &w->deciders[fz_state_decider(s->state)] : NULL;

    return d && d->choose_move ? d : NULL;
}

/* An agent knows nothing of earlier decisions, because it plays many games by turns: what it
 * chooses depends on seed, stream and position alone. */
static fz_status ask(worker *w, slot *s, const fz_decider *agent)
{
    const fz_batch *b = w->batch;
    const fzi_head *head = fzi_head_of(s->state);
    uint64_t players = b->program->player_count;
    fz_move move;

    agent->new_game(agent->self, fzi_chance_key(b->seed, head->plies),
                    s->stream * players + (uint64_t)head->decider);
    fz_status status = agent->choose_move(agent->self, s->state, &move);
    if (status != FZ_OK)
        return fzi_machine_say(w->machine, status == FZ_NO_MEMORY ? status : FZ_RUNTIME, "%s",
                               agent->why(agent->self));
    return take(w->machine, s, &move);
}

/* Plays on until the caller chooses or the game is over. */
static fz_status settle(worker *w, slot *s)
{
    const fz_decider *agent;
    fz_status status = FZ_OK;

    for (uint32_t ply = 0; status == FZ_OK && (agent = agent_of(w, s)); ply++)
        status = ply < w->machine->limits.playout
                     ? ask(w, s, agent)
                     : fzi_machine_say(w->machine, FZ_RUNTIME, "more than %u decisions of agents "
                                       "in one step", w->machine->limits.playout);
    if (status == FZ_OK && !waits(s))
        status = note_end(w, s);
    return status;
}

static fz_status begin(worker *w, slot *s)
{
    fzi_log_forget(s->state->log);
    fz_status status = fz_state_restart(w->machine, s->state, w->batch->seed, s->stream);
    s->failed = false;
    if (status == FZ_OK && waits(s))
        status = fz_state_moves(w->machine, s->state, s->moves);
    return status == FZ_OK ? settle(w, s) : status;
}

static fz_status begin_again(worker *w, slot *s)
{
    s->stream += w->batch->count;
    return begin(w, s);
}

/* The move of a choice; false: it is not legal. */
static bool choose(const fz_batch *b, const slot *s, fz_batch_choices kind, int64_t choice,
                   fz_move *move)
{
    const fzi_actions *actions = &b->features.actions;

    if (kind == FZ_BATCH_ACTIONS) {
        if (b->is_own)
            choice = fzi_own_action(&b->own, actions, fz_state_decider(s->state), choice, true);
        return fzi_action_move(actions, choice, move) &&
               fzi_move_list_find(&s->moves->list, move) != UINT32_MAX;
    }
    if (choice < 0 || (uint64_t)choice >= s->moves->list.total)
        return false;
    *move = fz_moves_at(s->moves, (size_t)choice);
    return true;
}

/* Looks up the move that is chosen for a game, before any game is changed. */
static fz_status decide(worker *w, size_t game, const errand *job)
{
    slot *s = &w->batch->slots[game];
    int64_t choice = job->choices[game];

    s->chosen = false;
    if (choice == FZ_BATCH_LEAVE || !waits(s))
        return FZ_OK;
    s->chosen = choose(w->batch, s, job->kind, choice, &s->move);
    if (s->chosen)
        return FZ_OK;
    w->failed = game;
    snprintf(w->message, sizeof w->message, "%s %lld is not legal",
             job->kind == FZ_BATCH_ACTIONS ? "action" : "move number", (long long)choice);
    return FZ_USAGE;
}

/* Plays the move of this step in a game that waits for one. */
static fz_status play(worker *w, slot *s, const errand *job)
{
    fz_status status = FZ_OK;

    if (!job->choices)
        status = take_random(w->machine, s);
    else if (s->chosen)
        status = take(w->machine, s, &s->move);
    else
        return FZ_OK;
    return fail(w, s, status == FZ_OK ? settle(w, s) : status);
}

static fz_status step(worker *w, size_t game, const errand *job)
{
    slot *s = &w->batch->slots[game];
    fz_status status = waits(s) ? play(w, s, job) : FZ_OK;

    s->end.ending = FZ_NOT_ENDED;
    tell_end(s);
    if (status == FZ_OK && job->again && !waits(s)) {
        status = fail(w, s, begin_again(w, s));
        tell_end(s);
    }
    return status;
}

static fz_status start(worker *w, size_t game, const errand *job)
{
    slot *s = &w->batch->slots[game];

    (void)job;
    s->stream = game;
    fz_status status = fail(w, s, begin(w, s));
    tell_end(s);
    return status;
}

/* ---- all games ---- */

/* The work of threads that cannot be had is done by the others. */
static void *work(void *argument)
{
    fz_batch *b = argument;
    unsigned number;

    while ((number = __atomic_fetch_add(&b->next, 1, __ATOMIC_RELAXED)) < b->worker_count) {
        worker *w = &b->workers[number];
        w->status = FZ_OK;
        w->message[0] = '\0';
        for (size_t i = w->first; i < w->end && w->status == FZ_OK; i++)
            w->status = b->job->each(w, i, b->job);
    }
    return NULL;
}

static fz_status run(fz_batch *b, const errand *job)
{
    fz_status status = FZ_OK;

    b->job = job;
    b->next = 0;
    b->message[0] = '\0';
    fzi_threads_run(b->worker_count, work, b);
    for (unsigned i = 0; i < b->worker_count; i++) {
        const worker *w = &b->workers[i];
        if (w->message[0] && !b->message[0])
            snprintf(b->message, sizeof b->message, "game %zu: %.480s", w->failed, w->message);
        if (status == FZ_OK)
            status = w->status;
    }
    return status;
}

static fz_status say(fz_batch *b, fz_status status, const char *message)
{
    snprintf(b->message, sizeof b->message, "%s", message);
    return status;
}

static fz_status make_agent(void *user, unsigned player, fz_decider *decider, char *message)
{
    const fz_batch_task *task = user;
    fz_agent *agent;
    fz_status status;

    if (!task->agents[player])
        return FZ_OK;
    status = fzi_agent_describe(task->context, task->program, task->agents[player],
                                (fzi_agent_files){0}, &agent, message);
    if (status == FZ_OK)
        *decider = fz_agent_decider(agent);
    return status;
}

static bool make_workers(fz_batch *b, const fz_limits *limits, unsigned threads)
{
    unsigned count = threads < 1 ? 1 : threads > MOST_WORKERS ? MOST_WORKERS : threads;

    if (count > b->count)
        count = b->count ? (unsigned)b->count : 1;
    b->workers = fzi_allocate(b->allocator, count * sizeof *b->workers);
    if (!b->workers)
        return false;
    for (; b->worker_count < count; b->worker_count++) {
        worker *w = &b->workers[b->worker_count];
        *w = (worker){.batch = b, .first = b->count * b->worker_count / count,
                      .end = b->count * (b->worker_count + 1) / count};
        w->machine = fz_machine_new(b->program, limits);
        if (!w->machine)
            return false;
    }
    return true;
}

static bool make_slots(fz_batch *b)
{
    if (b->count > SIZE_MAX / 2 / sizeof *b->slots)
        return false;
    b->slots = fzi_allocate(b->allocator, b->count * sizeof *b->slots);
    if (!b->slots)
        return false;
    memset(b->slots, 0, b->count * sizeof *b->slots);
    b->offsets = fzi_allocate(b->allocator, b->count * sizeof *b->offsets);
    if (!b->offsets)
        return false;
    for (unsigned i = 0; i < b->worker_count; i++) {
        for (size_t game = b->workers[i].first; game < b->workers[i].end; game++) {
            slot *s = &b->slots[game];
            s->state = b->logs ? fzi_decided_logged(b->program, true) : fzi_state_make(b->program);
            s->moves = fz_moves_new(b->workers[i].machine);
            if (!s->state || !s->moves)
                return false;
        }
    }
    b->base = b->count ? fzi_position_new(b->slots[0].state) : NULL;
    return b->base || !b->count;
}

/* Makes what the games need, and begins them. */
static fz_status open_batch(fz_batch *b, const fz_batch_task *task)
{
    static const errand beginning = {.each = start};
    fz_status status = FZ_OK;

    if (!fzi_features_init(&b->features, task->program) ||
        (task->own && !fzi_own_view_init(&b->own, task->program)) ||
        !make_workers(b, task->limits, task->threads))
        return say(b, FZ_NO_MEMORY, "out of memory");
    for (unsigned i = 0; task->agents && i < b->worker_count && status == FZ_OK; i++)
        status = fzi_deciders_make(task->program->player_count, make_agent, (void *)(uintptr_t)task,
                                   b->workers[i].deciders, b->message);
    if (status != FZ_OK)
        return status;
    if (!make_slots(b)) {
        snprintf(b->message, sizeof b->message, "out of memory: there is no room for %zu games",
                 b->count);
        return FZ_NO_MEMORY;
    }
    return run(b, &beginning);
}

fz_status fz_batch_new(const fz_batch_task *task, fz_batch **batch, char *message)
{
    fzi_allocator allocator = fzi_program_allocator(task->program);
    fz_batch *b = fzi_allocate(allocator, sizeof *b);

    if (batch)
        *batch = NULL;
    if (!b) {
        if (message)
            snprintf(message, 256, "out of memory");
        return FZ_NO_MEMORY;
    }
    *b = (fz_batch){.program = task->program, .allocator = allocator, .seed = task->seed,
                    .count = task->count, .is_own = task->own,
                    .logs = task->agents && fz_program_hides(task->program)};
    fz_program_retain((fz_program *)task->program);
    fz_status status = open_batch(b, task);
    if (message)
        snprintf(message, 256, "%.255s", status == FZ_OK ? "" : b->message);
    if (status == FZ_OK && batch)
        *batch = b;
    else
        fz_batch_free(b);
    return status;
}

void fz_batch_free(fz_batch *b)
{
    if (!b)
        return;
    fz_program *program = (fz_program *)b->program;
    for (size_t i = 0; b->slots && i < b->count; i++) {
        fz_moves_free(b->slots[i].moves);
        fz_state_free(b->slots[i].state);
    }
    for (unsigned i = 0; i < b->worker_count; i++) {
        fzi_deciders_release(b->workers[i].deciders, program->player_count);
        fz_machine_free(b->workers[i].machine);
    }
    fz_state_free(b->base);
    FZI_RELEASE(b->allocator, b->slots, b->offsets, b->workers);
    fzi_features_clear(&b->features);
    fzi_own_view_clear(&b->own);
    fzi_release(b->allocator, b);
    fz_program_release(program);
}

const char *fz_batch_message(const fz_batch *b)
{
    return b->message;
}

/* ---- how the games stand ---- */

static void put_end(const fz_batch *b, const slot *s, size_t game, const fz_batch_arrays *into)
{
    uint32_t players = b->program->player_count;
    const outcome *end = &s->end;
    bool known = end->ending != FZ_NOT_ENDED && end->ending != FZ_ENDED_BY_ERROR;

    if (into->endings)
        into->endings[game] = end->ending;
    for (uint32_t p = 0; p < players; p++) {
        if (into->utilities)
            into->utilities[game * players + p] =
                known ? fzi_utility_of(b->program, end->rank, end->nature, (int)p) : 0;
        if (into->payoffs)
            into->payoffs[game * players + p] = known ? end->payoff[p] : 0;
    }
}

void fz_batch_look(const fz_batch *b, const fz_batch_arrays *into)
{
    for (size_t i = 0; i < b->count; i++) {
        const slot *s = &b->slots[i];
        if (into->deciders)
            into->deciders[i] = (int8_t)(waits(s) ? fz_state_decider(s->state) : -1);
        if (into->counts)
            into->counts[i] = waits(s) ? s->moves->list.total : 0;
        if (into->plies)
            into->plies[i] = s->failed ? 0 : fz_state_plies(s->state);
        if (into->streams)
            into->streams[i] = s->stream;
        put_end(b, s, i, into);
    }
}

fz_status fz_batch_step(fz_batch *b, const int64_t *choices, fz_batch_choices kind, bool again)
{
    const errand deciding = {.each = decide, .choices = choices, .kind = kind};
    const errand stepping = {.each = step, .choices = choices, .again = again};
    fz_status status = choices ? run(b, &deciding) : FZ_OK;

    if (status != FZ_OK)
        return status;
    return run(b, &stepping);
}

static fz_status list(worker *w, size_t game, const errand *job)
{
    const fz_batch *b = w->batch;
    const slot *s = &b->slots[game];
    const fzi_actions *numbers = &b->features.actions;
    int64_t *at = job->actions ? job->actions + b->offsets[game] : NULL;
    uint8_t *row = job->mask ? job->mask + game * (size_t)numbers->count : NULL;
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    fz_move move;

    if (row)
        memset(row, 0, (size_t)numbers->count);
    while (waits(s) && fzi_move_list_next(&s->moves->list, &cursor, UINT32_MAX, &move)) {
        int64_t action = fzi_action_of(numbers, &move);
        if (b->is_own)
            action = fzi_own_action(&b->own, numbers, fz_state_decider(s->state), action, false);
        if (at)
            *at++ = action;
        if (row && action >= 0)
            row[action] = 1;
    }
    return FZ_OK;
}

fz_status fz_batch_actions(fz_batch *b, int64_t *actions)
{
    const errand listing = {.each = list, .actions = actions};
    size_t offset = 0;

    for (size_t i = 0; i < b->count; i++) {
        b->offsets[i] = offset;
        offset += waits(&b->slots[i]) ? b->slots[i].moves->list.total : 0;
    }
    return run(b, &listing);
}

fz_status fz_batch_mask(fz_batch *b, uint8_t *mask)
{
    const errand listing = {.each = list, .mask = mask};

    if (!b->features.actions.count)
        return say(b, FZ_USAGE, "the moves of this game have no numbers");
    return run(b, &listing);
}

static fz_status observe(worker *w, size_t game, const errand *job)
{
    const fz_batch *b = w->batch;
    const slot *s = &b->slots[game];
    size_t plane_bytes = b->features.planes * b->program->board.site_count;
    uint8_t *planes = job->planes ? job->planes + game * plane_bytes : NULL;
    int32_t *values = job->values ? job->values + game * b->features.values : NULL;
    int player = job->player;

    if (player < 0 && waits(s))
        player = fz_state_decider(s->state);
    if (player >= 0 && !s->failed) {
        fzi_machine_begin(w->machine);
        return fzi_features_write(&b->features, w->machine, s->state, b->base, player,
                                  b->is_own ? &b->own : NULL, planes, values);
    }
    if (planes)
        memset(planes, 0, plane_bytes);
    if (values)
        memset(values, 0, b->features.values * sizeof *values);
    return FZ_OK;
}

fz_status fz_batch_observe(fz_batch *b, int player, uint8_t *planes, int32_t *values)
{
    const errand looking = {.each = observe, .player = player, .planes = planes, .values = values};

    if (player >= (int)b->program->player_count)
        return say(b, FZ_USAGE, "there is no such player");
    fz_status status = run(b, &looking);
    if (status != FZ_OK)
        for (unsigned i = 0; i < b->worker_count && !b->message[0]; i++)
            say(b, status, fz_machine_message(b->workers[i].machine));
    return status;
}

fz_state *fz_batch_state(const fz_batch *b, size_t game)
{
    if (game >= b->count || b->slots[game].failed)
        return NULL;
    return fz_state_clone(b->slots[game].state);
}
