/* Makes, compares and joins types. */
#include "check.h"

static const fzi_type *base(fzi_game *game, int kind, const char *text, int64_t low, int64_t high)
{
    fzi_type *type = FZI_NEW(game->arena, fzi_type);
    type->kind = (uint8_t)kind;
    type->text = text;
    type->low = low;
    type->high = high;
    return type;
}

void fzi_types_init(fzi_game *game)
{
    game->type_poison = base(game, FZI_TYPE_POISON, "?", 0, -1);
    game->type_void = base(game, FZI_TYPE_VOID, "no value", 0, -1);
    game->type_bool = base(game, FZI_TYPE_BOOL, "bool", 0, 1);
    game->type_int = base(game, FZI_TYPE_INT, "int", INT32_MIN, INT32_MAX);
    game->type_site = base(game, FZI_TYPE_SITE, "site", 0, -1);
    game->type_dir = base(game, FZI_TYPE_DIR, "dir", 0, -1);
    game->type_player = base(game, FZI_TYPE_PLAYER, "player", 0, -1);
    game->type_team = base(game, FZI_TYPE_TEAM, "team", 0, -1);
    game->type_kind = base(game, FZI_TYPE_KIND, "kind", 0, -1);
    game->type_off = base(game, FZI_TYPE_OFF, "off", 0, -1);
    game->type_nothing = base(game, FZI_TYPE_NOTHING, "{}", 0, -1);
    fzi_type *sites = (fzi_type *)base(game, FZI_TYPE_SET, "sites", 0, -1);
    sites->element = game->type_site;
    game->type_sites = sites;
    fzi_type *dirs = (fzi_type *)base(game, FZI_TYPE_SET, "dirs", 0, -1);
    dirs->element = game->type_dir;
    game->type_dirs = dirs;
}

/* Only for types that fzi_types_init has made: nobody else shares them. */
void fzi_type_set_size(const fzi_type *type, int64_t size)
{
    ((fzi_type *)type)->high = size - 1;
}

const fzi_type *fzi_type_named(fzi_arena *arena, const fzi_symbol *symbol, int64_t count)
{
    fzi_type *type = FZI_NEW(arena, fzi_type);
    type->kind = FZI_TYPE_NAMED;
    type->symbol = symbol;
    type->high = count - 1;
    type->text = symbol->name;
    return type;
}

const fzi_type *fzi_type_range(const fzi_game *game, int64_t low, int64_t high)
{
    if (low == INT32_MIN && high == INT32_MAX)
        return game->type_int;
    fzi_type *type = FZI_NEW(game->arena, fzi_type);
    type->kind = FZI_TYPE_INT;
    type->low = low;
    type->high = high;
    type->text = fzi_arena_printf(game->arena, "%lld..%lld", (long long)low, (long long)high);
    return type;
}

const fzi_type *fzi_type_set_of(const fzi_game *game, const fzi_type *element)
{
    if (element->kind == FZI_TYPE_SITE)
        return game->type_sites;
    if (element->kind == FZI_TYPE_DIR)
        return game->type_dirs;
    if (element->kind == FZI_TYPE_POISON)
        return element;
    fzi_type *type = FZI_NEW(game->arena, fzi_type);
    type->kind = FZI_TYPE_SET;
    type->element = element;
    type->text = fzi_arena_printf(game->arena, "set of %s", element->text);
    return type;
}

bool fzi_type_is(const fzi_type *type, int kind)
{
    return type->kind == kind || type->kind == FZI_TYPE_POISON;
}

bool fzi_type_is_set(const fzi_type *type, int element_kind)
{
    return type->kind == FZI_TYPE_SET && type->element->kind == element_kind;
}

bool fzi_type_same(const fzi_type *a, const fzi_type *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == FZI_TYPE_SET)
        return fzi_type_same(a->element, b->element);
    return a->kind != FZI_TYPE_NAMED || a->symbol == b->symbol;
}

