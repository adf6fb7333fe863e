/* Measures of one game. See measures.h. */
#include "measures.h"

#include <math.h>

#include "interp/support/chance.h"

/* ---- making one ---- */

bool fzi_measured_init(fzi_measured_game *g, fz_machine *machine, const fz_state *from,
                       const fzi_lines *lines, fzi_measures *measures, unsigned rollouts)
{
    const fz_program *p = machine->program;
    fzi_allocator a = measures->allocator;

    *g = (fzi_measured_game){.program = p, .lines = lines, .measures = measures, .allocator = a,
                             .rollouts = rollouts};
    g->before_turns = from && fz_state_turns(from) ? fz_state_turns(from) - 1 : 0;
    g->moves = fz_moves_new(machine);
    g->before = fzi_state_make(p);
    g->scratch = fzi_state_make(p);
    g->line_steps = fzi_allocate_zeroed(a, 2 * lines->count * sizeof *g->line_steps);
    g->both_ways = fzi_allocate_zeroed(a, lines->count * sizeof *g->both_ways);
    g->site_moves = fzi_allocate_zeroed(a, p->board.site_count * sizeof *g->site_moves);
    if (rollouts)
        g->turn_prospects = fzi_allocate_zeroed(a, FZ_MEASURED_TURNS * p->player_count *
                                             sizeof *g->turn_prospects);
    if (rollouts && !g->turn_prospects)
        return false;
    if (!g->moves || !g->before || !g->scratch || !g->line_steps || !g->both_ways ||
        !g->site_moves)
        return false;
    fzi_state_forget(g->before);
    fzi_state_forget(g->scratch);
    g->position = fzi_allocate_zeroed(a, fzi_position_size(g->before) + p->board.site_count);
    return g->position;
}

void fzi_measured_clear(fzi_measured_game *g)
{
    fz_moves_free(g->moves);
    fz_state_free(g->before);
    fz_state_free(g->scratch);
    FZI_RELEASE(g->allocator, g->line_steps, g->both_ways, g->site_moves, g->turn_prospects,
                g->branching.of);
    fzi_keys_clear(&g->seen, g->allocator);
    fzi_release(g->allocator, g->position);
}

static void start(fzi_measured_game *g)
{
    memset(g->line_steps, 0, 2 * g->lines->count * sizeof *g->line_steps);
    memset(g->site_moves, 0, g->program->board.site_count * sizeof *g->site_moves);
    if (g->branching.of)
        memset(g->branching.of, 0, (g->most_legal + 1) * sizeof *g->branching.of);
    fzi_keys_forget(&g->seen);
    memset(&g->counter, 0, sizeof *g - offsetof(fzi_measured_game, counter));
    g->leader = -1;
}

/* ---- positions ---- */

static uint64_t hash_position(fzi_measured_game *g, const fz_state *state)
{
    const fz_layout *l = state->layout;
    size_t size = fzi_position_size(state);

    fzi_position_bytes(state, g->position, fzi_head_of(state)->mover);
    if (l->at && !l->kinds) { /* no sets tell the kinds */
        memcpy(g->position + size, state->block + l->at, g->program->board.site_count);
        size += g->program->board.site_count;
    }
    return fzi_chance_mix(fzi_bytes_hash(g->position, size)) | 1; /* never 0 */
}

/* A turn begins. False: memory is short. */
static bool note_position(fzi_measured_game *g, const fz_state *state)
{
    uint64_t hash = hash_position(g, state);
    fzi_position_key key = {hash >> 8, hash};
    size_t memory = 0;

    g->turns++;
    fzi_sketch_add(g->measures->sketch, fzi_chance_mix(hash));
    if (fzi_keys_find(&g->seen, key) == UINT32_MAX)
        return fzi_keys_add(&g->seen, key, g->allocator, &memory, SIZE_MAX) == FZ_OK;
    g->repeated++;
    return true;
}

