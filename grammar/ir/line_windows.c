/* Makes tables of lines for LINE_AT_GIVEN: for each axis of the board and each site, the sites that
 * a row of n sites through it can include. Shifts find a row among these; most sites have too few
 * pieces on them to look. codegen.c calls it. */
#include "codegen.h"

#include "interp/board/topology.h"
#include "interp/support/words.h"

/* Larger boards walk along the line instead: the table grows with the square of the sites. Walking
 * is slower only because the end of a line is hard to predict. */
enum { MAX_SET_WORDS = 8 };

static void add_way(const fz_board *board, unsigned dir, unsigned site, int64_t steps,
                    uint64_t *row)
{
    int at = (int)site;
    while (steps-- > 0 && (at = board->next[dir * board->site_count + (unsigned)at]) >= 0)
        fzi_words_add(row, (unsigned)at);
}

/* Do the sites ascend, or descend, along each axis of the directions? */
static bool are_ordered(const fzi_topology *t, uint64_t dirs)
{
    uint64_t covered = 0;
    for (unsigned i = 0; i < t->axis_count; i++)
        if (t->ray_order[t->axes[i][0]])
            covered |= t->axis_bits[i];
    return dirs && !(dirs & ~covered);
}

/* The difference that a step along the axis makes to a site's number, without its sign; 0: it
 * varies. */
static uint64_t delta_of(const fzi_topology *t, unsigned dir)
{
    int32_t delta = t->even_dirs >> dir & 1 ? t->even[dir].delta : 0;
    return (uint64_t)(delta < 0 ? -delta : delta);
}

bool fzi_line_windows(fzi_lower *lw, int64_t n, uint64_t dirs, uint32_t *table)
{
    const fzi_topology *t = lw->build.program.topology;
    const fz_board *board = &lw->build.program.board;
    size_t words = board->words, sites = board->site_count,
           count = t->axis_count * (sites + 1) * words;
    dirs &= (UINT64_C(1) << board->dir_count) - 1;
    if (!fzi_uses(lw, FZ_OPT_LINES) || n < 2 || n > INT32_MAX || words > MAX_SET_WORDS ||
        !are_ordered(t, dirs))
        return false;
    uint64_t *rows = fzi_arena_alloc(lw->build.arena, count * sizeof *rows), *row = rows;
    memset(rows, 0, count * sizeof *rows);
    for (unsigned i = 0; i < t->axis_count; i++) {
        const uint8_t *axis = t->axes[i];
        if (!(dirs & t->axis_bits[i]))
            continue;
        *row = delta_of(t, axis[0]);
        row += words;
        for (unsigned site = 0; site < sites; site++, row += words) {
            fzi_words_add(row, site);
            add_way(board, axis[0], site, n - 1, row);
            add_way(board, axis[1], site, n - 1, row);
        }
    }
    *table = fzi_build_set_table(&lw->build, rows, (uint32_t)((size_t)(row - rows) / words));
    return true;
}
