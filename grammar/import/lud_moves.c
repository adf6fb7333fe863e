/* The moves of .lud games as options of a `choose` and as items of pieces. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_reach.h"

/* Steps, slides and leaps: a target of a set. */
static bool add_reach(fzi_lud_writer *w, const fzi_lud_parts *p, const char *then, fzi_growing *to,
                      fzi_lud_reach_fn *find)
{
    fzi_lud_names names = w->names;
    const char *from_test;
    fzi_lud_reach r;
    const char *from = fzi_lud_origins(w, p, &from_test);
    bool good = false;

    w->names.to = "to";
    if (from && find(w, p, &r)) {
        const char *follow = fzi_lud_follow(w, p, then);
        const char *quantifiers = FZ_LUD_TEXT(w, "%s%s to in %s", from, *from ? "," : "for", r.set);
        good = follow != NULL;
        if (good)
            fzi_lud_add_option(
                w, to, quantifiers, fzi_lud_both(w, from_test, r.test), NULL,
                FZ_LUD_TEXT(w, "%s %s %s", r.effect, fzi_lud_goes(w, w->names.from, "to"), follow));
    }
    w->names = names;
    return good;
}

/* `K of me` of (piece "K"), (piece "K" Mover), (piece "K0"). */
static const char *put_what(fzi_lud_writer *w, const fzi_lud *piece, const fzi_lud *node)
{
    if (!piece || (piece->count == 2 && fzi_lud_is(piece->items[1], "mover"))) {
        const char *kind = fzi_lud_mark(w, node);
        return kind ? FZ_LUD_TEXT(w, "%s of me", kind) : NULL;
    }
    int owner;
    if (piece->count == 2 && fzi_lud_is(piece->items[1], "id"))
        piece = piece->items[1]; /* (piece (id "K" P)) */
    if (piece->count < 2 || piece->items[1]->kind != FZ_LUD_STRING)
        return fzi_lud_unsaid(w, piece, "not translated yet");
    const fzi_lud_piece *found = fzi_lud_piece_named(w, piece->items[1]->text, &owner);
    if (!found)
        return fzi_lud_unsaid(w, piece, "no such piece");
    const char *player = owner == FZ_LUD_NOBODY || owner == FZ_LUD_SHARED ? "nobody"
                         : owner == FZ_LUD_EACH                           ? "me"
                                                : FZ_LUD_TEXT(w, "P%d", owner);
    if (piece->count == 3)
        player = fzi_lud_say(w, FZ_SAY_PLAYER, piece->items[2]);
    return player && piece->count <= 3 ? FZ_LUD_TEXT(w, "%s of %s", found->kind, player)
                                       : fzi_lud_unsaid(w, piece, "not translated yet");
}

static bool add_add(fzi_lud_writer *w, const fzi_lud_parts *p, const char *then, fzi_growing *to)
{
    fzi_lud_names names = w->names;
    fzi_lud_place target;
    const char *test;

    if (p->from || p->between || p->dirs || p->other || !p->to)
        return fzi_lud_refuse(w, p->node);
    const char *what = put_what(w, p->piece, p->node);
    if (!what || !fzi_lud_read_place(w, p->to, &target))
        return false;
    if (!target.region || target.range)
        return fzi_lud_refuse(w, p->to);
    const char *set = fzi_lud_say(w, FZ_SAY_SITES, target.region);
    w->names.to = "to";
    const char *within = set ? fzi_lud_targets(w, set, target.test, &test) : NULL;
    const char *effect = within ? fzi_lud_applied(w, target.effect) : NULL;
    const char *follow = effect ? fzi_lud_follow(w, p, then) : NULL;
    if (follow)
        fzi_lud_add_option(w, to, FZ_LUD_TEXT(w, "for to in %s", within), test, NULL,
                           FZ_LUD_TEXT(w, "%s put %s at to; %s", effect, what, follow));
    w->names = names;
    return follow != NULL;
}

/* (move Shoot (piece "Dot0")): a piece where the one that has moved last could slide. */
static bool add_shot(fzi_lud_writer *w, const fzi_lud_parts *p, const char *then, fzi_growing *to)
{
    fzi_lud_names names = w->names;

    if (!p->piece || p->from || p->to || p->between || p->other)
        return fzi_lud_refuse(w, p->node);
    const char *what = put_what(w, p->piece, p->node);
    const char *dirs = what ? fzi_lud_directions(w, p) : NULL;
    w->names.to = "to";
    const char *follow = dirs ? fzi_lud_follow(w, p, then) : NULL;
    w->names = names;
    if (follow)
        fzi_lud_add_option(w, to, FZ_LUD_TEXT(w, "for to in slide(last_to, %s) & empty", dirs),
                           NULL, NULL, FZ_LUD_TEXT(w, "put %s at to; %s", what, follow));
    return follow != NULL;
}