/* Notes the current contents of the sites. */
static void note_contents(fzi_measured_game *g, const fz_state *state)
{
    const fz_program *p = g->program;
    uint64_t pieces = 0;

    for (unsigned site = 0; site < p->board.site_count; site++) {
        fzi_contents *c = &g->measures->contents[site];
        unsigned height = fz_state_height(state, (int)site), code = 0;
        int kind, owner;
        fz_state_piece(state, (int)site, &kind, &owner);
        if (kind >= 0) {
            code = 1 + (unsigned)kind * (p->player_count + 1) + (unsigned)(owner + 1);
            c->heights |= UINT64_C(1) << (height < 64 ? height - 1 : 63);
            g->occupied[site / 64] |= UINT64_C(1) << site % 64;
        }
        c->tops[code / 64 % 4] |= UINT64_C(1) << code % 64;
        pieces += height;
    }
    if (pieces > g->most_pieces)
        g->most_pieces = pieces;
}

/* ---- prospects ---- */

/* The best of the sides that the player is not on; the player's own if there is none. */
static int64_t best_other(const fzi_measured_game *g, unsigned player, const int64_t *prospects)
{
    int64_t best = INT64_MIN;

    for (unsigned q = 0; q < g->program->player_count; q++)
        if (!fzi_same_side(g->program, player, q) && prospects[q] > best)
            best = prospects[q];
    return best == INT64_MIN ? prospects[player] : best;
}

/* Twice the standard error that the lead can have at most: a lead that is smaller is none. */
static bool is_clear(const fzi_measured_game *g, int64_t lead)
{
    int64_t d = fzi_utility_denominator(g->program);

    return lead > 0 && lead * lead > 4 * d * d * (int64_t)g->rollouts;
}

static void compare_prospects(fzi_measured_game *g, const int64_t *now)
{
    const fz_program *p = g->program;
    int64_t most = 0;

    for (unsigned i = 0; i < p->player_count; i++) {
        int64_t behind = best_other(g, i, now) - now[i];
        int64_t change = now[i] - g->prospects[i];
        change = change < 0 ? -change : change;
        most = change > most ? change : most;
        if (behind > 0) {
            g->behind[i] += (uint64_t)behind;
            if ((uint64_t)behind > g->most_behind[i])
                g->most_behind[i] = (uint64_t)behind;
        }
        if (is_clear(g, -behind) && (g->leader < 0 || !fzi_same_side(p, i, (unsigned)g->leader))) {
            g->lead_changes += g->leader >= 0;
            g->leader = (int)i;
        }
    }
    if (g->estimates)
        g->change += (uint64_t)most;
    g->estimates++;
    memcpy(g->prospects, now, sizeof g->prospects);
}

static void note_prospects(fzi_measured_game *g, uint32_t turn, const int64_t *now)
{
    unsigned players = g->program->player_count;
    int64_t lead = 0;

    if (!turn || turn > FZ_MEASURED_TURNS)
        return;
    for (unsigned i = 0; i < players; i++) {
        int64_t ahead = now[i] - best_other(g, i, now);
        lead = ahead > lead ? ahead : lead;
    }
    g->turn_lead[turn - 1] = lead;
    memcpy(g->turn_prospects + (turn - 1) * players, now, players * sizeof *now);
    g->has_prospects[turn - 1] = true;
}

static fz_status estimate(fzi_measured_game *g, fz_machine *m, const fz_state *state)
{
    int64_t sums[FZ_MAX_PLAYERS] = {0};

    for (unsigned i = 0; i < g->rollouts; i++) {
        if (fzi_cancelled(m->limits.cancel))
            return FZ_USAGE;
        if (!fzi_state_copy(g->scratch, state))
            return fzi_machine_no_memory(m);
        fzi_head_of(g->scratch)->key = g->key;
        fzi_head_of(g->scratch)->counter = g->counter;
        fzi_machine_begin(m);
        fz_status status = fzi_state_go(m, g->scratch, m->limits.playout);
        if (status != FZ_OK)
            return status;
        if (fzi_head_of(g->scratch)->waiting != FZ_GAME_OVER)
            return fzi_machine_say(m, FZ_RUNTIME, "more than %u decisions in one playout",
                                   m->limits.playout);
        g->counter = fzi_head_of(g->scratch)->counter;
        for (unsigned p = 0; p < g->program->player_count; p++)
            sums[p] += fzi_state_utility(g->scratch, (int)p);
    }
    note_prospects(g, fz_state_turns(state), sums);
    compare_prospects(g, sums);
    return FZ_OK;
}

