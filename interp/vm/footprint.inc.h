/* Runs the code of a filter on sets that know how they may change (ops_footprint.h). An instruction
 * without a case here ends the attempt; then every move is tried.
 *
 * Compiled for each width of a set. The includer defines FZ_FOOTPRINT, the function's name. */
#include "footprint.h"
#include "interp/support/words.h"
#include "ops_footprint.h"

static const uint8_t code_lengths[] = {
#define OP(name, operands, extension, flags, meaning) sizeof(extension),
#include "interp/program/opcodes.def"
#undef OP
};

enum { MAX_FRAMES = 8, SETS = 64, INTS = 384, MAX_STEPS = 1000 };

typedef struct foot_frame {
    const fz_code *back;      /* where the caller goes on */
    int64_t *ints;
    fzi_unsure *sets;
    uint8_t result;           /* the caller's register */
} foot_frame;

/* Registers that were never written may hold anything: no verified code reads them. */
typedef struct reader {
    const fz_machine *m;
    const fz_program *p;
    const fz_state *state;
    fzi_found found;
    foot_frame frames[MAX_FRAMES];
    unsigned depth;
    int64_t *int_top;
    fzi_unsure *set_top;
    int64_t ints[INTS];
    fzi_unsure sets[SETS];
} reader;

/* ---- tables ---- */

static bool row(const reader *r, fzi_unsure *a, uint32_t table, int64_t index)
{
    const fzi_set_rows *t = &r->m->set_rows[table];
    if (index < -1 || index >= (int64_t)t->count)
        return false;
    *a = foot_sure(index < 0 ? set_none() : set_at(t->at + (uint64_t)index * FZ_W));
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
    r->found.loads |= FZ_QUIET_BIT(variable);
    *out = fzi_state_get(r->state, variable, (uint32_t)index);
    return true;
}

/* ---- frames ---- */

static bool enter(reader *r, const fz_function *f)
{
    if (r->int_top + f->ints > r->ints + INTS || r->set_top + f->sets > r->sets + SETS)
        return false;
    foot_frame *now = &r->frames[r->depth];
    now->ints = r->int_top;
    now->sets = r->set_top;
    r->int_top += f->ints;
    r->set_top += f->sets;
    return true;
}

static bool call(reader *r, const fz_code *code, const fz_code **ip)
{
    const fz_function *f = &r->p->functions[code[1]];
    const foot_frame *from = &r->frames[r->depth];
    if (r->depth + 1 == MAX_FRAMES)
        return false;
    for (unsigned i = 0; i < f->int_params; i++)
        if (foot_is_move(from->ints[FZ_CODE_A(*code) + i]))
            return false;
    r->depth++;
    if (!enter(r, f))
        return false;
    foot_frame *to = &r->frames[r->depth];
    to->back = *ip;
    to->result = (uint8_t)FZ_CODE_C(*code);
    memcpy(to->ints, from->ints + FZ_CODE_A(*code), f->int_params * sizeof *to->ints);
    for (unsigned i = 0; i < f->set_params; i++)
        to->sets[i] = from->sets[FZ_CODE_B(*code) + i];
    *ip = r->p->code + f->start;
    return true;
}

