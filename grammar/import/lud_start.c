/* The position in which a .lud game starts: pieces on the board and in hands, values. */
#include <ctype.h>

#include "interp/program/cells.h"
#include "lud_writer.h"

/* The only piece of a player; NULL. */
static const fzi_lud_piece *mark_of(const fzi_lud_writer *w, int player)
{
    const fzi_lud_piece *found = NULL;

    for (size_t i = 0; i < w->piece_count; i++)
        if (w->pieces[i].owner == player) {
            if (found)
                return NULL;
            found = &w->pieces[i];
        }
    return found;
}

/* The owner of "Hand1", "Hand" and (handSite P1); false: it is no hand. */
static bool is_hand(fzi_lud_writer *w, const fzi_lud *hand, int *of)
{
    *of = FZ_LUD_EACH;
    if (!fzi_lud_counts_hands(w))
        return false;
    if (fzi_lud_is(hand, "handSite"))
        return hand->count == 2 && hand->items[1]->kind == FZ_LUD_WORD &&
               fzi_lud_role(hand->items[1]->text, of) && *of > 0 && *of <= w->players;
    return hand->kind == FZ_LUD_STRING && strncmp(hand->text, "Hand", 4) == 0 &&
           (!hand->text[4] ||
            (fzi_lud_role(FZ_LUD_TEXT(w, "P%s", hand->text + 4), of) && *of <= w->players));
}

/* (place "Disc1" "Hand1" count:9), (place "Disc" "Hand" count:9) */
static bool add_in_hand(fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to)
{
    const fzi_lud *counted = fzi_lud_labelled(node, "count");
    int owner, of, count = counted ? fzi_lud_number(w, counted) : 1;

    if (!is_hand(w, node->items[2], &of) || node->items[1]->kind != FZ_LUD_STRING || count < 0)
        return fzi_lud_refuse(w, node);
    const fzi_lud_piece *piece = fzi_lud_piece_named(w, node->items[1]->text, &owner);
    if (!piece || (of > 0 && owner != of && owner > 0))
        return fzi_lud_refuse(w, node);
    if (of == FZ_LUD_EACH && owner > 0)
        of = owner;
    if (w->piece_count == 1 || owner == FZ_LUD_EACH || piece->owner == FZ_LUD_EACH) {
        if (w->held && strcmp(w->held, piece->kind) != 0)
            return fzi_lud_unsaid(w, node, "another kind in another hand") != NULL;
        w->hand_kind = piece->kind;
    } else if (mark_of(w, of) != piece || strcmp(w->hand_kind, "mark") != 0)
        return fzi_lud_refuse(w, node);
    w->held = piece->kind;
    for (int p = 1; p <= w->players; p++)
        if (of == p || of == FZ_LUD_EACH)
            w->held_kinds[p - 1] = piece->kind;
    w->uses_hand = true;
    if (of == FZ_LUD_EACH && !w->held_number && !to->length && !w->sow.on) {
        w->held_number = FZ_LUD_TEXT(w, "%d", count);
        return true;
    }
    fzi_grow_z(w->arena, to,
               of == FZ_LUD_EACH ? FZ_LUD_TEXT(w, "hand = %d;\n", count)
                                 : FZ_LUD_TEXT(w, "hand[P%d] = %d;\n", of, count));
    return true;
}

/* Is it a graph whose sites all have the name of a column and a row, such as c4? */
static bool is_drawn_by_names(const fzi_lud_board *b)
{
    bool all = b->is_graph && strncmp(b->text, "graph", 5) == 0;

    for (size_t i = 0; i < b->count && all; i++) {
        int column, row;
        all = fzi_name_place(b->names[i], &column, &row);
    }
    return all;
}

/* The site in this column and row, from 0; -1: none. */
static long site_there(fzi_lud_writer *w, unsigned column, unsigned row)
{
    const char *name = fzi_lud_site_name(w, column, row);

    for (size_t i = 0; i < w->board.count; i++)
        if (strcmp(w->board.names[i], name) == 0)
            return (long)i;
    return -1;
}

