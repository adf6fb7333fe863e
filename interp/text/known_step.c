/* What the viewer knows after each instruction of a function. See known_value.c. */
#include "known_step.h"

#include "interp/program/data_flow.h"
#include "interp/support/words.h"
#include "interp/vm/game.h"
#include "known_guess.h"

typedef struct step {
    fzi_knower *k;
    uint8_t *block;
    const fz_code *code;
    unsigned op, a, b, c;
    unsigned words;
    fzi_known_call *call;
    int64_t *ints;          /* the registers */
    uint64_t *sets;
} step;

/* ---- registers ---- */

static bool unknown_int(const step *s, unsigned reg)
{
    return s->call->ints[reg] != 0;
}

static void note_int(fzi_known_call *call, unsigned reg, bool unknown)
{
    call->ints[reg] = unknown ? UINT64_MAX : 0;
}

/* The result of the instruction is 0 or 1. */
static void note_bool(const step *s, bool unknown)
{
    s->call->ints[s->a] = unknown;
}

static uint64_t surely_bits(const step *s, unsigned reg)
{
    return (uint64_t)s->ints[reg] & ~s->call->ints[reg];
}

static uint64_t perhaps_bits(const step *s, unsigned reg)
{
    return (uint64_t)s->ints[reg] | s->call->ints[reg];
}

static uint64_t *set_of(const step *s, unsigned reg)
{
    return s->sets + (size_t)reg * s->words;
}

/* The sites of which it is not known whether the set has them. */
static uint64_t *unsure_of(const step *s, unsigned reg)
{
    return s->call->sets + (size_t)reg * s->words;
}

static bool unknown_set(const step *s, unsigned reg)
{
    return fzi_words_lowest(unsure_of(s, reg), s->words) >= 0;
}

static uint64_t surely(const step *s, unsigned reg, unsigned word)
{
    return set_of(s, reg)[word] & ~unsure_of(s, reg)[word];
}

static uint64_t perhaps(const step *s, unsigned reg, unsigned word)
{
    return set_of(s, reg)[word] | unsure_of(s, reg)[word];
}

static void note_set(const step *s, unsigned reg, const uint64_t *unsure)
{
    for (unsigned i = 0; i < s->words; i++)
        unsure_of(s, reg)[i] = unsure ? unsure[i] : 0;
}

/* ---- any instruction ---- */

static void find_uses(const step *s, fzi_live *reads, fzi_live *writes)
{
    *reads = *writes = (fzi_live){{0}};
    fzi_live_uses(s->k->program, (uint32_t)(s->code - s->k->program->code), reads, writes);
}

static bool reads_unknown(const step *s)
{
    fzi_live reads, writes;
    bool unknown = false;

    find_uses(s, &reads, &writes);
    for (unsigned reg = 0; reg < 256 && !unknown; reg++)
        unknown = (fzi_live_int(&reads, reg) && unknown_int(s, reg)) ||
                  (fzi_live_set(&reads, reg) && unknown_set(s, reg));
    return unknown;
}

static void note_results(const step *s, bool unknown)
{
    fzi_live reads, writes;

    find_uses(s, &reads, &writes);
    for (unsigned reg = 0; reg < 256; reg++) {
        if (fzi_live_int(&writes, reg))
            fzi_opcode_is(s->op, FZ_FLAG_BOOL) ? note_bool(s, unknown)
                                               : note_int(s->call, reg, unknown);
        if (fzi_live_set(&writes, reg))
            note_set(s, reg, unknown ? s->k->tracer.machine->all : NULL);
    }
}

/* ---- what it reads of the state ---- */

static bool hides_piece(const step *s, int64_t site)
{
    return fzi_known_unseen(s->k, site) && !fzi_guessed(s->k, NULL, (uint32_t)site);
}

static bool may_meet_unseen(const step *s, unsigned reg)
{
    for (unsigned i = 0; i < s->words; i++)
        if (perhaps(s, reg, i) & s->k->seen->unseen[i])
            return true;
    return false;
}

/* The element that the instruction reads, or -1. */
static int64_t element_read(const step *s, const fz_variable *v)
{
    switch (s->op) {
    case FZ_OP_LOADX: case FZ_OP_MLOADX: case FZ_OP_SLOADX: return s->ints[s->b];
    case FZ_OP_BITLOAD: return v->is_bits ? s->ints[s->b] : 0;
    default: return 0;
    }
}

