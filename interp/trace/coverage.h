/* What of a script has run, and how often: counted by traced copies (trace.h) while games are
 * played. */
#ifndef FZ_INTERP_TRACE_COVERAGE_H
#define FZ_INTERP_TRACE_COVERAGE_H

#include "interp/ferz_tools.h"
#include "trace.h"

typedef struct fzi_cover {
    const fz_program *program;
    uint64_t *ran, *tried;      /* by instruction: for real, and while a move was only tried */
    uint64_t *offered, *played; /* by option: decisions in which it had candidates; moves taken */
    uint64_t *seen;             /* by option: the decision that was last counted */
    uint32_t *option_of;        /* by instruction: 1 + the option whose effect begins there */
    uint32_t *items_of;         /* by option: the first of its items in program.items */
    uint64_t *item_offered, *item_played, *item_seen; /* by item, as for options */
    fz_machine *asker;          /* evaluates the functions of items; NULL: there are none */
    bool lacks_memory;          /* some item could not be asked */
    uint64_t decisions;
    bool without_setup;         /* the games began at a position */
    uint64_t *block;            /* all of them */
} fzi_cover;

/* False: memory is short. */
bool fzi_cover_init(fzi_cover *cover, const fz_program *program);
void fzi_cover_clear(fzi_cover *cover);
void fzi_cover_add(fzi_cover *sum, const fzi_cover *part);
/* The hook of a tracer; `user` is the cover. */
void fzi_cover_note(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc);
/* The rules of the script with their counts. False: memory is or was short. */
bool fzi_cover_rules(const fzi_cover *cover, fz_coverage *coverage);

#endif
