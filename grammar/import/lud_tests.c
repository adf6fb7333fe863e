/* Conditions and numbers of .lud games that have too many parts for a row of lud_forms.def: lines,
 * connections, pieces on the board and in hands. */
#include "lud_reach.h"

/* The members of a set that fulfil a condition about (to). */
static const char *filtered(fzi_lud_writer *w, const char *set, const fzi_lud *test)
{
    fzi_lud_names names = w->names;
    const char *rest;

    w->names.to = "x";
    const char *within = fzi_lud_targets(w, set, test, &rest);
    w->names = names;
    return within && rest ? FZ_LUD_TEXT(w, "{for x in %s if %s}", within, rest) : within;
}

/* A form without one of its items. */
static const fzi_lud *without(fzi_lud_writer *w, const fzi_lud *node, const fzi_lud *item)
{
    fzi_lud *made = FZI_NEW(w->arena, fzi_lud);

    *made = *node;
    made->items = fzi_arena_alloc(w->arena, node->count * sizeof *made->items);
    made->count = 0;
    for (size_t i = 0; i < node->count; i++)
        if (node->items[i] != item)
            made->items[made->count++] = node->items[i];
    return made;
}

/* ---- sets with a condition ---- */

/* (sites Around S if:C), (sites Group at:S if:C), (count Liberties at:S if:C) */
static const char *say_with_test(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *test = fzi_lud_labelled(node, "if"), *at = fzi_lud_labelled(node, "at");

    if (!test || node->count < 3)
        return NULL;
    if (fzi_lud_is_word(node->items[1], "Around")) {
        const char *set = fzi_lud_operand(w, FZ_SAY_SITES, without(w, node, test));
        return set ? filtered(w, set, test) : NULL;
    }
    bool group = fzi_lud_is_word(node->items[1], "Group");
    if (!at || (!group && !fzi_lud_is_word(node->items[1], "Liberties")) || node->count > 5)
        return NULL;
    const fzi_lud *rest = without(w, without(w, node, test), at);
    const char *dirs =
        rest->count == 2 ? fzi_lud_adjacent(w) : fzi_lud_say(w, FZ_SAY_DIRS, rest->items[2]);
    const char *site = dirs ? fzi_lud_operand(w, FZ_SAY_SITE, at) : NULL;
    const char *all = site ? filtered(w, "site", test) : NULL;
    if (!all)
        return NULL;
    const char *more = strcmp(dirs, "adjacent") == 0 ? "" : FZ_LUD_TEXT(w, ", %s", dirs);
    const char *flood = FZ_LUD_TEXT(w, "flood(%s, %s%s)", site, all, more);
    return group ? flood : FZ_LUD_TEXT(w, "#(step(%s, %s) & empty)", flood, dirs);
}

/* ---- lines ---- */

typedef struct line {
    const fzi_lud *length, *dirs, *through, *any, *exact, *who, *what, *test, *gaps;
} line;

static bool read_line(fzi_lud_writer *w, const fzi_lud *node, line *l)
{
    *l = (line){0};
    for (size_t i = 2; i < node->count; i++) {
        const fzi_lud *item = fzi_lud_plain(w, node->items[i]);
        const fzi_lud **place = NULL;
        if (!item)
            return false;
        if (item->label)
            place = fzi_lud_has_label(item, "through")      ? &l->through
                    : fzi_lud_has_label(item, "throughAny") ? &l->any
                    : fzi_lud_has_label(item, "exact")      ? &l->exact
                    : fzi_lud_has_label(item, "what")       ? &l->what
                    : fzi_lud_has_label(item, "if")         ? &l->test
                    : fzi_lud_has_label(item, "contiguous") ? &l->gaps
                                                            : NULL;
        else
            place = i == 2                              ? &l->length
                    : item->kind != FZ_LUD_WORD         ? NULL
                    : fzi_lud_say(w, FZ_SAY_DIRS, item) ? &l->dirs
                                                        : &l->who;
        if (!place || *place)
            return fzi_lud_refuse(w, node);
        *place = item;
    }
    return l->length && !(l->exact && !fzi_lud_is_word(l->exact, "True"));
}

/* Has each player one kind of pieces at most? */
static bool has_one_kind(const fzi_lud_writer *w)
{
    for (size_t i = 0; i < w->piece_count; i++)
        for (size_t n = 0; n < i; n++) {
            int a = w->pieces[i].owner, b = w->pieces[n].owner;
            if (a == b || a == FZ_LUD_EACH || b == FZ_LUD_EACH)
                return false;
        }
    return true;
}

