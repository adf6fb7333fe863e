/* Self-play learning by temporal differences, TD(lambda). See learning.h.
 *
 * Both players choose the move after which the evaluation is best for them, now and then a random
 * one. After the game each position is taught what came of it: the value is moved towards a mean of
 * the values that followed and the result. */
#include "learning.h"

#include "interp/agents/agent.h"
#include "interp/vm/fault.h"
#include "interp/vm/filter.h"
#include "interp/vm/game.h"

enum {
    MOST_STEPS = 2000,        /* of a game; then the last value is its result */
    MOST_TRIED = 128          /* moves of a decision that are looked at */
};
static const double EXPLORE = 0.1;  /* probability of a random move */
static const double LAMBDA = 0.7;   /* weight of what came later */
static const double RATE = 2;       /* change of the odds for an error of 1 */

typedef struct fzi_step {
    size_t first, count;      /* in `seen` */
    int viewer;
    bool explored;            /* the move was random: what followed tells nothing */
} step;

/* ---- one game ---- */

static double value_of(const fzi_learning *y, const step *s)
{
    double odds = 0;

    for (size_t i = 0; i < s->count; i++)
        odds += (double)y->learned->weights[y->seen[s->first + i]];
    return fzi_probability_of(odds);
}

/* Notes a position. */
static bool note(fzi_learning *y, const fz_state *state)
{
    fzi_allocator allocator = y->setup->context->allocator;
    size_t most = 2 * (size_t)y->learned->pattern_count + 1;

    if (!fzi_make_room(allocator, &y->steps, &y->step_room, y->step_count + 1, sizeof *y->steps) ||
        !fzi_make_room(allocator, &y->seen, &y->seen_room, y->seen_count + most, sizeof *y->seen))
        return false;
    step *s = &y->steps[y->step_count++];
    *s = (step){.first = y->seen_count, .viewer = fzi_learned_viewer(state)};
    s->count = fzi_learned_see(y->learned, state, y->seen + s->first);
    y->seen_count += s->count;
    return true;
}

/* Plays the move on y->after; chance that follows is left open. */
static fz_status try_move(fzi_learning *y, const fz_move *move)
{
    fzi_machine_begin(y->machine);
    if (!fzi_state_borrow(y->after, y->state))
        return fzi_machine_no_memory(y->machine);
    return fzi_state_take(y->machine, y->after, move, FZ_MAX_TURNS, true);
}

/* The probability that the player wins from y->after on. */
static double promise(const fzi_learning *y, int player)
{
    if (fzi_head_of(y->after)->waiting == FZ_GAME_OVER)
        return fz_state_utility(y->after, player);
    return fzi_probability_of(fzi_learned_odds(y->learned, y->after, player));
}

/* The move with the best promise; evenly among equals. Of very many moves, some are looked at. */
static fz_status choose(fzi_learning *y, const fzi_move_list *list, uint64_t key, uint64_t *counter,
                        fz_move *chosen)
{
    int player = fzi_head_of(y->state)->decider;
    uint32_t tries = list->total < MOST_TRIED ? list->total : MOST_TRIED;
    double best = -1;
    uint64_t equals = 0;

    for (uint32_t i = 0; i < tries; i++) {
        fz_move move = {0};
        uint32_t number = tries == list->total ? i : fzi_chance_below(key, counter, list->total);
        fzi_move_list_pick(list, number, y->learned->program->board.words, &move);
        fz_status status = try_move(y, &move);
        if (status != FZ_OK)
            return status;
        double found = promise(y, player);
        equals = found > best ? 1 : equals + (found >= best);
        if (found > best || (found >= best && fzi_chance_below(key, counter, equals) == 0)) {
            best = found;
            *chosen = move;
        }
    }
    return FZ_OK;
}

/* Chooses a move and plays it. */
static fz_status decide(fzi_learning *y, uint64_t key, uint64_t *counter)
{
    fzi_move_list *list = &y->moves->list;
    fz_move move = {0};
    fzi_run run;
    fz_status status = FZ_OK;

    fzi_machine_begin(y->machine);
    if (!fzi_state_gather(y->machine, y->state, list, &run) ||
        !fzi_move_list_prune(y->machine, &run))
        return fzi_machine_fail(y->machine);
    bool explore = fzi_chance_at(key, (*counter)++) < EXPLORE * 4294967296.0;
    if (!note(y, y->state))
        return fzi_machine_no_memory(y->machine);
    y->steps[y->step_count - 1].explored = explore && list->total > 1;
    if (explore || list->total == 1)
        fzi_move_list_pick(list, fzi_chance_below(key, counter, list->total),
                           y->learned->program->board.words, &move);
    else
        status = choose(y, list, key, counter, &move);
    if (status == FZ_OK && y->learned->program->uses_chance) {
        status = try_move(y, &move);
        if (status == FZ_OK && fzi_head_of(y->after)->waiting == FZ_WAITING_CHANCE &&
            !note(y, y->after))
            return fzi_machine_no_memory(y->machine);
    }
    if (status != FZ_OK)
        return status;
    fzi_machine_begin(y->machine);
    return fzi_state_take(y->machine, y->state, &move, FZ_MAX_TURNS, false);
}

