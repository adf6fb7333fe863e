/* Figures of two samples. See lab.h. */
#include "lab.h"

/* The interval of the difference of two shares is Newcombe's, from Wilson's; the p value that of
 * Fisher's exact test. */
static fzi_contrast share(uint64_t hits, uint64_t total, uint64_t other_hits, uint64_t other_total)
{
    fzi_estimate p = fzi_share_estimate(hits, total);
    fzi_estimate q = fzi_share_estimate(other_hits, other_total);
    fzi_estimate d = fzi_estimate_difference(p, q);

    return (fzi_contrast){.share = true, .one = p.value, .other = q.value, .low = d.low,
                          .high = d.high,
                          .p = fzi_exact_p(hits, total, other_hits, other_total)};
}

fzi_contrast fzi_contrast_of(const char *name, double one, double error, uint64_t count,
                             double other, double other_error, uint64_t other_count)
{
    double both = hypot(error, other_error), n = (double)count, m = (double)other_count;
    double freedom = fzi_welch_freedom(error, n, other_error, m);
    double half = both > 0 ? fzi_student_95(freedom) * both : 0;
    fzi_contrast f = {.one = one, .other = other, .low = other - one - half,
                      .high = other - one + half, .p = both > 0 || one != other ? 0 : 1};

    snprintf(f.name, sizeof f.name, "%s", name);
    if (both > 0)
        f.p = fzi_student_p((other - one) / both, freedom);
    /* One game says nothing about how games differ. */
    if (count < 2 || other_count < 2)
        f.p = 1;
    return f;
}

static fzi_contrast mean(const char *name, double one, double deviation, uint64_t count,
                         double other, double other_deviation, uint64_t other_count)
{
    fzi_contrast f = fzi_contrast_of(name, one, deviation / sqrt((double)count), count, other,
                                     other_deviation / sqrt((double)other_count), other_count);
    fzi_estimate d = fzi_estimate_difference(fzi_mean_estimate(one, deviation, count),
                                             fzi_mean_estimate(other, other_deviation,
                                                               other_count));

    f.low = d.low;
    f.high = d.high;
    return f;
}

static unsigned players_of(const fzi_contrast_side *side)
{
    return side->program ? (unsigned)fz_program_players(side->program)
                         : fzi_experiment_players(side->experiment);
}

static const char *player_of(const fzi_contrast_side *side, unsigned player)
{
    return side->program ? fz_program_player_name(side->program, (int)player)
                         : fzi_experiment_player(side->experiment, player);
}

static bool pays(const fzi_contrast_side *side)
{
    return side->program ? fz_program_has_payoffs(side->program)
                         : fzi_experiment_is(side->experiment, "payoffs");
}

/* Names a seat of both sides: one name if both have the same. */
static void name_seat(char *text, const fzi_contrast_side *a, const fzi_contrast_side *b,
                      unsigned player, const char *what)
{
    const char *name = player_of(a, player), *second = player_of(b, player);

    if (strcmp(name, second) == 0)
        snprintf(text, FZI_CONTRAST_NAME, "%s %s", name, what);
    else
        snprintf(text, FZI_CONTRAST_NAME, "%s, %s %s", name, second, what);
}

static void add_share(fzi_contrast *figures, size_t *count, const char *name, uint64_t hits,
                      uint64_t total, uint64_t other_hits, uint64_t other_total)
{
    figures[*count] = share(hits, total, other_hits, other_total);
    snprintf(figures[(*count)++].name, FZI_CONTRAST_NAME, "%s", name);
}

size_t fzi_contrasts_make(const fzi_contrast_side *one, const fzi_contrast_side *other,
                        fzi_contrast figures[FZI_MOST_CONTRASTS])
{
    const fz_tally *a = one->tally, *b = other->tally;
    unsigned players = players_of(one), most = players_of(other);
    uint64_t n = fzi_finished(a), m = fzi_finished(b);
    char name[FZI_CONTRAST_NAME];
    size_t count = 0;

    for (unsigned p = 0; p < players && p < most; p++) {
        name_seat(name, one, other, p, "won");
        add_share(figures, &count, name, a->wins[p], n, b->wins[p], m);
    }
    if (a->losses || b->losses)
        add_share(figures, &count, "losses", a->losses, n, b->losses, m);
    if (a->shared || b->shared)
        add_share(figures, &count, "shared first", a->shared, n, b->shared, m);
    add_share(figures, &count, "draws", a->draws, n, b->draws, m);
    if (a->stopped || b->stopped)
        add_share(figures, &count, "stopped", a->stopped, a->playouts, b->stopped, b->playouts);
    figures[count++] = mean("decisions", a->mean, a->deviation, a->playouts, b->mean,
                            b->deviation, b->playouts);
    for (unsigned p = 0; pays(one) && pays(other) && p < players && p < most; p++) {
        name_seat(name, one, other, p, "payoff");
        figures[count++] = mean(name, a->payoff_mean[p], a->payoff_deviation[p], n,
                                b->payoff_mean[p], b->payoff_deviation[p], m);
    }
    return count;
}

bool fzi_contrasts_adjust(fzi_contrast *figures, size_t count, fzi_allocator allocator)
{
    double *p = fzi_allocate(allocator, count * sizeof *p);
    bool good = p != NULL;

    for (size_t i = 0; good && i < count; i++)
        p[i] = figures[i].p;
    good = good && fzi_holm(p, count, allocator);
    for (size_t i = 0; good && i < count; i++)
        figures[i].p = p[i];
    fzi_release(allocator, p);
    return good;
}
