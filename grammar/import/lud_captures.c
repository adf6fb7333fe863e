/* The captures of .lud games that happen after a move: custodial, intervene, surround, enclose.
 * What is captured is found before anything is removed, so each is a loop over a set. */
#include "lud_reach.h"

typedef struct capture {
    fzi_lud_writer *w;
    const fzi_lud *node, *except;
    fzi_lud_parts parts;
    fzi_lud_place between, to;
    const char *start, *dirs, *follow; /* `follow`: what happens after each */
} capture;

static bool read_capture(capture *c)
{
    fzi_lud_place from;
    fzi_lud *kept = FZI_NEW(c->w->arena, fzi_lud);

    *kept = *c->node;
    kept->items = fzi_arena_alloc(c->w->arena, c->node->count * sizeof *kept->items);
    kept->count = 0;
    for (size_t i = 0; i < c->node->count; i++) {
        fzi_lud *item = c->node->items[i];
        if (fzi_lud_has_label(item, "except"))
            c->except = item;
        else
            kept->items[kept->count++] = item;
    }
    if (!fzi_lud_read_parts(c->w, kept, 1, &c->parts) || c->parts.piece || c->parts.other ||
        !fzi_lud_read_place(c->w, c->parts.from, &from) ||
        !fzi_lud_read_place(c->w, c->parts.between, &c->between) ||
        !fzi_lud_read_place(c->w, c->parts.to, &c->to))
        return false;
    if (from.test || from.effect || from.range || c->between.region || c->to.region ||
        c->between.before || c->between.after || c->to.range)
        return false;
    c->start = from.region ? fzi_lud_operand(c->w, FZ_SAY_SITE, from.region) : "last_to";
    c->dirs = fzi_lud_directions(c->w, &c->parts);
    c->follow = fzi_lud_after(c->w, c->parts.then, "");
    return c->start && c->dirs && c->follow;
}

/* `if` with a name for (between) and (to). */
static const char *condition(capture *c, const fzi_lud *test, const char *between, const char *to)
{
    fzi_lud_names names = c->w->names;

    c->w->names.between = between;
    c->w->names.to = to;
    const char *text = fzi_lud_say(c->w, FZ_SAY_BOOL, test);
    c->w->names = names;
    return text;
}

/* The loop over what is captured. `taken` is a set; the name of a member is `over`. */
static const char *effects(capture *c, const char *taken, const fzi_lud *effect, bool is_to)
{
    fzi_lud_writer *w = c->w;
    fzi_lud_names names = w->names;
    const fzi_lud *plain = effect ? fzi_lud_plain(w, effect) : NULL;

    if (!plain || (*c->follow && fzi_lud_is(plain, "and"))) /* `then` follows each effect */
        return NULL;
    w->names.between = is_to ? names.between : "over";
    w->names.to = is_to ? "over" : names.to;
    const char *text = fzi_lud_say(w, FZ_SAY_DO, plain);
    w->names = names;
    if (!text)
        return NULL;
    if (strstr(text, "hand[") && strstr(text, "] -= ")) /* the hand may not have enough */
        return fzi_lud_unsaid(w, plain, "the order of the sites matters");
    if (strcmp(text, "remove over;") == 0 && !*c->follow)
        return FZ_LUD_TEXT(w, "remove %s;", taken);
    return FZ_LUD_TEXT(w, "for over in %s { %s %s }", taken, text, c->follow);
}

static bool is_one(const fzi_lud *range)
{
    return range && fzi_lud_is(range, "max") && range->count == 2 &&
           fzi_lud_is_word(range->items[1], "1");
}

/* Is it a range that the board does not exceed? */
static bool is_open(fzi_lud_writer *w, const fzi_lud *range)
{
    unsigned longest = w->board.rows > w->board.columns ? w->board.rows : w->board.columns;
    return range && fzi_lud_is(range, "range") && range->count == 3 &&
           fzi_lud_is_word(range->items[1], "1") &&
           fzi_lud_number(w, range->items[2]) + 1 >= (int)longest;
}

