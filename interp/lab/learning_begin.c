/* What a learned evaluation looks at: random games show which pieces there are and which values
 * variables take. See learning.h. */
#include "learning.h"

#include "interp/batch/features.h"
#include "interp/program/values.h"
#include "interp/solve/solve.h"
#include "interp/support/chance.h"
#include "interp/vm/fault.h"
#include "interp/vm/game.h"

enum {
    GAMES = 64, DECISIONS = 400,  /* of each that are looked at */
    TESTS = 300000,               /* of symmetries */
    MOST_ELEMENTS = 512,          /* of a variable that is no row of sites */
    MOST_LEVELS = 64, MOST_SITE_LEVELS = 16 /* of a cell */
};

/* The least and the greatest value seen. */
typedef struct range {
    int64_t low, high;
} range;

typedef struct survey {
    fzi_learning *y;
    range *ranges;            /* by variable; then heights, and choices */
    bool *pieces;             /* by fzi_learned_code */
} survey;

static void widen(range *r, int64_t value)
{
    r->low = value < r->low ? value : r->low;
    r->high = value > r->high ? value : r->high;
}

/* ---- survey ---- */

static void look_at_sites(survey *s, const fz_state *state, range *heights)
{
    const fz_program *p = state->program;

    for (unsigned site = 0; site < p->board.site_count; site++) {
        int kind, owner;
        fzi_piece_get(p, state->block, site, &kind, &owner);
        if (kind >= 0)
            s->pieces[fzi_learned_code(p, kind, owner)] = true;
        if (p->stack_limit)
            widen(heights, fzi_stack_height(p, state->block, site));
    }
}

static void look_at(survey *s, const fz_state *state)
{
    const fz_program *p = state->program;
    range *heights = &s->ranges[p->variable_count], *choices = heights + 1;
    bool by_site;

    look_at_sites(s, state, heights);
    for (uint32_t i = 0; i < p->choice_count; i++)
        if (p->choices[i].start == fzi_head_of(state)->pc)
            widen(choices, i);
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        if (!fzi_learned_reads(p, v, &by_site))
            continue;
        for (uint32_t e = 0; e < (v->is_set ? 1 : v->length); e++)
            widen(&s->ranges[i], v->is_set ? e + 1 : fzi_state_get(state, i, e));
        if (v->is_set) /* each of its sites is in it or not */
            widen(&s->ranges[i], 0);
    }
}

static fz_status play(survey *s, uint64_t stream)
{
    fzi_learning *y = s->y;

    fzi_machine_begin(y->machine);
    fzi_state_reset(y->state, fzi_chance_key(UINT64_C(0x1ea2), stream), 0);
    fz_status status = fzi_state_go(y->machine, y->state, 0);
    for (unsigned i = 0; status == FZ_OK && i < DECISIONS; i++) {
        if (fzi_cancelled(y->machine->limits.cancel))
            return FZ_NOT_FOUND;
        look_at(s, y->state);
        if (fzi_head_of(y->state)->waiting == FZ_GAME_OVER)
            break;
        fzi_machine_begin(y->machine);
        status = fzi_state_go(y->machine, y->state, 1);
    }
    /* A game that fails is left where it fails. */
    return status == FZ_NO_MEMORY || fzi_cancelled(y->machine->limits.cancel) ? status : FZ_OK;
}

/* ---- layers ---- */

static fzi_cell_layer layer_of(int32_t variable, range r, bool by_site)
{
    int64_t span = r.high - r.low, most = by_site ? MOST_SITE_LEVELS : MOST_LEVELS;
    fzi_cell_layer layer = {.variable = variable, .by_site = by_site, .low = r.low, .step = 1};

    /* Of a row of sites the low numbers matter most. */
    if (!by_site && span >= most)
        layer.step = (uint32_t)(span < INT32_MAX ? span / most + 1 : INT32_MAX);
    span /= layer.step;
    layer.levels = (uint32_t)(span < most ? span + 1 : most);
    return layer;
}

