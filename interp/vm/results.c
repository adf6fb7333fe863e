/* Ranks and payoffs. See results.h. */
#include "instructions.h"

#include <string.h>

#include "game.h"
#include "fault.h"

/* Ranks a game of one side. `others` is the rank of its opponent, which is no player. */
static void rank_nature(const fz_machine *m, fz_state *state, int others)
{
    if (m->one_side)
        fzi_head_of(state)->nature = (int8_t)others;
}

/* A byte for each player, as in the head. */
static void rank_side(const fz_machine *m, fz_state *state, int64_t player, unsigned rank,
                      unsigned others)
{
    const uint64_t each = UINT64_C(0x0101010101010101);
    uint64_t ranks[2];
    for (unsigned i = 0; i < 2; i++) {
        uint64_t side = m->side_bytes[player][i];
        ranks[i] = (side & each * rank) | (m->player_bytes[i] & ~side & each * others);
    }
    _Static_assert(sizeof ranks == sizeof fzi_head_of(state)->rank, "a byte for each player");
    memcpy(fzi_head_of(state)->rank, ranks, sizeof ranks);
    rank_nature(m, state, (int)others);
}

void fzi_result_win(fz_machine *m, fz_state *state, int64_t player)
{
    rank_side(m, state, player, 1, 2);
}

bool fzi_result_lose(fz_machine *m, fz_state *state, int64_t player)
{
    rank_side(m, state, player, 2, 1);
    return m->side_count <= 2;
}

void fzi_result_draw(fz_machine *m, fz_state *state)
{
    for (unsigned p = 0; p < m->player_count; p++)
        fzi_head_of(state)->rank[p] = 1;
    rank_nature(m, state, 1);
}

static void side_keys(const fz_machine *m, unsigned player, unsigned keys, int64_t *out)
{
    for (unsigned k = 0; k < keys; k++) {
        uint64_t sum = 0;
        for (unsigned p = 0; p < m->player_count; p++)
            if (m->sides[player] >> p & 1)
                sum += (uint64_t)m->rank_keys[p][k];
        out[k] = (int64_t)sum;
    }
}

static int compare_keys(const int64_t *a, const int64_t *b, unsigned keys)
{
    for (unsigned k = 0; k < keys; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

void fzi_result_rank(fz_machine *m, fz_state *state, unsigned keys)
{
    int64_t mine[FZ_MAX_KEYS], theirs[FZ_MAX_KEYS];
    if (!m->rank_keys_used)
        memset(m->rank_keys, 0, sizeof m->rank_keys);
    m->rank_keys_used = false;
    if (keys > FZ_MAX_KEYS)
        keys = FZ_MAX_KEYS;
    for (unsigned p = 0; p < m->player_count; p++) {
        int rank = 1;
        side_keys(m, p, keys, mine);
        for (unsigned q = 0; q < m->player_count; q++) {
            if (q != (unsigned)__builtin_ctzll(m->sides[q]) || m->sides[p] >> q & 1)
                continue; /* each other side once */
            side_keys(m, q, keys, theirs);
            rank += compare_keys(theirs, mine, keys) > 0;
        }
        fzi_head_of(state)->rank[p] = (int8_t)rank;
    }
    rank_nature(m, state, 1);
}

/* ---- payoffs ---- */

bool fz_program_has_payoffs(const fz_program *program)
{
    return program->payoff >= 0;
}

fz_status fz_state_payoff(fz_machine *m, const fz_state *state, int player, int64_t *value)
{
    const fz_program *p = m->program;
    int64_t arguments[] = {player, player}, unused; /* as `me`, and as the parameter */
    value = value ? value : &unused;
    *value = 0;
    fzi_machine_begin(m);
    if (!fzi_is_player(p, player))
        return fzi_machine_say(m, FZ_USAGE, "there is no player %d", player);
    if (p->payoff < 0 || fz_state_waiting(state) != FZ_GAME_OVER)
        return fzi_machine_say(m, FZ_USAGE, p->payoff < 0 ? "the game has no payoffs"
                                                          : "the game is not over");
    const fz_function *f = &p->functions[p->payoff];
    return fzi_state_call(m, state, (uint32_t)p->payoff, arguments, f->int_params, value, NULL);
}
