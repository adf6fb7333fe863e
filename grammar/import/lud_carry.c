/* Seeds of .lud games that are carried from pit to pit, and into hands. */
#include "lud_reach.h"

/* (handSite P): the player as text; NULL: it is a site of the board. */
static const char *hand_of(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *plain = fzi_lud_plain(w, node);
    bool is = plain && fzi_lud_is(plain, "handSite") && plain->count == 2;

    if (plain && fzi_lud_is(plain, "if") && plain->count == 4 && w->depth < 60) {
        w->depth++;
        const char *one = hand_of(w, plain->items[2]);
        const char *other = one ? hand_of(w, plain->items[3]) : NULL;
        const char *test = other ? fzi_lud_say(w, FZ_SAY_BOOL, plain->items[1]) : NULL;
        w->depth--;
        return test ? FZ_LUD_TEXT(w, "if %s then %s else %s", test, one, other) : NULL;
    }
    return is ? fzi_lud_say(w, FZ_SAY_PLAYER, plain->items[1]) : NULL;
}

static bool same_text(fzi_lud_writer *w, const char *count, const char *from)
{
    return strcmp(count, FZ_LUD_TEXT(w, "seeds[%s]", from)) == 0;
}

const char *fzi_lud_carry(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *number = fzi_lud_labelled(node, "count");
    fzi_lud_parts p;
    size_t known = 1;

    if (!w->sow.on || node->count < 3)
        return NULL;
    p = (fzi_lud_parts){.node = node};
    for (size_t i = 1; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        bool cell = item->count == 3 && fzi_lud_is_word(item->items[1], "Cell"); /* of a hand */
        if (fzi_lud_is(item, "from") && (item->count == 2 || cell))
            p.from = item;
        else if (fzi_lud_is(item, "to") && (item->count == 2 || cell))
            p.to = item;
        else if (fzi_lud_is(item, "then"))
            p.then = item;
        else if (item != number)
            return fzi_lud_unsaid(w, item, "not translated yet");
        known++;
    }
    if (!p.from || !p.to || known != node->count)
        return fzi_lud_unsaid(w, node, "not translated yet");
    const fzi_lud *source = p.from->items[p.from->count - 1];
    const fzi_lud *target = p.to->items[p.to->count - 1];
    const char *giver = hand_of(w, source), *taker = hand_of(w, target);
    const char *from = giver ? "" : fzi_lud_say(w, FZ_SAY_SITE, source);
    const char *to = taker ? "" : fzi_lud_say(w, FZ_SAY_SITE, target);
    const char *held = number ? fzi_lud_say(w, FZ_SAY_INT, number) : "1";
    const char *after = held ? fzi_lud_after(w, p.then, "") : NULL;
    if (!from || !to || !after)
        return NULL;
    if (giver && taker)
        return FZ_LUD_TEXT(w, "let given = %s; store[%s] += given; store[%s] -= given; %s%s", held,
                           taker, giver, w->sow.uses_reached ? "reached = off; " : "", after);
    if (strstr(after, "last_from") || strstr(after, "last_to"))
        return fzi_lud_unsaid(w, p.then, "the latest move is not translated here");
    const char *moved = giver ? FZ_LUD_TEXT(w, "deal_out(%s, %s, %s);", giver, held, to)
                        : !same_text(w, held, from)
                            ? (taker ? FZ_LUD_TEXT(w, "store_some(%s, %s, %s);", taker, from, held)
                                     : FZ_LUD_TEXT(w, "carry(%s, %s, %s);", from, to, held))
                        : taker ? FZ_LUD_TEXT(w, "take(%s, %s);", taker, from)
                                : FZ_LUD_TEXT(w, "pour(%s, %s);", from, to);
    const char *reached = !w->sow.uses_reached ? ""
                          : taker              ? " reached = off;"
                                               : FZ_LUD_TEXT(w, " reached = %s;", to);
    if (*reached && !giver)
        reached = FZ_LUD_TEXT(w, "if seeds[%s] > 0 {%s", from, reached);
    return *reached && !giver ? FZ_LUD_TEXT(w, "%s %s} %s", reached, moved, after)
                              : FZ_LUD_TEXT(w, "%s%s %s", moved, reached, after);
}

const char *fzi_lud_take_off(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *number = fzi_lud_labelled(node, "count");
    const char *from = node->count > 1 ? fzi_lud_say(w, FZ_SAY_SITE, node->items[1]) : NULL;
    const char *held = number ? fzi_lud_say(w, FZ_SAY_INT, number) : "";

    if (!w->sow.on || !from || !held || node->count != 2u + (number != NULL))
        return NULL;
    return !number || same_text(w, held, from) ? FZ_LUD_TEXT(w, "seeds[%s] = 0;", from)
                                               : FZ_LUD_TEXT(w, "seeds[%s] -= %s;", from, held);
}

