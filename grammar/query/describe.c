/* Describes symbols in the words of the script that declares them. */
#include "query.h"

#include <ctype.h>

#include "interp/support/text.h"

enum { MAX_LINE = 160 };

/* The manual's descriptions of primitives, in the order of the table. */
static const char *const meanings[] = {
#define PRIM(name, parameters, result, effects, meaning) meaning,
#include "grammar/check/primitives.def"
#undef PRIM
};

static bool is_primitive(const fzi_symbol *symbol)
{
    return symbol->kind == FZI_SYM_PRIMITIVE && symbol->value < FZI_PIECE_MOVES;
}

const char *fzi_describe_type(const fzi_symbol *symbol)
{
    const fzi_type *type = symbol->type;
    if (is_primitive(symbol))
        return type && !*fzi_primitive_at(symbol->value)->parameters ? type->text : "";
    return type && type->kind != FZI_TYPE_POISON && type->kind != FZI_TYPE_VOID ? type->text : "";
}

/* ---- signatures ---- */

static void add_text(const fzi_analysis *a, fzi_signature_text *s, const char *text)
{
    s->text = fzi_arena_printf(a->arena, "%s%s", s->text, text);
}

static void add_parameter(const fzi_analysis *a, fzi_signature_text *s, const char *text)
{
    if (s->count < FZI_MOST_PARAMETERS) {
        s->start[s->count] = (uint32_t)strlen(s->text);
        s->end[s->count] = s->start[s->count] + (uint32_t)strlen(text);
        s->count++;
    }
    add_text(a, s, text);
}

/* The names that the manual gives the parameters of primitives (docs/tables.py). */
static const char *parameter_name(const fzi_analysis *a, const char *parameters, size_t at)
{
    unsigned before = 0, all = 0;
    char letter = parameters[at];
    for (size_t i = 0; parameters[i]; i++) {
        all += parameters[i] == letter;
        before += i < at && parameters[i] == letter;
    }
    const char *names = letter == 'S' ? "STU" : "ab";
    bool has_names = letter == 's' || letter == 'i' || letter == 'S';
    if (all > 1 && has_names)
        return fzi_arena_printf(a->arena, "%c", names[before]);
    switch (letter) {
    case 'X': return "set";
    case 'G': return "generator";
    case 'R': return "die";
    case 'K': return "k";
    case 'i': return "n";
    default: return fzi_arena_printf(a->arena, "%c", letter);
    }
}

static void primitive_signature(const fzi_analysis *a, const fzi_primitive_row *row,
                                fzi_signature_text *s)
{
    bool is_optional = false;
    for (size_t i = 0; row->parameters[i]; i++) {
        if (row->parameters[i] == '?') {
            is_optional = true;
            continue;
        }
        const char *name = parameter_name(a, row->parameters, i);
        const fzi_type *type = fzi_primitive_type(a->game, row->parameters[i]);
        add_text(a, s, is_optional ? "[" : "");
        add_text(a, s, s->count ? ", " : "");
        add_parameter(a, s, type ? fzi_arena_printf(a->arena, "%s: %s", name, type->text) : name);
        add_text(a, s, is_optional ? "]" : "");
    }
    const fzi_type *result = fzi_primitive_type(a->game, row->result);
    add_text(a, s, ")");
    if (result && result->kind != FZI_TYPE_VOID)
        add_text(a, s, fzi_arena_printf(a->arena, ": %s", result->text));
}

bool fzi_describe_signature(const fzi_analysis *a, const fzi_symbol *symbol, fzi_signature_text *s)
{
    *s = (fzi_signature_text){.text = fzi_arena_printf(a->arena, "%s(", symbol->name)};
    if (is_primitive(symbol)) {
        const fzi_primitive_row *row = fzi_primitive_at(symbol->value);
        if (!*row->parameters)
            return false;
        primitive_signature(a, row, s);
        return true;
    }
    if (symbol->kind == FZI_SYM_PROPERTY) {
        add_parameter(a, s, "k: kind");
    } else if (symbol->kind == FZI_SYM_FN || symbol->kind == FZI_SYM_PROC ||
               symbol->kind == FZI_SYM_EXTERN || symbol->kind == FZI_SYM_PART ||
               (symbol->kind == FZI_SYM_MOVES && symbol->param_count)) {
        for (unsigned i = 0; i < symbol->param_count; i++) {
            const fzi_symbol *p = symbol->params[i];
            add_text(a, s, i ? ", " : "");
            add_parameter(a, s, fzi_arena_printf(a->arena, "%s: %s", p->name,
                                                 p->type ? p->type->text : "?"));
        }
    } else {
        return false;
    }
    add_text(a, s, ")");
    if (*fzi_describe_type(symbol))
        add_text(a, s, fzi_arena_printf(a->arena, ": %s", symbol->type->text));
    return true;
}

/* ---- declarations ---- */

