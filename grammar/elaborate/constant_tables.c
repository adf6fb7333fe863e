/* Constant tables. The machine evaluates, at compile time, an expression whose free locals have few
 * values for all of these values; the expression becomes a look-up. fold.c decides for which parts.
 * */
#include "elaborate.h"

#include "interp/support/words.h"

enum {
    MAX_ROWS = 1 << 17,      /* of one table */
    MAX_WORDS = 1 << 20,     /* of one set table */
    FEW_ROWS = 1 << 11       /* what has more is evaluated after its parts */
};

/* Limits of instructions: for all rows of one table, and for all tables and all constants of a
 * compile. A row that takes `costly` could be computed a hundred times in a decision. A constant
 * may take what a decision may. */
static const uint64_t most_for_one = 30 * 1000 * 1000, costly = 1000 * 1000;
static const uint64_t most_evaluated[2] = {60 * 1000 * 1000, 1000 * 1000 * 1000};

typedef struct span {
    int64_t low;
    uint32_t size;
    bool absent; /* a first row for -1 */
} span;

static uint64_t most_for_decision(const fzi_lower *lw)
{
    static const uint32_t usual[] = {
#define LIMIT(field, name, number, most, part) number,
#include "interp/program/limits.def"
    };
    uint32_t stated = lw->build.program.limits[FZ_LIMIT_instructions];
    return stated ? stated : usual[FZ_LIMIT_instructions];
}

static bool can_tabulate(fzi_lower *lw, const fzi_ir *ir, uint64_t *rows)
{
    *rows = 1;
    if (ir->state || ir->chance || ir->many_free || ir->free_count > 3 || lw->build.failed ||
        lw->unaffordable || (ir->free_count && !fzi_uses(lw, FZ_OPT_TABLES)))
        return false;
    for (unsigned i = 0; i < ir->free_count; i++) {
        const fzi_local *local = ir->free[i];
        if (local->is_set || !local->finite || local->high < local->low)
            return false;
        *rows *= (uint64_t)(local->high - local->low + 2);
        if (*rows > MAX_ROWS)
            return false;
    }
    return !ir->is_set || *rows * lw->maker.words <= MAX_WORDS;
}

/* ---- evaluating ---- */

typedef struct evaluation {
    fzi_lower *lw;
    const fzi_ir *ir;
    uint32_t function;
    size_t code_count;
    uint64_t budget, spent;
    uint64_t *evaluated; /* of lw->build */
    uint32_t begun;      /* rows */
    bool by_decision;    /* it may take as much as a decision */
    bool failed;
    const char *message;
} evaluation;

/* Compiles the expression to a function of its free locals. */
static bool evaluation_begin(evaluation *ev, fzi_lower *lw, const fzi_ir *ir)
{
    fzi_codegen e;
    int saved[FZI_IR_FREE];
    memset(ev, 0, sizeof *ev);
    ev->lw = lw;
    ev->ir = ir;
    ev->evaluated = &lw->build.evaluated[!ir->free_count];
    uint64_t most = most_evaluated[!ir->free_count];
    uint64_t for_one = ir->free_count ? most_for_one : most_for_decision(lw);
    ev->budget = most > *ev->evaluated ? most - *ev->evaluated : 0;
    ev->by_decision = !ir->free_count && ev->budget >= for_one;
    if (ev->budget > for_one)
        ev->budget = for_one;
    ev->function = fzi_build_function(&lw->build, "constant");
    fzi_emit_begin(lw, &e, ev->function, ir->is_set ? 2 : 1);
    e.span = ir->span;
    for (unsigned i = 0; i < ir->free_count; i++) {
        saved[i] = ir->free[i]->reg;
        ir->free[i]->reg = (int)fzi_new_int(&e);
    }
    unsigned reg = fzi_gen_value(&e, ir);
    fzi_gen(&e, ir->is_set ? FZ_OP_SRETURN : FZ_OP_IRETURN, reg, 0, 0);
    for (unsigned i = 0; i < ir->free_count; i++)
        ir->free[i]->reg = saved[i];
    ev->code_count = lw->build.code.count;
    fz_function *f = FZI_ITEM(lw->build.functions, fz_function, ev->function);
    f->int_params = ir->free_count;
    fzi_emit_end(&e);
    fzi_build_view(&lw->build);
    return fzi_function_ready(&lw->build, ev->function);
}

