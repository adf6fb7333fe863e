/* A game that is ready to be played many times. Archives, measures, studies and agents take it from
 * the command line's session, from the public functions, or make it themselves. */
#ifndef FZ_INTERP_LAB_SETUP_H
#define FZ_INTERP_LAB_SETUP_H

#include "ferz.h"
#include "ferz_tools.h"

typedef struct fzi_setup {
    fz_context *context;      /* has the message of what failed */
    const char *path;         /* of the script, as records and archives name it */
    fz_program *program;
    fz_machine *machine;
    fz_state *state;          /* the beginning; `options.from` is this state or NULL */
    fz_run_options options;
} fzi_setup;

/* Compiles the script at setup->path with the settings of the options. On failure `*report`, which
 * may be NULL, gets the diagnostics, and the message is "PATH: the script has errors". */
fz_status fzi_setup_compile(fzi_setup *setup, fz_report **report);
/* Makes the machine, which asks for chance, and the state: at the beginning or, not NULL, at the
 * position of the text. */
fz_status fzi_setup_begin(fzi_setup *setup, const char *position);
/* For a program of the caller: retains it, takes its path unless the options have one, begins. */
fz_status fzi_setup_program(fzi_setup *setup, fz_context *context, fz_program *program,
                            const fz_run_options *options);
/* Frees the program, the machine and the state. */
void fzi_setup_clear(fzi_setup *setup);

/* Copies the machine's message into the context; returns the status. */
fz_status fzi_setup_failed(const fzi_setup *setup, fz_status status);

/* The limits of the options, or the defaults. */
const fz_limits *fzi_setup_limits(const fzi_setup *setup);
/* The playouts of the options' shard: of the streams of the seed, from 0. */
void fzi_setup_range(const fzi_setup *setup, uint64_t *first, uint64_t *count);

/* The record of a playout of the run (fz_record_playout); freed with fz_text_free. */
fz_status fzi_setup_record(const fzi_setup *setup, const fz_lineup *lineup, uint64_t stream,
                           char **text);
/* Sets the message of playouts that failed: `message`, or a general one if it is "", and the moves
 * of the first game that failed. `text` (NULL, or freed with fz_text_free) gets its record.
 * FZ_RUNTIME. */
fz_status fzi_setup_playouts_failed(const fzi_setup *setup, const fz_tally *tally,
                                    const fz_lineup *lineup, const char *message, char **text);

/* The games whose records are stored: numbers from 1. */
typedef struct fzi_wanted {
    uint64_t first, last;
    bool failed;              /* only those that fail */
} fzi_wanted;
/* Reads options.records; NULL wants none. FZ_USAGE: it is none of "all", "failed", "N" and
 * "N..M". */
fz_status fzi_wanted_read(const fzi_setup *setup, fzi_wanted *wanted);

/* Reads digits with optional `_` and a suffix k, M or G. False: the text is not a number. */
bool fzi_number_read(const char *text, uint64_t *number);

#endif