static bool hides_element(const step *s)
{
    const fz_variable *v = &s->k->program->variables[s->code[1]];
    int64_t element = element_read(s, v);

    return fzi_known_hides(s->k, v, element) &&
           !(s->k->guessing && !fzi_element_is_set(v) &&
             fzi_guess_element(s->k, s->block, v, (uint32_t)element));
}

static bool hides_owner(const step *s)
{
    int64_t site = s->ints[s->b];

    return hides_piece(s, site) &&
           !(s->k->guessing && fzi_guess_piece(s->k, s->block, (unsigned)site));
}

static bool reads_hidden(const step *s)
{
    switch (s->op) {
    case FZ_OP_LOAD: case FZ_OP_MLOAD: case FZ_OP_SLOAD:
    case FZ_OP_LOADX: case FZ_OP_MLOADX: case FZ_OP_SLOADX: case FZ_OP_BITLOAD:
        return hides_element(s);
    case FZ_OP_SUM_OF: case FZ_OP_SABOVE: {
        const fz_variable *v = &s->k->program->variables[s->code[1]];
        return v->secret || (v->carried && may_meet_unseen(s, s->b));
    }
    case FZ_OP_KIND: case FZ_OP_OWNER: return hides_owner(s);
    case FZ_OP_HEIGHT: case FZ_OP_KIND_IN: case FZ_OP_OWNER_IN:
        return hides_piece(s, s->ints[s->b]);
    case FZ_OP_LAST: return s->k->last_hidden;
    case FZ_OP_MOVER: case FZ_OP_TURNS: case FZ_OP_UPCOMING: case FZ_OP_IS_OUT:
    case FZ_OP_STANDING: return false;
    default: return true; /* positions before this one, functions of libraries */
    }
}

static bool loads_int(const step *s)
{
    return s->op == FZ_OP_LOAD || s->op == FZ_OP_LOADX || s->op == FZ_OP_MLOAD ||
           s->op == FZ_OP_MLOADX;
}

/* Of a hidden mask, the members that its type has are unknown. */
static void note_read(const step *s)
{
    bool unknown = reads_unknown(s) || reads_hidden(s);

    note_results(s, unknown);
    if (unknown && loads_int(s))
        s->call->ints[s->a] = fzi_known_bits(s->k->program,
                                             &s->k->program->variables[s->code[1]]);
}

/* Something may stand on the sites that the viewer cannot look at, but none of its own pieces. */
static void note_pieces(const step *s)
{
    bool by_owner = s->op == FZ_OP_OWNED || s->op == FZ_OP_OF || s->op == FZ_OP_OF_GIVEN;
    int64_t owner = by_owner ? s->ints[s->op == FZ_OP_OWNED ? s->b : s->c] : -1;

    if (reads_unknown(s)) {
        note_set(s, s->a, s->k->tracer.machine->all);
        return;
    }
    note_set(s, s->a, owner == s->k->viewer && s->k->own_seen ? NULL : s->k->seen->unseen);
    for (unsigned i = 0; i < s->k->guess_count; i++)
        if (!s->k->guesses[i].variable)
            fzi_words_remove(unsure_of(s, s->a), s->k->guesses[i].element);
}

/* ---- sets ---- */

static void note_and(const step *s)
{
    for (unsigned i = 0; i < s->words; i++)
        unsure_of(s, s->a)[i] = (perhaps(s, s->b, i) & perhaps(s, s->c, i)) &
                                ~(surely(s, s->b, i) & surely(s, s->c, i));
}

static void note_or(const step *s)
{
    for (unsigned i = 0; i < s->words; i++)
        unsure_of(s, s->a)[i] = (perhaps(s, s->b, i) | perhaps(s, s->c, i)) &
                                ~(surely(s, s->b, i) | surely(s, s->c, i));
}

static void note_without(const step *s)
{
    for (unsigned i = 0; i < s->words; i++)
        unsure_of(s, s->a)[i] = (perhaps(s, s->b, i) & ~surely(s, s->c, i)) &
                                ~(surely(s, s->b, i) & ~perhaps(s, s->c, i));
}

/* Is it unknown whether the sets have a site in common? */
static bool unsure_meet(const step *s, unsigned b, unsigned c)
{
    bool may = false, must = false;

    for (unsigned i = 0; i < s->words; i++) {
        may |= (perhaps(s, b, i) & perhaps(s, c, i)) != 0;
        must |= (surely(s, b, i) & surely(s, c, i)) != 0;
    }
    return may && !must;
}

