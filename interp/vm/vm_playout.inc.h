/* A whole game as functions of C, for the C that native/generate_playout.c writes: what its
 * functions share, in the place of frames, phases and suspended states. The text of most
 * instructions is that of the loop. */
enum {
    FLOW_ON,   /* the function has returned */
    FLOW_STOP, /* `stop` */
    FLOW_OVER, /* a result */
    FLOW_WAIT, /* more decisions in this turn than the run may draw: the other engine plays it */
    FLOW_FAIL
};
typedef int playout_flow; /* no enum: texts of other runs return other numbers, where none is */

#if PLAYOUT_COUNTS
/* How many sites are empty up to and with each word of the board; which words are not below the
 * site that was drawn; see playout_empty_site. */
typedef struct playout_counts {
    uint64_t below[FZ_W / 4], above[FZ_W / 4], drawn;
} playout_counts;
#endif
#if PLAYOUT_LINES
/* The stones of a player on the lines through a site. Lines of several axes share a word. */
typedef struct playout_through {
    uint64_t whose; /* of which site and player */
    uint64_t lines[(PLAYOUT_AXES * PLAYOUT_LINE_BITS + 63) / 64];
} playout_through;
#endif

/* The game that is played. No function that is not inlined gets a pointer to it: so its fields, and
 * parts of its block, can be registers. The block is a copy, or that of the state
 * (PLAYOUT_COPIES). */
typedef struct playout {
    fz_machine *m;
    fz_state *state;
    fzi_move_list *list;
    uint8_t *block;
    uint64_t left, branched; /* decisions that may be drawn, where turns have loops; legal moves */
    uint32_t plies;          /* before the game */
    uint32_t depth;          /* of calls, where functions call themselves */
#if PLAYOUT_COUNTS
    playout_counts counts;
#endif
#if PLAYOUT_LINES
    uint64_t (*lines)[PLAYOUT_LINES]; /* of each player, as bits; nobody's are the last */
    playout_through latest;           /* since the latest stone was put */
#endif
#if PLAYOUT_REACHES
    struct playout_reach *reaches; /* for each question and player */
#endif
#if PLAYOUT_NOTES
    struct playout_past *past; /* NULL: positions are counted by fzi_history_find */
    struct playout_past *room; /* for it; NULL: there is none */
    uint32_t chain;            /* of the position, where `end` has found it; else UINT32_MAX */
#endif
    uint32_t at;             /* the latest instruction that ended a function, or gave a result */
    /* The instruction that gave the result: WIN, LOSE or DRAW, for that player; the state does not
     * have it yet. RANK: it has. `slot` numbers such instructions and players from 1; 0: RANK. */
    uint32_t ended, slot;
    int64_t player;
} playout;

enum {
    PLAYOUT_BYTES = PLAYOUT_STACK,
    PLAYOUT_KEPT = offsetof(fzi_head, chance), /* where a block begins that a try may change */
    PLAYOUT_MOST_FRAMES = 512 /* calls inside each other that the stack of C surely has room for */
};
#ifdef FZ_BLOCK_PARTS
typedef ferz_block playout_block;
_Static_assert(sizeof(playout_block) == PLAYOUT_BYTES, "all of a block but its stack");
#else
typedef struct playout_block {
    _Alignas(8) uint8_t bytes[PLAYOUT_BYTES];
} playout_block;
#define FERZ_APART 0
#define FERZ_HEAD(block) ((fzi_head *)(void *)(block))
#endif
/* What a try may change of a block. Where code does without vectors, a compiler would copy byte by
 * byte. */
static FZ_ALWAYS void playout_copy(uint8_t *to, const uint8_t *from)
{
    enum { SIZE = PLAYOUT_BYTES - PLAYOUT_KEPT, FEW_WORDS = 64 };
    if (FZ_W > 1 || SIZE % 8 || SIZE / 8 > FEW_WORDS) {
        memcpy(to, from, SIZE);
        return;
    }
#pragma GCC unroll 64
    for (unsigned i = 0; i < SIZE / 8; i++)
        memcpy(to + 8 * i, from + 8 * i, 8);
}
/* The block of the game: a copy of the state's, or locals for its parts (FERZ_APART), which `block`
 * then points to, or the state's own. */
