/* The constant data of a program as C: what the compiler sees it can fold. */
#include "native.h"

#include <inttypes.h>
#include <string.h>

#include "interp/vm/machine.h"

static void words(fzi_buffer *out, const char *name, const uint64_t *data, size_t count)
{
    fzi_buffer_format(out, "MAYBE_UNUSED static const uint64_t %s[] = {", name);
    for (size_t i = 0; i < count; i++)
        fzi_buffer_format(out, "%s0x%" PRIx64 "u,", i % 8 ? "" : "\n", data[i]);
    fzi_buffer_text(out, count ? "};\n" : "0};\n");
}

#define NUMBERS(function, type, c_name)                                                           \
    static void function(fzi_buffer *out, const char *name, const type *data, size_t count)       \
    {                                                                                             \
        fzi_buffer_format(out, "MAYBE_UNUSED static const %s %s[] = {", c_name, name);            \
        for (size_t i = 0; i < count; i++)                                                        \
            fzi_buffer_format(out, "%s%" PRId64 ",", i % 16 ? "" : "\n", (int64_t)data[i]);       \
        fzi_buffer_text(out, count ? "};\n" : "0};\n");                                           \
    }
NUMBERS(numbers32, int32_t, "int32_t")
NUMBERS(numbers16, int16_t, "int16_t")
NUMBERS(counts16, uint16_t, "uint16_t")
NUMBERS(bytes, uint8_t, "uint8_t")

/* The numbers of a struct, as program_rows.def lists them: generated code asks for no texts, places
 * and lists. */
#define N(field) fzi_buffer_format(out, "." #field " = %" PRId64 ", ", (int64_t)item->field);
#define F(field) N(field)
#define TYPE(field) N(field)
#define TEXT(field)
#define WORD(said, field)
#define LINE(said, field)
#define QUOTED(said, field)
#define PLACE(field)
#define INSIDE(type, field)
#define LIST(count, most, field)
#define WANT(said, holds)
#define ROW(type, fields)                                                                         \
    __attribute__((unused)) static void put_##type(fzi_buffer *out, const type *item)             \
    {                                                                                             \
        (void)out, (void)item;                                                                    \
        fields                                                                                    \
    }
#include "interp/program/program_rows.def"

