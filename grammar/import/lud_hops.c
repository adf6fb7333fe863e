/* Hops of .lud games: over a neighbour, over empty sites, over a row of pieces. */
#include "lud_reach.h"

static bool says(fzi_lud_writer *w, const fzi_lud *node, enum fzi_lud_type type, const char **text)
{
    *text = node ? fzi_lud_say(w, type, node) : NULL;
    return !node || *text;
}

/* Is it a condition that no site off the board fulfils? */
static bool is_on_board(const char *test)
{
    return strncmp(test, "to in ", 6) == 0 || strncmp(test, "(to in ", 7) == 0;
}

/* The least and the greatest number of (range 1 9) or (exact 3), as text; false: it is none. */
static bool read_range(fzi_lud_writer *w, const fzi_lud *range, const char **least,
                       const char **most)
{
    bool exact = fzi_lud_is(range, "exact") && range->count == 2;

    if (!exact && (!fzi_lud_is(range, "range") || range->count != 3))
        return fzi_lud_refuse(w, range);
    *least = fzi_lud_say(w, FZ_SAY_INT, range->items[1]);
    *most = *least ? fzi_lud_say(w, FZ_SAY_INT, range->items[exact ? 1 : 2]) : NULL;
    return *most && (strcmp(*least, "0") != 0 || fzi_lud_refuse(w, range));
}

/* (move Hop (between (range 1 9) if:C (apply E)) (to if:T)): over a row of pieces. */
static bool add_long_hop(fzi_lud_writer *w, const fzi_lud_parts *p, const fzi_lud_place *between,
                         const char *then, fzi_growing *to)
{
    fzi_lud_names names = w->names;
    fzi_lud_place target;
    const char *from_test, *least = NULL, *most = NULL, *over_test = NULL, *to_test = NULL;
    const char *from = fzi_lud_origins(w, p, &from_test);
    const char *dirs = from ? fzi_lud_directions(w, p) : NULL;

    if (!dirs || !fzi_lud_read_place(w, p->to, &target) ||
        !read_range(w, between->range, &least, &most))
        return false;
    if (target.region || target.range || between->region || between->before || between->after ||
        !between->test || w->stacks || p->piece || p->other)
        return fzi_lud_refuse(w, p->node);
    w->names.to = "to";
    w->names.between = "over";
    const char *row = FZ_LUD_TEXT(w, "between(%s, to)", w->names.from);
    over_test = fzi_lud_say(w, FZ_SAY_BOOL, between->test);
    to_test = over_test && target.test ? fzi_lud_say(w, FZ_SAY_BOOL, target.test) : "to != off";
    if (to_test && target.test && !is_on_board(to_test))
        to_test = fzi_lud_both(w, "to != off", to_test);
    const char *set = over_test ? fzi_lud_set_of(w, over_test, "over") : NULL;
    const char *taken = to_test ? fzi_lud_applied(w, between->effect) : NULL;
    const char *effect = taken ? fzi_lud_applied(w, target.effect) : NULL;
    const char *follow = effect && over_test ? fzi_lud_follow(w, p, then) : NULL;
    if (follow) {
        const char *all =
            set ? FZ_LUD_TEXT(w, "%s <= %s", row, set)
                : FZ_LUD_TEXT(w, "all over in %s : %s", row, fzi_lud_in_brackets(w, over_test));
        taken = !*taken ? ""
                : strcmp(taken, "remove over;") == 0
                    ? FZ_LUD_TEXT(w, "remove %s;", row)
                    : FZ_LUD_TEXT(w, "for over in %s {%s}", row, taken);
        fzi_lud_add_option(w, to,
                           FZ_LUD_TEXT(w, "%s%s d in %s, n in %s..%s let to = walk(%s, d, n + 1)",
                                       from, *from ? "," : "for", dirs, least, most, w->names.from),
                           fzi_lud_both(w, fzi_lud_both(w, from_test, to_test), all),
                           FZ_LUD_TEXT(w, "{%s}%s{to}", w->names.from, between->effect ? "x" : "-"),
                           FZ_LUD_TEXT(w, "%s %s %s %s", taken, effect,
                                       fzi_lud_goes(w, w->names.from, "to"), follow));
    }
    w->names = names;
    return follow != NULL;
}

