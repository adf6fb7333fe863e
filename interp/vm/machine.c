/* A machine: its tables, its scratch memory, its faults, and the loop's cold parts. */
#include <stdarg.h>
#include <stdio.h>

#include "interp/native/ffi.h"
#include "interp/native/native.h"
#include "interp/program/verify.h"
#include "vm.h"
#include "interp/support/words.h"

/* ---- making one ---- */

static fz_limits limits_of(const fz_limits *given)
{
    fz_limits limits = given ? *given : (fz_limits){0};
    if (!limits.instructions || limits.instructions > INT64_MAX / 2)
        limits.instructions = 100 * 1000 * 1000;
    if (!limits.frames)
        limits.frames = 256;
    if (!limits.moves)
        limits.moves = 1000 * 1000;
    if (!limits.memory)
        limits.memory = (size_t)256 << 20;
    if (!limits.idle_turns)
        limits.idle_turns = 10000;
    if (!limits.decisions)
        limits.decisions = 100 * 1000;
    return limits;
}

typedef fzi_end (*loop)(fz_machine *, fzi_run *);

#ifdef FZ_STANDALONE
static loop loop_of(const fz_program *p)
{
    (void)p;
    return ferz_native_run;
}
#else
#if defined(__x86_64__) && defined(__GNUC__) && !defined(FZ_NO_FAST)
#define FAST(words) fzi_run_w##words##_fast

static bool have_fast(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2");
}
#else
#define FAST(words) NULL

static bool have_fast(void)
{
    return false;
}
#endif

static loop loop_of(const fz_program *p)
{
    static const struct {
        unsigned words;
        loop plain, fast;
    } loops[] = {
#define WIDTH(words) {words, fzi_run_w##words, FAST(words)},
#include "interp/program/widths.def"
#undef WIDTH
    };
    bool fast = fzi_on(p, FZ_OPT_PROCESSOR) && have_fast();
    size_t i = 0;
    while (i + 1 < sizeof loops / sizeof *loops && loops[i].words != p->board.words)
        i++;
    return fast ? loops[i].fast : loops[i].plain;
}
#undef FAST
#endif

/* The range of what may be stored; what is finite by the game takes its size from there. */
static void cell_range(const fz_program *p, const fz_value_type *type, fzi_cell *cell)
{
    int64_t low = FZ_NOT_THERE, high = 0;
    cell->keep = -1;
    switch (type->kind) {
    case FZ_VALUE_BOOL:
        low = 0;
        high = 1;
        break;
    case FZ_VALUE_SITE:
        high = p->board.site_count - 1;
        break;
    case FZ_VALUE_DIR:
        high = p->board.dir_count - 1;
        break;
    case FZ_VALUE_PLAYER:
        high = (int64_t)p->player_count - 1;
        break;
    case FZ_VALUE_TEAM:
        high = (int64_t)p->team_count - 1;
        break;
    case FZ_VALUE_KIND:
        high = (int64_t)p->kind_count - 1;
        break;
    case FZ_VALUE_MASK:
    case FZ_VALUE_SITES:
        low = 0;
        high = cell->keep = UINT32_MAX;
        break;
    default:
        low = type->low;
        high = type->high;
        break;
    }
    cell->low = low;
    cell->high = high;
}

static bool make_cells(fz_machine *m)
{
    const fz_program *p = m->program;
    /* Constants know of no variable and make no moves; machines for them are made for each, so they must not
     * cost what the program's size is. */
    uint32_t n = m->retained ? p->variable_count : 0, set = p->board.words * 8u;
    m->cells = fzi_allocate(m->allocator, n * sizeof *m->cells);
    m->carried = fzi_allocate(m->allocator, n * sizeof *m->carried);
    if (!m->cells || !m->carried)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const fz_variable *v = &p->variables[i];
        fzi_cell *cell = &m->cells[i];
        *cell = (fzi_cell){.length = v->is_bits ? 1 : v->length,
                           .initial = v->initial,
                           .is_set = v->is_set,
                           .is_bits = v->is_bits};
        cell->offset =
            v->is_set ? m->layout.sets + v->offset * set : m->layout.ints + v->offset * 4;
        cell_range(p, &p->types[v->type], cell);
        if (v->carried && p->board.site_count)
            m->carried[m->carried_count++] =
                (fzi_carried){i, v->is_bits ? 1 : v->length / p->board.site_count};
    }
    return true;
}