/* Draws pieces into the diagram of the start. */
static void note_piece(fzi_lud_writer *w, const fzi_lud_piece *piece, int owner,
                       const fzi_lud *where)
{
    const fzi_lud_board *b = &w->board;
    bool *set = fzi_arena_alloc(w->arena, b->count * sizeof *set);

    w->start.count++;
    if ((strncmp(b->text, "square(", 7) != 0 && !is_drawn_by_names(b)) || w->players != 2 ||
        owner < 1 || !piece->letter || !fzi_lud_static_set(w, where, set))
        w->start.unclear = true;
    if (w->start.unclear)
        return;
    if (!w->start.cells) {
        w->start.cells = fzi_arena_alloc(w->arena, b->count);
        memset(w->start.cells, '.', b->count);
    }
    for (size_t i = 0; i < b->count; i++)
        if (set[i] && w->start.cells[i] == '.') /* a later piece does not replace it */
            w->start.cells[i] =
                (char)(owner == 1 ? piece->letter : tolower((unsigned char)piece->letter));
}

/* The pieces on the board: a diagram, or a statement for each kind. */
static const char *start_of(fzi_lud_writer *w)
{
    enum { FEW = 2, MANY_SITES = 6, MOST_ROWS = 40 };
    const char *puts = w->start.puts.text ? w->start.puts.text : "";
    fzi_growing text = {0};
    size_t sites = 0, left = w->board.count;

    for (const char *at = puts; *at; at++)
        sites += *at == ',';
    if (w->start.unclear || (w->start.count <= FEW && sites <= MANY_SITES))
        return puts;
    fzi_grow_z(w->arena, &text, "diagram \"\"\"\n");
    for (unsigned row = MOST_ROWS; row-- > 0;) {
        fzi_growing line = {0};
        size_t end = 0;
        for (unsigned column = 0; column < 26; column++) {
            long site = site_there(w, column, row);
            fzi_grow_z(w->arena, &line, " ");
            fzi_grow(w->arena, &line, site < 0 ? " " : &w->start.cells[site], 1);
            end = site < 0 ? end : line.length;
            left -= site >= 0;
        }
        if (end)
            fzi_grow_z(w->arena, &text, FZ_LUD_TEXT(w, "  %.*s\n", (int)end, line.text));
    }
    fzi_grow_z(w->arena, &text, "\"\"\";\n");
    return left ? puts : text.text; /* wider than the alphabet */
}

/* The sites of a form on which no piece has been put before: they keep the first one. */
static const char *free_sites(fzi_lud_writer *w, const fzi_lud *node)
{
    const char *sites = fzi_lud_static_sites(w, node);

    for (size_t i = 0; sites && i < w->placed_count; i++) {
        const char *placed = w->placed[i].sites, *at = strstr(sites, placed);
        bool inside = *placed != '{' && at > sites;
        if (inside && strchr(" {", at[-1]) && strchr(",}", at[strlen(placed)]))
            sites = FZ_LUD_TEXT(w, "%s - %s", sites, placed);
    }
    return sites;
}