/* ---- decisions ---- */

/* Along which lines a piece goes. */
static void note_way(fzi_measured_game *g, int from, int to)
{
    uint32_t steps[FZ_MAX_SITES];
    unsigned count = fzi_lines_between(g->lines, from, to, steps);
    int64_t distance = fzi_distance(g->lines->topology, from, to);

    g->moved++;
    g->distance += distance > 0 ? (uint64_t)distance : 0;
    g->off_line += count == 0;
    g->steps += count;
    for (unsigned i = 0; i < count; i++)
        g->line_steps[steps[i]]++;
}

static void note_move(fzi_measured_game *g, fz_machine *m, const fz_state *before,
                      const fz_move *move)
{
    int from, to;

    if (fzi_note_visit(m, before, move, g->site_moves, &from, &to))
        note_way(g, from, to);
}

static uint64_t units(double value)
{
    return (uint64_t)llround(value * FZ_MEASURE_UNIT);
}

static bool note_choice(fzi_measured_game *g, const fz_state *before, uint64_t legal)
{
    uint32_t turn = fz_state_turns(before);

    g->decisions++;
    g->legal += legal;
    g->forced += legal == 1;
    g->entropy += units(log2((double)legal));
    g->tree += units(log10((double)legal));
    g->most_legal = legal > g->most_legal ? legal : g->most_legal;
    if (turn && turn <= FZ_MEASURED_TURNS) {
        g->turn_legal[turn - 1] += legal;
        g->turn_decisions[turn - 1]++;
    }
    return fzi_counts_add(&g->branching, g->allocator, legal, 1);
}

static bool watch_begin(void *user, fz_machine *m, const fz_state *state)
{
    fzi_measured_game *g = user;

    (void)m;
    start(g);
    note_contents(g, state);
    return true;
}

static fz_status watch_decision(void *user, fz_machine *m, const fz_state *before,
                                const fz_move *move, const fz_state *after)
{
    fzi_measured_game *g = user;
    fz_status status = fz_state_moves(m, before, g->moves);

    if (status != FZ_OK)
        return status;
    if (!note_choice(g, before, fz_moves_count(g->moves)))
        return fzi_machine_no_memory(m);
    if (fz_state_at_turn_start(before)) {
        if (!note_position(g, before))
            return fzi_machine_no_memory(m);
        if (g->rollouts)
            status = estimate(g, m, before);
    }
    if (status != FZ_OK)
        return status;
    note_move(g, m, before, move);
    note_contents(g, after);
    return FZ_OK;
}

fzi_watcher fzi_measured_watcher(fzi_measured_game *g, uint64_t key)
{
    g->key = key;
    return (fzi_watcher){watch_begin, watch_decision, g, g->before};
}

/* ---- the game is over ---- */

static void put(fzi_measured_game *g, unsigned measure, uint64_t a, uint64_t b)
{
    fzi_sum_add(&g->measures->sums[measure], (int64_t)a, (int64_t)b);
}

static void put_list(fzi_measured_game *g, unsigned list, uint32_t element, int64_t a, int64_t b)
{
    fzi_sum_add(&g->measures->lists[list][element], a, b);
}

