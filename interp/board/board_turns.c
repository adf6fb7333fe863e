/* Turned and mirrored boards. See topology.h. */
#include "topology.h"

/* x' = a x + b y, y' = c x + d y */
static const int8_t turns[FZI_TURNS][4] = {
    [FZI_TURN_LEFT_RIGHT] = {-1, 0, 0, 1}, [FZI_TURN_TOP_BOTTOM] = {1, 0, 0, -1},
    [FZI_TURN_HALF] = {-1, 0, 0, -1},      [FZI_TURN_DIAGONAL] = {0, 1, 1, 0},
    [FZI_TURN_LEFT] = {0, -1, 1, 0},       [FZI_TURN_RIGHT] = {0, 1, -1, 0},
    [FZI_TURN_OTHER_DIAGONAL] = {0, -1, -1, 0},
};

static int sum_of_bounds(const int16_t *at, unsigned count)
{
    int low = at[0], high = at[0];

    for (unsigned s = 1; s < count; s++) {
        low = at[s] < low ? at[s] : low;
        high = at[s] > high ? at[s] : high;
    }
    return low + high;
}

/* Places are doubled and measured from the middle. */
bool fzi_board_turn(enum fzi_turn turn, const int16_t *x, const int16_t *y, unsigned count,
                    uint16_t *image)
{
    const int8_t *by = turns[turn];
    int across = sum_of_bounds(x, count), up = sum_of_bounds(y, count);

    for (unsigned s = 0; s < count; s++) {
        int from_x = 2 * x[s] - across, from_y = 2 * y[s] - up;
        int to_x = by[0] * from_x + by[1] * from_y, to_y = by[2] * from_x + by[3] * from_y;
        unsigned t = 0;
        while (t < count && (2 * x[t] - across != to_x || 2 * y[t] - up != to_y))
            t++;
        if (t == count)
            return false;
        image[s] = (uint16_t)t;
    }
    return true;
}
