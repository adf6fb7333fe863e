/* Makes an agent from a description, and calls its kind when it is to choose. */
#include "agent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "interp/vm/fault.h"
#include "interp/vm/game.h"
#include "interp/vm/filter.h"

static const fzi_agent_class *const classes[] = {
    [FZ_AGENT_RANDOM] = &fzi_agent_random,   [FZ_AGENT_GREEDY] = &fzi_agent_greedy,
    [FZ_AGENT_SOFTMAX] = &fzi_agent_softmax, [FZ_AGENT_FLAT] = &fzi_agent_flat,
    [FZ_AGENT_MCTS] = &fzi_agent_mcts,       [FZ_AGENT_CFR] = &fzi_agent_cfr,
    [FZ_AGENT_ALPHABETA] = &fzi_agent_alphabeta,
};

/* ---- for the classes ---- */

fz_state *fzi_agent_state_new(fz_agent *agent)
{
    fz_state *state = fzi_state_make(agent->program);

    if (state)
        fzi_state_forget(state);
    return state;
}

void fzi_agent_begin_chance(fz_agent *agent, uint64_t key)
{
    agent->key = key;
    agent->imagined_key = fzi_chance_key(key, UINT64_MAX);
    agent->counter = agent->imagined_counter = 0;
}

void fzi_agent_blind(const fz_agent *agent, fz_state *state)
{
    fzi_head_of(state)->key = agent->imagined_key;
    fzi_head_of(state)->counter = agent->imagined_counter;
}

fz_status fzi_agent_imagine(fz_agent *agent, fz_state *into, const fz_state *state)
{
    if (!fzi_state_copy(into, state))
        return fzi_machine_no_memory(agent->machine);
    fzi_agent_blind(agent, into);
    return FZ_OK;
}

void fzi_agent_resume(fz_agent *agent, const fz_state *imagined)
{
    agent->imagined_counter = fzi_head_of(imagined)->counter;
}

fz_status fzi_agent_take(fz_agent *agent, fz_state *imagined, const fz_move *move)
{
    fzi_machine_begin(agent->machine);
    return fzi_state_take(agent->machine, imagined, move, FZ_MAX_TURNS, false);
}

fz_status fzi_agent_take_listing(fz_agent *agent, fz_state *imagined, const fz_move *move,
                                 fzi_move_list *list)
{
    fz_machine *m = agent->machine;
    fz_status status;

    fzi_machine_begin(m);
    status = fzi_state_take_listing(m, imagined, move, FZ_MAX_TURNS, false, list);
    if (status == FZ_OK && fzi_head_of(imagined)->waiting == FZ_WAITING_MOVE) {
        fzi_run run = fzi_run_of(m, imagined, FZ_RUN_GATHER);
        run.list = list; /* with its candidates */
        return fzi_move_list_prune(m, &run) ? FZ_OK : fzi_machine_fail(m);
    }
    return status;
}

/* `move`: NULL, or played first. An agent that is stopped leaves the game where it is. */
static fz_status play_on(fz_agent *agent, fz_state *imagined, const fz_move *move, uint64_t depth)
{
    /* Decisions after which the agent may be stopped: more than native code wants to have left. */
    enum { SLICE = 1 << 13 };
    fz_machine *m = agent->machine;
    uint64_t bound = m->limits.playout, left = depth < bound ? depth : bound;
    fz_status status;

    do {
        uint64_t plies = left < SLICE ? left : SLICE;
        fzi_machine_begin(m);
        status = move ? fzi_state_take_on(m, imagined, move, plies)
                      : fzi_state_go(m, imagined, plies);
        if (status != FZ_OK || fzi_head_of(imagined)->waiting == FZ_GAME_OVER)
            return status;
        move = NULL;
        left -= plies;
    } while (left && !fzi_cancelled(&agent->thinking));
    if (!left && depth >= bound)
        return fzi_machine_say(m, FZ_RUNTIME, "more than %u decisions in one playout",
                               m->limits.playout);
    return FZ_OK;
}

fz_status fzi_agent_take_on(fz_agent *agent, fz_state *imagined, const fz_move *move,
                            uint64_t depth)
{
    return play_on(agent, imagined, move, depth);
}

fz_status fzi_agent_play_on(fz_agent *agent, fz_state *imagined, uint64_t depth)
{
    return fzi_head_of(imagined)->waiting == FZ_GAME_OVER
               ? FZ_OK : play_on(agent, imagined, NULL, depth);
}

fz_status fzi_agent_list(fz_agent *agent, const fz_state *state, fzi_move_list *list)
{
    fz_machine *m = agent->machine;
    fzi_run run;

    fzi_machine_begin(m);
    return fzi_state_gather(m, state, list, &run) && fzi_move_list_prune(m, &run)
               ? FZ_OK : fzi_machine_fail(m);
}

fz_move fzi_agent_move_at(const fz_agent *agent, const fzi_move_list *list, uint32_t index)
{
    fz_move move = {0};

    fzi_move_list_pick(list, index, agent->program->board.words, &move);
    return move;
}

/* ---- agents ---- */

