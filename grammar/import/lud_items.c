/* The moves of a kind of pieces in .lud games: items of its body, and what they attack. */
#include "lud_reach.h"

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), last = strlen(end);
    return length > last && strcmp(text + length - last, end) == 0;
}

static bool has_neutral(const fzi_lud_writer *w)
{
    for (size_t i = 0; i < w->piece_count; i++)
        if (w->pieces[i].owner == FZ_LUD_NOBODY || w->pieces[i].owner == FZ_LUD_SHARED)
            return true;
    return w->players > 2;
}

/* A set of targets without what it says about the pieces there. */
typedef struct targets {
    const char *set;
    size_t length;
    bool captures, moves; /* onto enemies, onto empty sites */
} targets;

static bool read_targets(const fzi_lud_writer *w, const char *set, targets *t)
{
    const struct {
        const char *end;
        bool captures, moves, trimmed;
    } ends[] = {{" & theirs", true, false, true},
                {" & (empty | theirs)", true, true, true},
                {" & ~mine", true, true, true},
                {" & empty", false, true, false}};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_in(set, ends[i].end) && (i != 2 || !has_neutral(w))) {
            size_t length = strlen(set) - (ends[i].trimmed ? strlen(ends[i].end) : 0);
            *t = (targets){set, length, ends[i].captures, ends[i].moves};
            return true;
        }
    return false;
}

/* (move (from) (to SITES if:C)) */
static bool find_target(fzi_lud_writer *w, const fzi_lud_parts *p, fzi_lud_reach *r)
{
    fzi_lud_place to;

    if (!fzi_lud_read_place(w, p->to, &to) || !to.region || to.range)
        return false;
    const char *set = fzi_lud_say(w, FZ_SAY_SITES, to.region);
    r->set = set ? fzi_lud_targets(w, set, to.test, &r->test) : NULL;
    r->effect = "";
    return r->set != NULL;
}

/* *origin: what must hold where the move begins; NULL: nothing. */
static bool find_reach(fzi_lud_writer *w, const fzi_lud *node, fzi_lud_parts *p, fzi_lud_reach *r,
                       const char **origin)
{
    static const struct {
        const char *kind;
        fzi_lud_reach_fn *find;
    } reaching[] = {{"Slide", fzi_lud_slide},
                    {"Step", fzi_lud_step},
                    {"Leap", fzi_lud_leap},
                    {"Hop", fzi_lud_jump}};
    bool named = node->items[1]->kind == FZ_LUD_WORD;
    fzi_lud_reach_fn *find = named ? NULL : find_target;
    fzi_lud_place from;

    for (size_t i = 0; i < sizeof reaching / sizeof *reaching; i++)
        if (fzi_lud_is_word(node->items[1], reaching[i].kind))
            find = reaching[i].find;
    if (!find || !fzi_lud_read_parts(w, node, named ? 2 : 1, p) ||
        !fzi_lud_read_place(w, p->from, &from) || from.region || from.range || from.effect)
        return false;
    *origin = from.test ? fzi_lud_say(w, FZ_SAY_BOOL, from.test) : NULL;
    return (*origin || !from.test) && find(w, p, r);
}

/* `move to SET;` if that is all. */
static bool plain_item(fzi_lud_writer *w, const fzi_lud *node, const char *condition,
                       fzi_growing *to)
{
    const fzi_lud *unsaid_before = w->unsaid;
    const char *origin;
    fzi_lud_parts p;
    fzi_lud_reach r;
    targets t;

    w->names.to = "to";
    bool good = !w->stacks && node->items[1]->kind == FZ_LUD_WORD &&
                find_reach(w, node, &p, &r, &origin) && !origin && !p.then && !r.test &&
                !*r.effect && read_targets(w, r.set, &t);
    w->names.to = NULL;
    if (!good) {
        w->unsaid = unsaid_before;
        return false;
    }
    fzi_grow_z(w->arena, to,
               FZ_LUD_TEXT(w, "%s to %.*s%s%s;\n", t.moves ? "move" : "capture", (int)t.length,
                           t.set, condition ? " if " : "", condition ? condition : ""));
    return true;
}

/* Must the target of this move be empty? */
static bool is_quiet(fzi_lud_writer *w, const fzi_lud *node)
{
    for (size_t i = 1; i < node->count; i++) {
        const fzi_lud *to = fzi_lud_plain(w, node->items[i]);
        const fzi_lud *test = to && fzi_lud_is(to, "to") ? fzi_lud_labelled(to, "if") : NULL;
        const fzi_lud *plain = test ? fzi_lud_plain(w, test) : NULL;
        if (plain && fzi_lud_is(plain, "is") && plain->count == 3 &&
            fzi_lud_is_word(plain->items[1], "Empty") && fzi_lud_is(plain->items[2], "to"))
            return true;
    }
    return false;
}

static bool add_attacks(fzi_lud_writer *w, const fzi_lud *written, fzi_growing *to);

