/* The declarations of one text as a list, for comparing texts (ferz diff). */
#include <setjmp.h>
#include <string.h>

#include "interp/support/context.h"
#include "grammar/source/arena.h"
#include "grammar/syntax/parse.h"
#include "grammar/unit/layers.h"

enum { MAX_MEMORY = 1 << 28 };

typedef struct listing {
    fzi_arena *arena;
    fzi_sources sources;
    uint32_t source;
    const char *text;
    fzi_lexeme *lexemes;
    size_t lexeme_count;
    fz_declaration *items;
    size_t count, capacity;
} listing;

static const char *slice(const listing *l, uint32_t start, uint32_t end)
{
    return fzi_arena_printf(l->arena, "%.*s", (int)(end - start), l->text + start);
}

/* The words and signs of a range, without comments. */
static const char *tokens_of(const listing *l, uint32_t start, uint32_t end)
{
    fzi_growing text = {.text = NULL};
    fzi_grow_z(l->arena, &text, "");
    for (size_t i = 0; i < l->lexeme_count; i++) {
        const fzi_lexeme *lexeme = &l->lexemes[i];
        if (lexeme->start < start || lexeme->end > end ||
            lexeme->class == FZI_LEXEME_COMMENT || lexeme->class == FZI_LEXEME_DOC)
            continue;
        if (text.length)
            fzi_grow_z(l->arena, &text, " ");
        fzi_grow(l->arena, &text, l->text + lexeme->start, lexeme->end - lexeme->start);
    }
    return text.text;
}

/* The offset of the first such sign after `at`. */
static uint32_t sign_after(const listing *l, uint32_t at, char sign, uint32_t end)
{
    for (size_t i = 0; i < l->lexeme_count; i++)
        if (l->lexemes[i].start >= at && l->lexemes[i].end <= end &&
            l->text[l->lexemes[i].start] == sign)
            return l->lexemes[i].start;
    return end;
}

static void add(listing *l, fz_declaration made)
{
    *FZI_MORE(l->arena, l->items, l->count, l->capacity) = made;
}

/* The name of a declaration in the list: functions and procedures differ in their number of
 * parameters. */
static const char *key_of(const listing *l, const fzi_node *decl)
{
    const char *name = decl->name && decl->kind != N_D_BOARD ? decl->name : "";
    if (decl->kind == N_D_ON_CAPTURE)
        name = "";
    if (decl->kind != N_D_FN && decl->kind != N_D_EXTERN && decl->kind != N_D_PROC)
        return name;
    return fzi_arena_printf(l->arena, "%s/%zu", name, fzi_list_length(decl->params));
}

static void add_names(listing *l, const fzi_node *decl, const char *sort, const char *condition)
{
    for (const fzi_node *name = decl->names; name; name = name->next) {
        const char *text = slice(l, name->span.start, name->span.end);
        text = fzi_arena_printf(l->arena, "%s %s;", sort, text);
        add(l, (fz_declaration){sort, name->name, name->name, condition, text, text, false});
    }
}

/* Each of `piece A, B { ... }` gets the lines. */
static const fzi_node *add_pieces(listing *l, const fzi_node *decl, const char *condition)
{
    const fzi_node *last = decl;
    while (last->next && last->next->kind == N_D_PIECE &&
           *tokens_of(l, last->span.end, last->next->span.start) == ',')
        last = last->next;
    if (last == decl)
        return NULL;
    uint32_t end = last->span.end, open = sign_after(l, last->name_span.end, '{', end);
    for (;; decl = decl->next) {
        const char *body = open < end ? slice(l, open, end) : "", *between = open < end ? " " : ";";
        const char *letter = decl->text ? fzi_arena_printf(l->arena, " \"%s\"", decl->text) : "";
        const char *text = fzi_arena_printf(l->arena, "piece %s%s%s%s", decl->name, letter, between,
                                            body);
        const char *tokens = fzi_arena_printf(l->arena, "piece %s%s%s%s", decl->name, letter,
                                              between, tokens_of(l, open, end));
        add(l, (fz_declaration){"piece", decl->name, decl->name, condition, text, tokens, false});
        if (decl == last)
            return last;
    }
}

