/* What Ludii calls the outer points, the corners and the centre of a graph. The walk around the
 * graph and the thresholds are Ludii's, because rules name its results. */
#include <math.h>

#include "lud_writer.h"

enum { MOST_AROUND = 1024 };

/* The edges' other ends at a point, by angle. */
typedef struct walk {
    const fzi_lud_net *net;
    unsigned around[MOST_AROUND]; /* the points of the outline, counterclockwise */
    size_t count;
} walk;

static double angle_of(const fzi_lud_net *net, unsigned from, unsigned to)
{
    return atan2(net->y[to] - net->y[from], net->x[to] - net->x[from]);
}

/* The neighbour of `at` that comes next in a turn to the left, beginning from `start`. */
static bool next_point(const fzi_lud_net *net, unsigned at, double start, unsigned *next)
{
    static const double full = 2 * 3.14159265358979323846;
    double best = 0;
    bool found = false;

    for (size_t i = 0; i < net->edge_count; i++) {
        unsigned a = net->edges[i][0], b = net->edges[i][1];
        if (a != at && b != at)
            continue;
        unsigned other = a == at ? b : a;
        double turn = fmod(angle_of(net, at, other) - start + 2 * full, full);
        if (turn < 1e-6)
            turn += full;
        if (!found || turn < best) {
            best = turn;
            *next = other;
            found = true;
        }
    }
    return found;
}

/* The outline of a graph of one part, from its leftmost point. */
static bool walk_around(walk *k)
{
    const fzi_lud_net *net = k->net;
    unsigned first = 0, at, before;

    for (unsigned i = 1; i < net->count; i++)
        if (net->x[i] < net->x[first] - 1e-9)
            first = i;
    at = first;
    if (!next_point(net, at, 3.14159265358979323846, &before))
        return false;
    unsigned second = before;
    do {
        if (k->count == MOST_AROUND)
            return false;
        k->around[k->count++] = at;
        unsigned next = second;
        if (k->count > 1 && !next_point(net, at, angle_of(net, at, before), &next))
            return false;
        before = at;
        at = next;
    } while (at != first);
    return true;
}

static bool is_one_part(const fzi_lud_net *net)
{
    bool reached[MOST_AROUND] = {true};
    bool more = true;

    if (net->count == 0 || net->count > MOST_AROUND)
        return false;
    while (more) {
        more = false;
        for (size_t i = 0; i < net->edge_count; i++) {
            unsigned a = net->edges[i][0], b = net->edges[i][1];
            if (reached[a] != reached[b])
                reached[a] = reached[b] = more = true;
        }
    }
    for (unsigned i = 0; i < net->count; i++)
        if (!reached[i])
            return false;
    return true;
}

/* How far point `n` of the outline stands out: below 0 in a concave corner. */
static double prominence(const walk *k, size_t n)
{
    const fzi_lud_net *net = k->net;
    double score = 0;

    for (size_t d = 1; d < 4; d++) {
        unsigned p = k->around[n], a = k->around[(n + k->count - d) % k->count],
                 b = k->around[(n + d) % k->count];
        double dx = net->x[b] - net->x[a], dy = net->y[b] - net->y[a];
        double length = hypot(dx, dy);
        if (length < 1e-9)
            continue;
        double off = (dy * (net->x[p] - net->x[a]) - dx * (net->y[p] - net->y[a])) / length;
        score += off / (double)d;
    }
    return score;
}

static void find_corners(const walk *k, bool *corner)
{
    static const double tolerance = 0.001, convex = 0.32, concave = -0.25, similar = 0.95;
    double raw[MOST_AROUND], score[MOST_AROUND];
    bool keep[MOST_AROUND] = {false};
    size_t count = k->count;

    for (size_t n = 0; n < count && count < 6; n++)
        corner[k->around[n]] = true;
    if (count < 6)
        return;
    for (size_t n = 0; n < count; n++)
        raw[n] = prominence(k, n);
    for (size_t n = 0; n < count; n++)
        score[n] = (4 * raw[n] + raw[(n + 1) % count] + raw[(n + count - 1) % count]) / 6;
    for (size_t n = 0; n < count; n++) {
        double before = score[(n + count - 1) % count], after = score[(n + 1) % count];
        keep[n] =
            score[n] >= convex && score[n] >= before - tolerance && score[n] >= after - tolerance;
        if (score[n] <= concave && score[n] <= before + tolerance && score[n] <= after + tolerance)
            corner[k->around[n]] = true;
    }
    for (size_t n = 0; n < count; n++) {
        if (!keep[n])
            continue;
        size_t before = (n + count - 1) % count, after = (n + 1) % count;
        keep[before] = keep[before] || score[before] >= similar * score[n];
        keep[after] = keep[after] || score[after] >= similar * score[n];
    }
    for (size_t n = 0; n < count; n++)
        corner[k->around[n]] = corner[k->around[n]] || keep[n];
}

/* The points from which the squares of the distances to the outline and its corners are least. */
static void find_centre(const fzi_lud_net *net, const bool *outer, const bool *corner, bool *centre)
{
    double sums[MOST_AROUND], least = 1000000;

    for (unsigned i = 0; i < net->count; i++) {
        sums[i] = 0;
        for (unsigned n = 0; n < net->count; n++) {
            double dx = net->x[i] - net->x[n], dy = net->y[i] - net->y[n];
            sums[i] += (dx * dx + dy * dy) * ((outer[n] && net->count < 100) + corner[n]);
        }
        least = sums[i] < least ? sums[i] : least;
    }
    for (unsigned i = 0; i < net->count; i++)
        centre[i] = fabs(sums[i] - least) < 0.0001;
}

