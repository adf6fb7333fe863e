/* Games of sowing: boards of pits and their tracks, and what happens to seeds. Seeds are the
 * variable `seeds` of the script, those in hands the `store` of stdlib/mancala.game. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_reach.h"

enum { NO_SITE = 9999 };

/* ---- sites by number: the store in the west, the rows from below, the store in the east ---- */

static unsigned site_count(const fzi_lud_sowing *s)
{
    return s->rows * s->columns + (s->stores ? 2 : 0);
}

static unsigned pit(const fzi_lud_sowing *s, unsigned row, unsigned column)
{
    return row * s->columns + column + s->stores;
}

/* The neighbour of a store; a store is beside the middle of the rows. */
static unsigned from_store(const fzi_lud_sowing *s, bool east, const char *dir)
{
    unsigned end = east ? s->columns - 1 : 0;
    const char *level = east ? "W" : "E", *up = east ? "WNW" : "ENE", *down = east ? "WSW" : "ESE";

    if (s->rows == 3 && strcmp(dir, level) == 0)
        return pit(s, 1, end);
    if (s->rows == 2 && strcmp(dir, up) == 0)
        return pit(s, 1, end);
    return s->rows == 2 && strcmp(dir, down) == 0 ? pit(s, 0, end) : NO_SITE;
}

static unsigned into_store(const fzi_lud_sowing *s, unsigned row, bool east, const char *dir)
{
    const char *wanted = s->rows == 3 && row == 1 ? "E" : s->rows == 2 && row == 0 ? "ENE" : "ESE";

    if (!s->stores || s->rows > 3 || (s->rows == 3 && row != 1))
        return NO_SITE;
    if (!east)
        wanted = strcmp(wanted, "E") == 0 ? "W" : strcmp(wanted, "ENE") == 0 ? "WNW" : "WSW";
    return strcmp(dir, wanted) != 0 ? NO_SITE : east ? site_count(s) - 1 : 0;
}

static unsigned neighbour(const fzi_lud_sowing *s, unsigned site, const char *dir)
{
    bool east = site + 1 == site_count(s);

    if (s->stores && (site == 0 || east))
        return from_store(s, east, dir);
    unsigned row = (site - s->stores) / s->columns, column = (site - s->stores) % s->columns;
    if (strcmp(dir, "N") == 0)
        return row + 1 < s->rows ? pit(s, row + 1, column) : NO_SITE;
    if (strcmp(dir, "S") == 0)
        return row > 0 ? pit(s, row - 1, column) : NO_SITE;
    if (strcmp(dir, "E") == 0 && column + 1 < s->columns)
        return pit(s, row, column + 1);
    if (strcmp(dir, "W") == 0 && column > 0)
        return pit(s, row, column - 1);
    if (column + 1 == s->columns && into_store(s, row, true, dir) != NO_SITE)
        return into_store(s, row, true, dir);
    return column == 0 ? into_store(s, row, false, dir) : NO_SITE;
}

/* The next pit in the circuit that `pits` has: anticlockwise around each pair of rows. */
static unsigned in_circuit(const fzi_lud_sowing *s, unsigned site, bool cw)
{
    if ((s->rows != 2 && s->rows != 4) || (s->stores && (site == 0 || site + 1 == site_count(s))))
        return NO_SITE;
    unsigned row = (site - s->stores) / s->columns, column = (site - s->stores) % s->columns;
    bool east = (row % 2 == 0) != cw;
    unsigned other = row % 2 == 0 ? row + 1 : row - 1;
    if (east)
        return column + 1 < s->columns ? pit(s, row, column + 1) : pit(s, other, column);
    return column > 0 ? pit(s, row, column - 1) : pit(s, other, column);
}

static bool is_circuit(const fzi_lud_sowing *s, const fzi_lud_track *t, bool cw)
{
    for (unsigned i = 0; i < t->count; i++)
        if (in_circuit(s, t->sites[i], cw) != t->sites[(i + 1) % t->count])
            return false;
    return true;
}

/* ---- the board ---- */

