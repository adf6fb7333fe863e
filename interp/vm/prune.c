/* Whole lists: leaves only the legal moves. Most of them need no try: the filters of moves that
 * change little (fz_quiet) are judged once, before any move, and only moves that touch what they
 * depend on (footprint.inc.h) are tried. */

#include "filter.h"
#include "interp/program/quiet_effects.h"
#include "interp/support/words.h"

enum { FEW_MOVES = 4 /* to try so many costs less than to find a footprint */, FOOTPRINTS = 24 };

typedef struct judged {
    uint32_t filter;
    bool known;
    fzi_moved moved;
    fzi_footprint footprint;
} judged;

/* For a segment: the sites that its moves must not touch. */
typedef struct untouched {
    bool known;           /* false: every move is tried */
    bool asks_piece;      /* it is another one for moves of another piece */
    bool legal;           /* what the moves are that touch nothing */
    const fz_quiet *quiet;
    const fz_option_info *option;
    uint64_t kinds;
    uint64_t from[FZ_MAX_WORDS], to[FZ_MAX_WORDS];
} untouched;

typedef struct pruning {
    fz_machine *m;
    fzi_run *run;
    unsigned w;
    bool may;             /* footprints are of use */
    bool mine;            /* integer register 0 holds the decider */
    const uint64_t *own;  /* the decider's pieces */
    unsigned count;
    judged filters[FOOTPRINTS];
    untouched now;
} pruning;

static void begin(pruning *g, fz_machine *m, fzi_run *run)
{
    const fzi_head *head = fzi_head_of(run->state);
    g->m = m;
    g->run = run;
    g->now.option = NULL;
    g->w = m->program->board.words;
    g->count = 0;
    g->may = !head->pendings && run->list->total >= FEW_MOVES &&
             fzi_on(m->program, FZ_OPT_FOOTPRINTS);
    g->mine = (int64_t)(fzi_frames_of(run->state) + head->frame)[FZ_FRAME_HEADER] == head->decider;
    g->own = fzi_sets_at(run->state, m->layout.own) + (unsigned)head->decider * g->w;
}

/* Is the footprint also that of the filter after other moves? */
static bool holds(const judged *j, uint32_t filter, const fzi_moved *moved)
{
    const fzi_footprint *f = &j->footprint;
    return j->filter == filter &&
           (!f->asks_last || (j->moved.last == moved->last && j->moved.from == moved->from)) &&
           (!f->asks_piece || j->moved.piece == moved->piece);
}

/* The footprint of a filter; NULL: unknown. */
static const fzi_footprint *footprint_of(pruning *g, uint32_t filter, const fzi_moved *moved)
{
    for (unsigned i = 0; i < g->count; i++)
        if (holds(&g->filters[i], filter, moved))
            return g->filters[i].known ? &g->filters[i].footprint : NULL;
    if (g->count == FOOTPRINTS)
        return NULL;
    judged *j = &g->filters[g->count++];
    j->filter = filter;
    j->moved = *moved;
    j->known = g->m->footprint(g->m, g->run->state, filter, moved, &j->footprint);
    return j->known ? &j->footprint : NULL;
}

/* The sites that a segment's moves take their pieces from. False: not known for all together. */
static bool movers_of(const pruning *g, const fzi_segment *s, uint64_t *from)
{
    int binding = g->m->program->options[s->option].quiet.from;
    const uint64_t *words = g->run->list->words + s->data;
    fzi_words_clear(from, g->w);
    if (binding >= 0 && binding < s->values && words[binding] < g->m->site_count)
        fzi_words_add(from, (unsigned)words[binding]);
    else if (s->kind != FZ_SEGMENT_SHIFTS || binding != s->values)
        return false;
    else
        for (unsigned d = 0; d < s->steps; d++)
            for (unsigned i = 0; i < g->w; i++)
                from[i] |= words[s->values + d * (1 + g->w) + 1 + i];
    return true;
}

/* The kind of all pieces on the sites; -1: they differ. */
static int32_t kind_of_all(const pruning *g, const uint64_t *sites)
{
    const uint64_t *kind = fzi_sets_at(g->run->state, g->m->layout.kinds);
    for (unsigned k = 0; g->m->layout.kinds && k < g->m->kind_count; k++, kind += g->w) {
        uint64_t others = 0;
        for (unsigned i = 0; i < g->w; i++)
            others |= sites[i] & ~kind[i];
        if (!others)
            return (int32_t)k;
    }
    return -1;
}

