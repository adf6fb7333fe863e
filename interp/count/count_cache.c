#include "counting.h"

enum { WAYS = 4 }; /* entries of a line of the cache */

/* Written without locks: a cell of which one half comes from another thread fits no key. */
typedef struct cell {
    uint64_t mixed;       /* the key's check ^ number */
    uint64_t number;      /* 0: free */
} cell;

struct fzi_counted {
    fzi_allocator allocator;
    void *memory;
    cell *lines;          /* aligned; WAYS to a line */
    uint64_t mask;        /* of the number of a line */
};

fzi_counted *fzi_counted_new(fzi_allocator allocator, size_t bytes)
{
    enum { LINE = WAYS * sizeof(cell) };
    size_t size = LINE;
    while (size <= bytes / 2)
        size *= 2;
    fzi_counted *c = fzi_allocate(allocator, sizeof *c);
    void *memory = c ? fzi_allocate_zeroed(allocator, size + LINE) : NULL;
    if (!memory) {
        fzi_release(allocator, c);
        return NULL;
    }
    uintptr_t at = ((uintptr_t)memory + LINE - 1) / LINE * LINE;
    *c = (fzi_counted){.allocator = allocator, .memory = memory, .lines = (cell *)at,
                       .mask = size / LINE - 1};
    return c;
}

void fzi_counted_free(fzi_counted *c)
{
    if (!c)
        return;
    FZI_RELEASE(c->allocator, c->memory, c);
}

void fzi_key_mix(fzi_position_key *key, uint64_t word)
{
    key->place = (key->place ^ word) * UINT64_C(0xd6e8feb86659fd93);
    key->place ^= key->place >> 32;
    key->check = (key->check + word) * UINT64_C(0x9fb21c651e98df25);
    key->check ^= key->check >> 29;
}

/* The board and all variables lie together, in whole words; what follows them is the stack. */
fzi_position_key fzi_position_key_of(const fz_state *state, uint64_t turns)
{
    const fz_layout *l = state->layout;
    const fzi_head *head = fzi_head_of(state);
    fzi_position_key key = {turns, ~turns};
    for (uint32_t at = l->own; at < l->frames; at += 8) {
        uint64_t word;
        memcpy(&word, state->block + at, 8);
        fzi_key_mix(&key, word);
    }
    fzi_key_mix(&key, (uint64_t)(uint8_t)fzi_state_next_mover(state) |
                          (uint64_t)(uint8_t)head->next_mover << 8 | (uint64_t)head->out << 16);
    if (state->program->reads_last)
        fzi_key_mix(&key, (uint64_t)(uint16_t)head->last_from |
                              (uint64_t)(uint16_t)head->last_to << 16);
    fzi_key_mix(&key, turns);
    return key;
}

/* `callee`: the frame that this one waits for, which will write a register; NULL. */
static void mix_frame(fzi_position_key *key, const fz_program *p, const uint64_t *frame,
                      uint32_t pc, const fzi_live *live, const uint64_t *callee)
{
    const fz_function *f = &p->functions[(uint32_t)frame[0]];
    const uint64_t *ints = frame + FZ_FRAME_HEADER, *sets = ints + f->ints;
    unsigned words = p->board.words, result = callee ? (unsigned)(callee[1] >> 32 & 0xff) : 0;
    unsigned sort = callee ? p->functions[(uint32_t)callee[0]].result : 0;

    fzi_key_mix(key, (uint32_t)frame[0] | (uint64_t)pc << 32);
    for (unsigned r = 0; r < f->ints; r++)
        if (fzi_live_int(live, r) && !(sort == 1 && r == result))
            fzi_key_mix(key, ints[r]);
    for (unsigned r = 0; r < f->sets; r++)
        for (unsigned w = 0; fzi_live_set(live, r) && !(sort == 2 && r == result) && w < words; w++)
            fzi_key_mix(key, sets[r * words + w]);
}