/* The beginning of the body of a declaration, after its name. */
static const char *body_of(const fzi_node *decl, const char *at, const char *end)
{
    bool has_body = decl->kind == N_D_FN || decl->kind == N_D_PROC || decl->kind == N_D_MOVES ||
                    decl->kind == N_D_PIECE;
    unsigned depth = 0;
    for (; has_body && at < end; at++) {
        if (*at == '"') {
            for (at++; at < end && *at != '"'; at++)
                ;
        } else if (*at == '(' || *at == '[') {
            depth++;
        } else if (*at == ')' || *at == ']') {
            depth -= depth > 0;
        } else if (*at == '{' || (*at == '=' && depth == 0)) {
            return at;
        }
    }
    return at > end ? end : has_body ? at : end;
}

/* The text with single blanks, without comments, cut if it is long. */
static const char *on_one_line(fzi_arena *arena, const char *at, const char *end)
{
    char *line = fzi_arena_alloc(arena, (size_t)(end - at) + 8);
    size_t length = 0;
    while (at < end) {
        if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
            while (at < end && *at != '\n')
                at++;
        } else if (isspace((unsigned char)*at)) {
            if (length && line[length - 1] != ' ')
                line[length++] = ' ';
            at++;
        } else {
            line[length++] = *at++;
        }
    }
    while (length && strchr(" ;,={", line[length - 1]))
        length--;
    if (length > MAX_LINE) {
        length = MAX_LINE;
        while (fzi_utf8_continues(line[length]))
            length--;
        memcpy(line + length, " ...", 4);
        length += 4;
    }
    line[length] = '\0';
    return line;
}

static const char *declaration_text(const fzi_analysis *a, const fzi_symbol *symbol)
{
    const fzi_node *decl = symbol->node;
    const fzi_source *source = decl ? fzi_source_at(a->sources, decl->span.source) : NULL;
    if (!source || decl->span.end > source->length || decl->name_span.end < decl->span.start)
        return NULL;
    const char *start = source->text + decl->span.start, *end = source->text + decl->span.end;
    const char *stop = body_of(decl, source->text + decl->name_span.end, end);
    const char *text = on_one_line(a->arena, start, stop);
    if (decl->kind == N_D_LET && !decl->declared_type && *fzi_describe_type(symbol)) {
        /* The inferred type, where the author would write it. */
        const char *equals = strstr(text, " = ");
        int head = (int)(equals ? equals - text : (ptrdiff_t)strlen(text));
        text = fzi_arena_printf(a->arena, "%.*s: %s%s", head, text, symbol->type->text,
                                text + head);
    }
    return text;
}

static bool has_declaration_text(const fzi_symbol *symbol)
{
    switch (symbol->kind) {
    case FZI_SYM_OPTION: case FZI_SYM_ENUM: case FZI_SYM_DIE: case FZI_SYM_KIND:
    case FZI_SYM_PROPERTY: case FZI_SYM_LET: case FZI_SYM_VAR: case FZI_SYM_FN:
    case FZI_SYM_MOVES: case FZI_SYM_PROC: case FZI_SYM_EXTERN:
        return true;
    default:
        return false;
    }
}

static const char *word_of(const fzi_symbol *symbol)
{
    switch (symbol->kind) {
    case FZI_SYM_TYPE: return "type";
    case FZI_SYM_VALUE: return "value";
    case FZI_SYM_PLAYER: return "player";
    case FZI_SYM_TEAM: return "team";
    case FZI_SYM_KIND: return "piece";
    case FZI_SYM_SITE: return "site";
    case FZI_SYM_DIR: return "direction";
    case FZI_SYM_PRIMITIVE: return symbol->value >= FZI_PIECE_MOVES ? "moves" : "built in";
    case FZI_SYM_LOCAL: break;
    default: return "";
    }
    static const char *const locals[] = {"for", "let", "var", "parameter", "site"};
    return locals[symbol->local];
}

const char *fzi_describe_symbol(const fzi_analysis *a, const fzi_symbol *symbol)
{
    const char *text = has_declaration_text(symbol) ? declaration_text(a, symbol) : NULL;
    if (text)
        return text;
    fzi_signature_text signature;
    const char *word = word_of(symbol), *type = fzi_describe_type(symbol);
    if (fzi_describe_signature(a, symbol, &signature))
        return fzi_arena_printf(a->arena, "%s %s", word, signature.text);
    bool shows_type = symbol->kind == FZI_SYM_VALUE || symbol->kind == FZI_SYM_LOCAL ||
                      symbol->kind == FZI_SYM_PRIMITIVE;
    return fzi_arena_printf(a->arena, "%s %s%s%s", word, symbol->name,
                            shows_type && *type ? ": " : "", shows_type ? type : "");
}

/* ---- documentation ---- */

const char *fzi_describe_purpose(const fzi_analysis *a, const fzi_symbol *symbol)
{
    if (is_primitive(symbol))
        return meanings[symbol->value];
    if (symbol->kind == FZI_SYM_PRIMITIVE)
        return symbol->value == FZI_PIECE_MOVES ? "the moves of all pieces of `me`"
                                                : "the moves of the piece on a site";
    if (!symbol->node)
        return NULL;
    const char *doc = fzi_node_doc(a->sources, a->arena, symbol->node);
    if (!doc && symbol->node->kind == N_OPTION_VALUE)
        return symbol->node->text;
    return doc;
}
