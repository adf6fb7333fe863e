/* Takes the `///` texts of declarations apart, for the rules in English. */
#include "prose.h"

#include <ctype.h>
#include <string.h>

#include "grammar/whole_game/whole_game.h"

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

/* Does the script's `info` name the source? */
static bool is_source(const fzi_prose *p, const char *name)
{
    for (const fzi_node *d = p->game->unit->decls; d; d = d->next)
        for (const fzi_node *e = d->kind == N_D_INFO ? d->entries : NULL; e; e = e->next)
            if (strcmp(e->name, "rules") != 0 && strstr(e->text, name))
                return true;
    return strcmp(name, OURS) == 0;
}

/* The length of the citation before a colon, 0: there is none. A source without number, "Neto:", is
 * one that `info` names. */
static size_t citation_before_colon(const fzi_prose *p, const char *text)
{
    const char *colon = strstr(text, ": ");
    if (!colon || colon >= sentence_end(text) || !isupper((unsigned char)*text))
        return 0;
    size_t length = (size_t)(colon - text), blanks = 0;
    for (size_t i = 0; i < length; i++)
        blanks += text[i] == ' ';
    bool capitals = isupper((unsigned char)text[1]);
    const char *name = fzi_say(p, "%.*s", (int)strcspn(text, ",:"), text);
    return is_citation(text, length) || (begins_number(text, length) && blanks <= 4) ||
                   (length <= MAX_CITATION && (capitals || is_source(p, name)))
               ? length
               : 0;
}