/* The pieces like that on a site. After a move, that on the latest target is the mover's. */
static const char *alike(fzi_lud_writer *w, const char *site)
{
    bool own = strcmp(site, "last_to") == 0;

    if (has_one_kind(w))
        return own ? "mine" : FZ_LUD_TEXT(w, "owned(owner(%s))", site);
    return own ? FZ_LUD_TEXT(w, "pieces(kind(%s), me)", site)
               : FZ_LUD_TEXT(w, "pieces(kind(%s), owner(%s))", site, site);
}

static const char *say_line(fzi_lud_writer *w, const fzi_lud *node)
{
    line l;

    if (!read_line(w, node, &l))
        return NULL;
    if (l.gaps) { /* in a row or a column, whatever stands between */
        bool squares = !w->board.hexagons && !w->board.is_graph && node->count == 5 && l.dirs &&
                       fzi_lud_is_word(l.dirs, "Orthogonal") && fzi_lud_is_word(l.gaps, "False");
        const char *least = squares ? fzi_lud_say(w, FZ_SAY_INT, l.length) : NULL;
        const char *like = least ? alike(w, "last_to") : NULL;
        return like ? FZ_LUD_TEXT(w,
                                  "#(rank(row(last_to)) & %s) >= %s or "
                                  "#(file(column(last_to)) & %s) >= %s",
                                  like, least, like, least)
                    : NULL;
    }
    const char *length = fzi_lud_say(w, FZ_SAY_INT, l.length);
    const char *dirs = l.dirs ? fzi_lud_say(w, FZ_SAY_DIRS, l.dirs) : fzi_lud_adjacent(w);
    const char *site = l.any        ? "s"
                       : !l.through ? "last_to"
                                    : fzi_lud_say(w, FZ_SAY_SITE, l.through);
    const char *any = l.any ? fzi_lud_operand(w, FZ_SAY_SITES, l.any) : "";
    if (!length || !dirs || !site || !any)
        return NULL;
    /* The mover's number is that of its first piece. */
    bool own = l.what && fzi_lud_is(l.what, "mover") && fzi_lud_mark(w, node) && has_one_kind(w);
    const char *set = l.who    ? fzi_lud_say(w, FZ_SAY_PLAYER, l.who)
                      : own    ? "mine"
                      : l.what ? fzi_lud_operand(w, FZ_SAY_SITES, l.what)
                               : alike(w, site);
    if (!set)
        return NULL;
    if (l.who)
        set = FZ_LUD_TEXT(w, "owned(%s)", set);
    if (l.test)
        set = filtered(w, set, l.test);
    if (!set)
        return NULL;
    const char *text;
    bool all = strcmp(dirs, "adjacent") == 0 || strcmp(dirs, "orthogonal") == 0 ||
               strcmp(dirs, "diagonal") == 0;
    /* Ludii looks for a line only where its direction leads from the site. */
    const char *leads = all ? "" : FZ_LUD_TEXT(w, "%s + d != off and ", site);
    int number = fzi_lud_number(w, l.length), most = (int)w->board.rows;
    most = (int)w->board.columns > most ? (int)w->board.columns : most;
    const char *more =
        number >= 0 ? FZ_LUD_TEXT(w, "%d", number + 1) : FZ_LUD_TEXT(w, "%s + 1", length);
    if (l.exact && (number < 0 || number < most)) /* else there is no longer line */
        text = FZ_LUD_TEXT(
            w, "any d in %s : (%sline_at(%s, %s, %s, d) and not line_at(%s, %s, %s, d))", dirs,
            leads, site, set, length, site, set, more);
    else if (!all)
        text = FZ_LUD_TEXT(w, "any d in %s : (%sline_at(%s, %s, %s, d))", dirs, leads, site, set,
                           length);
    else if (strcmp(dirs, "adjacent") == 0)
        text = FZ_LUD_TEXT(w, "line_at(%s, %s, %s)", site, set, length);
    else
        text = FZ_LUD_TEXT(w, "line_at(%s, %s, %s, %s)", site, set, length, dirs);
    return l.any ? FZ_LUD_TEXT(w, "any s in %s : %s", any, fzi_lud_in_brackets(w, text)) : text;
}