static bool add_to_track(fzi_lud_track *t, unsigned site)
{
    for (unsigned i = 0; i < t->count; i++)
        if (t->sites[i] == site)
            return false;
    if (t->count == FZ_LUD_MOST_PITS)
        return false;
    t->sites[t->count++] = site;
    return true;
}

/* One word of "0,E,N1,W": a site, or a direction to its end or for a number of steps. */
static bool walk_track(const fzi_lud_sowing *s, fzi_lud_track *t, const char *word)
{
    if (isdigit((unsigned char)word[0])) {
        unsigned long site = strtoul(word, NULL, 10);
        return strlen(word) < 4 && site < site_count(s) && add_to_track(t, (unsigned)site);
    }
    size_t letters = strspn(word, "NESW");
    unsigned long most = word[letters] ? strtoul(word + letters, NULL, 10) : FZ_LUD_MOST_PITS;
    char dir[8] = {0};
    if (letters == 0 || letters >= sizeof dir || t->count == 0 ||
        strspn(word + letters, "0123456789") != strlen(word + letters))
        return false;
    memcpy(dir, word, letters);
    for (unsigned long i = 0; i < most; i++) {
        unsigned next = neighbour(s, t->sites[t->count - 1], dir);
        if (next == NO_SITE)
            return true;
        if (!add_to_track(t, next))
            return false;
    }
    return true;
}

/* (track "Track1" "0,E,N1,W" loop:True P1) */
static bool read_track(fzi_lud_writer *w, const fzi_lud *node)
{
    fzi_lud_sowing *s = &w->sow;
    const fzi_lud *loop = fzi_lud_labelled(node, "loop");

    if (!fzi_lud_is(node, "track") || s->track_count == FZ_LUD_MOST_TRACKS || node->count < 4 ||
        node->items[1]->kind != FZ_LUD_STRING || node->items[2]->kind != FZ_LUD_STRING || !loop ||
        !fzi_lud_is_word(loop, "True"))
        return fzi_lud_refuse(w, node);
    fzi_lud_track *t = &s->tracks[s->track_count++];
    *t = (fzi_lud_track){.name = node->items[1]->text};
    for (size_t i = 3; i < node->count; i++)
        if (node->items[i] != loop &&
            (node->items[i]->kind != FZ_LUD_WORD || !fzi_lud_role(node->items[i]->text, &t->owner)))
            return fzi_lud_refuse(w, node);
    const char *at = node->items[2]->text;
    while (*at) {
        size_t length = strcspn(at, ",");
        if (!walk_track(s, t, FZ_LUD_TEXT(w, "%.*s", (int)length, at)))
            return fzi_lud_unsaid(w, node, "this track is not translated yet") != NULL;
        at += length + (at[length] == ',');
    }
    return t->count > 1 || fzi_lud_refuse(w, node);
}

static bool read_tracks(fzi_lud_writer *w, const fzi_lud *written)
{
    const fzi_lud *node = fzi_lud_plain(w, written);

    if (!node)
        return false;
    if (node->kind != FZ_LUD_SET)
        return read_track(w, node);
    for (size_t i = 0; i < node->count; i++) {
        const fzi_lud *track = fzi_lud_plain(w, node->items[i]);
        if (!track || !read_track(w, track))
            return false;
    }
    return true;
}

static void name_pits(fzi_lud_writer *w)
{
    fzi_lud_board *b = &w->board;
    fzi_lud_sowing *s = &w->sow;

    b->names = fzi_arena_alloc(
        w->arena, (FZ_LUD_MOST_PITS + 2 + FZ_LUD_MOST_PLAYERS) * sizeof *b->names);
    if (s->stores)
        b->names[b->count++] = "west";
    for (unsigned row = 0; row < s->rows; row++)
        for (unsigned column = 0; column < s->columns; column++)
            b->names[b->count++] = column < 26
                                       ? FZ_LUD_TEXT(w, "%c%u", 'a' + (int)column, row + 1)
                                       : FZ_LUD_TEXT(w, "a%c%u", 'a' + (int)column - 26, row + 1);
    if (s->stores)
        b->names[b->count++] = "east";
    b->rows = s->rows;
    b->columns = s->columns;
    b->top = FZ_LUD_TEXT(w, "rank(%u)", s->rows);
    b->bottom = "rank(1)";
    b->left = s->stores ? "{west}" : "file(1)";
    b->right = s->stores ? "{east}" : FZ_LUD_TEXT(w, "file(%u)", s->columns);
    b->text = "pits"; /* until fzi_lud_pits_text */
}

