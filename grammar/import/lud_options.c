/* The definitions, options and rulesets of a .lud file. Stands between lud_parse.c and
 * lud_script.c. */
#include <ctype.h>
#include <stdlib.h>

#include "lud.h"

/* ---- reading a file ---- */

static void add_define(fzi_lud_file *file, const fzi_lud *node)
{
    if (node->count < 2 || node->items[1]->kind != FZ_LUD_STRING)
        return;
    *FZI_MORE(file->arena, file->defines, file->define_count, file->define_capacity) =
        (fzi_lud_define){node->items[1]->text, node->items + 2, node->count - 2};
}

static void add_ruleset(fzi_lud_file *file, fzi_lud *node)
{
    if (!fzi_lud_is(node, "ruleset") || node->count < 3 || node->items[1]->kind != FZ_LUD_STRING ||
        node->items[2]->kind != FZ_LUD_SET)
        return;
    const char *name = node->items[1]->text;
    const char *slash = strchr(name, '/');
    *FZI_MORE(file->arena, file->rulesets, file->ruleset_count, file->ruleset_capacity) =
        (fzi_lud_ruleset){slash ? slash + 1 : name, node->items[2], node->line};
}

static void put_first(fzi_lud_file *file, size_t chosen)
{
    fzi_lud_ruleset first = file->rulesets[chosen];

    memmove(file->rulesets + 1, file->rulesets, chosen * sizeof first);
    file->rulesets[0] = first;
}

static void add_rulesets(fzi_lud_file *file, const fzi_lud *node)
{
    size_t most_stars = 0, chosen = 0;

    if (node->count < 2 || node->items[1]->kind != FZ_LUD_SET)
        return;
    const fzi_lud *set = node->items[1];
    for (size_t i = 0; i < set->count; i++) {
        size_t before = file->ruleset_count;
        add_ruleset(file, set->items[i]);
        size_t stars = i + 1 < set->count && set->items[i + 1]->kind == FZ_LUD_WORD
                           ? strspn(set->items[i + 1]->text, "*")
                           : 0;
        if (file->ruleset_count > before && stars > most_stars) {
            most_stars = stars;
            chosen = before;
        }
    }
    file->starred = most_stars > 0;
    if (file->ruleset_count)
        put_first(file, chosen);
}

static void add_top(fzi_lud_file *file, fzi_lud *node)
{
    if (fzi_lud_is(node, "define"))
        add_define(file, node);
    else if (fzi_lud_is(node, "option"))
        *FZI_MORE(file->arena, file->options, file->option_count, file->option_capacity) = node;
    else if (fzi_lud_is(node, "rulesets"))
        add_rulesets(file, node);
    else if (fzi_lud_is(node, "metadata"))
        file->metadata = node;
    else if ((fzi_lud_is(node, "game") || fzi_lud_is(node, "match")) && !file->game)
        file->game = node;
}

bool fzi_lud_add_defines(fzi_lud_file *file, const char *text, size_t length, fzi_lud_fault *fault)
{
    fzi_lud *top = fzi_lud_parse(file->arena, text, length, fault);

    for (size_t i = 0; top && i < top->count; i++)
        if (fzi_lud_is(top->items[i], "define"))
            add_define(file, top->items[i]);
    return top != NULL;
}

/* ---- options ---- */

/* `(item "Name" <a> <b> "What it means")`, as one of an option's items. */
static bool is_item(const fzi_lud *node)
{
    return fzi_lud_is(node, "item") && node->count > 1 && node->items[1]->kind == FZ_LUD_STRING;
}

static const fzi_lud *item_named(const fzi_lud *items, const char *name)
{
    for (size_t i = 0; i < items->count; i++)
        if (is_item(items->items[i]) && strcmp(items->items[i]->items[1]->text, name) == 0)
            return items->items[i];
    return NULL;
}

