/* The coarse forms of gathering: "for x in A, y in f(x)" as one instruction where f is a table's row or a
 * slide, and as shifts of whole sets where the row is single steps of one shape. The list of moves is the
 * same as that of the loops. */
#include "lower_choice.h"

#include <string.h>

enum { MOST_TERMS = 8, MOST_SHIFTS = 8 };

typedef struct term {
    const fzi_core *reach;   /* depends on x */
    const fzi_core *target;  /* does not; NULL: any site */
    uint8_t kind;
    uint32_t table, stride;  /* TERM_ROWS */
    const fzi_core *base;
} term;

enum { TERM_OTHER, TERM_ROWS, TERM_SLIDE };

typedef struct terms {
    term items[MOST_TERMS];
    unsigned count;
    bool too_many;
} terms;

static const fzi_core *meet(fzi_core_maker *m, const fzi_core *a, const fzi_core *b)
{
    return !a ? b : !b ? a : fzi_core_op(m, FZ_OP_SAND, a, b);
}

/* a | b, a & c, a - c taken apart, as long as only one side depends on x. */
static void split(fzi_core_maker *m, const fzi_core *core, const fzi_core *target, const fzi_local *x,
                  terms *out)
{
    if (core->kind == FZI_CORE_OP && core->op == FZ_OP_SOR) {
        split(m, core->args[0], target, x, out);
        split(m, core->args[1], target, x, out);
        return;
    }
    if (core->kind == FZI_CORE_OP && core->op == FZ_OP_SAND) {
        const fzi_core *a = core->args[0], *b = core->args[1];
        if (!fzi_core_mentions(b, x)) {
            split(m, a, meet(m, b, target), x, out);
            return;
        }
        if (!fzi_core_mentions(a, x)) {
            split(m, b, meet(m, a, target), x, out);
            return;
        }
    }
    if (core->kind == FZI_CORE_OP && core->op == FZ_OP_SSUB && !fzi_core_mentions(core->args[1], x)) {
        const fzi_core *rest = fzi_core_op(m, FZ_OP_SNOT, core->args[1], NULL);
        split(m, core->args[0], meet(m, rest, target), x, out);
        return;
    }
    if (out->count == MOST_TERMS) {
        out->too_many = true;
        return;
    }
    term *t = &out->items[out->count++];
    memset(t, 0, sizeof *t);
    t->reach = core;
    t->target = target;
}

static bool is_local(const fzi_core *core, const fzi_local *x)
{
    return core->kind == FZI_CORE_LOCAL && core->local == x;
}

static void classify(fzi_lower *lw, term *t, const fzi_local *x)
{
    const fzi_core *c = fzi_tabulate(lw, t->reach);
    t->reach = c;
    if (c->kind != FZI_CORE_OP)
        return;
    if (c->op == FZ_OP_STABLE && is_local(c->args[0], x)) {
        t->kind = TERM_ROWS;
        t->table = (uint32_t)c->k[0];
        t->stride = 1;
        t->base = fzi_core_int(&lw->maker, 0);
    } else if (c->op == FZ_OP_STABLE2 && is_local(c->args[1], x) && !fzi_core_mentions(c->args[0], x)) {
        t->kind = TERM_ROWS;
        t->table = (uint32_t)c->k[0];
        t->stride = (uint32_t)c->k[1];
        t->base = c->args[0];
    } else if (c->op == FZ_OP_SLIDE && c->args[0]->kind == FZI_CORE_OP && c->args[0]->op == FZ_OP_SBIT &&
               is_local(c->args[0]->args[0], x) && !fzi_core_mentions(c->args[1], x) &&
               !fzi_core_mentions(c->args[2], x) && c->args[3]->kind == FZI_CORE_INT &&
               c->args[3]->value >= FZ_MAX_SITES) {
        t->kind = TERM_SLIDE;
    }
}

/* ---- shifts ---- */

