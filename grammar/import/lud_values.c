/* What .lud games remember by name: numbers and sites (set Var), numbers of players (set Value),
 * sets of sites (remember Value), and the entries of maps. All uses are looked up before the script
 * is written, because the first one may stand behind a condition about it. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_writer.h"

/* ---- every form of the rules, definitions included ---- */

typedef void visitor(fzi_lud_writer *w, const fzi_lud *node);

/* Counts a use of a definition. */
static void note_call(fzi_lud_writer *w, const fzi_lud *node)
{
    enum { LONGEST = 100 };
    const char *text = fzi_lud_text(w->arena, node, LONGEST);
    size_t at = 0;

    while (at < w->called_count && strcmp(w->called[at].text, text) != 0)
        at++;
    if (at == FZ_LUD_MOST_CALLED || strlen(text) + 3 > LONGEST)
        return;
    w->called_count += at == w->called_count;
    w->called[at].text = text;
    w->called[at].count++;
}

static bool visit(fzi_lud_writer *w, const fzi_lud *node, visitor *f, unsigned depth)
{
    if (depth > FZ_LUD_MOST_DEPTH)
        return false;
    if (fzi_lud_definition(w->file, node)) {
        note_call(w, node);
        const fzi_lud *body = fzi_lud_expand_once(&w->expansion, node);
        return body && visit(w, body, f, depth + 1);
    }
    f(w, node);
    for (size_t i = 0; i < node->count; i++)
        if (!visit(w, node->items[i], f, depth + 1))
            return false;
    return true;
}

/* ---- finding what is stored ---- */

static fzi_lud_stored *stored(fzi_lud_writer *w, enum fzi_lud_stored_kind kind, const char *source)
{
    for (size_t i = 0; i < w->stored_count; i++)
        if (w->stored[i].kind == kind && strcmp(w->stored[i].source, source) == 0)
            return &w->stored[i];
    return NULL;
}

static fzi_lud_stored *add_stored(fzi_lud_writer *w, enum fzi_lud_stored_kind kind,
                                  const char *source, const char *preset)
{
    fzi_lud_stored *found = stored(w, kind, source);

    if (found || w->stored_count == FZ_LUD_MOST_STORED)
        return found;
    found = &w->stored[w->stored_count++];
    *found = (fzi_lud_stored){.kind = kind, .source = source};
    found->name = *source ? fzi_lud_variable(w, source) : preset;
    return found;
}

/* Is it a form that stands for a site? */
static bool is_site(fzi_lud_writer *w, const fzi_lud *node)
{
    static const char *const heads[] = {"to",          "from",     "site",    "last",
                                        "trackSite",   "mapEntry", "between", "ahead",
                                        "centrePoint", "coord",    "where"};

    if (fzi_lud_is(node, "var") && node->count == 2 && node->items[1]->kind == FZ_LUD_STRING) {
        const fzi_lud_stored *other = stored(w, FZ_LUD_VARIABLE, node->items[1]->text);
        return other && other->sites;
    }
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (fzi_lud_is(node, heads[i]))
            return true;
    /* (if C (to) …), and (+ (to) 8), which is another row. */
    const fzi_lud *part = fzi_lud_is(node, "if") && node->count > 2 ? node->items[2]
                          : (fzi_lud_is(node, "+") || fzi_lud_is(node, "-")) && node->count == 3
                              ? node->items[1]
                              : NULL;
    part = part ? fzi_lud_plain(w, part) : NULL;
    return part && is_site(w, part);
}

static void note_value(fzi_lud_writer *w, fzi_lud_stored *s, const fzi_lud *value)
{
    const fzi_lud *plain = value ? fzi_lud_plain(w, value) : NULL;

    if (!s || !plain)
        return;
    bool nothing = fzi_lud_is_word(plain, "-1") || fzi_lud_is_word(plain, "Off") ||
                   fzi_lud_is_word(plain, "Undefined");
    if (is_site(w, plain))
        s->sites = true;
    else if (!nothing)
        s->numbers = true;
}