/* The item with most stars behind it, or the first. */
static const fzi_lud *default_item(const fzi_lud *items)
{
    const fzi_lud *best = NULL;
    size_t most = 0;

    for (size_t i = 0; i < items->count; i++) {
        if (!is_item(items->items[i]))
            continue;
        size_t stars = i + 1 < items->count && items->items[i + 1]->kind == FZ_LUD_WORD
                           ? strspn(items->items[i + 1]->text, "*")
                           : 0;
        if (!best || stars > most) {
            best = items->items[i];
            most = stars;
        }
    }
    return best;
}

/* The item that a ruleset chooses of an option; NULL: the option is malformed. */
static const fzi_lud *chosen_item(const fzi_lud *option, const fzi_lud_ruleset *ruleset)
{
    const fzi_lud *items = option->items[option->count - 1];
    const char *heading = option->items[1]->text;

    if (option->items[1]->kind != FZ_LUD_STRING || items->kind != FZ_LUD_SET)
        return NULL;
    for (size_t i = 0; ruleset->items && i < ruleset->items->count; i++) {
        const fzi_lud *choice = ruleset->items->items[i];
        size_t length = strlen(heading);
        if (choice->kind != FZ_LUD_STRING || strncmp(choice->text, heading, length) != 0 ||
            choice->text[length] != '/')
            continue;
        const fzi_lud *item = item_named(items, choice->text + length + 1);
        if (item)
            return item;
    }
    return default_item(items);
}

const char *fzi_lud_item_title(const fzi_lud *option, size_t number)
{
    const fzi_lud *items = option->count > 1 ? option->items[option->count - 1] : NULL;

    if (!items || option->items[1]->kind != FZ_LUD_STRING || items->kind != FZ_LUD_SET)
        return NULL;
    for (size_t i = 0; i < items->count; i++)
        if (is_item(items->items[i]) && number-- == 0)
            return items->items[i]->items[1]->text;
    return NULL;
}

const char *fzi_lud_chosen_title(const fzi_lud *option, const fzi_lud_ruleset *ruleset)
{
    return chosen_item(option, ruleset)->items[1]->text;
}

size_t fzi_lud_read_choice(const fzi_lud_file *file, const char **text)
{
    size_t longest = 0;

    for (size_t i = 0; i < file->option_count; i++) {
        const char *title;
        for (size_t n = 0; (title = fzi_lud_item_title(file->options[i], n)); n++) {
            const char *heading = file->options[i]->items[1]->text;
            size_t before = strlen(heading), length = before + 1 + strlen(title);
            bool good = length > longest && strncmp(*text, heading, before) == 0 &&
                        (*text)[before] == '/' &&
                        strncmp(*text + before + 1, title, length - before - 1) == 0;
            const char *end = good ? *text + length : "x";
            longest = !*end || strncmp(end, ", ", 2) == 0 ? length : longest;
        }
    }
    if (longest)
        *text += longest + ((*text)[longest] ? 2 : 0);
    return longest;
}

fzi_lud_ruleset fzi_lud_with_items(fzi_arena *arena, const fzi_lud_ruleset *ruleset,
                                   const char *name, const char *const *items, size_t count)
{
    fzi_lud *set = FZI_NEW(arena, fzi_lud);

    set->kind = FZ_LUD_SET;
    for (size_t i = 0; i < count; i++) {
        fzi_lud *item = FZI_NEW(arena, fzi_lud);
        item->kind = FZ_LUD_STRING;
        item->text = items[i];
        *FZI_MORE(arena, set->items, set->count, set->capacity) = item;
    }
    for (size_t i = 0; ruleset->items && i < ruleset->items->count; i++)
        *FZI_MORE(arena, set->items, set->count, set->capacity) = ruleset->items->items[i];
    return (fzi_lud_ruleset){name, set, ruleset->line};
}

