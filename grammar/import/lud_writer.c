/* What the files that turn a .lud tree into a script share: refusals, names, brackets. */
#include "lud_writer.h"

#include <ctype.h>
#include <stdlib.h>

enum { MOST_SEEN = 200000, MOST_REFUSED = 200 };

const char *fzi_lud_unsaid(fzi_lud_writer *w, const fzi_lud *node, const char *why)
{
    if (!w->unsaid) {
        w->unsaid = node;
        w->unsaid_why = why;
    }
    return NULL;
}

bool fzi_lud_go_on(fzi_lud_writer *w)
{
    if (!w->unsaid || !w->partial || w->refused->count > MOST_REFUSED)
        return false;
    const char *clause = fzi_import_printable(w->arena, fzi_lud_text(w->arena, w->unsaid, 120));
    bool known = false;
    for (size_t i = 0; i < w->refused->count; i++)
        known = known || strcmp(w->refused->items[i].clause, clause) == 0;
    if (!known)
        fzi_import_refuse(w->arena, w->refused, w->unsaid->line, clause, w->unsaid_why);
    w->unsaid = NULL;
    w->unsaid_why = NULL;
    return true;
}

bool fzi_lud_refuse(fzi_lud_writer *w, const fzi_lud *node)
{
    return fzi_lud_unsaid(w, node, "not translated yet") != NULL;
}

void fzi_lud_declare(fzi_lud_writer *w, const char *text)
{
    if (!w->declared.text || !strstr(w->declared.text, text))
        fzi_grow_z(w->arena, &w->declared, text);
}

bool fzi_lud_role(const char *word, int *owner)
{
    static const struct {
        const char *word;
        int owner;
    } roles[] = {{"Each", FZ_LUD_EACH},
                 {"All", FZ_LUD_EACH},
                 {"Shared", FZ_LUD_SHARED},
                 {"Neutral", FZ_LUD_NOBODY}};

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(word, roles[i].word) == 0) {
            *owner = roles[i].owner;
            return true;
        }
    if (word[0] != 'P' || !isdigit((unsigned char)word[1]))
        return false;
    *owner = atoi(word + 1);
    return *owner >= 1 && *owner <= FZ_LUD_MOST_PLAYERS;
}

const char *fzi_lud_name_of(fzi_lud_writer *w, const char *text)
{
    char *name = FZ_LUD_TEXT(w, "%s%s", isalpha((unsigned char)text[0]) ? "" : "x", text);

    name[0] = (char)toupper((unsigned char)name[0]); /* no reserved word, and no site */
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) || (unsigned char)*at > 126)
            *at = '_';
    return name;
}

const fzi_lud_piece *fzi_lud_piece_named(const fzi_lud_writer *w, const char *name, int *owner)
{
    for (size_t i = 0; i < w->piece_count; i++) {
        const fzi_lud_piece *piece = &w->pieces[i];
        size_t length = strlen(piece->name);
        if (strncmp(name, piece->name, length) != 0)
            continue;
        const char *rest = name + length;
        if (!*rest) {
            *owner = piece->owner;
            return piece;
        }
        if (strspn(rest, "0123456789") != strlen(rest))
            continue;
        int number = atoi(rest);
        if (piece->owner == number || (piece->owner == FZ_LUD_EACH && number <= w->players)) {
            *owner = number;
            return piece;
        }
    }
    return NULL;
}

/* Is it a name, a call, a set, or in parentheses as a whole? */
static bool is_atomic(const char *text)
{
    int depth = 0;

    for (const char *at = text; *at; at++) {
        if (strchr("([{", *at))
            depth++;
        else if (strchr(")]}", *at))
            depth--;
        else if (*at == ' ' && depth == 0)
            return false;
    }
    return true;
}

const char *fzi_lud_in_brackets(fzi_lud_writer *w, const char *text)
{
    return is_atomic(text) ? text : FZ_LUD_TEXT(w, "(%s)", text);
}

