/* Forms as texts of Ferz, by the table lud_forms.def. Stands between the tree and the parts that
 * write moves, boards and scripts. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_writer.h"

enum { MOST_STEPS = 400000, MOST_DEEP = 80, MOST_SLOTS = 8 };
/* Characters of one text, and of all that have been tried: nested forms double those inside. */
enum { MOST_TEXT = 200000, MOST_WRITTEN = 20000000 };

static const struct row {
    enum fzi_lud_type type;
    const char *pattern, *text;
} rows[] = {
#define FORM(type, pattern, text) {FZ_SAY_##type, pattern, text},
#include "lud_forms.def"
#undef FORM
};

void fzi_lud_read_forms(fzi_lud_writer *w)
{
    w->form_count = sizeof rows / sizeof *rows;
    w->forms = fzi_arena_alloc(w->arena, w->form_count * sizeof *w->forms);
    for (size_t i = 0; i < w->form_count; i++) {
        fzi_lud_fault fault;
        const fzi_lud *top =
            fzi_lud_parse(w->arena, rows[i].pattern, strlen(rows[i].pattern), &fault);
        w->forms[i] = (fzi_lud_form){rows[i].type, top ? top->items[0] : NULL, rows[i].text};
    }
}

/* The same; a form that is not said leaves no trace. */
static const char *try_say(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    const fzi_lud *unsaid = w->unsaid;
    const char *why = w->unsaid_why;
    const char *text = fzi_lud_say(w, type, node);

    w->unsaid = unsaid;
    w->unsaid_why = why;
    return text;
}

const char *fzi_lud_operand(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    const char *text = fzi_lud_say(w, type, node);
    return text ? fzi_lud_in_brackets(w, text) : NULL;
}

/* ---- matching ---- */

typedef struct match {
    const char *slots[MOST_SLOTS];
    const fzi_lud *nodes[MOST_SLOTS];
    size_t count;
} match;

static bool type_of_letter(char letter, enum fzi_lud_type *type)
{
    static const char letters[] = {
#define TYPE(id, letter) letter,
#include "lud_types.def"
#undef TYPE
    };
    for (size_t i = 0; i < sizeof letters; i++)
        if (letters[i] == letter) {
            *type = (enum fzi_lud_type)i;
            return true;
        }
    return false;
}

static bool same_label(const fzi_lud *a, const fzi_lud *b)
{
    return a->label == b->label || (a->label && b->label && strcmp(a->label, b->label) == 0);
}

static bool same_form(fzi_lud_writer *w, const fzi_lud *a, const fzi_lud *b)
{
    enum { LONG = 1000 };
    const char *text = fzi_lud_text(w->arena, a, LONG);

    return strlen(text) < LONG && strcmp(text, fzi_lud_text(w->arena, b, LONG)) == 0;
}

static bool matches_inside(fzi_lud_writer *w, const fzi_lud *pattern, const fzi_lud *node,
                           match *m);

static bool matches(fzi_lud_writer *w, const fzi_lud *pattern, const fzi_lud *node, match *m)
{
    enum fzi_lud_type type;

    if (!same_label(pattern, node))
        return false;
    if (pattern->kind == FZ_LUD_WORD && pattern->text[0] == '$' &&
        isdigit((unsigned char)pattern->text[1]))
        return same_form(w, m->nodes[pattern->text[1] - '1'], node);
    if (pattern->kind == FZ_LUD_WORD && pattern->text[0] == '$') {
        if (m->count == MOST_SLOTS || !type_of_letter(pattern->text[1], &type))
            return false;
        const char *text = fzi_lud_say(w, type, node);
        m->nodes[m->count] = node;
        m->slots[m->count++] = text;
        return text != NULL;
    }
    return matches_inside(w, pattern, node, m);
}

/* The label of the node itself does not matter. */
static bool matches_inside(fzi_lud_writer *w, const fzi_lud *pattern, const fzi_lud *node, match *m)
{
    if (pattern->kind != node->kind || pattern->count != node->count)
        return false;
    if (pattern->text && strcmp(pattern->text, node->text) != 0)
        return false;
    for (size_t i = 0; i < pattern->count; i++)
        if (!matches(w, pattern->items[i], node->items[i], m))
            return false;
    return true;
}