/* The player whose pieces in hand may be removed by (sites Occupied by:P), too; NULL. */
static const char *held_by(fzi_lud_writer *w, const fzi_lud *region)
{
    const fzi_lud *by = fzi_lud_is(region, "sites") && region->count == 3 &&
                                fzi_lud_is_word(region->items[1], "Occupied") && !region->on_board
                            ? fzi_lud_labelled(region, "by")
                            : NULL;
    const char *player = by && fzi_lud_counts_hands(w) ? fzi_lud_say(w, FZ_SAY_PLAYER, by) : NULL;

    w->uses_hand = w->uses_hand || player;
    return player;
}

/* Select: no effect of its own. Remove: the piece goes. */
static bool add_choice_of_site(fzi_lud_writer *w, const fzi_lud_parts *p, const fzi_lud *where,
                               bool removes, const char *then, fzi_growing *to)
{
    fzi_lud_names names = w->names;
    fzi_lud_place from;
    const char *test = NULL;

    if (p->between || p->piece || p->to || !(where || (removes && p->from)) ||
        !fzi_lud_read_place(w, p->from, &from))
        return fzi_lud_refuse(w, p->node);
    if (removes && p->from && p->from->count == 1 && w->names.from) {
        const char *follow = fzi_lud_follow(w, p, then); /* the piece that could move leaves */
        if (follow)
            fzi_lud_add_option(w, to, "", NULL, FZ_LUD_TEXT(w, "{%s}-off", w->names.from),
                               FZ_LUD_TEXT(w, "%s %s", fzi_lud_taken(w, w->names.from), follow));
        return follow != NULL;
    }
    const fzi_lud *region = p->from ? from.region : where;
    if (!region || from.effect || from.range)
        return fzi_lud_refuse(w, p->node);
    const char *set = fzi_lud_say(w, FZ_SAY_SITES, region);
    w->names.from = w->names.to = "to";
    if (set && from.test)
        set = fzi_lud_targets(w, set, from.test, &test);
    const char *follow = set ? fzi_lud_follow(w, p, then) : NULL;
    if (w->sow.on && removes)
        test = fzi_lud_both(w, "seeds[to] > 0", test);
    const char *all = FZ_LUD_TEXT(w, "for %c in %s%c", FZ_LUD_ORIGIN, set, FZ_LUD_TARGET);
    if (!removes && test)
        test = FZ_LUD_TEXT(w, "%s%c", test, FZ_LUD_LABEL);
    else if (!removes)
        all = FZ_LUD_TEXT(w, "%s%c", all, FZ_LUD_LABEL);
    if (follow)
        fzi_lud_add_option(w, to, all, test, removes ? "x{to}" : NULL,
                           FZ_LUD_TEXT(w, "%s %s", removes ? fzi_lud_taken(w, "to") : "", follow));
    const char *player = follow && removes ? held_by(w, region) : NULL;
    if (player)
        fzi_lud_add_option(w, to, FZ_LUD_TEXT(w, "if hand[%s] > 0", player), NULL, "hand-off",
                           FZ_LUD_TEXT(w, "hand[%s] -= 1; %s", player, follow));
    w->names = names;
    return follow != NULL;
}

/* The player of (handSite Mover) and (sites Hand P1); NULL: it is no hand. */
static const char *owner_of_hand(fzi_lud_writer *w, const fzi_lud *node)
{
    bool one = fzi_lud_is(node, "handSite") && node->count == 2;
    bool all =
        fzi_lud_is(node, "sites") && node->count == 3 && fzi_lud_is_word(node->items[1], "Hand");

    return fzi_lud_counts_hands(w) && (one || all)
               ? fzi_lud_say(w, FZ_SAY_PLAYER, node->items[1 + all])
               : NULL;
}

