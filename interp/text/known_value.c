/* Computes a function over what a player knows. Called by let_values.c.
 *
 * The function runs on the state as the player observes it, and a note is kept of each register
 * whose value the player does not know. A test of an unknown value runs both ways: the result is
 * known if all ways give the same known one. So `bigger and false` is known, as in logic with
 * three values. Of a set, the sites are noted of which the player does not know whether it has
 * them. What `reveal` gives is read from a run of the true state, as long as both took the same
 * way. */
#include "known_value.h"

#include "interp/program/data_flow.h"
#include "interp/support/words.h"
#include "interp/vm/game.h"

typedef struct step {
    fzi_knower *k;
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
    return s->call->ints[reg / 64] >> reg % 64 & 1;
}

static void note_int(fzi_known_call *call, unsigned reg, bool unknown)
{
    uint64_t bit = UINT64_C(1) << reg % 64;

    call->ints[reg / 64] = unknown ? call->ints[reg / 64] | bit : call->ints[reg / 64] & ~bit;
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

/* The run says nothing any more: it ends soon, for want of budget. */
static void give_up(fzi_knower *k)
{
    k->lost = true;
    k->tracer.machine->budget = 0;
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
            note_int(s->call, reg, unknown);
        if (fzi_live_set(&writes, reg))
            note_set(s, reg, unknown ? s->k->tracer.machine->all : NULL);
    }
}

/* ---- what it reads of the state ---- */

static bool is_unseen(const step *s, int64_t site)
{
    return site >= 0 && site < s->k->program->board.site_count &&
           fzi_words_has(s->k->seen->unseen, (unsigned)site);
}

static bool may_meet_unseen(const step *s, unsigned reg)
{
    for (unsigned i = 0; i < s->words; i++)
        if (perhaps(s, reg, i) & s->k->seen->unseen[i])
            return true;
    return false;
}

/* True if the viewer does not see the element, in whatever form the array is kept. */
static bool hides_element(const step *s, const fz_variable *v, int64_t element)
{
    const fz_program *p = s->k->program;
    bool by_player = v->index_count && p->types[v->index[0]].kind == FZ_VALUE_PLAYER;
    uint32_t below = by_player ? v->length / p->player_count : 0;

    if (v->carried && is_unseen(s, element))
        return true;
    if (!v->secret || element < 0)
        return false;
    return !by_player || (uint64_t)element / (below ? below : 1) != (uint64_t)s->k->viewer;
}

static bool reads_hidden(const step *s)
{
    const fz_variable *v = &s->k->program->variables[s->code[1]];

    switch (s->op) {
    case FZ_OP_LOAD: case FZ_OP_MLOAD: case FZ_OP_SLOAD: return hides_element(s, v, 0);
    case FZ_OP_LOADX: case FZ_OP_MLOADX: case FZ_OP_SLOADX:
        return hides_element(s, v, s->ints[s->b]);
    case FZ_OP_BITLOAD: return hides_element(s, v, v->is_bits ? s->ints[s->b] : 0);
    case FZ_OP_SUM_OF: case FZ_OP_SABOVE:
        return v->secret || (v->carried && may_meet_unseen(s, s->b));
    case FZ_OP_KIND: case FZ_OP_OWNER: case FZ_OP_HEIGHT: case FZ_OP_KIND_IN: case FZ_OP_OWNER_IN:
        return is_unseen(s, s->ints[s->b]);
    case FZ_OP_LAST: return s->k->last_hidden;
    case FZ_OP_MOVER: case FZ_OP_TURNS: case FZ_OP_UPCOMING: case FZ_OP_IS_OUT:
    case FZ_OP_STANDING: return false;
    default: return true; /* positions before this one, functions of libraries */
    }
}