/* ---- connections ---- */

/* The group of the latest move, as `D` leads. */
static const char *own_group(fzi_lud_writer *w, const char *dirs)
{
    return strcmp(dirs, "adjacent") == 0 ? "flood(last_to, mine)"
                                         : FZ_LUD_TEXT(w, "flood(last_to, mine, %s)", dirs);
}

/* The regions of a player, each as a part of a set; NULL: it has none. */
static const fzi_lud *regions_of(const fzi_lud_writer *w, int player)
{
    for (size_t i = 0; i < w->region_count; i++)
        if (w->regions[i].owner == player)
            return w->regions[i].sites->kind == FZ_LUD_SET ? w->regions[i].sites : NULL;
    return NULL;
}

/* `connected(mine, A, B)`, or a group that meets all parts of a set. */
static const char *joins(fzi_lud_writer *w, const fzi_lud *parts, const char *dirs)
{
    fzi_growing all = {0};
    const char *sets[2] = {NULL, NULL};

    if (parts->kind != FZ_LUD_SET || parts->count < 2)
        return NULL;
    for (size_t i = 0; i < parts->count; i++) {
        const char *set = fzi_lud_operand(w, FZ_SAY_SITES, parts->items[i]);
        if (!set)
            return NULL;
        if (i < 2)
            sets[i] = set;
        fzi_grow_z(w->arena, &all,
                   FZ_LUD_TEXT(w, "%s%s & %s != {}", i ? " and " : "", own_group(w, dirs), set));
    }
    return parts->count > 2 ? all.text
           : strcmp(dirs, "adjacent") == 0
               ? FZ_LUD_TEXT(w, "connected(mine, %s, %s)", sets[0], sets[1])
               : FZ_LUD_TEXT(w, "connected(mine, %s, %s, %s)", sets[0], sets[1], dirs);
}

/* (is Connected {A B} Mover), (is Connected Mover), (is Connected Orthogonal Mover) */
static const char *say_connected(fzi_lud_writer *w, const fzi_lud *node)
{
    const char *dirs = fzi_lud_adjacent(w);
    const fzi_lud *parts = NULL;
    bool own = false;

    int sides = strncmp(w->board.text, "hex(", 4) == 0        ? 6
                : strncmp(w->board.text, "triangle(", 9) == 0 ? 3
                                                              : 0;
    bool inner = node->count == 4 && fzi_lud_is_word(node->items[3], "SidesNoCorners");
    if (node->count == 4 && sides && (inner || fzi_lud_is_word(node->items[3], "Sides"))) {
        const char *least = fzi_lud_operand(w, FZ_SAY_INT, node->items[2]);
        return least
                   ? FZ_LUD_TEXT(w, "(sum i in 1..%d if flood(last_to, mine) & %s != {} : 1) >= %s",
                                 sides, inner ? "(side(i) - corners)" : "side(i)", least)
                   : NULL;
    }
    if (node->count == 4 && sides == 6 && fzi_lud_is_word(node->items[3], "Corners")) {
        const char *least = fzi_lud_operand(w, FZ_SAY_INT, node->items[2]);
        return least ? FZ_LUD_TEXT(w, "#(flood(last_to, mine) & corners) >= %s", least) : NULL;
    }
    for (size_t i = 2; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        if (item->label)
            return NULL;
        if (item->kind == FZ_LUD_SET && !parts)
            parts = item;
        else if (fzi_lud_is_word(item, "Mover") && !own)
            own = true;
        else if (item->kind == FZ_LUD_WORD && i == 2) {
            dirs = fzi_lud_say(w, FZ_SAY_DIRS, item);
            if (!dirs)
                return NULL;
        } else
            return NULL;
    }
    if (parts)
        return joins(w, parts, dirs);
    fzi_growing text = {0};
    for (int p = 1; p <= w->players && own; p++) {
        const fzi_lud *set = regions_of(w, p);
        const char *test = set ? joins(w, set, dirs) : NULL;
        if (!test)
            return NULL;
        fzi_grow_z(w->arena, &text,
                   p == w->players ? test : FZ_LUD_TEXT(w, "if me == P%d then %s else ", p, test));
    }
    return text.text;
}

/* ---- pieces on the board and in hands ---- */

