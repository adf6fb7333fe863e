/* Playing: the functions of ferz.h that go on with a game. Each works on a scratch state; only a
 * complete success changes the caller's. */
#include "game.h"

#include "fault.h"
#include "filter.h"
#include "interp/ferz_tools.h"
#include "interp/program/values.h"
#include "interp/state/state.h"
#include "interp/support/chance.h"
#include "machine.h"

/* ---- from state to state ---- */

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

fz_status fzi_state_go(fz_machine *m, fz_state *state, uint64_t plies)
{
    fzi_run run = fzi_run_of(m, state, FZ_RUN_PLAY);
    run.plies = plies;
    /* Native code plays whole games from where a turn begins, so the turn is played out before. */
    bool inside = plies > 1 && m->run != m->interpret &&
                  fzi_head_of(state)->phase == FZ_PHASE_TURN;
    if (inside)
        run.turn_stop = fzi_head_of(state)->turns;
    fzi_end end = fzi_machine_run(m, &run);
    if (inside && end == FZ_END_TURN) {
        fzi_run_renew(&run);
        run.turn_stop = FZ_MAX_TURNS;
        end = fzi_machine_run(m, &run);
    }
    fz_status status = end == FZ_END_ERROR ? fzi_machine_fail(m) : FZ_OK;
    if (status != FZ_OK)
        fzi_head_of(state)->waiting = FZ_GAME_FAILED;
    return status;
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
        fzi_machine_no_memory(m);
        return NULL;
    }
    if (fz_state_restart(m, state, seed, stream) != FZ_OK) {
        fz_state_free(state);
        return NULL;
    }
    return state;
}

/* ---- moves ---- */

fz_moves *fz_moves_new(fz_machine *m)
{
    fz_moves *moves = fzi_allocate(m->allocator, sizeof *moves);
    if (!moves)
        return NULL;
    moves->machine = m;
    fzi_move_list_init(&moves->list, m->allocator, m->program, m->limits.moves, &m->memory,
                  m->limits.memory);
    return moves;
}

void fz_moves_free(fz_moves *moves)
{
    if (!moves)
        return;
    fzi_allocator allocator = moves->list.allocator;
    fzi_move_list_free(&moves->list);
    fzi_release(allocator, moves);
}

void fzi_move_apply(fz_machine *m, fz_state *state, const fz_move *move)
{
    fzi_head *head = fzi_head_of(state);
    const fz_option_info *option = &m->program->options[move->option];
    int64_t *ints = (int64_t *)(void *)(fzi_frames_of(state) + head->frame + FZ_FRAME_HEADER);
    for (unsigned i = 0; i < move->count; i++)
        ints[option->first + i] = move->values[i];
    head->pc = option->effect;
}