static void evaluation_end(evaluation *ev)
{
    fzi_evaluator_free(ev->lw->build.evaluator);
    ev->lw->build.evaluator = NULL;
    fzi_function_drop(&ev->lw->build, ev->function, ev->code_count);
}

static bool evaluate(evaluation *ev, const int64_t *arguments, int64_t *number, uint64_t *words)
{
    uint32_t place;
    fzi_lower *lw = ev->lw;
    uint64_t before = ev->budget;
    if (ev->failed)
        return false;
    if (!lw->build.evaluator)
        lw->build.evaluator = fzi_evaluator_new(&lw->build.program);
    if (!lw->build.evaluator ||
        !fzi_evaluate(lw->build.evaluator, ev->function, arguments, &ev->budget, number, words,
                      &ev->message, &place)) {
        if (!ev->message)
            longjmp(*fzi_arena_handler(lw->build.arena), 1); /* not a constant's fault */
        ev->failed = true;
    }
    *ev->evaluated += before - ev->budget + 10; /* each call has a fixed cost */
    ev->spent += before - ev->budget;
    ev->begun++;
    lw->exhausted |= ev->failed && !ev->budget && ev->spent / ev->begun > costly;
    lw->fault = ev->failed && !ev->budget ? "it takes too many instructions" : ev->message;
    return !ev->failed;
}

void fzi_not_constant(fzi_lower *lw, fzi_span place, int code, const char *what)
{
    if (lw->build.failed)
        return; /* reported */
    if (lw->fault)
        fzi_error(lw->game->diags, place, FZ_E_CONSTANT_FAILED, lw->fault);
    else
        fzi_error(lw->game->diags, place, code, what);
}

static bool constant(fzi_lower *lw, const fzi_ir *ir, bool is_set, int64_t *value, uint64_t *words)
{
    evaluation ev;
    if (ir->state || ir->free_count || ir->many_free || ir->is_set != is_set || lw->build.failed)
        return false;
    bool done = evaluation_begin(&ev, lw, ir) && evaluate(&ev, NULL, value, words);
    evaluation_end(&ev);
    return done;
}

bool fzi_constant_int(fzi_lower *lw, const fzi_ir *ir, int64_t *value)
{
    uint64_t words[FZ_MAX_WORDS];
    lw->fault = NULL;
    if (ir->kind != FZI_IR_INT)
        return constant(lw, ir, false, value, words);
    *value = ir->value;
    return true;
}

bool fzi_constant_set(fzi_lower *lw, const fzi_ir *ir, uint64_t *words)
{
    int64_t number;
    lw->fault = NULL;
    if (ir->kind != FZI_IR_SET)
        return constant(lw, ir, true, &number, words);
    memcpy(words, ir->words, sizeof *words * lw->maker.words);
    return true;
}

/* ---- tables ---- */

typedef struct rows {
    uint32_t count;
    int64_t *numbers;
    uint64_t *words;
    bool fits; /* numbers have 32 bits */
} rows;

/* All rows, the last local fastest; locals that may be absent have a row -1 before the others. */
static bool fill_rows(evaluation *ev, const span *spans, rows *out)
{
    const fzi_ir *ir = ev->ir;
    unsigned words = ev->lw->maker.words, n = ir->free_count;
    int64_t arguments[FZI_IR_FREE] = {0};
    out->count = 1;
    for (unsigned i = 0; i < n; i++)
        out->count *= spans[i].size + spans[i].absent;
    fzi_arena *arena = ev->lw->build.arena;
    out->numbers = ir->is_set ? NULL : fzi_arena_alloc(arena, sizeof(int64_t) * out->count);
    out->words = ir->is_set ? fzi_arena_alloc(arena, sizeof(uint64_t) * out->count * words) : NULL;
    out->fits = true;
    for (uint32_t row = 0; row < out->count; row++) {
        uint32_t rest = row;
        int64_t number = 0;
        uint64_t set[FZ_MAX_WORDS];
        for (unsigned i = n; i-- > 0;) {
            uint32_t size = spans[i].size + spans[i].absent, at = rest % size;
            rest /= size;
            arguments[i] = spans[i].absent && at == 0 ? FZ_NOT_THERE
                                                      : spans[i].low + at - spans[i].absent;
        }
        if (!evaluate(ev, arguments, &number, set))
            return false;
        if (ir->is_set) {
            memcpy(out->words + (size_t)row * words, set, sizeof *set * words);
        } else {
            out->numbers[row] = number;
            out->fits &= number >= INT32_MIN && number <= INT32_MAX;
        }
    }
    return true;
}

