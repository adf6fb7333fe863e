#include "move_list.h"

#include "interp/support/words.h"

void fzi_move_list_init(fzi_move_list *list, fzi_allocator allocator, const fz_program *program,
                   uint32_t limit, size_t *memory, size_t memory_limit)
{
    *list = (fzi_move_list){.allocator = allocator, .program = program, .limit = limit,
                       .memory = memory, .memory_limit = memory_limit};
}

void fzi_move_list_free(fzi_move_list *list)
{
    *list->memory -= list->segment_capacity * sizeof *list->segments + list->word_capacity * 8;
    FZI_RELEASE(list->allocator, list->segments, list->words);
    list->segments = NULL;
    list->words = NULL;
}

static bool grow(fzi_move_list *list, void **array, uint32_t *capacity, uint32_t needed,
                 size_t item)
{
    if (needed <= *capacity)
        return true;
    uint32_t size = *capacity ? *capacity : 32;
    while (size < needed)
        size *= 2;
    size_t more = (size - *capacity) * item;
    if (more > list->memory_limit || *list->memory > list->memory_limit - more) {
        list->over = true;
        return false;
    }
    void *grown = list->allocator.resize(list->allocator.user, *array, size * item);
    if (!grown)
        return false;
    *array = grown;
    *capacity = size;
    *list->memory += more;
    return true;
}

bool fzi_move_list_reserve(fzi_move_list *list, uint32_t words)
{
    list->full = list->over = false;
    void *segments = list->segments, *data = list->words;
    bool done = list->word_count < UINT32_MAX / 4 &&
                grow(list, &segments, &list->segment_capacity, list->segment_count + 1,
                     sizeof *list->segments);
    list->segments = segments;
    /* One word more than asked for: a segment without words has an address too. */
    done = done && grow(list, &data, &list->word_capacity, list->word_count + words + 1, 8);
    list->words = data;
    return done;
}

/* The least site of the set above `after`, -1 if none. */
static int32_t next_site(const uint64_t *set, int32_t after, unsigned words)
{
    unsigned i = (unsigned)(after + 1) / 64;
    if (i >= words)
        return -1;
    uint64_t rest = set[i] & (UINT64_MAX << ((unsigned)(after + 1) % 64));
    while (!rest) {
        if (++i >= words)
            return -1;
        rest = set[i];
    }
    return (int32_t)(i * 64) + __builtin_ctzll(rest);
}

static bool next_shift(const uint64_t *words, unsigned steps, unsigned w, fzi_cursor *cursor)
{
    int32_t from = cursor->major, best = -1;
    for (unsigned d = 0; from >= 0 && d < steps; d++) {
        const uint64_t *entry = words + d * (1 + w);
        if (!fzi_words_has(entry + 1, (unsigned)from))
            continue;
        int32_t to = from + (int32_t)entry[0];
        if (to > cursor->minor && (best < 0 || to < best))
            best = to;
    }
    if (best >= 0) {
        cursor->minor = best;
        return true;
    }
    int32_t next = -1;
    for (unsigned d = 0; d < steps; d++) {
        int32_t site = next_site(words + d * (1 + w) + 1, from, w);
        if (site >= 0 && (next < 0 || site < next))
            next = site;
    }
    if (next < 0)
        return false;
    *cursor = (fzi_cursor){cursor->segment, next, -1};
    return next_shift(words, steps, w, cursor);
}

static bool next_in_segment(const fzi_move_list *list, const fzi_segment *segment,
                            fzi_cursor *cursor)
{
    const fz_board *board = &list->program->board;
    const uint64_t *words = list->words + segment->data + segment->values;
    if (!segment->count)
        return false;
    switch (segment->kind) {
    case FZ_SEGMENT_ONE:
        cursor->major++;
        return cursor->major == 0;
    case FZ_SEGMENT_SET:
        cursor->major = next_site(words, cursor->major, board->words);
        return cursor->major >= 0;
    case FZ_SEGMENT_MASK:
        cursor->major = next_site(words, cursor->major, 1);
        return cursor->major >= 0;
    default:
        return next_shift(words, segment->steps, board->words, cursor);
    }
}

