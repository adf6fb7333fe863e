/* Computes the values of shown `let`s. Called by draw_shown.c, and by position.c for
 * observations. */
#include "let_values.h"

#include "interp/ferz_tools.h"
#include "interp/vm/game.h"
#include "known_value.h"

/* ---- the block ---- */

/* Lays out the values in the block: sets first. */
static void lay_out(fzi_lets *l, const fz_program *program)
{
    uint32_t sets = 0, ints = 0;

    l->layout = fzi_program_view(program);
    for (uint32_t i = 0; i < program->shown_count; i++) {
        fz_variable *like = &l->likes[i];
        *like = program->shown[i].like;
        like->offset = like->is_set ? sets : ints;
        if (like->is_set)
            sets += like->length;
        else
            ints += like->length * fzi_variable_slots(program, like);
    }
    l->layout.layout.sets = 0;
    l->layout.layout.ints = sets * program->board.words * 8u;
}

static bool make_room(fzi_lets *l, fz_machine *machine)
{
    const fz_program *p = machine->program;
    size_t likes = (p->shown_count * sizeof(fz_variable) + 7) / 8 * 8, values = 0, elements = 0;

    for (uint32_t i = 0; i < p->shown_count; i++) {
        const fz_variable *like = &p->shown[i].like;
        values += (size_t)like->length * (like->is_set ? p->board.words * 8u : 8u);
        elements += like->length;
    }
    uint8_t *made = fzi_allocate_zeroed(machine->allocator, likes + values + elements + 1);
    l->memory = made;
    if (!made)
        return false;
    l->likes = (fz_variable *)(void *)made;
    l->block = made + likes;
    l->unknown = made + likes + values;
    lay_out(l, p);
    return true;
}

const uint8_t *fzi_let_unknown(const fzi_lets *l, uint32_t number)
{
    const uint8_t *unknown = l->unknown;

    for (uint32_t i = 0; i < number; i++)
        unknown += l->likes[i].length;
    return unknown;
}

/* ---- the values ---- */

typedef struct finder {
    fzi_lets *lets;
    fz_machine *machine;
    const fzi_lets_of *of;
    fzi_knower *knower;     /* NULL: all is known */
} finder;

/* The arguments of the function for an element: `me`, and its indexes. */
static void find_arguments(const finder *f, const fz_variable *like, uint32_t element,
                           int64_t *arguments)
{
    const fz_program *p = f->machine->program;

    arguments[0] = f->of->viewer >= 0 ? f->of->viewer : fz_state_decider(f->of->known);
    for (unsigned i = like->index_count; i-- > 0;) {
        fz_variable one = *like;
        one.index_count = 1;
        one.index[0] = like->index[i];
        uint32_t size = fzi_element_count(p, &one);
        const fz_value_type *type = &p->types[like->index[i]];
        arguments[i + 1] = element % size + (type->kind == FZ_VALUE_INT ? (int64_t)type->low : 0);
        element /= size;
    }
}

static fz_status call(const finder *f, uint32_t number, uint32_t element, int64_t *value,
                      uint64_t *set, bool *known)
{
    const fz_variable *like = &f->lets->likes[number];
    uint32_t function = f->machine->program->shown[number].function;
    int64_t arguments[5];
    unsigned count = like->index_count + 1u;

    find_arguments(f, like, element, arguments);
    *known = true;
    if (!f->knower)
        return fzi_state_call(f->machine, f->of->known, function, arguments, count, value, set);
    if (fzi_knower_call(f->knower, function, arguments, count, value, set, known) != FZ_OK)
        return fzi_machine_no_memory(f->machine);
    return FZ_OK;
}

static fz_status find_one(const finder *f, uint32_t number, uint8_t *unknown)
{
    const fz_variable *like = &f->lets->likes[number];
    fz_status status = FZ_OK;

    for (uint32_t e = 0; e < like->length && status == FZ_OK; e++) {
        int64_t value = 0;
        uint64_t set[FZ_MAX_WORDS];
        bool known;
        status = call(f, number, e, &value, set, &known);
        unknown[e] = !known;
        if (status != FZ_OK || !known)
            continue;
        if (like->is_set)
            fzi_element_put_sites(&f->lets->layout, f->lets->block, like, e, set);
        else
            fzi_element_put(&f->lets->layout, f->lets->block, like, e, value);
    }
    return status;
}

static fz_status find_all(const finder *f, bool revealing)
{
    const fz_program *p = f->machine->program;
    uint8_t *unknown = f->lets->unknown;
    fz_status status = FZ_OK;

    for (uint32_t i = 0; i < p->shown_count && status == FZ_OK; i++) {
        if (!revealing || p->shown[i].reveals)
            status = find_one(f, i, unknown);
        unknown += f->lets->likes[i].length;
    }
    return status;
}

static bool some_reveal(const fz_program *p)
{
    for (uint32_t i = 0; i < p->shown_count; i++)
        if (p->shown[i].reveals)
            return true;
    return false;
}

fz_status fzi_lets_find(fzi_lets *l, fz_machine *machine, const fzi_lets_of *of, bool revealing)
{
    const fz_program *p = machine->program;
    finder f = {l, machine, of, NULL};
    fzi_knower knower;

    memset(l, 0, sizeof *l);
    if (!make_room(l, machine))
        return fzi_machine_no_memory(machine);
    if (!of->seen || !p->shown_count || !fz_program_hides(p))
        return find_all(&f, revealing);
    f.knower = &knower;
    fz_status status = fzi_knower_open(&knower, machine, of->truth, of->seen, of->viewer);
    status = status == FZ_OK ? find_all(&f, revealing) : fzi_machine_no_memory(machine);
    fzi_knower_close(&knower);
    return status;
}

fz_status fzi_revealed_write(fz_machine *machine, const fzi_lets_of *of, fzi_buffer *out)
{
    const fz_program *p = machine->program;
    fzi_lets lets;

    if (!some_reveal(p))
        return FZ_OK;
    fz_status status = fzi_lets_find(&lets, machine, of, true);
    if (status == FZ_OK)
        fzi_buffer_text(out, "shown:\n");
    for (uint32_t i = 0; status == FZ_OK && i < p->shown_count; i++)
        if (p->shown[i].reveals)
            fzi_variable_write(&lets.layout, lets.block, NULL, &lets.likes[i],
                               fzi_let_unknown(&lets, i), "  ", out);
    fzi_release(machine->allocator, lets.memory);
    return status;
}
