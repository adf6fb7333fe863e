/* Gives each statement of a long line a line of its own. The formatter keeps line breaks, so
 * importers, which write rules as one text, set them here. See importer.h. */
#include "importer.h"

enum { FZ_LONG = 100 };

typedef struct layout {
    fzi_arena *arena;
    fzi_growing text;
} layout;

/* Behind the string that begins here. */
static const char *behind_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end ? at + 1 : end;
}

/* The bracket that closes the one at `open`, and whether a statement ends between them, in braces
 * only. NULL: it is not on this line. */
static const char *closing(const char *open, const char *end, bool *is_block)
{
    unsigned depth = 0, others = 0;

    *is_block = false;
    for (const char *at = open; at < end;) {
        if (*at == '"') {
            at = behind_string(at, end);
            continue;
        }
        depth += *at == '{' || *at == '(' || *at == '[';
        others += *at == '(' || *at == '[';
        if ((*at == '}' || *at == ')' || *at == ']') && --depth == 0)
            return at;
        others -= (*at == ')' || *at == ']') && others > 0;
        *is_block = *is_block || (*at == ';' && !others);
        at++;
    }
    return NULL;
}

/* The first brace of a block that this line opens and closes; NULL. */
static const char *first_block(const char *at, const char *end, const char **close)
{
    while (at < end) {
        bool is_block;
        if (*at == '"') {
            at = behind_string(at, end);
            continue;
        }
        const char *found = strchr("{([", *at) ? closing(at, end, &is_block) : NULL;
        if (found && is_block && *at == '{') {
            *close = found;
            return at;
        }
        at = found ? found + 1 : at + 1;
    }
    return NULL;
}

static void add_line(layout *l, const char *from, const char *end)
{
    fzi_grow(l->arena, &l->text, from, (size_t)(end - from));
    fzi_grow_z(l->arena, &l->text, "\n");
}

static void lay(layout *l, const char *from, const char *end);

/* Does the statement go on behind its block? */
static bool goes_on(const char *at)
{
    at += strspn(at, " ");
    return strncmp(at, "else", 4) == 0 || strncmp(at, "otherwise", 9) == 0 || *at == ';';
}

/* Each of the statements on lines of its own. */
static void lay_statements(layout *l, const char *from, const char *end)
{
    const char *start = from + strspn(from, " ");

    for (const char *at = start; at < end;) {
        bool is_block = false;
        const char *found = strchr("{([", *at) ? closing(at, end, &is_block) : NULL;
        bool ends = *at == ';' || (found && is_block && *at == '{' && !goes_on(found + 1));
        if (*at == '"')
            at = behind_string(at, end);
        else
            at = found ? found + 1 : at + 1;
        if (ends) {
            lay(l, start, at);
            start = at + strspn(at, " ");
        }
    }
    if (start < end)
        lay(l, start, end);
}

static void lay(layout *l, const char *from, const char *end)
{
    const char *close, *open;

    open = (size_t)(end - from) > FZ_LONG ? first_block(from, end, &close) : NULL;
    if (!open) {
        add_line(l, from, end);
        return;
    }
    add_line(l, from, open + 1);
    lay_statements(l, open + 1, close);
    lay(l, close, end);
}

const char *fzi_import_layout(fzi_arena *arena, const char *text)
{
    layout l = {.arena = arena};

    fzi_grow_z(arena, &l.text, "");
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        const char *word = text + strspn(text, " ");
        bool is_kept = strncmp(word, "//", 2) == 0;
        for (const char *at = text; at + 1 < end && !is_kept; at++)
            is_kept = (at[0] == '/' && at[1] == '/') || (at[0] == '"' && at[1] == '"');
        if (is_kept)
            add_line(&l, text, end);
        else
            lay(&l, text, end);
        text = end + (*end == '\n');
    }
    return l.text.text;
}