bool fzi_lud_read_pits(fzi_lud_writer *w, const fzi_lud *node)
{
    fzi_lud_sowing *s = &w->sow;
    const fzi_lud *store = fzi_lud_labelled(node, "store");
    int rows = node->count > 2 ? fzi_lud_number(w, node->items[1]) : -1;
    int columns = node->count > 2 ? fzi_lud_number(w, node->items[2]) : -1;

    if (rows < 2 || rows > 4 || columns < 2 || columns > 50 ||
        rows * columns > FZ_LUD_MOST_PITS - 2)
        return fzi_lud_refuse(w, node);
    s->on = true;
    s->stores = !store;
    s->rows = (unsigned)rows;
    s->columns = (unsigned)columns;
    if (store && !fzi_lud_is_word(store, "None"))
        return fzi_lud_refuse(w, store);
    const fzi_lud *large = fzi_lud_labelled(node, "largeStack"); /* how many are drawn */
    for (size_t i = 3; i < node->count; i++)
        if (node->items[i] != large && node->items[i] != store &&
            (node->items[i]->label || !read_tracks(w, node->items[i])))
            return fzi_lud_refuse(w, node->items[i]);
    name_pits(w);
    s->joins_more = s->stores;
    for (size_t i = 0; i < s->track_count; i++)
        s->joins_more = s->joins_more || (!is_circuit(s, &s->tracks[i], false) &&
                                          !is_circuit(s, &s->tracks[i], true));
    return true;
}

const char *fzi_lud_pits_text(fzi_lud_writer *w)
{
    const fzi_lud_sowing *s = &w->sow;
    const char *text = FZ_LUD_TEXT(w, "pits(%u, %u)", s->rows, s->columns);

    if (s->stores)
        text = FZ_LUD_TEXT(w, "join(%s, graph { west: off; east: off; })", text);
    if (!s->has_edges)
        return text;
    fzi_growing g = {0};
    for (unsigned i = 0; i < site_count(s); i++)
        if (s->edges[i].length)
            fzi_grow_z(w->arena, &g,
                       FZ_LUD_TEXT(w, "%s: %s;\n", w->board.names[i], s->edges[i].text));
    return FZ_LUD_TEXT(w, "with_edges(%s, graph {\n%s})", text, g.text);
}

/* ---- tracks as directions ---- */

static bool is_any_circuit(const fzi_lud_sowing *s)
{
    for (size_t i = 0; i < s->track_count; i++)
        if (is_circuit(s, &s->tracks[i], false) || is_circuit(s, &s->tracks[i], true))
            return true;
    return false;
}

static void add_edge(fzi_lud_writer *w, unsigned from, unsigned to, const char *dir)
{
    fzi_growing *g = &w->sow.edges[from];
    fzi_grow_z(w->arena, g,
               FZ_LUD_TEXT(w, "%s%s %s", g->length ? ", " : "", w->board.names[to], dir));
    w->sow.has_edges = true;
}

/* Gives the track directions of its own: edges where it leaves the circuit. */
static void add_edges(fzi_lud_writer *w, fzi_lud_track *t)
{
    fzi_lud_sowing *s = &w->sow;
    bool replaces = !s->replaced && !is_any_circuit(s);
    unsigned same = 0;

    for (unsigned i = 0; i < t->count; i++)
        same += in_circuit(s, t->sites[i], true) == t->sites[(i + 1) % t->count];
    bool cw = replaces && same > t->count / 2;
    s->replaced = s->replaced || replaces;
    if (replaces) {
        t->onward = cw ? "cw" : "ccw";
        t->back = cw ? "ccw" : "cw";
    } else {
        s->own_dirs++;
        t->onward = FZ_LUD_TEXT(w, "onward%u", s->own_dirs);
        t->back = FZ_LUD_TEXT(w, "back%u", s->own_dirs);
    }
    for (unsigned i = 0; i < t->count; i++) {
        unsigned a = t->sites[i], b = t->sites[(i + 1) % t->count];
        if (!replaces || in_circuit(s, a, cw) != b)
            add_edge(w, a, b, t->onward);
        if (!replaces || in_circuit(s, a, cw) != b)
            add_edge(w, b, a, t->back);
    }
}

