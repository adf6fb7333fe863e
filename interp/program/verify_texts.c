/* The names and other texts of a program: may they stand in positions, lists, records and
 * drawings, and are they found again there? See verify.h for what is guaranteed. */
#include "verify.h"

#include <string.h>

#include "interp/support/text.h"

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

/* UTF-8 without control characters, except those that `allowed` names. */
static bool is_line(const char *text, const char *allowed)
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

static bool is_word(const char *text)
{
    return *text &&
           !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

static void word(text_reader *r, uint32_t offset, const char *what, uint32_t number)
{
    want(r, is_word(fzi_text(r->p, offset)), what, number);
}

/* A text that a script may have in quotes. */
static void quoted(text_reader *r, uint32_t offset, const char *what, uint32_t number)
{
    want(r, is_line(fzi_text(r->p, offset), "\t\n\v\f\r"), what, number);
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
    word(r, offset, what, number);
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

/* A letter stands in cells of diagrams and in labels: with the owner's number after it, it is
 * one word. */
static bool is_letter(const char *letter)
{
    return strlen(letter) <= FZ_MAX_LETTER && is_line(letter, "") &&
           !strpbrk(letter, " .,0123456789{}\"'");
}

static void check_names(text_reader *r)
{
    const fz_program *p = r->p;
    DISTINCT(r, p->board.site_names, p->board.site_count, "name of site");
    DISTINCT(r, p->board.dir_names, p->board.dir_count, "name of direction");
    DISTINCT(r, p->kinds, p->kind_count, "name of kind");
    forget(r);
    for (uint32_t i = 0; i < p->kind_count; i++) {
        want(r, is_letter(fzi_text(p, p->kinds[i].letter)), "letter of kind", i);
        if (!r->what && *fzi_text(p, p->kinds[i].letter))
            new_name(r, p->kinds[i].letter, true, "letter of kind", i);
    }
    DISTINCT(r, p->players, p->player_count, "name of player");
    DISTINCT(r, p->team_names, p->team_count, "name of team");
    DISTINCT(r, p->settings, p->setting_count, "name of option");
}

static void check_values(text_reader *r)
{
    const fz_program *p = r->p;
    for (uint32_t i = 0; i < p->name_list_length; i++)
        word(r, p->name_lists[i], "name of value", i);
    for (uint32_t i = 0; i < p->die_count; i++)
        word(r, p->dice[i].name, "name of die", i);
    for (uint32_t i = 0; i < p->option_count; i++)
        for (unsigned b = 0; b < p->options[i].bindings; b++)
            want(r, is_line(fzi_text(p, p->options[i].names[b]), ""), "name in option", i);
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

static void check_texts(text_reader *r)
{
    const fz_program *p = r->p;
    quoted(r, p->title, "title", 0);
    for (uint32_t i = 0; i < p->setting_count; i++) {
        const fz_option_choice *s = &p->settings[i];
        want(r, *fzi_text(p, s->value) && is_line(fzi_text(p, s->value), ""), "value of option", i);
        want(r, *fzi_text(p, s->initial) && is_line(fzi_text(p, s->initial), ""),
             "value of option", i);
        want(r, is_line(fzi_text(p, s->values), ""), "values of option", i);
        quoted(r, s->comment, "comment of option", i);
    }
    for (uint32_t i = 0; i < p->info_count; i++) {
        word(r, p->info[i].key, "name of info", i);
        quoted(r, p->info[i].value, "info", i);
    }
    for (uint32_t i = 0; i < p->function_count; i++)
        want(r, is_line(fzi_text(p, p->functions[i].name), ""), "name of function", i);
    for (uint32_t i = 0; i < p->native_count; i++) {
        word(r, p->natives[i].name, "name of native function", i);
        quoted(r, p->natives[i].library, "library of native function", i);
        quoted(r, p->natives[i].symbol, "symbol of native function", i);
    }
    for (uint32_t i = 0; i < p->test_count; i++)
        quoted(r, p->tests[i].title, "title of test", i);
    for (uint32_t i = 0; i < p->step_count; i++)
        quoted(r, p->steps[i].text, "text of step", i);
}

/* The texts that TEXT adds to moves. */
static void check_labels(text_reader *r)
{
    const fz_program *p = r->p;
    for (uint32_t i = 0; i < p->function_count; i++) {
        const fz_function *f = &p->functions[i];
        FZI_FOR_INSTRUCTIONS(at, p, f)
            if (FZ_CODE_OP(p->code[at]) == FZ_OP_TEXT)
                quoted(r, p->code[at + 1], "text at", at);
    }
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
    check_values(&r);
    check_variables(&r);
    check_texts(&r);
    check_labels(&r);
    fzi_release(allocator, r.seen);
    *what = r.what;
    *number = r.number;
    return !r.what;
}
