/* Sums over playouts. All are whole numbers, so they are the same in whatever order, and in
 * whatever shares, the playouts are added. See ferz_tools.h. */
#include "play.h"

#include <math.h>
#include <stdlib.h>

#include "interp/vm/machine.h"

static void *resize_plainly(void *user, void *ptr, size_t size)
{
    (void)user;
    if (size)
        return realloc(ptr, size);
    free(ptr);
    return NULL;
}

void fz_sums_init(fz_sums *sums, void *(*resize)(void *user, void *ptr, size_t size), void *user)
{
    *sums = (fz_sums){.resize = resize ? resize : resize_plainly, .user = user,
                      .failed_stream = UINT64_MAX};
}

static void release(const fz_sums *sums, void *memory)
{
    if (memory)
        sums->resize(sums->user, memory, 0);
}

void fz_sums_clear(fz_sums *sums)
{
    for (size_t i = 0; i < sums->end_count; i++)
        release(sums, sums->ends[i].text);
    release(sums, sums->ends);
    release(sums, sums->lengths);
    sums->lengths = NULL;
    sums->ends = NULL;
    sums->length_capacity = sums->end_count = sums->end_capacity = 0;
}

void fzi_sums_renew(fz_sums *sums)
{
    fz_sums_end *ends = sums->ends;
    size_t room = sums->end_capacity;

    for (size_t i = 0; i < sums->end_count; i++)
        release(sums, sums->ends[i].text);
    release(sums, sums->lengths);
    fz_sums_init(sums, sums->resize, sums->user);
    sums->ends = ends;
    sums->end_capacity = room;
}

static bool lengths_reserve(fz_sums *s, uint64_t plies)
{
    return plies < SIZE_MAX / 16 &&
           fzi_make_room((fzi_allocator){s->resize, s->user}, &s->lengths, &s->length_capacity,
                         plies + 1, sizeof *s->lengths);
}

bool fz_sums_add_length(fz_sums *sums, uint64_t plies, uint64_t playouts)
{
    if (!lengths_reserve(sums, plies))
        return false;
    sums->lengths[plies] += playouts;
    return true;
}

/* ---- reasons of ends ---- */

static fz_sums_end *end_at(fz_sums *s, fz_ending kind, uint32_t place)
{
    for (size_t i = 0; i < s->end_count; i++)
        if (s->ends[i].place == place && s->ends[i].kind == kind)
            return &s->ends[i];
    return NULL;
}

static fz_sums_end *end_called(fz_sums *s, fz_ending kind, const char *text)
{
    for (size_t i = 0; i < s->end_count; i++)
        if (s->ends[i].kind == kind && s->ends[i].text && strcmp(s->ends[i].text, text) == 0)
            return &s->ends[i];
    return NULL;
}

/* A new one; NULL: memory is short. */
static fz_sums_end *new_end(fz_sums *s, fz_ending kind, uint32_t place, const char *text)
{
    char *copy = NULL;

    if (!fzi_make_room((fzi_allocator){s->resize, s->user}, &s->ends, &s->end_capacity,
                       s->end_count + 1, sizeof *s->ends))
        return NULL;
    if (text && !(copy = s->resize(s->user, NULL, strlen(text) + 1)))
        return NULL;
    if (text)
        strcpy(copy, text);
    s->ends[s->end_count] = (fz_sums_end){kind, place, 0, copy};
    return &s->ends[s->end_count++];
}

void fzi_place_name(const fz_program *program, uint32_t place, char text[FZI_PLACE_SIZE])
{
    bool in_script = place < program->place_count && program->places[place].source == 1;

    fz_program_place_text(program, place, text, FZI_PLACE_SIZE);
    const char *slash = strrchr(text, '/');
    const char *from = slash ? slash + 1 : text;
    if (in_script && strchr(from, ':'))
        from = strchr(from, ':') + 1;
    memmove(text, from, strlen(from) + 1);
}

/* That of a place, with its text. Two places may have one text. */
static fz_sums_end *named_end(fz_sums *s, const fz_program *program, fz_ending kind, uint32_t place)
{
    fz_sums_end *end = end_at(s, kind, place);
    char text[FZI_PLACE_SIZE];

    if (end)
        return end;
    fzi_place_name(program, place, text);
    end = end_called(s, kind, text);
    if (!end || end->place != FZ_NO_PLACE)
        return new_end(s, kind, place, text);
    end->place = place;
    return end;
}

