/* Values and variables as JSON. See data.h. */
#include "data.h"

#include "interp/support/words.h"
#include "interp/text/position.h"

void fzi_key_data(const char *name, fzi_buffer *out)
{
    fzi_buffer_json(out, "s", name);
    fzi_buffer_text(out, ": ");
}

static void add_mask(const fz_program *p, uint16_t element, uint64_t mask, fzi_buffer *out)
{
    fzi_buffer_json(out, "[");
    for (uint64_t rest = mask; rest; rest &= rest - 1)
        fzi_value_data(p, element, __builtin_ctzll(rest), out);
    fzi_buffer_json(out, "]");
}

void fzi_value_data(const fz_program *p, uint16_t type_index, int64_t value, fzi_buffer *out)
{
    const fz_value_type *type = &p->types[type_index];
    const char *name = fzi_value_name(p, type, value);

    if (type->kind == FZ_VALUE_MASK)
        add_mask(p, type->element, (uint64_t)value, out);
    else if (type->kind == FZ_VALUE_BOOL)
        fzi_buffer_json(out, "b", value != 0);
    else if (name)
        fzi_buffer_json(out, "s", value < 0 ? NULL : name);
    else
        fzi_buffer_json(out, "I", value);
}

void fzi_sites_data(const fz_program *p, const uint64_t *set, fzi_buffer *out)
{
    fzi_buffer_json(out, "[");
    FZI_FOR_SITES (site, set, p->board.words)
        fzi_buffer_json(out, "s", fzi_text(p, p->board.site_names[site]));
    fzi_buffer_json(out, "]");
}

/* ---- variables ---- */

static bool is_unknown(const fzi_elements *from, const fz_variable *v, uint32_t element)
{
    return from->unknown ? from->unknown[element]
                         : !fzi_element_visible(from->program, v, element, from->viewer);
}

void fzi_element_data(const fzi_elements *from, const fz_variable *v, uint32_t element,
                      fzi_buffer *out)
{
    const fz_program *p = from->program;

    if (is_unknown(from, v, element))
        fzi_buffer_json(out, "s", "?");
    else if (fzi_element_is_set(v))
        fzi_sites_data(p, fzi_element_sites(p, from->block, v, element), out);
    else
        fzi_value_data(p, v->type, fzi_element_get(p, from->block, v, element), out);
}

/* The elements first .. first + count - 1, which have the same indexes before `depth`. */
static void add_level(const fzi_elements *from, const fz_variable *v, unsigned depth,
                      uint32_t first, uint32_t count, fzi_buffer *out)
{
    const fz_program *p = from->program;

    if (depth == v->index_count) {
        fzi_element_data(from, v, first, out);
        return;
    }
    uint16_t type = v->index[depth];
    uint32_t size = fzi_index_size(p, type), each = count / size;
    int64_t low = p->types[type].kind == FZ_VALUE_INT ? p->types[type].low : 0;
    fzi_buffer_json(out, "{");
    for (uint32_t i = 0; i < size && !out->failed; i++) {
        fzi_buffer index = fzi_buffer_in(out->allocator);
        fzi_value_text(p, type, low + i, false, &index);
        fzi_key_data(fzi_buffer_get(&index), out);
        out->failed |= index.failed;
        fzi_buffer_free(&index);
        add_level(from, v, depth + 1, first + i * each, each, out);
    }
    fzi_buffer_json(out, "}");
}

void fzi_variable_data(const fzi_elements *from, const fz_variable *v, fzi_buffer *out)
{
    if (v->is_bits && !is_unknown(from, v, 0))
        fzi_sites_data(from->program, fzi_element_sites(from->program, from->block, v, 0), out);
    else if (v->is_bits)
        fzi_buffer_json(out, "s", "?");
    else
        add_level(from, v, 0, 0, fzi_element_count(from->program, v), out);
}
