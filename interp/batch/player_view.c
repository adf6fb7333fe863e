/* A player's own view of a game. See features.h. */
#include "features.h"

#include "interp/board/topology.h"
#include "interp/program/values.h"
#include "interp/text/draw.h"

/* ---- how the board is turned ---- */

/* Half turns come first: they keep left and right. */
static const enum fzi_turn in_order[FZI_TURNS] = {
    FZI_TURN_HALF, FZI_TURN_LEFT, FZI_TURN_RIGHT, FZI_TURN_TOP_BOTTOM, FZI_TURN_LEFT_RIGHT,
    FZI_TURN_DIAGONAL, FZI_TURN_OTHER_DIAGONAL,
};

/* Does the turned direction `a` lead wherever `b` leads? */
static bool is_turned(const fz_board *b, const uint16_t *sites, unsigned from, unsigned to)
{
    const int16_t *next = b->next + from * b->site_count, *turned = b->next + to * b->site_count;

    for (unsigned s = 0; s < b->site_count; s++)
        if (turned[sites[s]] != (next[s] < 0 ? next[s] : (int16_t)sites[next[s]]))
            return false;
    return true;
}

/* False: the turn changes which sites are neighbours. */
static bool turn_dirs(const fz_board *b, const uint16_t *sites, uint8_t *dirs)
{
    uint32_t used = 0;

    for (unsigned d = 0; d < b->dir_count; d++) {
        unsigned to = 0;
        while (to < b->dir_count && (used >> to & 1 || !is_turned(b, sites, d, to)))
            to++;
        if (to == b->dir_count)
            return false;
        dirs[d] = (uint8_t)to;
        used |= UINT32_C(1) << to;
    }
    return true;
}

static bool is_compass(const fz_program *program, int dir)
{
    const int8_t *vector = dir < 0 ? NULL : program->topology->vector[dir];

    return vector && (vector[0] || vector[1]);
}

/* Is what is ahead of the player ahead of the first player after the turn? On boards without
 * directions of the compass nothing is ahead. */
static bool sits_there(const fz_program *program, int player, const uint8_t *dirs)
{
    int own = program->players[player].facing, first = program->players[0].facing;

    return !is_compass(program, own) || !is_compass(program, first) || dirs[own] == first;
}

/* Does the game begin in the player's view as in that of the first player? */
static bool begins_alike(const fzi_own_view *own, int player, const fz_state *start,
                         const uint16_t *sites)
{
    for (int s = 0; s < own->program->board.site_count; s++) {
        int kind, owner, first_kind, first_owner;
        fz_state_piece(start, s, &kind, &owner);
        fz_state_piece(start, sites[s], &first_kind, &first_owner);
        if (kind != first_kind || fzi_own_player(own, player, owner) != first_owner)
            return false;
    }
    return true;
}

static void keep_sites(fzi_viewed_seat *seat, uint16_t *sites, unsigned count)
{
    for (unsigned s = 0; s < count; s++)
        sites[s] = (uint16_t)s;
    for (unsigned d = 0; d < FZ_MAX_DIRS; d++)
        seat->dirs[d] = (uint8_t)d;
}

/* The state of the search for a player's turn. */
typedef struct search {
    const int16_t *x, *y;
    const fz_state *start;   /* of a game */
    uint16_t *sites;         /* scratch */
} search;

/* A turn after which the game begins alike; else one of the others that fit. */
static void find_turn(fzi_own_view *own, int player, const search *s, uint16_t *into)
{
    const fz_program *program = own->program;
    unsigned count = program->board.site_count;
    fzi_viewed_seat *seat = &own->there[player];
    bool found = false, alike = false;
    uint8_t dirs[FZ_MAX_DIRS] = {0};

    if (program->players[player].facing == program->players[0].facing)
        return;
    for (unsigned i = 0; i < FZI_TURNS && !alike; i++) {
        if (!fzi_board_turn(in_order[i], s->x, s->y, count, s->sites) ||
            !turn_dirs(&program->board, s->sites, dirs) || !sits_there(program, player, dirs))
            continue;
        alike = begins_alike(own, player, s->start, s->sites);
        if (found && !alike)
            continue;
        found = true;
        memcpy(into, s->sites, count * sizeof *into);
        memcpy(seat->dirs, dirs, program->board.dir_count);
    }
}

/* The way back of a seat. */
static void invert(const fzi_viewed_seat *there, fzi_viewed_seat *back, uint16_t *sites,
                   unsigned count)
{
    for (unsigned s = 0; s < count; s++)
        sites[there->sites[s]] = (uint16_t)s;
    for (unsigned d = 0; d < FZ_MAX_DIRS; d++)
        back->dirs[there->dirs[d]] = (uint8_t)d;
}

/* The possible turns depend on the program alone: a game of its own is begun for them. */
static bool find_turns(fzi_own_view *own, int16_t *places, uint16_t *sites)
{
    const fz_program *program = own->program;
    unsigned count = program->board.site_count;
    fz_machine *machine = fz_machine_new(program, NULL);
    fz_state *begun = machine ? fz_state_new(machine, 0, 0) : NULL;
    fz_state *start = begun || !machine ? begun : fzi_state_make(program); /* set-up may fail */
    const search s = {places, places + count, start, sites};

    if (start) {
        fzi_sites_where(program, places, places + count);
        for (unsigned p = 0; p < program->player_count; p++)
            find_turn(own, (int)p, &s, own->memory + 2 * p * count);
    }
    fz_state_free(start);
    fz_machine_free(machine);
    return start != NULL;
}

