/* Stacks of .lud games, and hands as sites beside the board, which hold stacks. */
#include "lud_writer.h"

enum { MOST_HEIGHT = 60 };

void fzi_lud_add_hand_sites(fzi_lud_writer *w)
{
    fzi_growing rows = {0}, table = {0}, set = {0};

    w->stacks = fzi_lud_uses(w, "place", "Stack") || fzi_lud_uses(w, "size", "Stack") ||
                fzi_lud_uses(w, "forEach", "Level") || fzi_lud_uses(w, "level", NULL);
    w->hand_sites = w->hand_count && (w->stacks || w->dice.count);
    w->counted = w->hand_sites && !w->stacks;
    w->stacks = w->stacks || w->hand_sites;
    w->mixed = w->stacks && !w->hand_sites;
    w->levels = w->stacks && (fzi_lud_uses(w, "state", NULL) || fzi_lud_uses(w, "set", "State"));
    if (!w->hand_sites)
        return;
    for (size_t i = 0; i < w->hand_count; i++) {
        const char *name = FZ_LUD_TEXT(w, "hand%d", w->hands[i]);
        w->board.names[w->board.count + i] = name;
        fzi_grow_z(w->arena, &rows, FZ_LUD_TEXT(w, " %s: off;", name));
        fzi_grow_z(w->arena, &table, FZ_LUD_TEXT(w, "%sP%d: %s", i ? ", " : "", w->hands[i], name));
        fzi_grow_z(w->arena, &set, FZ_LUD_TEXT(w, "%s%s", i ? ", " : "", name));
    }
    w->board.text = FZ_LUD_TEXT(w, "join(%s, graph {%s })", w->board.text, rows.text);
    fzi_lud_declare(w, FZ_LUD_TEXT(w,
                                   "/// Pieces that are not on the board.\nlet hand[p: player]: "
                                   "site = {%s};\nlet hands = {%s};\n",
                                   table.text, set.text));
}

const char *fzi_lud_goes(fzi_lud_writer *w, const char *from, const char *to)
{
    return w->levels   ? FZ_LUD_TEXT(w, "carry(%s, %s);", from, to)
           : w->stacks ? FZ_LUD_TEXT(w, "stack(%s, %s, 1);", from, to)
                       : FZ_LUD_TEXT(w, "go(%s, %s);", from, to);
}

const char *fzi_lud_taken(fzi_lud_writer *w, const char *site)
{
    return w->sow.on   ? FZ_LUD_TEXT(w, "seeds[%s] = 0;", site)
           : w->levels ? FZ_LUD_TEXT(w, "drop(%s);", site)
           : w->stacks && !w->counted ? FZ_LUD_TEXT(w, "pull(%s, height(%s));", site, site)
                       : FZ_LUD_TEXT(w, "remove %s;", site);
}

const char *fzi_lud_levels(fzi_lud_writer *w, bool moves, bool leaves)
{
    return FZ_LUD_TEXT(w,
                       "/// The state of each piece of a stack, from the bottom.\n"
                       "var state[site, 1..%d]: int;\n"
                       "fn state_of(s: site): int = if height(s) == 0 then 0 else state[s, "
                       "height(s)];\n%s%s",
                       MOST_HEIGHT,
                       moves ? "/// The piece on top of a goes to b.\n"
                               "proc carry(a: site, b: site) {\nlet moved = state_of(a);\n"
                               "state[a, height(a)] = 0;\nstack(a, b, 1);\n"
                               "state[b, height(b)] = moved;\n}\n"
                             : "",
                       leaves ? "/// The piece on top leaves the board.\nproc drop(s: site) {\n"
                                "state[s, height(s)] = 0;\npull(s, height(s));\n}\n"
                              : "");
}

