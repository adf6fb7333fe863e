/* The players and the equipment of .lud games: pieces, regions, hands. */
#include <stdlib.h>

#include "lud_writer.h"

/* ---- players ---- */

/* (players 2), (players {(player N) (player S)}) */
static bool read_players(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *list = node->count == 2 ? node->items[1] : NULL;

    if (!list)
        return fzi_lud_refuse(w, node);
    if (list->kind == FZ_LUD_WORD) {
        w->players = atoi(list->text);
    } else if (list->kind == FZ_LUD_SET && list->count <= FZ_LUD_MOST_PLAYERS) {
        for (size_t i = 0; i < list->count; i++) {
            const fzi_lud *player = list->items[i];
            const fzi_lud *last = player->count ? player->items[player->count - 1] : NULL;
            if (!fzi_lud_is(player, "player") || player->count > 3)
                return fzi_lud_refuse(w, player);
            if (player->count > 1 && last->kind == FZ_LUD_WORD) {
                w->facing[i] = fzi_lud_say(w, FZ_SAY_DIRS, last);
                if (!w->facing[i])
                    return false;
            }
        }
        w->players = (int)list->count;
    }
    return (w->players >= 1 && w->players <= FZ_LUD_MOST_PLAYERS) || fzi_lud_refuse(w, node);
}

bool fzi_lud_read_players(fzi_lud_writer *w, const fzi_lud *node)
{
    if (read_players(w, node))
        return true;
    w->players = 0;
    return false;
}

/* ---- equipment ---- */

/* (piece "Pawn" Each N moves) */
static bool read_piece(fzi_lud_writer *w, const fzi_lud *node)
{
    if (node->count < 2 || node->items[1]->kind != FZ_LUD_STRING ||
        w->piece_count == FZ_LUD_MOST_PIECES)
        return fzi_lud_refuse(w, node);
    fzi_lud_piece *piece = &w->pieces[w->piece_count++];
    *piece =
        (fzi_lud_piece){.name = node->items[1]->text, .owner = FZ_LUD_EACH, .line = node->line};
    piece->kind = fzi_lud_name_of(w, piece->name);
    for (size_t i = 2; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        int owner;
        if (item->label)
            return fzi_lud_refuse(w, item);
        if (item->kind == FZ_LUD_WORD && fzi_lud_role(item->text, &owner) && i == 2)
            piece->owner = owner;
        else if (item->kind == FZ_LUD_WORD) {
            const char *facing = fzi_lud_say(w, FZ_SAY_DIRS, item);
            for (int p = 0; p < w->players && facing; p++)
                if (piece->owner == FZ_LUD_EACH || piece->owner == p + 1) {
                    if (w->facing[p] && strcmp(w->facing[p], facing) != 0)
                        return fzi_lud_refuse(w, item);
                    w->facing[p] = facing;
                }
            if (!facing)
                return false;
        } else if (!piece->moves)
            piece->moves = item;
        else
            return fzi_lud_refuse(w, item);
    }
    return true;
}

/* (regions "Home" P1 {…}), (regions P1 …) */
static bool read_region(fzi_lud_writer *w, const fzi_lud *node)
{
    fzi_lud_region region = {.name = "", .line = node->line};
    size_t at = 1;

    if (at < node->count && node->items[at]->kind == FZ_LUD_STRING &&
        !fzi_lud_definition(w->file, node->items[at]))
        region.name = node->items[at++]->text;
    if (at < node->count && node->items[at]->kind == FZ_LUD_WORD &&
        fzi_lud_role(node->items[at]->text, &region.owner))
        at++;
    if (at + 1 != node->count || w->region_count == FZ_LUD_MOST_REGIONS)
        return fzi_lud_refuse(w, node);
    region.sites = node->items[at];
    w->regions[w->region_count++] = region;
    return true;
}

/* (hand Each): a number of pieces of one kind. */
static bool read_hand(fzi_lud_writer *w, const fzi_lud *node)
{
    int owner;

    if (node->count == 3 && fzi_lud_labelled(node, "size") && !fzi_lud_uses(w, "handSite", NULL) &&
        !fzi_lud_uses(w, "sites", "Hand"))
        return true; /* captured pieces could lie there: no rule does this */
    if (node->count != 2 || node->items[1]->kind != FZ_LUD_WORD ||
        !fzi_lud_role(node->items[1]->text, &owner) || owner == FZ_LUD_SHARED || owner == 0 ||
        w->hand_count + (owner == FZ_LUD_EACH ? (size_t)w->players : 1) > FZ_LUD_MOST_PLAYERS)
        return fzi_lud_refuse(w, node);
    w->hand_kind = "mark"; /* until `start` says which */
    for (int p = 1; p <= w->players; p++)
        if (owner == FZ_LUD_EACH || owner == p)
            w->hands[w->hand_count++] = p;
    return owner <= w->players;
}

bool fzi_lud_read_equipment(fzi_lud_writer *w, const fzi_lud *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const fzi_lud *item = list->items[i];
        const fzi_lud_define *define = fzi_lud_definition(w->file, item);
        if (define) {
            const fzi_lud *body = fzi_lud_expand_once(&w->expansion, item);
            bool read = ++w->depth <= 50 && body && fzi_lud_read_equipment(w, body);
            w->depth--;
            if (!read)
                return fzi_lud_refuse(w, item);
            continue;
        }
        bool board = fzi_lud_is(item, "board") || fzi_lud_is(item, "mancalaBoard");
        if (board && w->board.count) /* a second one */
            return fzi_lud_refuse(w, item);
        bool good = item->kind == FZ_LUD_SET           ? fzi_lud_read_equipment(w, item)
                    : fzi_lud_is(item, "board")        ? fzi_lud_read_board(w, item)
                    : fzi_lud_is(item, "mancalaBoard") ? fzi_lud_read_pits(w, item)
                    : fzi_lud_is(item, "piece")        ? read_piece(w, item)
                    : fzi_lud_is(item, "regions")      ? read_region(w, item)
                    : fzi_lud_is(item, "hand")         ? read_hand(w, item)
                    : fzi_lud_is(item, "dice")         ? fzi_lud_read_dice(w, item)
                    : fzi_lud_is(item, "map")          ? fzi_lud_read_map(w, item)
                                                       : fzi_lud_refuse(w, item);
        if (!good && !fzi_lud_go_on(w))
            return false;
    }
    return true;
}