/* The kind in a player's hand, where each has another one. */
static const char *held(fzi_lud_writer *w, const char *player, const fzi_lud *node)
{
    for (int p = 1; p <= w->players; p++)
        if (strcmp(player, FZ_LUD_TEXT(w, "P%d", p)) == 0 && w->held_kinds[p - 1])
            return w->held_kinds[p - 1];
    for (size_t i = 0; i < w->hand_count; i++)
        if (!w->held_kinds[w->hands[i] - 1])
            return fzi_lud_mark(w, node);
    w->uses_mark = true;
    return FZ_LUD_TEXT(w, "mark[%s]", player);
}

static bool add_from_hand(fzi_lud_writer *w, const fzi_lud_parts *p, const char *player,
                          const char *then, fzi_growing *to)
{
    fzi_lud_names names = w->names;
    fzi_lud_place target;
    const char *test;

    if (!fzi_lud_read_place(w, p->to, &target) || !target.region || target.range)
        return fzi_lud_refuse(w, p->to);
    const char *set = fzi_lud_say(w, FZ_SAY_SITES, target.region);
    w->names.to = "to";
    w->uses_hand = true;
    const char *within = set ? fzi_lud_targets(w, set, target.test, &test) : NULL;
    const char *effect = within ? fzi_lud_applied(w, target.effect) : NULL;
    const char *follow = effect ? fzi_lud_follow(w, p, then) : NULL;
    const char *what = strcmp(w->hand_kind, "mark") == 0 ? held(w, player, p->node) : w->hand_kind;
    bool plain = follow && what && strcmp(player, "me") == 0 && !test && !w->sow.on &&
                 !effect[strspn(effect, " ")] && !fzi_lud_mentions(w, follow, "to");
    if (plain) {
        const char *place = strcmp(within, "empty") == 0
                                ? FZ_LUD_TEXT(w, "place(%s)", what)
                                : FZ_LUD_TEXT(w, "place_at(%s, %s)", what, within);
        fzi_grow_z(w->arena, to,
                   follow[strspn(follow, " ")]
                       ? FZ_LUD_TEXT(w, "%s then %s\n", place, fzi_lud_block(w, follow))
                       : FZ_LUD_TEXT(w, "%s;\n", place));
    } else if (follow && what)
        fzi_lud_add_option(w, to, FZ_LUD_TEXT(w, "if hand[%s] > 0 for to in %s", player, within),
                           test, NULL,
                           FZ_LUD_TEXT(w, "put %s of %s at to; hand[%s] -= 1; %s %s", what, player,
                                       player, effect, follow));
    w->names = names;
    return follow && what;
}

/* (move (from …) (to …)) */
static bool add_from_to(fzi_lud_writer *w, const fzi_lud_parts *p, const char *then,
                        fzi_growing *to)
{
    fzi_lud_names names = w->names;
    fzi_lud_place target;
    const char *from_test, *test;

    if (!p->to || p->between || p->dirs || p->piece || p->other || (p->copy && w->stacks))
        return fzi_lud_refuse(w, p->node);
    const char *player =
        p->from && p->from->count == 2 ? owner_of_hand(w, p->from->items[1]) : NULL;
    if (player)
        return add_from_hand(w, p, player, then, to);
    const char *from = fzi_lud_origins(w, p, &from_test);
    if (!from || !fzi_lud_read_place(w, p->to, &target))
        return false;
    if (*from && w->stacks)
        from = FZ_LUD_TEXT(w, "%s & occupied", from);
    if (!target.region || target.range)
        return fzi_lud_refuse(w, p->to);
    w->names.to = "to";
    const char *set = fzi_lud_say(w, FZ_SAY_SITES, target.region);
    const char *within = set ? fzi_lud_targets(w, set, target.test, &test) : NULL;
    const char *effect = within ? fzi_lud_applied(w, target.effect) : NULL;
    const char *follow = effect ? fzi_lud_follow(w, p, then) : NULL;
    const char *goes =
        p->copy ? FZ_LUD_TEXT(w, "let copy = kind(%s); put copy of me at to;", w->names.from)
                : fzi_lud_goes(w, w->names.from, "to");
    if (effect && *effect && w->counted)
        effect = FZ_LUD_TEXT(w, "%s if to in theirs%c remove to;", effect, FZ_LUD_THEN);
    if (follow && *effect && !p->copy && p->from && fzi_lud_labelled(p->from, "level")) {
        /* the effect may put a piece on top of the one that moves */
        if (w->piece_count != 1 || w->levels)
            return fzi_lud_refuse(w, p->from);
        effect = FZ_LUD_TEXT(w, "let level = height(%s); %s", w->names.from, effect);
        goes = FZ_LUD_TEXT(w, "pull(%s, level); put %s of me on to;", w->names.from,
                           w->pieces[0].kind);
    }
    if (follow)
        fzi_lud_add_option(w, to,
                           FZ_LUD_TEXT(w, "%s%s to in %s", from, *from ? "," : "for", within),
                           fzi_lud_both(w, from_test, test), NULL,
                           FZ_LUD_TEXT(w, "%s %s %s", effect, goes, follow));
    w->names = names;
    return follow != NULL;
}

