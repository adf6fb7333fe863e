/* Wins by all rules, where a solution has left draws out. See solve.h.
 *
 * The winner plays the moves that the solution names, the other side all of its moves, by all rules
 * and with the clocks as they are. If each game ends in the win, it is one. Each move of the winner
 * brings the end of the solution nearer, so no position comes twice. */
#include "solve.h"

typedef struct prover {
    fzi_solution *s;
    fz_machine *machine;      /* with all rules */
    size_t memory, most;
    fzi_position_shape form;  /* of positions with everything that belongs to them */
    fzi_store store;          /* of those that are won if all that follow are */
    uint32_t proven;          /* so many of the store are */
    fz_state *state, *after, *plain;
    uint64_t *row;
    size_t row_room;
    fzi_successors ways;
} prover;

/* The value of the state without the rules that are left out. */
static bool value_of(prover *w, const fz_state *state, double *value, uint32_t *steps)
{
    double high;
    uint32_t number = fzi_state_copy(w->plain, state) ? fzi_graph_find(&w->s->graph, w->plain)
                                                      : UINT32_MAX;

    if (number != UINT32_MAX)
        fzi_values_of(&w->s->values, number, value, &high, steps);
    return number != UINT32_MAX;
}

static fz_status said(const prover *w, fz_status status)
{
    if (status == FZ_NO_MEMORY)
        return fzi_machine_no_memory(w->machine);
    return status == FZ_OK ? FZ_OK
                          : fzi_machine_say(w->machine, FZ_RUNTIME, "the game is too large: its "
                                            "positions with clocks do not fit in %zu bytes of "
                                            "memory", w->most);
}

/* Is w->after won, if what follows it is? Then it is stored, unless it is the end. */
static fz_status add(prover *w, double goal, bool *holds)
{
    double value = 0.5;
    uint32_t steps, number;
    fz_status status = FZ_OK;

    if (fz_state_waiting(w->after) == FZ_GAME_OVER) {
        status = fzi_solve_end(w->machine, w->after, &value);
        *holds = value == goal;
        return status;
    }
    *holds = value_of(w, w->after, &value, &steps) && value == goal;
    if (!*holds)
        return FZ_OK;
    fzi_position_settle(&w->form, w->after);
    uint32_t words = fzi_position_row(&w->form, w->after);
    return words ? said(w, fzi_store_add(&w->store, w->form.row, words, &number))
                 : fzi_machine_no_memory(w->machine);
}

/* Adds what follows w->state: a move that wins, or all moves of the side that loses. */
static fz_status expand(prover *w, bool *holds)
{
    double goal, value;
    uint32_t steps, left;

    *holds = value_of(w, w->state, &goal, &steps);
    unsigned winner = goal == 1 ? 0 : 1;
    bool wins = fzi_solve_side(w->machine->program, fz_state_decider(w->state)) == winner;
    fz_status status = fzi_successors_find(&w->ways, w->machine, w->state);
    bool won = false;
    for (size_t i = 0; i < w->ways.count && status == FZ_OK && *holds && !won; i++) {
        if (!fzi_state_copy(w->after, w->state))
            return fzi_machine_no_memory(w->machine);
        status = fzi_successors_play(&w->ways, i, w->after, FZ_MAX_TURNS);
        if (status != FZ_OK)
            return status;
        if (!wins)
            status = add(w, goal, holds);
        else if (value_of(w, w->after, &value, &left) && value == goal && left < steps)
            status = add(w, goal, &won);
    }
    *holds = *holds && (!wins || won);
    return status;
}

/* Is w->after, with this value, won? */
static fz_status prove(prover *w, double goal, const fz_watch *watch, bool *holds)
{
    fz_status status = add(w, goal, holds);

    for (; status == FZ_OK && *holds && w->proven < w->store.count; w->proven++) {
        if (w->proven % 64 == 0 &&
            fzi_watch_stops(watch, w->machine->limits.cancel, w->proven, w->store.count))
            return FZ_NOT_FOUND;
        status = said(w, fzi_array_grow(w->s->graph.allocator, &w->memory, w->most,
                                        (void **)&w->row, &w->row_room, w->store.words,
                                        sizeof *w->row));
        if (status != FZ_OK)
            return status;
        fzi_store_get(&w->store, w->proven, w->row);
        if (!fzi_position_state(&w->form, w->row, w->state))
            return fzi_machine_no_memory(w->machine);
        status = expand(w, holds);
    }
    if (status == FZ_OK && !*holds) { /* nobody knows which of the others are */
        fzi_store_clear(&w->store);
        fzi_store_init(&w->store, w->s->graph.allocator, &w->memory, w->most);
        w->proven = 0;
    }
    return status;
}

static fz_status prove_way(prover *w, size_t number, const fzi_graph_task *task)
{
    fzi_solved_way *way = &w->s->ways[number];
    bool holds = false;

    if (way->low == 0.5)
        return FZ_OK;
    if (!fzi_state_copy(w->state, task->from))
        return fzi_machine_no_memory(w->machine);
    fzi_position_settle(&w->form, w->state);
    if (!fzi_state_copy(w->after, w->state))
        return fzi_machine_no_memory(w->machine);
    fz_status status = fzi_successors_find(&w->ways, w->machine, w->state);
    if (status == FZ_OK)
        status = fzi_successors_play(&w->ways, number, w->after, FZ_MAX_TURNS);
    if (status == FZ_OK &&
        (w->s->rules.proves || fz_state_waiting(w->after) == FZ_GAME_OVER))
        status = prove(w, way->low, task->watch, &holds);
    if (!holds)
        *(way->low == 1 ? &way->low : &way->high) = 0.5;
    return status;
}

fz_status fzi_prove_wins(fzi_solution *s, const fzi_graph_task *task)
{
    const fz_program *p = task->machine->program;
    fzi_allocator a = s->graph.allocator;
    prover w = {.s = s, .machine = task->machine, .memory = s->graph.memory, .most = task->most};
    fz_status status = FZ_OK;

    fzi_store_init(&w.store, a, &w.memory, w.most);
    w.state = fzi_state_make(p);
    w.after = fzi_state_make(p);
    w.plain = fzi_state_make(p);
    if (!fzi_position_shape_init(&w.form, p, 0, a) || !w.state || !w.after || !w.plain)
        status = fzi_machine_no_memory(w.machine);
    for (size_t i = 0; i < s->count && status == FZ_OK; i++)
        status = prove_way(&w, i, task);
    fzi_store_clear(&w.store);
    fzi_position_shape_clear(&w.form);
    fzi_successors_clear(&w.ways);
    FZI_RELEASE(a, w.row);
    fz_state_free(w.state);
    fz_state_free(w.after);
    fz_state_free(w.plain);
    return status;
}
