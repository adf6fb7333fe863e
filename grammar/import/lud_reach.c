/* The parts of moves of .lud games, and the sites that steps, slides and leaps lead to. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_reach.h"

/* ---- the parts of a move ---- */

static const fzi_lud **place_of(fzi_lud_parts *p, const fzi_lud *item)
{
    const struct {
        const char *head;
        const fzi_lud **place;
    } heads[] = {{"from", &p->from},       {"between", &p->between}, {"to", &p->to},
                 {"then", &p->then},       {"piece", &p->piece},     {"directions", &p->dirs},
                 {"difference", &p->dirs}, {"if", &p->dirs}};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (fzi_lud_is(item, heads[i].head))
            return heads[i].place;
    return item->kind == FZ_LUD_WORD || item->kind == FZ_LUD_SET ? &p->dirs : &p->other;
}

/* Sorts the items of a move from number `first` on. */
bool fzi_lud_read_parts(fzi_lud_writer *w, const fzi_lud *node, size_t first, fzi_lud_parts *p)
{
    *p = (fzi_lud_parts){.node = node};
    for (size_t i = first; i < node->count; i++) {
        const fzi_lud *item = fzi_lud_plain(w, node->items[i]);
        if (!item)
            return false;
        if (w->sow.on && fzi_lud_has_label(item, "count") &&
            strcmp(fzi_lud_text(w->arena, item, 40), "count:(count at:(to))") == 0)
            continue; /* all seeds */
        if (fzi_lud_has_label(item, "copy") && fzi_lud_is_word(item, "True") && p->to &&
            node->items[1]->kind != FZ_LUD_WORD) {
            p->copy = true;
            continue;
        }
        if (item->label)
            return fzi_lud_refuse(w, item);
        const fzi_lud **place = place_of(p, item);
        if (*place)
            return fzi_lud_refuse(w, item);
        *place = item;
    }
    return true;
}

/* (apply if:C E) as (if C E) */
static const fzi_lud *as_if(fzi_lud_writer *w, const fzi_lud *apply)
{
    fzi_lud *word = FZI_NEW(w->arena, fzi_lud), *test = FZI_NEW(w->arena, fzi_lud),
            *made = FZI_NEW(w->arena, fzi_lud);

    *word = (fzi_lud){.kind = FZ_LUD_WORD, .text = "if", .line = apply->line};
    *test = *apply->items[1];
    test->label = NULL;
    *made = *apply;
    made->items = fzi_arena_alloc(w->arena, 3 * sizeof *made->items);
    made->items[0] = word;
    made->items[1] = test;
    made->items[2] = apply->items[2];
    return made;
}

/* With `rule`, for targets: (apply if:C) without an effect is a condition of the target. */
static bool read_target(fzi_lud_writer *w, const fzi_lud *node, fzi_lud_place *p,
                        const fzi_lud **rule)
{
    *p = (fzi_lud_place){0};
    for (size_t i = 1; node && i < node->count; i++) {
        const fzi_lud *item = fzi_lud_plain(w, node->items[i]);
        const fzi_lud **to = &p->region;
        if (!item)
            return false;
        if (fzi_lud_is_word(item, "Cell") && i == 1 && node->count > 2 && !item->label)
            continue; /* the kind of site */
        if (fzi_lud_has_label(item, "level") && fzi_lud_is(item, "level") && item->count == 1 &&
            fzi_lud_is(node, "from") && fzi_lud_moves_tops(w))
            continue;
        if (item->label)
            to = fzi_lud_has_label(item, "if")       ? &p->test
                 : fzi_lud_has_label(item, "before") ? &p->before
                 : fzi_lud_has_label(item, "after")  ? &p->after
                                                     : NULL;
        else if (fzi_lud_is(item, "apply") && item->count == 2 && !item->items[1]->label) {
            to = &p->effect;
            item = item->items[1];
        } else if (fzi_lud_is(item, "apply") && item->count == 3 &&
                   fzi_lud_has_label(item->items[1], "if") && !item->items[2]->label) {
            to = &p->effect;
            item = as_if(w, item);
        } else if (fzi_lud_is(item, "apply") && rule && !*rule && item->count == 2 &&
                   fzi_lud_has_label(item->items[1], "if")) {
            *rule = item->items[1];
            continue;
        } else if (fzi_lud_is(item, "apply"))
            return fzi_lud_refuse(w, item);
        else if (fzi_lud_is(item, "range") || fzi_lud_is(item, "exact") || fzi_lud_is(item, "max"))
            to = &p->range;
        if (!to || *to)
            return fzi_lud_refuse(w, item);
        *to = item;
    }
    return true;
}

