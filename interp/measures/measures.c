/* Sums of measures, and what they say. See measures.h. */
#include "measures.h"

#include <math.h>

const fzi_measure_info fzi_measure_infos[FZ_MEASURES] = {
#define MEASURE(id, name, shape, meaning) {name, meaning, FZ_AS_##shape},
#include "measures.def"
};
const fzi_measure_info fzi_list_infos[FZ_LISTS] = {
#define LIST(id, name, shape, meaning) {name, meaning, FZ_AS_##shape},
#include "measures.def"
};

/* ---- sums ---- */

bool fzi_measures_init(fzi_measures *m, const fz_program *program, const fzi_lines *lines,
                       bool rollouts, fzi_allocator allocator)
{
    uint32_t players = program->player_count, sites = program->board.site_count;

    *m = (fzi_measures){
        .allocator = allocator,
        .sites = sites,
        .contents = fzi_allocate_zeroed(allocator, sites * sizeof *m->contents),
        .sizes = {
            [FZ_LIST_WINS] = players, [FZ_LIST_SEAT] = players,
            [FZ_LIST_RIVALS] = players * (players - 1) / 2,
            [FZ_LIST_TURN_BRANCHING] = FZ_MEASURED_TURNS,
            [FZ_LIST_TURN_PROSPECT] = rollouts ? players * FZ_MEASURED_TURNS : 0,
            [FZ_LIST_TURN_LEAD] = rollouts ? FZ_MEASURED_TURNS : 0,
            [FZ_LIST_LINE] = 2 * lines->count,
            [FZ_LIST_LINE_PAIR] = lines->count, [FZ_LIST_LINE_MIRRORED] = lines->orbits,
            [FZ_LIST_LINE_DIFFERENCE] = FZ_REFLECTIONS * lines->count,
            [FZ_LIST_SITE] = sites,
        },
    };
    for (unsigned i = 0; i < FZ_LISTS; i++) {
        m->lists[i] = fzi_allocate_zeroed(allocator, m->sizes[i] * sizeof *m->lists[i]);
        if (!m->lists[i])
            return false;
    }
    return m->contents;
}

void fzi_measures_clear(fzi_measures *m)
{
    for (unsigned i = 0; i < FZ_LISTS; i++)
        fzi_release(m->allocator, m->lists[i]);
    for (unsigned i = 0; i < FZ_COUNTS; i++)
        fzi_release(m->allocator, m->counts[i].of);
    fzi_release(m->allocator, m->contents);
    *m = (fzi_measures){.allocator = m->allocator};
}

bool fzi_counts_add(fzi_counts *c, fzi_allocator allocator, uint64_t number, uint64_t times)
{
    if (!fzi_make_room(allocator, &c->of, &c->room, number + 1, sizeof *c->of))
        return false;
    c->of[number] += times;
    return true;
}

void fzi_sketch_add(uint8_t *sketch, uint64_t hash)
{
    uint64_t rest = hash / FZ_SKETCH;
    uint8_t rank = 1;

    for (; !(rest & 1) && rank < 53; rest >>= 1)
        rank++;
    if (sketch[hash % FZ_SKETCH] < rank)
        sketch[hash % FZ_SKETCH] = rank;
}

static void merge_sums(fzi_sum *into, const fzi_sum *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        into[i].games += from[i].games;
        into[i].a += from[i].a;
        into[i].b += from[i].b;
        into[i].aa += from[i].aa;
        into[i].ab += from[i].ab;
        into[i].bb += from[i].bb;
        into[i].aaa += from[i].aaa;
        into[i].aab += from[i].aab;
        into[i].abb += from[i].abb;
        into[i].bbb += from[i].bbb;
    }
}

