/* The names and other texts of a program: may they stand in positions, lists, records and
 * drawings, and are they found again there? See verify.h for what is guaranteed. */
#include "verify.h"

#include "interp/support/text.h"
#include "verify_parts.h"

/* Reading goes on until something is wrong; `what` says it. */
typedef struct text_reader {
    const fz_program *p;
    const char *what;
    uint32_t number;
    uint32_t *seen; /* hashed offsets of names that must differ; `capacity` is a power of two */
    uint32_t capacity;
} text_reader;

static void want(text_reader *r, bool holds, const char *what, uint32_t number)
{
    if (holds || r->what)
        return;
    r->what = what;
    r->number = number;
}

bool fzi_is_line(const char *text, const char *allowed)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = fzi_utf8_length((const char *)at, 4); /* a NUL ends it */
        bool control = *at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] < 0xa0);
        if (!length || (control && !strchr(allowed, *at)))
            return false;
        at += length;
    }
    return true;
}

bool fzi_is_word(const char *text)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t length = strspn(text, word);
    const char *name = length && text[length] == '.' ? text + length + 1 : text;
    return *name && !name[strspn(name, word)];
}

/* ---- names that differ ---- */

static void forget(text_reader *r)
{
    memset(r->seen, 0, r->capacity * sizeof *r->seen);
}

static char folded(char c, bool fold)
{
    return fold && c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool equal(const char *a, const char *b, bool fold)
{
    while (*a && folded(*a, fold) == folded(*b, fold)) {
        a++;
        b++;
    }
    return folded(*a, fold) == folded(*b, fold);
}

/* Is it the first of this name since `forget`? The table is never full: it has twice as many
 * places as anything in a program has names. */
static void new_name(text_reader *r, uint32_t offset, bool fold, const char *what, uint32_t number)
{
    const char *name = fzi_text(r->p, offset);
    uint32_t hash = 0x811c9dc5;
    for (const char *at = name; *at; at++)
        hash = (hash ^ (unsigned char)folded(*at, fold)) * 0x01000193;
    for (uint32_t at = hash;; at++) {
        uint32_t *place = &r->seen[at & (r->capacity - 1)];
        if (!*place) {
            *place = offset;
            return;
        }
        if (equal(fzi_text(r->p, *place), name, fold)) {
            want(r, false, what, number);
            return;
        }
    }
}

static void distinct_word(text_reader *r, uint32_t offset, const char *what, uint32_t number)
{
    want(r, fzi_is_word(fzi_text(r->p, offset)), what, number);
    if (!r->what)
        new_name(r, offset, false, what, number);
}

/* The names of rows of `size` bytes that begin with a text offset differ. */
static void distinct_names(text_reader *r, const void *rows, uint32_t count, size_t size,
                           const char *what)
{
    forget(r);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t offset;
        memcpy(&offset, (const char *)rows + i * size, sizeof offset);
        distinct_word(r, offset, what, i);
    }
}
#define DISTINCT(r, rows, count, what) distinct_names(r, rows, count, sizeof *(rows), what)

/* ---- what has names ---- */

static void check_names(text_reader *r)
{
    const fz_program *p = r->p;
    DISTINCT(r, p->board.site_names, p->board.site_count, "name of site");
    DISTINCT(r, p->board.dir_names, p->board.dir_count, "name of direction");
    DISTINCT(r, p->kinds, p->kind_count, "name of kind");
    forget(r);
    for (uint32_t i = 0; i < p->kind_count; i++) {
        /* It stands in cells of diagrams and in labels: with the owner's number after it, it is one
         * word. */
        const char *letter = fzi_text(p, p->kinds[i].letter);
        want(r, strlen(letter) <= FZ_MAX_LETTER && fzi_is_line(letter, "") &&
                    !strpbrk(letter, " .,{}\"'") && fzi_digits_alone(letter), "letter of kind", i);
        if (!r->what && *letter)
            new_name(r, p->kinds[i].letter, true, "letter of kind", i);
    }
    DISTINCT(r, p->players, p->player_count, "name of player");
    DISTINCT(r, p->team_names, p->team_count, "name of team");
    DISTINCT(r, p->settings, p->setting_count, "name of option");
}

static void check_variables(text_reader *r)
{
    const fz_program *p = r->p;
    forget(r);
    for (uint32_t i = 0; i < p->variable_count; i++) {
        if (!p->variables[i].hidden)
            distinct_word(r, p->variables[i].name, "name of variable", i);
    }
    for (uint32_t i = 0; i < p->shown_count; i++)
        distinct_word(r, p->shown[i].like.name, "name of shown value", i);
}

bool fzi_texts_sound(const fz_program *p, fzi_allocator allocator, const char **what,
                     uint32_t *number)
{
    text_reader r = {.p = p, .capacity = 2 * FZ_MAX_SITES};
    uint32_t most = p->variable_count + p->shown_count > p->setting_count
                        ? p->variable_count + p->shown_count
                        : p->setting_count;
    while (r.capacity / 2 < most && r.capacity < UINT32_C(1) << 30)
        r.capacity *= 2;
    r.seen = most < UINT32_C(1) << 29 ? fzi_allocate(allocator, r.capacity * sizeof *r.seen) : NULL;
    *what = NULL;
    if (!r.seen)
        return false;
    check_names(&r);
    check_variables(&r);
    fzi_release(allocator, r.seen);
    *what = r.what;
    *number = r.number;
    return !r.what;
}
