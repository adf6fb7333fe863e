/* Sets of sites that do not change during a game, such as the rows before the centre point, as
 * lists of sites. They are computed here where no row of lud_forms.def says them. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_writer.h"

enum { MOST_STATIC_DEEP = 30, MOST_STATIC_STEPS = 200000 };

typedef struct statics {
    fzi_lud_writer *w;
    size_t site, steps; /* (site), and how much has been tried */
    unsigned depth;
    bool has_site;
} statics;

static bool evaluate(statics *s, const fzi_lud *written, bool *set);

static long row_of(const fzi_lud_board *b, size_t site)
{
    const char *name = b->names[site];
    return atol(name + strspn(name, "abcdefghijklmnopqrstuvwxyz")) - 1;
}

static long column_of(const fzi_lud_board *b, size_t site)
{
    long column = 0;

    for (const char *at = b->names[site]; *at >= 'a' && *at <= 'z'; at++)
        column = 26 * column + *at - 'a' + 1;
    return column - 1;
}

static bool index_of(const fzi_lud_board *b, const char *name, long *index)
{
    for (size_t i = 0; name && i < b->count; i++)
        if (strcmp(b->names[i], name) == 0) {
            *index = (long)i;
            return true;
        }
    return false;
}

/* A number, which may be that of a site. */
static bool get_number(statics *s, const fzi_lud *written, long *n)
{
    const fzi_lud *node = fzi_lud_plain(s->w, written);
    const fzi_lud_board *b = &s->w->board;

    if (!node || ++s->steps > MOST_STATIC_STEPS)
        return false;
    if (fzi_lud_is(node, "site") && node->count == 1) {
        *n = (long)s->site;
        return s->has_site;
    }
    if (fzi_lud_is(node, "coord") && node->count == 2)
        return get_number(s, node->items[1], n);
    if (fzi_lud_is(node, "count") && node->count == 2 && !b->is_graph &&
        (fzi_lud_is_word(node->items[1], "Rows") || fzi_lud_is_word(node->items[1], "Columns"))) {
        *n = (long)(fzi_lud_is_word(node->items[1], "Rows") ? b->rows : b->columns);
        return true;
    }
    if (fzi_lud_is(node, "centrePoint") && node->count == 1)
        return index_of(b, b->middle, n);
    if (node->kind == FZ_LUD_STRING)
        return index_of(b, fzi_lud_site(s->w, node->text), n);
    const fzi_lud *of = fzi_lud_labelled(node, "of");
    if ((fzi_lud_is(node, "row") || fzi_lud_is(node, "column")) && node->count == 2 && of) {
        long site;
        if (!get_number(s, of, &site) || site < 0 || (size_t)site >= b->count || b->hexagons)
            return false;
        *n = fzi_lud_is(node, "row") ? row_of(b, (size_t)site) : column_of(b, (size_t)site);
        return true;
    }
    int plain = fzi_lud_number(s->w, node);
    *n = plain;
    return plain >= 0;
}

static bool compared(statics *s, const fzi_lud *node, bool *value)
{
    const char *operator= node->count == 3 ? node->items[0]->text : NULL;
    long a, b;

    if (!operator|| !get_number(s, node->items[1], &a) || !get_number(s, node->items[2], &b))
        return false;
    if (strcmp(operator, "<") == 0)
        *value = a < b;
    else if (strcmp(operator, "<=") == 0)
        *value = a <= b;
    else if (strcmp(operator, ">") == 0)
        *value = a > b;
    else if (strcmp(operator, ">=") == 0)
        *value = a >= b;
    else if (strcmp(operator, "=") == 0)
        *value = a == b;
    else if (strcmp(operator, "!=") == 0)
        *value = a != b;
    else
        return false;
    return true;
}

static bool test(statics *s, const fzi_lud *written, bool *value);

