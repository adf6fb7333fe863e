/* Layouts, initial blocks, and pieces in a block. See layout.h. */
#include "layout.h"

#include "interp/board/topology.h"
#include "interp/support/words.h"

/* ---- the layout ---- */

enum { PART_KINDS = 1, PART_AT = 2, PART_EMPTY = 4 };

bool fzi_needs_at(const fz_program *p, unsigned op)
{
    bool one_kind_does = op == FZ_OP_GIVE || op == FZ_OP_MOVE;
    return fzi_opcode_is(op, FZ_FLAG_AT) || (one_kind_does && p->kind_count > 1);
}

/* KIND and OWNER can be found without the byte board, but slowly if there are many kinds. */
static unsigned parts_of(const fz_program *p, const fz_function *f, bool plays)
{
    unsigned parts = 0;
    FZI_FOR_INSTRUCTIONS(i, p, f) {
        unsigned op = FZ_CODE_OP(p->code[i]);
        if (fzi_opcode_is(op, FZ_FLAG_KINDS))
            parts |= PART_KINDS;
        if (fzi_needs_at(p, op) ||
            (plays && fzi_opcode_is(op, FZ_FLAG_AT_FAST) && p->kind_count > 1))
            parts |= PART_AT;
        if (fzi_opcode_is(op, FZ_FLAG_EMPTIES))
            parts |= PART_EMPTY;
    }
    return parts;
}

/* Do the functions' codes lie in the code, and make no more than it together? Then looking through
 * all takes no longer than the code is. Nothing else has been checked yet. */
static bool are_sound(const fz_program *p)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < p->function_count; i++) {
        if (p->functions[i].start > p->functions[i].end || p->functions[i].end > p->code_length)
            return false;
        total += p->functions[i].end - p->functions[i].start;
    }
    return total <= p->code_length;
}

static void reach(const fz_program *p, int64_t function, uint8_t *plays, uint32_t *queue,
                  uint32_t *count)
{
    if (function < 0 || function >= p->function_count || plays[function])
        return;
    plays[function] = 1;
    queue[(*count)++] = (uint32_t)function;
}

/* Marks the functions that are called when the game is played, not only by tests and for texts. */
static void mark_playing(const fz_program *p, uint8_t *plays, uint32_t *queue)
{
    uint32_t count = 0;
    reach(p, p->setup, plays, queue, &count);
    reach(p, p->turn, plays, queue, &count);
    reach(p, p->end, plays, queue, &count);
    reach(p, p->limit, plays, queue, &count);
    for (uint32_t n = 0; n < count; n++) {
        const fz_function *f = &p->functions[queue[n]];
        FZI_FOR_INSTRUCTIONS(i, p, f)
            if (fzi_opcode_is(FZ_CODE_OP(p->code[i]), FZ_FLAG_CALLS) && i + 1 < f->end)
                reach(p, p->code[i + 1], plays, queue, &count);
    }
}

/* The parts of the board that some instruction reads; the owners' sets are always there. */
static unsigned parts_read(const fz_program *p)
{
    unsigned parts = 0;
    bool sound = p->function_count && are_sound(p);
    fzi_allocator a = fzi_allocator_default();
    uint8_t *plays = sound ? fzi_allocate_zeroed(a, p->function_count) : NULL;
    uint32_t *queue = sound ? fzi_allocate(a, p->function_count * sizeof *queue) : NULL;
    if (plays && queue)
        mark_playing(p, plays, queue);
    for (uint32_t i = 0; sound && i < p->function_count; i++)
        parts |= parts_of(p, &p->functions[i], !plays || !queue || plays[i]);
    FZI_RELEASE(a, plays, queue);
    if (p->stack_limit)
        parts |= PART_AT;
    if (p->kind_count < 2)
        return parts & (PART_AT | PART_EMPTY); /* one kind: wherever there is a piece */
    if (!(parts & PART_AT) || p->uses_repetitions || p->uses_board_repetitions)
        parts |= PART_KINDS;    /* something must say which kind a piece is */
    return parts;
}

int64_t fzi_value_count(const fz_program *p, const fz_value_type *t)
{
    switch (t->kind) {
    case FZ_VALUE_BOOL: return 2;
    case FZ_VALUE_SITE: return p->board.site_count;
    case FZ_VALUE_DIR: return p->board.dir_count;
    case FZ_VALUE_PLAYER: return p->player_count;
    case FZ_VALUE_TEAM: return p->team_count;
    case FZ_VALUE_KIND: return p->kind_count;
    case FZ_VALUE_NAMED: return (int64_t)t->high + 1;
    default: return 0;
    }
}

