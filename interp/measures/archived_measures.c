/* Measures of stored games. See measures.h. */
#include "measures.h"

static void put(fzi_measures *m, unsigned measure, int64_t a, int64_t b)
{
    fzi_sum_add(&m->sums[measure], a, b);
}

static void put_list(fzi_measures *m, unsigned list, uint32_t element, int64_t a, int64_t b)
{
    fzi_sum_add(&m->lists[list][element], a, b);
}

/* Results of a game that `limit` stopped are not the game's own. */
void fzi_measures_add_result(fzi_measures *m, const fz_program *p, const int8_t *rank, int nature,
                             bool stopped)
{
    bool alone = fz_program_has_one_side(p) && nature == 1;
    int winner = fzi_rank_winner(p, rank, nature), d = fzi_utility_denominator(p);
    bool decided = winner >= 0 || (alone && rank[0] > 1);
    uint32_t pair = 0;

    put(m, FZ_MEASURE_COMPLETION, !stopped, 1);
    put(m, FZ_MEASURE_TIMEOUTS, stopped, 1);
    put(m, FZ_MEASURE_DECISIVENESS, !stopped && decided, 1);
    put(m, FZ_MEASURE_DRAWISHNESS, !decided, !stopped);
    for (unsigned i = 0; !stopped && i < p->player_count; i++) {
        int utility = fzi_rank_utility(p, rank, nature, (int)i);
        put_list(m, FZ_LIST_WINS, i, winner >= 0 && rank[i] == 1, 1);
        put_list(m, FZ_LIST_SEAT, i, utility, d);
        for (unsigned j = i + 1; j < p->player_count; j++)
            put_list(m, FZ_LIST_RIVALS, pair++,
                     d + utility - fzi_rank_utility(p, rank, nature, (int)j), 2 * d);
    }
}

void fzi_measures_add_use(fzi_measures *m, const fzi_lines *l, const uint32_t *line_steps,
                          const uint32_t *site_moves)
{
    int64_t steps = 0, moves = 0;

    for (uint32_t i = 0; i < l->count; i++)
        steps += line_steps[i];
    for (uint32_t s = 0; s < m->sites; s++)
        moves += site_moves[s];
    for (uint32_t i = 0; i < l->count; i++) {
        put_list(m, FZ_LIST_LINE_PAIR, i, line_steps[i], steps);
        for (uint32_t r = 0; r < FZ_REFLECTIONS; r++) {
            int32_t image = l->lines[i].image[r];
            if (image >= 0)
                put_list(m, FZ_LIST_LINE_DIFFERENCE, r * l->count + i,
                         (int64_t)line_steps[i] - line_steps[image], steps);
        }
    }
    for (uint32_t o = 0; o < l->orbits; o++) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < l->count; i++)
            sum += l->lines[i].orbit == o ? line_steps[i] : 0;
        put_list(m, FZ_LIST_LINE_MIRRORED, o, sum, steps);
    }
    for (uint32_t s = 0; s < m->sites; s++)
        put_list(m, FZ_LIST_SITE, s, site_moves[s], moves);
}

bool fzi_measures_add_row(fzi_measures *m, const fz_program *program, const fzi_lines *lines,
                          const fz_game_row *row, const uint32_t *line_steps,
                          const uint32_t *site_moves)
{
    if (!fzi_counts_add(&m->counts[FZ_COUNT_DECISIONS], m->allocator, row->plies, 1) ||
        !fzi_counts_add(&m->counts[FZ_COUNT_TURNS], m->allocator, row->turns, 1))
        return false;
    m->games++;
    put(m, FZ_MEASURE_DECISIONS, (int64_t)row->plies, 1);
    put(m, FZ_MEASURE_TURNS, (int64_t)row->turns, 1);
    if (row->legal_move_sum)
        put(m, FZ_MEASURE_BRANCHING, (int64_t)row->legal_move_sum, (int64_t)row->plies);
    fzi_measures_add_result(m, program, row->rank, row->nature, row->ending == FZ_ENDED_BY_LIMIT);
    if (line_steps)
        fzi_measures_add_use(m, lines, line_steps, site_moves);
    return true;
}
