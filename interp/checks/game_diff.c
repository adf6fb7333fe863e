/* Plays two games side by side until their legal moves or results differ. The command `diff`,
 * Python and other programs call fz_games_diff. */
#include "interp/count/counting.h"
#include "interp/support/buffer.h"
#include "interp/support/text.h"
#include "interp/vm/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SEARCHED = 40000,          /* pairs of positions in the search */
    MAX_PLAYED = 100000,           /* in the search and in random games */
    MAX_FRONTIER = 128 << 20,      /* bytes of the states of one depth */
    MAX_PLIES = 1000,              /* of a random game */
    MAX_SEEN = 1 << 19             /* pairs that are not searched again */
};

/* The same line of play in both games. */
typedef struct pair {
    fz_state *state[2];
} pair;

typedef struct frontier {
    pair *items;
    size_t count, room, bytes;
} frontier;

/* A move or chance result of one of the games. */
typedef struct way {
    const char *text;
    size_t at;           /* of the text in the list's texts */
    size_t match;        /* the same way of the other game; SIZE_MAX: it has none */
} way;

typedef struct ways {
    fzi_successors found;
    way *items, **sorted;
    size_t room, sorted_room;
    fzi_buffer texts;
} ways;

typedef struct comparison {
    fz_context *context;
    const fz_diff_task *task;
    fz_machine *machine[2];
    ways ways[2];
    fzi_keys seen;       /* hashes of pairs */
    uint64_t random;
    fz_diff *found;
    bool no_memory;
} comparison;

/* ---- what may follow ---- */

static char *copy_of(comparison *c, const char *text)
{
    char *copy = fzi_copy_text(c->context->allocator, text, strlen(text));
    c->no_memory |= !copy;
    return copy;
}

static bool is_stopped(const comparison *c)
{
    const fz_watch *watch = c->task->watch;
    return c->no_memory || fzi_watch_stops(watch, c->task->limits ? c->task->limits->cancel : NULL,
                                           c->found->positions, 0);
}

static int by_text(const void *a, const void *b)
{
    return strcmp((*(way *const *)a)->text, (*(way *const *)b)->text);
}

static bool has_room(comparison *c, ways *w)
{
    fzi_allocator a = c->context->allocator;
    size_t count = w->found.count;

    return fzi_make_room(a, &w->items, &w->room, count, sizeof *w->items) &&
           fzi_make_room(a, &w->sorted, &w->sorted_room, count, sizeof *w->sorted);
}

static fz_status list_ways(comparison *c, unsigned side, const fz_state *state)
{
    ways *w = &c->ways[side];
    fz_status status = fzi_successors_find(&w->found, c->machine[side], state);
    fzi_buffer_clear(&w->texts);
    if (status != FZ_OK || !has_room(c, w)) {
        c->no_memory |= status == FZ_OK || status == FZ_NO_MEMORY;
        w->found.count = 0;
    }
    for (size_t i = 0; i < w->found.count; i++) {
        const char *text = fzi_successors_text(&w->found, i, state);
        w->items[i] = (way){.at = w->texts.length, .match = SIZE_MAX};
        fzi_buffer_add(&w->texts, text, strlen(text) + 1);
    }
    if (w->texts.failed) {
        c->no_memory = true;
        w->found.count = 0;
    }
    for (size_t i = 0; i < w->found.count; i++) {
        w->items[i].text = w->texts.data + w->items[i].at;
        w->sorted[i] = &w->items[i];
    }
    if (w->found.count)
        qsort(w->sorted, w->found.count, sizeof *w->sorted, by_text);
    return status;
}

static bool same_weight(const comparison *c, const way *a, const way *b)
{
    const ways *one = &c->ways[0], *other = &c->ways[1];
    const fz_outcome *x = one->found.outcomes, *y = other->found.outcomes;
    return !x || !y || (double)x[a - one->items].weight * (double)other->found.total ==
                           (double)y[b - other->items].weight * (double)one->found.total;
}