/* A row's text with its slots; NULL: a name of the moment is missing. */
static const char *fill(fzi_lud_writer *w, const char *text, const match *m)
{
    fzi_growing g = {0};

    while (*text) {
        size_t length =
            *text == '{' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_0123456789!") : 0;
        if (length == 0 || text[1 + length] != '}') {
            fzi_grow(w->arena, &g, text++, 1);
            continue;
        }
        const char *value;
        if (isdigit((unsigned char)text[1])) {
            value = m->slots[text[1] - '1'];
            if (text[2] != '!')
                value = fzi_lud_in_brackets(w, value);
        } else
            value = fzi_lud_moment(w, text + 1, length);
        if (!value)
            return NULL;
        fzi_grow_z(w->arena, &g, value);
        text += length + 2;
    }
    return g.text ? g.text : "";
}

static const char *by_table(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    for (size_t i = 0; i < w->form_count; i++) {
        const fzi_lud *pattern = w->forms[i].pattern;
        match m = {.count = 0};
        if (w->forms[i].type != type || pattern->kind != node->kind ||
            (pattern->count && node->count && pattern->items[0]->text && node->items[0]->text &&
             strcmp(pattern->items[0]->text, node->items[0]->text) != 0))
            continue;
        if (!matches_inside(w, pattern, node, &m))
            continue;
        const char *text = fill(w, w->forms[i].text, &m);
        if (text) {
            w->uses_attacked = w->uses_attacked || fzi_lud_asks_attacks(w, text);
            return text;
        }
    }
    return NULL;
}

/* ---- forms that are no rows ---- */

const char *fzi_lud_joined(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node,
                           size_t first, const char *between, bool brackets)
{
    fzi_growing g = {0};

    for (size_t i = first; i < node->count; i++) {
        const char *text = fzi_lud_say(w, type, node->items[i]);
        if (!text)
            return NULL;
        if (brackets)
            text = type == FZ_SAY_BOOL ? fzi_lud_term(w, text) : fzi_lud_in_brackets(w, text);
        if (g.length)
            fzi_grow_z(w->arena, &g, between);
        fzi_grow_z(w->arena, &g, text);
    }
    return g.text ? g.text : "";
}

/* The operands of `(and {…})` and of `(and a b)`. */
const fzi_lud *fzi_lud_operands(const fzi_lud *node, size_t *first)
{
    const fzi_lud *only = node->count == 2 ? node->items[1] : NULL;
    bool listed = only && only->kind == FZ_LUD_LIST && only->count > 1 &&
                  only->items[0]->kind == FZ_LUD_LIST; /* ((…) (…)) */

    *first = !listed && !(only && only->kind == FZ_LUD_SET);
    return *first ? node : only;
}

/* Says a form in which (site) is a name. */
const char *fzi_lud_with_site(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node,
                              const char *site)
{
    fzi_lud_names names = w->names;

    w->names.site = site;
    const char *text = fzi_lud_say(w, type, node);
    w->names = names;
    return text;
}

/* (can Move M), (no Moves Next): is there a move? */
static const char *say_can(fzi_lud_writer *w, const fzi_lud *node)
{
    if (fzi_lud_is(node, "can") && node->count == 3 && fzi_lud_is_word(node->items[1], "Move")) {
        const fzi_lud *moves = fzi_lud_plain(w, node->items[2]);
        if (!moves || fzi_lud_is_capture(moves))
            return NULL;
        const char *list = w->list(w, node->items[2], "", NULL);
        return list ? FZ_LUD_TEXT(w, "can(%s)", list) : NULL;
    }
    if (!fzi_lud_is(node, "no") || node->count != 3 || !fzi_lud_is_word(node->items[1], "Moves"))
        return NULL;
    const char *player = fzi_lud_say(w, FZ_SAY_PLAYER, node->items[2]);
    if (!player)
        return NULL;
    if (!fzi_lud_is_word(node->items[2], "Next")) {
        if (w->dice.count && w->sow.on == false && w->stored_count)
            return fzi_lud_unsaid(w, node, "whether there are moves before a throw");
        w->uses_stuck = w->uses_passing = true; /* Ludii means the latest turn of that player */
        return FZ_LUD_TEXT(w, "stuck(%s)", player);
    }
    w->uses_legal = true;
    return FZ_LUD_TEXT(w, "not (as %s : can(legal))", player);
}