uint64_t fzi_mask_all(const fz_program *p, const fz_value_type *type)
{
    const fz_value_type *t = &p->types[type->element];
    bool number = t->kind == FZ_VALUE_INT;
    int64_t low = number && t->low > 0 ? t->low : 0;
    int64_t high = number ? t->high : fzi_value_count(p, t) - 1;
    if (high < low || low > 63)
        return 0;
    return (high >= 63 ? UINT64_MAX : (UINT64_C(2) << high) - 1) & ~((UINT64_C(1) << low) - 1);
}

static uint32_t place_variables(const fz_program *p, const fz_variable *variables, bool sets,
                                bool clocks, uint32_t next, fz_variable *out)
{
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &variables[i];
        if ((v->is_set != 0) != sets || (v->clock != 0) != clocks)
            continue;
        if (out)
            out[i].offset = next;
        next += v->is_bits ? 1 : v->is_set ? v->length : v->length * fzi_variable_slots(p, v);
    }
    return next;
}

uint64_t fzi_variable_bytes(const fz_program *p)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < p->variable_count; i++) {
        const fz_variable *v = &p->variables[i];
        bytes += (uint64_t)v->length *
                 (v->is_set ? p->board.words * 8u : 4u * fzi_variable_slots(p, v));
    }
    return bytes;
}

void fzi_layout_make(fz_program *p, fz_variable *variables)
{
    fz_layout *l = &p->layout;
    unsigned parts = parts_read(p);
    uint32_t set = p->board.words * 8u;
    l->clock_set_count = place_variables(p, variables, true, false, 0, variables);
    l->set_count = place_variables(p, variables, true, true, l->clock_set_count, variables);
    l->clock_int_count = place_variables(p, variables, false, false, 0, variables);
    l->int_count = place_variables(p, variables, false, true, l->clock_int_count, variables);
    /* Variables that are no clocks were counted first. */
    uint32_t plain_sets = l->clock_set_count, plain_ints = l->clock_int_count;
    l->clock_set_count = l->set_count - plain_sets;
    l->clock_int_count = l->int_count - plain_ints;

    uint32_t end = sizeof(fzi_head);
    l->own = end;
    end += (p->player_count + 1) * set;
    l->kinds = parts & PART_KINDS ? end : 0;
    end += parts & PART_KINDS ? p->kind_count * set : 0;
    l->stacks = p->stack_limit ? end : 0;
    l->stack_size = p->stack_limit;
    end += (p->stack_limit * p->board.site_count + set - 1) / set * set;
    l->sets = end;
    end += l->set_count * set;
    l->ints = end;
    l->position_start = l->own;
    l->position_end = end + plain_ints * 4;
    end += l->int_count * 4;
    l->at = parts & PART_AT ? end : 0;
    end += parts & PART_AT ? p->board.site_count : 0;
    end = (end + 7) / 8 * 8;
    bool keeps_empty = parts & PART_EMPTY && fzi_on(p, FZ_OPT_EMPTY);
    l->empty = keeps_empty ? end : 0;
    end += keeps_empty ? set : 0;
    /* No two registers that are stored at once lie in two lines of the processor's cache: the
     * next load would wait. */
    l->frames = (end + 15) / 16 * 16;
    l->frame_words = FZ_MAX_FRAME_WORDS;
}

uint32_t fzi_layout_initial_length(const fz_program *program)
{
    return program->layout.frames - program->layout.own;
}

/* ---- pieces of a block ---- */

