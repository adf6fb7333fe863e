/* Texts of .lud games that stand at several places: conditions and sets of definitions as `let`,
 * effects as `proc`. While a script is made, a number stands for each; at the end, those that are
 * used once are put in place, and the others are declared. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_writer.h"

/* In a text, a number of `shared` stands between these; `;` follows an effect. */
enum { OPEN = 4, CLOSE = 5 };

static size_t tokens_of(const char *text)
{
    size_t count = 0;

    while (*text) {
        bool word = isalnum((unsigned char)*text) || *text == '_';
        count += !isspace((unsigned char)*text);
        do
            text++;
        while (word && (isalnum((unsigned char)*text) || *text == '_'));
    }
    return count;
}

/* Is it a name that a loop, an option or an effect binds somewhere? */
static bool is_bound(const char *word, size_t length)
{
    static const char *const names[] = {"from",  "to",   "here", "over",
                                        "site_", "same", "last", "held"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0)
            return true;
    return (length == 1 && islower((unsigned char)*word)) ||
           (length > 4 && memcmp(word, "was_", 4) == 0);
}

/* Are all names of the text known everywhere? */
static bool is_free(fzi_lud_writer *w, const char *text)
{
    for (const char *at = text; *at;) {
        size_t length = 0;
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
        if (length && is_bound(at, length)) {
            static const char *const loops[] = {"all", "any", "sum", "union",
                                                "for", "let", "max", "min"};
            bool own = false;
            for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
                own = own || strstr(text, FZ_LUD_TEXT(w, "%s %.*s ", loops[i], (int)length, at));
            if (!own)
                return false;
        }
        at += length ? length : 1;
    }
    return true;
}

const char *fzi_lud_share(fzi_lud_writer *w, enum fzi_lud_type type, const char *name,
                          const char *text)
{
    enum { SHORT = 8 };
    size_t at = 0;

    if (strchr(text, FZ_LUD_ORIGIN) || tokens_of(text) < SHORT || !is_free(w, text))
        return text;
    while (at < w->shared_count &&
           (w->shared[at].type != type || strcmp(w->shared[at].text, text) != 0))
        at++;
    if (at == FZ_LUD_MOST_SHARED)
        return text;
    bool taken = false;
    for (size_t i = 0; i < w->shared_count; i++)
        taken = taken || strcmp(w->shared[i].name, name) == 0;
    for (size_t i = 0; i < w->stored_count; i++)
        taken = taken || strcmp(w->stored[i].name, name) == 0;
    for (size_t i = 0; i < w->map_count; i++)
        taken = taken || strcmp(w->maps[i].name, name) == 0;
    if (taken)
        name = FZ_LUD_TEXT(w, "%s_%zu", name, w->shared_count + 1);
    if (at == w->shared_count)
        w->shared[w->shared_count++] = (fzi_lud_shared){name, text, type, 0};
    return FZ_LUD_TEXT(w, type == FZ_SAY_DO ? "%c%zu%c;" : "%c%zu%c", OPEN, at, CLOSE);
}

/* The number behind OPEN, and what stands behind it. */
static size_t number_at(const char *at, const char **rest)
{
    char *end;
    size_t number = strtoul(at + 1, &end, 10);

    *rest = end + (*end == CLOSE);
    return number;
}

bool fzi_lud_mentions(const fzi_lud_writer *w, const char *text, const char *word)
{
    bool found = strstr(text, word);

    for (const char *at = text; !found && (at = strchr(at, OPEN));)
        found = fzi_lud_mentions(w, w->shared[number_at(at, &at)].text, word);
    return found;
}

static void count_uses(fzi_lud_writer *w, const char *text)
{
    for (const char *at = text; (at = strchr(at, OPEN));) {
        fzi_lud_shared *s = &w->shared[number_at(at, &at)];
        if (s->uses++ == 0)
            count_uses(w, s->text);
    }
}

/* Is it worth a declaration? */
static bool is_declared(const fzi_lud_shared *s)
{
    size_t length = tokens_of(s->text), call = s->type == FZ_SAY_DO ? 4 : 1;
    return s->uses * length > length + 7 + call * s->uses;
}

static void put_in_place(fzi_lud_writer *w, const char *text, fzi_growing *to)
{
    while (*text) {
        size_t length = strcspn(text, "\4");
        fzi_grow(w->arena, to, text, length);
        text += length;
        if (!*text)
            return;
        const fzi_lud_shared *s = &w->shared[number_at(text, &text)];
        bool effect = s->type == FZ_SAY_DO;
        text += effect && *text == ';';
        if (is_declared(s)) {
            fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, effect ? "%s();" : "%s", s->name));
            continue;
        }
        fzi_growing own = {0};
        put_in_place(w, s->text, &own);
        size_t end = to->length;
        while (end > 0 && to->text[end - 1] == ' ')
            end--;
        bool alone = end > 0 && !strchr(";{}\n", to->text[end - 1]);
        fzi_grow_z(w->arena, to,
                   !effect ? fzi_lud_in_brackets(w, own.text)
                   : alone ? fzi_lud_block(w, own.text)
                           : own.text);
    }
}

const char *fzi_lud_in_place(fzi_lud_writer *w, const char *text)
{
    fzi_growing all = {0};

    put_in_place(w, text, &all);
    return all.text ? all.text : "";
}

const char *fzi_lud_unshared(fzi_lud_writer *w, const char *text)
{
    fzi_growing declared = {0}, all = {0};
    static const char *const types[FZ_SAY_TYPES] = {
        [FZ_SAY_BOOL] = "bool", [FZ_SAY_INT] = "int", [FZ_SAY_SITES] = "sites"};

    count_uses(w, text);
    for (size_t i = 0; i < w->shared_count; i++) {
        const fzi_lud_shared *s = &w->shared[i];
        if (!s->uses || !is_declared(s))
            continue;
        fzi_growing own = {0};
        put_in_place(w, s->text, &own);
        fzi_grow_z(w->arena, &declared,
                   s->type == FZ_SAY_DO
                       ? FZ_LUD_TEXT(w, "proc %s() {\n%s\n}\n", s->name, own.text)
                       : FZ_LUD_TEXT(w, "let %s: %s = %s;\n", s->name, types[s->type], own.text));
    }
    put_in_place(w, text, &all);
    /* before the turn */
    const char *turn = strstr(all.text, "\nturn {");
    return !declared.length || !turn ? all.text
                                     : FZ_LUD_TEXT(w, "%.*s\n%s%s", (int)(turn - all.text),
                                                   all.text, declared.text, turn);
}
