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

/* How often the texts have the word. */
static unsigned mentions(const fzi_growing *const *texts, size_t count, const char *word)
{
    unsigned number = 0;

    for (size_t i = 0; i < count; i++)
        for (const char *at = texts[i]->text; at && (at = strstr(at, word)); at++)
            number++;
    return number;
}

/* A player whose phase changes for good when the hand is empty is in the first phase while there is
 * something in it: then the script needs no phase. Only the player may take pieces from the hand,
 * and only the choice may ask for the phase: the last turn of the first phase ends without a hand.
 */
void fzi_lud_phases_by_hand(fzi_lud_writer *w, fzi_growing *turn, fzi_growing *next,
                            const fzi_growing *const *others, size_t count)
{
    if (w->phase_count != 2 || !next->text || !turn->text || !w->held_number ||
        atoi(w->held_number) < 1)
        return;
    const char *asks = FZ_LUD_TEXT(w, "if phase[me] == %s ", w->phases[0].kind);
    const char *changes = FZ_LUD_TEXT(w, "%sand hand[me] == 0 phase[me] = %s;\n", asks,
                                      w->phases[1].kind);
    const char *at = strstr(turn->text, asks);
    const fzi_growing *const turns[] = {turn};
    if (strcmp(next->text, changes) != 0 || !at || mentions(turns, 1, "phase") != 2 ||
        mentions(turns, 1, "] += ") || mentions(others, count, "phase") ||
        mentions(others, count, "] += ") || mentions(others, count, "] -= ") ||
        mentions(turns, 1, "] -= ") != mentions(turns, 1, "hand[me] -= 1"))
        return;
    fzi_growing text = {0};
    const char *rest = at + strlen(asks), *placing = "choose if hand[me] > 0 for to in ";
    fzi_grow(w->arena, &text, turn->text, (size_t)(at - turn->text));
    fzi_grow_z(w->arena, &text, "if hand[me] > 0 ");
    if (strncmp(rest, placing, strlen(placing)) == 0) {
        fzi_grow_z(w->arena, &text, "choose to in ");
        rest += strlen(placing);
    }
    fzi_grow_z(w->arena, &text, rest);
    *turn = text;
    *next = (fzi_growing){0};
    w->phase_count = 0;
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
