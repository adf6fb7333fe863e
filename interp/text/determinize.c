/* Draws worlds for Monte Carlo agents. See determinize.h. */
#include "determinize.h"

#include "interp/support/cancel.h"
#include "interp/support/chance.h"
#include "notation.h"
#include "position.h"

enum {
    MAX_EVENTS = 10000,    /* tried for one world, */
    MORE_EVENTS = 1250,    /* and where the last search found none: the next decision goes on */
    MENDINGS = 150,        /* changes of one course */
    VARIATIONS = 3         /* changes of a course that fits */
};
static const double EXCHANGES = 0.75; /* of the changes, where the suspect sees hidden chance */

void fzi_worlds_init(fzi_worlds *w, fz_machine *machine)
{
    *w = (fzi_worlds){.machine = machine, .player = -1,
                      .sight = fzi_buffer_in(machine->allocator)};
}

void fzi_worlds_forget(fzi_worlds *w)
{
    fz_state_free(w->near);
    w->near = NULL;
}

void fzi_worlds_free(fzi_worlds *w)
{
    fzi_worlds_forget(w);
    fzi_buffer_free(&w->sight);
    fzi_onlooker_clear(&w->onlooker);
    fzi_release(w->machine->allocator, w->sights);
    fz_state_free(w->spare);
    fz_moves_free(w->moves);
    fzi_worlds_init(w, w->machine);
}

/* NULL, the text of a move after an error, is as good as "". */
static uint64_t hash_text(const char *text)
{
    return text ? fzi_text_hash(text, strlen(text), FZI_HASH_START) : FZI_HASH_START;
}

/* What the player saw of the event that made `state` of `before`. */
static fz_status hash_sight(fzi_worlds *w, const fz_state *before, const fz_state *state,
                            uint64_t *hash)
{
    fzi_buffer_clear(&w->sight);
    fz_status status = fzi_sight_write(&w->onlooker, w->machine, before, state, &w->sight);
    if (status == FZ_OK && w->sight.failed)
        status = fzi_machine_no_memory(w->machine);
    if (status == FZ_OK)
        *hash = fzi_text_hash(w->sight.data, w->sight.length, FZI_HASH_START);
    return status;
}

/* A number of [0, 1). */
static double uniform(fzi_worlds *w)
{
    return fzi_chance_at(w->key, w->counter++) / 4294967296.0;
}

/* A game at its very beginning that asks for chance. */
static fz_state *begin(fzi_worlds *w)
{
    return fz_record_begin(w->machine, 0, 0);
}

/* The hash of a move's text as the player knows it now. */
static uint64_t hash_move(fzi_worlds *w, const fz_state *state, const fz_move *move, bool revealed)
{
    bool open = revealed && fzi_move_is_sealed(state->program, move);

    return hash_text(open ? fz_move_text_shown(w->machine, state, move)
                          : fz_move_text_for(w->machine, state, move, w->player));
}

/* Makes what all courses need. False: memory is short. */
static bool prepare(fzi_worlds *w)
{
    if (!w->spare)
        w->spare = begin(w);
    if (!w->moves)
        w->moves = fz_moves_new(w->machine);
    if (w->spare && (!w->onlooker.memo || w->onlooker.player != w->player)) {
        fzi_onlooker_clear(&w->onlooker);
        fzi_onlooker_init(&w->onlooker, w->spare, w->player);
    }
    return w->spare && w->moves && w->onlooker.base && w->onlooker.memo;
}

/* ---- what the player saw ---- */

static fz_status see(fzi_worlds *w, fz_state *replay, const fzi_log_entry *entry, bool revealed)
{
    fz_machine *m = w->machine;
    fzi_sight *sight = &w->sights[w->count];

    *sight = (fzi_sight){.is_chance = entry->is_chance, .revealed = revealed,
                         .decider = (int8_t)fz_state_decider(replay)};
    if (entry->is_chance) {
        sight->known = !(entry->blind >> w->player & 1);
        sight->value = sight->known ? entry->value : 0;
        sight->seers = (uint16_t)~entry->blind;
        if (sight->known)
            sight->text = hash_text(fz_chance_text(m, replay, entry->value));
    } else {
        sight->known = sight->decider == w->player;
        if (sight->known)
            sight->move = entry->move;
        sight->text = hash_move(w, replay, &entry->move, revealed);
    }
    fz_status status = fz_state_copy(w->spare, replay);
    if (status == FZ_OK)
        status = fzi_log_entry_play(m, replay, entry);
    if (status == FZ_OK)
        status = hash_sight(w, w->spare, replay, &sight->seen);
    w->count++;
    return status;
}

