/* A part of vm_playout.inc.h: what a game keeps beside its block. */

/* ---- history ---- */

#if PLAYOUT_NOTES
/* The positions that are noted, in chains by the stones of the players alone: most positions are in
 * a chain of their own. fzi_history_find has hashes of whole positions, which it takes longer to
 * make; it counts where a chain is long. */
enum { PLAYOUT_CHAIN_BITS = 12, PLAYOUT_CHAINS = 1 << PLAYOUT_CHAIN_BITS, PLAYOUT_PAST = 4096,
       PLAYOUT_LONG_CHAIN = 16 };
typedef struct playout_past {
    uint16_t first[PLAYOUT_CHAINS]; /* 1 + the number of the latest of a chain; 0: none */
    uint16_t before[PLAYOUT_PAST];  /* the same for the one before it */
} playout_past;

/* The chain of a position. `own`: the sets of the players' pieces, in a block or an entry. */
static FZ_ALWAYS uint32_t playout_chain(const uint8_t *own)
{
    uint64_t hash = 0;
#pragma GCC unroll 16
    for (unsigned i = 0; i < constant.player_count * FZ_W; i++)
        hash = fzi_hash_word(hash, fzi_load_word(own + 8 * i));
    return (uint32_t)(hash >> (64 - PLAYOUT_CHAIN_BITS));
}

static FZ_ALWAYS void playout_link(playout *d, uint32_t number, uint32_t chain)
{
    playout_past *past = d->past;
    if (past && __builtin_expect(number < PLAYOUT_PAST, 1)) {
        past->before[number] = past->first[chain];
        past->first[chain] = (uint16_t)(number + 1);
    } else {
        d->past = NULL;
    }
}

/* Links the positions from before the game. */
static inline void playout_link_all(playout *d)
{
    const fzi_history *h = d->state->history;
    uint32_t count = FERZ_HEAD(d->block)->history;
    if (!d->room || !h)
        return;
    memset(d->room->first, 0, sizeof d->room->first);
    d->past = d->room;
    for (uint32_t i = 0; i < count; i++)
        playout_link(d, i, playout_chain(h->entries + (size_t)i * h->entry.size));
}
#endif

/* As fzi_note_turn, and quickly where there is room. */
static FZ_ALWAYS bool playout_note_turn(playout *d, fzi_head *H)
{
    fzi_history *h = d->state->history;
    uint32_t number = H->history;
    if (!h)
        return true;
#if PLAYOUT_NOTES
    if (!PLAYOUT_STILL || d->chain == UINT32_MAX)
        d->chain = playout_chain(d->block + constant.layout.own);
    playout_link(d, number, d->chain);
#endif
    if (__builtin_expect(number + 1 >= h->capacity, 0))
        return fzi_note_turn(d->m, playout_state(d));
    const fzi_turn_entry e = fzi_turn_entry_of(&constant.layout, FZ_W);
    if (__builtin_expect(h->known <= number, 1)) /* it has not been counted by fzi_history_find */
        fzi_turn_entry_write(e, h->entries + (size_t)number * e.size, d->block, H->mover);
    else
        fzi_history_add(h, e, d->block, number, H->mover, PLAYOUT_STILL);
    H->history++;
    return true;
}

/* Before `end`: what was counted earlier may have changed. */
static FZ_ALWAYS void playout_forget(playout *d)
{
#if PLAYOUT_NOTES
    d->chain = UINT32_MAX;
#endif
    if (PLAYOUT_STILL && PLAYOUT_FORGETS && d->state->history)
        d->state->history->counted = 0;
}

#if PLAYOUT_FORGETS
static inline
#else /* at the end of each turn */
static FZ_ALWAYS
#endif
int64_t playout_repeated(playout *d, bool board_only, int64_t from_turn)
{
    const fzi_head *H = FERZ_HEAD(d->block);
    fzi_history *h = d->state->history;
    if (!h || !H->history)
        return 0;
    const fzi_turn_entry e = fzi_turn_entry_of(&constant.layout, FZ_W);
    const int to_move = PLAYOUT_OUT ? fzi_state_next_mover(playout_state(d)) : H->next_mover;
    const int64_t left_out = fzi_history_left_out(H, from_turn);
#if PLAYOUT_NOTES
    const playout_past *past = d->past;
    const uint8_t *own = d->block + constant.layout.own;
    if (past) {
        int64_t count = 0;
        unsigned passed = 0;
        uint32_t n = past->first[d->chain = playout_chain(own)];
        for (; n > left_out && passed < PLAYOUT_LONG_CHAIN; n = past->before[n - 1], passed++) {
            const uint8_t *entry = h->entries + (size_t)(n - 1) * e.size;
            if (fzi_load_word(entry) == fzi_load_word(own))
                count += board_only ? fzi_part_is(entry, own, e.board)
                                    : fzi_turn_entry_is(e, entry, d->block, to_move);
        }
        if (n <= left_out)
            return count;
    }
#endif
    return fzi_history_find(h, e, d->block, H->history, to_move, board_only, left_out);
}

