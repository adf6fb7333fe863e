/* Tracks of .lud boards: the course of each player's pieces as a table of sites. Tracks with one
 * name that belong to different players are one table. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_writer.h"

enum { MOST_STEPS_OF_TRACK = 600, MOST_WALK = 200 };

typedef struct course {
    fzi_lud_writer *w;
    const char *sites[MOST_STEPS_OF_TRACK];
    size_t count;
    bool ends; /* the last step is End */
} course;

static bool add_step(course *c, const char *site)
{
    if (!site || c->ends || c->count == MOST_STEPS_OF_TRACK)
        return false;
    c->sites[c->count++] = site;
    return true;
}

/* The site with this number; numbers behind those of the board are hands. */
static bool add_number(course *c, unsigned long number)
{
    return add_step(c, fzi_lud_site(c->w, FZ_LUD_TEXT(c->w, "%lu", number)));
}

/* The neighbour in a direction such as `nne`; NULL: none. */
static const char *neighbour(fzi_lud_writer *w, const char *site, const char *dir)
{
    const fzi_lud_board *b = &w->board;

    for (size_t i = 0; b->is_graph && i < b->count; i++)
        for (size_t d = 0; d < FZ_LUD_COMPASS && strcmp(b->names[i], site) == 0; d++)
            if (strcmp(fzi_lud_compass[d], dir) == 0)
                return b->next[i][d] < 0 ? NULL : b->names[b->next[i][d]];
    if (b->is_graph || b->hexagons || strlen(dir) > 2)
        return NULL;
    size_t letters = strspn(site, "abcdefghijklmnopqrstuvwxyz");
    int row = atoi(site + letters) + (strchr(dir, 'n') ? 1 : strchr(dir, 's') ? -1 : 0);
    int column = 0;
    for (size_t i = 0; i < letters; i++)
        column = 26 * column + site[i] - 'a' + 1;
    column += strchr(dir, 'e') ? 1 : strchr(dir, 'w') ? -1 : 0;
    return row > 0 && column > 0
               ? fzi_lud_site(w, fzi_lud_site_name(w, (unsigned)column - 1, (unsigned)row - 1))
               : NULL;
}

/* `E` walks to the edge, `E3` three steps. */
static bool add_walk(course *c, const char *step)
{
    char dir[4] = {0};
    size_t length = strspn(step, "NESW");

    if (length == 0 || length > 3 || !c->count || c->w->board.renamed ||
        strspn(step + length, "0123456789") != strlen(step + length))
        return false;
    for (size_t i = 0; i < length; i++)
        dir[i] = (char)tolower((unsigned char)step[i]);
    size_t most = step[length] ? (size_t)atoi(step + length) : MOST_WALK;
    for (size_t i = 0; i < most && i < MOST_WALK; i++) {
        const char *next = neighbour(c->w, c->sites[c->count - 1], dir);
        if (!next)
            break;
        if (!add_step(c, next))
            return false;
    }
    return true;
}

/* "0,E,N1,W,End" */
static bool read_directions(course *c, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, ",");
        char step[12] = {0};
        if (length == 0 || length >= sizeof step)
            return false;
        memcpy(step, text, length);
        bool good = strcmp(step, "End") == 0          ? (c->ends = true)
                    : isdigit((unsigned char)step[0]) ? add_number(c, strtoul(step, NULL, 10))
                                                      : add_walk(c, step);
        if (!good)
            return false;
        text += length + (text[length] == ',');
    }
    return c->count > 0;
}

/* {0..11 23..12 End} */
static bool read_numbers(course *c, const fzi_lud *set)
{
    for (size_t i = 0; i < set->count; i++) {
        const fzi_lud *item = fzi_lud_plain(c->w, set->items[i]);
        if (!item || item->kind != FZ_LUD_WORD)
            return false;
        if (strcmp(item->text, "End") == 0) {
            c->ends = true;
            continue;
        }
        char *rest;
        unsigned long a = strtoul(item->text, &rest, 10), b = a;
        if (rest == item->text || strlen(item->text) > 20)
            return false;
        if (strncmp(rest, "..", 2) == 0)
            b = strtoul(rest + 2, &rest, 10);
        if (*rest || a > 5000 || b > 5000)
            return false;
        for (unsigned long n = a;; n = n < b ? n + 1 : n - 1) {
            if (!add_number(c, n))
                return false;
            if (n == b)
                break;
        }
    }
    return c->count > 0;
}

