/* Counting sequences of turns (perft) in the C that native/generate_count.c writes: the function of
 * a turn plays each legal move of its one decision, with what follows, and takes it back. The moves
 * of the last turn are only counted. Behind vm_playout.inc.h, in the same part. */
typedef struct counting {
    playout game;
    uint32_t left;           /* turns that are to begin; the last one is counted */
    uint64_t nodes;
} counting;

static playout_flow count_turn(counting *c, int64_t me);

/* The next turn, to its end. */
static playout_flow count_begin(counting *c)
{
    playout *d = &c->game;
    fz_machine *m = d->m;
    fzi_head *H = (fzi_head *)(void *)d->block;
    if (H->idle >= m->limits.idle_turns)
        return FLOW_FAIL;
    if (PLAYOUT_OUT && __builtin_expect(H->out, 0)) {
        int next = fzi_state_next_mover(STATE);
        if (next < 0)
            return FLOW_FAIL;
        H->next_mover = (int8_t)next;
    }
    H->mover = H->next_mover;
    TURN_BEGINS(constant.player_count);
    H->idle++;
    H->phase = FZ_PHASE_TURN;
    d->depth = 1;
    d->list = NULL;
    m->budget = (int64_t)m->limits.instructions;
    if (PLAYOUT_NOTES && (COUNT_ASKS_REPETITIONS || c->left > 1) && !playout_note_turn(d, H))
        return FLOW_FAIL;
    return count_turn(c, H->mover);
}

/* Goes on after a turn. A game that is over before the last turn does not count. */
static playout_flow count_on(counting *c)
{
    playout *d = &c->game;
    fzi_head *H = (fzi_head *)(void *)d->block;
    H->phase = FZ_PHASE_END;
    d->depth = 1;
    playout_forget(d);
    playout_flow flow = playout_end(d, H->mover);
    if (flow <= FLOW_STOP && program.limit >= 0 && H->turns >= (uint32_t)program.limit_turns) {
        H->phase = FZ_PHASE_LIMIT;
        H->stopped = 1;
        d->depth = 1;
        flow = playout_limit(d, H->mover);
        if (flow <= FLOW_STOP)
            return FLOW_FAIL;
    }
    if (flow > FLOW_STOP)
        return flow == FLOW_OVER ? FLOW_ON : FLOW_FAIL;
    H->phase = FZ_PHASE_READY;
    if (c->left == 1) { /* a turn without a decision */
        c->nodes++;
        return FLOW_ON;
    }
    c->left--;
    flow = count_begin(c);
    c->left++;
    return flow;
}

/* A state between two turns, which is changed. False: something went wrong, or the machine's
 * limits are close: another engine counts, and says what there is to say. */
bool ferz_native_count(fz_machine *m, fz_state *state, uint32_t turns, uint64_t *nodes)
{
    counting c = {.game = {.m = m, .state = state, .block = state->block}, .left = turns};
#if PLAYOUT_REACHES
    playout_reach reaches[PLAYOUT_REACHES] = {{0}};
    c.game.reaches = reaches;
#endif
    playout_forget(&c.game);
    unsigned lists = m->list_depth;
    bool can = !m->traced && playout_fits(m) && (PLAYOUT_OUT || !fzi_head_of(state)->out);
    playout_flow flow = can ? count_begin(&c) : FLOW_FAIL;
    m->list_depth = lists;
    *nodes = c.nodes;
    return flow == FLOW_ON;
}

/* ---- moves that are played ---- */