/* (sites From M): the pieces that have such a move. */
static const char *say_origins(fzi_lud_writer *w, const fzi_lud *written)
{
    const fzi_lud *node = fzi_lud_plain(w, written);
    fzi_growing all = {0};
    int owner;

    if (!node || w->names.from || w->depth + 1 >= MOST_DEEP)
        return NULL;
    if (fzi_lud_is(node, "or") && !(node->count == 2 && node->items[1]->kind != FZ_LUD_SET)) {
        size_t first;
        const fzi_lud *parts = fzi_lud_operands(node, &first);
        for (size_t i = first; i < parts->count; i++) {
            w->depth++;
            const char *text = say_origins(w, parts->items[i]);
            w->depth--;
            if (!text)
                return NULL;
            fzi_grow_z(w->arena, &all, FZ_LUD_TEXT(w, "%s%s", all.length ? " | " : "", text));
        }
        return all.text;
    }
    bool named = node->count == 4 && node->items[2]->kind == FZ_LUD_STRING;
    if (!fzi_lud_is(node, "forEach") || node->count != (named ? 4u : 3u) ||
        !fzi_lud_is_word(node->items[1], "Piece") || node->items[node->count - 1]->label)
        return NULL;
    const fzi_lud_piece *piece =
        named ? fzi_lud_piece_named(w, node->items[2]->text, &owner) : NULL;
    const char *list = named && !piece ? NULL : w->list_from(w, node->items[node->count - 1]);
    return list ? FZ_LUD_TEXT(w, "{for from in %s if can(%s(from))}",
                              named ? FZ_LUD_TEXT(w, "pieces(%s, me)", piece->kind) : "mine", list)
                : NULL;
}

