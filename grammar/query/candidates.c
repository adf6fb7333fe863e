/* Collects the names that fit a place of the text, for completion. */
#include "query.h"

#include "grammar/check/checker.h"

static void add(const fzi_analysis *a, fzi_candidates *c, const fzi_symbol *symbol, bool fits)
{
    *FZI_MORE(a->arena, c->items, c->count, c->capacity) = (fzi_candidate){symbol, fits};
}

/* ---- types ---- */

/* The type of a value that the name can stand for, or that a call of it gives; NULL: it depends on
 * the arguments. `is_value` becomes false if there is no value. */
static const fzi_type *value_type(const fzi_analysis *a, const fzi_symbol *s, bool *is_value)
{
    *is_value = !fzi_is_generator(s) && s->kind != FZI_SYM_PROC;
    switch (s->kind) {
    case FZI_SYM_TYPE: case FZI_SYM_ENUM: case FZI_SYM_DIE:
        *is_value = s->type && s->type->kind >= FZI_TYPE_BOOL && s->type->kind != FZI_TYPE_SET &&
                    s->type != a->game->type_int;
        return *is_value ? fzi_type_set_of(a->game, s->type) : NULL;
    case FZI_SYM_PRIMITIVE:
        if (s->value >= FZI_PIECE_MOVES)
            return NULL;
        *is_value = fzi_primitive_at(s->value)->result != 'v';
        return fzi_primitive_type(a->game, fzi_primitive_at(s->value)->result);
    default:
        return s->type && s->type->kind != FZI_TYPE_POISON ? s->type : NULL;
    }
}

/* Conditions compare values of all types. */
static bool takes_all(const fzi_type *want)
{
    return !want || want->kind == FZI_TYPE_POISON || want->kind == FZI_TYPE_VOID ||
           want->kind == FZI_TYPE_BOOL;
}

static void add_value(const fzi_analysis *a, fzi_candidates *c, const fzi_symbol *s,
                      const fzi_type *want)
{
    bool is_value;
    const fzi_type *type = value_type(a, s, &is_value);
    bool fits = type && want && want->kind != FZI_TYPE_POISON && fzi_type_fits(type, want);
    if (is_value && (fits || !type || takes_all(want)))
        add(a, c, s, fits);
}

/* ---- the places ---- */

static bool is_statement(const fzi_symbol *s)
{
    if (s->kind == FZI_SYM_LOCAL)
        return s->local == FZI_LOCAL_VAR;
    if (s->kind == FZI_SYM_PRIMITIVE)
        return s->value < FZI_PIECE_MOVES && fzi_primitive_at(s->value)->result == 'v';
    return s->kind == FZI_SYM_PROC || s->kind == FZI_SYM_VAR;
}

static void offer(const fzi_analysis *a, fzi_candidates *c, const fzi_probe *probe,
                  const fzi_symbol *s)
{
    uint32_t bit = 1u << s->kind;
    bool suits = false;
    if (*s->name == '_' && s->node && (s->node->flags & FZ_NODE_MODULE))
        return; /* the module's own */
    switch (probe->wanted) {
    case FZI_WANTS_VALUE: add_value(a, c, s, probe->type); break;
    case FZI_WANTS_TYPE: suits = bit & FZI_KINDS_TYPE; break;
    case FZI_WANTS_MEMBER:
        suits = (bit & FZI_KINDS_MEMBER) && fzi_type_same(s->type, probe->type);
        break;
    case FZI_WANTS_STATEMENT: suits = is_statement(s); break;
    case FZI_WANTS_GENERATOR: suits = fzi_is_generator(s); break;
    case FZI_WANTS_LABEL: suits = s->kind == FZI_SYM_LOCAL; break;
    case FZI_WANTS_MODULE: suits = fzi_entry_of(s)->home == probe->module; break;
    case FZI_WANTS_NOTHING: break;
    }
    if (suits)
        add(a, c, s, true);
}

/* Does an inner local, from number `from` on, have this name? */
static bool is_hidden(const fzi_probe *probe, size_t from, const char *name)
{
    for (size_t i = from; i < probe->local_count; i++)
        if (strcmp(probe->locals[i]->name, name) == 0)
            return true;
    return false;
}

fzi_candidates fzi_candidates_find(const fzi_analysis *a, const fzi_probe *probe)
{
    fzi_candidates found = {0};
    for (size_t i = probe->local_count; i-- > 0;)
        if (!is_hidden(probe, i + 1, probe->locals[i]->name))
            offer(a, &found, probe, probe->locals[i]);
    for (const fzi_entry *e = a->game ? a->game->globals->first : NULL; e; e = e->following)
        if (!is_hidden(probe, 0, e->symbol.name))
            offer(a, &found, probe, &e->symbol);
    return found;
}

fzi_candidates fzi_globals_of(const fzi_analysis *a, uint32_t kinds)
{
    fzi_candidates found = {0};
    for (const fzi_entry *e = a->game ? a->game->globals->first : NULL; e; e = e->following)
        if (kinds >> e->symbol.kind & 1)
            add(a, &found, &e->symbol, true);
    return found;
}

fzi_candidates fzi_globals_named(const fzi_analysis *a, const char *name)
{
    fzi_candidates found = {0};
    for (const fzi_entry *e = a->game ? a->game->globals->first : NULL; e; e = e->following)
        if (strcmp(e->symbol.name, name) == 0)
            add(a, &found, &e->symbol, true);
    return found;
}