bool fzi_lud_place_stack(fzi_lud_writer *w, const fzi_lud *node, fzi_growing *to)
{
    size_t at = fzi_lud_is_word(node->items[1], "Stack") ? 2 : 1;
    const fzi_lud *counted = fzi_lud_labelled(node, "count");
    const fzi_lud *counts = fzi_lud_labelled(node, "counts"); /* only if all are alike */
    if (!counted && counts && counts->count && counts->items[0]->kind == FZ_LUD_WORD) {
        counted = counts->items[0];
        for (size_t i = 1; i < counts->count; i++)
            if (!fzi_lud_is_word(counts->items[i], counted->text))
                return fzi_lud_refuse(w, node);
    }
    int owner, count = counted ? fzi_lud_number(w, counted) : 1;

    const fzi_lud *state = fzi_lud_labelled(node, "state");
    if (node->count != at + 2 + (counted != NULL) + (state != NULL) || (state && !w->levels) ||
        node->items[at]->kind != FZ_LUD_STRING || count < 0 || count > MOST_HEIGHT)
        return fzi_lud_refuse(w, node);
    const fzi_lud_piece *piece = fzi_lud_piece_named(w, node->items[at]->text, &owner);
    if (!piece)
        return fzi_lud_refuse(w, node);
    const fzi_lud *where = node->items[at + 1];
    bool hand = where->kind == FZ_LUD_STRING && strncmp(where->text, "Hand", 4) == 0;
    if (hand && w->hand_sites && !where->text[4] && owner == FZ_LUD_EACH) {
        fzi_grow_z(w->arena, to,
                   FZ_LUD_TEXT(w, "for p in player%s put %s of p on hand[p];\n",
                               count > 1 ? FZ_LUD_TEXT(w, ", n in 1..%d", count) : "",
                               piece->kind));
        return w->hand_count == (size_t)w->players || fzi_lud_refuse(w, node);
    }
    if (owner == FZ_LUD_EACH)
        return fzi_lud_refuse(w, node);
    const char *sites = hand && w->hand_sites && owner > 0 ? FZ_LUD_TEXT(w, "hand[P%d]", owner)
                                                           : fzi_lud_say(w, FZ_SAY_SITES, where);
    if (!sites)
        return false;
    fzi_grow_z(w->arena, to,
               FZ_LUD_TEXT(w, "%sput %s of %s on %s;\n",
                           count > 1 ? FZ_LUD_TEXT(w, "for n in 1..%d ", count) : "", piece->kind,
                           owner > 0 ? FZ_LUD_TEXT(w, "P%d", owner) : "nobody", sites));
    const char *value = state ? fzi_lud_say(w, FZ_SAY_INT, state) : NULL;
    if (value)
        fzi_grow_z(
            w->arena, to,
            FZ_LUD_TEXT(w, "for s in %s, n in 1..height(s) state[s, n] = %s;\n", sites, value));
    return value || !state;
}

/* ---- the piece of each player ---- */

const char *fzi_lud_mark(fzi_lud_writer *w, const fzi_lud *node)
{
    const char *kinds[FZ_LUD_MOST_PLAYERS] = {NULL};
    int number = 0;
    bool one = true;

    for (size_t i = 0; i < w->piece_count && number < w->players; i++) {
        int owner = w->pieces[i].owner;
        if (owner == FZ_LUD_EACH)
            for (int p = 1; p <= w->players && number < w->players; p++) {
                if (p != number + 1)
                    return fzi_lud_unsaid(w, node, "the piece of each player is not clear");
                kinds[number++] = w->pieces[i].kind;
            }
        else if (owner == number + 1)
            kinds[number++] = w->pieces[i].kind;
        else
            return fzi_lud_unsaid(w, node, "the piece of each player is not clear");
    }
    if (number < w->players)
        return fzi_lud_unsaid(w, node, "the piece of each player is not clear");
    for (int p = 1; p < number; p++)
        one = one && strcmp(kinds[p], kinds[0]) == 0;
    if (one)
        return kinds[0];
    w->uses_mark = true;
    return "mark[me]";
}