/* The known facts about the moves of a segment. */
static fzi_moved moved_by(const pruning *g, const fzi_segment *s)
{
    const fz_quiet *q = &g->m->program->options[s->option].quiet;
    fzi_moved moved = {q->last, q->from >= 0, q->piece};
    uint64_t from[FZ_MAX_WORDS];
    if (q->last && q->piece == FZ_PIECE_SAME && movers_of(g, s, from))
        moved.piece = kind_of_all(g, from);
    else if (q->piece == FZ_PIECE_BOUND && q->kind >= 0 && q->kind < s->values)
        moved.piece = (int32_t)(g->run->list->words + s->data)[q->kind];
    return moved;
}

/* Is the same known of moves of both options? */
static bool alike(const fz_program *p, const fz_option_info *a, const fz_option_info *b)
{
    const fz_quiet *q = &a->quiet, *other = &b->quiet;
    return a == b || (a->filters == 1 && b->filters == 1 && q->is && other->is &&
                      p->filter_lists[a->first_filter] == p->filter_lists[b->first_filter] &&
                      a->choice == b->choice && q->mine == other->mine &&
                      q->apart == other->apart && q->kinds == other->kinds && !q->last &&
                      q->stores == other->stores);
}

/* Finds the sites that the segment's moves must not touch. */
static void look_at(pruning *g, const fzi_segment *s)
{
    const fz_program *p = g->m->program;
    const fz_option_info *option = &p->options[s->option], *before = g->now.option;
    untouched *u = &g->now;
    u->quiet = &option->quiet;
    u->option = s->checked ? NULL : option;
    if (before && !s->checked && !u->asks_piece && alike(p, before, option))
        return;
    u->asks_piece = false;
    u->known = g->may && u->quiet->is && option->choice == g->run->list->choice &&
               s->checked < option->filters && (!u->quiet->mine || g->mine);
    if (!u->known)
        return;
    const fzi_moved moved = moved_by(g, s);
    u->legal = true;
    u->kinds = 0;
    fzi_words_copy(u->to, g->own, g->w);
    for (unsigned i = 0; i < g->w; i++)
        u->from[i] = ~g->own[i];
    for (unsigned f = s->checked; f < option->filters && u->known; f++) {
        bool apart = u->quiet->apart >> f & 1;
        const fzi_footprint *found =
            apart ? footprint_of(g, p->filter_lists[option->first_filter + f], &moved) : NULL;
        u->asks_piece = u->asks_piece || (found && found->asks_piece);
        u->known = found && !(found->loads & u->quiet->stores) &&
                   !(found->kinds & u->quiet->kinds);
        for (unsigned i = 0; i < g->w && u->known; i++) {
            u->from[i] |= found->left[i];
            u->to[i] |= found->filled[i];
        }
        u->legal = u->legal && u->known && found->verdict;
        u->kinds |= u->known ? found->kinds : 0;
    }
}

static bool in(const uint64_t *set, unsigned sites, int32_t site)
{
    return (unsigned)site >= sites || fzi_words_has(set, (unsigned)site);
}

static bool is_untouched(const pruning *g, const fz_move *move)
{
    const untouched *u = &g->now;
    const fz_quiet *q = u->quiet;
    unsigned sites = g->m->site_count;
    return u->known && !(q->from >= 0 && in(u->from, sites, move->values[q->from])) &&
           !(q->to >= 0 && in(u->to, sites, move->values[q->to])) &&
           !(q->kind >= 0 && (move->values[q->kind] < 0 ||
                              u->kinds & FZ_QUIET_BIT(move->values[q->kind])));
}

static bool try_move(pruning *g, const fzi_cursor *cursor, const fz_move *move)
{
    int answer = is_untouched(g, move) ? g->now.legal
                                       : fzi_move_legal(g->m, g->run, cursor->segment, move);
    if (!answer)
        fzi_move_list_drop(g->run->list, cursor);
    return answer >= 0;
}