/* Cells that never differ tell nothing. What finds no room is not seen. */
static void add_layers(survey *s)
{
    fzi_learned *l = s->y->learned;
    const fz_program *p = l->program;
    size_t codes = fzi_learned_code(p, (int)p->kind_count, -1);
    unsigned level = 0;
    bool by_site;

    for (size_t i = 0; i < codes; i++)
        if (s->pieces[i] && level < UINT8_MAX - 1)
            l->codes[i] = (uint8_t)++level;
    if (level)
        fzi_learned_add(l, (fzi_cell_layer){.variable = FZ_LAYER_PIECES, .by_site = true,
                                       .levels = level + 1, .step = 1});
    if (s->ranges[p->variable_count].high > 1)
        fzi_learned_add(l, layer_of(FZ_LAYER_HEIGHTS, s->ranges[p->variable_count], true));
    if (s->ranges[p->variable_count + 1].low < s->ranges[p->variable_count + 1].high)
        fzi_learned_add(l, layer_of(FZ_LAYER_CHOICE, s->ranges[p->variable_count + 1], false));
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        bool reads = fzi_learned_reads(p, v, &by_site);
        if (!reads || s->ranges[i].low >= s->ranges[i].high ||
            (!by_site && v->length > MOST_ELEMENTS))
            continue;
        fzi_cell_layer layer = layer_of((int32_t)i, s->ranges[i], by_site);
        for (layer.element = 0; layer.element < (v->is_set ? v->length : 1); layer.element++)
            fzi_learned_add(l, layer);
    }
}

/* Seen from another player's side, a piece of the first is one of another. */
static void share_codes(survey *s)
{
    const fz_program *p = s->y->learned->program;
    int players = (int)p->player_count;

    for (int kind = 0; kind < (int)p->kind_count; kind++) {
        bool any = false;
        for (int o = 0; o < players; o++)
            any = any || s->pieces[fzi_learned_code(p, kind, o)];
        for (int o = 0; o < players; o++)
            s->pieces[fzi_learned_code(p, kind, o)] = any;
    }
}

/* ---- symmetries ---- */

/* Does the second player begin with the same pieces on the turned board? */
static bool begins_alike(const fz_state *start, const uint16_t *sites)
{
    const fz_program *p = start->program;
    bool any = false, moved = false;

    for (unsigned s = 0; s < p->board.site_count; s++) {
        int kind, owner, other_kind, other_owner;
        fzi_piece_get(p, start->block, s, &kind, &owner);
        fzi_piece_get(p, start->block, sites[s], &other_kind, &other_owner);
        if (kind != other_kind || (kind >= 0 && other_owner != (owner < 0 ? owner : 1 - owner)))
            return false;
        any = any || kind >= 0;
        moved = moved || sites[s] != s;
    }
    return any && moved;
}

/* The layer of the same variable that holds another of its sets. */
static const fzi_cell_layer *layer_for(const fzi_learned *l, const fzi_cell_layer *layer,
                                       uint32_t element)
{
    while (layer > l->layers && layer->element > element && layer[-1].variable == layer->variable)
        layer--;
    while (layer + 1 < l->layers + l->layer_count && layer->element < element &&
           layer[1].variable == layer->variable)
        layer++;
    return layer;
}

static void seat_layer(const fzi_learned *l, const fzi_own_view *own, int player,
                       const fzi_cell_layer *layer, uint16_t *seat)
{
    const fz_variable *v = layer->variable < 0 ? NULL : &l->program->variables[layer->variable];
    const fzi_cell_layer *to =
        v && v->is_set && !v->is_bits
            ? layer_for(l, layer, fzi_own_element(own, player, v, layer->element)) : layer;

    for (uint32_t i = 0; i < layer->count; i++) {
        uint32_t at = layer->variable == FZ_LAYER_CHOICE ? i
                      : !v || v->is_set ? own->there[player].sites[i]
                                        : fzi_own_element(own, player, v, i);
        seat[layer->first + i] = (uint16_t)(to->first + at);
    }
}