bool fzi_lud_add_carry(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    const fzi_lud *number = fzi_lud_labelled(node, "count");
    fzi_lud_names names = w->names;
    fzi_lud_place source, target;
    const fzi_lud *from = NULL, *goal = NULL, *after = NULL;
    const char *rest = NULL;

    for (size_t i = 1; i < node->count; i++) {
        const fzi_lud *item = fzi_lud_plain(w, node->items[i]);
        const fzi_lud **place = !item                      ? NULL
                                : fzi_lud_is(item, "from") ? &from
                                : fzi_lud_is(item, "to")   ? &goal
                                : fzi_lud_is(item, "then") ? &after
                                                           : NULL;
        if (node->items[i] == number)
            continue;
        if (!place || *place)
            return fzi_lud_refuse(w, node->items[i]);
        *place = item;
    }
    if (!from || !goal || !fzi_lud_read_place(w, from, &source) || !source.region ||
        !fzi_lud_read_place(w, goal, &target) || !target.region || target.effect || target.range)
        return fzi_lud_refuse(w, node);
    const char *giver = hand_of(w, source.region);
    const char *set = giver ? "" : fzi_lud_say(w, FZ_SAY_SITES, source.region);
    w->names.from = giver ? NULL : "from";
    const char *test = source.test ? fzi_lud_say(w, FZ_SAY_BOOL, source.test) : "true";
    const char *held = number ? fzi_lud_say(w, FZ_SAY_INT, number) : "1";
    const char *taker = giver ? NULL : hand_of(w, target.region);
    const char *where = taker ? "" : fzi_lud_say(w, FZ_SAY_SITES, target.region);
    w->names.to = "to";
    if (taker && target.test)
        return fzi_lud_refuse(w, goal);
    const char *within = where ? fzi_lud_targets(w, where, target.test, &rest) : NULL;
    const char *follow = within ? fzi_lud_after(w, after, then) : NULL;
    w->names = names;
    if (!set || !test || !held || !follow)
        return false;
    if (taker) {
        const char *all = FZ_LUD_TEXT(w, "for from in %s if seeds[from] > 0%s%s", set,
                                      strcmp(test, "true") ? " and " : "",
                                      strcmp(test, "true") ? fzi_lud_term(w, test) : "");
        fzi_lud_add_option(w, to, all, NULL, "{from}-hand",
                           FZ_LUD_TEXT(w, "store_some(%s, from, %s); %s%s", taker, held,
                                       w->sow.uses_reached ? "reached = off; " : "", follow));
        return !fzi_lud_mentions(w, follow, "last_") ||
               fzi_lud_unsaid(w, after, "the latest move is not translated here");
    }
    const char *reached = w->sow.uses_reached ? "reached = to; " : "";
    bool tests = strcmp(test, "true") != 0;
    fzi_lud_add_option(
        w, to,
        giver ? FZ_LUD_TEXT(w, "if store[%s] > 0 for to in %s", giver, within)
              : FZ_LUD_TEXT(w, "for from in %s if seeds[from] > 0%s%s for to in %s", set,
                            tests ? " and " : "", tests ? fzi_lud_term(w, test) : "", within),
        rest, NULL,
        giver ? FZ_LUD_TEXT(w, "deal_out(%s, %s, to); %s%s", giver, held, reached, follow)
              : FZ_LUD_TEXT(w, "carry(from, to, %s); %s%s", held, reached, follow));
    return true;
}

bool fzi_lud_start_count(fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to)
{
    const fzi_lud *where = fzi_lud_labelled(node, "to");

    if (!where)
        where = fzi_lud_labelled(node, "at");
    if (!w->sow.on || node->count != 4 || !where || node->items[2]->label)
        return fzi_lud_refuse(w, node);
    const char *hand = hand_of(w, where);
    const char *set = hand ? hand : fzi_lud_say(w, FZ_SAY_SITES, where);
    const char *count = fzi_lud_say(w, FZ_SAY_INT, node->items[2]);
    if (!set || !count)
        return false;
    if (hand) {
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "store[%s] = %s;\n", hand, count));
        return true;
    }
    if (strcmp(set, "site") == 0 && !to->length) {
        w->held_number = count;
        return true;
    }
    fzi_grow_z(w->arena, to,
               strcmp(set, "site") == 0
                   ? FZ_LUD_TEXT(w, "seeds = %s;\n", count)
                   : FZ_LUD_TEXT(w, "for s in %s seeds[s] = %s;\n", set, count));
    return true;
}
