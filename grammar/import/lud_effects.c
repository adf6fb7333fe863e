/* Effects of .lud games that belong together: those of `and` happen at once, where Ferz has one
 * statement after the other. */
#include "lud_reach.h"

/* `remove A | B;` of effects that only remove sets: the sets are those before any is removed. */
static const char *all_removals(fzi_lud_writer *w, const fzi_lud *parts, size_t first)
{
    fzi_growing g = {0};

    for (size_t i = first; i < parts->count; i++) {
        const char *text = fzi_lud_say(w, FZ_SAY_DO, parts->items[i]);
        size_t length = text ? strlen(text) : 0;
        if (length < 8 || strncmp(text, "remove ", 7) != 0 ||
            strchr(text, ';') != text + length - 1)
            return NULL;
        const char *set = FZ_LUD_TEXT(w, "%.*s", (int)length - 8, text + 7);
        if (parts->count - first > 1)
            set = fzi_lud_in_brackets(w, set);
        fzi_grow_z(w->arena, &g, FZ_LUD_TEXT(w, "%s%s", g.length ? " | " : "remove ", set));
    }
    fzi_grow_z(w->arena, &g, ";");
    return parts->count > first ? g.text : NULL;
}

/* The variable that `name = …;` assigns; NULL. */
static const char *assigned(fzi_lud_writer *w, const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

    if (!length || (text[length] != ' ' && text[length] != '['))
        return NULL;
    const char *equals = strstr(text, " = "), *end = strchr(text, ';');
    return equals && end && equals < end && !end[1] ? FZ_LUD_TEXT(w, "%.*s", (int)length, text)
                                                    : NULL;
}

/* Does the text change seeds? */
static bool changes_seeds(const char *text)
{
    static const char *const calls[] = {"take(", "pour(", "carry(", "store_some(", "deal_out(",
                                        "sow(",  "sow_",  "] -= ",  "] += "};

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strstr(text, calls[i]))
            return true;
    for (const char *at = strstr(text, "seeds["); at; at = strstr(at + 1, "seeds["))
        if (strncmp(at + strcspn(at, "]"), "] = ", 4) == 0)
            return true;
    return false;
}

/* Does the text read the variable? */
static bool asks_for(const char *text, const char *name)
{
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const char *next = at + strlen(name);
        if (strncmp(next, " = ", 3) != 0)
            return true;
    }
    return false;
}

/* 0: what changes no seeds; 1: what does; 2: what sets a variable for which that asks; 3: what goes
 * on with further moves. */
static size_t round_of(fzi_lud_writer *w, const char *const *texts, size_t count, size_t number)
{
    const char *name = assigned(w, texts[number]);

    if (w->chains && fzi_lud_mentions(w, texts[number], "go_on"))
        return 3;
    if (!w->sow.on)
        return 0;
    if (changes_seeds(texts[number]))
        return 1;
    for (size_t i = 0; i < count && name; i++)
        if (changes_seeds(texts[i]) && asks_for(texts[i], name))
            return 2;
    return 0;
}

/* What an inner `and` has asked before its effects is asked before those of the outer one. */
static const char *asked_outside(fzi_lud_writer *w, const char *text, fzi_growing *before)
{
    const char *let, *end;

    while ((let = strstr(text, "let was_")) && (end = strchr(let, ';'))) {
        fzi_grow_z(w->arena, before, FZ_LUD_TEXT(w, "%.*s; ", (int)(end - let), let));
        text = FZ_LUD_TEXT(w, "%.*s%s", (int)(let - text), text, end + 1 + (end[1] == ' '));
    }
    return text;
}

/* Conditions about seeds hold for the seeds before all effects. */
static void ask_before(fzi_lud_writer *w, const char **texts, size_t count, fzi_growing *before)
{
    bool changed = false;

    for (size_t i = 0; i < count; i++) {
        const char *block = strncmp(texts[i], "if ", 3) == 0 ? strchr(texts[i], FZ_LUD_THEN) : NULL;
        const char *seeds = strstr(texts[i], "seeds");
        bool guard =
            block && strncmp(block + 1, " {reached = ", 12) == 0; /* of a pit that is emptied */
        bool changes = changes_seeds(texts[i]);
        if (changed && changes && block && seeds && seeds < block && !guard) {
            const char *name = FZ_LUD_TEXT(w, "was_%u", ++w->sow.asked);
            fzi_grow_z(
                w->arena, before,
                FZ_LUD_TEXT(w, "let %s = %.*s; ", name, (int)(block - texts[i] - 3), texts[i] + 3));
            texts[i] = FZ_LUD_TEXT(w, "if %s%s", name, block);
        }
        if (changed && block && !strstr(texts[i], "for "))
            texts[i] = asked_outside(w, texts[i], before);
        changed = changed || changes;
    }
}