bool fzi_type_fits(const fzi_type *from, const fzi_type *to)
{
    if (from->kind == FZI_TYPE_POISON || to->kind == FZI_TYPE_POISON || fzi_type_same(from, to))
        return true;
    switch (from->kind) {
    case FZI_TYPE_OFF:
        return to->kind == FZI_TYPE_SITE || to->kind == FZI_TYPE_DIR ||
               fzi_type_is_set(to, FZI_TYPE_SITE) || fzi_type_is_set(to, FZI_TYPE_DIR);
    case FZI_TYPE_SITE: case FZI_TYPE_DIR:
        return fzi_type_is_set(to, from->kind);
    case FZI_TYPE_NOTHING:
        return to->kind == FZI_TYPE_SET;
    case FZI_TYPE_PLAYER: case FZI_TYPE_TEAM: case FZI_TYPE_KIND: case FZI_TYPE_NAMED:
        return to->kind == FZI_TYPE_SET && fzi_type_same(from, to->element);
    default:
        return false;
    }
}

static const fzi_type *joined(const fzi_game *game, const fzi_type *a, const fzi_type *b)
{
    if (a->low <= b->low && a->high >= b->high)
        return a;
    if (b->low <= a->low && b->high >= a->high)
        return b;
    return fzi_type_range(game, a->low < b->low ? a->low : b->low,
                          a->high > b->high ? a->high : b->high);
}

const fzi_type *fzi_type_common(const fzi_game *game, const fzi_type *a, const fzi_type *b)
{
    if (a->kind == FZI_TYPE_POISON)
        return b;
    if (b->kind == FZI_TYPE_POISON)
        return a;
    if (a->kind == FZI_TYPE_INT && b->kind == FZI_TYPE_INT)
        return joined(game, a, b);
    if (fzi_type_is_set(a, FZI_TYPE_INT) && fzi_type_is_set(b, FZI_TYPE_INT))
        return fzi_type_set_of(game, joined(game, a->element, b->element));
    if (fzi_type_fits(a, b))
        return b;
    if (fzi_type_fits(b, a))
        return a;
    /* A site and `{}`: both are sets of sites. */
    const fzi_type *set_a = fzi_type_as_set(game, a), *set_b = fzi_type_as_set(game, b);
    if (set_a && set_b && fzi_type_fits(set_a, set_b))
        return set_b;
    return set_a && set_b && fzi_type_fits(set_b, set_a) ? set_a : NULL;
}

const fzi_type *fzi_type_as_set(const fzi_game *game, const fzi_type *type)
{
    switch (type->kind) {
    case FZI_TYPE_POISON: case FZI_TYPE_SET: case FZI_TYPE_NOTHING:
        return type;
    case FZI_TYPE_SITE: case FZI_TYPE_OFF:
        return game->type_sites;
    case FZI_TYPE_DIR:
        return game->type_dirs;
    default:
        return NULL;
    }
}

const fzi_type *fzi_type_member(const fzi_game *game, const fzi_type *type)
{
    const fzi_type *set = fzi_type_as_set(game, type);
    if (!set)
        return NULL;
    return set->kind == FZI_TYPE_SET ? set->element : game->type_poison;
}

bool fzi_set_fits(const fzi_type *element)
{
    switch (element->kind) {
    case FZI_TYPE_SITE: case FZI_TYPE_DIR: case FZI_TYPE_POISON: case FZI_TYPE_PLAYER:
    case FZI_TYPE_TEAM: case FZI_TYPE_KIND: case FZI_TYPE_BOOL:
        return true;
    case FZI_TYPE_INT:
        return element->low >= 0 && element->high < FZI_SET_MEMBERS;
    case FZI_TYPE_NAMED:
        return element->high < FZI_SET_MEMBERS;
    default:
        return false;
    }
}

const fzi_type *fzi_type_widened(const fzi_game *game, const fzi_type *type)
{
    if (fzi_type_is_set(type, FZI_TYPE_INT))
        return fzi_type_set_of(game, fzi_type_range(game, 0, FZI_SET_MEMBERS - 1));
    return type->kind == FZI_TYPE_INT ? game->type_int : type;
}

int64_t fzi_type_size(const fzi_type *type)
{
    switch (type->kind) {
    case FZI_TYPE_INT:
        return type->low == INT32_MIN && type->high == INT32_MAX ? 0 : type->high - type->low + 1;
    case FZI_TYPE_BOOL: case FZI_TYPE_SITE: case FZI_TYPE_DIR: case FZI_TYPE_PLAYER:
    case FZI_TYPE_TEAM: case FZI_TYPE_KIND: case FZI_TYPE_NAMED:
        return type->high + 1;
    default:
        return 0;
    }
}
