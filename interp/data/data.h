/* Positions and moves as JSON, for programs: what fz_state_json consists of. docs/data.md describes
 * the objects, docs/schema/ has their schemas. */
#ifndef FZ_INTERP_DATA_DATA_H
#define FZ_INTERP_DATA_DATA_H

#include "interp/ferz_tools.h"
#include "interp/program/values.h"
#include "interp/support/buffer.h"
#include "interp/vm/fault.h"
#include "interp/vm/machine.h"

/* Adds `"name": `; the value follows. */
void fzi_key_data(const char *name, fzi_buffer *out);

/* ---- value_data.c ---- */

/* Adds a value: a number, a bool, a name, an array of members; null for `off`, `nobody`, `none`. */
void fzi_value_data(const fz_program *program, uint16_t type, int64_t value, fzi_buffer *out);
/* Adds a set of sites: an array of names. */
void fzi_sites_data(const fz_program *program, const uint64_t *set, fzi_buffer *out);

/* Where the elements of a variable come from. */
typedef struct fzi_elements {
    const fz_program *program;
    const uint8_t *block;
    int viewer;              /* -1: all is known */
    const uint8_t *unknown;  /* by element, 1: the viewer does not know it; NULL: as declared */
} fzi_elements;
/* Adds the variable's value, or an object by index, one level for each. Of a `bool` by site, the
 * array of sites where it is true. What the viewer does not know is "?". */
void fzi_variable_data(const fzi_elements *from, const fz_variable *variable, fzi_buffer *out);
/* Adds one element. */
void fzi_element_data(const fzi_elements *from, const fz_variable *variable, uint32_t element,
                      fzi_buffer *out);

/* ---- move_data.c ---- */

/* Adds the legal moves of a state as an array. */
fz_status fzi_moves_data(fz_machine *machine, const fz_state *state, fzi_buffer *out);

#endif
