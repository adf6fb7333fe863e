/* Values as the author writes them: values.c writes and reads them by name, value_text.c writes
 * them into the texts of moves. */
#ifndef FZ_INTERP_PROGRAM_VALUES_H
#define FZ_INTERP_PROGRAM_VALUES_H

#include "interp/support/buffer.h"
#include "program.h"

/* Adds the value as the author writes it: a name, a number, `off`, `{a, b}`. */
void fzi_value_write(const fz_program *program, uint16_t type, int64_t value, fzi_buffer *out);
void fzi_sites_write(const fz_program *program, const uint64_t *set, fzi_buffer *out);
/* The value of the type whose text is text[0 .. length); false: there is none. */
bool fzi_value_read(const fz_program *program, uint16_t type, const char *text, size_t length,
                    int64_t *value);
bool fzi_sites_read(const fz_program *program, const char *text, size_t length, uint64_t *set);

int fzi_site_find(const fz_program *program, const char *name, size_t length);    /* -1 */
int fzi_player_find(const fz_program *program, const char *name, size_t length);  /* -1 */

/* ---- in texts of moves ---- */

/* Sites, players, named values by name, kinds by letter (by name if they have none, or unless
 * `letters`), numbers; a mask as {a, b}. */
void fzi_value_text(const fz_program *program, uint16_t type, int64_t value, bool letters,
                    fzi_buffer *buffer);
void fzi_sites_text(const fz_program *program, const uint64_t *set, fzi_buffer *buffer);

#endif