/* A sentence with its citation, if it has one, moved to the end. */
static const char *cited_sentence(const fzi_prose *p, const char *text, size_t length)
{
    size_t before = citation_before_colon(p, text);
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
        const char *end = sentence_end(text), *base = strstr(text, "`base");
        if (!base || base >= end) /* what `base;` is, is for readers of the script */
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

/* The end of what the brace before `at` opens, and where "|" divides it; NULL: it has no end. */
static const char *closing(const char *at, const char **middle)
{
    unsigned depth = 0;
    for (*middle = NULL; *at && (*at != '}' || depth); at++) {
        depth += *at == '{';
        depth -= *at == '}';
        if (*at == '|' && depth == 0 && !*middle)
            *middle = at;
    }
    return *at ? at : NULL;
}

/* Notes the options in a condition. */
static void tell_names(const fzi_prose *p, const char *condition)
{
    while (*condition) {
        size_t length = 0;
        while (isalnum((unsigned char)condition[length]) || condition[length] == '_')
            length++;
        const fzi_symbol *symbol =
            fzi_game_find(p->game, fzi_say(p, "%.*s", (int)length, condition), -1);
        if (length && symbol)
            fzi_tell(p, symbol);
        condition += length ? length : 1;
    }
}

void fzi_tell_text(const fzi_prose *p, const fzi_node *node)
{
    const char *text = node->doc ? fzi_node_doc(p->analysis->sources, p->arena, node) : NULL;
    for (const char *open = text ? strchr(text, '{') : NULL; open; open = strchr(open + 1, '{'))
        tell_names(p, fzi_say(p, "%.*s", (int)strcspn(open + 1, ":|}"), open + 1));
}

/* The text with what holds of `{if CONDITION: text | other text}` in its place. */
static const char *under_options(const fzi_prose *p, const char *text)
{
    const char *open = strstr(text, "{if "), *middle, *colon = open ? strchr(open, ':') : NULL;
    const char *close = colon ? closing(colon + 1, &middle) : NULL;
    if (!close)
        return text;
    fzi_text_fault fault;
    bool holds = fzi_text_condition(p->game, open + 4, (size_t)(colon - open) - 4, &fault);
    tell_names(p, fzi_say(p, "%.*s", (int)(colon - open) - 4, open + 4));
    const char *from = holds ? colon + 1 : middle ? middle + 1 : close;
    const char *to = holds && middle ? middle : close;
    from += strspn(from, " ");
    while (to > from && to[-1] == ' ')
        to--;
    const char *rest = close + 1;
    bool is_first = open == text || open[-1] == ' ';
    if (from == to && is_first)
        rest += strspn(rest, " ");
    bool is_glued = from < to && open > text && isalnum((unsigned char)open[-1]) &&
                    isalnum((unsigned char)*from);
    char *made = fzi_say(p, "%.*s%s%.*s%s", (int)(open - text), text, is_glued ? " " : "",
                         (int)(to - from), from, rest);
    for (size_t length = strlen(made); length && made[length - 1] == ' '; length--)
        made[length - 1] = '\0';
    return under_options(p, made);
}

/* Does the text begin with a phrase for the value, clause or action that the declaration names? */
static bool has_phrase(const fzi_node *node, const char *text)
{
    switch (node->kind) {
    case N_D_LET:
    case N_D_VAR:
    case N_D_FN:
    case N_D_PROC:
    case N_D_MOVES:
    case N_D_DIE:
    case N_D_PROPERTY:
        return islower((unsigned char)*text) || isdigit((unsigned char)*text) || *text == '{';
    default: return false;
    }
}

fzi_comment fzi_comment_of(const fzi_prose *p, const fzi_node *node)
{
    fzi_comment c = {.prose = "", .cited = ""};
    const char *text = fzi_node_doc(p->analysis->sources, p->arena, node);
    if (!text)
        return c;
    text = under_options(p, on_one_line(p, text));
    const char *end = sentence_end(text);
    size_t length = (size_t)(end - text), stop = length && end[-1] == '.';
    if (has_phrase(node, text)) {
        c.phrase = without_names(p, fzi_say(p, "%.*s", (int)(length - stop), text));
        text = end + strspn(end, " ");
    } else if (is_citation(text, length - stop)) {
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

bool fzi_is_noun(const char *text)
{
    static const char *const verbs[] = {": ",     " is ",    " are ", " may ",  " can ", " must ",
                                        " goes ", " stood ", " go ",  " gets ", " has a "};
    if (strncmp(text, "The ", 4) != 0 && strncmp(text, "All ", 4) != 0)
        return false;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strstr(text, verbs[i])) /* a sentence */
            return false;
    return true;
}

const char *fzi_comment_noun(const fzi_prose *p, const fzi_node *node)
{
    const char *text = first_sentence(p, node);
    text = fzi_say(p, "%.*s", (int)strcspn(text, ";"), text);
    return fzi_is_noun(text) ? fzi_english_clause(p, without_citation(p, text)) : NULL;
}

const char *fzi_phrase_of(const fzi_prose *p, const fzi_node *use)
{
    const fzi_symbol *symbol = fzi_use_symbol(use);
    if (!symbol || !symbol->node || symbol->kind == FZI_SYM_LOCAL)
        return NULL;
    return fzi_comment_of(p, symbol->node).phrase;
}

/* ---- variables ---- */

static bool is_shown(const fzi_prose *p, const fzi_symbol *symbol)
{
    for (const fzi_node *d = p->game->unit->decls; d; d = d->next)
        for (const fzi_node *n = d->kind == N_D_SHOW ? d->names : NULL; n; n = n->next)
            if (n->symbol == symbol)
                return true;
    return symbol->node && symbol->node->flags & FZ_NODE_SECRET;
}

bool fzi_only_remembers(const fzi_prose *p, const fzi_symbol *symbol)
{
    const fzi_type *type = symbol->type;
    bool remembers = type && (type->kind == FZI_TYPE_BOOL || type->kind == FZI_TYPE_SITE ||
                              fzi_means_sites(type));
    bool has_text = symbol->node && (fzi_comment_of(p, symbol->node).phrase ||
                                     fzi_comment_noun(p, symbol->node));
    return remembers && !has_text && !is_shown(p, symbol);
}