static bool try_all(pruning *g, uint32_t segment)
{
    fzi_cursor cursor = FZI_CURSOR_AT(segment);
    fz_move move;
    while (fzi_move_list_next(g->run->list, &cursor, segment + 1, &move))
        if (!try_move(g, &cursor, &move))
            return false;
    return true;
}

/* The outer bindings of a segment's moves. */
static fz_move outer_move(const pruning *g, const fzi_segment *s)
{
    fz_move move = {.option = s->option};
    for (unsigned i = 0; i < s->values; i++)
        move.values[i] = (int32_t)g->run->list->words[s->data + i];
    return move;
}

/* One site each, of the segment's set: where its moves go to, or where they come from. Only those
 * that touch something are looked at one by one. */
static bool try_set(pruning *g, uint32_t segment)
{
    const fzi_segment *s = &g->run->list->segments[segment];
    const untouched *u = &g->now;
    const fz_quiet *q = u->quiet;
    const uint64_t *set = g->run->list->words + s->data + s->values;
    bool arrives = q->to == s->values;
    uint64_t some[FZ_MAX_WORDS];
    fz_move move = outer_move(g, s);
    int given = arrives ? q->from : q->to;
    if (q->kind == s->values || given == s->values)
        return try_all(g, segment);
    if ((given >= 0 && in(arrives ? u->from : u->to, g->m->site_count, move.values[given])) ||
        (q->kind >= 0 && (move.values[q->kind] < 0 ||
                          u->kinds & FZ_QUIET_BIT(move.values[q->kind]))))
        return try_all(g, segment);
    for (unsigned i = 0; i < g->w; i++)
        some[i] = set[i] & (arrives ? u->to[i] : q->from == s->values ? u->from[i] : 0);
    move.count = (uint8_t)(s->values + 1);
    FZI_FOR_SITES (at, some, g->w) {
        fzi_cursor cursor = {segment, (int32_t)at, -1};
        move.values[s->values] = (int32_t)at;
        if (!try_move(g, &cursor, &move))
            return false;
    }
    return true;
}

/* The same for shifts of a set: from each site in the set of a step. */
static bool try_shifts(pruning *g, uint32_t segment)
{
    const fzi_segment *s = &g->run->list->segments[segment];
    const untouched *u = &g->now;
    fz_move move = outer_move(g, s);
    unsigned sites = g->m->site_count;
    move.count = (uint8_t)(s->values + 2);
    for (unsigned d = 0; d < s->steps; d++) {
        const uint64_t *entry =
            g->run->list->words + s->data + s->values + (size_t)d * (1 + g->w);
        int32_t delta = (int32_t)entry[0];
        uint64_t movers[FZ_MAX_WORDS];
        fzi_words_copy(movers, entry + 1, g->w);
        FZI_FOR_SITES (from, movers, g->w) {
            int32_t to = (int32_t)from + delta;
            if (!fzi_words_has(u->from, from) && !in(u->to, sites, to))
                continue;
            fzi_cursor cursor = {segment, (int32_t)from, to};
            move.values[s->values] = (int32_t)from;
            move.values[s->values + 1] = to;
            if (!try_move(g, &cursor, &move))
                return false;
        }
    }
    return true;
}

static bool try_segment(pruning *g, uint32_t segment)
{
    const fzi_segment *s = &g->run->list->segments[segment];
    if (!s->count)
        return true;
    look_at(g, s);
    const fz_quiet *q = g->now.quiet;
    if (!g->now.known || !g->now.legal)
        return try_all(g, segment);
    if (s->kind == FZ_SEGMENT_SET)
        return try_set(g, segment);
    if (s->kind == FZ_SEGMENT_SHIFTS && q->from == s->values && q->to == s->values + 1 &&
        q->kind < 0)
        return try_shifts(g, segment);
    return try_all(g, segment);
}

bool fzi_move_list_prune(fz_machine *m, fzi_run *run)
{
    pruning g;
    if (!m->program->choices[run->list->choice].filtered && !fzi_head_of(run->state)->pendings)
        return true;
    if (!fzi_move_list_keep(m, run))
        return false;
    begin(&g, m, run);
    for (uint32_t i = 0; i < run->list->segment_count; i++)
        if (!try_segment(&g, i))
            return false;
    return true;
}
