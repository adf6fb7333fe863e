/* Completion (methods.def). The grammar gives the words that may follow, and the checker the
 * names: it checks a text with a name at the place, and notes the type that it expects there. */
#include "lsp.h"

#include <ctype.h>
#include <dirent.h>

#include "grammar/syntax/parse.h"
#include "interp/support/text.h"

#define MARKER "completion_"
enum { MAX_OPEN = 64, FZ_PLAIN_TEXT = 1, FZ_SNIPPET = 2 };

/* Numbers of the Language Server Protocol. */
enum item_kind {
    ITEM_FUNCTION = 3, ITEM_VARIABLE = 6, ITEM_CLASS = 7, ITEM_MODULE = 9, ITEM_PROPERTY = 10,
    ITEM_ENUM = 13, ITEM_KEYWORD = 14, ITEM_ENUM_MEMBER = 20, ITEM_CONSTANT = 21
};

typedef struct completion {
    const fzi_lsp_place *at;
    uint32_t start, end; /* the word that is being written */
    const fzi_lexeme *lexemes; /* of the text before it */
    size_t count;
    json_t *items;
} completion;

/* ---- items ---- */

static void add_item(const completion *c, const char *label, int kind, const char *order,
                     const char *detail, const char *purpose, bool is_call)
{
    fzi_arena *arena = c->at->analysis->arena;
    bool snippet = is_call && c->at->lsp->client.snippets;
    json_t *item =
        json_pack("{s:s, s:i, s:s, s:i, s:{s:o, s:s}}", "label", label, "kind", kind, "sortText",
                  fzi_arena_printf(arena, "%s%s", order, label), "insertTextFormat",
                  snippet ? FZ_SNIPPET : FZ_PLAIN_TEXT, "textEdit", "range",
                  fzi_lsp_range(c->at->lsp, c->at->source, c->start, c->end), "newText",
                  snippet ? fzi_arena_printf(arena, "%s($0)", label) : label);
    if (detail && *detail)
        json_object_set_new(item, "detail", fzi_lsp_string(detail));
    if (purpose)
        json_object_set_new(item, "documentation", fzi_lsp_string(purpose));
    if (purpose && (strncmp(purpose, "Deprecated:", strlen("Deprecated:")) == 0 ||
                    strstr(purpose, "\nDeprecated:")))
        json_object_set_new(item, "tags", json_pack("[i]", 1));
    json_array_append_new(c->items, item);
}

static int kind_of(const fzi_symbol *symbol, bool is_call)
{
    switch (symbol->kind) {
    case FZI_SYM_TYPE: case FZI_SYM_ENUM: case FZI_SYM_DIE: return ITEM_ENUM;
    case FZI_SYM_KIND: return ITEM_CLASS;
    case FZI_SYM_PROPERTY: return ITEM_PROPERTY;
    case FZI_SYM_LET: case FZI_SYM_OPTION: return ITEM_CONSTANT;
    case FZI_SYM_VAR: case FZI_SYM_LOCAL: return ITEM_VARIABLE;
    case FZI_SYM_FN: case FZI_SYM_MOVES: case FZI_SYM_PROC: case FZI_SYM_EXTERN:
    case FZI_SYM_PART:
        return ITEM_FUNCTION;
    case FZI_SYM_PRIMITIVE: return is_call ? ITEM_FUNCTION : ITEM_CONSTANT;
    default: return ITEM_ENUM_MEMBER;
    }
}

/* Locals, what fits, what else is allowed, and sites and directions, of which there are many. */
static const char *order_of(const fzi_candidate *candidate)
{
    const fzi_symbol *s = candidate->symbol;
    if (s->kind == FZI_SYM_LOCAL)
        return candidate->fits ? "0" : "2";
    if (s->kind == FZI_SYM_SITE || s->kind == FZI_SYM_DIR)
        return "5";
    return candidate->fits ? "1" : "3";
}