static void find_stored(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *second = node->count > 2 ? node->items[2] : NULL;

    if (fzi_lud_has_label(node, "afterConsequence"))
        w->sow.uses_reached = true;
    if (fzi_lud_is(node, "all") && node->count == 2 && fzi_lud_is_word(node->items[1], "Passed"))
        w->asks_passes = true;
    if (fzi_lud_is(node, "set") && node->count > 1 && fzi_lud_is_word(node->items[1], "Pending")) {
        w->sow.uses_pending = true;
        w->sow.pending_set = w->sow.pending_set || (second && fzi_lud_is(second, "sites"));
    }
    if (fzi_lud_is(node, "set") && second) {
        const char *source = second->kind == FZ_LUD_STRING ? second->text : "";
        if (fzi_lud_is_word(node->items[1], "Var"))
            note_value(w, add_stored(w, FZ_LUD_VARIABLE, source, "noted"),
                       *source && node->count == 4 ? node->items[3] : second);
        else if (fzi_lud_is_word(node->items[1], "Value") && node->count == 4 && !second->label)
            note_value(w, add_stored(w, FZ_LUD_OF_PLAYER, "", "value"), node->items[3]);
        else if (fzi_lud_is_word(node->items[1], "RememberValue"))
            add_stored(w, FZ_LUD_REMEMBERED, source, "remembered");
    }
    if (fzi_lud_is(node, "remember") && second)
        add_stored(w, FZ_LUD_REMEMBERED, second->kind == FZ_LUD_STRING ? second->text : "",
                   "remembered");
}

void fzi_lud_find_stored(fzi_lud_writer *w)
{
    /* A variable may be set to another one that is found later. Definitions that expand without end
     * are refused where they are read. */
    bool good = visit(w, w->file->game, find_stored, 0);
    memset(w->called, 0, sizeof w->called);
    w->called_count = 0;
    if (good)
        visit(w, w->file->game, find_stored, 0);
    w->expansion.made = 0;
    w->expansion.fault = (fzi_lud_fault){0};
}

/* ---- reading and writing them ---- */

static const fzi_lud_stored *of_name(fzi_lud_writer *w, enum fzi_lud_stored_kind kind,
                                     const fzi_lud *node, size_t at, bool sites)
{
    const char *source =
        node->count > at && node->items[at]->kind == FZ_LUD_STRING ? node->items[at]->text : "";
    fzi_lud_stored *s = stored(w, kind, source);

    if (!s || (kind != FZ_LUD_REMEMBERED && (s->sites != sites || (s->sites && s->numbers))))
        return NULL;
    s->used = true;
    return s;
}

/* (mapEntry P1), (mapEntry "Store" Mover) */
static const char *say_entry(fzi_lud_writer *w, const fzi_lud *node)
{
    bool named = node->count > 2 && node->items[1]->kind == FZ_LUD_STRING;

    if (node->count != (named ? 3u : 2u))
        return NULL;
    for (size_t i = 0; i < w->map_count; i++) {
        fzi_lud_map *map = &w->maps[i];
        if (named && strcmp(map->source, node->items[1]->text) != 0)
            continue;
        const char *player = fzi_lud_say(w, FZ_SAY_PLAYER, node->items[node->count - 1]);
        map->used = map->used || player;
        return player ? FZ_LUD_TEXT(w, "%s[%s]", map->name, player) : NULL;
    }
    return NULL;
}

/* Is it a map of numbers, such as what a throw counts? */
static bool maps_numbers(fzi_lud_writer *w, const fzi_lud_map *map)
{
    for (size_t i = 0; i < map->pairs->count; i++) {
        const fzi_lud *pair = map->pairs->items[i];
        if (!fzi_lud_is(pair, "pair") || pair->count != 3 ||
            fzi_lud_number(w, pair->items[1]) < 0 || !fzi_lud_say(w, FZ_SAY_INT, pair->items[2]))
            return false;
    }
    return map->pairs->count > 0;
}

