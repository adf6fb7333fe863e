/* A match of agents in one or several rulesets: what is played, and how `ferz match` prints it. */
#ifndef FZ_CLI_MATCH_TABLES_H
#define FZ_CLI_MATCH_TABLES_H

#include "cli.h"

enum { FZI_MAX_RULESETS = 16, FZI_MAX_PAIRINGS = FZ_MAX_RATED * (FZ_MAX_RATED - 1) / 2 };

/* Two of the agents. */
typedef struct fzi_pairing {
    const fzi_lineup *lineup;
    unsigned agents[2];
    const unsigned *side_of;
    fzi_match_result result;
} fzi_pairing;

typedef struct fzi_match_arena { /* one ruleset */
    fzi_ruleset rules;
    fzi_lineup lineup;
    unsigned side_of[16];
    json_t *run;            /* fzi_experiment_trace of the longest pairing */
    fzi_pairing pairings[FZI_MAX_PAIRINGS];
    unsigned count;
} fzi_match_arena;

typedef struct fzi_match_event {
    const fzi_cli *cli;
    fzi_sprt sprt;
    bool tests;             /* --sprt */
    fzi_match_arena *arenas[FZI_MAX_RULESETS];
    unsigned count;
} fzi_match_event;

static inline const char *fzi_pairing_agent(const fzi_pairing *p, unsigned which)
{
    return p->lineup->descriptions[p->agents[which]];
}

/* In the format of the command line; an exit code. */
int fzi_match_print(const fzi_match_event *event);

#endif