/* Something may stand on the sites that the viewer cannot look at, but none of its own pieces. */
static void note_pieces(const step *s)
{
    bool by_owner = s->op == FZ_OP_OWNED || s->op == FZ_OP_OF || s->op == FZ_OP_OF_GIVEN;
    int64_t owner = by_owner ? s->ints[s->op == FZ_OP_OWNED ? s->b : s->c] : -1;

    if (reads_unknown(s))
        note_set(s, s->a, s->k->tracer.machine->all);
    else
        note_set(s, s->a, owner == s->k->viewer && s->k->own_seen ? NULL : s->k->seen->unseen);
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

/* ---- tests ---- */

/* Both ways are tried, one in this run. */
static bool choose_way(fzi_knower *k)
{
    if (k->tests_made == k->test_count) {
        if (k->test_count == FZ_KNOWN_TESTS) {
            give_up(k);
            return false;
        }
        k->tests[k->test_count++] = false;
    }
    return k->tests[k->tests_made++];
}

/* Sets an unknown number of a comparison so that it comes out as wanted. */
static void force_compare(const step *s, bool taken)
{
    bool equality = s->op == FZ_OP_JEQ || s->op == FZ_OP_JNE, first = unknown_int(s, s->a);
    int64_t other = s->ints[first ? s->b : s->a], *unknown = &s->ints[first ? s->a : s->b];

    if (equality)
        *unknown = (s->op == FZ_OP_JEQ) == taken ? other : other ? 0 : 1;
    else
        *unknown = first == taken ? other - 1 : other + 1;
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
    default: return reads_unknown(s);
    }
}

