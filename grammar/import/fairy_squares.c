/* Sets of squares of a variants.ini, and their text in a script. See fairy.h. */
#include "fairy.h"

#include <ctype.h>
#include <stdlib.h>

enum { WORD = 8 };

/* A rank from 1 and nothing behind it, or 0. */
static int read_rank(const char *text)
{
    int rank = 0;

    for (; isdigit((unsigned char)*text) && rank < 100; text++)
        rank = rank * 10 + (*text - '0');
    return *text == '\0' && rank <= FZ_FAIRY_RANKS ? rank : 0;
}

/* `*1`, `c*`, `d4`. */
static bool read_word(const char *word, fzi_squares *squares)
{
    bool all_files = *word == '*';
    int file = all_files ? 0 : tolower((unsigned char)*word) - 'a';
    bool all_ranks = !all_files && strcmp(word + 1, "*") == 0;
    int rank = all_ranks ? 1 : read_rank(word + 1);

    if (file < 0 || file >= FZ_FAIRY_FILES || rank == 0)
        return false;
    for (int r = 0; r < FZ_FAIRY_RANKS; r++)
        if (all_ranks || r == rank - 1)
            squares->rank[r] |= (uint16_t)(all_files ? (1 << FZ_FAIRY_FILES) - 1 : 1 << file);
    return true;
}

/* sscanf looks for the end of the whole text at each word. */
const char *fzi_fairy_word(const char *text, char *word, size_t size)
{
    size_t length = 0;

    while (isspace((unsigned char)*text))
        text++;
    while (length + 1 < size && *text && !isspace((unsigned char)*text))
        word[length++] = *text++;
    word[length] = '\0';
    return length ? text : NULL;
}

bool fzi_squares_read(const char *text, fzi_squares *squares)
{
    char word[WORD];

    *squares = (fzi_squares){{0}};
    while ((text = fzi_fairy_word(text, word, sizeof word)) && strcmp(word, "-") != 0)
        if (!read_word(word, squares))
            return false;
    return true;
}

bool fzi_squares_has(const fzi_squares *squares, int file, int rank)
{
    return squares->rank[rank] >> file & 1;
}

void fzi_squares_put(fzi_squares *squares, int file, int rank)
{
    squares->rank[rank] |= (uint16_t)(1 << file);
}

bool fzi_squares_equal(const fzi_squares *a, const fzi_squares *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

fzi_squares fzi_squares_within(const fzi_squares *squares, int files, int ranks)
{
    fzi_squares within = {{0}};
    for (int r = 0; r < ranks; r++)
        within.rank[r] = (uint16_t)(squares->rank[r] & ((1 << files) - 1));
    return within;
}

bool fzi_squares_empty(const fzi_squares *squares)
{
    return fzi_squares_count(squares) == 0;
}

size_t fzi_squares_count(const fzi_squares *squares)
{
    size_t count = 0;
    for (int r = 0; r < FZ_FAIRY_RANKS; r++)
        for (unsigned bits = squares->rank[r]; bits; bits &= bits - 1)
            count++;
    return count;
}

static void add(fzi_arena *arena, fzi_growing *text, const char *part)
{
    if (text->length)
        fzi_grow_z(arena, text, " | ");
    fzi_grow_z(arena, text, part);
}

/* The squares of ranks that are not whole, `{a2, b2}`; NULL: there are none. */
static const char *single(fzi_arena *arena, const fzi_squares *within, uint16_t whole, int ranks)
{
    fzi_growing text = {0};
    for (int r = 0; r < ranks; r++)
        for (int f = 0; f < FZ_FAIRY_FILES && within->rank[r] != whole; f++)
            if (within->rank[r] >> f & 1)
                fzi_grow_z(
                    arena, &text,
                    fzi_arena_printf(arena, "%s%c%d", text.length ? ", " : "", 'a' + f, r + 1));
    return text.length ? fzi_arena_printf(arena, "{%s}", text.text) : NULL;
}

const char *fzi_squares_list(fzi_arena *arena, const fzi_squares *squares)
{
    return single(arena, squares, 0, FZ_FAIRY_RANKS);
}

const char *fzi_squares_text(fzi_arena *arena, const fzi_squares *squares, int files, int ranks)
{
    fzi_squares within = fzi_squares_within(squares, files, ranks);
    uint16_t whole = (uint16_t)((1 << files) - 1);
    fzi_growing text = {0};
    int wholes = 0;

    for (int r = 0; r < ranks; r++)
        if (within.rank[r] == whole) {
            add(arena, &text, fzi_arena_printf(arena, "rank(%d)", r + 1));
            wholes++;
        }
    const char *rest = single(arena, &within, whole, ranks);
    if (rest)
        add(arena, &text, rest);
    return wholes == ranks ? "site" : text.length ? text.text : "{}";
}
