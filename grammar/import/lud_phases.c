/* The phases of .lud games: each player is in one of them, and moves on after a turn. */
#include <stdlib.h>

#include "lud_writer.h"

/* {(nextPhase …) …} */
static bool is_set_of_next(const fzi_lud *node)
{
    bool all = node->kind == FZ_LUD_SET && node->count;

    for (size_t i = 0; all && i < node->count; i++)
        all = fzi_lud_is(node->items[i], "nextPhase");
    return all;
}

/* (phase "Placement" P1 (play …) (end …) (nextPhase …)) */
static bool read_phase(fzi_lud_writer *w, const fzi_lud *node)
{
    if (!fzi_lud_is(node, "phase") || node->count < 3 || node->items[1]->kind != FZ_LUD_STRING ||
        w->phase_count == FZ_LUD_MOST_PHASES)
        return fzi_lud_refuse(w, node);
    fzi_lud_phase *phase = &w->phases[w->phase_count]; /* one once it is whole */
    *phase = (fzi_lud_phase){.name = node->items[1]->text, .owner = FZ_LUD_EACH, .node = node};
    phase->kind = FZ_LUD_TEXT(w, "%s_phase", fzi_lud_name_of(w, phase->name));
    for (size_t i = 0; i < w->phase_count; i++)
        if (strcmp(w->phases[i].kind, phase->kind) == 0)
            phase->kind = FZ_LUD_TEXT(w, "%s%zu", phase->kind, w->phase_count + 1);
    for (size_t i = 2; i < node->count; i++) {
        const fzi_lud *item = fzi_lud_plain(w, node->items[i]);
        int owner;
        if (!item)
            return false;
        if (item->kind == FZ_LUD_WORD && fzi_lud_role(item->text, &owner) && owner > 0)
            phase->owner = owner;
        else if (fzi_lud_is(item, "play") && item->count == 2 && !phase->play)
            phase->play = item->items[1];
        else if (fzi_lud_is(item, "end") && !phase->end)
            phase->end = item;
        else if (fzi_lud_is(item, "nextPhase") && phase->next_count < FZ_LUD_MOST_NEXT)
            phase->next[phase->next_count++] = item;
        else if (is_set_of_next(item) && phase->next_count + item->count <= FZ_LUD_MOST_NEXT)
            for (size_t n = 0; n < item->count; n++)
                phase->next[phase->next_count++] = item->items[n];
        else
            return fzi_lud_refuse(w, item);
    }
    if (!phase->play)
        return fzi_lud_refuse(w, node);
    w->phase_count++;
    return true;
}

bool fzi_lud_read_phases(fzi_lud_writer *w, const fzi_lud *set)
{
    if (set->kind != FZ_LUD_SET || set->count < 1)
        return fzi_lud_refuse(w, set);
    for (size_t i = 0; i < set->count; i++) {
        const fzi_lud *phase = fzi_lud_plain(w, set->items[i]);
        if (!phase || !read_phase(w, phase))
            return false;
    }
    return true;
}

/* The phase in which a player begins; NULL: there is none. */
static const fzi_lud_phase *first_of(const fzi_lud_writer *w, int player)
{
    for (size_t i = 0; i < w->phase_count; i++)
        if (w->phases[i].owner == FZ_LUD_EACH || w->phases[i].owner == player)
            return &w->phases[i];
    return NULL;
}

/* Do all players go on together? */
static bool is_for_all(const fzi_lud_phase *phase)
{
    for (size_t n = 0; n < phase->next_count; n++) {
        const fzi_lud *who = phase->next[n]->count > 1 ? phase->next[n]->items[1] : NULL;
        if (who && who->kind == FZ_LUD_WORD && strcmp(who->text, "All") != 0 &&
            strcmp(who->text, "Each") != 0)
            return false;
    }
    return true;
}

bool fzi_lud_begin_phases(fzi_lud_writer *w, fzi_growing *setup)
{
    w->phase = "phase";
    for (size_t i = 0; i < w->phase_count; i++)
        if (w->phases[i].owner != FZ_LUD_EACH || !is_for_all(&w->phases[i]))
            w->phase = "phase[me]";
    for (int p = 1; p <= w->players && w->phase_count; p++) {
        const fzi_lud_phase *phase = first_of(w, p);
        if (!phase)
            return fzi_lud_refuse(w, w->phases[0].node);
        if (phase != &w->phases[0])
            fzi_grow_z(w->arena, setup, FZ_LUD_TEXT(w, "phase[P%d] = %s;\n", p, phase->kind));
    }
    return true;
}

void fzi_lud_declare_phases(fzi_lud_writer *w, fzi_growing *to)
{
    if (!w->phase_count)
        return;
    fzi_grow_z(w->arena, to, "enum Phase {");
    for (size_t i = 0; i < w->phase_count; i++)
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "%s%s", i ? ", " : "", w->phases[i].kind));
    fzi_grow_z(w->arena, to,
               strchr(w->phase, '[') ? "}\nvar phase[player]: Phase;\n" : "}\nvar phase: Phase;\n");
}

