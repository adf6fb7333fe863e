/* A solved game with the values of what may follow first. */
#ifndef FZ_INTERP_SOLVE_SOLUTION_H
#define FZ_INTERP_SOLVE_SOLUTION_H

#include "hidden_game.h"
#include "position_graph.h"

/* A move or a result of chance at the beginning, and what it leads to. */
typedef struct fzi_solved_way {
    char *text;
    double probability, low, high;
    uint32_t steps;
    bool best;
    char *answer;             /* after a result of chance, the best move; NULL */
} fzi_solved_way;

typedef struct fzi_solution {
    fzi_graph graph;
    fzi_values values;
    fzi_solved_way *ways;
    size_t count;
    bool chance;              /* the ways are results of chance */
} fzi_solution;

/* A game that hides nothing. Clear the solution, which begins as 0, in any case. Statuses as of
 * fzi_graph_make. */
fz_status fzi_solution_make(fzi_solution *solution, const fzi_graph_task *task, double precision);
void fzi_solution_clear(fzi_solution *solution);

/* Learns until a best answer gains at most `precision`. What it gains; negative: memory is
 * short. */
double fzi_hidden_solve(fzi_hidden *hidden, double precision, const fz_watch *watch);

#endif
