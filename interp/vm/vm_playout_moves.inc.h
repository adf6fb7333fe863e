/* A part of vm_playout.inc.h: the moves of a choice in arrays, steps or rows, in the place of a
 * list. */
/* The words of an EMIT_SHIFTS: for each step, what it adds to a site and the sites moved from. */
static FZ_ALWAYS uint32_t playout_shifts(uint64_t *words, unsigned *steps, fzi_set from,
                                         fzi_set into, const int32_t *deltas, const uint64_t *valid)
{
    uint32_t count = 0;
    unsigned i = 0;
#pragma GCC unroll 8
    for (; i < FZ_SHAPE_STEPS && set_some(set_at(valid + i * FZ_W)); i++) {
        fzi_set movers = set_stepped_back(into, deltas[i], set_and(from, set_at(valid + i * FZ_W)));
        words[i * (1 + FZ_W)] = (uint64_t)(int64_t)deltas[i];
        set_write(words + i * (1 + FZ_W) + 1, movers);
        count += set_count(movers);
    }
    *steps = i;
    return count;
}

/* For each site moved from: its number, with the number of moves from sites before it in the upper
 * half, and the sites moved to. A row without moves stays: no branch asks for it. */
static FZ_ALWAYS uint32_t playout_write_row(uint64_t *row, uint32_t count, int64_t from, fzi_set to)
{
    row[0] = (uint64_t)from | (uint64_t)count << 32;
    set_write(row + 1, to);
    return count + set_count(to);
}

/* These two add rows, and give the number of moves in all. */
static inline uint32_t playout_rows(uint64_t *words, unsigned *rows, uint32_t count, fzi_set from,
                                    fzi_set into, const uint64_t *valid)
{
    uint64_t *row = words + *rows * (1 + FZ_W);
    *rows += set_count(from);
    while (set_some(from)) {
        int64_t site = set_take(&from);
        fzi_set to = set_and(into, set_at(valid + (uint64_t)site * FZ_W));
        count = playout_write_row(row, count, site, to);
        row += 1 + FZ_W;
    }
    return count;
}

static FZ_ALWAYS uint32_t playout_slides(uint64_t *words, unsigned *rows, uint32_t count,
                                         fzi_set from, fzi_set into, uint64_t dirs,
                                         fzi_set through)
{
    uint64_t *row = words + *rows * (1 + FZ_W);
    *rows += set_count(from);
    while (set_some(from)) {
        int64_t site = set_take(&from);
        fzi_set to = geo_ride(program.topology, (uint64_t)site, dirs, through);
        count = playout_write_row(row, count, site, set_and(into, to));
        row += 1 + FZ_W;
    }
    return count;
}

/* Rows are looked at some at a time, so behind the last there are some whose moves begin after
 * every index. */
enum { PLAYOUT_ROWS = 4 };
static FZ_ALWAYS void playout_end_rows(uint64_t *words, unsigned rows)
{
#pragma GCC unroll 4
    for (unsigned i = 0; i < PLAYOUT_ROWS - 1; i++)
        words[(rows + i) * (1 + FZ_W)] = UINT64_MAX;
}

/* The last row whose moves do not begin after the index, by counting: where a search would end is
 * for chance to say. Gives its number. */
static inline unsigned playout_row(const uint64_t *words, unsigned rows, uint32_t index,
                                   int64_t *from, int64_t *to)
{
    const uint64_t most = (uint64_t)index << 32 | UINT32_MAX;
    unsigned found = 0;
    for (unsigned i = 1; i < rows; i += PLAYOUT_ROWS)
#pragma GCC unroll 4
        for (unsigned j = i; j < i + PLAYOUT_ROWS; j++)
            found += words[j * (1 + FZ_W)] <= most;
    const uint64_t *row = words + found * (1 + FZ_W);
    *from = (uint32_t)row[0];
    *to = fzi_words_select(row + 1, index - (uint32_t)(row[0] >> 32), FZ_W);
    return found;
}

/* Takes a move out of a row. */
static inline void playout_drop_row(uint64_t *words, unsigned rows, unsigned row, int64_t to)
{
    words[row * (1 + FZ_W) + 1 + (uint64_t)to / 64] &= ~(UINT64_C(1) << to % 64);
    for (unsigned i = row + 1; i < rows; i += PLAYOUT_ROWS)
#pragma GCC unroll 4
        for (unsigned j = i; j < i + PLAYOUT_ROWS; j++)
            words[j * (1 + FZ_W)] -= UINT64_C(1) << 32;
}

/* And out of a step. */
static FZ_ALWAYS void playout_drop_step(uint64_t *words, unsigned step, int64_t from)
{
    words[step * (1 + FZ_W) + 1 + (uint64_t)from / 64] &= ~(UINT64_C(1) << from % 64);
}

/* Questions: is there such a move? */
static inline bool playout_some_rows(fzi_set from, fzi_set into, const uint64_t *valid)
{
    bool some = false;
    while (set_some(from) && !some)
        some = set_meets(into, set_at(valid + (uint64_t)set_take(&from) * FZ_W));
    return some;
}

static inline bool playout_some_slides(fzi_set from, fzi_set into, uint64_t dirs, fzi_set through)
{
    bool some = false;
    while (set_some(from) && !some)
        some = set_meets(into, geo_slide(program.topology, (uint64_t)set_take(&from), dirs, through,
                                         INT64_MAX));
    return some;
}

static inline bool playout_some_shifts(fzi_set from, fzi_set into, const int32_t *deltas,
                                       const uint64_t *valid)
{
    uint64_t words[FZ_SHAPE_STEPS * (1 + FZ_W)];
    unsigned steps;
    return playout_shifts(words, &steps, from, into, deltas, valid) > 0;
}
