/* Footprints: the sites that a filter's verdict depends on. Most moves cannot change a verdict.
 * Whether a king stands in check changes only by moves on the lines to it. To judge a whole list,
 * the filter therefore runs once on the position before the move and finds the sites that matter.
 * Only moves from or to one of these sites are tried.
 *
 * The moves in question have two events: a piece of `player` leaves a site, which is empty then; a
 * piece of `player`, of any kind, arrives at a site that none of theirs is on. The filter's code
 * runs on sets with these parts (enum part):
 *   VALUE               the members in the present position
 *   COMES_*, GOES_*     sites that become members, or are members no longer, by an event there
 *   MORE                other sites that may become members, by events elsewhere
 *   GROWS_*, SHRINKS_*  where these events must happen for MORE, and for any other loss of members
 * A decision on a set adds to the footprint only the events that can turn the decision: a slide
 * that finds no rider has no site that a piece could not arrive at. An instruction without a case
 * here ends the attempt; then every move is tried.
 *
 * Compiled once for boards of one word and once for all others. The includer defines FZ_FOOTPRINT
 * (the function's name) and FZ_WORDS. */
#include "footprint.h"
#include "interp/board/topology.h"
#include "interp/program/quiet_effects.h"
#include "interp/state/state.h"
#include "interp/support/words.h"

static const uint8_t code_lengths[] = {
#define OP(name, operands, extension, flags, meaning) sizeof(extension),
#include "interp/program/opcodes.def"
#undef OP
};

enum { MAX_FRAMES = 8, SETS = 64, INTS = 384, MAX_STEPS = 1000 };

/* _LEFT: a piece leaves; _FILLED: one arrives. */
enum part {
    VALUE, COMES_LEFT, COMES_FILLED, GOES_LEFT, GOES_FILLED,
    MORE, GROWS_LEFT, GROWS_FILLED, SHRINKS_LEFT, SHRINKS_FILLED,
    PARTS
};

static const uint64_t no_sites[FZ_MOST_WORDS];

typedef struct frame {
    const fz_code *back;      /* where the caller goes on */
    int64_t *ints;
    unsigned sets;            /* the first of its set registers */
    uint8_t result;           /* the caller's register */
} frame;

typedef struct reader {
    const fz_machine *m;
    const fz_program *p;
    const fz_state *state;
    int player;
    fzi_footprint *found;
    frame frames[MAX_FRAMES];
    unsigned depth;
    unsigned int_top, set_top;
    int64_t ints[INTS];
    bool sure[SETS];          /* the set has no part but its value */
    uint64_t sets[SETS * PARTS * FZ_MOST_WORDS];
} reader;

/* ---- sets ---- */

static unsigned number_of(const reader *r, unsigned reg)
{
    return r->frames[r->depth].sets + reg;
}

static uint64_t *part_of(reader *r, unsigned reg, enum part part)
{
    return r->sets + ((size_t)number_of(r, reg) * PARTS + part) * FZ_WORDS(r);
}

static uint64_t *value_of(reader *r, unsigned reg)
{
    return part_of(r, reg, VALUE);
}

static bool is_sure(const reader *r, unsigned reg)
{
    return r->sure[number_of(r, reg)];
}

static void be_sure(reader *r, unsigned reg)
{
    r->sure[number_of(r, reg)] = true;
}

/* Room for all parts, which are empty yet. */
static void be_unsure(reader *r, unsigned reg)
{
    if (is_sure(r, reg))
        fzi_words_clear(part_of(r, reg, VALUE + 1), (PARTS - 1) * FZ_WORDS(r));
    r->sure[number_of(r, reg)] = false;
}

static void add_to(uint64_t *into, const uint64_t *set, unsigned w)
{
    for (unsigned i = 0; i < w; i++)
        into[i] |= set[i];
}

static void add_events(reader *r, unsigned reg, enum part left, enum part filled)
{
    add_to(r->found->left, part_of(r, reg, left), FZ_WORDS(r));
    add_to(r->found->filled, part_of(r, reg, filled), FZ_WORDS(r));
}

static bool has_part(reader *r, unsigned reg, enum part part)
{
    return !fzi_words_empty(part_of(r, reg, part), FZ_WORDS(r));
}

/* From now on the set has only these members. */
static void keep_out(reader *r, unsigned reg)
{
    if (has_part(r, reg, MORE))
        add_events(r, reg, GROWS_LEFT, GROWS_FILLED);
    add_events(r, reg, COMES_LEFT, COMES_FILLED);
}