bool fzi_lud_read_place(fzi_lud_writer *w, const fzi_lud *node, fzi_lud_place *p)
{
    return read_target(w, node, p, NULL);
}

const fzi_lud *fzi_lud_then_of(const fzi_lud *node)
{
    const fzi_lud *last = node->count ? node->items[node->count - 1] : NULL;
    return fzi_lud_is(last, "then") ? last : NULL;
}

static const char *effect_name(fzi_lud_writer *w)
{
    return FZ_LUD_TEXT(w, "after_move%s",
                       w->shared_count ? FZ_LUD_TEXT(w, "_%zu", w->shared_count) : "");
}

/* The statements of (then …), with those that follow all the same. */
const char *fzi_lud_after(fzi_lud_writer *w, const fzi_lud *then, const char *outer)
{
    fzi_lud_names names = w->names;

    if (!then)
        return outer;
    if (then->count != 2)
        return fzi_lud_unsaid(w, then, "not translated yet");
    w->names.played = true;
    const char *text = fzi_lud_say(w, FZ_SAY_DO, then->items[1]);
    w->names = names;
    if (!text && fzi_lud_go_on(w))
        return outer;
    if (text && !w->sow.on)
        text = fzi_lud_share(w, FZ_SAY_DO, effect_name(w), text);
    if (text && *outer && w->chains && fzi_lud_mentions(w, text, "go_on"))
        return fzi_lud_unsaid(w, then, "an effect after further moves");
    return text ? FZ_LUD_TEXT(w, "%s %s", text, outer) : NULL;
}

/* The statements after a move's own effect. */
const char *fzi_lud_follow(fzi_lud_writer *w, const fzi_lud_parts *p, const char *then)
{
    const char *text = fzi_lud_after(w, p->then, then);
    return text && w->first ? FZ_LUD_TEXT(w, "%s %s", w->first, text) : text;
}

/* ---- conditions as sets ---- */

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    }
    return false;
}

/* The set that a condition such as `to in empty or to in theirs` is about; NULL: it is no set. */
const char *fzi_lud_set_of(fzi_lud_writer *w, const char *condition, const char *name)
{
    size_t length = strlen(name);
    const char *split = strstr(condition, " or ");

    if (split && !strchr(condition, '(') && !strstr(condition, " and ")) {
        const char *a =
            fzi_lud_set_of(w, FZ_LUD_TEXT(w, "%.*s", (int)(split - condition), condition), name);
        const char *b = fzi_lud_set_of(w, split + 4, name);
        return a && b ? FZ_LUD_TEXT(w, "%s | %s", a, b) : NULL;
    }
    if (strncmp(condition, "(", 1) == 0 && split) {
        /* (to in empty) or (to in theirs) */
        const char *close = strchr(condition, ')');
        size_t rest = strlen(split + 4);
        if (!close || close + 1 != split || split[4] != '(' || split[4 + rest - 1] != ')')
            return NULL;
        const char *a = fzi_lud_set_of(
            w, FZ_LUD_TEXT(w, "%.*s", (int)(close - condition - 1), condition + 1), name);
        const char *b = fzi_lud_set_of(w, FZ_LUD_TEXT(w, "%.*s", (int)rest - 2, split + 5), name);
        return a && b ? FZ_LUD_TEXT(w, "%s | %s", a, b) : NULL;
    }
    bool outside =
        strncmp(condition, name, length) == 0 && strncmp(condition + length, " not in ", 8) == 0;
    if (!outside &&
        (strncmp(condition, name, length) != 0 || strncmp(condition + length, " in ", 4) != 0))
        return NULL;
    const char *set = condition + length + (outside ? 8 : 4);
    return strchr(set, ' ') || has_word(set, name) ? NULL
           : outside                               ? FZ_LUD_TEXT(w, "~%s", set)
                                                   : set;
}

