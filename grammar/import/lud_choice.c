/* The choice of a turn of .lud games: what comes before it, its options, what happens without a
 * move. */
#include "lud_reach.h"

/* What a player does who cannot move: what a rule says, or a pass. */
static const char *otherwise_of(fzi_lud_writer *w, const char *stuck, const char *then)
{
    if (stuck)
        return stuck;
    if (w->uses_stuck && !*then)
        return "blocked();";
    const char *pass = fzi_lud_pass(w, then);
    const char *choice = strcmp(pass, "pass") == 0 ? "choose pass;"
                         : w->counts_passes        ? FZ_LUD_TEXT(w, "choose {%s}", pass)
                                                   : FZ_LUD_TEXT(w, "choose %s", pass);
    return w->uses_stuck ? FZ_LUD_TEXT(w, "{stuck_at[me] = turns; %s}", choice) : choice;
}

/* `choose OPTION`, `choose GENERATOR ensuring TEST` or `choose { … } ensuring TEST`. */
static const char *choice_of(fzi_lud_writer *w, const char *options, const char *test)
{
    size_t length = strlen(options);
    bool one = length > 1 && strchr(options, '\n') == options + length - 1;
    bool name = one && strspn(options, "abcdefghijklmnopqrstuvwxyz_0123456789") == length - 2;

    if (test)
        return name ? FZ_LUD_TEXT(w, "choose %.*s ensuring %s", (int)length - 2, options, test)
                    : FZ_LUD_TEXT(w, "choose {\n%s} ensuring %s", options, test);
    bool effect = strstr(options, "=>"), follows = strstr(options, " then ");
    if (!one || (follows && !effect))
        return FZ_LUD_TEXT(w, "choose {\n%s}", options);
    if (!effect)
        return FZ_LUD_TEXT(w, "choose %.*s", (int)length - 2, options);
    if (strncmp(options, "for ", 4) == 0)
        options += 4;
    return FZ_LUD_TEXT(w, "choose %.*s", (int)strlen(options) - 1, options);
}

const char *fzi_lud_branch(fzi_lud_writer *w, const fzi_growing *text, bool last)
{
    const char *all = text->text ? text->text : "";
    bool one = strncmp(all, "choose ", 7) == 0 || (last && strncmp(all, "if ", 3) == 0);
    return one ? all : FZ_LUD_TEXT(w, "{\n%s}", all);
}

static bool choice_if(fzi_lud_writer *w, const fzi_lud *node, const char *then, const char *stuck,
                      fzi_growing *to)
{
    fzi_growing yes = {0}, no = {0};
    const char *test = fzi_lud_test_of(w, node->items[1]);

    if (!test)
        return false;
    if (!fzi_lud_choice(w, node->items[2], then, stuck, &yes) ||
        (node->count == 4 && !fzi_lud_choice(w, node->items[3], then, stuck, &no)))
        return false;
    if (node->count == 3)
        fzi_grow_z(w->arena, &no, otherwise_of(w, stuck, ""));
    const char *rest = fzi_lud_branch(w, &no, true);
    fzi_grow_z(w->arena, to,
               FZ_LUD_TEXT(w, "if %s %s\nelse %s", test, fzi_lud_branch(w, &yes, false), rest));
    return true;
}

/* (do (roll) next:MOVES (then …)): what comes before the choice, such as a throw. */
static bool choice_after(fzi_lud_writer *w, const fzi_lud *node, const char *then,
                         const char *stuck, fzi_growing *to)
{
    const fzi_lud *next = fzi_lud_labelled(node, "next");
    const char *before = fzi_lud_say(w, FZ_SAY_DO, node->items[1]);
    const char *follow = before ? fzi_lud_after(w, fzi_lud_then_of(node), then) : NULL;

    if (!follow)
        return false;
    fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "\n%s\n", before)); /* see fzi_lud_branch */
    return fzi_lud_choice(w, next, follow, stuck, to);
}

bool fzi_lud_choice(fzi_lud_writer *w, const fzi_lud *written, const char *then, const char *stuck,
                    fzi_growing *to)
{
    const fzi_lud *node = fzi_lud_plain(w, written);
    fzi_growing options = {0};

    if (!node)
        return false;
    if (fzi_lud_is(node, "if") && !fzi_lud_then_of(node) && (node->count == 3 || node->count == 4))
        return choice_if(w, node, then, stuck, to);
    if (fzi_lud_is(node, "do") && fzi_lud_labelled(node, "next") &&
        !fzi_lud_labelled(node, "ifAfterwards") &&
        node->count == 3u + (fzi_lud_then_of(node) != NULL))
        return choice_after(w, node, then, stuck, to);
    if (fzi_lud_is(node, "priority") && node->count == 2 && node->items[1]->kind == FZ_LUD_SET) {
        const fzi_lud *set = node->items[1];
        for (size_t i = 0; i < set->count; i++) {
            fzi_growing part = {0};
            if (!fzi_lud_options(w, set->items[i], then, &part))
                return false;
            fzi_grow_z(
                w->arena, to,
                FZ_LUD_TEXT(w, "%s otherwise ", choice_of(w, part.text ? part.text : "", NULL)));
        }
        fzi_grow_z(w->arena, to, otherwise_of(w, stuck, w->dice.count ? then : ""));
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
               FZ_LUD_TEXT(w, "%s otherwise %s",
                           choice_of(w, options.text ? options.text : "", test),
                           otherwise_of(w, stuck, w->dice.count ? then : "")));
    return true;
}

const char *fzi_lud_legal_choice(fzi_lud_writer *w, const char *stuck)
{
    return FZ_LUD_TEXT(w, "choose legal otherwise %s", otherwise_of(w, stuck, ""));
}
