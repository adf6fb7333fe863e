/* States and moves as ferz.h knows them: each call works on a scratch state and only a whole
 * success changes the caller's. */
#include "interp/support/chance.h"
#include "interp/state/log.h"
#include "vm.h"
#include "interp/support/words.h"

fzi_run fzi_run_of(fz_machine *m, fz_state *state, fzi_mode mode)
{
    return (fzi_run){.state = state, .mode = (uint8_t)mode, .ask = m->chance == FZ_CHANCE_ASK,
                     .turn_stop = FZ_MOST_TURNS, .body = FZ_NOT_THERE,
                     .log = state ? state->log : NULL};
}

fzi_end fzi_machine_run(fz_machine *m, fzi_run *run)
{
    unsigned lists = m->list_depth;
    uint32_t base = m->weight_base, count = m->weight_count;
    m->weight_base = m->weight_count;
    fzi_end end = m->run(m, run);
    m->list_depth = lists;
    m->weight_base = base;
    m->weight_count = count;
    return end;
}

/* ---- making and copying ---- */

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

/* The states change places; the history stays where it is, as the scratch state has borrowed it. */
static void exchange(fz_state *state, fz_state *scratch)
{
    uint8_t *memory = state->memory, *block = state->block;
    uint32_t capacity = state->capacity;
    state->memory = scratch->memory;
    state->block = scratch->block;
    state->capacity = scratch->capacity;
    scratch->memory = memory;
    scratch->block = block;
    scratch->capacity = capacity;
}

/* The scratch state goes on in the place of the state, and into its log; then it takes its place,
 * or nothing has happened. */
static void enter(fz_state *state, fz_state *scratch)
{
    scratch->log = state->log;
    fzi_log_mark(state->log);
}

static fz_status leave(fz_state *state, fz_state *scratch, fz_status status)
{
    scratch->log = NULL;
    if (status == FZ_OK) {
        exchange(state, scratch);
        fzi_log_commit(state->log);
    } else {
        fzi_log_rollback(state->log);
    }
    return status;
}

static fz_status run_on(fz_machine *m, fzi_run *run)
{
    return fzi_machine_run(m, run) == FZ_END_ERROR ? fzi_machine_fail(m) : FZ_OK;
}

fz_status fzi_state_go(fz_machine *m, fz_state *state, uint64_t plies)
{
    fzi_run run = fzi_run_of(m, state, FZ_RUN_PLAY);
    run.plies = plies;
    return run_on(m, &run);
}

fz_status fz_state_restart(fz_machine *m, fz_state *state, uint64_t seed, uint64_t stream)
{
    fzi_machine_begin(m);
    fzi_state_reset(state, fzi_chance_key(seed, stream), 0);
    return fzi_state_go(m, state, 0);
}

