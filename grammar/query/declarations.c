/* The declarations of a game with those of its bases and modules as a list, for comparing games
 * (ferz diff). */
#include <setjmp.h>
#include <string.h>

#include "interp/program/program_file.h"
#include "interp/support/context.h"
#include "grammar/query/query.h"
#include "grammar/syntax/parse.h"
#include "grammar/unit/layers.h"

/* A declaration as its file states it, and the first one of `var a, b` or `piece A, B`. */
typedef struct stated {
    const fzi_node *decl, *first;
} stated;

/* The words of one file, and what it declares. */
typedef struct words {
    uint32_t source;
    const char *text;
    fzi_lexeme *items;
    size_t count;
    stated *decls;
    size_t decl_count, decl_capacity;
} words;

typedef struct listing {
    fzi_arena *arena;
    fzi_analysis *analysis;
    const fzi_unit *unit;
    words *files;
    size_t file_count, file_capacity;
    fz_declaration *items;
    size_t count, capacity;
} listing;

static void add_stated_list(const listing *l, words *w, const fzi_node *list)
{
    const fzi_node *first = list;
    for (; list; list = list->next) {
        first = list->span.start < list->name_span.start || !list->name ? list : first;
        if (list->kind != N_D_WHEN) {
            *FZI_MORE(l->arena, w->decls, w->decl_count, w->decl_capacity) = (stated){list, first};
            continue;
        }
        add_stated_list(l, w, list->then);
        add_stated_list(l, w, list->otherwise);
    }
}

static const words *words_of(listing *l, uint32_t source)
{
    for (size_t i = 0; i < l->file_count; i++)
        if (l->files[i].source == source)
            return &l->files[i];
    words *made = FZI_MORE(l->arena, l->files, l->file_count, l->file_capacity);
    *made = (words){.source = source,
                    .text = fzi_source_at(l->analysis->sources, source)->text};
    made->items = fzi_lexemes(l->arena, l->analysis->sources, source, &made->count);
    add_stated_list(l, made, fzi_layer_at(l->unit, source)->file->decls);
    return made;
}

static const char *slice(const listing *l, const words *w, uint32_t start, uint32_t end)
{
    return fzi_arena_printf(l->arena, "%.*s", (int)(end - start), w->text + start);
}

static bool is(const words *w, const fzi_lexeme *lexeme, const char *text)
{
    size_t length = strlen(text);
    return lexeme->end - lexeme->start == length &&
           memcmp(w->text + lexeme->start, text, length) == 0;
}

/* The first lexeme that begins at the place or after it. */
static const fzi_lexeme *lexeme_at(const words *w, uint32_t at)
{
    size_t low = 0, high = w->count ? w->count - 1 : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->items[middle].start < at)
            low = middle + 1;
        else
            high = middle;
    }
    return &w->items[low];
}

/* The words and signs of a range, without comments. */
static const char *tokens_of(const listing *l, const words *w, uint32_t start, uint32_t end)
{
    fzi_growing text = {.text = NULL};
    fzi_grow_z(l->arena, &text, "");
    const fzi_lexeme *stop = w->items + w->count;
    for (const fzi_lexeme *lexeme = lexeme_at(w, start); lexeme < stop && lexeme->end <= end;
         lexeme++) {
        if (lexeme->start < start || lexeme->class <= FZI_LEXEME_DOC)
            continue;
        if (text.length)
            fzi_grow_z(l->arena, &text, " ");
        fzi_grow(l->arena, &text, w->text + lexeme->start, lexeme->end - lexeme->start);
    }
    return text.text;
}

/* ---- the declaration in its file ---- */

static stated find_stated(const words *w, fzi_span place)
{
    size_t low = 0, high = w->decl_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->decls[middle].decl->span.start <= place.start)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low && w->decls[low - 1].decl->span.end >= place.end;
    return is_found ? w->decls[low - 1] : (stated){NULL, NULL};
}

/* The end of the lines of a piece in braces that begin after the place. */
static uint32_t end_of_lines(const words *w, uint32_t at)
{
    const fzi_lexeme *l = lexeme_at(w, at), *last = w->items + w->count - 1;
    for (int depth = 0; l < last; l++) {
        depth += is(w, l, "{") - is(w, l, "}");
        if (depth == 0)
            break;
    }
    return l->end;
}

static const fzi_change *change_to(const listing *l, const fzi_node *decl)
{
    const fzi_change *found = NULL;
    for (const fzi_change *c = l->unit->changes; c; c = c->next)
        if (c->now == decl)
            found = c;
    return found;
}