static bool unsure_some(const step *s, unsigned reg)
{
    return unsure_meet(s, reg, reg);
}

static bool unsure_has(const step *s, unsigned set, unsigned site)
{
    int64_t number = s->ints[site];

    if (unknown_int(s, site))
        return true;
    return number >= 0 && number < s->k->program->board.site_count &&
           fzi_words_has(unsure_of(s, set), (unsigned)number);
}

static void note_added(const step *s)
{
    int64_t site = s->ints[s->b];

    if (unknown_int(s, s->b))
        note_set(s, s->a, s->k->tracer.machine->all);
    else if (site >= 0 && site < s->k->program->board.site_count)
        fzi_words_remove(unsure_of(s, s->a), (unsigned)site);
}

/* Is it unknown whether b is a subset of c, or equal to it? */
static bool unsure_compare(const step *s, bool equal)
{
    bool sure = true;

    for (unsigned i = 0; i < s->words; i++) {
        if (surely(s, s->b, i) & ~perhaps(s, s->c, i))
            return false;
        if (equal && surely(s, s->c, i) & ~perhaps(s, s->b, i))
            return false;
        sure &= (perhaps(s, s->b, i) & ~surely(s, s->c, i)) == 0;
    }
    return equal ? unknown_set(s, s->b) || unknown_set(s, s->c) : !sure;
}

/* ---- masks ---- */

static void note_mask(const step *s)
{
    uint64_t may_b = perhaps_bits(s, s->b), may_c = perhaps_bits(s, s->c);
    uint64_t has_b = surely_bits(s, s->b), has_c = surely_bits(s, s->c);

    s->call->ints[s->a] = s->op == FZ_OP_MAND  ? may_b & may_c & ~(has_b & has_c)
                          : s->op == FZ_OP_MOR ? (may_b | may_c) & ~(has_b | has_c)
                                               : may_b & ~has_c & ~(has_b & ~may_c);
}

static bool unsure_member(const step *s)
{
    int64_t member = s->ints[s->b];

    return unknown_int(s, s->b) ||
           (member >= 0 && member < 64 && s->call->ints[s->c] >> member & 1);
}

/* Numbers of which one has a bit that the other has not are different, whatever the rest is. */
static bool unsure_equal(const step *s, unsigned b, unsigned c)
{
    uint64_t unknown = s->call->ints[b] | s->call->ints[c];

    return unknown && !(((uint64_t)s->ints[b] ^ (uint64_t)s->ints[c]) & ~unknown);
}

/* ---- tests ---- */

static bool choose_way(fzi_knower *k)
{
    return fzi_known_choose(k, 2) != 0;
}

/* Changes an unknown number so that it is 0, or not. */
static void force_number(const step *s, bool some)
{
    uint64_t unknown = s->call->ints[s->a];

    if (!some)
        s->ints[s->a] = 0;
    else if (!s->ints[s->a])
        s->ints[s->a] = (int64_t)(unknown & (0 - unknown));
}

/* Changes two numbers, in bits that are unknown, so that they are equal. */
static void make_equal(const step *s)
{
    uint64_t unknown = s->call->ints[s->a];

    s->ints[s->a] = s->ints[s->b] =
        (int64_t)(((uint64_t)s->ints[s->a] & ~unknown) | ((uint64_t)s->ints[s->b] & unknown));
}

/* Changes an unknown number of a comparison so that it comes out as wanted. */
static void force_compare(const step *s, bool taken)
{
    bool first = unknown_int(s, s->a), is_order = s->op == FZ_OP_JLT || s->op == FZ_OP_JLE;
    int64_t other = s->ints[first ? s->b : s->a], *number = &s->ints[first ? s->a : s->b];
    uint64_t *unknown = &s->call->ints[first ? s->a : s->b];

    if (is_order) {
        *number = first == taken ? other - 1 : other + 1;
        *unknown = UINT64_MAX;
    } else if ((s->op == FZ_OP_JEQ) == taken) {
        make_equal(s);
    } else if (*number == other) {
        *number ^= (int64_t)(*unknown & (0 - *unknown));
    }
}