static void give_directions(fzi_lud_writer *w, fzi_lud_track *t)
{
    if (t->onward)
        return;
    if (is_circuit(&w->sow, t, false)) {
        t->onward = "ccw";
        t->back = "cw";
    } else if (is_circuit(&w->sow, t, true)) {
        t->onward = "cw";
        t->back = "ccw";
    } else
        add_edges(w, t);
}

/* The track that Ludii takes: with this name, or with a part of it and the owner; NULL. */
static fzi_lud_track *track_of(fzi_lud_writer *w, const char *name, int owner, bool part)
{
    fzi_lud_sowing *s = &w->sow;

    for (size_t i = 0; i < s->track_count; i++) {
        fzi_lud_track *t = &s->tracks[i];
        if (owner > 0 && t->owner != owner)
            continue;
        if (!name || strcmp(t->name, name) == 0 || (part && strstr(t->name, name))) {
            give_directions(w, t);
            return t;
        }
    }
    return NULL;
}

typedef struct way {
    const char *onward, *back;
} way;

/* The track of `me`, where each player has one of their own. */
static bool track_of_mover(fzi_lud_writer *w, const char *name, way *found)
{
    *found = (way){0};
    for (int p = w->players; p >= 1; p--) {
        const fzi_lud_track *t = track_of(w, name, p, true);
        if (!t)
            return false;
        bool same = !found->onward || strcmp(found->onward, t->onward) == 0;
        found->onward =
            same ? t->onward
                 : FZ_LUD_TEXT(w, "(if me == P%d then %s else %s)", p, t->onward, found->onward);
        found->back =
            same ? t->back
                 : FZ_LUD_TEXT(w, "(if me == P%d then %s else %s)", p, t->back, found->back);
    }
    return true;
}

/* (sites Track from:S to:(trackSite Move from:S "Track" steps:N)): so many pits along a track. */
static const char *say_stretch(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *from = fzi_lud_labelled(node, "from"), *to = fzi_lud_labelled(node, "to");
    const fzi_lud *end = to ? fzi_lud_plain(w, to) : NULL;
    const fzi_lud *start = end ? fzi_lud_labelled(end, "from") : NULL;
    const fzi_lud *steps = end ? fzi_lud_labelled(end, "steps") : NULL;
    const char *name = NULL;

    if (!from || !start || !steps || !fzi_lud_is(end, "trackSite") || end->count < 4 ||
        !fzi_lud_is_word(end->items[1], "Move"))
        return NULL;
    for (size_t i = 2; i < end->count; i++) {
        const fzi_lud *item = end->items[i];
        if (item->kind == FZ_LUD_STRING && !item->label && !name)
            name = item->text;
        else if (item != start && item != steps)
            return NULL;
    }
    for (size_t i = 2; i < node->count; i++)
        if (node->items[i] != from && node->items[i] != to &&
            (node->items[i]->kind != FZ_LUD_STRING || !name ||
             strcmp(node->items[i]->text, name) != 0))
            return NULL;
    const fzi_lud_track *t = track_of(w, name, 0, true);
    const char *first = fzi_lud_say(w, FZ_SAY_SITE, from),
               *same = fzi_lud_say(w, FZ_SAY_SITE, start);
    const char *number = fzi_lud_operand(w, FZ_SAY_INT, steps);
    return t && first && same && number && strcmp(first, same) == 0
               ? FZ_LUD_TEXT(w, "union i in 0..%s %% %u : {walk(%s, %s, i)}", number, t->count,
                             first, t->onward)
               : NULL;
}