#if FERZ_APART
#define PLAYOUT_LOCALS                                                                            \
    FERZ_PARTS_LOCALS                                                                             \
    uint8_t *const block = (uint8_t *)(void *)&parts;
#elif PLAYOUT_COPIES
#define PLAYOUT_LOCALS                                                                            \
    playout_block copy;                                                                           \
    uint8_t *const block = (uint8_t *)(void *)&copy;
#else
#define PLAYOUT_LOCALS uint8_t *const block = run->state->block;
#endif
/* Takes back what a game has changed of the head; the others of its fields never change here. */
static FZ_ALWAYS void playout_head_again(fzi_head *to, const fzi_head *from)
{
    to->counter = from->counter;
    to->turns = from->turns;
    to->plies = from->plies;
    to->idle = from->idle;
    to->begun = from->begun;
    to->out = from->out;
    to->last_from = from->last_from;
    to->last_to = from->last_to;
    to->mover = from->mover;
    to->next_mover = from->next_mover;
    to->decider = from->decider;
    to->pending_decider = from->pending_decider;
    to->phase = from->phase;
    to->decided = from->decided;
    to->no_legal_move = from->no_legal_move;
    to->stopped = from->stopped;
    to->blind = from->blind;
}

/* Part by part, because a compiler keeps none of a block in registers that is copied as a whole. */
static FZ_ALWAYS void playout_again(uint8_t *block, const playout_block *from)
{
#if PLAYOUT_COPIES && defined FERZ_PARTS_COPY
    playout_head_again(FERZ_HEAD(block), &from->head);
    FERZ_PARTS_COPY(FERZ_BLOCK(block), from)
#else
    *(playout_block *)(void *)block = *from;
#endif
}

static FZ_ALWAYS void playout_begin(uint8_t *block, const playout_block *from)
{
#if FERZ_APART
    *FERZ_HEAD(block) = from->head;
    FERZ_PARTS_COPY(FERZ_BLOCK(block), from)
#else
    *(playout_block *)(void *)block = *from;
#endif
}

static FZ_ALWAYS void playout_write(playout_block *to, const uint8_t *block)
{
#if FERZ_APART
    to->head = *FERZ_HEAD(block);
    FERZ_PARTS_COPY(to, FERZ_BLOCK(block))
#else
    *to = *(const playout_block *)(const void *)block;
#endif
}

/* Notes what is on a site, before a try changes it. Gives how many are noted. */
static FZ_ALWAYS unsigned playout_note_site(uint32_t *was, unsigned noted, uint8_t *block,
                                            int64_t site)
{
    if ((uint64_t)site < constant.site_count)
        was[noted++] = (uint32_t)site << 8 | FZ_BLOCK_AT(&constant, block, site);
    return noted;
}

static FZ_ALWAYS void playout_sites_back(const uint32_t *was, unsigned noted, uint8_t *block)
{
    while (noted--)
        board_recode(&constant, block, was[noted] >> 8, (uint8_t)was[noted]);
}

/* The constant part of a run, for the texts that ask about it. */
static const fzi_run playing = {.mode = FZ_RUN_PLAY, .body = FZ_NOT_THERE};

static FZ_ALWAYS fz_state *playout_state(const playout *d)
{
    if (PLAYOUT_COPIES)
        playout_write((playout_block *)(void *)d->state->block, d->block);
    return d->state;
}

/* A piece of the player moves: nobody has to ask whose it is, or whether one is captured. */
static FZ_ALWAYS void playout_move_own(uint8_t *block, uint64_t from, uint64_t to, int64_t owner)
{
    if (constant.layout.at) {
        uint8_t code = FZ_BLOCK_AT(&constant, block, from);
        uint8_t captured = FZ_BLOCK_AT(&constant, block, to);
        FZ_BLOCK_AT(&constant, block, from) = 0;
        FZ_BLOCK_AT(&constant, block, to) = code;
        if (constant.layout.kinds) {
            set_drop(board_kind(&constant, block, some_kind[captured]), to);
            fzi_set *of = board_kind(&constant, block, some_kind[code]);
            set_drop(of, from);
            set_add(of, to);
        }
    }
    for (unsigned p = 0; p <= constant.player_count; p++)
        if (p != owner)
            set_drop(board_own(&constant, block, p), to);
    set_drop(board_own(&constant, block, owner), from);
    set_add(board_own(&constant, block, owner), to);
    if (constant.layout.empty) {
        set_add(board_empty(&constant, block), from);
        set_drop(board_empty(&constant, block), to);
    }
}