static void force_set(const step *s, unsigned reg, bool some)
{
    for (unsigned i = 0; i < s->words; i++)
        set_of(s, reg)[i] = some ? perhaps(s, reg, i) : surely(s, reg, i);
}

static void force_has(const step *s, bool has)
{
    int64_t site = s->ints[s->b];

    if (unknown_int(s, s->b))
        s->ints[s->b] = has ? fzi_words_lowest(set_of(s, s->a), s->words) : -1;
    else if (has)
        fzi_words_add(set_of(s, s->a), (unsigned)site);
    else
        fzi_words_remove(set_of(s, s->a), (unsigned)site);
}

static bool is_test_unknown(const step *s)
{
    switch (s->op) {
    case FZ_OP_JSNONE: case FZ_OP_JSSOME: return unsure_some(s, s->a);
    case FZ_OP_JSHAS: case FZ_OP_JSMISS: return unsure_has(s, s->a, s->b);
    case FZ_OP_JSMEETS: case FZ_OP_JSAPART: return unsure_meet(s, s->a, s->b);
    case FZ_OP_JEQ: case FZ_OP_JNE: return unsure_equal(s, s->a, s->b);
    case FZ_OP_JTRUE: case FZ_OP_JFALSE: return unknown_int(s, s->a) && !surely_bits(s, s->a);
    default: return reads_unknown(s);
    }
}

static void test(const step *s)
{
    if (!is_test_unknown(s))
        return;
    bool taken = choose_way(s->k);
    switch (s->op) {
    case FZ_OP_JTRUE: case FZ_OP_JFALSE:
        force_number(s, (s->op == FZ_OP_JTRUE) == taken);
        break;
    case FZ_OP_JEQ: case FZ_OP_JNE: case FZ_OP_JLT: case FZ_OP_JLE: force_compare(s, taken); break;
    case FZ_OP_JSNONE: force_set(s, s->a, !taken); break;
    case FZ_OP_JSSOME: force_set(s, s->a, taken); break;
    case FZ_OP_JSHAS: force_has(s, taken); break;
    case FZ_OP_JSMISS: force_has(s, !taken); break;
    default: /* JSMEETS, JSAPART */
        force_set(s, s->a, (s->op == FZ_OP_JSMEETS) == taken);
        force_set(s, s->b, (s->op == FZ_OP_JSMEETS) == taken);
        break;
    }
}

/* Decides about sites of the set, both ways, until its least one is known. */
static void find_least(const step *s)
{
    for (unsigned i = 0; i < s->words; i++) {
        for (uint64_t left = perhaps(s, s->b, i); left; left &= left - 1) {
            unsigned site = 64 * i + (unsigned)__builtin_ctzll(left);
            if (!fzi_words_has(unsure_of(s, s->b), site))
                return;
            fzi_words_remove(unsure_of(s, s->b), site);
            if (choose_way(s->k)) {
                fzi_words_add(set_of(s, s->b), site);
                return;
            }
            fzi_words_remove(set_of(s, s->b), site);
        }
    }
}

static void find_least_member(const step *s)
{
    uint64_t *unknown = &s->call->ints[s->b];

    for (uint64_t left = perhaps_bits(s, s->b); left; left &= left - 1) {
        uint64_t member = left & (0 - left);
        if (!(*unknown & member))
            return;
        *unknown &= ~member;
        if (choose_way(s->k)) {
            s->ints[s->b] |= (int64_t)member;
            return;
        }
        s->ints[s->b] &= ~(int64_t)member;
    }
}

/* How often a loop over unknown numbers runs is not known. */
static void loop(const step *s)
{
    bool over_mask = s->op == FZ_OP_MEACH || s->op == FZ_OP_MEACH_ON;

    if (s->op == FZ_OP_COUNT_UP) {
        if (reads_unknown(s))
            fzi_known_give_up(s->k);
        return;
    }
    if (over_mask)
        find_least_member(s);
    else
        find_least(s);
    note_int(s->call, s->a, false);
}

/* A guess says how many of the unknown members the set has. */
static void note_count_of(const step *s, uint64_t *set, const uint64_t *unsure, unsigned words)
{
    unsigned most = 0, has;

    for (unsigned i = 0; i < words; i++)
        most += (unsigned)__builtin_popcountll(unsure[i]);
    note_int(s->call, s->a, most && !s->k->guessing);
    if (!most || !s->k->guessing)
        return;
    has = fzi_known_choose(s->k, most + 1);
    for (unsigned i = 0; i < words; i++) {
        uint64_t left = unsure[i];
        for (set[i] &= ~left; left && has; left &= left - 1, has--)
            set[i] |= left & (0 - left);
    }
}

