/* Plays two games side by side. See game_diff.h. */
#include "game_diff.h"

#include "interp/support/text.h"
#include "interp/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SEARCHED = 40000,          /* pairs of positions in the search */
    MAX_PLAYED = 100000,           /* in the search and in random games */
    MAX_FRONTIER = 128 << 20,      /* bytes of the states of one depth */
    MAX_PLIES = 1000,              /* of a random game */
    SEEN_SIZE = 1 << 20
};

/* The same line of play in both games. */
typedef struct pair {
    fz_state *state[2];
} pair;

typedef struct frontier {
    pair *items;
    size_t count, capacity, bytes;
} frontier;

/* What may follow in one of the games: moves, or results of chance with their weights. */
typedef struct ways {
    char **texts;
    fz_move *moves;
    int64_t *values;
    uint64_t *weights, total;
    size_t count, capacity;
} ways;

typedef struct comparison {
    fzi_session *session[2];
    fz_moves *list[2];
    ways ways[2];
    uint64_t *seen;      /* SEEN_SIZE hashes of pairs, 0: free */
    size_t seen_count;
    uint64_t random;
    fzi_behaviour *found;
} comparison;

/* ---- what may follow ---- */

static void clear_ways(ways *w)
{
    for (size_t i = 0; i < w->count; i++)
        free(w->texts[i]);
    w->count = 0;
    w->total = 0;
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(fzi_cli_allocate(NULL, size), text, size);
}

static size_t add_way(ways *w, const char *text)
{
    if (w->count == w->capacity) {
        w->capacity = 2 * w->capacity + 32;
        w->texts = fzi_cli_allocate(w->texts, w->capacity * sizeof *w->texts);
        w->moves = fzi_cli_allocate(w->moves, w->capacity * sizeof *w->moves);
        w->values = fzi_cli_allocate(w->values, w->capacity * sizeof *w->values);
        w->weights = fzi_cli_allocate(w->weights, w->capacity * sizeof *w->weights);
    }
    w->texts[w->count] = copy_of(text);
    return w->count++;
}

static fz_status list_ways(comparison *c, unsigned side, const fz_state *state)
{
    fz_machine *machine = c->session[side]->machine;
    ways *w = &c->ways[side];
    const fz_outcome *outcomes;
    fz_status status = FZ_OK;
    size_t count;
    clear_ways(w);
    if (fz_state_waiting(state) == FZ_WAITING_MOVE) {
        status = fz_state_moves(machine, state, c->list[side]);
        for (size_t i = 0; status == FZ_OK && i < fz_moves_count(c->list[side]); i++) {
            fz_move move = fz_moves_at(c->list[side], i);
            size_t at = add_way(w, fz_move_text(machine, state, &move));
            w->moves[at] = move;
        }
    } else if (fz_state_waiting(state) == FZ_WAITING_CHANCE) {
        status = fz_state_outcomes(machine, state, &outcomes, &count);
        for (size_t i = 0; status == FZ_OK && i < count; i++) {
            const int64_t value = outcomes[i].value;
            const uint64_t weight = outcomes[i].weight;
            size_t at = add_way(w, ""); /* texts come below: they may need the machine's buffers */
            w->values[at] = value;
            w->weights[at] = weight;
            w->total += weight;
        }
        for (size_t i = 0; i < w->count; i++) {
            free(w->texts[i]);
            w->texts[i] = copy_of(fz_chance_text(machine, state, w->values[i]));
        }
    }
    return status;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(**(char **const *)a, **(char **const *)b);
}

/* The texts in order, as pointers into the list; to be freed. */
static char ***sorted(const ways *w)
{
    char ***list = fzi_cli_allocate(NULL, (w->count + 1) * sizeof *list);
    for (size_t i = 0; i < w->count; i++)
        list[i] = &w->texts[i];
    if (w->count)
        qsort(list, w->count, sizeof *list, by_text);
    return list;
}

static bool same_weight(const comparison *c, size_t a, size_t b)
{
    const ways *one = &c->ways[0], *other = &c->ways[1];
    return !one->total || (double)one->weights[a] * (double)other->total ==
                              (double)other->weights[b] * (double)one->total;
}

/* Compares the two lists. `match`: for each way of the first game that of the second one, or
 * SIZE_MAX. True: they are the same. */
