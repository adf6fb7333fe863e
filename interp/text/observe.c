/* Finds what a player knows of a state, for drawings, positions and observations. See
 * position.h. */
#include "position.h"

#include "interp/ferz_tools.h"
#include "interp/support/words.h"
#include "interp/vm/game.h"

bool fzi_element_visible(const fz_program *program, const fz_variable *variable, uint32_t element,
                         int viewer)
{
    if (!variable->secret || viewer < 0)
        return true;
    if (!variable->index_count || program->types[variable->index[0]].kind != FZ_VALUE_PLAYER)
        return false;
    uint32_t below = fzi_element_count(program, variable) / program->player_count;
    return element / (below ? below : 1) == (uint32_t)viewer;
}

uint32_t fz_state_hidden_decisions(const fz_state *state)
{
    const fz_program *p = state->program;
    const fzi_head *head = fzi_head_of(state);

    for (uint32_t i = 0; i < p->choice_count && head->waiting == FZ_WAITING_MOVE; i++) {
        const fz_choice *choice = &p->choices[i];
        if (choice->start == head->pc && choice->sealed)
            return (uint32_t)fzi_element_get(p, state->block, &p->variables[choice->sealed - 1], 0);
    }
    return 0;
}

/* The element is as it was at the beginning. */
static void forget(const fz_program *program, uint8_t *block, const uint8_t *base,
                   const fz_variable *v, uint32_t element)
{
    if (fzi_element_is_set(v))
        fzi_element_put_sites(program, block, v, element,
                              fzi_element_sites(program, base, v, element));
    else
        fzi_element_put(program, block, v, element, fzi_element_get(program, base, v, element));
}

/* Removes the pieces of the sites and their carried values. */
static void forget_pieces(const fz_program *program, uint8_t *block, const uint8_t *base,
                          const uint64_t *sites)
{
    FZI_FOR_SITES (site, sites, program->board.words) {
        fzi_piece_put(program, block, (unsigned)site, -1, -1);
        for (uint32_t i = 0; i < program->variable_count; i++) {
            if (program->variables[i].carried)
                forget(program, block, base, &program->variables[i], (uint32_t)site);
        }
    }
}

static void forget_secrets(const fz_program *program, uint8_t *block, const uint8_t *base,
                           const fzi_observed *seen, int viewer)
{
    forget_pieces(program, block, base, seen->unseen);
    forget_pieces(program, block, base, seen->invisible);
    for (uint32_t i = 0; i < program->variable_count; i++) {
        const fz_variable *v = &program->variables[i];
        uint32_t count = v->secret ? fzi_element_count(program, v) : 0;
        for (uint32_t e = 0; e < count; e++) {
            if (!fzi_element_visible(program, v, e, viewer))
                forget(program, block, base, v, e);
        }
    }
}

fz_status fzi_sites_told(fz_machine *machine, const fz_state *state, int32_t function, int player,
                         uint64_t *sites)
{
    int64_t arguments[] = {player, player}; /* as `me`, and as the parameter */

    memset(sites, 0, FZ_MAX_WORDS * sizeof *sites);
    if (function < 0)
        return FZ_OK;
    return fzi_state_call(machine, state, (uint32_t)function, arguments, 2, NULL, sites);
}

fz_status fzi_observe(fz_machine *machine, const fz_state *state, int viewer, const uint8_t *base,
                      fzi_observed *seen)
{
    const fz_program *program = state->program;

    fz_status status = FZ_OK;
    if (seen->state)
        status = fz_state_copy(seen->state, state);
    else if (!(seen->state = fz_state_clone(state)))
        return fzi_machine_no_memory(machine);
    if (status == FZ_OK && !seen->told)
        status = fzi_sites_told(machine, state, program->unseen, viewer, seen->unseen);
    if (status == FZ_OK && !seen->told)
        status = fzi_sites_told(machine, state, program->invisible, viewer, seen->invisible);
    if (status != FZ_OK)
        return status;
    forget_secrets(program, seen->state->block, base, seen, viewer);
    fzi_head *head = fzi_head_of(seen->state);
    /* A damaged program file may have set any number here. */
    bool there = head->last_to >= 0 && head->last_to < program->board.site_count;
    if (there && (fzi_words_has(seen->unseen, (unsigned)head->last_to) ||
                  fzi_words_has(seen->invisible, (unsigned)head->last_to)))
        head->last_from = head->last_to = -1;
    return FZ_OK;
}

/* The log and the stream of chance tell more than the player knows. What stays is the beginning of
 * a turn in which the player has seen everything so far. */
static void forget_past(fz_state *state, const uint8_t *base, const fzi_observed *seen, int viewer)
{
    fzi_log *log = state->log;
    fzi_head *head = fzi_head_of(state);
    bool seen_all = log && log->start_size;

    head->key = head->counter = 0;
    for (size_t i = log ? log->turn : 0; log && i < log->count; i++) {
        const fzi_log_entry *entry = &log->entries[i];
        seen_all &= entry->is_chance ? !(entry->blind >> viewer & 1) : entry->decider == viewer;
    }
    if (!seen_all) {
        fzi_state_forget(state);
        return;
    }
    head = (fzi_head *)(void *)log->start;
    head->key = head->counter = 0;
    forget_secrets(state->program, log->start, base, seen, viewer);
    log->count -= log->turn;
    if (log->count)
        memmove(log->entries, log->entries + log->turn, log->count * sizeof *log->entries);
    log->turn = log->before = 0;
    log->keep = log->whole = false;
    fzi_release(log->allocator, log->origin);
    log->origin = NULL;
}

fz_state *fz_state_clone_for(fz_machine *machine, const fz_state *state, int player)
{
    fzi_observed seen = {0};

    fzi_machine_begin(machine);
    if (!fzi_is_player(state->program, player)) {
        fzi_machine_say(machine, FZ_USAGE, "there is no player %d", player);
        return NULL;
    }
    fz_state *base = fzi_position_new(state);
    if (!base || fzi_observe(machine, state, player, base->block, &seen) != FZ_OK) {
        fzi_observed_clear(&seen);
        seen.state = NULL;
    } else {
        forget_past(seen.state, base->block, &seen, player);
    }
    fz_state_free(base);
    return seen.state;
}

void fzi_observed_clear(fzi_observed *seen)
{
    fz_state_free(seen->state);
}

/* ---- lines ---- */

/* True if the text begins with these lines. */
static bool begins_with(const char *text, size_t left, const char *lines, size_t count)
{
    const char *line = "", *wanted;
    size_t length, wanted_length;

    while (fzi_slice_next(&lines, &count, '\n', &wanted, &wanted_length)) {
        if (!fzi_slice_next(&text, &left, '\n', &line, &length))
            length = 0;
        if (length != wanted_length || memcmp(line, wanted, length) != 0)
            return false;
    }
    return true;
}

bool fzi_has_lines(const char *text, const char *lines)
{
    size_t left = strlen(text), count = strlen(lines), length;
    const char *line;

    fzi_slice_strip(&lines, &count);
    do {
        if (left && begins_with(text, left, lines, count))
            return true;
    } while (fzi_slice_next(&text, &left, '\n', &line, &length));
    return false;
}