static void note_count(const step *s)
{
    if (s->op == FZ_OP_SCOUNT) {
        note_count_of(s, set_of(s, s->b), unsure_of(s, s->b), s->words);
        return;
    }
    uint64_t mask = (uint64_t)s->ints[s->b];
    note_count_of(s, &mask, &s->call->ints[s->b], 1);
    s->ints[s->b] = (int64_t)mask;
}

/* ---- calls ---- */

void fzi_known_clear_call(const fzi_knower *k, fzi_known_call *call, const fz_function *f)
{
    memset(call->ints, 0, FZ_KNOWN_INTS * sizeof *call->ints);
    call->set_words = f->sets * k->program->board.words;
    memset(call->sets, 0, call->set_words * sizeof *call->sets);
}

static void enter(const step *s)
{
    fzi_knower *k = s->k;
    const fz_function *f = &k->program->functions[s->code[1]];
    fzi_known_call *to = &k->calls[k->depth];
    bool tail = s->op == FZ_OP_TAILCALL;

    if (k->depth + tail >= FZ_KNOWN_CALLS) {
        fzi_known_give_up(k);
        return;
    }
    fzi_known_clear_call(k, to, f);
    to->into = (uint8_t)s->c;
    for (unsigned i = 0; i < f->int_params; i++)
        to->ints[i] = s->call->ints[s->a + i];
    size_t words = s->words;
    memcpy(to->sets, unsure_of(s, s->b), f->set_params * words * sizeof *to->sets);
    if (tail) {
        fzi_known_call *caller = s->call;
        memcpy(caller->ints, to->ints, FZ_KNOWN_INTS * sizeof *to->ints);
        memcpy(caller->sets, to->sets, to->set_words * sizeof *to->sets);
        caller->set_words = to->set_words;
    } else {
        k->depth++;
    }
}

static void leave(const step *s)
{
    fzi_knower *k = s->k;
    bool unknown = s->op == FZ_OP_IRETURN   ? unknown_int(s, s->a)
                   : s->op == FZ_OP_SRETURN ? unknown_set(s, s->a)
                                            : false;
    k->depth--;
    if (!k->depth) {
        k->unknown = unknown;
    } else if (s->op == FZ_OP_IRETURN) {
        k->calls[k->depth - 1].ints[s->call->into] = s->call->ints[s->a];
    } else if (s->op == FZ_OP_SRETURN) {
        uint64_t *to = k->calls[k->depth - 1].sets + (size_t)s->call->into * s->words;
        memcpy(to, unsure_of(s, s->a), s->words * sizeof *to);
    }
}

/* ---- reveal ---- */

static void record(const step *s)
{
    fzi_knower *k = s->k;

    if (k->reveals == FZ_KNOWN_REVEALS)
        return;
    fzi_revealed *r = &k->revealed[k->reveals++];
    r->way = k->way;
    if (s->op == FZ_OP_REVEAL)
        r->number = s->ints[s->b];
    else
        memcpy(r->set, set_of(s, s->b), s->words * sizeof *r->set);
}

/* Only where the viewer knows the way there: else it could tell from what is revealed which way
 * the true state took. */
static void uncover(const step *s)
{
    fzi_knower *k = s->k;
    const fzi_revealed *r = &k->revealed[k->reveals_used];

    if (k->tests_made || k->reveals_used == k->reveals || r->way != k->way)
        return;
    k->reveals_used++;
    if (s->op == FZ_OP_REVEAL) {
        s->ints[s->b] = r->number;
        note_int(s->call, s->b, false);
    } else {
        memcpy(set_of(s, s->b), r->set, s->words * sizeof *r->set);
        note_set(s, s->b, NULL);
    }
}

/* ---- the steps ---- */

static void note_other(const step *s)
{
    enum { OTHER = FZ_FLAG_FLOW | FZ_FLAG_WRITE | FZ_FLAG_LIST | FZ_FLAG_CHANCE | FZ_FLAG_TEXT |
                   FZ_FLAG_OPENS | FZ_FLAG_CLOSES | FZ_FLAG_RESUMES };

    if (!fzi_opcode_is(s->op, OTHER))
        fzi_opcode_is(s->op, FZ_FLAG_READS) ? note_read(s) : note_results(s, reads_unknown(s));
    else if (s->k->guessing) /* it asks for moves: what they are may depend on anything */
        fzi_guess_everything(s->k, s->block);
    else
        fzi_known_give_up(s->k);
}