static bool add_pass(fzi_lud_writer *w, const fzi_lud_parts *p, const char *then, fzi_growing *to)
{
    const char *follow = fzi_lud_follow(w, p, then);

    if (!follow || p->dirs || p->other || p->to || p->from)
        return fzi_lud_refuse(w, p->node);
    const char *all = fzi_lud_in_place(w, follow), *end = strchr(all, ';');
    bool asks = strncmp(all, "if last_to in ", 14) == 0 || strncmp(all, "if (last_to in ", 15) == 0;
    if (asks && end && !end[1 + strspn(end + 1, " ")])
        follow = ""; /* a pass leads to no site */
    if (fzi_lud_mentions(w, follow, "last_to") || fzi_lud_mentions(w, follow, "last_from"))
        return fzi_lud_unsaid(w, p->node, "the site of a pass is not translated yet") != NULL;
    if (!w->counts_passes)
        fzi_lud_add_option(w, to, "", NULL, "pass", follow);
    else {
        const char *pass = fzi_lud_pass(w, follow);
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "%s%s\n", pass, strcmp(pass, "pass") ? "" : ";"));
    }
    return true;
}

/* (between (exact 2) if:True): over whatever stands there, if anything does. */
static bool jumps(fzi_lud_writer *w, const fzi_lud_parts *p)
{
    fzi_lud_place row;

    return p->between && fzi_lud_read_place(w, p->between, &row) && row.range && row.test &&
           fzi_lud_is_word(row.test, "True") && !row.effect;
}

/* `Step` of `(move Step …)` and `step` of `(step …)`. */
static bool add_kind(fzi_lud_writer *w, const char *kind, const fzi_lud_parts *p, const char *then,
                     fzi_growing *to)
{
    static const struct {
        const char *kind;
        fzi_lud_reach_fn *find;
    } reaching[] = {{"step", fzi_lud_step}, {"slide", fzi_lud_slide}, {"leap", fzi_lud_leap}};
    char lower[20] = {0};

    for (size_t i = 0; kind[i] && i + 1 < sizeof lower; i++)
        lower[i] = (char)tolower((unsigned char)kind[i]);
    for (size_t i = 0; i < sizeof reaching / sizeof *reaching; i++)
        if (strcmp(lower, reaching[i].kind) == 0)
            return add_reach(w, p, then, to, reaching[i].find);
    if (strcmp(lower, "hop") == 0)
        return jumps(w, p) ? add_reach(w, p, then, to, fzi_lud_jump)
                           : fzi_lud_add_hop(w, p, then, to);
    if (strcmp(lower, "add") == 0)
        return add_add(w, p, then, to);
    if (strcmp(lower, "shoot") == 0)
        return add_shot(w, p, then, to);
    if (strcmp(lower, "select") == 0)
        return add_choice_of_site(w, p, p->from, false, then, to);
    if (strcmp(lower, "remove") == 0)
        return add_choice_of_site(w, p, p->other ? p->other : p->dirs, true, then, to);
    if (strcmp(lower, "pass") == 0)
        return add_pass(w, p, then, to);
    return fzi_lud_refuse(w, p->node);
}

