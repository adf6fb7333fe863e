/* Symmetries of the board that are symmetries of the rules, and the images of positions. See
 * solve.h. */
#include "solve.h"

#include "interp/board/topology.h"

enum { HEAD_BYTES = sizeof(fzi_head) };

/* ---- symmetries of the board ---- */

/* Which sites are neighbours, one way or the other: a bit each. */
typedef struct finder {
    fzi_symmetries *y;
    const fz_board *board;
    unsigned sites;
    const uint64_t *beside;   /* a row of words for each site */
    unsigned words;
    uint16_t order[FZ_MAX_SITES]; /* in which they are placed */
    uint16_t from[FZ_MAX_SITES]; /* by place in the order: a neighbour before; `sites`: none */
    uint16_t image[FZ_MAX_SITES];
    bool taken[FZ_MAX_SITES];
    bool good;
} finder;

static bool adjacent(const finder *f, unsigned a, unsigned b)
{
    return f->beside[a * f->words + b / 64] >> b % 64 & 1;
}

/* May the site at that place of the order go to `to`, as far as those before it are placed? */
static bool may_go(const finder *f, unsigned at, unsigned to)
{
    unsigned site = f->order[at];

    if (f->taken[to] || adjacent(f, site, site) != adjacent(f, to, to))
        return false;
    for (unsigned i = 0; i < at; i++)
        if (adjacent(f, f->order[i], site) != adjacent(f, f->image[f->order[i]], to))
            return false;
    return true;
}

/* The permutation that changes nothing comes first. */
static void keep(finder *f)
{
    fzi_symmetries *y = f->y;
    uint16_t *image = y->image + (size_t)y->count * f->sites;
    bool same = true;

    if (y->count == FZ_MAX_SYMMETRIES) {
        f->good = false;
        return;
    }
    for (unsigned s = 0; s < f->sites; s++)
        same = same && f->image[s] == s;
    if (same && y->count) {
        memcpy(image, y->image, f->sites * sizeof *image);
        image = y->image;
    }
    memcpy(image, f->image, f->sites * sizeof *image);
    y->count++;
}

/* Places the sites from this place of the order on in all ways. A site goes beside the image of the
 * neighbour that it was found from. Too many: the board says too little. */
static void place(finder *f, unsigned at)
{
    if (at == f->sites) {
        keep(f);
        return;
    }
    unsigned site = f->order[at], from = f->from[at];
    for (unsigned to = 0; to < f->sites && f->good; to++) {
        if ((from < f->sites && !adjacent(f, f->image[from], to)) || !may_go(f, at, to))
            continue;
        f->image[site] = (uint16_t)to;
        f->taken[to] = true;
        place(f, at + 1);
        f->taken[to] = false;
    }
}

/* All sites, so that each comes after a neighbour, if it has one. */
static void order_sites(finder *f)
{
    bool found[FZ_MAX_SITES] = {false};
    unsigned count = 0;

    for (unsigned start = 0; start < f->sites; start++) {
        unsigned next = count;
        if (found[start])
            continue;
        found[start] = true;
        f->from[count] = (uint16_t)f->sites;
        f->order[count++] = (uint16_t)start;
        for (; next < count; next++)
            for (unsigned s = 0; s < f->sites; s++) {
                if (found[s] || !adjacent(f, f->order[next], s))
                    continue;
                found[s] = true;
                f->from[count] = f->order[next];
                f->order[count++] = (uint16_t)s;
            }
    }
}

/* Permutations of the sites that keep neighbours; the first one leaves all where they are. */
static bool find_images(fzi_symmetries *y, const fz_program *p)
{
    const fz_board *board = &p->board;
    unsigned sites = board->site_count, words = (sites + 63) / 64;
    uint64_t *beside = fzi_allocate_zeroed(y->allocator, (size_t)sites * words * 8 + 8);
    finder *f = fzi_allocate_zeroed(y->allocator, sizeof *f);
    bool made = beside && f;

    for (unsigned d = 0; made && d < board->dir_count; d++)
        for (unsigned s = 0; s < sites; s++) {
            int to = board->next[d * sites + s];
            if (to < 0 || (board->adjacent && !(board->adjacent >> d & 1)))
                continue;
            beside[s * words + (unsigned)to / 64] |= UINT64_C(1) << to % 64;
            beside[(unsigned)to * words + s / 64] |= UINT64_C(1) << s % 64;
        }
    if (made) {
        *f = (finder){.y = y, .board = board, .sites = sites, .beside = beside, .words = words,
                      .good = true};
        order_sites(f);
        place(f, 0);
        if (!f->good)
            y->count = 1;
    }
    FZI_RELEASE(y->allocator, beside, f);
    return made;
}

