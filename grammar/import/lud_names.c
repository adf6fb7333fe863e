/* Names such as {from} in the texts of lud_forms.def: what each means at this moment of writing. A
 * name without a value means that the row does not hold there. */
#include "lud_writer.h"

const char *fzi_lud_moment(fzi_lud_writer *w, const char *name, size_t length)
{
    const fzi_lud_names *n = &w->names;
    const fzi_lud_board *b = &w->board;
    const char *pending = n->played && n->to ? "new_pending" : "pending";
    const struct {
        const char *name, *value;
        bool *used;
    } values[] = {
        {"from", n->from, NULL},
        {"to", n->to, NULL},
        {"between", n->between, NULL},
        {"site", n->site, NULL},
        {"player", n->player, NULL},
        {"dir", n->dir, NULL},
        {"next",
         w->at_end         ? "upcoming"
         : w->players == 2 ? "foe"
         : w->ranks        ? NULL
                           : "(me + 1)",
         NULL},
        {"upcoming", w->repeats && n->played ? "upcoming" : NULL, NULL},
        {"only_foe", w->players == 2 ? "foe" : NULL, NULL},
        {"prev", w->chains ? NULL : "prev", &w->uses_prev},
        {"way_on", "way_on", &w->uses_lines},
        {"way_back", "way_back", &w->uses_lines},
        {"mating", w->players == 2 ? "" : NULL, &w->uses_mating},
        {"hops", w->chains ? "hops" : NULL, NULL},
        {"again", w->chains ? "go_on()" : "again", NULL},
        {"moves",
         w->chains   ? NULL
         : n->played ? "turns"
                     : "turns - 1",
         NULL},
        {"adjacent", w->sow.on && w->sow.joins_more ? NULL : fzi_lud_adjacent(w), NULL},
        {"centre", b->is_graph || b->holes || w->sow.on ? b->centre : "centre", NULL},
        {"corners", b->is_graph || b->holes || w->sow.on ? b->corners : "corners", NULL},
        {"border", b->is_graph || b->holes || w->sow.on ? b->outer : "border", NULL},
        {"middle", b->middle, NULL},
        {"to_clear", "to_clear", &w->uses_to_clear},
        {"no_hands", w->hand_kind || w->sow.on ? NULL : "", NULL},
        {"hand",
         w->sow.on                 ? "store"
         : fzi_lud_counts_hands(w) ? "hand"
                                   : NULL,
         &w->uses_hand},
        {"seeds", w->sow.on ? "seeds" : NULL, NULL},
        {"seeds_in", w->sow.on ? "seeds_in" : NULL, NULL},
        {"store", w->sow.on ? "store" : NULL, NULL},
        {"across", w->sow.on ? "forward" : NULL, NULL},
        {"opposite",
         w->sow.rows != 2 ? NULL
         : w->sow.stores  ? "opposite_of"
                          : "opposite",
         &w->sow.uses_opposite},
        /* Inside of a move, its own consequences are not yet known. */
        {"reached",
         !w->sow.on           ? NULL
         : n->played && n->to ? "last_to"
                              : "reached",
         NULL},
        {"state", w->sow.on || w->levels ? NULL : "state", &w->sow.uses_state},
        {"landed", w->takes_off ? "if last_to == off then last_from else last_to" : "last_to",
         NULL},
        {"levels", w->levels ? "" : NULL, NULL},
        {"worth", w->sow.on ? NULL : "worth", &w->uses_worth},
        {"pending", w->sow.pending_set ? NULL : pending, NULL},
        {"pending_set", w->sow.pending_set ? pending : NULL, NULL},
        {"new_pending", "new_pending", NULL},
        {"new_pending_set", w->sow.pending_set ? "new_pending" : NULL, NULL},
        {"hand_sites", w->hand_sites ? "hand" : NULL, NULL},
        {"empty", w->hand_sites ? "empty - hands" : "empty", NULL},
        {"on_board", w->hand_sites ? " - hands" : "", NULL},
        {"board", w->hand_sites ? "~hands" : "site", NULL},
        {"squares", b->is_graph || b->hexagons ? NULL : "", NULL},
        {"no_graph", b->is_graph ? NULL : "", NULL},
        {"one_kind", w->piece_count == 1 && w->pieces[0].owner == FZ_LUD_EACH ? "" : NULL, NULL},
        {"held", w->hand_kind && strcmp(w->hand_kind, "mark") != 0 ? w->hand_kind : NULL, NULL},
        {"no_seeds", w->sow.on ? NULL : "", NULL},
        {"two", w->players == 2 ? "" : NULL, NULL},
        {"stacks", w->stacks ? "" : NULL, NULL},
        {"mixed", w->mixed ? "" : NULL, NULL},
        {"no_stacks", w->stacks ? NULL : "", NULL},
        {"at_once", w->stacks && !w->counted ? NULL : "", NULL},
        {"always_moves", w->always_moves ? "" : NULL, NULL},
        {"score", "score", &w->uses_score},
        {"passing", "passed_at", &w->uses_passing},
        {"all_passed", w->in_end ? "all_passed" : "passed_at == turns - 1 and passes >= #player",
         &w->uses_passing},
        {"turn_before", w->in_end ? "turns" : "turns - 1", NULL},
        {"visited", n->played ? "(visited | last_from | last_to)" : "visited", &w->uses_visited},
        {"n_turns", "n_turns", &w->uses_turns},
        {"moves_in_turn", w->chains ? NULL : "moves_in_turn", &w->uses_moves_in_turn},
        {"rows", FZ_LUD_TEXT(w, "%u", b->rows), NULL},
        {"columns", FZ_LUD_TEXT(w, "%u", b->columns), NULL},
        {"top", b->top, NULL},
        {"bottom", b->bottom, NULL},
        {"left", b->left, NULL},
        {"right", b->right, NULL},
    };

    if (strncmp(name, "start}", 6) == 0)
        return fzi_lud_starts(w); /* declares a table */
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strlen(values[i].name) == length && memcmp(values[i].name, name, length) == 0) {
            if (values[i].used && values[i].value)
                *values[i].used = true;
            return values[i].value;
        }
    return NULL;
}

bool fzi_lud_asks_attacks(const fzi_lud_writer *w, const char *text)
{
    static const char *const words[] = {"attacked", "in_check", "gives_check", "checkmate"};
    bool found = false;

    for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++)
        found = fzi_lud_mentions(w, text, words[i]);
    return found;
}
