/* Which moves are legal: trying them. A candidate is played on a scratch state until the filter
 * asked about is judged; docs/design.md, "Decisions", tells the rules. Pending filters are numbered
 * from the outermost, 0; those of the candidates of a decision come after the `n` that were pending
 * before.
 *
 * Several `ensuring` filters are tried in one go: a way through all inner decisions that satisfies
 * each is what their one after the other comes to, as the last move of that way is its own witness
 * at every decision. A `keeping` compares whole lists and is worked out before what lies further
 * out. */
#include "filter.h"

#include <assert.h>
#include <string.h>

#include "fault.h"
#include "game.h"
#include "machine.h"

static const uint32_t NONE = UINT32_MAX;

enum { PLACE = 3 }; /* numbers of a cursor, before the keys of a move laid aside */

/* ---- one candidate ---- */

static unsigned option_filter(const fz_program *p, const fz_option_info *option, unsigned position)
{
    return p->filter_lists[option->first_filter + position];
}

/* Where a `keeping` stands among the option's filters, innermost first; NONE. */
static uint32_t filter_position(const fz_program *p, const fz_option_info *option, uint32_t filter)
{
    for (unsigned i = 0; i < option->filters; i++)
        if (option_filter(p, option, i) == filter)
            return i;
    return NONE;
}

static bool ensuring(const fz_program *p, uint32_t filter)
{
    return p->filters[filter].kind == FZ_FILTER_ENSURING;
}

/* Who decides where the list's moves lead: a question is the mover's. */
static int8_t decider_of(const fz_machine *m, const fzi_run *run)
{
    const fzi_head *head = fzi_head_of(run->state);
    uint32_t start = m->program->choices[run->list->choice].start;
    return fzi_machine_op(m, start) == FZ_OP_CAN ? head->mover : head->decider;
}

/* The verdict of a try about a `keeping`. */
typedef struct value {
    int64_t keys[FZ_MAX_KEYS];
    bool reached; /* the bound */
} value;

/* Plays the candidate on a scratch state up to the judgement of the filter at `base`; `found` may
 * be NULL. */
static fzi_end try_move(fz_machine *m, const fzi_run *run, const fz_move *move, uint32_t base,
                        value *found)
{
    if (m->program->options[move->option].choice != run->list->choice) /* emitted by damaged code */
        return fzi_fault(m, "a move of another choice");
    fz_state *state = fzi_scratch_copy(m, run->state);
    if (!state)
        return FZ_END_ERROR;
    fzi_move_apply(m, state, move);
    fzi_run inner = fzi_run_of(m, state, FZ_RUN_TRY);
    inner.decider = decider_of(m, run);
    inner.base = base;
    fzi_end end;
    if ((m->budget -= 16) < 0)
        end = fzi_fault(m, "this decision takes too many instructions");
    else
        end = fzi_machine_run(m, &inner);
    m->scratch_depth--;
    assert(end == FZ_END_PASS || end == FZ_END_FAIL || end == FZ_END_ERROR);
    if (end == FZ_END_PASS && found) {
        memcpy(found->keys, inner.keys, sizeof inner.keys);
        found->reached = inner.reached;
    }
    return end;
}

/* The outermost `ensuring` that is still to be tried for the moves of a segment: among the pending
 * ones first .. list->verified - 1, then the option's own. NONE: they are legal as they stand. */
static uint32_t untried(const fz_machine *m, const fzi_run *run, const fzi_segment *segment,
                        uint32_t first)
{
    const fz_program *p = m->program;
    const fz_option_info *option = &p->options[segment->option];
    uint32_t n = fzi_head_of(run->state)->pendings;
    for (uint32_t i = first; i < n && i < run->list->verified; i++)
        if (ensuring(p, fzi_pending_at(run->state, i)->filter))
            return i;
    for (unsigned i = option->filters; i-- > segment->checked;)
        if (ensuring(p, option_filter(p, option, i)))
            return n + option->filters - 1 - i;
    return NONE;
}