/* Effects whose conditions hold for the state before all of them: seeds are moved after what asks
 * for them, and variables are set when no later effect asks for them. */
static const char *at_once(fzi_lud_writer *w, const fzi_lud *parts, size_t first)
{
    const char *texts[20];
    size_t count = 0;
    fzi_growing before = {0}, *outer = w->sow.before, all = {0};

    if (parts->count - first > sizeof texts / sizeof *texts)
        return fzi_lud_joined(w, FZ_SAY_DO, parts, first, " ", false);
    w->sow.before = &before;
    for (size_t i = first; i < parts->count; i++) {
        texts[count] = fzi_lud_say(w, FZ_SAY_DO, parts->items[i]);
        if (!texts[count++])
            break;
    }
    w->sow.before = outer;
    if (count && !texts[count - 1])
        return NULL;
    for (size_t i = 1; i < count; i++) { /* numbers of an inner `and` are asked too late there */
        const char *held = strstr(texts[i], "let held = ");
        const char *seeds = held ? strstr(held, "seeds[") : NULL;
        for (size_t n = 0; n < i; n++)
            if (seeds && seeds < strchr(held, ';') && changes_seeds(texts[n]))
                return fzi_lud_unsaid(w, parts->items[first + i], "its order matters");
    }
    for (size_t i = 1; i < count; i++) /* its sites are those before any removal */
        for (size_t n = 0; n < i; n++)
            if (strncmp(texts[i], "for x in {for x in ", 19) == 0 && strstr(texts[n], "remove "))
                return fzi_lud_unsaid(w, parts->items[first + i], "its order matters");
    if (w->sow.on)
        ask_before(w, texts, count, &before);
    fzi_grow_z(w->arena, &all, before.length ? before.text : "");
    for (size_t round = 0; round < count; round++)
        for (size_t i = 0; i + 1 < count; i++) {
            const char *name = assigned(w, texts[i]), *next = texts[i + 1];
            const char *other = assigned(w, next);
            if (!name || !strstr(next, name) || (other && strcmp(other, name) == 0))
                continue;
            texts[i + 1] = texts[i];
            texts[i] = next;
        }
    for (size_t pass = 0; pass < 4; pass++)
        for (size_t i = 0; i < count; i++) {
            if (round_of(w, texts, count, i) != pass)
                continue;
            if (pass == 2 && strstr(texts[i], "seeds"))
                return fzi_lud_unsaid(w, parts->items[first + i], "its order matters");
            fzi_grow_z(w->arena, &all, all.length ? " " : "");
            fzi_grow_z(w->arena, &all, texts[i]);
        }
    return all.length ? all.text : "";
}

/* (move Remove S …) as (remove S …) */
static const fzi_lud *removal(fzi_lud_writer *w, const fzi_lud *node)
{
    fzi_lud *made = FZI_NEW(w->arena, fzi_lud), *head = FZI_NEW(w->arena, fzi_lud);

    *head = (fzi_lud){.kind = FZ_LUD_WORD, .text = "remove", .line = node->line};
    *made = *node;
    made->count--;
    made->items = fzi_arena_alloc(w->arena, made->count * sizeof *made->items);
    memcpy(made->items + 1, node->items + 2, (made->count - 1) * sizeof *made->items);
    made->items[0] = head;
    return made;
}

/* `for x in ALL EFFECT`. Which sites a condition holds for is found before anything is removed. */
static const char *for_each_site(fzi_lud_writer *w, const char *all, const char *effect)
{
    static const char *const changing[] = {"step(",    "flood(",    "in empty",     "in occupied",
                                           "attacked", "in_check(", "gives_check(", "checkmate("};
    const char *block = strncmp(effect, "if ", 3) == 0 ? strchr(effect, FZ_LUD_THEN) : NULL;
    bool asks = false;

    for (size_t i = 0; block && i < sizeof changing / sizeof *changing; i++) {
        const char *at = strstr(effect, changing[i]);
        asks = asks || (at && at < block);
    }
    if (asks && strstr(block, "remove ") && !strstr(block, " else "))
        return FZ_LUD_TEXT(w, "for x in {for x in %s if %.*s}%s", all, (int)(block - effect - 3),
                           effect + 3, block + 1);
    return FZ_LUD_TEXT(w, "for x in %s %s", all, fzi_lud_block(w, effect));
}

