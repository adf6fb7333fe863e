/* Takes the `///` texts of declarations apart, for the rules in English. */
#include "prose.h"

#include <ctype.h>
#include <string.h>

/* ---- names of the script in prose ---- */

static bool is_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    return length > 0;
}

static const char *in_words(const fzi_prose *p, const char *name)
{
    static const char *const known[][2] = {{"me", "the player"},    {"foe", "the opponent"},
                                           {"mover", "the player"}, {"off", "no square"},
                                           {"none", "nothing"},     {"nobody", "nobody"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i][0]) == 0)
            return known[i][1];
    return fzi_english_name(p, name);
}

/* Names in backquotes become words; other code keeps its backquotes. */
static const char *without_names(const fzi_prose *p, const char *text)
{
    const char *made = "";
    for (;;) {
        const char *open = strchr(text, '`'), *close = open ? strchr(open + 1, '`') : NULL;
        if (!close)
            return fzi_say(p, "%s%s", made, text);
        size_t length = (size_t)(close - open) - 1;
        const char *quoted = fzi_say(p, "%.*s", (int)length, open + 1);
        const char *shown =
            is_name(quoted, length) ? in_words(p, quoted) : fzi_say(p, "`%s`", quoted);
        made = fzi_say(p, "%s%.*s%s", made, (int)(open - text), text, shown);
        text = close + 1;
    }
}

/* ---- citations ---- */

enum { MAX_CITATION = 60 };
/* The words before a rule that the sources do not have. */
#define OURS "Ours"

static bool has_digit(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (isdigit((unsigned char)text[i]))
            return true;
    return false;
}

/* The end of the sentence that begins at `text`, after its mark. Numbers and initials have full
 * stops, too. */
static const char *sentence_end(const char *text)
{
    unsigned open = 0;
    for (const char *at = text; *at; at++) {
        open += *at == '(';
        open -= *at == ')' && open > 0;
        bool ends = strchr(".?!", *at) && (at[1] == ' ' || at[1] == ')' || !at[1]);
        bool initial = at > text + 1 && isupper((unsigned char)at[-1]) && at[-2] == ' ' && at[1];
        if (ends && open == 0 && !initial)
            return at + 1;
    }
    return text + strlen(text);
}

/* Does the text begin with a source and a number, such as "FIDE 3.8.2", "MJ-12", "C-2 to C-4"? */
static bool begins_number(const char *text, size_t length)
{
    return length <= MAX_CITATION && isupper((unsigned char)*text) && has_digit(text, length);
}

/* Is the whole sentence a citation? */
static bool is_citation(const char *text, size_t length)
{
    if (!begins_number(text, length))
        return false;
    for (size_t i = 0; i + 3 < length; i++) /* "to", "and" may stand in one */
        if (islower((unsigned char)text[i]) && islower((unsigned char)text[i + 1]) &&
            islower((unsigned char)text[i + 2]) && strncmp(text + i, "and", 3) != 0)
            return false;
    return true;
}

/* The length of the citation before a colon, 0: there is none. A source without number, "Neto:" or
 * "World federation:", has few words and begins with a capital. */
static size_t citation_before_colon(const char *text)
{
    const char *colon = strstr(text, ": ");
    if (!colon || colon >= sentence_end(text) || !isupper((unsigned char)*text))
        return 0;
    size_t length = (size_t)(colon - text), blanks = 0;
    for (size_t i = 0; i < length; i++)
        blanks += text[i] == ' ';
    bool capitals = isupper((unsigned char)text[1]), is_title = true;
    for (size_t i = 1; i < length; i++)
        is_title = is_title && (text[i - 1] != ' ' || isupper((unsigned char)text[i]));
    if (strncmp(text, "Not a rule", 10) == 0)
        return 0;
    return is_citation(text, length) || (capitals && length <= MAX_CITATION) ||
                   (is_title && blanks <= 1) || (begins_number(text, length) && blanks <= 4)
               ? length
               : 0;
}

/* A sentence with its citation, if it has one, moved to the end. */
static const char *cited_sentence(const fzi_prose *p, const char *text, size_t length)
{
    size_t before = citation_before_colon(text);
    if (before == 0 || before >= length)
        return fzi_say(p, "%.*s", (int)length, text);
    const char *rest = fzi_say(p, "%.*s", (int)(length - before - 2), text + before + 2);
    size_t end = strlen(rest);
    bool is_ours = before == strlen(OURS) && memcmp(text, OURS, before) == 0;
    const char *cited = is_ours ? "our own rule" : fzi_say(p, "%.*s", (int)before, text);
    bool stops = end && strchr(".?!", rest[end - 1]);
    return fzi_say(p, "%.*s (%s)%s", (int)(end - stops), fzi_english_capital(p, rest), cited,
                   stops ? rest + end - 1 : ".");
}

static const char *arranged(const fzi_prose *p, const char *text)
{
    const char *made = "";
    while (*text) {
        const char *end = sentence_end(text);
        made = fzi_english_both(p, made, cited_sentence(p, text, (size_t)(end - text)));
        text = end + strspn(end, " ");
    }
    return made;
}

/* ---- the parts ---- */

static const char *on_one_line(const fzi_prose *p, const char *text)
{
    char *line = fzi_say(p, "%s", text);
    for (char *at = line; *at; at++)
        if (*at == '\n')
            *at = ' ';
    return line + strspn(line, " ");
}

fzi_comment fzi_comment_of(const fzi_prose *p, const fzi_node *node)
{
    fzi_comment c = {.prose = "", .cited = ""};
    const char *text = fzi_node_doc(p->analysis->sources, p->arena, node);
    const char *rule = fzi_node_rule(p->analysis->sources, p->arena, node);
    if (rule)
        c.rule = on_one_line(p, rule);
    if (!text)
        return c;
    text = on_one_line(p, text);
    const char *end = sentence_end(text);
    size_t length = (size_t)(end - text), stop = length && end[-1] == '.';
    if (is_citation(text, length - stop)) {
        c.cited = fzi_say(p, "%.*s", (int)(length - stop), text);
        text = end + strspn(end, " ");
    }
    c.prose = without_names(p, arranged(p, text));
    return c;
}

/* ---- phrases ---- */

static const char *first_sentence(const fzi_prose *p, const fzi_node *node)
{
    const char *prose = fzi_comment_of(p, node).prose;
    return fzi_say(p, "%.*s", (int)(sentence_end(prose) - prose), prose);
}

static const char *without_citation(const fzi_prose *p, const char *text)
{
    const char *open = strstr(text, " (");
    return open ? fzi_say(p, "%.*s", (int)(open - text), text) : text;
}

const char *fzi_comment_noun(const fzi_prose *p, const fzi_node *node)
{
    const char *text = first_sentence(p, node);
    static const char *const verbs[] = {": ",     " is ",    " are ", " may ",  " can ",  " must ",
                                        " goes ", " stood ", " go ",  " gets ", " has a "};
    if (strncmp(text, "The ", 4) != 0 && strncmp(text, "All ", 4) != 0)
        return NULL;
    text = fzi_say(p, "%.*s", (int)strcspn(text, ";"), text);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strstr(text, verbs[i])) /* a sentence */
            return NULL;
    return fzi_english_clause(p, without_citation(p, text));
}

const char *fzi_comment_clause(const fzi_prose *p, const fzi_node *node)
{
    const char *text = first_sentence(p, node);
    if (strncmp(text, "True if ", 8) != 0)
        return NULL;
    return fzi_english_clause(p, without_citation(p, text + 8));
}