static bool match_ways(const comparison *c, size_t *match)
{
    const ways *one = &c->ways[0], *other = &c->ways[1];
    char ***a = sorted(one), ***b = sorted(other);
    bool same = one->count == other->count;
    for (size_t i = 0; i < one->count; i++)
        match[i] = SIZE_MAX;
    for (size_t i = 0, k = 0; i < one->count && k < other->count;) {
        int order = strcmp(*a[i], *b[k]);
        size_t first = (size_t)(a[i] - one->texts), second = (size_t)(b[k] - other->texts);
        if (order == 0) {
            match[first] = second;
            same = same && same_weight(c, first, second);
        } else {
            same = false;
        }
        i += order <= 0;
        k += order >= 0;
    }
    free(a);
    free(b);
    return same;
}

/* ---- what was found ---- */

static void note_only(comparison *c, const size_t *match)
{
    for (unsigned side = 0; side < 2; side++) {
        const ways *w = &c->ways[side];
        char **list = fzi_cli_allocate(NULL, (w->count + 1) * sizeof *list);
        size_t count = 0;
        for (size_t i = 0; i < w->count; i++) {
            bool shared = side == 0 && match[i] != SIZE_MAX;
            for (size_t k = 0; side == 1 && k < c->ways[0].count; k++)
                shared = shared || match[k] == i;
            if (!shared)
                list[count++] = copy_of(w->texts[i]);
        }
        c->found->only[side] = list;
        c->found->only_count[side] = count;
    }
}

/* The moves of a record, separated by commas. */
static char *moves_of(const comparison *c, const char *text, size_t *count)
{
    fz_record record;
    char *list = copy_of("");
    size_t used = 0;
    if (fz_record_read(c->session[0]->context, text, &record) == FZ_OK)
        for (size_t i = 0; i < record.entry_count; i++) {
            size_t length = strlen(record.entries[i]);
            list = fzi_cli_allocate(list, used + length + 3);
            used += (size_t)snprintf(list + used, length + 3, "%s%s", i ? ", " : "",
                                     record.entries[i]);
        }
    *count = record.entry_count;
    fz_record_free(c->session[0]->context, &record);
    return list;
}

static void forget(fzi_behaviour *found)
{
    for (unsigned side = 0; side < 2; side++) {
        for (size_t i = 0; i < found->only_count[side]; i++)
            free(found->only[side][i]);
        free(found->only[side]);
        found->only[side] = NULL;
        found->only_count[side] = 0;
    }
    for (unsigned side = 0; side < 2; side++) {
        free(found->each[side]);
        found->each[side] = NULL;
    }
    free(found->why);
    free(found->record);
    free(found->moves);
    found->why = found->record = found->moves = NULL;
}

/* `before`: the last pair in which the game goes on in both; NULL: there is none. */
static void note(comparison *c, const pair *before, const char *why, bool is_shortest)
{
    fzi_session *one = c->session[0];
    char *record = NULL;
    forget(c->found);
    c->found->differs = true;
    c->found->is_shortest = is_shortest;
    c->found->why = copy_of(why);
    c->found->plies = 0;
    if (before && fz_record_write(one->machine, before->state[0], one->path, one->cli->seed,
                                  &record) == FZ_OK) {
        c->found->record = copy_of(record);
        c->found->moves = moves_of(c, record, &c->found->plies);
        fz_text_free(one->context, record);
    }
}

static void note_each(comparison *c, const char *one, const char *other)
{
    c->found->each[0] = copy_of(one);
    c->found->each[1] = copy_of(other);
}

/* An error in one of the games, whose statuses these are. */
static void note_error(comparison *c, const fz_status *status)
{
    const char *message = fz_machine_message(c->session[status[0] == FZ_OK]->machine);
    note_each(c, status[0] == FZ_OK ? "no error" : message,
              status[0] == FZ_OK ? message : "no error");
}

/* ---- comparing ---- */

static const char *player_name(const comparison *c, unsigned side, int player)
{
    return player < 0 ? "nobody" : fz_program_player_name(c->session[side]->program, player);
}

static void result_of(const comparison *c, unsigned side, const fz_state *state, char *text,
                      size_t size)
{
    char *result = NULL;
    if (fz_state_waiting(state) != FZ_GAME_OVER)
        snprintf(text, size, "the game goes on");
    else if (fz_record_result_text(c->session[side]->machine, state, &result) == FZ_OK)
        snprintf(text, size, "%s", result);
    fz_text_free(c->session[side]->context, result);
}