/* ---- columns and rows ---- */

void fzi_lud_ranks(const double *values, unsigned count, unsigned *rank)
{
    for (unsigned i = 0; i < count; i++) {
        rank[i] = 0;
        for (unsigned n = 0; n < count; n++) {
            bool first = values[n] < values[i] - FZ_LUD_SAME;
            for (unsigned m = 0; m < n && first; m++)
                first = fabs(values[m] - values[n]) >= FZ_LUD_SAME;
            rank[i] += first;
        }
    }
}

/* How far each point is from a line that lies beyond the points and has this angle. */
static void distances(const fzi_lud_net *net, bool rows, double angle, double *far)
{
    double low_x = net->x[0], high_x = low_x, low_y = net->y[0], high_y = low_y;

    for (unsigned i = 0; i < net->count; i++) {
        low_x = fmin(low_x, net->x[i]);
        high_x = fmax(high_x, net->x[i]);
        low_y = fmin(low_y, net->y[i]);
        high_y = fmax(high_y, net->y[i]);
    }
    double x = rows ? (low_x + high_x) / 2 : 2 * low_x - high_x;
    double y = rows ? 2 * low_y - high_y : (low_y + high_y) / 2;
    for (unsigned i = 0; i < net->count; i++)
        far[i] = fabs((net->y[i] - y) * cos(angle) - (net->x[i] - x) * sin(angle));
}

/* Puts points at about the same distance together, from the nearest: their number in *group. What
 * it returns says how badly they fit. */
static double cluster(const fzi_lud_net *net, bool rows, double angle, double margin,
                      unsigned *group)
{
    double far[MOST_AROUND], mean = 0, last = 0, error = 0;
    unsigned order[MOST_AROUND], groups = 0, members = 0;

    distances(net, rows, angle, far);
    for (unsigned i = 0; i < net->count; i++) {
        unsigned at = i;
        while (at > 0 && far[order[at - 1]] > far[i]) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
    for (unsigned i = 0; i <= net->count; i++) {
        double next = i < net->count ? far[order[i]] : 0;
        if (members && (i == net->count || fabs(next - mean) > margin)) {
            error += (mean - last) * (mean - last) / members + 0.01;
            members = 0;
            groups++;
        }
        if (i == net->count)
            break;
        mean = (mean * members + next) / (members + 1);
        members++;
        last = next;
        group[order[i]] = groups;
    }
    return error;
}

/* The same at the best of some angles, from the first one on. */
static double cluster_best(const fzi_lud_net *net, bool rows, int first, int last, double base,
                           double margin, unsigned *group)
{
    double least = 1000, best = 0;

    for (int angle = first; angle <= last && least >= 0.01; angle += 15) {
        double turn = base + angle / 180.0 * 3.14159265358979323846;
        double error = cluster(net, rows, turn, margin, group);
        if (error < least) {
            least = error;
            best = turn;
        }
    }
    cluster(net, rows, best, margin, group);
    return best;
}

void fzi_lud_coordinates(const fzi_lud_net *net, unsigned *column, unsigned *row)
{
    double width = 0, height = 0;

    for (unsigned i = 0; i < net->count; i++)
        for (unsigned n = 0; n < i; n++) {
            width = fmax(width, fabs(net->x[i] - net->x[n]));
            height = fmax(height, fabs(net->y[i] - net->y[n]));
        }
    double margin = 0.6 * (width + height) / 2 / sqrt(net->count);
    if (net->count == 0 || net->count > MOST_AROUND)
        return;
    double base = cluster_best(net, true, 0, 60, 0, margin, row);
    cluster_best(net, false, 90, 120, base, margin, column);
    for (unsigned i = 0; i < net->count; i++)
        for (unsigned n = 0; n < i; n++)
            if (column[i] == column[n] && row[i] == row[n]) { /* all exactly, then */
                fzi_lud_ranks(net->x, net->count, column);
                fzi_lud_ranks(net->y, net->count, row);
                return;
            }
}

static const char *set_of(fzi_lud_writer *w, const bool *members)
{
    fzi_growing text = {0};

    for (size_t i = 0; i < w->board.count; i++)
        if (members[i])
            fzi_grow_z(w->arena, &text,
                       FZ_LUD_TEXT(w, "%s%s", text.length ? ", " : "{", w->board.names[i]));
    fzi_grow_z(w->arena, &text, text.length ? "}" : "{}");
    return text.text;
}

void fzi_lud_measure(fzi_lud_writer *w, const fzi_lud_net *net)
{
    bool outer[MOST_AROUND] = {false}, corner[MOST_AROUND] = {false}, centre[MOST_AROUND] = {false};
    walk *k = FZI_NEW(w->arena, walk);

    *k = (walk){.net = net};
    if (!is_one_part(net) || !walk_around(k))
        return; /* the board has no such sets */
    for (size_t n = 0; n < k->count; n++)
        outer[k->around[n]] = true;
    find_corners(k, corner);
    find_centre(net, outer, corner, centre);
    w->board.outer = set_of(w, outer);
    w->board.corners = set_of(w, corner);
    w->board.centre = set_of(w, centre);
    for (size_t i = 0; i < net->count && !w->board.middle; i++)
        if (centre[i])
            w->board.middle = w->board.names[i];
}