/* Finds for each way of a game that of the other one. True: the lists are the same. */
static bool match_ways(comparison *c)
{
    ways *one = &c->ways[0], *other = &c->ways[1];
    bool same = one->found.count == other->found.count;
    for (size_t i = 0, k = 0; i < one->found.count && k < other->found.count;) {
        way *a = one->sorted[i], *b = other->sorted[k];
        int order = strcmp(a->text, b->text);
        if (order == 0) {
            a->match = (size_t)(b - other->items);
            b->match = (size_t)(a - one->items);
            same = same && same_weight(c, a, b);
        } else {
            same = false;
        }
        i += order <= 0;
        k += order >= 0;
    }
    return same;
}

/* ---- what was found ---- */

static void note_only(comparison *c)
{
    for (unsigned side = 0; side < 2; side++) {
        const ways *w = &c->ways[side];
        char **list = fzi_allocate(c->context->allocator, (w->found.count + 1) * sizeof *list);
        size_t count = 0;
        c->no_memory |= !list;
        for (size_t i = 0; list && i < w->found.count; i++)
            if (w->items[i].match == SIZE_MAX && (list[count] = copy_of(c, w->items[i].text)))
                count++;
        c->found->only[side] = list;
        c->found->only_count[side] = count;
    }
}

/* The moves of a record, separated by commas. */
static char *moves_of(comparison *c, const char *text, size_t *count)
{
    fz_record record;
    fzi_buffer list = fzi_buffer_in(c->context->allocator);
    char *moves = NULL;
    if (fz_record_read(c->context, text, &record) == FZ_OK)
        for (size_t i = 0; i < record.entry_count; i++)
            fzi_buffer_format(&list, "%s%s", i ? ", " : "", record.entries[i]);
    *count = record.entry_count;
    fz_record_free(c->context, &record);
    c->no_memory |= fzi_buffer_finish(&list, &moves) != FZ_OK;
    return moves;
}

void fz_diff_free(fz_context *context, fz_diff *diff)
{
    for (unsigned side = 0; side < 2; side++) {
        for (size_t i = 0; i < diff->only_count[side]; i++)
            fz_text_free(context, diff->only[side][i]);
        fzi_release(context->allocator, diff->only[side]);
        fz_text_free(context, diff->each[side]);
        diff->only[side] = NULL;
        diff->only_count[side] = 0;
        diff->each[side] = NULL;
    }
    fz_text_free(context, diff->why);
    fz_text_free(context, diff->record);
    fz_text_free(context, diff->moves);
    diff->why = diff->record = diff->moves = NULL;
}

/* `before`: the last pair in which the game goes on in both; NULL: there is none. */
static void note(comparison *c, const pair *before, const char *why, bool is_shortest)
{
    fz_diff_free(c->context, c->found);
    c->found->differs = true;
    c->found->is_shortest = is_shortest;
    c->found->why = copy_of(c, why);
    c->found->plies = 0;
    if (before && fz_record_write(c->machine[0], before->state[0], c->task->path, c->task->seed,
                                  &c->found->record) == FZ_OK)
        c->found->moves = moves_of(c, c->found->record, &c->found->plies);
}

static void note_each(comparison *c, const char *one, const char *other)
{
    c->found->each[0] = copy_of(c, one);
    c->found->each[1] = copy_of(c, other);
}

/* An error in one of the games, whose statuses these are. */
static void note_error(comparison *c, const fz_status *status)
{
    const char *message = fz_machine_message(c->machine[status[0] == FZ_OK]);
    note_each(c, status[0] == FZ_OK ? "no error" : message,
              status[0] == FZ_OK ? message : "no error");
}

/* ---- comparing ---- */

static const char *player_name(const comparison *c, unsigned side, int player)
{
    return player < 0 ? "nobody" : fz_program_player_name(c->task->programs[side], player);
}

static void result_of(const comparison *c, unsigned side, const fz_state *state, char *text,
                      size_t size)
{
    char *result = NULL;
    if (fz_state_waiting(state) != FZ_GAME_OVER)
        snprintf(text, size, "the game goes on");
    else if (fz_record_result_text(c->machine[side], state, &result) == FZ_OK)
        snprintf(text, size, "%s", result);
    fz_text_free(c->context, result);
}

