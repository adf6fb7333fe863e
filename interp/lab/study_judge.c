/* The figures by which preferences and targets judge rulesets. See study.h. */
#include "study.h"

/* All came first, or nobody. */
static bool is_draw(const fz_program *p, const fz_game_row *row)
{
    unsigned players = (unsigned)fz_program_players(p), firsts = 0;
    bool lost = row->nature == 1 && row->rank[0] > 1;

    for (unsigned i = 0; i < players; i++)
        firsts += row->rank[i] == 1;
    return fzi_rank_winner(p, row->rank, row->nature) < 0 && !lost &&
           (!firsts || firsts == players);
}

void fzi_judge_game(fzi_judged *j, const fz_program *p, const fz_game_row *row)
{
    bool stopped = row->ending == FZ_ENDED_BY_LIMIT;
    int parts = fzi_utility_denominator(p);

    if (row->stream < j->from)
        return;
    fzi_sum_add(&j->length, (int64_t)row->plies, 1);
    fzi_sum_add(&j->stopped, stopped, 1);
    if (stopped)
        return;
    fzi_sum_add(&j->draws, is_draw(p, row), 1);
    for (unsigned i = 0; i < j->players; i++)
        fzi_sum_add(&j->seats[i], fzi_rank_utility(p, row->rank, row->nature, (int)i), parts);
}

/* Two players have opposite advantages, and a single one plays against nobody. */
static fzi_estimate seat_advantage(const fzi_judged *j)
{
    fzi_estimate most = {0, 0, 0};

    for (unsigned i = 0; i < (j->players > 2 ? j->players : 1); i++) {
        fzi_estimate e = fzi_sum_estimate(&j->seats[i], FZ_AS_PART);
        e = (fzi_estimate){e.value - 0.5, e.low - 0.5, e.high - 0.5};
        if (i == 0 || fabs(e.value) > fabs(most.value))
            most = e;
    }
    return most;
}

fzi_estimate fzi_judged_figure(const fzi_judged *j, enum fzi_study_figure figure)
{
    switch (figure) {
    case FZI_FIGURE_LENGTH: return fzi_sum_estimate(&j->length, FZ_AS_RATIO);
    case FZI_FIGURE_DRAWS: return fzi_sum_estimate(&j->draws, FZ_AS_SHARE);
    case FZI_FIGURE_STOPPED: return fzi_sum_estimate(&j->stopped, FZ_AS_SHARE);
    default: return seat_advantage(j);
    }
}
