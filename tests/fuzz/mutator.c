/* A mutator for texts with a structure, for libFuzzer: it moves, repeats, removes and exchanges
 * statements, blocks in brackets and words, so that many results still parse, and puts numbers at
 * the ends of their ranges. Every second input is left to libFuzzer's own mutations of bytes. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

/* libFuzzer's own; other engines have none. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

static const char *const numbers[] = {
    "0", "1", "-1", "2", "63", "64", "65", "255", "256", "1024", "32767", "65535", "65536",
    "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "9223372036854775807",
    "9223372036854775808", "99999999999999999999"};

/* A part of a text. */
typedef struct span {
    size_t start, end;
} span;

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static bool is_of_word(uint8_t c)
{
    return isalnum(c) || c == '_' || c >= 128;
}

/* The word or sign at a random place. */
static span some_word(const uint8_t *data, size_t size, unsigned *random)
{
    size_t at = next_random(random) % size;
    span s = {at, at + 1};

    while (is_of_word(data[at]) && s.start > 0 && is_of_word(data[s.start - 1]))
        s.start--;
    while (is_of_word(data[at]) && s.end < size && is_of_word(data[s.end]))
        s.end++;
    return s;
}

/* From an opening bracket to the one that closes it. */
static size_t end_of_block(const uint8_t *data, size_t size, size_t at)
{
    unsigned depth = 0;

    for (; at < size; at++) {
        depth += strchr("([{", data[at]) && data[at];
        if (strchr(")]}", data[at]) && data[at] && --depth == 0)
            return at + 1;
    }
    return size;
}

/* From behind a semicolon, a brace or a line to the next, with the blocks between. */
static span some_statement(const uint8_t *data, size_t size, unsigned *random)
{
    size_t at = next_random(random) % size;
    span s;

    while (at > 0 && !strchr(";{}\n", data[at - 1]))
        at--;
    s.start = at;
    while (at < size && !strchr(";}\n", data[at]))
        at = strchr("([{", data[at]) && data[at] ? end_of_block(data, size, at) : at + 1;
    s.end = at < size && data[at] != '}' ? at + 1 : at;
    return s;
}

static span some_block(const uint8_t *data, size_t size, unsigned *random)
{
    size_t at = next_random(random) % size;

    while (at < size && !(data[at] && strchr("([{", data[at])))
        at++;
    return (span){at, at < size ? end_of_block(data, size, at) : at};
}

static span some_span(const uint8_t *data, size_t size, unsigned *random)
{
    switch (next_random(random) % 3) {
    case 0: return some_statement(data, size, random);
    case 1: return some_block(data, size, random);
    default: return some_word(data, size, random);
    }
}

/* The text with other bytes in the place of a part, as far as there is room. */
static size_t replace(const uint8_t *data, size_t size, span s, const uint8_t *by, size_t length,
                      uint8_t *out, size_t max_size)
{
    if (size - (s.end - s.start) + length > max_size)
        return 0;
    memcpy(out, data, s.start);
    memcpy(out + s.start, by, length);
    memcpy(out + s.start + length, data + s.end, size - s.end);
    return size - (s.end - s.start) + length;
}

static size_t mutate(const uint8_t *data, size_t size, uint8_t *out, size_t max_size,
                     unsigned *random)
{
    span s = some_span(data, size, random), other = some_span(data, size, random);
    const char *number = numbers[next_random(random) % (sizeof numbers / sizeof *numbers)];

    switch (next_random(random) % 5) {
    case 0: /* remove */
        return replace(data, size, s, NULL, 0, out, max_size);
    case 1: /* repeat */
        return replace(data, size, (span){s.end, s.end}, data + s.start, s.end - s.start, out,
                       max_size);
    case 2: /* insert a copy elsewhere */
        return replace(data, size, (span){other.end, other.end}, data + s.start,
                       s.end - s.start, out, max_size);
    case 3:
        s = some_word(data, size, random);
        for (int tries = 0; tries < 40 && !isdigit(data[s.start]); tries++)
            s = some_word(data, size, random);
        return replace(data, size, s, (const uint8_t *)number, strlen(number), out, max_size);
    default: /* one in the place of another */
        return replace(data, size, other, data + s.start, s.end - s.start, out, max_size);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    unsigned random = seed;
    uint8_t *out = malloc(max_size);
    size_t length = 0;

    if (out && size > 2 && (seed % 2 || !LLVMFuzzerMutate))
        length = mutate(data, size, out, max_size, &random);
    if (length)
        memcpy(data, out, length);
    free(out);
    return length             ? length
           : LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max_size)
                              : size;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
    unsigned random = seed;

    if (!a_size || !b_size)
        return 0;
    span to = some_span(a, a_size, &random), from = some_span(b, b_size, &random);
    return replace(a, a_size, to, b + from.start, from.end - from.start, out, max_size);
}