/* Takes back a playout_move_own; `captured`: the code that was on `to`. */
static FZ_ALWAYS void playout_move_back(uint8_t *block, uint64_t from, uint64_t to, int64_t owner,
                                        uint8_t captured)
{
    uint8_t code = FZ_BLOCK_AT(&constant, block, to);
    int64_t captured_of = captured ? constant.owner_of[captured] : -1;
    FZ_BLOCK_AT(&constant, block, to) = captured;
    FZ_BLOCK_AT(&constant, block, from) = code;
    if (constant.layout.kinds) {
        fzi_set *of = board_kind(&constant, block, some_kind[code]);
        set_drop(of, to);
        set_add(of, from);
        set_add_if(board_kind(&constant, block, some_kind[captured]), to, captured != 0);
    }
    set_drop(board_own(&constant, block, owner), to);
    set_add(board_own(&constant, block, owner), from);
    for (unsigned p = 0; p <= constant.player_count; p++)
        set_add_if(board_own(&constant, block, p), to, p == captured_of);
    if (constant.layout.empty) {
        set_drop(board_empty(&constant, block), from);
        set_add_if(board_empty(&constant, block), to, !captured);
    }
}

#include "vm_playout_moves.inc.h"
#include "vm_playout_kept.inc.h"

#undef STATE
#define STATE playout_state(d)
#undef LIST
#define LIST list
#undef SET_LIST
#define SET_LIST(to) (d->list = list = (to))
#undef RELOAD
#define RELOAD() ((void)0)
#undef SPILL
#define SPILL() ((void)0)
#undef SYNC
#define SYNC() ((void)0)
#undef AFTER
#define AFTER(name) FZ_OP_COUNT
#undef BIND
#define BIND(option, value) ((void)0)
#undef PICK
#define PICK(index, move) fzi_move_list_pick(LIST, index, FZ_W, move)
#undef IF_TRY_JUDGE
#define IF_TRY_JUDGE() ((void)0)
#undef RESULT
#define RESULT()                                                                                  \
    do {                                                                                          \
        d->at = PC;                                                                               \
        PLAYOUT_LEAVE(FLOW_OVER);                                                                 \
    } while (0)
#undef CHANCE_CHECK
#define CHANCE_CHECK() ((void)0)
#undef CHANCE
#define CHANCE(name, back, sample) GIVE_NEXT(name, sample)
/* Where turns have no loops, no turn can reach a limit: playout_can compares them before a game. */
#undef REPEATED
#define REPEATED(board_only, from_turn) playout_repeated(d, board_only, from_turn)
#undef SPEND
#define SPEND(instructions) (PLAYOUT_COST ? INT64_C(0) : (m->budget -= (instructions)))
#undef MAY_BE_OUT
#define MAY_BE_OUT PLAYOUT_OUT
#undef DECIDED
#define DECIDED()                                                                                 \
    do {                                                                                          \
        H->pending_decider = H->decider;                                                          \
        H->plies++;                                                                               \
        H->decided = 1;                                                                           \
        H->no_legal_move = 0;                                                                     \
        H->idle = 0;                                                                              \
        if (!PLAYOUT_COST)                                                                        \
            m->budget = (int64_t)m->limits.instructions;                                          \
        if (PLAYOUT_LOOPS) {                                                                      \
            d->left--;                                                                            \
            if (H->plies - H->begun > m->limits.decisions)                                        \
                FAULT("too many decisions in one turn");                                          \
        }                                                                                         \
    } while (0)
/* A result that depends on nothing but the instruction and the player. */
#define PLAYOUT_RESULT(op, number, who)                                                           \
    do {                                                                                          \
        d->ended = FZ_OP_##op;                                                                    \
        d->player = (who);                                                                        \
        d->slot = (uint32_t)(1 + (number) * constant.player_count + d->player);                   \
        RESULT();                                                                                 \
    } while (0)
/* How a function ends. */
#define PLAYOUT_LEAVE(flow) return flow
#define PLAYOUT_RETURN(give)                                                                      \
    do {                                                                                          \
        give;                                                                                     \
        d->at = PC;                                                                               \
        PLAYOUT_LEAVE(FLOW_ON);                                                                   \
    } while (0)