/* From now on the set is certain. */
static void settle(reader *r, unsigned reg)
{
    if (is_sure(r, reg))
        return;
    keep_out(r, reg);
    add_events(r, reg, GOES_LEFT, GOES_FILLED);
    add_events(r, reg, SHRINKS_LEFT, SHRINKS_FILLED);
    be_sure(r, reg);
}

static void give_certain(reader *r, unsigned reg, const uint64_t *value)
{
    fzi_words_copy(value_of(r, reg), value, FZ_WORDS(r));
    be_sure(r, reg);
}

/* Whatever might still be added or lost is dropped where that cannot be. */
static void tidy(reader *r, unsigned reg)
{
    unsigned w = FZ_WORDS(r);
    if (!has_part(r, reg, MORE))
        fzi_words_clear(part_of(r, reg, GROWS_LEFT), 2 * w);
    if (!has_part(r, reg, VALUE))
        fzi_words_clear(part_of(r, reg, SHRINKS_LEFT), 2 * w);
}

/* Where a set may shrink at all. */
static bool may_shrink(reader *r, unsigned reg)
{
    return has_part(r, reg, SHRINKS_LEFT) || has_part(r, reg, SHRINKS_FILLED);
}

typedef struct word {
    uint64_t p[PARTS];
} word;

static void combine_word(unsigned op, word *o, const word *x, const word *y, bool y_shrinks)
{
    const uint64_t *a = x->p, *b = y->p;
    uint64_t any_a = a[VALUE] | a[COMES_LEFT] | a[COMES_FILLED] | a[MORE];
    uint64_t any_b = b[VALUE] | b[COMES_LEFT] | b[COMES_FILLED] | b[MORE];
    uint64_t v;
    for (unsigned e = 0; e < 2; e++) { /* a piece leaves, one arrives */
        uint64_t come_a = a[COMES_LEFT + e], come_b = b[COMES_LEFT + e];
        uint64_t go_a = a[GOES_LEFT + e], go_b = b[GOES_LEFT + e];
        uint64_t *come = &o->p[COMES_LEFT + e], *go = &o->p[GOES_LEFT + e];
        o->p[GROWS_LEFT + e] = a[GROWS_LEFT + e];
        o->p[SHRINKS_LEFT + e] = a[SHRINKS_LEFT + e];
        if (op == FZ_OP_SAND) {
            v = a[VALUE] & b[VALUE];
            *come = (a[VALUE] | come_a) & (b[VALUE] | come_b) & ~v;
            *go = v & (go_a | go_b);
            o->p[MORE] = ((a[MORE] & any_b) | (b[MORE] & any_a)) & ~v;
        } else if (op == FZ_OP_SOR) {
            v = a[VALUE] | b[VALUE];
            *come = (come_a | come_b) & ~v;
            *go = v & (go_a | ~a[VALUE]) & (go_b | ~b[VALUE]);
            o->p[MORE] = (a[MORE] | b[MORE]) & ~v;
        } else {
            v = a[VALUE] & ~b[VALUE];
            *come = (a[VALUE] | come_a) & ~(b[VALUE] & ~go_b) & ~v;
            *go = v & (go_a | come_b);
            o->p[MORE] = (a[MORE] | (y_shrinks ? b[VALUE] : 0)) & any_a & ~v;
        }
        bool other = op == FZ_OP_SSUB;
        o->p[GROWS_LEFT + e] |= b[(other ? SHRINKS_LEFT : GROWS_LEFT) + e];
        o->p[SHRINKS_LEFT + e] |= b[(other ? GROWS_LEFT : SHRINKS_LEFT) + e];
        o->p[VALUE] = v;
    }
}

/* a = b & c or b - c of a set that is certain: each part of b is cut. */
static void cut(reader *r, unsigned a, unsigned b, const uint64_t *by, bool out)
{
    unsigned w = FZ_WORDS(r);
    for (unsigned p = VALUE; p <= MORE; p++) {
        const uint64_t *x = part_of(r, b, (enum part)p);
        uint64_t *to = part_of(r, a, (enum part)p);
        for (unsigned i = 0; i < w; i++)
            to[i] = x[i] & (out ? ~by[i] : by[i]);
    }
    memmove(part_of(r, a, GROWS_LEFT), part_of(r, b, GROWS_LEFT), 4 * w * sizeof(uint64_t));
    r->sure[number_of(r, a)] = false;
    tidy(r, a);
}