/* The sites that fulfil a condition about a name. */
static const char *set_for(fzi_lud_writer *w, const char *test, const char *name)
{
    const char *set = fzi_lud_set_of(w, test, name);
    return set ? set : FZ_LUD_TEXT(w, "{for %s in site if %s}", name, test);
}

/* Enemies between the latest site and the next but one, where both conditions are sets; NULL. */
static const char *pinched(capture *c)
{
    fzi_lud_writer *w = c->w;
    const fzi_lud *unsaid = w->unsaid;
    const char *why = w->unsaid_why;
    const char *target = condition(c, c->between.test, "to", NULL);
    const char *friend = target ? condition(c, c->to.test, NULL, "to") : NULL;
    const char *targets = friend ? fzi_lud_set_of(w, target, "to") : NULL;
    const char *friends = targets ? fzi_lud_set_of(w, friend, "to") : NULL;

    w->unsaid = unsaid;
    w->unsaid_why = why;
    if (!friends)
        return NULL;
    w->uses_custodial = true;
    return FZ_LUD_TEXT(w, "pinched(%s, %s, %s, %s)", c->start, targets, friends, c->dirs);
}

static const char *custodial(capture *c)
{
    fzi_lud_writer *w = c->w;
    bool shortest = is_one(c->between.range);

    if (is_open(w, c->between.range))
        c->between.range = NULL;

    if (!c->between.test || !c->to.test || c->except || c->to.effect ||
        (c->between.range && !shortest))
        return NULL;
    if (shortest) {
        const char *between = pinched(c);
        if (between)
            return effects(c, between, c->between.effect, false);
        const char *over = FZ_LUD_TEXT(w, "%s + d", c->start);
        const char *beyond = FZ_LUD_TEXT(w, "%s + d + d", c->start);
        const char *target = condition(c, c->between.test, over, NULL);
        const char *friend = target ? condition(c, c->to.test, over, beyond) : NULL;
        return friend ? effects(c,
                                FZ_LUD_TEXT(w, "union d in %s if %s : {%s + d}", c->dirs,
                                            fzi_lud_both(w, target, friend), c->start),
                                c->between.effect, false)
                      : NULL;
    }
    const char *target = condition(c, c->between.test, "to", NULL);
    const char *friend = target ? condition(c, c->to.test, NULL, "to") : NULL;
    const char *targets = friend ? set_for(w, target, "to") : NULL;
    const char *friends = targets ? set_for(w, friend, "to") : NULL;
    return friends ? effects(c,
                             FZ_LUD_TEXT(w, "flanked(%s, %s, %s, %s)", c->start, targets, friends,
                                         c->dirs),
                             c->between.effect, false)
                   : NULL;
}

static const char *intervene(capture *c)
{
    fzi_lud_writer *w = c->w;

    if (!c->to.test || c->parts.between || c->except)
        return NULL;
    const char *one = condition(c, c->to.test, NULL, FZ_LUD_TEXT(w, "%s + d", c->start));
    const char *other =
        one ? condition(c, c->to.test, NULL, FZ_LUD_TEXT(w, "%s + opposite(d)", c->start)) : NULL;
    if (!other)
        return NULL;
    w->uses_lines = true;
    return effects(c,
                   FZ_LUD_TEXT(w, "union d in %s if %s : {%s + d}", c->dirs,
                               fzi_lud_both(w, one, other), c->start),
                   c->to.effect, true);
}