static bool row_is_absent(uint32_t row, const span *spans, unsigned n)
{
    for (unsigned i = n; i-- > 0;) {
        uint32_t size = spans[i].size + spans[i].absent;
        if (spans[i].absent && row % size == 0)
            return true;
        row /= size;
    }
    return false;
}

/* Do all rows for an absent local hold the table's default? Then the table does not need them. */
static bool absent_is_default(const rows *r, const span *spans, unsigned n, unsigned words,
                              int64_t *initial)
{
    bool found = false;
    for (uint32_t row = 0; row < r->count; row++) {
        if (!row_is_absent(row, spans, n))
            continue;
        if (r->words) {
            if (!fzi_words_empty(r->words + (size_t)row * words, words))
                return false;
        } else if (found && r->numbers[row] != *initial) {
            return false;
        } else {
            *initial = r->numbers[row];
            found = true;
        }
    }
    return true;
}

static void drop_absent(rows *r, span *spans, unsigned n, unsigned words)
{
    uint32_t kept = 0;
    for (uint32_t row = 0; row < r->count; row++) {
        if (row_is_absent(row, spans, n))
            continue;
        if (r->words)
            memmove(r->words + (size_t)kept * words, r->words + (size_t)row * words,
                    sizeof(uint64_t) * words);
        else
            r->numbers[kept] = r->numbers[row];
        kept++;
    }
    r->count = kept;
    for (unsigned i = 0; i < n; i++)
        spans[i].absent = false;
}

static bool all_rows_same(const rows *r, unsigned words)
{
    for (uint32_t row = 1; row < r->count; row++) {
        if (r->words
                ? memcmp(r->words, r->words + (size_t)row * words, sizeof(uint64_t) * words) != 0
                : r->numbers[row] != r->numbers[0])
            return false;
    }
    return true;
}

static bool is_identity(const rows *r, const fzi_ir *ir, const span *spans, int64_t initial)
{
    if (r->words || ir->free_count != 1 || spans[0].low != 0 || spans[0].absent)
        return false;
    if (ir->free[0]->may_be_absent && initial != FZ_NOT_THERE)
        return false;
    for (uint32_t row = 0; row < r->count; row++) {
        if (r->numbers[row] != row)
            return false;
    }
    return true;
}

static const fzi_ir *index_of(fzi_ir_maker *m, fzi_local *local, const span *s)
{
    int64_t shift = s->absent ? 1 : -s->low;
    const fzi_ir *ir = fzi_ir_local(m, local);
    return shift ? fzi_ir_opk(m, FZ_OP_ADDK, ir, NULL, (int32_t)shift, 0) : ir;
}

/* Masks of more than 32 bits take two entries each. */
static uint32_t mask_table(fzi_lower *lw, const rows *r)
{
    int32_t *halves = fzi_arena_alloc(lw->build.arena, 2 * sizeof *halves * (r->count + 1));
    for (uint32_t i = 0; i < r->count; i++)
        fzi_mask_put(halves + 2 * (size_t)i, r->numbers[i]);
    return fzi_build_int_table(&lw->build, halves, 2 * r->count, 0);
}