/* (is In SITE SET), (is Even N), (is Odd N) */
static bool tested(statics *s, const fzi_lud *node, bool *value)
{
    long n;

    if (node->count < 3 || node->items[1]->kind != FZ_LUD_WORD ||
        !get_number(s, node->items[2], &n))
        return false;
    bool even = fzi_lud_is_word(node->items[1], "Even");
    if (node->count == 3 && (even || fzi_lud_is_word(node->items[1], "Odd"))) {
        *value = (n % 2 == 0) == even;
        return true;
    }
    bool *set = fzi_arena_alloc(s->w->arena, s->w->board.count * sizeof *set);
    if (node->count != 4 || !fzi_lud_is_word(node->items[1], "In") || n < 0 ||
        (size_t)n >= s->w->board.count || !evaluate(s, node->items[3], set))
        return false;
    *value = set[n];
    return true;
}

static bool test(statics *s, const fzi_lud *written, bool *value)
{
    const fzi_lud *node = fzi_lud_plain(s->w, written);
    bool part, good = false;

    if (!node || node->kind != FZ_LUD_LIST || node->count < 2 || ++s->depth > MOST_STATIC_DEEP)
        return false;
    if (fzi_lud_is(node, "not") && node->count == 2) {
        good = test(s, node->items[1], &part);
        *value = !part;
    } else if (fzi_lud_is(node, "and") || fzi_lud_is(node, "or")) {
        bool all = fzi_lud_is(node, "and"), set = node->items[1]->kind == FZ_LUD_SET;
        const fzi_lud *parts = set ? node->items[1] : node;
        *value = good = all;
        good = true;
        for (size_t i = !set; i < parts->count && good; i++) {
            good = test(s, parts->items[i], &part);
            *value = all ? *value && part : *value || part;
        }
    } else if (fzi_lud_is(node, "is"))
        good = tested(s, node, value);
    else
        good = compared(s, node, value);
    s->depth--;
    return good;
}

static bool add_named(const fzi_lud_board *b, const char *list, bool *set)
{
    if (!list)
        return false;
    for (size_t i = 0; i < b->count; i++) {
        size_t length = strlen(b->names[i]);
        for (const char *at = list; (at = strstr(at, b->names[i])); at += length)
            if (strchr("{ ", at[-1]) && strchr("},", at[length]))
                set[i] = true;
    }
    return true;
}

/* (sites Row 2), (sites Top), (sites {"A1" 4}) … */
static bool named(statics *s, const fzi_lud *node, bool *set)
{
    const fzi_lud_board *b = &s->w->board;
    const fzi_lud *what = node->items[1];
    bool rows = fzi_lud_is_word(what, "Row"), columns = fzi_lud_is_word(what, "Column");
    long last, wanted;

    if (what->kind == FZ_LUD_SET)
        return node->count == 2 && evaluate(s, what, set);
    if (what->kind != FZ_LUD_WORD || b->hexagons)
        return false;
    if (node->count == 2 && b->is_graph) {
        const char *list = strcmp(what->text, "Corners") == 0     ? b->corners
                           : strcmp(what->text, "Centre") == 0    ? b->centre
                           : strcmp(what->text, "Outer") == 0     ? b->outer
                           : strcmp(what->text, "Perimeter") == 0 ? b->outer
                           : strcmp(what->text, "Inner") == 0     ? b->outer
                           : strcmp(what->text, "Top") == 0       ? b->top
                           : strcmp(what->text, "Bottom") == 0    ? b->bottom
                           : strcmp(what->text, "Left") == 0      ? b->left
                           : strcmp(what->text, "Right") == 0     ? b->right
                                                                  : NULL;
        if (list && add_named(b, list, set)) {
            for (size_t i = 0; i < b->count && strcmp(what->text, "Inner") == 0; i++)
                set[i] = !set[i];
            return true;
        }
    }
    if (node->count == 3 && fzi_lud_is_word(what, "Phase") && !b->is_graph) {
        bool good = get_number(s, node->items[2], &wanted);
        long first = row_of(b, 0) + column_of(b, 0);
        for (size_t i = 0; i < b->count && good; i++)
            set[i] = (row_of(b, i) + column_of(b, i) + first) % 2 == wanted;
        return good;
    }
    if (node->count == 3 && (rows || columns)) {
        if (!get_number(s, node->items[2], &wanted))
            return false;
    } else if (node->count != 2)
        return false;
    else if (fzi_lud_is_word(what, "Bottom") || fzi_lud_is_word(what, "Left"))
        wanted = 0;
    else if (fzi_lud_is_word(what, "Top") || fzi_lud_is_word(what, "Right"))
        wanted = -1;
    else
        return false;
    rows = rows || fzi_lud_is_word(what, "Bottom") || fzi_lud_is_word(what, "Top");
    last = (long)(rows ? b->rows : b->columns) - 1;
    for (size_t i = 0; i < b->count; i++)
        set[i] = (rows ? row_of(b, i) : column_of(b, i)) == (wanted < 0 ? last : wanted);
    return true;
}

