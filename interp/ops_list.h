/* Lists of moves: the bodies of the emitting instructions. False: see fzi_fault_list. */
#ifndef FZ_INTERP_OPS_LIST_H
#define FZ_INTERP_OPS_LIST_H

#include "ops_board.h"

/* A segment of the option with all its bindings (`bound`) but the last `inner` as values. */
FZ_INLINE uint64_t *list_segment(fzi_list *list, const fz_option_info *option, uint32_t number,
                                 unsigned kind, uint32_t count, unsigned inner, uint32_t words,
                                 const int64_t *bound)
{
    unsigned values = option->bindings - inner;
    uint64_t *data = fzi_list_add(list, kind, number, count, values, values + words);
    if (!data)
        return NULL;
    for (unsigned i = 0; i < values; i++)
        data[i] = (uint64_t)bound[i];
    return data + values;
}

FZ_INLINE bool op_emit(fzi_list *list, const fz_option_info *option, uint32_t number,
                       const int64_t *bound)
{
    return list_segment(list, option, number, FZ_SEGMENT_ONE, 1, 0, 0, bound) != NULL;
}

FZ_INLINE bool op_emit_set(fzi_list *list, const fz_option_info *option, uint32_t number,
                           const int64_t *bound, fzi_set set)
{
    uint32_t count = set_count(set);
    if (!count)
        return true;
    uint64_t *data = list_segment(list, option, number, FZ_SEGMENT_SET, count, 1, FZ_W, bound);
    if (data)
        set_write(data, set);
    return data != NULL;
}

FZ_INLINE bool op_emit_mask(fzi_list *list, const fz_option_info *option, uint32_t number,
                            const int64_t *bound, uint64_t mask)
{
    if (!mask)
        return true;
    uint64_t *data = list_segment(list, option, number, FZ_SEGMENT_MASK,
                                  (uint32_t)__builtin_popcountll(mask), 1, 1, bound);
    if (data)
        *data = mask;
    return data != NULL;
}

/* The moves from one site: its last outer binding. */
FZ_INLINE bool list_from(fzi_list *list, const fz_option_info *option, uint32_t number,
                         const int64_t *bound, int64_t site, fzi_set set)
{
    uint32_t count = set_count(set);
    if (!count)
        return true;
    unsigned outer = option->bindings - 2u;
    uint64_t *data = fzi_list_add(list, FZ_SEGMENT_SET, number, count, outer + 1, outer + 1 + FZ_W);
    if (!data)
        return false;
    for (unsigned i = 0; i < outer; i++)
        data[i] = (uint64_t)bound[i];
    data[outer] = (uint64_t)site;
    set_write(data + outer + 1, set);
    return true;
}

/* `rows` has a row for every site: the caller has checked it. */
FZ_INLINE bool op_emit_rows(fzi_list *list, const fz_option_info *option, uint32_t number,
                            const int64_t *bound, fzi_set from, fzi_set into, const uint64_t *rows)
{
    while (set_some(from)) {
        int64_t site = set_take(&from);
        fzi_set to = set_and(into, set_at(rows + (uint64_t)site * FZ_W));
        if (!list_from(list, option, number, bound, site, to))
            return false;
    }
    return true;
}

FZ_INLINE bool op_emit_slides(fzi_list *list, const fz_option_info *option, uint32_t number,
                              const int64_t *bound, const fzi_topology *t, fzi_set from,
                              fzi_set into, uint64_t dirs, fzi_set through)
{
    while (set_some(from)) {
        int64_t site = set_take(&from);
        fzi_set to = set_and(into, geo_slide(t, (uint64_t)site, dirs, through, INT64_MAX));
        if (!list_from(list, option, number, bound, site, to))
            return false;
    }
    return true;
}

/* Adds steps that add `delta` to the last segment, which is one of shifts. */
FZ_INLINE bool list_shift(fzi_list *list, int64_t delta, fzi_set from)
{
    fzi_segment *segment = &list->segments[list->segment_count - 1];
    uint64_t *entries = list->words + segment->data + segment->values;
    unsigned e = 0;
    while (e < segment->steps && (int64_t)entries[e * (1 + FZ_W)] != delta)
        e++;
    if (e < segment->steps)
        from = set_sub(from, set_at(entries + e * (1 + FZ_W) + 1));
    uint32_t count = set_count(from);
    if (!count)
        return true;
    if (count > list->limit - list->total || segment->steps == FZ_MAX_STEPS) {
        list->full = true;
        return false;
    }
    if (e == segment->steps) {
        if (list->word_count + 1 + FZ_W > list->word_capacity) {
            if (!fzi_list_reserve(list, 1 + FZ_W))
                return false;
            segment = &list->segments[list->segment_count - 1];
            entries = list->words + segment->data + segment->values;
        }
        list->word_count += 1 + FZ_W;
        entries[e * (1 + FZ_W)] = (uint64_t)delta;
        set_write(entries + e * (1 + FZ_W) + 1, from);
        segment->steps++;
    } else {
        set_write(entries + e * (1 + FZ_W) + 1,
                  set_or(from, set_at(entries + e * (1 + FZ_W) + 1)));
    }
    segment->count += count;
    list->total += count;
    return true;
}

/* `deltas`, `valid`: a shape. `also`: into the segment just before, if it is one of these. The
 * segment is there even when it is empty, so that ALSO_SHIFTS finds its own. */
FZ_INLINE bool op_emit_shifts(fzi_list *list, const fz_option_info *option, uint32_t number,
                              const int64_t *bound, fzi_set from, fzi_set into,
                              const int32_t *deltas, const uint64_t *valid, bool also)
{
    const fzi_segment *last = list->segment_count ? &list->segments[list->segment_count - 1] : NULL;
    if (!also || !last || last->kind != FZ_SEGMENT_SHIFTS || last->option != number)
        if (!list_segment(list, option, number, FZ_SEGMENT_SHIFTS, 0, 2, 0, bound))
            return false;
    for (unsigned i = 0; i < FZ_SHAPE_STEPS; i++) {
        fzi_set can = set_at(valid + i * FZ_W);
        if (!set_some(can))
            break;
        fzi_set movers = set_and(set_and(from, can), set_moved(into, -deltas[i]));
        if (!list_shift(list, deltas[i], movers))
            return false;
    }
    return true;
}

#endif