/* a = b & c, b | c or b - c. */
static void combine(reader *r, unsigned op, unsigned a, unsigned b, unsigned c)
{
    unsigned w = FZ_WORDS(r);
    if (is_sure(r, b) && is_sure(r, c)) {
        const uint64_t *x = value_of(r, b), *y = value_of(r, c);
        uint64_t *out = value_of(r, a);
        for (unsigned i = 0; i < w; i++)
            out[i] = op == FZ_OP_SAND ? x[i] & y[i] : op == FZ_OP_SOR ? x[i] | y[i] : x[i] & ~y[i];
        be_sure(r, a);
        return;
    }
    if (op != FZ_OP_SOR && (is_sure(r, c) || (op == FZ_OP_SAND && is_sure(r, b)))) {
        unsigned fixed = is_sure(r, c) ? c : b;
        uint64_t by[FZ_MOST_WORDS];
        fzi_words_copy(by, value_of(r, fixed), w);
        cut(r, a, fixed == c ? b : c, by, op == FZ_OP_SSUB);
        return;
    }
    be_unsure(r, b);
    be_unsure(r, c);
    bool shrinks = may_shrink(r, c);
    const uint64_t *x = value_of(r, b), *y = value_of(r, c);
    uint64_t *out = value_of(r, a);
    for (unsigned i = 0; i < w; i++) {
        word from, with, into;
        for (unsigned p = 0; p < PARTS; p++) {
            from.p[p] = x[p * w + i];
            with.p[p] = y[p * w + i];
        }
        combine_word(op, &into, &from, &with, shrinks);
        for (unsigned p = 0; p < PARTS; p++)
            out[p * w + i] = into.p[p];
    }
    r->sure[number_of(r, a)] = false;
    tidy(r, a);
}

/* Has the set a member? Of two events, neither takes the last of three members that stand alone. */
static bool some(reader *r, unsigned reg)
{
    unsigned w = FZ_WORDS(r);
    const uint64_t *v = value_of(r, reg);
    if (is_sure(r, reg))
        return !fzi_words_empty(v, w);
    if (fzi_words_empty(v, w)) {
        keep_out(r, reg);
        return false;
    }
    const uint64_t *left = part_of(r, reg, GOES_LEFT), *filled = part_of(r, reg, GOES_FILLED);
    add_events(r, reg, SHRINKS_LEFT, SHRINKS_FILLED);
    unsigned kept = 0, one = (unsigned)fzi_words_lowest(v, w);
    bool stays = false;
    for (unsigned i = 0; i < w; i++) {
        stays = stays || (v[i] & ~left[i] & ~filled[i]);
        kept += (unsigned)__builtin_popcountll(v[i]);
    }
    if (!stays && kept < 3) {
        if (fzi_words_has(left, one))
            fzi_words_add(r->found->left, one);
        if (fzi_words_has(filled, one))
            fzi_words_add(r->found->filled, one);
    }
    return true;
}

/* Do they meet? The register after the frame's last is free for it. */
static bool meet(reader *r, unsigned b, unsigned c)
{
    unsigned spare = r->set_top - r->frames[r->depth].sets - 1;
    combine(r, FZ_OP_SAND, spare, b, c);
    return some(r, spare);
}

static bool has(reader *r, unsigned reg, int64_t number)
{
    unsigned site = (unsigned)number;
    if (number < 0 || number >= r->m->site_count)
        return false;
    bool member = fzi_words_has(value_of(r, reg), site);
    if (is_sure(r, reg))
        return member;
    if (member)
        add_events(r, reg, SHRINKS_LEFT, SHRINKS_FILLED);
    else if (fzi_words_has(part_of(r, reg, MORE), site))
        add_events(r, reg, GROWS_LEFT, GROWS_FILLED);
    if (fzi_words_has(part_of(r, reg, member ? GOES_LEFT : COMES_LEFT), site))
        fzi_words_add(r->found->left, site);
    if (fzi_words_has(part_of(r, reg, member ? GOES_FILLED : COMES_FILLED), site))
        fzi_words_add(r->found->filled, site);
    return member;
}

/* ---- the board ---- */

static const uint64_t *own_at(const reader *r, int64_t owner)
{
    uint64_t index = owner < 0 ? r->m->player_count : (uint64_t)owner;
    return fzi_sets_at(r->state, r->m->layout.own) + index * FZ_WORDS(r);
}

static void occupied(const reader *r, uint64_t *out)
{
    fzi_words_clear(out, FZ_WORDS(r));
    for (int64_t p = -1; p < r->m->player_count; p++)
        add_to(out, own_at(r, p), FZ_WORDS(r));
}