/* (move Promote (last To) (piece {"Queen" "Rook"}) Mover): an option for each kind. */
static bool add_promote(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    size_t count = node->count;
    const fzi_lud *last = node->items[count - 1];
    fzi_lud_names names = w->names;
    fzi_growing kinds = {0};

    if (fzi_lud_is(last, "then"))
        count--;
    if (count < 4 || count > 5 || !fzi_lud_is(node->items[3], "piece") ||
        node->items[3]->count != 2 || (count == 5 && !fzi_lud_is_word(node->items[4], "Mover")))
        return fzi_lud_refuse(w, node);
    const fzi_lud *piece = node->items[3]->items[1];
    bool many = piece->kind == FZ_LUD_SET;
    for (size_t i = 0; i < (many ? piece->count : 1); i++) {
        const char *kind = fzi_lud_say(w, FZ_SAY_KIND, many ? piece->items[i] : piece);
        if (!kind)
            return false;
        fzi_grow_z(w->arena, &kinds, i ? ", " : "");
        fzi_grow_z(w->arena, &kinds, kind);
    }
    const char *site = fzi_lud_say(w, FZ_SAY_SITE, node->items[2]);
    w->names.from = w->names.to = "to";
    const char *follow =
        site ? fzi_lud_after(w, fzi_lud_is(last, "then") ? last : NULL, then) : NULL;
    w->names = names;
    if (follow)
        fzi_lud_add_option(w, to,
                           many ? FZ_LUD_TEXT(w, "let to = %s for k in {%s}", site, kinds.text)
                                : FZ_LUD_TEXT(w, "let to = %s", site),
                           NULL, many ? NULL : "{to}=",
                           FZ_LUD_TEXT(w, "become(to, %s); %s", many ? "k" : kinds.text, follow));
    return follow != NULL;
}

/* `(move Step …)` and the like. */
static bool add_move(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    fzi_lud_parts p;
    const fzi_lud *kind = node->count > 1 ? node->items[1] : NULL;
    bool named = kind && kind->kind == FZ_LUD_WORD;

    if (!fzi_lud_is(node, "move")) /* (hop …) as a condition */
        return fzi_lud_read_parts(w, node, 1, &p) &&
               add_kind(w, node->items[0]->text, &p, then, to);
    if (named && strcmp(kind->text, "Promote") == 0)
        return add_promote(w, node, then, to);
    if (w->sow.on && !named)
        return fzi_lud_add_carry(w, node, then, to);
    if (!fzi_lud_read_parts(w, node, named ? 2 : 1, &p))
        return false;
    return named ? add_kind(w, kind->text, &p, then, to) : add_from_to(w, &p, then, to);
}

/* ---- options of options ---- */

/* The moves inside `(or …)` and the like, without their (then …). */
static bool add_all(fzi_lud_writer *w, const fzi_lud *node, size_t first, const char *then,
                    fzi_growing *to)
{
    for (size_t i = first; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        bool good = fzi_lud_is(item, "then")   ? true
                    : item->kind == FZ_LUD_SET ? add_all(w, item, 0, then, to)
                                               : fzi_lud_options(w, item, then, to);
        if (!good)
            return false;
    }
    return true;
}

static bool add_if(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    size_t count = node->count - (fzi_lud_then_of(node) != NULL);

    if (count != 3 && count != 4)
        return fzi_lud_refuse(w, node);
    const char *test = fzi_lud_test_of(w, node->items[1]);
    if (!test)
        return false;
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "if %s {\n", test));
    if (!fzi_lud_options(w, node->items[2], then, to))
        return false;
    fzi_grow_z(w->arena, to, "}\n");
    if (count == 3)
        return true;
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "if %s {\n", fzi_lud_not(w, test)));
    if (!fzi_lud_options(w, node->items[3], then, to))
        return false;
    fzi_grow_z(w->arena, to, "}\n");
    return true;
}

/* A list of moves, or one for each origin. */
static const char *list_of(fzi_lud_writer *w, const fzi_lud *node, const char *then,
                           const char *filter, bool from)
{
    fzi_growing options = {0};
    fzi_lud_names names = w->names;

    bool at_end = w->at_end;
    const char *origin = from ? "from" : NULL;
    w->names = (fzi_lud_names){.played = names.played, .from = origin, .site = origin};
    w->at_end = false;
    bool good = fzi_lud_options(w, node, then, &options);
    w->names = names;
    w->at_end = at_end;
    if (!good)
        return NULL;
    size_t length = options.text ? strspn(options.text, "moves_0123456789") : 0;
    if (length > 0 && !filter && strcmp(options.text + length, ";\n") == 0)
        return FZ_LUD_TEXT(w, "%.*s", (int)length, options.text); /* a list of moves by its name */
    const char *text =
        FZ_LUD_TEXT(w, "%s{\n%s}%s\n", from ? "(from: site) " : "",
                    options.text ? options.text : "", filter ? FZ_LUD_TEXT(w, " %s;", filter) : "");
    for (unsigned i = 0; i < w->list_count; i++)
        if (strcmp(w->made[i], text) == 0)
            return FZ_LUD_TEXT(w, "moves_%u", i + 1);
    if (w->list_count == sizeof w->made / sizeof *w->made)
        return fzi_lud_unsaid(w, node, "too many lists of moves");
    w->made[w->list_count] = text;
    const char *name = FZ_LUD_TEXT(w, "moves_%u", ++w->list_count);
    fzi_grow_z(w->arena, &w->lists, FZ_LUD_TEXT(w, "moves %s%s%s", name, from ? "" : " ", text));
    return name;
}