static bool make_dice(fz_machine *m)
{
    const fz_program *p = m->program;
    m->die_totals = fzi_allocate(m->allocator, p->die_count * sizeof *m->die_totals);
    for (uint32_t i = 0; m->die_totals && i < p->die_count; i++) {
        m->die_totals[i] = 0;
        for (uint32_t f = 0; f < p->dice[i].faces; f++)
            m->die_totals[i] += p->faces[p->dice[i].first + f].weight;
    }
    return m->die_totals != NULL;
}

static bool make_options(fz_machine *m)
{
    const fz_program *p = m->program;
    uint32_t n = m->retained ? p->option_count : 0;
    m->options = fzi_allocate(m->allocator, n * sizeof *m->options);
    for (uint32_t i = 0; m->options && i < n; i++) {
        const fz_option_info *o = &p->options[i];
        bool plain = o->bindings && o->choice < p->choice_count && !p->choices[o->choice].filtered;
        m->options[i] = (fzi_loop_option){.number = i, .choice = o->choice, .effect = o->effect,
                                          .first = o->first, .bindings = o->bindings,
                                          .last = (uint8_t)(o->first + o->bindings - 1), .plain = plain};
    }
    return m->options != NULL;
}

static bool make_rows(fz_machine *m)
{
    const fz_program *p = m->program;
    m->int_rows = fzi_allocate(m->allocator, (p->int_table_count + 1u) * sizeof *m->int_rows);
    m->set_rows = fzi_allocate(m->allocator, (p->set_table_count + 1u) * sizeof *m->set_rows);
    if (!m->int_rows || !m->set_rows)
        return false;
    for (uint32_t i = 0; i < p->int_table_count; i++) {
        const fz_int_table *t = &p->int_tables[i];
        m->int_rows[i] = (fzi_int_row){p->int_pool + t->first, t->length, t->initial};
    }
    for (uint32_t i = 0; i < p->set_table_count; i++)
        m->set_rows[i] = (fzi_set_rows){p->set_pool + p->set_tables[i].first, p->set_tables[i].rows};
    return true;
}

static fzi_entry entry_of(const fz_machine *m, int32_t function)
{
    if (function < 0)
        return (fzi_entry){0};
    const fz_function *f = &m->program->functions[function];
    return (fzi_entry){.code = m->program->code + f->start, .function = (uint32_t)function,
                       .size = fzi_frame_size(f, m->program->board.words), .ints = f->ints,
                       .takes_mover = f->int_params > 0, .clears = m->clears[function]};
}

/* While a program is being made, all sets of a frame are emptied: its code is not complete. */
static bool make_clears(fz_machine *m)
{
    const fz_program *p = m->program;
    m->clears = fzi_allocate(m->allocator, p->function_count);
    for (uint32_t i = 0; m->clears && i < p->function_count; i++)
        m->clears[i] = p->functions[i].sets;
    return m->clears && (!m->retained || fzi_find_clears(p, m->allocator, m->clears));
}

static size_t count_of(const fz_program *p, unsigned op)
{
    size_t count = 0;
    for (uint32_t at = 0; at < p->code_length; at += fzi_opcode_length(FZ_CODE_OP(p->code[at])))
        count += FZ_CODE_OP(p->code[at]) == op;
    return count;
}

/* As many as are in use at a time, if players flood what is theirs. One block: the structs, the sets, the
 * parents. */
static bool make_groups(fz_machine *m)
{
    enum { MOST_GROUPS = 8 };
    const fz_program *p = m->program;
    if (!fzi_on(p, FZ_OPT_MEMO) || !m->retained || !p->topology || !p->topology->reversible)
        return true;
    size_t n = p->player_count * count_of(p, FZ_OP_FLOOD), sites = p->board.site_count,
           words = sites * p->board.words;
    n = n < MOST_GROUPS ? n : MOST_GROUPS;
    if (!n)
        return true;
    m->groups = fzi_allocate(m->allocator, n * (sizeof *m->groups + words * 8 + sites * sizeof(uint16_t)));
    if (!m->groups)
        return false;
    m->group_count = (unsigned)n;
    uint64_t *sets = (uint64_t *)(void *)(m->groups + n);
    uint16_t *parents = (uint16_t *)(void *)(sets + n * words);
    for (size_t i = 0; i < n; i++)
        m->groups[i] = (fzi_groups){.parent = parents + i * sites, .sites = sets + i * words};
    return true;
}