/* The numbers that have entries, or may be thrown. */
static void key_range(fzi_lud_writer *w, const fzi_lud_map *map, int *least, int *most)
{
    const fzi_lud_dice *d = &w->dice;

    *least = d->count && !d->single ? d->count * d->least : 0;
    *most = d->count * (d->least + d->faces - 1);
    for (size_t i = 0; i < map->pairs->count; i++) {
        int key = fzi_lud_number(w, map->pairs->items[i]->items[1]);
        *least = key < *least ? key : *least;
        *most = key > *most ? key : *most;
    }
}

/* (mapEntry "Throw" (count Pips)) as a number */
static const char *say_entry_number(fzi_lud_writer *w, const fzi_lud *node)
{
    bool named = node->count > 2 && node->items[1]->kind == FZ_LUD_STRING;

    if (!fzi_lud_is(node, "mapEntry") || node->count != (named ? 3u : 2u))
        return NULL;
    for (size_t i = 0; i < w->map_count; i++) {
        fzi_lud_map *map = &w->maps[i];
        if (named && strcmp(map->source, node->items[1]->text) != 0)
            continue;
        const char *key =
            maps_numbers(w, map) ? fzi_lud_say(w, FZ_SAY_INT, node->items[node->count - 1]) : NULL;
        map->numbers = map->numbers || key;
        int least, most;
        if (!key)
            return NULL;
        key_range(w, map, &least, &most);
        return strcmp(key, "pips") == 0 && w->dice.count
                   ? FZ_LUD_TEXT(w, "%s[pips]", map->name)
                   : FZ_LUD_TEXT(w, "if %s in %d..%d then %s[%s] else %s", key, least, most,
                                 map->name, key, key);
    }
    return NULL;
}

/* (var "Replay") and (value Player P), as a site or as a number; (mapEntry P) */
static const char *say_stored(fzi_lud_writer *w, const fzi_lud *node, bool site)
{
    if (fzi_lud_is(node, "var") && node->count <= 2) {
        const fzi_lud_stored *s = of_name(w, FZ_LUD_VARIABLE, node, 1, site);
        return s ? s->name : NULL;
    }
    if (fzi_lud_is(node, "value") && node->count == 3 &&
        fzi_lud_is_word(node->items[1], "Player")) {
        const fzi_lud_stored *s = of_name(w, FZ_LUD_OF_PLAYER, node, 9, site);
        const char *player = s ? fzi_lud_say(w, FZ_SAY_PLAYER, node->items[2]) : NULL;
        return player ? FZ_LUD_TEXT(w, "%s[%s]", s->name, player) : NULL;
    }
    return site && fzi_lud_is(node, "mapEntry") ? say_entry(w, node) : NULL;
}

/* (values Remembered "Name") */
static const char *say_remembered(fzi_lud_writer *w, const fzi_lud *node)
{
    if (!fzi_lud_is(node, "values") || node->count < 2 || node->count > 3 ||
        !fzi_lud_is_word(node->items[1], "Remembered"))
        return NULL;
    const fzi_lud_stored *s = of_name(w, FZ_LUD_REMEMBERED, node, 2, true);
    return s ? s->name : NULL;
}

/* A number or a site, as the variable has it. */
static const char *value_text(fzi_lud_writer *w, const fzi_lud_stored *s, const fzi_lud *node)
{
    return fzi_lud_say(w, s->sites ? FZ_SAY_SITE : FZ_SAY_INT, node);
}