static bool reserve(fzi_worlds *w, size_t count)
{
    fzi_allocator a = w->machine->allocator;
    fzi_sight *sights;

    if (count <= w->room)
        return true;
    sights = a.resize(a.user, w->sights, 2 * count * sizeof *sights);
    if (!sights)
        return false;
    w->sights = sights;
    w->room = 2 * count;
    return true;
}

fz_status fzi_worlds_look(fzi_worlds *w, const fz_state *state, int player)
{
    fz_machine *m = w->machine;
    const fzi_log *log = state->log;
    fz_chance mode = m->chance;
    fz_status status = FZ_OK;

    if (player != w->player)
        fzi_worlds_forget(w);
    w->player = player;
    w->count = 0;
    if (!log || !log->whole || log->lost)
        return fzi_machine_say(m, FZ_USAGE, "the state does not know its game from the beginning");
    if (!reserve(w, log->count))
        return fzi_machine_no_memory(w->machine);
    m->chance = FZ_CHANCE_ASK;
    fz_state *replay = begin(w);
    if (!prepare(w) || !replay)
        status = fzi_machine_no_memory(w->machine);
    for (size_t i = 0; i < log->count && status == FZ_OK; i++)
        status =
            see(w, replay, &log->entries[i], i + fz_state_hidden_decisions(state) < log->count);
    fz_state_free(replay);
    m->chance = mode;
    return status;
}

/* ---- drawing ---- */

/* A possible result of hidden chance. */
typedef struct result {
    int64_t value;
    uint64_t weight;
    uint64_t text;          /* hash */
    bool wished, avoided;
} result;

static size_t find_text(const result *results, size_t count, uint64_t text)
{
    size_t i = 0;

    while (i < count && results[i].text != text)
        i++;
    return i;
}

/* The only other player who sees the chance that the world waits for; -1. */
static int seer_of(const fzi_worlds *w, const fz_state *world)
{
    int seer = -1;

    for (int p = 0; p < (int)w->machine->program->player_count; p++) {
        if (p == w->player || !fz_state_sees_chance(world, p))
            continue;
        if (seer >= 0)
            return -1;
        seer = p;
    }
    return seer;
}

/* Marks the results that the seer's later moves ask for, and those that others will have.
 * Returns the probability that this event should fulfil a wish: 1 if no more hidden results than
 * wishes come before the last of the marked moves. */
static double mark_wishes(const fzi_worlds *w, size_t event, int seer, result *results,
                          size_t count)
{
    size_t slots = 0, wishes = 0;
    bool urgent = false;

    for (size_t k = event; k < w->count; k++) {
        const fzi_sight *sight = &w->sights[k];
        bool hidden = sight->is_chance && !sight->known;
        size_t at = hidden ? count : find_text(results, count, sight->text);
        slots += hidden && seer >= 0 && sight->seers >> seer & 1;
        if (at == count || results[at].wished || results[at].avoided)
            continue;
        if (sight->is_chance || sight->decider != seer) {
            results[at].avoided = true;
        } else if (!urgent) {
            results[at].wished = true;
            urgent = ++wishes >= slots;
        }
    }
    return urgent ? 1 : slots ? (double)wishes / (double)slots : 0;
}

static uint64_t weight_of(const result *r, bool wished)
{
    return r->wished == wished && !r->avoided ? r->weight : 0;
}