/* Every step that way adds the same to a site's number. */
static bool is_uniform(const fzi_board *board, unsigned dir, int *delta)
{
    bool found = false;
    for (unsigned s = 0; s < board->site_count; s++) {
        int to = board->next[dir * board->site_count + s];
        if (to < 0)
            continue;
        if (found && to - (int)s != *delta)
            return false;
        *delta = to - (int)s;
        found = true;
    }
    return found;
}

static bool row_has(const uint64_t *row, int site)
{
    return row[site / 64] >> site % 64 & 1;
}

/* The directions of the single steps that make up rows first .. first + sites - 1, by ascending delta. */
static bool shape_of(const fzi_board *board, const uint64_t *rows, unsigned words, int32_t *dirs)
{
    int deltas[32], found[32], count = 0;
    for (unsigned d = 0; d < board->dir_count; d++) {
        bool used = false;
        for (unsigned s = 0; s < board->site_count && !used; s++) {
            int to = board->next[d * board->site_count + s];
            used = to >= 0 && row_has(rows + s * words, to);
        }
        if (!used)
            continue;
        if (count == MOST_SHIFTS || !is_uniform(board, d, &deltas[count]))
            return false;
        found[count++] = (int)d;
    }
    for (unsigned s = 0; s < board->site_count; s++) {
        uint64_t row[FZ_MAX_WORDS] = {0};
        for (int i = 0; i < count; i++) {
            int to = board->next[(unsigned)found[i] * board->site_count + s];
            if (to >= 0)
                row[to / 64] |= (uint64_t)1 << to % 64;
        }
        if (memcmp(row, rows + s * words, sizeof *row * words) != 0)
            return false;
    }
    for (int i = 0; i < count; i++) {
        int least = i;
        for (int k = i + 1; k < count; k++)
            least = deltas[k] < deltas[least] ? k : least;
        int delta = deltas[least], dir = found[least];
        deltas[least] = deltas[i];
        found[least] = found[i];
        deltas[i] = delta;
        found[i] = dir;
        dirs[i] = dir;
    }
    return true;
}

/* The int table of shapes for a term, one row of MOST_SHIFTS directions for each base; false: no shifts. */
static bool shapes_of(fzi_lower *lw, const term *t, uint32_t *table)
{
    const fzi_board *board = lw->game->board;
    unsigned words = lw->maker.words, sites = board->site_count;
    const fz_set_table *rows = FZI_ITEM(lw->build.set_tables, fz_set_table, t->table);
    unsigned bases = rows->rows / sites;
    if (t->kind != TERM_ROWS || rows->rows != bases * sites || bases == 0 || bases > FZ_MAX_PLAYERS ||
        (t->stride != sites && bases > 1))
        return false;
    int32_t dirs[FZ_MAX_PLAYERS * MOST_SHIFTS];
    memset(dirs, -1, sizeof dirs);
    for (unsigned b = 0; b < bases; b++) {
        const uint64_t *first = FZI_ITEM(lw->build.set_pool, uint64_t, rows->first) + b * sites * words;
        if (!shape_of(board, first, words, dirs + b * MOST_SHIFTS))
            return false;
    }
    *table = fzi_build_int_table(&lw->build, dirs, bases * MOST_SHIFTS, -1);
    return true;
}

/* ---- emitting ---- */

static unsigned target_register(fzi_gather *g, const term *t)
{
    fzi_lower *lw = g->e->lower;
    const fzi_core *target = t->target ? t->target : fzi_core_all(&lw->maker);
    return fzi_gen_set(g->e, fzi_share(g, fzi_tabulate(lw, target), NULL));
}