static const char *say_set(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *last = node->items[node->count - 1];

    if (fzi_lud_is_word(node->items[1], "Var") && node->count <= 4) {
        const char *source =
            node->count == 4 && node->items[2]->kind == FZ_LUD_STRING ? node->items[2]->text : "";
        fzi_lud_stored *s = stored(w, FZ_LUD_VARIABLE, source);
        const char *text = s && !(s->sites && s->numbers) ? value_text(w, s, last) : NULL;
        if (text)
            s->used = true;
        return text ? FZ_LUD_TEXT(w, "%s = %s;", s->name, text) : NULL;
    }
    if (fzi_lud_is_word(node->items[1], "Value") && node->count == 4) {
        fzi_lud_stored *s = stored(w, FZ_LUD_OF_PLAYER, "");
        const char *player = s ? fzi_lud_say(w, FZ_SAY_PLAYER, node->items[2]) : NULL;
        const char *text = player && !(s->sites && s->numbers) ? value_text(w, s, last) : NULL;
        if (text)
            s->used = true;
        return text ? FZ_LUD_TEXT(w, "%s[%s] = %s;", s->name, player, text) : NULL;
    }
    if (fzi_lud_is_word(node->items[1], "RememberValue") && node->count <= 4) {
        const fzi_lud_stored *s = of_name(w, FZ_LUD_REMEMBERED, node, 2, true);
        const char *text = s ? fzi_lud_say(w, FZ_SAY_SITES, last) : NULL;
        return text ? FZ_LUD_TEXT(w, "%s |= %s;", s->name, text) : NULL;
    }
    return NULL;
}

/* (forget Value All): all that has been remembered, whatever its name. */
static const char *forget_all(fzi_lud_writer *w)
{
    fzi_growing text = {0};

    for (size_t i = 0; i < w->stored_count; i++)
        if (w->stored[i].kind == FZ_LUD_REMEMBERED) {
            w->stored[i].used = true;
            fzi_grow_z(w->arena, &text,
                       FZ_LUD_TEXT(w, "%s%s = {};", text.length ? " " : "", w->stored[i].name));
        }
    return text.text;
}

const char *fzi_lud_say_store(fzi_lud_writer *w, const fzi_lud *node)
{
    if (node->count < 3)
        return NULL;
    if (fzi_lud_is(node, "set"))
        return say_set(w, node);
    bool forgets = fzi_lud_is(node, "forget");
    if ((!forgets && !fzi_lud_is(node, "remember")) || !fzi_lud_is_word(node->items[1], "Value"))
        return NULL;
    if (forgets && node->count == 3 && fzi_lud_is_word(node->items[2], "All"))
        return forget_all(w);
    const fzi_lud_stored *s = of_name(w, FZ_LUD_REMEMBERED, node, 2, true);
    size_t at = node->items[2]->kind == FZ_LUD_STRING ? 3 : 2;
    if (!s || at >= node->count || (node->count > at + 1 && !fzi_lud_labelled(node, "unique")))
        return NULL;
    if (forgets && fzi_lud_is_word(node->items[at], "All"))
        return FZ_LUD_TEXT(w, "%s = {};", s->name);
    const char *site = fzi_lud_say(w, FZ_SAY_SITES, node->items[at]);
    return site ? FZ_LUD_TEXT(w, "%s %s= %s;", s->name, forgets ? "-" : "|", site) : NULL;
}

/* (player (mapEntry (mover))): a table of players, or `foe` where two players are exchanged. */
static const char *say_partner(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *entry = fzi_lud_is(node, "player") && node->count == 2 ? node->items[1] : NULL;
    const fzi_lud_map *map = w->map_count == 1 && !*w->maps[0].source ? &w->maps[0] : NULL;
    fzi_growing pairs = {0};
    bool crossed = w->players == 2;

    if (!entry || !map || !fzi_lud_is(entry, "mapEntry") || entry->count != 2 ||
        !fzi_lud_is(entry->items[1], "mover"))
        return NULL;
    for (size_t i = 0; i < map->pairs->count; i++) {
        const fzi_lud *pair = map->pairs->items[i];
        bool two = fzi_lud_is(pair, "pair") && pair->count == 3;
        const char *one = two ? fzi_lud_say(w, FZ_SAY_PLAYER, pair->items[1]) : NULL;
        const char *other = one ? fzi_lud_say(w, FZ_SAY_PLAYER, pair->items[2]) : NULL;
        if (!other)
            return NULL;
        crossed = crossed && strcmp(one, other) != 0;
        fzi_grow_z(w->arena, &pairs, FZ_LUD_TEXT(w, "%s%s: %s", i ? ", " : "", one, other));
    }
    if (map->pairs->count != (size_t)w->players)
        return NULL;
    if (crossed)
        return "foe";
    fzi_lud_declare(w, FZ_LUD_TEXT(w, "let partner[p: player]: player = {%s};\n", pairs.text));
    return "partner[me]";
}