bool fzi_lud_add_hop(fzi_lud_writer *w, const fzi_lud_parts *p, const char *then, fzi_growing *to)
{
    fzi_lud_place row;

    if (!fzi_lud_read_place(w, p->between, &row))
        return false;
    if (row.range)
        return add_long_hop(w, p, &row, then, to);
    fzi_lud_names names = w->names;
    const char *from_test, *over_test, *to_test, *before, *behind;
    fzi_lud_place target, between;
    const char *from = fzi_lud_origins(w, p, &from_test);
    const char *dirs = from ? fzi_lud_directions(w, p) : NULL;

    if (!dirs || !fzi_lud_read_place(w, p->to, &target) ||
        !fzi_lud_read_place(w, p->between, &between))
        return false;
    if (target.region || target.range || between.region || between.range || p->piece || p->other)
        return fzi_lud_refuse(w, p->node);
    w->names.to = "to";
    w->names.between = "over";
    const char *near = FZ_LUD_TEXT(w, "over = %s + d", w->names.from);
    const char *far = "to = over + d";
    const char *loops = "";
    bool good = says(w, between.test, FZ_SAY_BOOL, &over_test) &&
                says(w, target.test, FZ_SAY_BOOL, &to_test) &&
                says(w, between.before, FZ_SAY_INT, &before) &&
                says(w, between.after, FZ_SAY_INT, &behind);
    if (over_test && strcmp(over_test, "true") == 0)
        over_test = NULL;
    if (good && (before || behind)) {
        near = before ? FZ_LUD_TEXT(w, "over in slide(%s, d, empty, %s + 1) & occupied",
                                    w->names.from, fzi_lud_in_brackets(w, before))
                      : FZ_LUD_TEXT(w, "over in step(%s, d)", w->names.from);
        far = behind ? FZ_LUD_TEXT(w, "to in slide(over, d, empty, %s + 1)",
                                   fzi_lud_in_brackets(w, behind))
                     : "to in step(over, d)";
        loops = FZ_LUD_TEXT(w, ", %s, %s", near, far);
    }
    const char *taken = good ? fzi_lud_applied(w, between.effect) : NULL;
    const char *effect = taken ? fzi_lud_applied(w, target.effect) : NULL;
    const char *follow = effect ? fzi_lud_follow(w, p, then) : NULL;
    if (follow && !*loops && over_test && to_test && !w->first && !w->stacks && !*effect &&
        strcmp(over_test, "over in theirs") == 0 && strcmp(to_test, "to in empty") == 0 &&
        strcmp(taken, "remove over;") == 0 && !fzi_lud_mentions(w, follow, "over")) {
        w->uses_leaps = true;
        const char *more = fzi_lud_block(w, follow);
        fzi_grow_z(w->arena, to,
                   FZ_LUD_TEXT(w, "%s%s%s leaps(%s, %s)%s%s\n", from, from_test ? " if " : "",
                               from_test ? from_test : "", w->names.from, dirs,
                               strcmp(more, "{}") ? " then " : ";",
                               strcmp(more, "{}") ? more : ""));
    } else if (follow)
        fzi_lud_add_option(
            w, to,
            *loops ? FZ_LUD_TEXT(w, "%s%s d in %s%s", from, *from ? "," : "for", dirs, loops)
                   : FZ_LUD_TEXT(w, "%s%s d in %s let %s, %s", from, *from ? "," : "for", dirs,
                                 near, far),
            fzi_lud_both(
                w, fzi_lud_both(w, from_test, over_test),
                fzi_lud_both(w, to_test,
                             *loops || (to_test && is_on_board(to_test)) ? NULL : "to != off")),
            FZ_LUD_TEXT(w, "{%s}%s{to}", w->names.from, between.effect ? "x" : "-"),
            FZ_LUD_TEXT(w, "%s %s %s %s", taken, effect, fzi_lud_goes(w, w->names.from, "to"),
                        follow));
    w->names = names;
    return follow != NULL;
}