static bool same_result(const comparison *c, const pair *p)
{
    int players = fz_program_players(c->task->programs[0]);
    for (int i = 0; i < players; i++)
        if (fz_state_rank(p->state[0], i) != fz_state_rank(p->state[1], i) ||
            fz_state_utility(p->state[0], i) != fz_state_utility(p->state[1], i))
            return false;
    return fz_state_stopped(p->state[0]) == fz_state_stopped(p->state[1]);
}

static bool is_over(const pair *p, unsigned side)
{
    return fz_state_waiting(p->state[side]) == FZ_GAME_OVER;
}

/* Does the line end differently? `text`: the way that led from `before` to it. */
static bool ends_differ(comparison *c, const pair *before, const pair *p, const char *text,
                        bool is_shortest)
{
    char results[2][256], why[256];
    if (is_over(p, 0) == is_over(p, 1) && (!is_over(p, 0) || same_result(c, p)))
        return false;
    for (unsigned side = 0; side < 2; side++)
        result_of(c, side, p->state[side], results[side], sizeof results[side]);
    snprintf(why, sizeof why, "%.200s gives different results", text);
    note(c, before, why, is_shortest);
    note_each(c, results[0], results[1]);
    return true;
}

static void describe_wait(const comparison *c, unsigned side, const fz_state *state, char *text,
                          size_t size)
{
    if (fz_state_waiting(state) == FZ_WAITING_MOVE)
        snprintf(text, size, "decision of %.200s", player_name(c, side, fz_state_decider(state)));
    else
        snprintf(text, size, "chance decides");
}

/* Compares what may follow in a pair in which the game goes on. True: it differs. An error in one
 * of the games is a difference too. */
static bool ways_differ(comparison *c, const pair *p, bool is_shortest)
{
    fz_status status[2];
    char texts[2][256];
    int decider[2];
    c->found->positions++;
    for (unsigned side = 0; side < 2; side++) {
        const fz_state *state = p->state[side];
        decider[side] = fz_state_waiting(state) == FZ_WAITING_MOVE ? fz_state_decider(state) : -1;
        status[side] = list_ways(c, side, state);
        describe_wait(c, side, state, texts[side], sizeof texts[side]);
    }
    bool same = match_ways(c), same_decider = decider[0] == decider[1];
    if (c->no_memory || (same && same_decider && status[0] == status[1]))
        return false;
    note(c, p,
         status[0] != status[1] ? "listing the moves is an error in one of the games"
         : !same_decider        ? "different players decide"
         : decider[0] >= 0      ? "the legal moves differ"
                                : "the results of chance, or their probabilities, differ",
         is_shortest);
    if (status[0] != status[1])
        note_error(c, status);
    else if (!same_decider)
        note_each(c, texts[0], texts[1]);
    note_only(c);
    return true;
}

/* ---- playing ---- */

static void free_pair(pair *p)
{
    fz_state_free(p->state[0]);
    fz_state_free(p->state[1]);
    p->state[0] = p->state[1] = NULL;
}

/* Plays the way in both games. False: it fails in one of them, which is noted, or in both. */
static bool play_both(comparison *c, const pair *before, pair *p, const way *w, bool is_shortest)
{
    ways *one = &c->ways[0], *other = &c->ways[1];
    size_t i = (size_t)(w - one->items);
    fz_status status[2] = {
        fzi_successors_play(&one->found, i, p->state[0], FZ_MAX_TURNS),
        fzi_successors_play(&other->found, w->match, p->state[1], FZ_MAX_TURNS)};
    char why[256];
    if (status[0] == FZ_OK && status[1] == FZ_OK)
        return true;
    if (status[0] != status[1]) {
        snprintf(why, sizeof why, "%.200s ends in an error in one of the games",
                 w->text);
        note(c, before, why, is_shortest);
        note_error(c, status);
    }
    return false;
}

static bool copy_pair(comparison *c, const pair *from, pair *to)
{
    to->state[0] = fz_state_clone(from->state[0]);
    to->state[1] = fz_state_clone(from->state[1]);
    c->no_memory |= !to->state[0] || !to->state[1];
    return to->state[0] && to->state[1];
}

