/* What .lud games keep besides pieces: triggers, the counter, scores, groups. */
#include "lud_writer.h"

/* (is Triggered "Name" Next) and (trigger "Name" Next): `suffix` is " = true;" */
static const char *say_trigger(fzi_lud_writer *w, const fzi_lud *node, size_t first,
                               const char *suffix)
{
    if (node->count != first + 2 || node->items[first]->kind != FZ_LUD_STRING)
        return NULL;
    const char *player = fzi_lud_say(w, FZ_SAY_PLAYER, node->items[first + 1]);
    const char *name = FZ_LUD_TEXT(w, "is_%s", fzi_lud_name_of(w, node->items[first]->text));
    if (!player)
        return NULL;
    fzi_lud_declare(w, FZ_LUD_TEXT(w, "var %s[player]: bool;\n", name));
    return FZ_LUD_TEXT(w, "%s[%s]%s", name, player, suffix);
}

static const char *say_counter(fzi_lud_writer *w)
{
    w->uses_counter = true;
    fzi_lud_declare(w, "/// Moves since it was set.\nvar counter: int = -1;\n");
    return "counter";
}

/* (set Score Each 2), (set Counter) */
static const char *say_set(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *what = node->items[1];

    if (fzi_lud_is_word(what, "Counter") && node->count <= 3) {
        const char *number = node->count == 3 ? fzi_lud_say(w, FZ_SAY_INT, node->items[2]) : "-1";
        return number ? FZ_LUD_TEXT(w, "%s = %s;", say_counter(w), number) : NULL;
    }
    int owner;
    if (node->count != 4 || !fzi_lud_is_word(what, "Score") || node->items[2]->kind == FZ_LUD_SET)
        return NULL;
    const char *number = fzi_lud_say(w, FZ_SAY_INT, node->items[3]);
    bool each = node->items[2]->kind == FZ_LUD_WORD && fzi_lud_role(node->items[2]->text, &owner) &&
                owner == FZ_LUD_EACH;
    const char *player = each ? "" : fzi_lud_say(w, FZ_SAY_PLAYER, node->items[2]);
    if (!number || !player)
        return NULL;
    w->uses_score = true;
    return each ? FZ_LUD_TEXT(w, "score = %s;", number)
                : FZ_LUD_TEXT(w, "score[%s] = %s;", player, number);
}

/* (count Groups Orthogonal if:(= (who at:(to)) Mover)) */
static const char *say_groups(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud *test = fzi_lud_labelled(node, "if"), *dirs = NULL;
    fzi_lud_names names = w->names;

    for (size_t i = 2; i < node->count; i++)
        if (node->items[i] != test) {
            if (dirs || node->items[i]->kind != FZ_LUD_WORD)
                return NULL;
            dirs = node->items[i];
        }
    if (!test)
        return NULL;
    w->names.to = w->names.site = "s";
    const char *condition = fzi_lud_say(w, FZ_SAY_BOOL, test);
    w->names = names;
    const char *ways = dirs ? fzi_lud_say(w, FZ_SAY_DIRS, dirs) : fzi_lud_adjacent(w);
    if (!condition || !ways)
        return NULL;
    const char *player = strncmp(condition, "owner(s) == ", 12) == 0     ? condition + 12
                         : strncmp(condition, "me == owner(s)", 14) == 0 ? "me"
                                                                         : NULL;
    if (!player || strchr(player, ' '))
        return NULL;
    return FZ_LUD_TEXT(w, "#{for s in owned(%s) if s == first(flood(s, owned(%s), %s))}", player,
                       player, ways);
}

const char *fzi_lud_state(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    if (node->kind != FZ_LUD_LIST || node->count < 1)
        return NULL;
    if (type == FZ_SAY_INT && fzi_lud_is(node, "counter") && node->count == 1)
        return say_counter(w);
    if (node->count < 2)
        return NULL;
    if (type == FZ_SAY_INT && fzi_lud_is(node, "count") &&
        fzi_lud_is_word(node->items[1], "Groups"))
        return say_groups(w, node);
    if (type == FZ_SAY_DO && fzi_lud_is(node, "set"))
        return say_set(w, node);
    if (type == FZ_SAY_DO && fzi_lud_is(node, "trigger"))
        return say_trigger(w, node, 1, " = true;");
    if (type == FZ_SAY_BOOL && fzi_lud_is(node, "is") &&
        fzi_lud_is_word(node->items[1], "Triggered"))
        return say_trigger(w, node, 2, "");
    return NULL;
}
