/* Says how the pieces move. */
#include "prose.h"

#include <string.h>

static const char *target(fzi_prose *p, const fzi_node *item)
{
    fzi_phrase ph = fzi_say_set(p, item->targets);
    bool enemy = ph.is_piece || item->op == FZ_T_CAPTURE;
    const char *place = *ph.place ? ph.place : fzi_say(p, " to %s", fzi_say_one(p, ph));
    if (strncmp(place, " on ", 4) == 0)
        return fzi_say(p, "%s to %s", enemy ? "captures" : "moves",
                       enemy || !*ph.adjective ? place + 4 : fzi_say_one(p, ph));
    if (enemy)
        return fzi_say(p, "captures%s", place);
    if (strstr(ph.adjective, "empty") && *ph.place)
        return fzi_say(p, "moves%s, to an %s %s", place, ph.adjective, ph.noun);
    return fzi_say(p, "moves%s", place);
}

/* "moves like a rook", "moves like any of the kinds that it has captured" */
static const char *likeness(fzi_prose *p, const fzi_node *item)
{
    const char *kind = fzi_say_value(p, item->value);
    const fzi_symbol *symbol = fzi_use_symbol(item->value);
    bool is_named = symbol && symbol->kind == FZI_SYM_KIND;
    bool is_set = item->value->type->kind == FZI_TYPE_SET;
    return fzi_say(p, "moves like %s%s", is_set ? "any of " : "",
                   is_named ? fzi_english_one(p, kind) : kind);
}

static const char *item_clause(fzi_prose *p, const fzi_node *item)
{
    const char *text = "", *conditions, *effect;
    fzi_comment c = fzi_comment_of(p, item);
    if (*c.prose) /* the author's text, unless an option makes the line void */
        return fzi_say_quantifiers(p, item->kind == N_I_MOVE || item->kind == N_I_AS ? item->quants
                                                                                     : NULL)
                   ? fzi_english_clause(p, fzi_fill_text(p, c.prose))
                   : "";
    switch (item->kind) {
    case N_I_MOVE:
        text = target(p, item);
        fzi_mean(p, item->symbol, NULL, fzi_say(p, "that %s", p->site));
        conditions = fzi_say_quantifiers(p, item->quants);
        effect = item->effect ? fzi_say_statement(p, item->effect) : "";
        return !conditions ? ""
                           : fzi_say(p, "%s%s%s%s", text, conditions, *effect ? ": " : "", effect);
    case N_I_AS:
        conditions = fzi_say_quantifiers(p, item->quants);
        return conditions ? fzi_say(p, "%s%s", likeness(p, item), conditions) : "";
    case N_I_AT:
        if (item->symbol)
            fzi_mean(p, item->symbol, NULL, fzi_say(p, "that %s", p->site));
        conditions = fzi_say_quantifiers(p, item->quants);
        effect = conditions ? fzi_say_statement(p, item->effect) : "";
        return !*effect ? ""
                        : fzi_say(p, "%s, when it comes to %s: %s",
                                  item->op == FZ_T_OR ? "may do this" : "must do this",
                                  fzi_say_all(p, fzi_say_set(p, item->targets)), effect);
    case N_I_MOVES:
        text = fzi_say_options(p, item->options);
        return *text ? fzi_say(p, "can also do this: %s", text) : "";
    case N_I_ATTACKS:
        return fzi_say(p, "also attacks %s", fzi_say_all(p, fzi_say_set(p, item->targets)));
    case N_I_AFTER:
        effect = fzi_say_statement(p, item->effect);
        return *effect ? fzi_say(p, "after the move, %s", effect) : "";
    default: return "";
    }
}

bool fzi_pieces_capture(fzi_prose *p)
{
    for (unsigned i = 0; i < p->game->piece_count; i++)
        for (const fzi_node *item = p->game->pieces[i].items; item; item = item->next)
            if (item->kind == N_I_MOVE && item->op == FZ_T_MOVE && !item->effect) {
                fzi_phrase ph = fzi_say_set(p, item->targets);
                if (!ph.is_piece && !strstr(ph.adjective, "empty"))
                    return true;
            }
    return false;
}

/* The piece moves like another kind, under no condition and without a text of its own. */
static bool is_plain_likeness(fzi_prose *p, const fzi_node *item)
{
    return item->kind == N_I_AS && !item->quants && !*fzi_comment_of(p, item).prose &&
           item->value->type->kind != FZI_TYPE_SET;
}

/* "moves like a rook or a knight": of this item and of those that follow. */
static const char *likenesses(fzi_prose *p, const fzi_node *item)
{
    const char *text = likeness(p, item);
    while ((item = item->next) != NULL)
        if (is_plain_likeness(p, item))
            text = fzi_say(p, "%s or %s", text, likeness(p, item) + strlen("moves like "));
    return text;
}

const char *fzi_say_piece(fzi_prose *p, const fzi_piece *piece)
{
    const char *text = "";
    bool likened = false;
    for (const fzi_node *item = piece->items; item; item = item->next) {
        bool is_like = is_plain_likeness(p, item);
        if (item->flags & FZ_NODE_BORROWED || (is_like && likened))
            continue;
        likened |= is_like;
        fzi_meaning *before = p->meanings;
        fzi_mean(p, piece->here, NULL, "the piece");
        const char *clause = is_like ? likenesses(p, item) : item_clause(p, item);
        p->meanings = before;
        if (!*clause)
            continue;
        if (*text && item->kind != N_I_AFTER)
            clause = fzi_say(p, "it %s", clause);
        text = fzi_english_both(p, text, fzi_english_sentence(p, clause));
    }
    return text;
}