static bool leave(reader *r, const fz_code **ip, int64_t number)
{
    if (!r->depth)
        return false;
    const foot_frame *from = &r->frames[r->depth];
    r->int_top = from->ints;
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

/* The sites of the latest move are no numbers to count or to compare with. */
static bool numbers(int64_t a, int64_t b)
{
    return !foot_is_move(a) && !foot_is_move(b);
}

static bool compared(int64_t *out, int64_t a, int64_t b, bool answer)
{
    *out = answer;
    return numbers(a, b);
}

/* Runs one instruction; false: it cannot, or it is the end (`*done`). */
static bool run_one(reader *r, const fz_code **ip, bool *done, bool *verdict)
{
    const fz_code *code = *ip;
    unsigned op = FZ_CODE_OP(*code), A = FZ_CODE_A(*code), B = FZ_CODE_B(*code),
             C = FZ_CODE_C(*code);
    int64_t *I = r->frames[r->depth].ints;
    fzi_unsure *S = r->frames[r->depth].sets;
    fzi_found *f = &r->found;
    const fzi_topology *t = r->p->topology;
    const fz_code *jump = NULL;
    bool ok = true, taken = false, has = false;
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
    case FZ_OP_ADD: ok = numbers(I[B], I[C]) && sum(&I[A], I[B] + I[C]); break;
    case FZ_OP_ADDK: ok = numbers(I[B], 0) && sum(&I[A], I[B] + (int32_t)code[1]); break;
    case FZ_OP_SUB: ok = numbers(I[B], I[C]) && sum(&I[A], I[B] - I[C]); break;
    case FZ_OP_EQ: ok = compared(&I[A], I[B], I[C], I[B] == I[C]); break;
    case FZ_OP_NE: ok = compared(&I[A], I[B], I[C], I[B] != I[C]); break;
    case FZ_OP_LT: ok = compared(&I[A], I[B], I[C], I[B] < I[C]); break;
    case FZ_OP_LE: ok = compared(&I[A], I[B], I[C], I[B] <= I[C]); break;
    case FZ_OP_NOT: ok = compared(&I[A], I[B], 0, !I[B]); break;
    case FZ_OP_MOVER: I[A] = fzi_head_of(r->state)->mover; break;
    case FZ_OP_JUMP: taken = true; jump = r->p->code + code[1]; break;
    case FZ_OP_LAST: ok = foot_last(f, &I[A], &I[B]); break;
    case FZ_OP_KIND: ok = foot_kind_at(f, I[B], &I[A]); break;
    case FZ_OP_JTRUE: case FZ_OP_JFALSE:
        ok = numbers(I[A], 0);
        taken = (I[A] != 0) == (op == FZ_OP_JTRUE);
        jump = r->p->code + code[1];
        break;
    case FZ_OP_JEQ: case FZ_OP_JNE:
        ok = numbers(I[A], I[B]);
        taken = (I[A] == I[B]) == (op == FZ_OP_JEQ);
        jump = r->p->code + code[1];
        break;
    case FZ_OP_JLT: case FZ_OP_JLE:
        ok = numbers(I[A], I[B]);
        taken = op == FZ_OP_JLT ? I[A] < I[B] : I[A] <= I[B];
        jump = r->p->code + code[1];
        break;
    case FZ_OP_JSNONE: taken = !foot_some(f, &S[A]); jump = r->p->code + code[1]; break;
    case FZ_OP_JSSOME: taken = foot_some(f, &S[A]); jump = r->p->code + code[1]; break;
    case FZ_OP_JSHAS: case FZ_OP_JSMISS:
        ok = foot_has_site(f, &S[A], I[B], &has);
        taken = has == (op == FZ_OP_JSHAS);
        jump = r->p->code + code[1];
        break;
    case FZ_OP_JSMEETS: taken = foot_meet(f, &S[A], &S[B]); jump = r->p->code + code[1]; break;
    case FZ_OP_JSAPART: taken = !foot_meet(f, &S[A], &S[B]); jump = r->p->code + code[1]; break;
    case FZ_OP_EACH: case FZ_OP_EACH_ON:
        I[A] = foot_take(f, &S[B]);
        taken = (I[A] < 0) == (op == FZ_OP_EACH);
        jump = r->p->code + code[1];
        break;
    case FZ_OP_CALL: ok = call(r, code, ip); break;
    case FZ_OP_IRETURN: ok = leave(r, ip, I[A]); break;
    case FZ_OP_SCOPY: S[A] = S[B]; break;
    case FZ_OP_SNONE: S[A] = foot_sure(set_none()); break;
    case FZ_OP_SALL: S[A] = foot_sure(board_all(r->m)); break;
    case FZ_OP_SROW: ok = row(r, &S[A], code[1], (int32_t)code[2]); break;
    case FZ_OP_STABLE: ok = row(r, &S[A], code[1], I[B]); break;
    case FZ_OP_STABLE2: ok = row(r, &S[A], code[1], place(I[B], I[C], (int32_t)code[2])); break;
    case FZ_OP_SBIT:
        S[A] = foot_sure(set_none());
        ok = foot_add(f, &S[A], I[B]);
        break;
    case FZ_OP_SADD: ok = foot_add(f, &S[A], I[B]); break;
    case FZ_OP_SAND: S[A] = foot_and(S[B], S[C]); break;
    case FZ_OP_SOR: S[A] = foot_or(S[B], S[C]); break;
    case FZ_OP_SSUB: S[A] = foot_sub(S[B], S[C]); break;
    case FZ_OP_SHAS:
        ok = foot_has_site(f, &S[C], I[B], &has);
        I[A] = has;
        break;
    case FZ_OP_SSOME: I[A] = foot_some(f, &S[B]); break;
    case FZ_OP_SMEETS: I[A] = foot_meet(f, &S[B], &S[C]); break;
    case FZ_OP_STEP:
        ok = numbers(I[C], 0);
        S[A] = foot_step(t, &S[B], (uint64_t)I[C] & r->m->dir_mask);
        break;
    case FZ_OP_SLIDE:
        ok = numbers(I[C], I[code[1] >> 8 & 0xff]);
        S[A] = foot_slide(t, &S[B], &S[code[1] & 0xff], (uint64_t)I[C] & r->m->dir_mask,
                          I[code[1] >> 8 & 0xff]);
        break;
    case FZ_OP_LEAP:
        ok = numbers(I[C], I[code[1] & 0xff]);
        if (ok)
            foot_leap(f, t, &S[A], &S[B], I[C], I[code[1] & 0xff]);
        break;
    case FZ_OP_OWNED: ok = foot_owned(f, &S[A], I[B]); break;
    case FZ_OP_OF_KIND: ok = foot_kind(f, &S[A], I[B]); break;
    case FZ_OP_OF: ok = foot_pieces(f, &S[A], I[B], I[C]); break;
    case FZ_OP_OF_GIVEN: ok = foot_pieces(f, &S[A], B, I[C]); break;
    case FZ_OP_OCCUPIED: S[A] = foot_occupied(f); break;
    case FZ_OP_EMPTY: S[A] = foot_empty(f); break;
    case FZ_OP_PHANTOM:
        ok = foot_phantom(f, I[B], I[C]);
        I[A] = 0;
        break;
    case FZ_OP_UNPHANTOM: ok = !I[A]; break;
    case FZ_OP_FILTER_END:
        *done = numbers(I[A], 0);
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
    const uint64_t *words =
        fzi_frames_of(r->state) + fzi_head_of(r->state)->frame + FZ_FRAME_HEADER;
    r->depth = 0;
    r->int_top = r->ints;
    r->set_top = r->sets;
    if (!enter(r, f))
        return false;
    memcpy(r->ints, words, f->ints * sizeof *r->ints);
    for (unsigned s = 0; s < f->sets; s++)
        r->sets[s] = foot_sure(set_at(words + f->ints + (size_t)s * FZ_W));
    return true;
}

bool FZ_FOOTPRINT(const fz_machine *m, const fz_state *state, uint32_t filter,
                  const fzi_moved *moved, fzi_footprint *found)
{
    reader r; /* large */
    bool done = false;
    const fz_program *p = m->program;
    const fz_code *ip = p->code + p->filters[filter].code;
    r.m = m;
    r.p = p;
    r.state = state;
    r.found = (fzi_found){.m = m, .block = state->block, .player = fzi_head_of(state)->decider,
                          .moved = *moved};
    found->verdict = found->asks_last = found->asks_piece = false;
    if (!begin(&r, &p->choices[p->filters[filter].choice]))
        return false;
    for (unsigned i = 0; i < MAX_STEPS; i++)
        if (!run_one(&r, &ip, &done, &found->verdict))
            break;
    set_write(found->left, r.found.events.left);
    set_write(found->filled, r.found.events.filled);
    found->asks_last = r.found.asks_last;
    found->asks_piece = r.found.asks_piece;
    found->kinds = r.found.kinds;
    found->loads = r.found.loads;
    return done;
}
