/* Footprints: the sites that a filter's verdict depends on. Most moves cannot change a verdict.
 * Whether a king stands in check changes only by moves on the lines to it. To judge a whole list,
 * the filter therefore runs once on the position before the move and finds the sites that matter.
 * Only moves from or to one of these sites are tried.
 *
 * The moves in question have two events: a piece of `player` leaves a site, which is empty then; a
 * piece of `player`, of any kind, arrives at a site that none of theirs is on. The filter's code
 * runs on sets with these parts (fzi_unsure):
 *   value         the members in the present position
 *   comes, goes   sites that become members, or are members no longer, by an event there
 *   more          other sites that may become members, by events elsewhere
 *   grows, shrinks   where these events must happen for `more`, and for any other loss of members
 * A decision on a set adds to the footprint only the events that can turn the decision: a slide
 * that finds no rider has no site that a piece could not arrive at. Whether the latest move leads
 * to a site of a set divides the moves; those on the smaller side are tried.
 *
 * Here are the operations on such sets. footprint.inc.h runs a filter's code with them; native code
 * has its text. */
#ifndef FZ_INTERP_VM_OPS_FOOTPRINT_H
#define FZ_INTERP_VM_OPS_FOOTPRINT_H

#include "footprint.h"
#include "interp/program/quiet_effects.h"
#include "ops_board.h"

#ifdef FZ_NATIVE
#define FZ_FOOT static inline __attribute__((always_inline, unused))
#else
#define FZ_FOOT static __attribute__((unused))
#endif

/* Sites of events: where a piece leaves, and where one arrives. */
typedef struct fzi_events {
    fzi_set left, filled;
} fzi_events;

typedef struct fzi_unsure {
    fzi_set value;
    fzi_events comes, goes;
    fzi_set more;
    fzi_events grows, shrinks;
    bool sure;     /* the set has no part but its value */
} fzi_unsure;

/* The findings on the way. */
typedef struct fzi_found {
    const fz_machine *m;
    uint8_t *block;
    int64_t player;
    fzi_moved moved;
    bool asks_last, asks_piece;
    fzi_events events;
    uint64_t kinds, loads;
} fzi_found;

/* Stand for the sites of the latest move, which is each of those in question. No site and no number
 * of a game is as small. */
#define FOOT_FROM INT64_MIN
#define FOOT_TO (INT64_MIN + 1)

FZ_FOOT bool foot_is_move(int64_t number)
{
    return number <= FOOT_TO;
}

/* ---- sets ---- */

FZ_FOOT bool foot_any(fzi_set a)
{
    uint64_t all = 0;
    FZI_EACH_WORD(i) all |= a.w[i];
    return all != 0;
}

FZ_FOOT fzi_events events_none(void)
{
    return (fzi_events){set_none(), set_none()};
}

FZ_FOOT bool events_any(fzi_events a)
{
    return foot_any(set_or(a.left, a.filled));
}

FZ_FOOT fzi_events events_or(fzi_events a, fzi_events b)
{
    return (fzi_events){set_or(a.left, b.left), set_or(a.filled, b.filled)};
}

FZ_FOOT fzi_events events_and(fzi_events a, fzi_events b)
{
    return (fzi_events){set_and(a.left, b.left), set_and(a.filled, b.filled)};
}

FZ_FOOT fzi_events events_sub(fzi_events a, fzi_events b)
{
    return (fzi_events){set_sub(a.left, b.left), set_sub(a.filled, b.filled)};
}

/* The same sites for both events. */
FZ_FOOT fzi_events events_at(fzi_set a)
{
    return (fzi_events){a, a};
}

FZ_FOOT void foot_note(fzi_found *f, fzi_events events)
{
    f->events = events_or(f->events, events);
}

FZ_FOOT fzi_unsure foot_sure(fzi_set value)
{
    return (fzi_unsure){value, events_none(), events_none(), set_none(), events_none(),
                        events_none(), true};
}

/* From now on the set has only these members. */
FZ_FOOT void foot_keep_out(fzi_found *f, const fzi_unsure *a)
{
    if (foot_any(a->more))
        foot_note(f, a->grows);
    foot_note(f, a->comes);
}

/* From now on the set is certain. */
FZ_FOOT void foot_settle(fzi_found *f, fzi_unsure *a)
{
    if (a->sure)
        return;
    foot_keep_out(f, a);
    foot_note(f, a->goes);
    foot_note(f, a->shrinks);
    *a = foot_sure(a->value);
}