/* 1 or 0; -1: error. */
static int legal(fz_machine *m, const fzi_run *run, uint32_t segment, const fz_move *move,
                 uint32_t first)
{
    uint32_t base = untried(m, run, &run->list->segments[segment], first);
    if (base == NONE)
        return 1;
    fzi_end end = try_move(m, run, move, base, NULL);
    return end == FZ_END_PASS ? 1 : end == FZ_END_FAIL ? 0 : -1;
}

/* ---- keepings ---- */

static bool push_keys(fz_machine *m, const int64_t *keys, unsigned count)
{
    if (!fzi_machine_grow(m, (void **)&m->key_store, &m->key_capacity, m->key_count + count,
                          sizeof *m->key_store))
        return false;
    memcpy(m->key_store + m->key_count, keys, count * sizeof *keys);
    m->key_count += count;
    return true;
}

/* A `keeping` and where it is pending: at `base`, or, with base NONE, as an option's own filter. */
typedef struct keeping {
    uint32_t filter, base;
    uint32_t first, end;   /* segments */
} keeping;

static uint32_t keeping_base(const fz_machine *m, const fzi_run *run, const keeping *k,
                             const fz_option_info *option)
{
    if (k->base != NONE)
        return k->base;
    uint32_t position = filter_position(m->program, option, k->filter);
    uint32_t n = fzi_head_of(run->state)->pendings;
    return position == NONE ? NONE : n + option->filters - 1 - position;
}

/* What the filter says of the moves left in its segments has been seen to. */
static void mark_checked(const fz_machine *m, fzi_run *run, const keeping *k)
{
    for (uint32_t i = k->first; i < k->end; i++) {
        fzi_segment *segment = &run->list->segments[i];
        const fz_option_info *option = &m->program->options[segment->option];
        uint32_t position = filter_position(m->program, option, k->filter);
        segment->checked = (uint8_t)(k->base != NONE || position == NONE ? option->filters
                                                                         : position + 1);
    }
}

/* A single move is the best one, unless an `ensuring` further in may refuse it. */
static bool sole(const fz_machine *m, const fzi_run *run, const keeping *k)
{
    if (fzi_move_list_count(run->list, k->first, k->end) != 1)
        return false;
    uint32_t i = k->first;
    while (!run->list->segments[i].count)
        i++;
    const fz_option_info *option = &m->program->options[run->list->segments[i].option];
    uint32_t base = keeping_base(m, run, k, option), n = fzi_head_of(run->state)->pendings;
    for (uint32_t pending = base + 1; pending < n; pending++)
        if (ensuring(m->program, fzi_pending_at(run->state, pending)->filter))
            return false;
    for (unsigned f = run->list->segments[i].checked; f < option->filters; f++)
        if (n + option->filters - 1 - f > base &&
            ensuring(m->program, option_filter(m->program, option, f)))
            return false;
    return base != NONE;
}

/* The list has been through the filter before. */
static bool kept(const fz_machine *m, const fzi_run *run, const keeping *k)
{
    for (uint32_t i = k->first; i < k->end; i++) {
        const fzi_segment *segment = &run->list->segments[i];
        const fz_option_info *option = &m->program->options[segment->option];
        uint32_t position = filter_position(m->program, option, k->filter);
        if (k->base != NONE || position == NONE || segment->checked <= position)
            return false;
    }
    return true;
}