static fz_status open_agent(fz_agent *agent, const fz_limits *given)
{
    fz_limits limits = *given;

    agent->thinking.outer = given->cancel;
    limits.cancel = &agent->thinking;
    agent->machine = fz_machine_new(agent->program, &limits);
    if (!agent->machine)
        return FZ_NO_MEMORY;
    agent->scratch = fzi_agent_state_new(agent);
    agent->moves = fz_moves_new(agent->machine);
    if (!agent->scratch || !agent->moves)
        return FZ_NO_MEMORY;
    return agent->class->open ? agent->class->open(agent) : FZ_OK;
}

/* An agent without settings. NULL: memory is short. */
static fz_agent *make(fzi_allocator allocator, const fz_program *program, const char *description)
{
    fz_agent *agent = fzi_allocate(allocator, sizeof *agent);

    if (!agent)
        return NULL;
    *agent = (fz_agent){.program = program, .allocator = allocator};
    fz_program_retain((fz_program *)program);
    agent->description = fzi_copy_text(agent->allocator, description, strlen(description));
    if (agent->description)
        return agent;
    fz_agent_free(agent);
    return NULL;
}

static fz_status finish(fz_context *context, fz_agent *agent, fz_agent **made)
{
    fz_status status = open_agent(agent, &context->limits);

    if (status != FZ_OK) {
        const char *why = agent->machine ? fz_machine_message(agent->machine) : "";
        fzi_context_fail(context, status, "%s",
                         status == FZ_NO_MEMORY || !*why ? "out of memory" : why);
        fz_agent_free(agent);
        return status;
    }
    fz_agent_begin(agent, 0, 0);
    if (made)
        *made = agent;
    else
        fz_agent_free(agent);
    return FZ_OK;
}

void fzi_agent_files_free(fzi_agent_files files)
{
    fzi_learned_free(files.learned);
    fzi_strategy_free(files.strategy);
}

/* Does the agent play this program, with these files? */
static fz_status check_described(fz_context *context, const fz_agent *agent)
{
    const char *what = agent->settings.kind == FZ_AGENT_CFR ? "strategies" : "evaluations";
    const fz_program *p = agent->program;

    if (agent->settings.file && !agent->files.learned && !agent->files.strategy)
        return fzi_context_fail(context, FZ_REFUSED, "agent '%s': only the program ferz reads %s",
                                agent->description, what);
    if (agent->settings.kind == FZ_AGENT_CFR && p->player_count != FZ_STRATEGY_PLAYERS)
        return fzi_context_fail(context, FZ_REFUSED, "agent '%s' plays only games of two players",
                                agent->description);
    if (agent->settings.kind != FZ_AGENT_RANDOM && agent->settings.kind != FZ_AGENT_MCTS &&
        agent->settings.kind != FZ_AGENT_CFR && fz_program_hides(p))
        return fzi_context_fail(context, FZ_REFUSED,
                                "agent '%s' plays only games that hide nothing",
                                agent->description);
    return FZ_OK;
}

/* Takes `files`. */
static fz_status make_described(fz_context *context, const fz_program *program,
                                const char *description, fzi_agent_files files, fz_agent **made)
{
    fz_agent *agent = make(context->allocator, program, description);
    char message[256];

    if (made)
        *made = NULL;
    if (!agent) {
        fzi_agent_files_free(files);
        return fzi_context_no_memory(context);
    }
    agent->files = files;
    agent->learned = files.learned;
    if (!fzi_agent_settings_read(agent->description, &agent->settings, message, sizeof message)) {
        fz_agent_free(agent);
        return fzi_context_fail(context, FZ_USAGE, "%s", message);
    }
    agent->class = classes[agent->settings.kind];
    fz_status status = check_described(context, agent);
    if (status != FZ_OK) {
        fz_agent_free(agent);
        return status;
    }
    return finish(context, agent, made);
}

fz_status fz_agent_new(fz_context *context, const fz_program *program, const char *description,
                       fz_agent **made)
{
    return make_described(context, program, description, (fzi_agent_files){0}, made);
}

fz_status fzi_agent_help(fz_agent *agent, const fzi_agent_settings *settings,
                         const struct fzi_evaluation *known, fz_agent **made)
{
    fz_agent *helper = make(agent->allocator, agent->program, agent->description);
    fz_status status;

    if (!helper)
        return fzi_machine_no_memory(agent->machine);
    helper->settings = *settings;
    helper->class = agent->class;
    helper->known = known;
    helper->learned = agent->learned;
    status = open_agent(helper, &agent->machine->limits);
    helper->known = NULL;
    if (status == FZ_OK) {
        *made = helper;
        return FZ_OK;
    }
    fz_agent_free(helper);
    return fzi_machine_no_memory(agent->machine);
}

/* ---- agents of the host program ---- */

static fz_status choose_host(fz_agent *agent, const fz_state *state, fzi_move_list *list,
                             fz_move *move)
{
    fz_status status = agent->host.choose(agent->host.user, state, agent->moves, move);

    if (status != FZ_OK)
        return fzi_machine_say(agent->machine, status, "%s", agent->host.message(agent->host.user));
    if (fzi_move_list_find(list, move) == UINT32_MAX)
        return fzi_machine_say(agent->machine, FZ_USAGE, "agent '%s': its move is not legal",
                               agent->description);
    return FZ_OK;
}

