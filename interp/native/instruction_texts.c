/* The texts that generated C is made of: headers, flattened, and the loop instruction by instruction. */
#include "native.h"

#include <string.h>

#include "interp/program/opcodes.h"
#include "texts.h"

static const char *text_of(const char *name, size_t length)
{
    for (const fzi_native_text *t = fzi_native_texts; t->name; t++)
        if (strlen(t->name) == length && memcmp(t->name, name, length) == 0)
            return t->text;
    return NULL;
}

/* ---- headers ---- */

static const char *const api_names[] = {
#define FUNCTION(name) #name,
#include "api.def"
#undef FUNCTION
};

static bool ends_with(const char *name, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && memcmp(name + length - n, end, n) == 0;
}

/* Lists and parts of the loop are included where they are wanted. */
static bool is_once(const char *name, size_t length)
{
    return !ends_with(name, length, ".def") && !ends_with(name, length, ".inc.h");
}

/* The number of the function of the api that a line at the left margin declares; -1. */
static int declared(const char *line, size_t length)
{
    const char *paren = memchr(line, '(', length);
    if (!paren || *line == ' ' || *line == '#' || *line == '/')
        return -1;
    for (size_t i = 0; i < sizeof api_names / sizeof *api_names; i++) {
        size_t n = strlen(api_names[i]);
        const char *name = paren - n;
        if (name > line && (name[-1] == ' ' || name[-1] == '*') && memcmp(name, api_names[i], n) == 0)
            return (int)i;
    }
    return -1;
}

static bool ends_declaration(const char *line, size_t length)
{
    const char *comment = NULL;
    for (size_t i = 0; i + 1 < length && !comment; i++)
        if (line[i] == '/' && line[i + 1] == '*')
            comment = line + i;
    if (comment)
        length = (size_t)(comment - line);
    while (length && line[length - 1] == ' ')
        length--;
    return length && line[length - 1] == ';';
}

static void header(fzi_texts *h, const char *name, size_t length);

/* `#include "x"` becomes the text of x. */
static bool included(fzi_texts *h, const char *line, size_t length)
{
    static const char word[] = "#include \"";
    const char *name = line + sizeof word - 1, *end;
    if (length < sizeof word || memcmp(line, word, sizeof word - 1) != 0)
        return false;
    for (end = line + length - 1; *end != '"'; end--)
        ;
    for (const char *p = name; p < end; p++)
        if (*p == '/')
            name = p + 1;
    header(h, name, (size_t)(end - name));
    return true;
}

static void header(fzi_texts *h, const char *name, size_t length)
{
    const char *text = text_of(name, length);
    int waiting = -1;
    if (!text)
        return;
    for (unsigned i = 0; i < h->count; i++)
        if (h->seen[i] == text)
            return;
    if (is_once(name, length) && h->count < sizeof h->seen / sizeof *h->seen)
        h->seen[h->count++] = text;
    while (*text) {
        size_t line = strcspn(text, "\n");
        if (!included(h, text, line)) {
            fzi_buffer_add(h->out, text, line);
            fzi_buffer_char(h->out, '\n');
            int number = h->api ? declared(text, line) : -1;
            waiting = number >= 0 ? number : waiting;
            if (waiting >= 0 && ends_declaration(text, line)) {
                fzi_buffer_format(h->out, "#define %s (*(__typeof__(%s) *)fz_api[%d])\n",
                                  api_names[waiting], api_names[waiting], waiting);
                waiting = -1;
            }
        }
        text += line + (text[line] == '\n');
    }
}

void fzi_native_text_add(fzi_texts *texts, const char *name)
{
    header(texts, name, strlen(name));
}

/* ---- instructions ---- */

static const char *const parts[] = {"vm_values.inc.h", "vm_sites.inc.h", "vm_turn.inc.h",
                                    "vm_chance.inc.h"};

/* Does an instruction begin here? Its name's place. */
static const char *begins(const char *line)
{
    static const char *const words[] = {"CASE(", "NUMBER(", "SETS(", "BINARY(", "PARTIAL("};
    if (memcmp(line, "    ", 4) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(line + 4, words[i], strlen(words[i])) == 0)
            return line + 4 + strlen(words[i]);
    return NULL;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* A label alone: the next instruction's text is this one's too. */
static bool is_bare(const char *line)
{
    size_t length = strcspn(line, "\n");
    return length > 6 && memcmp(line, "    CASE(", 9) == 0 && line[length - 1] == ')' &&
           !memchr(line, '{', length);
}

static const char *unit_in(const char *text, const char *name, size_t *length)
{
    size_t n = strlen(name);
    for (const char *line = text; *line; line = next_line(line)) {
        const char *at = begins(line);
        if (!at || strncmp(at, name, n) != 0 || (at[n] != ')' && at[n] != ','))
            continue;
        const char *end = line;
        while (is_bare(end) && begins(next_line(end)))
            end = next_line(end);
        end = next_line(end);
        while (*end && !begins(end))
            end = next_line(end);
        *length = (size_t)(end - line);
        return line;
    }
    return NULL;
}

const char *fzi_native_unit(unsigned opcode, size_t *length)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *text = text_of(parts[i], strlen(parts[i]));
        const char *unit = text ? unit_in(text, fzi_opcode_name(opcode), length) : NULL;
        if (unit)
            return unit;
    }
    return NULL;
}
