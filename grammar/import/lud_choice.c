/* The choice of a turn of .lud games: what comes before it, its options, what happens without a
 * move. */
#include <ctype.h>

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
    bool effect = strstr(options, "=>"), follows = strstr(options, " then ");
    bool name = one && !effect && !follows && options[length - 2] == ';';

    if (test)
        return name ? FZ_LUD_TEXT(w, "choose %.*s ensuring %s", (int)length - 2, options, test)
                    : FZ_LUD_TEXT(w, "choose {\n%s} ensuring %s", options, test);
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
    if (w->dice.count && fzi_lud_mentions(w, then, "new_pending"))
        return fzi_lud_unsaid(w, node, "the site of a pass is not translated yet") != NULL;
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

/* ---- swaps ---- */

/* Has the other player pieces of this kind, too? */
static bool has_twin(const fzi_lud_writer *w, size_t number)
{
    const fzi_lud_piece *piece = &w->pieces[number];

    for (size_t i = 0; i < w->piece_count; i++)
        if (w->pieces[i].owner > 0 && w->pieces[i].owner != piece->owner &&
            strcmp(w->pieces[i].kind, piece->kind) == 0)
            return true;
    return false;
}

/* The text with `first_side` for P1 and `second_side` for P2. */
static fzi_growing of_sides(fzi_lud_writer *w, const char *text)
{
    fzi_growing g = {0};

    for (char before = ' '; *text; before = *text++) {
        bool word = isalnum((unsigned char)before) || before == '_' ||
                    isalnum((unsigned char)(text[1] ? text[2] : 0));
        if (!word && text[0] == 'P' && (text[1] == '1' || text[1] == '2'))
            fzi_grow_z(w->arena, &g, *++text == '1' ? "first_side" : "second_side");
        else
            fzi_grow(w->arena, &g, text, 1);
    }
    return g;
}

bool fzi_lud_exchange(fzi_lud_writer *w, fzi_growing *const *texts, size_t count)
{
    static const char *const own[] = {"score", "hand", "phase"};
    const bool used[] = {w->uses_score, w->uses_hand, strchr(w->phase, '[') != NULL};
    bool one = false, two = false,
         clear = w->players == 2 && !w->stacks && !w->uses_mark && !w->uses_owned &&
                 !w->region_name_count && !w->map_count;
    fzi_growing g = {0};

    for (size_t i = 0; i < w->piece_count; i++)
        clear = clear && (w->pieces[i].owner <= 0 || has_twin(w, i));
    for (size_t i = 0; i < w->placed_count; i++)
        clear = clear && w->placed[i].owner <= 0;
    for (size_t i = 0; i < w->stored_count; i++)
        clear = clear && w->stored[i].kind != FZ_LUD_OF_PLAYER;
    clear = clear && !(w->declared.text && fzi_lud_mentions(w, w->declared.text, "P1"));
    for (size_t i = 0; i < count; i++) {
        const char *text = texts[i]->text ? texts[i]->text : "";
        clear =
            clear && !fzi_lud_mentions(w, text, " of P") && !fzi_lud_mentions(w, text, " of foe");
        one = one || fzi_lud_mentions(w, text, "P1");
        two = two || fzi_lud_mentions(w, text, "P2");
    }
    fzi_grow_z(w->arena, &g, w->placed_count ? "give theirs to me;" : "give occupied to me;");
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (used[i])
            fzi_grow_z(w->arena, &g,
                       FZ_LUD_TEXT(w, " let my_%s = %s[me]; %s[me] = %s[foe]; %s[foe] = my_%s;",
                                   own[i], own[i], own[i], own[i], own[i], own[i]));
    if (one) {
        fzi_grow_z(w->arena, &g, " first_side = me;");
        fzi_lud_declare(w, "/// Who plays the side that began: a swap exchanges the sides.\n"
                           "var first_side: player = P1;\n");
    }
    if (two) {
        fzi_grow_z(w->arena, &g, " second_side = foe;");
        fzi_lud_declare(w, "/// The other player.\nvar second_side: player = P2;\n");
    }
    if (one || two) {
        for (size_t i = 0; i < count; i++)
            if (texts[i]->text)
                *texts[i] = of_sides(w, texts[i]->text);
        for (size_t i = 0; i < w->shared_count; i++)
            w->shared[i].text = of_sides(w, w->shared[i].text).text;
    }
    w->exchange = fzi_lud_block(w, g.text);
    return clear;
}