const char *fzi_lud_not(fzi_lud_writer *w, const char *text)
{
    static const char *const opposites[][2] = {
        {" == ", " != "}, {" != ", " == "}, {" not in ", " in "}, {" in ", " not in "},
        {" <= ", " > "},  {" >= ", " < "},  {" < ", " >= "},      {" > ", " <= "}};
    static const char *const joints[] = {" and ", " or ", " : ", "if ", "not "};
    bool single = true;

    if (strncmp(text, "not ", 4) == 0 && strcmp(fzi_lud_in_brackets(w, text + 4), text + 4) == 0) {
        size_t length = strlen(text + 4);
        bool whole = text[4] == '(';
        return FZ_LUD_TEXT(w, "%.*s", (int)(whole ? length - 2 : length), text + 4 + whole);
    }
    for (size_t i = 0; i < 4; i++)
        single = single && !strstr(text, joints[i]);
    for (size_t i = 0; i < sizeof opposites / sizeof *opposites && single; i++) {
        const char *sign = strstr(text, opposites[i][0]);
        size_t end = sign ? strlen(opposites[i][0]) : 0;
        int depth = 0;
        for (const char *at = text; sign && at < sign; at++)
            depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
        bool outside = sign && depth == 0;
        if (outside)
            return FZ_LUD_TEXT(w, "%.*s%s%s", (int)(sign - text), text, opposites[i][1],
                               sign + end);
    }
    return FZ_LUD_TEXT(w, "not %s", fzi_lud_in_brackets(w, text));
}

const char *fzi_lud_term(fzi_lud_writer *w, const char *text)
{
    bool clear = strncmp(text, "if ", 3) != 0 && !strstr(text, " or ") && !strstr(text, " : ");
    return clear ? text : fzi_lud_in_brackets(w, text);
}

const char *fzi_lud_block(fzi_lud_writer *w, const char *text)
{
    static const char *const open[] = {"if ", "let ", "var ", "choose ", "for ", "while "};
    size_t length;

    text += strspn(text, " ");
    length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    bool one = length > 1 && strchr(text, ';') == text + length - 1;
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        one = one && strncmp(text, open[i], strlen(open[i])) != 0;
    return FZ_LUD_TEXT(w, one ? "%.*s" : "{%.*s}", (int)length, text);
}

/* On points, steps along edges are Orthogonal and Adjacent alike; Diagonal is across a face. */
const char *fzi_lud_adjacent(const fzi_lud_writer *w)
{
    return w->board.on_vertices && !w->board.is_graph && !w->board.hexagons ? "orthogonal"
                                                                            : "adjacent";
}

bool fzi_lud_is_own_row(const fzi_lud_writer *w, const char *name)
{
    for (size_t i = 0; i < w->region_count; i++)
        if (w->regions[i].own_row && strcmp(w->regions[i].name, name) == 0)
            return true;
    return false;
}

const char *fzi_lud_region_table(fzi_lud_writer *w, const char *name)
{
    if (fzi_lud_is_own_row(w, name))
        return "row_of";
    if (!*name)
        return w->sow.on ? "row_of" : "region";
    char *table = FZ_LUD_TEXT(w, "%s_region", fzi_lud_name_of(w, name));
    table[0] = (char)tolower((unsigned char)table[0]);
    return table;
}

/* A form whose last item is a definition of (then …), with that in its place. */
static const fzi_lud *with_then(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *last = node->count > 1 ? node->items[node->count - 1] : NULL;
    const fzi_lud_define *define = last ? fzi_lud_definition(w->file, last) : NULL;

    if (!define || define->count != 1 || !fzi_lud_is(define->body[0], "then"))
        return node;
    const fzi_lud *body = fzi_lud_expand_once(&w->expansion, last);
    if (!body || body->count != 1)
        return node;
    fzi_lud *made = FZI_NEW(w->arena, fzi_lud);
    *made = *node;
    made->items = fzi_arena_copy(w->arena, node->items, node->count * sizeof *made->items);
    made->items[node->count - 1] = body->items[0];
    return made;
}

const fzi_lud *fzi_lud_plain(fzi_lud_writer *w, const fzi_lud *node)
{
    for (unsigned i = 0; i < FZ_LUD_MOST_DEPTH && fzi_lud_definition(w->file, node); i++) {
        const fzi_lud *body = fzi_lud_expand_once(&w->expansion, node);
        if (!body || body->count != 1) {
            fzi_lud_unsaid(w, node,
                           body ? "a definition of several forms" : w->expansion.fault.why);
            return NULL;
        }
        node = body->items[0];
    }
    while (node->kind == FZ_LUD_LIST && node->count == 1 && node->items[0]->kind == FZ_LUD_LIST)
        node = node->items[0];
    return fzi_lud_definition(w->file, node) ? fzi_lud_plain(w, node) : with_then(w, node);
}