/* Takes a move out of a segment, in any order; `step`: of its steps the first that may have one. */
static FZ_ALWAYS bool count_take(fzi_move_list *list, const fzi_segment *s, int32_t *step,
                                 fz_move *move)
{
    uint64_t *words = list->words + s->data, *inner = words + s->values;
    unsigned n = s->values;
    if (s->kind == FZ_SEGMENT_SHIFTS) {
        while ((unsigned)*step < s->steps && !set_some(set_at(inner + *step * (1 + FZ_W) + 1)))
            ++*step;
        if ((unsigned)*step == s->steps)
            return false;
        inner += *step * (1 + FZ_W) + 1;
    }
    if (s->kind == FZ_SEGMENT_ONE) {
        if ((*step)++)
            return false;
    } else if (s->kind == FZ_SEGMENT_MASK) {
        if (!*inner)
            return false;
        move->values[n] = __builtin_ctzll(*inner);
        *inner &= *inner - 1;
    } else {
        fzi_set left = set_at(inner);
        if (!set_some(left))
            return false;
        move->values[n] = (int32_t)set_take(&left);
        set_write(inner, left);
    }
    if (s->kind == FZ_SEGMENT_SHIFTS)
        move->values[n + 1] = move->values[n] + (int32_t)inner[-1];
    for (unsigned i = 0; i < n; i++)
        move->values[i] = (int32_t)words[i];
    return true;
}

/* The next move; it leaves the list, which nobody asks for again. */
static inline bool count_next(fzi_move_list *list, fzi_cursor *cursor, fz_move *move)
{
    for (; cursor->segment < list->segment_count; cursor->segment++, cursor->major = 0) {
        const fzi_segment *s = &list->segments[cursor->segment];
        move->option = s->option;
        if (s->count && count_take(list, s, &cursor->major, move))
            return true;
    }
    return false;
}

/* ---- moves that need no try ---- */

/* The sites that moves of an option must not touch, to be as legal as the position before them. */
typedef struct untouched {
    uint64_t known, legal; /* words, since a load of a word waits for stores of bytes */
    uint64_t kinds, loads;
    fzi_set from, to;
} untouched;

/* Before any filter. */
static FZ_ALWAYS untouched count_nothing(const fz_machine *k, uint8_t *block, int64_t player)
{
    fzi_set own = *board_own(k, block, player);
    return (untouched){.known = true, .legal = true, .from = set_sub(board_all(k), own), .to = own};
}

/* And of one filter more. */
static FZ_ALWAYS void count_filter(untouched *u, bool known, int64_t verdict, const fzi_found *f)
{
    u->known = u->known && known;
    u->legal = u->legal && verdict;
    u->kinds |= f->kinds;
    u->loads |= f->loads;
    u->from = set_or(u->from, f->events.left);
    u->to = set_or(u->to, f->events.filled);
}

/* The kind of all pieces on the sites; -1: they differ. */
static FZ_ALWAYS int64_t count_piece(const fz_machine *k, uint8_t *block, fzi_set sites)
{
    int64_t kind = k->layout.kinds && set_some(sites) ? 0 : -1;
    if (kind >= 0 && k->layout.at)
        kind = k->kind_of[FZ_BLOCK_AT(k, block, set_first(sites))];
    else
        while (kind >= 0 && !set_meets(sites, *board_kind(k, block, kind)))
            kind = kind + 1 < k->kind_count ? kind + 1 : -1;
    return kind >= 0 && !set_some(set_sub(sites, *board_kind(k, block, kind))) ? kind : -1;
}

/* The sites that steps begin on. */
static inline fzi_set count_movers(const uint64_t *entry, unsigned steps)
{
    fzi_set movers = set_none();
    for (unsigned i = 0; i < steps; i++, entry += 1 + FZ_W)
        movers = set_or(movers, set_at(entry + 1));
    return movers;
}

/* Counts the moves of a set that touch nothing, and gives the others. `outer`: the other site of
 * the moves does. */
static FZ_ALWAYS fzi_set count_set(const untouched *u, uint64_t *sure, fzi_set set, bool outer,
                                   fzi_set inner)
{
    fzi_set rest = outer ? set : set_and(set, inner);
    *sure += u->legal ? set_count(set) - set_count(rest) : 0;
    return rest;
}

