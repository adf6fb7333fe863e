/* Writes what a player sees of a state as numbers, all from what fz_state_observation writes:
 * the copy of text/observe.c, and the log of the turn. See features.h. */
#include "features.h"

#include "interp/ferz_tools.h"
#include "interp/program/values.h"
#include "interp/support/words.h"
#include "interp/text/position.h"
#include "interp/vm/fault.h"

enum { LATEST = 8 }; /* entries of this turn that are written */

enum source {
    PIECES, UNSEEN, LAST_MOVE, SITES,         /* planes; SITES: of a variable */
    PLAYER, MOVER, DECIDER, CHOICE, TURN, PLIES, OUT, SEEN, HEIGHTS, BELOW,
    NUMBERS, MEMBERS                          /* of a variable; MEMBERS: of masks, a bit each */
};

/* The kinds of entries of a turn. */
enum { NO_ENTRY, OWN_MOVE, OTHER_MOVE, SEEN_CHANCE, UNSEEN_CHANCE };

/* ---- which there are ---- */

static void add(fzi_features *f, enum source source, const char *name, size_t rows, size_t columns)
{
    bool planes = source <= SITES;
    size_t *total = planes ? &f->planes : &f->values;

    if (!rows || !columns)
        return;
    f->rows[f->count++] = (fzi_feature){
        .told = {.name = name, .variable = -1, .is_planes = planes, .first = *total, .rows = rows,
                 .columns = columns},
        .source = (uint8_t)source};
    *total += rows * columns;
}

/* The least and the last member that a mask of the variable may have. */
static void members_of(const fz_program *program, const fz_variable *v, unsigned *low,
                       unsigned *count)
{
    uint64_t all = fzi_mask_all(program, &program->types[v->type]);

    *low = all ? (unsigned)__builtin_ctzll(all) : 0;
    *count = all ? 64 - (unsigned)__builtin_clzll(all) - *low : 0;
}

static void add_variable(fzi_features *f, uint32_t number)
{
    const fz_program *program = f->program;
    const fz_variable *v = &program->variables[number];
    const char *name = fzi_text(program, v->name);
    size_t count = fzi_element_count(program, v);
    unsigned before = f->count, low, members;

    if (v->hidden)
        return;
    if (v->is_set) {
        add(f, SITES, name, v->is_bits ? 1 : count, 1);
    } else if (program->types[v->type].kind == FZ_VALUE_MASK) {
        members_of(program, v, &low, &members);
        add(f, MEMBERS, name, count, members);
    } else {
        add(f, NUMBERS, name, count, 1);
    }
    if (f->count > before)
        f->rows[before].told.variable = (int)number;
}

bool fzi_features_init(fzi_features *f, const fz_program *program)
{
    size_t sites = program->board.site_count, most = NUMBERS + program->variable_count;

    *f = (fzi_features){.program = program, .hides = fz_program_hides(program)};
    f->rows = fzi_allocate(fzi_program_allocator(program), most * sizeof *f->rows);
    if (!f->rows || !fzi_actions_init(&f->actions, program))
        return false;
    add(f, PIECES, "pieces", program->player_count + 1, program->kind_count);
    add(f, UNSEEN, "unseen", program->unseen >= 0, 1);
    add(f, LAST_MOVE, "last_move", program->reads_last ? 2 : 0, 1);
    add(f, PLAYER, "player", 1, 1);
    add(f, MOVER, "mover", 1, 1);
    add(f, DECIDER, "decider", 1, 1);
    add(f, CHOICE, "choice", 1, 1);
    add(f, TURN, "turn", 1, 1);
    add(f, PLIES, "plies", 1, 1);
    add(f, OUT, "out", program->player_count, 1);
    add(f, SEEN, "seen", LATEST, 2);
    add(f, HEIGHTS, "heights", program->stack_limit ? sites : 0, 1);
    add(f, BELOW, "below", program->stack_limit ? sites : 0, program->stack_limit - 1u);
    for (uint32_t i = 0; i < program->variable_count; i++)
        add_variable(f, i);
    return true;
}

void fzi_features_clear(fzi_features *f)
{
    if (f->program)
        fzi_release(fzi_program_allocator(f->program), f->rows);
    fzi_actions_clear(&f->actions);
}

/* ---- planes ---- */

/* The source of the numbers: the state, and what the player sees of it. */
typedef struct view {
    const fzi_features *f;
    const fz_program *program;
    const fz_state *state;
    const uint8_t *block;     /* as the player knows it */
    const uint64_t *unseen;   /* NULL: there are none */
    int player;
    const fzi_own_view *own;  /* NULL: as the board lies */
} view;