static void add_candidates(const completion *c, const fzi_candidates *found, bool plain)
{
    const fzi_analysis *a = c->at->analysis;
    for (size_t i = 0; i < found->count; i++) {
        const fzi_symbol *s = found->items[i].symbol;
        fzi_signature_text signature;
        bool is_call = fzi_describe_signature(a, s, &signature);
        bool is_site = s->kind == FZI_SYM_SITE || s->kind == FZI_SYM_DIR;
        const char *label = plain ? fzi_plain_name(s->name) : s->name;
        add_item(c, label, kind_of(s, is_call), order_of(&found->items[i]),
                 is_call   ? signature.text
                 : is_site ? fzi_describe_type(s)
                           : fzi_describe_symbol(a, s),
                 fzi_describe_purpose(a, s), is_call);
    }
}

/* ---- words of the language ---- */

/* What follows a word that begins a declaration or a statement, as a snippet. */
static const char *snippet_of(const char *word)
{
    static const struct { const char *word, *rest; } rows[] = {
        {"board", " square(${1:8});"},
        {"players", " ${1:White}, ${2:Black};"},
        {"piece", " ${1:Man} \"${2:M}\" { move to ${3:step(here, forward)}; }"},
        {"setup", " {\n  $0\n}"},
        {"turn", " {\n  choose $0 otherwise lose me;\n}"},
        {"end", " { if ${1:condition} win ${2:me}; }"},
        {"limit", " ${1:400} turns ${2:draw};"},
        {"fn", " ${1:name}(${2:s: site}): ${3:sites} = $0;"},
        {"proc", " ${1:name}(${2:s: site}) {\n  $0\n}"},
        {"moves", " ${1:name}(${2:s: site}) {\n  $0\n}"},
        {"enum", " ${1:Name} { ${2:First}, ${3:Second} }"},
        {"test", " \"${1:title}\" {\n  position \"\"\"\n$0\n  \"\"\";\n}"},
        {"choose", " to in ${1:empty} => $0"},
        {"for", " ${1:x} in ${2:sites} $0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].word, word) == 0)
            return rows[i].rest;
    return NULL;
}

/* A word, and where the client fills in snippets, what follows it. */
static void add_word(const completion *c, const char *word)
{
    const char *rest = c->at->lsp->client.snippets ? snippet_of(word) : NULL;
    add_item(c, word, ITEM_KEYWORD, "4", NULL, NULL, false);
    if (!rest)
        return;
    json_t *item = json_array_get(c->items, json_array_size(c->items) - 1);
    json_object_set_new(item, "insertTextFormat", json_integer(FZ_SNIPPET));
    json_object_set_new(json_object_get(item, "textEdit"), "newText",
                        json_string(fzi_arena_printf(c->at->analysis->arena, "%s%s", word, rest)));
}

/* The types of an expression that begins with the word; 0: any. */
static int type_of_word(const char *word)
{
    static const struct { const char *word; int type; } rows[] = {
        {"any", FZI_TYPE_BOOL}, {"all", FZI_TYPE_BOOL},  {"not", FZI_TYPE_BOOL},
        {"count", FZI_TYPE_INT}, {"sum", FZI_TYPE_INT}, {"max", FZI_TYPE_INT},
        {"min", FZI_TYPE_INT},  {"union", FZI_TYPE_SET}, {"graph", FZI_TYPE_VOID},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].word, word) == 0)
            return rows[i].type;
    return 0;
}

static void add_words(const completion *c, const char *const *words, bool takes_name,
                      const fzi_probe *probe)
{
    const fzi_type *want = probe->wanted == FZI_WANTS_VALUE ? probe->type : NULL;
    for (; *words; words++) {
        int type = want ? type_of_word(*words) : 0;
        /* Words that can be names are names wherever the grammar allows a name. */
        bool is_name = takes_name && !type_of_word(*words) &&
                       fzi_is_name(c->at->analysis->arena, *words);
        if (is_name || (want && fzi_globals_named(c->at->analysis, *words).count))
            continue;
        if (!type || type == want->kind || want->kind == FZI_TYPE_BOOL)
            add_word(c, *words);
    }
}

