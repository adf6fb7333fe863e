/* The optimisations that can be switched off, from optimisations.def. */
#ifndef FZ_INTERP_PROGRAM_OPTIMISATIONS_H
#define FZ_INTERP_PROGRAM_OPTIMISATIONS_H

#include <stdint.h>

enum fzi_optimisation {
#define OPTIMISATION(id, name, part, meaning) FZ_OPT_##id,
#include "optimisations.def"
#undef OPTIMISATION
    FZ_OPT_COUNT
};
_Static_assert(FZ_OPT_COUNT <= 32, "they are bits of 32");

/* The bit of an optimisation in fz_program.without. */
#define FZI_ALL_OPTIMISATIONS (UINT32_MAX >> (32 - FZ_OPT_COUNT))

static inline uint32_t fzi_opt_bit(enum fzi_optimisation optimisation)
{
    return UINT32_C(1) << optimisation;
}

#endif
