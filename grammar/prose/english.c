/* English words: plurals, articles, lists, sentences. Called by all files of the room. */
#include "prose.h"

#include <ctype.h>
#include <string.h>

char *fzi_say(const fzi_prose *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = fzi_arena_vprintf(p->arena, format, args);
    va_end(args);
    return text;
}

/* ---- names ---- */

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* Does a word begin at `at`, in the middle of a name? */
static bool begins_word(const char *name, const char *at)
{
    return at > name && is_upper(*at) &&
           (is_lower(at[-1]) || (is_upper(at[-1]) && is_lower(at[1])));
}

static const char *words(const fzi_prose *p, const char *name, bool keeps_capitals)
{
    char *text = fzi_arena_alloc(p->arena, 2 * strlen(name) + 1), *end = text;
    bool all_capitals = true;
    size_t length = strcspn(name, " "); /* a replaced declaration is called "x of base.game" */
    for (size_t i = 0; i < length; i++)
        all_capitals = all_capitals && !is_lower(name[i]);
    for (const char *at = name; at < name + length; at++) {
        if (*at == '_') {
            if (at > name && at[1])
                *end++ = ' ';
            continue;
        }
        if (begins_word(name, at) && end > text && end[-1] != ' ')
            *end++ = ' ';
        *end++ = keeps_capitals || all_capitals ? *at : (char)tolower((unsigned char)*at);
    }
    *end = '\0';
    return text;
}

const char *fzi_english_name(const fzi_prose *p, const char *name)
{
    return words(p, name, false);
}

const char *fzi_english_title(const fzi_prose *p, const char *name)
{
    return words(p, name, true);
}

/* ---- nouns ---- */

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static const char *const irregular[][2] = {
    {"man", "men"},    {"die", "dice"},    {"foot", "feet"},   {"vertex", "vertices"},
    {"mouse", "mice"}, {"wolf", "wolves"}, {"goose", "geese"}, {"child", "children"}};

/* What follows the noun itself in "piece of the player" and "pawn on rank 2"; NULL: nothing. */
static const char *after_head(const char *noun)
{
    static const char *const words[] = {" of ",   " on ",    " in ",      " at ",
                                        " one ",  " two ",   " any ",     " up ",
                                        " from ", " where ", " exactly ", " between "};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *found = strstr(noun, words[i]);
        if (found && (!first || found < first))
            first = found;
    }
    return first;
}

const char *fzi_english_plural(const fzi_prose *p, const char *noun)
{
    int length = (int)strlen(noun);
    const char * or = strstr(noun, " or ");
    if (or)
        return fzi_say(p, "%s or %s",
                       fzi_english_plural(p, fzi_say(p, "%.*s", (int)(or -noun), noun)),
                       fzi_english_plural(p, or +strlen(" or ")));
    noun += strncmp(noun, "a ", 2) == 0 ? 2 : strncmp(noun, "an ", 3) == 0 ? 3 : 0;
    const char *rest = after_head(noun);
    if (rest)
        return fzi_say(p, "%s%s",
                       fzi_english_plural(p, fzi_say(p, "%.*s", (int)(rest - noun), noun)), rest);
    length = (int)strlen(noun);
    for (size_t i = 0; i < sizeof irregular / sizeof *irregular; i++)
        if (ends_in(noun, irregular[i][0]))
            return fzi_say(p, "%.*s%s", length - (int)strlen(irregular[i][0]), noun,
                           irregular[i][1]);
    if (ends_in(noun, "s") || ends_in(noun, "x") || ends_in(noun, "ch") || ends_in(noun, "sh"))
        return fzi_say(p, "%ses", noun);
    if (length > 1 && noun[length - 1] == 'y' && !strchr("aeiou", noun[length - 2]))
        return fzi_say(p, "%.*sies", length - 1, noun);
    return fzi_say(p, "%ss", noun);
}

const char *fzi_english_one(const fzi_prose *p, const char *noun)
{
    bool vowel = *noun && strchr("aeiouAEIO", *noun) && strncmp(noun, "uni", 3) != 0 &&
                 strncmp(noun, "one ", 4) != 0 && strncmp(noun, "eu", 2) != 0;
    return fzi_say(p, "%s %s", vowel ? "an" : "a", noun);
}

const char *fzi_english_genitive(const fzi_prose *p, const char *owner)
{
    return fzi_say(p, "%s'%s", owner, ends_in(owner, "s") ? "" : "s");
}

const char *fzi_english_verb(const fzi_prose *p, const char *subject, const char *verb)
{
    bool is_plural = ends_in(subject, "s") && !ends_in(subject, "ss");
    if (!is_plural)
        return fzi_say(p, "%s %s", subject, verb);
    if (strncmp(verb, "is ", 3) == 0)
        return fzi_say(p, "%s are %s", subject, verb + 3);
    const size_t stem = strcspn(verb, " ") - 1;
    return fzi_say(p, "%s %.*s%s", subject, (int)stem, verb, verb + stem + 1);
}