/* (nextPhase Mover C "Name"): whose phase changes ("p": everybody's), to which, and when. */
typedef struct change {
    const char *who, *target, *test; /* `test` is "" for always */
} change;

static bool read_next(fzi_lud_writer *w, const fzi_lud_phase *from, const fzi_lud *node, change *c)
{
    *c = (change){.who = "p", .test = ""};
    for (size_t i = 1; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        for (size_t n = 0; item->kind == FZ_LUD_STRING && n < w->phase_count; n++)
            if (!c->target && strcmp(w->phases[n].name, item->text) == 0)
                c->target = w->phases[n].kind;
        if (item->kind == FZ_LUD_STRING && c->target && i + 1 == node->count)
            continue;
        if (item->kind == FZ_LUD_WORD && i == 1) {
            bool all = strcmp(item->text, "All") == 0 || strcmp(item->text, "Each") == 0;
            c->who = all ? "p" : fzi_lud_say(w, FZ_SAY_PLAYER, item);
        } else
            c->test = fzi_lud_say(w, FZ_SAY_BOOL, item);
        if (!c->who || !c->test)
            return false;
    }
    size_t number = (size_t)(from - w->phases);
    if (!c->target && number + 1 < w->phase_count)
        c->target = w->phases[number + 1].kind;
    return c->target || fzi_lud_refuse(w, node);
}

/* `if phase[p] == A and C phase[p] = B;`: all changes, of which one is made. */
bool fzi_lud_next_phases(fzi_lud_writer *w, fzi_growing *to)
{
    fzi_growing text = {0};
    const char *only = NULL; /* whose phase all changes are about; NULL: each player's */
    bool common = !strchr(w->phase, '['), one = true, always = false;
    change c;

    for (size_t i = 0; i < w->phase_count; i++)
        for (size_t n = 0; n < w->phases[i].next_count; n++) {
            if (!read_next(w, &w->phases[i], w->phases[i].next[n], &c))
                return false;
            one = one && (!only || strcmp(only, c.who) == 0);
            only = c.who;
        }
    only = one ? only : "p";
    for (size_t i = 0; only && i < w->phase_count; i++, always = false)
        for (size_t n = 0; n < w->phases[i].next_count && !always; n++) {
            if (!read_next(w, &w->phases[i], w->phases[i].next[n], &c)) /* too many steps by now */
                return false;
            bool some = strcmp(only, c.who) != 0;
            always = !some && !*c.test;
            if (c.target == w->phases[i].kind && (always || n + 1 == w->phases[i].next_count))
                continue; /* nothing changes */
            const char *variable = common ? "phase" : FZ_LUD_TEXT(w, "phase[%s]", only);
            fzi_grow_z(w->arena, &text,
                       FZ_LUD_TEXT(w, "%sif %s == %s%s%s%s %s = %s;\n", text.length ? "else " : "",
                                   variable, w->phases[i].kind,
                                   some ? FZ_LUD_TEXT(w, " and p == %s", c.who) : "",
                                   *c.test ? " and " : "", fzi_lud_term(w, c.test), variable,
                                   c.target));
        }
    if (text.length)
        fzi_grow_z(w->arena, to,
                   FZ_LUD_TEXT(w, common || strcmp(only, "p") != 0 ? "%s" : "for p in player %s",
                               text.text));
    return true;
}

/* The length of `if C choose …; else `, by which all texts begin; 0. */
static size_t common_branch(const fzi_growing *parts, size_t count)
{
    const char *first = parts[0].text;
    const char *end = first && strncmp(first, "if ", 3) == 0 ? first : NULL;
    int deep = 0;

    for (; end && *end && (deep || strncmp(end, "\nelse ", 6) != 0); end++)
        deep += (*end == '{') - (*end == '}');
    size_t length = end && *end ? (size_t)(end - first) + 6 : 0;
    for (size_t i = 1; i < count && length; i++)
        length = parts[i].text && strncmp(parts[i].text, first, length) == 0 ? length : 0;
    return length;
}

bool fzi_lud_phased_choice(fzi_lud_writer *w, const char *stuck, fzi_growing *to)
{
    fzi_growing parts[FZ_LUD_MOST_PHASES] = {{0}};

    for (size_t i = 0; i < w->phase_count; i++)
        if (!fzi_lud_choice(w, w->phases[i].play, "", stuck, &parts[i]))
            return false;
    size_t common = w->phase_count > 1 ? common_branch(parts, w->phase_count) : 0;
    if (common)
        fzi_grow(w->arena, to, parts[0].text, common);
    for (size_t i = 0; i < w->phase_count; i++) {
        const fzi_growing part = {.text = parts[i].text ? parts[i].text + common : ""};
        if (i + 1 < w->phase_count)
            fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "if %s == %s ", w->phase, w->phases[i].kind));
        fzi_grow_z(w->arena, to,
                   w->phase_count > 1 ? fzi_lud_branch(w, &part, i + 1 == w->phase_count)
                                      : part.text);
        if (i + 1 < w->phase_count)
            fzi_grow_z(w->arena, to, "\nelse ");
    }
    return true;
}

