/* Finds the moves that do no more to the board than to take one piece from the site of one binding
 * to that of another, or to put a piece on the site of a binding; the piece may change its kind.
 * prune.c judges their filters without playing them. in_place_trials.c calls it.
 *
 * All ways through the effect are walked, up to the last FILTER_BEGIN, with what is known of each
 * register. A move from a site to itself, or without a piece, is none of those asked about. */
#include "quiet_effects.h"

enum { MOST_STEPS = 400, MOST_BRANCHES = 10, FILTERS = 8, NOWHERE = -2 };

enum tag {
    NOT_KNOWN,
    BINDING,    /* number: which */
    A_NUMBER,
    ENTRY,      /* of the table of that number */
    THE_KIND,   /* of the piece that moves */
    ME          /* register 0 as it was */
};

typedef struct quiet_value {
    uint8_t tag;
    int32_t number;
} quiet_value;

typedef struct way {
    quiet_value ints[256];
    int32_t last_from, last_to; /* bindings; FZ_NOT_THERE: anything; NOWHERE */
    int16_t piece;              /* what the piece is; fz_quiet.piece */
    bool moved;
} way;

typedef struct quiet_walk {
    const fz_program *p;
    const uint64_t *stores;
    const fz_option_info *option;
    fz_quiet *q;
    fzi_live written;
    int32_t from, to;     /* bindings: of the first piece that moves */
    unsigned steps;
    bool good, judged;    /* judged: a filter has begun on a way before */
} quiet_walk;

/* ---- functions ---- */

static uint64_t stores_here(const uint64_t *stores, const fz_code *code)
{
    unsigned op = FZ_CODE_OP(*code);
    if (fzi_opcode_is(op, FZ_FLAG_CALLS))
        return stores[code[1]];
    if (fzi_opcode_is(op, FZ_FLAG_LIST | FZ_FLAG_CHANCE | FZ_FLAG_OVER | FZ_FLAG_DECIDES |
                              FZ_FLAG_OPENS | FZ_FLAG_JUDGES | FZ_FLAG_OUTSIDE))
        return UINT64_MAX;
    if (!fzi_opcode_is(op, FZ_FLAG_WRITE))
        return 0;
    return *fzi_opcode_extension(op) == 'A' ? FZ_QUIET_BIT(code[1]) : UINT64_MAX;
}

void fzi_quiet_functions(const fz_program *p, uint64_t *stores)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < p->function_count; i++) {
            uint64_t all = stores[i];
            FZI_FOR_INSTRUCTIONS(at, p, &p->functions[i])
                all |= stores_here(stores, p->code + at);
            changed |= all != stores[i];
            stores[i] = all;
        }
    }
}

/* ---- single instructions ---- */

static bool is_binding(const quiet_value *v, int32_t number)
{
    return v->tag == BINDING && v->number == number;
}

static uint64_t kinds_of(const fz_program *p, uint32_t table)
{
    const fz_int_table *t = &p->int_tables[table];
    uint64_t kinds = t->initial >= 0 ? FZ_QUIET_BIT(t->initial) : 0;
    for (uint32_t i = 0; i < t->length; i++)
        if (p->int_pool[t->first + i] >= 0)
            kinds |= FZ_QUIET_BIT(p->int_pool[t->first + i]);
    return kinds;
}

/* A piece of that kind appears. */
static bool makes(quiet_walk *w, const quiet_value *kind)
{
    fz_quiet *q = w->q;
    if (kind->tag == A_NUMBER && kind->number >= 0)
        q->kinds |= FZ_QUIET_BIT(kind->number);
    else if (kind->tag == ENTRY)
        q->kinds |= kinds_of(w->p, (uint32_t)kind->number);
    else if (kind->tag == BINDING && (q->kind < 0 || q->kind == kind->number))
        q->kind = (int8_t)kind->number;
    else
        return kind->tag == THE_KIND;
    return true;
}

/* The moving piece becomes another kind. */
static void becomes(const quiet_walk *w, way *y, const quiet_value *kind)
{
    if (kind->tag == A_NUMBER)
        y->piece = (int16_t)kind->number;
    else if (kind->tag == BINDING && w->q->kind == kind->number)
        y->piece = FZ_PIECE_BOUND;
    else if (kind->tag != THE_KIND || y->piece != FZ_PIECE_SAME)
        y->piece = FZ_PIECE_ANY;
}

/* A piece comes to a binding's site, from another's or (FZ_NOT_THERE) from nowhere. */
static bool comes(const quiet_walk *w, way *y, int32_t from, const quiet_value *to)
{
    if (y->moved || from != w->from || !is_binding(to, w->to))
        return false;
    return y->moved = true;
}