static void make_tables(fz_machine *m)
{
    const fz_program *p = m->program;
    const fz_board *b = &p->board;
    m->site_count = b->site_count;
    m->player_count = (uint16_t)p->player_count;
    m->kind_count = (uint16_t)p->kind_count;
    m->dir_mask = b->dir_count < 64 ? (UINT64_C(1) << b->dir_count) - 1 : UINT64_MAX;
    memset(m->kind_of, FZ_NOT_THERE, sizeof m->kind_of);
    memset(m->owner_of, FZ_NOT_THERE, sizeof m->owner_of);
    /* One kind more than there are: a phantom's, which is none. */
    for (unsigned k = 0; k <= m->kind_count; k++)
        for (unsigned o = 0; o <= m->player_count; o++) {
            unsigned code = 1 + k * (m->player_count + 1u) + o;
            if (code > UINT8_MAX)
                break;
            m->kind_of[code] = (int8_t)(k < m->kind_count ? (int)k : FZ_NOT_THERE);
            m->owner_of[code] = (int8_t)((int)o - 1);
        }
    for (unsigned a = 0; a < m->player_count; a++)
        for (unsigned c = 0; c < m->player_count; c++)
            if (a == c || (p->has_teams && p->players[a].team == p->players[c].team))
                m->sides[a] |= UINT64_C(1) << c;
    if (p->topology)
        memcpy(m->all, p->topology->all, b->words * sizeof *m->all);
}

fz_machine *fz_machine_new(const fz_program *program, const fz_limits *limits)
{
    return fzi_machine_make(program, limits, true);
}

fz_machine *fzi_machine_make(const fz_program *program, const fz_limits *limits, bool retain)
{
    fzi_allocator allocator = fzi_program_allocator(program);
    fz_machine *m = fzi_allocate(allocator, sizeof *m);
    if (!m)
        return NULL;
    memset(m, 0, sizeof *m);
    m->allocator = allocator;
    m->program = program;
    m->code = program->code;
    m->layout = program->layout;
    if (!program->layout.stack) { /* still being made: fzi_evaluate */
        fz_program view = *program; /* no variables yet, or none that count */
        view.variable_count = view.code_length = 0;
        fzi_layout_make(&view, NULL);
        m->layout = view.layout;
    }
    m->limits = limits_of(limits);
    m->interpret = loop_of(program);
    m->run = program->compiled ? program->compiled->run : m->interpret;
    m->text = fzi_buffer_in(allocator);
    m->fault_pc = UINT32_MAX;
    m->retained = retain;
#ifndef FZ_STANDALONE
    if (program->native_code) {
        m->native = fzi_natives_call;
        m->native_user = program->native_code;
    }
#endif
    if (retain)
        fz_program_retain((fz_program *)program);
    m->flanking.keeps = fzi_on(program, FZ_OPT_MEMO);
    if (!make_cells(m) || !make_dice(m) || !make_options(m) || !make_rows(m) || !make_clears(m) ||
        !make_groups(m)) {
        fz_machine_free(m);
        return NULL;
    }
    if (retain) {
        m->setup = entry_of(m, program->setup);
        m->turn = entry_of(m, program->turn);
        m->end = entry_of(m, program->end);
        m->limit = entry_of(m, program->limit);
    }
    make_tables(m);
    return m;
}

static void free_list(fz_machine *m, fzi_list *list)
{
    fzi_list_free(list);
    fzi_release(m->allocator, list);
}

static void free_scratch(fz_machine *m, fz_state *state)
{
    fzi_state_clear(state);
    fzi_release(m->allocator, state);
}

void fz_machine_free(fz_machine *m)
{
    if (!m)
        return;
    for (unsigned i = 0; i < FZ_MAX_TRIES && m->scratch[i]; i++)
        free_scratch(m, m->scratch[i]);
    if (m->before)
        free_scratch(m, m->before);
    for (unsigned i = 0; i < FZ_MAX_LISTS && m->lists[i]; i++)
        free_list(m, m->lists[i]);
    fzi_release(m->allocator, m->cells);
    fzi_release(m->allocator, m->carried);
    fzi_release(m->allocator, m->die_totals);
    fzi_release(m->allocator, m->clears);
    fzi_release(m->allocator, m->options);
    fzi_release(m->allocator, m->int_rows);
    fzi_release(m->allocator, m->set_rows);
    fzi_release(m->allocator, m->groups);
    fzi_release(m->allocator, m->weights);
    fzi_release(m->allocator, m->key_store);
    fzi_release(m->allocator, m->outcomes);
    fzi_buffer_free(&m->text);
    if (m->retained)
        fz_program_release((fz_program *)m->program);
    fzi_release(m->allocator, m);
}