static bool combined(statics *s, const fzi_lud *node, bool *set)
{
    const fzi_lud *parts = node->items[1]->kind == FZ_LUD_SET ? node->items[1] : node;
    bool unites = fzi_lud_is(node, "union"), cuts = fzi_lud_is(node, "intersection");
    size_t count = s->w->board.count, first = parts == node;

    for (size_t i = first; i < parts->count; i++) {
        bool *part = fzi_arena_alloc(s->w->arena, count * sizeof *part);
        if (!evaluate(s, parts->items[i], part))
            return false;
        for (size_t n = 0; n < count; n++)
            set[n] = i == first ? part[n]
                     : unites   ? set[n] || part[n]
                     : cuts     ? set[n] && part[n]
                                : set[n] && !part[n];
    }
    return true;
}

/* Is it the direction of fzi_lud_compass with this name, such as `W`? */
static bool leads(int d, const char *name)
{
    const char *own = fzi_lud_compass[d];
    size_t at = 0;

    while (own[at] && own[at] == tolower((unsigned char)name[at]))
        at++;
    return !own[at] && !name[at];
}

typedef struct way {
    const char *name;
    long across, up;
} way;

/* Adds the neighbours of a site: in one direction, or in all if it is NULL. */
static void add_neighbours(const fzi_lud_board *b, size_t site, const way *only, bool *set)
{
    for (int d = 0; d < FZ_LUD_COMPASS; d++)
        if (b->next[site][d] >= 0 && (!only || leads(d, only->name)))
            set[b->next[site][d]] = true;
}

/* The sites within so many steps of the set. False: it takes too long. */
static bool grow(statics *s, const way *only, bool straight, long number, bool *set)
{
    const fzi_lud_board *b = &s->w->board;
    bool *part = fzi_arena_alloc(s->w->arena, b->count * sizeof *part);
    long *column = fzi_arena_alloc(s->w->arena, b->count * sizeof *column);
    long *row = fzi_arena_alloc(s->w->arena, b->count * sizeof *row);

    for (size_t i = 0; i < b->count && !b->is_graph; i++) {
        column[i] = column_of(b, i);
        row[i] = row_of(b, i);
    }
    const size_t cost = 1 + b->count * b->count / 200; /* as much time as so many steps */
    for (; number > 0; number--) {
        s->steps += cost;
        s->w->steps += cost;
        if (s->steps > MOST_STATIC_STEPS)
            return false;
        memcpy(part, set, b->count * sizeof *part);
        for (size_t i = 0; i < b->count; i++) {
            if (part[i] && b->is_graph)
                add_neighbours(b, i, only, set);
            for (size_t n = 0; part[i] && !b->is_graph && n < b->count; n++) {
                long dx = column[n] - column[i], dy = row[n] - row[i];
                if (only ? dx == only->across && dy == only->up
                         : labs(dx) < 2 && labs(dy) < 2 && (!straight || labs(dx) + labs(dy) < 2))
                    set[n] = true;
            }
        }
    }
    return true;
}