/* How often the text has the word. */
static unsigned mentions(const char *text, const char *word)
{
    unsigned number = 0;

    for (const char *at = text; at && (at = strstr(at, word)); at++)
        number++;
    return number;
}

/* Do the other texts have the word, or those that stand at several places? */
static bool others_mention(const fzi_lud_writer *w, const fzi_growing *const *others, size_t count,
                           const char *word)
{
    bool found = false;

    for (size_t i = 0; i < count; i++)
        found = found || mentions(others[i]->text, word);
    for (size_t i = 0; i < w->shared_count; i++)
        found = found || mentions(w->shared[i].text, word);
    return found;
}

/* The turn with another condition in place of `asks`, and without phases. */
static void without_phases(fzi_lud_writer *w, fzi_growing *turn, fzi_growing *next,
                           const char *asks, const char *condition)
{
    fzi_growing text = {0};
    const char *at = strstr(turn->text, asks), *rest = at + strlen(asks);
    const char *placing = "choose if hand[me] > 0 for to in ";

    fzi_grow(w->arena, &text, turn->text, (size_t)(at - turn->text));
    fzi_grow_z(w->arena, &text, FZ_LUD_TEXT(w, "if %s ", condition));
    if (strcmp(condition, "hand[me] > 0") == 0 && strncmp(rest, placing, strlen(placing)) == 0) {
        fzi_grow_z(w->arena, &text, "choose to in ");
        rest += strlen(placing);
    }
    fzi_grow_z(w->arena, &text, rest);
    *turn = text;
    *next = (fzi_growing){0};
    w->phase_count = 0;
}

/* The first phase of a player is over for good when the hand is empty: it lasts while there is
 * something in it. Only the player may take pieces from the hand. */
static const char *while_hand_of_mover(const fzi_lud_writer *w, const char *ends,
                                       const fzi_growing *turn, const fzi_growing *const *others,
                                       size_t count)
{
    bool owns = !others_mention(w, others, count, "] -= ") &&
                mentions(turn->text, "] -= ") == mentions(turn->text, "hand[me] -= 1");

    return owns && strcmp(ends, "hand[me] == 0") == 0 ? "hand[me] > 0" : NULL;
}

/* The same when all players go on together: whoever takes pieces, the hands are asked at the end of
 * each turn. */
static const char *while_hands(const fzi_lud_writer *w, const char *ends)
{
    const char *const known[][2] = {{"hand[P1] == 0", "hand[P1] > 0"},
                                    {"hand[P2] == 0", "hand[P2] > 0"},
                                    {"hand[P1] == 0 and hand[P2] == 0", "hand[P1] + hand[P2] > 0"}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(ends, known[i][0]) == 0 && w->players == 2)
            return known[i][1];
    return NULL;
}

/* A script needs no phases if the first of two is over for good when hands are empty, or after the
 * first turn. Nothing may come into a hand, and only the choice of a turn may ask for the phase:
 * the rules of the end still see the first phase where its last turn ends. */
void fzi_lud_phases_by_hand(fzi_lud_writer *w, fzi_growing *turn, fzi_growing *next,
                            const fzi_growing *const *others, size_t count)
{
    if (w->phase_count != 2 || !next->text || !turn->text)
        return;
    const char *asks = FZ_LUD_TEXT(w, "if %s == %s ", w->phase, w->phases[0].kind);
    const char *changes = FZ_LUD_TEXT(w, " %s = %s;\n", w->phase, w->phases[1].kind);
    size_t begin = strlen(asks), end = strlen(changes), all = next->length;

    if (all < begin + end - 1 || strncmp(next->text, asks, begin) != 0 ||
        strcmp(next->text + all - end, changes) != 0 || !strstr(turn->text, asks) ||
        mentions(turn->text, "phase") != 2 || others_mention(w, others, count, "phase"))
        return;
    bool common = !strchr(w->phase, '[');
    const char *condition = NULL;
    if (all == begin + end - 1)
        condition = common ? "turns == 1" : NULL;
    else if (strncmp(next->text + begin, "and ", 4) == 0 && w->held_number &&
             atoi(w->held_number) > 0 && !mentions(turn->text, "] += ") &&
             !others_mention(w, others, count, "] += ")) {
        const char *ends =
            FZ_LUD_TEXT(w, "%.*s", (int)(all - end - begin - 4), next->text + begin + 4);
        condition =
            common ? while_hands(w, ends) : while_hand_of_mover(w, ends, turn, others, count);
    }
    if (condition)
        without_phases(w, turn, next, asks, condition);
}

bool fzi_lud_phased_options(fzi_lud_writer *w, fzi_growing *to)
{
    for (size_t i = 0; i < w->phase_count; i++) {
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "if %s == %s {\n", w->phase, w->phases[i].kind));
        if (!fzi_lud_options(w, w->phases[i].play, "", to))
            return false;
        fzi_grow_z(w->arena, to, "}\n");
    }
    return true;
}