const char *fz_machine_message(const fz_machine *machine)
{
    return machine->message;
}

void fz_machine_set_chance(fz_machine *machine, fz_chance mode)
{
    machine->chance = mode;
}

/* ---- scratch ---- */

fz_state *fzi_scratch_new(fz_machine *m)
{
    fz_state *state = fzi_allocate(m->allocator, sizeof *state);
    if (state && !fzi_state_init(state, m->program, &m->layout, m->allocator, true)) {
        fzi_release(m->allocator, state);
        state = NULL;
    }
    if (!state)
        fzi_fault(m, NULL);
    return state;
}

fz_state *fzi_scratch_push(fz_machine *m)
{
    if (m->scratch_depth == FZ_MAX_TRIES) {
        fzi_fault(m, "too many tries inside each other");
        return NULL;
    }
    fz_state **slot = &m->scratch[m->scratch_depth];
    if (!*slot && !(*slot = fzi_scratch_new(m)))
        return NULL;
    m->scratch_depth++;
    return *slot;
}

fz_state *fzi_scratch_copy(fz_machine *m, const fz_state *from)
{
    fz_state *state = fzi_scratch_push(m);
    if (state && !fzi_state_borrow(state, from)) {
        fzi_fault(m, NULL);
        return NULL;
    }
    return state;
}

fzi_list *fzi_list_push(fz_machine *m)
{
    if (m->list_depth == FZ_MAX_LISTS) {
        fzi_fault(m, "too many questions inside each other");
        return NULL;
    }
    fzi_list **slot = &m->lists[m->list_depth];
    if (!*slot) {
        fzi_list *list = fzi_allocate(m->allocator, sizeof *list);
        if (!list) {
            fzi_fault(m, NULL);
            return NULL;
        }
        fzi_list_init(list, m->allocator, m->program, m->limits.moves, &m->memory,
                      m->limits.memory);
        *slot = list;
    }
    m->list_depth++;
    (*slot)->outer = NULL;
    return *slot;
}

/* ---- faults ---- */

fzi_end fzi_fault(fz_machine *m, const char *fault)
{
    m->fault = fault;
    m->fault_pc = UINT32_MAX;
    return FZ_END_ERROR;
}

fzi_end fzi_fault_format(fz_machine *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->fault_text, sizeof m->fault_text, format, arguments);
    va_end(arguments);
    return fzi_fault(m, m->fault_text);
}

fzi_end fzi_fault_store(fz_machine *m, uint32_t variable, int64_t value)
{
    const fzi_cell *cell = &m->cells[variable];
    return fzi_fault_format(m, "'%s' can't become %lld: its range is %lld..%lld",
                            fzi_text(m->program, m->program->variables[variable].name),
                            (long long)value, (long long)cell->low, (long long)cell->high);
}

fzi_end fzi_fault_list(fz_machine *m, const fzi_list *list)
{
    if (list->full)
        return fzi_fault_format(m, "more than %lu moves in one list", (unsigned long)list->limit);
    return list->over ? fzi_fault_memory(m, SIZE_MAX) : fzi_fault(m, NULL);
}

fzi_end fzi_fault_memory(fz_machine *m, size_t wanted)
{
    if (wanted <= m->limits.memory)
        return fzi_fault(m, NULL);
    return fzi_fault_format(m, "more than %zu bytes of memory", m->limits.memory);
}

fzi_end fzi_fault_stack(fz_machine *m, const fz_state *state, uint32_t words)
{
    return fzi_fault(m, words > state->layout->stack_words ? "too many calls inside each other"
                                                           : NULL);
}

fz_status fzi_machine_fail(fz_machine *m)
{
    if (!m->fault) {
        snprintf(m->message, sizeof m->message, "memory is short");
        return FZ_NO_MEMORY;
    }
    char place[256] = "";
    if (m->fault_pc != UINT32_MAX)
        fzi_place_text(m->program, fzi_program_place(m->program, m->fault_pc), place, sizeof place);
    snprintf(m->message, sizeof m->message, "%s%s%s", place, *place ? ": " : "", m->fault);
    return FZ_RUNTIME;
}

fz_status fzi_machine_say(fz_machine *m, fz_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->message, sizeof m->message, format, arguments);
    va_end(arguments);
    return status;
}