static void add_result(fzi_measured_game *g, const fz_state *over)
{
    const fz_program *p = g->program;
    const fzi_head *head = fzi_head_of(over);
    bool stopped = fz_state_stopped(over);
    int winner = fzi_state_winner(over), d = fzi_utility_denominator(p);

    fzi_measures_add_result(g->measures, p, head->rank, head->nature, stopped);
    if (!g->rollouts || !g->estimates)
        return;
    uint64_t whole = (uint64_t)d * g->rollouts; /* the prospects of a sure winner */
    for (uint32_t t = 0; t < FZ_MEASURED_TURNS; t++) {
        if (!g->has_prospects[t])
            continue;
        put_list(g, FZ_LIST_TURN_LEAD, t, g->turn_lead[t], (int64_t)whole);
        for (unsigned i = 0; i < p->player_count; i++)
            put_list(g, FZ_LIST_TURN_PROSPECT, i * FZ_MEASURED_TURNS + t,
                     g->turn_prospects[t * p->player_count + i], (int64_t)whole);
    }
    put(g, FZ_MEASURE_LEAD_CHANGES, g->lead_changes, 1);
    put(g, FZ_MEASURE_STABILITY, g->change, (g->estimates - 1) * whole);
    if (stopped || winner < 0)
        return;
    put(g, FZ_MEASURE_DRAMA, g->behind[winner], g->estimates * whole);
    put(g, FZ_MEASURE_DRAMA_MOST, g->most_behind[winner], whole);
}

static void add_lines(fzi_measured_game *g)
{
    for (uint32_t i = 0; i < g->lines->count; i++) {
        g->both_ways[i] = g->line_steps[2 * i] + g->line_steps[2 * i + 1];
        put_list(g, FZ_LIST_LINE, 2 * i, g->line_steps[2 * i], (int64_t)g->steps);
        put_list(g, FZ_LIST_LINE, 2 * i + 1, g->line_steps[2 * i + 1], (int64_t)g->steps);
    }
    fzi_measures_add_use(g->measures, g->lines, g->both_ways, g->site_moves);
}

static uint64_t count_pieces(const fz_state *state)
{
    uint64_t pieces = 0;

    for (int s = 0; s < state->program->board.site_count; s++)
        pieces += fz_state_height(state, s);
    return pieces;
}

bool fzi_measured_add(fzi_measured_game *g, const fz_state *over)
{
    fzi_measures *m = g->measures;
    uint64_t covered = 0, turns = fz_state_turns(over) - g->before_turns;

    for (unsigned w = 0; w < FZ_MAX_WORDS; w++)
        covered += (uint64_t)__builtin_popcountll(g->occupied[w]);
    for (uint64_t n = 0; n <= g->most_legal && g->decisions; n++)
        if (g->branching.of[n] && !fzi_counts_add(&m->counts[FZ_COUNT_BRANCHING], m->allocator, n,
                                                  g->branching.of[n]))
            return false;
    if (!fzi_counts_add(&m->counts[FZ_COUNT_DECISIONS], m->allocator, g->decisions, 1) ||
        !fzi_counts_add(&m->counts[FZ_COUNT_TURNS], m->allocator, turns, 1))
        return false;
    m->games++;
    put(g, FZ_MEASURE_DECISIONS, g->decisions, 1);
    put(g, FZ_MEASURE_TURNS, turns, 1);
    put(g, FZ_MEASURE_BRANCHING, g->legal, g->decisions);
    put(g, FZ_MEASURE_FORCED, g->forced, g->decisions);
    put(g, FZ_MEASURE_ENTROPY, g->entropy, g->decisions);
    put(g, FZ_MEASURE_TREE, g->tree, 1);
    put(g, FZ_MEASURE_COVERAGE, covered, g->most_pieces ? g->program->board.site_count : 0);
    put(g, FZ_MEASURE_SURVIVAL, count_pieces(over), g->most_pieces);
    put(g, FZ_MEASURE_DISTANCE, g->distance, g->moved);
    put(g, FZ_MEASURE_OFF_LINE, g->off_line, g->moved);
    put(g, FZ_MEASURE_REPETITION, g->repeated, g->turns);
    for (uint32_t t = 0; t < FZ_MEASURED_TURNS; t++)
        put_list(g, FZ_LIST_TURN_BRANCHING, t, (int64_t)g->turn_legal[t],
                 (int64_t)g->turn_decisions[t]);
    add_lines(g);
    add_result(g, over);
    return true;
}