static void test(const step *s)
{
    if (!is_test_unknown(s))
        return;
    bool taken = choose_way(s->k);
    switch (s->op) {
    case FZ_OP_JTRUE: s->ints[s->a] = taken; break;
    case FZ_OP_JFALSE: s->ints[s->a] = !taken; break;
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

/* Nobody knows how often a loop runs over unknown numbers. */
static void loop(const step *s)
{
    bool over_mask = s->op == FZ_OP_MEACH || s->op == FZ_OP_MEACH_ON;

    if (s->op == FZ_OP_COUNT_UP) {
        if (reads_unknown(s))
            give_up(s->k);
        return;
    }
    if (over_mask && unknown_int(s, s->b))
        give_up(s->k);
    else if (!over_mask)
        find_least(s);
    note_int(s->call, s->a, false);
}

/* ---- calls ---- */

static void clear_call(const fzi_knower *k, fzi_known_call *call, const fz_function *f)
{
    memset(call->ints, 0, sizeof call->ints);
    memset(call->sets, 0, (size_t)f->sets * k->program->board.words * sizeof *call->sets);
}

static void enter(const step *s)
{
    fzi_knower *k = s->k;
    const fz_function *f = &k->program->functions[s->code[1]];
    fzi_known_call *to = &k->calls[k->depth];
    bool tail = s->op == FZ_OP_TAILCALL;

    if (k->depth + tail >= FZ_KNOWN_CALLS) {
        give_up(k);
        return;
    }
    clear_call(k, to, f);
    to->into = (uint8_t)s->c;
    for (unsigned i = 0; i < f->int_params; i++)
        note_int(to, i, unknown_int(s, s->a + i));
    size_t words = s->words;
    memcpy(to->sets, unsure_of(s, s->b), f->set_params * words * sizeof *to->sets);
    if (tail) {
        fzi_known_call *caller = s->call;
        uint64_t *sets = caller->sets;
        to->into = caller->into;
        *caller = *to;
        caller->sets = sets;
        memcpy(sets, to->sets, f->sets * words * sizeof *sets);
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
        note_int(&k->calls[k->depth - 1], s->call->into, unknown);
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

    if (fzi_opcode_is(s->op, OTHER))
        give_up(s->k); /* it asks for moves: what they are may depend on anything */
    else
        note_results(s, reads_unknown(s) ||
                            (fzi_opcode_is(s->op, FZ_FLAG_READS) && reads_hidden(s)));
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
    case FZ_OP_SAND: note_and(s); break;
    case FZ_OP_SOR: note_or(s); break;
    case FZ_OP_SSUB: note_without(s); break;
    case FZ_OP_SNOT: case FZ_OP_SCOPY: note_set(s, s->a, unsure_of(s, s->b)); break;
    case FZ_OP_SADD: note_added(s); break;
    case FZ_OP_SHAS: note_int(s->call, s->a, unsure_has(s, s->c, s->b)); break;
    case FZ_OP_SSOME: note_int(s->call, s->a, unsure_some(s, s->b)); break;
    case FZ_OP_SMEETS: note_int(s->call, s->a, unsure_meet(s, s->b, s->c)); break;
    case FZ_OP_REVEAL:
        uncover(s);
        note_int(s->call, s->a, unknown_int(s, s->b));
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

static void meet(void *user, const fzi_run *run, const fzi_move_list *list, uint32_t pc)
{
    fzi_knower *k = user;
    const fz_program *p = k->program;
    const fz_code *code = &p->code[pc];
    step s = {k, code, FZ_CODE_OP(*code), FZ_CODE_A(*code), FZ_CODE_B(*code), FZ_CODE_C(*code),
              p->board.words, NULL, NULL, NULL};

    (void)list;
    if (k->lost)
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

/* ---- runs ---- */

static fz_status run(fzi_knower *k, const fz_state *state, uint32_t function,
                     const int64_t *arguments, unsigned count, int64_t *number, uint64_t *set)
{
    k->way = k->depth = k->tests_made = k->reveals_used = 0;
    k->lost = k->unknown = false;
    clear_call(k, &k->calls[k->depth++], &k->program->functions[function]);
    return fzi_state_call(k->tracer.machine, state, function, arguments, count, number, set);
}

/* The next run takes another way at the last test that has one left; false: there is none. */
static bool next_way(fzi_knower *k)
{
    while (k->test_count && k->tests[k->test_count - 1])
        k->test_count--;
    if (k->test_count)
        k->tests[k->test_count - 1] = true;
    return k->test_count > 0;
}

fz_status fzi_knower_call(fzi_knower *k, uint32_t function, const int64_t *arguments,
                          unsigned count, int64_t *number, uint64_t *set, bool *known)
{
    const size_t bytes = k->program->board.words * sizeof *set;
    const bool is_set = k->program->functions[function].result == 2;
    uint64_t other[FZ_MAX_WORDS] = {0};
    int64_t another = 0;
    fz_status status = FZ_OK;

    *known = false;
    k->reveals = k->test_count = 0;
    k->recording = k->revealed != NULL;
    if (k->recording)
        status = run(k, k->truth, function, arguments, count, number, set);
    k->recording = false;
    for (unsigned i = 0; status != FZ_NO_MEMORY && i < FZ_KNOWN_RUNS; i++) {
        status = run(k, k->seen->state, function, arguments, count, i ? &another : number,
                     i ? other : set);
        bool same = !i || (is_set ? memcmp(set, other, bytes) == 0 : *number == another);
        if (status != FZ_OK || k->lost || k->unknown || !same)
            break;
        *known = !next_way(k);
        if (*known)
            break;
    }
    return status == FZ_NO_MEMORY ? status : FZ_OK;
}

/* ---- opening ---- */

static bool reveals(const fz_program *p)
{
    FZI_FOR_CODE (at, p, 0, p->code_length)
        if (FZ_CODE_OP(p->code[at]) == FZ_OP_REVEAL || FZ_CODE_OP(p->code[at]) == FZ_OP_SREVEAL)
            return true;
    return false;
}

static size_t most_sets(const fz_program *p)
{
    size_t most = 1;

    for (uint32_t i = 0; i < p->function_count; i++)
        most = p->functions[i].sets > most ? p->functions[i].sets : most;
    return most * p->board.words;
}

fz_status fzi_knower_open(fzi_knower *k, const fz_machine *machine, const fz_state *state,
                          const fzi_observed *seen, int viewer)
{
    const fz_program *p = state->program;
    const fzi_head *truth = fzi_head_of(state), *known = fzi_head_of(seen->state);
    size_t sets = most_sets(p);

    memset(k, 0, sizeof *k);
    k->program = p;
    k->truth = state;
    k->seen = seen;
    k->viewer = viewer;
    k->own_seen = true;
    FZI_FOR_SITES (site, seen->unseen, p->board.words) {
        int kind, owner;
        fzi_piece_get(p, state->block, site, &kind, &owner);
        k->own_seen &= kind < 0 || owner != viewer;
    }
    k->last_hidden = known->last_to != truth->last_to;
    if (!fzi_tracer_open(&k->tracer, p, &machine->limits, meet, k))
        return FZ_NO_MEMORY;
    fzi_tracer_everywhere(&k->tracer);
    fzi_allocator allocator = k->tracer.machine->allocator;
    k->sets = fzi_allocate(allocator, FZ_KNOWN_CALLS * sets * sizeof *k->sets);
    if (reveals(p))
        k->revealed = fzi_allocate(allocator, FZ_KNOWN_REVEALS * sizeof *k->revealed);
    for (size_t i = 0; i < FZ_KNOWN_CALLS && k->sets; i++)
        k->calls[i].sets = k->sets + i * sets;
    return k->sets && (k->revealed || !reveals(p)) ? FZ_OK : FZ_NO_MEMORY;
}

void fzi_knower_close(fzi_knower *k)
{
    if (k->tracer.machine) {
        fzi_release(k->tracer.machine->allocator, k->sets);
        fzi_release(k->tracer.machine->allocator, k->revealed);
    }
    fzi_tracer_clear(&k->tracer);
}