static inline bool count_rows(const untouched *u, uint64_t *sure, fzi_move_list *list,
                              const fzi_loop_option *option, const int64_t *bound, fzi_set from,
                              fzi_set into, const uint64_t *rows)
{
    while (set_some(from)) {
        uint64_t site = (uint64_t)set_take(&from);
        fzi_set to = set_and(into, set_at(rows + site * FZ_W));
        fzi_set rest = count_set(u, sure, to, set_has(&u->from, site), u->to);
        if (!list_from(list, option, bound, (int64_t)site, rest))
            return false;
    }
    return true;
}

static FZ_ALWAYS bool count_slides(const untouched *u, uint64_t *sure, fzi_move_list *list,
                                   const fzi_loop_option *option, const int64_t *bound,
                                   fzi_set from, fzi_set into, uint64_t dirs, fzi_set through)
{
    while (set_some(from)) {
        uint64_t site = (uint64_t)set_take(&from);
        fzi_set to = set_and(into, geo_ride(program.topology, site, dirs, through));
        fzi_set rest = count_set(u, sure, to, set_has(&u->from, site), u->to);
        if (!list_from(list, option, bound, (int64_t)site, rest))
            return false;
    }
    return true;
}

/* Counts steps; how many are left. */
static inline uint32_t count_steps(const untouched *u, uint64_t *sure, uint64_t *entry,
                                   unsigned steps)
{
    uint32_t left = 0;
    for (unsigned i = 0; i < steps; i++, entry += 1 + FZ_W) {
        fzi_set movers = set_at(entry + 1);
        fzi_set into = set_stepped_back(u->to, (int32_t)entry[0], movers);
        fzi_set rest = count_set(u, sure, movers, false, set_or(u->from, into));
        set_write(entry + 1, rest);
        left += set_count(rest);
    }
    return left;
}

/* The steps of a segment: counted where the list is complete, since they are joined there. */
static inline void count_shifts(const untouched *u, uint64_t *sure, fzi_move_list *list,
                                fzi_segment *s)
{
    uint32_t left = count_steps(u, sure, list->words + s->data + s->values, s->steps);
    list->total -= s->count - left;
    s->count = left;
}

/* Lists steps of an option without other values. */
static inline bool count_list_steps(fzi_move_list *list, uint32_t option, const uint64_t *entry,
                                    unsigned steps)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < steps; i++)
        count += set_count(set_at(entry + i * (1 + FZ_W) + 1));
    if (!count)
        return true;
    uint32_t words = steps * (1 + FZ_W);
    if ((list->segment_count == list->segment_capacity ||
         list->word_count + words > list->word_capacity) &&
        !fzi_move_list_reserve(list, words))
        return false;
    if (!fzi_move_list_has_room(list, count))
        return false;
    memcpy(list->words + list->word_count, entry, words * sizeof *entry);
    list->segments[list->segment_count++] = (fzi_segment){
        option, count, list->word_count, FZ_SEGMENT_SHIFTS, 0, (uint8_t)steps, 0};
    list->word_count += words;
    list->total += count;
    return true;
}

/* ---- footprints ---- */

#define UR(n) UR_(n)
#define UR_(n) u##n
#undef SR_
#define SR_(n) u##n.value
#define FOOTPRINT_FUNCTION                                                                        \
    fz_machine *const m = d->m;                                                                   \
    uint8_t *const block = d->block;                                                              \
    fzi_head *const H = (fzi_head *)(void *)block;                                                \
    const fz_program *const p = &program;                                                         \
    const fz_machine *const k = &constant;                                                        \
    (void)m, (void)block, (void)H, (void)p, (void)k;
#define FOOTPRINT_FAULTS                                                                          \
    no_site: __attribute__((unused));                                                             \
    no_index: __attribute__((unused));                                                            \
    no_direction: __attribute__((unused));                                                        \
    exhausted: __attribute__((unused));                                                           \
    faulted: __attribute__((unused));                                                             \
    return false;