static bool has_twice(const course *c)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t n = 0; n < i; n++)
            if (strcmp(c->sites[i], c->sites[n]) == 0)
                return true;
    return false;
}

typedef struct track {
    const fzi_lud *node;
    const char *name; /* as written */
    int owner;        /* 0: everybody's */
    bool loops;
} track;

static bool read_head(fzi_lud_writer *w, const fzi_lud *node, track *t)
{
    *t = (track){.node = node};
    if (node->count < 3 || node->items[1]->kind != FZ_LUD_STRING)
        return false;
    t->name = node->items[1]->text;
    for (size_t i = 3; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        int owner;
        if (fzi_lud_has_label(item, "loop"))
            t->loops = fzi_lud_is_word(item, "True");
        else if (fzi_lud_has_label(item, "directed"))
            continue;
        else if (item->kind == FZ_LUD_WORD && fzi_lud_role(item->text, &owner) && owner >= 0)
            t->owner = owner;
        else if (item->kind == FZ_LUD_WORD && isdigit((unsigned char)item->text[0]))
            t->owner = atoi(item->text);
        else
            return false;
    }
    return t->owner <= w->players;
}

/* A piece is at one place of its course only where no site stands twice in it, or in a loop, where
 * it is at the first one. */
static bool read_course(fzi_lud_writer *w, const track *t, course *c)
{
    const fzi_lud *steps = t->node->items[2];

    *c = (course){.w = w};
    return (steps->kind == FZ_LUD_STRING ? read_directions(c, steps->text)
            : steps->kind == FZ_LUD_SET  ? read_numbers(c, steps)
                                         : false) &&
           (t->loops || !has_twice(c));
}

/* The track that a name means for a player, as Ludii looks for it. */
static bool find(fzi_lud_writer *w, const char *name, int player, track *found)
{
    enum { OWN, OF_ALL, OF_OTHERS };

    for (int pass = OWN; pass <= (*name ? OF_OTHERS : OF_ALL); pass++)
        for (size_t i = 0; i < w->track_form_count; i++)
            if (read_head(w, w->track_forms[i], found) && strstr(found->name, name) &&
                (pass == OF_OTHERS || found->owner == (pass == OWN ? player : 0)))
                return true;
    return false;
}

