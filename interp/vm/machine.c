/* Making a machine: its tables and the engine that runs it. */
#include "machine.h"

#include <string.h>

#include "fault.h"
#include "interp/state/state.h"

/* ---- making one ---- */

/* The user's limits, else those that the script states, else the usual ones. */
static fz_limits limits_of(const fz_program *program, const fz_limits *given)
{
    fz_limits limits = given ? *given : (fz_limits){0};
    if (limits.instructions > INT64_MAX / 2)
        limits.instructions = 0;
#define LIMIT(field, name, usual, most, part)                                                      \
    if (!limits.field)                                                                             \
        limits.field = program->limits[FZ_LIMIT_##field] ? program->limits[FZ_LIMIT_##field]       \
                                                         : usual;
#include "interp/program/limits.def"
    return limits;
}

#ifdef FZ_STANDALONE
static void find_engine(fz_machine *m)
{
    m->interpret = ferz_native_run;
    m->footprint = fzi_footprint_find;
}

static bool make_code(fz_machine *m)
{
    (void)m;
    return true;
}
#else
static bool make_code(fz_machine *m)
{
    return fzi_superinstructions_make(m);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(FZ_NO_FAST)
#define FAST(name, words) name##words##_fast

static bool have_fast(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2");
}
#else
#define FAST(name, words) NULL

static bool have_fast(void)
{
    return false;
}
#endif

/* Finds the engine for this width of a set. */
static void find_engine(fz_machine *m)
{
    static const struct {
        unsigned words;
        fzi_engine *plain, *fast;
        fzi_footprint_finder *footprint, *fast_footprint;
    } loops[] = {
#define WIDTH(words)                                                                              \
    {words, fzi_run_w##words, FAST(fzi_run_w, words), fzi_footprint_w##words,                     \
     FAST(fzi_footprint_w, words)},
#include "interp/program/widths.def"
#undef WIDTH
    };
    bool fast = fzi_on(m->program, FZ_OPT_PROCESSOR) && have_fast();
    size_t i = 0;
    while (i + 1 < sizeof loops / sizeof *loops && loops[i].words != m->program->board.words)
        i++;
    m->interpret = fast ? loops[i].fast : loops[i].plain;
    m->footprint = fast ? loops[i].fast_footprint : loops[i].footprint;
}
#undef FAST
#endif

/* The range of what may be stored; what is finite by the game takes its size from there. */
static void cell_range(const fz_program *p, const fz_value_type *type, fzi_cell *cell)
{
    bool set = type->kind >= FZ_VALUE_SITES, given = type->kind == FZ_VALUE_INT ||
                                                     type->kind == FZ_VALUE_NAMED;
    bool wide = type->kind == FZ_VALUE_MASK && p->types[type->element].kind != FZ_VALUE_DIR;
    cell->keep = wide ? (int64_t)fzi_mask_all(p, type) : set ? (int64_t)UINT32_MAX : -1;
    cell->low = given ? type->low : set || type->kind == FZ_VALUE_BOOL ? 0 : FZ_NOT_THERE;
    cell->high = given ? type->high : set ? cell->keep : fzi_value_count(p, type) - 1;
}

static bool make_cells(fz_machine *m)
{
    const fz_program *p = m->program;
    /* Constants know of no variable and make no moves; machines for them are made for each, so they
     * must not cost what the program's size is. */
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
                           .is_bits = v->is_bits,
                           .is_wide = fzi_variable_is_wide(p, v)};
        cell->offset =
            v->is_set ? m->layout.sets + v->offset * set : m->layout.ints + v->offset * 4;
        cell_range(p, &p->types[v->type], cell);
        if (v->carried && p->board.site_count)
            m->carried[m->carried_count++] =
                (fzi_carried){i, v->is_bits ? 1 : v->length / p->board.site_count};
    }
    m->carries = m->carried_count || m->layout.stacks;
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
        m->options[i] = (fzi_loop_option){.number = i,
                                          .choice = o->choice,
                                          .effect = o->effect,
                                          .first = o->first,
                                          .bindings = o->bindings,
                                          .last = (uint8_t)(o->first + o->bindings - 1),
                                          .plain = plain};
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
        m->set_rows[i] =
            (fzi_set_rows){p->set_pool + p->set_tables[i].first, p->set_tables[i].rows};
    return true;
}

/* While a program is being made, all sets of a frame are emptied: its code is not complete. A
 * verified program reads no register before it has written it. */
static bool make_clears(fz_machine *m)
{
    const fz_program *p = m->program;
    m->clears = fzi_allocate(m->allocator, p->function_count);
    for (uint32_t i = 0; m->clears && i < p->function_count; i++)
        m->clears[i] = m->retained ? 0 : p->functions[i].sets;
    return m->clears != NULL;
}

static size_t count_of(const fz_program *p, unsigned op)
{
    size_t count = 0;
    FZI_FOR_CODE (at, p, 0, p->code_length)
        count += FZ_CODE_OP(p->code[at]) == op;
    return count;
}

/* Makes as many groups as are in use at a time, if players flood their own pieces. One block: the
 * structs, the sets, the parents. */
