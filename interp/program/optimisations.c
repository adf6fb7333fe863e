/* Optimisations by name. */
#include <stdio.h>

#include "program.h"

static const char *const optimisations[] = {
#define OPTIMISATION(id, name, part, meaning) name,
#include "optimisations.def"
#undef OPTIMISATION
};

const char *fz_optimisation_name(unsigned number)
{
    return number < FZ_OPT_COUNT ? optimisations[number] : NULL;
}

static fz_status unknown_optimisation(fz_context *context, const char *name, size_t length)
{
    char names[FZ_OPT_COUNT * 16] = "";
    size_t at = 0;

    for (unsigned i = 0; i < FZ_OPT_COUNT && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s, ", optimisations[i]);
    return fzi_context_fail(context, FZ_NOT_FOUND, "no optimisation '%.*s': %sor all", (int)length,
                            name, names);
}

fz_status fz_context_disable_optimisations(fz_context *context, const char *names)
{
    uint32_t without = 0;

    while (*names) {
        size_t length = strcspn(names, ","), i = 0;
        while (i < FZ_OPT_COUNT && (strlen(optimisations[i]) != length ||
                                    memcmp(optimisations[i], names, length) != 0))
            i++;
        if (length == 3 && memcmp(names, "all", length) == 0)
            without = FZI_ALL_OPTIMISATIONS;
        else if (i == FZ_OPT_COUNT)
            return unknown_optimisation(context, names, length);
        else
            without |= fzi_opt_bit((enum fzi_optimisation)i);
        names += length + (names[length] == ',');
    }
    context->without = without;
    return FZ_OK;
}
