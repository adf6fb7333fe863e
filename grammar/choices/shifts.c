/* Shapes: sets that depend on a site x so regularly that whole sets of sites can be shifted at
 * once. Each step of a shape adds a number to x. The moves of pawns, men and leaping stones have
 * shapes. docs/design.md, "Gathering". nested_for.c and prefilter_sources.c call it. */
#include "choices.h"

#include <string.h>

#include "interp/support/words.h"

static uint64_t *row_at(fzi_lower *lw, fzi_shifts *shape, unsigned base, unsigned step)
{
    return shape->valid + (base * FZ_SHAPE_STEPS + step) * lw->maker.words;
}

static void shape_init(fzi_lower *lw, fzi_shifts *shape, const fzi_ir *base, unsigned bases)
{
    memset(shape, 0, sizeof *shape);
    shape->base = base;
    shape->bases = bases;
    size_t size = (size_t)bases * FZ_SHAPE_STEPS * lw->maker.words * sizeof *shape->valid;
    shape->valid = fzi_arena_alloc(lw->build.arena, size);
    memset(shape->valid, 0, size);
}

/* Adds the step from `site` to `to`; steps are sorted. False: too many different steps. */
static bool shape_add(fzi_lower *lw, fzi_shifts *shape, unsigned base, unsigned site, unsigned to)
{
    int32_t delta = (int32_t)to - (int32_t)site;
    unsigned i = 0, count = shape->count[base];
    while (i < count && shape->delta[base][i] < delta)
        i++;
    if (i == count || shape->delta[base][i] != delta) {
        if (count == FZ_SHAPE_STEPS)
            return false;
        size_t row = lw->maker.words * sizeof(uint64_t), above = count - i;
        memmove(&shape->delta[base][i + 1], &shape->delta[base][i], above * sizeof delta);
        memmove(row_at(lw, shape, base, i + 1), row_at(lw, shape, base, i), above * row);
        memset(row_at(lw, shape, base, i), 0, row);
        shape->delta[base][i] = delta;
        shape->count[base]++;
    }
    fzi_words_add(row_at(lw, shape, base, i), site);
    return true;
}

unsigned fzi_shape_most(const fzi_shifts *shape)
{
    unsigned most = 0;
    for (unsigned b = 0; b < shape->bases; b++)
        most = shape->count[b] > most ? shape->count[b] : most;
    return most;
}

/* ---- what has a shape ---- */

/* Rows of a table, one for each site, or for each base and site. */
static bool shape_of_rows(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shifts *shape)
{
    const fz_set_table *table = FZI_ITEM(lw->build.set_tables, fz_set_table, ir->k[0]);
    unsigned words = lw->maker.words, sites = lw->maker.site_count, bases = table->rows / sites;
    bool two = ir->op == FZ_OP_STABLE2;
    if (!fzi_ir_is_local(ir->args[two], x) || (two && fzi_ir_mentions(ir->args[0], x)) ||
        table->rows != bases * sites || bases == 0 || bases > FZ_MAX_PLAYERS ||
        (two ? (unsigned)ir->k[1] != sites : bases > 1))
        return false;
    shape_init(lw, shape, two ? ir->args[0] : fzi_ir_int(&lw->maker, 0), bases);
    for (unsigned r = 0; r < table->rows; r++) {
        const uint64_t *row = FZI_ITEM(lw->build.set_pool, uint64_t, table->first) + r * words;
        for (unsigned to = 0; to < sites; to++) {
            if (fzi_words_has(row, to) && !shape_add(lw, shape, r / sites, r % sites, to))
                return false;
        }
    }
    return true;
}

/* A look-up in a table of sites: entry x * inner + y, or (outer * sites + x) * inner + y. */
bool fzi_shape_of_entry(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shifts *shape)
{
    fzi_ir_maker *m = &lw->maker;
    const fzi_ir *before = NULL, *behind = NULL, *at = ir->kind == FZI_IR_OP ? ir->args[0] : NULL;
    unsigned inner = 1, sites = m->site_count;
    if (fzi_ir_is_op(ir, FZ_OP_TABLE2)) {
        behind = ir->args[1];
        inner = (unsigned)ir->k[1];
        if (fzi_ir_is_local(behind, x)) {
            before = at;
            at = behind;
            behind = NULL;
            if (inner != sites)
                return false;
            inner = 1;
        }
    } else if (!fzi_ir_is_op(ir, FZ_OP_TABLE)) {
        return false;
    }
    if (!before && fzi_ir_is_op(at, FZ_OP_INDEX) && (unsigned)at->k[0] == sites) {
        before = at->args[0];
        at = at->args[1];
    }
    if (!fzi_ir_is_local(at, x) || (before && fzi_ir_mentions(before, x)) ||
        (behind && fzi_ir_mentions(behind, x)))
        return false;
    const fz_int_table *table = FZI_ITEM(lw->build.int_tables, fz_int_table, ir->k[0]);
    unsigned outer = table->length / (sites * inner), bases = outer * inner;
    if (table->length != outer * sites * inner || bases == 0 || bases > FZ_MAX_PLAYERS ||
        (outer > 1 && !before))
        return false;
    const fzi_ir *base = !before   ? behind ? behind : fzi_ir_int(m, 0)
                           : !behind ? before
                                   : fzi_ir_opk(m, FZ_OP_INDEX, before, behind, (int32_t)inner, 0);
    shape_init(lw, shape, base, bases);
    for (uint32_t i = 0; i < table->length; i++) {
        int32_t to = *FZI_ITEM(lw->build.int_pool, int32_t, table->first + i);
        unsigned b = i / (sites * inner) * inner + i % inner, s = i / inner % sites;
        if (to >= (int32_t)sites || (to >= 0 && !shape_add(lw, shape, b, s, (unsigned)to)))
            return false;
    }
    return true;
}