static void of_kind(const reader *r, int64_t kind, uint64_t *out)
{
    if (r->m->layout.kinds)
        fzi_words_copy(out,
                       fzi_sets_at(r->state, r->m->layout.kinds) + (uint64_t)kind * FZ_WORDS(r),
                       FZ_WORDS(r));
    else
        occupied(r, out);
}

/* A set of what stands on the board: the members; those that are so by a piece of `player`, and by
 * anything else on their site; and whether a piece that arrives makes one. */
static void give_board(reader *r, unsigned reg, const uint64_t *value, bool empties, bool comes)
{
    const uint64_t *own = own_at(r, r->player);
    const uint64_t *left = r->found->left, *filled = r->found->filled;
    uint64_t v[FZ_MOST_WORDS];
    unsigned w = FZ_WORDS(r);
    fzi_words_copy(v, value, w);
    be_sure(r, reg);
    be_unsure(r, reg);
    fzi_words_copy(value_of(r, reg), v, w);
    for (unsigned i = 0; i < w; i++) {
        uint64_t leaves = own[i] & ~left[i], others = r->m->all[i] & ~own[i] & ~filled[i];
        part_of(r, reg, COMES_LEFT)[i] = empties ? leaves & ~v[i] : 0;
        part_of(r, reg, GOES_LEFT)[i] = empties ? 0 : leaves & v[i];
        part_of(r, reg, COMES_FILLED)[i] = comes ? others & ~v[i] : 0;
        part_of(r, reg, GOES_FILLED)[i] = comes ? 0 : others & v[i];
    }
}

static bool read_kind(reader *r, unsigned reg, int64_t kind)
{
    uint64_t value[FZ_MOST_WORDS];
    if (kind < 0 || kind >= r->m->kind_count)
        return false;
    of_kind(r, kind, value);
    give_board(r, reg, value, false, true);
    /* another kind may arrive */
    for (unsigned i = 0; i < FZ_WORDS(r); i++)
        part_of(r, reg, GOES_FILLED)[i] =
            value[i] & ~own_at(r, r->player)[i] & ~r->found->filled[i];
    return true;
}

static bool read_owned(reader *r, unsigned reg, int64_t owner)
{
    if (owner < -1 || owner >= r->m->player_count)
        return false;
    give_board(r, reg, own_at(r, owner), false, owner == r->player);
    return true;
}

/* Pieces of `player` of one kind stay where they are, and only a move that makes such a piece
 * (fz_quiet) adds one: prune.c sees to it. */
static bool read_pieces(reader *r, unsigned reg, int64_t kind, int64_t owner)
{
    uint64_t value[FZ_MOST_WORDS];
    if (kind < 0 || kind >= r->m->kind_count || owner < -1 || owner >= r->m->player_count)
        return false;
    of_kind(r, kind, value);
    for (unsigned i = 0; i < FZ_WORDS(r); i++)
        value[i] &= own_at(r, owner)[i];
    if (owner != r->player) {
        give_board(r, reg, value, false, false);
        return true;
    }
    add_to(r->found->left, value, FZ_WORDS(r));
    r->found->kinds |= FZ_QUIET_BIT(kind);
    give_certain(r, reg, value);
    return true;
}

/* Only where it changes nothing: the site holds a piece of that owner. */
static bool phantom(reader *r, int64_t site, int64_t owner)
{
    if (site < 0 || site >= r->m->site_count || owner < -1 || owner >= r->m->player_count ||
        !fzi_words_has(own_at(r, owner), (unsigned)site))
        return false;
    fzi_words_add(owner == r->player ? r->found->left : r->found->filled, (unsigned)site);
    return true;
}

/* ---- geometry ---- */

/* All that may be in the set. */
static void most_of(reader *r, unsigned reg, uint64_t *out)
{
    fzi_words_copy(out, value_of(r, reg), FZ_WORDS(r));
    if (is_sure(r, reg))
        return;
    add_to(out, part_of(r, reg, COMES_LEFT), FZ_WORDS(r));
    add_to(out, part_of(r, reg, COMES_FILLED), FZ_WORDS(r));
    add_to(out, part_of(r, reg, MORE), FZ_WORDS(r));
}

/* What a step or a slide gives from `value` and from all that may be: `more`. Events anywhere in
 * the set that it starts from change it. */
