/* The boards of .lud files as text: squares, or lines of points: graph { e w: a1 b1 c1; }. */
#include "lud_writer.h"

static const char *column_name(fzi_lud_writer *w, unsigned column)
{
    return column < 26 ? FZ_LUD_TEXT(w, "%c", 'a' + (int)column)
                       : FZ_LUD_TEXT(w, "%c%c", 'a' + (int)column / 26 - 1, 'a' + (int)column % 26);
}

const char *fzi_lud_site_name(fzi_lud_writer *w, unsigned column, unsigned row)
{
    return FZ_LUD_TEXT(w, "%s%u", column_name(w, column), row + 1);
}

static bool has_site(const fzi_lud_board *b, const char *name)
{
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->names[i], name) == 0)
            return true;
    return false;
}

void fzi_lud_write_holes(fzi_lud_writer *w)
{
    fzi_lud_board *b = &w->board;
    fzi_growing missing = {0};

    for (unsigned i = 0; i < b->rows * b->columns; i++) {
        const char *name = fzi_lud_site_name(w, i % b->columns, i / b->columns);
        if (!has_site(b, name))
            fzi_grow_z(w->arena, &missing,
                       FZ_LUD_TEXT(w, "%s%s", missing.length ? ", " : "", name));
    }
    b->is_graph = false;
    b->text = b->rows == b->columns ? FZ_LUD_TEXT(w, "square(%u)", b->rows)
                                    : FZ_LUD_TEXT(w, "square(%u, %u)", b->columns, b->rows);
    b->top = FZ_LUD_TEXT(w, "rank(%u)", b->rows);
    b->bottom = "rank(1)";
    b->left = "file(1)";
    b->right = FZ_LUD_TEXT(w, "file(%u)", b->columns);
    if (!missing.length)
        return;
    b->holes = true;
    b->text = FZ_LUD_TEXT(w, "without(%s, {%s})", b->text, missing.text);
}

/* Directions of the compass, counterclockwise. */
const char *const fzi_lud_compass[FZ_LUD_COMPASS] = {"e",  "ene", "ne", "nne", "n",  "nnw",
                                                     "nw", "wnw", "w",  "wsw", "sw", "ssw",
                                                     "s",  "sse", "se", "ese"};

/* The neighbour in direction `d` from which `back` leads here; -1. */
static int along(const fzi_lud_board *b, int site, int d, int back)
{
    int to = b->next[site][d];
    return to >= 0 && b->next[to][back] == site ? to : -1;
}

/* Adds `e w: a1 b1 c1, a2 b2;`: the lines along `d`. With `known`, other sites are lines, too, and
 * those that a line has passed are set. False: there is no such line. */
static bool add_lines(fzi_lud_writer *w, int d, int back, bool *known, fzi_growing *text)
{
    const fzi_lud_board *b = &w->board;
    bool any = false;

    for (int i = 0; i < (int)b->count; i++) {
        bool starts = along(b, i, d, back) >= 0 && along(b, i, back, d) < 0;
        if (known ? known[i] : !starts)
            continue;
        fzi_grow_z(w->arena, text,
                   any ? ", "
                       : FZ_LUD_TEXT(w, "%s %s: ", fzi_lud_compass[d], fzi_lud_compass[back]));
        any = true;
        for (int at = i, left = (int)b->count; at >= 0 && left > 0;
             at = along(b, at, d, back), left--) {
            fzi_grow_z(w->arena, text, FZ_LUD_TEXT(w, at == i ? "%s" : " %s", b->names[at]));
            if (known)
                known[at] = true;
        }
    }
    if (any)
        fzi_grow_z(w->arena, text, ";\n");
    return any;
}

/* Do the lines along `d` name the sites in their order? */
static bool is_in_order(const fzi_lud_board *b, int d, int back)
{
    int expected = 0;

    while (expected < (int)b->count)
        for (int at = expected; at >= 0; at = along(b, at, d, back))
            if (at != expected++)
                return false;
    return true;
}

void fzi_lud_write_lines(fzi_lud_writer *w)
{
    enum { HALF = FZ_LUD_COMPASS / 2 };
    fzi_lud_board *b = &w->board;
    bool *known = fzi_arena_alloc(w->arena, b->count * sizeof *known);
    fzi_growing text = {0};
    int first = -1, last = -1; /* a direction that has lines; the same, in the order of the sites */

    memset(known, 0, b->count * sizeof *known);
    for (int d = FZ_LUD_COMPASS - 1; d >= 0; d--)
        for (int i = 0; i < (int)b->count; i++)
            if (along(b, i, d, (d + HALF) % FZ_LUD_COMPASS) >= 0) {
                first = d;
                last = is_in_order(b, d, (d + HALF) % FZ_LUD_COMPASS) ? d : last;
                break;
            }
    fzi_grow_z(w->arena, &text, "graph {\n");
    for (unsigned i = 0; i < b->count && last < 0; i++)
        fzi_grow_z(
            w->arena, &text,
            first < 0
                ? FZ_LUD_TEXT(w, "%s: off;\n", b->names[i])
                : FZ_LUD_TEXT(w, "%s%s%s", i ? ", " : "",
                              i ? ""
                                : FZ_LUD_TEXT(w, "%s %s: ", fzi_lud_compass[first],
                                              fzi_lud_compass[(first + HALF) % FZ_LUD_COMPASS]),
                              b->names[i]));
    if (first >= 0 && last < 0)
        fzi_grow_z(w->arena, &text, ";\n");
    if (last >= 0)
        add_lines(w, last, (last + HALF) % FZ_LUD_COMPASS, known, &text);
    for (int d = 0; d < HALF; d++)
        for (int back = HALF - 1; back < FZ_LUD_COMPASS + 1; back++)
            if (last < 0 || last % HALF != d || back % FZ_LUD_COMPASS != d + HALF)
                add_lines(w, d, back % FZ_LUD_COMPASS, NULL, &text);
    fzi_grow_z(w->arena, &text, "}");
    b->text = text.text;
}
