/* Writes code for `ferz disasm` and tests: function by function, each instruction under the source
 * line it comes from, with its operands as opcodes.def letters them. */
#include <stdlib.h>

#include "values.h"

/* Something that begins at an instruction and is no part of the code. */
typedef struct mark {
    /* `number` in the order of options and filters: marks of one place keep it */
    uint32_t at, number;
    const char *what;
    uint32_t index;
} mark;

typedef struct listing {
    const fz_program *p;
    fzi_allocator allocator;
    fzi_buffer *out;
    uint32_t *lines;         /* where the lines of all sources begin, source after source */
    uint32_t *first_line;    /* of each source, and the end, in `lines` */
    mark *marks;             /* by place */
    uint32_t mark_count;
    uint32_t source, line;   /* shown last */
} listing;

/* ---- source lines ---- */

/* Notes where lines begin, if there is room for it; returns how many there are. */
static uint32_t note_lines(const fz_program *p, const fz_source_info *source, uint32_t *lines)
{
    const char *text = fzi_text(p, source->text);
    uint32_t count = 0;
    for (uint32_t i = 0; i <= source->text_length; i++)
        if (i == 0 || text[i - 1] == '\n') {
            if (lines)
                lines[count] = i;
            count++;
        }
    return count;
}

static bool find_lines(listing *l)
{
    const fz_program *p = l->p;
    uint32_t total = 0;
    for (uint32_t i = 0; i < p->source_count; i++)
        total += note_lines(p, &p->sources[i], NULL);
    l->lines = fzi_allocate(l->allocator, total * sizeof *l->lines);
    l->first_line = fzi_allocate(l->allocator, (p->source_count + 1) * sizeof *l->first_line);
    if (!l->lines || !l->first_line)
        return false;
    l->first_line[0] = 0;
    for (uint32_t i = 0; i < p->source_count; i++)
        l->first_line[i + 1] =
            l->first_line[i] + note_lines(p, &p->sources[i], l->lines + l->first_line[i]);
    return true;
}

/* The line of the source that holds byte `at`, from 0. */
static uint32_t find_line(const listing *l, uint32_t source, uint32_t at)
{
    const uint32_t *lines = l->lines + l->first_line[source];
    uint32_t low = 0, high = l->first_line[source + 1] - l->first_line[source];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (lines[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void show_source(listing *l, uint32_t code)
{
    const fz_place *place = fzi_program_place(l->p, code);
    if (!place->source || place->source >= l->p->source_count)
        return;
    const fz_source_info *source = &l->p->sources[place->source];
    const char *text = fzi_text(l->p, source->text);
    uint32_t line = find_line(l, place->source, place->start);
    if (place->source == l->source && line == l->line)
        return;
    uint32_t start = l->lines[l->first_line[place->source] + line], end = start;
    while (end < source->text_length && text[end] != '\n')
        end++;
    l->source = place->source;
    l->line = line;
    while (start < end && (text[start] == ' ' || text[start] == '\t'))
        start++;
    fzi_buffer_format(l->out, "  ; %s:%lu  %.*s\n", fzi_text(l->p, source->path),
                      (unsigned long)line + 1, (int)(end - start), text + start);
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

static void add_mark(listing *l, uint32_t at, const char *what, uint32_t index)
{
    l->marks[l->mark_count] = (mark){at, l->mark_count, what, index};
    l->mark_count++;
}

static int by_place(const void *one, const void *other)
{
    const mark *a = one, *b = other;
    return a->at != b->at ? (a->at < b->at ? -1 : 1) : a->number < b->number ? -1 : 1;
}

static bool find_marks(listing *l)
{
    const fz_program *p = l->p;
    l->marks =
        fzi_allocate(l->allocator, (p->option_count * 3u + p->filter_count) * sizeof *l->marks);
    if (!l->marks)
        return false;
    for (uint32_t i = 0; i < p->option_count; i++) {
        add_mark(l, p->options[i].effect, "effect of option", i);
        add_mark(l, p->options[i].label, "label of option", i);
        if (p->options[i].shown != p->options[i].label)
            add_mark(l, p->options[i].shown, "what others see of option", i);
    }
    for (uint32_t i = 0; i < p->filter_count; i++)
        add_mark(l, p->filters[i].code,
                 p->filters[i].kind == FZ_FILTER_ENSURING ? "`ensuring`, filter"
                                                          : "`keeping`, filter",
                 i);
    qsort(l->marks, l->mark_count, sizeof *l->marks, by_place);
    return true;
}

static void labels(listing *l, uint32_t at)
{
    for (uint32_t i = fzi_row_from(l->marks, (uint32_t)l->mark_count, sizeof *l->marks, at);
         i < l->mark_count && l->marks[i].at == at; i++)
        fzi_buffer_format(l->out, "    %s %lu:\n", l->marks[i].what,
                          (unsigned long)l->marks[i].index);
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
    listing l = {.p = program, .allocator = context->allocator, .out = &out};
    if (!find_lines(&l) || !find_marks(&l))
        out.failed = true;
    for (uint32_t i = 0; !out.failed && i < program->function_count; i++)
        function(&l, i);
    fzi_release(l.allocator, l.lines);
    fzi_release(l.allocator, l.first_line);
    fzi_release(l.allocator, l.marks);
    fz_status status = fzi_buffer_finish(&out, text);
    return status == FZ_OK ? FZ_OK : fzi_context_fail(context, status, "out of memory");
}
