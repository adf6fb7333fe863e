/* Footprints: the sites that a filter's verdict depends on. Most moves cannot change a verdict.
 * Whether a king stands in check changes only by moves on the lines to it. To judge a whole list,
 * the filter therefore runs once on the position before the move and records every site that it
 * reads. Only moves from or to one of these sites are tried.
 *
 * The filter's code runs on sets with three parts:
 *   value     the members in the present position
 *   open      sites whose membership depends on the piece on that very site
 *   depends   sites that the whole set depends on (for riders: the sites that they reach)
 * The moves in question take a piece of `player` from a site outside the footprint to another one.
 * Pieces of other players can therefore only disappear from their sites, and a set of the player's
 * own pieces of one kind keeps all members once those are in the footprint. A decision on a set
 * adds the set's open sites and its dependencies to the footprint. An instruction without a case
 * here ends the attempt; then every move is tried.
 *
 * Compiled once for boards of one word and once for all others. The includer defines FZ_FOOTPRINT
 * (the function's name) and FZ_WORDS. */
#include "footprint.h"
#include "interp/board/topology.h"
#include "interp/state/state.h"
#include "interp/support/words.h"

static const uint8_t code_lengths[] = {
#define OP(name, operands, extension, flags, meaning) sizeof(extension),
#include "interp/program/opcodes.def"
#undef OP
};

enum { MAX_FRAMES = 8, SET_WORDS = 1536, INTS = 384, MAX_STEPS = 1000 };

typedef struct frame {
    const fz_code *back;      /* where the caller goes on */
    int64_t *ints;
    uint64_t *sets;           /* three sets of words for each register */
    uint8_t result;           /* the caller's register */
} frame;

typedef struct reader {
    const fz_machine *m;
    const fz_program *p;
    const fz_state *state;
    int player;
    uint64_t *sites;          /* the footprint */
    frame frames[MAX_FRAMES];
    unsigned depth;
    /* Integer registers of the lowest frame that the move sets. */
    uint32_t unknown_first, unknown_count;
    unsigned int_top, set_top;
    int64_t ints[INTS];
    uint64_t sets[SET_WORDS];
} reader;

/* ---- sets ---- */

static uint64_t *value_of(reader *r, unsigned reg)
{
    return r->frames[r->depth].sets + (size_t)reg * 3 * FZ_WORDS(r);
}

static uint64_t *open_of(reader *r, unsigned reg)
{
    return value_of(r, reg) + FZ_WORDS(r);
}

static uint64_t *depends_of(reader *r, unsigned reg)
{
    return value_of(r, reg) + 2 * (size_t)FZ_WORDS(r);
}

static void add_to(uint64_t *into, const uint64_t *set, unsigned w)
{
    for (unsigned i = 0; i < w; i++)
        into[i] |= set[i];
}

/* From now on the set is certain. */
static void settle(reader *r, unsigned reg)
{
    add_to(r->sites, open_of(r, reg), FZ_WORDS(r));
    add_to(r->sites, depends_of(r, reg), FZ_WORDS(r));
    fzi_words_clear(open_of(r, reg), 2 * FZ_WORDS(r));
}

/* What stands on a site outside the footprint may change: to anything (NULL), or only for
 * members of the set. */
static void give_board(reader *r, unsigned reg, const uint64_t *value, const uint64_t *open)
{
    uint64_t *out = value_of(r, reg);
    for (unsigned i = 0; i < FZ_WORDS(r); i++) {
        out[i] = value[i];
        out[FZ_WORDS(r) + i] = (open ? open[i] : r->m->all[i]) & ~r->sites[i];
        out[2 * FZ_WORDS(r) + i] = 0;
    }
}

static void give_certain(reader *r, unsigned reg, const uint64_t *value)
{
    fzi_words_copy(value_of(r, reg), value, FZ_WORDS(r));
    fzi_words_clear(open_of(r, reg), 2 * FZ_WORDS(r));
}

static bool certainly_empty(reader *r, unsigned reg)
{
    return fzi_words_empty(value_of(r, reg), 3 * FZ_WORDS(r));
}

/* a = b & c, b | c or b - c. */
static void combine(reader *r, unsigned op, unsigned a, unsigned b, unsigned c)
{
    bool none =
        op != FZ_OP_SOR && (certainly_empty(r, b) || (op == FZ_OP_SAND && certainly_empty(r, c)));
    const uint64_t *x = value_of(r, b), *y = value_of(r, c);
    uint64_t *out = value_of(r, a);
    for (unsigned i = 0, w = FZ_WORDS(r); i < w; i++) {
        uint64_t some_x = x[i] | x[w + i], sure_x = x[i] & ~x[w + i];
        uint64_t some_y = y[i] | y[w + i], sure_y = y[i] & ~y[w + i];
        uint64_t open = x[w + i] | y[w + i], depends = none ? 0 : x[2 * w + i] | y[2 * w + i];
        uint64_t value = op == FZ_OP_SAND  ? x[i] & y[i]
                         : op == FZ_OP_SOR ? x[i] | y[i]
                                           : x[i] & ~y[i];
        open &= op == FZ_OP_SAND  ? some_x & some_y
                : op == FZ_OP_SOR ? ~(sure_x | sure_y)
                                  : some_x & ~sure_y;
        out[i] = value;
        out[w + i] = open;
        out[2 * w + i] = depends;
    }
}