/* ---- the text with a name ---- */

/* The closing brackets for those that are open before the word. */
static void closers_of(const completion *c, char *closers, bool braces)
{
    char open[MAX_OPEN];
    size_t depth = 0;
    for (size_t i = 0; i < c->count; i++) {
        char sign = c->at->source->text[c->lexemes[i].start];
        if (c->lexemes[i].class == FZI_LEXEME_OPEN && depth < MAX_OPEN)
            open[depth++] = sign == '(' ? ')' : sign == '[' ? ']' : '}';
        else if (c->lexemes[i].class == FZI_LEXEME_CLOSE && depth)
            depth--;
    }
    while (depth && (braces || open[depth - 1] != '}'))
        *closers++ = open[--depth];
    *closers = '\0';
}

/* Checks the text with the marker and `added` at the place; `rest`: with what follows there. */
static fzi_analysis *try_text(const completion *c, const char *added, bool rest, fzi_probe *probe)
{
    const fzi_source *source = c->at->source;
    const char *text = fzi_arena_printf(c->at->analysis->arena, "%.*s" MARKER "%s%s",
                                        (int)c->start, source->text, added,
                                        rest ? source->text + c->end : "");
    *probe = (fzi_probe){.source = FZI_OWN_SOURCE, .offset = c->start};
    fzi_analysis *tried = fzi_analyse(c->at->lsp->context, c->at->document->path, text,
                                      strlen(text), probe, false);
    if (!tried || (probe->wanted != FZI_WANTS_NOTHING && tried->game))
        return tried;
    fzi_analysis_free(tried);
    return NULL;
}

/* With what follows the word, or with closing braces instead. */
static fzi_analysis *try_both(const completion *c, const char *added, const char *braces,
                              fzi_probe *probe)
{
    fzi_analysis *tried = try_text(c, added, true, probe);
    return tried ? tried
                 : try_text(c, fzi_arena_printf(c->at->analysis->arena, "%s%s", added, braces),
                            false, probe);
}

static bool has_word(const char *const *words, const char *word)
{
    for (; *words; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

/* The words that may follow the name. */
static const char **words_after(const completion *c)
{
    fzi_arena *arena = c->at->analysis->arena;
    fzi_sources sources;
    bool takes_name;
    const char *text =
        fzi_arena_printf(arena, "%.*s" MARKER, (int)c->start, c->at->source->text);
    fzi_sources_init(&sources, arena);
    fzi_sources_add(&sources, "", text, strlen(text));
    return fzi_expected_words(arena, &sources, 1, &takes_name);
}

/* Texts that complete a statement or expression in which this word must come next. */
static const struct { const char *word, *added; } completions[] = {
    {"of", " of me at {}"}, {"at", " at {}"},           {"to", " to me"}, {"by", " by 1"},
    {"else", " else {}"},   {"then", " then {} else {}"}, {"in", " in {} {}"},
};

/* Tries several ways to complete a text that is not complete yet. */
static fzi_analysis *probe_text(const completion *c, fzi_probe *probe)
{
    char round[MAX_OPEN + 8], all[2 * MAX_OPEN];
    closers_of(c, round, false);
    closers_of(c, all, true);
    fzi_arena *arena = c->at->analysis->arena;
    const char *braces = all + strlen(round), *const *after = words_after(c);
    const char *ends[] = {"", ";", "();", " {}", " => {}", " : 1"};
    fzi_analysis *tried = try_text(c, "", true, probe);
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !tried; i++)
        tried = try_both(c, fzi_arena_printf(arena, "%s%s", round, ends[i]), braces, probe);
    for (size_t i = 0; i < sizeof completions / sizeof *completions && !tried; i++)
        if (has_word(after, completions[i].word))
            tried = try_both(c, fzi_arena_printf(arena, "%s%s;", completions[i].added, round),
                             braces, probe);
    return tried;
}

/* ---- places that the checker does not see ---- */

static bool is_lexeme(const completion *c, size_t back, const char *text)
{
    if (c->count < back)
        return false;
    const fzi_lexeme *l = &c->lexemes[c->count - back];
    return l->end - l->start == strlen(text) &&
           memcmp(c->at->source->text + l->start, text, strlen(text)) == 0;
}

/* Does the text use the module before the place? */
static bool is_used(const completion *c, const char *module)
{
    bool used = false;
    for (size_t back = c->count; back > 0 && !used; back--) {
        size_t name = back;
        if (!is_lexeme(c, back, "use"))
            continue;
        while (--name > 0 && !is_lexeme(c, name, ";") && !used)
            used = is_lexeme(c, name, module);
    }
    return used;
}

/* Libraries in a folder that the text does not use yet. */
static void add_modules(const completion *c, const char *folder)
{
    DIR *directory = opendir(*folder ? folder : ".");
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        size_t length = strlen(entry->d_name);
        char *text = NULL;
        if (length < 6 || strcmp(entry->d_name + length - 5, ".game") != 0 ||
            strcmp(entry->d_name, "prelude.game") == 0)
            continue;
        entry->d_name[length - 5] = '\0';
        if (is_used(c, entry->d_name))
            continue;
        const char *path = fzi_arena_printf(c->at->analysis->arena, "%s%s%s.game", folder,
                                            *folder ? "/" : "", entry->d_name);
        if (fzi_context_read_regular(c->at->lsp->context, path, &text, &length) == FZ_OK &&
            fzi_begins_library(text, length))
            add_item(c, entry->d_name, ITEM_MODULE, "1", "library", NULL, false);
        fz_text_free(c->at->lsp->context, text);
    }
    if (directory)
        closedir(directory);
}

