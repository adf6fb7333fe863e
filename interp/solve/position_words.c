/* What a position is made of, as words that can be stored and compared. See solve.h. */
#include "solve.h"

enum { HEAD = sizeof(fzi_head) / 8 };

/* ---- sides ---- */

unsigned fzi_solve_side(const fz_program *p, int player)
{
    unsigned side_of[FZ_MAX_PLAYERS];

    fzi_sides(p, side_of);
    return side_of[player];
}

fz_status fzi_solve_end(fz_machine *machine, const fz_state *state, double *value)
{
    const fz_program *p = machine->program;
    int64_t payoff, sum = 0;
    fz_status status = FZ_OK;

    *value = fz_state_utility(state, 0);
    if (!fz_program_has_payoffs(p))
        return FZ_OK;
    for (int i = (int)p->player_count - 1; i >= 0 && status == FZ_OK; i--) {
        status = fz_state_payoff(machine, state, i, &payoff);
        sum += status == FZ_OK ? payoff : 0;
        *value = status == FZ_OK ? (double)payoff : 0;
    }
    if (status == FZ_OK && sum && p->player_count > 1)
        return fzi_machine_say(machine, FZ_USAGE, "the payoffs of a game do not add up to 0, so "
                               "what is good for one player is not bad for the other");
    return status;
}

/* ---- what the code asks for ---- */

static bool reads_turns(const fz_program *p)
{
    for (uint32_t i = 0; i < p->function_count; i++)
        FZI_FOR_INSTRUCTIONS(pc, p, &p->functions[i])
            if (FZ_CODE_OP(p->code[pc]) == FZ_OP_TURNS)
                return true;
    return false;
}

/* Does the code go straight on to the instruction `end`, without asking for the latest move? */
static bool is_plain(const fz_program *p, uint32_t pc, unsigned end)
{
    for (; pc < p->code_length; pc += fzi_opcode_length(FZ_CODE_OP(p->code[pc]))) {
        unsigned op = FZ_CODE_OP(p->code[pc]);
        if (op == end)
            return true;
        if (op == FZ_OP_LAST || fzi_opcode_is(op, FZ_FLAG_CALLS) ||
            (end == FZ_OP_SET_LAST_MOVE && fzi_opcode_is(op, FZ_FLAG_FLOW)))
            return false;
    }
    return false;
}

/* A state that waits has a move, so the way without one need not be looked at. */
static void find_forgetting(fzi_position_shape *f)
{
    const fz_program *p = f->program;

    for (uint32_t i = 0; i < p->choice_count; i++) {
        const fz_choice *c = &p->choices[i];
        bool forgets = is_plain(p, c->start, FZ_OP_DECIDE);
        for (uint32_t k = 0; k < c->options && forgets; k++)
            forgets = is_plain(p, p->options[c->first_option + k].effect, FZ_OP_SET_LAST_MOVE);
        f->forgets_last[c->start] = forgets;
    }
}

bool fzi_position_shape_init(fzi_position_shape *f, const fz_program *p, uint64_t left_out,
                            fzi_allocator allocator)
{
    const fz_layout *l = &p->layout;
    size_t size = ((size_t)p->code_length + 1) * sizeof(fzi_live);

    *f = (fzi_position_shape){.program = p, .allocator = allocator, .left_out = left_out,
                             .reads_turns = !(left_out & FZ_LEAVES_TURNS) && reads_turns(p),
                             .reads_last = p->reads_last,
                             .from_bytes = l->at && !l->kinds && p->kind_count >= 2};
    f->board_from = l->own;
    if (f->from_bytes)
        f->board_from += (p->player_count + 1u) * p->board.words * 8;
    f->board_length = (f->from_bytes ? l->at + p->board.site_count : l->ints + l->int_count * 4) -
                      f->board_from;
    f->live = fzi_allocate_zeroed(allocator, size);
    f->choosing = fzi_allocate(allocator, size);
    f->forgets_last = fzi_allocate_zeroed(allocator, (size_t)p->code_length + 1);
    if (!f->live || !f->choosing || !f->forgets_last)
        return false;
    fzi_live_all(p, f->live, f->choosing);
    find_forgetting(f);
    return true;
}

void fzi_position_shape_clear(fzi_position_shape *f)
{
    if (f->program)
        FZI_RELEASE(f->allocator, f->live, f->choosing, f->forgets_last, f->row);
    *f = (fzi_position_shape){.allocator = f->allocator};
}

/* ---- settling ---- */

/* `callee`: the frame that this one waits for, which will write a register; NULL. */
static void settle_frame(const fz_program *p, uint64_t *frame, const fzi_live *live,
                         const uint64_t *callee)
{
    const fz_function *f = &p->functions[(uint32_t)frame[0]];
    uint64_t *ints = frame + FZ_FRAME_HEADER, *sets = ints + f->ints;
    unsigned words = p->board.words, result = callee ? (unsigned)(callee[1] >> 32 & 0xff) : 0;
    unsigned sort = callee ? p->functions[(uint32_t)callee[0]].result : 0;

    for (unsigned r = 0; r < f->ints; r++)
        if (!fzi_live_int(live, r) || (sort == 1 && r == result))
            ints[r] = 0;
    for (unsigned r = 0; r < f->sets; r++)
        if (!fzi_live_set(live, r) || (sort == 2 && r == result))
            memset(sets + r * words, 0, words * sizeof *sets);
}

