/* Stores positions of a graph, a few bytes each. See solve.h. */
#include "solve.h"

static const uint32_t NONE = UINT32_MAX;

#define RESERVE(s, array, room, count)                                                            \
    fzi_array_grow((s)->allocator, (s)->memory, (s)->most, (void **)&(s)->array, &(s)->room,      \
                   count, sizeof *(s)->array)

void fzi_store_init(fzi_store *s, fzi_allocator allocator, size_t *memory, size_t most)
{
    *s = (fzi_store){.allocator = allocator, .memory = memory, .most = most};
}

void fzi_store_clear(fzi_store *s)
{
    for (size_t i = 0; i < s->page_count; i++)
        fzi_release(s->allocator, s->pages[i]);
    if (s->memory)
        FZI_RELEASE(s->allocator, s->first, s->mask, s->runs, s->pages, s->slots, s->code, s->row);
    *s = (fzi_store){.allocator = s->allocator};
}

/* ---- memory that does not grow ---- */

static void *take(const fzi_store *s, size_t size, fz_status *status)
{
    void *block = *s->memory + size <= s->most ? fzi_allocate_zeroed(s->allocator, size) : NULL;

    *status = block ? FZ_OK : *s->memory + size <= s->most ? FZ_NO_MEMORY : FZ_RUNTIME;
    *s->memory += block ? size : 0;
    return block;
}

static void give_back(const fzi_store *s, void *block, size_t size)
{
    *s->memory -= block ? size : 0;
    fzi_release(s->allocator, block);
}

static size_t page_size(uint32_t code_bytes)
{
    return (size_t)FZ_STORE_PAGE * code_bytes;
}

static uint8_t *code_of(const fzi_store *s, uint32_t number)
{
    return s->pages[number / FZ_STORE_PAGE] + (size_t)(number % FZ_STORE_PAGE) * s->code_bytes;
}

/* ---- rows and codes ---- */

/* The stored bits of a row, without gaps, in s->code. */
static void pack(fzi_store *s, const uint64_t *row)
{
    uint64_t *code = s->code;
    uint32_t at = 0, filled = 0;
    uint64_t word = 0;

    for (size_t i = 0; i < s->run_count; i++) {
        const fzi_bit_run *r = &s->runs[i];
        uint64_t bits = (row[r->word] ^ s->first[r->word]) >> r->shift;
        if (r->length < 64)
            bits &= (UINT64_C(1) << r->length) - 1;
        word |= bits << filled;
        filled += r->length;
        if (filled < 64)
            continue;
        code[at++] = word;
        filled -= 64;
        word = filled ? bits >> (r->length - filled) : 0;
    }
    code[at] = word;
}

/* `code`: room for the words of a code. */
static void unpack(const fzi_store *s, const uint8_t *stored, uint64_t *code, uint64_t *row)
{
    uint32_t at = 0, used = 0;

    code[s->code_bytes / 8] = 0;
    memcpy(code, stored, s->code_bytes);
    memcpy(row, s->first, s->words * sizeof *row);
    for (size_t i = 0; i < s->run_count; i++) {
        const fzi_bit_run *r = &s->runs[i];
        uint64_t bits = code[at] >> used;
        if (used + r->length > 64)
            bits |= code[at + 1] << (64 - used);
        if (r->length < 64)
            bits &= (UINT64_C(1) << r->length) - 1;
        row[r->word] ^= bits << r->shift;
        used += r->length;
        at += used >= 64;
        used %= 64;
    }
}

static uint64_t hash_of(const uint8_t *code, uint32_t bytes)
{
    fzi_position_key key = {1, 2};
    uint64_t word = 0;

    for (; bytes > 8; bytes -= 8, code += 8) {
        memcpy(&word, code, 8);
        fzi_key_mix(&key, word);
    }
    word = 0;
    memcpy(&word, code, bytes);
    fzi_key_mix(&key, word);
    return key.place;
}

/* The number in a slot, above which there are bits of the hash. NONE: it is free. */
static uint32_t number_in(const fzi_store *s, uint32_t slot)
{
    return (slot & (uint32_t)(s->slot_count - 1)) - 1;
}