bool fz_sums_add_end(fz_sums *s, fz_ending kind, const char *place, uint64_t playouts)
{
    fz_sums_end *end = end_called(s, kind, place);

    if (!end)
        end = new_end(s, kind, FZ_NO_PLACE, place);
    if (end)
        end->playouts += playouts;
    return end;
}

static bool expect_end(fz_sums *s, const fz_game_row *row)
{
    return end_at(s, row->ending, row->place) || new_end(s, row->ending, row->place, NULL);
}

/* Counts an end for an expected reason. */
static void count_end(fz_sums *s, const fz_game_row *row, uint64_t playouts)
{
    end_at(s, row->ending, row->place)->playouts += playouts;
}

bool fzi_sums_expect_ends(fz_sums *s, const fz_sums *others, const fz_program *program)
{
    for (size_t i = 0; i < others->end_count; i++)
        if (!named_end(s, program, others->ends[i].kind, others->ends[i].place))
            return false;
    return true;
}

/* The reasons with texts are found by these. */
static bool merge_ends(fz_sums *t, const fz_sums *s)
{
    for (size_t i = 0; i < s->end_count; i++) {
        const fz_sums_end *from = &s->ends[i];
        fz_sums_end *end = from->text ? end_called(t, from->kind, from->text)
                                      : end_at(t, from->kind, from->place);
        if (!end)
            end = new_end(t, from->kind, from->place, from->text);
        if (!end)
            return false;
        end->playouts += from->playouts;
    }
    return true;
}

/* ---- playouts ---- */

static void add_lengths(fz_sums *s, uint64_t plies, uint64_t turns, uint64_t legal_moves)
{
    s->shortest = s->playouts && s->shortest < plies ? s->shortest : plies;
    s->longest = s->longest > plies ? s->longest : plies;
    s->playouts++;
    s->plies += plies;
    s->squares += (fz_uint128)plies * plies;
    s->turns += turns;
    s->legal_move_sum += legal_moves;
}

static void add_payoffs(fz_sums *s, const fz_program *p, const int64_t *payoffs)
{
    for (unsigned i = 0; p->payoff >= 0 && i < p->player_count; i++) {
        s->payoffs[i] += payoffs[i];
        s->payoff_squares[i] += (fz_uint128)((fz_signed_wide)payoffs[i] * payoffs[i]);
    }
}

/* All came first, or some of them: the place is shared. */
static void add_equals(fz_sums *s, const fz_program *p, const fz_game_row *row, uint64_t playouts)
{
    unsigned firsts = 0;

    for (unsigned i = 0; i < p->player_count; i++)
        firsts += row->rank[i] == 1;
    if (!firsts || firsts == p->player_count) {
        s->draws += playouts;
        return;
    }
    s->shared += playouts;
    for (unsigned i = 0; i < p->player_count; i++)
        s->shared_by[i] += row->rank[i] == 1 ? playouts : 0;
}

/* Adds the result of so many playouts; of one, if it has payoffs. */
static void add_result(fz_sums *s, const fz_program *p, const fz_game_row *row, uint64_t playouts)
{
    if (row->ending == FZ_ENDED_BY_LIMIT) {
        s->stopped += playouts;
    } else {
        int first = fzi_rank_winner(p, row->rank, row->nature);
        bool lost = row->nature == 1 && row->rank[0] > 1;
        s->losses += lost ? playouts : 0;
        if (first < 0 && !lost)
            add_equals(s, p, row, playouts);
        add_payoffs(s, p, row->payoff);
        for (unsigned i = 0; first >= 0 && i < p->player_count; i++)
            s->wins[i] += row->rank[i] == 1 ? playouts : 0;
    }
    for (unsigned i = 0; i < p->player_count; i++) {
        s->ranks[i] += (uint64_t)row->rank[i] * playouts;
        s->utilities[i] += fzi_rank_utility(p, row->rank, row->nature, (int)i) * (int64_t)playouts;
    }
    s->parts = fzi_utility_denominator(p);
}

static void note_failure(fz_sums *s, uint64_t stream, const char *message)
{
    if (stream >= s->failed_stream)
        return;
    size_t length = strlen(message);
    length = length < sizeof s->message ? length : sizeof s->message - 1;
    s->failed_stream = stream;
    memcpy(s->message, message, length);
    s->message[length] = '\0';
}