/* Leaves the moves with the best keys among the segments. */
static bool keep(fz_machine *m, fzi_run *run, const keeping *k)
{
    const fz_program *p = m->program;
    const fz_filter *filter = &p->filters[k->filter];
    bool least = filter->kind == FZ_FILTER_KEEP_MIN, any = false;
    int64_t best[FZ_MAX_KEYS];
    size_t start = m->key_count;
    value found;
    fz_move move;
    if (kept(m, run, k))
        return true;
    if (sole(m, run, k)) {
        mark_checked(m, run, k);
        return true;
    }
    fzi_cursor cursor = FZI_CURSOR_AT(k->first);
    while (fzi_move_list_next(run->list, &cursor, k->end, &move)) {
        uint32_t base = keeping_base(m, run, k, &p->options[move.option]);
        if (base == NONE)
            return fzi_fault(m, "a group with a move of another"), false;
        fzi_end end = try_move(m, run, &move, base, &found);
        if (end == FZ_END_ERROR || (end == FZ_END_PASS && !push_keys(m, found.keys, filter->keys)))
            return false;
        if (end == FZ_END_FAIL) {
            fzi_move_list_drop(run->list, &cursor);
        } else if (!any || fzi_keys_compare(found.keys, best, filter->keys, least) > 0) {
            memcpy(best, found.keys, sizeof best);
            any = true;
        }
    }
    cursor = FZI_CURSOR_AT(k->first);
    for (size_t i = start; fzi_move_list_next(run->list, &cursor, k->end, &move); i += filter->keys)
        if (fzi_keys_compare(m->key_store + i, best, filter->keys, least))
            fzi_move_list_drop(run->list, &cursor);
    m->key_count = start;
    mark_checked(m, run, k);
    return true;
}

bool fzi_group_end(fz_machine *m, fzi_run *run, uint32_t filter)
{
    fzi_move_list *list = run->list;
    uint32_t first = list->groups[--list->group_count];
    if (run->unfiltered && !list->outer) /* a question's groups are filtered all the same */
        return true;
    return keep(m, run, &(keeping){filter, NONE, first, list->segment_count});
}

/* All keepings that hold at the decision: its own, then the pending ones from the innermost down to
 * `first`. */
static bool keep_all(fz_machine *m, fzi_run *run, uint32_t first)
{
    const fz_program *p = m->program;
    fzi_move_list *list = run->list;
    const fz_choice *choice = &p->choices[list->choice];
    list->verified = fzi_head_of(run->state)->pendings;
    for (unsigned i = 0; i < choice->filters; i++) {
        uint32_t filter = p->filter_lists[choice->filter + i];
        if (!ensuring(p, filter) &&
            !keep(m, run, &(keeping){filter, NONE, 0, list->segment_count}))
            return false;
    }
    for (uint32_t i = list->verified; i-- > first;) {
        uint32_t filter = fzi_pending_at(run->state, i)->filter;
        if (ensuring(p, filter))
            continue;
        if (!keep(m, run, &(keeping){filter, i, 0, list->segment_count}))
            return false;
        list->verified = i;
    }
    return true;
}

/* ---- drawing before all is known ---- */

/* A decision that another player has drops what is pending. */
static bool foreign(const fzi_run *run)
{
    const fzi_head *head = fzi_head_of(run->state);
    return head->pendings && head->decider != head->pending_decider;
}

static uint32_t first_pending(const fzi_run *run)
{
    return foreign(run) ? fzi_head_of(run->state)->pendings : 0;
}

/* The `keeping` that holds last at the decision, with no filter further out. It leaves some move
 * where there is one before, and if it has a bound, a candidate that reaches the bound is legal. */
static bool find_last(const fz_machine *m, const fzi_run *run, uint32_t first, keeping *k)
{
    const fz_program *p = m->program;
    const fz_choice *choice = &p->choices[run->list->choice];
    uint32_t n = fzi_head_of(run->state)->pendings;
    if (first == n && !choice->filters)
        return false;
    *k = (keeping){.base = first < n ? first : NONE, .end = run->list->segment_count};
    k->filter = first < n ? fzi_pending_at(run->state, first)->filter
                          : p->filter_lists[choice->filter + choice->filters - 1];
    return !ensuring(p, k->filter);
}

/* 1: it reaches the bound, or none does; 0: it does not, and is laid aside if it may be among the
 * best; -1: error. */
static int found_best(fz_machine *m, const fzi_run *run, uint32_t segment, const fz_move *move)
{
    keeping k;
    value found;
    if (run->seeking == FZ_SEEK_NO_MORE || !find_last(m, run, first_pending(run), &k))
        return 1;
    uint32_t base = keeping_base(m, run, &k, &m->program->options[move->option]);
    if (base == NONE)
        return fzi_fault(m, "a choice with a move of another"), -1;
    fzi_end end = try_move(m, run, move, base, &found);
    if (end != FZ_END_PASS)
        return end == FZ_END_FAIL ? 0 : -1;
    if (found.reached) {
        m->key_count = run->aside;
        return 1;
    }
    fzi_cursor at = fzi_move_list_cursor(run->list, segment, move);
    int64_t place[] = {at.segment, at.major, at.minor};
    return push_keys(m, place, PLACE) &&
                   push_keys(m, found.keys, m->program->filters[k.filter].keys)
             ? 0
             : -1;
}

