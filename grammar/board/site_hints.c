/* Says which sites a board has, true on every board: names are no rectangle on most of them. */
#include "board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/board/board_data.h"

enum { MOST_NAMED = 12, LONGEST = 200 };

static size_t letters_of(const char *name)
{
    return strspn(name, "abcdefghijklmnopqrstuvwxyz");
}

/* The number behind the letters; -1: the name is another. */
static int number_of(const char *name, const char *letters, size_t length)
{
    const char *digits = name + length;
    bool fits = strncmp(name, letters, length) == 0 && *digits && strlen(digits) < 5 &&
                strspn(digits, "0123456789") == strlen(digits);
    return fits ? atoi(digits) : -1;
}

/* "f2 to f6", or the first of them; "": no site has these letters. */
static void with_letters(const fzi_board *board, const char *letters, size_t length, char *out)
{
    int low = 0, high = 0;
    unsigned count = 0;
    size_t used = 0;
    *out = '\0';
    for (unsigned s = 0; s < board->site_count; s++) {
        const int number = number_of(board->site_names[s], letters, length);
        if (number < 0)
            continue;
        low = !count || number < low ? number : low;
        high = !count || number > high ? number : high;
        if (count++ < MOST_NAMED && used < LONGEST)
            used += (size_t)snprintf(out + used, LONGEST - used, "%s%s", used ? ", " : "",
                                     board->site_names[s]);
    }
    if (count > 2 && (unsigned)(high - low) + 1 == count)
        snprintf(out, LONGEST, "%.*s%d to %.*s%d", (int)length, letters, low, (int)length, letters,
                 high);
    else if (count > MOST_NAMED && used < LONGEST)
        snprintf(out + used, LONGEST - used, ", and %u more", count - MOST_NAMED);
}

/* The first letters of all sites, if these are one letter each without a gap: 'a' to `*last`. */
static bool has_columns(const fzi_board *board, char *last)
{
    uint32_t seen = 0;
    for (unsigned s = 0; s < board->site_count; s++) {
        if (number_of(board->site_names[s], board->site_names[s], 1) < 0 ||
            letters_of(board->site_names[s]) != 1)
            return false;
        seen |= UINT32_C(1) << (*board->site_names[s] - 'a');
    }
    unsigned count = 0;
    while (seen & UINT32_C(1) << count && count < 26)
        count++;
    *last = (char)('a' + count - 1);
    return count > 1 && seen >> count == 0;
}

void fzi_hint_sites(fzi_diag *diag, const fzi_board *board, const char *wanted)
{
    char names[LONGEST] = "", last = 'a';
    const size_t length = letters_of(wanted);
    bool is_rectangle = board->shape == FZ_SHAPE_SQUARE && !board->sorts && board->layers < 2 &&
                        board->columns * board->rows == board->site_count;
    if (is_rectangle) {
        fzi_hint_add(diag, "its sites are %s to %s", board->site_names[0],
                     board->site_names[board->site_count - 1]);
        return;
    }
    if (length)
        with_letters(board, wanted, length, names);
    if (*names) {
        fzi_hint_add(diag, "its sites with '%.*s' are %s", (int)length, wanted, names);
    } else if (has_columns(board, &last)) {
        fzi_hint_add(diag, "its sites begin with a letter from 'a' to '%c'", last);
    } else {
        size_t used = 0;
        for (unsigned s = 0; s < board->site_count && s < MOST_NAMED && used < LONGEST; s++)
            used += (size_t)snprintf(names + used, LONGEST - used, "%s%s", used ? ", " : "",
                                     board->site_names[s]);
        fzi_hint_add(diag, "its sites are %s%s", names,
                     board->site_count > MOST_NAMED ? ", and others" : "");
    }
}
