/* Typed text and the texts of moves are compared without what people leave out. */
#include "notation.h"

#include <ctype.h>
#include <string.h>

typedef struct reading {
    const char *text, *at;
    char before; /* the character read last */
} reading;

static bool is_sign(char c)
{
    return !isalnum((unsigned char)c) && (unsigned char)c < 0x80;
}

/* The 'x' of e4xd5: between two sites, with or without blanks. */
static bool is_capture(const reading *r)
{
    const char *next = r->at + 1;

    while (*next && is_sign(*next))
        next++;
    return (*r->at == 'x' || *r->at == 'X') && isdigit((unsigned char)r->before) &&
           isalpha((unsigned char)*next);
}

/* The '-' of -3, but not that of 12-16. */
static bool is_minus(const reading *r)
{
    return *r->at == '-' && isdigit((unsigned char)r->at[1]) &&
           !isdigit((unsigned char)r->before) &&
           (r->at == r->text || !isalnum((unsigned char)r->at[-1]));
}

/* The next character that counts, in lower case; 0 at the end. */
static char next_of(reading *r)
{
    while (*r->at && ((is_sign(*r->at) && !is_minus(r)) || is_capture(r)))
        r->at++;
    if (!*r->at)
        return 0;
    r->before = *r->at++;
    return (char)tolower((unsigned char)r->before);
}

/* How well they agree: 2 wholly, 1 if `typed` is a beginning of `text`, else 0. */
static int agree(const char *text, const char *typed)
{
    reading a = {text, text, 0}, b = {typed, typed, 0};

    for (;;) {
        char of_text = next_of(&a), of_typed = next_of(&b);
        if (!of_typed)
            return of_text ? 1 : 2;
        if (of_text != of_typed)
            return 0;
    }
}

static bool is_number(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

static long numbered(const char *const *texts, size_t count, const char *typed)
{
    size_t number = 0;

    if (!is_number(typed) || strlen(typed) > 9)
        return FZI_NO_MOVE;
    for (size_t i = 0; i < count; i++)
        if (is_number(texts[i]))
            return FZI_NO_MOVE;
    for (const char *digit = typed; *digit; digit++)
        number = 10 * number + (size_t)(*digit - '0');
    return number >= 1 && number <= count ? (long)number - 1 : FZI_NO_MOVE;
}

long fzi_typed_move(const char *const *texts, size_t count, const char *typed,
                    unsigned char *fits)
{
    reading all = {typed, typed, 0};
    size_t found = 0, which = 0;

    for (size_t i = 0; i < count; i++)
        if (strcmp(texts[i], typed) == 0)
            return (long)i;
    if (!next_of(&all)) /* nothing that counts is a beginning of everything */
        return FZI_NO_MOVE;
    for (int wanted = 2; wanted >= 1 && !found; wanted--)
        for (size_t i = 0; i < count; i++) {
            fits[i] = agree(texts[i], typed) >= wanted;
            found += fits[i];
            which = fits[i] ? i : which;
        }
    return found == 1  ? (long)which
           : found > 1 ? FZI_SEVERAL_MOVES
                       : numbered(texts, count, typed);
}