/* Whatever might still be added or lost is dropped where that cannot be. */
FZ_FOOT fzi_unsure foot_tidy(fzi_unsure a)
{
    if (!foot_any(a.more))
        a.grows = events_none();
    if (!foot_any(a.value))
        a.shrinks = events_none();
    return a;
}

/* All that may be in the set. */
FZ_FOOT fzi_set foot_most(const fzi_unsure *a)
{
    return set_or(set_or(a->value, a->more), set_or(a->comes.left, a->comes.filled));
}

FZ_FOOT fzi_unsure foot_and(fzi_unsure a, fzi_unsure b)
{
    fzi_set v = set_and(a.value, b.value);
    fzi_events come_a = events_or(a.comes, events_at(a.value));
    fzi_events come_b = events_or(b.comes, events_at(b.value));
    fzi_set more = set_or(set_and(a.more, foot_most(&b)), set_and(b.more, foot_most(&a)));
    return foot_tidy((fzi_unsure){
        .value = v,
        .comes = events_sub(events_and(come_a, come_b), events_at(v)),
        .goes = events_and(events_at(v), events_or(a.goes, b.goes)),
        .more = set_sub(more, v),
        .grows = events_or(a.grows, b.grows),
        .shrinks = events_or(a.shrinks, b.shrinks),
        .sure = a.sure && b.sure,
    });
}

FZ_FOOT fzi_unsure foot_or(fzi_unsure a, fzi_unsure b)
{
    fzi_set v = set_or(a.value, b.value);
    fzi_events gone_a = events_or(a.goes, events_at(set_sub(v, a.value)));
    fzi_events gone_b = events_or(b.goes, events_at(set_sub(v, b.value)));
    return foot_tidy((fzi_unsure){
        .value = v,
        .comes = events_sub(events_or(a.comes, b.comes), events_at(v)),
        .goes = events_and(gone_a, gone_b),
        .more = set_sub(set_or(a.more, b.more), v),
        .grows = events_or(a.grows, b.grows),
        .shrinks = events_or(a.shrinks, b.shrinks),
        .sure = a.sure && b.sure,
    });
}

FZ_FOOT fzi_unsure foot_sub(fzi_unsure a, fzi_unsure b)
{
    fzi_set v = set_sub(a.value, b.value);
    fzi_events come_a = events_or(a.comes, events_at(a.value));
    fzi_events stay_b = events_sub(events_at(b.value), b.goes);
    fzi_set lost = events_any(b.shrinks) ? b.value : set_none();
    return foot_tidy((fzi_unsure){
        .value = v,
        .comes = events_sub(events_sub(come_a, stay_b), events_at(v)),
        .goes = events_and(events_at(v), events_or(a.goes, b.comes)),
        .more = set_sub(set_and(set_or(a.more, lost), foot_most(&a)), v),
        .grows = events_or(a.grows, b.shrinks),
        .shrinks = events_or(a.shrinks, b.grows),
        .sure = a.sure && b.sure,
    });
}

/* ---- decisions ---- */

/* Has the set a member? Of two events, neither takes the last of three members that stand alone. */
FZ_FOOT bool foot_some(fzi_found *f, const fzi_unsure *a)
{
    if (a->sure)
        return foot_any(a->value);
    if (!foot_any(a->value)) {
        foot_keep_out(f, a);
        return false;
    }
    foot_note(f, a->shrinks);
    fzi_set stays = set_sub(set_sub(a->value, a->goes.left), a->goes.filled);
    if (!foot_any(stays) && set_count(a->value) < 3) {
        fzi_set one = set_one((uint64_t)set_first(a->value));
        foot_note(f, events_and(events_at(one), a->goes));
    }
    return true;
}

FZ_FOOT bool foot_meet(fzi_found *f, const fzi_unsure *a, const fzi_unsure *b)
{
    fzi_unsure both = foot_and(*a, *b);
    return foot_some(f, &both);
}

FZ_FOOT bool foot_has(fzi_found *f, const fzi_unsure *a, int64_t number)
{
    if ((uint64_t)number >= f->m->site_count)
        return false;
    fzi_set one = set_one((uint64_t)number);
    bool member = set_has(&a->value, (uint64_t)number);
    if (a->sure)
        return member;
    if (member)
        foot_note(f, a->shrinks);
    else if (foot_any(set_and(a->more, one)))
        foot_note(f, a->grows);
    foot_note(f, events_and(events_at(one), member ? a->goes : a->comes));
    return member;
}

/* ---- the latest move ---- */

