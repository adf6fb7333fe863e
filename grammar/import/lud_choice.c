/* The choice of a turn of .lud games: what comes before it, its options, what happens without a
 * move. */
#include "lud_reach.h"

/* `otherwise` with what follows the pass in it. */
static const char *pass_with(fzi_lud_writer *w, const char *otherwise, const char *then)
{
    const char *passes = strstr(otherwise, w->pass_effect);

    if (!*then || !passes)
        return otherwise;
    return FZ_LUD_TEXT(w, "%.*s{ %s %s }%s", (int)(passes - otherwise), otherwise,
                       w->counts_passes ? w->pass_effect : "", then,
                       passes + strlen(w->pass_effect));
}

static bool choice_if(fzi_lud_writer *w, const fzi_lud *node, const char *then,
                      const char *otherwise, fzi_growing *to)
{
    const char *test = fzi_lud_say(w, FZ_SAY_BOOL, node->items[1]);

    if (!test)
        return false;
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "if %s {\n", test));
    if (!fzi_lud_choice(w, node->items[2], then, otherwise, to))
        return false;
    fzi_grow_z(w->arena, to, "} else {\n");
    if (node->count == 3)
        fzi_grow_z(w->arena, to, otherwise);
    else if (!fzi_lud_choice(w, node->items[3], then, otherwise, to))
        return false;
    fzi_grow_z(w->arena, to, "}\n");
    return true;
}

/* (do (roll) next:MOVES (then …)): what comes before the choice, such as a throw. */
static bool choice_after(fzi_lud_writer *w, const fzi_lud *node, const char *then,
                         const char *otherwise, fzi_growing *to)
{
    const fzi_lud *next = fzi_lud_labelled(node, "next");
    const char *before = fzi_lud_say(w, FZ_SAY_DO, node->items[1]);
    const char *follow = before ? fzi_lud_after(w, fzi_lud_then_of(node), then) : NULL;

    if (!follow)
        return false;
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "%s\n", before));
    return fzi_lud_choice(w, next, follow,
                          w->dice.count ? pass_with(w, otherwise, follow) : otherwise, to);
}

bool fzi_lud_choice(fzi_lud_writer *w, const fzi_lud *written, const char *then,
                    const char *otherwise, fzi_growing *to)
{
    const fzi_lud *node = fzi_lud_plain(w, written);
    fzi_growing options = {0};

    if (!node)
        return false;
    if (fzi_lud_is(node, "if") && !fzi_lud_then_of(node) && (node->count == 3 || node->count == 4))
        return choice_if(w, node, then, otherwise, to);
    if (fzi_lud_is(node, "do") && fzi_lud_labelled(node, "next") &&
        !fzi_lud_labelled(node, "ifAfterwards") &&
        node->count == 3u + (fzi_lud_then_of(node) != NULL))
        return choice_after(w, node, then, otherwise, to);
    if (fzi_lud_is(node, "priority") && node->count == 2 && node->items[1]->kind == FZ_LUD_SET) {
        const fzi_lud *set = node->items[1];
        for (size_t i = 0; i < set->count; i++) {
            fzi_growing part = {0};
            if (!fzi_lud_options(w, set->items[i], then, &part))
                return false;
            fzi_grow_z(w->arena, to,
                       FZ_LUD_TEXT(w, "choose {\n%s} otherwise ", part.text ? part.text : ""));
        }
        fzi_grow_z(w->arena, to, otherwise);
        return true;
    }
    const char *test = NULL;
    if (fzi_lud_is(node, "do") && fzi_lud_labelled(node, "ifAfterwards") &&
        !fzi_lud_then_of(node)) {
        test = fzi_lud_ensured(w, node);
        if (!test)
            return false;
        node = node->items[1];
    }
    if (!fzi_lud_options(w, node, then, &options))
        return false;
    fzi_grow_z(w->arena, to,
               FZ_LUD_TEXT(w, "choose {\n%s}%s%s otherwise %s", options.text ? options.text : "",
                           test ? " ensuring " : "", test ? test : "", otherwise));
    return true;
}
