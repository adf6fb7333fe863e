/* Values as the author writes them: value_text.c writes them, values.c reads them. */
#ifndef FZ_INTERP_PROGRAM_VALUES_H
#define FZ_INTERP_PROGRAM_VALUES_H

#include "interp/support/buffer.h"
#include "layout.h"
#include "program.h"

/* The name of a value of a type that has names, or "off", "nobody", "none"; NULL: it is written as
 * a number. */
const char *fzi_value_name(const fz_program *program, const fz_value_type *type, int64_t value);
/* The name of a value of an enum or a die in the script, whatever its text is; NULL for others. */
const char *fzi_value_own_name(const fz_program *program, const fz_value_type *type,
                               int64_t value);
/* Adds the value: a name, a number, `off`, `{a, b}`; with `letters` kinds of pieces by letter, if
 * they have one. */
void fzi_value_text(const fz_program *program, uint16_t type, int64_t value, bool letters,
                    fzi_buffer *buffer);
void fzi_sites_text(const fz_program *program, const uint64_t *set, fzi_buffer *buffer);
/* The value of the type whose text is text[0 .. length); false: there is none. */
bool fzi_value_read(const fz_program *program, uint16_t type, const char *text, size_t length,
                    int64_t *value);
bool fzi_sites_read(const fz_program *program, const char *text, size_t length, uint64_t *set);

int fzi_site_find(const fz_program *program, const char *name, size_t length);    /* -1 */
int fzi_player_find(const fz_program *program, const char *name, size_t length);  /* -1 */

/* ---- variables.c ---- */

/* The variables of a block (layout.h) by element: a scalar has one, an array one for each tuple of
 * its indexes. */
const fz_variable *fzi_variable_find(const fz_program *program, const char *name, size_t length);

/* The number of values of an index. */
uint32_t fzi_index_size(const fz_program *program, uint16_t type);
/* Elements as the author counts them: one by index tuple, also of a bool array kept as a set. */
uint32_t fzi_element_count(const fz_program *program, const fz_variable *variable);
/* Do its indexes name the elements that there are? Of a compiled file that is not yet known. */
bool fzi_element_count_sound(const fz_program *program, const fz_variable *variable);
/* A set of sites, and no bool array kept as one. */
static inline bool fzi_element_is_set(const fz_variable *variable)
{
    return variable->is_set && !variable->is_bits;
}
int64_t fzi_element_get(const fz_program *program, const uint8_t *block,
                        const fz_variable *variable, uint32_t element);
const uint64_t *fzi_element_sites(const fz_program *program, const uint8_t *block,
                                  const fz_variable *variable, uint32_t element);
void fzi_element_put(const fz_program *program, uint8_t *block, const fz_variable *variable,
                     uint32_t element, int64_t value);
void fzi_element_put_sites(const fz_program *program, uint8_t *block, const fz_variable *variable,
                           uint32_t element, const uint64_t *set);
/* Fills an initial block, which is the part of a block from layout.own on: all variables have their
 * defaults. Returns the block. */
uint8_t *fzi_initial_clear(const fz_program *program, uint8_t *initial);
bool fzi_element_same(const fz_program *program, const uint8_t *a, const uint8_t *b,
                      const fz_variable *variable, uint32_t element);
/* "[White, 3]" of an element; nothing for a scalar. */
void fzi_element_index_write(const fz_program *program, const fz_variable *variable,
                             uint32_t element, fzi_buffer *out);
/* The value of an element, of whatever kind. */
void fzi_element_write(const fz_program *program, const uint8_t *block, const fz_variable *variable,
                       uint32_t element, fzi_buffer *out);
/* "name[index] = value" or "name = value"; several indexes of the last place may be given as a|b|c.
 * What is wrong goes to `message` (of `size` bytes). */
bool fzi_assignment_read(const fz_program *program, uint8_t *block, const char *text, size_t length,
                         char *message, size_t size);

#endif
