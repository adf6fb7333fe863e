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

/* The game that is played. Its block is a copy, or that of the state (PLAYOUT_COPIES). */
typedef struct playout {
    fz_machine *m;
    fz_state *state;
    fzi_move_list *list;
    uint8_t *block;
    uint64_t left, branched; /* decisions that may be drawn; legal moves so far */
    uint32_t depth;          /* of calls, where functions call themselves */
#if PLAYOUT_COUNTS
    uint32_t *below; /* empty sites up to and with each word of the board */
#endif
#if PLAYOUT_LINES
    playout_line (*lines)[PLAYOUT_LINES]; /* of each player, as bits; nobody's are the last */
#endif
    uint32_t at;             /* the latest instruction that ended a function, or gave a result */
} playout;

enum {
    PLAYOUT_BYTES = PLAYOUT_STACK,
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
static FZ_ALWAYS void playout_begin(uint8_t *block, const playout_block *from)
{
#if FERZ_APART
    FERZ_PARTS_IN(FERZ_BLOCK(block), from)
#else
    *(playout_block *)(void *)block = *from;
#endif
}

static FZ_ALWAYS void playout_write(playout_block *to, const uint8_t *block)
{
#if FERZ_APART
    FERZ_PARTS_OUT(to, FERZ_BLOCK(block))
#else
    *to = *(const playout_block *)(const void *)block;
#endif
}

/* What the texts ask about the run, of which nothing changes. */
static const fzi_run playing = {.mode = FZ_RUN_PLAY, .body = FZ_NOT_THERE};

static FZ_ALWAYS fz_state *playout_state(const playout *d)
{
    if (PLAYOUT_COPIES)
        playout_write((playout_block *)(void *)d->state->block, d->block);
    return d->state;
}

/* The words of an EMIT_SHIFTS: for each step, what it adds to a site and the sites moved from. */
static FZ_ALWAYS uint32_t playout_shifts(uint64_t *words, unsigned *steps, fzi_set from,
                                         fzi_set into, const int32_t *deltas, const uint64_t *valid)
{
    uint32_t count = 0;
    unsigned i = 0;
#pragma GCC unroll 8
    for (; i < FZ_SHAPE_STEPS && set_some(set_at(valid + i * FZ_W)); i++) {
        fzi_set movers = set_stepped_back(into, deltas[i], set_and(from, set_at(valid + i * FZ_W)));
        words[i * (1 + FZ_W)] = (uint64_t)(int64_t)deltas[i];
        set_write(words + i * (1 + FZ_W) + 1, movers);
        count += set_count(movers);
    }
    *steps = i;
    return count;
}

/* For each site moved from: its number, with the number of moves from sites before it in the upper
 * half, and the sites moved to. */
static FZ_ALWAYS uint32_t playout_add_row(uint64_t *words, unsigned *rows, uint32_t count,
                                          int64_t from, fzi_set to)
{
    if (!set_some(to))
        return count;
    uint64_t *row = words + (*rows)++ * (1 + FZ_W);
    row[0] = (uint64_t)from | (uint64_t)count << 32;
    set_write(row + 1, to);
    return count + set_count(to);
}

static inline uint32_t playout_rows(uint64_t *words, unsigned *rows, fzi_set from, fzi_set into,
                                    const uint64_t *valid)
{
    uint32_t count = 0;
    *rows = 0;
    while (set_some(from)) {
        int64_t site = set_take(&from);
        fzi_set to = set_and(into, set_at(valid + (uint64_t)site * FZ_W));
        count = playout_add_row(words, rows, count, site, to);
    }
    return count;
}

static inline uint32_t playout_slides(uint64_t *words, unsigned *rows, fzi_set from, fzi_set into,
                                      uint64_t dirs, fzi_set through)
{
    uint32_t count = 0;
    *rows = 0;
    while (set_some(from)) {
        int64_t site = set_take(&from);
        fzi_set to = geo_slide(program.topology, (uint64_t)site, dirs, through, INT64_MAX);
        count = playout_add_row(words, rows, count, site, set_and(into, to));
    }
    return count;
}

static inline void playout_row(const uint64_t *words, unsigned rows, uint32_t index, int64_t *from,
                               int64_t *to)
{
    const uint64_t *row = words + (rows - 1) * (1 + FZ_W);
    while (index < row[0] >> 32)
        row -= 1 + FZ_W;
    *from = (uint32_t)row[0];
    *to = fzi_words_select(row + 1, index - (uint32_t)(row[0] >> 32), FZ_W);
}

/* Takes a move out. */
static inline void playout_drop_row(uint64_t *words, unsigned rows, int64_t from, int64_t to)
{
    bool after = false;
    for (uint64_t *row = words; rows--; row += 1 + FZ_W) {
        row[0] -= (uint64_t)after << 32;
        if ((uint32_t)row[0] == (uint64_t)from) {
            row[1 + to / 64] &= ~(UINT64_C(1) << to % 64);
            after = true;
        }
    }
}

static inline void playout_drop_step(uint64_t *words, int64_t from, int64_t to)
{
    while ((int64_t)words[0] != to - from)
        words += 1 + FZ_W;
    words[1 + from / 64] &= ~(UINT64_C(1) << from % 64);
}

/* Questions: is there such a move? */
static inline bool playout_some_rows(fzi_set from, fzi_set into, const uint64_t *valid)
{
    bool some = false;
    while (set_some(from) && !some)
        some = set_meets(into, set_at(valid + (uint64_t)set_take(&from) * FZ_W));
    return some;
}

static inline bool playout_some_slides(fzi_set from, fzi_set into, uint64_t dirs, fzi_set through)
{
    bool some = false;
    while (set_some(from) && !some)
        some = set_meets(into, geo_slide(program.topology, (uint64_t)set_take(&from), dirs, through,
                                         INT64_MAX));
    return some;
}

static inline bool playout_some_shifts(fzi_set from, fzi_set into, const int32_t *deltas,
                                       const uint64_t *valid)
{
    uint64_t words[FZ_SHAPE_STEPS * (1 + FZ_W)];
    unsigned steps;
    return playout_shifts(words, &steps, from, into, deltas, valid) > 0;
}

/* ---- what wide boards keep ---- */
#if PLAYOUT_LINES
static FZ_ALWAYS playout_line *playout_lines_of(const playout *d, int64_t owner)
{
    return d->lines[owner < 0 ? constant.player_count : (uint64_t)owner];
}

/* A row of n through the site, in the lines of one player. Several lines share a word. */
static FZ_ALWAYS bool playout_line_at(const playout *d, uint64_t site, int64_t owner, int64_t n)
{
    enum { BITS = 8 * sizeof(playout_line), SHARE = 64 / BITS };
    const playout_line *lines = playout_lines_of(d, owner);
    uint64_t rows = 0, bits = 0;
#pragma GCC unroll 16
    for (unsigned a = 0; a < PLAYOUT_AXES; a++) {
        uint64_t line = lines[playout_sites[site][a].line] & playout_sites[site][a].around;
        bits |= line << a % SHARE * BITS;
        if (a % SHARE == SHARE - 1 || a + 1 == PLAYOUT_AXES) {
            rows |= geo_run(bits, n);
            bits = 0;
        }
    }
    return rows != 0;
}

static FZ_ALWAYS void playout_add_stone(playout *d, uint64_t site, int64_t owner)
{
    playout_line *lines = playout_lines_of(d, owner);
#pragma GCC unroll 16
    for (unsigned a = 0; a < PLAYOUT_AXES; a++)
        lines[playout_sites[site][a].line] |= playout_sites[site][a].bit;
}

static void playout_drop_stone(playout *d, uint64_t site)
{
    for (unsigned player = 0; player <= constant.player_count; player++)
        for (unsigned a = 0; a < PLAYOUT_AXES; a++) {
            playout_line bit = playout_sites[site][a].bit;
            d->lines[player][playout_sites[site][a].line] &= (playout_line)~bit;
        }
}
#endif

/* Notes all of the board. */
static FZ_ALWAYS void playout_note(playout *d)
{
    (void)d;
#if PLAYOUT_COUNTS
    uint32_t sum = 0;
    FZI_EACH_WORD(i)
    d->below[i] = sum += (uint32_t)__builtin_popcountll(board_empty(&constant, d->block)->w[i]);
#endif
#if PLAYOUT_LINES
    memset(d->lines, 0, (constant.player_count + 1) * sizeof *d->lines);
    for (int64_t owner = -1; owner < constant.player_count; owner++)
        for (fzi_set left = *board_own(&constant, d->block, owner); set_some(left);)
            playout_add_stone(d, (uint64_t)set_take(&left), owner);
#endif
}

/* Before a piece of the owner is put on the site. */
static FZ_ALWAYS void playout_put(playout *d, uint64_t site, int64_t owner)
{
    bool empty = set_has(board_empty(&constant, d->block), site);
    (void)empty, (void)owner;
#if PLAYOUT_COUNTS
    if (__builtin_expect(empty, 1))
        FZI_EACH_WORD(i) d->below[i] -= site / 64 <= i;
#endif
#if PLAYOUT_LINES
    if (__builtin_expect(!empty, 0))
        playout_drop_stone(d, site);
    playout_add_stone(d, site, owner);
#endif
}

#if PLAYOUT_COUNTS
/* The empty site with that number. */
static FZ_ALWAYS uint32_t playout_empty_site(const playout *d, uint32_t index)
{
    uint32_t word = 0, below = 0;
#pragma GCC unroll 16
    for (unsigned i = 0; i + 1 < FZ_W; i++) {
        bool past = index >= d->below[i];
        word += past;
        below = past ? d->below[i] : below;
    }
    return word * 64 + fzi_bit_select(board_empty(&constant, d->block)->w[word], index - below);
}
#endif

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
#undef DRAWN
#define DRAWN() (d->left--)
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
        if ((m->budget -= 4) < 0)                                                                 \
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
/* What every function begins and ends with. */
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

static playout_flow playout_setup(playout *d);
static playout_flow playout_turn(playout *d);
static playout_flow playout_end(playout *d);
static playout_flow playout_limit(playout *d);

/* A turn and what follows it. FLOW_ON: the next one may begin. */
static FZ_ALWAYS playout_flow playout_round(playout *d, fzi_head *H)
{
    fz_machine *m = d->m;
    TURN_BEGINS(constant.player_count);
    H->idle++;
    H->phase = FZ_PHASE_TURN;
    d->depth = 1;
    if (PLAYOUT_NOTES && d->state->history && !fzi_note_turn(m, STATE)) {
        m->fault_pc = d->at;
        return FLOW_FAIL;
    }
    playout_flow flow = playout_turn(d);
    if (__builtin_expect(flow > FLOW_STOP, 0))
        return flow;
    H->phase = FZ_PHASE_END;
    d->depth = 1;
    flow = playout_end(d);
    if (__builtin_expect(flow > FLOW_STOP, 0))
        return flow;
    if (program.limit >= 0 && __builtin_expect(H->turns >= (uint32_t)program.limit_turns, 0)) {
        H->phase = FZ_PHASE_LIMIT;
        H->stopped = 1;
        d->depth = 1;
        flow = playout_limit(d);
        if (flow <= FLOW_STOP) {
            m->fault = "the game goes on after its limit";
            m->fault_pc = d->at;
            flow = FLOW_FAIL;
        }
    }
    return flow > FLOW_STOP ? flow : FLOW_ON;
}

/* What a turn may have changed when it turns out to be one for the other engine. */
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

/* Every turn of a game, while the other engine would not have to stop in one. */
static FZ_ALWAYS playout_flow playout_game(playout *d, fzi_head *H, const fzi_run *run)
{
    fz_machine *m = d->m;
    playout_before before;
    playout_flow flow = FLOW_ON;
    if (H->phase == FZ_PHASE_NEW) {
        playout_keep(&before, d);
        H->phase = FZ_PHASE_SETUP;
        d->depth = 1;
        flow = playout_setup(d);
        if (flow > FLOW_STOP)
            return playout_back(&before, d, flow);
    }
    playout_note(d);
    for (;;) {
        H->phase = FZ_PHASE_READY;
        if (__builtin_expect(H->turns >= run->turn_stop || d->left <= PLAYOUT_DECISIONS ||
                             H->idle >= m->limits.idle_turns, 0))
            return FLOW_WAIT;
        if (__builtin_expect(H->out, 0)) {
            int next = fzi_state_next_mover(STATE);
            if (next < 0)
                return FLOW_WAIT;
            H->next_mover = (int8_t)next;
        }
        playout_keep(&before, d);
        H->mover = H->next_mover;
        flow = playout_round(d, H);
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

/* Can the game be played from here as one function? */
static bool playout_can(const fz_machine *m, const fzi_run *run)
{
    const fzi_head *head = (const fzi_head *)(const void *)run->state->block;
    return run->mode == FZ_RUN_PLAY && !run->log && !run->ask && run->body < 0 && !run->samples &&
           !m->traced && (head->phase == FZ_PHASE_NEW || head->phase == FZ_PHASE_READY) &&
           !head->chance_given && m->limits.moves >= PLAYOUT_MOVES &&
           m->limits.frames > PLAYOUT_FRAMES && run->plies > PLAYOUT_DECISIONS &&
           (!PLAYOUT_RECURSES || m->limits.frames <= PLAYOUT_MOST_FRAMES) &&
           !(PLAYOUT_TRIES && run->branching);
}

/* Counts a game that is over; its state has the result. False: the result is not known. */
static FZ_ALWAYS bool playout_count(fzi_games *games, const playout *d, fzi_head *H)
{
    H->pc = d->at;
    H->no_legal_move &= H->phase == FZ_PHASE_TURN;
    fzi_result_key key = fzi_result_key_of(H);
    for (unsigned i = 0; i < games->known; i++) {
        if (!fzi_result_is(&key, &games->keys[i]))
            continue;
        games->counts[i]++;
        *games->lengths++ = H->plies;
        games->turns += H->turns;
        games->legal_moves += d->branched;
        games->stream++;
        games->left--;
        return true;
    }
    return false;
}

/* One game, or many. FZ_END_VERDICT: the game is not over, and stands where a turn begins. */
static __attribute__((noinline)) fzi_end playout_play(fz_machine *m, fzi_run *run, fzi_games *games)
{
    playout_block *const kept = (playout_block *)(void *)run->state->block;
    playout_block fresh; /* for the next game */
    PLAYOUT_LOCALS
    if (games)
        fresh = *kept;
    if (PLAYOUT_COPIES)
        playout_begin(block, kept);
    playout game = {.m = m, .state = run->state, .list = run->list, .block = block,
                    .left = run->plies};
#if PLAYOUT_COUNTS
    uint32_t below[FZ_W];
    game.below = below;
#endif
#if PLAYOUT_LINES
    playout_line lines[constant.player_count + 1][PLAYOUT_LINES];
    game.lines = lines;
#endif
    playout_flow flow;
    for (;;) {
        if (games)
            FERZ_HEAD(block)->key = fzi_chance_key(games->seed, games->stream);
        flow = playout_game(&game, FERZ_HEAD(block), run);
        if (!games)
            break;
        games->unfit = flow != FLOW_OVER;
        if (games->unfit || !playout_count(games, &game, fzi_head_of(run->state)) || !games->left)
            return FZ_END_OVER;
        playout_begin(block, &fresh);
        game.left = run->plies;
        game.branched = 0;
        m->budget = (int64_t)m->limits.instructions;
    }
    run->list = game.list;
    run->plies = game.left;
    run->legal_move_sum += game.branched;
    run->redrawing = false;
    if (PLAYOUT_COPIES && flow != FLOW_OVER) /* WIN and the others have written it */
        playout_write(kept, block);
    fzi_head *H = (fzi_head *)(void *)run->state->block;
    H->pendings = 0;
    if (flow == FLOW_WAIT)
        return FZ_END_VERDICT;
    playout_frame(run->state, playout_phase_function(H->phase));
    if (flow == FLOW_FAIL)
        return FZ_END_ERROR;
    H->no_legal_move &= H->phase == FZ_PHASE_TURN;
    H->phase = FZ_PHASE_OVER;
    H->waiting = FZ_GAME_OVER;
    H->pc = game.at;
    return FZ_END_OVER;
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
