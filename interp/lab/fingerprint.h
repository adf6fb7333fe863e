/* SHA-256, for telling whether programs and files are the same. */
#ifndef FZ_INTERP_LAB_FINGERPRINT_H
#define FZ_INTERP_LAB_FINGERPRINT_H

#include "ferz.h"

enum { FZI_FINGERPRINT_SIZE = 65 }; /* hexadecimal, with the NUL */

/* Of bytes. */
void fzi_fingerprint(const char *bytes, size_t length, char text[FZI_FINGERPRINT_SIZE]);
/* Of all texts that the program was compiled from, each with its length before it; the paths do not
 * count. */
void fzi_fingerprint_program(const fz_program *program, char text[FZI_FINGERPRINT_SIZE]);

#endif