FZ_FOOT bool foot_last(fzi_found *f, int64_t *from, int64_t *to)
{
    f->asks_last = true;
    *from = f->moved.from ? FOOT_FROM : -1;
    *to = FOOT_TO;
    return f->moved.last;
}

/* The kind of the piece that has moved. */
FZ_FOOT bool foot_kind_at(fzi_found *f, int64_t site, int64_t *kind)
{
    f->asks_piece = true;
    *kind = f->moved.piece;
    return site == FOOT_TO && *kind >= 0;
}

/* Is a site, which may be one of the latest move, in the set? */
FZ_FOOT bool foot_has_site(fzi_found *f, const fzi_unsure *a, int64_t site, bool *has)
{
    if (!foot_is_move(site)) {
        *has = foot_has(f, a, site);
        return true;
    }
    fzi_set none = set_none(), few = a->value;
    *has = 2 * set_count(few) > f->m->site_count;
    if (*has)
        few = set_sub(board_all(f->m), few);
    foot_note(f, site == FOOT_TO ? (fzi_events){none, few} : (fzi_events){few, none});
    return a->sure;
}

/* The least member; -1: there is none. */
FZ_FOOT int64_t foot_take(fzi_found *f, fzi_unsure *a)
{
    foot_settle(f, a);
    return foot_any(a->value) ? set_take(&a->value) : -1;
}

FZ_FOOT bool foot_add(fzi_found *f, fzi_unsure *a, int64_t site)
{
    foot_settle(f, a);
    if (site >= 0 && site < f->m->site_count)
        set_add(&a->value, (uint64_t)site);
    return site >= -1 && site < f->m->site_count;
}

/* ---- the board ---- */

/* A set of what stands on the board: the members; those that are so by a piece of `player`, and by
 * anything else on their site; and whether a piece that arrives makes one. Sites of the footprint
 * are as they are: moves that touch them are tried anyway. */
FZ_FOOT fzi_unsure foot_board(fzi_set value, fzi_events comes, fzi_events goes)
{
    return (fzi_unsure){
        .value = value,
        .comes = comes,
        .goes = goes,
        .more = set_none(),
        .grows = events_none(),
        .shrinks = events_none(),
    };
}

/* Sites with a piece of `player`, which may leave. */
FZ_FOOT fzi_set foot_own(const fzi_found *f)
{
    return set_sub(*board_own(f->m, f->block, f->player), f->events.left);
}

/* Sites without one, where one may arrive. */
FZ_FOOT fzi_set foot_others(const fzi_found *f)
{
    fzi_set own = *board_own(f->m, f->block, f->player);
    return set_sub(set_sub(board_all(f->m), own), f->events.filled);
}

/* Pieces of others, which may be captured. */
FZ_FOOT fzi_unsure foot_captured(const fzi_found *f, fzi_set value)
{
    return foot_board(value, events_none(),
                      (fzi_events){set_none(), set_sub(value, f->events.filled)});
}

FZ_FOOT fzi_unsure foot_occupied(const fzi_found *f)
{
    fzi_set value = board_occupied(f->m, f->block), none = set_none();
    fzi_set free = set_sub(board_free(f->m, f->block), f->events.filled);
    return foot_board(value, (fzi_events){none, free}, (fzi_events){foot_own(f), none});
}

FZ_FOOT fzi_unsure foot_empty(const fzi_found *f)
{
    fzi_set value = board_free(f->m, f->block), none = set_none();
    return foot_board(value, (fzi_events){foot_own(f), none},
                      (fzi_events){none, set_sub(value, f->events.filled)});
}

FZ_FOOT bool foot_owned(const fzi_found *f, fzi_unsure *a, int64_t owner)
{
    if (owner < -1 || owner >= f->m->player_count)
        return false;
    fzi_set value = *board_own(f->m, f->block, owner), none = set_none();
    *a = owner != f->player ? foot_captured(f, value)
                            : foot_board(value, (fzi_events){none, foot_others(f)},
                                         (fzi_events){foot_own(f), none});
    return true;
}

/* A piece that arrives may be of the kind, or not. */
FZ_FOOT bool foot_kind(const fzi_found *f, fzi_unsure *a, int64_t kind)
{
    if ((uint64_t)kind >= f->m->kind_count)
        return false;
    fzi_set value = board_of_kind(f->m, f->block, kind), none = set_none();
    fzi_set others = foot_others(f);
    *a = foot_board(value, (fzi_events){none, set_sub(others, value)},
                    (fzi_events){set_and(foot_own(f), value), set_and(others, value)});
    return true;
}

