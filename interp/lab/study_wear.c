/* Finds the rulesets that may have worn the lines of a board. See study.h. */
#include "study.h"

#include "interp/support/chance.h"

/* ---- fitting ---- */

bool fzi_cell_mirrored(const fzi_study_cell *cell, unsigned mirrors, const double *lines,
                       double *out)
{
    for (unsigned r = 0; r < FZ_REFLECTIONS; r++)
        if (mirrors >> r & 1 && !cell->image[r])
            return false;
    for (uint32_t i = 0; i < cell->line_count; i++)
        out[i] = lines[fzi_aligned_line(&cell->aligner, mirrors, i)];
    return true;
}

/* The distance of the nearest mirror image of the cell's shares from the wear. */
static double fit(const fzi_study_cell *cell, const double *shares, const double *wear,
                  double *room, unsigned *best)
{
    double least = INFINITY;

    for (unsigned m = 0; m < 1u << FZ_REFLECTIONS; m++) {
        if (!fzi_cell_mirrored(cell, m, shares, room))
            continue;
        double d = fzi_shares_distance(room, wear, cell->line_count);
        if (d < least) {
            least = d;
            *best = m;
        }
    }
    return least;
}

/* ---- the wear of a board ---- */

/* Is it the same line, named from either end? */
static bool same_line(const char *one, const char *other)
{
    size_t length = strlen(one), head = strcspn(one, "-");

    return strcmp(one, other) == 0 ||
           (head < length && strlen(other) == length && other[length - head - 1] == '-' &&
            strncmp(other, one + head + 1, length - head - 1) == 0 &&
            strncmp(other + length - head, one, head) == 0);
}

/* Lines such as "a1-b1 0.35". */
static fz_status parse_wear(const fz_study *study, const char *path, char *text,
                            fzi_wear *w)
{
    unsigned number = 0;
    bool any = false;

    for (char *line = text, *next; line; line = next) {
        char *rest;
        double parsed;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        char *name = line + strspn(line, " \t\r");
        if (!*name || *name == '#')
            continue;
        char *value = name + strcspn(name, " \t");
        if (*value)
            *value++ = '\0';
        parsed = strtod(value, &rest);
        if (rest == value || rest[strspn(rest, " \t\r")] || !(parsed >= 0 && parsed <= 1e100))
            return fzi_context_fail(study->context, FZ_BAD_INPUT, "%s:%u: expected a line and its "
                                    "wear, such as `a1-b1 0.35`", path, number);
        for (size_t i = 0; i < w->count; i++)
            if (same_line(w->lines[i].name, name))
                return fzi_context_fail(study->context, FZ_BAD_INPUT,
                                        "%s:%u: line %s has a wear already", path, number, name);
        *FZI_MORE(study->arena, w->lines, w->count, w->room) = (fzi_worn_line){name, parsed};
        any |= parsed > 0;
    }
    return any ? FZ_OK
               : fzi_context_fail(study->context, FZ_BAD_INPUT, "%s: no line is worn", path);
}

fz_status fzi_wear_read(const fz_study *study, const char *path, fzi_wear *w)
{
    char *text = NULL;
    size_t length;
    fz_status status = fzi_context_read_regular(study->context, path, &text, &length);

    if (status != FZ_OK)
        return status;
    char *copy = fzi_arena_copy(study->arena, text, length + 1);
    fzi_release(study->context->allocator, text);
    return parse_wear(study, path, copy, w);
}

static const fzi_worn_line *worn_line(const fzi_wear *w, const char *name)
{
    for (size_t i = 0; i < w->count; i++)
        if (same_line(w->lines[i].name, name))
            return &w->lines[i];
    return NULL;
}

bool fzi_wear_of(const fzi_wear *w, const fzi_study_cell *cell, double *out)
{
    if (w->count != cell->line_count)
        return false;
    for (uint32_t i = 0; i < cell->line_count; i++) {
        const fzi_worn_line *line = worn_line(w, cell->line_names[i]);
        if (!line)
            return false;
        out[i] = line->wear;
    }
    fzi_make_shares(out, cell->line_count);
    return true;
}

/* What the wear and a cell do not share; the first such line of either, or NULL. */
typedef struct misfit {
    const fzi_study_cell *cell;
    size_t count;
    const char *strange, *missing;
} misfit;