/* An array of the program; `more` puts what the table of rows leaves out of an item. */
#define ARRAY(field, type, length, more)                                                          \
    fzi_buffer_text(out, "static const " #type " " #field "[] = {");                              \
    for (uint32_t i = 0; i < p->length; i++) {                                                    \
        const type *item = &p->field[i];                                                          \
        fzi_buffer_text(out, "{");                                                                \
        put_##type(out, item);                                                                    \
        more;                                                                                     \
        fzi_buffer_text(out, "},\n");                                                             \
    }                                                                                             \
    fzi_buffer_text(out, "{0}};\n");

static void rows(const fz_program *p, fzi_buffer *out)
{
    ARRAY(functions, fz_function, function_count, (void)0)
    ARRAY(choices, fz_choice, choice_count,
          fzi_buffer_format(out, ".at_once = %u", item->at_once))
    ARRAY(options, fz_option_info, option_count,
          fzi_buffer_format(out, ".at_once = %u", item->at_once))
    ARRAY(filters, fz_filter, filter_count, (void)0)
    ARRAY(dice, fz_die, die_count, (void)0)
    ARRAY(faces, fz_face, face_count, (void)0)
}

/* An array inside of a struct: its numbers, of whatever type. */
#define MEMBER(name, data, count)                                                                 \
    do {                                                                                          \
        fzi_buffer_text(out, "." name " = {");                                                    \
        for (size_t i = 0; i < (count); i++)                                                      \
            fzi_buffer_format(out, "%" PRId64 ",", (int64_t)(data)[i]);                           \
        fzi_buffer_text(out, "},\n");                                                             \
    } while (0)

static void tables(const fz_program *p, fzi_buffer *out)
{
    numbers32(out, "int_pool", p->int_pool, p->int_pool_length);
    words(out, "set_pool", p->set_pool, p->set_pool_length);
    fzi_buffer_text(out, "MAYBE_UNUSED static const fzi_int_row int_rows[] = {");
    for (uint32_t i = 0; i < p->int_table_count; i++)
        fzi_buffer_format(out, "{int_pool + %u, %u, %d},\n", p->int_tables[i].first,
                          p->int_tables[i].length, p->int_tables[i].initial);
    fzi_buffer_text(out, "{0}};\nMAYBE_UNUSED static const fzi_set_rows set_rows[] = {");
    for (uint32_t i = 0; i < p->set_table_count; i++)
        fzi_buffer_format(out, "{set_pool + %u, %u},\n", p->set_tables[i].first,
                          p->set_tables[i].rows);
    fzi_buffer_text(out, "{0}};\n");
}

static void lines(const fzi_topology *t, fzi_buffer *out)
{
    size_t count = t->lined ? (size_t)t->site_count * t->axis_count : 0;
    words(out, "lines", t->lines, count * t->words);
    counts16(out, "line_places", t->line_places, count);
    counts16(out, "line_reach", t->line_reach, t->line_reaches);
}

/* All that the inlined geometry reads; what is not inlined is given the program's own topology. */
static void topology(const fz_program *p, fzi_buffer *out)
{
    const fzi_topology *t = p->topology;
    const fz_board *b = &p->board;
    unsigned w = t->words;
    numbers16(out, "board_next", b->next, (size_t)b->dir_count * b->site_count);
    words(out, "all_sites", t->all, w);
    numbers16(out, "steps", t->steps, (size_t)t->dir_count * t->site_count);
    words(out, "around0", t->around[0], (size_t)t->site_count * w);
    words(out, "around1", t->around[1], (size_t)t->site_count * w);
    fzi_buffer_text(out, "MAYBE_UNUSED static const uint64_t shift_from[] = {");
    for (unsigned i = 0; i < t->first_shift[t->dir_count] * w; i++)
        fzi_buffer_format(out, "0x%" PRIx64 "u,", t->shifts[i / w].from[i % w]);
    fzi_buffer_text(out, "0};\nstatic const fzi_shift shifts[] = {\n");
    for (unsigned i = 0; i < t->first_shift[t->dir_count]; i++)
        fzi_buffer_format(out, "{%d, shift_from + %u},\n", t->shifts[i].delta, i * w);
    fzi_buffer_text(out, "{0}};\n");
    words(out, "rays", t->rays, (size_t)t->dir_count * t->site_count * w);
    lines(t, out);
    fzi_buffer_format(out,
                      "static const fz_program program;\nstatic const fzi_topology topology = {\n"
                      ".board = &program.board, .words = %u, .site_count = %u, .dir_count = %u,\n"
                      ".all = all_sites, .shifts = shifts, .rays = rays, .steps = steps,\n"
                      ".around = {around0, around1}, .reversible = %u, .longest_ray = %u,\n"
                      ".axis_dirs = %uu, .axis_count = %u, .lined = %uu, .lines = lines,\n"
                      ".line_places = line_places, .line_reach = line_reach,\n",
                      t->words, t->site_count, t->dir_count, t->reversible, t->longest_ray,
                      t->axis_dirs, t->axis_count, t->lined);
    MEMBER("first_shift", t->first_shift, t->dir_count + 1u);
    MEMBER("ray_order", t->ray_order, t->dir_count);
    MEMBER("around_dirs", t->around_dirs, 2u);
    MEMBER("axis_bits", t->axis_bits, t->axis_count);
    MEMBER("longest_rays", t->longest_rays, t->dir_count);
    MEMBER("inverse", t->inverse, t->dir_count);
    MEMBER("shortest_cycle", t->shortest_cycle, t->dir_count);
    fzi_buffer_text(out, ".axes = {");
    for (unsigned i = 0; i < t->axis_count; i++)
        fzi_buffer_format(out, "{%u, %u},", t->axes[i][0], t->axes[i][1]);
    fzi_buffer_format(out, "}, .even_dirs = %uu, .up_dirs = %uu, .down_dirs = %uu, .even = {",
                      t->even_dirs, t->up_dirs, t->down_dirs);
    for (unsigned d = 0; d < t->dir_count; d++)
        if (t->even_dirs >> d & 1)
            fzi_buffer_format(out, "[%u] = {%d, shift_from + %u},", d, t->even[d].delta,
                              t->first_shift[d] * w);
    fzi_buffer_text(out, "}};\n");
}

/* All of a layout are numbers of 32 bits. */
static void layout(const fz_layout *l, fzi_buffer *out)
{
    uint32_t numbers[sizeof *l / sizeof(uint32_t)];
    memcpy(numbers, l, sizeof numbers);
    MEMBER("layout", numbers, sizeof numbers / sizeof *numbers);
}

static void program(const fz_program *p, fzi_buffer *out)
{
    const fz_board *b = &p->board;
    fzi_buffer_format(out,
                      "static const fz_program program = {\n.functions = functions, "
                      ".function_count = %u, .setup = %d, .turn = %d, .end = %d, .limit = %d, "
                      ".limit_turns = %d,\n",
                      p->function_count, p->setup, p->turn, p->end, p->limit, p->limit_turns);
    fzi_buffer_text(out, ".choices = choices, .options = options, "
                    ".filters = filters, .dice = dice, .faces = faces,\n");
    fzi_buffer_format(out, ".player_count = %u, .kind_count = %u, .topology = (void *)&topology,\n",
                      p->player_count, p->kind_count);
    fzi_buffer_format(out, ".board = {.words = %u, .dir_count = %u, .site_count = %u, "
                      ".next = board_next},\n", b->words, b->dir_count, b->site_count);
    layout(&p->layout, out);
    fzi_buffer_text(out, "};\n");
}

static void cells(const fz_machine *m, fzi_buffer *out)
{
    fzi_buffer_text(out, "static const fzi_cell cells[] = {");
    for (uint32_t i = 0; i < m->program->variable_count; i++) {
        const fzi_cell *c = &m->cells[i];
        fzi_buffer_format(out, "{%u, %u, %" PRId64 ", %" PRId64 ", %" PRId64 ", %d, %u, %u, %u},\n",
                          c->offset, c->length, c->low, c->high, c->keep, c->initial, c->is_set,
                          c->is_bits, c->is_wide);
    }
    fzi_buffer_text(out, "{0}};\n");
}

static void loop_options(const fz_machine *m, fzi_buffer *out)
{
    fzi_buffer_text(out, "static const fzi_loop_option loop_options[] = {");
    for (uint32_t i = 0; i < m->program->option_count; i++) {
        const fzi_loop_option *o = &m->options[i];
        fzi_buffer_format(out, "{%u, %u, %u, %u, %u, %u, %u},\n", i, o->choice, o->effect, o->first,
                          o->bindings, o->last, o->plain);
    }
    fzi_buffer_text(out, "{0}};\n");
}

/* The kind of a byte of `at`, as a row of a table also where there is no piece. */
static void some_kind(const fz_machine *m, fzi_buffer *out)
{
    uint8_t kinds[256];
    for (unsigned i = 0; i < 256; i++)
        kinds[i] = m->kind_of[i] < 0 ? 0 : (uint8_t)m->kind_of[i];
    bytes(out, "some_kind", kinds, 256);
}

static void machine_part(const fz_machine *m, fzi_buffer *out)
{
    cells(m, out);
    loop_options(m, out);
    words(out, "die_totals", m->die_totals, m->program->die_count);
    bytes(out, "clears", m->clears, m->program->function_count);
    some_kind(m, out);
    fzi_buffer_format(out,
                      "static const fz_machine constant = {\n.site_count = %u, "
                      ".player_count = %u, .kind_count = %u, .dir_mask = 0x%" PRIx64 "u, "
                      ".carries = %u, .cells = (void *)cells, .clears = (void *)clears, "
                      ".options = (void *)loop_options, .int_rows = (void *)int_rows, "
                      ".set_rows = (void *)set_rows, "
                      ".die_totals = (void *)die_totals,\n",
                      m->site_count, m->player_count, m->kind_count, m->dir_mask, m->carries);
    layout(&m->layout, out);
    MEMBER("kind_of", m->kind_of, 256u);
    MEMBER("owner_of", m->owner_of, 256u);
    fzi_buffer_text(out, ".all = {");
    for (unsigned i = 0; i < m->program->board.words; i++)
        fzi_buffer_format(out, "0x%" PRIx64 "u,", m->all[i]);
    fzi_buffer_text(out, "}};\n");
}

void fzi_native_data(const fz_machine *machine, fzi_buffer *out)
{
    const fz_program *p = machine->program;
    fzi_buffer_text(out, "#define MAYBE_UNUSED __attribute__((unused))\n");
    rows(p, out);
    tables(p, out);
    topology(p, out);
    program(p, out);
    machine_part(machine, out);
}