static bool same_result(const comparison *c, const pair *p)
{
    int players = fz_program_players(c->session[0]->program);
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
        snprintf(text, size, "%.200s decides", player_name(c, side, fz_state_decider(state)));
    else
        snprintf(text, size, "chance decides");
}

/* Compares what may follow in a pair in which the game goes on. True: it differs. An error in one
 * of the games is a difference too. `*match` is for each way of the first game that of the second
 * one, to be freed. */
static bool ways_differ(comparison *c, const pair *p, bool is_shortest, size_t **match)
{
    fz_status status[2];
    char texts[2][256];
    int decider[2];
    *match = NULL;
    c->found->positions++;
    for (unsigned side = 0; side < 2; side++) {
        const fz_state *state = p->state[side];
        decider[side] = fz_state_waiting(state) == FZ_WAITING_MOVE ? fz_state_decider(state) : -1;
        status[side] = list_ways(c, side, state);
        describe_wait(c, side, state, texts[side], sizeof texts[side]);
    }
    *match = fzi_cli_allocate(NULL, (c->ways[0].count + 1) * sizeof **match);
    bool same = match_ways(c, *match), same_decider = decider[0] == decider[1];
    if (same && same_decider && status[0] == status[1])
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
    note_only(c, *match);
    return true;
}

/* ---- playing ---- */

static fz_status step(comparison *c, unsigned side, fz_state *state, size_t way)
{
    const ways *w = &c->ways[side];
    return fz_state_waiting(state) == FZ_WAITING_MOVE
               ? fz_state_play(c->session[side]->machine, state, &w->moves[way])
               : fz_state_set_chance(c->session[side]->machine, state, w->values[way]);
}

static void free_pair(pair *p)
{
    fz_state_free(p->state[0]);
    fz_state_free(p->state[1]);
    p->state[0] = p->state[1] = NULL;
}

/* Plays the way in both games. False: it fails in one of them, which is noted, or in both. */
static bool play_both(comparison *c, const pair *before, pair *p, size_t way, size_t other,
                      bool is_shortest)
{
    fz_status status[2] = {step(c, 0, p->state[0], way), step(c, 1, p->state[1], other)};
    char why[256];
    if (status[0] == FZ_OK && status[1] == FZ_OK)
        return true;
    if (status[0] != status[1]) {
        snprintf(why, sizeof why, "%.200s ends in an error in one of the games",
                 c->ways[0].texts[way]);
        note(c, before, why, is_shortest);
        note_error(c, status);
    }
    return false;
}

static bool copy_pair(const pair *from, pair *to)
{
    to->state[0] = fz_state_clone(from->state[0]);
    to->state[1] = fz_state_clone(from->state[1]);
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
            fz_state_write(c->session[side]->machine, p->state[side], true, &text) != FZ_OK)
            return true;
        hash = fzi_text_hash(text, strlen(text), hash);
        fz_text_free(c->session[side]->context, text);
    }
    hash += hash == 0;
    size_t at = hash % SEEN_SIZE;
    while (c->seen[at] && c->seen[at] != hash)
        at = (at + 1) % SEEN_SIZE;
    if (c->seen[at])
        return false;
    if (c->seen_count < SEEN_SIZE / 2) {
        c->seen[at] = hash;
        c->seen_count++;
    }
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
    if (f->count == f->capacity) {
        f->capacity = 2 * f->capacity + 64;
        f->items = fzi_cli_allocate(f->items, f->capacity * sizeof *f->items);
    }
    f->items[f->count++] = *p;
    f->bytes += bytes;
}

static void clear_frontier(frontier *f)
{
    for (size_t i = 0; i < f->count; i++)
        free_pair(&f->items[i]);
    free(f->items);
    *f = (frontier){0};
}

