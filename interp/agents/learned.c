/* The value of a position by learned weights. See learned.h. */
#include "learned.h"

#include <math.h>
#include <stdlib.h>

#include "interp/board/topology.h"
#include "interp/program/values.h"
#include "interp/support/words.h"

enum {
    MOST_CONTENTS = 1300,    /* of one pattern, where all have room */
    MOST_WEIGHTS = 1 << 22   /* of one table: more than single cells need */
};

size_t fzi_learned_code(const fz_program *program, int kind, int owner)
{
    return (size_t)kind * (program->player_count + 1) + (size_t)(owner + 1);
}

fzi_learned *fzi_learned_new(fz_program *program, fzi_allocator allocator)
{
    fzi_learned *l = fzi_allocate_zeroed(allocator, sizeof *l);

    if (!l)
        return NULL;
    l->allocator = allocator;
    l->program = program;
    fz_program_retain(program);
    l->codes =
        fzi_allocate_zeroed(allocator, fzi_learned_code(program, (int)program->kind_count, 0));
    if (l->codes)
        return l;
    fzi_learned_free(l);
    return NULL;
}

void fzi_learned_free(fzi_learned *l)
{
    if (!l)
        return;
    fz_program_release(l->program);
    FZI_RELEASE(l->allocator, l->seats, l->symmetries, l->codes, l->patterns, l->weights, l);
}

/* ---- cells ---- */

bool fzi_learned_reads(const fz_program *program, const fz_variable *v, bool *by_site)
{
    unsigned kind = program->types[v->type].kind;

    *by_site = v->is_set || (v->index_count == 1 &&
                             program->types[v->index[0]].kind == FZ_VALUE_SITE &&
                             v->length == program->board.site_count);
    if (v->hidden || v->secret || v->clock)
        return false;
    return v->is_set || kind == FZ_VALUE_BOOL || kind == FZ_VALUE_INT || kind == FZ_VALUE_PLAYER ||
           kind == FZ_VALUE_KIND || kind == FZ_VALUE_NAMED;
}

bool fzi_learned_add(fzi_learned *l, fzi_cell_layer layer)
{
    const fz_program *p = l->program;

    layer.first = l->cells;
    layer.count = layer.variable == FZ_LAYER_CHOICE ? 1
                  : layer.by_site                   ? p->board.site_count
                                                    : p->variables[layer.variable].length;
    if (l->layer_count == FZ_MAX_LAYERS || l->cells + layer.count > FZ_MAX_CELLS)
        return false;
    l->cells += layer.count;
    l->layers[l->layer_count++] = layer;
    return true;
}

/* ---- patterns ---- */

/* A pattern while its place is looked for: places that symmetries turn into each other have the
 * same `least`. */
typedef struct sketch {
    fzi_pattern pattern;
    uint32_t group;          /* of patterns that may share weights: the layer, then the direction */
    uint16_t least[FZ_MAX_PATTERN];
} sketch;

typedef struct sketches {
    sketch *items;
    size_t count, room;
    bool failed;
} sketches;