bool fzi_own_view_init(fzi_own_view *own, const fz_program *program)
{
    fzi_allocator allocator = fzi_program_allocator(program);
    unsigned count = program->board.site_count;
    size_t size = count * sizeof(uint16_t);

    *own = (fzi_own_view){.program = program};
    own->memory = fzi_allocate(allocator, 2 * program->player_count * size);
    int16_t *places = fzi_allocate(allocator, 3 * size);
    for (unsigned p = 0; own->memory && p < program->player_count; p++) {
        uint16_t *sites = own->memory + 2 * p * count;
        keep_sites(&own->there[p], sites, count);
        own->back[p] = own->there[p];
        own->there[p].sites = sites;
        own->back[p].sites = sites + count;
    }
    bool found = own->memory && places && find_turns(own, places, (uint16_t *)places + 2 * count);
    for (unsigned p = 0; found && p < program->player_count; p++)
        invert(&own->there[p], &own->back[p], own->memory + (2 * p + 1) * count, count);
    fzi_release(allocator, places);
    return found;
}

void fzi_own_view_clear(fzi_own_view *own)
{
    if (own->program)
        fzi_release(fzi_program_allocator(own->program), own->memory);
    own->memory = NULL;
}

/* ---- numbers ---- */

static int64_t turned(int64_t number, int by, uint32_t count, bool back)
{
    int64_t n = count;

    return number < 0 || number >= n ? number : (number + (back ? by : n - by)) % n;
}

int fzi_own_player(const fzi_own_view *own, int viewer, int player)
{
    return (int)turned(player, viewer, own->program->player_count, false);
}

static int64_t set_of(const fzi_own_view *own, int viewer, uint16_t type, int64_t members,
                      bool back)
{
    uint64_t found = 0;

    for (uint64_t left = (uint64_t)members; left; left &= left - 1)
        found |= UINT64_C(1) << fzi_own_value(own, viewer, type, __builtin_ctzll(left), back);
    return (int64_t)found;
}

int64_t fzi_own_value(const fzi_own_view *own, int viewer, uint16_t type, int64_t value, bool back)
{
    const fz_program *program = own->program;
    const fzi_viewed_seat *seat = back ? &own->back[viewer] : &own->there[viewer];
    const fz_value_type *t = &program->types[type];
    bool there = value >= 0;

    switch (t->kind) {
    case FZ_VALUE_SITE:
        return there && value < program->board.site_count ? seat->sites[value] : value;
    case FZ_VALUE_DIR:
        return there && value < program->board.dir_count ? seat->dirs[value] : value;
    case FZ_VALUE_PLAYER: return turned(value, viewer, program->player_count, back);
    case FZ_VALUE_TEAM:
        return turned(value, program->players[viewer].team, program->team_count, back);
    case FZ_VALUE_MASK: return set_of(own, viewer, t->element, value, back);
    default: return value;
    }
}

uint32_t fzi_own_element(const fzi_own_view *own, int viewer, const fz_variable *variable,
                         uint32_t element)
{
    uint32_t found = 0, unit = 1;

    for (unsigned i = variable->index_count; i-- > 0;) { /* the last index runs fastest */
        uint32_t size = fzi_index_size(own->program, variable->index[i]);
        found += unit * (uint32_t)fzi_own_value(own, viewer, variable->index[i], element % size,
                                                false);
        element /= size;
        unit *= size;
    }
    return found;
}

int64_t fzi_own_action(const fzi_own_view *own, const fzi_actions *actions, int viewer,
                       int64_t action, bool back)
{
    const fz_option_info *option;
    fz_move move;

    if (!fzi_action_move(actions, action, &move))
        return action;
    option = &own->program->options[move.option];
    for (unsigned i = 0; i < move.count; i++)
        move.values[i] =
            (int32_t)fzi_own_value(own, viewer, option->types[i], move.values[i], back);
    return fzi_action_of(actions, &move);
}

/* ---- for clients ---- */

fz_status fz_own_sites(const fz_program *program, int player, int *sites)
{
    fzi_own_view own;
    fz_status status = fzi_is_player(program, player) ? FZ_OK : FZ_USAGE;

    if (status != FZ_OK)
        return status;
    status = fzi_own_view_init(&own, program) ? FZ_OK : FZ_NO_MEMORY;
    for (unsigned s = 0; status == FZ_OK && sites && s < program->board.site_count; s++)
        sites[s] = own.there[player].sites[s];
    fzi_own_view_clear(&own);
    return status;
}

fz_status fz_own_actions(const fz_program *program, int player, bool back, int64_t *actions,
                         size_t count)
{
    fzi_own_view own;
    fzi_actions numbers = {0};

    if (!fzi_is_player(program, player))
        return FZ_USAGE;
    bool good = fzi_own_view_init(&own, program) && fzi_actions_init(&numbers, program);
    for (size_t i = 0; good && actions && i < count; i++)
        actions[i] = fzi_own_action(&own, &numbers, player, actions[i], back);
    fzi_actions_clear(&numbers);
    fzi_own_view_clear(&own);
    return good ? FZ_OK : FZ_NO_MEMORY;
}