static void begin_host(fz_agent *agent)
{
    if (agent->host.begin)
        agent->host.begin(agent->host.user);
}

static void close_host(fz_agent *agent)
{
    if (agent->host.close)
        agent->host.close(agent->host.user);
}

static const fzi_agent_class host_class = {.begin = begin_host, .choose = choose_host,
                                           .close = close_host};

fz_status fz_agent_from_callbacks(fz_context *context, const fz_program *program,
                                  const char *description, const fz_agent_host *host,
                                  fz_agent **made)
{
    fz_agent *agent = make(context->allocator, program, description);

    if (made)
        *made = NULL;
    if (!agent)
        return fzi_context_no_memory(context);
    agent->class = &host_class;
    agent->host = *host;
    return finish(context, agent, made);
}

void fz_agent_free(fz_agent *agent)
{
    const fz_program *program;

    if (!agent)
        return;
    program = agent->program;
    if (agent->class && agent->class->close)
        agent->class->close(agent);
    fz_moves_free(agent->moves);
    fz_state_free(agent->scratch);
    fz_machine_free(agent->machine);
    fzi_agent_files_free(agent->files);
    FZI_RELEASE(agent->allocator, agent->description, agent);
    fz_program_release((fz_program *)program);
}

void fz_agent_begin(fz_agent *agent, uint64_t seed, uint64_t stream)
{
    /* Another seed than that of the game, so that the agent's numbers are not those of the dice. */
    fzi_agent_begin_chance(
        agent, fzi_chance_key(fzi_chance_mix(seed ^ UINT64_C(0x5bd1e9955bd1e995)), stream));
    if (agent->class->begin)
        agent->class->begin(agent);
}

fz_status fz_agent_choose(fz_agent *agent, const fz_state *state, fz_move *move)
{
    fzi_move_list *list = &agent->moves->list;
    fz_move unused;
    fz_status status;

    move = move ? move : &unused;
    if (fzi_head_of(state)->waiting != FZ_WAITING_MOVE)
        return fzi_machine_say(agent->machine, FZ_USAGE, "the game does not wait for a move");
    status = fzi_agent_list(agent, state, list);
    if (status != FZ_OK)
        return status;
    if (list->total == 1) {
        *move = fzi_agent_move_at(agent, list, 0);
        return FZ_OK;
    }
    return agent->class->choose(agent, state, list, move);
}

void fz_agent_played(fz_agent *agent, const fz_move *move)
{
    if (agent->class->played)
        agent->class->played(agent, move);
}

bool fz_agent_opinion(const fz_agent *agent, const fz_state *state, const fz_move *move,
                      uint64_t *visits, double *proven)
{
    *visits = 0;
    *proven = NAN;
    if (!agent->class->opinion)
        return false;
    agent->class->opinion(agent, state, move, visits, proven);
    return true;
}

/* ---- an agent as a decider of playouts ---- */

static void decider_begin(void *self, uint64_t seed, uint64_t stream)
{
    fz_agent_begin(self, seed, stream);
}

static fz_status decider_choose(void *self, const fz_state *state, fz_move *move)
{
    return fz_agent_choose(self, state, move);
}

static void decider_played(void *self, const fz_move *move)
{
    fz_agent_played(self, move);
}

static const char *decider_message(void *self)
{
    return fz_agent_message(self);
}

static void decider_close(void *self)
{
    fz_agent_free(self);
}

fz_decider fz_agent_decider(fz_agent *agent)
{
    return (fz_decider){decider_begin, decider_choose, decider_played, decider_message,
                        decider_close, agent};
}

fz_status fzi_agent_describe(fz_context *context, const fz_program *program,
                             const char *description, fzi_agent_files files,
                             fz_agent **agent, char *message)
{
    fz_status status = make_described(context, program, description, files, agent);

    if (status != FZ_OK)
        snprintf(message, 256, "%.255s", fz_context_message(context));
    return status;
}

void fzi_deciders_release(fz_decider *deciders, unsigned players)
{
    for (unsigned p = 0; p < players; p++) {
        if (deciders[p].release)
            deciders[p].release(deciders[p].self);
        deciders[p] = (fz_decider){0};
    }
}

fz_status fzi_deciders_make(unsigned players, fzi_decider_maker *maker, void *user,
                            fz_decider *deciders, char *message)
{
    fz_status status = FZ_OK;

    memset(deciders, 0, players * sizeof *deciders);
    for (unsigned p = 0; p < players && status == FZ_OK; p++)
        status = maker(user, p, &deciders[p], message);
    if (status != FZ_OK)
        fzi_deciders_release(deciders, players);
    return status;
}

bool fz_agent_is_timed(const fz_agent *agent)
{
    return agent->settings.effort.seconds > 0;
}

const char *fz_agent_message(const fz_agent *agent)
{
    return fz_machine_message(agent->machine);
}
