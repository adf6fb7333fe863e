/* Texts of scripts as trees of brackets. See script_tree.h. */
#include "script_tree.h"

#include <ctype.h>

enum { MAX_DEPTH = 60 };

/* ---- tokens ---- */

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The end of the token that begins here. */
static const char *token_end(const char *at)
{
    static const char *const signs[] = {"..", "==", "!=", "<=", ">=", "=>", "+=", "-=", "|=", "&="};

    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (*at == '"') {
        for (at++; *at && *at != '"'; at++)
            at += *at == '\\' && at[1];
        return at + (*at == '"');
    }
    if (isdigit((unsigned char)*at))
        return at + strspn(at, "0123456789");
    if (is_letter(*at)) {
        while (is_letter(*at))
            at++;
        return at;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(at, signs[i], 2) == 0)
            return at + 2;
    return at + 1;
}

static const char *behind_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

size_t fzi_script_tokens(const char *text)
{
    size_t count = 0;

    for (const char *at = behind_space(text); *at; at = behind_space(token_end(at)))
        count++;
    return count;
}

bool fzi_is_token(const fzi_part *part, const char *text)
{
    return strlen(text) == part->length && memcmp(part->text, text, part->length) == 0;
}

bool fzi_line_has(const fzi_script_line *line, size_t at, const char *text)
{
    return at < line->count && fzi_is_token(&line->parts[at], text);
}

bool fzi_part_is_word(const fzi_part *part)
{
    return is_letter(*part->text) && !isdigit((unsigned char)*part->text);
}

bool fzi_part_is_number(const fzi_part *part)
{
    return isdigit((unsigned char)*part->text);
}

static bool is_one_of(const fzi_script_line *line, size_t at, const char *const *words)
{
    while (*words && !fzi_line_has(line, at, *words))
        words++;
    return *words != NULL;
}

/* ---- expressions ---- */

/* all i in a, j in b if c : d */
static size_t quantifier_end(const fzi_script_line *line, size_t at)
{
    for (at++; at + 1 < line->count && fzi_line_has(line, at + 1, "in");) {
        at = fzi_expression_end(line, at + 2);
        at += fzi_line_has(line, at, ",");
    }
    while (fzi_line_has(line, at, "if"))
        at = fzi_expression_end(line, at + 1);
    return fzi_line_has(line, at, ":") ? fzi_expression_end(line, at + 1) : at;
}

static size_t operand_end(const fzi_script_line *line, size_t at)
{
    static const char *const before[] = {"not", "-", "~", "#", NULL};
    static const char *const quantifiers[] = {"all", "any",   "sum", "count", "union",
                                              "max", "first", "min", NULL};

    while (is_one_of(line, at, before))
        at++;
    if (is_one_of(line, at, quantifiers) && fzi_line_has(line, at + 2, "in"))
        return quantifier_end(line, at);
    if (fzi_line_has(line, at, "if")) {
        at = fzi_expression_end(line, at + 1);
        at = fzi_line_has(line, at, "then") ? fzi_expression_end(line, at + 1) : line->count;
        return fzi_line_has(line, at, "else") ? fzi_expression_end(line, at + 1) : line->count;
    }
    if (at >= line->count || !(line->parts[at].is_group || is_letter(*line->parts[at].text)))
        return line->count;
    at++;
    while (at < line->count && line->parts[at].is_group && *line->parts[at].text != '{')
        at++;
    return at;
}

size_t fzi_expression_end(const fzi_script_line *line, size_t at)
{
    static const char *const between[] = {"+",  "-",  "*", "/", "%",  "|",  "&",   "==", "!=", "<",
                                          "<=", ">=", ">", ".", "..", "in", "and", "or", NULL};

    for (size_t depth = 0; depth < line->count; depth++) {
        at = operand_end(line, at);
        if (fzi_line_has(line, at, "not") && fzi_line_has(line, at + 1, "in"))
            at++;
        if (!is_one_of(line, at, between))
            return at;
        at++;
    }
    return at;
}

size_t fzi_operand_end(const fzi_script_line *line, size_t at)
{
    static const char *const loose[] = {"not",   "if",    "as",  "all",   "any", "sum",
                                        "count", "union", "max", "first", "min", NULL};

    return is_one_of(line, at, loose) ? at : operand_end(line, at);
}

/* ---- brackets ---- */

typedef struct reader {
    fzi_arena *arena;
    const char *at; /* of the next token */
    unsigned depth;
    bool broken;
} reader;

static const char *intern(reader *r, const fzi_growing *g)
{
    return fzi_intern(r->arena, g->text ? g->text : "", g->length);
}