static unsigned site_of(const view *v, unsigned site)
{
    return v->own ? v->own->there[v->player].sites[site] : site;
}

static int player_of(const view *v, int player)
{
    return v->own ? fzi_own_player(v->own, v->player, player) : player;
}

static uint32_t element_of(const view *v, const fz_variable *variable, uint32_t element)
{
    return v->own ? fzi_own_element(v->own, v->player, variable, element) : element;
}

static void put_set(const view *v, const uint64_t *set, uint8_t *plane)
{
    FZI_FOR_SITES (site, set, v->program->board.words) {
        plane[site_of(v, site)] = 1;
    }
}

static void put_pieces(const view *v, uint8_t *planes)
{
    size_t sites = v->program->board.site_count;
    unsigned kinds = v->program->kind_count, nobody = v->program->player_count;

    for (unsigned site = 0; site < sites; site++) {
        int kind, owner;
        fzi_piece_get(v->program, v->block, site, &kind, &owner);
        if (kind >= 0)
            planes[((owner < 0 ? nobody : (unsigned)player_of(v, owner)) * kinds +
                    (unsigned)kind) * sites + site_of(v, site)] = 1;
    }
}

static void put_last_move(const view *v, uint8_t *planes)
{
    const fzi_head *head = (const fzi_head *)(const void *)v->block;
    int sites = v->program->board.site_count;

    if (head->last_from >= 0 && head->last_from < sites)
        planes[site_of(v, (unsigned)head->last_from)] = 1;
    if (head->last_to >= 0 && head->last_to < sites)
        planes[(unsigned)sites + site_of(v, (unsigned)head->last_to)] = 1;
}

static void put_sites(const view *v, const fz_feature *told, uint8_t *planes)
{
    const fz_variable *variable = &v->program->variables[told->variable];

    for (uint32_t e = 0; e < told->rows; e++) {
        uint32_t row = variable->is_bits ? e : element_of(v, variable, e);
        put_set(v, fzi_element_sites(v->program, v->block, variable, e),
                planes + (size_t)row * v->program->board.site_count);
    }
}

static void write_planes(const view *v, uint8_t *planes)
{
    size_t sites = v->program->board.site_count;

    memset(planes, 0, v->f->planes * sites);
    for (unsigned i = 0; i < v->f->count; i++) {
        const fzi_feature *row = &v->f->rows[i];
        uint8_t *at = planes + row->told.first * sites;
        switch (row->source) {
        case PIECES: put_pieces(v, at); break;
        case UNSEEN:
            if (v->unseen)
                put_set(v, v->unseen, at);
            break;
        case LAST_MOVE: put_last_move(v, at); break;
        case SITES: put_sites(v, &row->told, at); break;
        default: break;
        }
    }
}

/* ---- values ---- */