static void give_reached(reader *r, unsigned a, unsigned from, const uint64_t *value,
                         const uint64_t *more)
{
    unsigned w = FZ_WORDS(r);
    uint64_t events[4][FZ_MOST_WORDS];
    static const uint8_t sources[4][2] = {{COMES_LEFT, GROWS_LEFT}, {COMES_FILLED, GROWS_FILLED},
                                          {GOES_LEFT, SHRINKS_LEFT}, {GOES_FILLED, SHRINKS_FILLED}};
    bool sure = is_sure(r, from);
    for (unsigned e = 0; e < 4; e++)
        for (unsigned i = 0; i < w; i++)
            events[e][i] = sure ? 0
                                : part_of(r, from, (enum part)sources[e][0])[i] |
                                      part_of(r, from, (enum part)sources[e][1])[i];
    be_sure(r, a);
    be_unsure(r, a);
    fzi_words_copy(value_of(r, a), value, w);
    for (unsigned i = 0; i < w; i++)
        part_of(r, a, MORE)[i] = more[i] & ~value[i];
    for (unsigned e = 0; e < 4; e++)
        fzi_words_copy(part_of(r, a, (enum part)(GROWS_LEFT + e)), events[e], w);
}

/* Rides from all of `from`. */
static void ride(reader *r, const uint64_t *from, const uint64_t *through, uint64_t dirs,
                 int64_t most, uint64_t *out)
{
    fzi_words_clear(out, FZ_WORDS(r));
    FZI_FOR_SITES (site, from, FZ_WORDS(r))
        fzi_slide(r->p->topology, (int)site, dirs, through, most, out);
}

/* All that such rides may reach, and perhaps more. In one direction, rides go on together: hoppers
 * may start from every site of a line. */
static void ride_far(reader *r, const uint64_t *from, const uint64_t *through, uint64_t dirs,
                     int64_t most, uint64_t *out)
{
    unsigned w = FZ_WORDS(r);
    uint64_t now[FZ_MOST_WORDS], next[FZ_MOST_WORDS], some = 1;
    if (dirs & (dirs - 1)) {
        ride(r, from, through, dirs, most, out);
        return;
    }
    fzi_words_copy(now, from, w);
    fzi_words_clear(out, w);
    while (some) {
        fzi_step(r->p->topology, now, dirs, next);
        some = 0;
        for (unsigned i = 0; i < w; i++) {
            now[i] = next[i] & through[i] & ~out[i];
            out[i] |= next[i];
            some |= now[i];
        }
    }
}

static bool slide(reader *r, unsigned a, unsigned from, unsigned through, uint64_t dirs,
                  int64_t most)
{
    unsigned w = FZ_WORDS(r);
    uint64_t out[FZ_MOST_WORDS], far[FZ_MOST_WORDS], from_all[FZ_MOST_WORDS], open[FZ_MOST_WORDS];
    uint64_t events[4][FZ_MOST_WORDS] = {{0}};
    dirs &= r->m->dir_mask;
    ride(r, value_of(r, from), value_of(r, through), dirs, most, out);
    if (is_sure(r, from) && is_sure(r, through)) {
        give_certain(r, a, out);
        return true;
    }
    most_of(r, from, from_all);
    most_of(r, through, open);
    ride_far(r, from_all, open, dirs, most, far);
    for (unsigned e = 0; e < 4 && !is_sure(r, through); e++)
        for (unsigned i = 0; i < w; i++)
            events[e][i] = (out[i] & part_of(r, through, (enum part)(COMES_LEFT + e))[i]) |
                           part_of(r, through, (enum part)(GROWS_LEFT + e))[i];
    give_reached(r, a, from, out, far);
    for (unsigned e = 0; e < 4; e++)
        add_to(part_of(r, a, (enum part)(GROWS_LEFT + e)), events[e], w);
    tidy(r, a);
    return true;
}

static bool step(reader *r, unsigned a, unsigned from, uint64_t dirs)
{
    uint64_t out[FZ_MOST_WORDS] = {0}, far[FZ_MOST_WORDS] = {0}, from_all[FZ_MOST_WORDS];
    fzi_step(r->p->topology, value_of(r, from), dirs & r->m->dir_mask, out);
    if (is_sure(r, from)) {
        give_certain(r, a, out);
        return true;
    }
    most_of(r, from, from_all);
    fzi_step(r->p->topology, from_all, dirs & r->m->dir_mask, far);
    give_reached(r, a, from, out, far);
    tidy(r, a);
    return true;
}

