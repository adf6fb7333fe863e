/* Determinization: a state that a player cannot tell from the true one. The game is replayed from
 * its beginning, beside a second game in which whatever the player did not see is drawn anew. After
 * each step both must look alike to the player; a step that differs is drawn again, and after some
 * tries the whole replay begins again. */
#include <string.h>

#include "interp/ferz_tools.h"
#include "interp/state/move_log.h"
#include "interp/support/buffer.h"
#include "interp/support/chance.h"
#include "interp/vm/fault.h"
#include "interp/vm/machine.h"
#include "notation.h"
#include "position.h"

enum { STEP_TRIES = 8 };

typedef struct replay {
    fz_machine *machine;
    int player;
    const fzi_log *log;
    size_t at;               /* the entry of this step */
    size_t sealed;           /* the decisions from here on are not known to all yet */
    bool careful;            /* hidden chance leaves what the player sees drawn later */
    char *seen;              /* what the player sees of the real game after the step */
    uint64_t key, counter;   /* of the draws */
    fz_state *real, *other;  /* the game as it was, and as it may have been */
    fz_state *before;        /* `other` before the step */
    fz_moves *moves;
} replay;

static uint32_t draw(replay *r, uint64_t n)
{
    return fzi_chance_below(r->key, &r->counter, n);
}

/* ---- one step of the other game ---- */

/* Does the player see this value drawn later? A card can be drawn once only. */
static bool comes_later(const replay *r, int64_t value)
{
    for (size_t i = r->at + 1; i < r->log->count; i++) {
        const fzi_log_entry *entry = &r->log->entries[i];
        if (entry->is_chance && entry->value == value && !(entry->blind >> r->player & 1))
            return true;
    }
    return false;
}

static uint64_t weight_of(const replay *r, const fz_outcome *outcome)
{
    return r->careful && comes_later(r, outcome->value) ? 0 : outcome->weight;
}

static fz_status any_outcome(replay *r, int64_t *value)
{
    const fz_outcome *outcomes;
    size_t count, i = 0;
    uint64_t total = 0;
    fz_status status = fz_state_outcomes(r->machine, r->other, &outcomes, &count);

    for (size_t k = 0; status == FZ_OK && k < count; k++)
        total += weight_of(r, &outcomes[k]);
    if (status != FZ_OK || !total || total > UINT32_MAX)
        return status == FZ_OK ? FZ_NOT_FOUND : status;
    for (uint64_t at = draw(r, total); at >= weight_of(r, &outcomes[i]); i++)
        at -= weight_of(r, &outcomes[i]);
    *value = outcomes[i].value;
    return FZ_OK;
}

static fz_status step_chance(replay *r, const fzi_log_entry *entry)
{
    bool seen = fz_state_sees_chance(r->real, r->player);
    int64_t value = entry->value;
    fz_status status = FZ_OK;

    if (fz_state_waiting(r->other) != FZ_WAITING_CHANCE ||
        fz_state_sees_chance(r->other, r->player) != seen)
        return FZ_NOT_FOUND;
    if (!seen)
        status = any_outcome(r, &value);
    return status == FZ_OK ? fz_state_set_chance(r->machine, r->other, value) : status;
}

/* How the player knows the move now: one that was sealed has been revealed since, if all have
 * decided. */
static const char *known_as(replay *r, const fz_state *state, const fz_move *move)
{
    bool revealed = fzi_move_is_sealed(state->program, move) && r->at < r->sealed;

    return revealed && fz_state_decider(state) != r->player
               ? fz_move_text_shown(r->machine, state, move)
               : fz_move_text_for(r->machine, state, move, r->player);
}

/* One of the legal moves of the other game that the player takes for `text`, each as likely. */
static fz_status any_move(replay *r, const char *text, fz_move *move)
{
    uint64_t found = 0;
    fz_status status = fz_state_moves(r->machine, r->other, r->moves);

    for (size_t i = 0; status == FZ_OK && i < fz_moves_count(r->moves); i++) {
        const fz_move one = fz_moves_at(r->moves, i);
        if (strcmp(known_as(r, r->other, &one), text) == 0 && draw(r, ++found) == 0)
            *move = one;
    }
    return status == FZ_OK && !found ? FZ_NOT_FOUND : status;
}