static const char *say_bool(fzi_lud_writer *w, const fzi_lud *node)
{
    size_t first;

    if (fzi_lud_is(node, "can") || fzi_lud_is(node, "no"))
        return say_can(w, node);

    if (fzi_lud_is(node, "all") && node->count == 4 && fzi_lud_is_word(node->items[1], "Sites") &&
        fzi_lud_labelled(node, "if")) {
        const char *all = fzi_lud_operand(w, FZ_SAY_SITES, node->items[2]);
        const char *test =
            all ? fzi_lud_with_site(w, FZ_SAY_BOOL, fzi_lud_labelled(node, "if"), "x") : NULL;
        return test ? FZ_LUD_TEXT(w, "all x in %s : %s", all, fzi_lud_in_brackets(w, test)) : NULL;
    }
    if (fzi_lud_is(node, "not") && node->count == 2) {
        const char *text = fzi_lud_say(w, FZ_SAY_BOOL, node->items[1]);
        return text ? fzi_lud_not(w, text) : NULL;
    }
    if (!fzi_lud_is(node, "and") && !fzi_lud_is(node, "or"))
        return NULL;
    const fzi_lud *parts = fzi_lud_operands(node, &first);
    return fzi_lud_joined(w, FZ_SAY_BOOL, parts, first,
                          FZ_LUD_TEXT(w, " %s ", node->items[0]->text), true);
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

static const char *say_int(fzi_lud_writer *w, const fzi_lud *node)
{
    static const struct {
        const char *head, *between;
    } chains[] = {{"+", " + "}, {"*", " * "}};
    size_t first;

    if (node->kind == FZ_LUD_WORD) {
        const char *digits = node->text + (node->text[0] == '-');
        return is_number(digits) && strlen(digits) < 9 ? node->text : NULL;
    }
    if (node->kind != FZ_LUD_LIST || node->count < 2)
        return NULL;
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        if (fzi_lud_is(node, chains[i].head)) {
            const fzi_lud *parts = fzi_lud_operands(node, &first);
            return fzi_lud_joined(w, FZ_SAY_INT, parts, first, chains[i].between, true);
        }
    return NULL;
}

/* (+ (to) (* 2 (count Columns))): a site some rows away. Ludii numbers sites by rows. */
static const char *say_other_row(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud_board *b = &w->board;
    bool up = fzi_lud_is(node, "+");

    if (node->count != 3 || (!up && !fzi_lud_is(node, "-")) || b->is_graph || b->hexagons ||
        !b->columns)
        return NULL;
    bool swapped = up && fzi_lud_number(w, node->items[1]) >= 0;
    int number = fzi_lud_number(w, node->items[swapped ? 1 : 2]);
    const char *site = number > 0 && number % (int)b->columns == 0
                           ? fzi_lud_say(w, FZ_SAY_SITE, node->items[swapped ? 2 : 1])
                           : NULL;
    return site ? FZ_LUD_TEXT(w, "site_at(column(%s), row(%s) %c %d)", site, site, up ? '+' : '-',
                              number / (int)b->columns)
                : NULL;
}

static const char *say_site(fzi_lud_writer *w, const fzi_lud *node)
{
    if (fzi_lud_is_word(node, "Off") || fzi_lud_is_word(node, "Undefined") ||
        fzi_lud_is_word(node, "-1"))
        return "off";
    bool word = node->kind == FZ_LUD_WORD; /* P2 is a player, "P2" a site */
    if (word || node->kind == FZ_LUD_STRING)
        return word && !isdigit((unsigned char)*node->text) ? NULL : fzi_lud_site(w, node->text);
    int number = fzi_lud_number(w, node);
    return number >= 0 ? fzi_lud_site(w, FZ_LUD_TEXT(w, "%d", number)) : say_other_row(w, node);
}

/* The regions of a player, or with a name; "" and FZ_LUD_NOBODY stand for any. */
static const char *region(fzi_lud_writer *w, const char *name, int owner)
{
    fzi_growing g = {0};

    for (size_t i = 0; i < w->region_count; i++) {
        const fzi_lud_region *r = &w->regions[i];
        if (owner > 0 ? !fzi_lud_is_region(r, name, owner) : strcmp(r->name, name) != 0)
            continue;
        const char *text = fzi_lud_operand(w, FZ_SAY_SITES, r->sites);
        if (!text)
            return NULL;
        if (g.length)
            fzi_grow_z(w->arena, &g, " | ");
        fzi_grow_z(w->arena, &g, text);
    }
    return g.text;
}

bool fzi_lud_is_region(const fzi_lud_region *r, const char *name, int owner)
{
    return (r->owner == owner || r->owner == FZ_LUD_EACH) && strstr(r->name, name);
}

static bool is_ranged(const fzi_lud_writer *w, const char *name, int owner)
{
    for (size_t i = 0; i < w->region_count; i++)
        if (fzi_lud_is_region(&w->regions[i], name, owner))
            return true;
    return false;
}

/* `rank(2, PLAYER)`, if that is the region of each of two players who face each other; NULL. */
static const char *row_of_player(fzi_lud_writer *w, const char *name, const char *player)
{
    const fzi_lud_board *b = &w->board;
    int number[2];

    if (w->players != 2 || b->is_graph || b->hexagons || b->holes || b->turned || w->sow.on ||
        !w->facing[0] || !w->facing[1] || strcmp(w->facing[0], "n") != 0 ||
        strcmp(w->facing[1], "s") != 0)
        return NULL;
    for (int p = 0; p < 2; p++) {
        const char *sites = region(w, name, p + 1);
        int length = 0;
        if (!sites || sscanf(sites, "rank(%2d)%n", &number[p], &length) != 1 || !length ||
            sites[length])
            return NULL;
    }
    return number[0] + number[1] == (int)b->rows + 1
               ? FZ_LUD_TEXT(w, "rank(%d, %s)", number[0], player)
               : NULL;
}

/* The table of regions with this name for each player: its name in the script. */
static const char *region_table(fzi_lud_writer *w, const char *name)
{
    size_t at = 0;

    while (at < w->region_name_count && strcmp(w->region_names[at], name) != 0)
        at++;
    if (at == FZ_LUD_MOST_REGIONS)
        return NULL;
    if (at == w->region_name_count)
        w->region_names[w->region_name_count++] = name;
    return fzi_lud_region_table(w, name);
}

/* (sites P1), (sites Mover), (sites "Name"), (sites Mover "Name") */
static const char *say_region(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *first = node->items[1];
    const char *name =
        node->count == 3 && node->items[2]->kind == FZ_LUD_STRING ? node->items[2]->text : "";
    int owner;

    if (first->kind == FZ_LUD_STRING)
        return node->count > 2 ? NULL : region(w, first->text, FZ_LUD_NOBODY);
    if (node->count > 3 || (node->count == 3 && !*name))
        return NULL;
    bool known = first->kind == FZ_LUD_WORD && fzi_lud_role(first->text, &owner);
    const char *sites = known && owner > 0 ? region(w, name, owner) : NULL;
    w->uses_owned = w->uses_owned || sites;
    if (known && (!sites || (!strchr(sites, ' ') && !w->sow.on)))
        return sites;
    const char *player = try_say(w, FZ_SAY_PLAYER, first);
    for (int p = 1; player && p <= w->players; p++)
        if (!is_ranged(w, name, p))
            return sites;
    const char *row = player ? row_of_player(w, name, player) : NULL;
    if (row)
        return row;
    const char *table = player ? region_table(w, name) : NULL;
    return table ? FZ_LUD_TEXT(w, "%s[%s]", table, player) : NULL;
}

/* The sites of a graph with this number behind their letters. */
static const char *graph_row(fzi_lud_writer *w, int number)
{
    fzi_growing g = {0};

    for (size_t i = 0; i < w->board.count; i++) {
        const char *name = w->board.names[i];
        if (atoi(name + strspn(name, "abcdefghijklmnopqrstuvwxyz")) != number)
            continue;
        fzi_grow_z(w->arena, &g, g.length ? ", " : "{");
        fzi_grow_z(w->arena, &g, name);
    }
    if (!g.length)
        return NULL;
    fzi_grow_z(w->arena, &g, "}");
    return g.text;
}

/* (id "Pawn1"): where such pieces are */
static const char *say_id(fzi_lud_writer *w, const fzi_lud *node)
{
    int owner;

    if (node->count < 2 || node->count > 3 || node->items[1]->kind != FZ_LUD_STRING)
        return NULL;
    const fzi_lud_piece *piece = fzi_lud_piece_named(w, node->items[1]->text, &owner);
    const char *player = node->count == 3 ? fzi_lud_say(w, FZ_SAY_PLAYER, node->items[2])
                         : owner > 0      ? FZ_LUD_TEXT(w, "P%d", owner)
                         : owner == 0     ? "nobody"
                                          : NULL;
    return piece && player ? FZ_LUD_TEXT(w, "pieces(%s, %s)", piece->kind, player) : NULL;
}

/* A side and the lines beside it: "rank(1) | rank(2)", or from the last of `count` on. */
static const char *lines_from(fzi_lud_writer *w, const char *line, bool first, int steps, int count)
{
    fzi_growing lines = {0};

    for (int i = 0; i <= steps && i < count; i++)
        fzi_grow_z(w->arena, &lines,
                   FZ_LUD_TEXT(w, "%s%s(%d)", i ? " | " : "", line, first ? i + 1 : count - i));
    return lines.text;
}

/* (expand (sites Bottom) steps:2) */
static const char *say_expand(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *steps = fzi_lud_labelled(node, "steps");
    const char *set =
        node->count == 3 && steps ? fzi_lud_operand(w, FZ_SAY_SITES, node->items[1]) : NULL;
    int number = set ? fzi_lud_number(w, steps) : -1;

    if (number < 0 || number > 20 || w->sow.stores)
        return NULL;
    bool left = strcmp(set, "file(1)") == 0;
    if (w->sow.on && (left || strcmp(set, w->board.right) == 0))
        return lines_from(w, "file", left, number, (int)w->board.columns);
    bool bottom = strcmp(set, "rank(1)") == 0;
    if (!w->board.is_graph && w->board.top && (bottom || strcmp(set, w->board.top) == 0))
        return lines_from(w, "rank", bottom, number, (int)w->board.rows);
    for (int i = 0; i < number && i < 4; i++)
        set = FZ_LUD_TEXT(w, "(%s | step(%s, %s))", set, set, fzi_lud_adjacent(w));
    return number <= 4 && !(w->sow.on && w->sow.joins_more) ? set : NULL;
}

/* (sites Row 2), (sites Column 0), (sites Phase 1), (sites Side N) */
static const char *say_line(fzi_lud_writer *w, const fzi_lud *node)
{
    if (node->count != 3 || node->items[1]->kind != FZ_LUD_WORD)
        return NULL;
    const char *what = node->items[1]->text;
    if (strcmp(what, "Side") == 0 && node->items[2]->kind == FZ_LUD_WORD && !w->board.hexagons) {
        const char *side = node->items[2]->text;
        return strcmp(side, "N") == 0   ? w->board.top
               : strcmp(side, "S") == 0 ? w->board.bottom
               : strcmp(side, "W") == 0 ? w->board.left
               : strcmp(side, "E") == 0 ? w->board.right
                                        : NULL;
    }
    if (w->board.hexagons && strcmp(what, "Side") == 0 && node->items[2]->kind == FZ_LUD_WORD)
        return fzi_lud_hex_side(w, node->items[2]->text);
    if (w->board.hexagons || (w->board.is_graph && strcmp(what, "Row") != 0))
        return NULL;
    if (w->board.is_graph) {
        int row = fzi_lud_number(w, node->items[2]);
        return row >= 0 ? graph_row(w, row + 1) : NULL;
    }
    const char *number = fzi_lud_operand(w, FZ_SAY_INT, node->items[2]);
    if (!number)
        return NULL;
    bool row = strcmp(what, "Row") == 0;
    if (is_number(number) && atoi(number) >= (int)(row ? w->board.rows : w->board.columns) &&
        strcmp(what, "Phase") != 0)
        return "{}";
    const char *next = is_number(number) ? FZ_LUD_TEXT(w, "%d", atoi(number) + 1)
                                         : FZ_LUD_TEXT(w, "%s + 1", number);
    if (row)
        return FZ_LUD_TEXT(w, "rank(%s)", next);
    if (strcmp(what, "Column") == 0)
        return FZ_LUD_TEXT(w, "file(%s)", next);
    if (strcmp(what, "Phase") == 0 && w->board.holes)
        return fzi_lud_static_sites(w, node);
    bool dark = strcmp(number, "0") == 0;
    if (strcmp(what, "Phase") == 0 && (dark || strcmp(number, "1") == 0)) {
        w->uses_squares = true;
        return dark ? "dark" : "light";
    }
    if (strcmp(what, "Phase") == 0)
        return FZ_LUD_TEXT(w, "{for s in site if (column(s) + row(s)) %% 2 == %s}", number);
    return NULL;
}

/* {3 5..8 "C4"} */
static const char *site_list(fzi_lud_writer *w, const fzi_lud *set)
{
    fzi_growing g = {0};

    for (size_t i = 0; i < set->count; i++) {
        const fzi_lud *item = set->items[i];
        const char *dots = item->kind == FZ_LUD_WORD ? strstr(item->text, "..") : NULL;
        int at = dots ? atoi(item->text) : 0, last = dots ? atoi(dots + 2) : 0;
        for (int step = at <= last ? 1 : -1;; at += step) {
            const char *site = dots ? fzi_lud_site(w, FZ_LUD_TEXT(w, "%d", at))
                                    : fzi_lud_say(w, FZ_SAY_SITE, item);
            if (!site)
                return NULL;
            fzi_grow_z(w->arena, &g, g.length ? ", " : "");
            fzi_grow_z(w->arena, &g, site);
            if (at == last || !dots)
                break;
        }
    }
    return g.text ? g.text : "";
}

static const char *say_sites(fzi_lud_writer *w, const fzi_lud *node)
{
    size_t first;

    if (node->kind == FZ_LUD_SET) {
        const char *list = site_list(w, node);
        return list ? FZ_LUD_TEXT(w, "{%s}", list)
                    : fzi_lud_joined(w, FZ_SAY_SITES, node, 0, " | ", true);
    }
    if (node->kind != FZ_LUD_LIST || node->count < 2)
        return fzi_lud_say(w, FZ_SAY_SITE, node);
    if (fzi_lud_is(node, "union") || fzi_lud_is(node, "intersection")) {
        const fzi_lud *parts = fzi_lud_operands(node, &first);
        return fzi_lud_joined(w, FZ_SAY_SITES, parts, first,
                              fzi_lud_is(node, "union") ? " | " : " & ", true);
    }
    if (fzi_lud_is(node, "id"))
        return say_id(w, node);
    if (fzi_lud_is(node, "expand")) {
        const char *text = say_expand(w, node);
        return text ? text : fzi_lud_static_sites(w, node);
    }
    if (fzi_lud_is(node, "sites") && node->count == 3 && fzi_lud_is_word(node->items[1], "From"))
        return say_origins(w, node->items[2]);
    if (fzi_lud_is(node, "sites")) {
        const char *text = say_region(w, node);
        return text ? text : say_line(w, node);
    }
    if (fzi_lud_is(node, "forEach") && node->count == 3 && fzi_lud_labelled(node, "if")) {
        const char *all = fzi_lud_operand(w, FZ_SAY_SITES, node->items[1]);
        const char *test =
            all ? fzi_lud_with_site(w, FZ_SAY_BOOL, fzi_lud_labelled(node, "if"), "x") : NULL;
        return test ? FZ_LUD_TEXT(w, "{for x in %s if %s}", all, test)
                    : fzi_lud_static_sites(w, node);
    }
    return fzi_lud_say(w, FZ_SAY_SITE, node);
}

/* Is it a direction that this board may not have, or that Ferz may take for another one? Points
 * have slanted neighbours only where edges lead there, in Ludii also across squares; on hexagons,
 * forward is a side or a corner. */
static bool is_unclear(const fzi_lud_writer *w, const fzi_lud *node)
{
    static const char *const relative[] = {"FL",       "FR",        "BL",         "BR",
                                           "Forwards", "Backwards", "Rightwards", "Leftwards",
                                           "Forward",  "Backward",  "Rightward",  "Leftward"};
    static const char *const slanted[] = {"NE", "SE", "SW", "NW"};
    bool graph = w->board.is_graph;
    bool plain = graph && w->board.compass && !w->board.squares;
    bool bent = w->board.hexagons || w->board.renamed || (graph && !w->board.on_vertices && !plain);
    size_t count = bent ? 12 : w->board.on_vertices && !plain ? 8 : 0;

    for (size_t i = 0; i < count; i++)
        if (fzi_lud_is_word(node, relative[i]))
            return true;
    for (size_t i = 0; i < sizeof slanted / sizeof *slanted && graph && w->board.squares; i++)
        if (fzi_lud_is_word(node, slanted[i]))
            return true;
    return (w->board.turned || w->board.renamed) && node->kind == FZ_LUD_WORD &&
           strspn(node->text, "NESW") > 0 && strspn(node->text, "NESW") == strlen(node->text);
}

static const char *say_dirs(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud_board *b = &w->board;
    bool graph = b->is_graph;

    if (fzi_lud_is_word(node, "Adjacent"))
        return fzi_lud_adjacent(w);
    if (fzi_lud_is_word(node, "Orthogonal") && b->orthogonal)
        return *b->orthogonal ? b->orthogonal : NULL;
    if (fzi_lud_is_word(node, "Diagonal") && b->diagonal)
        return *b->diagonal ? b->diagonal : NULL;
    if (fzi_lud_is_word(node, "Orthogonal"))
        return graph ? "adjacent" : "orthogonal";
    if (fzi_lud_is_word(node, "All") || fzi_lud_is_word(node, "Diagonal"))
        return graph || w->board.hexagons ? NULL : node->text[0] == 'A' ? "adjacent" : "diagonal";
    if (node->kind == FZ_LUD_SET)
        return fzi_lud_joined(w, FZ_SAY_DIRS, node, 0, " | ", true);
    return NULL;
}

static const char *say_player(fzi_lud_writer *w, const fzi_lud *node)
{
    int owner;

    if (node->kind != FZ_LUD_WORD)
        return NULL;
    if (fzi_lud_role(node->text, &owner) && owner > 0 && owner <= w->players)
        return node->text;
    return is_number(node->text) && atoi(node->text) >= 1 && atoi(node->text) <= w->players
               ? FZ_LUD_TEXT(w, "P%s", node->text)
               : NULL;
}

static const char *say_kind(fzi_lud_writer *w, const fzi_lud *node)
{
    int owner;

    if (node->kind != FZ_LUD_STRING)
        return NULL;
    const fzi_lud_piece *piece = fzi_lud_piece_named(w, node->text, &owner);
    return piece ? piece->kind : NULL;
}

static const char *by_function(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    switch (type) {
    case FZ_SAY_BOOL: return say_bool(w, node);
    case FZ_SAY_INT: return say_int(w, node);
    case FZ_SAY_SITE: return say_site(w, node);
    case FZ_SAY_SITES: return say_sites(w, node);
    case FZ_SAY_DIRS: return say_dirs(w, node);
    case FZ_SAY_PLAYER: return say_player(w, node);
    case FZ_SAY_KIND: return say_kind(w, node);
    case FZ_SAY_DO: return NULL;
    case FZ_SAY_WORD: return node->kind == FZ_LUD_WORD ? node->text : NULL;
    case FZ_SAY_TYPES: break;
    }
    return NULL;
}

const char *fzi_lud_say(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    if (++w->steps > MOST_STEPS || w->depth >= MOST_DEEP || w->written > MOST_WRITTEN)
        return fzi_lud_unsaid(w, node, "too much to translate");
    const fzi_lud *unsaid = w->unsaid;
    const char *why = w->unsaid_why;
    w->depth++;
    bool unclear = type == FZ_SAY_DIRS && is_unclear(w, node);
    unclear = unclear || (type == FZ_SAY_BOOL && fzi_lud_asks_track(w, node));
    const char *text = unclear ? NULL : by_table(w, type, node);
    if (!text && !unclear)
        text = by_function(w, type, node);
    for (size_t i = 0; w->others[i] && !text && (!unclear || type == FZ_SAY_BOOL); i++)
        text = w->others[i](w, type, node);
    if (!text && fzi_lud_definition(w->file, node)) {
        const fzi_lud *plain = fzi_lud_plain(w, node);
        text = plain ? fzi_lud_say(w, type, plain) : NULL;
        bool known = type == FZ_SAY_BOOL || type == FZ_SAY_INT || type == FZ_SAY_SITES;
        if (text && known && fzi_lud_is_repeated(w, node))
            text = fzi_lud_share(
                w, type, fzi_lud_variable(w, fzi_lud_definition(w->file, node)->name), text);
    } else if (!text && node->kind == FZ_LUD_LIST && node->count == 1 &&
               node->items[0]->kind == FZ_LUD_LIST)
        text = fzi_lud_say(w, type, node->items[0]);
    if (text && type == FZ_SAY_SITES)
        text = fzi_lud_plain_rows(w, text);
    w->depth--;
    size_t length = text ? strlen(text) : 0;
    w->written += length;
    if (length > MOST_TEXT)
        return fzi_lud_unsaid(w, node, "too much to translate");
    if (!text)
        return fzi_lud_unsaid(w, node, "not translated yet");
    w->unsaid = unsaid; /* what was tried before does not matter */
    w->unsaid_why = why;
    return text;
}