static bool put_one(quiet_walk *w, way *y, const fz_code *code)
{
    const quiet_value *ints = y->ints, kind = {A_NUMBER, (int32_t)FZ_CODE_B(*code)};
    bool given = FZ_CODE_OP(*code) == FZ_OP_PUT1_GIVEN;
    w->q->mine = true;
    if (ints[FZ_CODE_C(*code)].tag != ME ||
        !comes(w, y, FZ_NOT_THERE, &ints[FZ_CODE_A(*code)]) ||
        !makes(w, given ? &kind : &ints[FZ_CODE_B(*code)]))
        return false;
    becomes(w, y, given ? &kind : &ints[FZ_CODE_B(*code)]);
    return true;
}

/* Forgets what the instruction writes. */
static void forget(quiet_walk *w, way *y, uint32_t at)
{
    fzi_live reads = {{0}}, writes = {{0}};
    fzi_live_uses(w->p, at, &reads, &writes);
    for (unsigned i = 0; i < FZ_LIVE_WORDS; i++)
        w->written.w[i] |= writes.w[i];
    for (unsigned i = 0; i < 256; i++)
        if (fzi_live_int(&writes, i))
            y->ints[i] = (quiet_value){NOT_KNOWN, 0};
}

static quiet_value binding_of(int32_t number)
{
    return number < 0 ? (quiet_value){NOT_KNOWN, 0} : (quiet_value){BINDING, number};
}

/* The value of a site of the latest move. */
static int32_t last_of(const quiet_value *v)
{
    return v->tag == BINDING                        ? v->number
           : v->tag == A_NUMBER && v->number == -1 ? NOWHERE
                                                   : FZ_NOT_THERE;
}

/* Joins the findings of all filters on all ways. */
static void judges(quiet_walk *w, const way *y)
{
    fz_quiet *q = w->q;
    q->last = q->last && y->moved && y->last_to == w->to &&
              y->last_from == (w->from >= 0 ? w->from : NOWHERE);
    q->piece = w->judged && q->piece != y->piece ? FZ_PIECE_ANY : y->piece;
    w->judged = true;
}

/* Follows one instruction; false: it does more than a quiet effect may. */
static bool follow(quiet_walk *w, way *y, uint32_t at)
{
    const fz_code *code = w->p->code + at;
    unsigned op = FZ_CODE_OP(*code), a = FZ_CODE_A(*code), b = FZ_CODE_B(*code);
    quiet_value was = y->ints[b], gives = {NOT_KNOWN, 0};
    switch (op) {
    case FZ_OP_PEND:
        return true;
    case FZ_OP_FILTER_BEGIN:
        judges(w, y);
        return true;
    case FZ_OP_MOVE:
        return y->ints[a].tag == BINDING && comes(w, y, y->ints[a].number, &y->ints[b]);
    case FZ_OP_BECOME:
        if (!y->moved || !is_binding(&y->ints[a], w->to) || !makes(w, &y->ints[b]))
            return false;
        becomes(w, y, &y->ints[b]);
        return true;
    case FZ_OP_PUT1: case FZ_OP_PUT1_GIVEN:
        return put_one(w, y, code);
    case FZ_OP_SET_LAST_MOVE:
        y->last_from = last_of(&y->ints[a]);
        y->last_to = last_of(&was);
        return true;
    case FZ_OP_LAST:
        forget(w, y, at);
        y->ints[a] = binding_of(y->last_from);
        y->ints[b] = binding_of(y->last_to);
        return true;
    case FZ_OP_INT: gives = (quiet_value){A_NUMBER, (int32_t)code[1]}; break;
    case FZ_OP_COPY: gives = was; break;
    case FZ_OP_TABLE: gives = (quiet_value){ENTRY, (int32_t)code[1]}; break;
    case FZ_OP_KIND:
        if (is_binding(&was, y->moved ? w->to : w->from))
            gives.tag = THE_KIND;
        break;
    default:
        break;
    }
    uint64_t stored = stores_here(w->stores, code);
    forget(w, y, at);
    if (gives.tag != NOT_KNOWN)
        y->ints[a] = gives;
    w->q->stores |= stored;
    return stored != UINT64_MAX;
}

/* ---- ways ---- */

/* Where the moving piece is asked for, it is there; its two sites differ. */
static bool never_jumps(const quiet_walk *w, const way *y, const fz_code *code)
{
    const quiet_value *x = &y->ints[FZ_CODE_A(*code)], *z = &y->ints[FZ_CODE_B(*code)];
    if (FZ_CODE_OP(*code) == FZ_OP_JLT)
        return x->tag == THE_KIND && z->tag == A_NUMBER && z->number <= 0;
    return FZ_CODE_OP(*code) == FZ_OP_JEQ && w->from >= 0 &&
           ((is_binding(x, w->from) && is_binding(z, w->to)) ||
            (is_binding(x, w->to) && is_binding(z, w->from)));
}