static void settle_frames(const fzi_position_shape *f, fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    uint64_t *stack = fzi_frames_of(state), *callee = NULL;
    uint32_t at = head->frame, pc = head->pc;
    /* A filter that is pending may read what an earlier move has brought. */
    const fzi_live *live = head->pendings ? f->live : f->choosing;

    for (unsigned depth = 0; head->top && depth <= head->depth; depth++) {
        uint64_t *frame = stack + at;
        frame[0] = (uint32_t)frame[0] | (uint64_t)pc << 32;
        settle_frame(f->program, frame, live + pc, callee);
        if (at == 0)
            break;
        callee = frame;
        at = (uint32_t)frame[1];
        pc = (uint32_t)(stack[at] >> 32);
    }
}

/* The variables that are left out have their first values. */
static void settle_variables(const fzi_position_shape *f, uint8_t *block)
{
    const fz_program *p = f->program;
    const fz_layout *l = &p->layout;

    for (uint32_t i = 0; i < p->variable_count && i < FZ_MOST_LEFT_OUT; i++) {
        const fz_variable *v = &p->variables[i];
        size_t size = v->is_set ? p->board.words * 8 : 4 * fzi_variable_slots(p, v);
        size_t at = v->is_set ? l->sets + v->offset * size : l->ints + v->offset * (size_t)4;
        if (!(f->left_out & FZ_LEAVES_VARIABLE << i) || v->carried)
            continue;
        if (p->initial)
            memcpy(block + at, p->initial + (at - l->own), v->length * size);
        else
            memset(block + at, 0, v->length * size);
    }
}

/* Bounds and `limit` do not end a way that is looked at once. */
void fzi_position_settle(const fzi_position_shape *f, fz_state *state)
{
    fzi_head *head = fzi_head_of(state);
    bool over = head->waiting == FZ_GAME_OVER;

    head->key = head->counter = 0;
    head->idle = head->plies = head->begun = head->history = 0;
    head->decided = head->no_legal_move = 0;
    head->blind = 0;
    if (!head->chance_given)
        head->chance = 0;
    if (!head->pendings)
        head->pending_decider = 0;
    if (!f->reads_turns)
        head->turns = 0;
    if (!f->reads_last || (head->waiting == FZ_WAITING_MOVE && f->forgets_last[head->pc]))
        head->last_from = head->last_to = -1;
    if (over) { /* what its value may depend on stays */
        if (!fz_program_has_payoffs(f->program)) {
            head->turns = 0;
            head->last_from = head->last_to = -1;
        }
        head->pc = head->frame = head->top = head->depth = 0;
        head->decider = head->pending_decider = 0;
        head->pendings = 0;
    }
    settle_frames(f, state);
    if (f->left_out)
        settle_variables(f, state->block);
}

/* ---- rows ---- */

uint32_t fzi_position_row(fzi_position_shape *f, const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);
    uint32_t board_words = (f->board_length + 7) / 8;
    uint32_t words = HEAD + board_words + head->top + head->pendings;

    if (!fzi_make_room(f->allocator, &f->row, &f->room, words, sizeof *f->row))
        return 0;
    memcpy(f->row, head, sizeof *head);
    uint64_t *at = f->row + HEAD;
    if (board_words)
        at[board_words - 1] = 0;
    memcpy(at, state->block + f->board_from, f->board_length);
    at += board_words;
    memcpy(at, fzi_frames_of(state), head->top * sizeof *at);
    at += head->top;
    for (unsigned i = 0; i < head->pendings; i++) {
        const fzi_pending *pending = fzi_pending_at(state, i);
        at[i] = pending->frame | (uint64_t)pending->filter << 32;
    }
    return words;
}

/* What follows from the pieces: the sets, the bytes by site, and which sites are empty. */
static void derive(const fzi_position_shape *f, fz_state *state)
{
    const fz_program *p = f->program;

    if (f->from_bytes)
        memset(state->block + p->layout.own, 0, (p->player_count + 1u) * p->board.words * 8);
    for (unsigned s = 0; p->layout.at && s < p->board.site_count; s++) {
        fzi_occupant piece;
        if (f->from_bytes)
            fzi_piece_get(p, state->block, s, &piece.kind, &piece.owner);
        else
            piece = fzi_piece_of_sets(p, &p->layout, state->block, s);
        fzi_piece_top(p, state->block, s, piece.kind, piece.owner);
    }
    fzi_empty_settle(p, &p->layout, state->block);
}

bool fzi_position_state(const fzi_position_shape *f, const uint64_t *row, fz_state *state)
{
    fzi_head head;

    memcpy(&head, row, sizeof head);
    if (state->capacity < head.top && !fzi_state_grow(state, head.top))
        return false;
    memcpy(state->block, row, sizeof head);
    memcpy(state->block + f->board_from, row + HEAD, f->board_length);
    row += HEAD + (f->board_length + 7) / 8;
    memcpy(fzi_frames_of(state), row, head.top * sizeof *row);
    row += head.top;
    for (unsigned i = 0; i < head.pendings; i++)
        *fzi_pending_at(state, i) = (fzi_pending){(uint32_t)row[i], (uint32_t)(row[i] >> 32)};
    derive(f, state);
    return true;
}
