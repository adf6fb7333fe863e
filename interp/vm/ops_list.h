/* Lists of moves: the bodies of the emitting instructions. False: see fzi_fault_list. */
#ifndef FZ_INTERP_VM_OPS_LIST_H
#define FZ_INTERP_VM_OPS_LIST_H

#include "ops_board.h"

/* A segment of the option with all its bindings (`bound`) but the last `inner` as values. */
FZ_INLINE uint64_t *list_segment(fzi_move_list *list, const fzi_loop_option *option,
                                 unsigned kind, uint32_t count, unsigned inner, uint32_t words,
                                 const int64_t *bound)
{
    unsigned values = option->bindings - inner;
    uint64_t *data = fzi_move_list_add(list, kind, option->number, count, values, values + words);
    if (!data)
        return NULL;
    for (unsigned i = 0; i < values; i++)
        data[i] = (uint64_t)bound[i];
    return data + values;
}

FZ_INLINE bool op_emit(fzi_move_list *list, const fzi_loop_option *option,
                       const int64_t *bound)
{
    return list_segment(list, option, FZ_SEGMENT_ONE, 1, 0, 0, bound) != NULL;
}

FZ_INLINE bool op_emit_set(fzi_move_list *list, const fzi_loop_option *option,
                           const int64_t *bound, fzi_set set)
{
    uint32_t count = set_count(set);
    if (!count)
        return true;
    uint64_t *data = list_segment(list, option, FZ_SEGMENT_SET, count, 1, FZ_W, bound);
    if (data)
        set_write(data, set);
    return data != NULL;
}

FZ_INLINE bool op_emit_mask(fzi_move_list *list, const fzi_loop_option *option,
                            const int64_t *bound, uint64_t mask)
{
    if (!mask)
        return true;
    uint64_t *data = list_segment(list, option, FZ_SEGMENT_MASK,
                                  (uint32_t)__builtin_popcountll(mask), 1, 1, bound);
    if (data)
        *data = mask;
    return data != NULL;
}

/* The moves from one site: its last outer binding. */
FZ_INLINE bool list_from(fzi_move_list *list, const fzi_loop_option *option,
                         const int64_t *bound, int64_t site, fzi_set set)
{
    uint32_t count = set_count(set);
    if (!count)
        return true;
    unsigned outer = option->bindings - 2u;
    uint64_t *data =
        fzi_move_list_add(list, FZ_SEGMENT_SET, option->number, count, outer + 1, outer + 1 + FZ_W);
    if (!data)
        return false;
    for (unsigned i = 0; i < outer; i++)
        data[i] = (uint64_t)bound[i];
    data[outer] = (uint64_t)site;
    set_write(data + outer + 1, set);
    return true;
}

/* `rows` has a row for every site: the caller has checked it. */
FZ_OUT_OF_LINE bool op_emit_rows(fzi_move_list *list, const fzi_loop_option *option,
                                 const int64_t *bound, const fzi_set *sites, const fzi_set *into,
                                 const uint64_t *rows)
{
    fzi_set from = *sites;
    while (set_some(from)) {
        int64_t site = set_take(&from);
        fzi_set to = set_and(*into, set_at(rows + (uint64_t)site * FZ_W));
        if (!list_from(list, option, bound, site, to))
            return false;
    }
    return true;
}

FZ_OUT_OF_LINE bool op_emit_slides(fzi_move_list *list, const fzi_loop_option *option,
                                   const int64_t *bound, const fzi_topology *t,
                                   const fzi_set *sites, const fzi_set *into, uint64_t dirs,
                                   const fzi_set *through)
{
    fzi_set from = *sites;
    while (set_some(from)) {
        int64_t site = set_take(&from);
        fzi_set to = set_and(*into, geo_slide(t, (uint64_t)site, dirs, *through, INT64_MAX));
        if (!list_from(list, option, bound, site, to))
            return false;
    }
    return true;
}

/* Room for all steps of a shape in the last segment; its entries. NULL: memory is short. */
FZ_INLINE uint64_t *list_entries(fzi_move_list *list)
{
    enum { MAX_WORDS_ADDED = FZ_SHAPE_STEPS * (1 + FZ_W) };
    if (__builtin_expect(list->word_count + MAX_WORDS_ADDED > list->word_capacity, 0) &&
        !fzi_move_list_reserve(list, MAX_WORDS_ADDED))
        return NULL;
    const fzi_segment *segment = &list->segments[list->segment_count - 1];
    return list->words + segment->data + segment->values;
}