const char *fzi_lud_say_values(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    switch (type) {
    case FZ_SAY_PLAYER: return say_partner(w, node);
    case FZ_SAY_INT: {
        const char *text = say_stored(w, node, false);
        return text ? text : say_entry_number(w, node);
    }
    case FZ_SAY_SITE: return say_stored(w, node, true);
    case FZ_SAY_SITES: return say_remembered(w, node);
    case FZ_SAY_DO: return fzi_lud_say_store(w, node);
    default: return NULL;
    }
}

/* ---- maps and declarations ---- */

/* (map {(pair P1 FirstSite) (pair P2 LastSite)}) */
bool fzi_lud_read_map(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *pairs = node->count > 1 ? node->items[node->count - 1] : NULL;
    bool named = node->count == 3 && node->items[1]->kind == FZ_LUD_STRING;

    if (!pairs || pairs->kind != FZ_LUD_SET || node->count != (named ? 3u : 2u) ||
        w->map_count == FZ_LUD_MOST_MAPS)
        return fzi_lud_refuse(w, node);
    fzi_lud_map *map = &w->maps[w->map_count++];
    *map = (fzi_lud_map){.pairs = pairs, .source = named ? node->items[1]->text : ""};
    map->name = named ? fzi_lud_variable(w, map->source) : "entry";
    return true;
}

static const char *landmark(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud_board *b = &w->board;

    if (b->count && fzi_lud_is_word(node, "FirstSite"))
        return b->names[0];
    if (b->count && fzi_lud_is_word(node, "LastSite"))
        return b->names[b->count - 1];
    return fzi_lud_say(w, FZ_SAY_SITE, node);
}

static bool declare_map(fzi_lud_writer *w, const fzi_lud_map *map, fzi_growing *to)
{
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "let %s[p: player]: site = {", map->name));
    for (size_t i = 0; i < map->pairs->count; i++) {
        const fzi_lud *pair = map->pairs->items[i];
        if (!fzi_lud_is(pair, "pair") || pair->count != 3)
            return fzi_lud_refuse(w, pair);
        const char *player = fzi_lud_say(w, FZ_SAY_PLAYER, pair->items[1]);
        const char *site = player ? landmark(w, pair->items[2]) : NULL;
        if (!site)
            return fzi_lud_refuse(w, pair);
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "%s%s: %s", i ? ", " : "", player, site));
    }
    fzi_grow_z(w->arena, to, "};\n");
    return true;
}

/* The table of a map of numbers. A number without a pair stands for itself. */
static bool declare_numbers(fzi_lud_writer *w, const fzi_lud_map *map, fzi_growing *to)
{
    int least, most;

    key_range(w, map, &least, &most);
    if (most > 300)
        return fzi_lud_refuse(w, map->pairs);
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "let %s[n: %d..%d] = [", map->name, least, most));
    for (int n = least; n <= most; n++) {
        const char *value = FZ_LUD_TEXT(w, "%d", n);
        for (size_t i = 0; i < map->pairs->count; i++)
            if (fzi_lud_number(w, map->pairs->items[i]->items[1]) == n)
                value = fzi_lud_say(w, FZ_SAY_INT, map->pairs->items[i]->items[2]);
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "%s%s", n > least ? ", " : "", value));
    }
    fzi_grow_z(w->arena, to, "];\n");
    return true;
}