static fz_status step_move(replay *r, const fzi_log_entry *entry)
{
    const char *text = known_as(r, r->real, &entry->move);
    fzi_allocator allocator = r->machine->allocator;
    char *copy = fzi_copy_text(allocator, text, strlen(text));
    fz_move move = entry->move;
    fz_status status = FZ_NOT_FOUND;

    if (!copy)
        return FZ_NO_MEMORY;
    if (fz_state_waiting(r->other) == FZ_WAITING_MOVE &&
        fz_state_decider(r->other) == fz_state_decider(r->real))
        status = any_move(r, copy, &move);
    if (status == FZ_OK)
        status = fz_state_play(r->machine, r->other, &move);
    fzi_release(allocator, copy);
    return status;
}

/* ---- what the player sees of both ---- */

/* `played` is the real game after the step. */
static fz_status alike(replay *r, const fz_state *played)
{
    char *seen = NULL;
    fz_status status = FZ_NOT_FOUND;

    if (fz_state_waiting(played) == fz_state_waiting(r->other) &&
        fz_state_decider(played) == fz_state_decider(r->other))
        status = fz_state_observation(r->machine, r->other, r->player, &seen);
    if (status == FZ_OK && strcmp(seen, r->seen) != 0)
        status = FZ_NOT_FOUND;
    fzi_release(r->machine->allocator, seen);
    return status;
}

static fz_status try_step(replay *r, const fzi_log_entry *entry, const fz_state *played)
{
    fz_status status = fz_state_copy(r->other, r->before);

    if (status == FZ_OK)
        status = entry->is_chance ? step_chance(r, entry) : step_move(r, entry);
    return status == FZ_OK ? alike(r, played) : status;
}

static fz_status step(replay *r, const fzi_log_entry *entry)
{
    fz_state *played = fz_state_clone(r->real);
    fz_status status = played ? fzi_log_entry_play(r->machine, played, entry) : FZ_NO_MEMORY;

    if (status == FZ_OK)
        status = fz_state_observation(r->machine, played, r->player, &r->seen);
    if (status == FZ_OK)
        status = fz_state_copy(r->before, r->other);
    if (status == FZ_OK) {
        unsigned tries = STEP_TRIES;
        do
            status = try_step(r, entry, played);
        while (status != FZ_OK && status != FZ_NO_MEMORY && --tries);
    }
    if (status == FZ_OK)
        status = fz_state_copy(r->real, played);
    fzi_release(r->machine->allocator, r->seen);
    r->seen = NULL;
    if (played)
        fz_state_free(played);
    return status;
}

/* ---- the whole ---- */

/* Both at the beginning of the logged game. */
static bool restart(replay *r)
{
    if (r->real)
        fz_state_free(r->real);
    if (r->other)
        fz_state_free(r->other);
    r->real = fz_state_new(r->machine, 1, 0);
    r->other = r->real ? fz_record_begin(r->machine, 1 + r->counter, r->key) : NULL;
    return r->other != NULL;
}

static fz_status replay_all(replay *r)
{
    fz_status status = restart(r) ? FZ_OK : FZ_NO_MEMORY;

    for (r->at = 0; r->at < r->log->count && status == FZ_OK; r->at++)
        status = step(r, &r->log->entries[r->at]);
    return status;
}

fz_state *fz_state_determinize(fz_machine *machine, const fz_state *state, int player,
                               uint64_t seed, unsigned tries)
{
    const fzi_log *log = state->log;
    fz_chance mode = machine->chance;
    fz_status status = FZ_NOT_FOUND;
    replay r = {.machine = machine, .player = player, .key = fzi_chance_key(seed, 0), .log = log};

    fzi_machine_begin(machine);
    if (!log || !log->whole || log->lost || log->origin) {
        fzi_machine_say(machine, FZ_USAGE, "the state does not know its game from the beginning");
        return NULL;
    }
    machine->chance = FZ_CHANCE_ASK;
    r.sealed = log->count - fz_state_sealed(state);
    r.before = fz_state_clone(state);
    r.moves = fz_moves_new(machine);
    for (unsigned i = 0; r.before && r.moves && status != FZ_OK && i < tries; i++) {
        r.careful = i % 2;
        status = replay_all(&r);
    }
    machine->chance = mode;
    fz_moves_free(r.moves);
    if (r.before)
        fz_state_free(r.before);
    if (r.real)
        fz_state_free(r.real);
    if (status == FZ_OK)
        return r.other;
    if (r.other)
        fz_state_free(r.other);
    fzi_machine_say(machine, FZ_NOT_FOUND, "no other state was found");
    return NULL;
}