/* Adds the number of the best moves to `legal_move_sum`; the list stays as it is. */
static bool count_best(fz_machine *m, fzi_run *run, const keeping *k)
{
    const fz_filter *filter = &m->program->filters[k->filter];
    int64_t best[FZ_MAX_KEYS];
    uint32_t count = 0;
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    value found;
    fz_move move;
    while (fzi_move_list_next(run->list, &cursor, UINT32_MAX, &move)) {
        uint32_t base = keeping_base(m, run, k, &m->program->options[move.option]);
        fzi_end end = base == NONE ? FZ_END_ERROR : try_move(m, run, &move, base, &found);
        if (end == FZ_END_ERROR)
            return false;
        if (end == FZ_END_FAIL)
            continue;
        int better = count ? fzi_keys_compare(found.keys, best, filter->keys,
                                              filter->kind == FZ_FILTER_KEEP_MIN)
                           : 1;
        if (better > 0)
            memcpy(best, found.keys, sizeof best);
        count = better > 0 ? 1 : count + !better;
    }
    run->legal_move_sum += count;
    return true;
}

/* How many moves do their own filters, and the pending ones from `first` on, allow? No more than
 * `most` are counted; -1: error. */
static int64_t count_legal(fz_machine *m, fzi_run *run, uint32_t first, int64_t most)
{
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    fz_move move;
    int64_t count = 0;
    while (count < most && fzi_move_list_next(run->list, &cursor, UINT32_MAX, &move)) {
        int answer = legal(m, run, cursor.segment, &move, first);
        if (answer < 0)
            return -1;
        count += answer;
    }
    return count;
}

/* Is there such a move? -1: error. */
static int some_legal(fz_machine *m, fzi_run *run, uint32_t first)
{
    return (int)count_legal(m, run, first, 1);
}

/* ---- questions ---- */

int fzi_can(fz_machine *m, fzi_run *run)
{
    int64_t keys[FZ_MAX_PLAYERS][FZ_MAX_KEYS];
    bool used = m->rank_keys_used;
    if (run->list->answered || !run->list->total)
        return run->list->answered;
    if (used)
        memcpy(keys, m->rank_keys, sizeof keys);
    uint32_t n = fzi_head_of(run->state)->pendings;
    int answer = keep_all(m, run, n) ? some_legal(m, run, n) : -1;
    if (used)
        memcpy(m->rank_keys, keys, sizeof keys);
    m->rank_keys_used = used;
    return answer;
}

int fzi_can_yet(fz_machine *m, fzi_run *run)
{
    int answer = fzi_can(m, run);
    fzi_move_list_clear(run->list, run->list->choice);
    run->list->answered = answer > 0;
    return answer;
}

/* ---- judgements ---- */

static bool pending_sound(const fz_machine *m, const fz_state *state, fzi_pending pending)
{
    const fz_program *p = m->program;
    uint32_t function = p->choices[p->filters[pending.filter].choice].function;
    const fz_function *f = &p->functions[function];
    uint32_t size = fzi_frame_size(f, p->board.words);
    if (pending.frame + size > fzi_head_of(state)->top)
        return false;
    const uint64_t *frame = fzi_frames_of(state) + pending.frame;
    return (uint32_t)frame[0] == function && (frame[1] >> 40 & 0xff) == f->ints;
}

