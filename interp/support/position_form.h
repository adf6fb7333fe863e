/* How a position is written: the compiler checks diagrams, and leaves the rest to interp/text. */
#ifndef FZ_INTERP_SUPPORT_POSITION_FORM_H
#define FZ_INTERP_SUPPORT_POSITION_FORM_H

#include <stdbool.h>
#include <string.h>

enum fzi_position_form {
    FZI_FORM_PIECES, /* a diagram, or a list of sites and pieces */
    FZI_FORM_FEN,    /* one line with `/` */
    FZI_FORM_WHOLE   /* has a line like `mover: White` (docs/positions.md) */
};

static inline bool fzi_begins_position_line(const char *line)
{
    static const char *const words[] = {"pieces:", "mover:", "turns:", "plies:", "out:",
                                        "last:",   "over:",  "played:"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(line, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static inline enum fzi_position_form fzi_position_form(const char *text)
{
    const char *end = text + strspn(text, " \t\r\n");
    if (strchr(end, '/') && !strchr(end, '\n'))
        return FZI_FORM_FEN;
    for (const char *line = end; *line; line += strspn(line, " \t\r\n")) {
        if (fzi_begins_position_line(line))
            return FZI_FORM_WHOLE;
        line += strcspn(line, "\n");
    }
    return FZI_FORM_PIECES;
}

#endif