/* Does the ruleset choose the items of most stars? */
static bool is_preset(const fzi_lud_file *file, const fzi_lud_ruleset *ruleset)
{
    for (size_t i = 0; i < file->option_count; i++) {
        const fzi_lud *option = file->options[i];
        const fzi_lud *items = option->count > 1 ? option->items[option->count - 1] : NULL;
        if (items && items->kind == FZ_LUD_SET &&
            chosen_item(option, ruleset) != default_item(items))
            return false;
    }
    return true;
}

bool fzi_lud_read(fzi_lud_file *file, const char *text, size_t length, fzi_lud_fault *fault)
{
    fzi_lud *top = fzi_lud_parse(file->arena, text, length, fault);

    if (!top)
        return false;
    for (size_t i = 0; i < top->count; i++)
        add_top(file, top->items[i]);
    if (!file->game || file->game->count < 2 || file->game->items[1]->kind != FZ_LUD_STRING) {
        *fault = (fzi_lud_fault){"no (game \"Name\" ...)", 1};
        return false;
    }
    file->name = file->game->items[1]->text;
    if (file->ruleset_count == 0)
        *FZI_MORE(file->arena, file->rulesets, file->ruleset_count, file->ruleset_capacity) =
            (fzi_lud_ruleset){"", NULL, file->game->line};
    size_t preset = 0;
    while (!file->starred && preset < file->ruleset_count &&
           !is_preset(file, &file->rulesets[preset]))
        preset++;
    if (!file->starred && preset < file->ruleset_count)
        put_first(file, preset);
    return true;
}

typedef struct chooser {
    const fzi_lud_file *file;
    const fzi_lud_ruleset *ruleset;
    fzi_arena *arena;
    size_t made, depth;
    fzi_lud_fault *fault;
} chooser;

/* The text of an option's value for `Tag:argument`; NULL: no option has it. */
static const fzi_lud *option_value(const chooser *c, const char *reference, size_t length)
{
    const char *colon = memchr(reference, ':', length);
    size_t tag = colon ? (size_t)(colon - reference) : length;

    for (size_t i = 0; i < c->file->option_count; i++) {
        const fzi_lud *option = c->file->options[i];
        if (option->count < 4 || option->items[2]->kind != FZ_LUD_OPTION ||
            strlen(option->items[2]->text) != tag ||
            memcmp(option->items[2]->text, reference, tag) != 0)
            continue;
        const fzi_lud *arguments = fzi_lud_labelled(option, "args");
        const fzi_lud *item = chosen_item(option, c->ruleset);
        const char *name = colon ? colon + 1 : NULL; /* none: the first one */
        size_t length_of_name = length - tag - (colon != NULL);
        for (size_t n = 0; item && arguments && n < arguments->count; n++) {
            const char *argument = arguments->items[n]->text;
            if (name && (!argument || strlen(argument) != length_of_name ||
                         memcmp(argument, name, length_of_name) != 0))
                continue;
            return n + 2 < item->count && item->items[n + 2]->kind == FZ_LUD_OPTION
                       ? item->items[n + 2]
                       : NULL;
        }
    }
    return NULL;
}

/* A text counts as a form for so many of its bytes: texts that replace parts of texts grow fast. */
enum { FORM_TEXT = 64 };

/* Texts end where they are too long; then too much was made, which the caller finds. */
static bool has_room(size_t made, const fzi_growing *text)
{
    return made + text->length / FORM_TEXT <= FZ_LUD_MOST_NODES;
}

/* A text in which `<Tag:argument>` are replaced. */
static const char *choose_text(chooser *c, const char *text)
{
    fzi_growing g = {0};

    if (!strchr(text, '<'))
        return text;
    while (*text && has_room(c->made, &g)) {
        size_t length = *text == '<' ? strcspn(text + 1, "<>") : 0;
        const fzi_lud *value =
            length && text[length + 1] == '>' ? option_value(c, text + 1, length) : NULL;
        if (value) {
            fzi_grow_z(c->arena, &g, value->text);
            text += length + 2;
        } else
            fzi_grow(c->arena, &g, text++, 1);
    }
    c->made += g.length / FORM_TEXT;
    return g.text ? g.text : "";
}