static bool leap(reader *r, unsigned a, unsigned from, int64_t one, int64_t other)
{
    uint64_t out[FZ_MOST_WORDS] = {0};
    settle(r, from);
    FZI_FOR_SITES (site, value_of(r, from), FZ_WORDS(r))
        fzi_ride(r->p->topology, (int)site, one, other, NULL, out);
    give_certain(r, a, out);
    return true;
}

/* ---- tables ---- */

static bool row(reader *r, unsigned a, uint32_t table, int64_t index)
{
    const fz_set_table *t = &r->p->set_tables[table];
    if (index < -1 || index >= (int64_t)t->rows)
        return false;
    give_certain(r, a,
                 index < 0 ? no_sites : r->p->set_pool + t->first + (uint64_t)index * FZ_WORDS(r));
    return true;
}

static bool entry(const reader *r, int64_t *out, uint32_t table, int64_t index)
{
    const fz_int_table *t = &r->p->int_tables[table];
    if (index < -1 || index >= (int64_t)t->length)
        return false;
    *out = index < 0 ? t->initial : r->p->int_pool[t->first + (uint32_t)index];
    return true;
}

/* The mask in two entries of a table. */
static bool mask_entry(const reader *r, int64_t *out, uint32_t table, int64_t index)
{
    const fz_int_table *t = &r->p->int_tables[table];
    if (index < -1 || index >= (int64_t)t->length / 2)
        return false;
    *out = index < 0 ? 0 : fzi_mask_get(r->p->int_pool + t->first + 2 * index);
    return true;
}

/* -1 when either is; out of range: -2. */
static int64_t place(int64_t b, int64_t c, int64_t k)
{
    if (b == -1 || c == -1)
        return -1;
    return b < 0 || c < 0 || c >= k || b > INT32_MAX ? -2 : b * k + c;
}

/* A variable that does not travel with the pieces. */
static bool load(reader *r, int64_t *out, uint32_t variable, int64_t index)
{
    const fz_variable *v = &r->p->variables[variable];
    if (v->carried || index < 0 || index >= v->length)
        return false;
    r->found->loads |= FZ_QUIET_BIT(variable);
    *out = fzi_state_get(r->state, variable, (uint32_t)index);
    return true;
}

/* ---- frames ---- */

static bool enter(reader *r, const fz_function *f)
{
    unsigned ints = f->ints, sets = f->sets + 1u; /* one more, for `meet` */
    if (r->int_top + ints > INTS || r->set_top + sets > SETS)
        return false;
    frame *now = &r->frames[r->depth];
    now->ints = r->ints + r->int_top;
    now->sets = r->set_top;
    r->int_top += ints;
    r->set_top += sets;
    memset(now->ints, 0, ints * sizeof *now->ints);
    for (unsigned i = 0; i < sets; i++) {
        fzi_words_clear(value_of(r, i), FZ_WORDS(r));
        be_sure(r, i);
    }
    return true;
}

static void copy_set(reader *r, unsigned to, unsigned from)
{
    size_t size = (r->sure[from] ? 1u : (unsigned)PARTS) * FZ_WORDS(r) * sizeof(uint64_t);
    size_t stride = (size_t)PARTS * FZ_WORDS(r);
    memmove(r->sets + to * stride, r->sets + from * stride, size);
    r->sure[to] = r->sure[from];
}

static bool call(reader *r, const fz_code *code, const fz_code **ip)
{
    const fz_function *f = &r->p->functions[code[1]];
    const frame *from = &r->frames[r->depth];
    if (r->depth + 1 == MAX_FRAMES)
        return false;
    const int64_t *ints = from->ints + FZ_CODE_A(*code);
    unsigned sets = from->sets + FZ_CODE_B(*code);
    r->depth++;
    if (!enter(r, f))
        return false;
    frame *to = &r->frames[r->depth];
    to->back = *ip;
    to->result = (uint8_t)FZ_CODE_C(*code);
    memcpy(to->ints, ints, f->int_params * sizeof *ints);
    for (unsigned i = 0; i < f->set_params; i++)
        copy_set(r, to->sets + i, sets + i);
    *ip = r->p->code + f->start;
    return true;
}

static bool leave(reader *r, const fz_code **ip, int64_t number)
{
    if (!r->depth)
        return false;
    const frame *from = &r->frames[r->depth];
    r->int_top = (unsigned)(from->ints - r->ints);
    r->set_top = from->sets;
    r->frames[--r->depth].ints[from->result] = number;
    *ip = from->back;
    return true;
}

/* ---- the run ---- */

static bool sum(int64_t *a, int64_t number)
{
    *a = number;
    return number >= INT32_MIN && number <= INT32_MAX;
}