/* ---- all lines of play ---- */

/* Is this the first pair of these positions, as far as the table has room? In the middle of a turn
 * a position does not say how the turn goes on. */
static bool is_new(comparison *c, const pair *p)
{
    uint64_t hash = FZI_HASH_START;
    for (unsigned side = 0; side < 2; side++) {
        char *text = NULL;
        if (!fz_state_at_turn_start(p->state[side]) ||
            fz_state_write(c->machine[side], p->state[side], true, &text) != FZ_OK)
            return true;
        hash = fzi_text_hash(text, strlen(text), hash);
        fz_text_free(c->context, text);
    }
    fzi_position_key key = {hash, 0};
    size_t memory = 0;
    if (fzi_keys_find(&c->seen, key) != UINT32_MAX)
        return false;
    if (c->seen.count < MAX_SEEN)
        c->no_memory |= fzi_keys_add(&c->seen, key, c->context->allocator, &memory,
                                     SIZE_MAX) != FZ_OK;
    return true;
}

/* Keeps the pair, or frees it if there is no room. */
static void push(comparison *c, frontier *f, pair *p)
{
    size_t bytes = fz_state_size(p->state[0]) + fz_state_size(p->state[1]) + 2048 +
                   64 * (size_t)fz_state_plies(p->state[0]);
    if (f->bytes + bytes > MAX_FRONTIER || f->count >= MAX_SEARCHED) {
        c->found->is_cut = true;
        free_pair(p);
        return;
    }
    if (!fzi_make_room(c->context->allocator, &f->items, &f->room, f->count + 1,
                       sizeof *f->items)) {
        c->no_memory = true;
        free_pair(p);
        return;
    }
    f->items[f->count++] = *p;
    f->bytes += bytes;
}

static void clear_frontier(comparison *c, frontier *f)
{
    for (size_t i = 0; i < f->count; i++)
        free_pair(&f->items[i]);
    fzi_release(c->context->allocator, f->items);
    *f = (frontier){0};
}

/* The lines that go on from a pair. A different end is noted once: `*ended`. */
static void expand(comparison *c, const pair *from, frontier *next, bool *ended)
{
    for (size_t i = 0; i < c->ways[0].found.count; i++) {
        const way *w = &c->ways[0].items[i];
        pair p;
        if (!copy_pair(c, from, &p) || !play_both(c, from, &p, w, !c->found->is_cut)) {
            *ended |= c->found->differs;
            free_pair(&p);
            continue;
        }
        if (!*ended)
            *ended = ends_differ(c, from, &p, w->text, !c->found->is_cut);
        if (*ended || is_over(&p, 0) || !is_new(c, &p))
            free_pair(&p);
        else
            push(c, next, &p);
        if (*ended)
            return;
    }
}

/* Breadth first: the first difference is one after the fewest moves. A different end shows after
 * the move that ends the game, so the other lines of the same length are compared first. */
static void search(comparison *c, const pair *start, unsigned depth)
{
    frontier now = {0}, next = {0};
    pair first;
    bool done = false, ended = false;
    if (!copy_pair(c, start, &first))
        return;
    push(c, &now, &first);
    for (unsigned d = 0; now.count && !done && !ended; d++) {
        for (size_t i = 0; i < now.count && !done; i++) {
            done = ways_differ(c, &now.items[i], !c->found->is_cut);
            if (!done && !ended && d < depth && !c->no_memory)
                expand(c, &now.items[i], &next, &ended);
            c->found->is_stopped = is_stopped(c);
            if (c->found->is_stopped || c->found->positions > MAX_SEARCHED) {
                c->found->is_cut = true;
                clear_frontier(c, &now);
            }
        }
        if (!done && !c->found->is_cut)
            c->found->depth = d;
        clear_frontier(c, &now);
        now = next;
        next = (frontier){0};
        c->found->is_whole = !now.count && !done && !ended && d < depth && !c->found->is_cut;
        done = done || d == depth;
    }
    clear_frontier(c, &now);
    clear_frontier(c, &next);
}