/* (place "Pawn1" {"A1" …}), (place "Pawn1" (sites …)), (place "Pawn1" coord:"A1") */
static bool add_place(fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to)
{
    int owner;

    if (w->stacks && node->count > 2 &&
        (fzi_lud_is_word(node->items[1], "Stack") || fzi_lud_is(node->items[2], "handSite") ||
         (node->items[2]->kind == FZ_LUD_STRING && strncmp(node->items[2]->text, "Hand", 4) == 0)))
        return fzi_lud_place_stack(w, node, to);
    const fzi_lud *number = fzi_lud_labelled(node, "count");
    if (node->count == 4 && number && fzi_lud_is_word(number, "1") &&
        !is_hand(w, node->items[2], &owner)) {
        fzi_lud one = *node; /* a single piece */
        one.count = 3;
        return number == node->items[3] ? add_place(w, &one, to) : fzi_lud_refuse(w, node);
    }
    if ((node->count == 4 && number) || (node->count == 3 && is_hand(w, node->items[2], &owner)))
        return add_in_hand(w, node, to);
    const fzi_lud *state = fzi_lud_labelled(node, "state");
    if (node->count != 3u + (state != NULL) || node->items[1]->kind != FZ_LUD_STRING ||
        (node->items[2]->label && strcmp(node->items[2]->label, "coord") != 0))
        return fzi_lud_refuse(w, node);
    const fzi_lud_piece *piece = fzi_lud_piece_named(w, node->items[1]->text, &owner);
    if (!piece || owner == FZ_LUD_EACH)
        return fzi_lud_refuse(w, node);
    const char *sites = w->board.is_graph ? free_sites(w, node->items[2]) : NULL;
    if (!sites)
        sites = fzi_lud_say(w, FZ_SAY_SITES, node->items[2]);
    if (!sites)
        return false;
    if (*sites == '{' && !strpbrk(sites, ", ")) /* one */
        sites = FZ_LUD_TEXT(w, "%.*s", (int)strlen(sites) - 2, sites + 1);
    note_piece(w, piece, owner, node->items[2]);
    if (w->placed_count < FZ_LUD_MOST_PLACED) {
        w->placed[w->placed_count].kind = piece->kind;
        w->placed[w->placed_count].sites = sites;
        w->placed[w->placed_count++].owner = owner;
    }
    fzi_grow_z(w->arena, &w->start.puts,
               owner > 0 ? FZ_LUD_TEXT(w, "put %s of P%d at %s;\n", piece->kind, owner, sites)
                         : FZ_LUD_TEXT(w, "put %s of nobody at %s;\n", piece->kind, sites));
    if (state && w->sow.on)
        return fzi_lud_refuse(w, state);
    const char *value = state ? fzi_lud_say(w, FZ_SAY_INT, state) : NULL;
    if (!value)
        return !state;
    w->sow.uses_state = !w->levels;
    fzi_grow_z(
        w->arena, to,
        FZ_LUD_TEXT(w, "for s in %s state[s%s] = %s;\n", sites, w->levels ? ", 1" : "", value));
    return true;
}

/* (set Count 4 to:(sites Track)), (set RememberValue "Name" …), (set Var …) */
static bool add_set(fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to)
{
    if (node->count > 1 && fzi_lud_is_word(node->items[1], "Count"))
        return fzi_lud_start_count(w, node, to);
    const char *text = fzi_lud_say(w, FZ_SAY_DO, node);
    if (text)
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "%s\n", text));
    return text || fzi_lud_refuse(w, node);
}

static bool add_start(fzi_lud_writer *w, const fzi_lud *node, size_t first, fzi_growing *to)
{
    for (size_t i = first; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        if (fzi_lud_definition(w->file, item)) {
            const fzi_lud *body = fzi_lud_expand_once(&w->expansion, item);
            if (!body || ++w->depth > 50 || !add_start(w, body, 0, to))
                return fzi_lud_refuse(w, item);
            w->depth--;
            continue;
        }
        bool good = item->kind == FZ_LUD_SET    ? add_start(w, item, 0, to)
                    : fzi_lud_is(item, "place") ? add_place(w, item, to)
                    : fzi_lud_is(item, "set")   ? add_set(w, item, to)
                                                : fzi_lud_refuse(w, item);
        if (!good && !fzi_lud_go_on(w))
            return false;
    }
    return true;
}

bool fzi_lud_add_start(fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to)
{
    fzi_growing rest = {0};

    if (!add_start(w, node, 1, &rest))
        return false;
    fzi_grow_z(w->arena, to, start_of(w));
    fzi_grow_z(w->arena, to, rest.text ? rest.text : "");
    return true;
}
