#include "agent.h"

#include <math.h>

#include "interp/board/topology.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

enum {
    GAMES = 24,
    DECISIONS = 80,        /* looked at in one game */
    MOVES = 400            /* looked at in one decision */
};

typedef struct survey {
    double moves[256], pieces[256]; /* of the decider, by kind */
    double material_kinds[256], positions;
} survey;

static void count_pieces(const fz_state *state, int player, double *counts)
{
    const fz_program *p = state->program;

    for (unsigned site = 0; site < p->board.site_count; site++) {
        int kind, owner;
        fz_state_piece(state, (int)site, &kind, &owner);
        if (kind >= 0 && owner >= 0 && (player < 0 || owner == player))
            counts[kind]++;
    }
}

static void count_moves(fz_agent *agent, const fz_state *state, const fzi_move_list *list,
                        survey *s)
{
    uint32_t step = 1 + list->total / MOVES;

    for (uint32_t i = 0; i < list->total; i += step) {
        fz_move move = fzi_agent_move_at(agent, list, i);
        int from, to, kind, owner;
        fz_move_sites(agent->machine, state, &move, &from, &to);
        if (from < 0)
            continue;
        fz_state_piece(state, from, &kind, &owner);
        if (kind >= 0)
            s->moves[kind] += step;
    }
}

/* A team plays for the mean of its players' payoffs. */
static double payoff_utility(fz_agent *agent, fzi_evaluation *e, const fz_state *state, int player)
{
    const fz_program *program = agent->program;
    double sum = 0, mean;
    int count = 0;

    for (int p = 0; p < (int)program->player_count; p++) {
        int64_t payoff;
        if (!fzi_same_side(program, (unsigned)p, (unsigned)player))
            continue;
        if (fz_state_payoff(agent->machine, state, p, &payoff) != FZ_OK)
            return 0.5;
        sum += (double)payoff;
        count++;
    }
    mean = sum / count;
    e->low = fmin(e->low, mean);
    e->high = fmax(e->high, mean);
    return e->high > e->low ? (mean - e->low) / (e->high - e->low) : 0.5;
}

/* One random game; a game that fails is left where it fails. */
static fz_status survey_game(fz_agent *agent, uint64_t stream, fzi_evaluation *e, survey *s)
{
    fz_state *state = agent->scratch;
    fzi_move_list *list = &agent->moves->list;
    fz_status status;

    fzi_machine_begin(agent->machine);
    fzi_state_reset(state, fzi_chance_key(UINT64_C(0xe7a1), stream), 0);
    status = fzi_state_go(agent->machine, state, 0);
    for (unsigned i = 0; status == FZ_OK && i < DECISIONS; i++) {
        if (fzi_head_of(state)->waiting == FZ_GAME_OVER)
            break;
        status = fzi_agent_list(agent, state, list);
        if (status != FZ_OK)
            break;
        count_pieces(state, fzi_head_of(state)->decider, s->pieces);
        count_pieces(state, -1, s->material_kinds);
        s->positions++;
        count_moves(agent, state, list, s);
        status = fzi_agent_play_on(agent, state, 1);
    }
    if (status == FZ_OK && fz_program_has_payoffs(agent->program))
        status = fzi_agent_play_on(agent, state, UINT64_MAX);
    for (int p = 0; status == FZ_OK && p < (int)agent->program->player_count; p++)
        if (fz_program_has_payoffs(agent->program))
            payoff_utility(agent, e, state, p);
    return status == FZ_NO_MEMORY ? status : FZ_OK;
}

fz_status fzi_evaluation_make(fz_agent *agent, fzi_evaluation *e)
{
    survey s = {0};
    double pieces = 0, value = 0;

    *e = (fzi_evaluation){.low = INFINITY, .high = -INFINITY};
    for (uint64_t game = 0; game < GAMES; game++) {
        fz_status status = survey_game(agent, game, e, &s);
        if (status != FZ_OK)
            return status;
    }
    for (unsigned k = 0; k < 256; k++) {
        /* A quarter of a move more: a piece that cannot move is in the way, at least. */
        e->kinds[k] = 0.25 + (s.pieces[k] > 0 ? s.moves[k] / s.pieces[k] : 0);
        pieces += s.material_kinds[k];
        value += s.material_kinds[k] * e->kinds[k];
    }
    e->first_low = e->low;
    e->first_high = e->high;
    e->learned = agent->learned;
    e->unit = e->learned ? 1 : pieces > 0 ? value / pieces : 1;
    e->total = s.positions > 0 && value > 0 ? value / s.positions : 1;
    return FZ_OK;
}

void fzi_evaluation_begin(fzi_evaluation *e)
{
    e->low = e->first_low;
    e->high = e->first_high;
}

/* The bits of a word, without an instruction that not all processors have. */
static unsigned bits_of(uint64_t word)
{
    return (unsigned)(fzi_byte_counts(word) * UINT64_C(0x0101010101010101) >> 56);
}

/* The worth of an owner's pieces; of stacks, their tops count. Without sets of kinds there is one
 * kind, or the kinds stand by site. */
static double worth(const fzi_evaluation *e, const fz_state *state, unsigned owner)
{
    const fz_program *p = state->program;
    const fz_layout *l = state->layout;
    unsigned w = p->board.words, kinds = l->kinds ? p->kind_count : 1;
    const uint64_t *own = fzi_sets_at(state, l->own) + owner * w;
    const uint64_t *of_kind = l->kinds ? fzi_sets_at(state, l->kinds) : own;
    double sum = 0;

    for (unsigned k = 0; k < kinds && (l->kinds || !l->at); k++, of_kind += w) {
        unsigned count = 0;
        for (unsigned i = 0; i < w; i++)
            count += bits_of(own[i] & of_kind[i]);
        sum += count * e->kinds[k];
    }
    for (unsigned i = 0; i < w && !l->kinds && l->at; i++)
        for (uint64_t left = own[i]; left; left &= left - 1) {
            int kind, unused;
            fz_state_piece(state, (int)(64 * i) + __builtin_ctzll(left), &kind, &unused);
            sum += kind >= 0 ? e->kinds[kind] : 0;
        }
    return sum;
}

void fzi_evaluation_count(const fzi_evaluation *e, const fz_state *state, int player, double *own,
                          double *others)
{
    const fz_program *p = state->program;

    *own = *others = 0;
    for (unsigned owner = 0; owner < p->player_count; owner++)
        *(fzi_same_side(p, owner, (unsigned)player) ? own : others) += worth(e, state, owner);
}

double fzi_evaluation_material(const fzi_evaluation *e, const fz_state *state, int player)
{
    unsigned side_of[FZ_MAX_PLAYERS], enemies = fzi_sides(state->program, side_of) - 1;
    double own, others;

    if (e->learned)
        return fzi_learned_odds(e->learned, state, player);
    fzi_evaluation_count(e, state, player, &own, &others);
    return own - (enemies ? others / enemies : 0);
}

double fzi_evaluation_utility(fz_agent *agent, fzi_evaluation *e, const fz_state *state, int player)
{
    if (fzi_head_of(state)->waiting != FZ_GAME_OVER && e->learned)
        return fzi_probability_of(fzi_learned_odds(e->learned, state, player));
    if (fzi_head_of(state)->waiting != FZ_GAME_OVER)
        /* Half of all material more than the others is nearly won. */
        return 0.5 + 0.5 * tanh(4 * fzi_evaluation_material(e, state, player) / e->total);
    if (fz_program_has_payoffs(agent->program))
        return payoff_utility(agent, e, state, player);
    return fz_state_utility(state, player);
}