static const char *surround(capture *c)
{
    fzi_lud_writer *w = c->w;
    const char *except = c->except ? fzi_lud_operand(w, FZ_SAY_INT, c->except) : "";

    if (!c->between.test || !c->to.test || c->between.range || c->to.effect || !except)
        return NULL;
    const char *target = condition(c, c->between.test, "over", NULL);
    const char *friend = target ? condition(c, c->to.test, "over", "t") : NULL;
    if (!friend)
        return NULL;
    const char *friends = fzi_lud_set_of(w, friend, "t"),
               *targets = fzi_lud_set_of(w, target, "over");
    const char *among = FZ_LUD_TEXT(w, "step(%s, %s)", c->start, c->dirs);
    const char *around = FZ_LUD_TEXT(w, "step(over, %s)", c->dirs);
    if (friends && strcmp(friends, "mine") != 0)
        friends = FZ_LUD_TEXT(w, "%s | %s", friends, c->start);
    const char *closed =
        friends && !c->except ? FZ_LUD_TEXT(w, "%s <= %s", around, fzi_lud_in_brackets(w, friends))
        : friends
            ? FZ_LUD_TEXT(w, "#(%s - %s) <= %s", around, fzi_lud_in_brackets(w, friends), except)
        : c->except ? NULL
                    : FZ_LUD_TEXT(w, "all t in %s : (t == %s or %s)", around, c->start, friend);
    if (!closed)
        return NULL;
    return effects(
        c,
        targets ? FZ_LUD_TEXT(w, "{for over in %s & %s if %s}", among,
                              fzi_lud_in_brackets(w, targets), closed)
                : FZ_LUD_TEXT(w, "{for over in %s if %s}", among, fzi_lud_both(w, target, closed)),
        c->between.effect, false);
}

static const char *enclose(capture *c)
{
    fzi_lud_writer *w = c->w;
    const char *target =
        c->between.test && !c->except ? condition(c, c->between.test, "over", NULL) : NULL;
    const char *set = target ? fzi_lud_set_of(w, target, "over") : NULL;

    if (!set || c->between.range || c->parts.to)
        return NULL;
    if (strcmp(c->dirs, "orthogonal") == 0) {
        w->uses_groups = true;
        return effects(c, FZ_LUD_TEXT(w, "smothered(%s, %s)", c->start, set), c->between.effect,
                       false);
    }
    return effects(c,
                   FZ_LUD_TEXT(w,
                               "union t in step(%s, %s) & %s if step(flood(t, %s, %s), %s) & "
                               "empty == {} : flood(t, %s, %s)",
                               c->start, c->dirs, fzi_lud_in_brackets(w, set), set, c->dirs,
                               c->dirs, set, c->dirs),
                   c->between.effect, false);
}

/* (can Move (enclose …)): is there anything that the capture would remove? */
static const char *can_capture(fzi_lud_writer *w, const fzi_lud *written)
{
    const fzi_lud *node = fzi_lud_plain(w, written);
    const char *text = node ? fzi_lud_capture(w, FZ_SAY_DO, node) : NULL;
    size_t length = text ? strlen(text) : 0;
    bool alone =
        length > 8 && strncmp(text, "remove ", 7) == 0 && strchr(text, ';') == text + length - 1;

    if (!alone)
        return NULL;
    const char *set = FZ_LUD_TEXT(w, "%.*s", (int)length - 8, text + 7);
    return FZ_LUD_TEXT(w, "%s != {}", fzi_lud_in_brackets(w, set));
}

const char *fzi_lud_capture(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    if (type == FZ_SAY_BOOL && fzi_lud_is(node, "can") && node->count == 3 &&
        fzi_lud_is_word(node->items[1], "Move"))
        return can_capture(w, node->items[2]);
    static const struct {
        const char *head;
        const char *(*say)(capture *c);
    } kinds[] = {{"custodial", custodial},
                 {"intervene", intervene},
                 {"surround", surround},
                 {"enclose", enclose}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && type == FZ_SAY_DO; i++)
        if (fzi_lud_is(node, kinds[i].head)) {
            capture c = {.w = w, .node = node};
            return read_capture(&c) ? kinds[i].say(&c) : NULL;
        }
    return NULL;
}