static bool make_groups(fz_machine *m)
{
    enum { MAX_GROUPS = 8 };
    const fz_program *p = m->program;
    if (!fzi_on(p, FZ_OPT_MEMO) || !m->retained || !p->topology || !p->topology->reversible)
        return true;
    size_t n = p->player_count * count_of(p, FZ_OP_FLOOD), sites = p->board.site_count,
           words = sites * p->board.words;
    n = n < MAX_GROUPS ? n : MAX_GROUPS;
    if (!n)
        return true;
    m->groups =
        fzi_allocate(m->allocator, n * (sizeof *m->groups + words * 8 + sites * sizeof(uint16_t)));
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
    m->one_side = fz_program_has_one_side(p);
    m->kind_count = (uint16_t)p->kind_count;
    m->last_turn = p->limit < 0 ? UINT32_MAX : (uint32_t)p->limit_turns;
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
    for (unsigned a = 0; a < m->player_count; a++) {
        for (unsigned c = 0; c < m->player_count; c++) {
            if (a != c && !(p->has_teams && p->players[a].team == p->players[c].team))
                continue;
            m->sides[a] |= UINT64_C(1) << c;
            ((uint8_t *)m->side_bytes[a])[c] = UINT8_MAX;
        }
        ((uint8_t *)m->player_bytes)[a] = UINT8_MAX;
        if (a == (unsigned)__builtin_ctzll(m->sides[a]))
            m->side_count++; /* the first of its side */
    }
    if (p->topology)
        memcpy(m->all, p->topology->all, b->words * sizeof *m->all);
}

/* Runs native code from now on, if it is there. */
static void go_over(fz_machine *m)
{
    fzi_engine *run = __atomic_load_n(&m->awaited->run, __ATOMIC_ACQUIRE);
    if (run) {
        m->run = run;
        m->games = __atomic_load_n(&m->awaited->games, __ATOMIC_RELAXED);
        m->count = __atomic_load_n(&m->awaited->count, __ATOMIC_RELAXED);
    }
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
    if (!program->layout.frames) { /* still being made: fzi_evaluate */
        fz_program view = fzi_program_view(program); /* no variables yet, or none that count */
        view.variable_count = view.code_length = 0;
        fzi_layout_make(&view, NULL);
        m->layout = view.layout;
    }
    m->limits = limits_of(program, limits);
    find_engine(m);
    m->run = m->interpret;
    m->awaited = (fzi_compiled *)(void *)program->compiled;
    m->work = (fzi_work){.calls_left = 1, .step = 1};
    if (m->awaited) {
        go_over(m);
        bool awaits = m->run == m->interpret &&
                      __atomic_load_n(&m->awaited->awaited, __ATOMIC_RELAXED);
        m->awaited = awaits ? m->awaited : NULL;
    }
    m->text = fzi_buffer_in(allocator);
    m->fault_pc = UINT32_MAX;
    m->retained = retain;
    if (program->native_code) {
        m->native = ((const fzi_natives *)program->native_code)->call;
        m->native_user = program->native_code;
    }
    if (retain)
        fz_program_retain((fz_program *)program);
    m->flanking.keeps = fzi_on(program, FZ_OPT_MEMO);
    m->draws = m->limits.moves >= program->board.site_count && fzi_on(program, FZ_OPT_DRAWS);
    m->tries = fzi_on(program, FZ_OPT_LAZY) && fzi_on(program, FZ_OPT_TRIALS);
    if (!make_cells(m) || !make_dice(m) || !make_options(m) || !make_rows(m) || !make_clears(m) ||
        !make_groups(m)) {
        fz_machine_free(m);
        return NULL;
    }
    make_tables(m);
    if (retain && !make_code(m)) {
        fz_machine_free(m);
        return NULL;
    }
    return m;
}

static void free_list(fz_machine *m, fzi_move_list *list)
{
    fzi_move_list_free(list);
    fzi_release(m->allocator, list);
}

void fz_machine_free(fz_machine *m)
{
    if (!m)
        return;
    for (unsigned i = 0; i < FZ_MAX_TRIES && m->scratch[i]; i++)
        fzi_scratch_free(m, m->scratch[i]);
    fzi_scratch_free(m, m->before);
    for (unsigned i = 0; i < FZ_MAX_LISTS && m->lists[i]; i++)
        free_list(m, m->lists[i]);
    FZI_RELEASE(m->allocator, m->alike.state, m->alike.hashes, m->cells, m->carried, m->die_totals,
                m->clears, m->options, m->int_rows, m->set_rows, m->groups, m->weights,
                m->key_store, m->outcomes, m->own_code);
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

/* Native code and the loop leave the same states, so it may come between any two runs. */
static void look_for_native(fz_machine *m)
{
    if (!--m->work.calls_left)
        m->awaited->report(m->awaited, &m->work);
    go_over(m);
    if (m->run != m->interpret)
        m->awaited = NULL;
}

void fzi_machine_begin(fz_machine *m)
{
    if (m->awaited)
        look_for_native(m);
    m->message[0] = '\0';
    m->fault = NULL;
    m->fault_pc = UINT32_MAX;
    m->scratch_depth = 0;
    m->outcome_count = m->outcome_mark = 0;
    fzi_machine_renew(m);
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

/* ---- tracing ---- */

fz_code fzi_traced(fz_machine *m, const fzi_run *run, const fzi_move_list *list, uint32_t pc)
{
    m->trace(m->trace_user, run, list, pc);
    return m->traced[pc];
}