/* A condition; one that the script lacks is `true`. */
const char *fzi_lud_test_of(fzi_lud_writer *w, const fzi_lud *node)
{
    const char *text = fzi_lud_say(w, FZ_SAY_BOOL, node);
    return text ? text : fzi_lud_go_on(w) ? "true" : NULL;
}

/* The targets that fulfil the test, as `SET & empty`, or with the test left in *rest. */
const char *fzi_lud_targets(fzi_lud_writer *w, const char *set, const fzi_lud *test,
                            const char **rest)
{
    *rest = NULL;
    if (!test)
        return set;
    const char *condition = fzi_lud_test_of(w, test);
    if (!condition || strcmp(condition, "true") == 0)
        return condition ? set : NULL;
    const char *within = fzi_lud_set_of(w, condition, w->names.to);
    if (within && strcmp(set, "site") == 0)
        return within;
    if (within)
        return FZ_LUD_TEXT(w, "%s & %s", fzi_lud_in_brackets(w, set),
                           fzi_lud_in_brackets(w, within));
    *rest = condition;
    return set;
}

/* ---- writing options ---- */

static bool is_capture_of_target(const fzi_lud *effect)
{
    return fzi_lud_is(effect, "remove") && effect->count == 2 && fzi_lud_is(effect->items[1], "to");
}

/* The effect of (apply …), without the removal of what `go` captures anyway. */
const char *fzi_lud_applied(fzi_lud_writer *w, const fzi_lud *effect)
{
    if (!effect)
        return "";
    const fzi_lud *plain = fzi_lud_plain(w, effect);
    if (plain && !w->stacks && fzi_lud_is(plain, "remove") && plain->count == 3 &&
        fzi_lud_is(plain->items[1], "to") && fzi_lud_then_of(plain)) {
        const char *more = fzi_lud_after(w, fzi_lud_then_of(plain), "");
        return more ? FZ_LUD_TEXT(w, "if %s in occupied%c %s", w->names.to, FZ_LUD_THEN,
                                  fzi_lud_block(w, more))
                    : NULL;
    }
    if (!plain || (is_capture_of_target(plain) && !w->stacks))
        return plain ? "" : NULL;
    fzi_lud_names names = w->names;
    w->names.played = true;
    const char *text = fzi_lud_say(w, FZ_SAY_DO, plain);
    w->names = names;
    if (!text && fzi_lud_go_on(w))
        return "";
    return text && w->names.to &&
                   strcmp(text, FZ_LUD_TEXT(w, "if %s in theirs%c remove %s;", w->names.to,
                                            FZ_LUD_THEN, w->names.to)) == 0
               ? ""
               : text;
}

void fzi_lud_add_option(fzi_lud_writer *w, fzi_growing *to, const char *quantifiers,
                        const char *test, const char *label, const char *effect)
{
    fzi_grow_z(w->arena, to,
               FZ_LUD_TEXT(w, "%s%s%s%s%s%s => %s\n", quantifiers, test ? " if " : "",
                           test ? test : "", label ? " \"" : "", label ? label : "",
                           label ? "\"" : "", fzi_lud_block(w, effect)));
}