/* One of the results that are left, by weight; it is taken out. */
static int64_t draw_result(fzi_worlds *w, result *results, size_t *count, bool wished)
{
    uint64_t total = 0;
    size_t i = 0;

    for (size_t k = 0; k < *count; k++)
        total += weight_of(&results[k], wished);
    if (!total) { /* none of this sort is left: any will do */
        for (size_t k = 0; k < *count; k++) {
            results[k].wished = results[k].avoided = false;
            total += results[k].weight;
        }
        wished = false;
    }
    uint64_t at = (uint64_t)(uniform(w) * (double)total);
    for (; i + 1 < *count; i++) {
        if (at < weight_of(&results[i], wished))
            break;
        at -= weight_of(&results[i], wished);
    }
    int64_t value = results[i].value;
    results[i] = results[--*count];
    return value;
}

/* True if the player saw the same of the event in the real game. */
static bool looks_right(fzi_worlds *w, const fz_state *before, const fz_state *state,
                        const fzi_sight *sight)
{
    uint64_t seen;

    return hash_sight(w, before, state, &seen) == FZ_OK && seen == sight->seen;
}

static result *results_of(fzi_worlds *w, const fz_state *world, size_t *count)
{
    fz_machine *m = w->machine;
    const fz_outcome *outcomes;
    result *results;

    if (fz_state_outcomes(m, world, &outcomes, count) != FZ_OK || *count == 0)
        return NULL;
    results = fzi_allocate(w->machine->allocator, *count * sizeof *results);
    for (size_t i = 0; results && i < *count; i++)
        results[i] = (result){.value = outcomes[i].value, .weight = outcomes[i].weight};
    for (size_t i = 0; results && i < *count; i++)
        results[i].text = hash_text(fz_chance_text(m, world, results[i].value));
    return results;
}

/* Plays the entry on the world, if the player would have seen the same. */
static bool try_entry(fzi_worlds *w, fz_state *world, const fzi_sight *sight,
                      const fzi_log_entry *entry, unsigned *left)
{
    --*left;
    w->tried++;
    if (fz_state_copy(w->spare, world) != FZ_OK ||
        fzi_log_entry_play(w->machine, w->spare, entry) != FZ_OK ||
        !looks_right(w, world, w->spare, sight))
        return false;
    fz_state before = *world;
    *world = *w->spare;
    *w->spare = before;
    return true;
}

static bool try_chance(fzi_worlds *w, fz_state *world, const fzi_sight *sight, int64_t value,
                       unsigned *left)
{
    w->text = hash_text(fz_chance_text(w->machine, world, value));
    return try_entry(w, world, sight, &(fzi_log_entry){.is_chance = true, .value = value}, left);
}

/* Plays one of the possible results of hidden chance on the world. */
static bool draw_chance(fzi_worlds *w, fz_state *world, size_t event, unsigned *left)
{
    size_t count;
    result *results = results_of(w, world, &count);
    bool found = false, wished;

    if (!results)
        return false;
    wished = uniform(w) <
             mark_wishes(w, event, seer_of(w, world), results, count);
    while (!found && count && *left)
        found = try_chance(w, world, &w->sights[event],
                           draw_result(w, results, &count, wished), left);
    fzi_release(w->machine->allocator, results);
    return found;
}

static bool try_move(fzi_worlds *w, fz_state *world, const fzi_sight *sight, const fz_move *move,
                     unsigned *left)
{
    return hash_move(w, world, move, sight->revealed) == sight->text &&
           try_entry(w, world, sight, &(fzi_log_entry){.move = *move}, left);
}

/* Plays one of the moves that the player would have seen in the same way. */
static bool draw_move(fzi_worlds *w, fz_state *world, const fzi_sight *sight, unsigned *left)
{
    if (fz_state_moves(w->machine, world, w->moves) != FZ_OK || fz_moves_count(w->moves) == 0)
        return false;
    /* In their order from a random one on: enough, since each world begins elsewhere. */
    uint32_t total = (uint32_t)fz_moves_count(w->moves);
    uint32_t first = fzi_chance_below(w->key, &w->counter, total);
    for (uint32_t i = 0; i < total && *left; i++) {
        fz_move move = fz_moves_at(w->moves, (first + i) % total);
        if (try_move(w, world, sight, &move, left))
            return true;
    }
    return false;
}

/* Plays the hidden event of the guide. False: it does not fit here. */
static bool follow(fzi_worlds *w, fz_state *world, const fzi_sight *sight,
                   const fzi_log_entry *guide, unsigned *left)
{
    if (guide->is_chance != sight->is_chance)
        return false;
    if (sight->is_chance)
        return try_chance(w, world, sight, guide->value, left);
    return try_move(w, world, sight, &guide->move, left);
}