static void walk_from(quiet_walk *w, const way *before, uint32_t at, unsigned branches)
{
    const fz_option_info *o = w->option;
    uint32_t outermost = w->p->filter_lists[o->first_filter + o->filters - 1u];
    way y = *before;
    while (w->good) {
        const fz_code *code = w->p->code + at;
        unsigned op = FZ_CODE_OP(*code);
        if (op == FZ_OP_FILTER_BEGIN && code[1] == outermost) {
            judges(w, &y);
            return;
        }
        int64_t jump = never_jumps(w, &y, code) ? FZ_NO_JUMP : fzi_opcode_jump(code);
        if (++w->steps > MOST_STEPS || !follow(w, &y, at)) {
            w->good = false;
            return;
        }
        if (jump != FZ_NO_JUMP && branches == MOST_BRANCHES)
            w->good = false;
        else if (jump != FZ_NO_JUMP)
            walk_from(w, &y, (uint32_t)jump, branches + 1);
        if (fzi_opcode_is(op, FZ_FLAG_ENDS))
            return;
        at += fzi_opcode_length(op);
    }
}

/* Filters whose code reads nothing that the move has set. */
static uint8_t filters_apart(const quiet_walk *w, const fzi_live *live)
{
    const fz_option_info *o = w->option;
    fzi_live set = w->written;
    uint8_t apart = 0;
    fzi_live_add(&set, false, o->first, o->bindings);
    for (unsigned f = 0; f < o->filters && f < FILTERS; f++) {
        const fzi_live *reads = &live[w->p->filters[w->p->filter_lists[o->first_filter + f]].code];
        bool meets = false;
        for (unsigned i = 0; i < FZ_LIVE_WORDS; i++)
            meets = meets || (reads->w[i] & set.w[i]);
        if (!meets)
            apart |= (uint8_t)(1u << f);
    }
    return apart;
}

/* The binding in a register; FZ_NOT_THERE: it holds none. */
static int32_t binding_in(const fz_option_info *o, unsigned reg)
{
    return reg >= o->first && reg < o->first + (unsigned)o->bindings ? (int32_t)(reg - o->first)
                                                                     : FZ_NOT_THERE;
}

/* Which piece moves, or is put, if any is. */
static void find_piece(quiet_walk *w)
{
    const fz_program *p = w->p;
    uint32_t at = w->option->effect, end = p->functions[p->choices[w->option->choice].function].end;
    w->from = w->to = FZ_NOT_THERE;
    for (; at < end && FZ_CODE_OP(p->code[at]) != FZ_OP_FILTER_BEGIN;
         at += fzi_opcode_length(FZ_CODE_OP(p->code[at]))) {
        fz_code code = p->code[at];
        unsigned op = FZ_CODE_OP(code);
        if (op != FZ_OP_MOVE && op != FZ_OP_PUT1 && op != FZ_OP_PUT1_GIVEN)
            continue;
        w->from = op == FZ_OP_MOVE ? binding_in(w->option, FZ_CODE_A(code)) : FZ_NOT_THERE;
        w->to = binding_in(w->option, op == FZ_OP_MOVE ? FZ_CODE_B(code) : FZ_CODE_A(code));
        return;
    }
}

/* Does a filter ask for the latest move? */
static bool asks_last(const fz_program *p, const fz_option_info *o)
{
    for (unsigned f = 0; f < o->filters; f++) {
        uint32_t filter = p->filter_lists[o->first_filter + f];
        FZI_FOR_CODE(at, p, p->filters[filter].code, fzi_filter_verdict(p, filter))
            if (FZ_CODE_OP(p->code[at]) == FZ_OP_LAST)
                return true;
    }
    return false;
}

void fzi_quiet_option(const fz_program *p, const uint64_t *stores, const fzi_live *live,
                      fz_option_info *option)
{
    fz_quiet *q = &option->quiet;
    quiet_walk w = {.p = p, .stores = stores, .option = option, .q = q, .good = true};
    way start = {.last_from = FZ_NOT_THERE, .last_to = FZ_NOT_THERE};
    find_piece(&w);
    *q = (fz_quiet){.last = w.to >= 0, .from = (int8_t)w.from, .to = (int8_t)w.to,
                    .piece = FZ_PIECE_ANY, .kind = FZ_NOT_THERE};
    start.piece = FZ_PIECE_SAME;
    start.ints[0].tag = ME;
    for (unsigned i = 0; i < option->bindings; i++)
        start.ints[option->first + i] = (quiet_value){BINDING, (int32_t)i};
    walk_from(&w, &start, option->effect, 0);
    q->last = q->last && asks_last(p, option);
    q->is = w.good && (w.to < 0 || w.from != w.to) && option->filters <= FILTERS;
    q->apart = filters_apart(&w, live);
}
