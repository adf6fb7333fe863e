/* The use of a board by finished games. See measures.h. */
#include "measures.h"

#include <math.h>
#include <stdlib.h>

/* ---- counting ---- */

bool fzi_note_visit(fz_machine *machine, const fz_state *before, const fz_move *move,
                    uint32_t *site_moves, int *from, int *to)
{
    int kind, owner;

    fz_move_sites(machine, before, move, from, to);
    if (*to >= 0 || *from >= 0)
        site_moves[*to >= 0 ? *to : *from]++;
    fz_state_piece(before, *from, &kind, &owner);
    return kind >= 0 && *to >= 0 && *from != *to;
}

static void note_move(fz_machine *machine, const fzi_lines *lines, const fz_state *before,
                      const fz_move *move, uint32_t *line_steps, uint32_t *site_moves)
{
    uint32_t steps[FZ_MAX_SITES];
    int from, to;
    unsigned count = 0;

    if (fzi_note_visit(machine, before, move, site_moves, &from, &to))
        count = fzi_lines_between(lines, from, to, steps);
    for (unsigned i = 0; i < count; i++)
        line_steps[steps[i] / 2]++;
}

fz_status fzi_use_add(fz_machine *machine, const fzi_lines *lines, const fz_state *over,
                      uint32_t *line_steps, uint32_t *site_moves)
{
    const fzi_log *log = over->log;
    fz_status status = FZ_OK;

    fz_machine_set_chance(machine, FZ_CHANCE_ASK);
    fz_state *state = fz_state_new(machine, 0, 0);
    for (size_t i = 0; state && i < log->count && status == FZ_OK; i++) {
        const fzi_log_entry *e = &log->entries[i];
        if (e->is_chance) {
            status = fz_state_set_chance(machine, state, e->value);
        } else {
            note_move(machine, lines, state, &e->move, line_steps, site_moves);
            status = fz_state_play(machine, state, &e->move);
        }
    }
    fz_machine_set_chance(machine, FZ_CHANCE_SAMPLE);
    fz_state_free(state);
    return state ? status : FZ_NO_MEMORY;
}

static bool maps_pieces(const uint16_t *image, const fz_state *state, unsigned sites)
{
    for (unsigned s = 0; s < sites; s++) {
        int kind, owner, other_kind, other_owner;
        fz_state_piece(state, (int)s, &kind, &owner);
        fz_state_piece(state, image[s], &other_kind, &other_owner);
        if (kind != other_kind || owner != other_owner)
            return false;
    }
    return true;
}

unsigned fzi_use_mirrors(const fzi_lines *lines, const fz_state *state)
{
    unsigned mirrors = 0;

    for (unsigned r = 0; r < FZ_REFLECTIONS; r++)
        if (lines->site_image[r] &&
            maps_pieces(lines->site_image[r], state, lines->topology->board->site_count))
            mirrors |= 1u << r;
    return mirrors;
}

/* ---- aligning ---- */

static double away(const fzi_aligner *a, unsigned mirrors)
{
    double sum = 0;

    for (uint32_t i = 0; i < a->lines; i++) {
        double d = a->shares[fzi_aligned_line(a, mirrors, i)] - a->mean[i];
        sum += d * d;
    }
    return sum;
}

static unsigned nearest(const fzi_aligner *a)
{
    unsigned best = 0;
    double least = away(a, 0);

    for (unsigned m = 1; m < 1u << FZ_REFLECTIONS; m++) {
        double d = (m & a->mirrors) == m ? away(a, m) : INFINITY;
        if (d < least) {
            least = d;
            best = m;
        }
    }
    return best;
}

/* Aligns as the tool of the published study does: it never mirrors both ways. */
static unsigned as_in_the_study(const fzi_aligner *a)
{
    const unsigned left_right = 1u << FZ_LEFT_RIGHT, top_bottom = 1u << FZ_TOP_BOTTOM;
    double d = away(a, 0);
    double h = a->mirrors & left_right ? away(a, left_right) : INFINITY;
    double v = a->mirrors & top_bottom ? away(a, top_bottom) : INFINITY;

    if (!(v > h))
        return 0;
    return d > v ? top_bottom : d > h ? left_right : 0;
}

unsigned fzi_align_game(fzi_aligner *a, const uint32_t *steps)
{
    uint64_t sum = 0;
    unsigned mirrors = 0;

    for (uint32_t i = 0; i < a->lines; i++)
        sum += steps[i];
    if (!sum)
        return 0;
    for (uint32_t i = 0; i < a->lines; i++)
        a->shares[i] = (double)steps[i] / (double)sum;
    if (a->games && a->how != FZ_ALIGN_NONE)
        mirrors = a->how == FZ_ALIGN_STUDY ? as_in_the_study(a) : nearest(a);
    a->games++;
    for (uint32_t i = 0; i < a->lines; i++)
        a->mean[i] += (a->shares[fzi_aligned_line(a, mirrors, i)] - a->mean[i]) /
                      (double)a->games;
    return mirrors;
}

/* ---- comparing ---- */

double fzi_shares_distance(const double *one, const double *other, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += fabs(one[i] - other[i]);
    return sum / 2;
}

double fzi_correlation(const double *one, const double *other, size_t count)
{
    double a = 0, b = 0, ab = 0, aa = 0, bb = 0;

    for (size_t i = 0; i < count; i++) {
        a += one[i] / (double)count;
        b += other[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        ab += (one[i] - a) * (other[i] - b);
        aa += (one[i] - a) * (one[i] - a);
        bb += (other[i] - b) * (other[i] - b);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}

void fzi_make_shares(double *numbers, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += numbers[i];
    for (size_t i = 0; i < count && sum > 0; i++)
        numbers[i] /= sum;
}

typedef struct ranked {
    double p;
    size_t at;
} ranked;

static int by_p(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->at > y->at) - (x->at < y->at);
}

bool fzi_holm(double *p, size_t count, fzi_allocator allocator)
{
    ranked *order = fzi_allocate(allocator, (count ? count : 1) * sizeof *order);
    double most = 0;

    if (!order)
        return false;
    for (size_t i = 0; i < count; i++)
        order[i] = (ranked){p[i], i};
    qsort(order, count, sizeof *order, by_p);
    for (size_t i = 0; i < count; i++) {
        double adjusted = order[i].p * (double)(count - i);
        most = fmax(most, fmin(adjusted, 1));
        p[order[i].at] = most;
    }
    fzi_release(allocator, order);
    return true;
}