static void end_line(reader *r, fzi_script_line *line)
{
    fzi_growing id = {0};

    for (size_t i = 0; i < line->count; i++) {
        fzi_grow_z(r->arena, &id, line->parts[i].id);
        fzi_grow_z(r->arena, &id, " ");
    }
    line->id = intern(r, &id);
}

/* Does a block stand here, even if it is empty? */
static bool begins_block(const fzi_script_line *line)
{
    static const char *const words[] = {"=>", "then", "otherwise", "else", NULL};
    return line->count && is_one_of(line, line->count - 1, words);
}

static bool ends_statement(const fzi_script_line *line, const char *next)
{
    static const char *const goes_on[] = {"else", "otherwise", "then", "ensuring", "keeping", ";"};
    const fzi_part *last = &line->parts[line->count - 1];
    size_t length = (size_t)(token_end(next) - next);

    for (size_t i = 0; i < sizeof goes_on / sizeof *goes_on; i++)
        if (length == strlen(goes_on[i]) && strncmp(next, goes_on[i], length) == 0)
            return false;
    return fzi_is_token(last, ";") || last->is_block;
}

static bool ends_declaration(const fzi_script_line *line, const char *next)
{
    static const char *const behind[] = {";", "on ", "ensuring", "keeping"};
    const fzi_part *last = &line->parts[line->count - 1];
    bool ended = last->is_group && *last->text == '{' && (is_letter(*next) || *next == '/');

    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        ended = ended && strncmp(next, behind[i], strlen(behind[i])) != 0;
    return ended || fzi_is_token(last, ";");
}

static void read_group(reader *r, fzi_part *group, bool top, bool opaque);

static void read_part(reader *r, fzi_script_line *line, size_t *capacity, bool opaque)
{
    bool graph = line->count && fzi_is_token(&line->parts[line->count - 1], "graph");
    bool block = begins_block(line);
    fzi_part *part = FZI_MORE(r->arena, line->parts, line->count, *capacity);

    *part = (fzi_part){.text = r->at};
    r->at = token_end(r->at);
    if (strchr("({[", *part->text)) {
        read_group(r, part, false, opaque || graph);
        part->is_block = part->is_block || (block && *part->text == '{');
    } else
        part->id = fzi_intern(r->arena, part->text, (size_t)(r->at - part->text));
    part->length = (size_t)(r->at - part->text);
    r->at = behind_space(r->at);
}

/* Does the group that is open here have statements? */
static bool has_statements(const char *at)
{
    for (unsigned depth = 1; *at && depth > 0; at = token_end(at)) {
        depth += strchr("({[", *at) != NULL;
        depth -= strchr(")}]", *at) != NULL;
        if (*at == ';')
            return true;
    }
    return false;
}

/* What is between the brackets, up to the closing one, or all of it at the top. */
static void read_group(reader *r, fzi_part *group, bool top, bool opaque)
{
    size_t capacity = 0, part_capacity = 0;
    fzi_growing id = {0};
    char close = top ? '\0' : *group->text == '(' ? ')' : *group->text == '[' ? ']' : '}';
    fzi_script_line *line = NULL;

    group->is_group = true;
    group->is_block = top || (close == '}' && !opaque && has_statements(r->at));
    r->broken = r->broken || ++r->depth > MAX_DEPTH;
    for (r->at = behind_space(r->at); *r->at && !strchr(")}]", *r->at) && !r->broken;) {
        if (!line) {
            line = FZI_MORE(r->arena, group->lines, group->count, capacity);
            *line = (fzi_script_line){0};
            part_capacity = 0;
        }
        bool comma = !group->is_block && *r->at == ',';
        if (comma)
            r->at = behind_space(r->at + 1);
        else
            read_part(r, line, &part_capacity, opaque);
        if (comma || (group->is_block &&
                      (top ? ends_declaration(line, r->at) : ends_statement(line, r->at)))) {
            end_line(r, line);
            line = NULL;
        }
    }
    if (line)
        end_line(r, line);
    r->depth--;
    r->broken = r->broken || *r->at != close;
    r->at += !top && *r->at;
    for (size_t i = 0; i < group->count && !r->broken; i++) {
        fzi_grow_z(r->arena, &id, group->lines[i].id);
        fzi_grow_z(r->arena, &id, group->is_block ? "\n" : ",");
    }
    group->lines_id = intern(r, &id);
    if (!top)
        group->id = fzi_intern_z(
            r->arena, fzi_arena_printf(r->arena, "%c%s%c", *group->text, group->lines_id, close));
}

fzi_part *fzi_script_tree(fzi_arena *arena, const char *text)
{
    reader r = {arena, text, 0, false};
    fzi_part *script = FZI_NEW(arena, fzi_part);

    script->text = text;
    script->length = strlen(text);
    read_group(&r, script, true, false);
    return r.broken ? NULL : script;
}