static void move_at(const fzi_move_list *list, const fzi_segment *segment, const fzi_cursor *cursor,
                    fz_move *move)
{
    unsigned n = segment->values;
    move->option = segment->option;
    for (unsigned i = 0; i < n; i++)
        move->values[i] = (int32_t)list->words[segment->data + i];
    if (segment->kind != FZ_SEGMENT_ONE)
        move->values[n++] = cursor->major;
    if (segment->kind == FZ_SEGMENT_SHIFTS)
        move->values[n++] = cursor->minor;
    move->count = (uint8_t)n;
}

bool fzi_move_list_next(const fzi_move_list *list, fzi_cursor *cursor, uint32_t end, fz_move *move)
{
    while (cursor->segment < end && cursor->segment < list->segment_count) {
        const fzi_segment *segment = &list->segments[cursor->segment];
        if (next_in_segment(list, segment, cursor)) {
            move_at(list, segment, cursor, move);
            return true;
        }
        *cursor = FZI_CURSOR_AT(cursor->segment + 1);
    }
    return false;
}

/* Takes the move out, or puts it back. */
static void change(fzi_move_list *list, const fzi_cursor *cursor, bool in)
{
    fzi_segment *segment = &list->segments[cursor->segment];
    const fz_board *board = &list->program->board;
    uint64_t *words = list->words + segment->data + segment->values;
    void (*set)(uint64_t *, unsigned) = in ? fzi_words_add : fzi_words_drop;
    if (segment->kind == FZ_SEGMENT_SET || segment->kind == FZ_SEGMENT_MASK) {
        set(words, (unsigned)cursor->major);
    } else if (segment->kind == FZ_SEGMENT_SHIFTS) {
        for (unsigned d = 0; d < segment->steps; d++) {
            uint64_t *entry = words + d * (1u + board->words);
            if (cursor->major + (int32_t)entry[0] == cursor->minor)
                set(entry + 1, (unsigned)cursor->major);
        }
    }
    segment->count += in ? 1u : UINT32_MAX;
    list->total += in ? 1u : UINT32_MAX;
}

void fzi_move_list_drop(fzi_move_list *list, const fzi_cursor *cursor)
{
    change(list, cursor, false);
}

void fzi_move_list_put_back(fzi_move_list *list, const fzi_cursor *cursor)
{
    change(list, cursor, true);
}

fzi_cursor fzi_move_list_cursor(const fzi_move_list *list, uint32_t segment, const fz_move *move)
{
    unsigned n = list->segments[segment].values;
    return (fzi_cursor){segment, n < move->count ? move->values[n] : 0,
                        n + 1 < move->count ? move->values[n + 1] : -1};
}

static bool segment_has(const fzi_move_list *list, const fzi_segment *segment, const fz_move *move)
{
    const fz_board *board = &list->program->board;
    const uint64_t *words = list->words + segment->data;
    unsigned n = segment->values;
    static const uint8_t inner[] = {0, 1, 1, 2};
    if (segment->option != move->option || !segment->count ||
        move->count != n + inner[segment->kind])
        return false;
    for (unsigned i = 0; i < n; i++)
        if ((int32_t)words[i] != move->values[i])
            return false;
    if (segment->kind == FZ_SEGMENT_ONE)
        return true;
    int32_t first = move->values[n];
    int32_t bits = segment->kind == FZ_SEGMENT_MASK ? 64 : board->site_count;
    if (first < 0 || first >= bits)
        return false;
    words += n;
    if (segment->kind != FZ_SEGMENT_SHIFTS)
        return fzi_words_has(words, (unsigned)first);
    for (unsigned d = 0; d < segment->steps; d++) {
        const uint64_t *entry = words + d * (1u + board->words);
        if (fzi_words_has(entry + 1, (unsigned)first) &&
            first + (int32_t)entry[0] == move->values[n + 1])
            return true;
    }
    return false;
}

uint32_t fzi_move_list_find(const fzi_move_list *list, const fz_move *move)
{
    for (uint32_t i = 0; i < list->segment_count; i++)
        if (segment_has(list, &list->segments[i], move))
            return i;
    return UINT32_MAX;
}

uint32_t fzi_move_list_count(const fzi_move_list *list, uint32_t first, uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t i = first; i < end; i++)
        count += list->segments[i].count;
    return count;
}