void fzi_machine_begin(fz_machine *m)
{
    m->budget = (int64_t)m->limits.instructions;
    m->message[0] = '\0';
    m->fault = NULL;
    m->fault_pc = UINT32_MAX;
    m->scratch_depth = m->list_depth = 0;
    m->weight_count = m->weight_base = 0;
    m->key_count = 0;
    m->outcome_count = m->outcome_mark = 0;
    m->rank_keys_used = false;
}

/* ---- repetitions ---- */

bool fzi_note_turn(fz_machine *m, fz_state *state)
{
    size_t left = m->memory < m->limits.memory ? m->limits.memory - m->memory : 0;
    if (fzi_history_note(state, left))
        return true;
    size_t wanted = fzi_history_wanted(state);
    fzi_fault_memory(m, wanted > left ? SIZE_MAX : 0);
    return false;
}

/* ---- chance ---- */

static bool grow(fz_machine *m, void **array, size_t *capacity, size_t needed, size_t item)
{
    if (needed <= *capacity)
        return true;
    size_t size = *capacity ? *capacity : 64;
    while (size < needed)
        size *= 2;
    size_t more = (size - *capacity) * item;
    void *grown = NULL;
    if (more <= m->limits.memory && m->memory <= m->limits.memory - more)
        grown = m->allocator.resize(m->allocator.user, *array, size * item);
    if (!grown) {
        fzi_fault_memory(m, more > SIZE_MAX - m->memory ? SIZE_MAX : m->memory + more);
        return false;
    }
    m->memory += more;
    *array = grown;
    *capacity = size;
    return true;
}

bool fzi_weigh(fz_machine *m, int64_t value, int64_t weight)
{
    size_t capacity = m->weight_capacity;
    void *weights = m->weights;
    bool done = grow(m, &weights, &capacity, m->weight_count + 1u, sizeof *m->weights);
    m->weights = weights;
    m->weight_capacity = (uint32_t)capacity;
    if (done)
        m->weights[m->weight_count++] = (fzi_weight){value, weight};
    return done;
}

int64_t fzi_weigh_total(const fz_machine *m)
{
    int64_t total = 0;
    for (uint32_t i = m->weight_base; i < m->weight_count; i++) {
        if (m->weights[i].weight > UINT32_MAX)
            return -1;
        total += m->weights[i].weight;
        if (total > UINT32_MAX)
            return -1;
    }
    return total;
}

int64_t fzi_weigh_pick(const fz_machine *m, uint64_t number)
{
    uint32_t i = m->weight_base;
    while (i + 1 < m->weight_count && number >= (uint64_t)m->weights[i].weight)
        number -= (uint64_t)m->weights[i++].weight;
    return m->weights[i].value;
}

/* Keeps the outcomes ascending, with equal values as one. */
bool fzi_outcome_add(fz_machine *m, int64_t value, uint64_t weight)
{
    if (!weight)
        return true;
    size_t i = m->outcome_count, mark = m->outcome_mark;
    while (i > mark && m->outcomes[i - 1].value > value)
        i--;
    if (i > mark && m->outcomes[i - 1].value == value) {
        m->outcomes[i - 1].weight += weight;
        return true;
    }
    void *outcomes = m->outcomes;
    bool done = grow(m, &outcomes, &m->outcome_capacity, m->outcome_count + 1, sizeof *m->outcomes);
    m->outcomes = outcomes;
    if (!done)
        return false;
    memmove(m->outcomes + i + 1, m->outcomes + i, (m->outcome_count - i) * sizeof *m->outcomes);
    m->outcomes[i] = (fz_outcome){value, weight};
    m->outcome_count++;
    return true;
}

bool fzi_outcomes_of_die(fz_machine *m, uint32_t index)
{
    const fz_die *die = &m->program->dice[index];
    for (uint32_t f = 0; f < die->faces; f++) {
        const fz_face *face = &m->program->faces[die->first + f];
        if (!fzi_outcome_add(m, face->value, face->weight))
            return false;
    }
    return true;
}

/* ---- results ---- */

static void rank_side(const fz_machine *m, fz_state *state, int64_t player, int rank, int others)
{
    fzi_head *head = fzi_head_of(state);
    for (unsigned p = 0; p < m->player_count; p++)
        head->rank[p] = (int8_t)(m->sides[player] >> p & 1 ? rank : others);
}

static unsigned side_count(const fz_machine *m)
{
    unsigned count = 0;
    for (unsigned p = 0; p < m->player_count; p++)
        count += p == (unsigned)__builtin_ctzll(m->sides[p]); /* the first of its side */
    return count;
}

void fzi_result_win(fz_machine *m, fz_state *state, int64_t player)
{
    rank_side(m, state, player, 1, 2);
}