static const char *say_track(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud_sowing *s = &w->sow;
    const char *name =
        node->count == 3 && node->items[2]->kind == FZ_LUD_STRING ? node->items[2]->text : NULL;
    const fzi_lud_track *t = NULL;
    bool on[FZ_LUD_MOST_PITS] = {false};
    fzi_growing g = {0};

    if (fzi_lud_labelled(node, "from"))
        return say_stretch(w, node);
    if (node->count > 3 || (node->count == 3 && !name))
        return NULL;
    for (size_t i = 0; i < s->track_count && !t; i++) {
        const fzi_lud_track *at = &s->tracks[i];
        if (name ? strcmp(at->name, name) == 0 || (at->owner == 0 && strstr(at->name, name))
                 : at->owner == 0)
            t = at;
    }
    for (unsigned i = 0; t && i < t->count; i++)
        on[t->sites[i]] = true;
    if (t && t->count == site_count(s))
        return "site";
    for (unsigned row = 0; t && row < s->rows; row++) {
        unsigned in_row = 0;
        for (unsigned column = 0; column < s->columns; column++)
            in_row += on[pit(s, row, column)];
        if (in_row == s->columns)
            fzi_grow_z(w->arena, &g, FZ_LUD_TEXT(w, "%srank(%u)", g.length ? " | " : "", row + 1));
        for (unsigned column = 0; column < s->columns && in_row < s->columns; column++)
            if (on[pit(s, row, column)])
                fzi_grow_z(w->arena, &g,
                           FZ_LUD_TEXT(w, "%s{%s}", g.length ? " | " : "",
                                       w->board.names[pit(s, row, column)]));
    }
    for (unsigned site = 0; t && s->stores && site < site_count(s); site += site_count(s) - 1)
        if (on[site])
            fzi_grow_z(w->arena, &g,
                       FZ_LUD_TEXT(w, "%s{%s}", g.length ? " | " : "", w->board.names[site]));
    return g.text;
}

static const char *say_track_site(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *from = fzi_lud_labelled(node, "from"), *steps = fzi_lud_labelled(node, "steps");
    const char *name = NULL;
    way found = {0};

    const fzi_lud *test = fzi_lud_labelled(node, "if");
    bool first = node->count > 1 && fzi_lud_is_word(node->items[1], "FirstSite");

    if (!w->sow.on || node->count < 2 ||
        (first ? !test || !from || steps : !fzi_lud_is_word(node->items[1], "Move") || !steps))
        return NULL;
    for (size_t i = 2; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        if (item == from || item == steps || (first && item == test) ||
            fzi_lud_is_word(item, "Mover"))
            continue;
        if (item->kind != FZ_LUD_STRING || item->label || name)
            return NULL;
        name = item->text;
    }
    if (!track_of_mover(w, name, &found)) {
        const fzi_lud_track *t = track_of(w, name, 0, true);
        if (!t)
            return NULL;
        found = (way){t->onward, t->back};
    }
    const char *site = from ? fzi_lud_operand(w, FZ_SAY_SITE, from) : w->names.from;
    if (first) {
        const char *rest;
        fzi_lud_names names = w->names;
        w->names.to = "s";
        const char *set = site ? fzi_lud_targets(w, "site", test, &rest) : NULL;
        w->names = names;
        return !set   ? NULL
               : rest ? FZ_LUD_TEXT(w, "first_along(%s, %s, {for s in site if %s})", site,
                                    found.onward, rest)
                      : FZ_LUD_TEXT(w, "first_along(%s, %s, %s)", site, found.onward, set);
    }
    const char *number = fzi_lud_say(w, FZ_SAY_INT, steps);
    if (!site || !number)
        return NULL;
    return strcmp(number, "1") == 0
               ? FZ_LUD_TEXT(w, "%s + %s", site, found.onward)
               : FZ_LUD_TEXT(w, "walk(%s, %s, %s)", site, found.onward, number);
}

/* ---- sowing ---- */

typedef struct sowing {
    const fzi_lud *start, *count, *owner, *test, *apply, *self, *origin, *skip, *backward, *forward,
        *then;
    const char *track;
} sowing;