/* ---- what wide boards keep ---- */
#if PLAYOUT_COUNTS
/* Numbers of 16 bits side by side, one for each word of a set. A set has no more than 1024 sites,
 * so the highest bit of each is free for comparisons. */
enum { PLAYOUT_LANES = 4 };
static const uint64_t playout_ones = UINT64_C(0x0001000100010001);
static const uint64_t playout_highs = UINT64_C(0x8000800080008000);

static FZ_ALWAYS uint32_t playout_empty_count(const playout *d)
{
    return (uint32_t)(d->counts.below[FZ_W / PLAYOUT_LANES - 1] >> 48);
}

/* The empty site with that number. */
static FZ_ALWAYS uint32_t playout_empty_site(playout *d, uint32_t index)
{
    playout_counts *c = &d->counts;
    uint64_t word = 0, lanes = 0, before = 0;
#pragma GCC unroll 4
    for (unsigned i = 0; i < FZ_W / PLAYOUT_LANES; i++) {
        uint64_t past = ((index * playout_ones | playout_highs) - c->below[i]) & playout_highs;
        uint64_t shifted = c->below[i] << 16 | before;
        lanes = i == 0 || index >= before ? shifted : lanes;
        word += (uint64_t)__builtin_popcountll(past);
        c->above[i] = (past ^ playout_highs) >> 15;
        before = c->below[i] >> 48;
    }
    if (word >= FZ_W)
        __builtin_unreachable();
    index -= (uint16_t)(lanes >> word % PLAYOUT_LANES * 16);
    c->drawn = word * 64 + fzi_bit_select(board_empty(&constant, d->block)->w[word], index);
    if (c->drawn >= constant.site_count)
        __builtin_unreachable();
    return (uint32_t)c->drawn;
}

static FZ_ALWAYS void playout_count_down(playout *d, uint64_t site)
{
    playout_counts *c = &d->counts;
#pragma GCC unroll 4
    for (unsigned i = 0; i < FZ_W / PLAYOUT_LANES; i++) {
        uint64_t word = site / 64, first = i * PLAYOUT_LANES;
        uint64_t above = word < first ? playout_ones
                         : word < first + PLAYOUT_LANES ? playout_ones << (word - first) * 16 : 0;
        c->below[i] -= site == c->drawn ? c->above[i] : above;
    }
}
#endif

#if PLAYOUT_LINES
static FZ_ALWAYS uint64_t playout_number_of(int64_t owner)
{
    return owner < 0 ? constant.player_count : (uint64_t)owner;
}

static FZ_ALWAYS uint64_t playout_whose(uint64_t site, int64_t owner)
{
    return site * (constant.player_count + UINT64_C(1)) + playout_number_of(owner);
}

/* As geo_run, for lines of at most 64 sites and an n that the compiler knows. */
static FZ_ALWAYS uint64_t playout_run(uint64_t bits, int64_t n)
{
    int64_t have = 1;
#pragma GCC unroll 6
    for (unsigned i = 0; i < 6; i++) {
        int64_t more = have < n - have ? have : n - have;
        bits &= bits >> more;
        have += more;
    }
    return bits;
}

/* The player's stones on the lines through a site, also a new one. */
static FZ_ALWAYS playout_through playout_look(const playout *d, uint64_t site, int64_t owner,
                                              bool adds)
{
    uint64_t *lines = d->lines[playout_number_of(owner)];
    playout_through through = {.whose = playout_whose(site, owner)};
#pragma GCC unroll 16
    for (unsigned a = 0; a < PLAYOUT_AXES; a++) {
        uint64_t line = lines[playout_sites[site].line[a]];
        if (adds)
            lines[playout_sites[site].line[a]] = line |= playout_sites[site].bit[a];
        through.lines[a * PLAYOUT_LINE_BITS / 64] |= line;
    }
    return through;
}

