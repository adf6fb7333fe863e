/* The operands in the texts of instructions: registers, bindings, the moves of a choice, as macros
 * of the C that generate_c.c and generate_playout.c write. */
#include "operands.h"

#include <stdio.h>
#include <string.h>

#include "interp/program/opcodes.h"

void fzi_define(fzi_buffer *out, const char *name, const char *value)
{
    fzi_buffer_format(out, "#undef %.*s\n#define %s %s\n", (int)strcspn(name, "("), name, name,
                      value);
}

void fzi_define_number(fzi_buffer *out, const char *name, uint32_t value)
{
    fzi_buffer_format(out, "#undef %s\n#define %s %u\n", name, name, value);
}

static void define_bound(fzi_buffer *out, const fz_option_info *o)
{
    fzi_buffer_text(out, "#undef BOUND\n#define BOUND() ((const int64_t[]){");
    for (unsigned i = 0; i < o->bindings; i++)
        fzi_buffer_format(out, "i%u, ", o->first + i);
    fzi_buffer_text(out, "0})\n");
}

void fzi_define_take(fzi_buffer *out, const fz_program *p, const fz_choice *c)
{
    fzi_buffer_text(out, "#undef TAKE\n#define TAKE(option, move) switch ((move)->option) { ");
    for (uint32_t n = c->first_option; n < c->first_option + c->options; n++) {
        const fz_option_info *o = &p->options[n];
        fzi_buffer_format(out, "case %u: ", n);
        for (unsigned i = 0; i < o->bindings; i++)
            fzi_buffer_format(out, "i%u = (move)->values[%u]; ", o->first + i, i);
        fzi_buffer_format(out, "goto L%u; ", o->effect);
    }
    fzi_buffer_text(out, "default: FAULT(\"a move of another choice\"); }\n");
}

void fzi_define_operands(fzi_buffer *out, const fz_program *p, uint32_t at, uint32_t next)
{
    const fz_code *code = p->code + at;
    unsigned op = FZ_CODE_OP(*code);
    const char *more = fzi_opcode_extension(op);
    char name[16];
    fzi_define_number(out, "A", FZ_CODE_A(*code));
    fzi_define_number(out, "B", FZ_CODE_B(*code));
    fzi_define_number(out, "C", FZ_CODE_C(*code));
    fzi_define_number(out, "PC", at);
    fzi_define_number(out, "FOLLOWING", next);
    fzi_buffer_format(out, "#undef OPCODE\n#define OPCODE FZ_OP_%s\n", fzi_opcode_name(op));
    for (uint32_t i = 0; more[i]; i++) {
        uint32_t word = code[1 + i];
        snprintf(name, sizeof name, "X_%u", i + 1);
        fzi_buffer_format(out, "#undef %s\n#define %s %uu\n", name, name, word);
        if (more[i] == '4')
            for (unsigned b = 0; b < 4; b++) {
                snprintf(name, sizeof name, "BYTE%s_%u", i == 1 ? "2" : "", b);
                fzi_define_number(out, name, word >> 8 * b & 0xff);
            }
        if (more[i] == 'J') {
            fzi_define_number(out, "TARGET", word);
            fzi_define_number(out, "BACK", word <= at ? at - word + 1 : 0);
        }
        if (more[i] == 'O')
            define_bound(out, &p->options[word]);
    }
}