/* May pieces of this kind be in hands? */
static bool is_held(const fzi_lud_writer *w, const char *kind)
{
    return fzi_lud_counts_hands(w) &&
           (strcmp(w->hand_kind, "mark") == 0 || strcmp(w->hand_kind, kind) == 0);
}

/* (count Pieces P "K"), (no Pieces P "K"): those in hands count. */
static const char *say_pieces(fzi_lud_writer *w, const fzi_lud *node, bool none)
{
    bool with_kind = node->count == 4 && node->items[3]->kind == FZ_LUD_STRING;

    if (w->stacks && !none)
        return NULL;
    if ((node->count != 3 && !with_kind) || !fzi_lud_is_word(node->items[1], "Pieces"))
        return NULL;
    const char *player = fzi_lud_say(w, FZ_SAY_PLAYER, node->items[2]);
    const char *kind = with_kind ? fzi_lud_say(w, FZ_SAY_KIND, node->items[3]) : "";
    if (!player || !kind)
        return NULL;
    const char *set = with_kind                    ? FZ_LUD_TEXT(w, "pieces(%s, %s)", kind, player)
                      : strcmp(player, "me") == 0  ? "mine"
                      : strcmp(player, "foe") == 0 ? "theirs"
                                                   : FZ_LUD_TEXT(w, "owned(%s)", player);
    if (w->mixed && !with_kind)
        return FZ_LUD_TEXT(w, "(sum s in site : count i in 1..height(s) : owner(s, i) == %s) == 0",
                           player);
    bool held = fzi_lud_counts_hands(w) && strcmp(player, "nobody") != 0 &&
                (!with_kind || is_held(w, kind));
    w->uses_hand = w->uses_hand || held;
    if (held && !with_kind && !w->sow.on)
        return FZ_LUD_TEXT(w, none ? "men(%s) == 0" : "men(%s)", player);
    const char *hand = FZ_LUD_TEXT(w, "hand[%s]", player);
    if (none)
        return held ? FZ_LUD_TEXT(w, "%s == {} and %s == 0", set, hand)
                    : FZ_LUD_TEXT(w, "%s == {}", set);
    return held ? FZ_LUD_TEXT(w, "#%s + %s", set, hand) : FZ_LUD_TEXT(w, "#%s", set);
}

/* (is In (count Pips) (sites {1 4 6})): a number among others */
static const char *say_among(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *sites = fzi_lud_plain(w, node->items[3]);
    const fzi_lud *set =
        sites && fzi_lud_is(sites, "sites") && sites->count == 2 ? sites->items[1] : sites;
    fzi_growing numbers = {0};

    if (!set || set->kind != FZ_LUD_SET || !set->count)
        return NULL;
    const char *number = fzi_lud_operand(w, FZ_SAY_INT, node->items[2]);
    for (size_t i = 0; i < set->count; i++) {
        const char *text = number ? fzi_lud_say(w, FZ_SAY_INT, set->items[i]) : NULL;
        if (!text)
            return NULL;
        fzi_grow_z(w->arena, &numbers, FZ_LUD_TEXT(w, "%s%s", i ? ", " : "", text));
    }
    return FZ_LUD_TEXT(w, "%s in {%s}", number, numbers.text);
}

const char *fzi_lud_test(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    if (node->kind != FZ_LUD_LIST || node->count < 2)
        return NULL;
    if (type == FZ_SAY_BOOL && fzi_lud_is(node, "no"))
        return say_pieces(w, node, true);
    if (type == FZ_SAY_SITES && fzi_lud_is(node, "sites"))
        return say_with_test(w, node);
    if (type == FZ_SAY_INT && fzi_lud_is(node, "count") && fzi_lud_labelled(node, "if"))
        return say_with_test(w, node);
    if (type == FZ_SAY_INT && fzi_lud_is(node, "count"))
        return say_pieces(w, node, false);
    if (type != FZ_SAY_BOOL || !fzi_lud_is(node, "is"))
        return NULL;
    if (fzi_lud_is_word(node->items[1], "In") && node->count == 4)
        return say_among(w, node);
    if (fzi_lud_is_word(node->items[1], "Line"))
        return say_line(w, node);
    if (fzi_lud_is_word(node->items[1], "Connected"))
        return say_connected(w, node);
    if (fzi_lud_is_word(node->items[1], "Loop") && node->count == 2 && w->board.hexagons) {
        w->uses_connection = true;
        return "ringed(flood(last_to, mine))";
    }
    return NULL;
}