const char *fzi_lud_list(fzi_lud_writer *w, const fzi_lud *node, const char *then,
                         const char *filter)
{
    const fzi_lud *unsaid = w->unsaid;
    const char *why = w->unsaid_why, *origin = w->names.from;
    bool partial = w->partial;

    w->partial = partial && !origin;
    const char *name = list_of(w, node, then, filter, false);
    w->partial = partial;
    if (name || !origin || fzi_lud_mentions(w, then, origin))
        return name;
    w->unsaid = unsaid; /* the moves of the piece that is asked */
    w->unsaid_why = why;
    name = list_of(w, node, then, filter, true);
    return name ? FZ_LUD_TEXT(w, "%s(%s)", name, origin) : NULL;
}

const char *fzi_lud_list_from(fzi_lud_writer *w, const fzi_lud *node)
{
    return list_of(w, node, "", NULL, true);
}

/* (priority {a b}): b only if there is no a. */
static bool add_priority(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    const fzi_lud *set = node->items[1]->kind == FZ_LUD_SET ? node->items[1] : node;
    const char *before = NULL;

    for (size_t i = set == node; i < set->count; i++) {
        if (fzi_lud_is(set->items[i], "then"))
            continue;
        const char *name = fzi_lud_list(w, set->items[i], then, NULL);
        if (!name)
            return false;
        fzi_grow_z(w->arena, to,
                   before ? FZ_LUD_TEXT(w, "if %s %s;\n", before, name)
                          : FZ_LUD_TEXT(w, "%s;\n", name));
        before =
            FZ_LUD_TEXT(w, "%s%snot can(%s)", before ? before : "", before ? " and " : "", name);
    }
    return true;
}

/* What must hold after a move: (do MOVES ifAfterwards:C). */
const char *fzi_lud_ensured(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *test = fzi_lud_labelled(node, "ifAfterwards");
    fzi_lud_names names = w->names;

    if (node->count != 3u + (fzi_lud_then_of(node) != NULL) || !test)
        return fzi_lud_unsaid(w, node, "not translated yet");
    w->names = (fzi_lud_names){.played = true};
    const char *text = fzi_lud_say(w, FZ_SAY_BOOL, test);
    w->names = names;
    return text;
}

/* (do (set …) next:MOVES): what is set is what the value was before the move. */
static bool add_after_set(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    const char *set = fzi_lud_say(w, FZ_SAY_DO, node->items[1]);
    const char *equals = set ? strstr(set, " = ") : NULL;
    size_t length = set ? strlen(set) : 0;
    fzi_growing options = {0};

    if (!equals || set[length - 1] != ';' || strcspn(set, " [;{") != (size_t)(equals - set) ||
        strchr(set, ';') != set + length - 1)
        return set ? fzi_lud_refuse(w, node) : false;
    const char *name = FZ_LUD_TEXT(w, "%.*s", (int)(equals - set), set);
    if (!fzi_lud_options(w, fzi_lud_labelled(node, "next"), "", &options))
        return false;
    /* Nothing is held where the value is empty, so what asks for it must have been told before. */
    if (!options.text || strcmp(equals, " = {};") == 0 || fzi_lud_mentions(w, options.text, name) ||
        fzi_lud_mentions(w, then, name))
        return fzi_lud_refuse(w, node);
    fzi_grow_z(w->arena, to,
               FZ_LUD_TEXT(w, "let before = %.*s {\n%s} then {%s = before; %s}\n",
                           (int)(length - (size_t)(equals - set) - 4), equals + 3, options.text,
                           name, then));
    return true;
}

static bool add_do(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    if (fzi_lud_labelled(node, "next") && !fzi_lud_labelled(node, "ifAfterwards") &&
        node->count == 3u + (fzi_lud_then_of(node) != NULL))
        return add_after_set(w, node, then, to);
    const char *test = fzi_lud_ensured(w, node);
    const char *name =
        test ? fzi_lud_list(w, node->items[1], "", FZ_LUD_TEXT(w, "ensuring %s", test)) : NULL;

    if (name) /* the condition does not see what `then` does */
        fzi_grow_z(w->arena, to,
                   *then ? FZ_LUD_TEXT(w, "%s then {%s}\n", name, then)
                         : FZ_LUD_TEXT(w, "%s;\n", name));
    return name != NULL;
}

