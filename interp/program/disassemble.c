/* Writes code for `ferz disasm` and tests: function by function, each instruction under the source
 * line it comes from, with its operands as opcodes.def letters them. */
#include "place_cursor.h"
#include "values.h"

typedef struct listing {
    const fz_program *p;
    fzi_buffer *out;
    fzi_place_cursor cursor;
    const char *line;        /* where the source line begins that was shown last */
} listing;

/* Shows the source line of an instruction, unless it was shown last. */
static void show_source(listing *l, uint32_t code)
{
    const fz_place *place = fzi_program_place(l->p, code);
    if (!place->source || place->source >= l->p->source_count)
        return;
    const fz_source_info *source = &l->p->sources[place->source];
    fzi_place_cursor_move(&l->cursor, l->p, place);
    const char *line = fzi_text(l->p, source->text) + l->cursor.line_start;
    if (line == l->line)
        return;
    l->line = line;
    line += strspn(line, " \t");
    fzi_buffer_format(l->out, "  ; %s:%u  %.*s\n", fzi_text(l->p, source->path),
                      l->cursor.line, (int)strcspn(line, "\n"), line);
}

/* ---- operands ---- */

static void operand(listing *l, char letter, unsigned value, bool *first)
{
    if (letter == '_')
        return;
    fzi_buffer_text(l->out, *first ? " " : ", ");
    *first = false;
    if (letter == 'S' || letter == 's' || letter == 'w')
        fzi_buffer_format(l->out, "s%u", value);
    else if (letter == 'U')
        fzi_buffer_format(l->out, "%u", value);
    else
        fzi_buffer_format(l->out, "r%u", value);
}

static const char *named(const listing *l, uint32_t offset)
{
    return fzi_text(l->p, offset);
}

static void constant_set(listing *l, const fz_code *code)
{
    const fz_set_table *t = &l->p->set_tables[code[1]];
    fzi_buffer_text(l->out, "  ; ");
    fzi_sites_text(l->p, l->p->set_pool + t->first + (size_t)code[2] * l->p->board.words, l->out);
}

static void extension(listing *l, char letter, unsigned op, fz_code word, bool *first)
{
    const fz_program *p = l->p;
    if (letter == '4') {
        const char *letters = fzi_opcode_bytes(op);
        for (unsigned i = 0; i < 4; i++)
            operand(l, letters[i], word >> (8 * i) & 0xff, first);
        return;
    }
    fzi_buffer_text(l->out, *first ? " " : ", ");
    *first = false;
    switch (letter) {
    case 'J': fzi_buffer_format(l->out, "@%lu", (unsigned long)word); break;
    case 'K': fzi_buffer_format(l->out, "%ld", (long)(int32_t)word); break;
    case 'A': fzi_buffer_text(l->out, named(l, p->variables[word].name)); break;
    case 'F': fzi_buffer_text(l->out, named(l, p->functions[word].name)); break;
    case 'D': fzi_buffer_text(l->out, named(l, p->dice[word].name)); break;
    case 'N': fzi_buffer_text(l->out, named(l, p->natives[word].name)); break;
    case 'X': fzi_buffer_format(l->out, "\"%s\"", named(l, word)); break;
    case 'V': fzi_buffer_format(l->out, "table %lu", (unsigned long)word); break;
    case 'T': fzi_buffer_format(l->out, "sets %lu", (unsigned long)word); break;
    case 'C': fzi_buffer_format(l->out, "choice %lu", (unsigned long)word); break;
    case 'O': fzi_buffer_format(l->out, "option %lu", (unsigned long)word); break;
    case 'L': fzi_buffer_format(l->out, "filter %lu", (unsigned long)word); break;
    default: fzi_buffer_format(l->out, "type %lu", (unsigned long)word); break;
    }
}

/* ---- what begins at an instruction ---- */

static void label(listing *l, const char *what, uint32_t index)
{
    fzi_buffer_format(l->out, "    %s %lu:\n", what, (unsigned long)index);
}

static void labels(listing *l, uint32_t at)
{
    const fz_program *p = l->p;
    for (uint32_t i = 0; i < p->option_count; i++) {
        const fz_option_info *o = &p->options[i];
        if (o->effect == at)
            label(l, "effect of option", i);
        if (o->label == at)
            label(l, "label of option", i);
        if (o->shown == at && o->shown != o->label)
            label(l, "what others see of option", i);
    }
    for (uint32_t i = 0; i < p->filter_count; i++)
        if (p->filters[i].code == at)
            label(l,
                  p->filters[i].kind == FZ_FILTER_ENSURING ? "`ensuring`, filter"
                                                           : "`keeping`, filter",
                  i);
}

static void instruction(listing *l, uint32_t at)
{
    const fz_code *code = l->p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    const char *letters = fzi_opcode_operands(op), *more = fzi_opcode_extension(op);
    bool first = true;
    fzi_buffer_format(l->out, "%6lu  %-15s", (unsigned long)at, fzi_opcode_name(op));
    operand(l, letters[0], FZ_CODE_A(*code), &first);
    operand(l, letters[1], FZ_CODE_B(*code), &first);
    operand(l, letters[2], FZ_CODE_C(*code), &first);
    for (uint32_t i = 0; more[i]; i++)
        extension(l, more[i], op, code[1 + i], &first);
    if (op == FZ_OP_SROW)
        constant_set(l, code);
    fzi_buffer_trim(l->out);
    fzi_buffer_char(l->out, '\n');
}

static void function(listing *l, uint32_t index)
{
    static const char *const results[] = {"", " -> r", " -> s"};
    const fz_program *p = l->p;
    const fz_function *f = &p->functions[index];
    fzi_buffer_format(l->out, "%sfunction %s(%u, %u)%s  ; %u integer and %u set registers\n",
                      index ? "\n" : "", named(l, f->name), f->int_params, f->set_params,
                      results[f->result], f->ints, f->sets);
    FZI_FOR_INSTRUCTIONS(at, p, f) {
        labels(l, at);
        show_source(l, at);
        instruction(l, at);
    }
}

fz_status fz_program_disassemble(fz_context *context, const fz_program *program, char **text)
{
    fzi_buffer out = fzi_buffer_in(context->allocator);
    listing l = {.p = program, .out = &out};
    for (uint32_t i = 0; !out.failed && i < program->function_count; i++)
        function(&l, i);
    fz_status status = fzi_buffer_finish(&out, text);
    return status == FZ_OK ? FZ_OK : fzi_context_fail(context, status, "out of memory");
}