static void add_all_modules(const completion *c)
{
    const char *path = c->at->document->path, *slash = strrchr(path, '/');
    add_modules(c, slash ? fzi_arena_printf(c->at->analysis->arena, "%.*s", (int)(slash - path),
                                            path)
                         : "");
    for (size_t i = 0; i < c->at->lsp->context->module_dir_count; i++)
        add_modules(c, c->at->lsp->context->module_dirs[i]);
}

/* The values of the option named before `=`. */
static void add_option_values(const completion *c)
{
    const fzi_analysis *a = c->at->analysis;
    const fzi_lexeme *l = &c->lexemes[c->count - 2];
    for (size_t i = 0; i < a->unit->option_count; i++) {
        const fzi_option *option = &a->unit->options[i];
        if (strlen(option->name) != l->end - l->start ||
            memcmp(option->name, c->at->source->text + l->start, l->end - l->start) != 0)
            continue;
        for (const fzi_node *v = option->node->values; v; v = v->next)
            add_item(c, v->name, ITEM_ENUM_MEMBER, "1", option->name, v->text, false);
        if (option->kind == FZ_OPTION_SWITCH) {
            add_item(c, "true", ITEM_CONSTANT, "1", option->name, NULL, false);
            add_item(c, "false", ITEM_CONSTANT, "1", option->name, NULL, false);
        }
    }
}

/* The declarations of its bases that a variant can remove. */
static void add_removable(const completion *c)
{
    const fzi_unit *unit = c->at->analysis->unit;
    for (const fzi_node *decl = unit->decls; decl; decl = decl->next)
        if (decl->name && decl->symbol && decl->span.source != FZI_OWN_SOURCE &&
            !(decl->flags & FZ_NODE_MODULE))
            add_item(c, decl->name, kind_of(decl->symbol, false), "1",
                     fzi_describe_symbol(c->at->analysis, decl->symbol), NULL, false);
}

/* ---- `view { ... }` ---- */

static void add_hint_words(const completion *c)
{
#define HINT(id, word, meaning) add_item(c, word, ITEM_KEYWORD, "1", meaning, NULL, false);
#include "interp/program/views.def"
#undef HINT
}