static void note(const step *s)
{
    switch (s->op) {
    case FZ_OP_JUMP: break;
    case FZ_OP_JTRUE: case FZ_OP_JFALSE: case FZ_OP_JEQ: case FZ_OP_JNE: case FZ_OP_JLT:
    case FZ_OP_JLE: case FZ_OP_JSNONE: case FZ_OP_JSSOME: case FZ_OP_JSHAS: case FZ_OP_JSMISS:
    case FZ_OP_JSMEETS: case FZ_OP_JSAPART: test(s); break;
    case FZ_OP_EACH: case FZ_OP_EACH_ON: case FZ_OP_MEACH: case FZ_OP_MEACH_ON:
    case FZ_OP_COUNT_UP: loop(s); break;
    case FZ_OP_CALL: case FZ_OP_TAILCALL: enter(s); break;
    case FZ_OP_RETURN: case FZ_OP_IRETURN: case FZ_OP_SRETURN: leave(s); break;
    case FZ_OP_COPY: s->call->ints[s->a] = s->call->ints[s->b]; break;
    case FZ_OP_MAND: case FZ_OP_MOR: case FZ_OP_MSUB: note_mask(s); break;
    case FZ_OP_MHAS: note_bool(s, unsure_member(s)); break;
    case FZ_OP_EQ: case FZ_OP_NE: note_bool(s, unsure_equal(s, s->b, s->c)); break;
    case FZ_OP_MCOUNT: case FZ_OP_SCOUNT: note_count(s); break;
    case FZ_OP_SAND: note_and(s); break;
    case FZ_OP_SOR: note_or(s); break;
    case FZ_OP_SSUB: note_without(s); break;
    case FZ_OP_SNOT: case FZ_OP_SCOPY: note_set(s, s->a, unsure_of(s, s->b)); break;
    case FZ_OP_SADD: note_added(s); break;
    case FZ_OP_SHAS: note_bool(s, unsure_has(s, s->c, s->b)); break;
    case FZ_OP_SSOME: note_bool(s, unsure_some(s, s->b)); break;
    case FZ_OP_SMEETS: note_bool(s, unsure_meet(s, s->b, s->c)); break;
    case FZ_OP_SEQ: case FZ_OP_SLE:
        note_bool(s, unsure_compare(s, s->op == FZ_OP_SEQ));
        break;
    case FZ_OP_REVEAL:
        uncover(s);
        s->call->ints[s->a] = s->call->ints[s->b];
        break;
    case FZ_OP_SREVEAL:
        uncover(s);
        note_set(s, s->a, unsure_of(s, s->b));
        break;
    case FZ_OP_OWNED: case FZ_OP_OF_KIND: case FZ_OP_OCCUPIED: case FZ_OP_EMPTY: case FZ_OP_OF:
    case FZ_OP_OF_GIVEN: note_pieces(s); break;
    default: note_other(s); break;
    }
}

void fzi_known_step(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc)
{
    fzi_knower *k = user;
    const fz_program *p = k->program;
    const fz_code *code = &p->code[pc];
    step s = {.k = k, .block = run->state->block, .code = code, .op = FZ_CODE_OP(*code),
              .a = FZ_CODE_A(*code), .b = FZ_CODE_B(*code), .c = FZ_CODE_C(*code),
              .words = p->board.words};

    (void)list;
    if (k->lost || k->concrete)
        return;
    k->way = (k->way ^ pc) * UINT64_C(0x9e3779b97f4a7c15);
    k->way ^= k->way >> 29;
    uint64_t *frame = fzi_frames_of(run->state) + fzi_head_of(run->state)->frame;
    s.ints = (int64_t *)frame + FZ_FRAME_HEADER;
    s.sets = frame + FZ_FRAME_HEADER + (frame[1] >> 40 & 0xff);
    s.call = &k->calls[k->depth ? k->depth - 1 : 0];
    if (!k->recording)
        note(&s);
    else if (s.op == FZ_OP_REVEAL || s.op == FZ_OP_SREVEAL)
        record(&s);
}