/* (max Moves M): the moves with which the turn has most moves. */
static bool add_longest(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    if (node->count != 3u + (fzi_lud_then_of(node) != NULL) || !w->chains || w->names.from ||
        node->items[2]->label)
        return fzi_lud_refuse(w, node);
    const char *name = fzi_lud_list(w, node->items[2], then, "keeping max hops");
    if (name)
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "%s;\n", name));
    return name != NULL;
}

/* The moves that the kinds state, as items of their bodies. */
static bool say_pieces(fzi_lud_writer *w)
{
    w->plays_pieces = true;
    return true;
}

/* The moves of the only kind if they ask for the die of the choice around them; NULL. */
static const fzi_lud *die_moves(fzi_lud_writer *w)
{
    const fzi_lud *moves = w->piece_count == 1 ? w->pieces[0].moves : NULL;

    return moves && w->pieces[0].owner == FZ_LUD_EACH && fzi_lud_has_form(w, moves, "pips", NULL) &&
                   !fzi_lud_has_form(w, moves, "forEach", "Die")
               ? moves
               : NULL;
}

static bool add_pieces_alike(fzi_lud_writer *w, const fzi_lud *node, const char *set,
                             const fzi_lud *moves, const char *then, fzi_growing *to)
{
    fzi_lud_names names = w->names;

    if (names.from)
        return fzi_lud_refuse(w, node);
    if (!moves && names.pips) /* the moves of the only kind, in which the die is known */
        moves = die_moves(w);
    if (!moves) {
        fzi_grow_z(w->arena, to,
                   strcmp(set, "mine") == 0 ? "piece_moves" : FZ_LUD_TEXT(w, "moves_of(%s)", set));
        fzi_grow_z(w->arena, to, *then ? FZ_LUD_TEXT(w, " then {%s}\n", then) : ";\n");
        return say_pieces(w);
    }
    w->names.from = "from";
    w->names.site = "from";
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "for from in %s {\n", set));
    bool good = fzi_lud_options(w, moves, then, to);
    fzi_grow_z(w->arena, to, "}\n");
    w->names = names;
    return good;
}

/* (forEach Piece "Name" moves (then …)) */
static bool add_each_piece(fzi_lud_writer *w, const fzi_lud *node, const char *then,
                           fzi_growing *to)
{
    const char *set = w->hand_sites ? "mine - hands" : "mine";
    const fzi_lud *moves = NULL;
    int owner;

    for (size_t i = 2; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        if (fzi_lud_is(item, "then"))
            continue;
        if (fzi_lud_has_label(item, "top"))
            continue;
        if (fzi_lud_has_label(item, "container") && w->hand_sites && fzi_lud_is(item, "mover")) {
            set = "mine & hand[me]";
            continue;
        }
        bool last = item->kind == FZ_LUD_WORD && moves && i + 1 == node->count;
        const char *player = last ? fzi_lud_say(w, FZ_SAY_PLAYER, item) : NULL;
        if (player) {
            fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "as %s ", player));
            continue;
        }
        if (item->label || moves)
            return fzi_lud_refuse(w, item);
        const fzi_lud_piece *piece =
            item->kind == FZ_LUD_STRING ? fzi_lud_piece_named(w, item->text, &owner) : NULL;
        if (i == 2 && node->count == 3 && fzi_lud_is_word(item, "Next") && w->players == 2) {
            fzi_grow_z(w->arena, to, "as foe ");
            continue;
        }
        if (fzi_lud_is_word(item, "Mover") && i == 2)
            continue;
        if (piece && i == 2)
            set = FZ_LUD_TEXT(w, "pieces(%s, me)%s", piece->kind, w->hand_sites ? " - hands" : "");
        else if (item->kind == FZ_LUD_WORD || item->kind == FZ_LUD_SET)
            return fzi_lud_refuse(w, item);
        else
            moves = item;
    }
    return add_pieces_alike(w, node, set, moves, then, to);
}

