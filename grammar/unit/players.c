/* Players under conditions: `players Red, Green if N > 2;`. After merging, players whose condition
 * is false are removed from teams and from tables by player. */
#include "layers.h"

/* A change of the list of players. */
typedef struct cast {
    fzi_load *load;
    const fzi_unit *unit;
    const fzi_node *all; /* the PLAYERs as declared */
    bool plays[64];      /* by place in `all` */
    size_t count;
} cast;

static int place_of(const cast *c, const char *name)
{
    int place = 0;
    for (const fzi_node *player = c->all; player; player = player->next, place++)
        if (player->name == name)
            return place;
    return -1;
}

static bool is_absent(const cast *c, const char *name)
{
    int place = place_of(c, name);
    return place >= 0 && !c->plays[place];
}

/* Copies of the nodes that `keep` accepts; it gets each node and its place. */
static fzi_node *filtered(const cast *c, const fzi_node *list,
                          bool (*keep)(const cast *c, const fzi_node *node, size_t place))
{
    fzi_node *first = NULL, **end = &first;
    for (size_t place = 0; list; list = list->next, place++) {
        if (!keep(c, list, place))
            continue;
        *end = fzi_arena_copy(c->load->arena, list, sizeof *list);
        end = &(*end)->next;
    }
    *end = NULL;
    return first;
}

static bool keep_name(const cast *c, const fzi_node *node, size_t place)
{
    (void)place;
    return !is_absent(c, node->name);
}

static bool keep_key(const cast *c, const fzi_node *key, size_t place)
{
    (void)place;
    return key->key->kind != N_E_NAME || !is_absent(c, key->key->name);
}

static bool keep_place(const cast *c, const fzi_node *value, size_t place)
{
    (void)value;
    return c->plays[place];
}

static bool keep_team(const cast *c, const fzi_node *team, size_t place)
{
    (void)c;
    (void)place;
    return team->members != NULL;
}

/* ---- tables ---- */

static const fzi_node *type_of(const fzi_node *index)
{
    return index->kind == N_PARAM ? index->declared_type : index;
}

static bool is_by_player(const fzi_node *index)
{
    const fzi_node *type = type_of(index);
    return type && type->kind == N_T_NAME && strcmp(type->name, "player") == 0;
}

/* A table of `let` or `var` without the entries of absent players. A list that does not have an
 * entry for each declared player is unchanged. */
static fzi_node *table_of(const cast *c, fzi_node *table, const fzi_node *index)
{
    if (!index || !table || (table->kind != N_E_LIST && table->kind != N_E_KEYS))
        return table;
    table = fzi_arena_copy(c->load->arena, table, sizeof *table);
    bool keyed = table->kind == N_E_KEYS;
    bool whole = keyed || fzi_list_length(table->entries) == c->count;
    if (is_by_player(index) && whole)
        table->entries = filtered(c, table->entries, keyed ? keep_key : keep_place);
    fzi_node **link = &table->entries;
    for (; *link; link = &(*link)->next) {
        *link = fzi_arena_copy(c->load->arena, *link, sizeof **link);
        if (keyed)
            (*link)->value = table_of(c, (*link)->value, index->next);
        else {
            fzi_node *next = (*link)->next;
            *link = table_of(c, *link, index->next);
            (*link)->next = next;
        }
    }
    return table;
}

static void settle_decl(const cast *c, fzi_node *decl)
{
    if (decl->kind == N_D_LET) {
        decl->value = table_of(c, decl->value, decl->params);
    } else if (decl->kind == N_D_VAR) {
        decl->value = table_of(c, decl->value, decl->index_types);
    } else if (decl->kind == N_D_TEAMS) {
        decl->teams = fzi_node_clone(c->load->arena, decl)->teams;
        for (fzi_node *team = decl->teams; team; team = team->next)
            team->members = filtered(c, team->members, keep_name);
        decl->teams = filtered(c, decl->teams, keep_team);
    }
}

void fzi_settle_players(fzi_loader *loader)
{
    fzi_node *players = NULL;
    for (fzi_node *decl = loader->unit->decls; decl; decl = decl->next)
        if (decl->kind == N_D_PLAYERS)
            players = decl;
    if (!players)
        return;
    cast c = {.load = loader->load, .unit = loader->unit, .all = players->players};
    size_t playing = 0;
    for (const fzi_node *player = c.all; player; player = player->next) {
        bool plays = !player->condition ||
                     fzi_unit_condition(c.load, c.unit, player->condition);
        if (c.count < sizeof c.plays)
            c.plays[c.count] = plays;
        c.count++;
        playing += plays;
    }
    if (playing == c.count || c.count > sizeof c.plays)
        return;
    if (!playing)
        fzi_error(c.load->diags, players->span, FZ_E_NOBODY_PLAYS);
    players->players = filtered(&c, c.all, keep_place);
    for (fzi_node *decl = loader->unit->decls; decl; decl = decl->next)
        settle_decl(&c, decl);
}
