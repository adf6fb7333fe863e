/* Notes at errors in a lower file which change of a higher layer caused them. */
#include "layers.h"

const char *fzi_change_text(const fzi_change *change)
{
    return !change->now                             ? "removed here"
           : change->now->flags & FZ_NODE_EXTEND ? "extended here"
                                                    : "overridden here";
}

/* Searches a declaration for the name that an error is about. */
typedef struct search {
    const fzi_unit *unit;
    fzi_span error;
    const fzi_change *nearest; /* the change of a name at or in the error's place */
    uint32_t distance;
} search;

static bool declares(const fzi_node *list, const char *name)
{
    for (; list; list = list->next)
        if (list->name && strcmp(list->name, name) == 0)
            return true;
    return false;
}

/* Did the declaration give meaning to the name: itself, or one of its values? */
static bool gave(const fzi_node *decl, const char *name)
{
    switch (decl->kind) {
    case N_D_ON_CAPTURE: return false;
    case N_D_PLAYERS: return declares(decl->players, name);
    case N_D_TEAMS: return declares(decl->teams, name);
    case N_D_ENUM: case N_D_OPTION:
        if (declares(decl->values, name))
            return true;
        break;
    default: break;
    }
    return decl->name && decl->kind != N_D_BOARD && strcmp(decl->name, name) == 0;
}

/* The place of a file among those that are merged, from the bottom. */
static size_t height(const fzi_unit *unit, uint32_t source)
{
    size_t i = 0;
    while (i < unit->layer_count && unit->layers[i]->file->span.source != source)
        i++;
    return i;
}

/* Only a file above the error's can take away what the error's file relies on. */
static bool is_above(const fzi_unit *unit, const fzi_change *change, fzi_span error)
{
    return height(unit, change->span.source) > height(unit, error.source);
}

/* The last change of what the name meant, in a file above the error's. */
static const fzi_change *change_of(const search *s, const char *name)
{
    const fzi_change *found = NULL;
    for (const fzi_change *c = s->unit->changes; c; c = c->next)
        if (gave(c->old, name) && is_above(s->unit, c, s->error))
            found = c;
    return found;
}

static uint32_t distance(fzi_span a, fzi_span b)
{
    return a.end < b.start ? b.start - a.end : b.end < a.start ? a.start - b.end : 0;
}

/* Looks at names in the place of the error and around it: a call with a wrong argument. */
static void look(search *s, const fzi_node *list)
{
    for (; list; list = list->next) {
        const fzi_change *change = list->name ? change_of(s, list->name) : NULL;
        fzi_span place = list->name_span.end > list->name_span.start ? list->name_span : list->span;
        uint32_t far = distance(place, s->error);
        if (change && (!s->nearest || far < s->distance)) {
            s->nearest = change;
            s->distance = far;
        }
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            look(s, list->children[i]);
    }
}

static bool encloses(fzi_span outer, fzi_span inner)
{
    return outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end;
}

/* The part of a list that the place belongs to: a statement, an option, an item of a piece. */
static const fzi_node *part_at(const fzi_node *list, fzi_span place)
{
    while (list && !encloses(list->span, place))
        list = list->next;
    return list;
}

static bool is_part(const fzi_node *node)
{
    return node->kind == N_OPTION || (node->kind >= N_I_MOVE && node->kind <= N_I_PROPERTY) ||
           (node->kind > N_S_BLOCK && node->kind <= N_S_DIAGRAM) || node->kind == N_FILTER;
}

static const fzi_node *innermost(const fzi_node *node, fzi_span place)
{
    const fzi_node *found = is_part(node) ? node : NULL;
    for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++) {
        const fzi_node *part = part_at(node->children[i], place);
        const fzi_node *inner = part ? innermost(part, place) : NULL;
        if (inner)
            found = inner;
    }
    return found;
}

static const fzi_change *board_change(const fzi_unit *unit, const fzi_diag *diag)
{
    const fzi_change *found = NULL;
    for (const fzi_change *c = unit->changes; c; c = c->next)
        if (c->old->kind == N_D_BOARD && is_above(unit, c, diag->span))
            found = c;
    return found;
}

static const fzi_change *cause_of(const fzi_unit *unit, const fzi_diag *diag, const fzi_node *decl)
{
    search s = {.unit = unit, .error = diag->span};
    const fzi_node *part = innermost(decl, diag->span);
    if (diag->code == FZ_E_NO_SUCH_SITE)
        return board_change(unit, diag);
    if (part) {
        fzi_node alone = *part;
        alone.next = NULL;
        look(&s, &alone);
    } else {
        for (unsigned i = 0; i < FZ_NODE_CHILDREN; i++)
            look(&s, decl->children[i]);
    }
    if (s.nearest || diag->code != FZ_E_UNKNOWN_NAME)
        return s.nearest;
    return board_change(unit, diag); /* a direction, or a set of sites such as `corners` */
}

static bool is_noted(const fzi_diag *diag, fzi_span span)
{
    for (const fzi_note *note = diag->notes; note; note = note->next)
        if (note->span.source == span.source && note->span.start == span.start)
            return true;
    return false;
}

/* The declaration that the error is in; NULL: none, or its file made the changes. */
static const fzi_node *decl_at(const fzi_unit *unit, fzi_span place)
{
    for (const fzi_node *decl = unit->decls; decl; decl = decl->next)
        if (encloses(decl->span, place))
            return decl;
    return NULL;
}

void fzi_note_changes(fzi_diags *diags, const fzi_unit *unit)
{
    if (!unit->changes)
        return;
    for (fzi_diag *diag = diags->first; diag; diag = diag->next) {
        const fzi_node *decl = diag->is_warning ? NULL : decl_at(unit, diag->span);
        const fzi_change *change = decl ? cause_of(unit, diag, decl) : NULL;
        if (!change)
            continue;
        if (!is_noted(diag, change->span))
            fzi_note_at(diag, change->span, "%s", fzi_change_text(change));
        if (diag->code == FZ_E_UNKNOWN_NAME)
            diag->hints = NULL; /* the name is not misspelled */
        if (decl->name && (!change->now || change->old->kind == N_D_BOARD))
            fzi_hint_add(diag, "override or remove '%s', too, which uses it", decl->name);
    }
}

const fzi_change *fzi_unit_removed(const fzi_unit *unit, const char *name)
{
    for (const fzi_change *change = name ? unit->changes : NULL; change; change = change->next)
        if (!change->now && change->old->name && strcmp(change->old->name, name) == 0)
            return change;
    return NULL;
}