static bool add_each_site(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    fzi_lud_names names = w->names;
    size_t count = node->count - (fzi_lud_then_of(node) != NULL);

    if (count != 4 || names.site)
        return fzi_lud_refuse(w, node);
    const char *set = fzi_lud_say(w, FZ_SAY_SITES, node->items[2]);
    if (!set)
        return false;
    w->names.site = "site_";
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "for site_ in %s {\n", set));
    bool good = fzi_lud_options(w, node->items[3], then, to);
    fzi_grow_z(w->arena, to, "}\n");
    w->names = names;
    return good;
}

/* (forEach Die if:C MOVES): the moves with each die, which is used up. A double may be used
 * twice (replayDouble). */
static bool add_each_die(fzi_lud_writer *w, const fzi_lud *node, const char *then, fzi_growing *to)
{
    const fzi_lud *test = fzi_lud_labelled(node, "if"), *moves = NULL;
    const fzi_lud *again = fzi_lud_labelled(node, "replayDouble");
    fzi_lud_names names = w->names;
    const char *first = w->first;

    for (size_t i = 2; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        if (item == test || fzi_lud_is(item, "then") || (item == again && w->dice.count == 2))
            continue;
        if (item->label || moves)
            return fzi_lud_refuse(w, item);
        moves = item;
    }
    if (!moves || first || !w->dice.single)
        return fzi_lud_refuse(w, node);
    w->names.pips = "n";
    const char *condition = test ? fzi_lud_say(w, FZ_SAY_BOOL, test) : "";
    w->first = "dice[i] = 0;";
    if (again && fzi_lud_is_word(again, "True")) {
        fzi_lud_declare(w, "/// What a double may be used for once more.\nvar double: int;\n");
        w->first = "let same = dice[1] == dice[2]; dice[i] = 0; if same double = if double == 0 "
                   "then n else 0; else if double != 0 dice = double;";
    }
    bool good = condition != NULL;
    if (good) {
        fzi_grow_z(w->arena, to,
                   FZ_LUD_TEXT(w, "for i in 1..%d let n = dice[i]%s%s {\n", w->dice.count,
                               *condition ? " if " : "", condition));
        good = fzi_lud_options(w, moves, then, to);
        fzi_grow_z(w->arena, to, "}\n");
    }
    w->names = names;
    w->first = first;
    return good;
}

bool fzi_lud_options(fzi_lud_writer *w, const fzi_lud *written, const char *then, fzi_growing *to)
{
    const fzi_lud *node = fzi_lud_plain(w, written);

    if (!node || ++w->depth > 60)
        return fzi_lud_refuse(w, written);
    bool good;
    bool whole = fzi_lud_is(node, "move") || fzi_lud_is(node, "hop") || fzi_lud_is(node, "step") ||
                 fzi_lud_is(node, "slide") ||
                 fzi_lud_is(node, "leap"); /* say (then …) themselves */
    const char *follow = whole ? then : fzi_lud_after(w, fzi_lud_then_of(node), then);
    if (!follow)
        good = false;
    else if (whole)
        good = add_move(w, node, then, to);
    else if (fzi_lud_is(node, "or") || fzi_lud_is(node, "and"))
        good = add_all(w, node, 1, follow, to);
    else if (fzi_lud_is(node, "if"))
        good = add_if(w, node, follow, to);
    else if (fzi_lud_is(node, "priority") && node->count > 1)
        good = add_priority(w, node, follow, to);
    else if (fzi_lud_is(node, "do"))
        good = add_do(w, node, follow, to);
    else if (fzi_lud_is(node, "max") && node->count > 2 && fzi_lud_is_word(node->items[1], "Moves"))
        good = add_longest(w, node, follow, to);
    else if (fzi_lud_is(node, "forEach") && node->count > 1 &&
             fzi_lud_is_word(node->items[1], "Piece"))
        good = add_each_piece(w, node, follow, to);
    else if (fzi_lud_is(node, "forEach") && node->count > 1 &&
             fzi_lud_is_word(node->items[1], "Site"))
        good = add_each_site(w, node, follow, to);
    else if (fzi_lud_is(node, "forEach") && node->count > 1 &&
             fzi_lud_is_word(node->items[1], "Die"))
        good = add_each_die(w, node, follow, to);
    else if (fzi_lud_is(node, "pass"))
        good = add_pass(w, &(fzi_lud_parts){.node = node}, follow, to);
    else
        good = fzi_lud_refuse(w, node);
    w->depth--;
    return good || fzi_lud_go_on(w);
}