static void add_shapes(const completion *c)
{
#define SHAPE(id, name, light, dark, meaning)                                                      \
    add_item(c, name, ITEM_ENUM_MEMBER, "1", meaning, NULL, false);
#include "interp/program/views.def"
#undef SHAPE
}

static void add_patterns(const completion *c)
{
#define PATTERN(id, name, meaning) add_item(c, name, ITEM_ENUM_MEMBER, "1", meaning, NULL, false);
#include "interp/program/views.def"
#undef PATTERN
}

static void add_globals(const completion *c, uint32_t kinds)
{
    fzi_candidates found = fzi_globals_of(c->at->analysis, kinds);
    add_candidates(c, &found, false);
}

/* The number of lexemes of the hint before the word; -1 outside of `view { ... }`. */
static int lexemes_of_hint(const completion *c)
{
    int count = 0;
    while (!is_lexeme(c, (size_t)count + 1, "{") && !is_lexeme(c, (size_t)count + 1, ";") &&
           !is_lexeme(c, (size_t)count + 1, "}") && (size_t)count < c->count)
        count++;
    for (size_t back = (size_t)count + 1; back < c->count; back++) {
        if (is_lexeme(c, back, "}"))
            return -1;
        if (is_lexeme(c, back, "{"))
            return is_lexeme(c, back + 1, "view") ? count : -1;
    }
    return -1;
}

static bool complete_view(const completion *c)
{
    int count = lexemes_of_hint(c);
    if (count == 0)
        add_hint_words(c);
    else if (count > 0 && is_lexeme(c, (size_t)count, "cells"))
        add_patterns(c);
    else if (count > 0 && is_lexeme(c, (size_t)count, "pieces")) {
        bool is_shape = is_lexeme(c, 1, "as");
        if (is_shape || count == 1)
            add_shapes(c);
        if (!is_shape)
            add_globals(c, 1u << FZI_SYM_KIND | 1u << FZI_SYM_PLAYER);
    } else if (count > 0) {
        static const char *const of_values[] = {"men", "bar", "seeds", "dice"};
        uint32_t kinds = 1u << FZI_SYM_LET;
        for (size_t i = 0; i < sizeof of_values / sizeof *of_values; i++)
            kinds |= is_lexeme(c, (size_t)count, of_values[i]) ? 1u << FZI_SYM_VAR : 0;
        add_globals(c, is_lexeme(c, (size_t)count, "cards")
                           ? 1u << FZI_SYM_ENUM | 1u << FZI_SYM_VAR
                           : kinds);
    }
    return count >= 0;
}

/* ---- boards and types ---- */