const char *fzi_english_number(const fzi_prose *p, int64_t number)
{
    static const char *const small[] = {"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    if (number < 0)
        return fzi_say(p, "minus %s", fzi_english_number(p, -number));
    if (number <= 12)
        return small[number];
    return fzi_say(p, "%lld", (long long)number);
}

void fzi_texts_add(fzi_texts *texts, const char *text)
{
    if (texts->count < sizeof texts->items / sizeof *texts->items)
        texts->items[texts->count++] = text;
}

const char *fzi_english_list(const fzi_prose *p, const fzi_texts *texts, const char *word)
{
    const char *text = texts->count ? texts->items[0] : "";
    for (unsigned i = 1; i < texts->count; i++) {
        bool last = i + 1 == texts->count;
        text = fzi_say(p, "%s%s%s %s", text, last ? " " : "", last ? word : ",", texts->items[i]);
    }
    return text;
}

const char *fzi_english_both(const fzi_prose *p, const char *first, const char *second)
{
    return fzi_say(p, "%s%s%s", first, *first && *second ? " " : "", second);
}

/* ---- sentences ---- */

const char *fzi_english_capital(const fzi_prose *p, const char *text)
{
    char *made = fzi_say(p, "%s", text);
    *made = (char)toupper((unsigned char)*made);
    return made;
}

const char *fzi_english_sentence(const fzi_prose *p, const char *text)
{
    size_t length = strlen(text);
    const char *made = fzi_english_capital(p, text);
    return !length || strchr(".:?!", text[length - 1]) ? made : fzi_say(p, "%s.", made);
}

bool fzi_english_is_sentence(const char *text)
{
    size_t length = strlen(text);
    return is_upper(*text) && text[length - 1] == '.';
}

const char *fzi_english_clause(const fzi_prose *p, const char *text)
{
    char *made = fzi_say(p, "%s", text);
    size_t length = strlen(made);
    if (length && made[length - 1] == '.')
        made[length - 1] = '\0';
    if (is_upper(made[0]) && (is_lower(made[1]) || made[1] == ' '))
        made[0] = (char)tolower((unsigned char)made[0]);
    return made;
}

/* The first of the verbs in the clause; NULL. `*row` is its number. */
static const char *first_verb(const char *clause, const char *const verbs[][2], size_t count,
                              size_t *row)
{
    const char *first = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(clause, verbs[i][0]);
        if (found && (!first || found < first)) {
            first = found;
            *row = i;
        }
    }
    return first;
}

const char *fzi_english_not(const fzi_prose *p, const char *clause)
{
    static const char *const verbs[][2] = {{" is not ", " is "},
                                           {" are not ", " are "},
                                           {" cannot ", " can "},
                                           {" is no ", " is a "},
                                           {" has no ", " has a "},
                                           {" is at least ", " is less than "},
                                           {" is less than ", " is at least "},
                                           {" is more than ", " is at most "},
                                           {" is at most ", " is more than "},
                                           {" is a ", " is no "},
                                           {" is an ", " is no "},
                                           {" is ", " is not "},
                                           {" are ", " are not "},
                                           {" can ", " cannot "},
                                           {" has a ", " has no "},
                                           {" has an ", " has no "},
                                           {" has ", " has not "},
                                           {" have ", " have not "},
                                           {" stands ", " does not stand "},
                                           {" holds", " does not hold"},
                                           {" may ", " may not "}};
    size_t row = 0;
    size_t article = strncmp(clause, "a ", 2) == 0 ? 2 : strncmp(clause, "an ", 3) == 0 ? 3 : 0;
    if (article && !strstr(clause, " or ") && !strstr(clause, " not "))
        return fzi_say(p, "no %s", clause + article);
    const char *at = first_verb(clause, verbs, sizeof verbs / sizeof *verbs, &row);
    if (!at || strstr(clause, " or ") || strstr(clause, " and "))
        return fzi_say(p, "it is not so that %s", clause);
    return fzi_say(p, "%.*s%s%s", (int)(at - clause), clause, verbs[row][1],
                   at + strlen(verbs[row][0]));
}

/* ---- words ---- */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

const char *fzi_english_replace(const fzi_prose *p, const char *text, const char *from,
                                const char *to)
{
    size_t length = strlen(from);
    for (const char *at = strstr(text, from); at && length; at = strstr(at, from)) {
        bool whole = (at == text || !(in_word(at[-1]) || at[-1] == '\'')) && !in_word(at[length]);
        if (!whole) {
            at += length;
            continue;
        }
        size_t before = (size_t)(at - text);
        text = fzi_say(p, "%.*s%s%s", (int)before, text, to, at + length);
        at = text + before + strlen(to);
    }
    return text;
}