/* (and {…}) of effects; (forEach …) with names of its own; (remove … at:EndOfTurn) */
const char *fzi_lud_effects(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    size_t first;

    if (type != FZ_SAY_DO)
        return NULL;
    if (fzi_lud_is(node, "move") && node->count > 2 && fzi_lud_is_word(node->items[1], "Remove"))
        return fzi_lud_say(w, type, removal(w, node));
    if (node->kind == FZ_LUD_SET)
        return fzi_lud_joined(w, FZ_SAY_DO, node, 0, " ", false);
    const fzi_lud *next = fzi_lud_is(node, "and") ? fzi_lud_then_of(node) : NULL;
    if (next && node->count > 2) {
        fzi_lud all = *node;
        all.count--;
        const char *text = fzi_lud_effects(w, type, &all);
        const char *after = text ? fzi_lud_after(w, next, "") : NULL;
        return after ? FZ_LUD_TEXT(w, "%s %s", text, after) : NULL;
    }
    if (fzi_lud_is(node, "and") || fzi_lud_is(node, "or") || fzi_lud_is(node, "seq")) {
        const fzi_lud *parts = fzi_lud_operands(node, &first);
        const char *all = all_removals(w, parts, first);
        return all                       ? all
               : fzi_lud_is(node, "seq") ? fzi_lud_joined(w, FZ_SAY_DO, parts, first, " ", false)
                                         : at_once(w, parts, first);
    }
    if (fzi_lud_is(node, "if") && (node->count == 3 || node->count == 4)) {
        const char *test = fzi_lud_say(w, FZ_SAY_BOOL, node->items[1]);
        const fzi_lud *inner = test && node->count == 3 ? fzi_lud_plain(w, node->items[2]) : NULL;
        if (inner && fzi_lud_is(inner, "if") && inner->count == 3 && !w->sow.on) {
            const char *more = fzi_lud_say(w, FZ_SAY_DO, inner);
            const char *end = more ? strchr(more, FZ_LUD_THEN) : NULL;
            if (!more || !end)
                return more;
            const char *condition = FZ_LUD_TEXT(w, "%.*s", (int)(end - more - 3), more + 3);
            return FZ_LUD_TEXT(w, "if %s and %s%s", fzi_lud_term(w, test),
                               fzi_lud_term(w, condition), end);
        }
        const char *then = test ? fzi_lud_say(w, FZ_SAY_DO, node->items[2]) : NULL;
        const char *rest =
            then && node->count == 4 ? fzi_lud_say(w, FZ_SAY_DO, node->items[3]) : "";
        if (!then || !rest)
            return NULL;
        return node->count == 3
                   ? FZ_LUD_TEXT(w, "if %s%c %s", test, FZ_LUD_THEN, fzi_lud_block(w, then))
                   : FZ_LUD_TEXT(w, "if %s%c %s else %s", test, FZ_LUD_THEN, fzi_lud_block(w, then),
                                 fzi_lud_block(w, rest));
    }
    const fzi_lud *after = fzi_lud_is(node, "do") ? fzi_lud_then_of(node) : NULL;
    if (fzi_lud_is(node, "do") && node->count == 3u + (after != NULL) &&
        fzi_lud_labelled(node, "next") && !node->items[1]->label) {
        fzi_lud all = *node;
        all.count = 3;
        const char *text = fzi_lud_joined(w, FZ_SAY_DO, &all, 1, " ", false);
        return text && after ? fzi_lud_after(w, after, "")
                                   ? FZ_LUD_TEXT(w, "%s %s", text, fzi_lud_after(w, after, ""))
                                   : NULL
                             : text;
    }
    if (fzi_lud_is(node, "remove") && node->count == 3 && fzi_lud_is(node->items[2], "then") &&
        node->items[2]->count == 2 && !w->stacks && !w->sow.on && !w->dice.count) {
        const char *site = fzi_lud_say(w, FZ_SAY_SITE, node->items[1]);
        const char *then = site ? fzi_lud_say(w, FZ_SAY_DO, node->items[2]->items[1]) : NULL;
        return then ? FZ_LUD_TEXT(w, "if %s in occupied%c {remove %s; %s}", site, FZ_LUD_THEN, site,
                                  then)
                    : NULL;
    }
    bool moved =
        fzi_lud_is(node, "move") && node->count > 2 && fzi_lud_is_word(node->items[1], "Slide");
    if (moved || fzi_lud_is(node, "slide"))
        return fzi_lud_slide_effect(w, node);
    if (fzi_lud_is(node, "forEach") && node->count == 4 &&
        fzi_lud_is_word(node->items[1], "Site")) {
        const char *all = fzi_lud_operand(w, FZ_SAY_SITES, node->items[2]);
        fzi_lud_names names = w->names;
        w->names.to = "x"; /* there, (to) is the site, too */
        const char *effect = all ? fzi_lud_with_site(w, FZ_SAY_DO, node->items[3], "x") : NULL;
        w->names = names;
        if (effect && strcmp(all, "empty") == 0 && fzi_lud_mentions(w, effect, "state["))
            return fzi_lud_unsaid(w, node, "the state of empty sites is not translated yet");
        return effect ? for_each_site(w, all, effect) : NULL;
    }
    return NULL;
}