/* ---- what of a row is a set, a site or by site ---- */

/* For each byte of a set and each value of it, its image. */
static bool make_tables(fzi_symmetries *y)
{
    unsigned bytes = y->words * 8;
    size_t row = (size_t)bytes * 256 * y->words;

    y->tables = fzi_allocate_zeroed(y->allocator, (y->count - 1) * row * sizeof *y->tables + 8);
    for (unsigned g = 1; y->tables && g < y->count; g++)
        for (unsigned s = 0; s < y->sites; s++) {
            unsigned to = y->image[g * y->sites + s];
            for (unsigned value = 0; value < 256; value++)
                if (value >> s % 8 & 1)
                    y->tables[(g - 1) * row + ((s / 8) * 256 + value) * y->words + to / 64] |=
                        UINT64_C(1) << to % 64;
        }
    return y->tables != NULL;
}

static const uint64_t *table_of(const fzi_symmetries *y, unsigned g)
{
    return y->tables + (size_t)(g - 1) * y->words * 8 * 256 * y->words;
}

static void turn_set(const fzi_symmetries *y, unsigned g, uint64_t *set)
{
    const uint64_t *table = table_of(y, g);
    uint64_t image[FZ_MAX_WORDS];

    if (y->words == 1) { /* most boards */
        uint64_t rest = *set;
        for (*set = 0; rest; rest >>= 8, table += 256)
            *set |= table[rest & 0xff];
        return;
    }
    memset(image, 0, y->words * sizeof *image);
    for (unsigned b = 0; b < (y->sites + 7) / 8; b++) {
        unsigned value = set[b / 8] >> b % 8 * 8 & 0xff;
        const uint64_t *part = table + (b * 256 + value) * y->words;
        for (unsigned w = 0; value && w < y->words; w++)
            image[w] |= part[w];
    }
    memcpy(set, image, y->words * sizeof *set);
}

static bool is_by_site(const fz_program *p, const fz_variable *v)
{
    return v->index_count == 1 && p->types[v->index[0]].kind == FZ_VALUE_SITE &&
           v->length == p->board.site_count && !v->is_bits && !fzi_variable_is_wide(p, v);
}

static void turn_ints(const fzi_symmetries *y, unsigned g, const fz_variable *v, int32_t *ints)
{
    const uint16_t *image = y->image + g * y->sites;
    int32_t before[FZ_MAX_SITES];

    if (y->program->types[v->type].kind == FZ_VALUE_SITE)
        for (uint32_t i = 0; i < v->length; i++)
            if (ints[i] >= 0 && ints[i] < (int32_t)y->sites)
                ints[i] = image[ints[i]];
    if (!is_by_site(y->program, v))
        return;
    memcpy(before, ints, v->length * sizeof *ints);
    for (uint32_t s = 0; s < v->length; s++)
        ints[image[s]] = before[s];
}

/* `size` bytes for each site. */
static void turn_bytes(const fzi_symmetries *y, unsigned g, uint8_t *bytes, unsigned size)
{
    const uint16_t *image = y->image + g * y->sites;

    memcpy(y->scratch, bytes, (size_t)size * y->sites);
    for (unsigned s = 0; s < y->sites; s++)
        memcpy(bytes + image[s] * size, y->scratch + s * size, size);
}

static void turn_head(const fzi_symmetries *y, unsigned g, fzi_head *head)
{
    const uint16_t *image = y->image + g * y->sites;

    if (head->last_from >= 0 && head->last_from < (int)y->sites && y->turns_last)
        head->last_from = (int16_t)image[head->last_from];
    if (head->last_to >= 0 && head->last_to < (int)y->sites && y->turns_last)
        head->last_to = (int16_t)image[head->last_to];
}

/* Sets in registers are sets of sites. Nobody knows which numbers are sites: where those decide,
 * positions and images have different moves, and there is no symmetry. */
static void turn_frames(const fzi_symmetries *y, unsigned g, const fzi_head *head, uint64_t *stack)
{
    uint32_t at = head->frame;

    for (unsigned depth = 0; head->top && depth <= head->depth; depth++) {
        uint64_t *frame = stack + at;
        const fz_function *f = &y->program->functions[(uint32_t)frame[0]];
        for (unsigned r = 0; r < f->sets; r++)
            turn_set(y, g, frame + FZ_FRAME_HEADER + f->ints + r * y->words);
        if (at == 0)
            break;
        at = (uint32_t)frame[1];
    }
}