#define PLAYOUT_DEPTH()                                                                           \
    do {                                                                                          \
        if (PLAYOUT_RECURSES && d->depth >= m->limits.frames)                                     \
            FAULT("too many calls inside each other");                                            \
    } while (0)
/* `deeper`: 1, or 0 where the caller is at its end. */
#define PLAYOUT_CALL(deeper, call)                                                                \
    do {                                                                                          \
        if (SPEND(4) < 0)                                                                         \
            goto exhausted;                                                                       \
        PLAYOUT_DEPTH();                                                                          \
        if (PLAYOUT_RECURSES)                                                                     \
            d->depth += deeper;                                                                   \
        playout_flow flow = call;                                                                 \
        if (__builtin_expect(flow, 0))                                                            \
            PLAYOUT_LEAVE(flow);                                                                  \
        if (PLAYOUT_RECURSES)                                                                     \
            d->depth -= deeper;                                                                   \
    } while (0)
/* The beginning and the end of every function. */
#define PLAYOUT_FUNCTION                                                                          \
    fz_machine *const m = d->m;                                                                   \
    fzi_run *const run = (fzi_run *)(uintptr_t)&playing;                                          \
    uint8_t *const block = d->block;                                                              \
    fzi_head *const H = FERZ_HEAD(block);                                                         \
    const fz_program *const p = &program;                                                         \
    const fz_machine *const k = &constant;                                                        \
    fzi_move_list *list = d->list;                                                                \
    fz_move move;                                                                                 \
    uint32_t at = 0;                                                                              \
    (void)run, (void)p, (void)k, (void)move, (void)H, (void)list;
#define PLAYOUT_FAULTS                                                                            \
    no_site: __attribute__((unused));                                                             \
    FAULT("a site that is not on the board");                                                     \
    no_index: __attribute__((unused));                                                            \
    FAULT("an index outside of its table");                                                       \
    no_direction: __attribute__((unused));                                                        \
    FAULT("there is no such direction");                                                          \
    exhausted: __attribute__((unused));                                                           \
    FAULT("this decision takes too many instructions");                                           \
    list_full: __attribute__((unused));                                                           \
    fzi_fault_list(m, LIST);                                                                      \
    goto failed;                                                                                  \
    faulted: __attribute__((unused));                                                             \
    m->fault_pc = UINT32_MAX;                                                                     \
    failed: __attribute__((unused));                                                              \
    if (m->fault_pc == UINT32_MAX)                                                                \
        m->fault_pc = at;                                                                         \
    return FLOW_FAIL;

/* ---- whole games ---- */

static playout_flow playout_setup(playout *d, int64_t mover);
static playout_flow playout_turn(playout *d, int64_t mover);
static playout_flow playout_end(playout *d, int64_t mover);
static playout_flow playout_limit(playout *d, int64_t mover);

/* Before a function of a phase. */
static FZ_ALWAYS void playout_depth(playout *d)
{
    if (PLAYOUT_RECURSES)
        d->depth = 1;
}

/* Nothing asks for the phase while functions run: it is written where they leave. */
static FZ_ALWAYS playout_flow playout_leaves(fzi_head *H, uint8_t phase, playout_flow flow)
{
    H->phase = phase;
    return flow;
}

/* A turn and what follows it. FLOW_ON: the next one may begin. */
static FZ_ALWAYS playout_flow playout_round(playout *d, fzi_head *H, int64_t mover)
{
    fz_machine *m = d->m;
    H->mover = (int8_t)mover;
    TURN_BEGINS(constant.player_count);
    H->idle++;
    playout_depth(d);
    if (PLAYOUT_NOTES && !playout_note_turn(d, H)) {
        m->fault_pc = d->at;
        return playout_leaves(H, FZ_PHASE_TURN, FLOW_FAIL);
    }
    playout_flow flow = playout_turn(d, mover);
    if (__builtin_expect(flow > FLOW_STOP, 0))
        return playout_leaves(H, FZ_PHASE_TURN, flow);
    playout_forget(d);
    playout_depth(d);
    flow = playout_end(d, mover);
    if (__builtin_expect(flow > FLOW_STOP, 0))
        return playout_leaves(H, FZ_PHASE_END, flow);
    if (program.limit >= 0 && __builtin_expect(H->turns >= (uint32_t)program.limit_turns, 0)) {
        H->phase = FZ_PHASE_LIMIT;
        H->stopped = 1;
        playout_depth(d);
        flow = playout_limit(d, mover);
        if (flow <= FLOW_STOP) {
            m->fault = "the game goes on after its limit";
            m->fault_pc = d->at;
            flow = FLOW_FAIL;
        }
    }
    return flow > FLOW_STOP ? flow : FLOW_ON;
}