/* Runs one instruction; false: it cannot, or it is the end (`*done`). */
static bool run_one(reader *r, const fz_code **ip, bool *done, bool *verdict)
{
    const fz_code *code = *ip;
    unsigned op = FZ_CODE_OP(*code), A = FZ_CODE_A(*code), B = FZ_CODE_B(*code),
             C = FZ_CODE_C(*code);
    int64_t *I = r->frames[r->depth].ints;
    const fz_code *jump = NULL;
    bool ok = true, taken = false;
    *ip = code + code_lengths[op];
    switch (op) {
    case FZ_OP_INT: I[A] = (int32_t)code[1]; break;
    case FZ_OP_COPY: I[A] = I[B]; break;
    case FZ_OP_TABLE: ok = entry(r, &I[A], code[1], I[B]); break;
    case FZ_OP_TABLE2: ok = entry(r, &I[A], code[1], place(I[B], I[C], (int32_t)code[2])); break;
    case FZ_OP_INDEX: ok = (I[A] = place(I[B], I[C], (int32_t)code[1])) >= -1; break;
    case FZ_OP_WIDE: I[A] = (int64_t)((uint64_t)code[2] << 32 | code[1]); break;
    case FZ_OP_MTABLE: ok = mask_entry(r, &I[A], code[1], I[B]); break;
    case FZ_OP_MTABLE2:
        ok = mask_entry(r, &I[A], code[1], place(I[B], I[C], (int32_t)code[2]));
        break;
    case FZ_OP_LOAD: case FZ_OP_MLOAD: ok = load(r, &I[A], code[1], 0); break;
    case FZ_OP_LOADX: case FZ_OP_MLOADX: ok = load(r, &I[A], code[1], I[B]); break;
    case FZ_OP_ADD: ok = sum(&I[A], I[B] + I[C]); break;
    case FZ_OP_ADDK: ok = sum(&I[A], I[B] + (int32_t)code[1]); break;
    case FZ_OP_SUB: ok = sum(&I[A], I[B] - I[C]); break;
    case FZ_OP_EQ: I[A] = I[B] == I[C]; break;
    case FZ_OP_NE: I[A] = I[B] != I[C]; break;
    case FZ_OP_LT: I[A] = I[B] < I[C]; break;
    case FZ_OP_LE: I[A] = I[B] <= I[C]; break;
    case FZ_OP_NOT: I[A] = !I[B]; break;
    case FZ_OP_MOVER: I[A] = fzi_head_of(r->state)->mover; break;
    case FZ_OP_JUMP: taken = true; jump = r->p->code + code[1]; break;
    case FZ_OP_JTRUE: taken = I[A] != 0; jump = r->p->code + code[1]; break;
    case FZ_OP_JFALSE: taken = !I[A]; jump = r->p->code + code[1]; break;
    case FZ_OP_JEQ: taken = I[A] == I[B]; jump = r->p->code + code[1]; break;
    case FZ_OP_JNE: taken = I[A] != I[B]; jump = r->p->code + code[1]; break;
    case FZ_OP_JLT: taken = I[A] < I[B]; jump = r->p->code + code[1]; break;
    case FZ_OP_JLE: taken = I[A] <= I[B]; jump = r->p->code + code[1]; break;
    case FZ_OP_JSNONE: taken = !some(r, A); jump = r->p->code + code[1]; break;
    case FZ_OP_JSSOME: taken = some(r, A); jump = r->p->code + code[1]; break;
    case FZ_OP_JSHAS: taken = has(r, A, I[B]); jump = r->p->code + code[1]; break;
    case FZ_OP_JSMISS: taken = !has(r, A, I[B]); jump = r->p->code + code[1]; break;
    case FZ_OP_JSMEETS: taken = meet(r, A, B); jump = r->p->code + code[1]; break;
    case FZ_OP_JSAPART: taken = !meet(r, A, B); jump = r->p->code + code[1]; break;
    case FZ_OP_EACH: case FZ_OP_EACH_ON:
        settle(r, B);
        I[A] = fzi_words_lowest(value_of(r, B), FZ_WORDS(r));
        taken = (I[A] < 0) == (op == FZ_OP_EACH);
        jump = r->p->code + code[1];
        if (I[A] >= 0)
            fzi_words_drop(value_of(r, B), (unsigned)I[A]);
        break;
    case FZ_OP_CALL: ok = call(r, code, ip); break;
    case FZ_OP_IRETURN: ok = leave(r, ip, I[A]); break;
    case FZ_OP_SCOPY:
        copy_set(r, number_of(r, A), number_of(r, B));
        break;
    case FZ_OP_SNONE: give_certain(r, A, no_sites); break;
    case FZ_OP_SALL: give_certain(r, A, r->m->all); break;
    case FZ_OP_SROW: ok = row(r, A, code[1], (int32_t)code[2]); break;
    case FZ_OP_STABLE: ok = row(r, A, code[1], I[B]); break;
    case FZ_OP_STABLE2: ok = row(r, A, code[1], place(I[B], I[C], (int32_t)code[2])); break;
    case FZ_OP_SBIT: case FZ_OP_SADD:
        if (op == FZ_OP_SBIT)
            give_certain(r, A, no_sites);
        else
            settle(r, A);
        ok = I[B] >= -1 && I[B] < r->m->site_count;
        if (ok && I[B] >= 0)
            fzi_words_add(value_of(r, A), (unsigned)I[B]);
        break;
    case FZ_OP_SAND: case FZ_OP_SOR: case FZ_OP_SSUB: combine(r, op, A, B, C); break;
    case FZ_OP_SHAS: I[A] = has(r, C, I[B]); break;
    case FZ_OP_SSOME: I[A] = some(r, B); break;
    case FZ_OP_SMEETS: I[A] = meet(r, B, C); break;
    case FZ_OP_STEP: ok = step(r, A, B, (uint64_t)I[C]); break;
    case FZ_OP_SLIDE:
        ok = slide(r, A, B, code[1] & 0xff, (uint64_t)I[C], I[code[1] >> 8 & 0xff]);
        break;
    case FZ_OP_LEAP: ok = leap(r, A, B, I[C], I[code[1] & 0xff]); break;
    case FZ_OP_OWNED: ok = read_owned(r, A, I[B]); break;
    case FZ_OP_OF_KIND: ok = read_kind(r, A, I[B]); break;
    case FZ_OP_OF: ok = read_pieces(r, A, I[B], I[C]); break;
    case FZ_OP_OF_GIVEN: ok = read_pieces(r, A, B, I[C]); break;
    case FZ_OP_OCCUPIED: case FZ_OP_EMPTY: {
        uint64_t set[FZ_MOST_WORDS];
        occupied(r, set);
        for (unsigned i = 0; op == FZ_OP_EMPTY && i < FZ_WORDS(r); i++)
            set[i] = r->m->all[i] & ~set[i];
        give_board(r, A, set, op == FZ_OP_EMPTY, op == FZ_OP_OCCUPIED);
        break;
    }
    case FZ_OP_PHANTOM:
        ok = phantom(r, I[B], I[C]);
        I[A] = 0;
        break;
    case FZ_OP_UNPHANTOM: ok = !I[A]; break;
    case FZ_OP_FILTER_END:
        *done = true;
        *verdict = I[A] != 0;
        return false;
    default:
        return false;
    }
    if (taken)
        *ip = jump;
    return ok;
}