/* Runs the filter's code on a copy of its frame, so that going on afterwards finds it as it was. */
static fzi_end verdict(fz_machine *m, fz_state *state, fzi_pending pending, fzi_run *judged)
{
    const fz_program *p = m->program;
    if (!pending_sound(m, state, pending))
        return fzi_fault(m, "a filter is pending whose choice is gone");
    const fz_function *f = &p->functions[p->choices[p->filters[pending.filter].choice].function];
    uint32_t size = fzi_frame_size(f, p->board.words);
    fzi_head *head = fzi_head_of(state);
    uint32_t frame = head->frame, top = head->top, pc = head->pc;
    if (top + size > state->capacity && !fzi_state_grow(state, top + size))
        return fzi_fault_frames(m, state, top + size);
    head = fzi_head_of(state);
    uint64_t *stack = fzi_frames_of(state);
    memcpy(stack + top, stack + pending.frame, size * sizeof *stack);
    head->frame = top;
    head->top = top + size;
    head->pc = p->filters[pending.filter].code;
    head->depth++;
    *judged = fzi_run_of(m, state, FZ_RUN_VERDICT);
    judged->floor = top;
    fzi_end end = fzi_machine_run(m, judged);
    head = fzi_head_of(state);
    head->frame = frame;
    head->top = top;
    head->pc = pc;
    head->depth--;
    return end;
}

fzi_end fzi_judge(fz_machine *m, fzi_run *run)
{
    fzi_head *head = fzi_head_of(run->state);
    fzi_pending pending = *fzi_pending_at(run->state, head->pendings - 1u);
    fzi_run judged;
    if (head->pendings - 1u < run->base)
        return FZ_END_PASS;
    if (ensuring(m->program, pending.filter)) {
        fzi_end end = verdict(m, run->state, pending, &judged);
        if (end != FZ_END_VERDICT)
            return end;
        if (!judged.keys[0])
            return FZ_END_FAIL;
    }
    fzi_head_of(run->state)->pendings--;
    return FZ_END_RETURN;
}

fzi_end fzi_judge_all(fz_machine *m, fzi_run *run)
{
    fzi_run judged;
    for (uint32_t i = fzi_head_of(run->state)->pendings; i-- > run->base;) {
        fzi_pending pending = *fzi_pending_at(run->state, i);
        bool must = ensuring(m->program, pending.filter);
        if (!must && i != run->base)
            continue;
        fzi_end end = verdict(m, run->state, pending, &judged);
        if (end != FZ_END_VERDICT)
            return end;
        if (must && !judged.keys[0])
            return FZ_END_FAIL;
        memcpy(run->keys, judged.keys, sizeof judged.keys);
        run->reached = judged.reached;
    }
    return FZ_END_PASS;
}

/* ---- decisions ---- */

/* Would the choice have a legal move by its own filters? Asked when pending ones have left none. */
static int legal_by_itself(fz_machine *m, const fzi_run *run, uint32_t choice)
{
    fz_state *state = fzi_scratch_copy(m, run->state);
    fzi_move_list *list = state ? fzi_move_list_push(m) : NULL;
    int answer = -1;
    if (list) {
        fzi_head_of(state)->pc = m->program->choices[choice].start;
        fzi_run inner = fzi_run_of(m, state, FZ_RUN_GATHER);
        inner.list = list;
        uint32_t n = fzi_head_of(state)->pendings;
        if (fzi_machine_run(m, &inner) == FZ_END_LIST && keep_all(m, &inner, n))
            answer = some_legal(m, &inner, n);
        m->list_depth--;
    }
    m->scratch_depth -= state != NULL;
    return answer;
}

static fzi_decision from_end(fzi_end end)
{
    return end == FZ_END_PASS   ? FZ_DECIDE_PASS
           : end == FZ_END_FAIL ? FZ_DECIDE_FAIL
                                : FZ_DECIDE_ERROR;
}

/* Another player's decision ends what a filter judges, if there is a decision at all. */
static fzi_decision try_foreign(fz_machine *m, fzi_run *run)
{
    uint32_t n = fzi_head_of(run->state)->pendings;
    int some = keep_all(m, run, n) ? some_legal(m, run, n) : -1;
    if (some < 0)
        return FZ_DECIDE_ERROR;
    return some ? from_end(fzi_judge_all(m, run)) : FZ_DECIDE_OTHERWISE;
}

