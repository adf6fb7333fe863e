/* Numbers moves, for features and batches. See features.h. */
#include "features.h"

#include "interp/state/move_list.h"

/* So that a double holds every action exactly. */
static const int64_t most_actions = INT64_C(1) << 53;

/* The values that a binding of the type may have. */
static void range_of(const fz_program *program, uint16_t number, int64_t *low, int64_t *size)
{
    const fz_value_type *type = &program->types[number];

    *low = 0;
    switch (type->kind) {
    case FZ_VALUE_BOOL: *size = 2; break;
    case FZ_VALUE_SITE: *size = program->board.site_count; break;
    case FZ_VALUE_DIR: *size = program->board.dir_count; break;
    case FZ_VALUE_PLAYER: *size = program->player_count; break;
    case FZ_VALUE_TEAM: *size = program->team_count; break;
    case FZ_VALUE_KIND: *size = program->kind_count; break;
    default:
        *low = type->low;
        *size = (int64_t)type->high - type->low + 1;
    }
}

/* How many moves the option may offer; more than most_actions: too many. */
static int64_t option_size(const fz_program *program, const fz_option_info *option)
{
    int64_t count = 1;

    for (unsigned i = 0; i < option->bindings; i++) {
        int64_t low, size;
        range_of(program, option->types[i], &low, &size);
        if (size < 1)
            return 0;
        if (__builtin_mul_overflow(count, size, &count) || count > most_actions)
            return INT64_MAX;
    }
    return count;
}

/* Fills `first`, if there is one, with the first action of each option. The number of actions. */
static int64_t count_actions(const fz_program *program, int64_t *first)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < program->option_count; i++) {
        if (first)
            first[i] = count;
        if (__builtin_add_overflow(count, option_size(program, &program->options[i]), &count) ||
            count > most_actions)
            return 0;
    }
    return count;
}

/* The place of the move among those of its option; -1: it is none of them. */
static int64_t place_of(const fz_program *program, const fz_move *move)
{
    const fz_option_info *option = &program->options[move->option];
    int64_t place = 0;

    if (move->count != option->bindings)
        return -1;
    for (unsigned i = 0; i < move->count; i++) {
        int64_t low, size;
        range_of(program, option->types[i], &low, &size);
        int64_t value = move->values[i] - low;
        if (value < 0 || value >= size)
            return -1;
        place = place * size + value;
    }
    return place;
}

/* The move at this place among those of its option. */
static fz_move move_at(const fz_program *program, uint32_t number, int64_t place)
{
    const fz_option_info *option = &program->options[number];
    fz_move move = {.option = number, .count = option->bindings};

    for (unsigned i = option->bindings; i-- > 0;) {
        int64_t low, size;
        range_of(program, option->types[i], &low, &size);
        move.values[i] = (int32_t)(low + place % size);
        place /= size;
    }
    return move;
}

bool fzi_actions_init(fzi_actions *actions, const fz_program *program)
{
    size_t size = program->option_count * sizeof *actions->first;

    *actions = (fzi_actions){.program = program};
    actions->first = fzi_allocate(fzi_program_allocator(program), size);
    if (!actions->first)
        return false;
    actions->count = count_actions(program, actions->first);
    return true;
}

void fzi_actions_clear(fzi_actions *actions)
{
    if (actions->program)
        fzi_release(fzi_program_allocator(actions->program), actions->first);
}

int64_t fzi_action_of(const fzi_actions *actions, const fz_move *move)
{
    if (!actions->count || move->option >= actions->program->option_count)
        return -1;
    int64_t place = place_of(actions->program, move);
    return place < 0 ? -1 : actions->first[move->option] + place;
}

int64_t fz_program_actions(const fz_program *program)
{
    return count_actions(program, NULL);
}

int64_t fz_move_action(const fz_program *program, const fz_move *move)
{
    int64_t first = 0;

    if (!count_actions(program, NULL) || move->option >= program->option_count)
        return -1;
    int64_t place = place_of(program, move);
    for (uint32_t i = 0; i < move->option; i++)
        first += option_size(program, &program->options[i]);
    return place < 0 ? -1 : first + place;
}

bool fzi_action_move(const fzi_actions *actions, int64_t action, fz_move *move)
{
    uint32_t low = 0, high = actions->program->option_count;

    *move = (fz_move){0};
    if (action < 0 || action >= actions->count)
        return false;
    while (high - low > 1) { /* the last option that begins at the action or before it */
        uint32_t middle = low + (high - low) / 2;
        if (actions->first[middle] <= action)
            low = middle;
        else
            high = middle;
    }
    *move = move_at(actions->program, low, action - actions->first[low]);
    return true;
}

bool fz_action_move(const fz_program *program, int64_t action, fz_move *move)
{
    uint32_t option = 0;
    int64_t size;

    if (move)
        *move = (fz_move){0};
    if (action < 0 || action >= count_actions(program, NULL))
        return false;
    for (; action >= (size = option_size(program, &program->options[option])); option++)
        action -= size;
    if (move)
        *move = move_at(program, option, action);
    return true;
}

fz_status fz_moves_actions(const fz_moves *moves, int64_t *actions)
{
    const fzi_move_list *list = &moves->list;
    fzi_cursor cursor = FZI_CURSOR_AT(0);
    fzi_actions numbers;
    fz_move move;

    if (!actions)
        return FZ_OK;
    if (!fzi_actions_init(&numbers, list->program))
        return FZ_NO_MEMORY;
    for (size_t i = 0; fzi_move_list_next(list, &cursor, UINT32_MAX, &move); i++)
        actions[i] = fzi_action_of(&numbers, &move);
    fzi_actions_clear(&numbers);
    return FZ_OK;
}