/* Pieces of `player` of one kind stay where they are, and only a move that makes such a piece
 * (fz_quiet) adds one: prune.c sees to it. */
FZ_FOOT bool foot_pieces(fzi_found *f, fzi_unsure *a, int64_t kind, int64_t owner)
{
    if ((uint64_t)kind >= f->m->kind_count || owner < -1 || owner >= f->m->player_count)
        return false;
    fzi_set value = set_and(board_of_kind(f->m, f->block, kind), *board_own(f->m, f->block, owner));
    if (owner != f->player) {
        *a = foot_captured(f, value);
        return true;
    }
    foot_note(f, (fzi_events){value, set_none()});
    f->kinds |= FZ_QUIET_BIT(kind);
    *a = foot_sure(value);
    return true;
}

/* Only where it changes nothing: the site holds a piece of that owner. */
FZ_FOOT bool foot_phantom(fzi_found *f, int64_t site, int64_t owner)
{
    if ((uint64_t)site >= f->m->site_count || owner < -1 || owner >= f->m->player_count ||
        !set_has(board_own(f->m, f->block, owner), (uint64_t)site))
        return false;
    fzi_set one = set_one((uint64_t)site), none = set_none();
    foot_note(f, owner == f->player ? (fzi_events){one, none} : (fzi_events){none, one});
    return true;
}

/* ---- geometry ---- */

/* The result of a step or a slide from `value`, and from all that may be: `far`. Events anywhere in
 * the set that it starts from change it. */
FZ_FOOT fzi_unsure foot_reached(const fzi_unsure *from, fzi_set value, fzi_set far)
{
    return (fzi_unsure){
        .value = value,
        .comes = events_none(),
        .goes = events_none(),
        .more = set_sub(far, value),
        .grows = events_or(from->comes, from->grows),
        .shrinks = events_or(from->goes, from->shrinks),
    };
}

/* Rides from all of `from`. */
FZ_FOOT fzi_set foot_ride(const fzi_topology *t, fzi_set from, uint64_t dirs, fzi_set through,
                          int64_t most)
{
    fzi_set out = set_none();
    while (foot_any(from))
        out = set_or(out, geo_slide(t, (uint64_t)set_take(&from), dirs, through, most));
    return out;
}

/* All that such rides may reach, and perhaps more. In one direction, rides go on together: hoppers
 * may start from every site of a line. */
FZ_FOOT fzi_set foot_ride_far(const fzi_topology *t, fzi_set from, uint64_t dirs, fzi_set through,
                              int64_t most)
{
    if (dirs & (dirs - 1))
        return foot_ride(t, from, dirs, through, most);
    fzi_set out = set_none();
    while (foot_any(from)) {
        fzi_set next = geo_step(t, from, dirs);
        from = set_sub(set_and(next, through), out);
        out = set_or(out, next);
    }
    return out;
}

FZ_FOOT fzi_unsure foot_slide(const fzi_topology *t, const fzi_unsure *from,
                              const fzi_unsure *through, uint64_t dirs, int64_t most)
{
    fzi_set value = foot_ride(t, from->value, dirs, through->value, most);
    if (from->sure && through->sure)
        return foot_sure(value);
    fzi_set far = foot_ride_far(t, foot_most(from), dirs, foot_most(through), most);
    fzi_unsure out = foot_reached(from, value, far);
    fzi_events at = events_at(value);
    out.grows = events_or(out.grows, events_or(events_and(at, through->comes), through->grows));
    out.shrinks = events_or(out.shrinks, events_or(events_and(at, through->goes),
                                                   through->shrinks));
    return foot_tidy(out);
}

FZ_FOOT fzi_unsure foot_step(const fzi_topology *t, const fzi_unsure *from, uint64_t dirs)
{
    fzi_set value = geo_step(t, from->value, dirs);
    if (from->sure)
        return foot_sure(value);
    return foot_tidy(foot_reached(from, value, geo_step(t, foot_most(from), dirs)));
}

FZ_FOOT void foot_leap(fzi_found *f, const fzi_topology *t, fzi_unsure *a, fzi_unsure *from,
                       int64_t one, int64_t other)
{
    fzi_set out = set_none();
    foot_settle(f, from);
    fzi_set left = from->value;
    while (foot_any(left))
        fzi_ride(t, (int)set_take(&left), one, other, NULL, out.w);
    *a = foot_sure(out);
}

#endif
