/* Finds the name that a misspelled one may mean. */
#include <string.h>
#include <strings.h>

#include "diagnostics.h"
#include "interp/support/text.h"

void fzi_nearest_offer(fzi_nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->wanted), other = strlen(candidate);
    size_t shorter = length < other ? length : other;
    unsigned allowed = shorter < 3 ? 0 : 1 + (unsigned)shorter / 4;
    if (length + other - 2 * shorter > allowed)
        return;
    unsigned distance = strcasecmp(nearest->wanted, candidate) == 0
                            ? 0
                            : fzi_letters_apart(nearest->wanted, candidate, true);
    /* A guess with two mistakes has at least the first letter in common. */
    if (distance > 1 && strncasecmp(nearest->wanted, candidate, 1) != 0)
        return;
    if (distance <= allowed && (!nearest->best || distance < nearest->distance)) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

void fzi_hint_nearest(fzi_diags *diags, fzi_diag *diag, const fzi_nearest *nearest)
{
    if (nearest->best)
        fzi_hint_add(diags, diag, "did you mean '%s'?", nearest->best);
}
