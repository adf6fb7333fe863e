/* Reconstruction: which rulesets of a study are plausible after its evidence. docs/reconstruct.md
 * has the model. reconstruct_model.c computes, reconstruct.c makes the tables. */
#ifndef FZ_INTERP_LAB_RECONSTRUCT_H
#define FZ_INTERP_LAB_RECONSTRUCT_H

#include "study.h"

/* The logarithms of the shares of the lines of a board. A line of no use counts as half of the
 * least used one, with a variance of 1. */
typedef struct fzi_profile {
    double *logs, *variances;
    double *chance;             /* further variances: those of so many games */
    double freedom;             /* degrees of freedom with which these are known */
    bool used;                  /* false: there were no steps, and nothing is known */
} fzi_profile;

/* A cell: a ruleset as some agents play it. */
typedef struct fzi_hypothesis {
    const fzi_study_cell *cell;
    size_t ruleset, lineup;     /* numbers */
    double quality;             /* the logarithm of the weight that the preferences give it */
    fzi_profile use, half;      /* of all games, and of half of them */
} fzi_hypothesis;

enum { FZI_MOST_ERRORS = 9 };

typedef struct fzi_reconstruction {
    const fz_study *study;
    fzi_hypothesis *hypotheses;
    size_t count;
    const fzi_hypothesis **rulesets; /* the first hypothesis of each */
    const char **lineups;
    size_t ruleset_count, lineup_count;
    size_t **has;               /* for each prior: which of its values each ruleset has */
    double *prior;              /* of each ruleset */
    double errors[FZI_MOST_ERRORS]; /* of the wear, equally probable */
    unsigned error_count;
    uint32_t lines;             /* at most, of a board */
    double *room;               /* five numbers for each line */
} fzi_reconstruction;

/* The wear of a board that has the lines of a cell. */
typedef struct fzi_evidence_wear {
    const fzi_study_cell *lines; /* NULL: there is no wear */
    fzi_profile profile;
} fzi_evidence_wear;

/* What is left out of the model, or changed in it. */
typedef struct fzi_reconstruct_how {
    const double *prior;        /* of each ruleset */
    double error;               /* the errors are multiplied by it */
    double worn_by;             /* so many games wore the lines; INFINITY: very many */
    const char *lineup;         /* only these agents play; NULL: all, equally probable */
    bool preferred;             /* the preferences count */
    bool half;                  /* the use by half of the games */
} fzi_reconstruct_how;

/* Makes hypotheses, priors and qualities. The study was played. */
fz_status fzi_reconstruct_begin(fzi_reconstruction *x, const fz_study *study);
/* Was it interrupted, or has its time ended? */
bool fzi_reconstruct_stopped(const fzi_reconstruction *x);
/* The value that an option has in a ruleset, of the arena; NULL: its game has no such option. */
const char *fzi_ruleset_value(const fzi_reconstruction *x, size_t ruleset, const char *option);
/* The probability of each ruleset by all priors of the study but number `without`. Among rulesets
 * that differ in nothing with a prior, it is equal. */
fz_status fzi_reconstruct_prior(const fzi_reconstruction *x, size_t without, double *prior);
/* Sets the profile to the use of the lines by these groups of games. */
void fzi_profile_fill(const fzi_reconstruction *x, const fzi_study_cell *cell,
                      const unsigned *groups, unsigned count, fzi_profile *profile);
/* The deviation that the logarithm of a line's use has by chance: over lines and cells. */
double fzi_reconstruct_chance(const fzi_reconstruction *x);
/* Makes a profile of wear: shares of the lines. */
fzi_profile fzi_profile_of_wear(const fz_study *study, const double *wear, uint32_t lines);
/* The same in a profile that has room. */
void fzi_profile_wear(fzi_profile *profile, const double *wear, uint32_t lines);
/* The probability of each hypothesis after the wear. False: none is possible, or it was stopped. */
bool fzi_reconstruct(fzi_reconstruction *x, const fzi_reconstruct_how *how,
                     const fzi_evidence_wear *wear, double *posterior);

#endif
