/* What tests of games share: a context, and a game that is compiled in it. */
#ifndef FZ_TESTS_UNIT_RIG_H
#define FZ_TESTS_UNIT_RIG_H

#include <string.h>

#include "ferz.h"

typedef struct rig {
    fz_context *context;
    fz_program *program;
    fz_machine *machine;
    fz_state *state;         /* at the beginning */
} rig;

/* A context that finds the standard library of the sources. */
static inline fz_context *rig_context(void)
{
    static const char *const dirs[] = {FZ_SOURCE_STDLIB_DIR, NULL};
    const fz_config config = {.module_dirs = dirs};

    return fz_context_new(&config);
}

/* A game of this text, called small.game; NULL, and the errors are printed. */
static inline fz_program *compiled_with(fz_context *context, const char *text,
                                        const fz_setting *settings, size_t count)
{
    fz_program *program = NULL;
    fz_report *report = NULL;

    if (fz_compile(context, "small.game", text, strlen(text), settings, count, &program, &report) !=
        FZ_OK)
        print_error("%s", report ? fz_report_text(report, FZ_TEXT) : fz_context_message(context));
    fz_report_free(report);
    return program;
}

static inline fz_program *compiled(fz_context *context, const char *text)
{
    return compiled_with(context, text, NULL, 0);
}

/* For the set-up of a group of tests: 0 if all went well. */
static inline int rig_open(rig *r, const char *text, const fz_setting *settings, size_t count)
{
    r->context = rig_context();
    r->program = compiled_with(r->context, text, settings, count);
    r->machine = r->program ? fz_machine_new(r->program, NULL) : NULL;
    r->state = r->machine ? fz_state_new(r->machine, 1, 0) : NULL;
    return r->state ? 0 : -1;
}

static inline void rig_clear(rig *r)
{
    fz_state_free(r->state);
    fz_machine_free(r->machine);
    fz_program_release(r->program);
    fz_context_free(r->context);
}

/* The end of a group of tests that were given a rig. */
static inline int rig_close(void **given)
{
    rig_clear(*given);
    return 0;
}

#endif