/* The decider's own further decision: its moves are tried in turn. */
static fzi_decision look_through(fz_machine *m, fzi_run *run, uint32_t choice)
{
    const fz_program *p = m->program;
    uint32_t n = fzi_head_of(run->state)->pendings, asked;
    if (run->base >= n)
        return FZ_DECIDE_PASS;
    asked = fzi_pending_at(run->state, run->base)->filter;
    if (!keep_all(m, run, run->base + 1))
        return FZ_DECIDE_ERROR;
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    fz_move move;
    value found;
    bool any = false, least = p->filters[asked].kind == FZ_FILTER_KEEP_MIN;
    while (fzi_move_list_next(run->list, &cursor, UINT32_MAX, &move)) {
        fzi_end end = try_move(m, run, &move, run->base, &found);
        if (end == FZ_END_ERROR)
            return FZ_DECIDE_ERROR;
        if (end == FZ_END_FAIL)
            continue;
        if (ensuring(p, asked))
            return FZ_DECIDE_PASS;
        if (!any || fzi_keys_compare(found.keys, run->keys, p->filters[asked].keys, least) > 0)
            memcpy(run->keys, found.keys, sizeof found.keys);
        any = true;
        run->reached = found.reached;
        if (run->reached) /* nothing is better */
            return FZ_DECIDE_PASS;
    }
    if (any)
        return FZ_DECIDE_PASS;
    int alone = p->choices[choice].filtered ? legal_by_itself(m, run, choice) : 1;
    return alone < 0 ? FZ_DECIDE_ERROR : alone ? FZ_DECIDE_FAIL : FZ_DECIDE_OTHERWISE;
}

int fzi_drawn(fz_machine *m, fzi_run *run, uint32_t segment, const fz_move *move)
{
    int answer = run->seeking ? found_best(m, run, segment, move)
                              : legal(m, run, segment, move, first_pending(run));
    if (!answer) {
        fzi_cursor cursor = fzi_move_list_cursor(run->list, segment, move);
        fzi_move_list_drop(run->list, &cursor);
    } else if (foreign(run)) {
        fzi_head_of(run->state)->pendings = 0;
    }
    return answer;
}

bool fzi_trial_begin(fz_machine *m, const fzi_run *run)
{
    if (!m->before && !(m->before = fzi_scratch_new(m)))
        return false;
    if (fzi_state_assign(m->before, run->state))
        return true;
    return fzi_fault(m, NULL), false;
}

void fzi_trial_refuse(fz_machine *m, fzi_run *run)
{
    fzi_cursor cursor = fzi_move_list_cursor(run->list, run->segment, &run->move);
    fzi_move_list_drop(run->list, &cursor);
    fzi_state_assign(run->state, m->before); /* it has had the room */
    run->trial = false;
    run->redrawing = true;
}

bool fzi_draw_again(fz_machine *m, fzi_run *run)
{
    keeping k;
    if (run->seeking != FZ_SEEK_BOUND || m->key_count == run->aside ||
        !find_last(m, run, first_pending(run), &k))
        return false;
    const fz_filter *filter = &m->program->filters[k.filter];
    const int64_t *end = m->key_store + m->key_count, *best = NULL;
    for (const int64_t *at = m->key_store + run->aside; at < end; at += PLACE + filter->keys)
        if (!best || fzi_keys_compare(at + PLACE, best, filter->keys,
                                      filter->kind == FZ_FILTER_KEEP_MIN) > 0)
            best = at + PLACE;
    for (const int64_t *at = m->key_store + run->aside; at < end; at += PLACE + filter->keys)
        if (!fzi_keys_compare(at + PLACE, best, filter->keys, false))
            fzi_move_list_put_back(run->list,
                                   &(fzi_cursor){(uint32_t)at[0], (int32_t)at[1], (int32_t)at[2]});
    m->key_count = run->aside;
    run->seeking = FZ_SEEK_NO_MORE;
    return true;
}