/* The name of the table and of its functions: `path`, or `home_path`. */
static const char *table_name(fzi_lud_writer *w, const char *name)
{
    if (!*name || strcmp(name, "Track") == 0)
        return "path";
    char *small = FZ_LUD_TEXT(w, "%s_path", fzi_lud_name_of(w, name));
    for (char *at = small; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return small;
}

/* Is it the one that the library knows? */
static bool is_main(const fzi_lud_course *c)
{
    return strcmp(c->name, "path") == 0 && !c->twice;
}

/* The table of a track, which is written when it is first used; NULL: it is not said. */
static const fzi_lud_course *course_of(fzi_lud_writer *w, const char *name)
{
    fzi_growing text = {0};
    fzi_lud_course made = {.source = name, .name = table_name(w, name)};
    size_t longest = 0;

    for (size_t i = 0; i < w->course_count; i++)
        if (strcmp(w->courses[i].source, name) == 0)
            return &w->courses[i];
    if (w->course_count == FZ_LUD_MOST_COURSES)
        return NULL;
    course *all = fzi_arena_alloc(w->arena, (size_t)w->players * sizeof *all);
    for (int p = 1; p <= w->players; p++) {
        track t;
        course *c = &all[p - 1];
        if (!find(w, name, p, &t) || !read_course(w, &t, c))
            return NULL;
        made.twice = made.twice || has_twice(c);
        if (p > 1 && (c->ends != made.ends || t.loops != made.loops || c->count != longest))
            return NULL;
        made.ends = c->ends;
        made.loops = t.loops;
        longest = c->count;
    }
    fzi_grow_z(w->arena, &text,
               FZ_LUD_TEXT(w, "let %s[p: player, i: 1..%zu]: site = {", made.name, longest));
    for (int p = 0; p < w->players; p++) {
        fzi_grow_z(w->arena, &text, FZ_LUD_TEXT(w, "%sP%d: [", p ? ", " : "", p + 1));
        for (size_t i = 0; i < longest; i++)
            fzi_grow_z(w->arena, &text, FZ_LUD_TEXT(w, "%s%s", i ? ", " : "", all[p].sites[i]));
        fzi_grow_z(w->arena, &text, "]");
    }
    fzi_grow_z(w->arena, &text, "};\n");
    made.length = longest;
    if (is_main(&made)) {
        w->uses_race = true;
        fzi_grow_z(w->arena, &text, FZ_LUD_TEXT(w, "let course = %zu;\n", longest));
    } else
        fzi_grow_z(w->arena, &text,
                   FZ_LUD_TEXT(w,
                               made.twice ? "/// The first place of a site that the course passes "
                                            "twice.\nlet %s_place[p: player, s: site]: int = min i "
                                            "in 1..%zu if %s[p, i] == s : i;\n"
                                          : "let %s_place[p: player, s: site]: int = sum i in "
                                            "1..%zu if %s[p, i] == s : i;\n",
                               made.name, longest, made.name));
    if (!is_main(&made) && !made.loops)
        fzi_grow_z(w->arena, &text,
                   FZ_LUD_TEXT(w,
                               "fn %s_along(p: player, s: site, n: int): site = if %s_place[p, s] "
                               "> 0 and %s_place[p, s] + n in 1..%zu then %s[p, %s_place[p, s] + "
                               "n] else off;\n",
                               made.name, made.name, made.name, longest, made.name, made.name));
    fzi_lud_declare(w, text.text);
    w->courses[w->course_count] = made;
    return &w->courses[w->course_count++];
}

typedef struct walk {
    const fzi_lud_course *course;
    const char *player, *from, *steps;
} walk;

/* (trackSite Move from:S Mover "Name" steps:N) */
static bool read_walk(fzi_lud_writer *w, const fzi_lud *node, walk *k)
{
    const char *name = "";

    *k = (walk){.player = "me", .from = w->names.from};
    if (node->count < 3 || !fzi_lud_is_word(node->items[1], "Move"))
        return false;
    for (size_t i = 2; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        if (fzi_lud_has_label(item, "from"))
            k->from = fzi_lud_say(w, FZ_SAY_SITE, item);
        else if (fzi_lud_has_label(item, "steps"))
            k->steps = fzi_lud_say(w, FZ_SAY_INT, item);
        else if (item->kind == FZ_LUD_STRING && !fzi_lud_definition(w->file, item))
            name = item->text;
        else
            k->player = fzi_lud_say(w, FZ_SAY_PLAYER, item);
    }
    if (!k->from || !k->steps || !k->player)
        return false;
    k->course = course_of(w, name);
    return k->course != NULL;
}

static const char *place(fzi_lud_writer *w, const walk *k)
{
    return is_main(k->course)
               ? FZ_LUD_TEXT(w, "place[%s, %s]", k->player, k->from)
               : FZ_LUD_TEXT(w, "%s_place[%s, %s]", k->course->name, k->player, k->from);
}

/* The site at the end of the walk; `off` behind the course. */
static const char *say_walk(fzi_lud_writer *w, const fzi_lud *node)
{
    walk k;

    if (!read_walk(w, node, &k))
        return NULL;
    const char *steps = fzi_lud_in_brackets(w, k.steps);
    if (k.course->loops && strncmp(k.from, "hand", 4) == 0) /* as from the first place */
        return FZ_LUD_TEXT(w, "%s[%s, %s %% %zu + 1]", k.course->name, k.player, steps,
                           k.course->length);
    if (k.course->loops)
        return FZ_LUD_TEXT(w, "%s[%s, (%s + %s - 1) %% %zu + 1]", k.course->name, k.player,
                           place(w, &k), steps, k.course->length);
    if (is_main(k.course))
        return FZ_LUD_TEXT(w, "along(%s, %s, %s)", k.player, k.from, k.steps);
    return FZ_LUD_TEXT(w, "%s_along(%s, %s, %s)", k.course->name, k.player, k.from, k.steps);
}

/* The rest of (… … Mover "Name"): whose track, "me" without a word, and its name, or "". */
static bool read_whose(fzi_lud_writer *w, const fzi_lud *node, const char **name,
                       const char **player)
{
    *name = "";
    *player = "me";
    for (size_t i = 2; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        if (item->label)
            return false;
        if (item->kind == FZ_LUD_STRING && !fzi_lud_definition(w->file, item))
            *name = item->text;
        else if (!(*player = fzi_lud_say(w, FZ_SAY_PLAYER, item)))
            return false;
    }
    return true;
}

/* (trackSite EndSite Mover "Name") */
static const char *say_last(fzi_lud_writer *w, const fzi_lud *node)
{
    const char *name, *player;

    if (!read_whose(w, node, &name, &player))
        return NULL;
    const fzi_lud_course *c = course_of(w, name);
    return c && !c->ends ? FZ_LUD_TEXT(w, "%s[%s, %zu]", c->name, player, c->length) : NULL;
}

/* (= (trackSite …) End), (!= (trackSite …) Off) and the like */
static const char *say_end(fzi_lud_writer *w, const fzi_lud *node)
{
    bool same = fzi_lud_is(node, "="), differs = fzi_lud_is(node, "!=");
    walk k;

    if ((!same && !differs) || node->count != 3)
        return NULL;
    bool end = fzi_lud_is_word(node->items[2], "End"), off = fzi_lud_is_word(node->items[2], "Off");
    const fzi_lud *site = end || off ? fzi_lud_plain(w, node->items[1]) : NULL;
    if (!site || !fzi_lud_is(site, "trackSite") || !read_walk(w, site, &k))
        return NULL;
    if (end && !k.course->ends)
        return same ? "false" : "true";
    const char *sign = same ? "==" : "!=";
    if (off && !k.course->ends) {
        const char *text = say_walk(w, site);
        return text ? FZ_LUD_TEXT(w, "%s %s off", fzi_lud_in_brackets(w, text), sign) : NULL;
    }
    const char *number = FZ_LUD_TEXT(w, "%s + %s", place(w, &k), fzi_lud_in_brackets(w, k.steps));
    if (k.course->loops)
        return NULL;
    return FZ_LUD_TEXT(w, "%s %s %zu", number,
                       end    ? sign
                       : same ? ">"
                              : "<=",
                       k.course->length + 1);
}

/* (sites Track Mover "Name") */
static const char *say_sites(fzi_lud_writer *w, const fzi_lud *node)
{
    const char *name, *player;

    if (!read_whose(w, node, &name, &player))
        return NULL;
    const fzi_lud_course *c = course_of(w, name);
    return c ? FZ_LUD_TEXT(w, "union i in 1..%zu : {%s[%s, i]}", c->length, c->name, player) : NULL;
}

const char *fzi_lud_on_track(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    if (node->kind != FZ_LUD_LIST || node->count < 2 || !w->track_form_count)
        return NULL;
    if (type == FZ_SAY_SITE && fzi_lud_is(node, "trackSite"))
        return fzi_lud_is_word(node->items[1], "EndSite") ? say_last(w, node) : say_walk(w, node);
    if (type == FZ_SAY_BOOL)
        return say_end(w, node);
    if (type == FZ_SAY_SITES && fzi_lud_is(node, "sites") &&
        fzi_lud_is_word(node->items[1], "Track"))
        return say_sites(w, node);
    return NULL;
}