bool fzi_sums_count(fz_sums *s, const fz_program *program, const fz_game_row *row)
{
    if (row->ending == FZ_ENDED_BY_ERROR) {
        s->failed++;
        note_failure(s, row->stream, row->error ? row->error : "");
        return true;
    }
    if (!expect_end(s, row))
        return false;
    count_end(s, row, 1);
    add_lengths(s, row->plies, row->turns, row->legal_move_sum);
    add_result(s, program, row, 1);
    return true;
}

bool fz_sums_add(fz_sums *s, const fz_program *program, const fz_game_row *row)
{
    if (row->ending != FZ_ENDED_BY_ERROR &&
        (!lengths_reserve(s, row->plies) || !named_end(s, program, row->ending, row->place)))
        return false;
    if (row->ending != FZ_ENDED_BY_ERROR)
        s->lengths[row->plies]++;
    return fzi_sums_count(s, program, row);
}

bool fz_sums_merge(fz_sums *t, const fz_sums *s)
{
    if ((s->playouts && !lengths_reserve(t, s->longest)) || !merge_ends(t, s))
        return false;
    t->failed += s->failed;
    if (s->failed)
        note_failure(t, s->failed_stream, s->message);
    if (!s->playouts)
        return true;
    t->shortest = t->playouts && t->shortest < s->shortest ? t->shortest : s->shortest;
    t->longest = t->longest > s->longest ? t->longest : s->longest;
    t->parts = s->parts;
    t->playouts += s->playouts;
    t->turns += s->turns;
    t->plies += s->plies;
    t->draws += s->draws;
    t->shared += s->shared;
    t->losses += s->losses;
    t->stopped += s->stopped;
    t->legal_move_sum += s->legal_move_sum;
    t->squares += s->squares;
    for (unsigned i = 0; i < FZ_MAX_PLAYERS; i++) {
        t->wins[i] += s->wins[i];
        t->shared_by[i] += s->shared_by[i];
        t->ranks[i] += s->ranks[i];
        t->utilities[i] += s->utilities[i];
        t->payoffs[i] += s->payoffs[i];
        t->payoff_squares[i] += s->payoff_squares[i];
    }
    for (uint64_t i = 0; i <= s->longest && i < s->length_capacity; i++)
        t->lengths[i] += s->lengths[i];
    return true;
}

/* ---- rows ---- */

/* The payoffs of the players in a game that is over, if the game has payoffs. */
static fz_status find_payoffs(fz_machine *m, const fz_state *state, int64_t *payoffs)
{
    const fz_program *p = m->program;
    fz_status status = FZ_OK;

    memset(payoffs, 0, FZ_MAX_PLAYERS * sizeof *payoffs);
    for (unsigned i = 0; p->payoff >= 0 && i < p->player_count && status == FZ_OK; i++)
        status = fz_state_payoff(m, state, (int)i, &payoffs[i]);
    return status;
}

static void row_lengths(const fzi_head *head, const fzi_head *first, fz_game_row *row)
{
    row->plies = head->plies - (first ? first->plies : 0);
    row->turns = head->turns - (first && first->turns ? first->turns - 1 : 0);
}

fz_status fzi_row_fill(fz_machine *machine, const fz_state *from, const fz_state *state,
                       fz_status status, fz_game_row *row)
{
    const fzi_head *head = fzi_head_of(state), *first = from ? fzi_head_of(from) : NULL;

    if (status == FZ_OK)
        status = find_payoffs(machine, state, row->payoff);
    row_lengths(head, first, row);
    row->ending = fz_state_ending(state, &row->place);
    row->nature = head->nature;
    memcpy(row->rank, head->rank, sizeof row->rank);
    if (status == FZ_OK)
        return FZ_OK;
    row->ending = FZ_ENDED_BY_ERROR;
    row->place = 0;
    row->nature = 0;
    memset(row->rank, 0, sizeof row->rank);
    return status;
}

/* ---- games that ended alike ---- */

/* Its number; FZ_MAX_RESULTS: memory is short. */
static unsigned new_result(fzi_results *r, fz_sums *s, fz_machine *m, const fz_state *state)
{
    if (r->count == FZ_MAX_RESULTS) {
        if (!fzi_results_close(r, s, m->program))
            return FZ_MAX_RESULTS;
        r->count = 0;
    }
    unsigned i = r->count;
    r->keys[i] = fzi_result_key_of(fzi_head_of(state));
    r->playouts[i] = 0;
    fzi_row_fill(m, NULL, state, FZ_OK, &r->rows[i]);
    return r->count++;
}