static bool read_sow(fzi_lud_writer *w, const fzi_lud *node, sowing *s)
{
    const struct {
        const char *label;
        const fzi_lud **place;
    } labels[] = {{"count", &s->count},           {"owner", &s->owner},      {"if", &s->test},
                  {"apply", &s->apply},           {"includeSelf", &s->self}, {"origin", &s->origin},
                  {"backtracking", &s->backward}, {"forward", &s->forward},  {"skipIf", &s->skip}};

    *s = (sowing){0};
    for (size_t i = 1; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        const fzi_lud **place = NULL;
        for (size_t n = 0; item->label && n < sizeof labels / sizeof *labels; n++)
            if (strcmp(item->label, labels[n].label) == 0)
                place = labels[n].place;
        if (!item->label && item->kind == FZ_LUD_STRING && !fzi_lud_definition(w->file, item) &&
            !s->track) {
            s->track = item->text;
            continue;
        }
        if (!item->label)
            place = fzi_lud_is(item, "then") ? &s->then : &s->start;
        if (!place || *place)
            return fzi_lud_refuse(w, item);
        *place = item;
    }
    return true;
}

/* Pits that no seeds fall into. */
static const char *left_out(fzi_lud_writer *w, const sowing *s)
{
    const char *rest = NULL, *set = "{}";

    if (s->skip) {
        fzi_lud_names names = w->names;
        w->names.to = "s";
        set = fzi_lud_targets(w, "site", s->skip, &rest);
        w->names = names;
        if (!set)
            return NULL;
        if (rest && strncmp(rest, "s == ", 5) == 0 && !strchr(rest + 5, ' '))
            set = FZ_LUD_TEXT(w, "{%s}", rest + 5);
        else if (rest)
            set = FZ_LUD_TEXT(w, "{for s in site if %s}", rest);
    }
    return set;
}

/* The call that sows. Simple sowing is that of the library. */
static const char *sow_call(fzi_lud_writer *w, const sowing *s, const char *start, const way *track)
{
    const char *past = left_out(w, s);
    const char *held = s->count ? fzi_lud_say(w, FZ_SAY_INT, s->count) : NULL;
    bool plain = past && strcmp(past, "{}") == 0 && strcmp(track->onward, "ccw") == 0;
    bool first = s->origin && fzi_lud_is_word(s->origin, "True");

    if (!past || (s->count && !held))
        return NULL;
    if (s->origin && !first && !fzi_lud_is_word(s->origin, "False"))
        return fzi_lud_unsaid(w, s->origin, "not translated yet");
    if (s->self && !fzi_lud_is_word(s->self, "True"))
        return first || held ? fzi_lud_unsaid(w, s->self, "not translated yet")
                             : FZ_LUD_TEXT(w, "sow_past(%s, %s, %s)", start, track->onward, past);
    if (held && w->sow.before) {
        fzi_grow_z(w->arena, w->sow.before, FZ_LUD_TEXT(w, "let held = %s; ", held));
        held = "held";
    }
    if (first)
        return held ? FZ_LUD_TEXT(w, "sow_some(%s, %s - 1, %s, %s)", start,
                                  fzi_lud_in_brackets(w, held), track->onward, past)
                    : FZ_LUD_TEXT(w, "sow_from(%s, %s, %s)", start, track->onward, past);
    if (held)
        return FZ_LUD_TEXT(w, "sow_some(%s, %s, %s, %s)", start, held, track->onward, past);
    return plain ? FZ_LUD_TEXT(w, "sow(%s)", start)
                 : FZ_LUD_TEXT(w, "sow_along(%s, %s, %s)", start, track->onward, past);
}