/* ---- random games ---- */

static uint64_t draw(comparison *c, uint64_t bound)
{
    uint64_t z = c->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % bound;
}

/* A way at random; of chance, by its weight. */
static const way *draw_way(comparison *c)
{
    const ways *w = &c->ways[0];
    const fz_outcome *outcomes = w->found.outcomes;
    if (!outcomes)
        return &w->items[draw(c, w->found.count)];
    uint64_t left = draw(c, w->found.total);
    size_t i = 0;
    while (i + 1 < w->found.count && left >= outcomes[i].weight)
        left -= outcomes[i++].weight;
    return &w->items[i];
}

/* One game, at most as long as a difference is worth noting. */
static void play_game(comparison *c, const pair *start, size_t most)
{
    pair p = {{NULL, NULL}}, before = {{NULL, NULL}};
    bool going = copy_pair(c, start, &p) && copy_pair(c, start, &before);
    for (size_t plies = 0; going && plies < most && c->found->positions < MAX_PLAYED; plies++) {
        if (ways_differ(c, &p, false) || c->ways[0].found.count == 0)
            break;
        const way *w = draw_way(c);
        fz_state_copy(before.state[0], p.state[0]);
        fz_state_copy(before.state[1], p.state[1]);
        going = plies + 1 < most && play_both(c, &before, &p, w, false) &&
                !ends_differ(c, &before, &p, w->text, false) && !is_over(&p, 0) && !is_stopped(c);
    }
    free_pair(&p);
    free_pair(&before);
}

static void play_games(comparison *c, const pair *start, uint64_t games)
{
    for (uint64_t i = 0; i < games && !c->found->is_stopped; i++) {
        size_t most = c->found->differs ? c->found->plies : MAX_PLIES;
        if (c->found->positions >= MAX_PLAYED || most == 0)
            break;
        play_game(c, start, most);
        c->found->games++;
        c->found->is_stopped = is_stopped(c);
    }
}

/* ---- the whole ---- */

static fz_status open_side(comparison *c, unsigned side, pair *start)
{
    fz_machine *machine = fz_machine_new(c->task->programs[side], c->task->limits);
    c->machine[side] = machine;
    c->ways[side].texts = fzi_buffer_in(c->context->allocator);
    if (!machine)
        return fzi_context_no_memory(c->context);
    fz_machine_set_chance(machine, FZ_CHANCE_ASK);
    start->state[side] = fz_record_begin(machine, c->task->seed, 0);
    return start->state[side]
               ? FZ_OK
               : fzi_context_fail(c->context, FZ_RUNTIME, "%s", fz_machine_message(machine));
}

static void compare_from(comparison *c, const pair *start)
{
    if (fz_program_players(c->task->programs[0]) != fz_program_players(c->task->programs[1]))
        note(c, NULL, "the numbers of players differ", true);
    else if (!ends_differ(c, NULL, start, "the set-up", true) && !is_over(start, 0))
        search(c, start, c->task->depth);
    if (!c->found->differs && !c->found->is_whole && !is_over(start, 0))
        play_games(c, start, c->task->games);
}

fz_status fz_games_diff(fz_context *context, const fz_diff_task *task, fz_diff *diff)
{
    comparison c = {.context = context, .task = task, .random = task->seed, .found = diff};
    pair start = {{NULL, NULL}};
    fz_status status = open_side(&c, 0, &start);
    *diff = (fz_diff){.differs = false};
    if (status == FZ_OK)
        status = open_side(&c, 1, &start);
    if (status == FZ_OK)
        compare_from(&c, &start);
    free_pair(&start);
    for (unsigned side = 0; side < 2; side++) {
        FZI_RELEASE(context->allocator, c.ways[side].items, c.ways[side].sorted);
        fzi_buffer_free(&c.ways[side].texts);
        fzi_successors_clear(&c.ways[side].found);
        fz_machine_free(c.machine[side]);
    }
    fzi_keys_clear(&c.seen, context->allocator);
    return c.no_memory ? fzi_context_no_memory(context) : status;
}