/* `for from in SET, `, or nothing inside a piece's body or a loop that has bound the name. The
 * name is then in `w->names.from`. */
const char *fzi_lud_origins(fzi_lud_writer *w, const fzi_lud_parts *p, const char **test)
{
    fzi_lud_place from;

    *test = NULL;
    if (!fzi_lud_read_place(w, p->from, &from) || from.effect || from.range)
        return fzi_lud_unsaid(w, p->from ? p->from : p->node, "not translated yet");
    const char *set = from.region ? fzi_lud_say(w, FZ_SAY_SITES, from.region) : NULL;
    if (from.region && !set)
        return NULL;
    if (!set && !w->names.from)
        return fzi_lud_unsaid(w, p->node, "it does not say from where");
    const char *text = "";
    if (set && (!w->names.from || strcmp(set, w->names.from) != 0)) {
        w->names.from = "from";
        text = FZ_LUD_TEXT(w, "for from in %s", set);
    }
    if (from.test) {
        *test = fzi_lud_test_of(w, from.test);
        if (!*test)
            return NULL;
    }
    return text;
}

const char *fzi_lud_directions(fzi_lud_writer *w, const fzi_lud_parts *p)
{
    return p->dirs ? fzi_lud_say(w, FZ_SAY_DIRS, p->dirs) : fzi_lud_adjacent(w);
}

const char *fzi_lud_both(fzi_lud_writer *w, const char *a, const char *b)
{
    if (!a || !b)
        return a ? a : b;
    return FZ_LUD_TEXT(w, "%s and %s", fzi_lud_term(w, a), fzi_lud_term(w, b));
}

/* The end of the number that `(range 1 3)`, `(exact 3)` or `(max 3)` allows, from 1; "": none. */
static const char *most_steps(fzi_lud_writer *w, const fzi_lud *range)
{
    if (!range)
        return "";
    if (fzi_lud_is(range, "max") && range->count == 2)
        return fzi_lud_say(w, FZ_SAY_INT, range->items[1]);
    if (fzi_lud_is(range, "range") && range->count == 3 && fzi_lud_is_word(range->items[1], "1"))
        return fzi_lud_say(w, FZ_SAY_INT, range->items[2]);
    return fzi_lud_unsaid(w, range, "not translated yet");
}

bool fzi_lud_step(fzi_lud_writer *w, const fzi_lud_parts *p, fzi_lud_reach *r)
{
    fzi_lud_place to;
    const char *dirs = fzi_lud_directions(w, p);

    if (p->between || p->piece || p->other)
        return fzi_lud_refuse(w, p->between ? p->between : p->piece ? p->piece : p->other);
    if (!dirs || !fzi_lud_read_place(w, p->to, &to))
        return false;
    if (to.region || to.range)
        return fzi_lud_refuse(w, p->to);
    r->set =
        fzi_lud_targets(w, FZ_LUD_TEXT(w, "step(%s, %s)", w->names.from, dirs), to.test, &r->test);
    r->effect = fzi_lud_applied(w, to.effect);
    return r->set && r->effect;
}

/* Is it a condition that empty sites do not fulfil? */
static bool is_of_pieces(const char *condition)
{
    return strncmp(condition, "to in theirs", 12) == 0 ||
           strncmp(condition, "(to in theirs) and", 18) == 0;
}

