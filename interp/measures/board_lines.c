/* Lines of a board and its symmetries. See measures.h. */
#include "measures.h"

#include "interp/text/draw.h"

/* ---- lines ---- */

/* The directions that people see as lines; all of them where none are marked. */
static uint32_t line_dirs(const fz_board *board)
{
    return board->adjacent ? board->adjacent : UINT32_MAX;
}

static int next_of(const fz_board *board, unsigned site, unsigned dir)
{
    return line_dirs(board) >> dir & 1 ? board->next[dir * board->site_count + site] : -1;
}

static int32_t find_line(const fzi_lines *l, unsigned a, unsigned b)
{
    unsigned low = a < b ? a : b, high = a < b ? b : a;
    uint32_t first = 0, last = l->count;

    while (first < last) {
        uint32_t middle = (first + last) / 2;
        const fzi_board_line *line = &l->lines[middle];
        if (line->low < low || (line->low == low && line->high < high))
            first = middle + 1;
        else
            last = middle;
    }
    if (first == l->count || l->lines[first].low != low || l->lines[first].high != high)
        return -1;
    return (int32_t)first;
}

/* Is there a step between the sites, one way or the other? */
static bool joined(const fz_board *board, unsigned a, unsigned b)
{
    for (unsigned d = 0; d < board->dir_count; d++)
        if (next_of(board, a, d) == (int)b || next_of(board, b, d) == (int)a)
            return true;
    return false;
}

static bool list_lines(fzi_lines *l)
{
    const fz_board *board = l->topology->board;
    size_t most = (size_t)board->site_count * board->dir_count;

    l->lines = fzi_allocate(l->allocator, (most ? most : 1) * sizeof *l->lines);
    l->of = fzi_allocate(l->allocator, (most ? most : 1) * sizeof *l->of);
    if (!l->lines || !l->of)
        return false;
    for (unsigned low = 0; low < board->site_count; low++)
        for (unsigned high = low + 1; high < board->site_count; high++)
            if (joined(board, low, high))
                l->lines[l->count++] =
                    (fzi_board_line){.low = (uint16_t)low, .high = (uint16_t)high};
    for (unsigned s = 0; s < board->site_count; s++)
        for (unsigned d = 0; d < board->dir_count; d++) {
            int next = next_of(board, s, d);
            int32_t line = next < 0 || next == (int)s ? -1 : find_line(l, s, (unsigned)next);
            l->of[s * board->dir_count + d] = line < 0 ? -1 : 2 * line + (next < (int)s);
        }
    return true;
}

unsigned fzi_lines_between(const fzi_lines *l, int from, int to, uint32_t *steps)
{
    const fz_board *board = l->topology->board;
    unsigned best = 0, best_dir = 0;

    for (unsigned d = 0; d < board->dir_count; d++) {
        int at = from;
        unsigned length = 0;
        do {
            at = next_of(board, (unsigned)at, d);
            length++;
        } while (at >= 0 && at != to && at != from && length < board->site_count);
        if (at == to && (!best || length < best)) {
            best = length;
            best_dir = d;
        }
    }
    for (unsigned i = 0; i < best; i++) {
        steps[i] = (uint32_t)l->of[(unsigned)from * board->dir_count + best_dir];
        from = next_of(board, (unsigned)from, best_dir);
    }
    return best;
}

/* ---- symmetries ---- */

typedef struct places {
    int16_t x[FZ_MAX_SITES], y[FZ_MAX_SITES];
    unsigned count;
} places;

/* The images of all lines; false: one is no line. */
static bool turn_lines(const fzi_lines *l, const uint16_t *image, int32_t *line_image)
{
    for (uint32_t i = 0; i < l->count; i++) {
        line_image[i] = find_line(l, image[l->lines[i].low], image[l->lines[i].high]);
        if (line_image[i] < 0)
            return false;
    }
    return true;
}

static uint32_t orbit_of(const fzi_lines *l, uint32_t line)
{
    while (l->lines[line].orbit != line)
        line = l->lines[line].orbit;
    return line;
}

static void join_orbits(fzi_lines *l, const int32_t *image)
{
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t a = orbit_of(l, i), b = orbit_of(l, (uint32_t)image[i]);
        l->lines[a > b ? a : b].orbit = a < b ? a : b;
    }
}

static void number_orbits(fzi_lines *l)
{
    /* A root stands before all lines of its orbit. */
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t parent = l->lines[i].orbit;
        l->lines[i].orbit = parent == i ? l->orbits++ : l->lines[parent].orbit;
    }
}

static bool find_symmetries(fzi_lines *l, const fz_program *program)
{
    places *p = fzi_allocate(l->allocator, sizeof *p);
    uint16_t *image = fzi_allocate(l->allocator, FZ_MAX_SITES * sizeof *image);
    int32_t *lines = fzi_allocate(l->allocator, (l->count + 1) * sizeof *lines);
    bool good = p && image && lines;

    for (uint32_t i = 0; i < l->count; i++) {
        l->lines[i].orbit = i;
        l->lines[i].image[FZ_LEFT_RIGHT] = l->lines[i].image[FZ_TOP_BOTTOM] = -1;
    }
    if (good) {
        p->count = program->board.site_count;
        fzi_sites_where(program, p->x, p->y);
    }
    for (unsigned t = 0; good && t < FZI_TURNS; t++) {
        if (!fzi_board_turn((enum fzi_turn)t, p->x, p->y, p->count, image) ||
            !turn_lines(l, image, lines))
            continue;
        l->symmetries++;
        join_orbits(l, lines);
        if (t < FZ_REFLECTIONS) {
            l->site_image[t] = fzi_allocate(l->allocator, p->count * sizeof *image);
            if (!l->site_image[t])
                break;
            memcpy(l->site_image[t], image, p->count * sizeof *image);
        }
        for (uint32_t i = 0; t < FZ_REFLECTIONS && i < l->count; i++)
            l->lines[i].image[t] = lines[i];
    }
    number_orbits(l);
    FZI_RELEASE(l->allocator, lines, image, p);
    return good;
}

bool fzi_lines_init(fzi_lines *l, const fz_program *program, fzi_allocator allocator)
{
    *l = (fzi_lines){.allocator = allocator, .topology = program->topology};
    return list_lines(l) && find_symmetries(l, program);
}

void fzi_lines_clear(fzi_lines *l)
{
    FZI_RELEASE(l->allocator, l->lines, l->of);
    for (unsigned r = 0; r < FZ_REFLECTIONS; r++) {
        fzi_release(l->allocator, l->site_image[r]);
        l->site_image[r] = NULL;
    }
    l->lines = NULL;
    l->of = NULL;
}