static misfit misfit_of(const fzi_wear *w, const fzi_study_cell *cell)
{
    misfit m = {.cell = cell};

    for (uint32_t i = cell->line_count; i-- > 0;)
        if (!worn_line(w, cell->line_names[i])) {
            m.missing = cell->line_names[i];
            m.count++;
        }
    for (size_t k = w->count; k-- > 0;) {
        uint32_t i = 0;
        while (i < cell->line_count && !same_line(cell->line_names[i], w->lines[k].name))
            i++;
        if (i == cell->line_count) {
            m.strange = w->lines[k].name;
            m.count++;
        }
    }
    return m;
}

fz_status fzi_wear_unfit(const fz_study *study, const char *path, const fzi_wear *w)
{
    misfit best = {0};

    for (size_t i = 0; i < study->count; i++)
        if (study->cells[i].line_count) {
            misfit m = misfit_of(w, &study->cells[i]);
            best = !best.cell || m.count < best.count ? m : best;
        }
    const char *name = best.cell ? best.cell->name : "";
    if (!best.cell)
        return fzi_context_fail(study->context, FZ_BAD_INPUT, "%s: no board of the study has lines",
                                path);
    if (best.strange)
        return fzi_context_fail(study->context, FZ_BAD_INPUT, "%s: no ruleset has exactly these "
                                "lines: %s is no line of '%s'; its lines have names such as %s",
                                path, best.strange, name, best.cell->line_names[0]);
    return fzi_context_fail(study->context, FZ_BAD_INPUT, "%s: no ruleset has exactly these lines: "
                            "'%s' also has the line %s", path, name, best.missing);
}

/* Of how many groups each has a game. */
static uint64_t groups_used(const fzi_study_cell *cell)
{
    return cell->games_used < FZI_USE_GROUPS ? cell->games_used : FZI_USE_GROUPS;
}

/* The standard error of the distance, by a jackknife: each group of games is left out once. NAN:
 * too few games. */
static double distance_error(const fz_study *study, const fzi_study_cell *cell, const double *use)
{
    uint64_t count = groups_used(cell);
    size_t size = (cell->line_count + 1) * sizeof(double);
    double *shares = fzi_arena_alloc(study->arena, size);
    double *room = fzi_arena_alloc(study->arena, size), sum = 0, squares = 0;
    unsigned best;

    for (unsigned left_out = 0; left_out < count; left_out++) {
        memset(shares, 0, size);
        for (unsigned g = 0; g < count; g++)
            for (uint32_t i = 0; g != left_out && i < cell->line_count; i++)
                shares[i] += cell->groups[g][i];
        fzi_make_shares(shares, cell->line_count);
        double d = fit(cell, shares, use, room, &best);
        sum += d;
        squares += d * d;
    }
    double n = (double)count;
    return count < 2 ? NAN : sqrt(fmax(0, squares - sum * sum / n) * (n - 1) / n);
}

/* A cell whose lines are those of the wear. */
typedef struct fitted_cell {
    const fzi_study_cell *cell;
    size_t number;              /* of the cell */
    double *use, distance, error;
    uint64_t groups;            /* from which the error is known */
} fitted_cell;

static int by_distance(const void *a, const void *b)
{
    const fitted_cell *x = a, *y = b;

    return x->distance != y->distance ? (x->distance > y->distance) - (x->distance < y->distance)
                                      : (x->number > y->number) - (x->number < y->number);
}

/* The cells are independent, so their errors add up. The error that is known worse counts. */
static bool differs(const fitted_cell *a, const fitted_cell *b)
{
    double groups = (double)(a->groups < b->groups ? a->groups : b->groups);

    return fabs(a->distance - b->distance) >
           fzi_student_95(groups - 1) * hypot(a->error, b->error);
}

static json_t *wear_row(const fz_study *study, const fitted_cell *all, size_t count, size_t at)
{
    static const char *const mirrors[] = {"", "left-right", "top-bottom", "both"};
    const fitted_cell *f = &all[at];
    const fzi_study_cell *cell = f->cell;
    double *room = fzi_arena_alloc(study->arena, (cell->line_count + 1) * sizeof *room);
    fzi_estimate e = fzi_mean_estimate(f->distance, f->error * sqrt((double)f->groups),
                                       f->groups);
    size_t first = 1, last = count;
    unsigned best = 0;

    for (size_t i = 0; i < count; i++)
        if (i != at && differs(&all[i], f)) {
            first += i < at;
            last -= i > at;
        }
    fit(cell, cell->line_shares, f->use, room, &best);
    fzi_cell_mirrored(cell, best, cell->line_shares, room);
    return json_pack("{s:I, s:I, s:I, s:s, s:s, s:f, s:o, s:o, s:o?, s:s}", "rank",
                     (json_int_t)at + 1, "first rank", (json_int_t)first, "last rank",
                     (json_int_t)last, "ruleset", cell->name, "agents", cell->agents, "distance",
                     f->distance, "low", fzi_number_json(fmax(0, e.low)), "high",
                     fzi_number_json(fmin(1, e.high)), "correlation",
                     json_real(fzi_correlation(room, f->use, cell->line_count)), "mirrored",
                     mirrors[best]);
}

