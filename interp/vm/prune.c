/* Whole lists: leaves only the legal moves. Most of them need no try: those that take one piece
 * from a site to another, both outside of what their filter looks at (footprint.inc.h), are passed
 * over by whole sets. */

#include "filter.h"
#include "footprint.h"
#include "interp/support/words.h"

/* The moves of a list that need no try, if there are such. */
typedef struct untouched {
    const fz_option_info *option; /* whose filter it is; NULL: every move is tried */
    uint32_t filter;
    /* of the segment at hand: which bindings these are; -1: not such moves */
    int from, to;
    const uint64_t *own;
    uint64_t sites[FZ_MAX_WORDS];
} untouched;

static bool (*footprint_of(const fz_program *p))(const fz_machine *, const fz_state *,
                                                 const fz_option_info *, uint32_t, uint64_t *)
{
#ifndef FZ_STANDALONE /* one file of C, for one number of words */
    if (p->board.words == 1)
        return fzi_footprint_w1;
#endif
    (void)p;
    return fzi_footprint;
}

enum { FEW_MOVES = 4 }; /* to try so many costs less than to find the footprint */

/* PEND, SET_LAST_MOVE (where the program asks for it), MOVE, FILTER_BEGIN and no more: which
 * bindings go from where to where. */
static bool is_plain(const fz_program *p, const fz_option_info *option, uint32_t filter, int *from,
                     int *to)
{
    const fz_code *code = p->code + option->effect;
    if (FZ_CODE_OP(code[0]) != FZ_OP_PEND || code[1] != filter)
        return false;
    code += 2;
    if (FZ_CODE_OP(*code) == FZ_OP_SET_LAST_MOVE)
        code++;
    if (FZ_CODE_OP(code[0]) != FZ_OP_MOVE || FZ_CODE_OP(code[1]) != FZ_OP_FILTER_BEGIN ||
        code[2] != filter)
        return false;
    *from = (int)FZ_CODE_A(code[0]) - option->first;
    *to = (int)FZ_CODE_B(code[0]) - option->first;
    return *from >= 0 && *from < option->bindings && *to >= 0 && *to < option->bindings;
}

/* Has the segment such moves, under the filter that `u` is about, or under any if it is about none
 * yet? */
static bool has_plain(const fz_machine *m, const fzi_move_list *list, const fzi_segment *segment,
                      untouched *u)
{
    const fz_program *p = m->program;
    const fz_option_info *option = &p->options[segment->option];
    u->from = FZ_NOT_THERE;
    if (option->filters != 1 || segment->checked || option->choice != list->choice)
        return false;
    uint32_t filter = p->filter_lists[option->first_filter];
    if (u->option && (filter != u->filter || option->first != u->option->first ||
                      option->bindings != u->option->bindings))
        return false;
    u->filter = filter;
    if (p->filters[filter].kind == FZ_FILTER_ENSURING &&
        is_plain(p, option, filter, &u->from, &u->to))
        return true;
    u->from = FZ_NOT_THERE;
    return false;
}

static void find_untouched(const fz_machine *m, const fzi_run *run, untouched *u)
{
    const fzi_move_list *list = run->list;
    const fzi_head *head = fzi_head_of(run->state);
    u->option = NULL;
    u->from = FZ_NOT_THERE;
    if (head->pendings || list->total < FEW_MOVES || !fzi_on(m->program, FZ_OPT_FOOTPRINTS))
        return;
    for (uint32_t i = 0; i < list->segment_count; i++) {
        if (!list->segments[i].count || !has_plain(m, list, &list->segments[i], u))
            continue;
        const fz_option_info *option = &m->program->options[list->segments[i].option];
        u->own = fzi_sets_at(run->state, m->layout.own) +
                 (unsigned)head->decider * m->program->board.words;
        if (footprint_of(m->program)(m, run->state, option, u->filter, u->sites))
            u->option = option;
        else
            u->from = FZ_NOT_THERE;
        return;
    }
}

static bool is_untouched(const fz_machine *m, const fz_move *move, const untouched *u)
{
    unsigned from = (unsigned)move->values[u->from], to = (unsigned)move->values[u->to];
    return from < m->site_count && to < m->site_count && fzi_words_has(u->own, from) &&
           !fzi_words_has(u->sites, from) && !fzi_words_has(u->sites, to);
}