static const char *joined(const listing *l, const char *a, const char *between, const char *b)
{
    return fzi_arena_printf(l->arena, "%s%s%s", a, *a && *b ? between : "", b);
}

/* Appends the text of a range to that of the declaration. */
static void add_text(const listing *l, fz_declaration *to, const char *between, const words *w,
                     uint32_t start, uint32_t end)
{
    to->text = joined(l, to->text, between, slice(l, w, start, end));
    to->tokens = joined(l, to->tokens, " ", tokens_of(l, w, start, end));
}

static void add_word(const listing *l, fz_declaration *to, const char *text)
{
    to->text = joined(l, to->text, "", text);
    to->tokens = joined(l, to->tokens, "", text);
}

/* Appends what a file says. Of `var a, b` and `piece A, B` each gets all words but the other's
 * name. `override` is left out, so a declaration equals one that says the same at once. `letter`:
 * of a piece, which may have it from the replaced one. */
static void add_stated(const listing *l, fz_declaration *to, const words *w, stated s,
                       const char *letter)
{
    const fzi_node *decl = s.decl, *first = s.first;
    const fzi_lexeme *word = lexeme_at(w, first->span.start);
    bool is_piece = decl->kind == N_D_PIECE, replaces = is(w, word, "override");
    uint32_t start = replaces ? word[1].start : word->start, end = decl->span.end;
    if (!is_piece && (decl->kind != N_D_VAR || (decl == first && w->text[end - 1] == ';'))) {
        add_text(l, to, "\n", w, start, end);
        return;
    }
    add_text(l, to, "\n", w, start, first->name_span.start);
    word = lexeme_at(w, decl->name_span.end);
    add_text(l, to, "", w, decl->name_span.start, is_piece ? decl->name_span.end : end);
    if (is_piece && letter && (replaces || decl->text))
        add_word(l, to, fzi_arena_printf(l->arena, " \"%s\"", letter));
    while (is_piece && !is(w, word, "{") && !is(w, word, ";"))
        word++;
    if (is_piece)
        add_text(l, to, is(w, word, "{") ? " " : "", w, word->start, end_of_lines(w, word->start));
    else if (w->text[end - 1] != ';')
        add_word(l, to, ";");
}

static bool uses_base(const words *w, const fzi_node *decl)
{
    const fzi_lexeme *stop = w->items + w->count;
    for (const fzi_lexeme *l = lexeme_at(w, decl->span.start); l < stop && l->end <= decl->span.end;
         l++)
        if (l->start >= decl->span.start && is(w, l, "base"))
            return true;
    return false;
}

/* The text of a declaration, after that of the one that it extends or uses as `base`. */
static void add_chain(listing *l, fz_declaration *to, const fzi_node *decl)
{
    const fzi_change *change = change_to(l, decl);
    fzi_span place = change                                          ? change->span
                     : decl->name_span.end > decl->name_span.start ? decl->name_span
                                                                     : decl->span;
    const words *w = words_of(l, place.source);
    stated s = find_stated(w, place);
    if (!s.decl)
        return;
    if (change && (s.decl->flags & FZ_NODE_EXTEND || uses_base(w, s.decl)))
        add_chain(l, to, change->old);
    add_stated(l, to, w, s, decl->text);
}

/* ---- the list ---- */

/* Modules of the standard library are listed by `use`. Other modules belong to the game. */
static bool is_of_library(const listing *l, const fzi_layer *layer)
{
    const fzi_layer *prelude = fzi_layer_at(l->unit, fzi_unit_prelude(l->unit));
    return layer && layer->module && prelude && strcmp(layer->folder, prelude->folder) == 0;
}

/* The name of a declaration in the list: functions and procedures differ in their number of
 * parameters. */
static const char *key_of(const listing *l, const fzi_node *decl)
{
    const char *name = decl->name && fzi_decl_has_name(decl) ? decl->name : "";
    if (decl->kind != N_D_FN && decl->kind != N_D_EXTERN && decl->kind != N_D_PROC)
        return name;
    return fzi_arena_printf(l->arena, "%s/%zu", name, fzi_list_length(decl->params));
}

static void add(listing *l, fz_declaration made)
{
    *FZI_MORE(l->arena, l->items, l->count, l->capacity) = made;
}

static void add_name(listing *l, const char *sort, const char *name)
{
    const char *text = fzi_arena_printf(l->arena, "%s %s;", sort, name);
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->items[i].text, text) == 0)
            return;
    add(l, (fz_declaration){sort, name, name, text, text, false});
}