static json_t *rank_cells(const fz_study *study, const fzi_wear *w)
{
    fitted_cell *fitted = fzi_arena_alloc(study->arena, (study->count + 1) * sizeof *fitted);
    json_t *rows = json_array();
    size_t count = 0;

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *cell = &study->cells[i];
        size_t size = (cell->line_count + 1) * sizeof(double);
        double *use = fzi_arena_alloc(study->arena, size);
        double *room = fzi_arena_alloc(study->arena, size);
        unsigned best;
        if (fzi_wear_of(w, cell, use))
            fitted[count++] = (fitted_cell){
                .cell = cell, .number = i, .use = use,
                .distance = fit(cell, cell->line_shares, use, room, &best),
                .error = distance_error(study, cell, use), .groups = groups_used(cell)};
    }
    qsort(fitted, count, sizeof *fitted, by_distance);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(rows, wear_row(study, fitted, count, i));
    return rows;
}

json_t *fzi_study_wear(const fz_study *study, const char *path)
{
    fzi_wear w = {0};

    if (fzi_wear_read(study, path, &w) != FZ_OK)
        return NULL;
    json_t *rows = rank_cells(study, &w);
    if (json_array_size(rows))
        return rows;
    json_decref(rows);
    fzi_wear_unfit(study, path, &w);
    return NULL;
}

/* ---- recovering ---- */

enum { TRIALS = 100, NOISE = 0x77656172 }; /* NOISE: no game has this number */

/* One cell wears the lines, with noise; all that have them are asked whether it was they. */
typedef struct trial_run {
    const fz_study *study;
    const fzi_study_cell *worn;
    double noise, **halves;      /* shares by the games with an even number, for each cell */
    double *wear, *room;
    uint64_t key, counter;
    size_t *taken;               /* how often each cell was nearest */
    size_t candidates, found, among_three, among_nine;
} trial_run;

double fzi_wear_noise(uint64_t key, uint64_t *counter)
{
    double u = (fzi_chance_at(key, *counter) + 1.0) / 4294967296.0;
    double v = fzi_chance_at(key, *counter + 1) / 4294967296.0;

    *counter += 2;
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* The use of a line by the games with an odd (0) or an even number (1). */
static double half_use(const fzi_study_cell *cell, unsigned half, uint32_t line)
{
    double sum = 0;

    for (unsigned g = half; g < FZI_USE_GROUPS; g += 2)
        sum += cell->groups[g][line];
    return sum;
}

static void wear_lines(trial_run *t)
{
    for (uint32_t i = 0; i < t->worn->line_count; i++)
        t->wear[i] = half_use(t->worn, 0, i) * exp(t->noise * fzi_wear_noise(t->key, &t->counter));
    fzi_make_shares(t->wear, t->worn->line_count);
}

static bool is_candidate(const trial_run *t, size_t i)
{
    const fzi_study_cell *cell = &t->study->cells[i];

    return strcmp(cell->agents, t->worn->agents) == 0 && fzi_cells_share_lines(cell, t->worn);
}

static void ask_all(trial_run *t)
{
    double own = INFINITY, least = INFINITY;
    size_t nearer = 0, nearest = 0, at = (size_t)(t->worn - t->study->cells);
    unsigned mirrors;

    own = fit(t->worn, t->halves[at], t->wear, t->room, &mirrors);
    t->candidates = 0;
    for (size_t i = 0; i < t->study->count; i++) {
        if (!is_candidate(t, i))
            continue;
        double d = fit(&t->study->cells[i], t->halves[i], t->wear, t->room, &mirrors);
        t->candidates++;
        nearer += i != at && d < own;
        if (d < least) {
            least = d;
            nearest = i;
        }
    }
    t->taken[nearest]++;
    t->found += nearest == at;
    t->among_three += nearer < 3;
    t->among_nine += nearer < 9;
}

static double part(size_t count)
{
    return (double)count / TRIALS;
}

static json_t *trial_row(const trial_run *t)
{
    size_t at = (size_t)(t->worn - t->study->cells), other = at, most = 0;

    for (size_t i = 0; i < t->study->count; i++)
        if (i != at && t->taken[i] > most) {
            most = t->taken[i];
            other = i;
        }
    return json_pack("{s:s, s:s, s:f, s:I, s:I, s:f, s:f, s:f, s:s, s:f}", "ruleset",
                     t->worn->name, "agents", t->worn->agents, "noise", t->noise, "lines",
                     (long long)t->worn->line_count, "candidates", (long long)t->candidates,
                     "found", part(t->found), "among 3", part(t->among_three), "among 9",
                     part(t->among_nine), "taken for", most ? t->study->cells[other].name : "",
                     "times", part(most));
}

static json_t *run_trials(const fz_study *study, const fzi_study_cell *worn, double noise,
                          double **halves)
{
    trial_run t = {.study = study, .worn = worn, .noise = noise, .halves = halves,
                   .wear = fzi_arena_alloc(study->arena, (worn->line_count + 1) * sizeof(double)),
                   .room = fzi_arena_alloc(study->arena, (worn->line_count + 1) * sizeof(double)),
                   .taken = fzi_arena_alloc(study->arena, (study->count + 1) * sizeof(size_t)),
                   .key = fzi_chance_key(fzi_experiment_seed(worn->experiment), NOISE)};

    for (int i = 0; i < TRIALS; i++) {
        wear_lines(&t);
        ask_all(&t);
    }
    return trial_row(&t);
}

static bool steps_in_both(const fzi_study_cell *cell)
{
    double sums[2] = {0, 0};

    for (uint32_t i = 0; i < cell->line_count; i++)
        for (unsigned half = 0; half < 2; half++)
            sums[half] += half_use(cell, half, i);
    return sums[0] > 0 && sums[1] > 0;
}

static double **even_halves(const fz_study *study)
{
    double **halves = fzi_arena_alloc(study->arena, (study->count + 1) * sizeof *halves);

    for (size_t i = 0; i < study->count; i++) {
        const fzi_study_cell *cell = &study->cells[i];
        size_t size = (cell->line_count + 1) * sizeof **halves;
        halves[i] = fzi_arena_alloc(study->arena, size);
        for (uint32_t k = 0; k < cell->line_count; k++)
            halves[i][k] = half_use(cell, 1, k);
        fzi_make_shares(halves[i], cell->line_count);
    }
    return halves;
}

/* ---- the rows together ---- */

/* The rows of a group are of the same agents, noise and board. */
static bool same_group(const json_t *a, const json_t *b)
{
    static const char *const members[] = {"agents", "noise", "lines", "candidates"};

    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!json_equal(json_object_get(a, members[i]), json_object_get(b, members[i])))
            return false;
    return true;
}