static bool begin(reader *r, const fz_choice *choice)
{
    const fz_function *f = &r->p->functions[choice->function];
    const fzi_head *head = fzi_head_of(r->state);
    const uint64_t *words = fzi_frames_of(r->state) + head->frame + FZ_FRAME_HEADER;
    if (!enter(r, f))
        return false;
    memcpy(r->ints, words, f->ints * sizeof *r->ints);
    for (unsigned s = 0; s < f->sets; s++)
        fzi_words_copy(value_of(r, s), words + f->ints + (size_t)s * FZ_WORDS(r), FZ_WORDS(r));
    return true;
}

bool FZ_FOOTPRINT(const fz_machine *m, const fz_state *state, uint32_t filter, fzi_footprint *found)
{
    reader r; /* large; what is used is set by `enter` */
    bool done = false;
    const fz_program *p = m->program;
    const fz_code *ip = p->code + p->filters[filter].code;
    r.m = m;
    r.p = p;
    r.state = state;
    r.player = fzi_head_of(state)->decider;
    r.found = found;
    r.depth = r.int_top = r.set_top = 0;
    fzi_words_clear(found->left, FZ_WORDS(&r));
    fzi_words_clear(found->filled, FZ_WORDS(&r));
    found->kinds = found->loads = 0;
    found->verdict = false;
    if (!begin(&r, &p->choices[p->filters[filter].choice]))
        return false;
    for (unsigned i = 0; i < MAX_STEPS; i++)
        if (!run_one(&r, &ip, &done, &found->verdict))
            break;
    return done;
}