static int compare_cells(const uint16_t *a, const uint16_t *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_sketches(const void *a, const void *b)
{
    const sketch *x = a, *y = b;

    if (x->pattern.count != y->pattern.count)
        return x->pattern.count < y->pattern.count ? -1 : 1;
    int order = compare_cells(x->least, y->least, FZ_MAX_PATTERN);
    if (!order)
        order = compare_cells(x->pattern.cells, y->pattern.cells, FZ_MAX_PATTERN);
    return order ? order : (x->group > y->group) - (x->group < y->group);
}

/* The image of a cell of a layer by site under symmetry number g; 0 is the one that changes
 * nothing. */
static uint16_t image_of(const fzi_learned *l, const fzi_cell_layer *layer, uint32_t g,
                         uint16_t cell)
{
    uint32_t sites = l->program->board.site_count;

    return g && layer->by_site
               ? (uint16_t)(layer->first + l->symmetries[(g - 1) * sites + cell - layer->first])
               : cell;
}

static void reverse(uint16_t *cells, unsigned count)
{
    for (unsigned i = 0; i < count / 2; i++) {
        uint16_t kept = cells[i];
        cells[i] = cells[count - 1 - i];
        cells[count - 1 - i] = kept;
    }
}

/* Adds a line of cells, in the order in which it is least among its images. */
static void add_sketch(fzi_learned *l, sketches *all, const fzi_cell_layer *layer, uint32_t group,
                       const uint16_t *cells, unsigned count)
{
    sketch s = {.group = group, .pattern = {.count = (uint8_t)count,
                                            .levels = (uint8_t)layer->levels}};
    bool turned = false;

    if (!fzi_make_room(l->allocator, &all->items, &all->room, all->count + 1, sizeof s)) {
        all->failed = true;
        return;
    }
    for (uint32_t g = 0; g <= l->symmetry_count; g++)
        for (unsigned back = 0; back < (count > 1 ? 2u : 1u); back++) {
            uint16_t image[FZ_MAX_PATTERN] = {0};
            for (unsigned i = 0; i < count; i++)
                image[i] = image_of(l, layer, g, cells[i]);
            if (back)
                reverse(image, count);
            if ((g == 0 && !back) || compare_cells(image, s.least, count) < 0) {
                memcpy(s.least, image, sizeof image);
                turned = back;
            }
        }
    memcpy(s.pattern.cells, cells, count * sizeof *cells);
    if (turned)
        reverse(s.pattern.cells, count);
    all->items[all->count++] = s;
}

/* How many cells of so many levels a pattern has, if it has `most` contents at most. */
static unsigned longest_of(uint32_t levels, uint32_t most)
{
    unsigned length = 1;

    for (uint32_t contents = levels * levels; length < FZ_MAX_PATTERN && contents <= most;
         contents *= levels)
        length++;
    return length;
}

static void add_lines(fzi_learned *l, sketches *all, unsigned layer, unsigned dir, uint32_t most)
{
    const fz_board *b = &l->program->board;
    const fzi_cell_layer *y = &l->layers[layer];
    unsigned length = longest_of(y->levels, most);
    unsigned longest = l->program->topology->longest_rays[dir] + 1u;

    length = length < longest ? length : longest;

    for (unsigned site = 0; site < b->site_count; site++) {
        uint16_t cells[FZ_MAX_PATTERN];
        unsigned count = 0;
        for (int at = (int)site; at >= 0 && count < length;
             at = b->next[dir * b->site_count + (unsigned)at])
            cells[count++] = (uint16_t)(y->first + (unsigned)at);
        if (count == length && count > 1 && cells[0] != cells[count - 1])
            add_sketch(l, all, y, layer * (FZ_MAX_DIRS + 1) + 1 + dir, cells, count);
    }
}

/* Of two directions that undo each other, the first. */
static bool is_twin(const fzi_topology *t, unsigned dir)
{
    return t->inverse[dir] < dir;
}

static void add_layer(fzi_learned *l, sketches *all, unsigned layer, uint32_t most)
{
    const fz_board *b = &l->program->board;
    const fzi_cell_layer *y = &l->layers[layer];

    for (uint32_t i = 0; i < y->count; i++) {
        uint16_t cell = (uint16_t)(y->first + i);
        add_sketch(l, all, y, layer * (FZ_MAX_DIRS + 1), &cell, 1);
    }
    for (unsigned dir = 0; y->by_site && dir < b->dir_count; dir++)
        if (!is_twin(l->program->topology, dir) && (!b->adjacent || b->adjacent >> dir & 1))
            add_lines(l, all, layer, dir, most);
}

static uint32_t contents_of(const fzi_pattern *pattern)
{
    uint32_t contents = 1;

    for (unsigned i = 0; i < pattern->count; i++)
        contents *= pattern->levels;
    return contents;
}

/* Gives the sketches their weights, and drops what is there twice. A layer without a second pattern
 * of a group shares nothing. */
static void place_sketches(fzi_learned *l, sketches *all, uint32_t *shared)
{
    const sketch *before = NULL;

    qsort(all->items, all->count, sizeof *all->items, compare_sketches);
    for (size_t i = 0; i < all->count; i++) {
        sketch *s = &all->items[i];
        const fzi_cell_layer *y = &l->layers[s->group / (FZ_MAX_DIRS + 1)];
        uint32_t contents = contents_of(&s->pattern);
        bool same = before && before->pattern.count == s->pattern.count &&
                    !compare_cells(before->least, s->least, FZ_MAX_PATTERN);
        if (same && !compare_cells(before->pattern.cells, s->pattern.cells, FZ_MAX_PATTERN))
            continue;
        s->pattern.own = same ? before->pattern.own : l->weight_count;
        l->weight_count += same ? 0 : contents;
        if (y->by_site && !shared[s->group]) {
            shared[s->group] = l->weight_count;
            l->weight_count += contents;
        }
        s->pattern.shared = y->by_site ? shared[s->group] : s->pattern.own;
        l->patterns[l->pattern_count++] = s->pattern;
        before = s;
    }
}

/* Makes the patterns, and counts the weights that they need. */
static bool place_patterns(fzi_learned *l, uint32_t most)
{
    sketches all = {.items = NULL};
    uint32_t *shared =
        fzi_allocate_zeroed(l->allocator, FZ_MAX_LAYERS * (FZ_MAX_DIRS + 1) * sizeof *shared);

    for (unsigned i = 0; i < l->layer_count; i++)
        add_layer(l, &all, i, most);
    fzi_release(l->allocator, l->patterns);
    l->patterns = fzi_allocate(l->allocator, (all.count + 1) * sizeof *l->patterns);
    l->pattern_count = 0;
    l->weight_count = 1; /* the first belongs to every position */
    bool good = shared && l->patterns && !all.failed;
    if (good)
        place_sketches(l, &all, shared);
    FZI_RELEASE(l->allocator, shared, all.items);
    return good;
}

bool fzi_learned_derive(fzi_learned *l)
{
    uint32_t most = MOST_CONTENTS;

    while (place_patterns(l, most)) {
        if (l->weight_count > MOST_WEIGHTS) {
            most /= 4;
            continue;
        }
        l->tables = l->seats ? 1 : l->program->player_count;
        l->weights = fzi_allocate_zeroed(l->allocator,
                                         (size_t)l->tables * l->weight_count * sizeof *l->weights);
        return l->weights != NULL;
    }
    return false;
}

/* ---- reading a position ---- */

/* A position on its way to cells. */
typedef struct reader {
    const fzi_learned *l;
    const fz_state *state;
    int viewer;
    const uint16_t *seat;    /* where each cell is to the viewer; NULL: there */
    uint8_t *cells;
} reader;

static void put(const reader *r, uint32_t cell, unsigned level)
{
    r->cells[r->seat ? r->seat[cell] : cell] = (uint8_t)level;
}

/* A player as the viewer counts. */
static int64_t player_of(const reader *r, int64_t player)
{
    int64_t count = r->l->program->player_count;

    return !r->seat || player < 0 || player >= count ? player
                                                     : (player + count - r->viewer) % count;
}

static unsigned code_of(const reader *r, int kind, int owner)
{
    return r->l->codes[fzi_learned_code(r->l->program, kind, (int)player_of(r, owner))];
}

/* Where no set has the kinds, the byte board does, unless there is but one. */
static void put_pieces(const reader *r, const fzi_cell_layer *y)
{
    const fz_program *p = r->l->program;
    const fz_layout *l = &p->layout;
    unsigned w = p->board.words, kinds = l->kinds ? p->kind_count : 1;

    for (unsigned owner = 0; owner <= p->player_count; owner++) {
        const uint64_t *own = fzi_sets_at(r->state, l->own) + owner * w;
        int who = owner == p->player_count ? -1 : (int)owner;
        for (unsigned k = 0; k < kinds; k++) {
            const uint64_t *of_kind =
                l->kinds ? fzi_sets_at(r->state, l->kinds) + k * w : own;
            unsigned code = code_of(r, (int)k, who);
            for (unsigned i = 0; i < w; i++)
                for (uint64_t left = own[i] & of_kind[i]; left; left &= left - 1) {
                    unsigned site = 64 * i + (unsigned)__builtin_ctzll(left);
                    int kind = (int)k, whose = who;
                    if (!l->kinds && l->at) {
                        fzi_piece_get(p, r->state->block, site, &kind, &whose);
                        code = kind < 0 ? 0 : code_of(r, kind, whose);
                    }
                    put(r, y->first + site, code);
                }
        }
    }
}

static unsigned level_of(const fzi_cell_layer *y, int64_t value)
{
    int64_t level = value < y->low ? 0 : (value - y->low) / y->step;

    return level < y->levels ? (unsigned)level : y->levels - 1;
}

static void put_heights(const reader *r, const fzi_cell_layer *y)
{
    for (uint32_t s = 0; s < y->count; s++)
        put(r, y->first + s, level_of(y, fzi_stack_height(r->l->program, r->state->block, s)));
}

static void put_variable(const reader *r, const fzi_cell_layer *y)
{
    const fz_program *p = r->l->program;
    const fz_variable *v = &p->variables[y->variable];
    bool is_player = p->types[v->type].kind == FZ_VALUE_PLAYER;

    if (v->is_set) {
        FZI_FOR_SITES (site, fzi_element_sites(p, r->state->block, v, y->element), p->board.words)
            put(r, y->first + site, 1);
        return;
    }
    const int32_t *ints = (const int32_t *)(const void *)(r->state->block + p->layout.ints) +
                          v->offset;
    for (uint32_t i = 0; i < y->count; i++)
        put(r, y->first + i, level_of(y, is_player ? player_of(r, ints[i]) : ints[i]));
}

static void put_choice(const reader *r, const fzi_cell_layer *y)
{
    const fz_program *p = r->l->program;
    const fzi_head *head = fzi_head_of(r->state);

    for (uint32_t i = 0; head->waiting == FZ_WAITING_MOVE && i < p->choice_count; i++)
        if (p->choices[i].start == head->pc)
            put(r, y->first, level_of(y, i));
}

int fzi_learned_viewer(const fz_state *state)
{
    const fzi_head *head = fzi_head_of(state);

    return head->waiting == FZ_WAITING_MOVE ? head->decider : head->mover;
}

static void read_cells(const fzi_learned *l, const fz_state *state, uint8_t *cells)
{
    int viewer = fzi_learned_viewer(state);
    reader r = {l, state, viewer, l->seats ? l->seats + (size_t)viewer * l->cells : NULL, cells};

    memset(cells, 0, l->cells);
    for (uint32_t i = 0; i < l->layer_count; i++) {
        const fzi_cell_layer *y = &l->layers[i];
        switch (y->variable) {
        case FZ_LAYER_PIECES: put_pieces(&r, y); break;
        case FZ_LAYER_HEIGHTS: put_heights(&r, y); break;
        case FZ_LAYER_CHOICE: put_choice(&r, y); break;
        default: put_variable(&r, y); break;
        }
    }
}

static uint32_t index_of(const fzi_pattern *p, const uint8_t *cells)
{
    uint32_t index = cells[p->cells[0]];

    for (unsigned i = 1; i < p->count; i++)
        index = index * p->levels + cells[p->cells[i]];
    return index;
}

/* The first weight of the viewer's table. */
static uint32_t table_of(const fzi_learned *l, const fz_state *state)
{
    return l->tables > 1 ? (uint32_t)fzi_learned_viewer(state) * l->weight_count : 0;
}

size_t fzi_learned_see(const fzi_learned *l, const fz_state *state, uint32_t *numbers)
{
    uint8_t cells[FZ_MAX_CELLS];
    uint32_t first = table_of(l, state);
    size_t count = 0;

    read_cells(l, state, cells);
    numbers[count++] = first;
    for (uint32_t i = 0; i < l->pattern_count; i++) {
        const fzi_pattern *p = &l->patterns[i];
        uint32_t index = index_of(p, cells);
        numbers[count++] = first + p->own + index;
        if (p->shared != p->own)
            numbers[count++] = first + p->shared + index;
    }
    return count;
}

double fzi_learned_odds(const fzi_learned *l, const fz_state *state, int player)
{
    uint8_t cells[FZ_MAX_CELLS];
    const float *w = l->weights + table_of(l, state);
    double sum = w[0];

    read_cells(l, state, cells);
    for (uint32_t i = 0; i < l->pattern_count; i++) {
        const fzi_pattern *p = &l->patterns[i];
        uint32_t index = index_of(p, cells);
        sum += (double)w[p->own + index] + (p->shared != p->own ? (double)w[p->shared + index] : 0);
    }
    bool same = fzi_same_side(l->program, (unsigned)fzi_learned_viewer(state), (unsigned)player);
    return same ? sum : -sum;
}