/* Both players have the same weights if they face each other and begin alike. */
static fz_status find_seats(fzi_learning *y, const fzi_own_view *own)
{
    fzi_learned *l = y->learned;
    unsigned players = l->program->player_count;

    l->seats = fzi_allocate(l->allocator, (size_t)players * FZ_MAX_CELLS * sizeof *l->seats);
    if (!l->seats)
        return fzi_context_no_memory(y->setup->context);
    for (unsigned p = 0; p < players; p++)
        for (uint32_t i = 0; i < l->layer_count; i++)
            seat_layer(l, own, (int)p, &l->layers[i], l->seats + (size_t)p * l->cells);
    return FZ_OK;
}

/* Symmetries of the board that are symmetries of the rules, as far as random games show. */
static fz_status find_symmetries(fzi_learning *y)
{
    fzi_learned *l = y->learned;
    fzi_graph_task task = {.machine = y->setup->machine, .from = y->setup->state,
                           .most = SIZE_MAX, .forget = true, .symmetric = true, .tests = TESTS};
    size_t sites = l->program->board.site_count;
    fzi_graph graph;
    fz_status status = fzi_graph_symmetries(&graph, &task);

    if (status == FZ_OK && graph.symmetries.count > 1) {
        uint32_t count = graph.symmetries.count - 1;
        l->symmetries = fzi_allocate(l->allocator, count * sites * sizeof *l->symmetries);
        if (!l->symmetries)
            status = FZ_NO_MEMORY;
        else
            memcpy(l->symmetries, graph.symmetries.image + sites,
                   count * sites * sizeof *l->symmetries);
        l->symmetry_count = l->symmetries ? count : 0;
    }
    fzi_graph_clear(&graph);
    if (status == FZ_NO_MEMORY)
        return fzi_context_no_memory(y->setup->context);
    return status == FZ_NOT_FOUND ? status : FZ_OK; /* without symmetries it can be learned, too */
}

/* ---- all of it ---- */

static fz_status look(survey *s, const fzi_own_view *own)
{
    fzi_learning *y = s->y;
    const fz_program *p = y->learned->program;
    bool alike = p->player_count == 2 && begins_alike(y->setup->state, own->there[1].sites);
    fz_status status = FZ_OK;

    for (uint32_t i = 0; i < p->variable_count + 2; i++)
        s->ranges[i] = (range){INT64_MAX, INT64_MIN};
    for (uint64_t game = 0; status == FZ_OK && game < GAMES; game++)
        status = play(s, game);
    if (status == FZ_NO_MEMORY)
        return fzi_context_no_memory(y->setup->context);
    if (status != FZ_OK)
        return FZ_NOT_FOUND;
    if (alike)
        share_codes(s);
    add_layers(s);
    if (alike)
        status = find_seats(y, own);
    if (status == FZ_OK)
        status = find_symmetries(y);
    if (status == FZ_OK && !fzi_learned_derive(y->learned))
        status = fzi_context_no_memory(y->setup->context);
    return status;
}

fz_status fzi_learning_look(fzi_learning *y)
{
    fz_program *p = y->setup->program;
    fzi_allocator allocator = y->setup->context->allocator;
    survey s = {.y = y};
    fzi_own_view own = {.program = NULL};
    fz_status status = FZ_NO_MEMORY;

    y->learned = fzi_learned_new(p, allocator);
    s.ranges = fzi_allocate(allocator, (p->variable_count + 2) * sizeof *s.ranges);
    s.pieces = fzi_allocate_zeroed(allocator, fzi_learned_code(p, (int)p->kind_count, 0));
    if (y->learned && s.ranges && s.pieces && fzi_own_view_init(&own, p))
        status = look(&s, &own);
    else
        status = fzi_context_no_memory(y->setup->context);
    fzi_own_view_clear(&own);
    FZI_RELEASE(allocator, s.ranges, s.pieces);
    return status;
}