/* What the pit of the last seed leads to, and the pits before it or after it. */
static const char *harvest(fzi_lud_writer *w, const sowing *s, const char *start, const way *track)
{
    fzi_lud_names names = w->names;
    const char *test = NULL, *effect = NULL;
    const fzi_lud *again = s->backward ? s->backward : s->forward;

    if (!s->apply)
        return "";
    w->names.from = start;
    w->names.to = "last";
    w->names.played = true;
    if (s->test)
        test = fzi_lud_say(w, FZ_SAY_BOOL, s->test);
    effect = fzi_lud_say(w, FZ_SAY_DO, s->apply);
    const char *going_on = again ? fzi_lud_say(w, FZ_SAY_BOOL, again) : NULL;
    w->names = names;
    if (!effect || (s->test && !test) || (again && !going_on))
        return NULL;
    if (!again)
        return test && strcmp(test, "true") != 0
                   ? FZ_LUD_TEXT(w, "if %s%c {%s}", test, FZ_LUD_THEN, effect)
                   : effect;
    bool tests = test && strcmp(test, "true") != 0;
    if (strcmp(going_on, "true") != 0) /* what holds before any effect decides how far it goes */
        return FZ_LUD_TEXT(w,
                           "var caught: sites; while last != off%s%s {caught |= last; "
                           "if %s last = last + %s; else last = off; "
                           "if %snot %s last = off;} for last in caught {%s}",
                           tests ? " and " : "", tests ? fzi_lud_term(w, test) : "", going_on,
                           s->backward ? track->back : track->onward,
                           s->backward ? FZ_LUD_TEXT(w, "last == %s or ", start) : "",
                           fzi_lud_in_brackets(w, going_on), effect);
    if (!tests)
        return fzi_lud_unsaid(w, again, "not translated yet");
    const char *goal = fzi_lud_term(w, test);
    return s->backward
               ? FZ_LUD_TEXT(w, "while %s {%s last = last + %s; if last == %s last = off;}", goal,
                             effect, track->back, start)
               : FZ_LUD_TEXT(w, "while %s {%s last = last + %s;}", goal, effect, track->onward);
}

static const char *say_sow(fzi_lud_writer *w, const fzi_lud *node)
{
    sowing s;
    way track = {0};

    if (!w->sow.on || !read_sow(w, node, &s))
        return fzi_lud_unsaid(w, node, "not translated yet");
    const char *owner = s.owner ? fzi_lud_say(w, FZ_SAY_PLAYER, s.owner) : NULL;
    if (s.owner && (!owner || strcmp(owner, "me") != 0 || !s.track))
        return fzi_lud_unsaid(w, s.owner, "not translated yet");
    if (!s.owner) {
        const fzi_lud_track *t = track_of(w, s.track, 0, false);
        if (t)
            track = (way){t->onward, t->back};
    }
    if (!track.onward && (!s.owner || !track_of_mover(w, s.track, &track)))
        return fzi_lud_unsaid(w, node, "this track is not translated yet");
    const char *start = s.start       ? fzi_lud_say(w, FZ_SAY_SITE, s.start)
                        : w->names.to ? w->names.to
                                      : "last_to";
    const char *call = start ? sow_call(w, &s, start, &track) : NULL;
    const char *then = call ? harvest(w, &s, start, &track) : NULL;
    const char *after = then ? fzi_lud_after(w, s.then, "") : NULL;
    if (!after)
        return NULL;
    bool loops = s.backward || s.forward;
    bool named = loops || fzi_lud_mentions(w, then, "last");
    const char *reached = !w->sow.uses_reached ? "" : named ? "reached = last; " : "reached = ";
    if (!named)
        return FZ_LUD_TEXT(w, "%s%s; %s%s", reached, call, then, after);
    return FZ_LUD_TEXT(w, "%s last = %s; %s%s%s", loops ? "var" : "let", call, reached, then,
                       after);
}

const char *fzi_lud_say_seeds(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    if (!w->sow.on)
        return NULL;
    if (type == FZ_SAY_SITE)
        return fzi_lud_is(node, "trackSite") ? say_track_site(w, node) : NULL;
    if (type == FZ_SAY_SITES)
        return fzi_lud_is(node, "sites") && node->count > 1 &&
                       fzi_lud_is_word(node->items[1], "Track")
                   ? say_track(w, node)
                   : NULL;
    if (type != FZ_SAY_DO)
        return NULL;
    return fzi_lud_is(node, "sow")      ? say_sow(w, node)
           : fzi_lud_is(node, "fromTo") ? fzi_lud_carry(w, node)
           : fzi_lud_is(node, "remove") ? fzi_lud_take_off(w, node)
                                        : NULL;
}
