/* Two games played side by side until their legal moves or results differ. */
#ifndef FZ_INTERP_CHECKS_GAME_DIFF_H
#define FZ_INTERP_CHECKS_GAME_DIFF_H

#include "interp/cli/session.h"

typedef struct fzi_behaviour {
    bool differs;
    bool is_shortest;    /* no shorter line of play shows a difference */
    char *why;           /* "the legal moves differ"; to be freed, as the others are */
    char *each[2];       /* what each of the games does instead; NULL: `only` says it */
    char *record;        /* of the moves before the difference, from the first game; NULL */
    char *moves;         /* these moves, separated by commas */
    size_t plies;        /* how many they are, chance included */
    char **only[2];      /* moves, or results of chance, that one of the games alone has */
    size_t only_count[2];
    size_t positions;    /* pairs that were compared */
    unsigned depth;      /* to which all lines of play were compared */
    bool is_whole;       /* there are no longer ones */
    uint64_t games;      /* random ones that were played after that */
    bool is_cut;         /* a bound of memory or work ended the search before `depth` */
    bool is_stopped;     /* by the user */
} fzi_behaviour;

/* Compares the games of two open sessions, which get machines: all lines of play of up to `depth`
 * moves, as far as the bounds allow, then `games` random ones. An exit code: FZ_EXIT_OK unless
 * memory is short or a set-up fails. Clear the result in any case. */
int fzi_behaviour_compare(fzi_session *one, fzi_session *other, unsigned depth, uint64_t games,
                          fzi_behaviour *found);
void fzi_behaviour_clear(fzi_behaviour *found);

#endif