fz_state *fz_state_new(fz_machine *m, uint64_t seed, uint64_t stream)
{
    fz_state *state = fzi_state_make(m->program);
    if (!state) {
        fzi_machine_begin(m); /* no fault of an earlier call is this one's */
        fzi_machine_say(m, FZ_NO_MEMORY, "memory is short");
        return NULL;
    }
    if (fz_state_restart(m, state, seed, stream) != FZ_OK) {
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

int fzi_utility_denominator(const fz_program *p)
{
    int sides = side_count(p);
    return sides > 1 ? 2 * (sides - 1) : 1;
}

int fzi_state_utility(const fz_state *state, int player)
{
    const fz_program *p = state->program;
    const fzi_head *head = fzi_head_of(state);
    if (p->player_count == 2 && !p->has_teams)
        return head->rank[player] == head->rank[1 - player] ? 1 : head->rank[player] == 1 ? 2 : 0;
    int sides = side_count(p), shared = 0;
    if (sides < 2)
        return head->rank[player] == 1;
    for (unsigned q = 0; q < p->player_count; q++)
        shared += leads(p, q) && head->rank[q] == head->rank[player];
    /* Ranks r .. r + shared - 1 in the mean, doubled. */
    return 2 * sides - (2 * head->rank[player] + shared - 1);
}

double fz_state_utility(const fz_state *state, int player)
{
    if (!fz_state_rank(state, player))
        return 0;
    return (double)fzi_state_utility(state, player) / fzi_utility_denominator(state->program);
}

bool fz_state_stopped(const fz_state *state)
{
    return fzi_head_of(state)->stopped;
}

/* ---- moves ---- */

fz_moves *fz_moves_new(fz_machine *m)
{
    fz_moves *moves = fzi_allocate(m->allocator, sizeof *moves);
    if (!moves)
        return NULL;
    moves->machine = m;
    fzi_list_init(&moves->list, m->allocator, m->program, m->limits.moves, &m->memory,
                  m->limits.memory);
    return moves;
}

void fz_moves_free(fz_moves *moves)
{
    if (!moves)
        return;
    fzi_allocator allocator = moves->list.allocator;
    fzi_list_free(&moves->list);
    fzi_release(allocator, moves);
}

void fzi_move_apply(fz_machine *m, fz_state *state, const fz_move *move)
{
    fzi_head *head = fzi_head_of(state);
    const fz_option_info *option = &m->program->options[move->option];
    int64_t *ints = (int64_t *)(void *)(fzi_stack_of(state) + head->frame + FZ_FRAME_HEADER);
    for (unsigned i = 0; i < move->count; i++)
        ints[option->first + i] = move->values[i];
    head->pc = option->effect;
}

fz_state *fzi_state_gather(fz_machine *m, const fz_state *state, fzi_list *list, fzi_run *run)
{
    fz_state *scratch = fzi_scratch_copy(m, state);
    fzi_list_clear(list, 0);
    if (!scratch)
        return NULL;
    *run = fzi_run_of(m, scratch, FZ_RUN_GATHER);
    run->list = list;
    return fzi_machine_run(m, run) == FZ_END_LIST ? scratch : NULL;
}

static fz_status not_waiting(fz_machine *m)
{
    return fzi_machine_say(m, FZ_USAGE, "the game does not wait for a move");
}

fz_status fz_state_moves(fz_machine *m, const fz_state *state, fz_moves *moves)
{
    fzi_run run;
    fzi_machine_begin(m);
    fzi_list_clear(&moves->list, 0);
    if (fzi_head_of(state)->waiting != FZ_WAITING_MOVE)
        return not_waiting(m);
    if (!fzi_state_gather(m, state, &moves->list, &run) || !fzi_list_prune(m, &run)) {
        fzi_list_clear(&moves->list, 0);
        return fzi_machine_fail(m);
    }
    return FZ_OK;
}

size_t fz_moves_count(const fz_moves *moves)
{
    return moves->list.total;
}

fz_move fz_moves_at(const fz_moves *moves, size_t index)
{
    fz_move move = {0};
    if (index < moves->list.total)
        fzi_list_pick(&moves->list, (uint32_t)index, moves->list.program->board.words, &move);
    return move;
}

/* Counts the decision, as the loop does when it draws itself. */
static void choose(fz_machine *m, fz_state *state, const fz_move *move)
{
    fzi_head *head = fzi_head_of(state);
    head->pending_decider = head->decider;
    head->plies++;
    head->decided = 1;
    head->idle = 0;
    fzi_move_apply(m, state, move);
    if (state->log)
        fzi_log_move(state->log, move);
    m->budget = (int64_t)m->limits.instructions;
}

fz_status fzi_state_take(fz_machine *m, fz_state *state, const fz_move *move, uint32_t turn_stop,
                         bool ask)
{
    return fzi_state_take_listing(m, state, move, turn_stop, ask, NULL);
}

fz_status fzi_state_take_listing(fz_machine *m, fz_state *state, const fz_move *move,
                                 uint32_t turn_stop, bool ask, fzi_list *list)
{
    const fzi_head *head = fzi_head_of(state);
    if (head->plies - head->begun >= m->limits.decisions) {
        fzi_fault(m, "too many decisions in one turn");
        m->fault_pc = head->pc;
        return fzi_machine_fail(m);
    }
    choose(m, state, move);
    fzi_run run = fzi_run_of(m, state, FZ_RUN_PLAY);
    run.turn_stop = turn_stop;
    run.ask = ask;
    run.list = list;
    return run_on(m, &run);
}

fz_status fz_state_play(fz_machine *m, fz_state *state, const fz_move *move)
{
    fzi_run run;
    fzi_machine_begin(m);
    if (fzi_head_of(state)->waiting != FZ_WAITING_MOVE)
        return not_waiting(m);
    fzi_list *list = fzi_list_push(m);
    fz_state *scratch = list ? fzi_state_gather(m, state, list, &run) : NULL;
    int legal = scratch ? fzi_list_allows(m, &run, move) : -1;
    if (legal < 0)
        return fzi_machine_fail(m);
    if (!legal)
        return fzi_machine_say(m, FZ_USAGE, "this move is not legal");
    enter(state, scratch);
    return leave(state, scratch,
                 fzi_state_take(m, scratch, move, FZ_MOST_TURNS, m->chance == FZ_CHANCE_ASK));
}

/* A scratch copy that has gone on, in the place of the state. */
static fz_status go_on(fz_machine *m, fz_state *state, fzi_run run)
{
    run.state = fzi_scratch_copy(m, state);
    if (!run.state)
        return fzi_machine_fail(m);
    enter(state, run.state);
    run.log = state->log;
    return leave(state, run.state, run_on(m, &run));
}

fz_status fz_state_play_random(fz_machine *m, fz_state *state)
{
    fzi_machine_begin(m);
    if (fzi_head_of(state)->waiting != FZ_WAITING_MOVE)
        return not_waiting(m);
    fzi_run run = fzi_run_of(m, NULL, FZ_RUN_PLAY);
    run.plies = 1;
    return go_on(m, state, run);
}

fz_status fz_state_playout(fz_machine *m, fz_state *state, uint64_t plies)
{
    fzi_machine_begin(m);
    if (fzi_head_of(state)->waiting == FZ_GAME_OVER)
        return FZ_OK;
    return fzi_state_go(m, state, plies ? plies : UINT64_MAX);
}

/* Could the state that waits offer this move? Its option and the number of its values say so. */
static bool fits(const fz_program *p, const fz_state *state, const fz_move *move)
{
    const fzi_head *head = fzi_head_of(state);
    if (head->waiting != FZ_WAITING_MOVE || move->option >= p->option_count)
        return false;
    const fz_option_info *option = &p->options[move->option];
    return option->bindings == move->count && p->choices[option->choice].start == head->pc;
}

void fz_move_sites(fz_machine *m, const fz_state *state, const fz_move *move, int *from, int *to)
{
    *from = *to = FZ_NOT_THERE;
    fzi_machine_begin(m);
    if (!fits(m->program, state, move))
        return;
    const fz_option_info *option = &m->program->options[move->option];
    if (option->from < 0 || option->to < 0) { /* a `let` may be: the effect says it */
        fz_state *scratch = fzi_scratch_copy(m, state);
        if (!scratch)
            return;
        fzi_move_apply(m, scratch, move);
        fzi_run run = fzi_run_of(m, scratch, FZ_RUN_SITES);
        run.number = run.other = FZ_NOT_THERE;
        if (fzi_machine_run(m, &run) == FZ_END_RETURN) {
            *from = (int)run.number;
            *to = (int)run.other;
        }
    }
    if (option->from >= 0 && option->from < move->count)
        *from = move->values[option->from];
    if (option->to >= 0 && option->to < move->count)
        *to = move->values[option->to];
    /* A damaged program may say anything. */
    if (*from >= m->program->board.site_count)
        *from = FZ_NOT_THERE;
    if (*to >= m->program->board.site_count)
        *to = FZ_NOT_THERE;
}

fz_status fzi_vm_run_label(fz_machine *m, const fz_state *state, const fz_move *move, bool shown,
                           fzi_buffer *buffer)
{
    fzi_machine_begin(m);
    if (!fits(m->program, state, move))
        return fzi_machine_say(m, FZ_USAGE, "this move is not one of the choice");
    const fz_option_info *option = &m->program->options[move->option];
    fz_state *scratch = fzi_scratch_copy(m, state);
    if (!scratch)
        return fzi_machine_fail(m);
    fzi_move_apply(m, scratch, move);
    fzi_head_of(scratch)->pc = shown ? option->shown : option->label;
    fzi_run run = fzi_run_of(m, scratch, FZ_RUN_TEXT);
    fzi_buffer_clear(&m->text);
    if (fzi_machine_run(m, &run) != FZ_END_RETURN)
        return fzi_machine_fail(m);
    fzi_buffer_text(buffer, fzi_buffer_get(&m->text));
    return buffer->failed || m->text.failed ? FZ_NO_MEMORY : FZ_OK;
}

/* ---- chance ---- */

fz_status fzi_state_ask_outcomes(fz_machine *m, const fz_state *state)
{
    if (fzi_head_of(state)->waiting != FZ_WAITING_CHANCE)
        return fzi_machine_say(m, FZ_USAGE, "the game does not wait for chance");
    fz_state *scratch = fzi_scratch_copy(m, state);
    if (!scratch)
        return fzi_machine_fail(m);
    m->outcome_count = m->outcome_mark;
    fzi_run run = fzi_run_of(m, scratch, FZ_RUN_OUTCOMES);
    fzi_end end = fzi_machine_run(m, &run);
    m->scratch_depth--;
    return end == FZ_END_CHANCE ? FZ_OK : fzi_machine_fail(m);
}

fz_status fz_state_outcomes(fz_machine *m, const fz_state *state, const fz_outcome **outcomes,
                            size_t *count)
{
    fzi_machine_begin(m);
    fz_status status = fzi_state_ask_outcomes(m, state);
    *outcomes = m->outcomes;
    *count = status == FZ_OK ? m->outcome_count : 0;
    return status;
}

fz_status fz_state_set_chance(fz_machine *m, fz_state *state, int64_t value)
{
    fzi_machine_begin(m);
    fz_status status = fzi_state_ask_outcomes(m, state);
    if (status != FZ_OK)
        return status;
    size_t i = 0;
    while (i < m->outcome_count && m->outcomes[i].value != value)
        i++;
    if (i == m->outcome_count)
        return fzi_machine_say(m, FZ_USAGE, "%lld can't come of this chance", (long long)value);
    return fzi_state_give_chance(m, state, value, UINT32_MAX, m->chance == FZ_CHANCE_ASK);
}

fz_status fzi_state_give_chance(fz_machine *m, fz_state *state, int64_t value, uint32_t turn_stop,
                                bool ask)
{
    fz_state *scratch = fzi_scratch_copy(m, state);
    if (!scratch)
        return fzi_machine_fail(m);
    fzi_head_of(scratch)->chance = value;
    fzi_head_of(scratch)->chance_given = 1;
    enter(state, scratch);
    fzi_run run = fzi_run_of(m, scratch, FZ_RUN_PLAY);
    run.turn_stop = turn_stop;
    run.ask = ask;
    fz_status status = leave(state, scratch, run_on(m, &run));
    m->scratch_depth--;
    return status;
}

fz_status fz_state_sample_chance(fz_machine *m, fz_state *state, int64_t *value)
{
    fzi_machine_begin(m);
    if (fzi_head_of(state)->waiting != FZ_WAITING_CHANCE)
        return fzi_machine_say(m, FZ_USAGE, "the game does not wait for chance");
    fz_state *scratch = fzi_scratch_copy(m, state);
    if (!scratch)
        return fzi_machine_fail(m);
    enter(state, scratch);
    fzi_run run = fzi_run_of(m, scratch, FZ_RUN_PLAY);
    run.samples = 1;
    run.ask = true;
    fz_status status = leave(state, scratch, run_on(m, &run));
    *value = run.number;
    return status;
}

/* The type of what the waiting chance gives; -1: a site. */
static int chance_type(const fz_program *p, const fz_state *state)
{
    const fz_code *code = p->code + fzi_head_of(state)->pc;
    switch (FZ_CODE_OP(*code)) {
    case FZ_OP_ROLL: return p->dice[code[1]].type;
    case FZ_OP_RANDOM_RANGE: case FZ_OP_WEIGH: return (int)code[1];
    case FZ_OP_RANDOM_MASK: return (int)code[2];
    default: return -1;
    }
}

const char *fz_chance_text(fz_machine *m, const fz_state *state, int64_t value)
{
    const fz_program *p = m->program;
    fzi_buffer_clear(&m->text);
    if (fzi_head_of(state)->waiting != FZ_WAITING_CHANCE)
        return "";
    int type = chance_type(p, state);
    if (type >= 0)
        fzi_value_text(p, (uint16_t)type, value, false, &m->text);
    else if (value >= 0 && value < m->site_count)
        fzi_buffer_text(&m->text, fzi_text(p, p->board.site_names[value]));
    else
        fzi_buffer_format(&m->text, "%lld", (long long)value);
    return fzi_buffer_get(&m->text);
}

/* ---- functions on states ---- */

static fz_status call(fz_machine *m, fz_state *state, uint32_t function, const int64_t *arguments,
                      unsigned count, int64_t *number, uint64_t *set)
{
    const fz_program *p = m->program;
    const fz_function *f = &p->functions[function];
    fzi_head *head = fzi_head_of(state);
    uint32_t frame = head->frame, top = head->top, pc = head->pc;
    uint32_t size = fzi_frame_size(f, p->board.words);
    if (!fzi_state_grow(state, top + size))
        return fzi_fault(m, NULL), fzi_machine_fail(m);
    head = fzi_head_of(state);
    uint64_t *words = fzi_stack_of(state) + top;
    memset(words, 0, size * sizeof *words);
    words[0] = function;
    words[1] = frame | (uint64_t)f->ints << 40;
    for (unsigned i = 0; i < count && i < f->int_params; i++)
        words[FZ_FRAME_HEADER + i] = (uint64_t)arguments[i];
    head->frame = top;
    head->top = top + size;
    head->pc = f->start;
    head->depth++;
    fzi_run run = fzi_run_of(m, state, FZ_RUN_CALL);
    run.floor = top;
    run.set = set;
    fzi_end end = fzi_machine_run(m, &run);
    head = fzi_head_of(state);
    head->frame = frame;
    head->top = top;
    head->pc = pc;
    head->depth--;
    if (number)
        *number = run.number;
    return end == FZ_END_RETURN ? FZ_OK : fzi_machine_fail(m);
}

fz_status fzi_state_call(fz_machine *m, const fz_state *state, uint32_t function,
                         const int64_t *arguments, unsigned count, int64_t *number, uint64_t *set)
{
    fzi_machine_begin(m);
    m->scratch_depth = state->scratch; /* fzi_evaluate's is the first */
    fz_state *scratch = fzi_scratch_copy(m, state);
    if (!scratch)
        return fzi_machine_fail(m);
    fz_status status = call(m, scratch, function, arguments, count, number, set);
    m->scratch_depth = 0;
    return status;
}

fz_status fzi_state_effect(fz_machine *m, fz_state *state, uint32_t function,
                           const int64_t *arguments, unsigned count)
{
    fzi_machine_begin(m);
    return call(m, state, function, arguments, count, NULL, NULL);
}

void fzi_state_prepare(fz_state *state, int mover, uint32_t turns)
{
    fzi_head *head = fzi_head_of(state);
    head->phase = FZ_PHASE_READY;
    head->waiting = FZ_WAITING_MOVE;
    head->upcoming = head->mover = (int8_t)mover;
    head->turns = turns ? turns - 1 : 0;
    head->frame = head->top = head->depth = 0;
    head->pendings = head->chance_given = head->stopped = head->decided = 0;
    head->idle = 0;
    memset(head->rank, 0, sizeof head->rank);
}

fz_status fzi_state_do(fz_machine *m, fz_state *state, uint32_t function)
{
    fzi_head *head = fzi_head_of(state);
    fzi_machine_begin(m);
    if (head->phase != FZ_PHASE_READY) { /* the turn begins again, with another body */
        if (head->history)
            head->history--;
        fzi_state_prepare(state, head->mover, head->turns);
    }
    if (!fzi_state_grow(state, fzi_frame_size(&m->program->functions[function], m->program->board.words)))
        return fzi_fault(m, NULL), fzi_machine_fail(m);
    fzi_run run = fzi_run_of(m, state, FZ_RUN_PLAY);
    run.body = (int32_t)function;
    return run_on(m, &run);
}

/* ---- the parts of a state ---- */

uint64_t *fzi_state_sites(const fz_state *state, uint32_t variable, uint32_t element)
{
    const fz_variable *v = &state->program->variables[variable];
    uint32_t set = state->program->board.words * 8u;
    return fzi_sets_at(state, state->layout->sets + (v->offset + (v->is_bits ? 0 : element)) * set);
}

static int32_t *int_at(const fz_state *state, const fz_variable *v, uint32_t element)
{
    return (int32_t *)(void *)(state->block + state->layout->ints) + v->offset + element;
}

int64_t fzi_state_get(const fz_state *state, uint32_t variable, uint32_t element)
{
    const fz_variable *v = &state->program->variables[variable];
    if (v->is_bits)
        return element < state->program->board.site_count &&
               fzi_words_has(fzi_state_sites(state, variable, 0), element);
    if (v->is_set || element >= v->length)
        return 0;
    int32_t value = *int_at(state, v, element);
    return state->program->types[v->type].kind == FZ_VALUE_MASK ? (int64_t)(uint32_t)value : value;
}

bool fzi_state_put(fz_state *state, uint32_t variable, uint32_t element, int64_t value)
{
    const fz_variable *v = &state->program->variables[variable];
    if (v->is_bits) {
        if (element >= state->program->board.site_count)
            return false;
        if (value)
            fzi_words_add(fzi_state_sites(state, variable, 0), element);
        else
            fzi_words_drop(fzi_state_sites(state, variable, 0), element);
        return true;
    }
    if (v->is_set || element >= v->length)
        return false;
    *int_at(state, v, element) = (int32_t)value;
    return true;
}

static uint64_t *own_at(const fz_state *state, int owner)
{
    const fz_program *p = state->program;
    uint32_t index = owner < 0 ? p->player_count : (uint32_t)owner;
    return fzi_sets_at(state, state->layout->own + index * p->board.words * 8u);
}

static uint64_t *kind_at(const fz_state *state, uint32_t kind)
{
    return fzi_sets_at(state, state->layout->kinds + kind * state->program->board.words * 8u);
}

void fzi_state_at(const fz_state *state, unsigned site, int *kind, int *owner)
{
    const fz_program *p = state->program;
    *kind = *owner = FZ_NOT_THERE;
    uint32_t o = 0, k = 0;
    while (o <= p->player_count && !fzi_words_has(own_at(state, (int)o), site))
        o++;
    if (o > p->player_count)
        return;
    *owner = o < p->player_count ? (int)o : FZ_NOT_THERE;
    if (state->layout->at && state->block[state->layout->at + site]) {
        k = (state->block[state->layout->at + site] - 1u) / (p->player_count + 1);
    } else if (state->layout->kinds) {
        while (k < p->kind_count && !fzi_words_has(kind_at(state, k), site))
            k++;
    }
    *kind = k < p->kind_count ? (int)k : FZ_NOT_THERE;
}

void fz_state_piece(const fz_state *state, int site, int *kind, int *owner)
{
    *kind = *owner = FZ_NOT_THERE;
    if (site >= 0 && site < state->program->board.site_count)
        fzi_state_at(state, (unsigned)site, kind, owner);
}

void fzi_state_place(fz_state *state, unsigned site, int kind, int owner)
{
    fzi_piece_put(state->program, state->block, site, kind, owner);
}

void fzi_state_take_all(fz_state *state)
{
    const fz_program *p = state->program;
    memcpy(state->block + state->layout->own, p->initial, p->initial_length);
    fzi_empty_settle(p, state->layout, state->block);
}

bool fzi_state_is_out(const fz_state *state, int player)
{
    return fzi_head_of(state)->out >> player & 1;
}

void fzi_state_set_out(fz_state *state, int player)
{
    fzi_head_of(state)->out |= (uint16_t)(1u << player);
}