/* (expand SET steps:N Orthogonal), (expand origin:S steps:N W) on squares and pits */
static bool expanded(statics *s, const fzi_lud *node, bool *set)
{
    static const way ways[] = {{"N", 0, 1},  {"E", 1, 0},   {"S", 0, -1},   {"W", -1, 0},
                               {"NE", 1, 1}, {"SE", 1, -1}, {"SW", -1, -1}, {"NW", -1, 1}};
    const fzi_lud_board *b = &s->w->board;
    const fzi_lud *steps = fzi_lud_labelled(node, "steps"), *last = node->items[node->count - 1];
    const fzi_lud *origin = fzi_lud_labelled(node, "origin");
    bool named = node->count > 2 && !last->label && last->kind == FZ_LUD_WORD;
    bool straight = named && fzi_lud_is_word(last, "Orthogonal");
    const way *only = NULL;
    long number = 1, first;

    for (size_t i = 0; named && i < sizeof ways / sizeof *ways; i++)
        if (fzi_lud_is_word(last, ways[i].name))
            only = &ways[i];
    if (b->hexagons || s->w->sow.stores || (s->w->sow.on && !only) ||
        node->count != 2u + (steps != NULL) + named || (named && !straight && !only) ||
        (steps && !get_number(s, steps, &number)) || number > MOST_STATIC_DEEP)
        return false;
    if (origin) {
        if (!get_number(s, origin, &first) || first < 0 || first >= (long)b->count)
            return false;
        set[first] = true;
    } else if (node->items[1]->label || !evaluate(s, node->items[1], set))
        return false;
    return grow(s, only, straight || b->on_vertices, number, set);
}

/* (forEach SET if:C) */
static bool filtered(statics *s, const fzi_lud *node, bool *set)
{
    statics inner = *s;
    const fzi_lud *condition = fzi_lud_labelled(node, "if");

    if (node->count != 3 || !condition || s->has_site || !evaluate(s, node->items[1], set))
        return false;
    inner.has_site = true;
    for (size_t i = 0; i < s->w->board.count; i++) {
        inner.site = i;
        if (set[i] && !test(&inner, condition, &set[i]))
            return false;
    }
    s->steps = inner.steps;
    return true;
}

/* `set` is empty before. False: the set may change, or is not known here. */
static bool evaluate(statics *s, const fzi_lud *written, bool *set)
{
    const fzi_lud *node = fzi_lud_plain(s->w, written);
    bool good = false;
    long n;

    const char *dots = node && node->kind == FZ_LUD_WORD ? strstr(node->text, "..") : NULL;
    if (!node || ++s->depth > MOST_STATIC_DEEP || ++s->steps > MOST_STATIC_STEPS)
        return false;
    if (node->kind == FZ_LUD_SET) {
        good = true;
        for (size_t i = 0; i < node->count && good; i++)
            good = evaluate(s, node->items[i], set);
    } else if (dots) {
        long last = atol(dots + 2), first = atol(node->text);
        good = first >= 0 && first <= last && last < (long)s->w->board.count;
        for (long i = first; i <= last && good; i++)
            set[i] = true;
    } else if (fzi_lud_is(node, "sites") && node->count == 2 &&
               fzi_lud_is_word(node->items[1], "Board")) {
        for (size_t i = 0; i < s->w->board.count; i++)
            set[i] = true;
        good = true;
    } else if (fzi_lud_is(node, "sites") && node->count > 1)
        good = named(s, node, set);
    else if (fzi_lud_is(node, "union") || fzi_lud_is(node, "intersection") ||
             fzi_lud_is(node, "difference"))
        good = node->count > 1 && combined(s, node, set);
    else if (fzi_lud_is(node, "expand") && node->count > 1)
        good = expanded(s, node, set);
    else if (fzi_lud_is(node, "forEach"))
        good = filtered(s, node, set);
    else if (!fzi_lud_is(node, "site") && get_number(s, node, &n) && n >= 0 &&
             (size_t)n < s->w->board.count)
        good = set[n] = true;
    s->depth--;
    return good;
}