/* A copy of what a turn may change, for a turn that turns out to be one for the other engine. */
typedef struct playout_before {
    uint64_t left, branched;
    int64_t budget;
    fzi_move_list *list;
    unsigned lists;
    _Alignas(32) uint8_t block[PLAYOUT_LOOPS ? PLAYOUT_BYTES : 1];
} playout_before;

static FZ_ALWAYS void playout_keep(playout_before *before, const playout *d)
{
    if (PLAYOUT_LOOPS) {
        before->left = d->left;
        before->branched = d->branched;
        before->budget = d->m->budget;
        before->list = d->list;
        before->lists = d->m->list_depth;
        memcpy(before->block, d->block, PLAYOUT_BYTES);
    }
}

static FZ_ALWAYS playout_flow playout_back(const playout_before *before, playout *d,
                                           playout_flow flow)
{
    if (PLAYOUT_LOOPS && flow == FLOW_WAIT) {
        d->left = before->left;
        d->branched = before->branched;
        d->m->budget = before->budget;
        d->list = before->list;
        d->m->list_depth = before->lists;
        memcpy(d->block, before->block, PLAYOUT_BYTES);
    }
    return flow;
}

/* How many turns may begin before one of the limits has to be looked at again. */
static FZ_ALWAYS uint32_t playout_rounds(const playout *d, const fzi_head *H, const fzi_run *run)
{
    uint64_t left = PLAYOUT_LOOPS ? d->left : run->plies - (H->plies - d->plies);
    uint32_t most = PLAYOUT_LOOPS ? 1 : UINT32_MAX, idle = d->m->limits.idle_turns;
    if (H->turns >= run->turn_stop || left <= PLAYOUT_DECISIONS || H->idle >= idle)
        return 0;
    if (PLAYOUT_DECISIONS && (left - 1) / (PLAYOUT_DECISIONS + !PLAYOUT_DECISIONS) < most)
        most = (uint32_t)((left - 1) / (PLAYOUT_DECISIONS + !PLAYOUT_DECISIONS));
    most = run->turn_stop - H->turns < most ? run->turn_stop - H->turns : most;
    return idle - H->idle < most ? idle - H->idle : most;
}

/* The paths of several players are kept apart: what they have in registers differs. */
#define PLAYOUT_ROUND(player)                                                                     \
    flow = playout_round(d, H, player);                                                           \
    if (__builtin_expect(flow, 0))                                                                \
        return playout_back(&before, d, flow);                                                    \
    continue
/* Every turn of a game, while the other engine would not have to stop in one. */
static FZ_ALWAYS playout_flow playout_game(playout *d, fzi_head *H, const fzi_run *run)
{
    fz_machine *m = d->m;
    playout_before before;
    playout_flow flow = FLOW_ON;
    if (H->phase == FZ_PHASE_NEW) {
        playout_keep(&before, d);
        H->phase = FZ_PHASE_SETUP;
        playout_depth(d);
        flow = playout_setup(d, H->mover);
        if (flow > FLOW_STOP)
            return playout_back(&before, d, flow);
    }
    playout_note(d);
    playout_forget(d);
    for (uint32_t rounds = 0;;) {
        if (PLAYOUT_LOOPS) /* which may be taken back */
            H->phase = FZ_PHASE_READY;
        if (__builtin_expect(!rounds--, 0)) {
            rounds = playout_rounds(d, H, run);
            if (!rounds--)
                return playout_leaves(H, FZ_PHASE_READY, FLOW_WAIT);
        }
        if (PLAYOUT_OUT && __builtin_expect(H->out, 0)) {
            int next = fzi_state_next_mover(STATE);
            if (next < 0)
                return playout_leaves(H, FZ_PHASE_READY, FLOW_WAIT);
            H->next_mover = (int8_t)next;
        }
        playout_keep(&before, d);
        switch (PLAYOUT_MOVERS ? H->next_mover : -1) { /* for each a copy that knows it */
        case 0: PLAYOUT_ROUND(0);
#if PLAYOUT_MOVERS > 1
        case 1: PLAYOUT_ROUND(1);
#endif
#if PLAYOUT_MOVERS > 2
        case 2: PLAYOUT_ROUND(2);
#endif
#if PLAYOUT_MOVERS > 3
        case 3: PLAYOUT_ROUND(3);
#endif
        default: flow = PLAYOUT_MOVERS ? FLOW_FAIL : playout_round(d, H, H->next_mover);
        }
        if (__builtin_expect(flow, 0))
            return playout_back(&before, d, flow);
    }
}