static json_t *group_row(const json_t *rows, const json_t *first)
{
    static const char *const members[] = {"found", "among 3", "among 9"};
    json_t *group = json_pack("{s:O, s:O, s:O, s:O}", "agents", json_object_get(first, "agents"),
                              "noise", json_object_get(first, "noise"), "lines",
                              json_object_get(first, "lines"), "candidates",
                              json_object_get(first, "candidates"));
    double sums[3] = {0};
    int rulesets = 0;
    size_t i;
    json_t *row;

    json_array_foreach(rows, i, row) {
        if (!same_group(row, first))
            continue;
        rulesets++;
        for (int k = 0; k < 3; k++)
            sums[k] += json_real_value(json_object_get(row, members[k]));
    }
    json_object_set_new(group, "rulesets", json_integer(rulesets));
    for (int k = 0; k < 3; k++)
        json_object_set_new(group, members[k], json_real(sums[k] / rulesets));
    return group;
}

static json_t *recovered(const json_t *rows)
{
    json_t *groups = json_array();

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        size_t k = 0;
        while (k < i && !same_group(json_array_get(rows, k), row))
            k++;
        if (k == i)
            json_array_append_new(groups, group_row(rows, row));
    }
    return groups;
}

json_t *fzi_study_recover(const fz_study *study, const char *list)
{
    double **halves = even_halves(study);
    json_t *rows = json_array();
    bool good = true;

    for (const char *at = list; good && *at;) {
        char *end;
        double noise = strtod(at, &end);
        good = end > at && (!*end || (*end == ',' && end[1])) && noise >= 0 && noise <= 10;
        for (size_t i = 0; good && i < study->count; i++)
            if (steps_in_both(&study->cells[i]))
                json_array_append_new(rows, run_trials(study, &study->cells[i], noise, halves));
        at = *end ? end + 1 : end;
    }
    if (good && *list)
        return json_pack("{s:o, s:o}", "recovery", rows, "recovered", recovered(rows));
    json_decref(rows);
    fzi_context_fail(study->context, FZ_USAGE, "noises are deviations from 0 to 10, such as "
                     "0,0.1,0.3, not '%s'", list);
    return NULL;
}