/* Draws without a value for every candidate: see find_last. */
static fzi_decision draw_bounded(fz_machine *m, fzi_run *run, const keeping *k)
{
    if (run->branching && !count_best(m, run, k))
        return FZ_DECIDE_ERROR;
    run->seeking = FZ_SEEK_BOUND;
    run->aside = m->key_count;
    return FZ_DECIDE_DRAW;
}

/* On the game's own state. */
static fzi_decision decide(fz_machine *m, fzi_run *run)
{
    uint32_t first = first_pending(run);
    keeping k;
    run->seeking = FZ_SEEK_NOTHING;
    if (find_last(m, run, first, &k) && (!run->plies || m->program->filters[k.filter].bounded)) {
        run->list->verified = fzi_head_of(run->state)->pendings;
        if (k.base != NONE && !keep_all(m, run, k.base + 1))
            return FZ_DECIDE_ERROR;
        if (run->plies && !sole(m, run, &k))
            return draw_bounded(m, run, &k);
        if (run->plies && !keep(m, run, &k))
            return FZ_DECIDE_ERROR;
    } else if (!keep_all(m, run, first)) {
        return FZ_DECIDE_ERROR;
    }
    if (run->plies) {
        bool counts = run->branching || !fzi_on(m->program, FZ_OPT_LAZY);
        int64_t count = counts ? count_legal(m, run, first, INT64_MAX) : 0;
        run->legal_move_sum += (uint64_t)(count > 0 ? count : 0);
        return count < 0 ? FZ_DECIDE_ERROR : FZ_DECIDE_DRAW;
    }
    int some = some_legal(m, run, first);
    if (some > 0 && foreign(run))
        fzi_head_of(run->state)->pendings = 0;
    return some < 0 ? FZ_DECIDE_ERROR : some ? FZ_DECIDE_WAIT : FZ_DECIDE_OTHERWISE;
}

fzi_decision fzi_decide(fz_machine *m, fzi_run *run, uint32_t choice)
{
    switch ((fzi_mode)run->mode) {
    case FZ_RUN_GATHER:
        return FZ_DECIDE_ERROR; /* the loop knows better */
    case FZ_RUN_SITES:
        return FZ_DECIDE_PASS;
    case FZ_RUN_PLAY:
    case FZ_RUN_TRY:
        break;
    default:
        fzi_fault(m, "a choice where none may be");
        return FZ_DECIDE_ERROR;
    }
    if (!run->list->total)
        return FZ_DECIDE_OTHERWISE;
    if (run->mode == FZ_RUN_PLAY)
        return decide(m, run);
    if (fzi_head_of(run->state)->decider != run->decider)
        return try_foreign(m, run);
    return look_through(m, run, choice);
}

/* ---- whole lists ---- */

bool fzi_move_list_keep(fz_machine *m, fzi_run *run)
{
    return keep_all(m, run, 0);
}

int fzi_move_legal(fz_machine *m, fzi_run *run, uint32_t segment, const fz_move *move)
{
    return legal(m, run, segment, move, 0);
}

/* By reaching its bound a move is known to be among the best. */
static int legal_by_bound(fz_machine *m, fzi_run *run, const fz_move *move)
{
    keeping k;
    value found;
    if (!find_last(m, run, 0, &k) || !m->program->filters[k.filter].bounded)
        return 0;
    if (k.base != NONE && !keep_all(m, run, k.base + 1))
        return -1;
    uint32_t base = keeping_base(m, run, &k, &m->program->options[move->option]);
    if (base == NONE || fzi_move_list_find(run->list, move) == NONE)
        return 0;
    fzi_end end = try_move(m, run, move, base, &found);
    return end == FZ_END_ERROR ? -1 : end == FZ_END_PASS && found.reached;
}

int fzi_move_list_allows(fz_machine *m, fzi_run *run, const fz_move *move)
{
    if (fzi_move_list_find(run->list, move) == NONE)
        return 0;
    int known = legal_by_bound(m, run, move);
    if (known)
        return known;
    if (!keep_all(m, run, 0))
        return -1;
    uint32_t segment = fzi_move_list_find(run->list, move);
    return segment == NONE ? 0 : legal(m, run, segment, move, 0);
}