/* The row, which becomes its image. */
static void turn_row(const fzi_symmetries *y, unsigned g, const fzi_position_shape *form,
                     uint64_t *row)
{
    const fz_program *p = y->program;
    const fz_layout *l = &p->layout;
    /* The row's board begins where this byte of the block is. */
    uint8_t *board = (uint8_t *)row + HEAD_BYTES - form->board_from;
    fzi_head *head = (fzi_head *)(void *)row;

    turn_head(y, g, head);
    for (unsigned i = 0; i <= p->player_count && !form->from_bytes; i++)
        turn_set(y, g, fzi_block_sets(board, l->own) + i * y->words);
    for (unsigned k = 0; l->kinds && k < p->kind_count; k++)
        turn_set(y, g, fzi_block_sets(board, l->kinds) + k * y->words);
    for (unsigned i = 0; i < l->set_count; i++)
        turn_set(y, g, fzi_block_sets(board, l->sets) + i * y->words);
    for (uint32_t i = 0; i < p->variable_count; i++)
        if (!p->variables[i].is_set)
            turn_ints(y, g, &p->variables[i],
                      (int32_t *)(void *)(board + l->ints) + p->variables[i].offset);
    if (form->from_bytes)
        turn_bytes(y, g, board + l->at, 1);
    if (l->stacks)
        turn_bytes(y, g, board + l->stacks, l->stack_size);
    turn_frames(y, g, head, row + HEAD_BYTES / 8 + (form->board_length + 7) / 8);
}

/* ---- public ---- */

bool fzi_symmetries_init(fzi_symmetries *y, const fz_program *p, fzi_allocator allocator)
{
    unsigned sites = p->board.site_count;

    *y = (fzi_symmetries){.allocator = allocator, .program = p, .sites = sites,
                          .words = p->board.words, .turns_last = p->reads_last};
    y->image = fzi_allocate(allocator, (size_t)FZ_MAX_SYMMETRIES * sites * sizeof *y->image + 8);
    y->scratch = fzi_allocate(allocator, (size_t)sites * (p->layout.stack_size + 1) + 8);
    return y->image && y->scratch && find_images(y, p) && make_tables(y);
}

void fzi_symmetries_clear(fzi_symmetries *y)
{
    if (y->program)
        FZI_RELEASE(y->allocator, y->image, y->tables, y->scratch, y->row, y->best);
    *y = (fzi_symmetries){.allocator = y->allocator};
}

void fzi_symmetries_keep(fzi_symmetries *y, unsigned from, unsigned to)
{
    size_t row = (size_t)y->words * 8 * 256 * y->words;

    memmove(y->image + to * y->sites, y->image + from * y->sites, y->sites * sizeof *y->image);
    memmove(y->tables + (to - 1) * row, y->tables + (from - 1) * row, row * sizeof *y->tables);
}

bool fzi_symmetries_turn(fzi_symmetries *y, unsigned number, const fzi_position_shape *form,
                         const uint64_t *row, uint32_t words)
{
    if (!fzi_make_room(y->allocator, &y->row, &y->room, words, sizeof *y->row))
        return false;
    memcpy(y->row, row, words * sizeof *row);
    if (number)
        turn_row(y, number, form, y->row);
    return true;
}

/* Compares the image of the row's sets of players with those of the least one so far. Most images
 * differ there. */
static int compare_players(const fzi_symmetries *y, unsigned g, const fzi_position_shape *form,
                           const uint64_t *row)
{
    const fz_layout *l = &y->program->layout;
    size_t at = (HEAD_BYTES + l->own - form->board_from) / 8;
    uint64_t image[FZ_MAX_WORDS];

    for (unsigned i = 0; i <= y->program->player_count && !form->from_bytes; i++) {
        const uint64_t *best = y->best + at + (size_t)i * y->words;
        memcpy(image, row + at + (size_t)i * y->words, y->words * sizeof *image);
        turn_set(y, g, image);
        for (unsigned w = 0; w < y->words; w++)
            if (image[w] != best[w])
                return image[w] < best[w] ? -1 : 1;
    }
    return 0;
}

const uint64_t *fzi_symmetries_least(fzi_symmetries *y, const fzi_position_shape *form,
                                     const uint64_t *row, uint32_t words)
{
    if (!fzi_make_room(y->allocator, &y->best, &y->best_room, words, sizeof *y->best))
        return NULL;
    memcpy(y->best, row, words * sizeof *row);
    for (unsigned g = 1; g < y->count; g++) {
        int order = compare_players(y, g, form, row);
        if (order > 0)
            continue;
        if (!fzi_symmetries_turn(y, g, form, row, words))
            return NULL;
        if (order < 0 || memcmp(y->row, y->best, words * sizeof *row) < 0)
            memcpy(y->best, y->row, words * sizeof *row);
    }
    return y->best;
}