static void add_uses(listing *l, const fzi_layer *layer)
{
    for (size_t i = 0; i < layer->use_count; i++)
        for (const fzi_node *name = layer->uses[i]->names; name; name = name->next)
            if (is_of_library(l, fzi_layer_at(l->unit, fzi_unit_module(l->unit, name->name))))
                add_name(l, "use", name->name);
}

/* `set` is part of the option. */
static void add_set(const listing *l, fz_declaration *to, const char *name)
{
    const fzi_option *option = fzi_find_option(l->unit, name);
    if (!option || option->chosen == option->initial)
        return;
    const char *set = fzi_arena_printf(l->arena, "\nset %s = %s;", name,
                                       fzi_option_text(l->arena, option, option->chosen));
    add_word(l, to, set);
}

/* A name with a blank is what a declaration that is used as `base` is called. */
static void add_decl(listing *l, const fzi_node *decl)
{
    const fzi_layer *own = fzi_layer_at(l->unit, decl->span.source),
                    *home = fzi_layer_at(l->unit, fzi_unit_home(l->unit, decl));
    bool library = is_of_library(l, home);
    if (decl->kind == N_D_INFO || (library && is_of_library(l, own)) ||
        (decl->name && strchr(decl->name, ' ')))
        return;
    if (decl->kind == N_D_SHOW) {
        for (const fzi_node *name = decl->names; name; name = name->next)
            add_name(l, "show", name->name);
        return;
    }
    const char *key = key_of(l, decl);
    fz_declaration made = {fzi_decl_sort(decl->kind), key, *key ? decl->name : "", "", "", library};
    add_chain(l, &made, decl);
    if (decl->kind == N_D_OPTION)
        add_set(l, &made, decl->name);
    add(l, made);
}

static void list_all(listing *l, fz_declarations *made)
{
    const fzi_layer *own = NULL;
    for (size_t i = 0; i < l->unit->layer_count; i++)
        if (!is_of_library(l, l->unit->layers[i])) {
            own = l->unit->layers[i]->module ? own : l->unit->layers[i];
            add_uses(l, l->unit->layers[i]);
        }
    for (const fzi_node *decl = l->unit->decls; decl; decl = decl->next)
        add_decl(l, decl);
    *made = (fz_declarations){l->unit->title, own && own->base_count ? own->bases[0]->path : NULL,
                              l->count, l->items, l->analysis};
}

static fz_status list(fz_context *context, const char *path, fzi_analysis *analysis,
                      fz_declarations *made, fz_report **report)
{
    if (!analysis || !made || setjmp(*fzi_arena_handler(analysis->arena)))
        return fzi_context_no_memory(context);
    if (analysis->diags->errors) {
        *report = fzi_report_new(analysis->diags, context->allocator);
        return *report ? fzi_context_fail(context, FZ_INVALID, "the script has errors")
                       : fzi_context_no_memory(context);
    }
    if (analysis->unit->is_library)
        return fzi_context_fail(context, FZ_INVALID, "%s: a library is no game", path);
    list_all(&(listing){.arena = analysis->arena, .analysis = analysis, .unit = analysis->unit},
             made);
    return FZ_OK;
}

fz_status fz_declarations_read(fz_context *context, const char *path, const fz_setting *settings,
                               size_t setting_count, fz_declarations **declarations,
                               fz_report **report)
{
    char *text = NULL;
    size_t length = 0;
    *declarations = NULL;
    *report = NULL;
    fz_status status = fzi_context_read_file(context, path, &text, &length);
    bool is_script = length < 4 || memcmp(text, FZ_GAMEC_MAGIC, 4) != 0;
    fzi_release(context->allocator, text);
    if (status == FZ_OK && !is_script)
        status = fzi_context_fail(context, FZ_USAGE, "%s: not a script", path);
    if (status != FZ_OK)
        return status;
    fzi_analysis *analysis = fzi_analyse_game(context, path, settings, setting_count);
    fz_declarations *made = fzi_allocate(context->allocator, sizeof *made);
    status = list(context, path, analysis, made, report);
    if (status == FZ_OK) {
        *declarations = made;
    } else {
        fzi_analysis_free(analysis);
        fzi_release(context->allocator, made);
    }
    return status;
}

void fz_declarations_free(fz_context *context, fz_declarations *declarations)
{
    if (!declarations)
        return;
    fzi_analysis_free(declarations->analysis);
    fzi_release(context->allocator, declarations);
}