/* Puts a step among the entries that are there, after what is less, or unites it with its
 * equal. Where the entries end then, NULL if there are too many; `added` grows by the moves that
 * are new. */
FZ_INLINE uint64_t *list_insert_step(uint64_t *entries, uint64_t *end, int64_t delta,
                                     fzi_set movers, uint32_t *added)
{
    uint64_t *entry = end;
    while (entry > entries && (int64_t)entry[-(1 + FZ_W)] >= delta)
        entry -= 1 + FZ_W;
    if (entry < end && (int64_t)*entry == delta) {
        movers = set_sub(movers, set_at(entry + 1));
        *added += set_count(movers);
        set_write(entry + 1, set_or(movers, set_at(entry + 1)));
        return end;
    }
    if (end - entries == FZ_MAX_STEPS * (1 + FZ_W))
        return NULL;
    *added += set_count(movers);
    for (uint64_t *word = end; word > entry; word--)
        word[FZ_W] = word[-1];
    *entry = (uint64_t)delta;
    set_write(entry + 1, movers);
    return end + 1 + FZ_W;
}

/* `deltas`, `valid`: a shape. `kept`: the segment is there even when it is empty, for an
 * ALSO_SHIFTS. */
FZ_OUT_OF_LINE bool op_emit_shifts(fzi_move_list *list, const fzi_loop_option *option,
                                   const int64_t *bound, const fzi_set *from, const fzi_set *into,
                                   const int32_t *deltas, const uint64_t *valid, bool kept)
{
    enum { MAX_WORDS_ADDED = FZ_SHAPE_STEPS * (1 + FZ_W) };
    unsigned values = option->bindings - 2u;
    if (__builtin_expect(list->segment_count == list->segment_capacity ||
                             list->word_count + values + MAX_WORDS_ADDED > list->word_capacity,
                         0) &&
        !fzi_move_list_reserve(list, values + MAX_WORDS_ADDED))
        return false;
    uint64_t *begin = list->words + list->word_count, *end = begin + values;
    uint32_t count = 0;
    for (unsigned i = 0; i < FZ_SHAPE_STEPS; i++, valid += FZ_W) {
        fzi_set can = set_at(valid);
        if (!set_some(can))
            break;
        fzi_set movers = set_stepped_back(*into, deltas[i], set_and(*from, can));
        uint32_t added = set_count(movers);
        *end = (uint64_t)(int64_t)deltas[i];
        set_write(end + 1, movers);
        end += added ? 1 + FZ_W : 0;
        count += added;
    }
    if (!count && !kept)
        return true;
    if (!fzi_move_list_has_room(list, count))
        return false;
    for (unsigned i = 0; i < values; i++)
        begin[i] = (uint64_t)bound[i];
    uint32_t words = (uint32_t)(end - begin);
    list->segments[list->segment_count++] =
        (fzi_segment){option->number, count, list->word_count, FZ_SEGMENT_SHIFTS, (uint8_t)values,
                      (uint8_t)((words - values) / (1 + FZ_W)), 0};
    list->word_count += words;
    list->total += count;
    return true;
}

/* Into the steps before `end`, those of a shape: the new end, or NULL if there are too many. */
static inline uint64_t *list_insert_steps(uint64_t *entries, uint64_t *end, const fzi_set *from,
                                          const fzi_set *into, const int32_t *deltas,
                                          const uint64_t *valid, uint32_t *count)
{
    for (unsigned i = 0; i < FZ_SHAPE_STEPS && end; i++, valid += FZ_W) {
        fzi_set can = set_at(valid);
        if (!set_some(can))
            break;
        fzi_set movers = set_stepped_back(*into, deltas[i], set_and(*from, can));
        if (set_some(movers))
            end = list_insert_step(entries, end, deltas[i], movers, count);
    }
    return end;
}