/* The slot of the code, or the free one where it would stand, and the bits of the hash for it. They
 * tell most codes apart without a look at them, which is far away in memory. */
static uint32_t *slot_of(const fzi_store *s, const void *code, uint32_t *bits)
{
    uint64_t hash = hash_of(code, s->code_bytes);
    uint32_t mask = (uint32_t)(s->slot_count - 1);
    size_t at = hash & mask;

    *bits = (uint32_t)(hash >> 32) & ~mask;
    while (s->slots[at] && ((s->slots[at] & ~mask) != *bits ||
                            memcmp(code_of(s, number_in(s, s->slots[at])), code, s->code_bytes)))
        at = (at + 1) & mask;
    return &s->slots[at];
}

static void put_in_slot(fzi_store *s, uint32_t number, const void *code)
{
    uint32_t bits, *slot = slot_of(s, code, &bits);

    *slot = (number + 1) | bits;
}

static void fill_slots(fzi_store *s)
{
    memset(s->slots, 0, s->slot_count * sizeof *s->slots);
    for (uint32_t i = 0; i < s->count; i++)
        put_in_slot(s, i, code_of(s, i));
}

/* At most three of four slots are taken. The old ones are not needed to fill the new ones. */
static fz_status grow_slots(fzi_store *s)
{
    size_t count = s->slot_count ? 2 * s->slot_count : 1024;
    fz_status status;

    if ((s->count + 1) / 3 < s->slot_count / 4)
        return FZ_OK;
    give_back(s, s->slots, s->slot_count * sizeof *s->slots);
    s->slots = take(s, count * sizeof *s->slots, &status);
    s->slot_count = s->slots ? count : 0;
    if (s->slots)
        fill_slots(s);
    return status;
}

/* ---- more bits ---- */

static fz_status list_runs(fzi_store *s)
{
    uint32_t bits = 0;

    s->run_count = 0;
    for (uint32_t w = 0; w < s->words; w++) {
        for (unsigned shift = 0; shift < 64;) {
            uint64_t left = s->mask[w] >> shift;
            if (!left)
                break;
            shift += (unsigned)__builtin_ctzll(left);
            uint64_t ones = ~(s->mask[w] >> shift);
            unsigned length = ones ? (unsigned)__builtin_ctzll(ones) : 64;
            length = length > 64 - shift ? 64 - shift : length;
            fz_status status = RESERVE(s, runs, run_room, s->run_count + 1);
            if (status != FZ_OK)
                return status;
            s->runs[s->run_count++] = (fzi_bit_run){w, (uint8_t)shift, (uint8_t)length};
            bits += length;
            shift += length;
        }
    }
    s->code_bytes = bits ? (bits + 7) / 8 : 1;
    return RESERVE(s, code, code_room, s->code_bytes / 8 + 2);
}

/* Stores the codes of a page anew; `before` unpacks them. */
static fz_status convert_page(fzi_store *s, const fzi_store *before, size_t page)
{
    uint8_t *old = s->pages[page];
    uint32_t rows = s->count - (uint32_t)page * FZ_STORE_PAGE;
    fz_status status;
    uint8_t *new = take(s, page_size(s->code_bytes), &status);

    if (!new)
        return status;
    for (uint32_t i = 0; i < rows && i < FZ_STORE_PAGE; i++) {
        unpack(before, old + (size_t)i * before->code_bytes, s->code, s->row);
        pack(s, s->row);
        memcpy(new + (size_t)i * s->code_bytes, s->code, s->code_bytes);
    }
    s->pages[page] = new;
    give_back(s, old, page_size(before->code_bytes));
    return FZ_OK;
}

/* Room for longer rows. Those that are stored end with zeros. */
static fz_status lengthen(fzi_store *s, uint32_t words)
{
    fz_status status = RESERVE(s, first, first_room, words);

    if (status == FZ_OK)
        status = RESERVE(s, mask, mask_room, words);
    if (status == FZ_OK)
        status = RESERVE(s, row, row_room, words);
    for (; status == FZ_OK && s->words < words; s->words++)
        s->first[s->words] = s->mask[s->words] = 0;
    return status;
}