static fz_status play(fzi_learning *y)
{
    uint64_t key = fzi_chance_key(fzi_chance_mix(y->seed ^ UINT64_C(0x1ea2e5)), y->games);
    uint64_t counter = 0;

    y->step_count = y->seen_count = 0;
    fzi_machine_begin(y->machine);
    fzi_state_reset(y->state, fzi_chance_key(y->seed, y->games), 0);
    fz_status status = fzi_state_go(y->machine, y->state, 0);
    while (status == FZ_OK && fzi_head_of(y->state)->waiting == FZ_WAITING_MOVE &&
           y->step_count < MOST_STEPS) {
        if (fzi_cancelled(y->machine->limits.cancel))
            return FZ_NOT_FOUND;
        status = decide(y, key, &counter);
    }
    return status;
}

/* ---- learning ---- */

/* Moves the value of the step by its error. */
static void correct(fzi_learning *y, const step *s, double error)
{
    float by = (float)(RATE * error / (double)s->count), amount = (float)fabs(error);

    for (size_t i = 0; i < s->count; i++) {
        uint32_t number = y->seen[s->first + i];
        float *sum = &y->sums[number], *all = &y->amounts[number];
        y->learned->weights[number] += *all > 0 ? by * fabsf(*sum) / *all : by;
        *sum += (float)error;
        *all += amount;
    }
}

/* From the side of the first player. */
static double turned(const fzi_learning *y, const step *s, double value)
{
    return fzi_same_side(y->learned->program, (unsigned)s->viewer, 0) ? value : 1 - value;
}

/* From the end to the beginning: `target` is what a position was worth, as far as is known now. */
static void learn(fzi_learning *y, double result, fzi_lesson *lesson)
{
    double target = result, squares = 0;

    for (size_t i = y->step_count; i-- > 0;) {
        const step *s = &y->steps[i];
        double value = value_of(y, s), seen = turned(y, s, value);
        squares += (seen - result) * (seen - result);
        if (s->explored)
            target = seen;
        else
            correct(y, s, turned(y, s, target) - value);
        target = LAMBDA * target + (1 - LAMBDA) * turned(y, s, value_of(y, s));
    }
    *lesson = (fzi_lesson){y->step_count ? squares / (double)y->step_count : 0, result,
                           fzi_head_of(y->state)->plies};
}

fz_status fzi_learning_play(fzi_learning *y, fzi_lesson *lesson)
{
    fz_status status = play(y);

    if (status == FZ_NOT_FOUND)
        return status;
    if (status != FZ_OK) {
        fzi_context_fail(y->setup->context, status, "game %llu: %s",
                         (unsigned long long)y->games + 1, fz_machine_message(y->machine));
        y->games += status == FZ_RUNTIME;
        return status;
    }
    bool over = fzi_head_of(y->state)->waiting == FZ_GAME_OVER;
    const step *last = y->step_count ? &y->steps[y->step_count - 1] : NULL;
    learn(y, over || !last ? fz_state_utility(y->state, 0) : turned(y, last, value_of(y, last)),
          lesson);
    y->games++;
    return FZ_OK;
}

/* ---- beginning ---- */

static fz_status refuse(const fzi_setup *setup, const char *what)
{
    return fzi_context_fail(setup->context, FZ_REFUSED, "%s: only games of two sides without "
                            "hidden information and payoffs can be learned; this one %s",
                            setup->path, what);
}

static fz_status check(const fzi_setup *setup)
{
    unsigned side_of[FZ_MAX_PLAYERS];

    if (fzi_sides(setup->program, side_of) != 2)
        return refuse(setup, "has another number of sides");
    if (fz_program_hides(setup->program))
        return refuse(setup, "hides something");
    return fz_program_has_payoffs(setup->program) ? refuse(setup, "has payoffs") : FZ_OK;
}

static fz_status begin(fzi_learning *y, const fzi_setup *setup)
{
    fz_status status = check(setup);

    *y = (fzi_learning){.setup = setup, .seed = setup->options.seed};
    if (status != FZ_OK)
        return status;
    y->machine = fz_machine_new(setup->program, fzi_setup_limits(setup));
    y->state = fzi_state_make(setup->program);
    y->after = y->machine ? fzi_scratch_new(y->machine) : NULL;
    y->moves = y->machine ? fz_moves_new(y->machine) : NULL;
    if (!y->state || !y->after || !y->moves)
        return fzi_context_no_memory(setup->context);
    fzi_state_forget(y->state);
    return FZ_OK;
}

static fz_status make_sums(fzi_learning *y)
{
    fzi_allocator allocator = y->setup->context->allocator;
    size_t count = (size_t)y->learned->tables * y->learned->weight_count;

    y->sums = fzi_allocate_zeroed(allocator, count * sizeof *y->sums);
    y->amounts = fzi_allocate_zeroed(allocator, count * sizeof *y->amounts);
    return y->sums && y->amounts ? FZ_OK : fzi_context_no_memory(y->setup->context);
}

fz_status fzi_learning_begin(fzi_learning *y, const fzi_setup *setup)
{
    fz_status status = begin(y, setup);

    if (status == FZ_OK)
        status = fzi_learning_look(y);
    return status == FZ_OK ? make_sums(y) : status;
}

fz_status fzi_learning_resume(fzi_learning *y, const fzi_setup *setup, const char *path)
{
    fz_status status = begin(y, setup);

    return status == FZ_OK
               ? fzi_evaluation_read(setup->context, setup->program, path, &y->learned, y)
               : status;
}

void fzi_learning_clear(fzi_learning *y)
{
    fzi_allocator allocator = y->setup->context->allocator;

    fzi_learned_free(y->learned);
    fz_moves_free(y->moves);
    if (y->machine)
        fzi_scratch_free(y->machine, y->after);
    fz_state_free(y->state);
    fz_machine_free(y->machine);
    FZI_RELEASE(allocator, y->sums, y->amounts, y->steps, y->seen);
}
