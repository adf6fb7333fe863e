/* The data of a program: board, players, kinds, variables, dice, options, sources. */
#ifndef FZ_GRAMMAR_LOWER_LOWER_DATA_H
#define FZ_GRAMMAR_LOWER_LOWER_DATA_H

#include "lower.h"

/* A variable of the program; VAR symbols point to it (`lowered`). */
typedef struct fzi_lowered_var {
    uint32_t variable;
    bool is_set, is_bits;
    bool is_wide; /* a set of a finite type other than sites and directions: MLOAD and so on */
} fzi_lowered_var;

void fzi_lower_data(fzi_lower *lw);
void fzi_lower_variables(fzi_lower *lw);
/* The initial values of variables; needs the code of functions. */
void fzi_lower_initial(fzi_lower *lw);
/* An option's value as the author writes it; the text may be in the buffer. */
const char *fzi_option_text(const fzi_option *option, int64_t value, char *buffer, size_t size);

#endif