/* Stores the bits in which the row differs from the first one. */
static fz_status widen(fzi_store *s, const uint64_t *row, uint32_t words)
{
    fzi_store before = *s;
    fz_status status = words > s->words ? lengthen(s, words) : FZ_OK;

    if (status != FZ_OK)
        return status;
    before.runs = NULL;
    before.run_room = 0;
    before.words = s->words;
    before.first = s->first;
    status = RESERVE(&before, runs, run_room, s->run_count + 1);
    if (status == FZ_OK && s->run_count)
        memcpy(before.runs, s->runs, s->run_count * sizeof *s->runs);
    for (uint32_t w = 0; w < s->words; w++)
        s->mask[w] |= (w < words ? row[w] : 0) ^ s->first[w];
    if (status == FZ_OK)
        status = list_runs(s);
    for (size_t i = 0; i < s->page_count && status == FZ_OK; i++)
        status = convert_page(s, &before, i);
    if (status == FZ_OK && s->slots)
        fill_slots(s);
    give_back(s, before.runs, before.run_room * sizeof *before.runs);
    return status;
}

/* ---- rows ---- */

/* Does the row differ from the first one only in bits that are stored? */
static bool fits(const fzi_store *s, const uint64_t *row, uint32_t words)
{
    uint64_t beyond = 0;

    for (uint32_t w = 0; w < s->words; w++)
        beyond |= ((w < words ? row[w] : 0) ^ s->first[w]) & ~s->mask[w];
    return words <= s->words && !beyond;
}

/* The row with zeros at its end. */
static const uint64_t *whole(fzi_store *s, const uint64_t *row, uint32_t words)
{
    if (words == s->words)
        return row;
    memcpy(s->row, row, words * sizeof *row);
    memset(s->row + words, 0, (s->words - words) * sizeof *row);
    return s->row;
}

uint32_t fzi_store_find(fzi_store *s, const uint64_t *row, uint32_t words)
{
    uint32_t bits;

    if (!s->count || !fits(s, row, words))
        return NONE;
    pack(s, whole(s, row, words));
    return number_in(s, *slot_of(s, s->code, &bits));
}

static fz_status begin(fzi_store *s, const uint64_t *row, uint32_t words)
{
    fz_status status = lengthen(s, words);

    if (status == FZ_OK)
        memcpy(s->first, row, words * sizeof *row);
    return status == FZ_OK ? list_runs(s) : status;
}

/* Stores the code, which stands in s->code, with the next number. */
static fz_status append(fzi_store *s)
{
    fz_status status = grow_slots(s);

    if (status == FZ_OK && s->count == s->page_count * FZ_STORE_PAGE) {
        status = RESERVE(s, pages, page_room, s->page_count + 1);
        if (status == FZ_OK)
            s->pages[s->page_count] = take(s, page_size(s->code_bytes), &status);
        s->page_count += status == FZ_OK;
    }
    if (status != FZ_OK)
        return status;
    memcpy(code_of(s, s->count), s->code, s->code_bytes);
    put_in_slot(s, s->count, s->code);
    s->count++;
    return FZ_OK;
}

fz_status fzi_store_add(fzi_store *s, const uint64_t *row, uint32_t words, uint32_t *number)
{
    fz_status status = FZ_OK;

    *number = s->count;
    if (!s->words)
        status = begin(s, row, words);
    else if (!fits(s, row, words))
        status = widen(s, row, words);
    if (status != FZ_OK)
        return status;
    pack(s, whole(s, row, words));
    uint32_t bits, found = s->slot_count ? number_in(s, *slot_of(s, s->code, &bits)) : NONE;
    if (found == NONE)
        return append(s);
    *number = found;
    return FZ_OK;
}

void fzi_store_get(fzi_store *s, uint32_t number, uint64_t *row)
{
    unpack(s, code_of(s, number), s->code, row);
}