/* (if C A B): quiet moves attack nothing, whatever the condition is. */
static bool add_attacks_if(fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to)
{
    for (size_t i = 2; i < node->count; i++) {
        fzi_growing some = {0};
        if (!add_attacks(w, node->items[i], &some))
            return false;
        const char *test = some.length ? fzi_lud_say(w, FZ_SAY_BOOL, node->items[1]) : "";
        if (!test || fzi_lud_asks_attacks(w, test))
            return fzi_lud_unsaid(w, node, "what this attacks is not clear") != NULL;
        for (const char *at = some.text; at && *at;) { /* `attacks SET;` in each line */
            size_t length = strcspn(at, "\n");
            fzi_grow_z(w->arena, to,
                       FZ_LUD_TEXT(w, "attacks if %s then %.*s else {};\n",
                                   i == 2 ? test : fzi_lud_not(w, test), (int)length - 9, at + 8));
            at += length + (at[length] != 0);
        }
    }
    return true;
}

/* What the moves in `moves { }` attack: nothing without `attacks SET;`. */
static bool add_attacks(fzi_lud_writer *w, const fzi_lud *written, fzi_growing *to)
{
    const fzi_lud *node = fzi_lud_plain(w, written);
    const fzi_lud *unsaid_before = w->unsaid;
    const char *origin = NULL;
    fzi_lud_parts p;
    fzi_lud_reach r = {0};
    targets t;

    if (!node)
        return false;
    if (!w->uses_attacked || fzi_lud_is(node, "then"))
        return true;
    if (node->kind == FZ_LUD_SET || fzi_lud_is(node, "or")) {
        for (size_t i = node->kind != FZ_LUD_SET; i < node->count; i++)
            if (!add_attacks(w, node->items[i], to))
                return false;
        return true;
    }
    if (fzi_lud_is(node, "if"))
        return add_attacks_if(w, node, to);
    bool moves = fzi_lud_is(node, "move") && node->count > 1;
    w->names.to = "to";
    bool found = moves && find_reach(w, node, &p, &r, &origin);
    w->names.to = NULL;
    /* Capture in passing takes no piece on its target. */
    bool passing = r.set && (strstr(r.set, "pending") || (r.test && strstr(r.test, "pending")));
    bool clear = found && !r.test && read_targets(w, r.set, &t);
    if ((clear && !t.captures) || (moves && !clear && (passing || is_quiet(w, node)))) {
        w->unsaid = unsaid_before;
        return true;
    }
    const char *set = clear    ? FZ_LUD_TEXT(w, "%.*s", (int)t.length, t.set)
                      : r.test ? FZ_LUD_TEXT(w, "{for to in %s if %s}", r.set, r.test)
                               : r.set;
    if (!found || fzi_lud_asks_attacks(w, set) || (origin && fzi_lud_asks_attacks(w, origin))) {
        w->unsaid = unsaid_before;
        return fzi_lud_unsaid(w, node, "what this attacks is not clear") != NULL;
    }
    fzi_grow_z(w->arena, to,
               origin ? FZ_LUD_TEXT(w, "attacks if %s then %s else {};\n", origin, set)
                      : FZ_LUD_TEXT(w, "attacks %s;\n", set));
    return true;
}

static bool add_items(fzi_lud_writer *w, const fzi_lud *written, const char *condition,
                      fzi_growing *items, fzi_growing *rest)
{
    const fzi_lud *node = fzi_lud_plain(w, written);

    if (!node)
        return false;
    if (node->kind == FZ_LUD_SET || (fzi_lud_is(node, "or") && !fzi_lud_then_of(node))) {
        for (size_t i = node->kind != FZ_LUD_SET; i < node->count; i++)
            if (!add_items(w, node->items[i], condition, items, rest))
                return false;
        return true;
    }
    if (fzi_lud_is(node, "move") && node->count > 1 && plain_item(w, node, condition, items))
        return true;
    return fzi_lud_options(w, node, "", rest) && add_attacks(w, node, items);
}

/* The moves without the effect that follows all of them, which is left in *after; NULL: it is not
 * said. */
static const fzi_lud *without_then(fzi_lud_writer *w, const fzi_lud *written, const char **after)
{
    const fzi_lud *node = fzi_lud_plain(w, written);
    const fzi_lud *then = node ? fzi_lud_then_of(node) : NULL;

    if (!then || w->stacks || (!fzi_lud_is(node, "or") && !fzi_lud_is(node, "move")))
        return node;
    const char *text = fzi_lud_after(w, then, "");
    if (!text || fzi_lud_mentions(w, text, "here") || !fzi_lud_mentions(w, text, "last_to") ||
        fzi_lud_mentions(w, text, "(from"))
        return text ? node : NULL;
    fzi_lud *made = FZI_NEW(w->arena, fzi_lud);
    *made = *node;
    made->count--;
    *after = text;
    return made;
}

bool fzi_lud_items(fzi_lud_writer *w, const fzi_lud *node, const char *condition, fzi_growing *to)
{
    fzi_lud_names names = w->names;
    fzi_growing rest = {0};

    w->names = (fzi_lud_names){.from = "here", .site = "here"};
    const char *after = NULL;
    const fzi_lud *moves = condition ? node : without_then(w, node, &after);
    bool good = moves && add_items(w, moves, condition, to, &rest);
    w->names = names;
    if (good && rest.length)
        fzi_grow_z(w->arena, to,
                   condition ? FZ_LUD_TEXT(w, "moves { if %s {\n%s}}\n", condition, rest.text)
                             : FZ_LUD_TEXT(w, "moves {\n%s}\n", rest.text));
    if (good && after)
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "after %s\n", fzi_lud_block(w, after)));
    return good;
}
