/* Finds the name that a misspelled one may mean. */
#include <string.h>

#include "diagnostics.h"

enum { MAX_NAME = 40 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Edits are: insert, delete, replace, exchange two neighbours; each counts 1. */
static unsigned name_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > MAX_NAME || nb > MAX_NAME)
        return strcmp(a, b) ? MAX_NAME : 0;
    unsigned row[3][MAX_NAME + 1] = {{0}};
    for (unsigned j = 0; j <= nb; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[na % 3][nb];
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_letters(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return !*a && !*b;
}

void fzi_nearest_offer(fzi_nearest *nearest, const char *candidate)
{
    size_t length = strlen(nearest->wanted), other = strlen(candidate);
    size_t shorter = length < other ? length : other;
    unsigned allowed = shorter < 3 ? 0 : 1 + (unsigned)shorter / 4;
    if (length + other - 2 * shorter > allowed)
        return;
    unsigned distance = same_letters(nearest->wanted, candidate)
                            ? 0
                            : name_distance(nearest->wanted, candidate);
    /* A guess with two mistakes has at least the first letter in common. */
    if (distance > 1 && lower(*nearest->wanted) != lower(*candidate))
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