bool fzi_results_count(fzi_results *r, fz_sums *s, fz_machine *m, const fz_state *from,
                       const fz_state *state, fz_game_row *row)
{
    fzi_result_key key = fzi_result_key_of(fzi_head_of(state));
    unsigned i = 0;
    while (i < r->count && !fzi_result_is(&key, &r->keys[i]))
        i++;
    if (i == r->count && (i = new_result(r, s, m, state)) == FZ_MAX_RESULTS)
        return false;
    r->playouts[i]++;
    row_lengths(fzi_head_of(state), from ? fzi_head_of(from) : NULL, row);
    row->ending = r->rows[i].ending;
    add_lengths(s, row->plies, row->turns, row->legal_move_sum);
    return true;
}

void fzi_sums_add_games(fz_sums *s, const uint64_t *lengths, uint64_t count, const fzi_games *games)
{
    uint64_t shortest = s->playouts ? s->shortest : UINT64_MAX, longest = s->longest;
    uint64_t sum = 0, squares = 0;

    if (!count)
        return;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t plies = lengths[i];
        shortest = shortest < plies ? shortest : plies;
        longest = longest > plies ? longest : plies;
        sum += plies;
        squares += plies * plies;
    }
    s->shortest = shortest;
    s->longest = longest;
    s->playouts += count;
    s->plies += sum;
    s->squares += squares;
    s->turns += games->turns;
    s->legal_move_sum += games->legal_moves;
}

bool fzi_results_close(fzi_results *r, fz_sums *s, const fz_program *program)
{
    for (unsigned i = 0; i < r->count; i++) {
        if (!r->playouts[i])
            continue;
        if (!expect_end(s, &r->rows[i]))
            return false;
        count_end(s, &r->rows[i], r->playouts[i]);
        add_result(s, program, &r->rows[i], r->playouts[i]);
        r->playouts[i] = 0;
    }
    return true;
}

/* ---- figures ---- */

double fzi_median(const uint64_t *of, uint64_t total)
{
    uint64_t seen = of[0], low = 0, high;

    while (2 * seen < total)
        seen += of[++low];
    for (high = low; 2 * seen == total;)
        seen += of[++high];
    return ((double)low + (double)high) / 2;
}

static void tally_payoffs(const fz_sums *s, fz_tally *tally)
{
    uint64_t count = s->playouts - s->stopped;
    double n = (double)count;
    for (unsigned i = 0; count && i < FZ_MAX_PLAYERS; i++) {
        /* n * sum of squares - square of sum, exactly. */
        fz_uint128 spread =
            s->payoff_squares[i] * count - (fz_uint128)(s->payoffs[i] * s->payoffs[i]);
        tally->payoff_mean[i] = (double)s->payoffs[i] / n;
        tally->payoff_deviation[i] = count > 1 ? sqrt((double)spread / n / (n - 1)) : 0;
    }
}

void fz_sums_tally(const fz_sums *s, fz_tally *tally)
{
    if (!tally)
        return;
    *tally = (fz_tally){.playouts = s->playouts, .plies = s->plies, .turns = s->turns,
                        .draws = s->draws, .shared = s->shared, .losses = s->losses,
                        .stopped = s->stopped, .shortest = s->shortest, .longest = s->longest,
                        .failed = s->failed,
                        .failed_stream = s->failed ? s->failed_stream : 0};
    if (!s->playouts)
        return;
    double n = (double)s->playouts;
    tally->mean = (double)s->plies / n;
    /* n * sum of squares - square of sum, exactly. */
    fz_uint128 spread = s->squares * s->playouts - (fz_uint128)s->plies * s->plies;
    tally->deviation = s->playouts > 1 ? sqrt((double)spread / n / (n - 1)) : 0;
    tally->median = fzi_median(s->lengths, s->playouts);
    if (s->legal_move_sum && s->plies)
        tally->branching = (double)s->legal_move_sum / (double)s->plies;
    for (unsigned i = 0; i < FZ_MAX_PLAYERS; i++) {
        tally->wins[i] = s->wins[i];
        tally->shared_by[i] = s->shared_by[i];
        tally->rank_sum[i] = (double)s->ranks[i];
        tally->utility_sum[i] = (double)s->utilities[i] / (s->parts ? s->parts : 1);
    }
    tally_payoffs(s, tally);
}