/* (between (exact 2) if:(is Empty (between))): as many steps, over empty sites onto a target. */
static bool exact_slide(fzi_lud_writer *w, const fzi_lud *range, const char *dirs,
                        const fzi_lud_place *to, fzi_lud_reach *r)
{
    int steps = range->count == 2 ? fzi_lud_number(w, range->items[1]) : -1;
    bool many = strcmp(dirs, "adjacent") == 0 || strcmp(dirs, "orthogonal") == 0 ||
                strcmp(dirs, "diagonal") == 0 || strchr(dirs, '|');
    const char *set = w->names.from;

    if (steps < 1 || steps > 4)
        return fzi_lud_refuse(w, range);
    for (int i = 1; i < steps; i++)
        set = FZ_LUD_TEXT(w, "step(%s, %s) & empty", set, many ? "d" : dirs);
    set = FZ_LUD_TEXT(w, "step(%s, %s)", set, many ? "d" : dirs);
    if (many && steps > 1)
        set = FZ_LUD_TEXT(w, "(union d in %s : %s)", dirs, set);
    else if (many)
        set = FZ_LUD_TEXT(w, "step(%s, %s)", w->names.from, dirs);
    const char *stop = to->test ? fzi_lud_say(w, FZ_SAY_BOOL, to->test) : "to in empty";
    const char *within = stop ? fzi_lud_set_of(w, stop, "to") : NULL;
    bool captures = stop && is_of_pieces(stop); /* besides moves to empty sites */
    r->set = !within    ? set
             : captures ? FZ_LUD_TEXT(w, "%s & (empty | %s)", set, within)
                        : FZ_LUD_TEXT(w, "%s & %s", set, fzi_lud_in_brackets(w, within));
    r->test = within || !stop ? NULL
              : captures      ? FZ_LUD_TEXT(w, "to in empty or %s", fzi_lud_in_brackets(w, stop))
                              : stop;
    return stop != NULL;
}

/* (between (exact 2) if:C) in one direction, as for a king that castles: C holds for each site on
 * the way, and for the target unless (to if:…) says what holds there. */
static bool guarded_slide(fzi_lud_writer *w, const fzi_lud_place *between, const char *dir,
                          const fzi_lud_place *to, fzi_lud_reach *r)
{
    int steps = between->range->count == 2 ? fzi_lud_number(w, between->range->items[1]) : -1;
    fzi_lud_names names = w->names;

    if (steps < 1 || steps > 9 || strchr(dir, ' ') || strcmp(dir, "adjacent") == 0 ||
        strcmp(dir, "orthogonal") == 0 || strcmp(dir, "diagonal") == 0)
        return fzi_lud_refuse(w, between->range);
    w->names.between = w->names.to = "x";
    const char *test = fzi_lud_say(w, FZ_SAY_BOOL, between->test);
    w->names = names;
    const char *set = FZ_LUD_TEXT(w, "{walk(%s, %s, %d)}", names.from, dir, steps), *rest;
    r->set = test ? fzi_lud_targets(w, set, to->test, &rest) : NULL;
    r->effect = r->set ? fzi_lud_applied(w, to->effect) : NULL;
    if (!r->effect)
        return false;
    const char *way = FZ_LUD_TEXT(w, "all x in between(%s, to)%s : %s", names.from,
                                  to->test ? "" : " | to", fzi_lud_in_brackets(w, test));
    r->test = strcmp(test, "true") == 0 ? rest : fzi_lud_both(w, rest, way);
    return true;
}

/* (slide (from S) E (between (exact 3) if:True) (to if:True …)) as an effect, as for a rook that
 * castles; NULL: it is none. */
const char *fzi_lud_slide_effect(fzi_lud_writer *w, const fzi_lud *node)
{
    fzi_lud_names names = w->names;
    fzi_lud_parts p;
    fzi_lud_reach r;
    fzi_lud_place from;

    if (!fzi_lud_read_parts(w, node, fzi_lud_is(node, "move") ? 2 : 1, &p) || !p.from || p.then ||
        !fzi_lud_read_place(w, p.from, &from) || !from.region || from.test)
        return NULL;
    w->names.from = fzi_lud_say(w, FZ_SAY_SITE, from.region);
    w->names.to = "to";
    bool good =
        w->names.from && fzi_lud_slide(w, &p, &r) && !r.test && strncmp(r.set, "{walk(", 6) == 0;
    const char *text = good ? FZ_LUD_TEXT(w, "%s go(%s, %.*s);", r.effect, w->names.from,
                                          (int)strlen(r.set) - 2, r.set + 1)
                            : NULL;
    w->names = names;
    return text;
}