static void add_boards(const completion *c)
{
#define BOARD(name, function, least, most, written)                                                \
    add_item(c, #name, ITEM_FUNCTION, "1", written, NULL, true);
#include "grammar/board/boards.def"
#undef BOARD
    add_item(c, "graph", ITEM_KEYWORD, "2", NULL, NULL, false);
}

/* Is a type to be written: after the `:` of a declaration, before its `=`? */
static bool wants_type(const completion *c)
{
    static const char *const words[] = {"let", "var", "fn", "proc", "moves", "property"};
    size_t first = 1;
    while (first < c->count && !is_lexeme(c, first + 1, ";") && !is_lexeme(c, first + 1, "{") &&
           !is_lexeme(c, first + 1, "}") && !is_lexeme(c, first + 1, "="))
        first++;
    if (!is_lexeme(c, 1, ":") || is_lexeme(c, first + 1, "="))
        return false;
    for (size_t back = first; back > 1; back--)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (is_lexeme(c, back, words[i]))
                return true;
    return false;
}

static void add_types(const completion *c)
{
    static const char *const built_in[] = {"bool", "dir", "dirs", "int", "kind", "player", "site",
                                           "sites", "team"};
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        add_item(c, built_in[i], ITEM_ENUM, "2", NULL, NULL, false);
    if (c->at->analysis->game)
        add_globals(c, 1u << FZI_SYM_ENUM | 1u << FZI_SYM_DIE);
    add_item(c, "set of", ITEM_KEYWORD, "3", NULL, NULL, false);
}

/* True: the place is one of these. */
static bool complete_settings(const completion *c)
{
    const fzi_analysis *a = c->at->analysis;
    if (is_lexeme(c, 1, "use") || (is_lexeme(c, 1, ",") && is_lexeme(c, 3, "use"))) {
        add_all_modules(c);
        return true;
    }
    if (is_lexeme(c, 1, "board") || wants_type(c)) {
        is_lexeme(c, 1, "board") ? add_boards(c) : add_types(c);
        return true;
    }
    if (!a->unit)
        return false;
    if (is_lexeme(c, 1, "set")) {
        for (size_t i = 0; i < a->unit->option_count; i++)
            add_item(c, a->unit->options[i].name, ITEM_CONSTANT, "1", "option", NULL, false);
        return true;
    }
    if (is_lexeme(c, 1, "=") && is_lexeme(c, 3, "set")) {
        add_option_values(c);
        return true;
    }
    if (is_lexeme(c, 1, "remove") && a->unit->file->op == FZ_T_VARIANT)
        add_removable(c); /* and, as a statement, sites */
    return false;
}

/* ---- the request ---- */

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Finds the word at the place and the token before it. */
static void begin(completion *c, fzi_sources *before)
{
    const fzi_source *source = c->at->source;
    c->start = c->end = c->at->offset;
    while (c->start && is_word_byte(source->text[c->start - 1]))
        c->start--;
    while (c->end < source->length && is_word_byte(source->text[c->end]))
        c->end++;
    fzi_sources_init(before, c->at->analysis->arena);
    fzi_sources_add(before, "", source->text, c->start);
    c->lexemes = fzi_lexemes(c->at->analysis->arena, before, 1, &c->count);
}

/* Inside of a comment or a string, words are the author's; in a label, braces hold names. */
static bool is_in_text(const completion *c)
{
    size_t count;
    fzi_lexeme *all = fzi_lexemes(c->at->analysis->arena, c->at->analysis->sources,
                                  FZI_OWN_SOURCE, &count);
    for (size_t i = 0; i < count; i++) {
        bool is_text = all[i].class <= FZI_LEXEME_DOC || all[i].class == FZI_LEXEME_STRING;
        bool is_line = all[i].class <= FZI_LEXEME_DOC &&
                       memcmp(c->at->source->text + all[i].start, "//", 2) == 0;
        if (is_text && all[i].start < c->at->offset && c->at->offset < all[i].end + is_line)
            return !(all[i].class == FZI_LEXEME_STRING && c->start &&
                     c->at->source->text[c->start - 1] == '{');
    }
    return false;
}

json_t *fzi_lsp_completion(const fzi_lsp_place *at)
{
    fzi_sources before;
    bool takes_name;
    completion c = {.at = at, .items = json_array()};
    begin(&c, &before);
    if (is_in_text(&c) || complete_view(&c) || complete_settings(&c))
        return c.items;
    const char **words = fzi_expected_words(at->analysis->arena, &before, 1, &takes_name);
    fzi_probe probe = {0};
    fzi_analysis *probed = probe_text(&c, &probe);
    if (probed) {
        memcpy(fzi_arena_handler(probed->arena), &at->lsp->no_memory, sizeof at->lsp->no_memory);
        fzi_candidates found = fzi_candidates_find(probed, &probe);
        /* Names are described by the analysis that has them. */
        fzi_lsp_place there = *at;
        completion shown = c;
        there.analysis = probed;
        shown.at = &there;
        add_candidates(&shown, &found, probe.wanted == FZI_WANTS_MODULE);
    }
    if (probe.wanted < FZI_WANTS_LABEL && probe.wanted != FZI_WANTS_MEMBER)
        add_words(&c, words, takes_name, &probe);
    fzi_analysis_free(probed);
    return c.items;
}
