/* The phases of .lud games: each player is in one of them, and moves on after a turn. */
#include "lud_writer.h"

/* (phase "Placement" P1 (play …) (end …) (nextPhase …)) */
static bool read_phase(fzi_lud_writer *w, const fzi_lud *node)
{
    if (!fzi_lud_is(node, "phase") || node->count < 3 || node->items[1]->kind != FZ_LUD_STRING ||
        w->phase_count == FZ_LUD_MOST_PHASES)
        return fzi_lud_refuse(w, node);
    fzi_lud_phase *phase = &w->phases[w->phase_count++];
    *phase = (fzi_lud_phase){.name = node->items[1]->text, .owner = FZ_LUD_EACH, .node = node};
    phase->kind = FZ_LUD_TEXT(w, "%s_phase", fzi_lud_name_of(w, phase->name));
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
        else
            return fzi_lud_refuse(w, item);
    }
    return phase->play || fzi_lud_refuse(w, node);
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

bool fzi_lud_begin_phases(fzi_lud_writer *w, fzi_growing *setup)
{
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
    fzi_grow_z(w->arena, to, "}\nvar phase[player]: Phase;\n");
}

/* (nextPhase Mover C "Name"): `if C phase[p] = Name;` */
static bool add_next(fzi_lud_writer *w, const fzi_lud_phase *from, const fzi_lud *node,
                     fzi_growing *to)
{
    const char *target = NULL, *who = NULL, *test = NULL;

    for (size_t i = 1; i < node->count; i++) {
        const fzi_lud *item = node->items[i];
        for (size_t n = 0; item->kind == FZ_LUD_STRING && n < w->phase_count; n++)
            if (strcmp(w->phases[n].name, item->text) == 0)
                target = w->phases[n].kind;
        if (item->kind == FZ_LUD_STRING && target && i + 1 == node->count)
            continue;
        if (item->kind == FZ_LUD_WORD && i == 1) {
            who = strcmp(item->text, "All") == 0 ? NULL : fzi_lud_say(w, FZ_SAY_PLAYER, item);
            if (!who && strcmp(item->text, "All") != 0)
                return false;
        } else {
            test = fzi_lud_say(w, FZ_SAY_BOOL, item);
            if (!test)
                return false;
            test = fzi_lud_term(w, test);
        }
    }
    size_t number = (size_t)(from - w->phases);
    if (!target && number + 1 < w->phase_count)
        target = w->phases[number + 1].kind;
    if (!target)
        return fzi_lud_refuse(w, node);
    fzi_grow_z(w->arena, to,
               FZ_LUD_TEXT(w, "%s%s%s%s phase[p] = %s;\n", who || test ? "if " : "",
                           who ? FZ_LUD_TEXT(w, "p == %s", who) : "", who && test ? " and " : "",
                           test ? test : "", target));
    return true;
}

bool fzi_lud_next_phases(fzi_lud_writer *w, fzi_growing *to)
{
    bool any = false;

    for (size_t i = 0; i < w->phase_count; i++)
        any = any || w->phases[i].next_count;
    if (!any)
        return true;
    fzi_grow_z(w->arena, to, "for p in player {\n");
    bool first = true;
    for (size_t i = 0; i < w->phase_count; i++) {
        const fzi_lud_phase *phase = &w->phases[i];
        if (!phase->next_count)
            continue;
        fzi_grow_z(w->arena, to,
                   FZ_LUD_TEXT(w, "%sif phase[p] == %s {\n", first ? "" : "else ", phase->kind));
        first = false;
        for (size_t n = 0; n < phase->next_count; n++) {
            if (n)
                fzi_grow_z(w->arena, to, "else ");
            if (!add_next(w, phase, phase->next[n], to))
                return false;
        }
        fzi_grow_z(w->arena, to, "}\n");
    }
    fzi_grow_z(w->arena, to, "}\n");
    return true;
}

bool fzi_lud_phased_choice(fzi_lud_writer *w, const char *otherwise, fzi_growing *to)
{
    for (size_t i = 0; i < w->phase_count; i++) {
        bool last = i + 1 == w->phase_count;
        if (!last || i)
            fzi_grow_z(w->arena, to,
                       last ? "else {\n"
                            : FZ_LUD_TEXT(w, "%sif phase[me] == %s {\n", i ? "else " : "",
                                          w->phases[i].kind));
        if (!fzi_lud_choice(w, w->phases[i].play, "", otherwise, to))
            return false;
        if (!last || i)
            fzi_grow_z(w->arena, to, "}\n");
    }
    return true;
}

bool fzi_lud_phased_options(fzi_lud_writer *w, fzi_growing *to)
{
    for (size_t i = 0; i < w->phase_count; i++) {
        fzi_grow_z(w->arena, to, FZ_LUD_TEXT(w, "if phase[me] == %s {\n", w->phases[i].kind));
        if (!fzi_lud_options(w, w->phases[i].play, "", to))
            return false;
        fzi_grow_z(w->arena, to, "}\n");
    }
    return true;
}