bool fzi_measures_merge(fzi_measures *into, const fzi_measures *from)
{
    for (unsigned i = 0; i < FZ_COUNTS; i++)
        if (!fzi_make_room(into->allocator, &into->counts[i].of, &into->counts[i].room,
                           from->counts[i].room, sizeof *into->counts[i].of))
            return false;
    into->games += from->games;
    merge_sums(into->sums, from->sums, FZ_MEASURES);
    for (unsigned i = 0; i < FZ_LISTS; i++)
        merge_sums(into->lists[i], from->lists[i], into->sizes[i]);
    for (unsigned i = 0; i < FZ_COUNTS; i++)
        for (size_t n = 0; n < from->counts[i].room; n++)
            into->counts[i].of[n] += from->counts[i].of[n];
    for (uint32_t s = 0; s < into->sites; s++) {
        for (unsigned w = 0; w < 4; w++)
            into->contents[s].tops[w] |= from->contents[s].tops[w];
        into->contents[s].heights |= from->contents[s].heights;
    }
    for (unsigned i = 0; i < FZ_SKETCH; i++)
        if (into->sketch[i] < from->sketch[i])
            into->sketch[i] = from->sketch[i];
    return true;
}

/* ---- values ---- */

/* x y - z w: whole, where that fits, so that nothing cancels. */
static double cross(fzi_exact x, fzi_exact y, fzi_exact z, fzi_exact w)
{
    fzi_exact left, right;

    if (__builtin_mul_overflow(x, y, &left) || __builtin_mul_overflow(z, w, &right))
        return (double)((long double)x * (long double)y - (long double)z * (long double)w);
    return (double)(left - right);
}

/* Of the numbers a / mean b, as if r were their mean; 0 if they are all alike. */
static double skewness(const fzi_sum *s, double spread, double n)
{
    /* a - r b = (a - p b) - f b: the first sums are exact, since they fit in 128 bits again. */
    const fzi_exact whole = s->a / s->b;
    const fz_uint128 p = (fz_uint128)whole, bbb = s->bbb;
    const double f = (double)(s->a - whole * s->b) / (double)s->b;
    fz_uint128 ddd = s->aaa - 3 * p * s->aab + 3 * p * p * s->abb - p * p * p * bbb;
    fz_uint128 ddb = s->aab - 2 * p * s->abb + p * p * bbb, dbb = s->abb - p * bbb;
    double cubes = (double)(fzi_exact)ddd - 3 * f * (double)(fzi_exact)ddb +
                   3 * f * f * (double)(fzi_exact)dbb - f * f * f * (double)(fzi_exact)bbb;

    return spread > 0 ? cubes / n / pow(spread / n, 1.5) : 0;
}

fzi_estimate fzi_sum_estimate(const fzi_sum *s, fzi_measure_shape shape)
{
    double n = (double)s->games, b = (double)s->b, r, spread;

    if (s->b == 0)
        return (fzi_estimate){NAN, NAN, NAN};
    r = (double)s->a / b;
    if (shape == FZ_AS_SHARE)
        return fzi_wilson(r, b);
    if (s->games < 2)
        return (fzi_estimate){r, NAN, NAN};
    /* The sum of (a - r b) squared. */
    spread = (cross(s->aa, s->b, s->ab, s->a) - r * cross(s->ab, s->b, s->bb, s->a)) / b;
    spread = fmax(0, spread);
    if (shape == FZ_AS_PART)
        return fzi_part_estimate(r, spread * n / (n - 1) / (b * b), n);
    if (shape == FZ_AS_COUNT && r == 0)
        return (fzi_estimate){0, 0, FZ_NORMAL_95 * FZ_NORMAL_95 / n};
    return fzi_skewed_estimate(r, sqrt(spread / (n - 1)) * n / b, skewness(s, spread, n),
                               s->games);
}

/* Converts an estimate from the units in which its measure is stored, and from its complement. */
static fzi_estimate scaled(fzi_estimate e, double unit)
{
    return (fzi_estimate){e.value / unit, e.low / unit, e.high / unit};
}