/* Into the segment that the EMIT_SHIFTS or ALSO_SHIFTS just before has made. */
FZ_OUT_OF_LINE bool op_also_shifts(fzi_move_list *list, const fzi_loop_option *option,
                                   const int64_t *bound, const fzi_set *from, const fzi_set *into,
                                   const int32_t *deltas, const uint64_t *valid)
{
    const fzi_segment *last = list->segment_count ? &list->segments[list->segment_count - 1] : NULL;
    if (!last || last->kind != FZ_SEGMENT_SHIFTS || last->option != option->number)
        return op_emit_shifts(list, option, bound, from, into, deltas, valid, true);
    if (!set_some(*from))
        return true;
    uint64_t *entries = list_entries(list);
    if (!entries)
        return false;
    fzi_segment *segment = &list->segments[list->segment_count - 1];
    uint64_t *end = entries + segment->steps * (1 + FZ_W);
    uint32_t added = 0;
    end = list_insert_steps(entries, end, from, into, deltas, valid, &added);
    if (!end) {
        list->full = true;
        return false;
    }
    if (!fzi_move_list_has_room(list, added))
        return false;
    segment->count += added;
    list->total += added;
    list->word_count += (uint32_t)(end - entries) - segment->steps * (1 + FZ_W);
    segment->steps = (uint8_t)((end - entries) / (1 + FZ_W));
    return true;
}

#ifndef FZ_NATIVE
/* ---- drawn moves ---- */

/* Writes the bindings of the k-th move of the list into their registers; its option. */
FZ_OUT_OF_LINE const fzi_loop_option *op_take_move(const fzi_loop_option *options,
                                                   const fzi_move_list *list, uint32_t k,
                                                   int64_t *registers)
{
    const fzi_segment *segment = list->segments;
    while (k >= segment->count)
        k -= segment++->count;
    const fzi_loop_option *option = &options[segment->option];
    const uint64_t *words = list->words + segment->data;
    int64_t *bound = registers + option->first;
    for (unsigned n = segment->values; n; n--)
        *bound++ = (int32_t)*words++;
    if (segment->kind == FZ_SEGMENT_SET) {
        *bound = fzi_words_select(words, k, FZ_W);
    } else if (segment->kind == FZ_SEGMENT_SHIFTS) {
        int32_t from, to;
        fzi_shifts_select(words, segment->steps, segment->count, k, FZ_W, &from, &to);
        bound[0] = from;
        bound[1] = to;
    } else if (segment->kind == FZ_SEGMENT_MASK) {
        *bound = fzi_bit_select(*words, k);
    }
    return option;
}

/* Adds the steps of an EMIT_SHIFTS or ALSO_SHIFTS to those of the machine, as a segment has them.
 * False: there are too many, and their count is UINT32_MAX, or an operand is wrong. */
FZ_OUT_OF_LINE bool op_more_steps(fz_machine *m, const fz_code *code, const int64_t *I,
                                  const fzi_set *S)
{
    const fzi_set_rows *t = &m->set_rows[code[3]];
    uint64_t c = (uint64_t)I[FZ_CODE_C(*code)];
    if (c >= t->count || c * FZ_SHAPE_STEPS >= t->count)
        return c == UINT64_MAX;
    const int32_t *deltas = m->int_rows[code[2]].at + c * FZ_SHAPE_STEPS;
    const uint64_t *valid = t->at + c * FZ_SHAPE_STEPS * FZ_W;
    const fzi_set *from = &S[FZ_CODE_A(*code)], *into = &S[FZ_CODE_B(*code)];
    uint64_t *end = m->steps + m->step_words;
    uint32_t count = m->step_moves;
    end = list_insert_steps(m->steps, end, from, into, deltas, valid, &count);
    bool full = !end || count > m->limits.moves;
    m->step_words = full ? 0 : (uint32_t)(end - m->steps);
    m->step_moves = full ? UINT32_MAX : count;
    return !full;
}

/* Draws one of the machine's steps, and binds it. */
FZ_OUT_OF_LINE void op_draw_step(const fz_machine *m, uint8_t *block, int64_t *bound)
{
    fzi_head *head = (fzi_head *)(void *)block;
    int32_t from, to;
    uint32_t k = fzi_chance_below(head->key, &head->counter, m->step_moves);
    fzi_shifts_select(m->steps, m->step_words / (1 + FZ_W), m->step_moves, k, FZ_W, &from, &to);
    bound[0] = from;
    bound[1] = to;
}
#endif

#endif