/* `guide`: what the event was in a course that is followed where it can be; NULL. */
static bool repeat_event(fzi_worlds *w, fz_state *world, size_t event, const fzi_log_entry *guide,
                         unsigned *left)
{
    const fzi_sight *sight = &w->sights[event];
    fz_waiting waits = sight->is_chance ? FZ_WAITING_CHANCE : FZ_WAITING_MOVE;

    if (fz_state_waiting(world) != waits ||
        (!sight->is_chance && sight->known != (fz_state_decider(world) == w->player)))
        return false;
    if (!sight->known) {
        if (guide && follow(w, world, sight, guide, left))
            return true;
        return sight->is_chance ? draw_chance(w, world, event, left)
                                : draw_move(w, world, sight, left);
    }
    return try_entry(w, world, sight,
                     &(fzi_log_entry){.is_chance = sight->is_chance, .value = sight->value,
                                      .move = sight->move}, left);
}

/* ---- courses that almost fit ---- */

/* A course of the game: what its events were, up to the first that would have looked different. */
typedef struct course {
    fz_state *world;
    size_t reach;             /* events that fit */
    uint64_t *texts;          /* of the results of hidden chance, by event: hashes; may be NULL */
} course;

static void drop(fzi_worlds *w, course *c)
{
    fz_state_free(c->world);
    fzi_release(w->machine->allocator, c->texts);
    *c = (course){0};
}

/* Entry n of a world's log is event n of the game. */
static const fzi_log_entry *event_of(const course *c, size_t event)
{
    return c && c->world && event < c->world->log->count ? &c->world->log->entries[event] : NULL;
}

/* A change that is tried in a course: the event `at` is drawn again, or if `with` is another event,
 * the two exchange their results, so that the rest of a deal stays. */
typedef struct edit {
    size_t at, with;
} edit;

static const fzi_log_entry *guide_of(const course *guide, const edit *e, size_t event)
{
    if (!e || (event != e->at && event != e->with))
        return event_of(guide, event);
    return e->at == e->with ? NULL : event_of(guide, event == e->at ? e->with : e->at);
}

/* Plays the events once more. The guide is followed, but for the change (NULL: none) and where it
 * does not fit any more. */
static void play_course(fzi_worlds *w, const course *guide, const edit *change, unsigned *left,
                        course *made)
{
    if (fzi_cancelled(w->cancel))
        *left = 0;
    *made = (course){.world = begin(w)};
    made->texts = fzi_allocate(w->machine->allocator, w->count * sizeof *made->texts);
    while (made->world && made->reach < w->count && *left &&
           repeat_event(w, made->world, made->reach, guide_of(guide, change, made->reach), left)) {
        if (made->texts)
            made->texts[made->reach] = w->text;
        made->reach++;
    }
}

/* The player whose hidden results are probably wrong: the one who decides at the event where the
 * course stops to fit, or at a random event if all fit. -1: no other player decides there. */
static int draw_suspect(fzi_worlds *w, const course *c)
{
    size_t event = c->reach < w->count ? c->reach : fzi_chance_below(w->key, &w->counter, w->count);

    if (event == w->count) /* there are no events */
        return -1;
    return w->sights[event].is_chance || w->sights[event].known ? -1 : w->sights[event].decider;
}

/* True if the event must keep its result, since a player who sees it shows the result later,
 * such as a card that is played. */
static bool is_settled(const fzi_worlds *w, const course *c, size_t event)
{
    for (size_t k = event + 1; c->texts && k < w->count; k++) {
        const fzi_sight *sight = &w->sights[k];
        if (!sight->is_chance && sight->text == c->texts[event])
            return w->sights[event].seers >> sight->decider & 1;
    }
    return false;
}

/* Draws one of the results of hidden chance that may be exchanged, but not `other`: of those that
 * the suspect sees, or of those of others. False: there is none. */