static void choose_items(chooser *c, const fzi_lud *from, fzi_lud *into);

static fzi_lud *copy_node(fzi_arena *arena, const fzi_lud *node)
{
    fzi_lud *made = fzi_arena_copy(arena, node, sizeof *node);
    made->items = NULL;
    made->count = made->capacity = 0;
    return made;
}

static bool is_too_much(chooser *c, const fzi_lud *node)
{
    bool too_much = c->made > FZ_LUD_MOST_NODES || c->depth > FZ_LUD_MOST_DEPTH;

    if (too_much && !c->fault->why)
        *c->fault = (fzi_lud_fault){"options that expand without end", node->line};
    return too_much;
}

static void choose_node(chooser *c, const fzi_lud *node, fzi_lud *into)
{
    c->made++;
    if (is_too_much(c, node))
        return;
    const fzi_lud *value = NULL;
    size_t length = node->text ? strlen(node->text) : 0;
    if (node->kind == FZ_LUD_OPTION)
        value = option_value(c, node->text, length);
    else if (node->kind == FZ_LUD_WORD && length > 2 && node->text[0] == '<' &&
             node->text[length - 1] == '>') /* (<Tag:argument> …), where `<` begins a word */
        value = option_value(c, node->text + 1, length - 2);
    if (value && value->broken && !c->fault->why)
        *c->fault = (fzi_lud_fault){"an option's value is no whole form", value->line};
    if (value) {
        size_t first = into->count;
        choose_items(c, value, into);
        if (node->label && into->count > first)
            into->items[first]->label = node->label;
        return;
    }
    fzi_lud *made = copy_node(c->arena, node);
    if (made->text && made->kind != FZ_LUD_OPTION)
        made->text = choose_text(c, made->text);
    if (is_too_much(c, node))
        return;
    choose_items(c, node, made);
    fzi_lud_fault fault;
    const fzi_lud *words = made->kind == FZ_LUD_WORD && strchr(made->text, ' ')
                               ? fzi_lud_parse(c->arena, made->text, strlen(made->text), &fault)
                               : NULL;
    for (size_t i = 0; words && i < words->count; i++) /* (<Board:type> 5) as (hex Diamond 5) */
        *FZI_MORE(c->arena, into->items, into->count, into->capacity) = words->items[i];
    if (!words)
        *FZI_MORE(c->arena, into->items, into->count, into->capacity) = made;
}

static void choose_items(chooser *c, const fzi_lud *from, fzi_lud *into)
{
    c->depth++;
    for (size_t i = 0; i < from->count && !c->fault->why; i++)
        choose_node(c, from->items[i], into);
    c->depth--;
}

fzi_lud_file *fzi_lud_choose(const fzi_lud_file *file, const fzi_lud_ruleset *ruleset,
                             fzi_arena *arena, fzi_lud_fault *fault)
{
    chooser c = {file, ruleset, arena, 0, 0, fault};
    fzi_lud_file *chosen = fzi_arena_copy(arena, file, sizeof *file);
    fzi_lud top = {.kind = FZ_LUD_SET};

    *fault = (fzi_lud_fault){0};
    chosen->arena = arena;
    choose_node(&c, file->game, &top);
    chosen->defines =
        fzi_arena_copy(arena, file->defines, file->define_count * sizeof *file->defines);
    for (size_t i = 0; i < file->define_count; i++) {
        fzi_lud body = {.kind = FZ_LUD_SET};
        for (size_t n = 0; n < file->defines[i].count; n++)
            choose_node(&c, file->defines[i].body[n], &body);
        chosen->defines[i].body = body.items;
        chosen->defines[i].count = body.count;
    }
    chosen->game = top.count ? top.items[0] : NULL;
    return fault->why ? NULL : chosen;
}

/* ---- definitions ---- */