/* The mask of directions for each base; false: it depends on something else. */
static bool masks_of(fzi_lower *lw, const fzi_ir *dirs, const fzi_shifts *shape, uint64_t *masks,
                     unsigned *bases, const fzi_ir **base)
{
    *bases = shape->bases;
    *base = shape->base;
    if (dirs->kind == FZI_IR_INT) {
        for (unsigned b = 0; b < shape->bases; b++)
            masks[b] = (uint64_t)dirs->value;
        return true;
    }
    if (!fzi_ir_is_op(dirs, FZ_OP_TABLE))
        return false;
    const fz_int_table *table = FZI_ITEM(lw->build.int_tables, fz_int_table, dirs->k[0]);
    if (table->length == 0 || table->length > FZ_MAX_PLAYERS)
        return false;
    if (shape->bases > 1 && (shape->bases != table->length ||
                             !fzi_ir_same(&lw->maker, shape->base, dirs->args[0])))
        return false;
    *bases = table->length;
    *base = dirs->args[0];
    for (unsigned b = 0; b < table->length; b++)
        masks[b] = (uint64_t)(int64_t)*FZI_ITEM(lw->build.int_pool, int32_t, table->first + b);
    return true;
}

/* A step after the steps of another shape. */
static bool shape_of_step(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shifts *shape)
{
    const fzi_board *board = lw->game->board;
    uint64_t masks[FZ_MAX_PLAYERS];
    unsigned bases;
    const fzi_ir *base;
    fzi_shifts first;
    if (fzi_ir_mentions(ir->args[1], x) || !fzi_shape_of(lw, ir->args[0], x, &first) ||
        !masks_of(lw, ir->args[1], &first, masks, &bases, &base))
        return false;
    shape_init(lw, shape, base, bases);
    shape->sources = first.sources;
    for (unsigned b = 0; b < bases; b++) {
        unsigned from = first.bases > 1 ? b : 0;
        for (unsigned i = 0; i < first.count[from]; i++) {
            for (unsigned s = 0; s < board->site_count; s++) {
                if (!fzi_words_has(row_at(lw, &first, from, i), s))
                    continue;
                unsigned at = (unsigned)((int)s + first.delta[from][i]);
                for (uint64_t rest = masks[b]; rest; rest &= rest - 1) {
                    unsigned d = (unsigned)__builtin_ctzll(rest);
                    int to = d < board->dir_count ? board->next[d * board->site_count + at] : -1;
                    if (to >= 0 && !shape_add(lw, shape, b, s, (unsigned)to))
                        return false;
                }
            }
        }
    }
    return true;
}

/* The intersection of a shape of one step with a set that does not depend on x: restricts the
 * sources. */
static bool shape_of_meet(fzi_lower *lw, const fzi_ir *part, const fzi_ir *within,
                          const fzi_local *x, fzi_shifts *shape)
{
    fzi_ir_maker *m = &lw->maker;
    if (!fzi_shape_of(lw, part, x, shape) || fzi_shape_most(shape) > 1)
        return false;
    const fzi_ir *back = fzi_shape_back(lw, shape, within);
    shape->sources = shape->sources ? fzi_ir_op(m, FZ_OP_SAND, shape->sources, back) : back;
    return true;
}

bool fzi_shape_of(fzi_lower *lw, const fzi_ir *ir, const fzi_local *x, fzi_shifts *shape)
{
    fzi_ir_maker *m = &lw->maker;
    if (ir->kind != FZI_IR_OP || ir->chance || !fzi_uses(lw, FZ_OPT_SHIFTS))
        return false;
    switch (ir->op) {
    case FZ_OP_STABLE: case FZ_OP_STABLE2:
        return shape_of_rows(lw, ir, x, shape);
    case FZ_OP_STEP:
        return shape_of_step(lw, ir, x, shape);
    case FZ_OP_SBIT:
        if (!fzi_ir_is_local(ir->args[0], x))
            return false;
        shape_init(lw, shape, fzi_ir_int(m, 0), 1);
        for (unsigned s = 0; s < m->site_count; s++)
            shape_add(lw, shape, 0, s, s);
        return true;
    case FZ_OP_SAND:
        if (!fzi_ir_mentions(ir->args[1], x))
            return shape_of_meet(lw, ir->args[0], ir->args[1], x, shape);
        if (!fzi_ir_mentions(ir->args[0], x))
            return shape_of_meet(lw, ir->args[1], ir->args[0], x, shape);
        return false;
    case FZ_OP_SSUB:
        if (fzi_ir_mentions(ir->args[1], x))
            return false;
        return shape_of_meet(lw, ir->args[0], fzi_ir_op(m, FZ_OP_SNOT, ir->args[1], NULL), x,
                             shape);
    default:
        return false;
    }
}

/* ---- as tables ---- */

void fzi_shape_tables(fzi_lower *lw, const fzi_shifts *shape, uint32_t *deltas, uint32_t *valid)
{
    *deltas =
        fzi_build_int_table(&lw->build, &shape->delta[0][0], shape->bases * FZ_SHAPE_STEPS, 0);
    *valid = fzi_build_set_table(&lw->build, shape->valid, shape->bases * FZ_SHAPE_STEPS);
}

const fzi_ir *fzi_shape_back(fzi_lower *lw, const fzi_shifts *shape, const fzi_ir *into)
{
    uint32_t deltas, valid;
    fzi_shape_tables(lw, shape, &deltas, &valid);
    return fzi_ir_opk(&lw->maker, FZ_OP_STEP_BACK, into, shape->base, (int32_t)deltas,
                      (int32_t)valid);
}