/* ---- walking ---- */

static bool try_move(fz_machine *m, fzi_run *run, const fzi_cursor *cursor, const fz_move *move)
{
    int answer = fzi_move_legal(m, run, cursor->segment, move);
    if (!answer)
        fzi_move_list_drop(run->list, cursor);
    return answer >= 0;
}

static bool try_all(fz_machine *m, fzi_run *run, uint32_t segment, const untouched *u)
{
    fzi_cursor cursor = FZI_CURSOR_AT(segment);
    fz_move move;
    while (fzi_move_list_next(run->list, &cursor, segment + 1, &move))
        if ((u->from < 0 || !is_untouched(m, &move, u)) && !try_move(m, run, &cursor, &move))
            return false;
    return true;
}

/* One site each, of the segment's set: where its moves go to, or where they come from. */
static bool try_set(fz_machine *m, fzi_run *run, uint32_t segment, const untouched *u)
{
    const fzi_segment *s = &run->list->segments[segment];
    const uint64_t *words = run->list->words + s->data;
    unsigned w = m->program->board.words;
    uint64_t some[FZ_MAX_WORDS];
    int set = s->values, given = u->from == set ? u->to : u->from;
    fz_move move;
    if (given == set)
        return try_all(m, run, segment, u);
    uint64_t site = words[given];
    if (site >= m->site_count || fzi_words_has(u->sites, (unsigned)site) ||
        (given == u->from && !fzi_words_has(u->own, (unsigned)site)))
        return try_all(m, run, segment, u);
    for (unsigned i = 0; i < w; i++)
        some[i] = words[set + (int)i] & (given == u->from ? u->sites[i] : u->sites[i] | ~u->own[i]);
    FZI_FOR_SITES (at, some, w) {
        fzi_cursor cursor = {segment, (int32_t)at, -1};
        move.option = s->option;
        move.count = (uint8_t)(set + 1);
        for (int i = 0; i < set; i++)
            move.values[i] = (int32_t)run->list->words[s->data + (unsigned)i];
        move.values[set] = (int32_t)at;
        if (!try_move(m, run, &cursor, &move))
            return false;
    }
    return true;
}

/* Does any move of these shifts begin or end at a site of the footprint, or begin at no own
 * piece? */
static bool shifts_touched(const fz_machine *m, const fzi_move_list *list, const fzi_segment *s,
                           const untouched *u)
{
    unsigned w = m->program->board.words;
    for (unsigned d = 0; d < s->steps; d++) {
        const uint64_t *entry = list->words + s->data + s->values + (size_t)d * (1 + w);
        int delta = (int)(int32_t)entry[0];
        for (unsigned i = 0; i < w; i++)
            if (entry[1 + i] & (u->sites[i] | ~u->own[i]))
                return true;
        FZI_FOR_SITES (site, u->sites, w) {
            int from = (int)site - delta;
            if (from >= 0 && from < m->site_count && fzi_words_has(entry + 1, (unsigned)from))
                return true;
        }
    }
    return false;
}

static bool try_segment(fz_machine *m, fzi_run *run, uint32_t segment, untouched *u)
{
    const fzi_segment *s = &run->list->segments[segment];
    if (!u->option || !has_plain(m, run->list, s, u))
        return try_all(m, run, segment, u);
    if (s->kind == FZ_SEGMENT_SET)
        return try_set(m, run, segment, u);
    if (s->kind == FZ_SEGMENT_SHIFTS && u->from == s->values && !shifts_touched(m, run->list, s, u))
        return true;
    return try_all(m, run, segment, u);
}

bool fzi_move_list_prune(fz_machine *m, fzi_run *run)
{
    untouched u;
    if (!m->program->choices[run->list->choice].filtered && !fzi_head_of(run->state)->pendings)
        return true;
    if (!fzi_move_list_keep(m, run))
        return false;
    find_untouched(m, run, &u);
    for (uint32_t i = 0; i < run->list->segment_count; i++)
        if (!try_segment(m, run, i, &u))
            return false;
    return true;
}