bool fzi_lud_declare_stored(fzi_lud_writer *w, fzi_growing *to)
{
    for (size_t i = 0; i < w->map_count; i++)
        if (w->maps[i].numbers && !declare_numbers(w, &w->maps[i], to))
            return false;
    for (size_t i = 0; i < w->map_count; i++)
        if (w->maps[i].used && !declare_map(w, &w->maps[i], to))
            return false;
    for (size_t i = 0; i < w->stored_count; i++) {
        const fzi_lud_stored *s = &w->stored[i];
        const char *index = s->kind == FZ_LUD_OF_PLAYER ? "[player]" : "";
        if (s->used)
            fzi_grow_z(w->arena, to,
                       s->kind == FZ_LUD_REMEMBERED ? FZ_LUD_TEXT(w, "var %s: sites;\n", s->name)
                       : s->sites ? FZ_LUD_TEXT(w, "var %s%s: site;\n", s->name, index)
                                  : FZ_LUD_TEXT(w, "var %s%s: int = -1;\n", s->name, index));
    }
    return true;
}

/* ---- regions ---- */

/* The regions of a player as a set. */
static const char *regions_of(fzi_lud_writer *w, const char *name, int player)
{
    fzi_growing sites = {0};

    for (size_t i = 0; i < w->region_count; i++) {
        if (!fzi_lud_is_region(&w->regions[i], name, player))
            continue;
        const char *text = fzi_lud_say(w, FZ_SAY_SITES, w->regions[i].sites);
        if (!text)
            return NULL;
        fzi_grow_z(w->arena, &sites, sites.length ? " | " : "");
        fzi_grow_z(w->arena, &sites, text);
    }
    return sites.length ? sites.text : "{}";
}

static bool is_own_row(fzi_lud_writer *w, const char *name)
{
    if (!w->sow.on || w->sow.rows != 2 || w->players != 2 || !w->board.bottom || !w->board.top)
        return false;
    const char *first = regions_of(w, name, 1), *second = first ? regions_of(w, name, 2) : NULL;
    return second && strcmp(first, w->board.bottom) == 0 && strcmp(second, w->board.top) == 0;
}

void fzi_lud_find_own_rows(fzi_lud_writer *w)
{
    const fzi_lud *unsaid = w->unsaid;
    const char *why = w->unsaid_why;

    for (size_t i = 0; i < w->region_count; i++)
        w->regions[i].own_row = is_own_row(w, w->regions[i].name);
    w->unsaid = unsaid;
    w->unsaid_why = why;
}

static bool add_region_table(fzi_lud_writer *w, const char *name, fzi_growing *to)
{
    fzi_growing g = {0};
    bool sets = true;

    for (int p = 1; p <= w->players; p++) {
        const char *sites = regions_of(w, name, p);
        if (!sites)
            return false;
        sets = sets && (*sites == '(' || strncmp(sites, "rank(", 5) == 0 ||
                        strncmp(sites, "file(", 5) == 0 || (*sites == '{' && sites[1] != '}'));
        fzi_grow_z(w->arena, &g, FZ_LUD_TEXT(w, "%sP%d: %s", p > 1 ? ", " : "", p, sites));
    }
    if (!fzi_lud_is_own_row(w, name)) /* the library has the rows */
        fzi_grow_z(w->arena, to,
                   FZ_LUD_TEXT(w, "%slet %s[p: player]%s = {%s};\n",
                               w->sow.on && !*name ? "override " : "",
                               fzi_lud_region_table(w, name), sets ? "" : ": sites", g.text));
    return true;
}

bool fzi_lud_declare_regions(fzi_lud_writer *w, fzi_growing *to)
{
    for (size_t i = 0; i < w->region_name_count; i++)
        if (!add_region_table(w, w->region_names[i], to))
            return false;
    return true;
}