void fzi_piece_top(const fz_program *program, uint8_t *block, unsigned site, int kind, int owner)
{
    const fz_layout *layout = &program->layout;
    unsigned words = program->board.words, players = program->player_count;

    for (unsigned p = 0; p <= players; p++)
        fzi_words_drop(fzi_block_sets(block, layout->own) + p * words, site);
    if (kind >= 0)
        fzi_words_add(fzi_block_sets(block, layout->own) +
                          (owner < 0 ? players : (unsigned)owner) * words,
                      site);
    if (layout->kinds) {
        for (unsigned k = 0; k < program->kind_count; k++)
            fzi_words_drop(fzi_block_sets(block, layout->kinds) + k * words, site);
        if (kind >= 0)
            fzi_words_add(fzi_block_sets(block, layout->kinds) + (unsigned)kind * words, site);
    }
    if (layout->at)
        block[layout->at + site] =
            kind < 0 ? 0 : (uint8_t)(1 + kind * (int)(players + 1) + owner + 1);
    if (layout->empty && kind >= 0)
        fzi_words_drop(fzi_block_sets(block, layout->empty), site);
    else if (layout->empty)
        fzi_words_add(fzi_block_sets(block, layout->empty), site);
}

void fzi_piece_put(const fz_program *program, uint8_t *block, unsigned site, int kind, int owner)
{
    if (program->stack_limit)
        memset(fzi_stack_of(program, block, site), 0, program->stack_limit);
    fzi_piece_top(program, block, site, kind, owner);
}

bool fzi_piece_add(const fz_program *program, uint8_t *block, unsigned site, int kind, int owner)
{
    uint8_t top = program->layout.at ? block[program->layout.at + site] : 0;
    if (program->stack_limit && top) {
        uint8_t *stack = fzi_stack_of(program, block, site);
        if (*stack + 1u >= program->stack_limit)
            return false;
        stack[++*stack] = top;
    }
    fzi_piece_top(program, block, site, kind, owner);
    return true;
}

void fzi_empty_settle(const fz_program *program, const fz_layout *layout, uint8_t *block)
{
    if (!layout->empty)
        return;
    unsigned words = program->board.words;
    const uint64_t *own = fzi_block_sets(block, layout->own);
    uint64_t *empty = fzi_block_sets(block, layout->empty);
    for (unsigned i = 0; i < words; i++) {
        uint64_t occupied = 0;
        for (unsigned p = 0; p <= program->player_count; p++)
            occupied |= own[p * words + i];
        empty[i] = program->topology->all[i] & ~occupied;
    }
}

/* The first set of `count` that holds the site; -1. */
static int set_with(const uint64_t *sets, unsigned count, unsigned words, unsigned site)
{
    for (unsigned i = 0; i < count; i++) {
        if (fzi_words_has(sets + i * words, site))
            return (int)i;
    }
    return -1;
}

fzi_occupant fzi_piece_of_sets(const fz_program *program, const fz_layout *layout,
                            const uint8_t *block, unsigned site)
{
    unsigned words = program->board.words, players = program->player_count;
    int owner = set_with(fzi_block_sets(block, layout->own), players + 1, words, site), kind = 0;

    if (layout->kinds)
        kind = set_with(fzi_block_sets(block, layout->kinds), program->kind_count, words, site);
    return (fzi_occupant){owner < 0 ? -1 : kind, owner < (int)players ? owner : -1};
}

/* The piece that a byte of `at` stands for; none for the phantom of `attacked`, which has a kind
 * beyond the last. */
static fzi_occupant decode(const fz_program *program, uint8_t code)
{
    int owners = (int)program->player_count + 1, kind = (code - 1) / owners;

    if (!code || kind >= (int)program->kind_count)
        return (fzi_occupant){-1, -1};
    return (fzi_occupant){kind, (code - 1) % owners - 1};
}

static void give(fzi_occupant piece, int *kind, int *owner)
{
    *kind = piece.kind;
    *owner = piece.owner;
}

void fzi_piece_get(const fz_program *program, const uint8_t *block, unsigned site, int *kind,
                   int *owner)
{
    const fz_layout *l = &program->layout;
    give(l->at ? decode(program, block[l->at + site]) : fzi_piece_of_sets(program, l, block, site),
         kind, owner);
}

unsigned fzi_stack_height(const fz_program *program, const uint8_t *block, unsigned site)
{
    int kind, owner;

    fzi_piece_get(program, block, site, &kind, &owner);
    return kind < 0 ? 0 : program->stack_limit ? *fzi_stack_of(program, block, site) + 1u : 1;
}

void fzi_stack_get(const fz_program *program, const uint8_t *block, unsigned site, unsigned place,
                   int *kind, int *owner)
{
    if (place < fzi_stack_height(program, block, site))
        give(decode(program, fzi_stack_of(program, block, site)[place]), kind, owner);
    else
        fzi_piece_get(program, block, site, kind, owner);
}