bool fzi_lud_slide(fzi_lud_writer *w, const fzi_lud_parts *p, fzi_lud_reach *r)
{
    fzi_lud_place to, between;
    const fzi_lud *rule = NULL;
    const char *dirs = fzi_lud_directions(w, p);

    if (p->piece || p->other)
        return fzi_lud_refuse(w, p->piece ? p->piece : p->other);
    if (!dirs || !read_target(w, p->to, &to, &rule) || !fzi_lud_read_place(w, p->between, &between))
        return false;
    if (to.region || to.range || between.region || between.effect || between.before ||
        between.after)
        return fzi_lud_refuse(w, p->between ? p->between : p->to);
    const char *through = "empty";
    bool exact = between.range && fzi_lud_is(between.range, "exact");
    bool over_empty =
        !between.test || (fzi_lud_is(between.test, "is") && between.test->count == 3 &&
                          fzi_lud_is_word(between.test->items[1], "Empty"));
    if (exact && rule)
        return fzi_lud_refuse(w, p->to);
    if (exact && !over_empty)
        return guarded_slide(w, &between, dirs, &to, r);
    if (between.test) {
        fzi_lud_names names = w->names;
        w->names.between = w->names.to = "to";
        const char *test = fzi_lud_say(w, FZ_SAY_BOOL, between.test);
        w->names = names;
        if (!test)
            return false;
        through = fzi_lud_set_of(w, test, "to");
        through = through ? through : FZ_LUD_TEXT(w, "{for to in site if %s}", test);
    }
    bool plain = strcmp(through, "empty") == 0;
    r->effect = fzi_lud_applied(w, to.effect);
    if (exact && !plain)
        return fzi_lud_refuse(w, p->between);
    if (exact)
        return r->effect && exact_slide(w, between.range, dirs, &to, r);
    const char *most = most_steps(w, between.range);
    if (!most)
        return false;
    const char *slide =
        *most   ? FZ_LUD_TEXT(w, "slide(%s, %s, %s, %s)", w->names.from, dirs, through, most)
        : plain ? FZ_LUD_TEXT(w, "slide(%s, %s)", w->names.from, dirs)
                : FZ_LUD_TEXT(w, "slide(%s, %s, %s)", w->names.from, dirs, through);
    const char *only = rule ? fzi_lud_say(w, FZ_SAY_BOOL, rule) : NULL;
    r->test = only;
    if (rule && (!only || to.test))
        return fzi_lud_refuse(w, p->to);
    if (!to.test) {
        r->set = FZ_LUD_TEXT(w, "%s & %s", slide, fzi_lud_in_brackets(w, through));
        return r->effect != NULL;
    }
    const char *stop = fzi_lud_say(w, FZ_SAY_BOOL, to.test);
    if (!stop || !r->effect)
        return false;
    bool guarded = strncmp(r->effect, "if to in occupied", 17) == 0 ||
                   strncmp(r->effect, "if to in theirs", 15) == 0;
    if (!is_of_pieces(stop) || (*r->effect && !guarded))
        return fzi_lud_refuse(w, p->to);
    const char *within = fzi_lud_set_of(w, stop, "to");
    r->set = within ? FZ_LUD_TEXT(w, "%s & (%s | %s)", slide, through, within) : slide;
    if (!within)
        r->test = FZ_LUD_TEXT(w, "to in %s or %s", through, fzi_lud_in_brackets(w, stop));
    return true;
}

