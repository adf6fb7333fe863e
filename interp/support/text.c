/* Slices, UTF-8, the width, the distance and the beginnings of texts. See text.h. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#ifdef HAVE_UTF8PROC
#include <utf8proc.h>
#endif

bool fzi_slice_is(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

void fzi_slice_strip(const char **text, size_t *length)
{
    while (*length && isspace((unsigned char)**text)) {
        (*text)++;
        (*length)--;
    }
    while (*length && isspace((unsigned char)(*text)[*length - 1]))
        (*length)--;
}

bool fzi_slice_next(const char **text, size_t *length, char between, const char **item,
                    size_t *item_length)
{
    if (*length == 0)
        return false;
    const char *found = memchr(*text, between, *length);
    *item = *text;
    *item_length = found ? (size_t)(found - *text) : *length;
    *text += *item_length + (found != NULL);
    *length -= *item_length + (found != NULL);
    fzi_slice_strip(item, item_length);
    return true;
}

size_t fzi_utf8_length(const char *at, size_t most)
{
    const unsigned char *u = (const unsigned char *)at;
    size_t length = u[0] < 0x80 ? 1 : u[0] < 0xc2 ? 0 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3
                    : u[0] < 0xf5 ? 4 : 0;

    if (length > most)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (!fzi_utf8_continues(at[i]))
            return 0;
    bool overlong = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90);
    bool surrogate = u[0] == 0xed && u[1] > 0x9f, beyond = u[0] == 0xf4 && u[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}

#ifdef HAVE_UTF8PROC
size_t fzi_text_width(const char *text)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
    size_t width = 0;

    while (*at) {
        utf8proc_int32_t point;
        utf8proc_ssize_t length = utf8proc_iterate(at, -1, &point);
        width += length > 0 ? (size_t)utf8proc_charwidth(point) : 1;
        at += length > 0 ? length : 1;
    }
    return width;
}
#else
/* One column for each code point: right for all but wide and combining characters. */
size_t fzi_text_width(const char *text)
{
    size_t width = 0;

    for (; *text; text++)
        width += !fzi_utf8_continues(*text);
    return width;
}
#endif

/* ---- distance ---- */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned fzi_letters_apart(const char *a, const char *b, bool exchanges)
{
    enum { LONGEST = 60 };
    unsigned row[3][LONGEST + 1] = {{0}};
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return (unsigned)(n > m ? n : m);
    for (unsigned j = 0; j <= m; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanges && exchanged)
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

const char *fzi_grouped(unsigned long long number, char *text)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%llu", number);
    char *out = text;

    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

/* ---- what a script begins with ---- */

/* Skips blanks and comments. */
static const char *skip_space(const char *at, const char *end)
{
    for (;;) {
        while (at < end && strchr(" \t\r\n", *at))
            at++;
        if (end - at < 2 || at[0] != '/' || (at[1] != '/' && at[1] != '*'))
            return at;
        bool line = at[1] == '/';
        for (at += 2; at < end; at++)
            if (line ? *at == '\n' : (at[0] == '*' && at[1] == '/'))
                break;
        at += line || at >= end ? 0 : 2;
    }
}

/* Skips `ferz 1;`, if it stands there. */
static const char *skip_edition(const char *at, const char *end)
{
    static const char word[] = "ferz";
    const char *after = at + sizeof word - 1;
    if (end - at < (ptrdiff_t)sizeof word || memcmp(at, word, sizeof word - 1) != 0)
        return at;
    const char *number = skip_space(after, end), *semicolon = number;
    while (semicolon < end && isdigit((unsigned char)*semicolon))
        semicolon++;
    if (number == after || semicolon == number)
        return at;
    semicolon = skip_space(semicolon, end);
    return semicolon < end && *semicolon == ';' ? skip_space(semicolon + 1, end) : at;
}

static bool begins_with(const char *text, size_t length, const char *word)
{
    const char *end = text + length;
    size_t count = strlen(word);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    text = skip_edition(skip_space(text, end), end);
    return (size_t)(end - text) > count && memcmp(text, word, count) == 0 &&
           strchr(" \t\r\n/\"", text[count]);
}

bool fzi_begins_library(const char *text, size_t length)
{
    return begins_with(text, length, "library");
}

bool fzi_begins_script(const char *text, size_t length)
{
    return begins_with(text, length, "game") || begins_with(text, length, "variant") ||
           fzi_begins_library(text, length);
}