/* Has the set a member? */
static bool some(reader *r, unsigned reg)
{
    const uint64_t *v = value_of(r, reg);
    bool sure = fzi_words_empty(depends_of(r, reg), FZ_WORDS(r)), found = false;
    for (unsigned i = 0; i < FZ_WORDS(r); i++)
        found = found || (v[i] & ~v[FZ_WORDS(r) + i]);
    if (!(sure && found))
        settle(r, reg);
    return !fzi_words_empty(value_of(r, reg), FZ_WORDS(r));
}

/* Do they meet? The register after the frame's last is free for it. */
static bool meet(reader *r, unsigned b, unsigned c)
{
    unsigned spare =
        (unsigned)(r->sets + r->set_top - r->frames[r->depth].sets) / (3 * FZ_WORDS(r)) - 1;
    combine(r, FZ_OP_SAND, spare, b, c);
    return some(r, spare);
}

static bool has(reader *r, unsigned reg, int64_t site)
{
    if (site < 0 || site >= r->m->site_count)
        return false;
    add_to(r->sites, depends_of(r, reg), FZ_WORDS(r));
    if (fzi_words_has(open_of(r, reg), (unsigned)site))
        fzi_words_add(r->sites, (unsigned)site);
    return fzi_words_has(value_of(r, reg), (unsigned)site);
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

static bool read_kind(reader *r, unsigned reg, int64_t kind)
{
    uint64_t value[FZ_MAX_WORDS];
    if (kind < 0 || kind >= r->m->kind_count)
        return false;
    of_kind(r, kind, value);
    give_board(r, reg, value, NULL);
    return true;
}

static bool read_owned(reader *r, unsigned reg, int64_t owner)
{
    if (owner < -1 || owner >= r->m->player_count)
        return false;
    const uint64_t *value = own_at(r, owner);
    give_board(r, reg, value, owner == r->player ? NULL : value);
    return true;
}

static bool read_pieces(reader *r, unsigned reg, int64_t kind, int64_t owner)
{
    uint64_t value[FZ_MAX_WORDS];
    if (kind < 0 || kind >= r->m->kind_count || owner < -1 || owner >= r->m->player_count)
        return false;
    of_kind(r, kind, value);
    for (unsigned i = 0; i < FZ_WORDS(r); i++)
        value[i] &= own_at(r, owner)[i];
    if (owner == r->player)
        add_to(r->sites, value, FZ_WORDS(r));
    give_board(r, reg, value, value);
    return true;
}

/* Only where it changes nothing: the site holds a piece of that owner. */
static bool phantom(reader *r, int64_t site, int64_t owner)
{
    if (site < 0 || site >= r->m->site_count || owner < -1 || owner >= r->m->player_count ||
        !fzi_words_has(own_at(r, owner), (unsigned)site))
        return false;
    fzi_words_add(r->sites, (unsigned)site);
    return true;
}

/* ---- geometry: of sets that are certain; a ride hangs on where it leads ---- */

static bool slide(reader *r, unsigned a, unsigned from, unsigned through, uint64_t dirs,
                  int64_t most)
{
    uint64_t out[FZ_MAX_WORDS] = {0}, depends[FZ_MAX_WORDS];
    settle(r, from);
    fzi_words_copy(depends, depends_of(r, through), FZ_WORDS(r));
    FZI_FOR_SITES (site, value_of(r, from), FZ_WORDS(r))
        fzi_slide(r->p->topology, (int)site, dirs & r->m->dir_mask, value_of(r, through), most,
                  out);
    give_certain(r, a, out);
    add_to(depends, out, FZ_WORDS(r));
    fzi_words_copy(depends_of(r, a), depends, FZ_WORDS(r));
    return true;
}

static bool step(reader *r, unsigned a, unsigned from, uint64_t dirs)
{
    uint64_t out[FZ_MAX_WORDS] = {0};
    settle(r, from);
    fzi_step(r->p->topology, value_of(r, from), dirs & r->m->dir_mask, out);
    give_certain(r, a, out);
    return true;
}

static bool leap(reader *r, unsigned a, unsigned from, int64_t one, int64_t other)
{
    uint64_t out[FZ_MAX_WORDS] = {0};
    settle(r, from);
    FZI_FOR_SITES (site, value_of(r, from), FZ_WORDS(r))
        fzi_ride(r->p->topology, (int)site, one, other, NULL, out);
    give_certain(r, a, out);
    return true;
}

/* ---- tables ---- */

static bool row(reader *r, unsigned a, uint32_t table, int64_t index)
{
    static const uint64_t none[FZ_MAX_WORDS];
    const fz_set_table *t = &r->p->set_tables[table];
    if (index < -1 || index >= (int64_t)t->rows)
        return false;
    give_certain(r, a,
                 index < 0 ? none : r->p->set_pool + t->first + (uint64_t)index * FZ_WORDS(r));
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
static bool load(const reader *r, int64_t *out, uint32_t variable, int64_t index)
{
    const fz_variable *v = &r->p->variables[variable];
    if (v->carried || index < 0 || index >= v->length)
        return false;
    *out = fzi_state_get(r->state, variable, (uint32_t)index);
    return true;
}

/* ---- frames ---- */

static bool enter(reader *r, const fz_function *f)
{
    unsigned ints = f->ints, sets = (f->sets + 1u) * 3 * FZ_WORDS(r); /* one more, for `meet` */
    if (r->int_top + ints > INTS || r->set_top + sets > SET_WORDS)
        return false;
    frame *now = &r->frames[r->depth];
    now->ints = r->ints + r->int_top;
    now->sets = r->sets + r->set_top;
    r->int_top += ints;
    r->set_top += sets;
    memset(now->ints, 0, ints * sizeof *now->ints);
    fzi_words_clear(now->sets, sets);
    return true;
}

static bool call(reader *r, const fz_code *code, const fz_code **ip)
{
    const fz_function *f = &r->p->functions[code[1]];
    const frame *from = &r->frames[r->depth];
    if (r->depth + 1 == MAX_FRAMES)
        return false;
    const int64_t *ints = from->ints + FZ_CODE_A(*code);
    const uint64_t *sets = from->sets + (size_t)FZ_CODE_B(*code) * 3 * FZ_WORDS(r);
    r->depth++;
    if (!enter(r, f))
        return false;
    frame *to = &r->frames[r->depth];
    to->back = *ip;
    to->result = (uint8_t)FZ_CODE_C(*code);
    memcpy(to->ints, ints, f->int_params * sizeof *ints);
    memcpy(to->sets, sets, f->set_params * 3u * FZ_WORDS(r) * sizeof *sets);
    *ip = r->p->code + f->start;
    return true;
}

static bool leave(reader *r, const fz_code **ip, int64_t number)
{
    if (!r->depth)
        return false;
    const frame *from = &r->frames[r->depth];
    r->int_top = (unsigned)(from->ints - r->ints);
    r->set_top = (unsigned)(from->sets - r->sets);
    r->frames[--r->depth].ints[from->result] = number;
    *ip = from->back;
    return true;
}

/* ---- the run ---- */

/* Does the instruction read a register that the move sets? */
static bool reads_unknown(const reader *r, const fz_code *code)
{
    unsigned op = FZ_CODE_OP(*code);
    const char *letters = fzi_opcode_operands(op);
    const unsigned operands[] = {FZ_CODE_A(*code), FZ_CODE_B(*code), FZ_CODE_C(*code)};
    uint32_t first = r->unknown_first, count = r->unknown_count;
    for (unsigned i = 0; i < 3; i++)
        if ((letters[i] == 'I' || letters[i] == 'm') && operands[i] - first < count)
            return true;
    if (op != FZ_OP_CALL)
        return false;
    unsigned end = operands[0] + r->p->functions[code[1]].int_params;
    return operands[0] < first + count && end > first;
}

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
        memcpy(value_of(r, A), value_of(r, B), 3u * FZ_WORDS(r) * sizeof(uint64_t));
        break;
    case FZ_OP_SNONE: fzi_words_clear(value_of(r, A), 3 * FZ_WORDS(r)); break;
    case FZ_OP_SALL: give_certain(r, A, r->m->all); break;
    case FZ_OP_SROW: ok = row(r, A, code[1], (int32_t)code[2]); break;
    case FZ_OP_STABLE: ok = row(r, A, code[1], I[B]); break;
    case FZ_OP_STABLE2: ok = row(r, A, code[1], place(I[B], I[C], (int32_t)code[2])); break;
    case FZ_OP_SBIT: case FZ_OP_SADD:
        if (op == FZ_OP_SBIT)
            fzi_words_clear(value_of(r, A), 3 * FZ_WORDS(r));
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
        uint64_t set[FZ_MAX_WORDS];
        occupied(r, set);
        for (unsigned i = 0; op == FZ_OP_EMPTY && i < FZ_WORDS(r); i++)
            set[i] = r->m->all[i] & ~set[i];
        give_board(r, A, set, NULL);
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

bool FZ_FOOTPRINT(const fz_machine *m, const fz_state *state, const fz_option_info *option,
                   uint32_t filter, uint64_t *sites)
{
    reader r; /* large; what is used is set by `enter` */
    bool done = false, verdict = false;
    const fz_program *p = m->program;
    const fz_code *ip = p->code + p->filters[filter].code;
    r.m = m;
    r.p = p;
    r.state = state;
    r.player = fzi_head_of(state)->decider;
    r.sites = sites;
    r.depth = r.int_top = r.set_top = 0;
    r.unknown_first = option->first;
    r.unknown_count = option->bindings;
    fzi_words_clear(sites, FZ_WORDS(&r));
    if (!begin(&r, &p->choices[option->choice]))
        return false;
    for (unsigned i = 0; i < MAX_STEPS; i++)
        if ((!r.depth && reads_unknown(&r, ip)) || !run_one(&r, &ip, &done, &verdict))
            break;
    return done && verdict;
}
