/* Carries the sites of a board to a board with other site numbers. Operators begin with this. */
#include "board_builder.h"

static const uint64_t *board_carry_sets(fzi_board_maker *m, const fzi_board *board,
                                        const uint64_t *sets, unsigned count, const int16_t *at)
{
    if (!sets)
        return NULL;
    uint64_t *out = fzi_board_new_sets(m, count);
    for (unsigned n = 0; n < count; n++)
        for (unsigned s = 0; s < board->site_count; s++)
            if (at[s] >= 0 && fzi_board_bit(sets + n * FZ_BOARD_WORDS, s))
                fzi_board_set_bit(out + n * FZ_BOARD_WORDS, (unsigned)at[s]);
    return out;
}

void fzi_board_carry_sites(fzi_board_maker *m, fzi_board *result, const fzi_board *board,
                           const int16_t *at)
{
    if (board->sorts && !result->sorts)
        result->sorts = fzi_arena_alloc(m->arena, result->site_count);
    for (unsigned s = 0; s < board->site_count; s++) {
        if (at[s] < 0)
            continue;
        unsigned site = (unsigned)at[s];
        result->site_names[site] = board->site_names[s];
        result->column[site] = board->column[s];
        result->row[site] = board->row[s];
        result->file[site] = board->file[s];
        result->rank[site] = board->rank[s];
        result->layer[site] = board->layer[s];
        if (board->sorts)
            result->sorts[site] = board->sorts[s];
        result->x[site] = board->x[s];
        result->y[site] = board->y[s];
        for (unsigned d = 0; d < board->dir_count; d++) {
            int to = *fzi_board_edge(board, d, s);
            int dir = fzi_board_dir(result, board->dir_names[d]);
            *fzi_board_edge(result, (unsigned)dir, site) =
                (int16_t)(to < 0 ? FZ_NOT_THERE : at[to]);
        }
    }
}

void fzi_board_carry_board(fzi_board_maker *m, fzi_board *result, const fzi_board *board,
                           const int16_t *at)
{
    result->columns = board->columns;
    result->rows = board->rows;
    result->wraps = board->wraps;
    result->sides = board->sides;
    result->layers = board->layers;
    memcpy(result->vector, board->vector, sizeof result->vector);
    result->corners = board_carry_sets(m, board, board->corners, 1, at);
    result->border = board_carry_sets(m, board, board->border, 1, at);
    result->centre = board_carry_sets(m, board, board->centre, 1, at);
    result->side_sets = board_carry_sets(m, board, board->side_sets, board->sides, at);
}

bool fzi_board_carry_dirs(fzi_board_maker *m, fzi_board *result, const fzi_board *board,
                          fzi_span span)
{
    for (unsigned d = 0; d < board->dir_count; d++) {
        int dir = fzi_board_add_dir(m, result, span, board->dir_names[d]);
        if (dir < 0)
            return false;
        uint32_t bit = UINT32_C(1) << dir;
        result->orthogonal |= board->orthogonal >> d & 1 ? bit : 0;
        result->diagonal |= board->diagonal >> d & 1 ? bit : 0;
        result->adjacent |= board->adjacent >> d & 1 ? bit : 0;
    }
    return true;
}