bool fzi_result_lose(fz_machine *m, fz_state *state, int64_t player)
{
    unsigned sides = side_count(m);
    rank_side(m, state, player, 2, 1);
    return sides <= 2;
}

void fzi_result_draw(fz_machine *m, fz_state *state)
{
    for (unsigned p = 0; p < m->player_count; p++)
        fzi_head_of(state)->rank[p] = 1;
}

static void side_keys(const fz_machine *m, unsigned player, unsigned keys, int64_t *out)
{
    for (unsigned k = 0; k < keys; k++) {
        uint64_t sum = 0;
        for (unsigned p = 0; p < m->player_count; p++)
            if (m->sides[player] >> p & 1)
                sum += (uint64_t)m->rank_keys[p][k];
        out[k] = (int64_t)sum;
    }
}

static int compare_keys(const int64_t *a, const int64_t *b, unsigned keys)
{
    for (unsigned k = 0; k < keys; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

void fzi_result_rank(fz_machine *m, fz_state *state, unsigned keys)
{
    int64_t mine[FZ_MAX_KEYS], theirs[FZ_MAX_KEYS];
    if (!m->rank_keys_used)
        memset(m->rank_keys, 0, sizeof m->rank_keys);
    m->rank_keys_used = false;
    if (keys > FZ_MAX_KEYS)
        keys = FZ_MAX_KEYS;
    for (unsigned p = 0; p < m->player_count; p++) {
        int rank = 1;
        side_keys(m, p, keys, mine);
        for (unsigned q = 0; q < m->player_count; q++) {
            if (q != (unsigned)__builtin_ctzll(m->sides[q]) || m->sides[p] >> q & 1)
                continue; /* each other side once */
            side_keys(m, q, keys, theirs);
            rank += compare_keys(theirs, mine, keys) > 0;
        }
        fzi_head_of(state)->rank[p] = (int8_t)rank;
    }
}

/* ---- carried values ---- */

/* The bytes that belong to a site; a `bool` array kept as a set has a bit instead. */
static void *carried_at(const fz_machine *m, const fz_state *state, const fzi_carried *c,
                        unsigned site, size_t *size)
{
    const fzi_cell *cell = &m->cells[c->variable];
    size_t element = cell->is_set ? m->program->board.words * 8u : 4u;
    *size = element * c->stride;
    return state->block + cell->offset + *size * site;
}

void fzi_carried_reset(const fz_machine *m, fz_state *state, unsigned site)
{
    for (uint32_t i = 0; i < m->carried_count; i++) {
        const fzi_cell *cell = &m->cells[m->carried[i].variable];
        size_t size;
        if (cell->is_bits) {
            uint64_t *set = fzi_sets_at(state, cell->offset);
            fzi_words_drop(set, site);
            if (cell->initial)
                fzi_words_add(set, site);
            continue;
        }
        void *at = carried_at(m, state, &m->carried[i], site, &size);
        memset(at, 0, size);
        for (uint32_t e = 0; !cell->is_set && e < m->carried[i].stride; e++)
            ((int32_t *)at)[e] = cell->initial;
    }
}

void fzi_carried_reset_set(const fz_machine *m, fz_state *state, const uint64_t *sites)
{
    FZI_FOR_SITES (site, sites, m->program->board.words)
        fzi_carried_reset(m, state, site);
}

void fzi_carried_move(const fz_machine *m, fz_state *state, unsigned from, unsigned to)
{
    fzi_carried_swap(m, state, from, to);
    fzi_carried_reset(m, state, from);
}

void fzi_carried_swap(const fz_machine *m, fz_state *state, unsigned one, unsigned other)
{
    for (uint32_t i = 0; i < m->carried_count; i++) {
        const fzi_cell *cell = &m->cells[m->carried[i].variable];
        size_t size;
        if (cell->is_bits) {
            uint64_t *set = fzi_sets_at(state, cell->offset);
            bool a = fzi_words_has(set, one), b = fzi_words_has(set, other);
            if (a != b) {
                set[one / 64] ^= UINT64_C(1) << one % 64;
                set[other / 64] ^= UINT64_C(1) << other % 64;
            }
            continue;
        }
        uint8_t *a = carried_at(m, state, &m->carried[i], one, &size);
        uint8_t *b = carried_at(m, state, &m->carried[i], other, &size);
        for (size_t n = 0; n < size; n++) {
            uint8_t keep = a[n];
            a[n] = b[n];
            b[n] = keep;
        }
    }
}