bool fzi_lud_counts_hands(const fzi_lud_writer *w)
{
    return w->hand_kind && !w->hand_sites;
}

typedef struct wanted {
    const char *head, *word;
    bool below; /* only without top:True */
    size_t seen;
} wanted;

static bool is_wanted(const wanted *want, const fzi_lud *node)
{
    const fzi_lud *top = fzi_lud_labelled(node, "top");

    return fzi_lud_is(node, want->head) &&
           (!want->word || (node->count > 1 && fzi_lud_is_word(node->items[1], want->word))) &&
           !(want->below && top && fzi_lud_is_word(top, "True"));
}

/* Does such a form stand below the node, definitions included? */
static bool mentions(fzi_lud_writer *w, const fzi_lud *node, wanted *want, unsigned depth)
{
    if (++want->seen > MOST_SEEN || depth > FZ_LUD_MOST_DEPTH)
        return true;
    if (fzi_lud_definition(w->file, node)) {
        const fzi_lud *body = fzi_lud_expand_once(&w->expansion, node);
        return !body || mentions(w, body, want, depth + 1);
    }
    if (is_wanted(want, node))
        return true;
    for (size_t i = 0; i < node->count; i++)
        if (mentions(w, node->items[i], want, depth + 1))
            return true;
    return false;
}

bool fzi_lud_has_form(fzi_lud_writer *w, const fzi_lud *node, const char *head, const char *word)
{
    return mentions(w, node, &(wanted){.head = head, .word = word}, 0);
}

bool fzi_lud_uses(fzi_lud_writer *w, const char *head, const char *word)
{
    return fzi_lud_has_form(w, w->file->game, head, word);
}

bool fzi_lud_moves_tops(fzi_lud_writer *w)
{
    wanted below = {.head = "forEach", .word = "Piece", .below = true};
    return w->stacks && !mentions(w, w->file->game, &below, 0);
}

bool fzi_lud_is_repeated(fzi_lud_writer *w, const fzi_lud *node)
{
    const char *text = fzi_lud_text(w->arena, node, 100);

    for (size_t i = 0; i < w->called_count; i++)
        if (strcmp(w->called[i].text, text) == 0)
            return w->called[i].count > 1;
    return false;
}

const char *fzi_lud_variable(fzi_lud_writer *w, const char *source)
{
    static const char *const taken[] = {"count", "last", "next", "to", "from", "end", "turn"};
    char *name = FZ_LUD_TEXT(w, "%s", fzi_lud_name_of(w, source));

    name[0] = (char)tolower((unsigned char)name[0]);
    bool clear = strlen(name) > 3;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        clear = clear && strcmp(name, taken[i]) != 0;
    return clear ? name : FZ_LUD_TEXT(w, "%s_value", name);
}

const char *fzi_lud_starts(fzi_lud_writer *w)
{
    fzi_growing text = {0};

    if (!w->item_kind || w->placed_count == FZ_LUD_MOST_PLACED)
        return NULL;
    char *name = FZ_LUD_TEXT(w, "%s_start", w->item_kind);
    name[0] = (char)tolower((unsigned char)name[0]);
    for (int p = 1; p <= w->players; p++) {
        const char *sites = NULL;
        for (size_t i = 0; i < w->placed_count; i++)
            if (w->placed[i].owner == p && strcmp(w->placed[i].kind, w->item_kind) == 0)
                sites = sites ? FZ_LUD_TEXT(w, "%s | %s", sites, w->placed[i].sites)
                              : w->placed[i].sites;
        fzi_grow_z(w->arena, &text,
                   FZ_LUD_TEXT(w, "%sP%d: %s", p > 1 ? ", " : "", p, sites ? sites : "{}"));
    }
    fzi_lud_declare(w, FZ_LUD_TEXT(w, "let %s[p: player]: sites = {%s};\n", name, text.text));
    return FZ_LUD_TEXT(w, "%s[me]", name);
}

bool fzi_lud_asks_track(fzi_lud_writer *w, const fzi_lud *node)
{
    if (node->count != 3 || (!fzi_lud_is(node, "=") && !fzi_lud_is(node, "!=")) ||
        !fzi_lud_is_word(node->items[2], "Off") || !w->track_form_count)
        return false;
    const fzi_lud *site = fzi_lud_plain(w, node->items[1]);
    return site && fzi_lud_is(site, "trackSite");
}