static int32_t nearest(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

/* The latest entries of this turn, the latest first: what each was, and its action or value. */
static void put_seen(const view *v, int32_t *values)
{
    fzi_position position = fzi_position_of(v->state);
    size_t count = position.block ? position.played_count : 0;

    for (size_t i = 0; i < LATEST && i < count; i++, values += 2) {
        const fzi_log_entry *entry = &position.played[count - 1 - i];
        if (entry->is_chance) {
            bool blind = entry->blind >> v->player & 1;
            values[0] = blind ? UNSEEN_CHANCE : SEEN_CHANCE;
            values[1] = blind ? 0 : nearest(entry->value);
        } else if (entry->decider == v->player) {
            int64_t action = fzi_action_of(&v->f->actions, &entry->move);
            values[0] = OWN_MOVE;
            values[1] = nearest(v->own ? fzi_own_action(v->own, &v->f->actions, v->player, action,
                                                        false) : action);
        } else {
            values[0] = OTHER_MOVE;
        }
    }
}

/* The choice that the player has; -1. Others need not know which one it is. */
static int32_t choice_of(const view *v)
{
    const fzi_head *head = fzi_head_of(v->state);

    if (head->waiting != FZ_WAITING_MOVE || head->decider != v->player)
        return -1;
    for (uint32_t i = 0; i < v->program->choice_count; i++)
        if (v->program->choices[i].start == head->pc)
            return (int32_t)i;
    return -1;
}

/* The player's own code of a piece under others. */
static int32_t code_of(const view *v, unsigned code)
{
    unsigned owners = v->program->player_count + 1, owner = (code - 1) % owners;

    return (int32_t)(code - owner) + player_of(v, (int)owner - 1) + 1;
}

static void put_stacks(const view *v, bool below, int32_t *values)
{
    unsigned limit = v->program->stack_limit;

    for (unsigned site = 0; site < v->program->board.site_count; site++) {
        const uint8_t *stack = v->block + v->program->layout.stacks + (size_t)site * limit;
        unsigned at = site_of(v, site);
        int kind, owner;
        fzi_piece_get(v->program, v->block, site, &kind, &owner);
        if (!below)
            values[at] = kind < 0 ? 0 : stack[0] + 1;
        for (unsigned i = 1; below && kind >= 0 && i <= stack[0] && i < limit; i++)
            values[at * (limit - 1) + i - 1] = code_of(v, stack[i]);
    }
}

static void put_variable(const view *v, const fz_feature *told, bool members, int32_t *values)
{
    const fz_variable *variable = &v->program->variables[told->variable];
    unsigned low = 0, count;

    if (members)
        members_of(v->program, variable, &low, &count);
    for (uint32_t e = 0; e < told->rows; e++) {
        int64_t value = fzi_element_get(v->program, v->block, variable, e);
        int32_t *at = values + element_of(v, variable, e) * told->columns;
        if (v->own)
            value = fzi_own_value(v->own, v->player, variable->type, value, false);
        for (unsigned i = 0; members && i < told->columns; i++)
            at[i] = (uint64_t)value >> (low + i) & 1;
        if (!members)
            *at = nearest(value);
    }
}

static void write_values(const view *v, int32_t *values)
{
    const fzi_head *head = fzi_head_of(v->state);

    memset(values, 0, v->f->values * sizeof *values);
    for (unsigned i = 0; i < v->f->count; i++) {
        const fzi_feature *row = &v->f->rows[i];
        int32_t *at = values + row->told.first;
        switch (row->source) {
        case PLAYER: *at = v->player; break;
        case MOVER: *at = player_of(v, head->mover); break;
        case DECIDER:
            *at = head->waiting == FZ_WAITING_MOVE ? player_of(v, head->decider) : -1;
            break;
        case CHOICE: *at = choice_of(v); break;
        case TURN: *at = nearest(head->turns); break;
        case PLIES: *at = nearest(head->plies); break;
        case OUT:
            for (uint32_t p = 0; p < v->program->player_count; p++)
                at[player_of(v, (int)p)] = head->out >> p & 1;
            break;
        case SEEN: put_seen(v, at); break;
        case HEIGHTS: put_stacks(v, false, at); break;
        case BELOW: put_stacks(v, true, at); break;
        case NUMBERS: put_variable(v, &row->told, false, at); break;
        case MEMBERS: put_variable(v, &row->told, true, at); break;
        default: break;
        }
    }
}

/* ---- both ---- */

fz_status fzi_features_write(const fzi_features *f, fz_machine *machine, const fz_state *state,
                             const fz_state *base, int player, const fzi_own_view *own,
                             uint8_t *planes, int32_t *values)
{
    view v = {.f = f, .program = f->program, .state = state, .block = state->block,
              .player = player, .own = own};
    fzi_observed seen = {0};
    fz_status status = FZ_OK;

    if (f->hides) {
        status = fzi_observe(machine, state, player, base->block, &seen);
        v.block = seen.state ? seen.state->block : NULL;
        v.unseen = seen.unseen;
    }
    if (status == FZ_OK && planes)
        write_planes(&v, planes);
    if (status == FZ_OK && values)
        write_values(&v, values);
    fzi_observed_clear(&seen);
    return status;
}

/* In a player's own view. */
static fz_status observe_own(const fzi_features *f, fz_machine *machine, const fz_state *state,
                             const fz_state *base, int player, uint8_t *planes, int32_t *values)
{
    fzi_own_view own;
    fz_status status =
        fzi_own_view_init(&own, f->program)
            ? fzi_features_write(f, machine, state, base, player, &own, planes, values)
            : fzi_machine_no_memory(machine);

    fzi_own_view_clear(&own);
    return status;
}

fz_status fz_state_observe(fz_machine *machine, const fz_state *state, int player, bool own,
                           uint8_t *planes, int32_t *values)
{
    fzi_features f;
    fz_state *base;
    fz_status status = fzi_observe_begin(machine, state, player, &base);

    if (status != FZ_OK)
        return status;
    if (!fzi_features_init(&f, state->program))
        status = fzi_machine_no_memory(machine);
    else if (own)
        status = observe_own(&f, machine, state, base, player, planes, values);
    else
        status = fzi_features_write(&f, machine, state, base, player, NULL, planes, values);
    fzi_features_clear(&f);
    fz_state_free(base);
    return status;
}

bool fz_program_feature(const fz_program *program, unsigned number, fz_feature *feature)
{
    fzi_features f;
    bool there = fzi_features_init(&f, program) && number < f.count;

    if (there && feature)
        *feature = f.rows[number].told;
    fzi_features_clear(&f);
    return there;
}