static bool emit_shifts(fzi_gather *g, const fzi_leaf *leaf, const fzi_core *from, const terms *all)
{
    fzi_emit *e = g->e;
    uint32_t tables[MOST_TERMS];
    for (unsigned i = 0; i < all->count; i++) {
        if (all->items[i].kind != TERM_ROWS || !shapes_of(e->lower, &all->items[i], &tables[i]))
            return false;
    }
    unsigned ints = e->ints, sets = e->sets, reg = fzi_gen_set(e, from);
    for (unsigned i = 0; i < all->count; i++) {
        unsigned inner_ints = e->ints, inner_sets = e->sets;
        unsigned target = target_register(g, &all->items[i]);
        unsigned base = fzi_gen_int(e, all->items[i].base);
        fzi_gen(e, i ? FZ_OP_ALSO_SHIFTS : FZ_OP_EMIT_SHIFTS, reg, target, base);
        fzi_gen_word(e, leaf->option);
        fzi_gen_word(e, tables[i]);
        fzi_gen_word(e, MOST_SHIFTS);
        e->ints = inner_ints;
        e->sets = inner_sets;
    }
    e->ints = ints;
    e->sets = sets;
    return true;
}

static bool emit_one_term(fzi_gather *g, const fzi_leaf *leaf, const fzi_core *from, const term *t)
{
    fzi_emit *e = g->e;
    unsigned ints = e->ints, sets = e->sets;
    if (t->kind == TERM_OTHER)
        return false;
    unsigned a = fzi_gen_set(e, from), b = target_register(g, t);
    if (t->kind == TERM_ROWS) {
        fzi_gen(e, FZ_OP_EMIT_ROWS, a, b, fzi_gen_int(e, t->base));
        fzi_gen_word(e, leaf->option);
        fzi_gen_word(e, t->table);
        fzi_gen_word(e, t->stride);
    } else {
        unsigned dirs = fzi_gen_int(e, t->reach->args[1]);
        unsigned through = fzi_gen_set(e, fzi_share(g, t->reach->args[2], NULL));
        fzi_gen(e, FZ_OP_EMIT_SLIDES, a, b, dirs);
        fzi_gen_word(e, leaf->option);
        fzi_gen_word(e, through);
    }
    e->ints = ints;
    e->sets = sets;
    return true;
}

static void emit_loop(fzi_gather *g, const fzi_leaf *leaf, fzi_local *x, const fzi_core *from,
                      unsigned x_reg, const fzi_core *to)
{
    fzi_emit *e = g->e;
    unsigned ints = e->ints, sets = e->sets;
    fzi_binder binder = {x, FZI_DOMAIN_SITES, from, NULL};
    fzi_loop loop;
    const fzi_core *set = fzi_share(g, fzi_tabulate(e->lower, to), x);
    unsigned shared = g->shared_count;
    fzi_loop_begin(e, &loop, &binder, x_reg);
    unsigned reg = fzi_gen_set(e, set);
    if (g->test) {
        fzi_gen(e, FZ_OP_JSSOME, reg, 0, 0);
        fzi_label_use(e, &g->found);
    } else {
        fzi_gen(e, FZ_OP_EMIT_SET, reg, 0, 0);
        fzi_gen_word(e, leaf->option);
    }
    fzi_loop_end(e, &loop);
    g->shared_count = shared;
    e->ints = ints;
    e->sets = sets;
}

void fzi_gather_two(fzi_gather *g, fzi_leaf *leaf, fzi_local *x, const fzi_core *from, unsigned x_reg,
                    const fzi_core *to)
{
    fzi_lower *lw = g->e->lower;
    terms all = {.count = 0};
    from = fzi_tabulate(lw, from);
    split(&lw->maker, to, NULL, x, &all);
    if (!g->test && !all.too_many) {
        for (unsigned i = 0; i < all.count; i++)
            classify(lw, &all.items[i], x);
        if (emit_shifts(g, leaf, from, &all))
            return;
        if (all.count == 1 && emit_one_term(g, leaf, from, &all.items[0]))
            return;
    }
    emit_loop(g, leaf, x, from, x_reg, to);
}