static const fzi_ir *look_up(fzi_lower *lw, const fzi_ir *ir, const rows *r, const span *spans,
                             int64_t initial)
{
    fzi_ir_maker *m = &lw->maker;
    uint32_t table;
    bool is_bool = !ir->is_set && r->fits;
    if (ir->is_set) {
        table = fzi_build_set_table(&lw->build, r->words, r->count);
    } else if (!r->fits) {
        table = mask_table(lw, r);
    } else {
        int32_t *numbers = fzi_arena_alloc(lw->build.arena, sizeof *numbers * (r->count + 1));
        for (uint32_t i = 0; i < r->count; i++) {
            numbers[i] = (int32_t)r->numbers[i];
            is_bool &= numbers[i] == 0 || numbers[i] == 1;
        }
        table = fzi_build_int_table(&lw->build, numbers, r->count, (int32_t)initial);
        is_bool &= initial == 0 || initial == 1;
    }
    const fzi_ir *a = index_of(m, ir->free[0], &spans[0]), *made;
    unsigned n = ir->free_count;
    if (n == 1) {
        int op = ir->is_set ? FZ_OP_STABLE : r->fits ? FZ_OP_TABLE : FZ_OP_MTABLE;
        made = fzi_ir_opk(m, op, a, NULL, (int32_t)table, 0);
    } else {
        for (unsigned i = 1; i + 1 < n; i++)
            a = fzi_ir_opk(m, FZ_OP_INDEX, a, index_of(m, ir->free[i], &spans[i]),
                           (int32_t)(spans[i].size + spans[i].absent), 0);
        int op = ir->is_set ? FZ_OP_STABLE2 : r->fits ? FZ_OP_TABLE2 : FZ_OP_MTABLE2;
        made = fzi_ir_opk(m, op, a, index_of(m, ir->free[n - 1], &spans[n - 1]), (int32_t)table,
                          (int32_t)(spans[n - 1].size + spans[n - 1].absent));
    }
    fzi_ir *known = fzi_arena_copy(lw->build.arena, made, sizeof *made);
    known->is_bool = is_bool;
    return known;
}

/* Orders locals: the player first, the others as found. Equal tables then have equal rows. */
static void order_free(fzi_ir *ir)
{
    for (unsigned i = 1; i < ir->free_count; i++) {
        if (strcmp(ir->free[i]->name, "me") == 0 && strcmp(ir->free[0]->name, "me") != 0) {
            fzi_local *me = ir->free[i];
            memmove(&ir->free[1], &ir->free[0], sizeof me * i);
            ir->free[0] = me;
        }
    }
}

/* Tables made since `since` are needed for its rows only. */
static const fzi_ir *make_table(fzi_lower *lw, const fzi_ir *given, const fzi_table_mark *since)
{
    span spans[FZI_IR_FREE] = {0};
    rows r;
    evaluation ev;
    int64_t initial = 0;
    unsigned words = lw->maker.words;
    fzi_ir *ir = fzi_arena_copy(lw->build.arena, given, sizeof *given);
    order_free(ir);
    lw->maker.span = ir->span;
    for (unsigned i = 0; i < ir->free_count; i++) {
        spans[i].low = ir->free[i]->low;
        spans[i].size = (uint32_t)(ir->free[i]->high - ir->free[i]->low + 1);
        spans[i].absent = ir->free[i]->may_be_absent;
    }
    bool done = evaluation_begin(&ev, lw, ir) && fill_rows(&ev, spans, &r);
    evaluation_end(&ev);
    if (!done && ev.by_decision && ev.failed && !ev.budget) {
        lw->unaffordable = true;
        fzi_not_constant(lw, ir->span, FZ_E_CONSTANT_FAILED, "");
    }
    if (!done)
        return NULL;
    if (since)
        fzi_tables_drop(&lw->build, *since);
    if (all_rows_same(&r, words))
        return ir->is_set ? fzi_ir_set(&lw->maker, r.words) : fzi_ir_int(&lw->maker, r.numbers[0]);
    if (absent_is_default(&r, spans, ir->free_count, words, &initial) && (r.fits || !initial))
        drop_absent(&r, spans, ir->free_count, words);
    if (is_identity(&r, ir, spans, initial))
        return fzi_ir_local(&lw->maker, ir->free[0]);
    return look_up(lw, ir, &r, spans, initial);
}

bool fzi_has_many_rows(fzi_lower *lw, const fzi_ir *ir)
{
    uint64_t count;
    return can_tabulate(lw, ir, &count) && count > FEW_ROWS;
}

const fzi_ir *fzi_constant_table(fzi_lower *lw, const fzi_ir *ir)
{
    uint64_t count;
    return can_tabulate(lw, ir, &count) ? make_table(lw, ir, NULL) : NULL;
}

const fzi_ir *fzi_constant_table_from(fzi_lower *lw, const fzi_ir *ir, const fzi_table_mark *since)
{
    uint64_t count;
    return can_tabulate(lw, ir, &count) ? make_table(lw, ir, since) : NULL;
}
