/* Dice of .lud games. Where only the sum of the dice matters, the script has one die for it; else a
 * number for each die, 0 once it has been used. */
#include <ctype.h>
#include <stdlib.h>

#include "lud_writer.h"

enum { MOST_FACE = 100, MOST_THROWS = 1000000 };

/* faces:{1 3 4 6}, or the list of one die in facesByDie:{{0 4} {0 6}} */
static bool read_faces(fzi_lud_writer *w, const fzi_lud *list, int *faces)
{
    fzi_lud_dice *d = &w->dice;

    if (list->kind != FZ_LUD_SET || list->count < 2 || list->count > FZ_LUD_MOST_SIDES)
        return false;
    d->faces = (int)list->count;
    for (size_t i = 0; i < list->count; i++) {
        faces[i] = fzi_lud_number(w, list->items[i]);
        if (faces[i] < 0 || faces[i] > MOST_FACE)
            return false;
    }
    return true;
}

static bool read_part(fzi_lud_writer *w, const fzi_lud *item)
{
    fzi_lud_dice *d = &w->dice;

    if (fzi_lud_has_label(item, "faces"))
        return (d->odd = read_faces(w, item, d->face[0]));
    if (fzi_lud_has_label(item, "facesByDie")) {
        bool good = item->kind == FZ_LUD_SET && item->count && item->count <= FZ_LUD_MOST_DICE;
        for (size_t i = 0; good && i < item->count; i++)
            good = read_faces(w, item->items[i], d->face[i]) &&
                   item->items[i]->count == item->items[0]->count;
        d->lists = item->count;
        return (d->odd = good);
    }
    int number = item->label ? fzi_lud_number(w, item) : -1;
    if (fzi_lud_has_label(item, "d") && (!d->odd || number == d->faces))
        d->faces = number;
    else if (fzi_lud_has_label(item, "from"))
        d->least = number;
    else if (fzi_lud_has_label(item, "num"))
        d->count = number;
    else
        return false;
    return number >= 0;
}

/* (dice d:6 from:1 num:2), (dice d:4 faces:{1 3 4 6}), (dice d:2 facesByDie:{{0 4} {0 6}} num:2) */
bool fzi_lud_read_dice(fzi_lud_writer *w, const fzi_lud *node)
{
    fzi_lud_dice *d = &w->dice;

    if (d->count)
        return fzi_lud_refuse(w, node);
    *d = (fzi_lud_dice){.count = 1, .least = 1, .faces = 6};
    for (size_t i = 1; i < node->count; i++)
        if (!read_part(w, node->items[i]))
            return fzi_lud_refuse(w, node);
    if (d->count < 1 || d->count > FZ_LUD_MOST_DICE || d->faces < 2 ||
        d->faces > FZ_LUD_MOST_SIDES || d->least > MOST_FACE ||
        (d->lists && d->lists != (size_t)d->count))
        return fzi_lud_refuse(w, node);
    double throws = 1;
    for (int i = 0; i < d->count; i++)
        throws *= d->faces;
    if (throws > MOST_THROWS)
        return fzi_lud_refuse(w, node);
    for (int i = 0; i < d->count; i++)
        for (int n = 0; n < d->faces; n++)
            if (!d->odd || (i && !d->lists))
                d->face[i][n] = d->odd ? d->face[0][n] : d->least + n;
    d->single =
        d->count > 1 && (fzi_lud_uses(w, "forEach", "Die") || fzi_lud_uses(w, "pips", NULL) ||
                         fzi_lud_uses(w, "face", NULL) || fzi_lud_uses(w, "all", "DiceUsed") ||
                         fzi_lud_uses(w, "all", "DiceEqual") || fzi_lud_uses(w, "is", "AnyDie"));
    d->used =
        d->count == 1 && (fzi_lud_uses(w, "forEach", "Die") || fzi_lud_uses(w, "all", "DiceUsed"));
    d->single = d->single || d->used;
    d->summed = d->single && fzi_lud_uses(w, "count", "Pips");
    d->shown = d->single && fzi_lud_uses(w, "face", NULL);
    d->equal = fzi_lud_uses(w, "all", "DiceEqual");
    return !d->single || !d->lists || fzi_lud_refuse(w, node); /* else all dice are alike */
}

enum { MOST_SUM = FZ_LUD_MOST_DICE * (MOST_FACE + FZ_LUD_MOST_SIDES) };

/* `die NAME {…}`: the sums of so many dice, with the number of throws that have each. */
static void add_die(fzi_lud_writer *w, const char *name, int count, fzi_growing *to)
{
    const fzi_lud_dice *d = &w->dice;
    unsigned *sums = fzi_arena_alloc(w->arena, (MOST_SUM + 1) * sizeof *sums);
    const char *comma = "";

    memset(sums, 0, (MOST_SUM + 1) * sizeof *sums);
    sums[0] = 1;
    for (int die = 0; die < count; die++)
        for (int sum = MOST_SUM; sum >= 0; sum--) {
            unsigned all = 0;
            for (int n = 0; n < d->faces; n++)
                all += d->face[die][n] <= sum ? sums[sum - d->face[die][n]] : 0;
            sums[sum] = all;
        }
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "die %s {", name));
    for (int sum = 0; sum <= MOST_SUM; sum++)
        if (sums[sum]) {
            fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "%s%d: %u", comma, sum, sums[sum]));
            comma = ", ";
        }
    fzi_grow_z(w->arena, to, "}\n");
}