/* The lowest frame of the function that the game ended in, as its registers began. */
static void playout_frame(fz_state *state, int32_t function)
{
    const fz_function *f = &program.functions[function];
    fzi_head *H = (fzi_head *)(void *)state->block;
    uint64_t *only = (uint64_t *)(void *)(state->block + constant.layout.frames);
    uint32_t size = fzi_frame_size(f, FZ_W);
    memset(only, 0, size * sizeof *only);
    H->frame = 0;
    H->top = size;
    H->depth = 1;
    only[0] = (uint32_t)function;
    only[1] = (uint64_t)f->ints << 40;
    if (f->int_params)
        only[FZ_FRAME_HEADER] = (uint64_t)(int64_t)H->mover;
}

static int32_t playout_phase_function(unsigned phase)
{
    return phase == FZ_PHASE_SETUP ? program.setup : phase == FZ_PHASE_TURN ? program.turn
           : phase == FZ_PHASE_END ? program.end : program.limit;
}

/* Has the machine limits that its turns cannot reach, as far as they do not count themselves? The
 * budget is that of all turns until a decision. */
static bool playout_fits(const fz_machine *m)
{
    const fz_limits *most = &m->limits;
    return most->moves >= PLAYOUT_MOVES && most->frames > PLAYOUT_FRAMES &&
           (!PLAYOUT_RECURSES || most->frames <= PLAYOUT_MOST_FRAMES) &&
           (PLAYOUT_LOOPS || most->decisions >= PLAYOUT_DECISIONS) &&
           (!PLAYOUT_COST ||
            most->instructions / (PLAYOUT_COST + 1) > most->idle_turns + UINT64_C(1));
}

/* Can the game be played from here as one function? */
static bool playout_can(const fz_machine *m, const fzi_run *run)
{
    const fzi_head *head = (const fzi_head *)(const void *)run->state->block;
    return run->mode == FZ_RUN_PLAY && !run->log && !run->ask && run->body < 0 && !run->samples &&
           !m->traced && (head->phase == FZ_PHASE_NEW || head->phase == FZ_PHASE_READY) &&
           !head->chance_given && run->plies > PLAYOUT_DECISIONS && playout_fits(m) &&
           !(PLAYOUT_TRIES && run->branching) && (PLAYOUT_OUT || !head->out);
}

/* Writes the state of a game that is over. */
static FZ_ALWAYS void playout_over(playout *d)
{
    fz_state *state = d->ended == FZ_OP_RANK ? d->state : playout_state(d);
    fzi_head *H = (fzi_head *)(void *)state->block;
    if (d->ended == FZ_OP_WIN)
        fzi_result_win(d->m, state, d->player);
    if (d->ended == FZ_OP_LOSE)
        fzi_result_lose(d->m, state, d->player);
    if (d->ended == FZ_OP_DRAW)
        fzi_result_draw(d->m, state);
    H->pc = d->at;
    H->no_legal_move &= H->phase == FZ_PHASE_TURN;
}

/* The number of the game's result; `known`: there is none. */
static FZ_ALWAYS unsigned playout_look_up(const fzi_games *games, playout *d)
{
    unsigned i = 0;
    playout_over(d);
    fzi_result_key key = fzi_result_key_of((fzi_head *)(void *)d->state->block);
    while (i < games->known && !fzi_result_is(&key, &games->keys[i]))
        i++;
    return i;
}

/* By slot, and whether the turn's player could not move, and whether a limit ended the game: 1 plus
 * the number of the result; 0: not looked up yet. */
typedef struct playout_found {
    uint8_t result[(1 + PLAYOUT_RESULTS) * 4];
} playout_found;