/* The lines that go on from a pair. A different end is noted once: `*ended`. */
static void expand(comparison *c, const pair *from, const size_t *match, frontier *next,
                   bool *ended)
{
    for (size_t i = 0; i < c->ways[0].count; i++) {
        pair p;
        if (!copy_pair(from, &p) ||
            !play_both(c, from, &p, i, match[i], !c->found->is_cut)) {
            *ended |= c->found->differs;
            free_pair(&p);
            continue;
        }
        if (!*ended)
            *ended = ends_differ(c, from, &p, c->ways[0].texts[i], !c->found->is_cut);
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
    if (!copy_pair(start, &first))
        return;
    push(c, &now, &first);
    for (unsigned d = 0; now.count && !done && !ended; d++) {
        for (size_t i = 0; i < now.count && !done; i++) {
            size_t *match;
            done = ways_differ(c, &now.items[i], !c->found->is_cut, &match);
            if (!done && !ended && d < depth)
                expand(c, &now.items[i], match, &next, &ended);
            free(match);
            c->found->is_stopped = fzi_terminal_interrupted();
            if (c->found->is_stopped || c->found->positions > MAX_SEARCHED) {
                c->found->is_cut = true;
                clear_frontier(&now);
            }
        }
        if (!done && !c->found->is_cut)
            c->found->depth = d;
        clear_frontier(&now);
        now = next;
        next = (frontier){0};
        c->found->is_whole = !now.count && !done && !ended && d < depth && !c->found->is_cut;
        done = done || d == depth;
    }
    clear_frontier(&now);
    clear_frontier(&next);
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
static size_t draw_way(comparison *c)
{
    const ways *w = &c->ways[0];
    if (!w->total)
        return (size_t)draw(c, w->count);
    uint64_t left = draw(c, w->total);
    size_t i = 0;
    while (i + 1 < w->count && left >= w->weights[i])
        left -= w->weights[i++];
    return i;
}

/* One game, at most as long as a difference is worth noting. */
static void play_game(comparison *c, const pair *start, size_t most)
{
    pair p = {{NULL, NULL}}, before = {{NULL, NULL}};
    bool going = copy_pair(start, &p) && copy_pair(start, &before);
    for (size_t plies = 0; going && plies < most && c->found->positions < MAX_PLAYED; plies++) {
        size_t *match, way;
        if (ways_differ(c, &p, false, &match) || c->ways[0].count == 0) {
            free(match);
            break;
        }
        way = draw_way(c);
        fz_state_copy(before.state[0], p.state[0]);
        fz_state_copy(before.state[1], p.state[1]);
        going = plies + 1 < most && play_both(c, &before, &p, way, match[way], false) &&
                !ends_differ(c, &before, &p, c->ways[0].texts[way], false) && !is_over(&p, 0) &&
                !fzi_terminal_interrupted();
        free(match);
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
        c->found->is_stopped = fzi_terminal_interrupted();
    }
}

/* ---- the whole ---- */

static int open_side(comparison *c, unsigned side, pair *start)
{
    fzi_session *s = c->session[side];
    s->machine = fz_machine_new(s->program, &s->cli->limits);
    if (!s->machine)
        return fzi_session_failed(s, FZ_NO_MEMORY);
    fz_machine_set_chance(s->machine, FZ_CHANCE_ASK);
    c->list[side] = fz_moves_new(s->machine);
    start->state[side] = fz_record_begin(s->machine, s->cli->seed, 0);
    return c->list[side] && start->state[side] ? FZ_EXIT_OK
                                               : fzi_session_failed(s, FZ_RUNTIME);
}

static void compare_from(comparison *c, const pair *start, unsigned depth, uint64_t games)
{
    if (fz_program_players(c->session[0]->program) != fz_program_players(c->session[1]->program))
        note(c, NULL, "the numbers of players differ", true);
    else if (!ends_differ(c, NULL, start, "the set-up", true) && !is_over(start, 0))
        search(c, start, depth);
    if (!c->found->differs && !c->found->is_whole && !is_over(start, 0))
        play_games(c, start, games);
}

int fzi_behaviour_compare(fzi_session *one, fzi_session *other, unsigned depth, uint64_t games,
                          fzi_behaviour *found)
{
    comparison c = {.session = {one, other}, .random = one->cli->seed, .found = found};
    pair start = {{NULL, NULL}};
    int code = open_side(&c, 0, &start);
    *found = (fzi_behaviour){0};
    c.seen = fzi_cli_allocate(NULL, SEEN_SIZE * sizeof *c.seen);
    memset(c.seen, 0, SEEN_SIZE * sizeof *c.seen);
    if (code == FZ_EXIT_OK)
        code = open_side(&c, 1, &start);
    if (code == FZ_EXIT_OK)
        compare_from(&c, &start, depth, games);
    free_pair(&start);
    for (unsigned side = 0; side < 2; side++) {
        clear_ways(&c.ways[side]);
        free(c.ways[side].texts);
        free(c.ways[side].moves);
        free(c.ways[side].values);
        free(c.ways[side].weights);
        fz_moves_free(c.list[side]);
    }
    free(c.seen);
    return code;
}

void fzi_behaviour_clear(fzi_behaviour *found)
{
    forget(found);
}