fzi_estimate fzi_measure_value(const fzi_measures *m, unsigned measure)
{
    fzi_estimate e = fzi_sum_estimate(&m->sums[measure], fzi_measure_infos[measure].shape);

    switch (measure) {
    case FZ_MEASURE_ENTROPY:
    case FZ_MEASURE_TREE:
        return scaled(e, FZ_MEASURE_UNIT);
    case FZ_MEASURE_STABILITY:
    case FZ_MEASURE_CHANCE_ALONE:
        return (fzi_estimate){1 - e.value, 1 - e.high, 1 - e.low};
    default:
        return e;
    }
}

fzi_estimate fzi_list_value(const fzi_measures *m, unsigned list, uint32_t element)
{
    const fzi_sum *s = &m->lists[list][element];
    fzi_estimate e = fzi_sum_estimate(s, fzi_list_infos[list].shape);
    double lead = (double)(2 * s->a - s->b) / (double)s->b;

    /* Utilities and differences of them are stored as parts of what they can be. */
    if (list == FZ_LIST_SEAT)
        return (fzi_estimate){lead / 2, e.low - 0.5, e.high - 0.5};
    if (list == FZ_LIST_RIVALS)
        return (fzi_estimate){lead, 2 * e.low - 1, 2 * e.high - 1};
    return e;
}

fzi_estimate fzi_measures_balance(const fzi_measures *m)
{
    fzi_estimate worst = {0, 0, 0};

    for (uint32_t i = 0; i < m->sizes[FZ_LIST_RIVALS]; i++) {
        fzi_estimate e = fzi_list_value(m, FZ_LIST_RIVALS, i);
        if (isnan(e.value))
            return e;
        if (i == 0 || fabs(e.value) > fabs(worst.value))
            worst = e;
    }
    if (worst.value < 0)
        worst = (fzi_estimate){-worst.value, -worst.high, -worst.low};
    if (isnan(worst.low))
        return (fzi_estimate){1 - worst.value, NAN, NAN};
    return (fzi_estimate){1 - worst.value, fmax(0, 1 - worst.high),
                          worst.low <= 0 ? 1 : 1 - worst.low};
}

void fzi_counts_describe(const fzi_counts *c, uint64_t *least, double *median, uint64_t *greatest,
                         double *deviation)
{
    uint64_t total = 0;
    double sum = 0, squares = 0;

    *least = *greatest = 0;
    *median = *deviation = NAN;
    for (size_t i = 0; i < c->room; i++) {
        if (!c->of[i])
            continue;
        *least = total ? *least : i;
        *greatest = i;
        total += c->of[i];
        sum += (double)c->of[i] * (double)i;
    }
    if (!total)
        return;
    double mean = sum / (double)total;
    for (size_t i = 0; i < c->room; i++)
        squares += (double)c->of[i] * ((double)i - mean) * ((double)i - mean);
    *median = fzi_median(c->of, total);
    *deviation = total > 1 ? sqrt(squares / (double)(total - 1)) : 0;
}

double fzi_measures_positions(const fzi_measures *m)
{
    const double registers = FZ_SKETCH;
    double sum = 0, empty = 0;

    for (unsigned i = 0; i < FZ_SKETCH; i++) {
        sum += ldexp(1, -m->sketch[i]);
        empty += !m->sketch[i];
    }
    double raw = 0.7213 / (1 + 1.079 / registers) * registers * registers / sum;
    /* Few positions: how many registers are empty says it better. */
    return raw <= 2.5 * registers && empty > 0 ? registers * log(registers / empty) : raw;
}

double fzi_measures_state_space(const fzi_measures *m)
{
    double sum = 0;
    bool seen = m->sites == 0;

    for (uint32_t s = 0; s < m->sites; s++) {
        const fzi_contents *c = &m->contents[s];
        seen = seen || c->tops[0] || c->tops[1] || c->tops[2] || c->tops[3];
        int nothing = (int)(c->tops[0] & 1), pieces = -nothing;
        for (unsigned w = 0; w < 4; w++)
            pieces += __builtin_popcountll(c->tops[w]);
        sum += log10(fmax(1, nothing + pieces * fmax(1, __builtin_popcountll(c->heights))));
    }
    return seen ? sum : NAN;
}