/* Counts a game that is over. False: its result is not known. */
static FZ_ALWAYS bool playout_count(fzi_games *games, playout_found *found, playout *d,
                                    const fzi_head *H)
{
    uint32_t slot = d->slot * 4 + (H->no_legal_move & (H->phase == FZ_PHASE_TURN)) * 2u +
                    H->stopped;
    unsigned result = found->result[slot];
    if (__builtin_expect(!result, 0)) {
        result = playout_look_up(games, d) + 1;
        if (result > games->known)
            return false;
        found->result[slot] = d->slot ? (uint8_t)result : 0;
    }
    games->counts[result - 1]++;
    *games->lengths++ = H->plies;
    games->turns += H->turns;
    games->legal_moves += d->branched;
    games->stream++;
    games->left--;
    return true;
}

/* After one game. FZ_END_VERDICT: it is not over, and stands where a turn begins. */
static FZ_ALWAYS fzi_end playout_leave(playout *game, fzi_run *run, playout_flow flow)
{
    run->list = game->list;
    run->plies = PLAYOUT_LOOPS ? game->left
                               : run->plies - (FERZ_HEAD(game->block)->plies - game->plies);
    run->legal_move_sum += game->branched;
    run->redrawing = false;
    if (flow == FLOW_OVER)
        playout_over(game);
    else if (PLAYOUT_COPIES)
        playout_write((playout_block *)(void *)run->state->block, game->block);
    fzi_head *H = (fzi_head *)(void *)run->state->block;
    H->pendings = 0;
    if (flow == FLOW_WAIT)
        return FZ_END_VERDICT;
    playout_frame(run->state, playout_phase_function(H->phase));
    if (flow == FLOW_FAIL)
        return FZ_END_ERROR;
    H->phase = FZ_PHASE_OVER;
    H->waiting = FZ_GAME_OVER;
    H->pc = game->at;
    return FZ_END_OVER;
}

/* One game, or many: `games` is not NULL. */
static FZ_ALWAYS fzi_end playout_games(playout *game, fzi_run *run, fzi_games *games)
{
    fzi_head *H = FERZ_HEAD(game->block);
    playout_block fresh;
    playout_found found = {{0}};
    uint64_t mixed = games ? fzi_chance_seed(games->seed) : 0;
    if (games)
        fresh = *(const playout_block *)(const void *)run->state->block;
    for (;;) {
        if (games)
            H->key = fzi_chance_stream(mixed, games->stream);
        playout_flow flow = playout_game(game, H, run);
        if (!games)
            return playout_leave(game, run, flow);
        games->unfit = flow != FLOW_OVER;
        if (games->unfit || !playout_count(games, &found, game, H) || !games->left)
            return FZ_END_OVER;
        playout_again(game->block, &fresh);
        game->left = run->plies;
        game->branched = 0;
        if (!PLAYOUT_COST)
            game->m->budget = (int64_t)game->m->limits.instructions;
    }
}

static __attribute__((noinline)) fzi_end playout_play(fz_machine *m, fzi_run *run, fzi_games *games)
{
    PLAYOUT_LOCALS
    if (PLAYOUT_COPIES)
        playout_begin(block, (const playout_block *)(const void *)run->state->block);
    playout game = {.m = m, .state = run->state, .list = run->list, .block = block,
                    .left = run->plies, .plies = FERZ_HEAD(block)->plies};
#if PLAYOUT_LINES
    uint64_t lines[constant.player_count + 1][PLAYOUT_LINES];
    game.lines = lines;
#endif
#if PLAYOUT_REACHES
    playout_reach reaches[PLAYOUT_REACHES] = {{0}};
    game.reaches = reaches;
#endif
#if PLAYOUT_NOTES
    playout_past past;
    game.room = &past;
#endif
    /* Short games gain a twentieth where the code for many asks nothing for one. */
    return PLAYOUT_SMALL && !games ? playout_games(&game, run, NULL)
                                   : playout_games(&game, run, games);
}

SHARED fzi_end ferz_playout(fz_machine *m, fzi_run *run)
{
    return playout_can(m, run) ? playout_play(m, run, NULL) : FZ_END_VERDICT;
}

#ifdef FZ_NATIVE
void ferz_native_games(fz_machine *m, fzi_run *run, fzi_games *games)
{
    if (playout_can(m, run))
        playout_play(m, run, games);
    else
        games->unfit = true;
}
#endif