/* A row of n through the site. */
static FZ_ALWAYS bool playout_line_at(const playout *d, uint64_t site, int64_t owner, int64_t n)
{
    playout_through through = d->latest;
    uint64_t rows = 0;
    if (__builtin_expect(through.whose != playout_whose(site, owner), 0))
        through = playout_look(d, site, owner, false);
#pragma GCC unroll 16
    for (unsigned i = 0; i < sizeof through.lines / sizeof *through.lines; i++)
        rows |= playout_run(through.lines[i] & playout_sites[site].around[i], n);
    return rows != 0;
}

static void playout_drop_stone(playout *d, uint64_t site)
{
    for (unsigned player = 0; player <= constant.player_count; player++)
        for (unsigned a = 0; a < PLAYOUT_AXES; a++)
            d->lines[player][playout_sites[site].line[a]] &= ~playout_sites[site].bit[a];
}
#endif

#if PLAYOUT_REACHES
/* What is connected to a goal within some sites. They often grow, as a player's stones do. */
typedef struct playout_reach {
    const uint64_t *around;
    fzi_set goal, within, reached, near; /* near: the goal, and beside what is reached */
} playout_reach;

/* Is the goal reached from sites whose neighbours lead both ways? The same as flooding from there,
 * but only what is new within is walked. */
static FZ_ALWAYS bool playout_reaches(playout_reach *r, uint64_t dirs, fzi_set from, fzi_set within,
                                      fzi_set goal)
{
    const uint64_t *around = geo_around(program.topology, dirs);
    if (!around || set_some(set_sub(from, within)))
        return set_meets(geo_flood(program.topology, from, within, dirs), goal);
    if (r->around != around || !set_equal(r->goal, goal) ||
        set_some(set_sub(r->within, within)))
        *r = (playout_reach){.around = around, .goal = goal, .near = goal};
    fzi_set reached = r->reached, near = r->near, fresh = set_sub(set_and(near, within), reached);
    r->within = within;
    if (set_some(fresh)) {
        do {
            uint64_t site = (uint64_t)set_take(&fresh);
            fzi_set beside = set_at(around + site * FZ_W);
            set_add(&reached, site);
            near = set_or(near, beside);
            fresh = set_or(fresh, set_sub(set_and(beside, within), reached));
        } while (set_some(fresh));
        r->reached = reached;
        r->near = near;
    }
    return set_meets(from, reached);
}
#endif

/* Notes all of the board. */
static FZ_ALWAYS void playout_note(playout *d)
{
    (void)d;
#if PLAYOUT_NOTES
    playout_link_all(d);
#endif
#if PLAYOUT_COUNTS
    uint64_t sum = 0;
    d->counts.drawn = constant.site_count;
#pragma GCC unroll 16
    for (unsigned i = 0; i < FZ_W; i++) {
        sum += (uint64_t)__builtin_popcountll(board_empty(&constant, d->block)->w[i]);
        if (i % PLAYOUT_LANES == 0)
            d->counts.below[i / PLAYOUT_LANES] = 0;
        d->counts.below[i / PLAYOUT_LANES] |= sum << i % PLAYOUT_LANES * 16;
    }
#endif
#if PLAYOUT_LINES
    d->latest.whose = UINT64_MAX;
    memset(d->lines, 0, (constant.player_count + 1) * sizeof *d->lines);
    for (int64_t owner = -1; owner < constant.player_count; owner++)
        for (fzi_set left = *board_own(&constant, d->block, owner); set_some(left);)
            playout_look(d, (uint64_t)set_take(&left), owner, true);
#endif
}

/* Before a piece of the owner is put on the site. */
static FZ_ALWAYS void playout_put(playout *d, uint64_t site, int64_t owner)
{
    bool empty = set_has(board_empty(&constant, d->block), site);
    (void)empty, (void)owner;
#if PLAYOUT_COUNTS
    if (__builtin_expect(empty, 1))
        playout_count_down(d, site);
#endif
#if PLAYOUT_LINES
    if (__builtin_expect(!empty, 0))
        playout_drop_stone(d, site);
    d->latest = playout_look(d, site, owner, true);
#endif
}
