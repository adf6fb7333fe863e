#include "histogram.h"

#include <stdbool.h>
#include <string.h>

#include "interp/program/program.h"

static int64_t divide_down(int64_t number, int64_t by)
{
    return number / by - (number % by < 0);
}

/* Ten bins become one. */
static void widen(fzi_histogram *h)
{
    int64_t first = divide_down(h->first, 10);
    size_t count = 0;

    for (size_t i = 0; i < h->count; i++) {
        size_t bin = (size_t)(divide_down(h->first + (int64_t)i, 10) - first);
        uint64_t times = h->bins[i];
        h->bins[i] = 0; /* it lies at or after the bin that it goes to */
        h->bins[bin] += times;
        count = bin + 1;
    }
    h->first = first;
    h->count = count;
    h->width *= 10;
}

/* Would the bins reach to this one, too? */
static bool has_room(const fzi_histogram *h, int64_t bin)
{
    int64_t last = h->first + (int64_t)h->count - 1;

    /* Differences of numbers with different signs may be too large for a signed number. */
    return bin < h->first ? (uint64_t)last - (uint64_t)bin < FZI_BINS
                          : bin <= last || (uint64_t)bin - (uint64_t)h->first < FZI_BINS;
}

static void reach(fzi_histogram *h, int64_t bin)
{
    if (bin < h->first) {
        size_t more = (size_t)(h->first - bin);
        memmove(h->bins + more, h->bins, h->count * sizeof *h->bins);
        memset(h->bins, 0, more * sizeof *h->bins);
        h->first = bin;
        h->count += more;
    } else if ((uint64_t)bin - (uint64_t)h->first >= h->count) {
        h->count = (size_t)(bin - h->first) + 1;
    }
}

void fzi_histogram_add(fzi_histogram *h, int64_t number, uint64_t times)
{
    if (!times)
        return;
    if (!h->width)
        *h = (fzi_histogram){.width = 1, .first = number, .count = 1};
    while (!has_room(h, divide_down(number, h->width)))
        widen(h);
    reach(h, divide_down(number, h->width));
    h->bins[divide_down(number, h->width) - h->first] += times;
}

void fzi_histogram_merge(fzi_histogram *into, const fzi_histogram *from)
{
    if (!from->width)
        return;
    if (!into->width) {
        *into = *from;
        return;
    }
    while (into->width < from->width)
        widen(into);
    /* All numbers of a bin lie in the same wider bin. The one next to 0 cannot overflow. */
    for (size_t i = 0; i < from->count; i++) {
        int64_t bin = from->first + (int64_t)i;
        int64_t number = bin < 0 ? (bin + 1) * from->width - 1 : bin * from->width;
        fzi_histogram_add(into, number, from->bins[i]);
    }
}

void fzi_histogram_add_payoffs(fzi_histogram *by_player, const fz_program *program,
                               const fz_game_row *row)
{
    for (unsigned p = 0; row->ending != FZ_ENDED_BY_LIMIT && p < program->player_count; p++)
        fzi_histogram_add(&by_player[p], row->payoff[p], 1);
}