/* A knight's leap: the walks are F F R F and F F L F. */
bool fzi_lud_leap(fzi_lud_writer *w, const fzi_lud_parts *p, fzi_lud_reach *r)
{
    static const char *const knight[] = {"{{F F R F} {F F L F}}", "{{F F L F} {F F R F}}"};
    fzi_lud_place to;

    if (!p->dirs || p->between || p->piece || p->other)
        return fzi_lud_refuse(w, p->node);
    const char *walks = fzi_lud_text(w->arena, p->dirs, 200);
    if (strcmp(walks, knight[0]) != 0 && strcmp(walks, knight[1]) != 0)
        return fzi_lud_refuse(w, p->dirs);
    if (!fzi_lud_read_place(w, p->to, &to) || to.region || to.range)
        return fzi_lud_refuse(w, p->node);
    const char *set = FZ_LUD_TEXT(w, "leap(%s, 1, 2)", w->names.from);
    if (w->board.holes) /* a walk ends at a hole, and a leap does not */
        set = FZ_LUD_TEXT(w, "(%s & step((union d in orthogonal : {walk(%s, d, 2)}), orthogonal))",
                          set, w->names.from);
    r->set = fzi_lud_targets(w, set, to.test, &r->test);
    r->effect = fzi_lud_applied(w, to.effect);
    return r->set && r->effect;
}

/* A hop over whatever fulfils a condition, two sites on. (between (exact 2) if:True): over two
 * sites, whatever stands there. */
bool fzi_lud_jump(fzi_lud_writer *w, const fzi_lud_parts *p, fzi_lud_reach *r)
{
    fzi_lud_place to, between;
    const char *dirs = fzi_lud_directions(w, p), *set;
    fzi_lud_names names = w->names;

    if (!dirs || p->piece || p->other || !fzi_lud_read_place(w, p->to, &to) ||
        !fzi_lud_read_place(w, p->between, &between) || to.region || to.range || !between.test ||
        between.effect || between.before || between.after || between.region)
        return fzi_lud_refuse(w, p->node);
    bool squares = !w->board.hexagons && !w->board.is_graph && !w->board.holes;
    int over = !between.range ? 1
               : fzi_lud_is(between.range, "exact") && between.range->count == 2
                   ? fzi_lud_number(w, between.range->items[1])
                   : -1;
    w->names.between = FZ_LUD_TEXT(w, "(%s + d)", w->names.from);
    const char *test = fzi_lud_say(w, FZ_SAY_BOOL, between.test);
    w->names = names;
    bool any = test && strcmp(test, "true") == 0;
    if (!test || over < 1 || over > 9 || (over > 1 && !any))
        return fzi_lud_refuse(w, p->between);
    if (!any)
        set = FZ_LUD_TEXT(w, "(union d in %s if %s : {%s + d + d})", dirs, test, names.from);
    else if (squares && strcmp(dirs, "diagonal") == 0)
        set = FZ_LUD_TEXT(w, "leap(%s, %d, %d)", w->names.from, over + 1, over + 1);
    else if (squares && strcmp(dirs, "orthogonal") == 0)
        set = FZ_LUD_TEXT(w, "leap(%s, 0, %d)", w->names.from, over + 1);
    else if (over == 1)
        set = FZ_LUD_TEXT(w, "(union d in %s : {%s + d + d})", dirs, w->names.from);
    else
        set = FZ_LUD_TEXT(w, "(union d in %s : {walk(%s, d, %d)})", dirs, w->names.from, over + 1);
    r->set = fzi_lud_targets(w, set, to.test, &r->test);
    r->effect = fzi_lud_applied(w, to.effect);
    return r->set && r->effect;
}

const char *fzi_lud_pass(fzi_lud_writer *w, const char *then)
{
    w->uses_passing = w->uses_passing || w->counts_passes;
    const char *effect = fzi_lud_block(w, then);
    bool more = strcmp(effect, "{}") != 0;
    return !w->counts_passes ? FZ_LUD_TEXT(w, "\"pass\" => %s", effect)
           : more            ? FZ_LUD_TEXT(w, "pass then %s", effect)
                             : "pass";
}