void fzi_lud_declare_dice(fzi_lud_writer *w, fzi_growing *to)
{
    const fzi_lud_dice *d = &w->dice;
    int most = 0;

    if (!d->count)
        return;
    for (int n = 0; n < d->faces; n++)
        most = d->face[0][n] > most ? d->face[0][n] : most;
    bool one = d->single || d->count == 1;
    if (!one || d->odd)
        add_die(w, one ? "Die" : "Throw", one ? 1 : d->count, to);
    else
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "die Die = %d..%d;\n", d->least, most));
    if (d->single)
        fzi_grow_z(w->arena, to,
                   FZ_LUD_TEXT(w,
                               "/// What each die shows; 0 after its use.\nvar dice[1..%d]: "
                               "0..%d;\n",
                               d->count, most));
    if (d->shown)
        fzi_grow_z(
            w->arena, to,
            FZ_LUD_TEXT(w, "/// The latest throw.\nvar thrown[1..%d]: 0..%d;\n", d->count, most));
    if (!d->single || d->summed)
        fzi_grow_z(w->arena, to, "/// The latest throw.\nvar pips: int;\n");
    if (d->equal)
        fzi_grow_z(w->arena, to, "/// The dice showed the same.\nvar doublet: bool;\n");
}

static const char *say_roll(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud_dice *d = &w->dice;
    const char *follow = "";

    if (node->count == 2 && fzi_lud_is(node->items[1], "then") && node->items[1]->count == 2)
        follow = fzi_lud_say(w, FZ_SAY_DO, node->items[1]->items[1]);
    else if (node->count != 1)
        return NULL;
    if (!follow)
        return NULL;
    if (!d->single)
        return FZ_LUD_TEXT(w, "pips = roll(%s); %s", d->count == 1 ? "Die" : "Throw", follow);
    const char *doublet =
        d->equal ? FZ_LUD_TEXT(w, "doublet = all i in 1..%d : dice[i] == dice[1]; ", d->count) : "";
    const char *sum =
        d->summed ? FZ_LUD_TEXT(w, "pips = sum i in 1..%d : dice[i]; ", d->count) : "";
    return FZ_LUD_TEXT(w, "for i in 1..%d dice[i] = roll(Die); %s%s%s%s", d->count,
                       d->shown ? "thrown = dice; " : "", sum, doublet, follow);
}

static const char *say_number(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud_dice *d = &w->dice;

    if (fzi_lud_is(node, "count") && node->count == 2 && fzi_lud_is_word(node->items[1], "Pips"))
        return "pips";
    if (fzi_lud_is(node, "pips") && node->count == 1)
        return w->names.pips;
    if (fzi_lud_is(node, "face") && node->count == 2) {
        int number = fzi_lud_number(w, node->items[1]);
        number -= (int)(w->board.count + w->hand_count);
        return number < 0 || number >= d->count ? NULL
               : d->single                      ? FZ_LUD_TEXT(w, "thrown[%d]", number + 1)
                                                : "pips";
    }
    return NULL;
}

static const char *say_test(fzi_lud_writer *w, const fzi_lud *node)
{
    const fzi_lud_dice *d = &w->dice;

    if (fzi_lud_is(node, "all") && node->count == 2 && d->single) {
        if (fzi_lud_is_word(node->items[1], "DiceUsed"))
            return FZ_LUD_TEXT(w, "all i in 1..%d : dice[i] == 0", d->count);
        if (fzi_lud_is_word(node->items[1], "DiceEqual"))
            return "doublet";
    }
    if (fzi_lud_is(node, "is") && node->count == 3 && fzi_lud_is_word(node->items[1], "AnyDie") &&
        d->single) {
        const char *number = fzi_lud_operand(w, FZ_SAY_INT, node->items[2]);
        return number ? FZ_LUD_TEXT(w, "any i in 1..%d : dice[i] == %s", d->count, number) : NULL;
    }
    return NULL;
}

const char *fzi_lud_die(fzi_lud_writer *w, enum fzi_lud_type type, const fzi_lud *node)
{
    if (!w->dice.count || node->kind != FZ_LUD_LIST || node->count < 1)
        return NULL;
    return type == FZ_SAY_DO && fzi_lud_is(node, "roll") ? say_roll(w, node)
           : type == FZ_SAY_INT                          ? say_number(w, node)
           : type == FZ_SAY_BOOL                         ? say_test(w, node)
                                                         : NULL;
}
