/* Writes the values of variables as lines, for positions, drawings and differences. See
 * position.h. */
#include "position.h"

#include "interp/ferz_tools.h"

typedef struct source {
    const fz_program *program;
    const uint8_t *block, *base; /* base NULL: all elements are written */
    const uint8_t *unknown; /* by element: 1, written as `?`; NULL: none is */
} source;

static bool differs(const source *s, const fz_variable *v, uint32_t element)
{
    return !s->base || !fzi_element_same(s->program, s->block, s->base, v, element);
}

/* True if two elements have the same value, so they can share a line. */
static bool alike(const source *s, const fz_variable *v, uint32_t a, uint32_t b)
{
    if (s->unknown && (s->unknown[a] || s->unknown[b]))
        return s->unknown[a] == s->unknown[b];
    if (fzi_element_is_set(v))
        return memcmp(fzi_element_sites(s->program, s->block, v, a),
                      fzi_element_sites(s->program, s->block, v, b),
                      8u * s->program->board.words) == 0;
    return fzi_element_get(s->program, s->block, v, a) ==
           fzi_element_get(s->program, s->block, v, b);
}

/* Adds the last index of an element, after those that `name[a|b` already has. */
static void add_index(const fz_program *program, const fz_variable *v, uint32_t element,
                      fzi_buffer *out)
{
    fzi_buffer index = fzi_buffer_in(out->allocator);
    const char *text, *comma, *last;

    fzi_element_index_write(program, v, element, &index);
    text = last = fzi_buffer_get(&index) + 1;
    while ((comma = strchr(last, ',')) != NULL)
        last = comma + 2;
    fzi_buffer_char(out, '|');
    if (*text)
        fzi_buffer_add(out, last, strlen(last) - 1);
    out->failed |= index.failed;
    fzi_buffer_free(&index);
}

/* One line for the element and those after it in the same row that hold the same value. */
static void write_line(const source *s, const fz_variable *v, uint32_t element, uint32_t row,
                       const char *indent, fzi_buffer *out)
{
    uint32_t end = element - element % row + row;

    fzi_buffer_text(out, indent);
    fzi_buffer_text(out, fzi_text(s->program, v->name));
    fzi_element_index_write(s->program, v, element, out);
    if (v->index_count && !out->failed) {
        out->data[--out->length] = '\0'; /* the bracket comes after the others */
        for (uint32_t e = element + 1; e < end; e++) {
            if (differs(s, v, e) && alike(s, v, element, e))
                add_index(s->program, v, e, out);
        }
        fzi_buffer_char(out, ']');
    }
    fzi_buffer_text(out, " = ");
    if (s->unknown && s->unknown[element])
        fzi_buffer_char(out, '?');
    else
        fzi_element_write(s->program, s->block, v, element, out);
    fzi_buffer_char(out, '\n');
}

/* True if the line of an earlier element of the row contains this one. */
static bool said(const source *s, const fz_variable *v, uint32_t element, uint32_t row)
{
    for (uint32_t e = element - element % row; e < element; e++) {
        if (differs(s, v, e) && alike(s, v, e, element))
            return true;
    }
    return false;
}

static uint32_t row_length(const fz_program *program, const fz_variable *v)
{
    fz_variable outer = *v;

    if (!v->index_count)
        return 1;
    outer.index_count--;
    return fzi_element_count(program, v) / fzi_element_count(program, &outer);
}

void fzi_variable_write(const fz_program *program, const uint8_t *block, const uint8_t *base,
                        const fz_variable *v, const uint8_t *unknown, const char *indent,
                        fzi_buffer *out)
{
    source s = {program, block, base, unknown};
    uint32_t count = fzi_element_count(program, v), row = row_length(program, v);

    for (uint32_t e = 0; e < count && !out->failed; e++) {
        if (differs(&s, v, e) && !said(&s, v, e, row))
            write_line(&s, v, e, row, indent, out);
    }
}

void fzi_unknown_write(const fz_program *program, const fz_variable *v, int viewer,
                       const char *indent, fzi_buffer *out)
{
    const char *between = "[";

    if (!v->secret || viewer < 0)
        return;
    if (!v->index_count || program->types[v->index[0]].kind != FZ_VALUE_PLAYER) {
        fzi_buffer_format(out, "%s%s = ?\n", indent, fzi_text(program, v->name));
        return;
    }
    for (uint32_t p = 0; p < program->player_count; p++) {
        if ((int)p == viewer)
            continue;
        if (*between == '[')
            fzi_buffer_format(out, "%s%s", indent, fzi_text(program, v->name));
        fzi_buffer_format(out, "%s%s", between, fzi_text(program, program->players[p].name));
        between = "|";
    }
    if (*between == '|')
        fzi_buffer_text(out, "] = ?\n");
}