static const char *with_condition(const listing *l, const char *outer, const fzi_node *when,
                                  bool holds)
{
    const char *own = slice(l, when->condition->span.start, when->condition->span.end);
    if (!holds)
        own = fzi_arena_printf(l->arena, "not (%s)", own);
    return *outer ? fzi_arena_printf(l->arena, "%s, %s", outer, own) : own;
}

static const char *joined(const listing *l, const char *a, const char *b, const char *c)
{
    return fzi_arena_printf(l->arena, "%s%s%s", a, b, c);
}

static bool ends_here(const listing *l, const fzi_node *decl)
{
    return l->text[decl->span.end - 1] == ';';
}

static void add_list(listing *l, const fzi_node *decl, const char *condition)
{
    const fzi_node *first = decl; /* of `var a, b;` */
    for (; decl; decl = decl->next) {
        const fzi_node *last = decl->kind == N_D_PIECE ? add_pieces(l, decl, condition) : NULL;
        if (last) {
            decl = last;
        } else if (decl->kind == N_D_WHEN) {
            add_list(l, decl->then, with_condition(l, condition, decl, true));
            add_list(l, decl->otherwise, with_condition(l, condition, decl, false));
        } else if (decl->kind == N_D_SHOW) {
            add_names(l, decl, "show", condition);
        } else if (decl->kind == N_D_USE) {
            add_names(l, decl, "use", condition);
        } else if (decl->kind != N_D_TEST && decl->kind != N_D_INFO) {
            const char *key = key_of(l, decl);
            const char *name = *key ? decl->name : "";
            const char *text = slice(l, decl->span.start, decl->span.end);
            const char *tokens = tokens_of(l, decl->span.start, decl->span.end);
            first = decl->span.start < decl->name_span.start ? decl : first;
            if (decl->kind == N_D_VAR && (decl != first || !ends_here(l, decl))) {
                uint32_t start = first->span.start, name_at = first->name_span.start;
                const char *end = ends_here(l, decl) ? "" : ";";
                text = joined(l, slice(l, start, name_at),
                              slice(l, decl->name_span.start, decl->span.end), end);
                tokens = joined(l, tokens_of(l, start, name_at), " ",
                                tokens_of(l, decl->name_span.start, decl->span.end));
                tokens = joined(l, tokens, *end ? " " : "", end);
            }
            bool changes = decl->flags & (FZ_NODE_OVERRIDE | FZ_NODE_EXTEND);
            add(l, (fz_declaration){fzi_decl_sort(decl->kind), key, name, condition, text, tokens,
                                    changes});
        }
    }
}

static bool read_all(listing *l, const char *path, const char *text,
                     size_t length, fz_declarations **made)
{
    fzi_diags diags;
    if (setjmp(*fzi_arena_handler(l->arena)))
        return false;
    fzi_sources_init(&l->sources, l->arena);
    fzi_diags_init(&diags, l->arena, &l->sources);
    l->source = fzi_sources_add(&l->sources, path, text, length);
    l->text = fzi_source_at(&l->sources, l->source)->text;
    const fzi_node *file = fzi_parse_file(l->arena, &l->sources, &diags, l->source, false);
    if (diags.errors)
        return true;
    l->lexemes = fzi_lexemes(l->arena, &l->sources, l->source, &l->lexeme_count);
    add_list(l, file->decls, "");
    *made = FZI_NEW(l->arena, fz_declarations);
    **made = (fz_declarations){file->text, l->count, l->items, l->arena};
    return true;
}

fz_status fz_declarations_read(fz_context *context, const char *path, const char *text,
                               size_t length, fz_declarations **declarations)
{
    listing l = {.arena = NULL};
    fz_declarations *made = NULL;
    if (declarations)
        *declarations = NULL;
    if (length > FZ_MAX_FILE)
        return fzi_context_fail(context, FZ_BAD_INPUT, "%s: too large", path);
    l.arena = fzi_arena_new(context->allocator.resize, context->allocator.user, MAX_MEMORY);
    bool done = l.arena && read_all(&l, path, text, length, &made);
    if (done && made && declarations)
        *declarations = made;
    else
        fzi_arena_free(l.arena);
    return !done ? fzi_context_no_memory(context)
           : made ? FZ_OK
                  : fzi_context_fail(context, FZ_INVALID, "%s has errors", path);
}

void fz_declarations_free(fz_declarations *declarations)
{
    fzi_arena_free(declarations ? declarations->arena : NULL);
}