/* Are all sites of this row in the set? */
static bool has_row(const fzi_lud_board *b, const bool *set, long row)
{
    bool any = false;

    for (size_t i = 0; i < b->count; i++)
        if (row_of(b, i) == row && !set[i])
            return false;
        else
            any = any || row_of(b, i) == row;
    return any;
}

bool fzi_lud_static_set(fzi_lud_writer *w, const fzi_lud *node, bool *set)
{
    memset(set, 0, w->board.count * sizeof *set);
    return evaluate(&(statics){.w = w}, node, set);
}

const char *fzi_lud_static_sites(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud_board *b = &w->board;
    bool *set = fzi_arena_alloc(w->arena, b->count * sizeof *set);
    fzi_growing rows = {0}, list = {0};

    if (!fzi_lud_static_set(w, node, set))
        return NULL;
    for (long row = 0; !b->is_graph && row < (long)b->rows; row++)
        if (has_row(b, set, row))
            fzi_grow_z(w->arena, &rows,
                       FZ_LUD_TEXT(w, "%srank(%ld)", rows.length ? " | " : "", row + 1));
    for (size_t i = 0; i < b->count; i++)
        if (set[i] && (b->is_graph || !has_row(b, set, row_of(b, i))))
            fzi_grow_z(w->arena, &list,
                       FZ_LUD_TEXT(w, "%s%s", list.length ? ", " : "{", b->names[i]));
    if (!list.length)
        return rows.length ? rows.text : "{}";
    return FZ_LUD_TEXT(w, "%s%s%s}", rows.length ? rows.text : "", rows.length ? " | " : "",
                       list.text);
}

/* ---- sets of rows, as texts ---- */

enum { MOST_ROWS = 62 };

static bool read_rows(const char **at, unsigned deep, uint64_t *rows);

/* `rank(2)`, or a set in brackets */
static bool read_row(const char **at, unsigned deep, uint64_t *rows)
{
    char *end;

    if (**at == '(' && deep < MOST_STATIC_DEEP) {
        ++*at;
        if (!read_rows(at, deep + 1, rows) || **at != ')')
            return false;
        ++*at;
        return true;
    }
    if (strncmp(*at, "rank(", 5) != 0)
        return false;
    unsigned long row = strtoul(*at + 5, &end, 10);
    if (end == *at + 5 || *end != ')' || row < 1 || row > MOST_ROWS)
        return false;
    *at = end + 1;
    *rows = UINT64_C(1) << row;
    return true;
}

/* Rows with one operator between them; two different ones are in brackets always. */
static bool read_rows(const char **at, unsigned deep, uint64_t *rows)
{
    char sign = '\0';
    uint64_t more;

    if (!read_row(at, deep, rows))
        return false;
    while (**at == ' ' && (*at)[1] && strchr("|&-", (*at)[1]) && (*at)[2] == ' ') {
        if (sign && sign != (*at)[1])
            return false;
        sign = (*at)[1];
        *at += 3;
        if (!read_row(at, deep, &more))
            return false;
        *rows = sign == '|' ? *rows | more : sign == '&' ? *rows & more : *rows & ~more;
    }
    return true;
}

const char *fzi_lud_plain_rows(fzi_lud_writer *w, const char *set)
{
    const char *at = set;
    uint64_t rows;
    fzi_growing text = {0};

    if (!read_rows(&at, 0, &rows) || *at)
        return set;
    for (int row = 1; row <= MOST_ROWS; row++)
        if (rows >> row & 1)
            fzi_grow_z(w->arena, &text,
                       FZ_LUD_TEXT(w, "%srank(%d)", text.length ? " | " : "", row));
    return text.length ? text.text : set;
}