fz_state *fzi_state_gather(fz_machine *m, const fz_state *state, fzi_move_list *list, fzi_run *run)
{
    fz_state *scratch = fzi_scratch_copy(m, state);
    fzi_move_list_clear(list, 0);
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
    fzi_move_list_clear(&moves->list, 0);
    if (fzi_head_of(state)->waiting != FZ_WAITING_MOVE)
        return not_waiting(m);
    if (!fzi_state_gather(m, state, &moves->list, &run) || !fzi_move_list_prune(m, &run)) {
        fzi_move_list_clear(&moves->list, 0);
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
        fzi_move_list_pick(&moves->list, (uint32_t)index, moves->list.program->board.words, &move);
    return move;
}

/* Counts the decision, as the loop does when it draws itself. */
static fz_status choose(fz_machine *m, fz_state *state, const fz_move *move)
{
    fzi_head *head = fzi_head_of(state);
    if (head->plies - head->begun >= m->limits.decisions) {
        fzi_fault(m, "too many decisions in one turn");
        m->fault_pc = head->pc;
        return fzi_machine_fail(m);
    }
    head->pending_decider = head->decider;
    head->plies++;
    head->decided = 1;
    head->no_legal_move = 0;
    head->idle = 0;
    fzi_move_apply(m, state, move);
    if (state->log)
        fzi_log_move(state->log, move, head->decider);
    m->budget = (int64_t)m->limits.instructions;
    return FZ_OK;
}

fz_status fzi_state_take(fz_machine *m, fz_state *state, const fz_move *move, uint32_t turn_stop,
                         bool ask)
{
    return fzi_state_take_listing(m, state, move, turn_stop, ask, NULL);
}

fz_status fzi_state_take_on(fz_machine *m, fz_state *state, const fz_move *move, uint64_t plies)
{
    fz_status status = choose(m, state, move);
    return status == FZ_OK ? fzi_state_go(m, state, plies) : status;
}

fz_status fzi_state_take_listing(fz_machine *m, fz_state *state, const fz_move *move,
                                 uint32_t turn_stop, bool ask, fzi_move_list *list)
{
    fz_status status = choose(m, state, move);
    if (status != FZ_OK)
        return status;
    fzi_run run = fzi_run_of(m, state, FZ_RUN_PLAY);
    run.turn_stop = turn_stop;
    run.ask = ask;
    run.list = list;
    return fzi_run_status(m, &run);
}

fz_status fz_state_play(fz_machine *m, fz_state *state, const fz_move *move)
{
    fzi_run run;
    fzi_machine_begin(m);
    if (fzi_head_of(state)->waiting != FZ_WAITING_MOVE)
        return not_waiting(m);
    fzi_move_list *list = fzi_move_list_push(m);
    fz_state *scratch = list ? fzi_state_gather(m, state, list, &run) : NULL;
    int legal = scratch ? fzi_move_list_allows(m, &run, move) : -1;
    if (legal < 0)
        return fzi_machine_fail(m);
    if (!legal)
        return fzi_machine_say(m, FZ_USAGE, "this move is not legal");
    enter(state, scratch);
    return leave(state, scratch,
                 fzi_state_take(m, scratch, move, FZ_MAX_TURNS, m->chance == FZ_CHANCE_ASK));
}

/* A scratch copy that has gone on, in the place of the state. */
static fz_status go_on(fz_machine *m, fz_state *state, fzi_run *run)
{
    run->state = fzi_scratch_copy(m, state);
    if (!run->state)
        return fzi_machine_fail(m);
    enter(state, run->state);
    run->log = state->log;
    return leave(state, run->state, fzi_run_status(m, run));
}

fz_status fz_state_play_random(fz_machine *m, fz_state *state)
{
    fzi_machine_begin(m);
    if (fzi_head_of(state)->waiting != FZ_WAITING_MOVE)
        return not_waiting(m);
    fzi_run run = fzi_run_of(m, NULL, FZ_RUN_PLAY);
    run.plies = 1;
    return go_on(m, state, &run);
}

fz_status fz_state_playout(fz_machine *m, fz_state *state, uint64_t plies)
{
    fzi_machine_begin(m);
    if (fzi_head_of(state)->waiting == FZ_GAME_OVER)
        return FZ_OK;
    if (fzi_head_of(state)->waiting == FZ_GAME_FAILED)
        return not_waiting(m);
    return fzi_state_go(m, state, plies ? plies : UINT64_MAX);
}

bool fzi_move_fits(const fz_program *p, const fz_state *state, const fz_move *move)
{
    const fzi_head *head = fzi_head_of(state);
    if (head->waiting != FZ_WAITING_MOVE || move->option >= p->option_count)
        return false;
    const fz_option_info *option = &p->options[move->option];
    return option->bindings == move->count && p->choices[option->choice].start == head->pc;
}

fz_status fzi_move_write(fz_machine *m, const fz_state *state, const fz_move *move, bool shown,
                           fzi_buffer *buffer)
{
    fzi_machine_begin(m);
    if (!fzi_move_fits(m->program, state, move))
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
    if (outcomes)
        *outcomes = m->outcomes;
    if (count)
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
    fz_status status = leave(state, scratch, fzi_run_status(m, &run));
    m->scratch_depth--;
    return status;
}

fz_status fz_state_sample_chance(fz_machine *m, fz_state *state, int64_t *value)
{
    fzi_machine_begin(m);
    if (fzi_head_of(state)->waiting != FZ_WAITING_CHANCE)
        return fzi_machine_say(m, FZ_USAGE, "the game does not wait for chance");
    fzi_run run = fzi_run_of(m, NULL, FZ_RUN_PLAY);
    run.samples = 1;
    run.ask = true;
    fz_status status = go_on(m, state, &run);
    if (value)
        *value = run.number;
    return status;
}

int fzi_chance_type(const fz_machine *m, const fz_state *state)
{
    const fz_program *p = m->program;
    uint32_t pc = fzi_head_of(state)->pc;
    const fz_code *code = p->code + pc;
    switch (fzi_machine_op(m, pc)) {
    case FZ_OP_ROLL: return p->dice[code[1]].type;
    case FZ_OP_RANDOM_RANGE: case FZ_OP_WEIGH: return (int)code[1];
    case FZ_OP_RANDOM_MASK: return (int)code[2];
    default: return -1;
    }
}

bool fz_state_sees_chance(const fz_state *state, int player)
{
    return player < 0 || player >= FZ_MAX_PLAYERS || !(fzi_head_of(state)->blind >> player & 1);
}

const char *fz_chance_text_for(fz_machine *m, const fz_state *state, int64_t value, int player)
{
    return fz_state_sees_chance(state, player) ? fz_chance_text(m, state, value) : "?";
}

const char *fz_chance_text(fz_machine *m, const fz_state *state, int64_t value)
{
    const fz_program *p = m->program;
    fzi_buffer_clear(&m->text);
    if (fzi_head_of(state)->waiting != FZ_WAITING_CHANCE)
        return "";
    int type = fzi_chance_type(m, state);
    if (type >= 0)
        fzi_value_text(p, (uint16_t)type, value, false, &m->text);
    else if (value >= 0 && value < m->site_count)
        fzi_buffer_text(&m->text, fzi_text(p, p->board.site_names[value]));
    else
        fzi_buffer_format(&m->text, "%lld", (long long)value);
    return fzi_buffer_get(&m->text);
}