void fzi_key_mix_frames(fzi_position_key *key, const fz_state *state, const fzi_live *live,
                        const fzi_live *top)
{
    const fzi_head *head = fzi_head_of(state);
    const uint64_t *stack = fzi_frames_of(state), *callee = NULL;
    uint32_t at = head->frame, pc = head->pc;

    for (unsigned depth = 0; head->top && depth <= head->depth; depth++) {
        const uint64_t *frame = stack + at;
        mix_frame(key, state->program, frame, pc, (depth ? live : top) + pc, callee);
        if (at == 0)
            break;
        callee = frame;
        at = (uint32_t)frame[1];
        pc = (uint32_t)(stack[at] >> 32);
    }
    for (unsigned i = 0; i < head->pendings; i++) {
        const fzi_pending *pending = fzi_pending_at(state, i);
        fzi_key_mix(key, pending->frame | (uint64_t)pending->filter << 32);
    }
}

static cell *line_of(const fzi_counted *c, fzi_position_key key)
{
    return c->lines + (key.place & c->mask) * WAYS;
}

bool fzi_counted_find(const fzi_counted *c, fzi_position_key key, uint64_t *number)
{
    const cell *line = line_of(c, key);
    for (unsigned i = 0; i < WAYS; i++) {
        uint64_t found = __atomic_load_n(&line[i].number, __ATOMIC_RELAXED);
        if (found && (__atomic_load_n(&line[i].mixed, __ATOMIC_RELAXED) ^ found) == key.check) {
            *number = found;
            return true;
        }
    }
    return false;
}

void fzi_counted_note(fzi_counted *c, fzi_position_key key, uint64_t number)
{
    cell *line = line_of(c, key), *least = line;
    for (unsigned i = 1; i < WAYS; i++)
        if (__atomic_load_n(&line[i].number, __ATOMIC_RELAXED) <
            __atomic_load_n(&least->number, __ATOMIC_RELAXED))
            least = &line[i];
    __atomic_store_n(&least->number, number, __ATOMIC_RELAXED);
    __atomic_store_n(&least->mixed, key.check ^ number, __ATOMIC_RELAXED);
}

/* ---- numbers of keys ---- */

static uint32_t *slot_of(const fzi_keys *keys, fzi_position_key key)
{
    size_t mask = keys->slot_count - 1, at = key.place & mask;
    while (keys->slots[at] && (keys->items[keys->slots[at] - 1].place != key.place ||
                               keys->items[keys->slots[at] - 1].check != key.check))
        at = (at + 1) & mask;
    return &keys->slots[at];
}

uint32_t fzi_keys_find(const fzi_keys *keys, fzi_position_key key)
{
    return keys->slot_count ? *slot_of(keys, key) - 1 : UINT32_MAX;
}

fz_status fzi_keys_add(fzi_keys *keys, fzi_position_key key, fzi_allocator allocator,
                       size_t *memory, size_t most)
{
    fz_status status = fzi_array_grow(allocator, memory, most, (void **)&keys->items, &keys->room,
                                      keys->count + 1, sizeof *keys->items);
    if (status == FZ_OK && 2 * keys->count >= keys->slot_count) {
        size_t count = keys->slot_count ? 2 * keys->slot_count : 256;
        status = fzi_array_grow(allocator, memory, most, (void **)&keys->slots, &keys->slot_room,
                                count, sizeof *keys->slots);
        if (status != FZ_OK)
            return status;
        keys->slot_count = count;
        memset(keys->slots, 0, count * sizeof *keys->slots);
        for (size_t i = 0; i < keys->count; i++)
            *slot_of(keys, keys->items[i]) = (uint32_t)i + 1;
    }
    if (status != FZ_OK)
        return status;
    *slot_of(keys, key) = (uint32_t)keys->count + 1;
    keys->items[keys->count++] = key;
    return FZ_OK;
}

void fzi_keys_forget(fzi_keys *keys)
{
    keys->count = 0;
    if (keys->slots)
        memset(keys->slots, 0, keys->slot_count * sizeof *keys->slots);
}

void fzi_keys_clear(fzi_keys *keys, fzi_allocator allocator)
{
    FZI_RELEASE(allocator, keys->items, keys->slots);
    *keys = (fzi_keys){0};
}