static bool draw_exchanged(fzi_worlds *w, const course *c, int suspect, bool sees, size_t other,
                           size_t *chosen)
{
    size_t count = 0;

    for (size_t i = 0; i < c->reach; i++) {
        const fzi_sight *sight = &w->sights[i];
        if (i != other && !sight->known && sight->is_chance &&
            (sight->seers >> suspect & 1) == sees && !is_settled(w, c, i) &&
            fzi_chance_below(w->key, &w->counter, ++count) == 0)
            *chosen = i;
    }
    return count > 0;
}

/* Draws one of the hidden events that might have been otherwise. */
static bool draw_hidden(fzi_worlds *w, size_t reach, size_t *chosen)
{
    size_t count = 0;

    for (size_t i = 0; i < w->count && i <= reach; i++)
        if (!w->sights[i].known && fzi_chance_below(w->key, &w->counter, ++count) == 0)
            *chosen = i;
    return count > 0;
}

/* Usually the suspect could not have made the decision with these hidden results: one of them is
 * exchanged with a result of another player, or else with another of the suspect's. Sometimes
 * any hidden event is drawn again instead. False: no event is hidden. */
static bool draw_change(fzi_worlds *w, const course *c, edit *change)
{
    int suspect = draw_suspect(w, c);

    if (suspect >= 0 && uniform(w) < EXCHANGES &&
        draw_exchanged(w, c, suspect, true, w->count, &change->at) &&
        (draw_exchanged(w, c, suspect, false, w->count, &change->with) ||
         draw_exchanged(w, c, suspect, true, change->at, &change->with)))
        return true;
    if (!draw_hidden(w, c->reach, &change->at))
        return false;
    change->with = change->at;
    return true;
}

static void take_over(course *into, course *from)
{
    course old = *into;

    *into = *from;
    *from = old;
}

/* Makes one change at a time, and keeps those after which the course fits at least as far. A course
 * that fits is left as it is; `on`: it may be one of few that do, so look for others near it. */
static void mend(fzi_worlds *w, course *c, unsigned tries, bool on, unsigned *left)
{
    for (unsigned i = 0; i < tries && c->world && (on || c->reach < w->count) && *left; i++) {
        edit change;
        course other;
        if (!draw_change(w, c, &change))
            return;
        play_course(w, c, &change, left, &other);
        if (other.world && other.reach >= c->reach)
            take_over(c, &other);
        drop(w, &other);
    }
}

/* Takes the world of the course: it fits, or the next search begins near it. */
static fz_status finish(fzi_worlds *w, course *best, fz_state **world)
{
    fz_status status = !best->world ? fzi_machine_no_memory(w->machine)
                       : best->reach == w->count ? FZ_OK : FZ_NOT_FOUND;

    fzi_worlds_forget(w);
    *(status == FZ_OK ? world : &w->near) = best->world;
    best->world = NULL;
    drop(w, best);
    return status;
}

static fz_status search(fzi_worlds *w, const course *guide, unsigned tries, unsigned left,
                        fz_state **world)
{
    course best = {0};

    if (guide) {
        play_course(w, guide, NULL, &left, &best);
        mend(w, &best, MENDINGS, false, &left);
        if (best.reach == w->count)
            mend(w, &best, VARIATIONS, true, &left);
    }
    for (unsigned i = 0; i < tries && (!best.world || best.reach < w->count) && left; i++) {
        course other;
        play_course(w, NULL, NULL, &left, &other);
        mend(w, &other, MENDINGS, false, &left);
        if (!best.world || other.reach > best.reach)
            take_over(&best, &other);
        drop(w, &other);
    }
    return finish(w, &best, world);
}

fz_status fzi_worlds_draw(fzi_worlds *w, const fz_state *before, unsigned tries, fz_state **world)
{
    fz_machine *m = w->machine;
    fz_chance mode = m->chance;
    const fz_state *from = before ? before : w->near;
    course guide = {.world = (fz_state *)(uintptr_t)from};

    *world = NULL;
    m->chance = FZ_CHANCE_ASK;
    fz_status status = prepare(w)
                 ? search(w, from ? &guide : NULL, tries,
                          from == before ? MAX_EVENTS : MORE_EVENTS, world)
                 : fzi_machine_no_memory(w->machine);
    m->chance = mode;
    return status;
}