static const fzi_lud_define *define_named(const fzi_lud_file *file, const char *name)
{
    for (size_t i = 0; i < file->define_count; i++)
        if (strcmp(file->defines[i].name, name) == 0)
            return &file->defines[i];
    return NULL;
}

const fzi_lud_define *fzi_lud_definition(const fzi_lud_file *file, const fzi_lud *node)
{
    if (node->kind == FZ_LUD_STRING)
        return define_named(file, node->text);
    if (node->kind == FZ_LUD_LIST && node->count && node->items[0]->kind == FZ_LUD_STRING)
        return define_named(file, node->items[0]->text);
    return NULL;
}

/* A text in which `#1` are replaced by arguments that are texts themselves. */
static const char *argument_text(fzi_lud_expansion *x, const fzi_lud *call, const char *text)
{
    fzi_growing g = {0};

    if (!strchr(text, '#'))
        return text;
    while (*text && has_room(x->made, &g)) {
        size_t number =
            *text == '#' && isdigit((unsigned char)text[1]) ? strtoul(text + 1, NULL, 10) : 0;
        if (number == 0) {
            fzi_grow(x->arena, &g, text++, 1);
            continue;
        }
        if (number < call->count && call->kind == FZ_LUD_LIST)
            fzi_grow_z(x->arena, &g,
                       call->items[number]->text && call->items[number]->kind <= FZ_LUD_STRING
                           ? call->items[number]->text
                           : fzi_lud_text(x->arena, call->items[number], 1000));
        text += 1 + strspn(text + 1, "0123456789");
    }
    x->made += g.length / FORM_TEXT;
    return g.text ? g.text : "";
}

static bool has_expanded_too_much(fzi_lud_expansion *x, const fzi_lud *call)
{
    if (x->made > FZ_LUD_MOST_NODES && !x->fault.why)
        x->fault = (fzi_lud_fault){"definitions that expand without end", call->line};
    return x->made > FZ_LUD_MOST_NODES;
}

static void substitute(fzi_lud_expansion *x, const fzi_lud *call, const fzi_lud *node,
                       fzi_lud *into)
{
    x->made++;
    if (has_expanded_too_much(x, call))
        return;
    if (node->kind == FZ_LUD_PARAM) {
        size_t number = strtoul(node->text + 1, NULL, 10);
        if (call->kind != FZ_LUD_LIST || number == 0 || number >= call->count ||
            call->items[number]->kind == FZ_LUD_OMITTED)
            return;
        fzi_lud *argument = call->items[number];
        if (node->label && !argument->label) {
            argument = fzi_arena_copy(x->arena, argument, sizeof *argument);
            argument->label = node->label;
        }
        *FZI_MORE(x->arena, into->items, into->count, into->capacity) = argument;
        return;
    }
    fzi_lud *made = copy_node(x->arena, node);
    if (made->text && made->kind <= FZ_LUD_STRING)
        made->text = argument_text(x, call, made->text);
    if (has_expanded_too_much(x, call))
        return;
    made->line = call->line;
    for (size_t i = 0; i < node->count; i++)
        substitute(x, call, node->items[i], made);
    *FZI_MORE(x->arena, into->items, into->count, into->capacity) = made;
}

fzi_lud *fzi_lud_expand_once(fzi_lud_expansion *x, const fzi_lud *call)
{
    const fzi_lud_define *define = fzi_lud_definition(x->file, call);
    fzi_lud *body = FZI_NEW(x->arena, fzi_lud);

    body->kind = FZ_LUD_SET;
    body->line = call->line;
    for (size_t i = 0; define && i < define->count && !x->fault.why; i++)
        substitute(x, call, define->body[i], body);
    if (call->label && body->count == 1) {
        body->items[0] = fzi_arena_copy(x->arena, body->items[0], sizeof *body);
        body->items[0]->label = call->label;
    }
    return x->fault.why ? NULL : body;
}
